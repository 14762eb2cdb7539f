//! Types and values in the notation of Yay. Values are written as expressions, on one line, which the parser can read again.

use crate::dialect::notation::{BRACKETS, Spelling, control, quoted, ty};
use crate::dialect::yay::lexer::lex;
use crate::dialect::yay::library;
use crate::dialect::yay::token::Kind;
use crate::dialect::{Stop, parser};
use crate::problem::report::{KindNames, Notation};
use crate::problem::types::Why;
use crate::term::Prim;
use crate::text::Name;
use std::borrow::Cow;

/// The notation for reports.
pub const REPORT: Notation = Notation { ty: |scheme| ty::mentioned(&SPELLING, scheme), kind_names: &NOUNS };

/// The names of the kinds of values.
const NOUNS: KindNames = KindNames {
    tag: crate::dialect::cfg::notation::name::tag,
    field: "field",
    record: "dict",
    a_record: "a dict",
    missing_field: |name| format!("no match for `{name}`"),
    indexed: "only dicts, lists and strings have elements",
    a_string: "a string",
    a_boolean: "a boolean",
    keeps_kind: true,
    operator: Prim::symbol,
    operator_hint,
    equal_hint: None,
    absent_hint: |_| None,
    definition_hint: |_, _| None,
    function_hint: |name| format!("a function is bound with `set {name} = lambda x: VALUE`"),
    optional_hint: |_| None,
    reason_hint: |why, found, expected| {
        let is_text = found == "string";
        Some(Name::new_static(match why {
            Why::Iterated if found == "number" => "the numbers from 0 to n - 1 are `range(n)`",
            Why::Iterated if is_text => "`[a, b]` in a document is text: write each element as `- a` below its key",
            Why::Argument(..) if is_text && (expected == "list" || expected.starts_with('[')) => {
                "`[a, b]` in a document is text: write each element as `- a` below its key; `split(x, \" \")` divides a text"
            }
            Why::Argument(2, Some(function)) if function == "join" && found.starts_with('[') => {
                "the list comes first, then the text between its elements: `join(LIST, \", \")`"
            }
            Why::Index if found.starts_with('{') || found == "dict" => "a dict is read by its keys: `x.name`",
            _ => return None,
        }))
    },
    unbound_hint,
    call_hint: |_| None,
    parts_hint,
    failure_hint,
    unexpected_hint,
    kind: |kind| match kind {
        "Null" => "null",
        "Bool" => "boolean",
        "Number" => "number",
        "String" => "string",
        "Array" => "list",
        "Record" => "dict",
        "Function" => "macro",
        other => other,
    },
};

/// The spelling of types and values.
pub const SPELLING: Spelling = Spelling {
    of: ": ",
    key: "*",
    field,
    is_identifier,
    numeral: crate::value::eval::converting::decimal,
    function,
    string,
    is_internal: |name| hidden(name).is_some() || name.starts_with("around it"),
    bound_name: |name| hidden(name).map(|(_, name)| name),
    report: REPORT,
    ..BRACKETS
};

/// Returns `true` if a text is a name in an expression.
pub fn is_identifier(text: &str) -> bool {
    let lexed = lex(text, Stop::NEVER);
    matches!(lexed.tokens.as_slice(), [one, _] if one.kind == Kind::Ident && one.end as usize == text.len())
}

/// Splits the name of a hidden field into the directive that defines it (`set`, `macro`, `prototype`) and the name that it binds.
fn hidden(name: &str) -> Option<(&'static str, &str)> {
    ["set", "macro", "prototype"].into_iter().find_map(|word| Some((word, name.strip_prefix(word)?.strip_prefix(' ')?)))
}

/// Returns the name of a key, quoted if necessary. For the hidden field of `set p` it is `p (set)`.
pub fn field(name: &str) -> Cow<'_, str> {
    if let Some((word, name)) = hidden(name) {
        return Cow::Owned(format!("{name} ({word})"));
    }
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let fits = !name.is_empty() && name.chars().all(plain);
    if fits { Cow::Borrowed(name) } else { Cow::Owned(string(name)) }
}

/// Returns a string literal on one line.
pub fn string(text: &str) -> String {
    quoted(text, |c, _, out| control(c, out))
}

/// Returns a function on one line, if it is a `lambda`.
fn function(text: &str) -> Option<String> {
    let lexed: parser::Lexed<Kind> = lex(text, Stop::NEVER);
    let own = lexed.tokens.first().is_some_and(|token| token.kind == Kind::Lambda);
    own.then(|| lexed.one_line(text))
}

/// Suggests what is meant by a name of another language, or how to define a function.
fn unbound_hint(name: &str) -> Option<String> {
    unbound_word(name).or_else(|| {
        is_identifier(name)
            .then(|| format!("define it: `{name}: VALUE`, or for a function `set {name} = lambda x: VALUE`"))
    })
}

/// Suggests what is meant by a name of another language.
pub fn unbound_word(name: &str) -> Option<String> {
    Some(match name {
        "None" | "nil" | "undefined" | "none" => String::from("write `null`"),
        "True" => String::from("write `true`"),
        "False" => String::from("write `false`"),
        "self" => String::from("`self` is the dict that `new` makes of a prototype; the nearest dict is `here`"),
        "this" => String::from("the nearest dict is `here`"),
        "str" | "string" => String::from("put it into text: `\"{{ n }}\"`"),
        "int" | "float" | "number" => String::from("text that reads as a number is one: `n: 80`"),
        "length" | "size" | "count" => String::from("did you mean `len`?"),
        "uppercase" | "toUpper" | "to_upper" => String::from("did you mean `upper`?"),
        "lowercase" | "toLower" | "to_lower" => String::from("did you mean `lower`?"),
        "sort" => String::from("did you mean `sorted`?"),
        "enumerate" => String::from("the indices of a list are `range(len(xs))`, and an element is `xs[i]`"),
        "print" | "echo" | "puts" => String::from("a document prints nothing: a key shows a value, `key: {{ x }}`"),
        "lookup" | "env" | "environ" | "getenv" => {
            String::from("the environment is no part of a document: add a key for the value")
        }
        _ => return None,
    })
}

/// Suggests how to get at a part of a list or a string, or how to call the function of the library that another language has as a method.
fn parts_hint(found: &str, field: &str) -> Option<Name> {
    let is_list = found.starts_with('[') || found == "list";
    if !is_list && found != "string" {
        return None;
    }
    Some(Name::from(match field {
        "length" | "size" | "count" | "len" => "its length is `len(x)`".to_string(),
        "first" | "head" if is_list => "the first element is `x[0]`".to_string(),
        "last" if is_list => "the last element is `x[-1]`".to_string(),
        "push" | "append" | "add" | "extend" | "concat" if is_list => {
            "two lists are joined with `+`: `x + [1]`".to_string()
        }
        "contains" | "includes" | "has" | "index" | "find" => "`in` looks for a part: `'a' in x`".to_string(),
        "uppercase" | "toUpperCase" => "a function is called with its arguments in parentheses: `upper(x)`".to_string(),
        "lowercase" | "toLowerCase" => "a function is called with its arguments in parentheses: `lower(x)`".to_string(),
        "map" | "filter" if is_list => "write `[f(x) for x in LIST]`, or `[x for x in LIST if CONDITION]`".to_string(),
        _ if !field.starts_with('_') && library::items().any(|item| item.name == field) => {
            format!("a function is called with its arguments in parentheses: `{field}(x)`")
        }
        _ if is_list => "an element is read by its index: `x[0]`".to_string(),
        _ => {
            "a text has no keys, and `{a: 1}` in a document is text: a dict has each key on a line of its own below it"
                .to_string()
        }
    }))
}

/// Suggests another operator, or a conversion.
fn operator_hint(operator: &str, found: &str) -> Option<&'static str> {
    Some(match (operator, found) {
        ("|", _) => "a function is called with its arguments in parentheses: `{{ upper(name) }}`",
        ("+", "list" | "dict") => "`+` adds numbers, and joins two strings or two lists",
        ("<" | "<=" | ">" | ">=", _) => {
            "both sides are numbers: the value of a key is one if it has only digits, without a unit"
        }
        ("-" | "*" | "/" | "%", "string") => {
            "both sides are numbers: the value of a key is one if it has only digits, without a unit"
        }
        _ => return None,
    })
}

/// Suggests what to do about a failure of an operator or of the library.
fn failure_hint(message: &str) -> Option<&'static str> {
    let any = |parts: &[&str]| parts.iter().any(|part| message.contains(part));
    Some(match () {
        () if any(&["division by zero"]) => "guard it: `{{ 1 / a if a != 0 else 0 }}`",
        () if any(&["operand must be list, but is"]) => {
            "`extend` adds the elements of a list: write each as `- a` on a line of its own, indented below it"
        }
        () if any(&["too many args"]) => "remove an argument, or add a parameter: `set f = lambda x, y: VALUE`",
        () if any(&["not bound in call"]) => "pass it: every parameter of a function needs an argument",
        () if any(&["can only iterate over array"]) => "write a list: `for x in [1, 2, 3]`, or `for x in range(3)`",
        _ => return None,
    })
}

/// Suggests a fix for an unexpected token.
fn unexpected_hint(found: &str, expected: &[Name]) -> Option<&'static str> {
    let wants = |what: &str| expected.iter().any(|e| e == what);
    Some(match found {
        "=" if wants("the end") => "a key is written `port: 80`, and a variable `set x = 80`",
        "=" if wants("`:`") || wants("an operator") || wants("`]`") => "two values are compared with `==`",
        ";" => "an expression has no `;`: remove it",
        "}" => "a template ends with two braces: `{{ name }}`",
        "then" if wants("`:`") => "a condition ends with `:`: `if a == 1:`",
        "the end of the line" if wants("`:`") => "end this line with `:`",
        "$" => "a name has no `$`: `{{ name }}`",
        "@" => "a name has no `@`: `{{ name }}`",
        "if" if wants("an expression") => "a choice is written `{{ a if CONDITION else b }}`",
        "%" if wants("an expression") => {
            "a directive is a line such as `% if CONDITION`, with its block indented below it"
        }
        "!" => "the operators are `and`, `or` and `not`",
        "?" => "a choice is written `{{ a if CONDITION else b }}`",
        "an indented line" => "indent it like the line above it, or end the line above it with `:`",
        ")" if wants("`}}`") => "no `(` is open here: remove it",
        "}}" | "the end of the line" if wants("an expression") => "write the value that is missing",
        _ if wants("`,`") => {
            "elements are separated by commas, and a key is followed by `:`: `{{ [1, 2] }}`, `{{ {'k': 1} }}`"
        }
        _ => return None,
    })
}
