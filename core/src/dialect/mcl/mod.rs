//! mcl, the language of mgmt: programs that make graphs of resources. The syntax is that of mgmt 0.0.26 (October 2024); with the
//! option `syntax`, it is that of August 2026.
//!
//! The stages are [`lexer`] (tokens), [`grammar`] (a flat [`tree`]), `lower` (scopes, and the core language), inference with
//! exact types (`infer::exact`) and evaluation to a graph of resources. Each stage is total, and all recursion is guarded.

mod ast;
mod cells;
mod cursor;
pub mod grammar;
mod highlight;
pub mod kinds;
pub mod lexer;
pub mod library;
mod lower;
mod modules;
pub mod notation;
mod problem;
mod report;
pub mod token;
pub mod tree;
mod words;

use super::{Cells, Editor, Edits, Help, Language, Names, Program, parser};
use crate::text::SourceId;
use grammar::MclGrammar;

/// The language with the syntax of 2024.
pub static LANGUAGE: Language = Language { newest: Some(&NEWEST), ..language(&library::STD) };

/// The language with the syntax of 2026.
static NEWEST: Language = newest(&library::STD);

/// Returns the language with the syntax of 2024 and another library, for a program that adds functions.
pub const fn language(library: &'static library::Functions) -> Language {
    with_syntax::<false>(library)
}

/// Returns the language with the syntax of 2026 and another library.
pub const fn newest(library: &'static library::Functions) -> Language {
    with_syntax::<true>(library)
}

const fn with_syntax<const N: bool>(library: &'static library::Functions) -> Language {
    Language {
        name: "mcl",
        title: "mcl",
        endings: &["mcl"],
        formats: &["Mcl"],
        is_programs: true,
        program: Some(program::<N>),
        part_of: None,
        documents: None,
        variable: None,
        cells: Some(&Cells {
            cell: parser::read_cell::<MclGrammar<N>>,
            completeness: parser::completeness::<MclGrammar<N>>,
            mistake: parser::mistake::<MclGrammar<N>>,
            inputs: parser::inputs::<MclGrammar<N>>,
            highlight: parser::highlight::<MclGrammar<N>>,
            tokens: parser::tokens_of::<MclGrammar<N>>,
            editor: Some(&Editor {
                mime: "text/x-mcl",
                similar_mime: "text/x-puppet",
                aliases: &[],
                lexer: "cfg-mcl",
                takes_files: true,
                is_indented: false,
                home: "https://github.com/purpleidea/mgmt",
                quotes: &["\""],
                line_comment: "#",
                block_comment: None,
                scanner: highlight::scanner,
            }),
            ast: ast::ast::<N>,
            graph: None,
            cursor: parser::cursor::<MclGrammar<N>>,
            keywords: &[
                "if", "else", "func", "class", "include", "import", "as", "struct", "panic", "not", "and", "or", "in",
                "true", "false",
            ],
        }),
        rules: &crate::term::rules::GRAPHS,
        library: Some(library),
        spelling: if N { &notation::NEWEST } else { &notation::SPELLING },
        edits: Edits::Never,
        calls_with_arguments: false,
        own_json: false,
        path_variable: Some("MCL_MODULE_PATH"),
        newest: None,
        of_data: None,
        hint_at: None,
        causes: None,
        table: Some("kinds.toml"),
        modules: Some(&modules::Search),
        help: &Help {
            inputs: &[
                ("$x = 42", "a variable. Nothing is evaluated yet"),
                ("$x + 1", "an expression: shows its value and its type"),
                ("func f($a) { $a + 1 }", "a function, which is polymorphic where it is used"),
                ("test \"a\" { int64 => $x, }", "a resource: the graph is shown"),
            ],
            pages: include_str!("help.txt"),
        },
    }
}

/// Reads a file. Total. Near-linear in the length of the text.
pub fn program<const N: bool>(source: SourceId, text: &str, names: &dyn Names) -> Program {
    parser::read_program::<MclGrammar<N>>(source, text, names)
}
