//! What a row says of one label: a stack of layers, as the value has it, and what that comes down to.

use super::{Ty, TyRef};
use crate::meta::Priority;
use crate::text::{Name, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a row says of one label. `give`, `need` and `ty` are what the stack comes down to in the record as it is.
#[derive(Clone, Debug)]
pub struct Field {
    /// What the record gives.
    pub give: Give,
    /// What it needs.
    pub need: Need,
    /// The type.
    pub ty: TyRef,
    /// The definition that decides the type, or the declaration.
    pub at: Option<Span>,
    /// Not part of the record as data (`not_exported`, hidden).
    pub hidden: bool,
    /// The layers, where there is more to say than one definition of ordinary priority without contracts.
    pub stack: Option<Arc<Stack>>,
    /// What it says to the objects that its object is combined with (jsonnet), where there is anything to say.
    pub late: Option<Arc<Late>>,
}

/// What the field of an object says to the objects that its object is combined with.
#[derive(Clone, Debug, Default)]
pub struct Late {
    /// `+:`, the definition is added to what stands below.
    pub plus: bool,
    /// `:::`, nothing but `::` hides it.
    pub shown: bool,
    /// What the definition takes the field below for, where it reads that (`super.x`, `+:`).
    pub below: Option<TyRef>,
    /// Where the needed field is asked for by what cannot do without.
    pub asked: Vec<Span>,
    /// The definitions of other fields that the type of this one rests on.
    pub reads: Vec<Span>,
    /// Parts of it that the object's definitions read, and that its own definition does not have.
    pub wants: Vec<Want>,
}

/// A part of a field that the definitions of the object around it read, and that nothing has so far.
#[derive(Clone, Debug)]
pub struct Want {
    /// The labels that lead to it from the field.
    pub path: Vec<Name>,
    /// What readers take it for.
    pub ty: TyRef,
    /// Where it is read by what cannot do without.
    pub at: Vec<Span>,
}

/// All that was said of one field, so that further merges can decide anew.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stack {
    /// What the final value must meet.
    pub contracts: Vec<Contract>,
    /// The definitions, strongest first; those of one priority and certainty are one layer.
    pub layers: Vec<Layer>,
    /// A custom merge function's type.
    pub merger: Option<TyRef>,
    /// How many definitions there are.
    pub definitions: u32,
    /// Declared `optional` by every declaration.
    pub optional: bool,
    /// The type of a bare declaration, until a definition decides it.
    pub bare: Option<TyRef>,
}

/// A contract of a field that is a type.
#[derive(Clone, Debug)]
pub struct Contract {
    /// The type.
    pub ty: TyRef,
    /// Where it was written.
    pub span: Span,
}

/// The definitions of a field at one priority.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The priority.
    pub priority: Priority,
    /// The type of the definitions, merged.
    pub ty: TyRef,
    /// Whether it holds without a guard.
    pub certain: bool,
    /// The first definition.
    pub at: Option<Span>,
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

/// How far forcing one thing forces another.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Demand {
    /// Not for certain.
    #[default]
    Lazy,
    /// To its head, and perhaps further.
    Forced(Arc<Forced>),
}

/// What is forced to its head.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Forced {
    /// Which heads it fails of for certain.
    pub asks: Asks,
    /// Whether all of it is forced, as where it is shown.
    pub whole: bool,
    /// The fields that are forced.
    pub fields: BTreeMap<Name, Demand>,
}

/// Which heads keep what forces a value from coming about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Asks {
    /// None for certain.
    #[default]
    Nothing,
    /// Those that have no length: null, booleans and numbers.
    Length,
    /// Any but the type's.
    Head,
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

    /// Whether the head is forced and must be as the type says.
    pub fn asks(&self) -> bool {
        matches!(self, Demand::Forced(f) if f.asks == Asks::Head)
    }

    /// Whether a value of this head cannot be used for certain, which is not of the type that is asked for.
    pub fn refuses(&self, found: &Ty) -> bool {
        match self {
            Demand::Forced(f) if f.asks == Asks::Length => matches!(found, Ty::Null | Ty::Bool | Ty::Number),
            _ => self.asks(),
        }
    }

    /// The demand on a field of the value.
    pub fn field(&self, name: &str) -> Demand {
        match self {
            Demand::Forced(f) => f.fields.get(name).cloned().unwrap_or_default(),
            Demand::Lazy => Demand::Lazy,
        }
    }

    /// Adds the demand for a path of fields.
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
    /// A field that is there and has one definition of ordinary priority.
    pub fn given(ty: TyRef, at: Option<Span>) -> Field {
        Field { give: Give::Yes, need: Need::None, ty, at, hidden: false, stack: None, late: None }
    }

    /// Whether there is something to weaken for a record that may lack the field ([`Field::weakened`]), but for failures.
    pub fn is_firm(&self) -> bool {
        self.give != Give::Maybe || self.stack.is_some()
    }

    /// The field where some records of a type have it and others have not. The caller takes failures out of the type.
    pub fn weakened(&self, ty: TyRef) -> Field {
        // what only some of them declare the others can do without
        let late = self.late.as_ref().filter(|l| l.plus && l.below.is_none() && l.asked.is_empty()).cloned();
        Field { give: Give::Maybe, need: Need::None, ty, stack: None, late, ..self.clone() }
    }

    /// The stack, also where it was left out.
    pub fn layers(&self) -> Stack {
        match &self.stack {
            Some(stack) => Stack::clone(stack),
            None => Stack {
                layers: vec![Layer {
                    priority: Priority::Normal,
                    ty: self.ty.clone(),
                    certain: self.give == Give::Yes,
                    at: self.at,
                }],
                definitions: 1,
                ..Stack::default()
            },
        }
    }
}

impl PartialEq for Field {
    /// Places do not make types different.
    fn eq(&self, other: &Field) -> bool {
        self.give == other.give
            && self.need == other.need
            && self.ty == other.ty
            && self.hidden == other.hidden
            && self.stack == other.stack
            && self.late.as_ref().map(|l| (l.plus, &l.below)) == other.late.as_ref().map(|l| (l.plus, &l.below))
    }
}

impl PartialEq for Contract {
    /// Places do not make types different.
    fn eq(&self, other: &Contract) -> bool {
        self.ty == other.ty
    }
}

impl PartialEq for Layer {
    /// Places do not make types different.
    fn eq(&self, other: &Layer) -> bool {
        self.priority == other.priority && self.ty == other.ty && self.certain == other.certain
    }
}
