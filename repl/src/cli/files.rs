//! The options of commands on files: `cfg diff` and `cfg fmt`.

use super::{ProgramInputs, dialect};
use cfg_core::{Dialect, Languages};
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// `cfg diff`
#[derive(Debug, Args)]
#[command(after_help = "Exit code: 0 if the sides are equal, 1 if they differ, 2 after an error.\n\n\
    Examples:\n  cfg diff old.yaml new.yaml\n  cfg diff HEAD~1:values.yaml values.yaml\n  \
    cfg diff base.yaml prod.yaml -- base.yaml staging.yaml")]
pub struct Diff {
    /// The two files; before `--`, the layers of the left side, in order. `REV:FILE` is a file at a git revision, `-` is
    /// standard input
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<String>,
    /// The layers of the right side, in order
    #[arg(last = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub right: Vec<String>,
    /// Compare only this part: `a.b[0]."c d"`
    #[arg(long, visible_alias = "field", value_name = "PATH")]
    pub at: Option<String>,
    /// Show the sides in two columns; the same as `--format side`
    #[arg(long, short = 'y', conflicts_with = "format")]
    pub side_by_side: bool,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json", "side"])]
    pub format: String,
    /// The language of the files, regardless of their extensions
    #[arg(long, value_name = "NAME", value_parser = dialect(Languages::default()), ignore_case = true)]
    pub dialect: Option<Dialect>,
    /// Search this folder for imports, after the folder of the importing file
    #[arg(short = 'I', long = "import-path", visible_alias = "module-path", value_name = "DIR")]
    pub import_paths: Vec<PathBuf>,
    /// Combine the lists of the layers of a side, as `cfg merge --list` does: append, unique, replace or key:NAME, for the
    /// list at PATH or for all
    #[arg(long = "list", value_name = "[PATH=]RULE")]
    pub lists: Vec<String>,
    #[command(flatten)]
    pub inputs: ProgramInputs,
}

/// `cfg fmt`
#[derive(Debug, Args)]
pub struct Fmt {
    /// The programs, in cfg, Jsonnet, mcl, JSON or TOML; `-` reads standard input and prints the result
    #[arg(value_name = "FILE", required_unless_present = "text", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// The program's text, instead of a file
    #[arg(short = 'e', value_name = "TEXT", conflicts_with = "files", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// Change nothing, and print the names of files that are not formatted; the exit code is 1 if there are any
    #[arg(long)]
    pub check: bool,
    /// The language of the programs, regardless of their extensions
    #[arg(long, value_name = "NAME", value_parser = dialect(Languages::default()), ignore_case = true)]
    pub dialect: Option<Dialect>,
}
