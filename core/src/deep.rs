//! Recursion on the depth of the input: grows the stack where little of it is left. And work on the length of the input that asks for
//! memory as it goes.

use crate::stop::{Stop, is_available};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Bytes of the stack that one level of recursion may take.
const LEVEL: usize = 128 << 10;
/// Sizes of the segments that are tried in turn, in bytes. The system may refuse a large one.
const SEGMENTS: [usize; 2] = [4 << 20, 512 << 10];

/// Size of the stack of a program that is run as a whole, in bytes. Only the part that is used takes memory.
const WHOLE: usize = 256 << 20;

/// Bytes that must be left beside a segment, so that the allocator can take what the work and the report need.
const LEFT: u64 = 40 << 20;

/// The system refuses a segment of the stack, or memory for the next steps: the payload of a panic, which ends the call of the session
/// (`session/boundary.rs`). Nothing that drops may cause it: a panic during another one ends the process.
pub struct OutOfMemory;

/// Steps of work between two questions for memory.
const STEPS: usize = 1024;

/// Asks for memory at every 1,024th step of work that checks no flag, such as writing an answer. The caller counts its steps.
///
/// # Panics
///
/// With [`OutOfMemory`] if the system has too little for the next steps.
#[inline]
pub fn expect_memory(step: usize) {
    if step % STEPS == STEPS - 1 && !is_available(LEFT) {
        resume_unwind(Box::new(OutOfMemory));
    }
}

/// Runs `work` one level deeper, on a new segment of the stack if little is left.
///
/// # Panics
///
/// With [`OutOfMemory`] if the system refuses a segment.
#[inline]
pub fn deeper<T>(work: impl FnOnce() -> T) -> T {
    match is_near_the_end() {
        false => work(),
        true => on_segment(&SEGMENTS, work),
    }
}

/// Like [`deeper`], but measures the memory before it takes a segment, and sets the flag if too little is left: before the system
/// refuses one.
#[inline]
pub fn deeper_until<T>(stop: Stop<'_>, work: impl FnOnce() -> T) -> T {
    match is_near_the_end() {
        false => work(),
        true => {
            stop.expect(SEGMENTS[0] as u64);
            on_segment(&SEGMENTS, work)
        }
    }
}

/// Bytes of the segment that [`deeper`] takes next; `None` if it takes none.
#[inline]
pub fn next_segment() -> Option<u64> {
    is_near_the_end().then_some(SEGMENTS[0] as u64)
}

/// Runs `work`, which has no checks of its own, on a stack of at least `bytes`.
pub fn with_stack<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    match stacker::remaining_stack() {
        Some(left) if left >= bytes => work(),
        _ => on_segment(&[bytes.saturating_mul(8), bytes.saturating_mul(2)], work),
    }
}

/// Runs `work` of the first thread on a stack that is large enough for nearly all programs, if the system has the room for it.
/// Segments are given back when a recursion returns, so that one that goes deep several times would pay for their pages each time. Some
/// 10 µs.
pub fn on_whole_stack<T>(work: impl FnOnce() -> T) -> T {
    // another thread has a stack for its purpose: a small one in a small address space
    match std::thread::current().name() {
        Some("main") => on_large_stack(work),
        _ => work(),
    }
}

fn on_large_stack<T>(work: impl FnOnce() -> T) -> T {
    if !is_available(LEFT + WHOLE as u64) {
        return work();
    }
    #[cfg(test)]
    if tests::REFUSES.get() {
        return work();
    }
    let mut work = Some(work);
    let grown = catch_unwind(AssertUnwindSafe(|| stacker::grow(WHOLE, || work.take().map(|work| work()))));
    match (grown, work) {
        (Ok(Some(done)), _) => done,
        // the stack was refused
        (_, Some(work)) => work(),
        (Err(panic), None) => resume_unwind(panic),
        (Ok(None), None) => resume_unwind(Box::new(OutOfMemory)),
    }
}

#[inline]
fn is_near_the_end() -> bool {
    stacker::remaining_stack().is_none_or(|left| left < LEVEL)
}

#[cold]
fn on_segment<T>(sizes: &[usize], work: impl FnOnce() -> T) -> T {
    #[cfg(test)]
    let sizes: &[usize] = if tests::REFUSES.get() { &[] } else { sizes };
    let mut work = Some(work);
    for size in sizes {
        if !is_available(LEFT.saturating_add(*size as u64)) {
            continue;
        }
        let grown = catch_unwind(AssertUnwindSafe(|| stacker::grow(*size, || work.take().map(|work| work()))));
        match grown {
            Ok(Some(done)) => return done,
            Err(panic) if work.is_none() => resume_unwind(panic),
            // the segment was refused
            Ok(None) | Err(_) => {}
        }
    }
    resume_unwind(Box::new(OutOfMemory))
}

#[cfg(test)]
pub(crate) use tests::refusing_segments;

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        pub(super) static REFUSES: Cell<bool> = const { Cell::new(false) };
    }

    /// Runs work on a thread whose stack does not grow.
    pub(crate) fn refusing_segments<T>(work: impl FnOnce() -> T) -> T {
        REFUSES.set(true);
        let out = work();
        REFUSES.set(false);
        out
    }

    fn sum(n: u64) -> u64 {
        deeper(|| if n == 0 { 0 } else { n + sum(n - 1) })
    }

    #[test]
    fn deep_recursion_takes_segments() {
        assert_eq!(sum(1_000_000), 500_000_500_000);
    }

    #[test]
    fn a_refused_segment_is_a_panic_with_its_reason() {
        let refused = catch_unwind(|| on_segment(&[1 << 60, 1 << 59], || 1));
        assert!(refused.is_err_and(|reason| reason.is::<OutOfMemory>()));
        assert_eq!(on_segment(&[1 << 60, 1 << 20], || 1), 1);
    }

    #[test]
    fn a_program_runs_on_a_stack_of_its_own_if_the_system_has_one() {
        let left = || stacker::remaining_stack().unwrap_or_default();
        assert!(on_large_stack(left) > WHOLE / 2);
        assert!(on_whole_stack(left) < WHOLE / 2);
        assert!(refusing_segments(|| on_large_stack(left)) < WHOLE / 2);
        let panicked = catch_unwind(|| on_large_stack::<()>(|| resume_unwind(Box::new("on purpose"))));
        assert!(panicked.is_err_and(|reason| reason.is::<&str>()));
    }

    #[test]
    fn a_panic_on_a_segment_passes_through() {
        let panicked = catch_unwind(|| on_segment::<()>(&SEGMENTS, || resume_unwind(Box::new("on purpose"))));
        assert!(panicked.is_err_and(|reason| reason.is::<&str>()));
    }
}
