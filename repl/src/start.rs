//! `cfg repl`: finds out what the terminal supports, and assembles the prompt.

use crate::call;
use crate::cli;
use crate::config;
use crate::engine::Engine;
use crate::history;
use crate::host::{Ask, Here, Host};
use crate::interrupt::Watch;
use crate::learn::{LessonEngine, LessonFiles, Lessons};
use crate::lines::{Dumb, LineOptions, LineSource, Plain, Rich, Script, Sessions};
use crate::loader::Disk;
use crate::paint::Paint;
use crate::palette::Palette;
use crate::progress::Progress;
use crate::repl::Repl;
use crate::terminal::Kind;
use cfg_core::config::Configuration;
use cfg_core::{EXTERNAL_OPTIONS, Interrupt, Languages, Loader, Session};
use std::io::{self, IsTerminal};
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock};

/// Runs the prompt, or a script from a pipe. Returns the exit code: 1 if an input of a script failed.
pub fn repl(languages: Languages, disk: Disk, options: &cli::Repl) -> io::Result<u8> {
    start(languages, disk, options, None)
}

/// Runs the prompt with a lesson. Returns the exit code, which does not depend on what the learner types.
pub fn learn(languages: Languages, disk: Disk, options: &cli::Repl, lessons: Lessons) -> io::Result<u8> {
    start(languages, disk, options, Some(lessons))
}

fn start(languages: Languages, disk: Disk, options: &cli::Repl, lessons: Option<Lessons>) -> io::Result<u8> {
    let first = match call::loads(&options.files) {
        Ok(first) => first,
        Err(why) => return call::fault(why),
    };
    let script = !(io::stdin().is_terminal() && io::stdout().is_terminal());
    let file = match config::find(&options.start, script) {
        Ok(file) => file,
        Err(why) => return call::fault(&why),
    };
    let paths = options.import_paths.clone();
    let libraries = options.inputs.libraries.clone();
    let externals = call::externals(&options.inputs);
    let (syntax, kinds) = (options.inputs.syntax.clone(), options.inputs.kinds.clone());
    let (frames, reveal) = (options.inputs.max_stack, options.inputs.reveal);
    let dialect = options.start.dialect;
    let interrupt = Arc::new(OnceLock::<Interrupt>::new());
    let publish = interrupt.clone();
    let configured = Arc::new(Mutex::new((Configuration::default(), Vec::new(), None::<String>)));
    let configure = configured.clone();
    // The session starts while the terminal is queried for its capabilities.
    let out = call::paint(io::stdout().is_terminal());
    let progress = Progress::default();
    let shown = progress.clone();
    let (learning, own) = (lessons.is_some(), disk.clone());
    let make = move || {
        let loader: Box<dyn Loader> =
            if learning { Box::new(LessonFiles(disk.clone())) } else { Box::new(disk.clone()) };
        let mut session = Session::with_languages(languages, loader);
        if reveal {
            session.reveal_secrets();
        }
        // the prompt is waiting for the answer, so only the progress line can be in the way
        let below = shown.clone();
        session.set_output(Rc::new(move |line| below.write(&out.clean(line))));
        shown.watch(session.activity_handle());
        // the command line's options are set afterwards, so they take precedence
        if let (Some(file), Ok(mut configured)) = (&file, configure.lock()) {
            let (configuration, events) = session.configure(&file.path, &file.text);
            let refused = configuration.root.as_ref().and_then(|root| disk.confine(root).err());
            *configured = (configuration, events, refused);
        }
        for path in &paths {
            let _ = session.set_option("import-path", &path.to_string_lossy());
        }
        for path in &libraries {
            let _ = session.set_option("jpath", &path.to_string_lossy());
        }
        for external in &externals {
            if let Some((option, ..)) =
                EXTERNAL_OPTIONS.iter().find(|o| o.1 == external.target && o.2 == external.content)
            {
                let _ = session.set_option(option, &external.text);
            }
        }
        let chosen =
            [("syntax", syntax.clone()), ("kinds", kinds.as_ref().map(|path| path.to_string_lossy().into_owned()))];
        for (name, value) in chosen.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            let _ = session.set_option(name, &value);
        }
        if let Some(frames) = frames {
            let _ = session.set_option("max-stack", &frames.to_string());
        }
        // the lessons begin in the standard language, whatever the configuration says
        if let Some(dialect) = dialect.or(learning.then(|| languages.standard())) {
            let _ = session.set_dialect(dialect);
        }
        let _ = publish.set(session.interrupt_handle());
        if learning { Box::new(LessonEngine(session)) as Box<dyn Engine> } else { Box::new(session) }
    };
    let tidy: fn(&mut Box<dyn Engine>, &dyn Fn() -> bool) = |engine, stop| engine.free_deferred(stop);
    let taken = move || configured.lock().map(|mut made| std::mem::take(&mut *made)).unwrap_or_default();
    if script && !learning {
        // Nothing interrupts a single input, because Ctrl-C ends the process. So the session needs no thread of its own.
        let first = (first, options.start.quiet);
        if cfg_kernel::space::is_limited() {
            return run_script(Host::start_tidying(make, tidy)?, taken, first);
        }
        let Ok(sessions) = Here::start_tidying(make, tidy) else { return call::crashed() };
        return run_script(sessions, taken, first);
    }
    let sessions: Sessions = Host::start_tidying(make, tidy)?;
    let raise = move || {
        if let Some(interrupt) = interrupt.get() {
            interrupt.raise();
        }
    };
    let watch = Watch::default();
    let kind = Kind::find();
    if !script {
        watch.install(raise.clone());
    }
    // wait for the session to start
    let _ = sessions.ask(|_| ());
    let (configuration, events, refused) = taken();
    if let Some(why) = refused {
        return call::fault(&why);
    }
    let raise: Raise = Arc::new(raise);
    let parts = Parts { sessions, interrupt_slow: raise.clone(), raise, kind, watch, progress, script };
    let mut repl = parts.assemble(&configuration)?;
    if let Some(lessons) = lessons {
        // nothing outside of a root is read or written
        let history = if own.root().is_some() { None } else { history::place(&configuration) };
        repl.show_first(events)?;
        lessons.play(&mut repl, history, script)?;
        repl.run()?;
        return Ok(0);
    }
    let quiet = options.start.quiet;
    if !quiet && configuration.banner != Some(false) {
        repl.greet()?;
    }
    repl.show_first(events)?;
    repl.run_first(first, quiet)?;
    repl.run()?;
    Ok(0)
}

/// A configuration, the events of reading it, and the reason why its root was refused.
type Configured = (Configuration, Vec<cfg_core::Event>, Option<String>);

/// Runs the inputs of standard input. `first`: the inputs before them, and whether to be quiet about them. Returns the exit code.
fn run_script(
    sessions: impl Ask<Box<dyn Engine>> + 'static,
    taken: impl FnOnce() -> Configured,
    first: (Vec<String>, bool),
) -> io::Result<u8> {
    // wait for the session to start
    let _ = sessions.ask(|_| ());
    let (_, events, refused) = taken();
    if let Some(why) = refused {
        return call::fault(&why);
    }
    let lines = Box::new(Script::new(io::BufReader::new(io::stdin()), sessions.clone()));
    let look = LineOptions { paint: call::paint(false), vi: false };
    let mut repl = Repl::new(sessions, lines, io::stdout(), look, Watch::default());
    repl.show_first(events)?;
    repl.run_first(first.0, first.1)?;
    Ok(if repl.run()? { 0 } else { 1 })
}

/// A function that interrupts a session.
pub type Raise = Arc<dyn Fn() + Send + Sync>;

/// The parts of a prompt.
pub struct Parts {
    /// The thread of the session.
    pub sessions: Sessions,
    /// Interrupts an input that runs.
    pub raise: Raise,
    /// Interrupts a session that takes too long to complete or to highlight.
    pub interrupt_slow: Raise,
    /// The kind of the terminal.
    pub kind: Kind,
    /// Handles Ctrl-C.
    pub watch: Watch,
    /// The progress line.
    pub progress: Progress,
    /// Whether inputs come from a stream that is not a terminal.
    pub script: bool,
}

impl Parts {
    /// Assembles the prompt with the look and the history of a configuration.
    pub fn assemble(self, configuration: &Configuration) -> io::Result<Repl<io::Stdout>> {
        let Parts { sessions, raise, interrupt_slow, kind, watch, progress, script } = self;
        let palette = Some(&configuration.colours).filter(|colours| !colours.is_empty());
        // lives until the process ends
        let palette = palette.map(|colours| &*Box::leak(Box::new(Palette::new(colours))));
        let paint = call::paint(!script);
        let dumb = kind == Kind::Dumb;
        let options = LineOptions { paint: Paint { colour: paint.colour && !dumb, palette, ..paint }, vi: false };
        let past = history::place(configuration);
        let lines: Box<dyn LineSource> = match kind {
            Kind::Rich(typed) => Box::new(Rich::new(sessions.clone(), interrupt_slow, typed, options, past)),
            Kind::Plain(typed) => {
                Box::new(Plain::new(sessions.clone(), Box::new(move || interrupt_slow()), typed, options, past)?)
            }
            Kind::Dumb => Box::new(Dumb::new(io::BufReader::new(io::stdin()), sessions.clone(), watch.clone())),
            Kind::Script => Box::new(Script::new(io::BufReader::new(io::stdin()), sessions.clone())),
        };
        let mut repl = Repl::new(sessions, lines, io::stdout(), options, watch);
        repl.interrupt_by(move || raise());
        if !script && !dumb {
            repl.show_progress(progress);
        }
        Ok(repl)
    }
}
