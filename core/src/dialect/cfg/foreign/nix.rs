//! Nix: `let a = 1; in a`, `rec { … }`, `inherit x;`, `with r;`, `x: x + 1`.

use super::{Place, REPEATED, contains_word, first_word, inside, is_word, short};

/// Returns advice about an expression of Nix.
pub(super) fn advice(place: &Place<'_>) -> Option<String> {
    let (line, trimmed) = (place.line(), place.before.trim_end());
    if let Some(advice) = of_record(place) {
        return Some(advice);
    }
    // `with pkgs; [git]`
    if let Some((_, rest)) = format!(" {line}").rsplit_once(" with ")
        && let Some((record, names)) = rest.split_once(';')
        && record.split('.').all(is_word)
    {
        let name = first_word(names.trim_start_matches([' ', '[', '(']));
        let (record, name) = (short_or(record, "record"), if name.is_empty() { "name" } else { name });
        return Some(format!("write `{record}.{name}` for a field of `{record}`: there is no `with`"));
    }
    match place.sign {
        "in" if !place.is_unbound && trimmed.ends_with(';') => Some(bindings(place)),
        "rec" if place.after.trim_start().starts_with('{') => Some(String::from(
            "leave out `rec`: the fields of a record can use each other, and are separated by commas: `{ a = 1, b = a }`",
        )),
        "(" if trimmed.ends_with("inherit") => {
            let (record, names) = place.after.split_once(')')?;
            let (record, name) = (record.trim(), first_word(names.trim_start()));
            let is_let = trimmed.trim_end_matches("inherit").trim_end().ends_with("let");
            (is_word(record) && !name.is_empty()).then(|| match is_let {
                true => format!("write `let {name} = {record}.{name} in …`"),
                false => format!("write `{name} = {record}.{name}`: each field is defined by itself"),
            })
        }
        "inherit" if place.is_unbound => {
            let rest = place.after.trim_start();
            Some(match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
                Some((record, names)) if is_word(record.trim()) && is_word(first_word(names.trim_start())) => {
                    let (record, name) = (record.trim(), first_word(names.trim_start()));
                    format!("write `{name} = {record}.{name}`: each name is defined by itself")
                }
                _ => String::from("write `{ include x }` for a field with the value of a name from around the record"),
            })
        }
        name if place.is_unbound && is_word(name) => function(place, name),
        _ => None,
    }
}

/// Returns the advice about a function of a record: `{ x, y ? 2, ... }: x + y`.
fn of_record(place: &Place<'_>) -> Option<String> {
    let (line, at) =
        (format!("{}{}{}", place.line_before(), place.sign, place.line_after()), place.line_before().len());
    let end = line.get(at..)?.find('}').map_or_else(|| line.get(..at)?.rfind('}'), |end| Some(at + end))?;
    let start = line.get(..end)?.rfind('{')?;
    let (parameters, body) = (line.get(start..end)?, line.get(end + 1..)?.trim_start().strip_prefix(':')?);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "{ _-,?.\"'".contains(c);
    if !parameters.chars().all(is_plain) || !(body.is_empty() || body.starts_with([' ', '\n'])) || start > at {
        return None;
    }
    // `{ a }: T` is a record with a type, unless it says what only parameters say
    if !place.is_only_line() && !parameters.contains(['?', '.']) {
        return None;
    }
    let parameters = parameters.replace("...", "..");
    let body = body
        .trim_end()
        .trim_end_matches(" in")
        .split(" in ")
        .next()
        .and_then(short)
        .filter(|body| !body.contains([':', '"', ';']));
    Some(format!(
        "write `fun {}}} => {}`: a function begins with `fun`",
        short_or(&parameters, "{ a, b "),
        body.unwrap_or("…")
    ))
}

/// Returns the advice about a function that is written as `x: body`.
fn function(place: &Place<'_>, name: &str) -> Option<String> {
    // `x -> x + 1`
    if let Some(body) = place.after.trim_start().strip_prefix("->").map(|rest| inside(rest).trim())
        && contains_word(body, name)
    {
        return Some(format!("write `fun {name} => {}`", short(body).unwrap_or("…")));
    }
    let body = inside(place.after.strip_prefix(':').filter(|rest| !rest.starts_with(':'))?);
    let body = body.trim();
    let is_before = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '"' | '[' | '{');
    let is_in_brackets = place.before.trim_end().ends_with('(') && body.starts_with(is_before);
    let is_inner = place.line_before().trim_end().ends_with(':');
    if !(contains_word(body, name) || is_in_brackets) || name.starts_with(|c: char| c.is_ascii_uppercase()) && !is_inner
    {
        return None;
    }
    Some(format!("write `fun {name} => {}`", short(body).filter(|body| !body.contains(':')).unwrap_or("…")))
}

/// Returns the advice about bindings that end with semicolons: `let a = 1; b = 2; in a`.
fn bindings(place: &Place<'_>) -> String {
    let bound = place.before.rsplit_once("let ").map(|(_, bound)| bound.trim().trim_end_matches(';'));
    let body = short(place.line_after()).filter(|body| place.is_only_line() && !body.contains(';'));
    let is_plain = |bound: &&str| !bound.contains(['"', '{', '(', '[', '\n']) && bound.len() <= REPEATED;
    match (bound.filter(is_plain), body) {
        (Some(bound), Some(body)) => {
            let all: Vec<&str> = bound.split(';').map(str::trim).collect();
            format!("write `let {} in {body}`: bindings are separated by commas", all.join(", "))
        }
        _ => String::from(
            "remove the `;` before `in`: several bindings are separated by commas, `let a = 1, b = 2 in …`",
        ),
    }
}

fn short_or<'t>(text: &'t str, other: &'t str) -> &'t str {
    if text.len() <= REPEATED { text } else { other }
}
