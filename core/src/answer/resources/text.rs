//! A graph of resources as text, and in the notations of Graphviz and Mermaid.

use super::Resources;
use crate::answer::Renderer;
use crate::answer::graph::{PAGE, Picture, dot_quoted, mermaid_label};
use crate::dialect::Dialect;
use crate::dialect::notation::value::one_line;
use crate::styled::{Role, Styled};
use crate::view::Drawing;

/// Renders the graph, without a line end after the last line.
pub fn draw(graph: &Resources, to: &Renderer<'_>) -> Styled {
    match graph.drawing {
        Drawing::Text => text(graph),
        Drawing::Dot => Styled::from(dot(graph).as_str()),
        Drawing::Mermaid => Styled::from(mermaid(graph).as_str()),
        Drawing::Svg => Styled::from(picture(graph, to.dialect, PAGE).as_str()),
        Drawing::Json => Styled::from(super::json::json(graph, to).to_string()),
    }
}

/// Renders a line for each edge, then one for each resource.
fn text(graph: &Resources) -> Styled {
    let mut out = Styled::new();
    let line = |out: &mut Styled, word: &str| {
        if !out.is_empty() {
            out.plain("\n");
        }
        out.push(Role::Dim, format!("{word}: "));
    };
    for edge in &graph.edges {
        line(&mut out, "Edge");
        out.push(Role::Name, edge.from.as_str());
        out.push(Role::Operator, " -> ");
        out.push(Role::Name, edge.to.as_str());
        if edge.notify {
            out.push(Role::Comment, " # notify");
        }
    }
    for resource in &graph.resources {
        line(&mut out, "Vertex");
        out.push(Role::Name, resource.label.as_str());
    }
    out
}

/// Returns a picture. An arrow goes from the resource that comes first to the one that comes second.
pub fn picture(graph: &Resources, dialect: Dialect, style: &str) -> String {
    let number = |label: &str| graph.resources.iter().position(|resource| resource.label == label);
    let edge = |edge: &super::Edge| Some(((number(&edge.from)?, number(&edge.to)?), edge.notify));
    let (edges, notify): (Vec<(usize, usize)>, Vec<bool>) = graph.edges.iter().filter_map(edge).unzip();
    let label = |notify: bool| String::from(if notify { "notify" } else { "" });
    let value = |resource: &super::Resource| {
        let first = resource.fields.first().and_then(|entry| Some((entry, entry.value.as_ref()?)));
        first.map_or_else(String::new, |(entry, value)| {
            format!("{} => {}", entry.name, one_line(dialect.spelling(), value).cut(20).text())
        })
    };
    Picture {
        names: graph.resources.iter().map(|resource| resource.label.to_string()).collect(),
        values: graph.resources.iter().map(value).collect(),
        edges,
        labels: match notify.contains(&true) {
            true => notify.into_iter().map(label).collect(),
            false => Vec::new(),
        },
        title: "The resources: an arrow goes from a resource to one that comes after it",
        what: "resources",
    }
    .svg(style)
}

fn dot(graph: &Resources) -> String {
    let mut out = String::from("digraph {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n");
    for resource in &graph.resources {
        out += &format!("  {};\n", dot_quoted(&resource.label));
    }
    for edge in &graph.edges {
        let style = if edge.notify { " [style=bold, label=\"notify\"]" } else { "" };
        out += &format!("  {} -> {}{style};\n", dot_quoted(&edge.from), dot_quoted(&edge.to));
    }
    out + "}"
}

fn mermaid(graph: &Resources) -> String {
    let mut out = String::from("graph LR");
    for (number, resource) in graph.resources.iter().enumerate() {
        out += &format!("\n  n{number}[\"{}\"]", mermaid_label(&resource.label));
    }
    for edge in &graph.edges {
        let number = |label: &str| graph.resources.iter().position(|resource| resource.label == label);
        if let (Some(from), Some(to)) = (number(&edge.from), number(&edge.to)) {
            out += &format!("\n  n{from} {} n{to}", if edge.notify { "==>|notify|" } else { "-->" });
        }
    }
    out
}
