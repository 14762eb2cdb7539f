//! The loop of the prompt and of scripts: reads an input, runs it in the session, and shows the result.

mod explore;
mod lesson;

use crate::engine::Engine;
use crate::foreign_commands::{self, Translation};
use crate::host::{Ask, Crashed};
use crate::interrupt::Watch;
use crate::learn::Guide;
use crate::lines::{Announce, Line, LineOptions, LineSource, MORE, Sessions};
use crate::pager;
use crate::paint::Paint;
use crate::progress::Progress;
use crate::show::Page;
use crate::stepper;
use crate::terminal;
use crate::whatif;
use cfg_core::{Event, Role, Severity, Styled, wrap};
use std::io::{self, Write};
use std::rc::Rc;

/// The code in the report of an interrupt.
const INTERRUPTED: &str = "[value/interrupted]";

/// The loop of a prompt or a script.
pub struct Repl<W, S = Sessions> {
    sessions: S,
    lines: Box<dyn LineSource>,
    out: W,
    /// The options that follow from the streams, the environment and the configuration, before `:set` changes them.
    initial_options: LineOptions,
    options: LineOptions,
    watch: Watch,
    /// Interrupts the session. A Ctrl-C during an input calls it.
    raise: Rc<dyn Fn()>,
    /// Interrupts what other clients run in the session. A Ctrl-C on an empty line calls it.
    raise_elsewhere: Rc<dyn Fn()>,
    /// The status line during long inputs. `None` if no user waits at a terminal.
    progress: Option<Progress>,
    /// Whether results that are longer than the screen are folded.
    folds: bool,
    /// The whole text of the last folded result.
    folded: Option<String>,
    /// Whether an input has failed.
    failed: bool,
    /// Whether an input of the current text was interrupted.
    interrupted: bool,
    /// Whether no further input is read: the session has quit, or the lesson has ended.
    is_over: bool,
    /// Whether only diagnostics are shown.
    quiet: bool,
    /// The lesson that is played, and the position in it.
    guide: Option<Guide>,
}

impl<W: Write, S: Ask<Box<dyn Engine>>> Repl<W, S> {
    /// Creates a loop that reads inputs from `lines` and writes results to `out`.
    pub fn new(sessions: S, lines: Box<dyn LineSource>, out: W, options: LineOptions, watch: Watch) -> Self {
        Repl {
            sessions,
            lines,
            out,
            initial_options: options,
            options,
            watch,
            raise: Rc::new(|| ()),
            raise_elsewhere: Rc::new(|| ()),
            progress: None,
            folds: true,
            folded: None,
            failed: false,
            interrupted: false,
            is_over: false,
            quiet: false,
            guide: None,
        }
    }

    /// Shows progress during long inputs.
    pub fn show_progress(&mut self, progress: Progress) {
        self.progress = Some(progress);
    }

    /// Sets the function that a Ctrl-C during an input calls.
    pub fn interrupt_by(&mut self, raise: impl Fn() + 'static) {
        self.raise = Rc::new(raise);
    }

    /// Returns a function that prints text above the prompt while a line is edited, if the source of lines has one.
    #[cfg_attr(not(feature = "attach"), allow(dead_code))]
    pub fn announcer(&mut self) -> Option<Announce> {
        self.lines.announcer()
    }

    /// Returns the paint that follows from the streams, the environment and the configuration.
    #[cfg_attr(not(feature = "attach"), allow(dead_code))]
    pub fn paint(&self) -> Paint {
        self.initial_options.paint
    }

    /// Prints the greeting.
    pub fn greet(&mut self) -> io::Result<()> {
        let mut line = Styled::of(Role::Heading, concat!("cfg ", env!("CARGO_PKG_VERSION")));
        let advice = "type an expression; `:help` for help, Ctrl-D to leave";
        let (used, columns) = (line.text().len() + 2, self.page().columns);
        let advice = match used + advice.len() <= columns {
            true => format!("  {advice}\n"),
            false => format!("\n{}\n", wrap::wrap(advice, columns, 0)),
        };
        line.push(Role::Dim, advice);
        self.out.write_all(self.options.paint.text(&line).as_bytes())?;
        self.out.flush()
    }

    /// Sets the function that interrupts what other clients run in the session. Ctrl-C on an empty line calls it.
    pub fn interrupt_others_by(&mut self, raise: impl Fn() + 'static) {
        self.raise_elsewhere = Rc::new(raise);
    }

    /// Runs inputs before reading any: the files of the command line. With `quiet`, shows only diagnostics.
    pub fn run_first(&mut self, inputs: impl IntoIterator<Item = String>, quiet: bool) -> io::Result<()> {
        self.quiet = quiet;
        self.take_options();
        let done = inputs.into_iter().try_for_each(|input| self.submit(input));
        self.quiet = false;
        done
    }

    /// Shows events that precede the first input.
    pub fn show_first(&mut self, events: Vec<Event>) -> io::Result<()> {
        self.take_options();
        self.show(events)
    }

    /// Runs until the source of lines ends or the session quits. Returns `true` if all inputs succeeded.
    ///
    /// # Errors
    ///
    /// The source cannot be read, or the output cannot be written.
    pub fn run(&mut self) -> io::Result<bool> {
        while !self.is_over {
            self.take_options();
            let cell = self.sessions.ask(|engine| engine.next_cell());
            // discards a Ctrl-C that arrived during the previous input
            self.watch.cancelled();
            match self.lines.read(&cell.unwrap_or_default())? {
                Line::Input(input) => {
                    if !self.guided(&input)? {
                        self.submit_all(input)?;
                    }
                }
                Line::Cancelled => {}
                Line::Interrupted => (self.raise_elsewhere)(),
                Line::Broken(why) => self.report_error(&why)?,
                Line::End => break,
            }
        }
        Ok(!self.failed)
    }

    /// Runs the inputs of one text, such as a paste, until one is interrupted.
    fn submit_all(&mut self, input: String) -> io::Result<()> {
        let input = foreign_commands::without_prompts(&input).into_owned();
        if !input.trim().contains('\n') {
            return self.submit(input);
        }
        let text = input.clone();
        let inputs = self.sessions.ask(move |engine| engine.inputs(&text));
        self.interrupted = false;
        let mut inputs = inputs.unwrap_or_else(|_| vec![input]).into_iter();
        while let Some(input) = inputs.next() {
            self.submit(input)?;
            let remaining = inputs.len();
            if self.is_over || remaining == 0 {
                break;
            }
            if self.interrupted || self.watch.is_pressed() {
                let inputs = if remaining == 1 { "input" } else { "inputs" };
                let line = Styled::of(Role::Dim, format!("interrupted: {remaining} more {inputs} did not run\n"));
                self.out.write_all(self.options.paint.text(&line).as_bytes())?;
                return self.out.flush();
            }
        }
        Ok(())
    }

    /// Runs one input. In a terminal, translates commands of other programs (`exit`, `clear`, `!ls`).
    fn submit(&mut self, input: String) -> io::Result<()> {
        if !self.initial_options.paint.terminal {
            return self.run_one(input);
        }
        let text = input.clone();
        let translation =
            self.sessions.ask(move |engine| foreign_commands::translate(&text, |name| engine.is_bound(name)));
        match translation.ok().flatten() {
            None => self.run_one(input),
            Some(Translation::Commands(commands)) => commands.into_iter().try_for_each(|command| self.run_one(command)),
            Some(Translation::Clear) => {
                self.out.write_all(b"\x1b[H\x1b[2J")?;
                self.out.flush()
            }
            Some(Translation::Shell(command)) => self.shell(&command),
        }
    }

    /// Runs a command in the shell, on this terminal.
    fn shell(&mut self, command: &str) -> io::Result<()> {
        self.out.flush()?;
        let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let _working = self.watch.working();
        let failure = match std::process::Command::new(shell).arg(option).arg(command).status() {
            Ok(status) if status.success() => return Ok(()),
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        self.out.write_all(self.options.paint.text(&Styled::of(Role::Dim, format!("{failure}\n"))).as_bytes())?;
        self.out.flush()
    }

    /// Runs an input or a command of the prompt itself, and shows the result.
    fn run_one(&mut self, input: String) -> io::Result<()> {
        match input.trim() {
            "" => return Ok(()),
            command if command.len() > 2 && MORE.starts_with(command) => return self.more(),
            _ => {}
        }
        if let Some(path) =
            whatif::path(&input).filter(|_| self.initial_options.paint.terminal && self.lines.has_keys())
            && self.explore(path)?
        {
            return Ok(());
        }
        let events = self.events_of(input);
        let Ok(events) = events else {
            return self.report_error(
                "cfg failed with an internal error; this is a bug in cfg, not in your input; the session continues",
            );
        };
        self.show(events)?;
        self.offer_changes()
    }

    /// Runs an input in the session and returns its events. Ctrl-C interrupts it.
    ///
    /// # Errors
    ///
    /// The session has panicked.
    fn events_of(&mut self, input: String) -> Result<Vec<Event>, Crashed> {
        let page = self.page();
        let columns = page.paint.terminal.then_some(page.columns);
        let _working = self.watch.working();
        let (typed, progress) = (input.clone(), self.progress.clone());
        let (watch, raise) = (&self.watch, &self.raise);
        let tick = |since| {
            // the Ctrl-C may have arrived before the session began
            if watch.is_pressed() {
                raise();
            }
            if let Some(progress) = &progress {
                progress.tick(&typed, since, page.paint, page.columns);
            }
        };
        let events = self.sessions.ask_and_watch(tick, move |engine| {
            if let Some(columns) = columns {
                engine.set_width(columns);
            }
            engine.submit(&input)
        });
        if let Some(progress) = &self.progress {
            progress.write("");
        }
        events
    }

    /// Shows events, and records failures and the end of the session.
    fn show(&mut self, events: Vec<Event>) -> io::Result<()> {
        let page = self.page();
        for event in events {
            if self.quiet && !matches!(event, Event::Diagnostic { .. }) {
                continue;
            }
            match &event {
                Event::Quit => self.is_over = true,
                Event::Diagnostic { severity: Severity::Error, report, .. } => {
                    self.failed = true;
                    self.interrupted |= report.text().contains(INTERRUPTED);
                }
                _ => {}
            }
            if let Event::Steps { pages, footer, .. } = &event
                && pages.len() > 1
                && self.lines.has_keys()
            {
                let sessions = self.sessions.clone();
                let lay_out = move |columns| sessions.ask(move |engine| engine.steps_again(columns)).ok().flatten();
                let answer = (pages.clone(), footer.clone());
                stepper::step(answer, page.paint, page.columns, lay_out, &mut self.out)?;
                continue;
            }
            if let Some(shown) = page.show(&event) {
                self.out.write_all(shown.text.as_bytes())?;
                if shown.whole.is_some() {
                    self.folded = shown.whole;
                }
            }
        }
        self.out.flush()
    }

    /// Shows the last folded result as a whole.
    fn more(&mut self) -> io::Result<()> {
        let Some(text) = self.folded.clone() else {
            self.out.write_all(b"there is no folded output\n")?;
            return self.out.flush();
        };
        let page = self.page();
        if page.paint.terminal && self.lines.has_keys() {
            return pager::show(&text, page.paint, terminal::size(), &mut self.out);
        }
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    /// Prints an error of the prompt itself.
    fn report_error(&mut self, why: &str) -> io::Result<()> {
        self.failed = true;
        let mut report = Styled::of(Role::Error, "error");
        report.plain(format!(": {why}\n"));
        self.out.write_all(self.options.paint.text(&report).as_bytes())?;
        self.out.flush()
    }

    /// Returns the current size and colours of the page.
    fn page(&self) -> Page {
        let (columns, rows) = if self.options.paint.terminal { terminal::size() } else { (80, 24) };
        let rows = if self.folds { rows } else { usize::MAX / 16 };
        Page { paint: self.options.paint, columns, rows }
    }

    /// Reads the options that concern the prompt. The session owns them, so they may have changed.
    fn take_options(&mut self) {
        if !self.initial_options.paint.terminal {
            return;
        }
        let names = ["theme", "colour", "editing", "fold"];
        let values = self.sessions.ask(move |engine| names.map(|name| engine.option(name)));
        let Ok([theme, colour, editing, fold]) = values else { return };
        let initial = self.initial_options.paint;
        let options = LineOptions {
            paint: initial.with_options(theme.as_deref(), colour.as_deref()),
            vi: editing.as_deref() == Some("vi"),
        };
        self.folds = fold.as_deref() != Some("off");
        if options != self.options {
            self.options = options;
            self.lines.set_options(options);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fake::Fake;
    use crate::host::Here;
    use crate::lines::Script;

    /// Checks what a script prints and whether all its inputs succeeded.
    #[track_caller]
    fn shows(script: &'static [u8], expected: &str, succeeds: bool) {
        let sessions = Here::start(|| Box::new(Fake(1)) as Box<dyn Engine>).unwrap();
        let lines = Box::new(Script::new(script, sessions.clone()));
        let mut out = Vec::new();
        let options = LineOptions { paint: Paint::PLAIN, vi: false };
        let mut repl = Repl::new(sessions, lines, &mut out, options, Watch::default());
        assert_eq!(repl.run().unwrap(), succeeds);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn inputs_are_split_by_the_parser() {
        shows(b"a\n\n(b\n  c)\r\nd", "a\n(b\n  c)\nd\n", true);
        shows(b"(never closed\na\n", "(never closed\na\n", true);
    }

    #[test]
    fn a_failed_input_fails_the_script_but_does_not_end_it() {
        shows(b"a\nfail\nb\n", "a\nerror: failed [fake]\nb\n", false);
    }

    #[test]
    fn quit_ends_it() {
        shows(b"a\n:quit\nb\n", "a\n", true);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_an_error_with_their_position() {
        let expected = "a\nerror: line 2 of the input is not UTF-8, from byte 3 on\nb\n";
        shows(b"a\nb \xff\nb\n", expected, false);
    }

    #[test]
    fn a_panic_is_reported_and_the_session_continues() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let apology = "error: cfg failed with an internal error; this is a bug in cfg, not in your input; \
             the session continues\n";
        let expected = format!("a\n{apology}b\n");
        shows(b"a\npanic\nb\n", expected.leak(), false);
        std::panic::set_hook(hook);
    }
}
