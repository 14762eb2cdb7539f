//! Tests of the library: Nickel's answers, its own examples, and its properties.

mod oracle;
mod show;
mod tables;
mod types;

use crate::dialect::{Dialect, StdNames};
use crate::term::Import;
use crate::text::{Name, SourceId, Span};
use crate::value::Host;
use crate::value::{Fault, Machine, Revision, Thunk};
use std::rc::Rc;

/// A session that only binds `std`.
struct Std(Thunk);

impl Host for Std {
    fn global(&self, _: &mut Machine, _: Revision, name: &Name) -> Option<Thunk> {
        (name == "std").then(|| self.0.clone())
    }
    fn import(&self, _: &mut Machine, _: Revision, _: &Import, span: Span) -> Result<Thunk, Fault> {
        Err(Fault::undefined("no imports here", Some(span)))
    }
}

fn machine() -> Machine {
    Machine::new(Rc::new(Std(Thunk::lazy(|_| Ok(super::value())))))
}

/// Evaluates an expression. A problem in its text is a fault.
fn evaluate(machine: &mut Machine, text: &str) -> Thunk {
    let program = Dialect::CFG.program(SourceId(0), text, &StdNames);
    match program.problems.into_iter().find(|p| p.severity == crate::problem::Severity::Error) {
        Some(problem) => Thunk::failed(Fault::of(problem)),
        None => machine.thunk(&program.term),
    }
}
