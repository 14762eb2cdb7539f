//! Completion: the names, fields, tags, languages and files that can follow at the cursor. Fields come from inferred
//! types.

mod documented;
mod elements;
mod expression;
mod wanted;

use crate::dialect::{Dialect, Languages};
use crate::state::Workspace;
pub use elements::fields as elements;
pub use expression::expression;
use std::ops::Range;
use std::path::Path;

/// Maximum number of candidates.
const MAX_CANDIDATES: usize = 1000;
/// Maximum number of candidates for which types are shown. A longer list has no types.
const MAX_TYPED: usize = 300;
/// Maximum width of a type, in columns. A menu has no room for more, and a longer type would delay each keystroke.
const MAX_TYPE_WIDTH: usize = 400;

/// One candidate for completion at the cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The range of the input that `text` replaces, in bytes.
    pub range: Range<usize>,
    /// The text to insert.
    pub text: String,
    /// Its kind: `field`, `name`, `keyword`, `command`, `path`, `option`, `tag`.
    pub kind: &'static str,
    /// Its type, on one line.
    pub ty: Option<String>,
    /// The first sentence of its documentation.
    pub doc: Option<String>,
}

/// Returns the languages whose names begin with `begin` as candidates for `range`.
pub fn dialects(languages: Languages, begin: &str, range: Range<usize>) -> Vec<Candidate> {
    let all = languages.interactive().filter(|d| d.name().starts_with(begin));
    let of = |d: Dialect| Candidate {
        range: range.clone(),
        text: String::from(d.name()),
        kind: "option",
        ty: None,
        doc: None,
    };
    all.map(of).collect()
}

/// Returns the files and folders that complete the path `written`, which ends where `range` ends. Files that cannot be imported are left out. Hidden files are
/// left out unless the written name begins with a dot.
pub fn paths(session: &Workspace, written: &str, range: Range<usize>) -> Vec<Candidate> {
    let (folder, begin) =
        written.rsplit_once('/').map_or(("", written), |(f, b)| (if f.is_empty() { "/" } else { f }, b));
    let range = range.end - begin.len()..range.end;
    let mut all = session.list(folder);
    all.sort();
    all.into_iter()
        .filter(|name| name.starts_with(begin) && (!name.starts_with('.') || begin.starts_with('.')))
        .filter(|name| name.ends_with('/') || session.languages().of_path(Path::new(name)).is_some())
        .take(MAX_CANDIDATES)
        .map(|text| Candidate { range: range.clone(), text, kind: "path", ty: None, doc: None })
        .collect()
}

/// Returns the first sentence of a documentation text, or the first line if the sentence is longer.
fn first_sentence(doc: &str) -> String {
    let line = doc.lines().next().unwrap_or("");
    match line.find(". ") {
        Some(at) => String::from(&line[..=at]),
        None => String::from(line),
    }
}
