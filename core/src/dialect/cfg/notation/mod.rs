//! Types and values in the syntax of cfg, so that its parser can read them back.

pub mod name;
pub mod ty;
pub mod value;

use crate::dialect::notation::{ConstructorNotation, Spelling};
use crate::number::Number;
use crate::problem::report::{KindNames, Notation};

/// The notation for reports.
pub const REPORT: Notation = Notation { ty: ty::mentioned, kind_names: &NOUNS };

/// The names of the kinds of values.
const NOUNS: KindNames = KindNames {
    record: "record",
    a_record: "a record",
    missing_field: |name| format!("missing field `{name}`"),
    indexed: "only a record has fields",
    a_string: "a String",
    a_boolean: "a Bool",
    kind: |kind| kind,
    operator_hint: other_operator,
    equal_hint: None,
    unbound_hint: |_| None,
    call_hint: not_called,
    keeps_kind: false,
};

/// Suggests another operator if an operator was applied to a kind of value for which there is a different one.
fn other_operator(operator: &str, found: &str) -> Option<&'static str> {
    Some(match (operator, found.split(' ').next().unwrap_or(found)) {
        ("+", "String") => "strings are joined with `++`",
        ("+" | "++", "Array") => "arrays are joined with `@`",
        ("+" | "++" | "@", "Record" | "{") => "records are merged with `&`",
        ("++", "Number") => "a number becomes text in a string: `\"%{n}\"`",
        ("@", "String") => "strings are joined with `++`",
        ("-", _) if found.contains(" -> ") && !found.starts_with('(') => {
            "a negative argument needs parentheses: `f (-1)`"
        }
        _ => return None,
    })
}

/// Suggests a fix for a value that is not a function but has arguments.
fn not_called(found: &str) -> Option<&'static str> {
    Some(match found.split(' ').next().unwrap_or(found) {
        "Number" | "String" | "Bool" | "Null" => {
            "the text after it is read as its argument: is a comma or an operator missing?"
        }
        "Array" => "an element is read with `std.array.at n array`",
        "Record" | "{" | "{}" => "records are merged with `&`; a field is read with `record.name`",
        _ => return None,
    })
}

/// The spelling of types and values.
pub const SPELLING: Spelling = Spelling {
    null: "Null",
    boolean: "Bool",
    number: "Number",
    string_type: "String",
    unknown: "Dyn",
    array: ConstructorNotation::Word("Array "),
    curried: true,
    quantified: true,
    of: " : ",
    blank: true,
    key: "_",
    rest: "..",
    rows_behind: true,
    field: name::field,
    is_identifier: name::is_identifier,
    numeral: Number::in_full,
    function: value::function,
    string: name::string,
    tag: name::tag,
    defines: " = ",
    defines_hidden: " = ",
    is_internal: |_| false,
    bound_name: |_| None,
    metadata: true,
    record: "{",
    comma: false,
    values: None,
    types: None,
    report: REPORT,
};
