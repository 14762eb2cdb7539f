//! The inputs of this kernel and of earlier ones, for `history_request`: a range, the last ones, or those that match a
//! pattern.
//!
//! On disk, each kernel that executed something has its own file, named by its session number, so that two kernels
//! never write to the same file. The format is that of the prompt's history: one entry per line, with line ends
//! written as `<\n>`. A cell number that is not the successor of the previous one is on a line `# cell 7` followed by
//! a tab, with which no entry ends.

use crate::request::Request;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Maximum number of inputs kept per session.
const MOST: usize = 100_000;
/// Maximum number of sessions kept on disk.
const SESSIONS: usize = 1000;
const NEWLINE: &str = "<\\n>";

/// The stored inputs.
pub struct History {
    folder: Option<PathBuf>,
    /// The number of this session, and its file once it exists.
    session: Option<(i64, Option<fs::File>)>,
    entries: VecDeque<Entry>,
    /// Text that is not written yet.
    waiting: String,
    /// Number of the last entry in the file.
    written: i64,
    /// The entries of earlier sessions, once they have been read.
    earlier: Option<Vec<(i64, Vec<Entry>)>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    line: i64,
    input: String,
    output: Option<String>,
}

impl History {
    /// Creates a history, in a folder if there is one. Reads and writes nothing yet.
    pub fn new(folder: Option<PathBuf>) -> History {
        History { folder, session: None, entries: VecDeque::new(), waiting: String::new(), written: 0, earlier: None }
    }

    /// Stores an input and the text of its result.
    pub fn push(&mut self, line: u32, input: &str, output: Option<String>) {
        if self.entries.len() >= MOST {
            self.entries.pop_front();
        }
        let line = i64::from(line);
        if self.folder.is_some() {
            if line != self.written + 1 {
                self.waiting.push_str(&format!("# cell {line}\t\n"));
            }
            self.waiting.push_str(&written(input));
            self.waiting.push('\n');
            self.written = line;
        }
        self.entries.push_back(Entry { line, input: String::from(input), output });
    }

    /// Writes the stored inputs to disk. A failure is logged once and stops all further writing.
    pub fn write(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.waiting);
        let Some(folder) = self.folder.clone() else { return };
        let result = match self.session.take() {
            Some((number, Some(mut file))) => file.write_all(text.as_bytes()).map(|()| (number, Some(file))),
            begun => create(&folder, begun.map(|(number, _)| number)).and_then(|(number, mut file)| {
                file.write_all(text.as_bytes())?;
                Ok((number, Some(file)))
            }),
        };
        match result {
            Ok(session) => self.session = Some(session),
            Err(error) => {
                crate::log(&format!("cannot write the history to `{}`: {error}", folder.display()));
                self.folder = None;
            }
        }
    }

    /// Returns the number of this session.
    fn number(&mut self) -> i64 {
        let folder = self.folder.as_deref();
        let (number, _) =
            self.session.get_or_insert_with(|| (folder.map_or(1, |folder| last(&numbers(folder)) + 1), None));
        *number
    }

    /// Answers a `history_request`.
    pub fn answer(&mut self, request: &Request) -> Value {
        self.write();
        let number = self.number();
        let limit = request.number("n").and_then(|n| usize::try_from(n).ok());
        let output = request.flag("output", false);
        let found: Vec<(i64, &Entry)> = match request.text("hist_access_type") {
            Some("range") => {
                let session = match request.number("session").unwrap_or(0) {
                    back @ ..=0 => number.saturating_add(back),
                    session => session,
                };
                let (start, stop) = (request.number("start").unwrap_or(0), request.number("stop").unwrap_or(i64::MAX));
                let all = self.all(session == number, |n| n == session);
                all.into_iter().filter(|(_, e)| start <= e.line && e.line < stop).collect()
            }
            Some("search") => {
                let pattern: Vec<char> = request.text("pattern").unwrap_or("*").chars().collect();
                let mut all = self.all(true, |_| true);
                all.retain(|(_, e)| matches(&pattern, &e.input));
                if request.flag("unique", false) {
                    let mut known = std::collections::HashSet::new();
                    all.reverse();
                    all.retain(|(_, e)| known.insert(&e.input));
                    all.reverse();
                }
                newest(all, limit)
            }
            // `tail`, and any unknown type
            _ => newest(self.all(true, |_| true), limit),
        };
        let shown = found.into_iter().map(|(session, e)| match output {
            true => json!([session, e.line, [e.input, e.output]]),
            false => json!([session, e.line, e.input]),
        });
        json!({ "status": "ok", "history": shown.collect::<Vec<_>>() })
    }

    /// Returns the entries of the selected earlier sessions, and those of this session if `own` is set.
    fn all(&mut self, own: bool, wanted: impl Fn(i64) -> bool) -> Vec<(i64, &Entry)> {
        let number = self.number();
        if self.earlier.is_none() {
            let read = self.folder.as_deref().map(|folder| {
                let before = numbers(folder).into_iter().filter(|n| *n != number);
                before.map(|n| (n, read(&file_name(folder, n)))).collect()
            });
            self.earlier = Some(read.unwrap_or_default());
        }
        let earlier = self.earlier.iter().flatten().filter(|(n, _)| wanted(*n));
        let earlier = earlier.flat_map(|(n, entries)| entries.iter().map(|e| (*n, e)));
        let own = self.entries.iter().filter(|_| own).map(|e| (number, e));
        earlier.chain(own).collect()
    }
}

fn newest(all: Vec<(i64, &Entry)>, limit: Option<usize>) -> Vec<(i64, &Entry)> {
    let skipped = limit.map_or(0, |n| all.len().saturating_sub(n));
    all.into_iter().skip(skipped).collect()
}

fn written(input: &str) -> String {
    input.trim_end().replace("\r\n", "\n").replace(['\n', '\r'], NEWLINE)
}

fn file_name(folder: &Path, number: i64) -> PathBuf {
    folder.join(format!("{number:06}"))
}

/// Returns the numbers of the sessions in a folder, in order.
fn numbers(folder: &Path) -> Vec<i64> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<i64> = names.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    all.sort_unstable();
    all
}

fn last(numbers: &[i64]) -> i64 {
    numbers.last().copied().unwrap_or(0)
}

/// Creates the file of a session, with the given number or the next free one. Deletes the oldest files.
fn create(folder: &Path, number: Option<i64>) -> std::io::Result<(i64, fs::File)> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    let mut folders = fs::DirBuilder::new();
    folders.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        options.mode(0o600);
        folders.mode(0o700);
    }
    folders.create(folder)?;
    let known = numbers(folder);
    for old in known.iter().take((known.len() + 1).saturating_sub(SESSIONS)) {
        let _ = fs::remove_file(file_name(folder, *old));
    }
    let mut number = number.unwrap_or_else(|| last(&known) + 1);
    loop {
        match options.open(file_name(folder, number)) {
            Ok(file) => return Ok((number, file)),
            // another kernel created it first
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

fn read(path: &Path) -> Vec<Entry> {
    let bytes = fs::read(path).unwrap_or_default();
    let mut line = 0;
    let mut out = Vec::new();
    for text in String::from_utf8_lossy(&bytes).lines() {
        if let Some(number) = text.strip_prefix("# cell ").and_then(|t| t.strip_suffix('\t')) {
            line = number.parse().map_or(line, |n: i64| n.saturating_sub(1));
            continue;
        }
        line = line.saturating_add(1);
        out.push(Entry { line, input: text.replace(NEWLINE, "\n"), output: None });
    }
    out
}

/// Reports whether a text matches a pattern of `*` and `?`. `O(pattern × text)`.
fn matches(pattern: &[char], text: &str) -> bool {
    // the lengths of the pattern's prefixes that match the text so far
    let mut ends = vec![false; pattern.len() + 1];
    let mut step = |c: Option<char>| {
        let mut next = vec![false; ends.len()];
        if c.is_none()
            && let Some(first) = next.first_mut()
        {
            *first = true;
        }
        for (at, p) in pattern.iter().enumerate() {
            let (before, here, left) = (ends.get(at), ends.get(at + 1), next.get(at).copied());
            let on = match p {
                '*' => left == Some(true) || (c.is_some() && here == Some(&true)),
                '?' => c.is_some() && before == Some(&true),
                p => c == Some(*p) && before == Some(&true),
            };
            if let Some(slot) = next.get_mut(at + 1) {
                *slot = on;
            }
        }
        ends = next;
    };
    step(None);
    text.chars().for_each(|c| step(Some(c)));
    ends.last() == Some(&true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (pattern, text, fits) in [
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("a*c", "abbc", true),
            ("a*c", "abcd", false),
            ("*b*", "abc", true),
            ("a?c", "aéc", true),
            ("a?c", "ac", false),
            ("**", "x", true),
            ("?", "", false),
        ] {
            assert_eq!(matches(&pattern.chars().collect::<Vec<_>>(), text), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn the_next_kernel_reads_what_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("kernel");
        let mut first = History::new(Some(inside.clone()));
        for (line, input) in [(1, "let x = {\n  a = 1\n}"), (2, "# cell 9"), (5, "x\n"), (6, "\"é\"")] {
            first.push(line, input, None);
            first.write();
        }
        let mut beside = History::new(Some(inside.clone()));
        beside.push(1, "beside", None);
        beside.write();
        let mut third = History::new(Some(inside));
        third.push(1, "own", None);
        let all: Vec<(i64, i64, String)> =
            third.all(true, |_| true).into_iter().map(|(n, e)| (n, e.line, e.input.clone())).collect();
        let expected = [
            (1, 1, "let x = {\n  a = 1\n}"),
            (1, 2, "# cell 9"),
            (1, 5, "x"),
            (1, 6, "\"é\""),
            (2, 1, "beside"),
            (3, 1, "own"),
        ];
        assert_eq!(all, expected.map(|(n, line, input)| (n, line, String::from(input))));
    }

    #[test]
    fn without_a_writable_folder_only_the_file_is_lost() {
        let mut history = History::new(Some(PathBuf::from("/dev/null/no")));
        history.push(1, "x", None);
        history.write();
        history.push(2, "y", None);
        history.write();
        assert_eq!(history.all(true, |_| true).len(), 2);
    }
}
