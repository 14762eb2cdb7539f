//! The syntax tree as an outline.

use super::grammar::Cfg;
use super::tree::*;
use crate::dialect::ast::{AstNode, NodeDescription, Outline};
use crate::dialect::{Stop, parser};
use crate::text::{SourceId, Span};

/// A part of the tree.
#[derive(Clone, Copy)]
enum At<'t> {
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
    Outline::of([("", At::Expr(parsed.parts))], |at| described(tree, at))
}

fn described<'t>(tree: &'t Tree, at: At<'t>) -> NodeDescription<At<'t>> {
    match at {
        At::Expr(id) => expr(tree, id),
        At::Pattern(id) => pattern(tree, id),
        At::Name(name) => NodeDescription::new("name", name.span).text(name.name.as_str()),
        At::Text(text, span) => NodeDescription::new("text", span).text(format!("{text:?}")),
        At::Field(field) => {
            let path = field.path.iter().map(|part| match part {
                PathPart::Name(name) => At::Name(name),
                PathPart::Dynamic(id) => At::Expr(*id),
            });
            let kind = if field.include { "include" } else { "field" };
            NodeDescription::new(kind, field.span)
                .parts("path", path)
                .parts("annotation", field.metas.iter().map(At::Meta))
                .parts("value", field.value.map(At::Expr))
        }
        At::Binding(b) => NodeDescription::new("binding", b.span)
            .part("pattern", At::Pattern(b.pattern))
            .parts("annotation", b.metas.iter().map(At::Meta))
            .part("value", At::Expr(b.value)),
        At::Meta(meta) => {
            let described = |kind| NodeDescription::new(kind, meta.span);
            match &meta.kind {
                MetaKind::Type(ty) => described("type annotation").part("type", At::Expr(*ty)),
                MetaKind::Contract(ty) => described("contract annotation").part("contract", At::Expr(*ty)),
                MetaKind::Doc(text) => described("doc").text(format!("{text:?}")),
                MetaKind::Default => described("default"),
                MetaKind::Force => described("force"),
                MetaKind::Priority(n) => described("priority").text(n.to_string()),
                MetaKind::Push(_) => described("priority for the leaves"),
                MetaKind::Optional => described("optional"),
                MetaKind::NotExported => described("not_exported"),
            }
        }
        At::Arm(arm) => NodeDescription::new("arm", tree.pattern_span(arm.pattern).to(tree.span(arm.body)))
            .part("pattern", At::Pattern(arm.pattern))
            .parts("guard", arm.guard.map(At::Expr))
            .part("body", At::Expr(arm.body)),
        At::FieldPattern(f) => NodeDescription::new("field", f.name.span)
            .text(f.name.name.as_str())
            .parts("annotation", f.metas.iter().map(At::Meta))
            .parts("default", f.default.map(At::Expr))
            .part("pattern", At::Pattern(f.pattern)),
        At::Row(row) => {
            NodeDescription::new("tag", row.tag.span).text(row.tag.name.as_str()).parts("type", row.ty.map(At::Expr))
        }
    }
}

fn expr(tree: &Tree, id: Id) -> NodeDescription<At<'_>> {
    let span = tree.span(id);
    let described = |kind| NodeDescription::new(kind, span);
    let pair =
        |kind, a: Id, b: Id| NodeDescription::new(kind, span).part("left", At::Expr(a)).part("right", At::Expr(b));
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
        Expr::Array(items) => described("array").parts("element", items.iter().map(|i| At::Expr(*i))),
        Expr::Record(record) => {
            let tail = record.tail.iter().map(At::Name);
            described(if record.open { "open record" } else { "record" })
                .parts("field", record.fields.iter().map(At::Field))
                .parts("tail", tail)
        }
        Expr::Name(name) => described("name").text(name.as_str()),
        Expr::Dot(inner, name) => described("field access").text(name.name.as_str()).part("of", At::Expr(*inner)),
        Expr::DotDynamic(inner, name) => {
            described("computed access").part("of", At::Expr(*inner)).part("name", At::Expr(*name))
        }
        Expr::Apply(f, args) => {
            described("application").part("function", At::Expr(*f)).parts("argument", args.iter().map(|a| At::Expr(*a)))
        }
        Expr::Unary(op, inner) => described("unary").text(symbol(*op)).part("operand", At::Expr(*inner)),
        Expr::Binary(op, a, b) => pair("binary", *a, *b).text(symbol(*op)),
        Expr::Operator(op) => described("operator").text(symbol(*op)),
        Expr::Paren(inner) => described("parentheses").part("inside", At::Expr(*inner)),
        Expr::Let(l) => described(if l.recursive { "let rec" } else { "let" })
            .parts("binding", l.bindings.iter().map(At::Binding))
            .part("body", At::Expr(l.body)),
        Expr::Fun(params, body) => described("function")
            .parts("parameter", params.iter().map(|p| At::Pattern(*p)))
            .part("body", At::Expr(*body)),
        Expr::If(parts) => {
            let [condition, then, otherwise] = **parts;
            described("if")
                .part("condition", At::Expr(condition))
                .part("then", At::Expr(then))
                .part("else", At::Expr(otherwise))
        }
        Expr::Match(arms) => described("match").parts("arm", arms.iter().map(At::Arm)),
        Expr::Annotated(inner, metas) => {
            described("annotated").part("value", At::Expr(*inner)).parts("annotation", metas.iter().map(At::Meta))
        }
        Expr::Import(path, format) => {
            described("import").text(format!("{path:?}")).parts("format", format.iter().map(|f| At::Name(f)))
        }
        Expr::Package(name) => described("package").text(name.as_str()),
        Expr::Primop(name) => described("primitive").text(format!("%{name}%")),
        Expr::Dyn => described("type").text("Dyn"),
        Expr::NumberType => described("type").text("Number"),
        Expr::StringType => described("type").text("String"),
        Expr::BoolType => described("type").text("Bool"),
        Expr::Wildcard => described("type").text("_"),
        Expr::ArrayType(item) => described("array type").part("of", At::Expr(*item)),
        Expr::Dict(item, _) => described("dictionary type").part("of", At::Expr(*item)),
        Expr::EnumType(rows, tail) => described("enum type")
            .parts("tag", rows.iter().map(At::Row))
            .parts("tail", tail.iter().map(|name| At::Name(name))),
        Expr::Forall(vars, inner) => {
            described("forall").parts("variable", vars.iter().map(At::Name)).part("type", At::Expr(*inner))
        }
    }
}

fn chunk(chunk: &Chunk, around: Span) -> At<'_> {
    match chunk {
        Chunk::Text(text) => At::Text(text, around),
        Chunk::Expr(id, _) => At::Expr(*id),
    }
}

fn pattern(tree: &Tree, id: PId) -> NodeDescription<At<'_>> {
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
        Pattern::As(name, inner) => described("as").text(name.name.as_str()).part("pattern", At::Pattern(*inner)),
        Pattern::Const(id) => described("constant").part("value", At::Expr(*id)),
        Pattern::Tag(tag) => described("tag").text(format!("'{tag}")),
        Pattern::Variant(tag, inner) => {
            described("variant").text(format!("'{tag}")).part("argument", At::Pattern(*inner))
        }
        Pattern::Record(fields, more) => {
            described("record pattern").text(rest(more)).parts("field", fields.iter().map(At::FieldPattern))
        }
        Pattern::Array(items, more) => {
            described("array pattern").text(rest(more)).parts("element", items.iter().map(|p| At::Pattern(*p)))
        }
        Pattern::Or(all) => described("or").parts("pattern", all.iter().map(|p| At::Pattern(*p))),
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
