//! A name that is defined again: its earlier definition, and its dependents.

use super::check;
use expect_test::expect;

#[test]
fn a_redefinition_reads_its_predecessor() {
    check(
        &[
            "x = { a = 1 }",
            "x = x & { b = 2 }",
            "x = x & { c = x.b }",
            "x",
            "let rec f = fun n => if n == 0 then 0 else f (n - 1)",
            "f 3",
        ],
        expect![[r#"
            > x = { a = 1 }
            x : { a : Number }
            > x = x & { b = 2 }
            x : { a : Number, b : Number }
            > x = x & { c = x.b }
            x : { a : Number, b : Number, c : Number }
            > x
            { a = 1, b = 2, c = 2 } : { a : Number, b : Number, c : Number }
            > let rec f = fun n => if n == 0 then 0 else f (n - 1)
            f : Number -> Number
            > f 3
            0 : Number
        "#]],
    );
}

#[test]
fn what_depends_on_a_redefinition_follows() {
    check(
        &["x = 1", "y = x + 1", "z = { inner = y }", "z", "x = 10", "z", "x = \"ten\"", "z", "x = 2", "z"],
        expect![[r#"
            > x = 1
            x : Number
            > y = x + 1
            y : Number
            > z = { inner = y }
            z : { inner : Number }
            > z
            { inner = 2 } : { inner : Number }
            > x = 10
            x : Number
            > z
            { inner = 11 } : { inner : Number }
            > x = "ten"
            x : String
            error: expected Number, found String [types/conflict] --> cfg[2]:1:5
            > z
            { inner = <error: the left operand of `+` must be Number, but is String> } : { inner : Number }
            error: the left operand of `+` must be Number, but is String [value/type] --> cfg[2]:1:5
            > x = 2
            x : Number
            y no longer has an error
            > z
            { inner = 3 } : { inner : Number }
        "#]],
    );
}

#[test]
fn a_problem_of_several_definitions_is_reported_once() {
    check(
        &[
            "a = { x = 60 }",
            "chart = { x | Number }",
            "d = chart & a",
            "e = chart & a & { y = 1 }",
            "a = { x = \"61\" }",
        ],
        expect![[r#"
            > a = { x = 60 }
            a : { x : Number }
            > chart = { x | Number }
            chart : { x! : Number }
            > d = chart & a
            d : { x : Number }
            > e = chart & a & { y = 1 }
            e : { x : Number, y : Number }
            > a = { x = "61" }
            a : { x : String }
            error: `x` is String, its contract wants Number [types/conflict] --> cfg[5]:1:11
        "#]],
    );
}

#[test]
fn an_edit_deep_below_reaches_the_predecessors_too() {
    check(
        &["p = 1", "x = { a = p }", "x = x & { b = 2 }", "x", "p = \"s\"", "x"],
        expect![[r#"
        > p = 1
        p : Number
        > x = { a = p }
        x : { a : Number }
        > x = x & { b = 2 }
        x : { a : Number, b : Number }
        > x
        { a = 1, b = 2 } : { a : Number, b : Number }
        > p = "s"
        p : String
        changed: x : { a : String, b : Number }  (was { a : Number, b : Number })
        > x
        { a = "s", b = 2 } : { a : String, b : Number }
    "#]],
    );
}

#[test]
fn a_stale_result_is_marked() {
    check(
        &["x = 1", "y = x + 1", "y", "it", "x = 5", "it + 1", "z = $3", "x", "it", ":undo 2", "it"],
        expect![[r#"
        > x = 1
        x : Number
        > y = x + 1
        y : Number
        > y
        2 : Number
        > it
        2 : Number
        > x = 5
        x : Number
        > it + 1
        note: `$4` was computed before `x` was defined again [session/stale] --> cfg[6]:1:1
        3 : Number
        > z = $3
        note: `$3` was computed before `x` was defined again [session/stale] --> cfg[7]:1:5
        z : Number
        > x
        5 : Number
        > it
        5 : Number
        > :undo 2
        undone: z = $3
        undone: x = 5
        also undone: 3 inputs that defined nothing
        z is no longer bound
        x : Number
        > it
        2 : Number
    "#]],
    );
}

#[test]
fn metadata_of_a_result_does_not_change_with_later_definitions() {
    check(
        &[
            "base = { port | default = 80 }",
            "base & { host = \"h\" }",
            "base = { port | default = 8080 }",
            ":info $2.port",
        ],
        expect![[r#"
            > base = { port | default = 80 }
            base : { port : Number }
            > base & { host = "h" }
            { host = "h", port | default = 80 } : { host : String, port : Number }
            > base = { port | default = 8080 }
            base : { port : Number }
            > :info $2.port
            note: `$2` was computed before `base` was defined again [session/stale] --> :info:1:7
            $2.port : Number
            defined at cfg[1]:1:10: port | default = 80
            known so far: 80
        "#]],
    );
}
