//! What the prompt needs of a session, and nothing more: the seam that a test fills with a fake.

use cfg_core::answer::steps::text::Page;
use cfg_core::session::{Candidate, Completeness, Event, Session};
use cfg_core::view::{Role, Styled};
use std::ops::Range;

/// A session as the prompt sees it. [`Session`] is the real one.
pub trait Engine {
    /// Runs one input, a cell or a command, and says what came of it.
    fn submit(&mut self, text: &str) -> Vec<Event>;
    /// Takes apart what earlier inputs left, while nobody asks anything: until it is through, or `stop` says so.
    fn tidy(&mut self, _stop: &dyn Fn() -> bool) {}
    /// Whether the text is a whole input.
    fn completeness(&self, text: &str) -> Completeness;
    /// The inputs that a text of several lines holds.
    fn inputs(&self, text: &str) -> Vec<String>;
    /// Whether something is bound by a name.
    fn is_bound(&self, name: &str) -> bool;
    /// The roles of the text's tokens.
    fn highlight(&self, text: &str) -> Vec<(Range<usize>, Role)>;
    /// What is wrong before the cursor whatever is typed there.
    fn mistake(&self, text: &str, cursor: usize) -> Option<Range<usize>>;
    /// The ways to go on at the cursor.
    fn complete(&mut self, text: &str, cursor: usize) -> Vec<Candidate>;
    /// What could follow the cursor, shown dim.
    fn hint(&mut self, text: &str, cursor: usize) -> Option<String>;
    /// The name that the next cell takes: `cfg[3]`.
    fn next_cell(&self) -> String;
    /// The value of an option of `:set`, as text.
    fn option(&self, name: &str) -> Option<String>;
    /// How wide the answers may be, in columns.
    fn set_width(&mut self, columns: usize);
    /// The pages of the last answer to `:steps` and what stands under them, laid out for so many columns.
    fn steps_again(&mut self, columns: usize) -> Option<(Vec<Page>, Styled)>;
}

impl Engine for Session {
    fn submit(&mut self, text: &str) -> Vec<Event> {
        Session::submit(self, text)
    }
    fn tidy(&mut self, stop: &dyn Fn() -> bool) {
        Session::tidy(self, stop);
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
    fn steps_again(&mut self, columns: usize) -> Option<(Vec<Page>, Styled)> {
        Session::set_width(self, columns);
        Session::steps_again(self)
    }
}

#[cfg(test)]
pub mod fake {
    //! A session that knows nothing, for the tests of the loop: it repeats what it is told.

    use super::*;
    use cfg_core::problem::Severity;

    /// `fail` fails, `panic` panics, `:quit` quits, `(` wants a `)`; anything else is its own value, of
    /// type `T`.
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
