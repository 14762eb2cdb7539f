//! Definitions inside definitions of outer fields that lost as a whole, or that a function combined.

use super::joins::KnownJoins;
use super::{Definition, DefinitionOutcome, OutcomeReason, ResolvedField, field_name};
use crate::text::path::Step;
use crate::value::{Fault, Machine, Thunk, Value};

/// A definition of an outer field that does not count, or does not count by itself.
pub(super) struct OuterDefinition {
    definition: Definition,
    pub(super) depth: usize,
    inner: InnerOutcome,
}

/// The outcome of the definitions inside it.
struct InnerOutcome {
    outcome: DefinitionOutcome,
    because: OutcomeReason,
}

impl OuterDefinition {
    /// Returns the holder for a definition `depth` steps down the path; `None` if the definitions inside it count by
    /// themselves.
    pub(super) fn of(definition: &Definition, depth: usize, stack: &ResolvedField) -> Option<OuterDefinition> {
        definition.value.as_ref()?;
        let inner = match definition.outcome {
            DefinitionOutcome::Lost | DefinitionOutcome::Off | DefinitionOutcome::Prev => InnerOutcome {
                outcome: definition.outcome,
                because: OutcomeReason::WithParent {
                    depth,
                    span: definition.span,
                    priority: definition.priority.clone(),
                    because: Box::new(definition.because.clone()),
                },
            },
            DefinitionOutcome::Part if definition.because == OutcomeReason::Folded && !stack.chain => {
                InnerOutcome { outcome: DefinitionOutcome::Part, because: OutcomeReason::ThroughFunction { depth } }
            }
            _ => return None,
        };
        Some(OuterDefinition { definition: definition.clone(), depth, inner })
    }
}

impl Machine {
    /// Returns the definitions of a path inside definitions of outer fields, if they do not count by themselves.
    pub(super) fn inner_definitions(
        &mut self,
        holders: &[OuterDefinition],
        path: &[Step],
    ) -> Result<Vec<Definition>, Fault> {
        let mut lost = Vec::new();
        for OuterDefinition { definition, depth, inner } in holders {
            let (Some(value), Some(rest)) = (&definition.value, path.get(*depth..)) else { continue };
            // A definition whose guard is false is not evaluated.
            if definition.guard.is_some() && inner.outcome == DefinitionOutcome::Off {
                lost.push(definition.clone());
                continue;
            }
            self.inside(value, definition, *depth, rest, inner, &mut lost)?;
        }
        Ok(lost)
    }

    fn inside(
        &mut self,
        value: &Thunk,
        holder: &Definition,
        depth: usize,
        rest: &[Step],
        inner: &InnerOutcome,
        lost: &mut Vec<Definition>,
    ) -> Result<(), Fault> {
        self.tick()?;
        let Some((step, further)) = rest.split_first() else { return Ok(()) };
        let value = match self.force(value) {
            Ok(value) => value,
            Err(fault) if fault.is_transient() => return Err(fault),
            Err(_) => return Ok(()),
        };
        let record = match (&value, step) {
            (Value::Record(record), _) => record,
            // the elements that a function received have other places than those that it returned
            (Value::Array(_), Step::Index(_)) if matches!(inner.because, OutcomeReason::ThroughFunction { .. }) => {
                return Ok(());
            }
            (Value::Array(array), Step::Index(index)) => {
                let Some(element) = self.item(array, *index)? else { return Ok(()) };
                return self.deeper(|m| m.inside(&element, holder, depth + 1, further, inner, lost));
            }
            _ => {
                // The definition is a leaf, and competes with the record that the path passes through.
                let mut leaf = holder.clone();
                if depth == holder.depth && !matches!(inner.because, OutcomeReason::ThroughFunction { .. }) {
                    lost.push(leaf);
                } else if depth == holder.depth {
                    (leaf.outcome, leaf.because) = (inner.outcome, inner.because.clone());
                    lost.push(leaf);
                }
                return Ok(());
            }
        };
        let Some(name) = field_name(step) else { return Ok(()) };
        let found = match self.stack_of(record, &name, depth + 1, &KnownJoins::default()) {
            Ok(Some(found)) => found,
            Err(fault) if fault.is_transient() => return Err(fault),
            _ => return Ok(()),
        };
        for mut definition in found.definitions {
            definition.join = holder.join.or(definition.join);
            if further.is_empty() {
                if definition.outcome != DefinitionOutcome::Off || definition.because == OutcomeReason::Declares {
                    (definition.outcome, definition.because) = (inner.outcome, inner.because.clone());
                }
                let listed = |d: &Definition| d.span == definition.span && d.name_span == definition.name_span;
                if !lost.iter().any(listed) {
                    lost.push(definition);
                }
            } else if let Some(value) = definition.value.clone() {
                self.deeper(|m| m.inside(&value, &definition, depth + 1, further, inner, lost))?;
            }
        }
        Ok(())
    }
}
