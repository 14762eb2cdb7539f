//! Printing values as text: JSON, TOML, Python, INI, XML.

use super::{Answer, argument, failure, fields, force, impossible_type, text, value_of, wrong};
use crate::text::Name;
use crate::value::eval::objects::kind;
use crate::value::manifest::objects::{Style, quote, write_number};
use crate::value::{Call, Fault, Machine, Thunk, Value};

/// Prints JSON with the given indentation, line end and separator.
fn json(machine: &mut Machine, args: &[Thunk], call: &Call, parts: [&Thunk; 3]) -> Answer {
    let value = force(machine, args, 0, call)?;
    // parts of the layout that are not used are not forced
    let needed = match &value {
        Value::Array(array) => [!array.is_empty(), true, !array.is_empty()],
        Value::Record(object) => {
            let some = !machine.visible(object)?.is_empty();
            [some, true, some]
        }
        _ => [false; 3],
    };
    let mut style = [const { String::new() }; 3];
    for ((text_of, part), needed) in style.iter_mut().zip(parts).zip(needed) {
        if needed {
            let part = value_of(machine, part)?;
            *text_of = String::from(text(machine, &part)?.as_str());
        }
    }
    let [indent, newline, colon] = style;
    let mut out = String::new();
    machine.write_json(&value, &Style::ex(&indent, &newline, &colon), &mut out)?;
    Ok(Value::string(out))
}

/// Converts a text to an argument.
fn word(text: &'static str) -> Thunk {
    Thunk::done(Value::string(text))
}

pub fn manifest_json(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    json(machine, args, call, [&word("    "), &word("\n"), &word(": ")])
}

pub fn manifest_json_minified(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    json(machine, args, call, [&word(""), &word(""), &word(":")])
}

pub fn manifest_json_ex(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    json(machine, args, call, [&argument(args, 1), &argument(args, 2), &argument(args, 3)])
}

/// Returns the default of `newline` in `manifestJsonEx`.
pub fn newline() -> Thunk {
    word("\n")
}

/// Returns the default of `key_val_sep` in `manifestJsonEx`.
pub fn colon() -> Thunk {
    word(": ")
}

fn python_part(machine: &mut Machine, value: &Value, call: &Call, out: &mut String) -> Result<(), Fault> {
    machine.tick()?;
    let length = if let Value::String(text) = value { text.len().saturating_mul(2) } else { 0 };
    machine.room(out, length)?;
    match value {
        Value::Record(object) => {
            out.push('{');
            for (i, (name, value)) in fields(machine, object, false)?.into_iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                quote(&name, out);
                out.push_str(": ");
                let value = value_of(machine, &value)?;
                machine.deeper(|machine| python_part(machine, &value, call, out))?;
            }
            out.push('}');
        }
        Value::Array(array) => {
            out.push('[');
            for (i, value) in machine.items(array)?.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                let value = value_of(machine, value)?;
                machine.deeper(|machine| python_part(machine, &value, call, out))?;
            }
            out.push(']');
        }
        Value::String(text) => quote(text, out),
        Value::Number(n) => write_number(n.to_f64(), out),
        Value::Bool(b) => out.push_str(if *b { "True" } else { "False" }),
        Value::Null => out.push_str("None"),
        other => return Err(wrong(machine, call, other, "cannot manifest function")),
    }
    Ok(())
}

pub fn manifest_python(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let value = force(machine, args, 0, call)?;
    let mut out = String::new();
    python_part(machine, &value, call, &mut out)?;
    Ok(Value::string(out))
}

/// Returns the visible fields of a value that must be an object. Fails with the message of the reference's built-in.
fn object_fields(machine: &mut Machine, value: &Value, call: &Call) -> Result<Vec<(Name, Thunk)>, Fault> {
    super::fits(machine, call, "objectFieldsEx", &["object", "boolean"], &[value.clone(), Value::Bool(false)])?;
    match value {
        Value::Record(object) => fields(machine, object, false),
        _ => Err(impossible_type(call)),
    }
}

pub fn manifest_python_vars(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let value = force(machine, args, 0, call)?;
    let mut out = String::new();
    for (name, value) in object_fields(machine, &value, call)? {
        let value = value_of(machine, &value)?;
        out.push_str(&name);
        out.push_str(" = ");
        python_part(machine, &value, call, &mut out)?;
        out.push('\n');
    }
    Ok(Value::string(out))
}

/// Writes `name = value` for each field. A field that is an array gets one line per element.
fn ini_body(machine: &mut Machine, body: &Thunk, call: &Call, out: &mut String) -> Result<(), Fault> {
    let body = value_of(machine, body)?;
    for (name, value) in object_fields(machine, &body, call)? {
        let values = match value_of(machine, &value)? {
            Value::Array(array) => array,
            _ => [value].into_iter().collect(),
        };
        for value in machine.items(&values)? {
            machine.tick()?;
            let value = value_of(machine, value)?;
            let shown = text(machine, &value)?;
            out.push_str(&name);
            out.push_str(" = ");
            machine.append(out, &shown)?;
            out.push('\n');
        }
    }
    Ok(())
}

pub fn manifest_ini(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let ini = force(machine, args, 0, call)?;
    let values = [ini.clone(), Value::string("main"), Value::Bool(false)];
    super::fits(machine, call, "objectHasEx", &["object", "string", "boolean"], &values)?;
    let Value::Record(ini) = &ini else { return Err(impossible_type(call)) };
    let mut out = String::new();
    if let Some(main) = machine.field(ini, "main")?
        && !machine.is_hidden(ini, "main")?
    {
        ini_body(machine, &main, call, &mut out)?;
    }
    let Some(sections) = machine.field(ini, "sections")? else {
        return Err(failure(call, "field does not exist: sections"));
    };
    let sections = value_of(machine, &sections)?;
    for (name, body) in object_fields(machine, &sections, call)? {
        out.push('[');
        out.push_str(&name);
        out.push_str("]\n");
        ini_body(machine, &body, call, &mut out)?;
    }
    Ok(Value::string(out))
}

/// Writes an XML element: `[tag, attributes, children...]`, where the attributes are optional, or plain text.
fn xml_part(machine: &mut Machine, value: &Value, call: &Call, out: &mut String) -> Result<(), Fault> {
    machine.tick()?;
    if let Value::String(text) = value {
        return machine.append(out, text);
    }
    let parts = match value {
        Value::Array(array) => array.clone(),
        Value::Record(_) => return Err(failure(call, "object index must be string, got number.")),
        other => {
            let words = format!("can only index objects, strings, and arrays, got {}.", kind(other));
            return Err(wrong(machine, call, other, words));
        }
    };
    let Some(tag) = parts.at(0) else {
        return Err(failure(call, "array bounds error: 0 not within [0, 0)"));
    };
    let Value::String(tag) = super::strings::deep_join(machine, &[tag], call)? else {
        return Err(impossible_type(call));
    };
    out.push('<');
    out.push_str(&tag);
    let mut children = 1;
    if let Some(second) = parts.at(1)
        && let Value::Record(object) = value_of(machine, &second)?
    {
        children = 2;
        for (name, value) in fields(machine, &object, false)? {
            let value = value_of(machine, &value)?;
            let shown = text(machine, &value)?;
            machine.room(out, shown.len())?;
            out.push_str(&format!(" {name}=\"{}\"", shown.as_str()));
        }
    }
    out.push('>');
    for child in machine.items(&parts)?.iter().skip(children) {
        let child = value_of(machine, child)?;
        machine.deeper(|machine| xml_part(machine, &child, call, out))?;
    }
    out.push_str(&format!("</{}>", tag.as_str()));
    Ok(())
}

pub fn manifest_xml_jsonml(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let value = force(machine, args, 0, call)?;
    if !matches!(value, Value::Array(_)) {
        let words = format!("Expected a JSONML value (an array), got {}", kind(&value));
        return Err(wrong(machine, call, &value, words));
    }
    let mut out = String::new();
    xml_part(machine, &value, call, &mut out)?;
    Ok(Value::string(out))
}
