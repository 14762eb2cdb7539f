//! The module `golang/strings`: the functions of Go's package `strings`. Positions count bytes; -1 is "not found".

use super::args::{Answer, int, of_int, of_length, of_text, pure, text, texts};
use super::table::Module;
use crate::value::{Call, Machine, Text, Thunk, Value};

/// The module `golang/strings`.
pub static MODULE: Module = Module {
    path: "golang/strings",
    doc: "The functions of Go's package `strings`. Positions count bytes from 0; -1 is returned where nothing is found.",
    functions: &[
        pure("clone", "func(s str) str", "Returns the string.", |m, a, c| Ok(Value::String(text(m, a, 0, c)?))),
        pure(
            "compare",
            "func(a str, b str) int",
            "Returns -1, 0 or 1: the order of two strings by bytes.",
            |m, a, c| with_two(m, a, c, |s, t| Ok(of_int(s.cmp(t) as i64))),
        ),
        pure(
            "contains",
            "func(s str, part str) bool",
            "Returns whether the second string is a part of the first.",
            |m, a, c| with_two(m, a, c, |s, part| Ok(Value::Bool(s.contains(part)))),
        ),
        pure(
            "contains_any",
            "func(s str, chars str) bool",
            "Returns whether a character of the second string is in the first.",
            |m, a, c| with_two(m, a, c, |s, chars| Ok(Value::Bool(s.contains(|x| chars.contains(x))))),
        ),
        pure(
            "count",
            "func(s str, part str) int",
            "Counts the places of a part that do not overlap. Of an empty part there is one more than characters.",
            |m, a, c| {
                with_two(m, a, c, |s, part| {
                    Ok(of_length(if part.is_empty() { s.chars().count() + 1 } else { s.matches(part).count() }))
                })
            },
        ),
        pure(
            "equal_fold",
            "func(s str, t str) bool",
            "Returns whether two strings differ only in the case of letters.",
            |m, a, c| with_two(m, a, c, |s, t| Ok(Value::Bool(s.chars().map(lower).eq(t.chars().map(lower))))),
        ),
        pure(
            "has_prefix",
            "func(s str, prefix str) bool",
            "Returns whether the first string begins with the second.",
            |m, a, c| with_two(m, a, c, |s, prefix| Ok(Value::Bool(s.starts_with(prefix)))),
        ),
        pure(
            "has_suffix",
            "func(s str, suffix str) bool",
            "Returns whether the first string ends with the second.",
            |m, a, c| with_two(m, a, c, |s, suffix| Ok(Value::Bool(s.ends_with(suffix)))),
        ),
        pure("index", "func(s str, part str) int", "Returns the first position of a part.", |m, a, c| {
            with_two(m, a, c, |s, part| Ok(position(s.find(part))))
        }),
        pure(
            "index_any",
            "func(s str, chars str) int",
            "Returns the first position of a character of the second string.",
            |m, a, c| with_two(m, a, c, |s, chars| Ok(position(s.find(|x| chars.contains(x))))),
        ),
        pure("join", "func(parts []str, separator str) str", "Joins strings with a separator.", join),
        pure("last_index", "func(s str, part str) int", "Returns the last position of a part.", |m, a, c| {
            with_two(m, a, c, |s, part| Ok(position(s.rfind(part))))
        }),
        pure(
            "last_index_any",
            "func(s str, chars str) int",
            "Returns the last position of a character of the second string.",
            |m, a, c| with_two(m, a, c, |s, chars| Ok(position(s.rfind(|x| chars.contains(x))))),
        ),
        pure("repeat", "func(s str, count int) str", "Repeats a string. Fails if the count is negative.", repeat),
        pure(
            "replace",
            "func(s str, old str, new str, n int) str",
            "Replaces the first `n` places of a part; a negative `n` replaces all.",
            replace,
        ),
        pure("replace_all", "func(s str, old str, new str) str", "Replaces all places of a part.", |m, a, c| {
            replaced(m, a, c, None)
        }),
        pure("title", "func(s str) str", "Converts the first letter of each word to upper case.", |m, a, c| {
            mapped(m, a, c, titled)
        }),
        pure("to_lower", "func(s str) str", "Converts all letters to lower case.", |m, a, c| {
            mapped(m, a, c, |s| s.chars().map(lower).collect())
        }),
        pure("to_title", "func(s str) str", "Converts all letters to upper case.", |m, a, c| {
            mapped(m, a, c, |s| s.chars().map(upper).collect())
        }),
        pure("to_upper", "func(s str) str", "Converts all letters to upper case.", |m, a, c| {
            mapped(m, a, c, |s| s.chars().map(upper).collect())
        }),
        pure(
            "to_valid_utf_8",
            "func(s str, replacement str) str",
            "Returns the string: strings are valid UTF-8.",
            |m, a, c| Ok(Value::String(text(m, a, 0, c)?)),
        ),
        pure(
            "trim",
            "func(s str, chars str) str",
            "Removes the characters of the second string from both ends of the first.",
            |m, a, c| trimmed(m, a, c, |s, chars| s.trim_matches(|x| chars.contains(x))),
        ),
        pure(
            "trim_left",
            "func(s str, chars str) str",
            "Removes the characters of the second string from the beginning of the first.",
            |m, a, c| trimmed(m, a, c, |s, chars| s.trim_start_matches(|x| chars.contains(x))),
        ),
        pure("trim_prefix", "func(s str, prefix str) str", "Removes a prefix, if the string has it.", |m, a, c| {
            trimmed(m, a, c, |s, prefix| s.strip_prefix(prefix).unwrap_or(s))
        }),
        pure(
            "trim_right",
            "func(s str, chars str) str",
            "Removes the characters of the second string from the end of the first.",
            |m, a, c| trimmed(m, a, c, |s, chars| s.trim_end_matches(|x| chars.contains(x))),
        ),
        pure("trim_space", "func(s str) str", "Removes blanks and line ends from both ends.", |m, a, c| {
            mapped(m, a, c, |s| String::from(s.trim()))
        }),
        pure("trim_suffix", "func(s str, suffix str) str", "Removes a suffix, if the string has it.", |m, a, c| {
            trimmed(m, a, c, |s, suffix| s.strip_suffix(suffix).unwrap_or(s))
        }),
    ],
};

/// Calls a function with two `str` arguments.
fn with_two(machine: &mut Machine, args: &[Thunk], call: &Call, run: fn(&str, &str) -> Answer) -> Answer {
    let (s, t) = (text(machine, args, 0, call)?, text(machine, args, 1, call)?);
    run(s.as_str(), t.as_str())
}

/// Applies a function to a `str` argument.
fn mapped(machine: &mut Machine, args: &[Thunk], call: &Call, run: fn(&str) -> String) -> Answer {
    let s = text(machine, args, 0, call)?;
    machine.charge(s.len())?;
    of_text(machine, run(s.as_str()))
}

/// Returns the part of the first of two `str` arguments that a function selects.
fn trimmed(machine: &mut Machine, args: &[Thunk], call: &Call, run: for<'s> fn(&'s str, &str) -> &'s str) -> Answer {
    let (s, t) = (text(machine, args, 0, call)?, text(machine, args, 1, call)?);
    of_text(machine, run(s.as_str(), t.as_str()))
}

fn position(found: Option<usize>) -> Value {
    found.map_or(of_int(-1), of_length)
}

/// Returns the lower case of a character, as one character.
fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

/// Returns the upper case of a character, if it is one character.
fn upper(c: char) -> char {
    let mut all = c.to_uppercase();
    match (all.next(), all.next()) {
        (Some(upper), None) => upper,
        _ => c,
    }
}

fn titled(s: &str) -> String {
    let mut before = ' ';
    let step = |c: char| {
        let is_inside = before.is_alphanumeric() || before == '_' || !before.is_ascii() && !before.is_whitespace();
        before = c;
        if is_inside { c } else { upper(c) }
    };
    s.chars().map(step).collect()
}

fn join(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (parts, separator) = (texts(machine, args, 0, call)?, text(machine, args, 1, call)?);
    let size = parts.iter().fold(0usize, |size, part| size.saturating_add(part.len()).saturating_add(separator.len()));
    machine.charge(size)?;
    let parts: Vec<&str> = parts.iter().map(Text::as_str).collect();
    Ok(Value::string(parts.join(separator.as_str())))
}

fn repeat(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (s, count) = (text(machine, args, 0, call)?, int(machine, args, 1, call)?);
    let Ok(count) = usize::try_from(count) else { return Err(call.fault("the count is negative")) };
    machine.charge(s.len().saturating_mul(count))?;
    Ok(Value::string(s.as_str().repeat(count)))
}

fn replace(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let count = usize::try_from(int(machine, args, 3, call)?).ok();
    replaced(machine, args, call, count)
}

/// Replaces at most `count` occurrences of argument 1 in argument 0 by argument 2.
fn replaced(machine: &mut Machine, args: &[Thunk], call: &Call, count: Option<usize>) -> Answer {
    let (s, old) = (text(machine, args, 0, call)?, text(machine, args, 1, call)?);
    let new = text(machine, args, 2, call)?;
    let places = s.as_str().matches(old.as_str()).count().min(count.unwrap_or(usize::MAX));
    machine.charge(s.len().saturating_add(places.saturating_mul(new.len())))?;
    Ok(Value::string(s.as_str().replacen(old.as_str(), new.as_str(), places)))
}
