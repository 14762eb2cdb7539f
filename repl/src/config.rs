//! Where `cfg.toml` stands, and reading it. What it says is the session's to understand.

use crate::cli::Start;
use std::io;
use std::path::{Path, PathBuf};

/// A configuration's text, and where it stands.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

/// The configuration that the command line asks for: the file of `--config`; at a prompt else the one in the user's folder,
/// if it is there. A script is the same for everybody: it has only what it is given. Fails with why a file cannot be read.
pub fn find(options: &Start, script: bool) -> Result<Option<File>, String> {
    if options.no_config {
        return Ok(None);
    }
    match (&options.config, script) {
        (Some(path), _) => read(path).map(Some).map_err(|why| format!("{}: {why}", path.display())),
        (None, true) => Ok(None),
        (None, false) => match user() {
            // a folder of that name, a file without rights: worth a word, but no reason to stop
            Some(path) if path.exists() => Ok(read(&path).ok()),
            _ => Ok(None),
        },
    }
}

fn read(path: &Path) -> Result<File, String> {
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => String::from("no such file"),
        io::ErrorKind::PermissionDenied => String::from("permission denied"),
        _ => error.to_string(),
    })?;
    let text = String::from_utf8(bytes).map_err(|_| String::from("this is not UTF-8"))?;
    Ok(File { path: path.to_path_buf(), text })
}

/// `cfg/cfg.toml` in the platform's folder for a user's configuration.
fn user() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let folder = match of("XDG_CONFIG_HOME").filter(|path| path.is_absolute()) {
        Some(folder) => folder,
        None if cfg!(windows) => of("APPDATA")?,
        None if cfg!(target_os = "macos") => of("HOME")?.join("Library").join("Application Support"),
        None => of("HOME")?.join(".config"),
    };
    Some(folder.join("cfg").join("cfg.toml"))
}
