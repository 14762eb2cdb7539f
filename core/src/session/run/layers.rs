//! The layers of a merge: files, stacks of files, environment variables, and the assignments of the command line.

use super::misuse::{STACK, is_of_stack, key_path, meant_rule, without_letter};
use super::variables::{ENVIRONMENT, begins_with};
use super::{CALL, Run, by_ending, language_of};
use crate::dialect::{Dialect, Language, command_line, data, forms};
use crate::problem::session::{SessionKind, SessionProblem, Slip};
use crate::problem::{Problem, ProblemKind, Severity};
use crate::session::request::{Input, Request, SetKind, SetOption};
use crate::state::files::{File, Form};
use crate::text::path::{FieldPath, PathRule, Step, rule};
use crate::text::{Name, SourceId, Span, near};
use crate::value::datum::{Datum, Entry};
use crate::value::machine::Budget;
use crate::value::{Thunk, Value};
use indexmap::IndexSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The layers of a request, the lowest first.
#[derive(Default)]
pub(super) struct Layers {
    pub(super) all: Vec<Layer>,
    /// Whether later files override earlier ones.
    pub(super) stacked: bool,
    /// The rules for lists. The last one for a path counts.
    pub(super) lists: Vec<PathRule>,
    /// The paths that environment variables set, with the places of the variables.
    pub(super) variables: Vec<(FieldPath, Span)>,
    /// The schemas that the result must meet.
    pub(super) schemas: Vec<PathBuf>,
}

/// A layer.
#[derive(Clone)]
pub(super) struct Layer {
    pub(super) file: Rc<File>,
    pub(super) origin: LayerOrigin,
}

/// The way in which a layer was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LayerOrigin {
    /// A file, or a text.
    File,
    /// The field `set` of a stack.
    Table,
    /// Variables whose names map to paths. Holds the prefix that the names begin with.
    Environment(String),
    /// An assignment. Holds its path.
    Assignment(FieldPath),
}

impl Layer {
    /// Returns the text of the layer if it is that of an option: an assignment, or variables of the environment. Also whether a point in it
    /// splits a key.
    pub(super) fn as_option(&self) -> Option<(SourceId, bool)> {
        let is_assignment = matches!(self.origin, LayerOrigin::Assignment(_));
        let is_environment = matches!(self.origin, LayerOrigin::Environment(_)) && &*self.file.name == ENVIRONMENT;
        (is_assignment || is_environment).then_some((self.file.source, is_assignment))
    }
}

impl LayerOrigin {
    /// Returns `true` if the layer is above the files even if these are merged without an order.
    pub(super) fn is_above(&self) -> bool {
        !matches!(self, LayerOrigin::File)
    }
}

impl Request {
    /// Returns `true` if something is merged over the inputs, or if an input names several files.
    pub(super) fn has_layers(&self) -> bool {
        let options = &self.layering;
        let given = !options.sets.is_empty() || !options.env.is_empty() || !options.lists.is_empty();
        given
            || options.stacked
            || !options.schemas.is_empty()
            || self.inputs.iter().any(|input| matches!(input, Input::Stack(_)))
    }
}

impl Run<'_> {
    /// Reads all layers of a request. `None` if one of them cannot be read; all such layers are reported.
    pub(super) fn layers(&mut self, request: &Request, stacked: bool) -> Option<Layers> {
        let mut layers = Layers { stacked, ..Layers::default() };
        let mut good = true;
        for text in &request.layering.lists {
            match rule(text) {
                Ok(rule) => layers.lists.push(rule),
                Err(error) => {
                    let why = match meant_rule(text) {
                        Some(meant) => format!("`--list {text}` is no rule for lists: did you mean `--list {meant}`?"),
                        None if key_path(text).is_some() => {
                            format!("`--list {text}`: {}", key_path(text).unwrap_or_default())
                        }
                        None => format!("`--list {text}`: {}", without_letter(&error, text)),
                    };
                    let why = Name::from(why);
                    good = self.misassigned::<()>(SessionKind::BadAssignment { why }).is_some();
                }
            }
        }
        for input in &request.inputs {
            if let Input::Stack(path) = input {
                good &= self.stack(path, &mut layers).is_some();
                continue;
            }
            let dialect = self.dialect_beside(input, request.dialect);
            let language = language_of(self.session.languages(), input, dialect);
            let file = self.input(input, dialect);
            if let Some(file) = &file {
                self.hide_over(&layers.all, file);
            }
            if let Some(file) = &file {
                self.report_anchors(request, input, file);
            }
            let is_read = file.as_ref().is_some_and(|file| self.parsed(language, file));
            if let (Input::File(path), false, None, Some(_)) = (input, is_read, dialect, &file) {
                let message =
                    format!("`{}` is read as a program, because its ending is that of no language", path.display());
                let help = "`--dialect` names the language of such a file: `--dialect NAME`";
                self.report(&Problem::warning(Slip::new("merge/unknown-ending", message).help(help).at(None)));
            }
            match file.filter(|file| is_read && self.is_accepted(language, file)) {
                Some(file) => {
                    if let (Input::File(path), false) = (input, language.has_cells()) {
                        let are_several = request.inputs.len() > 1;
                        self.report_other_use(path, &file, are_several);
                    }
                    let variables = language.0.variable.is_some() && (stacked || request.inputs.len() > 1);
                    let origin = match variables {
                        true => {
                            // a file without the prefix is meant as it is
                            let mut prefixes = request.layering.env.iter();
                            let prefix = prefixes.find(|prefix| begins_with(&file, prefix));
                            LayerOrigin::Environment(prefix.cloned().unwrap_or_default())
                        }
                        false => LayerOrigin::File,
                    };
                    layers.all.push(Layer { file, origin });
                }
                None => good = false,
            }
        }
        for prefix in &request.layering.env {
            good &= self.environment(prefix, &mut layers).is_some();
        }
        for set in &request.layering.sets {
            match self.assignment(set) {
                Some(layer) => layers.all.push(layer),
                None => good = false,
            }
        }
        layers.schemas.extend(request.layering.schemas.iter().cloned());
        good.then_some(layers)
    }

    /// Returns the language of an input of a merge or comparison: the requested one, that of its ending, or the one that
    /// its content or the other inputs suggest. `None` for a program.
    pub(super) fn dialect_beside(&self, input: &Input, requested: Option<Dialect>) -> Option<Dialect> {
        requested
            .or_else(|| by_ending(self.session.languages(), input))
            .or_else(|| self.by_content(input))
            .or(self.default_data)
    }

    /// Returns the data language in which standard input, or a file with an unknown ending beside other data, is a mapping or a list: that of
    /// the other inputs, if it can be.
    fn by_content(&self, input: &Input) -> Option<Dialect> {
        let read;
        let text = match input {
            Input::Text { name, text } if name == "<stdin>" => text,
            Input::File(path) if self.default_data.is_some() => {
                read = self.session.world.loader.read(path).ok()?;
                &read
            }
            _ => return None,
        };
        let text = std::str::from_utf8(text).ok()?;
        let stop = self.session.world.interrupt.stop();
        let holds = |language: &'static Language| data::holds(language, text, stop);
        self.default_data
            .filter(|default_data| holds(default_data.0))
            .or_else(|| data::of_content(text, stop).map(Dialect))
    }

    /// Reads an assignment. The fault of an assignment is one of the call.
    fn assignment(&mut self, set: &SetOption) -> Option<Layer> {
        let (name, language) = match set.kind {
            SetKind::Literal => ("--set", &command_line::SET),
            SetKind::Text => ("--set-string", &command_line::SET_STRING),
            SetKind::Json => ("--set-json", &command_line::SET_JSON),
            SetKind::File => ("--set-file", &command_line::SET_FILE),
        };
        let file = self.session.world.text_file(name, set.text.as_bytes(), Dialect(language));
        let file = match file {
            Ok(file) => file,
            Err(problem) => {
                self.report(&problem);
                self.outcome.exit = CALL;
                return None;
            }
        };
        if !self.parsed(self.dialect, &file) {
            self.outcome.exit = CALL;
            return None;
        }
        let assigned = crate::text::path::assignment(&set.text).ok()?;
        if set.kind == SetKind::File {
            self.check_set_file(&file, set.text.get(assigned.value)?)?;
        }
        let path = assigned.path;
        Some(Layer { file, origin: LayerOrigin::Assignment(path) })
    }

    /// Reports a file of `--set-file` that cannot be read. `None` if it cannot.
    fn check_set_file(&mut self, option: &File, path: &str) -> Option<()> {
        let length = self.session.workspace.text_of(option.source)?.len();
        let span = Span::new(option.source, length.checked_sub(path.len())?, length);
        self.check_named_file(Path::new(path), Form::Text, Some(span))
    }

    /// Reports a file that cannot be read, at the place that names it. `None` if it cannot.
    fn check_named_file(&mut self, path: &Path, form: Form, span: Option<Span>) -> Option<()> {
        let Err(mut problem) = self.session.world.find(path, form, None) else { return Some(()) };
        if let ProblemKind::Session(problem) = &mut problem.kind {
            problem.span = problem.span.or(span);
        }
        self.session.find_similar(path, &mut problem);
        self.failed(&problem)
    }

    /// Reads a stack: a data file that names layers and the rules to merge them.
    fn stack(&mut self, path: &Path, layers: &mut Layers) -> Option<()> {
        let input = Input::File(path.to_path_buf());
        let language = language_of(self.session.languages(), &input, None);
        let file = self.input(&input, None)?;
        if file.problems.iter().any(|problem| problem.severity == Severity::Error) {
            // the layers, which say what is secret, are not read
            self.hide_set(&file);
        }
        if !self.parsed(language, &file) {
            return None;
        }
        let machine = &mut self.session.workspace.machine;
        let root = machine.thunk(&file.term);
        let value = machine.datum(&root, Budget::ALL);
        let stack = match &value {
            Datum::Record(entries) => entries,
            Datum::Fault(problem) => return self.failed(problem),
            _ => return self.bad_stack(&root, &[], "a stack is a table with `layers`, a list of files"),
        };
        layers.stacked = true;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut good = true;
        // the order of the fields does not matter: files, then variables, then `set`
        let known = STACK;
        if !stack.iter().any(|entry| known.contains(&entry.name.as_str()) || !near(&entry.name, ["layers"]).is_empty())
        {
            let name = path.display();
            let why = format!("`{name}` is no stack, it has no `layers`: without the `@` it is a layer");
            return self.bad_stack(&root, &[], &why);
        }
        let is_layers = |entry: &Entry| entry.name == "layers" || !near(&entry.name, ["layers"]).is_empty();
        if let Some(Entry { value: Some(Datum::Array(items)), .. }) = stack.iter().find(|entry| entry.name == "layers")
            && items.is_empty()
        {
            let why = "`layers` is empty: it lists files, `layers = [\"base.yaml\"]`";
            good = self.bad_stack(&root, &[Step::Field(Name::new_static("layers"))], why).is_some();
        }
        if !stack.iter().any(is_layers) {
            good = self.bad_stack(&root, &[], "a stack needs `layers`, a list of files").is_some();
        }
        for name in known {
            if let Some(entry) = stack.iter().find(|entry| entry.name == name) {
                good &= self.stack_field(&root, &file, folder, entry, layers).is_some();
            }
        }
        for Entry { name, .. } in stack.iter().filter(|entry| !known.contains(&entry.name.as_str())) {
            let near = near(name, known);
            let meant = near.first().map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            let why = format!("a stack has no field `{name}`{meant}");
            let record = match self.session.workspace.machine.force(&root) {
                Ok(Value::Record(record)) => Some(record),
                _ => None,
            };
            let span = record.and_then(|record| record.named_at(name));
            let what = SessionKind::BadStack { why: Name::from(why) };
            self.fail(&Problem::error(SessionProblem { span, what }));
            good = false;
        }
        good.then_some(())
    }

    fn stack_field(
        &mut self,
        root: &Thunk,
        file: &Rc<File>,
        folder: &Path,
        entry: &Entry,
        layers: &mut Layers,
    ) -> Option<()> {
        let step = Step::Field(entry.name.clone());
        if entry.name == "set" {
            return match &entry.value {
                Some(Datum::Record(entries)) => {
                    for inner in entries.iter().filter(|inner| is_of_stack(inner)) {
                        let place = [step.clone(), Step::Field(inner.name.clone())];
                        let span = self.written_in(root, &place);
                        let message = format!("`{}` is in `set`, so that it becomes a field of the result", inner.name);
                        let slip = Slip::new("merge/other-use", message).label("a rule of the stack");
                        let help =
                            format!("to use it as `{}` of the stack, write it outside of `set`, above it", inner.name);
                        self.report(&Problem::warning(slip.help(help).at(span)));
                    }
                    layers.all.push(Layer { file: file.clone(), origin: LayerOrigin::Table });
                    Some(())
                }
                _ => {
                    let language = self.session.workspace.dialect_of(file.source);
                    let is_list = matches!(entry.value, Some(Datum::Array(_)));
                    let form = language.filter(|_| is_list).and_then(|language| forms::mapping(language, Some("set")));
                    let form = form.unwrap_or(Name::new_static("write `[set]`, and below it `a = 1`"));
                    self.bad_stack(root, &[step], &format!("`set` is a table of fields and their values: {form}"))
                }
            };
        }
        let items: &[Datum] = match &entry.value {
            Some(Datum::Array(items)) => items,
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        for (index, item) in items.iter().enumerate() {
            let place = [step.clone(), Step::Index(index)];
            let Datum::String(text) = item else {
                let example = match entry.name.as_str() {
                    "layers" => "\"base.yaml\"",
                    "list" => "\"tags=append\"",
                    "env" => "\"APP_\"",
                    _ => "\"schema.json\"",
                };
                let why = format!("`{0}` is a list of strings: `{0} = [{example}]`", entry.name);
                return self.bad_stack(root, &place, &why);
            };
            match entry.name.as_str() {
                "layers" if text.starts_with('@') => {
                    let why = format!(
                        "a stack contains no stacks: write the layers of `{}` here",
                        text.trim_start_matches('@')
                    );
                    return self.bad_stack(root, &place, &why);
                }
                "layers"
                    if text.starts_with("~/")
                        && self.session.world.loader.canonical(&folder.join(text.as_str())).is_err() =>
                {
                    let why = format!(
                        "no file `{text}`: `~` is not replaced by a folder here; write the path from `/`, or from the folder of this file"
                    );
                    return self.bad_stack(root, &place, &why);
                }
                "layers" => {
                    let span = self.written_in(root, &place);
                    let layer = self.layer_file(&folder.join(text.as_str()), span, &layers.all)?;
                    layers.all.push(layer);
                }
                "list" => match rule(text) {
                    Ok(rule) => layers.lists.push(rule),
                    Err(error) => {
                        let why = match meant_rule(text) {
                            Some(meant) => format!("`{text}` is no rule for lists: did you mean `{meant}`?"),
                            None => format!("`{text}`: {}", without_letter(&error, text)),
                        };
                        return self.bad_stack(root, &place, &why);
                    }
                },
                "env" => self.environment(text, layers)?,
                _ => {
                    let path = folder.join(text.as_str());
                    let span = self.written_in(root, &place);
                    self.check_named_file(&path, Form::Program(Dialect(&data::SCHEMA)), span)?;
                    layers.schemas.push(path);
                }
            }
        }
        Some(())
    }

    /// Reads a file that a stack names.
    fn layer_file(&mut self, path: &Path, span: Option<Span>, below: &[Layer]) -> Option<Layer> {
        let languages = self.session.languages();
        let language = language_of(languages, &Input::File(path.to_path_buf()), None);
        let file = match self.session.world.find(path, Form::Program(language), None) {
            Ok(file) => file,
            Err(mut problem) => {
                if let ProblemKind::Session(problem) = &mut problem.kind {
                    problem.span = problem.span.or(span);
                }
                self.session.find_similar(path, &mut problem);
                return self.failed(&problem);
            }
        };
        let origin = match language.0.variable.is_some() {
            true => LayerOrigin::Environment(String::new()),
            false => LayerOrigin::File,
        };
        self.hide_over(below, &file);
        let is_good = self.parsed(language, &file) && self.is_accepted(language, &file);
        is_good.then_some(Layer { file, origin })
    }

    /// Reports the type errors of a file in whose language a program with one has no value. Returns `true` if there are none.
    fn is_accepted(&mut self, language: Dialect, file: &File) -> bool {
        if !file.term.rules.is_exact() {
            return true;
        }
        let mut problems = self.session.world.file_type(file).problems.clone();
        let is_own = |problem: &Problem| {
            problem.span().and_then(|span| self.session.workspace.dialect_of(span.source)) == Some(language)
        };
        problems.extend(self.session.world.imported_problems().into_iter().filter(is_own));
        problems.retain(|problem| problem.severity == Severity::Error);
        for problem in &problems {
            self.report_in(language, problem);
            self.outcome.exit = self.outcome.exit.max(super::FAULT);
        }
        problems.is_empty()
    }

    fn failed<T>(&mut self, problem: &Problem) -> Option<T> {
        self.fail(problem);
        None
    }

    /// Reports a fault in a stack, at the place of a field or of the nearest enclosing one.
    fn bad_stack(&mut self, root: &Thunk, path: &[Step], why: &str) -> Option<()> {
        let span = self.written_in(root, path).or_else(|| self.session.workspace.machine.place(root));
        self.failed(&Problem::error(SessionProblem { span, what: SessionKind::BadStack { why: Name::new(why) } }))
    }

    /// Returns the place of a part of a stack, or of the nearest part around it.
    fn written_in(&mut self, root: &Thunk, path: &[Step]) -> Option<Span> {
        let by_name = |step: &Step| match step {
            Step::Index(index) => Step::Field(Name::from(index.to_string())),
            Step::Field(_) => step.clone(),
        };
        let path: Vec<Step> = path.iter().map(by_name).collect();
        self.session.workspace.machine.written_at(root, &path).map(|(_, body)| body)
    }
}

/// Returns the problem of a path that does not begin with a document.
pub(super) fn no_such_document(path: &FieldPath, documents: &IndexSet<Name>) -> Option<SessionKind> {
    let name = match path.steps.first()? {
        Step::Field(name) => name.clone(),
        Step::Index(index) => Name::from(index.to_string()),
    };
    if documents.contains(&name) {
        return None;
    }
    let near = near(&name, documents.iter().map(Name::as_str));
    let documents = documents.iter().take(4).cloned().collect();
    Some(SessionKind::NoSuchDocument { path: Name::from(path.to_string()), near, documents })
}
