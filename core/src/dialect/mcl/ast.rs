//! The syntax tree as an outline.

use super::grammar::MclGrammar;
use super::tree::*;
use crate::dialect::ast::{AstNode, NodeDescription, Outline};
use crate::dialect::{Stop, parser};
use crate::term::Prim;
use crate::text::SourceId;

/// A part of the tree.
#[derive(Clone, Copy)]
enum At<'t> {
    Item(&'t Item),
    Expr(Id),
    Stmt(StmtId),
    Type(TypeId),
    Param(&'t Param),
    Named(&'t Spanned, Id),
    Setting(&'t Setting),
    Half(&'t Half),
}

/// Returns the nodes of an input, in source order. `O(length)`.
pub fn ast<const N: bool>(source: SourceId, text: &str, stop: Stop<'_>) -> Vec<AstNode> {
    let parsed = parser::cell::<MclGrammar<N>>(source, text, stop);
    let tree = &parsed.tree;
    Outline::of(parsed.parts.iter().map(|item| ("", At::Item(item))), |at| described(tree, at))
}

fn described<'t>(tree: &'t Tree, at: At<'t>) -> NodeDescription<At<'t>> {
    match at {
        At::Item(Item::Expr(id)) => expr(tree, *id),
        At::Expr(id) => expr(tree, id),
        At::Item(Item::Stmt(id)) => stmt(tree, *id),
        At::Item(Item::Graph(statements, span)) => {
            NodeDescription::new("statements", *span).parts("statement", statements.iter().map(|id| At::Stmt(*id)))
        }
        At::Stmt(id) => stmt(tree, id),
        At::Type(id) => ty(tree, id),
        At::Param(param) => NodeDescription::new("parameter", param.name.span)
            .text(param.name.name.as_str())
            .parts("type", param.ty.map(At::Type)),
        At::Named(name, value) => NodeDescription::new("field", name.span.to(tree.span(value)))
            .text(name.name.as_str())
            .part("value", At::Expr(value)),
        At::Setting(setting) => {
            let text = match &setting.key {
                Key::Field(name) => name.to_string(),
                Key::Meta(name) => format!("Meta:{name}"),
                Key::AllMeta => String::from("Meta"),
                Key::Edge(kind) => format!("{kind:?}"),
            };
            let described = NodeDescription::new("setting", setting.span)
                .text(text)
                .parts("condition", setting.condition.map(At::Expr));
            match &setting.value {
                PartValue::Expr(id) => described.part("value", At::Expr(*id)),
                PartValue::Half(half) => described.part("other end", At::Half(half)),
            }
        }
        At::Half(half) => NodeDescription::new("end of an edge", half.span)
            .text(match &half.field {
                Some(field) => format!("{}.{}", half.kind.name, field.name),
                None => half.kind.name.to_string(),
            })
            .part("name", At::Expr(half.name)),
    }
}

fn stmt(tree: &Tree, id: StmtId) -> NodeDescription<At<'_>> {
    let described = |kind| NodeDescription::new(kind, tree.stmt_span(id));
    match tree.stmt(id) {
        Stmt::Hole => described("hole"),
        Stmt::Bind { name, ty, value } => {
            described("bind").text(name.name.as_str()).parts("type", ty.map(At::Type)).part("value", At::Expr(*value))
        }
        Stmt::If { condition, then, otherwise } => described("if")
            .part("condition", At::Expr(*condition))
            .parts("then", then.iter().map(|id| At::Stmt(*id)))
            .parts("else", otherwise.iter().flat_map(|all| all.iter()).map(|id| At::Stmt(*id))),
        Stmt::For(of) => described(if of.entries { "forkv" } else { "for" })
            .parts("variable", of.names.iter().map(At::Param))
            .part("in", At::Expr(of.of))
            .parts("statement", of.body.iter().map(|id| At::Stmt(*id))),
        Stmt::Collect(resource, names) => described("collect")
            .text(resource.kind.name.as_str())
            .part("name", At::Expr(*names))
            .parts("setting", resource.parts.iter().map(At::Setting)),
        Stmt::Func { name, func } => described("func")
            .text(name.name.as_str())
            .parts("parameter", func.params.iter().map(At::Param))
            .parts("type", func.result.map(At::Type))
            .part("body", At::Expr(func.body)),
        Stmt::Class(class) => described("class")
            .text(class.name.name.as_str())
            .parts("parameter", class.params.iter().map(At::Param))
            .parts("statement", class.body.iter().map(|id| At::Stmt(*id))),
        Stmt::Include { name, args, namespace } => described("include")
            .text(match namespace {
                Some(namespace) => format!("{} as {}", name.name, namespace.name),
                None => name.name.to_string(),
            })
            .parts("argument", args.iter().map(|arg| At::Expr(*arg))),
        Stmt::Import { path, namespace } => described("import").text(match namespace {
            Some(Namespace::Name(name)) => format!("{:?} as {}", path.name, name.name),
            Some(Namespace::All) => format!("{:?} as *", path.name),
            None => format!("{:?}", path.name),
        }),
        Stmt::Resource(resource) => described("resource")
            .text(resource.kind.name.as_str())
            .part("name", At::Expr(resource.name))
            .parts("setting", resource.parts.iter().map(At::Setting)),
        Stmt::Edge(halves) => described("edge").parts("end", halves.iter().map(At::Half)),
        Stmt::Panic(value) => described("panic").part("argument", At::Expr(*value)),
    }
}

fn ty(tree: &Tree, id: TypeId) -> NodeDescription<At<'_>> {
    let described = |kind| NodeDescription::new(kind, tree.type_span(id));
    match tree.ty(id) {
        Type::Hole => described("hole"),
        Type::Word(word) => described("type").text(format!("{word:?}").to_lowercase()),
        Type::List(item) => described("list type").part("item", At::Type(*item)),
        Type::Map(key, value) => described("map type").part("key", At::Type(*key)).part("value", At::Type(*value)),
        Type::Struct(fields) => described("struct type").parts("field", fields.iter().map(|(_, ty)| At::Type(*ty))),
        Type::Func(params, result) => described("func type")
            .parts("parameter", params.iter().map(|ty| At::Type(*ty)))
            .part("result", At::Type(*result)),
    }
}

fn expr(tree: &Tree, id: Id) -> NodeDescription<At<'_>> {
    let span = tree.span(id);
    let described = |kind| NodeDescription::new(kind, span);
    let all = |ids: &[Id]| ids.iter().map(|id| At::Expr(*id)).collect::<Vec<_>>();
    match tree.expr(id) {
        Expr::Hole => described("hole"),
        Expr::Cursor => described("cursor"),
        Expr::Program(statements) => described("program").parts("statement", statements.iter().map(|id| At::Stmt(*id))),
        Expr::Bool(b) => described("bool").text(b.to_string()),
        Expr::Int(n) => described("int").text(n.to_string()),
        Expr::Float(n) => described("float").text(n.to_string()),
        Expr::Str(pieces) => described("str").text(
            pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Text(text) => format!("{text:?}"),
                    Piece::Variable(name) => format!("${{{}}}", name.name),
                })
                .collect::<Vec<_>>()
                .join(" "),
        ),
        Expr::List(items) => described("list").parts("element", all(items)),
        Expr::Map(entries) => {
            described("map").parts("part", entries.iter().flat_map(|(k, v)| [At::Expr(*k), At::Expr(*v)]))
        }
        Expr::Struct(fields) => described("struct").parts("field", fields.iter().map(|(name, v)| At::Named(name, *v))),
        Expr::Call(name, args) => described("call").text(name.name.as_str()).parts("argument", all(args)),
        Expr::Function(name) => described("name").text(name.name.as_str()),
        Expr::CallVariable(name, args) => {
            described("call of a variable").text(name.name.as_str()).parts("argument", all(args))
        }
        Expr::CallValue(func, args) => {
            described("call of a func").part("function", At::Expr(*func)).parts("argument", all(args))
        }
        Expr::Variable(name) => described("variable").text(name.name.as_str()),
        Expr::Func(func) => described("func")
            .parts("parameter", func.params.iter().map(At::Param))
            .parts("type", func.result.map(At::Type))
            .part("body", At::Expr(func.body)),
        Expr::If(parts) => described("if")
            .part("condition", At::Expr(parts[0]))
            .part("then", At::Expr(parts[1]))
            .part("else", At::Expr(parts[2])),
        Expr::Paren(inner) => described("parentheses").part("inside", At::Expr(*inner)),
        Expr::Binary(op, a, b) => {
            let symbol = if *op == Prim::Else { "<|>" } else { op.symbol() };
            described("operator").text(symbol).part("left", At::Expr(*a)).part("right", At::Expr(*b))
        }
        Expr::Not(e) => described("not").part("operand", At::Expr(*e)),
        Expr::Index(of, index, default) => described("lookup")
            .part("of", At::Expr(*of))
            .part("index", At::Expr(*index))
            .parts("default", default.map(At::Expr)),
        Expr::Field(of, name, default) => described("field")
            .text(name.name.as_str())
            .part("of", At::Expr(*of))
            .parts("default", default.map(At::Expr)),
    }
}
