//! `std.record`: the table of names, types, documentation and bodies.

use super::native::record as natives;
use super::table::{Item, Module, cfg, native};

/// `std.record`.
pub static RECORD: Module = Module {
    path: "std.record",
    doc: "Records as data: fields by computed name, records and arrays, mapping. Fields count in alphabetical order. What is \
          optional and has no definition counts as absent, except where a name ends in `_with_opts`.",
    items: ITEMS,
    modules: &[],
};

static ITEMS: &[Item] = &[
    Item {
        name: "FieldsMatch",
        ty: "String -> Contract { _ : Dyn }",
        doc: "Accepts a record all of whose field names match a regular expression.",
        examples: &[("{ ab = 1 } | std.record.FieldsMatch \"^[a-z]+$\"", "{ ab = 1 }")],
        body: cfg("fun pattern => let good = std.string.is_match pattern in std.contract.custom (fun _l v => \
             if !(std.is_record v) then 'Error { message = \"expected a record\" } else \
             let bad = std.record.fields v |> std.array.filter (fun n => !(good n)) \
             |> std.array.map (fun n => \"`\" ++ n ++ \"`\") in \
             if bad == [] then 'Ok v else 'Error { message = \
             (if std.array.length bad == 1 then \"invalid field name \" else \"invalid field names \") \
             ++ std.string.join \", \" bad, notes = [\"field names must match \" ++ pattern] })"),
    },
    Item {
        name: "apply_on",
        ty: "forall a b. String -> (a -> a -> b) -> { _ : a } -> { _ : a } -> b",
        doc: "Reads the same field of two records and applies a function to both values.",
        examples: &[("std.record.apply_on \"x\" (fun a b => a + b) { x = 1 } { x = 2 }", "3")],
        body: native("std.record.apply_on", 4, natives::apply_on),
    },
    Item {
        name: "fields",
        ty: "forall r. { ; r } -> Array String",
        doc: "The names of a record's fields, in alphabetical order.",
        examples: &[("std.record.fields { b = 1, a = 2 }", "[\"a\", \"b\"]")],
        body: native("std.record.fields", 1, natives::fields),
    },
    Item {
        name: "fields_with_opts",
        ty: "forall r. { ; r } -> Array String",
        doc: "Like `std.record.fields`, and counts optional fields without a definition too.",
        examples: &[("std.record.fields_with_opts { a | optional, b = 1 }", "[\"a\", \"b\"]")],
        body: native("std.record.fields_with_opts", 1, natives::fields_with_opts),
    },
    Item {
        name: "filter",
        ty: "forall a. (String -> a -> Bool) -> { _ : a } -> { _ : a }",
        doc: "The fields for which a predicate of name and value holds.",
        examples: &[("std.record.filter (fun _name x => x > 1) { a = 1, b = 2 }", "{ b = 2 }")],
        body: native("std.record.filter", 2, natives::filter),
    },
    Item {
        name: "freeze",
        ty: "forall r. { ; r } -> { ; r }",
        doc: "The record as it is now: fields that depend on others no longer follow when those are overridden, and contracts no \
              longer travel with them.",
        examples: &[("(std.record.freeze { a | default = 1, b = a + 1 } & { a = 5 }).b", "2")],
        body: native("std.record.freeze", 1, natives::freeze),
    },
    Item {
        name: "from_array",
        ty: "forall a. Array { field : String, value : a } -> { _ : a }",
        doc: "The record of the given names and values; the opposite of `std.record.to_array`. Fails where a name stands twice.",
        examples: &[("std.record.from_array [{ field = \"a\", value = 1 }]", "{ a = 1 }")],
        body: native("std.record.from_array", 1, natives::from_array),
    },
    Item {
        name: "get",
        ty: "forall a. String -> { _ : a } -> a",
        doc: "The value of the field of a name. Fails where there is none; `std.record.get_or` answers there too.",
        examples: &[("std.record.get \"a\" { a = 1 }", "1")],
        body: native("std.record.get", 2, natives::get),
    },
    Item {
        name: "get_or",
        ty: "forall a. String -> a -> { _ : a } -> a",
        doc: "The value of the field of a name, or the given value where the record has no such field or no definition of it.",
        examples: &[("std.record.get_or \"b\" 0 { a = 1 }", "0")],
        body: native("std.record.get_or", 3, natives::get_or),
    },
    Item {
        name: "has_field",
        ty: "forall r. String -> { ; r } -> Bool",
        doc: "Whether the record has a field of that name. An optional field without a definition does not count.",
        examples: &[("std.record.has_field \"a\" { a = 1 }", "true")],
        body: native("std.record.has_field", 2, natives::has_field),
    },
    Item {
        name: "has_field_with_opts",
        ty: "forall r. String -> { ; r } -> Bool",
        doc: "Like `std.record.has_field`, and counts optional fields without a definition too.",
        examples: &[("std.record.has_field_with_opts \"a\" { a | optional }", "true")],
        body: native("std.record.has_field_with_opts", 2, natives::has_field_with_opts),
    },
    Item {
        name: "insert",
        ty: "forall a. String -> a -> { _ : a } -> { _ : a }",
        doc: "Adds a field. Fails where the record has it already (`std.record.update` replaces it). The rest of the record is \
              frozen: see `std.record.freeze`.",
        examples: &[("std.record.insert \"b\" 2 { a = 1 }", "{ a = 1, b = 2 }")],
        body: native("std.record.insert", 3, natives::insert),
    },
    Item {
        name: "insert_with_opts",
        ty: "forall a. String -> a -> { _ : a } -> { _ : a }",
        doc: "Like `std.record.insert`, and fails too where the field is there as an optional one without a definition.",
        examples: &[("std.record.insert_with_opts \"b\" 2 { a = 1 }", "{ a = 1, b = 2 }")],
        body: native("std.record.insert_with_opts", 3, natives::insert_with_opts),
    },
    Item {
        name: "is_empty",
        ty: "forall r. { ; r } -> Bool",
        doc: "Whether the record has no field (optional ones without a definition aside).",
        examples: &[("std.record.is_empty {}", "true"), ("std.record.is_empty { a = 1 }", "false")],
        body: native("std.record.is_empty", 1, natives::is_empty),
    },
    Item {
        name: "length",
        ty: "forall r. { ; r } -> Number",
        doc: "The number of fields (optional ones without a definition aside).",
        examples: &[("std.record.length { a = 1, b = 2 }", "2")],
        body: native("std.record.length", 1, natives::length),
    },
    Item {
        name: "map",
        ty: "forall a b. (String -> a -> b) -> { _ : a } -> { _ : b }",
        doc: "Applies a function of name and value to every field. Lazy. Field metadata stays where it was.",
        examples: &[("std.record.map (fun name x => \"%{name}%{std.to_string x}\") { a = 1 }", "{ a = \"a1\" }")],
        body: native("std.record.map", 2, natives::map),
    },
    Item {
        name: "map_values",
        ty: "forall a b. (a -> b) -> { _ : a } -> { _ : b }",
        doc: "Applies a function to the value of every field. Lazy.",
        examples: &[("std.record.map_values (fun x => x + 1) { a = 1, b = 2 }", "{ a = 2, b = 3 }")],
        body: native("std.record.map_values", 2, natives::map_values),
    },
    Item {
        name: "merge_all",
        ty: "forall a. Array { _ : a } -> { _ : a }",
        doc: "Merges all records of an array, as if written `a & b & …`; in one step, however many they are.",
        examples: &[("std.record.merge_all [{ a = 1 }, { b = 2 }, {}]", "{ a = 1, b = 2 }")],
        body: native("std.record.merge_all", 1, natives::merge_all),
    },
    Item {
        name: "remove",
        ty: "forall a. String -> { _ : a } -> { _ : a }",
        doc: "Takes a field away. Fails where the record does not have it. The rest is frozen: see `std.record.freeze`.",
        examples: &[("std.record.remove \"a\" { a = 1, b = 2 }", "{ b = 2 }")],
        body: native("std.record.remove", 2, natives::remove),
    },
    Item {
        name: "remove_with_opts",
        ty: "forall a. String -> { _ : a } -> { _ : a }",
        doc: "Like `std.record.remove`, and takes optional fields without a definition too.",
        examples: &[("std.record.remove_with_opts \"a\" { a | optional, b = 2 }", "{ b = 2 }")],
        body: native("std.record.remove_with_opts", 2, natives::remove_with_opts),
    },
    Item {
        name: "to_array",
        ty: "forall a. { _ : a } -> Array { field : String, value : a }",
        doc: "The fields as an array of names and values, in alphabetical order.",
        examples: &[("std.record.to_array { a = 1 }", "[{ field = \"a\", value = 1 }]")],
        body: native("std.record.to_array", 1, natives::to_array),
    },
    Item {
        name: "update",
        ty: "forall a. String -> a -> { _ : a } -> { _ : a }",
        doc: "Sets a field, whether the record has it or not. Unlike a merge this is no override: priorities do not matter, and \
              other fields that depend on this one keep their values, since the rest is frozen.",
        examples: &[
            ("std.record.update \"a\" 5 { a = 1 }", "{ a = 5 }"),
            ("std.record.update \"a\" 5 { a = 1, b = a }", "{ a = 5, b = 1 }"),
        ],
        body: native("std.record.update", 3, natives::update),
    },
    Item {
        name: "values",
        ty: "forall a. { _ : a } -> Array a",
        doc: "The values of a record's fields, in the alphabetical order of their names.",
        examples: &[("std.record.values { b = 1, a = 2 }", "[2, 1]")],
        body: native("std.record.values", 1, natives::values),
    },
];
