//! The options of `cfg kernel`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `cfg kernel`
#[derive(Debug, Subcommand)]
pub enum Kernel {
    /// Register the kernel with Jupyter, for the current user by default
    Install(InstallOptions),
    /// Remove the kernel
    Uninstall(InstallOptions),
    /// Run the kernel; Jupyter calls this
    Run {
        /// The connection file, which contains the ports and the key
        #[arg(short = 'f', long = "connection-file", value_name = "CONNECTION_FILE")]
        file: PathBuf,
        /// Ignored. `jupyter run` passes the names of the files whose text it sends later
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        rest: Vec<std::ffi::OsString>,
    },
}

/// The place where the kernel is installed.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct InstallOptions {
    /// For the current user (the default)
    #[arg(long)]
    pub user: bool,
    /// Under DIR/share/jupyter
    #[arg(long, value_name = "DIR")]
    pub prefix: Option<PathBuf>,
    /// In the active Python environment
    #[arg(long)]
    pub sys_prefix: bool,
}
