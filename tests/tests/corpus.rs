//! Bad input from fuzzing or a generator. It must give a value or an error with a position, and must never panic.

use cfg_core::{Action, Dialect, Format, Languages, Severity};
use cfg_tests::binary::root;
use cfg_tests::mutate::wire::bad_messages;
use cfg_tests::mutate::{Documents, bad_input};
use cfg_tests::ours::{code, run_as};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Evaluates an input and checks the answer. Returns `true` if it has a value, or an error if the answer is wrong.
fn stands(dialect: Dialect, bytes: &[u8]) -> Result<bool, String> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut exits = Vec::new();
    for action in [Action::Check(cfg_core::CheckOptions::default()), Action::Eval { at: None, format: Format::Json }] {
        let outcome = catch_unwind(AssertUnwindSafe(|| run_as(dialect, &text, action.clone())))
            .map_err(|_| format!("panics on {action:?}"))?;
        let errors = outcome.reports.iter().filter(|(severity, _)| *severity == Severity::Error);
        let reports: Vec<String> = errors.map(|(_, report)| report.text()).collect();
        match outcome.exit {
            0 if reports.is_empty() => {}
            1 if !reports.is_empty() => {}
            exit => return Err(format!("exit {exit} with {} errors on {action:?}", reports.len())),
        }
        if let Some(report) = reports.iter().find(|report| !report.starts_with("error: ") || code(report).is_empty()) {
            return Err(format!("a report without a code on {action:?}: {report}"));
        }
        exits.push(outcome.exit);
    }
    match exits[..] {
        [check, 0] if check != 0 => Err("evaluates, and `check` refuses it".into()),
        _ => Ok(exits[1] == 0),
    }
}

fn dialect_of(name: &str) -> Dialect {
    Languages::default().of_path(Path::new(name)).unwrap_or(Dialect::CFG)
}

/// Checks all inputs. There must be `count` of them. At least `values` must have a value, and at least `failures` must
/// fail.
fn hold(count: usize, values: usize, failures: usize, inputs: impl Iterator<Item = (String, Vec<u8>)>) {
    let (mut wrong, mut evaluate, mut all) = (Vec::new(), 0, 0);
    for (name, bytes) in inputs {
        all += 1;
        match stands(dialect_of(&name), &bytes) {
            Ok(value) => evaluate += usize::from(value),
            Err(error) => wrong.push(format!("{name}: {error}\n{}", String::from_utf8_lossy(&bytes))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert_eq!(all, count, "inputs");
    assert!(evaluate >= values && all - evaluate >= failures, "{evaluate} of {all} have a value");
}

#[test]
fn inputs_that_failed_once_do_not_fail_again() {
    let corpus = fs::read_dir(root().join("tests/corpus")).expect("corpus");
    hold(
        2,
        0,
        2,
        corpus.map(|entry| {
            let entry = entry.expect("an entry of the corpus");
            (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("a file of the corpus"))
        }),
    );
}

#[test]
fn fresh_bad_input_gets_a_value_or_a_report() {
    hold(400, 1, 200, (0..400).map(|seed| (format!("seed {seed}"), bad_input(seed))));
}

#[test]
fn fresh_bad_documents_get_a_value_or_a_report() {
    for format in ["json", "yaml", "toml"] {
        let documents = Documents::of(format);
        hold(300, 1, 50, (0..300).map(|seed| (format!("{seed}.{format}"), documents.bad(seed))));
    }
}

#[test]
fn fresh_bad_mcl_gets_a_graph_or_a_report() {
    let documents = Documents::of("mcl");
    hold(400, 1, 300, (0..400).map(|seed| (format!("{seed}.mcl"), documents.bad(seed))));
}

#[test]
fn fresh_bad_messages_are_read_or_dropped() {
    let valid: usize = (0..2000).map(|seed| cfg_kernel::read_bytes(&bad_messages(seed))).sum();
    assert!((500..5000).contains(&valid), "{valid}");
    let corpus = fs::read_dir(root().join("tests/corpus")).expect("corpus").flatten();
    for entry in corpus.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "wire")) {
        cfg_kernel::read_bytes(&fs::read(entry.path()).expect("a file of the corpus"));
    }
}
