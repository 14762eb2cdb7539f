//! The terms that documents lower to.

use super::lowered;

#[test]
fn terms() {
    for (text, expected) in [
        ("a: 1", "{a = 1}"),
        ("a: 1\nb: {{ a }}", "{a = 1, b = this^0.a}"),
        ("a:\n  b: {{ c }}\nc: 1", "{a + = {b = this^1.c}, c = 1}"),
        ("a: 1\na: 2", "(inherit {a = 1} {a = 2})"),
        ("if x:\n  a: 1\nx: 1", "{a | when $1^0 = 1, x = 1, local $1 = this^0.x}"),
        ("a: {{ b else 1 }}\nb: 2", "{a = (Else this^0.b 1), b = 2}"),
        ("a: {{ b }}", "{a = (Else (%std.stanzas._outside this^0 \"b\") this^0.b)}"),
        ("a: x{{ 1 }}", "{a = (str \"x\" 1)}"),
        ("include \"x\"\na: 1", "(inherit (inherit {} (import \"x\" Code(None))) {a = 1})"),
        ("- 1", "[1]"),
        ("a[1:]", "<scope/unbound> (Slice a 1 null null)"),
    ] {
        assert_eq!(lowered(text), expected, "\n{text}");
    }
}
