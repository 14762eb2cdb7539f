//! Jsonnet, as of 0.22.
//!
//! Text goes through [`lexer`] (tokens), [`grammar`] (a flat [`tree`]) and `lower` (the core language). Each of them is
//! total and none recurses without a guard.

mod ast;
mod cells;
mod complete;
mod cursor;
pub mod grammar;
mod highlight;
pub mod lexer;
// Not named `std`: that would hide the crate.
#[path = "std/mod.rs"]
pub mod library;
mod lower;
pub mod notation;
#[cfg(test)]
mod tests;
pub mod token;
pub mod tree;

pub use crate::value::eval::jsonnet::LIBRARY;
pub use ast::ast;
pub use cells::{cell, inputs};
pub use complete::completeness;
pub use cursor::cursor;
pub use highlight::highlight;
pub use lower::Focus;

/// The words that begin or continue an expression.
pub const KEYWORDS: &[&str] = &[
    "local",
    "self",
    "super",
    "function",
    "if",
    "then",
    "else",
    "for",
    "in",
    "import",
    "importstr",
    "importbin",
    "error",
    "assert",
    "true",
    "false",
    "null",
    "tailstrict",
];

use super::{Names, Program};
use crate::problem::Problem;
use crate::text::SourceId;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Reads a file or an expression. Total. Near-linear in the text's length.
pub fn program(source: SourceId, text: &str, names: &dyn Names) -> Program {
    let parsed = grammar::parse(source, text, grammar::Goal::Program, names.stop());
    let mut tree = parsed.tree;
    let root = match parsed.root {
        Some(root) => root,
        None => tree.add(tree::Expr::Hole, crate::text::Span::new(source, 0, text.len())),
    };
    let earlier = FxHashSet::default();
    let (term, mut problems, _) = lower::Lower::new(&tree, names, &earlier).whole(root);
    problems.extend(parsed.problems);
    Program { term: Arc::new(term), problems: in_order(problems) }
}

/// Problems that stand for themselves, in the order of their places: where a text does not parse, a name that seems
/// unbound may only be a part of what did not parse.
fn in_order(mut problems: Vec<Problem>) -> Vec<Problem> {
    if problems.iter().any(|p| matches!(p.code(), "syntax/unexpected" | "syntax/unclosed")) {
        problems.retain(|p| !matches!(p.code(), "scope/unbound" | "scope/outside-object"));
    }
    problems.sort_by_key(|p| p.span().map(|s| s.start));
    problems
}
