//! Terms as compact text, for tests: unlike `:core`, it shows the slots of variables instead of their names.

use crate::meta::{Priority, Push, Visibility};
use crate::term::*;
use std::fmt::Write;

/// Prints a term as text: variables as `name^up`, types in angle brackets.
pub(super) fn show(term: &Term) -> String {
    let mut out = String::new();
    node(term, term.root, &mut out);
    out
}

fn list(term: &Term, ids: &[NodeId], out: &mut String) {
    for (i, id) in ids.iter().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        node(term, *id, out);
    }
}

fn number(n: &Number) -> String {
    n.to_exact().to_string()
}

fn node(term: &Term, id: NodeId, out: &mut String) {
    let _ = match term.node(id) {
        Node::Hole => write!(out, "?"),
        Node::Null => write!(out, "null"),
        Node::Bool(b) => write!(out, "{b}"),
        Node::Number(n) => write!(out, "{}", number(n)),
        Node::Str(s) => write!(out, "{s:?}"),
        Node::Interp(chunks) => {
            let _ = write!(out, "(str");
            for chunk in chunks {
                match chunk {
                    Chunk::Text(t) => drop(write!(out, " {t:?}")),
                    Chunk::Expr(e) => {
                        out.push(' ');
                        node(term, *e, out);
                    }
                    Chunk::Indented(e, n) => {
                        let _ = write!(out, " +{n} ");
                        node(term, *e, out);
                    }
                }
            }
            write!(out, ")")
        }
        Node::Tag(t) => write!(out, "'{t}"),
        Node::Variant(t, e) => {
            let _ = write!(out, "('{t} ");
            node(term, *e, out);
            write!(out, ")")
        }
        Node::Array(items) => {
            out.push('[');
            list(term, items, out);
            write!(out, "]")
        }
        Node::Record(record) => {
            out.push('{');
            for (i, f) in record.fields.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                match &f.name {
                    FieldName::Static(n) => out.push_str(n),
                    FieldName::Computed(e) => {
                        out.push_str("%(");
                        node(term, *e, out);
                        out.push(')');
                    }
                }
                meta(term, &f.meta, out);
                out.push_str(if f.plus { " +" } else { "" });
                if let Some(body) = f.body {
                    out.push_str(if f.included { " <- " } else { " = " });
                    node(term, body, out);
                }
            }
            for local in &record.locals {
                out.push_str(", local ");
                pat(term, local.pat, out);
                out.push_str(" = ");
                node(term, local.body, out);
            }
            for (condition, message) in &record.asserts {
                out.push_str(", assert ");
                node(term, *condition, out);
                if let Some(message) = message {
                    out.push_str(" : ");
                    node(term, *message, out);
                }
            }
            if record.open {
                out.push_str(", ..");
            }
            write!(out, "}}")
        }
        Node::Local { up, slot } => write!(out, "${slot}^{up}"),
        Node::Member { up, name } => write!(out, ".{name}^{up}"),
        Node::Global(n) => write!(out, "{n}"),
        Node::This { up } => write!(out, "this^{up}"),
        Node::Lambda(l) => {
            out.push_str("(fun");
            for p in &l.params {
                out.push(' ');
                pat(term, p.pat, out);
                if let Some(default) = p.default {
                    out.push('=');
                    node(term, default, out);
                }
            }
            out.push_str(" => ");
            node(term, l.body, out);
            write!(out, ")")
        }
        Node::Apply(a) => {
            out.push('(');
            node(term, a.func, out);
            for (name, arg) in &a.args {
                out.push(' ');
                if let Some(name) = name {
                    let _ = write!(out, "{name}=");
                }
                node(term, *arg, out);
            }
            write!(out, "{}", if a.tailstrict { " tailstrict)" } else { ")" })
        }
        Node::Let(l) => {
            out.push_str(if l.recursive { "(let rec" } else { "(let" });
            for (i, b) in l.bindings.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { " " });
                pat(term, b.pat, out);
                annots(term, &b.annots, out);
                push(b.push, out);
                if let Some((doc, _)) = &b.doc {
                    let _ = write!(out, " | doc {doc:?}");
                }
                out.push_str(" = ");
                node(term, b.body, out);
            }
            out.push_str(" in ");
            node(term, l.body, out);
            write!(out, ")")
        }
        Node::If(parts) => {
            out.push_str("(if ");
            list(term, &**parts, out);
            write!(out, ")")
        }
        Node::Match(m) => {
            out.push_str("(match ");
            node(term, m.scrutinee, out);
            for arm in &m.arms {
                out.push_str(" | ");
                pat(term, arm.pat, out);
                if let Some(g) = arm.guard {
                    out.push_str(" if ");
                    node(term, g, out);
                }
                out.push_str(" => ");
                node(term, arm.body, out);
            }
            write!(out, ")")
        }
        Node::Merge(items) => {
            out.push_str("(& ");
            list(term, items, out);
            write!(out, ")")
        }
        Node::Inherit(items) => {
            out.push_str("(inherit ");
            list(term, &**items, out);
            write!(out, ")")
        }
        Node::Super { up, read } => {
            let _ = write!(out, "super^{up}");
            match read {
                SuperRead::Field(name) => write!(out, ".{name}"),
                SuperRead::Index(e) => {
                    out.push_str(".(");
                    node(term, *e, out);
                    write!(out, ")")
                }
                SuperRead::Has(e) => {
                    out.push_str(" has ");
                    node(term, *e, out);
                    Ok(())
                }
            }
        }
        Node::Comprehension(c) => {
            out.push_str(if c.object { "{for" } else { "[for" });
            for clause in &c.clauses {
                match clause {
                    Clause::For { name, items, .. } => {
                        let _ = write!(out, " {name} in ");
                        node(term, *items, out);
                    }
                    Clause::If(condition) => {
                        out.push_str(" if ");
                        node(term, *condition, out);
                    }
                }
            }
            out.push_str(" => ");
            node(term, c.body, out);
            write!(out, "{}", if c.object { "}" } else { "]" })
        }
        Node::Project(e, name) => {
            node(term, *e, out);
            write!(out, ".{name}")
        }
        Node::Index(parts) => {
            node(term, parts[0], out);
            out.push_str(".(");
            node(term, parts[1], out);
            write!(out, ")")
        }
        Node::Annot(e, a) => {
            out.push('(');
            node(term, *e, out);
            annots(term, a, out);
            write!(out, ")")
        }
        Node::Prim(p, items) => {
            let _ = write!(out, "({p:?} ");
            list(term, items, out);
            write!(out, ")")
        }
        Node::Import(i) => write!(out, "(import {:?} {:?})", i.path, i.kind),
        Node::Type(form) => {
            out.push('<');
            ty(term, form, out);
            write!(out, ">")
        }
    };
}

fn ty(term: &Term, form: &TypeForm, out: &mut String) {
    let tail = |tail: &RowTail| match tail {
        RowTail::Closed => String::new(),
        RowTail::Var(v) => format!("; {}", term.ty_vars[v.0 as usize].0),
        RowTail::Dyn => String::from("; Dyn"),
    };
    let _ = match form {
        TypeForm::Dyn => write!(out, "Dyn"),
        TypeForm::Number => write!(out, "Number"),
        TypeForm::String => write!(out, "String"),
        TypeForm::Bool => write!(out, "Bool"),
        TypeForm::Wildcard => write!(out, "_"),
        TypeForm::Int => write!(out, "int"),
        TypeForm::Float => write!(out, "float"),
        TypeForm::Map(k, v) => {
            out.push_str("map ");
            list(term, &[*k, *v], out);
            Ok(())
        }
        TypeForm::Struct(fields) => {
            let parts: Vec<NodeId> = fields.iter().map(|(_, _, t)| *t).collect();
            out.push_str("struct ");
            list(term, &parts, out);
            Ok(())
        }
        TypeForm::Func(params, result) => {
            let parts: Vec<NodeId> = params.iter().chain([result]).copied().collect();
            out.push_str("func ");
            list(term, &parts, out);
            Ok(())
        }
        TypeForm::Array(t) => {
            out.push_str("Array ");
            node(term, *t, out);
            Ok(())
        }
        TypeForm::Fun(a, b) => {
            node(term, *a, out);
            out.push_str(" -> ");
            node(term, *b, out);
            Ok(())
        }
        TypeForm::Dict { item, contract } => {
            out.push_str(if *contract { "_ | " } else { "_ : " });
            node(term, *item, out);
            Ok(())
        }
        TypeForm::Record { fields, tail: t, .. } => {
            out.push('{');
            for (i, (name, _, ty)) in fields.iter().enumerate() {
                let _ = write!(out, "{}{name} : ", if i > 0 { ", " } else { "" });
                node(term, *ty, out);
            }
            write!(out, "{}}}", tail(t))
        }
        TypeForm::Enum { tags, tail: t } => {
            for (name, _, ty) in tags {
                let _ = write!(out, "'{name} ");
                if let Some(ty) = ty {
                    node(term, *ty, out);
                }
            }
            write!(out, "{}", tail(t))
        }
        TypeForm::Forall(vars, body) => {
            for v in vars {
                let _ = write!(out, "∀{} ", term.ty_vars[v.0 as usize].0);
            }
            node(term, *body, out);
            Ok(())
        }
        TypeForm::Var(v) => write!(out, "{}", term.ty_vars[v.0 as usize].0),
    };
}

fn annots(term: &Term, list: &[Annot], out: &mut String) {
    for a in list {
        out.push_str(if a.kind == AnnotKind::Type { " : " } else { " | " });
        node(term, a.ty, out);
    }
}

fn push(p: Option<Push>, out: &mut String) {
    match p {
        Some(Push::Default) => out.push_str(" | default rec"),
        Some(Push::Force) => out.push_str(" | force rec"),
        Some(Push::Layer(layer)) => drop(write!(out, " | layer {layer}")),
        None => {}
    }
}

fn meta(term: &Term, m: &FieldMeta, out: &mut String) {
    annots(term, &m.annots, out);
    match &m.priority.priority {
        Priority::Normal | Priority::Layer(_) => {}
        Priority::Default => out.push_str(" | default"),
        Priority::Force => out.push_str(" | force"),
        Priority::Number(n) => drop(write!(out, " | priority {}", number(n))),
    }
    push(m.push, out);
    if let Some((doc, _)) = &m.doc {
        let _ = write!(out, " | doc {doc:?}");
    }
    for (set, word) in [(m.optional, "optional"), (m.not_exported, "not_exported"), (m.secret, "secret")] {
        if set {
            let _ = write!(out, " | {word}");
        }
    }
    out.push_str(match m.visibility {
        Visibility::Inherit => "",
        Visibility::Hidden => " ::",
        Visibility::Forced => " :::",
    });
    for (id, word) in [(m.merge, "merge"), (m.guard, "when")] {
        if let Some(id) = id {
            let _ = write!(out, " | {word} ");
            node(term, id, out);
        }
    }
}

fn pat(term: &Term, id: PatId, out: &mut String) {
    let rest = |r: &Rest| match r {
        Rest::Closed => String::new(),
        Rest::Open => String::from(" .."),
        Rest::Bind(s) => format!(" ..${s}"),
    };
    let _ = match &term.pat(id).kind {
        PatKind::Any => write!(out, "_"),
        PatKind::Bind(s) => write!(out, "${s}"),
        PatKind::As(s, p) => {
            let _ = write!(out, "${s}@");
            pat(term, *p, out);
            Ok(())
        }
        PatKind::Const(n) => {
            node(term, *n, out);
            Ok(())
        }
        PatKind::Tag(t) => write!(out, "'{t}"),
        PatKind::Variant(t, p) => {
            let _ = write!(out, "('{t} ");
            pat(term, *p, out);
            write!(out, ")")
        }
        PatKind::Record(fields, r) => {
            out.push('{');
            for (i, f) in fields.iter().enumerate() {
                let _ = write!(out, "{}{}=", if i > 0 { " " } else { "" }, f.name);
                pat(term, f.pat, out);
                annots(term, &f.annots, out);
                if let Some(d) = f.default {
                    out.push('?');
                    node(term, d, out);
                }
            }
            write!(out, "{}}}", rest(r))
        }
        PatKind::Array(items, r) => {
            out.push('[');
            for (i, p) in items.iter().enumerate() {
                if i > 0 {
                    out.push(' ');
                }
                pat(term, *p, out);
            }
            write!(out, "{}]", rest(r))
        }
        PatKind::Or(items) => {
            for (i, p) in items.iter().enumerate() {
                if i > 0 {
                    out.push_str(" or ");
                }
                pat(term, *p, out);
            }
            Ok(())
        }
    };
}
