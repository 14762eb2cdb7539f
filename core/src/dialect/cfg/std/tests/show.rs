//! Prints a value in the form of the answers: without layout, strings as in JSON, fields in alphabetical order.

use crate::value::datum::Datum;

/// The text of a whole value, or the first problem in it: its code, a space, and the rest.
pub fn show(value: &Datum) -> Result<String, String> {
    let mut out = String::new();
    write(value, &mut out)?;
    Ok(out)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn tag(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric());
    if plain { format!("'{name}") } else { format!("'{}", quoted(name)) }
}

fn write(value: &Datum, out: &mut String) -> Result<(), String> {
    match value {
        Datum::Null => out.push_str("null"),
        Datum::Bool(b) => out.push_str(&b.to_string()),
        Datum::Number(n) => out.push_str(&n.to_string()),
        Datum::String(s) => out.push_str(&quoted(s)),
        Datum::Tag(t) => out.push_str(&tag(t)),
        Datum::Variant(t, arg) => {
            out.push_str(&format!("({} ", tag(t)));
            write(arg, out)?;
            out.push(')');
        }
        Datum::Array(elements) => {
            out.push('[');
            for (i, element) in elements.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write(element, out)?;
            }
            out.push(']');
        }
        Datum::Record(fields) => {
            let mut fields: Vec<_> = fields.iter().filter(|f| f.value.is_some() || !f.optional).collect();
            fields.sort_by(|a, b| a.name.cmp(&b.name));
            out.push('{');
            for (i, field) in fields.into_iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                out.push_str(&quoted(&field.name));
                out.push_str(" = ");
                match &field.value {
                    Some(value) => write(value, out)?,
                    None => return Err(format!("value/missing-definition `{}` is not defined", field.name)),
                }
            }
            out.push('}');
        }
        Datum::Map(_) => out.push_str("<map>"),
        Datum::Function(_) => out.push_str("<function>"),
        Datum::Contract(_) => out.push_str("<contract>"),
        Datum::Fault(problem) => return Err(format!("{} {problem:?}", problem.code())),
        Datum::Unforced | Datum::Secret | Datum::Elided(_) => out.push_str("<not shown>"),
    }
    Ok(())
}
