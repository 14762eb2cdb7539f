//! Fields at the end of a path that leads through elements of arrays: `servers[0].na`.

use super::Candidate;
use crate::dialect::Dialect;
use crate::state::{Workspace, record_fields};
use crate::text::path::{PartialPath, Step, begun};
use crate::ty::{Scheme, Ty};
use std::ops::Range;

/// Returns the fields that can complete a path with an index in it. `None` if the text is not such a path. O(path +
/// fields of the last record).
pub fn fields(session: &Workspace, dialect: Dialect, written: &str, range: Range<usize>) -> Option<Vec<Candidate>> {
    let PartialPath { path, name: partial, at } = begun(written)?;
    // any other path is an expression
    if !written.contains('[') {
        return None;
    }
    let mut steps = path.steps.iter();
    let Some(Step::Field(first)) = steps.next() else { return None };
    let mut here = Scheme::clone(&session.definition(first)?.typed.scheme);
    for step in steps {
        here = match (step, &*here.ty.clone()) {
            (Step::Index(_), Ty::Array(of)) => Scheme { ty: of.clone(), shown: None, ..here },
            (Step::Field(name), _) => record_fields(&here).into_iter().find(|(field, _)| field == name)?.1,
            _ => return None,
        };
    }
    let range = range.start + at..range.end;
    let fields = record_fields(&here).into_iter().filter(|(name, _)| name.starts_with(&*partial));
    let candidate = |(name, scheme): (crate::text::Name, Scheme)| Candidate {
        range: range.clone(),
        text: (dialect.spelling().field)(&name).into_owned(),
        kind: "field",
        ty: Some(super::expression::brief(session, dialect, &scheme)),
        doc: None,
    };
    Some(fields.map(candidate).collect())
}
