//! Types and contracts as values: what they are, and their application.
//!
//! Everything that can stand behind `|` comes here: type forms (`form`), records (`record`), functions of a label and a
//! value, and what `std.contract` makes of predicates and validators. A contract forces its value no further than
//! it looks; what it says of parts of the value (elements, fields, arguments) waits at those parts.

mod blame;
pub mod describe;
mod form;
mod function;
mod record;

use super::collect::{Graph, Trace};
use super::env::{Env, Unit};
use super::{Call, Fault, Label, Machine, Polarity, Record, Thunk, Value};
use crate::problem::value::ValueKind;
use crate::term::{Node, NodeId, TyVarId, TypeForm};
use crate::text::{Name, Span};
use std::rc::Rc;

pub use blame::Breach;
pub use function::Guarded;

/// A contract as a value. Records, functions of a label and a value, and types all serve as contracts.
pub enum Contract {
    /// A type form with its environment.
    Form(Rc<Unit>, NodeId, Env, Seals),
    /// `std.contract.from_predicate f`: `f : Dyn -> Bool`.
    Predicate(Value),
    /// `std.contract.from_validator f`: `f : Dyn -> [| 'Ok, 'Error {..} |]`.
    Validator(Value),
    /// `std.contract.custom f`: `f : Label -> Dyn -> [| 'Ok Dyn, 'Error {..} |]`.
    Custom(Value),
    /// A contract of the library, in Rust.
    Native {
        /// Its name in messages.
        name: &'static str,
        /// Applies it: label and value to the checked value.
        run: fn(&mut Machine, &Rc<Label>, &Thunk) -> Result<Value, Fault>,
    },
    /// A contract of the library made of values (`std.contract.Equal x`, `std.contract.Sequence cs`).
    Made {
        /// Its name in messages.
        name: &'static str,
        /// What it is made of.
        parts: Vec<Thunk>,
        /// Applies it: its parts, label and value to the checked value.
        run: Make,
    },
}

/// Applies a contract of the library: its parts, label and value to the checked value.
pub type Make = fn(&mut Machine, &[Thunk], &Rc<Label>, &Thunk) -> Result<Value, Fault>;

/// A contract as it stands in a stack: written somewhere, in an environment.
pub struct Applied {
    /// The unit.
    pub unit: Rc<Unit>,
    /// The contract's node.
    pub node: NodeId,
    /// Its environment.
    pub env: Env,
    /// The label of the record contract or dictionary contract that brought it.
    pub label: Option<Rc<Label>>,
    /// The seals in scope.
    pub seals: Seals,
}

impl Contract {
    /// Tells of what the contract refers to.
    pub(super) fn follow(&self, to: &mut Graph) {
        match self {
            Contract::Form(_, _, env, _) => env.trace(to),
            Contract::Predicate(f) | Contract::Validator(f) | Contract::Custom(f) => f.trace(to),
            Contract::Native { .. } => {}
            Contract::Made { parts, .. } => parts.trace(to),
        }
    }
}

impl Applied {
    /// A contract that stands for itself.
    pub fn new(unit: Rc<Unit>, node: NodeId, env: Env, label: Option<Rc<Label>>) -> Applied {
        Applied { unit, node, env, label, seals: Seals::default() }
    }
}

/// A value sealed by a polymorphic contract.
pub struct Sealed {
    /// Which `forall` sealed it.
    pub key: u64,
    /// The value.
    pub value: Thunk,
    /// Who is to blame for looking into it.
    pub label: Rc<Label>,
}

/// What each `forall`-bound variable in scope seals with. Empty: variables accept everything.
#[derive(Clone, Default)]
pub struct Seals(Option<Rc<Seal>>);

struct Seal {
    var: TyVarId,
    key: u64,
    polarity: Polarity,
    outer: Seals,
}

impl Seals {
    fn with(&self, var: TyVarId, key: u64, polarity: Polarity) -> Seals {
        Seals(Some(Rc::new(Seal { var, key, polarity, outer: self.clone() })))
    }

    fn get(&self, var: TyVarId) -> Option<(u64, Polarity)> {
        let mut next = &self.0;
        while let Some(seal) = next {
            if seal.var == var {
                return Some((seal.key, seal.polarity));
            }
            next = &seal.outer.0;
        }
        None
    }
}

/// What a contract of the validating kind answers where the value breaks it.
#[derive(Clone, Debug, Default)]
pub struct Complaint {
    /// A message.
    pub message: Option<Name>,
    /// Notes.
    pub notes: Vec<Name>,
    /// A part of the value to blame.
    pub location: Option<Thunk>,
}

impl Machine {
    /// Applies a stack of contracts in order. `span` is where the value comes from, `field` the field they stand on.
    pub(super) fn apply_all(
        &mut self,
        contracts: &[Rc<Applied>],
        value: &Thunk,
        span: Option<Span>,
        field: Option<(&Record, &Name)>,
    ) -> Result<Value, Fault> {
        let mut value = value.clone();
        for contract in contracts {
            let unit = &contract.unit;
            // Most contracts are plain types and hold: no label is made for them.
            if let Node::Type(form) = unit.node(contract.node) {
                if matches!(**form, TypeForm::Dyn | TypeForm::Wildcard) {
                    continue;
                }
                if matches!(**form, TypeForm::Number | TypeForm::String | TypeForm::Bool) {
                    let forced = self.force(&value)?;
                    if form::holds(form, &forced) {
                        continue;
                    }
                }
            }
            let label = Rc::new(Label {
                contract: describe::describe(&unit.term, contract.node),
                contract_span: Some(unit.span(contract.node)),
                value_span: span,
                value: Some(value.clone()),
                polarity: contract.label.as_ref().map_or(Polarity::Positive, |l| l.polarity),
                field: field.map(|(_, name)| name.clone()),
                ..Label::default()
            });
            let checked = self.apply_form(unit, contract.node, &contract.env, &contract.seals, &label, &value)?;
            value = Thunk::done(checked);
        }
        self.force(&value)
    }

    /// Applies a contract (a type, a record, a function of label and value, …) to a value: `std.contract.apply`.
    pub fn apply_contract(&mut self, contract: &Value, label: &Rc<Label>, value: &Thunk) -> Result<Value, Fault> {
        let call = Call { span: label.contract_span, name: "contract", ..Call::default() };
        match contract {
            Value::Record(contract) => self.apply_record(contract, label, value),
            Value::Contract(contract) => match &**contract {
                Contract::Form(unit, node, env, seals) => self.apply_form(unit, *node, env, seals, label, value),
                Contract::Native { run, .. } => run(self, label, value),
                Contract::Made { parts, run, .. } => run(self, parts, label, value),
                Contract::Predicate(_) | Contract::Validator(_) | Contract::Custom(_) => {
                    match self.check_contract(&Value::Contract(contract.clone()), label, value)? {
                        Ok(value) => self.force(&value),
                        Err(complaint) => Err(self.complain(label, complaint)),
                    }
                }
            },
            f if f.is_function() => {
                let label = Thunk::done(Value::Label(label.clone()));
                self.call(f, &[label, value.clone()], &call)
            }
            other => Err(self.mismatch_at("Contract", other, "a contract", label.contract_span)),
        }
    }

    /// As [`Machine::apply_contract`], with what an immediate failure has to say as data: `std.contract.check`. What a
    /// contract checks later is in the thunk. A function of label and value has no immediate part.
    pub fn check_contract(
        &mut self,
        contract: &Value,
        label: &Rc<Label>,
        value: &Thunk,
    ) -> Result<Result<Thunk, Complaint>, Fault> {
        let call = Call { span: label.contract_span, name: "contract", ..Call::default() };
        match contract {
            Value::Contract(known) => match &**known {
                Contract::Predicate(f) => {
                    let holds = self.call_bool(f, std::slice::from_ref(value), &call)?;
                    Ok(if holds { Ok(value.clone()) } else { Err(Complaint::default()) })
                }
                Contract::Validator(f) => match self.call(f, std::slice::from_ref(value), &call)? {
                    Value::Tag(tag) if tag == "Ok" => Ok(Ok(value.clone())),
                    answer => self.complaint(&answer, label).map(Err),
                },
                Contract::Custom(f) => {
                    let args = [Thunk::done(Value::Label(label.clone())), value.clone()];
                    match self.call(f, &args, &call)? {
                        Value::Variant(tag, checked) if tag == "Ok" => Ok(Ok(checked)),
                        answer => self.complaint(&answer, label).map(Err),
                    }
                }
                _ => self.check_at_once(contract, label, value),
            },
            Value::Record(_) => self.check_at_once(contract, label, value),
            f if f.is_function() => {
                let (f, label, value) = (contract.clone(), label.clone(), value.clone());
                Ok(Ok(Thunk::holding((f, label, value), |machine, (f, label, value)| {
                    machine.apply_contract(f, label, value)
                })))
            }
            other => Err(self.mismatch_at("Contract", other, "a contract", label.contract_span)),
        }
    }

    /// Types and records: all that applying them finds before it returns is immediate. Faults of the value itself come
    /// first, so that they are not taken for the contract's.
    fn check_at_once(
        &mut self,
        contract: &Value,
        label: &Rc<Label>,
        value: &Thunk,
    ) -> Result<Result<Thunk, Complaint>, Fault> {
        self.force(value)?;
        let fault = match self.apply_contract(contract, label, value) {
            Ok(value) => return Ok(Ok(Thunk::done(value))),
            Err(fault) => fault,
        };
        let Some(ValueKind::Contract(broken)) = fault.what() else { return Err(fault) };
        let message = broken.message.clone().or_else(|| match (&broken.expected, &broken.found) {
            (Some(expected), Some(found)) => Some(Name::from(format!("expected {expected}, found {found}"))),
            _ => None,
        });
        Ok(Err(Complaint { message, notes: broken.notes.clone(), location: None }))
    }

    /// What `'Error {message, notes, blame_location}` says.
    fn complaint(&mut self, answer: &Value, label: &Label) -> Result<Complaint, Fault> {
        let said = match answer {
            Value::Variant(tag, said) if tag == "Error" => self.force(said)?,
            Value::Tag(tag) if tag == "Error" => return Ok(Complaint::default()),
            other => return Err(self.mismatch_at("'Ok or 'Error", other, "a contract's answer", label.contract_span)),
        };
        let Value::Record(said) = said else {
            return Err(self.mismatch_at("Record", &said, "the argument of 'Error", label.contract_span));
        };
        let mut complaint = Complaint::default();
        if let Some(message) = self.field(&said, "message")?
            && let Value::String(s) = self.force(&message)?
        {
            complaint.message = Some(s.name());
        }
        if let Some(notes) = self.field(&said, "notes")?
            && let Value::Array(notes) = self.force(&notes)?
        {
            for note in notes.iter() {
                if let Value::String(s) = self.force(note)? {
                    complaint.notes.push(s.name());
                }
            }
        }
        complaint.location = self.field(&said, "blame_location")?;
        Ok(complaint)
    }

    /// A contract's name and place for a label that a library function makes (`std.contract.apply`, `std.contract.check`).
    pub fn label_of(&mut self, contract: &Value, value: &Thunk, call: &Call) -> Rc<Label> {
        let (name, span) = match contract {
            Value::Contract(c) => match &**c {
                Contract::Form(unit, node, _, _) => (describe::describe(&unit.term, *node), Some(unit.span(*node))),
                Contract::Native { name, .. } | Contract::Made { name, .. } => (Name::new_static(name), None),
                _ => (Name::default(), None),
            },
            Value::Record(r) => (Name::default(), r.span()),
            _ => (Name::default(), None),
        };
        Rc::new(Label {
            contract: name,
            contract_span: span.or(call.span),
            value_span: self.place(value),
            value: Some(value.clone()),
            ..Label::default()
        })
    }

    fn mismatch_at(&mut self, expected: &str, found: &Value, needed_by: &str, span: Option<Span>) -> Fault {
        self.mismatch(expected, found, needed_by, span, None)
    }
}
