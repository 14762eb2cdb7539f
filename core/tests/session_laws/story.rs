//! The inputs of a session, and which of them remain.

use crate::beside::{Files, answer, interrupted_by, session, shown};
use crate::inputs::Input;
use cfg_core::notebook::PageWidths;
use cfg_core::{Dialect, Session};

/// A session and its inputs.
pub struct Story {
    /// The session.
    pub session: Session,
    files: Files,
    steps: Vec<Step>,
    /// The steps that changed something and remain, oldest first.
    stands: Vec<usize>,
    undone: Vec<usize>,
    /// The numbers of the runs of a notebook's cells, and the last text of each.
    runs: [(Vec<u32>, String); 3],
}

/// An input that was entered.
struct Step {
    text: String,
    number: u32,
    dialect: Dialect,
    /// The notebook cell that it is, if any.
    run: Option<Run>,
    /// The files after it: as the session had read them, or else as they were on disk.
    files: Files,
}

impl Story {
    /// Creates a new session over files.
    pub fn new(files: &Files) -> Story {
        Story {
            session: session(files),
            files: files.clone(),
            steps: Vec::new(),
            stands: Vec::new(),
            undone: Vec::new(),
            runs: Default::default(),
        }
    }

    /// Returns the steps that remain.
    pub fn stands(&self) -> &[usize] {
        &self.stands
    }

    /// Enters an input.
    pub fn enter(&mut self, input: &Input) -> String {
        match input.disk {
            Some((file, Some(text))) => self.files.put(file, text),
            Some((file, None)) => self.files.remove(file),
            None => {}
        }
        let (next, dialect) = (self.session.next_number(), self.session.dialect());
        let (mut number, mut text) = (next, input.text.clone());
        let run_of = |cell: usize| {
            let (earlier, last) = &self.runs[cell];
            let refresh = input.refresh && !earlier.is_empty();
            if refresh {
                (number, text) = (earlier.last().copied().unwrap_or(next), last.clone());
            }
            Run { earlier: earlier.clone(), refresh }
        };
        let of_cell = input.cell.map(run_of);
        let enter = |session: &mut Session| match &of_cell {
            None => answer(session, &text),
            Some(of_cell) => {
                session.set_next_number(number);
                run(session, &text, of_cell)
            }
        };
        let came = match input.interrupt {
            None => enter(&mut self.session),
            Some(after) => interrupted_by(&mut self.session, after, enter),
        };
        match (&of_cell, input.cell) {
            (Some(Run { refresh: true, .. }), _) => self.session.set_next_number(next),
            (Some(_), Some(cell)) if self.session.next_number() > number => {
                self.runs[cell].0.push(number);
                self.runs[cell].1 = text.clone();
            }
            _ => {}
        }
        let files = self.files.as_read(&self.session);
        self.steps.push(Step { text: text.clone(), number, dialect, run: of_cell, files });
        let (standing, undone) = self.session.undoable();
        let (before, at) = (self.stands.len(), self.steps.len() - 1);
        // what was only shown after an undo is at the end, and an undo or redo removes it for good
        let (redone, newly) = (self.undone.len().saturating_sub(undone), undone.saturating_sub(self.undone.len()));
        if text.starts_with(":redo") {
            let removed = (before + redone).saturating_sub(standing);
            self.stands.truncate(before - removed);
            let first = self.undone.len() - redone;
            self.stands.extend(self.undone.drain(first..).rev());
        } else if standing > before {
            self.stands.push(at);
            if undone == 0 {
                self.undone.clear();
            }
        } else {
            let removed = (before - standing).saturating_sub(newly);
            self.stands.truncate(before - removed);
            self.undone.extend(self.stands.drain(standing..).rev());
        }
        assert_eq!((standing, undone), (self.stands.len(), self.undone.len()), "{text}");
        came
    }

    /// Creates a new session and enters the inputs that remain.
    pub fn again(&self) -> Session {
        let files = Files::default();
        let mut session = session(&files);
        for step in &self.stands {
            let Step { text, number, dialect, run: of_cell, files: were } = &self.steps[*step];
            files.become_like(were);
            speak(&mut session, *dialect);
            session.set_next_number(*number);
            match of_cell {
                None => drop(answer(&mut session, text)),
                Some(of_cell) => drop(run(&mut session, text, of_cell)),
            }
        }
        speak(&mut session, self.session.dialect());
        session
    }
}

/// Sets the language of the following inputs.
pub fn speak(session: &mut Session, dialect: Dialect) {
    session.set_dialect(dialect).expect("it is built");
}

/// A run of a notebook cell.
pub struct Run {
    /// The numbers of the earlier runs.
    pub earlier: Vec<u32>,
    /// Whether it was run without a request.
    pub refresh: bool,
}

/// Runs a notebook cell.
pub fn run(session: &mut Session, text: &str, of_cell: &Run) -> String {
    let again = match of_cell.refresh {
        true => session.rerun_unasked(&of_cell.earlier),
        false => session.rerun(&of_cell.earlier),
    };
    let (events, _) = session.submit_again(text, &again, PageWidths::default(), true);
    events.into_iter().map(shown).collect()
}
