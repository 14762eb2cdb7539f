//! What a language is: one [`Language`] a folder, and the table of them.

use super::cursor::{At, Cursor};
use super::library::{Entry, Library};
use super::notation::Spelling;
use super::{AstNode, Cell, Completeness, Names, Program, Stop};
use crate::problem::report::Notation;
use crate::styled::Role;
use crate::term::build::Builder;
use crate::term::{Node, Rules, rules};
use crate::text::{Name, SourceId, Span};
use crate::value::datum::Datum;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A language: all that differs between it and the others. Each folder of this room has one, as a `static`, and
/// [`Languages`] lists them.
pub struct Language {
    /// The name, as `--dialect` and `%%` take it.
    pub name: &'static str,
    /// The endings of its files, without the dot.
    pub endings: &'static [&'static str],
    /// The names that `import "…" as 'Name` has for it.
    pub formats: &'static [&'static str],
    /// Whether programs are written in it, and not data.
    pub is_programs: bool,
    /// Reads a file or an expression. `None`: the language is announced, and refused by name.
    pub program: Option<ReadProgram>,
    /// The data language that reads every text of it too.
    pub part_of: Option<&'static Language>,
    /// Reads a stream of several documents as an array of them, where a file can hold several.
    pub documents: Option<ReadDocuments>,
    /// How a session reads its inputs. `None`: a session does not speak it.
    pub cells: Option<&'static Cells>,
    /// What its programs mean where languages differ.
    pub rules: &'static Rules,
    /// Its library, which terms read under the name that the rules say.
    pub library: Option<&'static dyn Library>,
    /// How types and values are spelled in it.
    pub spelling: &'static Spelling,
    /// How a fix changes a text of it.
    pub edits: Edits,
    /// Whether a program that is a function is called with the arguments that are given from outside; an expression that is
    /// given from outside is written in the first such language.
    pub is_called: bool,
    /// Whether JSON of its programs is written as they are evaluated, byte for byte as its reference implementation does.
    pub own_json: bool,
    /// What `:help` shows of it.
    pub help: &'static Help,
}

/// Reads a file or an expression.
pub type ReadProgram = fn(SourceId, &str, &dyn Names) -> Program;

/// Reads the documents of a file.
pub type ReadDocuments = fn(SourceId, &str, Stop<'_>) -> Program;

/// The roles of an input's parts, by their places in it.
pub type Roles = Vec<(Range<usize>, Role)>;

/// How a session reads the inputs of a language. Every function is total, and linear in the text.
pub struct Cells {
    /// Reads an input.
    pub cell: fn(SourceId, &str, &dyn Names) -> Cell,
    /// Whether an input is a whole one.
    pub completeness: fn(&str) -> Completeness,
    /// The first place of a text that nothing typed after it can fix.
    pub mistake: fn(&str) -> Option<Range<usize>>,
    /// The inputs that a text of several lines holds.
    pub inputs: for<'t> fn(&'t str) -> Vec<&'t str>,
    /// The roles of an input's parts, in order, without overlap.
    pub highlight: fn(&str) -> Roles,
    /// The tokens and roles as tables, for the highlighters of Pygments and CodeMirror.
    pub scanner: Option<fn() -> serde_json::Value>,
    /// The nodes of an expression as it is parsed.
    pub ast: fn(SourceId, &str, Stop<'_>) -> Vec<AstNode>,
    /// What is at a place of a text.
    pub cursor: fn(SourceId, &str, usize, &dyn Names) -> Cursor,
    /// The words that begin or continue an expression.
    pub keywords: &'static [&'static str],
}

/// What `:help` shows of a language.
pub struct Help {
    /// Inputs, each with what it means.
    pub inputs: &'static [(&'static str, &'static str)],
    /// The pages of commands and topics; a test runs their examples.
    pub pages: &'static str,
}

/// How a fix changes a text.
pub enum Edits {
    /// Fixes do not change it.
    Never,
    /// By a priority before the value, `port | force = 80`, and by a value for a field that is declared without one.
    Annotations,
    /// By the line of a key, which goes, or gets another value.
    Lines(LineEdits),
}

/// How data is changed line by line.
pub struct LineEdits {
    /// Between a key and its value.
    pub separator: char,
    /// Whether this, trimmed, may follow a value that goes with its line.
    pub may_follow: fn(&str) -> bool,
    /// Whether a value can be written on one line, as JSON.
    pub can_write: fn(&Datum) -> bool,
}

impl Language {
    /// A language that is announced: it is refused by name until it can be read.
    pub const fn announced(name: &'static str, endings: &'static [&'static str]) -> Language {
        Language {
            name,
            endings,
            formats: &[],
            is_programs: true,
            program: None,
            part_of: None,
            documents: None,
            cells: None,
            rules: &rules::CORE,
            library: None,
            spelling: &super::cfg::notation::SPELLING,
            edits: Edits::Never,
            is_called: false,
            own_json: false,
            help: &Help { inputs: &[], pages: "" },
        }
    }
}

/// One of the [`Languages`]. Languages are told apart by their names.
#[derive(Clone, Copy)]
pub struct Dialect(pub &'static Language);

impl PartialEq for Dialect {
    fn eq(&self, other: &Dialect) -> bool {
        std::ptr::eq(self.0, other.0) || self.0.name == other.0.name
    }
}

impl Eq for Dialect {}

impl PartialOrd for Dialect {
    fn partial_cmp(&self, other: &Dialect) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dialect {
    fn cmp(&self, other: &Dialect) -> Ordering {
        self.0.name.cmp(other.0.name)
    }
}

impl Hash for Dialect {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

/// The language that is spoken where nobody says which.
impl Default for Dialect {
    fn default() -> Dialect {
        Languages::default().standard()
    }
}

/// What is asked of a language.
impl Dialect {
    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// How it writes types in reports.
    pub fn notation(self) -> Notation {
        self.0.spelling.report
    }

    /// What its programs mean where languages differ.
    pub fn rules(self) -> &'static Rules {
        self.0.rules
    }

    /// The entry of its library at a path that begins with `std`.
    pub fn library_entry(self, path: &[&str]) -> Option<Entry> {
        let (_, rest) = path.split_first().filter(|(first, _)| **first == rules::STD)?;
        self.0.library?.entry(rest)
    }

    /// How it spells types and values.
    pub fn spelling(self) -> &'static Spelling {
        self.0.spelling
    }

    /// Whether programs are written in it, and not data: a session speaks it, once it is built.
    pub fn has_cells(self) -> bool {
        self.0.is_programs
    }

    /// Whether texts of it can be read yet.
    pub fn is_built(self) -> bool {
        self.0.program.is_some()
    }

    /// Whether a session speaks it.
    pub fn is_spoken(self) -> bool {
        self.0.cells.is_some()
    }

    /// The language that reads all of its texts, and others.
    pub fn widest(self) -> Dialect {
        self.0.part_of.map_or(self, Dialect)
    }

    /// Reads a file or an expression. One that was stopped is a hole with the problem that says so.
    pub fn program(self, source: SourceId, text: &str, names: &dyn Names) -> Program {
        let program = self.0.program.map(|read| read(source, text, names));
        let mut problems = Vec::new();
        if names.stop().is_asked() {
            problems.push(super::interrupted());
        } else if let Some(program) = program {
            return program;
        }
        let mut builder = Builder::new();
        let root = builder.push(Node::Hole, Span::new(source, 0, 0));
        Program { term: Arc::new(builder.finish(root)), problems }
    }

    /// Reads an input of a session. One that was stopped is empty, with the problem that says so.
    pub fn cell(self, source: SourceId, text: &str, names: &dyn Names) -> Cell {
        let cell = self.0.cells.map(|cells| (cells.cell)(source, text, names));
        match cell {
            _ if names.stop().is_asked() => Cell { items: Vec::new(), problems: vec![super::interrupted()] },
            Some(cell) => cell,
            None => Cell { items: Vec::new(), problems: Vec::new() },
        }
    }

    /// Whether an input is a whole one: incomplete exactly if all that is wrong with it is at its end.
    pub fn completeness(self, text: &str) -> Completeness {
        self.0.cells.map_or(Completeness::Complete, |cells| (cells.completeness)(text))
    }

    /// The first place of a text that nothing typed after it can fix. O(length).
    pub fn mistake(self, text: &str) -> Option<Range<usize>> {
        (self.0.cells?.mistake)(text)
    }

    /// The inputs that a text of several lines holds, each on lines of its own.
    pub fn inputs(self, text: &str) -> Vec<&str> {
        self.0.cells.map_or_else(|| vec![text], |cells| (cells.inputs)(text))
    }

    /// The roles of an input's parts, in order, without overlap; what is left out is plain.
    pub fn highlight(self, text: &str) -> Vec<(Range<usize>, Role)> {
        self.0.cells.map_or_else(Vec::new, |cells| (cells.highlight)(text))
    }

    /// The nodes of an expression as it is parsed, in the order of the text. Total. O(text).
    pub fn ast(self, source: SourceId, text: &str, stop: Stop<'_>) -> Vec<AstNode> {
        self.0.cells.map_or_else(Vec::new, |cells| (cells.ast)(source, text, stop))
    }

    /// What is at a place of a text, whole or half-typed, for completion. O(length).
    pub fn cursor(self, source: SourceId, text: &str, place: usize, names: &dyn Names) -> Cursor {
        match self.0.cells {
            Some(cells) => (cells.cursor)(source, text, place, names),
            None => Cursor { replace: place..place, partial: String::new(), at: At::Nothing },
        }
    }

    /// The words that begin or continue an expression.
    pub fn keywords(self) -> &'static [&'static str] {
        self.0.cells.map_or(&[], |cells| cells.keywords)
    }
}

/// The languages that a session reads, the standard one first. The built-in ones by default.
#[derive(Clone, Copy, Debug)]
pub struct Languages(&'static [Dialect]);

impl Default for Languages {
    fn default() -> Languages {
        Languages(&super::BUILT_IN)
    }
}

impl Languages {
    /// Other languages than the built-in ones. `None` without any, since one of them is the standard one.
    pub fn of(all: &'static [Dialect]) -> Option<Languages> {
        (!all.is_empty()).then_some(Languages(all))
    }

    /// All of them, in order.
    pub fn all(self) -> impl Iterator<Item = Dialect> {
        self.0.iter().copied()
    }

    /// Those that a session speaks.
    pub fn spoken(self) -> impl Iterator<Item = Dialect> {
        self.all().filter(|dialect| dialect.is_spoken())
    }

    /// The language that is spoken where nobody says which; overrides, and merges of files, are written in it.
    pub fn standard(self) -> Dialect {
        self.0.first().copied().unwrap_or(super::BUILT_IN[0])
    }

    /// The language in which expressions from outside are written, and whose programs take arguments.
    pub fn called(self) -> Dialect {
        self.all().find(|dialect| dialect.0.is_called).unwrap_or(self.standard())
    }

    /// The language of a name.
    pub fn named(self, name: &str) -> Option<Dialect> {
        self.all().find(|dialect| dialect.name().eq_ignore_ascii_case(name))
    }

    /// The language that the ending of a file's name says.
    pub fn of_path(self, path: &Path) -> Option<Dialect> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        self.all().find(|dialect| dialect.0.endings.contains(&ending.as_str()))
    }

    /// The language whose programs follow these rules.
    pub fn of_rules(self, rules: &'static Rules) -> Dialect {
        self.all().find(|dialect| dialect.rules() == rules).unwrap_or(self.standard())
    }

    /// The library that terms read under a name.
    pub fn library(self, root: &str) -> Option<&'static dyn Library> {
        self.all().filter(|dialect| dialect.rules().library == root).find_map(|dialect| dialect.0.library)
    }

    /// The entry of a library at a path that begins with the name under which terms read it.
    pub fn entry(self, path: &[Name]) -> Option<Entry> {
        let (root, rest) = path.split_first()?;
        self.library(root)?.entry(&rest.iter().map(Name::as_str).collect::<Vec<_>>())
    }

    /// The language that `import "…" as 'Format` names.
    pub fn of_format(self, format: &str) -> Option<Dialect> {
        self.all().find(|dialect| dialect.0.formats.contains(&format))
    }
}
