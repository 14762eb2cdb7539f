//! Maps: keys of any type, in order, with lazy values.

use super::collect::{Graph, Trace};
use super::{Thunk, Value};
use std::cmp::Ordering;
use std::rc::Rc;

/// A map. Its keys are plain values that were forced whole; its values are lazy. Cheap to clone.
#[derive(Clone, Default)]
pub struct Map(Rc<Vec<(Value, Thunk)>>);

impl Map {
    /// Makes a map. Of several entries with one key, the last one counts. O(entries × log entries).
    pub fn new(entries: Vec<(Value, Thunk)>) -> Map {
        let mut entries = entries;
        // a stable sort keeps entries with one key in order
        entries.sort_by(|a, b| order(&a.0, &b.0));
        let mut out: Vec<(Value, Thunk)> = Vec::with_capacity(entries.len());
        for entry in entries {
            match out.last_mut() {
                Some(last) if order(&last.0, &entry.0) == Ordering::Equal => *last = entry,
                _ => out.push(entry),
            }
        }
        Map(Rc::new(out))
    }

    /// Returns the value of a key. O(log entries).
    pub fn get(&self, key: &Value) -> Option<&Thunk> {
        let at = self.0.binary_search_by(|(known, _)| order(known, key)).ok()?;
        self.0.get(at).map(|(_, value)| value)
    }

    /// Returns the entries, by key.
    pub fn iter(&self) -> impl Iterator<Item = &(Value, Thunk)> {
        self.0.iter()
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Trace for Map {
    fn trace(&self, to: &mut Graph) {
        self.0.iter().for_each(|(_, value)| value.trace(to));
    }
}

/// Orders two keys of one type.
pub fn order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Number(a), Value::Number(b)) => a.cmp(b),
        (Value::String(a), Value::String(b)) => a.as_str().cmp(b.as_str()),
        (Value::Array(a), Value::Array(b)) => {
            let inner = |t: &Thunk| t.computed().unwrap_or(Value::Null);
            let firsts = a.as_slice().iter().zip(b.as_slice()).map(|(a, b)| order(&inner(a), &inner(b)));
            firsts.into_iter().find(|o| *o != Ordering::Equal).unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        (Value::Map(a), Value::Map(b)) => {
            let inner = |t: &Thunk| t.computed().unwrap_or(Value::Null);
            let each =
                a.iter().zip(b.iter()).map(|((k, v), (l, w))| order(k, l).then_with(|| order(&inner(v), &inner(w))));
            each.into_iter().find(|o| *o != Ordering::Equal).unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        _ => rank(a).cmp(&rank(b)),
    }
}

/// The rank of a kind of value among keys.
fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Map(_) => 5,
        _ => 6,
    }
}

/// Returns the text of a key, as the name of a field in JSON.
pub fn key_text(key: &Value) -> String {
    match key {
        Value::String(text) => String::from(text.as_str()),
        Value::Number(number) => number.to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Array(items) => {
            let items: Vec<String> = items
                .as_slice()
                .iter()
                .map(|item| item.computed().map_or_else(String::new, |v| key_text(&v)))
                .collect();
            format!("[{}]", items.join(", "))
        }
        other => String::from(other.type_name()),
    }
}
