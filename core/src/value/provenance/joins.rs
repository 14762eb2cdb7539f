//! The written operator that merged a definition with those before it.

use super::{Definition, DefinitionOutcome, OutcomeReason};
use crate::meta::{Priority, Push, Visibility};
use crate::text::Span;
use crate::value::reach::of_field;
use crate::value::record::{Layers, Record, RecordNode};
use crate::value::stack::{Leaf, combine};
use crate::value::{Thunk, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A merge as it is written: `a & b`, `a + b`, a call of a function that merges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Join {
    /// The span of the whole expression.
    pub span: Span,
    /// The index of the operand that contributed the definition, from 0.
    pub operand: u32,
    /// Whether the operator is the `+` of objects.
    pub plus: bool,
}

impl Join {
    /// Returns the join of a layer inside two joins: the innermost one in which the layer is not the first operand.
    fn within(self, outer: Option<Join>) -> Join {
        match outer {
            Some(outer) if self.operand == 0 && outer.operand > 0 => outer,
            _ => self,
        }
    }
}

/// The joins of the records that are definitions of outer fields.
#[derive(Default)]
pub struct KnownJoins {
    known: FxHashMap<usize, Join>,
}

impl KnownJoins {
    /// Remembers the join of a definition's record.
    pub(super) fn remember(&mut self, value: &Thunk, join: Option<&Join>) {
        if let (Some(Value::Record(record)), Some(join)) = (value.computed(), join) {
            self.known.insert(Rc::as_ptr(&record.0) as usize, *join);
        }
    }

    fn of(&self, node: *const RecordNode) -> Option<Join> {
        self.known.get(&(node as usize)).copied()
    }
}

impl Record {
    /// Returns the literals that a record is composed of, as definitions.
    pub(super) fn composed(&self, known: &KnownJoins, depth: usize) -> Vec<Definition> {
        let chain = self.is_chain();
        let joins = self.joins(known);
        let several = joins.len() > 1;
        let of = |(join, leaf): (Option<Join>, u32)| {
            let record = self.leaf_record(leaf);
            let span = record.span();
            Definition {
                depth,
                span,
                name_span: span,
                whole: span,
                priority: Priority::Normal,
                priority_span: None,
                push: None,
                value: Some(Thunk::done(Value::Record(record.clone()))),
                outcome: if several { DefinitionOutcome::Part } else { DefinitionOutcome::Wins },
                because: if several { OutcomeReason::Merged } else { OutcomeReason::Only },
                join,
                brought: self.leaf_label(leaf).cloned(),
                guard: None,
                visibility: Visibility::Inherit,
                plus: false,
                layer: chain.then_some(leaf + 1),
                literal: false,
                body: None,
            }
        };
        joins.into_iter().zip(0..).map(of).collect()
    }

    /// Returns whether a part of the record refers to the record. O(definitions).
    pub(super) fn refers_to_itself(&self) -> bool {
        let count = self.table().leaves().len().max(1) as u32;
        (0..count).any(|number| {
            let Leaf::Literal(literal) = self.leaf_record(number).leaf() else { return false };
            let Some(lit) = literal.lit() else { return false };
            let inside = |node| literal.unit.reach(node);
            let locals = lit.locals.iter().fold(0, |all, local| all | inside(local.body));
            lit.fields.iter().any(|field| (of_field(field, inside) | locals) & 1 != 0)
        })
    }

    /// Returns the join of each leaf. O(layers).
    pub(super) fn joins(&self, known: &KnownJoins) -> Vec<Option<Join>> {
        // Visits the layers in the order in which `stack` numbers the leaves.
        let mut out = Vec::new();
        let mut seen = FxHashSet::default();
        let mut work: Vec<(&Record, Option<Push>, Option<Join>, bool)> = vec![(self, None, None, false)];
        while let Some((record, push, outer, each)) = work.pop() {
            if !self.0.merges && !each && !seen.insert((Rc::as_ptr(&record.0) as usize, push)) {
                continue;
            }
            let join = known.of(Rc::as_ptr(&record.0)).map(|own| own.within(outer)).or(outer);
            match &record.0.layers {
                Layers::Nothing => {}
                Layers::Literal(_) | Layers::Data(_) => out.push(join),
                Layers::Merge { parts, written, .. } => {
                    let of = |operand: usize| match written {
                        Some(span) => Some(Join { span: *span, operand: operand as u32, plus: false }.within(join)),
                        None => join,
                    };
                    work.extend(parts.iter().enumerate().rev().map(|(i, record)| (record, push, of(i), each)));
                }
                Layers::Inherit { below, above, written } => {
                    let of = |operand| match written {
                        Some(span) => Some(Join { span: *span, operand, plus: true }.within(join)),
                        None => join,
                    };
                    work.push((above, push, of(1), true));
                    work.push((below, push, of(0), true));
                }
                Layers::Push(inner, own) => {
                    work.push((inner, Some(combine(push, *own)), join, each));
                }
                Layers::Each(inner, _) => work.push((inner, push, join, true)),
                Layers::Contract { value, contract, .. } => {
                    work.push((contract, push, join, each));
                    work.push((value, push, join, each));
                }
            }
        }
        out
    }
}
