//! Answers in the forms that a notebook shows: HTML, a picture where there is one, and the data as JSON.
//!
//! Each is made from the same data as the text. The HTML is a fragment ([`crate::view::html::Html::fragment`]): its bytes
//! depend on the answer alone.

pub mod report;
pub mod snippet;

use super::html::Html;
use super::{Role, Styled};
use serde_json::Value;

/// An answer in richer forms than text.
#[derive(Clone, PartialEq, Debug)]
pub struct Rich {
    /// What it is, one word: the data's media type is `application/vnd.cfg.WORD+json`.
    pub what: &'static str,
    /// A fragment of a page.
    pub html: String,
    /// The data.
    pub json: Value,
    /// A picture.
    pub svg: Option<String>,
}

impl Rich {
    /// An answer of elements and data.
    pub fn new(what: &'static str, html: &Html, json: Value) -> Rich {
        Rich { what, html: html.fragment(), json, svg: None }
    }
}

/// A text as a fragment: its lines as they are, its parts by their roles. `None` where it has none: the text says all.
pub fn text(text: &Styled) -> Option<String> {
    if text.runs().iter().all(|(role, _)| matches!(role, Role::Plain | Role::Dim)) {
        return None;
    }
    let mut html = Html::new();
    html.preformatted(text);
    Some(html.fragment())
}
