//! The syntax tree as an outline.

use super::grammar::MclGrammar;
use super::tree::*;
use crate::dialect::ast::{AstNode, NodeDescription, Outline};
use crate::dialect::{Stop, parser};
use crate::term::Prim;
use crate::text::SourceId;

/// A part of the tree.
#[derive(Clone, Copy)]
enum TreePart<'t> {
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
    Outline::of(parsed.parts.iter().map(|item| ("", TreePart::Item(item))), |at| described(tree, at))
}

fn described<'t>(tree: &'t Tree, at: TreePart<'t>) -> NodeDescription<TreePart<'t>> {
    match at {
        TreePart::Item(Item::Expr(id)) => expr(tree, *id),
        TreePart::Expr(id) => expr(tree, id),
        TreePart::Item(Item::Stmt(id)) => stmt(tree, *id),
        TreePart::Item(Item::Graph(statements, span)) => NodeDescription::new("statements", *span)
            .parts("statement", statements.iter().map(|id| TreePart::Stmt(*id))),
        TreePart::Stmt(id) => stmt(tree, id),
        TreePart::Type(id) => ty(tree, id),
        TreePart::Param(param) => NodeDescription::new("parameter", param.name.span)
            .text(param.name.name.as_str())
            .parts("type", param.ty.map(TreePart::Type)),
        TreePart::Named(name, value) => NodeDescription::new("field", name.span.to(tree.span(value)))
            .text(name.name.as_str())
            .part("value", TreePart::Expr(value)),
        TreePart::Setting(setting) => {
            let text = match &setting.key {
                Key::Field(name) => name.to_string(),
                Key::Meta(name) => format!("Meta:{name}"),
                Key::AllMeta => String::from("Meta"),
                Key::Edge(kind) => format!("{kind:?}"),
            };
            let described = NodeDescription::new("setting", setting.span)
                .text(text)
                .parts("condition", setting.condition.map(TreePart::Expr));
            match &setting.value {
                PartValue::Expr(id) => described.part("value", TreePart::Expr(*id)),
                PartValue::Half(half) => described.part("other end", TreePart::Half(half)),
            }
        }
        TreePart::Half(half) => NodeDescription::new("end of an edge", half.span)
            .text(match &half.field {
                Some(field) => format!("{}.{}", half.kind.name, field.name),
                None => half.kind.name.to_string(),
            })
            .part("name", TreePart::Expr(half.name)),
    }
}

fn stmt(tree: &Tree, id: StmtId) -> NodeDescription<TreePart<'_>> {
    let described = |kind| NodeDescription::new(kind, tree.stmt_span(id));
    match tree.stmt(id) {
        Stmt::Hole => described("hole"),
        Stmt::Bind { name, ty, value } => described("bind")
            .text(name.name.as_str())
            .parts("type", ty.map(TreePart::Type))
            .part("value", TreePart::Expr(*value)),
        Stmt::If { condition, then, otherwise } => described("if")
            .part("condition", TreePart::Expr(*condition))
            .parts("then", then.iter().map(|id| TreePart::Stmt(*id)))
            .parts("else", otherwise.iter().flat_map(|all| all.iter()).map(|id| TreePart::Stmt(*id))),
        Stmt::For(of) => described(if of.entries { "forkv" } else { "for" })
            .parts("variable", of.names.iter().map(TreePart::Param))
            .part("in", TreePart::Expr(of.of))
            .parts("statement", of.body.iter().map(|id| TreePart::Stmt(*id))),
        Stmt::Collect(resource, names) => described("collect")
            .text(resource.kind.name.as_str())
            .part("name", TreePart::Expr(*names))
            .parts("setting", resource.parts.iter().map(TreePart::Setting)),
        Stmt::Func { name, func } => described("func")
            .text(name.name.as_str())
            .parts("parameter", func.params.iter().map(TreePart::Param))
            .parts("type", func.result.map(TreePart::Type))
            .part("body", TreePart::Expr(func.body)),
        Stmt::Class(class) => described("class")
            .text(class.name.name.as_str())
            .parts("parameter", class.params.iter().map(TreePart::Param))
            .parts("statement", class.body.iter().map(|id| TreePart::Stmt(*id))),
        Stmt::Include { name, args, namespace } => described("include")
            .text(match namespace {
                Some(namespace) => format!("{} as {}", name.name, namespace.name),
                None => name.name.to_string(),
            })
            .parts("argument", args.iter().map(|arg| TreePart::Expr(*arg))),
        Stmt::Import { path, namespace } => described("import").text(match namespace {
            Some(Namespace::Name(name)) => format!("{:?} as {}", path.name, name.name),
            Some(Namespace::All) => format!("{:?} as *", path.name),
            None => format!("{:?}", path.name),
        }),
        Stmt::Resource(resource) => described("resource")
            .text(resource.kind.name.as_str())
            .part("name", TreePart::Expr(resource.name))
            .parts("setting", resource.parts.iter().map(TreePart::Setting)),
        Stmt::Edge(halves) => described("edge").parts("end", halves.iter().map(TreePart::Half)),
        Stmt::Panic(value) => described("panic").part("argument", TreePart::Expr(*value)),
    }
}

fn ty(tree: &Tree, id: TypeId) -> NodeDescription<TreePart<'_>> {
    let described = |kind| NodeDescription::new(kind, tree.type_span(id));
    match tree.ty(id) {
        Type::Hole => described("hole"),
        Type::Word(word) => described("type").text(format!("{word:?}").to_lowercase()),
        Type::List(item) => described("list type").part("item", TreePart::Type(*item)),
        Type::Map(key, value) => {
            described("map type").part("key", TreePart::Type(*key)).part("value", TreePart::Type(*value))
        }
        Type::Struct(fields) => {
            described("struct type").parts("field", fields.iter().map(|(_, ty)| TreePart::Type(*ty)))
        }
        Type::Func(params, result) => described("func type")
            .parts("parameter", params.iter().map(|ty| TreePart::Type(*ty)))
            .part("result", TreePart::Type(*result)),
    }
}

fn expr(tree: &Tree, id: Id) -> NodeDescription<TreePart<'_>> {
    let span = tree.span(id);
    let described = |kind| NodeDescription::new(kind, span);
    let all = |ids: &[Id]| ids.iter().map(|id| TreePart::Expr(*id)).collect::<Vec<_>>();
    match tree.expr(id) {
        Expr::Hole => described("hole"),
        Expr::Cursor => described("cursor"),
        Expr::Program(statements) => {
            described("program").parts("statement", statements.iter().map(|id| TreePart::Stmt(*id)))
        }
        Expr::Bool(b) => described("bool").text(b.to_string()),
        Expr::Int(n) => described("int").text(n.to_string()),
        Expr::Float(n) => described("float").text(n.to_string()),
        Expr::Str(pieces, _) => described("str").text(
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
            described("map").parts("part", entries.iter().flat_map(|(k, v)| [TreePart::Expr(*k), TreePart::Expr(*v)]))
        }
        Expr::Struct(fields) => {
            described("struct").parts("field", fields.iter().map(|(name, v)| TreePart::Named(name, *v)))
        }
        Expr::Call(name, args) => described("call").text(name.name.as_str()).parts("argument", all(args)),
        Expr::Function(name) => described("name").text(name.name.as_str()),
        Expr::CallVariable(name, args) => {
            described("call of a variable").text(name.name.as_str()).parts("argument", all(args))
        }
        Expr::CallValue(func, args) => {
            described("call of a func").part("function", TreePart::Expr(*func)).parts("argument", all(args))
        }
        Expr::Variable(name) => described("variable").text(name.name.as_str()),
        Expr::Func(func) => described("func")
            .parts("parameter", func.params.iter().map(TreePart::Param))
            .parts("type", func.result.map(TreePart::Type))
            .part("body", TreePart::Expr(func.body)),
        Expr::If(parts) => described("if")
            .part("condition", TreePart::Expr(parts[0]))
            .part("then", TreePart::Expr(parts[1]))
            .part("else", TreePart::Expr(parts[2])),
        Expr::Paren(inner) => described("parentheses").part("inside", TreePart::Expr(*inner)),
        Expr::Binary(op, a, b) => {
            let symbol = if *op == Prim::Else { "<|>" } else { op.symbol() };
            described("operator").text(symbol).part("left", TreePart::Expr(*a)).part("right", TreePart::Expr(*b))
        }
        Expr::Not(e) => described("not").part("operand", TreePart::Expr(*e)),
        Expr::Index(of, index, default) => described("lookup")
            .part("of", TreePart::Expr(*of))
            .part("index", TreePart::Expr(*index))
            .parts("default", default.map(TreePart::Expr)),
        Expr::Field(of, name, default) => described("field")
            .text(name.name.as_str())
            .part("of", TreePart::Expr(*of))
            .parts("default", default.map(TreePart::Expr)),
    }
}
