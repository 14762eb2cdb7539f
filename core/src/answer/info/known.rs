//! What is known of a value without forcing anything.

use crate::answer::shared::projection;
use crate::problem::Problem;
use crate::state::Workspace;
use crate::term::{Node, Term};
use crate::value::Thunk;
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use std::sync::Arc;

/// A value as far as it is known. A name of the session, or a path from one, is what was forced of it so far; of any
/// other expression nothing is known. Fails where the path leads out of what is known. O(answer + path).
pub fn known(session: &mut Workspace, term: &Arc<Term>, budget: Budget) -> Result<Datum, Problem> {
    Ok(match found(session, term)? {
        Some(thunk) => session.machine().known(&thunk, budget),
        None => Datum::Unforced,
    })
}

fn found(session: &mut Workspace, term: &Term) -> Result<Option<Thunk>, Problem> {
    let (root, steps) = projection::of_term(term);
    let Node::Global(name) = term.node(root) else { return Ok(None) };
    let Some(mut thunk) = session.value_of(name) else { return Ok(None) };
    for step in projection::inward(&steps) {
        // a step into what is there already forces nothing but the record's own list of fields
        if thunk.peek().is_none() {
            return Ok(None);
        }
        let found = session.machine().at(&thunk, std::slice::from_ref(&step));
        thunk = found.map_err(|fault| fault.problem().clone())?;
    }
    Ok(Some(thunk))
}
