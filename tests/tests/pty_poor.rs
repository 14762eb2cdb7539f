//! The prompt on terminals with few features.
use cfg_tests::terminal::{Setup, Terminal, key};

/// Returns the number of escape sequences that the terminal received.
fn escapes(cfg: &Terminal) -> usize {
    cfg.raw().matches('\x1b').count()
}

#[test]
fn a_dumb_terminal_gets_plain_lines() {
    for term in [Some("dumb"), None] {
        let home = tempfile::tempdir().unwrap();
        let cfg = Terminal::start(home.path(), &Setup { term, answers: false, ..Setup::default() });
        cfg.prompt(1);
        cfg.line("{ a = 1,");
        cfg.wait("the next line", |screen| screen.lines().last().is_some_and(|line| line.trim() == "."));
        cfg.line("b = 2 }.b");
        cfg.prompt(2);
        cfg.sees("\n2 : Number\n");
        cfg.send(key::CTRL_D);
        assert_eq!(escapes(&cfg), 0, "{:?}", cfg.raw());
        assert_eq!(cfg.end(), 0);
    }
}

#[test]
fn ctrl_c_at_a_dumb_prompt_cancels_the_line() {
    let home = tempfile::tempdir().unwrap();
    let cfg = Terminal::start(home.path(), &Setup { term: Some("dumb"), answers: false, ..Setup::default() });
    cfg.prompt(1);
    cfg.line("{ a = 1,");
    cfg.wait("the next line", |screen| screen.lines().last().is_some_and(|line| line.trim() == "."));
    cfg.send("b = ").send(key::CTRL_C);
    cfg.prompt(1);
    cfg.line("2");
    cfg.prompt(2);
    cfg.sees("\n2 : Number\n");
}

#[test]
fn ctrl_c_stops_an_evaluation_at_a_dumb_terminal() {
    let home = tempfile::tempdir().unwrap();
    let cfg = Terminal::start(home.path(), &Setup { term: Some("dumb"), answers: false, ..Setup::default() });
    cfg.prompt(1);
    cfg.line("let rec f = fun n => f (n + 1) in f 0");
    cfg.insist(key::CTRL_C, 2);
    cfg.sees("interrupted");
}

#[test]
fn a_terminal_that_never_answers_gets_a_line_editor_all_the_same() {
    let home = tempfile::tempdir().unwrap();
    let silent = Setup { answers: false, ..Setup::default() };
    let cfg = Terminal::start(home.path(), &silent);
    cfg.prompt(1);
    cfg.send("+ 1").send(key::CTRL_A).line("41 ");
    cfg.prompt(2);
    cfg.sees("\n42 : Number\n");
    cfg.send(key::CTRL_D);
    assert_eq!(cfg.end(), 0);
    // both editors share the history
    let cfg = Terminal::start(home.path(), &Setup::default());
    cfg.prompt(1);
    cfg.send(key::UP);
    cfg.sees("cfg[1]> 41 + 1");
}

#[test]
fn text_typed_before_a_plain_prompt_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let cfg = Terminal::start(home.path(), &Setup { answers: false, ..Setup::default() });
    cfg.line("20 + 1").send("20 + 3");
    cfg.sees("\n21 : Number\n");
    cfg.sees("cfg[2]> 20 + 3");
}
