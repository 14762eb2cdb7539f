//! Functions that compare elements: sorting, removing duplicates, runs.

use super::super::{Answer, compare as ask, later, ordering_tag};
use crate::term::Number;
use crate::text::Name;
use crate::value::{Call, Fault, Machine, Thunk, Value};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

pub fn sort(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    sorted(machine, args, call).map(Value::array)
}

pub fn sort_dedup(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let all = sorted(machine, args, call)?;
    distinct(machine, args, all, call).map(Value::array)
}

pub fn dedup_sorted(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let all = machine.array(args, 1, call)?;
    let all = machine.items(&all)?.to_vec();
    distinct(machine, args, all, call).map(Value::array)
}

/// Keeps the first of adjacent elements that the comparison calls equal.
fn distinct(machine: &mut Machine, args: &[Thunk], all: Vec<Thunk>, call: &Call) -> Result<Vec<Thunk>, Fault> {
    let mut out: Vec<Thunk> = Vec::with_capacity(all.len());
    let mut before: Option<Thunk> = None;
    for x in all {
        machine.tick()?;
        let keep = match &before {
            None => true,
            Some(before) => {
                let f = machine.function(args, 0, call)?;
                ask(machine, &f, before, &x, call)? != Ordering::Equal
            }
        };
        if keep {
            out.push(x.clone());
        }
        before = Some(x);
    }
    Ok(out)
}

/// A bottom-up stable merge sort. O(n log n) comparisons, whatever the comparison returns.
fn sorted(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Vec<Thunk>, Fault> {
    let array = machine.array(args, 1, call)?;
    let mut from = machine.items(&array)?.to_vec();
    if from.len() < 2 {
        return Ok(from);
    }
    let f = machine.function(args, 0, call)?;
    let mut width = 1;
    while width < from.len() {
        let mut to = Vec::with_capacity(from.len());
        for pair in from.chunks(2 * width) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            merge(machine, &f, left, right, &mut to, call)?;
        }
        from = to;
        width *= 2;
    }
    Ok(from)
}

fn merge(
    machine: &mut Machine,
    f: &Value,
    left: &[Thunk],
    right: &[Thunk],
    to: &mut Vec<Thunk>,
    call: &Call,
) -> Result<(), Fault> {
    let (mut left, mut right) = (left, right);
    while let ([x, left_rest @ ..], [y, right_rest @ ..]) = (left, right) {
        machine.tick()?;
        if ask(machine, f, x, y, call)? == Ordering::Greater {
            to.push(y.clone());
            right = right_rest;
        } else {
            to.push(x.clone());
            left = left_rest;
        }
    }
    to.extend_from_slice(left);
    to.extend_from_slice(right);
    Ok(())
}

pub fn compare(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let left = machine.array(args, 1, call)?;
    let right = machine.array(args, 2, call)?;
    let (left, right) = (machine.items(&left)?, machine.items(&right)?);
    for (x, y) in left.iter().zip(right) {
        machine.tick()?;
        let f = machine.function(args, 0, call)?;
        let answer = ask(machine, &f, x, y, call)?;
        if answer != Ordering::Equal {
            return Ok(ordering_tag(answer));
        }
    }
    Ok(ordering_tag(left.len().cmp(&right.len())))
}

/// A hashable key of an atomic value. Two atomic values are equal exactly if their keys are.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Null,
    Bool(bool),
    Int(i64),
    String(Name),
    Tag(Name),
}

impl Key {
    fn of(value: &Value) -> Option<Key> {
        match value {
            Value::Null => Some(Key::Null),
            Value::Bool(b) => Some(Key::Bool(*b)),
            Value::Number(Number::Int(i)) => Some(Key::Int(*i)),
            Value::String(s) => Some(Key::String(s.name())),
            Value::Tag(t) => Some(Key::Tag(t.clone())),
            _ => None,
        }
    }
}

pub fn dedup(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 0, call)?;
    let mut simple: FxHashSet<Key> = FxHashSet::default();
    let mut others: Vec<Thunk> = Vec::new();
    let mut out = Vec::new();
    for x in machine.items(&array)? {
        machine.tick()?;
        let value = machine.force(x)?;
        let new = match Key::of(&value) {
            Some(key) => simple.insert(key),
            None => {
                let mut new = true;
                for seen in &others {
                    machine.tick()?;
                    if machine.equal(seen, x, call)? {
                        new = false;
                        break;
                    }
                }
                if new {
                    others.push(x.clone());
                }
                new
            }
        };
        if new {
            out.push(x.clone());
        }
    }
    Ok(Value::array(out))
}

pub fn chunk(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let array = machine.array(args, 1, call)?;
    let mut out = Vec::new();
    let mut start = 0;
    let mut current: Option<Thunk> = None;
    for (i, x) in machine.items(&array)?.iter().enumerate() {
        machine.tick()?;
        let key = later(args, 0, call, vec![x.clone()]);
        if let Some(current) = &current
            && !machine.equal(&key, current, call)?
        {
            out.push(Thunk::done(Value::Array(array.slice(start..i))));
            start = i;
        }
        current = Some(key);
    }
    if !array.is_empty() {
        out.push(Thunk::done(Value::Array(array.slice(start..array.len()))));
    }
    Ok(Value::array(out))
}
