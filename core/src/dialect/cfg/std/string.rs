//! `std.string`: the table of names, types, documentation and bodies.

use super::native::string as natives;
use super::table::{Item, Module, cfg, native};

/// `std.string`.
pub static STRING: Module = Module {
    path: "std.string",
    doc: "Strings. What counts as one character is a grapheme cluster: what a reader sees as one sign, however many code points \
          it is made of. No function here cuts a cluster in two. Regular expressions are those of the Rust crate `regex`.",
    items: ITEMS,
    modules: &[],
};

static ITEMS: &[Item] = &[
    Item {
        name: "BoolLiteral",
        ty: "Contract String",
        doc: "Accepts the strings `\"true\"` and `\"false\"`.",
        examples: &[("\"true\" | std.string.BoolLiteral", "\"true\"")],
        body: cfg(
            "std.contract.custom (fun _l v => if !(std.is_string v) then 'Error { message = \"expected a string\" } \
             else if v == \"true\" || v == \"false\" then 'Ok v \
             else 'Error { message = \"expected \\\"true\\\" or \\\"false\\\", found \\\"%{v}\\\"\" })",
        ),
    },
    Item {
        name: "Character",
        ty: "Contract String",
        doc: "Accepts a string of exactly one character (grapheme cluster).",
        examples: &[("\"x\" | std.string.Character", "\"x\"")],
        body: cfg(
            "std.contract.custom (fun _l v => if !(std.is_string v) then 'Error { message = \"expected a string\" } \
             else if std.string.length v == 1 then 'Ok v else 'Error { message = \"expected a single character\" })",
        ),
    },
    Item {
        name: "Matches",
        ty: "String -> Contract String",
        doc: "Accepts a string in which a regular expression matches somewhere. Use `^` and `$` to speak of the whole string.",
        examples: &[("\"ab12\" | std.string.Matches \"[0-9]+\"", "\"ab12\"")],
        body: cfg("fun regex => let matches = std.string.is_match regex in std.contract.custom (fun _l v => \
             if !(std.is_string v) then 'Error { message = \"expected a string\" } \
             else if matches v then 'Ok v else 'Error { message = \"expected a string that matches `%{regex}`\" })"),
    },
    Item {
        name: "NonEmpty",
        ty: "Contract String",
        doc: "Accepts a string that has at least one character.",
        examples: &[("\"x\" | std.string.NonEmpty", "\"x\"")],
        body: cfg(
            "std.contract.custom (fun _l v => if !(std.is_string v) then 'Error { message = \"expected a string\" } \
             else if v != \"\" then 'Ok v else 'Error { message = \"empty string\" })",
        ),
    },
    Item {
        name: "NumberLiteral",
        ty: "Contract String",
        doc: "Accepts a string that `std.string.to_number` can read: digits with an optional sign, fraction and exponent.",
        examples: &[("\"-1.5e3\" | std.string.NumberLiteral", "\"-1.5e3\"")],
        body: cfg("let literal = std.string.is_match m%\"^[+-]?(\\d+(\\.\\d*)?|\\.\\d+)(e[+-]?\\d+)?$\"% in \
             std.contract.custom (fun _l v => if !(std.is_string v) then 'Error { message = \"expected a string\" } \
             else if literal v then 'Ok v else 'Error { message = \"invalid number literal\" })"),
    },
    Item {
        name: "Stringable",
        ty: "forall a. Contract a",
        doc: "Accepts what `std.to_string` can write: null, booleans, numbers, strings and enum tags.",
        examples: &[("1 | std.string.Stringable", "1")],
        body: cfg(
            "std.contract.custom (fun _l v => if v == null || std.is_string v || std.is_number v || std.is_bool v \
             || std.enum.is_enum_tag v then 'Ok v \
             else 'Error { message = \"expected null, a boolean, a number, a string or an enum tag\" })",
        ),
    },
    Item {
        name: "base64_decode",
        ty: "[| 'Standard, 'UrlSafe, 'NoPad, 'UrlSafeNoPad |] -> String -> String",
        doc: "Reads Base64 in one of the four variants that `std.string.base64_encode` names. Fails where the text is not in that \
              variant, or what it stands for is not UTF-8.",
        examples: &[("std.string.base64_decode 'Standard \"aGk=\"", "\"hi\"")],
        body: native("std.string.base64_decode", 2, natives::base64_decode),
    },
    Item {
        name: "base64_encode",
        ty: "[| 'Standard, 'UrlSafe, 'NoPad, 'UrlSafeNoPad |] -> String -> String",
        doc: "Writes a string's UTF-8 bytes as Base64. `'Standard` uses `+` and `/`, `'UrlSafe` uses `-` and `_`; the two others \
              leave out the `=` at the end.",
        examples: &[("std.string.base64_encode 'Standard \"hi\"", "\"aGk=\"")],
        body: native("std.string.base64_encode", 2, natives::base64_encode),
    },
    Item {
        name: "characters",
        ty: "String -> Array String",
        doc: "The characters (grapheme clusters) of a string.",
        examples: &[("std.string.characters \"abc\"", "[\"a\", \"b\", \"c\"]")],
        body: native("std.string.characters", 1, natives::characters),
    },
    Item {
        name: "compare",
        ty: "String -> String -> [| 'Lesser, 'Equal, 'Greater |]",
        doc: "Compares two strings by their code points, from the left; the same everywhere, no language's alphabet.",
        examples: &[("std.string.compare \"a\" \"b\"", "'Lesser")],
        body: native("std.string.compare", 2, natives::compare),
    },
    Item {
        name: "contains",
        ty: "String -> String -> Bool",
        doc: "Whether the first string stands somewhere in the second.",
        examples: &[("std.string.contains \"ell\" \"hello\"", "true")],
        body: native("std.string.contains", 2, natives::contains),
    },
    Item {
        name: "find",
        ty: "String -> String -> { matched : String, index : Number, groups : Array String }",
        doc: "The first match of a regular expression (the first argument) in a string: its text, where it begins (in characters), \
              and the text of each group, `\"\"` for one that took no part. Without a match the index is -1. Applied to the \
              expression alone, it compiles it once for many strings.",
        examples: &[("std.string.find \"(b)c\" \"abc\"", "{ matched = \"bc\", index = 1, groups = [\"b\"] }")],
        body: native("std.string.find", 2, natives::find),
    },
    Item {
        name: "find_all",
        ty: "String -> String -> Array { matched : String, index : Number, groups : Array String }",
        doc: "Every match of a regular expression in a string, from left to right without overlap; each as `std.string.find` \
              gives it.",
        examples: &[("std.string.find_all \"b\" \"abcb\" |> std.array.map (fun m => m.index)", "[1, 3]")],
        body: native("std.string.find_all", 2, natives::find_all),
    },
    Item {
        name: "from",
        ty: "forall a. a -> String",
        doc: "The text of null, a boolean, a number, a string or an enum tag; the same as `std.to_string`.",
        examples: &[("std.string.from 0.5", "\"0.5\""), ("std.string.from 'Tag", "\"Tag\"")],
        body: native("std.string.from", 1, natives::from),
    },
    Item {
        name: "from_bool",
        ty: "Bool -> String",
        doc: "The text of a boolean.",
        examples: &[("std.string.from_bool true", "\"true\"")],
        body: native("std.string.from_bool", 1, natives::from_bool),
    },
    Item {
        name: "from_enum",
        ty: "forall r. [| ; r |] -> String",
        doc: "The name of an enum tag. Fails for a variant, which carries more than its name.",
        examples: &[("std.string.from_enum 'Http", "\"Http\"")],
        body: native("std.string.from_enum", 1, natives::from_enum),
    },
    Item {
        name: "from_number",
        ty: "Number -> String",
        doc: "The text of a number, as it prints.",
        examples: &[("std.string.from_number 4.25", "\"4.25\"")],
        body: native("std.string.from_number", 1, natives::from_number),
    },
    Item {
        name: "is_match",
        ty: "String -> String -> Bool",
        doc: "Whether a regular expression (the first argument) matches somewhere in a string. Applied to the expression alone, it \
              compiles it once for many strings.",
        examples: &[("std.string.is_match \"^a+$\" \"aaa\"", "true")],
        body: native("std.string.is_match", 2, natives::is_match),
    },
    Item {
        name: "join",
        ty: "String -> Array String -> String",
        doc: "The strings of an array, one after the other, with a separator (the first argument) between neighbours.",
        examples: &[("std.string.join \", \" [\"a\", \"b\"]", "\"a, b\"")],
        body: native("std.string.join", 2, natives::join),
    },
    Item {
        name: "length",
        ty: "String -> Number",
        doc: "The number of characters (grapheme clusters).",
        examples: &[("std.string.length \"naïve\"", "5")],
        body: native("std.string.length", 1, natives::length),
    },
    Item {
        name: "lowercase",
        ty: "String -> String",
        doc: "The string in lower case, by Unicode's rules.",
        examples: &[("std.string.lowercase \"ÀB\"", "\"àb\"")],
        body: native("std.string.lowercase", 1, natives::lowercase),
    },
    Item {
        name: "replace",
        ty: "String -> String -> String -> String",
        doc: "`replace old new string` puts `new` wherever `old` stands. An empty `old` stands before and after every character.",
        examples: &[("std.string.replace \"l\" \"L\" \"hello\"", "\"heLLo\"")],
        body: native("std.string.replace", 3, natives::replace),
    },
    Item {
        name: "replace_regex",
        ty: "String -> String -> String -> String",
        doc: "`replace_regex regex new string` puts `new`, as it is, in place of every match of a regular expression.",
        examples: &[("std.string.replace_regex \"[0-9]+\" \"n\" \"a1b22\"", "\"anbn\"")],
        body: native("std.string.replace_regex", 3, natives::replace_regex),
    },
    Item {
        name: "split",
        ty: "String -> String -> Array String",
        doc: "Cuts a string (the second argument) at every place where the separator (the first) stands. What is left behind the last \
              one is left out where it is empty. An empty separator cuts between all characters.",
        examples: &[("std.string.split \",\" \"a,b,,c\"", "[\"a\", \"b\", \"\", \"c\"]")],
        body: native("std.string.split", 2, natives::split),
    },
    Item {
        name: "substring",
        ty: "Number -> Number -> String -> String",
        doc: "The characters (grapheme clusters) from the first index, included, to the second, excluded. Fails unless \
              0 ≤ first ≤ second ≤ length.",
        examples: &[("std.string.substring 1 3 \"hello\"", "\"el\"")],
        body: native("std.string.substring", 3, natives::substring),
    },
    Item {
        name: "to_bool",
        ty: "String -> Bool",
        doc: "Reads `\"true\"` or `\"false\"`; fails on anything else.",
        examples: &[("std.string.to_bool \"true\"", "true")],
        body: native("std.string.to_bool", 1, natives::to_bool),
    },
    Item {
        name: "to_enum",
        ty: "String -> [| ; Dyn |]",
        doc: "The enum tag of a name.",
        examples: &[("std.string.to_enum \"Http\"", "'Http")],
        body: native("std.string.to_enum", 1, natives::to_enum),
    },
    Item {
        name: "to_number",
        ty: "String -> Number",
        doc: "Reads a number, exactly: digits with an optional sign, fraction and exponent. Fails on anything else.",
        examples: &[("std.string.to_number \"0.1\"", "0.1")],
        body: native("std.string.to_number", 1, natives::to_number),
    },
    Item {
        name: "trim",
        ty: "String -> String",
        doc: "The string without white space at its beginning and end.",
        examples: &[("std.string.trim \"  a b \"", "\"a b\"")],
        body: native("std.string.trim", 1, natives::trim),
    },
    Item {
        name: "uppercase",
        ty: "String -> String",
        doc: "The string in upper case, by Unicode's rules.",
        examples: &[("std.string.uppercase \"straße\"", "\"STRASSE\"")],
        body: native("std.string.uppercase", 1, natives::uppercase),
    },
];
