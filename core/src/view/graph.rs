//! Who depends on whom, drawn.

mod svg;

use crate::ask::graph::Graph;
use crate::dialect::Dialect;
use crate::dialect::notation::value::one_line;
use crate::session::Drawing;
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::text::Span;
use crate::view::html::escape;
use serde_json::json;

/// How places are written: `file:line:column`.
pub type Places<'a> = &'a dyn Fn(Span) -> String;

/// The graph, without a line end behind the last line.
pub fn draw(graph: &Graph, drawing: Drawing, dialect: Dialect, places: Places<'_>, width: Option<usize>) -> Styled {
    match drawing {
        Drawing::Text => text(graph, width),
        Drawing::Dot => Styled::from(dot(graph).as_str()),
        Drawing::Mermaid => Styled::from(mermaid(graph).as_str()),
        Drawing::Svg => Styled::from(svg::svg(graph, dialect).as_str()),
        Drawing::Json => json(graph, dialect, places),
    }
}

/// A line for each field that reads others.
fn text(graph: &Graph, width: Option<usize>) -> Styled {
    let mut table = Table::new().within(width);
    for (number, node) in graph.nodes.iter().enumerate() {
        let mut read = Styled::new();
        for (_, to) in graph.edges.iter().filter(|(from, _)| *from == number) {
            if !read.is_empty() {
                read.plain(", ");
            }
            read.push(Role::Name, graph.nodes.get(*to).map(|n| n.path.to_string()).unwrap_or_default());
        }
        if !read.is_empty() {
            table.row([Styled::of(Role::Name, node.path.to_string()), Styled::of(Role::Dim, "reads"), read]);
        }
    }
    let mut out = table.fit();
    let mut told = Vec::new();
    match (graph.nodes.is_empty(), graph.apart) {
        (true, 0) => told.push(String::from("There are no fields.")),
        (true, 1) => told.push(String::from("The one field reads nothing.")),
        (true, apart) => told.push(format!("None of {apart} fields reads another one.")),
        (false, 0) => {}
        (false, 1) => told.push(String::from("1 other field reads nothing, and nothing reads it.")),
        (false, apart) => told.push(format!("{apart} other fields read nothing, and nothing reads them.")),
    }
    if graph.cut {
        told.push(String::from("This is not all: the evaluation is too large, or was stopped."));
    }
    for line in told {
        if !out.is_empty() {
            out.plain("\n");
        }
        out.push(Role::Dim, line);
    }
    out
}

/// For Graphviz: an arrow goes from the reader to what it reads.
fn dot(graph: &Graph) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"));
    let mut out = String::from("digraph {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n");
    for node in &graph.nodes {
        out += &format!("  {};\n", quoted(&node.path.to_string()));
    }
    for (from, to) in &graph.edges {
        if let (Some(from), Some(to)) = (graph.nodes.get(*from), graph.nodes.get(*to)) {
            out += &format!("  {} -> {};\n", quoted(&from.path.to_string()), quoted(&to.path.to_string()));
        }
    }
    out + "}"
}

/// For Mermaid: an arrow goes from the reader to what it reads.
fn mermaid(graph: &Graph) -> String {
    let mut out = String::from("graph LR");
    for (number, node) in graph.nodes.iter().enumerate() {
        let mut label = String::new();
        escape(&node.path.to_string(), &mut label);
        // Mermaid spells an entity `#quot;`, and a number sign by its number.
        let label = label.replace('#', "&35;").replace('&', "#").replace('\n', " ");
        out += &format!("\n  n{number}[\"{label}\"]");
    }
    for (from, to) in &graph.edges {
        out += &format!("\n  n{from} --> n{to}");
    }
    out
}

fn json(graph: &Graph, dialect: Dialect, places: Places<'_>) -> Styled {
    let nodes: Vec<_> = graph
        .nodes
        .iter()
        .map(|node| {
            json!({
                "path": node.path.to_string(),
                "value": node.value.as_ref().map(|value| one_line(dialect.spelling(), value).text()),
                "source": node.place.map(places),
            })
        })
        .collect();
    let name = |number: usize| graph.nodes.get(number).map(|node| node.path.to_string());
    let edges: Vec<_> =
        graph.edges.iter().map(|(from, to)| json!({"reader": name(*from), "reads": name(*to)})).collect();
    let out = json!({"version": 1, "nodes": nodes, "edges": edges, "apart": graph.apart, "complete": !graph.cut});
    Styled::from(out.to_string().as_str())
}
