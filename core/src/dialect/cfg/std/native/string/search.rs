//! Searching for a string in a string, by whole characters.

use super::super::Answer;
use super::split_characters;
use crate::value::{Call, Machine, Thunk, Value};
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// Returns the offsets of a non-empty `needle` in `text`, on character boundaries, from left to right and without overlap.
fn places(text: &str, needle: &str) -> Vec<usize> {
    let plain = text.is_ascii() && !text.contains('\r');
    if plain {
        return text.match_indices(needle).map(|(at, _)| at).collect();
    }
    let mut found = Vec::new();
    let mut free = 0;
    let mut cursor = GraphemeCursor::new(0, text.len(), true);
    for (at, _) in text.grapheme_indices(true) {
        if at < free || !text.get(at..).is_some_and(|rest| rest.starts_with(needle)) {
            continue;
        }
        let end = at + needle.len();
        cursor.set_cursor(end);
        if cursor.is_boundary(text, 0).unwrap_or(false) {
            found.push(at);
            free = end;
        }
    }
    found
}

pub fn contains(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let needle = machine.string(args, 0, call)?;
    let text = machine.string(args, 1, call)?;
    Ok(Value::Bool(needle.is_empty() || !places(&text, &needle).is_empty()))
}

/// Splits a string. As in Nickel, an empty part after the last separator is omitted.
pub fn split(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let separator = machine.string(args, 0, call)?;
    let text = machine.string(args, 1, call)?;
    if separator.is_empty() {
        return split_characters(machine, &text);
    }
    let mut out = Vec::new();
    let mut from = 0;
    let places = places(&text, &separator);
    machine.charge_new_elements(places.len().saturating_add(1))?;
    for at in places {
        out.push(Thunk::done(Value::string(text.get(from..at).unwrap_or(""))));
        from = at + separator.len();
    }
    let rest = text.get(from..).unwrap_or("");
    if !rest.is_empty() {
        out.push(Thunk::done(Value::string(rest)));
    }
    Ok(Value::array(out))
}

pub fn replace(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let old = machine.string(args, 0, call)?;
    let new = machine.string(args, 1, call)?;
    let text = machine.string(args, 2, call)?;
    let mut out = String::with_capacity(text.len());
    if old.is_empty() {
        machine.append(&mut out, &new)?;
        for character in text.graphemes(true) {
            machine.append(&mut out, character)?;
            machine.append(&mut out, &new)?;
        }
    } else {
        let mut from = 0;
        for at in places(&text, &old) {
            machine.append(&mut out, text.get(from..at).unwrap_or(""))?;
            machine.append(&mut out, &new)?;
            from = at + old.len();
        }
        machine.append(&mut out, text.get(from..).unwrap_or(""))?;
    }
    Ok(Value::string(out))
}
