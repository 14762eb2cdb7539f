//! Nested parts of an object that its own definitions read, as in `{ o:: { a: self.b }, x: self.o.a }`. Once the
//! object is complete, `x` reads the final `o`: if `o` has no `b`, `self.b` in `a` fails.

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
    /// Reports fields that are read in parts of a complete object and that the parts lack. Only parts that the
    /// object's own definitions read are examined. O(parts that are read). `reported`: when the problems are reported.
    pub(super) fn report_missing_in_parts(&mut self, row: &Row, reported: Reported) {
        let mut seen: FxHashSet<(Name, Vec<Name>)> = FxHashSet::default();
        for (name, field) in row.fields().filter(|(_, field)| field.presence != Presence::No) {
            let Some(inheritance) = field.inheritance.as_deref() else { continue };
            let missing = inheritance.missing_parts.iter().map(|part| &part.path);
            let paths = inheritance.used_parts.iter().map(|part| &part.path).chain(missing);
            for path in paths.filter(|path| !path.is_empty()) {
                if seen.insert((name.clone(), path.clone())) {
                    self.report_missing_along(&field.ty, path, reported);
                }
            }
        }
    }

    /// Reports the fields that the definitions along a path read and that nothing supplies.
    fn report_missing_along(&mut self, ty: &TyRef, path: &[Name], reported: Reported) {
        let mut at = ty.clone();
        for name in path {
            let ty = self.no_error(&at);
            let ty = self.instantiate(&ty);
            let head = self.open_head(&self.without_outer_failures(&ty));
            let Ty::Record(row) = &*head else { return };
            let row = self.open_row(row);
            let Some(field) = row.get(name).filter(|field| field.presence == Presence::Yes).cloned() else { return };
            if let (Some(definition), Tail::Closed) = (field.at, row.tail()) {
                self.report_unmet_needs(&row, definition, reported);
            }
            at = field.ty;
        }
    }

    /// Unifies a definition with the need for its field, like [`Infer::same_type`]. A definition that extends an
    /// unknown field (`+:`) may lack a part that another object supplies. Then returns `need` with that part added to
    /// its `missing_parts`, otherwise `need` itself.
    pub(super) fn unify_with_need(&mut self, definition: &Field, need: &Field, name: &Name, span: Span) -> Field {
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
        let ClashKind::Missing { name: missing_name, .. } = &clash.what else {
            let unified = if self.may_fit(&clash) { Ok(()) } else { Err(clash) };
            self.settle_clash(unified, &because);
            self.solve();
            return need.clone();
        };
        let path: Vec<Name> = clash.path.iter().rev().chain([missing_name]).cloned().collect();
        let mut inheritance = need.inheritance.as_deref().cloned().unwrap_or_default();
        let readers = inheritance.readers.clone();
        if !is_missing_part(need, &clash) && !readers.is_empty() {
            inheritance.missing_parts.push(MissingPart { path, ty: self.fresh(), at: readers });
        }
        self.solve();
        Field { inheritance: Some(Arc::new(inheritance)), ..need.clone() }
    }

    /// Reports the needs of `row` whose readers are inside `definition`: no object supplies them.
    fn report_unmet_needs(&mut self, row: &Row, definition: Span, reported: Reported) {
        let within =
            |at: &Span| at.source == definition.source && definition.start <= at.start && at.end <= definition.end;
        let mut unmet: Vec<(Span, TypesKind)> = Vec::new();
        for (name, need) in row.fields().filter(|(_, f)| f.presence == Presence::No && f.need != Need::None) {
            let readers = need.inheritance.iter().flat_map(|inheritance| &inheritance.readers);
            let below = need.need == Need::Super;
            unmet.extend(readers.filter(|at| within(at)).map(|at| {
                let near = super::missing::near_fields(row, name, *at);
                (*at, TypesKind::Undefined { name: name.clone(), below, near })
            }));
        }
        for (at, what) in unmet {
            match reported {
                Reported::IfReached => {
                    self.report_only(at, what, reported, false);
                }
                _ => self.report_unmet(at, what),
            }
        }
    }

    /// Records the read of a field that the record may lack. It is reported only if the code is reached.
    pub(in crate::infer) fn suspect_absent(&mut self, object: &Row, name: &Name, at: Span) {
        if self.rules().is_exact() || self.rules().converts() || self.objects.tolerant > 0 {
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
            let what = TypesKind::MissingField {
                name: name.clone(),
                record,
                near,
                why: Why::Part,
                wanted: None,
                hidden: None,
            };
            self.report_only(at, what, Reported::IfReached, false);
        }
    }

    /// Like [`Infer::suspect_absent`], for a field of `self` with a similar name that the literal around it lacks.
    pub(super) fn suspect_misspelt_own(&mut self, frame: usize, name: &Name, what: TypesKind, at: Span) {
        if !self.rules().converts() && !near(name, self.scopes.names(frame)).is_empty() {
            self.report_only(at, what, Reported::IfReached, false);
        }
    }

    /// Records the reads of `super` in an object literal that is the whole value of a field: such an object has no
    /// super object, unless it is the right operand of `+`. They are reported only if the code is reached.
    pub(super) fn suspect_super(&mut self, ty: &TyRef) {
        let Ty::Record(row) = &*self.without_outer_failures(ty) else { return };
        if self.rules().converts() || !row.marks().needs {
            return;
        }
        let mut found: Vec<(Span, Name)> = Vec::new();
        for (name, need) in row.fields().filter(|(_, f)| f.need == Need::Super) {
            let readers = need.inheritance.iter().flat_map(|inheritance| &inheritance.readers);
            found.extend(readers.map(|at| (*at, name.clone())));
        }
        for (at, name) in found {
            self.report_only(
                at,
                TypesKind::Undefined { name, below: true, near: Vec::new() },
                Reported::IfReached,
                false,
            );
        }
    }
}
