//! The nodes that stand directly in a node, with the frames between.

use super::*;

impl Term {
    /// Calls back with every node that stands directly in a node, and how many frames the node opens around it. O(children).
    pub fn inside(&self, id: NodeId, child: &mut dyn FnMut(NodeId, u32)) {
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
                annots.iter().for_each(|a| child(a.ty, 0));
            }
            Node::Apply(apply) => {
                child(apply.func, 0);
                apply.args.iter().for_each(|(_, arg)| child(*arg, 0));
            }
            Node::Lambda(lambda) => {
                for param in &lambda.params {
                    self.in_pattern(param.pat, &mut |id| child(id, 1));
                    param.default.iter().for_each(|d| child(*d, 1));
                }
                child(lambda.body, 1);
            }
            Node::Let(l) => {
                let bodies = u32::from(l.recursive);
                for binding in &l.bindings {
                    child(binding.body, bodies);
                    binding.annots.iter().for_each(|a| child(a.ty, bodies));
                    self.in_pattern(binding.pat, &mut |id| child(id, 1));
                }
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
                for field in &lit.fields {
                    if let FieldName::Computed(name) = field.name {
                        child(name, 0);
                    }
                    let meta = &field.meta;
                    field.body.iter().chain(&meta.merge).chain(&meta.guard).for_each(|e| child(*e, 1));
                    meta.annots.iter().for_each(|a| child(a.ty, 1));
                }
                for local in &lit.locals {
                    child(local.body, 1);
                    local.annots.iter().for_each(|a| child(a.ty, 1));
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
                | TypeForm::Wildcard => {}
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

    /// The nodes in a pattern: contracts and defaults.
    fn in_pattern(&self, id: PatId, child: &mut dyn FnMut(NodeId)) {
        // Patterns nest as deep as the input: an explicit stack.
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            match &self.pat(id).kind {
                PatKind::As(_, inner) | PatKind::Variant(_, inner) => work.push(*inner),
                PatKind::Record(fields, _) => {
                    for field in fields {
                        work.push(field.pat);
                        field.annots.iter().for_each(|a| child(a.ty));
                        field.default.iter().for_each(|d| child(*d));
                    }
                }
                PatKind::Array(items, _) | PatKind::Or(items) => work.extend(items),
                PatKind::Any | PatKind::Bind(_) | PatKind::Const(_) | PatKind::Tag(_) => {}
            }
        }
    }
}
