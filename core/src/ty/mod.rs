//! Types: shared, comparable nodes on persistent maps. What inference gives out and notations print.
//!
//! One representation serves inside and outside of inference, so that nothing is converted on the way: while inference
//! runs, a type may hold *live* variables ([`Ty::Live`], [`Tail::Live`]); a type that leaves `infer` holds none.
//! Each node caches what stands below it ([`Marks`]), so that a closed type is passed over in O(1): it is never copied
//! for a use, walked for its variables, or opened further than somebody asks.

mod equality;
mod field;
mod node;
mod row;

pub use field::{Asks, Contract, Demand, Field, Forced, Give, Late, Layer, Need, Stack, Want};
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
    /// What a field's body read of a sibling: printed and unified as the type inside, replaced where a merge gives the
    /// sibling another type.
    Sibling(Arc<Sibling>, TyRef),
    /// A module of a library, opened on demand while inference runs; never in a type that left `infer`.
    Library(Arc<[Name]>),
    /// Unknown, with the reason.
    Dyn(DynReason),
    /// What a reported conflict leaves behind; unifies with anything.
    Bottom,
}

/// Which definition of a sibling was read, and which part of it.
#[derive(Clone, Eq, Debug)]
pub struct Sibling {
    /// The definition.
    pub at: Span,
    /// The fields that lead to the part.
    pub path: Vec<Name>,
}

impl PartialEq for Sibling {
    /// Places do not make types different.
    fn eq(&self, other: &Sibling) -> bool {
        self.path == other.path
    }
}

/// Which problem makes a value fail.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// The problem, by index, while the inference that found it runs.
    pub id: Option<u32>,
    /// The problem's place.
    pub span: Span,
    /// Fails only if it is forced whole (an array with such an element).
    pub deep: bool,
}

impl PartialEq for Fault {
    /// Places do not make types different.
    fn eq(&self, other: &Fault) -> bool {
        (self.id, self.deep) == (other.id, other.deep)
    }
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
#[derive(Clone, Copy, Debug)]
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
    /// Of a value that the program asks for its type: it may be anything that the answer leaves open.
    Tested(Span),
    /// The library says no more.
    Library,
}

impl PartialEq for DynReason {
    /// Reasons and places do not make types different.
    fn eq(&self, _: &DynReason) -> bool {
        true
    }
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
    /// The object that a definition is read of.
    This,
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
#[derive(Clone, Debug)]
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
        /// The sum in the program.
        span: Span,
    },
    /// `result` is what either of two branches gives
    Join {
        /// One branch.
        left: TyRef,
        /// The other one.
        right: TyRef,
        /// The type of what either gives.
        result: TyRef,
        /// The branch that was looked at last.
        span: Span,
    },
    /// `result = left + right` by heads
    Plus {
        /// Left operand.
        left: TyRef,
        /// Right operand.
        right: TyRef,
        /// The sum's type.
        result: TyRef,
        /// The sum in the program.
        span: Span,
    },
}

impl Scheme {
    /// A type without generic variables.
    pub fn mono(ty: TyRef) -> Scheme {
        Scheme { vars: Vec::new(), constraints: Vec::new(), ty, shown: None }
    }
}

impl Constraint {
    /// Left operand, right operand, result.
    pub fn parts(&self) -> [&TyRef; 3] {
        let (Constraint::Merge { left: a, right: b, result: c, .. }
        | Constraint::Inherit { base: a, extension: b, result: c, .. }
        | Constraint::Join { left: a, right: b, result: c, .. }
        | Constraint::Plus { left: a, right: b, result: c, .. }) = self;
        [a, b, c]
    }
}

impl PartialEq for Constraint {
    /// Places do not make constraints different.
    fn eq(&self, other: &Constraint) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other) && self.parts() == other.parts()
    }
}
