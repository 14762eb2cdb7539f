//! The direct children of a node.

use super::{Annot, Binding, Chunk, Clause, FieldName, Node, NodeId, PatId, PatKind, SuperRead, Term, TypeForm};

impl Term {
    /// Returns the children of a node, those in its patterns too, in the order of evaluation if there is one. O(children).
    pub fn children(&self, id: NodeId) -> Vec<NodeId> {
        let mut out = Vec::new();
        self.children_in_frames(id, &mut |child, _| out.push(child));
        out
    }

    /// Calls `child` with each child of a node, in the order of [`Term::children`], and with the number of frames that the node
    /// opens around it. O(children).
    pub fn children_in_frames(&self, id: NodeId, child: &mut dyn FnMut(NodeId, u32)) {
        match self.node(id) {
            Node::Hole
            | Node::Null
            | Node::Bool(_)
            | Node::Number(_)
            | Node::Str(_)
            | Node::Tag(_)
            | Node::Local { .. }
            | Node::Member { .. }
            | Node::Global(_)
            | Node::This { .. }
            | Node::Import(_) => {}
            Node::Interp(chunks) => chunks.iter().for_each(|chunk| match chunk {
                Chunk::Text(_) => {}
                Chunk::Expr(e) | Chunk::Indented(e, _) => child(*e, 0),
            }),
            Node::Variant(_, e) | Node::Project(e, _) => child(*e, 0),
            Node::Array(ids) | Node::Merge(ids) | Node::Prim(_, ids) => ids.iter().for_each(|e| child(*e, 0)),
            Node::If(ids) => ids.iter().for_each(|e| child(*e, 0)),
            Node::Inherit(ids) | Node::Index(ids) => ids.iter().for_each(|e| child(*e, 0)),
            Node::Super { read, .. } => match read {
                SuperRead::Field(_) => {}
                SuperRead::Index(e) | SuperRead::Has(e) => child(*e, 0),
            },
            Node::Comprehension(c) => {
                let mut frames = 0;
                for clause in &c.clauses {
                    match clause {
                        Clause::For { items, .. } => {
                            child(*items, frames);
                            frames += 1;
                        }
                        Clause::If(condition) => child(*condition, frames),
                    }
                }
                child(c.body, frames);
            }
            Node::Annot(e, annots) => {
                child(*e, 0);
                in_annots(annots, 0, child);
            }
            Node::Apply(apply) => {
                child(apply.func, 0);
                apply.args.iter().for_each(|(_, arg)| child(*arg, 0));
            }
            Node::Lambda(lambda) => {
                for param in &lambda.params {
                    param.ty.iter().for_each(|t| child(*t, 0));
                    self.in_pattern(param.pat, &mut |id| child(id, 1));
                    param.default.iter().for_each(|d| child(*d, 1));
                }
                child(lambda.body, 1);
            }
            Node::Let(l) => {
                let bodies = u32::from(l.recursive);
                l.bindings.iter().for_each(|binding| self.in_binding(binding, bodies, child));
                child(l.body, 1);
            }
            Node::Match(m) => {
                child(m.scrutinee, 0);
                for arm in &m.arms {
                    self.in_pattern(arm.pat, &mut |id| child(id, 1));
                    arm.guard.iter().for_each(|g| child(*g, 1));
                    child(arm.body, 1);
                }
            }
            Node::Record(lit) => {
                lit.locals.iter().for_each(|local| self.in_binding(local, 1, child));
                lit.extra.iter().for_each(|extra| child(*extra, 0));
                for field in &lit.fields {
                    if let FieldName::Computed(name) = field.name {
                        child(name, 0);
                    }
                    let meta = &field.meta;
                    in_annots(&meta.annots, 1, child);
                    meta.merge.iter().chain(&meta.guard).chain(&field.body).for_each(|e| child(*e, 1));
                }
                for (condition, message) in &lit.asserts {
                    child(*condition, 1);
                    message.iter().for_each(|m| child(*m, 1));
                }
            }
            Node::Type(form) => match &**form {
                TypeForm::Dyn
                | TypeForm::Number
                | TypeForm::String
                | TypeForm::Bool
                | TypeForm::Var(_)
                | TypeForm::Int
                | TypeForm::Float
                | TypeForm::Wildcard => {}
                TypeForm::Map(a, b) => {
                    child(*a, 0);
                    child(*b, 0);
                }
                TypeForm::Struct(fields) => fields.iter().for_each(|(_, _, t)| child(*t, 0)),
                TypeForm::Func(params, result) => params.iter().chain([result]).for_each(|t| child(*t, 0)),
                TypeForm::Array(t) | TypeForm::Forall(_, t) | TypeForm::Dict { item: t, .. } => child(*t, 0),
                TypeForm::Fun(a, b) => {
                    child(*a, 0);
                    child(*b, 0);
                }
                TypeForm::Record { fields, .. } => fields.iter().for_each(|(_, _, t)| child(*t, 0)),
                TypeForm::Enum { tags, .. } => tags.iter().filter_map(|(_, _, t)| *t).for_each(|t| child(t, 0)),
            },
        }
    }

    /// Visits the nodes of a binding. Its body and annotations are inside `frames` frames, its pattern is inside one.
    fn in_binding(&self, binding: &Binding, frames: u32, child: &mut dyn FnMut(NodeId, u32)) {
        self.in_pattern(binding.pat, &mut |id| child(id, 1));
        in_annots(&binding.annots, frames, child);
        child(binding.body, frames);
    }

    /// Visits the nodes in a pattern: constants, contracts and defaults.
    fn in_pattern(&self, pat: PatId, child: &mut dyn FnMut(NodeId)) {
        // patterns may be nested too deeply for recursion
        let mut work = vec![pat];
        while let Some(pat) = work.pop() {
            match &self.pat(pat).kind {
                PatKind::Any | PatKind::Bind(_) | PatKind::Tag(_) => {}
                PatKind::As(_, inner) | PatKind::Variant(_, inner) => work.push(*inner),
                PatKind::Const(node) => child(*node),
                PatKind::Record(fields, _) => {
                    for field in fields {
                        field.annots.iter().for_each(|a| child(a.ty));
                        field.default.iter().for_each(|d| child(*d));
                        work.push(field.pat);
                    }
                }
                PatKind::Array(pats, _) | PatKind::Or(pats) => work.extend(pats),
            }
        }
    }
}

fn in_annots(annots: &[Annot], frames: u32, child: &mut dyn FnMut(NodeId, u32)) {
    annots.iter().for_each(|annot| child(annot.ty, frames));
}
