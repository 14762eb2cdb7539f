//! Warnings that are errors, because evaluating the program runs into them.
//!
//! Types do not always show that the result of a program needs a part with a fault: a comprehension, a computed field or a function may be
//! between them. If a program has warnings, it is evaluated, within limits. If that fails at the place of a warning, the warning is
//! an error. A failure at any other place is not reported: `cfg check` reports what types say.

use crate::dialect::Dialect;
use crate::problem::types::{TypeProblem, TypesKind};
use crate::problem::value::{ValueKind, ValueProblem};
use crate::problem::{Problem, ProblemKind, Severity};
use crate::session::emit::Layout;
use crate::session::request::{Format, ProgramOptions};
use crate::session::run::Run;
use crate::state::files::File;
use crate::text::Span;

/// Maximum number of steps of the evaluation.
const STEPS: u64 = 20_000_000;
/// Maximum number of elements, fields and characters that it makes.
const MEMORY: u64 = 200_000_000;

impl Run<'_> {
    /// Returns the problem that evaluating the program runs into: one of the `counting` problems of the check, or of the `suspected`
    /// ones. `None` if the check has found an error, or evaluation fails elsewhere or not at all.
    pub(super) fn reached(
        &mut self,
        problems: &[Problem],
        counting: Vec<Problem>,
        suspected: Vec<Problem>,
        file: &File,
        dialect: Dialect,
        options: &ProgramOptions,
    ) -> Option<Problem> {
        let rules = file.term.rules;
        let is_error = |p: &Problem| p.severity == Severity::Error;
        if rules.is_exact() || rules.converts() || problems.iter().any(is_error) {
            return None;
        }
        let mut candidates = counting;
        candidates.extend(suspected);
        candidates.retain(|p| !self.session.settings().is_silent(p));
        candidates.retain(|p| types_of(p).is_some_and(|types| types.what.can_fail()));
        if candidates.is_empty() {
            return None;
        }
        let failure = self.failure_of(file, dialect, options)?;
        // in other languages than those of objects, a merge may still supply the definition
        if !rules.extends() && matches!(failure.what, ValueKind::MissingDefinition { .. }) {
            return None;
        }
        let found = reached(&candidates, &failure)?;
        candidates.into_iter().nth(found)
    }

    /// Evaluates a program, as `cfg eval` does, and returns the reason why it fails. `None` if it does not fail, or not within
    /// the limits.
    fn failure_of(&mut self, file: &File, dialect: Dialect, options: &ProgramOptions) -> Option<ValueProblem> {
        let limits = self.session.workspace.machine.limits;
        let within = |limit: Option<u64>, most: u64| Some(limit.map_or(most, |limit| limit.min(most)));
        self.session.workspace.machine.limits.steps = within(limits.steps, STEPS);
        self.session.workspace.machine.limits.memory = within(limits.memory, MEMORY);
        // what the program prints is part of its evaluation, not of a check
        let output = self.session.output.take();
        let layout = Layout { dialect, format: Format::Json, options, parts: None, stream: false };
        let mut events = Vec::new();
        let root = self.session.root(&file.term, dialect, &mut events);
        let printed = self.session.traced(&mut events, |machine| layout.print(machine, &root));
        self.session.output = output;
        self.session.workspace.machine.limits = limits;
        match printed.err()?.kind {
            ProblemKind::Value(problem) => Some(*problem),
            _ => None,
        }
    }
}

fn types_of(problem: &Problem) -> Option<&TypeProblem> {
    match &problem.kind {
        ProblemKind::Types(types) => Some(types),
        _ => None,
    }
}

/// Returns the index of the problem of types that a failed evaluation ran into.
fn reached(problems: &[Problem], failure: &ValueProblem) -> Option<usize> {
    let raised = match &failure.what {
        ValueKind::Type { .. }
        | ValueKind::NotAFunction { .. }
        | ValueKind::MissingField { .. }
        | ValueKind::MissingDefinition { .. }
        | ValueKind::NoMatch { .. }
        | ValueKind::Contract(_)
        | ValueKind::Undefined { .. }
        | ValueKind::Incomparable { .. } => false,
        ValueKind::Failed { .. } => true,
        _ => return None,
    };
    let place = failure.span()?;
    let fit = |types: &TypeProblem| match (&types.what, raised) {
        (TypesKind::Raises, raised) => raised,
        (TypesKind::MissingRequiredField { default, .. }, true) => overlap(*default, place),
        (_, true) => false,
        (what, false) => what.can_fail(),
    };
    let fitting = || problems.iter().enumerate().filter_map(|(i, p)| Some((i, types_of(p).filter(|t| fit(t))?)));
    let named = missing_name(failure);
    let lacks = |types: &TypeProblem| named.is_some_and(|name| missing_in(types) == Some(name));
    let required = || fitting().filter(|(_, t)| raised && matches!(t.what, TypesKind::MissingRequiredField { .. }));
    let called = |types: &TypeProblem| failure.calls.iter().any(|call| overlap(types.span, *call));
    // of several calls without the field: the one that was active
    if let Some((i, _)) = required().find(|(_, types)| called(types)).or_else(|| required().next()) {
        return Some(i);
    }
    for at in std::iter::once(place).chain(failure.calls.iter().copied()) {
        // of the problems at this place: one about the same field, or else the one whose place is closest in size
        let length = |span: Span| i64::from(span.end) - i64::from(span.start);
        let here = fitting().filter(|(_, t)| overlap(t.span, at));
        let best = here.min_by_key(|(_, t)| (!lacks(t), (length(t.span) - length(at)).abs()));
        if let Some((i, types)) = best
            && (named.is_none() || lacks(types) || at == place)
        {
            return Some(i);
        }
    }
    // the only place with a problem about the field
    let (i, only) = fitting().find(|(_, types)| lacks(types))?;
    fitting().filter(|(_, types)| lacks(types)).all(|(_, types)| types.span == only.span).then_some(i)
}

fn overlap(a: Span, b: Span) -> bool {
    a.source == b.source && a.start < b.end && b.start < a.end
}

/// Returns the name of the field that an evaluation did not find.
fn missing_name(failure: &ValueProblem) -> Option<&str> {
    match &failure.what {
        ValueKind::MissingField { name, .. } | ValueKind::MissingDefinition { name, .. } => Some(name),
        // a directive of a format
        ValueKind::Undefined { message, .. } => message.strip_prefix("No such field: "),
        _ => None,
    }
}

/// Returns the name of the field that a problem of types is about.
fn missing_in(types: &TypeProblem) -> Option<&str> {
    match &types.what {
        TypesKind::MissingField { name, .. }
        | TypesKind::Undefined { name, .. }
        | TypesKind::NotInEach { name, .. }
        | TypesKind::MissingRequiredField { name, .. } => Some(name),
        _ => None,
    }
}
