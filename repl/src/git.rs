//! Files at git revisions: `HEAD~1:values.yaml`.

use crate::fault::Fault;
use cfg_core::Input;
use cfg_core::text::{near, near_files};
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the input with a name: a file, or `REV:FILE` for a file at a git revision. A file whose own name is like that is
/// preferred. Imports of a file at a revision are read from the working folder.
pub fn input(name: &str) -> Result<Input, Fault> {
    let is_file = name == "-" || Path::new(name).exists();
    match name.split_once(':') {
        Some((revision, path)) if !is_file && !revision.is_empty() && !path.is_empty() => at_revision(name),
        _ => crate::call::file(Path::new(name)),
    }
}

/// Maximum number of names that are compared with a misspelt one.
const NAMES: usize = 5000;

/// Runs git. `None` if it cannot be run, or fails.
fn git(arguments: &[&str]) -> Option<String> {
    let ran = Command::new("git").args(arguments).stderr(Stdio::null()).output().ok()?;
    ran.status.success().then(|| String::from_utf8_lossy(&ran.stdout).trim().to_string())
}

/// Returns whether a name is that of a revision: `HEAD`, `main~2`.
pub fn is_revision(name: &str) -> bool {
    !name.starts_with('-') && git(&["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")]).is_some()
}

/// Runs `git show REV:FILE`.
fn at_revision(name: &str) -> Result<Input, Fault> {
    if name.starts_with('-') {
        return Err(Fault::new(format!("{name}: not a git revision")));
    }
    let ran = Command::new("git").args(["show", "--no-textconv", "--end-of-options", name]).output();
    let output = ran.map_err(|error| format!("{name}: git cannot be run: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.trim().trim_start_matches("fatal: ");
        let plain = || Fault::new(format!("{name}: no such file, and git says: {said}"));
        return Err(name.split_once(':').and_then(|(revision, path)| missing(revision, path)).unwrap_or_else(plain));
    }
    // `git show` lists the entries of a folder
    if output.stdout.starts_with(format!("tree {name}\n").as_bytes()) {
        return Err(Fault::new(format!("{name}: is a folder")));
    }
    Ok(Input::Text { name: name.to_string(), text: output.stdout })
}

/// Returns why a file at a revision cannot be read. `None` if git has to say it.
fn missing(revision: &str, path: &str) -> Option<Fault> {
    git(&["rev-parse", "--git-dir"])?;
    if is_revision(revision) {
        let fault = Fault::new(format!("the revision `{revision}` has no file `{path}`"));
        let files = git(&["ls-tree", "-r", "--full-tree", "--name-only", revision])?;
        let files: Vec<&str> = files.lines().take(NAMES).collect();
        let prefix = git(&["rev-parse", "--show-prefix"]).unwrap_or_default();
        if !prefix.is_empty() && files.contains(&format!("{prefix}{path}").as_str()) {
            return Some(
                fault.help(format!(
                    "a path begins at the top of the repository; from here, write `{revision}:./{path}`"
                )),
            );
        }
        let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
        let split = |file: &'_ &str| {
            file.rsplit_once('/').is_some_and(|(own, _)| own == folder) || folder.is_empty() && !file.contains('/')
        };
        let beside = files.iter().copied().filter(split).map(|file| file.rsplit('/').next().unwrap_or(file));
        let near = near_files(name, beside).into_iter().next();
        let near = near.map(|near| if folder.is_empty() { near.to_string() } else { format!("{folder}/{near}") });
        let elsewhere = || files.iter().find(|file| file.rsplit('/').next() == Some(name)).map(ToString::to_string);
        return Some(match near.or_else(elsewhere) {
            Some(meant) => fault.help(format!("did you mean `{revision}:{meant}`?")),
            None if Path::new(path).is_file() => {
                fault.help(format!("`{path}` is a file here that is not in this revision"))
            }
            None => fault,
        });
    }
    if git(&["rev-parse", "--verify", "--quiet", "HEAD"]).is_none() {
        return Some(Fault::new(format!("there is no revision `{revision}`: the repository has no commits yet")));
    }
    let fault = Fault::new(format!("there is no revision `{revision}`"));
    let base = revision.split(['~', '^']).next().unwrap_or_default();
    if base != revision
        && is_revision(base)
        && let Some(count) = git(&["rev-list", "--count", "--first-parent", base])
    {
        let before = match count.as_str() {
            "1" => format!("`{base}` is the first commit"),
            count => format!("`{base}` and those before it are {count} commits"),
        };
        return Some(fault.help(before));
    }
    let names = git(&["for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes"])?;
    let names: Vec<&str> = names.lines().take(NAMES).collect();
    let of_remote = names.iter().find(|name| name.split_once('/').is_some_and(|(_, name)| name == revision));
    let meant = of_remote.map(ToString::to_string);
    let meant = meant.or_else(|| near(revision, names.iter().copied()).first().map(ToString::to_string));
    Some(match meant {
        Some(meant) => fault.help(format!("did you mean `{meant}:{path}`?")),
        None => fault.help("`git branch --all` and `git tag` list the names of revisions"),
    })
}
