//! Problems of types.

use crate::term::Prim;
use crate::text::{Name, Span};
use crate::ty::Scheme;
use std::sync::Arc;

/// A problem of types.
#[derive(Clone, PartialEq, Debug)]
pub struct Types {
    /// The place shown first.
    pub span: Span,
    /// What it is.
    pub what: TypesKind,
}

/// What is wrong with a program's types.
#[derive(Clone, PartialEq, Debug)]
pub enum TypesKind {
    /// Two known types disagree.
    Conflict(Box<Conflict>),
    /// A record has no field of this name.
    MissingField {
        /// The name.
        name: Name,
        /// The record's type.
        record: Arc<Scheme>,
        /// Names that the record has and that are near, the nearest first.
        near: Vec<Name>,
        /// Why the field is wanted.
        why: Why,
        /// Who wants it, if elsewhere.
        wanted: Option<Span>,
    },
    /// A record has a field that is not allowed.
    ExtraField {
        /// The name.
        name: Name,
        /// Why it is not allowed.
        why: Why,
        /// Who says so.
        wanted: Option<Span>,
        /// Names that are allowed and near.
        near: Vec<Name>,
    },
    /// An enum tag that is not among those allowed.
    UnknownTag {
        /// The tag.
        name: Name,
        /// Why it is not allowed.
        why: Why,
        /// Who says so.
        wanted: Option<Span>,
        /// Tags that are allowed and near.
        near: Vec<Name>,
    },
    /// Array elements or branches of several types.
    Mixed {
        /// What has several types.
        why: Why,
        /// The first type and its place.
        first: (Arc<Scheme>, Span),
        /// Another type.
        other: Arc<Scheme>,
    },
    /// A merge gives a field another type.
    ChangesType {
        /// The path of the field.
        path: Vec<Name>,
        /// The type of the stronger definition.
        now: Arc<Scheme>,
        /// The type of the weaker definition.
        was: Arc<Scheme>,
        /// The weaker definition.
        other: Option<Span>,
    },
    /// `+` puts a definition above one that has a higher priority, or a lower one above it: the right one counts.
    PriorityIgnored {
        /// The field.
        name: Name,
        /// The definition below.
        below: Option<Span>,
    },
    /// A type that would contain itself.
    Infinite {
        /// The type that the other contains.
        part: Arc<Scheme>,
        /// What contains it.
        whole: Arc<Scheme>,
        /// Which field or expression.
        why: Why,
    },
    /// A type was not general enough for a `forall`.
    Rigid {
        /// The variable's name.
        var: Name,
        /// What it was to be.
        ty: Arc<Scheme>,
        /// The annotation.
        wanted: Option<Span>,
    },
    /// Something is used as a function that is none.
    NotFunction {
        /// Its type.
        found: Arc<Scheme>,
        /// How many arguments it takes at most, if it is a function.
        takes: u32,
    },
    /// Something is used as a contract that is none.
    NotContract {
        /// Its type.
        found: Arc<Scheme>,
    },
    /// A function in a field that is shown (jsonnet).
    NoJson {
        /// The field, where it is one.
        name: Option<Name>,
    },
    /// `self.name` or `super.name` of an object that does not have it, however it is combined (jsonnet).
    Undefined {
        /// The field.
        name: Name,
        /// Asked of what stands below (`super`).
        below: bool,
    },
    /// A definition that is nothing but its own name, by way of others perhaps.
    NamesItself {
        /// The fields on the way; no names where they are locals.
        names: Vec<Name>,
    },
    /// Arguments that do not fit a function's parameters.
    Call {
        /// What does not fit.
        fault: CallFault,
        /// The function's type.
        function: Arc<Scheme>,
    },
    /// A format that takes another number of arguments.
    FormatCount {
        /// How many it takes.
        takes: u32,
        /// How many there are.
        given: u32,
    },
    /// `error` in what is certain to be evaluated.
    Raises,
    /// A value from elsewhere cannot be had; it was reported there.
    Elsewhere,
}

/// Why arguments do not fit a function's parameters.
#[derive(Clone, PartialEq, Debug)]
pub enum CallFault {
    /// More than there are parameters.
    TooMany {
        /// How many it takes.
        takes: u32,
    },
    /// None of the parameters has this name.
    NoParameter {
        /// The name.
        name: Name,
    },
    /// A parameter is given twice.
    Twice {
        /// The parameter.
        name: Name,
    },
    /// A parameter that must be given is not.
    Missing {
        /// Its name, where it has one.
        name: Option<Name>,
        /// Its place, from 1.
        place: u32,
    },
}

/// Two types that disagree, with what led to each.
#[derive(Clone, PartialEq, Debug)]
pub struct Conflict {
    /// The type that was found.
    pub found: Arc<Scheme>,
    /// The type that was expected.
    pub expected: Arc<Scheme>,
    /// The fields (or other parts) that lead from the whole to the clash.
    pub path: Vec<Name>,
    /// What stands there, and why the other type was expected.
    pub why: Why,
    /// Where the expected type was said, if elsewhere.
    pub wanted: Option<Span>,
    /// How the found type came about, nearest first.
    pub found_by: Vec<(Span, Why)>,
    /// How the expected type came about.
    pub expected_by: Vec<(Span, Why)>,
    /// The whole type that was expected, if what clashes is a part of it.
    pub whole: Option<Arc<Scheme>>,
    /// Other places that fit as little, for the same reason, with their types.
    pub also: Vec<(Span, Arc<Scheme>)>,
}

/// What stands somewhere, and why a type was expected of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Why {
    /// An operand.
    Operand(Prim),
    /// The n-th argument of a function (from 1), with its name.
    Argument(u32, Option<Name>),
    /// Something called.
    Called,
    /// The condition of an `if` or a guard.
    Condition,
    /// An element of an array.
    Element(u32),
    /// A branch of an `if`.
    Branch,
    /// An arm of a `match`.
    Arm,
    /// What a pattern matches.
    Pattern,
    /// A part of an interpolated string.
    Interpolated,
    /// Something whose field is read.
    Access(Name),
    /// A part of a field, read by what stands beside it: others may bring it.
    Part,
    /// A computed field name.
    Computed,
    /// `: T`
    Annotation,
    /// `| C`
    Contract,
    /// Merging a field.
    Merge,
    /// A field used by its siblings before its definition was known.
    Sibling(Name),
    /// A definition used by others or itself.
    Recursive,
    /// A default of a pattern.
    Default,
    /// What a type or contract is made of.
    TypePart,
    /// A name, as it is defined.
    Defined(Name),
    /// A constraint of a function that was used.
    Use,
    /// An argument of a format's directive.
    Format(Name),
    /// What a comprehension goes over.
    Iterated,
    /// What an array or string is indexed by.
    Index,
}

/// The code of the note that `+` ignores priorities, which a session gives once.
pub const PRIORITY_IGNORED: &str = "types/priority-ignored";

impl Types {
    /// Whether it is a broken `: T`, which keeps nothing from being evaluated.
    pub fn is_annotation(&self) -> bool {
        match &self.what {
            TypesKind::Conflict(c) => c.why == Why::Annotation,
            TypesKind::MissingField { why, .. }
            | TypesKind::ExtraField { why, .. }
            | TypesKind::UnknownTag { why, .. } => *why == Why::Annotation,
            TypesKind::Rigid { .. } => true,
            _ => false,
        }
    }

    /// Whether it is no problem at all where nothing needs the value.
    pub fn is_only_if_needed(&self) -> bool {
        matches!(
            self.what,
            TypesKind::NoJson { .. }
                | TypesKind::Undefined { .. }
                | TypesKind::MissingField { why: Why::Part, .. }
                | TypesKind::Raises
                | TypesKind::Elsewhere
        )
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match &self.what {
            TypesKind::Conflict(_) => "types/conflict",
            TypesKind::MissingField { .. } => "types/missing-field",
            TypesKind::ExtraField { .. } => "types/extra-field",
            TypesKind::UnknownTag { .. } => "types/unknown-tag",
            TypesKind::Mixed { .. } => "types/mixed",
            TypesKind::ChangesType { .. } => "types/changes-type",
            TypesKind::PriorityIgnored { .. } => PRIORITY_IGNORED,
            TypesKind::Infinite { .. } => "types/infinite",
            TypesKind::Rigid { .. } => "types/not-general",
            TypesKind::NotFunction { .. } => "types/not-a-function",
            TypesKind::NotContract { .. } => "types/not-a-contract",
            TypesKind::NoJson { .. } => "types/no-json",
            TypesKind::Undefined { .. } => "types/undefined",
            TypesKind::NamesItself { .. } => "types/names-itself",
            TypesKind::Call { .. } => "types/call",
            TypesKind::FormatCount { .. } => "types/format",
            TypesKind::Raises => "types/raises",
            TypesKind::Elsewhere => "types/elsewhere",
        }
    }
}
