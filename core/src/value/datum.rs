//! Finished values: plain data without thunks, faults in their place. What exports and notations print.

use crate::meta::Priority;
use crate::problem::Problem;
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
#[derive(Clone, PartialEq, Debug)]
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
}

impl Datum {
    /// Drops a value of any depth without recursion; the ordinary drop recurses.
    pub fn discard(self) {
        let mut work = vec![self];
        while let Some(datum) = work.pop() {
            match datum {
                Datum::Array(all) => work.extend(all),
                Datum::Record(all) => work.extend(all.into_iter().filter_map(|e| e.value)),
                Datum::Variant(_, inner) => work.push(*inner),
                _ => {}
            }
        }
    }
}
