//! The columns of the blocks around a line.

use crate::text::Name;

/// Maximum number of lines that are read.
const MAX_LINES: usize = 500;

/// A line that a block around another line has: its column, and its key. An element of a list has none.
type Like = (usize, Option<Name>);

/// Returns the indentation that a misplaced line most likely has, and the key of the line above it with this indentation: the nearest
/// one of a line of the same kind, key or element. `O(lines)`, at most [`MAX_LINES`].
pub fn like(text: &str, at: usize) -> Option<Like> {
    let start = text.get(..at)?.rfind('\n')? + 1;
    let own = text.get(start..at)?;
    if !own.bytes().all(|byte| byte == b' ') {
        return None;
    }
    let is_element = text.get(at..)?.starts_with("- ");
    let mut inner = usize::MAX;
    let mut found: Option<Like> = None;
    let is_nearer = |column: usize, found: &Option<Like>| {
        found.as_ref().is_none_or(|(best, _)| column.abs_diff(own.len()) < best.abs_diff(own.len()))
    };
    for line in text.get(..start)?.lines().rev().take(MAX_LINES) {
        let rest = line.trim_start_matches(' ');
        let column = line.len() - rest.len();
        if rest.trim().is_empty() || rest.starts_with('#') || column >= inner {
            continue;
        }
        inner = column;
        if ["|", ">", "|-", "|+"].iter().any(|sign| rest.trim_end().ends_with(sign)) {
            // the lines found are text
            found = None;
        }
        let element = rest.strip_prefix('-').filter(|rest| rest.starts_with(' '));
        // the keys of an element are below its first one
        let key = element.unwrap_or(rest).trim_start();
        let key_column = line.len() - key.len();
        let name =
            key.split_once(':').map(|(key, _)| key.trim()).filter(|key| !key.is_empty() && !key.contains([' ', '"']));
        if is_element && element.is_some() && is_nearer(column, &found) {
            found = Some((column, None));
        }
        if let Some(name) = name.filter(|_| !is_element && is_nearer(key_column, &found)) {
            found = Some((key_column, Some(Name::new(name))));
        }
        if column == 0 {
            return found;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::like;

    #[test]
    fn a_misplaced_line_belongs_to_the_nearest_block_with_such_lines() {
        let is = |text: &str, expected: Option<(usize, Option<&str>)>| {
            let at = text.find('«').unwrap();
            let found = like(&text.replace('«', ""), at);
            let found = found.as_ref().map(|(column, key)| (*column, key.as_deref()));
            assert_eq!(found, expected, "{text}");
        };
        is("a:\n  b: 1\n  c:\n    - 1\n   «d: 2", Some((2, Some("c"))));
        is("l:\n  - a: 1\n    b: 2\n   «c: 3", Some((4, Some("b"))));
        is("l:\n  - a: 1\n   «c: 3", Some((4, Some("a"))));
        is("a:\n  b: 1\n «c: 3", Some((2, Some("b"))));
        is("l:\n    - 1\n  «- 2", Some((4, None)));
        // the lines of a text have no keys
        is("a: |\n    b: 1\n  «c: 2", Some((0, Some("a"))));
    }
}
