//! Documentation as text.

use super::Doc;
use crate::answer::Renderer;
use crate::styled::wrap::wrap;
use crate::styled::{Role, Styled};

/// The text where there is no documentation.
pub const NONE: &str = "No documentation.";

/// Returns the name with its type.
pub fn heading(doc: &Doc, to: &Renderer<'_>) -> Styled {
    let mut out = Styled::of(Role::Name, &doc.name);
    if !doc.ty.is_empty() {
        out.push(Role::Operator, to.dialect.spelling().of);
        out.append(&doc.ty);
    }
    out
}

/// Renders the name with its type, the documentation, the examples, and the names of a module.
pub fn text(doc: &Doc, to: &Renderer<'_>) -> Styled {
    let wrapped = |text: &str| wrap(text, to.page.unwrap_or(usize::MAX), 0);
    let mut out = heading(doc, to);
    out.plain("\n\n");
    match &doc.text {
        Some(text) => out.plain(wrapped(text.trim())),
        None => out.push(Role::Dim, NONE),
    }
    for (index, (input, output)) in doc.examples.iter().enumerate() {
        out.plain(if index == 0 { "\n\n  " } else { "\n  " });
        out.push(Role::Plain, input);
        out.push(Role::Dim, format!("  # => {output}"));
    }
    if !doc.names.is_empty() {
        out.plain("\n\n");
        out.push(Role::Dim, wrapped(&doc.names.join(" ")));
    }
    out
}
