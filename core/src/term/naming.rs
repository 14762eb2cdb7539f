//! The names of local variables that are used as contracts, for messages.

use super::{Annot, Node, NodeId, Pat, PatKind, TypeForm};
use crate::text::Name;

/// Returns the local variables of a term that are used as a contract, or of which a field is, sorted by node.
/// O(nodes × log variables).
pub(super) fn contracts(nodes: &[Node], pats: &[Pat], locals: &[(NodeId, Name)]) -> Vec<(NodeId, Name)> {
    let mut named = Vec::new();
    if locals.is_empty() {
        return named;
    }
    let mut note = |mut contract: NodeId| {
        loop {
            match nodes.get(contract.0 as usize) {
                Some(Node::Project(record, _)) => contract = *record,
                Some(Node::Local { .. }) => {
                    let found = locals.binary_search_by_key(&contract, |(id, _)| *id);
                    named.extend(found.ok().and_then(|at| locals.get(at)).cloned());
                    return;
                }
                _ => return,
            }
        }
    };
    let mut all = |annots: &[Annot]| annots.iter().for_each(|annot| note(annot.ty));
    for node in nodes {
        match node {
            Node::Annot(_, annots) => all(annots),
            Node::Let(l) => l.bindings.iter().for_each(|binding| all(&binding.annots)),
            Node::Record(lit) => {
                lit.fields.iter().for_each(|field| all(&field.meta.annots));
                lit.locals.iter().for_each(|local| all(&local.annots));
            }
            _ => {}
        }
    }
    for pat in pats {
        if let PatKind::Record(fields, _) = &pat.kind {
            fields.iter().for_each(|field| all(&field.annots));
        }
    }
    for node in nodes {
        let Node::Type(form) = node else { continue };
        match &**form {
            TypeForm::Array(t) | TypeForm::Forall(_, t) | TypeForm::Dict { item: t, .. } => note(*t),
            TypeForm::Fun(a, b) => [*a, *b].into_iter().for_each(&mut note),
            TypeForm::Record { fields, .. } => fields.iter().for_each(|(_, _, t)| note(*t)),
            TypeForm::Enum { tags, .. } => tags.iter().filter_map(|(_, _, t)| *t).for_each(&mut note),
            TypeForm::Dyn
            | TypeForm::Number
            | TypeForm::String
            | TypeForm::Bool
            | TypeForm::Var(_)
            | TypeForm::Int
            | TypeForm::Float
            | TypeForm::Map(..)
            | TypeForm::Struct(_)
            | TypeForm::Func(..)
            | TypeForm::Wildcard => {}
        }
    }
    named.sort_unstable_by_key(|(id, _)| *id);
    named.dedup_by_key(|(id, _)| *id);
    named
}
