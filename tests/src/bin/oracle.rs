//! Asks Nickel for its answers to generated programs: stores them in `tests/oracles/nickel/`, or compares them at
//! once.
//!
//! - `cargo run --release -p cfg-tests --bin oracle -- keep [FIRST_SEED [PROGRAMS_PER_TOPIC [FOLDER]]]`
//! - `cargo run --release -p cfg-tests --bin oracle -- live [FIRST_SEED [PROGRAMS_PER_TOPIC]]`

use cfg_tests::generate::{Topic, program};
use cfg_tests::nickel::{Entry, ask};
use cfg_tests::ours::{Verdict, eval, verdict};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io, thread};

const THREADS: u64 = 2;
/// Longer programs, in bytes, are omitted to keep the collections small.
const LONGEST: usize = 700;
const STACK: usize = 256 << 20;

fn collect(topic: Topic, first: u64, count: usize, scratch: &Path) -> Vec<Entry> {
    let mut all = Vec::new();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|worker| {
                let share = count / THREADS as usize + usize::from(worker < count as u64 % THREADS);
                scope.spawn(move || {
                    let file = scratch.join(format!("{}-{worker}.ncl", topic.name()));
                    let mut seen = HashSet::new();
                    let mut found = Vec::new();
                    let mut seed = first + worker;
                    while found.len() < share {
                        let text = program(topic, seed);
                        seed += THREADS;
                        if text.len() <= LONGEST
                            && seen.insert(text.clone())
                            && let Some(answer) = ask(&text, &file)
                        {
                            found.push(Entry { program: text, answer });
                        }
                    }
                    found
                })
            })
            .collect();
        for worker in workers {
            all.extend(worker.join().unwrap_or_default());
        }
    });
    let mut seen = HashSet::new();
    all.retain(|entry| seen.insert(entry.program.clone()));
    all
}

fn keep(first: u64, count: usize, folder: &Path, scratch: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for topic in Topic::ALL {
        let entries = collect(topic, first, count, scratch);
        let lines: String = entries.iter().map(|entry| entry.to_line() + "\n").collect();
        let path = folder.join(format!("{}.jsonl", topic.name()));
        fs::write(&path, &lines)?;
        println!("{}: {} programs, {} kB", path.display(), entries.len(), lines.len() / 1000);
    }
    Ok(())
}

/// Compares programs; returns how many differ.
fn live(first: u64, count: usize, scratch: &Path) -> usize {
    let mut differ = 0;
    for topic in Topic::ALL {
        let entries = collect(topic, first, count, scratch);
        let (mut here, mut by_design) = (0, 0);
        for entry in &entries {
            let ours = eval(&entry.program);
            match verdict(&entry.answer, &ours) {
                Verdict::Agree => {}
                Verdict::ByDesign(_) => by_design += 1,
                Verdict::Differ => {
                    here += 1;
                    println!("{}\n  nickel: {:?}\n  ours:   {ours:?}\n", entry.program, entry.answer);
                }
            }
        }
        println!("{}: {} programs, {here} differ, {by_design} by design", topic.name(), entries.len());
        differ += here;
    }
    differ
}

fn run() -> io::Result<bool> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| args.get(at).and_then(|arg| arg.parse::<usize>().ok());
    let scratch = std::env::temp_dir().join(format!("cfg-oracle-{}", std::process::id()));
    fs::create_dir_all(&scratch)?;
    let fine = match args.first().map(String::as_str) {
        Some("keep") => {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("oracles/nickel");
            let folder = args.get(3).map_or(folder, PathBuf::from);
            keep(number(1).unwrap_or(1) as u64, number(2).unwrap_or(2100), &folder, &scratch)?;
            true
        }
        Some("live") => live(number(1).unwrap_or(1_000_000) as u64, number(2).unwrap_or(500), &scratch) == 0,
        _ => {
            eprintln!(
                "oracle keep [FIRST_SEED [PROGRAMS_PER_TOPIC [FOLDER]]] | oracle live [FIRST_SEED [PROGRAMS_PER_TOPIC]]"
            );
            false
        }
    };
    fs::remove_dir_all(&scratch)?;
    Ok(fine)
}

fn main() -> ExitCode {
    match thread::Builder::new().stack_size(STACK).spawn(run).map(thread::JoinHandle::join) {
        Ok(Ok(Ok(true))) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
