//! Yay, as of version 3.1.1 and the document on its resolver.
//!
//! The stages are [`lexer`] (tokens, with indentation), [`grammar`] (a flat [`tree`]) and `lower` (the core language).
//! Each stage is total, and all recursion is guarded.

mod ast;
mod cases;
mod causes;
mod cells;
mod cursor;
mod flow;
pub mod grammar;
mod graph;
mod habits;
mod highlight;
mod include;
pub mod lexer;
// The module is not named `std`, because that would hide the crate `std`.
#[path = "std/mod.rs"]
pub mod library;
mod lower;
mod meant;
pub mod notation;
pub mod problem;
mod strays;
mod surprises;
#[cfg(test)]
mod tests;
pub mod token;
pub mod tree;
mod unbound;
mod unexpected;

use super::{Cells, Editor, Edits, Help, Language, LineEdits, Names, Program, parser};
use crate::text::SourceId;
use grammar::YayGrammar;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The name under which terms read the library.
const LIBRARY: &str = crate::term::rules::STANZAS.library;

/// The language.
pub static LANGUAGE: Language = Language {
    name: "yay",
    title: "Yay",
    endings: &["yay"],
    formats: &["Yay"],
    is_programs: true,
    program: Some(program),
    part_of: None,
    documents: None,
    variable: None,
    cells: Some(&Cells {
        cell: cells::cell,
        completeness: cells::completeness,
        mistake: parser::mistake::<YayGrammar>,
        inputs: cells::inputs,
        highlight: parser::highlight::<YayGrammar>,
        tokens: parser::tokens_of::<YayGrammar>,
        editor: Some(&Editor {
            mime: "text/x-yay",
            similar_mime: "text/x-yaml",
            aliases: &[],
            lexer: "cfg-yay",
            takes_files: true,
            is_indented: true,
            home: "https://github.com/yaybu/yay",
            quotes: &["\"", "'"],
            line_comment: "#",
            block_comment: None,
            scanner: highlight::scanner,
        }),
        ast: ast::ast,
        graph: Some(graph::read),
        cursor: cursor::cursor,
        keywords: &[
            "if",
            "elif",
            "else",
            "for",
            "in",
            "set",
            "select",
            "include",
            "search",
            "macro",
            "call",
            "prototype",
            "new",
            "as",
            "extend",
            "and",
            "or",
            "not",
            "is",
            "lambda",
        ],
    }),
    rules: &crate::term::rules::STANZAS,
    library: Some(&library::Std),
    spelling: &notation::SPELLING,
    edits: Edits::Lines(LineEdits {
        separator: ':',
        may_follow: |rest| rest.is_empty() || rest.starts_with('#'),
        can_write: |_| true,
    }),
    calls_with_arguments: false,
    own_json: false,
    path_variable: None,
    table: None,
    modules: None,
    newest: None,
    of_data: None,
    hint_at: Some(|code, text, at| match code {
        "scope/unbound" => include::hint(text, at.clone()).or_else(|| unbound::hint(text, at)),
        "value/missing-field" => cases::hint(text, at.clone()).or_else(|| meant::hint(text, at)),
        "types/conflict" | "types/call" | "types/missing-field" | "value/type" => meant::hint(text, at),
        "syntax/open-text" => None,
        "syntax/unexpected" => include::hint(text, at.clone()).or_else(|| unexpected::hint(text, at)),
        "value/infinite-recursion" => unexpected::of_recursion(text, at),
        _ => include::hint(text, at),
    }),
    causes: Some(causes::find),
    help: &Help {
        inputs: &[
            ("port: 80", "a key of the document. Nothing is evaluated yet"),
            ("url: http://{{ host }}:{{ port }}", "a template: `url` follows when `port` is defined again"),
            ("{{ port + 1 }}", "an expression: its value, and its type behind it"),
            (":explain url", "a command: where the value comes from"),
            ("it, $3", "the last result, the result of input 3"),
        ],
        pages: include_str!("help.txt"),
    },
};

/// The codes of problems that may be consequences of a parse error.
const CONSEQUENT_CODES: &[&str] = &["scope/unbound"];

/// Reads a file or an expression. Total. Near-linear in the length of the text.
pub fn program(source: SourceId, text: &str, names: &dyn Names) -> Program {
    let parsed = parser::program::<YayGrammar>(source, text, names.stop());
    let earlier = FxHashSet::default();
    let (term, mut problems, _) = lower::Lower::new(&parsed.tree, names, &earlier).whole(parsed.parts);
    problems.extend(grammar::warnings(&parsed.tree, text, &parsed.problems));
    problems.extend(parsed.problems);
    Program { term: Arc::new(term), problems: parser::in_order(problems, CONSEQUENT_CODES) }
}
