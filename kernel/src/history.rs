//! The inputs of this kernel and of earlier ones, for `history_request`: a range, the last ones, or those that match a
//! pattern. A session is the run of one kernel.
//!
//! On disk, each kernel that executed something has its own file, named by its session number, so that two kernels
//! never write to the same file. The format is that of the prompt's history: one entry per line, with line ends
//! written as `<\n>`. Entries are numbered from 1; a line `# cell 7` and a tab before an entry gives it another number. It
//! cannot be confused with an entry, because no entry ends with a tab.

use crate::request::Request;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Maximum number of inputs of this session that are kept in memory.
const MAX_ENTRIES: usize = 100_000;
/// Maximum number of sessions kept on disk.
const MAX_SESSIONS: usize = 1000;
/// A line end in an entry, as it is written in a file.
const NEWLINE: &str = "<\\n>";

/// The stored inputs.
pub struct History {
    /// The folder of the files. `None` if nothing is written to disk.
    folder: Option<PathBuf>,
    /// The number of this session, and its file once it exists.
    session: Option<(i64, Option<fs::File>)>,
    /// The entries of this session.
    entries: VecDeque<Entry>,
    /// Text that is not written yet.
    waiting: String,
    /// The cell number of the last entry in the file and the waiting text.
    last_number: i64,
    /// The entries of earlier sessions, once they have been read.
    earlier: Option<Vec<(i64, Vec<Entry>)>>,
}

/// An input.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    /// The number of its cell. Jupyter calls it a line.
    line: i64,
    input: String,
    /// The text of its result. Not written to disk.
    output: Option<String>,
}

impl History {
    /// Creates a history, in a folder if there is one. Reads and writes nothing yet.
    pub fn new(folder: Option<PathBuf>) -> History {
        History {
            folder,
            session: None,
            entries: VecDeque::new(),
            waiting: String::new(),
            last_number: 0,
            earlier: None,
        }
    }

    /// Stores the input of the cell with the number `line`, and the text of its result. Nothing is on disk before
    /// [`History::write`].
    pub fn push(&mut self, line: u32, input: &str, output: Option<String>) {
        if self.entries.len() >= MAX_ENTRIES {
            self.entries.pop_front();
        }
        let line = i64::from(line);
        if self.folder.is_some() {
            if line != self.last_number + 1 {
                self.waiting.push_str(&format!("# cell {line}\t\n"));
            }
            self.waiting.push_str(&encoded(input));
            self.waiting.push('\n');
            self.last_number = line;
        }
        self.entries.push_back(Entry { line, input: String::from(input), output });
    }

    /// Appends the inputs to the file that are not written yet. A failure is logged once and stops all further writing.
    pub fn write(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.waiting);
        let Some(folder) = self.folder.clone() else { return };
        let result = match self.session.take() {
            Some((number, Some(mut file))) => file.write_all(text.as_bytes()).map(|()| (number, Some(file))),
            without_file => create(&folder, without_file.map(|(number, _)| number)).and_then(|(number, mut file)| {
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

    /// Returns the number of this session. If no file has been created, that is the next free number.
    fn number(&mut self) -> i64 {
        let folder = self.folder.as_deref();
        let (number, _) = self
            .session
            .get_or_insert_with(|| (folder.map_or(1, |folder| last_or_zero(&session_numbers(folder)) + 1), None));
        *number
    }

    /// Returns the content of the reply to a `history_request`.
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
                let before = session_numbers(folder).into_iter().filter(|n| *n != number);
                before.map(|n| (n, entries_of(&file_name(folder, n)))).collect()
            });
            self.earlier = Some(read.unwrap_or_default());
        }
        let earlier = self.earlier.iter().flatten().filter(|(n, _)| wanted(*n));
        let earlier = earlier.flat_map(|(n, entries)| entries.iter().map(|e| (*n, e)));
        let own = self.entries.iter().filter(|_| own).map(|e| (number, e));
        earlier.chain(own).collect()
    }
}

/// Returns the last `limit` entries, all without a limit.
fn newest(all: Vec<(i64, &Entry)>, limit: Option<usize>) -> Vec<(i64, &Entry)> {
    let skipped = limit.map_or(0, |n| all.len().saturating_sub(n));
    all.into_iter().skip(skipped).collect()
}

/// Returns an input as one line of a file.
fn encoded(input: &str) -> String {
    input.trim_end().replace("\r\n", "\n").replace(['\n', '\r'], NEWLINE)
}

fn file_name(folder: &Path, number: i64) -> PathBuf {
    folder.join(format!("{number:06}"))
}

/// Returns the numbers of the sessions in a folder, in order.
fn session_numbers(folder: &Path) -> Vec<i64> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<i64> = names.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    all.sort_unstable();
    all
}

fn last_or_zero(numbers: &[i64]) -> i64 {
    numbers.last().copied().unwrap_or(0)
}

/// Creates the file of a session and returns it with its number: `number`, or the next free one if that is `None` or
/// another kernel has created that file. Deletes the oldest files.
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
    let known = session_numbers(folder);
    for old in known.iter().take((known.len() + 1).saturating_sub(MAX_SESSIONS)) {
        let _ = fs::remove_file(file_name(folder, *old));
    }
    let mut number = number.unwrap_or_else(|| last_or_zero(&known) + 1);
    loop {
        match options.open(file_name(folder, number)) {
            Ok(file) => return Ok((number, file)),
            // another kernel created it first
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Returns the entries in a file; none if it cannot be read.
fn entries_of(path: &Path) -> Vec<Entry> {
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

/// Returns `true` if a text matches a pattern of `*` and `?`. `O(pattern × text)`.
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
