//! Values in cfg's syntax: what is shown can be typed back, faults, secrets and what was cut off apart.

use super::{REPORT, name};
use crate::meta::Priority;
use crate::problem::report::Report;
use crate::term::Number;
use crate::text::Span;
use crate::value::datum::{Datum, Entry, MASK, Written};
use crate::view::layout::Layout;
use crate::view::{Role, Styled};

/// How long a function may be to be shown as it is written.
const FUNCTION: usize = 200;

/// The text of a place, on one line.
pub type Texts<'a> = &'a dyn Fn(Span) -> String;

/// A value in at most `width` columns where that is possible; functions are shown as they are written. Linear; does not
/// recurse.
pub fn value(datum: &Datum, width: usize, texts: Texts<'_>) -> Styled {
    let mut layout = Layout::new();
    write(datum, texts, &mut layout);
    layout.fit(width)
}

/// A value on one line, whatever its width; functions are not shown.
pub fn one_line(datum: &Datum) -> Styled {
    value(datum, usize::MAX, &|_| String::new())
}

/// A function as text that can be typed back, if it is not too long.
fn function(written: Option<Written>, texts: Texts<'_>) -> Option<String> {
    let text = match written? {
        Written::Name(name) => String::from(name),
        Written::Source(span) => texts(span),
    };
    (!text.is_empty() && text.len() <= FUNCTION).then_some(text)
}

/// What is still to be written.
enum Job<'a> {
    Value(&'a Datum),
    /// The argument of a variant: in parentheses where it would read differently without.
    Argument(&'a Datum),
    Text(Role, &'static str),
    /// The elements that are left of an array; whether one went before.
    Elements(&'a [Datum], bool),
    /// The fields that are left of a record; whether one went before.
    Fields(&'a [Entry], bool),
}

fn write(datum: &Datum, texts: Texts<'_>, out: &mut Layout) {
    let mut jobs = vec![Job::Value(datum)];
    while let Some(job) = jobs.pop() {
        match job {
            Job::Value(datum) => write_one(datum, texts, &mut jobs, out),
            Job::Argument(datum) => {
                if atomic(datum) {
                    jobs.push(Job::Value(datum));
                } else {
                    out.text(Role::Operator, "(");
                    jobs.push(Job::Text(Role::Operator, ")"));
                    jobs.push(Job::Value(datum));
                }
            }
            Job::Text(role, text) => out.text(role, text),
            Job::Elements(left, some) => match left.split_first() {
                Some((first, rest)) => {
                    if some {
                        out.text(Role::Operator, ",");
                        out.line();
                    }
                    jobs.push(Job::Elements(rest, true));
                    jobs.push(Job::Value(first));
                }
                None => {
                    out.if_broken(",");
                    out.close(0);
                    out.text(Role::Operator, "]");
                    out.end();
                }
            },
            Job::Fields(left, some) => match left.split_first() {
                Some((first, rest)) if absent(first) => jobs.push(Job::Fields(rest, some)),
                Some((first, rest)) => {
                    if some {
                        out.text(Role::Operator, ",");
                        out.line();
                    }
                    jobs.push(Job::Fields(rest, true));
                    write_entry(first, texts, &mut jobs, out);
                }
                None => {
                    out.if_broken(",");
                    out.close(1);
                    out.text(Role::Operator, "}");
                    out.end();
                }
            },
        }
    }
}

fn write_one<'a>(datum: &'a Datum, texts: Texts<'_>, jobs: &mut Vec<Job<'a>>, out: &mut Layout) {
    match datum {
        Datum::Null => out.text(Role::Literal, "null"),
        Datum::Bool(b) => out.text(Role::Literal, if *b { "true" } else { "false" }),
        Datum::Number(n) => out.text(Role::Literal, n.to_string()),
        Datum::String(s) => out.text(Role::String, name::string(s)),
        Datum::Tag(tag) => out.text(Role::Tag, name::tag(tag)),
        Datum::Variant(tag, argument) => {
            out.text(Role::Tag, name::tag(tag));
            out.text(Role::Plain, " ");
            jobs.push(Job::Argument(argument));
        }
        Datum::Array(elements) if elements.is_empty() => out.text(Role::Operator, "[]"),
        Datum::Array(elements) => {
            out.begin();
            out.text(Role::Operator, "[");
            out.soft();
            jobs.push(Job::Elements(elements, false));
        }
        Datum::Record(entries) => {
            if entries.iter().all(absent) {
                out.text(Role::Operator, "{}");
                return;
            }
            out.begin();
            out.text(Role::Operator, "{");
            out.line();
            jobs.push(Job::Fields(entries, false));
        }
        Datum::Function(written) => match function(*written, texts) {
            Some(text) => out.text(Role::Plain, text),
            None => out.text(Role::Dim, "<function>"),
        },
        Datum::Contract(Some(text)) => out.text(Role::Type, text.as_str()),
        Datum::Contract(None) => out.text(Role::Dim, "<contract>"),
        Datum::Fault(problem) => {
            out.text(Role::Error, format!("<error: {}>", first_line(&Report::of(problem, REPORT).message)))
        }
        Datum::Unforced => out.text(Role::Dim, "_"),
        Datum::Secret => out.text(Role::Dim, MASK),
        Datum::Elided(Some(1)) => out.text(Role::Dim, "… 1 more"),
        Datum::Elided(Some(count)) => out.text(Role::Dim, format!("… {count} more")),
        Datum::Elided(None) => out.text(Role::Dim, "…"),
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}

/// An optional field without a value: not shown, as if it were not there.
fn absent(entry: &Entry) -> bool {
    entry.optional && entry.value.is_none()
}

fn write_entry<'a>(entry: &'a Entry, texts: Texts<'_>, jobs: &mut Vec<Job<'a>>, out: &mut Layout) {
    // fields that were cut off have no name
    if entry.name.is_empty()
        && let Some(elided @ Datum::Elided(_)) = &entry.value
    {
        jobs.push(Job::Value(elided));
        return;
    }
    out.text(Role::Name, name::field(&entry.name));
    let mut shown: Vec<String> = Vec::new();
    for text in entry.contracts.iter().map(|span| texts(*span)) {
        if !text.is_empty() && text.len() <= FUNCTION && !shown.contains(&text) {
            out.text(Role::Operator, " | ");
            out.text(Role::Type, text.as_str());
            shown.push(text);
        }
    }
    if entry.optional {
        out.text(Role::Keyword, " | optional");
    }
    if entry.not_exported {
        out.text(Role::Keyword, " | not_exported");
    }
    match &entry.priority {
        Priority::Normal => {}
        Priority::Default => out.text(Role::Keyword, " | default"),
        Priority::Force => out.text(Role::Keyword, " | force"),
        Priority::Number(n) if *n == Number::ZERO => {}
        Priority::Number(n) => {
            out.text(Role::Keyword, " | priority ");
            out.text(Role::Literal, n.to_string());
        }
    }
    if let Some(value) = &entry.value {
        out.text(Role::Operator, " = ");
        jobs.push(Job::Value(value));
    }
}

/// Whether a value can be an argument without parentheses.
fn atomic(datum: &Datum) -> bool {
    match datum {
        Datum::Number(n) => *n >= Number::ZERO,
        Datum::Variant(..) | Datum::Function(_) => false,
        Datum::Contract(text) => text.as_deref().is_none_or(name::is_identifier),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;
    use crate::problem::value::{Value, ValueKind};
    use crate::text::{Name, SourceId};

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
        let missing = ValueKind::MissingDefinition { name: Name::new("x"), declared: vec![], needed: None };
        let fault = Datum::Fault(Box::new(Problem::error(Value::new(missing))));
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
    fn depth_does_not_matter() {
        let mut datum = number(1);
        for _ in 0..20_000 {
            datum = Datum::Array(vec![datum]);
        }
        assert_eq!(one_line(&datum).text().len(), 40_001);
    }
}
