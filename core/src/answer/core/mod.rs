//! `:core`: a program of the core language.

pub mod fold;
mod text;

use crate::answer::{Answer, Renderer};
use crate::styled::Styled;
use crate::term::Term;
use crate::view::html::Html;
use serde_json::{Value, json};
use std::sync::Arc;

/// Width of a term in HTML and JSON, in columns.
const WIDTH: usize = 76;

/// A program, as an answer.
pub struct Core(pub Arc<Term>);

impl Core {
    fn lines(&self, width: usize, to: &Renderer<'_>) -> Styled {
        text::core(&self.0, width, &|span| to.written(span), &|span| to.is_secret(span))
    }
}

impl Answer for Core {
    fn name(&self) -> &'static str {
        "core"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        self.lines(to.width(), to)
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        html.preformatted(&self.lines(WIDTH, to));
    }

    fn json(&self, to: &Renderer<'_>) -> Value {
        json!({
            "version": 1,
            "dialect": to.dialect.name(),
            "term": self.lines(WIDTH, to).text(),
            "nodes": self.0.nodes.len(),
        })
    }
}
