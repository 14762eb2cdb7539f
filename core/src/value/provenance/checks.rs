//! Checks the contracts on a field one by one, and those on the enclosing records.

use super::{Check, PendingContract, ResolvedField};
use crate::problem::ProblemKind;
use crate::problem::value::ValueKind;
use crate::term::{Node, NodeId, Term, TypeForm};
use crate::text::{Name, Span};
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::record::Record;
use crate::value::stack::Leaf;
use crate::value::{Fault, Machine, Thunk, Value};

/// The part of a value that is forced to find contracts that its parts break.
const DEEP: Budget = Budget { elements: 2000, depth: 12, text: usize::MAX };

impl Machine {
    /// Applies the contracts one by one, as evaluation does, and records whether each holds.
    pub(super) fn checked(
        &mut self,
        contracts: &[PendingContract],
        bare: Option<&Thunk>,
        record: &Record,
        name: &Name,
        depth: usize,
    ) -> Result<Vec<Check>, Fault> {
        let mut value = bare.cloned();
        let mut checks: Vec<Check> = Vec::new();
        for pending in contracts {
            self.tick()?;
            let mut check = check(pending, depth);
            if let Some(before) = value.clone() {
                let applied = std::slice::from_ref(&pending.applied);
                match self.apply_all(applied, &before, None, Some((Some(record), name)), None) {
                    Ok(after) if pending.own => {
                        check.holds = (!later(&after)).then_some(true);
                    }
                    Ok(after) => {
                        check.holds = (!later(&after)).then_some(true);
                        value = Some(Thunk::done(after));
                    }
                    Err(fault) if fault.is_transient() => return Err(fault),
                    Err(fault) => {
                        if matches!(fault.what(), Some(ValueKind::Contract(_))) {
                            check.holds = Some(false);
                            check.fault = Some(fault);
                        }
                        if !pending.own {
                            value = None;
                        }
                    }
                }
            }
            checks.push(check);
        }
        // Contracts on parts of the value fail only when the parts are forced.
        if let Some(value) = value
            && checks.iter().any(|check| check.holds == Some(true))
            && matches!(value.computed(), Some(Value::Record(_) | Value::Array(_) | Value::Variant(..)))
        {
            let datum = self.datum(&value, DEEP);
            let mut broken = Vec::new();
            contracts_broken(&datum, &mut broken);
            for (span, fault) in broken {
                if let Some(check) = checks.iter_mut().find(|check| check.span == span) {
                    check.holds = Some(false);
                    check.fault = check.fault.take().or(Some(fault));
                }
            }
        }
        Ok(checks)
    }

    /// Returns the contracts on an outer field that inspect its value as a whole. Plain types are omitted, because they
    /// do not relate its fields.
    pub(super) fn outer_checks(&mut self, stack: &ResolvedField, depth: usize) -> Result<Vec<Check>, Fault> {
        let mut checks = Vec::new();
        for pending in &stack.contracts {
            let unit = &pending.applied.unit;
            let shape = match unit.node(pending.applied.node) {
                // Its contracts on fields are listed at the fields.
                Node::Type(_) => true,
                _ => match self.eval(unit, pending.applied.node, &pending.applied.env) {
                    Ok(Value::Record(_)) => true,
                    Ok(Value::Contract(contract)) => {
                        matches!(&*contract, crate::value::Contract::Form(unit, node, ..) if plain(unit.node(*node)))
                    }
                    Ok(_) => false,
                    Err(fault) if fault.is_transient() => return Err(fault),
                    Err(_) => true,
                },
            };
            if shape || pending.own {
                continue;
            }
            let mut check = check(pending, depth);
            check.definition = None;
            // The path continues only if the outer field has a value, so all its contracts hold.
            check.holds = Some(true);
            checks.push(check);
        }
        Ok(checks)
    }
}

impl Machine {
    /// Returns the asserts of the object's layers that read a field, with their results.
    pub(super) fn asserts(&mut self, record: &Record, name: &Name, depth: usize) -> Result<Vec<Check>, Fault> {
        let mut checks = Vec::new();
        let count = record.table().leaves().len().max(1) as u32;
        for number in 0..count {
            let Leaf::Literal(literal) = record.leaf_record(number).leaf() else { continue };
            let Some(lit) = literal.lit().filter(|lit| !lit.asserts.is_empty()) else { continue };
            let unit = literal.unit.clone();
            let env = record.frame(number, 0);
            for (condition, _) in &lit.asserts {
                let (holds, fault) = match self.eval(&unit, *condition, &env) {
                    Ok(Value::Bool(holds)) => (Some(holds), None),
                    Ok(_) => (None, None),
                    Err(fault) if fault.is_transient() => return Err(fault),
                    Err(fault) => (None, Some(fault)),
                };
                if holds == Some(true) && !reads(&unit.term, *condition, name) {
                    continue;
                }
                checks.push(Check {
                    depth,
                    span: unit.span(*condition),
                    via: None,
                    definition: None,
                    holds,
                    fault,
                    own: false,
                    assert: true,
                });
            }
        }
        Ok(checks)
    }
}

/// Returns whether an assert of an object reads a field by its name.
fn reads(term: &Term, condition: NodeId, name: &Name) -> bool {
    let mut work = vec![(condition, 0u32)];
    while let Some((id, frames)) = work.pop() {
        let this = |of: &NodeId| matches!(term.node(*of), Node::This { up } if *up == frames);
        match term.node(id) {
            Node::Project(of, field) if field == name && this(of) => return true,
            Node::Index(parts) if this(&parts[0]) => match term.node(parts[1]) {
                Node::Str(field) if field != name => {}
                _ => return true,
            },
            _ => {}
        }
        term.children_in_frames(id, &mut |child, opened| work.push((child, frames + opened)));
    }
    false
}

fn plain(node: &Node) -> bool {
    matches!(node, Node::Type(form) if !matches!(**form, TypeForm::Forall(..)))
}

fn check(pending: &PendingContract, depth: usize) -> Check {
    let applied = &pending.applied;
    Check {
        depth,
        span: applied.unit.span(applied.node),
        via: applied.label.clone(),
        definition: pending.definition,
        holds: None,
        fault: None,
        own: pending.own,
        assert: false,
    }
}

/// Returns whether a contract on the value is checked only when the value is used: a function contract.
fn later(value: &Value) -> bool {
    matches!(value, Value::Guarded(_))
}

/// Collects the contracts that parts of a value break, by their spans.
fn contracts_broken(datum: &Datum, out: &mut Vec<(Span, Fault)>) {
    let mut work = vec![datum];
    while let Some(datum) = work.pop() {
        match datum {
            Datum::Array(items) => work.extend(items),
            Datum::Record(entries) => work.extend(entries.iter().filter_map(|entry| entry.value.as_ref())),
            Datum::Variant(_, argument) => work.push(argument),
            Datum::Fault(problem) => {
                if let ProblemKind::Value(inner) = &problem.kind
                    && let ValueKind::Contract(broken) = &inner.what
                    && let Some(span) = broken.contract_span
                {
                    out.push((span, Fault::of((**problem).clone())));
                }
            }
            _ => {}
        }
    }
}
