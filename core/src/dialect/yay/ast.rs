//! The syntax tree as an outline.

use super::grammar::YayGrammar;
use super::tree::*;
use crate::dialect::ast::{AstNode, NodeDescription, Outline};
use crate::dialect::{Stop, parser};
use crate::text::{SourceId, Span};

/// A part of the tree.
#[derive(Clone, Copy)]
enum TreePart<'t> {
    Expr(Id),
    Block(BlockId),
    Stanza(&'t Stanza),
    Value(Value),
    Case(&'t Spanned, Value),
    Clause(&'t Clause),
    Named(&'t Spanned, Id),
    Text(&'t str, Span),
}

/// Returns the nodes of a document or an expression, in source order. `O(length)`.
pub fn ast(source: SourceId, text: &str, stop: Stop<'_>) -> Vec<AstNode> {
    let parsed = parser::program::<YayGrammar>(source, text, stop);
    let tree = &parsed.tree;
    Outline::of([("", TreePart::Expr(parsed.parts))], |at| described(tree, at))
}

fn described<'t>(tree: &'t Tree, at: TreePart<'t>) -> NodeDescription<TreePart<'t>> {
    match at {
        TreePart::Expr(id) => expr(tree, id),
        TreePart::Block(id) => block(tree, id),
        TreePart::Stanza(stanza) => of_stanza(tree, stanza),
        TreePart::Value(Value::Nothing(span)) => NodeDescription::new("nothing", span),
        TreePart::Value(Value::Scalar(id)) => expr(tree, id),
        TreePart::Value(Value::Block(id)) => block(tree, id),
        TreePart::Case(name, value) => {
            NodeDescription::new("case", name.span).text(name.name.as_str()).part("value", TreePart::Value(value))
        }
        TreePart::Clause(Clause::For(names, items)) => {
            let span = names.first().map_or(tree.span(*items), |name| name.span).to(tree.span(*items));
            NodeDescription::new("for", span).text(listed(names)).part("in", TreePart::Expr(*items))
        }
        TreePart::Clause(Clause::If(condition)) => {
            NodeDescription::new("if", tree.span(*condition)).part("condition", TreePart::Expr(*condition))
        }
        TreePart::Named(name, value) => NodeDescription::new("named argument", name.span)
            .text(name.name.as_str())
            .part("value", TreePart::Expr(value)),
        TreePart::Text(text, span) => NodeDescription::new("text", span).text(format!("{text:?}")),
    }
}

fn listed(names: &[Spanned]) -> String {
    names.iter().map(|name| name.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn block(tree: &Tree, id: BlockId) -> NodeDescription<TreePart<'_>> {
    let block = tree.block(id);
    NodeDescription::new("block", block.span).parts("stanza", block.stanzas.iter().map(TreePart::Stanza))
}

fn of_stanza<'t>(tree: &'t Tree, stanza: &'t Stanza) -> NodeDescription<TreePart<'t>> {
    let span = stanza.span(tree);
    match stanza {
        Stanza::Key(entry) => NodeDescription::new(if entry.extend { "extend" } else { "key" }, span)
            .text(entry.name.name.as_str())
            .part("value", TreePart::Value(entry.value)),
        Stanza::Item(value, _) => NodeDescription::new("element", span).part("value", TreePart::Value(*value)),
        Stanza::Scalar(id) => expr(tree, *id),
        Stanza::Include(path, _) => NodeDescription::new("include", span).part("path", TreePart::Expr(*path)),
        Stanza::Search(path, _) => NodeDescription::new("search", span).part("path", TreePart::Expr(*path)),
        Stanza::Set(name, value, _) => {
            NodeDescription::new("set", span).text(name.name.as_str()).part("value", TreePart::Expr(*value))
        }
        Stanza::If(stanza) => {
            let mut described = NodeDescription::new("if", span);
            for (condition, block) in &stanza.branches {
                described =
                    described.part("condition", TreePart::Expr(*condition)).part("then", TreePart::Block(*block));
            }
            described.parts("else", stanza.otherwise.map(TreePart::Block))
        }
        Stanza::For(stanza) => NodeDescription::new("for", span)
            .text(listed(&stanza.names))
            .part("in", TreePart::Expr(stanza.items))
            .parts("condition", stanza.condition.map(TreePart::Expr))
            .part("body", TreePart::Block(stanza.body)),
        Stanza::Select(select) => NodeDescription::new("select", span)
            .part("of", TreePart::Expr(select.of))
            .parts("case", select.cases.iter().map(|(name, value)| TreePart::Case(name, *value))),
        Stanza::Macro(name, body, _) => {
            NodeDescription::new("macro", span).text(name.name.as_str()).part("body", TreePart::Block(*body))
        }
        Stanza::Call(name, args, _) => {
            NodeDescription::new("call", span).text(name.name.as_str()).parts("arguments", args.map(TreePart::Block))
        }
        Stanza::Prototype(name, body, _) => {
            NodeDescription::new("prototype", span).text(name.name.as_str()).part("body", TreePart::Block(*body))
        }
        Stanza::New(new) => NodeDescription::new("new", span)
            .text(new.name.as_ref().map_or("", |name| name.name.as_str()))
            .part("of", TreePart::Expr(new.of))
            .parts("body", new.body.map(TreePart::Block)),
    }
}

fn expr(tree: &Tree, id: Id) -> NodeDescription<TreePart<'_>> {
    let span: Span = tree.span(id);
    let described = |kind| NodeDescription::new(kind, span);
    match tree.expr(id) {
        Expr::Hole => described("hole"),
        Expr::Cursor => described("cursor"),
        Expr::Block(id) => NodeDescription { kind: "document", ..block(tree, *id) },
        Expr::Number(n) => described("number").text(crate::value::eval::converting::decimal(n)),
        Expr::Str(s) => described("string").text(format!("{s:?}")),
        Expr::Text(parts) => described("template").parts(
            "part",
            parts.iter().map(|part| match part {
                Part::Text(text) => TreePart::Text(text, span),
                Part::Expr(id) => TreePart::Expr(*id),
            }),
        ),
        Expr::List(items) => described("list").parts("element", items.iter().map(|i| TreePart::Expr(*i))),
        Expr::Dict(pairs) => pairs.iter().fold(described("dict"), |described, (k, v)| {
            described.part("key", TreePart::Expr(*k)).part("value", TreePart::Expr(*v))
        }),
        Expr::ListComp(body, clauses) => described("list comprehension")
            .part("body", TreePart::Expr(*body))
            .parts("clause", clauses.iter().map(TreePart::Clause)),
        Expr::DictComp(pair, clauses) => described("dict comprehension")
            .part("key", TreePart::Expr(pair.0))
            .part("value", TreePart::Expr(pair.1))
            .parts("clause", clauses.iter().map(TreePart::Clause)),
        Expr::Name(name) => described("name").text(name.as_str()),
        Expr::Dot(of, name) => described("access").text(name.name.as_str()).part("of", TreePart::Expr(*of)),
        Expr::Index(of, index) => {
            described("subscription").part("of", TreePart::Expr(*of)).part("index", TreePart::Expr(*index))
        }
        Expr::Slice(of, parts) => described("slice")
            .part("of", TreePart::Expr(*of))
            .parts("bound", parts.iter().flatten().map(|b| TreePart::Expr(*b))),
        Expr::Call(func, args) => described("call").part("function", TreePart::Expr(*func)).parts(
            "argument",
            args.iter().map(|(name, value)| match name {
                Some(name) => TreePart::Named(name, *value),
                None => TreePart::Expr(*value),
            }),
        ),
        Expr::Unary(op, operand) => {
            let symbol = match op {
                Prefix::Not => "not",
                Prefix::Neg => "-",
                Prefix::Pos => "+",
                Prefix::Invert => "~",
            };
            described("unary").text(symbol).part("operand", TreePart::Expr(*operand))
        }
        Expr::Binary(op, a, b) => {
            described("binary").text(op.symbol()).part("left", TreePart::Expr(*a)).part("right", TreePart::Expr(*b))
        }
        Expr::Chain(first, more) => {
            let symbols: Vec<&str> = more.iter().map(|(op, _)| op.symbol()).collect();
            described("comparison")
                .text(symbols.join(" "))
                .part("operand", TreePart::Expr(*first))
                .parts("operand", more.iter().map(|(_, id)| TreePart::Expr(*id)))
        }
        Expr::Else(a, b) => described("else").part("value", TreePart::Expr(*a)).part("otherwise", TreePart::Expr(*b)),
        Expr::If(condition, yes, no) => described("if")
            .part("then", TreePart::Expr(*yes))
            .part("condition", TreePart::Expr(*condition))
            .part("else", TreePart::Expr(*no)),
        Expr::Lambda(params, body) => described("lambda")
            .text(params.iter().map(|(name, _)| name.name.as_str()).collect::<Vec<_>>().join(", "))
            .parts("default", params.iter().filter_map(|(_, default)| default.map(TreePart::Expr)))
            .part("body", TreePart::Expr(*body)),
        Expr::Paren(inner) => described("parentheses").part("inside", TreePart::Expr(*inner)),
    }
}
