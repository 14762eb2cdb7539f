//! Why a type is as it is: each binding of a variable keeps what stood there and why that was expected.

use crate::text::{Name, Span};
use crate::ty::TyRef;

pub use crate::problem::types::Why;

/// A reason of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ReasonId(pub u32);

/// Why a variable was bound.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    /// Where.
    pub span: Span,
    /// What stood there, and why a type was expected of it.
    pub why: Why,
    /// Whether the unit that said so cannot be evaluated but with this type.
    pub certain: bool,
    /// The unit of evaluation that said so.
    pub unit: u32,
    /// Whether a value said so that was there, and nobody who needed one.
    pub given: bool,
}

/// The reason that unification works under.
#[derive(Clone, Debug)]
pub(super) struct Because {
    /// The expression whose type was found.
    pub span: Span,
    /// Why another type is expected of it.
    pub why: Why,
    /// Where that is said, if elsewhere.
    pub wanted: Option<Span>,
    /// Whether evaluation is certain to see it.
    pub certain: bool,
    /// Whether a variable learns what is there, not what is needed.
    pub given: bool,
    /// The whole type that is expected, of which a part may clash.
    pub whole: Option<TyRef>,
    /// The definition that the expression is a name of.
    pub origin: Option<(Span, Name)>,
}

impl Because {
    pub fn new(span: Span, why: Why) -> Because {
        Because { span, why, wanted: None, certain: true, given: false, whole: None, origin: None }
    }

    pub fn whole(self, whole: &TyRef) -> Because {
        Because { whole: Some(whole.clone()), ..self }
    }

    pub fn wanted(self, wanted: Span) -> Because {
        Because { wanted: Some(wanted), ..self }
    }

    pub fn unsure(self) -> Because {
        Because { certain: false, ..self }
    }

    /// A variable learns what is there.
    pub fn given(self) -> Because {
        Because { given: true, ..self }
    }

    pub fn sure_if(self, certain: bool) -> Because {
        Because { certain: self.certain && certain, ..self }
    }
}
