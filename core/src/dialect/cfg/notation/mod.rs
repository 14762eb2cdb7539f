//! Types and values in the syntax of cfg, so that its parser can read them back.

pub mod name;
pub mod ty;
pub mod value;

use crate::dialect::notation::{Former, Spelling};
use crate::problem::report::{Notation, Nouns};

/// The notation for reports.
pub const REPORT: Notation = Notation { ty: ty::mentioned, nouns: &NOUNS };

/// The names of the kinds of values.
const NOUNS: Nouns = Nouns {
    record: "record",
    a_record: "a record",
    missing_field: |name| format!("missing field `{name}`"),
    indexed: "only a record has fields",
    a_string: "a String",
    a_boolean: "a Bool",
    kind: |kind| kind,
};

/// The spelling of types and values.
pub const SPELLING: Spelling = Spelling {
    null: "Null",
    boolean: "Bool",
    number: "Number",
    string_type: "String",
    unknown: "Dyn",
    array: Former::Word("Array "),
    curried: true,
    quantified: true,
    of: " : ",
    blank: true,
    key: "_",
    rest: "..",
    rows_behind: true,
    field: name::field,
    is_identifier: name::is_identifier,
    numeral: |number| number.to_string(),
    function: value::function,
    string: name::string,
    tag: name::tag,
    defines: " = ",
    defines_hidden: " = ",
    metadata: true,
    report: REPORT,
};
