//! Feeds bad input to the front ends, and stores inputs that fail.
//!
//! `cargo run --release -p cfg-tests --example fuzz -- TARGET|all [SECONDS [FIRST_SEED]]`
//!
//! A run goes on where the last one stopped, and says how many of [`GOAL`] inputs were tried: the number is kept in
//! `fuzz/TARGET.tried` in the target folder. With `all`, the time is for each target.
//!
//! An input that panics, or that runs for more than ten seconds after an interrupt, is stored in `tests/corpus/`,
//! which the tests replay. A stack overflow or an abort ends the process; the input is then in `fuzz-TARGET.input` in
//! the system's folder for temporary files.

use cfg_core::language::StdNames;
use cfg_core::text::SourceId;
use cfg_core::{Action, Dialect, Format, Input, Languages, NoLoader, Request, Session};
use cfg_tests::mutate::wire::bad_messages;
use cfg_tests::mutate::{Documents, bad_input};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use std::{fs, thread};

const LIMIT: Duration = Duration::from_secs(3);
const LATE: Duration = Duration::from_secs(10);
/// Number of inputs that each target is to be tried with.
const GOAL: u64 = 10_000_000;
/// Number of inputs after which the progress is stored.
const STORED: u64 = 1000;
const TARGETS: [&str; 12] =
    ["lex", "parse", "infer", "eval", "session", "json", "yaml", "toml", "jsonnet", "yay", "mcl", "wire"];

fn request(bytes: &[u8], action: Action) -> Request {
    Request::new(vec![Input::Text { name: "fuzz".into(), text: bytes.to_vec() }], action)
}

/// Reads a text in all possible ways.
fn read(dialect: Dialect, text: &str) -> bool {
    let mut end = 0;
    for (range, _) in dialect.highlight(text) {
        assert!(range.start >= end && text.get(range.clone()).is_some(), "{range:?}");
        end = range.end;
    }
    for piece in dialect.inputs(text) {
        dialect.completeness(piece);
    }
    for place in [0, text.len() / 3, text.len() / 2, text.len()] {
        let found = dialect.cursor(SourceId(0), text, place, &StdNames);
        assert!(text.get(found.replace).is_some());
    }
    dialect.cell(SourceId(0), text, &StdNames);
    let program = dialect.program(SourceId(0), text, &StdNames);
    for problem in &program.problems {
        let span = problem.span().expect("a problem of a text has a place");
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{problem:?}");
    }
    program.problems.is_empty()
}

/// Runs one input; an interrupt stops it after [`LIMIT`].
fn once(target: &str, bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    match target {
        "lex" => Dialect::CFG.highlight(&text).is_empty(),
        "parse" => matches!(Dialect::CFG.completeness(&text), cfg_core::Completeness::Complete),
        "jsonnet" => read(Dialect::JSONNET, &text),
        "wire" => cfg_kernel::read_bytes(bytes) > 0,
        "yay" | "mcl" => {
            let dialect = if target == "yay" { Dialect::YAY } else { Dialect::MCL };
            let mut request = request(bytes, Action::Check(cfg_core::CheckOptions::default()));
            request.dialect = Some(dialect);
            Session::new(Box::new(NoLoader)).run(request);
            read(dialect, &text)
        }
        _ => {
            let mut session = Session::new(Box::new(NoLoader));
            let interrupt = session.interrupt_handle();
            let (done, over) = channel::<()>();
            thread::scope(|scope| {
                scope.spawn(move || {
                    while let Err(RecvTimeoutError::Timeout) = over.recv_timeout(LIMIT) {
                        interrupt.raise();
                    }
                });
                let fine = match target {
                    "infer" => session.run(request(bytes, Action::Check(cfg_core::CheckOptions::default()))).exit == 0,
                    "session" => !session.submit(&text).is_empty(),
                    "json" | "yaml" | "toml" => {
                        let format = Format::from_name(target).unwrap_or(Format::Json);
                        let mut request = request(bytes, Action::Eval { at: None, format });
                        request.dialect = Languages::default().named(target);
                        session.run(request).exit == 0
                    }
                    _ => session.run(request(bytes, Action::Eval { at: None, format: Format::Json })).exit == 0,
                };
                drop(done);
                fine
            })
        }
    }
}

/// Returns the file with the number of inputs that a target was tried with.
fn progress(target: &str) -> Option<PathBuf> {
    let binary = std::env::current_exe().ok()?;
    let folder = binary.ancestors().nth(2)?.join("fuzz");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join(format!("{target}.tried")))
}

fn fuzz(target: &str, seconds: u64, first: Option<u64>) -> u64 {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let current = std::env::temp_dir().join(format!("fuzz-{target}.input"));
    let documents = Documents::of(target);
    let data = Languages::default().named(target).is_some() && target != "cfg";
    let stored = progress(target);
    let before: u64 = stored.as_ref().and_then(|file| fs::read_to_string(file).ok()?.trim().parse().ok()).unwrap_or(0);
    let store = |tried: u64| {
        if let (Some(file), None) = (&stored, first) {
            let _ = fs::write(file, tried.to_string());
        }
    };
    let start = Instant::now();
    let end = start + Duration::from_secs(seconds);
    let (mut runs, mut fine, mut found) = (0u64, 0u64, 0u64);
    while Instant::now() < end {
        let seed = first.unwrap_or(before + 1) + runs;
        let bytes = match target {
            "wire" => bad_messages(seed),
            _ if data => documents.bad(seed),
            _ => bad_input(seed),
        };
        let _ = fs::write(&current, &bytes);
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| once(target, &bytes)));
        let slow = start.elapsed() > LATE;
        if result.is_err() || slow {
            found += 1;
            let kept =
                corpus.join(format!("{target}-{seed}.{}", if data || target == "wire" { target } else { "cfg" }));
            println!("{}: {}", kept.display(), if slow { "late" } else { "panic" });
            let _ = fs::write(kept, &bytes);
        }
        fine += u64::from(matches!(result, Ok(true)));
        runs += 1;
        if runs.is_multiple_of(STORED) {
            store(before + runs);
        }
    }
    store(before + runs);
    let speed = runs as f64 / start.elapsed().as_secs_f64();
    let whole = if first.is_some() { runs } else { before + runs };
    println!(
        "{target:8} {runs} inputs ({speed:.0} a second), {fine} of them without a fault, {found} kept; {whole} of {GOAL}"
    );
    found
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let targets: Vec<&str> = match args.first().map(String::as_str) {
        Some("all") => TARGETS.to_vec(),
        Some(name) => TARGETS.into_iter().filter(|target| *target == name).collect(),
        None => Vec::new(),
    };
    if targets.is_empty() {
        eprintln!("fuzz {}|all [SECONDS [FIRST_SEED]]", TARGETS.join("|"));
        return ExitCode::from(2);
    }
    let number = |at: usize| args.get(at).and_then(|text| text.parse().ok());
    let found: u64 = targets.iter().map(|target| fuzz(target, number(1).unwrap_or(60), number(2))).sum();
    if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
