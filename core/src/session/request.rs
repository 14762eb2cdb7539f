//! What the command line asks of a session, and what it gets: plain data.

use crate::dialect::Dialect;
use crate::problem::Severity;
use crate::state::external::ExternalOption;
use crate::styled::Styled;
use crate::view::{Drawing, Medium};
use std::path::PathBuf;

/// One run of a command that asks something of programs.
#[derive(Clone, Debug)]
pub struct Request {
    /// The programs: one, but for `check`.
    pub inputs: Vec<Input>,
    /// `--dialect`: stands over the files' endings.
    pub dialect: Option<Dialect>,
    /// `-I`: where imports are looked for after the importing file's folder.
    pub import_paths: Vec<PathBuf>,
    /// `--apply-contract`: files whose contracts the program must meet, in order.
    pub contracts: Vec<PathBuf>,
    /// `-- a.b=1`: definitions merged over the program, with the priority `force`.
    pub overrides: Vec<String>,
    /// What the options give to programs, and how they print: jsonnet's.
    pub jsonnet: Jsonnet,
    /// What to do.
    pub action: Action,
}

/// The options that jsonnet's own command line has.
#[derive(Clone, Debug, Default)]
pub struct Jsonnet {
    /// `-J`: where imports are looked for; the last one first.
    pub libraries: Vec<PathBuf>,
    /// `--ext-str`, `--tla-code` and so on.
    pub externals: Vec<ExternalOption>,
    /// `--max-stack`: how many frames a jsonnet program may have, as the reference counts them.
    pub max_stack: Option<u32>,
    /// `-S`: the value must be a string, and is printed as it is.
    pub string: bool,
    /// `--no-trailing-newline`
    pub no_newline: bool,
    /// `-y`, `-m`
    pub shape: Shape,
}

/// What a program's value stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// One document.
    #[default]
    Document,
    /// `-y`: an array of documents.
    Stream,
    /// `-m`: an object of files, to be written at names that begin so.
    Files(String),
}

/// A program to be read.
#[derive(Clone, Debug)]
pub enum Input {
    /// A file, read through the session's loader.
    File(PathBuf),
    /// A text that stands in for a file: `-e`, or standard input. Its imports are relative to the working folder.
    Text {
        /// Its name in diagnostics: `<expression>`, `<stdin>`.
        name: String,
        /// The text.
        text: Vec<u8>,
    },
}

/// What to do with the programs.
#[derive(Clone, Debug)]
pub enum Action {
    /// `cfg deps`
    Deps {
        /// The field.
        path: String,
        /// `--used-by`: who reads it, instead of what it reads.
        used_by: bool,
        /// `--format json`
        json: bool,
    },
    /// `cfg graph`
    Graph {
        /// `--at`: only this part, and what it reads.
        at: Option<String>,
        /// `--format`
        drawing: Drawing,
    },
    /// `cfg eval`
    Eval {
        /// `--at`: only this part, and only what it needs.
        at: Option<String>,
        /// `--format`
        format: Format,
    },
    /// `cfg type`
    Type {
        /// `--at`
        at: Option<String>,
        /// `--pretty`
        pretty: bool,
    },
    /// `cfg check`
    Check {
        /// `--strict`: warnings count as errors.
        strict: bool,
        /// `--silence`: the codes of warnings that are not told.
        silence: Vec<String>,
    },
    /// `cfg query`
    Query {
        /// The field.
        path: String,
        /// `--format json`
        json: bool,
    },
    /// `cfg explain`
    Explain {
        /// The field.
        path: String,
        /// `--format`
        medium: Medium,
    },
    /// `cfg why`
    Why {
        /// The field; the first error without.
        path: Option<String>,
        /// `--step`: one step of the chain, in full.
        step: Option<usize>,
        /// `--format`
        medium: Medium,
    },
    /// `cfg steps`: the merges of a program, or of several, step by step.
    Steps {
        /// `--at`: only the fields below this one.
        at: Option<String>,
        /// `--all`: what did not change too.
        all: bool,
        /// `--most`: how many steps at most.
        most: Option<usize>,
        /// `--layers`: a later file's definitions stand over those of earlier ones.
        layers: bool,
        /// `--format`
        medium: Medium,
    },
    /// `cfg merge`: the programs merged, in their order.
    Merge {
        /// `--at`: only this part, and only what it needs.
        at: Option<String>,
        /// `--layers`: a later file's definitions stand over those of earlier ones.
        layers: bool,
        /// `--format`
        format: Format,
        /// `--explain`: not the value, but where it comes from.
        explain: Option<Medium>,
    },
}

/// How a value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// JSON.
    #[default]
    Json,
    /// YAML.
    Yaml,
    /// TOML.
    Toml,
    /// A string, as it is.
    Text,
}

impl Format {
    /// The format of a name.
    pub fn from_name(name: &str) -> Option<Format> {
        Some(match name {
            "json" => Format::Json,
            "yaml" => Format::Yaml,
            "toml" => Format::Toml,
            "text" | "raw" => Format::Text,
            _ => return None,
        })
    }
}

/// What came of a [`Request`].
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// For standard output. Ends with a line end unless it is empty or a text as is.
    pub output: Styled,
    /// Files to be written, by name: what `-m` asks for. The output lists them.
    pub files: Vec<(String, String)>,
    /// For standard error, in order, each without a line end.
    pub reports: Vec<(Severity, Styled)>,
    /// The exit code: 0 done, 1 the program is at fault, 2 the call is.
    pub exit: u8,
}
