//! Labels: what a contract carries along to say who broke it.

use super::Thunk;
use crate::text::{Name, Span};

/// Whose fault a broken contract is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Polarity {
    /// The value's.
    #[default]
    Positive,
    /// The context's: the caller of a function.
    Negative,
}

impl Polarity {
    /// The other one.
    pub fn flip(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
        }
    }
}

/// What a contract blames. Immutable; library functions make changed copies.
#[derive(Clone, Default)]
pub struct Label {
    /// The contract as messages name it.
    pub contract: Name,
    /// Where the contract is written.
    pub contract_span: Option<Span>,
    /// Where the value comes from.
    pub value_span: Option<Span>,
    /// The value the contract was applied to.
    pub value: Option<Thunk>,
    /// Whom to blame.
    pub polarity: Polarity,
    /// A message of the contract's own.
    pub message: Option<Name>,
    /// Notes of the contract's own.
    pub notes: Vec<Name>,
    /// Diagnostics pushed aside by `std.contract.label.push_diag`: message and notes.
    pub earlier: Vec<(Option<Name>, Vec<Name>)>,
    /// Where in the value: fields, `[]` for elements, `->` for results, a number for arguments.
    pub path: Vec<Name>,
    /// The field the contract stands on.
    pub field: Option<Name>,
    /// Where the call that broke it stands.
    pub call_span: Option<Span>,
}
