//! Types and values in the notation of jsonnet. The parser can read values again. Types use the notation of the document on
//! type inference (`{x ∈ number, y? ∈ [string], ...}`, `(a, b?) -> c`), which is not part of the language.

mod literal;
pub mod name;
#[cfg(test)]
mod tests;

use crate::dialect::notation::{BRACKETS, Spelling, ty};
use crate::problem::report::{KindNames, Notation};
use crate::problem::types::Why;
use crate::term::Prim;
use crate::text::Name;

/// The notation for reports.
pub const REPORT: Notation = Notation { ty: |scheme| ty::mentioned(&SPELLING, scheme), kind_names: &NOUNS };

/// The names of the kinds of values.
const NOUNS: KindNames = KindNames {
    tag: crate::dialect::cfg::notation::name::tag,
    field: "field",
    record: "object",
    a_record: "an object",
    // the wording of the reference
    missing_field: |name| format!("field does not exist: {name}"),
    indexed: "only objects, arrays and strings can be indexed",
    a_string: "a string",
    a_boolean: "a boolean",
    keeps_kind: false,
    kind: |kind| match kind {
        "Null" => "null",
        "Bool" => "boolean",
        "Number" => "number",
        "String" => "string",
        "Array" => "array",
        "Record" => "object",
        "Function" => "function",
        other => other,
    },
    // one operator, `+`, combines all that can be combined
    operator: Prim::symbol,
    operator_hint: |operator, found| match (operator, found) {
        ("*", "string") => {
            Some("`std.parseInt` makes a number of a string of digits; a string is repeated with `std.repeat('-', 20)`")
        }
        ("in", _) if found.starts_with('[') || found == "array" => {
            Some("`std.member(xs, x)` says whether an array has an element")
        }
        ("/" | "<" | "<=" | ">" | ">=", "string") => {
            Some("both sides are numbers; `std.parseInt` makes a number of a string of digits")
        }
        ("<" | "<=" | ">" | ">=", _) if found.starts_with('[') || found == "array" => {
            Some("both sides are of one kind: two numbers, two strings or two arrays")
        }
        ("&", _) if found.starts_with('{') || found == "object" => {
            Some("objects are combined with `+`: `a + b`, or `a { … }`")
        }
        ("-", _) if found.starts_with('{') || found == "object" => {
            Some("an object without a field is `std.objectRemoveKey(o, 'name')`")
        }
        ("!", _) => Some("`!` takes a boolean: compare first, as in `x == 0` or `x == ''`"),
        ("||", _) if found == "string" || found.starts_with(['[', '{']) => Some(
            "both sides are booleans; a default is written `std.get(object, 'name', default)`, or `if x == null then … else x`",
        ),
        ("&&" | "||", _) => Some("both sides are booleans: compare first, as in `x != 0` or `x != ''`"),
        ("-" | "*" | "/", "null") => Some("an `if` without `else` is `null`: add an `else`"),
        ("-", "string") => Some("write a number without quotes; `std.parseInt` makes a number of a string of digits"),
        ("+", "string") => Some("a sign belongs to a number; strings are joined by one `+`: `'a' + 'b'`"),
        ("+", "null") => Some("a field that is `null`, or an `if` without `else`, has no sum: give it a value"),
        ("+", "boolean") => Some("a boolean has no sum: choose a value by it, as in `if b then 1 else 0`"),
        ("+", _) if found.starts_with('[') => Some(
            "an array is added to an array only; in an object, `name: […]` in place of `name+: […]` replaces the value",
        ),
        ("+", _) if found.starts_with('{') => Some(
            "an object is combined with an object only; an element is added to an array in brackets: `xs + [{ … }]`, \
             `name+: [{ … }]`",
        ),
        ("+", _) => Some("`+` adds numbers, joins strings or arrays, and combines objects: both sides are of one kind"),
        _ => None,
    },
    equal_hint: None,
    failure_hint,
    unexpected_hint: |_, _| None,
    unbound_hint: |_| None,
    definition_hint: |_, _| None,
    function_hint: |name| format!("`{name}::` hides it"),
    optional_hint: |_| None,
    absent_hint: |name| {
        // what is read or called by such a name decides: see `foreign`
        if super::foreign::is_method(name) {
            return None;
        }
        Some(format!("a field that may be missing is read with a default: `std.get(object, '{name}', default)`"))
    },
    reason_hint: |why, found, expected| reason_hint(why, found, expected).map(Name::new_static),
    parts_hint: |found, field| {
        let is_array = found.starts_with('[') || found == "array";
        if is_array && !field.is_empty() && field.chars().all(|c| c.is_ascii_digit()) {
            return Some(Name::from(format!("an index is a number without quotes: `xs[{field}]`")));
        }
        Some(Name::new_static(match found {
            "number" | "boolean" => {
                "only objects have fields: remove what follows this value, or make the value an object"
            }
            "null" => "test it first: `if x == null then … else x.name`, or `std.get(object, 'name', default)`",
            "string" => "the functions of strings are in `std`: `std.length(s)`, `std.asciiUpper(s)`",
            _ if is_array && METHODS.contains(&field) => {
                "the functions of arrays are in `std`: `std.length(xs)`, `std.map(f, xs)`"
            }
            _ if is_array => {
                return Some(Name::from(format!(
                    "an element is read with `xs[0]`, and the field of every element with `[x.{field} for x in xs]`"
                )));
            }
            _ => return None,
        }))
    },
    call_hint: |found| {
        Some(match found {
            _ if found.starts_with('{') || found == "object" => {
                "objects are combined with `+`; a field is read with `object.name`"
            }
            _ if found.starts_with('[') || found == "array" => "an element is read with `xs[0]`",
            "number" | "string" | "boolean" | "null" => {
                "this is a value and not a function: remove the parentheses after it"
            }
            _ => return None,
        })
    },
};

/// The methods of arrays in other languages.
const METHODS: &[&str] = &[
    "append", "concat", "contains", "count", "extend", "filter", "find", "flat", "flatMap", "forEach", "includes",
    "index", "indexOf", "join", "len", "length", "map", "pop", "push", "reduce", "reverse", "size", "slice", "some",
    "sort", "sum",
];

/// Suggests a function, with the number of parameters that the call needs.
fn function_expected(found: &str, expected: &str) -> Option<&'static str> {
    let wanted = parameters(expected)?;
    if parameters(found).is_some_and(|has| has == wanted) {
        return None;
    }
    Some(match wanted {
        1 => "a function of one parameter is needed: `function(x) e`",
        2 => "a function of two parameters is needed: `function(a, b) e`",
        _ => return None,
    })
}

/// Counts the parameters in the text of the type of a function: `(string, number) -> a` has two.
fn parameters(text: &str) -> Option<usize> {
    let (mut depth, mut commas) = (0_usize, 0);
    for (at, c) in text.strip_prefix('(')?.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => {
                let inside = text.get(1..at + 1)?;
                let rest = text.get(at + 2..)?;
                let count = if inside.is_empty() { 0 } else { commas + 1 };
                return rest.starts_with(" -> ").then_some(count);
            }
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    None
}

/// The values that format codes take.
const NUMBER_OR_TEXT: &str = "`%d` takes a number, `%s` any value; `std.parseInt` makes a number of a text";
/// Iterating over an object.
const OF_FIELDS: &str = "the fields of an object are gone through with `for k in std.objectFields(o)`";
/// The name of a field from a number.
const NAME_OF_NUMBER: &str = "a field's name is a text: `[std.toString(n)]: value`, or `['%d' % n]: value`";

/// Suggests how to make a value of the type that is expected.
fn reason_hint(why: &Why, found: &str, expected: &str) -> Option<&'static str> {
    match why {
        Why::Argument(..) => match (found, expected) {
            ("number" | "boolean", "string") => Some("`std.toString(x)` makes a text of a value"),
            ("string", "boolean") => Some("compare it, as in `x == 'yes'`; `true` and `false` have no quotes"),
            ("string", "number") => Some("`std.parseInt` makes a number of a string of digits"),
            ("number" | "boolean" | "null", _) if expected.starts_with("string | [any]") => Some(
                "texts, arrays, objects and functions have a length; that of a number's text is `std.length(std.toString(x))`",
            ),
            ("string", _) if expected.starts_with('[') || expected == "array" => Some(
                "`std.stringChars(s)` is the array of a text's characters; `std.member(text, part)` says whether a part is in it",
            ),
            (_, "string") if found.starts_with('[') || found == "array" => {
                Some("`std.join(',', xs)` makes a text of an array of texts")
            }
            (_, _)
                if (found.starts_with('{') || found == "object")
                    && (expected.starts_with('[') || expected == "array") =>
            {
                Some(
                    "`std.objectFields(o)` is the array of an object's names, `std.objectValues(o)` that of its values",
                )
            }
            (_, _) if found.starts_with('[') && expected.starts_with("{[string]") => Some(
                "an object is needed here: an array has elements and no names, and their number is `std.length(xs)`",
            ),
            (_, _) => function_expected(found, expected),
        },
        Why::Called if parameters(found).is_some() => function_expected(found, expected),
        Why::Iterated if found == "number" => Some("the numbers from 0 to n - 1 are `std.range(0, n - 1)`"),
        Why::Iterated if found == "string" => Some("the characters of a text are `std.stringChars(s)`"),
        Why::Result(..) if (found, expected) == ("number", "boolean") => {
            Some("a comparison gives a boolean: `x > 0`, `x == 0`")
        }
        Why::Result(..) if (found, expected) == ("string", "boolean") => {
            Some("a comparison gives a boolean: `x == 'yes'`, `x != ''`")
        }
        Why::Format(_) if found == "string" => Some(NUMBER_OR_TEXT),
        Why::Iterated if found.starts_with('{') => Some(OF_FIELDS),
        Why::Computed if found == "number" => Some(NAME_OF_NUMBER),
        _ => None,
    }
}

/// Returns whether a message is that of a field that needs only itself.
fn needs_itself(message: &str) -> bool {
    let circle = message.strip_prefix("infinite recursion: ").and_then(|names| names.split_once(" → "));
    circle.is_some_and(|(first, last)| first == last)
}

/// Suggests what to do about a failure of an operator or of the library. The messages are those of the reference.
fn failure_hint(message: &str) -> Option<&'static str> {
    let any = |parts: &[&str]| parts.iter().any(|part| message.contains(part));
    Some(match () {
        () if any(&["contains itself"]) => "hide the field with `::`, or copy only the parts that are needed",
        () if any(&["max stack frames exceeded"]) => {
            "a function that calls itself needs a case in which it does not: `if n == 0 then 1 else n * f(n - 1)`"
        }
        () if any(&["condition must be boolean, got string", "must return boolean, got: string"]) => {
            "compare it: `x == …`; `true` and `false` have no quotes"
        }
        () if any(&["condition must be boolean, got number", "must return boolean, got: number"]) => {
            "a number is compared with another one: `n != 0`"
        }
        () if any(&["condition must be boolean, got null"]) => "compare it: `x != null`",
        () if any(&["unary operator !"]) => "`!` takes a boolean: compare first, as in `x == 0` or `x == ''`",
        () if any(&["field name was not a string"]) => NAME_OF_NUMBER,
        () if needs_itself(message) => {
            "give it a value that does not need itself; a field of an object on the left of `+` is extended by \
             `other + { name: super.name + '-x' }`"
        }
        () if any(&["infinite recursion"]) => {
            "give one of them a value that needs none of the others; a field of the object on the left of `+` is read with `super`"
        }
        () if any(&["array bounds error"]) => {
            "`[0, n)` means 0 to n - 1: the first element is `xs[0]`, the last one `xs[std.length(xs) - 1]`"
        }
        () if any(&["string bounds error"]) => {
            "`[0, n)` means 0 to n - 1: the first character is `s[0]`, the last one `s[std.length(s) - 1]`"
        }
        () if message.starts_with("YAML error") => {
            "the text has to be YAML: the numbers in this message are a line and a column in it"
        }
        () if any(&["string index must be", "attempted index an array with string"]) => {
            "strings and arrays have no fields: `std` has their functions, such as `std.length(x)` and `std.map(f, xs)`"
        }
        () if any(&["object index must be string"]) => {
            "a field is read by its name: `object['name']`; an array by a number: `xs[0]`"
        }
        () if any(&["can only index objects, strings, and arrays, got null"]) => {
            "test it first: `if x == null then … else x.name`, or `std.get(object, 'name', default)`"
        }
        () if any(&["can only index"]) => {
            "only objects have fields: remove what follows this value, or make the value an object"
        }
        () if any(&["is not a base 10 integer"]) => "the text has to consist of digits: `std.parseInt('80')`",
        () if any(&["json.exception"]) => {
            "the text has to be JSON: keys and texts in double quotes, no comma before a closing bracket"
        }
        () if any(&["division by zero"]) => "test the divisor first: `if n == 0 then … else m / n`",
        () if any(&["runcated format code", "nrecognised conversion type"]) => {
            "a code ends with a letter: `%s`, `%d`, `%(name)s`; a percent sign is `%%`"
        }
        () if any(&["Format required number"]) => NUMBER_OR_TEXT,
        () if any(&["values to format", "Not enough values"]) => {
            "each `%s`, `%d` and so on takes one element of the array; `%%` is a percent sign"
        }
        () if any(&["No such field"]) => "`%(name)s` takes the field `name` of the object after `%`",
        () if any(&["couldn't manifest function"]) => "call the function, or hide the field with `::`",
        () if any(&["duplicate field name"]) => {
            "each name may occur once: `[x.name]` needs elements with different names, or combine them with `+`"
        }
        () if any(&["In comprehension, can only iterate over array"]) => OF_FIELDS,
        () if any(&["std.slice accepts"]) => "a part is taken of a string or an array: `xs[0:2]`",
        () if any(&["first param must be function", "expected (function, array)"]) => {
            "the function comes first, then the array: `std.map(function(x) x + 1, xs)`"
        }
        () if any(&["objectFieldsEx expected"]) => {
            "`std.objectFields` takes an object; an array has `std.length(xs)` elements"
        }
        () if any(&["binary operator + requires matching types, got array and"]) => {
            "an element is added as an array: `xs + [x]`, `xs+: [x]`"
        }
        () if any(&["binary operator <", "binary operator >"]) => {
            "values that are compared or sorted are of one kind: numbers, strings or arrays"
        }
        () if any(&["length operates on"]) => "a text is made of a number by `std.toString(x)`",
        () if any(&["expected string but arr["]) => {
            "`std.join` joins texts with a text: `std.join(',', std.map(std.toString, xs))`"
        }
        _ => return None,
    })
}

/// The spelling of types and values.
pub const SPELLING: Spelling = Spelling {
    of: " ∈ ",
    key: "[string]",
    field: name::field,
    is_identifier: name::is_identifier,
    numeral: literal::number,
    function: literal::function,
    string: name::string,
    defines_hidden: ":: ",
    report: REPORT,
    ..BRACKETS
};
