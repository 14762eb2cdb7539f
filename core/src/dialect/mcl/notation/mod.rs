//! Types and values in the syntax of mcl, so that its parser can read them back.

mod graph;
mod hints;
pub mod name;
pub mod ty;

use crate::dialect::notation::{BRACKETS, Spelling};
use crate::number::Number;
use crate::problem::report::{KindNames, Notation};
use crate::term::Prim;

/// The notation for reports.
pub const REPORT: Notation = Notation { ty: |scheme| ty::styled(scheme, None, &[]).text(), kind_names: &NOUNS };

/// The names of the kinds of values.
const NOUNS: KindNames = KindNames {
    tag: |tag| format!("\"{tag}\""),
    field: "field",
    record: "struct",
    a_record: "a struct",
    missing_field: |name| format!("field {name} was not found in struct"),
    indexed: "only a struct has fields",
    a_string: "a str",
    a_boolean: "a bool",
    keeps_kind: false,
    kind: |kind| match kind {
        "Bool" => "bool",
        "Number" => "number",
        "String" => "str",
        "Array" => "list",
        "Record" => "struct",
        "Map" => "map",
        "Function" => "func",
        other => other,
    },
    operator: spelled,
    operator_hint: hints::operator,
    equal_hint: Some("what several statements say of one resource must be equal"),
    absent_hint: |_| None,
    definition_hint: |_, _| None,
    function_hint: |name| format!("a function is bound to a variable: `${name} = func() {{ … }}`"),
    optional_hint: |_| None,
    reason_hint: hints::reason,
    unbound_hint: |_| None,
    call_hint: |_| None,
    parts_hint: hints::parts,
    failure_hint: |_| None,
    unexpected_hint: |_, _| None,
};

/// The spelling of types and values.
pub const SPELLING: Spelling = Spelling {
    null: "graph",
    boolean: "bool",
    string_type: "str",
    unknown: "variant",
    of: " ",
    key: "str",
    field: name::field,
    is_identifier: name::is_identifier,
    numeral: number,
    function: |text| text.starts_with("func").then(|| crate::text::on_one_line(text)),
    string: name::string,
    tag: |tag| format!("\"{tag}\""),
    defines: " => ",
    defines_hidden: " => ",
    record: "struct{",
    comma: true,
    values: Some(graph::statements::<false>),
    types: Some(ty::styled),
    report: REPORT,
    ..BRACKETS
};

/// The spelling in the newest syntax, in which the last element on a line has no comma.
pub const NEWEST: Spelling = Spelling { comma: false, values: Some(graph::statements::<true>), ..SPELLING };

/// Formats a number: a float always has a point.
fn number(number: &Number) -> String {
    match number {
        Number::Double(value) => {
            let text = value.to_string();
            if text.contains('.') { text } else { format!("{text}.0") }
        }
        other => other.to_string(),
    }
}

/// Returns an operator as mcl writes it.
fn spelled(operator: Prim) -> &'static str {
    match operator {
        Prim::And => "and",
        Prim::Or => "or",
        Prim::Not => "not",
        _ => operator.symbol(),
    }
}
