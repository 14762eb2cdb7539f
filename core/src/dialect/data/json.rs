//! JSON (RFC 8259): a reader without recursion and with error recovery.

mod faults;

use super::build::{Build, Entry};
use crate::dialect::{Program, Stop};
use crate::problem::data::{DataMistake, DataProblem};
use crate::term::{Node, NodeId, Number, NumberError};
use crate::text::{Name, SourceId, Span, outdented};
use faults::Place;

/// An array or object that is not closed yet.
enum Open {
    Array { start: usize, elements: Vec<NodeId> },
    Object { start: usize, entries: Vec<Entry>, key: Option<(Name, Span)> },
}

/// The expected next token.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    /// A value. If `may_close` is set, a closing bracket is also accepted.
    Value { may_close: bool },
    /// A key. If `may_close` is set, a closing brace is also accepted.
    Key { may_close: bool },
    /// A comma or a closing bracket.
    After,
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    build: Build,
    open: Vec<Open>,
    root: Option<NodeId>,
    /// Whether an error was reported since the last comma or closing bracket. Further ones follow from it.
    faulty: bool,
    /// A bracket whose closing one is indented less than its line: that one probably closes an outer bracket.
    suspect: Option<(usize, &'static str)>,
}

impl Open {
    /// Returns the place of the opening bracket, and the name of what it opens.
    fn opening(&self) -> (usize, &'static str) {
        match self {
            Open::Array { start, .. } => (*start, "array"),
            Open::Object { start, .. } => (*start, "object"),
        }
    }
}

/// Length of a text in bytes from which its values are counted before it is read.
const COUNTED: usize = 1 << 20;
/// Least number of bytes of a text for which room for a value is made before it is read. Commas in strings are counted too.
const BYTES_PER_VALUE: usize = 8;

/// Returns about how many values a text has: exactly, if it has no empty arrays and objects and no brackets and commas in strings.
pub(super) fn count_values(text: &str) -> usize {
    let begins = |byte: &u8| matches!(byte, b',' | b'[' | b'{');
    1 + text.as_bytes().iter().filter(|byte| begins(byte)).count()
}

/// Reads a JSON text. Linear in its length. Continues after errors.
pub(super) fn read(source: SourceId, text: &str, stop: Stop<'_>) -> Program {
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: 0,
        build: Build::new(source),
        open: Vec::new(),
        root: None,
        faulty: false,
        suspect: None,
    };
    if text.len() >= COUNTED {
        reader.build.make_room(count_values(text).min(text.len() / BYTES_PER_VALUE));
    }
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    reader.run(stop);
    if stop.is_asked() {
        return Build::stopped(source);
    }
    while let Some(open) = reader.open.pop() {
        let (start, what) = reader.suspect.take().unwrap_or_else(|| open.opening());
        reader.error(DataProblem::Unclosed(what), start, start + 1);
        reader.close(open);
    }
    let end = text.len();
    let root = match reader.root {
        Some(root) => root,
        None => reader.build.hole(reader.build.span(end, end)),
    };
    super::kubernetes::report_keys(&mut reader.build, root);
    reader.build.finish(root)
}

impl Reader<'_> {
    fn run(&mut self, stop: Stop<'_>) {
        let mut next = Next::Value { may_close: false };
        while !stop.is_asked() {
            self.blanks();
            let Some(byte) = self.bytes.get(self.at).copied() else {
                if self.open.is_empty() && self.root.is_none() {
                    self.unexpected(Place::Value);
                }
                return;
            };
            let proceed = match next {
                Next::Value { may_close } => self.value(byte, may_close, &mut next),
                Next::Key { may_close } => self.key(byte, may_close, &mut next),
                Next::After => self.after(byte, &mut next),
            };
            if !proceed {
                // too many errors: skip the rest and close what is open
                self.at = self.bytes.len();
                while let Some(open) = self.open.pop() {
                    self.close(open);
                }
                return;
            }
        }
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    fn span(&self, start: usize) -> Span {
        self.build.span(start, self.at)
    }

    /// Reports an error, unless it follows from another one. Returns `false` after too many errors.
    fn error(&mut self, problem: DataProblem, start: usize, end: usize) -> bool {
        if std::mem::replace(&mut self.faulty, true) {
            return true;
        }
        // after these nothing is certain
        let last = matches!(problem, DataProblem::Mistake(DataMistake::Template | DataMistake::ConflictMarker));
        self.build.error(problem, self.build.span(start, end)) && !last
    }

    /// Reports an unexpected token and skips it: a single bracket, comma or colon, or the text up to the next one.
    fn unexpected(&mut self, place: Place) -> bool {
        let start = self.at;
        let rest = &self.text[start..];
        let expected = place.expected();
        let Some(first) = rest.chars().next() else {
            let mistake = self.text.trim().is_empty().then_some(DataMistake::Empty);
            return self.error(DataProblem::Unexpected { found: None, expected, mistake }, start, start);
        };
        let stop = |c: char| matches!(c, '[' | ']' | '{' | '}' | ',' | ':' | '"') || c.is_whitespace();
        self.at += if stop(first) { first.len_utf8() } else { rest.find(stop).unwrap_or(rest.len()) };
        if self.faulty {
            return true;
        }
        if place == Place::Element && first == ':' {
            // `[1, "a": 2`: the key belongs outside of the array
            if let Some(open) = self.open.last() {
                let (start, what) = open.opening();
                return self.error(DataProblem::Unclosed(what), start, start + 1);
            }
        }
        let found = &self.text[start..self.at];
        let shown = found.char_indices().nth(20).map_or(found, |(end, _)| &found[..end]);
        let (problem, range) = faults::diagnosed(self.text, start..self.at, place, Name::new(shown));
        self.error(problem, range.start, range.end)
    }

    /// Adds a finished value to the enclosing array or object.
    fn give(&mut self, node: NodeId) {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::Array { elements, .. }) => elements.push(node),
            Some(Open::Object { entries, key, .. }) => {
                if let Some((name, name_span)) = key.take() {
                    entries.push(Entry { name, name_span, value: node, merges: false });
                }
            }
        }
    }

    /// Builds the node of a closed array or object.
    fn close(&mut self, open: Open) {
        let node = match open {
            Open::Array { start, elements } => self.build.array(elements, self.span(start)),
            Open::Object { start, mut entries, key } => {
                if let Some((name, name_span)) = key {
                    let value = self.build.hole(self.build.span(name_span.end as usize, name_span.end as usize));
                    entries.push(Entry { name, name_span, value, merges: false });
                }
                self.build.record(entries, self.span(start), true)
            }
        };
        self.give(node);
    }

    /// Closes the innermost array or object with this bracket. A bracket of the other kind closes an outer one, if one of
    /// its kind is open; otherwise it is reported.
    fn close_at(&mut self, byte: u8, place: Place) -> bool {
        let matches = |open: &Open| matches!((open, byte), (Open::Array { .. }, b']') | (Open::Object { .. }, b'}'));
        let Some(index) = self.open.iter().rposition(matches) else {
            return self.unexpected(place);
        };
        let mut proceed = true;
        while self.open.len() > index + 1 {
            let Some(open) = self.open.pop() else { break };
            let (start, what) = open.opening();
            let here = self.at;
            let same_line = !self.text[start..here].contains('\n');
            if same_line && matches!(place, Place::Element | Place::Member) {
                let close = if what == "array" { ']' } else { '}' };
                proceed &= self.error(DataProblem::Mistake(DataMistake::WrongClosing(close)), here, here + 1);
                self.close(open);
                // the outer bracket has a closing one of its own
                if self.text[here + 1..].trim_start().starts_with(['}', ']', ',']) {
                    self.at += 1;
                    return proceed;
                }
                continue;
            }
            proceed &= self.error(DataProblem::Unclosed(what), start, start + 1);
            self.close(open);
        }
        if let Some(open) = self.open.pop() {
            let (start, what) = open.opening();
            if self.suspect.is_none() && outdented(self.text, start, self.at) {
                self.suspect = Some((start, what));
            }
            self.at += 1;
            self.close(open);
        }
        self.faulty = false;
        proceed
    }

    fn value(&mut self, byte: u8, may_close: bool, next: &mut Next) -> bool {
        let start = self.at;
        let mut proceed = true;
        let node = match byte {
            b'[' => {
                self.at += 1;
                self.open.push(Open::Array { start, elements: Vec::new() });
                *next = Next::Value { may_close: true };
                return true;
            }
            b'{' => {
                self.at += 1;
                self.open.push(Open::Object { start, entries: Vec::new(), key: None });
                *next = Next::Key { may_close: true };
                return true;
            }
            b']' if may_close => {
                *next = Next::After;
                return self.close_at(byte, Place::Value);
            }
            b']' | b'}' if !self.open.is_empty() => {
                // the value is missing
                proceed = self.unexpected(Place::Value);
                self.at = start;
                if let Some(Open::Object { key: Some(_), .. }) = self.open.last() {
                    let hole = self.build.hole(self.build.span(start, start));
                    self.give(hole);
                }
                *next = Next::After;
                return proceed & self.close_at(byte, Place::Value);
            }
            b',' if !self.open.is_empty() => {
                proceed = self.unexpected(Place::Value);
                self.at = start;
                self.build.hole(self.build.span(start, start))
            }
            b'"' => {
                let (text, fine) = self.string();
                proceed = fine;
                self.build.node(Node::Str(text), self.span(start))
            }
            b'-' | b'0'..=b'9' => self.number(&mut proceed),
            _ => match self.word() {
                Some(node) => self.build.node(node, self.span(start)),
                None => {
                    proceed = self.unexpected(Place::Value);
                    self.build.hole(self.span(start))
                }
            },
        };
        self.give(node);
        *next = Next::After;
        proceed
    }

    fn key(&mut self, byte: u8, may_close: bool, next: &mut Next) -> bool {
        match byte {
            b'"' => {
                let start = self.at;
                let (name, mut proceed) = self.string();
                let name_span = self.span(start);
                if let Some(Open::Object { key, .. }) = self.open.last_mut() {
                    *key = Some((name, name_span));
                }
                self.blanks();
                if self.bytes.get(self.at) == Some(&b':') {
                    self.at += 1;
                    *next = Next::Value { may_close: false };
                    return proceed;
                }
                let here = self.at;
                if here < self.bytes.len() {
                    proceed &= self.unexpected(Place::Colon);
                    self.at = here;
                }
                if let Some(signs) = faults::other_sign(&self.text[here..]) {
                    self.at += signs;
                    *next = Next::Value { may_close: false };
                    return proceed;
                }
                *next = match self.bytes.get(here) {
                    Some(b',' | b'}' | b']') => {
                        let hole = self.build.hole(self.build.span(here, here));
                        self.give(hole);
                        Next::After
                    }
                    _ => Next::Value { may_close: false },
                };
                proceed
            }
            b'}' | b']' => {
                let mut proceed = true;
                if !may_close || byte == b']' {
                    let here = self.at;
                    proceed = self.unexpected(Place::Key);
                    self.at = here;
                }
                *next = Next::After;
                proceed & self.close_at(byte, Place::Key)
            }
            b',' => {
                *next = Next::Key { may_close: true };
                self.unexpected(Place::Key)
            }
            _ => {
                // a key without quotes is taken as the key
                let start = self.at;
                let proceed = self.unexpected(Place::Key);
                let name = self.text[start..self.at].trim_matches('\'');
                let (name, name_span) = (Name::new(name), self.span(start));
                self.blanks();
                if self.bytes.get(self.at) == Some(&b':') {
                    self.at += 1;
                    if let Some(Open::Object { key, .. }) = self.open.last_mut() {
                        *key = Some((name, name_span));
                    }
                    *next = Next::Value { may_close: false };
                }
                proceed
            }
        }
    }

    fn after(&mut self, byte: u8, next: &mut Next) -> bool {
        let place = match self.open.last() {
            None => {
                // report only once what follows the value
                let proceed = self.unexpected(Place::End);
                self.at = self.bytes.len();
                return proceed;
            }
            Some(Open::Array { .. }) => Place::Element,
            Some(Open::Object { .. }) => Place::Member,
        };
        let in_array = matches!(self.open.last(), Some(Open::Array { .. }));
        match byte {
            b',' => {
                self.at += 1;
                self.faulty = false;
                *next = if in_array { Next::Value { may_close: false } } else { Next::Key { may_close: false } };
                true
            }
            b']' | b'}' => self.close_at(byte, place),
            _ => {
                let here = self.at;
                let proceed = self.unexpected(place);
                match byte {
                    b':' => {}
                    // a missing comma
                    b'"' | b'[' | b'{' | b'-' | b'0'..=b'9' | b'a'..=b'z' => {
                        self.at = here;
                        *next =
                            if in_array { Next::Value { may_close: false } } else { Next::Key { may_close: false } };
                    }
                    _ => {}
                }
                proceed
            }
        }
    }

    fn word(&mut self) -> Option<Node> {
        let rest = &self.text[self.at..];
        let (word, node) = [("true", Node::Bool(true)), ("false", Node::Bool(false)), ("null", Node::Null)]
            .into_iter()
            .find(|(word, _)| rest.starts_with(word))?;
        if rest[word.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return None;
        }
        self.at += word.len();
        Some(node)
    }

    /// Reads a number, exactly.
    fn number(&mut self, proceed: &mut bool) -> NodeId {
        let start = self.at;
        let digits = |reader: &mut Self| {
            let from = reader.at;
            while let Some(b'0'..=b'9') = reader.bytes.get(reader.at) {
                reader.at += 1;
            }
            reader.at - from
        };
        let mut fault = None;
        if self.bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        let zero = self.bytes.get(self.at) == Some(&b'0');
        match digits(self) {
            0 => fault = Some(DataMistake::NumberText),
            1 => {}
            _ if zero => fault = Some(DataMistake::LeadingZero),
            _ => {}
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            if digits(self) == 0 {
                fault = fault.or(Some(DataMistake::Point));
            }
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            if digits(self) == 0 {
                fault = fault.or(Some(DataMistake::NumberText));
            }
        }
        if let Some(b'_' | b'.' | b'a'..=b'z' | b'A'..=b'Z' | b'+' | b'-') = self.bytes.get(self.at) {
            while let Some(b'_' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'+' | b'-') =
                self.bytes.get(self.at)
            {
                self.at += 1;
            }
            fault = Some(faults::number(&self.text[start..self.at]));
        }
        let span = self.span(start);
        if let Some(mistake) = fault {
            *proceed &= self.error(faults::wrong_number(mistake, &self.text[start..self.at]), start, self.at);
            return self.build.hole(span);
        }
        match Number::parse(&self.text[start..self.at]) {
            Ok(number) => self.build.node(Node::Number(number), span),
            Err(error) => {
                let what = match error {
                    NumberError::TooLarge => DataProblem::TooLarge,
                    _ => DataProblem::Malformed("not a JSON number"),
                };
                *proceed &= self.build.error(what, span);
                self.build.hole(span)
            }
        }
    }

    /// Reads a string. The position is at its quote. Errors inside it are reported and skipped.
    fn string(&mut self) -> (Name, bool) {
        let start = self.at;
        self.at += 1;
        let mut from = self.at;
        let mut built = String::new();
        let mut proceed = true;
        let (mut over_lines, mut escape_fails) = (false, false);
        loop {
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    let rest = &self.text[from..self.at];
                    self.at += 1;
                    if built.is_empty() {
                        return (Name::new(rest), proceed);
                    }
                    built.push_str(rest);
                    return (Name::new(built), proceed);
                }
                Some(b'\\') => {
                    built.push_str(&self.text[from..self.at]);
                    let escape = self.at;
                    match self.escape() {
                        Some(c) => built.push(c),
                        None => {
                            built.push('\u{fffd}');
                            // one report for `C:\dir\x`
                            if !std::mem::replace(&mut escape_fails, true) {
                                let text = Name::new(&self.text[escape..self.at]);
                                proceed &= self.build.error(DataProblem::Escape(text), self.span(escape));
                            }
                            self.faulty = true;
                        }
                    }
                    from = self.at;
                }
                Some(byte @ 0..=0x1f) => {
                    let line_end = matches!(byte, b'\n' | b'\r');
                    let here = self.at;
                    // a string with a line end is unclosed if no further quote follows, or if the next line begins with a key
                    if line_end && !over_lines && faults::ends_with_line(&self.text[here..]) {
                        built.push_str(self.text[from..here].trim_end_matches(','));
                        proceed &= self.error(DataProblem::Unclosed("string"), start, start + 1);
                        return (Name::new(built), proceed);
                    }
                    over_lines |= line_end;
                    proceed &= match line_end {
                        true => self.error(DataProblem::Mistake(DataMistake::LineEnd), start, here),
                        false => self.error(DataProblem::Control(char::from(*byte)), here, here + 1),
                    };
                    self.at += 1;
                }
                Some(_) => self.at += 1,
                None => {
                    built.push_str(&self.text[from..]);
                    proceed &= self.error(DataProblem::Unclosed("string"), start, start + 1);
                    return (Name::new(built), proceed);
                }
            }
            if !proceed {
                self.at = self.bytes.len();
                return (Name::new(built), false);
            }
        }
    }

    /// Reads the character of an escape sequence. The position moves past it in any case, and stays on a character boundary.
    fn escape(&mut self) -> Option<char> {
        self.at += 1;
        let c = self.text[self.at..].chars().next()?;
        self.at += c.len_utf8();
        Some(match c {
            '"' | '\\' | '/' => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let high = self.hex()?;
                if !(0xdc00..0xe000).contains(&high) && !(0xd800..0xdc00).contains(&high) {
                    return char::from_u32(high);
                }
                // a surrogate pair, or an error
                if (0xdc00..0xe000).contains(&high) || !self.text[self.at..].starts_with("\\u") {
                    return None;
                }
                let before = self.at;
                self.at += 2;
                match self.hex() {
                    Some(low @ 0xdc00..0xe000) => {
                        return char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
                    }
                    _ => {
                        self.at = before;
                        return None;
                    }
                }
            }
            _ => return None,
        })
    }

    fn hex(&mut self) -> Option<u32> {
        let mut value = 0;
        for _ in 0..4 {
            let digit = char::from(*self.bytes.get(self.at)?).to_digit(16)?;
            value = value * 16 + digit;
            self.at += 1;
        }
        Some(value)
    }
}
