//! Writes changed files: in place, or as a unified diff.

use crate::loader::Disk;
use cfg_core::FileEdit;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Number of unchanged lines around a change.
const CONTEXT: usize = 3;
/// Maximum number of lines between the first and the last change that are compared one by one.
const COMPARED: usize = 2000;

/// The destination of the changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edits {
    /// The files themselves.
    InPlace,
    /// A unified diff in this file; `-` is standard output.
    Patch(PathBuf),
}

/// Writes the changes. Fails with a message, and then no file has been changed.
pub fn write(edits: &[FileEdit], to: &Edits, disk: &Disk) -> Result<(), String> {
    let may_write = |path: &Path| match disk.root() {
        Some(root) => root.writable(path).map(drop).map_err(|error| format!("{}: {error}", path.display())),
        None => Ok(()),
    };
    let edits: Vec<FileEdit> = edits.iter().map(with_mark).collect();
    match to {
        Edits::Patch(path) => {
            let text = unified(&edits);
            let written = match path.to_str() {
                Some("-") => io::stdout().lock().write_all(text.as_bytes()),
                _ => {
                    may_write(path)?;
                    fs::write(path, text)
                }
            };
            written.map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => {
                    format!("cannot write `{}`: there is no such folder", path.display())
                }
                _ => format!("{}: {}", path.display(), crate::call::reason(&error)),
            })
        }
        Edits::InPlace => {
            edits.iter().try_for_each(|edit| may_write(&edit.path))?;
            let prepared = edits.iter().map(Prepared::new).collect::<Result<Vec<_>, _>>()?;
            prepared.into_iter().try_for_each(Prepared::finish)
        }
    }
}

/// Returns an edit with the byte order mark of the file, which is not a part of the text that was read.
fn with_mark(edit: &FileEdit) -> FileEdit {
    let mut start = [0; 3];
    let has_mark = fs::File::open(&edit.path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == *b"\xef\xbb\xbf";
    let mark = |text: &str| if has_mark { format!("\u{feff}{text}") } else { text.to_string() };
    FileEdit { before: mark(&edit.before), after: mark(&edit.after), ..edit.clone() }
}

/// A new file beside the one that it will replace. It is removed if it does not replace it.
struct Prepared {
    temporary: PathBuf,
    file: PathBuf,
}

impl Drop for Prepared {
    fn drop(&mut self) {
        // after a rename there is nothing to remove
        let _ = fs::remove_file(&self.temporary);
    }
}

impl Prepared {
    fn new(edit: &FileEdit) -> Result<Prepared, String> {
        let shown = edit.path.display();
        let failed = |error: io::Error| format!("{shown}: {}", crate::call::reason(&error));
        let file = target(&edit.path)?;
        let now = fs::read(&file).map_err(failed)?;
        if now != edit.before.as_bytes() {
            return Err(format!("{shown}: the file changed while it was read; nothing was written"));
        }
        let metadata = fs::metadata(&file).map_err(failed)?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let temporary = folder.join(format!(".{name}.{}.cfg-new", std::process::id()));
        // fails if there is such a file, also if it is a link
        let mut new = fs::OpenOptions::new().write(true).create_new(true).open(&temporary).map_err(failed)?;
        let prepared = Prepared { temporary, file };
        new.set_permissions(metadata.permissions()).map_err(failed)?;
        new.write_all(edit.after.as_bytes()).and_then(|()| new.sync_all()).map_err(failed)?;
        Ok(prepared)
    }

    fn finish(self) -> Result<(), String> {
        fs::rename(&self.temporary, &self.file).map_err(|error| format!("{}: {error}", self.file.display()))
    }
}

/// Returns the file that a path names. A symbolic link is followed only within the folder that it is in and the working
/// folder.
fn target(path: &Path) -> Result<PathBuf, String> {
    let failed = |error: io::Error| format!("{}: {error}", path.display());
    if !fs::symlink_metadata(path).map_err(failed)?.is_symlink() {
        return Ok(path.to_path_buf());
    }
    let real = fs::canonicalize(path).map_err(failed)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folders = [fs::canonicalize(folder), fs::canonicalize(".")];
    match folders.into_iter().flatten().any(|folder| real.starts_with(folder)) {
        true => Ok(real),
        false => Err(format!("{}: is a link to {}, which is in another folder", path.display(), real.display())),
    }
}

/// Returns changes as a unified diff. The paths in its headers are relative to the working folder, as `git apply` needs them.
/// If a file is outside of it, they are relative to the root, and the first line says so.
pub fn unified(edits: &[FileEdit]) -> String {
    let folder = std::env::current_dir().and_then(fs::canonicalize).ok();
    unified_in(edits, folder.as_deref())
}

fn unified_in(edits: &[FileEdit], folder: Option<&Path>) -> String {
    let all: Option<Vec<&Path>> = edits.iter().map(|edit| edit.canonical.strip_prefix(folder?).ok()).collect();
    match all {
        Some(paths) => edits.iter().zip(paths).map(|(edit, path)| change(edit, path)).collect(),
        None => {
            let changes: String = edits.iter().map(|edit| change(edit, &edit.canonical)).collect();
            format!("A file is not in the working folder. To apply: patch -p1 -d / < THIS_FILE\n{changes}")
        }
    }
}

/// Returns one change, under a path.
fn change(edit: &FileEdit, path: &Path) -> String {
    let before: Vec<&str> = edit.before.split_inclusive('\n').collect();
    let after: Vec<&str> = edit.after.split_inclusive('\n').collect();
    let steps = script(&before, &after);
    let path = path.display().to_string();
    let path = path.trim_start_matches('/');
    // without a tab, `patch` reads a name only up to its first space
    let tab = if path.contains(' ') { "\t" } else { "" };
    let mut out = format!("--- a/{path}{tab}\n+++ b/{path}{tab}\n");
    let changed: Vec<usize> = (0..steps.len()).filter(|i| steps.get(*i).is_some_and(|step| step.0 != ' ')).collect();
    let mut from = 0;
    while let Some(first) = changed.get(from).copied() {
        // changes with few lines between them are one hunk
        let mut to = from;
        while changed.get(to + 1).is_some_and(|next| changed.get(to).is_some_and(|now| next - now <= 2 * CONTEXT)) {
            to += 1;
        }
        let last = changed.get(to).copied().unwrap_or(first);
        hunk(&steps, first.saturating_sub(CONTEXT)..(last + CONTEXT + 1).min(steps.len()), &mut out);
        from = to + 1;
    }
    out
}

fn hunk(steps: &[(char, &str)], range: std::ops::Range<usize>, out: &mut String) {
    let count = |steps: &[(char, &str)], but: char| steps.iter().filter(|step| step.0 != but).count();
    let (earlier, shown) = (steps.get(..range.start).unwrap_or_default(), steps.get(range.clone()).unwrap_or_default());
    let side = |but: char| {
        let lines = count(shown, but);
        // an empty side begins at the line before it
        (count(earlier, but) + usize::from(lines > 0), lines)
    };
    let ((old, old_lines), (new, new_lines)) = (side('+'), side('-'));
    let _ = writeln!(out, "@@ -{old},{old_lines} +{new},{new_lines} @@");
    for (sign, line) in shown {
        out.push(*sign);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Returns the lines of both texts: unchanged ones, removed ones (`-`) and added ones (`+`).
fn script<'t>(before: &[&'t str], after: &[&'t str]) -> Vec<(char, &'t str)> {
    let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (rest_before, rest_after) = (before.get(head..).unwrap_or_default(), after.get(head..).unwrap_or_default());
    let tail = rest_before.iter().rev().zip(rest_after.iter().rev()).take_while(|(a, b)| a == b).count();
    let old = rest_before.get(..rest_before.len() - tail).unwrap_or_default();
    let new = rest_after.get(..rest_after.len() - tail).unwrap_or_default();
    let mut out: Vec<(char, &str)> = before.iter().take(head).map(|line| (' ', *line)).collect();
    if old.len() > COMPARED || new.len() > COMPARED {
        out.extend(old.iter().map(|line| ('-', *line)));
        out.extend(new.iter().map(|line| ('+', *line)));
    } else {
        between(old, new, &mut out);
    }
    out.extend(rest_before.iter().skip(rest_before.len() - tail).map(|line| (' ', *line)));
    out
}

/// Appends the shortest script between two texts, by their longest common subsequence. O(lines²).
fn between<'t>(old: &[&'t str], new: &[&'t str], out: &mut Vec<(char, &'t str)>) {
    let width = new.len() + 1;
    let mut longest = vec![0u32; (old.len() + 1) * width];
    let at = |table: &[u32], i: usize, j: usize| table.get(i * width + j).copied().unwrap_or(0);
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            let best = match a == b {
                true => at(&longest, i + 1, j + 1) + 1,
                false => at(&longest, i + 1, j).max(at(&longest, i, j + 1)),
            };
            if let Some(cell) = longest.get_mut(i * width + j) {
                *cell = best;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    loop {
        match (old.get(i), new.get(j)) {
            (Some(a), Some(b)) if a == b => {
                out.push((' ', a));
                (i, j) = (i + 1, j + 1);
            }
            (Some(a), b) if b.is_none() || at(&longest, i + 1, j) >= at(&longest, i, j + 1) => {
                out.push(('-', a));
                i += 1;
            }
            (_, Some(b)) => {
                out.push(('+', b));
                j += 1;
            }
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(before: &str, after: &str) -> String {
        let (path, canonical) = (PathBuf::from("./a.yaml"), PathBuf::from("/x/a.yaml"));
        let edit = FileEdit { path, canonical, before: before.into(), after: after.into() };
        unified_in(&[edit], Some(Path::new("/x")))
    }

    #[test]
    fn a_path_is_relative_to_the_working_folder() {
        for (path, header) in [
            ("/x/sub/a.yaml", "--- a/sub/a.yaml\n+++ b/sub/a.yaml\n"),
            ("/x/b c.yaml", "--- a/b c.yaml\t\n+++ b/b c.yaml\t\n"),
            (
                "/y/a.yaml",
                "A file is not in the working folder. To apply: patch -p1 -d / < THIS_FILE\n--- a/y/a.yaml\n",
            ),
        ] {
            let (path, canonical) = (PathBuf::from(path), PathBuf::from(path));
            let edit = FileEdit { path, canonical, before: "a\n".into(), after: "b\n".into() };
            assert!(unified_in(&[edit], Some(Path::new("/x"))).starts_with(header), "{header}");
        }
    }

    #[test]
    fn hunks_have_three_lines_around_them() {
        let before: String = (1..=20).map(|n| format!("l{n}\n")).collect();
        let after = before.replace("l5\n", "x\n").replace("l18\n", "l18\ny\n");
        let expected = "--- a/a.yaml\n+++ b/a.yaml\n@@ -2,7 +2,7 @@\n l2\n l3\n l4\n-l5\n+x\n l6\n l7\n l8\n\
                        @@ -16,5 +16,6 @@\n l16\n l17\n l18\n+y\n l19\n l20\n";
        assert_eq!(diff(&before, &after), expected);
        assert_eq!(diff("", "a\n"), "--- a/a.yaml\n+++ b/a.yaml\n@@ -0,0 +1,1 @@\n+a\n");
        assert_eq!(
            diff("a", "a\nb\n"),
            "--- a/a.yaml\n+++ b/a.yaml\n@@ -1,1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n"
        );
    }
}
