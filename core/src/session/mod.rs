//! The session: cells, commands, undo. [`Session`] is the façade that both faces use.
//!
//! Every input that is not a command is a cell and takes the next number, even if it fails. Evaluation is lazy. A type error
//! never prevents the value, and an evaluation error never prevents the type.

mod answers;
mod boundary;
mod cells;
mod changes;
pub mod commands;
pub mod config;
mod consequences;
mod data_advice;
mod document;
mod emit;
mod event;
mod exchange;
mod failed;
mod file_advice;
mod language;
mod load;
mod notebook;
mod overview;
mod prompt_advice;
mod prompt_lines;
mod questions;
mod replay;
mod replica;
mod reports;
mod request;
mod run;
mod saved;
mod secrets;
mod stages;
mod stale;
mod time;
mod what_if;

pub use crate::answer::complete::Candidate;
pub use crate::dialect::Completeness;
pub use crate::state::external::{Content, ExternalOption, OPTIONS as EXTERNAL_OPTIONS, Target};
pub(crate) use crate::state::is_written;
pub use crate::state::journal::Rerun;
pub use crate::state::settings;
pub use crate::state::{Activity, Interrupt, Phase};
pub use crate::view::{Drawing, Medium};
pub use event::Event;
pub use notebook::{CellReads, PageWidths, UNKEPT};
pub use overview::NameOverview;
pub use replica::{PublishedState, Publisher};
pub use request::{
    Action, CheckOptions, DiffLayout, FileEdit, Format, Input, Layering, Outcome, ProgramOptions, Request, SetKind,
    SetOption, Shape,
};
pub use run::Watch;
pub use what_if::{ExplainedField, Tried};

use crate::answer::fixes::Edit;
use crate::answer::{Answer, Hints};
use crate::dialect::{Dialect, Languages};
use crate::loader::Loader;
use crate::problem::{Problem, Severity};
use crate::state::environment::Typed;
use crate::state::input::{blanked, is_command, language_line_range};
use crate::state::{Workspace, World, access, typing};
use crate::styled::{Role, Styled};
use crate::term::Term;
use crate::text::{Name, SourceId};
use crate::value::datum::Datum;
use crate::value::{Machine, Thunk};
use settings::{BadSetting, Origin, Settings};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

/// The width of answers, in columns, if none is set.
const DEFAULT_WIDTH: usize = 80;

/// A session: all definitions, and the evaluator. It is not `Send`: it stays on one thread, which should have a large stack.
pub struct Session {
    /// The state, which the workspace shares.
    world: Rc<World>,
    /// The state with the evaluator, on which questions work.
    pub(crate) workspace: Workspace,
    /// The terminal's width, in columns. `None` without a terminal.
    terminal_width: Option<usize>,
    time: time::Time,
    /// The saved sessions that are being loaded, outermost first.
    loading: Vec<PathBuf>,
    /// The value of the last request, as a thunk and as data, and its program. They are kept because dropping large
    /// ones takes time, and the process usually ends first.
    last: Option<(Thunk, Option<Datum>, Arc<Term>)>,
    /// The request of the command line.
    request: Option<Rc<Request>>,
    /// The sink for what programs print while they run. If it is `None`, the output is returned as events.
    output: Option<Output>,
    /// The receiver of the parts of a large document.
    document_output: Option<DocumentOutput>,
    /// The answer to `:steps` if the last input was one, with the input's language and the commands that the answer mentions.
    /// A face can have it laid out again.
    last_steps: Option<(Dialect, Box<dyn Answer>, Hints<'static>)>,
    /// The last answer of `:explain`, for `:whatif` without a path.
    last_explained: Option<ExplainedField>,
    /// Whether the last input was `:explain`, with an answer.
    was_explain: bool,
    /// The edits of the last answer of `:whatif`.
    last_edits: Vec<Edit>,
    /// The current nesting depth of user-defined commands.
    alias_depth: u32,
    /// The subject of the next `:why`.
    why: questions::WhyMemory,
    /// Bytes of programs in which annotations were searched for since the last request or input.
    annotation_bytes: Cell<usize>,
    /// The last file that was read in other languages, and the advice about it.
    file_format: RefCell<Option<(SourceId, Option<String>)>>,
    /// Whether the checks of the last input passed. `None` if it was not a check.
    last_check: Option<bool>,
    /// The state that this replica adopted last.
    adopted: Option<PublishedState>,
    /// The notebook's request for the current cell.
    running: notebook::Running,
    /// Called before an expression of a cell is evaluated.
    before_evaluation: Option<Observer>,
    /// Whether answers are also rendered in richer forms.
    rich: bool,
    /// The names that cells with errors did not bind.
    failed: failed::FailedNames,
}

/// A sink for what programs print (`std.trace`). It is called on the session's thread, with whole lines.
pub type Output = Rc<dyn Fn(&str)>;

pub use crate::value::manifest::objects::DocumentOutput;

/// A callback that receives the session, on its thread.
pub type Observer = Rc<dyn Fn(&Session)>;

impl Session {
    /// Creates an empty session with a loader and the built-in languages.
    pub fn new(loader: Box<dyn Loader>) -> Session {
        Session::with_languages(Languages::default(), loader)
    }

    /// Creates an empty session with a loader and these languages.
    pub fn with_languages(languages: Languages, loader: Box<dyn Loader>) -> Session {
        Session::over(languages, loader, Interrupt::default())
    }

    /// Creates an empty session that `interrupt` stops.
    fn over(languages: Languages, loader: Box<dyn Loader>, interrupt: Interrupt) -> Session {
        let world = World::new(languages, loader, interrupt);
        let mut machine = Machine::new(Rc::new(access::Globals(world.clone())));
        machine.set_interrupt(world.interrupt.flag());
        Session {
            world: world.clone(),
            workspace: Workspace { world, machine },
            terminal_width: None,
            time: time::Time::default(),
            loading: Vec::new(),
            last: None,
            request: None,
            output: None,
            document_output: None,
            last_steps: None,
            last_explained: None,
            was_explain: false,
            last_edits: Vec::new(),
            alias_depth: 0,
            why: questions::WhyMemory::default(),
            annotation_bytes: Cell::default(),
            file_format: RefCell::default(),
            last_check: None,
            adopted: None,
            running: Default::default(),
            before_evaluation: None,
            rich: false,
            failed: Default::default(),
        }
    }

    /// Sets a sink for what programs print. Without one it is returned as events when the input ends.
    pub fn set_output(&mut self, output: Output) {
        self.output = Some(output);
    }

    /// Sets a receiver of the parts of a large document that `cfg eval` writes. They are passed on while it is written, and
    /// the outcome has only the rest. Without a receiver, it has the whole document.
    pub fn set_document_output(&mut self, output: DocumentOutput) {
        self.document_output = Some(output);
    }

    /// Sets whether answers also have HTML and JSON forms.
    pub fn set_rich(&mut self, rich: bool) {
        self.rich = rich;
    }

    /// Returns a handle on the current activity.
    pub fn activity_handle(&self) -> Activity {
        self.world.activity.clone()
    }

    /// The number of terms inferred so far: definitions, expressions and files. A difference of two counts is the cost of an
    /// input.
    pub fn inferences(&self) -> u64 {
        self.world.inferences.get()
    }

    /// The number of evaluation steps of the last input. It is the cost of what was evaluated.
    pub fn evaluation_steps(&self) -> u64 {
        self.workspace.machine.steps()
    }

    /// Returns the inference problems of all definitions, by name, as if they were entered again.
    fn problems_here(&self) -> Vec<(Name, Styled)> {
        let environment = self.world.state.environment.borrow();
        let written = environment.iter().filter(|(key, _)| is_written(key));
        let all = written.flat_map(|(key, definition)| definition.typed.problems.iter().map(move |p| (key, p)));
        all.map(|(key, problem)| (key.clone(), self.report(self.dialect(), problem))).collect()
    }

    /// Returns the files read from disk, by path, each with the text that was read. The text is `None` if the file was missing.
    pub fn files_read(&self) -> Vec<(PathBuf, Option<Arc<str>>)> {
        let files = self.world.state.inputs.files.borrow();
        let read = files.values().map(|file| (file.path.clone(), self.workspace.text_of(file.source)));
        read.chain(files.missing().map(|path| (path.clone(), None))).collect()
    }

    /// The number of the next cell.
    pub fn next_number(&self) -> u32 {
        self.world.state.next.get()
    }

    /// The name of the next cell, for example `cfg[3]`.
    pub fn next_cell(&self) -> String {
        self.cell_name(self.dialect())
    }

    /// The name of the next cell in a language.
    fn cell_name(&self, dialect: Dialect) -> String {
        let next = self.next_number();
        match next < UNKEPT {
            true => format!("{}[{next}]", dialect.name()),
            // the notebook shows no number for it
            false => format!("{}[-]", dialect.name()),
        }
    }

    fn submit_here(&mut self, text: &str) -> Vec<Event> {
        self.begin();
        self.last_steps = None;
        self.was_explain = false;
        self.last_check = None;
        self.world.activity.input(is_command(text));
        let events = self.recorded(text, |session| {
            let dialect = session.dialect();
            let mut events = match is_command(text) {
                true => {
                    // the argument may import a file that was missing before; an unnecessary search changes nothing
                    let names_a_file = text.contains("import");
                    let mut events = if names_a_file { session.look_for_missing(dialect, &[]) } else { Vec::new() };
                    events.extend(session.command_spoken(text));
                    events
                }
                false => session.cell(dialect, text),
            };
            events.extend(session.unbind_left(dialect));
            events
        });
        let events = event::without_repeats(self.mask_events(events));
        self.clean_up();
        events
    }

    /// Frees memory after an input or a question: reference cycles, and texts that nothing refers to.
    fn clean_up(&mut self) {
        self.workspace.machine.collect_if_needed();
        self.world.forget_texts(self.settings().history, |needed| self.remembered_texts(needed));
    }

    /// Frees deferred memory, such as interrupted evaluations and large values that were replaced, until all is freed or
    /// `stop` returns `true`. Returns `true` if some is left. Call it while idle; otherwise later inputs free the memory in
    /// small slices.
    pub fn free_deferred(&mut self, stop: &dyn Fn() -> bool) -> bool {
        self.workspace.machine.free_deferred(stop)
    }

    fn completeness_here(&self, text: &str) -> Completeness {
        if !is_command(text) {
            return match language_line_range(text) {
                // a `%%` line alone is only the beginning of a cell
                Some(line) if text[line.end..].trim().is_empty() && self.named(text).is_ok() => {
                    Completeness::Incomplete { indent: 0 }
                }
                _ => self.language(text).completeness(&blanked(text)),
            };
        }
        let spoken = blanked(text);
        let command = spoken.trim_start().trim_start_matches(':');
        let (word, argument) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        // a path is one line, whatever it ends with; an expression may continue
        let Ok(command) = commands::find(word) else { return Completeness::Complete };
        let argument = if command.name == "stages" { commands::stages::expression(argument) } else { argument };
        if command.argument == commands::Argument::Expression && !argument.trim().is_empty() {
            self.language(text).completeness(argument)
        } else {
            Completeness::Complete
        }
    }

    /// Returns whether the last input was a check (`:check`) and passed. `None` if it was not a check.
    pub fn check_passed(&self) -> Option<bool> {
        self.last_check
    }

    /// Returns `true` if a name is bound.
    pub fn is_bound(&self, name: &str) -> bool {
        crate::dialect::Names::is_bound(&*self.world, name)
    }

    fn inputs_here(&self, text: &str) -> Vec<String> {
        if crate::dialect::pasted::is_template(text) || self.pasted_format(self.dialect(), text).is_some() {
            return vec![String::from(text)];
        }
        let mut out = Vec::new();
        let mut part = String::new();
        let mut flush = |part: &mut String| {
            let text = std::mem::take(part);
            if is_command(&text) {
                out.push(text);
            } else if !text.trim().is_empty() {
                match language_line_range(&text) {
                    Some(_) => out.push(text),
                    None => out.extend(self.dialect().inputs(&text).into_iter().map(String::from)),
                }
            }
        };
        for line in text.split_inclusive('\n') {
            let ends = is_command(&part) || line.starts_with(':') || line.starts_with("%%");
            if ends && self.completeness(&part) == Completeness::Complete {
                flush(&mut part);
            }
            part.push_str(line);
        }
        flush(&mut part);
        out
    }

    fn highlight_here(&self, text: &str) -> Vec<(Range<usize>, Role)> {
        if !is_command(text) {
            let mut roles = self.language(text).highlight(&blanked(text));
            if let Some(line) = self.language_line_role(text) {
                roles.insert(0, line);
            }
            return roles;
        }
        let start = text.find(':').unwrap_or(0);
        let end = text[start..].find(char::is_whitespace).map_or(text.len(), |n| start + n);
        let known = commands::find(&text[start + 1..end]);
        let is_alias = self.aliases().contains_key(&text[start + 1..end]);
        let mut roles = Vec::from_iter(self.language_line_role(text));
        roles.push((start..end, if is_alias || known.is_ok() { Role::Keyword } else { Role::Invalid }));
        if known.is_ok_and(|c| c.argument.is_program()) {
            let language = self.language(text);
            roles.extend(
                language.highlight(&text[end..]).into_iter().map(|(r, role)| (r.start + end..r.end + end, role)),
            );
        }
        roles
    }

    fn mistake_here(&self, text: &str, cursor: usize) -> Option<Range<usize>> {
        let before = text.get(..cursor)?;
        if !is_command(before) {
            return self.language(before).mistake(&blanked(before));
        }
        let start = before.find(':')?;
        let end = start + before.get(start..)?.find(char::is_whitespace)?;
        let known = commands::find(before.get(start + 1..end)?).ok()?;
        let takes_program = known.argument.is_program();
        let blanked = " ".repeat(end) + before.get(end..)?;
        if takes_program { self.language(before).mistake(&blanked) } else { None }
    }

    fn complete_here(&mut self, text: &str, cursor: usize) -> Vec<Candidate> {
        self.begin();
        if let Some(line) = language_line_range(text).filter(|line| (line.start + 2..=line.end).contains(&cursor)) {
            let name = line.start + 2..line.end;
            return crate::answer::complete::dialects(
                self.languages(),
                text.get(name.start..cursor).unwrap_or_default(),
                name,
            );
        }
        // the beginning of a `%%` line
        if text.trim() == "%" && cursor >= text.trim_end().len() {
            let start = text.len() - text.trim_start().len();
            let mut all = crate::answer::complete::dialects(self.languages(), "", start..cursor);
            all.iter_mut().for_each(|candidate| candidate.text.insert_str(0, "%%"));
            return all;
        }
        let dialect = self.language(text);
        let candidates = commands::complete::complete(self, dialect, &without_magic(text), cursor);
        self.mask_candidates(candidates)
    }

    fn hint_here(&mut self, text: &str, cursor: usize) -> Option<String> {
        self.begin();
        let dialect = self.language(text);
        let hint = commands::complete::hint(self, dialect, &without_magic(text), cursor);
        let typed = text.get(..cursor).unwrap_or_default();
        let typed = typed.rsplit('\n').next().unwrap_or_default();
        hint.filter(|hint| self.world.sources.borrow().masked(&format!("{typed}{hint}")).is_none())
    }

    /// Returns the value of an option of `:set` as text. `None` if there is no such option.
    pub fn option(&self, name: &str) -> Option<String> {
        self.settings().get(name)
    }

    fn set_option_here(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.assign(self.dialect(), name, value, Origin::CommandLine).map(drop).map_err(|bad| match bad {
            BadSetting::Unknown => format!("no option `{name}`"),
            BadSetting::Value(setting) => {
                format!("`{value}` is not a value of `{}`: {}", setting.name, setting.values)
            }
        })
    }

    /// Sets the terminal's width, in columns, or forgets it. Answers use it unless the option `width` is set. Returns the
    /// width before.
    pub fn set_width(&mut self, columns: impl Into<Option<usize>>) -> Option<usize> {
        let columns = columns.into().map(|columns| columns.clamp(20, 10_000));
        std::mem::replace(&mut self.terminal_width, columns)
    }

    /// Sets an option and applies what follows from it: reads files again, adds external variables and folders for
    /// imports.
    fn assign(&mut self, dialect: Dialect, name: &str, value: &str, origin: Origin) -> Result<Vec<Event>, BadSetting> {
        let before = self.settings();
        self.world.state.change_settings(|settings| settings.set(name, value, origin))?;
        let mut now = self.settings();
        if now.kinds != before.kinds || now.newest_syntax != before.newest_syntax {
            if !now.kinds.is_empty() && self.world.data_at(std::path::Path::new(&now.kinds)).is_none() {
                self.world.state.settings.replace(before);
                return Err(BadSetting::Value(settings::find("kinds").ok_or(BadSetting::Unknown)?));
            }
            return Ok(self.read_again(dialect, now.newest_syntax));
        }
        let added = now.inputs.externals.get(before.inputs.externals.len()).cloned();
        let mut events = Vec::new();
        if let (Some(external), Some(setting)) = (added, settings::find(name)) {
            self.world.before_inputs_change();
            if self.world.add_external(external.clone()).is_err() {
                self.world.state.change_settings(|settings| settings.inputs.externals.pop());
                return Err(BadSetting::Value(setting));
            }
            let place = |option: &ExternalOption| (option.target, option.text.split('=').next().map(String::from));
            let last = now.inputs.externals.len() - 1;
            let mut at = 0;
            self.world.state.change_settings(|settings| {
                settings.inputs.externals.retain(|g| {
                    at += 1;
                    at > last || place(g) != place(&external)
                });
            });
            now = self.settings();
            let name = external.text.split('=').next().unwrap_or_default();
            events = self.external_changed(dialect, name);
        }
        let (libraries, paths) = (before.inputs.libraries.len(), before.inputs.import_paths.len());
        let front: Vec<PathBuf> = now.inputs.libraries.iter().skip(libraries).map(PathBuf::from).collect();
        let back: Vec<PathBuf> = now.inputs.import_paths.iter().skip(paths).map(PathBuf::from).collect();
        if !front.is_empty() || !back.is_empty() {
            self.world.before_inputs_change();
            self.world.state.inputs.folders.borrow_mut().splice(0..0, front);
            self.world.state.inputs.folders.borrow_mut().extend(back);
            events = self.externals_changed(dialect);
        }
        Ok(events)
    }

    /// The width of answers, in columns: that of the page, or 80 if there is none.
    pub(crate) fn columns(&self) -> usize {
        self.page_width().unwrap_or(DEFAULT_WIDTH)
    }

    /// The width of the page, in columns. If it is `None`, there is no page and lines are not wrapped.
    pub(crate) fn page_width(&self) -> Option<usize> {
        self.settings().width.or(match self.running.page {
            Some(page) => page.answers,
            None => self.terminal_width,
        })
    }

    /// The width of texts such as help, in columns. If it is `None`, lines are not wrapped: a page that wraps answers itself
    /// may become narrower later, which lines without an end survive better. Only a narrow page needs them wrapped.
    pub(crate) fn text_width(&self) -> Option<usize> {
        self.page_width().or(self.report_width().filter(|columns| *columns < DEFAULT_WIDTH))
    }

    /// The width of reports on a page that wraps answers itself, in columns, if it is known.
    fn report_width(&self) -> Option<usize> {
        self.running.page?.reports
    }

    /// Prints a name and its type, laid out to the page.
    fn name_and_type(&self, dialect: Dialect, name: &str, typed: &Typed) -> Styled {
        let scheme = typing::masked_type(&typed.scheme, &self.world.sources.borrow()).into_owned();
        let mut out = typing::name_and_type(dialect, name, &scheme, self.page_width());
        // the type is what could be found out in spite of the errors
        let counts = |p: &Problem| !typing::is_only_if_needed(p) && !self.settings().is_silent(p);
        if typed.problems.iter().any(|problem| problem.severity == Severity::Error && counts(problem)) {
            out.push(Role::Note, " (has an error)");
        }
        out
    }

    /// Lowers the interrupt flag and resets the evaluator's limits.
    fn begin(&mut self) {
        self.world.interrupt.lower();
        self.annotation_bytes.set(0);
        self.workspace.machine.limits = self.settings().limits;
        self.workspace.machine.refuel();
    }

    /// Runs a part of an evaluation. Sends its trace lines to the output sink or, without a sink, adds them to `events`.
    fn with_trace_lines<T>(&mut self, events: &mut Vec<Event>, work: impl FnOnce(&mut Machine) -> T) -> T {
        let traced: Rc<RefCell<Vec<String>>> = Rc::default();
        let (sink, output) = (traced.clone(), self.output.clone());
        self.workspace.machine.set_sink(Some(Box::new(move |message: &str| {
            let line = format!("{}\n", message.strip_suffix('\n').unwrap_or(message));
            match &output {
                Some(output) => output(&line),
                None => sink.borrow_mut().push(line),
            }
        })));
        self.workspace.machine.refuel();
        let world = self.world.clone();
        let evaluating = world.activity.begin(Phase::Evaluating);
        let out = work(&mut self.workspace.machine);
        drop(evaluating);
        self.workspace.machine.set_sink(None);
        events.extend(traced.take().into_iter().map(Event::Output));
        out
    }
}

impl Session {
    /// The commands that the user defined, each with the input that it expands to.
    pub(crate) fn aliases(&self) -> Arc<BTreeMap<String, String>> {
        self.world.state.aliases.borrow().clone()
    }

    /// The options.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        self.world.state.settings()
    }
}

/// Returns a text with its `%%` line, if it has one, replaced by spaces.
fn without_magic(text: &str) -> Cow<'_, str> {
    match language_line_range(text) {
        Some(_) => blanked(text).into(),
        None => text.into(),
    }
}
