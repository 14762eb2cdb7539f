//! Sorting, and sets as sorted arrays without duplicates.

use super::types::order;
use super::{
    Answer, apply, argument, elements, equal, failure, force, impossible_type, is_identity, length, less, operate,
    value_of,
};
use crate::term::{Number, Prim};
use crate::value::{Array, Call, Fault, Machine, Thunk, Value};
use std::cmp::Ordering;

/// An array with the keys of its elements. Each key is computed when first needed.
struct Keyed {
    elements: Array,
    keys: Array,
}

impl Keyed {
    fn new(machine: &mut Machine, elements: Array, function: &Thunk, call: &Call) -> Result<Keyed, Fault> {
        let plain = function.peek().is_some_and(|f| is_identity(&f));
        let keys = if plain {
            elements.clone()
        } else {
            let call = *call;
            let key = |element: &Thunk| {
                Thunk::holding((function.clone(), element.clone()), move |machine, (function, element)| {
                    let function = machine.force(function)?;
                    apply(machine, &function, std::slice::from_ref(element), &call)
                })
            };
            machine.charge_computed_elements(elements.len())?;
            machine.items(&elements)?.iter().map(key).collect()
        };
        Ok(Keyed { elements, keys })
    }

    fn len(&self) -> usize {
        self.elements.len()
    }

    fn key(&self, machine: &mut Machine, at: usize, call: &Call) -> Answer {
        match self.keys.at(at) {
            Some(key) => value_of(machine, &key),
            None => Err(impossible_type(call)),
        }
    }

    /// Compares two keys, if both are computed and are numbers or strings. `ready` are the keys of each, where they
    /// are in one vector.
    fn computed_order(&self, at: usize, other: &Keyed, there: usize, ready: [Option<&[Thunk]>; 2]) -> Option<Ordering> {
        if let [Some(keys), Some(others)] = ready {
            return order_of(keys.get(at)?, others.get(there)?);
        }
        order_of(&self.keys.at(at)?, &other.keys.at(there)?)
    }

    fn element(&self, at: usize) -> Option<Thunk> {
        self.elements.at(at)
    }

    /// Returns `true` if the key of one element is less than that of another.
    fn less(&self, machine: &mut Machine, a: usize, b: usize, call: &Call) -> Result<bool, Fault> {
        machine.tick()?;
        let (a, b) = (self.key(machine, a, call)?, self.key(machine, b, call)?);
        less(machine, a, b, call)
    }
}

/// Compares two keys, if both are computed and are numbers or strings.
fn order_of(a: &Thunk, b: &Thunk) -> Option<Ordering> {
    a.with_value(|a| {
        b.with_value(|b| match (a, b) {
            (Value::Number(Number::Double(a)), Value::Number(Number::Double(b))) => a.partial_cmp(b),
            (Value::Number(a), Value::Number(b)) => Some(a.cmp(b)),
            (Value::String(a), Value::String(b)) => Some(a.as_str().cmp(b.as_str())),
            _ => None,
        })
    })??
}

/// Maximum length for which the reference sorts with a pivot. It uses merge sort for longer arrays.
const SHORT: usize = 30;

/// Returns the indices in the order of their keys, with the reference's algorithm, which determines the comparison that
/// fails first.
fn sorted_slowly(machine: &mut Machine, keyed: &Keyed, places: &[usize], call: &Call) -> Result<Vec<usize>, Fault> {
    let Some((&pivot, rest)) = places.split_first() else { return Ok(Vec::new()) };
    if rest.is_empty() {
        return Ok(vec![pivot]);
    }
    if places.len() > SHORT {
        let (left, right) = places.split_at(places.len() / 2);
        let left = sorted_slowly(machine, keyed, left, call)?;
        let right = sorted_slowly(machine, keyed, right, call)?;
        return merged(machine, keyed, &left, &right, call);
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for &at in rest {
        if keyed.less(machine, at, pivot, call)? { left.push(at) } else { right.push(at) }
    }
    let mut out = sorted_slowly(machine, keyed, &left, call)?;
    out.push(pivot);
    out.extend(sorted_slowly(machine, keyed, &right, call)?);
    Ok(out)
}

fn merged(
    machine: &mut Machine,
    keyed: &Keyed,
    left: &[usize],
    right: &[usize],
    call: &Call,
) -> Result<Vec<usize>, Fault> {
    let mut out = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    while let (Some(&&a), Some(&&b)) = (left.peek(), right.peek()) {
        machine.tick()?;
        let (x, y) = (keyed.key(machine, a, call)?, keyed.key(machine, b, call)?);
        if matches!(operate(machine, Prim::Le, x, y, call)?, Value::Bool(true)) {
            out.push(a);
            left.next();
        } else {
            out.push(b);
            right.next();
        }
    }
    out.extend(left.chain(right));
    Ok(out)
}

/// Returns the indices in the order of their keys if all keys are numbers or all are strings. `None` otherwise, or if a key
/// fails.
fn sorted_fast(machine: &mut Machine, keyed: &Keyed) -> Result<Option<Vec<usize>>, Fault> {
    machine.charge_new_elements(keyed.len())?;
    let mut keys = Vec::with_capacity(keyed.len());
    for key in machine.items(&keyed.keys)? {
        machine.tick()?;
        match value_of(machine, key) {
            Ok(key) => keys.push(key),
            Err(fault) if fault.is_transient() => return Err(fault),
            Err(_) => return Ok(None),
        }
    }
    let mut places: Vec<usize> = (0..keys.len()).collect();
    let numbers: Option<Vec<f64>> = keys
        .iter()
        .map(|key| match key {
            Value::Number(Number::Double(n)) => Some(*n),
            Value::Number(n) => Some(n.to_f64()),
            _ => None,
        })
        .collect();
    if let Some(numbers) = numbers {
        places.sort_by(|a, b| match (numbers.get(*a), numbers.get(*b)) {
            (Some(a), Some(b)) => a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal),
            _ => std::cmp::Ordering::Equal,
        });
        return Ok(Some(places));
    }
    let texts: Option<Vec<&str>> = keys
        .iter()
        .map(|key| match key {
            Value::String(s) => Some(s.as_str()),
            _ => None,
        })
        .collect();
    if let Some(texts) = texts {
        places.sort_by(|a, b| texts.get(*a).cmp(&texts.get(*b)));
        return Ok(Some(places));
    }
    Ok(None)
}

/// Sorts an array. An array with at most one element is returned as is.
fn sorted(machine: &mut Machine, whole: Value, function: &Thunk, call: &Call) -> Answer {
    if length(machine, &whole, call)? <= 1 {
        return Ok(whole);
    }
    let parts = elements(machine, &whole, call)?;
    let keyed = Keyed::new(machine, parts, function, call)?;
    let places = match sorted_fast(machine, &keyed)? {
        Some(places) => places,
        None => {
            let all: Vec<usize> = (0..keyed.len()).collect();
            sorted_slowly(machine, &keyed, &all, call)?
        }
    };
    machine.charge_elements(places.len())?;
    Ok(Value::array(places.into_iter().filter_map(|at| keyed.element(at))))
}

/// Removes elements whose key equals that of the previous element.
fn unique(machine: &mut Machine, whole: &Value, function: &Thunk, call: &Call) -> Answer {
    let parts = elements(machine, whole, call)?;
    let keyed = Keyed::new(machine, parts, function, call)?;
    let mut kept: Vec<Thunk> = Vec::new();
    let mut last = 0;
    let ready = [keyed.keys.if_read(); 2];
    for at in 0..keyed.len() {
        machine.tick()?;
        if at > 0 {
            let is_repeated = match keyed.computed_order(last, &keyed, at, ready) {
                Some(order) => order.is_eq(),
                None => {
                    let (before, here) = (keyed.key(machine, last, call)?, keyed.key(machine, at, call)?);
                    equal(machine, before, here, call)?
                }
            };
            if is_repeated {
                continue;
            }
        }
        last = at;
        machine.room_for(&mut kept, 1)?;
        kept.extend(keyed.element(at));
    }
    Ok(Value::Array(kept.into()))
}

pub fn sort(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    sorted(machine, whole, &argument(args, 1), call)
}

pub fn uniq(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    unique(machine, &whole, &argument(args, 1), call)
}

pub fn set(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    let function = argument(args, 1);
    let sorted = sorted(machine, whole, &function, call)?;
    unique(machine, &sorted, &function, call)
}

/// The elements that an operation on two sets keeps.
#[derive(Clone, Copy)]
struct KeptElements {
    /// Elements of the first set only.
    first: bool,
    /// Elements of both sets.
    both: bool,
    /// Elements of the second set only.
    second: bool,
}

/// Merges two sorted arrays.
fn combined(machine: &mut Machine, [a, b]: [&Value; 2], function: &Thunk, call: &Call, keeps: KeptElements) -> Answer {
    let parts = elements(machine, a, call)?;
    let left = Keyed::new(machine, parts, function, call)?;
    let (mut i, mut j) = (0, 0);
    let mut kept: Vec<Thunk> = Vec::new();
    if i < left.len() || keeps.second {
        let parts = elements(machine, b, call)?;
        let right = Keyed::new(machine, parts, function, call)?;
        let ready = [left.keys.if_read(), right.keys.if_read()];
        while i < left.len() && j < right.len() {
            machine.tick()?;
            let order = match left.computed_order(i, &right, j, ready) {
                Some(order) => order,
                None => {
                    let (x, y) = (left.key(machine, i, call)?, right.key(machine, j, call)?);
                    if equal(machine, x.clone(), y.clone(), call)? {
                        Ordering::Equal
                    } else if less(machine, x, y, call)? {
                        Ordering::Less
                    } else {
                        Ordering::Greater
                    }
                }
            };
            let next = match order {
                Ordering::Equal => keeps.both.then(|| left.element(i)),
                Ordering::Less => keeps.first.then(|| left.element(i)),
                Ordering::Greater => keeps.second.then(|| right.element(j)),
            };
            if let Some(element) = next.flatten() {
                machine.room_for(&mut kept, 1)?;
                kept.push(element);
            }
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
        }
    }
    let kept = Value::Array(kept.into());
    let rest = if i >= left.len() { (b, j, keeps.second) } else { (a, i, keeps.first) };
    let (whole, from, true) = rest else { return Ok(kept) };
    let rest = machine.slice(whole, [&super::number(from as f64), &Value::Null, &Value::Null], super::span(call))?;
    operate(machine, Prim::Plus, kept, rest, call)
}

/// Applies an operation to two arguments that are sets.
fn two(machine: &mut Machine, args: &[Thunk], call: &Call, keeps: KeptElements) -> Answer {
    let (a, b) = (force(machine, args, 0, call)?, force(machine, args, 1, call)?);
    combined(machine, [&a, &b], &argument(args, 2), call, keeps)
}

pub fn set_union(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    two(machine, args, call, KeptElements { first: true, both: true, second: true })
}

pub fn set_inter(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    two(machine, args, call, KeptElements { first: false, both: true, second: false })
}

pub fn set_diff(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    two(machine, args, call, KeptElements { first: true, both: false, second: false })
}

pub fn set_member(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let one = Value::array([argument(args, 0)]);
    let set = force(machine, args, 1, call)?;
    let keeps = KeptElements { first: false, both: true, second: false };
    match combined(machine, [&one, &set], &argument(args, 2), call, keeps)? {
        Value::Array(found) => Ok(Value::Bool(!found.is_empty())),
        _ => Err(impossible_type(call)),
    }
}

/// Returns the element with the least or the greatest key, the first one of several.
fn least_or_greatest(machine: &mut Machine, args: &[Thunk], call: &Call, least: bool) -> Answer {
    let whole = force(machine, args, 0, call)?;
    if length(machine, &whole, call)? == 0 {
        return force(machine, args, 2, call);
    }
    let parts = elements(machine, &whole, call)?;
    let keyed = Keyed::new(machine, parts, &argument(args, 1), call)?;
    let mut best = 0;
    for at in 0..keyed.len() {
        machine.tick()?;
        let (a, b) = (keyed.key(machine, best, call)?, keyed.key(machine, at, call)?);
        let order = order(machine, a, b, call)?;
        if if least { order.is_gt() } else { order.is_lt() } {
            best = at;
        }
        // every intermediate result is forced
        if let Some(best) = keyed.element(best) {
            value_of(machine, &best)?;
        }
    }
    match keyed.element(best) {
        Some(best) => value_of(machine, &best),
        None => Err(impossible_type(call)),
    }
}

pub fn min_array(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    least_or_greatest(machine, args, call, true)
}

pub fn max_array(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    least_or_greatest(machine, args, call, false)
}

/// Returns the default of `onEmpty`.
pub fn none() -> Thunk {
    Thunk::failed(failure(&Call::default(), "Expected at least one element in array. Got none"))
}
