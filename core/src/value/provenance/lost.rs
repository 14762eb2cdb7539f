//! What stood in definitions of outer fields that lost as a whole, or that a function combined.

use super::joins::Joint;
use super::{Because, Definition, Found, Outcome, Walk, field_name};
use crate::value::machine::Step;
use crate::value::{Fault, Machine, Thunk, Value};

/// How a definition of an outer field went.
struct Fate {
    outcome: Outcome,
    because: Because,
}

impl Machine {
    /// What a definition of an outer field defines of the rest of the path, where that does not count by itself.
    pub(super) fn lost_with(
        &mut self,
        definition: &Definition,
        depth: usize,
        stack: &Found,
        walk: &mut Walk,
    ) -> Result<(), Fault> {
        let Some(value) = &definition.value else { return Ok(()) };
        let fate = match definition.outcome {
            Outcome::Lost | Outcome::Off | Outcome::Prev => Fate {
                outcome: definition.outcome,
                because: Because::WithParent {
                    depth,
                    span: definition.span,
                    priority: definition.priority.clone(),
                    because: Box::new(definition.because.clone()),
                },
            },
            Outcome::Part if definition.because == Because::Folded && !stack.chain => {
                Fate { outcome: Outcome::Part, because: Because::ThroughFunction { depth } }
            }
            _ => return Ok(()),
        };
        // What a condition keeps off is not evaluated either.
        if definition.guard.is_some() && fate.outcome == Outcome::Off {
            walk.lost.push(definition.clone());
            return Ok(());
        }
        let rest: Vec<Step> = walk.path.get(depth..).unwrap_or(&[]).to_vec();
        self.inside(value, definition, depth, &rest, &fate, walk)
    }

    fn inside(
        &mut self,
        value: &Thunk,
        holder: &Definition,
        depth: usize,
        rest: &[Step],
        fate: &Fate,
        walk: &mut Walk,
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
            (Value::Array(array), Step::Index(index)) => {
                let Some(element) = array.get(*index).cloned() else { return Ok(()) };
                return self.deeper(|m| m.inside(&element, holder, depth + 1, further, fate, walk));
            }
            _ => {
                // A leaf stood against the record that the path goes through.
                let mut leaf = holder.clone();
                if depth == holder.depth && !matches!(fate.because, Because::ThroughFunction { .. }) {
                    walk.lost.push(leaf);
                } else if depth == holder.depth {
                    (leaf.outcome, leaf.because) = (fate.outcome, fate.because.clone());
                    walk.lost.push(leaf);
                }
                return Ok(());
            }
        };
        let Some(name) = field_name(step) else { return Ok(()) };
        let found = match self.stack_of(record, &name, depth + 1, &Joint::default()) {
            Ok(Some(found)) => found,
            Err(fault) if fault.is_transient() => return Err(fault),
            _ => return Ok(()),
        };
        for mut definition in found.definitions {
            definition.join = holder.join.or(definition.join);
            if further.is_empty() {
                if definition.outcome != Outcome::Off || definition.because == Because::Declares {
                    (definition.outcome, definition.because) = (fate.outcome, fate.because.clone());
                }
                let listed = |d: &Definition| d.span == definition.span && d.name_span == definition.name_span;
                if !walk.lost.iter().any(listed) {
                    walk.lost.push(definition);
                }
            } else if let Some(value) = definition.value.clone() {
                self.deeper(|m| m.inside(&value, &definition, depth + 1, further, fate, walk))?;
            }
        }
        Ok(())
    }
}
