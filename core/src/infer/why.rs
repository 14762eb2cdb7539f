//! The reasons for types: each binding of a variable keeps the expression that it came from and why.

use crate::text::{Name, Span};
use crate::ty::TyRef;

pub use crate::problem::types::Why;

/// A reason, by index into the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ReasonId(pub u32);

/// The reason for binding a variable.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    /// The expression.
    pub span: Span,
    /// The expression whose type was found, such as an argument.
    pub found: Span,
    /// Why a type was expected of it.
    pub why: Why,
    /// Whether the unit fails with any other type.
    pub certain: bool,
    /// The unit that the expression is in.
    pub unit: u32,
    /// Whether the type is that of a value, not one that a use requires.
    pub given: bool,
}

/// The reason for unifying two types.
#[derive(Clone, Debug)]
pub(super) struct UnifyReason {
    /// The expression whose type was found.
    pub span: Span,
    /// Why the other type is expected of it.
    pub why: Why,
    /// The place of the expectation, if it is another one.
    pub wanted: Option<Span>,
    /// Whether evaluating the current unit is certain to require it.
    pub certain: bool,
    /// Whether variables get the type of a value, not one that a use requires.
    pub given: bool,
    /// The whole expected type, if the clash may be in a part of it.
    pub whole: Option<TyRef>,
    /// Whether two types that are joined are parts of those of the expressions.
    pub part: bool,
    /// The definition and the name, if the expression is a name.
    pub origin: Option<(Span, Name)>,
    /// Whether the found type must be as general as each `forall` of the expected type.
    pub general: bool,
    /// The type at `wanted`, if that type is one of several that were joined so far.
    pub first: Option<TyRef>,
}

impl UnifyReason {
    /// A reason that is certain.
    pub fn new(span: Span, why: Why) -> UnifyReason {
        UnifyReason {
            span,
            why,
            wanted: None,
            certain: true,
            given: false,
            whole: None,
            part: false,
            origin: None,
            general: false,
            first: None,
        }
    }

    /// The same reason, with the whole expected type.
    pub fn whole(self, whole: &TyRef) -> UnifyReason {
        UnifyReason { whole: Some(whole.clone()), ..self }
    }

    /// The same reason, with the place of the expectation.
    pub fn wanted(self, wanted: Span) -> UnifyReason {
        UnifyReason { wanted: Some(wanted), ..self }
    }

    /// The same reason, where the found type must be as general as each `forall` of the expected type.
    pub fn general(self) -> UnifyReason {
        UnifyReason { general: true, ..self }
    }

    /// The same reason, not certain.
    pub fn unsure(self) -> UnifyReason {
        UnifyReason { certain: false, ..self }
    }

    /// The same reason, for variables that get the type of a value.
    pub fn given(self) -> UnifyReason {
        UnifyReason { given: true, ..self }
    }

    /// The same reason, certain only if `certain` holds.
    pub fn sure_if(self, certain: bool) -> UnifyReason {
        UnifyReason { certain: self.certain && certain, ..self }
    }
}
