//! Types and values as jsonnet programs have them: values so that they can be typed back, types in the notation of the
//! inference document (`{x ∈ number, y? ∈ [string], ...}`, `(a, b?) -> c`), which is no syntax of the language.

mod literal;
pub mod name;
#[cfg(test)]
mod tests;

use crate::dialect::notation::{Former, Spelling, ty};
use crate::problem::report::{Notation, Nouns};

/// What reports write in it.
pub const REPORT: Notation = Notation { ty: |scheme| ty::styled(&SPELLING, scheme, None).text(), nouns: &NOUNS };

/// What jsonnet calls the kinds of values.
const NOUNS: Nouns = Nouns {
    record: "object",
    a_record: "an object",
    // the words of the reference
    missing_field: |name| format!("field does not exist: {name}"),
    indexed: "only objects, arrays and strings can be indexed",
    a_string: "a string",
    a_boolean: "a boolean",
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
};

/// How jsonnet spells types and values.
pub const SPELLING: Spelling = Spelling {
    null: "null",
    boolean: "boolean",
    number: "number",
    string_type: "string",
    unknown: "any",
    array: Former::Brackets,
    curried: false,
    quantified: false,
    of: " ∈ ",
    blank: false,
    key: "[string]",
    rest: "...",
    rows_behind: false,
    field: name::field,
    is_identifier: name::is_identifier,
    numeral: literal::number,
    function: literal::function,
    string: name::string,
    tag: crate::dialect::cfg::notation::name::tag,
    defines: ": ",
    defines_hidden: ":: ",
    metadata: false,
    report: REPORT,
};
