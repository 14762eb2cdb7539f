//! The history on disk: one file for both line editors, an entry a line, line ends inside an entry
//! written `<\n>` (the form of reedline's file).

use std::io::Write;
use std::path::{Path, PathBuf};

/// How many entries are kept.
pub const CAPACITY: usize = 10_000;

const NEWLINE: &str = "<\\n>";

/// The file: `CFG_HISTORY` (empty: none), or `cfg/history` in the platform's folder for a user's data.
pub fn file() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("CFG_HISTORY") {
        return (!path.is_empty()).then(|| PathBuf::from(path));
    }
    Some(data_folder()?.join("cfg").join("history"))
}

fn data_folder() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).map(PathBuf::from);
    if let Some(path) = of("XDG_DATA_HOME").filter(|path| path.is_absolute()) {
        return Some(path);
    }
    if cfg!(windows) {
        of("APPDATA")
    } else if cfg!(target_os = "macos") {
        Some(of("HOME")?.join("Library").join("Application Support"))
    } else {
        Some(of("HOME")?.join(".local").join("share"))
    }
}

/// The entries of a file, oldest first; none where it cannot be read.
pub fn read(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let entries: Vec<String> = text.lines().map(|l| l.replace(NEWLINE, "\n")).collect();
    let surplus = entries.len().saturating_sub(CAPACITY);
    entries.into_iter().skip(surplus).collect()
}

/// Appends one entry, and makes the file and its folder where there are none.
pub fn append(path: &Path, entry: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.create(true).append(true).open(path)?;
    writeln!(file, "{}", entry.replace('\n', NEWLINE))
}
