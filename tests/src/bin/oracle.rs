//! Asks Nickel for its answers to generated programs and keeps them in `tests/oracles/nickel/`.
//!
//! `cargo run --release -p cfg-tests --bin oracle -- [FIRST_SEED [PROGRAMS_PER_TOPIC [FOLDER]]]`

use cfg_tests::generate::{Topic, program};
use cfg_tests::nickel::{Entry, ask};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::thread;

const THREADS: u64 = 2;
/// Longer programs are left out: the collections are to stay small.
const LONGEST: usize = 700;

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

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let first = args.next().and_then(|a| a.parse().ok()).unwrap_or(1);
    let count = args.next().and_then(|a| a.parse().ok()).unwrap_or(2100);
    let folder =
        args.next().map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("oracles/nickel"), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    let scratch = std::env::temp_dir().join(format!("cfg-oracle-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    for topic in Topic::ALL {
        let entries = collect(topic, first, count, &scratch);
        let lines: String = entries.iter().map(|entry| entry.to_line() + "\n").collect();
        let path = folder.join(format!("{}.jsonl", topic.name()));
        std::fs::write(&path, &lines)?;
        println!("{}: {} programs, {} kB", path.display(), entries.len(), lines.len() / 1000);
    }
    std::fs::remove_dir_all(&scratch)
}
