//! Advice about values that are used as in other languages: `xs[0]`, `r["a"]`, `[1 2 3]`, `"a" * 3`, `{ port: 80 }`.

use super::words;

/// Functions that the library does not have, and what is written instead.
const ABSENT: [(&str, &str); 12] = [
    ("std.array.sum", "std.array.fold_left (fun a b => a + b) 0 xs"),
    ("std.array.product", "std.array.fold_left (fun a b => a * b) 1 xs"),
    ("std.array.max", "std.array.reduce_left std.number.max xs"),
    ("std.array.min", "std.array.reduce_left std.number.min xs"),
    ("std.array.join", "std.string.join \",\" xs"),
    ("std.array.take", "std.array.slice 0 2 xs"),
    ("std.array.drop", "std.array.slice 2 (std.array.length xs) xs"),
    ("std.array.find", "std.array.first (std.array.filter f xs)"),
    ("std.array.is_empty", "xs == []"),
    ("std.record.keys", "std.record.fields r"),
    ("std.record.merge", "a & b"),
    ("std.string.format", "\"%{x}\""),
];
/// Maximum length of a line that advice repeats with another spelling, in bytes.
const REPEATED: usize = 80;

/// Returns the advice about a value with an error of its type.
pub(super) fn advice(code: &str, before: &str, value: &str, after: &str) -> Option<String> {
    match code {
        "types/not-a-contract" => with_equals(before, value, after),
        "types/not-a-function" | "value/not-a-function" => applied(before, value, after),
        "types/missing-field" | "value/missing-field" => missing(value, after),
        "value/limit" => unchanged(value),
        "types/names-itself" if before.trim_end().ends_with('=') => {
            Some(format!("write `include {value}` for a field with the value of a name from around the record"))
        }
        "types/conflict" | "value/type" if value.trim_start_matches('(').starts_with("fun ") => {
            let line = before.rsplit('\n').next().unwrap_or(before);
            let called = line.rsplit_once("std.array.")?.1.split_whitespace().next()?;
            let is_first = line.rsplit_once("std.array.")?.1.trim_end().trim_end_matches('(').trim_end() != called;
            (is_first && matches!(called, "map" | "filter" | "all" | "any" | "flat_map" | "partition"))
                .then(|| format!("write `std.array.{called} f array`: the function comes first"))
        }
        "types/conflict" | "value/type"
            if value.starts_with('"') && before.trim_end().ends_with("std.array.length") =>
        {
            Some(String::from("write `std.string.length` for the number of characters of a text"))
        }
        "types/conflict" | "value/type" if before.trim_end().ends_with("=!") => {
            Some(String::from("write `!=` to ask whether two values differ"))
        }
        "types/conflict" | "value/type" => {
            let count = after.trim_start().strip_prefix('*')?.trim();
            let is_text = value.starts_with('"') && value.len() <= REPEATED && !value.contains('\n');
            (is_text && count.chars().all(|c| c.is_ascii_alphanumeric()) && !count.is_empty())
                .then(|| format!("write `std.string.join \"\" (std.array.replicate {count} {value})` to repeat a text"))
        }
        _ => None,
    }
}

/// Returns the advice about a function that calls itself with the argument that it has: `f = fun n => … f n - 1`.
fn unchanged(text: &str) -> Option<String> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'');
    text.match_indices(" = fun ").find_map(|(at, sign)| {
        let (head, rest) = (text.get(..at)?, text.get(at + sign.len()..)?);
        let name = head.get(head.rfind(|c| !is_of_name(c)).map_or(0, |at| at + 1)..)?;
        let (parameter, body) = rest.split_once(" => ").filter(|(parameter, _)| parameter.chars().all(is_of_name))?;
        let call = format!("{name} {parameter} ");
        let is_call = |at: &usize| !body.get(..*at).is_some_and(|before| before.ends_with(is_of_name));
        let at = body.match_indices(&call).map(|(at, _)| at).find(is_call)?;
        let after = body.get(at + call.len()..)?;
        let operator = after.chars().next().filter(|c| "-+*/".contains(*c))?;
        let operand = after.get(1..)?.trim_start();
        let operand = operand.get(..operand.find(|c| !is_of_name(c)).unwrap_or(operand.len()))?;
        let is_short =
            !name.is_empty() && !operand.is_empty() && name.len() + parameter.len() + operand.len() < REPEATED;
        is_short.then(|| {
            let operation = format!("{parameter} {operator} {operand}");
            format!("write `{name} ({operation})`: `{name} {operation}` is `({name} {parameter}) {operator} {operand}`")
        })
    })
}

/// Returns the advice about a value that is read as a function.
fn applied(before: &str, value: &str, after: &str) -> Option<String> {
    let is_called = after.starts_with(['(', ' ']);
    match value {
        "Number" if is_called => {
            return Some(String::from("write `std.string.to_number \"80\"` for the number in a text"));
        }
        "String" if is_called => return Some(String::from("write `std.to_string 80` for the text of a value")),
        _ => {}
    }
    if value == "\"\"" && after.starts_with('"') {
        return Some(String::from("write `m%\"…\"%` for a text of several lines"));
    }
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    if is_number(value) && after.starts_with('_') {
        let end = after.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(after.len());
        let digits = after.get(..end)?.replace('_', "");
        return Some(format!("write `{value}{digits}`: a number has no `_`"));
    }
    let is_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if let Some(inner) = after.strip_prefix('[')
        && value.chars().all(is_path)
    {
        let index = inner.split(']').next()?.trim();
        if let Some(field) = index.strip_prefix(['"', '\'']).and_then(|rest| rest.strip_suffix(['"', '\''])) {
            let is_plain = !field.is_empty() && field.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            return Some(match is_plain {
                true => format!("write `{value}.{field}`"),
                false => format!("write `{value}.\"{field}\"`"),
            });
        }
        if let Some((start, end)) = index.split_once(':') {
            let (start, end) = (start.trim(), end.trim());
            return (is_number(start) && is_number(end))
                .then(|| format!("write `std.array.slice {start} {end} {value}`"));
        }
        let field =
            inner.split_once(']').map(|(_, rest)| rest).and_then(|rest| rest.strip_prefix('.')).unwrap_or_default();
        let field = field.get(..field.find(|c| !is_path(c)).unwrap_or(field.len())).unwrap_or_default();
        let read = match index {
            "-1" => format!("std.array.last {value}"),
            index if is_number(index) => format!("std.array.at {index} {value}"),
            _ => return None,
        };
        return Some(match field {
            "" => format!("write `{read}`"),
            field => format!("write `({read}).{field}`"),
        });
    }
    // `[1 2 3]`
    let (head, rest) = (before.rsplit_once('[')?.1, after.split_once(']')?.0);
    let all = format!("{head}{value}{rest}");
    let parts: Vec<&str> = all.split_whitespace().collect();
    let is_simple = |part: &&str| {
        let text = part.trim_matches('"');
        !text.is_empty() && text.chars().all(is_path)
    };
    (parts.len() > 1 && all.len() <= REPEATED && parts.iter().all(is_simple))
        .then(|| format!("write `[{}]`: elements are separated by commas", parts.join(", ")))
}

/// Returns the advice about a field that is read by its name in a text, or that is a method of another language.
fn missing(value: &str, after: &str) -> Option<String> {
    if let Some(rest) = value.strip_prefix("std.record.get \"") {
        let (name, record) = rest.split_once('"')?;
        let record = record.trim();
        let is_short = !record.is_empty() && value.len() <= REPEATED && !value.contains('\n');
        return is_short
            .then(|| format!("write `std.record.get_or \"{name}\" null {record}` for a field that may be missing"));
    }
    if let Some((_, instead)) = ABSENT.iter().find(|(absent, _)| *absent == value) {
        return Some(format!("write `{instead}`"));
    }
    let (record, method) = value.rsplit_once('.')?;
    if record == "std"
        && let Some(own) = words::named(method)
    {
        return Some(format!("write `{own}`: the library has a record for each type"));
    }
    let is_path = record.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let is_call = after.trim_start().starts_with(['(', '{']);
    if is_path && is_call && record != "std" && !record.starts_with("std.") {
        let own = match method {
            "map" => format!("std.record.map (fun name value => …) {record}"),
            "filter" => format!("std.record.filter (fun name value => …) {record}"),
            "keys" => format!("std.record.fields {record}"),
            "values" => format!("std.record.values {record}"),
            "items" | "entries" => format!("std.record.to_array {record}"),
            "has" | "hasKey" | "has_key" | "containsKey" => format!("std.record.has_field \"name\" {record}"),
            _ => String::new(),
        };
        if !own.is_empty() {
            return Some(format!("write `{own}`: a record has no methods"));
        }
    }
    let merges = matches!(method, "merge" | "update" | "extend" | "assign" | "override");
    (is_path && is_call && merges).then(|| match record == "std" || record.starts_with("std.") {
        true => String::from("write `a & b` to merge two records"),
        false => {
            format!("write `{record} & {{ name | force = … }}`: `&` merges records, and `force` overrides a value")
        }
    })
}

/// Returns the line with `=` in the place of the colons after names, if a value after a colon has no type: `{ port: 80 }`.
fn with_equals(before: &str, value: &str, after: &str) -> Option<String> {
    let is_literal = value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '[' | '{' | '-'))
        || matches!(value, "true" | "false" | "null");
    if !is_literal || !before.trim_end().ends_with(':') {
        return None;
    }
    let text = format!("{before}{value}{after}");
    let text = text.trim();
    if text.len() > REPEATED || text.contains(['\n', '`', '%', '|', '#']) {
        return None;
    }
    let (mut out, mut in_text, mut last) = (String::with_capacity(text.len()), false, ' ');
    for c in text.chars() {
        if c == '"' && last != '\\' {
            in_text = !in_text;
        }
        match c {
            ':' if !in_text => {
                out.truncate(out.trim_end().len());
                out.push_str(" =");
            }
            _ => out.push(c),
        }
        last = c;
    }
    let is_program = !out.contains("= =") && !out.ends_with('=');
    is_program.then(|| format!("with `=`, this is `{out}`"))
}

#[cfg(test)]
mod tests {
    use super::advice;

    #[test]
    fn a_value_is_used_as_in_another_language() {
        for (code, text, expected) in [
            ("types/not-a-function", "«xs»[0]", "write `std.array.at 0 xs`"),
            ("types/missing-field", "«std.array.sum» xs", "write `std.array.fold_left (fun a b => a + b) 0 xs`"),
            (
                "types/names-itself",
                "{ a = «a» }",
                "write `include a` for a field with the value of a name from around the record",
            ),
            (
                "value/limit",
                "«let rec f = fun n => if n == 0 then 1 else n * f n - 1 in f 3»",
                "write `f (n - 1)`: `f n - 1` is `(f n) - 1`",
            ),
            ("value/limit", "«let rec f = fun n => f (n - 1) in f 3»", ""),
            ("types/not-a-function", "«xs»[0:2]", "write `std.array.slice 0 2 xs`"),
            ("types/not-a-function", "«xs»[-1]", "write `std.array.last xs`"),
            ("types/not-a-function", "«r.b»[\"c d\"]", "write `r.b.\"c d\"`"),
            ("types/not-a-function", "[«1» 2 3]", "write `[1, 2, 3]`: elements are separated by commas"),
            ("types/not-a-function", "«1»_000", "write `1000`: a number has no `_`"),
            ("types/not-a-function", "f («1» 2)", ""),
            ("types/not-a-contract", "{ port: «80» }", "with `=`, this is `{ port = 80 }`"),
            (
                "types/not-a-contract",
                "{\"a\": «\"b: c\"», \"d\": 1}",
                "with `=`, this is `{\"a\" = \"b: c\", \"d\" = 1}`",
            ),
            ("types/not-a-contract", "{ port | «80» }", ""),
        ] {
            let (before, rest) = text.split_once('«').unwrap();
            let (value, after) = rest.split_once('»').unwrap();
            assert_eq!(advice(code, before, value, after).unwrap_or_default(), expected, "{text}");
        }
    }
}
