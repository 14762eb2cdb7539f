//! Advice about objects that comes from what is written around them: calls of methods, which objects of other languages have, and
//! formats.

use super::lexer::lex;
use super::token::{Kind, Token};
use crate::dialect::Stop;
use crate::dialect::parser::TokenKind;
use std::ops::Range;

/// Maximum length of arguments that advice repeats, in bytes.
const ARGUMENTS: usize = 40;

/// The function of the library, or the notation, that stands for a method of another language.
#[derive(Clone, Copy)]
enum Instead {
    /// A function of the library, which takes the object and then the arguments.
    Function(&'static str),
    /// A function of the library, which takes the arguments and then the object.
    Mapped(&'static str),
    /// The operator `+`.
    Sum,
}

/// The methods of objects in other languages.
const METHODS: &[(&str, Instead)] = &[
    ("assign", Instead::Sum),
    ("containsKey", Instead::Function("objectHas")),
    ("entries", Instead::Function("objectKeysValues")),
    ("extend", Instead::Sum),
    ("get", Instead::Function("get")),
    ("getOrDefault", Instead::Function("get")),
    ("has", Instead::Function("objectHas")),
    ("hasKey", Instead::Function("objectHas")),
    ("hasOwnProperty", Instead::Function("objectHas")),
    ("has_key", Instead::Function("objectHas")),
    ("items", Instead::Function("objectKeysValues")),
    ("keys", Instead::Function("objectFields")),
    ("len", Instead::Function("length")),
    ("length", Instead::Function("length")),
    ("map", Instead::Mapped("mapWithKey")),
    ("merge", Instead::Sum),
    ("size", Instead::Function("length")),
    ("update", Instead::Sum),
    ("values", Instead::Function("objectValues")),
];

/// Whether objects of other languages have a method with this name.
pub fn is_method(name: &str) -> bool {
    METHODS.binary_search_by_key(&name, |(name, _)| name).is_ok()
}

/// Returns a suggestion about a field that an object does not have, or about an operand. O(length).
pub fn hint(code: &str, text: &str, at: Range<usize>) -> Option<String> {
    match code {
        "types/missing-field" | "value/missing-field" => method(text, at.clone()).or_else(|| formatted(text, at)),
        "types/conflict" => subtracted(text, at.clone()).or_else(|| indent(text, at)),
        "syntax/unexpected" => filter(text, at.clone()).or_else(|| word(text, at)),
        "scope/unbound" => dashed(text, at),
        "types/not-a-function" | "value/not-a-function" => {
            let called = text.get(at.start..)?;
            called
                .starts_with("std.native(")
                .then(|| String::from("there are no native functions here, so that `std.native` gives `null`"))
        }
        _ => None,
    }
}

/// Returns what a word of another language is written as: `7 mod 2`, `x where x = 1`, and the comma before the message of an `assert`.
fn word(text: &str, at: Range<usize>) -> Option<String> {
    let line = text.get(..at.start)?.rsplit('\n').next()?;
    let (before, after) = (line.trim_end(), text.get(at.end..)?.lines().next().unwrap_or_default().trim());
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let operand = |text: &str| !text.is_empty() && text.chars().all(|c| is_name(c) || c == '.');
    match text.get(at)? {
        "," if line.trim_start().starts_with("assert ") && after.starts_with(['\'', '"']) => {
            Some(String::from("write `:` in place of the comma: `assert condition : 'message';`"))
        }
        "@" => Some(String::from("write `+`: arrays, strings and objects are joined by it")),
        "|" if before.contains('{') => {
            let name = before.rsplit(['{', ',']).next()?.trim();
            operand(name).then(|| {
                format!(
                    "write `{name}: value`: metadata with `|` belongs to Nickel, the name of whose files ends in `.ncl`"
                )
            })
        }
        operator @ ("mod" | "rem" | "div") => {
            let left = before.rsplit([' ', '(']).next().filter(|left| operand(left))?;
            let right = after.split([' ', ')', ',', ';']).next().filter(|right| operand(right))?;
            Some(match operator {
                "div" => format!("write `std.floor({left} / {right})` for a division without its remainder"),
                _ => format!("write `{left} % {right}` for the remainder of a division"),
            })
        }
        "where" => {
            let (name, value) = after.split_once('=')?;
            let name = name.trim();
            (operand(name) && !value.starts_with('='))
                .then(|| format!("write `local {name} = …;` before the expression: a name is bound before it is used"))
        }
        // `"it's "quoted""`
        word if word.chars().all(is_name) && line.ends_with('"') && after.contains('"') => {
            Some(String::from("write `\\\"` for a quote in `\"…\"`, or the text in `'…'`"))
        }
        _ => None,
    }
}

/// Returns how a field is read whose name contains `-`, of an object that has no name: `{ … }.a-b`, `f(x).a-b`.
fn dashed(text: &str, at: Range<usize>) -> Option<String> {
    let (before, after) = (text.get(..at.start)?.strip_suffix('-')?, text.get(at)?);
    let (object, first) = before.rsplit_once('.')?;
    let is_name = !first.is_empty() && first.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_name && object.ends_with(['}', ')', ']']))
        .then(|| format!("write `['{first}-{after}']` in place of `.{first}-{after}`: the `-` is part of the name"))
}

/// Returns the indent of a format of the library that is a number: `std.manifestJsonEx(o, 2)`.
fn indent(text: &str, at: Range<usize>) -> Option<String> {
    let call = text.get(..at.start)?.trim_end().strip_suffix(',')?;
    let is_manifest = ["manifestJsonEx(", "manifestTomlEx("].iter().any(|name| call.rfind(name).is_some());
    let width: usize = text.get(at)?.parse().ok()?;
    (is_manifest && width <= 8).then(|| format!("write the indent as a text: `'{}'`", " ".repeat(width)))
}

/// Returns what a filter of jq is written as: `.a`, `r | .a`.
fn filter(text: &str, at: Range<usize>) -> Option<String> {
    let (before, after) = (text.get(..at.start)?.trim(), text.get(at.end..)?.trim());
    let is_path = |path: &str| {
        path.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && path.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
    };
    if text.get(at)? != "." || !is_path(after) {
        return None;
    }
    match before.strip_suffix('|').map(str::trim_end) {
        Some(object) if is_path(object) => Some(format!("write `{object}.{after}`")),
        None if before.is_empty() => Some(format!("write `{after}`: a path begins with a name")),
        _ => None,
    }
}

/// Returns how to subtract before a text is joined: `'a' + 2 - 1` subtracts from the text.
fn subtracted(text: &str, at: Range<usize>) -> Option<String> {
    let after = text.get(at.end..)?.trim_start();
    let sum = text.get(at)?;
    let mut inner = 0u32;
    let is_sum = lex(sum, Stop::NEVER).tokens.iter().any(|token| {
        inner = inner + u32::from(token.kind.opens().is_some()) - u32::from(token.kind.closes().is_some() && inner > 0);
        token.kind == Kind::Plus && inner == 0
    });
    (is_sum && after.starts_with('-'))
        .then(|| String::from("numbers that are joined to a text are computed in parentheses: `'a' + (2 - 1)`"))
}

/// Returns what does the work of a method: `std.get(o, 'a', 1)` for `o.get('a', 1)`.
fn method(text: &str, at: Range<usize>) -> Option<String> {
    let after = text.get(at.end..)?;
    let (object, name) = text.get(at)?.rsplit_once('.')?;
    let (object, name) = (object.trim(), name.trim());
    let (_, instead) = METHODS.get(METHODS.binary_search_by_key(&name, |(name, _)| name).ok()?)?;
    let is_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    let object = if object.chars().all(is_path) { object } else { "object" };
    let Some(arguments) = arguments(after) else {
        return Some(match instead {
            Instead::Function(function @ ("objectFields" | "objectValues" | "objectKeysValues" | "length")) => {
                format!("did you mean `std.{function}({object})`?")
            }
            _ => format!("a field that may be missing is read with a default: `std.get({object}, '{name}', default)`"),
        });
    };
    let all: Vec<&str> = [object, arguments].into_iter().filter(|part| !part.is_empty()).collect();
    Some(match instead {
        Instead::Function(function) => format!("objects have no methods: `std.{function}({})`", all.join(", ")),
        Instead::Mapped(function) => {
            format!("objects have no methods: `std.{function}(function(key, value) …, {object})`")
        }
        Instead::Sum if arguments.is_empty() => String::from("objects have no methods: they are combined by `+`"),
        Instead::Sum => format!("objects have no methods: they are combined by `+`, as in `{object} + {arguments}`"),
    })
}

/// Returns the arguments of a call that a text begins with. `…` if they are too long.
pub(super) fn arguments(text: &str) -> Option<&str> {
    let text = text.strip_prefix('(')?;
    let mut inner = 0u32;
    for token in lex(text.get(..ARGUMENTS).unwrap_or(text), Stop::NEVER).tokens {
        match token.kind {
            Kind::RParen if inner == 0 => {
                let arguments = text.get(..token.start as usize)?.trim().trim_end_matches(',');
                return Some(if arguments.contains('\n') { "…" } else { arguments });
            }
            kind if kind.opens().is_some() => inner += 1,
            kind if kind.closes().is_some() => inner = inner.saturating_sub(1),
            _ => {}
        }
    }
    Some("…")
}

/// Returns the field to add to an object literal that lacks what its format asks for: `'%(a)s' % { b: 1 }`.
fn formatted(text: &str, at: Range<usize>) -> Option<String> {
    let tokens = lex(text, Stop::NEVER).tokens;
    let index = tokens.iter().position(|token| token.start as usize == at.start)?;
    let percent = tokens.get(index.checked_sub(1)?).filter(|token| token.kind == Kind::Percent);
    let format = tokens.get(index.checked_sub(2)?).filter(|token| percent.is_some() && token.kind.is_string())?;
    let fields = fields(text, tokens.get(index..)?)?;
    let names = text.get(format.start as usize..format.end as usize)?.split("%(").skip(1);
    let names = names.filter_map(|part| part.split_once(')')).map(|(name, _)| name);
    let missing = names.clone().find(|name| !fields.contains(name))?;
    let is_misspelt = !crate::text::near(missing, fields.iter().copied()).is_empty();
    (!is_misspelt).then(|| format!("add the field to the object: `{{ {}: … }}`", super::notation::name::field(missing)))
}

/// Returns the names of the fields of the object literal that some tokens begin with. `None` if one is computed.
fn fields<'t>(text: &'t str, tokens: &[Token]) -> Option<Vec<&'t str>> {
    let mut inner = 0u32;
    let mut names = Vec::new();
    let mut before = tokens.first().filter(|token| token.kind == Kind::LBrace)?.kind;
    for (token, next) in tokens.iter().zip(tokens.iter().skip(1)) {
        let begins = matches!(std::mem::replace(&mut before, token.kind), Kind::LBrace | Kind::Comma);
        match token.kind {
            Kind::LBracket if inner == 1 && begins => return None,
            kind if kind.opens().is_some() => inner += 1,
            kind if kind.closes().is_some() => {
                inner = inner.checked_sub(1)?;
                if inner == 0 {
                    return Some(names);
                }
            }
            kind if inner == 1 && next.kind.is_colon() && (kind == Kind::Ident || kind.is_string()) => {
                names.push(text.get(token.start as usize..token.end as usize)?.trim_matches(['"', '\'']));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{METHODS, hint};

    #[test]
    fn what_does_the_work_of_a_method() {
        assert!(METHODS.is_sorted_by_key(|(name, _)| name));
        for (_, instead) in METHODS {
            if let super::Instead::Function(name) | super::Instead::Mapped(name) = instead {
                assert!(crate::dialect::jsonnet::library::item(name).is_some(), "{name}");
            }
        }
        let about = |text: &str, part: &str| {
            let at = text.find(part).unwrap();
            hint("types/missing-field", text, at..at + part.len())
        };
        let cases = [
            ("o.get('a', f(1))", "o.get", "objects have no methods: `std.get(o, 'a', f(1))`"),
            ("o.keys()", "o.keys", "objects have no methods: `std.objectFields(o)`"),
            ("o.values", "o.values", "did you mean `std.objectValues(o)`?"),
            (
                "o.a.update({ b: 1 })",
                "o.a.update",
                "objects have no methods: they are combined by `+`, as in `o.a + { b: 1 }`",
            ),
            ("'%(a)s %(b)s' % { a: 1 }", "{ a: 1 }", "add the field to the object: `{ b: … }`"),
        ];
        for (text, part, expected) in cases {
            assert_eq!(about(text, part).as_deref(), Some(expected), "{text}");
        }
        for (code, text, expected) in [
            ("syntax/unexpected", "7 «mod» 2", "write `7 % 2` for the remainder of a division"),
            (
                "syntax/unexpected",
                "assert x«,» 'm';",
                "write `:` in place of the comma: `assert condition : 'message';`",
            ),
            (
                "syntax/unexpected",
                "{ a: \"it's \"«quoted»\"\" }",
                "write `\\\"` for a quote in `\"…\"`, or the text in `'…'`",
            ),
            (
                "syntax/unexpected",
                "x + 1 «where» x = 1",
                "write `local x = …;` before the expression: a name is bound before it is used",
            ),
            ("scope/unbound", "f(x).a-«b»", "write `['a-b']` in place of `.a-b`: the `-` is part of the name"),
            ("scope/unbound", "f(x).a - «b»", ""),
            ("types/conflict", "std.manifestJsonEx({}, «2»)", "write the indent as a text: `'  '`"),
            ("types/conflict", "std.manifestJsonEx({}, «x»)", ""),
        ] {
            let (before, rest) = text.split_once('«').unwrap();
            let (part, after) = rest.split_once('»').unwrap();
            let found = hint(code, &format!("{before}{part}{after}"), before.len()..before.len() + part.len());
            assert_eq!(found.unwrap_or_default(), expected, "{text}");
        }
        for (text, part) in
            [("o.name", "o.name"), ("'%(port)s' % { prot: 1 }", "{ prot: 1 }"), ("x % { a: 1 }", "{ a: 1 }")]
        {
            assert_eq!(about(text, part), None, "{text}");
        }
    }
}
