//! The tokens of a text.

use crate::answer::{Answer, Renderer};
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::text::{Position, Source, on_one_line};
use crate::view::html::{Cell, Html};
use serde_json::{Value, json};
use std::ops::Range;

/// Maximum width of a token, in columns.
const MAX_WIDTH: usize = 40;

/// The tokens of a text, in order.
pub struct Tokens(Vec<Token>);

struct Token {
    kind: String,
    text: String,
    at: Position,
}

impl Tokens {
    /// Creates the answer from the places and kinds of the tokens of a source, at byte `from` and after it.
    pub fn of(tokens: Vec<(Range<usize>, String)>, source: &Source, from: usize) -> Tokens {
        let token = |(range, kind): (Range<usize>, String)| Token {
            kind,
            text: source.shown(range.clone()).into_owned(),
            at: source.position(range.start as u32),
        };
        // the end of a text has no characters
        Tokens(tokens.into_iter().filter(|(range, _)| range.start >= from && !range.is_empty()).map(token).collect())
    }

    fn rows(&self) -> impl Iterator<Item = [Styled; 3]> {
        self.0.iter().map(|token| {
            [
                Styled::from(on_one_line(&token.text)).cut(MAX_WIDTH),
                Styled::of(Role::Keyword, token.kind.as_str()),
                Styled::of(Role::Dim, format!("{}:{}", token.at.line, token.at.column)),
            ]
        })
    }
}

impl Answer for Tokens {
    fn name(&self) -> &'static str {
        "tokens"
    }

    fn text(&self, _: &Renderer<'_>) -> Styled {
        let mut table = Table::new();
        self.rows().for_each(|row| table.row(row));
        table.fit()
    }

    fn html(&self, _: &Renderer<'_>, html: &mut Html) {
        html.table(&["token", "kind", "place"], self.rows().map(|row| row.into_iter().map(Cell::Text).collect()));
    }

    fn json(&self, _: &Renderer<'_>) -> Value {
        let token = |token: &Token| json!({"text": token.text, "kind": token.kind, "line": token.at.line, "column": token.at.column});
        json!({ "tokens": self.0.iter().map(token).collect::<Vec<_>>() })
    }
}
