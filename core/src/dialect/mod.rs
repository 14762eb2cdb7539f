//! The table of dialects, and the functions to read a text in any of them.
//!
//! Everything here is total: any text gives a program or a cell. Parts that do not parse are holes, and the problems
//! are listed separately.

mod ast;
pub mod background;
pub mod cfg;
pub mod command_line;
mod cursor;
pub mod data;
mod description;
pub mod format;
pub mod functions;
pub mod jsonnet;
mod language;
pub mod library;
pub mod mcl;
pub mod node_graph;
pub mod notation;
mod parser;
pub mod pasted;
#[cfg(test)]
#[path = "tests/show.rs"]
mod show;
#[cfg(test)]
#[path = "tests/tokens.rs"]
mod tokens;
pub mod yay;

pub use crate::stop::Stop;
pub use ast::AstNode;
pub use cursor::{Cursor, CursorContext, Word};
pub use data::forms;
pub use language::{Cells, Dialect, Editor, Edits, Help, Language, Languages, LineEdits, ModuleFiles, Modules};

use crate::problem::Problem;
use crate::problem::syntax::PastInput;
use crate::problem::value::ValueProblem;
use crate::term::{Import, Term};
use crate::text::{Name, SourceId, Span};
use std::sync::Arc;

/// The built-in languages, the standard one first. To add a language, add a folder and a line here.
static BUILT_IN: [Dialect; 9] = [
    Dialect(&cfg::LANGUAGE),
    Dialect(&jsonnet::LANGUAGE),
    Dialect(&yay::LANGUAGE),
    Dialect(&mcl::LANGUAGE),
    Dialect(&data::JSON),
    Dialect(&data::YAML),
    Dialect(&data::TOML),
    Dialect(&data::DOTENV),
    Dialect(&data::SCHEMA),
];

/// The built-in languages by name, for tests and for programs that embed one of them. Code that works with every
/// language uses [`Languages`].
impl Dialect {
    /// Nickel's syntax and more (`.cfg`, `.ncl`).
    pub const CFG: Dialect = Dialect(&cfg::LANGUAGE);
    /// Jsonnet (`.jsonnet`, `.libsonnet`).
    pub const JSONNET: Dialect = Dialect(&jsonnet::LANGUAGE);
    /// Yay (`.yay`).
    pub const YAY: Dialect = Dialect(&yay::LANGUAGE);
    /// mgmt's language (`.mcl`).
    pub const MCL: Dialect = Dialect(&mcl::LANGUAGE);
    /// JSON data.
    pub const JSON: Dialect = Dialect(&data::JSON);
    /// YAML data.
    pub const YAML: Dialect = Dialect(&data::YAML);
    /// TOML data.
    pub const TOML: Dialect = Dialect(&data::TOML);
    /// `.env` files.
    pub const DOTENV: Dialect = Dialect(&data::DOTENV);
    /// JSON Schema as a contract.
    pub const SCHEMA: Dialect = Dialect(&data::SCHEMA);
    /// The language of `cfg.toml`.
    pub const OF_CONFIGURATION: Dialect = Dialect::TOML;
}

/// The parser's verdict on whether an input is complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completeness {
    /// The input parses, or has an error that more input cannot fix.
    Complete,
    /// The input ends too early. `indent` is a good indentation for the next line.
    Incomplete {
        /// The indentation, in spaces.
        indent: usize,
    },
}

/// The names that a session binds: its definitions and `std`.
pub trait Names {
    /// Returns `true` if the name is bound.
    fn is_bound(&self, name: &str) -> bool;
    /// Returns `true` if the name has a definition now. While a saved session is loaded, every name is bound, because a
    /// later input may define it.
    fn is_defined(&self, name: &str) -> bool {
        self.is_bound(name)
    }
    /// Returns every bound name, for suggestions.
    fn all(&self) -> Vec<Name>;
    /// Returns `true` if the names are those of a session, in which the modules of a language's library need no import.
    fn is_session(&self) -> bool {
        false
    }
    /// Returns what input 4 was if `$4` has no result.
    fn past_input(&self, _name: &str) -> Option<PastInput> {
        None
    }
    /// Returns the names of the fields that the text of a file shows, hidden ones too. Empty if the file cannot be read.
    fn fields_of_file(&self, _file: &Import, _span: Span) -> Vec<Name> {
        Vec::new()
    }
    /// Returns the languages that imports can name.
    fn languages(&self) -> Languages {
        Languages::default()
    }
    /// Returns the flag that stops the reader.
    fn stop(&self) -> Stop<'_> {
        Stop::NEVER
    }
    /// Returns the data files of the user that extend the language ([`Language::table`]), the nearest first.
    fn tables(&self) -> Vec<Program> {
        Vec::new()
    }
    /// Receives a program that was read with these names.
    fn read_program(&self, dialect: Dialect, source: SourceId, program: &Program) {
        let _ = (dialect, source, program);
    }
    /// Receives an input that was read with these names.
    fn read_cell(&self, dialect: Dialect, source: SourceId, cell: &Cell) {
        let _ = (dialect, source, cell);
    }
}

/// Only `std` is bound.
#[derive(Clone, Copy, Debug, Default)]
pub struct StdNames;

impl Names for StdNames {
    fn is_bound(&self, name: &str) -> bool {
        name == "std"
    }
    fn all(&self) -> Vec<Name> {
        vec![Name::new_static("std")]
    }
}

/// A file or an expression, lowered to the core language.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program, with holes where the text did not parse.
    pub term: Arc<Term>,
    /// The problems of its text and its names.
    pub problems: Vec<Problem>,
}

/// An input of a session, lowered to the core language.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The parts in order. Each part sees the names of the parts before it.
    pub items: Vec<CellItem>,
    /// The problems of its text and its names.
    pub problems: Vec<Problem>,
}

/// A part of a cell.
#[derive(Clone, Debug)]
pub enum CellItem {
    /// A definition. Its term does not bind the name: a use of the name in the term is a [`crate::term::Node::Global`],
    /// which refers to the previous definition. The term of a `let rec` is closed: it is a whole recursive `let` with
    /// the name as its body.
    Bind {
        /// The name. A name that begins with `%` is internal and cannot be written by a user. An example is the shared
        /// right side of `let {a, b} = e`.
        name: Name,
        /// The place of the name.
        name_span: Span,
        /// Whether the definition is a `let rec`.
        recursive: bool,
        /// `| doc "…"`
        doc: Option<Name>,
        /// The value, with its types and contracts in a [`crate::term::Node::Annot`].
        term: Arc<Term>,
    },
    /// An expression whose value is shown.
    Expr(Arc<Term>),
}

impl CellItem {
    /// Returns the name that the part binds.
    pub fn name(&self) -> Option<&Name> {
        match self {
            CellItem::Bind { name, .. } => Some(name),
            CellItem::Expr(_) => None,
        }
    }

    /// Returns the program of the part.
    pub fn term(&self) -> &Arc<Term> {
        let (CellItem::Bind { term, .. } | CellItem::Expr(term)) = self;
        term
    }

    /// Returns `true` if the term imports files.
    pub fn imports(&self) -> bool {
        self.term().imports()
    }
}

/// Returns the problem of a reader of a text that was stopped.
fn stopped(names: &dyn Names, source: SourceId) -> Problem {
    Problem::error(ValueProblem::stopped(names.stop().reason(), Some(Span::new(source, 0, 0))))
}
