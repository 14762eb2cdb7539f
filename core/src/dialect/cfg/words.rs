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
const CALLED: [(&str, &str); 18] = [
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
];

/// Returns the function of the library that a name means before an argument: `len xs`, `len(xs)`. A name alone is the subject of
/// a command of the prompt: `:doc map`.
pub(super) fn function(name: &str, before: &str, after: &str) -> Option<&'static str> {
    let named = |table: &[(&str, &'static str)]| table.iter().find(|(other, _)| *other == name).map(|(_, own)| *own);
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
pub(super) fn foreign_word(name: &str) -> Option<&'static str> {
    if name.ends_with('\'') {
        return Some("strings are in double quotes: `\"two words\"`");
    }
    Some(match name {
        "and" => "`and` is written `&&`",
        "or" => "`or` is written `||`",
        "not" => "`not e` is written `!e`",
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
    use super::{CALLED, FUNCTIONS, function};

    #[test]
    fn the_functions_exist() {
        for (_, own) in FUNCTIONS.iter().chain(&CALLED) {
            let path: Vec<&str> = own.split('.').collect();
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
