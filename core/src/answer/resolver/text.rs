//! The graph of a document as a tree of text, and in the notations of Graphviz and Mermaid.

use super::Resolver;
use crate::answer::Renderer;
use crate::answer::graph::{PAGE, Picture, dot_quoted, mermaid_label};
use crate::dialect::node_graph::{GraphEdge, NodeGraph};
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::view::Drawing;
use unicode_width::UnicodeWidthStr;

/// Maximum number of lines of a tree.
const LINES: usize = 400;
/// Number of columns before a tree, and between its labels and their places.
const INDENT: usize = 2;
/// Minimum width of a label, in columns.
const MIN_LABEL: usize = 20;
/// Maximum depth of a tree that is drawn.
const DEPTH: usize = 60;

/// Renders the graphs, without a line end after the last line.
pub fn draw(graphs: &Resolver, to: &Renderer<'_>) -> Styled {
    match graphs.drawing {
        Drawing::Text => text(graphs, to),
        Drawing::Dot => Styled::from(dot(graphs).as_str()),
        Drawing::Mermaid => Styled::from(mermaid(graphs).as_str()),
        Drawing::Svg => Styled::from(picture(graphs, PAGE).as_str()),
        Drawing::Json => Styled::from(super::json::json(graphs, to).to_string()),
    }
}

fn text(graphs: &Resolver, to: &Renderer<'_>) -> Styled {
    let mut out = Styled::new();
    for (heading, graph) in graphs.graphs() {
        if !out.is_empty() {
            out.plain("\n");
        }
        out.push(Role::Heading, heading);
        out.plain("\n");
        out.append(&tree(graph, to));
    }
    out
}

/// Renders a graph as a tree. A node that several edges lead to is drawn once; later edges only name it.
pub fn tree(graph: &NodeGraph, to: &Renderer<'_>) -> Styled {
    let mut rows: Vec<(Styled, String)> = Vec::new();
    let mut seen = vec![false; graph.nodes.len()];
    let mut work: Vec<(usize, String, Option<&GraphEdge>, bool)> = vec![(0, String::new(), None, true)];
    let mut lines = 0;
    while let Some((number, indent, edge, last)) = work.pop() {
        let Some(node) = graph.nodes.get(number) else { continue };
        lines += 1;
        if lines > LINES {
            continue;
        }
        let again = seen.get_mut(number).is_some_and(|seen| std::mem::replace(seen, true));
        let mut row = Styled::new();
        let inside = match edge {
            None => String::new(),
            Some(edge) => {
                row.push(Role::Dim, format!("{indent}{} ", if last { "`-" } else { "|-" }));
                if !edge.label.is_empty() {
                    row.push(if edge.is_key { Role::Name } else { Role::Dim }, edge.label.as_str());
                    row.plain(": ");
                }
                format!("{indent}{}", if last { "   " } else { "|  " })
            }
        };
        row.push(Role::Plain, node.label.as_str());
        if again {
            row.push(Role::Dim, " (see above)");
        }
        let place = node.span.filter(|_| !again).map(|place| to.place(place)).unwrap_or_default();
        rows.push((row, place));
        if again || inside.len() > 3 * DEPTH {
            continue;
        }
        let count = node.edges.len();
        let edges = node.edges.iter().enumerate().rev();
        work.extend(edges.map(|(at, edge)| (edge.target, inside.clone(), Some(edge), at + 1 == count)));
    }
    // long labels are cut, so that each line has its place beside them
    let places = rows.iter().map(|(_, place)| place.width()).max().unwrap_or(0);
    let room = to.page.map_or(usize::MAX, |page| page.saturating_sub(2 * INDENT + places).max(MIN_LABEL));
    let mut table = Table::new().indented(INDENT).within(to.page);
    for (row, place) in rows {
        table.row([row.cut(room), Styled::of(Role::Dim, place)]);
    }
    let mut out = table.fit();
    if lines > LINES {
        out.push(Role::Dim, format!("\n  … {} more", lines - LINES));
    }
    out
}

/// Returns both graphs as one picture, each with its heading.
pub fn picture(graphs: &Resolver, style: &str) -> String {
    let mut picture = Picture {
        names: Vec::new(),
        values: Vec::new(),
        edges: Vec::new(),
        labels: Vec::new(),
        title: "The graph of the document, as it was read and after an expansion",
        what: "nodes",
    };
    for (heading, graph) in graphs.graphs() {
        picture.names.push(String::from(heading));
        let first = picture.names.len();
        picture.edges.push((first - 1, first));
        picture.labels.push(String::new());
        for (number, node) in graph.nodes.iter().enumerate() {
            picture.names.push(node.label.clone());
            for edge in &node.edges {
                picture.edges.push((first + number, first + edge.target));
                picture.labels.push(edge.label.to_string());
            }
        }
    }
    picture.svg(style)
}

fn dot(graphs: &Resolver) -> String {
    let mut out = String::from("digraph {\n  node [shape=box, fontname=\"monospace\"];\n");
    for (heading, graph) in graphs.graphs() {
        out += &format!("  subgraph cluster_{heading} {{\n    label={};\n", dot_quoted(heading));
        for (number, node) in graph.nodes.iter().enumerate() {
            out += &format!("    {heading}{number} [label={}];\n", dot_quoted(&node.label));
        }
        for (number, node) in graph.nodes.iter().enumerate() {
            for edge in &node.edges {
                let label =
                    if edge.label.is_empty() { String::new() } else { format!(" [label={}]", dot_quoted(&edge.label)) };
                out += &format!("    {heading}{number} -> {heading}{}{label};\n", edge.target);
            }
        }
        out += "  }\n";
    }
    out + "}"
}

fn mermaid(graphs: &Resolver) -> String {
    let mut out = String::from("graph TD");
    for (heading, graph) in graphs.graphs() {
        out += &format!("\n  subgraph {heading}");
        for (number, node) in graph.nodes.iter().enumerate() {
            out += &format!("\n    {heading}{number}[\"{}\"]", mermaid_label(&node.label));
        }
        for (number, node) in graph.nodes.iter().enumerate() {
            for edge in &node.edges {
                let arrow = match edge.label.is_empty() {
                    true => String::from("-->"),
                    false => format!("-->|\"{}\"|", mermaid_label(&edge.label)),
                };
                out += &format!("\n    {heading}{number} {arrow} {heading}{}", edge.target);
            }
        }
        out += "\n  end";
    }
    out
}
