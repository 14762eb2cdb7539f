//! Edits the line in the user's own editor (Ctrl-O).

use crate::history;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The editor, and the arguments that it is started with.
type Words = Vec<String>;

/// Returns a text as the user's editor leaves it, or a sentence that says why it was not edited.
pub fn edited(text: &str) -> Result<String, String> {
    let (words, file) = (words().ok_or(UNSET)?, file()?);
    let (program, arguments) = words.split_first().ok_or(UNSET)?;
    let failed = |error: io::Error| format!("`{}` cannot be used: {error}", file.display());
    written(&file, text).map_err(failed)?;
    let done = Command::new(program).args(arguments).arg(&file).status();
    let read = std::fs::read_to_string(&file).map_err(failed);
    let _ = std::fs::remove_file(&file);
    match done {
        Err(error) => Err(format!("the editor `{program}` cannot be started: {error}\n{UNSET}")),
        Ok(status) if !status.success() => {
            Err(format!("the editor `{program}` failed ({status}): the line is unchanged"))
        }
        Ok(_) => {
            let mut text = read?;
            while text.ends_with(['\n', '\r']) {
                text.pop();
            }
            Ok(text)
        }
    }
}

/// Writes the file for the editor, which only the user can read: the line may contain a secret.
fn written(file: &Path, text: &str) -> io::Result<()> {
    let _ = std::fs::remove_file(file);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(text.as_bytes())
}

/// The advice if no editor is known.
const UNSET: &str =
    "Ctrl-O edits the line in the program that `VISUAL` or `EDITOR` names, for example `EDITOR=nano cfg`";

fn words() -> Option<Words> {
    let named = |name| std::env::var(name).ok().filter(|words| !words.trim().is_empty());
    let words = named("VISUAL").or_else(|| named("EDITOR"))?;
    Some(words.split_whitespace().map(String::from).collect())
}

/// Returns the file that holds the input for the editor. It is in the history folder, which belongs to the user; other
/// users can write to the temporary folder.
fn file() -> Result<PathBuf, String> {
    let folder = history::file().and_then(|file| Some(file.parent()?.to_path_buf()));
    let folder = folder.ok_or("there is no folder for the history, which would hold the line for the editor")?;
    std::fs::create_dir_all(&folder).map_err(|error| format!("`{}` cannot be made: {error}", folder.display()))?;
    Ok(folder.join(format!("input-{}.cfg", std::process::id())))
}
