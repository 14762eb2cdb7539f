//! Infers `let` and `let rec`. Bindings are generalised one by one, recursive ones group by group.

use super::Infer;
use super::scopes::Variable;
use super::table::Slot;
use super::unify::{ClashKind, Unified};
use super::why::{UnifyReason, Why};
use crate::term::{Annot, AnnotKind, Binding, Let, Node, PatKind};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Ty, TyRef};
use std::sync::Arc;

impl Infer<'_> {
    pub(super) fn let_in(&mut self, l: &Let) -> TyRef {
        if l.recursive {
            let mut slots = Variable::unknown(&l.slots);
            for binding in &l.bindings {
                if let PatKind::Bind(slot) = self.term.pat(binding.pat).kind
                    && let Some(s) = slots.get_mut(slot as usize)
                {
                    s.at = Some(self.term.span(binding.body));
                }
            }
            self.scopes.open(slots);
            for group in l.groups.iter() {
                self.recursive_group(l, &group);
            }
        } else {
            let mut slots = Variable::unknown(&l.slots);
            for binding in &l.bindings {
                let from = self.enter();
                let ty = self.binding(binding);
                let alias = self.alias(binding).map(Arc::new);
                let at = self.term.span(binding.body);
                // defaults in a pattern may use earlier slots of the frame
                self.scopes.open(std::mem::take(&mut slots));
                let mut bound = Vec::new();
                let plain = binding.annots.is_empty() && binding.push.is_none();
                self.bind_let(binding.pat, &ty, at, plain.then_some(binding.body), &mut bound);
                self.leave_level(from);
                slots = self.scopes.close_slots();
                for (slot, ty) in bound {
                    let ty = self.generalise_value(&ty);
                    if let Some(s) = slots.get_mut(slot as usize) {
                        s.ty = ty;
                        s.alias = alias.clone();
                        s.at = matches!(self.term.pat(binding.pat).kind, PatKind::Bind(_)).then_some(at);
                    }
                }
                self.end_generalisation(from);
            }
            self.scopes.open(slots);
        }
        let ty = self.expr(l.body);
        self.scopes.close();
        ty
    }

    /// Enters a level. Returns the value to pass to [`Infer::leave_level`] and [`Infer::end_generalisation`].
    pub(super) fn enter(&mut self) -> usize {
        self.level += 1;
        self.deferred.len()
    }

    /// Leaves a level, whose variables can then be generalised.
    pub(super) fn leave_level(&mut self, from: usize) {
        self.try_uses();
        self.solve();
        self.level -= 1;
        self.deferred.leave(self.level, from);
        if self.deferred.len() > from {
            self.tie_results(from);
        }
    }

    /// Ends generalisation: removes the deferred constraints that became part of schemes.
    pub(super) fn end_generalisation(&mut self, from: usize) {
        if self.deferred.len() > from {
            self.drop_generalised(from);
        }
    }

    pub(super) fn under_annotations(&mut self, mut ty: TyRef, annots: &[Annot], at: Span) -> TyRef {
        let mut contracts = Vec::new();
        for annot in annots {
            let wanted = self.contract(annot.ty);
            let wanted_at = self.term.span(annot.ty);
            match annot.kind {
                AnnotKind::Type => ty = self.check(&ty, &wanted, at, wanted_at),
                AnnotKind::Contract => contracts.push((wanted, wanted_at)),
            }
        }
        self.under_contracts(&ty, &contracts, at, &[])
    }

    /// Infers a bound expression under its annotations.
    fn binding(&mut self, binding: &Binding) -> TyRef {
        self.expect_function(binding.body, &binding.annots);
        let mut ty = match self.imported(binding.body) {
            Some(ty) => ty,
            None => self.annotated_by(&binding.annots, |infer| infer.in_own_unit(binding.body)),
        };
        let at = self.term.span(binding.body);
        ty = self.under_annotations(ty, &binding.annots, at);
        match binding.push {
            Some(push) => self.push_down(&ty, push),
            None => ty,
        }
    }

    /// Generalises the type of a value that may fail. The marks of its failures stay outside of the quantified type.
    pub(super) fn generalise_value(&mut self, ty: &TyRef) -> TyRef {
        match &**ty {
            Ty::Fails(fault, inner) => Ty::Fails(*fault, self.generalise_value(inner)).into(),
            _ => self.generalise(ty),
        }
    }

    fn recursive_group(&mut self, l: &Let, group: &[u32]) {
        let from = self.enter();
        let term = self.term.clone();
        let mut bound_early: Vec<(u32, TyRef)> = Vec::new();
        let bindings: Vec<&Binding> = group.iter().filter_map(|i| l.bindings.get(*i as usize)).collect();
        for binding in &bindings {
            let mut slots = Vec::new();
            super::pattern::slots(&term, binding.pat, &mut slots);
            for slot in slots {
                let declared = match (binding.annots.first(), &term.pat(binding.pat).kind) {
                    (Some(annot), PatKind::Bind(_)) if annot.kind == AnnotKind::Type => Some(self.contract(annot.ty)),
                    _ => None,
                };
                let ty = declared.unwrap_or_else(|| self.fresh());
                self.scopes.set_type(slot, ty.clone());
                if self.rules().extends() {
                    self.name_object(slot, binding.body);
                }
                bound_early.push((slot, ty));
            }
        }
        let mut bound = Vec::new();
        let cycles = if self.rules().extends() { self.let_alias_cycles(l, group) } else { Vec::new() };
        let open_level = self.objects.set_open_level(self.level);
        for (i, binding) in group.iter().zip(&bindings) {
            let ty = match cycles.iter().find(|(at, _)| at == i) {
                Some((_, names)) => self.names_itself(names, binding.span),
                None => self.binding(binding),
            };
            let mut pattern_types = Vec::new();
            self.bind_pattern(binding.pat, &ty, &mut pattern_types);
            for (slot, ty) in pattern_types {
                // a variable that was not read needs no unification, which would copy a large type
                let alone = group.len() == 1 && binding.annots.is_empty() && !self.scopes.was_read(slot);
                if let Some((_, before)) = bound_early.iter().find(|(s, _)| *s == slot)
                    && !(alone && matches!(&**before, Ty::Live(_)))
                {
                    let before = before.clone();
                    let before = self.instantiate(&before);
                    let because = UnifyReason::new(binding.span, Why::Recursive);
                    let value = self.instantiate(&ty);
                    let unified = self.unify(&value, &before, &because);
                    self.break_infinite_type(unified, &before, &because);
                }
                bound.push((slot, ty));
            }
        }
        self.objects.set_open_level(open_level);
        self.leave_level(from);
        for (slot, ty) in bound {
            let ty = self.generalise_value(&ty);
            self.scopes.set_type(slot, ty);
        }
        if self.rules().extends() {
            for binding in &bindings {
                self.note_constant(binding);
            }
        }
        self.end_generalisation(from);
    }

    /// Records the value of a variable of the innermost frame that is a constant string. Computed field names may use it.
    pub(super) fn note_constant(&mut self, binding: &Binding) {
        let term = self.term.clone();
        if let (PatKind::Bind(slot), Node::Str(_)) = (&term.pat(binding.pat).kind, term.node(binding.body))
            && let Some(variable) = self.scopes.variable_mut(*slot)
        {
            variable.constant = Some(binding.body);
        }
    }

    /// Returns the bindings of a group that are only aliases of each other, with the names of each cycle.
    fn let_alias_cycles(&self, l: &Let, group: &[u32]) -> Vec<(u32, Vec<Name>)> {
        let next = |i: u32| -> Option<(u32, Name)> {
            let binding = l.bindings.get(i as usize)?;
            let Node::Local { up: 0, slot } = *self.term.node(binding.body) else { return None };
            let binds = |b: &Binding, slot: u32| matches!(self.term.pat(b.pat).kind, PatKind::Bind(s) if s == slot);
            let to = group.iter().find(|j| l.bindings.get(**j as usize).is_some_and(|b| binds(b, slot)))?;
            let PatKind::Bind(own) = self.term.pat(binding.pat).kind else { return None };
            Some((*to, l.slots.get(own as usize).cloned().unwrap_or_default()))
        };
        super::objects::alias_cycles(group, &next)
    }

    /// Reports the clash, if there is one. If the value contains itself, its type would be infinite: the inner type becomes unknown
    /// instead.
    pub(super) fn break_infinite_type(&mut self, unified: Unified, inside: &TyRef, because: &UnifyReason) {
        let Err(clash) = unified else { return };
        if matches!(clash.what, ClashKind::Infinite { .. })
            && let Ty::Live(v) = &*self.table.head(inside)
            && matches!(self.table.probe(*v), Slot::Free { .. })
        {
            let unknown: TyRef = Ty::Dyn(DynReason::Cycle(because.span)).into();
            let _ = self.bind(*v, &unknown, because);
        }
        self.report_clash(*clash, because);
    }
}
