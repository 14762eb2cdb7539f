//! Undo and redo: `:undo`, `:redo`, `:history`, `:save`.

use super::{check, run, shown};
use cfg_core::{InMemory, Session};
use expect_test::expect;
use std::path::Path;

#[test]
fn undo_and_redo_are_exact() {
    check(
        &[
            "x = 1",
            "y = x + 1",
            "y",
            "x = 2",
            "y",
            ":undo 2",
            "y",
            ":undo",
            "y",
            ":undo 3",
            ":undo",
            ":redo 2",
            "y",
            ":redo",
            ":undo 9",
            "y",
            ":undo x",
        ],
        expect![[r#"
            > x = 1
            x : Number
            > y = x + 1
            y : Number
            > y
            2 : Number
            > x = 2
            x : Number
            > y
            3 : Number
            > :undo 2
            undone: x = 2
            undone: y = x + 1
            also undone: 2 inputs that defined nothing
            x : Number
            y is no longer bound
            > y
            error: unbound name `y` [scope/unbound] --> cfg[6]:1:1
            > :undo
            undone: x = 1
            x is no longer bound
            > y
            error: unbound name `y` [scope/unbound] --> cfg[7]:1:1
            > :undo 3
            nothing to undo
            > :undo
            nothing to undo
            > :redo 2
            redone: x = 1
            redone: y = x + 1
            also redone: 1 input that defined nothing
            x : Number
            y : Number
            > y
            2 : Number
            > :redo
            undone first: 1 input that defined nothing
            redone: x = 2
            also redone: 1 input that defined nothing
            x : Number
            > :undo 9
            undone: x = 2
            undone: y = x + 1
            undone: x = 1
            also undone: 2 inputs that defined nothing
            x is no longer bound
            y is no longer bound
            only 3 inputs could be undone
            > y
            error: unbound name `y` [scope/unbound] --> cfg[9]:1:1
            > :undo x
            error: `:undo` takes a number of inputs, from 1 [command/usage] = help: usage: :undo [N]
        "#]],
    );
}

#[test]
fn redo_survives_expressions_and_undo_passes_over_them() {
    check(
        &[
            "1 + 1", ":undo", "x = 1", "x", "x = 2", "x", "x + 1", ":undo", "x", "it", "[x, $4]", ":history", ":redo",
            "[x, $6]", "$7", ":history", ":undo 2", "1 + 2", ":undo", ":redo 9", "x", ":undo", "$3", ":undo", ":redo",
            ":undo", "y = 5", ":redo", ":undo 9", ":redo 9",
        ],
        expect![[r#"
            > 1 + 1
            2 : Number
            > :undo
            nothing to undo: no input in effect defined anything
            > x = 1
            x : Number
            > x
            1 : Number
            > x = 2
            x : Number
            > x
            2 : Number
            > x + 1
            3 : Number
            > :undo
            undone: x = 2
            also undone: 2 inputs that defined nothing
            x : Number
            > x
            1 : Number
            > it
            1 : Number
            > [x, $4]
            error: unbound name `$4` [scope/unbound] --> cfg[9]:1:5
            > :history
            1  1 + 1
            2  x = 1
            3  x
            7  x
            8  it
            4  x = 2  undone
            5  x      undone
            6  x + 1  undone
            > :redo
            undone first: 2 inputs that defined nothing
            redone: x = 2
            also redone: 2 inputs that defined nothing
            x : Number
            > [x, $6]
            [2, 3] : Array Number
            > $7
            error: unbound name `$7` [scope/unbound] --> cfg[11]:1:1
            > :history
            1   1 + 1
            2   x = 1
            3   x
            4   x = 2
            5   x
            6   x + 1
            10  [x, $6]
            > :undo 2
            undone: x = 2
            undone: x = 1
            also undone: 4 inputs that defined nothing
            x is no longer bound
            > 1 + 2
            3 : Number
            > :undo
            nothing to undo: no input in effect defined anything
            > :redo 9
            undone first: 1 input that defined nothing
            redone: x = 1
            redone: x = 2
            also redone: 4 inputs that defined nothing
            x : Number
            only 2 inputs could be redone
            > x
            2 : Number
            > :undo
            undone: x = 2
            also undone: 4 inputs that defined nothing
            x : Number
            > $3
            1 : Number
            > :undo
            undone: x = 1
            also undone: 2 inputs that defined nothing
            x is no longer bound
            > :redo
            redone: x = 1
            also redone: 1 input that defined nothing
            x : Number
            > :undo
            undone: x = 1
            also undone: 1 input that defined nothing
            x is no longer bound
            > y = 5
            y : Number
            > :redo
            nothing to redo
            > :undo 9
            undone: y = 5
            y is no longer bound
            only 1 input could be undone
            > :redo 9
            redone: y = 5
            y : Number
            only 1 input could be redone
        "#]],
    );
}

#[test]
fn a_name_has_a_history() {
    check(
        &[
            ":diff",
            "x = { a = 1 }",
            "x = x & { b = 2 }",
            "x = 3",
            "1 + nope",
            "x",
            ":diff",
            ":diff 9",
            ":history x",
            ":history x.a",
            ":undo",
            ":history",
            ":history z",
            ":reset",
            "x",
            ":undo",
            "x",
            ":diff 1",
            ":reset",
            ":diff 1",
        ],
        expect![[r#"
            > :diff
            nothing is bound: nothing to compare; `:diff A B` compares two values
            > x = { a = 1 }
            x : { a : Number }
            > x = x & { b = 2 }
            x : { a : Number, b : Number }
            > x = 3
            x : Number
            > 1 + nope
            error: unbound name `nope` [scope/unbound] --> cfg[4]:1:5
            > x
            3 : Number
            > :diff
            no definition has changed since cell 4
            > :diff 9
            error: there is no cell 9 yet: the last one is 5 [command/usage] = help: usage: :diff A B | N [M]
            > :history x
            1  x = { a = 1 }      { a : Number }              read by the next
            2  x = x & { b = 2 }  { a : Number, b : Number }
            3  x = 3              Number                      now
            > :history x.a
            error: a name has a history, and its fields have that: `:history x` [command/usage] = help: usage: :history [NAME]
            > :undo
            undone: x = 3
            also undone: 1 input that defined nothing
            x : { a : Number, b : Number }
            > :history
            1  x = { a = 1 }
            2  x = x & { b = 2 }
            3  x = 3              undone
            5  x                  undone
            > :history z
            error: no name `z` was defined: `:history` alone lists the inputs [command/usage] = help: usage: :history [NAME]
            > :reset
            nothing is bound any more
            > x
            error: unbound name `x` [scope/unbound] --> cfg[6]:1:1
            > :undo
            undone: :reset
            > x
            { a = 1, b = 2 } : { a : Number, b : Number }
            > :diff 1
            + x.b  2                                          cfg[2]:1:15
            1 different, 1 field same
            > :reset
            nothing is bound any more
            > :diff 1
            - x  { a = 1 }                                    cfg[1]:1:1
            1 different, 0 fields same
        "#]],
    );
}

#[test]
fn a_saved_session_loads_to_the_same_state() {
    let files = InMemory::default();
    files.put("app.cfg", "{ port = 80, host = \"a\" }");
    let mut session = Session::new(Box::new(files.clone()));
    run(
        &mut session,
        &[
            ":load app.cfg",
            "nope",
            "x = { a = port }",
            "x = x & { b = 2 }",
            "%%jsonnet\nlocal j = x + { c: 'c' }",
            "1 + 1",
            "x.a",
            "gone = 1",
            ":undo",
            "z = $5 + it",
            ":save s.session",
            ":save app.cfg",
        ],
    );
    let asked = ["x", "j", "z", "$5", "it", ":query x.b", ":env", ":history x", ":history"];
    let mut again = Session::new(Box::new(files));
    assert_eq!(
        run(&mut again, &[":load s.session"]),
        "> :load s.session\nhost : String\nport : Number\nx : { a : Number }\nx : { a : Number, b : Number }\n\
         j ∈ {a ∈ number, b ∈ number, c ∈ string}\nz : Number\n"
    );
    assert_eq!(run(&mut again, &asked), run(&mut session, &asked));
    run(&mut again, &[":undo 6"]);
    assert_eq!(run(&mut again, &[":env"]), "> :env\nno names except `std`\n");
}

#[test]
fn words_with_a_meaning_keep_it_in_a_saved_session() {
    let files = InMemory::default();
    let mut session = Session::new(Box::new(files.clone()));
    run(
        &mut session,
        &[
            "s = { d | default = 1, w | when (d == 1) = 1, m | merge std.merge.append = [], pw | secret = \"x\" }",
            "n = { a | Num = 3, b : List Str = [] }",
            ":save s.session",
        ],
    );
    let mut again = Session::new(Box::new(files));
    run(&mut again, &[":load s.session"]);
    let asked = ["s", "n", ":type s", ":type n", "s & { m = [2] }"];
    let answers = run(&mut again, &asked);
    assert!(!answers.contains("unbound"), "{answers}");
    assert_eq!(answers, run(&mut session, &asked));
}

#[test]
fn a_saved_session_keeps_user_commands_and_their_results() {
    let files = InMemory::default();
    let mut session = Session::new(Box::new(files.clone()));
    run(
        &mut session,
        &[
            ":set ext-str env=prod",
            "1",
            ":def keys = std.record.fields",
            ":keys { a = 1, b = 2 }",
            "first = std.array.first $2",
            ":def keys = std.record.values",
            ":reset",
            ":undo",
            ":save s.session",
        ],
    );
    let mut again = Session::new(Box::new(files.clone()));
    let expected = "> :load s.session\nfirst : String\n";
    assert_eq!(run(&mut again, &[":load s.session"]), expected);
    let asked = ["first", "$2", ":def", ":keys { a = 3 }", ":set ext-str"];
    assert_eq!(run(&mut again, &asked), run(&mut session, &asked));
    // an empty session has options, and a file of the configuration has them too
    run(&mut session, &[":reset", ":save empty.session"]);
    let mut empty = Session::new(Box::new(files));
    run(&mut empty, &[":load empty.session"]);
    let asked = [":def", ":set ext-str", ":env"];
    assert_eq!(run(&mut empty, &asked), run(&mut session, &asked));
}

/// The answer to a question after some inputs, over two files in folders that are not looked at by themselves.
fn after(inputs: &[&str], question: &str) -> String {
    let files = [("one/q.cfg", "{ v = 1 }"), ("two/q.cfg", "{ v = 2 }"), ("d.cfg", "{ x | force = 1 }")];
    let mut session = Session::new(Box::new(files.into_iter().collect::<InMemory>()));
    run(&mut session, inputs);
    shown(session.submit(question))
}

#[test]
fn options_that_programs_read_are_undone_and_done_again() {
    let import = "(import \"q.cfg\").v";
    let missing = "error: no file `q.cfg` [import/not-found] --> cfg[1]:1:2";
    let external = "std.extVar('x')";
    let nothing_given = "error: undefined external variable: x [value/undefined] --> jsonnet[1]:1:1";
    let cases: [(&[&str], &str, &str, &str, &str); 9] = [
        (&[], ":set jpath one", import, missing, "1 : Number"),
        (&[":set jpath one"], ":set jpath two", import, "1 : Number", "2 : Number"),
        (&[], ":set import-path one", import, missing, "1 : Number"),
        (&[":set import-path one"], ":set import-path two", import, "1 : Number", "1 : Number"),
        (&[":dialect jsonnet"], ":set ext-str x=1", external, nothing_given, "\"1\" : string"),
        (&[":dialect jsonnet", ":set ext-str x=1"], ":set ext-code x=2", external, "\"1\" : string", "2 : number"),
        (
            &[],
            ":def k = fun x => { k = x }",
            ":k 1",
            "error: no command `:k` [command/unknown] = help: did you mean `:type 1`?",
            "{ k = 1 } : { k : Number }",
        ),
        (
            &[":def k = fun x => { k = x }"],
            ":def k = fun x => [x]",
            ":k 1",
            "{ k = 1 } : { k : Number }",
            "[1] : Array Number",
        ),
        (
            &[":def k = fun x => { k = x }"],
            ":def k =",
            ":k 1",
            "{ k = 1 } : { k : Number }",
            "error: no command `:k` [command/unknown] = help: did you mean `:type 1`?",
        ),
    ];
    for (first, set, question, without, with) in cases {
        let ask = |more: &[&str]| after(&[first, more].concat(), question);
        assert_eq!(ask(&[]), without, "before {set}");
        assert_eq!(ask(&[set]), with, "{set}");
        assert_eq!(ask(&[set, ":undo"]), without, "{set}, undone");
        assert_eq!(ask(&[set, ":undo", ":redo"]), with, "{set}, redone");
    }
}

#[test]
fn an_undone_option_shows_the_value_and_the_origin_it_had() {
    // the value, and where it was set, without what the option does
    let cells = |inputs: &[&str], name: &str| {
        let mut session = Session::new(Box::new(InMemory::default()));
        session.configure(Path::new("cfg.toml"), "jpath = [\"file\"]\nimport-path = [\"here\"]\n");
        run(&mut session, inputs);
        let answer = shown(session.submit(&format!(":set {name}")));
        answer
            .split("  ")
            .filter(|cell| !cell.is_empty())
            .take(3)
            .map(|cell| cell.trim().to_string())
            .collect::<Vec<_>>()
    };
    for (set, name, before, after) in [
        (":set jpath lib", "jpath", ["file", "cfg.toml:1"], ["file:lib", ":set"]),
        (":set import-path lib", "import-path", ["here", "cfg.toml:2"], ["here:lib", ":set"]),
    ] {
        assert_eq!(cells(&[], name)[1..], before, "before {set}");
        assert_eq!(cells(&[set], name)[1..], after, "{set}");
        assert_eq!(cells(&[set, ":undo"], name)[1..], before, "{set}, undone");
        assert_eq!(cells(&[set, ":undo", ":redo"], name)[1..], after, "{set}, redone");
    }
    for (set, name) in [(":set tla-str x=1", "tla-str"), (":set ext-code x=1", "ext-code")] {
        assert_eq!(cells(&[set, ":undo"], name)[..2], [name, "none"], "{set}, undone");
    }
}

#[test]
fn options_stay_when_everything_is_forgotten() {
    let import = "(import \"q.cfg\").v";
    assert_eq!(after(&[":set jpath one", "x = 1", ":reset"], import), "1 : Number");
    assert_eq!(after(&[":set jpath one", ":reset", ":undo 2"], ":set jpath")[..14].trim_end(), "jpath  none");
}

#[test]
fn a_note_that_is_told_once_is_told_again_when_its_input_is_undone() {
    let told = "note: `+` ignores priorities: the right definition of `x` is used [types/priority-ignored]";
    let inputs = [":dialect jsonnet", "local d = import 'd.cfg'", "local p = d + { x: 2 }"];
    let note = |more: &[&str]| {
        let answer = after(&[&inputs[..], more].concat(), "local q = d + { x: 3 }");
        answer.lines().map(|line| line.starts_with(told)).collect::<Vec<_>>()
    };
    assert_eq!(note(&[]), [false], "it was told of the first one");
    assert_eq!(note(&[":undo"]), [true, false], "nobody was told of it any more");
    assert_eq!(note(&[":undo", ":redo"]), [false], "told again with the input");
    assert_eq!(note(&[":reset", inputs[1]]), [true, false], "a new beginning");
    assert_eq!(note(&[":reset", ":undo"]), [false], "back from the new beginning");
}

#[test]
fn an_unbound_name_that_was_undone_can_come_back() {
    let mut session = Session::new(Box::new(InMemory::default()));
    run(&mut session, &["x = 1", ":undo"]);
    let report = |session: &mut Session, input: &str| {
        let events = session.submit(input);
        events
            .iter()
            .map(
                |event| {
                    if let cfg_core::Event::Diagnostic { report, .. } = event { report.text() } else { String::new() }
                },
            )
            .collect::<String>()
    };
    let text = report(&mut session, "x");
    assert!(text.contains("`:redo` brings back `x`, which was undone"), "{text}");
    run(&mut session, &[":redo"]);
    assert!(!report(&mut session, "y").contains(":redo"));
}

#[test]
fn the_history_fits_the_page() {
    let mut session = Session::new(Box::new(InMemory::default()));
    session.set_width(60);
    run(
        &mut session,
        &["base = { name = \"a long text that does not fit\", other = \"next to the number of the input\" }", ":undo"],
    );
    let text = run(&mut session, &[":history"]);
    assert!(text.lines().skip(1).all(|line| line.chars().count() <= 60) && text.lines().count() == 2, "{text}");
}
