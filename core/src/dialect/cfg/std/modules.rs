//! The modules of the library. What an entry is, says its text; here are the functions in Rust, with their numbers of
//! arguments, in the order of the text.

use super::native::{array, contract, enumeration, json_schema, merge, number, package, record, string, top};
use super::table::{Item, Module, items};
use crate::dialect::description::{Example, count, descriptions, examples, module_doc};

/// Declares a module: its path, the file with its text, its submodules, its functions in Rust.
macro_rules! module {
    ($(#[$doc:meta])* $NAME:ident, $path:literal, $file:literal, [$($inner:expr),*], [$($native:expr),* $(,)?]) => {
        $(#[$doc])*
        pub static $NAME: Module = {
            const TEXT: &str = include_str!(concat!("text/", $file));
            static EXAMPLES: [Example; count(TEXT, b'>')] = examples(TEXT);
            static ITEMS: [Item; count(TEXT, b'#')] = items(descriptions(TEXT, &EXAMPLES), [$($native),*]);
            Module { path: $path, doc: module_doc(TEXT), items: &ITEMS, modules: &[$($inner),*] }
        };
    };
}

module!(
    /// `std.package.structured`.
    STRUCTURED,
    "std.package.structured",
    "package_structured.txt",
    [],
    [
    ]
);

module!(
    /// `std.package`.
    PACKAGE,
    "std.package",
    "package.txt",
    [&STRUCTURED],
    [
        ("ExactSemverReq", 1, package::exact),
        ("Manifest", 1, package::is_identifier),
        ("PackageId", 1, package::id),
        ("Semver", 1, package::version),
        ("SemverPrefix", 1, package::prefix),
    ]
);

module!(
    /// `std.contract.label`.
    LABEL,
    "std.contract.label",
    "contract_label.txt",
    [],
    [
        ("append_note", 2, contract::append_note),
        ("with_message", 2, contract::with_message),
        ("with_notes", 2, contract::with_notes),
    ]
);

module!(
    /// `std.contract.unstable`.
    UNSTABLE,
    "std.contract.unstable",
    "contract_unstable.txt",
    [],
    [
    ]
);

module!(
    /// `std.contract`.
    CONTRACT,
    "std.contract",
    "contract.txt",
    [&LABEL, &UNSTABLE],
    [
        ("apply", 3, contract::apply),
        ("blame", 1, contract::blame),
        ("blame_with_message", 2, contract::blame_with_message),
        ("check", 3, contract::check),
        ("custom", 1, contract::custom),
        ("from_json_schema", 2, json_schema::validate),
        ("from_predicate", 1, contract::from_predicate),
        ("from_validator", 1, contract::from_validator),
    ]
);

module!(
    /// `std.array`.
    ARRAY,
    "std.array",
    "array.txt",
    [],
    [
        ("all", 2, array::all),
        ("any", 2, array::any),
        ("append", 2, array::append),
        ("at", 2, array::at),
        ("at_or", 3, array::at_or),
        ("chunk", 2, array::chunk),
        ("compare", 3, array::compare),
        ("concat", 2, array::concat),
        ("dedup", 1, array::dedup),
        ("dedup_sorted", 2, array::dedup_sorted),
        ("drop_first", 1, array::drop_first),
        ("drop_last", 1, array::drop_last),
        ("elem", 2, array::elem),
        ("filter", 2, array::filter),
        ("filter_map", 2, array::filter_map),
        ("first", 1, array::first),
        ("flat_map", 2, array::flat_map),
        ("flatten", 1, array::flatten),
        ("fold_left", 3, array::fold_left),
        ("fold_right", 3, array::fold_right),
        ("generate", 2, array::generate),
        ("group", 2, array::group),
        ("intersperse", 2, array::intersperse),
        ("last", 1, array::last),
        ("length", 1, array::length),
        ("map", 2, array::map),
        ("map_with_index", 2, array::map_with_index),
        ("partition", 2, array::partition),
        ("prepend", 2, array::prepend),
        ("range", 2, array::range),
        ("range_step", 3, array::range_step),
        ("reduce_left", 2, array::reduce_left),
        ("reduce_right", 2, array::reduce_right),
        ("replicate", 2, array::replicate),
        ("reverse", 1, array::reverse),
        ("slice", 3, array::slice),
        ("sort", 2, array::sort),
        ("sort_dedup", 2, array::sort_dedup),
        ("split_at", 2, array::split_at),
        ("try_fold_left", 3, array::try_fold_left),
        ("zip_with", 3, array::zip_with),
    ]
);

module!(
    /// `std.enum`.
    ENUM,
    "std.enum",
    "enum.txt",
    [],
    [
        ("from_tag_and_arg", 1, enumeration::from_tag_and_arg),
        ("is_enum_tag", 1, enumeration::is_enum_tag),
        ("is_enum_variant", 1, enumeration::is_enum_variant),
        ("map", 2, enumeration::map),
        ("to_tag_and_arg", 1, enumeration::to_tag_and_arg),
    ]
);

module!(
    /// `std.function`.
    FUNCTION,
    "std.function",
    "function.txt",
    [],
    [
    ]
);

module!(
    /// `std.merge`.
    MERGE,
    "std.merge",
    "merge.txt",
    [],
    [
        ("list", 3, merge::list),
    ]
);

module!(
    /// `std.number`.
    NUMBER,
    "std.number",
    "number.txt",
    [],
    [
        ("abs", 1, number::abs),
        ("arccos", 1, number::arccos),
        ("arcsin", 1, number::arcsin),
        ("arctan", 1, number::arctan),
        ("arctan2", 2, number::arctan2),
        ("ceil", 1, number::ceil),
        ("compare", 2, number::compare),
        ("cos", 1, number::cos),
        ("floor", 1, number::floor),
        ("fract", 1, number::fract),
        ("is_integer", 1, number::is_integer),
        ("log", 2, number::log),
        ("max", 2, number::max),
        ("min", 2, number::min),
        ("pow", 2, number::pow),
        ("sin", 1, number::sin),
        ("sqrt", 1, number::sqrt),
        ("tan", 1, number::tan),
        ("truncate", 1, number::truncate),
    ]
);

module!(
    /// `std.record`.
    RECORD,
    "std.record",
    "record.txt",
    [],
    [
        ("apply_on", 4, record::apply_on),
        ("fields", 1, record::fields),
        ("fields_with_opts", 1, record::fields_with_opts),
        ("filter", 2, record::filter),
        ("freeze", 1, record::freeze),
        ("from_array", 1, record::from_array),
        ("get", 2, record::get),
        ("get_or", 3, record::get_or),
        ("has_field", 2, record::has_field),
        ("has_field_with_opts", 2, record::has_field_with_opts),
        ("insert", 3, record::insert),
        ("insert_with_opts", 3, record::insert_with_opts),
        ("is_empty", 1, record::is_empty),
        ("length", 1, record::length),
        ("map", 2, record::map),
        ("map_values", 2, record::map_values),
        ("merge_all", 1, record::merge_all),
        ("remove", 2, record::remove),
        ("remove_with_opts", 2, record::remove_with_opts),
        ("to_array", 1, record::to_array),
        ("update", 3, record::update),
        ("values", 1, record::values),
    ]
);

module!(
    /// `std.string`.
    STRING,
    "std.string",
    "string.txt",
    [],
    [
        ("base64_decode", 2, string::base64_decode),
        ("base64_encode", 2, string::base64_encode),
        ("characters", 1, string::characters),
        ("compare", 2, string::compare),
        ("contains", 2, string::contains),
        ("find", 2, string::find),
        ("find_all", 2, string::find_all),
        ("from", 1, string::from),
        ("from_bool", 1, string::from_bool),
        ("from_enum", 1, string::from_enum),
        ("from_number", 1, string::from_number),
        ("is_match", 2, string::is_match),
        ("join", 2, string::join),
        ("length", 1, string::length),
        ("lowercase", 1, string::lowercase),
        ("replace", 3, string::replace),
        ("replace_regex", 3, string::replace_regex),
        ("split", 2, string::split),
        ("substring", 3, string::substring),
        ("to_bool", 1, string::to_bool),
        ("to_enum", 1, string::to_enum),
        ("to_number", 1, string::to_number),
        ("trim", 1, string::trim),
        ("uppercase", 1, string::uppercase),
    ]
);

module!(
    /// `std.test`.
    TEST,
    "std.test",
    "test.txt",
    [],
    [
    ]
);

module!(
    /// `std`.
    STD,
    "std",
    "std.txt",
    [&ARRAY, &CONTRACT, &ENUM, &FUNCTION, &MERGE, &NUMBER, &PACKAGE, &RECORD, &STRING, &TEST],
    [
        ("cast", 1, top::cast),
        ("deep_seq", 2, top::deep_seq),
        ("deserialize", 2, top::deserialize),
        ("fail_with", 1, top::fail_with),
        ("hash", 2, top::hash),
        ("is_array", 1, top::is_array),
        ("is_bool", 1, top::is_bool),
        ("is_enum", 1, top::is_enum),
        ("is_function", 1, top::is_function),
        ("is_number", 1, top::is_number),
        ("is_record", 1, top::is_record),
        ("is_string", 1, top::is_string),
        ("seq", 2, top::seq),
        ("serialize", 2, top::serialize),
        ("to_string", 1, top::to_string),
        ("trace", 2, top::trace),
        ("typeof", 1, top::typeof_),
    ]
);
