//! The references through which an expression has its value, for messages.
//!
//! ```text
//! base:
//!   x: 1
//! mid: {{ base }}
//! top: {{ mid.y }}     `y` is missing in `base`, which `mid` refers to
//! ```

use crate::problem::value::ValueKind;
use crate::term::{Node, NodeId};
use crate::text::{Name, Span, near};
use crate::value::env::{Env, Unit};
use crate::value::stack::LayerDefinition;
use crate::value::{Fault, Machine, Value};
use std::rc::Rc;

/// Maximum number of references that are followed.
const MAX_HOPS: usize = 32;

impl Machine {
    /// Adds to the fault of reading a part of a value the references through which the expression `of` has this value. To that of
    /// a name that no document defines, it adds functions with similar names.
    #[cold]
    pub(in crate::value::eval) fn explained(
        &mut self,
        fault: Fault,
        unit: &Rc<Unit>,
        [node, of]: [NodeId; 2],
        env: &Env,
    ) -> Fault {
        let is_discarded = self.discards_missing == Some(self.running.len());
        if is_discarded || fault.is_transient() || !unit.rules.extends_layers() || self.is_evaluating_guard() {
            return fault;
        }
        if let Node::This { .. } = unit.node(of) {
            return self.with_functions(fault, unit, node);
        }
        let mut hops: Vec<Span> = Vec::new();
        let mut at = (unit.clone(), of, env.clone());
        while hops.len() < MAX_HOPS {
            let Some(next) = self.definition_of(&at.0, at.1, &at.2) else { break };
            if !matches!(next.0.node(next.1), Node::Project(..) | Node::Index(_)) {
                break;
            }
            hops.push(next.0.span(next.1));
            at = next;
        }
        hops.into_iter().rev().fold(fault, Fault::read_at)
    }

    /// Adds the functions with similar names to the fault of a name that is not defined.
    fn with_functions(&mut self, fault: Fault, unit: &Rc<Unit>, node: NodeId) -> Fault {
        let at = unit.span(node);
        let name = match fault.what() {
            Some(ValueKind::MissingField { name, near, span, .. }) if near.is_empty() && *span == Some(at) => {
                name.clone()
            }
            _ => return fault,
        };
        let host = self.host.clone();
        let library = host.library(self, &Name::new_static(unit.rules.library), unit.revision, at.source);
        let Some(Ok(Value::Record(library))) = library.map(|library| self.force(&library)) else { return fault };
        let functions = self.field_names(&library);
        let similar = near(&name, functions.iter().map(Name::as_str).filter(|name| !name.starts_with('_')));
        fault.change(|problem| {
            if let ValueKind::MissingField { near, known, .. } = &mut problem.what {
                if !similar.is_empty() {
                    known.clear();
                }
                *near = similar;
            }
        })
    }

    /// Returns the body of the highest definition of the field that an expression reads.
    fn definition_of(&mut self, unit: &Rc<Unit>, node: NodeId, env: &Env) -> Option<(Rc<Unit>, NodeId, Env)> {
        let Node::Project(of, name) = unit.node(node) else { return None };
        // the value of this expression has been computed
        let Ok(Value::Record(record)) = self.eval(unit, *of, env) else { return None };
        let index = record.index_of(name)?;
        for def in record.ordered(index)?.iter().rev() {
            let definition = record.definition(*def);
            let Ok(true) = self.is_active(&record, &definition) else { continue };
            let LayerDefinition::Written { literal, field, .. } = &definition else { return None };
            let body = field.body?;
            return Some((literal.unit.clone(), body, definition.env(body)));
        }
        None
    }
}
