//! `pip install` from the checkout gives the kernel, its lexers, papermill's parameters and JupyterLab's mode; documents are
//! highlighted; and a person works in JupyterLab, in a headless Chromium.
//!
//! Needs `python3` and a network: the packages go into `target/lab-venv`, once. Chromium is installed by apt where it is
//! missing and that is allowed. Pictures are left in `target/jupyterlab`. With `CFG_TEST_BROWSER=off` the browser is left out.

#![cfg(unix)]

use cfg_tests::binary::{self, Ran, root, run_command};
use cfg_tests::python::{run, target, venv};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

const PACKAGES: &[&str] =
    &["maturin>=1.9,<2", "jupyterlab>=4.4,<5", "nbconvert>=7", "papermill>=2.6", "playwright>=1.50"];

/// The environment with the package in it, installed as a user does, but with a binary that is not optimised.
fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let python = venv("lab", PACKAGES);
        let prefix = python.ancestors().nth(2).expect("a Python lies in a folder").to_path_buf();
        // what it is made of is there when this process has built it
        binary::cfg();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--force-reinstall"]);
        pip.args(["--config-settings=build-args=--profile dev"]).arg(root().join("kernel/python"));
        pip.env("CARGO_TARGET_DIR", target()).env("PATH", format!("{}:{path}", prefix.join("bin").display()));
        run(&mut pip);
        prefix
    })
}

/// Runs a program of the environment, in a folder, with nothing of the user's own.
fn call(program: &str, args: &[&str], folder: &Path) -> Ran {
    let mut command = Command::new(prefix().join("bin").join(program));
    command.args(args).current_dir(folder).env_remove("JUPYTER_PATH");
    for what in ["CONFIG", "DATA", "RUNTIME"] {
        command.env(format!("JUPYTER_{what}_DIR"), folder.join(what.to_lowercase()));
    }
    run_command(command, "", Duration::from_secs(120)).expect("it starts")
}

fn said(ran: Ran) -> String {
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    ran.out + &ran.err
}

fn notebook(cells: &[(&str, &str)]) -> String {
    let cell = |(n, (tag, source)): (usize, &(&str, &str))| {
        serde_json::json!({
            "cell_type": "code", "id": format!("c{n}"), "metadata": { "tags": [tag] }, "source": source,
            "outputs": [], "execution_count": null,
        })
    };
    let cells: Vec<_> = cells.iter().enumerate().map(cell).collect();
    let kernel = serde_json::json!({ "name": "cfg", "display_name": "cfg", "language": "cfg" });
    serde_json::json!({ "cells": cells, "metadata": { "kernelspec": kernel }, "nbformat": 4, "nbformat_minor": 5 })
        .to_string()
}

#[test]
fn one_install_gives_kernel_lexers_and_mode() {
    let folder = tempfile::tempdir().unwrap();
    let kernels = said(call("jupyter", &["kernelspec", "list", "--json"], folder.path()));
    let kernels: serde_json::Value = serde_json::from_str(&kernels[kernels.find('{').unwrap_or(0)..]).unwrap();
    let place = kernels["kernelspecs"]["cfg"]["resource_dir"].as_str().unwrap();
    assert!(Path::new(place).starts_with(prefix()), "{place}");
    let extensions = said(call("jupyter", &["labextension", "list"], folder.path()));
    let ours = extensions.lines().find(|line| line.contains("cfg-kernel")).expect("the extension is listed");
    assert!(ours.contains("enabled") && ours.contains("OK"), "{ours}");
    std::fs::write(folder.path().join("a.cfg"), "a | default = \"s%{1}\"").unwrap();
    let tokens = said(call("pygmentize", &["-l", "cfg-lang", "-f", "raw", "a.cfg"], folder.path()));
    assert!(tokens.starts_with("Token.Name.Attribute\t'a'"), "{tokens}");
    assert!(tokens.contains("Token.Literal.String.Interpol\t'%{'"), "{tokens}");
}

#[test]
fn documents_are_run_and_highlighted() {
    let folder = tempfile::tempdir().unwrap();
    let cells = [("", "let x = { port | default = 80 }"), ("", ":type x\n%%\n"), ("", "%%jsonnet\n{ a:: 'b' }")];
    std::fs::write(folder.path().join("a.ipynb"), notebook(&[cells[0], ("", ":type x"), cells[2]])).unwrap();
    said(call("jupyter", &["nbconvert", "--to", "html", "--execute", "a.ipynb"], folder.path()));
    let page = std::fs::read_to_string(folder.path().join("a.html")).unwrap();
    for part in [
        r#"<span class="k">let</span>"#,
        r#"<span class="na">port</span>"#,
        r#"<span class="k">default</span>"#,
        r#"<span class="kn">:type</span>"#,
        r#"<span class="kn">%%jsonnet</span>"#,
        r#"<span class="s">&#39;b&#39;</span>"#,
    ] {
        assert!(page.contains(part), "no {part} in a.html");
    }
}

#[test]
fn papermill_sets_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let cells = [
        ("parameters", "port | Number = 80 # where to listen\nhosts = []"),
        ("", "{ port = port + 1, hosts = hosts }"),
    ];
    std::fs::write(folder.path().join("a.ipynb"), notebook(&cells)).unwrap();
    let help = said(call("papermill", &["--help-notebook", "a.ipynb"], folder.path()));
    assert!(help.contains("port: Number (default 80)") && help.contains("where to listen"), "{help}");
    let parameters = "port: 442\nhosts: [{name: \"a%{b}\\n\\\"\", on: true, off: null}]";
    said(call("papermill", &["a.ipynb", "b.ipynb", "-y", parameters], folder.path()));
    let made = std::fs::read_to_string(folder.path().join("b.ipynb")).unwrap();
    let made: serde_json::Value = serde_json::from_str(&made).unwrap();
    let result = made["cells"][2]["outputs"][0]["data"]["text/plain"].to_string();
    for part in ["port = 443", r"a\\\\%{b}\\\\n", "on = true", "off = null"] {
        assert!(result.replace("\\\"", "").contains(&part.replace("\\\"", "")), "{part}: {result}");
    }
}

/// Chromium, installed where it is missing.
fn chromium() -> String {
    const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
    let found = || {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let mut places = NAMES.iter().flat_map(|name| all.iter().map(move |dir| dir.join(name)));
        places.find(|place| place.is_file()).map(|place| place.to_string_lossy().into_owned())
    };
    if let Some(chromium) = found() {
        return chromium;
    }
    for args in [&["update", "-qq"][..], &["install", "-y", "-qq", "--no-install-recommends", "chromium"]] {
        let done = Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive").output();
        let why = match &done {
            Ok(done) if done.status.success() => continue,
            Ok(done) => String::from_utf8_lossy(&done.stderr).into_owned(),
            Err(why) => why.to_string(),
        };
        panic!(
            "no Chromium, and `apt-get {}` failed: {why}\nCFG_TEST_BROWSER=off leaves the browser out",
            args.join(" ")
        );
    }
    found().expect("chromium was installed")
}

#[test]
fn a_person_works_in_jupyterlab() {
    if std::env::var("CFG_TEST_BROWSER").is_ok_and(|set| set == "off") {
        println!("left out: CFG_TEST_BROWSER=off");
        return;
    }
    let mut script = Command::new(prefix().join("bin/python"));
    script
        .arg(root().join("tests/jupyterlab/browser.py"))
        .arg(chromium())
        .arg(prefix())
        .arg(target().join("jupyterlab"));
    let ran = run_command(script, "", Duration::from_secs(400)).expect("it starts");
    assert!(ran.code == Some(0), "{}\n{}", ran.out, ran.err);
}
