//! Reads lines from a terminal that supports no escape sequences (`TERM=dumb`).

use super::script::line;
use super::{Line, LineOptions, LineSource, Sessions, continuation, incomplete, prompt};
use crate::interrupt::Watch;
use std::io::{self, BufRead, Write};

/// Inputs from a terminal that echoes what is typed.
pub struct Dumb<R> {
    lines: R,
    sessions: Sessions,
    watch: Watch,
}

impl<R: BufRead> Dumb<R> {
    /// Reads inputs from `lines`; `watch` prints the prompt again after a Ctrl-C.
    pub fn new(lines: R, sessions: Sessions, watch: Watch) -> Self {
        Dumb { lines, sessions, watch }
    }

    /// Reads one line after printing `shown`. A cancelled input returns to the prompt `first`. Also returns whether
    /// the input was cancelled.
    fn line(&mut self, shown: &str, first: &str) -> io::Result<(bool, Option<Result<String, usize>>)> {
        let before = self.watch.wait(shown, first)?;
        let line = line(&mut self.lines);
        self.watch.waited();
        Ok((self.watch.cancelled() || before, line?))
    }
}

impl<R: BufRead> LineSource for Dumb<R> {
    fn read(&mut self, cell: &str) -> io::Result<Line> {
        let mut input = String::new();
        loop {
            let first = prompt(cell);
            let shown = if input.is_empty() { first.clone() } else { continuation(cell).replace('…', ".") };
            let (cancelled, line) = self.line(&shown, &first)?;
            if cancelled {
                input.clear();
            }
            match line {
                None => {
                    writeln!(io::stdout())?;
                    let over = input.trim().is_empty();
                    return Ok(if over { Line::End } else { Line::Input(input) });
                }
                Some(Err(byte)) => {
                    let why = format!("that line is not UTF-8, from byte {} on", byte + 1);
                    return Ok(Line::Broken(why));
                }
                Some(Ok(line)) => {
                    if !input.is_empty() {
                        input.push('\n');
                    }
                    input.push_str(&line);
                }
            }
            if !incomplete(&self.sessions, &input) {
                return Ok(Line::Input(input));
            }
        }
    }

    fn set_options(&mut self, _: LineOptions) {}
}
