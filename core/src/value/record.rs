//! Records, which keep the layers that they are composed of.
//!
//! Merging makes one node that holds its operands, in O(1). The table of fields is built when a field is first read
//! (`stack`), and a field's value is computed from its stack in the *final* record (`field`).

mod built;
mod path;

use super::Label;
use super::collect::{Graph, Trace};
use super::contract::Applied;
use super::deferred_drop::{discard, discard_each};
use super::env::{Env, Unit};
use super::object::{Asserts, Chain, Order};
use super::stack::{Shape, Table};
use super::thunk::Thunk;
use crate::meta::{Priority, Push};
use crate::term::{FieldDef, Node, NodeId, RecordLit};
use crate::text::{Name, Span};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

pub use built::DataField;
pub(super) use path::Path;

/// A record: a composition of layers. Cheap to clone.
#[derive(Clone)]
pub struct Record(pub(super) Rc<RecordNode>);

/// A node of a composition.
pub(super) struct RecordNode {
    pub(super) layers: Layers,
    /// Whether a layer has a merge function.
    pub(super) merges: bool,
    /// The order of its layers.
    pub(super) order: Order,
    /// Number of leaves of a chain.
    pub(super) leaves: u32,
    /// The state of its asserts.
    pub(super) asserts: Cell<Asserts>,
    pub(super) table: OnceCell<Box<Table>>,
    /// The caches for the layers of a chain.
    pub(super) chain: OnceCell<Box<Chain>>,
    path: OnceCell<Option<Rc<Path>>>,
}

/// The composition of a record.
pub(super) enum Layers {
    /// No layers. Occurs only while the record is dropped.
    Nothing,
    /// A literal with its environment.
    Literal(Literal),
    /// Fields that do not come from a literal: from a library function, a data file, or a copy.
    Data(Data),
    /// Operands of `&`.
    Merge {
        parts: Vec<Record>,
        /// The unit that contains the operator, which determines the boundary of imports.
        unit: Option<Rc<Unit>>,
        /// The span of the merge expression; `None` if definitions of a field were merged.
        written: Option<Span>,
    },
    /// `below + above`, with the span of the expression.
    Inherit { below: Record, above: Record, written: Option<Span> },
    /// `default rec`, `force rec`
    Push(Record, Push),
    /// A contract for every field: `{ _ | C }`.
    Each(Record, Rc<Applied>),
    /// An applied record contract, whose layers are added to those of the value.
    Contract { value: Record, contract: Record, label: Rc<Label> },
}

/// A record literal with its environment.
pub(super) struct Literal {
    pub(super) unit: Rc<Unit>,
    pub(super) node: NodeId,
    pub(super) env: Env,
    pub(super) shape: Rc<Shape>,
    /// The frame of fields that do not refer to the record. It has no record.
    pub(super) frame: OnceCell<Env>,
    /// The thunks of fields that do not refer to the record. All final records share them.
    pub(super) shared: OnceCell<Box<[OnceCell<Thunk>]>>,
    /// The environments of a comprehension's fields. The literal has a single definition, which applies to all fields.
    pub(super) iterations: Option<Box<[Env]>>,
}

impl RecordNode {
    /// Reports the references of the composition and its table, except those of a dictionary, whose nodes are shared.
    pub(super) fn follow(&self, to: &mut Graph) {
        match &self.layers {
            Layers::Nothing => {}
            Layers::Literal(literal) => {
                literal.env.trace(to);
                literal.frame.trace(to);
                if let Some(shared) = literal.shared.get() {
                    shared.trace(to);
                }
                if let Some(iterations) = &literal.iterations {
                    iterations.trace(to);
                }
            }
            Layers::Data(data) => {
                if let Some((fields, _)) = data.listed.get() {
                    fields.iter().for_each(|field| {
                        field.value.trace(to);
                        field.origin.trace(to);
                    });
                }
                if let Some(tail) = &data.tail {
                    tail.record.trace(to);
                    tail.label.trace(to);
                }
            }
            Layers::Merge { parts, .. } => parts.trace(to),
            Layers::Inherit { below, above, .. } => {
                below.trace(to);
                above.trace(to);
            }
            Layers::Push(inner, _) => inner.trace(to),
            Layers::Each(inner, applied) => {
                inner.trace(to);
                applied.trace(to);
            }
            Layers::Contract { value, contract, label } => {
                value.trace(to);
                contract.trace(to);
                label.trace(to);
            }
        }
        if let Some(table) = self.table.get() {
            table.follow(to);
        }
        if let Some(chain) = self.chain.get() {
            chain.follow(to);
        }
    }
}

impl Literal {
    pub(super) fn lit(&self) -> Option<&RecordLit> {
        match self.unit.node(self.node) {
            Node::Record(lit) => Some(lit),
            _ => None,
        }
    }

    /// Returns the definition of a field by its index.
    pub(super) fn field(&self, number: u32) -> Option<&FieldDef> {
        let number = if self.iterations.is_some() { 0 } else { number };
        self.lit()?.fields.get(number as usize)
    }

    /// Returns the number of definitions.
    pub(super) fn count(&self) -> usize {
        match &self.iterations {
            Some(iterations) => iterations.len(),
            None => self.lit().map_or(0, |lit| lit.fields.len()),
        }
    }

    /// Returns the environment of a field.
    pub(super) fn env_of(&self, field: u32) -> &Env {
        self.iterations.as_ref().and_then(|iterations| iterations.get(field as usize)).unwrap_or(&self.env)
    }

    /// Returns whether both are the same literal in the same environment.
    pub(super) fn same(&self, other: &Literal) -> bool {
        let iterations = match (&self.iterations, &other.iterations) {
            (None, None) => true,
            // the environments of the fields are those of the iterations
            (Some(own), Some(others)) => std::ptr::eq(own.as_ptr(), others.as_ptr()),
            _ => false,
        };
        iterations && self.node == other.node && Rc::ptr_eq(&self.unit, &other.unit) && self.env.same(&other.env)
    }
}

/// Fields that do not come from a literal: from library functions, data files, or copies.
pub(super) struct Data {
    /// The fields and their shape. If there is a dictionary, they are listed at the first read.
    listed: OnceCell<Listed>,
    /// The fields by name, if functions build the record field by field. It shares its nodes with earlier versions of the
    /// record.
    dictionary: Option<Dictionary>,
    pub(super) open: bool,
    pub(super) tail: Option<Tail>,
    /// The field that the layer removes, and the number of layers below that it is removed from.
    pub(super) removes: Option<(Name, u32)>,
}

type Listed = (Vec<DataField>, Rc<Shape>);
type Dictionary = rpds::RedBlackTreeMap<Name, DataField>;

impl Data {
    fn of(fields: Vec<DataField>, open: bool) -> Data {
        let shape = Rc::new(Shape::of_names(fields.iter().map(|f| &f.name)));
        let listed = OnceCell::new();
        let _ = listed.set((fields, shape));
        Data { listed, dictionary: None, open, tail: None, removes: None }
    }

    fn listed(&self) -> &Listed {
        self.listed.get_or_init(|| {
            let fields: Vec<DataField> = self.dictionary.iter().flat_map(|d| d.values()).cloned().collect();
            let shape = Rc::new(Shape::of_names(fields.iter().map(|f| &f.name)));
            (fields, shape)
        })
    }

    pub(super) fn fields(&self) -> &[DataField] {
        &self.listed().0
    }

    pub(super) fn shape(&self) -> &Rc<Shape> {
        &self.listed().1
    }
}

impl Drop for Literal {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.take() {
            discard_each(shared);
        }
        if let Some(iterations) = self.iterations.take() {
            discard_each(iterations);
        }
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        if let Some((fields, _)) = self.listed.take() {
            discard_each(fields);
        }
    }
}

/// Fields that a polymorphic row contract sealed.
#[derive(Clone)]
pub(super) struct Tail {
    pub(super) key: u64,
    pub(super) record: Record,
    pub(super) label: Rc<Label>,
}

impl Drop for RecordNode {
    fn drop(&mut self) {
        match std::mem::replace(&mut self.layers, Layers::Nothing) {
            Layers::Nothing => {}
            Layers::Merge { parts, .. } => discard_each(parts),
            layers => discard(layers),
        }
        if let Some(table) = self.table.take() {
            discard(table);
        }
        if let Some(chain) = self.chain.take() {
            discard(chain);
        }
    }
}

impl Record {
    /// Returns the records that were merged into this one; none if it is not a merge.
    pub fn merged_from(&self) -> &[Record] {
        match &self.0.layers {
            Layers::Merge { parts, .. } => parts,
            _ => &[],
        }
    }

    /// Returns `true` for a literal with `..`.
    fn is_open_literal(&self) -> bool {
        match &self.0.layers {
            Layers::Literal(literal) => {
                matches!(literal.unit.node(literal.node), Node::Record(record) if record.open)
            }
            _ => false,
        }
    }

    /// Returns the records that this one was made from: those that were merged into it, or the one that got a priority.
    pub fn made_from(&self) -> &[Record] {
        match &self.0.layers {
            Layers::Push(inner, _) => std::slice::from_ref(inner),
            _ => self.merged_from(),
        }
    }
}

impl Record {
    fn new(layers: Layers, merges: bool, order: Order, asserts: Asserts) -> Record {
        let leaves = match &layers {
            Layers::Inherit { below, above, .. } => below.0.leaves.saturating_add(above.0.leaves),
            _ => 1,
        };
        Record(Rc::new(RecordNode {
            layers,
            merges,
            order,
            leaves,
            asserts: Cell::new(asserts),
            table: OnceCell::new(),
            chain: OnceCell::new(),
            path: OnceCell::new(),
        }))
    }

    /// Makes a composition of one record.
    fn wrap(&self, layers: Layers) -> Record {
        Record::new(layers, self.0.merges, self.0.order.inside(), self.0.asserts.get().unchecked())
    }

    /// `{}`
    pub fn empty() -> Record {
        Record::from_fields([])
    }

    /// Makes a record of plain fields. Fields with the same name are merged. O(fields).
    pub fn from_fields(fields: impl IntoIterator<Item = (Name, Thunk)>) -> Record {
        Record::from_data(fields.into_iter().map(|(name, value)| DataField::new(name, value)))
    }

    /// Makes a record of fields with metadata. O(fields).
    pub fn from_data(fields: impl IntoIterator<Item = DataField>) -> Record {
        Record::data(fields.into_iter().collect(), false)
    }

    /// Makes a record with other fields. Fields that a polymorphic contract sealed stay sealed. O(fields).
    pub fn rebuilt(&self, fields: impl IntoIterator<Item = DataField>) -> Record {
        Record::from_data(fields).with_tail(self.tail().cloned())
    }

    pub(super) fn data(fields: Vec<DataField>, open: bool) -> Record {
        let plain = fields.iter().all(|f| f.value.is_some());
        let order = if plain { Order::Plain } else { Order::None };
        Record::new(Layers::Data(Data::of(fields, open)), false, order, Asserts::None)
    }

    /// Adds fields that only the contract that sealed them can restore.
    pub(super) fn with_tail(self, tail: Option<Tail>) -> Record {
        let Some(tail) = tail else { return self };
        match &self.0.layers {
            Layers::Data(data) => {
                let data = Data {
                    listed: data.listed.clone(),
                    dictionary: data.dictionary.clone(),
                    open: data.open,
                    tail: Some(tail),
                    removes: None,
                };
                Record::new(Layers::Data(data), false, Order::None, Asserts::None)
            }
            _ => self,
        }
    }

    fn with_dictionary(&self, dictionary: Dictionary) -> Record {
        let (listed, tail) = (OnceCell::new(), self.tail().cloned());
        let data = Data { listed, dictionary: Some(dictionary), open: false, tail, removes: None };
        Record::new(Layers::Data(data), false, Order::None, Asserts::None)
    }

    /// Adds a layer that removes a field for all higher layers. O(1).
    pub(super) fn removing(&self, name: Name) -> Record {
        let mut data = Data::of(Vec::new(), false);
        data.removes = Some((name, self.0.leaves));
        Record::inherit(self.clone(), Record::new(Layers::Data(data), false, Order::Plain, Asserts::None), None)
    }

    /// Returns the field that the layer removes, and the number of layers below that it is removed from.
    pub(super) fn removes(&self) -> Option<&(Name, u32)> {
        match &self.0.layers {
            Layers::Data(data) => data.removes.as_ref(),
            _ => None,
        }
    }

    fn known_dictionary(&self) -> Option<&Dictionary> {
        match &self.0.layers {
            Layers::Data(data) => data.dictionary.as_ref(),
            _ => None,
        }
    }

    /// Returns a defined field of a record that functions build field by field, without building its table. O(log
    /// fields).
    pub(super) fn built_field(&self, name: &str) -> Option<Option<Thunk>> {
        let dictionary = self.known_dictionary()?;
        match dictionary.get(name) {
            Some(field) => field.value.clone().map(Some),
            None => Some(None),
        }
    }

    /// Returns the sealed fields.
    pub(super) fn tail(&self) -> Option<&Tail> {
        match &self.0.layers {
            Layers::Data(data) => data.tail.as_ref(),
            _ => None,
        }
    }

    pub(super) fn literal(unit: Rc<Unit>, node: NodeId, env: Env, shape: Rc<Shape>) -> Record {
        let (merges, order) = (shape.merges, if shape.plain { Order::Plain } else { Order::None });
        let asserts = if shape.asserts { Asserts::Unchecked } else { Asserts::None };
        let literal =
            Literal { unit, node, env, shape, frame: OnceCell::new(), shared: OnceCell::new(), iterations: None };
        Record::new(Layers::Literal(literal), merges, order, asserts)
    }

    /// Makes the object of a comprehension. Each name is a field with its own environment; the literal's only
    /// definition applies to all.
    pub(super) fn comprehended(unit: Rc<Unit>, node: NodeId, names: Vec<Name>, envs: Vec<Env>) -> Record {
        let mut shape = Shape::of_names(names.iter());
        shape.plain = true;
        let shape = Rc::new(shape);
        let iterations = Some(envs.into_boxed_slice());
        let (frame, shared) = (OnceCell::new(), OnceCell::new());
        let literal = Literal { unit, node, env: Env::empty(), shape, frame, shared, iterations };
        Record::new(Layers::Literal(literal), false, Order::Plain, Asserts::None)
    }

    /// Makes `below + above`. A field that both define has the value of `above`, which can read the one of `below` as
    /// `super`. O(1).
    pub(super) fn inherit(below: Record, above: Record, written: Option<Span>) -> Record {
        let merges = below.0.merges || above.0.merges;
        let order = below.0.order.merged_with(above.0.order);
        let asserts = below.0.asserts.get().unchecked().and(above.0.asserts.get().unchecked());
        Record::new(Layers::Inherit { below, above, written }, merges, order, asserts)
    }

    /// Merges records, in source order. O(parts).
    pub(super) fn merge(parts: Vec<Record>, unit: Option<Rc<Unit>>, written: Option<Span>) -> Record {
        let merges = parts.iter().any(|p| p.0.merges);
        let order = if parts.iter().any(|p| p.0.order.inside() == Order::Mixed) { Order::Mixed } else { Order::None };
        let asserts = parts.iter().fold(Asserts::None, |all, p| all.and(p.0.asserts.get().unchecked()));
        Record::new(Layers::Merge { parts, unit, written }, merges, order, asserts)
    }

    /// Makes `default rec` or `force rec`. O(1).
    pub(super) fn push(self, push: Push) -> Record {
        self.wrap(Layers::Push(self.clone(), push))
    }

    /// Adds a contract to each existing field. O(1).
    pub(super) fn with_contract_on_all(self, applied: Rc<Applied>) -> Record {
        self.wrap(Layers::Each(self.clone(), applied))
    }

    /// Adds the layers of a record contract to those of a value. O(1).
    pub(super) fn contracted(value: Record, contract: Record, label: Rc<Label>) -> Record {
        let merges = value.0.merges || contract.0.merges;
        let mixed = [&value, &contract].iter().any(|r| r.0.order.inside() == Order::Mixed);
        let order = if mixed { Order::Mixed } else { Order::None };
        let asserts = value.0.asserts.get().unchecked().and(contract.0.asserts.get().unchecked());
        Record::new(Layers::Contract { value, contract, label }, merges, order, asserts)
    }

    /// Returns whether both are the same composition in memory. O(1).
    pub fn same(&self, other: &Record) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the address, which is valid as long as the record lives.
    pub(crate) fn address(&self) -> usize {
        Rc::as_ptr(&self.0) as usize
    }

    /// Returns whether extra fields are allowed if the record is used as a contract.
    pub(super) fn is_open(&self) -> bool {
        let mut work = vec![self];
        while let Some(record) = work.pop() {
            match &record.0.layers {
                Layers::Nothing => {}
                Layers::Literal(literal) => {
                    if literal.lit().is_some_and(|lit| lit.open) {
                        return true;
                    }
                }
                Layers::Data(data) => {
                    if data.open {
                        return true;
                    }
                }
                Layers::Merge { parts, .. } => work.extend(parts),
                Layers::Inherit { below, above, .. } => work.extend([below, above]),
                Layers::Push(inner, _) | Layers::Each(inner, _) => work.push(inner),
                Layers::Contract { value, .. } => work.push(value),
            }
        }
        false
    }

    /// Returns the unit in which the record was merged, or the unit of its literal. `None` for other records.
    pub(super) fn unit(&self) -> Option<Rc<Unit>> {
        let mut record = self;
        loop {
            record = match &record.0.layers {
                Layers::Nothing | Layers::Data(_) => return None,
                Layers::Literal(literal) => return Some(literal.unit.clone()),
                Layers::Merge { unit, .. } => return unit.clone(),
                Layers::Inherit { above, .. } => above,
                Layers::Push(inner, _) | Layers::Each(inner, _) => inner,
                Layers::Contract { value, .. } => value,
            }
        }
    }

    /// Returns the span of the value under the contract of a record. `None` for a record without one.
    pub(super) fn span_under_contract(&self) -> Option<Span> {
        let mut record = self;
        loop {
            record = match &record.0.layers {
                Layers::Push(inner, _) | Layers::Each(inner, _) => inner,
                Layers::Contract { value, .. } => return value.span(),
                _ => return None,
            }
        }
    }

    /// Returns the span of the record: for a merge the span of its first operand, for `below + above` the span of `above`.
    pub fn span(&self) -> Option<Span> {
        let mut record = self;
        loop {
            record = match &record.0.layers {
                Layers::Nothing => return None,
                Layers::Data(data) => return data.fields().first().and_then(|f| f.span),
                Layers::Literal(literal) => return Some(literal.unit.span(literal.node)),
                // an open record only declares fields, or holds the rules for lists of the command line
                Layers::Merge { parts, .. } => parts.iter().find(|part| !part.is_open_literal()).or(parts.first())?,
                Layers::Inherit { above, .. } => above,
                Layers::Push(inner, _) | Layers::Each(inner, _) => inner,
                Layers::Contract { value, .. } => value,
            }
        }
    }
}

/// A field of a final record.
#[derive(Clone)]
pub struct Field {
    /// The name.
    pub name: Name,
    /// The final value, with contracts applied; `None` if the field is declared but not defined.
    pub value: Option<Thunk>,
    /// The highest priority of its definitions.
    pub priority: Priority,
    /// `| optional`
    pub optional: bool,
    /// `| not_exported`
    pub not_exported: bool,
    /// `| secret`
    pub secret: bool,
    /// The first documentation comment.
    pub doc: Option<Name>,
    /// Whether `default rec` or `force rec` applies to a definition. The priority is then that of a leaf, until the
    /// value is known to be a record.
    pub(super) pushed: bool,
}
