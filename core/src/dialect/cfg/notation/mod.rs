//! Types and values in the syntax of cfg, so that its parser can read them back.

pub mod name;
pub mod ty;
pub mod value;

use crate::dialect::notation::{ConstructorNotation, Spelling};
use crate::number::Number;
use crate::problem::report::{KindNames, Notation};
use crate::problem::types::Why;
use crate::term::Prim;
use crate::text::Name;

/// The notation for reports.
pub const REPORT: Notation = Notation { ty: ty::mentioned, kind_names: &NOUNS };

/// The names of the kinds of values.
const NOUNS: KindNames = KindNames {
    tag: name::tag,
    field: "field",
    record: "record",
    a_record: "a record",
    missing_field: |name| format!("missing field `{name}`"),
    indexed: "only a record has fields",
    a_string: "a String",
    a_boolean: "a Bool",
    kind: |kind| kind,
    operator: Prim::symbol,
    operator_hint: other_operator,
    equal_hint: None,
    absent_hint: |_| None,
    function_hint: |name| format!("`{name} | not_exported` leaves it out"),
    optional_hint: |name| {
        Some(format!(
            "`std.record.get_or \"{name}\" default record` has a value for both cases; `std.record.has_field \"{name}\" record` tests it"
        ))
    },
    definition_hint: |name, is_read| {
        Some(match is_read {
            true => format!("give it a value, `{name} = …`, or a default, `{name} | default = …`"),
            false => format!("give it a value, `{name} = …`; a field that may be missing is `{name} | optional`"),
        })
    },
    reason_hint,
    unbound_hint: |_| None,
    call_hint: not_called,
    parts_hint: |found, name| {
        let is_of_elements = found.starts_with("Array {")
            && [": ", "? : "].iter().any(|end| {
                found.split(['{', ',']).any(|field| {
                    field.trim_start().starts_with(&format!("{name}{end}"))
                        || field.trim_start().starts_with(&format!("{name} {end}"))
                })
            });
        if is_of_elements {
            return Some(Name::from(format!("each element has it: `std.array.map (fun x => x.{name}) array`")));
        }
        Some(Name::new_static(match found.split(' ').next().unwrap_or(found) {
            "Array" => "the functions of arrays are in `std.array`: `std.array.length array`, `std.array.map f array`",
            "String" => "the functions of strings are in `std.string`: `std.string.length text`",
            "Number" => "the functions of numbers are in `std.number`: `std.number.abs n`",
            "Null" | "null" => "test it first: `if x == null then … else x.name`",
            _ => return None,
        }))
    },
    failure_hint,
    unexpected_hint: |_, _| None,
    keeps_kind: false,
};

/// Suggests another operator if an operator was applied to a kind of value for which there is a different one.
fn other_operator(operator: &str, found: &str) -> Option<&'static str> {
    Some(match (operator, found.split(' ').next().unwrap_or(found)) {
        ("+", "String") => "strings are joined with `++`; another value is put into a string: `\"a%{x}\"`",
        ("&&" | "||" | "!", "Number" | "String") => {
            "an operand is a Bool: compare first, as in `x != 0` or `x != \"\"`"
        }
        (_, "[|") if !matches!(operator, "==" | "!=") => {
            "this is an enum tag: the value inside of it is taken out with `match { 'Some x => x, … }`"
        }
        ("+" | "++", "Array") => "arrays are joined with `@`",
        ("+" | "++" | "@", "Record" | "{") => "records are merged with `&`",
        ("++", "Number") => "a number becomes text in a string: `\"%{n}\"`",
        ("%", "String") => "`%` is the remainder of a division; a value is put into a string by `\"%{name}\"`",
        ("-" | "*" | "/", "String") => "`std.string.to_number` makes a number of a text",
        ("<" | "<=" | ">" | ">=", "Bool") => "two comparisons are joined with `&&`: `a < b && b < c`",
        ("<" | "<=" | ">" | ">=", "String") => "`std.string.to_number` makes a number of a text",
        ("@", "Number" | "Bool") => "one element is added as an array: `array @ [x]`",
        ("@", "String") => "strings are joined with `++`",
        ("-", _) if found.contains(" -> ") && !found.starts_with('(') => {
            "a negative argument needs parentheses: `f (-1)`"
        }
        _ => return None,
    })
}

/// Suggests how to make a value of the kind that is expected.
fn reason_hint(why: &Why, found: &str, expected: &str) -> Option<Name> {
    let is_declared = matches!(why, Why::Contract | Why::Annotation);
    let is_tag = found.starts_with("[| '");
    Some(Name::new_static(match (found, expected) {
        ("String", "Number") if is_declared => {
            "a number is written without quotes; `std.string.to_number` makes one of a text"
        }
        ("String", "Number") if matches!(why, Why::Argument(..)) => "`std.string.to_number` makes a number of a text",
        ("Number" | "Bool", "String") if is_declared => {
            "a text is in double quotes: `\"…\"`; `std.to_string x` makes one of a value"
        }
        ("Number" | "Bool", "String") if matches!(why, Why::Argument(..)) => {
            "`std.to_string x` makes a text of a value"
        }
        ("String", "Bool") if is_declared => "`true` and `false` are written without quotes",
        ("Number", "Bool") if matches!(why, Why::Result(..)) => "a comparison gives a Bool: `x > 0`, `x == 0`",
        (_, "String") if matches!(why, Why::Interpolated) && found.starts_with(['{', 'A']) => {
            "`std.serialize 'Json x` makes a text of any data"
        }
        (_, "String") if is_tag => "this is an enum tag; a text is in double quotes: `\"…\"`",
        ("Null", _) if is_declared => "`null` is a value: a field that has none is left out",
        (_, "Number") if found.starts_with("Array ") && matches!(why, Why::Argument(1, Some(_))) => {
            "the functions of the library take the array last: the number comes before it"
        }
        (_, _)
            if found.starts_with("Array ") && expected.contains(" -> ") && matches!(why, Why::Argument(1, Some(_))) =>
        {
            "the functions of the library take the array last: the function comes before it"
        }
        ("String" | "Number" | "Bool", _) if expected.starts_with("Array ") => {
            "an array is written in brackets, also with one element: `[x]`"
        }
        _ => return None,
    }))
}

/// Suggests what to do about a failure of an operator or of the library.
fn failure_hint(message: &str) -> Option<&'static str> {
    let any = |parts: &[&str]| parts.iter().any(|part| message.contains(part));
    Some(match () {
        () if any(&["contains itself"]) => {
            "leave the field out with `| not_exported`, or copy only the parts that are needed"
        }
        () if any(&["division by zero"]) => "test the divisor first: `if n == 0 then … else m / n`",
        () if any(&["no pattern fits"]) => "add an arm for it, or one for all others: `_ => …`",
        () if message.starts_with("the pattern does not fit [") => {
            "`[a, b, ..]` allows further elements, and `[a, b, ..rest]` names them"
        }
        () if message.starts_with("extra field ") => {
            "`..` at the end of a pattern or of a record's type allows further fields"
        }
        () if message.contains("must be [| '") && message.ends_with("is String") => {
            "a tag begins with a single quote, and no quote is at its end: `'Name`"
        }
        () if message.starts_with("the pattern does not fit {") => {
            "`{ a, .. }` allows further fields, and `{ a, b ? 1 }` a record without `b`"
        }
        () if any(&["nests deeper than"]) => {
            "a function that calls itself needs a case in which it does not: `if n == 0 then … else …`"
        }
        () if needs_itself(message) => {
            "no value can need itself; inside a record, the name of a field is that field: `{ include x }` has the value of an outer `x`"
        }
        () if any(&["infinite recursion"]) => "let one of them have a value that needs none of the others",
        () if any(&["operand of `%` must be Number, but is String"]) => {
            "`%` is the remainder of a division; a value is put into a string by `\"%{name}\"`"
        }
        () if any(&["the condition of `if` must be Bool, but is String"]) => {
            "compare it: `x == …`; `true` and `false` have no quotes"
        }
        () if any(&["operand of `<`", "operand of `>`"]) && any(&["but is Label"]) => {
            "a contract is called with a label first: `std.contract.from_predicate (fun x => …)` makes one of a test"
        }
        () if any(&["operand of `<`", "operand of `>`"]) => {
            "two numbers or two strings are compared; `std.string.to_number` makes a number of a text"
        }
        () if any(&["right operand of `@` must be Array"]) => "one element is added as an array: `array @ [x]`",
        () if any(&["must be Array, but is Function"]) => "the function comes first, then the array",
        () if any(&["is no number"]) => "the whole text has to be a number, such as `\"80\"` or `\"1.5\"`",
        () if any(&["no element", "the array is empty"]) => {
            "`std.array.at_or n default array` has a result for every index; `std.array.length` is the number of elements"
        }
        () if any(&["must be Array, but is Label", "must be Record, but is Label", "must be String, but is Label"]) => {
            "`|` and `:` attach a contract, and call it with a label; a value is passed on with `|>`"
        }
        () if any(&["a contract must be Contract, but is Bool"]) => {
            "`|` attaches a contract; the logical operators are `&&` and `||`"
        }
        () if any(&["of `std.string.join` must be String", "interpolated part must be String"]) => {
            "a text is made with `std.to_string x`, or with `std.serialize 'Json x`"
        }
        _ => return None,
    })
}

/// Returns `true` for a field whose definition is its own name: `{ port = port }`.
fn needs_itself(message: &str) -> bool {
    let path = message.strip_prefix("infinite recursion: ");
    path.and_then(|path| path.split_once(" → ")).is_some_and(|(from, to)| from == to)
}

/// Suggests a fix for a value that is not a function but has arguments.
fn not_called(found: &str) -> Option<&'static str> {
    Some(match found.split(' ').next().unwrap_or(found) {
        "Number" | "String" | "Bool" | "Null" => {
            "the text after it is read as its argument: is a comma or an operator missing?"
        }
        "Array" => "an element is read with `std.array.at n array`",
        "Contract" => "the type of an array is `Array Number`; a contract of your own is called with its arguments",
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

/// The spelling of types and values in answers about data files: a value with a tag of YAML is written as in YAML, `!Ref "x"`.
pub const OF_DATA: Spelling =
    Spelling { tag: name::tag_of_data, report: Notation { kind_names: &NOUNS_OF_DATA, ..REPORT }, ..SPELLING };

/// The names of the kinds of values in messages about data files.
const NOUNS_OF_DATA: KindNames = KindNames {
    tag: name::tag_of_data,
    missing_field: |name| format!("missing key `{name}`"),
    field: "key",
    record: "mapping",
    a_record: "a mapping",
    kind: |kind| match kind {
        "String" => "string",
        "Number" => "number",
        "Bool" => "boolean",
        "Array" => "list",
        "Record" => "mapping",
        other => other,
    },
    equal_hint: Some("make them equal, or remove all but one of them"),
    // what programs do about it is no help here
    operator: Prim::symbol,
    operator_hint: |_, _| None,
    definition_hint: |_, _| None,
    call_hint: |_| None,
    parts_hint: |_, _| None,
    failure_hint: |_| None,
    reason_hint: |_, _, _| None,
    ..NOUNS
};
