//! What strict readers refuse and everybody writes: a closing bracket as far left as the key in front of its opening one.
//!
//! ```yaml
//! command: [
//!   "run",
//! ]
//! ```
//!
//! YAML 1.2 wants it further right (7.4, `s-separate(n,c)`); libyaml and go-yaml do not mind. The line is joined to the one before it,
//! character for character, so that places stay.

/// How often a file is mended, each time read from its beginning.
pub(super) const MOST_REPAIRS: usize = 100;
/// How many bytes are read for that, together.
pub(super) const MOST_READ: usize = 64 << 20;

/// The text with the line of a closing bracket joined to what stands before it; as many characters. `None`: no closing
/// bracket begins a line there. O(length).
pub(super) fn joined(text: &str, at: usize) -> Option<String> {
    let (before, after) = text.split_at_checked(at)?;
    if !after.starts_with([']', '}']) {
        return None;
    }
    let start = before.rfind('\n')? + 1;
    if !before[start..].trim().is_empty() {
        return None;
    }
    // from here on nothing but blanks, line ends and comments
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

/// Where the comment of a line begins; its end without one.
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
