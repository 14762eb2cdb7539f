//! What is known of a value without forcing anything.

use crate::session::Session;
use crate::term::{Node, Term};
use crate::value::datum::Datum;
use crate::value::machine::{Budget, Step};
use crate::value::{Thunk, Value};
use std::sync::Arc;

/// A value as far as it is known. A name of the session, or a path from one, is what was forced of it so far; of any
/// other expression nothing is known. O(answer + path).
pub fn known(session: &mut Session, term: &Arc<Term>, budget: Budget) -> Datum {
    match found(session, term) {
        Some(thunk) => session.machine().known(&thunk, budget),
        None => Datum::Unforced,
    }
}

fn found(session: &mut Session, term: &Term) -> Option<Thunk> {
    let mut steps = Vec::new();
    let mut here = term.root;
    let mut thunk = loop {
        match term.node(here) {
            Node::Project(of, name) => {
                steps.push(Step::Field(name.clone()));
                here = *of;
            }
            Node::Global(name) => break session.value_of(name)?,
            _ => return None,
        }
    };
    for step in steps.iter().rev() {
        // a step into what is a record already forces nothing but the record's own list of fields
        match thunk.peek()? {
            Value::Record(_) => thunk = session.machine().at(&thunk, std::slice::from_ref(step)).ok()?,
            _ => return None,
        }
    }
    Some(thunk)
}
