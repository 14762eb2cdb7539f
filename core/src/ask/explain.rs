//! Where a field's value comes from.

use super::path::{Path, Step as PathStep};
use crate::problem::Problem;
use crate::session::Session;
use crate::term::{Node, Term};
use crate::value::Thunk;
use crate::value::datum::Datum;
use crate::value::machine::{Budget, Step};
use std::sync::Arc;

/// How much of a value an answer holds.
const SHOWN: Budget = Budget { elements: 60, depth: 4, text: 2000 };

/// Where the value at a path comes from.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The path.
    pub path: Path,
    /// The value, as far as it is shown.
    pub value: Datum,
}

/// Explains the value at a path into a value. Fails where the path leads nowhere.
pub fn explain(session: &mut Session, root: &Thunk, path: &Path, steps: &[Step]) -> Result<Explanation, Problem> {
    let value = session.machine().at(root, steps).map_err(|fault| fault.problem().clone())?;
    Ok(Explanation { path: path.clone(), value: session.machine().datum(&value, SHOWN) })
}

/// Explains an expression: `e.a.b` is the field `a.b` of whatever `e` is.
pub fn of_term(session: &mut Session, mut term: Arc<Term>) -> Result<Explanation, Problem> {
    let mut names = Vec::new();
    let mut here = term.root;
    while let Node::Project(of, name) = term.node(here) {
        names.push(name.clone());
        here = *of;
    }
    names.reverse();
    // children stand before their parents: what stands before the dots is a term by itself
    if let Some(term) = Arc::get_mut(&mut term) {
        term.root = here;
    }
    let root = session.machine().thunk(&term);
    let path = Path { steps: names.iter().cloned().map(PathStep::Field).collect() };
    let steps: Vec<Step> = names.into_iter().map(Step::Field).collect();
    explain(session, &root, &path, &steps)
}
