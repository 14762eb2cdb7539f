//! Wrong lines: each is reported at its place, and none of them drops the lines around it silently.

use super::{json, ran};
use crate::session::{Action, CheckOptions, Format};

fn report(text: &str) -> String {
    ran(&[("main.yay", text)], Action::Eval { at: None, format: Format::Json })
}

/// Returns the reports of `cfg check`. Problems of lines are found without evaluation.
fn check(text: &str) -> String {
    ran(&[("main.yay", text)], Action::Check(CheckOptions { strict: true, ..CheckOptions::default() }))
}

#[test]
fn a_line_that_is_not_a_key_is_reported_at_its_place() {
    for (text, parts) in [
        ("a: 1\nb 2\nc: 3", ["missing `:` between a key and its value", "main.yay:2:1", "write `b: value`"]),
        ("x:\n  b 2", ["missing `:` between a key and its value", "main.yay:2:3", "write `b: value`"]),
        ("a 1\nb: 2", ["missing `:` between a key and its value", "main.yay:1:1", "write `a: value`"]),
        ("x\n  a: 1\nb: 2", ["missing `:` between a key and its value", "main.yay:1:1", "write `x: value`"]),
        ("b: 2\nx\n  a: 1", ["missing `:` between a key and its value", "main.yay:2:1", "`x:` before indented lines"]),
        ("a: 1\nb:2\nc: 3", ["missing space after `:`", "main.yay:2:1", "write `b: 2`"]),
        ("a:1\nb: 2", ["missing space after `:`", "main.yay:1:1", "write `a: 1`"]),
        ("a: 1\nhello\nb: 2", ["a line of text among other lines", "main.yay:2:1", "`hello: value`"]),
        ("a: 1\nb: 2\nsome text here", ["a line of text among other lines", "main.yay:3:1", "`key: |`"]),
        ("x:\n  one\n  two", ["a line of text among other lines", "main.yay:2:3", "`key: |`"]),
        ("- 1\nhello", ["a line of text among other lines", "main.yay:2:1", "`- hello`"]),
        ("x: 1\niff x == 1:\n  y: 2", ["unknown directive `iff`", "main.yay:2:1", "did you mean `if`?"]),
        ("% iff x\n  y: 2", ["unknown directive `iff`", "main.yay:1:1", "did you mean `if`?"]),
    ] {
        let out = check(text);
        for part in parts {
            assert!(out.contains(part), "{part}\n{text}\n{out}");
        }
    }
    // text that is the value of a key or of a branch
    for (text, expected) in [
        ("x:\n  hello", r#"{"x":"hello"}"#),
        ("x:\n  http://example.org/", r#"{"x":"http://example.org/"}"#),
        ("c: 1\nx:\n  if c:\n    some longer text\n  else:\n    other", r#"{"c":1,"x":"some longer text"}"#),
        ("y:\n  a: 1\nx:\n  {{ y }}\n  b: 1", r#"{"x":{"a":1,"b":1},"y":{"a":1}}"#),
    ] {
        assert_eq!(json(text), expected, "{text}");
        assert_eq!(check(text), "", "{text}");
    }
}

#[test]
fn keys_and_elements_do_not_mix() {
    let message = "a block has keys or elements of a list, not both";
    for (text, later, first) in [
        ("a: 1\n% for i in [a]\n  - {{ i }}", "main.yay:2:1", "main.yay:1:1"),
        ("a: 1\nfor i in [a]:\n  - {{ i }}", "main.yay:2:1", "main.yay:1:1"),
        ("- 2\na: 1", "main.yay:2:1", "main.yay:1:1"),
        ("x:\n  a: 1\n  - 2\n  - 3", "main.yay:3:3", "main.yay:2:3"),
        ("c: 1\nx:\n  - 1\n  if c:\n    b: 1", "main.yay:4:3", "main.yay:3:3"),
    ] {
        for out in [check(text), report(text)] {
            for part in [message, later, first] {
                assert!(out.contains(part), "{part}\n{text}\n{out}");
            }
            assert!(!out.contains("unbound"), "{text}\n{out}");
            assert_eq!(out.matches("error: ").count(), 1, "{text}\n{out}");
        }
    }
    // branches of one kind each
    assert_eq!(json("c: 1\nx:\n  if c:\n    - 1\n  else:\n    a: 1"), r#"{"c":1,"x":[1]}"#);
}

#[test]
fn what_is_read_but_meant_differently_is_a_warning() {
    for (text, value, parts) in [
        ("a:\n\tb: 1\n\tc: 2", r#"{"a":{"b":1,"c":2}}"#, ["warning: a tab in the indentation", "main.yay:2:1"]),
        ("a: [1, 2\nb: 3", r#"{"a":"[1, 2","b":3}"#, ["warning: unclosed bracket `[` in a value", "main.yay:1:4"]),
        ("l:\n  - {x\nb: 3", r#"{"b":3,"l":["{x"]}"#, ["warning: unclosed bracket `{` in a value", "main.yay:2:5"]),
    ] {
        assert_eq!(json(text), value, "{text}");
        let out = check(text);
        for part in parts {
            assert!(out.contains(part), "{part}\n{text}\n{out}");
        }
    }
    for fine in ["a: [1, 2]", "a: \"[1, 2\"", "a: x[1", "a: |\n  \tb\n  [1", "a:\n  b: 1\n\t\n  c: 2", "a: 'x' + 1"] {
        assert_eq!(check(fine), "", "{fine}");
    }
}

#[test]
fn a_line_at_no_indentation_of_a_block_is_reported() {
    let out = report("a:\n    b: 1\n  c: 2");
    assert!(out.contains("misplaced line") && out.contains("main.yay:3:3"), "{out}");
}

#[test]
fn a_dictionary_on_top_of_another_kind_is_at_fault() {
    for (text, upper, lower) in [
        ("a: 1\na:\n  b: 2", "main.yay:2:1", "main.yay:1:4"),
        ("a: 1\nc: 2\nif c:\n  a:\n    b: 2", "main.yay:4:3", "main.yay:1:4"),
        ("a:\n  b: 2\na: 1\na:\n  c: 1", "main.yay:4:1", "main.yay:3:4"),
    ] {
        let out = report(text);
        let first = out.find(upper).unwrap_or_else(|| panic!("{upper}\n{out}"));
        let second = out.find(lower).unwrap_or_else(|| panic!("{lower}\n{out}"));
        assert!(out.contains("a dict cannot be on top of a number") && first < second, "{text}\n{out}");
    }
}

#[test]
fn files_that_include_each_other_are_a_cycle_with_all_places() {
    let files = [
        ("main.yay", "a: 1\ninclude 'one.yay'"),
        ("one.yay", "b: 1\n\ninclude 'main.yay'"),
        ("self.yay", "p: self\ninclude p + '.yay'"),
    ];
    let out = ran(&files, Action::Eval { at: None, format: Format::Json });
    for part in ["infinite recursion: main.yay → one.yay → main.yay", "main.yay:2:1", "one.yay:3:1"] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let out = super::ran_on(&files, &["self.yay"], Action::Eval { at: None, format: Format::Json });
    assert!(out.contains("infinite recursion: self.yay → self.yay") && out.contains("self.yay:2:1"), "{out}");
}

#[test]
fn a_file_that_includes_itself_in_a_dictionary_is_at_fault_where_it_does() {
    let files = [
        ("main.yay", "a: 1\nx:\n  include 'main.yay'"),
        ("ends.yay", "n: 0\nif n < 3:\n  x:\n    include 'ends.yay'\n  x:\n    n: {{ n + 1 }}"),
    ];
    let eval = |name: &str, at: Option<&str>| {
        super::ran_on(&files, &[name], Action::Eval { at: at.map(String::from), format: Format::Json })
    };
    let out = eval("main.yay", None);
    for part in ["more than 100 files are included inside each other", "main.yay:3:3", "a file that includes itself"] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    // a part of it has a value
    assert_eq!(eval("main.yay", Some("x.x.x.a")).trim(), "1");
    // a condition may end it
    assert_eq!(eval("ends.yay", Some("x.x.x.n")).trim(), "3");
    assert!(!eval("ends.yay", None).contains("error"), "{}", eval("ends.yay", None));
}
