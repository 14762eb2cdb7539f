//! Operators and calls of other languages: `a if c else b`, `c ? a : b`, `(+ 1)`, `xs !! 0`, `[1..5]`, `r.get("a", 1)`.

use super::super::hint::path_at_end;
use super::super::words;
use super::{Place, contains_word, first_word, inside, is_word, short, value_of};

/// Returns advice about an unexpected sign.
pub(super) fn advice(place: &Place<'_>) -> Option<String> {
    let (before, after) = (place.line_before(), place.line_after());
    let (trimmed, rest) = (before.trim_end(), after.trim_start());
    if let Some(path) = imported(place) {
        return Some(path);
    }
    if let Some((scheme, _)) = place.line().split_once("://") {
        let scheme = scheme.rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        if matches!(scheme, "http" | "https" | "ftp" | "file" | "s3" | "git" | "ssh")
            && place.sign.starts_with(['/', ':'])
        {
            return Some(format!("write `\"{scheme}://…\"`: an address is a text, and only files are imported"));
        }
    }
    match place.sign {
        // `"a" in xs`
        "in" if !contains_word(before, "let") && !contains_word(before, "for") => {
            let element = short(value_of(before.rsplit(['(', '{', ',']).next()?))?;
            let array = short(inside(after))?;
            Some(format!("write `std.array.elem {element} {array}`; a record is asked with `std.record.has_field`"))
        }
        // `{ a+: { b = 1 } }`
        "+" if after.starts_with(':') && before.contains(['{', ',']) => {
            let name = path_at_end(trimmed)?;
            Some(format!("write `{name} = …`: `&` merges the records in a field, without `+`"))
        }
        // `base: &base { … }`
        "&" if trimmed.ends_with(':') => {
            let name = path_at_end(trimmed.strip_suffix(':')?)?;
            Some(format!("write `{name} = …`, and the name where the value is used: there are no anchors"))
        }
        // `<<: *base`
        "<" if trimmed.is_empty() && after.starts_with("<:") => {
            let base = after.strip_prefix("<:")?.trim().strip_prefix('*').map_or("base", first_word);
            Some(format!("write `{base} & {{ … }}` to merge a record into another one"))
        }
        // `key: |`
        "|" if trimmed.ends_with(':') && rest.is_empty() => {
            let name = path_at_end(trimmed.strip_suffix(':')?)?;
            Some(format!("write `{name} = m%\"…\"%` for a text of several lines"))
        }
        "if" => {
            let (condition, other) = after.split_once(" else ")?;
            let value = short(value_of(before.rsplit(['{', '(', '[', ',']).next()?))?;
            let (condition, other) = (short(condition)?, short(inside(other).split(',').next()?)?);
            Some(format!("write `if {condition} then {value} else {other}`"))
        }
        "?" if after.starts_with('?') => {
            let path = path_at_end(trimmed).filter(|path| *path != "null")?;
            let default = short(inside(after.get(1..)?)).unwrap_or("…");
            Some(match path.rsplit_once('.') {
                Some((record, field)) => {
                    format!("write `std.record.get_or \"{field}\" {default} {record}` for a field that may be missing")
                }
                None => format!("write `if {path} == null then {default} else {path}`"),
            })
        }
        "?" if rest.starts_with(':') => {
            let name = path_at_end(trimmed)?.rsplit('.').next()?;
            Some(format!("write `{{ {name} | Number | optional }}` for a field that may be missing"))
        }
        "?" if rest.contains(" : ") => {
            let (value, other) = inside(after).split_once(" : ")?;
            let condition = short(value_of(before.rsplit(['{', '(', '[', ',']).next()?))?;
            let other = other.split([',', ';']).next().unwrap_or(other);
            let other =
                [" in ", " else ", " then "].iter().fold(other, |text, word| text.split(word).next().unwrap_or(text));
            Some(format!("write `if {condition} then {} else {}`", short(value)?, short(other)?))
        }
        // `{ ...base, port = 443 }`
        "." | ".." | "..." if begins_with_dots(place) => spread(place),
        "$" if trimmed.ends_with(|c: char| is_word_end(c))
            && rest.starts_with(|c: char| is_word_end(c) || c == '(') =>
        {
            Some(String::from(
                "leave out the `$`: an argument follows its function, `f x`, and one that is a call is in parentheses",
            ))
        }
        "!" if after.starts_with('!') => {
            let index = first_word_or_number(after.get(1..)?);
            Some(format!("write `std.array.at {} {}`", index.unwrap_or("0"), path_at_end(trimmed)?))
        }
        "+" | "*" | "/" | "==" | "<" | ">" | "&&" | "||" | "++" | "@" if trimmed.ends_with('(') => {
            Some(match short(inside(after)) {
                Some(operand) => {
                    format!("write `fun x => x {} {operand}`: an operator has a value on both sides", place.sign)
                }
                None => format!("write `fun a b => a {} b`: an operator has a value on both sides", place.sign),
            })
        }
        "." => {
            let module = ["Array", "String", "Number", "Record"].into_iter().find(|name| trimmed.ends_with(name))?;
            let name = first_word(rest);
            (!name.is_empty())
                .then(|| format!("write `std.{}.{name}`: the library is `std`", module.to_ascii_lowercase()))
        }
        "|" if (trimmed.is_empty() || trimmed.ends_with(['=', '('])) && after.contains('|') => {
            let (parameters, body) = after.split_once('|')?;
            let names: Vec<&str> = parameters.split(',').map(str::trim).collect();
            names
                .iter()
                .all(|name| is_word(name))
                .then(|| format!("write `fun {} => {}`", names.join(" "), short(inside(body)).unwrap_or("…")))
        }
        "$" | "${"
            if !before.contains(['`', '"'])
                && (trimmed.is_empty() || trimmed.ends_with(['=', '(', '[', ',', '+', ':'])) =>
        {
            let name = first_word(after.trim_start_matches(['{', '(']));
            is_word(name).then(|| format!("write `{name}`: a name has no sign before it"))
        }
        "`" => infix(trimmed, after),
        "$" if before.contains('`') => Some(String::from("write `\"… %{x}\"`: a string is in double quotes")),
        ":" if before.ends_with(':') => {
            let name = path_at_end(before.strip_suffix(':')?.trim_end())?;
            let ty = short(value_of(after)).unwrap_or("T");
            Some(format!("write `{name} : {ty}`: a type comes after one `:`"))
        }
        "..." | ".." if trimmed.ends_with(['[', ',']) => {
            let rest = after.trim_start_matches('.');
            let name = first_word(rest);
            if matches!(name, "int" | "string" | "bool" | "number" | "float") {
                return Some(String::from("write `Array Number` for the type of an array"));
            }
            (is_word(name) && rest.get(name.len()..)?.trim_start().starts_with(','))
                .then(|| format!("write `{name} @ […]`: `@` joins two arrays"))
        }
        ".." if trimmed.ends_with(|c: char| c.is_ascii_digit()) => {
            let (head, start) = trimmed.rsplit_once('[').unwrap_or(("", value_of(trimmed)));
            if let Some(array) = path_at_end(head) {
                let end = first_word_or_number(after)?;
                return Some(format!("write `std.array.slice {start} {end} {array}`"));
            }
            let (start, end) = (start.trim().parse::<i64>().ok()?, first_word_or_number(after)?.parse::<i64>().ok()?);
            Some(format!("write `std.array.range {start} {}`: the end is not an element", end.checked_add(1)?))
        }
        "," => call(before, after),
        "=" if is_argument(before) => Some(match path_at_end(before.rsplit_once('(')?.0) {
            Some("dict" | "Map" | "object" | "namedtuple") => String::from("write `{ a = 1 }`: a record is in braces"),
            _ => String::from(
                "leave out the name: the arguments of a function are `f 1 2`, and a record is `f { a = 1 }`",
            ),
        }),
        "<" if trimmed.is_empty() && rest.contains('|') && rest.ends_with('>') => {
            Some(String::from("write `[| 'A, 'B |]` for the type of some tags"))
        }
        "+" | "*" | "/" | "&" if trimmed.ends_with(['+', '*', '-', '&']) && !before.ends_with(['+', '*', '-', '&']) => {
            Some(String::from("leave out one of the two operators"))
        }
        "\\" if before.ends_with('/') => Some(String::from("write `a & b` to merge two records")),
        "@" if trimmed.is_empty() => Some(String::from("write `xs @ ys`: `@` joins two arrays")),
        ">=" | "<=" | ">" | "<" | "!=" if trimmed.ends_with(['&', ':', '|']) => {
            let bound = first_word_or_number(rest)?;
            Some(format!(
                "write `| std.contract.from_predicate (fun x => x {} {bound})` for a range of values",
                place.sign
            ))
        }
        "*" if trimmed.ends_with([':', '|']) && !trimmed.ends_with("||") => {
            let value = first_word_or_number(rest)?;
            Some(format!("write `{{ name | default = {value} }}` for a value that may be replaced"))
        }
        "default" if trimmed.ends_with("export") => {
            Some(String::from("leave out `export default`: a program is one expression, and that is its value"))
        }
        "\\(" => Some(String::from("write `%{…}`: an expression in a string is `\"%{x}\"`")),
        "'" if after.starts_with('\'') => {
            Some(String::from("write double quotes: `\"text\"`, and `m%\"…\"%` for a text of several lines"))
        }
        sign if sign != "="
            && trimmed.rsplit_once("let ").is_some_and(|(_, name)| is_word(name))
            && after.contains(" in ") =>
        {
            let (_, name) = trimmed.rsplit_once("let ")?;
            Some(format!("write `let {name} = … in …`"))
        }
        sign if is_word(sign) && trimmed.ends_with(" with") => {
            let record = path_at_end(trimmed.strip_suffix("with")?.trim_end())?;
            Some(format!("write `{record} & {{ {sign} = … }}`: a record is changed by merging another one"))
        }
        _ => None,
    }
}

fn is_word_end(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '"')
}

/// Returns `true` if an unexpected dot is one of three that begin a field.
fn begins_with_dots(place: &Place<'_>) -> bool {
    let before = place.before.trim_end_matches('.');
    let dots = place.before.len() - before.len() + place.sign.len();
    let rest = place.after.trim_start_matches('.');
    dots + place.after.len() - rest.len() == 3 && before.trim_end().ends_with(['{', ','])
}

/// Returns the advice about `...` in a record or in the pattern of a record.
fn spread(place: &Place<'_>) -> Option<String> {
    let rest = place.after.trim_start_matches('.');
    if rest.trim_start().starts_with('}') {
        return Some(String::from("write `..` for further fields"));
    }
    let is_of_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let end = rest.find(|c| !is_of_path(c)).unwrap_or(rest.len());
    let base = rest.get(..end).filter(|base| base.split('.').all(is_word)).and_then(short)?;
    let next = rest.get(end..)?.trim_start().strip_prefix(',').map(str::trim_start).unwrap_or_default();
    let field = next.split_once('=').filter(|(name, value)| is_word(name.trim()) && !value.starts_with(['=', '>']));
    let (name, value) = field.map_or(("name", "…"), |(name, value)| {
        let value = inside(value).split(',').next().and_then(short).filter(|value| !value.contains(['"', '\'']));
        (name.trim(), value.unwrap_or("…"))
    });
    Some(format!("write `{base} & {{ {name} | force = {value} }}`: `&` merges records, and `force` overrides a value"))
}

/// Returns the advice about the path after `import`: `import ./a.cfg`, `import 'a.cfg'`, `import <nixpkgs>`.
fn imported(place: &Place<'_>) -> Option<String> {
    let before = place.line_before().trim_end();
    if before.ends_with("\" as") && before.trim_start().starts_with("import ") && is_word(place.sign) {
        let (_, path) = before.split_once('"')?;
        let path = path.split('"').next()?;
        return Some(format!("write `let {} = import \"{path}\" in …`", place.sign));
    }
    if let Some((_, path)) = before.rsplit_once("import \"").filter(|_| place.sign == "&")
        && let Some(path) = path.strip_suffix('"').filter(|path| !path.contains('"')).and_then(short)
    {
        return Some(format!("write `(import \"{path}\") & …`: an import is in parentheses"));
    }
    if !before.ends_with("import") {
        return None;
    }
    if place.sign == "std" || place.sign.starts_with("std.") {
        let path = short(place.sign)?;
        return Some(format!("write `{path}`: the library needs no import"));
    }
    // `import("a.yaml")`
    if place.sign == "(" {
        let path = place.after.strip_prefix('"')?.split('"').next()?;
        return short(path).map(|path| format!("write `import \"{path}\"`: `import` is not a function"));
    }
    let rest = place
        .after
        .get(..place.after.find(|c: char| c.is_whitespace() || ";,)}".contains(c)).unwrap_or(place.after.len()))?;
    let path = format!("{}{rest}", place.sign);
    let path = path.trim_matches('\'');
    match place.sign.chars().next()? {
        '<' => Some(String::from("write `import \"path/to/file.ncl\"`: only files are imported")),
        '.' | '/' | '\'' | '~' if path.contains(['.', '/']) && short(path).is_some() => {
            Some(format!("write `import \"{path}\"`"))
        }
        _ => None,
    }
}

/// Returns the advice about a name between grave accents: ``a `div` b``.
fn infix(before: &str, after: &str) -> Option<String> {
    let (name, rest) = after.split_once('`').filter(|(name, _)| is_word(name))?;
    let (left, right) = (path_at_end(before)?, short(inside(rest))?);
    Some(match name {
        "div" | "quot" => format!("write `std.number.truncate ({left} / {right})`"),
        "mod" | "rem" => format!("write `{left} % {right}`"),
        "elem" => format!("write `std.array.elem {left} {right}`"),
        _ => format!("write `{name} {left} {right}`: a function comes before its arguments"),
    })
}

/// Returns the advice about the comma in a call: `r.get("a", 1)`, `merge(a, b)`.
fn call(before: &str, after: &str) -> Option<String> {
    let (head, first) = before.rsplit_once('(')?;
    let (first, second) = (short(first)?, short(inside(after)).filter(|second| !second.contains(',')));
    let path = path_at_end(head)?;
    let (receiver, name) = path.rsplit_once('.').unwrap_or(("", path));
    match name {
        "get" | "getOrDefault" if !receiver.is_empty() && first.starts_with('"') => Some(format!(
            "write `std.record.get_or {first} {} {receiver}` for a field that may be missing",
            second.unwrap_or("…")
        )),
        "merge" | "union" | "assign" | "deepmerge" | "merged" if receiver.is_empty() || receiver == "Object" => {
            Some(match second {
                Some(second) => format!("write `{first} & {second}` to merge two records"),
                None => String::from("write `a & b` to merge two records"),
            })
        }
        "isinstance" => {
            Some(format!("write `std.is_number {first}`, or `std.is_string`, `std.is_record`, `std.is_array`"))
        }
        "lookup" | "get_or" | "getattr" if receiver.is_empty() => {
            Some(String::from("write `std.record.get_or \"name\" default record` for a field that may be missing"))
        }
        _ if receiver.is_empty() => {
            words::filter(name).map(|own| format!("write `{own} a b`: arguments are separated by spaces"))
        }
        _ => None,
    }
}

/// Returns `true` if a text ends with the name of an argument: `f(a`, `f(1, a`.
fn is_argument(before: &str) -> bool {
    before.trim_end().rsplit_once(['(', ',']).is_some_and(|(head, name)| {
        is_word(name.trim())
            && before.rsplit_once('(').is_some_and(|(call, _)| path_at_end(call).is_some())
            && !head.ends_with('{')
    })
}

/// Returns the name or the number with which a text begins.
fn first_word_or_number(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    text.get(..end).filter(|word| !word.is_empty())
}
