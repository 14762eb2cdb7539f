//! Growth of checks and answers: each construct at n and at 2n. CPU time must about double.
//!
//! `cargo bench -p cfg-tests --bench scaling` prints a table and fails if a ratio passes 2.6. `cargo bench -p cfg-tests --bench scaling -- NAME…`
//! measures only these constructs. Reads the CPU time of the threads of this process from `/proc`, so that it needs Linux.

use cfg_core::{Action, CheckOptions, Drawing, Medium};
use cfg_tests::ours::run_as;
use cfg_tests::scaling::{CONSTRUCTS, Construct, Question};
use std::process::ExitCode;
use std::time::Duration;

/// Maximum ratio of the CPU time at 2n and at n.
const LIMIT: f64 = 2.6;
/// Minimum CPU time at n.
const ENOUGH: Duration = Duration::from_millis(60);
/// Maximum n.
const LARGEST: usize = 64_000;

fn main() -> ExitCode {
    let main = std::thread::Builder::new().stack_size(1 << 30).spawn(all);
    match main.map(std::thread::JoinHandle::join) {
        Ok(Ok(0)) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Measures the constructs. Returns the number of those that grow too fast.
fn all() -> usize {
    let named: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let mut failed = 0;
    println!("{:<22} {:>7} {:>9} {:>9} {:>6}", "construct", "n", "n (ms)", "2n (ms)", "ratio");
    for construct in CONSTRUCTS {
        if !named.is_empty() && !named.iter().any(|name| name == construct.name) {
            continue;
        }
        let mut n = 125;
        let mut once = measured(construct, n);
        while once < ENOUGH && n < LARGEST {
            n *= 2;
            once = measured(construct, n);
        }
        let best = |n| (0..3).map(|_| measured(construct, n)).min().unwrap_or_default();
        let (once, twice) = (best(n), best(2 * n));
        let ratio = twice.as_secs_f64() / once.as_secs_f64().max(0.001);
        let too_fast = ratio > LIMIT;
        failed += usize::from(too_fast);
        let verdict = if too_fast { "  TOO FAST" } else { "" };
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        println!("{:<22} {n:>7} {:>9.1} {:>9.1} {ratio:>6.2}{verdict}", construct.name, ms(once), ms(twice));
    }
    println!("{failed} grow too fast");
    failed
}

/// Returns the request of a question.
fn action(question: Question) -> Action {
    match question {
        Question::Check => Action::Check(CheckOptions::default()),
        Question::Explain => Action::Explain { path: "a".into(), medium: Medium::Text },
        Question::Steps => {
            Action::Steps { at: None, all: false, most: None, layers: false, types: false, medium: Medium::Text }
        }
        Question::Graph => Action::Graph { at: None, functions: false, drawing: Drawing::Text },
    }
}

/// Returns the CPU time of the question about a construct of a size.
fn measured(construct: &Construct, n: usize) -> Duration {
    let text = (construct.text)(n);
    let before = cpu();
    let outcome = run_as(construct.dialect, &text, action(construct.question));
    let time = cpu().saturating_sub(before);
    drop(outcome);
    time
}

/// The CPU time of all threads of this process that are running.
fn cpu() -> Duration {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let nanoseconds = tasks.filter_map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanoseconds.sum())
}
