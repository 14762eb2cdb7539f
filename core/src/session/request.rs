//! The request that the command line makes, and its outcome, as plain data.

use super::run::Finding;
use crate::dialect::Dialect;
use crate::problem::Severity;
use crate::state::external::ExternalOption;
use crate::styled::Styled;
use crate::view::{Drawing, Medium};
use std::path::PathBuf;

/// One run of a command on programs.
#[derive(Clone, Debug)]
pub struct Request {
    /// The programs. `check` and `merge` accept several.
    pub inputs: Vec<Input>,
    /// `--dialect`: overrides the files' extensions.
    pub dialect: Option<Dialect>,
    /// `-I`: folders in which imports are searched after the importing file's folder.
    pub import_paths: Vec<PathBuf>,
    /// `--apply-contract`: files with contracts that the program must satisfy, in order.
    pub contracts: Vec<PathBuf>,
    /// `-- a.b=1`: definitions merged over the program.
    pub overrides: Vec<String>,
    /// The layers that are merged over the programs, and the rules of the merge.
    pub layering: Layering,
    /// The options for external values and for printing.
    pub options: ProgramOptions,
    /// The action.
    pub action: Action,
}

impl Request {
    /// Returns whether later files override earlier ones.
    pub(super) fn layers(&self) -> bool {
        match self.action {
            Action::Merge { layers, .. } | Action::Edit { layers, .. } | Action::Steps { layers, .. } => layers,
            _ => self.layering.stacked,
        }
    }

    /// Makes a request for programs, without any options.
    pub fn new(inputs: Vec<Input>, action: Action) -> Request {
        Request {
            inputs,
            dialect: None,
            import_paths: Vec::new(),
            contracts: Vec::new(),
            overrides: Vec::new(),
            layering: Layering::default(),
            options: ProgramOptions::default(),
            action,
        }
    }
}

/// The layers that are merged over the programs, and the rules of the merge.
#[derive(Clone, Debug, Default)]
pub struct Layering {
    /// `--layers`: later inputs override earlier ones, in commands that read one program otherwise.
    pub stacked: bool,
    /// `--set` and its variants: each is a layer over all files, the last one the highest.
    pub sets: Vec<SetOption>,
    /// `--env`: prefixes of environment variables, which are a layer below the assignments.
    pub env: Vec<String>,
    /// `--list`: rules for the lists of several layers.
    pub lists: Vec<String>,
    /// `--schema`: files with schemas that the result must meet.
    pub schemas: Vec<PathBuf>,
}

/// An assignment of the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetOption {
    /// The way in which the value is read.
    pub kind: SetKind,
    /// The text: `path=value`.
    pub text: String,
}

/// The way in which the value of an assignment is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetKind {
    /// `--set`: a JSON literal, or else a string.
    Literal,
    /// `--set-string`: a string.
    Text,
    /// `--set-json`: JSON.
    Json,
    /// `--set-file`: the text of a file.
    File,
}

/// The options for external values and for printing, with the names that other tools use.
#[derive(Clone, Debug, Default)]
pub struct ProgramOptions {
    /// `-J`: folders in which imports are searched, the last one first.
    pub libraries: Vec<PathBuf>,
    /// `--ext-str`, `--tla-code` and the like.
    pub externals: Vec<ExternalOption>,
    /// `--max-stack`: the maximum number of frames of a program, if its language counts them.
    pub max_stack: Option<u32>,
    /// `--syntax 2026`: mcl has its newest syntax.
    pub newest_syntax: bool,
    /// `--kinds`: a file with additional kinds of resources.
    pub kinds: Option<PathBuf>,
    /// `--reveal`: secrets are shown.
    pub reveal: bool,
    /// `-S`: the value must be a string, which is printed raw.
    pub string: bool,
    /// `--no-trailing-newline`
    pub no_newline: bool,
    /// `-y`, `-m`
    pub shape: Shape,
    /// `--keep-order`: fields are printed in the order of their definitions.
    pub keep_order: bool,
}

/// The documents that a program's value represents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// One document.
    #[default]
    Document,
    /// `-y`: an array of documents.
    Stream,
    /// `-m`: an object of files, each to be written to this prefix followed by its name.
    Files(String),
}

/// A program to read.
#[derive(Clone, Debug)]
pub enum Input {
    /// A file, read with the session's loader.
    File(PathBuf),
    /// A text from `-e` or standard input. Its imports are relative to the working folder.
    Text {
        /// The name in diagnostics: `<expression>`, `<stdin>`.
        name: String,
        /// The text.
        text: Vec<u8>,
    },
    /// A data file that names the layers of a merge and its rules: `@stack.toml`.
    Stack(PathBuf),
}

/// The options of `cfg check`.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// `--strict`: warnings count as errors.
    pub strict: bool,
    /// `--silence`: codes of warnings that are not reported.
    pub silence: Vec<String>,
    /// `--all`: the warnings of libraries are reported, not only counted.
    pub all: bool,
    /// `--baseline`: the file with the known problems.
    pub baseline: Option<PathBuf>,
    /// Whether these are only some of the programs of a check, so that the outcome has findings for
    /// [`super::Session::join_checks`] instead of reports.
    pub part: bool,
}

impl Input {
    /// Returns its name in diagnostics.
    pub fn name(&self) -> String {
        match self {
            Input::File(path) => path.display().to_string(),
            Input::Text { name, .. } => name.clone(),
            Input::Stack(path) => format!("@{}", path.display()),
        }
    }
}

/// The layout of differences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DiffLayout {
    /// A line for each part that differs.
    #[default]
    Text,
    /// The two sides in two columns.
    SideBySide,
    /// JSON, by `docs/schema/diff.json`.
    Json,
}

/// The command of a request.
#[derive(Clone, Debug)]
pub enum Action {
    /// `cfg deps`
    Deps {
        /// The field.
        path: String,
        /// `--used-by`: list what reads the field, instead of what it reads.
        used_by: bool,
        /// `--format json`
        json: bool,
    },
    /// `cfg graph`
    Graph {
        /// `--at`: draw only this part and what it reads.
        at: Option<String>,
        /// `--functions`: draw the function graph.
        functions: bool,
        /// `--format`
        drawing: Drawing,
    },
    /// `cfg eval`
    Eval {
        /// `--at`: evaluate only this part.
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
    Check(CheckOptions),
    /// `cfg check --layers`: checks the merge of the programs as layers.
    CheckLayers(CheckOptions),
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
        /// The field. If it is `None`, the program's first type problem is explained.
        path: Option<String>,
        /// `--step`: show one step of the chain in full.
        step: Option<usize>,
        /// `--format`
        medium: Medium,
    },
    /// `cfg steps`: the merges of one or several programs, step by step.
    Steps {
        /// `--at`: show only the fields below this one.
        at: Option<String>,
        /// `--all`: also show what did not change.
        all: bool,
        /// `--most`: maximum number of steps.
        most: Option<usize>,
        /// `--layers`: definitions of later files override those of earlier ones.
        layers: bool,
        /// `--types`: show how the constraints of the type are solved instead.
        types: bool,
        /// `--format`
        medium: Medium,
    },
    /// `cfg merge --set a.b=1 --in-place`: changes the files so that fields have values.
    Edit {
        /// `--set`: `path=value`, in order.
        sets: Vec<String>,
        /// `--layers`: definitions of later files override those of earlier ones.
        layers: bool,
    },
    /// `cfg fmt`: formats the programs.
    Fmt {
        /// `--check`: only report which programs are not formatted.
        check: bool,
    },
    /// `cfg diff`: compares two programs, or two merges of layers.
    Diff {
        /// The number of inputs on the left side.
        left: usize,
        /// `--at`: compare only this part.
        at: Option<String>,
        /// `--format`, `--side-by-side`
        layout: DiffLayout,
    },
    /// `cfg merge`: merges the programs, in order.
    Merge {
        /// `--at`: evaluate only this part.
        at: Option<String>,
        /// `--layers`: definitions of later files override those of earlier ones.
        layers: bool,
        /// `--format`
        format: Format,
        /// `--explain`: print the origins of the values instead of the values.
        explain: Option<Medium>,
    },
}

impl Action {
    /// Returns the path of the field that the command is about, as it is written.
    pub fn at(&self) -> Option<&str> {
        match self {
            Action::Deps { path, .. } | Action::Query { path, .. } | Action::Explain { path, .. } => Some(path),
            Action::Graph { at, .. }
            | Action::Eval { at, .. }
            | Action::Type { at, .. }
            | Action::Steps { at, .. }
            | Action::Diff { at, .. }
            | Action::Merge { at, .. } => at.as_deref(),
            Action::Why { path, .. } => path.as_deref(),
            Action::Check(_) | Action::CheckLayers(_) | Action::Edit { .. } | Action::Fmt { .. } => None,
        }
    }
}

/// An output format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// JSON.
    #[default]
    Json,
    /// YAML.
    Yaml,
    /// TOML.
    Toml,
    /// A string, printed raw.
    Text,
    /// Java properties.
    Properties,
    /// A `.env` file.
    Dotenv,
}

impl Format {
    /// Returns the format with a name.
    pub fn from_name(name: &str) -> Option<Format> {
        Some(match name {
            "json" => Format::Json,
            "yaml" => Format::Yaml,
            "toml" => Format::Toml,
            "text" | "raw" => Format::Text,
            "properties" => Format::Properties,
            "dotenv" => Format::Dotenv,
            _ => return None,
        })
    }
}

/// A change of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileEdit {
    /// The path, as it was given.
    pub path: PathBuf,
    /// The path of the file itself, by the loader.
    pub canonical: PathBuf,
    /// The text that was read.
    pub before: String,
    /// The new text.
    pub after: String,
}

/// The outcome of a [`Request`].
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The text for standard output. Ends with a line end, unless it is empty or a raw string.
    pub output: Styled,
    /// Files to write (`-m`), as names and contents. The output lists the names.
    pub files: Vec<(String, String)>,
    /// Files whose text is to be changed, by [`Action::Edit`].
    pub edits: Vec<FileEdit>,
    /// The reports for standard error, in order, without a final line end.
    pub reports: Vec<(Severity, Styled)>,
    /// The exit code: 0 success, 1 error in the program, 2 wrong usage.
    pub exit: u8,
    /// The findings in each program of a part of a check ([`CheckOptions::part`]).
    pub findings: Vec<Vec<Finding>>,
    /// Whether a program of a part of a check has secrets, which are masked in the reports about every program.
    pub has_secrets: bool,
}
