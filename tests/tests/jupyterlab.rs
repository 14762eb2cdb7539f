//! `pip install` from the repository installs the kernel, its lexers, papermill's parameters and JupyterLab's mode.
//! Documents are highlighted, and a user works in JupyterLab in a headless Chromium.
//!
//! Needs `python3` and a network: the packages go into an environment under the target directory, once. Chromium is the machine's,
//! else Debian's. Pictures are left in `jupyterlab` in the target directory.

#![cfg(unix)]

use cfg_core::STYLE_SHEET;
use cfg_tests::binary::{self, Ran, root, run_command};
use cfg_tests::needs::{Test, target};
use cfg_tests::pins::LAB;
use cfg_tests::python::venv;
use cfg_tests::{debian, this_test};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

/// The environment with the package in it, installed as a user does, but with a binary that is not optimised.
fn prefix(test: Test) -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let python = venv(test, &LAB);
        let prefix = python.ancestors().nth(2).expect("a Python is in an environment").to_path_buf();
        // what it is made of is there when this process has built it
        binary::cfg();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--force-reinstall"]);
        pip.args(["--config-settings=build-args=--profile dev"]).arg(root().join("kernel/python"));
        pip.env("CFG_BUILD", "1")
            .env("CARGO_TARGET_DIR", target())
            .env("PATH", format!("{}:{path}", prefix.join("bin").display()));
        test.run(pip, "pip needs a network, or an index that `PIP_INDEX_URL` names");
        prefix
    })
}

/// Runs a program of the environment, in a folder, with nothing of the user's own.
fn call(test: Test, program: &str, args: &[&str], folder: &Path) -> Ran {
    let mut command = Command::new(prefix(test).join("bin").join(program));
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
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let kernels = said(call(test, "jupyter", &["kernelspec", "list", "--json"], folder.path()));
    let kernels: serde_json::Value = serde_json::from_str(&kernels[kernels.find('{').unwrap_or(0)..]).unwrap();
    let place = kernels["kernelspecs"]["cfg"]["resource_dir"].as_str().unwrap();
    assert!(Path::new(place).starts_with(prefix(test)), "{place}");
    let extensions = said(call(test, "jupyter", &["labextension", "list"], folder.path()));
    let ours = extensions.lines().find(|line| line.contains("cfg-kernel")).expect("the extension is listed");
    assert!(ours.contains("enabled") && ours.contains("OK"), "{ours}");
    std::fs::write(folder.path().join("a.cfg"), "a | default = \"s%{1}\"").unwrap();
    let tokens = said(call(test, "pygmentize", &["-l", "cfg-lang", "-f", "raw", "a.cfg"], folder.path()));
    assert!(tokens.starts_with("Token.Name.Attribute\t'a'"), "{tokens}");
    assert!(tokens.contains("Token.Literal.String.Interpol\t'%{'"), "{tokens}");
}

#[test]
fn documents_are_run_and_highlighted() {
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cells =
        [("let", "let x = { port | default = 80 }"), ("type", ":type x"), ("jsonnet", "%%jsonnet\n{ a:: 'b' }")];
    std::fs::write(folder.path().join("a.ipynb"), notebook(&cells)).unwrap();
    // the first run writes down what the kernel says of its language, and the page is coloured by that
    said(call(test, "jupyter", &["nbconvert", "--to", "notebook", "--inplace", "--execute", "a.ipynb"], folder.path()));
    said(call(test, "jupyter", &["nbconvert", "--to", "html", "a.ipynb"], folder.path()));
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
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cells = [
        ("parameters", "port | Number = 80 # where to listen\nhosts : Array Dyn = []\nport + 1"),
        ("result", "{ served = port + 1, names = hosts }"),
    ];
    std::fs::write(folder.path().join("a.ipynb"), notebook(&cells)).unwrap();
    let help = said(call(test, "papermill", &["--help-notebook", "a.ipynb"], folder.path()));
    assert!(help.contains("port: Number (default 80)") && help.contains("where to listen"), "{help}");
    assert!(help.contains("hosts: Array Dyn (default [])"), "{help}");
    let parameters = "port: 442\nhosts: [{name: \"a%{b}\\n\\\"\", up: true, down: null}]";
    said(call(test, "papermill", &["a.ipynb", "b.ipynb", "-y", parameters], folder.path()));
    let made = std::fs::read_to_string(folder.path().join("b.ipynb")).unwrap();
    let made: serde_json::Value = serde_json::from_str(&made).unwrap();
    let result = &made["cells"][2]["outputs"][0]["data"]["text/plain"];
    let source = made["cells"][1]["source"].to_string();
    assert!(source.contains("port | Number = 442") && source.contains("hosts : Array Dyn = [{"), "{source}");
    let wanted = r#"{ names = [{ down = null, name = "a\%{b}\n\"", up = true }], served = 443 }"#;
    assert_eq!(result.to_string(), serde_json::json!([wanted]).to_string());
    // the contract of the parameters' cell holds for a new value
    let wrong = call(test, "papermill", &["a.ipynb", "c.ipynb", "-p", "port", "http"], folder.path());
    assert_ne!(wrong.code, Some(0));
    assert!(wrong.err.contains("expected Number"), "{}", wrong.err);
}

/// Run with `UPDATE=1` to rewrite the file.
#[test]
fn the_extension_has_the_style_sheet_that_results_bring() {
    let place = root().join("kernel/python/data/data/share/jupyter/labextensions/cfg-kernel/static/look.css");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&place, format!("{STYLE_SHEET}\n")).unwrap();
    }
    assert_eq!(std::fs::read_to_string(place).unwrap().trim_end(), STYLE_SHEET);
}

/// Runs a script in a browser, for a folder of its own.
fn browse(test: Test, script: &str, folder: &str) {
    let mut command = Command::new(prefix(test).join("bin/python"));
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.arg(root().join("tests/jupyterlab").join(script)).arg(debian::chromium(test));
    command.arg(prefix(test)).arg(target().join(folder));
    let ran = run_command(command, "", Duration::from_secs(600)).expect("it starts");
    assert!(ran.code == Some(0), "{}\n{}", ran.out, ran.err);
}

#[test]
fn a_user_works_in_jupyterlab() {
    let test = this_test!();
    if !test.is_off() {
        browse(test, "browser.py", "jupyterlab");
    }
}

#[test]
fn a_session_is_live_in_jupyterlab() {
    let test = this_test!();
    if !test.is_off() {
        browse(test, "live.py", "jupyterlab-live");
    }
}

#[test]
fn a_notebook_is_exported_to_a_script_that_runs() {
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cells = [
        ("a", "x = { port | default = 80 }\n%type x"),
        ("b", "%%jsonnet\n{ a: 'b' }"),
        ("c", "%%file other.cfg\n{ y = 1 }"),
        ("d", "x & {\n\n  port = 443 }"),
        ("e", "x.port?"),
        ("f", "%run values.cfg\nlisten;"),
        ("h", "y = { a | default = 1 }\n  & { a = 2 }\ny"),
        ("g", ":clear\nlisten + x.port"),
        ("i", ":dialect yay"),
        ("j", "list:\n  - 1\n\nextend list:\n  for i in [2]:\n    - {{ i }}\nnext: 5"),
        ("k", "{{ list }}"),
        ("l", "next: 6\n:type next\n%%jsonnet\n{ c: 'd' }"),
        ("m", "next: 7"),
        ("n", "%%yay\n{{ next }}"),
        ("o", ":dialect cfg\nlisten;"),
        ("p", "%%jsonnet\n# two lines\nlocal secret = 20;\nlocal twice = secret * 2;\n{ twice: twice } # 40"),
        ("q", "%%jsonnet\nlocal kept = 1;\nlocal more = kept + 50;"),
        ("r", "more"),
        ("failed", "1 + \"a\""),
        ("kept", "wrong = 1 + \"a\""),
    ];
    std::fs::write(folder.path().join("values.cfg"), "{ listen = 4000 }").unwrap();
    std::fs::write(folder.path().join("a.ipynb"), notebook(&cells)).unwrap();
    // the language of the notebook is what the kernel says of itself
    let info = serde_json::json!({ "name": "cfg", "file_extension": ".cfg" });
    let mut made: serde_json::Value = serde_json::from_str(&notebook(&cells)).unwrap();
    made["metadata"]["language_info"] = info;
    for cell in made["cells"].as_array_mut().unwrap() {
        if ["failed", "kept"].iter().any(|tag| cell["metadata"]["tags"][0] == *tag) {
            let error =
                serde_json::json!({ "output_type": "error", "ename": "types/conflict", "evalue": "", "traceback": [] });
            cell["outputs"] = serde_json::json!([error]);
        }
    }
    std::fs::write(folder.path().join("a.ipynb"), made.to_string()).unwrap();
    said(call(test, "jupyter", &["nbconvert", "--to", "script", "a.ipynb"], folder.path()));
    let script = std::fs::read_to_string(folder.path().join("a.cfg")).unwrap();
    assert!(script.contains("\n# %%file other.cfg\n# { y = 1 }\n"), "{script}");
    let left_out = "# Left out, because this cell failed in the notebook (types/conflict):\n# 1 + \"a\"\n";
    let kept =
        "# This cell failed in the notebook (types/conflict). It is kept for what it defines.\nwrong = 1 + \"a\"\n";
    assert!(script.contains(left_out) && script.ends_with(kept), "{script}");
    let script = script.strip_suffix(kept).unwrap();
    let ran = binary::run(&["repl", "--quiet"], folder.path(), script);
    // what an expression binds is its own
    assert!(!ran.out.contains("secret") && !ran.out.contains("twice ∈"), "{script}\n{}", ran.out);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{script}\n{}", ran.out);
    for line in
        ["{ port : Number }", "{ port = 443 }", "{ a = 2 }", "4080", "[1, 2]", "number", "7", "{ twice: 40 }", "51"]
    {
        assert!(ran.out.lines().any(|l| l.starts_with(line)), "no {line} of\n{script}\nin\n{}", ran.out);
    }
}

/// Runs the build backend with an environment, and returns the wheel, or what it printed.
fn wheel(test: Test, folder: &Path, variable: &str, value: &Path) -> Result<PathBuf, String> {
    let script = "import sys; sys.path.insert(0, sys.argv[1]); import backend; print(backend.build_wheel(sys.argv[2]))";
    let mut python = Command::new(cfg_tests::python::python3(test));
    python.args(["-B", "-c", script]).arg(root().join("kernel/python/build")).arg(folder).env(variable, value);
    let ran = run_command(python, "", Duration::from_secs(120)).expect("it starts");
    match ran.code {
        Some(0) => Ok(folder.join(ran.out.lines().last().unwrap_or_default())),
        _ => Err(ran.out + &ran.err),
    }
}

#[test]
fn an_existing_binary_of_the_same_version_is_packed() {
    use std::os::unix::fs::PermissionsExt;
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let built = wheel(test, folder.path(), "CFG_BIN", binary::cfg()).unwrap();
    let installed = folder.path().join("installed");
    let mut pip = Command::new(venv(test, &LAB));
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--ignore-installed", "--prefix"])
        .arg(&installed)
        .arg(&built);
    test.run(pip, "pip comes with Python");
    let said = Command::new(installed.join("bin/cfg")).arg("--version").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&said.stdout), format!("cfg {}\n", env!("CARGO_PKG_VERSION")));
    for file in ["kernels/cfg/kernel.json", "labextensions/cfg-kernel/static/session.js"] {
        assert!(installed.join("share/jupyter").join(file).is_file(), "no {file}");
    }
    // another version is refused
    let other = folder.path().join("cfg");
    std::fs::write(&other, "#!/bin/sh\necho cfg 0.0.1\n").unwrap();
    std::fs::set_permissions(&other, std::fs::Permissions::from_mode(0o755)).unwrap();
    let refused = wheel(test, folder.path(), "CFG_BIN", &other).unwrap_err();
    assert!(refused.contains("found `cfg 0.0.1`"), "{refused}");
}
