//! `:info`: facts about a name or a field that need no evaluation.

mod html;
mod json;
pub mod known;
mod text;
pub mod written;

use super::query::{library_path, written_metadata};
use crate::answer::{Answer, forms};
use crate::problem::Problem;
use crate::state::{Definition, Workspace, is_written};
use crate::term::{Node, Term};
use crate::text::{Name, Span};
use crate::ty::Scheme;
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use std::sync::Arc;

/// The facts about a name, a field or another expression.
#[derive(Clone, Debug)]
pub struct Info {
    /// The expression, as written in the question.
    pub name: String,
    /// Its type.
    pub scheme: Arc<Scheme>,
    /// The places of its definitions, each whole, in the order in which they are combined.
    pub places: Vec<Span>,
    /// The contracts, as written.
    pub contracts: Vec<String>,
    /// The type annotations, as written.
    pub types: Vec<String>,
    /// The documentation.
    pub doc: Option<Name>,
    /// The part of the value that is evaluated. `None` for an item of the library.
    pub known: Option<Datum>,
    /// The names that its definition reads.
    pub reads: Vec<String>,
    /// The definitions and fields that read it.
    pub users: Vec<String>,
    /// Number of problems of its types, for a name.
    pub problems: usize,
}

/// Returns the facts about an expression of this type; `text` is its text. Fails if its path leaves the known part of a
/// value. O(texts of the definitions along the path and of those that read the name).
pub fn info(
    session: &mut Workspace,
    term: &Arc<Term>,
    text: &str,
    scheme: Arc<Scheme>,
    budget: Budget,
) -> Result<Info, Problem> {
    let definition = match term.node(term.root) {
        Node::Global(name) => session.definition(name).map(|definition| (name.clone(), definition)),
        _ => None,
    };
    let name = String::from(text);
    if let Some((key, definition)) = definition {
        let metadata = written_metadata(session, &definition);
        let written = |names: &mut dyn Iterator<Item = &Name>| -> Vec<String> {
            names.filter(|name| is_written(name)).map(Name::to_string).collect()
        };
        return Ok(Info {
            name,
            scheme,
            places: vec![place_of(&definition)],
            contracts: metadata.contracts,
            types: metadata.types,
            doc: metadata.doc,
            known: Some(known::known(session, term, budget)?),
            reads: written(&mut definition.uses.iter()),
            users: written(&mut session.direct_users_of(&key).iter()),
            problems: definition.typed.problems.len(),
        });
    }
    let written = written::written(session, term).unwrap_or_default();
    let library = library_path(term);
    let entry = library.as_ref().and_then(|path| session.languages().entry(path));
    Ok(Info {
        name,
        scheme,
        places: written.places,
        contracts: written.contracts,
        types: written.types,
        doc: entry.map(|entry| Name::new_static(entry.doc())).or(written.doc),
        known: match library {
            Some(_) => None,
            None => Some(known::known(session, term, budget)?),
        },
        reads: Vec::new(),
        users: written.users,
        problems: 0,
    })
}

/// Returns the place of a definition: its name and its value.
fn place_of(definition: &Definition) -> Span {
    let value = definition.term.span(definition.term.root);
    match definition.span {
        Some(name) if name.source == value.source && name.start <= value.start => Span { end: value.end, ..name },
        name => name.unwrap_or(value),
    }
}

impl Answer for Info {
    forms!("info");
}
