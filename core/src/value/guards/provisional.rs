//! Values that are computed while a guard reads what it guards.
//!
//! Such a value is valid only while the same guards are being evaluated, because these count as false. It is remembered for that time, so that
//! the conditions of a long `if` do not each compute the layers below again.

use super::{Branches, GuardEvaluation, Read};
use crate::value::{Machine, Thunk, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The values, by the guards that were being evaluated.
#[derive(Default)]
pub(super) struct Provisional {
    /// The number of a list of guards: that of the list without its last one, and the last one.
    levels: FxHashMap<(Option<u32>, Branches), u32>,
    /// The values, by level and the address of the thunk.
    values: FxHashMap<(u32, usize), Known>,
    /// The addresses of the running thunks that were computed again on each level.
    again: Vec<FxHashSet<usize>>,
}

/// A value that is valid on a level.
struct Known {
    /// Keeps the address from being used again.
    _thunk: Thunk,
    value: Value,
    /// The index of the outermost guard on which the value depends.
    guard: usize,
    /// The part of a message about a guard.
    read: Option<Read>,
}

impl GuardEvaluation {
    /// Returns the number of the list of active guards up to one of them; `None` if a guard is not one of the branches of an `if`.
    fn level(&mut self, last: usize) -> Option<u32> {
        let known = self.active.get(..=last)?.iter().rposition(|active| active.level.is_some());
        let mut level = known.and_then(|at| self.active.get(at)?.level);
        for active in self.active.get_mut(known.map_or(0, |at| at + 1)..=last)? {
            let next = self.provisional.levels.len() as u32;
            let number = *self.provisional.levels.entry((level, active.branches?)).or_insert(next);
            if number == next {
                self.provisional.again.push(FxHashSet::default());
            }
            active.level = Some(number);
            level = active.level;
        }
        level
    }

    /// Records that a running thunk is computed again because the active guards from an index on need it.
    pub(super) fn note_again(&mut self, thunk: &Thunk, from: usize) {
        for at in from..self.active.len() {
            if let Some(level) = self.level(at)
                && let Some(again) = self.provisional.again.get_mut(level as usize)
            {
                again.insert(thunk.address());
            }
        }
    }

    /// Remembers a value that is not cached.
    pub(super) fn remember(&mut self, thunk: &Thunk, value: &Value, read: Option<Read>) {
        let Some(above) = self.uncached_above else { return };
        let Some(guard) = self.active.iter().position(|active| active.at == above) else { return };
        if let Some(level) = self.level(self.active.len() - 1) {
            let known = Known { _thunk: thunk.clone(), value: value.clone(), guard, read };
            self.provisional.values.insert((level, thunk.address()), known);
        }
    }

    /// Forgets all values, because a guard has been evaluated or is evaluated again in the final record.
    pub(super) fn forget(&mut self) {
        if !self.provisional.levels.is_empty() {
            self.provisional = Provisional::default();
            self.active.iter_mut().for_each(|active| active.level = None);
        }
    }
}

impl Machine {
    /// Returns the value of a thunk if it was computed while the same guards were being evaluated.
    #[inline]
    pub(in crate::value) fn provisional(&mut self, thunk: &Thunk) -> Option<Value> {
        if self.guard_evaluation.provisional.values.is_empty() || self.tracer.is_some() {
            return None;
        }
        self.recall(thunk)
    }

    #[cold]
    fn recall(&mut self, thunk: &Thunk) -> Option<Value> {
        let guards = &mut self.guard_evaluation;
        let last = guards.active.len().checked_sub(1)?;
        let level = guards.level(last)?;
        let known = guards.provisional.values.get(&(level, thunk.address()))?;
        let (value, guard, read) = (known.value.clone(), known.guard, known.read.clone());
        let again = guards.provisional.again.get(level as usize)?;
        let active = guards.active.get_mut(guard)?;
        if active.known_again != Some((level, again.len())) {
            // the guard must be evaluated again after these thunks, as if it had computed the value itself
            active.known_again = Some((level, again.len()));
            let first = self.running.iter().position(|(address, _)| again.contains(address));
            active.lowest = active.lowest.min(first.unwrap_or(usize::MAX));
        }
        active.peeked = true;
        let at = active.at;
        self.keep_below(at);
        if let Some(read) = read {
            self.add_read(read);
        }
        Some(value)
    }
}
