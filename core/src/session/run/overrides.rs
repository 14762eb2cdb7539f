//! Assignments and contracts of the command line, put over a program.

use super::assign::{Assignment, RightSide};
use super::{CALL, Run, by_ending, language_of};
use crate::dialect::Program;
use crate::meta::Priority;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::{Problem, Severity};
use crate::session::request::{Input, Request};
use crate::state::InFile;
use crate::term::build::Builder;
use crate::term::{Annot, AnnotKind, Node, Term};
use crate::text::path::Step;
use crate::text::{Name, Span};
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use std::sync::Arc;

impl Run<'_> {
    /// Merges overrides over a program and applies contracts.
    pub(super) fn with_overrides(&mut self, term: Arc<Term>, request: &Request) -> Option<Arc<Term>> {
        if request.overrides.is_empty() && request.contracts.is_empty() {
            return Some(term);
        }
        let mut builder = Builder::new();
        let span = term.span(term.root);
        let mut operands = vec![self.session.named_part(&mut builder, "%main", term.clone(), span)];
        let assignments = match Assignment::parse_all(&request.overrides) {
            Ok(assignments) => assignments,
            Err(error) => return self.misassigned(SessionKind::BadAssignment { why: Name::from(error.to_string()) }),
        };
        for (index, assignment) in assignments.iter().enumerate() {
            let layer = self.layer(assignment, &term)?;
            operands.push(self.session.named_part(&mut builder, &format!("%override{index}"), layer, span));
        }
        let mut root =
            if operands.len() > 1 { builder.push(Node::Merge(operands.into()), span) } else { *operands.first()? };
        let mut annots = Vec::new();
        for path in &request.contracts {
            let input = Input::File(path.clone());
            let contract = self.input(&input, None)?;
            if !self.parsed(language_of(self.session.languages(), &input, None), &contract) {
                return None;
            }
            let is_data = by_ending(self.session.languages(), &input).is_some_and(|language| !language.has_cells());
            if is_data && contract.term.field_names().any(|name| name == "$schema" || name == "properties") {
                let path = path.display();
                let why = Name::from(format!("`--apply-contract {path}` is a JSON Schema: `--schema {path}`"));
                return self.misassigned(SessionKind::BadAssignment { why });
            }
            let written = contract.term.span(contract.term.root);
            let ty = self.session.named_part(&mut builder, &contract.name, contract.term.clone(), written);
            annots.push(Annot { kind: AnnotKind::Contract, ty });
        }
        if !annots.is_empty() {
            root = builder.push(Node::Annot(root, annots.into()), span);
        }
        Some(Arc::new(builder.finish(root)))
    }

    /// Returns the layer of an assignment, if its field can be assigned.
    fn layer(&mut self, assignment: &Assignment, program: &Arc<Term>) -> Option<Arc<Term>> {
        if let Some(what) = self.unassignable(assignment, program) {
            return self.misassigned(what);
        }
        let standard = self.session.languages().standard();
        let source = self.session.world.add_input("<override>", &assignment.text, standard);
        let value = match (&assignment.value, assignment.expression()) {
            (_, Some(expression)) => standard.program(
                source,
                &expression,
                &InFile(self.session.languages(), self.session.world.interrupt.stop(), &[]),
            ),
            (RightSide::Environment(name), None) => match self.session.world.loader.env(name) {
                Some(value) => {
                    let mut builder = Builder::new();
                    let span = Span::new(source, 0, assignment.text.len());
                    let root = builder.push(Node::Str(Name::from(value)), span);
                    Program { term: Arc::new(builder.finish(root)), problems: Vec::new() }
                }
                None => {
                    let why = Name::from(format!("the environment has no variable `{name}`"));
                    return self.misassigned(SessionKind::BadAssignment { why });
                }
            },
            (RightSide::Expression(_), None) => return None,
        };
        let start = match assignment.value {
            RightSide::Expression(start) => start,
            RightSide::Environment(_) => 0,
        };
        let at = Span::new(source, start, assignment.text.len());
        self.session.world.hide_assigned(&assignment.path, at, &value.problems);
        let mut failed = false;
        for problem in &value.problems {
            failed |= problem.severity == Severity::Error;
            self.report(problem);
        }
        if failed {
            self.outcome.exit = CALL;
            return None;
        }
        Some(Arc::new(assignment.layer(Arc::try_unwrap(value.term).ok()?, source)))
    }

    /// Returns the reason why a field cannot be assigned: it does not exist or, without `--override`, already has a
    /// value.
    fn unassignable(&mut self, assignment: &Assignment, program: &Arc<Term>) -> Option<SessionKind> {
        let mut path: Vec<Step> = assignment.path.steps.clone();
        let last = path.pop()?;
        let Step::Field(name) = last else { return None };
        let root = self.session.workspace.machine.thunk(program);
        let mut events = Vec::new();
        let entries = self.session.with_trace_lines(&mut events, |machine| {
            let thunk = machine.at(&root, &path).ok()?;
            machine.force(&thunk).ok()?;
            match machine.datum_without_forcing(&thunk, Budget { depth: 1, ..Budget::ALL }) {
                Datum::Record(ref mut entries) => Some(std::mem::take(entries)),
                _ => None,
            }
        });
        let shown = Name::from(assignment.path.to_string());
        let entries = entries.unwrap_or_default();
        let found = entries.iter().find(|entry| entry.name == name);
        match found {
            None => {
                let names = entries.iter().map(|entry| entry.name.as_str());
                let near = crate::text::near(&name, names);
                Some(SessionKind::NoSuchInput { path: shown, near })
            }
            Some(entry) if !assignment.force && entry.value.is_some() && entry.priority != Priority::Default => {
                let text = match self.session.world.is_secret_name(&shown) {
                    true => Name::from(format!("{shown}=VALUE")),
                    false => Name::from(assignment.text.as_str()),
                };
                Some(SessionKind::NotAnInput { path: shown, text })
            }
            Some(_) => None,
        }
    }

    /// Reports an invalid assignment.
    pub(super) fn misassigned<T>(&mut self, what: SessionKind) -> Option<T> {
        self.report(&Problem::error(SessionProblem { span: None, what }));
        self.outcome.exit = CALL;
        None
    }
}
