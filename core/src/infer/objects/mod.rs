//! What only object languages need: object literals, `self` and `super`, sums of objects, comprehensions, and calls by name.
//!
//! Today that is Jsonnet. [`literal`] infers an object literal; [`access`] reads `self` and `super`; [`inherit`] combines two
//! known objects; [`derive`] defers the sum of objects that are not known yet; [`missing`] decides what is missing for good.

mod access;
mod call;
mod comprehension;
mod cycles;
mod derive;
mod format;
mod inherit;
mod literal;
mod missing;
mod plus;
mod project;

pub(super) use cycles::rings;
pub(super) use derive::free;

use super::scopes::Variable;
use crate::text::{Name, Span};
use crate::ty::{Live, Need, Row, TyRef, Want};
use derive::Sums;
use missing::Missing;
use rustc_hash::{FxHashMap, FxHashSet};

/// What inference knows of objects besides their types.
#[derive(Default)]
pub(super) struct Objects {
    /// The variables made for `null` and `error`, whose types later uses decide.
    opens: Vec<Live>,
    /// The level of such variables: that of the object literal or local around them.
    open_level: u32,
    /// The definitions of siblings that were read, in order.
    pub reads: Vec<Span>,
    /// Whether the next argument is one of a function of jsonnet's library.
    library_argument: bool,
    sums: Sums,
    missing: Missing,
}

impl Objects {
    /// Sets the level of the variables that `null` and `error` make. Returns the earlier one, to be set again afterwards.
    pub fn set_open_level(&mut self, level: u32) -> u32 {
        std::mem::replace(&mut self.open_level, level)
    }

    /// Whether the next argument is one of a function of jsonnet's library. Asking resets it.
    pub fn take_library_argument(&mut self) -> bool {
        std::mem::take(&mut self.library_argument)
    }

    /// The finding that reports what is missing at a place, if it is missing for good.
    pub fn missing_at(&self, at: Span) -> Option<u32> {
        self.missing.finding(at)
    }
}

/// What is known of an object while its literal is inferred.
pub(in crate::infer) struct Object {
    /// What the literal extends, where that is written beside it.
    pub below: Option<TyRef>,
    /// The object locals; slot 0 is the object itself.
    pub locals: Vec<Variable>,
    /// The literal's fields.
    pub row: Row,
    /// The fields of what stands below and the literal's, as far as they are known.
    pub whole: Row,
    /// The rest of `self` as a value.
    pub rest: Option<Live>,
    /// Fields that are read and not there.
    pub needs: FxHashMap<Name, Wanted>,
    /// Parts of fields that are read and not there.
    pub wants: Vec<(Name, Want)>,
    /// Fields of the literal that others of it read.
    pub read: FxHashSet<Name>,
    /// The final object, for the group of definitions at hand.
    pub me: Option<Live>,
    /// Whether the literal has names that are not known.
    pub computed: bool,
}

/// A field that is read and not there.
pub(in crate::infer) struct Wanted {
    pub need: Need,
    pub ty: TyRef,
    pub asked: Vec<Span>,
}
