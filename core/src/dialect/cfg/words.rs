//! Words of other languages, and what is written here instead.

/// Names of functions in other languages that are hardly the text of a value, and the functions of the library.
const FUNCTIONS: [(&str, &str); 19] = [
    ("len", "std.array.length"),
    ("length", "std.array.length"),
    ("strlen", "std.string.length"),
    ("map", "std.array.map"),
    ("filter", "std.array.filter"),
    ("foldl", "std.array.fold_left"),
    ("foldr", "std.array.fold_right"),
    ("reduce", "std.array.fold_left"),
    ("flatten", "std.array.flatten"),
    ("concat", "std.array.concat"),
    ("keys", "std.record.fields"),
    ("objectFields", "std.record.fields"),
    ("toUpper", "std.string.uppercase"),
    ("toLower", "std.string.lowercase"),
    ("toString", "std.to_string"),
    ("tostring", "std.to_string"),
    ("to_string", "std.to_string"),
    ("hasattr", "std.record.has_field"),
    ("mergeAll", "std.record.merge_all"),
];

/// Such names that may also be the first word of a text: a help only where the name is called.
const CALLED: [(&str, &str); 21] = [
    ("all", "std.array.all"),
    ("any", "std.array.any"),
    ("sort", "std.array.sort"),
    ("reverse", "std.array.reverse"),
    ("range", "std.array.range"),
    ("join", "std.string.join"),
    ("split", "std.string.split"),
    ("replace", "std.string.replace"),
    ("contains", "std.string.contains"),
    ("upper", "std.string.uppercase"),
    ("lower", "std.string.lowercase"),
    ("trim", "std.string.trim"),
    ("values", "std.record.values"),
    ("str", "std.to_string"),
    ("abs", "std.number.abs"),
    ("min", "std.number.min"),
    ("max", "std.number.max"),
    ("floor", "std.number.floor"),
    ("throw", "std.fail_with"),
    ("raise", "std.fail_with"),
    ("error", "std.fail_with"),
];

/// Functions of the objects of JavaScript, and the functions of the library.
const OBJECTS: [(&str, &str, &str); 14] = [
    ("Object", "keys", "std.record.fields"),
    ("Object", "values", "std.record.values"),
    ("Object", "entries", "std.record.to_array"),
    ("Object", "assign", "std.record.merge_all"),
    ("Math", "floor", "std.number.floor"),
    ("Math", "ceil", "std.number.ceil"),
    ("Math", "trunc", "std.number.truncate"),
    ("Math", "abs", "std.number.abs"),
    ("Math", "min", "std.number.min"),
    ("Math", "max", "std.number.max"),
    ("Math", "pow", "std.number.pow"),
    ("Math", "sqrt", "std.number.sqrt"),
    ("JSON", "stringify", "std.serialize 'Json"),
    ("JSON", "parse", "std.deserialize 'Json"),
];

/// Methods of other languages, and the functions of the library.
const METHODS: [(&str, &str); 27] = [
    ("toUpperCase", "std.string.uppercase"),
    ("to_upper", "std.string.uppercase"),
    ("toUpper", "std.string.uppercase"),
    ("upper", "std.string.uppercase"),
    ("uppercase", "std.string.uppercase"),
    ("toLowerCase", "std.string.lowercase"),
    ("to_lower", "std.string.lowercase"),
    ("toLower", "std.string.lowercase"),
    ("lower", "std.string.lowercase"),
    ("lowercase", "std.string.lowercase"),
    ("trim", "std.string.trim"),
    ("strip", "std.string.trim"),
    ("chars", "std.string.characters"),
    ("toString", "std.to_string"),
    ("to_string", "std.to_string"),
    ("keys", "std.record.fields"),
    ("fields", "std.record.fields"),
    ("values", "std.record.values"),
    ("items", "std.record.to_array"),
    ("entries", "std.record.to_array"),
    ("length", "std.array.length"),
    ("len", "std.array.length"),
    ("size", "std.array.length"),
    ("count", "std.array.length"),
    ("reverse", "std.array.reverse"),
    ("first", "std.array.first"),
    ("last", "std.array.last"),
];

/// Returns the function of the library that a method without arguments means.
pub(super) fn method(name: &str, is_of_text: bool) -> Option<&'static str> {
    let own = METHODS.iter().find(|(other, _)| *other == name).map(|(_, own)| *own)?;
    Some(if is_of_text && own == "std.array.length" { "std.string.length" } else { own })
}

/// Functions of jq that are hardly anything else.
const FILTERS: [(&str, &str); 3] =
    [("to_entries", "std.record.to_array"), ("from_entries", "std.record.from_array"), ("tostring", "std.to_string")];

/// Functions of Nix's and Haskell's libraries, each with what is written here, and the reason.
const OF_NIX: [(&str, &str, &str); 32] = [
    ("attrNames", "std.record.fields r", "it returns the names of the fields"),
    ("attrValues", "std.record.values r", "it returns the values of the fields"),
    ("hasAttr", "std.record.has_field \"a\" r", "it says whether there is a field"),
    ("getAttr", "std.record.get \"a\" r", "it reads a field whose name is computed"),
    ("mapAttrs", "std.record.map (fun name value => e) r", "it applies a function to each field"),
    ("filterAttrs", "std.record.filter (fun name value => c) r", "it keeps some of the fields"),
    ("removeAttrs", "std.record.remove \"a\" r", "it returns the record without a field"),
    ("listToAttrs", "std.record.from_array xs", "it makes a record of an array"),
    ("toJSON", "std.serialize 'Json x", "it writes a value as JSON"),
    ("fromJSON", "std.deserialize 'Json text", "it reads a value from JSON"),
    ("readFile", "import \"file.txt\" as 'Text", "the value is the text of the file"),
    ("head", "std.array.first xs", "the library is `std`"),
    ("tail", "std.array.drop_first xs", "the library is `std`"),
    ("init", "std.array.drop_last xs", "the library is `std`"),
    ("elemAt", "std.array.at 0 xs", "the library is `std`"),
    ("elem", "std.array.elem x xs", "the library is `std`"),
    ("genList", "std.array.generate f 3", "the library is `std`"),
    ("concatLists", "std.array.flatten xs", "the library is `std`"),
    ("concatMap", "std.array.flat_map f xs", "the library is `std`"),
    ("concatStringsSep", "std.string.join \",\" xs", "the library is `std`"),
    ("splitString", "std.string.split \",\" text", "the library is `std`"),
    ("stringLength", "std.string.length text", "the library is `std`"),
    ("recursiveUpdate", "a & b", "records are merged with `&`"),
    ("mkMerge", "a & b", "records are merged with `&`"),
    ("mkForce", "{ a | force = 5 }", "a priority is metadata of a field"),
    ("mkDefault", "{ a | default = 5 }", "a priority is metadata of a field"),
    ("mkOverride", "{ a | priority 5 = e }", "a priority is metadata of a field"),
    ("mkIf", "if c then { a = 1 } else {}", "the result is merged with `&`"),
    ("mkOption", "{ a | Number | default = 1 }", "a contract and a default are metadata of a field"),
    ("mkEnableOption", "{ enable | Bool | default = false }", "a contract and a default are metadata of a field"),
    ("foldl'", "std.array.fold_left f start xs", "the library is `std`"),
    ("jsonencode", "std.serialize 'Json x", "it writes a value as JSON"),
];

/// Returns what a function of Nix's library is written as here, and the reason.
pub(super) fn of_nix(name: &str) -> Option<(&'static str, &'static str)> {
    OF_NIX.iter().find(|(other, ..)| *other == name).map(|(_, own, why)| (*own, *why))
}

/// Returns the function of the library that has this name in jq, where it is applied to a value before it.
pub(super) fn filter(name: &str) -> Option<&'static str> {
    FILTERS.iter().chain(&FUNCTIONS).chain(&METHODS).find(|(other, _)| *other == name).map(|(_, own)| *own)
}

/// Returns the function of the library that has this name in another language.
pub(super) fn named(name: &str) -> Option<&'static str> {
    FUNCTIONS.iter().chain(&CALLED).chain(&METHODS).find(|(other, _)| *other == name).map(|(_, own)| *own)
}

/// Returns the function of the library that a name means before an argument: `len xs`, `len(xs)`. A name alone is the subject of
/// a command of the prompt: `:doc map`.
pub(super) fn function(name: &str, before: &str, after: &str) -> Option<&'static str> {
    let named = |table: &[(&str, &'static str)]| table.iter().find(|(other, _)| *other == name).map(|(_, own)| *own);
    // `Object.keys(x)`
    if let Some(called) = after.strip_prefix('.') {
        let name_of = called.split('(').next().filter(|_| called.contains('('))?;
        return OBJECTS.iter().find(|(object, method, _)| *object == name && *method == name_of).map(|(.., own)| *own);
    }
    let begins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | '[' | '{' | '(');
    let argument = after.trim_start_matches([' ', '\t']);
    let is_called = after.starts_with('(') || argument.len() < after.len() && argument.starts_with(begins);
    let is_subject = before.trim_start().starts_with(':') && argument.trim().is_empty();
    let may_be_text = before.trim_end().ends_with(['=', ':']) && !after.starts_with('(');
    if !is_called && !is_subject || argument.starts_with("then ") || argument.starts_with("else ") {
        return None;
    }
    named(&FUNCTIONS).or_else(|| named(&CALLED).filter(|_| !may_be_text))
}

/// Suggests the equivalent of a word from another language.
pub(in crate::dialect::cfg) fn foreign_word(name: &str) -> Option<&'static str> {
    if name.ends_with('\'') {
        return Some("strings are in double quotes: `\"two words\"`");
    }
    Some(match name {
        "and" => "`and` is written `&&`",
        "or" => "`or` is written `||`",
        "not" => "`not e` is written `!e`",
        "Null" => {
            "a field that may be null: `a | std.contract.any_of [String, std.contract.Equal null]`; one that may be missing: `| optional`"
        }
        "nil" | "None" | "undefined" => "use `null`",
        "True" => "`true` is written in lower case",
        "False" => "`false` is written in lower case",
        "Int" | "Integer" | "Float" | "int" | "float" => "every number is a `Number`",
        "yes" | "on" | "Yes" => "use `true`",
        "no" | "off" | "No" => "use `false`",
        "bool" | "boolean" | "Boolean" => "the type of `true` and `false` is `Bool`",
        "str" | "string" | "Text" => "the type of strings is `String`",
        "double" | "num" | "integer" => "every number is a `Number`",
        "Dict" | "Map" | "Object" => "a record of any names is `{ _ : T }`",
        "var" | "const" | "val" => {
            "a name is bound with `let x = e in …`; a field of the same record is used by its name alone"
        }
        "print" | "echo" | "puts" => "the value of an expression is shown without a keyword",
        "return" => "a function returns the value of its body, without a keyword",
        "elif" | "elsif" => "write `else if c then a else b`",
        "is" => "two values are compared with `==`",
        "Natural" | "Double" | "uint" => "every number is a `Number`",
        "List" => "the type of an array is `Array Number`",
        "Optional" | "Maybe" => "a field that may be missing is `| optional`: `{ port | Number | optional }`",
        "Some" | "Just" => "a value that is there is written by itself; a tag is `'Some 1`",
        "Nothing" => "use `null`",
        "otherwise" => "a last arm of `match` is `_ => e`; an `if` ends with `else e`",
        "where" => "a name is bound before it is used: `let a = 1 in a + 1`",
        "lists" | "list" | "arrays" => "the functions of arrays are in `std.array`",
        "strings" => "the functions of strings are in `std.string`",
        "records" | "objects" => "the functions of records are in `std.record`",
        "self" | "this" | "local" => "fields of the same record are in scope by their names",
        "function" | "lambda" | "def" => "a function is written `fun x => e`",
        "with" | "extends" => "records are merged with `&`: `base & { b = 2 }`",
        "merge" => "`merge` needs a function here: `| merge (fun args => args.lower + args.higher)`",
        "when" => "`when` needs a condition in parentheses here: `| when (on)`",
        "priority" => "`priority` needs a number here: `| priority 1`",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{CALLED, FILTERS, FUNCTIONS, METHODS, OBJECTS, OF_NIX, function};

    #[test]
    fn the_functions_exist() {
        let objects = OBJECTS.map(|(_, method, own)| (method, own));
        let of_nix = OF_NIX.map(|(name, own, _)| (name, own));
        let all = FUNCTIONS.iter().chain(&CALLED).chain(&METHODS).chain(&objects).chain(&of_nix).chain(&FILTERS);
        for (_, own) in all.filter(|(_, own)| own.starts_with("std.")) {
            let path: Vec<&str> = own.split(' ').next().unwrap().split('.').collect();
            assert!(crate::Languages::default().standard().library_entry(&path).is_some(), "{own}");
        }
    }

    #[test]
    fn a_name_means_a_function_where_it_is_called() {
        for (name, before, after, own) in [
            ("len", "n = ", " xs", Some("std.array.length")),
            ("len", "", "(xs)", Some("std.array.length")),
            ("map", ":doc ", "", Some("std.array.map")),
            ("max", "", " 1 2", Some("std.number.max")),
            ("max", "limit = ", " connections", None),
            ("len", "n = ", "", None),
            ("len", "n = ", " + 1", None),
            ("all", "xs = ", "", None),
        ] {
            assert_eq!(function(name, before, after), own, "{before}{name}{after}");
        }
    }
}
