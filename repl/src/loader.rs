//! File system and environment access for the core.

use crate::root::Root;
use cfg_core::{Loader, Memory, MemoryGauge};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, UNIX_EPOCH};

/// Maximum size of a file, in bytes.
const LONGEST: u64 = 1 << 30;
/// Bytes read between two checks for an interrupt.
const PIECE: u64 = 1 << 20;

/// The environment variable with the root of all sessions of a process, which `--root` can only make narrower.
pub const ROOT_VARIABLE: &str = "CFG_ROOT";

/// A loader that uses `std::fs`. Clones share the root.
#[derive(Clone, Debug, Default)]
pub struct Disk(Arc<OnceLock<Root>>);

impl Disk {
    /// Makes the loader of a process: confined to `--root DIR` or to the folder that the environment names. Fails with
    /// the reason if there is no such folder.
    pub fn of_process(root: Option<&Path>) -> Result<Disk, String> {
        let disk = Disk::default();
        if let Some(folder) = std::env::var_os(ROOT_VARIABLE).filter(|folder| !folder.is_empty()) {
            disk.confine(Path::new(&folder))?;
        }
        if let Some(folder) = root {
            return disk.narrowed(folder);
        }
        Ok(disk)
    }

    /// Confines the loader and its clones, unless they are confined already.
    pub fn confine(&self, folder: &Path) -> Result<(), String> {
        let root = Root::new(folder).map_err(|error| {
            let shown = folder.display();
            match error.kind() {
                io::ErrorKind::NotFound => format!("the root `{shown}`: there is no such folder"),
                io::ErrorKind::NotADirectory => format!("the root `{shown}`: it is not a folder"),
                _ => format!("the root `{shown}`: {}", crate::call::reason(&error)),
            }
        })?;
        let _ = self.0.set(root);
        Ok(())
    }

    /// Returns a loader that is confined to a folder, which must be inside of this one's root.
    pub fn narrowed(&self, folder: &Path) -> Result<Disk, String> {
        let disk = Disk::default();
        disk.confine(folder)?;
        match (self.root(), disk.root()) {
            (Some(own), Some(new)) if !own.contains(new.folder()) => {
                Err(format!("the root `{}`: {}", folder.display(), own.refused()))
            }
            _ => Ok(disk),
        }
    }

    /// Returns the root.
    pub fn root(&self) -> Option<&Root> {
        self.0.get()
    }
}

impl Loader for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.root() {
            Some(root) => whole(root.open(path)?, &|| false),
            None => std::fs::read(path),
        }
    }

    fn read_until(&self, path: &Path, stop: &dyn Fn() -> bool) -> io::Result<Vec<u8>> {
        if let Some(root) = self.root() {
            return whole(root.open(path)?, stop);
        }
        if std::fs::metadata(path).is_ok_and(|m| m.is_file() || m.is_dir()) {
            return whole(File::open(path)?, stop);
        }
        // Opening a pipe may block, so another thread reads it; an interrupt abandons that thread.
        let (done, result) = mpsc::channel();
        let left = Arc::new(AtomicBool::new(false));
        let (path, leave) = (path.to_path_buf(), left.clone());
        std::thread::spawn(move || {
            let read = File::open(path).and_then(|file| whole(file, &|| leave.load(Ordering::Relaxed)));
            let _ = done.send(read);
        });
        loop {
            match result.recv_timeout(Duration::from_millis(10)) {
                Ok(read) => return read,
                Err(RecvTimeoutError::Timeout) if stop() => {
                    left.store(true, Ordering::Relaxed);
                    return Err(io::ErrorKind::Interrupted.into());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
        }
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        if let Some(root) = self.root() {
            return root.resolve(path).or_else(|error| match error.kind() {
                // reading it says that it is refused
                io::ErrorKind::Other => std::path::absolute(path),
                _ => Err(error),
            });
        }
        // `/dev/fd/63`, which a shell writes for `<(command)`, exists but has no canonical path
        std::fs::canonicalize(path).or_else(|error| match std::fs::metadata(path) {
            Ok(_) => std::path::absolute(path),
            Err(_) => Err(error),
        })
    }

    fn env(&self, name: &str) -> Option<String> {
        if self.root().is_some() { None } else { std::env::var(name).ok() }
    }

    fn vars(&self) -> Vec<(String, String)> {
        let text = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
        std::env::vars_os().filter_map(text).collect()
    }

    fn list(&self, path: &Path) -> Vec<String> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        if self.root().is_some_and(|root| root.resolve(path).is_err()) {
            return Vec::new();
        }
        let Ok(entries) = std::fs::read_dir(path) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .flatten()
            .map(|entry| {
                // Follows links, so that a link to a folder completes like a folder.
                let folder = entry.path().is_dir();
                let name = entry.file_name().to_string_lossy().into_owned();
                if folder { name + "/" } else { name }
            })
            .collect();
        names.sort();
        names
    }

    fn stamp(&self, path: &Path) -> Option<u64> {
        if self.root().is_some_and(|root| root.resolve(path).is_err()) {
            return None;
        }
        let changed = std::fs::metadata(path).ok()?.modified().ok()?;
        let since = changed.duration_since(UNIX_EPOCH).ok()?;
        u64::try_from(since.as_nanos()).ok()
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let path = &match self.root() {
            Some(root) => root.writable(path)?,
            None => path.to_path_buf(),
        };
        let Some(name) = path.file_name() else { return Err(io::ErrorKind::InvalidInput.into()) };
        let mut beside = name.to_os_string();
        beside.push(format!(".{}", std::process::id()));
        let beside = path.with_file_name(beside);
        let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path));
        if written.is_err() {
            let _ = std::fs::remove_file(&beside);
        }
        written
    }

    fn memory(&self) -> Option<Memory> {
        measure()
    }

    fn memory_gauge(&self) -> Option<MemoryGauge> {
        Some(measure)
    }
}

/// Measures the memory that the process can still allocate.
fn measure() -> Option<Memory> {
    // Linux only; `None` elsewhere. Swap is not counted, because a program that needs it is too slow to be useful.
    let system = text("/proc/meminfo")?;
    let (left, total) = (kilobytes(&system, "MemAvailable:")?, kilobytes(&system, "MemTotal:")?);
    let mut memory = Memory { left, total, refuses: false };
    let mut at_most = |total: u64, used: u64| {
        memory.total = memory.total.min(total);
        memory.left = memory.left.min(total.saturating_sub(used));
    };
    // `ulimit -v`
    let space = cfg_kernel::space::limit();
    if let Some(space) = space {
        at_most(space, text("/proc/self/status").and_then(|s| kilobytes(&s, "VmSize:")).unwrap_or(0));
    }
    // the limit of the container
    if let Some(group) = text("/sys/fs/cgroup/memory.max").and_then(|max| number(&max)) {
        let used = text("/sys/fs/cgroup/memory.stat")
            .and_then(|stat| stat.lines().find_map(|l| l.strip_prefix("anon ").and_then(number)));
        at_most(group, used.unwrap_or(0));
    }
    memory.refuses = space == Some(memory.total);
    Some(memory)
}

/// Reads to the end in pieces. Fails after `LONGEST` bytes, since files such as `/dev/zero` never end.
fn whole(mut file: File, stop: &dyn Fn() -> bool) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Ok(size) = file.metadata().map(|m| m.len()) {
        bytes.reserve(usize::try_from(size.min(LONGEST)).unwrap_or(0).saturating_add(1));
    }
    while !stop() {
        if file.by_ref().take(PIECE).read_to_end(&mut bytes)? == 0 {
            return Ok(bytes);
        }
        if bytes.len() as u64 > LONGEST {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is longer than 1 GB"));
        }
    }
    Err(io::ErrorKind::Interrupted.into())
}

fn text(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

fn number(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse().ok()
}

/// Returns the bytes of a line `name: n kB`.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name).and_then(number)).map(|kb| kb.saturating_mul(1024))
}
