//! A function graph as HTML: a picture, and a table of the arguments of each node.

use super::{Functions, text};
use crate::answer::Renderer;
use crate::answer::shared::ROWS;
use crate::styled::{Role, Styled};
use crate::view::html::{Cell, Html};

/// Writes a graph.
pub fn html(graph: &Functions, to: &Renderer<'_>, html: &mut Html) {
    if graph.nodes.is_empty() {
        html.paragraph(&Styled::of(Role::Dim, "There are no functions."));
        return;
    }
    let svg = text::picture(graph, crate::answer::graph::PART);
    html.picture(&svg, "The function graph: the table below has the same content");
    let rows = graph.nodes.iter().enumerate().take(ROWS).map(|(number, node)| {
        let mut arguments = Styled::new();
        for edge in graph.edges.iter().filter(|edge| edge.to == number) {
            if !arguments.is_empty() {
                arguments.plain(", ");
            }
            arguments.push(Role::Name, edge.argument.as_str());
            arguments.push(Role::Operator, ": ");
            arguments.append(&text::label(graph, edge.from));
        }
        let place = node.place.map(|span| to.place(span)).unwrap_or_default();
        vec![
            Cell::Head(Styled::of(Role::Dim, (number + 1).to_string())),
            Cell::Text(text::label(graph, number)),
            Cell::Text(Styled::from(node.kind.name())),
            Cell::Text(arguments),
            Cell::Text(Styled::of(Role::Dim, place)),
        ]
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    html.details(false, &Styled::from("which value goes into which argument"), |html| {
        html.table(&["", "node", "kind", "arguments", "where"], rows);
        if graph.nodes.len() > ROWS {
            html.paragraph(&Styled::of(Role::Dim, format!("… {} more", graph.nodes.len() - ROWS)));
        }
    });
}
