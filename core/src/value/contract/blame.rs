//! Blame: turns a label into the fault of a broken contract.

use super::{Rejection, Sealed};
use crate::problem::value::{Blame, ContractViolation, OtherViolation, ValueKind};
use crate::term::{FieldName, Node, NodeId};
use crate::text::Name;
use crate::value::env::Unit;
use crate::value::{Fault, Label, Machine, Polarity, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The details of a violation, if they are known.
#[derive(Default)]
pub struct Violation<'a> {
    /// The part of the contract that the value violates.
    pub part: Option<Name>,
    /// The expected type.
    pub expected: Option<Name>,
    /// The value that was found.
    pub found: Option<&'a Value>,
    /// Similar names that the contract allows.
    pub near: Vec<Name>,
    /// The reason, as a clause: `it inspects an argument of polymorphic type`.
    pub message: Option<Name>,
}

impl Machine {
    /// Returns the fault of a broken contract: `std.contract.blame`.
    pub fn blame(&mut self, label: &Label) -> Fault {
        self.violation(label, Violation::default())
    }

    /// Returns the fault of a broken contract, with the details of the violation.
    pub fn violation(&mut self, label: &Label, violation: Violation) -> Fault {
        let shown = match (violation.found, &label.value) {
            (Some(value), _) => Some(crate::value::Thunk::done(value.clone())),
            (None, Some(thunk)) if thunk.is_forced() => Some(thunk.clone()),
            _ => None,
        };
        let violation_data = ContractViolation {
            contract: label.contract.clone(),
            contract_span: label.contract_span,
            part: violation.part,
            blame: match label.polarity {
                Polarity::Positive => Blame::Value,
                Polarity::Negative => Blame::Caller,
            },
            message: label.message.clone().or(violation.message),
            notes: label.notes.clone(),
            is_without_values: label.is_without_values,
            expected: violation.expected,
            found: violation.found.map(|v| Name::new(v.type_name())),
            value_span: label.value_span,
            value: shown.map(|thunk| self.preview(&thunk)),
            path: label.path.clone(),
            field: label.field.clone(),
            inside: label.inside.clone(),
            call_span: label.call_span,
            function: label.function.clone(),
            predicate: None,
            near: violation.near,
            others: Vec::new(),
        };
        Fault::new(ValueKind::Contract(Box::new(violation_data)))
    }

    /// Returns the fault of a contract function that returned an error of its own.
    pub fn rejection_fault(&mut self, label: &Label, rejection: Rejection) -> Fault {
        let mut label = label.clone();
        if rejection.message.is_some() {
            label.message = rejection.message;
        }
        label.notes.extend(rejection.notes);
        match rejection.location.as_ref().map(|location| (location.computed(), location)) {
            // a label from `std.contract.check` has a more precise place
            Some((Some(Value::Label(inner)), _)) => {
                let outer = std::mem::replace(&mut label, (*inner).clone());
                label.message = outer.message.or(label.message);
                label.notes.extend(outer.notes);
                label.field = label.field.or(outer.field);
                label.value_span = label.value_span.or(outer.value_span);
            }
            Some((_, location)) => {
                label.value_span = self.place(location).or(label.value_span);
                label.value = Some(location.clone());
            }
            None => {}
        }
        let predicate = rejection.predicate;
        let mut others = Vec::with_capacity(rejection.others.len());
        for other in &rejection.others {
            others.push(OtherViolation {
                message: other.message.clone().unwrap_or_default(),
                contract_span: other.contract_span,
                value_span: other.value_span,
                value: other.value.as_ref().map(|thunk| self.preview(thunk)),
                inside: other.inside.clone(),
            });
        }
        self.blame(&label).change(|problem| {
            if let ValueKind::Contract(broken) = &mut problem.what {
                broken.predicate = predicate;
                broken.others = others;
            }
        })
    }

    /// Returns the fault of inspecting a sealed value. It blames the function that has the polymorphic contract.
    #[cold]
    pub fn inspected_sealed(&mut self, sealed: &Sealed) -> Fault {
        let mut label = (*sealed.label).clone();
        label.polarity = label.polarity.flip();
        let message = Name::new_static("it inspects an argument of polymorphic type");
        self.violation(&label, Violation { message: Some(message), ..Violation::default() })
    }
}

impl Label {
    /// Returns the label for a part of the value: adds the step to the path.
    pub(super) fn label_of_part(self: &Rc<Label>, step: impl Into<Name>) -> Rc<Label> {
        let mut label = (**self).clone();
        label.path.push(step.into());
        label.literal = None;
        Rc::new(label)
    }

    /// Sets the literal of the value, and with it the place.
    pub(super) fn with_literal(self: &Rc<Label>, literal: Option<(Rc<Unit>, NodeId)>) -> Rc<Label> {
        if literal.is_none() && self.literal.is_none() {
            return self.clone();
        }
        let mut label = (**self).clone();
        label.value_span = literal.as_ref().map(|(unit, node)| unit.span(*node)).or(label.value_span);
        label.literal = literal;
        Rc::new(label)
    }

    /// Returns the literals of the elements of the array, if it is a literal itself.
    pub(super) fn elements(&self) -> Option<(&Rc<Unit>, &[NodeId])> {
        let (unit, node) = self.literal.as_ref()?;
        match unit.node(*node) {
            Node::Array(items) => Some((unit, items)),
            _ => None,
        }
    }

    /// Returns the expressions of the fields of the record, if it is a literal without computed names. O(fields).
    pub(super) fn literal_fields(&self) -> Option<(&Rc<Unit>, FxHashMap<&Name, NodeId>)> {
        let (unit, node) = self.literal.as_ref()?;
        let Node::Record(literal) = unit.node(*node) else { return None };
        let fields = literal.fields.iter().filter_map(|field| match (&field.name, field.body) {
            (FieldName::Static(name), Some(body)) => Some((name, body)),
            _ => None,
        });
        Some((unit, fields.collect()))
    }
}
