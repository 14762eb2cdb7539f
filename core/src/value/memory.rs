//! Asking for memory. Every function that makes something whose size a program determines asks here before it makes it,
//! so that a value that does not fit is a problem with a place, and not the end of the process.

use super::array::{COMPUTED_BYTES, NEW_BYTES};
use super::{Array, Fault, Machine, Text, Thunk, deferred_drop};
use crate::problem::value::{Limit, ValueKind};

/// Maximum number of elements or bytes of one string or array.
const MAX_LENGTH: u64 = 1 << 30;
/// Number of bytes from which the remaining memory is checked before a value is made.
const LARGE_VALUE: usize = 1 << 18;
/// Number of bytes of small values after which the remaining memory is checked.
const CHECKED_TOGETHER: u64 = 1 << 23;
/// Room in bytes that a growing text has for parts that are written without asking.
const SMALL_PARTS: usize = 1 << 16;
/// Minimum capacity of something that grows.
const MIN_CAPACITY: usize = 8;
/// Bytes that a step of an evaluation may take without asking, on the stack and for its thunks. Most take less.
const BYTES_PER_STEP: u64 = 2 << 10;
/// Number of steps before the remaining memory is first checked.
const FIRST_STEPS: u64 = 1 << 13;
/// Minimum and maximum number of steps between two checks of the remaining memory.
const STEPS_BETWEEN: (u64, u64) = (1 << 10, 1 << 16);

/// The amounts that an evaluation has asked for.
#[derive(Clone, Copy)]
pub(super) struct Requested {
    /// Number of elements, fields and characters.
    made: u64,
    /// Bytes since the remaining memory was last checked.
    unchecked: u64,
    /// The step at which the remaining memory is checked next.
    pub(super) next_check: u64,
}

impl Default for Requested {
    fn default() -> Requested {
        Requested { made: 0, unchecked: 0, next_check: FIRST_STEPS }
    }
}

impl Machine {
    /// Counts fields or bytes before they are made. Fails if one value, or all values together, would be too large.
    pub fn charge(&mut self, amount: usize) -> Result<(), Fault> {
        self.ask(amount as u64, amount)
    }

    /// Counts elements of a new array before they are made: references to thunks that exist already.
    pub fn charge_elements(&mut self, count: usize) -> Result<(), Fault> {
        self.ask(count as u64, count.saturating_mul(size_of::<Thunk>()))
    }

    /// Counts elements of a new array before they are made, each with a thunk of its own.
    pub fn charge_new_elements(&mut self, count: usize) -> Result<(), Fault> {
        self.ask(count as u64, count.saturating_mul(NEW_BYTES))
    }

    /// Counts elements of a new array before they are made, each with work that computes it when it is needed.
    pub fn charge_computed_elements(&mut self, count: usize) -> Result<(), Fault> {
        self.ask(count as u64, count.saturating_mul(COMPUTED_BYTES))
    }

    /// Counts the elements of an array that are made one by one, when they are read.
    pub fn charge_lazy(&mut self, count: usize) -> Result<(), Fault> {
        self.ask(count as u64, count / 32)
    }

    /// Counts an amount, and checks whether there is memory for its bytes.
    fn ask(&mut self, amount: u64, bytes: usize) -> Result<(), Fault> {
        self.asked.made = self.asked.made.saturating_add(amount);
        let allowed = self.limits.memory.unwrap_or(u64::MAX);
        if amount > MAX_LENGTH || self.asked.made > allowed {
            return Err(self.too_large(allowed.min(MAX_LENGTH)));
        }
        self.asked.unchecked = self.asked.unchecked.saturating_add(bytes as u64);
        if bytes > LARGE_VALUE || self.asked.unchecked > CHECKED_TOGETHER {
            return self.check_memory(bytes as u64);
        }
        Ok(())
    }

    #[cold]
    fn too_large(&self, allowed: u64) -> Fault {
        Fault::new(ValueKind::Limit { limit: Limit::Memory, allowed, span: self.here() })
    }

    /// Like [`Machine::charge`], for two values that are joined in O(1). The remaining memory is checked only when the
    /// length passes a multiple of [`LARGE_VALUE`], because a fold of appends would otherwise check it at every step.
    pub(super) fn charge_joined(&mut self, left: usize, right: usize) -> Result<(), Fault> {
        let whole = left.saturating_add(right);
        if whole <= MAX_LENGTH as usize && left.max(right) / LARGE_VALUE == whole / LARGE_VALUE {
            self.asked.made = self.asked.made.saturating_add(whole as u64);
            if self.limits.memory.is_none_or(|allowed| self.asked.made <= allowed) {
                return Ok(());
            }
        }
        self.charge(whole)
    }

    /// Makes room for `more` bytes, and for some small parts, in a text that is being written. Every function that
    /// writes a text part by part calls it for each part, so that the text never grows without asking.
    pub fn room(&mut self, out: &mut String, more: usize) -> Result<(), Fault> {
        let (length, capacity) = (out.len(), out.capacity());
        if length.saturating_add(more) <= LARGE_VALUE || capacity - length >= more.saturating_add(SMALL_PARTS) {
            return Ok(());
        }
        let whole = self.grown(length, capacity, more.saturating_add(SMALL_PARTS))?;
        self.check_memory(whole as u64)?;
        out.reserve_exact(whole - length);
        Ok(())
    }

    /// Makes room for `more` elements in an array that is being made of elements that exist already.
    pub fn room_for(&mut self, out: &mut Vec<Thunk>, more: usize) -> Result<(), Fault> {
        let (length, capacity) = (out.len(), out.capacity());
        if capacity - length >= more {
            return Ok(());
        }
        let whole = self.grown(length, capacity, more)?;
        if whole > LARGE_VALUE / size_of::<Thunk>() {
            self.check_memory(whole.saturating_mul(size_of::<Thunk>()) as u64)?;
        }
        out.reserve_exact(whole - length);
        Ok(())
    }

    /// Returns the next capacity of something that grows: at least twice the last one.
    fn grown(&mut self, length: usize, capacity: usize, more: usize) -> Result<usize, Fault> {
        let needed = length.saturating_add(more);
        if needed as u64 > MAX_LENGTH + SMALL_PARTS as u64 {
            return Err(self.too_large(MAX_LENGTH));
        }
        Ok(needed.max(capacity.saturating_mul(2)).max(MIN_CAPACITY))
    }

    /// Appends a part to a text that is being written.
    pub fn append(&mut self, out: &mut String, part: &str) -> Result<(), Fault> {
        self.room(out, part.len())?;
        out.push_str(part);
        Ok(())
    }

    /// Returns the elements of an array, and asks for memory for them and for a copy of them. O(length) the first time after a concatenation, O(1) later.
    pub fn items<'a>(&mut self, array: &'a Array) -> Result<&'a [Thunk], Fault> {
        let missing = array.missing_bytes();
        if missing > 0 {
            self.ask(0, missing)?;
        }
        self.expect(array.len().saturating_mul(size_of::<Thunk>()))?;
        Ok(array.as_slice())
    }

    /// Returns an element of an array. O(1); for concatenations like [`Machine::items`].
    pub fn item(&mut self, array: &Array, index: usize) -> Result<Option<Thunk>, Fault> {
        if array.is_unread_join() {
            self.items(array)?;
        }
        Ok(array.at(index))
    }

    /// Returns a string whose text can be read, and asks for memory for a copy of it.
    pub fn read(&mut self, text: Text) -> Result<Text, Fault> {
        let missing = text.missing_bytes();
        if missing > 0 {
            self.ask(0, missing)?;
            text.as_str();
        }
        self.expect(text.len())?;
        Ok(text)
    }

    /// Counts bytes that a function probably makes of an argument: about as many as the argument has.
    pub(super) fn expect(&mut self, bytes: usize) -> Result<(), Fault> {
        self.asked.unchecked = self.asked.unchecked.saturating_add(bytes as u64);
        if self.asked.unchecked > CHECKED_TOGETHER { self.check_memory(bytes as u64) } else { Ok(()) }
    }

    /// Fails if the process is about to run out of memory. It is called before each large value and at intervals, so
    /// that the limit is found before the system kills the process.
    #[cold]
    pub(super) fn check_memory(&mut self, wanted: u64) -> Result<(), Fault> {
        self.asked.unchecked = 0;
        let mut last = false;
        let allowed = loop {
            let memory = self.host.memory();
            let spare = memory.map_or(Some(u64::MAX), |memory| memory.spare()?.checked_sub(wanted));
            let steps = (spare.unwrap_or_default() / BYTES_PER_STEP).clamp(STEPS_BETWEEN.0, STEPS_BETWEEN.1);
            self.asked.next_check = self.steps.saturating_add(steps);
            if spare.is_some() {
                return Ok(());
            }
            if last || !deferred_drop::is_pending() {
                break memory.map_or(0, |memory| memory.left);
            }
            last = true;
            let interrupt = self.interrupt();
            deferred_drop::drop_all(&|| interrupt.is_set());
        };
        Err(self.out_of_memory(allowed))
    }

    /// Returns the fault of an evaluation that ran out of memory.
    pub(super) fn out_of_memory(&self, left: u64) -> Fault {
        Fault::new(ValueKind::Limit { limit: Limit::Room, allowed: left, span: self.here() })
    }
}
