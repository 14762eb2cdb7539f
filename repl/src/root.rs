//! A root folder confines a session: nothing outside of it is read or written.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

/// Folders of the system's own files, which are outside of every root.
const NEVER: [&str; 3] = ["/proc", "/sys", "/dev"];

/// A folder that a session cannot leave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Root(PathBuf);

impl Root {
    /// Makes a root of an existing folder.
    pub fn new(folder: &Path) -> io::Result<Root> {
        let folder = fs::canonicalize(folder)?;
        match folder.is_dir() {
            true => Ok(Root(folder)),
            false => Err(io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder")),
        }
    }

    /// Returns the folder's canonical path.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Returns `true` if a canonical path is inside.
    pub fn contains(&self, path: &Path) -> bool {
        path.starts_with(&self.0) && !NEVER.iter().any(|folder| path.starts_with(folder))
    }

    /// Returns the canonical path of a file or folder inside. Links that lead out are outside.
    pub fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        match fs::canonicalize(path) {
            Ok(found) if self.contains(&found) => Ok(found),
            Ok(_) => Err(self.refused()),
            // whether something outside exists is not said either
            Err(error) if self.contains(&place_of(path)) => Err(error),
            Err(_) => Err(self.refused()),
        }
    }

    /// Opens a file inside.
    pub fn open(&self, path: &Path) -> io::Result<File> {
        let found = self.resolve(path)?;
        let kind = fs::metadata(&found)?;
        if kind.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !kind.is_file() {
            return Err(io::Error::other("it is not a regular file"));
        }
        let file = File::open(&found)?;
        // a folder of the path may have been replaced by a link before the file was opened
        match opened(&file, &found) {
            Some(path) if self.contains(&path) => Ok(file),
            _ => Err(self.refused()),
        }
    }

    /// Returns the canonical path at which a file may be written, whether or not it exists.
    pub fn writable(&self, path: &Path) -> io::Result<PathBuf> {
        let Some(name) = path.file_name() else { return Err(io::ErrorKind::InvalidInput.into()) };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let place = self.resolve(folder)?.join(name);
        // a link would be followed
        match fs::symlink_metadata(&place) {
            Ok(kind) if kind.is_symlink() => self.resolve(&place),
            _ => Ok(place),
        }
    }

    /// Returns the error for everything outside.
    pub fn refused(&self) -> io::Error {
        io::Error::other(format!("it is outside of the root `{}`", self.0.display()))
    }
}

/// Returns the place that a path names, as far as its folders exist, and without `..`.
fn place_of(path: &Path) -> PathBuf {
    let Ok(path) = std::path::absolute(path) else { return PathBuf::new() };
    for ancestor in path.ancestors().skip(1) {
        let Ok(mut place) = fs::canonicalize(ancestor) else { continue };
        for part in path.strip_prefix(ancestor).unwrap_or(Path::new("")).components() {
            match part {
                Component::ParentDir => drop(place.pop()),
                Component::Normal(name) => place.push(name),
                _ => {}
            }
        }
        return place;
    }
    PathBuf::new()
}

/// Returns the canonical path of an open file.
#[cfg(target_os = "linux")]
fn opened(file: &File, path: &Path) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok().or_else(|| unchanged(file, path))
}

/// Returns the canonical path of an open file.
#[cfg(not(target_os = "linux"))]
fn opened(file: &File, path: &Path) -> Option<PathBuf> {
    unchanged(file, path)
}

/// Returns the canonical path of a path at which an open file still is.
#[cfg(unix)]
fn unchanged(file: &File, path: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt;
    let now = fs::canonicalize(path).ok()?;
    let (a, b) = (file.metadata().ok()?, fs::symlink_metadata(&now).ok()?);
    ((a.dev(), a.ino()) == (b.dev(), b.ino())).then_some(now)
}

/// Returns the canonical path of a path at which an open file still is.
#[cfg(not(unix))]
fn unchanged(_: &File, path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// A folder `in` with a file, next to a file outside.
    fn files() -> (tempfile::TempDir, Root) {
        let all = tempfile::tempdir().unwrap();
        fs::create_dir_all(all.path().join("in/sub")).unwrap();
        fs::write(all.path().join("in/a"), "inside").unwrap();
        fs::write(all.path().join("secret"), "outside").unwrap();
        let root = Root::new(&all.path().join("in")).unwrap();
        (all, root)
    }

    fn read(root: &Root, path: &Path) -> Result<String, String> {
        let mut text = String::new();
        let mut file = root.open(path).map_err(|error| error.to_string())?;
        file.read_to_string(&mut text).map_err(|error| error.to_string())?;
        Ok(text)
    }

    #[test]
    fn nothing_outside_is_opened() {
        let (all, root) = files();
        let at = |path: &str| read(&root, &all.path().join(path));
        let refused = Err(root.refused().to_string());
        assert_eq!(at("in/sub/../a"), Ok("inside".into()));
        assert_eq!([at("secret"), at("in/../secret"), at("in/sub/../../secret")], [&refused; 3].map(Clone::clone));
        assert_eq!(at("nothing"), refused, "whether it exists is not said");
        assert_eq!(at("in/nothing/../../nothing"), refused);
        assert!(at("in/nothing").is_err_and(|why| !why.contains("outside")));
        assert!(read(&Root::new(Path::new("/")).unwrap(), Path::new("/proc/self/environ")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_out_are_outside() {
        use std::os::unix::fs::symlink;
        let (all, root) = files();
        symlink(all.path().join("secret"), all.path().join("in/link")).unwrap();
        symlink(all.path(), all.path().join("in/up")).unwrap();
        symlink(all.path().join("in/a"), all.path().join("in/own")).unwrap();
        symlink(all.path().join("in/later"), all.path().join("in/made")).unwrap();
        let at = |path: &str| read(&root, &all.path().join(path));
        let refused = Err(root.refused().to_string());
        assert_eq!([at("in/link"), at("in/up/secret"), at("in/up/nothing")], [&refused; 3].map(Clone::clone));
        assert_eq!(at("in/own"), Ok("inside".into()));
        let may = |path: &str| root.writable(&all.path().join(path)).is_ok();
        assert_eq!(
            [may("in/new"), may("in/sub/new"), may("in/link"), may("in/up/new"), may("new")],
            [true, true, false, false, false]
        );
    }

    /// A file is exchanged for a link to the outside while it is opened again and again.
    #[cfg(unix)]
    #[test]
    fn a_file_that_is_exchanged_while_it_is_opened_stays_inside() {
        use std::os::unix::fs::symlink;
        use std::sync::atomic::{AtomicBool, Ordering};
        let (all, root) = files();
        let (inside, path) = (all.path().join("in"), all.path().join("in/changing"));
        symlink(all.path().join("secret"), inside.join("out")).unwrap();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let _ = fs::copy(inside.join("a"), inside.join("copy"))
                        .and_then(|_| fs::rename(inside.join("copy"), &path));
                    let _ = symlink(all.path().join("secret"), inside.join("next"))
                        .and_then(|()| fs::rename(inside.join("next"), &path));
                }
            });
            for _ in 0..5000 {
                assert_ne!(read(&root, &path), Ok("outside".into()));
            }
            done.store(true, Ordering::Relaxed);
        });
    }
}
