//! Types: shared, comparable nodes on persistent maps. What inference gives out and notations print.
//!
//! One representation serves inside and outside of inference, so that nothing is converted on the way: while inference
//! runs, a type may hold *live* variables ([`Ty::Live`], [`Tail::Live`]); a type that leaves `infer` holds none.
//! Each node caches what stands below it ([`Marks`]), so that a closed type is passed over in O(1): it is never copied
//! for a use, walked for its variables, or opened further than somebody asks.

mod field;
mod node;
mod row;

pub use field::{Contract, Demand, Field, Forced, Give, Layer, Need, Stack};
pub use node::{Marks, TyRef};
pub use row::{Row, Tail};

use crate::text::{Name, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A generic variable: of the scheme `up` schemes outwards, by index into its [`Scheme::vars`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Generic {
    /// Schemes outwards, 0 is the innermost.
    pub up: u32,
    /// Which variable of that scheme.
    pub index: u32,
}

/// A variable of a running inference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Live {
    /// Its key in inference's table.
    pub id: u32,
    /// Its level when it was made: never below its level now.
    pub level: u32,
}

/// A type.
#[derive(Clone, PartialEq, Debug)]
pub enum Ty {
    /// A generic variable.
    Var(Generic),
    /// A variable of a running inference; never in a type that left `infer`.
    Live(Live),
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
    /// A type with quantifiers of its own: of a field that is polymorphic for whoever reads it, or written by hand.
    Forall(Arc<Scheme>),
    /// A value of this type that cannot be had: its evaluation fails. Printed and unified as the type inside.
    Fails(Fault, TyRef),
    /// A module of a library, opened on demand while inference runs; never in a type that left `infer`.
    Library(Arc<[Name]>),
    /// Unknown, with the reason.
    Dyn(DynReason),
    /// What a reported conflict leaves behind; unifies with anything.
    Bottom,
}

/// Which problem makes a value fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The problem, by index, while the inference that found it runs.
    pub id: Option<u32>,
    /// The problem's place.
    pub span: Span,
    /// Fails only if it is forced whole (an array with such an element).
    pub deep: bool,
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
    /// How far a saturated call is certain to force the argument.
    pub demand: Demand,
}

impl Param {
    /// A parameter of cfg's functions.
    pub fn of(ty: TyRef) -> Param {
        Param { name: None, ty, optional: false, demand: Demand::Lazy }
    }
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
    /// A value that holds itself: its type would be infinite.
    Cycle(Span),
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
    /// The generic variables, by [`Generic::index`].
    pub vars: Vec<Kind>,
    /// Constraints that wait for a caller.
    pub constraints: Vec<Constraint>,
    /// The type.
    pub ty: TyRef,
    /// The same as a person reads it, where that differs: waiting merges solved as far as nobody overrides anything.
    pub shown: Option<Arc<Scheme>>,
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
        /// The merge in the program.
        span: Span,
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
        Scheme { vars: Vec::new(), constraints: Vec::new(), ty, shown: None }
    }
}
