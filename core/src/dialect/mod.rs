//! The dialect table: which languages there are, and the one door to each of them.
//!
//! Everything here is total: any text gives a program or cell, with holes where it did not parse and the problems beside it.

mod ast;
pub mod beside;
pub mod cfg;
mod cursor;
pub mod data;
pub mod jsonnet;
pub mod notation;
mod parser;
#[cfg(test)]
mod show;
mod stop;

pub use ast::AstNode;
pub use cursor::{At, Cursor};
pub use stop::Stop;

use crate::problem::Problem;
use crate::problem::report::Notation;
use crate::problem::syntax::Past;
use crate::problem::value::{Value as Met, ValueKind};
use crate::styled::Role;
use crate::term::build::Builder;
use crate::term::{Node, Term};
use crate::text::{Name, SourceId, Span};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A language that `cfg` reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// Nickel's syntax and more (`.cfg`, `.ncl`).
    Cfg,
    /// Jsonnet (`.jsonnet`, `.libsonnet`).
    Jsonnet,
    /// Yay (`.yay`).
    Yay,
    /// mgmt's language (`.mcl`).
    Mcl,
    /// JSON data.
    Json,
    /// YAML data.
    Yaml,
    /// TOML data.
    Toml,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Dialect; 7] =
        [Dialect::Cfg, Dialect::Jsonnet, Dialect::Yay, Dialect::Mcl, Dialect::Json, Dialect::Yaml, Dialect::Toml];

    /// The dialect that a file's ending stands for.
    pub fn of_path(path: &Path) -> Option<Dialect> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match ending.as_str() {
            "cfg" | "ncl" => Dialect::Cfg,
            "jsonnet" | "libsonnet" => Dialect::Jsonnet,
            "yay" => Dialect::Yay,
            "mcl" => Dialect::Mcl,
            "json" => Dialect::Json,
            "yaml" | "yml" => Dialect::Yaml,
            "toml" => Dialect::Toml,
            _ => return None,
        })
    }

    /// The dialect of a name as `--dialect` takes it.
    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|d| d.name().eq_ignore_ascii_case(name))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Cfg => "cfg",
            Dialect::Jsonnet => "jsonnet",
            Dialect::Yay => "yay",
            Dialect::Mcl => "mcl",
            Dialect::Json => "json",
            Dialect::Yaml => "yaml",
            Dialect::Toml => "toml",
        }
    }

    /// How it writes types in reports. Data has no types of its own to write: it is spoken of in cfg's.
    pub fn notation(self) -> Notation {
        match self {
            Dialect::Jsonnet => jsonnet::notation::REPORT,
            Dialect::Cfg | Dialect::Json | Dialect::Yaml | Dialect::Toml => cfg::notation::REPORT,
            // theirs come with them
            Dialect::Yay | Dialect::Mcl => cfg::notation::REPORT,
        }
    }

    /// How it spells types and values.
    pub fn spelling(self) -> &'static notation::Spelling {
        match self {
            Dialect::Jsonnet => &jsonnet::notation::SPELLING,
            _ => &cfg::notation::SPELLING,
        }
    }

    /// Whether it is a language, and not data: a session speaks it.
    pub fn has_cells(self) -> bool {
        matches!(self, Dialect::Cfg | Dialect::Jsonnet | Dialect::Yay | Dialect::Mcl)
    }

    /// Whether programs of it can be read yet.
    pub fn is_built(self) -> bool {
        !matches!(self, Dialect::Yay | Dialect::Mcl)
    }
}

/// Whether an input is a whole one, by the parser's word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completeness {
    /// It parses, or fails in a way that more input cannot mend.
    Complete,
    /// It ends too early; a good next line begins with so many blanks.
    Incomplete {
        /// Blanks.
        indent: usize,
    },
}

/// The names that a session binds: its definitions and `std`.
pub trait Names {
    /// Whether the name is bound.
    fn is_bound(&self, name: &str) -> bool;
    /// Every bound name, for suggestions.
    fn all(&self) -> Vec<Name>;
    /// Of the name of a result that is none, `$4`: what that input was.
    fn past(&self, _name: &str) -> Option<Past> {
        None
    }
    /// What stops the reading.
    fn stop(&self) -> Stop<'_> {
        Stop::NEVER
    }
}

/// Only `std` is bound.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnlyStd;

impl Names for OnlyStd {
    fn is_bound(&self, name: &str) -> bool {
        name == "std"
    }
    fn all(&self) -> Vec<Name> {
        vec![Name::new_static("std")]
    }
}

/// A file or an expression, lowered.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program; holes stand where it did not parse.
    pub term: Arc<Term>,
    /// What is wrong with its text and its names.
    pub problems: Vec<Problem>,
}

/// A session's input, lowered.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its parts in order. A later one sees the names of an earlier one.
    pub items: Vec<CellItem>,
    /// What is wrong with its text and its names.
    pub problems: Vec<Problem>,
}

/// A part of a cell.
#[derive(Clone, Debug)]
pub enum CellItem {
    /// A definition. Its term does not bind the name: a use of it in the term is a [`crate::term::Node::Global`], the
    /// predecessor. `let rec` is closed: its term is a whole recursive `let` with the name as its body.
    Bind {
        /// The name. One that begins with `%` cannot be written by a user: the shared right side of `let {a, b} = e`.
        name: Name,
        /// Where it stands.
        name_span: Span,
        /// Whether it was `let rec`.
        recursive: bool,
        /// `| doc "…"`
        doc: Option<Name>,
        /// What it means, its types and contracts in a [`crate::term::Node::Annot`].
        term: Arc<Term>,
    },
    /// An expression to be shown.
    Expr(Arc<Term>),
}

impl CellItem {
    /// The name that it binds.
    pub fn name(&self) -> Option<&Name> {
        match self {
            CellItem::Bind { name, .. } => Some(name),
            CellItem::Expr(_) => None,
        }
    }

    /// Whether its term imports files.
    pub fn imports(&self) -> bool {
        let (CellItem::Bind { term, .. } | CellItem::Expr(term)) = self;
        term.imports()
    }
}

impl Dialect {
    /// Reads a file or an expression. One that was stopped is a hole, and `interrupted` all that is wrong with it.
    pub fn program(self, source: SourceId, text: &str, names: &dyn Names) -> Program {
        let program = match self {
            Dialect::Json | Dialect::Yaml | Dialect::Toml => data::program(self, source, text, names.stop()),
            Dialect::Jsonnet => jsonnet::program(source, text, names),
            _ => cfg::program(source, text, names),
        };
        if !names.stop().is_asked() {
            return program;
        }
        let mut builder = Builder::new();
        let root = builder.push(Node::Hole, Span::new(source, 0, 0));
        Program { term: Arc::new(builder.finish(root)), problems: vec![interrupted()] }
    }

    /// Reads a session's input. One that was stopped is empty, and `interrupted` all that is wrong with it.
    pub fn cell(self, source: SourceId, text: &str, names: &dyn Names) -> Cell {
        let cell = match self {
            Dialect::Jsonnet => jsonnet::cell(source, text, names),
            _ => cfg::cell(source, text, names),
        };
        if names.stop().is_asked() { Cell { items: Vec::new(), problems: vec![interrupted()] } } else { cell }
    }

    /// Whether an input is a whole one: incomplete exactly if all that is wrong with it stands at its end.
    pub fn completeness(self, text: &str) -> Completeness {
        match self {
            Dialect::Jsonnet => jsonnet::completeness(text),
            _ => cfg::completeness(text),
        }
    }

    /// The first place of a text that nothing behind it can mend, whatever is typed. O(length).
    pub fn mistake(self, text: &str) -> Option<Range<usize>> {
        match self {
            Dialect::Jsonnet => jsonnet::mistake(text),
            _ => cfg::mistake(text),
        }
    }

    /// The inputs that a text of several lines holds, each on lines of its own.
    pub fn inputs(self, text: &str) -> Vec<&str> {
        match self {
            Dialect::Jsonnet => jsonnet::inputs(text),
            _ => cfg::inputs(text),
        }
    }

    /// The roles of an input's parts, in order, without overlap; what is left out is plain.
    pub fn highlight(self, text: &str) -> Vec<(Range<usize>, Role)> {
        match self {
            Dialect::Jsonnet => jsonnet::highlight(text),
            _ => cfg::highlight(text),
        }
    }
}

/// For those who learn a language.
impl Dialect {
    /// The nodes of an expression as it is parsed, in the order of the text. Total. O(text).
    pub fn ast(self, source: SourceId, text: &str, stop: Stop<'_>) -> Vec<AstNode> {
        match self {
            Dialect::Jsonnet => jsonnet::ast(source, text, stop),
            _ => cfg::ast(source, text, stop),
        }
    }
}

/// Completion.
impl Dialect {
    /// Looks at a place in a text, whole or half-typed. O(length).
    pub fn cursor(self, source: SourceId, text: &str, place: usize, names: &dyn Names) -> Cursor {
        match self {
            Dialect::Jsonnet => jsonnet::cursor(source, text, place, names),
            _ => cfg::cursor(source, text, place, names),
        }
    }

    /// The words that begin or continue an expression.
    pub fn keywords(self) -> &'static [&'static str] {
        match self {
            Dialect::Jsonnet => jsonnet::KEYWORDS,
            _ => cfg::KEYWORDS,
        }
    }
}

/// The problem of what was stopped.
fn interrupted() -> Problem {
    Problem::error(Met::new(ValueKind::Interrupted))
}
