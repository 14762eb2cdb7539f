//! The graph of a document as its language draws it: the nodes as they were read, and the nodes after an expansion.

mod html;
mod json;
mod text;

use crate::answer::graph::PART;
use crate::answer::{Answer, Renderer};
use crate::dialect::node_graph::NodeGraph;
use crate::problem::Problem;
use crate::styled::Styled;
use crate::view::Drawing;
use crate::view::html::Html;
use serde_json::Value as Json;

/// The graph of a value before and after its expansion.
#[derive(Clone, PartialEq, Debug)]
pub struct Resolver {
    /// The nodes as they were read. `None` if the value is not in the text, such as a key of an included file.
    pub parsed: Option<NodeGraph>,
    /// The nodes after the expansion.
    pub expanded: Option<NodeGraph>,
    /// The reason why it cannot be expanded.
    pub fault: Option<Problem>,
    /// The notation of its text.
    pub drawing: Drawing,
}

impl Resolver {
    /// Returns the graphs with their headings.
    fn graphs(&self) -> impl Iterator<Item = (&'static str, &NodeGraph)> {
        let both = [("parsed", &self.parsed), ("expanded", &self.expanded)];
        both.into_iter().filter_map(|(heading, graph)| Some((heading, graph.as_ref()?)))
    }
}

impl Answer for Resolver {
    fn name(&self) -> &'static str {
        "resolver"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        text::draw(self, to)
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        html::html(self, to, html);
    }

    fn json(&self, to: &Renderer<'_>) -> Json {
        json::json(self, to)
    }

    fn svg(&self, _: &Renderer<'_>) -> Option<String> {
        self.graphs().next().is_some().then(|| text::picture(self, PART))
    }

    fn fault(&self) -> Option<&Problem> {
        self.fault.as_ref()
    }
}
