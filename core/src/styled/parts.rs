//! Cuts records and arrays on one line between their parts: `{ image = "x", …3 more }`.

use super::{Role, Styled};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// Minimum width for a part and the number of those that are left out, in columns.
const LEAST: usize = 20;

impl Styled {
    /// Cuts a record or array to `columns` columns between its parts. The part with the character `differs` is kept: the parts
    /// before it are left out if there is no room for them. `None` for any other text, and if there is too little room.
    pub(super) fn cut_parts(&self, columns: usize, differs: Option<usize>) -> Option<Styled> {
        let text = self.text();
        let parts = parts(&text)?;
        if columns < LEAST {
            return None;
        }
        let (first, last) = (parts.first()?, parts.last()?);
        let (open, close) = (text.get(..first.start)?, text.get(last.end..)?);
        let differs = differs.and_then(|at| text.char_indices().nth(at)).map_or(0, |(at, _)| at);
        let needed = parts.iter().position(|part| differs < part.end).unwrap_or(0);
        let more = |left: usize| if left == 0 { String::new() } else { format!(", …{left} more") };
        // the first parts if the needed one is among them, otherwise those from the needed one on
        let fit = |from: usize| {
            let skipped = if from > 0 { "…, " } else { "" };
            let mut used = open.width() + skipped.width() + close.width();
            let mut end = from;
            while let Some(part) = parts.get(end) {
                let width = text.get(part.clone()).unwrap_or_default().width() + if end > from { 2 } else { 0 };
                if used + width + more(parts.len() - end - 1).width() > columns {
                    break;
                }
                used += width;
                end += 1;
            }
            (from, end)
        };
        let (from, end) = match fit(0) {
            kept @ (_, end) if needed < end || needed == 0 => kept,
            _ => fit(needed),
        };
        let mut out = self.between(0..open.len());
        if from > 0 {
            out.push(Role::Dim, "…, ");
        }
        if end == from {
            // not even one part fits
            let part = parts.get(from)?;
            let rest = more(parts.len() - from - 1);
            let room = columns.checked_sub(out.width() + rest.width() + close.width()).filter(|room| *room > 4)?;
            let inside = text.get(part.start..differs).map_or(0, |before| before.chars().count());
            let part = self.between(part.clone());
            // a cut in the middle of a nested part could read as another value: `{ nam… = 80 }`
            out.append(&match inside {
                0 => part.cut_parts(room, None).unwrap_or_else(|| part.cut(room)),
                inside => part.cut_parts(room, Some(inside)).unwrap_or_else(|| part.cut_around(room, inside)),
            });
            out.push(Role::Dim, rest);
        } else {
            out.append(&self.between(parts.get(from)?.start..parts.get(end - 1)?.end));
            out.push(Role::Dim, more(parts.len() - end));
        }
        out.append(&self.between(last.end..text.len()));
        Some(out)
    }

    /// Returns the part of a line in a range of bytes.
    fn between(&self, range: Range<usize>) -> Styled {
        let mut out = Styled::new();
        let mut at = 0;
        for (role, text) in &self.runs {
            let own = range.start.clamp(at, at + text.len()) - at..range.end.clamp(at, at + text.len()) - at;
            out.push(*role, text.get(own).unwrap_or_default());
            at += text.len();
        }
        out
    }
}

/// Returns the byte ranges of the parts of a record or array on one line. `None` for anything else. O(length).
fn parts(text: &str) -> Option<Vec<Range<usize>>> {
    let inner = match text.as_bytes() {
        [b'{', .., b'}'] | [b'[', .., b']'] => text.get(1..text.len() - 1)?,
        _ => return None,
    };
    let mut parts = Vec::new();
    let (mut depth, mut quote, mut escaped, mut start) = (0usize, None, false, 0);
    for (at, c) in inner.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quote = Some(c),
            (None, '{' | '[' | '(') => depth += 1,
            (None, '}' | ']' | ')') => depth = depth.checked_sub(1)?,
            (None, ',') if depth == 0 => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(start..inner.len());
    let trimmed = |part: Range<usize>| {
        let text = inner.get(part.clone())?;
        let start = part.start + text.len() - text.trim_start().len();
        let end = part.end - (text.len() - text.trim_end().len());
        // the opening bracket is before it
        (start < end).then_some(start + 1..end + 1)
    };
    parts.into_iter().map(trimmed).collect()
}

#[cfg(test)]
mod tests {
    use super::Styled;

    #[test]
    fn a_record_is_cut_between_its_parts() {
        let cut = |own: &str, other: &str, columns| Styled::from(own).cut_apart(columns, &[Styled::from(other)]).text();
        let long = r#"{ big = 1234567890123, feature = "yes, {", flag = "x", z = 1 }"#;
        for (other, columns, shown) in [
            (r#"{ big = 2 }"#, 40, "{ big = 1234567890123, …3 more }"),
            (r#"{ big = 1234567890123, feature = "no" }"#, 40, r#"{ …, feature = "yes, {", …2 more }"#),
            (r#"{ big = 1234567890123, feature = "yes, {", flag = "y" }"#, 40, r#"{ …, flag = "x", z = 1 }"#),
            (r#"{ big = 2 }"#, 26, "{ big = 123456…, …3 more }"),
            (long, 40, "{ big = 1234567890123, …3 more }"),
        ] {
            assert_eq!(cut(long, other, columns), shown, "{other}");
        }
        assert_eq!(
            cut(r#"["aaaaaaaaaaaaaaaa1", "b"]"#, r#"["aaaaaaaaaaaaaaaa2", "b"]"#, 24),
            r#"["aaa…aaaaaa1", …1 more]"#
        );
    }
}
