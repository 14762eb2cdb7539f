//! The field that a question about an expression is about.

use super::{DefinitionRow, Explanation, earlier, words};
use crate::answer::shared::projection;
use crate::state::Workspace;
use crate::term::{Node, Term};
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use std::sync::Arc;

/// The field that an expression reads.
pub(in crate::answer) struct Subject {
    /// The path into the value of the expression before it.
    pub path: FieldPath,
    /// The name of the session that the path begins with.
    pub name: Option<Name>,
    /// Whether the expression is a path from a name of the session, also if that is a field of a file or a key of a document.
    pub in_session: bool,
    /// The definition of the same key in an earlier document.
    pub(super) below: Option<earlier::Predecessor>,
    /// The place of the whole value.
    pub written: Option<Span>,
}

/// Cuts the path off an expression: `e.a.b` is the field `a.b` of the value of `e`. A field that `:load` bound is the field
/// of its file, and a key of a cell is the key of its document.
pub(in crate::answer) fn of_term(session: &Workspace, term: &mut Arc<Term>) -> Subject {
    let mut path = FieldPath { steps: projection::cut(term) };
    let mut name = None;
    let mut below = None;
    let in_session = matches!(term.node(term.root), Node::Global(_));
    if let Node::Global(bound) = term.node(term.root) {
        name = Some(bound.clone());
        if let Some((document, field)) = document_of(session, bound) {
            below = earlier::predecessor(session, &document, &field);
            path.steps.insert(0, Step::Field(field));
            name = None;
            *term = document;
        }
    }
    let written = match &name {
        Some(name) => session.definition(name).map(|definition| definition.term.span(definition.term.root)),
        None => Some(term.span(term.root)),
    };
    Subject { path, name, in_session, below, written }
}

impl Explanation {
    /// Returns the definitions in the order in which they are displayed.
    pub(in crate::answer) fn rows(&self) -> Vec<&DefinitionRow> {
        words::shown(self)
    }

    /// Returns the path as it is displayed.
    pub(in crate::answer) fn title_path(&self) -> String {
        words::path(self)
    }
}

/// Returns the document and the key in it that a name of the session is bound to. `None` if the name is not that of a key.
fn document_of(session: &Workspace, bound: &Name) -> Option<(Arc<Term>, Name)> {
    let definition = session.definition(bound)?;
    let Node::Project(of, field) = definition.term.node(definition.term.root) else { return None };
    match definition.term.node(*of) {
        Node::Global(file) if file.starts_with('%') => Some((session.definition(file)?.term.clone(), field.clone())),
        Node::Record(_) | Node::Inherit(_) if definition.term.rules.extends_layers() => {
            Some((Arc::new(Term { root: *of, ..Term::clone(&definition.term) }), field.clone()))
        }
        _ => None,
    }
}
