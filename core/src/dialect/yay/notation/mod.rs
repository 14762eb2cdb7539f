//! Types and values in the notation of Yay. Values are written as expressions, on one line, which the parser can read again.

use crate::dialect::notation::{BRACKETS, Spelling, control, quoted, ty};
use crate::dialect::yay::lexer::lex;
use crate::dialect::yay::token::Kind;
use crate::dialect::{Stop, parser};
use crate::problem::report::{KindNames, Notation};
use std::borrow::Cow;

/// The notation for reports.
pub const REPORT: Notation = Notation { ty: |scheme| ty::styled(&SPELLING, scheme, None).text(), kind_names: &NOUNS };

/// The names of the kinds of values.
const NOUNS: KindNames = KindNames {
    record: "dict",
    a_record: "a dict",
    missing_field: |name| format!("no match for `{name}`"),
    indexed: "only dicts, lists and strings have elements",
    a_string: "a string",
    a_boolean: "a boolean",
    keeps_kind: true,
    operator_hint: |_, _| None,
    equal_hint: None,
    unbound_hint: |name| {
        let is_plain = is_identifier(name);
        is_plain.then(|| format!("define it: `{name}: VALUE`, or for a function `set {name} = lambda x: VALUE`"))
    },
    call_hint: |_| None,
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
