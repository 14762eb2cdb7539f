//! The definitions of a field and its readers, found in the texts. Nothing is evaluated, so computed names and the
//! results of calls are not found.

use crate::answer::shared::projection;
use crate::state::Workspace;
use crate::term::{AnnotKind, FieldDef, FieldName, Node, NodeId, Term};
use crate::text::on_one_line;
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The definitions of a field, and its readers.
#[derive(Clone, Debug, Default)]
pub struct DefinitionSites {
    /// The definitions, each whole, in the order they are combined.
    pub places: Vec<Span>,
    /// The contracts, as written.
    pub contracts: Vec<String>,
    /// The types, as written.
    pub types: Vec<String>,
    /// The documentation.
    pub doc: Option<Name>,
    /// The definitions of the session and the fields of the same record that read it or a record around it.
    pub users: Vec<String>,
}

/// Maximum number of records to search.
const MOST: usize = 1000;

/// A part of a term.
type Site = (Arc<Term>, NodeId);

/// Finds the definitions of the field at a path. `None` if the term is not a path from a name of the session. O(texts
/// of the definitions along the path and of those that read the name).
pub fn written(session: &Workspace, term: &Arc<Term>) -> Option<DefinitionSites> {
    let (root, steps) = projection::of_term(term);
    let Node::Global(name) = term.node(root) else { return None };
    let definition = session.definition(name)?;
    let mut out = DefinitionSites::default();
    let mut sites = vec![(definition.term.clone(), definition.term.root)];
    for (at, step) in steps.iter().enumerate() {
        let Step::Field(field) = step else { break };
        let last = at + 1 == steps.len();
        let mut next = Vec::new();
        for (term, node) in records(session, sites) {
            let Node::Record(lit) = term.node(node) else { continue };
            let named = |f: &&FieldDef| matches!(&f.name, FieldName::Static(n) if n == field);
            for (index, def) in lit.fields.iter().enumerate().filter(|(_, f)| named(f)) {
                next.extend(def.body.map(|body| (term.clone(), body)));
                if last {
                    out.add_definition(session, &term, def);
                    out.add_readers(&term, &lit.fields, index, name, &steps);
                }
            }
        }
        sites = next;
    }
    out.readers(session, name, &steps);
    Some(out)
}

impl DefinitionSites {
    fn add_definition(&mut self, session: &Workspace, term: &Term, def: &FieldDef) {
        self.places.push(def.span);
        for annot in &def.meta.annots {
            let text = on_one_line(&session.written(term.span(annot.ty)));
            let into = match annot.kind {
                AnnotKind::Contract => &mut self.contracts,
                AnnotKind::Type => &mut self.types,
            };
            if !into.contains(&text) {
                into.push(text);
            }
        }
        self.doc = self.doc.take().or_else(|| def.meta.doc.as_ref().map(|(text, _)| text.clone()));
    }

    /// Finds the fields of the same literal that read this one.
    fn add_readers(&mut self, term: &Term, fields: &[FieldDef], own: usize, root: &Name, steps: &[Step]) {
        let Some(Step::Field(wanted)) = steps.last() else { return };
        for (_, def) in fields.iter().enumerate().filter(|(index, _)| *index != own) {
            let FieldName::Static(name) = &def.name else { continue };
            if def.body.is_some_and(|body| reads_member(term, body, wanted)) {
                let before = steps.get(..steps.len().saturating_sub(1)).unwrap_or_default();
                let mut path = FieldPath { steps: vec![Step::Field(root.clone())] };
                path.steps.extend(before.iter().cloned());
                self.user(path.then(Step::Field(name.clone())).to_string());
            }
        }
    }

    /// Finds the definitions of the session that read the path, a part of it, or the whole of a record around it.
    fn readers(&mut self, session: &Workspace, root: &Name, steps: &[Step]) {
        for user in session.direct_users_of(root) {
            let Some(definition) = session.definition(&user) else { continue };
            let term = &definition.term;
            let mut inner: FxHashSet<NodeId> = FxHashSet::default();
            // children precede their parents: iterating from the end finds the longest path first
            for id in (0..term.nodes.len() as u32).rev().map(NodeId) {
                if !matches!(term.node(id), Node::Project(..) | Node::Index(_) | Node::Global(_)) || inner.contains(&id)
                {
                    continue;
                }
                let (from, way) = projection::of_node(term, id, |passed| {
                    inner.insert(passed);
                });
                let from_root = matches!(term.node(from), Node::Global(name) if name == root);
                if from_root && (way.starts_with(steps) || steps.starts_with(&way)) {
                    self.user(user.to_string());
                    break;
                }
            }
        }
    }

    fn user(&mut self, user: String) {
        if !self.users.contains(&user) {
            self.users.push(user);
        }
    }
}

/// Returns the record literals that a value is made from, as far as the texts show.
fn records(session: &Workspace, sites: Vec<Site>) -> Vec<Site> {
    let mut out = Vec::new();
    let mut seen: FxHashSet<(usize, NodeId)> = FxHashSet::default();
    let mut work: Vec<Site> = sites;
    work.reverse();
    while let Some((term, node)) = work.pop() {
        if out.len() >= MOST || !seen.insert((Arc::as_ptr(&term) as usize, node)) {
            continue;
        }
        match term.node(node) {
            Node::Record(_) => out.push((term, node)),
            Node::Merge(operands) => work.extend(operands.iter().rev().map(|id| (term.clone(), *id))),
            Node::Inherit(pair) => work.extend(pair.iter().rev().map(|id| (term.clone(), *id))),
            Node::Annot(inner, _) => work.push((term.clone(), *inner)),
            Node::Let(l) => match (term.node(l.body), l.bindings.as_slice()) {
                // `x | rec default = e`: the name is an alias of the expression
                (Node::Local { up: 0, .. }, [only]) => work.push((term.clone(), only.body)),
                _ => work.push((term.clone(), l.body)),
            },
            // uses the file as it was last read; nothing is read now
            Node::Import(import) => {
                if let Some(Some(file)) = session.world.known_file(import, term.span(node)) {
                    work.push((file.term.clone(), file.term.root));
                }
            }
            Node::If(parts) => work.extend(parts.iter().skip(1).rev().map(|id| (term.clone(), *id))),
            Node::Global(name) => {
                work.extend(session.definition(name).map(|d| (d.term.clone(), d.term.root)));
            }
            Node::Project(of, name) => {
                // a field of a file that `:load` bound
                if let Node::Global(file) = term.node(*of)
                    && let Some(file) = session.definition(file)
                    && let Node::Record(lit) = file.term.node(file.term.root)
                {
                    let named = |f: &&FieldDef| matches!(&f.name, FieldName::Static(n) if n == name);
                    work.extend(lit.fields.iter().filter(named).filter_map(|f| Some((file.term.clone(), f.body?))));
                }
            }
            _ => {}
        }
    }
    out
}

/// Returns `true` if an expression directly in a literal's frame reads a field of the final record.
fn reads_member(term: &Term, body: NodeId, wanted: &Name) -> bool {
    let mut work = vec![(body, 0)];
    while let Some((id, depth)) = work.pop() {
        match term.node(id) {
            Node::Member { up, name } if *up == depth && name == wanted => return true,
            Node::Project(of, name) if name == wanted => {
                if matches!(term.node(*of), Node::This { up } if *up == depth) {
                    return true;
                }
            }
            _ => {}
        }
        term.children_in_frames(id, &mut |child, frames| work.push((child, depth + frames)));
    }
    false
}
