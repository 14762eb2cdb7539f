//! `cfg learn`: lessons through a pipe and on terminals.

use cfg_lessons::{Lesson, Part};
use cfg_tests::binary::{cfg, run_command};
use cfg_tests::terminal::{Setup, Terminal, key};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Runs `cfg learn` with inputs from a pipe; the folder also holds the progress.
fn learn(folder: &Path, args: &[&str], input: &str) -> String {
    let mut command = Command::new(cfg());
    command
        .arg("learn")
        .args(args)
        .current_dir(folder)
        .env("CFG_HISTORY", folder.join("history"))
        .env_remove("NO_COLOR");
    let ran = run_command(command, input, Duration::from_secs(60)).unwrap();
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    ran.out
}

/// Returns the lines between a line and a later one.
fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("no {from:?} in\n{text}"));
    rest.split_once(to).unwrap_or_else(|| panic!("no {to:?} in\n{rest}")).0
}

#[test]
fn a_lesson_is_played_through_a_pipe() {
    let home = tempfile::tempdir().unwrap();
    let out = learn(home.path(), &["2"], ":next\n1 + 1\n:next\n");
    assert!(out.starts_with("\nMerging and priorities  (lesson 2 of 8)\n----------------------\n\n- Goal: "), "{out}");
    assert!(!out.contains('\u{1b}') && !out.contains("**"), "{out}");
    // the cell to predict is shown, then the learner tries something else, then it runs
    let parts = [
        "\n1. Different fields  (step 1 of 26)\n-------------------\n",
        "> let network = { host = \"localhost\", port = 8080 }\n",
        "\nPredict. These two records",
        "\n> :steps network & logging\n\n`:next` runs it\n2\n",
        "step 1 of 1: network & logging",
        "\nRule. A merge has the fields of both sides.\n",
        "\n`:next` goes on\n",
    ];
    let mut rest = out.as_str();
    for part in parts {
        assert!(rest.contains(part), "no {part:?} in\n{rest}");
        rest = rest.split_once(part).unwrap().1;
    }
}

#[test]
fn a_lesson_of_the_user_is_played() {
    let home = tempfile::tempdir().unwrap();
    let text = "# Merging by hand\n\n- **Goal:** You can merge\n\n## First\n\nTwo records merge:\n\n\
                ```cfg\nlet a = { x | default = 1 } & { x = 2 }\n```\n\n```cfg answer\na.x\n```\n\n\
                ```cfg exercise\n```\n\n```cfg check\n:check b == 3\n```\n\n```cfg solution\nlet b = 3\n```\n";
    std::fs::write(home.path().join("mine.md"), text).unwrap();
    let out = learn(home.path(), &["mine.md"], ":next\n:next\nlet b = 3\n:check\n");
    assert!(out.contains("Merging by hand  (lesson 9 of 9)") && out.contains("First  (step 1 of 1)"), "{out}");
    assert!(out.contains("> a.x\n") && out.contains("\n2\n") && out.contains("passed"), "{out}");
    let mut command = Command::new(cfg());
    command.args(["learn", "no.md"]).current_dir(home.path());
    let missing = run_command(command, "", Duration::from_secs(60)).unwrap();
    assert!(missing.err.contains("no.md: "), "{}", missing.err);
}

#[test]
fn a_lesson_continues_where_it_stopped() {
    let home = tempfile::tempdir().unwrap();
    let first = learn(home.path(), &["merging"], ":next\n:next\n:next\n");
    assert!(first.contains("2. Records inside records  (step 2 of "), "{first}");
    // a name of the first step is bound again
    let again = learn(home.path(), &[], "network.port\n");
    assert!(again.contains("Lessons\n") && again.contains("Merging and priorities  "), "{again}");
    assert!(again.contains("You stopped at this step.") && again.ends_with("`:next` runs it\n8080\n"), "{again}");
    assert!(between(&again, "Lessons", "You stopped").contains("step 2 of "), "{again}");
    let restarted = learn(home.path(), &["2", "--restart"], "");
    assert!(!restarted.contains("You stopped") && restarted.contains("- Goal: "), "{restarted}");
    let list = learn(home.path(), &["--list"], "");
    assert_eq!(list.lines().filter(|line| line.ends_with("  new")).count(), 7, "{list}");
}

#[test]
fn without_a_history_nothing_is_remembered() {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(cfg());
    command.args(["learn", "2"]).current_dir(home.path()).env("CFG_HISTORY", "").env("HOME", home.path());
    let ran = run_command(command, ":next\n", Duration::from_secs(60)).unwrap();
    assert_eq!(ran.code, Some(0));
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn an_exercise_is_checked_with_hint_and_solution() {
    let home = tempfile::tempdir().unwrap();
    // the progress is a file, so the test begins at the exercises
    std::fs::write(home.path().join("history-lessons"), "01-types 27 - begun\n").unwrap();
    let out = learn(
        home.path(),
        &["1"],
        ":check\nlet double = fun n => n + 4\n:check\n:hint\n:solution\nlet double = fun n => n + n\n:check\n:lessons\n",
    );
    assert!(out.contains("Exercises  (step 27 of 27)"), "{out}");
    assert!(
        out.contains("not yet: double 4\n  expected  8\n  found     nothing: unbound name `double`\n  hint "),
        "{out}"
    );
    assert!(out.contains("not yet: double 0\n  expected  0\n  found     4\n"), "{out}");
    assert!(out.contains("\nHint: A function is written"), "{out}");
    assert!(out.contains("\n> let double = fun n => n * 2\n"), "{out}");
    assert!(out.contains("\nSolved: exercise 1.\n"), "{out}");
    assert!(out.contains("step 27 of 27, 1 of 5 exercises\n"), "{out}");
    let stored = std::fs::read_to_string(home.path().join("history-lessons")).unwrap();
    assert_eq!(stored, "01-types 27 1 begun\n");
}

#[test]
fn lessons_bring_their_files() {
    let home = tempfile::tempdir().unwrap();
    let out = learn(home.path(), &["5"], ":next\n:next\n");
    assert!(out.contains("address : String") && !out.contains("file not found"), "{out}");
    assert!(!home.path().join("deployment").exists());
}

#[test]
fn a_lesson_that_does_not_exist_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    for wanted in ["0", "9", "nothing"] {
        let mut command = Command::new(cfg());
        command.args(["learn", wanted]).current_dir(home.path());
        let ran = run_command(command, "", Duration::from_secs(20)).unwrap();
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains(&format!("no lesson `{wanted}`")) && ran.err.contains("--list"), "{}", ran.err);
    }
}

/// Starts a lesson on a terminal.
fn open(home: &Path, args: &[&str], setup: Setup) -> Terminal {
    let args = std::iter::once("learn").chain(args.iter().copied()).map(String::from).collect();
    Terminal::start(home, &Setup { args, size: (40, setup.size.1), ..setup })
}

#[test]
fn enter_goes_on_and_the_prompt_is_whole() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path(), &["2"], Setup::default());
    cfg.prompt(1);
    cfg.sees("[Enter] next step");
    cfg.send(key::ENTER);
    cfg.sees("[Enter] run it");
    // names of the lesson are completed, and so are its commands
    cfg.send("network.po").send(key::TAB);
    cfg.sees("> network.port");
    cfg.send(key::ENTER);
    cfg.sees("\n8080 : Number\n");
    cfg.send(":sol").send(key::TAB);
    cfg.sees("> :solution");
    cfg.send(key::ENTER);
    cfg.sees("There is no exercise here.");
    cfg.line(":help");
    cfg.sees(":solution  one way to solve the exercise");
    cfg.line(":quit");
    assert_eq!(cfg.end(), 0);
}

#[test]
fn an_interrupt_ends_the_cell_and_not_the_lesson() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path(), &["2"], Setup::default());
    cfg.prompt(1);
    cfg.line("let rec f = fun n => f (n + 1) in f 0");
    cfg.sees("Ctrl-C stops it");
    cfg.insist(key::CTRL_C, 2);
    cfg.sees("[value/interrupted]");
    cfg.line(":next");
    cfg.sees("1. Different fields  (step 1 of 26)");
    cfg.send(key::ENTER);
    cfg.sees("step 1 of 1: network & logging");
    cfg.line(":quit");
    assert_eq!(cfg.end(), 0);
}

#[test]
fn an_interrupted_cell_of_the_lesson_runs_again() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path(), &["2"], Setup::default());
    cfg.prompt(1);
    cfg.line(":next");
    cfg.sees("[Enter] run it");
    cfg.line("let network = let rec f = fun n => f (n + 1) in f 0");
    cfg.sees("network : ");
    cfg.send(key::ENTER);
    cfg.sees("Ctrl-C stops it");
    cfg.insist(key::CTRL_C, 4);
    cfg.sees("[value/interrupted]");
    cfg.sees("[Enter] runs it again");
    cfg.line("let network = { host = \"a\" }");
    cfg.sees("network : { host : String }");
    cfg.send(key::ENTER);
    cfg.sees("step 1 of 1: network & logging");
    cfg.sees("Rule. A merge has the fields of both sides.");
    cfg.line(":quit");
    assert_eq!(cfg.end(), 0);
}

/// Returns the inputs of somebody who plays a lesson to its end and solves its exercises.
fn played(lesson: &Lesson) -> String {
    let mut out = String::new();
    for (number, step) in lesson.steps.iter().enumerate() {
        if number > 0 {
            out.push_str(":next\n");
        }
        let mut running = false;
        for (at, part) in step.parts.iter().enumerate() {
            match part {
                Part::Prose(_) => running = false,
                Part::Cell { is_answer, .. } => {
                    if *is_answer && !running {
                        out.push_str(":next\n");
                        running = true;
                    }
                }
                Part::Exercise(exercise) => {
                    out.push_str(&format!("{}\n\n:check\n", exercise.solution));
                    if at + 1 < step.parts.len() {
                        out.push_str(":next\n");
                    }
                    running = false;
                }
            }
        }
    }
    out + ":next\n"
}

#[test]
fn every_lesson_is_played_to_its_end() {
    let home = tempfile::tempdir().unwrap();
    let lessons = Lesson::all();
    for (number, lesson) in (1..).zip(&lessons) {
        let mut command = Command::new(cfg());
        command.args(["learn", &number.to_string()]).current_dir(home.path());
        command.env("CFG_HISTORY", home.path().join("history")).env_remove("NO_COLOR");
        let ran = run_command(command, &played(lesson), Duration::from_secs(60)).unwrap();
        let all = lesson.exercises().count();
        let end = format!("You solved {all} of {all} exercises.");
        let words = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&end), "{}: no {end:?} in\n{}\n{}", lesson.name, ran.out, ran.err);
    }
    let list = learn(home.path(), &["--list"], "");
    assert_eq!(list.lines().filter(|line| line.contains("finished")).count(), lessons.len(), "{list}");
}

#[test]
fn an_exercise_on_a_terminal_is_remembered() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join("cfg")).unwrap();
    let file = home.path().join("cfg/history-lessons");
    std::fs::write(&file, "01-types 27 - begun\n").unwrap();
    let cfg = open(home.path(), &[], Setup::default());
    cfg.sees("type your solution, then `:check`");
    cfg.line("let double = fun n => n + n");
    cfg.sees("double : Number -> Number");
    cfg.line(":check");
    cfg.sees("Solved: exercise 1.");
    // the prompt reads keys again
    cfg.prompt(28);
    cfg.send(key::CTRL_D);
    assert_eq!(cfg.end(), 0);
    assert_eq!(std::fs::read_to_string(file).unwrap(), "01-types 27 1 begun\n");
}

#[test]
fn lessons_fit_on_terminals_of_every_kind() {
    for (term, width, env) in [
        (Some("xterm-256color"), 60, Vec::new()),
        (Some("xterm-256color"), 120, vec![("NO_COLOR", String::from("1"))]),
        (Some("xterm-256color"), 80, vec![("COLORFGBG", String::from("0;15"))]),
        (Some("dumb"), 60, Vec::new()),
    ] {
        let home = tempfile::tempdir().unwrap();
        let answers = term != Some("dumb");
        let plain = !answers || !env.is_empty() && env[0].0 == "NO_COLOR";
        let cfg = open(home.path(), &["2"], Setup { term, answers, size: (40, width), env, ..Setup::default() });
        cfg.sees("[Enter] next step");
        cfg.send(key::ENTER);
        let screen = cfg.sees("[Enter] run it");
        assert!(screen.contains("Predict. These two records"), "{screen}");
        let coloured = cfg.raw().contains("\u{1b}[1mPredict");
        assert_eq!(coloured, !plain, "{term:?} {width}");
        cfg.line(":quit");
        assert_eq!(cfg.end(), 0);
    }
}

#[test]
fn no_output_of_a_lesson_depends_on_a_secret() {
    let inputs = "p = { k | secret = \"§\", url = \"http://%{k}@h/\", n = 1 }\np\np.url\np.k & 1\n:explain p.url\n\
                  :steps p & { k | force = \"§\" }\n:graph p\n:core { k | secret = \"§\" }\n:next\n:check p.n == 1\n";
    let long = "qZ7wXj9vKp2mRt5yHs8dGf4bNc6lTq3xWqZ1pLm0aYw4kBz8nVj2qJf6";
    let shown = ["vB8kQ", long].map(|secret| {
        let home = tempfile::tempdir().unwrap();
        learn(home.path(), &["2"], &inputs.replace('§', secret))
    });
    assert!(shown[0].contains("<secret>"), "{}", shown[0]);
    assert_eq!(shown[0], shown[1]);
    assert!(long.as_bytes().windows(4).all(|part| !shown[1].contains(&*String::from_utf8_lossy(part))), "{}", shown[1]);
}
