//! The commands of the command line: `cfg eval`, `type`, `check`, `query`.
//!
//! `eval` evaluates first. It infers programs with annotations, because a violated annotation `: T` must be reported even
//! though the value is printed, and small programs that fail. If both report the same place, it is reported once.

mod assign;
mod beyond;
mod check;
mod diff;
mod edit;
mod faults;
mod fmt;
mod layers;
mod lists;
mod merge;
mod merge_faults;
mod misuse;
mod objects;
mod overrides;
mod required;
mod schemas;
mod secrets;
mod stopped;
mod streams;
mod unknown_fields;
mod variables;
mod watch;
mod why;

pub use check::Finding;
pub(super) use check::join_checks;
pub(super) use stopped::stopped;
pub use watch::Watch;

use super::Session;
use super::cells::Bind;
use super::emit::{Layout, is_function};
use super::questions::{Question, Subject};
use super::request::{Action, Input, Outcome, Request};
use crate::answer::deps::Direction;
use crate::answer::resources::ResourcePath;
use crate::answer::steps::Ask;
use crate::answer::{Hints, conflicts};
use crate::deep::expect_memory;
use crate::dialect::{Dialect, Languages};
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::value::ValueKind;
use crate::problem::{Problem, ProblemKind, ProblemsByPlace, Severity};
use crate::state::files::{File, Form};
use crate::state::typing;
use crate::styled::Styled;
use crate::term::build::Builder;
use crate::term::{ImportKind, Node, NodeId, Term};
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use crate::value::Thunk;
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::manifest::objects::Parts;
use crate::view::Medium;
use faults::FailurePlaces;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Exit codes.
pub(super) const FAULT: u8 = 1;
const CALL: u8 = 2;
/// Maximum size of a program that is inferred after its evaluation has failed, in bytes.
const INFERRED: usize = 32_000;
/// Maximum number of steps of the evaluation that finds further broken contracts, and the amount of data that it looks at.
const FURTHER_STEPS: u64 = 500_000;
const FURTHER: Budget = Budget { elements: 20_000, depth: 100, text: 200 };
/// Maximum number of contracts that are reported after the first one that a value breaks.
const BROKEN: usize = 10;

/// Runs a request.
pub(super) fn run(session: &mut Session, request: Request) -> Outcome {
    session.last = None;
    // a file that an earlier request could not read may be there now
    let dialect = session.dialect();
    drop(session.look_for_missing(dialect, &[]));
    session.world.state.inputs.files.borrow_mut().look_again(&*session.world.loader);
    let mut run = Run::new(session, &request);
    if !run.prepare(&request) {
        return run.outcome;
    }
    match &request.action {
        Action::Check(options) => run.check_all(&request, options),
        Action::CheckLayers(options) => {
            let silent = options.silence.clone();
            run.session.world.state.change_settings(|settings| settings.silent.extend(silent));
            run.check_layers(&request, options.strict);
        }
        Action::Merge { at, layers, format, explain } => {
            if let Some(merged) = run.merged(&request, *layers) {
                run.merge(&merged, at.as_deref(), (*format, &request.options), *explain);
            }
        }
        Action::Fmt { check } => run.fmt(&request, *check),
        Action::Edit { sets, .. } => run.edit(&request, sets),
        Action::Diff { left, at, layout } => run.diff(&request, *left, at.as_deref(), *layout),
        Action::Steps { layers, .. } if request.inputs.len() > 1 || request.has_layers() => {
            if let Some(program) = run.merged(&request, *layers) {
                run.steps(&program.term, &request.action);
            }
        }
        action => {
            if let Some(input) = request.inputs.first()
                && let Some(program) = run.program(input, &request)
            {
                let dialect = run.dialect;
                match action {
                    Action::Eval { at, format } => {
                        let parts = run.session.document_output.clone().map(Parts::new);
                        let stream = at.is_none() && run.is_stream(input, &request);
                        let layout = Layout { dialect, format: *format, options: &request.options, parts, stream };
                        run.eval(&program, at.as_deref(), &layout);
                    }
                    Action::Type { at, pretty } => run.ty(&run.applied(dialect, program), at.as_deref(), *pretty),
                    Action::Deps { path, used_by, json } => {
                        let direction = if *used_by { Direction::UsedBy } else { Direction::Reads };
                        run.ask(&Question::Deps(direction), &program, Some(path), Medium::text_or_json(*json));
                    }
                    Action::Graph { functions: true, drawing, .. } => {
                        run.ask(&Question::Functions(*drawing), &program, None, Medium::Text);
                    }
                    Action::Graph { at, drawing, .. } => {
                        run.ask(&Question::Graph(*drawing), &program, at.as_deref(), Medium::Text);
                    }
                    Action::Query { path, json } => {
                        run.ask(&Question::Query, &program, Some(path), Medium::text_or_json(*json));
                    }
                    Action::Explain { path, medium } => run.ask(&Question::Explain, &program, Some(path), *medium),
                    Action::Why { path, step, medium } => run.why(&program, path.as_deref(), *step, *medium),
                    Action::Steps { .. } => run.steps(&program, action),
                    Action::Check(_)
                    | Action::CheckLayers(_)
                    | Action::Merge { .. }
                    | Action::Diff { .. }
                    | Action::Edit { .. }
                    | Action::Fmt { .. } => {}
                }
            }
        }
    }
    let is_data = match &request.action {
        Action::Eval { .. } | Action::Fmt { .. } => true,
        Action::Merge { explain, .. } => explain.is_none(),
        _ => false,
    };
    run.report_similar();
    run.mask(is_data);
    run.stopped();
    run.outcome
}

/// Returns the language of an input: the requested one, or that of its extension.
fn language_of(languages: Languages, input: &Input, requested: Option<Dialect>) -> Dialect {
    // the language as the session has it: with its newest syntax, if that was chosen
    let requested = requested.map(|dialect| languages.named(dialect.name()).unwrap_or(dialect));
    requested.or_else(|| by_ending(languages, input)).unwrap_or(languages.standard())
}

/// Returns the language that the name of an input says: the extension of a file, also of one at a git revision.
fn by_ending(languages: Languages, input: &Input) -> Option<Dialect> {
    match input {
        Input::File(path) => languages.of_path(path),
        Input::Stack(_) => None,
        Input::Text { name, .. } => languages.of_path(std::path::Path::new(name)),
    }
}

/// Returns the value of the requested program, for a session that is used only for this.
pub(super) fn root(session: &mut Session, request: &Request) -> Option<Thunk> {
    let mut run = Run::new(session, request);
    let program = match &request.action {
        Action::Merge { layers, .. } | Action::Edit { layers, .. } => run.merged(request, *layers)?.term,
        Action::Steps { layers, .. } if request.inputs.len() > 1 || request.has_layers() => {
            run.merged(request, *layers)?.term
        }
        _ => run.program(request.inputs.first()?, request)?,
    };
    let dialect = run.dialect;
    Some(run.session.root(&program, dialect, &mut Vec::new()))
}

pub(super) struct Run<'s> {
    /// The language of the answer: that of the program, or the standard one for a merge of several.
    pub(super) dialect: Dialect,
    pub(super) session: &'s mut Session,
    pub(super) outcome: Outcome,
    /// The problems reported so far, to avoid duplicates.
    said: ProblemsByPlace,
    /// The keys of layers that are similar to a key of a lower layer. Those that a schema refuses are not reported.
    similar: Vec<Problem>,
    /// The schemas of the request, as data.
    schema_terms: Vec<Arc<Term>>,
    /// The places of the values of layers that were compared with a lower value of another kind.
    compared: FxHashSet<Span>,
    /// The places of the expressions that the programs of a check evaluated.
    evaluated: FxHashSet<Span>,
    /// The number of the first input of a merge, in the names of its parts.
    first_file: usize,
    /// Whether the documents of all inputs are matched by their identities, also if there is only one input.
    identified: bool,
    /// The language of inputs that specify none and whose content is not conclusive: the widest one of the first data file.
    default_data: Option<Dialect>,
    /// Whether types are checked, which reports the fields whose kind a higher layer changes.
    checks: bool,
    /// Other names of documents: with the namespace, or without it.
    aliases: FxHashMap<Name, Name>,
    /// The file whose documents are the elements of the program's value.
    stream: Option<Rc<File>>,
}

impl<'s> Run<'s> {
    fn new(session: &'s mut Session, request: &Request) -> Run<'s> {
        session.why.begin();
        let languages = session.languages();
        let merges = match request.action {
            Action::Merge { .. } | Action::CheckLayers(_) | Action::Diff { .. } | Action::Edit { .. } => true,
            Action::Steps { .. } => request.inputs.len() > 1,
            _ => request.layering.stacked || matches!(request.inputs.first(), Some(Input::Stack(_))),
        };
        let program = request.inputs.first().filter(|_| !merges);
        let dialect = program.map_or(languages.standard(), |input| language_of(languages, input, request.dialect));
        let is_data = |input: &Input| {
            let is_stack = matches!(input, Input::Stack(_));
            is_stack || by_ending(languages, input).is_some_and(|language| !language.has_cells())
        };
        let is_of_data = merges && request.dialect.is_none() && request.inputs.iter().all(is_data);
        let dialect = if is_of_data { dialect.of_data() } else { dialect };
        let endings = request.inputs.iter().filter_map(|input| by_ending(languages, input));
        let default_data = endings.filter(|language| !language.has_cells()).map(Dialect::widest).next();
        let checks = matches!(request.action, Action::Check(_) | Action::CheckLayers(_));
        Run {
            dialect,
            session,
            outcome: Outcome::default(),
            said: ProblemsByPlace::default(),
            similar: Vec::new(),
            schema_terms: Vec::new(),
            compared: FxHashSet::default(),
            evaluated: FxHashSet::default(),
            first_file: 0,
            identified: false,
            default_data,
            checks,
            aliases: FxHashMap::default(),
            stream: None,
        }
    }

    pub(super) fn report(&mut self, problem: &Problem) {
        self.report_in(self.dialect, problem);
    }

    /// Reports a problem in the notation of a language. A doubt about a value waits for the end: another report may say more about it.
    fn report_in(&mut self, dialect: Dialect, problem: &Problem) {
        if !problem.is_doubt() {
            return self.report_now(dialect, problem);
        }
        if !self.session.world.sources.borrow().has_secrets() {
            self.session.why.record(problem);
        }
        self.similar.push(problem.clone());
    }

    fn report_now(&mut self, dialect: Dialect, problem: &Problem) {
        if self.said.insert(problem) {
            expect_memory(self.outcome.reports.len());
            if !problem.is_doubt() {
                self.session.why.record(problem);
            }
            let report = self.session.report(dialect, problem);
            self.outcome.reports.push((problem.severity, report));
        }
    }

    /// Reports a problem that ends the run.
    pub(super) fn fail(&mut self, problem: &Problem) {
        self.report(problem);
        self.outcome.exit = self.outcome.exit.max(FAULT);
    }

    fn read(&self, input: &Input, dialect: Dialect) -> Result<Rc<File>, Problem> {
        match input {
            // a stack alone is a data file
            Input::File(path) | Input::Stack(path) => self.session.world.find(path, Form::Program(dialect), None),
            Input::Text { name, text } => self.session.world.text_file(name, text, dialect),
        }
    }

    /// Reads an input. `None` if it cannot be read or parsed, which is reported.
    fn input(&mut self, input: &Input, dialect: Option<Dialect>) -> Option<Rc<File>> {
        let dialect = language_of(self.session.languages(), input, dialect);
        match self.read(input, dialect) {
            Ok(file) => Some(file),
            Err(problem) => self.unread(dialect, &problem),
        }
    }

    /// Reports why an input cannot be read.
    fn unread<T>(&mut self, dialect: Dialect, problem: &Problem) -> Option<T> {
        let not_there = matches!(
            &problem.kind,
            ProblemKind::Session(SessionProblem {
                what: SessionKind::NotFound { .. } | SessionKind::Unreadable { .. } | SessionKind::NotBuilt { .. },
                span: None,
            })
        );
        self.report_in(dialect, problem);
        self.outcome.exit = if not_there { CALL } else { FAULT };
        None
    }

    /// Returns the requested program: the input, with overrides merged and contracts applied. `None` if it does not
    /// parse.
    fn program(&mut self, input: &Input, request: &Request) -> Option<Arc<Term>> {
        if request.has_layers() {
            return Some(self.merged(request, request.layering.stacked)?.term);
        }
        let file = self.input(input, request.dialect)?;
        if !self.parsed(self.dialect, &file) {
            return None;
        }
        self.stream = Some(file.clone());
        self.with_overrides(file.term.clone(), request)
    }

    /// Reports the problems of a text in the notation of its language. Returns `true` if it can be used.
    fn parsed(&mut self, dialect: Dialect, file: &File) -> bool {
        for problem in &file.problems {
            // an anchor in another file is reported already
            let is_said = problem.code() == "data/anchor" && !self.said.at_place_of(problem).is_empty();
            if !is_said {
                self.report_in(dialect, problem);
            }
        }
        let good = !file.problems.iter().any(|p| p.severity == Severity::Error);
        if !good {
            self.outcome.exit = self.outcome.exit.max(FAULT);
        }
        good
    }

    /// Parses a path, or reports that it is invalid. An empty text is the path of the whole value.
    fn path(&mut self, path: Option<&str>) -> Option<FieldPath> {
        let Some(path) = path.filter(|p| !p.trim().is_empty()) else { return Some(FieldPath::root()) };
        match FieldPath::parse(path) {
            Ok(mut path) => {
                self.respell(&mut path);
                self.in_document(path)
            }
            Err(error) => {
                let what = SessionKind::BadPath { path: Name::new(path), why: Name::from(error.to_string()) };
                self.report(&Problem::error(SessionProblem { span: None, what }));
                self.outcome.exit = CALL;
                None
            }
        }
    }

    /// Parses a path into the value of a program, which may be that of a resource.
    fn path_in(&mut self, program: &Arc<Term>, path: Option<&str>) -> Option<FieldPath> {
        if program.rules.makes_resources()
            && let Some(text) = path
        {
            let root = self.session.root(program, self.dialect, &mut Vec::new());
            match crate::answer::resources::path_of(&mut self.session.workspace, &root, text) {
                Some(ResourcePath::Found(path)) => return Some(path),
                Some(ResourcePath::Missing(path, near)) => {
                    let what = SessionKind::NoResource { label: path, near };
                    self.fail(&Problem::error(SessionProblem { span: None, what }));
                    return None;
                }
                None => {}
            }
        }
        self.path(path)
    }

    /// Reports the type errors of a program where types are exact, so that it is not evaluated. Returns whether there are
    /// any.
    pub(super) fn is_refused(&mut self, program: &Arc<Term>) -> bool {
        let typed = self.session.world.infer(program);
        let mut refused = false;
        let imported = self.session.world.imported_problems();
        for problem in typed.problems.iter().chain(&imported).filter(|p| p.severity == Severity::Error) {
            self.fail(problem);
            refused = true;
        }
        refused
    }

    fn eval(&mut self, program: &Arc<Term>, at: Option<&str>, layout: &Layout) {
        if program.rules.is_exact() && self.is_refused(program) {
            return;
        }
        let Some(FieldPath { steps: path }) = self.path_in(program, at) else { return };
        let mut events = Vec::new();
        let root = self.session.root(program, layout.dialect, &mut events);
        let at = (&root, path.as_slice());
        let printed = self.session.with_trace_lines(&mut events, |machine| layout.print_at(machine, program, at));
        self.write_trace_lines(events);
        if let Some(bytes) = layout.parts.as_ref().map(Parts::passed).filter(|bytes| *bytes > 0 && printed.is_err()) {
            let said = format!("note: the output is incomplete: {} MB of it were written\n", bytes >> 20);
            self.outcome.reports.push((Severity::Note, Styled::from(said)));
        }
        let failed = printed.as_ref().err().cloned();
        let mut further = Vec::new();
        let mut kept = None;
        match printed {
            Ok(printed) => {
                self.outcome.output = Styled::from(printed.text);
                self.outcome.files = printed.files;
                kept = printed.kept;
            }
            Err(problem) => {
                self.fail(&problem);
                if is_broken_contract(&problem) {
                    further = self.further_broken(&root, &path);
                }
            }
        }
        further.iter().for_each(|problem| self.fail(problem));
        self.session.last = Some((root, kept, program.clone()));
        // an exact program was inferred before; in others a value has no type errors except violated annotations
        if program.rules.is_exact() || !program.has_types() && (failed.is_none() || !self.is_small(program)) {
            return;
        }
        let places = FailurePlaces::of(failed.iter().chain(&further), layout.dialect.notation());
        let typed = self.session.world.infer(program);
        for problem in typed.problems.iter().filter(|p| p.severity == Severity::Error) {
            // if the value exists, the only true type errors are violated annotations
            let concerns =
                if failed.is_some() { !typing::is_elsewhere(problem) } else { typing::is_annotation(problem) };
            if !concerns {
                continue;
            }
            if !places.is_about(problem) {
                self.fail(problem);
            }
        }
    }

    /// Returns the other contracts that a value breaks, up to a limit.
    fn further_broken(&mut self, root: &Thunk, path: &[Step]) -> Vec<Problem> {
        let value = self.session.with_trace_lines(&mut Vec::new(), |machine| {
            // another part may not end
            let limits = machine.limits;
            let allowed = machine.steps().saturating_add(FURTHER_STEPS);
            machine.limits.steps = Some(limits.steps.map_or(allowed, |steps| steps.min(allowed)));
            let value = match machine.at(root, path) {
                Ok(thunk) => machine.datum(&thunk, FURTHER),
                Err(_) => Datum::Null,
            };
            machine.limits = limits;
            value
        });
        let mut others: Vec<Problem> =
            conflicts::faults(&value, path).into_iter().map(|fault| fault.problem).filter(is_broken_contract).collect();
        others.retain(|problem| !self.said.contains(problem));
        others.truncate(BROKEN);
        others
    }

    /// Whether a program and the files that it read are small enough to be inferred after a failure without a delay. They are not if they
    /// import files that evaluation did not read, by the names of the files: inference would read those, and what they import.
    fn is_small(&self, program: &Term) -> bool {
        let sources = self.session.world.sources.borrow();
        let length = |source| sources.get(source).map_or(0, |source| source.text.len());
        let files = self.session.world.state.inputs.files.borrow();
        let own = program.span(program.root).source;
        let others = || files.values().filter(|file| file.source != own);
        if length(own) + others().map(|file| length(file.source)).sum::<usize>() > INFERRED {
            return false;
        }
        let read: FxHashSet<&str> = files.values().map(|file| last_name(&file.name)).collect();
        let is_read = |node: &Node| match node {
            Node::Import(import) => {
                !matches!(import.kind, ImportKind::Code(_)) || read.contains(last_name(&import.path))
            }
            _ => true,
        };
        program.nodes.iter().all(is_read) && others().all(|file| file.term.nodes.iter().all(is_read))
    }

    /// Adds what the program printed to the reports, before its problems.
    fn write_trace_lines(&mut self, events: Vec<super::Event>) {
        for event in events {
            if let super::Event::Output(text) = event {
                self.outcome.reports.push((Severity::Note, Styled::from(text.trim_end_matches('\n'))));
            }
        }
    }

    fn ty(&mut self, program: &Arc<Term>, at: Option<&str>, pretty: bool) {
        let Some(path) = self.path(at) else { return };
        let mut events = Vec::new();
        let answer = self.session.answer(self.dialect, &Question::Type, Subject::Field(program, &path), &mut events);
        let page = pretty.then(|| self.session.columns());
        self.print_on(page, answer, Medium::Text, Hints::default());
    }

    /// Returns the program or, if it is a function and top-level arguments are given, its call.
    fn applied(&self, dialect: Dialect, program: Arc<Term>) -> Arc<Term> {
        let world = &self.session.world;
        let wanted = dialect.0.calls_with_arguments && !world.arguments().is_empty();
        if wanted && is_function(&world.infer(&program).scheme) { world.call_of(&program) } else { program }
    }

    /// Asks a question about the value at a path, and prints the answer.
    fn ask(&mut self, question: &Question, program: &Arc<Term>, path: Option<&str>, medium: Medium) {
        if program.rules.is_exact() && self.is_refused(program) {
            return;
        }
        let Some(path) = self.path_in(program, path) else { return };
        let mut events = Vec::new();
        let answer = self.session.answer(self.dialect, question, Subject::Field(program, &path), &mut events);
        self.write_trace_lines(events);
        self.print(answer, medium, question.hints());
    }

    /// Shows how the constraints of a program are solved. Its problems are reported.
    fn solving(&mut self, program: &Arc<Term>, medium: Medium) {
        let root = FieldPath { steps: Vec::new() };
        let subject = Subject::Field(program, &root);
        let answer = self.session.answer(self.dialect, &Question::Solving, subject, &mut Vec::new());
        self.print(answer, medium, Hints::default());
        let typed = self.session.world.infer(program);
        for problem in &typed.problems {
            self.report(problem);
            if problem.severity == Severity::Error {
                self.outcome.exit = self.outcome.exit.max(FAULT);
            }
        }
    }

    /// Shows the merges of a program.
    fn steps(&mut self, program: &Arc<Term>, action: &Action) {
        let Action::Steps { at, most, all, medium, types, .. } = action else { return };
        if *types {
            return self.solving(program, *medium);
        }
        let ask = Ask { most: *most, all: *all, ..Ask::default() };
        self.ask(&Question::Steps(ask), program, at.as_deref(), *medium);
    }
}

fn is_broken_contract(problem: &Problem) -> bool {
    matches!(&problem.kind, ProblemKind::Value(value) if matches!(value.what, ValueKind::Contract(_)))
}

impl Session {
    /// Binds a part of a program to an internal name, and returns a node that reads it.
    fn named_part(&mut self, builder: &mut Builder, name: &str, term: Arc<Term>, span: Span) -> NodeId {
        let key = Name::new(name);
        let bind = Bind { name: key.clone(), span: None, recursive: true, doc: None, term };
        // its problems are found again when the whole program is inferred
        self.bind(self.dialect(), bind, 0, &mut Vec::new());
        builder.variable(&key, span)
    }

    /// Returns the part of a program at a path, as a program.
    pub(super) fn projected(&mut self, program: &Arc<Term>, path: &[Step]) -> Arc<Term> {
        if path.is_empty() {
            return program.clone();
        }
        let span = program.span(program.root);
        let mut builder = Builder::new();
        let mut node = self.named_part(&mut builder, "%typed", program.clone(), span);
        for step in path {
            node = match step {
                Step::Field(name) => builder.push(Node::Project(node, name.clone()), span),
                Step::Index(_) => element(&mut builder, node, span),
            };
        }
        Arc::new(builder.finish(node))
    }
}

/// Creates a term for any element of an array, for its type: `std.array.first array`.
fn element(builder: &mut Builder, array: NodeId, span: Span) -> NodeId {
    let std = builder.variable(&Name::new_static("std"), span);
    let module = builder.push(Node::Project(std, Name::new_static("array")), span);
    let func = builder.push(Node::Project(module, Name::new_static("first")), span);
    let apply = crate::term::Apply { func, args: vec![(None, array)], tailstrict: false };
    builder.push(Node::Apply(Box::new(apply)), span)
}

/// Returns the last part of a path.
fn last_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
