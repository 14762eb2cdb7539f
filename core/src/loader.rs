//! Access to files and environment variables. Nothing else in the core does IO.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

pub use crate::stop::{Memory, MemoryGauge};

/// Reads files and the environment for the core.
pub trait Loader {
    /// Reads a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Reads a file until `stop` returns `true`. Then fails with `Interrupted`.
    fn read_until(&self, path: &Path, stop: &dyn Fn() -> bool) -> io::Result<Vec<u8>> {
        let _ = stop;
        self.read(path)
    }
    /// Returns the canonical path, which identifies a file. Fails if the file does not exist.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;
    /// Returns an environment variable.
    fn env(&self, name: &str) -> Option<String>;
    /// Returns all environment variables with names and values in Unicode, in any order.
    fn vars(&self) -> Vec<(String, String)> {
        Vec::new()
    }
    /// Lists a folder for path completion. Names of folders end with `/`.
    fn list(&self, path: &Path) -> Vec<String>;
    /// Returns a stamp that changes when the file changes. `None` if unknown.
    fn stamp(&self, path: &Path) -> Option<u64>;
    /// Writes a file atomically: either all bytes are written or the file is unchanged.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let _ = (path, bytes);
        Err(io::ErrorKind::Unsupported.into())
    }
    /// Returns the available memory. `None` if unknown. Called some dozens of times per second.
    fn memory(&self) -> Option<Memory> {
        None
    }
    /// Returns a function that measures the available memory on any thread. With it, reading, inference and all other work stop before
    /// memory runs out. `None` if it cannot be measured.
    fn memory_gauge(&self) -> Option<MemoryGauge> {
        None
    }
}

/// A loader without files and environment variables.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLoader;

impl Loader for NoLoader {
    fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
    fn canonical(&self, _: &Path) -> io::Result<PathBuf> {
        Err(io::ErrorKind::NotFound.into())
    }
    fn env(&self, _: &str) -> Option<String> {
        None
    }
    fn list(&self, _: &Path) -> Vec<String> {
        Vec::new()
    }
    fn stamp(&self, _: &Path) -> Option<u64> {
        None
    }
}

/// Files in memory, for tests and for embedding without a disk. Clones share the files.
#[derive(Clone, Debug, Default)]
pub struct InMemory(Rc<RefCell<BTreeMap<PathBuf, Vec<u8>>>>);

impl InMemory {
    /// Adds or replaces a file.
    pub fn put(&self, path: impl Into<PathBuf>, text: impl Into<String>) {
        self.0.borrow_mut().insert(path.into(), text.into().into_bytes());
    }

    /// Removes a file.
    pub fn remove(&self, path: &str) {
        self.0.borrow_mut().remove(Path::new(path));
    }
}

impl<P: Into<PathBuf>, T: Into<String>> FromIterator<(P, T)> for InMemory {
    fn from_iter<I: IntoIterator<Item = (P, T)>>(files: I) -> InMemory {
        let all = files.into_iter().map(|(path, text)| (path.into(), text.into().into_bytes()));
        InMemory(Rc::new(RefCell::new(all.collect())))
    }
}

impl Loader for InMemory {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.borrow().get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        match self.0.borrow().contains_key(path) {
            true => Ok(path.to_path_buf()),
            false => Err(io::ErrorKind::NotFound.into()),
        }
    }
    fn env(&self, _: &str) -> Option<String> {
        None
    }
    fn list(&self, folder: &Path) -> Vec<String> {
        let folder = if folder == Path::new(".") { Path::new("") } else { folder };
        let files = self.0.borrow();
        let entry = |path: &PathBuf| {
            let mut parts = path.strip_prefix(folder).ok()?.components();
            let first = parts.next()?.as_os_str().to_str()?;
            Some(if parts.next().is_some() { format!("{first}/") } else { String::from(first) })
        };
        files.keys().filter_map(entry).collect::<BTreeSet<_>>().into_iter().collect()
    }
    fn stamp(&self, _: &Path) -> Option<u64> {
        None
    }
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.0.borrow_mut().insert(path.to_path_buf(), bytes.to_vec());
        Ok(())
    }
}
