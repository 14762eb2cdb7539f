//! Problems of types.

use crate::term::Prim;
use crate::text::{Name, Span};
use crate::ty::Scheme;
use std::sync::Arc;

/// A type problem.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeProblem {
    /// The primary span.
    pub span: Span,
    /// Its kind.
    pub what: TypesKind,
}

/// The kind of type problem.
#[derive(Clone, PartialEq, Debug)]
pub enum TypesKind {
    /// Two types that do not unify.
    Conflict(Box<Conflict>),
    /// A field that a record does not have.
    MissingField {
        /// The name.
        name: Name,
        /// The record's type.
        record: Arc<Scheme>,
        /// Similar names of fields that the record has, nearest first.
        near: Vec<Name>,
        /// The reason why the field is required.
        why: Why,
        /// The place that requires it, if it is another one.
        wanted: Option<Span>,
        /// The definition that has the field and that another one replaces, if an evaluation found one.
        hidden: Option<Box<HiddenDefinition>>,
    },
    /// A field that is not allowed in a record.
    ExtraField {
        /// The name.
        name: Name,
        /// The reason why it is not allowed.
        why: Why,
        /// The place that does not allow it.
        wanted: Option<Span>,
        /// Similar names that are allowed.
        near: Vec<Name>,
    },
    /// An enum tag that is not allowed.
    UnknownTag {
        /// The tag.
        name: Name,
        /// The reason why it is not allowed.
        why: Why,
        /// The place that does not allow it.
        wanted: Option<Span>,
        /// Similar tags that are allowed.
        near: Box<[Name]>,
        /// The first of all tags that are allowed.
        allowed: Box<[Name]>,
        /// Whether the annotation or contract allows the tag, and a parameter of the function does not.
        of_parameter: bool,
    },
    /// A merge function that is not a function of one argument.
    NotMergeFunction {
        /// Its type.
        found: Arc<Scheme>,
        /// The number of arguments that it needs, if it is a function.
        arguments: Option<usize>,
    },
    /// A value that the patterns of a match, a `let` or a parameter do not cover.
    NotCovered {
        /// The value, as a pattern.
        case: Name,
        /// The patterns.
        wanted: Span,
    },
    /// A field that is read from a record that declares it without a definition.
    NoDefinition {
        /// The field.
        name: Name,
        /// The declaration.
        declared: Option<Span>,
    },
    /// A polymorphic type with too many parts for another instance, which is unknown then.
    TooLarge {
        /// The name of the definition, if it has one.
        name: Option<Name>,
    },
    /// A literal that no pattern matches.
    NoMatch {
        /// The patterns.
        wanted: Span,
    },
    /// Array elements or branches of different types.
    Mixed {
        /// The kind of construct.
        why: Why,
        /// The first type and its span.
        first: (Arc<Scheme>, Span),
        /// The other type.
        other: Arc<Scheme>,
        /// Whether these are the types of parts of the expressions.
        part: bool,
    },
    /// A merge that changes the type of a field.
    ChangesType {
        /// The path of the field.
        path: Vec<Name>,
        /// The type of the stronger definition.
        now: Arc<Scheme>,
        /// The type of the weaker definition.
        was: Arc<Scheme>,
        /// The weaker definition.
        other: Option<Span>,
        /// The tests in guards that lead to it, with their results; empty if it always happens.
        when: Vec<(Span, bool)>,
    },
    /// `+` combines definitions with different priorities, which it ignores: the right one wins.
    PriorityIgnored {
        /// The field.
        name: Name,
        /// The lower definition.
        below: Option<Span>,
    },
    /// An infinite type.
    Infinite {
        /// The type that occurs in the other.
        part: Arc<Scheme>,
        /// The type that contains it.
        whole: Arc<Scheme>,
        /// The field or expression.
        why: Why,
    },
    /// A type that is less general than its `forall` requires.
    Rigid {
        /// The name of the type variable.
        var: Name,
        /// The type that it would need to be.
        ty: Arc<Scheme>,
        /// The name of the type variable that it would need to be, if that is another one of the annotation.
        other: Option<Name>,
        /// The annotation.
        wanted: Option<Span>,
    },
    /// A call of something that is not a function, or with too many arguments.
    NotFunction {
        /// Its type.
        found: Arc<Scheme>,
        /// The maximum number of arguments, or 0 if it is not a function.
        takes: u32,
    },
    /// Something that is used as a contract but is not one.
    NotContract {
        /// Its type.
        found: Arc<Scheme>,
    },
    /// A function in a visible field of an object.
    NoJson {
        /// The field, if it is one.
        name: Option<Name>,
    },
    /// `self.name` or `super.name` where no object that is combined has the field.
    Undefined {
        /// The field.
        name: Name,
        /// Whether the access is through `super`.
        below: bool,
        /// Similar names of fields that the object has, nearest first. For `super`, of the object below, or the field itself if the
        /// object that reads it has it.
        near: Vec<Name>,
    },
    /// A `+:` that extends no field, beside a field with a similar name.
    ExtendsNothing {
        /// The name.
        name: Name,
        /// The field with the similar name, and its definition.
        near: (Name, Option<Span>),
        /// Whether the object with the `+:` has a field with the similar name too.
        taken: bool,
    },
    /// A definition that only refers to itself, possibly through others.
    NamesItself {
        /// The fields on the cycle. Empty names are locals.
        names: Vec<Name>,
    },
    /// Arguments that do not match a function's parameters.
    Call {
        /// The mismatch.
        fault: CallFault,
        /// The function's type.
        function: Arc<Scheme>,
        /// The call as it is written, with the names of the parameters: `f(a, b=…)`. `None` if it has no names.
        usage: Option<Name>,
        /// The parameters of the function, if it is defined in this file.
        defined: Option<Span>,
    },
    /// A format string with the wrong number of values.
    FormatCount {
        /// The number of values that the format takes.
        takes: u32,
        /// The number of values given.
        given: u32,
    },
    /// A field that an argument lacks, or a parameter that a call does not pass, and whose default is an `error`.
    MissingRequiredField {
        /// The field or the parameter.
        name: Name,
        /// The definition of the default.
        default: Span,
        /// Whether it is a parameter.
        parameter: bool,
    },
    /// A field that is read from each element of an array and that not every element has.
    NotInEach {
        /// The field.
        name: Name,
        /// Similar names of fields that the element has, nearest first.
        near: Vec<Name>,
        /// An element without it.
        element: Span,
    },
    /// An `error` that is certain to be evaluated.
    Raises,
    /// A value that fails at another place, where it was reported.
    Elsewhere,
    /// Nothing decides the type of an expression, where types are exact.
    Ambiguous {
        /// The type as far as it is known.
        ty: Arc<Scheme>,
        /// The name of the parameter or variable.
        name: Option<Name>,
    },
    /// An operator or a function that does not work on a type.
    NoInstance {
        /// The operator or the function.
        operator: Name,
        /// The type.
        found: Arc<Scheme>,
        /// The types that it works on.
        allowed: crate::ty::Instances,
    },
    /// A call with the wrong number of arguments.
    Arguments {
        /// The function.
        function: Arc<Scheme>,
        /// Its name.
        name: Option<Name>,
        /// The number of its parameters.
        takes: usize,
        /// The number of arguments.
        given: usize,
    },
    /// A name that a file or a class does not bind, by its key: `$x`, `func f`, `class c`.
    Unbound {
        /// The key.
        name: Name,
        /// Similar names of the same kind of thing, without the prefix of the key, nearest first.
        near: Vec<Name>,
    },
    /// A call that a function of the library refuses, with its reason.
    RejectedCall {
        /// The function.
        name: Name,
        /// The reason.
        why: Name,
    },
}

/// A definition of a field that one on the right replaces.
#[derive(Clone, PartialEq, Debug)]
pub struct HiddenDefinition {
    /// The field.
    pub name: Name,
    /// The definition.
    pub span: Span,
    /// The path of what it has and the definition on the right lacks.
    pub missing: Name,
}

/// The way in which arguments do not match a function's parameters.
#[derive(Clone, PartialEq, Debug)]
pub enum CallFault {
    /// Too many arguments.
    TooMany {
        /// The number of parameters.
        takes: u32,
        /// The number of arguments without a parameter.
        extra: u32,
    },
    /// A named argument without a parameter of that name.
    NoParameter {
        /// The name.
        name: Name,
        /// A parameter with a similar name.
        near: Option<Name>,
    },
    /// An argument that is given twice.
    RepeatedArgument {
        /// The parameter.
        name: Name,
    },
    /// Two arguments that fit if they are exchanged, or the first two of three that fit in another order.
    Exchanged {
        /// Their parameters, if these have names.
        names: Option<[Name; 2]>,
        /// Their positions, counted from 1.
        places: [u32; 2],
        /// The kinds of the arguments, as the evaluator calls them.
        found: [Name; 2],
        /// The second argument.
        other: Span,
        /// Whether there is a third one.
        rotated: bool,
    },
    /// A missing argument.
    Missing {
        /// The parameter's name, if it has one.
        name: Option<Name>,
        /// Its position, counted from 1.
        place: u32,
    },
}

/// Two types that do not unify, and where they come from.
#[derive(Clone, PartialEq, Debug)]
pub struct Conflict {
    /// The type that was found.
    pub found: Arc<Scheme>,
    /// The type that was expected.
    pub expected: Arc<Scheme>,
    /// The path from the whole type to the mismatch: fields and other parts.
    pub path: Vec<Name>,
    /// The role of the expression, and with it the reason for the expected type.
    pub why: Why,
    /// The place that determines the expected type, if it is another one.
    pub wanted: Option<Span>,
    /// The origin of the found type, nearest first.
    pub found_by: Vec<(Span, Why)>,
    /// The origin of the expected type.
    pub expected_by: Vec<(Span, Why)>,
    /// The whole expected type, if the mismatch is in a part of it.
    pub whole: Option<Arc<Scheme>>,
    /// Other places with the same mismatch for the same reason, with their types.
    pub also: Vec<(Span, Arc<Scheme>)>,
}

/// The role of an expression, and with it the reason why a type was expected.
#[derive(Clone, PartialEq, Debug)]
pub enum Why {
    /// An operand.
    Operand(Prim),
    /// An argument of a function: its position, counted from 1, and the function's name.
    Argument(u32, Option<Name>),
    /// The result of a function that is an argument: the position of the argument, counted from 1, and the name of the function that
    /// takes it.
    Result(u32, Option<Name>),
    /// The function of a call.
    Called,
    /// The condition of an `if` or a guard.
    Condition,
    /// An element of an array.
    Element(u32),
    /// A branch of an `if`.
    Branch,
    /// An arm of a `match`.
    Arm,
    /// The value that a pattern matches.
    Pattern,
    /// A part of an interpolated string.
    Interpolated,
    /// A value whose field is read.
    Access(Name),
    /// A field that a function reads of its argument: the path of the part that should have it.
    Read(Name),
    /// A part of a field that is read by its siblings. Another definition may provide it.
    Part,
    /// A computed field name.
    Computed,
    /// An annotation: `: T`.
    Annotation,
    /// A contract: `| C`.
    Contract,
    /// A contract of a function, which gives it arguments.
    Given,
    /// Merging a field.
    Merge,
    /// A field that its siblings used before its definition was known.
    Sibling(Name),
    /// A definition that is used recursively.
    Recursive,
    /// The default of a pattern.
    Default,
    /// A part of a type or contract.
    TypePart,
    /// A name, by its definition.
    Defined(Name),
    /// A constraint from the use of a function.
    Use,
    /// The value of a format directive.
    Format(Name),
    /// The array that a comprehension iterates over.
    Iterated,
    /// The index of an array or string.
    Index,
    /// The value of a field of a resource: `test.int64`.
    ResourceField(Name),
    /// The name of a resource or of an end of an edge.
    ResourceName,
    /// The key of a map.
    Key(u32),
    /// The value of a variable in an interpolated string, where types are exact.
    InString,
}

/// The code of the note that `+` ignores priorities. A session reports it once.
pub const PRIORITY_IGNORED: &str = "types/priority-ignored";

impl TypesKind {
    /// Whether evaluating the place can fail. `false` for problems of style.
    pub fn can_fail(&self) -> bool {
        !matches!(
            self,
            TypesKind::Mixed { .. }
                | TypesKind::ChangesType { .. }
                | TypesKind::PriorityIgnored { .. }
                | TypesKind::ExtendsNothing { .. }
                | TypesKind::TooLarge { .. }
                | TypesKind::Elsewhere
        )
    }

    /// Returns `true` if evaluating the program shows whether it fails for this problem, or for the one that it refers to.
    pub fn is_refutable(&self) -> bool {
        self.can_fail() || *self == TypesKind::Elsewhere
    }
}

impl TypeProblem {
    /// Returns `true` for a violated annotation `: T`. The program can still be evaluated.
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

    /// Returns `true` if it is a problem only where the value is needed.
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
            TypesKind::NotCovered { .. } => "types/not-covered",
            TypesKind::NoMatch { .. } => "types/no-match",
            TypesKind::TooLarge { .. } => "types/limit",
            TypesKind::NoDefinition { .. } => "types/no-definition",
            TypesKind::Mixed { .. } => "types/mixed",
            TypesKind::ChangesType { .. } => "types/changes-type",
            TypesKind::PriorityIgnored { .. } => PRIORITY_IGNORED,
            TypesKind::Infinite { .. } => "types/infinite",
            TypesKind::Rigid { .. } => "types/not-general",
            TypesKind::NotFunction { .. } => "types/not-a-function",
            TypesKind::NotContract { .. } => "types/not-a-contract",
            TypesKind::NotMergeFunction { .. } => "types/merge-function",
            TypesKind::NoJson { .. } => "types/no-json",
            TypesKind::Undefined { .. } => "types/undefined",
            TypesKind::ExtendsNothing { .. } => "types/extends-nothing",
            TypesKind::NamesItself { .. } => "types/names-itself",
            TypesKind::Call { .. } => "types/call",
            TypesKind::FormatCount { .. } => "types/format",
            TypesKind::NotInEach { .. } => "types/missing-field",
            TypesKind::MissingRequiredField { .. } => "types/not-provided",
            TypesKind::Raises => "types/raises",
            TypesKind::Elsewhere => "types/elsewhere",
            TypesKind::Unbound { .. } => "scope/unbound",
            TypesKind::Ambiguous { .. } => "types/ambiguous",
            TypesKind::NoInstance { .. } => "types/no-instance",
            TypesKind::Arguments { .. } => "types/arguments",
            TypesKind::RejectedCall { .. } => "types/refused",
        }
    }
}
