//! Node.js and npm packages for the tests that need them.

use crate::needs::{Test, on_path, once, target};
use crate::pins::{APPUTILS, NODE, NodeModules};
use crate::python::venv;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

const NETWORK: &str = "npm needs a network, or a registry that `npm config set registry` names";

/// Returns a command that runs `node` or `npm`: those of the machine if it has both and Node.js is 20 or later,
/// otherwise those from PyPI.
///
/// # Panics
/// If the machine does not have them and the PyPI package cannot be installed.
pub fn command(test: Test, program: &str) -> Command {
    if on_path(&["npm"]).is_some() && version().is_some_and(|major| major >= 20) {
        return Command::new(program);
    }
    let python = venv(test, &NODE);
    let folder = python.parent().expect("a Python is in a folder");
    let mut command = Command::new(folder.join(program));
    let mut path = OsString::from(folder);
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    // npm starts `node`
    command.env("PATH", path);
    command
}

/// Returns the major version of Node.js on the machine.
fn version() -> Option<u32> {
    let done = Command::new(on_path(&["node"])?).arg("--version").output().ok()?;
    String::from_utf8(done.stdout).ok()?.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

fn npm(test: Test, folder: &Path, args: &[&str]) {
    let mut npm = command(test, "npm");
    npm.args(args).args(["--no-audit", "--no-fund", "--silent"]).current_dir(folder);
    test.run(npm, NETWORK);
}

/// Returns the folder with the packages, installed in the versions of their `package-lock.json`. `more` adds files to
/// it.
fn folder(test: Test, modules: &NodeModules, recipe: &str, more: impl FnOnce(&Path)) -> PathBuf {
    let folder = target().join("npm").join(modules.name);
    once(&folder, &format!("{}{}{recipe}", modules.packages, modules.lock), || {
        for (file, text) in [("package.json", modules.packages), ("package-lock.json", modules.lock)] {
            std::fs::write(folder.join(file), text).expect("the target directory can be written");
        }
        npm(test, &folder, &["ci"]);
        more(&folder);
    });
    folder
}

/// Returns the folder with the installed packages.
///
/// # Panics
/// If they cannot be installed.
pub fn modules(test: Test, modules: &NodeModules) -> PathBuf {
    folder(test, modules, "", |_| ())
}

/// Returns the folder with JupyterLab's sanitizer, `sanitizer.mjs`, and the library that it needs.
///
/// # Panics
/// If they cannot be installed.
pub fn sanitizer(test: Test) -> PathBuf {
    folder(test, &crate::pins::SANITIZER, APPUTILS, |folder| {
        npm(test, folder, &["pack", APPUTILS]);
        let unpack =
            "tar xzf jupyterlab-apputils-*.tgz package/lib/sanitizer.js && mv package/lib/sanitizer.js sanitizer.mjs";
        let mut sh = Command::new("sh");
        sh.args(["-c", unpack]).current_dir(folder);
        test.run(sh, "`apt-get install tar gzip`");
    })
}
