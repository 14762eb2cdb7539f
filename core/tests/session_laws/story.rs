//! What was done to a session, and what of it survives.

use crate::beside::{Files, answer, interrupted, interrupted_by, session, shown};
use crate::inputs::Input;
use cfg_core::dialect::Dialect;
use cfg_core::session::Session;

/// A session with what was done to it.
pub struct Story {
    /// The session.
    pub session: Session,
    files: Files,
    steps: Vec<Step>,
    /// The steps that changed something and stand, the oldest first.
    stands: Vec<usize>,
    undone: Vec<usize>,
    /// The numbers of the runs of a notebook's cells.
    runs: [Vec<u32>; 3],
}

/// Something that was entered.
struct Step {
    text: String,
    number: u32,
    dialect: Dialect,
    /// The numbers of the runs before, of a notebook's cell.
    earlier: Option<Vec<u32>>,
    /// The files as the session had read them after it, and as they were on the disk else.
    files: Files,
}

impl Story {
    /// An empty session over files.
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

    /// The steps that stand.
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
        let (number, text) = (self.session.next_number(), &input.text);
        let dialect = self.session.dialect();
        let earlier = input.cell.map(|cell| self.runs[cell].clone());
        let came = match (&earlier, input.interrupt) {
            (None, None) => answer(&mut self.session, text),
            (None, Some(after)) => interrupted(&mut self.session, text, after),
            (Some(earlier), None) => run(&mut self.session, text, earlier),
            (Some(earlier), Some(after)) => {
                interrupted_by(&mut self.session, after, |session| run(session, text, earlier))
            }
        };
        if let Some(cell) = input.cell
            && self.session.next_number() > number
        {
            self.runs[cell].push(number);
        }
        let files = self.files.as_read(&self.session);
        self.steps.push(Step { text: text.clone(), number, dialect, earlier, files });
        let (standing, undone) = self.session.undoable();
        let (before, at) = (self.stands.len(), self.steps.len() - 1);
        match standing > before {
            true if undone < self.undone.len() && text.starts_with(":redo") => {
                while self.stands.len() < standing
                    && let Some(step) = self.undone.pop()
                {
                    self.stands.push(step);
                }
            }
            true => {
                self.stands.push(at);
                self.undone.clear();
            }
            false => {
                while self.stands.len() > standing
                    && let Some(step) = self.stands.pop()
                {
                    self.undone.push(step);
                }
            }
        }
        assert_eq!((standing, undone), (self.stands.len(), self.undone.len()), "{text}");
        came
    }

    /// A fresh session that is fed with what stands.
    pub fn again(&self) -> Session {
        let files = Files::default();
        let mut session = session(&files);
        for step in &self.stands {
            let Step { text, number, dialect, earlier, files: were } = &self.steps[*step];
            files.become_like(were);
            speak(&mut session, *dialect);
            session.set_next_number(*number);
            match earlier {
                None => drop(answer(&mut session, text)),
                Some(earlier) => drop(run(&mut session, text, earlier)),
            }
        }
        speak(&mut session, self.session.dialect());
        session
    }
}

/// From now on inputs are of this language.
pub fn speak(session: &mut Session, dialect: Dialect) {
    session.set_dialect(dialect).expect("it is built");
}

/// Runs a cell of a notebook, whose earlier runs took these numbers.
pub fn run(session: &mut Session, text: &str, earlier: &[u32]) -> String {
    let again = session.rerun(earlier);
    let (events, _) = session.submit_again(text, &again, true);
    events.into_iter().map(shown).collect()
}
