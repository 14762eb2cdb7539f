//! Detects whether a name that fills a hole makes a definition depend on itself.
//!
//! The definitions of a record, an object or a recursive `let` are grouped into strongly connected components. A name
//! closes a cycle if it occurs in the same group as its own definition. A name inside a function does not, because
//! functions may be recursive.

use crate::term::{FieldName, Groups, Node, NodeId, PatId, PatKind, Term};

/// Returns `true` if the name at a place of a term's text closes a cycle. O(term).
pub fn closes(term: &Term, start: usize, length: usize) -> bool {
    let end = start + length;
    // the expression `x.a` begins with the name `x`
    let stands = |id: &NodeId| {
        let span = term.span(*id);
        span.start as usize == start
            && span.end as usize <= end
            && matches!(term.node(*id), Node::Local { .. } | Node::Member { .. })
    };
    let Some(name) = (0..term.nodes.len() as u32).map(NodeId).find(stands) else { return false };
    let (Node::Local { up, .. } | Node::Member { up, .. }) = *term.node(name) else { return false };
    let Some((binder, inside)) = binder(term, name, up) else { return false };
    match (term.node(binder), term.node(name)) {
        (Node::Record(lit), target) => {
            let fields = lit.fields.len();
            let here = (lit.fields.iter().position(|f| f.body == Some(inside)))
                .or_else(|| lit.locals.iter().position(|l| l.body == inside).map(|at| fields + at));
            let target = match target {
                Node::Member { name, .. } => {
                    lit.fields.iter().position(|f| matches!(&f.name, FieldName::Static(n) if n == name))
                }
                Node::Local { slot, .. } => {
                    lit.locals.iter().position(|l| binds(term, l.pat, *slot)).map(|at| fields + at)
                }
                _ => None,
            };
            together(&lit.groups, here, target)
        }
        (Node::Let(l), Node::Local { slot, .. }) if l.recursive => {
            let here = l.bindings.iter().position(|b| b.body == inside);
            together(&l.groups, here, l.bindings.iter().position(|b| binds(term, b.pat, *slot)))
        }
        _ => false,
    }
}

/// Returns the node whose frame is `up` frames further out, and its direct child that contains the name. `None` if a
/// function is in between.
fn binder(term: &Term, name: NodeId, mut up: u32) -> Option<(NodeId, NodeId)> {
    let mut parents: Vec<Option<(NodeId, u32)>> = vec![None; term.nodes.len()];
    for id in (0..term.nodes.len() as u32).map(NodeId) {
        term.children_in_frames(id, &mut |child, frames| {
            if let Some(slot) = parents.get_mut(child.0 as usize) {
                *slot = Some((id, frames));
            }
        });
    }
    let mut here = name;
    loop {
        let (parent, frames) = parents.get(here.0 as usize).copied().flatten()?;
        if frames > up {
            return Some((parent, here));
        }
        if matches!(term.node(parent), Node::Lambda(_)) {
            return None;
        }
        up -= frames;
        here = parent;
    }
}

/// Returns `true` if a pattern binds a slot.
fn binds(term: &Term, pat: PatId, slot: u32) -> bool {
    let mut work = vec![pat];
    while let Some(pat) = work.pop() {
        match &term.pat(pat).kind {
            PatKind::Bind(bound) if *bound == slot => return true,
            PatKind::As(bound, _) if *bound == slot => return true,
            PatKind::As(_, inner) | PatKind::Variant(_, inner) => work.push(*inner),
            PatKind::Record(fields, _) => work.extend(fields.iter().map(|field| field.pat)),
            PatKind::Array(pats, _) | PatKind::Or(pats) => work.extend(pats),
            _ => {}
        }
    }
    false
}

/// Returns `true` if two definitions are in the same group.
fn together(groups: &Groups, here: Option<usize>, target: Option<usize>) -> bool {
    let (Some(here), Some(target)) = (here, target) else { return false };
    let (here, target) = (here as u32, target as u32);
    here == target || groups.iter().any(|group| group.contains(&here) && group.contains(&target))
}
