//! Regular expressions. Matches that begin or end inside a character are skipped.

use super::super::Answer;
use super::characters_in;
use crate::term::Number;
use crate::text::Name;
use crate::value::{Call, Fault, Machine, Thunk, Value};
use regex::{Captures, Regex};
use std::rc::Rc;
use unicode_segmentation::GraphemeCursor;

fn regex(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Rc<Regex>, Fault> {
    let text = machine.string(args, 0, call)?;
    machine.pattern(&text).map_err(|e| call.fault(format!("`{}` is no regular expression: {e}", text.as_str())))
}

/// Finds out whether byte offsets are boundaries of characters.
struct Edges<'a> {
    text: &'a str,
    plain: bool,
    cursor: GraphemeCursor,
}

impl<'a> Edges<'a> {
    fn of(text: &'a str) -> Edges<'a> {
        let plain = text.is_ascii() && !text.contains('\r');
        Edges { text, plain, cursor: GraphemeCursor::new(0, text.len(), true) }
    }

    fn is_edge(&mut self, at: usize) -> bool {
        self.plain || {
            self.cursor.set_cursor(at);
            self.cursor.is_boundary(self.text, 0).unwrap_or(false)
        }
    }

    fn fits(&mut self, found: regex::Match<'_>) -> bool {
        self.is_edge(found.start()) && self.is_edge(found.end())
    }
}

pub fn is_match(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let regex = regex(machine, args, call)?;
    let text = machine.string(args, 1, call)?;
    let mut edges = Edges::of(&text);
    let found = if edges.plain { regex.is_match(&text) } else { regex.find_iter(&text).any(|m| edges.fits(m)) };
    Ok(Value::Bool(found))
}

pub fn replace_regex(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let regex = regex(machine, args, call)?;
    let new = machine.string(args, 1, call)?;
    let text = machine.string(args, 2, call)?;
    let mut edges = Edges::of(&text);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for found in regex.find_iter(&text) {
        machine.tick()?;
        if edges.fits(found) {
            machine.append(&mut out, text.get(from..found.start()).unwrap_or(""))?;
            machine.append(&mut out, &new)?;
            from = found.end();
        }
    }
    machine.append(&mut out, text.get(from..).unwrap_or(""))?;
    Ok(Value::string(out))
}

fn found(text: &str, index: i64, groups: Vec<Thunk>) -> Value {
    Value::record([
        (Name::new_static("groups"), Thunk::done(Value::array(groups))),
        (Name::new_static("index"), Thunk::done(Number::Int(index))),
        (Name::new_static("matched"), Thunk::done(Value::string(text))),
    ])
}

fn capture(captures: &Captures<'_>, whole: &str, index: usize) -> Value {
    let group = |group: Option<regex::Match<'_>>| Thunk::done(Value::string(group.map_or("", |m| m.as_str())));
    found(whole, index as i64, captures.iter().skip(1).map(group).collect())
}

/// Calls `take` with each match and its index in characters, until it returns `false`. O(length), plus the matching.
fn each(machine: &mut Machine, args: &[Thunk], call: &Call, mut take: impl FnMut(Value) -> bool) -> Result<(), Fault> {
    let regex = regex(machine, args, call)?;
    let text = machine.string(args, 1, call)?;
    let mut edges = Edges::of(&text);
    let (mut seen, mut index) = (0, 0);
    for captures in regex.captures_iter(&text) {
        machine.tick()?;
        let Some(whole) = captures.get(0) else { continue };
        if !captures.iter().flatten().all(|m| edges.fits(m)) {
            continue;
        }
        index += characters_in(text.get(seen..whole.start()).unwrap_or(""));
        seen = whole.start();
        if !take(capture(&captures, whole.as_str(), index)) {
            break;
        }
    }
    Ok(())
}

pub fn find(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let mut first = None;
    each(machine, args, call, |found| {
        first = Some(found);
        false
    })?;
    Ok(first.unwrap_or_else(|| found("", -1, Vec::new())))
}

pub fn find_all(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let mut all = Vec::new();
    each(machine, args, call, |found| {
        all.push(Thunk::done(found));
        true
    })?;
    Ok(Value::array(all))
}
