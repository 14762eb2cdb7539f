//! Cells, definitions, the persistent environment: what both faces hold.
//!
//! A [`Session`] is all that a face calls. Every input but a command is a cell: it takes the next number, failing ones too.
//! Nothing is evaluated before it is asked for; a type error never prevents the value, nor a value error the type.

mod cells;
mod changes;
pub mod commands;
pub mod config;
mod emit;
mod event;
mod load;
mod notebook;
mod replay;
mod replica;
mod reports;
mod request;
mod run;
mod saved;
mod stale;
mod time;

pub use crate::answer::complete::Candidate;
pub use crate::dialect::Completeness;
pub use crate::state::external::{Content, ExternalOption, OPTIONS as EXTERNAL_OPTIONS, Target};
pub use crate::state::journal::Rerun;
pub use crate::state::settings;
pub use crate::state::{Activity, Definition, Interrupt, Phase, is_written, record_fields, type_pretty, type_text};
pub use crate::view::{Drawing, Medium};
pub use event::Event;
pub use notebook::{Reads, UNKEPT};
pub use replica::{Published, Publisher};
pub use request::{Action, Format, Input, Jsonnet, Outcome, Request, Shape};

use crate::dialect::Languages;
use crate::loader::Loader;
use crate::problem::Problem;
use crate::state::environment::Typed;
use crate::state::input::{blanked, is_command, magic};
use crate::state::{Workspace, World, access, typing};
use crate::styled::{Role, Styled};
use crate::term::Term;
use crate::text::Name;
use crate::ty::Scheme;
use crate::value::datum::Datum;
use crate::value::{Machine, Thunk};
use crate::view::rich::Rich;
use settings::{BadSetting, Origin, Settings};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut, Range};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

/// How wide answers are where nobody says.
const WIDTH: usize = 80;

/// A session: everything that was defined, and the machine that evaluates it. Not `Send`: it lives on one thread, which
/// should have a large stack.
pub struct Session {
    workspace: Workspace,
    /// `None`: no terminal.
    terminal_width: Option<usize>,
    time: time::Time,
    /// The saved sessions that are being entered, the outermost first.
    entering: Vec<PathBuf>,
    /// The value of the last request, as it is and as data, and its program: taking a large one apart takes longer than
    /// the rest may, and a process that ends with the answer need not.
    last: Option<(Thunk, Option<Datum>, Arc<Term>)>,
    /// The command line's request.
    request: Option<Rc<Request>>,
    /// Where programs print as they run; without it that is among the events.
    output: Option<Output>,
    /// What the input at hand has told of, and the hint at its end: it can be laid out again.
    told_steps: Option<(crate::answer::steps::Steps, String)>,
    /// How many commands of the user's own stand for each other at the moment.
    own_depth: u32,
    /// What `:why` answered last, for `:why 2`.
    told: Option<crate::answer::why::Why>,
    /// What a replica was told last.
    known: Option<Published>,
    /// What a notebook asks of the cell under way.
    running: notebook::Running,
    /// Told before an expression of a cell is evaluated.
    before_evaluation: Option<Told>,
    /// Whether answers come in richer forms too.
    rich: bool,
}

/// Where programs print as they run (`std.trace`): called on the session's thread, with whole lines.
pub type Output = Rc<dyn Fn(&str)>;

/// Whom a session tells how it stands, on its thread.
pub type Told = Rc<dyn Fn(&Session)>;

/// What is known, and the machine, are a workspace's: what can be asked of one can be asked of a session.
impl Deref for Session {
    type Target = Workspace;

    fn deref(&self) -> &Workspace {
        &self.workspace
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut Workspace {
        &mut self.workspace
    }
}

impl Session {
    /// An empty session over a loader, with the built-in languages.
    pub fn new(loader: Box<dyn Loader>) -> Session {
        Session::with_languages(Languages::default(), loader)
    }

    /// An empty session over a loader, with these languages.
    pub fn with_languages(languages: Languages, loader: Box<dyn Loader>) -> Session {
        Session::over(languages, loader, Interrupt::default())
    }

    /// An empty session that a flag stops.
    fn over(languages: Languages, loader: Box<dyn Loader>, interrupt: Interrupt) -> Session {
        let world = World::new(languages, loader, interrupt);
        let mut machine = Machine::new(Rc::new(access::Globals(world.clone())));
        machine.set_interrupt(world.interrupt.flag());
        Session {
            workspace: Workspace { world, machine },
            terminal_width: None,
            time: time::Time::default(),
            entering: Vec::new(),
            last: None,
            request: None,
            output: None,
            told_steps: None,
            own_depth: 0,
            told: None,
            known: None,
            running: Default::default(),
            before_evaluation: None,
            rich: false,
        }
    }

    /// What programs print goes there at once, instead of among the events when all is done.
    pub fn set_output(&mut self, output: Output) {
        self.output = Some(output);
    }

    /// Whether answers come as HTML and JSON beside their text, for a face that can show those.
    pub fn set_rich(&mut self, rich: bool) {
        self.rich = rich;
    }

    /// An answer, with its richer forms where they are asked for.
    fn view(&self, text: Styled, rich: impl FnOnce() -> Rich) -> Event {
        match self.rich {
            true => Event::View { text, rich: Box::new(rich()) },
            false => Event::Answer(text),
        }
    }

    /// What is done at the moment.
    pub fn activity_handle(&self) -> Activity {
        self.world.activity.clone()
    }

    /// How many terms were inferred so far: definitions, expressions, files. What an input costs is the difference.
    pub fn inferences(&self) -> u64 {
        self.world.inferences.get()
    }

    /// What inference says of everything that is bound, by name: what somebody would be told who enters all of it.
    pub fn problems(&self) -> Vec<(Name, Styled)> {
        let environment = self.world.state.environment.borrow();
        let written = environment.iter().filter(|(key, _)| is_written(key));
        let all = written.flat_map(|(key, definition)| definition.typed.problems.iter().map(move |p| (key, p)));
        all.map(|(key, problem)| (key.clone(), self.report(problem))).collect()
    }

    /// What was read of the disk, by path: the texts as they were then. `None`: nothing was there.
    pub fn files_read(&self) -> Vec<(PathBuf, Option<Arc<str>>)> {
        let files = self.world.state.inputs.files.borrow();
        let read = files.values().map(|file| (file.path.clone(), self.text_of(file.source)));
        read.chain(files.missing().map(|path| (path.clone(), None))).collect()
    }

    /// The number that the next cell takes.
    pub fn next_number(&self) -> u32 {
        self.world.state.next.get()
    }

    /// The name that the next cell takes, by the language that is spoken: `cfg[3]`.
    pub fn next_cell(&self) -> String {
        let next = self.next_number();
        match next < UNKEPT {
            true => format!("{}[{next}]", self.dialect().name()),
            // no notebook shows it under a number
            false => format!("{}[-]", self.dialect().name()),
        }
    }

    /// Runs one input, a cell or a `:command`, and says what came of it, in order.
    pub fn submit(&mut self, text: &str) -> Vec<Event> {
        self.begin();
        self.told_steps = None;
        self.world.activity.input(is_command(text));
        let events = self.recorded(text, |session| {
            let mut events = match is_command(text) {
                true => {
                    // an expression behind it may name a file; to look once too often changes nothing
                    let names_a_file = text.contains("import");
                    let mut events = if names_a_file { session.look_for_missing(&[]) } else { Vec::new() };
                    events.extend(session.command_spoken(text));
                    events
                }
                false => session.cell(text),
            };
            events.extend(session.unbind_left());
            events
        });
        self.machine.tidy();
        self.world.forget_texts(self.settings().history, |needed| self.remembered_texts(needed));
        events
    }

    /// Takes apart what earlier inputs left behind (an interrupted evaluation, a huge value that was replaced) until it is
    /// through or `stop` says that somebody asks for something; whether it is not. A face calls it while nobody asks: who
    /// does not pays by and by, in the inputs to come.
    pub fn tidy(&mut self, stop: &dyn Fn() -> bool) -> bool {
        self.machine.tidy_left(stop)
    }

    /// Runs a program for the command line.
    pub fn run(&mut self, request: Request) -> Outcome {
        self.begin();
        self.request = Some(Rc::new(request.clone()));
        run::run(self, request)
    }

    /// Whether an input is a whole one, by the parser's word. A command is, but for the expression of `:type` and `:time`.
    pub fn completeness(&self, text: &str) -> Completeness {
        if !is_command(text) {
            return match magic(text) {
                // the line that names the language is only the beginning
                Some(line) if text[line.end..].trim().is_empty() && self.named(text).is_ok() => {
                    Completeness::Incomplete { indent: 0 }
                }
                _ => self.language(text).completeness(&blanked(text)),
            };
        }
        let spoken = blanked(text);
        let command = spoken.trim_start().trim_start_matches(':');
        let (word, argument) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        // A path is one line whatever it ends in; an expression is as long as it is.
        let expression = commands::find(word).is_ok_and(|c| c.argument == commands::Argument::Expression);
        if expression && !argument.trim().is_empty() {
            self.language(text).completeness(argument)
        } else {
            Completeness::Complete
        }
    }

    /// Whether something is bound by a name.
    pub fn is_bound(&self, name: &str) -> bool {
        crate::dialect::Names::is_bound(&*self.world, name)
    }

    /// The inputs that a text of several lines holds, a paste say: cells and commands, each on lines of its own.
    pub fn inputs(&self, text: &str) -> Vec<String> {
        let mut out = Vec::new();
        let mut part = String::new();
        let mut flush = |part: &mut String| {
            let text = std::mem::take(part);
            if is_command(&text) {
                out.push(text);
            } else if !text.trim().is_empty() {
                match magic(&text) {
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

    /// The type of a term and the problems of its types. Near-linear in the term.
    pub fn infer(&self, term: &Arc<Term>) -> (Arc<Scheme>, Vec<Problem>) {
        let typed = self.world.infer(term);
        (typed.scheme.clone(), typed.problems.clone())
    }

    /// The roles of an input's parts, in order, without overlap; what is left out is plain.
    pub fn highlight(&self, text: &str) -> Vec<(Range<usize>, Role)> {
        if !is_command(text) {
            let mut roles = self.language(text).highlight(&blanked(text));
            if let Some(line) = magic(text) {
                let role = if self.named(text).is_ok() { Role::Keyword } else { Role::Invalid };
                roles.insert(0, (line, role));
            }
            return roles;
        }
        let start = text.find(':').unwrap_or(0);
        let end = text[start..].find(char::is_whitespace).map_or(text.len(), |n| start + n);
        let known = commands::find(&text[start + 1..end]);
        let own = self.aliases().contains_key(&text[start + 1..end]);
        let mut roles = vec![(start..end, if own || known.is_ok() { Role::Keyword } else { Role::Invalid })];
        if known.is_ok_and(|c| c.argument.is_program()) {
            let language = self.language(text);
            roles.extend(
                language.highlight(&text[end..]).into_iter().map(|(r, role)| (r.start + end..r.end + end, role)),
            );
        }
        roles
    }

    /// What is wrong before the cursor (a byte offset) whatever is typed there: the parser's word, never a guess. O(length).
    pub fn mistake(&self, text: &str, cursor: usize) -> Option<Range<usize>> {
        let before = text.get(..cursor)?;
        if !is_command(before) {
            return self.language(before).mistake(&blanked(before));
        }
        let start = before.find(':')?;
        let end = start + before.get(start..)?.find(char::is_whitespace)?;
        let known = commands::find(before.get(start + 1..end)?).ok()?;
        let expression = known.argument.is_program();
        let blanked = " ".repeat(end) + before.get(end..)?;
        if expression { self.language(before).mistake(&blanked) } else { None }
    }

    /// The ways to go on at the cursor (a byte offset), the best first.
    pub fn complete(&mut self, text: &str, cursor: usize) -> Vec<Candidate> {
        self.begin();
        if let Some(line) = magic(text).filter(|line| (line.start + 2..=line.end).contains(&cursor)) {
            let name = line.start + 2..line.end;
            return crate::answer::complete::dialects(
                self.languages(),
                text.get(name.start..cursor).unwrap_or_default(),
                name,
            );
        }
        self.in_language(text, |session, text| commands::complete::complete(session, text, cursor))
    }

    /// What could follow the cursor, to be shown dim.
    pub fn hint(&mut self, text: &str, cursor: usize) -> Option<String> {
        self.begin();
        self.in_language(text, |session, text| commands::complete::hint(session, text, cursor))
    }

    /// Asks about an input in the language that its `%%` line names; that line is blank then.
    fn in_language<T>(&mut self, text: &str, ask: impl FnOnce(&mut Session, &str) -> T) -> T {
        let spoken = self.dialect();
        self.world.state.dialect.set(self.language(text));
        let answer = match magic(text) {
            Some(_) => ask(self, &blanked(text)),
            None => ask(self, text),
        };
        self.world.state.dialect.set(spoken);
        answer
    }

    /// The value of an option of `:set`, as text. `None`: there is no such option.
    pub fn option(&self, name: &str) -> Option<String> {
        self.settings().get(name)
    }

    /// Sets an option as `:set name value` does, for the command line. Fails with a sentence that says why.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.assign(name, value, Origin::CommandLine).map(drop).map_err(|bad| match bad {
            BadSetting::Unknown(_) => format!("no option `{name}`"),
            BadSetting::Value(setting) => {
                format!("`{value}` is no value of `{}`: {}", setting.name, setting.values)
            }
        })
    }

    /// How wide the terminal is, in columns: answers keep to it unless `width` says otherwise.
    pub fn set_width(&mut self, columns: usize) {
        self.terminal_width = Some(columns.clamp(20, 10_000));
    }

    fn assign(&mut self, name: &str, value: &str, origin: Origin) -> Result<Vec<Event>, BadSetting> {
        let before = self.settings();
        self.world.state.change_settings(|settings| settings.set(name, value, origin))?;
        let mut now = self.settings();
        let added = now.inputs.externals.get(before.inputs.externals.len()).cloned();
        let mut events = Vec::new();
        if let (Some(external), Some(setting)) = (added, settings::find(name)) {
            self.world.inputs_will_change();
            if self.world.add_external(external.clone()).is_err() {
                self.world.state.change_settings(|settings| settings.inputs.externals.pop());
                return Err(BadSetting::Value(setting));
            }
            let place = |g: &ExternalOption| (g.to, g.text.split('=').next().map(String::from));
            let last = now.inputs.externals.len() - 1;
            let mut at = 0;
            self.world.state.change_settings(|settings| {
                settings.inputs.externals.retain(|g| {
                    at += 1;
                    at > last || place(g) != place(&external)
                });
            });
            now = self.settings();
            events = self.inputs_given_again();
        }
        let (libraries, paths) = (before.inputs.libraries.len(), before.inputs.import_paths.len());
        let front: Vec<PathBuf> = now.inputs.libraries.iter().skip(libraries).map(PathBuf::from).collect();
        let back: Vec<PathBuf> = now.inputs.import_paths.iter().skip(paths).map(PathBuf::from).collect();
        if !front.is_empty() || !back.is_empty() {
            self.world.inputs_will_change();
            self.world.state.inputs.folders.borrow_mut().splice(0..0, front);
            self.world.state.inputs.folders.borrow_mut().extend(back);
            events = self.inputs_given_again();
        }
        Ok(events)
    }

    /// The width that answers are laid out to, in columns: the page's, or 80 where nobody looks.
    pub(crate) fn columns(&self) -> usize {
        self.page_width().unwrap_or(WIDTH)
    }

    /// How wide the page is that somebody looks at; `None`: nobody, and lines are as long as they are.
    pub(crate) fn page_width(&self) -> Option<usize> {
        self.settings().width.or(self.terminal_width)
    }

    /// A name and its type, laid out to the page.
    fn bound(&self, name: &str, typed: &Typed) -> Styled {
        typing::bound(self.dialect(), name, typed, self.page_width())
    }

    /// A type as an answer: laid out to the width where there is one, on one line where nobody looks.
    fn type_answer(&self, scheme: &Scheme) -> Styled {
        match self.page_width() {
            Some(width) => typing::type_pretty(self.dialect(), scheme, width),
            None => type_text(self.dialect(), scheme),
        }
    }

    /// Lowers the interrupt and gives the machine its fuel.
    fn begin(&mut self) {
        self.world.interrupt.lower();
        self.machine.limits = self.settings().limits;
        self.machine.refuel();
    }

    /// Runs a part of an evaluation; what it traces goes to the output, or becomes events.
    fn traced<T>(&mut self, events: &mut Vec<Event>, work: impl FnOnce(&mut Machine) -> T) -> T {
        let traced: Rc<RefCell<Vec<String>>> = Rc::default();
        let (sink, output) = (traced.clone(), self.output.clone());
        self.machine.set_sink(Some(Box::new(move |message: &str| {
            let line = format!("{}\n", message.strip_suffix('\n').unwrap_or(message));
            match &output {
                Some(output) => output(&line),
                None => sink.borrow_mut().push(line),
            }
        })));
        self.machine.refuel();
        let world = self.world.clone();
        let evaluating = world.activity.begin(Phase::Evaluating);
        let out = work(&mut self.machine);
        drop(evaluating);
        self.machine.set_sink(None);
        events.extend(traced.take().into_iter().map(Event::Output));
        out
    }
}

impl Session {
    /// The commands that the user defined, and the input that each stands for.
    pub(crate) fn aliases(&self) -> Arc<BTreeMap<String, String>> {
        self.world.state.aliases.borrow().clone()
    }

    /// The options.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        self.world.state.settings()
    }
}
