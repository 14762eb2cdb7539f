//! The description of a language: one [`Language`] per folder, and the table of them.

use super::cursor::{Cursor, CursorContext};
use super::library::{Library, LibraryEntry};
use super::node_graph::ReadGraph;
use super::notation::Spelling;
use super::{AstNode, Cell, Completeness, Names, Program, Stop};
use crate::problem::Problem;
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
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A language: everything that distinguishes it from the others. Each folder of this module has one, as a `static`, and
/// [`Languages`] lists them.
pub struct Language {
    /// The name, as in `--dialect` and `%%`.
    pub name: &'static str,
    /// The name in prose: "Jsonnet".
    pub title: &'static str,
    /// The file extensions, without the dot.
    pub endings: &'static [&'static str],
    /// The names in `import "…" as 'Name` that select the language.
    pub formats: &'static [&'static str],
    /// Whether the language is for programs. `false` for data.
    pub is_programs: bool,
    /// Reads a file or an expression. `None` for a language that is announced but not implemented: it is refused by name.
    pub program: Option<ReadProgram>,
    /// The data language that is a superset of this one.
    pub part_of: Option<&'static Language>,
    /// Reads a stream of documents as an array. `None` if a file can hold only one.
    pub documents: Option<ReadDocuments>,
    /// Writes an environment variable as a line of a program. `None` if its programs are not lists of environment variables.
    pub variable: Option<fn(&str, &str) -> String>,
    /// The functions that read the inputs of a session. `None` if a session cannot use the language.
    pub cells: Option<&'static Cells>,
    /// The semantics of its programs where languages differ.
    pub rules: &'static Rules,
    /// Its library. Terms read it under the name [`Rules::library`].
    pub library: Option<&'static dyn Library>,
    /// The spelling of types and values.
    pub spelling: &'static Spelling,
    /// The way in which a fix changes a text of the language.
    pub edits: Edits,
    /// Whether a program that is a function is called with the top-level arguments (`--tla-code`). External variables
    /// and arguments that are expressions are written in the first such language.
    pub calls_with_arguments: bool,
    /// Whether the JSON output is printed during the evaluation, byte for byte as the reference implementation prints
    /// it.
    pub own_json: bool,
    /// The environment variable that lists folders to search for imports, separated by colons.
    pub path_variable: Option<&'static str>,
    /// The name of the data file with which a user extends the language: beside a program, or in a folder for imports.
    pub table: Option<&'static str>,
    /// Finds the modules that programs import. `None` if programs import only files.
    pub modules: Option<&'static dyn Modules>,
    /// The same language with its newest syntax, which the option `syntax` chooses. `None` if it has only one syntax.
    pub newest: Option<&'static Language>,
    /// The same language for answers about data files: a value with a tag of YAML is written as in YAML. `None` if there is no
    /// difference.
    pub of_data: Option<&'static Language>,
    /// Returns a suggestion about an error at a place of a text, from what is written around it. `None` if the language has
    /// none.
    pub hint_at: Option<HintAt>,
    /// Replaces problems that were found in a text by their causes in it. `None` if the language has none.
    pub causes: Option<FindCauses>,
    /// The contents of `:help`.
    pub help: &'static Help,
}

/// The search for imported modules, which are folders with a main file.
pub trait Modules: Sync {
    /// Returns `true` if the path of an import names a module and not a file.
    fn is_module(&self, path: &str) -> bool;
    /// Returns the file that the import of a module at a place reads.
    fn find(&self, path: &str, span: Span, files: &dyn ModuleFiles) -> Result<PathBuf, Problem>;
}

/// The files that a search for a module can look at.
pub trait ModuleFiles {
    /// Returns the folder of the importing file.
    fn folder(&self) -> &Path;
    /// Returns the folders for imports, in the order of the search.
    fn search(&self) -> Vec<PathBuf>;
    /// Returns `true` if a file exists.
    fn exists(&self, path: &Path) -> bool;
    /// Reads a data file. `None` if it does not exist or cannot be read.
    fn data(&self, path: &Path) -> Option<Program>;
}

/// Reads a file or an expression.
pub type ReadProgram = fn(SourceId, &str, &dyn Names) -> Program;

/// Reads the documents of a file.
pub type ReadDocuments = fn(SourceId, &str, Stop<'_>) -> Program;

/// Returns a suggestion about an error with a code at a place of a text.
pub type HintAt = fn(&str, &str, Range<usize>) -> Option<String>;

/// Replaces the problems of a check that were found in a text by their causes in it.
pub type FindCauses = fn(SourceId, &str, &mut Vec<Problem>);

/// The roles of the parts of an input, with their byte ranges.
pub type Roles = Vec<(Range<usize>, Role)>;

/// The tokens of an input, each as its range in bytes and the name of its kind.
pub type TokenKinds = Vec<(Range<usize>, String)>;

/// The functions that read the inputs of a session. Each is total, and linear in the text.
pub struct Cells {
    /// Reads an input.
    pub cell: fn(SourceId, &str, &dyn Names) -> Cell,
    /// Checks whether an input is complete.
    pub completeness: fn(&str) -> Completeness,
    /// Returns the first place of a text that nothing typed after it can fix.
    pub mistake: fn(&str) -> Option<Range<usize>>,
    /// Splits a text of several lines into inputs.
    pub inputs: for<'t> fn(&'t str) -> Vec<&'t str>,
    /// Returns the roles of the parts of an input, in order, without overlap.
    pub highlight: fn(&str) -> Roles,
    /// Returns the tokens of an input with their kinds, in order.
    pub tokens: fn(&str) -> TokenKinds,
    /// The names of the language in notebooks and editors, and its highlighter there. `None` if it has no highlighter.
    pub editor: Option<&'static Editor>,
    /// Returns the syntax tree of an expression.
    pub ast: fn(SourceId, &str, Stop<'_>) -> Vec<AstNode>,
    /// Reads the graph of a document. `None` if documents of the language have none.
    pub graph: Option<ReadGraph>,
    /// Returns the completion context at a place of a text.
    pub cursor: fn(SourceId, &str, usize, &dyn Names) -> Cursor,
    /// The words that begin or continue an expression.
    pub keywords: &'static [&'static str],
}

/// The names of a language in Jupyter, Pygments and CodeMirror, and what their highlighters need.
pub struct Editor {
    /// The MIME type.
    pub mime: &'static str,
    /// The MIME type of a similar language, for editors that do not know this one.
    pub similar_mime: &'static str,
    /// Other names in editors.
    pub aliases: &'static [&'static str],
    /// The alias of the Pygments lexer.
    pub lexer: &'static str,
    /// Whether other tools may highlight files with these endings. `false` if the highlighters are for cells only,
    /// because Pygments has another lexer for the files.
    pub takes_files: bool,
    /// Whether line ends and indentation have a meaning.
    pub is_indented: bool,
    /// The address of the language's home page.
    pub home: &'static str,
    /// The quotes that an editor closes.
    pub quotes: &'static [&'static str],
    /// The text that begins a comment to the end of the line.
    pub line_comment: &'static str,
    /// The delimiters of a comment of several lines.
    pub block_comment: Option<[&'static str; 2]>,
    /// Returns the tokens and roles as tables.
    pub scanner: fn() -> serde_json::Value,
}

/// The contents of `:help` for a language.
pub struct Help {
    /// Examples of inputs, each with its meaning.
    pub inputs: &'static [(&'static str, &'static str)],
    /// The pages of commands and topics. A test runs their examples.
    pub pages: &'static str,
}

/// The way in which a fix changes a text.
pub enum Edits {
    /// Fixes do not change the text.
    Never,
    /// A fix adds a priority before the value, `port | force = 80`, or adds a value to a field that is declared without
    /// one.
    Annotations,
    /// A fix removes the line of a key, or replaces the value on it.
    Lines(LineEdits),
}

/// The rules for changes of data line by line.
pub struct LineEdits {
    /// The separator between a key and its value.
    pub separator: char,
    /// Returns `true` if this trimmed text may follow a value on a line that is removed.
    pub may_follow: fn(&str) -> bool,
    /// Returns `true` if a value can be written on one line, as JSON.
    pub can_write: fn(&Datum) -> bool,
}

impl Language {
    /// Returns a language that is announced. It is refused by name until it is implemented.
    pub const fn announced(name: &'static str, endings: &'static [&'static str]) -> Language {
        Language {
            name,
            title: name,
            endings,
            formats: &[],
            is_programs: true,
            program: None,
            part_of: None,
            documents: None,
            variable: None,
            cells: None,
            rules: &rules::CORE,
            library: None,
            spelling: &super::cfg::notation::SPELLING,
            edits: Edits::Never,
            calls_with_arguments: false,
            own_json: false,
            path_variable: None,
            table: None,
            modules: None,
            newest: None,
            of_data: None,
            hint_at: None,
            causes: None,
            help: &Help { inputs: &[], pages: "" },
        }
    }
}

/// One of the [`Languages`]. Two languages are equal if they have the same name.
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

/// The language that is used if none is given.
impl Default for Dialect {
    fn default() -> Dialect {
        Languages::default().standard()
    }
}

/// Queries about a language.
impl Dialect {
    /// Returns the language for answers about data files.
    pub fn of_data(self) -> Dialect {
        self.0.of_data.map_or(self, Dialect)
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the notation of types in reports.
    pub fn notation(self) -> Notation {
        self.0.spelling.report
    }

    /// Returns the semantics of its programs where languages differ.
    pub fn rules(self) -> &'static Rules {
        self.0.rules
    }

    /// Returns the library entry at a path that begins with `std`.
    pub fn library_entry(self, path: &[&str]) -> Option<LibraryEntry> {
        let (_, rest) = path.split_first().filter(|(first, _)| **first == rules::STD)?;
        self.0.library?.entry(rest)
    }

    /// Returns the spelling of types and values.
    pub fn spelling(self) -> &'static Spelling {
        self.0.spelling
    }

    /// Returns `true` if the language is for programs, not for data. A session can use it when it is implemented.
    pub fn has_cells(self) -> bool {
        self.0.is_programs
    }

    /// Returns `true` if the language is implemented.
    pub fn is_built(self) -> bool {
        self.0.program.is_some()
    }

    /// Returns `true` if a session can use the language.
    pub fn is_interactive(self) -> bool {
        self.0.cells.is_some()
    }

    /// Returns the largest language that is a superset of this one, possibly itself.
    pub fn widest(self) -> Dialect {
        self.0.part_of.map_or(self, Dialect)
    }

    /// Reads a file or an expression. If the reader is stopped, the result is a hole with a problem that says why.
    pub fn program(self, source: SourceId, text: &str, names: &dyn Names) -> Program {
        let program = self.0.program.map(|read| read(source, text, names));
        let mut problems = Vec::new();
        if names.stop().is_asked() {
            problems.push(super::stopped(names, source));
        } else if let Some(program) = program {
            names.read_program(self, source, &program);
            return program;
        }
        let mut builder = Builder::new();
        let root = builder.push(Node::Hole, Span::new(source, 0, 0));
        Program { term: Arc::new(builder.finish(root)), problems }
    }

    /// Reads an input of a session. If the reader is stopped, the result is empty, with a problem that says why.
    pub fn cell(self, source: SourceId, text: &str, names: &dyn Names) -> Cell {
        let cell = self.0.cells.map(|cells| (cells.cell)(source, text, names));
        match cell {
            _ if names.stop().is_asked() => Cell { items: Vec::new(), problems: vec![super::stopped(names, source)] },
            Some(cell) => {
                names.read_cell(self, source, &cell);
                cell
            }
            None => Cell { items: Vec::new(), problems: Vec::new() },
        }
    }

    /// Checks whether an input is complete. It is incomplete if and only if all its errors are at its end.
    pub fn completeness(self, text: &str) -> Completeness {
        self.0.cells.map_or(Completeness::Complete, |cells| (cells.completeness)(text))
    }

    /// Returns the first place of a text that nothing typed after it can fix. `O(length)`.
    pub fn mistake(self, text: &str) -> Option<Range<usize>> {
        (self.0.cells?.mistake)(text)
    }

    /// Splits a text into inputs. Each input has its own lines.
    pub fn inputs(self, text: &str) -> Vec<&str> {
        self.0.cells.map_or_else(|| vec![text], |cells| (cells.inputs)(text))
    }

    /// Returns the roles of the parts of an input, in order, without overlap. The other parts are plain.
    pub fn highlight(self, text: &str) -> Vec<(Range<usize>, Role)> {
        self.0.cells.map_or_else(Vec::new, |cells| (cells.highlight)(text))
    }

    /// Returns the tokens of an input with their kinds, in order. Never fails. `O(length)`.
    pub fn tokens(self, text: &str) -> Vec<(Range<usize>, String)> {
        self.0.cells.map_or_else(Vec::new, |cells| (cells.tokens)(text))
    }

    /// Returns the syntax tree of an expression, in source order. Never fails: parts that do not parse are holes.
    /// `O(length)`.
    pub fn ast(self, source: SourceId, text: &str, stop: Stop<'_>) -> Vec<AstNode> {
        self.0.cells.map_or_else(Vec::new, |cells| (cells.ast)(source, text, stop))
    }

    /// Returns the completion context at a place of a text, which may be incomplete. `O(length)`.
    pub fn cursor(self, source: SourceId, text: &str, place: usize, names: &dyn Names) -> Cursor {
        match self.0.cells {
            Some(cells) => (cells.cursor)(source, text, place, names),
            None => Cursor { replace: place..place, partial: String::new(), at: CursorContext::Nothing },
        }
    }

    /// Returns the words that begin or continue an expression.
    pub fn keywords(self) -> &'static [&'static str] {
        self.0.cells.map_or(&[], |cells| cells.keywords)
    }
}

/// The languages that a session can read, the standard one first. The default is the built-in languages.
#[derive(Clone, Copy, Debug)]
pub struct Languages {
    all: &'static [Dialect],
    /// Whether languages with several syntaxes have their newest one.
    newest: bool,
}

impl Default for Languages {
    fn default() -> Languages {
        Languages { all: &super::BUILT_IN, newest: false }
    }
}

impl Languages {
    /// Creates a list of other languages. `None` if the list is empty, since one of them must be the standard one.
    pub fn of(all: &'static [Dialect]) -> Option<Languages> {
        (!all.is_empty()).then_some(Languages { all, newest: false })
    }

    /// Iterates over all languages, in order.
    pub fn all(self) -> impl Iterator<Item = Dialect> {
        self.all.iter().map(move |dialect| self.current(*dialect))
    }

    /// Returns the languages with their newest syntax, or with the standard one.
    pub fn with_newest(self, newest: bool) -> Languages {
        Languages { newest, ..self }
    }

    /// Returns a language of this list with the syntax that was chosen.
    fn current(self, dialect: Dialect) -> Dialect {
        if self.newest { dialect.0.newest.map_or(dialect, Dialect) } else { dialect }
    }

    /// Returns the language in which environment variables are read.
    pub fn of_environment(self) -> Dialect {
        self.all().find(|dialect| dialect.0.variable.is_some()).unwrap_or(Dialect::DOTENV)
    }

    /// Iterates over the languages that a session can use.
    pub fn interactive(self) -> impl Iterator<Item = Dialect> {
        self.all().filter(|dialect| dialect.is_interactive())
    }

    /// Returns the language that is used if none is given. Overrides, and merges of files, are written in it.
    pub fn standard(self) -> Dialect {
        self.all().next().unwrap_or(super::BUILT_IN[0])
    }

    /// Returns the language of external variables and arguments that are expressions (`--ext-code`, `--tla-code`).
    pub fn called(self) -> Dialect {
        self.all().find(|dialect| dialect.0.calls_with_arguments).unwrap_or(self.standard())
    }

    /// Returns the language with a name. Ignores case.
    pub fn named(self, name: &str) -> Option<Dialect> {
        self.all().find(|dialect| dialect.name().eq_ignore_ascii_case(name))
    }

    /// Returns the language of a file, by its extension. A file may also be named by an extension alone, with or without
    /// more after it: `.env`, `.env.local`.
    pub fn of_path(self, path: &Path) -> Option<Dialect> {
        let named = || path.file_name()?.to_str()?.strip_prefix('.')?.split('.').next();
        let known = |ending: &&str| self.all().any(|dialect| dialect.0.endings.contains(ending));
        let ending = named().filter(known).or_else(|| path.extension()?.to_str())?.to_ascii_lowercase();
        self.all().find(|dialect| dialect.0.endings.contains(&ending.as_str()))
    }

    /// Returns the language whose programs follow these rules.
    pub fn of_rules(self, rules: &'static Rules) -> Dialect {
        self.all().find(|dialect| dialect.rules() == rules).unwrap_or(self.standard())
    }

    /// Returns the library that terms read under a name.
    pub fn library(self, root: &str) -> Option<&'static dyn Library> {
        self.all().filter(|dialect| dialect.rules().library == root).find_map(|dialect| dialect.0.library)
    }

    /// Returns the library entry at a path. The path begins with the name under which terms read the library.
    pub fn entry(self, path: &[Name]) -> Option<LibraryEntry> {
        let (root, rest) = path.split_first()?;
        self.library(root)?.entry(&rest.iter().map(Name::as_str).collect::<Vec<_>>())
    }

    /// Iterates over the environment variables that list folders to search for imports. The folders of the first are
    /// searched first. The standard language comes last, because its imports are usually relative.
    pub fn path_variables(self) -> impl Iterator<Item = &'static str> {
        self.all.iter().rev().filter_map(|dialect| dialect.0.path_variable)
    }

    /// Iterates over the names of formats in `import "…" as 'Format`, one for each language.
    pub fn formats(self) -> impl Iterator<Item = &'static str> {
        self.all().filter_map(|dialect| dialect.0.formats.first().copied())
    }

    /// Returns the language of the format in `import "…" as 'Format`.
    pub fn of_format(self, format: &str) -> Option<Dialect> {
        self.all().find(|dialect| dialect.0.formats.contains(&format))
    }
}
