//! Types, as shared and comparable nodes on persistent maps. Inference returns them and notations print them.
//!
//! Inference and the rest of the program share one representation, so that nothing needs to be converted. While inference
//! runs, a type may hold *live* variables ([`Ty::Live`], [`Tail::Live`]); a type that leaves `infer` holds none. Each node
//! caches facts about its parts ([`Marks`]), so that a closed type is skipped in O(1): it is never copied for a use, searched
//! for variables, or opened further than necessary.

mod condition;
mod equality;
mod field;
mod fields;
mod node;
mod row;

pub use condition::{Condition, ConditionOp, Constant, Relation, Test, combination};
pub use field::{
    Contract, Demand, Field, Forced, Inheritance, Layer, LayerKind, MissingPart, Need, Presence, RefusedHeads, Stack,
    UsedPart, ValueKind,
};
pub(crate) use fields::Fields;
pub use node::{Marks, TyRef};
pub use row::{Row, Tail};

use crate::text::{Name, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A generic variable: an index into the [`Scheme::vars`] of a scheme around it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Generic {
    /// The number of schemes to go outwards; 0 is the innermost one.
    pub up: u32,
    /// The index of the variable in that scheme.
    pub index: u32,
}

/// A tag of an enum type. `'Foo` and `'Foo 1` have different tags.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tag {
    /// The name.
    pub name: Name,
    /// Whether it has an argument.
    pub variant: bool,
}

impl Tag {
    /// A tag without an argument.
    pub fn plain(name: Name) -> Tag {
        Tag { name, variant: false }
    }

    /// A tag with an argument.
    pub fn variant(name: Name) -> Tag {
        Tag { name, variant: true }
    }

    /// A tag, with an argument if there is one.
    pub fn of<T>(name: Name, argument: Option<&T>) -> Tag {
        Tag { name, variant: argument.is_some() }
    }
}

/// A variable of a running inference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Live {
    /// Its key in the table of inference.
    pub id: u32,
    /// The level it was made at. Its current level is that or lower.
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
    /// The only type of numbers in most languages.
    Number,
    /// Integers, in languages that tell them from floats.
    Int,
    /// Floats, in languages that tell them from integers.
    Float,
    /// Strings.
    String,
    /// Enum tags and variants.
    Enum(BTreeMap<Tag, Option<TyRef>>, Tail),
    /// Arrays.
    Array(TyRef),
    /// Maps, in languages that tell them from records.
    Map(TyRef, TyRef),
    /// A function: parameters and result. Functions of cfg have one parameter.
    Fun(Vec<Param>, TyRef),
    /// Records and objects.
    Record(Row),
    /// An `error` expression, of the type that a use or an override decides.
    Error(TyRef),
    /// A value of one of several heads, for display.
    Union(Vec<TyRef>),
    /// A type or contract as a value; the type is that of the values it accepts.
    Contract(TyRef),
    /// A polymorphic type inside another one: that of a field, or one written in an annotation.
    Forall(Arc<Scheme>),
    /// A value whose evaluation fails. Printed and unified as the type inside.
    Fails(Failure, TyRef),
    /// The type of a sibling, or of a part of it, as the body of a field read it. Printed and unified as the type inside, and
    /// replaced if a merge gives the sibling another type.
    Sibling(Arc<Sibling>, TyRef),
    /// A module of a library, opened on demand while inference runs; never in a type that left `infer`.
    Library(Arc<[Name]>),
    /// An unknown type, with the reason.
    Dyn(DynReason),
    /// The type that remains after a reported conflict. It unifies with anything.
    Bottom,
}

/// The definition of a sibling that was read, and the part of it.
#[derive(Clone, Eq, Debug)]
pub struct Sibling {
    /// The span of the definition.
    pub at: Span,
    /// The path to the part.
    pub path: Vec<Name>,
    /// Whether the value may be another one too: it is a branch, or an element of an array. A merge then adds the new type of the
    /// sibling to the type inside, and does not replace it.
    pub joined: bool,
}

impl Sibling {
    /// A read of the whole sibling that a definition gives.
    pub fn whole(at: Span) -> Sibling {
        Sibling { at, path: Vec::new(), joined: false }
    }

    /// The step of a path to the result of a function. No field can be read under this name.
    pub const CALL: Name = Name::new_static("\u{0}()");
}

impl PartialEq for Sibling {
    /// Compares all but spans.
    fn eq(&self, other: &Sibling) -> bool {
        self.path == other.path && self.joined == other.joined
    }
}

/// The problem that makes a value fail.
#[derive(Clone, Copy, Debug)]
pub struct Failure {
    /// The index of the problem, while the inference that found it runs.
    pub id: Option<u32>,
    /// The span of the problem.
    pub span: Span,
    /// Whether the value fails only if all of it is forced, such as an array with a failing element.
    pub deep: bool,
}

impl PartialEq for Failure {
    /// Compares all but spans.
    fn eq(&self, other: &Failure) -> bool {
        (self.id, self.deep) == (other.id, other.deep)
    }
}

/// A parameter of a function type.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name, if it can be passed by name.
    pub name: Option<Name>,
    /// Its type.
    pub ty: TyRef,
    /// Whether a call may leave it out.
    pub optional: bool,
    /// The extent to which a call with all arguments is certain to force this one.
    pub demand: Demand,
    /// The span of its default, if the default is an `error`.
    pub raises: Option<Span>,
}

impl PartialEq for Param {
    /// Compares all but spans.
    fn eq(&self, other: &Param) -> bool {
        (&self.name, self.optional, &self.demand) == (&other.name, other.optional, &other.demand) && self.ty == other.ty
    }
}

impl Param {
    /// A parameter of cfg's functions.
    pub fn of(ty: TyRef) -> Param {
        Param { name: None, ty, optional: false, demand: Demand::Lazy, raises: None }
    }
}

/// The reason why a type is unknown.
#[derive(Clone, Copy, Debug)]
pub enum DynReason {
    /// It is annotated with `Dyn`.
    Annotated(Span),
    /// It is under a contract that is not a type.
    Contract(Span),
    /// It is imported data.
    Data(Span),
    /// It is a field with a computed name.
    Computed(Span),
    /// It is a value that contains itself, so that its type would be infinite.
    Cycle(Span),
    /// The program tests the type of the value at run time, and the test leaves it open.
    Tested(Span),
    /// The signature of a library function leaves it open.
    Library,
}

impl PartialEq for DynReason {
    /// All unknown types are equal.
    fn eq(&self, _: &DynReason) -> bool {
        true
    }
}

/// The kind of thing that a generic variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableKind {
    /// A type.
    Type,
    /// A record row.
    Row,
    /// An enum row.
    Tags,
    /// The object from which a definition is read (`self`).
    This,
}

/// A type with generic variables and constraints on them: `∀ vars. constraints ⇒ ty`.
#[derive(Clone, PartialEq, Debug)]
pub struct Scheme {
    /// The generic variables, by [`Generic::index`].
    pub vars: Vec<VariableKind>,
    /// The deferred constraints, which each use of the scheme adds again.
    pub constraints: Vec<Constraint>,
    /// The type.
    pub ty: TyRef,
    /// The scheme to show to users, if it differs from this one: there, deferred merges are solved as if the caller overrode nothing.
    pub shown: Option<Arc<Scheme>>,
}

/// A field that a format reads: `%(name)d`.
#[derive(Clone, PartialEq, Debug)]
pub struct FormattedField {
    /// The name of the field.
    pub name: Name,
    /// The text of the directive.
    pub directive: Name,
    /// Whether the directive takes only a number.
    pub number: bool,
}

/// A constraint that could not be solved yet. A finished scheme may still have some.
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
    /// `result = base + extension`, of objects
    Inherit {
        /// The lower operand.
        base: TyRef,
        /// The upper operand.
        extension: TyRef,
        /// The combined type.
        result: TyRef,
        /// The sum in the program.
        span: Span,
    },
    /// `result = left or right`, the type of two branches
    Join {
        /// One branch.
        left: TyRef,
        /// The other branch.
        right: TyRef,
        /// The joined type.
        result: TyRef,
        /// The span of the second branch.
        span: Span,
    },
    /// `result = left + right`, of numbers, strings, arrays or objects
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
    /// `ty` is one of certain types, as the operand of an operator with instances is (mcl)
    Instance {
        /// The type.
        ty: TyRef,
        /// The types that it can be.
        allowed: Instances,
        /// The operator or the function.
        operator: Name,
        /// The use in the program.
        span: Span,
    },
    /// If `value` is an object, a format reads these fields of it: `'%(name)s' % value`. A value of another type is formatted as it is.
    Format {
        /// The value after `%`.
        value: TyRef,
        /// The directives of the format.
        fields: Arc<[FormattedField]>,
        /// The format and the value in the program.
        span: Span,
    },
    /// `value` has a text: it is a string, a number, a boolean, `null` or a tag, as in `"%{value}"`
    Text {
        /// The value that becomes text.
        value: TyRef,
        /// The value in the program; in the library for its functions.
        span: Span,
    },
    /// `result` is an element of `target` at `key`: of a list at an integer, or of a map at one of its keys (mcl)
    Element {
        /// The list or map.
        target: TyRef,
        /// The index or key.
        key: TyRef,
        /// The element.
        result: TyRef,
        /// The lookup in the program.
        span: Span,
    },
}

/// A set of heads of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Instances(pub u16);

impl Instances {
    /// `bool`
    pub const BOOL: Instances = Instances(1);
    /// `str`
    pub const STR: Instances = Instances(2);
    /// `int`
    pub const INT: Instances = Instances(4);
    /// `float`
    pub const FLOAT: Instances = Instances(8);
    /// Lists.
    pub const LIST: Instances = Instances(16);
    /// Maps.
    pub const MAP: Instances = Instances(32);
    /// Structs.
    pub const STRUCT: Instances = Instances(64);
    /// Functions.
    pub const FUNC: Instances = Instances(128);

    /// Returns the union of both sets.
    pub const fn or(self, other: Instances) -> Instances {
        Instances(self.0 | other.0)
    }

    /// Returns `true` if all types of the other are in this one.
    pub fn has(self, other: Instances) -> bool {
        self.0 & other.0 == other.0
    }
}

impl Scheme {
    /// The scheme of a type without generic variables.
    pub fn mono(ty: TyRef) -> Scheme {
        Scheme { vars: Vec::new(), constraints: Vec::new(), ty, shown: None }
    }
}

impl Constraint {
    /// Returns the left operand, the right operand and the result.
    pub fn parts(&self) -> [&TyRef; 3] {
        match self {
            Constraint::Merge { left: a, right: b, result: c, .. }
            | Constraint::Inherit { base: a, extension: b, result: c, .. }
            | Constraint::Join { left: a, right: b, result: c, .. }
            | Constraint::Plus { left: a, right: b, result: c, .. }
            | Constraint::Element { target: a, key: b, result: c, .. } => [a, b, c],
            Constraint::Instance { ty, .. }
            | Constraint::Format { value: ty, .. }
            | Constraint::Text { value: ty, .. } => [ty, ty, ty],
        }
    }
}

impl Constraint {
    /// Returns the fields that a format reads.
    pub fn formatted(&self) -> &[FormattedField] {
        match self {
            Constraint::Format { fields, .. } => fields,
            _ => &[],
        }
    }

    /// Returns the types that an instance can be.
    pub fn instances(&self) -> Instances {
        match self {
            Constraint::Instance { allowed, .. } => *allowed,
            _ => Instances::default(),
        }
    }
}

impl PartialEq for Constraint {
    /// Compares all but spans.
    fn eq(&self, other: &Constraint) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
            && self.instances() == other.instances()
            && self.formatted() == other.formatted()
            && self.parts() == other.parts()
    }
}
