//! Types and values as text: one printer, and for each dialect how it spells them.

mod doc;
pub mod ty;
pub mod value;

use crate::number::Number;
use crate::problem::report::Notation;
use std::borrow::Cow;

/// How a dialect spells types and values.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// The type of null.
    pub null: &'static str,
    /// The type of booleans.
    pub boolean: &'static str,
    /// The type of numbers.
    pub number: &'static str,
    /// The type of strings.
    pub string_type: &'static str,
    /// An unknown type.
    pub unknown: &'static str,
    /// Arrays.
    pub array: Former,
    /// `a -> b -> c`, and not `(a, b) -> c`.
    pub curried: bool,
    /// Whether `forall` is written.
    pub quantified: bool,
    /// Between a field and its type.
    pub of: &'static str,
    /// Whether blanks stand inside of a record type's braces.
    pub blank: bool,
    /// What stands for the fields of a dictionary.
    pub key: &'static str,
    /// A tail that nothing shares.
    pub rest: &'static str,
    /// A shared tail is `; r1` behind the fields, and not one of them, `r1...`.
    pub rows_behind: bool,
    /// A field's name.
    pub field: fn(&str) -> Cow<'_, str>,
    /// Whether a text needs no quotes as a name.
    pub is_identifier: fn(&str) -> bool,
    /// A number.
    pub numeral: fn(&Number) -> String,
    /// A function from its text in the source, on one line, as an expression. `None`: it cannot be shown so.
    pub function: fn(&str) -> Option<String>,
    /// A string.
    pub string: fn(&str) -> String,
    /// An enum tag.
    pub tag: fn(&str) -> String,
    /// Between a field and its value.
    pub defines: &'static str,
    /// Between a hidden field and its value.
    pub defines_hidden: &'static str,
    /// Whether priorities and the like are written.
    pub metadata: bool,
    /// What reports write.
    pub report: Notation,
}

/// How a type of one part is written.
#[derive(Clone, Copy, Debug)]
pub enum Former {
    /// `Array a`
    Word(&'static str),
    /// `[a]`
    Brackets,
}
