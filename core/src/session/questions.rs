//! Questions as data, and the one way from a question to its answer.
//!
//! The prompt, the command line and the kernel differ in how they read the subject of a question, and in how they show the
//! answer (`answers.rs`).

use super::Session;
use super::cells::faults;
use super::commands::Line;
use super::event::Event;
use crate::answer::constraints::{Constraints, Solving};
use crate::answer::core::{Core, fold};
use crate::answer::deps::{self, Direction};
use crate::answer::env::env;
use crate::answer::explain::{self, Explanation};
use crate::answer::fixes::EditTarget;
use crate::answer::functions::Functions;
use crate::answer::graph::{self, Graph};
use crate::answer::info::known::known;
use crate::answer::info::{Info, info};
use crate::answer::resources::{self, Resources};
use crate::answer::shared::projection;
use crate::answer::show::{Form, Shown};
use crate::answer::stages::Stage;
use crate::answer::steps::{self, Ask, Steps};
use crate::answer::types::TypeOf;
use crate::answer::value::ValueAnswer;
use crate::answer::whatif::{self, Layer};
use crate::answer::why::{self, WhyAnswer, WhyView};
use crate::answer::{Answer, diff, doc, query};
use crate::dialect::Dialect;
use crate::infer::Options;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::{Problem, ProblemKind, Severity};
use crate::state::typing::is_elsewhere;
use crate::term::{FieldName, Node, Term};
use crate::text::Name;
use crate::text::path::FieldPath;
use crate::ty::Ty;
use crate::value::Thunk;
use crate::view::Drawing;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// A question about an expression or a field.
#[derive(Clone, Debug)]
pub(super) enum Question {
    /// Its type.
    Type,
    /// Its metadata and value.
    Query,
    /// The origin of its value.
    Explain,
    /// Its value if its definitions were others.
    WhatIf(Vec<Layer>),
    /// The values that it depends on, or those that depend on it.
    Deps(Direction),
    /// Its graph, in one of the notations: of its resources, of its document if the language draws one, or else of the reads
    /// between its fields.
    Graph(Drawing),
    /// Its function graph, in one of the notations.
    Functions(Drawing),
    /// The merges that it is made of.
    Steps(Ask),
    /// Its documentation.
    Doc,
    /// The constraints that inference collects for it.
    Constraints,
    /// The steps that solve these constraints, one at a time.
    Solving,
    /// Its term in the core language.
    Core,
    /// Its term in the core language, with its constants folded.
    Folded,
    /// The reasons for its type, or for its first type error; with a number, one step of them in full.
    Why(Option<usize>),
    /// Its syntax tree.
    Ast,
    /// Its holes, and the names that fit.
    Holes,
    /// The result of each stage, or of one.
    Stages(Option<Stage>),
    /// The facts about it that need no evaluation.
    Info,
    /// Its value, as far as it is evaluated.
    Known,
    /// Its value after only the evaluation that is needed to reach it, or also its parts.
    Demand(Extent),
    /// Its whole value.
    Force,
    /// Its whole value in a form.
    Show(Form),
    /// The differences between two values, or between the session now and after a cell.
    Diff,
    /// The bound names, with their types.
    Env,
}

/// The part of a value that a demand reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The value itself, which may stay unevaluated.
    Value,
    /// Its fields or elements, which may stay unevaluated.
    Parts,
}

/// The subject of a question.
pub(super) enum Subject<'a> {
    /// An expression that reads the names of the session, and its text.
    Expression(Arc<Term>, &'a str),
    /// The value at a path of a program.
    Field(&'a Arc<Term>, &'a FieldPath),
    /// Two expressions.
    Pair([Arc<Term>; 2]),
    /// The changes since a cell, or up to a later one.
    Since(u32, Option<u32>),
    /// The names that begin with a prefix.
    Names(&'a str),
    /// All definitions.
    Session,
    /// A text that need not be a valid expression.
    Text(&'a Line),
    /// The last input that is not a command.
    LastInput,
}

impl<'a> Subject<'a> {
    /// Returns the subject as an expression, and its text, which is empty for a whole program. Fails for other subjects.
    pub(super) fn expression(self) -> Result<(Arc<Term>, &'a str), Problem> {
        match self {
            Subject::Expression(term, text) => Ok((term, text)),
            Subject::Field(program, path) if path.steps.is_empty() => Ok((program.clone(), "")),
            _ => Err(wrong_subject()),
        }
    }

    /// Returns the program, if the subject is a whole program that makes a graph of resources.
    fn resources(&self) -> Option<Arc<Term>> {
        let (program, whole) = match self {
            Subject::Expression(term, _) => (term, true),
            Subject::Field(program, path) => (*program, path.steps.is_empty()),
            _ => return None,
        };
        let makes = |term: &Term| {
            let field = |f: &crate::term::FieldDef| matches!(&f.name, FieldName::Static(name) if name == "resources");
            let body = match term.node(term.root) {
                Node::Let(l) => term.node(l.body),
                root => root,
            };
            matches!(body, Node::Record(lit) if lit.open && lit.fields.iter().any(field))
        };
        (whole && program.rules.makes_resources() && makes(program)).then(|| program.clone())
    }

    /// Returns `true` if the subject is a whole program that makes a graph of resources.
    pub(super) fn makes_resources(&self) -> bool {
        self.resources().is_some()
    }

    /// Converts the subject to a question about its dependencies.
    fn deps_question(self) -> Result<deps::DepsQuestion, Problem> {
        match self {
            Subject::Field(program, path) => Ok(deps::DepsQuestion::of_program(program, path.steps.clone())),
            subject => Ok(deps::DepsQuestion::of_expression(subject.expression()?.0)),
        }
    }
}

/// Returns the problem of a question that does not apply to its subject. No face asks such a question.
fn wrong_subject() -> Problem {
    let why = Name::new_static("this question needs an expression");
    Problem::error(SessionProblem {
        span: None,
        what: SessionKind::BadCommand { why, usage: Name::default(), meant: None, example: None },
    })
}

impl Question {
    /// Returns `true` if the answer is about the current value, so that a stale result deserves a note.
    pub(super) fn is_about_value(&self) -> bool {
        matches!(
            self,
            Question::Query
                | Question::Explain
                | Question::WhatIf(_)
                | Question::Deps(_)
                | Question::Steps(_)
                | Question::Solving
                | Question::Info
                | Question::Known
                | Question::Demand(_)
                | Question::Force
                | Question::Show(_)
                | Question::Why(_)
        )
    }
}

impl Session {
    /// Answers a question in a language. Adds what the program prints and the problems beside the answer to `events`.
    ///
    /// # Errors
    ///
    /// Fails if the subject does not exist, or has no answer.
    pub(super) fn answer(
        &mut self,
        dialect: Dialect,
        question: &Question,
        subject: Subject<'_>,
        events: &mut Vec<Event>,
    ) -> Result<Box<dyn Answer>, Problem> {
        Ok(match question {
            Question::Type => {
                let (term, is_part) = match subject {
                    Subject::Field(program, path) => (self.projected(program, &path.steps), !path.steps.is_empty()),
                    subject => (subject.expression()?.0, false),
                };
                let typed = self.world.infer(&term);
                // an expression with an error has a variable for a type
                let is_open = match &*typed.scheme.ty {
                    Ty::Fails(_, ty) => matches!(&**ty, Ty::Var(_)),
                    ty => matches!(ty, Ty::Var(_)),
                };
                let is_missing = (is_part || is_open) && typed.problems.iter().any(is_own_error);
                Box::new(TypeOf { typed, is_missing })
            }
            Question::Query => Box::new(match subject {
                Subject::Field(program, path) => {
                    let root = self.root(program, dialect, events);
                    query::at(&mut self.workspace, &root, &path.steps)?
                }
                subject => query::query(&mut self.workspace, subject.expression()?.0)?,
            }),
            Question::Explain => Box::new(self.explained(dialect, subject, events)?),
            Question::WhatIf(changes) => {
                let again = self.replay(dialect);
                let term = subject.expression()?.0;
                Box::new(whatif::what_if(&mut self.workspace, &again, dialect, term, changes)?)
            }
            Question::Deps(direction) => {
                Box::new(deps::deps(&mut self.workspace, &subject.deps_question()?, *direction)?)
            }
            Question::Graph(drawing) if let Some(program) = subject.resources() => {
                let root = self.root(&program, dialect, events);
                Box::new(Resources { drawing: *drawing, ..resources::resources(&mut self.workspace, &root)? })
            }
            Question::Graph(drawing) if let Some(root) = self.graph_of_result(dialect, &subject) => {
                Box::new(Resources { drawing: *drawing, ..resources::resources(&mut self.workspace, &root)? })
            }
            Question::Graph(drawing) if let Some(found) = self.resolver(dialect, &subject, *drawing) => {
                Box::new(found?)
            }
            Question::Graph(drawing) => {
                let graph = match subject {
                    Subject::Session => graph::of_session(&mut self.workspace),
                    subject => graph::graph(&mut self.workspace, &subject.deps_question()?)?,
                };
                Box::new(Graph { drawing: *drawing, ..graph })
            }
            Question::Functions(drawing) => {
                let term = subject.expression()?.0;
                let functions = Functions::of(&term, self.languages(), &self.world.sources.borrow());
                Box::new(Functions { drawing: *drawing, ..functions })
            }
            Question::Steps(ask) => Box::new(self.steps_of(dialect, subject, ask, events)?),
            Question::Doc => {
                let (term, text) = subject.expression()?;
                Box::new(doc::doc(&mut self.workspace, dialect, term, text)?)
            }
            Question::Constraints => Box::new(self.constraints(dialect, &subject.expression()?.0, events)),
            Question::Solving => Box::new(Solving(self.constraints(dialect, &subject.expression()?.0, events))),
            Question::Core => Box::new(Core(subject.expression()?.0)),
            Question::Folded => Box::new(Core(fold::fold(&mut self.workspace, &subject.expression()?.0))),
            Question::Why(step) => Box::new(self.why(dialect, subject, *step)?),
            Question::Ast => match subject {
                Subject::Text(line) => Box::new(self.tree(line)),
                _ => return Err(wrong_subject()),
            },
            Question::Holes => match subject {
                Subject::Text(line) => Box::new(self.holes_of(line)),
                Subject::LastInput => Box::new(self.holes_of_last_input()),
                _ => return Err(wrong_subject()),
            },
            Question::Stages(only) => match subject {
                Subject::Text(line) => Box::new(self.stages(line, *only, events)?),
                _ => return Err(wrong_subject()),
            },
            Question::Info => Box::new(self.info(subject)?),
            Question::Known => {
                let (term, _) = subject.expression()?;
                let typed = self.world.infer(&term);
                let budget = self.settings().budget;
                let datum = known(&mut self.workspace, &term, budget);
                // a field that cannot exist is an error, not an unknown value
                if let Some(error) = typed.problems.iter().find(|p| is_own_error(p)) {
                    return Err(error.clone());
                }
                Box::new(ValueAnswer { datum: datum?, typed, fault: None, is_forced: false, label: None })
            }
            Question::Demand(extent) => Box::new(self.demanded(subject, *extent, events)?),
            Question::Force => Box::new(self.forced(subject, events)?),
            Question::Show(form) => Box::new(Shown::new(*form, self.forced(subject, events)?)?),
            Question::Diff => match subject {
                Subject::Since(cell, until) => {
                    let compare = |session: &mut Session, versions| diff::since(&mut session.workspace, versions);
                    Box::new(self.versions_between(cell, until, diff::FORCED, compare))
                }
                Subject::Pair(terms) => self.differences(dialect, &terms)?,
                _ => return Err(wrong_subject()),
            },
            Question::Env => match subject {
                Subject::Names(prefix) => Box::new(env(&mut self.workspace, dialect, prefix)),
                _ => return Err(wrong_subject()),
            },
        })
    }

    /// Returns the value of a name, or of the last result if the subject is the session, if it is a graph of resources.
    fn graph_of_result(&mut self, dialect: Dialect, subject: &Subject<'_>) -> Option<Thunk> {
        let name = match subject {
            Subject::Session => self.it_for(self.next_number())?,
            Subject::Expression(term, _) => match term.node(term.root) {
                Node::Global(name) => name.clone(),
                _ => return None,
            },
            _ => return None,
        };
        if !dialect.rules().makes_resources() {
            return None;
        }
        let root = self.workspace.value_of(&name)?;
        resources::is_graph(&mut self.workspace, &root).then_some(root)
    }

    /// Infers an expression, and returns the constraints.
    fn constraints(&mut self, dialect: Dialect, term: &Arc<Term>, events: &mut Vec<Event>) -> Constraints {
        let inferred = self.workspace.slice(term).inferred(0, Options { log: true, ..Options::default() });
        events.extend(self.diagnostics(dialect, &inferred.problems));
        Constraints { collected: inferred.collected.unwrap_or_default(), scheme: inferred.scheme }
    }

    /// Compares two expressions: resource by resource if both are graphs of resources.
    fn differences(&mut self, dialect: Dialect, terms: &[Arc<Term>; 2]) -> Result<Box<dyn Answer>, Problem> {
        let [left, right] = terms;
        if dialect.rules().makes_resources() {
            let roots = terms.each_ref().map(|term| self.workspace.machine().thunk(term));
            if roots.iter().all(|root| resources::is_graph(&mut self.workspace, root)) {
                let [before, after] = roots.map(|root| resources::resources(&mut self.workspace, &root));
                return Ok(Box::new(resources::changes(&before?, &after?)));
            }
        }
        Ok(Box::new(diff::of_terms(&mut self.workspace, [left, right], &[])?))
    }

    /// Returns the facts about a subject. For a name, they include the number of its type problems. For any other expression,
    /// fails with its first type error.
    fn info(&mut self, subject: Subject<'_>) -> Result<Info, Problem> {
        let (term, text) = subject.expression()?;
        let typed = self.world.infer(&term);
        if self.world.interrupt.is_raised() {
            return Err(self.world.interrupt.problem(None));
        }
        let budget = self.settings().budget;
        let is_name = matches!(term.node(term.root), Node::Global(name) if self.workspace.definition(name).is_some());
        if is_name {
            return info(&mut self.workspace, &term, text, typed.scheme.clone(), budget);
        }
        if let Some(error) = typed.problems.iter().find(|p| is_own_error(p)) {
            return Err(error.clone());
        }
        self.in_snapshot_of(&term, |session| info(&mut session.workspace, &term, text, typed.scheme.clone(), budget))
    }

    /// Evaluates the whole value of a subject.
    fn forced(&mut self, subject: Subject<'_>, events: &mut Vec<Event>) -> Result<ValueAnswer, Problem> {
        let (term, _) = subject.expression()?;
        let typed = self.world.infer(&term);
        if self.world.interrupt.is_raised() {
            return Err(self.world.interrupt.problem(None));
        }
        let thunk = self.workspace.machine.thunk(&term);
        let forced = self.with_trace_lines(events, |machine| machine.force_deep(&thunk));
        if self.world.interrupt.is_raised() {
            return Err(self.world.interrupt.problem(None));
        }
        // the forced values are shown, each fault in its place
        let datum = self.datum(&thunk, events);
        let fault = forced.err().filter(|_| faults(&datum, &|| false).is_empty()).map(|fault| fault.problem().clone());
        Ok(ValueAnswer { datum, typed, fault, is_forced: true, label: None })
    }

    fn explained(
        &mut self,
        dialect: Dialect,
        subject: Subject<'_>,
        events: &mut Vec<Event>,
    ) -> Result<Explanation, Problem> {
        let again = self.replay(dialect);
        let (program, path) = match subject {
            Subject::Field(program, path) => (program, path),
            subject => return explain::explain_term(&mut self.workspace, &again, dialect, subject.expression()?.0),
        };
        let root = self.root(program, dialect, events);
        let question = explain::ExplainQuestion {
            dialect,
            target: EditTarget::Request,
            root: &root,
            path,
            name: None,
            deps_question: &deps::DepsQuestion::of_program(program, path.steps.clone()),
            whole: Some(program.span(program.root)),
        };
        let mut explanation = explain::explain(&mut self.workspace, &again, question)?;
        if explanation.value.is_some() && !explanation.set_scalar_type(&self.workspace, dialect) {
            let part = self.projected(program, &path.steps);
            let typed = self.world.infer(&part);
            explanation.set_type(&self.workspace, dialect, Some(&typed.scheme));
        }
        Ok(explanation)
    }

    /// Returns the merges of a subject.
    pub(super) fn steps_of(
        &mut self,
        dialect: Dialect,
        subject: Subject<'_>,
        ask: &Ask,
        events: &mut Vec<Event>,
    ) -> Result<Steps, Problem> {
        let demands = self.demands_of(&subject);
        let found = match subject {
            Subject::Expression(term, text) => steps::of_term(&mut self.workspace, term, ask)
                .map(|steps| Steps { written: String::from(text), ..steps }),
            Subject::Field(program, path) => {
                let root = self.fresh_root(dialect, program, events);
                steps::steps(&mut self.workspace, &root, &Ask { below: path.clone(), ..ask.clone() })
            }
            _ => return Err(wrong_subject()),
        };
        if self.world.interrupt.is_raised() {
            return Err(self.world.interrupt.problem(None));
        }
        found.map(|steps| Steps { demands: demands.unwrap_or_default(), ..steps })
    }

    /// Returns the value of a program, unforced unless the program is called. An evaluated value no longer knows how it is
    /// written.
    fn fresh_root(&mut self, dialect: Dialect, program: &Arc<Term>, events: &mut Vec<Event>) -> Thunk {
        let root = self.root(program, dialect, events);
        let fresh = self.workspace.machine.thunk(program);
        match self.workspace.machine.force(&fresh).is_ok_and(|value| !value.is_function()) {
            true => self.workspace.machine.thunk(program),
            false => root,
        }
    }

    /// Returns the answer to `:why`, and remembers it: a number after `:why` shows one of its steps in full.
    ///
    /// # Errors
    ///
    /// Fails if the field does not exist, or if the search was interrupted.
    fn why(&mut self, dialect: Dialect, subject: Subject<'_>, step: Option<usize>) -> Result<WhyView, Problem> {
        let is_whole = match &subject {
            Subject::LastInput => true,
            Subject::Field(_, path) => path.steps.is_empty(),
            _ => false,
        };
        let why = match subject {
            Subject::LastInput if step.is_some() && self.why.answer.is_some() => self.why.answer.clone(),
            Subject::LastInput => {
                let newest = self.world.state.newest.borrow().clone();
                newest.iter().find_map(|term| self.first_reasons(term)).map(Rc::new)
            }
            Subject::Field(program, path) if path.steps.is_empty() => self.first_reasons(program).map(Rc::new),
            subject => Some(Rc::new(self.reasons(subject)?)),
        };
        if self.world.interrupt.is_raised() {
            return Err(self.world.interrupt.problem(None));
        }
        self.why.answer.clone_from(&why);
        let dialect = why.as_ref().map_or(dialect, |why| self.languages().of_rules(why.rules));
        // a problem that is not about types
        let stated = if why.is_none() && is_whole { self.why.worst() } else { None };
        let stated = stated.map(|problem| self.described(dialect, &problem));
        Ok(WhyView { why, stated, step, dialect })
    }

    /// Returns the reasons for the type of a subject, or for its type error.
    ///
    /// # Errors
    ///
    /// Fails if the field does not exist.
    fn reasons(&mut self, subject: Subject<'_>) -> Result<WhyAnswer, Problem> {
        match subject {
            Subject::Expression(term, _) => Ok(self.in_snapshot_of(&term, |session| {
                let fault = why::fault(&session.workspace, &term);
                let found = fault.and_then(|(root, problem)| why::problem(&session.workspace, &root, &problem));
                found.unwrap_or_else(|| {
                    why::ty(&session.workspace, &term).below(term.node(projection::of_term(&term).0))
                })
            })),
            Subject::Field(program, path) => {
                let part = self.projected(program, &path.steps);
                let found = match why::fault(&self.workspace, &part) {
                    Some((root, problem)) if Arc::ptr_eq(&root, &part) => return Err(problem),
                    Some((root, problem)) => why::problem(&self.workspace, &root, &problem),
                    None => None,
                };
                Ok(found.unwrap_or_else(|| why::ty(&self.workspace, &part)))
            }
            _ => Err(wrong_subject()),
        }
    }

    /// Explains the program's first type problem, errors before warnings.
    fn first_reasons(&self, program: &Arc<Term>) -> Option<WhyAnswer> {
        let typed = self.world.infer(program);
        let own = |p: &&Problem| matches!(p.kind, ProblemKind::Types(_)) && !is_elsewhere(p);
        let first = typed.problems.iter().filter(own).min_by_key(|p| p.severity).cloned();
        match first {
            Some(first) if first.severity == Severity::Error => why::problem(&self.workspace, program, &first),
            first => {
                let elsewhere = why::fault(&self.workspace, program);
                let reasons = elsewhere.and_then(|(root, problem)| why::problem(&self.workspace, &root, &problem));
                reasons.or_else(|| why::problem(&self.workspace, program, &first?))
            }
        }
    }
}

/// Returns `true` for an error in an expression itself, not in something that it reads.
pub(super) fn is_own_error(problem: &Problem) -> bool {
    problem.severity == Severity::Error && !is_elsewhere(problem)
}

/// Maximum number of problems that are remembered for `:why`.
const MAX_REMEMBERED: usize = 100;

/// The subject of the next `:why`.
#[derive(Default)]
pub(super) struct WhyMemory {
    /// The last answer, for `:why 2`.
    pub answer: Option<Rc<WhyAnswer>>,
    /// The problems that the last input or request reported.
    problems: RefCell<Vec<Problem>>,
    /// Whether an input or request is being run. What a command reports is not a subject.
    is_recording: Cell<bool>,
}

impl WhyMemory {
    /// Forgets the problems, and remembers those that are reported from now on.
    pub fn begin(&self) {
        self.problems.take();
        self.is_recording.set(true);
    }

    /// Ends the input.
    pub fn end(&self) {
        self.is_recording.set(false);
    }

    /// Remembers a problem that is reported.
    pub fn record(&self, problem: &Problem) {
        let mut problems = self.problems.borrow_mut();
        if self.is_recording.get() && problems.len() < MAX_REMEMBERED {
            problems.push(problem.clone());
        }
    }

    /// Returns the first of the most severe problems.
    fn worst(&self) -> Option<Problem> {
        self.problems.borrow().iter().min_by_key(|problem| problem.severity).cloned()
    }
}
