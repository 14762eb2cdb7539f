//! A session's input: a document or an expression.
//!
//! ```text
//! port: 80                    a document: each key is a definition
//! set x = 1                   a definition that is not part of the document
//! port + 1, {{ port + 1 }}    an expression: nothing is bound
//! ```
//!
//! Keys are looked up in the session: if a key that another one reads is defined again, the reader gets the new value. A key that
//! extends a dictionary or a list is a layer on top of the earlier definition.

use super::CONSEQUENT_CODES;
use super::grammar::{YayGrammar, warnings};
use super::lexer::is_document;
use super::lower::{Lower, Part};
use super::tree::{BlockId, Blocks, Item, Tree};
use crate::dialect::{Cell, CellItem, Completeness, Names, parser};
use crate::problem::Problem;
use crate::term::Term;
use crate::text::{Name, SourceId, Span};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Reads an input of a session. Total. Near-linear in the length of the text.
pub fn cell(source: SourceId, text: &str, names: &dyn Names) -> Cell {
    let parsed = parser::cell::<YayGrammar>(source, text, names.stop());
    let (earlier, items, mut problems) = (FxHashSet::default(), Vec::new(), parsed.problems);
    problems.extend(warnings(&parsed.tree, text, &problems));
    let mut reader = Reader { tree: &parsed.tree, source, names, earlier, items, problems };
    for item in &parsed.parts {
        match item {
            Item::Expr(id) => {
                let term = reader.lower(|lower| {
                    let (term, problems, _) = lower.whole(*id);
                    (term, problems)
                });
                reader.items.push(CellItem::Expr(term));
            }
            Item::Document(block) => reader.document(*block),
        }
    }
    Cell { items: reader.items, problems: parser::in_order(reader.problems, CONSEQUENT_CODES) }
}

struct Reader<'a> {
    tree: &'a Tree,
    source: SourceId,
    names: &'a dyn Names,
    /// The names bound so far.
    earlier: FxHashSet<Name>,
    items: Vec<CellItem>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn lower(&mut self, make: impl FnOnce(Lower<'_>) -> (Term, Vec<Problem>)) -> Arc<Term> {
        let (term, problems) = make(Lower::new(self.tree, self.names, &self.earlier));
        for problem in problems {
            // keys that need each other are lowered from the same text, so their problems occur several times
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
        Arc::new(term)
    }

    fn bind(&mut self, name: Name, name_span: Span, doc: Option<Name>, term: Arc<Term>) {
        self.earlier.insert(name.clone());
        self.items.push(CellItem::Bind { name, name_span, recursive: false, doc, term });
    }

    fn document(&mut self, block: BlockId) {
        let parts = Lower::new(self.tree, self.names, &self.earlier).parts(block);
        for part in parts {
            match part {
                Part::Whole => {
                    let term = self.lower(|lower| lower.shown(block));
                    self.items.push(CellItem::Expr(term));
                }
                Part::Keys(keys) => {
                    // keys that need each other are one document
                    if let [key] = keys.as_slice() {
                        let term = self.lower(|lower| lower.key(block, key));
                        self.bind(key.name.clone(), key.span, key.doc.clone(), term);
                        continue;
                    }
                    let shared = Name::from(format!("%{}.{}", self.source.0, self.items.len()));
                    let span = self.tree.block(block).span;
                    let all = self.lower(|lower| lower.keys(block, &keys));
                    self.bind(shared.clone(), span, None, all);
                    for key in keys {
                        let term = self.lower(|lower| lower.member(&shared, &key));
                        self.bind(key.name, key.span, key.doc, term);
                    }
                }
            }
        }
    }
}

/// Returns whether an input is complete. A document whose last line is indented, or is a key without a
/// value, continues until an empty line, as in Python.
pub fn completeness(text: &str) -> Completeness {
    let found = parser::completeness::<YayGrammar>(text);
    if !is_document(text) || text.trim().is_empty() {
        return found;
    }
    let ended = text.rsplit_once('\n').is_some_and(|(_, last)| last.trim().is_empty());
    let line = text.trim_end().rsplit('\n').next().unwrap_or("");
    let indent = line.len() - line.trim_start().len();
    let opens = line.trim_end().ends_with(':');
    match found {
        Completeness::Incomplete { .. } | Completeness::Complete if !ended && opens => {
            Completeness::Incomplete { indent: indent + 2 }
        }
        Completeness::Complete if !ended && indent > 0 => Completeness::Incomplete { indent },
        found => found,
    }
}

/// Splits a text into inputs. A document is one input.
pub fn inputs(text: &str) -> Vec<&str> {
    vec![text]
}
