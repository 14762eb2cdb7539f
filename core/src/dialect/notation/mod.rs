//! Printing types and values: one printer, and a table of spellings for each language.

mod doc;
pub mod ty;
pub mod value;

use crate::number::Number;
use crate::problem::report::Notation;
use crate::styled::Styled;
use crate::text::Name;
use crate::ty::Scheme;
use crate::value::datum::Datum;
use std::borrow::Cow;

/// Prints a type, with the given names for the variables of its scheme; without names, they are numbered.
pub type TypePrinter = fn(&Scheme, Option<usize>, &[Name]) -> Styled;

/// Prints a whole value; `None` if the value has no notation of its own.
pub type ValuePrinter = fn(&Datum, usize, value::SpanText<'_>) -> Option<Styled>;

/// The spelling of types and values in a language.
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
    /// The notation for arrays.
    pub array: ConstructorNotation,
    /// Whether functions are written `a -> b -> c` instead of `(a, b) -> c`.
    pub curried: bool,
    /// Whether `forall` is written.
    pub quantified: bool,
    /// The separator between a field and its type.
    pub of: &'static str,
    /// Whether record types have spaces inside the braces.
    pub blank: bool,
    /// The key that represents the fields of a dictionary.
    pub key: &'static str,
    /// A row tail that is used only once.
    pub rest: &'static str,
    /// Whether a shared tail is written `; r1` after the fields, instead of `r1...` as one of them.
    pub rows_behind: bool,
    /// Formats a field name.
    pub field: fn(&str) -> Cow<'_, str>,
    /// Returns `true` if a name needs no quotes.
    pub is_identifier: fn(&str) -> bool,
    /// Formats a number.
    pub numeral: fn(&Number) -> String,
    /// Converts the source text of a function, on one line, to an expression. `None` if that is not possible.
    pub function: fn(&str) -> Option<String>,
    /// Formats a string.
    pub string: fn(&str) -> String,
    /// Formats an enum tag.
    pub tag: fn(&str) -> String,
    /// The separator between a field and its value.
    pub defines: &'static str,
    /// The separator between a hidden field and its value.
    pub defines_hidden: &'static str,
    /// Returns `true` if a field is part of the way in which a program is represented. It is not shown.
    pub is_internal: fn(&str) -> bool,
    /// Returns the name that an internal field binds in the program, if it binds one.
    pub bound_name: fn(&str) -> Option<&str>,
    /// Whether priorities and other metadata are written.
    pub metadata: bool,
    /// The text before the fields of a record.
    pub record: &'static str,
    /// Whether the last element of an array or record is followed by a comma on one line too.
    pub comma: bool,
    /// Prints a whole value in a notation of its own, in lines of at most a width if possible.
    pub values: Option<ValuePrinter>,
    /// Prints a type in a notation of its own, in lines of at most a width if possible.
    pub types: Option<TypePrinter>,
    /// The notation for reports.
    pub report: Notation,
}

/// The spelling that languages in the manner of JSON share.
pub const BRACKETS: Spelling = Spelling {
    null: "null",
    boolean: "boolean",
    number: "number",
    string_type: "string",
    unknown: "any",
    array: ConstructorNotation::Brackets,
    curried: false,
    quantified: false,
    blank: false,
    rest: "...",
    rows_behind: false,
    defines: ": ",
    defines_hidden: ": ",
    metadata: false,
    ..super::cfg::notation::SPELLING
};

/// Returns a string literal on one line, in double quotes. `escape` writes a character that needs an escape of the language, in
/// front of the next character; all languages write `\"`, `\\`, `\n`, `\r` and `\t`.
pub fn quoted(text: &str, escape: impl Fn(char, Option<char>, &mut String) -> bool) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if escape(c, chars.peek().copied(), &mut out) => {}
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Writes a control character as `\u` with four hexadecimal digits. Returns `false` for any other character.
pub fn control(c: char, out: &mut String) -> bool {
    if c.is_control() {
        out.push_str(&format!("\\u{:04x}", c as u32));
    }
    c.is_control()
}

/// The notation of a type constructor with one argument.
#[derive(Clone, Copy, Debug)]
pub enum ConstructorNotation {
    /// `Array a`
    Word(&'static str),
    /// `[a]`
    Brackets,
}
