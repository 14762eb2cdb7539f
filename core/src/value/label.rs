//! Labels: the information with which a contract reports who broke it.

use super::Thunk;
use super::env::Unit;
use crate::term::NodeId;
use crate::text::{Name, Span};
use std::rc::Rc;

/// The side that a broken contract blames.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Polarity {
    /// The value.
    #[default]
    Positive,
    /// The context, for example the caller of a function.
    Negative,
}

impl Polarity {
    /// Returns the opposite polarity.
    pub fn flip(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
        }
    }
}

impl Label {
    /// Returns `true` if the value is an argument or a result of a function with a contract, or a part of one.
    pub fn is_of_call(&self) -> bool {
        self.path.iter().any(|step| step == "argument" || step == "->")
    }
}

/// The blame information of a contract. Immutable; library functions make changed copies.
#[derive(Clone, Default)]
pub struct Label {
    /// The contract's name in messages.
    pub contract: Name,
    /// The place where the contract is written.
    pub contract_span: Option<Span>,
    /// The place where the value comes from.
    pub value_span: Option<Span>,
    /// The value to which the contract was applied.
    pub value: Option<Thunk>,
    /// The side to blame.
    pub polarity: Polarity,
    /// A custom message.
    pub message: Option<Name>,
    /// Custom notes.
    pub notes: Vec<Name>,
    /// Whether the message and the notes contain nothing of the value, which may be secret.
    pub is_without_values: bool,
    /// Diagnostics that `std.contract.label.push_diag` saved: message and notes.
    pub earlier: Vec<(Option<Name>, Vec<Name>)>,
    /// The path into the value: fields, `[]` for elements, `->` for results, a number for arguments.
    pub path: Vec<Name>,
    /// The field that has the contract.
    pub field: Option<Name>,
    /// The path from the value that has the contract to the part that violates it: `a.b[0]`. Empty for the whole value.
    pub inside: Name,
    /// The function whose contract it is, if the value is an argument or a result of it.
    pub function: Option<Name>,
    /// The literal that the value is, so that its parts have a place.
    pub literal: Option<(Rc<Unit>, NodeId)>,
    /// The place of the call that broke the contract.
    pub call_span: Option<Span>,
}
