//! Nickel's internal operations, `%name%`: their names, and the library functions that do the same.

/// The operations that have an equivalent function in `std`, with the same arguments in the same order.
const AS_LIBRARY: &[(&str, &[&str])] = &[
    ("typeof", &["typeof"]),
    ("seq", &["seq"]),
    ("deep_seq", &["deep_seq"]),
    ("hash", &["hash"]),
    ("serialize", &["serialize"]),
    ("deserialize", &["deserialize"]),
    ("to_string", &["to_string"]),
    ("trace", &["trace"]),
    ("contract/apply", &["contract", "apply"]),
    ("contract/check", &["contract", "check"]),
    ("contract/custom", &["contract", "custom"]),
    ("array/length", &["array", "length"]),
    ("record/fields", &["record", "fields"]),
    ("record/fields_with_opts", &["record", "fields_with_opts"]),
    ("record/values", &["record", "values"]),
    ("record/freeze", &["record", "freeze"]),
    ("string/trim", &["string", "trim"]),
    ("string/chars", &["string", "characters"]),
    ("string/uppercase", &["string", "uppercase"]),
    ("string/lowercase", &["string", "lowercase"]),
    ("string/length", &["string", "length"]),
    ("string/is_match", &["string", "is_match"]),
    ("string/find", &["string", "find"]),
    ("string/find_all", &["string", "find_all"]),
    ("string/base64_encode", &["string", "base64_encode"]),
    ("string/base64_decode", &["string", "base64_decode"]),
    ("number/from_string", &["string", "to_number"]),
    ("enum/from_string", &["string", "to_enum"]),
    ("number/arccos", &["number", "arccos"]),
    ("number/arcsin", &["number", "arcsin"]),
    ("number/arctan", &["number", "arctan"]),
    ("number/arctan2", &["number", "arctan2"]),
    ("number/cos", &["number", "cos"]),
    ("number/sin", &["number", "sin"]),
    ("number/tan", &["number", "tan"]),
    ("number/log", &["number", "log"]),
    ("pow", &["number", "pow"]),
    ("array/slice", &["array", "slice"]),
    ("blame", &["contract", "blame"]),
    ("enum/is_variant", &["enum", "is_enum_variant"]),
    ("label/append_note", &["contract", "label", "append_note"]),
    ("label/with_message", &["contract", "label", "with_message"]),
    ("label/with_notes", &["contract", "label", "with_notes"]),
    ("record/field_is_defined", &["record", "field_is_defined"]),
    ("record/field_is_defined_with_opts", &["record", "field_is_defined_with_opts"]),
    ("record/has_field", &["record", "has_field"]),
    ("record/has_field_with_opts", &["record", "has_field_with_opts"]),
    ("record/remove", &["record", "remove"]),
    ("record/remove_with_opts", &["record", "remove_with_opts"]),
    ("string/compare", &["string", "compare"]),
];

/// The operations that have an equivalent function in `std` with other arguments: the position of each of its arguments among
/// those of the operation, and the field to take of its result.
const REARRANGED: &[(&str, ReorderedCall)] = &[
    ("array/at", ReorderedCall { path: &["array", "at"], takes: 2, order: &[1, 0], field: None, labels: &[] }),
    (
        "array/generate",
        ReorderedCall { path: &["array", "generate"], takes: 2, order: &[1, 0], field: None, labels: &[] },
    ),
    ("array/map", ReorderedCall { path: &["array", "map"], takes: 2, order: &[1, 0], field: None, labels: &[] }),
    (
        "enum/get_arg",
        ReorderedCall { path: &["enum", "to_tag_and_arg"], takes: 1, order: &[0], field: Some("arg"), labels: &[] },
    ),
    (
        "enum/get_tag",
        ReorderedCall { path: &["enum", "to_tag_and_arg"], takes: 1, order: &[0], field: Some("tag"), labels: &[] },
    ),
    (
        "enum/make_variant",
        ReorderedCall {
            path: &["enum", "from_tag_and_arg"],
            takes: 2,
            order: &[0, 1],
            field: None,
            labels: &["tag", "arg"],
        },
    ),
    ("force", ReorderedCall { path: &["deep_seq"], takes: 1, order: &[0, 0], field: None, labels: &[] }),
    (
        "record/insert",
        ReorderedCall { path: &["record", "insert"], takes: 3, order: &[0, 2, 1], field: None, labels: &[] },
    ),
    (
        "record/insert_with_opts",
        ReorderedCall { path: &["record", "insert_with_opts"], takes: 3, order: &[0, 2, 1], field: None, labels: &[] },
    ),
    ("record/map", ReorderedCall { path: &["record", "map"], takes: 2, order: &[1, 0], field: None, labels: &[] }),
    (
        "string/contains",
        ReorderedCall { path: &["string", "contains"], takes: 2, order: &[1, 0], field: None, labels: &[] },
    ),
    (
        "string/replace",
        ReorderedCall { path: &["string", "replace"], takes: 3, order: &[1, 2, 0], field: None, labels: &[] },
    ),
    (
        "string/replace_regex",
        ReorderedCall { path: &["string", "replace_regex"], takes: 3, order: &[1, 2, 0], field: None, labels: &[] },
    ),
    ("string/split", ReorderedCall { path: &["string", "split"], takes: 2, order: &[1, 0], field: None, labels: &[] }),
    (
        "string/substr",
        ReorderedCall { path: &["string", "substring"], takes: 3, order: &[1, 2, 0], field: None, labels: &[] },
    ),
];

/// A function of the library that does the same as an operation, with other arguments.
#[derive(Clone, Copy)]
pub struct ReorderedCall {
    /// The path under `std`.
    pub path: &'static [&'static str],
    /// The number of arguments of the operation.
    pub takes: u32,
    /// For each argument of the function, the position of the operation's argument.
    pub order: &'static [u32],
    /// The field of the function's result that is the result of the operation.
    pub field: Option<&'static str>,
    /// The names of the arguments, if the function takes a record of them.
    pub labels: &'static [&'static str],
}

/// The operations that only Nickel's own library can use sensibly.
const INTERNAL: &[&str] = &[
    "cast",
    "contract/array_lazy_apply",
    "contract/record_lazy_apply",
    "enum/embed",
    "eval_nix",
    "label/flip_polarity",
    "label/go_array",
    "label/go_codom",
    "label/go_dict",
    "label/go_dom",
    "label/go_field",
    "label/insert_type_variable",
    "label/lookup_type_variable",
    "label/polarity",
    "label/push_diag",
    "rec_default",
    "rec_force",
    "record/disjoint_merge",
    "record/empty_with_tail",
    "record/merge_contract",
    "record/seal_tail",
    "record/split_pair",
    "record/unseal_tail",
    "seal",
    "unseal",
];

fn bare(token: &str) -> &str {
    token.trim_matches('%')
}

/// Returns `true` if `%name%` is an operation of Nickel.
pub fn is_known(token: &str) -> bool {
    let name = bare(token);
    known().contains(&name)
}

/// Returns the names of all operations, for highlighters.
pub fn known() -> Vec<&'static str> {
    let reordered_call = REARRANGED.iter().map(|(name, _)| *name);
    AS_LIBRARY.iter().map(|(name, _)| *name).chain(reordered_call).chain(INTERNAL.iter().copied()).collect()
}

/// Returns the path under `std` of the function that is equivalent to `%name%`.
pub fn library(token: &str) -> Option<&'static [&'static str]> {
    let name = bare(token);
    AS_LIBRARY.iter().find(|(n, _)| *n == name).map(|(_, path)| *path)
}

/// Returns the function that does the same as `%name%` with other arguments.
pub fn reordered_call(token: &str) -> Option<ReorderedCall> {
    let name = bare(token);
    REARRANGED.iter().find(|(n, _)| *n == name).map(|(_, function)| *function)
}
