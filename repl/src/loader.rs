//! The core's door to the outside, over the file system and the environment.

use cfg_core::loader::Loader;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

/// The path that stands for standard input.
pub const STDIN: &str = "-";

/// Files by `std::fs`; `-` is standard input, read once.
#[derive(Debug, Default)]
pub struct Disk {
    stdin: OnceLock<Vec<u8>>,
}

impl Loader for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path != Path::new(STDIN) {
            return std::fs::read(path);
        }
        if let Some(bytes) = self.stdin.get() {
            return Ok(bytes.clone());
        }
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        Ok(self.stdin.get_or_init(|| bytes).clone())
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        if path == Path::new(STDIN) {
            return Ok(path.to_path_buf());
        }
        std::fs::canonicalize(path)
    }

    fn env(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn list(&self, path: &Path) -> Vec<String> {
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        let Ok(entries) = std::fs::read_dir(path) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .flatten()
            .map(|entry| {
                // Through links too: a link to a folder completes like a folder.
                let folder = entry.path().is_dir();
                let name = entry.file_name().to_string_lossy().into_owned();
                if folder { name + "/" } else { name }
            })
            .collect();
        names.sort();
        names
    }

    fn stamp(&self, path: &Path) -> Option<u64> {
        let changed = std::fs::metadata(path).ok()?.modified().ok()?;
        let since = changed.duration_since(UNIX_EPOCH).ok()?;
        u64::try_from(since.as_nanos()).ok()
    }
}
