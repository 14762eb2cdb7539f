//! Repair of a common style that strict parsers reject: a closing bracket that is not indented further than its key.
//!
//! ```yaml
//! command: [
//!   "run",
//! ]
//! ```
//!
//! YAML 1.2 requires more indentation (7.4, `s-separate(n,c)`); libyaml and go-yaml accept it. The line is joined to the
//! previous one without changing the number of characters, so that positions stay the same.

/// Maximum number of repairs of a file. Each repair parses the file again.
pub(super) const MOST_REPAIRS: usize = 100;
/// Maximum number of bytes parsed for repairs.
pub(super) const MOST_READ: usize = 64 << 20;

/// Joins the line of a closing bracket to the text before it, keeping the number of characters. `None` if no closing bracket
/// begins a line at this offset. O(length).
pub(super) fn joined(text: &str, at: usize) -> Option<String> {
    let (before, after) = text.split_at_checked(at)?;
    if !after.starts_with([']', '}']) {
        return None;
    }
    let start = before.rfind('\n')? + 1;
    if !before[start..].trim().is_empty() {
        return None;
    }
    // skip spaces, line ends and comments backwards
    let mut from = start;
    loop {
        let above = before[..from].trim_end();
        let line = above.rfind('\n').map_or(0, |end| end + 1);
        from = line + comment(&above[line..]);
        if !above[line..from].trim().is_empty() {
            break;
        }
        if line == 0 {
            return None;
        }
        from = line;
    }
    let mut out = String::with_capacity(text.len());
    out.push_str(&before[..from]);
    out.extend(before[from..].chars().map(|_| ' '));
    out.push_str(after);
    Some(out)
}

/// Returns the offset of a line's comment, or the length of the line.
fn comment(line: &str) -> usize {
    let mut quote = None;
    let mut last = ' ';
    for (at, c) in line.char_indices() {
        match quote {
            None if c == '#' && last.is_whitespace() => return at,
            None if c == '"' || c == '\'' => quote = Some(c),
            Some(open) if c == open && last != '\\' => quote = None,
            _ => {}
        }
        last = c;
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bracket_is_joined_to_the_line_before() {
        for (text, to) in [
            ("a: [\n  1, # ö\n]\n", "a: [\n  1,     ]\n"),
            ("a: {\r\n# x\n\n}", "a: {       }"),
            ("a: [\n  '#', \"#\"\n ]", "a: [\n  '#', \"#\"  ]"),
        ] {
            let at = text.rfind([']', '}']).unwrap();
            let new = joined(text, at).unwrap();
            assert_eq!(new, to);
            assert_eq!(new.chars().count(), text.chars().count());
        }
        assert_eq!(joined("a: [1]", 5), None);
        assert_eq!(joined("# x\n]", 4), None);
    }
}
