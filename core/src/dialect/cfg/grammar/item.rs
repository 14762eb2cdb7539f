//! Cells: definitions and expressions at the prompt or in a notebook.
//!
//! The parts of a cell are separated by `;`, by `,` or by a new line. A new line begins a new part if it is outside
//! brackets, is not indented more than the part before it, and begins with a token that can begin a part. A line that
//! begins with an operator, `in`, `|`, `then` or similar continues the part before.

use super::Parser;
use crate::dialect::cfg::problem::CfgProblem;
use crate::dialect::cfg::token::Kind;
use crate::dialect::cfg::tree::{Binding, Expr, Id, Item, Pattern};

impl Parser<'_> {
    /// Parses the parts of a cell.
    pub(super) fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        loop {
            while matches!(self.kind(), Kind::Semicolon | Kind::Comma) && !items.is_empty() {
                self.bump();
            }
            if self.kind() == Kind::Eof {
                return items;
            }
            let before = self.at;
            self.begin_item();
            items.push(self.item());
            if self.at == before {
                self.unexpected(&["an expression"]);
                self.bump();
                self.skip_to(&[Kind::Semicolon, Kind::Comma]);
            } else if !matches!(self.kind(), Kind::Semicolon | Kind::Comma | Kind::Eof) && !self.new_item() {
                self.unexpected(&["an operator", "a new line", "the end"]);
                self.skip_to(&[Kind::Semicolon, Kind::Comma]);
            }
        }
    }

    fn item(&mut self) -> Item {
        let start = self.token.start;
        if self.kind() == Kind::Let {
            self.bump();
            let recursive = self.eat(Kind::Rec);
            let bindings = self.bindings();
            if matches!(self.kind(), Kind::Eof | Kind::Semicolon) || self.new_item() {
                return Item::Let(recursive, bindings);
            }
            return Item::Expr(self.let_body(start, recursive, bindings));
        }
        let expr = self.term();
        if self.kind() != Kind::Equals {
            return Item::Expr(expr);
        }
        let (target, metas) = match self.tree.expr_mut(expr) {
            Expr::Annotated(target, metas) => (*target, std::mem::take(metas).into_vec()),
            _ => (expr, Vec::new()),
        };
        let pattern = self.bound_name(target);
        let value = self.bound_value();
        Item::Bind(Binding { pattern, metas, value, span: self.since(start) })
    }

    /// Returns the pattern that `target = e` binds.
    fn bound_name(&mut self, target: Id) -> crate::dialect::cfg::tree::PId {
        let span = self.tree.span(target);
        let pattern = match self.tree.expr(target) {
            Expr::Name(name) => Pattern::Bind(name.clone()),
            Expr::Wildcard => Pattern::Any,
            _ => {
                self.fault(span, CfgProblem::PathBinding);
                Pattern::Any
            }
        };
        self.tree.add_pattern(pattern, span)
    }
}
