//! Merge keys: `<<: *base`, `<<: [*one, *two]` (<https://yaml.org/type/merge.html>).
//!
//! YAML 1.2 dropped them and everybody writes them. The fields of the mapping behind `<<` become fields of the mapping it
//! stands in, each a projection out of the anchor with the place where it is written. A key that stands in the mapping
//! itself wins, then the earlier of several mappings: nothing is merged deep.

use super::{Items, Open, Reader};
use crate::dialect::data::build::Entry;
use crate::problem::Severity;
use crate::problem::data::Data;
use crate::term::{FieldName, Node, NodeId};
use crate::text::{Name, Span};
use rustc_hash::FxHashSet;

/// How many fields the merge keys of one file may bring.
const MOST_BROUGHT: u64 = 5_000_000;

/// A field that a merge key brings.
struct Brought {
    slot: u32,
    name: Name,
    name_span: Span,
    span: Span,
}

impl Reader {
    /// Whether the next value stands behind `<<`, or in a sequence that does.
    pub(super) fn behind_merge_key(&self) -> bool {
        match self.open.last() {
            Some(Open { items: Items::Mapping { key: Some(_), merges, .. }, .. }) => *merges,
            Some(Open { items: Items::Sequence(_), merged, .. }) => *merged,
            _ => false,
        }
    }

    /// An anchor that no text can name.
    pub(super) fn unnamed_anchor(&mut self) -> usize {
        self.unnamed += 1;
        usize::MAX - self.unnamed
    }

    /// Puts fields in the place of the merge keys of the mapping at hand. What is no mapping stays an ordinary field.
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
            let Some(brought) = self.fields_behind(entry.value) else {
                let span = self.build.node_span(entry.value);
                self.build.problem(Data::MergeKey, Severity::Warning, span);
                all.push(entry);
                continue;
            };
            self.brought = self.brought.saturating_add(brought.len() as u64);
            if self.brought > MOST_BROUGHT {
                self.go_on &= self.build.error(Data::Aliases, entry.name_span);
                continue;
            }
            for field in brought.into_iter().filter(|field| known.insert(field.name.clone())) {
                let from = self.reference(field.slot, field.span);
                let value = self.build.node(Node::Project(from, field.name.clone()), field.span);
                all.push(Entry { name: field.name, name_span: field.name_span, value, merges: false });
            }
        }
        if let Some(Open { items: Items::Mapping { entries, .. }, .. }) = self.open.last_mut() {
            *entries = all;
        }
    }

    /// The fields of an alias of a mapping, or of a sequence of such.
    fn fields_behind(&self, value: NodeId) -> Option<Vec<Brought>> {
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
                    out.push(Brought { slot: *slot, name: name.clone(), name_span: field.name_span, span });
                }
            }
        }
        Some(out)
    }
}
