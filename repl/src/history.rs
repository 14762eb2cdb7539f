//! What was typed before: one file for both line editors, an entry a line. An input that is typed again moves to the
//! end; whatever other sessions append meanwhile is taken in, and nothing of it is lost.

use std::collections::{HashSet, VecDeque};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many entries are kept.
pub const CAPACITY: usize = 10_000;
/// Inputs of more bytes are remembered until the session ends, and not on disk.
const LONGEST: usize = 1 << 16;
/// So few lines are taken in one by one.
const FEW: usize = 16;

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

/// The inputs so far, each once, the newest last.
#[derive(Debug, Default)]
pub struct Past {
    entries: VecDeque<Arc<str>>,
    file: Option<PathBuf>,
    /// How much of the file was read.
    read: u64,
}

impl Past {
    /// What a file holds; without one, or one that cannot be read, nothing. A file that has grown to twice what is kept is
    /// written anew.
    pub fn open(file: Option<PathBuf>) -> Past {
        let mut past = Past { file, ..Past::default() };
        // A history that cannot be read or written is no reason to stop.
        let _ = past.meet(|past, file| {
            let lines = past.take_in(file)?;
            if lines > 2 * CAPACITY { past.rewrite(file) } else { Ok(()) }
        });
        past
    }

    /// The entries, the oldest first.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &Arc<str>> + ExactSizeIterator {
        self.entries.iter()
    }

    /// The entry at a place, counted from the oldest.
    pub fn get(&self, index: usize) -> Option<&Arc<str>> {
        self.entries.get(index)
    }

    /// Adds an input, and appends it to the file. What other sessions appended comes in before it. O(entries).
    pub fn add(&mut self, entry: &str) {
        if entry.trim().is_empty() || self.entries.back().is_some_and(|last| **last == *entry) {
            return;
        }
        if entry.len() <= LONGEST {
            let _ = self.meet(|past, file| {
                past.take_in(file)?;
                // one write, so that a reader without the lock never sees half an entry
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

    /// Works on the file while no other session does.
    fn meet(&mut self, work: impl FnOnce(&mut Past, &mut File) -> io::Result<()>) -> io::Result<()> {
        let Some(path) = self.file.clone() else { return Ok(()) };
        let mut file = opened(&path)?;
        file.lock()?;
        let done = work(self, &mut file);
        file.unlock()?;
        done
    }

    /// Reads what was appended since the file was read last. How many lines there were.
    fn take_in(&mut self, file: &mut File) -> io::Result<usize> {
        let length = file.metadata()?.len();
        if length < self.read {
            // another session wrote it anew: what this one knows stays, and the rest is known to it
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
        // the last of each, from the end: one pass however long the file is
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

/// The file, made with its folder where there is none; only its owner can read it.
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

/// An entry on one line: a line end is `<\n>`, and what looks like one has a backslash more.
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

/// The text with another number of backslashes in each `<\…n>`.
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

    fn shown(past: &Past) -> Vec<&str> {
        past.entries().map(|entry| &**entry).collect()
    }

    /// A file of the test's own, gone with it.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let path = std::env::temp_dir().join(format!("cfg-history-{}-{name}", std::process::id()));
            let _ = std::fs::remove_file(&path);
            Scratch(path)
        }
        fn open(&self) -> Past {
            Past::open(Some(self.0.clone()))
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    #[test]
    fn an_input_is_there_once_where_it_was_typed_last() {
        let scratch = Scratch::new("once");
        let mut past = scratch.open();
        for entry in ["a", "b", "b", "  ", "c\nd", "a"] {
            past.add(entry);
        }
        assert_eq!(shown(&past), ["b", "c\nd", "a"]);
        assert_eq!(shown(&scratch.open()), ["b", "c\nd", "a"]);
    }

    #[test]
    fn what_looks_like_a_line_end_is_none() {
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
            one.add(&format!("one {n}"));
            two.add(&format!("two {n}"));
        }
        assert_eq!(shown(&two).len(), 100);
        assert_eq!(shown(&scratch.open()).len(), 100);
        // one's own newest is the first that Up finds
        one.add("mine");
        assert_eq!((shown(&one).len(), shown(&one).last()), (101, Some(&"mine")));
    }

    #[test]
    fn a_file_that_grows_is_cut_and_others_go_on() {
        let scratch = Scratch::new("grows");
        let text: String = (0..3 * CAPACITY).map(|n| format!("{}\n", n % (CAPACITY + 5))).collect();
        std::fs::write(&scratch.0, text).unwrap();
        let mut early = Past { file: Some(scratch.0.clone()), ..Past::default() };
        early.meet(|past, file| past.take_in(file).map(drop)).unwrap();
        let mut past = scratch.open();
        assert_eq!(past.entries().len(), CAPACITY);
        let lines = || std::fs::read_to_string(&scratch.0).unwrap().lines().count();
        assert_eq!(lines(), CAPACITY);
        past.add("new");
        early.add("newer");
        assert_eq!((lines(), early.entries().len()), (CAPACITY + 2, CAPACITY));
        assert_eq!(shown(&early).last(), Some(&"newer"));
    }

    #[test]
    fn without_a_file_it_lasts_as_long_as_the_session() {
        let mut past = Past::open(Some(PathBuf::from("/dev/null/no/such")));
        past.add("a");
        assert_eq!(shown(&past), ["a"]);
    }
}
