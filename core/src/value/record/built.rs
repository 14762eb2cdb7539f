//! Fields that do not come from a record literal, and library operations that copy the fields of a record.

use super::{Dictionary, Field, Record};
use crate::meta::Priority;
use crate::text::{Name, Span};
use crate::value::collect::{Graph, Trace};
use crate::value::contract::Applied;
use crate::value::{Fault, Machine, Thunk};
use std::rc::Rc;

/// A field that does not come from a record literal: it comes from a library function or a data file, or is a copy.
#[derive(Clone)]
pub struct DataField {
    /// The name.
    pub name: Name,
    /// The value; `None` if the field is declared without a value.
    pub value: Option<Thunk>,
    /// The priority.
    pub priority: Priority,
    /// `| optional`
    pub optional: bool,
    /// `| not_exported`
    pub not_exported: bool,
    /// `| secret`
    pub secret: bool,
    /// `| doc`
    pub doc: Option<Name>,
    /// The span of the definition, if it is in a source.
    pub span: Option<Span>,
    /// The record from which the field was copied.
    pub origin: Option<Origin>,
}

/// The origin of a copied field. The provenance of its value is that of the field of the same name in this record.
#[derive(Clone)]
pub struct Origin {
    /// The record, which has a field with the same name.
    pub(in crate::value) record: Record,
    /// The contract that was added to the copy.
    pub(in crate::value) check: Option<Rc<Applied>>,
}

impl Trace for Origin {
    fn trace(&self, to: &mut Graph) {
        self.record.trace(to);
        self.check.trace(to);
    }
}

impl DataField {
    /// Makes a field with a value and without metadata.
    pub fn new(name: Name, value: Thunk) -> DataField {
        DataField {
            name,
            value: Some(value),
            priority: Priority::Normal,
            optional: false,
            not_exported: false,
            secret: false,
            doc: None,
            span: None,
            origin: None,
        }
    }

    /// Copies a field of a record.
    pub(in crate::value) fn of(field: Field, record: &Record) -> DataField {
        let origin = Some(Origin { record: record.clone(), check: None });
        DataField { origin, ..DataField::from(field) }
    }

    /// Adds the contract `check` to a field copied from `record`. `value` is its value with the contract applied.
    pub(in crate::value) fn with_contract(
        self,
        record: &Record,
        check: Rc<Applied>,
        value: Option<Thunk>,
    ) -> DataField {
        DataField { value, origin: Some(Origin { record: record.clone(), check: Some(check) }), ..self }
    }
}

impl From<Field> for DataField {
    fn from(f: Field) -> DataField {
        DataField {
            name: f.name,
            value: f.value,
            priority: f.priority,
            optional: f.optional,
            not_exported: f.not_exported,
            secret: f.secret,
            doc: f.doc,
            span: None,
            origin: None,
        }
    }
}

impl Machine {
    /// Copies the record with its current values, so that overriding a field later does not change the fields that refer to
    /// it (`std.record.freeze`).
    /// O(fields).
    pub fn freeze(&mut self, record: &Record) -> Result<Record, Fault> {
        let fields = self.all_fields(record)?.into_iter().map(|field| DataField::of(field, record));
        Ok(record.rebuilt(fields))
    }

    /// Adds or replaces a field: `std.record.insert`, `update`. The other fields are frozen. O(log fields) if the
    /// record is itself a result of `set_field` or `without_field`, O(fields) otherwise.
    pub fn set_field(&mut self, record: &Record, field: DataField) -> Result<Record, Fault> {
        let dictionary = self.dictionary(record)?;
        Ok(record.with_dictionary(dictionary.insert(field.name.clone(), field)))
    }

    /// Removes a field: `std.record.remove`. The other fields are frozen. Same cost as [`Machine::set_field`].
    pub fn without_field(&mut self, record: &Record, name: &str) -> Result<Record, Fault> {
        let dictionary = self.dictionary(record)?;
        Ok(record.with_dictionary(dictionary.remove(name)))
    }

    fn dictionary(&mut self, record: &Record) -> Result<Dictionary, Fault> {
        if let Some(known) = record.known_dictionary() {
            return Ok(known.clone());
        }
        Ok(self.all_fields(record)?.into_iter().map(|f| (f.name.clone(), DataField::of(f, record))).collect())
    }
}
