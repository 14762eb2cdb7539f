//! The prompt on a terminal with full support.

use cfg_tests::terminal::{Setup, Terminal, key};
use std::path::Path;

fn open(folder: &Path) -> Terminal {
    let terminal = Terminal::start(folder, &Setup::default());
    terminal.prompt(1);
    terminal
}

#[test]
fn a_value_is_followed_by_its_type_dim_and_a_binding_shows_its_type() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("1 + 1");
    cfg.prompt(2);
    cfg.sees("\n2 : Number\n");
    cfg.sees_styled(" : Number", vt100::Cell::dim);
    cfg.line("let x = \"a\"");
    let screen = cfg.prompt(3);
    assert!(screen.contains("\nx : String\n"), "{screen}");
    cfg.send(key::CTRL_D);
    assert_eq!(cfg.end(), 0);
}

#[test]
fn an_incomplete_input_continues_on_the_next_line() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("{ a = 1,");
    cfg.wait("the next line", |screen| screen.lines().last().is_some_and(|line| line.trim() == "…"));
    cfg.line("b = 2 }.b");
    let screen = cfg.prompt(2);
    assert!(screen.contains("\n2 : Number\n"), "{screen}");
}

#[test]
fn tab_completes_through_the_inferred_type() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("let server = { port = 80, hostname = \"a\" }");
    cfg.prompt(2);
    cfg.send("server.po").send(key::TAB);
    cfg.sees("cfg[2]> server.port");
    cfg.send(key::ENTER);
    cfg.prompt(3);
    cfg.sees("\n80 : Number\n");
}

#[test]
fn a_menu_shows_types_and_does_not_take_a_later_enter() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("let r = { alpha = 1, beta = \"b\" }");
    cfg.prompt(2);
    cfg.send("r.").send(key::TAB);
    cfg.wait("both fields with their types", |screen| {
        let below: Vec<&str> = screen.lines().skip_while(|line| !line.starts_with("cfg[2]")).collect();
        below.iter().any(|line| line.contains("alpha") && line.contains("Number"))
            && below.iter().any(|line| line.contains("beta") && line.contains("String"))
    });
    cfg.line("beta");
    cfg.prompt(3);
    cfg.sees("\n\"b\" : String\n");
}

#[test]
fn ctrl_c_stops_a_running_evaluation_and_keeps_the_session() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("let kept = 42");
    cfg.prompt(2);
    cfg.line("let rec f = fun n => f (n + 1) in f 0");
    // the line editor has released the terminal, so the evaluation is running
    cfg.wait("the end of the input", |screen| screen.lines().last().is_some_and(|line| line.ends_with("f 0")));
    cfg.insist(key::CTRL_C, 3);
    cfg.sees("interrupted");
    cfg.line("kept");
    cfg.prompt(4);
    cfg.sees("\n42 : Number\n");
}

#[test]
fn ctrl_c_at_the_prompt_cancels_the_line() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.send("{ a = ");
    cfg.sees("{ a =");
    cfg.send(key::CTRL_C);
    cfg.prompt(1);
    cfg.line("2");
    cfg.prompt(2);
    cfg.sees("\n2 : Number\n");
}

#[test]
fn the_history_is_kept_for_the_next_session() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("40 + 2");
    cfg.prompt(2);
    cfg.line("{ a = 1,").line("}");
    cfg.prompt(3);
    cfg.send(key::CTRL_D);
    assert_eq!(cfg.end(), 0);
    let cfg = open(home.path());
    cfg.send(key::UP);
    cfg.sees("… }");
    cfg.send(key::UP).send(key::UP);
    cfg.sees("cfg[1]> 40 + 2");
    cfg.send(key::ENTER);
    cfg.prompt(2);
    cfg.sees("\n42 : Number\n");
}

#[test]
fn no_secret_is_in_the_history_of_the_next_session() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("p = { pw | secret | default = \"hunter2\" }");
    cfg.prompt(2);
    cfg.line("p.pw == \"hunter2\"");
    cfg.prompt(3);
    cfg.line("1 + 1");
    cfg.prompt(4);
    cfg.send(key::CTRL_D);
    assert_eq!(cfg.end(), 0);
    let cfg = open(home.path());
    cfg.send(key::UP);
    cfg.sees("cfg[1]> 1 + 1");
    cfg.send(key::UP).send(key::UP);
    cfg.send(key::ENTER);
    cfg.prompt(2);
    assert!(!cfg.text().contains("hunter2"), "{}", cfg.text());
}

#[test]
fn ctrl_r_searches_the_history() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("111 + 1");
    cfg.prompt(2);
    cfg.line("5");
    cfg.prompt(3);
    cfg.send(key::CTRL_R).send("111");
    cfg.sees("search");
    cfg.send(key::ENTER).send(key::ENTER);
    cfg.prompt(4);
    cfg.wait("the value twice", |screen| screen.matches("112 : Number").count() == 2);
}

#[test]
fn a_paste_of_several_lines_waits_for_enter_and_holds_no_keys() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.paste("{\r\n  a = 1,\x1b[2J\r\n}.a");
    cfg.sees("}.a");
    assert!(!cfg.text().contains(" : Number"), "a paste ran by itself");
    cfg.sees("cfg[1]> {");
    for _ in 0..6 {
        cfg.send(key::BACKSPACE);
    }
    cfg.send(key::CTRL_C);
    cfg.prompt(1);
    cfg.paste("{\n  a = 1,\n}.a").send(key::ENTER);
    cfg.prompt(2);
    cfg.sees("\n1 : Number\n");
}

#[test]
fn a_paste_is_split_into_its_inputs() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.paste("let a = 1\nlet b = {\n  c = a + 1\n}\n:type b\nnope\n{ d = 3 }\n  & { e = b.c }").send(key::ENTER);
    // Four cells and a command: an error in one does not affect the others.
    let screen = cfg.prompt(5);
    for part in ["\na : Number\n", "\n{ c : Number }\n", "unbound name `nope`", "\n{ d = 3, e = 2 } : "] {
        assert!(screen.contains(part), "{part:?} is not in\n{screen}");
    }
}

#[test]
fn text_typed_before_the_prompt_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let cfg = Terminal::start(home.path(), &Setup::default());
    cfg.line("20 + 1").line("20 + 2").send("20 + 3");
    cfg.wait("both values", |screen| screen.contains("\n21 : Number\n") && screen.contains("\n22 : Number\n"));
    cfg.sees("cfg[3]> 20 + 3");
}

#[test]
fn another_size_of_the_window_keeps_the_line() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.send("1 + 1");
    cfg.sees("cfg[1]> 1 + 1");
    cfg.resize(10, 40);
    cfg.send(" + 1").send(key::ENTER);
    cfg.prompt(2);
    cfg.sees("\n3 : Number\n");
}

#[test]
fn tokens_are_coloured_as_they_are_typed_and_not_where_no_colour_is_wanted() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.send("let x = \"abc\"");
    cfg.sees_styled("\"abc\"", |cell| cell.fgcolor() != vt100::Color::Default);
    let plain = Setup { env: vec![("NO_COLOR", "1".into())], ..Setup::default() };
    let cfg = Terminal::start(home.path(), &plain);
    cfg.prompt(1);
    cfg.line("\"abc\"");
    cfg.prompt(2);
    assert!(!cfg.raw().contains("\x1b[3"), "{:?}", cfg.raw());
}

#[test]
fn control_characters_of_a_value_are_shown_and_not_obeyed() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("\"a\\u{1b}[2Jb\"");
    cfg.prompt(2);
    let screen = cfg.text();
    assert!(screen.contains("cfg[1]>"), "the screen was cleared:\n{screen}");
}

#[test]
fn a_long_value_is_folded_and_shown_whole_on_request() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("std.array.range 1000 1400");
    let screen = cfg.prompt(2);
    assert!(screen.contains("cfg[1]>") && screen.contains(":more"), "{screen}");
    cfg.line(":more");
    cfg.sees("1-23 of 402 rows");
    assert!(!cfg.text().contains("cfg[1]>"), "{}", cfg.text());
    cfg.send("/1399").send(key::ENTER);
    cfg.sees("380-402 of 402 rows");
    cfg.send("q");
    let screen = cfg.prompt(2);
    assert!(screen.contains("cfg[1]>") && !screen.contains("of 402 rows"), "{screen}");
    cfg.line("1 + 1");
    cfg.prompt(3);
    cfg.sees("\n2 : Number\n");
}

#[test]
fn lines_typed_while_an_input_runs_are_run_after_it() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    // line ends as a terminal outside raw mode sends them, in one batch
    cfg.send("1 + 1\n{ a = 3,\n  b = 4 }.b\n5 +");
    cfg.wait("all three", |screen| screen.contains("\n2 : Number\n") && screen.contains("\n4 : Number\n"));
    cfg.sees("cfg[3]> 5 +");
}

#[test]
fn the_keys_can_be_those_of_vi() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line(":set editing vi");
    cfg.prompt(1);
    cfg.send("1 + 2");
    cfg.cursor_in(13);
    // with the next key, Escape would be another key, so its effect is awaited
    cfg.send(key::ESC);
    cfg.cursor_in(12);
    cfg.send("0").send("x").send("i").send("40").send(key::ENTER);
    cfg.prompt(2);
    cfg.sees("\n42 : Number\n");
}

#[test]
fn steps_are_stepped_through_forward_and_back() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("base = { port | default = 80, host = \"a\", url = \"%{host}:%{std.to_string port}\" }");
    cfg.prompt(2);
    cfg.line(":steps base & { port = 443 } & { port | force = 9443 }");
    cfg.sees("step 1 of 2: base & { port = 443 }");
    let screen = cfg.sees("[Enter] next  [/] field  [a]ll  [q]uit");
    assert!(screen.contains("port  80 default  &  443 normal  =>  443  normal beats default"), "{screen}");
    assert!(!screen.contains("step 2") && !screen.contains("host  \"a\""), "{screen}");
    cfg.send("a");
    cfg.sees("host  \"a\"  unchanged");
    cfg.send("a").send(key::ENTER);
    cfg.sees("step 2 of 2: (step 1) & { port | force = 9443 }");
    cfg.sees("result: 3 fields.");
    cfg.sees("[Enter] done  [b]ack");
    cfg.send("b");
    cfg.sees("[Enter] next");
    cfg.send("/url").send(key::ENTER);
    cfg.sees("only `url`");
    cfg.send("q");
    cfg.prompt(2);
    cfg.line("1 + 1");
    cfg.prompt(3);
    cfg.sees("\n2 : Number\n");
}

#[test]
fn steps_go_back_in_their_place_and_follow_the_width_of_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    let cfg = open(home.path());
    cfg.line("base = { port | default = 80, host = \"a\", url = \"%{host}:%{std.to_string port}\" }");
    cfg.prompt(2);
    cfg.line(":steps base & { port = 443 } & { port | force = 9443 }");
    let first = cfg.sees("[Enter] next  [/]");
    cfg.send(key::ENTER);
    cfg.sees("[Enter] done");
    cfg.send("b");
    // the screen is unchanged
    cfg.wait("the first page in its place", |screen| screen.trim_end() == first.trim_end());
    let wide = "port  80 default  &  443 normal  =>  443  normal beats default";
    assert!(first.contains(wide), "{first}");
    cfg.resize(24, 50);
    let screen = cfg.wait("the page laid out again", |screen| {
        screen.contains("\n[Enter] next") && screen.contains("\n        normal beats default")
    });
    // the text above is still there
    assert!(screen.contains("\nbase : { host : String"), "{screen}");
    assert!(!screen.contains(wide), "{screen}");
    assert_eq!(screen.matches("step 1 of 2").count(), 1, "{screen}");
    cfg.resize(24, 80);
    cfg.wait("and again", |screen| screen.contains(wide) && screen.contains("\nbase : { host : String"));
    cfg.send("q");
    cfg.prompt(2);
}
