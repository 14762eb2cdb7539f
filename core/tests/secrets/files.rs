//! Secrets in files.

use super::*;

/// Compares secrets with other secrets, with plain values and with nothing, as `cfg diff` does.
#[test]
fn no_difference_between_files_shows_a_secret() {
    let mut leaks = Leaks::default();
    let sides: &[&[&str]] = &[
        &["s.cfg"],
        &["-e { p | secret = 918273645, n = 2 }"],
        &["-e { p | secret = 'Kzqx \"hunter2\" }"],
        &["-e { p | secret = [\"hunter2\", 918273645] }"],
        &["-e { p | secret = { u = \"hunter2\", q = 'Kzqx } }"],
        &["-e { p | secret = { u = \"hunter2 too\" }, q = p.u }"],
        &["-e let a = { p | secret = \"hunter2\" } in { q = a.p, r = \"%{a.p}\", p = a.p, a = a }"],
        &["-e { p | secret = \"hunter2\", a = 1 + \"x\" }"],
        &["-e { p | secret = \"hunter2\" q = 1 }"],
        &["-e { p | secret | Number = \"hunter2\" }"],
        &["-e { p = \"plain\", n = 1 }"],
        &["-e {}"],
        &["-e 1"],
        &["s.yaml", "marks.cfg"],
        &["s.yaml", "late.yaml", "marks.cfg"],
        &["s.json", "clash.cfg", "marks.cfg"],
        &["s.toml", "marks.cfg"],
        &["s.yay", "marks.cfg"],
        &["s.jsonnet", "marks.cfg"],
    ];
    let (mut different, mut failed) = (0, 0);
    for before in sides {
        for after in sides {
            let inputs = [*before, *after].concat();
            for layout in [DiffLayout::Text, DiffLayout::Json, DiffLayout::SideBySide] {
                for at in [None, Some("p"), Some("q"), Some("p.u")] {
                    let action = Action::Diff { left: before.len(), at: at.map(String::from), layout };
                    let shown = ask(&inputs, &action, false);
                    match shown.contains("error: ") {
                        true => failed += 1,
                        false if shown.trim() != "[]" => different += 1,
                        false => {}
                    }
                    leaks.look(|| format!("{before:?} {after:?} {action:?}"), &shown);
                }
            }
        }
    }
    assert!(different > 500 && failed > 200, "{different} {failed}");
    let action = Action::Diff { left: 1, at: None, layout: DiffLayout::Text };
    let revealed = ask(&["s.cfg", "-e { p | secret = 918273645 }"], &action, true);
    assert!(revealed.contains("hunter2") && revealed.contains("918273645"), "{revealed}");
    leaks.none();
}

/// A secret without its quotes, or without its `=`.
#[test]
fn a_secret_with_a_mistake_around_it_is_masked() {
    let mut leaks = Leaks::default();
    for program in [
        "{ p | secret = hunter2 }",
        "{ p | secret = hunter2@x, n = 1 }",
        "{ p | secret \"hunter2\", n = 1 }",
        "{ p | secret == \"hunter2\" }",
        "{ p | secret | String = hunter2 } & { n = hunter3 }",
    ] {
        for action in actions("p") {
            let inputs = vec![Input::Text { name: String::from("main.cfg"), text: program.as_bytes().to_vec() }];
            let outcome = Session::new(Box::new(InMemory::default())).run(Request::new(inputs, action.clone()));
            let reports: String = outcome.reports.iter().map(|(_, report)| report.text()).collect();
            leaks.look(|| format!("{program:?} {action:?}"), &format!("{}{reports}", outcome.output.text()));
        }
        let mut session = Session::new(Box::new(InMemory::default()));
        for input in [program, &format!("a = {program}"), "a", ":explain a.p", ":history"] {
            for event in session.submit(input) {
                leaks.look(|| format!("{program:?} {input}"), &self::text(&event));
            }
        }
    }
    leaks.none();
}

/// A file that is the value of a secret field, with each kind of error in it, and a file that it imports.
#[test]
fn no_report_about_a_file_that_is_a_secret_shows_it() {
    let mut leaks = Leaks::default();
    let (mut failed, mut masked) = (0, 0);
    for (name, text) in [
        ("f.json", "{ \"a\": \"hunter2\", \"b\": 1 + }"),
        ("f.json", "{ \"a\": hunter2, \"b\": 1 }"),
        ("f.yaml", "a: *hunter2\n"),
        ("f.toml", "a = hunter2\n"),
        ("f.cfg", "{ a = 1 } 'Kzqx"),
        ("f.jsonnet", "{ a: 1 } 'hunter2'"),
        ("f.yay", "a: {{ 1 hunter2 }}\n"),
        ("f.mcl", "$a = 1 hunter2\n"),
        ("f.yaml", "a: \"hunter2\nb: 1\n"),
        ("f.yaml", "a: hunter2\nb 918273645\n"),
        ("f.jsonnet", "{ a: `hunter2` }"),
        ("f.jsonnet", "{ a: `http://hunter2/${b}`, b: 1 }"),
        ("f.jsonnet", "{ a: hunter2:918273645 }"),
        ("f.jsonnet", "[{ a: 'hunter2' }, ;"),
        ("f.jsonnet", "{ a: {}.get('hunter2', 1) }"),
        ("f.jsonnet", "{ a: 'hunter2'.split(',') }"),
        ("f.jsonnet", "{ a: (918273645).toString() }"),
        ("f.jsonnet", "{ a: std.join(',', 'hunter2', 'b') }"),
        ("f.jsonnet", "{ a: std.parseInt(918273645) }"),
        ("f.jsonnet", "{ a: std.join(',', 918273645, 'b') }"),
        ("f.jsonnet", "{ a: 'b'.split(918273645) }"),
        ("f.jsonnet", "{ a: 'hunter2 isn't b', b: 1 }"),
        ("f.jsonnet", "{ a: import hunter2/a.libsonnet }"),
        ("f.jsonnet", "{ a: if 1 == 1 { 'hunter2' } else { 918273645 } }"),
        ("f.yay", "a: 1\n{% hunter2 %}\n"),
        ("f.yay", "a: {{ 1 }}\nb: {{ 1.replace(\"hunter2\", 2) }}\n"),
        ("f.mcl", "$a = {hunter2 => 1,}\n"),
        ("f.mcl", "file hunter2 {\n}\n"),
        ("f.mcl", "$a-x = \"hunter2\"\n"),
        ("f.yay", "a: [hunter2, b]\n"),
        ("f.yay", "a: {hunter2: b, c: hunter2}\n"),
        ("f.yay", "l:\n  - {a: hunter2}\n"),
        ("f.yay", "a:\nb: hunter2\nc: {{ a.b }}\n"),
        ("f.toml", "a = [\n  \"hunter2\"\n  \"918273645\",\n]\n"),
        ("f.toml", "a = \"hunter2\"\nb = 918273645 2\n"),
        ("f.cfg", "{ a = 1 + \"hunter2\", b = a }"),
        ("f.cfg", "{ a = \"hunter2\", b : Number = a }"),
        ("f.cfg", "{ a = 'Kzqx, b : [| 'A |] = a }"),
        ("f.cfg", "{ a = \"hunter2\", b = \"%{a}x\" }"),
        ("f.cfg", "{ b = std.fail_with \"no hunter2\" }"),
        ("f.cfg", "{ a = 'Kzqx, b = import \"g.cfg\" }"),
        ("f.jsonnet", "{ a: 'hunter2', b: self.a + {}, c: error self.a }"),
        ("f.jsonnet", "{ a: 'hunter2' b: 918273645 }"),
        ("f.yay", "a: hunter2\nb: {{ a.x }}\n"),
        ("f.yay", "a: hunter2\nb: {{ 918273645 ) }}\n"),
    ] {
        let program = format!("{{ p | secret = import \"{name}\", n = 1 }}");
        for at in ["p", "p.b"] {
            for action in actions(at) {
                let files: InMemory = [(name, text), ("g.cfg", "{ c = 1 + \"hunter2\" }")].into_iter().collect();
                let inputs = vec![Input::Text { name: String::from("main.cfg"), text: program.clone().into_bytes() }];
                let outcome = Session::new(Box::new(files)).run(Request::new(inputs, action.clone()));
                let reports: String = outcome.reports.iter().map(|(_, report)| report.text()).collect();
                failed += usize::from(!reports.is_empty());
                masked += usize::from(reports.contains("<secret>"));
                leaks.look(|| format!("{text:?} {action:?}"), &format!("{}{reports}", outcome.output.text()));
            }
        }
        // at the prompt, where the file may be read before it is secret, and is read again
        let files: InMemory = [(name, text), ("g.cfg", "{ c = 1 + \"hunter2\" }")].into_iter().collect();
        let mut session = Session::new(Box::new(Stamped(files.clone())));
        for input in [
            program.as_str(),
            "a = { p | secret = import \"FILE\" }",
            ":explain a.p",
            ":why a.p",
            ":load",
            "a.p.b",
            "CHANGE",
            "a",
            ":refresh",
            "a",
        ] {
            if input == "CHANGE" {
                files.write(Path::new(name), format!("{text}\n").as_bytes()).unwrap();
                continue;
            }
            for event in session.submit(&input.replace("FILE", name)) {
                leaks.look(|| format!("{text:?} {input}"), &self::text(&event));
            }
        }
    }
    assert!(failed > 400 && masked > 200, "{failed} {masked}");
    leaks.none();
}

#[test]
fn no_change_that_a_watch_prints_shows_a_secret() {
    for (name, marks, texts) in [
        ("w.cfg", "", ["{ p | secret = \"hunter2\", n = 1 }", "{ p | secret = \"hunter2-late\", n = 2 }"]),
        ("w.yaml", "{ p | secret, .. }", ["p: hunter2\nn: 1\n", "p: hunter2-late\nn: 2\nbad: [\n"]),
        ("w.yaml", "{ p | secret, .. }", ["p: hunter2\nn: 1\n", "p: hunter2-late\nn: 2\n"]),
        (
            "w.jsonnet",
            "{ p | secret, .. }",
            ["{ p: 'hunter2', n: 1 }", "{ p: 'hunter2-late', n: error 'no ' + self.p }"],
        ),
    ] {
        for medium in [Medium::Text, Medium::Json, Medium::Html] {
            let files: InMemory = [(name, texts[0]), ("marks.cfg", marks)].into_iter().collect();
            let mut session = Session::new(Box::new(Stamped(files.clone())));
            let program = match marks {
                "" => format!("import \"{name}\""),
                _ => format!("(import \"{name}\") & (import \"marks.cfg\")"),
            };
            let inputs = vec![Input::Text { name: String::from("main.cfg"), text: program.into_bytes() }];
            let request = Request::new(inputs, Action::Eval { at: None, format: Format::Json });
            let mut watch = Watch::new(medium);
            let mut shown = Vec::new();
            for version in texts {
                files.write(Path::new(name), version.as_bytes()).unwrap();
                shown.extend(session.read_changed_files(&mut watch).iter().map(text));
                let outcome = session.watch(&request, &mut watch);
                shown.push(outcome.output.text());
                shown.extend(outcome.reports.iter().map(|(_, report)| report.text()));
            }
            assert!(shown.concat().contains("secret"), "{shown:?}");
            let mut leaks = Leaks::default();
            leaks.look(|| format!("{name} {medium:?}"), &shown.concat());
            leaks.none();
        }
    }
}
