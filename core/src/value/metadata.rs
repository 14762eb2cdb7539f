//! The metadata of a field: what all its definitions say, through merges. Nothing but guards is evaluated.

use super::record::{Field, Record};
use super::stack::Definition;
use super::{Fault, Machine};
use crate::term::AnnotKind;
use crate::text::Span;

/// What the definitions of a field say.
#[derive(Clone)]
pub struct Metadata {
    /// Value, priority, flags, documentation.
    pub field: Field,
    /// `| C`, in the order of the merge, each place once: where it is written.
    pub contracts: Vec<Span>,
    /// `: T`
    pub types: Vec<Span>,
    /// `| merge f`
    pub merge: Vec<Span>,
}

impl Machine {
    /// What the definitions of a field say; `None` where there is none. Evaluates guards, nothing else.
    /// O(definitions of the field), after the record's table is there.
    pub fn metadata(&mut self, record: &Record, name: &str) -> Result<Option<Metadata>, Fault> {
        let Some(index) = record.index_of(name) else { return Ok(None) };
        let Some(field) = self.field_info(record, index)? else { return Ok(None) };
        let mut metadata = Metadata { field, contracts: Vec::new(), types: Vec::new(), merge: Vec::new() };
        for (_, definition) in self.live(record, index)? {
            let Definition::Written { literal, field, .. } = definition else { continue };
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
        let each = table.shape.fields.get_index(index as usize).map(|(_, slot)| slot.each()).unwrap_or(&[]);
        for applied in each.iter().filter_map(|i| table.applied().get(*i as usize)) {
            metadata.contracts.push(applied.unit.span(applied.node));
        }
        Ok(Some(metadata))
    }
}
