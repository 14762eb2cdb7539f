//! Writes edits of a file: a new value in the notation of the file, and the offset at which a new field goes.

use super::place;
use crate::answer::fixes::Edit;
use crate::dialect::notation::value::one_line;
use crate::dialect::{Dialect, data};
use crate::term::{Node, NodeId, NumberForm, Term};
use crate::text::path::Step;
use crate::text::{Name, Span};
use crate::value::datum::{Datum, Entry};
use crate::value::manifest::{ManifestFormat, Style, export};

/// A file to edit.
pub(super) struct EditedFile<'t> {
    pub text: &'t str,
    pub dialect: Dialect,
    pub term: &'t Term,
    /// The text of the new value, if it is a number.
    pub number: Option<&'t str>,
}

/// The notation of a file.
#[derive(Clone, Copy, PartialEq)]
enum Notation {
    Json,
    Yaml,
    Toml,
    /// `NAME=value` lines, as in a `.env` file.
    Variables,
    /// A configuration language.
    Program,
}

impl EditedFile<'_> {
    fn notation(&self) -> Notation {
        match self.dialect.name() {
            "json" => Notation::Json,
            "yaml" => Notation::Yaml,
            "toml" => Notation::Toml,
            _ if self.dialect.0.variable.is_some() => Notation::Variables,
            _ => Notation::Program,
        }
    }

    /// Returns an edit with the line ends of the file.
    fn with_line_ends(&self, edit: Edit) -> Edit {
        let first = self.text.find('\n').and_then(|at| self.text.get(..at));
        match first.is_some_and(|line| line.ends_with('\r')) {
            true => Edit { text: edit.text.replace('\n', "\r\n"), ..edit },
            false => edit,
        }
    }

    /// Returns the edit that replaces a value. `None` if the value is computed, or if the language cannot write the new one.
    pub fn replacement(&self, span: Span, value: &Datum) -> Option<Edit> {
        self.replacement_with_lf(span, value).map(|edit| self.with_line_ends(edit))
    }

    fn replacement_with_lf(&self, span: Span, value: &Datum) -> Option<Edit> {
        if !place::is_literal(self.term, span) {
            return None;
        }
        let (start, end) = (span.start as usize, span.end as usize);
        let old = self.text.get(start..end)?;
        let new = self.value(value, old)?;
        if self.notation() != Notation::Yaml {
            return Some(Edit { span, text: new });
        }
        // a block is replaced from the end of its key, so that the new value is on the line of the key
        let before = self.text.get(..start)?;
        let through_key = before.trim_end();
        let uncommented = without_comments(before);
        let header =
            scalar_header(uncommented).map(|header| (header, before.get(uncommented.len()..through_key.len())));
        let is_empty = old.trim().is_empty();
        if is_empty && header.is_none() {
            return self.filling(span, &new);
        }
        // the place of a block without lines may be after the line of its header
        let end = if is_empty { through_key.len() as u32 } else { span.end };
        let is_block = before.get(through_key.len()..)?.contains('\n') && through_key.ends_with([':', '-']);
        let (start, mut text) = match (is_block, header) {
            (_, Some((header, comment))) => (header, new + comment.unwrap_or_default()),
            (true, None) => (through_key.len(), format!(" {new}")),
            (false, None) => (start, new),
        };
        if old.ends_with('\n') {
            // `with_line_ends` converts it to `\r\n` if the file uses that
            text.push('\n');
        }
        Some(Edit { span: Span { start: start as u32, end, ..span }, text })
    }

    /// Returns the edit that gives a value of YAML that is not written, `a:`, a text.
    fn filling(&self, span: Span, new: &str) -> Option<Edit> {
        let at = without_comments(self.text.get(..span.start as usize)?).len();
        let rest = self.text.get(at..)?;
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        // the place of such a value may be the end of its key
        let (start, text) = match rest.get(blank..)?.chars().next() {
            Some(':') => (at + blank + 1, format!(" {new}")),
            Some(',' | '}') if !self.text.get(..at)?.ends_with(':') => (at, format!(": {new}")),
            _ => (at, format!(" {new}")),
        };
        let after = self.text.get(start..)?;
        let blank = after.len() - after.trim_start_matches([' ', '\t']).len();
        let is_end = after.get(blank..)?.is_empty() || after.get(blank..)?.starts_with(['\r', '\n', ',']);
        let end = if is_end { start + blank } else { start };
        Some(Edit { span: Span { start: start as u32, end: end as u32, ..span }, text })
    }

    /// Writes a value. `old` is the text that it replaces; YAML keeps its style of quotes. `None` if the notation
    /// cannot write the value.
    fn value(&self, value: &Datum, old: &str) -> Option<String> {
        match self.notation() {
            Notation::Json | Notation::Yaml | Notation::Toml
                if matches!(value, Datum::Number(_)) && self.number.is_some() =>
            {
                self.number.map(String::from)
            }
            Notation::Json => Some(compact_json(&export(value, ManifestFormat::Json, Style::data(false)).ok()?)),
            Notation::Yaml => yaml(value, old),
            Notation::Toml => data::date_after(old, value).or_else(|| toml(value)),
            Notation::Variables => variable(value),
            Notation::Program => Some(one_line(self.dialect.spelling(), value).text()),
        }
    }

    /// Writes the path of a new field and its value: `a.b = 1`, `a: {b: 1}`.
    fn entry(&self, path: &[Step], value: &Datum) -> Option<String> {
        let (Step::Field(name), rest) = path.split_first()? else { return None };
        let accepts_dotted_paths = match self.notation() {
            Notation::Toml => true,
            Notation::Program => self.dialect.spelling().metadata,
            Notation::Json | Notation::Yaml | Notation::Variables => false,
        };
        if accepts_dotted_paths {
            // a field can be defined by its dotted path: `a.b = 1`
            let mut names = Vec::with_capacity(path.len());
            for step in path {
                let Step::Field(name) = step else { return None };
                names.push(match self.notation() {
                    Notation::Toml => toml_key(name),
                    _ => (self.dialect.spelling().field)(name).into_owned(),
                });
            }
            return Some(format!("{} = {}", names.join("."), self.value(value, "")?));
        }
        let value = self.value(&nested(rest, value)?, "")?;
        Some(match self.notation() {
            Notation::Json => format!("{}: {value}", json_string(name)),
            Notation::Yaml => format!("{}: {value}", yaml_key(name)),
            _ => {
                let spelling = self.dialect.spelling();
                format!("{}{}{value}", (spelling.field)(name), spelling.defines)
            }
        })
    }

    /// Returns the edits that add a field with this path to a record, or an element after the last one of an array.
    /// `None` if there is no place for it, or if the notation cannot write the path or the value.
    pub fn insertion(&self, node: NodeId, path: &[Step], value: &Datum) -> Option<Vec<Edit>> {
        let edits = self.insertion_with_lf(node, path, value)?;
        Some(edits.into_iter().map(|edit| self.with_line_ends(edit)).collect())
    }

    fn insertion_with_lf(&self, node: NodeId, path: &[Step], value: &Datum) -> Option<Vec<Edit>> {
        let span = self.term.span(node);
        let start = span.start as usize;
        // a new list is written on one line
        let list = path.iter().position(|step| matches!(step, Step::Index(_))).filter(|at| *at > 0);
        let inner = nested(path.get(list.unwrap_or(path.len())..)?, value)?;
        let (path, value) = (path.get(..list.unwrap_or(path.len()))?, &inner);
        match self.term.node(node) {
            Node::Array(items) => self.append_to_array(span, items, path, value),
            Node::Record(_) if self.text.get(start..)?.starts_with('{') => {
                let last = self.fields(node).pop().map(|(_, whole)| whole);
                self.append_in_brackets(span, last, &self.entry(path, value)?, '}')
            }
            Node::Record(_) if self.notation() == Notation::Yaml => self.append_to_block(node, path, value),
            Node::Record(_) if self.notation() == Notation::Toml => self.append_to_table(node, path, value),
            // the file contains only comments
            Node::Null if self.notation() == Notation::Yaml && self.has_only_comments() => {
                let lines = self.block_lines(path, value, "")?;
                Some(vec![self.at_end(span, &lines)])
            }
            _ => None,
        }
    }

    /// Returns, in the order of the text, the span of the name and of the whole field for each field that is written
    /// inside a record's own text.
    fn fields(&self, node: NodeId) -> Vec<(Span, Span)> {
        let Node::Record(record) = self.term.node(node) else { return Vec::new() };
        let record_span = self.term.span(node);
        let inside = |span: Span| {
            self.notation() == Notation::Toml
                || span.start >= record_span.start && span.end <= record_span.end.max(span.start)
        };
        let mut fields: Vec<(Span, Span)> = record
            .fields
            .iter()
            // leave out the fields that a merge key (`<<`) adds: their bodies are projections
            .filter(|field| !field.body.is_some_and(|body| matches!(self.term.node(body), Node::Project(..))))
            .map(|field| {
                let body = field.body.map_or(field.span, |body| self.term.span(body));
                (field.name_span, Span { end: field.span.end.max(body.end), ..field.name_span })
            })
            .filter(|(name, _)| inside(*name))
            .collect();
        fields.sort_by_key(|(name, _)| name.start);
        fields
    }

    /// Adds an element after the last one of an array.
    fn append_to_array(&self, span: Span, items: &[NodeId], path: &[Step], value: &Datum) -> Option<Vec<Edit>> {
        let (Step::Index(index), rest) = path.split_first()? else { return None };
        if *index != items.len() {
            return None;
        }
        let inner = nested(rest, value)?;
        let last = items.last().map(|last| self.term.span(*last));
        if self.text.get(span.start as usize..)?.starts_with('[') {
            let entry = self.value(&inner, "")?;
            return self.append_in_brackets(span, last, &entry, ']');
        }
        let last = last.filter(|_| self.notation() == Notation::Yaml)?;
        // the dash may be on a line above, with an anchor or a tag beside it
        let mut before = without_comments(self.text.get(..last.start as usize)?);
        while let Some((rest, _)) = before.rsplit_once(' ').filter(|(_, word)| word.starts_with(['&', '!'])) {
            before = without_comments(rest);
        }
        let before = before.strip_suffix('-')?;
        let line = before.get(before.rfind('\n').map_or(0, |at| at + 1)..)?;
        let margin = " ".repeat(line.chars().count());
        Some(vec![self.after_block(last, &format!("{margin}- {}\n", self.value(&inner, "")?))?])
    }

    /// Adds an entry before the closing bracket: `{ a = 1 }` → `{ a = 1, b = 2 }`. `last` is the span of the last
    /// entry.
    fn append_in_brackets(&self, span: Span, last: Option<Span>, entry: &str, close: char) -> Option<Vec<Edit>> {
        let insert_at = |offset: usize, text: String| Edit {
            span: Span { start: offset as u32, end: offset as u32, ..span },
            text,
        };
        let Some(Span { start, end, .. }) = last else {
            let inside = self.text.get(span.start as usize + 1..)?;
            // no spaces inside the brackets
            let is_tight = self.notation() == Notation::Json || close == ']';
            let blank = if is_tight || inside.starts_with([' ', '\n', '\r']) { "" } else { " " };
            let before = if is_tight { "" } else { " " };
            return Some(vec![insert_at(span.start as usize + 1, format!("{before}{entry}{blank}"))]);
        };
        let end = end as usize;
        let after = self.text.get(end..)?;
        let comma = after.trim_start().starts_with(',').then(|| end + (after.len() - after.trim_start().len()) + 1);
        let from = comma.unwrap_or(end);
        let line_end = self.text.get(from..)?.find('\n').map_or(self.text.len(), |rest| from + rest);
        let closes_on_same_line = self.text.get(from..line_end).unwrap_or_default().trim_start().starts_with(close);
        if closes_on_same_line {
            return Some(match comma {
                Some(comma) => vec![insert_at(comma, format!(" {entry}"))],
                None => vec![insert_at(end, format!(", {entry}"))],
            });
        }
        let indent = self.indent(start as usize)?;
        let line_end = line_end - usize::from(self.text.get(..line_end)?.ends_with('\r'));
        Some(match comma {
            Some(_) => vec![insert_at(line_end, format!("\n{indent}{entry},"))],
            None if line_end == end => vec![insert_at(end, format!(",\n{indent}{entry}"))],
            None => vec![insert_at(end, String::from(",")), insert_at(line_end, format!("\n{indent}{entry}"))],
        })
    }

    /// Adds lines after the last field of a block mapping.
    fn append_to_block(&self, node: NodeId, path: &[Step], value: &Datum) -> Option<Vec<Edit>> {
        let fields = self.fields(node);
        // a mapping of merge keys alone has no other fields
        let merge_key = self.term.span(node);
        let first = fields.first().map_or(merge_key, |(first, _)| *first);
        let last = fields.iter().map(|(_, whole)| *whole).max_by_key(|whole| whole.end).unwrap_or(merge_key);
        let line = self.text.get(..first.start as usize)?.rfind('\n').map_or(0, |at| at + 1);
        let column = self.text.get(line..first.start as usize)?.chars().count();
        let lines = self.block_lines(path, value, &" ".repeat(column))?;
        Some(vec![self.after_block(last, &lines)?])
    }

    /// Returns an edit that adds lines after a value, which may end with its line.
    fn after_block(&self, last: Span, lines: &str) -> Option<Edit> {
        match self.text.get(..last.end as usize)?.ends_with('\n') {
            true => Some(Edit { span: Span { start: last.end, ..last }, text: lines.to_string() }),
            false => self.after_line(last, lines),
        }
    }

    /// Returns the lines of a new field in a block mapping: one for each step of the path. `None` if the path has an
    /// index.
    fn block_lines(&self, path: &[Step], value: &Datum, margin: &str) -> Option<String> {
        let mut out = String::new();
        for (depth, step) in path.iter().enumerate() {
            let Step::Field(name) = step else { return None };
            let key = yaml_key(name);
            out.push_str(&format!("{margin}{}{key}:", "  ".repeat(depth)));
            if depth + 1 == path.len() {
                out.push_str(&format!(" {}", self.value(value, "")?));
            }
            out.push('\n');
        }
        Some(out)
    }

    /// Adds a line after a table's last value. If it has none, adds it after the table's header, or at an end of the
    /// file.
    fn append_to_table(&self, node: NodeId, path: &[Step], value: &Datum) -> Option<Vec<Edit>> {
        let entry = self.entry(path, value)?;
        let line_start = |at: usize| Some(self.text.get(..at)?.rfind('\n').map_or(0, |at| at + 1));
        let table_span = self.term.span(node);
        // fields that are tables have lines of their own
        let Node::Record(record) = self.term.node(node) else { return None };
        let fields = record.fields.iter().filter_map(|field| Some((field.name_span, field.body?)));
        let values = fields.filter(|(name, body)| {
            let body = self.term.span(*body);
            let text = |from: u32, to: u32| self.text.get(from as usize..to as usize).unwrap_or_default();
            name.end <= body.start && text(name.end, body.start).trim() == "="
        });
        let last = values.max_by_key(|(name, _)| name.start);
        if let Some((name, body)) = last {
            let start = line_start(name.start as usize)?;
            // the indentation and the path before the name: `server.`
            let prefix = self.text.get(start..name.start as usize)?;
            let body = self.term.span(body);
            return Some(vec![self.after_line(body, &format!("{prefix}{entry}\n"))?]);
        }
        let header = self.text.get(line_start(table_span.start as usize)?..)?.trim_start();
        // a file that begins with a table has no header itself
        if header.starts_with('[') && node != self.term.root {
            return Some(vec![self.after_line(table_span.at_start(), &format!("{entry}\n"))?]);
        }
        if self.has_only_comments() {
            return Some(vec![self.at_end(table_span, &format!("{entry}\n"))]);
        }
        // the top of a file that begins with a table
        (node == self.term.root)
            .then(|| vec![Edit { span: Span { start: 0, end: 0, ..table_span }, text: format!("{entry}\n\n") }])
    }

    /// Returns an edit that adds lines after the line of a place.
    fn after_line(&self, span: Span, lines: &str) -> Option<Edit> {
        match self.text.get(span.end as usize..)?.find('\n') {
            Some(rest) => {
                let at = span.end + rest as u32 + 1;
                Some(Edit { span: Span { start: at, end: at, ..span }, text: lines.to_string() })
            }
            None => Some(self.at_end(span, lines)),
        }
    }

    /// Returns an edit that adds lines at the end of the file.
    fn at_end(&self, span: Span, lines: &str) -> Edit {
        let end = self.text.len() as u32;
        let before = if self.text.is_empty() || self.text.ends_with('\n') { "" } else { "\n" };
        Edit { span: Span { start: end, end, ..span }, text: format!("{before}{lines}") }
    }

    /// Returns whether the file has no values: only comments, empty lines and `---`.
    fn has_only_comments(&self) -> bool {
        let is_blank_or_comment = |line: &str| line.is_empty() || line.starts_with('#') || line == "---";
        self.text.lines().map(str::trim).all(is_blank_or_comment)
    }

    /// Returns the indentation of the line that contains an offset.
    fn indent(&self, at: usize) -> Option<&str> {
        let line = self.text.get(..at)?.rfind('\n').map_or(0, |at| at + 1);
        let text = self.text.get(line..at)?;
        Some(text.get(..text.len() - text.trim_start().len()).unwrap_or_default())
    }
}

/// Returns a text without the spaces and comments at its end.
fn without_comments(text: &str) -> &str {
    let mut rest = text.trim_end();
    loop {
        let line = rest.rfind('\n').map_or(0, |at| at + 1);
        let comment = rest.get(line..).and_then(|last| match last.trim_start().starts_with('#') {
            true => Some(0),
            false => last.find(" #").or_else(|| last.find("\t#")),
        });
        match comment.and_then(|at| rest.get(..line + at)) {
            Some(before) => rest = before.trim_end(),
            None => return rest,
        }
    }
}

/// Returns the offset of the header of a block scalar, `|` or `>-`, if the text ends with one.
fn scalar_header(text: &str) -> Option<usize> {
    let at = text.rfind([' ', '\t', '\n']).map_or(0, |at| at + 1);
    let indicators = text.get(at..)?.strip_prefix(['|', '>'])?;
    indicators.chars().all(|c| matches!(c, '+' | '-') || c.is_ascii_digit()).then_some(at)
}

/// Returns records and lists around a value: `a.b[0]`, `1` → `{a: {b: [1]}}`. `None` if the path has another index than 0.
fn nested(path: &[Step], value: &Datum) -> Option<Datum> {
    path.iter().rev().try_fold(value.clone(), |inner, step| match step {
        Step::Field(name) => Some(Datum::Record(vec![Entry::plain(name.clone(), inner)])),
        Step::Index(0) => Some(Datum::Array(vec![inner])),
        Step::Index(_) => None,
    })
}

/// Writes a string as a JSON literal.
fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Joins the lines of a JSON text.
fn compact_json(json: &str) -> String {
    let mut out = String::new();
    for line in json.lines().map(str::trim) {
        out.push_str(line);
        if line.ends_with(',') {
            out.push(' ');
        }
    }
    out
}

/// Writes a value as YAML on one line. `old` is the text that it replaces, whose style of quotes is kept. `None` if
/// YAML cannot write the value.
fn yaml(value: &Datum, old: &str) -> Option<String> {
    let Datum::String(text) = value else {
        return match value {
            Datum::Array(_) | Datum::Record(_) => {
                Some(compact_json(&export(value, ManifestFormat::Json, Style::data(false)).ok()?))
            }
            _ => Some(export(value, ManifestFormat::Yaml, Style::data(false)).ok()?.trim_end().to_string()),
        };
    };
    let printable = !text.contains(|c: char| c.is_control());
    if old.starts_with('"') {
        return Some(json_string(text));
    }
    if old.starts_with('\'') && printable {
        return Some(format!("'{}'", text.replace('\'', "''")));
    }
    let plain = export(value, ManifestFormat::Yaml, Style::data(false)).ok()?;
    let plain = plain.trim_end_matches('\n');
    // the plain form has several lines, or characters that are special inside `[…]` and `{…}`
    let needs_quotes =
        plain.contains('\n') || !plain.starts_with(['\'', '"']) && plain.contains([',', '[', ']', '{', '}']);
    Some(if needs_quotes { json_string(text) } else { plain.to_string() })
}

fn yaml_key(name: &Name) -> String {
    let record = Datum::Record(vec![Entry::plain(name.clone(), Datum::Null)]);
    let line = export(&record, ManifestFormat::Yaml, Style::data(false)).unwrap_or_default();
    match line.strip_suffix(": null\n") {
        Some(key) if !key.contains([',', '[', ']', '{', '}', '\n']) => key.to_string(),
        _ => json_string(name),
    }
}

fn toml_key(name: &Name) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) { name.to_string() } else { toml_string(name) }
}

fn toml_string(text: &str) -> String {
    json_string(text).replace('\u{7f}', "\\u007F")
}

/// Writes the value of a variable: in double quotes unless all its characters are safe without them.
fn variable(value: &Datum) -> Option<String> {
    let Datum::String(text) = value else {
        return Some(compact_json(&export(value, ManifestFormat::Json, Style::data(false)).ok()?));
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:,@%+=".contains(c);
    if text.chars().all(plain) {
        return Some(text.to_string());
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' | '$' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push('"');
    Some(out)
}

/// Writes a value as TOML on one line. `None` for null, which TOML does not have.
fn toml(value: &Datum) -> Option<String> {
    crate::deep::deeper(|| {
        Some(match value {
            Datum::Bool(b) => b.to_string(),
            Datum::Number(n) => n.export_in_full(NumberForm::Toml).ok()?,
            Datum::String(text) => toml_string(text),
            Datum::Array(items) => format!("[{}]", items.iter().map(toml).collect::<Option<Vec<_>>>()?.join(", ")),
            Datum::Record(entries) if entries.is_empty() => String::from("{}"),
            Datum::Record(entries) => {
                let entry =
                    |entry: &Entry| Some(format!("{} = {}", toml_key(&entry.name), toml(entry.value.as_ref()?)?));
                format!("{{ {} }}", entries.iter().map(entry).collect::<Option<Vec<_>>>()?.join(", "))
            }
            _ => return None,
        })
    })
}
