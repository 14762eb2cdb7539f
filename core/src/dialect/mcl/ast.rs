//! The syntax tree as an outline.

use super::grammar::MclGrammar;
use super::tree::*;
use crate::dialect::ast::{AstNode, Outline, Said};
use crate::dialect::{Stop, parser};
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
pub fn ast(source: SourceId, text: &str, stop: Stop<'_>) -> Vec<AstNode> {
    let parsed = parser::cell::<MclGrammar>(source, text, stop);
    let tree = &parsed.tree;
    Outline::of(parsed.parts.iter().map(|item| ("", At::Item(item))), |at| said(tree, at))
}

fn said<'t>(tree: &'t Tree, at: At<'t>) -> Said<At<'t>> {
    match at {
        At::Item(Item::Expr(id)) => expr(tree, *id),
        At::Expr(id) => expr(tree, id),
        At::Item(Item::Stmt(id)) => stmt(tree, *id),
        At::Item(Item::Graph(statements, span)) => {
            Said::new("statements", *span).parts("statement", statements.iter().map(|id| At::Stmt(*id)))
        }
        At::Stmt(id) => stmt(tree, id),
        At::Type(id) => ty(tree, id),
        At::Param(param) => {
            Said::new("parameter", param.name.span).text(param.name.name.as_str()).parts("type", param.ty.map(At::Type))
        }
        At::Named(name, value) => {
            Said::new("field", name.span.to(tree.span(value))).text(name.name.as_str()).part("value", At::Expr(value))
        }
        At::Setting(setting) => {
            let text = match &setting.key {
                Key::Field(name) => name.to_string(),
                Key::Meta(name) => format!("Meta:{name}"),
                Key::AllMeta => String::from("Meta"),
                Key::Edge(kind) => format!("{kind:?}"),
            };
            let said =
                Said::new("setting", setting.span).text(text).parts("condition", setting.condition.map(At::Expr));
            match &setting.value {
                PartValue::Expr(id) => said.part("value", At::Expr(*id)),
                PartValue::Half(half) => said.part("other end", At::Half(half)),
            }
        }
        At::Half(half) => Said::new("end of an edge", half.span)
            .text(match &half.field {
                Some(field) => format!("{}.{}", half.kind.name, field.name),
                None => half.kind.name.to_string(),
            })
            .part("name", At::Expr(half.name)),
    }
}

fn stmt(tree: &Tree, id: StmtId) -> Said<At<'_>> {
    let said = |kind| Said::new(kind, tree.stmt_span(id));
    match tree.stmt(id) {
        Stmt::Hole => said("hole"),
        Stmt::Bind { name, ty, value } => {
            said("bind").text(name.name.as_str()).parts("type", ty.map(At::Type)).part("value", At::Expr(*value))
        }
        Stmt::If { condition, then, otherwise } => said("if")
            .part("condition", At::Expr(*condition))
            .parts("then", then.iter().map(|id| At::Stmt(*id)))
            .parts("else", otherwise.iter().flat_map(|all| all.iter()).map(|id| At::Stmt(*id))),
        Stmt::Func { name, func } => said("func")
            .text(name.name.as_str())
            .parts("parameter", func.params.iter().map(At::Param))
            .parts("type", func.result.map(At::Type))
            .part("body", At::Expr(func.body)),
        Stmt::Class(class) => said("class")
            .text(class.name.name.as_str())
            .parts("parameter", class.params.iter().map(At::Param))
            .parts("statement", class.body.iter().map(|id| At::Stmt(*id))),
        Stmt::Include { name, args, namespace } => said("include")
            .text(match namespace {
                Some(namespace) => format!("{} as {}", name.name, namespace.name),
                None => name.name.to_string(),
            })
            .parts("argument", args.iter().map(|arg| At::Expr(*arg))),
        Stmt::Import { path, namespace } => said("import").text(match namespace {
            Some(Namespace::Name(name)) => format!("{:?} as {}", path.name, name.name),
            Some(Namespace::All) => format!("{:?} as *", path.name),
            None => format!("{:?}", path.name),
        }),
        Stmt::Resource(resource) => said("resource")
            .text(resource.kind.name.as_str())
            .part("name", At::Expr(resource.name))
            .parts("setting", resource.parts.iter().map(At::Setting)),
        Stmt::Edge(halves) => said("edge").parts("end", halves.iter().map(At::Half)),
        Stmt::Panic(value) => said("panic").part("argument", At::Expr(*value)),
    }
}

fn ty(tree: &Tree, id: TypeId) -> Said<At<'_>> {
    let said = |kind| Said::new(kind, tree.type_span(id));
    match tree.ty(id) {
        Type::Hole => said("hole"),
        Type::Word(word) => said("type").text(format!("{word:?}").to_lowercase()),
        Type::List(item) => said("list type").part("item", At::Type(*item)),
        Type::Map(key, value) => said("map type").part("key", At::Type(*key)).part("value", At::Type(*value)),
        Type::Struct(fields) => said("struct type").parts("field", fields.iter().map(|(_, ty)| At::Type(*ty))),
        Type::Func(params, result) => said("func type")
            .parts("parameter", params.iter().map(|ty| At::Type(*ty)))
            .part("result", At::Type(*result)),
    }
}

fn expr(tree: &Tree, id: Id) -> Said<At<'_>> {
    let span = tree.span(id);
    let said = |kind| Said::new(kind, span);
    let all = |ids: &[Id]| ids.iter().map(|id| At::Expr(*id)).collect::<Vec<_>>();
    match tree.expr(id) {
        Expr::Hole => said("hole"),
        Expr::Cursor => said("cursor"),
        Expr::Program(statements) => said("program").parts("statement", statements.iter().map(|id| At::Stmt(*id))),
        Expr::Bool(b) => said("bool").text(b.to_string()),
        Expr::Int(n) => said("int").text(n.to_string()),
        Expr::Float(n) => said("float").text(n.to_string()),
        Expr::Str(pieces) => said("str").text(
            pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Text(text) => format!("{text:?}"),
                    Piece::Variable(name) => format!("${{{}}}", name.name),
                })
                .collect::<Vec<_>>()
                .join(" "),
        ),
        Expr::List(items) => said("list").parts("element", all(items)),
        Expr::Map(entries) => said("map").parts("part", entries.iter().flat_map(|(k, v)| [At::Expr(*k), At::Expr(*v)])),
        Expr::Struct(fields) => said("struct").parts("field", fields.iter().map(|(name, v)| At::Named(name, *v))),
        Expr::Call(name, args) => said("call").text(name.name.as_str()).parts("argument", all(args)),
        Expr::CallVariable(name, args) => {
            said("call of a variable").text(name.name.as_str()).parts("argument", all(args))
        }
        Expr::Variable(name) => said("variable").text(name.name.as_str()),
        Expr::Func(func) => said("func")
            .parts("parameter", func.params.iter().map(At::Param))
            .parts("type", func.result.map(At::Type))
            .part("body", At::Expr(func.body)),
        Expr::If(parts) => said("if")
            .part("condition", At::Expr(parts[0]))
            .part("then", At::Expr(parts[1]))
            .part("else", At::Expr(parts[2])),
        Expr::Paren(inner) => said("parentheses").part("inside", At::Expr(*inner)),
        Expr::Binary(op, a, b) => {
            said("operator").text(op.symbol()).part("left", At::Expr(*a)).part("right", At::Expr(*b))
        }
        Expr::Not(e) => said("not").part("operand", At::Expr(*e)),
        Expr::Index(of, index, default) => said("lookup")
            .part("of", At::Expr(*of))
            .part("index", At::Expr(*index))
            .parts("default", default.map(At::Expr)),
        Expr::Field(of, name, default) => {
            said("field").text(name.name.as_str()).part("of", At::Expr(*of)).parts("default", default.map(At::Expr))
        }
    }
}
