//! The graph of a document as HTML: a picture, and the same as text.

use super::{Resolver, text};
use crate::answer::Renderer;
use crate::answer::graph::PART;
use crate::styled::Styled;
use crate::view::html::Html;

/// Writes the graphs.
pub fn html(graphs: &Resolver, to: &Renderer<'_>, html: &mut Html) {
    if graphs.graphs().next().is_none() {
        return;
    }
    html.picture(&text::picture(graphs, PART), "The graph of the document: the text below has the same content");
    for (heading, graph) in graphs.graphs() {
        html.details(false, &Styled::from(heading), |html| {
            html.preformatted(&text::tree(graph, to));
        });
    }
}
