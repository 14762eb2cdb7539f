//! Finished types: shared, comparable, without a live variable. What inference gives out and notations print.

use crate::text::{Name, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A finished type, shared.
pub type TyRef = Arc<Ty>;

/// A generic variable of the enclosing [`Scheme`], by index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Generic(pub u32);

/// A type.
#[derive(Clone, PartialEq, Debug)]
pub enum Ty {
    /// A generic variable of the scheme.
    Var(Generic),
    /// Null.
    Null,
    /// Booleans.
    Bool,
    /// cfg's and jsonnet's numbers.
    Number,
    /// mcl's integers.
    Int,
    /// mcl's floats.
    Float,
    /// Strings.
    String,
    /// Enum tags and variants.
    Enum(BTreeMap<Name, Option<TyRef>>, Tail),
    /// Arrays.
    Array(TyRef),
    /// mcl's maps.
    Map(TyRef, TyRef),
    /// A function of positional parameters; cfg's functions have one.
    Fun(Vec<Param>, TyRef),
    /// Records.
    Record(Row),
    /// What `error` has (jsonnet).
    Error(TyRef),
    /// Distinct heads in one place, for display.
    Union(Vec<TyRef>),
    /// A type or contract as a value, of the values it accepts.
    Contract(TyRef),
    /// Unknown, with the reason.
    Dyn(DynReason),
    /// What a reported conflict leaves behind; unifies with anything.
    Bottom,
}

/// A parameter of a function type.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// Its name, where it can be passed by name.
    pub name: Option<Name>,
    /// Its type.
    pub ty: TyRef,
    /// Whether it may be left out.
    pub optional: bool,
}

/// A record's row: the fields in alphabetical order and what else there may be.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The known labels.
    pub fields: BTreeMap<Name, Field>,
    /// Everything else.
    pub tail: Tail,
}

/// What a row says of one label.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// What the record gives.
    pub give: Give,
    /// What it needs.
    pub need: Need,
    /// The type.
    pub ty: TyRef,
}

/// Whether a record has a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Give {
    /// It has.
    Yes,
    /// It may have (`x?`).
    Maybe,
    /// It has not; only needed or declared (`x!`).
    No,
}

/// Whether a record needs a field that others supply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// No, or met.
    None,
    /// The final record must have it (`x!`).
    Own,
    /// The layers below must have it (`x<`).
    Super,
}

/// The end of a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Tail {
    /// Nothing else.
    Closed,
    /// A generic row variable.
    Var(Generic),
    /// Any other label has this type (a dictionary).
    Dict(TyRef),
    /// Unknown.
    Dyn(DynReason),
}

/// Why a type is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DynReason {
    /// Annotated `Dyn`.
    Annotated(Span),
    /// A contract that says nothing of types.
    Contract(Span),
    /// Data from outside.
    Data(Span),
    /// A field by computed name.
    Computed(Span),
    /// The library says no more.
    Library,
}

/// Which kind of thing a generic variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A type.
    Type,
    /// A record row.
    Row,
    /// An enum row.
    Tags,
}

/// A type with its generic variables and what they must satisfy: `∀ vars. constraints ⇒ ty`.
#[derive(Clone, PartialEq, Debug)]
pub struct Scheme {
    /// The generic variables, by [`Generic`] index.
    pub vars: Vec<Kind>,
    /// Constraints that wait for a caller.
    pub constraints: Vec<Constraint>,
    /// The type.
    pub ty: TyRef,
}

/// A constraint that a finished scheme still carries.
#[derive(Clone, PartialEq, Debug)]
pub enum Constraint {
    /// `result = left & right`
    Merge {
        /// Left operand.
        left: TyRef,
        /// Right operand.
        right: TyRef,
        /// The merged type.
        result: TyRef,
    },
    /// `result = base + extension` of objects
    Inherit {
        /// Below.
        base: TyRef,
        /// Above.
        extension: TyRef,
        /// The combined type.
        result: TyRef,
    },
    /// `result = left + right` by heads
    Plus {
        /// Left operand.
        left: TyRef,
        /// Right operand.
        right: TyRef,
        /// The sum's type.
        result: TyRef,
    },
}

impl Scheme {
    /// A type without generic variables.
    pub fn mono(ty: TyRef) -> Scheme {
        Scheme { vars: Vec::new(), constraints: Vec::new(), ty }
    }
}
