//! The input history: one file for both line editors, one entry per line. Repeating an input moves it to the end.
//! Entries that other sessions append at the same time are merged in, and none are lost.

use cfg_core::config::Configuration;
use std::collections::{HashSet, VecDeque};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum number of entries.
pub const CAPACITY: usize = 10_000;
/// Longer inputs, in bytes, are kept until the session ends but not written to disk.
const LONGEST: usize = 1 << 16;
/// Up to this many new lines are added one by one; for more, the list is rebuilt.
const FEW: usize = 16;

/// Returns the history file: `CFG_HISTORY` (none if empty), or `cfg/history` in the platform's data folder.
pub fn file() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("CFG_HISTORY") {
        return (!path.is_empty()).then(|| PathBuf::from(path));
    }
    Some(data_folder()?.join("cfg").join("history"))
}

/// Returns the history file of the prompt with this configuration. `None` if there is none.
pub fn place(configuration: &Configuration) -> Option<PathBuf> {
    match &configuration.history {
        Some(file) if std::env::var_os("CFG_HISTORY").is_none() => {
            Some(file.clone()).filter(|file| !file.as_os_str().is_empty())
        }
        _ => file(),
    }
}

/// Returns the path of a file that is kept next to the history file: its name with an ending.
pub fn sibling(history: &Path, ending: &str) -> PathBuf {
    let mut name = history.as_os_str().to_os_string();
    name.push("-");
    name.push(ending);
    PathBuf::from(name)
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

/// The inputs so far, without duplicates, the newest last.
#[derive(Debug, Default)]
pub struct InputHistory {
    entries: VecDeque<Arc<str>>,
    file: Option<PathBuf>,
    /// Bytes of the file that have been read.
    read: u64,
}

impl InputHistory {
    /// Reads the history from a file; it is empty if there is no file or it cannot be read. Rewrites a file that has
    /// grown to more than twice the capacity.
    pub fn open(file: Option<PathBuf>) -> InputHistory {
        let mut past = InputHistory { file, ..InputHistory::default() };
        // An unreadable history is no reason to stop.
        let _ = past.with_lock(|past, file| {
            let lines = past.read_appended(file)?;
            if lines > 2 * CAPACITY { past.rewrite(file) } else { Ok(()) }
        });
        past
    }

    /// Returns the entries, oldest first.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &Arc<str>> + ExactSizeIterator {
        self.entries.iter()
    }

    /// Returns an entry by its index, counted from the oldest.
    pub fn get(&self, index: usize) -> Option<&Arc<str>> {
        self.entries.get(index)
    }

    /// Adds an input and appends it to the file, after the entries that other sessions appended. `O(entries)`. An input that `is_private`
    /// is kept until the session ends, but not written: it contains a secret.
    pub fn add(&mut self, entry: &str, is_private: bool) {
        if entry.trim().is_empty() || self.entries.back().is_some_and(|last| **last == *entry) {
            return;
        }
        if entry.len() <= LONGEST && !is_private {
            let _ = self.with_lock(|past, file| {
                past.read_appended(file)?;
                // a single write, so that a reader without the lock never sees half an entry
                let line = encode(entry) + "\n";
                file.seek(SeekFrom::End(0))?;
                file.write_all(line.as_bytes())?;
                past.read += line.len() as u64;
                Ok(())
            });
        }
        self.put(Arc::from(entry));
    }

    fn put(&mut self, entry: Arc<str>) {
        self.entries.retain(|old| *old != entry);
        self.entries.push_back(entry);
        while self.entries.len() > CAPACITY {
            self.entries.pop_front();
        }
    }

    /// Runs `work` on the file while holding its lock.
    fn with_lock(&mut self, work: impl FnOnce(&mut InputHistory, &mut File) -> io::Result<()>) -> io::Result<()> {
        let Some(path) = self.file.clone() else { return Ok(()) };
        let mut file = opened(&path)?;
        file.lock()?;
        let done = work(self, &mut file);
        file.unlock()?;
        done
    }

    /// Reads the lines appended since the last read; returns their number.
    fn read_appended(&mut self, file: &mut File) -> io::Result<usize> {
        let length = file.metadata()?.len();
        if length < self.read {
            // another session rewrote the file: read all of it and keep the known entries
            self.read = 0;
        }
        file.seek(SeekFrom::Start(self.read))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        self.read += bytes.len() as u64;
        let text = String::from_utf8_lossy(&bytes);
        let all: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        if all.len() < FEW {
            all.iter().for_each(|line| self.put(Arc::from(decode(line))));
            return Ok(all.len());
        }
        // keep the last of each: one pass from the end
        let lines = all.iter().rev().map(|line| Arc::from(decode(line)));
        let mut seen = HashSet::new();
        let newest = lines.chain(self.entries.drain(..).rev()).filter(|entry: &Arc<str>| seen.insert(entry.clone()));
        let mut kept: VecDeque<Arc<str>> = newest.take(CAPACITY).collect();
        kept.make_contiguous().reverse();
        self.entries = kept;
        Ok(all.len())
    }

    fn rewrite(&mut self, file: &mut File) -> io::Result<()> {
        let text: String = self.entries.iter().map(|entry| encode(entry) + "\n").collect();
        file.seek(SeekFrom::Start(0))?;
        file.write_all(text.as_bytes())?;
        file.set_len(text.len() as u64)?;
        self.read = text.len() as u64;
        Ok(())
    }
}

/// Opens the file, creating it and its folder if needed. Only its owner can read it.
fn opened(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.create(true).read(true).write(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Encodes an entry as one line: a line end becomes `<\n>`, and text that looks like one gets one more backslash.
fn encode(entry: &str) -> String {
    marked(entry, |slashes| slashes + 1).replace('\n', "<\\n>")
}

fn decode(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("<\\") {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let slashes = from.bytes().skip(1).take_while(|b| *b == b'\\').count();
        let tail = from.get(1 + slashes..).unwrap_or_default();
        match tail.strip_prefix("n>") {
            Some(tail) if slashes == 1 => {
                out.push('\n');
                rest = tail;
            }
            Some(tail) => {
                out.push('<');
                out.push_str(&"\\".repeat(slashes - 1));
                out.push_str("n>");
                rest = tail;
            }
            None => {
                out.push('<');
                rest = from.get(1..).unwrap_or_default();
            }
        }
    }
    out + rest
}

/// Changes the number of backslashes in each `<\…n>`.
fn marked(text: &str, slashes: impl Fn(usize) -> usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("<\\") {
        let (before, from) = rest.split_at(at);
        let count = from.bytes().skip(1).take_while(|b| *b == b'\\').count();
        let tail = from.get(1 + count..).unwrap_or_default();
        let written = if tail.starts_with("n>") { slashes(count) } else { count };
        out.push_str(before);
        out.push('<');
        out.push_str(&"\\".repeat(written));
        rest = tail;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(past: &InputHistory) -> Vec<&str> {
        past.entries().map(|entry| &**entry).collect()
    }

    /// A file that is deleted at the end of the test.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let path = std::env::temp_dir().join(format!("cfg-history-{}-{name}", std::process::id()));
            let _ = std::fs::remove_file(&path);
            Scratch(path)
        }
        fn open(&self) -> InputHistory {
            InputHistory::open(Some(self.0.clone()))
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    #[test]
    fn what_is_private_is_not_written() {
        let scratch = Scratch::new("private");
        let mut past = scratch.open();
        past.add("p = 1", false);
        past.add("p = { pw | secret = \"x\" }", true);
        assert_eq!(shown(&past).len(), 2);
        assert_eq!(shown(&scratch.open()), ["p = 1"]);
    }

    #[test]
    fn a_repeated_input_moves_to_the_end() {
        let scratch = Scratch::new("once");
        let mut past = scratch.open();
        for entry in ["a", "b", "b", "  ", "c\nd", "a"] {
            past.add(entry, false);
        }
        assert_eq!(shown(&past), ["b", "c\nd", "a"]);
        assert_eq!(shown(&scratch.open()), ["b", "c\nd", "a"]);
    }

    #[test]
    fn text_that_looks_like_an_encoded_line_end_is_kept() {
        for entry in ["a\nb", "<\\n>", "<\\\\n>", "<\n>", "<\\n", "<<\\n>>\n", "\\n", "<\\", "x < \\y n>"] {
            assert_eq!(decode(&encode(entry)), entry);
            assert!(!encode(entry).contains('\n'));
        }
    }

    #[test]
    fn two_sessions_lose_nothing_and_see_each_other() {
        let scratch = Scratch::new("two");
        let (mut one, mut two) = (scratch.open(), scratch.open());
        for n in 0..50 {
            one.add(&format!("one {n}"), false);
            two.add(&format!("two {n}"), false);
        }
        assert_eq!(shown(&two).len(), 100);
        assert_eq!(shown(&scratch.open()).len(), 100);
        // Up finds this session's newest entry first
        one.add("mine", false);
        assert_eq!((shown(&one).len(), shown(&one).last()), (101, Some(&"mine")));
    }

    #[test]
    fn a_file_that_grows_is_shortened_while_other_sessions_use_it() {
        let scratch = Scratch::new("grows");
        let text: String = (0..3 * CAPACITY).map(|n| format!("{}\n", n % (CAPACITY + 5))).collect();
        std::fs::write(&scratch.0, text).unwrap();
        let mut early = InputHistory { file: Some(scratch.0.clone()), ..InputHistory::default() };
        early.with_lock(|past, file| past.read_appended(file).map(drop)).unwrap();
        let mut past = scratch.open();
        assert_eq!(past.entries().len(), CAPACITY);
        let lines = || std::fs::read_to_string(&scratch.0).unwrap().lines().count();
        assert_eq!(lines(), CAPACITY);
        past.add("new", false);
        early.add("newer", false);
        assert_eq!((lines(), early.entries().len()), (CAPACITY + 2, CAPACITY));
        assert_eq!(shown(&early).last(), Some(&"newer"));
    }

    #[test]
    fn without_a_file_the_history_lasts_as_long_as_the_session() {
        let mut past = InputHistory::open(Some(PathBuf::from("/dev/null/no/such")));
        past.add("a", false);
        assert_eq!(shown(&past), ["a"]);
    }
}
