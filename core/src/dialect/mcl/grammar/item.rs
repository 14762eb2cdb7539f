//! Cells: statements and expressions at the prompt or in a notebook.

use super::Parser;
use crate::dialect::mcl::token::Kind;
use crate::dialect::mcl::tree::{Item, Stmt, StmtId};
use crate::text::Name;
use rustc_hash::FxHashMap;
use std::ops::Range;

impl<const N: bool> Parser<'_, N> {
    /// Parses the parts of a cell.
    pub(super) fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        let (mut definitions, mut graph) = (Vec::new(), Vec::new());
        while !self.is_at_end() {
            let before = self.at;
            self.begin_item();
            if self.is_statement(0) {
                let from = self.at;
                let id = self.statement();
                self.line_end();
                if self.is_definition(id) {
                    definitions.push((id, from..self.at));
                } else {
                    graph.push(id);
                }
            } else {
                items.push(Item::Expr(self.expression()));
                if !self.is_at_end() && !self.new_item() && !self.kind().starts_statement() {
                    self.unexpected(&["an operator", "a new line", "the end"]);
                    self.skip_to_statement();
                }
            }
            if self.at == before {
                self.unexpected(&["a statement", "an expression"]);
                self.bump();
                self.skip_to_statement();
            }
        }
        let mut all = self.in_order(definitions);
        if let (Some(first), Some(last)) = (graph.first(), graph.last()) {
            let span = self.tree.stmt_span(*first).to(self.tree.stmt_span(*last));
            all.push(Item::Graph(graph, span));
        }
        all.extend(items);
        all
    }

    /// Whether a statement binds a name.
    fn is_definition(&self, id: StmtId) -> bool {
        match self.tree.stmt(id) {
            Stmt::Bind { .. } | Stmt::Func { .. } | Stmt::Class(_) | Stmt::Import { .. } => true,
            Stmt::Include { namespace, .. } => namespace.is_some(),
            _ => false,
        }
    }

    /// Sorts definitions so that each follows the definitions that it uses. A cell may have them in any order.
    fn in_order(&self, definitions: Vec<(StmtId, Range<usize>)>) -> Vec<Item> {
        let name = |id: StmtId| match self.tree.stmt(id) {
            Stmt::Bind { name, .. } | Stmt::Func { name, .. } => name.name.clone(),
            Stmt::Class(class) => class.name.name.clone(),
            Stmt::Include { namespace: Some(namespace), .. } => namespace.name.clone(),
            _ => Name::default(),
        };
        let mut by_name: FxHashMap<Name, Vec<usize>> = FxHashMap::default();
        for (at, (id, _)) in definitions.iter().enumerate() {
            by_name.entry(name(*id)).or_default().push(at);
        }
        let mut out = Vec::with_capacity(definitions.len());
        let mut state = vec![false; definitions.len()];
        for start in 0..definitions.len() {
            // a definition comes after the definitions that it uses
            let mut work = vec![(start, false)];
            while let Some((at, done)) = work.pop() {
                let Some((id, tokens)) = definitions.get(at) else { continue };
                if done {
                    out.push(Item::Stmt(*id));
                    continue;
                }
                if std::mem::replace(&mut state[at], true) {
                    continue;
                }
                work.push((at, true));
                for token in self.tokens.get(tokens.clone()).unwrap_or(&[]) {
                    let named = (token.kind == Kind::Ident).then(|| self.name_of(*token));
                    let used = named.and_then(|name| by_name.get(&name)).into_iter().flatten();
                    work.extend(used.filter(|used| !state[**used]).map(|used| (*used, false)));
                }
            }
        }
        out
    }

    /// Returns `true` if a statement begins at a token, not an expression. Looks ahead to the first brace of an `if`.
    pub(super) fn is_statement(&self, mut from: usize) -> bool {
        // the branches of nested statements decide
        while self.peek(from).kind == Kind::If {
            match self.branch_of_if(from) {
                Some(next) if self.peek(next).kind != Kind::RBrace => from = next,
                _ => return true,
            }
        }
        let kind = |ahead: usize| self.peek(from + ahead).kind;
        match kind(0) {
            Kind::Class | Kind::Include | Kind::Import | Kind::Panic | Kind::Capital => true,
            Kind::Func => kind(1) == Kind::Ident,
            Kind::Dollar if self.binds_foreign_name(from) => true,
            Kind::Dollar if kind(1) == Kind::Ident => {
                // `$x = e`, `$x T = e`
                let token = self.peek(from + 2);
                let typed = matches!(self.slice(token), "bool" | "str" | "int" | "float" | "map" | "variant");
                match token.kind {
                    Kind::Equals | Kind::Func | Kind::Struct => true,
                    Kind::Ident => typed,
                    Kind::LBracket => kind(3) == Kind::RBracket,
                    _ => false,
                }
            }
            Kind::Ident => {
                let mut ahead = 1;
                while kind(ahead) == Kind::Dot {
                    ahead += 2;
                }
                kind(ahead) != Kind::LParen && kind(ahead) != Kind::Eof || kind(ahead) == Kind::Colon
            }
            _ => false,
        }
    }

    /// Returns the index of the token after the brace of the first branch of an `if`. Looks ahead a limited distance.
    fn branch_of_if(&self, from: usize) -> Option<usize> {
        let (mut inner, mut conditions) = (0u32, 0u32);
        let mut at = from + 1;
        while at < from + 10_000 {
            let kind = self.peek(at).kind;
            match kind {
                Kind::Eof => return None,
                // an `if` in the condition has two branches of its own
                Kind::If if inner == 0 => conditions += 1,
                Kind::LBrace if inner == 0 && self.is_branch(at) => {
                    if conditions == 0 {
                        return Some(at + 1);
                    }
                    at = self.behind_brace(at)?;
                    if self.peek(at).kind == Kind::Else {
                        at = self.behind_brace(at + 1)?;
                    }
                    conditions -= 1;
                    continue;
                }
                Kind::LBrace | Kind::LParen | Kind::LBracket => inner += 1,
                Kind::RBrace | Kind::RParen | Kind::RBracket => inner = inner.saturating_sub(1),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Whether a brace begins a branch or a body, not a map, a struct or a type.
    fn is_branch(&self, at: usize) -> bool {
        let before = self.peek(at.saturating_sub(1));
        let operand = matches!(
            before.kind,
            Kind::RParen
                | Kind::RBracket
                | Kind::RBrace
                | Kind::Int
                | Kind::Float
                | Kind::Str
                | Kind::True
                | Kind::False
                | Kind::Result
        );
        operand || (before.kind == Kind::Ident && self.slice(before) != "map")
    }

    /// Returns the index after the bracket that closes the one at an index.
    fn behind_brace(&self, at: usize) -> Option<usize> {
        let mut inner = 0u32;
        for at in at..at + 10_000 {
            match self.peek(at).kind {
                Kind::Eof => return None,
                Kind::LBrace | Kind::LParen | Kind::LBracket => inner += 1,
                Kind::RBrace | Kind::RParen | Kind::RBracket => {
                    inner = inner.saturating_sub(1);
                    if inner == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }
}
