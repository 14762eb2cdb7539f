//! The core's one door to the outside: files and the environment. Nothing else in the core does IO.

use std::io;
use std::path::{Path, PathBuf};

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
