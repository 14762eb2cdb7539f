//! The kernel with Jupyter's own clients: the PyPI package `jupyter_kernel_test` with all its tests enabled, and
//! commonly used clients. Needs `python3`; the packages are installed once into a virtual environment under `target/`.

use cfg_tests::binary;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Returns a Python with the packages.
fn python() -> PathBuf {
    let me = std::env::current_exe().expect("a test has a path");
    let target = me.ancestors().find(|dir| dir.ends_with("target")).unwrap_or(Path::new("target"));
    let venv = target.join("clients-venv");
    let python = venv.join("bin").join("python");
    if !venv.join("ready").is_file() {
        let run = |program: &Path, args: &[&str]| {
            let status = Command::new(program).args(args).status().expect("python3 is there");
            assert!(status.success(), "{program:?} {args:?}");
        };
        run(Path::new("python3"), &["-m", "venv", &venv.to_string_lossy()]);
        run(&python, &["-m", "pip", "install", "--quiet", "jupyter_client>=8", "jupyter_kernel_test"]);
        run(&python, &["-m", "pip", "install", "--quiet", "nbclient", "nbconvert", "papermill"]);
        run(&python, &["-m", "pip", "install", "--quiet", "jupyter_console", "pexpect"]);
        std::fs::write(venv.join("ready"), "").expect("target can be written");
    }
    python
}

/// Creates the environment once, for whichever test runs first.
static READY: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Runs a Python script with the kernel installed. No test in it may be skipped.
fn runs(script: &str) {
    let python = {
        let _one = READY.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        python()
    };
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
    runs("kernel_test.py");
}

#[test]
#[cfg(unix)]
fn the_kernel_works_under_the_clients_that_people_use() {
    runs("clients.py");
}
