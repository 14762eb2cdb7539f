//! Graphs of resources as statements, which the parser can read again.

use super::{NEWEST, SPELLING, name};
use crate::dialect::notation::Spelling;
use crate::dialect::notation::value::{SpanText, laid_out};
use crate::styled::{Role, Styled};
use crate::value::datum::{Datum, Entry};

/// Prints a graph of resources, in lines of at most `width` columns if possible. `None` for any other value.
pub fn statements<const N: bool>(datum: &Datum, width: usize, texts: SpanText<'_>) -> Option<Styled> {
    let Datum::Record(entries) = datum else { return None };
    let part = |name: &str| match entries.iter().find(|entry| entry.name == name)?.value.as_ref()? {
        Datum::Array(items) => Some(items.as_slice()),
        _ => None,
    };
    let spelling = if N { &NEWEST } else { &SPELLING };
    let (resources, edges) = (part("resources")?, part("edges")?);
    let mut out = Styled::new();
    for resource in resources {
        let Datum::Record(entries) = resource else { return None };
        line(&mut out);
        statement(spelling, entries, width, texts, &mut out)?;
    }
    for edge in edges {
        let Datum::Record(entries) = edge else { return None };
        line(&mut out);
        out.append(&end(text(entries, "from")?)?);
        out.push(Role::Operator, " -> ");
        out.append(&end(text(entries, "to")?)?);
        if entries.iter().any(|entry| entry.name == "notify" && entry.value == Some(Datum::Bool(true))) {
            out.push(Role::Comment, " # notify");
        }
    }
    if out.is_empty() {
        out.push(Role::Dim, "# no resources");
    }
    Some(out)
}

fn line(out: &mut Styled) {
    if !out.is_empty() {
        out.plain("\n");
    }
}

fn text<'a>(entries: &'a [Entry], name: &str) -> Option<&'a str> {
    match entries.iter().find(|entry| entry.name == name)?.value.as_ref()? {
        Datum::String(text) => Some(text),
        _ => None,
    }
}

fn statement(
    spelling: &Spelling,
    entries: &[Entry],
    width: usize,
    texts: SpanText<'_>,
    out: &mut Styled,
) -> Option<()> {
    out.push(Role::Keyword, text(entries, "kind")?);
    out.plain(" ");
    out.push(Role::String, name::string(text(entries, "name")?));
    out.push(Role::Operator, " {");
    let mut some = false;
    for (section, prefix) in [("fields", ""), ("meta", "Meta:")] {
        let Some(Datum::Record(fields)) = entries.iter().find(|e| e.name == section).and_then(|e| e.value.as_ref())
        else {
            continue;
        };
        for (field, of) in fields.iter().filter_map(|field| Some((field, field.value.as_ref()?))) {
            some = true;
            out.plain("\n  ");
            out.push(Role::Name, format!("{prefix}{}", field.name));
            out.push(Role::Operator, " => ");
            let value = laid_out(spelling, of, width.saturating_sub(4), texts);
            for (role, part) in value.runs() {
                out.push(*role, part.replace('\n', "\n  "));
            }
            out.push(Role::Operator, ",");
        }
    }
    out.push(Role::Operator, if some { "\n}" } else { "}" });
    Some(())
}

/// Prints an end of an edge: `Http:Server["a"]` for `http:server[a]`.
fn end(label: &str) -> Option<Styled> {
    let (kind, rest) = label.split_once('[')?;
    let parts: Vec<String> = kind
        .split(':')
        .map(|part| {
            let mut chars = part.chars();
            chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
        })
        .collect();
    let mut out = Styled::of(Role::Keyword, parts.join(":"));
    out.push(Role::Operator, "[");
    out.push(Role::String, name::string(rest.strip_suffix(']')?));
    out.push(Role::Operator, "]");
    Some(out)
}
