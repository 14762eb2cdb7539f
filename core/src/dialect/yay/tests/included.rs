//! Guards around an `include`: which keys there are depends on the guard.

use super::{json_of, ran};
use crate::session::{Action, Format};

const FILES: &[(&str, &str)] = &[
    ("two.yay", "a: 2"),
    ("b.yay", "b: 2"),
    ("c.yay", "c: {{ b }}"),
    ("more.yay", "extend l:\n  - 2"),
    ("deep.yay", "d:\n  a: 2"),
];

fn with(text: &str) -> Vec<(&str, &str)> {
    FILES.iter().copied().chain([("main.yay", text)]).collect()
}

fn report(text: &str, at: Option<&str>) -> String {
    ran(&with(text), Action::Eval { at: at.map(String::from), format: Format::Json })
}

#[test]
fn a_guard_whose_included_layer_changes_what_it_reads_is_a_paradox() {
    let changed = "paradox: the guard changed from True to False: `a` changed from 1 to 2";
    for (text, parts) in [
        ("a: 1\nif a == 1:\n  include 'two.yay'", vec![changed, "main.yay:2:4", "main.yay:1:4", "two.yay:1:4"]),
        // a value that is computed from it
        (
            "a: 1\nb: {{ a }}\nif b == 1:\n  include 'two.yay'",
            vec!["`b` changed from 1 to 2, `a` changed from 1 to 2", "main.yay:1:4", "two.yay:1:4"],
        ),
        // a path that is computed
        ("a: 1\nf: two.yay\nif a == 1:\n  include f", vec![changed, "main.yay:1:4", "two.yay:1:4"]),
        // a part of a dictionary
        (
            "d:\n  a: 1\nif d.a == 1:\n  include 'deep.yay'",
            vec!["`d.a` changed from 1 to 2", "main.yay:2:6", "deep.yay:2:6"],
        ),
        // another branch
        (
            "a: 1\nif a == 2:\n  x: 1\nelif a == 1:\n  include 'two.yay'",
            vec!["changed from False to True: `a` changed from 1 to 2", "main.yay:2:4", "main.yay:1:4", "two.yay:1:4"],
        ),
        ("a: 1\nselect a:\n  1:\n    include 'two.yay'\n  2:\n    x: 1", vec![changed, "main.yay:2:8", "two.yay:1:4"]),
        // a key beside the file
        (
            "f: two.yay\nif f == 'two.yay':\n  include f\n  f: b.yay",
            vec!["`f` changed from \"two.yay\" to \"b.yay\"", "main.yay:1:4", "main.yay:4:6"],
        ),
        // the value is not a scalar
        ("l:\n  - 1\nif len(l) == 1:\n  include 'more.yay'", vec!["paradox", "main.yay:3:4"]),
        // a `set`
        ("a: 1\nset s = a\nif s == 1:\n  include 'two.yay'", vec!["paradox", "main.yay:3:4"]),
    ] {
        let out = report(text, None);
        for part in parts {
            assert!(out.contains(part), "{part}\n{text}\n{out}");
        }
    }
    // the keys of the document depend on the guard, so that each of them fails
    for at in ["a", "other"] {
        let out = report("a: 1\nother: 5\nif a == 1:\n  include 'two.yay'", Some(at));
        assert!(out.contains(changed), "{at}: {out}");
    }
}

#[test]
fn a_guard_around_a_file_reads_the_document_without_the_file() {
    for (text, expected) in [
        ("a: 1\nif a == 1:\n  include 'b.yay'", r#"{"a":1,"b":2}"#),
        ("a: 3\nif a == 1:\n  include 'two.yay'", r#"{"a":3}"#),
        ("a: 2\nif a == 2:\n  include 'two.yay'", r#"{"a":2}"#),
        // a layer above it
        ("a: 1\nif a == 1:\n  include 'b.yay'\na: 3", r#"{"a":3}"#),
        ("b: {{ a }}\na: 3\nif b == 1:\n  include 'c.yay'\na: 1", r#"{"a":1,"b":1,"c":1}"#),
        ("if x:\n  include 'b.yay'\nx: 1", r#"{"b":2,"x":1}"#),
        ("select x:\n  1:\n    include 'b.yay'\n  2:\n    include 'two.yay'\nx: 1", r#"{"b":2,"x":1}"#),
        // a file in a guarded block reads what is around the block
        ("f: b.yay\nif 1:\n  include f", r#"{"b":2,"f":"b.yay"}"#),
        ("set s = 1\nif s:\n  include 'b.yay'\n  if b == 2:\n    include 'c.yay'", r#"{"b":2,"c":2}"#),
        ("a: 1\nif a == 1:\n  if a == 1:\n    include 'b.yay'\nelse:\n  include 'two.yay'", r#"{"a":1,"b":2}"#),
        // a file that does not count is not read
        ("a: 1\nif a == 2:\n  include 'nothing.yay'", r#"{"a":1}"#),
    ] {
        assert_eq!(json_of(&with(text)), expected, "{text}");
    }
}

#[test]
fn a_guard_inside_a_dictionary_reads_the_layers_below_it() {
    let changed = "paradox: the guard changed from True to False: `a` changed from 1 to 2";
    for (text, parts) in [
        (
            "x:\n  a: 1\n  if x.a == 1:\n    include 'two.yay'",
            vec![changed, "main.yay:3:6", "main.yay:2:6", "two.yay:1:4"],
        ),
        ("x:\n  a: 1\n  if here.a == 1:\n    include 'two.yay'", vec![changed, "main.yay:3:6", "main.yay:2:6"]),
        ("x:\n  y:\n    a: 1\n    if x.y.a == 1:\n      include 'two.yay'", vec![changed, "main.yay:4:8"]),
        (
            "x:\n  a: 1\n  select x.a:\n    1:\n      include 'two.yay'\n    2:\n      b: 1",
            vec![changed, "main.yay:3:10"],
        ),
        // a predecessor of the dictionary
        ("x:\n  a: 1\nx:\n  b: 1\n  if x.a == 1:\n    include 'two.yay'", vec![changed, "main.yay:5:6"]),
    ] {
        let out = report(text, None);
        for part in parts {
            assert!(out.contains(part), "{part}\n{text}\n{out}");
        }
    }
    for (text, expected) in [
        ("x:\n  a: 1\n  if x.a == 1:\n    include 'b.yay'", r#"{"x":{"a":1,"b":2}}"#),
        ("x:\n  a: 3\n  if here.a == 1:\n    include 'two.yay'\n  else:\n    c: 1", r#"{"x":{"a":3,"c":1}}"#),
        ("x:\n  a: 1\nx:\n  if x.a == 1:\n    include 'b.yay'", r#"{"x":{"a":1,"b":2}}"#),
        ("m: 1\nx:\n  if m == 1:\n    include 'b.yay'\n  a: 5", r#"{"m":1,"x":{"a":5,"b":2}}"#),
        ("x:\n  if here.a == 5:\n    include 'b.yay'\n  a: 5", r#"{"x":{"a":5,"b":2}}"#),
    ] {
        assert_eq!(json_of(&with(text)), expected, "{text}");
    }
}

#[test]
fn a_wrong_part_is_reported_once_though_it_is_lowered_again() {
    let text = "if x:\n  include 'b.yay'\nx: 1\nw: {{ range('a') }}\nv: {{ x.y }}";
    let out = ran(&with(text), Action::Check(crate::CheckOptions { strict: true, ..crate::CheckOptions::default() }));
    assert_eq!(out.matches("--> ").count(), 2, "{out}");
}
