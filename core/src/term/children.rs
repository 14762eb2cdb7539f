//! What a node is made of.

use super::{
    Annot, Binding, Chunk, Clause, FieldDef, FieldName, Node, NodeId, PatId, PatKind, SuperRead, Term, TypeForm,
};

impl Term {
    /// The nodes that a node is made of, those in its patterns too, in the order of evaluation as far as there is one. O(children).
    pub fn children(&self, id: NodeId) -> Vec<NodeId> {
        let mut out = Vec::new();
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
            Node::Interp(chunks) => out.extend(chunks.iter().filter_map(|chunk| match chunk {
                Chunk::Text(_) => None,
                Chunk::Expr(id) | Chunk::Indented(id, _) => Some(*id),
            })),
            Node::Variant(_, inner) | Node::Project(inner, _) => out.push(*inner),
            Node::Array(items) | Node::Merge(items) | Node::Prim(_, items) => out.extend(items.iter()),
            Node::Record(lit) => {
                lit.locals.iter().for_each(|binding| self.of_binding(binding, &mut out));
                lit.fields.iter().for_each(|field| of_field(field, &mut out));
                for (condition, message) in &lit.asserts {
                    out.push(*condition);
                    out.extend(message);
                }
            }
            Node::Super { read, .. } => match read {
                SuperRead::Field(_) => {}
                SuperRead::Index(id) | SuperRead::Has(id) => out.push(*id),
            },
            Node::Lambda(lambda) => {
                for param in &lambda.params {
                    self.of_pattern(param.pat, &mut out);
                    out.extend(param.default);
                }
                out.push(lambda.body);
            }
            Node::Apply(apply) => {
                out.push(apply.func);
                out.extend(apply.args.iter().map(|(_, arg)| *arg));
            }
            Node::Let(l) => {
                l.bindings.iter().for_each(|binding| self.of_binding(binding, &mut out));
                out.push(l.body);
            }
            Node::If(parts) => out.extend(parts.iter()),
            Node::Inherit(pair) | Node::Index(pair) => out.extend(pair.iter()),
            Node::Match(m) => {
                out.push(m.scrutinee);
                for arm in &m.arms {
                    self.of_pattern(arm.pat, &mut out);
                    out.extend(arm.guard);
                    out.push(arm.body);
                }
            }
            Node::Comprehension(c) => {
                out.extend(c.clauses.iter().map(|clause| match clause {
                    Clause::For { items, .. } => *items,
                    Clause::If(condition) => *condition,
                }));
                out.push(c.body);
            }
            Node::Annot(inner, annots) => {
                out.push(*inner);
                of_annots(annots, &mut out);
            }
            Node::Type(form) => of_type(form, &mut out),
        }
        out
    }

    fn of_binding(&self, binding: &Binding, out: &mut Vec<NodeId>) {
        self.of_pattern(binding.pat, out);
        of_annots(&binding.annots, out);
        out.push(binding.body);
    }

    fn of_pattern(&self, pat: PatId, out: &mut Vec<NodeId>) {
        let mut work = vec![pat];
        while let Some(pat) = work.pop() {
            match &self.pat(pat).kind {
                PatKind::Any | PatKind::Bind(_) | PatKind::Tag(_) => {}
                PatKind::As(_, inner) | PatKind::Variant(_, inner) => work.push(*inner),
                PatKind::Const(node) => out.push(*node),
                PatKind::Record(fields, _) => {
                    for field in fields {
                        of_annots(&field.annots, out);
                        out.extend(field.default);
                        work.push(field.pat);
                    }
                }
                PatKind::Array(pats, _) | PatKind::Or(pats) => work.extend(pats),
            }
        }
    }
}

fn of_annots(annots: &[Annot], out: &mut Vec<NodeId>) {
    out.extend(annots.iter().map(|annot| annot.ty));
}

fn of_field(field: &FieldDef, out: &mut Vec<NodeId>) {
    if let FieldName::Computed(name) = &field.name {
        out.push(*name);
    }
    of_annots(&field.meta.annots, out);
    out.extend(field.meta.merge);
    out.extend(field.meta.guard);
    out.extend(field.body);
}

fn of_type(form: &TypeForm, out: &mut Vec<NodeId>) {
    match form {
        TypeForm::Array(t) | TypeForm::Forall(_, t) | TypeForm::Dict { item: t, .. } => out.push(*t),
        TypeForm::Fun(a, b) => out.extend([*a, *b]),
        TypeForm::Record { fields, .. } => out.extend(fields.iter().map(|(_, _, t)| *t)),
        TypeForm::Enum { tags, .. } => out.extend(tags.iter().filter_map(|(_, _, t)| *t)),
        TypeForm::Dyn
        | TypeForm::Number
        | TypeForm::String
        | TypeForm::Bool
        | TypeForm::Var(_)
        | TypeForm::Wildcard => {}
    }
}
