//! There and back: `:undo`, `:redo`, `:history`, `:save`.

use super::{check, run};
use cfg_core::loader::InMemory;
use cfg_core::session::Session;
use expect_test::expect;

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
            undone: y
            undone: x = 2
            x : Number
            > y
            2 : Number
            > :undo
            undone: y
            > y
            2 : Number
            > :undo 3
            undone: y
            undone: y
            undone: y = x + 1
            y is not bound any more
            > :undo
            undone: x = 1
            x is not bound any more
            > :redo 2
            done again: x = 1
            done again: y = x + 1
            x : Number
            y : Number
            > y
            2 : Number
            > :redo
            nothing to do again
            > :undo 9
            undone: y
            undone: y = x + 1
            undone: x = 1
            y is not bound any more
            x is not bound any more
            > y
            error: unbound name `y` [scope/unbound] --> cfg[9]:1:1
            > :undo x
            error: how many inputs? a number from 1 [command/usage] = help: usage: :undo [N]
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
            ":undo 2",
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
            no name means something else than after cell 4
            > :diff 9
            there is no cell 9 yet: nothing to compare with
            > :history x
            1  x = { a = 1 }      { a : Number }              read by the next
            2  x = x & { b = 2 }  { a : Number, b : Number }
            3  x = 3              Number                      now
            > :history x.a
            error: a name has a history, and its fields have that: `:history x` [command/usage] = help: usage: :history [NAME]
            > :undo 2
            undone: x
            undone: x = 3
            x : { a : Number, b : Number }
            > :history
            1  x = { a = 1 }
            2  x = x & { b = 2 }
            3  x = 3              undone
            5  x                  undone
            > :history z
            error: nothing is known of `z` [path/nothing-there]
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
    assert_eq!(run(&mut again, &[":env"]), "> :env\nnothing is bound but `std`\n");
}

#[test]
fn a_saved_session_keeps_commands_of_ones_own_and_what_they_did() {
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
    // an empty session has its options, and a file of it has them too
    run(&mut session, &[":reset", ":save empty.session"]);
    let mut empty = Session::new(Box::new(files));
    run(&mut empty, &[":load empty.session"]);
    let asked = [":def", ":set ext-str", ":env"];
    assert_eq!(run(&mut empty, &asked), run(&mut session, &asked));
}
