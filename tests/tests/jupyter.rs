//! The kernel under Jupyter's own clients: the PyPI package `jupyter_kernel_test`, with everything it can test switched on, and
//! the clients that people use. Needs `python3`; the packages go into an environment under the target directory, once.

use cfg_tests::needs::Test;
use cfg_tests::pins::CLIENTS;
use cfg_tests::python::venv;
use cfg_tests::{binary, this_test};
use std::process::Command;
use std::time::Duration;

/// Runs a script of Python with the kernel installed; nothing in it may be skipped.
fn runs(test: Test, script: &str) {
    if test.is_off() {
        return;
    }
    let python = venv(test, &CLIENTS);
    let prefix = tempfile::tempdir().unwrap();
    let folder = prefix.path().to_string_lossy().into_owned();
    let installed = binary::run(&["kernel", "install", "--prefix", &folder], prefix.path(), "");
    assert_eq!((installed.code, installed.err.as_str()), (Some(0), ""));
    let mut tests = Command::new(python);
    tests.arg(binary::root().join("tests/jupyter").join(script)).current_dir(prefix.path());
    tests.env("JUPYTER_PATH", prefix.path().join("share/jupyter"));
    // the folder of the history
    tests.env("XDG_DATA_HOME", prefix.path().join("data")).env_remove("CFG_HISTORY");
    let ran = binary::run_command(tests, "", Duration::from_secs(300)).unwrap();
    assert!(ran.code == Some(0) && !ran.err.contains("skipped"), "{}\n{}", ran.out, ran.err);
    let removed = binary::run(&["kernel", "uninstall", "--prefix", &folder], prefix.path(), "");
    assert_eq!(removed.code, Some(0));
    assert!(!prefix.path().join("share/jupyter/kernels/cfg").exists());
}

#[test]
#[cfg(unix)]
fn the_kernel_passes_jupyters_own_tests() {
    runs(this_test!(), "kernel_test.py");
}

#[test]
#[cfg(unix)]
fn the_kernel_works_with_common_clients() {
    runs(this_test!(), "clients.py");
}
