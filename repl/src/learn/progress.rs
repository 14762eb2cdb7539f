//! The progress of the learner in each lesson. It is kept in a file next to the input history.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// The progress in one lesson.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    /// The name of the lesson: `01-types`.
    pub lesson: String,
    /// The index of the step that was reached.
    pub step: usize,
    /// The exercises that were solved, counted from 1.
    pub solved: BTreeSet<usize>,
    /// Whether the end was reached.
    pub finished: bool,
}

/// The progress in all lessons, the lesson that was played last at the end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    entries: Vec<Entry>,
    file: Option<PathBuf>,
}

impl Entry {
    /// Writes an entry as a line: name, step, solved exercises, `finished` or `begun`.
    fn line(&self) -> String {
        let solved: Vec<String> = self.solved.iter().map(usize::to_string).collect();
        let solved = if solved.is_empty() { String::from("-") } else { solved.join(",") };
        format!("{} {} {solved} {}\n", self.lesson, self.step, if self.finished { "finished" } else { "begun" })
    }

    /// Reads a line. `None` if it is not an entry.
    fn read(line: &str) -> Option<Entry> {
        let mut words = line.split(' ');
        let (lesson, step) = (String::from(words.next()?), words.next()?.parse().ok()?);
        let solved = words.next()?.split(',').filter_map(|number| number.parse().ok()).collect();
        Some(Entry { lesson, step, solved, finished: words.next()? == "finished" })
    }
}

impl Progress {
    /// Reads the progress from a file. There is none if the file does not exist or cannot be read.
    pub fn open(file: Option<PathBuf>) -> Progress {
        let text = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
        Progress { entries: text.lines().filter_map(Entry::read).collect(), file }
    }

    /// Returns the progress in a lesson. `None` if it was never started.
    pub fn of(&self, lesson: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.lesson == lesson)
    }

    /// Returns the lesson that was played last.
    pub fn last(&self) -> Option<&Entry> {
        self.entries.last()
    }

    /// Changes the progress in a lesson, which is now the last one, and writes the file. A file that cannot be written
    /// does not stop a lesson.
    pub fn change(&mut self, lesson: &str, change: impl FnOnce(&mut Entry)) {
        let mut entry = match self.entries.iter().position(|entry| entry.lesson == lesson) {
            Some(at) => self.entries.remove(at),
            None => Entry { lesson: String::from(lesson), ..Entry::default() },
        };
        change(&mut entry);
        self.entries.push(entry);
        let Some(file) = &self.file else { return };
        let text: String = self.entries.iter().map(Entry::line).collect();
        // a reader never sees half of it
        let new = file.with_extension(format!("{}.new", std::process::id()));
        let written = file
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&new, text))
            .and_then(|()| std::fs::rename(&new, file));
        if written.is_err() {
            let _ = std::fs::remove_file(&new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("data/history-lessons");
        let mut progress = Progress::open(Some(file.clone()));
        assert_eq!(progress.last(), None);
        progress.change("02-merging", |entry| entry.step = 3);
        progress.change("01-types", |entry| entry.finished = true);
        progress.change("02-merging", |entry| entry.solved.extend([2, 1]));
        let read = Progress::open(Some(file.clone()));
        assert_eq!(read, progress);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "01-types 0 - finished\n02-merging 3 1,2 begun\n");
        assert_eq!(read.last().map(|entry| (entry.lesson.as_str(), entry.step)), Some(("02-merging", 3)));
        assert_eq!(std::fs::read_dir(folder.path().join("data")).unwrap().count(), 1, "no other file is left");
    }

    #[test]
    fn a_damaged_file_loses_only_its_damaged_lines() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lessons");
        std::fs::write(&file, "01-types x - begun\n\u{0}\n02-merging 4 1,zz finished\nshort 1\n").unwrap();
        let read = Progress::open(Some(file));
        assert_eq!((read.of("01-types"), read.of("short")), (None, None));
        assert_eq!(
            read.of("02-merging").map(|entry| (entry.step, entry.solved.len(), entry.finished)),
            Some((4, 1, true))
        );
    }
}
