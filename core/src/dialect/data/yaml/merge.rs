//! Merge keys: `<<: *base`, `<<: [*one, *two]` (<https://yaml.org/type/merge.html>).
//!
//! YAML 1.2 dropped them, but they are widely used. The fields of the mapping after `<<` become fields of the enclosing
//! mapping. Each is a projection from the anchor, with the span of its definition. Keys of the mapping itself win, then
//! earlier mappings; nested mappings are not merged.

use super::{Items, Open, Reader};
use crate::dialect::data::build::Entry;
use crate::problem::Severity;
use crate::problem::data::DataProblem;
use crate::term::{FieldName, Node, NodeId};
use crate::text::{Name, Span};
use rustc_hash::FxHashSet;

/// Maximum number of fields that the merge keys of one file may add.
const MOST_BROUGHT: u64 = 5_000_000;

/// A field that a merge key adds.
struct MergedField {
    slot: u32,
    name: Name,
    name_span: Span,
    span: Span,
}

impl Reader {
    /// Returns `true` if the next value is the value of `<<`, or in a sequence that is.
    pub(super) fn behind_merge_key(&self) -> bool {
        match self.open.last() {
            Some(Open { items: Items::Mapping { key: Some(_), merges, .. }, .. }) => *merges,
            Some(Open { items: Items::Sequence(_), merged, .. }) => *merged,
            _ => false,
        }
    }

    /// Reports a `<<` in a mapping that has one already.
    pub(super) fn report_second_merge_key(&mut self, span: Span) {
        let Some(Open { items: Items::Mapping { entries, .. }, .. }) = self.open.last() else { return };
        let Some(first) = entries.iter().find(|entry| entry.merges).map(|entry| entry.name_span) else { return };
        let what = DataProblem::Duplicate { name: Name::new_static("<<"), first, merged: true };
        self.build.problem(what, Severity::Warning, span);
    }

    /// Returns an anchor id that does not occur in the text.
    pub(super) fn unnamed_anchor(&mut self) -> usize {
        self.unnamed += 1;
        usize::MAX - self.unnamed
    }

    /// Replaces the merge keys of the current mapping by fields. A value that is not a mapping becomes an ordinary field.
    /// O(fields).
    pub(super) fn expand_merge_keys(&mut self) {
        let Some(Open { items: Items::Mapping { entries, .. }, .. }) = self.open.last_mut() else { return };
        if !entries.iter().any(|entry| entry.merges) {
            return;
        }
        let written = std::mem::take(entries);
        let mut known: FxHashSet<Name> =
            written.iter().filter(|entry| !entry.merges).map(|entry| entry.name.clone()).collect();
        let mut all = Vec::with_capacity(written.len());
        for entry in written {
            if !entry.merges {
                all.push(entry);
                continue;
            }
            let Some(merged) = self.fields_behind(entry.value) else {
                let span = self.build.node_span(entry.value);
                self.build.problem(DataProblem::MergeKey, Severity::Warning, span);
                all.push(entry);
                continue;
            };
            self.merged_fields = self.merged_fields.saturating_add(merged.len() as u64);
            if self.merged_fields > MOST_BROUGHT {
                self.proceed &= self.build.error(DataProblem::Aliases, entry.name_span);
                continue;
            }
            for field in merged.into_iter().filter(|field| known.insert(field.name.clone())) {
                let from = self.reference(field.slot, field.span);
                let value = self.build.node(Node::Project(from, field.name.clone()), field.span);
                all.push(Entry { name: field.name, name_span: field.name_span, value, merges: false });
            }
        }
        if let Some(Open { items: Items::Mapping { entries, .. }, .. }) = self.open.last_mut() {
            *entries = all;
        }
    }

    /// Returns the fields of an alias of a mapping, or of a sequence of such aliases.
    fn fields_behind(&self, value: NodeId) -> Option<Vec<MergedField>> {
        let mut out = Vec::new();
        let parts = match self.build.node_at(value) {
            Node::Array(parts) => parts,
            _ => std::slice::from_ref(&value),
        };
        for part in parts {
            let Node::Local { slot, .. } = self.build.node_at(*part) else { return None };
            let body = self.anchors.get(*slot as usize)?.body?;
            let Node::Record(record) = self.build.node_at(body) else { return None };
            for field in &record.fields {
                if let (FieldName::Static(name), Some(body)) = (&field.name, field.body) {
                    let span = self.build.node_span(body);
                    out.push(MergedField { slot: *slot, name: name.clone(), name_span: field.name_span, span });
                }
            }
        }
        Some(out)
    }
}
