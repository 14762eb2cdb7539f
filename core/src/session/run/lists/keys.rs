//! The keys by which the elements of lists are identified.

use super::{COMPARED, PlacedThunk, general, names::place_of};
use crate::problem::session::Slip;
use crate::text::path::{KeyField, Step};
use crate::text::{Name, Span};
use crate::value::lists::key_of;
use crate::value::{Array, Call, Fault, Machine, Thunk, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Returns the first of [`common_keys`].
pub(super) fn common_key(machine: &mut Machine, lists: &[&Array]) -> Result<Option<Name>, Fault> {
    Ok(common_keys(machine, lists)?.into_iter().next())
}

/// Returns the fields by which the elements of all lists can be identified: each element is a record that has it, as a string
/// or number that is different in each element of a list. `name` and `id` are first.
pub(super) fn common_keys(machine: &mut Machine, lists: &[&Array]) -> Result<Vec<Name>, Fault> {
    let Some(first) = lists.first() else { return Ok(Vec::new()) };
    let first = match machine.items(first)?.first().cloned() {
        Some(first) => machine.force(&first)?,
        None => return Ok(Vec::new()),
    };
    let Value::Record(record) = first else { return Ok(Vec::new()) };
    let mut names: Vec<Name> = machine.all_fields(&record)?.into_iter().map(|field| field.name).collect();
    names.sort_by_key(|name| !matches!(name.as_str(), "name" | "id"));
    let mut found = Vec::new();
    'names: for name in names.into_iter().take(8) {
        let keys = [KeyField { name: name.clone(), default: None }];
        for list in lists {
            let mut seen = FxHashSet::default();
            for element in machine.items(list)? {
                machine.tick()?;
                match key_of(machine, element, &keys)? {
                    Some(key) if seen.insert(key.clone()) => {}
                    _ => continue 'names,
                }
            }
        }
        found.push(name);
    }
    Ok(found)
}

/// Checks whether a list lacks an element of the list that it replaces. Long lists are not compared.
pub(super) fn lacks_elements(machine: &mut Machine, lower: &Array, higher: &Array) -> Result<bool, Fault> {
    if lower.len().saturating_mul(higher.len()) > COMPARED {
        return Ok(true);
    }
    'lower: for element in machine.items(lower)? {
        for other in machine.items(higher)? {
            machine.tick()?;
            match machine.equal(element, other, &Call::default()) {
                Ok(true) => continue 'lower,
                Err(fault) if fault.is_transient() => return Err(fault),
                Ok(false) | Err(_) => {}
            }
        }
        return Ok(true);
    }
    Ok(false)
}

/// Checks that every element of every array has the key.
pub(super) fn all_have_key(
    machine: &mut Machine,
    arrays: &[(PlacedThunk, Array)],
    keys: &[KeyField],
) -> Result<bool, Fault> {
    for (_, array) in arrays {
        for element in machine.items(array)? {
            machine.tick()?;
            if key_of(machine, element, keys)?.is_none() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Returns the message about an element without the key by which its list is merged.
pub(super) fn without(path: &Name, key: &Name, near: Option<Name>, replaces: bool) -> Slip {
    let list = path.rsplit_once('[').map_or(path.as_str(), |(list, _)| list);
    let message = match replaces {
        true => format!("`{path}` has no `{key}`, so `{list}` replaces the list of the lower layer"),
        false => format!("`{path}` has no `{key}`, so it is added to the list and merged with no element"),
    };
    let slip = Slip::new("merge/no-key", message).label(format!("this element has no `{key}`"));
    match near {
        Some(near) => slip.help(format!("did you mean `{key}` in place of `{near}`?")),
        None => slip.help(format!("Kubernetes merges this list by `{key}`: write it in each element")),
    }
}

/// Finds elements of one list that have the same key, so that only the first is merged with the element of another list; or else an
/// element whose key is a number where that of a lower element is the same number as a string. `O(elements)`.
pub(super) fn alike(
    machine: &mut Machine,
    path: &[Step],
    lists: &[&Array],
    keys: &[KeyField],
) -> Result<Option<(Slip, Option<Span>)>, Fault> {
    let [KeyField { name: first, .. }, ..] = keys else { return Ok(None) };
    let mut all: Vec<Vec<Option<String>>> = Vec::with_capacity(lists.len());
    for list in lists {
        let mut own = Vec::with_capacity(list.len());
        for element in machine.items(list)?.to_vec() {
            machine.tick()?;
            own.push(if has_secret_key(machine, &element, keys)? { None } else { key_of(machine, &element, keys)? });
        }
        all.push(own);
    }
    let mut layers: FxHashMap<&str, usize> = FxHashMap::default();
    for own in &all {
        for key in own.iter().flatten().map(String::as_str).collect::<FxHashSet<_>>() {
            *layers.entry(key).or_default() += 1;
        }
    }
    let shown = general(path);
    let place = |machine: &mut Machine, list: usize, index: usize| {
        let element = lists.get(list).map(|list| machine.items(list).map(|items| items.get(index).cloned()));
        match element.transpose()?.flatten() {
            Some(element) => place_of(machine, &element),
            None => Ok(None),
        }
    };
    for (at, own) in all.iter().enumerate() {
        let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
        for (index, key) in own.iter().enumerate() {
            let Some(key) = key.as_deref().filter(|key| layers.get(key).is_some_and(|count| *count > 1)) else {
                continue;
            };
            let Some(before) = seen.insert(key, index) else { continue };
            let (one, other) = (place(machine, at, before)?, place(machine, at, index)?);
            let message = format!(
                "two elements of `{shown}` have the same `{first}`: only the first is merged with that of another layer"
            );
            let slip = Slip::new("merge/same-key", message).label("the second element with this key");
            let help = format!("write one element, or give the second another `{first}`");
            return Ok(Some((slip.other(one, "the first").help(help), other)));
        }
    }
    let mut lower: FxHashMap<&str, (usize, usize)> = FxHashMap::default();
    for (at, own) in all.iter().enumerate().filter(|_| keys.len() == 1) {
        for (index, key) in own.iter().enumerate() {
            let Some((kind, value)) = key.as_deref().and_then(kind_of_key) else { continue };
            if layers.get(key.as_deref().unwrap_or_default()) == Some(&1)
                && let Some((below, its)) = lower.get(value).filter(|(below, _)| *below < at)
            {
                let (one, other) = (place(machine, *below, *its)?, place(machine, at, index)?);
                let (is, was) = if kind == "s" { ("a string", "a number") } else { ("a number", "a string") };
                let message = format!(
                    "an element of `{shown}` is merged with no other: its `{first}` is {is}, and that of the lower layer {was}"
                );
                let slip = Slip::new("merge/no-key", message).label(format!("its `{first}` is {is}"));
                let help = format!("write both as {was}, or both as {is}");
                return Ok(Some((slip.other(one, format!("its `{first}` is {was}")).help(help), other)));
            }
        }
        for (index, key) in own.iter().enumerate() {
            if let Some((_, value)) = key.as_deref().and_then(kind_of_key) {
                lower.entry(value).or_insert((at, index));
            }
        }
    }
    Ok(None)
}

/// Whether a key of an element is secret, so that nothing may be said of which elements have the same.
pub(in crate::session::run) fn has_secret_key(
    machine: &mut Machine,
    element: &Thunk,
    keys: &[KeyField],
) -> Result<bool, Fault> {
    let Value::Record(record) = machine.force(element)? else { return Ok(false) };
    for key in keys {
        if machine.field(&record, &key.name)?.is_some_and(|value| value.secret().is_some()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Splits what [`key_of`] returns for a string or a number.
fn kind_of_key(key: &str) -> Option<(&str, &str)> {
    let (_, key) = key.split_once(':')?;
    let (kind, value) = key.split_at_checked(1)?;
    matches!(kind, "s" | "n").then_some((kind, value))
}
