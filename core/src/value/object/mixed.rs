//! Records that mix `+` with other compositions: the order of the definitions of a field, and the values below a layer.

use super::Order;
use crate::text::Name;
use crate::value::Machine;
use crate::value::record::{Layers, Record};
use crate::value::stack::{Def, LayerDefinition};
use crate::value::thunk::Thunk;
use std::ops::Range;

impl Record {
    /// Returns whether there is a layer below a leaf.
    pub(in crate::value) fn has_below(&self, leaf: u32) -> bool {
        match self.0.order {
            Order::Chain => leaf > 0,
            Order::Mixed => self.table().splits().iter().any(|[_, middle, end]| (*middle..*end).contains(&leaf)),
            Order::None | Order::Plain => false,
        }
    }

    /// Returns whether the record is a composition.
    pub(in crate::value) fn is_merged(&self) -> bool {
        !matches!(self.0.layers, Layers::Literal(_) | Layers::Data(_))
    }

    /// Returns the definitions of a field in the leaves `within`, without those that are hidden. In an operand of `+`, a definition
    /// with a value hides all definitions in the operand below.
    pub(in crate::value) fn uppermost<'d, 'r>(
        &self,
        defs: &'d [(Def, LayerDefinition<'r>)],
        within: &Range<u32>,
    ) -> Vec<&'d (Def, LayerDefinition<'r>)> {
        let mut chosen: Vec<_> = defs.iter().filter(|(def, _)| within.contains(&def.leaf)).collect();
        for [from, middle, end] in self.table().splits() {
            let defined = |(def, definition): &&(Def, LayerDefinition)| {
                (*middle..*end).contains(&def.leaf) && definition.is_defined()
            };
            if chosen.iter().any(defined) {
                chosen.retain(|(def, _)| !(*from..*middle).contains(&def.leaf));
            }
        }
        chosen
    }

    /// Returns the ranges of leaves below a leaf, the nearest first.
    fn ranges_below(&self, leaf: u32) -> impl Iterator<Item = Range<u32>> + '_ {
        let splits = self.table().splits().iter().rev();
        splits.filter(move |[_, middle, end]| (*middle..*end).contains(&leaf)).map(|[from, middle, _]| *from..*middle)
    }
}

impl Machine {
    /// Returns the value of a field from the layers below a leaf of a mixed record, unforced.
    pub(super) fn mixed_below(&mut self, record: &Record, leaf: u32, name: &str) -> Option<Thunk> {
        if record.0.order != Order::Mixed {
            return None;
        }
        let index = record.index_of(name)?;
        if let Some(mut defs) = record.ordered(index) {
            defs.retain(|def| def.leaf < leaf);
            // A fault of a guard is not reported here, because it occurs again when the value is forced.
            if defs.is_empty() || matches!(self.any_holds(record, &defs), Ok(false)) {
                return None;
            }
            self.register_record(record);
            let name = Name::new(name);
            let below = Thunk::holding(record.clone(), move |machine, record| {
                let found = machine.resolve_ordered(record, &defs)?;
                found.ok_or_else(|| machine.missing_field(record, &name, None))
            });
            return Some(below);
        }
        let (_, slot) = record.table().shape.fields.get_index(index as usize)?;
        let range = record
            .ranges_below(leaf)
            .find(|range| slot.defs().any(|def| range.contains(&def.leaf) && record.definition(def).is_defined()))?;
        self.register_record(record);
        let top = range.end;
        let below =
            Thunk::holding(record.clone(), move |machine, record| machine.resolve_within(record, index, range.clone()));
        Some(if self.tracer.is_some() { self.traced_layer(record, name, top, below) } else { below })
    }
}

impl LayerDefinition<'_> {
    /// Returns whether the definition has a value.
    pub(in crate::value) fn is_defined(&self) -> bool {
        match self {
            LayerDefinition::Written { field, .. } => field.body.is_some(),
            LayerDefinition::Made(field) => field.value.is_some(),
            LayerDefinition::Nothing => false,
        }
    }
}
