//! The terms that documents lower to.

use super::lowered;
use crate::dialect::StdNames;
use crate::text::SourceId;

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

/// The bodies of macros and prototypes are shared if there are many calls among other keys: the size of the program grows with the calls
/// plus the body, not with their product.
#[test]
fn bodies_among_other_keys_are_shared() {
    let size = |calls: usize, body: usize, of: &str| {
        let expression = (0..body).map(|n| format!("x * {n}")).collect::<Vec<_>>().join(" + ");
        let calls: String = (0..calls).map(|n| format!("d{n}:\n  own: {n}\n  {of}\n")).collect();
        let text =
            format!("x: 1\nmacro M:\n  k: {{{{ {expression} }}}}\nprototype P:\n  k: {{{{ {expression} }}}}\n{calls}");
        super::super::program(SourceId(0), &text, &StdNames).term.nodes.len()
    };
    for of in ["call M:\n    y: 1", "call M:\n    x: 2", "new P:\n    y: 1"] {
        let growth = |body: usize| size(900, body, of) - size(700, body, of);
        assert_eq!(growth(100), growth(50), "{of}");
        // a few copies are written out, because their types are more precise
        let (two, three) = (size(2, 100, of), size(3, 100, of));
        assert!(three > two + 100, "{of}: {two} {three}");
    }
}
