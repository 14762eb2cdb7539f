//! Finds the fields that an explained value reads, and those that are recomputed because of its overrides.

use super::{Explanation, MAX_ITEMS, MAX_READ_DEPTH, Place, Read, place, recomputed};
use crate::answer::deps;
use crate::answer::shared::joined::Joined;
use crate::state::Workspace;
use crate::text::Span;
use crate::text::path::FieldPath;
use crate::value::provenance::DefinitionOutcome;
use rustc_hash::FxHashSet;

impl Explanation {
    /// Adds the fields that the value reads and the fields that are recomputed because of its overrides. `is_late_bound`
    /// says whether other fields read the value of the merged record, so that there are such fields.
    pub(super) fn add_dependencies(
        &mut self,
        session: &mut Workspace,
        question: &deps::DepsQuestion,
        is_late_bound: bool,
    ) {
        // a literal reads nothing
        if !self.literal
            && let Ok(deps) = deps::deps(session, question, deps::Direction::Reads)
        {
            self.depends_on = self.reads(session, &deps);
        }
        // a field with a single definition overrides nothing
        let overrides = self.definitions.iter().filter(|d| d.value.is_some()).count() > 1;
        if is_late_bound && overrides && self.value.is_some() {
            self.recomputed = recomputed::recomputed(session, question, self.winners());
        }
    }

    /// Returns the spans of the definitions without which the field would have another value: those that win, and all
    /// but the first of those that are combined.
    pub(super) fn winners(&self) -> Vec<Span> {
        let with_outcome = |outcome| self.definitions.iter().filter(move |d| d.outcome == outcome);
        let parts = with_outcome(DefinitionOutcome::Part).skip(1);
        with_outcome(DefinitionOutcome::Wins).chain(parts).filter_map(|d| Some(d.place.as_ref()?.span)).collect()
    }

    /// Returns the fields that the value reads, directly or not, depth first: at most `MAX_ITEMS`, at most
    /// `MAX_READ_DEPTH` steps away. Fields inside the value itself are left out.
    fn reads(&self, session: &Workspace, deps: &deps::Deps) -> Vec<Read> {
        let mut out = Vec::new();
        let mut seen = FxHashSet::default();
        let mut work: Vec<(usize, usize)> = deps.first().into_iter().rev().map(|number| (number, 0)).collect();
        while let Some((number, depth)) = work.pop() {
            let Some(item) = deps.network.item(number) else { continue };
            let outside_path = item.path().filter(|path| !path.steps.starts_with(&self.path.steps));
            if !seen.insert(number) || out.len() >= MAX_ITEMS {
                continue;
            }
            let next = deps.network.reads(number).into_iter().rev();
            let Some(path) = outside_path else {
                // an item without a path is not a field, for example a local: its reads take its place
                if item.path().is_none() {
                    work.extend(next.map(|number| (number, depth)));
                }
                continue;
            };
            if depth < MAX_READ_DEPTH {
                work.extend(next.map(|number| (number, depth + 1)));
            }
            let places = |spans: Vec<Span>| -> Vec<Place> {
                spans.into_iter().map(|span| Place { text: String::new(), ..place(session, span) }).collect()
            };
            let joined = item.joined();
            out.push(Read {
                path: path.clone(),
                depth,
                value: item.value.clone(),
                place: item.place().map(|span| Place { text: String::new(), ..place(session, span) }),
                priority: item.priority(),
                combined: matches!(joined, Joined::Combined(_)),
                ties: places(if let Joined::Tie(others) = joined { others } else { Vec::new() }),
                below: places(item.below()),
                lost: item.lost(),
            });
        }
        // a record is left out if one of its fields is listed: it is read only to reach that field
        let paths: Vec<FieldPath> = out.iter().map(|read: &Read| read.path.clone()).collect();
        let is_around =
            |path: &FieldPath| paths.iter().any(|other| other != path && other.steps.starts_with(&path.steps));
        out.retain(|read| !is_around(&read.path));
        out
    }
}
