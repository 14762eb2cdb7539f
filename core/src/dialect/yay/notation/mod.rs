//! Types and values in the notation of Yay. Values are written as expressions, on one line, which the parser can read again.

use crate::dialect::notation::{BRACKETS, Spelling, control, quoted, ty};
use crate::dialect::yay::lexer::lex;
use crate::dialect::yay::token::Kind;
use crate::dialect::{Stop, parser};
use crate::problem::report::{KindNames, Notation};
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
    operator_hint,
    equal_hint: None,
    absent_hint: |_| None,
    reason_hint: |_, _, _| None,
    unbound_hint: |name| {
        let is_plain = is_identifier(name);
        is_plain.then(|| format!("define it: `{name}: VALUE`, or for a function `set {name} = lambda x: VALUE`"))
    },
    call_hint: |_| None,
    parts_hint: |_| None,
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

/// Suggests another operator, or a conversion.
fn operator_hint(operator: &str, found: &str) -> Option<&'static str> {
    Some(match (operator, found) {
        ("|", _) => "a function is called with its arguments in parentheses: `{{ upper(name) }}`",
        ("+", "list" | "dict") => "`+` adds numbers, and joins two strings or two lists",
        ("<" | "<=" | ">" | ">=", _) => "both sides are numbers: a key has a number if its value has no quotes",
        ("-" | "*" | "/" | "%", "string") => "both sides are numbers: a key has a number if its value has no quotes",
        _ => return None,
    })
}

/// Suggests what to do about a failure of an operator or of the library.
fn failure_hint(message: &str) -> Option<&'static str> {
    let any = |parts: &[&str]| parts.iter().any(|part| message.contains(part));
    Some(match () {
        () if any(&["division by zero"]) => "guard it: `{{ 1 / a if a != 0 else 0 }}`",
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
        "=" if wants("`:`") => "two values are compared with `==`",
        "=" if wants("the end") => "a key is written `port: 80`, and a variable `set x = 80`",
        ";" => "an expression has no `;`: remove it",
        "}" => "a template ends with two braces: `{{ name }}`",
        "%" if wants("an expression") => {
            "a directive is a line such as `% if CONDITION`, with its block indented below it"
        }
        "&" | "&&" | "|" | "||" => "the operators are `and`, `or` and `not`",
        "!" => "the operators are `and`, `or` and `not`",
        "?" => "a choice is written `{{ a if CONDITION else b }}`",
        "an indented line" => "indent it like the line above it, or end the line above it with `:`",
        "}}" | "the end of the line" if wants("an expression") => "write the value that is missing",
        _ if wants("`,`") => {
            "elements are separated by commas, and a key is followed by `:`: `{{ [1, 2] }}`, `{{ {'k': 1} }}`"
        }
        _ => return None,
    })
}
