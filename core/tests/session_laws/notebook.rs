//! The law of notebooks: after all cells are run in order, everything is as in a new session that runs them, whatever
//! was run, undone or interrupted before, in any order and with any texts.

use crate::beside::{Files, Reading, all, interrupted_by, session};
use crate::inputs::{NAMES, Random};
use crate::story::{Run, run};
use crate::{hold, same};
use cfg_core::Session;
use std::time::Duration;

/// An action in a notebook.
#[derive(Clone, Debug)]
struct Done {
    /// The cell that is run, and its new text.
    cell: usize,
    text: String,
    interrupt: Option<Duration>,
}

const CELLS: usize = 4;

/// A notebook: the texts of its cells, and the numbers of their runs.
#[derive(Default)]
struct Notebook {
    texts: Vec<String>,
    runs: Vec<Vec<u32>>,
}

impl Notebook {
    fn run(&mut self, session: &mut Session, cell: usize) -> String {
        let number = session.next_number();
        let run_of = Run { earlier: self.runs[cell].clone(), refresh: false };
        let came = run(session, &self.texts[cell], &run_of);
        if session.next_number() > number {
            self.runs[cell].push(number);
        }
        came
    }

    /// Runs all cells and returns the reading. `None` if one could not be run.
    fn run_all(&mut self, session: &mut Session) -> Option<Reading> {
        for cell in 0..self.texts.len() {
            let came = self.run(session, cell);
            if ["[syntax/", "[scope/unbound]", "[value/interrupted]"].iter().any(|code| came.contains(code)) {
                return None;
            }
        }
        // the numbers of cells differ
        let mut all = all(session, &NAMES);
        for (_, answer) in &mut all {
            *answer = without_numbers(answer);
        }
        Some(all)
    }
}

fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        let (before, after) = rest.split_at(at + 1);
        out += before;
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    // and so does the width of the column that shows them
    (out + rest).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn law(all: &[Done]) -> Result<(), String> {
    let files = Files::default();
    files.put("f.cfg", "{ fa = 1, fb = 2 }");
    let mut session_of_all = session(&files);
    let mut ours = Notebook { texts: vec![String::from("a = 1"); CELLS], runs: vec![Vec::new(); CELLS] };
    // slots are in the order of the page
    ours.run_all(&mut session_of_all);
    for Done { cell, text, interrupt } in all {
        ours.texts[*cell] = text.clone();
        match interrupt {
            Some(after) => drop(interrupted_by(&mut session_of_all, *after, |session| ours.run(session, *cell))),
            None => drop(ours.run(&mut session_of_all, *cell)),
        }
    }
    let mut fresh = Notebook { texts: ours.texts.clone(), runs: vec![Vec::new(); CELLS] };
    match (fresh.run_all(&mut session(&files)), ours.run_all(&mut session_of_all)) {
        (Some(fresh), Some(ours)) => same("run all", &ours, &fresh),
        (None, _) => Ok(()),
        (Some(_), None) => Err(String::from("what can be run in a fresh session can be run")),
    }
}

#[test]
fn a_notebook_that_is_run_completely_answers_like_a_new_one() {
    let inputs = |seed, length| {
        let mut random = Random(seed);
        let mut done = || {
            // results have other numbers in a new session
            let (cell, text, interrupt) = (random.below(CELLS), random.cell().replace('$', "k"), random.interrupt());
            Done { cell, text, interrupt }
        };
        (0..length / 2).map(|_| done()).collect()
    };
    hold(inputs, law);
}
