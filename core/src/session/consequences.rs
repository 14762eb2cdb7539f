//! Problems that follow from other ones, and are not reported: one fault has one report.

use super::cells::{faults, overlap};
use super::{Event, Session};
use crate::dialect::Dialect;
use crate::problem::types::{CallFault, TypesKind};
use crate::problem::value::ValueKind;
use crate::problem::{Problem, ProblemKind, Severity};
use crate::state::environment::Typed;
use crate::state::typing;
use crate::text::{SourceId, Span};
use crate::value::datum::Datum;
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// A definition of something that is not a name.
const NOT_A_NAME: &str = "syntax/path-binding";
/// A value where a type is expected.
const NOT_A_TYPE: &str = "types/not-a-contract";
/// A field that is declared and read, and has no definition.
const NO_DEFINITION: &str = "types/no-definition";
/// Two types that do not agree.
const CONFLICT: &str = "types/conflict";
/// Arrays and arms whose parts have different types.
const MIXED: &str = "types/mixed";
/// Arguments that a function does not take.
const OF_ARGUMENTS: [&str; 5] = [CONFLICT, "types/missing-field", "types/extra-field", "types/call", "types/arguments"];
/// Faults of the value of a call with such an argument.
const OF_VALUES: [&str; 4] = ["value/type", "value/no-match", "value/missing-field", "value/not-a-function"];
/// Maximum number of bytes between two arguments of a call that are about one fault.
const MOST_BETWEEN: usize = 200;
/// The beginnings of the advice about a function that another language writes, and about a command of the shell: what follows are
/// their parameters. Also a keyword that defines a name, and what is not bound after the name of a function of the library.
const PARAMETERS: [&str; 4] =
    ["a function is written", "a command of the shell", "a name is bound with", "did you mean `std."];

impl Session {
    /// Reports the first value where a type is expected: the expression is written in another language.
    pub(super) fn report_other_language(&self, dialect: Dialect, typed: &Typed, events: &mut Vec<Event>) {
        let is_meant =
            |p: &&Problem| p.code() == NOT_A_TYPE && !typing::is_elsewhere(p) && !self.settings().is_silent(p);
        events.extend(self.diagnostics(dialect, typed.problems.iter().find(is_meant)));
    }

    /// Returns the problems of an input without those that follow from others: what begins with a wrong sign is not the name of a
    /// definition, and the parameters of a function in the syntax of another language are not bound.
    pub(super) fn without_consequences(&self, dialect: Dialect, problems: Vec<Problem>) -> Vec<Problem> {
        let is_syntax = |p: &Problem| p.severity == Severity::Error && p.code().starts_with("syntax/");
        let wrong_name = |p: &Problem| p.code() == NOT_A_NAME;
        let places = |is_meant: &dyn Fn(&Problem) -> bool| -> Vec<_> {
            problems.iter().filter(|p| is_meant(p)).filter_map(Problem::span).collect()
        };
        let signs = places(&|p| is_syntax(p) && !wrong_name(p));
        let begins_wrong =
            |p: &Problem| wrong_name(p) && p.span().is_some_and(|at| signs.iter().any(|sign| overlap(*sign, at)));
        let names = places(&|p| wrong_name(p) && !begins_wrong(p));
        let is_unbound = |p: &Problem| p.code() == "scope/unbound";
        let first = problems.iter().find(|p| is_unbound(p));
        let function = first.filter(|p| {
            let advice = self.described(dialect, p).suggestions;
            advice.iter().any(|advice| PARAMETERS.iter().any(|start| advice.starts_with(start)))
        });
        let function = function.and_then(Problem::span);
        let follows = |p: &Problem| {
            let Some(at) = p.span() else { return false };
            let after_name =
                is_syntax(p) && names.iter().any(|name| name.end < at.start && self.on_one_line(*name, at));
            let parameter = is_unbound(p) && function.is_some_and(|name| name != at && self.on_one_line(name, at));
            begins_wrong(p) || after_name || parameter
        };
        let follow: Vec<bool> = problems.iter().map(follows).collect();
        problems.into_iter().zip(follow).filter(|(_, follows)| !follows).map(|(problem, _)| problem).collect()
    }

    /// Returns `true` if there is no line end between two places.
    fn on_one_line(&self, first: Span, second: Span) -> bool {
        let text = self.world.text_of(first.source);
        let between = text.as_ref().and_then(|text| text.get(first.end as usize..second.start as usize));
        between.is_some_and(|between| !between.contains('\n'))
    }

    /// Returns `true` for further arguments of a call of which an earlier argument does not fit: both are one fault. O(arguments near it).
    pub(super) fn follows_argument(&self, problem: &Problem, wrong: &WrongArguments) -> bool {
        let is_surplus = |p: &Problem| matches!(&p.kind, ProblemKind::Types(types) if matches!(types.what, TypesKind::NotFunction { takes: 1.., .. }));
        let Some(at) = problem.span().filter(|_| is_surplus(problem)) else { return false };
        wrong.before(at).any(|argument| argument.end <= at.start && self.is_between_arguments(*argument, at))
    }

    /// Returns `true` if the text between two places contains only whole arguments.
    fn is_between_arguments(&self, first: Span, second: Span) -> bool {
        let text = self.world.text_of(first.source);
        let between = text.as_ref().and_then(|text| text.get(first.end as usize..second.start as usize));
        let Some(between) = between.filter(|between| between.len() <= MOST_BETWEEN) else { return false };
        let mut depth = 0i32;
        for c in between.chars() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                ',' | ';' | '=' | '|' | '&' | '+' | '*' | '\n' if depth == 0 => return false,
                _ => {}
            }
            if depth < 0 {
                return false;
            }
        }
        depth == 0
    }

    /// Reports the problems that inference found in an expression with this value. A warning whose error was met during
    /// evaluation is reported only once, with the value.
    pub(super) fn typed_beside(&self, dialect: Dialect, typed: &Typed, datum: &Datum, events: &mut Vec<Event>) {
        let errors = faults(datum, &|| self.world.interrupt.is_raised());
        let occurred = |p: &Problem| {
            let met = |fault: &&Problem| p.span().is_some_and(|at| touches(fault, at));
            // the evaluation error is the better report; some faults, as in a mixed array, are never met by evaluation
            if is_raised(p) {
                return errors.iter().any(met);
            }
            if p.code() == NO_DEFINITION
                && errors.iter().any(|fault| p.span().is_some_and(|at| is_missing_at(fault, at)))
            {
                return true;
            }
            // the values of the definitions say more than their types
            if p.code() == CONFLICT && errors.iter().any(|fault| p.span().is_some_and(|at| conflicts_at(fault, at))) {
                return true;
            }
            matches!(p.code(), CONFLICT | "types/missing-field" | "types/not-a-function")
                && p.severity == Severity::Warning
                && errors.iter().any(met)
        };
        let (silent, once) = (|p: &Problem| self.settings().is_silent(p), Once::default());
        // a part that has an error has the type of the error
        let is_part_wrong = |p: &Problem| {
            let wrong = |other: &&Problem| other.severity == Severity::Error && !typing::is_elsewhere(other);
            let places = || typed.problems.iter().filter(wrong).filter_map(Problem::span);
            p.code() == MIXED && p.span().is_some_and(|at| places().any(|place| overlap(place, at)))
        };
        let wrong = WrongArguments::of(&typed.problems);
        let own = typed.problems.iter().filter(|p| {
            !is_part_wrong(p)
                && !typing::is_elsewhere(p)
                && !occurred(p)
                && !silent(p)
                && !self.follows_argument(p, &wrong)
                && self.should_show(p)
                && once.is_first(p)
        });
        // exchanged arguments are the cause of the failure
        let fails = |p: &Problem| {
            is_exchanged(p) && errors.iter().any(|fault| OF_VALUES.contains(&fault.code()) && is_met(fault, p))
        };
        let own: Vec<Problem> = own
            .map(|p| Problem { severity: if fails(p) { Severity::Error } else { p.severity }, ..p.clone() })
            .collect();
        events.extend(self.diagnostics(dialect, &own));
    }
}

/// The arguments that do not fit, by source and by the part of the text, of [`MOST_BETWEEN`] bytes, in which they end.
pub(in crate::session) struct WrongArguments(FxHashMap<(SourceId, u32), Vec<Span>>);

impl WrongArguments {
    /// Finds them among problems. O(problems).
    pub fn of(problems: &[Problem]) -> WrongArguments {
        let mut ends: FxHashMap<(SourceId, u32), Vec<Span>> = FxHashMap::default();
        let is_argument = |p: &&Problem| p.severity == Severity::Error && OF_ARGUMENTS.contains(&p.code());
        for at in problems.iter().filter(is_argument).filter_map(Problem::span) {
            ends.entry((at.source, at.end / MOST_BETWEEN as u32)).or_default().push(at);
        }
        WrongArguments(ends)
    }

    /// Returns those that end near the beginning of a place.
    fn before(&self, at: Span) -> impl Iterator<Item = &Span> {
        let part = at.start / MOST_BETWEEN as u32;
        let parts = [Some(part), part.checked_sub(1)].into_iter().flatten();
        parts.filter_map(move |part| self.0.get(&(at.source, part))).flatten()
    }
}

/// Returns `true` for two arguments that fit if they are exchanged.
fn is_exchanged(problem: &Problem) -> bool {
    let ProblemKind::Types(types) = &problem.kind else { return false };
    matches!(&types.what, TypesKind::Call { fault: CallFault::Exchanged { .. }, .. })
}

/// Returns `true` if evaluation failed at a problem that inference found.
fn is_met(fault: &Problem, problem: &Problem) -> bool {
    problem.span().is_some_and(|at| touches(fault, at))
}

/// Returns `true` if inference has reported an error that evaluation met, with both places.
pub(super) fn is_reported(fault: &Problem, typed: &Typed) -> bool {
    let same = |p: &Problem| {
        let certain = (p.severity == Severity::Error || is_exchanged(p)) && !typing::is_elsewhere(p) && !is_raised(p);
        // the value says more
        let is_better = |at: &Span| {
            p.code() == CONFLICT && conflicts_at(fault, *at) || p.code() == NO_DEFINITION && is_missing_at(fault, *at)
        };
        let at = p.span().filter(|at| !is_better(at));
        // a type that a function does not take fails inside of it
        let in_call = |at| p.code() == CONFLICT && fault.code() == "value/type" && touches(fault, at);
        // an argument that a function does not take fails when the function is called
        let in_function =
            |at| OF_ARGUMENTS.contains(&p.code()) && OF_VALUES.contains(&fault.code()) && touches(fault, at);
        certain
            && at.is_some_and(|at| fault.span().is_some_and(|own| overlap(own, at)) || in_call(at) || in_function(at))
    };
    typed.problems.iter().any(same)
}

/// Returns `true` if an input has a value where a type is expected: it is written in another language, so its value is not meant.
pub(super) fn is_of_another_language(typed: &Typed) -> bool {
    let is_meant = |p: &Problem| p.severity == Severity::Error && !typing::is_elsewhere(p);
    typed.problems.iter().any(|p| p.code() == NOT_A_TYPE && is_meant(p))
}

/// Of several values where types are expected, in one text, only the first is reported: the text has another syntax.
#[derive(Default)]
pub(in crate::session) struct Once(Cell<Option<SourceId>>);

impl Once {
    /// Returns `true` unless such a problem was passed before.
    pub fn is_first(&self, problem: &Problem) -> bool {
        let source = problem.span().map(|span| span.source);
        problem.code() != NOT_A_TYPE || source.is_none() || self.0.replace(source) != source
    }
}

/// Returns `true` if a fault is a conflict of definitions of which one is at a place.
fn conflicts_at(fault: &Problem, at: Span) -> bool {
    let ProblemKind::Value(value) = &fault.kind else { return false };
    let ValueKind::Conflict { definitions, .. } = &value.what else { return false };
    touches(fault, at) || definitions.iter().filter_map(|definition| definition.span).any(|span| overlap(span, at))
}

/// Returns `true` if a fault is a field without a definition that is read at a place.
fn is_missing_at(fault: &Problem, at: Span) -> bool {
    let ProblemKind::Value(value) = &fault.kind else { return false };
    let ValueKind::MissingDefinition { needed: Some(needed), .. } = &value.what else { return false };
    overlap(*needed, at)
}

/// Returns `true` if a problem only says that evaluation fails.
fn is_raised(problem: &Problem) -> bool {
    matches!(&problem.kind, ProblemKind::Types(types) if matches!(types.what, TypesKind::Raises))
}

/// Returns `true` if an evaluation error occurred at a span, or in a call that contains the span.
fn touches(fault: &Problem, at: Span) -> bool {
    let calls: &[Span] = match &fault.kind {
        ProblemKind::Value(problem) => &problem.calls,
        _ => &[],
    };
    fault.span().iter().chain(calls).any(|span| overlap(*span, at))
}
