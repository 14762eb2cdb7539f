//! The frames around the expression that is being inferred, with the types of variables and sibling fields.

use super::narrow;
use super::objects::Object;
use super::units::UnitId;
use crate::text::{Name, Span};
use crate::ty::{Field, Ty, TyRef};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// A slot of a frame: a parameter, a variable of a `let`, of a pattern or of a comprehension, or a local of an object.
#[derive(Clone)]
pub(super) struct Variable {
    /// Its type.
    pub ty: TyRef,
    /// The unit of the function that it is a parameter of.
    pub unit: Option<UnitId>,
    /// The facts that its `let` states besides its type.
    pub alias: Option<Arc<narrow::Alias>>,
    /// Its name in the program.
    pub name: Option<Name>,
    /// The expression that a `let` defines it as.
    pub at: Option<Span>,
    /// The constant that defines it. Known only where types are exact, and for strings in object languages.
    pub constant: Option<crate::term::NodeId>,
    /// Whether it has been read.
    pub read: Cell<bool>,
    /// The frame of the object for which it is an alias, as in `local me = self`.
    pub object: Option<usize>,
    /// The array literal whose elements it takes one after another, and the unit that is evaluated for each of them.
    pub each: Option<(crate::term::NodeId, UnitId)>,
}

impl Variable {
    /// A variable of a known type.
    pub fn of(ty: TyRef) -> Variable {
        Variable {
            ty,
            unit: None,
            alias: None,
            name: None,
            at: None,
            constant: None,
            read: Cell::new(false),
            object: None,
            each: None,
        }
    }

    /// The variables of a frame, before anything is known of them.
    pub fn unknown(names: &[Name]) -> Vec<Variable> {
        let unknown = Variable::of(Ty::Bottom.into());
        names.iter().map(|name| Variable { name: Some(name.clone()), ..unknown.clone() }).collect()
    }

    /// Its type, for an expression that reads it.
    pub fn read(&self) -> TyRef {
        self.read.set(true);
        self.ty.clone()
    }
}

/// The state of a field inside its literal.
#[derive(Clone)]
pub(super) enum Member {
    /// It has not been inferred yet. The variable was made when a sibling first read it.
    Pending(Option<TyRef>),
    /// Its contracts give its type.
    Declared(TyRef),
    /// It has been inferred.
    Done(Field),
}

/// The variables or fields that one construct of the program binds.
pub(super) enum Frame {
    /// Variables, by slot.
    Slots(Vec<Variable>),
    /// The fields of a record literal that are known so far.
    Record {
        members: FxHashMap<Name, Member>,
        /// The names of the fields that have been inferred, by definition.
        definitions: Definitions,
        /// The level of the literal.
        level: u32,
        /// The object, if the literal is one.
        object: Option<Box<Object>>,
    },
}

/// The names of the fields of a record literal, by the span of their definition. Few literals are ever asked for one, so they are
/// indexed when a long one is.
#[derive(Default)]
pub(super) struct Definitions {
    listed: Vec<(Span, Name)>,
    /// The place in `listed` of each span, and how many of `listed` are in it.
    index: RefCell<(FxHashMap<Span, usize>, usize)>,
}

impl Definitions {
    /// Up to this number, a search is faster than an index.
    const FEW: usize = 16;

    fn add(&mut self, at: Span, name: Name) {
        self.listed.push((at, name));
    }

    /// Returns the name of the field that a definition belongs to, the last one if there are several. O(1), and O(fields) in total.
    fn name_at(&self, definition: Span) -> Option<&Name> {
        if self.listed.len() <= Self::FEW {
            return self.listed.iter().rev().find(|(at, _)| *at == definition).map(|(_, name)| name);
        }
        let (index, indexed) = &mut *self.index.borrow_mut();
        index.extend(self.listed.iter().enumerate().skip(*indexed).map(|(i, (at, _))| (*at, i)));
        *indexed = self.listed.len();
        index.get(&definition).and_then(|i| self.listed.get(*i)).map(|(_, name)| name)
    }
}

/// The frames around the current expression, by index; the innermost last.
#[derive(Default)]
pub(super) struct Scopes(Vec<Frame>);

impl Scopes {
    /// The index of the frame that is `up` frames outwards.
    pub fn at(&self, up: u32) -> Option<usize> {
        self.0.len().checked_sub(1 + up as usize)
    }

    /// Opens a frame of variables. Returns its index.
    pub fn open(&mut self, variables: Vec<Variable>) -> usize {
        self.0.push(Frame::Slots(variables));
        self.0.len() - 1
    }

    /// Opens the frame of a record literal.
    pub fn open_record(&mut self, members: FxHashMap<Name, Member>, level: u32, object: Option<Box<Object>>) {
        self.0.push(Frame::Record { members, definitions: Definitions::default(), level, object });
    }

    /// Closes the innermost frame.
    pub fn close(&mut self) {
        self.0.pop();
    }

    /// Closes the innermost frame. Returns its variables.
    pub fn close_slots(&mut self) -> Vec<Variable> {
        match self.0.pop() {
            Some(Frame::Slots(variables)) => variables,
            _ => Vec::new(),
        }
    }

    /// Closes the frame of an object. Returns the object.
    pub fn close_object(&mut self) -> Option<Object> {
        match self.0.pop() {
            Some(Frame::Record { object: Some(object), .. }) => Some(*object),
            _ => None,
        }
    }

    /// Returns the variable in a slot. In the frame of an object, a slot is one of the object's locals.
    pub fn variable(&self, frame: usize, slot: u32) -> Option<&Variable> {
        match self.0.get(frame)? {
            Frame::Slots(variables) => variables.get(slot as usize),
            Frame::Record { object, .. } => object.as_ref()?.locals.get(slot as usize),
        }
    }

    /// Returns the variable in a slot, unless the frame belongs to a record or an object.
    pub fn plain_variable(&self, frame: usize, slot: u32) -> Option<&Variable> {
        match self.0.get(frame)? {
            Frame::Slots(variables) => variables.get(slot as usize),
            Frame::Record { .. } => None,
        }
    }

    /// Like [`Scopes::plain_variable`], to change it.
    pub fn plain_variable_mut(&mut self, frame: usize, slot: u32) -> Option<&mut Variable> {
        match self.0.get_mut(frame)? {
            Frame::Slots(variables) => variables.get_mut(slot as usize),
            Frame::Record { .. } => None,
        }
    }

    /// The variable in a slot of the innermost frame, as in [`Scopes::variable`].
    pub fn variable_mut(&mut self, slot: u32) -> Option<&mut Variable> {
        match self.0.last_mut()? {
            Frame::Slots(variables) => variables.get_mut(slot as usize),
            Frame::Record { object, .. } => object.as_mut()?.locals.get_mut(slot as usize),
        }
    }

    /// Gives a variable of the innermost frame its type.
    pub fn set_type(&mut self, slot: u32, ty: TyRef) {
        if let Some(variable) = self.variable_mut(slot) {
            variable.ty = ty;
        }
    }

    /// Whether a variable of the innermost frame has been read.
    pub fn was_read(&self, slot: u32) -> bool {
        let innermost = self.0.len().wrapping_sub(1);
        self.variable(innermost, slot).is_none_or(|variable| variable.read.get())
    }

    /// The state of a field of a record literal; `None` if the literal has no such field.
    pub fn member(&self, frame: usize, name: &Name) -> Option<&Member> {
        match self.0.get(frame)? {
            Frame::Record { members, .. } => members.get(name),
            Frame::Slots(_) => None,
        }
    }

    /// The names of the fields of a record literal.
    pub fn names(&self, frame: usize) -> impl Iterator<Item = &Name> {
        let members = match self.0.get(frame) {
            Some(Frame::Record { members, .. }) => Some(members.keys()),
            _ => None,
        };
        members.into_iter().flatten()
    }

    /// Sets the state of a field of a record literal.
    pub fn set_member(&mut self, frame: usize, name: Name, member: Member) {
        if let Some(Frame::Record { members, definitions, .. }) = self.0.get_mut(frame) {
            if let Member::Done(Field { at: Some(at), .. }) = &member {
                definitions.add(*at, name.clone());
            }
            members.insert(name, member);
        }
    }

    /// The name of the field of a record literal that a definition belongs to; `None` if the literal has no such field, or the
    /// field has not been inferred.
    pub fn defined_by(&self, frame: usize, definition: Span) -> Option<&Name> {
        match self.0.get(frame)? {
            Frame::Record { definitions, .. } => definitions.name_at(definition),
            Frame::Slots(_) => None,
        }
    }

    /// The innermost record literal with a field that a definition belongs to.
    pub fn frame_of(&self, definition: Span) -> Option<usize> {
        (0..self.0.len()).rev().find(|frame| self.defined_by(*frame, definition).is_some())
    }

    /// The variable that readers of a field of the innermost literal were given because it had not been inferred yet.
    pub fn awaited(&self, name: &Name) -> Option<TyRef> {
        match self.member(self.at(0)?, name) {
            Some(Member::Pending(ty)) => ty.clone(),
            _ => None,
        }
    }

    /// The level of a record literal.
    pub fn level(&self, frame: usize) -> Option<u32> {
        match self.0.get(frame)? {
            Frame::Record { level, .. } => Some(*level),
            Frame::Slots(_) => None,
        }
    }

    /// The object of a frame.
    pub fn object(&self, frame: usize) -> Option<&Object> {
        match self.0.get(frame)? {
            Frame::Record { object, .. } => object.as_deref(),
            Frame::Slots(_) => None,
        }
    }

    /// Like [`Scopes::object`], to change it.
    pub fn object_mut(&mut self, frame: usize) -> Option<&mut Object> {
        match self.0.get_mut(frame)? {
            Frame::Record { object, .. } => object.as_deref_mut(),
            Frame::Slots(_) => None,
        }
    }

    /// The object of the innermost frame.
    pub fn innermost_object(&mut self) -> Option<&mut Object> {
        let frame = self.at(0)?;
        self.object_mut(frame)
    }

    /// The objects around the current expression with their frames, innermost first.
    pub fn objects(&self) -> impl Iterator<Item = (usize, &Object)> {
        self.0.iter().enumerate().rev().filter_map(|(frame, at)| match at {
            Frame::Record { object: Some(object), .. } => Some((frame, &**object)),
            _ => None,
        })
    }
}
