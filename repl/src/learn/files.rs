//! The files that lessons import. They are part of the binary; all other files are on the disk.

use crate::loader::Disk;
use cfg_core::{Loader, Memory, MemoryGauge};
use cfg_lessons::FILES;
use std::io;
use std::path::{Component, Path, PathBuf};

/// A loader that finds the files of the lessons before those on the disk.
#[derive(Clone, Debug)]
pub struct LessonFiles(pub Disk);

/// Returns the path and the text of a file of the lessons.
fn file(path: &Path) -> Option<(&'static str, &'static str)> {
    let plain: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
    FILES.iter().find(|(name, _)| Path::new(name) == plain).copied()
}

impl Loader for LessonFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match file(path) {
            Some((_, text)) => Ok(text.as_bytes().to_vec()),
            None => self.0.read(path),
        }
    }
    fn read_until(&self, path: &Path, stop: &dyn Fn() -> bool) -> io::Result<Vec<u8>> {
        match file(path) {
            Some((_, text)) => Ok(text.as_bytes().to_vec()),
            None => self.0.read_until(path, stop),
        }
    }
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        match file(path) {
            Some((name, _)) => Ok(PathBuf::from(name)),
            None => self.0.canonical(path),
        }
    }
    fn env(&self, name: &str) -> Option<String> {
        self.0.env(name)
    }
    fn vars(&self) -> Vec<(String, String)> {
        self.0.vars()
    }
    fn list(&self, path: &Path) -> Vec<String> {
        let mut names = self.0.list(path);
        for (name, _) in FILES {
            let own = match path.as_os_str().is_empty() || path == Path::new(".") {
                true => name.split_once('/').map(|(folder, _)| format!("{folder}/")),
                false => name.strip_prefix(&format!("{}/", path.display())).map(String::from),
            };
            names.extend(own);
        }
        names.sort();
        names.dedup();
        names
    }
    fn stamp(&self, path: &Path) -> Option<u64> {
        match file(path) {
            Some(_) => Some(0),
            None => self.0.stamp(path),
        }
    }
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.0.write(path, bytes)
    }
    fn memory(&self) -> Option<Memory> {
        self.0.memory()
    }

    fn memory_gauge(&self) -> Option<MemoryGauge> {
        self.0.memory_gauge()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_lessons_are_found_anywhere() {
        let loader = LessonFiles(Disk::default());
        let text = loader.read(Path::new("./deployment/04-team.toml")).unwrap();
        assert!(text.starts_with(FILES[3].1.as_bytes()) && !text.is_empty());
        let canonical = loader.canonical(Path::new("deployment/01-chart.cfg")).unwrap();
        assert_eq!(canonical, Path::new("deployment/01-chart.cfg"));
        assert!(loader.list(Path::new("deployment")).contains(&"01-chart.cfg".into()));
        assert!(loader.list(Path::new("")).contains(&"deployment/".into()));
        assert!(loader.read(Path::new("deployment/no-such")).is_err());
    }
}
