//! `cfg merge`, `diff` and `check` at the command line: standard input, documents of one file, rules without effect, and advice
//! that works as it is printed.

use cfg_tests::binary::{Ran, run};

struct Folder(tempfile::TempDir);

fn folder(files: &[(&str, &str)]) -> Folder {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).expect("a file");
    }
    Folder(dir)
}

impl Folder {
    fn run(&self, arguments: &[&str]) -> Ran {
        self.piped(arguments, "")
    }

    fn piped(&self, arguments: &[&str], input: &str) -> Ran {
        run(arguments, self.0.path(), input)
    }

    /// Checks the exit code, the value on standard output as JSON, and parts of standard error (none: it is empty).
    #[track_caller]
    fn yields(&self, arguments: &[&str], code: i32, value: &str, parts: &[&str]) {
        let ran = self.run(arguments);
        let compact = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
        assert_eq!((ran.code, compact(&ran.out)), (Some(code), compact(value)), "{}{}", ran.out, ran.err);
        assert!(!parts.is_empty() || ran.err.is_empty(), "{}", ran.err);
        for part in parts {
            assert!(ran.err.contains(part), "{part:?} is not in\n{}", ran.err);
        }
    }
}

#[test]
fn standard_input_of_a_comparison_is_read_by_its_content() {
    let dir = folder(&[
        ("a.yaml", "a: 1\nb: [x]\n"),
        ("t.toml", "a = 1\nb = [\"x\"]\n"),
        ("p.cfg", "{ a = 1, b = [\"x\"] }"),
    ]);
    let texts = [
        "a: 1\nb: [x]\n",
        "# from a chart\n---\na: 1\nb:\n- x\n",
        "{\"a\": 1, \"b\": [\"x\"]}",
        "a = 1\nb = [\"x\"]\n",
        "{ a | default = 1, b = [\"x\"] } & {}",
    ];
    for text in texts {
        for other in ["a.yaml", "t.toml", "p.cfg"] {
            // YAML reads a program in braces as a mapping in flow style, so a program next to data needs `--dialect`
            if text.starts_with("{ a") && other != "p.cfg" {
                continue;
            }
            for sides in [["-", other], [other, "-"]] {
                let ran = dir.piped(&[&["diff"], sides.as_slice()].concat(), text);
                let expected = (Some(0), "no differences, 2 fields same\n");
                assert_eq!((ran.code, ran.out.as_str()), expected, "{sides:?}\n{text}\n{}", ran.err);
            }
        }
    }
    let ran = dir.piped(&["diff", "-", "p.cfg"], "a: [1\n");
    assert_eq!(ran.code, Some(2), "{}", ran.out);
}

const DOCUMENTS: &str = "\
kind: Widget
metadata: {name: w}
spec: {size: 0, bound: 3}
---
kind: Widget
metadata: {name: v}
spec: {size: 5, bound: 9}
---
kind: Other
metadata: {name: s}
spec: {size: none}
";

const RESOURCE: &str = "\
kind: CustomResourceDefinition
spec:
  names: {kind: Widget}
  versions:
  - name: v1
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, minimum: 0, exclusiveMinimum: true}
              bound: {type: integer, maximum: 9, exclusiveMaximum: false}
";

#[test]
fn a_schema_describes_the_documents_of_one_file() {
    let good = DOCUMENTS.replace("size: 0", "size: 1");
    let dir = folder(&[("w.yaml", DOCUMENTS), ("good.yaml", &good), ("crd.yaml", RESOURCE)]);
    let wrong = ["greater than or equal", "less than or equal to the minimum of 0"];
    for command in [["merge", "w.yaml"].as_slice(), &["merge", "--layers", "w.yaml"], &["eval", "w.yaml"]] {
        let arguments = [command, &["--schema", "crd.yaml"]].concat();
        dir.yields(&arguments, 1, "", &[wrong[1], "w.yaml:3:14", "crd.yaml:14:49"]);
        let arguments: Vec<&str> =
            arguments.iter().map(|argument| if *argument == "w.yaml" { "good.yaml" } else { argument }).collect();
        let ran = dir.run(&arguments);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
        let value: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(value.as_array().map(Vec::len), Some(3));
    }
}

#[test]
fn an_exclusive_bound_of_draft_4_is_read() {
    let schema = |draft: &str, keywords: &str| format!("{{{draft}\"properties\": {{\"a\": {{{keywords}}}}}}}");
    for draft in ["", "\"$schema\": \"http://json-schema.org/draft-04/schema#\", "] {
        for (keywords, good, bad) in [
            ("\"minimum\": 1, \"exclusiveMinimum\": true", "2", Some("1")),
            ("\"minimum\": 1, \"exclusiveMinimum\": false", "1", Some("0")),
            ("\"maximum\": 1, \"exclusiveMaximum\": true", "0", Some("1")),
            ("\"anyOf\": [{\"minimum\": 1, \"exclusiveMinimum\": true}]", "2", Some("1")),
            ("\"exclusiveMinimum\": true", "0", None),
        ] {
            // draft 4 requires the bound
            if bad.is_none() && !draft.is_empty() {
                continue;
            }
            let text = schema(draft, keywords);
            let dir = folder(&[("s.json", &text)]);
            let eval = |value: &str| dir.run(&["eval", "-e", &format!("{{ a = {value} }}"), "--schema", "s.json"]);
            assert_eq!((eval(good).code, eval(good).err.as_str()), (Some(0), ""), "{text}");
            if let Some(bad) = bad {
                assert_eq!(eval(bad).code, Some(1), "{text}");
            }
        }
    }
}

#[test]
fn a_path_begins_with_a_document_of_one_file() {
    let dir = folder(&[("w.yaml", DOCUMENTS)]);
    for command in ["merge", "eval"] {
        dir.yields(&[command, "w.yaml", "--at", "Widget/v.spec.size"], 0, "5", &[]);
        dir.yields(&[command, "w.yaml", "--at", "[1].spec.size"], 0, "5", &[]);
        let parts = ["does not begin with a document", "did you mean `Widget/v`?"];
        dir.yields(&[command, "w.yaml", "--at", "Wdget/v.spec"], 1, "", &parts);
    }
    let ran = dir.run(&["explain", "w.yaml", "Widget/v.spec.size"]);
    assert!(ran.out.contains("w.yaml:7:14"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_field_among_the_files_is_explained() {
    let dir = folder(&[("a.yaml", "a: {b: 1}\n"), ("b.yaml", "a: {b: 2}\n"), ("w.yaml", DOCUMENTS)]);
    let expected = dir.run(&["merge", "--layers", "a.yaml", "b.yaml", "--explain", "--at", "a.b"]);
    assert!(expected.out.starts_with("a.b = 2"), "{}{}", expected.out, expected.err);
    for arguments in [["--explain", "a.b", "a.yaml", "b.yaml"], ["a.yaml", "b.yaml", "--explain", "a.b"]] {
        let ran = dir.run(&[&["merge", "--layers"], &arguments[..]].concat());
        assert_eq!((ran.code, ran.out), (Some(0), expected.out.clone()), "{arguments:?}: {}", ran.err);
    }
    let ran = dir.run(&["merge", "w.yaml", "--explain", "Widget/v.spec.size"]);
    assert!(ran.out.contains("w.yaml:7:14"), "{}{}", ran.out, ran.err);
    // a file that does not exist
    let ran = dir.run(&["merge", "a.yaml", "c.yaml", "--explain"]);
    assert!(ran.err.contains("c.yaml: no such file"), "{}", ran.err);
}

const LOWER: &str = "a: {b: [1], m: {x: 1}, l: [1], s: 1}\nc: [{name: n, t: [1]}]\n";
const UPPER: &str = "a: {b: [2], m: [1], l: {x: 1}}\nc: [{name: n, t: [2]}]\n";

#[test]
fn a_rule_for_a_list_that_no_layer_has_is_a_warning() {
    let dir = folder(&[("a.yaml", LOWER), ("b.yaml", LOWER), ("w.yaml", DOCUMENTS), ("v.yaml", DOCUMENTS)]);
    let warned = |files: [&str; 2], rule: &str| {
        let ran = dir.run(&["merge", "--layers", files[0], files[1], "--list", rule]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.err
    };
    let yaml = ["a.yaml", "b.yaml"];
    for (rule, parts) in [
        ("a.bb=append", ["no layer has this path", "did you mean `a.b`?"].as_slice()),
        ("c[*].tt=append", &["the rule for `c.tt`", "did you mean `c.t`?"]),
        ("q=append", &["no layer has this path"]),
        ("a.m=append", &["the value there is a mapping, not a list"]),
        ("a.s=append", &["a scalar"]),
        // the name of a list elsewhere
        ("t=append", &["no layer has this path", "did you mean `c.t`?"]),
        ("a.bs=append", &["did you mean `a.b`?"]),
    ] {
        let said = warned(yaml, rule);
        for part in parts {
            assert!(said.contains(part), "{rule}: {part:?} is not in\n{said}");
        }
    }
    for rule in ["a.b=append", "c[*].t=append", "c.t=append", "c=key:name", "append"] {
        assert_eq!(warned(yaml, rule), "", "{rule}");
    }
    // a rule may begin with a document
    assert!(warned(["w.yaml", "v.yaml"], "spec.sizes=append").contains("did you mean `spec.size`?"));
}

#[test]
fn a_list_over_a_mapping_is_a_warning() {
    let dir = folder(&[("a.yaml", LOWER), ("b.yaml", UPPER)]);
    let ran = dir.run(&["merge", "--layers", "a.yaml", "b.yaml", "--list", "append"]);
    for part in [
        "`a.m` is a list here and a mapping in a lower layer",
        "b.yaml:1:16",
        "a.yaml:1:16",
        "`a.l` is a mapping here and a list",
    ] {
        assert!(ran.err.contains(part), "{part:?} is not in\n{}", ran.err);
    }
    assert_eq!(ran.code, Some(0));
    // not for other parts, and not if the command line says it
    dir.yields(&["merge", "--layers", "a.yaml", "b.yaml", "--list", "append", "--at", "a.b"], 0, "[1, 2]", &[]);
    dir.yields(&["merge", "--layers", "a.yaml", "--set", "a.m=[1]", "--at", "a.m"], 0, "[1]", &[]);
    dir.yields(&["merge", "--layers", "a.yaml", "--set-string", "a.s=x", "--at", "a.s"], 0, "\"x\"", &[]);
    dir.yields(&["merge", "--layers", "a.yaml", "--set", "a.s=2", "--at", "a.s"], 0, "2", &[]);
    // `--set` takes the type from the text, which may be a mistake
    for (set, said, help) in [
        ("a.s=one", "`a.s` is a string here and a number", "`--set-string` says"),
        ("a.m=x", "`a.m` is a string here and a mapping", "`a.m.KEY=…`"),
    ] {
        let ran = dir.run(&["merge", "--layers", "a.yaml", "--set", set]);
        assert!(ran.code == Some(0) && ran.err.contains(said), "{}", ran.err);
        assert!(ran.err.contains(help), "{}", ran.err);
    }
    // a check reports the kinds of both, once
    let ran = dir.run(&["check", "--layers", "a.yaml", "b.yaml"]);
    assert!(ran.err.contains("`a.m` is a list here") && !ran.err.contains("`a.m` changes its type"), "{}", ran.err);
}

#[test]
fn different_objects_that_are_merged_into_one_are_a_warning() {
    let object = |kind: &str, name: &str| format!("kind: {kind}\nmetadata: {{name: {name}}}\nspec: {{x: 1}}\n");
    let (web, other, api) = (object("Deployment", "web"), object("Service", "web"), object("Deployment", "api"));
    let both = format!("{web}---\n{other}");
    let dir = folder(&[
        ("web.yaml", &web),
        ("same.yaml", &web),
        ("service.yaml", &other),
        ("api.yaml", &api),
        ("patch.yaml", "spec: {x: 2}\n"),
        ("both.yaml", &both),
    ]);
    for (above, said) in [
        ("service.yaml", ["`Service/web` is merged over `Deployment/web`", "service.yaml:1:7", "web.yaml:1:7"]),
        ("api.yaml", ["`Deployment/api` is merged over `Deployment/web`", "api.yaml:2:18", "web.yaml:2:18"]),
    ] {
        let ran = dir.run(&["merge", "--layers", "web.yaml", "patch.yaml", above]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        for part in said {
            assert!(
                ran.err.contains(part) && ran.err.contains("[merge/other-object]"),
                "{part:?} is not in\n{}",
                ran.err
            );
        }
    }
    for files in [["web.yaml", "same.yaml"], ["web.yaml", "patch.yaml"], ["both.yaml", "service.yaml"]] {
        assert_eq!(dir.run(&["merge", "--layers", files[0], files[1]]).err, "", "{files:?}");
    }
}

#[test]
fn questions_about_a_field_of_layers_need_no_stack() {
    let dir = folder(&[("a.yaml", LOWER), ("b.yaml", "a: {s: 2}\n")]);
    let ran = dir.run(&["explain", "--layers", "a.yaml", "b.yaml", "a.s"]);
    assert!(ran.out.starts_with("a.s = 2") && ran.out.contains("layer 2 beats layer 1"), "{}{}", ran.out, ran.err);
    let ran = dir.run(&["query", "--layers", "a.yaml", "b.yaml", "--at", "a.s"]);
    assert_eq!(ran.out, "• value: 2\n", "{}", ran.err);
    let ran = dir.run(&["deps", "--layers", "a.yaml", "b.yaml", "a.s"]);
    assert!(ran.out.contains("b.yaml:1:8"), "{}{}", ran.out, ran.err);
    let ran = dir.run(&["why", "--layers", "a.yaml", "b.yaml", "a.s", "--step", "1"]);
    assert!(ran.out.contains("a.yaml:1:") && !ran.out.contains("refers to it"), "{}{}", ran.out, ran.err);
    let ran = dir.run(&["explain", "a.yaml", "b.yaml", "a.s"]);
    assert!(ran.code == Some(2) && ran.err.contains("`cfg explain --layers a.yaml b.yaml a.s`"), "{}", ran.err);
}

#[test]
fn an_index_after_the_last_element_says_how_many_there_are() {
    let dir = folder(&[("a.yaml", LOWER)]);
    let ran = dir.run(&["eval", "a.yaml", "--at", "a.b[3]"]);
    assert!(ran.err.contains("no element `[3]` in `a.b`: it has 1 element, `[0]`"), "{}", ran.err);
    assert!(ran.err.contains("a.yaml:1:8") && !ran.err.contains("std."), "{}", ran.err);
}

#[test]
fn an_alias_inside_of_its_own_anchor_ends_at_the_alias() {
    let dir = folder(&[
        ("a.yaml", "ok: 1\na: &x\n  b: *x\n"),
        ("b.yaml", "a: &x {b: &y [1, *x]}\n"),
        ("c.yaml", "- &x [1, *x]\n"),
        ("d.yaml", "ok: 2\n"),
    ]);
    for format in ["json", "yaml", "toml", "properties"] {
        let ran = dir.run(&["eval", "a.yaml", "--format", format]);
        assert!(ran.code == Some(1) && ran.out.is_empty(), "{format}: {}", ran.err);
        assert!(ran.err.contains("`a.b` contains itself") && ran.err.contains("a.yaml:3:6"), "{format}: {}", ran.err);
    }
    for (arguments, place) in [
        (["merge", "--layers", "a.yaml", "d.yaml"].as_slice(), "a.yaml:3:6"),
        (&["eval", "b.yaml"], "b.yaml:1:18"),
        (&["eval", "c.yaml"], "c.yaml:1:10"),
        (&["check", "c.yaml"], "c.yaml:1:10"),
    ] {
        let ran = dir.run(arguments);
        assert!(ran.code == Some(1) && ran.err.contains(place), "{arguments:?}: {}", ran.err);
        assert_eq!(ran.err.matches("[data/self-alias]").count(), 1, "{}", ran.err);
    }
    dir.yields(&["eval", "a.yaml", "--at", "ok"], 0, "1", &[]);
    // a higher layer may replace the alias
    dir.yields(&["merge", "--layers", "a.yaml", "--set", "a.b=1", "--at", "a"], 0, "{\"b\": 1}", &["a number here"]);
    let ran = dir.run(&["merge", "--layers", "a.yaml", "d.yaml", "--explain"]);
    assert!(ran.out.contains("no value"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_stack_is_checked_without_an_option() {
    let schema = "{\"properties\": {\"a\": {\"properties\": {\"s\": {\"maximum\": 0}}}}}";
    let dir = folder(&[
        ("a.yaml", LOWER),
        ("b.yaml", "a: {s: text}\n"),
        ("s.json", schema),
        ("stack.toml", "layers = [\"a.yaml\", \"b.yaml\"]\n"),
        ("checked.toml", "layers = [\"a.yaml\"]\nschema = \"s.json\"\n"),
    ]);
    let ran = dir.run(&["check", "@stack.toml"]);
    assert!(ran.code == Some(0) && ran.err.contains("`a.s` is a string here and a number"), "{}", ran.err);
    assert_eq!(dir.run(&["check", "@stack.toml", "--strict"]).code, Some(1));
    for arguments in [["check", "@checked.toml"].as_slice(), &["check", "--layers", "@checked.toml"]] {
        let ran = dir.run(arguments);
        assert!(ran.code == Some(1) && ran.err.contains("greater than the maximum of 0"), "{}", ran.err);
    }
}

#[test]
fn the_length_of_a_secret_is_not_checked() {
    let schema = "{\"properties\": {\"p\": {\"type\": \"string\", \"minLength\": 5}}}";
    let dir =
        folder(&[("p.json", "{\"p\": \"abc\"}"), ("s.cfg", "{ p | secret | String = \"abc\" }"), ("s.json", schema)]);
    for files in [["p.json", "s.cfg"], ["s.cfg", "p.json"]] {
        for option in [[].as_slice(), &["--layers"]] {
            let arguments = [&["merge"], files.as_slice(), &["--schema", "s.json"], option].concat();
            dir.yields(&arguments, 0, "{\"p\": \"<secret>\"}", &[]);
        }
    }
}

#[test]
fn an_element_of_a_missing_list_is_made() {
    let dir = folder(&[("a.yaml", "b: [{x: 1}]\n")]);
    for (set, value) in [
        ("z[0].b[0]=1", r#"[{"b": [1]}]"#),
        ("z[0].y.w[0].v[0]=2", r#"[{"y": {"w": [{"v": [2]}]}}]"#),
        ("z[0][0]=1", "[[1]]"),
    ] {
        dir.yields(&["merge", "a.yaml", "--set", set, "--at", "z"], 0, value, &[]);
    }
    dir.yields(&["merge", "a.yaml", "--set", "b[0].c[0]=1", "--at", "b"], 0, r#"[{"x": 1, "c": [1]}]"#, &[]);
    let both = ["merge", "a.yaml", "--set", "z[0].b[0]=1", "--set", "z[0].b[1]=2", "--at", "z"];
    dir.yields(&both, 0, r#"[{"b": [1, 2]}]"#, &[]);
    dir.yields(&["merge", "a.yaml", "--set", "z[0].b[1]=1"], 1, "", &["there is no element [1] to set"]);
}

/// Returns the quoted parts of the lines of help and of the last line of an answer that are typed at the command line.
fn advice(ran: &Ran) -> Vec<String> {
    let lines = ran.err.lines().filter(|line| line.contains("help:")).chain(ran.out.lines());
    let quoted = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
    let typed = |part: &&str| part.starts_with("cfg ") || part.starts_with("-- ") || part.starts_with("--");
    quoted.filter(typed).map(String::from).collect()
}

/// Splits a command as a shell does: at blanks outside of single quotes.
fn words(text: &str) -> Vec<String> {
    let (mut all, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in text.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => all.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    all.push(word);
    all
}

#[test]
fn advice_works_as_it_is_printed() {
    let service = "kind: Service\nmetadata: {name: s}\nspec: {selectors: [a]}\n";
    let other = "kind: Other\nmetadata: {name: o}\nspec: {selectors: [b]}\n";
    let dir = folder(&[
        ("a.yaml", LOWER),
        ("b.yaml", UPPER),
        ("x.yaml", &format!("{service}---\n{other}")),
        ("y.yaml", &service.replace("[a]", "[it's]")),
        ("p.cfg", "{ h = 1, y = h + 1, o.deep = y, \"odd key\" = h, w = y + h }"),
        ("q.cfg", "{ h = 2 }"),
        ("many.yaml", "a: 1\nb: 1\nc: 1\nd: 1\n"),
        ("more.yaml", "a: 2\nb: 2\nc: 2\nd: 2\n"),
        ("s.toml", "layers = [\"a.yaml\", \"b.yaml\"]\n"),
    ]);
    let mut tried = 0;
    for command in [
        ["merge", "--layers", "a.yaml", "b.yaml"].as_slice(),
        &["merge", "--layers", "a.yaml", "b.yaml", "--explain"],
        &["merge", "--layers", "x.yaml", "y.yaml"],
        &["merge", "@s.toml"],
        &["eval", "@s.toml"],
        &["check", "@s.toml"],
        &["check", "--layers", "a.yaml", "b.yaml"],
        &["steps", "--layers", "a.yaml", "b.yaml"],
        &["explain", "@s.toml", "a.b"],
        &["type", "@s.toml"],
        &["diff", "a.yaml", "b.yaml", "--", "a.yaml"],
        &["merge", "many.yaml", "more.yaml"],
        &["merge", "p.cfg", "q.cfg"],
        &["eval", "p.cfg", "--", "h=3"],
        &["eval", "p.cfg", "--", "o.deep=3"],
        &["deps", "p.cfg", "y"],
        &["deps", "p.cfg", "\"odd key\""],
        &["explain", "p.cfg", "h"],
    ] {
        let ran = dir.run(command);
        for text in advice(&ran) {
            let added = words(&text.replace("<path>", "a.b"));
            let mut arguments: Vec<&str> = command.to_vec();
            match added.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                ["cfg", whole @ ..] => arguments = whole.to_vec(),
                // instead of the assignments that failed
                ["--", rest @ ..] => {
                    arguments.truncate(arguments.iter().position(|argument| *argument == "--").expect("assignments"));
                    arguments.push("--");
                    arguments.extend_from_slice(rest);
                }
                options => {
                    let end = arguments.iter().position(|argument| *argument == "--").unwrap_or(arguments.len());
                    arguments.splice(end..end, options.iter().copied());
                }
            }
            let again = dir.run(&arguments);
            let is_diff = command[0] == "diff" && again.code == Some(1);
            // an explanation of a conflict is right and has the exit code of an error
            let explained = text.contains("--explain") && !again.out.is_empty();
            assert!(again.code == Some(0) || is_diff || explained, "{command:?}: `{text}`\n{}{}", again.out, again.err);
            assert!(!again.err.contains(&format!("`{text}`")), "{command:?}: `{text}` changed nothing\n{}", again.err);
            tried += 1;
        }
    }
    assert!(tried >= 20, "{tried}");
}
