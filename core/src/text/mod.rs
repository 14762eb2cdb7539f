//! Source texts, spans, lines and columns. All other modules refer to source positions through these types.

pub(crate) mod blocks;
mod near;
pub mod path;
mod words;

pub use near::{is_misspelt, is_swapped, near, near_files};

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A name in a program: a field, a variable, a tag. Short names are stored inline.
pub type Name = smol_str::SmolStr;

/// Identifies the text of a span. The session assigns the ids and never reuses one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SourceId(pub u32);

/// A half-open range of bytes in one source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The text that contains the range.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.source.0, self.start, self.end)
    }
}

impl Span {
    /// Makes the range `start..end` of `source`.
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        Span { source, start: start as u32, end: end as u32 }
    }

    /// Returns the smallest span that covers both. The source is that of `self`.
    pub fn to(self, other: Span) -> Span {
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the empty span at the start of this one.
    pub fn at_start(self) -> Span {
        Span { end: self.start, ..self }
    }

    /// Returns the length in bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Returns whether the span is empty.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A line and a column, both from 1. The column counts characters (code points).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in code points, from 1.
    pub column: u32,
}

/// The text that is shown in place of a secret.
pub const MASK: &str = "<secret>";

/// A text that was read: a file, an input at the prompt, the value of an option, a part of the library.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The name as the user would write it: `main.cfg`, `cfg[7]`, `<std>`.
    pub name: Arc<str>,
    /// The whole text. Invalid UTF-8 was replaced when it was read. What is shown to the user comes from [`Source::shown`].
    pub text: Arc<str>,
    /// The name of the language that it is written in, if it is an input of a session.
    pub language: Option<&'static str>,
    /// The byte ranges that are secret, in order, without overlaps.
    secrets: Vec<Range<usize>>,
    lines: OnceLock<Vec<u32>>,
    /// Entry `n` is the number of characters that begin before byte `n * STRIDE`.
    character_counts: OnceLock<Vec<u32>>,
}

/// Maximum length of an option's text in a location ([`Source::option_text`]), in characters.
const MAX_OPTION_LENGTH: usize = 48;

/// Distance in bytes between the entries of [`Source::character_counts`].
const STRIDE: usize = 1024;

/// The first id of a collection that can adopt another one ([`Sources::overlay`]).
const FIRST_OVERLAY_ID: u32 = 1 << 30;

/// Returns the number of characters that begin in a part of a text.
fn count_characters(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| (**byte & 0xc0) != 0x80).count() as u32
}

impl Source {
    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            std::iter::once(0)
                .chain(self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1))
                .collect()
        })
    }

    /// Returns the position of a byte offset in the text as it is shown: a secret has the width of its mask, so that no
    /// column depends on it, and an offset inside a secret has the position of its start. Offsets past the end give the end.
    /// O(log lines + secrets of the line), after one pass over the text.
    pub fn position(&self, offset: u32) -> Position {
        let offset = (offset as usize).min(self.text.len());
        let line = self.line_index(offset);
        let mut end = offset;
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let start = self.lines()[line] as usize;
        let bytes = self.text.as_bytes();
        let column = match end.saturating_sub(start) {
            0..STRIDE => count_characters(&bytes[start..end]),
            // On a very long line, an index avoids scanning from the beginning for every position.
            _ => self.characters_before(end) - self.characters_before(start),
        };
        let column = if self.secrets.is_empty() { column } else { self.shown_column(column, start..end) };
        Position { line: line as u32 + 1, column: column + 1 }
    }

    /// Returns the number of characters that are shown of a range from the start of a line, which has `column` characters.
    fn shown_column(&self, column: u32, range: Range<usize>) -> u32 {
        let first = self.secrets.partition_point(|secret| secret.end <= range.start);
        let inside = self.secrets.get(first..).unwrap_or_default().iter().take_while(|s| s.start < range.end);
        inside.fold(column, |column, secret| {
            let hidden = secret.start.max(range.start)..secret.end.min(range.end);
            let hidden = self.text.as_bytes().get(hidden).map_or(0, count_characters);
            // the mask of a secret of several lines is on its first line
            let is_whole = range.start <= secret.start && secret.end <= range.end;
            column.saturating_sub(hidden) + if is_whole { MASK.len() as u32 } else { 0 }
        })
    }

    /// Returns the index of the line that contains an offset, from 0.
    fn line_index(&self, offset: usize) -> usize {
        self.lines().partition_point(|start| *start as usize <= offset) - 1
    }

    /// Returns the byte range of the line that contains an offset, without the line end. O(log lines).
    pub fn line_range(&self, offset: usize) -> Range<usize> {
        let line = self.line_index(offset.min(self.text.len()));
        let end = self.lines().get(line + 1).map_or(self.text.len(), |next| *next as usize - 1);
        self.lines()[line] as usize..end
    }

    /// Returns a range of the text as it is shown: each secret in it is one mask of constant width, followed by the line
    /// ends inside the secret. Returns the empty text for a range that is not in the text.
    pub fn shown(&self, range: Range<usize>) -> Cow<'_, str> {
        self.shown_with(range, &mut (0..0))
    }

    /// Like [`Source::shown`]. Also maps `mark`: on entry it is a range relative to the start of `range`, on return
    /// the corresponding range of the result.
    pub fn shown_with(&self, range: Range<usize>, mark: &mut Range<usize>) -> Cow<'_, str> {
        let Some(text) = self.text.get(range.clone()) else { return Cow::Borrowed("") };
        let first = self.secrets.partition_point(|secret| secret.end <= range.start);
        let secrets = self.secrets.get(first..).unwrap_or_default();
        let mut inside = secrets.iter().take_while(|secret| secret.start < range.end).peekable();
        if inside.peek().is_none() {
            return Cow::Borrowed(text);
        }
        let relative = |at: usize| at.clamp(range.start, range.end) - range.start;
        let (mut out, mut done) = (String::with_capacity(text.len()), 0);
        let marked = mark.clone();
        for secret in inside {
            let (from, until) = (relative(secret.start), relative(secret.end));
            let (Some(before), Some(hidden)) = (text.get(done..from), text.get(from..until)) else {
                return Cow::Borrowed("");
            };
            let shift = |at: usize| out.len() + at - done;
            if (done..from).contains(&marked.start) {
                mark.start = shift(marked.start);
            }
            if (done..=from).contains(&marked.end) {
                mark.end = shift(marked.end);
            }
            out.push_str(before);
            if (from..until).contains(&marked.start) {
                mark.start = out.len();
            }
            let at = out.len();
            out.push_str(MASK);
            out.extend(hidden.chars().filter(|c| *c == '\n'));
            if from < marked.end && marked.end <= until {
                mark.end = if marked.end == marked.start { at } else { out.len() };
            }
            done = until;
        }
        if marked.start >= done {
            mark.start = out.len() + marked.start - done;
        }
        if marked.end > done {
            mark.end = out.len() + marked.end - done;
        }
        mark.end = mark.end.max(mark.start);
        out.push_str(text.get(done..).unwrap_or_default());
        Cow::Owned(out)
    }

    /// If the text is the value of a command-line option, returns the option with the line at an offset:
    /// `--set a.b=1`.
    pub fn option_text(&self, offset: u32) -> Option<String> {
        self.name.starts_with("--").then(|| {
            let shown = on_one_line(&self.shown(self.line_range(offset as usize)));
            match shown.char_indices().nth(MAX_OPTION_LENGTH) {
                Some((at, _)) => format!("{} {}…", self.name, &shown[..at]),
                None => format!("{} {shown}", self.name),
            }
        })
    }

    /// Returns the whole text as it is shown.
    pub fn shown_text(&self) -> Cow<'_, str> {
        self.shown(0..self.text.len())
    }

    /// Returns whether a part of the text is secret.
    pub fn has_secrets(&self) -> bool {
        !self.secrets.is_empty()
    }

    /// Returns whether the whole text is one secret.
    pub fn is_secret_throughout(&self) -> bool {
        matches!(self.secrets.as_slice(), [all] if all.start == 0 && all.end == self.text.len())
    }

    /// Returns whether a byte range contains a part of a secret.
    pub fn overlaps_secret(&self, range: Range<usize>) -> bool {
        self.secrets.iter().any(|hidden| hidden.start < range.end && range.start < hidden.end)
    }

    /// Marks byte ranges as secret. O(secrets log secrets).
    fn mark_secret(&mut self, ranges: impl Iterator<Item = Range<usize>>) {
        let text = self.text.clone();
        self.secrets.extend(ranges.filter(|range| !range.is_empty() && text.get(range.clone()).is_some()));
        self.secrets.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
        self.secrets.dedup_by(|next, last| {
            let overlaps = next.start < last.end;
            if overlaps {
                last.end = last.end.max(next.end);
            }
            overlaps
        });
    }

    /// Returns the number of characters that begin before a byte.
    fn characters_before(&self, at: usize) -> u32 {
        let bytes = self.text.as_bytes();
        let known = self.character_counts.get_or_init(|| {
            let more = |sum: &mut u32, part| {
                *sum += count_characters(part);
                Some(*sum)
            };
            std::iter::once(0).chain(bytes.chunks_exact(STRIDE).scan(0, more)).collect()
        });
        known[at / STRIDE] + count_characters(&bytes[at / STRIDE * STRIDE..at])
    }
}

/// The texts of a session, by id. Ids are never reused; an id whose text was dropped ([`Sources::retain`]) has no text.
#[derive(Clone, Default, Debug)]
pub(crate) struct Sources {
    all: Vec<Option<Arc<Source>>>,
    /// Texts of another collection, which have the lower ids. See [`Sources::adopt`].
    adopted: Vec<Option<Arc<Source>>>,
    /// The id of the first text of `all`.
    first: u32,
    /// Number of texts.
    count: usize,
    /// The contents of secret literals.
    secret_literals: Arc<words::Words>,
    /// Whether a range of a text was ever marked as secret.
    has_secret_ranges: bool,
}

impl Sources {
    /// Adds a text under a name and returns its id. Spans cannot refer to bytes after the first 4 GiB.
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> SourceId {
        self.add_in(name, text, None)
    }

    /// Adds a text that is written in a language. See [`Sources::add`].
    pub fn add_in(
        &mut self,
        name: impl Into<Arc<str>>,
        text: impl Into<Arc<str>>,
        language: Option<&'static str>,
    ) -> SourceId {
        let id = self.next_id();
        self.all.push(Some(Arc::new(Source {
            name: name.into(),
            text: text.into(),
            language,
            secrets: Vec::new(),
            lines: OnceLock::new(),
            character_counts: OnceLock::new(),
        })));
        self.count += 1;
        id
    }

    /// Returns all texts, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Source>> {
        self.all.iter().flatten()
    }

    /// Returns the source with an id of this collection.
    pub fn get(&self, id: SourceId) -> Option<&Arc<Source>> {
        match id.0.checked_sub(self.first) {
            Some(at) => self.all.get(at as usize)?.as_ref(),
            None => self.adopted.get(id.0 as usize)?.as_ref(),
        }
    }

    /// Returns a copy in which the given spans are secret too. O(texts), and for each span O(secrets log secrets) of
    /// its text.
    pub fn with_secrets(&self, spans: &[Span]) -> Sources {
        let mut out = self.clone();
        for span in spans {
            out.mark_secret(span.source, std::iter::once(span.start as usize..span.end as usize));
        }
        out
    }

    /// Marks byte ranges of a text as secret.
    pub fn mark_secret(&mut self, id: SourceId, ranges: impl Iterator<Item = Range<usize>>) {
        let slot = match id.0.checked_sub(self.first) {
            Some(at) => self.all.get_mut(at as usize),
            None => self.adopted.get_mut(id.0 as usize),
        };
        if let Some(Some(source)) = slot {
            let source = Arc::make_mut(source);
            source.mark_secret(ranges);
            self.has_secret_ranges |= source.has_secrets();
        }
    }

    /// Adds the content of a secret literal: a string, or an enum tag.
    pub fn add_secret_literal(&mut self, content: Name, is_tag: bool) {
        Arc::make_mut(&mut self.secret_literals).add(content, is_tag);
    }

    /// Returns a message with each quoted secret replaced by the mask; `None` if there is none in it.
    pub fn masked(&self, message: &str) -> Option<String> {
        self.secret_literals.masked(message)
    }

    /// Returns whether a text is the content of a secret string of at least four characters.
    pub fn is_secret_content(&self, text: &str) -> bool {
        self.secret_literals.is_content(text)
    }

    /// Returns whether an enum tag is the content of a secret.
    pub fn is_secret_tag(&self, tag: &str) -> bool {
        self.secret_literals.is_tag(tag)
    }

    /// Returns whether the content of a secret is an enum tag.
    pub fn has_secret_tags(&self) -> bool {
        self.secret_literals.has_tags()
    }

    /// Returns whether a secret was ever added. [`Sources::retain`] does not reset it.
    pub fn has_secrets(&self) -> bool {
        self.has_secret_ranges || !self.secret_literals.is_empty()
    }

    /// Returns the parts of a message in backquotes that occur in a secret at a place, or that contain one:
    /// ``unexpected `x7` ``.
    /// `O(message * secrets at the place)`.
    pub fn quoted_at(&self, place: Span, message: &str) -> Vec<Name> {
        let Some(source) = self.get(place.source) else { return Vec::new() };
        let (start, end) = (place.start as usize, place.end as usize);
        let hidden = source.secrets.iter().filter(|secret| secret.start <= end && start <= secret.end);
        let hidden: Vec<&str> = hidden.filter_map(|secret| source.text.get(secret.clone())).collect();
        let is_secret = |part: &&str| {
            // ignore punctuation at both ends: a message about `*x7` may quote `&x7`, and a long quote ends with `…`; a single
            // letter that is left may be a part of an example: `m%"…"%`
            let letters = part.trim_matches(|c: char| !c.is_alphanumeric());
            let part = if letters.chars().nth(1).is_some() { letters } else { *part };
            !letters.is_empty() && hidden.iter().any(|text| text.contains(part) || part.contains(text))
        };
        message.split('`').skip(1).step_by(2).filter(is_secret).map(Name::from).collect()
    }

    /// Returns a message about a place with each part in backquotes replaced by the mask if it is in a secret at the place;
    /// `None` if there is none: ``unexpected `x7` ``. `O(message * secrets at the place)`.
    pub fn masked_at(&self, place: Span, message: &str) -> Option<String> {
        let secret = self.quoted_at(place, message);
        if secret.is_empty() {
            return None;
        }
        let mut out = String::from(message);
        for part in secret {
            out = out.replace(&format!("`{part}`"), MASK);
        }
        Some(out)
    }

    /// Makes an empty collection whose ids start at [`FIRST_OVERLAY_ID`]. It can therefore also hold the texts of
    /// another collection under their ids, if these are lower.
    pub fn overlay() -> Sources {
        Sources { first: FIRST_OVERLAY_ID, ..Sources::default() }
    }

    /// Replaces the texts from the other collection by those that it holds now. O(texts of both).
    pub fn adopt(&mut self, other: &Sources) {
        self.adopted.clone_from(&other.all);
        self.secret_literals = other.secret_literals.clone();
        self.has_secret_ranges |= other.has_secret_ranges;
        self.count = self.adopted.iter().chain(&self.all).flatten().count();
    }

    /// Returns the id that the next text will get.
    pub fn next_id(&self) -> SourceId {
        SourceId(self.first + self.all.len() as u32)
    }

    /// Returns the number of texts.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Drops the texts for which `needed` is false. O(texts ever added).
    pub fn retain(&mut self, needed: impl Fn(SourceId) -> bool) {
        let own = self.all.iter_mut().zip(self.first..);
        for (slot, id) in self.adopted.iter_mut().zip(0..).chain(own) {
            if slot.is_some() && !needed(SourceId(id)) {
                *slot = None;
                self.count -= 1;
            }
        }
    }

    /// Returns the text that a span covers, as it is shown, or the empty text if the span is not of this collection.
    pub fn slice(&self, span: Span) -> Cow<'_, str> {
        self.get(span.source).map_or(Cow::Borrowed(""), |s| s.shown(span.start as usize..span.end as usize))
    }

    /// Returns `file:line:column` of a span's start; the option as typed (`--set a.b=1`) if the text is its value;
    /// `?` for an unknown text.
    pub fn locate(&self, span: Span) -> String {
        match self.get(span.source) {
            Some(source) => {
                let Position { line, column } = source.position(span.start);
                match source.option_text(span.start) {
                    Some(option) => option,
                    None => format!("{}:{line}:{column}", source.name),
                }
            }
            None => String::from("?"),
        }
    }
}

/// Returns `true` if a closing bracket is the first character of its line, and the line is indented less than the line of
/// the opening bracket: then it probably closes another one. `O(1)` if it is not the first character; looks back a limited
/// distance.
pub(crate) fn outdented(text: &str, open: usize, close: usize) -> bool {
    const DISTANCE: usize = 200;
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let before = |at: usize| text.as_bytes().get(at.saturating_sub(DISTANCE)..at).unwrap_or_default();
    let closing = before(close).iter().rev().take_while(|byte| is_blank(byte)).count();
    let begins_line = match close.checked_sub(closing + 1) {
        Some(at) => text.as_bytes().get(at) == Some(&b'\n'),
        None => true,
    };
    if !begins_line {
        return false;
    }
    let line = before(open);
    let line = match line.iter().rposition(|byte| *byte == b'\n') {
        Some(end) => line.get(end + 1..).unwrap_or_default(),
        None if open <= DISTANCE => line,
        None => return false,
    };
    closing < line.iter().take_while(|byte| is_blank(byte)).count()
}

/// Writes a number with its noun: `1 more line`, `2 more lines`.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Joins the words of a text with single blanks, without line ends.
pub(crate) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Quotes a text for a shell of the Bourne family: `a b` → `'a b'`.
pub(crate) fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Writes a text as an argument of a shell's command: quoted only if it has to be.
pub fn shell_argument(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@' | ':' | '=' | ',');
    if !text.is_empty() && text.chars().all(plain) { String::from(text) } else { shell_quoted(text) }
}

/// Writes a field name as paths show it: quoted if it is not an identifier.
pub(crate) fn write_name(name: &str, out: &mut impl fmt::Write) -> fmt::Result {
    let mut chars = name.chars();
    let plain = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '-'));
    if plain {
        return out.write_str(name);
    }
    out.write_char('"')?;
    for c in name.chars() {
        match c {
            '"' | '\\' => write!(out, "\\{c}")?,
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            _ => out.write_char(c)?,
        }
    }
    out.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_range_is_shown_as_a_mask() {
        let text = "a = \"x7\", b = \"two\nlines\"\nc";
        let mut sources = Sources::default();
        let id = sources.add("a", text);
        sources.mark_secret(id, [14..25, 4..8].into_iter());
        let source = sources.get(id).expect("a source");
        assert_eq!(source.shown_text(), "a = <secret>, b = <secret>\n\nc");
        // the mark of each range covers what is shown of it
        for (range, shown) in
            [(0..1, "a"), (4..8, "<secret>"), (5..6, "<secret>"), (0..8, "a = <secret>"), (10..11, "b")]
        {
            let mut mark = range.clone();
            let text = source.shown_with(0..source.text.len(), &mut mark);
            assert_eq!(&text[mark], shown, "{range:?}");
        }
        let mut mark = 6..8;
        assert_eq!((source.shown_with(4..12, &mut mark), mark), (Cow::Borrowed("<secret>, b "), 10..12));
        assert_eq!(sources.slice(Span::new(id, 6, 12)), "<secret>, b ");
        assert_eq!(source.shown(0..2), "a ");
        // the column counts what is shown
        let columns = [0, 3, 4, 6, 8, 13, 14, 17].map(|at| source.position(at).column);
        assert_eq!(columns, [1, 4, 5, 5, 13, 18, 19, 19]);
        let after = |at| (source.position(at).line, source.position(at).column);
        assert_eq!([20, 25, 26].map(after), [(2, 1), (2, 1), (3, 1)]);
    }

    #[test]
    fn positions_in_a_very_long_line() {
        let text: String = (0..3000).map(|n| ["é", "x", "日本", "\u{1f600}"][n % 4]).collect::<String>() + "\n" + "y";
        let mut sources = Sources::default();
        let id = sources.add("a", text.as_str());
        let source = sources.get(id).expect("a source").clone();
        for (at, _) in text.char_indices().step_by(97).chain([(text.len(), ' ')]) {
            let before = &text[..at];
            let from = before.rfind('\n').map_or(0, |n| n + 1);
            let line = before.matches('\n').count() as u32 + 1;
            let column = text[from..at].chars().count() as u32 + 1;
            assert_eq!(source.position(at as u32), Position { line, column });
        }
        assert_eq!([0, 5000, text.len() - 2, text.len()].map(|at| source.line_range(at).len()), [9750, 9750, 9750, 1]);
    }
}
