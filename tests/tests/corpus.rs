//! Bad input, found by fuzzing or generated: it must give a value or an error with a position, never a panic.

use cfg_core::dialect::{Dialect, Languages};
use cfg_core::session::{Action, Format};
use cfg_tests::binary::root;
use cfg_tests::mutate::{Documents, bad_input};
use cfg_tests::ours::run_as;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Evaluates and checks an input; returns the problem with the answer, if any.
fn stands(dialect: Dialect, bytes: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    for action in
        [Action::Check { strict: false, silence: Vec::new() }, Action::Eval { at: None, format: Format::Json }]
    {
        let outcome = catch_unwind(AssertUnwindSafe(|| run_as(dialect, &text, action.clone())))
            .map_err(|_| format!("panics on {action:?}"))?;
        let reported = outcome.reports.iter().any(|(_, report)| report.text().contains("error: "));
        if outcome.exit != 0 && !reported {
            return Err(format!("exit {} without a report on {action:?}", outcome.exit));
        }
    }
    Ok(())
}

fn dialect_of(name: &str) -> Dialect {
    Languages::default().of_path(Path::new(name)).unwrap_or(Dialect::CFG)
}

fn hold(inputs: impl Iterator<Item = (String, Vec<u8>)>) {
    let failures: Vec<_> = inputs
        .filter_map(|(name, bytes)| {
            stands(dialect_of(&name), &bytes).err().map(|e| format!("{name}: {e}\n{}", String::from_utf8_lossy(&bytes)))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn what_was_found_stays_mended() {
    let corpus = fs::read_dir(root().join("tests/corpus")).expect("corpus");
    hold(
        corpus
            .flatten()
            .filter_map(|entry| Some((entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).ok()?))),
    );
}

#[test]
fn fresh_bad_input_gets_a_value_or_a_report() {
    hold((0..400).map(|seed| (format!("seed {seed}"), bad_input(seed))));
}

#[test]
fn fresh_bad_documents_get_a_value_or_a_report() {
    for format in ["json", "yaml", "toml"] {
        let documents = Documents::of(format);
        hold((0..300).map(|seed| (format!("{seed}.{format}"), documents.bad(seed))));
    }
}
