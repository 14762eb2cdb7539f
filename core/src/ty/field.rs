//! The fields of rows: a stack of layers, as in the value, and the type that results from it.

use super::{Condition, Ty, TyRef};
use crate::meta::Priority;
use crate::text::{Name, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A field of a row. `presence`, `need` and `ty` are computed from the stack for the record as it is.
#[derive(Clone, Debug)]
pub struct Field {
    /// Whether the record has the field.
    pub presence: Presence,
    /// Whether the record needs it from other records.
    pub need: Need,
    /// The type.
    pub ty: TyRef,
    /// The span of the definition that decides the type, or of the declaration.
    pub at: Option<Span>,
    /// Whether it is left out when the record is exported (`not_exported`, hidden).
    pub hidden: bool,
    /// The layers; `None` for a single definition of ordinary priority without contracts.
    pub stack: Option<Arc<Stack>>,
    /// The part that matters once its object is combined with others; `None` if there is none.
    pub inheritance: Option<Arc<Inheritance>>,
}

/// The part of an object's field that matters once the object is combined with others.
#[derive(Clone, Debug, Default)]
pub struct Inheritance {
    /// `+:`: the definition is added to the layer below.
    pub plus: bool,
    /// `:::`: only `::` hides the field again.
    pub shown: bool,
    /// The type that the definition assumes of the layer below, if it reads it (`super.x`, `+:`).
    pub below: Option<TyRef>,
    /// Whether the definition is made from the one that it replaces: `x: std.join(',', super.x)`.
    pub converts: bool,
    /// The places that read the needed field and fail without it.
    pub readers: Vec<Span>,
    /// The definitions of other fields that the type of this one depends on.
    pub reads: Vec<Span>,
    /// Parts of the field that definitions of the object read and that its own definition lacks.
    pub missing_parts: Vec<MissingPart>,
    /// The condition under which the definition counts; `None` if it always does.
    pub when: Option<Condition>,
    /// The definitions that may count, the lowest first, where a field keeps its kind in all layers. `None` if there is only
    /// this one.
    pub layers: Option<Arc<[LayerKind]>>,
    /// The definition whose value is an `error`, if the field has that value as long as no caller provides another one.
    pub raises: Option<Span>,
    /// Parts of the field that definitions of the object read and that its definition has.
    pub used_parts: Arc<Vec<UsedPart>>,
    /// Whether a field that a caller may add is replaced in any case, so that a value of another type does no harm.
    pub replaced: bool,
}

/// A part of a field that a definition of the object is certain to read.
#[derive(Clone, PartialEq, Debug)]
pub struct UsedPart {
    /// The path from the field to the part.
    pub path: Vec<Name>,
    /// The place that reads it.
    pub at: Span,
    /// The definitions that fail without it, innermost first.
    pub readers: Vec<Span>,
}

/// The kind of a definition in a layer.
#[derive(Clone, Debug)]
pub struct LayerKind {
    /// The kind of its value.
    pub kind: ValueKind,
    /// Its place.
    pub at: Option<Span>,
    /// The condition under which it counts.
    pub when: Condition,
}

/// The kinds of values that a field keeps in all layers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// A record.
    Record,
}

/// A part of a field that definitions of the object read and that no definition has so far.
#[derive(Clone, Debug)]
pub struct MissingPart {
    /// The path from the field to the part.
    pub path: Vec<Name>,
    /// The type that readers assume.
    pub ty: TyRef,
    /// The places that read it and fail without it.
    pub at: Vec<Span>,
}

/// All definitions and declarations of one field. Each merge computes the field's type from them again.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stack {
    /// The contracts of the final value.
    pub contracts: Vec<Contract>,
    /// The definitions, strongest first. Those with the same priority and certainty are one layer.
    pub layers: Vec<Layer>,
    /// The type of a custom merge function.
    pub merger: Option<TyRef>,
    /// The number of definitions.
    pub definitions: u32,
    /// Whether every declaration is `optional`.
    pub optional: bool,
    /// Whether a definition or declaration has a condition (`when`).
    pub conditional: bool,
    /// The type of a bare declaration, until there is a definition.
    pub bare: Option<TyRef>,
}

/// A contract of a field, as a type.
#[derive(Clone, Debug)]
pub struct Contract {
    /// The type.
    pub ty: TyRef,
    /// Its span.
    pub span: Span,
}

/// The definitions of a field at one priority.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The priority.
    pub priority: Priority,
    /// The type of the merged definitions.
    pub ty: TyRef,
    /// Whether it has no guard.
    pub certain: bool,
    /// The span of the first definition.
    pub at: Option<Span>,
}

/// Whether a record has a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// It has the field.
    Yes,
    /// It may have it (`x?`).
    Maybe,
    /// It lacks it: the field is only needed or declared (`x!`).
    No,
}

/// Whether a record needs a field from other records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// No, or another record has supplied it.
    None,
    /// The final record must have it (`x!`).
    Own,
    /// The layers below must have it (`x<`).
    Super,
}

/// The extent to which evaluating one value forces another.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Demand {
    /// It need not force it.
    #[default]
    Lazy,
    /// It forces it to its head, and perhaps further.
    Forced(Arc<Forced>),
}

/// A value that is certain to be forced to its head.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Forced {
    /// The heads with which forcing the value is certain to fail.
    pub refused: RefusedHeads,
    /// Whether all of it is forced, as when it is shown.
    pub whole: bool,
    /// The demands on its fields.
    pub fields: BTreeMap<Name, Demand>,
}

/// The heads of a value with which an evaluation that forces the value is certain to fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RefusedHeads {
    /// None.
    #[default]
    Nothing,
    /// Null, booleans and numbers, which have no length.
    Length,
    /// Any head but that of the type.
    Head,
}

impl Layer {
    /// Whether it is a field that a dictionary may have: one without a known place.
    pub fn is_unnamed(&self) -> bool {
        !self.certain && self.at.is_none()
    }
}

impl Demand {
    /// Whether the head is forced for certain.
    pub fn is_forced(&self) -> bool {
        matches!(self, Demand::Forced(_))
    }

    /// Whether all of the value is forced.
    pub fn whole(&self) -> bool {
        matches!(self, Demand::Forced(f) if f.whole)
    }

    /// Whether the head is forced and must be that of the type.
    pub fn refuses_other_heads(&self) -> bool {
        matches!(self, Demand::Forced(f) if f.refused == RefusedHeads::Head)
    }

    /// Whether a value of type `found`, which is not the expected type, is certain to make the evaluation fail.
    pub fn refuses(&self, found: &Ty) -> bool {
        match self {
            Demand::Forced(f) if f.refused == RefusedHeads::Length => matches!(found, Ty::Null | Ty::Bool | Ty::Number),
            _ => self.refuses_other_heads(),
        }
    }

    /// Returns the demand on a field of the value.
    pub fn field(&self, name: &str) -> Demand {
        match self {
            Demand::Forced(f) => f.fields.get(name).cloned().unwrap_or_default(),
            Demand::Lazy => Demand::Lazy,
        }
    }

    /// Adds a demand on the part at the end of a path of fields.
    pub fn force(&mut self, path: &[Name]) {
        if !self.is_forced() {
            *self = Demand::Forced(Arc::default());
        }
        if let (Demand::Forced(f), Some((first, rest))) = (self, path.split_first()) {
            Arc::make_mut(f).fields.entry(first.clone()).or_default().force(rest);
        }
    }
}

impl Field {
    /// A field that the record has, with one definition of ordinary priority.
    pub fn given(ty: TyRef, at: Option<Span>) -> Field {
        Field { presence: Presence::Yes, need: Need::None, ty, at, hidden: false, stack: None, inheritance: None }
    }

    /// Whether [`Field::weakened`] changes more than failures in the type.
    pub fn is_firm(&self) -> bool {
        self.presence != Presence::Maybe || self.stack.is_some()
    }

    /// Returns the field as it is in a type of several records, some of which lack it. `ty` is the type without failures.
    pub fn weakened(&self, ty: TyRef) -> Field {
        // a need of some of the records is not a need of all
        let inheritance =
            self.inheritance.as_ref().filter(|l| l.plus && l.below.is_none() && l.readers.is_empty()).cloned();
        Field { presence: Presence::Maybe, need: Need::None, ty, stack: None, inheritance, ..self.clone() }
    }

    /// Returns the stack; builds it if it was left out.
    pub fn layers(&self) -> Stack {
        match &self.stack {
            Some(stack) => Stack::clone(stack),
            None => Stack {
                layers: vec![Layer {
                    priority: Priority::Normal,
                    ty: self.ty.clone(),
                    certain: self.presence == Presence::Yes,
                    at: self.at,
                }],
                definitions: 1,
                ..Stack::default()
            },
        }
    }
}

impl PartialEq for Field {
    /// Compares all but spans.
    fn eq(&self, other: &Field) -> bool {
        self.presence == other.presence
            && self.need == other.need
            && self.ty == other.ty
            && self.hidden == other.hidden
            && self.stack == other.stack
            && self.inheritance.as_ref().map(|l| (l.plus, &l.below))
                == other.inheritance.as_ref().map(|l| (l.plus, &l.below))
    }
}

impl PartialEq for Contract {
    /// Compares all but spans.
    fn eq(&self, other: &Contract) -> bool {
        self.ty == other.ty
    }
}

impl PartialEq for Layer {
    /// Compares all but spans.
    fn eq(&self, other: &Layer) -> bool {
        self.priority == other.priority && self.ty == other.ty && self.certain == other.certain
    }
}
