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
];

/// The operations that only Nickel's own library can use sensibly.
const INTERNAL: &[&str] = &[
    "array/at",
    "array/generate",
    "array/map",
    "array/slice",
    "blame",
    "cast",
    "contract/array_lazy_apply",
    "contract/record_lazy_apply",
    "enum/embed",
    "enum/get_arg",
    "enum/get_tag",
    "enum/is_variant",
    "enum/make_variant",
    "eval_nix",
    "force",
    "label/append_note",
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
    "label/with_message",
    "label/with_notes",
    "rec_default",
    "rec_force",
    "record/disjoint_merge",
    "record/empty_with_tail",
    "record/field_is_defined",
    "record/field_is_defined_with_opts",
    "record/has_field",
    "record/has_field_with_opts",
    "record/insert",
    "record/insert_with_opts",
    "record/map",
    "record/merge_contract",
    "record/remove",
    "record/remove_with_opts",
    "record/seal_tail",
    "record/split_pair",
    "record/unseal_tail",
    "seal",
    "string/compare",
    "string/contains",
    "string/replace",
    "string/replace_regex",
    "string/split",
    "string/substr",
    "unseal",
];

fn bare(token: &str) -> &str {
    token.trim_matches('%')
}

/// Returns `true` if `%name%` is an operation of Nickel.
pub fn is_known(token: &str) -> bool {
    let name = bare(token);
    INTERNAL.contains(&name) || AS_LIBRARY.iter().any(|(n, _)| *n == name)
}

/// Returns the names of all operations, for highlighters.
pub fn known() -> Vec<&'static str> {
    AS_LIBRARY.iter().map(|(name, _)| *name).chain(INTERNAL.iter().copied()).collect()
}

/// Returns the path under `std` of the function that is equivalent to `%name%`.
pub fn library(token: &str) -> Option<&'static [&'static str]> {
    let name = bare(token);
    AS_LIBRARY.iter().find(|(n, _)| *n == name).map(|(_, path)| *path)
}
