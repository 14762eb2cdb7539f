//! The syntax tree as an outline.

use super::grammar::JsonnetGrammar;
use super::tree::*;
use crate::dialect::ast::{AstNode, NodeDescription, Outline};
use crate::dialect::{Stop, parser};
use crate::meta::Visibility;
use crate::text::{SourceId, Span};

/// A part of the tree.
#[derive(Clone, Copy)]
enum At<'t> {
    Expr(Id),
    Field(&'t Field),
    Binding(&'t Binding),
    Parameter(&'t Parameter),
    Assert(&'t Assert),
    Clause(&'t Clause),
    Named(&'t Spanned, Id),
}

/// Returns the nodes of an expression, in source order. `O(length)`.
pub fn ast(source: SourceId, text: &str, stop: Stop<'_>) -> Vec<AstNode> {
    let parsed = parser::program::<JsonnetGrammar>(source, text, stop);
    let tree = &parsed.tree;
    Outline::of([("", At::Expr(parsed.parts))], |at| described(tree, at))
}

fn described<'t>(tree: &'t Tree, at: At<'t>) -> NodeDescription<At<'t>> {
    match at {
        At::Expr(id) => expr(tree, id),
        At::Field(field) => {
            let colons = match field.visibility {
                Visibility::Inherit => ":",
                Visibility::Hidden => "::",
                Visibility::Forced => ":::",
            };
            let plus = if field.plus { "+" } else { "" };
            let described = NodeDescription::new("field", field.span);
            let described = match &field.name {
                FieldName::Static(name) => described.text(format!("{name}{plus}{colons}")),
                FieldName::Computed(id) => described.text(format!("[ ]{plus}{colons}")).part("name", At::Expr(*id)),
            };
            described.part("value", At::Expr(field.value))
        }
        At::Binding(b) => {
            NodeDescription::new("binding", b.span).text(b.name.name.as_str()).part("value", At::Expr(b.value))
        }
        At::Parameter(p) => NodeDescription::new("parameter", p.name.span)
            .text(p.name.name.as_str())
            .parts("default", p.default.map(At::Expr)),
        At::Assert(a) => NodeDescription::new("assert", tree.span(a.condition))
            .part("condition", At::Expr(a.condition))
            .parts("message", a.message.map(At::Expr)),
        At::Clause(Clause::For(name, items)) => NodeDescription::new("for", name.span.to(tree.span(*items)))
            .text(name.name.as_str())
            .part("in", At::Expr(*items)),
        At::Clause(Clause::If(condition)) => {
            NodeDescription::new("if", tree.span(*condition)).part("condition", At::Expr(*condition))
        }
        At::Named(name, value) => NodeDescription::new("named argument", name.span.to(tree.span(value)))
            .text(name.name.as_str())
            .part("value", At::Expr(value)),
    }
}

fn expr(tree: &Tree, id: Id) -> NodeDescription<At<'_>> {
    let span: Span = tree.span(id);
    let described = |kind| NodeDescription::new(kind, span);
    match tree.expr(id) {
        Expr::Hole => described("hole"),
        Expr::Cursor => described("cursor"),
        Expr::Null => described("null"),
        Expr::Bool(b) => described("bool").text(b.to_string()),
        Expr::Number(n) => described("number").text(n.to_string()),
        Expr::Str(s) => described("string").text(format!("{s:?}")),
        Expr::Array(items) => described("array").parts("element", items.iter().map(|i| At::Expr(*i))),
        Expr::ArrayComp(body, clauses) => described("array comprehension")
            .part("body", At::Expr(*body))
            .parts("clause", clauses.iter().map(At::Clause)),
        Expr::Object(object) => described("object")
            .parts("local", object.locals.iter().map(At::Binding))
            .parts("assert", object.asserts.iter().map(At::Assert))
            .parts("field", object.fields.iter().map(At::Field))
            .parts("clause", object.clauses.iter().map(At::Clause)),
        Expr::Name(name) => described("name").text(name.as_str()),
        Expr::This => described("self"),
        Expr::Dollar => described("$"),
        Expr::SuperDot(name) => described("super field").text(name.name.as_str()),
        Expr::SuperIndex(index) => described("super index").part("index", At::Expr(*index)),
        Expr::InSuper(name) => described("in super").part("name", At::Expr(*name)),
        Expr::Dot(inner, name) => described("field access").text(name.name.as_str()).part("of", At::Expr(*inner)),
        Expr::Index(inner, index) => described("index").part("of", At::Expr(*inner)).part("index", At::Expr(*index)),
        Expr::Slice(inner, bounds) => described("slice")
            .part("of", At::Expr(*inner))
            .parts("bound", bounds.iter().flatten().map(|b| At::Expr(*b))),
        Expr::Apply(f, arguments) => {
            let arguments_of = arguments.items.iter().map(|(name, value)| match name {
                Some(name) => At::Named(name, *value),
                None => At::Expr(*value),
            });
            described(if arguments.tailstrict { "strict call" } else { "call" })
                .part("function", At::Expr(*f))
                .parts("argument", arguments_of)
        }
        Expr::Extend(base, object) => {
            described("extension").part("base", At::Expr(*base)).part("object", At::Expr(*object))
        }
        Expr::Unary(op, inner) => described("unary").text(op.symbol()).part("operand", At::Expr(*inner)),
        Expr::Binary(op, a, b) => {
            described("binary").text(op.symbol()).part("left", At::Expr(*a)).part("right", At::Expr(*b))
        }
        Expr::Paren(inner) => described("parentheses").part("inside", At::Expr(*inner)),
        Expr::Local(bindings, body) => {
            described("local").parts("binding", bindings.iter().map(At::Binding)).part("body", At::Expr(*body))
        }
        Expr::Function(parameters, body) => {
            described("function").parts("parameter", parameters.iter().map(At::Parameter)).part("body", At::Expr(*body))
        }
        Expr::If(condition, then, otherwise) => described("if")
            .part("condition", At::Expr(*condition))
            .part("then", At::Expr(*then))
            .parts("else", otherwise.map(At::Expr)),
        Expr::Import(path, _) => described("import").text(format!("{path:?}")),
        Expr::Error(message) => described("error").part("message", At::Expr(*message)),
        Expr::Assert(assert, body) => {
            described("assertion").part("assert", At::Assert(assert)).part("body", At::Expr(*body))
        }
    }
}
