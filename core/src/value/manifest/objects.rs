//! Writes JSON as object languages do: three spaces per level, numbers with 17 digits, fields sorted by name.

use super::MOST_BLANKS;
use crate::problem::value::ValueKind;
use crate::text::Name;
use crate::value::datum::MASK;
use crate::value::eval::objects::kind;
use crate::value::to_data::contains_itself;
use crate::value::{Fault, Machine, Record, Step, Value};
use std::cell::Cell;
use std::fmt::Write;
use std::io;
use std::rc::Rc;

/// Layout of JSON.
#[derive(Clone, Debug)]
pub struct Style {
    /// The indentation of one level.
    pub indent: String,
    /// The text between elements, and inside the brackets.
    pub newline: String,
    /// The text after a comma if `newline` is empty.
    pub gap: &'static str,
    /// The text between a name and its value.
    pub colon: String,
    /// Whether an empty array is `[ ]` and an empty object `{ }`. Otherwise the brackets enclose `newline` twice.
    pub spaced: bool,
    /// Whether numbers are written as by [`write_shortest`].
    pub shortest: bool,
}

impl Style {
    /// The layout of `+` with a string and of `std.toString`: one line.
    pub const LINE: Style = Style {
        indent: String::new(),
        newline: String::new(),
        gap: " ",
        colon: String::new(),
        spaced: true,
        shortest: false,
    };

    /// Returns the layout of the command line.
    pub fn document() -> Style {
        Style {
            indent: String::from("   "),
            newline: String::from("\n"),
            gap: "",
            colon: String::from(": "),
            spaced: true,
            shortest: false,
        }
    }

    /// Returns the layout of `std.manifestJsonEx`.
    pub fn ex(indent: &str, newline: &str, colon: &str) -> Style {
        Style {
            indent: String::from(indent),
            newline: String::from(newline),
            gap: "",
            colon: String::from(colon),
            spaced: false,
            shortest: true,
        }
    }

    fn colon(&self) -> &str {
        if self.colon.is_empty() && self.gap == " " { ": " } else { &self.colon }
    }
}

/// Formats a number as object languages do: integers in full, others with 17 significant digits.
pub fn number(value: f64) -> String {
    let mut out = String::new();
    write_number(value, &mut out);
    out
}

/// Appends a number in the format of [`number`].
pub fn write_number(value: f64, out: &mut String) {
    if value.fract() == 0.0 {
        if value.abs() < 9007199254740992.0 && (value != 0.0 || value.is_sign_positive()) {
            let _ = write!(out, "{}", value as i64);
        } else {
            let _ = write!(out, "{value:.0}");
        }
        return;
    }
    let text = format!("{value:.16e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return out.push_str(&text) };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..17).contains(&exponent) {
        let text = format!("{value:.*}", (16 - exponent).max(0) as usize);
        return out.push_str(text.trim_end_matches('0').trim_end_matches('.'));
    }
    out.push_str(mantissa.trim_end_matches('0').trim_end_matches('.'));
    let sign = if exponent < 0 { '-' } else { '+' };
    let _ = write!(out, "e{sign}{:02}", exponent.abs());
}

/// Appends the shortest digits that are read back as the number, without an exponent: `0.8`, where [`write_number`] writes
/// `0.80000000000000004`.
pub fn write_shortest(value: f64, out: &mut String) {
    let _ = write!(out, "{value}");
}

/// Returns a path as a Jsonnet array.
pub fn path_array(path: &[Step]) -> String {
    if path.is_empty() {
        return String::from("[ ]");
    }
    let mut out = String::from("[");
    for (i, step) in path.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        match step {
            Step::Field(name) => quote(name, &mut out),
            Step::Index(i) => {
                let _ = write!(out, "{i}");
            }
        }
    }
    out.push(']');
    out
}

/// Appends a string in quotes, with the escapes of the C++ Jsonnet implementation.
pub fn quote(text: &str, out: &mut String) {
    out.push('"');
    let mut from = 0;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        // Only these bytes may need an escape; 0xc2 begins the characters from U+0080 to U+00BF.
        if !matches!(byte, 0..=0x1f | b'"' | b'\\' | 0x7f | 0xc2) {
            continue;
        }
        let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { continue };
        let escape = match c {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\u{8}' => "\\b",
            '\u{c}' => "\\f",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => "",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        from = at + c.len_utf8();
        match escape {
            "" => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            escape => out.push_str(escape),
        }
    }
    out.push_str(&text[from..]);
    out.push('"');
}

/// A receiver of the parts of a document, in order.
pub type DocumentOutput = Rc<dyn Fn(&str) -> io::Result<()>>;

/// Size in bytes from which a document is passed on in parts. A smaller one is passed on when it is complete.
const PART: usize = 1 << 24;

/// Passes on the parts of a large document while it is written, so that memory does not grow with it.
pub struct Parts {
    output: DocumentOutput,
    passed: Cell<u64>,
}

impl Parts {
    /// Makes a receiver of parts.
    pub fn new(output: DocumentOutput) -> Parts {
        Parts { output, passed: Cell::new(0) }
    }

    /// Returns the number of bytes that were passed on.
    pub fn passed(&self) -> u64 {
        self.passed.get()
    }

    /// Passes on what is written if it is large.
    #[inline]
    pub(super) fn pass_on_large(&self, out: &mut String) -> Result<(), Fault> {
        if out.len() > PART { self.pass_on(out) } else { Ok(()) }
    }

    pub(super) fn pass_on(&self, out: &mut String) -> Result<(), Fault> {
        let words = |error: io::Error| Fault::undefined(format!("the output cannot be written: {error}"), None);
        (self.output)(out).map_err(words)?;
        self.passed.set(self.passed.get() + out.len() as u64);
        out.clear();
        Ok(())
    }
}

/// The state of writing a value.
struct Writer<'s> {
    style: &'s Style,
    /// The indentation of the current level.
    margin: String,
    path: Vec<Step>,
    /// Number of spaces of indentation written so far.
    blanks: usize,
    /// The nearest object around the place whose depth is a power of two. A value that contains itself reaches it again (Brent's
    /// algorithm).
    around: Option<Record>,
    /// Whether secrets are masked: in output, not in the values of programs.
    masks: bool,
    /// The receiver of the parts of a large document.
    parts: Option<&'s Parts>,
}

impl Machine {
    /// Writes a value as JSON. Forces all its parts in the order of the output, and checks the asserts of its objects.
    pub fn write_json(&mut self, value: &Value, style: &Style, out: &mut String) -> Result<(), Fault> {
        self.write(value, style, (false, None), out)
    }

    fn write(
        &mut self,
        value: &Value,
        style: &Style,
        (masks, parts): (bool, Option<&Parts>),
        out: &mut String,
    ) -> Result<(), Fault> {
        let mut writer =
            Writer { style, margin: String::new(), path: Vec::new(), blanks: 0, around: None, masks, parts };
        self.write_part(value, &mut writer, out)
    }

    /// Returns the output of the command line for a program: its value as JSON and a line end.
    pub fn manifest_document(&mut self, value: &Value) -> Result<String, Fault> {
        self.manifest_in_parts(value, None)
    }

    /// Like [`Machine::manifest_document`], but passes on the parts of a large document while it is written. Returns the
    /// rest.
    pub fn manifest_in_parts(&mut self, value: &Value, parts: Option<&Parts>) -> Result<String, Fault> {
        let mut out = String::new();
        self.in_manifest(|machine| machine.write(value, &Style::document(), (true, parts), &mut out))?;
        out.push('\n');
        Ok(out)
    }

    /// Returns the output of the command line with `-S`. The value must be a string.
    pub fn manifest_string(&mut self, value: &Value) -> Result<String, Fault> {
        match value {
            Value::String(text) => Ok(String::from(self.read(text.clone())?.as_str())),
            other => Err(Fault::undefined(format!("expected string result, got: {}", kind(other)), None)),
        }
    }

    /// Returns the text of a stream of documents (`-y`), or the rest of it after the parts that were passed on. With `strings`, each
    /// document must be a string.
    pub fn manifest_stream(&mut self, value: &Value, strings: bool, parts: Option<&Parts>) -> Result<String, Fault> {
        let Value::Array(documents) = value else {
            let words = format!(
                "stream mode: top-level object was a {}, should be an array whose elements hold the JSON for each \
                 document in the stream.",
                kind(value)
            );
            return Err(Fault::undefined(words, None));
        };
        let mut out = String::new();
        for document in self.items(documents)? {
            let value = self.force_shown(document)?;
            out.push_str("---\n");
            match strings {
                true => {
                    let text = self.manifest_string(&value)?;
                    self.append(&mut out, &text)?;
                }
                false => {
                    self.in_manifest(|machine| machine.write(&value, &Style::document(), (true, parts), &mut out))?
                }
            }
            out.push('\n');
            if let Some(parts) = parts {
                parts.pass_on_large(&mut out)?;
            }
        }
        if !documents.is_empty() {
            out.push_str("...\n");
        }
        Ok(out)
    }

    /// Returns the files of a program with `-m`: names and texts.
    pub fn manifest_files(&mut self, value: &Value, strings: bool) -> Result<Vec<(String, String)>, Fault> {
        let Value::Record(files) = value else {
            let words = format!(
                "multi mode: top-level object was a {}, should be an object whose keys are filenames and values hold \
                 the JSON for that file.",
                kind(value)
            );
            return Err(Fault::undefined(words, None));
        };
        self.check_asserts(files)?;
        let mut out = Vec::new();
        for (name, file) in self.visible(files)? {
            let value = self.force_shown(&file)?;
            let text = if strings { self.manifest_string(&value)? } else { self.manifest_document(&value)? };
            out.push((name.to_string(), text));
        }
        Ok(out)
    }

    fn write_part(&mut self, value: &Value, to: &mut Writer, out: &mut String) -> Result<(), Fault> {
        match value {
            Value::Null => out.push_str("null"),
            Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
            Value::Number(n) if to.style.shortest => write_shortest(n.to_f64(), out),
            Value::Number(n) => write_number(n.to_f64(), out),
            Value::String(text) => {
                self.room(out, text.len().saturating_mul(2))?;
                quote(text, out);
            }
            Value::Tag(tag) => quote(tag, out),
            Value::Array(array) => {
                if array.is_empty() && to.style.spaced {
                    out.push_str("[ ]");
                    return Ok(());
                }
                let depth = to.open('[', out);
                for (i, element) in self.items(array)?.iter().enumerate() {
                    self.room(out, to.margin.len())?;
                    to.next(i == 0, out);
                    to.pass_on(out)?;
                    let (thunk, element) = (element, self.force_element(element)?);
                    if to.masks && thunk.secret().is_some() {
                        quote(MASK, out);
                        continue;
                    }
                    to.path.push(Step::Index(i));
                    self.write_nested(&element, to, out)?;
                    to.path.pop();
                }
                to.close(']', depth, out);
            }
            Value::Record(record) => {
                if to.around.as_ref().is_some_and(|around| around.same(record)) {
                    let why = contains_itself(&to.names());
                    // the beginning is the message of the reference implementation
                    return Err(Fault::undefined(format!("max stack frames exceeded: {why}"), None));
                }
                let around = match to.path.len().is_power_of_two() || to.path.is_empty() {
                    true => Some(to.around.replace(record.clone())),
                    false => None,
                };
                self.check_asserts(record)?;
                let fields = self.fields(record)?;
                let mut fields = fields.into_iter().filter(|f| !f.not_exported).peekable();
                if fields.peek().is_none() && to.style.spaced {
                    out.push_str("{ }");
                    to.around = around.unwrap_or(to.around.take());
                    return Ok(());
                }
                let depth = to.open('{', out);
                let mut first = true;
                for field in fields {
                    self.room(out, to.margin.len().saturating_add(field.name.len().saturating_mul(2)))?;
                    to.next(first, out);
                    to.pass_on(out)?;
                    first = false;
                    quote(&field.name, out);
                    out.push_str(to.style.colon());
                    let value = match &field.value {
                        Some(thunk) => self.force_field(thunk).map_err(|f| {
                            let path = || to.path_to(&field.name).unwrap_or_else(|| record.path_to(&field.name));
                            self.in_layer(f.in_field(path), record, &field.name)
                        })?,
                        None => return Err(self.missing_field(record, &field.name, None)),
                    };
                    if let Value::Record(inner) = &value {
                        inner.set_path(record, &field.name);
                    }
                    if to.masks && (field.secret || field.value.is_some_and(|thunk| thunk.secret().is_some())) {
                        quote(MASK, out);
                        continue;
                    }
                    to.path.push(Step::Field(field.name));
                    self.write_nested(&value, to, out).map_err(|fault| self.at_field(fault, record, to))?;
                    to.path.pop();
                }
                to.close('}', depth, out);
                to.around = around.unwrap_or(to.around.take());
            }
            Value::Sealed(sealed) => return Err(self.inspected_sealed(sealed)),
            _ if to.style.spaced => {
                return Err(Fault::undefined("couldn't manifest function in JSON output.", None));
            }
            _ => {
                let words = format!("Tried to manifest function at {}", path_array(&to.path));
                return Err(Fault::undefined(words, None));
            }
        }
        Ok(())
    }

    #[inline]
    fn write_nested(&mut self, value: &Value, to: &mut Writer, out: &mut String) -> Result<(), Fault> {
        match value {
            Value::Array(_) | Value::Record(_) => {
                self.tick()?;
                // The indentation of deep data is quadratic in its depth, so infinite data stops here.
                if to.blanks > MOST_BLANKS && to.path.len() > 1000 {
                    return Err(self.too_deep(to.path.len() as u32).worded("max stack frames exceeded."));
                }
                self.in_frames(1, |machine| machine.deeper(|machine| machine.write_part(value, to, out)))
            }
            _ => self.write_part(value, to, out),
        }
    }
}

impl Machine {
    /// Adds the path and the definition of the field that was written last to a fault without a place.
    #[cold]
    fn at_field(&self, fault: Fault, record: &Record, to: &Writer<'_>) -> Fault {
        let placeless = matches!(fault.what(), Some(ValueKind::Undefined { span: None, .. }));
        let Some(Step::Field(name)) = to.path.last().filter(|_| placeless) else { return fault };
        let plain = record.is_chain() || record.is_plain();
        let found = plain.then(|| record.find(name, u32::MAX)).flatten();
        let place = found.and_then(|found| record.layer_definition(&found).name_span());
        let path = to.names();
        fault.in_field(|| path).change(|problem| {
            if let ValueKind::Undefined { span, .. } = &mut problem.what {
                *span = place;
            }
        })
    }
}

impl Writer<'_> {
    /// Returns the path of the part that is written. An index is a name in brackets.
    fn names(&self) -> Vec<Name> {
        let name = |step: &Step| match step {
            Step::Field(name) => name.clone(),
            Step::Index(index) => Name::from(format!("[{index}]")),
        };
        self.path.iter().map(name).collect()
    }

    /// Returns the path of a field of the part that is written, if it is in an array, whose elements do not know their path.
    fn path_to(&self, field: &Name) -> Option<Vec<Name>> {
        let in_array = self.path.iter().any(|step| matches!(step, Step::Index(_)));
        in_array.then(|| self.names().into_iter().chain([field.clone()]).collect())
    }

    /// Opens a level. Returns the length of the outer indentation.
    fn open(&mut self, bracket: char, out: &mut String) -> usize {
        let outer = self.margin.len();
        self.margin.push_str(&self.style.indent);
        out.push(bracket);
        out.push_str(&self.style.newline);
        outer
    }

    /// Passes on what is written if it is large.
    #[inline]
    fn pass_on(&self, out: &mut String) -> Result<(), Fault> {
        match self.parts {
            Some(parts) if out.len() > PART => parts.pass_on(out),
            _ => Ok(()),
        }
    }

    /// Begins an element.
    fn next(&mut self, first: bool, out: &mut String) {
        self.blanks = self.blanks.saturating_add(self.margin.len());
        if !first {
            out.push(',');
            out.push_str(&self.style.newline);
            out.push_str(self.style.gap);
        }
        out.push_str(&self.margin);
    }

    fn close(&mut self, bracket: char, outer: usize, out: &mut String) {
        self.margin.truncate(outer);
        out.push_str(&self.style.newline);
        out.push_str(&self.margin);
        out.push(bracket);
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn integers_are_full_and_others_have_17_digits() {
        assert_eq!(number(0.1), "0.10000000000000001");
        assert_eq!(number(1e-7), "9.9999999999999995e-08");
        assert_eq!([number(3.0), number(-0.0), number(1e22)], ["3", "-0", "10000000000000000000000"]);
    }
}
