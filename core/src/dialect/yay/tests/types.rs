//! The types of the functions.

use super::{ran, type_of};
use crate::session::Action;

#[test]
fn functions_have_types() {
    for (call, ty) in [
        ("sub('a', 'b', 'c')", "number | string"),
        ("replace('a', 'b', 'c')", "number | string"),
        ("default('', 5)", "number | string"),
        ("default(1, 5)", "number"),
        ("items({'a': 1})", "[[number | string]]"),
        ("items({'a': 'x'})", "[[string]]"),
        ("keys({'a': 1})", "[string]"),
        ("zip([1], [2])", "[[number]]"),
        ("zip([1], ['a'])", "[[number | string]]"),
        ("join([1, 'a'])", "string"),
        ("sorted([1])", "[number]"),
        ("split('a')", "[string]"),
        ("len('a')", "number"),
    ] {
        assert_eq!(type_of(&format!("x: {{{{ {call} }}}}")).trim(), format!("{{x: {ty}}}"), "{call}");
    }
}

#[test]
fn a_result_that_may_be_a_number_is_used_as_one() {
    let check = |text: &str| {
        ran(
            &[("main.yay", text)],
            Action::Check(crate::CheckOptions { strict: true, ..crate::CheckOptions::default() }),
        )
    };
    let fine =
        "a: {{ replace('x5', 'x', '') }}\nb: {{ a + 1 }}\nc: {{ range(a) }}\nd: {{ upper(a) }}\ne: x{{ a }}\na: 7";
    assert_eq!(check(fine), "");
    for (wrong, words) in [
        ("x: {{ range(keys({'a': 1})) }}", "expected number, found [string]"),
        ("x: {{ sub('a', 'b', 'c').y }}", ""),
        ("x: {{ keys('a') }}", "expected"),
        ("x: {{ len(upper) }}", "expected"),
        ("x:\n  - 1\nx: {{ sub('a', 'b', 'c') }}", ""),
    ] {
        assert!(check(wrong).contains(words), "{wrong}\n{}", check(wrong));
    }
}

/// A layer without a guard hides those below it, also where their kinds differ.
#[test]
fn a_key_changes_its_kind_on_top_of_layers_of_several_kinds() {
    let below = "m: {{ q.m else 1 }}\nif m == 1:\n  k: 7\nif m == 2:\n  k: text\nk:\n  x: 1\n";
    let text = format!("{below}if m == 3:\n  k: text\n");
    let out = ran(&[("main.yay", text.as_str())], Action::Check(crate::CheckOptions::default()));
    assert!(out.contains("main.yay:9:6") && out.contains("`k` changes from dict to string"), "{out}");
}
