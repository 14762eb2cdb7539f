//! The lessons under `notebooks/`, run by nbclient: every notebook is made of its lesson, and every output is the stored one.
//! `UPDATE=1 cargo test -p cfg-tests --test notebooks` writes them again. Needs `python3`; the packages go into an
//! environment under the target directory, once.

use cfg_tests::pins::CLIENTS;
use cfg_tests::python::venv;
use cfg_tests::{binary, this_test};
use std::process::Command;
use std::time::Duration;

#[test]
#[cfg(unix)]
fn every_notebook_shows_what_is_stored() {
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let prefix = tempfile::tempdir().unwrap();
    let folder = prefix.path().to_string_lossy().into_owned();
    let installed = binary::run(&["kernel", "install", "--prefix", &folder], prefix.path(), "");
    assert_eq!((installed.code, installed.err.as_str()), (Some(0), ""));
    let mut make = Command::new(venv(test, &CLIENTS));
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

/// A reader finds the cell that an output names by its number.
#[test]
fn a_cell_has_the_number_of_its_result() {
    let notebooks = std::fs::read_dir(binary::root().join("notebooks")).unwrap().flatten().map(|f| f.path());
    for path in notebooks.filter(|path| path.extension().is_some_and(|e| e == "ipynb")) {
        let notebook: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        for cell in notebook["cells"].as_array().unwrap() {
            let results = cell["outputs"].as_array().into_iter().flatten();
            for result in results.filter(|output| output["output_type"] == "execute_result") {
                assert_eq!(
                    cell["execution_count"],
                    result["execution_count"],
                    "{}: {}",
                    path.display(),
                    cell["source"]
                );
            }
        }
    }
}
