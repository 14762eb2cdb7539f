//! `cfg learn`: the lessons of the notebooks at the prompt.
//!
//! A [`Guide`] decides what comes next and the loop ([`crate::repl`]) carries it out, so the guide does no IO except for
//! the progress, which it writes to a file.

mod engine;
mod files;
mod guide;
mod markdown;
mod progress;

pub use engine::LessonEngine;
pub use files::LessonFiles;
pub use guide::{Act, Guide, help};
pub use markdown::markdown;
pub use progress::Progress;

use crate::call;
use crate::cli;
use crate::history;
use crate::loader::Disk;
use crate::repl::Repl;
use crate::start;
use cfg_core::{Languages, Loader, Role, Styled};
use cfg_lessons::Lesson;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The commands of a lesson, and their purposes. The session does not know them.
pub const COMMANDS: [(&str, &str); 6] = [
    (":next", "go on with the lesson; so does Enter, except at an exercise"),
    (":back", "go back to the beginning of the step, or to the step before"),
    (":check", "check the solution of the exercise; with an expression, check that"),
    (":hint", "help with the exercise"),
    (":solution", "one way to solve the exercise"),
    (":lessons", "list the lessons, and how far you are"),
];

/// Returns the command of a lesson that an input is.
pub fn command(input: &str) -> Option<&'static str> {
    let input = input.trim();
    COMMANDS.iter().map(|(name, _)| *name).find(|name| *name == input)
}

/// Returns the reason why a command of a lesson with an argument is none. `None` for any other input.
fn with_argument(input: &str) -> Option<String> {
    let (name, _) = input.trim().split_once(char::is_whitespace)?;
    // the session has a `:check` of an expression
    let name = command(name).filter(|name| *name != ":check")?;
    Some(match name {
        ":next" | ":back" => format!("`{name}` goes one step at a time: it takes no number."),
        _ => format!("`{name}` takes no argument."),
    })
}

/// Finds a lesson by its number or by the beginning of its name.
fn find(lessons: &[Lesson], wanted: &str) -> Option<usize> {
    match wanted.parse::<usize>() {
        Ok(number) => number.checked_sub(1).filter(|at| *at < lessons.len()),
        Err(_) => lessons.iter().position(|lesson| {
            let topic = lesson.name.split_once('-').map_or(lesson.name, |(_, topic)| topic);
            lesson.name == wanted || topic.starts_with(wanted)
        }),
    }
}

/// Parses a lesson of the user. Lessons are static texts, so its text is kept until the process ends.
fn own(file: &str, bytes: &[u8]) -> Lesson {
    let kept = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    Lesson::new(kept(String::from(file)), kept(String::from_utf8_lossy(bytes).into_owned()))
}

/// Runs `cfg learn`.
pub fn run(languages: Languages, disk: Disk, options: &cli::Learn) -> io::Result<u8> {
    let mut lessons = Lesson::all();
    if let Some(file) = options.lesson.as_deref().filter(|wanted| wanted.ends_with(".md")) {
        match disk.read(Path::new(file)) {
            Ok(bytes) => lessons.push(own(file, &bytes)),
            Err(error) => return call::fault(format!("{file}: {}", call::reason(&error))),
        }
    }
    let chosen = match options.lesson.as_deref().map(|wanted| (wanted, find(&lessons, wanted))) {
        Some((wanted, None)) => {
            let last = lessons.len();
            return call::fault(format!(
                "no lesson `{wanted}`: they are numbered from 1 to {last}; `cfg learn --list` lists them, and \
                 `cfg learn FILE.md` plays your own"
            ));
        }
        Some((_, found)) => found,
        None => None,
    };
    let start = cli::Start { config: options.config.clone(), no_config: options.no_config, ..cli::Start::default() };
    let repl = cli::Repl { start, ..cli::Repl::default() };
    start::learn(languages, disk, &repl, Lessons { lessons, chosen, list: options.list, restart: options.restart })
}

/// The lessons, and what the command line says about them.
pub struct Lessons {
    lessons: Vec<Lesson>,
    /// The index of the lesson to play.
    chosen: Option<usize>,
    /// Whether to list the lessons only.
    list: bool,
    restart: bool,
}

impl Lessons {
    /// Plays a lesson, or lists the lessons, in a loop that is not running yet. The progress is kept next to the history,
    /// if there is one.
    pub fn play<W: Write>(self, repl: &mut Repl<W>, history: Option<PathBuf>, script: bool) -> io::Result<()> {
        let progress = Progress::open(history.map(|history| history::sibling(&history, "lessons")));
        if self.list {
            return repl.print_once(&list(&self.lessons, &progress));
        }
        let lists = self.chosen.is_none();
        repl.learn(Guide::new(self.lessons, progress, self.chosen, self.restart, script), lists)
    }
}

/// Returns the list of the lessons, with the progress of each.
pub fn list(lessons: &[Lesson], progress: &Progress) -> Styled {
    let mut out = Styled::of(Role::Heading, "Lessons");
    let widest = lessons.iter().map(|lesson| lesson.title.chars().count()).max().unwrap_or(0);
    for (at, lesson) in lessons.iter().enumerate() {
        out.plain(format!("\n  {}  ", at + 1));
        out.push(Role::Name, format!("{:<widest$}", lesson.title));
        let (steps, all) = (lesson.steps.len().saturating_sub(1), lesson.exercises().count());
        out.push(
            Role::Dim,
            match progress.of(lesson.name) {
                None => String::from("  new"),
                Some(entry) if entry.finished => format!("  finished, {} of {all} exercises", entry.solved.len()),
                Some(entry) => format!("  step {} of {steps}, {} of {all} exercises", entry.step, entry.solved.len()),
            },
        );
    }
    out.plain("\n");
    out
}
