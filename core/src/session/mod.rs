//! Cells, definitions, the persistent environment: what both faces hold.

mod event;
mod interrupt;
mod request;

pub use event::{Candidate, Completeness, Event};
pub use interrupt::Interrupt;
pub use request::{Action, Format, Input, Outcome, Request};

use crate::dialect::Dialect;
use crate::loader::Loader;
use crate::view::Role;
use std::ops::Range;

/// A session: everything that was defined, and the machine that evaluates it. Not `Send`: it lives on one thread, which
/// should have a large stack.
pub struct Session {
    _loader: Box<dyn Loader>,
    interrupt: Interrupt,
    next: u32,
}

impl Session {
    /// An empty session over a loader.
    pub fn new(loader: Box<dyn Loader>) -> Session {
        Session { _loader: loader, interrupt: Interrupt::default(), next: 1 }
    }

    /// The flag that stops what runs. It is lowered when the next input begins.
    pub fn interrupt_handle(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// The number that the next cell takes.
    pub fn next_number(&self) -> u32 {
        self.next
    }

    /// Runs one input, a cell or a `:command`, and says what came of it, in order.
    pub fn submit(&mut self, _text: &str) -> Vec<Event> {
        Vec::new()
    }

    /// Runs a program for the command line.
    pub fn run(&mut self, _request: Request) -> Outcome {
        Outcome::default()
    }

    /// Whether an input is a whole one, by the parser's word. A command always is.
    pub fn completeness(&self, text: &str) -> Completeness {
        if text.trim_start().starts_with(':') { Completeness::Complete } else { Dialect::Cfg.completeness(text) }
    }

    /// The roles of an input's parts, in order, without overlap; what is left out is plain.
    pub fn highlight(&self, text: &str) -> Vec<(Range<usize>, Role)> {
        Dialect::Cfg.highlight(text)
    }

    /// The ways to go on at the cursor (a byte offset), the best first.
    pub fn complete(&mut self, _text: &str, _cursor: usize) -> Vec<Candidate> {
        Vec::new()
    }

    /// What could follow the cursor, to be shown dim.
    pub fn hint(&mut self, _text: &str, _cursor: usize) -> Option<String> {
        None
    }

    /// The value of an option of `:set`, as text. `None`: there is no such option.
    pub fn option(&self, _name: &str) -> Option<String> {
        None
    }

    /// Sets an option as `:set name value` does.
    pub fn set_option(&mut self, name: &str, _value: &str) -> Result<(), String> {
        Err(format!("no option `{name}`"))
    }

    /// How wide answers may be, in columns.
    pub fn set_width(&mut self, _columns: usize) {}
}
