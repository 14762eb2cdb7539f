//! The interface of all answers: an answer is data that is rendered as text, HTML or JSON on request.

use super::fixes::Edit;
use super::steps::text::Page;
use super::value::ValueAnswer;
use super::whatif::listed::ListedDefinition;
use crate::dialect::Dialect;
use crate::problem::Problem;
use crate::styled::Styled;
use crate::text::{Sources, Span};
use crate::view::Medium;
use crate::view::html::Html;
use crate::view::rich::Rich;
use serde_json::Value;

/// Width of the text without a page, in columns.
const WIDTH: usize = 80;

/// The settings that an answer is rendered with.
#[derive(Clone, Copy)]
pub struct Renderer<'a> {
    /// The language of values and types.
    pub dialect: Dialect,
    /// The texts that places are in.
    pub sources: &'a Sources,
    /// Width of the page, in columns. `None` without a page, for instance in a pipe; some lines then have no maximum
    /// width.
    pub page: Option<usize>,
    /// The words of the current face for what the user can do next.
    pub hints: Hints<'a>,
}

/// The commands and options that an answer mentions, in the words of the face that shows it. An empty one is not
/// mentioned.
#[derive(Clone, Copy, Default)]
pub struct Hints<'a> {
    /// Explains one field: `:explain <path>`.
    pub explain: &'a str,
    /// Lists the unchanged fields too: `--all`.
    pub all: &'a str,
    /// Shows more merges, before their number: `--most`.
    pub more: &'a str,
    /// Compares two expressions: `:diff`.
    pub diff: &'a str,
    /// Shows one step in full, before its number: `:why`, `--step`.
    pub step: &'a str,
    /// Lists dependencies, before a path: `:deps`, `cfg deps FILE`.
    pub deps: &'a str,
    /// Writes the answer as JSON: `--format json`.
    pub json: &'a str,
    /// The sentence about a program without a type error, for a question about that error.
    pub no_error: &'a str,
}

impl Renderer<'_> {
    /// Returns the width to lay text out for, in columns.
    pub fn width(&self) -> usize {
        self.page.unwrap_or(WIDTH)
    }

    /// Returns `file:line:column` of a place.
    pub fn place(&self, span: Span) -> String {
        self.sources.locate(span)
    }

    /// Returns whether a text contains a part of a secret.
    pub fn is_secret(&self, span: Span) -> bool {
        let source = self.sources.get(span.source);
        source.is_some_and(|source| source.overlaps_secret(span.start as usize..span.end as usize))
    }

    /// Returns the text at a place, as it is written.
    pub fn written(&self, span: Span) -> String {
        self.sources.slice(span).to_string()
    }
}

/// Implements `name`, `text`, `html` and `json` of [`Answer`]. The last three call the functions of these names in the modules
/// of these names.
macro_rules! forms {
    ($name:literal) => {
        fn name(&self) -> &'static str {
            $name
        }

        fn text(&self, to: &$crate::answer::Renderer<'_>) -> $crate::styled::Styled {
            text::text(self, to)
        }

        fn html(&self, to: &$crate::answer::Renderer<'_>, html: &mut $crate::view::html::Html) {
            html::html(self, to, html);
        }

        fn json(&self, to: &$crate::answer::Renderer<'_>) -> serde_json::Value {
            json::json(self, to)
        }
    };
}
pub(super) use forms;

/// An answer as data. Each form is rendered on request.
pub trait Answer {
    /// One word for the kind of answer: the media type of its data is `application/vnd.cfg.WORD+json`.
    fn name(&self) -> &'static str;

    /// Renders it as text, without a line end after the last line.
    fn text(&self, to: &Renderer<'_>) -> Styled;

    /// Writes it as HTML elements.
    fn html(&self, to: &Renderer<'_>, html: &mut Html);

    /// Returns it as JSON, by its schema in `docs/schema`.
    fn json(&self, to: &Renderer<'_>) -> Value;

    /// Returns a picture of it, for a page that may be dark or light.
    fn svg(&self, _to: &Renderer<'_>) -> Option<String> {
        None
    }

    /// Returns the note that is shown if there is no answer. On the command line, the note is a report if the output is data.
    fn note(&self, _to: &Renderer<'_>) -> Option<Styled> {
        None
    }

    /// Returns its pages for a stepper, and the text after the last one. `None` if it has no pages.
    fn pages(&self, _to: &Renderer<'_>) -> Option<(Vec<Page>, Styled)> {
        None
    }

    /// Returns the definitions that it lists, which `:whatif` can change. Empty for most answers.
    fn definitions(&self, _to: &Renderer<'_>) -> Vec<ListedDefinition> {
        Vec::new()
    }

    /// Returns the edits that make it true. Empty if it is about the session as it is.
    fn edits(&self) -> Vec<Edit> {
        Vec::new()
    }

    /// Returns the value, if the answer is shown like the value of an expression.
    fn value(&self) -> Option<&ValueAnswer> {
        None
    }

    /// The problems of the subject, which are reported before the answer.
    fn problems(&self) -> &[Problem] {
        &[]
    }

    /// The title of a page that holds it.
    fn title(&self, _to: &Renderer<'_>) -> String {
        String::from(self.name())
    }

    /// The text after the page: a blank line, but none after steps.
    fn page_end(&self) -> &'static str {
        "\n"
    }

    /// Returns `true` if the value that it is about, or a part that it shows, has an error.
    fn has_faults(&self) -> bool {
        self.fault().is_some()
    }

    /// The reason why the value is missing. `None` if it is not missing, or if the text of the answer states the reason.
    fn fault(&self) -> Option<&Problem> {
        None
    }
}

impl dyn Answer + '_ {
    /// Renders an answer for the command line. The result is empty or ends with a line end.
    pub fn output(&self, medium: Medium, to: &Renderer<'_>) -> Styled {
        let (mut output, end) = match medium {
            Medium::Text => (self.text(to), "\n"),
            Medium::Json => (Styled::from(self.json(to).to_string()), "\n"),
            Medium::Html => {
                let mut html = Html::new();
                self.html(to, &mut html);
                (Styled::from(html.page(&self.title(to))), self.page_end())
            }
        };
        if !output.is_empty() {
            output.plain(end);
        }
        output
    }

    /// Returns the forms that a notebook shows beside the text.
    pub fn rich(&self, to: &Renderer<'_>) -> Rich {
        let mut html = Html::new();
        self.html(to, &mut html);
        Rich { svg: self.svg(to), ..Rich::new(self.name(), &html, self.json(to)) }
    }
}
