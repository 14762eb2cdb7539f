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

    /// Whether it needs more than `room` columns on one line. O(room).
    fn is_wider_than(&self, room: usize) -> bool {
        let mut left = room;
        let mut work = vec![self];
        while let Some(doc) = work.pop() {
            let own = match doc {
                Doc::Text(_, text) => text.chars().count(),
                Doc::All(parts) => {
                    work.extend(parts);
                    0
                }
                Doc::Block { open, items, tail, close, .. } => {
                    work.extend(items.iter().take(left + 1));
                    work.extend([open].into_iter().chain(tail).map(|part| &**part));
                    2 * items.len() + close.len() + 2 * usize::from(tail.is_some())
                }
            };
            let Some(rest) = left.checked_sub(own) else { return true };
            left = rest;
        }
        false
    }

    /// Moves the parts out.
    fn take_parts(&mut self, out: &mut Vec<Doc>) {
        match self {
            Doc::Text(..) => {}
            Doc::All(parts) => out.append(parts),
            Doc::Block { open, items, tail, .. } => {
                out.append(items);
                out.push(std::mem::replace(open, Doc::op("")));
                out.extend(tail.take().map(|tail| *tail));
            }
        }
    }
}

/// Without recursion, because a type may be deep.
impl Drop for Doc {
    fn drop(&mut self) {
        let mut parts = Vec::new();
        self.take_parts(&mut parts);
        while let Some(mut part) = parts.pop() {
            part.take_parts(&mut parts);
        }
    }
}

/// Prints a document: on one line if it fits, otherwise with one item of a block per line.
pub(super) fn lay_out(doc: &Doc, width: Option<usize>, out: &mut Styled) {
    fn go(doc: &Doc, width: Option<usize>, indent: usize, column: &mut usize, out: &mut Styled) {
        crate::deep::deeper(|| match doc {
            Doc::Text(role, text) => {
                out.push(*role, text);
                *column += text.chars().count();
            }
            Doc::All(parts) => parts.iter().for_each(|p| go(p, width, indent, column, out)),
            Doc::Block { open, items, tail, close, blank } => {
                let pad = if *blank { " " } else { "" };
                go(open, width, indent, column, out);
                let broken = !items.is_empty() && width.is_some_and(|w| doc.is_wider_than(w.saturating_sub(*column)));
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

#[cfg(test)]
mod tests {
    use super::Doc;

    /// Lays out and drops a document that is deeper than the stack.
    #[test]
    fn a_deep_document_needs_no_stack() {
        let mut doc = Doc::op("x");
        for _ in 0..1_000_000 {
            doc = Doc::Block { open: Box::new(Doc::op("[")), items: vec![doc], tail: None, close: "]", blank: false };
        }
        assert!(doc.is_wider_than(80));
        drop(doc);
    }

    #[test]
    fn the_width_counts_brackets_and_commas() {
        let items = vec![Doc::op("ab"), Doc::op("c")];
        let doc = Doc::Block { open: Box::new(Doc::op("[")), items, tail: None, close: "]", blank: false };
        // `[`, `ab`, `c`, `]`, and two columns for each item
        assert_eq!([8, 9].map(|room| doc.is_wider_than(room)), [true, false]);
    }
}
