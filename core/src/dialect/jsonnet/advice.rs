//! Advice about calls, names and fields that comes from what is written around them.

use super::lexer::lex;
use super::library::item;
use super::token::{Kind, Token};
use crate::dialect::Stop;
use crate::dialect::parser::TokenKind;
use crate::text::is_misspelt;
use std::ops::Range;

/// The functions that make a number of a text.
const PARSERS: [&str; 3] = ["parseInt", "parseHex", "parseOctal"];
/// The names of the parameters of the library that take an array.
const ARRAYS: [&str; 4] = ["arr", "arrs", "vals", "xs"];
/// The methods of texts, numbers and arrays in other languages, and what does their work: `·` is the value, `…` the arguments.
const METHODS: &[(&str, &str)] = &[
    ("append", "· + […]"),
    ("concat", "· + …"),
    ("endsWith", "std.endsWith(·, …)"),
    ("endswith", "std.endsWith(·, …)"),
    ("filter", "std.filter(…, ·)"),
    ("flatMap", "std.flatMap(…, ·)"),
    ("format", "· % […]"),
    ("includes", "std.member(·, …)"),
    ("indexOf", "std.find(…, ·)"),
    ("length", "std.length(·)"),
    ("lower", "std.asciiLower(·)"),
    ("map", "std.map(…, ·)"),
    ("push", "· + […]"),
    ("repeat", "std.repeat(·, …)"),
    ("replace", "std.strReplace(·, …)"),
    ("replaceAll", "std.strReplace(·, …)"),
    ("reverse", "std.reverse(·)"),
    ("sort", "std.sort(·)"),
    ("split", "std.split(·, …)"),
    ("startsWith", "std.startsWith(·, …)"),
    ("startswith", "std.startsWith(·, …)"),
    ("strip", "std.trim(·)"),
    ("toLowerCase", "std.asciiLower(·)"),
    ("toString", "std.toString(·)"),
    ("toUpperCase", "std.asciiUpper(·)"),
    ("trim", "std.trim(·)"),
    ("upper", "std.asciiUpper(·)"),
];
/// Maximum length of what advice repeats, in bytes.
const REPEATED: usize = 60;

/// Returns a suggestion about an error with a code at a place of a text. O(length).
pub fn hint(code: &str, text: &str, at: Range<usize>) -> Option<String> {
    match code {
        "types/call" => elements(text, at),
        "types/conflict" if text.get(..at.start).is_some_and(|before| before.trim_end().ends_with("++")) => {
            Some(String::from("write `+` once: it joins arrays, strings and objects"))
        }
        "types/conflict" => number_already(text, at.clone()).or_else(|| method(text, at)),
        "value/undefined" => number_already(text, at),
        "types/undefined" => super::around::missing(text, at),
        "types/missing-field" => key_of_loop(text, at),
        "import/not-found" => {
            let path = text.get(at)?.strip_prefix("import")?.trim().trim_matches(['\'', '"']);
            (path == super::STD).then(|| String::from("write `std` without an import: it is always there"))
        }
        "scope/unbound" => local_of_object(text, at),
        "types/raises" | "value/failed" => misspelt_field(text, at),
        _ => None,
    }
}

/// Returns how to read a field whose name is in a variable of a comprehension: `[k]: conf.k for k in …`.
fn key_of_loop(text: &str, at: Range<usize>) -> Option<String> {
    let (object, name) = text.get(at.clone())?.rsplit_once('.')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_bound = !name.is_empty() && name.chars().all(is_name) && {
        let bound = format!("for {name} in ");
        text.get(at.end..)?.chars().take(REPEATED * 4).collect::<String>().contains(&bound)
    };
    (is_bound && object.len() <= REPEATED && may_be_repeated(object))
        .then(|| format!("write `{object}[{name}]`: `{name}` is a variable that holds the name of the field"))
}

/// Returns how to pass several values to a function of the library that takes an array: `std.format('%s-%s', 'a', 'b')`.
fn elements(text: &str, at: Range<usize>) -> Option<String> {
    let tokens = lex(text, Stop::NEVER).tokens;
    let extra = tokens.iter().position(|token| token.start as usize == at.start)?;
    let open = opening(&tokens, extra, Kind::LParen)?;
    let name = word(text, tokens.get(open.checked_sub(1)?)?);
    let library = word(text, tokens.get(open.checked_sub(3)?)?);
    let function = item(name).filter(|_| library == super::STD)?;
    let (last, before) = function.params.split_last().filter(|(last, _)| ARRAYS.contains(&last.name))?;
    let start = tokens.get(open)?.end as usize;
    // the arguments, as they are separated outside of brackets
    let mut commas = Vec::new();
    let mut inner = 0u32;
    for token in tokens.get(open + 1..)?.iter().take_while(|token| (token.end as usize) <= at.end) {
        match token.kind {
            Kind::Comma if inner == 0 => commas.push(token.start as usize),
            kind if kind.opens().is_some() => inner += 1,
            kind if kind.closes().is_some() => inner = inner.saturating_sub(1),
            _ => {}
        }
    }
    let from = match before.len().checked_sub(1) {
        Some(place) => commas.get(place)? + 1,
        None => start,
    };
    let (kept, array) = (text.get(start..from)?.trim(), text.get(from..at.end)?.trim());
    if array.starts_with('[') {
        return None;
    }
    let is_short = kept.len() + array.len() <= REPEATED && may_be_repeated(array) && may_be_repeated(kept);
    let (kept, array) = match (is_short, kept.is_empty()) {
        (true, true) => (String::new(), array),
        (true, false) => (format!("{kept} "), array),
        (false, true) => (String::new(), "…"),
        (false, false) => (String::from("…, "), "…"),
    };
    Some(format!("write `std.{name}({kept}[{array}])`: `{}` is one array", last.name))
}

/// Returns the advice to leave out a function that makes a number of a text, for an argument that is a number.
fn number_already(text: &str, at: Range<usize>) -> Option<String> {
    let (before, argument) = (text.get(..at.start)?, text.get(at)?);
    let is_number = argument.parse::<f64>().is_ok();
    let name = before.trim_end().strip_suffix('(')?.trim_end().rsplit(|c: char| !c.is_alphanumeric()).next()?;
    (is_number && PARSERS.contains(&name)).then(|| format!("write `{argument}`: it is a number already"))
}

/// Returns what does the work of a method of a text, a number or an array: `x.toString()`.
fn method(text: &str, at: Range<usize>) -> Option<String> {
    let (value, after) = (text.get(at.clone())?, text.get(at.end..)?.strip_prefix('.')?);
    let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, rest) = (after.get(..end)?, after.get(end..)?);
    let (_, instead) = METHODS.get(METHODS.binary_search_by_key(&name, |(name, _)| name).ok()?)?;
    let arguments = super::foreign::arguments(rest)?;
    let is_short = value.len() <= REPEATED && may_be_repeated(value) && may_be_repeated(arguments);
    let (value, arguments) = match (is_short, arguments) {
        (true, _) => (value, arguments),
        (false, "") => ("x", ""),
        (false, _) => ("x", "…"),
    };
    // the placeholder of other languages
    let value = if name == "format" { value.replace("{}", "%s") } else { String::from(value) };
    let call = match (instead.contains('…'), arguments) {
        (true, "") => return None,
        (true, arguments) => instead.replace('…', arguments),
        (false, _) => String::from(*instead),
    };
    Some(format!("write `{}`", call.replace('·', &value)))
}

/// Returns where a name is bound that the name of a field cannot read: `{ local e = 1, [e]: 2 }`.
fn local_of_object(text: &str, at: Range<usize>) -> Option<String> {
    let name = text.get(at.clone())?;
    let tokens = lex(text, Stop::NEVER).tokens;
    let mut place = tokens.iter().position(|token| token.start as usize == at.start)?;
    // out of the brackets of the field's name
    place = opening(&tokens, place, Kind::LBracket)?;
    let begins = tokens.get(place.checked_sub(1)?)?.kind;
    let object = opening(&tokens, place, Kind::LBrace).filter(|_| matches!(begins, Kind::LBrace | Kind::Comma))?;
    let mut inner = 0u32;
    let locals = tokens.get(object + 1..)?.windows(2).any(|pair| {
        let [token, next] = pair else { return false };
        if token.kind.opens().is_some() {
            inner += 1;
        } else if token.kind.closes().is_some() {
            // after the object nothing is found any more
            inner = inner.checked_sub(1).unwrap_or(u32::MAX / 2);
        }
        inner == 0 && token.kind == Kind::Local && word(text, next) == name
    });
    locals.then(|| {
        format!("write `local {name} = …;` before the object: the names of its fields cannot read its own locals")
    })
}

/// Returns the field that was probably meant to give a value to one that raises an error: `name:: error 'name is required'` and
/// `nmae:: 'web'`.
fn misspelt_field(text: &str, at: Range<usize>) -> Option<String> {
    let tokens = lex(text, Stop::NEVER).tokens;
    let error = tokens.iter().position(|token| token.start as usize == at.start)?;
    let [name, colon] = tokens.get(error.checked_sub(2)?..error)? else { return None };
    let required = word(text, name);
    if !colon.kind.is_colon() || name.kind != Kind::Ident {
        return None;
    }
    let fields = tokens
        .windows(2)
        .filter(|pair| matches!(pair, [name, colon] if name.kind == Kind::Ident && colon.kind.is_colon()));
    let mut fields = fields.filter_map(|pair| pair.first());
    let found = fields.find(|field| is_misspelt(word(text, field), required))?;
    let line = text.get(..found.start as usize)?.matches('\n').count() + 1;
    Some(format!("did you mean `{required}` where line {line} has `{}`?", word(text, found)))
}

/// Whether advice may repeat a part of the text: it is one line without backquotes.
fn may_be_repeated(text: &str) -> bool {
    !text.contains(['\n', '`'])
}

/// Returns the index of the innermost bracket of a kind that is open before a token.
fn opening(tokens: &[Token], before: usize, kind: Kind) -> Option<usize> {
    let mut inner = 0u32;
    for (index, token) in tokens.get(..before)?.iter().enumerate().rev() {
        if token.kind.closes().is_some() {
            inner += 1;
        } else if token.kind.opens().is_some() {
            if inner == 0 && token.kind == kind {
                return Some(index);
            }
            if inner == 0 && kind == Kind::LBrace {
                return None;
            }
            inner = inner.saturating_sub(1);
        }
    }
    None
}

fn word<'t>(text: &'t str, token: &Token) -> &'t str {
    text.get(token.start as usize..token.end as usize).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn advice_from_the_text() {
        for (code, text, part, expected) in [
            (
                "types/call",
                "std.format('%s-%s', 'a', 'b')",
                "'b'",
                Some("write `std.format('%s-%s', ['a', 'b'])`: `vals` is one array"),
            ),
            (
                "types/call",
                "std.join(',', f(a, c), 'b')",
                "'b'",
                Some("write `std.join(',', [f(a, c), 'b'])`: `arr` is one array"),
            ),
            ("types/call", "std.join(',', ['a'], 'b')", "'b'", None),
            ("types/call", "std.length('a', 'b')", "'b'", None),
            ("types/call", "f(1, 2)", "2", None),
            ("types/conflict", "std.parseInt(5)", "5", Some("write `5`: it is a number already")),
            ("types/conflict", "std.length(5)", "5", None),
            ("scope/unbound", "{ local e = 1, [if e == 1 then 'a']: e }", "e == 1", None),
            (
                "value/failed",
                "{ name:: error 'x' } + { nmae:: 1 }",
                "error 'x'",
                Some("did you mean `name` where line 1 has `nmae`?"),
            ),
            ("value/failed", "{ name:: error 'x' } + { host:: 1 }", "error 'x'", None),
        ] {
            let at = text.find(part).unwrap();
            assert_eq!(hint(code, text, at..at + part.len()).as_deref(), expected, "{text}");
        }
        assert!(super::METHODS.is_sorted_by_key(|(name, _)| name));
        for (text, value, expected) in [
            ("cfg.port.toString()", "cfg.port", Some("write `std.toString(cfg.port)`")),
            ("'a,b'.split(',')", "'a,b'", Some("write `std.split('a,b', ',')`")),
            ("'{}'.format(x)", "'{}'", Some("write `'%s' % [x]`")),
            ("['a'].push('b')", "['a']", Some("write `['a'] + ['b']`")),
            ("[1].push(2)", "[1]", Some("write `[1] + [2]`")),
            ("x.port", "x", None),
            ("x.frobnicate()", "x", None),
        ] {
            assert_eq!(hint("types/conflict", text, 0..value.len()).as_deref(), expected, "{text}");
        }
        let text = "{ local e = 1, [if e == 1 then 'a']: e }";
        let at = text.find("e == 1").unwrap();
        let advice = "write `local e = …;` before the object: the names of its fields cannot read its own locals";
        assert_eq!(hint("scope/unbound", text, at..at + 1).as_deref(), Some(advice));
        for text in ["{ [e]: 1, a: { local e = 1 } }", "{ local e = 1, a: [f] } + [e]"] {
            let at = text.find("[e]").unwrap() + 1;
            assert_eq!(hint("scope/unbound", text, at..at + 1), None, "{text}");
        }
    }
}
