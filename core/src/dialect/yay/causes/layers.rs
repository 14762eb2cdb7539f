//! Lists and dicts on top of values of another kind.

use super::document::{Document, fault, is_within};
use super::slip::Slip;
use crate::dialect::yay::notation::SPELLING;
use crate::dialect::yay::tree::{Entry, Stanza};
use crate::problem::types::TypesKind;
use crate::problem::value::ValueKind;
use crate::problem::{Problem, ProblemKind};
use crate::text::{Name, Span};
use rustc_hash::FxHashSet;

/// Replaces the failures of lists and dicts on top of another kind, with the warnings about the same lines.
pub fn find(document: &Document<'_>, problems: &mut Vec<Problem>) {
    let mut places: FxHashSet<Span> = FxHashSet::default();
    for problem in problems.iter_mut() {
        let Some(at) = document.place(problem) else { continue };
        let ProblemKind::Value(value) = &problem.kind else { continue };
        let ValueKind::OnTop { own, below, under, .. } = &value.what else { continue };
        let Some(entry) = entry_at(document, at) else { continue };
        let kind = SPELLING.report.kind_names.kind;
        let (Some(own), Some(below)) = (known(kind(own)), known(kind(below))) else { continue };
        let slip =
            Slip::OnTop { key: Name::clone(&entry.name.name), own, below, under: *under, is_extended: entry.extend };
        *problem = fault(at, slip);
        places.insert(at);
    }
    problems.retain(|problem| {
        let is_warning =
            matches!(&problem.kind, ProblemKind::Types(types) if matches!(types.what, TypesKind::ChangesType { .. }));
        !(is_warning && document.place(problem).is_some_and(|at| places.contains(&at)))
    });
}

/// Returns the key whose value is at a place.
fn entry_at<'t>(document: &Document<'t>, at: Span) -> Option<&'t Entry> {
    document.stanzas().filter_map(Stanza::entry).find(|entry| {
        let block = entry.value.block().is_some();
        block && (entry.name.span.start == at.start || is_within(at, entry.span) && at.start < entry.name.span.end)
    })
}

fn known(kind: &str) -> Option<&'static str> {
    ["list", "dict", "string", "number", "boolean", "null", "macro"].into_iter().find(|known| *known == kind)
}
