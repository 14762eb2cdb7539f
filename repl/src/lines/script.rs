//! Reads lines from a pipe or a file: no prompt, colours or history. The parser decides how many lines make an input.

use super::{GrowingInput, Line, LineOptions, LineSource};
use crate::engine::Engine;
use crate::host::Ask;
use std::io::{self, BufRead};

/// Inputs from a stream that is not a terminal.
pub struct Script<R, S> {
    lines: R,
    sessions: S,
    /// Number of the last line read, for messages.
    at: usize,
    /// A line that was read, and begins the next input.
    held: Option<String>,
}

impl<R: BufRead, S: Ask<Box<dyn Engine>>> Script<R, S> {
    /// Reads inputs from `lines`; the parser of `sessions` splits them.
    pub fn new(lines: R, sessions: S) -> Self {
        Script { lines, sessions, at: 0, held: None }
    }
}

impl<R: BufRead, S> Script<R, S> {
    /// Adds the lines as far as the next empty line or `%%` line to a cell whose language is unknown.
    fn skip_cell(&mut self, input: &mut String) -> io::Result<()> {
        while let Some(Ok(next)) = line(&mut self.lines)? {
            self.at += 1;
            if next.trim().is_empty() {
                break;
            }
            if next.starts_with("%%") {
                self.held = Some(next);
                break;
            }
            input.push('\n');
            input.push_str(&next);
        }
        Ok(())
    }
}

/// Reads one line without its line end; `None` at the end. Fails with the offset of the first byte that is not UTF-8.
pub(super) fn line(lines: &mut impl BufRead) -> io::Result<Option<Result<String, usize>>> {
    let mut bytes = Vec::new();
    if lines.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
    }
    let text = String::from_utf8(bytes);
    Ok(Some(text.map_err(|e| e.utf8_error().valid_up_to())))
}

impl<R: BufRead, S: Ask<Box<dyn Engine>>> LineSource for Script<R, S> {
    fn read(&mut self, _: &str) -> io::Result<Line> {
        let mut input = String::new();
        let mut growing = GrowingInput::default();
        loop {
            let start;
            let held = self.held.take().map(Ok);
            let next = if held.is_some() { held } else { line(&mut self.lines)? };
            let Some(line) = next else {
                let over = input.trim().is_empty();
                return Ok(if over { Line::End } else { Line::Input(input) });
            };
            self.at += 1;
            match line {
                Err(column) => {
                    let (at, column) = (self.at, column + 1);
                    return Ok(Line::Broken(format!("line {at} of the input is not UTF-8, from byte {column} on")));
                }
                Ok(line) => {
                    if !input.is_empty() {
                        input.push('\n');
                    }
                    start = input.len();
                    input.push_str(&line);
                }
            }
            if input.trim().is_empty() {
                input.clear();
            } else if !growing.needs_more(&self.sessions, &input, input.get(start..).unwrap_or("")) {
                // a complete input that is only a `%%` line names no language: what follows is not of this one either
                if start == 0 && input.starts_with("%%") {
                    self.skip_cell(&mut input)?;
                }
                return Ok(Line::Input(input));
            }
        }
    }

    fn set_options(&mut self, _: LineOptions) {}
}
