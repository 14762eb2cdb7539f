//! The entries of the library. Their types and documentation are in `text/`. This file has their parameters and values, in the
//! same order.

use super::native::{
    arrays, encode, format, identity, json, manifest, math, number, objects, sets, strings, toml, types, yaml,
    yaml_reader,
};
use super::table::Body::{Function, ThisFile, Value};
use super::table::{Item, items, opt, p};
use crate::dialect::description::{count, descriptions};
use crate::value::Thunk;

/// `null`
fn null() -> Thunk {
    Thunk::done(crate::value::Value::Null)
}

/// Declares a group of entries: its text, and the parameters and value of each.
macro_rules! group {
    ($(#[$doc:meta])* $NAME:ident, $file:literal, [$($entry:expr),* $(,)?]) => {
        $(#[$doc])*
        pub static $NAME: &[Item] = {
            const TEXT: &str = include_str!(concat!("text/", $file));
            static ITEMS: [Item; count(TEXT, b'#')] = items(descriptions(TEXT, &[]), [$($entry),*]);
            &ITEMS
        };
    };
}

group!(
    /// Types, equality, order and external values.
    TYPES,
    "types.txt",
    [
        ("__array_greater", &[p("arr1"), p("arr2")], Function(types::array_greater)),
        ("__array_greater_or_equal", &[p("arr1"), p("arr2")], Function(types::array_greater_or_equal)),
        ("__array_less", &[p("arr1"), p("arr2")], Function(types::array_less)),
        ("__array_less_or_equal", &[p("arr1"), p("arr2")], Function(types::array_less_or_equal)),
        ("__compare", &[p("v1"), p("v2")], Function(types::compare)),
        ("__compare_array", &[p("arr1"), p("arr2")], Function(types::compare_array)),
        ("assertEqual", &[p("a"), p("b")], Function(types::assert_equal)),
        ("equals", &[p("a"), p("b")], Function(types::equals)),
        ("extVar", &[p("x")], Function(types::ext_var)),
        ("isArray", &[p("v")], Function(types::is_array)),
        ("isBoolean", &[p("v")], Function(types::is_boolean)),
        ("isEmpty", &[p("str")], Function(types::is_empty)),
        ("isFunction", &[p("v")], Function(types::is_function)),
        ("isNull", &[p("v")], Function(types::is_null)),
        ("isNumber", &[p("v")], Function(types::is_number)),
        ("isObject", &[p("v")], Function(types::is_object)),
        ("isString", &[p("v")], Function(types::is_string)),
        ("length", &[p("x")], Function(types::length)),
        ("native", &[p("name")], Function(types::native)),
        ("primitiveEquals", &[p("a"), p("b")], Function(types::primitive_equals)),
        ("thisFile", &[], ThisFile),
        ("toString", &[p("a")], Function(types::to_string)),
        ("trace", &[p("str"), p("rest")], Function(types::trace)),
        ("type", &[p("x")], Function(types::type_of)),
        ("xnor", &[p("x"), p("y")], Function(types::equals)),
        ("xor", &[p("x"), p("y")], Function(types::differs)),
    ]
);

group!(
    /// Numbers.
    MATH,
    "math.txt",
    [
        ("abs", &[p("n")], Function(math::abs)),
        ("acos", &[p("x")], Function(math::acos)),
        ("asin", &[p("x")], Function(math::asin)),
        ("atan", &[p("x")], Function(math::atan)),
        ("atan2", &[p("y"), p("x")], Function(math::atan2)),
        ("avg", &[p("arr")], Function(math::avg)),
        ("ceil", &[p("x")], Function(math::ceil)),
        ("clamp", &[p("x"), p("minVal"), p("maxVal")], Function(math::clamp)),
        ("cos", &[p("x")], Function(math::cos)),
        ("deg2rad", &[p("x")], Function(math::deg2rad)),
        ("exp", &[p("n")], Function(math::exp)),
        ("exponent", &[p("n")], Function(math::exponent)),
        ("floor", &[p("x")], Function(math::floor)),
        ("hypot", &[p("a"), p("b")], Function(math::hypot)),
        ("isDecimal", &[p("x")], Function(math::is_decimal)),
        ("isEven", &[p("x")], Function(math::is_even)),
        ("isInteger", &[p("x")], Function(math::is_integer)),
        ("isOdd", &[p("x")], Function(math::is_odd)),
        ("log", &[p("n")], Function(math::log)),
        ("log10", &[p("x")], Function(math::log10)),
        ("log2", &[p("x")], Function(math::log2)),
        ("mantissa", &[p("n")], Function(math::mantissa)),
        ("max", &[p("a"), p("b")], Function(math::max)),
        ("min", &[p("a"), p("b")], Function(math::min)),
        ("mod", &[p("a"), p("b")], Function(math::modulus)),
        ("modulo", &[p("a"), p("b")], Function(math::modulo)),
        ("pi", &[], Value(|| number(std::f64::consts::PI))),
        ("pow", &[p("x"), p("n")], Function(math::pow)),
        ("rad2deg", &[p("x")], Function(math::rad2deg)),
        ("round", &[p("x")], Function(math::round)),
        ("sign", &[p("n")], Function(math::sign)),
        ("sin", &[p("x")], Function(math::sin)),
        ("sqrt", &[p("x")], Function(math::sqrt)),
        ("sum", &[p("arr")], Function(math::sum)),
        ("tan", &[p("x")], Function(math::tan)),
    ]
);

group!(
    /// Strings.
    STRINGS,
    "strings.txt",
    [
        ("asciiLower", &[p("str")], Function(strings::ascii_lower)),
        ("asciiUpper", &[p("str")], Function(strings::ascii_upper)),
        ("char", &[p("n")], Function(strings::char)),
        ("codepoint", &[p("str")], Function(strings::codepoint)),
        ("deepJoin", &[p("arr")], Function(strings::deep_join)),
        ("endsWith", &[p("a"), p("b")], Function(strings::ends_with)),
        ("equalsIgnoreCase", &[p("str1"), p("str2")], Function(strings::equals_ignore_case)),
        ("escapeStringBash", &[p("str_")], Function(strings::escape_bash)),
        ("escapeStringDollars", &[p("str_")], Function(strings::escape_dollars)),
        ("escapeStringJson", &[p("str_")], Function(strings::escape_json)),
        ("escapeStringPython", &[p("str")], Function(strings::escape_json)),
        ("escapeStringXML", &[p("str_")], Function(strings::escape_xml)),
        ("findSubstr", &[p("pat"), p("str")], Function(strings::find_substr)),
        ("format", &[p("str"), p("vals")], Function(format::format)),
        ("join", &[p("sep"), p("arr")], Function(strings::join)),
        ("lines", &[p("arr")], Function(strings::lines)),
        ("lstripChars", &[p("str"), p("chars")], Function(strings::lstrip_chars)),
        ("parseHex", &[p("str")], Function(strings::parse_hex)),
        ("parseInt", &[p("str")], Function(strings::parse_int)),
        ("parseOctal", &[p("str")], Function(strings::parse_octal)),
        ("repeat", &[p("what"), p("count")], Function(strings::repeat)),
        ("resolvePath", &[p("f"), p("r")], Function(strings::resolve_path)),
        ("rstripChars", &[p("str"), p("chars")], Function(strings::rstrip_chars)),
        ("split", &[p("str"), p("c")], Function(strings::split)),
        ("splitLimit", &[p("str"), p("c"), p("maxsplits")], Function(strings::split_limit)),
        ("splitLimitR", &[p("str"), p("c"), p("maxsplits")], Function(strings::split_limit_r)),
        ("startsWith", &[p("a"), p("b")], Function(strings::starts_with)),
        ("strReplace", &[p("str"), p("from"), p("to")], Function(strings::str_replace)),
        ("stringChars", &[p("str")], Function(strings::string_chars)),
        ("stripChars", &[p("str"), p("chars")], Function(strings::strip_chars)),
        ("substr", &[p("str"), p("from"), p("len")], Function(strings::substr)),
        ("trim", &[p("str")], Function(strings::trim)),
    ]
);

group!(
    /// Arrays and sets.
    ARRAYS,
    "arrays.txt",
    [
        ("all", &[p("arr")], Function(arrays::all)),
        ("any", &[p("arr")], Function(arrays::any)),
        ("contains", &[p("arr"), p("elem")], Function(arrays::contains)),
        ("count", &[p("arr"), p("x")], Function(arrays::count)),
        ("filter", &[p("func"), p("arr")], Function(arrays::filter)),
        ("filterMap", &[p("filter_func"), p("map_func"), p("arr")], Function(arrays::filter_map)),
        ("find", &[p("value"), p("arr")], Function(arrays::find)),
        ("flatMap", &[p("func"), p("arr")], Function(arrays::flat_map)),
        ("flattenArrays", &[p("arrs")], Function(arrays::flatten_arrays)),
        ("flattenDeepArray", &[p("value")], Function(arrays::flatten_deep_array)),
        ("foldl", &[p("func"), p("arr"), p("init")], Function(arrays::foldl)),
        ("foldr", &[p("func"), p("arr"), p("init")], Function(arrays::foldr)),
        ("makeArray", &[p("sz"), p("func")], Function(arrays::make_array)),
        ("map", &[p("func"), p("arr")], Function(arrays::map)),
        ("mapWithIndex", &[p("func"), p("arr")], Function(arrays::map_with_index)),
        ("maxArray", &[p("arr"), opt("keyF", identity), opt("onEmpty", sets::none)], Function(sets::max_array)),
        ("member", &[p("arr"), p("x")], Function(arrays::member)),
        ("minArray", &[p("arr"), opt("keyF", identity), opt("onEmpty", sets::none)], Function(sets::min_array)),
        ("range", &[p("from"), p("to")], Function(arrays::range)),
        ("remove", &[p("arr"), p("elem")], Function(arrays::remove)),
        ("removeAt", &[p("arr"), p("at")], Function(arrays::remove_at)),
        ("reverse", &[p("arr")], Function(arrays::reverse)),
        ("set", &[p("arr"), opt("keyF", identity)], Function(sets::set)),
        ("setDiff", &[p("a"), p("b"), opt("keyF", identity)], Function(sets::set_diff)),
        ("setInter", &[p("a"), p("b"), opt("keyF", identity)], Function(sets::set_inter)),
        ("setMember", &[p("x"), p("arr"), opt("keyF", identity)], Function(sets::set_member)),
        ("setUnion", &[p("a"), p("b"), opt("keyF", identity)], Function(sets::set_union)),
        ("slice", &[p("indexable"), p("index"), p("end"), p("step")], Function(arrays::slice)),
        ("sort", &[p("arr"), opt("keyF", identity)], Function(sets::sort)),
        ("uniq", &[p("arr"), opt("keyF", identity)], Function(sets::uniq)),
    ]
);

group!(
    /// Objects.
    OBJECTS,
    "objects.txt",
    [
        ("get", &[p("o"), p("f"), opt("default", null), opt("inc_hidden", yaml::flag_set)], Function(objects::get)),
        ("mapWithKey", &[p("func"), p("obj")], Function(objects::map_with_key)),
        ("mergePatch", &[p("target"), p("patch")], Function(objects::merge_patch)),
        ("objectFields", &[p("o")], Function(objects::object_fields)),
        ("objectFieldsAll", &[p("o")], Function(objects::object_fields_all)),
        ("objectFieldsEx", &[p("obj"), p("inc_hidden")], Function(objects::object_fields_ex)),
        ("objectHas", &[p("o"), p("f")], Function(objects::object_has)),
        ("objectHasAll", &[p("o"), p("f")], Function(objects::object_has_all)),
        ("objectHasEx", &[p("obj"), p("f"), p("inc_hidden")], Function(objects::object_has_ex)),
        ("objectKeysValues", &[p("o")], Function(objects::object_keys_values)),
        ("objectKeysValuesAll", &[p("o")], Function(objects::object_keys_values_all)),
        ("objectRemoveKey", &[p("obj"), p("key")], Function(objects::object_remove_key)),
        ("objectValues", &[p("o")], Function(objects::object_values)),
        ("objectValuesAll", &[p("o")], Function(objects::object_values_all)),
        ("prune", &[p("a")], Function(objects::prune)),
    ]
);

group!(
    /// Byte encodings.
    ENCODE,
    "encode.txt",
    [
        ("base64", &[p("input")], Function(encode::base64)),
        ("base64Decode", &[p("str")], Function(encode::base64_decode)),
        ("base64DecodeBytes", &[p("str")], Function(encode::base64_decode_bytes)),
        ("decodeUTF8", &[p("arr")], Function(encode::decode_utf8)),
        ("encodeUTF8", &[p("str")], Function(encode::encode_utf8)),
        ("md5", &[p("str")], Function(encode::md5)),
        ("sha1", &[p("str")], Function(encode::sha1)),
        ("sha256", &[p("str")], Function(encode::sha256)),
        ("sha3", &[p("str")], Function(encode::sha3)),
        ("sha512", &[p("str")], Function(encode::sha512)),
    ]
);

group!(
    /// Printing and parsing values as text.
    MANIFEST,
    "manifest.txt",
    [
        ("manifestIni", &[p("ini")], Function(manifest::manifest_ini)),
        ("manifestJson", &[p("value")], Function(manifest::manifest_json)),
        (
            "manifestJsonEx",
            &[p("value"), p("indent"), opt("newline", manifest::newline), opt("key_val_sep", manifest::colon)],
            Function(manifest::manifest_json_ex),
        ),
        ("manifestJsonMinified", &[p("value")], Function(manifest::manifest_json_minified)),
        ("manifestPython", &[p("v")], Function(manifest::manifest_python)),
        ("manifestPythonVars", &[p("conf")], Function(manifest::manifest_python_vars)),
        ("manifestToml", &[p("value")], Function(toml::manifest_toml)),
        ("manifestTomlEx", &[p("value"), p("indent")], Function(toml::manifest_toml_ex)),
        ("manifestXmlJsonml", &[p("value")], Function(manifest::manifest_xml_jsonml)),
        (
            "manifestYamlDoc",
            &[p("value"), opt("indent_array_in_object", yaml::flag_unset), opt("quote_keys", yaml::flag_set)],
            Function(yaml::manifest_yaml_doc),
        ),
        (
            "manifestYamlStream",
            &[
                p("value"),
                opt("indent_array_in_object", yaml::flag_unset),
                opt("c_document_end", yaml::flag_set),
                opt("quote_keys", yaml::flag_set),
            ],
            Function(yaml::manifest_yaml_stream),
        ),
        ("parseJson", &[p("str")], Function(json::parse_json)),
        ("parseYaml", &[p("str")], Function(yaml_reader::parse_yaml)),
    ]
);
