//! The definitions of a field in ordered layers of which some have guards: those that are added to the ones below.

use super::fold::{Fold, FoldKind, FoldStep};
use super::{DefinitionOutcome, MergeOutcome, OutcomeReason, ResolvedField};
use crate::value::record::Record;
use crate::value::stack::{Def, LayerDefinition};
use crate::value::{Fault, Machine, Thunk, Value};

impl Machine {
    /// Returns the indices of the live definitions that make up the value, the lowest first: the uppermost one, and those below it as
    /// far as each is added to the next one. Empty if the layers are not ordered.
    pub(super) fn added(
        &mut self,
        record: &Record,
        index: u32,
        live: &[(Def, LayerDefinition)],
    ) -> Result<Vec<usize>, Fault> {
        let mut chosen = Vec::new();
        if record.ordered(index).is_none() {
            return Ok(chosen);
        }
        for (at, (_, layer)) in live.iter().enumerate().rev() {
            self.tick()?;
            let Some(body) = layer.body() else { continue };
            chosen.push(at);
            let plus = matches!(layer, LayerDefinition::Written { field, .. } if field.plus);
            let adds = match self.force(&body) {
                Ok(value) => plus && matches!(value, Value::Record(_) | Value::Array(_)),
                Err(fault) if fault.is_transient() => return Err(fault),
                // the fault of the field is reported when the field is forced
                Err(_) => return Ok(Vec::new()),
            };
            if !adds {
                break;
            }
        }
        chosen.reverse();
        Ok(chosen)
    }

    /// Sets the outcomes of definitions of which some are added together, as [`Self::added`] returns them.
    pub(super) fn decide_added(
        &mut self,
        record: &Record,
        live: &[(Def, LayerDefinition)],
        numbers: &[usize],
        added: &[usize],
        found: &mut ResolvedField,
    ) {
        for (at, ((_, layer), number)) in live.iter().zip(numbers).enumerate() {
            let Some(definition) = found.definitions.get_mut(*number) else { continue };
            definition.value = layer.body();
            (definition.outcome, definition.because) = match added.contains(&at) {
                true => (DefinitionOutcome::Part, OutcomeReason::Folded),
                false => (DefinitionOutcome::Lost, OutcomeReason::Above),
            };
        }
        let defs: Vec<Def> = added.iter().filter_map(|at| live.get(*at)).map(|(def, _)| *def).collect();
        let whole = |count: usize| {
            let defs: Vec<Def> = defs.iter().take(count).copied().collect();
            Thunk::holding(record.clone(), move |machine, record| {
                let found = machine.resolve_ordered(record, &defs)?;
                Ok(found.unwrap_or(Value::Null))
            })
        };
        let mut steps = Vec::new();
        let mut span = None;
        let mut lower: Option<Thunk> = None;
        for (count, at) in (1..).zip(added) {
            let Some((_, layer)) = live.get(*at) else { continue };
            let Some(body) = layer.body() else { continue };
            if let LayerDefinition::Written { field, .. } = layer {
                span = Some(field.span);
            }
            lower = Some(match lower {
                Some(lower) => {
                    let result = whole(count);
                    steps.push(FoldStep { lower, higher: body, same: true, result: result.clone() });
                    result
                }
                None => body,
            });
        }
        found.verdict = MergeOutcome::Combined;
        found.fold = span.map(|span| Fold { kind: FoldKind::Plus, span, function: None, steps });
        found.bare = lower;
    }
}
