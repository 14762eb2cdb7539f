//! The functions in Rust.

use crate::problem::value::ValueKind;
use crate::term::{Import, ImportKind, Number, Prim};
use crate::text::{Name, SourceId, Span, near};
use crate::value::eval::converting::{floor_div, is_no_match, of_text, power};
use crate::value::{Array, Call, DataField, Fault, Machine, Native, Partial, Record, Text, Thunk, Value};

use std::rc::Rc;

type Answer = Result<Value, Fault>;

/// Maximum number of elements of a range.
const MAX_RANGE: i64 = 1 << 28;

fn span(call: &Call) -> Span {
    call.span.unwrap_or(Span::new(SourceId(u32::MAX), 0, 0))
}

fn text(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<Text, Fault> {
    let value = machine.arg(args, index, call)?;
    match machine.as_text(&value) {
        Some(text) => machine.read(text),
        None => Err(call.mismatch(machine, args, index, "String", &value)),
    }
}

fn number(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<Number, Fault> {
    let value = machine.arg(args, index, call)?;
    match machine.as_number(&value) {
        Some(number) => Ok(number),
        None => Err(call.mismatch(machine, args, index, "Number", &value)),
    }
}

/// An argument that may be left out.
fn optional(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<Option<Value>, Fault> {
    Ok(match machine.arg(args, index, call)? {
        Value::Null => None,
        value => Some(value),
    })
}

/// A list, or the keys of a dictionary.
fn elements(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call) -> Result<Array, Fault> {
    match machine.arg(args, index, call)? {
        Value::Array(array) => Ok(array),
        Value::Record(record) => {
            let names = machine.visible(&record)?.into_iter();
            Ok(names.map(|(name, _)| Thunk::done(Value::string(name))).collect())
        }
        other => Err(call.mismatch(machine, args, index, "Array", &other)),
    }
}

/// A failure that `else` catches.
fn no_match(name: &str, near: Vec<Name>, words: String, call: &Call) -> Fault {
    let name = Name::new(name);
    Fault::new(ValueKind::MissingField { name, span: call.span, record: None, near, known: Vec::new() }).worded(words)
}

pub(super) fn default(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    match machine.arg(args, 0, call) {
        Ok(value) if machine.truth(&value)? || matches!(value, Value::Number(_) | Value::Bool(_)) => Ok(value),
        Ok(_) => machine.arg(args, 1, call),
        Err(fault) if is_no_match(&fault) => machine.arg(args, 1, call),
        Err(fault) => Err(fault),
    }
}

pub(super) fn items(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let record = machine.record(args, 0, call)?;
    let pairs = machine.visible(&record)?.into_iter();
    let pairs = pairs.map(|(name, value)| Thunk::done(Value::array([Thunk::done(Value::string(name)), value])));
    Ok(Value::Array(pairs.collect()))
}

pub(super) fn keys(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let record = machine.record(args, 0, call)?;
    let names = machine.visible(&record)?.into_iter();
    Ok(Value::Array(names.map(|(name, _)| Thunk::done(Value::string(name))).collect()))
}

pub(super) fn join(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let list = elements(machine, args, 0, call)?;
    let separator = match optional(machine, args, 1, call)? {
        Some(_) => text(machine, args, 1, call)?,
        None => Text::from(""),
    };
    let mut out = String::new();
    for (index, element) in machine.items(&list)?.iter().enumerate() {
        machine.tick()?;
        let value = machine.force(element)?;
        let Some(part) = machine.as_text(&value) else {
            return Err(call.mismatch(machine, args, 0, "String", &value));
        };
        if index > 0 {
            machine.append(&mut out, &separator)?;
        }
        machine.append(&mut out, &part)?;
    }
    Ok(Value::string(Text::from(out)))
}

pub(super) fn len(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::from(match machine.arg(args, 0, call)? {
        Value::Array(array) => array.len(),
        Value::Record(record) => machine.visible(&record)?.len(),
        _ => text(machine, args, 0, call)?.chars().count(),
    }))
}

pub(super) fn lower(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::string(Text::from(text(machine, args, 0, call)?.to_lowercase())))
}

pub(super) fn upper(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::string(Text::from(text(machine, args, 0, call)?.to_uppercase())))
}

pub(super) fn range(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let mut bounds = [None; 3];
    for (index, bound) in bounds.iter_mut().enumerate() {
        if index == 0 || optional(machine, args, index, call)?.is_some() {
            let number = number(machine, args, index, call)?;
            *bound = match number {
                Number::Int(n) => Some(n),
                number if number.is_integer() => {
                    return Err(call.fault(format!("the bound {number} is out of range")));
                }
                _ => return Err(call.fault("a bound that is not an integer")),
            };
        }
    }
    let (start, stop, step) = match bounds {
        [start, None, step] => (0, start.unwrap_or(0), step.unwrap_or(1)),
        [start, Some(stop), step] => (start.unwrap_or(0), stop, step.unwrap_or(1)),
    };
    if step == 0 {
        return Err(call.fault("the step is 0"));
    }
    let distance = if step > 0 { stop.saturating_sub(start) } else { start.saturating_sub(stop) };
    let count = if distance <= 0 { 0 } else { (distance - 1) / step.saturating_abs() + 1 };
    if count > MAX_RANGE {
        return Err(call.fault("the list is too long"));
    }
    machine.charge_new_elements(count as usize)?;
    let element = |at: i64| Thunk::done(Value::Number(Number::Int(start + at * step)));
    Ok(Value::Array((0..count).map(element).collect()))
}

pub(super) fn replace(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = text(machine, args, 0, call)?;
    let (old, new) = (text(machine, args, 1, call)?, text(machine, args, 2, call)?);
    let count = if old.is_empty() { whole.len() + 1 } else { whole.matches(old.as_str()).count() };
    machine.charge(whole.len().saturating_add(count.saturating_mul(new.len())))?;
    Ok(read(whole.replace(old.as_str(), &new)))
}

pub(super) fn sorted(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let list = elements(machine, args, 0, call)?;
    machine.charge_new_elements(list.len())?;
    let mut values = Vec::with_capacity(list.len());
    for element in machine.items(&list)? {
        machine.tick()?;
        values.push(machine.force(element)?);
    }
    let mut fault = None;
    values.sort_by(|a, b| match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.cmp(b),
        (Value::String(a), Value::String(b)) => a.as_str().cmp(b.as_str()),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (a, b) => {
            fault.get_or_insert_with(|| (a.type_name(), b.type_name()));
            std::cmp::Ordering::Equal
        }
    });
    match fault {
        Some((a, b)) => Err(call.fault(format!("cannot order {a} and {b}"))),
        None => Ok(Value::Array(values.into_iter().map(Thunk::done).collect())),
    }
}

pub(super) fn split(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = text(machine, args, 0, call)?;
    machine.charge_new_elements(whole.len() / 2)?;
    let part = |part: &str| Thunk::done(Value::string(Text::from(part)));
    let parts: Array = match optional(machine, args, 1, call)? {
        None => whole.split_whitespace().map(part).collect(),
        Some(_) => {
            let separator = text(machine, args, 1, call)?;
            if separator.is_empty() {
                return Err(call.fault("the separator is empty"));
            }
            whole.split(separator.as_str()).map(part).collect()
        }
    };
    Ok(Value::Array(parts))
}

pub(super) fn sub(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let pattern = text(machine, args, 0, call)?;
    let replacement = text(machine, args, 1, call)?;
    let whole = text(machine, args, 2, call)?;
    let pattern = regex::Regex::new(&pattern).map_err(|error| call.fault(format!("not a pattern: {error}")))?;
    let replacement = groups(&replacement);
    let found = pattern.find_iter(&whole).count();
    machine.charge(whole.len().saturating_add(found.saturating_mul(replacement.len())))?;
    Ok(read(pattern.replace_all(&whole, replacement.as_str()).into_owned()))
}

/// Reads a text as the value of a key is read: a number if it looks like one.
fn read(text: String) -> Value {
    match of_text(&text) {
        Some(number) => Value::Number(number),
        None => Value::string(Text::from(text)),
    }
}

/// Converts `\1` and `\g<name>` to the notation of the regex crate.
fn groups(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('$', _) => out.push_str("$$"),
            ('\\', Some('0'..='9')) => {
                out.push_str("${");
                while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                    out.push(digit);
                }
                out.push('}');
            }
            ('\\', Some('g')) => {
                rest.next();
                if rest.next_if_eq(&'<').is_some() {
                    out.push_str("${");
                    out.extend(rest.by_ref().take_while(|c| *c != '>'));
                    out.push('}');
                }
            }
            ('\\', Some('n')) => {
                rest.next();
                out.push('\n');
            }
            ('\\', Some('\\')) => {
                rest.next();
                out.push('\\');
            }
            _ => out.push(c),
        }
    }
    out
}

pub(super) fn zip(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (first, second) = (elements(machine, args, 0, call)?, elements(machine, args, 1, call)?);
    machine.charge_new_elements(first.len().min(second.len()).saturating_mul(3))?;
    let (first, second) = (machine.items(&first)?, machine.items(&second)?);
    let pairs = first.iter().zip(second).map(|(a, b)| Thunk::done(Value::array([a.clone(), b.clone()])));
    Ok(Value::Array(pairs.collect()))
}

/// The fields of a pair of a key and its value.
pub(in crate::dialect::yay) const PAIR: [&str; 2] = ["key", "value"];

pub(super) fn dict(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let pairs = machine.array(args, 0, call)?;
    let mut fields: indexmap::IndexMap<Name, Thunk> = indexmap::IndexMap::new();
    for pair in machine.items(&pairs)? {
        machine.tick()?;
        let Value::Record(pair) = machine.force(pair)? else { return Err(call.fault("not a pair")) };
        let [key, value] = PAIR;
        let (Some(key), Some(value)) = (machine.field(&pair, key)?, machine.field(&pair, value)?) else {
            return Err(call.fault("not a pair"));
        };
        let key = machine.force(&key)?;
        let Some(key) = machine.as_text(&key) else {
            return Err(call.mismatch(machine, args, 0, "String", &key));
        };
        fields.insert(key.name(), value);
    }
    Ok(Value::Record(Record::from_fields(fields)))
}

pub(super) fn floordiv(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (a, b) = (number(machine, args, 0, call)?, number(machine, args, 1, call)?);
    floor_div(&a, &b).map(Value::Number).map_err(|words| Fault::undefined(words, call.span))
}

pub(super) fn pow(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (a, b) = (number(machine, args, 0, call)?, number(machine, args, 1, call)?);
    power(&a, &b).map(Value::Number).map_err(|words| Fault::undefined(words, call.span))
}

pub(super) fn include(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let path = text(machine, args, 0, call)?;
    let folders = elements(machine, args, 1, call)?;
    let mut paths = vec![path.name()];
    for folder in machine.items(&folders)? {
        let folder = machine.force(folder)?;
        if let Some(folder) = machine.as_text(&folder) {
            paths.push(Name::from(format!("{}/{}", folder.trim_end_matches('/'), path.as_str())));
        }
    }
    let mut first = None;
    for path in paths {
        let import = Import { path, kind: ImportKind::Code(None) };
        match machine.import_at(call.revision, &import, span(call)) {
            Ok(value) => return Ok(value),
            Err(fault) => drop(first.get_or_insert(fault)),
        }
    }
    Err(first.unwrap_or_else(|| call.fault("no path")))
}

pub(super) fn missing(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let name = text(machine, args, 0, call)?;
    Err(no_match(&name, Vec::new(), format!("no match for `{}`", name.as_str()), call))
}

pub(super) fn import(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let path = text(machine, args, 0, call)?;
    let import = Import { path: path.name(), kind: ImportKind::Code(None) };
    machine.import_at(call.revision, &import, span(call))
}

pub(super) fn prototype(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    match machine.arg(args, 0, call)? {
        Value::Record(record) => match node_of(machine, &record, call)? {
            Some(node) => Ok(node),
            None => Ok(Value::Record(record)),
        },
        value if value.is_function() => machine.call(&value, &[], call),
        value => Ok(value),
    }
}

/// Returns a node with side effects if a record is the schema of one: `{ inputs = { … }, outputs = { … } }`. Its keys are the
/// inputs. Its outputs are not known before it runs.
fn node_of(machine: &mut Machine, schema: &Record, call: &Call) -> Result<Option<Value>, Fault> {
    let [inputs, outputs] = super::SCHEMA;
    let (Some(inputs), Some(outputs)) = (machine.field(schema, inputs)?, machine.field(schema, outputs)?) else {
        return Ok(None);
    };
    let (Value::Record(inputs), Value::Record(outputs)) = (machine.force(&inputs)?, machine.force(&outputs)?) else {
        return Ok(None);
    };
    let names = machine.field_names(&outputs);
    let unknown = names.into_iter().map(|name| {
        let words = format!("`{name}` is an output: it is not known before the node runs");
        let fault = Thunk::failed(Fault::new(ValueKind::Failed { message: words.into(), span: call.span }));
        DataField { not_exported: true, ..DataField::new(name, fault) }
    });
    let unknown = Value::Record(Record::from_data(unknown));
    let place = span(call);
    machine.converting_binary(Prim::Plus, unknown, Value::Record(inputs), place, [place; 2]).map(Some)
}

pub(super) fn selected(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let value = text(machine, args, 0, call)?;
    let keys = machine.array(args, 1, call)?;
    let mut names = Vec::with_capacity(keys.len());
    for key in machine.items(&keys)? {
        let key = machine.force(key)?;
        names.extend(machine.as_text(&key).map(|key| key.name()));
    }
    if names.iter().any(|name| *name == value.name()) {
        return Ok(Value::String(value));
    }
    let close = near(&value, names.iter().map(Name::as_str));
    Err(no_match(&value, close, format!("`select` has no case `{}`", value.as_str()), call))
}

pub(super) fn chosen(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (of, key) = (text(machine, args, 0, call)?, text(machine, args, 1, call)?);
    Ok(Value::Bool(of.as_str() == key.as_str()))
}

pub(super) fn case(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let chosen = selected(machine, &[args[0].clone(), args[2].clone()], call)?;
    let key = text(machine, args, 1, call)?;
    Ok(Value::Bool(matches!(&chosen, Value::String(value) if value.as_str() == key.as_str())))
}

pub(super) fn unchanged(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let held = machine.arg(args, 0, call)?;
    let held = machine.truth(&held)?;
    let fails = match machine.arg(args, 1, call) {
        Ok(again) if machine.truth(&again)? == held => return Ok(Value::Bool(held)),
        Ok(_) => None,
        // a value that the guard read no longer exists
        Err(fault) if is_no_match(&fault) => Some(fault),
        Err(fault) => return Err(fault),
    };
    let (below, document) = (machine.record(args, 2, call)?, machine.record(args, 3, call)?);
    let mut paths = Vec::new();
    let reads = machine.array(args, 4, call)?;
    for path in machine.items(&reads)?.iter() {
        let Value::Array(names) = machine.force(path)? else { continue };
        let mut path = Vec::with_capacity(names.len());
        for name in machine.items(&names)?.iter() {
            let name = machine.force(name)?;
            path.extend(machine.as_text(&name).map(|name| name.name()));
        }
        paths.push(path);
    }
    Err(machine.paradox((span(call), held, fails), [&below, &document], paths))
}

/// The hidden field that holds the document around an included one.
const AROUND: &str = "around it";

/// Maximum number of documents around each other.
const MAX_AROUND: usize = 1_000;

pub(super) fn outside(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let name = text(machine, args, 1, call)?;
    let mut document = machine.record(args, 0, call)?;
    for depth in 0..MAX_AROUND {
        machine.tick()?;
        let plain = (depth > 0).then_some("");
        for word in ["set ", "macro ", "prototype "].into_iter().chain(plain) {
            let wanted = format!("{word}{}", name.as_str());
            if let Some(found) = machine.field(&document, &wanted)? {
                return machine.force(&found);
            }
        }
        let Some(around) = machine.field(&document, AROUND)? else { break };
        // the document is inside a function, so that code which lists or forces all fields does not see it
        let Value::Native(around) = machine.force(&around)? else { break };
        let Some(around) = around.args.first().cloned() else { break };
        let Value::Record(around) = machine.force(&around)? else { break };
        document = around;
    }
    Err(no_match(&name, Vec::new(), format!("no match for `{}`", name.as_str()), call))
}

/// Maximum number of files that are included inside each other in dictionaries.
const MAX_INCLUDED: usize = 100;

/// Fails if a document is inside too many others, as one is that includes itself in a dictionary.
fn check_included(machine: &mut Machine, document: &Thunk, call: &Call) -> Result<(), Fault> {
    let mut document = document.clone();
    for _ in 0..MAX_INCLUDED {
        let Value::Record(record) = machine.force(&document)? else { return Ok(()) };
        let Some(around) = machine.field(&record, AROUND)? else { return Ok(()) };
        let Value::Native(around) = machine.force(&around)? else { return Ok(()) };
        let Some(around) = around.args.first().cloned() else { return Ok(()) };
        document = around;
    }
    let what = ValueKind::Undefined {
        message: Name::from(format!("more than {MAX_INCLUDED} files are included inside each other")),
        span: call.span,
        notes: vec![Name::new_static(
            "a file that includes itself has no end, unless a condition decides whether it does",
        )],
    };
    Err(Fault::new(what))
}

pub(super) fn within(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    if let Some(document) = args.get(1) {
        check_included(machine, document, call)?;
    }
    let file = machine.arg(args, 0, call)?;
    let (Value::Record(file), Some(document)) = (&file, args.get(1)) else { return Ok(file) };
    let native = Native::curried("around", 2, missing);
    let around = Value::Native(Rc::new(Partial { native, args: vec![document.clone()], revision: call.revision }));
    let around = DataField { not_exported: true, ..DataField::new(Name::new_static(AROUND), Thunk::done(around)) };
    let below = Value::Record(Record::from_data([around]));
    machine.converting_binary(Prim::Plus, below, Value::Record(file.clone()), span(call), [span(call); 2])
}

pub(super) fn stream(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    match machine.arg(args, 0, call)? {
        value @ (Value::Array(_) | Value::Record(_)) => Ok(value),
        other => Err(call.mismatch(machine, args, 0, "Array", &other)),
    }
}
