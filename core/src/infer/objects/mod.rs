//! Inference of object languages: object literals, `self` and `super`, sums of objects, comprehensions, and calls by name.
//!
//! [`literal`] infers an object literal. [`access`] reads `self` and `super`. [`inherit`] combines two known objects. [`derive`]
//! defers the sum of objects that are not known yet. [`missing`] reports fields that no later object can supply.

mod access;
mod call;
mod chosen;
mod comparison;
mod comprehension;
mod concrete;
mod cycles;
mod derive;
mod format;
mod host;
mod in_place;
mod inherit;
mod layers;
mod library;
mod literal;
mod missing;
mod misspelt;
mod plus;
mod project;
mod required;
mod schema;
mod unread;

pub(super) use cycles::alias_cycles;
pub(super) use derive::free;

use super::scopes::Variable;
use crate::term::NodeId;
use crate::text::{Name, Span};
use crate::ty::{Condition, Failure, Field, Live, MissingPart, Need, Row, TyRef, UsedPart};
use derive::Sums;
use missing::Missing;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The subject and the keys of a `select`.
#[derive(Clone)]
struct Cases {
    subject: Name,
    keys: Arc<[Name]>,
}

/// The state of inference for objects, besides their types.
#[derive(Default)]
pub(super) struct Objects {
    /// The variables made for `null` and `error`, whose types later uses decide.
    open_variables: Vec<Live>,
    /// The level of such variables: that of the object literal or local around them.
    open_level: u32,
    /// The definitions of siblings that were read, in order.
    pub reads: Vec<Span>,
    /// Whether the next argument belongs to a library function that takes all arguments at once.
    library_argument: bool,
    /// The number of enclosing expressions that may fail because something does not exist, such as `a` in `a else b`.
    pub tolerant: u32,
    /// The part of a chain of projections that is inferred next, if the chain does not begin at a definition with a generalised type.
    outside_schemes: Option<NodeId>,
    /// The conditions of the guarded definitions around the current expression.
    around: Vec<Condition>,
    /// Each `select`, by the expression of its chosen case.
    cases: FxHashMap<(NodeId, Span), Cases>,
    sums: Sums,
    missing: Missing,
    /// The parts of siblings that are certain to be read, by the definition of the sibling, until its object is complete.
    used_parts: FxHashMap<Span, Vec<UsedPart>>,
    /// The number of sums of objects that are being computed, one inside another.
    summing: u32,
    /// The places of the inputs of nodes, in their schemas.
    inputs: FxHashSet<Span>,
    /// The places of the outputs of nodes, in their schemas.
    outputs: FxHashSet<Span>,
    /// The places of definitions of inputs that do not fit their schemas.
    wrong_inputs: FxHashSet<Span>,
    /// The places whose faults the current sums removed.
    saved: Vec<Span>,
}

impl Objects {
    /// Sets the level of the variables that `null` and `error` make. Returns the earlier one, to be restored afterwards.
    pub fn set_open_level(&mut self, level: u32) -> u32 {
        std::mem::replace(&mut self.open_level, level)
    }

    /// Whether the next argument belongs to a library function that takes all arguments at once. The call resets the flag.
    pub fn take_library_argument(&mut self) -> bool {
        std::mem::take(&mut self.library_argument)
    }

    /// The finding that reports a missing field at a place, if no later object can supply the field.
    pub fn missing_at(&self, at: Span) -> Option<u32> {
        self.missing.finding(at)
    }
}

/// An object while its literal is inferred.
pub(super) struct Object {
    /// The object that the literal extends, if the program says so: `a` in `a + { … }`.
    pub below: Option<TyRef>,
    /// The locals; slot 0 is the object itself.
    pub locals: Vec<Variable>,
    /// The fields that have been inferred.
    pub row: Row,
    /// The fields of the object below and of the literal, as far as they are known.
    pub whole: Row,
    /// The variable for the other fields of `self`, if `self` is used as a value.
    pub rest: Option<Live>,
    /// The fields that are read and not defined.
    pub needs: FxHashMap<Name, NeededField>,
    /// The parts of fields that are read and not defined, by field.
    pub missing_parts: Vec<(Name, MissingPart)>,
    /// The fields that other definitions of the literal read.
    pub read: FxHashSet<Name>,
    /// Definitions by `+:` that nothing has read yet. What a reader sees is combined with the definition below at the first read,
    /// since that takes time for all parts of the definition.
    pub unread: FxHashMap<Name, Field>,
    /// The variable for the final object in the current group of definitions.
    pub me: Option<Live>,
    /// Whether it has fields with unknown names.
    pub computed: bool,
    /// The fields of the object below that definitions read, by their definitions.
    pub below_reads: FxHashMap<Span, Name>,
    /// The fields of the object below that were read through `super`, in the order of the reads.
    pub super_reads: Vec<Name>,
    /// The names of the fields that it has only under a condition.
    pub conditional: FxHashSet<Name>,
    /// The faults of visible fields with unknown names.
    pub faults: Vec<Failure>,
}

/// A field that is read and not defined.
pub(super) struct NeededField {
    pub need: Need,
    pub ty: TyRef,
    pub readers: Vec<Span>,
}
