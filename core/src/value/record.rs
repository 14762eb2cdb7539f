//! Records.

use super::{Fault, Machine, Thunk};
use crate::meta::Priority;
use crate::text::Name;
use std::rc::Rc;

/// A record: a composition of layers. Cheap to clone.
#[derive(Clone)]
pub struct Record(Rc<Vec<(Name, Thunk)>>);

/// A field of a final record.
#[derive(Clone)]
pub struct Field {
    /// The name.
    pub name: Name,
    /// Its final value, contracts applied; `None` where it is declared and not defined.
    pub value: Option<Thunk>,
    /// The priority of the winning definition.
    pub priority: Priority,
    /// `| optional`
    pub optional: bool,
    /// `| not_exported`
    pub not_exported: bool,
    /// `| secret`
    pub secret: bool,
}

impl Record {
    /// `{}`
    pub fn empty() -> Record {
        Record::from_fields([])
    }

    /// A record of plain fields. O(fields).
    pub fn from_fields(fields: impl IntoIterator<Item = (Name, Thunk)>) -> Record {
        Record(Rc::new(fields.into_iter().collect()))
    }
}

impl Machine {
    /// The fields of a record in the order they were written, those that are optional and empty left out, those that are
    /// declared and not defined kept. Evaluates guards (`when`), nothing else.
    pub fn fields(&mut self, record: &Record) -> Result<Vec<Field>, Fault> {
        let field = |(name, value): &(Name, Thunk)| Field {
            name: name.clone(),
            value: Some(value.clone()),
            priority: Priority::Normal,
            optional: false,
            not_exported: false,
            secret: false,
        };
        Ok(record.0.iter().map(field).collect())
    }

    /// The final value of a field, unforced; `None` where there is no such field (or it is optional and empty).
    /// A field that is declared and not defined is a thunk that fails.
    pub fn field(&mut self, record: &Record, name: &str) -> Result<Option<Thunk>, Fault> {
        Ok(record.0.iter().find(|(n, _)| n == name).map(|(_, t)| t.clone()))
    }

    /// The record with a field more, or changed: `std.record.insert`, `update`. What other fields computed from the old one follows.
    pub fn with_field(&mut self, record: &Record, name: Name, value: Option<Thunk>) -> Result<Record, Fault> {
        let mut fields: Vec<_> = record.0.iter().filter(|(n, _)| *n != name).cloned().collect();
        fields.extend(value.map(|v| (name, v)));
        Ok(Record::from_fields(fields))
    }

    /// The record without a field: `std.record.remove`.
    pub fn without_field(&mut self, record: &Record, name: &str) -> Result<Record, Fault> {
        Ok(Record::from_fields(record.0.iter().filter(|(n, _)| n != name).cloned()))
    }
}
