//! The lessons under `notebooks/`, run by nbclient. Each notebook must be the one generated from its lesson, and each
//! output the stored one. `UPDATE=1 cargo test -p cfg-tests --test notebooks` rewrites them. Needs `python3`; the
//! packages are installed once into a virtual environment under `target/`.

use cfg_tests::binary;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Returns a Python with nbclient.
fn python() -> PathBuf {
    let me = std::env::current_exe().expect("a test has a path");
    let target = me.ancestors().find(|dir| dir.ends_with("target")).unwrap_or(Path::new("target"));
    let venv = target.join("notebooks-venv");
    let python = venv.join("bin").join("python");
    if !venv.join("ready").is_file() {
        let run = |program: &Path, args: &[&str]| {
            let status = Command::new(program).args(args).status().expect("python3 is there");
            assert!(status.success(), "{program:?} {args:?}");
        };
        run(Path::new("python3"), &["-m", "venv", &venv.to_string_lossy()]);
        run(&python, &["-m", "pip", "install", "--quiet", "nbclient>=0.10", "nbformat>=5.10"]);
        std::fs::write(venv.join("ready"), "").expect("target can be written");
    }
    python
}

#[test]
#[cfg(unix)]
fn every_notebook_shows_what_is_stored() {
    let prefix = tempfile::tempdir().unwrap();
    let folder = prefix.path().to_string_lossy().into_owned();
    let installed = binary::run(&["kernel", "install", "--prefix", &folder], prefix.path(), "");
    assert_eq!((installed.code, installed.err.as_str()), (Some(0), ""));
    let mut make = Command::new(python());
    make.arg(binary::root().join("notebooks/make.py")).env("JUPYTER_PATH", prefix.path().join("share/jupyter"));
    make.current_dir(prefix.path()).env("PYTHONDONTWRITEBYTECODE", "1");
    if std::env::var_os("UPDATE").is_some() {
        make.arg("--update");
    }
    let ran = binary::run_command(make, "", Duration::from_secs(300)).unwrap();
    assert!(ran.code == Some(0), "{}\n{}", ran.out, ran.err);
    let lessons = std::fs::read_dir(binary::root().join("notebooks/lessons")).unwrap();
    let lessons = lessons.filter(|f| f.as_ref().is_ok_and(|f| f.path().extension().is_some_and(|e| e == "md"))).count();
    assert_eq!(ran.err.lines().filter(|line| line.ends_with("cells run")).count(), lessons, "{}", ran.err);
    assert!(lessons >= 5);
}
