//! Chains: objects composed of plain layers with `+`. A field comes from the uppermost layer that defines it.

use super::Order;
use super::small::SmallMap;
use crate::meta::Visibility;
use crate::problem::ProblemKind;
use crate::problem::value::Layer;
use crate::term::{FieldDef, FieldName, Prim};
use crate::text::{Name, Span};
use crate::value::collect::{Graph, Trace};
use crate::value::env::Env;
use crate::value::record::{Field, Layers, Record};
use crate::value::stack::{Def, LayerDefinition, Leaf};
use crate::value::{Fault, Machine, Thunk, Value};
use std::cell::{Cell, OnceCell, RefCell};

/// Number of layers that all lookups in a record may search together before the table of its fields is made.
const MAX_SEARCHED: u32 = 64;

/// The caches of a chain that is a final record: frames by layer, and values by layer and field.
#[derive(Default)]
pub(in crate::value) struct Chain {
    frames: RefCell<SmallMap<u32, Env>>,
    values: RefCell<SmallMap<(u32, u32), Thunk>>,
    searched: Cell<u32>,
    /// The fields that layers remove: the name, the lowest layer that it is removed from, and the layer that removes it. The field
    /// is removed from all layers between them, without the removing layer itself.
    removed: OnceCell<Vec<(Name, u32, u32)>>,
    registered: Cell<bool>,
}

impl Drop for Chain {
    fn drop(&mut self) {
        self.frames.get_mut().discard();
        self.values.get_mut().discard();
    }
}

impl Chain {
    /// Reports the values and environments in the caches to the cycle collector.
    pub(in crate::value) fn follow(&self, to: &mut Graph) {
        if let Ok(frames) = self.frames.try_borrow() {
            frames.values().for_each(|frame| frame.trace(to));
        }
        if let Ok(values) = self.values.try_borrow() {
            values.values().for_each(|thunk| thunk.trace(to));
        }
    }
}

/// A definition in a chain: a field of one of its layers.
pub(in crate::value) struct LayerField {
    /// The number of the layer, counted from 0 at the lowest.
    pub(in crate::value) leaf: u32,
    record: Record,
    field: u32,
}

impl Record {
    /// Returns whether the record is a chain of layers.
    pub(in crate::value) fn is_chain(&self) -> bool {
        self.0.order == Order::Chain
    }

    /// Returns whether the record is one plain layer.
    pub(in crate::value) fn is_plain(&self) -> bool {
        self.0.order == Order::Plain
    }

    /// Returns the number of layers.
    pub(in crate::value) fn leaves(&self) -> u32 {
        self.0.leaves
    }

    fn chain(&self) -> &Chain {
        self.0.chain.get_or_init(Box::default)
    }

    /// Returns the layer, the place and the value of the uppermost definition of a field in the layers below `limit`, for messages.
    #[cold]
    pub(in crate::value) fn layer_defined_at(&self, name: &str, limit: u32) -> Option<(u32, Span, Option<Span>)> {
        if (self.is_chain() || self.is_plain())
            && let Some(found) = self.find(name, limit)
        {
            let definition = self.layer_definition(&found);
            let body = definition.body_span();
            return Some((found.leaf, definition.name_span().or(body)?, body));
        }
        // a single literal has no list of layers
        if self.is_chain() || self.table().leaves().len() > 1 {
            return None;
        }
        let record = self.leaf_record(0);
        let Leaf::Literal(literal) = record.leaf() else { return None };
        let named = |field: &&FieldDef| matches!(&field.name, FieldName::Static(own) if own == name);
        let field = literal.lit()?.fields.iter().find(named)?;
        Some((0, field.name_span, field.body.map(|body| literal.unit.span(body))))
    }

    /// Returns the uppermost definition of a field in the layers below `limit`. O(1) after the first few lookups.
    pub(in crate::value) fn find(&self, name: &str, limit: u32) -> Option<LayerField> {
        if self.0.table.get().is_none()
            && let Ok(found) = self.search(name, limit)
        {
            return found;
        }
        let table = self.table();
        let slot = table.shape.fields.get(name)?;
        let mut def = slot.last_below(limit)?;
        while let Some(from) = self.removed_from(name, def.leaf, limit) {
            def = slot.last_below(from)?;
        }
        let record = table.leaves().get(def.leaf as usize)?.leaf.clone();
        Some(LayerField { leaf: def.leaf, record, field: def.field })
    }

    /// Returns the fields that layers remove, in the order of the removing layers. O(layers) the first time.
    fn removals(&self) -> &[(Name, u32, u32)] {
        self.chain().removed.get_or_init(|| {
            let leaves = self.table().leaves().iter().zip(0u32..);
            let removes = leaves.filter_map(|(layer, at)| Some((layer.leaf.removes()?, at)));
            removes.map(|((name, count), at)| (name.clone(), at.saturating_sub(*count), at)).collect()
        })
    }

    /// Returns the lowest layer of the removals that remove the definition in layer `leaf`, considering only removing layers
    /// below `limit`. `None` if the definition is not removed.
    fn removed_from(&self, name: &str, leaf: u32, limit: u32) -> Option<u32> {
        let hides =
            |(field, from, at): &&(Name, u32, u32)| field == name && *at < limit && (*from..*at).contains(&leaf);
        self.removals().iter().filter(hides).map(|(_, from, _)| *from).min()
    }

    /// Searches the layers below `limit` from the top. Returns `Err` after all searches in this record together visited
    /// [`MAX_SEARCHED`] layers; the caller then uses the table of all fields.
    fn search(&self, name: &str, limit: u32) -> Result<Option<LayerField>, ()> {
        let searched = &self.chain().searched;
        let mut work: Vec<(&Record, u32)> = vec![(self, 0)];
        while let Some((record, from)) = work.pop() {
            if from >= limit {
                continue;
            }
            searched.set(searched.get() + 1);
            if searched.get() > MAX_SEARCHED {
                return Err(());
            }
            match &record.0.layers {
                Layers::Inherit { below, above, .. } => {
                    work.push((below, from));
                    work.push((above, from + below.0.leaves));
                }
                Layers::Literal(literal) => {
                    if let Some(def) = literal.shape.fields.get(name).and_then(|slot| slot.only()) {
                        return Ok(Some(LayerField { leaf: from, record: record.clone(), field: def.field }));
                    }
                }
                _ => {
                    if record.removes().is_some_and(|(removed, _)| removed == name) {
                        // Skips the removed layers, which are directly below.
                        work.pop();
                        continue;
                    }
                    if let Some(def) = record.table().shape.fields.get(name).and_then(|slot| slot.last_below(1)) {
                        return Ok(Some(LayerField { leaf: from, record: record.clone(), field: def.field }));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Returns the definition that a lookup found.
    pub(in crate::value) fn layer_definition<'r>(&'r self, found: &'r LayerField) -> LayerDefinition<'r> {
        let def = Def { leaf: found.leaf, field: found.field, push: None, group: 0 };
        match found.record.leaf() {
            Leaf::Literal(literal) => match literal.field(found.field) {
                Some(field) => LayerDefinition::Written { record: self, def, literal, field },
                None => LayerDefinition::Nothing,
            },
            Leaf::Data(fields) => {
                fields.get(found.field as usize).map_or(LayerDefinition::Nothing, LayerDefinition::Made)
            }
        }
    }

    /// Returns whether a layer above `leaf` removes the field.
    pub(in crate::value) fn is_removed(&self, name: &str, leaf: u32) -> bool {
        self.removed_from(name, leaf, u32::MAX).is_some()
    }

    /// Returns the frame of a layer's field in this final record. The fields of a layer share a frame, except those of an object
    /// comprehension.
    pub(in crate::value) fn layer_frame(&self, leaf: u32, layer: &Record, field: u32) -> Env {
        let Leaf::Literal(literal) = layer.leaf() else { return Env::empty() };
        if literal.iterations.is_some() {
            return self.open_frame(literal, leaf, field);
        }
        let chain = self.chain();
        if let Some(frame) = chain.frames.borrow().get(&leaf) {
            return frame.clone();
        }
        let frame = self.open_frame(literal, leaf, field);
        chain.frames.borrow_mut().insert(leaf, frame.clone());
        frame
    }
}

impl Machine {
    /// Returns the object without a field. Its other fields, and layers that are added later, do not see the field
    /// either. If a polymorphic contract sealed fields of the object, the other fields are frozen instead.
    pub fn remove_field(&mut self, record: &Record, name: &str) -> Result<Record, Fault> {
        match record.0.order {
            _ if record.tail().is_some() => self.without_field(record, name),
            _ if self.has_field(record, name)? => Ok(record.removing(Name::new(name))),
            _ => Ok(record.clone()),
        }
    }

    /// Returns the value of a definition of a chain in this final record, unforced. O(1) after the first time.
    pub(in crate::value) fn layer_value(&mut self, record: &Record, name: &str, found: &LayerField) -> Thunk {
        let key = (found.leaf, found.field);
        if let Some(thunk) = record.chain().values.borrow().get(&key) {
            return thunk.clone();
        }
        let mut refers = true;
        let thunk = match found.record.leaf() {
            Leaf::Data(fields) => {
                refers = false;
                match fields.get(found.field as usize).and_then(|f| f.value.clone()) {
                    Some(value) => value,
                    None => Thunk::failed(self.missing_field(record, &Name::new(name), None)),
                }
            }
            Leaf::Literal(literal) => {
                let Some((def, body)) = literal.field(found.field).and_then(|f| Some((f, f.body?))) else {
                    return Thunk::failed(self.missing_field(record, &Name::new(name), None));
                };
                // All final records share the value of a body that does not refer to the record.
                let own = if literal.unit.reach(body) & 1 == 0 {
                    refers = def.plus;
                    literal.shared_body(found.field, body)
                } else {
                    Thunk::of_node(&literal.unit, body, &record.layer_frame(found.leaf, &found.record, found.field))
                };
                let (name, leaf, span) = (Name::new(name), found.leaf, def.span);
                // two closures, because those of `+:` are many and small
                if def.plus && literal.unit.rules.extends_layers() {
                    let place = literal.unit.span(body);
                    Thunk::holding((record.clone(), own), move |machine, (record, own)| {
                        let Some(below) = record.find(&name, leaf) else { return machine.force(own) };
                        let under = record.layer_definition(&below).body_span();
                        let below = machine.layer_value(record, &name, &below);
                        let own = machine.force(own)?;
                        if !matches!(own, Value::Record(_) | Value::Array(_)) {
                            return Ok(own);
                        }
                        let below = machine.force(&below)?;
                        machine.layered(below, own, span, (under, place))
                    })
                } else if def.plus {
                    Thunk::holding((record.clone(), own), move |machine, (record, own)| {
                        let Some(below) = record.find(&name, leaf) else { return machine.force(own) };
                        let below = machine.layer_value(record, &name, &below);
                        let below = machine.force(&below)?;
                        let own = machine.force(own)?;
                        machine.binary(Prim::Plus, below, own, span)
                    })
                } else {
                    own
                }
            }
        };
        let thunk = if self.tracer.is_some() {
            refers = true;
            self.traced_layer(record, name, found.leaf, thunk)
        } else {
            thunk
        };
        let chain = record.chain();
        chain.values.borrow_mut().insert(key, thunk.clone());
        if refers && !chain.registered.replace(true) {
            self.cycle_candidates.record(record);
        }
        thunk
    }

    /// Adds the layer whose field failed to a fault about a value, if the record is a chain and the fault has no layer yet.
    #[cold]
    pub(in crate::value) fn in_layer(&self, fault: Fault, record: &Record, name: &str) -> Fault {
        let known = match &fault.problem().kind {
            ProblemKind::Value(problem) => problem.layer.is_some(),
            _ => true,
        };
        if known || !record.is_chain() {
            return fault;
        }
        let Some(found) = record.find(name, u32::MAX) else { return fault };
        let span = match found.record.leaf() {
            Leaf::Literal(literal) => literal.field(found.field).map(|def| def.name_span),
            Leaf::Data(fields) => fields.get(found.field as usize).and_then(|f| f.span),
        };
        let layer = Layer { field: Name::new(name), number: found.leaf + 1, count: record.0.leaves, span };
        fault.change(|problem| problem.layer = Some(Box::new(layer)))
    }

    /// Returns the value of a chain's field by its index, unforced.
    pub(in crate::value) fn chain_field(&mut self, record: &Record, index: u32) -> Option<Thunk> {
        let table = record.table();
        let (name, slot) = table.shape.fields.get_index(index as usize)?;
        if !record.removals().is_empty() {
            let found = record.find(name, u32::MAX)?;
            return Some(self.layer_value(record, name, &found));
        }
        let def = slot.last_below(u32::MAX)?;
        let layer = table.leaves().get(def.leaf as usize)?.leaf.clone();
        Some(self.layer_value(record, name, &LayerField { leaf: def.leaf, record: layer, field: def.field }))
    }

    /// Returns the metadata of a chain's field. The uppermost layer that sets the visibility determines it.
    pub(in crate::value) fn chain_info(&mut self, record: &Record, index: u32) -> Option<Field> {
        let (name, slot) = record.table().shape.fields.get_index(index as usize)?;
        let mut field = Field {
            name: name.clone(),
            value: self.field_thunk(record, index),
            priority: Default::default(),
            optional: false,
            not_exported: false,
            secret: false,
            doc: None,
            pushed: false,
        };
        field.value.as_ref()?;
        // From the lowest layer up, so that higher layers override lower ones.
        for def in slot.defs().filter(|def| record.removed_from(name, def.leaf, u32::MAX).is_none()) {
            match record.definition(def) {
                LayerDefinition::Written { field: f, .. } => {
                    field.not_exported = hidden(field.not_exported, f.meta.visibility, f.meta.not_exported);
                    field.secret |= f.meta.secret && !self.reveals();
                    field.priority = f.meta.priority.priority.clone();
                    field.doc = f.meta.doc.as_ref().map(|(text, _)| text.clone()).or(field.doc);
                }
                LayerDefinition::Made(f) => {
                    field.not_exported |= f.not_exported;
                    field.secret |= f.secret && !self.reveals();
                    field.priority = f.priority.clone();
                    field.doc = f.doc.clone().or(field.doc);
                }
                LayerDefinition::Nothing => {}
            }
        }
        Some(field)
    }
}

/// Returns whether a field is hidden, given its visibility in lower layers and its own.
pub(in crate::value) fn hidden(below: bool, own: Visibility, not_exported: bool) -> bool {
    match own {
        Visibility::Inherit => below || not_exported,
        Visibility::Hidden => true,
        Visibility::Forced => false,
    }
}
