//! `e.x` and `e[i]` on objects, arrays and strings.

use super::{format_number, kind};
use crate::term::NodeId;
use crate::text::{Name, Span};
use crate::value::env::{Env, Unit};
use crate::value::manifest::objects::number as whole_number;
use crate::value::{Fault, Machine, Text, Value};
use std::rc::Rc;

/// Maximum length in bytes of a string that is scanned at each access. Offsets are kept for a longer one.
const SHORT: usize = 64;

/// The long string that was last indexed, and the byte offsets of its characters and of its end. There are no offsets
/// (`None`) if the string is ASCII.
pub struct Indexed {
    text: Name,
    starts: Option<Vec<u32>>,
}

impl Machine {
    /// Evaluates `e[i]`.
    #[inline(never)]
    pub(in crate::value::eval) fn index_any(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        parts: &[NodeId; 2],
        env: &Env,
    ) -> Result<Value, Fault> {
        let whole = self.eval(unit, parts[0], env)?;
        match &whole {
            Value::Record(record) => self.check_asserts(record)?,
            Value::Array(_) | Value::String(_) => {}
            other => return Err(self.not_indexable(other, unit.span(node), unit.span(parts[0]))),
        }
        let key = self.eval(unit, parts[1], env)?;
        let span = || unit.span(node);
        match (&whole, &key) {
            (Value::Record(record), Value::String(name)) => self.access(record, &name.name(), span(), true),
            (Value::Array(array), Value::Number(n)) => {
                let at = n.to_f64();
                if at.fract() != 0.0 || at < 0.0 || at >= array.len() as f64 {
                    let floor = at.floor();
                    let words = if floor < 0.0 || floor >= array.len() as f64 {
                        format!("array bounds error: {} not within [0, {})", format_number(floor), array.len())
                    } else {
                        format!("array index was not integer: {}", format_number(at))
                    };
                    return Err(self.fails(words, span()));
                }
                match self.item(array, at as usize)? {
                    Some(element) => self.force(&element),
                    None => Err(self.unbound_slot(unit, node)),
                }
            }
            (Value::String(text), Value::Number(n)) => {
                let at = n.to_f64().trunc();
                match usize::try_from(at as i64).ok().and_then(|at| self.character(text, at)) {
                    Some(c) => Ok(Value::String(c)),
                    None => {
                        let size = text.chars().count();
                        Err(self
                            .fails(format!("string bounds error: {} not within [0, {size})", whole_number(at)), span()))
                    }
                }
            }
            (_, other) => {
                let found = kind(other);
                let (expected, words) = match &whole {
                    Value::Record(_) => ("string", format!("object index must be string, got {found}.")),
                    Value::String(_) => ("number", format!("string index must be a number, got {found}.")),
                    _ => match other {
                        Value::String(name) => return Err(self.named_element(name, span())),
                        _ => ("number", format!("array index must be number, got {found}.")),
                    },
                };
                Err(self.operand_type_fault(other, expected, words, span(), Some(unit.span(parts[1]))))
            }
        }
    }

    /// Returns the fault of `e.x` if `e` is not an object.
    #[cold]
    pub(in crate::value::eval) fn not_an_object(
        &mut self,
        found: &Value,
        unit: &Unit,
        node: NodeId,
        whole: NodeId,
        name: &Name,
    ) -> Fault {
        let span = unit.span(node);
        match found {
            Value::Array(_) => self.named_element(name, span),
            Value::String(_) => self.fails("string index must be a number, got string.", span),
            other => self.not_indexable(other, span, unit.span(whole)),
        }
    }

    #[cold]
    fn not_indexable(&mut self, found: &Value, span: Span, operand: Span) -> Fault {
        let words = format!("can only index objects, strings, and arrays, got {}.", kind(found));
        self.operand_type_fault(found, "object", words, span, Some(operand))
    }

    #[cold]
    fn named_element(&mut self, name: &str, span: Span) -> Fault {
        let mut quoted = String::new();
        crate::value::manifest::objects::quote(name, &mut quoted);
        self.fails(format!("attempted index an array with string {quoted}."), span)
    }

    /// Returns the character at an index of a string. O(1) if the string is short or is the long string that was last indexed,
    /// O(length) otherwise.
    pub fn character(&mut self, text: &Text, at: usize) -> Option<Text> {
        let whole = text.name();
        let single = |c: &str| Text::from(c);
        if whole.len() <= SHORT {
            return whole.chars().nth(at).map(|c| single(c.encode_utf8(&mut [0; 4])));
        }
        let known = self.indexed.as_ref().filter(|i| i.text.as_ptr() == whole.as_ptr() && i.text.len() == whole.len());
        if known.is_none() {
            let starts = (!whole.is_ascii()).then(|| {
                let ends = std::iter::once(whole.len() as u32);
                whole.char_indices().map(|(at, _)| at as u32).chain(ends).collect()
            });
            self.indexed = Some(Indexed { text: whole.clone(), starts });
        }
        let starts = self.indexed.as_ref().and_then(|i| i.starts.as_ref());
        let range = match starts {
            None => at..at.checked_add(1)?,
            Some(starts) => *starts.get(at)? as usize..*starts.get(at.checked_add(1)?)? as usize,
        };
        whole.get(range).map(single)
    }
}
