//! Cuts records and arrays on one line between their parts: `{ image = "x", …3 more }`.

use super::{Role, Styled};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// Minimum width for a part and the number of those that are left out, in columns.
const LEAST: usize = 20;
/// Minimum width for a part of a value after its name, in columns.
const FEWEST: usize = 6;

impl Styled {
    /// Cuts a record or array to `columns` columns between its parts. The part with the character `differs` is kept: the parts
    /// before it are left out if there is no room for them. `None` for any other text, and if there is too little room.
    pub(super) fn cut_parts(&self, columns: usize, differs: Option<usize>) -> Option<Styled> {
        let text = self.text();
        let mut parts = parts(&text)?;
        if columns < LEAST {
            return self.innermost(columns, differs?);
        }
        let last = parts.last()?.end;
        let (open, close) = (text.get(..parts.first()?.start)?, text.get(last..)?);
        // the value may be cut already: the parts that are left out there are counted with those that are left out here
        let hidden = parts.last().and_then(|last| left_out(text.get(last.clone())?)).filter(|_| parts.len() > 1);
        if hidden.is_some() {
            parts.pop();
        }
        let hidden = hidden.unwrap_or(0);
        let differs = differs.and_then(|at| text.char_indices().nth(at)).map_or(0, |(at, _)| at);
        let needed = parts.iter().position(|part| differs < part.end).unwrap_or(0);
        let more = |left: usize| match left + hidden {
            0 => String::new(),
            left => format!(", …{left} more"),
        };
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
            out.append(&match inside {
                0 => part.cut_parts(room, None).unwrap_or_else(|| part.cut(room)),
                inside => part.cut_parts(room, Some(inside)).unwrap_or_else(|| part.cut_field(room, inside)),
            });
            out.push(Role::Dim, rest);
        } else {
            out.append(&self.between(parts.get(from)?.start..parts.get(end - 1)?.end));
            out.push(Role::Dim, more(parts.len() - end));
        }
        out.append(&self.between(last..text.len()));
        Some(out)
    }

    /// Divides a record or array from the note after it, such as its priority. `None` if there is none.
    pub(super) fn without_note(&self) -> Option<(Styled, Styled)> {
        let text = self.text();
        let end = text.rfind(['}', ']']).filter(|_| text.starts_with(['{', '[']))? + 1;
        let note = text.get(end..)?;
        let is_note = note.starts_with(' ') && !note.contains(['"', '\'', '…']);
        is_note.then(|| (self.between(0..end), self.between(end..text.len())))
    }

    /// Cuts a record or array to the innermost part with the character `differs`: `{ …port = 80… }`, or `…port = 80…`. A cut in the
    /// middle of a part and on into another one could read as a value that is not there: `{ nam… = 80 }`. `None` for any other text.
    fn innermost(&self, columns: usize, differs: usize) -> Option<Styled> {
        let text = self.text();
        let all = parts(&text)?;
        let at = text.char_indices().nth(differs).map_or(0, |(at, _)| at);
        let needed = all.iter().position(|part| at < part.end).unwrap_or(0);
        let part = all.get(needed)?.clone();
        let inside = text.get(part.start..at).map_or(0, |before| before.chars().count());
        let own = self.between(part.clone());
        let (start, value) = own.value_of_field().unwrap_or_else(|| (0, own.clone()));
        if let Some(cut) = inside.checked_sub(start).and_then(|inside| value.innermost(columns, inside)) {
            return Some(cut);
        }
        let (open, close) = (text.get(..all.first()?.start)?, text.get(all.last()?.end..)?);
        let before = if needed > 0 { "…" } else { "" };
        let after = if needed + 1 < all.len() { "…" } else { "" };
        let marks = before.width() + after.width();
        let in_brackets = open.width() + close.width() + marks + own.width() <= columns;
        let (open, close, before, after) = match in_brackets {
            true => (open, close, before, after),
            false => ("", "", "…", "…"),
        };
        let marks = if in_brackets { open.width() + close.width() + marks } else { 2 };
        let shown = own.cut_field(columns.saturating_sub(marks), inside);
        let inner = shown.text();
        let mut out = Styled::of(Role::Operator, open);
        out.push(Role::Dim, if inner.starts_with('…') { "" } else { before });
        out.append(&shown);
        out.push(Role::Dim, if inner.ends_with('…') { "" } else { after });
        out.push(Role::Operator, close);
        Some(out)
    }

    /// Cuts a field so that the character `differs` is shown. The name of the field is kept if there is room for it and some of the
    /// value.
    fn cut_field(&self, columns: usize, differs: usize) -> Styled {
        let Some((start, value)) = self.value_of_field().filter(|(start, _)| differs >= *start) else {
            return self.cut_around(columns, differs);
        };
        let text = self.text();
        let name: String = text.chars().take(start).collect();
        match columns.checked_sub(name.width()).filter(|room| *room >= FEWEST || *room >= value.width()) {
            Some(room) => {
                let mut out = self.between(0..name.len());
                out.append(&value.cut_apart_at(room, differs - start));
                out
            }
            None => {
                let mut out = Styled::of(Role::Dim, "…");
                out.append(&value.cut_apart_at(columns.saturating_sub(1), differs - start));
                out
            }
        }
    }

    /// Cuts a value so that the character `differs` is shown.
    fn cut_apart_at(&self, columns: usize, differs: usize) -> Styled {
        if self.width() <= columns {
            return self.clone();
        }
        self.cut_parts(columns, Some(differs)).unwrap_or_else(|| self.cut_around(columns, differs))
    }

    /// Returns the value of a field on one line, and the number of characters before it. `None` for a text that is not a field.
    fn value_of_field(&self) -> Option<(usize, Styled)> {
        let text = self.text();
        let quoted = text.starts_with('"').then(|| text.get(1..)?.find('"').map(|end| end + 2)).flatten().unwrap_or(0);
        let name = text.get(quoted..)?;
        let sign = |sign: &str| name.find(sign).map(|at| at + sign.len());
        let length = [" = ", " : ", ": "].iter().filter_map(|s| sign(s)).min()?;
        // a bracket or a string before the sign: the sign is not that of this field
        if name.get(..length)?.contains(['{', '[', '(', '"']) {
            return None;
        }
        let start = quoted + length;
        Some((text.get(..start)?.chars().count(), self.between(start..text.len())))
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

/// Returns the number of parts that a value leaves out: 4 for `… 4 more`. `None` if a text is something else.
pub(super) fn left_out(part: &str) -> Option<usize> {
    part.strip_prefix("… ")?.strip_suffix(" more")?.parse().ok()
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
        for (own, columns, shown) in [
            ("[0, 1, 2, 3, 4, 5, 6, … 993 more]", 24, "[0, 1, 2, 3, …996 more]"),
            ("[0, 1, 2, 3, 4, 5, 6, … 993 more]", 40, "[0, 1, 2, 3, 4, 5, 6, … 993 more]"),
            ("{ a = 1, bbbbbbbbbb = 2, … 7 more }", 30, "{ a = 1, …8 more }"),
        ] {
            assert_eq!(Styled::from(own).cut(usize::MAX).cut_apart(columns, &[]).text(), shown);
        }
        // a value that is cut elsewhere does not differ there
        assert_eq!(
            cut("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, … 90 more]", "[0, 1, 2, 3, … 96 more]", 24),
            "[0, 1, 2, 3, …96 more]"
        );
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
