//! The keys by which the elements of lists are identified.

use super::{COMPARED, PlacedThunk};
use crate::text::Name;
use crate::text::path::KeyField;
use crate::value::lists::key_of;
use crate::value::{Array, Call, Fault, Machine, Value};
use rustc_hash::FxHashSet;

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
