//! The loop in a lesson: carries out what the guide decides.

use super::Repl;
use crate::engine::Engine;
use crate::host::Ask;
use crate::learn::{Act, Guide, markdown};
use cfg_core::{Role, Styled, wrap};
use std::io::{self, Write};

impl<W: Write, S: Ask<Box<dyn Engine>>> Repl<W, S> {
    /// Plays a lesson from its current step. With `lists`, shows the list of lessons first.
    pub fn learn(&mut self, mut guide: Guide, lists: bool) -> io::Result<()> {
        self.take_options();
        for cell in guide.earlier() {
            let inputs = self.sessions.ask(move |engine| engine.inputs(&cell)).unwrap_or_default();
            for input in inputs {
                // what these cells print was seen before
                let _ = self.events_of(input);
            }
        }
        let acts = guide.begin(lists);
        self.guide = Some(guide);
        self.act(acts)
    }

    /// Prints a text and ends the loop.
    pub fn print_once(&mut self, text: &Styled) -> io::Result<()> {
        self.is_over = true;
        self.take_options();
        self.print(text)?;
        self.out.flush()
    }

    /// Handles an input that is for the lesson. Returns `false` if it is for the session.
    pub(super) fn guided(&mut self, input: &str) -> io::Result<bool> {
        let Some(guide) = &mut self.guide else { return Ok(false) };
        if input.trim() == ":help" {
            self.run_one(String::from(input))?;
            // the overview is longer than most screens, so this comes after it
            self.print(&crate::learn::help())?;
            self.out.flush()?;
            return Ok(true);
        }
        match guide.take(input) {
            Some(acts) => self.act(acts).map(|()| true),
            None => Ok(false),
        }
    }

    /// Carries out acts until one is interrupted.
    fn act(&mut self, acts: Vec<Act>) -> io::Result<()> {
        self.interrupted = false;
        for act in acts {
            let columns = self.page().columns;
            match act {
                Act::Heading(title, at) => {
                    let mut line = Styled::from("\n");
                    line.push(Role::Heading, &title);
                    line.push(Role::Dim, format!("  ({at})"));
                    self.print(&wrap::fit(&line, columns))?;
                    self.print(&Styled::of(
                        Role::Dim,
                        format!("{}\n", "-".repeat(title.chars().count().min(columns))),
                    ))?;
                }
                Act::Prose(text) => {
                    self.print(&Styled::from("\n"))?;
                    self.print(&markdown(&text, columns))?;
                }
                Act::Text(text) => self.print(&wrap::fit(&text, columns))?,
                Act::List(text) => self.print(&text)?,
                Act::Show(text) => self.show_cell(&text)?,
                Act::Run(text) => {
                    self.run_cell(text)?;
                    if self.interrupted {
                        let acts = self.guide.as_mut().map(Guide::interrupted).unwrap_or_default();
                        return self.act(acts);
                    }
                }
                Act::Check(text) => {
                    let passed = self.run_checks(text)?;
                    let acts = self.guide.as_mut().map(|guide| guide.checked(passed)).unwrap_or_default();
                    return self.act(acts);
                }
                Act::Keys(text) => {
                    self.print(&Styled::from("\n"))?;
                    self.print(&wrap::fit(&Styled::of(Role::Dim, text), columns))?;
                }
            }
            if self.interrupted || self.is_over {
                break;
            }
        }
        self.out.flush()
    }

    /// Prints a text, with a line end if it has none.
    fn print(&mut self, text: &Styled) -> io::Result<()> {
        let mut text = self.options.paint.text(text);
        if !text.ends_with('\n') {
            text.push('\n');
        }
        self.out.write_all(text.as_bytes())
    }

    /// Prints the text of a cell, highlighted, after a mark.
    fn show_cell(&mut self, text: &str) -> io::Result<()> {
        let cell = String::from(text);
        let roles = self.sessions.ask(move |engine| engine.highlight(&cell)).unwrap_or_default();
        let mut shown = Styled::new();
        let mut at = 0;
        for (range, role) in roles {
            shown.plain(text.get(at..range.start).unwrap_or_default());
            shown.push(role, text.get(range.clone()).unwrap_or_default());
            at = range.end.max(at);
        }
        shown.plain(text.get(at..).unwrap_or_default());
        let mut out = Styled::of(Role::Dim, "\n> ");
        for (role, run) in shown.runs() {
            for (index, line) in run.split('\n').enumerate() {
                if index > 0 {
                    out.push(Role::Dim, "\n> ");
                }
                out.push(*role, line);
            }
        }
        self.print(&wrap::fit(&out, self.page().columns))
    }

    /// Runs the inputs of a cell.
    fn run_cell(&mut self, text: String) -> io::Result<()> {
        let cell = text.clone();
        let inputs = self.sessions.ask(move |engine| engine.inputs(&cell)).unwrap_or_else(|_| vec![text]);
        for input in inputs {
            self.run_one(input)?;
            if self.interrupted || self.is_over {
                break;
            }
        }
        Ok(())
    }

    /// Runs the commands of a check, up to the first one that does not pass. Returns whether all passed.
    fn run_checks(&mut self, text: String) -> io::Result<bool> {
        let cell = text.clone();
        let checks = self.sessions.ask(move |engine| engine.inputs(&cell)).unwrap_or_else(|_| vec![text]);
        for check in checks {
            self.run_one(check)?;
            if self.sessions.ask(|engine| engine.check_passed()).ok().flatten() == Some(false) || self.interrupted {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
