//! Types and contracts as values, and their application.
//!
//! This module handles everything that can follow `|`: type forms (`form`), records (`record`), functions of a label
//! and a value, and the contracts that `std.contract` makes from functions. A contract forces its value only as far as
//! it must inspect it; contracts on parts of the value (elements, fields, arguments) are applied lazily to those parts.

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

pub use function::Guarded;

/// A contract as a value. Records, types, and functions of a label and a value can all be used as contracts.
pub enum Contract {
    /// A type form with its environment.
    Form(Rc<Unit>, NodeId, Env, Seals),
    /// `std.contract.from_predicate f`: `f : Dyn -> Bool`.
    Predicate(Value),
    /// `std.contract.from_validator f`: `f : Dyn -> [| 'Ok, 'Error {..} |]`.
    Validator(Value),
    /// `std.contract.custom f`: `f : Label -> Dyn -> [| 'Ok Dyn, 'Error {..} |]`.
    Custom(Value),
}

/// A contract on a field or an expression, with the environment in which it was written.
pub struct Applied {
    /// The unit that contains the contract.
    pub unit: Rc<Unit>,
    /// The node of the contract.
    pub node: NodeId,
    /// The environment in which it was written.
    pub env: Env,
    /// The label of the record contract or dictionary contract that contributed it.
    pub label: Option<Rc<Label>>,
    /// The seals in scope.
    pub seals: Seals,
    /// Whether it refuses every value, because a JSON Schema does not have the key. `node` is then the rule.
    pub refuses: bool,
}

impl Contract {
    /// Reports the values and environments that the contract refers to, to the cycle collector.
    pub(super) fn follow(&self, to: &mut Graph) {
        match self {
            Contract::Form(_, _, env, _) => env.trace(to),
            Contract::Predicate(f) | Contract::Validator(f) | Contract::Custom(f) => f.trace(to),
        }
    }
}

impl Contract {
    /// Returns the first field of a record type that has a literal in place of its type: `{ a : 1 }`.
    pub fn value_as_type(&self) -> Option<(Name, Span)> {
        let Contract::Form(unit, node, ..) = self else { return None };
        let Node::Type(form) = unit.node(*node) else { return None };
        let TypeForm::Record { fields, .. } = &**form else { return None };
        fields.iter().find_map(|(name, _, ty)| {
            let is_value = matches!(
                unit.node(*ty),
                Node::Str(_) | Node::Interp(_) | Node::Number(_) | Node::Bool(_) | Node::Null | Node::Array(_)
            );
            is_value.then(|| (name.clone(), unit.span(*ty)))
        })
    }
}

impl Applied {
    /// Makes a contract without seals.
    pub fn new(unit: Rc<Unit>, node: NodeId, env: Env, label: Option<Rc<Label>>) -> Applied {
        Applied { unit, node, env, label, seals: Seals::default(), refuses: false }
    }
}

/// A value sealed by a polymorphic contract.
pub struct Sealed {
    /// The key of the `forall` that sealed it.
    pub key: u64,
    /// The value.
    pub value: Thunk,
    /// The label to blame for inspecting the value.
    pub label: Rc<Label>,
}

/// The seals of the `forall`-bound variables in scope. A variable without a seal accepts every value.
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

/// The reason why [`Machine::check_contract`] rejects a value.
#[derive(Clone, Default)]
pub struct Rejection {
    /// The message.
    pub message: Option<Name>,
    /// The notes.
    pub notes: Vec<Name>,
    /// The part of the value to blame.
    pub location: Option<Thunk>,
    /// The body of the predicate that rejects it.
    pub predicate: Option<Span>,
    /// The labels of further violations.
    pub others: Vec<Rc<Label>>,
}

/// Returns the span of the body of a function literal.
fn body_of(function: &Value) -> Option<Span> {
    let Value::Function(closure) = function else { return None };
    let Node::Lambda(lambda) = closure.unit.node(closure.node) else { return None };
    Some(closure.unit.span(lambda.body))
}

impl Machine {
    /// Applies contracts in order. `span` is the origin of the value, `field` the record, if there is one, and the name of the field or
    /// binding that has the contracts, and `literal` the literal that the value is.
    pub(super) fn apply_all(
        &mut self,
        contracts: &[Rc<Applied>],
        value: &Thunk,
        span: Option<Span>,
        field: Option<(Option<&Record>, &Name)>,
        literal: Option<(Rc<Unit>, NodeId)>,
    ) -> Result<Value, Fault> {
        let mut value = value.clone();
        for contract in contracts {
            let unit = &contract.unit;
            if contract.refuses {
                return Err(self.unexpected_key(contract, &value, span, field));
            }
            // Most contracts are primitive types and are satisfied, so no label is made for them.
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
            // a part of an argument or of a result
            let outer = contract.label.as_ref().filter(|label| label.is_of_call());
            let path = outer
                .map_or_else(Vec::new, |outer| outer.path.iter().chain(field.map(|(_, name)| name)).cloned().collect());
            let label = Rc::new(Label {
                path,
                function: outer.and_then(|outer| outer.function.clone()),
                literal: literal.clone(),
                call_span: outer.and_then(|outer| outer.call_span),
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
                Contract::Predicate(_) | Contract::Validator(_) | Contract::Custom(_) => {
                    match self.check_contract(&Value::Contract(contract.clone()), label, value)? {
                        Ok(value) => self.force(&value),
                        Err(rejection) => Err(self.rejection_fault(label, rejection)),
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

    /// Like [`Machine::apply_contract`], but returns an immediate failure as data: `std.contract.check`. Delayed checks
    /// are in the returned thunk. A function of a label and a value is only applied when the returned thunk is forced, so it
    /// never fails immediately.
    pub fn check_contract(
        &mut self,
        contract: &Value,
        label: &Rc<Label>,
        value: &Thunk,
    ) -> Result<Result<Thunk, Rejection>, Fault> {
        let call = Call { span: label.contract_span, name: "contract", ..Call::default() };
        match contract {
            Value::Contract(known) => match &**known {
                Contract::Predicate(f) => {
                    let holds = self.call_bool(f, std::slice::from_ref(value), &call)?;
                    Ok(match holds {
                        true => Ok(value.clone()),
                        false => Err(Rejection { predicate: body_of(f), ..Rejection::default() }),
                    })
                }
                Contract::Validator(f) => match self.call(f, std::slice::from_ref(value), &call)? {
                    Value::Tag(tag) if tag == "Ok" => Ok(Ok(value.clone())),
                    answer => self.rejection(&answer, label).map(Err),
                },
                Contract::Custom(f) => {
                    let args = [Thunk::done(Value::Label(label.clone())), value.clone()];
                    match self.call(f, &args, &call)? {
                        Value::Variant(tag, checked) if tag == "Ok" => Ok(Ok(checked)),
                        answer => self.rejection(&answer, label).map(Err),
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

    /// Checks a type or a record contract. If its application returns a contract fault, that is an immediate failure; any
    /// other fault is returned as it is. The value is
    /// forced first, so that its own faults are not attributed to the contract.
    fn check_at_once(
        &mut self,
        contract: &Value,
        label: &Rc<Label>,
        value: &Thunk,
    ) -> Result<Result<Thunk, Rejection>, Fault> {
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
        Ok(Err(Rejection { message, notes: broken.notes.clone(), ..Rejection::default() }))
    }

    /// Converts a contract's result `'Error {message, notes, blame_location}` or `'Error` to a [`Rejection`]. Fails for any other
    /// result.
    fn rejection(&mut self, answer: &Value, label: &Label) -> Result<Rejection, Fault> {
        let details = match answer {
            Value::Variant(tag, details) if tag == "Error" => self.force(details)?,
            Value::Tag(tag) if tag == "Error" => return Ok(Rejection::default()),
            other => return Err(self.mismatch_at("'Ok or 'Error", other, "a contract's answer", label.contract_span)),
        };
        let Value::Record(details) = details else {
            return Err(self.mismatch_at("Record", &details, "the argument of 'Error", label.contract_span));
        };
        let mut rejection = Rejection::default();
        if let Some(message) = self.field(&details, "message")?
            && let Value::String(s) = self.force(&message)?
        {
            rejection.message = Some(s.name());
        }
        if let Some(notes) = self.field(&details, "notes")?
            && let Value::Array(notes) = self.force(&notes)?
        {
            for note in self.items(&notes)? {
                if let Value::String(s) = self.force(note)? {
                    rejection.notes.push(s.name());
                }
            }
        }
        rejection.location = self.field(&details, "blame_location")?;
        if let Some(others) = self.field(&details, "others")?
            && let Value::Array(others) = self.force(&others)?
        {
            for other in self.items(&others)? {
                if let Value::Label(label) = self.force(other)? {
                    rejection.others.push(label);
                }
            }
        }
        Ok(rejection)
    }

    fn mismatch_at(&mut self, expected: &str, found: &Value, needed_by: &str, span: Option<Span>) -> Fault {
        self.mismatch(expected, found, needed_by, span, None)
    }
}
