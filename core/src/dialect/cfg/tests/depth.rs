//! Any text gives a program in bounded time, however deeply it nests.

use crate::dialect::{Dialect, StdNames};
use crate::problem::Problem;
use crate::text::SourceId;
use proptest::prelude::*;

const DEEP: usize = 100_000;

fn problems(text: &str) -> Vec<&'static str> {
    Dialect::CFG.program(SourceId(0), text, &StdNames).problems.iter().map(Problem::code).collect()
}

#[test]
fn depth_of_any_kind_works() {
    // the first group is as deep as a real program may be, the second is deeper than an unguarded stack allows
    let deepest = |open: &str, inner: &str, close: &str| open.repeat(DEEP) + inner + &close.repeat(DEEP);
    let nested = |open: &str, inner: &str, close: &str| open.repeat(DEEP / 5) + inner + &close.repeat(DEEP / 5);
    for text in [
        deepest("(", "1", ")"),
        deepest("[", "", "]"),
        deepest("{a=", "1", "}"),
        deepest("let x = 1 in ", "x", ""),
        deepest("1 + ", "1", ""),
        deepest("{} & ", "{}", ""),
        nested("fun x => ", "x", ""),
        nested("if true then 1 else ", "1", ""),
        nested("let x = ", "1", " in x"),
        nested("!", "true", ""),
        nested("Array (", "Number", ")"),
        nested("\"%{", "1", "}\""),
        nested("match { 'A x => ", "1", "}"),
        format!("fun {} => x", nested("{a = ", "x", "}")),
        nested("Number -> ", "Number", ""),
        format!("{{a}}{}", ".a".repeat(DEEP / 5)),
        format!("{{{}a = 1}}", "a.".repeat(DEEP / 5)),
        nested("1 | ", "Number", ""),
    ] {
        assert_eq!(problems(&text), Vec::<&str>::new(), "{}", &text[..40]);
    }
}

#[test]
fn past_the_limit_there_is_one_clear_problem() {
    assert_eq!(problems(&"(".repeat(2_000_000)), ["syntax/too-deep"]);
    assert_eq!(problems(&"[{a=".repeat(100)), ["syntax/unclosed"]);
}

/// Reads a text with every function of the dialect.
fn read(text: &str) {
    Dialect::CFG.program(SourceId(0), text, &StdNames);
    Dialect::CFG.cell(SourceId(0), text, &StdNames);
    Dialect::CFG.completeness(text);
    let mut end = 0;
    for (range, _) in Dialect::CFG.highlight(text) {
        assert!(range.start >= end && text.get(range.clone()).is_some());
        end = range.end;
    }
    for place in 0..text.len().min(8) {
        let found = Dialect::CFG.cursor(SourceId(0), text, place, &StdNames);
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
        "let", "rec", "in", "fun", "=>", "match", "if", "then", "else", "import", "forall", "or", "as", "include", "doc",
        "default", "force", "priority", "{", "}", "[", "]", "(", ")", "[|", "|]", "\"", "%{", "m%\"", "\"%", "x", "y", "'A",
        "1", ".", "..", ",", ";", ":", "|", "=", "&", "|>", "+", "-", "->", "?", "@", "_", "Array", "Number", "\n", "\\",
    ]), 0..40)) {
        read(&tokens.join(" "));
        read(&tokens.concat());
    }
}
