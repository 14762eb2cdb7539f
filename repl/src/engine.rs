//! The part of a session that the prompt uses. Tests replace it with a fake.

use cfg_core::steps::Page;
use cfg_core::whatif::{ExplainedField, Tried};
use cfg_core::{Candidate, Completeness, Event, Role, Session, Styled};
use std::ops::Range;

/// A session as the prompt sees it. [`Session`] is the real implementation.
pub trait Engine {
    /// Runs one input, a cell or a command, and returns its results.
    fn submit(&mut self, text: &str) -> Vec<Event>;
    /// Frees deferred memory while idle, until nothing is left or `stop` returns `true`.
    fn free_deferred(&mut self, _stop: &dyn Fn() -> bool) {}
    /// Returns whether the text is a complete input.
    fn completeness(&self, text: &str) -> Completeness;
    /// Splits a text of several lines into inputs.
    fn inputs(&self, text: &str) -> Vec<String>;
    /// Returns whether the name is bound.
    fn is_bound(&self, name: &str) -> bool;
    /// Returns the ranges of the text's tokens, in bytes, and their roles.
    fn highlight(&self, text: &str) -> Vec<(Range<usize>, Role)>;
    /// Returns the range of the first error before the cursor that no further typing can repair.
    fn mistake(&self, text: &str, cursor: usize) -> Option<Range<usize>>;
    /// Returns the completions at the cursor, a byte offset.
    fn complete(&mut self, text: &str, cursor: usize) -> Vec<Candidate>;
    /// Returns a suggestion for the text after the cursor.
    fn hint(&mut self, text: &str, cursor: usize) -> Option<String>;
    /// Returns the name that the next cell gets: `cfg[3]`.
    fn next_cell(&self) -> String;
    /// Returns the value of a `:set` option as text.
    fn option(&self, name: &str) -> Option<String>;
    /// Sets the width of answers, in columns.
    fn set_width(&mut self, columns: usize);
    /// Lays out the last answer to `:steps` again for a width in columns; returns its pages and the text below the
    /// last one.
    fn steps_again(&mut self, columns: usize) -> Option<(Vec<Page>, Styled)>;
    /// Returns the number of definitions in the last input's answer. `None` if it was not `:explain`, or if their changes
    /// cannot be tried here.
    fn explained_definitions(&self) -> Option<usize> {
        None
    }
    /// Explains the value at a path again, or at the path of the last explanation if it is empty. `None` if there is
    /// nothing to explain, or if changes cannot be tried here.
    fn explained(&mut self, _path: &str) -> Option<ExplainedField> {
        None
    }
    /// Answers `:whatif PATH CHANGES`. Changes nothing.
    fn try_changes(&mut self, _path: &str, _changes: &str) -> Option<Tried> {
        None
    }
    /// Returns whether a notebook has the session too. The prompt cannot change the text of its cells.
    fn is_shared(&self) -> bool {
        false
    }
    /// Returns whether an input may contain a secret, so that it is not written into the history.
    fn is_private(&self, text: &str) -> bool {
        writes_secret(text)
    }
    /// Returns whether the last input was a check (`:check`) and passed. `None` if it was not a check.
    fn check_passed(&self) -> Option<bool> {
        None
    }
}

/// Whether a text mentions secrets and has a string. What it marks as secret is known only after it ran, and nothing may be written before.
fn writes_secret(text: &str) -> bool {
    text.contains("secret") && text.contains(['"', '\''])
}

impl Engine for Session {
    fn is_private(&self, text: &str) -> bool {
        writes_secret(text) || Session::masked_input(self, text) != text
    }
    fn submit(&mut self, text: &str) -> Vec<Event> {
        Session::submit(self, text)
    }
    fn free_deferred(&mut self, stop: &dyn Fn() -> bool) {
        Session::free_deferred(self, stop);
    }
    fn completeness(&self, text: &str) -> Completeness {
        Session::completeness(self, text)
    }
    fn inputs(&self, text: &str) -> Vec<String> {
        Session::inputs(self, text)
    }
    fn is_bound(&self, name: &str) -> bool {
        Session::is_bound(self, name)
    }
    fn highlight(&self, text: &str) -> Vec<(Range<usize>, Role)> {
        Session::highlight(self, text)
    }
    fn mistake(&self, text: &str, cursor: usize) -> Option<Range<usize>> {
        Session::mistake(self, text, cursor)
    }
    fn complete(&mut self, text: &str, cursor: usize) -> Vec<Candidate> {
        Session::complete(self, text, cursor)
    }
    fn hint(&mut self, text: &str, cursor: usize) -> Option<String> {
        Session::hint(self, text, cursor)
    }
    fn next_cell(&self) -> String {
        Session::next_cell(self)
    }
    fn option(&self, name: &str) -> Option<String> {
        Session::option(self, name)
    }
    fn set_width(&mut self, columns: usize) {
        Session::set_width(self, columns);
    }
    fn explained_definitions(&self) -> Option<usize> {
        Session::explained_definitions(self)
    }
    fn explained(&mut self, path: &str) -> Option<ExplainedField> {
        Session::explain_again(self, path)
    }
    fn try_changes(&mut self, path: &str, changes: &str) -> Option<Tried> {
        Some(Session::try_changes(self, path, changes))
    }
    fn steps_again(&mut self, columns: usize) -> Option<(Vec<Page>, Styled)> {
        Session::set_width(self, columns);
        Session::steps_again(self)
    }
}

#[cfg(test)]
pub mod fake {
    //! A session without a language, for testing the loop: it repeats its input.

    use super::*;
    use cfg_core::Severity;

    /// `fail` fails, `panic` panics, `:quit` quits, `(` is incomplete without `)`; anything else evaluates to itself
    /// and has type `T`.
    pub struct Fake(pub u32);

    impl Engine for Fake {
        fn submit(&mut self, text: &str) -> Vec<Event> {
            let number = self.0;
            self.0 += 1;
            match text {
                "fail" => {
                    let report = "error: failed [fake]".into();
                    vec![Event::Diagnostic { severity: Severity::Error, report, rich: None }]
                }
                "panic" => panic!("on purpose"),
                ":quit" => vec![Event::Quit],
                _ => vec![Event::Value { number, value: text.into(), ty: "T".into(), of: " : ", rich: None }],
            }
        }
        fn completeness(&self, text: &str) -> Completeness {
            if text.matches('(').count() > text.matches(')').count() {
                Completeness::Incomplete { indent: 2 }
            } else {
                Completeness::Complete
            }
        }
        fn inputs(&self, text: &str) -> Vec<String> {
            vec![text.into()]
        }
        fn is_bound(&self, _: &str) -> bool {
            false
        }
        fn highlight(&self, _: &str) -> Vec<(Range<usize>, Role)> {
            Vec::new()
        }
        fn mistake(&self, _: &str, _: usize) -> Option<Range<usize>> {
            None
        }
        fn complete(&mut self, _: &str, _: usize) -> Vec<Candidate> {
            Vec::new()
        }
        fn hint(&mut self, _: &str, _: usize) -> Option<String> {
            None
        }
        fn next_cell(&self) -> String {
            format!("cfg[{}]", self.0)
        }
        fn option(&self, _: &str) -> Option<String> {
            None
        }
        fn set_width(&mut self, _: usize) {}
        fn steps_again(&mut self, _: usize) -> Option<(Vec<Page>, Styled)> {
            None
        }
    }
}
