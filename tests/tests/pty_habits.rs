//! Habits from other prompts: IPython's `x?`, GHCi's `:!`, node's `.exit`, and sessions copied with their prompts.
#![cfg(unix)]

use cfg_tests::terminal::{Setup, Terminal, key};
use std::path::Path;

fn open(folder: &Path) -> Terminal {
    let terminal = Terminal::start(folder, &Setup::default());
    terminal.prompt(1);
    terminal
}

#[test]
fn a_question_mark_asks_about_a_name() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("let x = { a = 1 }");
    cfg.prompt(2);
    cfg.line("x.a?");
    cfg.sees("x.a : Number");
    cfg.line("x.a??");
    cfg.sees("x.a = 1 : Number");
    cfg.line("%time x.a");
    cfg.sees("evaluated");
}

#[test]
fn the_shell_runs_and_its_output_is_in_place() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line(":!echo $((6 * 7)) is seen; exit 3");
    cfg.sees("\n42 is seen\nexit status: 3\ncfg[1]>");
    cfg.line(":clear");
    cfg.wait("an empty screen", |screen| screen.trim_end() == "cfg[1]>");
}

#[test]
fn a_copied_session_is_entered_again() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.paste("cfg[1]> x = 1\nx : Number\ncfg[2]> y = {\n       …   a = x,\n       … }\ny : { a : Number }")
        .send(key::ENTER);
    cfg.prompt(3);
    cfg.line("y.a + 41");
    cfg.sees("\n42 : Number\n");
    assert!(!cfg.text().contains("error"), "{}", cfg.text());
}

#[test]
fn the_exit_commands_of_other_prompts_work_here() {
    for word in ["exit", "quit()", ".exit", "\\q"] {
        let home = tempfile::tempdir().unwrap();
        let cfg = open(home.path());
        cfg.line(word);
        assert_eq!(cfg.end(), 0, "{word}");
    }
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("exit = 5");
    cfg.prompt(2);
    cfg.line("exit");
    cfg.sees("\n5 : Number\n");
}
