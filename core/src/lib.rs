//! `cfg` shows which type a piece of configuration has, where each value comes from, and what a merge did. This crate is
//! all of it except input and output: the languages (`cfg`, which is Nickel's language with extensions, Jsonnet, mcl,
//! Yay, JSON, YAML, TOML), type inference, evaluation, merging, and the questions about all of these.
//!
//! # Use it
//!
//! A [`Session`] is everything. It gets its files from a [`Loader`], and does no other IO.
//!
//! ```
//! use cfg_core::{Event, NoLoader, Session};
//!
//! let mut session = Session::new(Box::new(NoLoader));
//! session.submit("base = { port | default = 80, next = port + 1 }");
//! let events = session.submit("base & { port = 8080 }");
//! let [Event::Value { value, ty, .. }] = events.as_slice() else { panic!("{events:?}") };
//! assert_eq!(value.text(), "{ next = 8081, port = 8080 }");
//! assert_eq!(ty.text(), "{ next : Number, port : Number }");
//! ```
//!
//! | to | call | and get |
//! |---|---|---|
//! | run an input of a prompt or a notebook: an expression, a definition, a `:command` | [`Session::submit`] | [`Event`]s |
//! | run a command on files, like the command line | [`Session::run`] with a [`Request`] | an [`Outcome`] |
//! | get answers as data and HTML too | [`Session::set_rich`] | [`Rich`] in the events |
//! | help while a user types | [`Session::complete`], [`highlight`](Session::highlight), [`mistake`](Session::mistake), [`hint`](Session::hint), [`completeness`](Session::completeness) | [`Candidate`]s, [`Role`]s |
//! | stop what is running, from another thread | [`Session::interrupt_handle`] | an [`Interrupt`] |
//! | print text | [`Styled`] | runs of text with their [`Role`]s |
//!
//! `core/examples/embed.rs` is a program that does most of this.
//!
//! # Modules
//!
//! - [`notebook`], [`steps`], [`config`], [`markdown`]: types that only some faces need.
//! - [`language`] describes a language; a program can add one of its own. A language's reader makes a [`term`] from a
//!   [`text`], with [`meta`]data of its fields, and reports [`problem`]s; inference gives a term a type ([`ty`]). [`why`]
//!   explains a type.
//!
//! Everything else is private. Data flows one way through the private modules: text → tree → term → types (`infer`) and
//! values (`value`) → answers (`answer`) → views (`view`); `state` is what a session knows, and `session` the façade.
//! `ARCHITECTURE.md` describes them.

mod answer;
mod chunks;
mod deep;
mod dialect;
mod infer;
mod loader;
pub mod meta;
mod number;
pub mod problem;
mod session;
mod state;
mod stop;
mod styled;
pub mod term;
pub mod text;
pub mod ty;
mod value;
mod view;

pub use dialect::{Completeness, Dialect, Languages};
pub use loader::{InMemory, Loader, Memory, MemoryGauge, NoLoader};
pub use problem::Severity;
pub use serde_json;
pub use session::{
    Action, Activity, Candidate, CheckOptions, Content, DiffLayout, DocumentOutput, Drawing, EXTERNAL_OPTIONS, Event,
    ExternalOption, FileEdit, Format, Input, Interrupt, Layering, Medium, Observer, Outcome, Output, Phase,
    ProgramOptions, Request, Session, SetKind, SetOption, Shape, Target, Watch,
};
pub use styled::{Role, Styled, wrap};
pub use text::counted;
pub use view::html::STYLE_SHEET;
pub use view::rich::Rich;

/// Types for notebooks: cells that depend on each other, and replicas that answer on another thread
/// while a cell runs.
pub mod notebook {
    pub use crate::session::{CellReads, NameOverview, PageWidths, PublishedState, Publisher, Rerun, UNKEPT};
}

/// The pages of `:steps` ([`Event::Steps`]), for a stepper.
pub mod steps {
    pub use crate::answer::steps::text::{Page, PageRow};
}

/// "What if" for a face that offers keys: [`Session::explain_again`] and [`Session::try_changes`].
pub mod whatif {
    pub use crate::answer::whatif::listed::ListedDefinition;
    pub use crate::session::{ExplainedField, Tried};
}

/// The contents of `cfg.toml`.
pub mod config {
    pub use crate::session::config::Configuration;
    pub use crate::session::config::colours::{Background, Colour, ROLES, TextStyle};
}

/// The commands of the prompt.
pub mod commands {
    pub use crate::session::commands::is_command_name;
}

/// The exercises of lessons, for `cfg learn`.
pub mod lessons {
    pub use crate::session::commands::check_hint;
    pub use crate::session::commands::help_topic;
}

/// The code blocks of a Markdown file, for transcripts.
pub mod markdown {
    pub use crate::text::blocks::{Block, Section, sections};
}

/// The reasons for a type or for a clash of types, as data: [`Session::why_type`](crate::Session::why_type) and
/// [`Session::why_problem`](crate::Session::why_problem).
pub mod why {
    pub use crate::answer::why::{Fix, PassingConstruct, Side, Statement, WhyAnswer, WhyStep, WhySubject};
}

/// The description of a language, and what its functions take and return.
///
/// A language is a `static` [`Language`](language::Language). A session that is made with [`Session::with_languages`]
/// reads it everywhere: at the prompt, in files, in completion, highlighting and every question.
/// `kernel/tests/toy/tally` is a complete one of about 250 lines. It lowers its texts to the core language with a
/// [`Builder`](crate::term::build::Builder).
///
/// [`Session::with_languages`]: crate::Session::with_languages
pub mod language {
    pub use crate::dialect::cfg::notation::{REPORT as NOTATION_OF_CFG, SPELLING as SPELLING_OF_CFG};
    pub use crate::dialect::library::{Item, Library, LibraryEntry, LibraryValue, Module};
    pub use crate::dialect::notation::ty::styled as print_type;
    pub use crate::dialect::notation::{ConstructorNotation, Spelling};
    pub use crate::dialect::{
        AstNode, Cell, CellItem, Cells, Cursor, CursorContext, Editor, Edits, Help, Language, LineEdits, ModuleFiles,
        Modules, Names, Program, StdNames, Stop,
    };
    pub use crate::problem::report::{KindNames, Label, Notation, Report};
    pub use crate::stop::StopFlag;
    pub use crate::value::Revision;
}

#[doc(inline)]
pub use crate::dialect::functions;

/// The examples of `core/README.md`, run as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
