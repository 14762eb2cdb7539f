//! The commands for shells.

use clap::{Args, ValueHint};
use clap_complete::Shell;
use std::path::PathBuf;

/// `cfg completions`
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

/// `cfg candidates`
#[derive(Debug, Args)]
pub struct Candidates {
    /// The option
    #[arg(allow_hyphen_values = true)]
    pub option: String,
    /// Its value, as far as it is written
    #[arg(allow_hyphen_values = true)]
    pub written: String,
    /// The words of the command
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

/// `cfg man`
#[derive(Debug, Args)]
pub struct Man {
    /// Write a page for each command into this folder, instead of printing one
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: Option<PathBuf>,
}
