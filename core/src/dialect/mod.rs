//! The dialect table: which languages there are, and the one door to each of them.
//!
//! Everything here is total: any text gives a program or cell, with holes where it did not parse and the problems beside it.

mod ast;
pub mod beside;
pub mod cfg;
mod cursor;
pub mod data;
pub mod jsonnet;
mod language;
pub mod library;
pub mod notation;
mod parser;
#[cfg(test)]
mod show;
mod stop;

pub use ast::AstNode;
pub use cursor::{At, Cursor};
pub use language::{Cells, Dialect, Edits, Help, Language, Languages, LineEdits};
pub use stop::Stop;

use crate::problem::Problem;
use crate::problem::syntax::PastInput;
use crate::problem::value::{ValueKind, ValueProblem};
use crate::term::Term;
use crate::text::{Name, Span};
use std::sync::Arc;

/// The built-in languages, the standard one first. A new language is a folder and a line here.
static BUILT_IN: [Dialect; 7] = [
    Dialect(&cfg::LANGUAGE),
    Dialect(&jsonnet::LANGUAGE),
    Dialect(&YAY),
    Dialect(&MCL),
    Dialect(&data::JSON),
    Dialect(&data::YAML),
    Dialect(&data::TOML),
];

static YAY: Language = Language::announced("yay", &["yay"]);
static MCL: Language = Language::announced("mcl", &["mcl"]);

/// The built-in languages by name, for tests and for programs that embed one: what works with every language asks
/// [`Languages`].
impl Dialect {
    /// Nickel's syntax and more (`.cfg`, `.ncl`).
    pub const CFG: Dialect = Dialect(&cfg::LANGUAGE);
    /// Jsonnet (`.jsonnet`, `.libsonnet`).
    pub const JSONNET: Dialect = Dialect(&jsonnet::LANGUAGE);
    /// Yay (`.yay`): announced.
    pub const YAY: Dialect = Dialect(&YAY);
    /// mgmt's language (`.mcl`): announced.
    pub const MCL: Dialect = Dialect(&MCL);
    /// JSON data.
    pub const JSON: Dialect = Dialect(&data::JSON);
    /// YAML data.
    pub const YAML: Dialect = Dialect(&data::YAML);
    /// TOML data.
    pub const TOML: Dialect = Dialect(&data::TOML);
    /// The language of `cfg.toml`.
    pub const OF_CONFIGURATION: Dialect = Dialect::TOML;
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
    fn past(&self, _name: &str) -> Option<PastInput> {
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

/// The problem of what was stopped.
fn interrupted() -> Problem {
    Problem::error(ValueProblem::new(ValueKind::Interrupted))
}
