//! A function graph as text, as a picture, and in the notations of Graphviz and Mermaid.

use super::{Functions, NodeKind};
use crate::answer::Renderer;
use crate::answer::graph::{PAGE, Picture, dot_quoted, mermaid_label};
use crate::styled::{Role, Styled};
use crate::view::Drawing;

/// Renders the graph, without a line end after the last line.
pub fn draw(graph: &Functions, to: &Renderer<'_>) -> Styled {
    match graph.drawing {
        Drawing::Text => text(graph),
        Drawing::Dot => Styled::from(dot(graph).as_str()),
        Drawing::Mermaid => Styled::from(mermaid(graph).as_str()),
        Drawing::Svg => Styled::from(picture(graph, PAGE).as_str()),
        Drawing::Json => Styled::from(super::json::json(graph, to).to_string()),
    }
}

/// Returns the label of a node.
pub fn label(graph: &Functions, number: usize) -> Styled {
    let Some(node) = graph.nodes.get(number) else { return Styled::new() };
    let role = match node.kind {
        NodeKind::Constant => Role::Literal,
        NodeKind::Function => Role::Keyword,
        NodeKind::Variable | NodeKind::Field | NodeKind::Resource => Role::Name,
    };
    Styled::of(role, node.label.as_str())
}

/// Renders a line for each node that values go into, and below it a line for each of them.
fn text(graph: &Functions) -> Styled {
    let mut out = Styled::new();
    let mut alone = 0;
    for number in 0..graph.nodes.len() {
        let arguments: Vec<&super::Edge> = graph.edges.iter().filter(|edge| edge.to == number).collect();
        if arguments.is_empty() {
            alone += usize::from(!graph.edges.iter().any(|edge| edge.from == number));
            continue;
        }
        if !out.is_empty() {
            out.plain("\n");
        }
        out.push(Role::Dim, format!("{} ", number + 1));
        out.append(&label(graph, number));
        let columns = arguments.iter().map(|edge| edge.argument.chars().count()).max().unwrap_or(0);
        for edge in arguments {
            out.plain(format!("\n    {:<columns$}", edge.argument));
            out.push(Role::Operator, " <- ");
            out.append(&label(graph, edge.from));
            // a node that values go into has a separate line, which the number refers to
            if graph.edges.iter().any(|other| other.to == edge.from) {
                out.push(Role::Dim, format!(" ({})", edge.from + 1));
            }
        }
    }
    if out.is_empty() {
        out.push(Role::Dim, format!("{} without edges", crate::text::counted(alone, "node")));
    }
    out
}

/// Returns a picture. An arrow goes from a value to the function that it goes into.
pub fn picture(graph: &Functions, style: &str) -> String {
    Picture {
        names: graph.nodes.iter().map(|node| node.label.clone()).collect(),
        values: vec![String::new(); graph.nodes.len()],
        edges: graph.edges.iter().map(|edge| (edge.from, edge.to)).collect(),
        labels: graph.edges.iter().map(|edge| crate::text::on_one_line(&edge.argument)).collect(),
        title: "The functions: an arrow goes from an argument to the function that takes it",
        what: "nodes",
    }
    .svg(style)
}

fn dot(graph: &Functions) -> String {
    let mut out = String::from("digraph {\n  rankdir=LR;\n  node [fontname=\"monospace\"];\n");
    for (number, node) in graph.nodes.iter().enumerate() {
        let shape = match node.kind {
            NodeKind::Constant => "plaintext",
            NodeKind::Variable => "ellipse",
            NodeKind::Function => "box, style=rounded",
            NodeKind::Field | NodeKind::Resource => "box",
        };
        out += &format!("  n{number} [label={}, shape={shape}];\n", dot_quoted(&node.label));
    }
    for edge in &graph.edges {
        out += &format!("  n{} -> n{} [label={}];\n", edge.from, edge.to, dot_quoted(&edge.argument));
    }
    out + "}"
}

fn mermaid(graph: &Functions) -> String {
    let mut out = String::from("graph LR");
    for (number, node) in graph.nodes.iter().enumerate() {
        let label = mermaid_label(&node.label);
        out += &match node.kind {
            NodeKind::Variable => format!("\n  n{number}([\"{label}\"])"),
            _ => format!("\n  n{number}[\"{label}\"]"),
        };
    }
    for edge in &graph.edges {
        out += &format!("\n  n{} -->|\"{}\"| n{}", edge.from, mermaid_label(&edge.argument), edge.to);
    }
    out
}
