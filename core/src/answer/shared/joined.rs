//! The definitions of an item beside its winning one: joined with it, in conflict with it, or read by `super`.

use super::network::Item;
use crate::problem::ProblemKind;
use crate::problem::value::ValueKind;
use crate::text::Span;
use crate::value::datum::Datum;
use crate::value::trace::{TracedDefinition, TracedRole};

/// The relation of the winning definitions of an item to each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Joined {
    /// There is one, or several that are equal.
    #[default]
    Alone,
    /// This number of definitions is combined.
    Combined(usize),
    /// They are in conflict. These are the places of all but the one that is shown.
    Tie(Vec<Span>),
}

impl Item {
    /// Returns the relation of its winning definitions to each other.
    pub fn joined(&self) -> Joined {
        let with = |role: TracedRole| self.definitions.iter().filter(move |d| d.role == role && d.body.is_some());
        let ties = self.ties();
        if !ties.is_empty() {
            let shown = self.place();
            return Joined::Tie(ties.into_iter().filter(|span| Some(*span) != shown).collect());
        }
        let failed = matches!(self.value, Some(Datum::Fault(_)));
        let is_record = matches!(self.value, Some(Datum::Record(_) | Datum::Elided(_) | Datum::Secret) | None);
        match (with(TracedRole::Joined).count(), with(TracedRole::Wins).count()) {
            _ if failed => Joined::Alone,
            (joined @ 2.., _) => Joined::Combined(joined),
            // only records of the same priority are combined; other values are equal
            (_, wins @ 2..) if is_record => Joined::Combined(wins),
            _ => Joined::Alone,
        }
    }

    /// Returns the places of the lower definitions that other fields read by `super`.
    pub fn below(&self) -> Vec<Span> {
        let below = |d: &TracedDefinition| d.body.filter(|_| d.role == TracedRole::Below);
        self.definitions.iter().filter_map(below).collect()
    }

    /// Returns the places of its definitions that are in conflict. Empty if the item has a value or fails for another reason.
    fn ties(&self) -> Vec<Span> {
        let Some(Datum::Fault(problem)) = &self.value else { return Vec::new() };
        let ProblemKind::Value(met) = &problem.kind else { return Vec::new() };
        let ValueKind::Conflict { definitions, .. } = &met.what else { return Vec::new() };
        let ties: Vec<Span> = definitions.iter().filter(|d| d.ties).filter_map(|d| d.span).collect();
        let is_own = self.definitions.iter().filter_map(|d| d.body).any(|body| ties.contains(&body));
        if is_own { ties } else { Vec::new() }
    }
}
