//! The `cfg` dialect: Nickel's syntax and more.
//!
//! Text goes through [`lexer`] (tokens), [`grammar`] (a flat [`tree`]) and `lower` (the core language). Each of them is
//! total and none recurses without a guard.

mod ast;
mod cells;
mod cursor;
pub mod grammar;
mod highlight;
pub mod lexer;
// Not named `std`: that would hide the crate.
#[path = "std/mod.rs"]
pub mod library;
mod lower;
pub mod notation;
mod primop;
#[cfg(test)]
mod tests;
pub mod token;
pub mod tree;

pub use ast::ast;
pub use cells::cell;
pub use cursor::cursor;
pub use highlight::highlight;
pub use lower::Focus;

/// The words that begin or continue an expression.
pub const KEYWORDS: &[&str] = &[
    "let", "in", "fun", "if", "then", "else", "match", "import", "true", "false", "null", "forall", "rec", "include",
    "Array",
];

use super::{Completeness, Names, Program, parser};
use crate::text::SourceId;
use grammar::Cfg;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// The problems that may only follow from what did not parse.
const FOLLOWING: &[&str] = &["scope/unbound"];

/// Reads a file or an expression. Total. Near-linear in the text's length.
pub fn program(source: SourceId, text: &str, names: &dyn Names) -> Program {
    let parsed = parser::program::<Cfg>(source, text, names.stop());
    let earlier = FxHashSet::default();
    let (term, mut problems, _) = lower::Lower::new(&parsed.tree, names, &earlier).whole(parsed.parts);
    problems.extend(parsed.problems);
    Program { term: Arc::new(term), problems: parser::in_order(problems, FOLLOWING) }
}

/// Whether an input is a whole one. O(length).
pub fn completeness(text: &str) -> Completeness {
    parser::completeness::<Cfg>(text)
}

/// The first place that nothing behind the text can mend. O(length).
pub fn mistake(text: &str) -> Option<Range<usize>> {
    parser::mistake::<Cfg>(text)
}

/// The inputs that a text of several lines holds. Linear in the text's length.
pub fn inputs(text: &str) -> Vec<&str> {
    parser::inputs::<Cfg>(text)
}
