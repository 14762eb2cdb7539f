//! The syntax tree as an outline.

use super::grammar::Cfg;
use super::tree::*;
use crate::dialect::ast::{AstNode, Outline, Said};
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
    Outline::of([("", At::Expr(parsed.parts))], |at| said(tree, at))
}

fn said<'t>(tree: &'t Tree, at: At<'t>) -> Said<At<'t>> {
    match at {
        At::Expr(id) => expr(tree, id),
        At::Pattern(id) => pattern(tree, id),
        At::Name(name) => Said::new("name", name.span).text(name.name.as_str()),
        At::Text(text, span) => Said::new("text", span).text(format!("{text:?}")),
        At::Field(field) => {
            let path = field.path.iter().map(|part| match part {
                PathPart::Name(name) => At::Name(name),
                PathPart::Dynamic(id) => At::Expr(*id),
            });
            let kind = if field.include { "include" } else { "field" };
            Said::new(kind, field.span)
                .parts("path", path)
                .parts("annotation", field.metas.iter().map(At::Meta))
                .parts("value", field.value.map(At::Expr))
        }
        At::Binding(b) => Said::new("binding", b.span)
            .part("pattern", At::Pattern(b.pattern))
            .parts("annotation", b.metas.iter().map(At::Meta))
            .part("value", At::Expr(b.value)),
        At::Meta(meta) => {
            let said = |kind| Said::new(kind, meta.span);
            match &meta.kind {
                MetaKind::Type(ty) => said("type annotation").part("type", At::Expr(*ty)),
                MetaKind::Contract(ty) => said("contract annotation").part("contract", At::Expr(*ty)),
                MetaKind::Doc(text) => said("doc").text(format!("{text:?}")),
                MetaKind::Default => said("default"),
                MetaKind::Force => said("force"),
                MetaKind::Priority(n) => said("priority").text(n.to_string()),
                MetaKind::Push(_) => said("priority for the leaves"),
                MetaKind::Optional => said("optional"),
                MetaKind::NotExported => said("not_exported"),
            }
        }
        At::Arm(arm) => Said::new("arm", tree.pattern_span(arm.pattern).to(tree.span(arm.body)))
            .part("pattern", At::Pattern(arm.pattern))
            .parts("guard", arm.guard.map(At::Expr))
            .part("body", At::Expr(arm.body)),
        At::FieldPattern(f) => Said::new("field", f.name.span)
            .text(f.name.name.as_str())
            .parts("annotation", f.metas.iter().map(At::Meta))
            .parts("default", f.default.map(At::Expr))
            .part("pattern", At::Pattern(f.pattern)),
        At::Row(row) => Said::new("tag", row.tag.span).text(row.tag.name.as_str()).parts("type", row.ty.map(At::Expr)),
    }
}

fn expr(tree: &Tree, id: Id) -> Said<At<'_>> {
    let span = tree.span(id);
    let said = |kind| Said::new(kind, span);
    let pair = |kind, a: Id, b: Id| Said::new(kind, span).part("left", At::Expr(a)).part("right", At::Expr(b));
    match tree.expr(id) {
        Expr::Hole => said("hole"),
        Expr::Cursor => said("cursor"),
        Expr::Null => said("null"),
        Expr::Bool(b) => said("bool").text(b.to_string()),
        Expr::Number(n) => said("number").text(n.to_string()),
        Expr::Str(s) => said("string").text(format!("{s:?}")),
        Expr::Interp(chunks) => said("interpolation").parts("part", chunks.iter().map(|c| chunk(c, span))),
        Expr::Symbolic(prefix, chunks) => {
            said("symbolic string").text(prefix.as_str()).parts("part", chunks.iter().map(|c| chunk(c, span)))
        }
        Expr::Tag(tag) => said("tag").text(format!("'{tag}")),
        Expr::Array(items) => said("array").parts("element", items.iter().map(|i| At::Expr(*i))),
        Expr::Record(record) => {
            let tail = record.tail.iter().map(At::Name);
            said(if record.open { "open record" } else { "record" })
                .parts("field", record.fields.iter().map(At::Field))
                .parts("tail", tail)
        }
        Expr::Name(name) => said("name").text(name.as_str()),
        Expr::Dot(inner, name) => said("field access").text(name.name.as_str()).part("of", At::Expr(*inner)),
        Expr::DotDynamic(inner, name) => {
            said("computed access").part("of", At::Expr(*inner)).part("name", At::Expr(*name))
        }
        Expr::Apply(f, args) => {
            said("application").part("function", At::Expr(*f)).parts("argument", args.iter().map(|a| At::Expr(*a)))
        }
        Expr::Unary(op, inner) => said("unary").text(symbol(*op)).part("operand", At::Expr(*inner)),
        Expr::Binary(op, a, b) => pair("binary", *a, *b).text(symbol(*op)),
        Expr::Operator(op) => said("operator").text(symbol(*op)),
        Expr::Paren(inner) => said("parentheses").part("inside", At::Expr(*inner)),
        Expr::Let(l) => said(if l.recursive { "let rec" } else { "let" })
            .parts("binding", l.bindings.iter().map(At::Binding))
            .part("body", At::Expr(l.body)),
        Expr::Fun(params, body) => {
            said("function").parts("parameter", params.iter().map(|p| At::Pattern(*p))).part("body", At::Expr(*body))
        }
        Expr::If(parts) => {
            let [condition, then, otherwise] = **parts;
            said("if")
                .part("condition", At::Expr(condition))
                .part("then", At::Expr(then))
                .part("else", At::Expr(otherwise))
        }
        Expr::Match(arms) => said("match").parts("arm", arms.iter().map(At::Arm)),
        Expr::Annotated(inner, metas) => {
            said("annotated").part("value", At::Expr(*inner)).parts("annotation", metas.iter().map(At::Meta))
        }
        Expr::Import(path, format) => {
            said("import").text(format!("{path:?}")).parts("format", format.iter().map(|f| At::Name(f)))
        }
        Expr::Package(name) => said("package").text(name.as_str()),
        Expr::Primop(name) => said("primitive").text(format!("%{name}%")),
        Expr::Dyn => said("type").text("Dyn"),
        Expr::NumberType => said("type").text("Number"),
        Expr::StringType => said("type").text("String"),
        Expr::BoolType => said("type").text("Bool"),
        Expr::Wildcard => said("type").text("_"),
        Expr::ArrayType(item) => said("array type").part("of", At::Expr(*item)),
        Expr::Dict(item, _) => said("dictionary type").part("of", At::Expr(*item)),
        Expr::EnumType(rows, tail) => said("enum type")
            .parts("tag", rows.iter().map(At::Row))
            .parts("tail", tail.iter().map(|name| At::Name(name))),
        Expr::Forall(vars, inner) => {
            said("forall").parts("variable", vars.iter().map(At::Name)).part("type", At::Expr(*inner))
        }
    }
}

fn chunk(chunk: &Chunk, around: Span) -> At<'_> {
    match chunk {
        Chunk::Text(text) => At::Text(text, around),
        Chunk::Expr(id, _) => At::Expr(*id),
    }
}

fn pattern(tree: &Tree, id: PId) -> Said<At<'_>> {
    let span = tree.pattern_span(id);
    let said = |kind| Said::new(kind, span);
    let rest = |rest: &'_ Rest| match rest {
        Rest::Closed => String::new(),
        Rest::Open => String::from(".."),
        Rest::Bind(name) => format!("..{}", name.name),
    };
    match tree.pattern(id) {
        Pattern::Any => said("any"),
        Pattern::Bind(name) => said("name").text(name.as_str()),
        Pattern::As(name, inner) => said("as").text(name.name.as_str()).part("pattern", At::Pattern(*inner)),
        Pattern::Const(id) => said("constant").part("value", At::Expr(*id)),
        Pattern::Tag(tag) => said("tag").text(format!("'{tag}")),
        Pattern::Variant(tag, inner) => said("variant").text(format!("'{tag}")).part("argument", At::Pattern(*inner)),
        Pattern::Record(fields, more) => {
            said("record pattern").text(rest(more)).parts("field", fields.iter().map(At::FieldPattern))
        }
        Pattern::Array(items, more) => {
            said("array pattern").text(rest(more)).parts("element", items.iter().map(|p| At::Pattern(*p)))
        }
        Pattern::Or(all) => said("or").parts("pattern", all.iter().map(|p| At::Pattern(*p))),
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
