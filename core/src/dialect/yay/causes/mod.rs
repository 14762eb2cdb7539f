//! Problems whose cause is on another line than the one where they were found: `cfg check` reports the cause, once.
//!
//! ```text
//! macro box:
//!   size: {{ size }}      inference finds that nothing defines `size`
//! a:
//!   call box:             the cause: this call does not pass it
//! ```

mod arguments;
mod dashes;
mod document;
mod fault;
mod indices;
mod layers;
mod operators;
mod pipes;
mod reads;
mod slip;
mod templates;

use super::grammar::YayGrammar;
use crate::dialect::{Stop, parser};
use crate::problem::Problem;
use crate::text::SourceId;
use document::Document;

/// Maximum length of a text in which causes are searched, in bytes.
const MAX_TEXT: usize = 100_000;
/// Maximum number of problems whose causes are searched.
const MAX_PROBLEMS: usize = 100;

/// Replaces problems of a text by their causes. `O(text × problems)`, with at most [`MAX_PROBLEMS`] problems.
pub fn find(source: SourceId, text: &str, problems: &mut Vec<Problem>) {
    if text.len() > MAX_TEXT || problems.len() > MAX_PROBLEMS {
        return;
    }
    let parsed = parser::program::<YayGrammar>(source, text, Stop::NEVER);
    if !parsed.problems.is_empty() {
        return;
    }
    let all = std::mem::take(problems);
    for problem in all {
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    let document = Document::new(source, text, &parsed.tree, parsed.parts);
    reads::place(&document, problems);
    pipes::find(&document, problems);
    dashes::find(&document, problems);
    arguments::find(&document, problems);
    operators::find(&document, problems);
    layers::find(&document, problems);
    indices::find(&document, problems);
    reads::find(&document, problems);
    templates::find(&document, problems);
}
