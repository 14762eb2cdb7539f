//! Whole processes: `cfg`, and `nickel` if it is installed. Run with `cargo bench -p cfg-tests --bench processes`.

use cfg_tests::{binary, programs};
use divan::Bencher;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn main() {
    divan::main();
}

const PEERS: [&str; 2] = ["cfg", "nickel"];

fn command(peer: &str, file: &Path) -> Command {
    let mut command = if peer == "cfg" { Command::new(binary::measured()) } else { Command::new(peer) };
    command.args(if peer == "cfg" { ["eval", "--format", "json"] } else { ["export", "--format", "json"] });
    command.arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Measures one process per run. Measures nothing if the peer is not installed or fails on this program.
fn process(bencher: Bencher, peer: &str, name: &str, text: &str) {
    let file: PathBuf = std::env::temp_dir().join(format!("cfg-bench-{}-{name}.ncl", std::process::id()));
    if std::fs::write(&file, text).is_ok() && command(peer, &file).status().is_ok_and(|status| status.success()) {
        bencher.bench(|| command(peer, &file).status().is_ok());
    }
    let _ = std::fs::remove_file(file);
}

#[divan::bench(args = PEERS, sample_count = 50)]
fn start(bencher: Bencher, peer: &str) {
    process(bencher, peer, "start", "1");
}

#[divan::bench(args = PEERS, sample_count = 5)]
fn merge_1000_different(bencher: Bencher, peer: &str) {
    process(bencher, peer, "different", &programs::merge_different(1000));
}

#[divan::bench(args = PEERS, sample_count = 5)]
fn fold_1000_different(bencher: Bencher, peer: &str) {
    process(bencher, peer, "fold", &programs::fold_different(1000));
}

#[divan::bench(args = PEERS, sample_count = 5)]
fn merge_1000_rising(bencher: Bencher, peer: &str) {
    process(bencher, peer, "rising", &programs::merge_rising(1000));
}

#[divan::bench(args = PEERS, sample_count = 5)]
fn chained_20_000(bencher: Bencher, peer: &str) {
    process(bencher, peer, "chained", &programs::chained_fields(20_000));
}

#[divan::bench(args = PEERS, sample_count = 5)]
fn nested_lets_1000(bencher: Bencher, peer: &str) {
    process(bencher, peer, "lets", &programs::nested_lets(1000));
}

#[divan::bench(args = PEERS, sample_count = 5)]
fn realistic_5000_lines(bencher: Bencher, peer: &str) {
    process(bencher, peer, "realistic", &programs::realistic(5000));
}
