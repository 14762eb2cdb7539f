//! The part of a value that is known without forcing anything.

use crate::answer::shared::projection;
use crate::problem::Problem;
use crate::state::Workspace;
use crate::term::{Node, Term};
use crate::value::Thunk;
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use std::sync::Arc;

/// Returns the known part of a value. For a name of the session, or a path from one, this is the part that was already
/// forced. Any other expression is unknown. Fails if the path leaves the known part. O(answer + path).
pub fn known(session: &mut Workspace, term: &Arc<Term>, budget: Budget) -> Result<Datum, Problem> {
    Ok(match found(session, term)? {
        Some(thunk) => session.machine().datum_without_forcing(&thunk, budget),
        None => Datum::Unforced,
    })
}

fn found(session: &mut Workspace, term: &Term) -> Result<Option<Thunk>, Problem> {
    let (root, steps) = projection::of_term(term);
    let Node::Global(name) = term.node(root) else { return Ok(None) };
    let Some(mut thunk) = session.value_of(name) else { return Ok(None) };
    for step in steps {
        // a step into an evaluated value forces only the record's list of fields
        if !thunk.is_forced() {
            return Ok(None);
        }
        let found = session.machine().at(&thunk, std::slice::from_ref(&step));
        thunk = found.map_err(|fault| fault.problem().clone())?;
    }
    Ok(Some(thunk))
}
