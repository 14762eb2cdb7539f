//! The contracts on a field, one after the other, and those on the records around it.

use super::{Check, Found, Waiting};
use crate::problem::Kind;
use crate::problem::value::ValueKind;
use crate::term::{Node, TypeForm};
use crate::text::{Name, Span};
use crate::value::contract::describe::describe;
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::record::Record;
use crate::value::{Fault, Machine, Thunk, Value};

/// How much of a value is forced to see whether what its contracts say of its parts holds.
const DEEP: Budget = Budget { elements: 2000, depth: 12, text: usize::MAX };

impl Machine {
    /// Applies the contracts one after the other, as evaluation does, and says of each whether it holds.
    pub(super) fn checked(
        &mut self,
        contracts: &[Waiting],
        bare: Option<&Thunk>,
        record: &Record,
        name: &Name,
        depth: usize,
    ) -> Result<Vec<Check>, Fault> {
        let mut value = bare.cloned();
        let mut checks: Vec<Check> = Vec::new();
        for waiting in contracts {
            self.tick()?;
            let mut check = check(waiting, depth);
            if let Some(before) = value.clone() {
                let applied = std::slice::from_ref(&waiting.applied);
                match self.apply_all(applied, &before, None, Some((record, name))) {
                    Ok(after) if waiting.own => {
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
                        if !waiting.own {
                            value = None;
                        }
                    }
                }
            }
            checks.push(check);
        }
        // What contracts say of parts shows when the parts are forced.
        if let Some(value) = value
            && checks.iter().any(|check| check.holds == Some(true))
            && matches!(value.peek(), Some(Value::Record(_) | Value::Array(_) | Value::Variant(..)))
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

    /// The contracts on an outer field that look at it as a whole: no plain types, which say nothing of what is inside.
    pub(super) fn around(&mut self, stack: &Found, depth: usize) -> Result<Vec<Check>, Fault> {
        let mut checks = Vec::new();
        for waiting in &stack.contracts {
            let unit = &waiting.applied.unit;
            let shape = match unit.node(waiting.applied.node) {
                // What it says of the fields stands at the fields.
                Node::Type(_) => true,
                _ => match self.eval(unit, waiting.applied.node, &waiting.applied.env) {
                    Ok(Value::Record(_)) => true,
                    Ok(Value::Contract(contract)) => {
                        matches!(&*contract, crate::value::Contract::Form(unit, node, ..) if plain(unit.node(*node)))
                    }
                    Ok(_) => false,
                    Err(fault) if fault.is_transient() => return Err(fault),
                    Err(_) => true,
                },
            };
            if shape || waiting.own {
                continue;
            }
            let mut check = check(waiting, depth);
            check.definition = None;
            // The walk goes on only where the outer field has its value: everything on it held.
            check.holds = Some(true);
            checks.push(check);
        }
        Ok(checks)
    }
}

fn plain(node: &Node) -> bool {
    matches!(node, Node::Type(form) if !matches!(**form, TypeForm::Forall(..)))
}

fn check(waiting: &Waiting, depth: usize) -> Check {
    let applied = &waiting.applied;
    Check {
        depth,
        span: applied.unit.span(applied.node),
        name: describe(&applied.unit.term, applied.node),
        via: applied.label.clone(),
        definition: waiting.definition,
        holds: None,
        fault: None,
        own: waiting.own,
    }
}

/// Whether a contract on the value is checked only when it is used: that of a function.
fn later(value: &Value) -> bool {
    matches!(value, Value::Guarded(_))
}

/// The contracts that parts of a value break, by where they are written.
fn contracts_broken(datum: &Datum, out: &mut Vec<(Span, Fault)>) {
    let mut work = vec![datum];
    while let Some(datum) = work.pop() {
        match datum {
            Datum::Array(items) => work.extend(items),
            Datum::Record(entries) => work.extend(entries.iter().filter_map(|entry| entry.value.as_ref())),
            Datum::Variant(_, argument) => work.push(argument),
            Datum::Fault(problem) => {
                if let Kind::Value(met) = &problem.kind
                    && let ValueKind::Contract(broken) = &met.what
                    && let Some(span) = broken.contract_span
                {
                    out.push((span, Fault::of((**problem).clone())));
                }
            }
            _ => {}
        }
    }
}
