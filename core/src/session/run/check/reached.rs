//! Problems that evaluating the program decides.
//!
//! Types do not always show that the result of a program needs a part with a fault: a comprehension, a computed field or a function may be
//! between them. Nor do they always show that a part has no fault, and they do not see values. So a program is evaluated, within limits:
//!
//! - If that fails at the place of a warning, the warning is an error. A failure at any other place is an error too, unless the program
//!   fails on purpose, or lacks something that may come from elsewhere.
//! - If that does not fail, no error of types is true, nor is a warning about an expression that was evaluated. Warnings about expressions
//!   that the result does not need stay, and so do those about different types of two definitions of a field, or of elements. In a language
//!   without objects, so do those about patterns, and about contracts of parts: another value could still reach the fault.

use crate::answer::conflicts;
use crate::dialect::Dialect;
use crate::problem::types::{HiddenDefinition, TypeProblem, TypesKind, Why};
use crate::problem::value::{ValueKind, ValueOrigin, ValueProblem};
use crate::problem::{Problem, ProblemKind, Severity};
use crate::session::emit::Layout;
use crate::session::request::{Format, ProgramOptions};
use crate::session::run::Run;
use crate::term::{Rules, Term};
use crate::text::Span;
use crate::ty::{Scheme, Ty};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Maximum number of steps of the evaluation of a program with problems.
const STEPS: u64 = 20_000_000;
/// The same of a program without one: some 15 ms.
const CLEAN_STEPS: u64 = 500_000;
/// Maximum number of pairs of a problem and a failure that are compared.
const MAX_COMPARED: usize = 20_000;
/// Maximum number of elements, fields and characters that it makes.
const MEMORY: u64 = 200_000_000;
/// Maximum number of failures whose problems are searched.
const MAX_HIDDEN: usize = 100;

/// The answer of an evaluation to the problems of a check.
pub(in crate::session::run) enum Verdict {
    /// It runs into this problem.
    Reached(Problem),
    /// It does not fail.
    Passed,
    /// It fails, and evaluates the expressions of some problems of types without a fault.
    Refuted {
        /// These problems.
        refuted: Vec<Problem>,
        /// The failure, or the problem of types that it runs into, if a check reports it.
        failure: Option<Problem>,
    },
    /// It runs into this problem about a field that is missing, and finds it in a definition below.
    Hidden {
        /// The problem.
        problem: Problem,
        /// That definition.
        below: HiddenDefinition,
    },
    /// It fails elsewhere, is not complete within the limits, or was not needed.
    Unknown,
}

impl Verdict {
    /// Applies the answer to the problems. `evaluated`: the places of the expressions that were evaluated.
    pub(in crate::session::run) fn apply(
        self,
        problems: &mut Vec<Problem>,
        evaluated: &FxHashSet<Span>,
        rules: &Rules,
    ) {
        match self {
            Verdict::Reached(found) => {
                let at = problems.iter().position(|p| *p == found).unwrap_or(problems.len());
                // the failure says more than that elements, or two definitions of a field, have different types
                let is_cause = |p: &Problem| match (&found.kind, types_of(p)) {
                    (ProblemKind::Value(failure), Some(types)) => is_cause(types, failure),
                    _ => false,
                };
                problems.retain(|p| *p != found && !is_cause(p));
                let at = at.min(problems.len());
                problems.insert(at, Problem { severity: Severity::Error, ..found });
            }
            Verdict::Passed => problems.retain(|p| !is_refuted(p, evaluated, rules)),
            Verdict::Refuted { refuted, failure } => {
                problems.retain(|p| !refuted.contains(p));
                // what remains may be true, but the result certainly fails
                let has_error = problems.iter().any(|p| p.severity == Severity::Error && !is_reference(p));
                if let Some(found) = failure.filter(|_| !has_error) {
                    problems.retain(|p| *p != found);
                    problems.push(Problem { severity: Severity::Error, ..found });
                }
            }
            Verdict::Hidden { problem, below } => {
                problems.iter_mut().filter(|p| **p == problem).for_each(|p| {
                    p.severity = Severity::Error;
                    if let ProblemKind::Types(types) = &mut p.kind
                        && let TypesKind::MissingField { hidden, .. } = &mut types.what
                    {
                        *hidden = Some(Box::new(below.clone()));
                    }
                });
            }
            Verdict::Unknown => {}
        }
    }

    /// Returns the answer about a field that is missing and that one of some failures found in a definition below; another answer if
    /// there is none.
    fn or_hidden<'p>(self, problems: &[Problem], failures: impl IntoIterator<Item = &'p Problem>) -> Verdict {
        if !matches!(self, Verdict::Unknown | Verdict::Reached(_)) {
            return self;
        }
        let found = failures.into_iter().take(MAX_HIDDEN).find_map(|failure| {
            let ProblemKind::Value(failure) = &failure.kind else { return None };
            let place = failure.span()?;
            let below = failure.origins.iter().find_map(|origin| match origin {
                ValueOrigin::Hidden { name, span, missing } => {
                    Some(HiddenDefinition { name: name.clone(), span: *span, missing: missing.clone() })
                }
                _ => None,
            })?;
            let is_same = |types: &TypeProblem| {
                let is_missing = matches!(types.what, TypesKind::MissingField { .. });
                is_missing && missing_in(types) == missing_name(failure) && overlap(types.span, place)
            };
            let problem = problems.iter().find(|p| types_of(p).is_some_and(is_same))?;
            Some(Verdict::Hidden { problem: problem.clone(), below })
        });
        found.unwrap_or(self)
    }
}

/// Whether a problem of types is the cause of a failure: elements of different types at its place, or another type of a field that it read.
fn is_cause(types: &TypeProblem, failure: &ValueProblem) -> bool {
    match &types.what {
        TypesKind::Mixed { .. } => failure.span().is_some_and(|place| overlap(types.span, place)),
        TypesKind::ChangesType { path, .. } => failure.origins.iter().any(|origin| match origin {
            ValueOrigin::Field { name, span, .. } => path.last() == Some(name) && span.source == types.span.source,
            _ => false,
        }),
        _ => false,
    }
}

/// Whether an evaluation that does not fail, and that evaluates the expressions at some places, shows that a problem does not exist.
/// Evaluation never compares the types of two definitions of a field, or of the elements of an array: warnings about these stay.
fn is_refuted(problem: &Problem, places: &FxHashSet<Span>, rules: &Rules) -> bool {
    types_of(problem).is_some_and(|types| {
        types.what.is_refutable()
            && (problem.severity == Severity::Error
                || places.contains(&types.span) && (rules.extends() || is_run_into(&types.what, places)))
    })
}

/// Whether an evaluation of the expression at the place of a problem that does not run into it shows that there is none. Not so for patterns,
/// which another value can fail to match, for contracts of parts and functions, which are checked when these are used, and for what is
/// required at a place that was not evaluated.
fn is_run_into(what: &TypesKind, places: &FxHashSet<Span>) -> bool {
    let is_evaluated = |wanted: &Option<Span>| wanted.is_none_or(|place| places.contains(&place));
    let is_later = |why: &Why| {
        matches!(why, Why::Pattern | Why::Arm | Why::Contract | Why::Given | Why::TypePart | Why::Annotation)
    };
    let is_function = |scheme: &Scheme| matches!(*scheme.ty, Ty::Fun(..));
    match what {
        TypesKind::Conflict(c) => {
            let is_whole =
                c.path.is_empty() && c.whole.is_none() && !is_function(&c.found) && !is_function(&c.expected);
            is_whole || !is_later(&c.why) && is_evaluated(&c.wanted)
        }
        TypesKind::MissingField { why, wanted, .. } | TypesKind::ExtraField { why, wanted, .. } => {
            !is_later(why) && is_evaluated(wanted)
        }
        _ => false,
    }
}

/// Whether an evaluation can decide a problem of types.
fn is_decidable(problem: &Problem) -> bool {
    types_of(problem).is_some_and(|types| {
        types.what.is_refutable() || matches!(types.what, TypesKind::Mixed { .. } | TypesKind::ChangesType { .. })
    })
}

impl Run<'_> {
    /// Evaluates the program, if that can decide one of the `counting` problems of the check, or what else types leave open.
    pub(in crate::session::run) fn verdict(
        &mut self,
        problems: &[Problem],
        counting: Vec<Problem>,
        suspected: Vec<Problem>,
        term: &Arc<Term>,
        dialect: Dialect,
        options: &ProgramOptions,
    ) -> Verdict {
        let rules = term.rules;
        // an error that is not one of types makes evaluation fail, and that of an annotation is one even if evaluation does not fail
        let is_error = |p: &Problem| p.severity == Severity::Error;
        let is_evaluated = |types: &TypeProblem| types.what.is_refutable() && !types.is_annotation();
        let is_decided = problems.iter().any(|p| is_error(p) && !types_of(p).is_some_and(is_evaluated));
        if rules.is_exact() || is_decided {
            return Verdict::Unknown;
        }
        let has_error = problems.iter().any(|p| is_error(p) && !is_reference(p));
        let mut candidates = counting;
        candidates.extend(suspected);
        candidates.retain(|p| !self.session.settings().is_silent(p) && is_decidable(p));
        self.session.workspace.machine.record_places();
        let steps = if candidates.is_empty() { CLEAN_STEPS } else { STEPS };
        let evaluated = self.evaluated(term, dialect, options, steps, has_error);
        let places = self.session.workspace.machine.recorded_places();
        match evaluated {
            None => {
                // values that an earlier program of the same check evaluated are not evaluated again
                self.evaluated.extend(places);
                Verdict::Passed
            }
            // an operator that converts may fail at another operand than the one that its types refuse
            Some(Failed { all: Some(_), .. }) if rules.converts() => Verdict::Unknown,
            Some(Failed { all: Some(all), .. }) => {
                refuted((problems, candidates), &all, &places, rules).or_hidden(problems, &all)
            }
            Some(Failed { first: problem, all: None }) if !has_error => {
                let ProblemKind::Value(failure) = &problem.kind else { return Verdict::Unknown };
                // the program is a function, and a check need not have its arguments
                if failure.span().is_some_and(|place| self.session.world.is_call_of_program(place)) {
                    return Verdict::Unknown;
                }
                // or supply the definition
                if !rules.extends() && matches!(failure.what, ValueKind::MissingDefinition { .. }) {
                    return Verdict::Unknown;
                }
                if rules.extends_layers() && self.is_free_name(failure) {
                    // another document may define it, unless a check reports it
                    let at = |p: &&Problem| p.code() == "scope/unbound" && p.span() == failure.span();
                    return problems.iter().find(at).cloned().map_or(Verdict::Unknown, Verdict::Reached);
                }
                let found = reached(&candidates, failure).or_else(|| self.retyped(&candidates, failure));
                match found.and_then(|i| candidates.into_iter().nth(i)) {
                    Some(found) => Verdict::Reached(found).or_hidden(problems, [&problem]),
                    None if !is_left_open(&failure.what) => Verdict::Reached(problem),
                    None => Verdict::Unknown,
                }
            }
            Some(_) => Verdict::Unknown,
        }
    }

    /// Whether an evaluation failed at a name that nothing in the document defines.
    fn is_free_name(&self, failure: &ValueProblem) -> bool {
        let (Some(name), Some(place)) = (missing_name(failure), failure.span()) else { return false };
        let text = self.session.world.text_of(place.source);
        text.and_then(|text| Some(text.get(place.start as usize..place.end as usize)? == name)) == Some(true)
    }

    /// Returns the index of the problem about the field that a failed evaluation read, if a definition changed its type.
    fn retyped(&self, problems: &[Problem], failure: &ValueProblem) -> Option<usize> {
        let ValueKind::Type { span: Some(place), .. } = &failure.what else { return None };
        let text = self.session.world.text_of(place.source)?;
        let read = text.get(place.start as usize..place.end as usize)?.rsplit('.').next()?;
        let is_read = |types: &TypeProblem| match &types.what {
            TypesKind::ChangesType { path, .. } => path.last().is_some_and(|name| name == read),
            _ => false,
        };
        let mut read = problems.iter().enumerate().filter(|(_, p)| types_of(p).is_some_and(is_read));
        let (i, first) = read.next()?;
        // the problems of a file may be among them twice
        read.all(|(_, other)| other.span() == first.span()).then_some(i)
    }

    /// Evaluates a program, as `cfg eval` does. Returns the reason why it fails, or the limit that it exceeds. `all`: whether the
    /// parts of the result after the one that fails are evaluated too.
    fn evaluated(
        &mut self,
        term: &Arc<Term>,
        dialect: Dialect,
        options: &ProgramOptions,
        steps: u64,
        all: bool,
    ) -> Option<Failed> {
        let limits = self.session.workspace.machine.limits;
        let within = |limit: Option<u64>, most: u64| Some(limit.map_or(most, |limit| limit.min(most)));
        self.session.workspace.machine.limits.steps = within(limits.steps, steps);
        self.session.workspace.machine.limits.memory = within(limits.memory, MEMORY);
        // what the program prints is part of its evaluation, not of a check
        let output = self.session.output.take();
        let layout = Layout { dialect, format: Format::Json, options, parts: None, stream: false };
        let mut events = Vec::new();
        let root = self.session.root(term, dialect, &mut events);
        let printed = self.session.with_trace_lines(&mut events, |machine| layout.print(machine, &root));
        let failed = printed.err().map(|first| {
            let is_limit = |p: &Problem| {
                matches!(&p.kind, ProblemKind::Value(v) if matches!(v.what, ValueKind::Limit { .. } | ValueKind::Interrupted))
            };
            let all = (all && !is_limit(&first)).then(|| {
                let value = self.session.with_trace_lines(&mut events, |machine| machine.exported(&root));
                conflicts::faults(&value, &[]).into_iter().map(|part| part.problem).collect::<Vec<_>>()
            });
            Failed { first, all: all.filter(|all| !all.is_empty() && !all.iter().any(is_limit)) }
        });
        self.session.output = output;
        self.session.workspace.machine.limits = limits;
        failed
    }
}

/// Why an evaluation fails.
struct Failed {
    first: Problem,
    /// The failures of all parts of the result, if they were evaluated within the limits.
    all: Option<Vec<Problem>>,
}

/// Whether a problem refers to another one. It does not say what that is: the failure does.
fn is_reference(problem: &Problem) -> bool {
    types_of(problem).is_some_and(|types| types.what == TypesKind::Elsewhere)
}

/// Returns the problems of types that an evaluation shows to be false although it fails: it evaluates their expressions, at these places,
/// and runs into none of them.
fn refuted(
    (problems, mut candidates): (&[Problem], Vec<Problem>),
    all: &[Problem],
    places: &FxHashSet<Span>,
    rules: &Rules,
) -> Verdict {
    let failures: Vec<&ValueProblem> = all
        .iter()
        .filter_map(|problem| match &problem.kind {
            ProblemKind::Value(failure) => Some(&**failure),
            _ => None,
        })
        .collect();
    // of others it is not known which errors they are
    let is_compared = problems.len().saturating_mul(failures.len()) <= MAX_COMPARED;
    if !is_compared || failures.len() < all.len() || failures.iter().any(|failure| is_raised(&failure.what).is_none()) {
        return Verdict::Unknown;
    }
    let is_reached = |p: &Problem| failures.iter().any(|failure| reached(std::slice::from_ref(p), failure).is_some());
    let is_false = |p: &&Problem| {
        let is_annotation = types_of(p).is_some_and(TypeProblem::is_annotation);
        !is_annotation
            && types_of(p).is_some_and(|types| places.contains(&types.span))
            && is_refuted(p, places, rules)
            && !is_reached(p)
    };
    let refuted: Vec<Problem> = problems.iter().filter(is_false).cloned().collect();
    if refuted.is_empty() {
        return Verdict::Unknown;
    }
    // the failure, by the problem of types that it runs into
    candidates.retain(|p| !refuted.contains(p));
    let failure = all.iter().find_map(|problem| {
        let ProblemKind::Value(failure) = &problem.kind else { return None };
        let found = reached(&candidates, failure).and_then(|i| candidates.get(i));
        found.or_else(|| (!is_left_open(&failure.what)).then_some(problem)).cloned()
    });
    Verdict::Refuted { refuted, failure }
}

fn types_of(problem: &Problem) -> Option<&TypeProblem> {
    match &problem.kind {
        ProblemKind::Types(types) => Some(types),
        _ => None,
    }
}

/// Whether a check does not report a failure: what is missing may come from elsewhere, the program fails on purpose, definitions of
/// one type conflict, which only a merge can settle, an earlier step reports it, or it is one of the evaluation itself.
fn is_left_open(failure: &ValueKind) -> bool {
    match failure {
        ValueKind::MissingDefinition { .. }
        | ValueKind::NoExternal { .. }
        | ValueKind::Failed { .. }
        | ValueKind::Conflict { .. }
        | ValueKind::MergeFunctions { .. }
        | ValueKind::Hole { .. }
        | ValueKind::Unbound { .. }
        | ValueKind::Limit { .. }
        | ValueKind::Interrupted => true,
        ValueKind::Type { .. }
        | ValueKind::OnTop { .. }
        | ValueKind::NotAFunction { .. }
        | ValueKind::MissingField { .. }
        | ValueKind::NoMatch { .. }
        | ValueKind::Contract(_)
        | ValueKind::Undefined { .. }
        | ValueKind::Incomparable { .. }
        | ValueKind::NotAMergeFunction { .. }
        | ValueKind::Recursion { .. }
        | ValueKind::ContainsItself { .. }
        | ValueKind::Paradox { .. }
        | ValueKind::NoElement { .. }
        | ValueKind::Graph { .. } => false,
    }
}

/// Whether a program raises a failure itself; `None` for a failure that is not compared with problems of types.
fn is_raised(failure: &ValueKind) -> Option<bool> {
    match failure {
        ValueKind::Type { .. }
        | ValueKind::NotAFunction { .. }
        | ValueKind::MissingField { .. }
        | ValueKind::MissingDefinition { .. }
        | ValueKind::NoMatch { .. }
        | ValueKind::Contract(_)
        | ValueKind::Undefined { .. }
        | ValueKind::Incomparable { .. } => Some(false),
        ValueKind::Failed { .. } => Some(true),
        _ => None,
    }
}

/// Returns the index of the problem of types that a failed evaluation ran into.
fn reached(problems: &[Problem], failure: &ValueProblem) -> Option<usize> {
    let raised = is_raised(&failure.what)?;
    let place = failure.span()?;
    let fit = |types: &TypeProblem| match (&types.what, raised) {
        (TypesKind::Raises, raised) => raised,
        (TypesKind::MissingRequiredField { default, .. }, true) => overlap(*default, place),
        (_, true) => false,
        (what, false) => what.can_fail(),
    };
    let named = missing_name(failure);
    let lacks = |types: &TypeProblem| named.is_some_and(|name| missing_in(types) == Some(name));
    let undefined = named.is_none() && matches!(failure.what, ValueKind::Undefined { .. });
    // a record that lacks one field is not the cause where another one is missing
    let is_other = |types: &TypeProblem| match &types.what {
        TypesKind::MissingField { .. } => undefined || named.is_some() && !lacks(types),
        _ => false,
    };
    let fit = |types: &TypeProblem| fit(types) && !is_other(types);
    let fitting = || problems.iter().enumerate().filter_map(|(i, p)| Some((i, types_of(p).filter(|t| fit(t))?)));
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
        ValueKind::Undefined { message, .. } => {
            let quoted = || message.strip_prefix("no field `")?.split('`').next();
            message.strip_prefix("No such field: ").or_else(quoted)
        }
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
