//! Jsonnet, as of version 0.22. In this folder, "the reference" is the C++ implementation of Jsonnet in that version.
//!
//! The stages are [`lexer`] (tokens), [`grammar`] (a flat [`tree`]) and `lower` (the core language). Each stage is
//! total, and all recursion is guarded.

mod adjacent;
mod advice;
mod around;
mod ast;
mod cells;
mod cursor;
mod foreign;
pub mod grammar;
mod highlight;
pub mod lexer;
// The module is not named `std`, because that would hide the crate `std`.
#[path = "std/mod.rs"]
pub mod library;
mod lower;
pub mod notation;
mod problem;
mod report;
#[cfg(test)]
mod tests;
pub mod token;
pub mod tree;

use super::{Cells, Editor, Edits, Help, Language, Names, Program, parser};
use crate::text::SourceId;
use grammar::JsonnetGrammar;

/// The name under which terms read the library.
const LIBRARY: &str = crate::term::rules::OBJECTS.library;
/// The name of the library in programs.
const STD: &str = "std";

/// The language.
pub static LANGUAGE: Language = Language {
    name: "jsonnet",
    title: "Jsonnet",
    endings: &["jsonnet", "libsonnet"],
    formats: &["Jsonnet"],
    is_programs: true,
    program: Some(program),
    part_of: None,
    documents: None,
    variable: None,
    cells: Some(&Cells {
        cell: parser::read_cell::<JsonnetGrammar>,
        completeness: parser::completeness::<JsonnetGrammar>,
        mistake: parser::mistake::<JsonnetGrammar>,
        inputs: parser::inputs::<JsonnetGrammar>,
        highlight: parser::highlight::<JsonnetGrammar>,
        tokens: parser::tokens_of::<JsonnetGrammar>,
        editor: Some(&Editor {
            mime: "text/x-jsonnet",
            similar_mime: "application/json",
            aliases: &[],
            lexer: "cfg-jsonnet",
            takes_files: false,
            is_indented: false,
            home: "https://jsonnet.org",
            quotes: &["\"", "'"],
            line_comment: "//",
            block_comment: Some(["/*", "*/"]),
            scanner: highlight::scanner,
        }),
        ast: ast::ast,
        graph: None,
        cursor: parser::cursor::<JsonnetGrammar>,
        keywords: &[
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
        ],
    }),
    rules: &crate::term::rules::OBJECTS,
    library: Some(&library::Std),
    spelling: &notation::SPELLING,
    edits: Edits::Never,
    calls_with_arguments: true,
    own_json: true,
    path_variable: Some("JSONNET_PATH"),
    table: None,
    modules: None,
    newest: None,
    of_data: None,
    causes: None,
    hint_at: Some(|code, text, at| {
        adjacent::hint(text, at.clone())
            .or_else(|| library::meant::hint(text, at.clone()))
            .or_else(|| foreign::hint(code, text, at.clone()))
            .or_else(|| advice::hint(code, text, at))
    }),
    help: &Help {
        inputs: &[
            ("{ a: 1 } + { b: 2 }", "an expression: shows its value and its type"),
            ("local x = { port: 80 }", "a definition; it is evaluated when it is needed"),
            ("local f(a, b=1) = [a, b]", "a function; if it is redefined, its readers are updated"),
            (":explain x.port", "a command: where the field's value comes from"),
            ("it, $3", "the last result, the result of input 3"),
        ],
        pages: include_str!("help.txt"),
    },
};

/// Reads a file or an expression. Total. Near-linear in the length of the text.
pub fn program(source: SourceId, text: &str, names: &dyn Names) -> Program {
    parser::read_program::<JsonnetGrammar>(source, text, names)
}
