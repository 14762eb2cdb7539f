//! Asks Nickel for its answers to generated programs: stores them in `tests/oracles/nickel/`, or compares them at
//! once.
//!
//! - `cargo run --release -p cfg-tests --example oracle -- keep [FIRST_SEED [PROGRAMS_PER_TOPIC [FOLDER]]]`
//! - `cargo run --release -p cfg-tests --example oracle -- live [FIRST_SEED [PROGRAMS_PER_TOPIC]]`

use cfg_tests::generate::Topic;
use cfg_tests::kept;
use cfg_tests::nickel::{Entry, ask, question};
use cfg_tests::ours::{Verdict, eval, verdict};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{fs, io, thread};

const THREADS: u64 = 2;
const STACK: usize = 256 << 20;

/// The programs that were asked, with their answers, and how many seeds each thread has used.
struct Questions {
    seeds: Vec<u64>,
    programs: Vec<(String, Option<Entry>)>,
}

fn collect(topic: Topic, first: u64, count: usize, scratch: &Path) -> Questions {
    let mut all = Questions { seeds: Vec::new(), programs: Vec::new() };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|worker| {
                let share = count / THREADS as usize + usize::from(worker < count as u64 % THREADS);
                scope.spawn(move || {
                    let file = scratch.join(format!("{}-{worker}.ncl", topic.name()));
                    let mut seen = HashSet::new();
                    let (mut seeds, mut found, mut programs) = (0, 0, Vec::new());
                    while found < share {
                        let text = question(topic, first + worker + seeds * THREADS);
                        seeds += 1;
                        if let Some(text) = text.filter(|text| seen.insert(text.clone())) {
                            let entry = ask(&text, &file).map(|answer| Entry { program: text.clone(), answer });
                            found += usize::from(entry.is_some());
                            programs.push((text, entry));
                        }
                    }
                    (seeds, programs)
                })
            })
            .collect();
        for (seeds, programs) in workers.into_iter().flat_map(thread::ScopedJoinHandle::join) {
            all.seeds.push(seeds);
            all.programs.extend(programs);
        }
    });
    let mut seen = HashSet::new();
    all.programs.retain(|(text, _)| seen.insert(text.clone()));
    all
}

fn keep(first: u64, count: usize, folder: &Path, scratch: &Path) -> io::Result<()> {
    let version = Command::new("nickel").arg("--version").output()?.stdout;
    let version = String::from_utf8_lossy(&version).trim().to_string();
    for topic in Topic::ALL {
        let Questions { seeds, programs } = collect(topic, first, count, scratch);
        let name = format!("{}.jsonl", topic.name());
        let (questions, entries): (Vec<_>, Vec<_>) = programs.into_iter().unzip();
        let lines: Vec<_> = entries.iter().map(|entry| entry.as_ref().map(|entry| entry.to_line() + "\n")).collect();
        let arguments = serde_json::json!({ "first": first, "seeds": seeds });
        kept::keep(folder, &name, &version, arguments, &questions, &lines)?;
        println!("{name}: {} programs", lines.iter().flatten().count());
    }
    Ok(())
}

/// Compares programs; returns how many differ.
fn live(first: u64, count: usize, scratch: &Path) -> usize {
    let mut differ = 0;
    for topic in Topic::ALL {
        let programs = collect(topic, first, count, scratch).programs;
        let entries: Vec<Entry> = programs.into_iter().filter_map(|(_, entry)| entry).collect();
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
