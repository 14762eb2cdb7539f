//! Documents that are printed on one line if they fit, and otherwise with one item per line.

use crate::styled::{Role, Styled};
use crate::text::Name;

/// A piece of text with a role, or a group of pieces.
pub(super) enum Doc {
    Text(Role, Name),
    All(Vec<Doc>),
    /// Brackets around items: on one line, or with one item per line.
    Block {
        open: Box<Doc>,
        items: Vec<Doc>,
        tail: Option<Box<Doc>>,
        close: &'static str,
        /// Whether spaces are printed inside the brackets, on one line.
        blank: bool,
    },
}

impl Doc {
    pub(super) fn op(text: &'static str) -> Doc {
        Doc::Text(Role::Operator, Name::new_static(text))
    }

    fn flat(&self) -> usize {
        match self {
            Doc::Text(_, t) => t.chars().count(),
            Doc::All(parts) => parts.iter().map(Doc::flat).sum(),
            Doc::Block { open, items, tail, close, .. } => {
                let inside: usize = items.iter().map(|i| i.flat() + 2).sum();
                open.flat() + inside + close.len() + tail.as_ref().map_or(0, |t| t.flat() + 2)
            }
        }
    }
}

/// Prints a document: on one line if it fits, otherwise with one item of a block per line.
pub(super) fn lay_out(doc: &Doc, width: Option<usize>, out: &mut Styled) {
    fn go(doc: &Doc, width: Option<usize>, indent: usize, column: &mut usize, out: &mut Styled) {
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || match doc {
            Doc::Text(role, text) => {
                out.push(*role, text);
                *column += text.chars().count();
            }
            Doc::All(parts) => parts.iter().for_each(|p| go(p, width, indent, column, out)),
            Doc::Block { open, items, tail, close, blank } => {
                let pad = if *blank { " " } else { "" };
                go(open, width, indent, column, out);
                let broken = !items.is_empty() && width.is_some_and(|w| *column + doc.flat() > w);
                let text = |t: &str, column: &mut usize, out: &mut Styled| {
                    out.push(Role::Operator, t);
                    *column += t.chars().count();
                };
                let line = |indent: usize, column: &mut usize, out: &mut Styled| {
                    out.plain(format!("\n{}", " ".repeat(indent)));
                    *column = indent;
                };
                let deeper = indent + 2;
                for (i, item) in items.iter().enumerate() {
                    if broken {
                        line(deeper, column, out);
                    } else {
                        text(if i == 0 { pad } else { ", " }, column, out);
                    }
                    go(item, width, deeper, column, out);
                    if broken && (i + 1 < items.len() || tail.is_none()) {
                        text(",", column, out);
                    }
                }
                if let Some(tail) = tail {
                    if items.is_empty() {
                        text(" ", column, out);
                    }
                    go(tail, width, deeper, column, out);
                }
                if broken {
                    line(indent, column, out);
                } else {
                    text(pad, column, out);
                }
                text(close, column, out);
            }
        });
    }
    go(doc, width, 0, &mut 0, out);
}
