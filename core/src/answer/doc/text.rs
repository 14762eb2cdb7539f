//! Documentation as text.

use crate::answer::doc::Doc;
use crate::styled::wrap::wrap;
use crate::styled::{Role, Styled};

/// Renders `name : type`, the text and the examples. `of` is the separator between the name and the type.
pub fn doc(doc: &Doc, of: &str, width: Option<usize>) -> Styled {
    let mut out = Styled::of(Role::Name, &doc.name);
    if !doc.ty.is_empty() {
        out.push(Role::Operator, of);
        out.append(&doc.ty);
    }
    match &doc.text {
        Some(text) => {
            out.plain("\n\n");
            out.plain(wrap(text.trim(), width.unwrap_or(usize::MAX), 0));
        }
        None => out.push(Role::Dim, "\n\nNo documentation."),
    }
    for (index, (input, output)) in doc.examples.iter().enumerate() {
        out.plain(if index == 0 { "\n\n  " } else { "\n  " });
        out.push(Role::Plain, input);
        out.push(Role::Dim, format!("  # => {output}"));
    }
    if !doc.names.is_empty() {
        out.plain("\n\n");
        out.push(Role::Dim, wrap(&doc.names.join(" "), width.unwrap_or(usize::MAX), 0));
    }
    out
}
