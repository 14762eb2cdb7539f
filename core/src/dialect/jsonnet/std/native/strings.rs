//! Strings: characters are code points.

use super::{Answer, failure, odd, strict};
use crate::value::{Call, Machine, Thunk, Value};

/// The character of a code point. What is half of a pair is the replacement character.
pub fn character(code: f64) -> Result<char, String> {
    let code = code as i64;
    if code < 0 {
        return Err(format!("codepoints must be >= 0, got {code}"));
    }
    if code >= 0x11_0000 {
        return Err(format!("invalid unicode codepoint, got {code}"));
    }
    Ok(u32::try_from(code).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER))
}

pub fn char(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::Number(n)] = strict(machine, args, call, "char", ["number"])? else { return Err(odd(call)) };
    match character(n.to_f64()) {
        Ok(c) => Ok(Value::string(String::from(c))),
        Err(words) => Err(failure(call, words)),
    }
}
