//! A graph as HTML: a picture, and a table of the fields that each field reads.

use super::{Graph, text};
use crate::answer::Renderer;
use crate::answer::shared::{ROWS, VALUE};
use crate::dialect::notation::value::one_line;
use crate::styled::{Role, Styled};
use crate::view::html::{Cell, Html};

/// Writes a graph.
pub fn html(graph: &Graph, to: &Renderer<'_>, html: &mut Html) {
    let path = |number: usize| graph.nodes.get(number).map(|node| node.name()).unwrap_or_default();
    let rows = graph.nodes.iter().enumerate().filter_map(|(number, node)| {
        let reads: Vec<String> =
            graph.edges.iter().filter(|(from, _)| *from == number).map(|(_, to)| path(*to)).collect();
        let value =
            node.value.as_ref().map(|value| one_line(to.dialect.spelling(), value).cut(VALUE)).unwrap_or_default();
        let place = Styled::of(Role::Dim, node.place.map(|span| to.place(span)).unwrap_or_default());
        let row = vec![
            Cell::Head(Styled::of(Role::Name, path(number))),
            Cell::Text(value),
            Cell::Text(Styled::of(Role::Name, reads.join(", "))),
            Cell::Text(place),
        ];
        (!reads.is_empty()).then_some(row)
    });
    let mut rows: Vec<Vec<Cell>> = rows.collect();
    let svg = (!graph.nodes.is_empty()).then(|| text::picture(graph, to.dialect));
    if let Some(svg) = &svg {
        html.picture(svg, "The dependencies, as a graph: the table below has the same content");
        let left_out = rows.len().saturating_sub(ROWS);
        rows.truncate(ROWS);
        html.details(false, &Styled::from("reads"), |html| {
            html.table(&["field", "value", "reads", "where"], rows);
            if left_out > 0 {
                html.paragraph(&Styled::of(Role::Dim, format!("… {left_out} more")));
            }
        });
    }
    for line in text::closing(graph) {
        html.paragraph(&Styled::of(Role::Dim, line));
    }
}
