//! Rows: the fields of a record on a persistent map, and what other fields there may be.

use super::fields::{Fields, UnsharedPairs};
use super::{DynReason, Field, Generic, Live, Marks, TyRef};
use crate::text::Name;
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
    fields: Fields,
    tail: Tail,
    /// Written with `..`: used as a contract, the record allows further fields.
    pub open: bool,
    /// The order of its fields, where the order is part of the type (mcl).
    pub order: Option<Arc<[Name]>>,
    /// The names of all fields for which [`Field::is_firm`] holds, if known.
    firm: Option<Arc<[Name]>>,
}

impl Row {
    /// A row without fields.
    pub fn new(tail: Tail) -> Row {
        Row { fields: Fields::default(), tail, open: false, order: None, firm: None }
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
        self.firm = None;
        self.fields.insert(name, field);
    }

    /// Removes a field. O(log fields).
    pub fn remove(&mut self, name: &str) {
        self.fields.remove(name);
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
        self.fields.len()
    }

    /// Whether there are no fields.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Facts about the fields and the tail, as upper bounds.
    pub fn marks(&self) -> Marks {
        self.fields.marks().and(Marks::of_tail(&self.tail))
    }

    /// Facts about the fields alone, as upper bounds.
    pub fn field_marks(&self) -> Marks {
        self.fields.marks()
    }

    /// The fields in alphabetical order. May leave out fields whose marks do not pass a test.
    pub fn fields_where(&self, test: impl Fn(Marks) -> bool) -> impl Iterator<Item = (&Name, &Field)> {
        self.fields.iter_where(test)
    }

    /// The fields of two rows by name, in alphabetical order. Leaves out fields that both rows share and whose marks pass a test.
    pub(crate) fn unshared_pairs<'r>(
        &'r self,
        other: &'r Row,
        skip_shared: impl Fn(Marks) -> bool + 'r,
    ) -> UnsharedPairs<'r> {
        self.fields.unshared_pairs(&other.fields, skip_shared)
    }

    /// The map of the fields.
    pub(crate) fn map(&self) -> &Fields {
        &self.fields
    }

    /// Replaces the map of the fields.
    pub(crate) fn set_map(&mut self, fields: Fields) {
        self.firm = None;
        self.fields = fields;
    }

    /// The fields whose names another row lacks, with a closed end. Shares the fields if the other row is smaller. O(fields of the
    /// smaller row), or less if the rows share fields.
    pub(crate) fn without(&self, other: &Row) -> Row {
        let mut out = Row::new(Tail::Closed);
        let (far_smaller, far_larger) = (other.len() < self.len() / 8, self.len() < other.len() / 8);
        let lacks = |name: &&Name| other.get(name).is_none();
        let own: Vec<(&Name, &Field)> = if far_smaller {
            Vec::new()
        } else if far_larger {
            self.fields().filter(|(name, _)| lacks(name)).collect()
        } else {
            let different = self.unshared_pairs(other, |_| true).filter(|(.., theirs)| theirs.is_none());
            different.filter_map(|(name, own, _)| Some((name, own?))).collect()
        };
        if far_smaller || (own.len() > self.len() / 2 && other.len() < self.len()) {
            out.fields = self.fields.clone();
            other.fields().for_each(|(name, _)| out.remove(name));
        } else {
            own.into_iter().for_each(|(name, field)| out.insert(name.clone(), field.clone()));
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
}
