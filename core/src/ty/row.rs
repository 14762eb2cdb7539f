//! Rows: the fields of a record on a persistent map, and what other fields there may be.

use super::{DynReason, Field, Generic, Live, Marks, TyRef};
use crate::text::Name;
use rpds::RedBlackTreeMapSync;
use std::sync::Arc;

/// The end of a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Tail {
    /// No other fields.
    Closed,
    /// A generic row variable.
    Var(Generic),
    /// A row variable of a running inference; never in a type that left `infer`.
    Live(Live),
    /// Any number of other fields of this type (a dictionary).
    Dict(TyRef),
    /// Unknown fields, with the reason.
    Dyn(DynReason),
}

/// The row of a record: its fields in alphabetical order, and what other fields there may be. Copies share their fields;
/// adding a field is O(log fields).
#[derive(Clone)]
pub struct Row {
    fields: RedBlackTreeMapSync<Name, Field>,
    tail: Tail,
    /// Written with `..`: used as a contract, the record allows further fields.
    pub open: bool,
    /// The order of its fields, where the order is part of the type (mcl).
    pub order: Option<Arc<[Name]>>,
    /// The marks of the fields.
    marks: Marks,
    /// The names of all fields for which [`Field::is_firm`] holds, if known.
    firm: Option<Arc<[Name]>>,
}

impl Row {
    /// A row without fields.
    pub fn new(tail: Tail) -> Row {
        let fields = RedBlackTreeMapSync::new_sync();
        Row { fields, tail, open: false, order: None, marks: Marks::default(), firm: None }
    }

    /// The end of the row.
    pub fn tail(&self) -> &Tail {
        &self.tail
    }

    /// Replaces the end of the row.
    pub fn set_tail(&mut self, tail: Tail) {
        self.tail = tail;
    }

    /// Adds a field or replaces it. O(log fields).
    pub fn insert(&mut self, name: Name, field: Field) {
        self.marks = self.marks.and(Marks::of_field(&field));
        self.firm = None;
        self.fields.insert_mut(name, field);
    }

    /// Removes a field. O(log fields).
    pub fn remove(&mut self, name: &str) {
        self.fields.remove_mut(name);
    }

    /// Returns a field by name. O(log fields).
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.fields.get(name)
    }

    /// The fields in alphabetical order.
    pub fn fields(&self) -> impl Iterator<Item = (&Name, &Field)> {
        self.fields.iter()
    }

    /// The number of fields.
    pub fn len(&self) -> usize {
        self.fields.size()
    }

    /// Whether there are no fields.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Facts about the fields and the tail, as upper bounds.
    pub fn marks(&self) -> Marks {
        self.marks.and(Marks::of_tail(&self.tail))
    }

    /// Facts about the fields alone, as upper bounds.
    pub fn field_marks(&self) -> Marks {
        self.marks
    }

    /// The fields whose names another row lacks, with a closed end. Shares the fields if the other row is smaller. O(fields of the
    /// smaller row).
    pub(crate) fn without(&self, other: &Row) -> Row {
        let mut out = Row::new(Tail::Closed);
        if other.len() < self.len() {
            (out.fields, out.marks) = (self.fields.clone(), self.marks);
            other.fields().for_each(|(name, _)| out.remove(name));
        } else {
            for (name, field) in self.fields().filter(|(name, _)| other.get(name).is_none()) {
                out.insert(name.clone(), field.clone());
            }
        }
        out
    }
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Row")
            .field("fields", &self.fields.iter().collect::<Vec<_>>())
            .field("tail", &self.tail)
            .field("open", &self.open)
            .finish()
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Row) -> bool {
        self.marks() == other.marks()
            && self.open == other.open
            && self.order == other.order
            && self.tail == other.tail
            && self.fields == other.fields
    }
}

impl Row {
    /// The names of all fields for which [`Field::is_firm`] holds, if a join made this row.
    pub(crate) fn known_firm(&self) -> Option<Arc<[Name]>> {
        self.firm.clone()
    }

    /// Sets the names that [`Row::known_firm`] returns.
    pub(crate) fn set_firm(&mut self, firm: Arc<[Name]>) {
        self.firm = Some(firm);
    }

    /// Clears the marks. The caller then marks each field that stays ([`Row::mark`]) or inserts it again.
    pub(crate) fn reset_marks(&mut self) {
        self.marks = Marks::default();
    }

    /// Adds the marks of a field that stays.
    pub(crate) fn mark(&mut self, field: &Field) {
        self.marks = self.marks.and(Marks::of_field(field));
    }
}
