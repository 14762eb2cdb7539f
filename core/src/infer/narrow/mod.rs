//! Narrowing: inside a branch that a test guards, values have the types that follow from the test.
//!
//! A *place* is a variable or a sibling, or a field of one. A condition may test a place: `std.is_number x`,
//! `std.typeof x == 'Number`, `x == null`, `std.record.has_field "a" x`, or `!`, `&&`, `||` of such tests. Then each branch gets
//! a *view* of the place, which is a separate type and constrains neither the place nor its other uses. If the known type
//! agrees with the test, it stays. Otherwise the view has the tested head, and the rest is `Dyn` with the reason. A view is
//! never a variable, which could be bound to a type that the value does not have.
//!
//! A polymorphic function of the program is treated as a test of its arguments, since it can only distinguish values by testing
//! their types.

mod facts;
mod heads;
mod place;

pub(super) use facts::{Facts, Views};
pub(super) use heads::{Head, is_of, shape};
pub(super) use place::Alias;

use super::Infer;
use super::scopes::{Member, Variable};
use super::why::{UnifyReason, Why};
use crate::term::{Match, NodeId};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Field, Need, Presence, Row, Tail, Ty, TyRef, VariableKind};
use facts::Fact;
use place::{Place, Root};
use rustc_hash::FxHashMap;

/// Maximum number of nested projections or nested calls that are followed.
const NESTING: usize = 8;

/// The type of a place in a branch.
pub(super) struct View {
    place: Place,
    ty: TyRef,
}

/// A match that is called at once, `x |> match { … }`: the same as a match of the argument.
struct Applied {
    argument: NodeId,
    /// The place that the argument is.
    place: Option<Place>,
    /// The place whose type the argument is the result of testing.
    tested: Option<Place>,
}

/// The state of narrowing in the current branch.
#[derive(Default)]
pub(super) struct Narrowing {
    /// The views of places, those of the innermost branch last.
    views: Vec<View>,
    /// The matches that are called at once, by scrutinee.
    applied: FxHashMap<NodeId, Applied>,
}

impl Narrowing {
    /// The expression that a match looks at: the argument if the match is called at once.
    pub fn argument(&self, scrutinee: NodeId) -> NodeId {
        self.applied.get(&scrutinee).map_or(scrutinee, |applied| applied.argument)
    }

    /// The number of views, for [`Narrowing::leave`].
    pub fn depth(&self) -> usize {
        self.views.len()
    }

    /// Removes all views but the first `depth`.
    pub fn leave(&mut self, depth: usize) {
        self.views.truncate(depth);
    }

    /// The innermost view of a place.
    fn view(&self, place: &Place) -> Option<TyRef> {
        self.views.iter().rev().find(|view| view.place == *place).map(|view| view.ty.clone())
    }
}

impl Infer<'_> {
    /// Records that a match is called at once with an argument.
    pub(super) fn apply_match(&mut self, m: &Match, argument: NodeId) {
        let applied = Applied { argument, place: self.place(argument), tested: self.typeof_of(argument) };
        self.narrowing.applied.insert(m.scrutinee, applied);
    }

    /// Returns the type of an expression in the current branch, if a test of it guards the branch.
    pub(super) fn viewed(&self, id: NodeId) -> Option<TyRef> {
        if self.narrowing.views.is_empty() {
            return None;
        }
        let place = self.place(id)?;
        self.narrowing.view(&place)
    }

    /// Whether a condition tests the type of a place.
    pub(super) fn tests_type(&mut self, facts: &Facts) -> bool {
        facts.holds.iter().any(|(place, fact)| match fact {
            Fact::Has(_) | Fact::Compared => false,
            Fact::Passed => match self.known_part(place) {
                Some(ty) => matches!(&*self.table.head(&ty), Ty::Live(_)),
                None => true,
            },
            _ => true,
        })
    }

    /// Calls `f` under the facts of a condition that has been inferred.
    pub(super) fn under<T>(&mut self, facts: &Views, f: impl FnOnce(&mut Self) -> T) -> T {
        let from = self.narrowing.depth();
        self.view(facts);
        let out = f(self);
        self.narrowing.leave(from);
        out
    }

    /// Adds the views of places under facts, until [`Narrowing::leave`].
    pub(super) fn view(&mut self, facts: &Views) {
        for (place, fact, span) in &facts.0 {
            if let Some(ty) = self.view_of(place, fact, *span) {
                self.narrowing.views.push(View { place: place.clone(), ty });
            }
        }
    }

    /// Returns the type of a variable, a sibling or a viewed place in the current branch, without constraining it.
    fn known(&self, place: &Place) -> Option<TyRef> {
        if let Some(view) = self.narrowing.view(place) {
            return Some(view);
        }
        if !place.path.is_empty() {
            return None;
        }
        match &place.root {
            Root::Slot(slot) => self.scopes.plain_variable(place.frame, *slot).map(Variable::read),
            Root::Sibling(name) => match self.scopes.member(place.frame, name)? {
                Member::Done(field) => Some(field.ty.clone()),
                Member::Declared(ty) | Member::Pending(Some(ty)) => Some(ty.clone()),
                Member::Pending(None) => None,
            },
        }
    }

    /// Like [`Infer::known`], of any place; `None` if its type is not known.
    fn known_part(&mut self, place: &Place) -> Option<TyRef> {
        if let Root::Sibling(name) = &place.root {
            self.first_read(place.frame, name);
        }
        for split in (0..=place.path.len()).rev() {
            let (outer, inner) = place.path.split_at(split);
            let at = Place { path: outer.to_vec(), ..place.clone() };
            let Some(mut ty) = self.known(&at) else { continue };
            for name in inner {
                let head = self.open_head(&ty);
                ty = match &*head {
                    Ty::Record(row) => {
                        let row = self.open_row(row);
                        match (row.get(name), row.tail()) {
                            (Some(field), _) => field.ty.clone(),
                            (None, Tail::Dict(item)) => item.clone(),
                            (None, Tail::Dyn(reason)) => Ty::Dyn(*reason).into(),
                            _ => return None,
                        }
                    }
                    Ty::Dyn(_) => head,
                    _ => return None,
                };
            }
            return Some(ty);
        }
        None
    }

    /// Returns the view of a place under a fact; `None` if the fact does not change the type of the place.
    fn view_of(&mut self, place: &Place, fact: &Fact, span: Span) -> Option<TyRef> {
        let rules = self.rules();
        let known = self.known_part(place);
        let head = known.map(|ty| match &*self.table.head(&ty) {
            Ty::Library(_) => self.open_head(&ty),
            Ty::Forall(_) if rules.extends() => {
                let one = self.table.head(&ty);
                let one = self.instantiate(&one);
                self.open_head(&one)
            }
            _ => self.table.head(&ty),
        });
        let unknown = || -> TyRef { Ty::Dyn(DynReason::Tested(span)).into() };
        let shape = |head: Head| match head {
            // the number of parameters is not known
            Head::Function if rules.calls_whole() => unknown(),
            head => shape(head, span),
        };
        let free = matches!(head.as_deref(), None | Some(Ty::Live(_)));
        match fact {
            Fact::Passed => free.then(unknown),
            Fact::Tested | Fact::Compared => free.then(unknown),
            Fact::Has(name) => self.with_field(head?, name, span),
            Fact::Is(wanted) => match head.as_deref() {
                Some(Ty::Union(members)) => {
                    let one = members.iter().find(|m| is_of(m, *wanted) == Some(true));
                    Some(one.cloned().unwrap_or_else(|| shape(*wanted)))
                }
                Some(ty) if !free => match is_of(ty, *wanted) {
                    Some(true) => None,
                    Some(false) => Some(unknown()),
                    None if matches!(ty, Ty::Dyn(_)) => Some(shape(*wanted)),
                    None => None,
                },
                _ => Some(shape(*wanted)),
            },
            Fact::IsNot(other) => match head.as_deref() {
                Some(Ty::Union(members)) => {
                    let mut rest = members.iter().filter(|m| is_of(m, *other) != Some(true));
                    match (rest.next(), rest.next()) {
                        (Some(one), None) => Some(one.clone()),
                        _ => None,
                    }
                }
                Some(ty) if !free => (is_of(ty, *other) == Some(true)).then(unknown),
                _ => Some(unknown()),
            },
        }
    }

    /// Returns the type of a record that was found to have a field. An open record gets the field as an optional one, since the
    /// program tests for it.
    fn with_field(&mut self, head: TyRef, name: &Name, span: Span) -> Option<TyRef> {
        let because = UnifyReason::new(span, Why::Access(name.clone())).unsure();
        let row = match &*head {
            Ty::Record(row) => self.open_row(row),
            Ty::Live(v) if !self.is_rigid(*v) => {
                let tail = Tail::Live(self.fresh_tail(VariableKind::Row));
                let any: TyRef = Ty::Record(Row::new(tail.clone())).into();
                let _ = self.unify(&head, &any, &because);
                Row::new(tail)
            }
            _ => return None,
        };
        if row.get(name).is_some() {
            return None;
        }
        match row.tail().clone() {
            Tail::Live(v) if !self.is_rigid(v) => {
                let ty = self.fresh();
                let mut rest = Row::new(Tail::Live(self.fresh_tail(VariableKind::Row)));
                let field = Field { presence: Presence::Maybe, need: Need::None, ..Field::given(ty, Some(span)) };
                rest.insert(name.clone(), field);
                let _ = self.bind_tail(v, Ty::Record(rest), &because);
                None
            }
            Tail::Dict(_) | Tail::Dyn(_) => None,
            _ => {
                let mut out = row.clone();
                out.insert(name.clone(), Field::given(Ty::Dyn(DynReason::Tested(span)).into(), Some(span)));
                Some(Ty::Record(out).into())
            }
        }
    }
}
