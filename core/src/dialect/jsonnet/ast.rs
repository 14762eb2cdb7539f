//! The syntax tree as an outline.

use super::grammar::JsonnetGrammar;
use super::tree::*;
use crate::dialect::ast::{AstNode, NodeDescription, Outline};
use crate::dialect::{Stop, parser};
use crate::meta::Visibility;
use crate::text::{SourceId, Span};

/// A part of the tree.
#[derive(Clone, Copy)]
enum TreePart<'t> {
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
    Outline::of([("", TreePart::Expr(parsed.parts))], |at| described(tree, at))
}

fn described<'t>(tree: &'t Tree, at: TreePart<'t>) -> NodeDescription<TreePart<'t>> {
    match at {
        TreePart::Expr(id) => expr(tree, id),
        TreePart::Field(field) => {
            let colons = match field.visibility {
                Visibility::Inherit => ":",
                Visibility::Hidden => "::",
                Visibility::Forced => ":::",
            };
            let plus = if field.plus { "+" } else { "" };
            let described = NodeDescription::new("field", field.span);
            let described = match &field.name {
                FieldName::Static(name) => described.text(format!("{name}{plus}{colons}")),
                FieldName::Computed(id) => {
                    described.text(format!("[ ]{plus}{colons}")).part("name", TreePart::Expr(*id))
                }
            };
            described.part("value", TreePart::Expr(field.value))
        }
        TreePart::Binding(b) => {
            NodeDescription::new("binding", b.span).text(b.name.name.as_str()).part("value", TreePart::Expr(b.value))
        }
        TreePart::Parameter(p) => NodeDescription::new("parameter", p.name.span)
            .text(p.name.name.as_str())
            .parts("default", p.default.map(TreePart::Expr)),
        TreePart::Assert(a) => NodeDescription::new("assert", tree.span(a.condition))
            .part("condition", TreePart::Expr(a.condition))
            .parts("message", a.message.map(TreePart::Expr)),
        TreePart::Clause(Clause::For(name, items)) => NodeDescription::new("for", name.span.to(tree.span(*items)))
            .text(name.name.as_str())
            .part("in", TreePart::Expr(*items)),
        TreePart::Clause(Clause::If(condition)) => {
            NodeDescription::new("if", tree.span(*condition)).part("condition", TreePart::Expr(*condition))
        }
        TreePart::Named(name, value) => NodeDescription::new("named argument", name.span.to(tree.span(value)))
            .text(name.name.as_str())
            .part("value", TreePart::Expr(value)),
    }
}

fn expr(tree: &Tree, id: Id) -> NodeDescription<TreePart<'_>> {
    let span: Span = tree.span(id);
    let described = |kind| NodeDescription::new(kind, span);
    match tree.expr(id) {
        Expr::Hole => described("hole"),
        Expr::Cursor => described("cursor"),
        Expr::Null => described("null"),
        Expr::Bool(b) => described("bool").text(b.to_string()),
        Expr::Number(n) => described("number").text(n.to_string()),
        Expr::Str(s) => described("string").text(format!("{s:?}")),
        Expr::Array(items) => described("array").parts("element", items.iter().map(|i| TreePart::Expr(*i))),
        Expr::ArrayComp(body, clauses) => described("array comprehension")
            .part("body", TreePart::Expr(*body))
            .parts("clause", clauses.iter().map(TreePart::Clause)),
        Expr::Object(object) => described("object")
            .parts("local", object.locals.iter().map(TreePart::Binding))
            .parts("assert", object.asserts.iter().map(TreePart::Assert))
            .parts("field", object.fields.iter().map(TreePart::Field))
            .parts("clause", object.clauses.iter().map(TreePart::Clause)),
        Expr::Name(name) => described("name").text(name.as_str()),
        Expr::This => described("self"),
        Expr::Dollar => described("$"),
        Expr::SuperDot(name) => described("super field").text(name.name.as_str()),
        Expr::SuperIndex(index) => described("super index").part("index", TreePart::Expr(*index)),
        Expr::InSuper(name) => described("in super").part("name", TreePart::Expr(*name)),
        Expr::Dot(inner, name) => described("field access").text(name.name.as_str()).part("of", TreePart::Expr(*inner)),
        Expr::Index(inner, index) => {
            described("index").part("of", TreePart::Expr(*inner)).part("index", TreePart::Expr(*index))
        }
        Expr::Slice(inner, bounds) => described("slice")
            .part("of", TreePart::Expr(*inner))
            .parts("bound", bounds.iter().flatten().map(|b| TreePart::Expr(*b))),
        Expr::Apply(f, arguments) => {
            let arguments_of = arguments.items.iter().map(|(name, value)| match name {
                Some(name) => TreePart::Named(name, *value),
                None => TreePart::Expr(*value),
            });
            described(if arguments.tailstrict { "strict call" } else { "call" })
                .part("function", TreePart::Expr(*f))
                .parts("argument", arguments_of)
        }
        Expr::Extend(base, object, _) => {
            described("extension").part("base", TreePart::Expr(*base)).part("object", TreePart::Expr(*object))
        }
        Expr::Unary(op, inner) => described("unary").text(op.symbol()).part("operand", TreePart::Expr(*inner)),
        Expr::Binary(op, a, b) => {
            described("binary").text(op.symbol()).part("left", TreePart::Expr(*a)).part("right", TreePart::Expr(*b))
        }
        Expr::Paren(inner) => described("parentheses").part("inside", TreePart::Expr(*inner)),
        Expr::Local(bindings, body) => described("local")
            .parts("binding", bindings.iter().map(TreePart::Binding))
            .part("body", TreePart::Expr(*body)),
        Expr::Function(parameters, body) => described("function")
            .parts("parameter", parameters.iter().map(TreePart::Parameter))
            .part("body", TreePart::Expr(*body)),
        Expr::If(condition, then, otherwise) => described("if")
            .part("condition", TreePart::Expr(*condition))
            .part("then", TreePart::Expr(*then))
            .parts("else", otherwise.map(TreePart::Expr)),
        Expr::Import(path, _) => described("import").text(format!("{path:?}")),
        Expr::Error(message) => described("error").part("message", TreePart::Expr(*message)),
        Expr::Assert(assert, body) => {
            described("assertion").part("assert", TreePart::Assert(assert)).part("body", TreePart::Expr(*body))
        }
    }
}
