//! The metadata of a field, combined from all its definitions. Evaluates only guards.

use super::env::Unit;
use super::record::{Field, Record};
use super::stack::LayerDefinition;
use super::{Fault, Machine};
use crate::meta::Priority;
use crate::term::{AnnotKind, NodeId};
use crate::text::Span;
use std::rc::Rc;

/// The combined metadata of a field's definitions.
#[derive(Clone)]
pub struct Metadata {
    /// Value, priority, flags and documentation.
    pub field: Field,
    /// The spans of `| C` contracts, in merge order, without duplicates.
    pub contracts: Vec<Span>,
    /// The spans of `: T` annotations.
    pub types: Vec<Span>,
    /// The spans of `| merge f` annotations.
    pub merge: Vec<Span>,
}

impl Machine {
    /// Returns the combined metadata of a field's definitions; `None` if the field does not exist. Evaluates only
    /// guards. O(definitions of the field), once the record's table exists.
    pub fn metadata(&mut self, record: &Record, name: &str) -> Result<Option<Metadata>, Fault> {
        let Some(index) = record.index_of(name) else { return Ok(None) };
        let (field, definitions) = match self.field_info(record, index)? {
            Some(field) => (
                field,
                self.active_definitions(record, index)?.into_iter().map(|(_, definitions)| definitions).collect(),
            ),
            None => match self.switched_off(record, index) {
                Some(switched_off) => switched_off,
                None => return Ok(None),
            },
        };
        let mut metadata = Metadata { field, contracts: Vec::new(), types: Vec::new(), merge: Vec::new() };
        for definition in definitions {
            let LayerDefinition::Written { literal, field, .. } = definition else { continue };
            for annot in &field.meta.annots {
                let span = literal.unit.span(annot.ty);
                let into = match annot.kind {
                    AnnotKind::Contract => &mut metadata.contracts,
                    AnnotKind::Type => &mut metadata.types,
                };
                if !into.contains(&span) {
                    into.push(span);
                }
            }
            if let Some(merge) = field.meta.merge.map(|node| literal.unit.span(node))
                && !metadata.merge.contains(&merge)
            {
                metadata.merge.push(merge);
            }
        }
        let table = record.table();
        let each = table.shape.fields.get_index(index as usize).map(|(_, slot)| slot.contracts_of_all()).unwrap_or(&[]);
        for applied in each.iter().filter_map(|i| table.applied().get(*i as usize)) {
            metadata.contracts.push(applied.unit.span(applied.node));
        }
        Ok(Some(metadata))
    }

    /// Returns the metadata of a field whose definitions are all switched off by their guards, and the definitions.
    fn switched_off<'r>(&self, record: &'r Record, index: u32) -> Option<(Field, Vec<LayerDefinition<'r>>)> {
        let (name, slot) = record.table().shape.fields.get_index(index as usize)?;
        if record.is_chain() || !record.table().removed().is_empty() {
            return None;
        }
        let definitions: Vec<LayerDefinition<'r>> = slot.defs().map(|def| record.definition(def)).collect();
        let meta = |definition: &LayerDefinition<'r>| match definition {
            LayerDefinition::Written { field, .. } => Some(field.meta.clone()),
            _ => None,
        };
        let all: Vec<_> = definitions.iter().filter_map(meta).collect();
        let field = Field {
            name: name.clone(),
            value: None,
            priority: Priority::Normal,
            optional: !all.is_empty() && all.iter().all(|meta| meta.optional),
            not_exported: false,
            secret: all.iter().any(|meta| meta.secret) && !self.reveals(),
            doc: all.iter().find_map(|meta| meta.doc.as_ref()).map(|(text, _)| text.clone()),
            pushed: false,
        };
        Some((field, definitions))
    }
}

impl Record {
    /// Returns the spans of the guards of a field's definitions, without duplicates.
    pub(super) fn conditions(&self, index: u32) -> Vec<Span> {
        let mut out = Vec::new();
        let Some((_, slot)) = self.table().shape.fields.get_index(index as usize) else { return out };
        for def in slot.defs() {
            if let LayerDefinition::Written { literal, field, .. } = self.definition(def)
                && let Some(guard) = field.meta.guard.map(|node| literal.unit.span(node))
                && !out.contains(&guard)
            {
                out.push(guard);
            }
        }
        out
    }
}

impl LayerDefinition<'_> {
    /// Returns the priority as it is written.
    pub(super) fn priority(&self) -> Priority {
        match self {
            LayerDefinition::Written { field, .. } => field.meta.priority.priority.clone(),
            LayerDefinition::Made(field) => field.priority.clone(),
            LayerDefinition::Nothing => Priority::Normal,
        }
    }

    /// Returns the span of the value; `None` for a declaration.
    pub(super) fn body_span(&self) -> Option<Span> {
        match self {
            LayerDefinition::Written { literal, field, .. } => field.body.map(|b| literal.unit.span(b)),
            LayerDefinition::Made(field) => field.span,
            LayerDefinition::Nothing => None,
        }
    }

    /// Returns the unit and the node of the value, if it is written.
    pub(super) fn literal_body(&self) -> Option<(Rc<Unit>, NodeId)> {
        match self {
            LayerDefinition::Written { literal, field, .. } => Some((literal.unit.clone(), field.body?)),
            LayerDefinition::Made(_) | LayerDefinition::Nothing => None,
        }
    }

    /// Returns the span of the guard, if the definition has one.
    pub(super) fn guard_span(&self) -> Option<Span> {
        match self {
            LayerDefinition::Written { literal, field, .. } => field.meta.guard.map(|guard| literal.unit.span(guard)),
            LayerDefinition::Made(_) | LayerDefinition::Nothing => None,
        }
    }

    /// Returns the span of the name.
    pub(super) fn name_span(&self) -> Option<Span> {
        match self {
            LayerDefinition::Written { field, .. } => Some(field.name_span),
            LayerDefinition::Made(field) => field.span,
            LayerDefinition::Nothing => None,
        }
    }
}
