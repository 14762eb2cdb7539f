//! Resolves the definitions of a field whose layers are not a chain, as evaluation does (`field`), and keeps those that
//! evaluation skips.

use super::elements::Body;
use super::fold::{Fold, FoldKind, steps};
use super::joins::KnownJoins;
use super::{Definition, DefinitionOutcome, Flags, MergeOutcome, OutcomeReason, PendingContract, ResolvedField};
use crate::meta::{Priority, Visibility};
use crate::term::{AnnotKind, Node, NodeId};
use crate::text::Name;
use crate::value::contract::Applied;
use crate::value::env::{Env, Unit};
use crate::value::field::Candidate;
use crate::value::merger::check_merge_function;
use crate::value::record::{DataField, Record};
use crate::value::stack::{Def, LayerDefinition};
use crate::value::{Fault, Machine, Thunk, Value, merge};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::rc::Rc;

/// A merge function of a field, with its environment.
type Function = (Rc<Unit>, NodeId, Env);

/// The definitions that take part: their indices and their candidates.
#[derive(Default)]
struct Participants {
    numbers: Vec<usize>,
    candidates: Vec<Candidate>,
}

impl Machine {
    /// Resolves a field of a record; `None` if it does not exist.
    pub(super) fn stack_of(
        &mut self,
        record: &Record,
        name: &Name,
        depth: usize,
        known_joins: &KnownJoins,
    ) -> Result<Option<ResolvedField>, Fault> {
        let Some(index) = record.index_of(name) else { return Ok(None) };
        if record.is_chain() {
            return self.chain_of(record, name, depth, known_joins);
        }
        let Some((_, slot)) = record.table().shape.fields.get_index(index as usize) else { return Ok(None) };
        let joins = record.joins(known_joins);
        let merges = record.table().shape.merges;
        let mut definitions: Vec<Definition> = Vec::new();
        let mut live: Vec<(Def, LayerDefinition)> = Vec::new();
        let mut numbers: Vec<usize> = Vec::new();
        let mut fault = None;
        for def in slot.defs() {
            self.tick()?;
            let layer = record.definition(def);
            let mut definition = written(&layer, depth);
            definition.push = def.push;
            definition.join = joins.get(def.leaf as usize).copied().flatten();
            definition.brought = record.leaf_label(def.leaf).cloned();
            let counts = merges && definition.brought.is_none();
            let again = !counts
                && record.table().splits().is_empty()
                && live.len() < 32
                && live.iter().any(|(_, known)| known.same(&layer));
            if again {
                definition.outcome = DefinitionOutcome::Same;
                definition.because = OutcomeReason::Again;
                definition.value = layer.body();
            } else {
                match self.is_active(record, &layer) {
                    Ok(true) => {
                        numbers.push(definitions.len());
                        live.push((def, layer));
                    }
                    Ok(false) => {
                        definition.because = OutcomeReason::Condition;
                        definition.value = layer.body();
                    }
                    Err(error) if error.is_transient() => return Err(error),
                    Err(error) => {
                        definition.because = OutcomeReason::Condition;
                        fault = fault.or(Some(error));
                    }
                }
            }
            definitions.push(definition);
        }
        let mut found = ResolvedField {
            value: Thunk::failed(Fault::undefined("no value", None)),
            fault,
            verdict: MergeOutcome::Faulty,
            definitions,
            contracts: Vec::new(),
            fold: None,
            bare: None,
            chain: false,
            flags: Flags::default(),
        };
        let field = match self.field_info(record, index) {
            Ok(field) => field,
            Err(error) if error.is_transient() => return Err(error),
            Err(error) => {
                found.fault = found.fault.or(Some(error));
                None
            }
        };
        if let Some(field) = field {
            found.flags = Flags { hidden: field.not_exported, optional: field.optional, secret: field.secret };
        }
        let added = if found.fault.is_none() { self.added(record, index, &live)? } else { Vec::new() };
        if added.len() > 1 {
            self.decide_added(record, &live, &numbers, &added, &mut found);
        } else {
            let (functions, folds) = self.gather(record, &live, &numbers, &mut found);
            let parts = self.parts(record, name, &live, &numbers, &mut found)?;
            if found.fault.is_none() {
                self.decide(record, name, functions, folds, parts, &mut found)?;
            }
        }
        let each = slot.contracts_of_all().iter().filter_map(|i| record.table().applied().get(*i as usize)).cloned();
        found.contracts.extend(each.map(|applied| PendingContract { applied, definition: None, own: false }));
        if let Some(thunk) = self.field_as_is(record, index) {
            match self.force(&thunk) {
                Ok(_) => {}
                Err(error) if error.is_transient() => return Err(error),
                Err(error) => found.fault = Some(found.fault.unwrap_or(error)),
            }
            found.value = thunk;
        }
        if found.flags.secret {
            let values = found.definitions.iter_mut().filter_map(|definition| definition.value.as_mut());
            self.hide_parts(values.chain(found.bare.as_mut()));
        }
        self.origins(&mut found, &live, &numbers, name, depth, known_joins)?;
        Ok(Some(found))
    }

    /// Collects the contracts and merge functions of the definitions whose guards hold, without duplicates.
    fn gather(
        &mut self,
        record: &Record,
        live: &[(Def, LayerDefinition)],
        numbers: &[usize],
        found: &mut ResolvedField,
    ) -> (Vec<Function>, Vec<u32>) {
        let mut functions: Vec<Function> = Vec::new();
        let mut folds = Vec::new();
        for ((def, layer), number) in live.iter().zip(numbers) {
            let LayerDefinition::Written { literal, field, .. } = layer else { continue };
            let same = |unit: &Rc<Unit>, node: NodeId, env: &Env, other: NodeId, other_env: &Env| {
                node == other && Rc::ptr_eq(unit, &literal.unit) && env.same(other_env)
            };
            if let Some(node) = field.meta.merge {
                folds.push(def.group);
                let env = layer.env(node);
                if !functions.iter().any(|(unit, n, e)| same(unit, *n, e, node, &env)) {
                    functions.push((literal.unit.clone(), node, env));
                }
            }
            for annot in &field.meta.annots {
                let own = annot.kind == AnnotKind::Type && field.body.is_some();
                let env = layer.env(annot.ty);
                let known = |c: &PendingContract| same(&c.applied.unit, c.applied.node, &c.applied.env, annot.ty, &env);
                if !found.contracts.iter().any(known) {
                    let label = record.leaf_label(def.leaf).cloned();
                    let applied = Rc::new(Applied::new(literal.unit.clone(), annot.ty, env, label));
                    found.contracts.push(PendingContract { applied, definition: Some(*number), own });
                }
            }
        }
        (functions, folds)
    }

    /// Returns the definitions that have a value and are not hidden by a higher one, as evaluation selects them.
    fn parts(
        &mut self,
        record: &Record,
        name: &Name,
        live: &[(Def, LayerDefinition)],
        numbers: &[usize],
        found: &mut ResolvedField,
    ) -> Result<Participants, Fault> {
        let all = 0..u32::MAX;
        let uppermost: FxHashSet<*const (Def, LayerDefinition)> =
            record.uppermost(live, &all).into_iter().map(std::ptr::from_ref).collect();
        let mut parts = Participants::default();
        for (pair, number) in live.iter().zip(numbers) {
            let (def, layer) = pair;
            let counts = uppermost.contains(&std::ptr::from_ref(pair));
            let candidate = match self.candidate(record, name, *def, layer) {
                Ok(candidate) => candidate,
                Err(error) if error.is_transient() => return Err(error),
                Err(error) => {
                    found.fault = Some(error);
                    None
                }
            };
            let Some(definition) = found.definitions.get_mut(*number) else { continue };
            match candidate {
                None => {
                    let optional = matches!(layer, LayerDefinition::Written { field, .. } if field.meta.optional);
                    definition.because = if optional { OutcomeReason::Unset } else { OutcomeReason::Declares };
                }
                Some(candidate) => {
                    definition.value = Some(candidate.body.clone());
                    definition.priority = candidate.priority.clone();
                    if counts {
                        parts.numbers.push(*number);
                        parts.candidates.push(candidate);
                    } else {
                        definition.outcome = DefinitionOutcome::Lost;
                        definition.because = OutcomeReason::Above;
                    }
                }
            }
        }
        Ok(parts)
    }

    /// Determines the outcomes of the definitions that take part.
    fn decide(
        &mut self,
        record: &Record,
        name: &Name,
        functions: Vec<Function>,
        folds: Vec<u32>,
        parts: Participants,
        found: &mut ResolvedField,
    ) -> Result<(), Fault> {
        let mut definitions = std::mem::take(&mut found.definitions);
        let decided = self.decided(record, name, functions, folds, parts, found, &mut |number, outcome, because| {
            if let Some(definition) = definitions.get_mut(number) {
                (definition.outcome, definition.because) = (outcome, because);
            }
        });
        found.definitions = definitions;
        decided
    }

    #[allow(clippy::too_many_arguments)]
    fn decided(
        &mut self,
        record: &Record,
        name: &Name,
        functions: Vec<Function>,
        folds: Vec<u32>,
        parts: Participants,
        found: &mut ResolvedField,
        set: &mut dyn FnMut(usize, DefinitionOutcome, OutcomeReason),
    ) -> Result<(), Fault> {
        let Participants { numbers, candidates } = parts;
        let top = candidates.iter().map(|c| &c.priority).max_by(|a, b| a.rank(b)).cloned();
        let (Some(top), Some(first)) = (top, numbers.first().copied()) else {
            found.verdict = MergeOutcome::Missing;
            return Ok(());
        };
        if let [(unit, node, env)] = functions.as_slice() {
            if let [only] = candidates.as_slice() {
                set(first, DefinitionOutcome::Wins, OutcomeReason::Only);
                found.verdict = MergeOutcome::Wins;
                found.bare = Some(only.body.clone());
                return Ok(());
            }
            numbers.iter().for_each(|number| set(*number, DefinitionOutcome::Part, OutcomeReason::Folded));
            found.verdict = MergeOutcome::Combined;
            let span = unit.span(*node);
            let folded = self.eval(unit, *node, env).and_then(|function| {
                check_merge_function(&function, span)?;
                let parts = self.folding(record, name, &function, span, candidates, &folds)?;
                let only = parts.first().map(|part| part.body.clone());
                let steps = steps(&function, span, parts);
                found.bare = steps.last().map(|step| step.result.clone()).or(only);
                let function = match &function {
                    Value::Function(closure) => Some(closure.unit.span(closure.node)),
                    _ => None,
                };
                found.fold = Some(Fold { kind: FoldKind::Function, span, function, steps });
                Ok(())
            });
            return found.keep_fault(folded).map(drop);
        }
        if functions.len() > 1 {
            numbers.iter().for_each(|number| set(*number, DefinitionOutcome::Tie, OutcomeReason::Differs));
            return Ok(());
        }
        let Some(best) = found.keep_fault(self.best(&candidates, &top))? else { return Ok(()) };
        let places: FxHashSet<*const Candidate> = best.iter().map(|candidate| std::ptr::from_ref(*candidate)).collect();
        let is_best = |candidate: &Candidate| places.contains(&std::ptr::from_ref(candidate));
        let mut ties = Vec::with_capacity(best.len());
        let mut ranks: Vec<&Priority> = candidates.iter().map(|c| &c.priority).collect();
        ranks.sort_by(|a, b| a.rank(b));
        for (number, candidate) in numbers.iter().zip(&candidates) {
            match is_best(candidate) {
                true => ties.push(*number),
                false => set(
                    *number,
                    DefinitionOutcome::Lost,
                    OutcomeReason::Weaker(next_above(&ranks, &candidate.priority, &top)),
                ),
            }
        }
        let (Some(strongest), Some(first)) = (best.first(), ties.first().copied()) else { return Ok(()) };
        if best.len() == 1 {
            set(
                first,
                DefinitionOutcome::Wins,
                if numbers.len() == 1 { OutcomeReason::Only } else { OutcomeReason::Strongest },
            );
            found.verdict = MergeOutcome::Wins;
            found.bare = Some(strongest.body.clone());
            return Ok(());
        }
        let bodies: Vec<Thunk> = best.iter().map(|c| c.body.clone()).collect();
        let merging = self.merge_all(&bodies, record.unit(), strongest.span, None);
        match found.keep_fault(merging)? {
            Some(Ok(value)) if merged(&value) => {
                ties.iter().for_each(|number| set(*number, DefinitionOutcome::Part, OutcomeReason::Merged));
                found.bare = Some(Thunk::done(value));
                found.verdict = MergeOutcome::Combined;
            }
            Some(Ok(_)) => {
                ties.iter().skip(1).for_each(|number| set(*number, DefinitionOutcome::Same, OutcomeReason::Equal));
                set(first, DefinitionOutcome::Wins, OutcomeReason::Strongest);
                found.bare = bodies.into_iter().next();
                found.verdict = MergeOutcome::Wins;
            }
            Some(Err(merge::Clash)) => {
                ties.iter().for_each(|number| set(*number, DefinitionOutcome::Tie, OutcomeReason::Differs));
                found.verdict = MergeOutcome::Conflict;
            }
            // a value that fails is combined with nothing
            None => ties.iter().for_each(|number| set(*number, DefinitionOutcome::Tie, OutcomeReason::Differs)),
        }
        Ok(())
    }

    /// For a field that a contract or the library copied from another record: replaces it by the definitions of that
    /// record.
    fn origins(
        &mut self,
        found: &mut ResolvedField,
        live: &[(Def, LayerDefinition)],
        numbers: &[usize],
        name: &Name,
        depth: usize,
        known_joins: &KnownJoins,
    ) -> Result<(), Fault> {
        for ((_, layer), number) in live.iter().zip(numbers).rev() {
            let LayerDefinition::Made(DataField { origin: Some(origin), .. }) = layer else { continue };
            let origin = origin.clone();
            let Some(inner) = self.deeper(|machine| machine.stack_of(&origin.record, name, depth, known_joins))? else {
                continue;
            };
            found.splice(*number, inner, origin.check.clone());
        }
        Ok(())
    }
}

impl ResolvedField {
    /// Stores a fault of the definitions, and passes an interrupt on.
    fn keep_fault<T>(&mut self, result: Result<T, Fault>) -> Result<Option<T>, Fault> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(fault) if fault.is_transient() => Err(fault),
            Err(fault) => {
                self.fault = Some(fault);
                Ok(None)
            }
        }
    }

    /// Replaces a copied definition by the definitions of the record that it was copied from.
    fn splice(&mut self, number: usize, inner: ResolvedField, check: Option<Rc<Applied>>) {
        let Some(outer) = self.definitions.get(number).cloned() else { return };
        let count = inner.definitions.len();
        let moved = |at: usize| if at > number { at + count - 1 } else { at };
        for pending in &mut self.contracts {
            pending.definition = pending.definition.map(moved);
        }
        let own = inner.contracts.into_iter().map(|mut pending| {
            pending.definition = pending.definition.map(|at| at + number);
            pending
        });
        let mut contracts: Vec<PendingContract> = own.collect();
        contracts.extend(check.map(|applied| PendingContract { applied, definition: None, own: false }));
        self.contracts.splice(0..0, contracts);
        let definitions = inner.definitions.into_iter().map(|mut definition| {
            if !matches!(outer.outcome, DefinitionOutcome::Wins | DefinitionOutcome::Part)
                && !matches!(definition.outcome, DefinitionOutcome::Off | DefinitionOutcome::Lost)
            {
                (definition.outcome, definition.because) = (outer.outcome, outer.because.clone());
            }
            definition.join = definition.join.or(outer.join);
            definition
        });
        self.definitions.splice(number..number + 1, definitions);
        if outer.outcome == DefinitionOutcome::Wins {
            self.verdict = inner.verdict;
            self.fold = self.fold.take().or(inner.fold);
            self.bare = inner.bare.or(self.bare.take());
            self.chain |= inner.chain;
            self.flags.hidden |= inner.flags.hidden;
            self.flags.secret |= inner.flags.secret;
        }
    }
}

/// Returns the lowest priority that is higher than `own`. `ranks` is sorted. O(log priorities).
fn next_above(ranks: &[&Priority], own: &Priority, top: &Priority) -> Priority {
    let at = ranks.partition_point(|rank| rank.rank(own) != Ordering::Greater);
    ranks.get(at).copied().unwrap_or(top).clone()
}

/// Returns whether merging combined the value from parts.
fn merged(value: &Value) -> bool {
    match value {
        Value::Record(_) => true,
        Value::Variant(_, argument) => argument.computed().is_some_and(|v| merged(&v)),
        _ => false,
    }
}

/// Returns a definition as it is written, without an outcome.
pub(super) fn written(layer: &LayerDefinition, depth: usize) -> Definition {
    let mut definition = Definition {
        depth,
        span: layer.body_span(),
        name_span: layer.name_span(),
        whole: layer.name_span(),
        priority: layer.priority(),
        priority_span: None,
        push: None,
        value: None,
        outcome: DefinitionOutcome::Off,
        because: OutcomeReason::Declares,
        join: None,
        brought: None,
        guard: None,
        visibility: Visibility::Inherit,
        plus: false,
        layer: None,
        literal: false,
        body: None,
    };
    if let LayerDefinition::Written { literal, field, .. } = layer {
        definition.whole = Some(field.span);
        definition.priority_span = field.meta.priority.span;
        definition.guard = field.meta.guard.map(|node| literal.unit.span(node));
        definition.visibility = field.meta.visibility;
        definition.plus = field.plus;
        definition.literal = field.body.is_some_and(|body| {
            matches!(
                literal.unit.node(body),
                Node::Null | Node::Bool(_) | Node::Number(_) | Node::Str(_) | Node::Tag(_)
            )
        });
        definition.body = field.body.map(|node| Body { unit: literal.unit.clone(), node, env: layer.env(node) });
    }
    definition
}
