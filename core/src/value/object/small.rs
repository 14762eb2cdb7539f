//! A map that stores few entries in a list and many in a hash map.

use crate::value::deferred_drop::discard_each;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Maximum number of entries that are searched linearly.
const SHORT: usize = 12;

/// A map with small keys, for uses in which most maps have few entries.
pub(super) enum SmallMap<K, V> {
    Short(Vec<(K, V)>),
    Long(FxHashMap<K, V>),
}

impl<K, V> Default for SmallMap<K, V> {
    fn default() -> Self {
        SmallMap::Short(Vec::new())
    }
}

impl<K: Copy + Eq + Hash + 'static, V: 'static> SmallMap<K, V> {
    /// If there are many entries, removes them, so that they are dropped in slices.
    pub(super) fn discard(&mut self) {
        if let SmallMap::Long(entries) = self {
            discard_each(std::mem::take(entries));
        }
    }

    /// Returns the value of a key.
    pub(super) fn get(&self, key: &K) -> Option<&V> {
        match self {
            SmallMap::Short(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, value)| value),
            SmallMap::Long(entries) => entries.get(key),
        }
    }

    /// Adds an entry. The key must be new.
    pub(super) fn insert(&mut self, key: K, value: V) {
        match self {
            SmallMap::Short(entries) if entries.len() < SHORT => entries.push((key, value)),
            SmallMap::Short(entries) => {
                let mut long: FxHashMap<K, V> = std::mem::take(entries).into_iter().collect();
                long.insert(key, value);
                *self = SmallMap::Long(long);
            }
            SmallMap::Long(entries) => {
                entries.insert(key, value);
            }
        }
    }

    /// Returns the values, in no particular order.
    pub(super) fn values(&self) -> impl Iterator<Item = &V> {
        let (short, long) = match self {
            SmallMap::Short(entries) => (Some(entries), None),
            SmallMap::Long(entries) => (None, Some(entries)),
        };
        short.into_iter().flatten().map(|(_, value)| value).chain(long.into_iter().flat_map(|map| map.values()))
    }
}
