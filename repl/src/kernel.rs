//! `cfg kernel install`, `uninstall`, `run`.

use crate::call::fault;
use crate::cli;
use crate::history;
use crate::loader::Disk;
use cfg_core::Languages;
use cfg_kernel::install::{self, InstallScope};
use cfg_kernel::{Connection, Kernel};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Runs a `cfg kernel` command and returns the exit code.
pub fn run(languages: Languages, disk: Disk, command: cli::Kernel) -> io::Result<u8> {
    if let (cli::Kernel::Install(_) | cli::Kernel::Uninstall(_), Some(root)) = (&command, disk.root()) {
        return fault(format!("the folder of kernels: {}", root.refused()));
    }
    match command {
        cli::Kernel::Run { file, .. } => serve(languages, &disk, &file),
        cli::Kernel::Install(place) => match data(&place) {
            Ok(data) => {
                let binary = std::env::current_exe()?;
                match install::install(&data, &binary) {
                    Ok(folder) => print_line(&format!("installed in {}", folder.display())),
                    Err(error) => fault(format!("cannot install in `{}`: {error}", data.display())),
                }
            }
            Err(why) => fault(why),
        },
        cli::Kernel::Uninstall(place) => match data(&place) {
            Ok(data) => match install::uninstall(&data) {
                Ok(Some(folder)) => print_line(&format!("removed {}", folder.display())),
                Ok(None) => fault(format!("no kernel is installed in `{}`", install::folder(&data).display())),
                Err(error) => fault(format!("cannot remove `{}`: {error}", install::folder(&data).display())),
            },
            Err(why) => fault(why),
        },
    }
}

/// The environment variable in which Jupyter names the notebook of a kernel.
const NOTEBOOK_VARIABLE: &str = "JPY_SESSION_NAME";

/// Returns the folder of the kernel's notebook if the notebook belongs to somebody else: to another user than the
/// connection file, which Jupyter made for this kernel.
#[cfg(unix)]
fn folder_of_foreign_notebook(connection: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt;
    let notebook = std::path::absolute(std::env::var_os(NOTEBOOK_VARIABLE)?).ok()?;
    let owner = std::fs::metadata(&notebook).ok()?.uid();
    (owner != std::fs::metadata(connection).ok()?.uid()).then(|| notebook.parent().map(Path::to_path_buf))?
}

#[cfg(not(unix))]
fn folder_of_foreign_notebook(_: &Path) -> Option<PathBuf> {
    None
}

fn serve(languages: Languages, disk: &Disk, file: &Path) -> io::Result<u8> {
    if disk.root().is_none()
        && let Some(folder) = folder_of_foreign_notebook(file)
    {
        if let Err(why) = disk.confine(&folder) {
            return fault(&why);
        }
        let line = format!("cfg kernel: the notebook belongs to another user; confined to `{}`", folder.display());
        writeln!(io::stderr(), "{line}")?;
    }
    let disk = disk.clone();
    // a folder next to the prompt's history: each kernel has its own file in it
    let history = history::file().map(|file| history::sibling(&file, "kernel"));
    let started = Connection::read(file)
        .and_then(|connection| Kernel::with_languages(languages, connection, move || Box::new(disk.clone()), history));
    match started {
        Ok(kernel) => {
            kernel.handle_signals();
            kernel.wait();
            Ok(0)
        }
        Err(why) => fault(&why),
    }
}

fn data(place: &cli::InstallOptions) -> Result<PathBuf, &'static str> {
    let env = |name: &str| std::env::var(name).ok();
    let place = match &place.prefix {
        Some(prefix) => InstallScope::Prefix(std::path::absolute(prefix).unwrap_or_else(|_| prefix.clone())),
        None if place.sys_prefix => InstallScope::sys_prefix(env)
            .ok_or("no Python environment is active: neither VIRTUAL_ENV nor CONDA_PREFIX is set")?,
        None => InstallScope::User,
    };
    place.data(env).ok_or("cannot find the user's data folder: HOME is not set")
}

fn print_line(what: &str) -> io::Result<u8> {
    writeln!(io::stdout(), "{what}")?;
    Ok(0)
}
