//! Extending an object that is not known yet (jsonnet). `self + { … }` in a method is more than the object that the method is
//! read of, whichever that will be: its base is a variable of [`Kind::This`], which each use replaces by the object it reads
//! the method of, so that a method is as large as it is written, however many others there are. What is added waits as a
//! [`Constraint::Inherit`] until the base is there; what is asked of such a sum before is asked of its parts.

use crate::infer::generalise::Pending;
use crate::infer::table::Vid;
use crate::infer::why::{Because, Why};
use crate::infer::{Frame, Infer, Member};
use crate::term::{Node, NodeId, Prim};
use crate::text::{Name, Span};
use crate::ty::{Constraint, DynReason, Field, Give, Kind, Live, Tail, Ty, TyRef};

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

/// Uses of methods that wait for their arguments.
#[derive(Default)]
pub(in crate::infer) struct Later {
    waiting: Vec<usize>,
    /// Those from here on are looked at next; the others are of calls around.
    floor: usize,
    /// How many uses led to the one that is looked at.
    unfolded: u32,
    unfoldings: u32,
}

impl Infer<'_> {
    /// The final object of a frame, as what the group of definitions at hand extends.
    pub(in crate::infer) fn me(&mut self, at: usize) -> TyRef {
        let level = match self.frames.get(at) {
            Some(Frame::Record { level, object: Some(_), .. }) => *level + 1,
            _ => return self.fresh(),
        };
        let fresh = self.table.fresh(Kind::This, level);
        match self.frames.get_mut(at) {
            Some(Frame::Record { object: Some(object), .. }) => {
                let me = *object.me.get_or_insert(fresh);
                if me == fresh {
                    self.derived.insert(Vid(me.id), Derived::This(at));
                }
                Ty::Live(me).into()
            }
            _ => Ty::Live(fresh).into(),
        }
    }

    /// A group of definitions is done: its `self` is what each use says.
    pub(in crate::infer) fn forget_me(&mut self) {
        let me = match self.frames.last_mut() {
            Some(Frame::Record { object: Some(object), .. }) => object.me.take(),
            _ => None,
        };
        if let Some(me) = me {
            self.derived.remove(&Vid(me.id));
        }
    }

    /// An operand of `+`: of `self` all that the final object has.
    pub(in crate::infer) fn operand(&mut self, id: NodeId) -> TyRef {
        let Node::This { up } = *self.term.node(id) else { return self.expr(id) };
        let Some(at) = self.frame_at(up) else { return self.fresh() };
        if self.nodes.is_some() {
            let shown = self.this(up, self.term.span(id));
            self.note(id, &shown);
        }
        self.me(at)
    }

    fn derived(&mut self, v: Live) -> Option<&Derived> {
        if self.derived.is_empty() {
            return None;
        }
        let root = self.table.root(v);
        self.derived.get(&root).or_else(|| self.derived.get(&Vid(v.id)))
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
        self.pending.push(Pending { constraint, done: false, tries: self.later.unfolded });
        self.later.waiting.push(self.pending.len() - 1);
    }

    /// A call begins: the method that is called waits for it to end. Gives what [`Infer::release`] takes.
    pub(in crate::infer) fn hold(&mut self) -> usize {
        let floor = self.later.waiting.len();
        std::mem::replace(&mut self.later.floor, floor)
    }

    /// What is called is known; its arguments come.
    pub(in crate::infer) fn held(&mut self) {
        self.later.floor = self.later.waiting.len();
    }

    /// A call is done.
    pub(in crate::infer) fn release(&mut self, floor: usize) {
        self.later.floor = floor;
        self.settle_later();
    }

    /// Looks at what waited. Gives whether there was any.
    pub(in crate::infer) fn settle_later(&mut self) -> bool {
        let mut any = false;
        while self.later.waiting.len() > self.later.floor {
            let Some(next) = self.next_later() else { break };
            any = true;
            self.try_pending(next);
        }
        if any {
            self.solve();
        }
        any
    }

    /// What waited and is known by now, else what came last.
    fn next_later(&mut self) -> Option<usize> {
        let from = self.later.waiting.len().saturating_sub(64).max(self.later.floor);
        let ready = (from..self.later.waiting.len()).rev().find(|i| {
            let constraint =
                self.later.waiting.get(*i).and_then(|i| self.pending.get(*i)).map(|p| p.constraint.clone());
            constraint.is_some_and(|c| {
                let [left, right, _] = c.parts().map(|t| self.table.head(t));
                !matches!(&*left, Ty::Live(_)) && !matches!(&*right, Ty::Live(_))
            })
        });
        match ready {
            Some(i) => Some(self.later.waiting.remove(i)),
            None => self.later.waiting.pop(),
        }
    }

    /// Looks at a sum whose base may be known by now.
    pub(in crate::infer) fn try_inherit(&mut self, index: usize) {
        let Some(Pending {
            constraint: Constraint::Inherit { base, extension, result, span }, tries: unfolded, ..
        }) = self.pending.get(index).cloned()
        else {
            return;
        };
        let head = self.table.head(&base);
        let above = self.table.head(&extension);
        if let Ty::Live(v) = &*head {
            if self.derived(*v).is_some()
                && let Ty::Live(sum) = &*self.table.head(&result)
            {
                let root = self.table.root(*sum);
                self.derived.entry(root).or_insert(Derived::Sum { base, extension });
            }
            return self.table.watch(*v, index as u32);
        }
        if let Ty::Live(v) = &*above {
            return self.table.watch(*v, index as u32);
        }
        self.later.unfoldings += u32::from(unfolded > 2);
        let sum = if unfolded > UNFOLDED || self.later.unfoldings > UNFOLDINGS {
            Some(Ty::Dyn(DynReason::Cycle(span)).into())
        } else {
            let before = std::mem::replace(&mut self.later.unfolded, unfolded + 1);
            let sum = self.plus_known(&base, &extension, span, None);
            self.later.unfolded = before;
            sum
        };
        if let Some(ty) = sum {
            if let Some(p) = self.pending.get_mut(index) {
                p.done = true;
            }
            let before = std::mem::replace(&mut self.later.unfolded, unfolded + 1);
            let certain = unfolded == 0 && self.head_certain(&base) && self.head_certain(&extension);
            self.settle_sum(&ty, &result, span, certain);
            self.later.unfolded = before;
        }
    }

    /// A type that objects below will say.
    pub(in crate::infer) fn needed(&mut self, ty: &TyRef) {
        if let Ty::Live(v) = &*self.table.head(ty) {
            let root = self.table.root(*v);
            self.derived.entry(root).or_insert(Derived::Needed);
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
            self.derived.entry(root).or_insert(Derived::Needed);
        }
    }

    /// Looks at what has something to look at. Gives whether there was any.
    pub(in crate::infer) fn learn(&mut self) -> bool {
        let woken = self.table.is_woken() && !self.solving;
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
        if let Some(p) = self.pending.get_mut(index) {
            p.done = true;
        }
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
        let member = match self.frames.get(frame)? {
            Frame::Record { members, object: Some(_), .. } => members.get(name).cloned(),
            _ => return None,
        };
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
