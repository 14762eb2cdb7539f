//! `std.string` in Rust.

mod base64;
mod convert;
mod pattern;
mod search;

pub use base64::{base64_decode, base64_encode};
pub use convert::{from, from_bool, from_enum, from_number, to_bool, to_enum, to_number};
pub use pattern::{find, find_all, is_match, replace_regex};
pub use search::{contains, replace, split};

use super::{Answer, argument_text, count, inner_string, natural, ordering_tag};
use crate::value::{Call, Machine, Thunk, Value};
use unicode_segmentation::UnicodeSegmentation;

/// Returns the number of characters. O(length); fast for ASCII without carriage returns.
fn characters_in(text: &str) -> usize {
    if text.is_ascii() && !text.contains('\r') { text.len() } else { text.graphemes(true).count() }
}

pub fn length(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.string(args, 0, call).map(|s| count(characters_in(&s)))
}

pub fn characters(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let text = machine.string(args, 0, call)?;
    split_characters(machine, &text)
}

fn split_characters(machine: &mut Machine, text: &str) -> Answer {
    machine.charge_new_elements(text.len())?;
    Ok(Value::array(text.graphemes(true).map(|c| Thunk::done(Value::string(c)))))
}

pub fn trim(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.string(args, 0, call).map(|s| Value::string(s.trim()))
}

pub fn uppercase(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.string(args, 0, call).map(|s| Value::string(s.to_uppercase()))
}

pub fn lowercase(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.string(args, 0, call).map(|s| Value::string(s.to_lowercase()))
}

/// Compares strings by code point, which is the order of their UTF-8 bytes.
pub fn compare(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let left = machine.string(args, 0, call)?;
    let right = machine.string(args, 1, call)?;
    Ok(ordering_tag(left.as_str().cmp(right.as_str())))
}

pub fn join(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let separator = machine.string(args, 0, call)?;
    let array = machine.array(args, 1, call)?;
    let mut out = String::new();
    for (i, x) in machine.items(&array)?.iter().enumerate() {
        machine.tick()?;
        if i > 0 {
            machine.append(&mut out, &separator)?;
        }
        let part = inner_string(machine, x, "an element of argument 2", call)?;
        machine.append(&mut out, &part)?;
    }
    Ok(Value::string(out))
}

/// Returns a substring. As in Nickel, the start must be less than the length, so the empty string has no substring.
pub fn substring(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let start = natural(machine, args, 0, call)?;
    let end = natural(machine, args, 1, call)?;
    let text = machine.string(args, 2, call)?;
    let len = characters_in(&text);
    if start >= len {
        let start = argument_text(machine, args, 0, call)?;
        return Err(call.fault(format!("the start {start} is outside of the string, which has {len} characters")));
    }
    if end < start {
        let (start, end) = (argument_text(machine, args, 0, call)?, argument_text(machine, args, 1, call)?);
        return Err(call.fault(format!("the end {end} is below the start {start}")));
    }
    if end > len {
        let end = argument_text(machine, args, 1, call)?;
        return Err(call.fault(format!("the end {end} is outside of the string, which has {len} characters")));
    }
    let part: &str = if len == text.len() {
        text.get(start..end).unwrap_or("")
    } else {
        let mut places = text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).skip(start);
        let from = places.next().unwrap_or(text.len());
        let to = if end == start { from } else { places.nth(end - start - 1).unwrap_or(text.len()) };
        text.get(from..to).unwrap_or("")
    };
    Ok(Value::string(part))
}
