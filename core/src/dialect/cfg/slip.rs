//! Advice about syntax of other languages, from the text around an unexpected token.

use super::hint::path_at_end;
use super::words;

/// Words of other languages before a definition: `set y = 3`.
const DEFINERS: [&str; 8] = ["set", "export", "define", "declare", "env", "setenv", "setq", "global"];

/// Returns the advice about an unexpected token.
pub(super) fn advice(before: &str, sign: &str, after: &str) -> Option<String> {
    let line = before.rsplit('\n').next().unwrap_or(before);
    match sign {
        "." if before.trim().is_empty() => Some(jq_path(after)),
        // `xs.[0]`
        "[" if before.ends_with('.') => {
            let (path, index) = (path_at_end(before.strip_suffix('.')?)?, number_at_start(after)?);
            Some(format!("write `std.array.at {index} {path}`"))
        }
        // `xs[1:]`
        "]" if before.ends_with(':') => {
            let (array, index) = before.strip_suffix(':')?.rsplit_once('[')?;
            let (path, index) = (path_at_end(array)?, number_at_start(index).unwrap_or("0"));
            Some(format!(
                "write `std.array.slice {index} (std.array.length {path}) {path}` for the elements from {index} on"
            ))
        }
        // `x?.a`
        "?" if after.starts_with('.') => {
            let (path, field) = (path_at_end(before)?, word_at_start(after.strip_prefix('.')?)?);
            Some(format!("write `std.record.get_or \"{field}\" null {path}` for a field that may be missing"))
        }
        // `5 // 2`
        "/" if before.ends_with('/') && after.trim_start().starts_with(|c: char| c.is_ascii_digit()) => {
            let operand = before.strip_suffix('/')?.trim_end();
            operand.ends_with(|c: char| c.is_alphanumeric() || c == ')').then(|| {
                String::from(
                    "write `m / n` for a division, and `std.number.truncate (m / n)` for one without a remainder",
                )
            })
        }
        "," if before.trim_end().ends_with(|c: char| c.is_alphanumeric() || c == '"') => parameters(line, after),
        "=>" => {
            // `xs.map(v => …)`
            if let Some((head, parameter)) = line.rsplit_once('(').filter(|(_, parameter)| is_word(parameter.trim())) {
                let called =
                    head.rsplit_once('.').filter(|(_, name)| matches!(*name, "map" | "filter" | "all" | "any"));
                let (parameter, array) = (parameter.trim(), called.and_then(|(array, _)| path_at_end(array)));
                let array = array.filter(|array| !array.starts_with("std."));
                return Some(match (called, array) {
                    (Some((_, name)), Some(array)) => {
                        format!("write `std.array.{name} (fun {parameter} => …) {array}`")
                    }
                    _ => format!("write `fun {parameter} => …`"),
                });
            }
            let name = line.rsplit(['{', ',']).next()?.trim();
            let is_field = is_word(name) && (line.contains(['{', ',']) || before.contains('{'));
            is_field.then(|| format!("write `{name} = …`: a field is defined with `=`"))
        }
        ")" if before.ends_with('(') => method(before.strip_suffix('(')?),
        "if" if before.trim_end().ends_with(['{', ',']) => Some(String::from(
            "write `{ a = if c then 1 else 2 }`: a field has a name; or merge: `base & (if c then { a = 1 } else {})`",
        )),
        _ if sign.starts_with("''") => {
            Some(String::from("write double quotes: `\"text\"`, and `m%\"…\"%` for a text of several lines"))
        }
        _ if sign.starts_with('"') && line.trim_end().rsplit(',').next()?.trim_end().ends_with("[|") => {
            Some(String::from("write `[| 'info, 'warn |]`: the tags of an enum type are written `'info`"))
        }
        _ if sign.starts_with(|c: char| c.is_ascii_digit()) && line.trim_end().ends_with('{') => {
            // `{1, 2}`
            let rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim_start();
            rest.starts_with([',', '}']).then(|| String::from("write `[1, 2]`: an array is in brackets"))
        }
        _ if is_word(sign) => word(line, before, sign, after),
        _ => None,
    }
}

/// Returns the advice about an unexpected name after a name: `my key = 1`, `set y = 3`, `with s`.
fn word(line: &str, before: &str, sign: &str, after: &str) -> Option<String> {
    let first = line.rsplit(['{', ',']).next()?.trim();
    let defines = begins_with(after, &["="]) && !begins_with(after, &["==", "=>"]);
    if first == "with" && !defines {
        return Some(String::from(
            "write `base & { b = 2 }` to merge records; a field of a record is read as `base.a`",
        ));
    }
    if line.trim().is_empty() && defines && last_open(before) == Some('[') {
        return Some(format!("write `]` at the end of the line before: the definition of `{sign}` begins here"));
    }
    let in_record = line.contains(['{', ',']) || before.trim_end_matches(line).trim_end().ends_with(['{', ',']);
    if DEFINERS.contains(&first) && defines {
        return Some(match in_record {
            true => format!("write `{sign} = …`"),
            false => format!("write `let {sign} = … in …`"),
        });
    }
    (defines && in_record && first.split_whitespace().all(is_word) && !first.is_empty()).then(|| {
        format!("write `\"{first} {sign}\" = …`: a name with a blank is in quotes; a function is `{first} = fun {sign} => …`")
    })
}

/// Returns the advice about a comma after `(`: in the parameters of a function, or between elements.
fn parameters(line: &str, after: &str) -> Option<String> {
    let (head, first) = line.rsplit_once('(')?;
    let (rest, body) = after.split_once(')')?;
    let names: Vec<&str> = std::iter::once(first).chain(rest.split(',')).map(str::trim).collect();
    let are_names = names.iter().all(|name| is_word(name));
    let (head, body) = (head.trim_end(), body.trim_start());
    if are_names && ends_in_fun(head) {
        return Some(format!("write `fun {} => …`: parameters are separated by spaces", names.join(" ")));
    }
    if are_names && body.starts_with("=>") {
        return Some(format!("write `fun {} => …`", names.join(" ")));
    }
    if are_names && is_word(head) && body.starts_with('=') && !body.starts_with("==") {
        return Some(format!("write `let {head} = fun {} => … in …`", names.join(" ")));
    }
    let is_call = head.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')' | ']' | '\''));
    (!is_call || head.ends_with(" in"))
        .then(|| String::from("write `[1, 2]`: the elements of an array are in brackets"))
}

fn ends_in_fun(head: &str) -> bool {
    head.strip_suffix("fun").is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Returns the advice about a call without arguments, `x.keys()`, if the method is a function of the library.
fn method(call: &str) -> Option<String> {
    let (receiver, name) = call.rsplit_once('.')?;
    let is_text = receiver.ends_with('"');
    let function = words::method(name, is_text)?;
    let receiver = if is_text { Some("text") } else { path_at_end(receiver) };
    Some(format!("write `{function} {}`: a method is a function of the library", receiver.unwrap_or("x")))
}

/// Returns the advice about a path of jq: `.server.port`, `. | keys`.
fn jq_path(after: &str) -> String {
    let path = after.trim();
    match path_at_end(path) {
        Some(whole) if whole == path => format!("write `{path}`: a path begins with a name"),
        _ => String::from("write `record.name` for a field; a function is applied as in `record |> std.record.fields`"),
    }
}

/// Returns the advice about the target of a definition that is not a name: `f(x) = e`, `fun x = e`.
pub(super) fn definition(target: &str) -> Option<String> {
    if target.starts_with("fun ") {
        return Some(String::from("write `let f = fun x => … in …`"));
    }
    let (name, parameters) = target.trim_end_matches(')').split_once('(')?;
    let parameters: Vec<&str> = parameters.split_whitespace().collect();
    let parameters = if parameters.is_empty() { vec!["_"] } else { parameters };
    let are_names = is_word(name.trim()) && parameters.iter().all(|name| is_word(name));
    are_names.then(|| format!("write `let {} = fun {} => … in …`", name.trim(), parameters.join(" ")))
}

/// Returns the advice about a name at the beginning of a line after a field without its comma: `name | Secret⏎port | Number`.
pub(super) fn missing_comma(name: &str, before: &str, after: &str) -> Option<String> {
    let (earlier, indent) = before.rsplit_once('\n')?;
    // a colon at the end of a line is one of YAML
    let is_yaml = after
        .trim_start_matches(' ')
        .strip_prefix(':')
        .is_some_and(|rest| rest.trim_start_matches(' ').starts_with('\n'));
    let continues = begins_with(after, &["|", ":", "="]) && !begins_with(after, &["||", "|>", "==", "=>"]) && !is_yaml;
    let last = earlier.lines().rev().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))?;
    let last = last.split(" #").next().unwrap_or(last).trim_end();
    let is_annotated = last.contains([':', '|']);
    let is_whole = last.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | ']' | '}' | ')'));
    (indent.trim().is_empty() && continues && is_annotated && is_whole)
        .then(|| format!("write a `,` at the end of the line before: `{name}` is read as an argument"))
}

/// Returns the advice about a value whose type is wrong, from the call or the annotation that it is in.
pub(super) fn of_value(before: &str, value: &str, after: &str) -> Option<String> {
    let line = before.rsplit('\n').next().unwrap_or(before);
    let is_last = after.trim_start_matches([' ', ')']).starts_with([',', '\n', '}']) || after.trim().is_empty();
    if is_last
        && let Some(fold) =
            ["fold_left", "fold_right"].into_iter().find(|fold| line.contains(&format!("std.array.{fold} ")))
        && value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '{'))
        && path_at_end(line.trim_end()).is_some()
    {
        return Some(format!("write `std.array.{fold} f start array`: the array comes last"));
    }
    if let Some((_, function)) = line.rsplit_once("std.record.map (fun ")
        && function.split_once("=>").is_some_and(|(parameters, _)| is_word(parameters.trim()))
    {
        return Some(String::from(
            "write `fun name value => …`: `std.record.map` passes the name of the field, and its value",
        ));
    }
    let inner =
        value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).filter(|inner| !inner.starts_with('|'))?;
    if !before.trim_end().ends_with('|') {
        return None;
    }
    let inner = inner.trim();
    if is_word(inner) && inner.starts_with(|c: char| c.is_ascii_uppercase()) {
        return Some(format!("write `Array {inner}` for the type of an array"));
    }
    inner
        .starts_with(['"', '\''])
        .then(|| String::from("write `[| 'info, 'warn |]` for one of several values, which are then written `'info`"))
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// Returns the last bracket of a text that is not closed.
fn last_open(text: &str) -> Option<char> {
    let mut closed = 0;
    text.chars().rev().find(|c| match c {
        ')' | ']' | '}' => {
            closed += 1;
            false
        }
        '(' | '[' | '{' if closed > 0 => {
            closed -= 1;
            false
        }
        '(' | '[' | '{' => true,
        _ => false,
    })
}

/// Returns `true` if one of the signs is next on the line.
fn begins_with(text: &str, signs: &[&str]) -> bool {
    let text = text.trim_start_matches([' ', '\t']);
    signs.iter().any(|sign| text.starts_with(sign))
}

fn word_at_start(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    text.get(..end).filter(|word| is_word(word))
}

fn number_at_start(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end).filter(|digits| !digits.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_of_other_languages_has_its_equivalent() {
        let advice_at = |text: &str| {
            let (before, rest) = text.split_once('«').unwrap();
            let (sign, after) = rest.split_once('»').unwrap();
            advice(before, sign, after).unwrap_or_default()
        };
        for (text, expected) in [
            ("«.»server.port", "write `server.port`: a path begins with a name"),
            ("x.tags.«[»0]", "write `std.array.at 0 x.tags`"),
            ("a«?».b", "write `std.record.get_or \"b\" null a` for a field that may be missing"),
            ("xs[1:«]»", "write `std.array.slice 1 (std.array.length xs) xs` for the elements from 1 on"),
            ("{ add = fun (a«,» b) => a }", "write `fun a b => …`: parameters are separated by spaces"),
            ("(a«,» b) => a", "write `fun a b => …`"),
            ("f(x«,» y) = x", "write `let f = fun x y => … in …`"),
            ("x = (1«,» 2)", "write `[1, 2]`: the elements of an array are in brackets"),
            ("f(1«,» 2)", ""),
            ("{ a «=>» 1 }", "write `a = …`: a field is defined with `=`"),
            ("x «=>» x", ""),
            ("a.xs.map(v «=>» v)", "write `std.array.map (fun v => …) a.xs`"),
            (
                "{ my «key» = 1 }",
                "write `\"my key\" = …`: a name with a blank is in quotes; a function is `my = fun key => …`",
            ),
            ("{ n = x.keys(«)» }", "write `std.record.fields x`: a method is a function of the library"),
            (
                "{ n = \"x\".toUpperCase(«)» }",
                "write `std.string.uppercase text`: a method is a function of the library",
            ),
            ("a.b(«)»", ""),
            ("{«1», 2}", "write `[1, 2]`: an array is in brackets"),
            ("{ «1»a = 2 }", ""),
            ("set «y» = 3", "write `let y = … in …`"),
            ("export «A»=1", "write `let A = … in …`"),
        ] {
            assert_eq!(advice_at(text), expected, "{text}");
        }
    }

    #[test]
    fn a_missing_comma_is_before_a_name_that_begins_a_line() {
        assert!(missing_comma("port", "{\n  name | NonEmpty\n  ", " | Number = 80 }").is_some());
        assert!(missing_comma("port", "{\n  name | NonEmpty # text\n\n  ", ": Number }").is_some());
        assert!(missing_comma("port", "{\n  name | NonEmpty,\n  ", " | Number }").is_none());
        assert!(missing_comma("port", "{\n  name = f\n  ", " + 1 }").is_none());
    }
}
