//! `cfg check` of many files, on all cores.
//!
//! The files are split into runs of neighbours. Each run has a session of its own, so that its files share what they
//! import, and a worker takes one run after the other, so that memory holds no more sessions than there are cores. The
//! reports are joined in the order of the files.

use crate::host::{Crashed, Host};
use crate::loader::Disk;
use cfg_core::{Action, Input, Languages, Outcome, Request, Session, Severity};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Number of files from which they are checked on all cores.
const MANY: usize = 16;
/// Total size in bytes from which files are checked on all cores.
const LARGE: u64 = 1 << 18;
/// Number of runs for each core: a core that is done takes another one.
const RUNS_PER_CORE: usize = 4;

/// Checks the files of a request on all cores. `None` if the request is another one, or too small to gain from it.
pub fn check(
    languages: Languages,
    disk: &Disk,
    columns: Option<usize>,
    request: &Request,
) -> Option<Result<Outcome, Crashed>> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if !matches!(request.action, Action::Check { .. }) || cores < 2 || !is_worth_it(&request.inputs) {
        return None;
    }
    let size = request.inputs.len().div_ceil(cores * RUNS_PER_CORE);
    let runs: Vec<&[Input]> = request.inputs.chunks(size).collect();
    let outcomes: Vec<Mutex<Result<Outcome, Crashed>>> = runs.iter().map(|_| Mutex::new(Err(Crashed))).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..cores.min(runs.len()) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(run), Some(outcome)) = (runs.get(index), outcomes.get(index)) else { break };
                    let answer = checked(languages, disk, columns, Request { inputs: run.to_vec(), ..request.clone() });
                    if let Ok(mut outcome) = outcome.lock() {
                        *outcome = answer;
                    }
                }
            });
        }
    });
    Some(joined(outcomes.into_iter().map(|outcome| outcome.into_inner().unwrap_or(Err(Crashed)))))
}

fn is_worth_it(inputs: &[Input]) -> bool {
    let size = |input: &Input| match input {
        Input::File(path) => std::fs::metadata(path).map_or(0, |found| found.len()),
        Input::Text { text, .. } => text.len() as u64,
    };
    inputs.len() >= MANY || inputs.len() > 1 && inputs.iter().map(size).sum::<u64>() >= LARGE
}

/// Runs a request in a session of its own.
fn checked(languages: Languages, disk: &Disk, columns: Option<usize>, request: Request) -> Result<Outcome, Crashed> {
    let disk = disk.clone();
    let host = Host::start(move || Session::with_languages(languages, Box::new(disk.clone()))).map_err(|_| Crashed)?;
    host.ask(move |session: &mut Session| {
        if let Some(columns) = columns {
            session.set_width(columns);
        }
        session.run(request)
    })
}

/// Joins outcomes in order. A problem of an imported file is reported once, as in one session.
fn joined(outcomes: impl Iterator<Item = Result<Outcome, Crashed>>) -> Result<Outcome, Crashed> {
    let mut whole = Outcome::default();
    let mut said: HashMap<String, Severity> = HashMap::new();
    for outcome in outcomes {
        let outcome = outcome?;
        whole.exit = whole.exit.max(outcome.exit);
        for (severity, report) in outcome.reports {
            let text = report.text();
            // a warning of one run may be an error of another
            let problem = text.split_once(": ").map_or(text.as_str(), |(_, problem)| problem);
            match said.get_mut(problem) {
                Some(before) if *before <= severity => continue,
                Some(before) => *before = severity,
                None => drop(said.insert(String::from(problem), severity)),
            }
            whole.reports.push((severity, report));
        }
    }
    Ok(whole)
}
