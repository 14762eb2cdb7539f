//! Computes the frames that each node of a term refers to. A node that does not refer to its record's frame is not
//! affected by merging.

use crate::term::*;

/// Represents all frames from distance 63 on.
const FAR: u64 = 1 << 63;

fn bit(up: u32) -> u64 {
    if up >= 63 { FAR } else { 1 << up }
}

/// Translates a set of frames from inside a frame to outside it.
fn out(inside: u64) -> u64 {
    (inside >> 1) | (inside & FAR)
}

/// Returns for each node of a term the set of frames that it refers to. Bit `i` is the frame at distance `i` from the
/// node, bit 63 all frames beyond. One pass; O(nodes).
pub fn reach(term: &Term) -> Vec<u64> {
    let mut done = vec![0u64; term.nodes.len()];
    for (i, node) in term.nodes.iter().enumerate() {
        done[i] = of(node, &done, term);
    }
    done
}

fn pat(id: PatId, done: &[u64], term: &Term) -> u64 {
    // Patterns nest as deeply as the input, so this uses an explicit stack.
    let mut work = vec![id];
    let mut all = 0;
    while let Some(id) = work.pop() {
        let Some(p) = term.pats.get(id.0 as usize) else { continue };
        match &p.kind {
            PatKind::As(_, inner) | PatKind::Variant(_, inner) => work.push(*inner),
            PatKind::Record(fields, _) => {
                for f in fields {
                    work.push(f.pat);
                    all |= annots(&f.annots, done);
                    all |= f.default.map_or(0, |d| at(done, d));
                }
            }
            PatKind::Array(items, _) | PatKind::Or(items) => work.extend(items),
            PatKind::Any | PatKind::Bind(_) | PatKind::Const(_) | PatKind::Tag(_) => {}
        }
    }
    all
}

fn at(done: &[u64], id: NodeId) -> u64 {
    done.get(id.0 as usize).copied().unwrap_or(u64::MAX)
}

fn annots(annots: &[Annot], done: &[u64]) -> u64 {
    annots.iter().fold(0, |all, a| all | at(done, a.ty))
}

/// Returns the frames that the parts of a field definition refer to, seen from inside the record's frame.
pub fn of_field(field: &FieldDef, at: impl Fn(NodeId) -> u64) -> u64 {
    let meta = &field.meta;
    let parts = field.body.iter().chain(&meta.merge).chain(&meta.guard).copied();
    parts.chain(meta.annots.iter().map(|a| a.ty)).fold(0, |all, id| all | at(id))
}

fn of(node: &Node, done: &[u64], term: &Term) -> u64 {
    let all = |ids: &[NodeId]| ids.iter().fold(0, |all, id| all | at(done, *id));
    match node {
        Node::Hole
        | Node::Null
        | Node::Bool(_)
        | Node::Number(_)
        | Node::Str(_)
        | Node::Tag(_)
        | Node::Global(_)
        | Node::Import(_) => 0,
        Node::Interp(chunks) => chunks.iter().fold(0, |all, c| match c {
            Chunk::Text(_) => all,
            Chunk::Expr(e) | Chunk::Indented(e, _) => all | at(done, *e),
        }),
        Node::Variant(_, e) | Node::Project(e, _) => at(done, *e),
        Node::Array(ids) | Node::Merge(ids) | Node::Prim(_, ids) => all(ids),
        Node::If(ids) => all(&ids[..]),
        Node::Inherit(ids) | Node::Index(ids) => all(&ids[..]),
        Node::Local { up, .. } | Node::Member { up, .. } | Node::This { up } => bit(*up),
        Node::Super { up, read } => {
            bit(*up)
                | match read {
                    SuperRead::Field(_) => 0,
                    SuperRead::Index(e) | SuperRead::Has(e) => at(done, *e),
                }
        }
        Node::Comprehension(c) => c.clauses.iter().rev().fold(at(done, c.body), |inside, clause| match clause {
            Clause::For { items, .. } => out(inside) | at(done, *items),
            Clause::If(condition) => inside | at(done, *condition),
        }),
        Node::Annot(e, a) => at(done, *e) | annots(a, done),
        Node::Apply(apply) => apply.args.iter().fold(at(done, apply.func), |all, (_, a)| all | at(done, *a)),
        Node::Lambda(lambda) => {
            let inside = lambda.params.iter().fold(at(done, lambda.body), |all, p| {
                all | pat(p.pat, done, term) | p.default.map_or(0, |d| at(done, d))
            });
            out(inside)
        }
        Node::Let(l) => {
            let mut inside = at(done, l.body);
            let mut outside = 0;
            for b in &l.bindings {
                let body = at(done, b.body) | annots(&b.annots, done);
                inside |= pat(b.pat, done, term);
                if l.recursive {
                    inside |= body;
                } else {
                    outside |= body;
                }
            }
            out(inside) | outside
        }
        Node::Match(m) => m.arms.iter().fold(at(done, m.scrutinee), |all, arm| {
            let inside = at(done, arm.body) | arm.guard.map_or(0, |g| at(done, g)) | pat(arm.pat, done, term);
            all | out(inside)
        }),
        Node::Record(lit) => {
            let mut inside = 0;
            let mut outside = 0;
            for f in &lit.fields {
                inside |= of_field(f, |id| at(done, id));
                if let FieldName::Computed(name) = f.name {
                    outside |= at(done, name);
                }
            }
            for l in &lit.locals {
                inside |= at(done, l.body) | annots(&l.annots, done);
            }
            for (c, m) in &lit.asserts {
                inside |= at(done, *c) | m.map_or(0, |m| at(done, m));
            }
            out(inside) | outside
        }
        Node::Type(form) => match &**form {
            TypeForm::Dyn
            | TypeForm::Number
            | TypeForm::String
            | TypeForm::Bool
            | TypeForm::Var(_)
            | TypeForm::Int
            | TypeForm::Float
            | TypeForm::Wildcard => 0,
            TypeForm::Map(a, b) => at(done, *a) | at(done, *b),
            TypeForm::Struct(fields) => fields.iter().fold(0, |all, (_, _, t)| all | at(done, *t)),
            TypeForm::Func(params, result) => params.iter().fold(at(done, *result), |all, t| all | at(done, *t)),
            TypeForm::Array(t) | TypeForm::Forall(_, t) | TypeForm::Dict { item: t, .. } => at(done, *t),
            TypeForm::Fun(a, b) => at(done, *a) | at(done, *b),
            TypeForm::Record { fields, .. } => fields.iter().fold(0, |all, (_, _, t)| all | at(done, *t)),
            TypeForm::Enum { tags, .. } => tags.iter().fold(0, |all, (_, _, t)| all | t.map_or(0, |t| at(done, t))),
        },
    }
}
