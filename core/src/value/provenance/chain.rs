//! The definitions of a field in a `+` chain: the uppermost one, and those that it is built on.

use super::fold::{Fold, FoldKind, FoldStep};
use super::joins::KnownJoins;
use super::stack::written;
use super::{DefinitionOutcome, Flags, MergeOutcome, OutcomeReason, ResolvedField};
use crate::term::{Node, SuperRead};
use crate::text::Name;
use crate::value::object::hidden;
use crate::value::record::Record;
use crate::value::stack::{Def, LayerDefinition};
use crate::value::{Fault, Machine, Thunk};
use rustc_hash::FxHashMap;

impl Machine {
    /// Resolves a field of a chain; `None` if it does not exist or a layer removed it.
    pub(super) fn chain_of(
        &mut self,
        record: &Record,
        name: &Name,
        depth: usize,
        known_joins: &KnownJoins,
    ) -> Result<Option<ResolvedField>, Fault> {
        let Some(slot) = record.table().shape.fields.get(name) else { return Ok(None) };
        let joins = record.joins(known_joins);
        let mut definitions = Vec::new();
        let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
        let mut flags = Flags::default();
        for def in slot.defs() {
            self.tick()?;
            let layer = record.definition(def);
            let mut definition = written(&layer, depth);
            definition.join = joins.get(def.leaf as usize).copied().flatten();
            definition.layer = Some(def.leaf + 1);
            definition.value = self.own_value(record, name, def, &layer);
            (definition.outcome, definition.because) = (DefinitionOutcome::Lost, OutcomeReason::Above);
            if record.is_removed(name, def.leaf) {
                definition.because = OutcomeReason::Removed;
            } else if let LayerDefinition::Written { field, .. } = &layer {
                flags.hidden = hidden(flags.hidden, field.meta.visibility, field.meta.not_exported);
            } else if let LayerDefinition::Made(field) = &layer {
                flags.hidden |= field.not_exported;
                flags.secret |= field.secret;
            }
            numbers.insert(def.leaf, definitions.len());
            definitions.push(definition);
        }
        let Some(mut here) = record.find(name, u32::MAX) else { return Ok(None) };
        let value = self.layer_value(record, name, &here);
        let mut steps = Vec::new();
        let mut span = None;
        let mut outcome = DefinitionOutcome::Wins;
        let mut because = if definitions.len() == 1 { OutcomeReason::Only } else { OutcomeReason::Uppermost };
        loop {
            let number = numbers.get(&here.leaf).copied();
            let below = record.find(name, here.leaf);
            let layer = record.layer_definition(&here);
            let plus = matches!(&layer, LayerDefinition::Written { field, .. } if field.plus) && below.is_some();
            if plus && outcome != DefinitionOutcome::Prev {
                (outcome, because) = (DefinitionOutcome::Part, OutcomeReason::Folded);
            }
            let own = number.and_then(|n| definitions.get_mut(n)).and_then(|definition| {
                (definition.outcome, definition.because) = (outcome, because.clone());
                definition.value.clone()
            });
            let Some(below) = below else { break };
            if plus {
                if let LayerDefinition::Written { field, .. } = &layer {
                    span = span.or(Some(field.span));
                }
                let (lower, result) = (self.layer_value(record, name, &below), self.layer_value(record, name, &here));
                if let Some(higher) = own {
                    steps.push(FoldStep { lower, higher, same: true, result });
                }
            } else if reads_super(&layer, name) {
                (outcome, because) = (DefinitionOutcome::Prev, OutcomeReason::Read);
            } else {
                break;
            }
            here = below;
        }
        steps.reverse();
        let verdict = if definitions.iter().any(|d| d.outcome == DefinitionOutcome::Part) {
            MergeOutcome::Combined
        } else {
            MergeOutcome::Wins
        };
        let fold = span.map(|span| Fold { kind: FoldKind::Plus, span, function: None, steps });
        let fault = match self.force(&value) {
            Err(error) if error.is_transient() => return Err(error),
            result => result.err(),
        };
        let bare = Some(value.clone());
        let contracts = Vec::new();
        Ok(Some(ResolvedField { value, fault, verdict, definitions, contracts, fold, bare, chain: true, flags }))
    }

    /// Returns the value of a layer's own definition, without what `+:` adds it to.
    fn own_value(&mut self, record: &Record, name: &Name, def: Def, layer: &LayerDefinition) -> Option<Thunk> {
        if let LayerDefinition::Written { field, .. } = layer
            && field.plus
        {
            return layer.body();
        }
        let found = record.find(name, def.leaf.saturating_add(1)).filter(|found| found.leaf == def.leaf);
        match found {
            Some(found) => Some(self.layer_value(record, name, &found)),
            None => layer.body(),
        }
    }
}

impl Record {
    /// Returns the layers whose definitions make the value of a field, the uppermost first: one, or several that `+:` and `super`
    /// of the field itself join.
    pub(in crate::value) fn counting_layers(&self, name: &Name) -> Vec<u32> {
        let mut out = Vec::new();
        let mut next = self.find(name, u32::MAX);
        while let Some(here) = next {
            out.push(here.leaf);
            let layer = self.layer_definition(&here);
            let plus = matches!(&layer, LayerDefinition::Written { field, .. } if field.plus);
            let goes_on = plus || reads_super(&layer, name);
            next = if goes_on { self.find(name, here.leaf) } else { None };
        }
        out
    }
}

/// Returns whether a definition reads `super` with this name or with a computed one.
fn reads_super(layer: &LayerDefinition, name: &Name) -> bool {
    let LayerDefinition::Written { literal, field, .. } = layer else { return false };
    let Some(body) = field.body else { return false };
    let term = &literal.unit.term;
    let mut work = vec![(body, 0u32)];
    while let Some((id, frames)) = work.pop() {
        let node = term.node(id);
        if let Node::Super { up, read } = node
            && *up == frames
        {
            match read {
                SuperRead::Field(read) if read == name => return true,
                SuperRead::Field(_) | SuperRead::Has(_) => {}
                SuperRead::Index(index) => match term.node(*index) {
                    Node::Str(read) if read != name => {}
                    _ => return true,
                },
            }
        }
        term.children_in_frames(id, &mut |child, opened| work.push((child, frames + opened)));
    }
    // The locals of an object belong to a frame beside its fields.
    false
}
