//! Typing at the prompt: history, brackets, mistakes, several lines, jobs.
#![cfg(unix)]

use cfg_tests::terminal::{Setup, Terminal, key};
use std::path::Path;

fn open(folder: &Path) -> Terminal {
    let terminal = Terminal::start(folder, &Setup::default());
    terminal.prompt(1);
    terminal
}

/// Starts a session and types these inputs.
fn typed(folder: &Path, inputs: &[&str]) -> Terminal {
    let cfg = open(folder);
    for (number, input) in (2..).zip(inputs) {
        cfg.line(input);
        cfg.prompt(number);
    }
    cfg
}

fn is_red(cell: &vt100::Cell) -> bool {
    cell.fgcolor() == vt100::Color::Idx(1) && cell.underline()
}

#[test]
fn up_finds_entries_with_the_same_beginning() {
    let home = tempfile::tempdir().unwrap();
    let cfg = typed(home.path(), &["let a = 1", "1 + 1", "let b = 2", "2 + 2"]);
    cfg.send("let").send(key::UP);
    cfg.last("cfg[5]> let b = 2");
    cfg.send(key::UP);
    cfg.last("cfg[5]> let a = 1");
    cfg.send(key::DOWN);
    cfg.last("cfg[5]> let b = 2");
    cfg.send(key::DOWN);
    cfg.wait("the line as it was typed", |screen| screen.lines().last().is_some_and(|l| l.starts_with("cfg[5]> let")));
}

#[test]
fn an_input_that_was_typed_twice_is_found_once() {
    let home = tempfile::tempdir().unwrap();
    let cfg = typed(home.path(), &["1", "2", "1"]);
    cfg.send(key::UP).send(key::UP).send(key::UP).line(" + 40");
    cfg.prompt(5);
    cfg.sees("\n42 : Number\n");
}

#[test]
fn two_sessions_at_once_lose_nothing() {
    let home = tempfile::tempdir().unwrap();
    let (one, two) = (open(home.path()), open(home.path()));
    for (number, sum) in [(2, "100 + 1"), (3, "100 + 2")] {
        one.line(sum);
        one.prompt(number);
        two.line(&sum.replace("100", "200"));
        two.prompt(number);
    }
    drop((one, two));
    let cfg = open(home.path());
    for (found, last) in [("200 + 2", "202"), ("100 + 2", "102"), ("200 + 1", "201"), ("100 + 1", "101")] {
        cfg.send(key::CTRL_R).send(&found[..3]).send(&found[3..]);
        cfg.sees(&format!("(search `{found}`) {found}"));
        cfg.send(key::ENTER);
        cfg.wait(last, |screen| screen.lines().last().is_some_and(|line| line.ends_with(&format!("> {found}"))));
        cfg.send(key::CTRL_C);
        cfg.prompt(1);
    }
}

#[test]
fn a_search_goes_on_back_is_left_and_is_taken() {
    let home = tempfile::tempdir().unwrap();
    let cfg = typed(home.path(), &["10 + 1", "10 + 2", "3"]);
    cfg.send("kept").send(key::CTRL_R).send("10");
    cfg.last("cfg[4] (search `10`) 10 + 2");
    cfg.send(key::CTRL_R);
    cfg.last("cfg[4] (search `10`) 10 + 1");
    cfg.send("x");
    cfg.last("cfg[4] (no match for `10x`)");
    cfg.send(key::ESC);
    cfg.last("cfg[4]> kept");
    cfg.send(key::CTRL_R).send("10");
    cfg.last("cfg[4] (search `10`) 10 + 2");
    cfg.send(key::LEFT);
    cfg.last("cfg[4]> 10 + 2");
    cfg.line("0");
    cfg.prompt(5);
    cfg.sees("\n30 : Number\n");
}

#[test]
fn the_bracket_at_the_cursor_and_its_partner_are_marked_until_enter() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.send("[(1 + 2)");
    cfg.sees_styled("(", vt100::Cell::underline);
    cfg.sees_styled(")", vt100::Cell::underline);
    cfg.sees_styled("[", |cell| !cell.underline());
    cfg.send("]");
    cfg.sees_styled("[", vt100::Cell::underline);
    cfg.sees_styled("(", |cell| !cell.underline());
    cfg.send(key::ENTER);
    cfg.prompt(2);
    cfg.sees_styled("[(1 + 2)]", |cell| !cell.underline());
}

#[test]
fn certain_errors_are_underlined_and_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.send("{ a = [1, 2 } ");
    cfg.sees_styled("}", is_red);
    cfg.send(key::CTRL_C);
    cfg.prompt(1);
    cfg.send("{ a = if x then \"b");
    cfg.sees_styled("\"b", |cell| cell.fgcolor() == vt100::Color::Idx(2));
    cfg.sees_styled("{ a = if x then \"b", |cell| !is_red(cell));
    // a mark disappears when the error is fixed
    cfg.send(key::CTRL_C);
    cfg.prompt(1);
    cfg.send("1 + )");
    cfg.sees_styled(")", is_red);
    cfg.send(key::BACKSPACE).send("2");
    cfg.sees("1 + 2");
    cfg.sees_styled("1 + 2", |cell| !is_red(cell));
}

#[test]
fn lines_are_indented_by_open_brackets_and_unindented_by_closing_ones() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.send("{").send(key::ENTER);
    cfg.cursor_in(10);
    cfg.send("a = [").send(key::ENTER);
    cfg.cursor_in(12);
    cfg.send("1").send(key::ENTER);
    cfg.cursor_in(12);
    cfg.send("]");
    cfg.last("      …   ]");
    cfg.send(key::ENTER);
    cfg.cursor_in(10);
    cfg.send(key::TAB);
    cfg.cursor_in(12);
    cfg.send(key::BACKSPACE);
    cfg.cursor_in(10);
    cfg.send("}");
    cfg.last("      … }");
    cfg.send(key::ENTER);
    cfg.prompt(2);
    cfg.sees("\n{ a = [1] } : { a : Array Number }\n");
}

#[test]
fn ctrl_z_stops_the_job_and_fg_brings_the_line_back() {
    let home = tempfile::tempdir().unwrap();
    let shell = Terminal::start(home.path(), &Setup { shell: true, ..Setup::default() });
    shell.last("shell:");
    shell.line("$CFG");
    shell.prompt(1);
    shell.send("20 + 1");
    shell.last("cfg[1]> 20 + 1");
    shell.send(key::CTRL_Z);
    shell.last("shell:");
    shell.line("echo $((6*7))");
    shell.sees("\n42\n");
    shell.line("fg");
    shell.last("cfg[1]> 20 + 1");
    shell.line("0");
    shell.prompt(2);
    shell.sees("\n30 : Number\n");
    // an evaluation, too
    shell.line("let rec f = fun n => f (n + 1) in f 0");
    shell.wait("the end of the input", |screen| screen.lines().last().is_some_and(|line| line.ends_with("f 0")));
    shell.insist_until(key::CTRL_Z, "shell:");
    shell.line("fg");
    shell.insist(key::CTRL_C, 3);
    shell.sees("interrupted");
}

#[test]
fn characters_that_are_wide_or_made_of_several_keep_their_places() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.send("\"日本");
    cfg.cursor_in(13);
    cfg.send("e\u{301}\"");
    cfg.cursor_in(15);
    cfg.send(key::LEFT).send(key::LEFT).send(key::LEFT);
    cfg.cursor_in(11);
    cfg.send(key::BACKSPACE).send("字").send(key::ENTER);
    cfg.prompt(2);
    cfg.sees("\n\"字本e\u{301}\" : String\n");
}

#[test]
fn a_narrow_terminal_wraps_and_completes() {
    let home = tempfile::tempdir().unwrap();
    let cfg = Terminal::start(home.path(), &Setup { size: (24, 20), ..Setup::default() });
    cfg.prompt(1);
    cfg.line("r = { alpha_beta = 1, gamma = 2 }");
    cfg.prompt(2);
    cfg.sees("\nr : {\n  alpha_beta : Numbe");
    cfg.send("r.").send(key::TAB);
    cfg.wait("both fields", |screen| screen.contains("\nalpha_beta") && screen.contains("\ngamma"));
    cfg.line("gamma");
    cfg.prompt(3);
    cfg.sees("\n2 : Number\n");
}

#[test]
fn a_window_that_grows_and_shrinks_keeps_a_line_that_wraps() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    let sum = (1..=30).map(|n| n.to_string()).collect::<Vec<_>>().join(" + ");
    cfg.send(&sum);
    cfg.sees("29 + 30");
    for (rows, cols) in [(10, 30), (40, 120), (24, 80)] {
        cfg.resize(rows, cols);
        cfg.send("0");
        cfg.wait("the digit typed", |screen| screen.replace('\n', "").contains("29 + 300"));
        cfg.send(key::BACKSPACE);
        cfg.wait("it is gone", |screen| screen.replace('\n', "").trim_end().ends_with("29 + 30"));
    }
    cfg.send(key::ENTER);
    cfg.prompt(2);
    cfg.sees("\n465 : Number\n");
}

#[test]
fn keys_typed_together_with_escape_keep_their_order() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line(":set editing vi");
    cfg.prompt(1);
    // the queries to the terminal are over: an answer after an Escape would be another key
    cfg.send("l");
    cfg.cursor_in(9);
    cfg.send("et abc = 1\x1b");
    cfg.last("cfg[1]: let abc = 1");
    cfg.send("0");
    cfg.cursor_in(8);
    cfg.send("wcwxyz").send(key::ENTER);
    cfg.prompt(2);
    cfg.sees("\nxyz : Number\n");
}

#[test]
fn a_line_given_up_in_the_normal_mode_of_vi_leaves_the_next_in_insert_mode() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line(":set editing vi");
    cfg.prompt(1);
    cfg.send("let a");
    cfg.last("cfg[1]> let a");
    cfg.send(key::ESC);
    cfg.last("cfg[1]: let a");
    cfg.send(key::CTRL_C);
    cfg.prompt(1);
    cfg.line("std.number.max 41 42");
    cfg.sees("\n42 : Number\n");
}

#[test]
fn a_long_paste_is_folded_and_runs_completely() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    let items: String = (0..100_000).map(|n| format!("{n},\n")).collect();
    cfg.send("std.array.length ");
    cfg.paste(&format!("[\n{items}]"));
    cfg.last("cfg[1]> std.array.length ⟦text 1: 100002 lines, 672 KB⟧");
    // one key deletes all of it
    cfg.send(key::BACKSPACE);
    cfg.last("cfg[1]> std.array.length");
    cfg.paste(&format!("[\n{items}]"));
    cfg.last("cfg[1]> std.array.length ⟦text 1: 100002 lines, 672 KB⟧");
    cfg.line(" + 1");
    cfg.prompt(2);
    cfg.sees("\n100001 : Number\n");
    cfg.send(key::UP);
    cfg.last("cfg[2]> std.array.length ⟦text 1: 100002 lines, 672 KB⟧ + 1");
}

#[test]
fn the_users_editor_edits_the_line() {
    let home = tempfile::tempdir().unwrap();
    let editor = vec![("EDITOR", String::from("sed -i s/1/41/"))];
    let cfg = Terminal::start(home.path(), &Setup { env: editor, ..Setup::default() });
    cfg.prompt(1);
    cfg.send("1 + 1").send(key::CTRL_O);
    cfg.last("cfg[1]> 41 + 1");
    cfg.send(key::ENTER);
    cfg.prompt(2);
    cfg.sees("\n42 : Number\n");
}

/// The line and the session stay. The file that held the line is gone.
#[test]
fn an_editor_that_cannot_be_used_leaves_the_line_and_says_what_to_do() {
    let home = tempfile::tempdir().unwrap();
    for (editor, said) in [
        ("nosuch-editor", "the editor `nosuch-editor` cannot be started"),
        ("false", "the editor `false` failed"),
        ("", "Ctrl-O edits the line in the program that `VISUAL` or `EDITOR` names"),
    ] {
        let env = vec![("EDITOR", String::from(editor)), ("VISUAL", String::new())];
        let cfg = Terminal::start(home.path(), &Setup { env, ..Setup::default() });
        cfg.prompt(1);
        cfg.line("important = 41");
        cfg.prompt(2);
        cfg.send("important + 1").send(key::CTRL_O);
        cfg.sees(said);
        cfg.last("cfg[2]> important + 1");
        cfg.send(key::ENTER);
        cfg.prompt(3);
        cfg.sees("\n42 : Number\n");
    }
}

#[test]
fn a_slash_in_the_normal_mode_of_vi_searches_the_history() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("one = 41");
    cfg.prompt(2);
    cfg.line(":set editing vi");
    cfg.prompt(2);
    cfg.send(key::ESC);
    cfg.last("cfg[2]:");
    cfg.send("/");
    cfg.sees("search");
    cfg.send("one");
    cfg.sees("one = 41");
    cfg.send(key::ENTER);
    cfg.last("cfg[2]> one = 41");
    cfg.send(key::ESC);
    cfg.last("cfg[2]: one = 41");
    cfg.send("x");
    cfg.last("cfg[2]: one = 4");
    cfg.send("u");
    cfg.last("cfg[2]: one = 41");
    // a character that another command takes
    cfg.send("r/");
    cfg.last("cfg[2]: one = 4/");
}

#[test]
fn a_paste_without_brackets_takes_linear_time() {
    for answers in [true, false] {
        let home = tempfile::tempdir().unwrap();
        let cfg = Terminal::start(home.path(), &Setup { answers, ..Setup::default() });
        cfg.prompt(1);
        let fields: String = (0..1500).map(|n| format!("  field{n} = {n},\r")).collect();
        let before = cfg.raw().len();
        cfg.send(&format!("r = {{\r{fields}}}\r"));
        cfg.prompt(2);
        cfg.line("r.field1499 + 1");
        cfg.prompt(3);
        cfg.sees("\n1500 : Number\n");
        // how often the screen is drawn depends on how the keys arrive, at most once a line; an editor that draws the whole text
        // for each line writes 14 KB a line here
        let written = cfg.raw().len() - before;
        assert!(written < 1500 * 3000, "{written} bytes for 1500 lines");
        // several inputs, of which none is lost
        let inputs: String = (0..300).map(|n| format!("n{n} = {n}\r")).collect();
        cfg.send(&inputs).line("n0 + n299");
        cfg.sees("299 : Number\n");
    }
}

#[test]
fn the_mode_of_vi_is_seen() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line(":set editing vi");
    cfg.prompt(1);
    cfg.send("ab");
    cfg.last("cfg[1]> ab");
    cfg.send(key::ESC);
    cfg.last("cfg[1]: ab");
    cfg.send("i");
    cfg.last("cfg[1]> ab");
}

#[test]
fn an_error_stream_that_is_no_terminal_does_not_hide_the_line() {
    let home = tempfile::tempdir().unwrap();
    let shell = Terminal::start(home.path(), &Setup { shell: true, ..Setup::default() });
    shell.last("shell:");
    shell.line("$CFG 2>/dev/null");
    shell.prompt(1);
    shell.send("1 + 1");
    shell.last("cfg[1]> 1 + 1");
    shell.send(key::ENTER);
    shell.prompt(2);
    shell.sees("\n2 : Number\n");
}

#[test]
fn a_closed_pipe_ends_the_session_and_errors_set_the_exit_code() {
    let home = tempfile::tempdir().unwrap();
    let shell = Terminal::start(home.path(), &Setup { shell: true, ..Setup::default() });
    shell.last("shell:");
    shell.line("(echo 1 + 1; echo 2 + 2; echo 3 + 3) | $CFG repl | head -1; echo ended");
    shell.sees("\n2\nended\n");
    shell.line("echo '[1' | $CFG repl; echo code $?");
    shell.sees("code 1");
}

#[test]
fn a_narrow_terminal_folds_tables_and_breaks_reports_between_words() {
    let home = tempfile::tempdir().unwrap();
    let cfg = Terminal::start(home.path(), &Setup { size: (60, 30), ..Setup::default() });
    cfg.prompt(1);
    cfg.line("1 + \"a\"");
    let screen = cfg.prompt(2);
    assert!(screen.contains("\nerror: expected Number,\n       found String\n"), "{screen}");
    cfg.line(":set theme");
    let screen = cfg.wait("the option", |screen| screen.contains("light)\ncfg[2]>"));
    assert!(screen.contains("\ntheme  auto\n  the background of the\n  terminal"), "{screen}");
}
