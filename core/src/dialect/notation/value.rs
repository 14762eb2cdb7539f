//! Prints values in a language's syntax. The output can be typed back, except for errors, secrets and omitted parts.

use super::Spelling;
use crate::meta::Priority;
use crate::problem::report::Report;
use crate::styled::layout::Layout;
use crate::styled::{Role, Styled};
use crate::term::Number;
use crate::text::Span;
use crate::value::datum::{Datum, Entry, MASK, OMITTED, Written};

/// Maximum length of a function that is printed as written, in bytes.
const MAX_FUNCTION_TEXT: usize = 200;

/// Layouts with more tokens than this are dropped on another thread.
const MAX_TOKENS: usize = 100_000;

/// A function that returns the text of a span on one line.
pub type SpanText<'a> = &'a dyn Fn(Span) -> String;

/// Prints a value in lines of at most `width` columns if possible. Functions are printed as written, or as `<function>` if their
/// text is unknown or too long. Linear; not recursive.
pub fn laid_out(spelling: &Spelling, datum: &Datum, width: usize, texts: SpanText<'_>) -> Styled {
    laid_out_until(spelling, datum, width, texts, &|| false).unwrap_or_default()
}

/// Prints a value like [`laid_out`]. `None` if `stop` returned `true`.
pub fn laid_out_until(
    spelling: &Spelling,
    datum: &Datum,
    width: usize,
    texts: SpanText<'_>,
    stop: &dyn Fn() -> bool,
) -> Option<Styled> {
    if let Some(own) = spelling.values
        && width != usize::MAX
        && let Some(text) = own(datum, width, texts)
    {
        return Some(text);
    }
    let mut layout = Layout::new();
    let text = match write(spelling, datum, texts, &mut layout, stop) {
        true => layout.fit_until(width, stop),
        false => None,
    };
    if text.is_none() || layout.tokens() > MAX_TOKENS {
        crate::dialect::background::discard(layout);
    }
    text
}

/// Prints a value on one line of any width. Functions of the program are printed as `<function>`.
pub fn one_line(spelling: &Spelling, datum: &Datum) -> Styled {
    laid_out(spelling, datum, usize::MAX, &|_| String::new())
}

/// Returns the text of a function, if it can be typed back and is not too long.
fn function(spelling: &Spelling, written: Option<Written>, texts: SpanText<'_>) -> Option<String> {
    let text = match written? {
        Written::Name(name) if name.contains('.') => String::from(name),
        // the functions of the Jsonnet library are directly in `std`
        Written::Name(name) => format!("std.{name}"),
        Written::Source(span) => (spelling.function)(&texts(span))?,
    };
    (!text.is_empty() && text.len() <= MAX_FUNCTION_TEXT).then_some(text)
}

/// A part that remains to be printed.
enum Job<'a> {
    Value(&'a Datum),
    /// The argument of a variant, in parentheses if needed.
    Argument(&'a Datum),
    Text(Role, &'static str),
    /// The remaining elements of an array, and whether a comma precedes the next one.
    Elements(&'a [Datum], bool),
    /// The remaining fields of a record, and whether a comma precedes the next one.
    Fields(&'a [Entry], bool),
    /// The remaining entries of a map, and whether a comma precedes the next one.
    Entries(&'a [(Datum, Datum)], bool),
}

/// Prints a value. Returns `false` if `stop` returned `true`.
fn write(spelling: &Spelling, datum: &Datum, texts: SpanText<'_>, out: &mut Layout, stop: &dyn Fn() -> bool) -> bool {
    let mut jobs = vec![Job::Value(datum)];
    let mut done = 0usize;
    while let Some(job) = jobs.pop() {
        done += 1;
        if done & 255 == 0 && stop() {
            return false;
        }
        match job {
            Job::Value(datum) => write_one(spelling, datum, texts, &mut jobs, out),
            Job::Argument(datum) => {
                if atomic(spelling, datum) {
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
                    trailing(spelling, out);
                    out.close(0);
                    out.text(Role::Operator, "]");
                    out.end();
                }
            },
            Job::Entries(left, some) => match left.split_first() {
                Some(((key, value), rest)) => {
                    if some {
                        out.text(Role::Operator, ",");
                        out.line();
                    }
                    jobs.push(Job::Entries(rest, true));
                    jobs.push(Job::Value(value));
                    jobs.push(Job::Text(Role::Operator, spelling.defines));
                    jobs.push(Job::Value(key));
                }
                None => {
                    trailing(spelling, out);
                    out.close(0);
                    out.text(Role::Operator, "}");
                    out.end();
                }
            },
            Job::Fields(left, some) => match left.split_first() {
                Some((first, rest)) if has_no_value(spelling, first) => jobs.push(Job::Fields(rest, some)),
                Some((first, rest)) => {
                    if some {
                        out.text(Role::Operator, ",");
                        out.line();
                    }
                    jobs.push(Job::Fields(rest, true));
                    write_entry(spelling, first, texts, &mut jobs, out);
                }
                None => {
                    trailing(spelling, out);
                    out.close(usize::from(spelling.record.len() == 1));
                    out.text(Role::Operator, "}");
                    out.end();
                }
            },
        }
    }
    true
}

fn write_one<'a>(
    spelling: &Spelling,
    datum: &'a Datum,
    texts: SpanText<'_>,
    jobs: &mut Vec<Job<'a>>,
    out: &mut Layout,
) {
    match datum {
        Datum::Null => out.text(Role::Literal, "null"),
        Datum::Bool(b) => out.text(Role::Literal, if *b { "true" } else { "false" }),
        Datum::Number(n) => out.text(Role::Literal, (spelling.numeral)(n)),
        Datum::String(s) => out.text(Role::String, (spelling.string)(s)),
        Datum::Tag(tag) => out.text(Role::Tag, (spelling.tag)(tag)),
        Datum::Variant(tag, argument) => {
            out.text(Role::Tag, (spelling.tag)(tag));
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
            out.text(Role::Operator, spelling.record);
            if entries.iter().all(|entry| has_no_value(spelling, entry)) {
                out.text(Role::Operator, "}");
                return;
            }
            out.begin();
            if spelling.record.len() > 1 {
                out.soft()
            } else {
                out.line()
            }
            jobs.push(Job::Fields(entries, false));
        }
        Datum::Map(entries) if entries.is_empty() => out.text(Role::Operator, "{}"),
        Datum::Map(entries) => {
            out.begin();
            out.text(Role::Operator, "{");
            out.soft();
            jobs.push(Job::Entries(entries, false));
        }
        Datum::Function(written) => match function(spelling, *written, texts) {
            Some(text) => out.text(Role::Plain, text),
            None => out.text(Role::Dim, "<function>"),
        },
        Datum::Contract(Some(text)) => out.text(Role::Type, text.as_str()),
        Datum::Contract(None) => out.text(Role::Dim, "<contract>"),
        Datum::Fault(problem) => {
            out.text(Role::Error, format!("<error: {}>", first_line(&Report::of(problem, spelling.report).message)))
        }
        Datum::Unforced => out.text(Role::Dim, "_"),
        Datum::Secret => out.text(Role::Dim, MASK),
        Datum::Elided(Some(1)) => out.text(Role::Dim, "… 1 more"),
        Datum::Elided(Some(count)) => out.text(Role::Dim, format!("… {count} more")),
        Datum::Elided(None) => out.text(Role::Dim, "…"),
    }
}

/// Prints the comma after the last element: always in some languages, in the others only if each element has its own line.
fn trailing(spelling: &Spelling, out: &mut Layout) {
    if spelling.comma {
        out.text(Role::Operator, ",");
    } else {
        out.if_broken(",");
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}

/// Returns `true` if a field is not printed: it is internal, or it is optional and has no value.
fn has_no_value(spelling: &Spelling, entry: &Entry) -> bool {
    (spelling.is_internal)(&entry.name) || entry.optional && entry.value.is_none()
}

fn write_entry<'a>(
    spelling: &Spelling,
    entry: &'a Entry,
    texts: SpanText<'_>,
    jobs: &mut Vec<Job<'a>>,
    out: &mut Layout,
) {
    // an entry with this name, or without one, is the mark for omitted fields
    if (entry.name.is_empty() || entry.name == OMITTED)
        && let Some(elided @ Datum::Elided(_)) = &entry.value
    {
        jobs.push(Job::Value(elided));
        return;
    }
    out.text(Role::Name, (spelling.field)(&entry.name));
    if spelling.metadata {
        write_metadata(entry, texts, out);
    }
    if let Some(value) = &entry.value {
        out.text(Role::Operator, if entry.not_exported { spelling.defines_hidden } else { spelling.defines });
        jobs.push(Job::Value(value));
    }
}

/// Prints the metadata of a field of a cfg record: ` | Number | default`.
fn write_metadata(entry: &Entry, texts: SpanText<'_>, out: &mut Layout) {
    let mut shown: Vec<String> = Vec::new();
    for text in entry.contracts.iter().map(|span| crate::text::on_one_line(&texts(*span))) {
        if !text.is_empty() && text.len() <= MAX_FUNCTION_TEXT && !shown.contains(&text) {
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
        Priority::Normal | Priority::Layer(_) => {}
        Priority::Default => out.text(Role::Keyword, " | default"),
        Priority::Force => out.text(Role::Keyword, " | force"),
        Priority::Number(n) if *n == Number::ZERO => {}
        Priority::Number(n) => {
            out.text(Role::Keyword, " | priority ");
            out.text(Role::Literal, n.to_string());
        }
    }
}

/// Returns `true` if a value can be an argument without parentheses.
fn atomic(spelling: &Spelling, datum: &Datum) -> bool {
    match datum {
        Datum::Number(n) => *n >= Number::ZERO,
        Datum::Variant(..) | Datum::Function(_) => false,
        Datum::Contract(text) => text.as_deref().is_none_or(spelling.is_identifier),
        _ => true,
    }
}
