//! The loop and "what if": opens the frame, and submits the inputs that are applied.

use super::Repl;
use crate::engine::Engine;
use crate::host::Ask;
use crate::whatif;
use cfg_core::{Role, Styled};
use std::io::{self, Write};

impl<W: Write, S: Ask<Box<dyn Engine>>> Repl<W, S> {
    /// Opens "what if" for a path, or for the last explanation if it is empty. Returns `false` if there is nothing to
    /// explain.
    pub(super) fn explore(&mut self, path: &str) -> io::Result<bool> {
        let (page, path) = (self.page(), String::from(path));
        let field = {
            let _working = self.watch.working();
            let (watch, raise) = (&self.watch, &self.raise);
            let tick = |_| {
                if watch.is_pressed() {
                    raise();
                }
            };
            self.sessions.ask_and_watch(tick, move |engine| {
                engine.set_width(page.columns);
                engine.explained(&path)
            })
        };
        let Some(field) = field.ok().flatten() else { return Ok(false) };
        let (sessions, raise, path) = (self.sessions.clone(), self.raise.clone(), field.path.clone());
        let answer = move |changes: String, interrupts: &mut dyn FnMut() -> bool| {
            let tick = |_| {
                if interrupts() {
                    raise();
                }
            };
            let path = path.clone();
            sessions.ask_and_watch(tick, move |engine| engine.try_changes(&path, &changes)).ok().flatten()
        };
        let inputs = whatif::explore(field, page.paint, page.columns, answer, &mut self.out)?;
        self.interrupted = false;
        if !inputs.is_empty() && self.sessions.ask(|engine| engine.is_shared()).unwrap_or(false) {
            self.offer_texts(&inputs)?;
        }
        for input in inputs {
            self.run_one(input)?;
            if self.interrupted || self.is_over {
                break;
            }
        }
        self.out.flush()?;
        Ok(true)
    }

    /// Shows the changed definitions, which a notebook does not get by itself.
    fn offer_texts(&mut self, inputs: &[String]) -> io::Result<()> {
        let mut text = Styled::of(Role::Warning, "note");
        text.plain(": the text of the notebook is as it was.\nTo keep the change, write into the cell:\n");
        for line in inputs.iter().flat_map(|input| input.lines()) {
            text.plain(format!("  {line}\n"));
        }
        self.out.write_all(self.options.paint.text(&text).as_bytes())
    }

    /// Says after an explanation with several definitions how others can be tried.
    pub(super) fn offer_changes(&mut self) -> io::Result<()> {
        if !self.initial_options.paint.terminal || !self.lines.has_keys() || self.quiet {
            return Ok(());
        }
        let found = self.sessions.ask(|engine| engine.explained_definitions()).ok().flatten();
        if found.is_some_and(|definitions| definitions > 1) {
            let line = Styled::of(Role::Dim, "[Alt-W] or `:whatif` tries other definitions\n");
            self.out.write_all(self.options.paint.text(&line).as_bytes())?;
            self.out.flush()?;
        }
        Ok(())
    }
}
