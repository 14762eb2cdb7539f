//! Rows: the fields of a record and what else there may be, on a persistent map.

use super::{DynReason, Field, Generic, Live, Marks, TyRef};
use crate::text::Name;
use rpds::RedBlackTreeMapSync;
use std::sync::Arc;

/// The end of a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Tail {
    /// Nothing else.
    Closed,
    /// A generic row variable.
    Var(Generic),
    /// A row variable of a running inference; never in a type that left `infer`.
    Live(Live),
    /// Any other label has this type (a dictionary).
    Dict(TyRef),
    /// Unknown.
    Dyn(DynReason),
}

/// A record's row: the fields in alphabetical order and what else there may be. Copies share; adding a field is
/// O(log fields).
#[derive(Clone)]
pub struct Row {
    fields: RedBlackTreeMapSync<Name, Field>,
    tail: Tail,
    /// `..`: used as a contract, the record lets further fields through.
    pub open: bool,
    marks: Marks,
    /// The names of all fields that the row of another record would weaken where it lacks them, failures aside, if that is known.
    firm: Option<Arc<[Name]>>,
}

impl Row {
    /// A row without fields.
    pub fn new(tail: Tail) -> Row {
        let marks = Marks::of_tail(&tail);
        Row { fields: RedBlackTreeMapSync::new_sync(), tail, open: false, marks, firm: None }
    }

    /// The end of the row.
    pub fn tail(&self) -> &Tail {
        &self.tail
    }

    /// Replaces the end of the row.
    pub fn set_tail(&mut self, tail: Tail) {
        self.marks = self.marks.and(Marks::of_tail(&tail));
        self.tail = tail;
    }

    /// Adds a field or replaces it. O(log fields).
    pub fn insert(&mut self, name: Name, field: Field) {
        self.marks = self.marks.and(Marks::of_field(&field));
        self.firm = None;
        self.fields.insert_mut(name, field);
    }

    /// Takes a field away. O(log fields).
    pub fn remove(&mut self, name: &str) {
        self.fields.remove_mut(name);
    }

    /// The field of a name. O(log fields).
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.fields.get(name)
    }

    /// The fields in alphabetical order.
    pub fn fields(&self) -> impl Iterator<Item = (&Name, &Field)> {
        self.fields.iter()
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.fields.size()
    }

    /// Whether there is no field.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// What stands in the row, as upper bounds.
    pub fn marks(&self) -> Marks {
        self.marks
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
        self.marks == other.marks && self.open == other.open && self.tail == other.tail && self.fields == other.fields
    }
}

impl Row {
    /// The names of all fields that a join with a row without them would weaken, if a join made this row.
    pub(crate) fn known_firm(&self) -> Option<Arc<[Name]>> {
        self.firm.clone()
    }

    /// Notes them.
    pub(crate) fn set_firm(&mut self, firm: Arc<[Name]>) {
        self.firm = Some(firm);
    }

    /// Forgets the marks; the caller marks each field that stays ([`Row::mark`]) or puts it in anew, and sets the tail.
    pub(crate) fn reset_marks(&mut self) {
        self.marks = Marks::default();
    }

    /// Marks a field that stays.
    pub(crate) fn mark(&mut self, field: &Field) {
        self.marks = self.marks.and(Marks::of_field(field));
    }
}
