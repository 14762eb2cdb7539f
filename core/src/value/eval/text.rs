//! String interpolation.

use crate::term::{Chunk, NodeId};
use crate::text::Name;
use crate::value::env::{Env, Unit};
use crate::value::{Fault, Machine, Text, Value};
use std::rc::Rc;

impl Machine {
    #[inline(never)]
    pub(super) fn interpolate(&mut self, unit: &Rc<Unit>, chunks: &[Chunk], env: &Env) -> Result<Value, Fault> {
        let mut out = Text::from("");
        for chunk in chunks {
            let before = out.len();
            out = match chunk {
                Chunk::Text(text) => out.concat(&Text::from(text.clone())),
                Chunk::Expr(e) => out.concat(&self.part(unit, *e, env)?),
                Chunk::Indented(e, blanks) => {
                    let part = self.part(unit, *e, env)?;
                    let indent = format!("\n{}", " ".repeat(*blanks as usize));
                    let breaks = part.bytes().filter(|b| *b == b'\n').count();
                    self.charge(part.len().saturating_add(breaks.saturating_mul(indent.len())))?;
                    out.concat(&Text::from(part.replace('\n', &indent)))
                }
            };
            self.charge(out.len() - before)?;
        }
        Ok(Value::String(out))
    }

    fn part(&mut self, unit: &Rc<Unit>, node: NodeId, env: &Env) -> Result<Text, Fault> {
        let value = self.eval(unit, node, env)?;
        let text = if unit.rules.converts() { self.as_text(&value) } else { self.text_of_scalar(&value)? };
        match text {
            Some(text) => Ok(text),
            None => {
                let span = Some(unit.span(node));
                Err(self.mismatch("String", &value, "an interpolated part", span, None))
            }
        }
    }

    /// Converts a string, number, boolean, tag or `null` to text (`std.to_string`). `None` for any other value.
    pub fn text_of_scalar(&mut self, value: &Value) -> Result<Option<Text>, Fault> {
        Ok(Some(match value {
            Value::String(s) => s.clone(),
            Value::Number(n) => Text::from(n.to_string()),
            Value::Bool(b) => Text::from(if *b { "true" } else { "false" }),
            Value::Tag(t) => Text::from(Name::clone(t)),
            Value::Null => Text::from("null"),
            _ => return Ok(None),
        }))
    }
}
