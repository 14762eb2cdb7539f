//! Arguments whose default is an `error`.
//!
//! ```text
//! local defaults = { name: error 'must provide name' };
//! function(params) { _config:: defaults + params, title: self._config.name }
//! ```
//!
//! The parameter of `function(name=error 'must provide name') …` is such an argument too.
//!
//! The field `name` of the sum, and the optional field of `params`, remember the definition that fails. If an argument lacks
//! the field, reading the field of the result fails.

use crate::infer::Infer;
use crate::infer::findings::Reported;
use crate::problem::types::TypesKind;
use crate::text::{Name, Span};
use crate::ty::{Failure, Field, Inheritance, Param, Presence, Row, Tail, Ty, TyRef};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Maximum depth at which fields of the result are found.
const DEPTH: u32 = 6;

/// A field that an argument lacks and whose default is an `error`.
pub(super) struct MissingRequiredField {
    name: Name,
    /// The definition of the default.
    default: Span,
    /// The argument.
    argument: Span,
}

impl Infer<'_> {
    /// Returns the definition of a field whose value is an `error`, as long as no other object overrides it.
    pub(super) fn raised_by(&self, field: &Field) -> Option<Span> {
        if let Some(raises) = field.inheritance.as_ref().and_then(|l| l.raises) {
            return Some(raises);
        }
        matches!(&*self.without_outer_failures(&field.ty), Ty::Error(_)).then_some(field.at)?
    }

    /// Reports the parameters that a call does not pass and whose defaults are an `error`, if evaluating the call needs them.
    pub(super) fn not_passed(&mut self, params: &[Param], given: &[bool], call: Span, known: bool) {
        for (param, _) in params.iter().zip(given).filter(|(_, given)| !**given) {
            if let (Some(default), Some(name)) = (param.raises, &param.name) {
                let what = TypesKind::MissingRequiredField { name: name.clone(), default, parameter: true };
                let certain = known && param.demand.is_forced();
                let reported = if certain { Reported::IfForced } else { Reported::IfReached };
                self.report_only(call, what, reported, certain);
            }
        }
    }

    /// Adds the fields that an argument lacks and whose defaults are an `error`.
    pub(super) fn unprovided(
        &mut self,
        param: &Param,
        argument: &TyRef,
        at: Span,
        out: &mut Vec<MissingRequiredField>,
    ) {
        let Ty::Record(wanted) = &*self.open_head(&param.ty) else { return };
        let wanted = self.open_row(wanted);
        let raises = |f: &Field| f.inheritance.as_ref().and_then(|l| l.raises);
        if !wanted.fields().any(|(_, f)| raises(f).is_some()) {
            return;
        }
        let given = self.without_failures(argument);
        let given = self.instantiate(&given);
        let Ty::Record(given) = &*self.open_head(&given) else { return };
        let given = self.open_row(given);
        if !matches!(given.tail(), Tail::Closed) {
            return;
        }
        for (name, field) in wanted.fields() {
            if let Some(default) = raises(field)
                && given.get(name).is_none_or(|f| f.presence == Presence::No)
            {
                out.push(MissingRequiredField { name: name.clone(), default, argument: at });
            }
        }
    }

    /// Returns the type of the result of a call whose arguments lack fields.
    pub(super) fn without_provided(&mut self, result: TyRef, lacks: &[MissingRequiredField]) -> TyRef {
        if lacks.is_empty() {
            return result;
        }
        let mut faults = FxHashMap::default();
        let ty = self.lacking(&result, lacks, &mut faults, DEPTH).unwrap_or(result);
        // a variable, a method or a branch may read the field, which types do not show
        for lack in lacks {
            let what =
                TypesKind::MissingRequiredField { name: lack.name.clone(), default: lack.default, parameter: false };
            self.report_only(lack.argument, what, Reported::IfReached, false);
        }
        ty
    }

    /// Returns a type with the faults of fields that nothing provides. `None` if it has none.
    fn lacking(
        &mut self,
        ty: &TyRef,
        lacks: &[MissingRequiredField],
        faults: &mut FxHashMap<Span, Failure>,
        depth: u32,
    ) -> Option<TyRef> {
        if depth == 0 {
            return None;
        }
        if let Ty::Fails(fault, inner) = &**ty {
            return Some(Ty::Fails(*fault, self.lacking(inner, lacks, faults, depth)?).into());
        }
        let head = self.open_head(ty);
        let Ty::Record(row) = &*head else { return None };
        let row = self.open_row(row);
        let mut out = row.clone();
        let mut failed: Vec<(Vec<Span>, Failure)> = Vec::new();
        for (name, field) in row.fields().filter(|(_, f)| f.presence == Presence::Yes) {
            if let Some(fault) = self.fault_of(field, lacks, faults) {
                let mut inheritance: Inheritance = field.inheritance.as_deref().cloned().unwrap_or_default();
                inheritance.raises = None;
                let ty = Ty::Fails(fault, field.ty.clone()).into();
                out.insert(name.clone(), Field { ty, inheritance: Some(Arc::new(inheritance)), ..field.clone() });
                continue;
            }
            for part in field.inheritance.iter().flat_map(|l| l.used_parts.iter()) {
                if let Some(fault) = self.fault_at(&field.ty, &part.path, lacks, faults) {
                    failed.push((part.readers.clone(), fault));
                }
            }
            if let Some(ty) = crate::infer::deep(|| self.lacking(&field.ty, lacks, faults, depth - 1)) {
                out.insert(name.clone(), Field { ty, ..field.clone() });
            }
        }
        for (readers, fault) in failed {
            let reader = out.fields().find(|(_, f)| f.at.is_some_and(|at| readers.contains(&at)));
            if let Some((name, field)) = reader.map(|(name, field)| (name.clone(), field.clone())) {
                let ty = Ty::Fails(Failure { deep: true, ..fault }, field.ty.clone()).into();
                out.insert(name, Field { ty, ..field });
            }
        }
        (!faults.is_empty()).then(|| Ty::Record(out).into())
    }

    /// Returns the fault of a field that nothing provides.
    fn fault_of(
        &mut self,
        field: &Field,
        lacks: &[MissingRequiredField],
        faults: &mut FxHashMap<Span, Failure>,
    ) -> Option<Failure> {
        let raises = field.inheritance.as_ref()?.raises?;
        let lack = lacks.iter().find(|lack| lack.default == raises)?;
        if let Some(fault) = faults.get(&raises) {
            return Some(*fault);
        }
        let what = TypesKind::MissingRequiredField { name: lack.name.clone(), default: raises, parameter: false };
        let fault = self.report_only(lack.argument, what, Reported::IfForced, false);
        faults.insert(raises, fault);
        Some(fault)
    }

    /// Returns the fault of a part of a field that nothing provides.
    fn fault_at(
        &mut self,
        ty: &TyRef,
        path: &[Name],
        lacks: &[MissingRequiredField],
        faults: &mut FxHashMap<Span, Failure>,
    ) -> Option<Failure> {
        let mut at = ty.clone();
        for name in path {
            let inner = self.without_outer_failures(&at);
            let Ty::Record(row) = &*self.open_head(&inner) else { return None };
            let row: Row = self.open_row(row);
            let field = row.get(name)?;
            if let Some(fault) = self.fault_of(field, lacks, faults) {
                return Some(fault);
            }
            at = field.ty.clone();
        }
        None
    }
}
