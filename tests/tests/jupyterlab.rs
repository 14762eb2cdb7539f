//! `pip install` from the repository installs the kernel, its lexers, papermill's parameters and JupyterLab's mode.
//! Documents are highlighted, and a user works in JupyterLab in a headless Chromium.
//!
//! Needs `python3` and a network: the packages are installed once into `target/lab-venv`. If Chromium is missing, apt
//! installs it if it is allowed to; otherwise Playwright's own is used. Screenshots are stored in `target/jupyterlab`.
//! A failed installation fails the test; `CFG_TEST_BROWSER=off` skips the browser.

#![cfg(unix)]

use cfg_core::view::html::Html;
use cfg_tests::binary::{self, Ran, root, run_command};
use cfg_tests::python::{run, target, venv};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

const PACKAGES: &[&str] =
    &["maturin>=1.9,<2", "jupyterlab>=4.4,<5", "nbconvert>=7", "papermill>=2.6", "playwright>=1.50"];

/// Returns the environment with the package in it, installed as a user would, but with an unoptimised binary.
fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let python = venv("lab", PACKAGES);
        let prefix = python.ancestors().nth(2).expect("a Python lies in a folder").to_path_buf();
        // this process has already built the binary in it
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

/// Runs a program of the environment in a folder, without the user's own settings.
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
    let cells =
        [("let", "let x = { port | default = 80 }"), ("type", ":type x"), ("jsonnet", "%%jsonnet\n{ a:: 'b' }")];
    std::fs::write(folder.path().join("a.ipynb"), notebook(&cells)).unwrap();
    // the first run stores the kernel's language information, by which the page is highlighted
    said(call("jupyter", &["nbconvert", "--to", "notebook", "--inplace", "--execute", "a.ipynb"], folder.path()));
    said(call("jupyter", &["nbconvert", "--to", "html", "a.ipynb"], folder.path()));
    let page = std::fs::read_to_string(folder.path().join("a.html")).unwrap();
    for part in [
        r#"<span class="k">let</span>"#,
        r#"<span class="na">port</span>"#,
        r#"<span class="k">default</span>"#,
        r#"<span class="kn">:type</span>"#,
        r#"<span class="kn">%%jsonnet</span>"#,
        r#"<span class="s">'b'</span>"#,
    ] {
        assert!(page.contains(part), "no {part} in a.html");
    }
}

#[test]
fn papermill_sets_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let cells = [
        ("parameters", "port | Number = 80 # where to listen\nhosts = []"),
        ("result", "{ served = port + 1, names = hosts }"),
    ];
    std::fs::write(folder.path().join("a.ipynb"), notebook(&cells)).unwrap();
    let help = said(call("papermill", &["--help-notebook", "a.ipynb"], folder.path()));
    assert!(help.contains("port: Number (default 80)") && help.contains("where to listen"), "{help}");
    let parameters = "port: 442\nhosts: [{name: \"a%{b}\\n\\\"\", up: true, down: null}]";
    said(call("papermill", &["a.ipynb", "b.ipynb", "-y", parameters], folder.path()));
    let made = std::fs::read_to_string(folder.path().join("b.ipynb")).unwrap();
    let made: serde_json::Value = serde_json::from_str(&made).unwrap();
    let result = &made["cells"][2]["outputs"][0]["data"]["text/plain"];
    let wanted = r#"{ names = [{ down = null, name = "a\%{b}\n\"", up = true }], served = 443 }"#;
    assert_eq!(result.to_string(), serde_json::json!([wanted]).to_string());
}

/// Run with `UPDATE=1` to rewrite the file.
#[test]
fn the_extension_has_the_style_sheet_that_results_bring() {
    let fragment = Html::new().fragment();
    let sheet = fragment.split("<style>").nth(1).and_then(|rest| rest.split("</style>").next()).unwrap();
    let place = root().join("kernel/python/data/data/share/jupyter/labextensions/cfg-kernel/static/look.css");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&place, format!("{sheet}\n")).unwrap();
    }
    assert_eq!(std::fs::read_to_string(place).unwrap().trim_end(), sheet);
}

/// Returns Chromium: the installed one, or one installed by apt, or Playwright's under `target/`, in which case the
/// script receives `-`.
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
    let mut tried = String::new();
    let mut done = |program: &Path, args: &[&str]| {
        let mut command = Command::new(program);
        command.args(args).env("DEBIAN_FRONTEND", "noninteractive").env("PLAYWRIGHT_BROWSERS_PATH", browsers());
        let why = match run_command(command, "", Duration::from_secs(300)) {
            Ok(ran) if ran.code == Some(0) => return true,
            Ok(ran) => ran.out + &ran.err,
            Err(why) => why.to_string(),
        };
        tried += &format!("\n`{} {}`: {}", program.display(), args.join(" "), why.trim());
        false
    };
    let apt = Path::new("apt-get");
    if done(apt, &["update", "-qq"]) && done(apt, &["install", "-y", "-qq", "--no-install-recommends", "chromium"]) {
        return found().expect("apt has installed chromium");
    }
    if done(&prefix().join("bin/playwright"), &["install", "--only-shell", "chromium"]) {
        return "-".into();
    }
    panic!("there is no Chromium, and none can be installed (CFG_TEST_BROWSER=off leaves the browser out):{tried}");
}

/// Returns the folder of Playwright's browsers.
fn browsers() -> PathBuf {
    target().join("browsers")
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
        .arg(target().join("jupyterlab"))
        .env("PLAYWRIGHT_BROWSERS_PATH", browsers());
    let ran = run_command(script, "", Duration::from_secs(400)).expect("it starts");
    assert!(ran.code == Some(0), "{}\n{}", ran.out, ran.err);
}
