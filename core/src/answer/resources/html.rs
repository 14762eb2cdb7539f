//! A graph of resources as HTML: a picture, and tables of the resources and edges.

use super::{Resources, text};
use crate::answer::Renderer;
use crate::answer::graph::PART;
use crate::answer::shared::{ROWS, VALUE};
use crate::dialect::notation::value::one_line;
use crate::styled::{Role, Styled};
use crate::view::html::{Cell, Html};

/// Writes a graph.
pub fn html(graph: &Resources, to: &Renderer<'_>, html: &mut Html) {
    if graph.resources.is_empty() {
        html.paragraph(&Styled::of(Role::Dim, "There are no resources."));
        return;
    }
    let svg = text::picture(graph, to.dialect, PART);
    html.picture(&svg, "The graph of resources: the tables below have the same content");
    let rows = graph.resources.iter().take(ROWS).map(|resource| {
        let mut fields = Styled::new();
        for (name, value) in resource.fields.iter().filter_map(|e| Some((&e.name, e.value.as_ref()?))) {
            if !fields.is_empty() {
                fields.plain(", ");
            }
            fields.push(Role::Name, name.as_str());
            fields.push(Role::Operator, " => ");
            fields.append(&one_line(to.dialect.spelling(), value).cut(VALUE));
        }
        vec![Cell::Head(Styled::of(Role::Name, resource.label.as_str())), Cell::Text(fields)]
    });
    html.table(&["resource", "fields"], rows.collect::<Vec<Vec<Cell>>>());
    let edges = graph.edges.iter().take(ROWS).map(|edge| {
        vec![
            Cell::Text(Styled::of(Role::Name, edge.from.as_str())),
            Cell::Text(Styled::of(Role::Name, edge.to.as_str())),
            Cell::Text(Styled::from(if edge.notify { "notify" } else { "" })),
        ]
    });
    let edges: Vec<Vec<Cell>> = edges.collect();
    if !edges.is_empty() {
        html.table(&["first", "then", ""], edges);
    }
    let left_out = graph.resources.len().saturating_sub(ROWS) + graph.edges.len().saturating_sub(ROWS);
    if left_out > 0 {
        html.paragraph(&Styled::of(Role::Dim, format!("… {left_out} more")));
    }
}
