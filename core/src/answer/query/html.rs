//! The metadata of a field as HTML: a table.

use super::Query;
use crate::answer::Renderer;
use crate::answer::steps::text::priority;
use crate::dialect::notation::value::laid_out;
use crate::meta::Priority;
use crate::styled::{Role, Styled};
use crate::view::html::{Cell, Html};

/// Writes an answer.
pub fn html(query: &Query, to: &Renderer<'_>, html: &mut Html) {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut row = |key: &str, value: Styled| rows.push(vec![Cell::Head(Styled::of(Role::Dim, key)), Cell::Text(value)]);
    for contract in &query.contracts {
        row("contract", Styled::of(Role::Type, contract));
    }
    for ty in &query.types {
        row("type", Styled::of(Role::Type, ty));
    }
    if let Some(value) = &query.value {
        row("value", laid_out(to.dialect.spelling(), value, 76, &|span| to.written(span)));
    }
    if !matches!(query.priority, Priority::Normal | Priority::Layer(_)) {
        row("priority", Styled::of(Role::Keyword, priority(&query.priority)));
    }
    for merge in &query.merge {
        row("merge", Styled::from(merge.as_str()));
    }
    let flags = [(query.optional, "optional"), (query.not_exported, "not exported"), (query.secret, "secret")];
    for (_, flag) in flags.into_iter().filter(|(set, _)| *set) {
        row(flag, Styled::from("yes"));
    }
    if let Some((path, place)) = &query.secret_from {
        let place = place.map(|place| format!(" ({})", to.place(place))).unwrap_or_default();
        row("secret", Styled::from(format!("from {path}{place}")));
    }
    if let Some(doc) = &query.doc {
        row("documentation", Styled::from(doc.trim_end()));
    }
    if let Some(fields) = query.fields.as_ref().filter(|fields| !fields.is_empty()) {
        let names: Vec<_> = fields.iter().map(|name| (to.dialect.spelling().field)(name)).collect();
        row("fields", Styled::of(Role::Name, names.join(", ")));
    }
    html.table(&[], rows);
}
