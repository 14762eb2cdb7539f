//! Facts about a block that are known from its syntax: the kind of value that it makes, its keys, and the names that it reads.

use super::Lower;
use crate::dialect::yay::tree::{BlockId, Blocks, Clause, Expr, Id, Part, Spanned, Stanza, Tree, Value};
use crate::text::Name;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// The kind of value that a block or a stanza makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// No value: only `set`, `macro` and the like.
    Nothing,
    /// A dictionary.
    Dict,
    /// A list.
    List,
    /// Any value: the syntax does not determine the kind.
    Any,
}

impl Kind {
    fn join(self, other: Kind) -> Kind {
        match (self, other) {
            (Kind::Nothing, kind) | (kind, Kind::Nothing) => kind,
            (a, b) if a == b => a,
            _ => Kind::Any,
        }
    }
}

/// Maximum depth of nested blocks and macro calls that are followed to find the kind of a block.
const MAX_HOPS: u32 = 64;

impl Lower<'_> {
    /// Returns the kind of the value that a block makes: that of the last stanza that makes one.
    pub(super) fn kind_of(&self, block: BlockId) -> Kind {
        self.kind_within(block, MAX_HOPS)
    }

    fn kind_within(&self, block: BlockId, hops: u32) -> Kind {
        let Some(hops) = hops.checked_sub(1) else { return Kind::Any };
        let stanzas = &self.tree.block(block).stanzas;
        let own = OnceCell::new();
        let kinds = stanzas.iter().rev().map(|stanza| match stanza {
            // a macro of this block, which is not in scope before the block is lowered
            Stanza::Call(name, ..) => match own.get_or_init(|| self.own_macros(block)).get(&name.name) {
                Some(body) => self.kind_within(*body, hops),
                None => self.kind_of_stanza(stanza, hops),
            },
            _ => self.kind_of_stanza(stanza, hops),
        });
        kinds.into_iter().find(|kind| *kind != Kind::Nothing).unwrap_or(Kind::Nothing)
    }

    /// Returns the bodies of the macros that a block defines. O(stanzas).
    fn own_macros(&self, block: BlockId) -> FxHashMap<Name, BlockId> {
        let body = |stanza: &Stanza| match stanza {
            Stanza::Macro(name, body, _) => Some((name.name.clone(), *body)),
            _ => None,
        };
        self.tree.block(block).stanzas.iter().filter_map(body).collect()
    }

    fn kind_of_stanza(&self, stanza: &Stanza, hops: u32) -> Kind {
        let of = |block: BlockId| self.kind_within(block, hops);
        match stanza {
            Stanza::Key(_) | Stanza::Include(..) | Stanza::New(_) => Kind::Dict,
            Stanza::Item(..) | Stanza::For(_) => Kind::List,
            Stanza::Scalar(id) => self.kind_of_scalar(*id),
            Stanza::Search(..) | Stanza::Set(..) | Stanza::Macro(..) | Stanza::Prototype(..) => Kind::Nothing,
            Stanza::If(stanza) => {
                let blocks = stanza.branches.iter().map(|(_, block)| *block).chain(stanza.otherwise);
                blocks.map(of).fold(Kind::Nothing, Kind::join)
            }
            Stanza::Select(select) => {
                let kinds = select.cases.iter().map(|(_, value)| match value {
                    Value::Block(block) => of(*block),
                    Value::Scalar(id) => self.kind_of_scalar(*id),
                    Value::Nothing(_) => Kind::Any,
                });
                kinds.fold(Kind::Nothing, Kind::join)
            }
            Stanza::Call(name, ..) => self.template(&name.name).map_or(Kind::Any, |template| of(template.body)),
        }
    }

    fn kind_of_scalar(&self, id: Id) -> Kind {
        match self.tree.expr(id) {
            Expr::Dict(_) | Expr::DictComp(..) => Kind::Dict,
            Expr::List(_) | Expr::ListComp(..) => Kind::List,
            _ => Kind::Any,
        }
    }

    /// Returns `true` if a document may have keys that are not known here: it includes another document, or it calls a macro that is
    /// not defined in this text.
    pub(super) fn is_open(&self, block: BlockId) -> bool {
        let mut work = vec![block];
        let mut seen = FxHashSet::default();
        while let Some(block) = work.pop() {
            if !seen.insert(block) {
                continue;
            }
            for stanza in &self.tree.block(block).stanzas {
                match stanza {
                    Stanza::Include(..) => return true,
                    Stanza::If(stanza) => {
                        work.extend(stanza.branches.iter().map(|(_, block)| *block).chain(stanza.otherwise));
                    }
                    Stanza::Select(select) => work.extend(select.cases.iter().filter_map(|(_, value)| match value {
                        Value::Block(block) => Some(*block),
                        _ => None,
                    })),
                    Stanza::Call(name, ..) if self.template(&name.name).is_none() => return true,
                    _ => {}
                }
            }
        }
        false
    }

    /// Returns the keys that a block may define, including those under conditions. Ignores includes and macros.
    pub(super) fn keys_of(&self, block: BlockId) -> Vec<&Spanned> {
        let mut keys = Vec::new();
        let mut work = vec![block];
        while let Some(block) = work.pop() {
            for stanza in &self.tree.block(block).stanzas {
                match stanza {
                    Stanza::Key(entry) => keys.push(&entry.name),
                    Stanza::New(new) => match &new.name {
                        Some(name) => keys.push(name),
                        None => work.extend(new.body),
                    },
                    Stanza::If(stanza) => {
                        let blocks = stanza.branches.iter().map(|(_, block)| *block).chain(stanza.otherwise);
                        work.extend(blocks);
                    }
                    Stanza::Select(select) => work.extend(select.cases.iter().filter_map(|(_, value)| match value {
                        Value::Block(block) => Some(*block),
                        _ => None,
                    })),
                    _ => {}
                }
            }
        }
        keys
    }

    /// Returns the distinct names that a block reads or calls, in no particular order. `O(block)`.
    pub(super) fn names_in(&self, block: BlockId) -> Vec<Name> {
        let mut found = NameSearch::default();
        found.blocks.push(block);
        self.find(found)
    }

    /// Returns the distinct names that a value reads.
    pub(super) fn names_in_value(&self, value: Value) -> Vec<Name> {
        let mut found = NameSearch::default();
        found.value(value);
        self.find(found)
    }

    /// Returns the distinct names that an expression reads.
    pub(super) fn names_in_expr(&self, id: Id) -> Vec<Name> {
        self.find(NameSearch { exprs: vec![id], ..NameSearch::default() })
    }

    fn find(&self, found: NameSearch) -> Vec<Name> {
        found.names(self.tree)
    }
}

/// Returns the distinct names that a block reads or calls, in no particular order. `O(block)`.
pub fn names_in_block(tree: &Tree, block: BlockId) -> Vec<Name> {
    NameSearch { blocks: vec![block], ..NameSearch::default() }.names(tree)
}

/// Returns the expressions directly inside an expression. Blocks inside it are ignored.
pub(super) fn parts_of(expr: &Expr) -> Vec<Id> {
    let mut found = NameSearch::default();
    found.expr(expr);
    found.exprs
}

/// A search for names: the blocks and expressions that remain to be searched, and the names found.
#[derive(Default)]
struct NameSearch {
    blocks: Vec<BlockId>,
    exprs: Vec<Id>,
    names: Vec<Name>,
    seen: FxHashSet<Name>,
}

impl NameSearch {
    /// Searches the blocks and expressions, and returns the names.
    fn names(mut self, tree: &Tree) -> Vec<Name> {
        loop {
            if let Some(block) = self.blocks.pop() {
                tree.block(block).stanzas.iter().for_each(|stanza| self.stanza(stanza));
            } else if let Some(id) = self.exprs.pop() {
                self.expr(tree.expr(id));
            } else {
                return self.names;
            }
        }
    }

    fn name(&mut self, name: &Name) {
        if self.seen.insert(name.clone()) {
            self.names.push(name.clone());
        }
    }

    fn value(&mut self, value: Value) {
        match value {
            Value::Nothing(_) => {}
            Value::Scalar(id) => self.exprs.push(id),
            Value::Block(block) => self.blocks.push(block),
        }
    }

    fn stanza(&mut self, stanza: &Stanza) {
        match stanza {
            Stanza::Key(entry) => self.value(entry.value),
            Stanza::Item(value, _) => self.value(*value),
            Stanza::Scalar(id) | Stanza::Include(id, _) | Stanza::Search(id, _) | Stanza::Set(_, id, _) => {
                self.exprs.push(*id);
            }
            Stanza::If(stanza) => {
                self.exprs.extend(stanza.branches.iter().map(|(condition, _)| *condition));
                self.blocks.extend(stanza.branches.iter().map(|(_, block)| *block).chain(stanza.otherwise));
            }
            Stanza::For(stanza) => {
                self.exprs.push(stanza.items);
                self.exprs.extend(stanza.condition);
                self.blocks.push(stanza.body);
            }
            Stanza::Select(select) => {
                self.exprs.push(select.of);
                select.cases.iter().for_each(|(_, value)| self.value(*value));
            }
            Stanza::Macro(_, body, _) | Stanza::Prototype(_, body, _) => self.blocks.push(*body),
            Stanza::Call(name, args, _) => {
                self.name(&name.name);
                self.blocks.extend(*args);
            }
            Stanza::New(new) => {
                self.exprs.push(new.of);
                self.blocks.extend(new.body);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let clauses = |found: &mut Self, clauses: &[Clause]| {
            for clause in clauses {
                let (Clause::For(_, id) | Clause::If(id)) = clause;
                found.exprs.push(*id);
            }
        };
        match expr {
            Expr::Hole | Expr::Cursor | Expr::Number(_) | Expr::Str(_) => {}
            Expr::Block(block) => self.blocks.push(*block),
            Expr::Text(parts) => self.exprs.extend(parts.iter().filter_map(|part| match part {
                Part::Text(_) => None,
                Part::Expr(id) => Some(*id),
            })),
            Expr::List(items) => self.exprs.extend(items.iter().copied()),
            Expr::Dict(pairs) => self.exprs.extend(pairs.iter().flat_map(|(key, value)| [*key, *value])),
            Expr::ListComp(body, list) => {
                self.exprs.push(*body);
                clauses(self, list);
            }
            Expr::DictComp(pair, list) => {
                self.exprs.extend([pair.0, pair.1]);
                clauses(self, list);
            }
            Expr::Name(name) => self.name(name),
            Expr::Dot(id, _) | Expr::Unary(_, id) | Expr::Paren(id) => self.exprs.push(*id),
            Expr::Index(a, b) | Expr::Binary(_, a, b) | Expr::Else(a, b) => self.exprs.extend([*a, *b]),
            Expr::Slice(of, parts) => {
                self.exprs.push(*of);
                self.exprs.extend(parts.iter().flatten());
            }
            Expr::Call(func, args) => {
                self.exprs.push(*func);
                self.exprs.extend(args.iter().map(|(_, arg)| *arg));
            }
            Expr::Chain(first, more) => {
                self.exprs.push(*first);
                self.exprs.extend(more.iter().map(|(_, id)| *id));
            }
            Expr::If(a, b, c) => self.exprs.extend([*a, *b, *c]),
            Expr::Lambda(params, body) => {
                self.exprs.extend(params.iter().filter_map(|(_, default)| *default));
                self.exprs.push(*body);
            }
        }
    }
}
