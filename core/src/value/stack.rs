//! The stack of a field: its definitions in all layers. Built when a field of the record is first read.

mod definition;

use super::Label;
use super::collect::{Graph, Trace};
use super::contract::Applied;
use super::deferred_drop::discard_each;
use super::env::{Env, Unit};
use super::object::Order;
use super::record::{DataField, Layers, Literal, Record};
use super::thunk::Thunk;
use crate::meta::Push;
use crate::term::{FieldDef, FieldName, NodeId, RecordLit};
use crate::text::Name;
use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

pub(super) use definition::LayerDefinition;

/// The field names of a record and the definitions of each.
#[derive(Default)]
pub struct Shape {
    pub(super) fields: IndexMap<Name, Slot, FxBuildHasher>,
    /// Whether a definition has a merge function.
    pub(super) merges: bool,
    /// Whether every definition is only a body, so that the record may be a layer of a chain.
    pub(super) plain: bool,
    /// Whether the record has asserts.
    pub(super) asserts: bool,
    by_name: OnceCell<Box<[u32]>>,
}

impl Drop for Shape {
    fn drop(&mut self) {
        discard_each(std::mem::take(&mut self.fields));
    }
}

/// The definitions of a field.
pub(super) struct Slot {
    first: Def,
    /// Present only if the field has several definitions or contracts.
    rest: Option<Box<Rest>>,
}

/// The further definitions and the contracts of a field.
#[derive(Default)]
struct Rest {
    more: Vec<Def>,
    /// Indices of the contracts that apply to all fields of some layers.
    each: Vec<u32>,
}

/// A definition: field `field` of leaf `leaf`.
#[derive(Clone, Copy)]
pub(super) struct Def {
    pub(super) leaf: u32,
    pub(super) field: u32,
    /// The `default rec` or `force rec` that applies to it.
    pub(super) push: Option<Push>,
    /// The number of the import whose merges contain it; 0 for none.
    pub(super) group: u32,
}

impl Slot {
    fn new(def: Def) -> Slot {
        Slot { first: def, rest: None }
    }

    /// Returns the definitions in source order.
    pub(super) fn defs(&self) -> impl Iterator<Item = Def> + '_ {
        std::iter::once(self.first).chain(self.more().iter().copied())
    }

    fn more(&self) -> &[Def] {
        self.rest.as_ref().map_or(&[], |rest| &rest.more)
    }

    /// Returns the indices of the contracts that apply to all fields of some layers.
    pub(super) fn contracts_of_all(&self) -> &[u32] {
        self.rest.as_ref().map_or(&[], |rest| &rest.each)
    }

    /// Returns the last definition in the leaves below `limit`. O(log definitions).
    pub(super) fn last_below(&self, limit: u32) -> Option<Def> {
        match self.more().partition_point(|def| def.leaf < limit).checked_sub(1) {
            Some(at) => self.more().get(at).copied(),
            None => (self.first.leaf < limit).then_some(self.first),
        }
    }

    /// Returns the definition if it is the only one and there are no contracts.
    pub(super) fn only(&self) -> Option<Def> {
        self.rest.is_none().then_some(self.first)
    }
}

/// Returns the first eight bytes of a name as a number: names are in the order of these numbers and, where they are the same, of
/// the names.
fn first_bytes(name: &str) -> u64 {
    let mut first = [0; 8];
    first.iter_mut().zip(name.bytes()).for_each(|(to, byte)| *to = byte);
    u64::from_be_bytes(first)
}

impl Shape {
    /// Returns the indices of the fields sorted by name. O(fields log fields) the first time.
    pub(super) fn by_name(&self) -> &[u32] {
        self.by_name.get_or_init(|| {
            let mut order: Vec<(u64, &Name, u32)> =
                self.fields.keys().zip(0..).map(|(name, i)| (first_bytes(name), name, i)).collect();
            order.sort_unstable();
            order.into_iter().map(|(_, _, i)| i).collect()
        })
    }

    fn add(&mut self, name: &Name, def: Def) {
        match self.fields.entry(name.clone()) {
            Entry::Occupied(mut slot) => slot.get_mut().rest.get_or_insert_default().more.push(def),
            Entry::Vacant(slot) => {
                slot.insert(Slot::new(def));
            }
        }
    }

    /// Makes the shape of a leaf with these field names. O(names).
    pub(super) fn of_names<'a>(names: impl Iterator<Item = &'a Name>) -> Shape {
        let mut shape = Shape::default();
        shape.fields.reserve(names.size_hint().0);
        for (i, name) in names.enumerate() {
            shape.add(name, Def { leaf: 0, field: i as u32, push: None, group: 0 });
        }
        shape
    }

    /// Returns a name with several definitions.
    pub(super) fn repeated(&self) -> Option<&Name> {
        self.fields.iter().find(|(_, slot)| !slot.more().is_empty()).map(|(name, _)| name)
    }

    /// Makes the shape of a literal. `computed` has the computed names in order; `None` omits the field. O(fields).
    pub(super) fn of_literal(lit: &RecordLit, computed: &[Option<Name>]) -> Shape {
        Shape::without(lit, computed, &[])
    }

    /// Makes the shape of a literal without some of its definitions. O(fields * definitions left out).
    pub(super) fn without(lit: &RecordLit, computed: &[Option<Name>], omitted: &[usize]) -> Shape {
        let mut computed = computed.iter();
        let mut shape = Shape::default();
        shape.fields.reserve(lit.fields.len());
        (shape.plain, shape.asserts) = (true, !lit.asserts.is_empty());
        for (i, f) in lit.fields.iter().enumerate() {
            let def = Def { leaf: 0, field: i as u32, push: None, group: 0 };
            let name = match &f.name {
                FieldName::Static(name) => Some(name),
                FieldName::Computed(_) => computed.next().and_then(Option::as_ref),
            };
            if let Some(name) = name.filter(|_| !omitted.contains(&i)) {
                shape.add(name, def);
            }
            shape.merges |= f.meta.merge.is_some();
            shape.plain &= is_plain(f);
        }
        shape.plain &= shape.repeated().is_none();
        shape
    }

    /// Returns whether this plain shape is that of a literal without asserts and computed names: same names in the
    /// same order, and only bodies. O(fields).
    pub(super) fn is_shape_of(&self, lit: &RecordLit) -> bool {
        self.fields.len() == lit.fields.len()
            && self
                .fields
                .keys()
                .zip(&lit.fields)
                .all(|(name, field)| matches!(&field.name, FieldName::Static(own) if own == name) && is_plain(field))
    }
}

/// A leaf as a part of a final record.
pub(super) struct LeafUse {
    pub(super) leaf: Record,
    frame: OnceCell<Env>,
    /// The label of the record contract that contributed it.
    pub(super) label: Option<Rc<Label>>,
}

/// The fields of a final record, with their values.
pub(super) struct Table {
    pub(super) shape: Rc<Shape>,
    /// The parts of a composition. `None` for a record that is a leaf.
    parts: Option<Box<Parts>>,
    frame: OnceCell<Env>,
    pub(super) values: Box<[OnceCell<Thunk>]>,
    /// Whether a leaf has a frame.
    framed: Cell<bool>,
    /// Whether the record is registered as a cycle candidate.
    registered: Cell<bool>,
}

/// The parts of a composition.
struct Parts {
    leaves: Vec<LeafUse>,
    applied: Vec<Rc<Applied>>,
    splits: Vec<[u32; 3]>,
    removed: Vec<(Name, [u32; 3])>,
}

impl Drop for Table {
    fn drop(&mut self) {
        discard_each(std::mem::take(&mut self.values));
        if let Some(parts) = &mut self.parts {
            discard_each(std::mem::take(&mut parts.leaves));
            discard_each(std::mem::take(&mut parts.applied));
        }
    }
}

impl Table {
    /// Returns the leaves; none for a record that is a leaf.
    pub(super) fn leaves(&self) -> &[LeafUse] {
        self.parts.as_ref().map_or(&[], |parts| &parts.leaves)
    }

    /// Returns the contracts that apply to all fields of some layers.
    pub(super) fn applied(&self) -> &[Rc<Applied>] {
        self.parts.as_ref().map_or(&[], |parts| &parts.applied)
    }

    /// Returns for each `+` the range of leaves below it and above it, as `[from, middle, end]`. Inner ranges follow
    /// outer ones.
    pub(super) fn splits(&self) -> &[[u32; 3]] {
        self.parts.as_ref().map_or(&[], |parts| &parts.splits)
    }

    /// Returns the fields that layers of a mixed record remove, with the split of the removing layer. Empty for chains,
    /// which handle removal themselves.
    pub(super) fn removed(&self) -> &[(Name, [u32; 3])] {
        self.parts.as_ref().map_or(&[], |parts| &parts.removed)
    }

    /// Returns whether a definition of a field is removed for readers above leaf `from`.
    pub(super) fn is_removed(&self, name: &str, leaf: u32, from: u32) -> bool {
        self.removed()
            .iter()
            .any(|(removed, [first, at, _])| removed == name && *at < from && (*first..*at).contains(&leaf))
    }

    /// Reports the references of the table.
    pub(super) fn follow(&self, to: &mut Graph) {
        for leaf in self.leaves() {
            leaf.leaf.trace(to);
            leaf.frame.trace(to);
            leaf.label.trace(to);
        }
        self.frame.trace(to);
        self.applied().trace(to);
        self.values.trace(to);
    }

    /// Returns whether a field refers to the record.
    pub(super) fn has_frame(&self) -> bool {
        self.framed.get()
    }

    /// Returns `true` at the first call. The record must then be registered as a cycle candidate.
    pub(super) fn register_once(&self) -> bool {
        !self.registered.replace(true)
    }
}

/// The contents of a leaf.
pub(super) enum Leaf<'a> {
    Literal(&'a Literal),
    Data(&'a [DataField]),
}

impl Record {
    /// Returns the table. Built at the first call, in O(layers + definitions).
    pub(super) fn table(&self) -> &Table {
        self.0.table.get_or_init(|| Box::new(self.build()))
    }

    /// Returns the index of a field.
    pub(super) fn index_of(&self, name: &str) -> Option<u32> {
        self.table().shape.fields.get_index_of(name).map(|i| i as u32)
    }

    fn build(&self) -> Table {
        let (shape, parts) = match &self.0.layers {
            Layers::Literal(literal) => (literal.shape.clone(), None),
            Layers::Data(data) => (data.shape().clone(), None),
            _ => {
                let (shape, parts) = self.gather();
                (shape, Some(Box::new(parts)))
            }
        };
        let values = shape.fields.iter().map(|_| OnceCell::new()).collect();
        Table { shape, parts, frame: OnceCell::new(), values, framed: Cell::new(false), registered: Cell::new(false) }
    }

    /// Collects the leaves of a composition with their definitions, in O(layers + definitions).
    fn gather(&self) -> (Rc<Shape>, Parts) {
        enum Item<'a> {
            Visit {
                record: &'a Record,
                at: At,
            },
            Each {
                from: usize,
                applied: &'a Rc<Applied>,
            },
            /// The fields that a record contract does not have.
            Others {
                from: usize,
                contract: &'a Record,
                refusal: Rc<Applied>,
            },
            Middle(usize),
            End(usize),
        }
        #[derive(Clone)]
        struct At {
            push: Option<Push>,
            group: u32,
            unit: Option<Rc<Unit>>,
            label: Option<Rc<Label>>,
            /// Inside an `Each`, which must visit all its leaves.
            each: bool,
        }
        let mut shape = Shape::default();
        let mut leaves: Vec<LeafUse> = Vec::new();
        let mut applied = Vec::new();
        let mut splits: Vec<[u32; 3]> = Vec::new();
        let mut removed = Vec::new();
        let mut groups = 0;
        // A shared part counts once, unless merge functions count duplicates (`x & x`).
        let mut seen = FxHashSet::default();
        let unit = self.unit();
        let mut work =
            vec![Item::Visit { record: self, at: At { push: None, group: 0, unit, label: None, each: false } }];
        while let Some(item) = work.pop() {
            let (record, at) = match item {
                Item::Visit { record, at } => (record, at),
                Item::Middle(split) | Item::End(split) => {
                    let place = if matches!(item, Item::Middle(_)) { 1 } else { 2 };
                    if let Some(split) = splits.get_mut(split) {
                        split[place] = leaves.len() as u32;
                        if let (1, Some(Item::Visit { record: above, .. })) = (place, work.last())
                            && let Some((name, _)) = above.removes()
                        {
                            removed.push((name.clone(), *split));
                        }
                    }
                    continue;
                }
                Item::Others { from, contract, refusal } => {
                    let number = applied.len() as u32;
                    applied.push(refusal);
                    let known = &contract.table().shape.fields;
                    for name in leaves.iter().skip(from).flat_map(|l| l.leaf.table().shape.fields.keys()) {
                        if !known.contains_key(name)
                            && let Some(slot) = shape.fields.get_mut(name)
                            && slot.contracts_of_all().last() != Some(&number)
                        {
                            slot.rest.get_or_insert_default().each.push(number);
                        }
                    }
                    continue;
                }
                Item::Each { from, applied: contract } => {
                    let number = applied.len() as u32;
                    applied.push(contract.clone());
                    let names = leaves.iter().skip(from).flat_map(|l| match l.leaf.leaf() {
                        Leaf::Literal(literal) => literal.shape.fields.keys(),
                        Leaf::Data(_) => l.leaf.table().shape.fields.keys(),
                    });
                    for name in names {
                        if let Some(slot) = shape.fields.get_mut(name)
                            && slot.contracts_of_all().last() != Some(&number)
                        {
                            slot.rest.get_or_insert_default().each.push(number);
                        }
                    }
                    continue;
                }
            };
            if !self.0.merges && !at.each && !seen.insert((Rc::as_ptr(&record.0) as usize, at.push)) {
                continue;
            }
            match &record.0.layers {
                Layers::Nothing => {}
                Layers::Literal(_) | Layers::Data(_) => {
                    let leaf = leaves.len() as u32;
                    let own = match &record.0.layers {
                        Layers::Literal(literal) => &literal.shape,
                        _ => &record.table().shape,
                    };
                    shape.merges |= own.merges;
                    for (name, slot) in &own.fields {
                        for def in slot.defs() {
                            shape.add(name, Def { leaf, field: def.field, push: at.push, group: at.group });
                        }
                    }
                    leaves.push(LeafUse { leaf: record.clone(), frame: OnceCell::new(), label: at.label });
                }
                Layers::Merge { parts, unit, .. } => {
                    let mut at = at;
                    if let Some(unit) = unit {
                        let crossed = at.unit.as_ref().is_none_or(|here| !Rc::ptr_eq(here, unit));
                        if crossed && unit.imported && at.group == 0 {
                            groups += 1;
                            at.group = groups;
                        }
                        at.unit = Some(unit.clone());
                    }
                    work.extend(parts.iter().rev().map(|record| Item::Visit { record, at: at.clone() }));
                }
                Layers::Inherit { below, above, .. } => {
                    // A layer that occurs twice counts twice, because each occurrence has a different `super`.
                    let at = At { each: true, ..at };
                    if self.0.order == Order::Mixed {
                        let split = splits.len();
                        splits.push([leaves.len() as u32; 3]);
                        work.push(Item::End(split));
                        work.push(Item::Visit { record: above, at: at.clone() });
                        work.push(Item::Middle(split));
                    } else {
                        work.push(Item::Visit { record: above, at: at.clone() });
                    }
                    work.push(Item::Visit { record: below, at });
                }
                Layers::Push(inner, push) => {
                    let push = Some(combine(at.push, *push));
                    work.push(Item::Visit { record: inner, at: At { push, ..at } });
                }
                Layers::Each(inner, contract) => {
                    work.push(Item::Each { from: leaves.len(), applied: contract });
                    work.push(Item::Visit { record: inner, at: At { each: true, ..at } });
                }
                Layers::Contract { value, contract, label } => {
                    let label = Some(label.clone());
                    let refusal = contract.refusal();
                    let at = At { each: at.each || refusal.is_some(), ..at };
                    if let Some(refusal) = refusal {
                        work.push(Item::Others { from: leaves.len(), contract, refusal });
                    }
                    work.push(Item::Visit { record: contract, at: At { label, ..at.clone() } });
                    work.push(Item::Visit { record: value, at });
                }
            }
        }
        (Rc::new(shape), Parts { leaves, applied, splits, removed })
    }

    /// Returns the record of a leaf.
    pub(super) fn leaf_record(&self, leaf: u32) -> &Record {
        self.table().leaves().get(leaf as usize).map_or(self, |l| &l.leaf)
    }

    /// Returns the label of the record contract that contributed a leaf.
    pub(super) fn leaf_label(&self, leaf: u32) -> Option<&Rc<Label>> {
        self.table().leaves().get(leaf as usize)?.label.as_ref()
    }

    pub(super) fn leaf(&self) -> Leaf<'_> {
        match &self.0.layers {
            Layers::Literal(literal) => Leaf::Literal(literal),
            Layers::Data(data) => Leaf::Data(data.fields()),
            _ => Leaf::Data(&[]),
        }
    }

    /// Returns the frame of a leaf's field in this final record.
    pub(super) fn frame(&self, leaf: u32, field: u32) -> Env {
        if self.0.order == Order::Chain {
            return self.layer_frame(leaf, self.leaf_record(leaf), field);
        }
        let table = self.table();
        let (record, frame) = match table.leaves().get(leaf as usize) {
            Some(l) => (&l.leaf, &l.frame),
            None => (self, &table.frame),
        };
        match record.leaf() {
            Leaf::Literal(literal) if literal.iterations.is_some() => {
                table.framed.set(true);
                self.open_frame(literal, leaf, field)
            }
            Leaf::Literal(literal) => frame
                .get_or_init(|| {
                    table.framed.set(true);
                    self.open_frame(literal, leaf, field)
                })
                .clone(),
            Leaf::Data(_) => Env::empty(),
        }
    }

    /// Returns a definition of this final record.
    pub(super) fn definition(&self, def: Def) -> LayerDefinition<'_> {
        let leaf = self.leaf_record(def.leaf);
        match leaf.leaf() {
            Leaf::Literal(literal) => match literal.field(def.field) {
                Some(field) => LayerDefinition::Written { record: self, def, literal, field },
                None => LayerDefinition::Nothing,
            },
            Leaf::Data(fields) => match fields.get(def.field as usize) {
                Some(field) => LayerDefinition::Made(field),
                None => LayerDefinition::Nothing,
            },
        }
    }
}

/// Returns whether a definition is only a body.
fn is_plain(field: &FieldDef) -> bool {
    let meta = &field.meta;
    field.body.is_some()
        && meta.annots.is_empty()
        && meta.guard.is_none()
        && meta.merge.is_none()
        && meta.push.is_none()
        && !meta.secret
}

impl Literal {
    /// Returns the frame of a field that does not refer to the record.
    fn plain_frame(&self, field: u32) -> Env {
        match self.iterations {
            Some(_) => self.env_of(field).open(),
            None => self.frame.get_or_init(|| self.env.open()).clone(),
        }
    }

    /// Returns the value of a field that does not refer to the record. All final records share it.
    pub(super) fn shared_body(&self, field: u32, body: NodeId) -> Thunk {
        let shared = self.shared.get_or_init(|| (0..self.count()).map(|_| OnceCell::new()).collect());
        let make = || Thunk::of_node(&self.unit, body, &self.plain_frame(field));
        match shared.get(field as usize) {
            Some(cell) => cell.get_or_init(make).clone(),
            None => make(),
        }
    }
}

/// Combines nested pushes. `force rec` overrides `default rec`.
pub(super) fn combine(inner: Option<Push>, outer: Push) -> Push {
    match (inner, outer) {
        (Some(Push::Force), _) | (_, Push::Force) => Push::Force,
        (None | Some(Push::Layer(_)), Push::Layer(layer)) => Push::Layer(layer),
        _ => Push::Default,
    }
}
