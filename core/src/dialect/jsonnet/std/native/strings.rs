//! Strings. Characters are code points.

use super::arrays::is_member;
use super::{
    Answer, characters, elements, equal, failure, fits, force, impossible_type, length, long, number, numbers, operate,
};
use super::{shown, strict, text, value_of, wrong};
use crate::term::Prim;
use crate::value::eval::objects::kind;
use crate::value::manifest::objects::quote;
use crate::value::{Array, Call, Fault, Machine, Text, Thunk, Value};

/// Returns the character of a code point. A surrogate becomes the replacement character.
pub fn character(code: f64) -> Result<char, String> {
    let given = code;
    let code = long(code);
    if code < 0 {
        return Err(format!("codepoints must be >= 0, got {}", shown(given)));
    }
    if code >= 0x11_0000 {
        return Err(format!("invalid unicode codepoint, got {}", shown(given)));
    }
    Ok(u32::try_from(code).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER))
}

pub fn char(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::Number(n)] = strict(machine, args, call, "char", ["number"])? else {
        return Err(impossible_type(call));
    };
    match character(n.to_f64()) {
        Ok(c) => Ok(Value::string(&*c.encode_utf8(&mut [0; 4]))),
        Err(words) => Err(failure(call, words)),
    }
}

pub fn codepoint(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::String(s)] = strict(machine, args, call, "codepoint", ["string"])? else {
        return Err(impossible_type(call));
    };
    let mut chars = s.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => Ok(number(f64::from(u32::from(c)))),
        _ => {
            let words = format!("codepoint takes a string of length 1, got length {}", characters(&s));
            Err(failure(call, words))
        }
    }
}

/// Returns `count` characters of a string, starting at index `from`.
fn part(text: &Text, from: usize, count: usize) -> Text {
    if text.is_ascii() {
        let end = from.saturating_add(count).min(text.len());
        return Text::from(text.get(from.min(end)..end).unwrap_or_default());
    }
    let mut rest = text.chars();
    if from > 0 {
        rest.nth(from - 1);
    }
    let rest = rest.as_str();
    let end = rest.char_indices().nth(count).map_or(rest.len(), |(at, _)| at);
    Text::from(rest.get(..end).unwrap_or_default())
}

pub fn substr(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::String(s), Value::Number(from), Value::Number(count)] =
        strict(machine, args, call, "substr", ["string", "number", "number"])?
    else {
        return Err(impossible_type(call));
    };
    let (from, count) = (from.to_f64(), count.to_f64());
    for (which, number) in [("second", from), ("third", count)] {
        if long(number) < 0 {
            let words = format!("substr {which} parameter should be greater than zero, got {}", shown(number));
            return Err(failure(call, words));
        }
    }
    let (from, count) = (long(from), long(count));
    Ok(Value::String(part(&s, from as usize, count as usize)))
}

/// Tests whether a string begins or ends with another one.
fn has_at(machine: &mut Machine, args: &[Thunk], call: &Call, has: fn(&str, &str) -> bool) -> Answer {
    let a = force(machine, args, 0, call)?;
    let whole = length(machine, &a, call)?;
    let b = force(machine, args, 1, call)?;
    let some = length(machine, &b, call)?;
    if whole < some {
        return Ok(Value::Bool(false));
    }
    fits(machine, call, "substr", &["string", "number", "number"], &[a.clone(), number(0.0), number(0.0)])?;
    Ok(Value::Bool(match (&a, &b) {
        (Value::String(a), Value::String(b)) => has(a, b),
        _ => false,
    }))
}

pub fn starts_with(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    has_at(machine, args, call, |a, b| a.starts_with(b))
}

pub fn ends_with(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    has_at(machine, args, call, |a, b| a.ends_with(b))
}

/// Strips the characters at either end of a value that are in a set.
fn strip(machine: &mut Machine, whole: Value, args: &[Thunk], call: &Call, left: bool, right: bool) -> Answer {
    let parts: Array = elements(machine, &whole, call)?;
    if parts.is_empty() {
        return Ok(whole);
    }
    let chars = force(machine, args, 1, call)?;
    if let (Value::String(whole), Value::String(chars)) = (&whole, &chars) {
        let among = |c: char| chars.contains(c);
        let rest = if right { whole.trim_end_matches(among) } else { whole.as_str() };
        let rest = if left { rest.trim_start_matches(among) } else { rest };
        return Ok(Value::string(rest));
    }
    let (mut start, mut end) = (0, parts.len());
    while right && end > start {
        let last = parts.at(end - 1).ok_or_else(|| impossible_type(call))?;
        if !is_member(machine, &chars, &last, call)? {
            break;
        }
        end -= 1;
    }
    while left && start < end {
        let first = parts.at(start).ok_or_else(|| impossible_type(call))?;
        if !is_member(machine, &chars, &first, call)? {
            break;
        }
        start += 1;
    }
    if end - start == parts.len() {
        return Ok(whole);
    }
    let bounds = [&number(start as f64), &number(end as f64), &Value::Null];
    machine.slice(&whole, bounds, super::span(call))
}

pub fn lstrip_chars(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    strip(machine, whole, args, call, true, false)
}

pub fn rstrip_chars(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    strip(machine, whole, args, call, false, true)
}

pub fn strip_chars(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    strip(machine, whole, args, call, true, true)
}

pub fn trim(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    let blanks = Thunk::done(Value::string(" \t\n\u{c}\r\u{85}\u{a0}"));
    strip(machine, whole, &[Thunk::done(Value::Null), blanks], call, true, true)
}

pub fn string_chars(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    Ok(Value::Array(elements(machine, &whole, call)?))
}

/// Parses a natural number in a base.
fn natural(text: &str, base: u32, call: &Call) -> Result<f64, Fault> {
    let mut sum = 0.0;
    for c in text.chars() {
        let code = i64::from(u32::from(c));
        let digit = if c >= 'a' {
            code - 97 + 10
        } else if c >= 'A' {
            code - 65 + 10
        } else {
            code - 48
        };
        if digit < 0 || digit >= i64::from(base) {
            return Err(failure(call, format!("{text} is not a base {base} integer")));
        }
        sum = f64::from(base) * sum + digit as f64;
        if !sum.is_finite() {
            return Err(failure(call, "overflow"));
        }
    }
    Ok(sum)
}

/// Returns the string to be parsed as a number.
fn numeral(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Text, Fault> {
    match force(machine, args, 0, call)? {
        Value::String(s) => Ok(s),
        other => {
            let words = format!("Expected string, got {}", kind(&other));
            Err(wrong(machine, call, &other, words))
        }
    }
}

pub fn parse_int(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let s = numeral(machine, args, call)?;
    if s.is_empty() || s.as_str() == "-" {
        return Err(failure(call, format!("Not an integer: \"{}\"", s.as_str())));
    }
    match s.strip_prefix('-') {
        Some(rest) => Ok(number(-natural(rest, 10, call)?)),
        None => natural(&s, 10, call).map(number),
    }
}

pub fn parse_octal(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let s = numeral(machine, args, call)?;
    if s.is_empty() {
        return Err(failure(call, "Not an octal number: \"\""));
    }
    natural(&s, 8, call).map(number)
}

pub fn parse_hex(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let s = numeral(machine, args, call)?;
    if s.is_empty() {
        return Err(failure(call, "Not hexadecimal: \"\""));
    }
    natural(&s, 16, call).map(number)
}

/// Returns an argument of a given type. Fails with the message of the reference's splitting functions.
fn checked(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call, words: &str, wanted: &str) -> Answer {
    let value = force(machine, args, index, call)?;
    if kind(&value).eq_ignore_ascii_case(wanted) {
        return Ok(value);
    }
    let words = format!("{words} parameter must be a {wanted}, got {}", kind(&value));
    Err(wrong(machine, call, &value, words))
}

/// Returns a string and a non-empty separator.
fn to_split(
    machine: &mut Machine,
    args: &[Thunk],
    call: &Call,
    name: &str,
    space: &str,
) -> Result<(Text, Text), Fault> {
    let whole = checked(machine, args, 0, call, &format!("{space}.{name} first"), "String")?;
    let at = checked(machine, args, 1, call, &format!("{space}.{name} second"), "String")?;
    let (Value::String(whole), Value::String(at)) = (whole, at) else { return Err(impossible_type(call)) };
    if at.is_empty() {
        let words = format!("std.{name} second parameter must have length 1 or greater, got 0");
        return Err(failure(call, words));
    }
    Ok((whole, at))
}

fn pieces(parts: impl IntoIterator<Item = impl Into<Text>>) -> Value {
    Value::array(parts.into_iter().map(|part| Thunk::done(Value::string(part))))
}

/// Counts the pieces of a text before it is split.
fn charge_pieces(machine: &mut Machine, text: &str, at: &str) -> Result<(), Fault> {
    machine.charge(text.len())?;
    machine.charge_new_elements(text.matches(at).count().saturating_add(1))
}

/// Splits at `most` places at most. A negative number means no limit.
fn split_at(text: &str, at: &str, most: i64, call: &Call) -> Answer {
    let Ok(most) = usize::try_from(most) else {
        if at.is_empty() && !text.is_empty() {
            return Err(failure(call, "splitLimit cannot split at the empty string without a limit"));
        }
        return Ok(pieces(text.split(at)));
    };
    if at.is_empty() {
        let empty = if text.is_empty() { 0 } else { most };
        return Ok(pieces(std::iter::repeat_n("", empty).chain([text])));
    }
    Ok(pieces(text.splitn(most.saturating_add(1), at)))
}

pub fn split(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (whole, at) = to_split(machine, args, call, "split", "std")?;
    charge_pieces(machine, &whole, &at)?;
    Ok(pieces(whole.split(at.as_str())))
}

pub fn split_limit(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::String(whole), Value::String(at), Value::Number(most)] =
        strict(machine, args, call, "splitLimit", ["string", "string", "number"])?
    else {
        return Err(impossible_type(call));
    };
    let most = long(most.to_f64());
    match at.is_empty() {
        true => machine.charge_new_elements(most.max(0) as usize)?,
        false => charge_pieces(machine, &whole, &at)?,
    }
    if whole.is_empty() {
        return Ok(pieces([""]));
    }
    split_at(&whole, &at, most, call)
}

pub fn split_limit_r(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (whole, at) = to_split(machine, args, call, "splitLimitR", "str")?;
    let Value::Number(most) = checked(machine, args, 2, call, "str.splitLimitR third", "Number")? else {
        return Err(impossible_type(call));
    };
    charge_pieces(machine, &whole, &at)?;
    let most = long(most.to_f64());
    if most == -1 {
        return Ok(pieces(whole.split(at.as_str())));
    }
    let limit = usize::try_from(most).unwrap_or(usize::MAX).saturating_add(1);
    let mut parts: Vec<&str> = whole.rsplitn(limit, at.as_str()).collect();
    parts.reverse();
    Ok(pieces(parts))
}

pub fn str_replace(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::String(s), Value::String(from), Value::String(to)] =
        strict(machine, args, call, "strReplace", ["string", "string", "string"])?
    else {
        return Err(impossible_type(call));
    };
    if from.is_empty() {
        return Err(failure(call, "'from' string must not be zero length."));
    }
    let count = s.matches(from.as_str()).count();
    machine.charge(s.len().saturating_add(count.saturating_mul(to.len())))?;
    Ok(Value::string(s.replace(from.as_str(), &to)))
}

pub fn ascii_upper(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::String(s)] = strict(machine, args, call, "asciiUpper", ["string"])? else {
        return Err(impossible_type(call));
    };
    Ok(Value::string(s.to_ascii_uppercase()))
}

pub fn ascii_lower(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::String(s)] = strict(machine, args, call, "asciiLower", ["string"])? else {
        return Err(impossible_type(call));
    };
    Ok(Value::string(s.to_ascii_lowercase()))
}

pub fn equals_ignore_case(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let a = ascii_lower(machine, args, call)?;
    let b = ascii_lower(machine, args.get(1..).unwrap_or(&[]), call)?;
    Ok(Value::Bool(equal(machine, a, b, call)?))
}

pub fn find_substr(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let pattern = force(machine, args, 0, call)?;
    let Value::String(pattern) = &pattern else {
        let words = format!("findSubstr first parameter should be a string, got {}", kind(&pattern));
        return Err(wrong(machine, call, &pattern, words));
    };
    let whole = force(machine, args, 1, call)?;
    let Value::String(whole) = &whole else {
        let words = format!("findSubstr second parameter should be a string, got {}", kind(&whole));
        return Err(wrong(machine, call, &whole, words));
    };
    if pattern.is_empty() {
        return Ok(Value::array([]));
    }
    let found = whole
        .char_indices()
        .enumerate()
        .filter(|(_, (at, _))| whole.get(*at..).is_some_and(|rest| rest.starts_with(pattern.as_str())));
    Ok(numbers(found.map(|(index, _)| index as f64)))
}

/// Joins strings or arrays. Skips null.
pub fn join_values(machine: &mut Machine, separator: &Value, parts: &Value, call: &Call) -> Answer {
    if !matches!(separator, Value::String(_) | Value::Array(_)) {
        let words = format!("join first parameter should be string or array, got {}", kind(separator));
        return Err(wrong(machine, call, separator, words));
    }
    let Value::Array(parts) = parts else {
        let words = format!("join second parameter should be array, got {}", kind(parts));
        return Err(wrong(machine, call, parts, words));
    };
    let mut out = String::new();
    let mut items: Vec<Thunk> = Vec::new();
    let mut first = true;
    for (index, part) in machine.items(parts)?.iter().enumerate() {
        machine.tick()?;
        let part = value_of(machine, part)?;
        match (separator, &part) {
            (_, Value::Null) => continue,
            (Value::String(separator), Value::String(text)) => {
                if !first {
                    machine.append(&mut out, separator)?;
                }
                machine.append(&mut out, text)?;
            }
            (Value::Array(separator), Value::Array(array)) => {
                if !first {
                    machine.room_for(&mut items, separator.len())?;
                    items.extend_from_slice(machine.items(separator)?);
                }
                machine.room_for(&mut items, array.len())?;
                items.extend_from_slice(machine.items(array)?);
            }
            (separator, part) => {
                let words = format!("expected {} but arr[{index}] was {}", kind(separator), kind(part));
                return Err(wrong(machine, call, part, words));
            }
        }
        first = false;
    }
    Ok(match separator {
        Value::String(_) => Value::string(out),
        _ => Value::Array(items.into()),
    })
}

pub fn join(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let separator = force(machine, args, 0, call)?;
    let parts = force(machine, args, 1, call)?;
    join_values(machine, &separator, &parts, call)
}

pub fn lines(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let lines = force(machine, args, 0, call)?;
    let end = Value::array([Thunk::done(Value::string(""))]);
    let lines = operate(machine, Prim::Plus, lines, end, call)?;
    join_values(machine, &Value::string("\n"), &lines, call)
}

pub fn deep_join(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let mut out = String::new();
    let mut work: Vec<Thunk> = args.iter().take(1).cloned().collect();
    while let Some(next) = work.pop() {
        machine.tick()?;
        match value_of(machine, &next)? {
            Value::String(text) => {
                machine.append(&mut out, &text)?;
            }
            Value::Array(array) => {
                machine.room_for(&mut work, array.len())?;
                work.extend(machine.items(&array)?.iter().rev().cloned());
            }
            other => {
                let words = format!("Expected string or array, got {}", kind(&other));
                return Err(wrong(machine, call, &other, words));
            }
        }
    }
    Ok(Value::string(out))
}

pub fn resolve_path(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let slash = Thunk::done(Value::string("/"));
    let Value::Array(parts) = split(machine, &[super::argument(args, 0), slash], call)? else {
        return Err(impossible_type(call));
    };
    let kept = machine.items(&parts)?.iter().take(parts.len().saturating_sub(1)).cloned();
    let parts = Value::array(kept.chain([super::argument(args, 1)]));
    join_values(machine, &Value::string("/"), &parts, call)
}

pub fn repeat(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let what = force(machine, args, 0, call)?;
    if !matches!(what, Value::String(_) | Value::Array(_)) {
        return Err(wrong(machine, call, &what, "std.repeat first argument must be an array or a string"));
    }
    let count = super::arrays::size(machine, args, 1, call)?;
    match &what {
        Value::String(text) => {
            machine.charge(text.len().saturating_mul(count))?;
            Ok(Value::string(text.repeat(count)))
        }
        Value::Array(array) => {
            let whole = array.len().saturating_mul(count);
            machine.charge_elements(whole)?;
            let elements = machine.items(array)?;
            let mut out = Vec::with_capacity(whole);
            for _ in 0..count {
                machine.tick()?;
                out.extend_from_slice(elements);
            }
            Ok(Value::array(out))
        }
        _ => Err(impossible_type(call)),
    }
}

/// Converts an argument to text, like `std.toString`.
fn as_text(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Text, Fault> {
    let value = force(machine, args, 0, call)?;
    text(machine, &value)
}

pub fn escape_json(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let s = as_text(machine, args, call)?;
    let mut out = String::with_capacity(s.len() + 2);
    quote(&s, &mut out);
    Ok(Value::string(out))
}

pub fn escape_bash(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let s = as_text(machine, args, call)?;
    Ok(Value::string(format!("'{}'", s.replace('\'', "'\"'\"'"))))
}

pub fn escape_dollars(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let s = as_text(machine, args, call)?;
    Ok(Value::string(s.replace('$', "$$")))
}

pub fn escape_xml(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let s = as_text(machine, args, call)?;
    let mut out = String::with_capacity(s.len());
    for c in s.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            c => out.push(c),
        }
    }
    Ok(Value::string(out))
}
