//! Finished values: plain data without thunks, faults in their place. What exports and notations print.

use super::Problem;
use crate::meta::Priority;
use crate::term::Number;
use crate::text::{Name, Span};

/// How a function is written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Written {
    /// In a source.
    Source(Span),
    /// By its name in the library: `std.array.map`.
    Name(&'static str),
}

/// What stands for a secret in every text, exports too.
pub const MASK: &str = "<secret>";

/// A value as far as it was asked for.
#[derive(Clone, PartialEq, Debug)]
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
    /// A record; fields in the dialect's order.
    Record(Vec<Entry>),
    /// A function, and how it is written, where it is written as a whole.
    Function(Option<Written>),
    /// A contract, by its text where it has one.
    Contract(Option<Name>),
    /// A value that failed, in its place.
    Fault(Box<Problem>),
    /// Not forced.
    Unforced,
    /// A secret.
    Secret,
    /// Cut off by the budget: how many elements or fields are not shown, if that is known.
    Elided(Option<usize>),
}

/// A field of a finished record.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The field.
    pub name: Name,
    /// Its value; `None` where it is declared and not defined.
    pub value: Option<Datum>,
    /// The priority its value came with.
    pub priority: Priority,
    /// Left out of exports.
    pub not_exported: bool,
    /// Optional: left out of exports where it has no value.
    pub optional: bool,
    /// Of a field without a value: where its contracts are written, which is all that there is to show of it.
    pub contracts: Vec<Span>,
    /// Its documentation, the first that was written.
    pub doc: Option<Name>,
}

impl PartialEq for Entry {
    /// Documentation does not make values different.
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
    /// Whether it has few parts: writing it takes no time to speak of. O(1).
    pub fn is_small(&self) -> bool {
        const FEW: usize = 10_000;
        let mut left = FEW;
        let mut work = vec![self];
        while let Some(datum) = work.pop() {
            let parts = match datum {
                Datum::Array(items) => items.len(),
                Datum::Record(entries) => entries.len(),
                Datum::String(text) => text.len() / 64,
                Datum::Variant(..) => 1,
                _ => 0,
            };
            let Some(rest) = left.checked_sub(parts) else { return false };
            left = rest;
            match datum {
                Datum::Array(items) => work.extend(items),
                Datum::Record(entries) => work.extend(entries.iter().filter_map(|entry| entry.value.as_ref())),
                Datum::Variant(_, argument) => work.push(argument),
                _ => {}
            }
        }
        true
    }

    fn is_compound(&self) -> bool {
        matches!(self, Datum::Array(_) | Datum::Record(_) | Datum::Variant(..))
    }

    /// Takes what is nested in a compound, leaving it flat.
    fn take_nested(&mut self, into: &mut Vec<Datum>) {
        match self {
            Datum::Array(items) => into.append(items),
            Datum::Record(entries) => into.extend(entries.drain(..).filter_map(|entry| entry.value)),
            Datum::Variant(_, argument) => into.push(std::mem::replace(&mut **argument, Datum::Null)),
            _ => {}
        }
    }
}

/// Data nests as deep as the program says: dropping it is a loop.
impl Drop for Datum {
    fn drop(&mut self) {
        let compound = match self {
            Datum::Array(items) => items.iter().any(Datum::is_compound),
            Datum::Record(entries) => entries.iter().any(|e| e.value.as_ref().is_some_and(Datum::is_compound)),
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
