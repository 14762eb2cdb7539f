//! `cfg fmt`: formats programs.

use super::{CALL, FAULT, Run, language_of};
use crate::dialect::format::{format, is_formatted};
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::session::request::{FileEdit, Input, Request};
use crate::styled::Styled;
use crate::text::Name;

/// Bytes that the layout of a text takes for each of its bytes, about.
const LAYOUT_BYTES: u64 = 64;

impl Run<'_> {
    /// Formats all inputs. Files are changed; a text is printed. With `check`, the names of inputs that are not formatted
    /// are printed instead, and the exit code is 1 if there are any.
    pub(super) fn fmt(&mut self, request: &Request, check: bool) {
        let mut printed = String::new();
        for input in &request.inputs {
            let dialect = language_of(self.session.languages(), input, request.dialect);
            if !is_formatted(dialect) {
                let why = format!("cfg does not format {}", dialect.name());
                self.not_formatted(input, &why);
                continue;
            }
            let Some(file) = self.input(input, request.dialect) else { continue };
            if !self.parsed(dialect, &file) {
                continue;
            }
            let Some(text) = self.session.workspace.text_of(file.source) else { continue };
            self.session.world.interrupt.stop().expect_table(text.len() as u64 * LAYOUT_BYTES);
            if self.session.world.interrupt.is_raised() {
                break;
            }
            let Some(formatted) = format(dialect, &text) else {
                self.not_formatted(input, "it cannot be laid out without a change of its meaning");
                continue;
            };
            match input {
                _ if check && formatted == *text => {}
                _ if check => {
                    printed.push_str(&format!("{}\n", input.name()));
                    self.outcome.exit = self.outcome.exit.max(FAULT);
                }
                Input::Text { .. } => printed.push_str(&formatted),
                Input::File(path) if formatted != *text => {
                    let canonical = self.session.world.path_of(file.source).unwrap_or_else(|| path.clone());
                    let before = text.to_string();
                    self.outcome.edits.push(FileEdit { path: path.clone(), canonical, before, after: formatted });
                }
                Input::File(_) | Input::Stack(_) => {}
            }
        }
        self.outcome.output = Styled::from(printed);
    }

    fn not_formatted(&mut self, input: &Input, why: &str) {
        let what = SessionKind::NotFormatted { path: Name::from(input.name()), why: Name::new(why) };
        self.report(&Problem::error(SessionProblem { span: None, what }));
        self.outcome.exit = CALL;
    }
}
