//! The core's one door to the outside: files and the environment. Nothing else in the core does IO.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The memory that this process can still have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Bytes that are left.
    pub left: u64,
    /// Bytes that it could have in all.
    pub total: u64,
}

/// Reads files and the environment for the core.
pub trait Loader {
    /// The bytes of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// The bytes of a file, unless the reading is to stop: then the error is of the kind `Interrupted`.
    fn read_until(&self, path: &Path, stop: &dyn Fn() -> bool) -> io::Result<Vec<u8>> {
        let _ = stop;
        self.read(path)
    }
    /// The identity of a file, so that one file is read once. Fails where there is no such file.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;
    /// A variable of the environment.
    fn env(&self, name: &str) -> Option<String>;
    /// The entries of a folder, for the completion of paths: names, folders with a trailing `/`.
    fn list(&self, path: &Path) -> Vec<String>;
    /// When the file changed last, if that is known: a mark that differs after a change.
    fn stamp(&self, path: &Path) -> Option<u64>;
    /// Writes a file whole: it is there with all of the bytes, or as it was.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let _ = (path, bytes);
        Err(io::ErrorKind::Unsupported.into())
    }
    /// The memory that is left, where that can be known. Asked for some dozens of times a second.
    fn memory(&self) -> Option<Memory> {
        None
    }
}

/// A loader without an outside: no file exists, no variable is set.
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

/// Files in memory, for who has no disk: tests, a page. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct InMemory(Rc<RefCell<BTreeMap<PathBuf, Vec<u8>>>>);

impl InMemory {
    /// Puts a text into a file.
    pub fn put(&self, path: impl Into<PathBuf>, text: impl Into<String>) {
        self.0.borrow_mut().insert(path.into(), text.into().into_bytes());
    }

    /// Takes a file away.
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
