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
mod dialect;
mod infer;
mod loader;
pub mod meta;
mod number;
pub mod problem;
mod session;
mod state;
mod styled;
pub mod term;
pub mod text;
pub mod ty;
mod value;
mod view;

pub use dialect::{Completeness, Dialect, Languages};
pub use loader::{InMemory, Loader, Memory, NoLoader};
pub use problem::Severity;
pub use serde_json;
pub use session::{
    Action, Activity, Candidate, Content, Drawing, EXTERNAL_OPTIONS, Event, ExternalOption, Format, Input, Interrupt,
    Medium, Observer, Outcome, Output, Phase, ProgramOptions, Request, Session, Shape, Target, Watch,
};
pub use styled::{Role, Styled, wrap};
pub use view::rich::Rich;

/// Types for notebooks: cells that depend on each other, and replicas that answer on another thread
/// while a cell runs.
pub mod notebook {
    pub use crate::session::{CellReads, Published, Publisher, Rerun, UNKEPT};
}

/// The pages of `:steps` ([`Event::Steps`]), for a stepper.
pub mod steps {
    pub use crate::answer::steps::text::{Page, PageRow};
}

/// The contents of `cfg.toml`.
pub mod config {
    pub use crate::session::config::Configuration;
    pub use crate::session::config::colours::{Background, Colour, Look, ROLES};
}

/// The code blocks of a Markdown file, for transcripts.
pub mod markdown {
    pub use crate::text::blocks::{Block, Section, sections};
}

/// The reasons for a type or for a clash of types, as data: [`Session::why_type`](crate::Session::why_type) and
/// [`Session::why_problem`](crate::Session::why_problem).
pub mod why {
    pub use crate::answer::why::{About, Fix, Says, Side, Through, WhyAnswer, WhyStep};
}

/// The description of a language, and what its functions take and return.
///
/// A language is a `static` [`Language`](language::Language). A session that is made with [`Session::with_languages`] reads it everywhere: at
/// the prompt, in files, in completion, highlighting and every question. `kernel/tests/toy/tally` is a complete one of
/// about 250 lines. It lowers its texts to the core language with a [`Builder`](crate::term::build::Builder).
///
/// [`Session::with_languages`]: crate::Session::with_languages
pub mod language {
    pub use crate::dialect::cfg::notation::{REPORT as NOTATION_OF_CFG, SPELLING as SPELLING_OF_CFG};
    pub use crate::dialect::library::{Item, Library, LibraryEntry, LibraryValue, Module};
    pub use crate::dialect::notation::ty::styled as print_type;
    pub use crate::dialect::notation::{Former, Spelling};
    pub use crate::dialect::{
        AstNode, At, Cell, CellItem, Cells, Cursor, Editor, Edits, Help, Language, LineEdits, ModuleFiles, Modules,
        Names, OnlyStd, Program, Stop,
    };
    pub use crate::problem::report::{Label, Notation, Nouns, Report};
    pub use crate::value::Revision;
}

/// Functions that a program adds to mcl.
///
/// The type of a function is found in one of three ways. Its signature is the type; or the variables of its signature are restricted to some
/// types, which is checked after unification; or its signature depends on the call.
///
/// ```
/// use cfg_core::language::Language;
/// use cfg_core::mcl::{Body, Constant, Data, Function, Functions, Module, PartialCall, Refused, language, printed};
/// use cfg_core::{Dialect, Event, Languages, NoLoader, Session};
///
/// // The signature is the type. `?1` is any type, the same one at both places.
/// struct Last;
/// impl Body for Last {
///     fn run(args: &[Data]) -> Result<Data, String> {
///         match args {
///             [Data::List(items)] => items.last().cloned().ok_or_else(|| "the list is empty".into()),
///             _ => Err("expected a list".into()),
///         }
///     }
/// }
///
/// // After unification, `?1` must be `int` or `float`.
/// struct Double;
/// impl Body for Double {
///     fn run(args: &[Data]) -> Result<Data, String> {
///         Ok(match args {
///             [Data::Int(i)] => Data::Int(i.checked_mul(2).ok_or("integer overflow")?),
///             [Data::Float(f)] => Data::Float(f * 2.0),
///             _ => return Err("expected a number".into()),
///         })
///     }
/// }
///
/// // The signature depends on the call: `pick("first", 1, "a")` is an int.
/// struct Pick;
/// impl Body for Pick {
///     fn run(args: &[Data]) -> Result<Data, String> {
///         let [Data::Str(which), first, second] = args else { return Err("expected three arguments".into()) };
///         Ok(if which == "first" { first.clone() } else { second.clone() })
///     }
/// }
/// fn pick(call: &PartialCall) -> Result<String, Refused> {
///     let refused = |why: &str| Err(Refused::Message(why.into()));
///     if call.types.len() != 3 {
///         return refused("`pick` takes three arguments");
///     }
///     // the types of the arguments that are known already
///     let ty = |index: usize| printed(call, index).unwrap_or(format!("?{index}"));
///     match &call.constants[0] {
///         Some(Constant::Str(which)) if which == "first" => Ok(format!("func(str, {0}, {1}) {0}", ty(1), ty(2))),
///         Some(Constant::Str(which)) if which == "second" => Ok(format!("func(str, {0}, {1}) {1}", ty(1), ty(2))),
///         _ => refused("the first argument must be the constant \"first\" or \"second\""),
///     }
/// }
///
/// static MINE: Module = Module::new(
///     "my/own",
///     "Functions of this program.",
///     &[
///         Function::simple::<Last>("last", "func(list []?1) ?1", "Returns the last element."),
///         Function::built::<Double>("double", "func(n ?1) ?1", &["int", "float"], "Returns twice the number."),
///         Function::inferred::<Pick>("pick", "func(which str, first ?1, second ?2) ?3", pick, "Returns a value."),
///     ],
/// );
/// static LIBRARY: Functions = Functions::with(&[&MINE]);
/// static MCL: Language = language(&LIBRARY);
/// static LANGUAGES: [Dialect; 2] = [Dialect(&MCL), Dialect::YAML];
///
/// let mut session = Session::with_languages(Languages::of(&LANGUAGES).expect("two languages"), Box::new(NoLoader));
/// session.submit("import \"my/own\"");
/// let mut answer = |text: &str| match session.submit(text).as_slice() {
///     [Event::Value { value, ty, .. }] => format!("{} : {}", value.text(), ty.text()),
///     [Event::Diagnostic { report, .. }, ..] => report.text().lines().next().unwrap_or_default().to_string(),
///     other => format!("{other:?}"),
/// };
/// assert_eq!(answer("own.last([1, 2,])"), "2 : int");
/// assert_eq!(answer("own.last([[true,],])"), "[true,] : []bool");
/// assert_eq!(answer("own.double(2.5)"), "5.0 : float");
/// assert_eq!(answer("own.double(\"a\")"), "error: `double` does not work on str [types/no-instance]");
/// assert_eq!(answer("own.pick(\"second\", 1, \"b\") + \"!\""), "\"b!\" : str");
/// assert!(answer("own.pick(\"third\", 1, 2)").starts_with("error: "));
/// ```
pub mod mcl {
    pub use crate::dialect::mcl::language;
    pub use crate::dialect::mcl::library::{Body, Data, Form, Function, Functions, Module, Refused, printed};
    pub use crate::infer::{Constant, PartialCall};
}

/// The examples of `core/README.md`, run as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
