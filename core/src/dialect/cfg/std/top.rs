//! The items directly in `std`: the table of names, types, documentation and bodies.

use super::native::top as natives;
use super::table::{Item, cfg, native};

/// The items of `std`, by name.
pub(super) static TOP: &[Item] = &[
    Item {
        name: "FailWith",
        ty: "forall a. String -> Contract a",
        doc: "The contract that accepts nothing and fails with a message: to retire a field, say.",
        examples: &[("std.is_string \"old\" || (1 | std.FailWith \"use `new` instead\")", "true")],
        body: cfg("fun text => std.contract.custom (fun _label _value => 'Error { message = text })"),
    },
    Item {
        name: "cast",
        ty: "forall a. a -> [| 'Number Number, 'Bool Bool, 'String String, 'Enum [| ; Dyn |], 'Label Dyn, \
             'Function (Dyn -> Dyn), 'Array (Array Dyn), 'Record { _ : Dyn }, 'ForeignId Dyn, 'CustomContract (Contract Dyn), \
             'Type (Contract Dyn), 'Other Dyn |]",
        doc: "The value in a variant that says what kind of value it is: so that a `match` learns the kind and the value at once.",
        examples: &[("std.cast 1", "'Number 1"), ("std.cast \"a\" |> match { 'String s => s, _ => \"\" }", "\"a\"")],
        body: native("std.cast", 1, natives::cast),
    },
    Item {
        name: "deep_seq",
        ty: "forall a b. a -> b -> b",
        doc: "Evaluates its first argument whole, every field and element of it, and returns the second.",
        examples: &[("std.deep_seq [1, 2] 3", "3")],
        body: native("std.deep_seq", 2, natives::deep_seq),
    },
    Item {
        name: "deserialize",
        ty: "[| 'Json, 'Toml, 'Yaml, 'YamlDocuments |] -> String -> Dyn",
        doc: "Reads data from its text. A YAML text of several documents gives an array of them, and `'YamlDocuments` gives an \
              array always.",
        examples: &[("std.deserialize 'Json \"{\\\"a\\\": [1, null]}\"", "{ a = [1, null] }")],
        body: native("std.deserialize", 2, natives::deserialize),
    },
    Item {
        name: "fail_with",
        ty: "forall a. String -> a",
        doc: "Fails with a message.",
        examples: &[("std.function.const 1 (std.fail_with \"never\")", "1")],
        body: native("std.fail_with", 1, natives::fail_with),
    },
    Item {
        name: "hash",
        ty: "[| 'Md5, 'Sha1, 'Sha256, 'Sha512 |] -> String -> String",
        doc: "The hash of a string's UTF-8 bytes, in lower-case hexadecimal digits. `'Md5` and `'Sha1` are no protection against \
              an attacker.",
        examples: &[("std.hash 'Md5 \"\"", "\"d41d8cd98f00b204e9800998ecf8427e\"")],
        body: native("std.hash", 2, natives::hash),
    },
    Item {
        name: "is_array",
        ty: "forall a. a -> Bool",
        doc: "Whether a value is an array.",
        examples: &[("std.is_array []", "true")],
        body: native("std.is_array", 1, natives::is_array),
    },
    Item {
        name: "is_bool",
        ty: "forall a. a -> Bool",
        doc: "Whether a value is a boolean.",
        examples: &[("std.is_bool false", "true")],
        body: native("std.is_bool", 1, natives::is_bool),
    },
    Item {
        name: "is_enum",
        ty: "forall a. a -> Bool",
        doc: "Whether a value is an enum tag or variant.",
        examples: &[("std.is_enum 'Http", "true")],
        body: native("std.is_enum", 1, natives::is_enum),
    },
    Item {
        name: "is_function",
        ty: "forall a. a -> Bool",
        doc: "Whether a value is a function.",
        examples: &[("std.is_function (fun x => x)", "true")],
        body: native("std.is_function", 1, natives::is_function),
    },
    Item {
        name: "is_number",
        ty: "forall a. a -> Bool",
        doc: "Whether a value is a number.",
        examples: &[("std.is_number 1", "true"), ("std.is_number \"1\"", "false")],
        body: native("std.is_number", 1, natives::is_number),
    },
    Item {
        name: "is_record",
        ty: "forall a. a -> Bool",
        doc: "Whether a value is a record.",
        examples: &[("std.is_record {}", "true")],
        body: native("std.is_record", 1, natives::is_record),
    },
    Item {
        name: "is_string",
        ty: "forall a. a -> Bool",
        doc: "Whether a value is a string.",
        examples: &[("std.is_string \"a\"", "true")],
        body: native("std.is_string", 1, natives::is_string),
    },
    Item {
        name: "seq",
        ty: "forall a b. a -> b -> b",
        doc: "Evaluates its first argument, not deeply, and returns the second.",
        examples: &[("std.seq { a = std.fail_with \"never\" } 1", "1")],
        body: native("std.seq", 2, natives::seq),
    },
    Item {
        name: "serialize",
        ty: "forall a. [| 'Json, 'Toml, 'Yaml, 'YamlDocuments |] -> a -> String",
        doc: "The text of a value in a data format, as `cfg eval --format` writes it. Fails where the format has no form for it: \
              functions nowhere, null not in TOML. `'YamlDocuments` takes an array and writes a document for each element.",
        examples: &[("std.serialize 'Json [1] |> std.deserialize 'Json", "[1]")],
        body: native("std.serialize", 2, natives::serialize),
    },
    Item {
        name: "to_string",
        ty: "forall a. a -> String",
        doc: "The text of null, a boolean, a number, a string or an enum tag. Fails for anything else; `std.serialize` writes \
              arrays and records.",
        examples: &[("std.to_string 0.5", "\"0.5\""), ("std.to_string null", "\"null\"")],
        body: native("std.to_string", 1, natives::to_string),
    },
    Item {
        name: "trace",
        ty: "forall a. String -> a -> a",
        doc: "Shows a message when its result is evaluated, and returns the second argument.",
        examples: &[("std.trace \"here\" 1", "1")],
        body: native("std.trace", 2, natives::trace),
    },
    Item {
        name: "typeof",
        ty: "forall a. a -> [| 'Number, 'Bool, 'String, 'Enum, 'Label, 'Function, 'Array, 'Record, 'ForeignId, \
             'CustomContract, 'Type, 'Other |]",
        doc: "What kind of value a value is. null is of kind `'Other`, and so is what has no kind of its own.",
        examples: &[("std.typeof []", "'Array"), ("std.typeof null", "'Other")],
        body: native("std.typeof", 1, natives::typeof_),
    },
];
