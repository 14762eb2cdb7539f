//! Says what is still open in an input that continues on the next line.

use super::marks;
use cfg_core::Role;
use std::ops::Range;

/// The number of lines after which an input gets the reminder even if no line is empty.
const MANY_LINES: usize = 10;

/// Returns a reminder of what is open, after an empty line, many lines, or a line that looks like a command. `text` is the
/// input as far as its last line end. `is_reminded` says whether the input had a reminder before: only commands get another one.
pub fn reminder(text: &str, roles: &[(Range<usize>, Role)], is_reminded: bool) -> Option<String> {
    let lines = text.strip_suffix('\n')?;
    let last = lines.rsplit('\n').next().unwrap_or(lines).trim();
    let command = last.strip_prefix(':').filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '?'));
    let count = lines.split('\n').count();
    if command.is_none() && (is_reminded || count < MANY_LINES && (count < 2 || !last.is_empty())) {
        return None;
    }
    let open = match marks::innermost_open(text, roles) {
        Some((range, closer)) => {
            let before = text.get(..range.start).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or(before).chars().count() + 1;
            let opener = text.get(range).unwrap_or_default();
            format!("`{opener}` at {line}:{column} is still open, until `{closer}`")
        }
        None => String::from("the input is not complete yet"),
    };
    Some(match command {
        Some(command) if count > 1 => {
            let word = command.split_whitespace().next().unwrap_or(command);
            format!("`:{word}` is read as a part of the input: {open}; Ctrl-C leaves the input")
        }
        _ => format!("{open}; Ctrl-C leaves the input"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks all brackets as operators, as the lexer does outside of strings.
    fn about(text: &str, is_reminded: bool) -> String {
        let bracket = |(at, c): (usize, char)| "{}[]()".contains(c).then_some((at..at + 1, Role::Operator));
        let roles: Vec<_> = text.char_indices().filter_map(bracket).collect();
        reminder(text, &roles, is_reminded).unwrap_or_default()
    }

    #[test]
    fn an_empty_line_is_answered_with_what_is_open() {
        let open = "`[` at 2:7 is still open, until `]`; Ctrl-C leaves the input";
        assert_eq!(about("x = {\n  a = [\n\n", false), open);
        assert_eq!(about("x = {\n  a = [\n\n", true), "");
        assert_eq!(about("x = {\n  a = [\n", false), "");
        assert_eq!(about("fun x =>\n\n", false), "the input is not complete yet; Ctrl-C leaves the input");
    }

    #[test]
    fn a_command_is_read_as_a_part_of_the_input() {
        let expected =
            "`:type` is read as a part of the input: `{` at 1:5 is still open, until `}`; Ctrl-C leaves the input";
        assert_eq!(about("x = {\n:type x\n", true), expected);
        assert_eq!(about("x = {\n  a\n  : Number\n", false), "");
    }

    #[test]
    fn many_lines_are_answered_once() {
        let text = format!("x = {{\n{}", "a = 1,\n".repeat(12));
        assert!(about(&text, false).starts_with("`{` at 1:5"));
        assert_eq!(about(&text, true), "");
    }
}
