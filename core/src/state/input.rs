//! The form of an input: an optional `%%` line that names its language, then a cell or a `:command`.

use crate::dialect::{Dialect, Languages};
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::text::{Name, Span, near};
use std::ops::Range;
use std::path::Path;

/// Returns the range of the `%%` line, if the text begins with one. Comments may be before it: lines that begin with `#`.
pub(crate) fn language_line_range(text: &str) -> Option<Range<usize>> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let input = line.trim();
        if input.starts_with("%%") {
            let start = start + line.len() - line.trim_start().len();
            return Some(start..start + input.len());
        }
        if !input.is_empty() && !input.starts_with('#') {
            return None;
        }
        start += line.len();
    }
    None
}

/// Replaces the `%%` line by spaces, so that positions stay the same.
pub(crate) fn blanked(text: &str) -> String {
    match language_line_range(text) {
        Some(line) => [&text[..line.start], &" ".repeat(line.len()), &text[line.end..]].concat(),
        None => String::from(text),
    }
}

/// Returns an input with a leading command word replaced by spaces.
pub(crate) fn without_command(text: &str) -> String {
    let start = text.len() - text.trim_start().len();
    let rest = text.get(start..).filter(|rest| rest.starts_with(':'));
    let end = rest.map_or(0, |rest| start + rest.find(char::is_whitespace).unwrap_or(rest.len()));
    [&" ".repeat(end), text.get(end..).unwrap_or("")].concat()
}

/// Returns `true` if an input is a `:command`, possibly after a `%%` line. No expression begins with a colon.
pub(crate) fn is_command(text: &str) -> bool {
    let input = language_line_range(text).and_then(|line| text.get(line.end..)).unwrap_or(text);
    input.trim_start().starts_with(':')
}

/// Returns the language with a name that the user wrote.
pub(crate) fn dialect_of(languages: Languages, name: &str, usage: &str) -> Result<Dialect, Problem> {
    match languages.named(name) {
        Some(dialect) if dialect.has_cells() => built(languages, dialect, None),
        _ => {
            let all: Vec<&str> = languages.interactive().map(Dialect::name).collect();
            let (why, usage) = match name {
                "file" | "writefile" => (format!("`%%{name}` needs the name of a file"), "%%file NAME"),
                "time" | "timeit" | "run" => (format!("`%{name}` has one percent sign"), "%time EXPRESSION"),
                _ => (format!("unknown language `{name}`: expected {}", all.join(", ")), usage),
            };
            let (word, rest) = name.split_once(char::is_whitespace).unwrap_or((name, ""));
            // the name of a language, or the ending of its files
            let ending = || languages.of_path(Path::new(&format!("x.{word}"))).filter(|dialect| dialect.has_cells());
            // another name, as in editors: `nickel`
            let other = || {
                languages.interactive().find(|dialect| {
                    let editor = dialect.0.cells.and_then(|cells| cells.editor);
                    editor.is_some_and(|editor| editor.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(word)))
                })
            };
            let exact = languages.named(word).filter(|dialect| dialect.has_cells()).or_else(ending).or_else(other);
            let meant = exact
                .map(|dialect| Name::new_static(dialect.name()))
                .or_else(|| near(word, all.iter().copied()).into_iter().next());
            let (why, meant) = match (usage, meant) {
                // `%%jsonnet 1`
                ("%%DIALECT", Some(meant)) if meant == word && !rest.is_empty() => {
                    (format!("`%%{word}` is a line of its own; the input follows on the next line"), None)
                }
                ("%%DIALECT", meant) => (why, meant.map(|meant| Name::from(format!("%%{meant}")))),
                (_, meant) => (why, meant.map(|meant| Name::from(format!(":dialect {meant}")))),
            };
            let (why, usage) = (Name::from(why), Name::new(usage));
            let what = SessionKind::BadCommand { why, usage, meant, example: None };
            Err(Problem::error(SessionProblem { span: None, what }))
        }
    }
}

/// Returns the language of an input: the one that its `%%` line names, or else `session_language`.
pub(crate) fn language_of(languages: Languages, session_language: Dialect, text: &str) -> Result<Dialect, Problem> {
    match language_line_range(text) {
        Some(line) => dialect_of(languages, text.get(line.start + 2..line.end).unwrap_or("").trim(), "%%DIALECT"),
        None => Ok(session_language),
    }
}

/// Returns the language if it is built.
pub(crate) fn built(languages: Languages, dialect: Dialect, span: Option<Span>) -> Result<Dialect, Problem> {
    if dialect.is_built() {
        return Ok(dialect);
    }
    let built = languages.all().filter(|other| other.is_built()).map(|other| Name::new_static(other.name())).collect();
    Err(Problem::error(SessionProblem { span, what: SessionKind::NotBuilt { dialect: dialect.name(), built } }))
}
