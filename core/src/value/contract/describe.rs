//! Descriptions of contracts for messages.

use crate::term::{FieldMark, Node, NodeId, RowTail, Term, TyVarId, TypeForm};
use crate::text::Name;

/// Maximum length in bytes; longer types are abbreviated.
const LENGTH: usize = 120;

/// Returns the name of a contract for messages. Types are spelled out; `Port` and `std.number.Nat` keep their names;
/// any other contract has an empty name. O(length of the name).
pub fn describe(term: &Term, node: NodeId) -> Name {
    let mut out = String::new();
    write(term, node, &mut out, false, 0);
    Name::from(out)
}

fn variable(term: &Term, var: TyVarId) -> &str {
    term.ty_vars.get(var.0 as usize).map_or("_", |(name, _)| name)
}

fn write(term: &Term, node: NodeId, out: &mut String, atom: bool, depth: u32) {
    if out.len() > LENGTH || depth > 12 {
        out.push('…');
        return;
    }
    let depth = depth + 1;
    let form = match term.node(node) {
        Node::Type(form) => form,
        // what follows a `%` is not for readers
        Node::Global(name) => return out.push_str(name.split('%').next().unwrap_or_default()),
        Node::Local { .. } if term.contract_name(node).is_some() => {
            return out.push_str(term.contract_name(node).map_or("_", Name::as_str));
        }
        Node::Member { name, .. } => return out.push_str(name),
        Node::Project(record, name) => {
            let before = out.len();
            write(term, *record, out, true, depth);
            if out.len() > before {
                out.push('.');
            }
            return out.push_str(name);
        }
        Node::Record(_) => {
            if depth > 1 {
                out.push_str("{ … }");
            }
            return;
        }
        _ => {
            if depth > 1 {
                out.push('_');
            }
            return;
        }
    };
    let parenthesised = atom && matches!(**form, TypeForm::Array(_) | TypeForm::Fun(..) | TypeForm::Forall(..));
    if parenthesised {
        out.push('(');
    }
    match &**form {
        TypeForm::Dyn => out.push_str("Dyn"),
        TypeForm::Number => out.push_str("Number"),
        TypeForm::String => out.push_str("String"),
        TypeForm::Bool => out.push_str("Bool"),
        TypeForm::Wildcard => out.push('_'),
        TypeForm::Int => out.push_str("int"),
        TypeForm::Float => out.push_str("float"),
        TypeForm::Map(..) => out.push_str("map"),
        TypeForm::Struct(_) => out.push_str("struct"),
        TypeForm::Func(..) => out.push_str("func"),
        TypeForm::Var(var) => out.push_str(variable(term, *var)),
        TypeForm::Array(item) => {
            out.push_str("Array ");
            write(term, *item, out, true, depth);
        }
        TypeForm::Fun(a, b) => {
            let nested =
                matches!(term.node(*a), Node::Type(f) if matches!(**f, TypeForm::Fun(..) | TypeForm::Forall(..)));
            if nested {
                out.push('(');
            }
            write(term, *a, out, false, depth);
            if nested {
                out.push(')');
            }
            out.push_str(" -> ");
            write(term, *b, out, false, depth);
        }
        TypeForm::Dict { item, contract } => {
            out.push_str(if *contract { "{ _ | " } else { "{ _ : " });
            write(term, *item, out, false, depth);
            out.push_str(" }");
        }
        TypeForm::Record { fields, marks, tail } => {
            out.push_str("{ ");
            for (i, (name, _, ty)) in fields.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                out.push_str(name);
                match marks.iter().find(|(n, _)| n == name) {
                    Some((_, FieldMark::Optional)) => out.push('?'),
                    Some((_, FieldMark::Declared)) => out.push('!'),
                    None => {}
                }
                out.push_str(" : ");
                write(term, *ty, out, false, depth);
            }
            match tail {
                RowTail::Closed => {}
                RowTail::Var(var) => {
                    out.push_str("; ");
                    out.push_str(variable(term, *var));
                }
                RowTail::Dyn => out.push_str(if fields.is_empty() { ".." } else { ", .." }),
            }
            out.push_str(" }");
        }
        TypeForm::Enum { tags, tail } => {
            out.push_str("[| ");
            for (i, (tag, _, argument)) in tags.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                out.push('\'');
                out.push_str(tag);
                if let Some(argument) = argument {
                    out.push(' ');
                    write(term, *argument, out, true, depth);
                }
            }
            match tail {
                RowTail::Closed => {}
                RowTail::Var(var) => {
                    out.push_str("; ");
                    out.push_str(variable(term, *var));
                }
                RowTail::Dyn => out.push_str(", .."),
            }
            out.push_str(" |]");
        }
        TypeForm::Forall(vars, body) => {
            out.push_str("forall");
            for var in vars {
                out.push(' ');
                out.push_str(variable(term, *var));
            }
            out.push_str(". ");
            write(term, *body, out, false, depth);
        }
    }
    if parenthesised {
        out.push(')');
    }
}
