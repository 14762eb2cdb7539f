//! Python environments and Node.js for the tests that need them: made under `target/`, once, from PyPI.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// One at a time: the tests of a program run at once.
static BUILDING: Mutex<()> = Mutex::new(());

/// The folder `target`.
///
/// # Panics
/// A test without a path of its own has none.
pub fn target() -> PathBuf {
    let me = std::env::current_exe().expect("a test has a path");
    me.ancestors().find(|dir| dir.ends_with("target")).unwrap_or(Path::new("target")).to_path_buf()
}

/// The Python of the environment `target/NAME-venv` with these packages in it. It is made again when the list changes.
///
/// # Panics
/// What cannot be installed fails the test, in the words of what was tried.
pub fn venv(name: &str, packages: &[&str]) -> PathBuf {
    let _one = BUILDING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let venv = target().join(format!("{name}-venv"));
    let python = venv.join("bin").join("python");
    let (ready, list) = (venv.join("ready"), packages.join("\n"));
    if std::fs::read_to_string(&ready).is_ok_and(|made| made == list) {
        return python;
    }
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv));
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(packages));
    std::fs::write(ready, list).expect("target can be written");
    python
}

/// Runs a program that must succeed.
///
/// # Panics
/// If it does not.
pub fn run(command: &mut Command) {
    let done = command.output().unwrap_or_else(|why| panic!("{command:?}: {why}"));
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        done.status.success(),
        "{command:?} failed: is there a network?\n{}{}",
        said(&done.stdout),
        said(&done.stderr)
    );
}

/// Node.js: the machine's, else the one that Playwright's package brings.
pub fn node() -> PathBuf {
    let found = Command::new("node").arg("--version").output().is_ok_and(|done| done.status.success());
    if found {
        return PathBuf::from("node");
    }
    let python = venv("node", &["playwright"]);
    let library = python.ancestors().nth(2).map(|venv| venv.join("lib")).unwrap_or_default();
    let pythons = std::fs::read_dir(library).into_iter().flatten().flatten();
    pythons
        .map(|dir| dir.path().join("site-packages/playwright/driver/node"))
        .find(|node| node.is_file())
        .expect("Node.js")
}
