//! Fields, and parts of fields, that an object's definitions read but that no definition has. Another object that this one is combined
//! with may supply them. They are missing for good once a field of the object is read from outside, since the object then counts as
//! complete.

use crate::infer::Infer;
use crate::infer::findings::{Finding, Found, Reported};
use crate::infer::unify::{Clash, ClashKind};
use crate::infer::why::Why;
use crate::problem::types::TypesKind;
use crate::term::{Node, NodeId};
use crate::text::{Name, Span};
use crate::ty::{Failure, Field, Inheritance, MissingPart, Need, Presence, Row, Sibling, Tail, Ty, TyRef, UsedPart};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Maximum number of reads of the parts of one field that are remembered.
const USED_PARTS: usize = 256;

/// The result of following a path.
enum Part {
    /// The part.
    Found(TyRef),
    /// The record that lacks a label of the path.
    Missing(TyRef),
    /// Not known.
    Unknown,
}

/// A part that definitions read and that an override dropped.
pub(super) struct DroppedPart {
    part: UsedPart,
    /// The record that lacks it.
    record: TyRef,
    /// Similar names of fields that only the override has, nearest first.
    near: Vec<Name>,
}

/// The missing parts that were reported.
#[derive(Default)]
pub(in crate::infer) struct Missing {
    /// The findings about fields that no later object can supply, by the place of the read.
    unmet: FxHashMap<Span, u32>,
    /// By place of a missing part, the place of the expression that lacks it. If that is missing itself, only it is reported.
    follows: FxHashMap<Span, Span>,
}

impl Missing {
    /// The finding about a missing field at a place, if no later object can supply the field.
    pub fn finding(&self, at: Span) -> Option<u32> {
        self.unmet.get(&at).copied()
    }
}

impl Infer<'_> {
    /// Returns the frame of the object that an expression names: `self`, `$`, or a local that is an alias of it.
    pub(in crate::infer) fn object_of(&self, id: NodeId) -> Option<usize> {
        match *self.term.node(id) {
            Node::This { up } => self.scopes.at(up),
            Node::Local { up, slot } => self.scopes.variable(self.scopes.at(up)?, slot)?.object,
            _ => None,
        }
    }

    /// Records the object, if any, that a variable of the innermost frame names.
    pub(in crate::infer) fn name_object(&mut self, slot: u32, body: NodeId) {
        let known = self.object_of(body);
        if let Some(variable) = self.scopes.variable_mut(slot) {
            variable.object = known;
        }
    }

    /// Returns the type of a part of a sibling that the definition of the sibling lacks; another object may supply it. `None` if the
    /// sibling has the part, or it is not known whether it does.
    pub(in crate::infer) fn missing_part(
        &mut self,
        sibling: &Sibling,
        inner: &TyRef,
        name: &Name,
        target: NodeId,
        at: Span,
    ) -> Option<TyRef> {
        self.missing_part_of(sibling, (inner, true), name, target, at)
    }

    /// Like [`Infer::missing_part`], for a sibling that is certain to be an object or, with `false`, that may have another type.
    pub(super) fn missing_part_of(
        &mut self,
        sibling: &Sibling,
        (inner, is_object): (&TyRef, bool),
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
            Ty::Live(_) => Row::new(Tail::Live(self.fresh_tail(crate::ty::VariableKind::Row))),
            _ => return None,
        };
        let has = row.get(name).is_some_and(|f| f.presence != Presence::No);
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
        let known = self.scopes.object(frame)?.missing_parts.iter().find(|(n, part)| *n == field && part.path == path);
        let known = known.map(|(_, part)| part.ty.clone());
        if has && known.is_none() {
            // the sibling has the part, or an earlier read has added it
            return None;
        }
        let level = self.scopes.level(frame).unwrap_or(self.level);
        let ty = match (&known, open) {
            (Some(ty), _) => ty.clone(),
            (None, true) if is_object => self.field_type(inner, name, target, at),
            (None, _) => Ty::Live(self.table.fresh(crate::ty::VariableKind::Type, level)).into(),
        };
        let near = crate::infer::access::near_in(&head, name);
        let record = self.mono(&head);
        let what =
            TypesKind::MissingField { name: name.clone(), record, near, why: Why::Part, wanted: None, hidden: None };
        self.report_only(at, what, Reported::IfForced, certain);
        let whole = self.term.span(target);
        if whole != at {
            self.objects.missing.follows.insert(at, whole);
        }
        if let Some(object) = self.scopes.object_mut(frame) {
            match object.missing_parts.iter_mut().find(|(n, part)| *n == field && part.path == path) {
                Some((_, part)) => part.at.push(at),
                None => {
                    object.missing_parts.push((field, MissingPart { path: path.clone(), ty: ty.clone(), at: vec![at] }))
                }
            }
        }
        Some(Ty::Sibling(Arc::new(Sibling { at: sibling.at, path, joined: false }), ty).into())
    }

    /// Returns a combined field with the missing parts of both sides. The parts that it has now are unified with the types that
    /// readers assumed; their readers are added to `supplied`.
    pub(super) fn settle_missing_parts(
        &mut self,
        field: &Field,
        layers: &[&Field],
        name: &Name,
        span: Span,
        supplied: &mut Vec<Span>,
    ) -> Field {
        let missing_parts: Vec<MissingPart> = layers
            .iter()
            .filter_map(|f| f.inheritance.as_ref())
            .flat_map(|l| l.missing_parts.iter().cloned())
            .collect();
        if missing_parts.is_empty() {
            return field.clone();
        }
        for part in &missing_parts {
            let Part::Missing(_) = self.part_at(&field.ty, &part.path) else {
                if let Part::Found(found) = self.part_at(&field.ty, &part.path) {
                    let need = Field::given(part.ty.clone(), None);
                    self.same_type(&found, &need, part.path.last().unwrap_or(name), span);
                }
                supplied.extend(&part.at);
                continue;
            };
        }
        let inheritance = field.inheritance.as_deref().cloned().unwrap_or_default();
        Field { inheritance: Some(Arc::new(Inheritance { missing_parts, ..inheritance })), ..field.clone() }
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
                (Some(f), _) if f.presence == Presence::No => return Part::Unknown,
                (Some(f), _) => f.ty.clone(),
                (None, Tail::Closed) => return Part::Missing(head.clone()),
                (None, _) => return Part::Unknown,
            };
        }
        Part::Found(at)
    }

    /// Records that the current unit reads a part of a sibling. An object above may drop the part.
    pub(in crate::infer) fn uses_part(&mut self, sibling: Span, path: &[Name], at: Span) {
        if !self.rules().extends() || self.rules().converts() || self.objects.tolerant > 0 {
            return;
        }
        let readers = self.units.fields_around(self.units.current());
        if readers.is_empty() {
            return;
        }
        let parts = self.objects.used_parts.entry(sibling).or_default();
        let known = |part: &UsedPart| part.path == path && part.readers.first() == readers.first();
        if parts.len() < USED_PARTS && !parts.iter().rev().take(16).any(known) {
            parts.push(UsedPart { path: path.to_vec(), at, readers });
        }
    }

    /// Adds to each field of a complete object the parts of it that definitions read.
    pub(super) fn settle_used_parts(&mut self, row: &mut Row) {
        if self.objects.used_parts.is_empty() {
            return;
        }
        let mut used = Vec::new();
        for (name, field) in row.fields().filter(|(_, f)| f.presence != Presence::No) {
            if let Some(parts) = field.at.and_then(|at| self.objects.used_parts.remove(&at)) {
                used.push((name.clone(), field.clone(), parts));
            }
        }
        for (name, field, mut parts) in used {
            let mut inheritance = field.inheritance.as_deref().cloned().unwrap_or_default();
            parts.splice(0..0, inheritance.used_parts.iter().cloned());
            inheritance.used_parts = Arc::new(parts);
            row.insert(name, Field { inheritance: Some(Arc::new(inheritance)), ..field });
        }
    }

    /// Like [`Infer::settle_used_parts`], for fields of the object below. A field that the complete object lacks is added as a need.
    pub(super) fn settle_below_parts(&mut self, row: &mut Row, reads: FxHashMap<Span, Name>) {
        for (at, name) in reads {
            let Some(parts) = self.objects.used_parts.remove(&at) else { continue };
            let mut field = match row.get(&name) {
                Some(field) => field.clone(),
                None => Field { presence: Presence::No, need: Need::Own, ..Field::given(self.fresh(), Some(at)) },
            };
            let mut inheritance = field.inheritance.as_deref().cloned().unwrap_or_default();
            inheritance.used_parts = Arc::new(inheritance.used_parts.iter().cloned().chain(parts).collect());
            field.inheritance = Some(Arc::new(inheritance));
            row.insert(name, field);
        }
    }

    /// Returns the parts of a field that definitions below read and that its new definition lacks, each with the record that lacks it.
    pub(super) fn dropped_parts(&mut self, used: &[UsedPart], was: &TyRef, now: &TyRef) -> Vec<DroppedPart> {
        let mut dropped = Vec::new();
        if used.is_empty() {
            return dropped;
        }
        let now = self.without_failures(now);
        for part in used {
            if let Part::Missing(record) = self.part_at(&now, &part.path)
                && let Part::Found(_) = self.part_at(was, &part.path)
                && let Some((name, parents)) = part.path.split_last()
            {
                let mut near = crate::infer::access::near_in(&record, name);
                // a field that the earlier definition had too is not a misspelling of the dropped one
                if let Part::Found(earlier) = self.part_at(was, parents)
                    && let Ty::Record(earlier) = &*self.open_head(&self.without_outer_failures(&earlier))
                {
                    near.retain(|name| earlier.get(name).is_none());
                }
                dropped.push(DroppedPart { part: part.clone(), record, near });
            }
        }
        dropped
    }

    /// Reports dropped parts, and adds the faults of reading them to the definitions that read them.
    pub(super) fn with_dropped(&mut self, row: Row, dropped: Vec<DroppedPart>) -> Row {
        let mut out = row;
        for DroppedPart { part, record, near } in dropped {
            let reader = out.fields().find(|(_, f)| f.at.is_some_and(|at| part.readers.contains(&at)));
            let Some((label, field)) = reader.map(|(name, field)| (name.clone(), field.clone())) else { continue };
            let Some(name) = part.path.last().cloned() else { continue };
            let record = self.mono(&record);
            let what = TypesKind::MissingField { name, record, near, why: Why::Part, wanted: None, hidden: None };
            let fault = self.report_only(part.at, what, Reported::Always, false);
            let ty = Ty::Fails(Failure { deep: true, ..fault }, field.ty.clone()).into();
            out.insert(label, Field { ty, ..field });
        }
        out
    }

    /// Returns the fault of an expression whose branches all fail, one fault for each branch. If another object may supply what one
    /// branch misses, the expression fails only as long as that is missing; `None` if several branches can be saved in this way.
    pub(in crate::infer) fn fault_of_all(&mut self, faults: &[Failure]) -> Option<Failure> {
        let mut saved: Option<Failure> = None;
        for fault in faults {
            let supplied_later = match fault.id.and_then(|id| self.findings.get_mut(id)).map(|f| &f.problem) {
                Some(Found::Here(t)) => {
                    matches!(t.what, TypesKind::Undefined { .. } | TypesKind::MissingField { why: Why::Part, .. })
                }
                // the fault of another file
                Some(Found::Import(_)) | None => true,
            };
            match saved {
                _ if !supplied_later => {}
                Some(before) if before.span != fault.span => return None,
                Some(_) => {}
                None => saved = Some(*fault),
            }
        }
        saved.or_else(|| faults.iter().find(|f| f.deep).or(faults.first()).copied())
    }

    /// Records that a field of an object is read from outside. The object then counts as complete: reports the
    /// fields that its definitions miss. O(fields), once for each object that misses any.
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

    /// Like [`Infer::is_final`], for all objects in a value.
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
                    work.extend(row.fields().filter(|(_, f)| f.presence == Presence::Yes).map(|(_, f)| f.ty.clone()));
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
        self.report_missing_in_parts(&row, Reported::Always);
        let dictionary = !matches!(row.tail(), Tail::Closed);
        for (name, field) in row.fields() {
            let Some(inheritance) = field.inheritance.as_deref() else { continue };
            if field.presence == Presence::No && field.need != Need::None && !dictionary {
                for at in &inheritance.readers {
                    let below = field.need == Need::Super;
                    self.report_unmet(
                        *at,
                        TypesKind::Undefined { name: name.clone(), below, near: near_fields(&row, name, *at) },
                    );
                }
            }
            if field.presence == Presence::No {
                continue;
            }
            for part in &inheritance.missing_parts {
                let (Part::Missing(record), Some(label)) = (self.part_at(&field.ty, &part.path), part.path.last())
                else {
                    continue;
                };
                let near = crate::infer::access::near_in(&record, label);
                for at in &part.at {
                    let record = self.mono(&record);
                    let (name, near) = (label.clone(), near.clone());
                    self.report_unmet(
                        *at,
                        TypesKind::MissingField { name, record, near, why: Why::Part, wanted: None, hidden: None },
                    );
                }
            }
        }
    }

    /// Makes the findings about fields that are missing for good independent of definitions, so that no merge can outdate them.
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

    /// Like [`Infer::missed_for_good`], for the result. An importer may combine it with others, so only its visible fields count.
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
                    // an importer may combine the object with one that has the field
                    if !self.rules().converts() {
                        self.report_missing_in_parts(&row, Reported::IfReached);
                    }
                    work.extend(
                        row.fields()
                            .filter(|(_, f)| f.presence == Presence::Yes && !f.hidden)
                            .map(|(_, f)| f.ty.clone()),
                    );
                    for (_, field) in row.fields().filter(|(_, f)| f.presence != Presence::No) {
                        for part in field.inheritance.iter().flat_map(|l| &l.missing_parts) {
                            if let Part::Missing(_) = self.part_at(&field.ty, &part.path) {
                                self.rests_on_nothing(&part.at);
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

    /// Reports something that no later object can supply, or promotes the finding that reports it already.
    pub(super) fn report_unmet(&mut self, at: Span, what: TypesKind) {
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
                    if let (Found::Here(t), TypesKind::Undefined { near: new, .. }) = (&mut f.problem, &what)
                        && let TypesKind::Undefined { near, .. } = &mut t.what
                        && near.is_empty()
                    {
                        near.clone_from(new);
                    }
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

    /// Drops the findings about parts of a value that is missing itself.
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

    /// Whether an expression is a part of an enclosing object, which may still be combined with others.
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

/// Whether a clash is about a missing part that was already noted.
pub(super) fn is_missing_part(need: &Field, clash: &Clash) -> bool {
    let ClashKind::Missing { name, .. } = &clash.what else { return false };
    let path = || clash.path.iter().rev().chain([name]);
    need.inheritance.iter().flat_map(|l| &l.missing_parts).any(|part| part.path.iter().eq(path()))
}

/// Returns the parts of a field that definitions of two objects read.
pub(super) fn used_by_both(f: &Field, g: &Field) -> Arc<Vec<UsedPart>> {
    let used = |f: &Field| f.inheritance.as_ref().map(|l| l.used_parts.clone()).unwrap_or_default();
    let (a, b) = (used(f), used(g));
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b,
        (_, true) => a,
        _ => Arc::new(a.iter().chain(b.iter()).cloned().collect()),
    }
}

/// Returns a field with the parts that definitions of another object read.
pub(super) fn with_used_parts(field: &Field, other: &Field) -> Field {
    if other.inheritance.as_ref().is_none_or(|l| l.used_parts.is_empty()) {
        return field.clone();
    }
    let inheritance = field.inheritance.as_deref().cloned().unwrap_or_default();
    let used_parts = used_by_both(field, other);
    Field { inheritance: Some(Arc::new(Inheritance { used_parts, ..inheritance })), ..field.clone() }
}

/// Maximum number of fields that are compared with a missing one.
const MOST_COMPARED: usize = 300;

/// Returns the names of the fields of an object that are similar to a name, nearest first; none in a very large object. The scalar
/// definition that reads the name at `reader` cannot mean itself.
pub(super) fn near_fields(row: &Row, name: &Name, reader: Span) -> Vec<Name> {
    if row.len() > MOST_COMPARED {
        return Vec::new();
    }
    let is_around = |at: Span| at.source == reader.source && at.start <= reader.start && reader.end <= at.end;
    let is_scalar = |ty: &Ty| matches!(ty, Ty::Null | Ty::Bool | Ty::Number | Ty::String);
    let is_itself = |field: &Field| field.at.is_some_and(is_around) && is_scalar(without_marks(&field.ty));
    let defined = row.fields().filter(|(_, field)| field.presence != Presence::No && !is_itself(field));
    crate::text::near(name, defined.map(|(name, _)| name.as_str()))
}

/// Returns a type without the marks of failures and siblings at its head.
fn without_marks(mut ty: &Ty) -> &Ty {
    while let Ty::Fails(_, inner) | Ty::Sibling(_, inner) = ty {
        ty = inner;
    }
    ty
}
