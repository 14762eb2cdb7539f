//! The options of `cfg learn`.

use clap::{Args, ValueHint};
use std::path::PathBuf;

/// `cfg learn`
#[derive(Debug, Default, Args)]
pub struct Learn {
    /// The lesson: its number, the beginning of its name, or a Markdown file with a lesson of your own
    #[arg(value_name = "LESSON", value_hint = ValueHint::FilePath)]
    pub lesson: Option<String>,
    /// List the lessons, and how far you are, instead
    #[arg(long)]
    pub list: bool,
    /// Begin the lesson again, instead of where you stopped
    #[arg(long)]
    pub restart: bool,
    /// The configuration file, instead of cfg.toml in your configuration folder
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Do not read cfg.toml
    #[arg(long)]
    pub no_config: bool,
}
