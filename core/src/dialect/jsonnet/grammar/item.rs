//! Cells: definitions and expressions at the prompt or in a notebook.
//!
//! A cell is one expression, as in a file, or more. `local x = 1`, without an expression after it and with or without a
//! `;`, binds a name in the session. A cell may have several parts on separate lines. A new line begins a new part if
//! it is outside brackets, is not indented more than the part before it, and begins with a token that cannot continue
//! that part.

use super::Parser;
use crate::dialect::jsonnet::token::Kind;
use crate::dialect::jsonnet::tree::{Binding, Expr, Item};
use crate::term::Prim;

impl Parser<'_> {
    /// Parses the parts of a cell.
    pub(super) fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        loop {
            while self.kind() == Kind::Semicolon && !items.is_empty() {
                self.bump();
            }
            if self.kind() == Kind::Eof {
                return items;
            }
            let before = self.at;
            self.begin_item();
            self.item(&mut items);
            if self.at == before {
                self.unexpected(&["an expression"]);
                self.bump();
                self.skip_to(&[Kind::Semicolon]);
            } else if !matches!(self.kind(), Kind::Semicolon | Kind::Eof) && !self.new_item() {
                let mistake = match items.last() {
                    Some(Item::Expr(expr)) => self.mistake_after(*expr),
                    _ => None,
                };
                self.unexpected_as(&["an operator", "a new line", "the end"], mistake);
                self.skip_to(&[Kind::Semicolon]);
            }
        }
    }

    fn item(&mut self, items: &mut Vec<Item>) {
        let (mut chain, mut docs) = (Vec::new(), Vec::new());
        while self.kind() == Kind::Local {
            docs.push(self.doc());
            let start = self.bump().start;
            let mut bindings = self.bindings();
            if self.kind() == Kind::Eof
                && self.names_itself_in(&bindings)
                && let Some(body) = self.written_in(&mut bindings)
            {
                chain.push((start, bindings));
                let whole = self.wrap(chain, body);
                items.push(Item::Expr(whole));
                return;
            }
            chain.push((start, bindings));
            let bound = self.kind() == Kind::Eof || (!self.brackets_open() && self.new_item());
            if bound || (self.kind() == Kind::Semicolon && self.peek(1).kind == Kind::Eof) {
                self.eat(Kind::Semicolon);
                for ((start, bindings), doc) in chain.into_iter().zip(docs) {
                    let end = bindings.last().map_or(start, |b| b.span.end);
                    let span = crate::text::Span { source: self.source, start, end };
                    items.push(Item::Local { bindings, doc, span });
                }
                return;
            }
            if !self.semicolon() {
                break;
            }
        }
        let body = self.term();
        let whole = self.wrap(chain, body);
        items.push(Item::Expr(whole));
    }

    /// Returns `true` if the last definition is `x = … in …` and the part after the `in` refers to a name that is being
    /// defined. Such an `in` ends the definitions: it does not test membership.
    fn names_itself_in(&self, bindings: &[Binding]) -> bool {
        let Some(last) = bindings.last() else { return false };
        let Expr::Binary(Prim::In, _, behind) = *self.tree.expr(last.value) else { return false };
        let behind = self.tree.span(behind);
        let is_field = |start: u32| self.text.get(..start as usize).is_some_and(|t| t.trim_end().ends_with('.'));
        self.tokens
            .iter()
            .filter(|t| t.kind == Kind::Ident && t.start >= behind.start && t.start < behind.end)
            .filter(|t| !is_field(t.start))
            .any(|t| bindings.iter().any(|b| self.slice(*t) == b.name.name.as_str()))
    }
}
