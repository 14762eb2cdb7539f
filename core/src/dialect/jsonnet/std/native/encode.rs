//! Byte encodings: UTF-8, base64, hashes.

use super::{Answer, elements, failure, force, impossible_type, length, number, operate, strict, value_of, wrong};
use crate::term::Prim;
use crate::value::eval::objects::kind;
use crate::value::{Array, Call, Fault, Machine, Thunk, Value};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

pub fn encode_utf8(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::String(s)] = strict(machine, args, call, "encodeUTF8", ["string"])? else {
        return Err(impossible_type(call));
    };
    machine.charge_lazy(s.len())?;
    machine.charge(s.len())?;
    Ok(Value::Array(Array::bytes(s.as_bytes())))
}

pub fn decode_utf8(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::Array(array)] = strict(machine, args, call, "decodeUTF8", ["array"])? else {
        return Err(impossible_type(call));
    };
    if let Some(bytes) = array.as_bytes() {
        return Ok(Value::string(decoded(&bytes)));
    }
    machine.charge(array.len())?;
    let mut bytes = Vec::with_capacity(array.len());
    for (index, element) in machine.items(&array)?.iter().enumerate() {
        machine.tick()?;
        match value_of(machine, element)? {
            Value::Number(n) => {
                let n = n.to_f64();
                if !(0.0..=255.0).contains(&n) || n.fract() != 0.0 {
                    let words = format!("Element {index} of the provided array was not an integer in range [0,255]");
                    return Err(failure(call, words));
                }
                bytes.push(n as u8);
            }
            other => {
                let words = format!("Element {index} of the provided array was not a number");
                return Err(wrong(machine, call, &other, words));
            }
        }
    }
    Ok(Value::string(decoded(&bytes)))
}

/// Decodes UTF-8 like the reference. Of a sequence that is cut off by the end of the input, only the first byte becomes a
/// replacement character. In any other invalid sequence, all bytes up to and including the wrong one become one together.
fn decoded(bytes: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return String::from(text);
    }
    let mut out = String::new();
    let mut at = 0;
    while let Some(&first) = bytes.get(at) {
        let (more, mask) = match first {
            0..=0x7f => (0, 0x7f),
            0xc0..=0xdf => (1, 0x1f),
            0xe0..=0xef => (2, 0x0f),
            0xf0..=0xf7 => (3, 0x07),
            _ => (usize::MAX, 0),
        };
        let mut code = Some(u32::from(first & mask));
        if more == usize::MAX || at + more >= bytes.len() {
            code = None;
        } else {
            for _ in 0..more {
                at += 1;
                let next = bytes.get(at).copied().filter(|b| b & 0xc0 == 0x80);
                code = next.and_then(|next| Some(code? << 6 | u32::from(next & 0x3f)));
                if code.is_none() {
                    break;
                }
            }
        }
        out.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
        at += 1;
    }
    out
}

/// The largest safe integer, 2^53 - 1: no other integer is rounded to the same double as an integer up to it.
const SAFE: f64 = 9007199254740991.0;

pub fn base64(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    const NO_BYTES: &str = "Can only base64 encode strings / arrays of single bytes.";
    let input = force(machine, args, 0, call)?;
    let bytes = match &input {
        Value::String(text) => {
            let bytes: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
            bytes.ok_or_else(|| failure(call, NO_BYTES))?
        }
        Value::Array(array) => {
            machine.charge(array.len().saturating_mul(size_of::<f64>()))?;
            let mut parts = Vec::with_capacity(array.len());
            for at in 0..array.len() {
                machine.tick()?;
                let Some(element) = array.at(at) else { break };
                let element = value_of(machine, &element)?;
                match &element {
                    Value::Number(n) if n.to_f64() < 256.0 => parts.push(n.to_f64()),
                    other => {
                        operate(machine, Prim::Lt, other.clone(), number(256.0), call)?;
                        return Err(failure(call, NO_BYTES));
                    }
                }
            }
            if parts.iter().any(|n| n.abs() > SAFE) {
                return Err(failure(call, "numeric value outside safe integer range for bitwise operation."));
            }
            parts.into_iter().map(|n| n as i64 as u8).collect()
        }
        other => return Err(wrong(machine, call, other, "In comprehension, can only iterate over array.")),
    };
    machine.charge(bytes.len())?;
    Ok(Value::string(STANDARD.encode(bytes)))
}

/// Returns the six bits of a base64 character.
fn sextet(machine: &mut Machine, part: &Thunk, call: &Call) -> Result<u32, Fault> {
    let value = value_of(machine, part)?;
    let Value::String(text) = &value else {
        let words = format!("object index must be string, got {}.", kind(&value));
        return Err(wrong(machine, call, &value, words));
    };
    let bits = match text.as_bytes() {
        [c @ b'A'..=b'Z'] => c - b'A',
        [c @ b'a'..=b'z'] => c - b'a' + 26,
        [c @ b'0'..=b'9'] => c - b'0' + 52,
        b"+" => 62,
        b"/" => 63,
        _ => return Err(failure(call, format!("field does not exist: {}", text.as_str()))),
    };
    Ok(u32::from(bits))
}

/// Decodes base64 into bytes. The bytes of invalid characters fail when they are needed.
fn decoded_base64(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Vec<Thunk>, Fault> {
    let input = force(machine, args, 0, call)?;
    let count = length(machine, &input, call)?;
    if count % 4 != 0 {
        let template = Thunk::done(Value::string("Not a base64 encoded string \"%s\""));
        let Value::String(words) = super::format::format(machine, &[template, Thunk::done(input)], call)? else {
            return Err(impossible_type(call));
        };
        return Err(failure(call, words.name()));
    }
    let parts: Array = elements(machine, &input, call)?;
    machine.charge_computed_elements(count)?;
    let mut out = Vec::with_capacity(count / 4 * 3);
    let call = *call;
    // two adjacent characters make a byte
    let byte = |left: &Thunk, right: &Thunk, mask: u32, up: u32, down: u32| {
        Thunk::holding((left.clone(), right.clone()), move |machine, (left, right)| {
            let (left, right) = (sextet(machine, left, &call)?, sextet(machine, right, &call)?);
            Ok(number(f64::from((left & mask) << up | right >> down)))
        })
    };
    for four in machine.items(&parts)?.chunks(4) {
        machine.tick()?;
        let [a, b, c, d] = four else { break };
        out.push(byte(a, b, 63, 2, 4));
        if !is_padding(machine, c, &call)? {
            out.push(byte(b, c, 15, 4, 2));
        }
        if !is_padding(machine, d, &call)? {
            out.push(byte(c, d, 3, 6, 0));
        }
    }
    Ok(out)
}

fn is_padding(machine: &mut Machine, part: &Thunk, call: &Call) -> Result<bool, Fault> {
    let part = value_of(machine, part)?;
    super::equal(machine, part, Value::string("="), call)
}

pub fn base64_decode_bytes(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    if let Value::String(text) = force(machine, args, 0, call)?
        && let Ok(bytes) = STANDARD.decode(text.as_bytes())
    {
        machine.charge(bytes.len())?;
        return Ok(Value::Array(Array::bytes(bytes)));
    }
    Ok(Value::Array(decoded_base64(machine, args, call)?.into()))
}

pub fn base64_decode(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    if let Value::String(text) = force(machine, args, 0, call)?
        && let Ok(bytes) = STANDARD.decode(text.as_bytes())
    {
        machine.charge(bytes.len().saturating_mul(2))?;
        return Ok(Value::string(bytes.into_iter().map(char::from).collect::<String>()));
    }
    let mut out = String::new();
    for byte in decoded_base64(machine, args, call)? {
        machine.tick()?;
        let Value::Number(n) = value_of(machine, &byte)? else { return Err(impossible_type(call)) };
        match super::strings::character(n.to_f64()) {
            Ok(c) => {
                machine.room(&mut out, c.len_utf8())?;
                out.push(c);
            }
            Err(words) => return Err(failure(call, words)),
        }
    }
    Ok(Value::string(out))
}

fn hexadecimal(bytes: &[u8]) -> Value {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            out.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
        }
    }
    Value::string(out)
}

/// Defines hash functions of a text's UTF-8 bytes.
macro_rules! hashes {
    ($($name:ident $words:literal $digest:path, $hash:ty;)*) => {$(
        pub fn $name(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
            use $digest;
            let value = force(machine, args, 0, call)?;
            let Value::String(s) = &value else {
                let words = $words.replace("{}", kind(&value));
                return Err(wrong(machine, call, &value, words));
            };
            Ok(hexadecimal(&<$hash>::digest(s.as_bytes())))
        }
    )*};
}

hashes! {
    md5 "Builtin function md5 expected (string) but got ({})" md5::Digest, md5::Md5;
    sha1 "Unexpected type {}, expected string" sha1::Digest, sha1::Sha1;
    sha256 "Unexpected type {}, expected string" sha2::Digest, sha2::Sha256;
    sha512 "Unexpected type {}, expected string" sha2::Digest, sha2::Sha512;
    sha3 "Unexpected type {}, expected string" sha3::Digest, sha3::Sha3_512;
}
