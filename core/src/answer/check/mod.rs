//! `:check`: the outcome of a check, with the expected and the found value or type, and a hint.

mod text;

use crate::answer::{Answer, Renderer};
use crate::dialect::Dialect;
use crate::dialect::notation::value::one_line;
use crate::styled::{Role, Styled};
use crate::value::datum::Datum;
use crate::view::html::{Cell, Html};
use serde_json::{Value, json};

/// Width of the text in HTML, in columns.
const WIDTH: usize = 76;
/// Maximum width of a value in JSON, in columns.
const VALUE: usize = 2000;

/// One side of a check.
#[derive(Clone, Debug)]
pub enum Side {
    /// A value.
    Value(Datum),
    /// A type, on one line.
    Type(String),
    /// Nothing, because a name is not defined. Holds the message.
    Undefined(String),
    /// An error. Holds its message.
    Error(String),
}

/// Both sides of a check.
#[derive(Clone, Debug)]
pub struct Sides {
    /// The expected side.
    pub expected: Side,
    /// The found side.
    pub found: Side,
}

/// The outcome of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The text of the check, on one line.
    pub check: String,
    /// The text of the expression whose value or type was checked, on one line.
    pub subject: String,
    /// Both sides of a check that did not pass. `None` if it passed.
    pub failed: Option<Sides>,
    /// The hint of the check.
    pub hint: Option<String>,
}

impl Side {
    /// Returns the side as one line of text.
    fn line(&self, dialect: Dialect) -> Styled {
        match self {
            Side::Value(datum) => one_line(dialect.spelling(), datum),
            Side::Type(text) | Side::Undefined(text) | Side::Error(text) => Styled::from(text.as_str()),
        }
    }
}

impl Answer for Checked {
    fn name(&self) -> &'static str {
        "check"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        text::text(self, to.width(), to)
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        html.paragraph(&text::title(self, WIDTH));
        let Some(sides) = &self.failed else { return };
        let side = |word, side| {
            let shown = text::side(side, WIDTH, to);
            let shown = match side {
                Side::Undefined(_) | Side::Error(_) => Cell::Prose(shown),
                Side::Value(_) | Side::Type(_) => Cell::Text(shown),
            };
            vec![Cell::Head(Styled::of(Role::Dim, word)), shown]
        };
        let hint =
            |hint: &String| vec![Cell::Head(Styled::of(Role::Dim, "hint")), Cell::Prose(Styled::of(Role::Note, hint))];
        let rows = [side("expected", &sides.expected), side("found", &sides.found)];
        html.table(&[], rows.into_iter().chain(self.hint.as_ref().map(hint)));
    }

    /// Returns the outcome as JSON, version 1: `docs/schema/check.json`.
    fn json(&self, to: &Renderer<'_>) -> Value {
        let lines = self.failed.as_ref().map(|sides| [&sides.expected, &sides.found].map(|side| side.line(to.dialect)));
        let line_of = |side: fn(&Sides) -> &Side| match (self.failed.as_ref().map(side), &lines) {
            (Some(side @ Side::Value(_)), Some(lines)) => {
                Value::from(side.line(to.dialect).cut_apart(VALUE, lines).text())
            }
            (Some(Side::Type(text)), _) => Value::from(text.as_str()),
            _ => Value::Null,
        };
        let problem = self.failed.as_ref().and_then(|sides| match &sides.found {
            Side::Undefined(text) | Side::Error(text) => Some(text.as_str()),
            _ => None,
        });
        json!({
            "version": 1,
            "dialect": to.dialect.name(),
            "check": self.check,
            "passed": self.failed.is_none(),
            "expected": line_of(|sides| &sides.expected),
            "found": line_of(|sides| &sides.found),
            "problem": problem,
            "hint": self.hint,
        })
    }
}
