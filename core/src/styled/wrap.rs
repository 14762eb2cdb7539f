//! Wraps lines between words.

use super::{Role, Styled};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Wraps lines at `width` columns between words, and indents continuation lines by `hang` columns. Lines that begin
/// with a space are not changed, because they are laid out already. O(length).
pub fn wrap(text: &str, width: usize, hang: usize) -> String {
    lines(text, width, hang, 0)
}

/// Wraps a message at `width` columns between words. Code between backticks stays whole if it fits two thirds of a line:
/// "give one of them another priority (`a | force = …`)". O(length).
pub fn message(text: &str, width: usize) -> String {
    sentence(text, width, 0)
}

/// Wraps a sentence like [`message`], with continuation lines that are indented by `hang` columns. O(length).
pub fn sentence(text: &str, width: usize, hang: usize) -> String {
    lines(text, width, hang, width.saturating_mul(2) / 3)
}

/// Wraps lines. Code of at most `longest` columns counts as a word.
fn lines(text: &str, width: usize, hang: usize, longest: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if line.starts_with(' ') || line.width() <= width {
            out.push_str(line);
            continue;
        }
        let mut column = 0;
        for word in words(line, longest) {
            let columns = word.width();
            if column > 0 && column + 1 + columns > width {
                out.push('\n');
                out.push_str(&" ".repeat(hang));
                column = hang;
            } else if column > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += columns;
        }
    }
    out
}

/// Splits a line at its spaces, except those in code between backticks of at most `longest` columns.
fn words(line: &str, longest: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let text = rest?;
        let to_space = |from: usize| text[from..].find(' ').map_or(text.len(), |at| from + at);
        let mut end = to_space(0);
        if text[..end].matches('`').count() % 2 == 1
            && let Some(close) = text[end..].find('`')
        {
            let whole = to_space(end + close);
            if text[..whole].width() <= longest {
                end = whole;
            }
        }
        rest = text.get(end + 1..);
        Some(&text[..end])
    })
}

/// Wraps text of one role into a column that begins at `hang`.
pub fn column(role: Role, text: &str, width: usize, hang: usize) -> Styled {
    let room = width.saturating_sub(hang).max(width.saturating_sub(2).min(20));
    let wrapped = wrap(text, room, 0);
    Styled::of(role, wrapped.replace('\n', &format!("\n{}", " ".repeat(hang))))
}

/// Returns the text with no line wider than `width` columns. A line that is too wide is broken between words, or inside
/// a word that is wider than a line, there after a separator of paths where possible. Continuation lines are indented by two more
/// columns than the line. O(length).
pub fn fit(text: &Styled, width: usize) -> Styled {
    if text.text().lines().all(|line| line.width() <= width) {
        return text.clone();
    }
    let mut out = Styled::new();
    let mut line: Vec<(Role, &str)> = Vec::new();
    let mut first = true;
    let mut end = |line: &mut Vec<(Role, &str)>, out: &mut Styled| {
        if !std::mem::take(&mut first) {
            out.plain("\n");
        }
        fit_line(line, width.max(4), out);
        line.clear();
    };
    for (role, run) in text.runs() {
        for (index, part) in run.split('\n').enumerate() {
            if index > 0 {
                end(&mut line, &mut out);
            }
            line.push((*role, part));
        }
    }
    end(&mut line, &mut out);
    out
}

/// Returns where a word of which only `start..end` fits on a line is divided: `/usr/share/` before `doc`, if that is not less
/// than a third of the line, otherwise at `end`.
pub fn end_of_part(text: &str, start: usize, end: usize) -> usize {
    let row = text.get(start..end).unwrap_or_default();
    // the parts of a path are kept whole if possible, then the parts of a name
    let kinds: [&[char]; 2] = [&['/', '\\', ',', ';'], &[':', '&', '?', '=', '|', '.', '-', '_']];
    let after = kinds.iter().filter_map(|kind| row.rfind(*kind).map(|at| at + 1));
    let mut whole = after.filter(|after| row.get(..*after).is_some_and(|part| part.width() * 3 >= row.width()));
    whole.next().map_or(end, |after| start + after)
}

fn fit_line(line: &[(Role, &str)], width: usize, out: &mut Styled) {
    let whole: String = line.iter().map(|(_, text)| *text).collect();
    let indent = whole.len() - whole.trim_start_matches(' ').len();
    let hang = (indent + 2).min(width / 2);
    // The byte ranges of the rows.
    let mut rows: Vec<(usize, usize)> = Vec::new();
    let (mut start, mut used, mut blank) = (0, 0, None);
    for (at, c) in whole.char_indices() {
        let columns = c.width().unwrap_or(0);
        if used + columns > width && c != ' ' {
            let next = match blank {
                Some((from, to)) if from > start => {
                    rows.push((start, from));
                    to
                }
                _ => {
                    let end = end_of_part(&whole, start, at);
                    rows.push((start, end));
                    end
                }
            };
            used = hang + whole.get(next..at).map_or(0, UnicodeWidthStr::width);
            (start, blank) = (next, None);
        }
        used += columns;
        if c == ' ' && at >= indent.max(start) {
            blank = match blank {
                Some((from, to)) if to == at => Some((from, at + 1)),
                _ => Some((at, at + 1)),
            };
        }
    }
    rows.push((start, whole.len()));
    for (index, (from, to)) in rows.iter().enumerate() {
        if index > 0 {
            out.plain(format!("\n{}", " ".repeat(hang)));
        }
        let mut at = 0;
        for (role, text) in line {
            let own = (*from).clamp(at, at + text.len()) - at..(*to).clamp(at, at + text.len()) - at;
            out.push(*role, text.get(own).unwrap_or_default());
            at += text.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Role, Styled, fit, message, wrap};

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("aa bb cc dd", 5, 0), "aa bb\ncc dd");
        assert_eq!(wrap("aa bb cc", 5, 2), "aa bb\n  cc");
        assert_eq!(wrap("aa\n\n  laid out already\nb", 5, 0), "aa\n\n  laid out already\nb");
        assert_eq!(wrap("one-long-word and more", 5, 0), "one-long-word\nand\nmore");
    }

    #[test]
    fn code_in_a_message_stays_whole() {
        assert_eq!(
            message("may have a number (`a | priority 1 = …`), or not", 40),
            "may have a number\n(`a | priority 1 = …`), or not"
        );
        assert_eq!(message("use `a b` or `c d`", 14), "use `a b` or\n`c d`");
        // longer code is broken
        assert_eq!(message("use `one two three` here", 12), "use `one two\nthree` here");
        assert_eq!(message("a ` b c", 3), "a `\nb c");
    }

    #[test]
    fn what_is_laid_out_and_has_no_room_breaks_between_words() {
        let fitted = |text: &str, width| fit(&Styled::from(text), width).text();
        assert_eq!(fitted("a  bb\n  cc dd  ee", 8), "a  bb\n  cc dd\n    ee");
        assert_eq!(fitted("~ a.b  1 default  ->  2\n", 12), "~ a.b  1\n  default\n  ->  2\n");
        assert_eq!(fitted("0123456789 x", 6), "012345\n  6789\n  x");
        assert_eq!(fitted("x = /usr/share/some/path.txt", 13), "x =\n  /usr/share/\n  some/\n  path.txt");
        assert_eq!(fitted("a/bcdefghijklmno", 8), "a/bcdefg\n  hijklm\n  no");
        assert_eq!(fitted("字字字字 字", 7), "字字字\n  字 字");
        let mut two = Styled::of(Role::Name, "ab cd");
        two.push(Role::Error, "ef gh");
        let fitted = fit(&two, 6);
        assert_eq!(fitted.text(), "ab\n  cdef\n  gh");
        assert_eq!(fitted.runs().first(), Some(&(Role::Name, String::from("ab"))));
    }
}
