//! A field's metadata, one line each, in the order that `interface.md` fixes.

use crate::answer::query::Query;
use crate::dialect::Dialect;
use crate::dialect::notation::value::{Texts, value as written};
use crate::meta::Priority;
use crate::styled::{Role, Styled};
use crate::term::Number;
use crate::value::manifest::{Format, manifest};
use serde_json::{Map, Value, json};
use unicode_width::UnicodeWidthStr;

/// The answer as lines, without a line end behind the last. On a page of so many columns a value that is wider is laid out.
pub fn query(query: &Query, dialect: Dialect, page: Option<usize>, texts: Texts<'_>) -> Styled {
    let mut lines: Vec<Styled> = Vec::new();
    let mut line = |key: &str, value: Styled| {
        let mut out = Styled::of(Role::Dim, "• ");
        out.push(Role::Heading, key);
        if !value.is_empty() {
            out.plain(": ");
            out.append(&value);
        }
        lines.push(out);
    };
    for contract in &query.contracts {
        line("contract", Styled::of(Role::Type, contract));
    }
    for ty in &query.types {
        line("type", Styled::of(Role::Type, ty));
    }
    if let Some(value) = &query.value {
        let key = if query.priority == Priority::Default { "default" } else { "value" };
        let mut text = written(dialect.spelling(), value, usize::MAX, texts);
        if let Some(page) = page.filter(|page| key.len() + 4 + text.text().width() > *page) {
            text = written(dialect.spelling(), value, page.saturating_sub(key.len() + 4), texts);
        }
        line(key, text);
    }
    match &query.priority {
        Priority::Force => line("priority", Styled::of(Role::Keyword, "force")),
        Priority::Number(n) if *n != Number::ZERO => line("priority", Styled::of(Role::Literal, n.to_string())),
        Priority::Number(_) | Priority::Normal | Priority::Layer(_) | Priority::Default => {}
    }
    for merge in &query.merge {
        line("merge", Styled::from(merge.as_str()));
    }
    if query.optional {
        line("optional", Styled::new());
    }
    if query.not_exported {
        line("not exported", Styled::new());
    }
    if query.secret {
        line("secret", Styled::new());
    }
    if let Some(doc) = &query.doc {
        line("documentation", Styled::of(Role::String, doc.trim_end()));
    }
    let mut out = Styled::new();
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            out.plain("\n");
        }
        out.append(line);
    }
    if let Some(fields) = query.fields.as_ref().filter(|f| !f.is_empty()) {
        if !out.is_empty() {
            out.plain("\n\n");
        }
        out.push(Role::Heading, "Available fields");
        for field in fields {
            out.push(Role::Dim, "\n• ");
            out.push(Role::Name, (dialect.spelling().field)(field));
        }
    }
    out
}

/// The answer as JSON.
pub fn json(query: &Query, dialect: Dialect, texts: Texts<'_>) -> Value {
    let mut out = Map::new();
    out.insert("contracts".into(), json!(query.contracts));
    out.insert("types".into(), json!(query.types));
    let value = query.value.as_ref().map(|value| {
        manifest(value, Format::Json)
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_else(|| Value::String(written(dialect.spelling(), value, usize::MAX, texts).text()))
    });
    out.insert("value".into(), value.unwrap_or(Value::Null));
    let priority = match &query.priority {
        Priority::Default => String::from("default"),
        Priority::Force => String::from("force"),
        Priority::Normal | Priority::Layer(_) => String::from("0"),
        Priority::Number(n) => n.to_string(),
    };
    out.insert("priority".into(), json!(priority));
    out.insert("merge".into(), json!(query.merge));
    out.insert("optional".into(), json!(query.optional));
    out.insert("not_exported".into(), json!(query.not_exported));
    out.insert("secret".into(), json!(query.secret));
    out.insert("documentation".into(), json!(query.doc.as_ref().map(|d| d.as_str())));
    let fields = query.fields.as_ref().map(|f| f.iter().map(|n| n.as_str()).collect::<Vec<_>>());
    out.insert("fields".into(), json!(fields));
    Value::Object(out)
}
