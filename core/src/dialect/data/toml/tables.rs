//! The tables of a TOML file: which keys are defined where, and which tables may be extended (TOML 1.1, "Keys", "Table").

use super::super::build::Build;
use super::entry;
use crate::problem::data::Redefinition;
use crate::term::NodeId;
use crate::text::{Name, Span};
use rustc_hash::FxHashMap;

/// One part of a key.
pub(super) struct Key {
    pub name: Name,
    pub span: Span,
}

/// A duplicate key.
pub(super) struct DuplicateKey {
    pub name: Name,
    pub span: Span,
    /// The span of the first definition.
    pub first: Span,
    pub kind: DuplicateKind,
}

/// The way in which a key is defined twice.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum DuplicateKind {
    /// Two values.
    Values,
    /// Two definitions of which at least one is a table.
    Redefined(Redefinition),
}

/// The way in which a table was created.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    /// As the parent in a header.
    Implied,
    /// By its own header, as the file itself, or as an inline table.
    Defined,
    /// By a dotted key.
    Dotted,
}

enum Item {
    Value(NodeId),
    Table(usize),
    Tables(Vec<usize>),
}

struct Table {
    entries: Vec<(Key, Item)>,
    index: FxHashMap<Name, usize>,
    origin: Origin,
    span: Span,
}

/// All tables of a file. Number 0 is the file itself.
pub(super) struct Tables {
    all: Vec<Table>,
}

impl Tables {
    pub fn new(span: Span) -> Tables {
        let mut tables = Tables { all: Vec::new() };
        tables.add(Origin::Defined, span);
        tables
    }

    fn add(&mut self, origin: Origin, span: Span) -> usize {
        self.all.push(Table { entries: Vec::new(), index: FxHashMap::default(), origin, span });
        self.all.len() - 1
    }

    /// Adds a table that is not part of another one.
    pub fn detached(&mut self, span: Span) -> usize {
        self.add(Origin::Defined, span)
    }

    fn insert(&mut self, table: usize, key: Key, item: Item) {
        if let Some(table) = self.all.get_mut(table) {
            table.index.insert(key.name.clone(), table.entries.len());
            table.entries.push((key, item));
        }
    }

    fn find(&self, table: usize, name: &Name) -> Option<&(Key, Item)> {
        let table = self.all.get(table)?;
        table.entries.get(*table.index.get(name)?)
    }

    fn duplicate(&self, table: usize, key: Key, kind: DuplicateKind) -> DuplicateKey {
        let first = self.find(table, &key.name).map_or(key.span, |(first, _)| first.span);
        DuplicateKey { name: key.name, span: key.span, first, kind }
    }

    fn redefined(&self, table: usize, key: Key, what: Redefinition) -> DuplicateKey {
        self.duplicate(table, key, DuplicateKind::Redefined(what))
    }

    /// Defines a key, dotted or not, in a table.
    pub fn define(&mut self, table: usize, keys: Vec<Key>, value: NodeId) -> Result<(), DuplicateKey> {
        let mut table = table;
        let mut keys = keys.into_iter().peekable();
        while let Some(key) = keys.next() {
            let last = keys.peek().is_none();
            match self.find(table, &key.name) {
                None if last => {
                    self.insert(table, key, Item::Value(value));
                    return Ok(());
                }
                None => {
                    let new = self.add(Origin::Dotted, key.span);
                    self.insert(table, key, Item::Table(new));
                    table = new;
                }
                Some((_, Item::Table(inner)))
                    if !last && self.all.get(*inner).is_some_and(|t| t.origin == Origin::Dotted) =>
                {
                    table = *inner;
                }
                Some(_) => {
                    let kind = if last { DuplicateKind::Values } else { DuplicateKind::Redefined(Redefinition::Other) };
                    return Err(self.duplicate(table, key, kind));
                }
            }
        }
        Ok(())
    }

    /// Returns the table of a header `[a.b]`, or a new element for `[[a.b]]`.
    pub fn header(&mut self, keys: Vec<Key>, span: Span, element: bool) -> Result<usize, DuplicateKey> {
        let mut table = 0;
        let mut keys = keys.into_iter().peekable();
        while let Some(key) = keys.next() {
            let last = keys.peek().is_none();
            let found = self.find(table, &key.name).map(|(_, item)| match item {
                Item::Value(_) => (None, false),
                Item::Table(inner) => (Some(*inner), false),
                Item::Tables(all) => (all.last().copied(), true),
            });
            match found {
                None => {
                    let new = self.add(if last { Origin::Defined } else { Origin::Implied }, span);
                    let item = if last && element { Item::Tables(vec![new]) } else { Item::Table(new) };
                    self.insert(table, key, item);
                    table = new;
                }
                Some((Some(inner), _)) if !last => table = inner,
                Some((Some(_), true)) if element => {
                    let new = self.add(Origin::Defined, span);
                    let parent = self.all.get_mut(table);
                    let at = parent.as_ref().and_then(|t| t.index.get(&key.name).copied());
                    if let (Some(parent), Some(at)) = (parent, at)
                        && let Some((_, Item::Tables(all))) = parent.entries.get_mut(at)
                    {
                        all.push(new);
                    }
                    table = new;
                }
                Some((Some(inner), false)) if !element => match self.all.get_mut(inner) {
                    Some(it) if it.origin == Origin::Implied => {
                        it.origin = Origin::Defined;
                        it.span = span;
                        table = inner;
                    }
                    _ => return Err(self.redefined(table, key, Redefinition::Tables)),
                },
                Some((None, _)) => return Err(self.redefined(table, key, Redefinition::Other)),
                Some((Some(_), true)) => return Err(self.redefined(table, key, Redefinition::TableAfterList)),
                Some((Some(_), false)) => return Err(self.redefined(table, key, Redefinition::ListAfterTable)),
            }
        }
        Ok(table)
    }

    /// Builds the record of the whole file.
    pub fn build(&mut self, build: &mut Build, whole: Span) -> NodeId {
        self.build_from(0, build, Some(whole))
    }

    /// Builds the record of a table. Without a given span, the span reaches from its header or key to the end of its last
    /// value.
    pub fn build_from(&mut self, root: usize, build: &mut Build, span: Option<Span>) -> NodeId {
        // each table is listed before its inner ones; built in reverse
        let mut order = vec![root];
        let mut at = 0;
        while let Some(index) = order.get(at).copied() {
            at += 1;
            for (_, item) in self.all.get(index).map_or(&[][..], |t| &t.entries) {
                match item {
                    Item::Value(_) => {}
                    Item::Table(inner) => order.push(*inner),
                    Item::Tables(all) => order.extend(all),
                }
            }
        }
        let mut built: FxHashMap<usize, NodeId> = FxHashMap::default();
        for index in order.into_iter().rev() {
            let Some(table) = self.all.get_mut(index) else { continue };
            let entries = std::mem::take(&mut table.entries);
            let mut whole = table.span;
            let mut record = Vec::with_capacity(entries.len());
            for (key, item) in entries {
                let value = match item {
                    Item::Value(node) => node,
                    Item::Table(inner) => match built.get(&inner) {
                        Some(node) => *node,
                        None => continue,
                    },
                    Item::Tables(all) => {
                        let elements: Vec<NodeId> = all.iter().filter_map(|t| built.get(t).copied()).collect();
                        let spans = elements.first().zip(elements.last());
                        let span =
                            spans.map_or(key.span, |(first, last)| build.node_span(*first).to(build.node_span(*last)));
                        build.array(elements, span)
                    }
                };
                whole = whole.to(build.node_span(value));
                record.push(entry(&key, value));
            }
            if index == root
                && let Some(span) = span
            {
                whole = span;
            }
            let node = build.record(record, whole, false);
            built.insert(index, node);
        }
        match built.get(&root) {
            Some(node) => *node,
            None => {
                let span = self.all.first().map(|t| t.span);
                build.hole(span.unwrap_or_else(|| build.span(0, 0)))
            }
        }
    }
}
