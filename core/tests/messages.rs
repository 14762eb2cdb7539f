//! Wrong programs as beginners write them, with their messages. The files in `messages/` have one block for each program: a
//! line `## name`, the program, a line `--`, and what is reported. `UPDATE_EXPECT=1` writes the reports.

use cfg_core::{Action, CheckOptions, DiffLayout, Drawing, Event, Format, InMemory, Input, Medium, Request, Session};
use expect_test::expect_file;
use std::path::{Path, PathBuf};

/// Checks the file of a language. `least` is the number of programs that it must have.
#[expect(clippy::disallowed_methods, reason = "a test reads its own file; the core does not")]
fn check(language: &str, ending: &str, least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages").join(format!("{language}.txt"));
    let text = std::fs::read_to_string(&path).unwrap();
    let mut out = String::new();
    let mut silent = Vec::new();
    let blocks = text.split("## ").skip(1).collect::<Vec<_>>();
    for block in &blocks {
        let (name, rest) = block.split_once('\n').unwrap();
        let program = rest.split_once("\n--\n").map_or(rest.trim_end(), |(program, _)| program);
        let shown = reported(program, ending);
        if shown.is_empty() {
            silent.push(name);
        }
        out.push_str(&format!("## {name}\n{program}\n--\n{shown}\n"));
    }
    assert!(silent.is_empty(), "nothing is reported about {silent:?}");
    assert!(blocks.len() >= least, "{} programs", blocks.len());
    expect_file![path].assert_eq(&out);
}

/// Returns what `cfg check` reports about a program, or else `cfg eval`.
fn reported(program: &str, ending: &str) -> String {
    let eval = Action::Eval { at: None, format: Format::Json };
    for action in [Action::Check(cfg_core::CheckOptions { strict: true, ..cfg_core::CheckOptions::default() }), eval] {
        let name = format!("x.{ending}");
        let files: InMemory = [(name.as_str(), format!("{program}\n").as_str())].into_iter().collect();
        let request = Request::new(vec![Input::File(PathBuf::from(&name))], action);
        let outcome = Session::new(Box::new(files)).run(request);
        let reports: Vec<String> = outcome.reports.iter().map(|(_, report)| report.text()).collect();
        if !reports.is_empty() {
            return format!("{}\n", reports.join("\n"));
        }
    }
    String::new()
}

#[test]
fn yaml() {
    check("yaml", "yaml", 40);
}

#[test]
fn cfg() {
    check("cfg", "cfg", 40);
}

#[test]
fn jsonnet() {
    check("jsonnet", "jsonnet", 40);
}

#[test]
fn yay() {
    check("yay", "yay", 15);
}

#[test]
fn mcl() {
    check("mcl", "mcl", 15);
}

/// Returns everything that the command line prints for a request.
fn printed(files: &[(&str, &str)], inputs: Vec<Input>, action: Action) -> String {
    let files: InMemory = files.iter().copied().collect();
    let mut request = Request::new(inputs, action);
    request.options.libraries = vec![PathBuf::from("lib"), PathBuf::from("more")];
    let outcome = Session::new(Box::new(files)).run(request);
    let reports = outcome.reports.iter().map(|(_, report)| report.text());
    std::iter::once(outcome.output.text()).chain(reports).collect::<Vec<_>>().join("\n")
}

fn actions() -> Vec<Action> {
    let (at, path, medium) = (|| Some(String::from("a")), || String::from("a"), Medium::Text);
    let steps = |all| Action::Steps { at: None, all, most: Some(1), layers: all, types: true, medium };
    vec![
        Action::Eval { at: None, format: Format::Json },
        Action::Type { at: at(), pretty: true },
        Action::Check(CheckOptions { strict: true, ..CheckOptions::default() }),
        Action::Query { path: path(), json: false },
        Action::Explain { path: path(), medium },
        steps(true),
        steps(false),
        Action::Why { path: at(), step: None, medium },
        Action::Why { path: None, step: None, medium },
        Action::Deps { path: path(), used_by: false, json: false },
        Action::Graph { at: None, functions: false, drawing: Drawing::Text },
        Action::Graph { at: None, functions: true, drawing: Drawing::Text },
        Action::Fmt { check: false },
        Action::Merge { at: None, layers: true, format: Format::Json, explain: None },
        Action::Merge { at: at(), layers: false, format: Format::Json, explain: Some(medium) },
        Action::Diff { left: 1, at: None, layout: DiffLayout::Text },
        Action::Edit { sets: vec![String::from("a=1")], layers: true },
    ]
}

/// Output of the command line about the programs of all files, and about inputs that the prompt takes for more than
/// programs, mentions no `:command`.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test reads its own file; the core does not")]
fn the_command_line_mentions_no_command_of_the_prompt() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages");
    let mut programs: Vec<(String, String)> = Vec::new();
    for (language, ending) in [("yaml", "yaml"), ("cfg", "cfg"), ("jsonnet", "jsonnet"), ("yay", "yay"), ("mcl", "mcl")]
    {
        let text = std::fs::read_to_string(folder.join(format!("{language}.txt"))).unwrap();
        for block in text.split("## ").skip(1) {
            let (_, rest) = block.split_once('\n').unwrap();
            let program = rest.split_once("\n--\n").map_or(rest, |(program, _)| program);
            programs.push((format!("x.{ending}"), program.to_string()));
        }
    }
    let texts = [
        "?x",
        "a?",
        "type 1",
        ":type 1",
        "{ a = _ }",
        "{ a = import \"nope.cfg\" }",
        "$1",
        "env",
        "{ a = 1 } & { a = 2 }",
    ];
    programs.extend(texts.map(|text| (String::from("x.cfg"), String::from(text))));
    let long: String = (0..60).map(|i| format!("{{ a | priority {i} = {i} }} & ")).collect();
    programs.push((String::from("x.cfg"), format!("{long}{{}}")));
    let mut wrong = Vec::new();
    let mut hints = 0;
    for (name, program) in &programs {
        for action in actions() {
            let pairs = matches!(action, Action::Merge { .. } | Action::Diff { .. });
            let inputs = [name.as_str(), "y.yaml"].into_iter().take(1 + usize::from(pairs));
            let inputs = inputs.map(|input| Input::File(PathBuf::from(input))).collect();
            let out = printed(&[(name, program), ("y.yaml", "a: 2\nb: 1\n")], inputs, action.clone());
            hints += out.matches("help: ").count();
            let of_prompt = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase());
            // `:type 1` in a program is quoted by the message
            wrong.extend(
                out.lines()
                    .filter(|line| line.split("`:").skip(1).any(of_prompt) && !program.starts_with(':'))
                    .map(|line| format!("{name} {program:?} {action:?}: {line}")),
            );
        }
    }
    assert!(hints > 500, "{hints}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same hint is in the words of each face.
#[test]
fn a_hint_about_folders_of_imports_is_for_the_face_that_prints_it() {
    let program = "import \"nope.cfg\"";
    let inputs = vec![Input::Text { name: String::from("x.cfg"), text: program.as_bytes().to_vec() }];
    let out = printed(&[], inputs, Action::Eval { at: None, format: Format::Json });
    assert!(out.contains("help: `-I DIR` adds a folder to look in") && !out.contains(":set"), "{out}");
    let mut session = Session::new(Box::new(InMemory::default()));
    session.submit(":set import-path lib");
    let text = |event: &Event| match event {
        Event::Diagnostic { report, .. } => report.text(),
        _ => String::new(),
    };
    let out: String = session.submit(program).iter().map(text).collect();
    assert!(out.contains("help: `:set import-path DIR` adds a folder to look in") && !out.contains("-I"), "{out}");
    let long: String = (0..60).map(|i| format!("{{ a | priority {i} = {i} }} & ")).collect();
    let program = format!("{long}{{}}");
    let inputs = vec![Input::Text { name: String::from("x.cfg"), text: program.as_bytes().to_vec() }];
    let explain = Action::Explain { path: String::from("a"), medium: Medium::Text };
    let out = printed(&[], inputs, explain);
    assert!(out.contains("… 20 more: `--format json` lists them"), "{out}");
    let explained = |event: &Event| match event {
        Event::Answer(text) | Event::View { text, .. } => text.text(),
        _ => String::new(),
    };
    session.submit(&format!("x = {program}"));
    let out: String = session.submit(":explain x.a").iter().map(explained).collect();
    assert!(out.contains("… 20 more") && !out.contains("--format"), "{out}");
}

/// Each program has a grade in `messages/grades.txt`, and the mean of each language is above 2.7.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test reads its own file; the core does not")]
fn every_message_has_a_grade() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages");
    let grades = std::fs::read_to_string(folder.join("grades.txt")).unwrap();
    let lines: Vec<&str> = grades.lines().filter(|line| !line.starts_with('#')).collect();
    let mut count = 0;
    for language in ["yaml", "cfg", "jsonnet", "mcl", "yay"] {
        let text = std::fs::read_to_string(folder.join(format!("{language}.txt"))).unwrap();
        let names: Vec<&str> = text.split("## ").skip(1).filter_map(|block| block.lines().next()).collect();
        let mut sum = 0;
        for name in &names {
            let begin = format!("{language}: {name}: ");
            let found: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix(&begin)).collect();
            let [grade] = found.as_slice() else { panic!("{begin}{} grades", found.len()) };
            sum += grade.chars().next().and_then(|c| c.to_digit(10)).unwrap();
            // a grade below the best has a reason
            assert!(*grade == "3" || grade.len() > 4, "{begin}{grade}");
        }
        let mean = f64::from(sum) / names.len() as f64;
        assert!(mean > 2.7, "{language}: {mean:.2}");
        count += names.len();
    }
    assert_eq!(lines.len(), count);
}
