//! Deep and long documents.

use super::json;
use crate::dialect::OnlyStd;
use crate::text::SourceId;

fn lowered(text: &str) {
    super::super::program(SourceId(0), text, &OnlyStd);
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
