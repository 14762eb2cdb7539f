//! Values in the syntax of cfg.

use crate::dialect::Stop;
use crate::dialect::cfg::lexer::lex;
use crate::dialect::cfg::token::Kind;

/// Returns the text of a function literal, on one line if that does not change its meaning. `None` if it is in another
/// language.
pub fn function(text: &str) -> Option<String> {
    let lexed = lex(text, Stop::NEVER);
    let own = lexed.tokens.first().is_some_and(|t| matches!(t.kind, Kind::Fun | Kind::Match));
    own.then(|| lexed.one_line(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::cfg::notation::SPELLING;
    use crate::dialect::notation::value::{self as shared, SpanText};
    use crate::meta::Priority;
    use crate::problem::Problem;
    use crate::problem::value::{ValueKind, ValueProblem};
    use crate::styled::Styled;
    use crate::term::Number;
    use crate::text::Span;
    use crate::text::{Name, SourceId};
    use crate::value::datum::Datum;
    use crate::value::datum::{Entry, Written};

    fn value(datum: &Datum, width: usize, texts: SpanText<'_>) -> Styled {
        shared::laid_out(&SPELLING, datum, width, texts)
    }

    fn one_line(datum: &Datum) -> Styled {
        shared::one_line(&SPELLING, datum)
    }

    fn none(_: Span) -> String {
        String::new()
    }

    fn entry(name: &str, value: Datum) -> Entry {
        Entry {
            name: Name::new(name),
            value: Some(value),
            priority: Priority::Normal,
            not_exported: false,
            optional: false,
            contracts: vec![],
            doc: None,
        }
    }

    fn number(n: i64) -> Datum {
        Datum::Number(Number::Int(n))
    }

    #[test]
    fn values_are_written_as_their_parser_reads_them() {
        let tag = |t: &str| Datum::Tag(Name::new(t));
        let variant = |t: &str, d| Datum::Variant(Name::new(t), Box::new(d));
        for (datum, shown) in [
            (Datum::Null, "null"),
            (Datum::String(Name::new("a\"b")), "\"a\\\"b\""),
            (Datum::Array(vec![]), "[]"),
            (Datum::Array(vec![number(1), number(-2)]), "[1, -2]"),
            (Datum::Record(vec![]), "{}"),
            (Datum::Record(vec![entry("a", number(1)), entry("odd name", tag("A"))]), "{ a = 1, \"odd name\" = 'A }"),
            (variant("Foo", number(3)), "'Foo 3"),
            (variant("Foo", number(-3)), "'Foo (-3)"),
            (variant("Foo", variant("Bar", tag("B"))), "'Foo ('Bar 'B)"),
            (Datum::Secret, "<secret>"),
            (Datum::Array(vec![number(1), Datum::Elided(Some(12))]), "[1, … 12 more]"),
        ] {
            assert_eq!(one_line(&datum).text(), shown);
        }
    }

    #[test]
    fn what_a_field_carries_is_kept() {
        let mut a = entry("a", number(1));
        a.priority = Priority::Default;
        let mut b = entry("b", number(2));
        b.priority = Priority::Number(Number::Int(-3));
        b.not_exported = true;
        let mut c = entry("c", Datum::Null);
        c.optional = true;
        c.value = None;
        let mut d = entry("d", Datum::Null);
        d.value = None;
        let shown = one_line(&Datum::Record(vec![a, c, b, d])).text();
        assert_eq!(shown, "{ a | default = 1, b | not_exported | priority -3 = 2, d }");
    }

    #[test]
    fn a_field_without_a_value_shows_its_contracts() {
        let mut a = entry("a", Datum::Null);
        a.value = None;
        a.contracts = vec![Span::new(SourceId(0), 0, 1), Span::new(SourceId(0), 2, 3)];
        let shown = value(&Datum::Record(vec![a]), 80, &|_| String::from("Number")).text();
        assert_eq!(shown, "{ a | Number }");
    }

    #[test]
    fn a_fault_stands_in_its_place() {
        let missing = ValueKind::MissingDefinition {
            name: Name::new("x"),
            declared: vec![],
            needed: None,
            off: vec![],
            holder: None,
            written: None,
        };
        let fault = Datum::Fault(Box::new(Problem::error(ValueProblem::new(missing))));
        let shown = one_line(&Datum::Record(vec![entry("a", fault), entry("b", number(1))])).text();
        assert!(shown.starts_with("{ a = <error: "), "{shown}");
        assert!(shown.ends_with(">, b = 1 }"), "{shown}");
    }

    #[test]
    fn what_does_not_fit_is_broken_from_the_outside() {
        let inner = Datum::Record(vec![entry("x", number(1)), entry("y", Datum::Array(vec![number(1), number(2)]))]);
        let datum = Datum::Record(vec![entry("first", inner.clone()), entry("second", inner)]);
        let expected = "{\n  first = { x = 1, y = [1, 2] },\n  second = { x = 1, y = [1, 2] },\n}";
        assert_eq!(value(&datum, 40, &none).text(), expected);
        let expected =
            "{\n  first = {\n    x = 1,\n    y = [1, 2],\n  },\n  second = {\n    x = 1,\n    y = [1, 2],\n  },\n}";
        assert_eq!(value(&datum, 20, &none).text(), expected);
    }

    #[test]
    fn functions_are_as_written() {
        let span = Span::new(SourceId(0), 0, 1);
        let texts = |_: Span| String::from("fun x => x");
        let written = Datum::Function(Some(Written::Source(span)));
        let all = [written, Datum::Function(Some(Written::Name("std.array.map"))), Datum::Function(None)];
        assert_eq!(value(&Datum::Array(all.into()), 80, &texts).text(), "[fun x => x, std.array.map, <function>]");
    }

    #[test]
    fn a_function_is_shown_so_that_it_reads_the_same_in_its_own_language_only() {
        for (text, shown) in [
            ("fun x =>\n    x", Some("fun x => x")),
            ("fun x => # one\n  x", Some("fun x => # one\n  x")),
            ("fun x => m%\"\n  a  b\n\"%", Some("fun x => m%\"\n  a  b\n\"%")),
            ("match { 'A => 1 }", Some("match { 'A => 1 }")),
            ("function(x) x", None),
            ("(x): x", None),
        ] {
            assert_eq!(function(text).as_deref(), shown);
        }
    }

    #[test]
    fn depth_does_not_matter() {
        let mut datum = number(1);
        for _ in 0..20_000 {
            datum = Datum::Array(vec![datum]);
        }
        assert_eq!(one_line(&datum).text().len(), 40_001);
    }
}
