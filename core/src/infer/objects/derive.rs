//! Sums with an object that is not known yet. In `{ m():: self + { … } }` the base of the sum is the object from which the method
//! is read. It is a variable of [`VariableKind::This`], which each use replaces by that object, so that the type of a method does not
//! grow with the number of other methods. The sum is deferred as a [`Constraint::Inherit`] until the base is known. A field that
//! is read from the sum before that is looked up in the parts of the sum.

use crate::infer::Infer;
use crate::infer::scopes::Member;
use crate::infer::table::Vid;
use crate::infer::unify::{Clash, ClashKind};
use crate::infer::why::{UnifyReason, Why};
use crate::term::{Node, NodeId, Prim};
use crate::text::{Name, Span};
use crate::ty::{Constraint, DynReason, Field, Live, Presence, Tail, Ty, TyRef, VariableKind};
use rustc_hash::FxHashMap;

/// Maximum depth to which a use may unfold methods that call methods of their own result.
const UNFOLDED: u32 = 16;
/// Maximum number of uses deeper than 2 that one inference unfolds.
const UNFOLDINGS: u32 = 4096;

/// The origin of a variable for an object that is not known.
#[derive(Clone)]
enum Derived {
    /// The object of a frame.
    This(usize),
    /// A field that another object will supply, or a part of one.
    Needed,
    /// A sum of objects.
    Sum { base: TyRef, extension: TyRef },
}

/// The sums with unknown operands, and the uses of methods that wait for their arguments.
#[derive(Default)]
pub(super) struct Sums {
    /// The origin of each variable for an unknown object.
    derived: FxHashMap<Vid, Derived>,
    /// The deferred constraints of uses of methods, by index.
    waiting: Vec<usize>,
    /// The first use to try; those before it belong to outer calls.
    floor: usize,
    /// The number of uses of methods that led to the constraint being tried.
    unfolded: u32,
    /// The number of uses unfolded so far.
    unfoldings: u32,
}

impl Infer<'_> {
    /// Returns the final object of a frame, as the variable that the current group of definitions extends.
    pub(in crate::infer) fn me(&mut self, at: usize) -> TyRef {
        if self.scopes.object(at).is_none() {
            return self.fresh();
        }
        let level = self.scopes.level(at).unwrap_or(self.level) + 1;
        let fresh = self.table.fresh(VariableKind::This, level);
        let Some(object) = self.scopes.object_mut(at) else { return Ty::Live(fresh).into() };
        let me = *object.me.get_or_insert(fresh);
        if me == fresh {
            self.objects.sums.derived.insert(Vid(me.id), Derived::This(at));
        }
        Ty::Live(me).into()
    }

    /// Ends a group of definitions, whose variable for `self` has been generalised.
    pub(super) fn forget_me(&mut self) {
        let me = self.scopes.innermost_object().and_then(|object| object.me.take());
        if let Some(me) = me {
            self.objects.sums.derived.remove(&Vid(me.id));
        }
    }

    /// Infers an operand of `+`. `self` is the whole final object there.
    pub(in crate::infer) fn operand(&mut self, id: NodeId) -> TyRef {
        let Node::This { up } = *self.term.node(id) else { return self.strict(id) };
        let Some(at) = self.scopes.at(up) else { return self.fresh() };
        if self.kept.nodes.is_some() {
            let shown = self.this(up, self.term.span(id));
            self.keep_type(id, &shown);
        }
        self.me(at)
    }

    fn derived(&mut self, v: Live) -> Option<&Derived> {
        if self.objects.sums.derived.is_empty() {
            return None;
        }
        let root = self.table.root(v);
        self.objects.sums.derived.get(&root).or_else(|| self.objects.sums.derived.get(&Vid(v.id)))
    }

    /// Whether a type is a variable for an object that is not known yet.
    pub(in crate::infer) fn is_derived(&mut self, ty: &Ty) -> bool {
        matches!(ty, Ty::Live(v) if self.derived(*v).is_some())
    }

    /// Returns the type of a sum whose base is not known, and defers it.
    pub(super) fn defer_sum(&mut self, base: &TyRef, extension: &TyRef, span: Span) -> TyRef {
        let v = self.table.fresh(VariableKind::Type, self.level);
        let result: TyRef = Ty::Live(v).into();
        let (base, extension) = (base.clone(), extension.clone());
        self.constrain(Constraint::Inherit { base, extension, result: result.clone(), span });
        result
    }

    /// Defers a constraint of the use of a method until the use has its arguments.
    pub(in crate::infer) fn defer_use(&mut self, constraint: Constraint) {
        let index = self.deferred.add(constraint, self.objects.sums.unfolded);
        self.objects.sums.waiting.push(index);
    }

    /// Begins a call: the constraints of the called method wait for its end. Returns the value to pass to [`Infer::release`].
    pub(in crate::infer) fn hold(&mut self) -> usize {
        let floor = self.objects.sums.waiting.len();
        std::mem::replace(&mut self.objects.sums.floor, floor)
    }

    /// Continues a call with its arguments, whose own constraints do not wait for the call.
    pub(in crate::infer) fn held(&mut self) {
        self.objects.sums.floor = self.objects.sums.waiting.len();
    }

    /// Ends a call, and tries the constraints that waited for it.
    pub(super) fn release(&mut self, floor: usize) {
        self.objects.sums.floor = floor;
        self.try_uses();
    }

    /// Tries the waiting constraints of uses. Returns whether there were any.
    pub(in crate::infer) fn try_uses(&mut self) -> bool {
        let mut any = false;
        while self.objects.sums.waiting.len() > self.objects.sums.floor {
            let Some(next) = self.next_use() else { break };
            any = true;
            self.try_deferred(next);
        }
        if any {
            self.solve();
        }
        any
    }

    /// Takes the last waiting constraint whose operands are known, or else the last one.
    fn next_use(&mut self) -> Option<usize> {
        let from = self.objects.sums.waiting.len().saturating_sub(64).max(self.objects.sums.floor);
        let ready = (from..self.objects.sums.waiting.len()).rev().find(|i| {
            let constraint = self.objects.sums.waiting.get(*i).and_then(|i| self.deferred.open(*i)).cloned();
            constraint.is_some_and(|c| {
                let [left, right, _] = c.parts().map(|t| self.table.head(t));
                !matches!(&*left, Ty::Live(_)) && !matches!(&*right, Ty::Live(_))
            })
        });
        match ready {
            Some(i) => Some(self.objects.sums.waiting.remove(i)),
            None => self.objects.sums.waiting.pop(),
        }
    }

    /// Tries to solve a sum of objects.
    pub(in crate::infer) fn try_inherit(
        &mut self,
        index: usize,
        base: TyRef,
        extension: TyRef,
        result: &TyRef,
        span: Span,
    ) {
        let unfolded = self.deferred.unfolded(index);
        let head = self.table.head(&base);
        let above = self.table.head(&extension);
        if let Ty::Live(v) = &*head {
            if self.derived(*v).is_some()
                && let Ty::Live(sum) = &*self.table.head(result)
            {
                let root = self.table.root(*sum);
                self.objects.sums.derived.entry(root).or_insert(Derived::Sum { base, extension });
            }
            return self.table.watch(*v, index as u32);
        }
        if let Ty::Live(v) = &*above {
            return self.table.watch(*v, index as u32);
        }
        self.objects.sums.unfoldings += u32::from(unfolded > 2);
        let sum = if unfolded > UNFOLDED || self.objects.sums.unfoldings > UNFOLDINGS {
            Some(Ty::Dyn(DynReason::Cycle(span)).into())
        } else {
            let before = std::mem::replace(&mut self.objects.sums.unfolded, unfolded + 1);
            let sum = self.plus_known(&base, &extension, span, None);
            self.objects.sums.unfolded = before;
            sum
        };
        if let Some(ty) = sum {
            self.deferred.finish(index);
            let before = std::mem::replace(&mut self.objects.sums.unfolded, unfolded + 1);
            let certain = unfolded == 0 && self.head_certain(&base) && self.head_certain(&extension);
            self.settle_sum(&ty, result, span, certain);
            self.objects.sums.unfolded = before;
        }
    }

    /// Records that another object will supply the value of this type, if the type is not known.
    pub(in crate::infer) fn needed(&mut self, ty: &TyRef) {
        if let Ty::Live(v) = &*self.table.head(ty) {
            let root = self.table.root(*v);
            self.objects.sums.derived.entry(root).or_insert(Derived::Needed);
        }
    }

    /// Records that another object will supply a part, and the rest of a row, if it will supply the whole.
    pub(in crate::infer) fn needed_as(&mut self, whole: Live, part: &TyRef, rest: Option<&Tail>) {
        if self.derived(whole).is_none() {
            return;
        }
        self.needed(part);
        if let Some(Tail::Live(v)) = rest {
            let root = self.table.root(*v);
            self.objects.sums.derived.entry(root).or_insert(Derived::Needed);
        }
    }

    /// Tries all constraints that may be solved now. Returns whether there were any.
    pub(in crate::infer) fn learn(&mut self) -> bool {
        let woken = self.table.is_woken() && !self.deferred.is_solving();
        if woken {
            self.solve();
        }
        self.try_uses() || woken
    }

    /// Returns the join of two types, one of them unknown, and defers it.
    pub(in crate::infer) fn defer_join(&mut self, left: &TyRef, right: &TyRef, span: Span) -> TyRef {
        let result = self.fresh();
        self.needed(&result);
        let (left, right) = (left.clone(), right.clone());
        self.constrain(Constraint::Join { left, right, result: result.clone(), span });
        result
    }

    /// Tries to solve a join.
    pub(in crate::infer) fn try_join(&mut self, index: usize, left: &TyRef, right: &TyRef, result: &TyRef, span: Span) {
        let [l, r, whole] = [left, right, result].map(|ty| self.table.head(ty));
        let (extends, is_row) = (self.rules().extends(), |side: &TyRef| matches!(&**side, Ty::Record(_)));
        // a caller chooses the rest of a record
        let mut open = Vec::new();
        if !extends && [&l, &r].into_iter().all(|side| is_row(side) || matches!(&**side, Ty::Live(_))) {
            for side in [&l, &r] {
                if let Ty::Record(row) = &**side
                    && let Tail::Live(v) = self.open_row(row).tail()
                    && !self.is_rigid(*v)
                {
                    open.push(*v);
                }
            }
        }
        let waits = !open.is_empty() || [&l, &r].into_iter().any(|side| matches!(&**side, Ty::Live(_)));
        let is_free = |infer: &mut Self, ty: &TyRef| matches!(&**ty, Ty::Live(_)) && !infer.is_derived(ty);
        let is_same = |infer: &mut Self, a: &TyRef, b: &TyRef| match (&**a, &**b) {
            (Ty::Live(v), Ty::Live(w)) => infer.table.root(*v) == infer.table.root(*w),
            _ => false,
        };
        let because = UnifyReason::new(span, Why::Branch).unsure();
        if let Some(because) = self.scalar_use(&l, &r, result) {
            self.deferred.finish(index);
            for side in [left, right] {
                let unified = self.unify(side, result, &because);
                self.settle_clash(unified, &because);
            }
            return;
        }
        let decided: Option<Vec<&TyRef>> = if is_same(self, &l, &whole) {
            // the value of a recursive function is that of its other branches
            Some(vec![right])
        } else if is_same(self, &r, &whole) || is_same(self, &l, &r) {
            Some(vec![left])
        } else if is_free(self, &l)
            && is_free(self, &r)
            && !matches!(&*whole, Ty::Live(_))
            && (extends || !is_row(&whole))
        {
            // the use of the result decides both
            Some(vec![left, right])
        } else {
            None
        };
        if let Some(sides) = decided {
            self.deferred.finish(index);
            for side in sides {
                let unified = self.unify(side, result, &because);
                self.settle_clash(unified, &because);
            }
            return;
        }
        if waits {
            for ty in [&l, &r, &whole] {
                if let Ty::Live(v) = &**ty {
                    self.table.watch(*v, index as u32);
                }
            }
            open.into_iter().for_each(|v| self.table.watch(v, index as u32));
            return;
        }
        self.deferred.finish(index);
        let joined = self.join_quietly(left, right, &because);
        let why = if extends { Why::Operand(Prim::Plus) } else { Why::Branch };
        self.settle_operands(&joined, result, &UnifyReason::new(span, why).unsure());
    }

    /// Returns the reason for the type of a join of which one side is a known scalar, the other one is not known, and a use requires a
    /// scalar. Then that use decides the other side. `None` for other joins.
    fn scalar_use(&mut self, left: &TyRef, right: &TyRef, result: &TyRef) -> Option<UnifyReason> {
        let scalar = |ty: &Ty| matches!(ty, Ty::Null | Ty::Bool | Ty::Number | Ty::String);
        if self.rules().extends() {
            return None;
        }
        let ((Ty::Live(v), known) | (known, Ty::Live(v))) = (&**left, &**right) else { return None };
        let (whole, by) = self.table.head_with(result);
        if !scalar(known) || !scalar(&whole) || self.is_rigid(*v) {
            return None;
        }
        let by = self.table.reason(by?);
        Some(UnifyReason::new(by.found, Why::Branch).unsure())
    }

    /// Unifies a solved sum with its result. `certain`: evaluation is certain to see this type.
    pub(super) fn settle_sum(&mut self, ty: &TyRef, result: &TyRef, span: Span, certain: bool) {
        self.settle_operands(ty, result, &UnifyReason::new(span, Why::Operand(Prim::Plus)).sure_if(certain));
    }

    /// Unifies a solved sum or join with its result.
    fn settle_operands(&mut self, ty: &TyRef, result: &TyRef, because: &UnifyReason) {
        let unified = match &*self.table.head(result) {
            // nothing has used its methods yet, so that they stay polymorphic
            Ty::Live(v) => self.bind_whole(*v, ty, because),
            _ => {
                let clean = self.without_failures(ty);
                self.unify(&clean, result, because)
            }
        };
        // a value of several types may be of the one that a use requires
        let unified = unified.or_else(|clash| if self.may_fit(&clash) { Ok(()) } else { Err(clash) });
        self.settle_clash(unified, because);
    }

    /// Whether the found type of a clash is a union that has a member with the expected head.
    pub(super) fn may_fit(&mut self, clash: &Clash) -> bool {
        match &clash.what {
            ClashKind::Heads { found, expected, .. } => match (&**found, &**expected) {
                (Ty::Union(members), expected) => {
                    let expected = expected.clone().into();
                    self.has_head(&members.clone(), &expected)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns the type of a field, given the object from which it is read.
    pub(in crate::infer) fn of(&mut self, ty: &TyRef, whole: &TyRef) -> TyRef {
        match &**ty {
            Ty::Forall(scheme) if scheme.vars.contains(&VariableKind::This) => {
                let scheme = scheme.clone();
                let vars: Vec<Live> = scheme.vars.iter().map(|k| self.table.fresh(free(*k), self.level)).collect();
                self.substitute(&scheme, &vars, Some(whole))
            }
            Ty::Fails(fault, inner) if inner.marks().forall => Ty::Fails(*fault, self.of(inner, whole)).into(),
            Ty::Sibling(sibling, inner) if inner.marks().forall => {
                Ty::Sibling(sibling.clone(), self.of(inner, whole)).into()
            }
            _ => ty.clone(),
        }
    }

    /// Returns the type of a field of an object that is not known, if the known parts of it decide the field.
    pub(in crate::infer) fn derived_field(&mut self, v: Live, name: &Name, id: NodeId) -> Option<TyRef> {
        let whole: TyRef = Ty::Live(v).into();
        let mut at = v;
        loop {
            match self.derived(at)?.clone() {
                Derived::This(frame) => return self.field_of_this(frame, name, &whole, id),
                Derived::Needed => return None,
                Derived::Sum { base, extension } => {
                    let above = self.open_head(&extension);
                    let Ty::Record(row) = &*above else { return None };
                    let row = self.open_row(row);
                    match (row.get(name), row.tail()) {
                        (Some(Field { presence: Presence::Yes, inheritance, ty, .. }), _)
                            if !inheritance.as_ref().is_some_and(|l| l.plus) =>
                        {
                            let ty = self.without_failures(ty);
                            let ty = self.of(&ty, &whole);
                            return Some(self.instantiate(&ty));
                        }
                        (Some(Field { presence: Presence::No, .. }) | None, Tail::Closed) => {}
                        _ => return None,
                    }
                    match &*self.table.head(&base) {
                        Ty::Live(v) => at = *v,
                        _ => return None,
                    }
                }
            }
        }
    }

    fn field_of_this(&mut self, frame: usize, name: &Name, whole: &TyRef, id: NodeId) -> Option<TyRef> {
        self.scopes.object(frame)?;
        self.first_read(frame, name);
        let member = self.scopes.member(frame, name).cloned();
        match member {
            Some(Member::Done(field)) => {
                self.is_read(frame, name);
                Some(self.read(&field, whole))
            }
            Some(Member::Declared(ty)) => Some(self.instantiate(&ty)),
            Some(Member::Pending(ty)) => ty,
            None => Some(self.self_field(frame, name, id)),
        }
    }
}

/// Returns the kind of a variable that replaces one of this kind where no object is given.
pub(in crate::infer) fn free(kind: VariableKind) -> VariableKind {
    if kind == VariableKind::This { VariableKind::Type } else { kind }
}
