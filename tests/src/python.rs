//! Python environments and Node.js for the tests that need them, created once from PyPI under `target/`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Held while an environment is created, because tests run in parallel.
static BUILDING: Mutex<()> = Mutex::new(());

/// Returns the folder `target`.
///
/// # Panics
/// If the path of the test binary is unknown.
pub fn target() -> PathBuf {
    let me = std::env::current_exe().expect("a test has a path");
    me.ancestors().find(|dir| dir.ends_with("target")).unwrap_or(Path::new("target")).to_path_buf()
}

/// Returns the Python of the environment `target/NAME-venv`, with these packages installed. Creates it again if the
/// list changes.
///
/// # Panics
/// If a package cannot be installed; the message contains the command.
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

/// Runs a program.
///
/// # Panics
/// If it fails.
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

/// Returns Node.js: the installed one, or else the one in Playwright's package.
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
