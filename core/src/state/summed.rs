//! Hashes and maxima over everything that a name reads, directly or indirectly.

use super::Definition;
use super::environment::Environment;
use crate::term::groups;
use crate::text::Name;
use rustc_hash::FxHashMap;

impl Environment {
    /// Returns the sum for `key`: `own` returns the number of a single name, `join` adds the numbers of everything that it
    /// reads. Names that read each other have the same sum. A result reads nothing, because its value is fixed. `known` is a
    /// cache that is used and extended. It stays complete: if a name is in it, so is everything that the name reads. Linear
    /// in the number of names that are read and not cached.
    ///
    /// # Errors
    ///
    /// The names that were visited, if there are more than `most`.
    pub fn summed(
        &self,
        key: &Name,
        known: &mut FxHashMap<Name, u64>,
        own: impl Fn(&Name, Option<&Definition>) -> u64,
        join: impl Fn(u64, u64) -> u64,
        most: usize,
    ) -> Result<u64, Vec<Name>> {
        if let Some(known) = known.get(key) {
            return Ok(*known);
        }
        let mut all: Vec<Name> = vec![key.clone()];
        let mut numbers: Vec<u64> = Vec::new();
        let mut place: FxHashMap<Name, u32> = [(key.clone(), 0)].into_iter().collect();
        let mut reads: Vec<(u32, u32)> = Vec::new();
        while let Some(name) = all.get(numbers.len()).cloned() {
            if all.len() > most {
                return Err(all);
            }
            let from = numbers.len() as u32;
            let definition = self.get(&name);
            let mut number = own(&name, definition.map(|definition| &**definition));
            for used in definition.filter(|_| !name.starts_with('$')).iter().flat_map(|d| d.uses.iter()) {
                if let Some(known) = known.get(used) {
                    number = join(number, *known);
                    continue;
                }
                let to = *place.entry(used.clone()).or_insert_with(|| {
                    all.push(used.clone());
                    all.len() as u32 - 1
                });
                reads.push((from, to));
            }
            numbers.push(number);
        }
        reads.sort_unstable();
        for group in groups(all.len(), &reads).iter() {
            let mut sum: Option<u64> = None;
            let mut add = |number: u64| sum = Some(sum.map_or(number, |sum| join(sum, number)));
            for member in group.iter() {
                numbers.get(*member as usize).copied().into_iter().for_each(&mut add);
                let from = reads.partition_point(|(user, _)| user < member);
                let read = reads.get(from..).unwrap_or_default().iter().take_while(|(user, _)| user == member);
                let outward = read.filter(|(_, to)| group.binary_search(to).is_err());
                outward.filter_map(|(_, to)| numbers.get(*to as usize)).copied().for_each(&mut add);
            }
            for member in group.iter() {
                if let (Some(number), Some(sum)) = (numbers.get_mut(*member as usize), sum) {
                    *number = sum;
                }
            }
        }
        let found = numbers.first().copied().unwrap_or_default();
        known.extend(all.into_iter().zip(numbers));
        Ok(found)
    }
}
