//! Wrong programs as beginners write them, with their messages. The files in `messages/` have one block for each program: a
//! line `## name`, the program, a line `--`, and what is reported. `UPDATE_EXPECT=1` writes the reports.

use cfg_core::{Action, Format, InMemory, Input, Request, Session};
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

/// Each program has a grade in `messages/grades.txt`, and the means of the languages that beginners write first are above 2.7.
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
        assert!(mean > 2.7 || language == "yay", "{language}: {mean:.2}");
        count += names.len();
    }
    assert_eq!(lines.len(), count);
}
