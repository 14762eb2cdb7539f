//! Finds and reads `cfg.toml`. The session interprets its contents.

use crate::cli::Start;
use std::path::{Path, PathBuf};

/// A configuration file.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

/// Returns the configuration to use: the file of `--config`, or, at a prompt, the one in the user's configuration
/// folder if it exists.
/// A script reads no user configuration, so that it behaves the same for everybody. Fails with the reason if the file
/// cannot be read.
pub fn find(options: &Start, script: bool) -> Result<Option<File>, String> {
    if options.no_config {
        return Ok(None);
    }
    match (&options.config, script) {
        (Some(path), _) => read(path).map(Some).map_err(|why| format!("{}: {why}", path.display())),
        (None, true) => Ok(None),
        (None, false) => match user() {
            // an unreadable file, or a folder of that name, is ignored
            Some(path) if path.exists() => Ok(read(&path).ok()),
            _ => Ok(None),
        },
    }
}

fn read(path: &Path) -> Result<File, String> {
    let bytes = std::fs::read(path).map_err(|error| crate::call::reason(&error))?;
    let text = String::from_utf8(bytes).map_err(|_| String::from("this is not UTF-8"))?;
    Ok(File { path: path.to_path_buf(), text })
}

/// Returns `cfg/cfg.toml` in the platform's configuration folder.
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
