//! A field's metadata, one line each, in the order that `interface.md` fixes.

use crate::answer::Renderer;
use crate::answer::query::Query;
use crate::dialect::notation::value::laid_out;
use crate::meta::Priority;
use crate::styled::{Role, Styled};
use crate::term::Number;
use unicode_width::UnicodeWidthStr;

/// Renders the answer as lines, without a line end after the last. If there is a page, a value that is too wide for it
/// is laid out on several lines.
pub fn text(query: &Query, to: &Renderer<'_>) -> Styled {
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
        let mut text = laid_out(to.dialect.spelling(), value, usize::MAX, &|span| to.written(span));
        if let Some(page) = to.page.filter(|page| key.len() + 4 + text.text().width() > *page) {
            text = laid_out(to.dialect.spelling(), value, page.saturating_sub(key.len() + 4), &|span| to.written(span));
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
    } else if let Some((path, place)) = &query.secret_from {
        let place = place.map(|place| format!(" ({})", to.place(place))).unwrap_or_default();
        line("secret", Styled::from(format!("from {path}{place}")));
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
        for field in fields.iter().filter(|name| !(to.dialect.spelling().is_internal)(name)) {
            out.push(Role::Dim, "\n• ");
            out.push(Role::Name, (to.dialect.spelling().field)(field));
        }
    }
    out
}
