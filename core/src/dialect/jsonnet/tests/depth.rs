//! Any text gives a program in bounded time, however deeply it nests.

use crate::dialect::{Dialect, StdNames};
use crate::problem::Problem;
use crate::text::SourceId;
use proptest::prelude::*;

const DEEP: usize = 100_000;

fn problems(text: &str) -> Vec<&'static str> {
    Dialect::JSONNET.program(SourceId(0), text, &StdNames).problems.iter().map(Problem::code).collect()
}

#[test]
fn depth_of_any_kind_works() {
    // the first group is as deep as a real program may be, the second is deeper than an unguarded stack allows
    let deepest = |open: &str, inner: &str, close: &str| open.repeat(DEEP) + inner + &close.repeat(DEEP);
    let nested = |open: &str, inner: &str, close: &str| open.repeat(DEEP / 5) + inner + &close.repeat(DEEP / 5);
    for text in [
        deepest("(", "1", ")"),
        deepest("[", "", "]"),
        deepest("{a:", "1", "}"),
        deepest("local x = 1; ", "x", ""),
        deepest("1 + ", "1", ""),
        deepest("{} + ", "{}", ""),
        deepest("{}", "", "{}"),
        nested("function(x) ", "x", ""),
        nested("if true then 1 else ", "1", ""),
        nested("local x = ", "1", "; x"),
        nested("!", "true", ""),
        nested("assert true; ", "1", ""),
        nested("error ", "'x'", ""),
        nested("[x for x in ", "[]", "]"),
        nested("{[x]: 1 for x in ", "[]", "}"),
        nested("std.f(", "1", ")"),
        nested("std[", "1", "]"),
        nested("{local x = ", "1", "}"),
        nested("{[", "'x'", "]: 1}"),
        format!("std{}", ".a".repeat(DEEP / 5)),
        format!("std{}", "(1)".repeat(DEEP / 5)),
        format!("std{}", "[1:2]".repeat(DEEP / 5)),
        format!("{{a: 'x' {}}}", " in super".repeat(DEEP / 5)),
    ] {
        assert_eq!(problems(&text), Vec::<&str>::new(), "{}", &text[..40]);
    }
}

#[test]
fn past_the_limit_there_is_one_clear_problem() {
    assert_eq!(problems(&"(".repeat(2_000_000)), ["syntax/too-deep"]);
    assert_eq!(problems(&"[{a:".repeat(100)), ["syntax/unclosed"]);
}

/// Reads a text with every function of the dialect.
fn read(text: &str) {
    Dialect::JSONNET.program(SourceId(0), text, &StdNames);
    Dialect::JSONNET.cell(SourceId(0), text, &StdNames);
    Dialect::JSONNET.completeness(text);
    Dialect::JSONNET.inputs(text);
    let mut end = 0;
    for (range, _) in Dialect::JSONNET.highlight(text) {
        assert!(range.start >= end && text.get(range.clone()).is_some());
        end = range.end;
    }
    for place in 0..text.len().min(8) {
        let found = Dialect::JSONNET.cursor(SourceId(0), text, place, &StdNames);
        assert!(text.get(found.replace).is_some());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in "\\PC*") {
        read(&text);
    }

    #[test]
    fn any_tokens_are_read(tokens in prop::collection::vec(prop::sample::select(vec![
        "local", "function", "if", "then", "else", "import", "for", "in", "super", "self", "$", "assert", "error", "tailstrict",
        "{", "}", "[", "]", "(", ")", "'", "\"", "@\"", "|||", "|||-", "\n", "  ", "x", "y", "1", "1.", "_", "\\u12", "\\", ".",
        ",", ";", ":", "::", "+:", "+", "-", "==", "=", "/*", "*/", "#", "//", "é", "null", "std",
    ]), 0..40)) {
        read(&tokens.join(" "));
        read(&tokens.concat());
    }
}
