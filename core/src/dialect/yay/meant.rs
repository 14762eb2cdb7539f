//! Suggestions for calls that are written as in other languages: filters (`name | upper`) and methods (`name.upper()`).

use super::library;
use std::ops::Range;

/// Maximum length of a text in which a key is looked for, in bytes: each error reads it again.
const LONGEST: usize = 64_000;

/// Returns the call of a function of the library that an expression was meant to be. O(line).
pub fn hint(text: &str, at: Range<usize>) -> Option<String> {
    let start = text.get(..at.start)?.rfind('\n').map_or(0, |end| end + 1);
    if let Some(name) = text.get(at.clone())
        && !text.get(at.end..).is_some_and(|rest| rest.starts_with(':'))
        && let Some(number) = empty(text, name)
    {
        return Some(format!("`{name}` on line {number} has no value: its keys are on lines below it, indented"));
    }
    let line = text.get(start..)?.lines().next()?;
    let at = at.start - start;
    let call = filter(line, at).or_else(|| method(line, at))?;
    Some(format!("write `{call}`"))
}

/// Returns the number of the line of a key that has no value, and no lines below it.
fn empty(text: &str, name: &str) -> Option<usize> {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let is_key = |line: &str| !name.is_empty() && line.trim().strip_suffix(':') == Some(name);
    if text.len() > LONGEST {
        return None;
    }
    let (at, key) = text.lines().enumerate().find(|(_, line)| is_key(line))?;
    let mut below = text.lines().skip(at + 1).filter(|line| !line.trim().is_empty());
    below.next().is_none_or(|line| indent(line) <= indent(key) && !line.trim_start().starts_with('-')).then_some(at + 1)
}

/// Returns the call for `value | function`, or `value | function(arguments)`, around a place in a line.
fn filter(line: &str, at: usize) -> Option<String> {
    let from = line.get(..at)?.rfind("{{").map_or(0, |open| open + 2);
    let (value, rest) = line.get(from..)?.split_once('|')?;
    let rest = rest.split("}}").next()?.trim();
    let (name, arguments) = match rest.split_once('(') {
        Some((name, arguments)) => (name, arguments.strip_suffix(')')?),
        None => (rest, ""),
    };
    is_function(own_name(name)).then(|| call(name, value.trim(), arguments))
}

/// Returns the call for `value.function(arguments)` that begins at a place in a line.
fn method(line: &str, at: usize) -> Option<String> {
    let rest = line.get(at..)?;
    let open = rest.find('(')?;
    let (value, name) = rest.get(..open)?.rsplit_once('.')?;
    let mut depth = 0usize;
    let close = rest.char_indices().skip_while(|(at, _)| *at < open).find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(at)
    })?;
    is_function(name).then(|| call(name, value.trim(), rest.get(open + 1..close).unwrap_or_default()))
}

/// Returns the name that the library has for a function of another language.
pub fn own_name(name: &str) -> &str {
    match name {
        "length" | "size" | "count" => "len",
        "sort" => "sorted",
        "uppercase" | "toUpperCase" | "to_upper" => "upper",
        "lowercase" | "toLowerCase" | "to_lower" => "lower",
        other => other,
    }
}

/// Whether a function of another language has another name here.
pub fn is_renamed(name: &str) -> bool {
    own_name(name) != name
}

/// Whether the library has a function of this name.
pub fn is_function(name: &str) -> bool {
    !name.starts_with('_') && library::items().any(|item| item.name == name)
}

/// Writes a call with the value that it is about.
pub fn call(name: &str, value: &str, arguments: &str) -> String {
    let name = own_name(name);
    match (name, arguments.trim()) {
        (_, "") => format!("{name}({value})"),
        // a name without a match has no value that a function could take
        ("default", fallback) if !fallback.contains(',') => format!("{value} else {fallback}"),
        // the list comes first, in Python it is the argument
        ("join", list) if value.starts_with(['"', '\'']) => format!("join({list}, {value})"),
        (_, arguments) => format!("{name}({value}, {arguments})"),
    }
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn what_a_call_was_meant_to_be() {
        let is = |text: &str, expected: Option<&str>| {
            let at = text.find('«').unwrap();
            assert_eq!(hint(&text.replace('«', ""), at..at + 1).as_deref(), expected, "{text}");
        };
        is("a: {{ env | «upper }}", Some("write `upper(env)`"));
        is("a: {{ s.port | «default(8080) }}", Some("write `s.port else 8080`"));
        is("b: 1\na: {{ «name.upper() }}", Some("write `upper(name)`"));
        is("a: {{ «name.replace(\" \", \"-\") }}", Some("write `replace(name, \" \", \"-\")`"));
        is("a: {{ «\", \".join(hosts) }}", Some("write `join(hosts, \", \")`"));
        is("a: {{ «name.frobnicate() }}", None);
        is("a: {{ «1 | 2 }}", None);
        is("a: {{ «name }}", None);
        assert_eq!(
            hint("host:\nurl: {{ host.name }}", 14..18).as_deref(),
            Some("`host` on line 1 has no value: its keys are on lines below it, indented")
        );
    }
}
