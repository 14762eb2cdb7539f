//! The `cfg` dialect: Nickel's syntax with extensions.
//!
//! The stages are [`lexer`] (tokens), [`grammar`] (a flat [`tree`]) and `lower` (the core language). Each stage is
//! total, and all recursion is guarded.

mod applied;
mod ast;
mod cells;
mod cursor;
mod followers;
mod foreign;
pub mod grammar;
mod habit;
mod highlight;
mod hint;
pub mod lexer;
// The module is not named `std`, because that would hide the crate `std`.
#[path = "std/mod.rs"]
pub mod library;
mod lower;
pub mod notation;
mod primop;
mod problem;
mod report;
mod slip;
#[cfg(test)]
mod tests;
pub mod token;
pub mod tree;
mod words;

use super::{Cell, Cells, Editor, Edits, Help, Language, Names, Program, parser};
use crate::text::SourceId;
use grammar::Cfg;

/// The language.
pub static LANGUAGE: Language = Language { of_data: Some(&OF_DATA), ..CFG };
/// The language for answers about data files.
static OF_DATA: Language = Language { spelling: &notation::OF_DATA, ..CFG };

const CFG: Language = Language {
    name: "cfg",
    title: "cfg",
    endings: &["cfg", "ncl"],
    formats: &["Nickel", "Cfg"],
    is_programs: true,
    program: Some(program),
    part_of: None,
    documents: None,
    variable: None,
    cells: Some(&Cells {
        cell,
        completeness: parser::completeness::<Cfg>,
        mistake: parser::mistake::<Cfg>,
        inputs: parser::inputs::<Cfg>,
        highlight: parser::highlight::<Cfg>,
        tokens: parser::tokens_of::<Cfg>,
        editor: Some(&Editor {
            mime: "text/x-cfg",
            similar_mime: "text/x-toml",
            aliases: &["nickel"],
            lexer: "cfg-lang",
            takes_files: true,
            is_indented: false,
            home: "https://nickel-lang.org",
            quotes: &["\""],
            line_comment: "#",
            block_comment: None,
            scanner: highlight::scanner,
        }),
        ast: ast::ast,
        graph: None,
        cursor: parser::cursor::<Cfg>,
        keywords: &[
            "let", "in", "fun", "if", "then", "else", "match", "import", "true", "false", "null", "forall", "rec",
            "include", "Array",
        ],
    }),
    rules: &crate::term::rules::CORE,
    library: Some(&library::Std),
    spelling: &notation::SPELLING,
    edits: Edits::Annotations,
    calls_with_arguments: false,
    own_json: false,
    path_variable: Some("NICKEL_IMPORT_PATH"),
    table: None,
    modules: None,
    newest: None,
    of_data: None,
    hint_at: Some(hint::hint),
    causes: None,
    help: &Help {
        inputs: &[
            ("{ a = 1 } & { b = 2 }", "an expression: shows its value and its type"),
            ("x = { port | default = 80 }", "a definition, also `let x = …`; it is evaluated when it is needed"),
            ("x = x & { port = 8080 }", "a redefinition: here `x` is the previous one, and readers of `x` are updated"),
            (":explain x.port", "a command: where the field's value comes from"),
            ("it, $3", "the last result, the result of input 3"),
        ],
        pages: include_str!("help.txt"),
    },
};

/// Reads a file or an expression. Total. Near-linear in the length of the text.
pub fn program(source: SourceId, text: &str, names: &dyn Names) -> Program {
    let mut program = parser::read_program::<Cfg>(source, text, names);
    followers::remove(&mut program.problems, text, false);
    program
}

/// Reads an input of a session.
fn cell(source: SourceId, text: &str, names: &dyn Names) -> Cell {
    let mut cell = parser::read_cell::<Cfg>(source, text, names);
    followers::remove(&mut cell.problems, text, true);
    cell
}
