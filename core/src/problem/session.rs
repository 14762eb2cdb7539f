//! Problems of the session: imports, commands, paths.

use crate::text::{Name, Span};

/// A problem that the session met.
#[derive(Clone, PartialEq, Debug)]
pub struct Session {
    /// Where, if it stands in a program.
    pub span: Option<Span>,
    /// What it is.
    pub what: SessionKind,
}

/// What the session met.
#[derive(Clone, PartialEq, Debug)]
pub enum SessionKind {
    /// No file of this path; where it was looked for.
    NotFound {
        /// The path as written.
        path: Name,
        /// Every path that was tried.
        tried: Vec<Name>,
    },
    /// A file that is there and cannot be read.
    Unreadable {
        /// The path as written.
        path: Name,
        /// The system's reason.
        reason: Name,
    },
    /// A result that is older than what it was computed from.
    Stale {
        /// Its name, `$3`.
        result: Name,
        /// The names that were defined again since.
        names: Vec<Name>,
        /// The files that were read again since.
        files: Vec<Name>,
        /// The external variables that were given something else since.
        variables: Vec<Name>,
    },
    /// A file that cannot be written.
    Unwritable {
        /// The path as written.
        path: Name,
        /// The system's reason.
        reason: Name,
    },
    /// A text that is not UTF-8.
    NotUtf8,
    /// A file whose ending stands for no language, or a format that is none.
    UnknownFormat {
        /// The path as written.
        path: Name,
        /// The format asked for, if one was.
        format: Option<Name>,
    },
    /// A language that cannot be read yet.
    NotBuilt {
        /// Its name.
        dialect: &'static str,
        /// The names of those that can be read.
        built: Vec<Name>,
    },
    /// Files that import each other in a circle, so that their types cannot be known.
    ImportCycle {
        /// The files; the last one imports the first.
        files: Vec<Name>,
    },
    /// Definitions of the session that read each other in a circle.
    DefinitionCycle {
        /// Their names; the last one reads the first.
        names: Vec<Name>,
    },
    /// Something given to programs (`--ext-str`) that cannot be.
    BadGift {
        /// What is wrong, a sentence without a full stop.
        why: Name,
    },
    /// A name that cannot be defined.
    Reserved {
        /// The name.
        name: Name,
    },
    /// No command of this name, or several.
    UnknownCommand {
        /// As written.
        name: Name,
        /// The nearest, or all that it may mean.
        near: Vec<Name>,
        /// Whether several commands begin so.
        ambiguous: bool,
    },
    /// A command without what it needs, or with more.
    BadCommand {
        /// What is wrong, a sentence without a full stop.
        why: Name,
        /// How it is used.
        usage: &'static str,
    },
    /// A mistake in `cfg.toml`.
    Configuration {
        /// What is wrong, a sentence without a full stop.
        why: Name,
        /// What would be right.
        help: Option<Name>,
    },
    /// No option of this name.
    UnknownOption {
        /// As written.
        name: Name,
        /// The nearest.
        near: Vec<Name>,
    },
    /// A path that does not read.
    BadPath {
        /// As written.
        path: Name,
        /// What is wrong.
        why: Name,
    },
    /// An argument behind `--` that is no assignment.
    BadAssignment {
        /// What is wrong.
        why: Name,
    },
    /// An assignment to a field that the program does not have.
    NoSuchInput {
        /// The field.
        path: Name,
        /// Fields of near names.
        near: Vec<Name>,
    },
    /// An assignment, without `--override`, to a field that has a value.
    NotAnInput {
        /// The field.
        path: Name,
        /// The assignment.
        text: Name,
    },
    /// A document of a stream that does not say which it is, so that nothing can be merged with it.
    NamelessDocument {
        /// The file.
        path: Name,
        /// How many documents it holds.
        count: usize,
    },
    /// An empty answer: nothing of that name is known.
    NothingThere {
        /// What was asked for.
        path: Name,
        /// The names that are near.
        near: Vec<Name>,
    },
}

impl Session {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self.what {
            SessionKind::NotFound { .. } => "import/not-found",
            SessionKind::Unreadable { .. } => "import/unreadable",
            SessionKind::Unwritable { .. } => "command/unwritable",
            SessionKind::Stale { .. } => "session/stale",
            SessionKind::NotUtf8 => "encoding/not-utf-8",
            SessionKind::BadGift { .. } => "cli/given",
            SessionKind::UnknownFormat { .. } => "import/unknown-format",
            SessionKind::NotBuilt { .. } => "dialect/not-built",
            SessionKind::ImportCycle { .. } => "import/cycle",
            SessionKind::DefinitionCycle { .. } => "scope/circle",
            SessionKind::Reserved { .. } => "scope/reserved",
            SessionKind::UnknownCommand { .. } => "command/unknown",
            SessionKind::BadCommand { .. } => "command/usage",
            SessionKind::Configuration { .. } => "config/mistake",
            SessionKind::UnknownOption { .. } => "command/unknown-option",
            SessionKind::BadPath { .. } => "path/syntax",
            SessionKind::BadAssignment { .. } => "assignment/syntax",
            SessionKind::NoSuchInput { .. } => "assignment/no-such-field",
            SessionKind::NotAnInput { .. } => "assignment/has-a-value",
            SessionKind::NamelessDocument { .. } => "merge/nameless-document",
            SessionKind::NothingThere { .. } => "path/nothing-there",
        }
    }
}
