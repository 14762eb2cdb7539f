//! Answers in the formats that a notebook shows: HTML, an image if there is one, and the data as JSON.
//!
//! Every format is made from the same data as the text. The HTML is a fragment ([`crate::view::html::Html::fragment`]),
//! and is a function of the answer alone.

pub mod report;
pub mod snippet;

use super::html::Html;
use super::{Role, Styled};
use serde_json::Value;

/// An answer in formats richer than text.
#[derive(Clone, PartialEq, Debug)]
pub struct Rich {
    /// The kind of answer, in one word. The data's media type is `application/vnd.cfg.WORD+json`.
    pub what: &'static str,
    /// The HTML fragment.
    pub html: String,
    /// The data.
    pub json: Value,
    /// An SVG image.
    pub svg: Option<String>,
}

impl Rich {
    /// Makes an answer from elements and data.
    pub(crate) fn new(what: &'static str, html: &Html, json: Value) -> Rich {
        Rich { what, html: html.fragment(), json, svg: None }
    }
}

impl Styled {
    /// Returns the text as an HTML fragment that keeps its lines and roles. `None` if it has no roles, because plain
    /// text is then sufficient.
    pub fn to_html(&self) -> Option<String> {
        if self.runs().iter().all(|(role, _)| matches!(role, Role::Plain | Role::Dim)) {
            return None;
        }
        let mut html = Html::new();
        html.preformatted(self);
        Some(html.fragment())
    }
}
