//! Progress of long inputs, and output longer than the screen.
#![cfg(unix)]

use cfg_tests::terminal::{Setup, Terminal, key};
use std::path::Path;

fn open(folder: &Path) -> Terminal {
    let terminal = Terminal::start(folder, &Setup::default());
    terminal.prompt(1);
    terminal
}

const ENDLESS: &str = "let rec f = fun n => f (n + 1) in f 0";

#[test]
fn a_long_input_shows_its_progress_and_removes_it() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line(ENDLESS);
    cfg.sees("evaluating  1 s  (Ctrl-C stops it)");
    cfg.sees("evaluating  2 s  (Ctrl-C stops it)");
    cfg.send(key::CTRL_C);
    let screen = cfg.prompt(2);
    assert!(screen.contains("interrupted") && !screen.contains("Ctrl-C stops"), "{screen}");
    // a quick input shows no progress
    cfg.line("1 + 1");
    cfg.prompt(3);
    assert_eq!(cfg.raw().matches("evaluating  1 s").count(), 1);
}

#[test]
fn program_output_appears_above_the_progress() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line(&format!("std.trace \"begun\" ({ENDLESS})"));
    cfg.sees("\nbegun\nevaluating");
    cfg.send(key::CTRL_C);
    cfg.prompt(2);
    let narrow = Terminal::start(home.path(), &Setup { size: (24, 20), ..Setup::default() });
    narrow.prompt(1);
    narrow.line(ENDLESS);
    narrow.sees("\nevaluating  1 s  (…");
    narrow.sees("\nevaluating  2 s  (…");
    assert!(!narrow.text().contains("1 s"), "{}", narrow.text());
}

#[test]
fn a_dumb_terminal_and_a_pipe_show_no_progress() {
    let home = tempfile::tempdir().unwrap();
    let dumb = Terminal::start(home.path(), &Setup { term: Some("dumb"), answers: false, ..Setup::default() });
    dumb.prompt(1);
    dumb.line(
        "std.array.length (std.array.generate (fun n => std.array.fold_left (+) n (std.array.range 0 1000)) 2000)",
    );
    dumb.prompt(2);
    dumb.sees("\n2000 : Number\n");
    assert!(!dumb.raw().contains('\x1b') && !dumb.raw().contains("Ctrl-C"), "{}", dumb.raw());
}

#[test]
fn a_type_that_is_wider_than_the_screen_is_laid_out() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    let fields: Vec<String> = (0..8).map(|n| format!("a_field_of_number_{n} = {n}")).collect();
    cfg.line(&format!("wide = {{ {} }}", fields.join(", ")));
    let screen = cfg.prompt(2);
    assert!(screen.contains("\nwide : {\n  a_field_of_number_0 : Number,\n  a_field"), "{screen}");
    cfg.line("narrow = { a = 1 }");
    cfg.prompt(3);
    cfg.sees("\nnarrow : { a : Number }\n");
}

#[test]
fn one_line_that_is_longer_than_the_screen_is_folded_with_its_size() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("std.string.join \"\" (std.array.replicate 100000 \"abcdefghij\")");
    let screen = cfg.prompt(2);
    assert!(screen.contains("… 976 KB in total: `:more` shows it"), "{screen}");
    cfg.line(":more");
    cfg.sees("1-23 of 12502 rows");
    cfg.send("G");
    cfg.sees("12480-12502 of 12502 rows");
    // a resize, and a key of the terminal
    cfg.resize(10, 40);
    cfg.sees("of 25002 rows");
    cfg.send(key::CTRL_C);
    cfg.prompt(2);
}

#[test]
fn nothing_to_offer_is_no_menu() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.send("nothing_like_it").send(key::TAB).send(" + 1");
    cfg.last("cfg[1]> nothing_like_it + 1");
    assert!(!cfg.raw().contains("NO RECORDS"));
}

#[test]
fn a_menu_of_many_shows_some_and_goes_round() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.send("std.array.").send(key::TAB);
    cfg.wait("ten rows and how many there are", |screen| {
        screen.lines().last().is_some_and(|line| line.starts_with("1 of ")) && screen.contains("Whether every element")
    });
    cfg.send(key::UP);
    cfg.wait("the last one", |screen| {
        screen.lines().last().and_then(|line| line.split_once(" of ")).is_some_and(|(n, all)| n == all)
    });
    cfg.send(key::DOWN).send(key::DOWN).send(key::ENTER);
    cfg.last("cfg[1]> std.array.all");
}

#[test]
fn expected_tags_are_offered_in_the_middle_of_a_line() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("let server = { mode | [| 'fast, 'slow |] = 'fast, port = 1 }");
    cfg.prompt(2);
    cfg.send("{ mode = 's } & server");
    for _ in 0.." } & server".len() {
        cfg.send(key::LEFT);
    }
    cfg.send(key::TAB);
    cfg.sees("cfg[2]> { mode = 'slow } & server");
}
