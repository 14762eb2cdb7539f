//! Advice from the text around an error.

use super::applied;
use super::foreign;
use super::slip;
use super::words;
use std::ops::Range;

/// Returns the advice about an error at a place.
pub(super) fn hint(code: &str, text: &str, at: Range<usize>) -> Option<String> {
    if code == "types/not-a-contract"
        && let Some(advice) = value_as_contract(text, at.clone())
    {
        return Some(advice);
    }
    if let Some(advice) = foreign::advice(code, text, at.clone()) {
        return Some(advice);
    }
    let (before, sign, after) = (text.get(..at.start)?, text.get(at.clone())?, text.get(at.end..)?);
    match code {
        "scope/unbound" => return unbound(sign, before, after),
        "syntax/path-binding" => return slip::definition(sign),
        "syntax/unexpected" => {}
        _ if code.starts_with("value/") || code.starts_with("types/") => {
            let is_of_value = code != "types/not-a-contract" && (code == "value/type" || code.starts_with("types/"));
            let of_value = || is_of_value.then(|| slip::of_value(before, sign, after)).flatten();
            return applied::advice(code, before, sign, after).or_else(of_value);
        }
        _ => return None,
    }
    if let Some(advice) = slip::advice(before, sign, after) {
        return Some(advice);
    }
    let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '\'');
    let next = after.get(..after.find(|c| !name(c)).unwrap_or(after.len()))?;
    match sign {
        // `a..b`
        ".." if !next.is_empty() => {
            let path = path_at_end(before)?;
            Some(format!("a field is read with one dot: `{path}.{next}`"))
        }
        // `import "x".a`
        "." if !next.is_empty() && before.ends_with('"') => {
            let (start, file) = before.strip_suffix('"')?.rsplit_once('"')?;
            let is_import = start.trim_end().ends_with("import") && !file.contains('\n');
            is_import.then(|| format!("a field of an import is read after brackets: `(import \"{file}\").{next}`"))
        }
        // `x // { a = 1 }`
        "/" if after.trim_start().starts_with('{') && path_at_end(before.strip_suffix('/')?.trim_end()).is_some() => {
            let path = path_at_end(before.strip_suffix('/')?.trim_end())?;
            Some(format!("write `{path} & {{ name | force = … }}`: `&` merges records, and `force` overrides a value"))
        }
        // `x ? a`
        "?" if !after.contains(':') && path_at_end(before.trim_end()).is_some() => {
            let name = after.trim();
            let is_name = path_at_end(name).is_some_and(|whole| whole == name && !name.contains('.'));
            let path = path_at_end(before.trim_end())?;
            is_name.then(|| format!("write `std.record.has_field \"{name}\" {path}` to ask whether it has a field"))
        }
        // `f x = x + 1`
        _ if defines_function(before, sign, after).is_some() => {
            let (name, parameters) = defines_function(before, sign, after)?;
            Some(format!("write `let {name} = fun {parameters} => … in …`"))
        }
        // `a.b()`
        ")" if before.ends_with('(') => {
            let path = path_at_end(before.strip_suffix('(')?)?;
            Some(match path.contains('.') {
                true => {
                    format!("a field is read without brackets, `{path}`, and an argument follows a function: `f x`")
                }
                false => {
                    format!("write `{path}` for a value; an argument follows a function without brackets: `{path} x`")
                }
            })
        }
        _ => None,
    }
}

/// Returns the advice about a name that is not bound: a function of another language, or `merge` that is not metadata.
fn unbound(name: &str, before: &str, after: &str) -> Option<String> {
    if name == "merge" && !before.trim_end().ends_with('|') {
        return Some(String::from("write `a & b` to merge two records"));
    }
    if let Some(advice) = slip::missing_comma(name, before, after) {
        return Some(advice);
    }
    // `tags | length`
    if let Some(piped) = before.trim_end().strip_suffix('|').filter(|piped| !piped.ends_with('|'))
        && let (Some(path), Some(function)) = (path_at_end(piped.trim_end()), words::named(name))
        && !after.trim_start().starts_with(['=', ','])
    {
        return Some(format!("write `{path} |> {function}`"));
    }
    // `x.a or 1`
    if name == "or"
        && let Some((record, field)) = path_at_end(before.trim_end()).and_then(|path| path.rsplit_once('.'))
    {
        let default = foreign_default(after);
        return Some(format!(
            "write `std.record.get_or \"{field}\" {default} {record}` for a field that may be missing"
        ));
    }
    if name == "or"
        && !before.trim_end().ends_with([')', '"'])
        && !before.contains(['<', '>', '!'])
        && !before.contains("==")
    {
        let left = path_at_end(before.trim_end()).unwrap_or_default();
        if !left.is_empty() && !matches!(left, "true" | "false") {
            let value = if left == "null" { "x" } else { left };
            return Some(format!(
                "write `if {value} == null then {} else {value}` for a default; between two values of Bool, `or` is `||`",
                foreign_default(after)
            ));
        }
    }
    if matches!(name, "f" | "r" | "b" | "u" | "F") && after.starts_with('"') {
        return Some(String::from("write `\"… %{x}\"`: a string has no letter before it"));
    }
    let is_line = before.trim().is_empty() && !after.trim_end().contains('\n');
    // `port: 8080`
    if is_line
        && let Some(value) = after.strip_prefix(": ").map(str::trim_start)
        && value
            .starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '"' | '[' | '-' | '{'))
    {
        return Some(format!("write `{name} = …`: the value of a name comes after `=`"));
    }
    if before.trim_start() == "- " && !after.trim_end().contains('\n') {
        return Some(match after.starts_with(": ") {
            true => format!("write `[{{ {name} = … }}]`: the elements of an array are in brackets"),
            false => String::from("write `[…]`: the elements of an array are in brackets"),
        });
    }
    let function = words::function(name, before, after)?;
    Some(match after.starts_with('.') {
        // `Object.keys(x)`
        true => format!("write `{function} x`"),
        false => format!("did you mean `{function}`?"),
    })
}

/// Returns the operand that begins a text, if it is one word: ` 5` → `5`.
fn foreign_default(after: &str) -> &str {
    let after = after.trim();
    if !after.is_empty() && after.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') { after } else { "…" }
}

/// Returns the name and the parameters of a function that is defined as `f x y = e`, where `x` is unexpected.
fn defines_function<'t>(before: &'t str, sign: &'t str, after: &'t str) -> Option<(&'t str, String)> {
    let name = before.rsplit('\n').next()?.trim();
    let (rest, _) = after.lines().next()?.split_once('=').filter(|(_, value)| !value.starts_with(['=', '>']))?;
    let parameters: Vec<&str> = std::iter::once(sign).chain(rest.split_whitespace()).collect();
    let is_name = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
            && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '\''))
    };
    (is_name(&name) && parameters.iter().all(is_name)).then(|| (name, parameters.join(" ")))
}

/// Returns the advice about a value in the place of a type: `level | "info" | "warn"`, `ports | [Number]`.
fn value_as_contract(text: &str, at: Range<usize>) -> Option<String> {
    let (value, before) = (text.get(at.clone())?, text.get(..at.start)?.trim_end());
    if let Some(inner) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(str::trim)
        && before.ends_with(['|', ':'])
        && inner.starts_with(|c: char| c.is_ascii_uppercase())
        && inner.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
    {
        return Some(format!("write `Array {inner}` for the type of an array"));
    }
    let is_text = value.starts_with('"') && before.ends_with('|');
    is_text.then(|| {
        String::from("write `level | [| 'info, 'warn |]` for one of several texts, with values such as `'info`")
    })
}

/// Returns the path of names with which a text ends: `1 + a.b` → `a.b`.
pub(super) fn path_at_end(text: &str) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '\'' | '.');
    let start = text
        .rfind(|c| !is_part(c))
        .map_or(0, |at| at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8));
    text.get(start..)
        .filter(|path| path.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !path.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn advice_is_about_the_text_around() {
        let advice = |text: &str, sign: &str| {
            let at = text.find(sign).unwrap();
            hint("syntax/unexpected", text, at..at + sign.len()).unwrap_or_default()
        };
        assert_eq!(advice("1 + a..b", ".."), "a field is read with one dot: `a.b`");
        assert_eq!(advice("[1 .. 2]", ".."), "write `std.array.range 1 3`: the end is not an element");
        let import = "a field of an import is read after brackets: `(import \"a.yaml\").b`";
        let text = "import \"a.yaml\".b";
        let at = text.rfind('.').unwrap();
        assert_eq!(hint("syntax/unexpected", text, at..at + 1).as_deref(), Some(import));
        let call = "a field is read without brackets, `a.b`, and an argument follows a function: `f x`";
        assert_eq!(advice("a.b()", ")"), call);
        assert_eq!(advice("()", ")"), "");
    }
}
