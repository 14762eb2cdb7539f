//! The source lines of a place, with marks and their labels.

use super::clean;
use crate::problem::report::Label;
use crate::styled::Styled;
use crate::text::Source;
use annotate_snippets::{AnnotationKind, Origin, Snippet};
use std::ops::Range;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Maximum number of lines of a place that are shown. Of a longer place only the first line is shown.
const MAX_LINES: usize = 40;
/// Number of columns that the renderer uses for a tab.
const TAB: usize = 4;

/// The source lines of a place, with marks in them.
pub(super) struct Window<'a> {
    source: &'a Source,
    text: String,
    first_line: usize,
    one_line: bool,
    pub marks: Vec<Mark<'a>>,
}

/// A marked range in the text of a window.
#[derive(Clone)]
pub(super) struct Mark<'a> {
    /// The byte range in the text.
    range: Range<usize>,
    /// The label.
    label: &'a str,
    primary: bool,
    /// The line and column in the source.
    position: (usize, usize),
}

impl<'a> Window<'a> {
    pub fn of(source: &'a Source, label: &'a Label, width: usize, primary: bool) -> Window<'a> {
        let whole: &str = &source.text;
        let start = floor(whole, label.span.start as usize);
        let end = floor(whole, label.span.end as usize).max(start);
        // Trailing line ends are excluded from a place.
        let end = start + whole[start..end].trim_end_matches('\n').len();
        let position = source.position(start as u32);
        // Nothing here may scan the line: it may be a whole file, with thousands of places.
        let Range { start: from, end: first_end } = source.line_range(start);
        let mut until = source.line_range(end).end;
        let mut stop = end;
        if source.position(until as u32).line as usize >= position.line as usize + MAX_LINES {
            until = first_end;
            stop = first_end;
        }
        let one_line = until == first_end;
        let mut mark = start - from..stop - from;
        let room = width.saturating_mul(4).max(200);
        if !one_line && whole[from..until].lines().any(|l| l.len() > room * 2) {
            // One of several lines is too long: only the first line is shown.
            until = first_end;
            mark.end = until - from;
        }
        let (text, mark) = match until - from > room * 2 && until <= first_end {
            true => cut(source, from..until, mark, room),
            false => (source.shown_with(from..until, &mut mark).into_owned(), mark),
        };
        Window {
            source,
            text,
            first_line: position.line as usize,
            one_line,
            marks: vec![Mark {
                range: mark,
                label: label.text.as_str(),
                primary,
                position: (position.line as usize, position.column as usize),
            }],
        }
    }

    /// Returns whether another place can share the lines of this window: only if both are on the same line and its
    /// position stays visible.
    pub fn joins(&self, other: &Window<'a>) -> bool {
        self.one_line
            && other.one_line
            && std::ptr::eq(self.source, other.source)
            && self.first_line == other.first_line
            && self.text == other.text
    }

    pub fn origin(&self) -> Origin<'_> {
        let (line, column) = self.marks.first().map_or((self.first_line, 1), |mark| mark.position);
        Origin::path(clean(&self.source.name)).line(line).char_column(column)
    }

    /// Returns the number of the last line, and whether there are several lines.
    pub fn extent(&self) -> (usize, bool) {
        (self.first_line + self.text.matches('\n').count(), !self.one_line)
    }

    /// Fits the window into `room` columns. If the lines and the labels beside them do not fit, they are cut around the
    /// marks. Marks that are too far apart on a line get separate windows.
    pub fn fitted(mut self, room: usize) -> Vec<Window<'a>> {
        let column = |at: usize| columns(self.text.get(..at).unwrap_or_default());
        let beside = |mark: &Mark<'_>, most: usize| match clean(mark.label).width() {
            0 => 0,
            label => 1 + label.min(most),
        };
        if !self.one_line {
            let keep = self.marks.iter().map(|mark| beside(mark, room / 2)).max().unwrap_or(0);
            // A place that begins at the end of a line is marked after it.
            self.shorten(room.saturating_sub(1), keep);
            return vec![self];
        }
        // The label of the last mark is after it; other labels may be below their marks.
        let furthest = self.marks.iter().map(|mark| mark.range.end).max().unwrap_or(0);
        let reach = |mark: &Mark<'_>, most: usize| {
            let (start, end) = (column(mark.range.start), column(mark.range.end) + usize::from(mark.range.is_empty()));
            match mark.range.end == furthest {
                true => (start, end + beside(mark, most)),
                false => (start, end.max(start + beside(mark, most))),
            }
        };
        let from = self.marks.iter().map(|mark| reach(mark, 0).0).min().unwrap_or(0);
        let until = |most: usize| self.marks.iter().map(|mark| reach(mark, most).1).max().unwrap_or(0);
        // A label is cut to half of the room if there is no space for all of it.
        let most = if until(room).saturating_sub(from) + 2 <= room { room } else { room / 2 };
        let until = until(most);
        if columns(&self.text) <= room && until <= room {
            return vec![self];
        }
        if self.marks.len() > 1 && until - from + 2 > room {
            let alone = |mark: &Mark<'a>| Window { marks: vec![mark.clone()], text: self.text.clone(), ..self };
            return self.marks.iter().map(alone).flat_map(|window| window.fitted(room)).collect();
        }
        // One column is for `…`.
        let first = (until + 1).saturating_sub(room).min(from.saturating_sub(2));
        let last = self.marks.iter().filter(|mark| mark.range.end == furthest);
        let keep = last.map(|mark| beside(mark, most)).max().unwrap_or(0);
        self.narrow(first, room, keep);
        vec![self]
    }

    /// Cuts the text to `room` columns from column `first`, and leaves space for the labels after the marks.
    fn narrow(&mut self, first: usize, room: usize, keep: usize) {
        let byte = |column: usize, before: bool| byte_at(&self.text, column, before);
        let from = if first > 0 { byte(first + 1, false) } else { 0 };
        let lead = if from > 0 { "…" } else { "" };
        let until = match columns(&self.text[from..]) + lead.width() > room {
            true => byte(first + room - 1, true),
            false => self.text.len(),
        };
        let tail = if until < self.text.len() { "…" } else { "" };
        let end = byte((first + room).saturating_sub(keep + 1), true).max(from);
        for mark in &mut self.marks {
            let start = mark.range.start.clamp(from, until);
            let stop = mark.range.end.clamp(start, until.min(end.max(start)));
            mark.range = start - from + lead.len()..stop - from + lead.len();
        }
        self.text = format!("{lead}{}{tail}", &self.text[from..until]);
    }

    /// Cuts each of several lines to `room` columns, and leaves `keep` columns for the labels of marks that end in a
    /// line.
    fn shorten(&mut self, room: usize, keep: usize) {
        let mut out = String::with_capacity(self.text.len());
        let mut before = 0;
        let mut marks: Vec<Range<usize>> = self.marks.iter().map(|mark| mark.range.clone()).collect();
        for (index, line) in self.text.split('\n').enumerate() {
            if index > 0 {
                out.push('\n');
            }
            let start = out.len();
            let ends = self.marks.iter().any(|mark| (before..=before + line.len()).contains(&mark.range.end));
            let room = if ends { room.saturating_sub(keep) } else { room };
            let kept = if columns(line) > room { byte_at(line, room.saturating_sub(1), true) } else { line.len() };
            out.push_str(&line[..kept]);
            if kept < line.len() {
                out.push('…');
            }
            for (mark, own) in marks.iter_mut().zip(&self.marks) {
                for (to, at) in [(&mut mark.start, own.range.start), (&mut mark.end, own.range.end)] {
                    if (before..=before + line.len()).contains(&at) {
                        *to = start + (at - before).min(kept);
                    }
                }
            }
            before += line.len() + 1;
        }
        for (mark, range) in self.marks.iter_mut().zip(marks) {
            mark.range = range.start..range.end.max(range.start);
        }
        self.text = out;
    }

    /// Returns the label of a mark, cut to the space beside it. A label that the terminal wraps would hide what is
    /// marked.
    fn label(&self, mark: &Mark<'_>, room: Option<usize>) -> String {
        let text = clean(mark.label);
        let Some(room) = room else { return text };
        // Beside the last mark of a line; below the others if there is no space between.
        let last = !self.one_line || self.marks.iter().all(|other| other.range.end <= mark.range.end);
        let at = if last { mark.range.end } else { mark.range.start };
        let line = self.text.get(..at).and_then(|text| text.rsplit('\n').next()).unwrap_or_default();
        let marked = columns(line) + usize::from(last && mark.range.is_empty()) + usize::from(last);
        let room = room.saturating_sub(marked).max(8);
        Styled::from(text.as_str()).cut_between_words(room).text()
    }

    pub fn snippet(&self, room: Option<usize>) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        let marks = self.marks.iter().map(|mark| {
            let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let drawn = kind.span(mark.range.clone());
            if mark.label.is_empty() { drawn } else { drawn.label(self.label(mark, room)) }
        });
        Snippet::source(self.text.as_str()).line_start(self.first_line).annotations(marks)
    }
}

/// Returns the part of a long line around a mark, with about `room` bytes to each side.
fn cut(source: &Source, line: Range<usize>, mark: Range<usize>, room: usize) -> (String, Range<usize>) {
    const DOTS: &str = "…";
    let text = &source.text[line.clone()];
    let from = floor(text, mark.start.saturating_sub(room));
    let shown_end = floor(text, mark.end.min(mark.start.saturating_add(room)));
    let until = floor(text, shown_end.saturating_add(room));
    let before = if from > 0 { DOTS } else { "" };
    let after = if until < text.len() { DOTS } else { "" };
    let mut range = mark.start - from..shown_end.max(mark.start) - from;
    let shown = source.shown_with(line.start + from..line.start + until, &mut range);
    (format!("{before}{shown}{after}"), range.start + before.len()..range.end + before.len())
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns the width of a line in columns, as the renderer draws it.
fn columns(line: &str) -> usize {
    line.chars().map(wide).sum()
}

fn wide(c: char) -> usize {
    // Control characters are drawn as symbols of one column.
    if c == '\t' { TAB } else { c.width().unwrap_or(1) }
}

/// Returns the byte offset at which a column begins, or the end of the line. If a wide character covers the column,
/// returns the offset before it (with `before`) or after it.
fn byte_at(line: &str, column: usize, before: bool) -> usize {
    let mut used = 0;
    for (at, c) in line.char_indices() {
        if used >= column || (before && used + wide(c) > column) {
            return at;
        }
        used += wide(c);
    }
    line.len()
}
