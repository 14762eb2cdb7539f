//! Fields that library functions and data files make, and records made of the fields of others.

use super::{Dictionary, Field, Record};
use crate::meta::Priority;
use crate::text::{Name, Span};
use crate::value::collect::{Graph, Trace};
use crate::value::contract::Applied;
use crate::value::{Fault, Machine, Thunk};
use std::rc::Rc;

/// A field that a library function or a data file made.
#[derive(Clone)]
pub struct DataField {
    /// The name.
    pub name: Name,
    /// Its value; `None`: declared.
    pub value: Option<Thunk>,
    /// Its priority.
    pub priority: Priority,
    /// `| optional`
    pub optional: bool,
    /// `| not_exported`
    pub not_exported: bool,
    /// `| secret`
    pub secret: bool,
    /// `| doc`
    pub doc: Option<Name>,
    /// Where it is defined, if in a text.
    pub span: Option<Span>,
    /// The record whose field of this name it is, where it was taken over from another.
    pub origin: Option<Origin>,
}

/// Where a field was taken over from: what is known of it there is known of it here.
#[derive(Clone)]
pub struct Origin {
    /// The record, in which the field has the same name.
    pub(in crate::value) record: Record,
    /// What checks it on the way.
    pub(in crate::value) check: Option<Rc<Applied>>,
}

impl Trace for Origin {
    fn trace(&self, to: &mut Graph) {
        self.record.trace(to);
        self.check.trace(to);
    }
}

impl DataField {
    /// A field with a value and no metadata.
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

    /// A field as it is in a record, to stand in another.
    pub(in crate::value) fn of(field: Field, record: &Record) -> DataField {
        let origin = Some(Origin { record: record.clone(), check: None });
        DataField { origin, ..DataField::from(field) }
    }

    /// The same behind a contract: which, and the value as it checks it.
    pub(in crate::value) fn behind(self, record: &Record, check: Rc<Applied>, value: Option<Thunk>) -> DataField {
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
    /// The record with its fields as they are: nothing follows later overrides any more (`std.record.freeze`). O(fields).
    pub fn freeze(&mut self, record: &Record) -> Result<Record, Fault> {
        let fields = self.all_fields(record)?.into_iter().map(|field| DataField::of(field, record));
        Ok(record.rebuilt(fields))
    }

    /// The record with a field more, or in place of the one of its name: `std.record.insert`, `update`. The others are frozen.
    /// O(log fields) where the record was made so itself, O(fields) otherwise.
    pub fn set_field(&mut self, record: &Record, field: DataField) -> Result<Record, Fault> {
        let dictionary = self.dictionary(record)?;
        Ok(record.with_dictionary(dictionary.insert(field.name.clone(), field)))
    }

    /// The record without a field: `std.record.remove`. The others are frozen. As fast as [`Machine::set_field`].
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

    /// The record with every defined value changed: `std.record.map`. Metadata stays; the record is frozen. O(fields).
    pub fn map_fields(
        &mut self,
        record: &Record,
        mut change: impl FnMut(&Name, Thunk) -> Thunk,
    ) -> Result<Record, Fault> {
        let fields = self.all_fields(record)?.into_iter().map(|f| {
            let mut field = DataField::from(f);
            field.value = field.value.take().map(|v| change(&field.name, v));
            field
        });
        Ok(record.rebuilt(fields))
    }
}
