//! `cfg check` of many files, on all cores.
//!
//! Each worker has a session of its own, so that what its files import is read once for all of them. What the workers
//! found is joined in the order of the files.

use crate::host::{Crashed, Host};
use crate::loader::Disk;
use cfg_core::{Action, CheckOptions, Input, Languages, Outcome, Request, Session};
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
    // a stack is not checked program by program
    let has_stack = request.inputs.iter().any(|input| matches!(input, Input::Stack(_)));
    // each worker takes a part of the address space for its thread
    if workers < 2
        || cfg_kernel::space::is_limited()
        || has_stack
        || !request.layering.schemas.is_empty()
        || (jobs.is_none() && !is_worth_it(&request.inputs))
    {
        return None;
    }
    let action = Action::Check(CheckOptions { part: true, ..options.clone() });
    // the programs are dealt one by one, so that each worker has some of every folder
    let dealt = (0..workers).map(|worker| Request {
        inputs: request.inputs.iter().skip(worker).step_by(workers).cloned().collect(),
        action: action.clone(),
        ..request.clone()
    });
    let work = |request: Request| -> Result<Outcome, Crashed> {
        let session = started(languages, disk, columns)?;
        let outcome = session.ask(move |session: &mut Session| session.run(request));
        // The process ends soon, so freeing the session would be wasted time.
        std::mem::forget(session);
        outcome
    };
    let parts: Result<Vec<Outcome>, Crashed> = thread::scope(|scope| {
        let workers: Vec<_> = dealt.map(|request| scope.spawn(|| work(request))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or(Err(Crashed))).collect()
    });
    match parts {
        Ok(parts) if parts.iter().any(|part| part.has_secrets) => None,
        Ok(parts) => {
            let request = request.clone();
            let join = move |session: &mut Session| session.join_checks(&request, parts);
            Some(started(languages, disk, columns).and_then(|session| session.ask(join)))
        }
        Err(crashed) => Some(Err(crashed)),
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
