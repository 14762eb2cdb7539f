//! The environment of a session: files in memory, and interrupts.

use cfg_core::{Event, Interrupt, Loader, Session};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Files in memory. Reading `stop.cfg` raises an interrupt.
#[derive(Clone, Default)]
pub struct Files {
    all: Rc<RefCell<BTreeMap<PathBuf, String>>>,
    stop: Rc<RefCell<Option<Interrupt>>>,
}

impl Files {
    /// Returns a copy of the files. Those that a session has read have the text that it read.
    pub fn as_read(&self, session: &Session) -> Files {
        let mut all = self.all.borrow().clone();
        for (path, text) in session.files_read() {
            match text {
                Some(text) => all.insert(path, String::from(&*text)),
                None => all.remove(&path),
            };
        }
        Files { all: Rc::new(RefCell::new(all)), ..Files::default() }
    }

    /// Replaces the files by another's.
    pub fn become_like(&self, other: &Files) {
        self.all.replace(other.all.borrow().clone());
    }

    /// Writes a file.
    pub fn put(&self, name: &str, text: &str) {
        self.all.borrow_mut().insert(PathBuf::from(name), String::from(text));
    }

    /// Removes a file.
    pub fn remove(&self, name: &str) {
        self.all.borrow_mut().remove(Path::new(name));
    }
}

impl Loader for Files {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path.ends_with("stop.cfg")
            && let Some(stop) = &*self.stop.borrow()
        {
            stop.raise();
        }
        let all = self.all.borrow();
        all.get(path).map(|text| text.clone().into_bytes()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        let there = path.ends_with("stop.cfg") || self.all.borrow().contains_key(path);
        if there { Ok(path.to_path_buf()) } else { Err(io::ErrorKind::NotFound.into()) }
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
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.put(&path.to_string_lossy(), &String::from_utf8_lossy(bytes));
        Ok(())
    }
}

/// Returns a session over files. A program that prints `stop` raises an interrupt.
pub fn session(files: &Files) -> Session {
    let mut session = Session::new(Box::new(files.clone()));
    *files.stop.borrow_mut() = Some(session.interrupt_handle());
    let stop = session.interrupt_handle();
    session.set_output(Rc::new(move |text| {
        if text.contains("stop") {
            stop.raise();
        }
    }));
    session
}

/// Returns a session's answer as text.
pub fn answer(session: &mut Session, input: &str) -> String {
    session.submit(input).into_iter().map(shown).collect()
}

/// Does some work and interrupts it after a time.
pub fn interrupted_by(session: &mut Session, after: Duration, work: impl FnOnce(&mut Session) -> String) -> String {
    let (stop, done) = (session.interrupt_handle(), AtomicBool::new(false));
    let (start, over) = (Instant::now(), Duration::from_secs(10));
    thread::scope(|scope| {
        scope.spawn(|| {
            // an input clears the flag when it begins, so the flag is raised until the end
            while !done.load(Ordering::Relaxed) && start.elapsed() < over {
                if start.elapsed() >= after {
                    stop.raise();
                }
                thread::yield_now();
            }
        });
        let came = work(session);
        done.store(true, Ordering::Relaxed);
        came
    })
}

/// Returns an event as text.
pub fn shown(event: Event) -> String {
    match event {
        Event::Value { value, ty, .. } => format!("{} : {}\n", value.text(), ty.text()),
        Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => format!("{}\n", text.text()),
        Event::Diagnostic { report, .. } => format!("{}\n", report.text()),
        Event::Steps { pages, footer, .. } => format!("{}\n", Event::text(&pages, &footer).text()),
        Event::Output(_) | Event::Quit => String::new(),
    }
}

/// The state of a session, as seen from outside: questions with their answers.
pub type Reading = Vec<(String, String)>;

/// Asks a session everything about these names, without entering a cell.
pub fn all(session: &mut Session, names: &[&str]) -> Reading {
    let mut out = vec![(String::from(":env"), answer(session, ":env"))];
    for name in names {
        let of_results = if name.starts_with('$') { &["why", "steps"][..] } else { &[] };
        for command in ["type", "query", "deps", "explain", "info"].iter().chain(of_results) {
            let question = format!(":{command} {name}");
            let mut answer = answer(session, &question);
            if *command == "info" {
                // omits values that are already computed, which continue on indented lines and end with a bracket
                let mut known = false;
                let told = answer.lines().filter(|line| {
                    known = line.starts_with("known so far") || known && line.starts_with([' ', '}', ']']);
                    !known
                });
                answer = told.collect();
            }
            let is_bound = !answer.contains("[scope/unbound]");
            out.push((question, answer));
            if !is_bound {
                break;
            }
        }
        out.push((String::from(*name), session.evaluate(name).into_iter().map(shown).collect()));
    }
    out.extend(session.problems().into_iter().map(|(name, problem)| (format!("problem of {name}"), problem.text())));
    out.into_iter().map(|(question, answer)| (question, without_past(&answer))).collect()
}

/// Lines about inputs that were undone or had an error, and the advice in whose place they are.
const OF_THE_PAST: [&str; 3] = ["`:redo` brings back", "so it bound nothing", "= help: a text is in quotes"];

/// Returns an answer without the advice about past inputs.
fn without_past(answer: &str) -> String {
    let mut lines: Vec<&str> = answer.lines().collect();
    while let Some(at) = lines.iter().position(|line| OF_THE_PAST.iter().any(|words| line.contains(words))) {
        // the line before the first advice goes with the only one
        let is_only = lines.get(at + 1).is_none_or(|next| !next.trim_start().starts_with("= "));
        let frame = at.saturating_sub(usize::from(is_only && at > 0 && lines[at - 1].trim() == "|"));
        lines.drain(frame..=at);
    }
    lines.join("\n")
}

/// Returns the first questions that two readings answer differently; empty if there are none.
pub fn difference(is: &Reading, other: &Reading) -> String {
    let mut out = String::new();
    for (at, (question, answer)) in is.iter().enumerate() {
        let (asked, answered) = other.get(at).map_or(("", ""), |(asked, answer)| (asked.as_str(), answer.as_str()));
        if (question.as_str(), answer.as_str()) != (asked, answered) {
            out += &format!("{question}\n{answer}\n  but {asked}\n{answered}\n");
            break;
        }
    }
    if out.is_empty() && is.len() != other.len() {
        out = format!("{} answers and {}", is.len(), other.len());
    }
    out
}
