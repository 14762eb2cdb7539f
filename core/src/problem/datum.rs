//! Evaluated values as plain data: without thunks, with errors in place. Exports and notations print this.

use super::Problem;
use crate::deep::deeper;
use crate::meta::Priority;
use crate::term::Number;
use crate::text::{Name, Span};

/// The text of a function.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Written {
    /// A span in a source.
    Source(Span),
    /// The name in the library, for example `std.array.map`.
    Name(&'static str),
}

pub use crate::text::MASK;

/// The name of the entry that counts the fields that a record leaves out. No other field is both elided and last.
pub const OMITTED: &str = "…";

/// A value, as far as it was evaluated. Data can be nested to any depth, so copying, comparing and dropping it grow the stack or
/// do not recurse.
#[derive(Debug)]
pub enum Datum {
    /// null
    Null,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(Name),
    /// An enum tag.
    Tag(Name),
    /// An enum variant.
    Variant(Name, Box<Datum>),
    /// An array.
    Array(Vec<Datum>),
    /// A record, with its fields in the language's order.
    Record(Vec<Entry>),
    /// A map, by its keys.
    Map(Vec<(Datum, Datum)>),
    /// A function, with its text if that is known.
    Function(Option<Written>),
    /// A contract, with its text if that is known.
    Contract(Option<Name>),
    /// An error, in place of the value.
    Fault(Box<Problem>),
    /// A value that was not forced.
    Unforced,
    /// A secret.
    Secret,
    /// A part that the budget cut off: the number of elements or fields not shown, if known.
    Elided(Option<usize>),
}

/// A field of a record.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The field.
    pub name: Name,
    /// Its value. `None` if it is declared but not defined.
    pub value: Option<Datum>,
    /// The priority of its value.
    pub priority: Priority,
    /// Whether exports omit it.
    pub not_exported: bool,
    /// Whether exports omit it if it has no value.
    pub optional: bool,
    /// For a field without a value: the spans of its contracts, which are shown instead.
    pub contracts: Vec<Span>,
    /// Its documentation: the first one written.
    pub doc: Option<Name>,
}

impl Entry {
    /// A field without metadata.
    pub fn plain(name: Name, value: Datum) -> Entry {
        Entry {
            name,
            value: Some(value),
            priority: Priority::Normal,
            not_exported: false,
            optional: false,
            contracts: Vec::new(),
            doc: None,
        }
    }
}

impl PartialEq for Entry {
    /// Compares everything except documentation.
    fn eq(&self, other: &Entry) -> bool {
        self.name == other.name
            && self.value == other.value
            && self.priority == other.priority
            && self.not_exported == other.not_exported
            && self.optional == other.optional
            && self.contracts == other.contracts
    }
}

impl Datum {
    /// Returns the text of a map's key, as the name of a field.
    pub fn key_text(&self) -> Name {
        match self {
            Datum::String(text) | Datum::Tag(text) => text.clone(),
            Datum::Number(number) => Name::from(number.to_string()),
            Datum::Bool(b) => Name::from(b.to_string()),
            Datum::Array(items) => {
                let items: Vec<Name> = items.iter().map(Datum::key_text).collect();
                Name::from(format!("[{}]", items.join(", ")))
            }
            _ => Name::new_static("…"),
        }
    }

    /// Returns the value with each map as a record, if there is a map in it. O(parts).
    pub fn without_maps(&self) -> Option<Datum> {
        let mut work = vec![self];
        let mut found = false;
        while let Some(datum) = work.pop() {
            match datum {
                Datum::Map(_) => found = true,
                Datum::Array(items) => work.extend(items),
                Datum::Record(entries) => work.extend(entries.iter().filter_map(|entry| entry.value.as_ref())),
                _ => {}
            }
        }
        found.then(|| self.as_records())
    }

    fn as_records(&self) -> Datum {
        deeper(|| match self {
            Datum::Map(entries) => Datum::Record(
                entries.iter().map(|(key, value)| Entry::plain(key.key_text(), value.as_records())).collect(),
            ),
            Datum::Array(items) => Datum::Array(items.iter().map(Datum::as_records).collect()),
            Datum::Record(entries) => Datum::Record(
                entries
                    .iter()
                    .map(|entry| Entry { value: entry.value.as_ref().map(Datum::as_records), ..entry.clone() })
                    .collect(),
            ),
            other => other.clone(),
        })
    }
    /// Returns `true` if it has at most some thousand parts, so that printing it is fast. O(1).
    pub fn is_small(&self) -> bool {
        const FEW: usize = 10_000;
        let mut left = FEW;
        let mut work = vec![self];
        while let Some(datum) = work.pop() {
            let parts = match datum {
                Datum::Array(items) => items.len(),
                Datum::Record(entries) => entries.len(),
                Datum::Map(entries) => entries.len(),
                Datum::String(text) => text.len() / 64,
                Datum::Variant(..) => 1,
                _ => 0,
            };
            let Some(rest) = left.checked_sub(parts) else { return false };
            left = rest;
            match datum {
                Datum::Array(items) => work.extend(items),
                Datum::Record(entries) => work.extend(entries.iter().filter_map(|entry| entry.value.as_ref())),
                Datum::Map(entries) => work.extend(entries.iter().flat_map(|(key, value)| [key, value])),
                Datum::Variant(_, argument) => work.push(argument),
                _ => {}
            }
        }
        true
    }

    fn is_compound(&self) -> bool {
        matches!(self, Datum::Array(_) | Datum::Record(_) | Datum::Map(_) | Datum::Variant(..))
    }

    /// Moves the compound parts of a value out, so that it is flat.
    fn take_nested(&mut self, into: &mut Vec<Datum>) {
        match self {
            Datum::Array(items) => into.append(items),
            Datum::Record(entries) => into.extend(entries.drain(..).filter_map(|entry| entry.value)),
            Datum::Map(entries) => into.extend(entries.drain(..).flat_map(|(key, value)| [key, value])),
            Datum::Variant(_, argument) => into.push(std::mem::replace(&mut **argument, Datum::Null)),
            _ => {}
        }
    }
}

impl Clone for Datum {
    fn clone(&self) -> Datum {
        match self {
            Datum::Null => Datum::Null,
            Datum::Bool(b) => Datum::Bool(*b),
            Datum::Number(number) => Datum::Number(number.clone()),
            Datum::String(text) => Datum::String(text.clone()),
            Datum::Tag(tag) => Datum::Tag(tag.clone()),
            Datum::Function(text) => Datum::Function(*text),
            Datum::Contract(text) => Datum::Contract(text.clone()),
            Datum::Unforced => Datum::Unforced,
            Datum::Secret => Datum::Secret,
            Datum::Elided(count) => Datum::Elided(*count),
            Datum::Variant(tag, argument) => Datum::Variant(tag.clone(), deeper(|| argument.clone())),
            Datum::Array(items) => Datum::Array(deeper(|| items.clone())),
            Datum::Record(entries) => Datum::Record(deeper(|| entries.clone())),
            Datum::Map(entries) => Datum::Map(deeper(|| entries.clone())),
            Datum::Fault(problem) => Datum::Fault(deeper(|| problem.clone())),
        }
    }
}

impl PartialEq for Datum {
    fn eq(&self, other: &Datum) -> bool {
        match (self, other) {
            (Datum::Null, Datum::Null) | (Datum::Unforced, Datum::Unforced) | (Datum::Secret, Datum::Secret) => true,
            (Datum::Bool(a), Datum::Bool(b)) => a == b,
            (Datum::Number(a), Datum::Number(b)) => a == b,
            (Datum::String(a), Datum::String(b)) | (Datum::Tag(a), Datum::Tag(b)) => a == b,
            (Datum::Function(a), Datum::Function(b)) => a == b,
            (Datum::Contract(a), Datum::Contract(b)) => a == b,
            (Datum::Elided(a), Datum::Elided(b)) => a == b,
            (Datum::Variant(tag, a), Datum::Variant(other, b)) => tag == other && deeper(|| a == b),
            (Datum::Array(a), Datum::Array(b)) => deeper(|| a == b),
            (Datum::Record(a), Datum::Record(b)) => deeper(|| a == b),
            (Datum::Map(a), Datum::Map(b)) => deeper(|| a == b),
            (Datum::Fault(a), Datum::Fault(b)) => deeper(|| a == b),
            _ => false,
        }
    }
}

impl Drop for Datum {
    fn drop(&mut self) {
        let compound = match self {
            Datum::Array(items) => items.iter().any(Datum::is_compound),
            Datum::Record(entries) => entries.iter().any(|e| e.value.as_ref().is_some_and(Datum::is_compound)),
            Datum::Map(entries) => entries.iter().any(|(key, value)| key.is_compound() || value.is_compound()),
            Datum::Variant(_, argument) => argument.is_compound(),
            _ => false,
        };
        if compound {
            let mut work = Vec::new();
            self.take_nested(&mut work);
            while let Some(mut next) = work.pop() {
                next.take_nested(&mut work);
            }
        }
    }
}
