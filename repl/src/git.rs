//! Files at git revisions: `HEAD~1:values.yaml`.

use crate::fault::Fault;
use cfg_core::Input;
use std::path::Path;
use std::process::Command;

/// Returns the input with a name: a file, or `REV:FILE` for a file at a git revision. A file whose own name is like that is
/// preferred. Imports of a file at a revision are read from the working folder.
pub fn input(name: &str) -> Result<Input, Fault> {
    let is_file = name == "-" || Path::new(name).exists();
    match name.split_once(':') {
        Some((revision, path)) if !is_file && !revision.is_empty() && !path.is_empty() => {
            at_revision(name).map_err(Fault::from)
        }
        _ => crate::call::file(Path::new(name)),
    }
}

/// Runs `git show REV:FILE`.
fn at_revision(name: &str) -> Result<Input, String> {
    if name.starts_with('-') {
        return Err(format!("{name}: not a git revision"));
    }
    let ran = Command::new("git").args(["show", "--no-textconv", "--end-of-options", name]).output();
    let output = ran.map_err(|error| format!("{name}: git cannot be run: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.trim().trim_start_matches("fatal: ");
        return Err(format!("{name}: no such file, and git says: {said}"));
    }
    // `git show` lists the entries of a folder
    if output.stdout.starts_with(format!("tree {name}\n").as_bytes()) {
        return Err(format!("{name}: is a folder"));
    }
    Ok(Input::Text { name: name.to_string(), text: output.stdout })
}
