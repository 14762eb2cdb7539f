//! The core's door to the outside, over the file system and the environment.

use cfg_core::loader::Loader;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Files by `std::fs`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Loader for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        std::fs::canonicalize(path)
    }

    fn env(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn list(&self, path: &Path) -> Vec<String> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
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
