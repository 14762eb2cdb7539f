//! The problems of one inference, with the types they mention still live and the severity still open.

use crate::problem::Problem;
use crate::problem::types::{TypeProblem, TypesKind, Why};
use crate::text::{Name, Span};
use rustc_hash::FxHashMap;

/// A problem while inference runs.
pub(super) struct Finding {
    /// The problem.
    pub problem: Found,
    /// The definitions on whose types it depends. If a merge overrides one of them, the problem is a warning.
    pub assumes: Vec<Span>,
    /// Whether it is an error even if evaluation does not run into it.
    pub always_error: bool,
    /// Whether evaluating the result runs into it.
    pub forced: bool,
    /// When it is reported at all.
    pub reported: Reported,
}

/// When a problem is reported.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Reported {
    /// Always, at least as a warning.
    Always,
    /// Only if evaluating the result runs into it.
    IfForced,
    /// Only if evaluating the result runs into it, which types alone cannot show: see [`Inferred::suspected`](super::Inferred).
    IfReached,
    /// Never: the program has a value for this case.
    Never,
}

/// A problem of this term or of an imported file.
pub(super) enum Found {
    /// A problem of this term. Its schemes hold live types until inference ends.
    Here(TypeProblem),
    /// A problem of an imported file.
    Import(Problem),
}

impl Finding {
    /// The place of a problem of this term.
    pub fn place(&self) -> Option<Span> {
        match &self.problem {
            Found::Here(problem) => Some(problem.span),
            Found::Import(_) => None,
        }
    }

    /// The label that a record was found not to have.
    pub fn missing_label(&self) -> Option<&Name> {
        match &self.problem {
            Found::Here(TypeProblem { what: TypesKind::MissingField { name, .. }, .. }) => Some(name),
            _ => None,
        }
    }
}

/// The findings of one inference, by index, in the order in which they were made.
#[derive(Default)]
pub(super) struct Findings {
    all: Vec<Finding>,
    /// The findings of this term by place.
    places: FxHashMap<Span, Vec<u32>>,
    /// Whether joins of distinct heads and ignored priorities go unreported.
    pub quiet: bool,
}

impl Findings {
    /// Adds a problem. Returns its index.
    pub fn add(&mut self, problem: Found, reported: Reported) -> u32 {
        let index = self.all.len() as u32;
        if let Found::Here(problem) = &problem {
            self.places.entry(problem.span).or_default().push(index);
        }
        self.all.push(Finding { problem, assumes: Vec::new(), always_error: false, forced: false, reported });
        index
    }

    /// The number of findings.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// The finding of an index.
    pub fn get_mut(&mut self, index: u32) -> Option<&mut Finding> {
        self.all.get_mut(index as usize)
    }

    /// All findings.
    pub fn iter(&self) -> impl Iterator<Item = &Finding> {
        self.all.iter()
    }

    /// All findings, to change them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Finding> {
        self.all.iter_mut()
    }

    /// The index of the first finding that a test accepts.
    pub fn first(&self, test: impl Fn(&Finding) -> bool) -> Option<u32> {
        self.all.iter().position(test).map(|index| index as u32)
    }

    /// The index of the last finding at a place that a test accepts.
    pub fn last_at(&self, place: Span, test: impl Fn(&Finding) -> bool) -> Option<u32> {
        let at = self.places.get(&place)?;
        at.iter().rev().find(|index| self.all.get(**index as usize).is_some_and(&test)).copied()
    }

    /// The index of the first finding since another one that is about an operand of an operator. O(findings since).
    pub fn operand_since(&self, from: usize, why: &Why) -> Option<u32> {
        let is_operand = |finding: &Finding| matches!(&finding.problem, Found::Here(TypeProblem { what: TypesKind::Conflict(c), .. }) if c.why == *why);
        let at = self.all.get(from..)?.iter().position(is_operand)?;
        u32::try_from(from + at).ok()
    }

    /// Takes all findings.
    pub fn take(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.all)
    }
}
