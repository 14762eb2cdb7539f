//! Whole programs in-process: parsing, inference, merging, evaluation. Run with `cargo bench -p cfg-tests`.

use cfg_core::{Action, Format, Medium, Session};
use cfg_tests::{ours, programs};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    let main = std::thread::Builder::new().stack_size(1 << 30).spawn(divan::main);
    let _ = main.map(std::thread::JoinHandle::join);
}

const EVAL: Action = Action::Eval { at: None, format: Format::Json };
const TYPE: Action = Action::Type { at: None, pretty: false };

/// Runs a program. Panics if it fails, because that would not be a measurement.
fn measured(bencher: Bencher, text: &str, action: &Action) {
    let outcome = ours::run(text, action.clone());
    let report = outcome.reports.first().map(|(_, report)| report.text());
    assert_eq!(outcome.exit, 0, "the program fails: {report:?}");
    let lines = text.lines().count();
    bencher.counter(ItemsCount::new(lines)).bench(|| ours::run(text, action.clone()).output.is_empty());
}

#[divan::bench(args = [100, 1000, 10_000], sample_count = 10)]
fn merge_different_fields(bencher: Bencher, records: usize) {
    measured(bencher, &programs::merge_different(records), &EVAL);
}

#[divan::bench(args = [100, 1000], sample_count = 10)]
fn merge_rising_priorities(bencher: Bencher, records: usize) {
    measured(bencher, &programs::merge_rising(records), &EVAL);
}

/// Everything: reading, merging, explaining, including late binding and types.
#[divan::bench(args = [100, 1000], sample_count = 10)]
fn explain_different_fields(bencher: Bencher, records: usize) {
    measured(bencher, &programs::merge_different(records), &explain("f7_3"));
}

#[divan::bench(args = [100, 1000], sample_count = 10)]
fn explain_rising_priorities(bencher: Bencher, records: usize) {
    measured(bencher, &programs::merge_rising(records), &explain("f3"));
}

fn explain(path: &str) -> Action {
    Action::Explain { path: path.into(), medium: Medium::Text }
}

#[divan::bench(args = [2000, 20_000], sample_count = 10)]
fn chained_fields(bencher: Bencher, fields: usize) {
    measured(bencher, &programs::chained_fields(fields), &EVAL);
}

#[divan::bench(args = [1000, 100_000], sample_count = 5)]
fn nested_lets(bencher: Bencher, lets: usize) {
    measured(bencher, &programs::nested_lets(lets), &EVAL);
}

#[divan::bench(args = [1000, 10_000], sample_count = 5)]
fn infer_merge_different(bencher: Bencher, records: usize) {
    measured(bencher, &programs::merge_different(records), &TYPE);
}

#[divan::bench(args = [1000, 10_000], sample_count = 5)]
fn infer_fold_different(bencher: Bencher, records: usize) {
    measured(bencher, &programs::fold_different(records), &TYPE);
}

#[divan::bench(args = [100, 300], sample_count = 5)]
fn infer_merge_of_unknown(bencher: Bencher, lets: usize) {
    measured(bencher, &programs::merge_unknown(lets), &TYPE);
}

#[divan::bench(args = [1000, 16_000], sample_count = 5)]
fn infer_accumulated_record(bencher: Bencher, definitions: usize) {
    measured(bencher, &programs::accumulated(definitions), &TYPE);
}

#[divan::bench(args = [8, 16, 24], sample_count = 10)]
fn infer_shared_structure(bencher: Bencher, depth: usize) {
    measured(bencher, &programs::shared(depth), &TYPE);
}

#[divan::bench(args = [1000, 10_000], sample_count = 5)]
fn infer_realistic(bencher: Bencher, lines: usize) {
    measured(bencher, &programs::realistic(lines), &TYPE);
}

#[divan::bench(args = [1000, 10_000], sample_count = 5)]
fn parse_realistic(bencher: Bencher, lines: usize) {
    use cfg_core::Dialect;
    let text = programs::realistic(lines);
    bencher.counter(ItemsCount::new(lines)).bench(|| Dialect::CFG.completeness(&text));
}

/// Returns a session with 10,000 definitions.
fn session() -> Session {
    let mut session = Session::new(Box::new(cfg_core::NoLoader));
    for n in 0..10_000 {
        session.submit(&format!("name_{n} = {{ field = {n}, other = \"{n}\" }}"));
    }
    session
}

#[divan::bench(sample_count = 20)]
fn complete_at_10_000_names(bencher: Bencher) {
    let mut session = session();
    bencher.bench_local(|| session.complete("name_99", 7).len());
}

#[divan::bench(sample_count = 20)]
fn redefine_one_of_10_000(bencher: Bencher) {
    let mut session = session();
    bencher.bench_local(|| session.submit("name_5000 = { field = 7, other = \"x\" }").len());
}
