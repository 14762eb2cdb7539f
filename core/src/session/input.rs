//! The form of an input: a `%%` line that names its language, a `:command`.

use std::ops::Range;

/// Where a cell's `%%name` stands, if it begins with one.
pub(super) fn magic(text: &str) -> Option<Range<usize>> {
    let start = text.len() - text.trim_start().len();
    let line = text[start..].lines().next()?.trim_end();
    line.starts_with("%%").then_some(start..start + line.len())
}

/// A cell's text with its `%%` line made blank: positions stay.
pub(super) fn blanked(text: &str) -> String {
    match magic(text) {
        Some(line) => [&text[..line.start], &" ".repeat(line.len()), &text[line.end..]].concat(),
        None => String::from(text),
    }
}

/// Whether an input is a `:command`, below a `%%` line perhaps. No expression begins with a colon.
pub(super) fn is_command(text: &str) -> bool {
    let input = magic(text).and_then(|line| text.get(line.end..)).unwrap_or(text);
    input.trim_start().starts_with(':')
}
