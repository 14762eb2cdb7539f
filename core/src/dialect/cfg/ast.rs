//! The syntax tree as an outline.

use super::grammar::Cfg;
use super::tree::*;
use crate::dialect::ast::{AstNode, NodeDescription, Outline};
use crate::dialect::{Stop, parser};
use crate::text::{SourceId, Span};

/// A part of the tree.
#[derive(Clone, Copy)]
enum TreePart<'t> {
    Expr(Id),
    Pattern(PId),
    Field(&'t Field),
    Meta(&'t Meta),
    Binding(&'t Binding),
    Arm(&'t Arm),
    FieldPattern(&'t FieldPattern),
    Row(&'t EnumRow),
    Name(&'t Spanned),
    Text(&'t str, Span),
}

/// Returns the nodes of an expression, in source order. `O(length)`.
pub fn ast(source: SourceId, text: &str, stop: Stop<'_>) -> Vec<AstNode> {
    let parsed = parser::program::<Cfg>(source, text, stop);
    let tree = &parsed.tree;
    Outline::of([("", TreePart::Expr(parsed.parts))], |at| described(tree, at))
}

fn described<'t>(tree: &'t Tree, at: TreePart<'t>) -> NodeDescription<TreePart<'t>> {
    match at {
        TreePart::Expr(id) => expr(tree, id),
        TreePart::Pattern(id) => pattern(tree, id),
        TreePart::Name(name) => NodeDescription::new("name", name.span).text(name.name.as_str()),
        TreePart::Text(text, span) => NodeDescription::new("text", span).text(format!("{text:?}")),
        TreePart::Field(field) => {
            let path = field.path.iter().map(|part| match part {
                PathPart::Name(name) => TreePart::Name(name),
                PathPart::Dynamic(id) => TreePart::Expr(*id),
            });
            let kind = if field.include { "include" } else { "field" };
            NodeDescription::new(kind, field.span)
                .parts("path", path)
                .parts("annotation", field.metas.iter().map(TreePart::Meta))
                .parts("value", field.value.map(TreePart::Expr))
        }
        TreePart::Binding(b) => NodeDescription::new("binding", b.span)
            .part("pattern", TreePart::Pattern(b.pattern))
            .parts("annotation", b.metas.iter().map(TreePart::Meta))
            .part("value", TreePart::Expr(b.value)),
        TreePart::Meta(meta) => {
            let described = |kind| NodeDescription::new(kind, meta.span);
            match &meta.kind {
                MetaKind::Type(ty) => described("type annotation").part("type", TreePart::Expr(*ty)),
                MetaKind::Contract(ty) => described("contract annotation").part("contract", TreePart::Expr(*ty)),
                MetaKind::Doc(text) => described("doc").text(format!("{text:?}")),
                MetaKind::Default => described("default"),
                MetaKind::Force => described("force"),
                MetaKind::Priority(n) => described("priority").text(n.to_string()),
                MetaKind::Push(_) => described("priority for the leaves"),
                MetaKind::Optional => described("optional"),
                MetaKind::NotExported => described("not_exported"),
            }
        }
        TreePart::Arm(arm) => NodeDescription::new("arm", tree.pattern_span(arm.pattern).to(tree.span(arm.body)))
            .part("pattern", TreePart::Pattern(arm.pattern))
            .parts("guard", arm.guard.map(TreePart::Expr))
            .part("body", TreePart::Expr(arm.body)),
        TreePart::FieldPattern(f) => NodeDescription::new("field", f.name.span)
            .text(f.name.name.as_str())
            .parts("annotation", f.metas.iter().map(TreePart::Meta))
            .parts("default", f.default.map(TreePart::Expr))
            .part("pattern", TreePart::Pattern(f.pattern)),
        TreePart::Row(row) => NodeDescription::new("tag", row.tag.span)
            .text(row.tag.name.as_str())
            .parts("type", row.ty.map(TreePart::Expr)),
    }
}

fn expr(tree: &Tree, id: Id) -> NodeDescription<TreePart<'_>> {
    let span = tree.span(id);
    let described = |kind| NodeDescription::new(kind, span);
    let pair = |kind, a: Id, b: Id| {
        NodeDescription::new(kind, span).part("left", TreePart::Expr(a)).part("right", TreePart::Expr(b))
    };
    match tree.expr(id) {
        Expr::Hole => described("hole"),
        Expr::Cursor => described("cursor"),
        Expr::Null => described("null"),
        Expr::Bool(b) => described("bool").text(b.to_string()),
        Expr::Number(n) => described("number").text(n.to_string()),
        Expr::Str(s) => described("string").text(format!("{s:?}")),
        Expr::Interp(chunks) => described("interpolation").parts("part", chunks.iter().map(|c| chunk(c, span))),
        Expr::Symbolic(prefix, chunks) => {
            described("symbolic string").text(prefix.as_str()).parts("part", chunks.iter().map(|c| chunk(c, span)))
        }
        Expr::Tag(tag) => described("tag").text(format!("'{tag}")),
        Expr::Array(items) => described("array").parts("element", items.iter().map(|i| TreePart::Expr(*i))),
        Expr::Record(record) => {
            let tail = record.tail.iter().map(TreePart::Name);
            described(if record.open { "open record" } else { "record" })
                .parts("field", record.fields.iter().map(TreePart::Field))
                .parts("tail", tail)
        }
        Expr::Name(name) => described("name").text(name.as_str()),
        Expr::Dot(inner, name) => described("field access").text(name.name.as_str()).part("of", TreePart::Expr(*inner)),
        Expr::DotDynamic(inner, name) => {
            described("computed access").part("of", TreePart::Expr(*inner)).part("name", TreePart::Expr(*name))
        }
        Expr::Apply(f, args) => described("application")
            .part("function", TreePart::Expr(*f))
            .parts("argument", args.iter().map(|a| TreePart::Expr(*a))),
        Expr::Unary(op, inner) => described("unary").text(symbol(*op)).part("operand", TreePart::Expr(*inner)),
        Expr::Binary(op, a, b) => pair("binary", *a, *b).text(symbol(*op)),
        Expr::Operator(op) => described("operator").text(symbol(*op)),
        Expr::Paren(inner) => described("parentheses").part("inside", TreePart::Expr(*inner)),
        Expr::Let(l) => described(if l.recursive { "let rec" } else { "let" })
            .parts("binding", l.bindings.iter().map(TreePart::Binding))
            .part("body", TreePart::Expr(l.body)),
        Expr::Fun(params, body) => described("function")
            .parts("parameter", params.iter().map(|p| TreePart::Pattern(*p)))
            .part("body", TreePart::Expr(*body)),
        Expr::If(parts) => {
            let [condition, then, otherwise] = **parts;
            described("if")
                .part("condition", TreePart::Expr(condition))
                .part("then", TreePart::Expr(then))
                .part("else", TreePart::Expr(otherwise))
        }
        Expr::Match(arms) => described("match").parts("arm", arms.iter().map(TreePart::Arm)),
        Expr::Annotated(inner, metas) => described("annotated")
            .part("value", TreePart::Expr(*inner))
            .parts("annotation", metas.iter().map(TreePart::Meta)),
        Expr::Import(path, format) => {
            described("import").text(format!("{path:?}")).parts("format", format.iter().map(|f| TreePart::Name(f)))
        }
        Expr::Package(name) => described("package").text(name.as_str()),
        Expr::Primop(name) => described("primitive").text(format!("%{name}%")),
        Expr::Dyn => described("type").text("Dyn"),
        Expr::NumberType => described("type").text("Number"),
        Expr::StringType => described("type").text("String"),
        Expr::BoolType => described("type").text("Bool"),
        Expr::Wildcard => described("type").text("_"),
        Expr::ArrayType(item) => described("array type").part("of", TreePart::Expr(*item)),
        Expr::Dict(item, _) => described("dictionary type").part("of", TreePart::Expr(*item)),
        Expr::EnumType(rows, tail) => described("enum type")
            .parts("tag", rows.iter().map(TreePart::Row))
            .parts("tail", tail.iter().map(|name| TreePart::Name(name))),
        Expr::Forall(vars, inner) => {
            described("forall").parts("variable", vars.iter().map(TreePart::Name)).part("type", TreePart::Expr(*inner))
        }
    }
}

fn chunk(chunk: &Chunk, around: Span) -> TreePart<'_> {
    match chunk {
        Chunk::Text(text) => TreePart::Text(text, around),
        Chunk::Expr(id, _) => TreePart::Expr(*id),
    }
}

fn pattern(tree: &Tree, id: PId) -> NodeDescription<TreePart<'_>> {
    let span = tree.pattern_span(id);
    let described = |kind| NodeDescription::new(kind, span);
    let rest = |rest: &'_ Rest| match rest {
        Rest::Closed => String::new(),
        Rest::Open => String::from(".."),
        Rest::Bind(name) => format!("..{}", name.name),
    };
    match tree.pattern(id) {
        Pattern::Any => described("any"),
        Pattern::Bind(name) => described("name").text(name.as_str()),
        Pattern::As(name, inner) => described("as").text(name.name.as_str()).part("pattern", TreePart::Pattern(*inner)),
        Pattern::Const(id) => described("constant").part("value", TreePart::Expr(*id)),
        Pattern::Tag(tag) => described("tag").text(format!("'{tag}")),
        Pattern::Variant(tag, inner) => {
            described("variant").text(format!("'{tag}")).part("argument", TreePart::Pattern(*inner))
        }
        Pattern::Record(fields, more) => {
            described("record pattern").text(rest(more)).parts("field", fields.iter().map(TreePart::FieldPattern))
        }
        Pattern::Array(items, more) => {
            described("array pattern").text(rest(more)).parts("element", items.iter().map(|p| TreePart::Pattern(*p)))
        }
        Pattern::Or(all) => described("or").parts("pattern", all.iter().map(|p| TreePart::Pattern(*p))),
    }
}

fn symbol(op: Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Sub | Op::Neg => "-",
        Op::Mul => "*",
        Op::Div => "/",
        Op::Mod => "%",
        Op::Concat => "++",
        Op::Append => "@",
        Op::Merge => "&",
        Op::PipeRight => "|>",
        Op::Eq => "==",
        Op::Ne => "!=",
        Op::Lt => "<",
        Op::Le => "<=",
        Op::Gt => ">",
        Op::Ge => ">=",
        Op::And => "&&",
        Op::Or => "||",
        Op::Not => "!",
        Op::Arrow => "->",
        Op::Dot => ".",
    }
}
