//! Types and values in the syntax of cfg, so that its parser reads them back.

pub mod name;
pub mod ty;
pub mod value;

use crate::dialect::notation::{Former, Spelling};
use crate::problem::report::Notation;

/// What reports write in it.
pub const REPORT: Notation = Notation { ty: ty::mentioned };

/// How cfg spells types and values.
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
    function: |text| Some(crate::dialect::notation::value::on_one_line(text)),
    string: name::string,
    tag: name::tag,
    defines: " = ",
    defines_hidden: " = ",
    metadata: true,
    report: REPORT,
};
