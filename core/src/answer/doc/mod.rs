//! The documentation of a name or field, the library's too.

pub mod text;

use super::query::{self, library_path};
use crate::dialect::library::Entry;
use crate::problem::Problem;
use crate::state::Workspace;
use crate::styled::Styled;
use crate::term::Term;
use crate::term::rules::STD;
use crate::text::Name;
use std::sync::Arc;

/// The documentation of a name or a field.
#[derive(Clone, Debug, Default)]
pub struct Doc {
    /// The path in the question, as written.
    pub name: String,
    /// Its type, on one line.
    pub ty: Styled,
    /// The text.
    pub text: Option<Name>,
    /// Examples: each input with its result.
    pub examples: Vec<(Name, Name)>,
    /// The names in it, for a module of the library.
    pub names: Vec<Name>,
}

/// Returns the documentation of a path or expression; `written` is its text. If the field does not exist, the error is
/// the type error.
pub fn doc(session: &mut Workspace, term: Arc<Term>, written: &str) -> Result<Doc, Problem> {
    let ty = session.type_of(&term);
    let mut doc = Doc { name: String::from(written), ty, ..Doc::default() };
    if let Some(entry) = library_path(&term).and_then(|path| session.languages().entry(&path)) {
        doc.text = Some(Name::new_static(entry.doc()));
        match entry {
            Entry::Module(module) => {
                doc.ty = Styled::new();
                doc.names = module.sorted();
            }
            Entry::Item(item) => {
                doc.name = item.usage.map_or(doc.name, |usage| format!("{STD}.{usage}"));
                doc.examples = item.examples.iter().map(|(i, o)| (Name::new_static(i), Name::new_static(o))).collect();
            }
        }
        return Ok(doc);
    }
    let answer = query::query(session, term)?;
    doc.text = answer.doc;
    Ok(doc)
}
