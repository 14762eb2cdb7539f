//! `std.parseYaml`, with the peculiarities of the reference: a plain scalar is a JSON number, a JSON word or a string; an
//! alias is a string with its own name; tags are ignored; a text with `---` is an array of documents.

use super::{Answer, failure, impossible_type, number, strict};
use crate::text::Name;
use crate::value::{Call, Machine, Thunk, Value};
use indexmap::IndexMap;
use saphyr_parser::{Event, Parser, ScalarStyle};

pub fn parse_yaml(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::String(s)] = strict(machine, args, call, "parseYaml", ["string"])? else {
        return Err(impossible_type(call));
    };
    machine.charge(s.len())?;
    machine.charge_new_elements(s.matches([',', '\n']).count())?;
    let mut reader = Reader { open: Vec::new(), documents: Vec::new(), stream: false };
    for event in Parser::new_from_str(&s) {
        machine.tick()?;
        let done = match event {
            Ok((event, span)) => reader.event(event, || alias(&s, span.start.index())),
            Err(error) => {
                let at = error.marker();
                Err(format!("{}:{}: ERROR: {}", at.line(), at.col() + 1, error.info()))
            }
        };
        done.map_err(|words| failure(call, format!("YAML error: {words}")))?;
    }
    let mut documents = reader.documents;
    if reader.stream || documents.len() > 1 {
        return Ok(Value::array(documents.into_iter().map(Thunk::done)));
    }
    Ok(documents.pop().unwrap_or(Value::Null))
}

/// Returns the text of the alias at an offset, including the star.
fn alias(text: &str, at: usize) -> String {
    let name = |c: &char| !c.is_whitespace() && !matches!(c, ',' | '[' | ']' | '{' | '}');
    if text.is_ascii() {
        return text.get(at..).unwrap_or_default().chars().take_while(name).collect();
    }
    text.chars().skip(at).take_while(name).collect()
}

/// A sequence or mapping that is not closed yet.
enum Open {
    Sequence(Vec<Thunk>),
    Mapping(IndexMap<Name, Thunk>, Option<Name>),
}

struct Reader {
    open: Vec<Open>,
    documents: Vec<Value>,
    stream: bool,
}

impl Reader {
    fn event(&mut self, event: Event<'_>, alias: impl Fn() -> String) -> Result<(), String> {
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
            Event::DocumentStart(explicit) => {
                self.stream |= explicit;
                Ok(())
            }
            Event::Alias(_) => {
                let alias = alias();
                self.scalar(alias.clone(), Value::string(alias))
            }
            Event::Scalar(text, style, _, tag) => {
                let value = match style {
                    ScalarStyle::Plain if text.is_empty() && tag.is_some() => Value::string(""),
                    ScalarStyle::Plain => plain(&text)?,
                    _ => Value::string(&*text),
                };
                self.scalar(text.into_owned(), value)
            }
            Event::SequenceStart(..) => self.start(Open::Sequence(Vec::new())),
            Event::MappingStart(..) => self.start(Open::Mapping(IndexMap::new(), None)),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::Sequence(elements)) => self.value(Value::array(elements)),
                Some(Open::Mapping(fields, _)) => self.value(Value::record(fields)),
                None => Ok(()),
            },
        }
    }

    fn start(&mut self, open: Open) -> Result<(), String> {
        if matches!(self.open.last(), Some(Open::Mapping(_, None))) {
            return Err(String::from("ERROR: a container cannot be a key"));
        }
        self.open.push(open);
        Ok(())
    }

    /// Adds a scalar. It is a key if one is expected.
    fn scalar(&mut self, text: String, value: Value) -> Result<(), String> {
        if let Some(Open::Mapping(_, key @ None)) = self.open.last_mut() {
            *key = Some(Name::from(text));
            return Ok(());
        }
        self.value(value)
    }

    fn value(&mut self, value: Value) -> Result<(), String> {
        match self.open.last_mut() {
            None => self.documents.push(value),
            Some(Open::Sequence(elements)) => elements.push(Thunk::done(value)),
            Some(Open::Mapping(fields, key)) => {
                if let Some(key) = key.take() {
                    fields.insert(key, Thunk::done(value));
                }
            }
        }
        Ok(())
    }
}

/// Converts a plain scalar.
fn plain(text: &str) -> Result<Value, String> {
    Ok(match text {
        "" | "null" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        text => match numeral(text) {
            Some(n) if n.is_finite() => number(if n == 0.0 && !text.contains(['.', 'e', 'E']) { 0.0 } else { n }),
            Some(_) => return Err(format!("number overflow parsing '{text}'")),
            None => Value::string(text),
        },
    })
}

/// Parses a decimal number. `None` if the text is not one, or has superfluous leading zeros.
fn numeral(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let whole = digits.bytes().take_while(u8::is_ascii_digit).count();
    let mut rest = digits.get(whole..)?;
    if whole > 1 && digits.starts_with('0') {
        return None;
    }
    let mut count = whole;
    if let Some(fraction) = rest.strip_prefix('.') {
        let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
        count += digits;
        rest = fraction.get(digits..)?;
    }
    if count == 0 {
        return None;
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        rest = "";
    }
    if rest.is_empty() { text.parse().ok() } else { None }
}
