//! Bare declarations, such as `a` in `{ a, b = a + 1 }`: siblings that read one restrict the definition that a merge supplies.

use super::definitions::DeclaredConflict;
use crate::infer::Infer;
use crate::infer::unify::{Clash, ClashKind, ClashPath, Unified};
use crate::infer::units::UnitId;
use crate::infer::why::{UnifyReason, Why};
use crate::text::{Name, Span};
use crate::ty::{Field, Presence, Stack, Ty, TyRef};

impl Infer<'_> {
    /// Records that readers of a bare declaration now read the definition that it got.
    pub(super) fn declared_is_read(&mut self, sides: [(bool, Option<Span>); 2], stack: &Stack) {
        let [(_, first), _] = sides;
        let Some(definition) = stack.layers.first().and_then(|l| l.at).or(first) else { return };
        for declared in sides.into_iter().filter(|(bare, _)| *bare).filter_map(|(_, at)| at) {
            self.merges.combine(Some(declared), Some(definition));
        }
    }

    /// Merges the bare declarations of two fields. Returns the type of the declaration if there is still no definition.
    pub(super) fn settle_bare(
        &mut self,
        a: Option<TyRef>,
        b: Option<TyRef>,
        stack: &Stack,
        path: &[Name],
        span: Span,
    ) -> Option<TyRef> {
        let because = UnifyReason::new(span, Why::Merge).unsure();
        let bare = match (a, b) {
            (Some(a), Some(b)) => {
                let unified = self.unify(&a, &b, &because);
                self.settle_clash(unified, &because);
                Some(a)
            }
            (a, b) => a.or(b),
        }?;
        if !stack.layers.is_empty() {
            self.define_bare(stack, &bare, path, span);
            return None;
        }
        Some(bare)
    }

    /// Unifies a definition with the type that siblings assumed of the declaration. Reports a conflict, and keeps it if the reader
    /// is certain to fail.
    fn define_bare(&mut self, stack: &Stack, bare: &TyRef, path: &[Name], span: Span) {
        let Some(top) = stack.layers.first() else { return };
        // readers of the declaration read the value under its contracts
        let contracts: Vec<_> = stack.contracts.iter().map(|c| (c.ty.clone(), c.span)).collect();
        let ty = self.under_contracts(&top.ty.clone(), &contracts, top.at.unwrap_or(span), path);
        let ty = self.without_failures(&ty);
        let ty = self.instantiate(&ty);
        let why = path.last().map_or(Why::Merge, |name| Why::Sibling(name.clone()));
        let because = UnifyReason::new(top.at.unwrap_or(span), why).unsure();
        let mut unified: Unified = self.unify(&ty, bare, &because);
        for name in path.iter().rev() {
            unified = unified.in_field(name);
        }
        let Err(clash) = unified else { return };
        let asked = self.asks_for_certain(&clash);
        let plain = top.certain && stack.contracts.is_empty() && stack.merger.is_none();
        let fault = self.report_clash(*clash, &because);
        if let (Some(unit), Some(definition), true, Some(finding)) = (asked, top.at, plain, fault.and_then(|f| f.id)) {
            self.merges.declared.push(DeclaredConflict { finding, unit, definition });
        }
    }

    /// Returns the unit that fails unless the value has the expected type; `None` if the found type is not certain.
    fn asks_for_certain(&self, clash: &Clash) -> Option<UnitId> {
        let ClashKind::Heads { found_by, expected_by: Some(expected_by), .. } = &clash.what else { return None };
        let reason = self.table.reason(*expected_by);
        (reason.certain && !reason.given && self.is_certain(*found_by)).then_some(reason.unit)
    }

    /// Takes the conflicts with declared siblings that evaluating the result runs into, each with the definition: the field that
    /// reads the sibling is part of the result, next to that definition.
    pub(in crate::infer) fn take_declared_conflicts(&mut self, root: &TyRef) -> Vec<(u32, Span)> {
        let mut conflicts = Vec::new();
        for conflict in std::mem::take(&mut self.merges.declared) {
            let fields = self.units.fields_around(conflict.unit);
            if !fields.is_empty() && self.is_part(root, &fields, conflict.definition) {
                conflicts.push((conflict.finding, conflict.definition));
            }
        }
        conflicts
    }

    /// Whether a value has a record in which a field of one of these definitions is next to `definition`, and leads to the inner
    /// fields.
    fn is_part(&mut self, root: &TyRef, fields: &[Span], definition: Span) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![root.clone()];
        let mut held = Vec::new();
        while let Some(ty) = work.pop() {
            let head = self.open_head(&ty);
            let Ty::Record(row) = &*head else { continue };
            if !seen.insert(head.address()) {
                continue;
            }
            let row = self.open_row(row);
            let shown = |f: &Field| f.presence == Presence::Yes && !f.hidden;
            if row.fields().any(|(_, f)| is_defined_by(f, definition)) {
                for (depth, at) in fields.iter().enumerate() {
                    let field = row.fields().find(|(_, f)| shown(f) && is_defined_by(f, *at));
                    if let Some((_, field)) = field
                        && self.leads_to(&field.ty.clone(), fields.get(..depth).unwrap_or_default())
                    {
                        return true;
                    }
                }
            }
            work.extend(row.fields().filter(|(_, f)| shown(f)).map(|(_, f)| f.ty.clone()));
            held.push(head);
        }
        false
    }

    /// Whether a value has the fields of these definitions, nested from the last to the first.
    fn leads_to(&mut self, ty: &TyRef, fields: &[Span]) -> bool {
        let mut at = ty.clone();
        for definition in fields.iter().rev() {
            let head = self.open_head(&at);
            let Ty::Record(row) = &*head else { return false };
            let row = self.open_row(row);
            let next =
                row.fields().find(|(_, f)| f.presence == Presence::Yes && !f.hidden && is_defined_by(f, *definition));
            match next {
                Some((_, f)) => at = f.ty.clone(),
                None => return false,
            }
        }
        true
    }
}

/// Whether the type of a field is that of a definition.
fn is_defined_by(field: &Field, definition: Span) -> bool {
    match &field.stack {
        Some(stack) => stack.layers.first().is_some_and(|top| top.certain && top.at == Some(definition)),
        None => field.at == Some(definition),
    }
}
