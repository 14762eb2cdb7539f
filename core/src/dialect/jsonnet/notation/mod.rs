//! Types and values in the notation of jsonnet. The parser can read values again. Types use the notation of the document on
//! type inference (`{x ∈ number, y? ∈ [string], ...}`, `(a, b?) -> c`), which is not part of the language.

mod literal;
pub mod name;
#[cfg(test)]
mod tests;

use crate::dialect::notation::{BRACKETS, Spelling, ty};
use crate::problem::report::{KindNames, Notation};

/// The notation for reports.
pub const REPORT: Notation = Notation { ty: |scheme| ty::styled(&SPELLING, scheme, None).text(), kind_names: &NOUNS };

/// The names of the kinds of values.
const NOUNS: KindNames = KindNames {
    record: "object",
    a_record: "an object",
    // the wording of the reference
    missing_field: |name| format!("field does not exist: {name}"),
    indexed: "only objects, arrays and strings can be indexed",
    a_string: "a string",
    a_boolean: "a boolean",
    keeps_kind: false,
    kind: |kind| match kind {
        "Null" => "null",
        "Bool" => "boolean",
        "Number" => "number",
        "String" => "string",
        "Array" => "array",
        "Record" => "object",
        "Function" => "function",
        other => other,
    },
    // one operator, `+`, combines all that can be combined
    operator_hint: |operator, found| match (operator, found) {
        ("-", "string") => Some("`std.parseInt` makes a number of a string of digits"),
        ("+", _) => Some("`+` adds numbers, joins strings or arrays, and combines objects: both sides are of one kind"),
        _ => None,
    },
    equal_hint: None,
    unbound_hint: |_| None,
    call_hint: |found| {
        found.starts_with('{').then_some("objects are combined with `+`; a field is read with `object.name`")
    },
};

/// The spelling of types and values.
pub const SPELLING: Spelling = Spelling {
    of: " ∈ ",
    key: "[string]",
    field: name::field,
    is_identifier: name::is_identifier,
    numeral: literal::number,
    function: literal::function,
    string: name::string,
    defines_hidden: ":: ",
    report: REPORT,
    ..BRACKETS
};
