//! `include other.yay` without quotes, which reads the key `yay` of `other`.

use std::ops::Range;

/// The endings of files that a document includes.
const ENDINGS: [&str; 4] = ["yay", "yaml", "yml", "json"];

/// Returns a suggestion about an error in a path that is not a string.
pub fn hint(text: &str, at: Range<usize>) -> Option<String> {
    let start = text.get(..at.start)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..)?.lines().next()?;
    let path = line.trim().strip_prefix("include ")?.trim();
    if path.starts_with(['"', '\'']) && path.contains('*') {
        return Some(String::from("an `include` names one file: write one for each file"));
    }
    let is_path = path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
    let (_, ending) = path.rsplit_once('.')?;
    (is_path && ENDINGS.contains(&ending)).then(|| format!("a path is in quotes: `include \"{path}\"`"))
}
