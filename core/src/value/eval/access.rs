//! Access to the fields of a record or of the final record of an enclosing literal, with a literal or a computed name.

use crate::problem::value::ValueKind;
use crate::term::NodeId;
use crate::text::{Name, Span};
use crate::value::env::{Env, Unit};
use crate::value::{Fault, Machine, Record, Value};
use std::rc::Rc;

/// Maximum number of field names that the message of a missing field lists.
const LISTED: usize = 12;

impl Machine {
    /// Reads a field of the final record of the record literal that is `up` frames outside.
    #[inline(never)]
    pub(super) fn member(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        up: u32,
        name: &Name,
        env: &Env,
    ) -> Result<Value, Fault> {
        let Some(record) = env.record(up) else { return Err(self.unbound_slot(unit, node)) };
        self.access(&record, name, unit.span(node), false)
    }

    #[inline(never)]
    pub(super) fn project(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        record: NodeId,
        name: &Name,
        env: &Env,
    ) -> Result<Value, Fault> {
        let result = match self.eval(unit, record, env)? {
            Value::Record(r) => self.access(&r, name, unit.span(node), unit.rules.uses_reference_wording()),
            other if unit.rules.uses_reference_wording() => Err(self.not_an_object(&other, unit, node, record, name)),
            other => {
                let needed = format!("`.{name}`");
                Err(self.mismatch("Record", &other, &needed, Some(unit.span(record)), Some(unit.span(node))))
            }
        };
        result.map_err(|fault| {
            let fault = self.explained(fault, unit, [node, record], env);
            self.with_object(fault, unit, (node, record), name, env)
        })
    }

    #[inline(never)]
    pub(super) fn index(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        parts: &[NodeId; 2],
        env: &Env,
    ) -> Result<Value, Fault> {
        let [record, name] = *parts;
        let value = self.eval(unit, record, env)?;
        let key = self.eval(unit, name, env)?;
        match (&value, &key) {
            (Value::Record(r), Value::String(name)) => self.access(r, &name.name(), unit.span(node), false),
            (Value::Record(_), other) => {
                Err(self.mismatch("String", other, "a field's name", Some(unit.span(name)), Some(unit.span(node))))
            }
            (other, _) => Err(self.mismatch("Record", other, "access", Some(unit.span(record)), Some(unit.span(node)))),
        }
    }

    /// Forces a field's value. Faults get the field's path and the place that needed it. With `as_reference`, faults use
    /// the words of the reference implementation.
    pub(in crate::value) fn access(
        &mut self,
        record: &Record,
        name: &Name,
        span: Span,
        as_reference: bool,
    ) -> Result<Value, Fault> {
        self.check_asserts(record)?;
        let Some(thunk) = self.field_named(record, name) else {
            let fault = self.missing_field(record, name, Some(span));
            return Err(if as_reference { fault.worded(format!("field does not exist: {name}")) } else { fault });
        };
        match self.force_field(&thunk) {
            Ok(value) => {
                if let Value::Record(inner) = &value {
                    inner.set_path(record, name);
                }
                Ok(value)
            }
            Err(fault) => Err(self.in_layer(needed(fault.in_field(|| record.path_to(name)), span), record, name)),
        }
    }

    /// Returns the names of all fields of a record, including those without a value.
    pub(crate) fn field_names(&self, record: &Record) -> Vec<Name> {
        record.table().shape.fields.keys().cloned().collect()
    }

    /// Returns the fault of a missing field, with similar names.
    #[cold]
    pub(in crate::value) fn missing_field(&mut self, record: &Record, name: &Name, span: Option<Span>) -> Fault {
        let table = record.table();
        let names = || table.shape.fields.keys();
        // An operator that supplies another value for a missing field discards the fault, so no similar names are searched.
        let discarded = self.discards_missing == Some(self.running.len());
        let near = if discarded { Vec::new() } else { crate::text::near(name, names().map(Name::as_str)) };
        let known = match near.is_empty() && !discarded && names().len() <= LISTED {
            true => names().filter(|name| !name.starts_with(['%', '_'])).cloned().collect(),
            false => Vec::new(),
        };
        Fault::new(ValueKind::MissingField { name: name.clone(), span, record: record.span(), near, known })
    }
}

/// Adds the place that first needed the value to the fault of a missing definition.
#[cold]
fn needed(fault: Fault, span: Span) -> Fault {
    match fault.what() {
        Some(ValueKind::MissingDefinition { needed: None, .. }) => fault.change(|problem| {
            if let ValueKind::MissingDefinition { needed, .. } = &mut problem.what {
                *needed = Some(span);
            }
        }),
        _ => fault,
    }
}
