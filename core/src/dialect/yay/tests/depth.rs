//! Deep and long documents.

use super::json;
use crate::dialect::StdNames;
use crate::loader::InMemory;
use crate::session::{Action, Format, Input, Request, Session};
use crate::text::SourceId;

fn lowered(text: &str) {
    super::super::program(SourceId(0), text, &StdNames);
}

#[test]
fn depth_needs_no_stack() {
    let deep = |open: &str, close: &str, n: usize| format!("a: {{{{ {}1{} }}}}", open.repeat(n), close.repeat(n));
    lowered(&deep("(", ")", 20_000));
    lowered(&deep("[", "]", 20_000));
    lowered(&deep("-", "", 20_000));
    lowered(&format!("a: {{{{ 1{} }}}}", " + 1".repeat(50_000)));
    lowered(&format!("a: {{{{ x{} }}}}", " else x".repeat(50_000)));
    let blocks: String = (0..2_000).map(|i| format!("{}a:\n", " ".repeat(i))).collect();
    lowered(&blocks);
    let guards: String = (0..1_000).map(|i| format!("{}if 1:\n", " ".repeat(i))).collect();
    lowered(&format!("{guards}{}a: 1", " ".repeat(1_000)));
}

#[test]
fn chains_are_linear() {
    let chain: String = (1..20_000).map(|i| format!("k{i}: {{{{ k{} }}}}\n", i - 1)).collect();
    assert!(json(&format!("{chain}k0: 7\n")).ends_with("\"k9999\":7}"));
    let layers: String = (0..2_000).map(|i| format!("a: {i}\n")).collect();
    assert_eq!(json(&layers), "{\"a\":1999}");
}

/// Returns a document with an `if` of many branches, each of which defines the same key.
fn branches(count: usize, test: &str) -> String {
    let branch = |i: usize| format!("{} {test} == {i}:\n  a: {i}\n", if i == 0 { "if" } else { "elif" });
    (0..count).map(branch).collect()
}

#[test]
fn branches_of_one_key_are_linear() {
    let cases = |count: usize| (0..count).map(|i| format!("  {i}:\n    a: {i}\n")).collect::<String>();
    let of_if = |count: usize| format!("m: 5\na: 0\n{}", branches(count, "m"));
    let of_select = |count: usize| format!("m: 5\nselect m:\n{}", cases(count));
    for text in [&of_if as &dyn Fn(usize) -> String, &of_select] {
        let nodes = |count| super::super::program(SourceId(0), &text(count), &StdNames).term.nodes.len();
        let (small, large) = (nodes(200), nodes(400));
        assert!(large * 10 <= small * 21, "{small} nodes, {large} for twice as many branches");
        assert_eq!(json(&text(400)), "{\"a\":5,\"m\":5}");
    }
}

#[test]
fn branches_that_read_what_they_guard_are_not_exponential() {
    assert_eq!(json(&format!("a: 100\n{}", branches(60, "a"))), "{\"a\":100}");
    assert_eq!(json(&format!("a: 30\n{}", branches(60, "a"))), "{\"a\":30}");
}

/// Returns the number of evaluation steps of a document.
fn steps(text: &str) -> u64 {
    let files = [("main.yay", text)];
    let mut session = Session::new(Box::new(files.into_iter().collect::<InMemory>()));
    session.run(Request {
        inputs: vec![Input::File("main.yay".into())],
        dialect: None,
        import_paths: Vec::new(),
        contracts: Vec::new(),
        overrides: Vec::new(),
        layering: Default::default(),
        options: Default::default(),
        action: Action::Eval { at: None, format: Format::Json },
    });
    session.evaluation_steps()
}

#[test]
fn branches_that_read_what_they_guard_are_linear() {
    let other_key = |count: usize| {
        let branch =
            |i: usize| format!("{} a == {}:\n  a: {i}\n  b{i}: 1\n", if i == 0 { "if" } else { "elif" }, i + 1_000);
        let branches: String = (0..count).map(branch).collect();
        format!("a: 0\n{branches}")
    };
    let through_a_key = |count: usize| format!("c: {{{{ a + 1 }}}}\na: 5000\n{}", branches(count, "c"));
    let of_some_keys =
        |count: usize| branches(count, "a").replace("  a: 7\n", "  b: 7\n").replacen("if", "a: 5000\nif", 1);
    for text in [&other_key as &dyn Fn(usize) -> String, &through_a_key, &of_some_keys] {
        let (small, large) = (steps(&text(100)), steps(&text(200)));
        assert!(small > 500, "{small} steps");
        assert!(large * 10 <= small * 26, "{small} steps, {large} for twice as many branches");
    }
}

#[test]
fn macros_that_call_macros_stay_small() {
    let mut text = String::from("macro m0:\n  - 1\n");
    for i in 1..40 {
        text += &format!("macro m{i}:\n  call m{0}:\n    x: 1\n  call m{0}:\n    x: 2\n", i - 1);
    }
    let started = std::time::Instant::now();
    lowered(&text);
    assert!(started.elapsed().as_secs() < 20);
}
