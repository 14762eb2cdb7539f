//! The flag that stops all work, and the memory that sets it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Maximum memory in bytes that is kept free, for dropping what was made and for the report.
const MAX_RESERVE: u64 = 256 << 20;
/// Minimum memory in bytes that is kept free, unless the whole memory is less than four times as large.
const MIN_RESERVE: u64 = 32 << 20;
/// Bytes that an allocator takes from the system at a time, for values of any size.
const ALLOCATOR_SEGMENT: u64 = 32 << 20;
/// Minimum memory in bytes that is kept free where the system refuses what is beyond the limit, which ends the process. One segment of the
/// allocator may be taken between two measurements, and one is left for dropping and for the report, with some segments of the stack.
const MIN_RESERVE_OF_REFUSED: u64 = 2 * ALLOCATOR_SEGMENT + (8 << 20);
/// Bytes that must be left for another thread: its stack and a segment of the allocator, the same for one that was just started and has not
/// taken them, and two segments for this thread.
const THREAD: u64 = 4 * ALLOCATOR_SEGMENT + (8 << 20);
/// Bytes that work may allocate between two checks of the flag. Most allocate much less.
const BYTES_PER_CHECK: u64 = 16 << 10;
/// Minimum and maximum number of checks of the flag between two measurements of the memory.
const MEASURED: (u64, u64) = (256, 1 << 16);
/// Number of checks of the flag before the first measurement: small programs end without one.
const FIRST_MEASURED: usize = 1024;
/// The number of a flag that is set because memory ran out.
const OUT_OF_MEMORY: usize = usize::MAX;

/// The memory that this process can still allocate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Available bytes.
    pub left: u64,
    /// The limit, in bytes.
    pub total: u64,
    /// Whether the system refuses what is beyond the limit, as for `ulimit -v`.
    pub refuses: bool,
}

impl Memory {
    /// Returns the bytes that can be allocated such that enough is left for dropping what was made and for the report. `None` if less
    /// is left already.
    pub fn spare(self) -> Option<u64> {
        let part = self.total / 16;
        let reserve = match self.refuses {
            true => part.clamp(MIN_RESERVE_OF_REFUSED, MAX_RESERVE),
            false => part.clamp(MIN_RESERVE, MAX_RESERVE).min(self.total / 4),
        };
        self.left.checked_sub(reserve)
    }
}

/// Measures the memory of the process, on any thread. `None` if it is not known.
pub type MemoryGauge = fn() -> Option<Memory>;

/// Returns whether the system gives these bytes at once, by asking for them. They are given back at once, and nothing of them is used, so
/// that the cost does not depend on their number.
pub fn is_available(bytes: u64) -> bool {
    usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// Returns whether the system has the memory for another thread. Without it, the first allocation of the thread would end the process.
pub fn has_room_for_a_thread() -> bool {
    is_available(THREAD)
}

/// The reason why work must stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The user has interrupted.
    Interrupt,
    /// Memory ran out: the number of bytes that were left.
    Memory(u64),
}

/// The flag that interrupts all work of a session. A check costs as much as reading two fields. With a gauge, checks also measure the
/// memory at intervals, and set the flag if little is left.
///
/// Its number is 0 if the flag is clear, 1 if it is set, and n + 1 if the n-th check from now is the first that finds it set.
#[derive(Debug, Default)]
pub struct StopFlag {
    number: AtomicUsize,
    /// Number of checks before the memory is measured.
    unmeasured: AtomicUsize,
    /// Bytes that were left when memory ran out.
    left: AtomicU64,
    /// Bytes that were left at the first measurement since the flag was cleared. 0 before it.
    left_first: AtomicU64,
    gauge: OnceLock<MemoryGauge>,
}

impl StopFlag {
    /// Sets the flag.
    pub fn set(&self) {
        self.number.store(1, Ordering::Relaxed);
    }

    /// Clears the flag. A countdown goes on.
    pub fn clear(&self) {
        for number in [1, OUT_OF_MEMORY] {
            let _ = self.number.compare_exchange(number, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
        self.left_first.store(0, Ordering::Relaxed);
        if self.gauge.get().is_some() && self.unmeasured.load(Ordering::Relaxed) > FIRST_MEASURED {
            self.unmeasured.store(FIRST_MEASURED, Ordering::Relaxed);
        }
    }

    /// Sets the flag when the gauge says that memory runs out. The first gauge is kept.
    pub fn measure(&self, gauge: MemoryGauge) {
        if self.gauge.set(gauge).is_ok() {
            self.unmeasured.store(FIRST_MEASURED, Ordering::Relaxed);
        }
    }

    /// Sets the flag at the `checks`-th check from now, and ends a countdown for 0. Tests interrupt work at each of its checks in this way.
    /// Returns `true` if an earlier countdown had not ended.
    pub fn set_after(&self, checks: usize) -> bool {
        let number = if checks == 0 { 0 } else { checks.saturating_add(1).min(OUT_OF_MEMORY - 1) };
        (2..OUT_OF_MEMORY).contains(&self.number.swap(number, Ordering::Relaxed))
    }

    /// Returns `true` if the flag is set.
    pub fn is_set(&self) -> bool {
        self.check(1, false)
    }

    /// Like [`StopFlag::is_set`], for work that fills tables and checks the flag at every `steps`-th of its steps. A table that
    /// grows is copied to a larger place, so more memory must be left.
    pub fn is_set_for_tables(&self, steps: usize) -> bool {
        self.check(steps, true)
    }

    #[inline]
    fn check(&self, steps: usize, tables: bool) -> bool {
        match self.unmeasured.load(Ordering::Relaxed) {
            0 => self.measure_now(tables),
            checks => self.unmeasured.store(checks.saturating_sub(steps), Ordering::Relaxed),
        }
        match self.number.load(Ordering::Relaxed) {
            0 => false,
            1 | OUT_OF_MEMORY => true,
            left => self.count(left),
        }
    }

    /// Returns why the flag is set; an interrupt if it is not.
    pub fn reason(&self) -> StopReason {
        match self.number.load(Ordering::Relaxed) {
            OUT_OF_MEMORY => StopReason::Memory(self.left.load(Ordering::Relaxed)),
            _ => StopReason::Interrupt,
        }
    }

    /// Sets the flag if too little memory is left for `bytes` that are needed at once.
    #[cold]
    pub fn expect(&self, bytes: u64) {
        self.expect_if(bytes, |_| true);
    }

    fn expect_if(&self, bytes: u64, counts: impl Fn(Memory) -> bool) {
        if let Some(memory) = self.gauge.get().and_then(|gauge| gauge()).filter(|memory| counts(*memory))
            && memory.spare().is_none_or(|spare| spare < bytes)
        {
            self.run_out(memory.left);
        }
    }

    /// Sets the flag because the system refused memory.
    pub fn refused(&self) {
        self.run_out(self.gauge.get().and_then(|gauge| gauge()).map_or(0, |memory| memory.left));
    }

    #[cold]
    fn count(&self, left: usize) -> bool {
        self.number.store(left - 1, Ordering::Relaxed);
        left == 2
    }

    #[cold]
    fn measure_now(&self, tables: bool) {
        let memory = self.gauge.get().and_then(|gauge| gauge());
        let next = match memory.map(|memory| (memory.left, self.spare(memory, tables))) {
            None => u64::MAX,
            Some((_, Some(spare))) => (spare / BYTES_PER_CHECK).clamp(MEASURED.0, MEASURED.1),
            Some((left, None)) => {
                self.run_out(left);
                MEASURED.0
            }
        };
        self.unmeasured.store(usize::try_from(next).unwrap_or(usize::MAX), Ordering::Relaxed);
    }

    /// Returns the bytes that the work may take. Tables that grow may need as much as was taken since the flag was cleared.
    fn spare(&self, memory: Memory, tables: bool) -> Option<u64> {
        let first = match self.left_first.load(Ordering::Relaxed) {
            0 => {
                self.left_first.store(memory.left, Ordering::Relaxed);
                memory.left
            }
            first => first,
        };
        let growth = if tables && memory.refuses { first.saturating_sub(memory.left) } else { 0 };
        memory.spare()?.checked_sub(growth)
    }

    /// Sets the flag because memory ran out, unless the user has interrupted.
    pub(crate) fn run_out(&self, left: u64) {
        self.left.store(left, Ordering::Relaxed);
        if self.number.load(Ordering::Relaxed) != 1 {
            self.number.store(OUT_OF_MEMORY, Ordering::Relaxed);
        }
    }
}

/// A view of the flag that interrupts all work. A check costs as much as reading two fields, so readers check at every
/// token. The output of a stopped reader is incomplete; the dialect table replaces it with a problem that says why it stopped.
#[derive(Clone, Copy, Debug)]
pub struct Stop<'a>(Option<&'a StopFlag>);

impl<'a> Stop<'a> {
    /// Never stops.
    pub const NEVER: Stop<'static> = Stop(None);

    /// Stops when the flag is set.
    pub fn on(flag: &'a StopFlag) -> Stop<'a> {
        Stop(Some(flag))
    }

    /// Returns `true` if the reader must stop.
    pub fn is_asked(self) -> bool {
        self.0.is_some_and(|flag| flag.is_set_for_tables(1))
    }

    /// Sets the flag if too little memory is left for `bytes` that are needed at once.
    pub fn expect(self, bytes: u64) {
        if let Some(flag) = self.0 {
            flag.expect(bytes);
        }
    }

    /// Like [`Stop::expect`], for a table of a parser that cannot be stopped and probably takes less. Only a system that refuses memory
    /// must not be asked for it.
    pub fn expect_table(self, bytes: u64) {
        if let Some(flag) = self.0 {
            flag.expect_if(bytes, |memory| memory.refuses);
        }
    }

    /// Returns why the reader must stop.
    pub fn reason(self) -> StopReason {
        self.0.map_or(StopReason::Interrupt, StopFlag::reason)
    }

    /// Returns the flag; `None` if it never stops.
    pub(crate) fn flag(self) -> Option<&'a StopFlag> {
        self.0
    }

    /// Returns a clear flag that measures the memory like this one, for work on another thread.
    pub(crate) fn separate_flag(self) -> StopFlag {
        let flag = StopFlag::default();
        if let Some(gauge) = self.0.and_then(|own| own.gauge.get()) {
            flag.measure(*gauge);
        }
        flag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> Option<Memory> {
        Some(Memory { left: 20 << 20, total: 1 << 30, refuses: false })
    }

    fn ample() -> Option<Memory> {
        Some(Memory { left: 1 << 30, total: 1 << 30, refuses: false })
    }

    fn checks_until_set(flag: &StopFlag) -> Option<usize> {
        (1..1_000_000).find(|_| flag.is_set())
    }

    #[test]
    fn memory_that_runs_out_sets_the_flag_until_it_is_cleared() {
        let flag = StopFlag::default();
        flag.measure(full);
        assert_eq!(checks_until_set(&flag), Some(FIRST_MEASURED + 1));
        assert_eq!(flag.reason(), StopReason::Memory(20 << 20));
        flag.clear();
        assert!(!flag.is_set());
        assert!(checks_until_set(&flag).is_some_and(|checks| checks <= 256));
        flag.set();
        assert_eq!(flag.reason(), StopReason::Interrupt);
    }

    #[test]
    fn ample_memory_and_no_gauge_set_nothing() {
        let flag = StopFlag::default();
        assert_eq!(checks_until_set(&flag), None);
        flag.measure(ample);
        assert_eq!(checks_until_set(&flag), None);
        let other = Stop::on(&flag).separate_flag();
        assert!(other.gauge.get().is_some() && !other.is_set());
    }

    #[test]
    fn steps_between_two_checks_count() {
        let flag = StopFlag::default();
        flag.measure(full);
        assert_eq!((1..1000).find(|_| flag.is_set_for_tables(256)), Some(FIRST_MEASURED / 256 + 1));
    }

    #[test]
    fn tables_may_grow_by_what_was_taken() {
        let memory = |mb: u64, refuses| Memory { left: mb << 20, total: 700 << 20, refuses };
        let flag = StopFlag::default();
        let spare = |mb, refuses, tables| flag.spare(memory(mb, refuses), tables).map(|bytes| bytes >> 20);
        // a sixteenth of 700 MB is kept free, and two segments of the allocator where the system refuses memory
        assert_eq!(spare(600, true, true), Some(528));
        assert_eq!([spare(400, true, true), spare(300, true, true)], [Some(128), None]);
        assert_eq!([spare(300, true, false), spare(300, false, true)], [Some(228), Some(256)]);
        flag.clear();
        assert_eq!(spare(300, true, true), Some(228));
    }

    #[test]
    fn what_is_needed_at_once_is_compared_with_the_memory() {
        let flag = StopFlag::default();
        flag.expect(u64::MAX);
        assert!(!flag.is_set());
        flag.measure(ample);
        flag.expect(4 << 20);
        assert!(!flag.is_set());
        flag.expect(1 << 30);
        assert_eq!((flag.is_set(), flag.reason()), (true, StopReason::Memory(1 << 30)));
    }

    #[test]
    fn a_countdown_is_counted_in_checks() {
        let flag = StopFlag::default();
        assert!(!flag.set_after(3));
        assert_eq!(checks_until_set(&flag), Some(3));
        flag.clear();
        assert!(!flag.set_after(5) && flag.set_after(0));
        assert!(!flag.is_set());
    }

    #[test]
    fn the_reserve_is_a_part_of_the_memory() {
        let spare = |left: u64, total: u64| {
            Memory { left: left << 20, total: total << 20, refuses: false }.spare().map(|b| b >> 20)
        };
        assert_eq!([spare(100, 200), spare(31, 200), spare(300, 24_000)], [Some(68), None, Some(44)]);
        assert_eq!([spare(20, 40), spare(9, 40)], [Some(10), None]);
        let refused = |left: u64| Memory { left: left << 20, total: 200 << 20, refuses: true }.spare().map(|b| b >> 20);
        assert_eq!([refused(100), refused(71)], [Some(28), None]);
    }

    #[test]
    fn bytes_are_available_unless_the_system_refuses_them() {
        assert!(is_available(1 << 20) && has_room_for_a_thread());
        assert!(!is_available(1 << 60) && !is_available(u64::MAX));
    }
}
