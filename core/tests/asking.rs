//! Commands that look at what is known, without a terminal: inputs, each with `>` before it, and what came of it.

use cfg_core::loader::NoLoader;
use cfg_core::session::{Event, Session};

/// What a session says, line by line.
#[track_caller]
fn says(expected: &str) {
    let mut session = Session::new(Box::new(NoLoader));
    let mut out = String::new();
    for input in expected.lines().filter_map(|line| line.trim_start().strip_prefix("> ")) {
        out += &format!("> {input}\n");
        for event in session.submit(input) {
            let text = match event {
                Event::Value { value, .. } => value.text(),
                Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => text.text(),
                Event::Diagnostic { report, .. } => report.text().lines().next().unwrap_or("").to_string(),
                _ => String::new(),
            };
            out += &format!("{text}\n");
        }
    }
    let trimmed: String =
        expected.lines().map(str::trim_start).filter(|l| !l.is_empty()).map(|l| format!("{l}\n")).collect();
    let out: String = out.lines().map(|line| format!("{}\n", line.trim_start())).collect();
    assert_eq!(out, trimmed);
}

#[test]
fn what_is_known_of_a_value() {
    says(
        "> x = { a = 1 + 1, b = { c = 2 + 2, d = 3 } }
        x : { a : Number, b : { c : Number, d : Number } }
        > :sprint x
        _
        > x.b.c
        4
        > :sprint x
        { a = _, b = { c = 4, d = 3 } }
        > :sprint x.a
        _
        > :force x
        { a = 2, b = { c = 4, d = 3 } }
        > :sprint x
        { a = 2, b = { c = 4, d = 3 } }
        > :sprint x.nothing
        _
        > :sprint 1 + 1
        _",
    );
}

#[test]
fn forced_whole_means_defined_whole() {
    says(
        "> :force { a | Number, b = 1 }
        { a | Number, b = 1 }
        error: missing definition for `a` [value/missing-definition]",
    );
}

#[test]
fn holes_have_types_and_names_that_fit() {
    says(
        "> n = 1
        n : Number
        > s = \"text\"
        s : String
        > fun m => (1 + _x) * m
        error: unbound name `_x` [scope/unbound]
        > :holes
        _x : Number
        fits: m, n
        > :holes { a = _y ++ \"!\", b = n + _z }
        _y : String
        fits: a, s
        _z : Number
        fits: b, n
        > :holes 1 + 1
        no holes: a name that begins with `_` and is bound nowhere is one, as in `1 + _x`",
    );
}

#[test]
fn commands_of_ones_own() {
    says(
        "> :def keys = std.record.fields
        > :keys { a = 1, b = 2 }
        [\"a\", \"b\"]
        > :def ty = :type
        > :ty 1 + 1
        Number
        > :def
        :keys = std.record.fields
        :ty   = :type
        > :def a = :b
        > :def b = :a
        > :a
        error: these commands stand for each other in a circle [command/usage]
        > :def type = 1
        error: `:type` means something already [command/usage]
        > :def keys =
        > :def keys
        error: no command `:keys` [command/unknown]",
    );
}

#[test]
fn all_that_is_known_of_a_name() {
    says(
        "> let port | Number | doc \"the port\" = 80
        port : Number
        > x = port + 1
        x : Number
        > :info port
        port : Number
        defined at cfg[1]:1:5: port | Number | doc \"the port\" = 80
        contract: Number
        documentation: the port
        known so far: _
        read by: x
        > :info x
        x : Number
        defined at cfg[2]:1:1: x = port + 1
        known so far: _
        reads: port",
    );
}
