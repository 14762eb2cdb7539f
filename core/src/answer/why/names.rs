//! The scopes around a node of a term, and the definitions of its names.

use crate::term::{Binding, Clause, FieldName, Node, NodeId, PatId, PatKind, Prim, RecordLit, Term};
use crate::text::Name;
use rustc_hash::FxHashMap;

/// A term with the parent of each node.
pub(super) struct Scopes<'t> {
    pub term: &'t Term,
    parents: FxHashMap<NodeId, NodeId>,
}

impl<'t> Scopes<'t> {
    /// Creates the scopes of the nodes that are not under a hole.
    pub fn new(term: &'t Term, visible: &[NodeId]) -> Scopes<'t> {
        let mut parents = FxHashMap::default();
        for id in visible {
            for child in term.children(*id) {
                parents.insert(child, *id);
            }
        }
        Scopes { term, parents }
    }

    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.parents.get(&id).copied()
    }

    /// Returns the fields that contain a node, from the root.
    pub fn fields(&self, id: NodeId) -> Vec<Name> {
        let mut path = Vec::new();
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            if let Node::Record(lit) = self.term.node(parent)
                && let Some(name) = field_of(lit, at)
            {
                path.push(name.clone());
            }
            at = parent;
        }
        path.reverse();
        path
    }

    /// Returns the definition of a name and the annotations of that definition.
    pub fn meant(&self, id: NodeId) -> Vec<NodeId> {
        match self.term.node(id) {
            Node::Local { up, slot } => match self.frame(id, *up) {
                Some((owner, within)) => self.slot(owner, within, *slot),
                None => Vec::new(),
            },
            Node::Member { up, name } => self.field(id, *up, name),
            // a field of the object around, found by its name
            Node::Project(target, name) => match self.term.node(*target) {
                Node::This { up } => self.field(*target, *up, name),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Returns the definitions of a field of the record `up` frames further out: in its literal, and in the operands
    /// that the literal is combined with.
    fn field(&self, id: NodeId, up: u32, name: &Name) -> Vec<NodeId> {
        let Some((owner, _)) = self.frame(id, up) else { return Vec::new() };
        let Node::Record(lit) = self.term.node(owner) else { return Vec::new() };
        let mut out = members(lit, name);
        let mut at = owner;
        while let Some(parent) = self.parent(at) {
            match self.term.node(parent) {
                Node::Merge(operands) | Node::Prim(Prim::Plus, operands) => {
                    out.extend(operands.iter().filter(|operand| **operand != at));
                }
                Node::Inherit(pair) => out.extend(pair.iter().filter(|operand| **operand != at)),
                Node::Record(_) | Node::Annot(..) => {}
                _ => break,
            }
            at = parent;
        }
        out
    }

    /// Returns the name of a slot.
    pub fn name(&self, id: NodeId) -> Option<Name> {
        let Node::Local { up, slot } = self.term.node(id) else { return None };
        let (owner, within) = self.frame(id, *up)?;
        let at = *slot as usize;
        match self.term.node(owner) {
            Node::Lambda(l) => l.slots.get(at).cloned(),
            Node::Let(l) => l.slots.get(at).cloned(),
            Node::Match(m) => {
                m.arms.iter().find(|a| a.body == within || a.guard == Some(within))?.slots.get(at).cloned()
            }
            _ => None,
        }
    }

    /// Returns the construct whose frame is `up` frames further out, and its part that contains the node.
    fn frame(&self, id: NodeId, up: u32) -> Option<(NodeId, NodeId)> {
        let mut left = up;
        let mut at = id;
        loop {
            let parent = self.parent(at)?;
            let frames = self.frames(parent, at);
            if left < frames {
                return Some((parent, at));
            }
            left -= frames;
            at = parent;
        }
    }

    /// Returns the number of frames that a construct opens around one of its parts.
    fn frames(&self, owner: NodeId, part: NodeId) -> u32 {
        match self.term.node(owner) {
            Node::Lambda(_) => 1,
            Node::Let(l) => u32::from(l.recursive || l.body == part),
            Node::Match(m) => u32::from(m.scrutinee != part),
            Node::Record(lit) => {
                let computed = |f: &crate::term::FieldDef| matches!(f.name, FieldName::Computed(name) if name == part);
                u32::from(!lit.fields.iter().any(computed))
            }
            Node::Comprehension(c) => {
                let mut open = 0;
                for clause in &c.clauses {
                    match clause {
                        Clause::For { items, .. } if *items == part => return open,
                        Clause::If(condition) if *condition == part => return open,
                        Clause::For { .. } => open += 1,
                        Clause::If(_) => {}
                    }
                }
                open
            }
            _ => 0,
        }
    }

    fn slot(&self, owner: NodeId, within: NodeId, slot: u32) -> Vec<NodeId> {
        let of = |bindings: &[Binding]| {
            let mut out = Vec::new();
            for binding in bindings.iter().filter(|b| self.binds(b.pat, slot)) {
                out.push(binding.body);
                out.extend(binding.annots.iter().map(|a| a.ty));
            }
            out
        };
        match self.term.node(owner) {
            Node::Let(l) => of(&l.bindings),
            Node::Record(lit) => of(&lit.locals),
            Node::Match(m) if m.arms.iter().any(|a| a.body == within || a.guard == Some(within)) => vec![m.scrutinee],
            Node::Comprehension(c) => c
                .clauses
                .iter()
                .filter_map(|clause| match clause {
                    Clause::For { items, .. } => Some(*items),
                    Clause::If(_) => None,
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    fn binds(&self, pat: PatId, slot: u32) -> bool {
        let mut work = vec![pat];
        while let Some(pat) = work.pop() {
            match &self.term.pat(pat).kind {
                PatKind::Bind(s) if *s == slot => return true,
                PatKind::As(s, _) if *s == slot => return true,
                PatKind::As(_, inner) | PatKind::Variant(_, inner) => work.push(*inner),
                PatKind::Record(fields, rest) => {
                    if matches!(rest, crate::term::Rest::Bind(s) if *s == slot) {
                        return true;
                    }
                    work.extend(fields.iter().map(|f| f.pat));
                }
                PatKind::Array(pats, rest) => {
                    if matches!(rest, crate::term::Rest::Bind(s) if *s == slot) {
                        return true;
                    }
                    work.extend(pats);
                }
                PatKind::Or(pats) => work.extend(pats),
                _ => {}
            }
        }
        false
    }
}

/// Returns the field of a record literal that contains a part of it.
fn field_of(lit: &RecordLit, part: NodeId) -> Option<&Name> {
    let field = lit.fields.iter().find(|f| {
        f.body == Some(part)
            || f.meta.annots.iter().any(|a| a.ty == part)
            || f.meta.merge == Some(part)
            || f.meta.guard == Some(part)
    })?;
    match &field.name {
        FieldName::Static(name) => Some(name),
        FieldName::Computed(_) => None,
    }
}

fn members(lit: &RecordLit, name: &Name) -> Vec<NodeId> {
    let mut out = Vec::new();
    for field in &lit.fields {
        if matches!(&field.name, FieldName::Static(n) if n == name) {
            out.extend(field.body);
            out.extend(field.meta.annots.iter().map(|a| a.ty));
        }
    }
    out
}
