//! Wrong programs as people write them, with their messages. The files in `messages/` have one block for each program: a
//! line `## name`, the program, a line `--`, and what `cfg check` reports, or else `cfg eval`. Where both report something
//! different, a line `-- eval` begins the second report. A program of several files has a line `>>> name` before each of
//! them; `main` is the program itself. `UPDATE_EXPECT=1` writes the reports.

use cfg_core::{
    Action, CheckOptions, DiffLayout, Drawing, Event, Format, InMemory, Input, Medium, Request, Session, Severity,
};
use expect_test::expect_file;
use std::path::{Path, PathBuf};

/// The files in `messages/`, the endings of their programs, and the number of programs that each must have.
const FILES: [(&str, &str, usize); 14] = [
    ("yaml", "yaml", 40),
    ("yaml-more", "yaml", 60),
    ("cfg", "cfg", 40),
    ("cfg-more", "cfg", 60),
    ("cfg-both", "cfg", 18),
    ("jsonnet", "jsonnet", 40),
    ("jsonnet-more", "jsonnet", 60),
    ("jsonnet-both", "jsonnet", 80),
    ("json", "json", 60),
    ("toml", "toml", 60),
    ("yay", "yay", 15),
    ("yay-more", "yay", 30),
    ("mcl", "mcl", 15),
    ("mcl-more", "mcl", 50),
];

/// The maximum number of frames of a Jsonnet program, as in the reference. Our own limit takes a second to reach.
const FRAMES: u32 = 500;

#[expect(clippy::disallowed_methods, reason = "a test reads its own file; the core does not")]
fn text_of(file: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages").join(format!("{file}.txt"));
    let text = std::fs::read_to_string(&path).unwrap();
    (path, text)
}

/// Returns the name of each program in a text, and the program.
fn programs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("\n## ").map(|block| {
        let (name, rest) = block.trim_start_matches("## ").split_once('\n').unwrap();
        (name, rest.split_once("\n--\n").map_or(rest.trim_end_matches("\n--").trim_end(), |(program, _)| program))
    })
}

/// Returns the files of a program: their names and texts. The first one is the program itself.
fn parts(program: &str, ending: &str) -> Vec<(String, String)> {
    let own = format!("x.{ending}");
    let Some(rest) = program.strip_prefix(">>> ") else { return vec![(own, format!("{program}\n"))] };
    let mut files: Vec<(String, String)> = Vec::new();
    for part in rest.split("\n>>> ") {
        let (name, text) = part.split_once('\n').unwrap();
        match name {
            "main" => files.insert(0, (own.clone(), format!("{text}\n"))),
            _ => files.push((name.to_string(), format!("{text}\n"))),
        }
    }
    files
}

/// Checks a file of programs.
fn check(file: &str) {
    let (_, ending, least) = FILES.iter().find(|(name, ..)| *name == file).unwrap();
    let (path, text) = text_of(file);
    let mut out = String::new();
    let mut silent = Vec::new();
    let mut count = 0;
    for (name, program) in programs(&text) {
        let shown = reported(program, ending, matches!(file, "jsonnet-more" | "jsonnet-both" | "cfg-both"));
        if shown.is_empty() {
            silent.push(name);
        }
        count += 1;
        out.push_str(&format!("## {name}\n{program}\n--\n{shown}\n"));
    }
    assert!(silent.is_empty(), "nothing is reported about {silent:?}");
    assert!(count >= *least, "{count} programs");
    expect_file![path].assert_eq(&out);
}

/// Returns what `cfg check` reports about a program, and what `cfg eval` reports if the former reports nothing, or with `both`
/// if it reports something else.
fn reported(program: &str, ending: &str, both: bool) -> String {
    let eval = Action::Eval { at: None, format: Format::Json };
    let mut shown: Vec<String> = Vec::new();
    for action in [Action::Check(cfg_core::CheckOptions { strict: true, ..cfg_core::CheckOptions::default() }), eval] {
        let files = parts(program, ending);
        let main = PathBuf::from(&files[0].0);
        let files: InMemory = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let mut request = Request::new(vec![Input::File(main)], action);
        request.options.max_stack = Some(FRAMES);
        let outcome = Session::new(Box::new(files)).run(request);
        let reports: Vec<String> = outcome.reports.iter().map(|(_, report)| report.text()).collect();
        let report = reports.join("\n");
        if !report.is_empty() && !shown.contains(&report) {
            shown.push(report);
        }
        if !both && !shown.is_empty() {
            break;
        }
    }
    shown.iter().map(|report| format!("{report}\n")).collect::<Vec<_>>().join("-- eval\n")
}

#[test]
fn yaml() {
    check("yaml");
    check("yaml-more");
}

#[test]
fn json() {
    check("json");
}

#[test]
fn toml() {
    check("toml");
}

#[test]
fn cfg() {
    check("cfg");
    check("cfg-more");
    check("cfg-both");
}

#[test]
fn jsonnet() {
    check("jsonnet");
    check("jsonnet-more");
    check("jsonnet-both");
}

#[test]
fn yay() {
    check("yay");
    check("yay-more");
}

#[test]
fn mcl() {
    check("mcl");
    check("mcl-more");
}

/// The codes of warnings and notes that programs of the files have.
const WARNINGS: &[&str] = &[
    "data/duplicate-key",
    "data/leading-zero",
    "data/merge-key",
    "data/no-space",
    "data/other-value",
    "init/unknown-field",
    "scope/hides",
    "syntax/dollar",
    "syntax/joined-objects",
    "syntax/keys-in-loop",
    "syntax/never-equal",
    "syntax/open-text",
    "syntax/quotes",
    "syntax/tab",
    "types/call",
    "types/changes-type",
    "types/conflict",
    "types/extends-nothing",
    "types/names-itself",
    "types/refused",
    "value/no-element",
];

/// `cfg why` answers about every warning, and so does `:why` after the program as an input.
#[test]
fn why_answers_about_every_warning() {
    let mut codes: Vec<String> = Vec::new();
    let mut silent: Vec<String> = Vec::new();
    for (file, ending, _) in FILES {
        let (_, text) = text_of(file);
        for (name, program) in programs(&text) {
            let parts = parts(program, ending);
            let files: InMemory = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            let input = || vec![Input::File(PathBuf::from(&parts[0].0))];
            let check = Request::new(input(), Action::Check(CheckOptions::default()));
            let outcome = Session::new(Box::new(files.clone())).run(check);
            let has_error = outcome.reports.iter().any(|(severity, _)| *severity == Severity::Error);
            let warnings = outcome.reports.iter().filter(|(severity, _)| *severity != Severity::Error);
            let found: Vec<String> = warnings.filter_map(|(_, report)| code(&report.text())).collect();
            if has_error || found.is_empty() {
                codes.extend(found);
                continue;
            }
            codes.extend(found);
            let why = Action::Why { path: None, step: None, medium: Medium::Text };
            let mut session = Session::new(Box::new(files.clone()));
            let answer = session.run(Request::new(input(), why)).output.text();
            if answer.is_empty() || answer.contains("no type error") {
                silent.push(format!("{file}: {name}: cfg why: {answer}"));
            }
            if ["cfg", "jsonnet", "yay", "mcl"].contains(&ending) && parts.len() == 1 {
                let mut session = Session::new(Box::new(files));
                let warns = |event: &Event| matches!(event, Event::Diagnostic { .. });
                let events = session.submit(&format!("%%{ending}\n{program}"));
                let answer: String = session.submit(":why").iter().map(answer_text).collect();
                if events.iter().any(warns) && (answer.is_empty() || answer.contains("no type error")) {
                    silent.push(format!("{file}: {name}: :why: {answer}"));
                }
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
    codes.sort();
    codes.dedup();
    assert_eq!(codes, WARNINGS);
}

fn answer_text(event: &Event) -> String {
    match event {
        Event::Answer(text) | Event::View { text, .. } => text.text(),
        _ => String::new(),
    }
}

/// Returns the code of a report: the last brackets of its first line.
fn code(report: &str) -> Option<String> {
    let (_, rest) = report.lines().next()?.rsplit_once(" [")?;
    rest.strip_suffix(']').map(String::from)
}

/// Returns everything that the command line prints for a request.
fn printed(files: &[(&str, &str)], inputs: Vec<Input>, action: Action) -> String {
    let files: InMemory = files.iter().copied().collect();
    let mut request = Request::new(inputs, action);
    request.options.max_stack = Some(FRAMES);
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
fn the_command_line_mentions_no_command_of_the_prompt() {
    let mut all: Vec<(String, String)> = Vec::new();
    for (file, ending, _) in FILES {
        for (_, program) in programs(&text_of(file).1) {
            let main = parts(program, ending).swap_remove(0);
            all.push((main.0, main.1.trim_end().to_string()));
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
    all.extend(texts.map(|text| (String::from("x.cfg"), String::from(text))));
    let long: String = (0..60).map(|i| format!("{{ a | priority {i} = {i} }} & ")).collect();
    all.push((String::from("x.cfg"), format!("{long}{{}}")));
    let mut wrong = Vec::new();
    let mut hints = 0;
    for (name, program) in &all {
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

/// Each program has a grade in `messages/grades.txt`, and the mean of each file is above 2.7.
#[test]
fn every_message_has_a_grade() {
    let (_, grades) = text_of("grades");
    let lines: Vec<&str> = grades.lines().filter(|line| !line.starts_with('#')).collect();
    let mut count = 0;
    for (file, ..) in FILES {
        let (_, text) = text_of(file);
        let names: Vec<&str> = programs(&text).map(|(name, _)| name).collect();
        let mut sum = 0;
        for name in &names {
            let begin = format!("{file}: {name}: ");
            let found: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix(&begin)).collect();
            let [grade] = found.as_slice() else { panic!("{begin}{} grades", found.len()) };
            sum += grade.chars().next().and_then(|c| c.to_digit(10)).unwrap();
            // a grade below the best has a reason
            assert!(*grade == "3" || grade.len() > 4, "{begin}{grade}");
        }
        let mean = f64::from(sum) / names.len() as f64;
        assert!(mean > 2.7, "{file}: {mean:.2}");
        count += names.len();
    }
    assert_eq!(lines.len(), count);
}
