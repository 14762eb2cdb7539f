//! Objects: the table of names, parameters, types and documentation.

use super::native::{objects as run, yaml};
use super::table::{Item, function, opt, p};
use crate::value::{Thunk, Value};

/// `null`
fn null() -> Thunk {
    Thunk::done(Value::Null)
}

pub static ITEMS: &[Item] = &[
    function(
        "get",
        &[p("o"), p("f"), opt("default", null), opt("inc_hidden", yaml::yes)],
        "{ _ : Dyn } -> String -> Dyn -> Bool -> Dyn",
        "The value of a field, or `default` where the object has no such field.",
        run::get,
    ),
    function(
        "mapWithKey",
        &[p("func"), p("obj")],
        "forall a b. (String -> a -> b) -> { _ : a } -> { _ : b }",
        "What the function makes of the name and the value of each visible field.",
        run::map_with_key,
    ),
    function(
        "mergePatch",
        &[p("target"), p("patch")],
        "Dyn -> Dyn -> Dyn",
        "A JSON merge patch (RFC 7396): fields of `patch` replace those of `target`, objects are patched in turn, and \
         null removes.",
        run::merge_patch,
    ),
    function(
        "objectFields",
        &[p("o")],
        "{ _ : Dyn } -> Array String",
        "The names of the visible fields, in order.",
        run::object_fields,
    ),
    function(
        "objectFieldsAll",
        &[p("o")],
        "{ _ : Dyn } -> Array String",
        "The names of all fields, in order.",
        run::object_fields_all,
    ),
    function(
        "objectFieldsEx",
        &[p("obj"), p("inc_hidden")],
        "{ _ : Dyn } -> Bool -> Array String",
        "The names of the visible fields, or of all, in order.",
        run::object_fields_ex,
    ),
    function(
        "objectHas",
        &[p("o"), p("f")],
        "{ _ : Dyn } -> String -> Bool",
        "Whether the object has a visible field of this name.",
        run::object_has,
    ),
    function(
        "objectHasAll",
        &[p("o"), p("f")],
        "{ _ : Dyn } -> String -> Bool",
        "Whether the object has a field of this name.",
        run::object_has_all,
    ),
    function(
        "objectHasEx",
        &[p("obj"), p("f"), p("inc_hidden")],
        "{ _ : Dyn } -> String -> Bool -> Bool",
        "Whether the object has a field of this name; a hidden one where that is said to count.",
        run::object_has_ex,
    ),
    function(
        "objectKeysValues",
        &[p("o")],
        "forall a. { _ : a } -> Array { key : String, value : a }",
        "The names and values of the visible fields, in the order of the names.",
        run::object_keys_values,
    ),
    function(
        "objectKeysValuesAll",
        &[p("o")],
        "forall a. { _ : a } -> Array { key : String, value : a }",
        "The names and values of all fields, in the order of the names.",
        run::object_keys_values_all,
    ),
    function(
        "objectRemoveKey",
        &[p("obj"), p("key")],
        "{ _ : Dyn } -> String -> Dyn",
        "The object without a field.",
        run::object_remove_key,
    ),
    function(
        "objectValues",
        &[p("o")],
        "forall a. { _ : a } -> Array a",
        "The values of the visible fields, in the order of the names.",
        run::object_values,
    ),
    function(
        "objectValuesAll",
        &[p("o")],
        "forall a. { _ : a } -> Array a",
        "The values of all fields, in the order of the names.",
        run::object_values_all,
    ),
    function(
        "prune",
        &[p("a")],
        "forall a. a -> Dyn",
        "The value without what is null, an empty array or an empty object in it, at any depth.",
        run::prune,
    ),
];
