//! Parts of an object that its definitions read where they are, as in `{ o:: { a: self.b }, x: self.o.a }`. As soon as the object is
//! complete, so is `o` for the reader `x`: what the definition of `a` misses is missing for good.

use crate::infer::Infer;
use crate::infer::findings::{Finding, Reported};
use crate::infer::objects::missing::is_missing_part;
use crate::infer::report::near;
use crate::infer::unify::ClashKind;
use crate::infer::why::{UnifyReason, Why};
use crate::problem::types::TypesKind;
use crate::text::{Name, Span};
use crate::ty::{DynReason, Field, MissingPart, Need, Presence, Row, Tail, Ty, TyRef};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Maximum number of fields of an object whose type a suspected problem keeps.
const SHOWN: usize = 64;

impl Infer<'_> {
    /// Reports what the parts of a complete object miss that its definitions read. O(parts that are read).
    pub(super) fn parts_are_final(&mut self, row: &Row) {
        let mut seen: FxHashSet<(Name, Vec<Name>)> = FxHashSet::default();
        for (name, field) in row.fields().filter(|(_, field)| field.presence != Presence::No) {
            let Some(inheritance) = field.inheritance.as_deref() else { continue };
            let missing = inheritance.missing_parts.iter().map(|part| &part.path);
            let paths = inheritance.used_parts.iter().map(|part| &part.path).chain(missing);
            for path in paths.filter(|path| !path.is_empty()) {
                if seen.insert((name.clone(), path.clone())) {
                    self.part_is_final(&field.ty, path);
                }
            }
        }
    }

    /// Reports what the definitions along a path miss.
    fn part_is_final(&mut self, ty: &TyRef, path: &[Name]) {
        let mut at = ty.clone();
        for name in path {
            let inner = self.no_error(&at);
            let inner = self.instantiate(&inner);
            let head = self.open_head(&self.sound(&inner));
            let Ty::Record(row) = &*head else { return };
            let row = self.open_row(row);
            let Some(field) = row.get(name).filter(|field| field.presence == Presence::Yes).cloned() else { return };
            if let (Some(definition), Tail::Closed) = (field.at, row.tail()) {
                self.needs_within(&row, definition);
            }
            at = field.ty;
        }
    }

    /// As [`Infer::same_type`], for a definition. If the definition extends a field that is not known (`+:`), another object may
    /// supply what it lacks: the result is the need with the part that is missing so far.
    pub(super) fn same_type_so_far(&mut self, definition: &Field, need: &Field, name: &Name, span: Span) -> Field {
        if definition.inheritance.as_ref().is_none_or(|inheritance| !inheritance.plus) {
            self.same_type(&definition.ty, need, name, span);
            return need.clone();
        }
        let found = self.without_failures(&definition.ty);
        let found = self.instantiate(&found);
        let found = self.no_error(&found);
        let because = UnifyReason::new(span, Why::Sibling(name.clone())).unsure();
        let Err(clash) = self.unify(&found, &need.ty, &because) else {
            self.solve();
            return need.clone();
        };
        let ClashKind::Missing { name: label, .. } = &clash.what else {
            let unified = if self.may_fit(&clash) { Ok(()) } else { Err(clash) };
            self.settle_clash(unified, &because);
            self.solve();
            return need.clone();
        };
        let path: Vec<Name> = clash.path.iter().rev().chain([label]).cloned().collect();
        let mut inheritance = need.inheritance.as_deref().cloned().unwrap_or_default();
        let at = inheritance.readers.clone();
        if !is_missing_part(need, &clash) && !at.is_empty() {
            inheritance.missing_parts.push(MissingPart { path, ty: self.fresh(), at });
        }
        self.solve();
        Field { inheritance: Some(Arc::new(inheritance)), ..need.clone() }
    }

    /// Reports the fields that a definition reads and that nothing supplies.
    fn needs_within(&mut self, row: &Row, definition: Span) {
        let within =
            |at: &Span| at.source == definition.source && definition.start <= at.start && at.end <= definition.end;
        let mut unmet: Vec<(Span, TypesKind)> = Vec::new();
        for (name, need) in row.fields().filter(|(_, f)| f.presence == Presence::No && f.need != Need::None) {
            let readers = need.inheritance.iter().flat_map(|inheritance| &inheritance.readers);
            let below = need.need == Need::Super;
            unmet.extend(
                readers.filter(|at| within(at)).map(|at| (*at, TypesKind::Undefined { name: name.clone(), below })),
            );
        }
        for (at, what) in unmet {
            self.is_unmet(at, what);
        }
    }

    /// Notes the read of a field that an object may lack.
    pub(in crate::infer) fn suspect_absent(&mut self, object: &Row, name: &Name, at: Span) {
        if !self.rules().extends() || self.rules().converts() || self.objects.tolerant > 0 {
            return;
        }
        let same = |f: &Finding| f.missing_label() == Some(name);
        if self.findings.last_at(at, same).is_none() {
            // a type is copied for each place, so that large ones take too long
            let record: TyRef = match object.len() <= SHOWN {
                true => Ty::Record(object.clone()).into(),
                false => Ty::Dyn(DynReason::Computed(at)).into(),
            };
            let near = near(name, object.fields().filter(|(_, f)| f.presence != Presence::No).map(|(name, _)| name));
            let record = self.mono(&record);
            let what = TypesKind::MissingField { name: name.clone(), record, near, why: Why::Part, wanted: None };
            self.report_only(at, what, Reported::IfReached, false);
        }
    }

    /// As [`Infer::suspect_absent`], for a field of `self` with a similar name that the literal around it lacks.
    pub(super) fn suspect_misspelt_own(&mut self, frame: usize, name: &Name, what: TypesKind, at: Span) {
        if !self.rules().converts() && !near(name, self.scopes.names(frame)).is_empty() {
            self.report_only(at, what, Reported::IfReached, false);
        }
    }

    /// Notes the reads of `super` in an object literal that is the whole value of a field: there is nothing below, unless a sum
    /// uses the field as its right operand.
    pub(super) fn suspect_super(&mut self, ty: &TyRef) {
        let Ty::Record(row) = &*self.sound(ty) else { return };
        if self.rules().converts() || !row.marks().needs {
            return;
        }
        let mut found: Vec<(Span, Name)> = Vec::new();
        for (name, need) in row.fields().filter(|(_, f)| f.need == Need::Super) {
            let readers = need.inheritance.iter().flat_map(|inheritance| &inheritance.readers);
            found.extend(readers.map(|at| (*at, name.clone())));
        }
        for (at, name) in found {
            self.report_only(at, TypesKind::Undefined { name, below: true }, Reported::IfReached, false);
        }
    }
}
