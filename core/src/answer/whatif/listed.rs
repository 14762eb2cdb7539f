//! The definitions that an explanation lists, as rows that a face can show with keys to change them.

use super::text::of_rows;
use crate::answer::Renderer;
use crate::answer::explain::{Explanation, words};
use crate::styled::Styled;

/// A definition that `:explain` lists. Its number in `:whatif` is its position in the list, from 1.
#[derive(Clone, PartialEq, Debug)]
pub struct ListedDefinition {
    /// The word for its outcome, such as `WINS`.
    pub outcome: String,
    /// Its priority or its layer, in words.
    pub strength: String,
    /// Its own value. Empty if it has none.
    pub value: Styled,
    /// The place of its value. Empty if it has none.
    pub place: String,
}

/// Returns the definitions of an explanation, in its order.
pub fn listed(explanation: &Explanation, to: &Renderer<'_>) -> Vec<ListedDefinition> {
    let rows = explanation.rows();
    let listed = rows.iter().zip(of_rows(&rows, to)).map(|(row, value)| ListedDefinition {
        outcome: String::from(row.outcome.word()),
        strength: words::strength(row, explanation),
        value,
        place: row.place.as_ref().map(ToString::to_string).unwrap_or_default(),
    });
    listed.collect()
}
