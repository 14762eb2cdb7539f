//! The function graph of a program: constants, variables, functions and fields, and which value goes into which argument.

mod build;
mod html;
mod json;
mod text;

use crate::answer::{Answer, Renderer};
use crate::dialect::Languages;
use crate::styled::Styled;
use crate::term::Term;
use crate::text::{Sources, Span};
use crate::view::Drawing;
use crate::view::html::Html;
use serde_json::Value as Json;

/// The kinds of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// A constant.
    Constant,
    /// A variable, a parameter, or a name of the session.
    Variable,
    /// A function, an operator or a construct that computes a value.
    Function,
    /// A field of a resource, or of the record that a program is.
    Field,
    /// A resource.
    Resource,
}

impl NodeKind {
    /// The word for the kind.
    pub fn name(self) -> &'static str {
        match self {
            NodeKind::Constant => "constant",
            NodeKind::Variable => "variable",
            NodeKind::Function => "function",
            NodeKind::Field => "field",
            NodeKind::Resource => "resource",
        }
    }
}

/// A node.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Its kind.
    pub kind: NodeKind,
    /// Its name: `fmt.printf`, `+`, `$x`, `42`, `file[/tmp/x].content`.
    pub label: String,
    /// Its place in the program.
    pub place: Option<Span>,
}

/// An edge: a value that goes into a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// The number of the node that the value is of.
    pub from: usize,
    /// The number of the node that it goes into.
    pub to: usize,
    /// The name of the argument: `format`, `a`, `content`.
    pub argument: String,
}

/// The function graph of a program.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Functions {
    /// The nodes, each after those that it needs, if it does not need itself.
    pub nodes: Vec<Node>,
    /// The edges, by the nodes that they go into.
    pub edges: Vec<Edge>,
    /// The notation of its text.
    pub drawing: Drawing,
}

impl Functions {
    /// Returns the function graph of a program. O(nodes of the program).
    pub fn of(term: &Term, languages: Languages, sources: &Sources) -> Functions {
        build::graph(term, languages, sources)
    }
}

impl Answer for Functions {
    fn name(&self) -> &'static str {
        "functions"
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
        (!self.nodes.is_empty()).then(|| text::picture(self, crate::answer::graph::PART))
    }
}
