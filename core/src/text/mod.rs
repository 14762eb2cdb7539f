//! Source texts, spans, lines and columns. All other modules refer to source positions through these types.

pub(crate) mod blocks;
mod near;
pub mod path;

pub use near::near;

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

/// A text that was read: a file, an input at the prompt, the value of an option, a part of the library.
#[derive(Debug)]
pub(crate) struct Source {
    /// The name as the user would write it: `main.cfg`, `cfg[7]`, `<std>`.
    pub name: Arc<str>,
    /// The whole text. Invalid UTF-8 was replaced before.
    pub text: Arc<str>,
    /// The name of the language that it is written in, if it is an input of a session.
    pub language: Option<&'static str>,
    lines: OnceLock<Vec<u32>>,
    /// Number of characters that begin before every [`STRIDE`]th byte.
    character_counts: OnceLock<Vec<u32>>,
}

/// Maximum number of bytes that are scanned to compute a column.
const STRIDE: usize = 1024;

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

    /// Returns the position of a byte offset. Offsets past the end give the end. O(log lines), after one pass over the
    /// text.
    pub fn position(&self, offset: u32) -> Position {
        let offset = (offset as usize).min(self.text.len());
        let line = self.line_at(offset);
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
        Position { line: line as u32 + 1, column: column + 1 }
    }

    /// Returns the index of the line that contains an offset, from 0.
    fn line_at(&self, offset: usize) -> usize {
        self.lines().partition_point(|start| *start as usize <= offset) - 1
    }

    /// Returns the byte range of the line that contains an offset, without the line end. O(log lines).
    pub fn line_of(&self, offset: usize) -> Range<usize> {
        let line = self.line_at(offset.min(self.text.len()));
        let end = self.lines().get(line + 1).map_or(self.text.len(), |next| *next as usize - 1);
        self.lines()[line] as usize..end
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
    /// The texts of another collection, which have the lower ids. See [`Sources::beside`].
    others: Vec<Option<Arc<Source>>>,
    /// The id of the first text of `all`.
    first: u32,
    /// Number of texts.
    held: usize,
}

impl Sources {
    /// Adds a text under a name and returns its id. Texts over 4 GiB are cut there.
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
        let id = self.next();
        self.all.push(Some(Arc::new(Source {
            name: name.into(),
            text: text.into(),
            language,
            lines: OnceLock::new(),
            character_counts: OnceLock::new(),
        })));
        self.held += 1;
        id
    }

    /// Returns the source with an id of this collection.
    pub fn get(&self, id: SourceId) -> Option<&Arc<Source>> {
        match id.0.checked_sub(self.first) {
            Some(at) => self.all.get(at as usize)?.as_ref(),
            None => self.others.get(id.0 as usize)?.as_ref(),
        }
    }

    /// Returns a copy with the given places replaced by `*` byte by byte, so that all other positions stay valid.
    /// O(texts + length of the changed texts).
    pub fn redacted(&self, places: &[Span]) -> Sources {
        let mut out = self.clone();
        for place in places {
            let of = match place.source.0.checked_sub(self.first) {
                Some(at) => out.all.get_mut(at as usize),
                None => out.others.get_mut(place.source.0 as usize),
            };
            let Some(Some(source)) = of else { continue };
            let redacted = |range: Range<usize>| {
                let (before, after) = (source.text.get(..range.start)?, source.text.get(range.end..)?);
                let stars = source.text.get(range)?.bytes().map(|b| if b == b'\n' { '\n' } else { '*' });
                Some(before.chars().chain(stars).chain(after.chars()).collect::<String>())
            };
            if let Some(text) = redacted(place.start as usize..place.end as usize) {
                *source = Arc::new(Source {
                    name: source.name.clone(),
                    text: text.into(),
                    language: source.language,
                    lines: OnceLock::new(),
                    character_counts: OnceLock::new(),
                });
            }
        }
        out
    }

    /// Makes an empty collection whose ids start at 2^30. It can therefore also hold the texts of another collection
    /// under their ids.
    pub fn beside() -> Sources {
        Sources { first: 1 << 30, ..Sources::default() }
    }

    /// Replaces the texts from the other collection by those that it holds now. O(texts of the other).
    pub fn adopt(&mut self, other: &Sources) {
        self.others.clone_from(&other.all);
        self.held = self.others.iter().chain(&self.all).flatten().count();
    }

    /// Returns the id that the next text will get.
    pub fn next(&self) -> SourceId {
        SourceId(self.first + self.all.len() as u32)
    }

    /// Returns the number of texts.
    pub fn count(&self) -> usize {
        self.held
    }

    /// Drops the texts for which `needed` is false. O(texts ever added).
    pub fn retain(&mut self, needed: impl Fn(SourceId) -> bool) {
        let own = self.all.iter_mut().zip(self.first..);
        for (slot, id) in self.others.iter_mut().zip(0..).chain(own) {
            if slot.is_some() && !needed(SourceId(id)) {
                *slot = None;
                self.held -= 1;
            }
        }
    }

    /// Returns the text that a span covers, or the empty text if the span is not of this collection.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.source).and_then(|s| s.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// Returns `file:line:column` of a span's start.
    pub fn locate(&self, span: Span) -> String {
        match self.get(span.source) {
            Some(source) => {
                let Position { line, column } = source.position(span.start);
                format!("{}:{line}:{column}", source.name)
            }
            None => String::from("?"),
        }
    }
}

/// Joins the words of a text with single blanks, without line ends.
pub(crate) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
    fn places_of_a_line_of_any_length() {
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
        assert_eq!([0, 5000, text.len() - 2, text.len()].map(|at| source.line_of(at).len()), [9750, 9750, 9750, 1]);
    }
}
