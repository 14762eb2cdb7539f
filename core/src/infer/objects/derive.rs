//! Extending an object that is not known yet (jsonnet). `self + { … }` in a method is more than the object that the method is
//! read of, whichever that will be: its base is a variable of [`Kind::This`], which each use replaces by the object it reads
//! the method of, so that a method is as large as it is written, however many others there are. What is added waits as a
//! [`Constraint::Inherit`] until the base is there; what is asked of such a sum before is asked of its parts.

use crate::infer::Infer;
use crate::infer::scopes::Member;
use crate::infer::table::Vid;
use crate::infer::why::{Because, Why};
use crate::term::{Node, NodeId, Prim};
use crate::text::{Name, Span};
use crate::ty::{Constraint, DynReason, Field, Give, Kind, Live, Tail, Ty, TyRef};
use rustc_hash::FxHashMap;

/// How far a use may unfold methods that extend what they are read of by themselves.
const UNFOLDED: u32 = 16;
/// How many such uses one inference unfolds beyond the first few.
const UNFOLDINGS: u32 = 4096;

/// What stands behind a variable that is no object yet.
#[derive(Clone)]
pub(in crate::infer) enum Derived {
    /// The object of a frame.
    This(usize),
    /// What some object will say that the one at hand is combined with, or a part of that.
    Needed,
    /// A sum.
    Sum { base: TyRef, extension: TyRef },
}

/// Sums whose operands are not known, and the uses of methods that wait for their arguments.
#[derive(Default)]
pub(in crate::infer) struct Sums {
    /// What each variable that stands for an object not yet known comes from.
    derived: FxHashMap<Vid, Derived>,
    /// The deferred constraints of uses of methods, by index.
    waiting: Vec<usize>,
    /// Those before this one belong to calls further out, and are not tried now.
    floor: usize,
    /// The number of uses of methods that led to the constraint being tried.
    unfolded: u32,
    /// The number of uses unfolded so far.
    unfoldings: u32,
}

impl Infer<'_> {
    /// The final object of a frame, as what the group of definitions at hand extends.
    pub(in crate::infer) fn me(&mut self, at: usize) -> TyRef {
        if self.scopes.object(at).is_none() {
            return self.fresh();
        }
        let level = self.scopes.level(at).unwrap_or(self.level) + 1;
        let fresh = self.table.fresh(Kind::This, level);
        let Some(object) = self.scopes.object_mut(at) else { return Ty::Live(fresh).into() };
        let me = *object.me.get_or_insert(fresh);
        if me == fresh {
            self.objects.sums.derived.insert(Vid(me.id), Derived::This(at));
        }
        Ty::Live(me).into()
    }

    /// A group of definitions is done: its `self` is what each use says.
    pub(in crate::infer) fn forget_me(&mut self) {
        let me = self.scopes.innermost_object().and_then(|object| object.me.take());
        if let Some(me) = me {
            self.objects.sums.derived.remove(&Vid(me.id));
        }
    }

    /// An operand of `+`: of `self` all that the final object has.
    pub(in crate::infer) fn operand(&mut self, id: NodeId) -> TyRef {
        let Node::This { up } = *self.term.node(id) else { return self.expr(id) };
        let Some(at) = self.scopes.at(up) else { return self.fresh() };
        if self.kept.nodes.is_some() {
            let shown = self.this(up, self.term.span(id));
            self.note(id, &shown);
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

    /// Whether a type is an object that is not known yet, by way of `self`.
    pub(in crate::infer) fn is_derived(&mut self, ty: &Ty) -> bool {
        matches!(ty, Ty::Live(v) if self.derived(*v).is_some())
    }

    /// A sum whose base is not known yet.
    pub(in crate::infer) fn derive(&mut self, base: &TyRef, extension: &TyRef, span: Span) -> TyRef {
        let v = self.table.fresh(Kind::Type, self.level);
        let result: TyRef = Ty::Live(v).into();
        let (base, extension) = (base.clone(), extension.clone());
        self.constrain(Constraint::Inherit { base, extension, result: result.clone(), span });
        result
    }

    /// Has a sum of a use of a method wait until the use has its arguments.
    pub(in crate::infer) fn constrain_later(&mut self, constraint: Constraint) {
        let index = self.deferred.add(constraint, self.objects.sums.unfolded);
        self.objects.sums.waiting.push(index);
    }

    /// A call begins: the method that is called waits for it to end. Gives what [`Infer::release`] takes.
    pub(in crate::infer) fn hold(&mut self) -> usize {
        let floor = self.objects.sums.waiting.len();
        std::mem::replace(&mut self.objects.sums.floor, floor)
    }

    /// What is called is known; its arguments come.
    pub(in crate::infer) fn held(&mut self) {
        self.objects.sums.floor = self.objects.sums.waiting.len();
    }

    /// A call is done.
    pub(in crate::infer) fn release(&mut self, floor: usize) {
        self.objects.sums.floor = floor;
        self.settle_later();
    }

    /// Looks at what waited. Gives whether there was any.
    pub(in crate::infer) fn settle_later(&mut self) -> bool {
        let mut any = false;
        while self.objects.sums.waiting.len() > self.objects.sums.floor {
            let Some(next) = self.next_later() else { break };
            any = true;
            self.try_deferred(next);
        }
        if any {
            self.solve();
        }
        any
    }

    /// What waited and is known by now, else what came last.
    fn next_later(&mut self) -> Option<usize> {
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

    /// Looks at a sum whose base may be known by now.
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

    /// A type that objects below will say.
    pub(in crate::infer) fn needed(&mut self, ty: &TyRef) {
        if let Ty::Live(v) = &*self.table.head(ty) {
            let root = self.table.root(*v);
            self.objects.sums.derived.entry(root).or_insert(Derived::Needed);
        }
    }

    /// A part of what is needed is needed.
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

    /// Looks at what has something to look at. Gives whether there was any.
    pub(in crate::infer) fn learn(&mut self) -> bool {
        let woken = self.table.is_woken() && !self.deferred.is_solving();
        if woken {
            self.solve();
        }
        self.settle_later() || woken
    }

    /// What either of two branches gives, of which one is not known yet.
    pub(in crate::infer) fn join_later(&mut self, left: &TyRef, right: &TyRef, span: Span) -> TyRef {
        let result = self.fresh();
        self.needed(&result);
        let (left, right) = (left.clone(), right.clone());
        self.constrain(Constraint::Join { left, right, result: result.clone(), span });
        result
    }

    /// Looks at branches that may be known by now.
    pub(in crate::infer) fn try_join(&mut self, index: usize, left: &TyRef, right: &TyRef, result: &TyRef, span: Span) {
        for side in [left, right] {
            if let Ty::Live(v) = &*self.table.head(side) {
                return self.table.watch(*v, index as u32);
            }
        }
        self.deferred.finish(index);
        let because = Because::new(span, Why::Branch).unsure();
        let joined = self.join_quietly(left, right, &because);
        self.settle_sum(&joined, result, span, false);
    }

    /// A sum that waited is known; `certain`: by what is there whenever it is.
    pub(in crate::infer) fn settle_sum(&mut self, ty: &TyRef, result: &TyRef, span: Span, certain: bool) {
        let because = Because::new(span, Why::Operand(Prim::Plus)).sure_if(certain);
        let unified = match &*self.table.head(result) {
            // its methods stay polymorphic: nobody has asked anything of them yet
            Ty::Live(v) => self.bind_whole(*v, ty, &because),
            _ => {
                let clean = self.without_failures(ty);
                self.unify(&clean, result, &because)
            }
        };
        self.settle_clash(unified, &because);
    }

    /// A field's type in the object that it is read of.
    pub(in crate::infer) fn of(&mut self, ty: &TyRef, whole: &TyRef) -> TyRef {
        match &**ty {
            Ty::Forall(scheme) if scheme.vars.contains(&Kind::This) => {
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

    /// A field of an object that is not known yet, where what is known of it says what the field is.
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
                        (Some(Field { give: Give::Yes, late, ty, .. }), _)
                            if !late.as_ref().is_some_and(|l| l.plus) =>
                        {
                            let ty = self.without_failures(ty);
                            let ty = self.of(&ty, &whole);
                            return Some(self.instantiate(&ty));
                        }
                        (Some(Field { give: Give::No, .. }) | None, Tail::Closed) => {}
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

/// The kind of a variable that stands for no definition's own object.
pub(in crate::infer) fn free(kind: Kind) -> Kind {
    if kind == Kind::This { Kind::Type } else { kind }
}
