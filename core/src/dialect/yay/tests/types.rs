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
