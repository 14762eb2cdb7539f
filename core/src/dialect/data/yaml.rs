//! YAML 1.2 with the core schema, from the events of `saphyr-parser`.
//!
//! An anchored value becomes a binding of one recursive `let` around the file, and an alias becomes a variable. So aliases
//! are shared in memory, and an alias may occur inside its own anchor. Several documents become an array; no document
//! becomes null, and a document without a value, such as one of comments alone, is none. A value with a local tag
//! (`!Ref x`) becomes an enum variant, so that it can be written again. The merge keys of YAML 1.1 (`<<: *base`) are in
//! `yaml/merge.rs`.

mod block;
mod doubts;
mod faults;
mod merge;
mod repair;
mod scalar;
mod tag;

use super::build::{Build, Entry};
use super::kubernetes;
use crate::dialect::{Program, Stop};
use crate::problem::data::{DataProblem, YamlFault};
use crate::problem::syntax::SyntaxKind;
use crate::problem::{Problem, ProblemKind, Severity};
use crate::term::{Binding, Let, Node, NodeId, PatKind, groups};
use crate::text::{Name, SourceId, Span};
pub(in crate::dialect::data) use faults::template_at;
use rustc_hash::FxHashMap;
use saphyr_parser::{Event, Parser, ScalarStyle};
use scalar::value;

/// Maximum number of values after expanding the aliases of a file. Real files have fewer, and that many can still be
/// printed.
const MOST_VALUES: u64 = 20_000_000;

/// A sequence or mapping that is not closed yet.
struct Open {
    items: Items,
    span: Span,
    anchor: usize,
    /// The number of record frames around its entries, up to the enclosing binding.
    level: u32,
    /// Whether it is the value of `<<`.
    merged: bool,
    /// Its local tag.
    tag: Option<Name>,
    /// The enclosing binding.
    owner: Option<u32>,
    /// The number of values in it, with aliases expanded.
    size: u64,
}

enum Items {
    Sequence(Vec<NodeId>),
    /// `merges`: the current key is `<<`.
    Mapping {
        entries: Vec<Entry>,
        key: Option<(Name, Span)>,
        merges: bool,
        skip: bool,
    },
}

/// An anchored value.
struct Anchor {
    span: Span,
    body: Option<NodeId>,
    size: u64,
}

struct Reader {
    build: Build,
    open: Vec<Open>,
    documents: Vec<NodeId>,
    document: Option<NodeId>,
    document_size: u64,
    anchors: Vec<Anchor>,
    /// Maps anchor ids of the parser to indices of `anchors`.
    slots: FxHashMap<usize, u32>,
    uses: Vec<(u32, u32)>,
    /// The aliases inside of their own anchors, with their slots.
    self_aliases: Vec<(Span, u32)>,
    /// The number of bindings without an anchor in the text.
    unnamed: usize,
    /// The number of fields added by merge keys.
    merged_fields: u64,
    /// The number of texts that YAML 1.1 reads as another value.
    other_values: usize,
    proceed: bool,
}

/// Reads a YAML text, as the array of its documents if `documents` is set. Everything after the first syntax error is lost;
/// other errors are skipped.
pub(super) fn read(source: SourceId, text: &str, documents: bool, stop: Stop<'_>) -> Program {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut mended: Option<String> = None;
    for time in 0..=repair::MOST_REPAIRS {
        let given = mended.as_deref().unwrap_or(body);
        match attempt(source, text, given, documents, stop) {
            Ok(program) => return program,
            Err(refused) => {
                let more = time < repair::MOST_REPAIRS && time * body.len() < repair::MOST_READ;
                let character = refused.character.filter(|_| more);
                let at = character.and_then(|n| given.char_indices().nth(n).map(|(at, _)| at));
                match at.and_then(|at| repair::joined(given, at)) {
                    Some(joined) => mended = Some(joined),
                    None => return refused.program,
                }
            }
        }
    }
    Build::stopped(source)
}

/// Bytes of the tokens around a punctuation mark in the parser's queue, while the queue grows. It holds a whole flow collection.
const MARK_BYTES: u64 = 2 * 3 * 104;

/// A text that the parser rejected.
struct RejectedText {
    /// The program up to the error.
    program: Program,
    /// The position of a bracket that is not indented enough, in characters, if that is the error.
    character: Option<usize>,
}

/// Parses a text. `body` is the repaired version of `text`, with the same positions.
fn attempt(
    source: SourceId,
    text: &str,
    body: &str,
    documents: bool,
    stop: Stop<'_>,
) -> Result<Program, Box<RejectedText>> {
    let original = text.strip_prefix('\u{feff}').unwrap_or(text);
    let places = Places::new(text, text.len() - original.len());
    let mut character = None;
    let mut refused = false;
    let mut reader = Reader {
        build: Build::new(source),
        open: Vec::new(),
        documents: Vec::new(),
        document: None,
        document_size: 0,
        anchors: Vec::new(),
        slots: FxHashMap::default(),
        uses: Vec::new(),
        self_aliases: Vec::new(),
        unnamed: 0,
        merged_fields: 0,
        other_values: 0,
        proceed: true,
    };
    let marks = body.bytes().filter(|byte| b",:[]{}".contains(byte)).count();
    stop.expect_table(marks as u64 * MARK_BYTES);
    if stop.is_asked() {
        return Ok(Build::stopped(source));
    }
    let mut parser = Parser::new_from_str(body);
    while let Some(event) = parser.next_event() {
        if stop.is_asked() {
            return Ok(Build::stopped(source));
        }
        match event {
            Ok((event, span)) => {
                let span = reader.build.span(places.byte(span.start.index()), places.byte(span.end.index()));
                let span = written(&event, text, span);
                let span = match (&event, reader.key_end()) {
                    (Event::SequenceStart(..), Some(end)) => at_first_dash(text, end as usize, span),
                    _ => span,
                };
                if let Event::Scalar(_, ScalarStyle::Plain, ..) = &event
                    && let Some(Open { items: Items::Sequence(_), .. }) = reader.open.last()
                    && let Some(line) = scalar::dash(text, span.start as usize..span.end as usize)
                {
                    let line = reader.build.span(line.start, line.end);
                    reader.build.problem(DataProblem::ContinuedByDash, Severity::Warning, line);
                }
                if let Event::Scalar(_, ScalarStyle::Plain, ..) = &event
                    && let Some((what, line)) = reader.joined_lines(text, span)
                {
                    reader.build.problem(what, Severity::Warning, line);
                }
                reader.event(event, span);
                if !reader.proceed {
                    break;
                }
            }
            Err(error) => {
                let at = places.byte(error.marker().index());
                let end = body_end(text, at);
                let span = reader.build.span(at, end);
                let message = error.info();
                refused = true;
                character = message.contains("indentation").then(|| error.marker().index());
                let (what, span) = match faults::diagnosed(text, at, message) {
                    Some((what, range)) => (what, reader.build.span(range.start, range.end)),
                    None => (DataProblem::Reader { format: "YAML", message: Name::new(message) }, span),
                };
                reader.build.error(what, span);
                reader.close_all(span);
                break;
            }
        }
    }
    let mut program = reader.finish(text, documents);
    program.problems.iter_mut().for_each(|problem| name_template(problem, text));
    doubts::one_template(&mut program.problems);
    if refused { Err(Box::new(RejectedText { program, character })) } else { Ok(program) }
}

/// Replaces the problem of a mapping as a key by that of a template: `{{ x }}` is a mapping whose key is a mapping.
fn name_template(problem: &mut Problem, text: &str) {
    if let ProblemKind::Syntax(syntax) = &mut problem.kind
        && let SyntaxKind::Data(DataProblem::KeyNotText) = syntax.what
        && let Some(range) = faults::template_at(text, syntax.span.start as usize)
        && range.contains(&(syntax.span.start as usize))
    {
        syntax.what = SyntaxKind::Data(DataProblem::Yaml(YamlFault::Template));
        syntax.span = Span::new(syntax.span.source, range.start, range.end);
    }
}

/// Returns the span of a sequence that is the value of a key, from its first dash. If the dash is in the column of the key, the
/// parser reports the place of the first element.
fn at_first_dash(text: &str, key_end: usize, span: Span) -> Span {
    let between = text.get(key_end..span.start as usize).unwrap_or_default();
    let mut at = key_end;
    for line in between.split_inclusive('\n') {
        let entry = line.trim_start();
        let is_entry =
            entry.strip_prefix('-').is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
        if is_entry && at > key_end {
            return Span { start: (at + line.len() - entry.len()) as u32, ..span };
        }
        at += line.len();
    }
    span
}

/// Returns the span of a quoted scalar, a block scalar or a closing bracket, without the spaces, the comment and the empty lines
/// after it that the parser includes.
fn written(event: &Event<'_>, text: &str, span: Span) -> Span {
    if let Event::SequenceEnd | Event::MappingEnd = event {
        return Span { end: span.end.min(span.start + 1), ..span };
    }
    let Event::Scalar(value, style, ..) = event else { return span };
    let written = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    match style {
        ScalarStyle::Plain => return span,
        ScalarStyle::Literal | ScalarStyle::Folded => {
            let length = block::length(written, value.ends_with("\n\n"));
            return Span { end: span.start + length as u32, ..span };
        }
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {}
    }
    let mut chars = written.char_indices().peekable();
    let Some((_, quote @ ('"' | '\''))) = chars.next() else { return span };
    while let Some((at, c)) = chars.next() {
        let doubled = quote == '\'' && chars.peek().is_some_and(|(_, next)| *next == quote);
        if c == '\\' && quote == '"' || c == quote && doubled {
            chars.next();
        } else if c == quote {
            return Span { end: span.start + at as u32 + 1, ..span };
        }
    }
    span
}

/// Returns the offset after the character at an offset.
fn body_end(text: &str, at: usize) -> usize {
    at + text.get(at..).and_then(|rest| rest.chars().next()).filter(|c| *c != '\n').map_or(0, char::len_utf8)
}

/// Converts the parser's positions, counted in characters, to byte offsets.
struct Places<'a> {
    text: &'a str,
    base: usize,
    /// The byte offset of every 64th character. Empty if the text is ASCII.
    marks: Vec<u32>,
}

impl<'a> Places<'a> {
    fn new(text: &'a str, base: usize) -> Places<'a> {
        let body = &text[base..];
        let marks = if body.is_ascii() {
            Vec::new()
        } else {
            body.char_indices().step_by(64).map(|(at, _)| (at + base) as u32).collect()
        };
        Places { text, base, marks }
    }

    fn byte(&self, character: usize) -> usize {
        let end = self.text.len();
        if self.marks.is_empty() {
            return (self.base + character).min(end);
        }
        let Some(mark) = self.marks.get(character / 64).map(|m| *m as usize) else { return end };
        let rest = self.text.get(mark..).unwrap_or("");
        rest.char_indices().nth(character % 64).map_or(end, |(at, _)| mark + at)
    }
}

impl Reader {
    fn event(&mut self, event: Event<'_>, span: Span) {
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) => {}
            Event::DocumentEnd => {
                self.documents.extend(self.document.take());
                self.document_size = 0;
            }
            Event::Alias(id) => self.alias(id, span),
            Event::Scalar(text, style, anchor, tag) => self.scalar(&text, style, anchor, tag.as_deref(), span),
            Event::SequenceStart(anchor, tag) => {
                let tag = self.collection_tag(tag.as_deref(), "seq", span);
                self.start(Items::Sequence(Vec::new()), anchor, tag, span);
            }
            Event::MappingStart(anchor, tag) => {
                let tag = self.collection_tag(tag.as_deref(), "map", span);
                let items = Items::Mapping { entries: Vec::new(), key: None, merges: false, skip: false };
                self.start(items, anchor, tag, span);
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
        }
    }

    /// Returns the number of record frames around the current value, and its enclosing binding.
    fn here(&self) -> (u32, Option<u32>) {
        self.open.last().map_or((0, None), |open| (open.level, open.owner))
    }

    /// Returns the end of the key whose value comes next.
    fn key_end(&self) -> Option<u32> {
        match self.open.last() {
            Some(Open { items: Items::Mapping { key: Some((_, span)), .. }, .. }) => Some(span.end),
            _ => None,
        }
    }

    /// Returns `true` if the next value is a key.
    fn at_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { items: Items::Mapping { key: None, skip: false, .. }, .. }))
    }

    /// Returns the index of an anchor's binding.
    fn slot(&mut self, id: usize, span: Span) -> u32 {
        let next = self.anchors.len() as u32;
        let slot = *self.slots.entry(id).or_insert(next);
        if slot == next {
            self.anchors.push(Anchor { span, body: None, size: 1 });
        }
        slot
    }

    fn start(&mut self, items: Items, mut anchor: usize, tag: Option<Name>, span: Span) {
        let (mut level, mut owner) = self.here();
        let merged = self.behind_merge_key();
        if merged && anchor == 0 && matches!(items, Items::Mapping { .. }) {
            // merged fields are read one by one, as from an alias
            anchor = self.unnamed_anchor();
        }
        if anchor != 0 {
            owner = Some(self.slot(anchor, span));
            level = 0;
        }
        if matches!(items, Items::Mapping { .. }) {
            level += 1;
        }
        self.open.push(Open { items, span, anchor, level, merged, tag, owner, size: 1 });
    }

    fn end(&mut self, span: Span) {
        self.expand_merge_keys();
        let Some(open) = self.open.pop() else { return };
        // a block ends after its last value, not at the beginning of the next line
        let end = |last: Option<Span>| {
            let end = if span.is_empty() { last.map_or(open.span.end, |s| s.end) } else { span.end };
            Span { end: end.max(open.span.end), ..open.span }
        };
        let node = match open.items {
            Items::Sequence(items) => {
                let whole = end(items.last().map(|last| self.build.node_span(*last)));
                self.build.array(items, whole)
            }
            Items::Mapping { mut entries, key, .. } => {
                if let Some((name, name_span)) = key {
                    let value = self.build.hole(Span { start: name_span.end, ..name_span });
                    entries.push(Entry { name, name_span, value, merges: false });
                }
                let whole = end(entries.last().map(|last| self.build.node_span(last.value)));
                self.build.record(entries, whole, true)
            }
        };
        let node = self.tagged(node, open.tag);
        self.give(node, open.anchor, open.size);
    }

    /// Closes everything after an error.
    fn close_all(&mut self, span: Span) {
        while !self.open.is_empty() {
            self.end(span.at_start());
        }
        let document = self.document.take();
        let document = document.unwrap_or_else(|| self.build.hole(span));
        self.documents.push(document);
    }

    /// Adds a finished value to the enclosing collection. An anchored value moves to its binding.
    fn give(&mut self, node: NodeId, anchor: usize, size: u64) {
        let mut node = node;
        if anchor != 0 {
            let span = self.build.node_span(node);
            let slot = self.slot(anchor, span);
            if let Some(entry) = self.anchors.get_mut(slot as usize) {
                entry.body = Some(node);
                entry.size = size;
            }
            node = self.reference(slot, span);
        }
        self.place(node, size);
    }

    /// Creates a use of a binding.
    fn reference(&mut self, slot: u32, span: Span) -> NodeId {
        let (up, owner) = self.here();
        if let Some(owner) = owner {
            self.uses.push((owner, slot));
        }
        self.build.node(Node::Local { up, slot }, span)
    }

    fn place(&mut self, node: NodeId, size: u64) {
        let span = self.build.node_span(node);
        let size_here = match self.open.last_mut() {
            None => {
                self.document = Some(node);
                self.document_size = self.document_size.saturating_add(size);
                return;
            }
            Some(open) => {
                open.size = open.size.saturating_add(size);
                open.size
            }
        };
        if self.proceed && size_here > MOST_VALUES {
            // stop here
            self.build.error(DataProblem::Aliases, span);
            self.proceed = false;
            let hole = self.build.hole(span);
            return self.put(hole, span);
        }
        self.put(node, span);
    }

    fn put(&mut self, node: NodeId, span: Span) {
        let Some(open) = self.open.last_mut() else { return };
        match &mut open.items {
            Items::Sequence(items) => items.push(node),
            Items::Mapping { entries, key, merges, skip } => match key.take() {
                Some((name, name_span)) => entries.push(Entry { name, name_span, value: node, merges: *merges }),
                None if *skip => *skip = false,
                None => {
                    // the key is a sequence, mapping or alias: skip its value too
                    *skip = true;
                    self.proceed = self.build.error(DataProblem::KeyNotText, span);
                }
            },
        }
    }

    fn alias(&mut self, id: usize, span: Span) {
        let slot = self.slot(id, span);
        if let Some(Anchor { body: None, .. }) = self.anchors.get(slot as usize) {
            // a value that is only sequences has no field at which an export could stop
            let inside = self.open.iter().rposition(|open| open.anchor == id).and_then(|at| self.open.get(at..));
            if inside.is_some_and(|inside| inside.iter().all(|open| matches!(open.items, Items::Sequence(_)))) {
                self.proceed = self.build.error(DataProblem::SelfAlias, span);
                let hole = self.build.hole(span);
                return self.place(hole, 1);
            }
            self.self_aliases.push((span, slot));
        }
        let size = self.anchors.get(slot as usize).map_or(1, |anchor| anchor.size);
        let node = self.reference(slot, span);
        self.place(node, size);
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, anchor: usize, tag: Option<&saphyr_parser::Tag>, span: Span) {
        let is_nothing = text.is_empty() && style == ScalarStyle::Plain && anchor == 0 && tag.is_none();
        if is_nothing && self.open.is_empty() {
            return;
        }
        // the parser gives a value that is not written the place of the token after it: `}` in `{a}`
        let span = if is_nothing { span.at_start() } else { span };
        if self.at_key() {
            if let Some(tag) = tag.and_then(tag::of).filter(tag::Tag::is_kept) {
                self.proceed = self.build.error(DataProblem::TagOnKey(tag.name()), span);
            }
            let name = Name::new(text);
            let is_merge = text == "<<" && style == ScalarStyle::Plain;
            if is_merge {
                self.report_second_merge_key(span);
            }
            if anchor != 0 {
                let node = self.build.node(Node::Str(name.clone()), span);
                let slot = self.slot(anchor, span);
                if let Some(entry) = self.anchors.get_mut(slot as usize) {
                    entry.body = Some(node);
                }
            }
            if let Some(Open { items: Items::Mapping { key, merges, .. }, .. }) = self.open.last_mut() {
                *key = Some((name, span));
                *merges = is_merge;
            }
            return;
        }
        let tag = tag.and_then(tag::of);
        if style == ScalarStyle::Plain
            && tag.is_none()
            && let Some(what) = self.other_reading(text)
        {
            self.build.problem(what, Severity::Warning, span);
        }
        let node = match value(text, style, tag.as_ref()) {
            Ok(node) => {
                let node = self.build.node(node, span);
                self.tagged(node, tag.filter(tag::Tag::is_kept).map(|tag| tag.name()))
            }
            Err(what) => {
                self.proceed = self.build.error(what, span);
                self.build.hole(span)
            }
        };
        self.give(node, anchor, 1);
    }

    fn finish(mut self, text: &str, documents: bool) -> Program {
        let whole = self.build.span(0, text.len());
        if !self.proceed {
            self.close_all(whole);
        }
        for document in &self.documents {
            kubernetes::report_keys(&mut self.build, *document);
        }
        let root = match self.documents.len() {
            0 if !documents => self.build.node(Node::Null, whole),
            1 if !documents => self.documents.remove(0),
            _ => {
                let documents = std::mem::take(&mut self.documents);
                self.build.array(documents, whole)
            }
        };
        if self.anchors.is_empty() {
            return self.build.finish(root);
        }
        let anchors = std::mem::take(&mut self.anchors);
        for (alias, slot) in std::mem::take(&mut self.self_aliases) {
            let written = text.get(alias.start as usize..alias.end as usize).unwrap_or_default();
            let anchor = anchors.get(slot as usize).map_or(alias, |anchor| anchor.span);
            self.build.self_alias(alias, anchor, Name::new(written.trim_start_matches('*')));
        }
        let mut bindings = Vec::with_capacity(anchors.len());
        let mut slots = Vec::with_capacity(anchors.len());
        for (slot, anchor) in anchors.into_iter().enumerate() {
            let body = anchor.body.unwrap_or_else(|| self.build.hole(anchor.span));
            let pat = self.build.pat(PatKind::Bind(slot as u32), anchor.span.at_start());
            let span = anchor.span;
            bindings.push(Binding::plain(pat, body, span));
            slots.push(anchor_name(text, span).unwrap_or_else(|| Name::from(format!("%anchor{slot}"))));
        }
        let groups = groups(bindings.len(), &self.uses);
        let it = Let { recursive: true, bindings, body: root, groups, slots };
        let root = self.build.node(Node::Let(Box::new(it)), whole);
        self.build.finish(root)
    }
}

/// Returns the name of an anchor with its sign: `&base`.
fn anchor_name(text: &str, span: Span) -> Option<Name> {
    let written = text.get(span.start as usize..span.end as usize)?;
    let name = written.starts_with('&').then(|| written.split([' ', '\t', '\n', '\r', ',', ']', '}']).next())??;
    Some(Name::new(name))
}
