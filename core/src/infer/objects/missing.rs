//! What the definitions of an object read of each other and nothing has (jsonnet): another object that this one is combined
//! with may bring it. Whether it is there is decided where nothing can be combined with the object any more: where a field
//! of it is read from outside.

use crate::infer::Infer;
use crate::infer::findings::{Finding, Found, Reported};
use crate::infer::unify::{Clash, ClashKind};
use crate::infer::why::Why;
use crate::problem::types::TypesKind;
use crate::term::{Node, NodeId};
use crate::text::{Name, Span};
use crate::ty::{Field, Give, Late, Need, Row, Sibling, Tail, Ty, TyRef, Want};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a path leads to.
enum Part {
    Found(TyRef),
    /// Nothing; what should have had the label.
    Missing(TyRef),
    /// Not known.
    Unknown,
}

/// What the definitions of objects read and nothing has.
#[derive(Default)]
pub(in crate::infer) struct Missing {
    /// By place, the finding that reports what is missing there for good.
    unmet: FxHashMap<Span, u32>,
    /// By place, the place of the expression of which a part is missing: if that is itself missing, only it is reported.
    follows: FxHashMap<Span, Span>,
}

impl Missing {
    /// The finding that reports what is missing at a place, if it is missing for good.
    pub fn finding(&self, at: Span) -> Option<u32> {
        self.unmet.get(&at).copied()
    }
}

impl Infer<'_> {
    /// The frame of the object that an expression is as a name: `self`, `$`, or a local that is nothing but that.
    pub(in crate::infer) fn object_of(&self, id: NodeId) -> Option<usize> {
        match *self.term.node(id) {
            Node::This { up } => self.scopes.at(up),
            Node::Local { up, slot } => self.scopes.variable(self.scopes.at(up)?, slot)?.object,
            _ => None,
        }
    }

    /// A slot of the frame at hand is bound to an expression, which may be an object's name.
    pub(in crate::infer) fn name_object(&mut self, slot: u32, body: NodeId) {
        let known = self.object_of(body);
        if let Some(variable) = self.scopes.variable_mut(slot) {
            variable.object = known;
        }
    }

    /// A label of what a sibling is, which the sibling's definition has not: whoever is combined with the object may bring
    /// it. `None` where it has it, or nothing is known of that.
    pub(in crate::infer) fn want(
        &mut self,
        sibling: &Sibling,
        inner: &TyRef,
        name: &Name,
        target: NodeId,
        at: Span,
    ) -> Option<TyRef> {
        if !self.rules().extends() {
            return None;
        }
        let (head, by) = self.table.head_with(inner);
        let certain = self.is_certain(by);
        let row = match &*head {
            Ty::Record(row) => self.open_row(row),
            Ty::Live(_) => Row::new(Tail::Live(self.fresh_tail(crate::ty::Kind::Row))),
            _ => return None,
        };
        let has = row.get(name).is_some_and(|f| f.give != Give::No);
        let (closed, open) = (matches!(row.tail(), Tail::Closed), matches!(row.tail(), Tail::Live(_)));
        if (has && closed) || !(closed || open) {
            return None;
        }
        let (frame, field, waits) = self.field_at(sibling.at)?;
        if open && !waits {
            return None;
        }
        let mut path = sibling.path.clone();
        path.push(name.clone());
        let known = self.scopes.object(frame)?.wants.iter().find(|(n, want)| *n == field && want.path == path);
        let known = known.map(|(_, want)| want.ty.clone());
        if has && known.is_none() {
            // it is there, or some other reader was told that it is
            return None;
        }
        let level = self.scopes.level(frame).unwrap_or(self.level);
        let ty = match (&known, open) {
            (Some(ty), _) => ty.clone(),
            (None, true) => self.field_type(inner, name, target, at),
            (None, false) => Ty::Live(self.table.fresh(crate::ty::Kind::Type, level)).into(),
        };
        let near = crate::infer::expression::near_in(&head, name);
        let record = self.mono(&head);
        let what = TypesKind::MissingField { name: name.clone(), record, near, why: Why::Part, wanted: None };
        self.report_only(at, what, Reported::IfForced, certain);
        self.objects.missing.follows.insert(at, self.term.span(target));
        if let Some(object) = self.scopes.object_mut(frame) {
            match object.wants.iter_mut().find(|(n, want)| *n == field && want.path == path) {
                Some((_, want)) => want.at.push(at),
                None => object.wants.push((field, Want { path: path.clone(), ty: ty.clone(), at: vec![at] })),
            }
        }
        Some(Ty::Sibling(Arc::new(Sibling { at: sibling.at, path }), ty).into())
    }

    /// A field with what readers of two layers' fields want of it; what is there by now is what they took it for.
    pub(in crate::infer) fn settle_wants(
        &mut self,
        field: &Field,
        layers: &[&Field],
        name: &Name,
        span: Span,
        met: &mut Vec<Span>,
    ) -> Field {
        let wants: Vec<Want> =
            layers.iter().filter_map(|f| f.late.as_ref()).flat_map(|l| l.wants.iter().cloned()).collect();
        if wants.is_empty() {
            return field.clone();
        }
        for want in &wants {
            let Part::Missing(_) = self.part_at(&field.ty, &want.path) else {
                if let Part::Found(found) = self.part_at(&field.ty, &want.path) {
                    let need = Field::given(want.ty.clone(), None);
                    self.same_type(&found, &need, want.path.last().unwrap_or(name), span);
                }
                met.extend(&want.at);
                continue;
            };
        }
        let late = field.late.as_deref().cloned().unwrap_or_default();
        Field { late: Some(Arc::new(Late { wants, ..late })), ..field.clone() }
    }

    fn part_at(&mut self, ty: &TyRef, path: &[Name]) -> Part {
        let mut at = ty.clone();
        for name in path {
            let at_here = self.no_error(&at);
            let at_here = self.instantiate(&at_here);
            let head = self.open_head(&at_here);
            let Ty::Record(row) = &*head else { return Part::Unknown };
            let row = self.open_row(row);
            at = match (row.get(name), row.tail()) {
                (Some(f), _) if f.give == Give::No => return Part::Unknown,
                (Some(f), _) => f.ty.clone(),
                (None, Tail::Closed) => return Part::Missing(head.clone()),
                (None, _) => return Part::Unknown,
            };
        }
        Part::Found(at)
    }

    /// A field of an object is read from outside: nothing can be combined with that object any more, so that what its
    /// definitions miss they go on missing. O(fields) for an object that reads what it has not, once.
    pub(in crate::infer) fn is_final(&mut self, ty: &TyRef, target: NodeId) {
        if !self.rules().extends() {
            return;
        }
        let mut at = ty.clone();
        let row = loop {
            at = match &*at {
                Ty::Sibling(..) => return,
                Ty::Fails(_, inner) => inner.clone(),
                Ty::Forall(scheme) => scheme.ty.clone(),
                Ty::Record(row) => break row.clone(),
                Ty::Live(_) => match self.table.head(&at) {
                    head if head.same(&at) => return,
                    head => head,
                },
                _ => return,
            }
        };
        let needs = row.marks().needs && !self.is_own(target);
        if needs && self.caches.reported.insert(&at, ()) {
            self.final_row(&row);
        }
    }

    /// As [`Infer::is_final`], of everything in a value.
    pub(in crate::infer) fn is_final_within(&mut self, ty: &TyRef) {
        let mut work = vec![ty.clone()];
        while let Some(t) = work.pop() {
            if !self.rules().extends() || !t.marks().needs {
                continue;
            }
            match &*t {
                Ty::Fails(_, inner) | Ty::Sibling(_, inner) => work.push(inner.clone()),
                Ty::Forall(scheme) => work.push(scheme.ty.clone()),
                Ty::Record(row) if self.caches.reported.insert(&t, ()) => {
                    work.extend(row.fields().filter(|(_, f)| f.give == Give::Yes).map(|(_, f)| f.ty.clone()));
                    self.final_row(row);
                }
                _ => {}
            }
        }
    }

    fn final_row(&mut self, row: &Row) {
        let row = self.open_row(row);
        if !matches!(row.tail(), Tail::Closed | Tail::Dict(_)) {
            return;
        }
        let dictionary = !matches!(row.tail(), Tail::Closed);
        for (name, field) in row.fields() {
            let Some(late) = field.late.as_deref() else { continue };
            if field.give == Give::No && field.need != Need::None && !dictionary {
                for at in &late.asked {
                    let below = field.need == Need::Super;
                    self.is_unmet(*at, TypesKind::Undefined { name: name.clone(), below });
                }
            }
            if field.give == Give::No {
                continue;
            }
            for want in &late.wants {
                let (Part::Missing(record), Some(label)) = (self.part_at(&field.ty, &want.path), want.path.last())
                else {
                    continue;
                };
                let near = crate::infer::expression::near_in(&record, label);
                for at in &want.at {
                    let record = self.mono(&record);
                    let (name, near) = (label.clone(), near.clone());
                    self.is_unmet(*at, TypesKind::MissingField { name, record, near, why: Why::Part, wanted: None });
                }
            }
        }
    }

    /// What the result and the objects that were read from outside go on missing rests on no definition any more.
    pub(in crate::infer) fn missed_for_good(&mut self, root: &TyRef) {
        if self.rules().extends() {
            self.is_final_root(root);
        }
        let unmet: Vec<u32> = self.objects.missing.unmet.values().copied().collect();
        for id in unmet {
            if let Some(f) = self.findings.get_mut(id) {
                f.assumes.clear();
            }
        }
    }

    /// The result itself may still be combined with others by who imports it: what nobody forces is not said of it.
    fn is_final_root(&mut self, root: &TyRef) {
        let mut work = vec![root.clone()];
        let mut seen = rustc_hash::FxHashSet::default();
        let mut held = Vec::new();
        while let Some(t) = work.pop() {
            if !t.marks().needs || !seen.insert(t.address()) {
                continue;
            }
            match &*t {
                Ty::Fails(_, inner) | Ty::Sibling(_, inner) => work.push(inner.clone()),
                Ty::Record(row) => {
                    let row = self.open_row(row);
                    work.extend(
                        row.fields().filter(|(_, f)| f.give == Give::Yes && !f.hidden).map(|(_, f)| f.ty.clone()),
                    );
                    for (_, field) in row.fields().filter(|(_, f)| f.give != Give::No) {
                        for want in field.late.iter().flat_map(|l| &l.wants) {
                            if let Part::Missing(_) = self.part_at(&field.ty, &want.path) {
                                self.rests_on_nothing(&want.at);
                            }
                        }
                    }
                }
                _ => {}
            }
            held.push(t);
        }
    }

    fn rests_on_nothing(&mut self, places: &[Span]) {
        for f in self.findings.iter_mut() {
            if let Found::Here(t) = &f.problem
                && matches!(t.what, TypesKind::MissingField { why: Why::Part, .. })
                && places.contains(&t.span)
            {
                f.assumes.clear();
            }
        }
    }

    /// Something is missed for good.
    fn is_unmet(&mut self, at: Span, what: TypesKind) {
        if self.objects.missing.unmet.contains_key(&at) {
            return;
        }
        let same = |f: &Finding| match &f.problem {
            Found::Here(t) => t.span == at && std::mem::discriminant(&t.what) == std::mem::discriminant(&what),
            Found::Import(_) => false,
        };
        let id = match self.findings.first(same) {
            Some(id) => {
                if let Some(f) = self.findings.get_mut(id) {
                    f.reported = Reported::Always;
                }
                id
            }
            None => match self.report_only(at, what, Reported::Always, false).id {
                Some(id) => id,
                None => return,
            },
        };
        self.objects.missing.unmet.insert(at, id);
    }

    /// Of a path whose first label is missed, the others are not missed as well.
    pub(in crate::infer) fn only_the_first(&mut self) {
        if self.objects.missing.follows.is_empty() {
            return;
        }
        let said = |f: &Finding| f.forced || f.reported == Reported::Always;
        let place = |f: &Finding| match &f.problem {
            Found::Here(t) if matches!(t.what, TypesKind::MissingField { .. } | TypesKind::Undefined { .. }) => {
                Some(t.span)
            }
            _ => None,
        };
        let missed: rustc_hash::FxHashSet<Span> = self.findings.iter().filter(|f| said(f)).filter_map(place).collect();
        for finding in self.findings.iter_mut() {
            let follows = place(finding).and_then(|at| self.objects.missing.follows.get(&at));
            if follows.is_some_and(|before| missed.contains(before)) {
                finding.forced = false;
                finding.reported = Reported::IfForced;
            }
        }
    }

    /// Whether an expression is a part of the object that it stands in, which may still be combined with others.
    fn is_own(&self, mut id: NodeId) -> bool {
        loop {
            if self.object_of(id).is_some() {
                return true;
            }
            id = match self.term.node(id) {
                Node::Project(target, _) => *target,
                Node::Index(pair) => pair[0],
                Node::Super { .. } => return true,
                _ => return false,
            };
        }
    }
}

/// Whether what does not fit a need is a label that it is read by: that is missed where it is read.
pub(in crate::infer) fn is_wanted(need: &Field, clash: &Clash) -> bool {
    let ClashKind::Missing { name, .. } = &clash.what else { return false };
    let path = || clash.path.iter().rev().chain([name]);
    need.late.iter().flat_map(|l| &l.wants).any(|want| want.path.iter().eq(path()))
}
