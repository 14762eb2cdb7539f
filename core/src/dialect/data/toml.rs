//! TOML 1.1, from the events of `toml_parser`. Dates and times are strings, as in Nickel; numbers are exact.
//!
//! The events contain keys and values. This module finds the table of each key and reports duplicates. After an error the
//! parser continues on the next line.

mod datetime;
mod faults;
mod tables;

use super::build::{Build, Entry};
use crate::dialect::{Program, Stop};
use crate::problem::data::{DataMistake, DataProblem};
use crate::term::{Node, NodeId, Number, NumberError};
use crate::text::{Name, SourceId, Span};
use std::borrow::Cow;
use tables::{DuplicateKey, DuplicateKind, Key, Tables};
use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::{EventReceiver, RecursionGuard, parse_document};
use toml_parser::{ErrorSink, Expected, ParseError, Source};

/// Maximum nesting depth of arrays and inline tables, because the parser is recursive.
const MOST_DEPTH: u32 = 128;

/// An array or inline table that is not closed yet, with its key.
enum Open {
    Array { start: usize, elements: Vec<NodeId>, keys: Vec<Key> },
    Inline { start: usize, table: usize, keys: Vec<Key> },
}

struct Reader<'a> {
    text: &'a str,
    build: Build,
    tables: Tables,
    /// The table to which keys are added.
    current: usize,
    /// The current key.
    keys: Vec<Key>,
    header: usize,
    open: Vec<Open>,
    /// Duplicate keys. They are reported if the lines of the file have no errors that explain them.
    duplicates: Vec<DuplicateKey>,
    stop: Stop<'a>,
}

/// Bytes of the list of tokens for a byte of the text, at most, while the list grows.
const TOKEN_BYTES: u64 = 16;

/// Returns whether a text is a date or time of TOML.
pub(super) fn is_date(text: &str) -> bool {
    datetime::normal(text).is_some()
}

/// Reads a TOML text.
pub(super) fn read(source: SourceId, text: &str, stop: Stop<'_>) -> Program {
    let build = Build::new(source);
    let whole = build.span(0, text.len());
    let tables = Tables::new(build.span(0, 0));
    stop.expect_table(text.len() as u64 * TOKEN_BYTES);
    if stop.is_asked() {
        return Build::stopped(source);
    }
    let tokens = Source::new(text).lex().into_vec();
    let mut reader = Reader {
        text,
        build,
        tables,
        current: 0,
        keys: Vec::new(),
        header: 0,
        open: Vec::new(),
        duplicates: Vec::new(),
        stop,
    };
    let mut errors: Vec<ParseError> = Vec::new();
    let mut guard = RecursionGuard::new(&mut reader, MOST_DEPTH);
    crate::deep::with_stack(1 << 20, || parse_document(&tokens, &mut guard, &mut errors));
    if stop.is_asked() {
        return Build::stopped(source);
    }
    while !reader.open.is_empty() {
        reader.close(text.len());
    }
    reader.report(errors);
    let root = reader.tables.build(&mut reader.build, whole);
    reader.build.finish(root)
}

fn message(error: &ParseError) -> Name {
    let mut message = String::from(error.description());
    if let Some(expected) = error.expected().filter(|e| !e.is_empty()) {
        let expected: Vec<Cow<str>> = expected
            .iter()
            .map(|e| match e {
                Expected::Literal(text) if *text == "\n" => Cow::Borrowed("a line end"),
                Expected::Literal(text) => Cow::Owned(format!("`{text}`")),
                Expected::Description(text) => Cow::Borrowed(*text),
                _ => Cow::Borrowed("something else"),
            })
            .collect();
        message.push_str(", expected ");
        message.push_str(&expected.join(", "));
    }
    Name::from(message)
}

impl Reader<'_> {
    /// Reports the syntax errors and the duplicate keys. An error on the line of another one, or the same error on the line after
    /// it, usually follows from that one, and so does a duplicate key there.
    fn report(&mut self, errors: Vec<ParseError>) {
        // the line of the last error, its end, and the problem
        let mut last: Option<(std::ops::Range<usize>, DataProblem)> = None;
        let mut wrong: Vec<std::ops::Range<usize>> = Vec::new();
        for error in errors {
            let place = error.unexpected().or(error.context());
            let (start, end) = place.map_or((self.text.len(), self.text.len()), |s| (s.start(), s.end()));
            let line = faults::line_at(self.text, start);
            if last.as_ref().is_some_and(|(before, _)| line.start <= before.end) {
                continue;
            }
            let context = error.context().map(|context| context.start());
            let (problem, range) = match faults::diagnosed(self.text, start, context, error.description()) {
                Some((mistake, range)) => (mistake, range),
                None => (DataProblem::Reader { format: "TOML", message: message(&error) }, start..end),
            };
            // nothing after an opening bracket or quote without an end, or after one side of a conflict, is certain
            let ends = matches!(
                problem,
                DataProblem::Unclosed(_) | DataProblem::Mistake(DataMistake::ConflictMarker | DataMistake::Template)
            );
            let whole = line.start.min(range.start)..if ends { self.text.len() } else { line.end };
            wrong.push(whole.clone());
            let follows = last.replace((whole, problem.clone())).is_some_and(|(before, same)| {
                line.start <= before.end + 2
                    && (std::mem::discriminant(&same) == std::mem::discriminant(&problem)
                        && matches!(problem, DataProblem::Unexpected { .. })
                        || same == problem
                        || same == DataProblem::Mistake(DataMistake::Yaml))
            });
            let span = self.build.span(range.start, range.end);
            if !follows && !self.build.error(problem, span) {
                break;
            }
        }
        for duplicate in std::mem::take(&mut self.duplicates) {
            let DuplicateKey { name, span, first, kind } = duplicate;
            let at = span.start as usize;
            let before = wrong.partition_point(|line| line.start <= at);
            if before.checked_sub(1).and_then(|before| wrong.get(before)).is_some_and(|line| at <= line.end) {
                continue;
            }
            let problem = match kind {
                DuplicateKind::Values => DataProblem::Duplicate { name, first, merged: false },
                DuplicateKind::Redefined(what) => DataProblem::Redefined { name, first, what },
            };
            self.build.error(problem, span);
        }
    }

    fn span(&self, span: toml_parser::Span) -> Span {
        self.build.span(span.start(), span.end())
    }

    /// Adds a finished value to the enclosing array or table.
    fn give(&mut self, node: NodeId) {
        if self.stop.is_asked() {
            return self.keys.clear();
        }
        let table = match self.open.last_mut() {
            Some(Open::Array { elements, .. }) => return elements.push(node),
            Some(Open::Inline { table, .. }) => *table,
            None => self.current,
        };
        let keys = std::mem::take(&mut self.keys);
        if let Err(duplicate) = self.tables.define(table, keys, node) {
            self.duplicates.push(duplicate);
        }
    }

    /// Closes the innermost array or inline table.
    fn close(&mut self, end: usize) {
        match self.open.pop() {
            Some(Open::Array { start, elements, keys }) => {
                let span = self.build.span(start, end);
                let node = self.build.array(elements, span);
                self.keys = keys;
                self.give(node);
            }
            Some(Open::Inline { start, table, keys }) => {
                let span = self.build.span(start, end);
                let node = self.tables.build_from(table, &mut self.build, Some(span));
                self.keys = keys;
                self.give(node);
            }
            None => {}
        }
    }

    fn scalar_node(&mut self, span: toml_parser::Span, encoding: Option<Encoding>, errors: &mut dyn ErrorSink) -> Node {
        let raw = Source::new(self.text).get(span);
        let Some(raw) = raw else { return Node::Hole };
        let raw = toml_parser::Raw::new_unchecked(raw.as_str(), encoding, span);
        let mut decoded = Cow::Borrowed("");
        let mut failed = false;
        let kind = {
            let mut sink = |error: ParseError| {
                failed = true;
                errors.report_error(error);
            };
            raw.decode_scalar(&mut decoded, &mut sink)
        };
        if failed {
            return Node::Hole;
        }
        let place = self.span(span);
        let number = |reader: &mut Self, number: Result<Number, NumberError>| match number {
            Ok(number) => Node::Number(number),
            Err(NumberError::TooLarge) => {
                reader.build.error(DataProblem::TooLarge, place);
                Node::Hole
            }
            Err(_) => {
                reader.build.error(DataProblem::Malformed("not a TOML number"), place);
                Node::Hole
            }
        };
        match kind {
            ScalarKind::String => Node::Str(Name::new(decoded)),
            ScalarKind::Boolean(value) => Node::Bool(value),
            ScalarKind::DateTime => match datetime::normal(&decoded) {
                Some(text) => Node::Str(Name::from(text)),
                None => {
                    self.build.error(DataProblem::Mistake(DataMistake::Date), place);
                    Node::Hole
                }
            },
            ScalarKind::Float => {
                if decoded.contains(['i', 'n']) {
                    self.build.error(DataProblem::NotFinite, place);
                    return Node::Hole;
                }
                number(self, Number::parse(&decoded))
            }
            ScalarKind::Integer(radix) => {
                let prefix = match radix.value() {
                    16 => "0x",
                    8 => "0o",
                    2 => "0b",
                    _ => "",
                };
                number(self, Number::parse(&format!("{prefix}{decoded}")))
            }
        }
    }

    fn finish_header(&mut self, span: toml_parser::Span, element: bool) {
        let keys = std::mem::take(&mut self.keys);
        let header = self.build.span(self.header, span.end());
        match self.tables.header(keys, header, element) {
            Ok(table) => self.current = table,
            Err(duplicate) => {
                self.duplicates.push(duplicate);
                // the keys after an invalid header are read but not used
                self.current = self.tables.detached(header);
            }
        }
    }

    fn open_header(&mut self, span: toml_parser::Span) {
        while !self.open.is_empty() {
            self.close(span.start());
        }
        self.keys.clear();
        self.header = span.start();
    }
}

impl EventReceiver for Reader<'_> {
    fn std_table_open(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.open_header(span);
    }
    fn std_table_close(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.finish_header(span, false);
    }
    fn array_table_open(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.open_header(span);
    }
    fn array_table_close(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.finish_header(span, true);
    }
    fn inline_table_open(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) -> bool {
        let table = self.tables.detached(self.span(span));
        let keys = std::mem::take(&mut self.keys);
        self.open.push(Open::Inline { start: span.start(), table, keys });
        true
    }
    fn inline_table_close(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.close(span.end());
    }
    fn array_open(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) -> bool {
        let keys = std::mem::take(&mut self.keys);
        self.open.push(Open::Array { start: span.start(), elements: Vec::new(), keys });
        true
    }
    fn array_close(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.close(span.end());
    }
    fn simple_key(&mut self, span: toml_parser::Span, encoding: Option<Encoding>, errors: &mut dyn ErrorSink) {
        let Some(raw) = Source::new(self.text).get(span) else { return };
        let raw = toml_parser::Raw::new_unchecked(raw.as_str(), encoding, span);
        let mut decoded = Cow::Borrowed("");
        raw.decode_key(&mut decoded, errors);
        let span = self.span(span);
        self.keys.push(Key { name: Name::new(decoded), span });
    }
    fn scalar(&mut self, span: toml_parser::Span, encoding: Option<Encoding>, errors: &mut dyn ErrorSink) {
        // the parser cannot be stopped, so what it passes is ignored
        if self.stop.is_asked() {
            return self.keys.clear();
        }
        let node = self.scalar_node(span, encoding, errors);
        let place = self.span(span);
        let node = self.build.node(node, place);
        self.give(node);
    }
    fn value_sep(&mut self, _: toml_parser::Span, _: &mut dyn ErrorSink) {
        if let Some(Open::Inline { .. }) = self.open.last() {
            self.keys.clear();
        }
    }
    fn newline(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        // a key without a valid value
        if self.open.is_empty() && !self.keys.is_empty() {
            let hole = self.build.hole(self.build.span(span.start(), span.start()));
            self.give(hole);
        }
    }
}

/// Converts an entry of a table for [`Build::record`].
fn entry(key: &Key, value: NodeId) -> Entry {
    Entry { name: key.name.clone(), name_span: key.span, value, merges: false }
}
