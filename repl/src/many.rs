//! `cfg check` of many files, on all cores.
//!
//! Each worker has a session of its own, takes one file after the other, and keeps what it has read of the files that
//! they import. What they found is joined in the order of the files.

use crate::host::{Crashed, Host};
use crate::loader::Disk;
use cfg_core::{Action, CheckOptions, Input, Languages, Outcome, Request, Session};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Number of files from which they are checked on all cores.
const MANY: usize = 16;
/// Total size in bytes from which files are checked on all cores.
const LARGE: u64 = 1 << 18;

/// Checks the files of a request with `jobs` workers, or as many as there are cores. `None` if the request is another one,
/// if it is too small to gain from it, or if a file has secrets, which must be masked in the reports about all files.
pub fn check(
    languages: Languages,
    disk: &Disk,
    columns: Option<usize>,
    jobs: Option<usize>,
    request: &Request,
) -> Option<Result<Outcome, Crashed>> {
    let Action::Check(options) = &request.action else { return None };
    let workers = jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let workers = workers.min(request.inputs.len());
    if workers < 2 || !request.layering.schemas.is_empty() || (jobs.is_none() && !is_worth_it(&request.inputs)) {
        return None;
    }
    let action = Action::Check(CheckOptions { part: true, ..options.clone() });
    let next = AtomicUsize::new(0);
    let parts: Vec<Mutex<Option<Outcome>>> = request.inputs.iter().map(|_| Mutex::new(None)).collect();
    let work = || -> Result<(), Crashed> {
        let session = started(languages, disk, columns)?;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (Some(input), Some(part)) = (request.inputs.get(index), parts.get(index)) else { break };
            let request = Request { inputs: vec![input.clone()], action: action.clone(), ..request.clone() };
            let outcome = session.ask(move |session: &mut Session| session.run(request))?;
            if let Ok(mut part) = part.lock() {
                *part = Some(outcome);
            }
        }
        // The process ends soon, so freeing the session would be wasted time.
        std::mem::forget(session);
        Ok(())
    };
    let done = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or(Err(Crashed)))
    });
    let parts: Option<Vec<Outcome>> = parts.into_iter().map(|part| part.into_inner().ok().flatten()).collect();
    match (done, parts) {
        (Ok(()), Some(parts)) if parts.iter().any(|part| part.has_secrets) => None,
        (Ok(()), Some(parts)) => {
            let request = request.clone();
            let join = move |session: &mut Session| session.join_checks(&request, parts);
            Some(started(languages, disk, columns).and_then(|session| session.ask(join)))
        }
        _ => Some(Err(Crashed)),
    }
}

fn is_worth_it(inputs: &[Input]) -> bool {
    let size = |input: &Input| match input {
        Input::File(path) | Input::Stack(path) => std::fs::metadata(path).map_or(0, |found| found.len()),
        Input::Text { text, .. } => text.len() as u64,
    };
    inputs.len() >= MANY || inputs.len() > 1 && inputs.iter().map(size).sum::<u64>() >= LARGE
}

/// Starts a session on a thread of its own.
fn started(languages: Languages, disk: &Disk, columns: Option<usize>) -> Result<Host<Session>, Crashed> {
    let disk = disk.clone();
    let session = move || {
        let mut session = Session::with_languages(languages, Box::new(disk.clone()));
        if let Some(columns) = columns {
            session.set_width(columns);
        }
        session
    };
    Host::start(session).map_err(|_| Crashed)
}
