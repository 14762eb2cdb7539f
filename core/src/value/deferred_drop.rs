//! Drops values without recursion on their depth, and in slices.
//!
//! A value can own another through a thunk, a frame, a rope or a layer, millions deep, and an array or a record can own
//! millions of others side by side. Each of these passes what it owns to [`discard`], or to [`discard_each`] if there
//! may be many. Both drop at once while the nesting is shallow and the thread has *credit*: the number of parts that it
//! may still drop. Otherwise they add the parts to a queue, which waits for new credit.
//!
//! Credit is given where the interrupt is checked anyway: by the machine every thousand steps, at the beginning of an
//! input, and by a face that waits for the next input ([`drop_some`]). An evaluation therefore drops more from the queue
//! than it adds, which bounds the memory, and an interrupt does not wait until all values of the evaluation are
//! dropped.
//!
//! The queue is per thread, because values are not `Send`. Nothing else refers to what is in the queue, so it can be
//! observed only by its memory and by its references, which a collection of cycles counts as references from outside.

use std::cell::{Cell, RefCell};

/// Depth of nested drops from which parts are queued.
const MAX_DEPTH: u32 = 64;
/// Number of parts that are dropped at a time: one to three milliseconds.
const CREDIT: u32 = 1 << 14;
/// Number of parts of one piece that are dropped at a time.
const SLICE: usize = 64;
/// Number of uncounted parts, such as numbers in an array, that cost one unit of credit.
const PARTS_PER_CREDIT: u32 = 4;
/// Number of queued parts that an evaluation drops between two checks of the interrupt, in addition to those that it
/// queues itself.
const EVALUATION_QUOTA: u64 = 1 << 13;

/// The drop state of a thread.
#[derive(Clone, Copy)]
struct DropState {
    /// The current depth of nested drops.
    depth: u32,
    /// Number of parts that may still be dropped.
    credit: u32,
    /// Number of parts that were queued since the last call of [`drop_during_evaluation`].
    queued: u64,
    /// Whether the queue may hold anything.
    waits: bool,
}

thread_local! {
    static STATE: Cell<DropState> = const { Cell::new(DropState { depth: 0, credit: CREDIT, queued: 0, waits: false }) };
    static QUEUE: RefCell<Queue> = const { RefCell::new(Queue(Vec::new())) };
    /// The queue while the thread ends and [`QUEUE`] is being dropped.
    static LAST: RefCell<Vec<Box<dyn Piece>>> = const { RefCell::new(Vec::new()) };
}

/// The pieces that wait to be dropped.
struct Queue(Vec<Box<dyn Piece>>);

impl Drop for Queue {
    fn drop(&mut self) {
        let mut work = std::mem::take(&mut self.0);
        while let Some(mut piece) = work.pop() {
            STATE.set(DropState { depth: 1, credit: CREDIT, queued: 0, waits: false });
            if piece.drop_some() {
                work.push(piece);
            }
            let _ = LAST.try_with(|last| work.append(&mut last.borrow_mut()));
        }
    }
}

/// Something that is dropped in slices.
trait Piece {
    /// Drops a slice of it. Returns whether more is left.
    fn drop_some(&mut self) -> bool;
}

/// A single value.
struct One<T>(Option<T>);

impl<T> Piece for One<T> {
    fn drop_some(&mut self) -> bool {
        drop(self.0.take());
        false
    }
}

/// Values side by side.
struct Many<I>(I);

impl<I: Iterator> Piece for Many<I> {
    fn drop_some(&mut self) -> bool {
        spend(SLICE as u32 / PARTS_PER_CREDIT);
        (0..SLICE).all(|_| self.0.next().is_some())
    }
}

fn credit(parts: u32) {
    STATE.set(DropState { credit: parts, ..STATE.get() });
}

fn spend(parts: u32) {
    let state = STATE.get();
    STATE.set(DropState { credit: state.credit.saturating_sub(parts), ..state });
}

#[cold]
fn queue(piece: Box<dyn Piece>, parts: usize) {
    let state = STATE.get();
    STATE.set(DropState { queued: state.queued + parts as u64, waits: true, ..state });
    put(piece, None);
}

/// Adds a piece to the queue, or puts it back at an index.
fn put(piece: Box<dyn Piece>, at: Option<usize>) {
    let mut piece = Some(piece);
    let queued = QUEUE.try_with(|queue| {
        if let (Ok(mut queue), Some(piece)) = (queue.try_borrow_mut(), piece.take()) {
            let at = at.unwrap_or(queue.0.len()).min(queue.0.len());
            queue.0.insert(at, piece);
        }
    });
    if queued.is_err()
        && let Some(piece) = piece
    {
        // The thread ends.
        let _ = LAST.try_with(|last| last.borrow_mut().push(piece));
    }
}

/// Drops queued pieces while there is credit. Returns whether more are left.
fn drop_queued() -> bool {
    let depth = STATE.get().depth;
    STATE.set(DropState { depth: depth.max(1), ..STATE.get() });
    while STATE.get().credit > 0 {
        let next = QUEUE.try_with(|queue| {
            let mut queue = queue.try_borrow_mut().ok()?;
            let piece = queue.0.pop()?;
            Some((piece, queue.0.len()))
        });
        let Ok(Some((mut piece, place))) = next else {
            STATE.set(DropState { waits: false, ..STATE.get() });
            break;
        };
        if piece.drop_some() {
            // Goes below the pieces that it queued itself: depth first, or the queue would become as long as the value
            // is wide.
            put(piece, Some(place));
        }
    }
    STATE.set(DropState { depth, ..STATE.get() });
    is_pending()
}

/// Returns whether anything is queued.
pub(super) fn is_pending() -> bool {
    QUEUE.try_with(|queue| queue.try_borrow().is_ok_and(|queue| !queue.0.is_empty())).unwrap_or(false)
}

/// Drops a value, or queues it if drops nest too deeply or the credit is used up. O(1) stack.
#[inline]
pub(super) fn discard<T: 'static>(item: T) {
    let state = STATE.get();
    if state.depth >= MAX_DEPTH || state.credit == 0 {
        return queue(Box::new(One(Some(item))), 1);
    }
    STATE.set(DropState { depth: state.depth + 1, credit: state.credit - 1, ..state });
    drop(item);
    leave(state.depth);
}

/// Like [`discard`], for any number of values side by side.
pub(super) fn discard_each<I>(items: I)
where
    I: IntoIterator<IntoIter: ExactSizeIterator + 'static>,
{
    let mut items = Many(items.into_iter());
    let state = STATE.get();
    if items.0.len() <= SLICE && state.depth < MAX_DEPTH {
        // They cost no credit: most own nothing, and the others count what they own. But a record may own its layers through many records.
        STATE.set(DropState { depth: state.depth + 1, ..state });
        items.0.for_each(drop);
        return leave(state.depth);
    }
    if state.depth < MAX_DEPTH {
        STATE.set(DropState { depth: state.depth + 1, ..state });
        let mut more = true;
        while more && STATE.get().credit > 0 {
            more = items.drop_some();
        }
        leave(state.depth);
        if !more {
            return;
        }
    }
    let parts = items.0.len();
    queue(Box::new(items), parts);
}

/// Queues the items of an iterator for a later drop.
pub(super) fn discard_later(items: impl Iterator + 'static) {
    queue(Box::new(Many(items)), 1);
}

/// Restores the depth. The outermost drop first drops what was queued.
#[inline]
fn leave(depth: u32) {
    let state = STATE.get();
    if depth == 0 && state.waits {
        drop_queued();
        STATE.set(DropState { depth, ..STATE.get() });
    } else {
        STATE.set(DropState { depth, ..state });
    }
}

/// Gives new credit at the beginning of an input.
pub(super) fn refill_credit() {
    credit(CREDIT);
}

/// Gives new credit and drops a part of the queue. A face calls it while idle. Returns whether more is left.
pub(super) fn drop_some() -> bool {
    credit(CREDIT);
    drop_queued()
}

/// Like [`drop_some`], during an evaluation. Drops more than was queued since the last call, unless `stop` returns
/// `true`.
pub(super) fn drop_during_evaluation(stop: &dyn Fn() -> bool) {
    let state = STATE.get();
    STATE.set(DropState { credit: CREDIT, queued: 0, ..state });
    let mut left = state.queued.saturating_mul(4) + EVALUATION_QUOTA;
    while is_pending() && !stop() {
        let part = left.min(u64::from(CREDIT)) as u32;
        if part == 0 {
            break;
        }
        left -= u64::from(part);
        credit(part);
        drop_queued();
    }
    credit(CREDIT);
}

/// Drops everything that is queued, unless `stop` returns `true`.
pub(super) fn drop_all(stop: &dyn Fn() -> bool) {
    while drop_some() && !stop() {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Array, Record, Thunk, Value};
    use std::rc::{Rc, Weak};

    /// Returns an array of `count` arrays of three elements, and a weak reference to its last element.
    fn wide(count: usize) -> (Thunk, Weak<crate::value::thunk::Inner>) {
        let last = Thunk::done(Value::array([Thunk::done(Value::Null)]));
        let weak = Rc::downgrade(&last.0);
        let inner = || Thunk::done(Value::Array(Array::from(vec![Thunk::done(Value::Null); 3])));
        let all: Vec<Thunk> = (0..count).map(|_| inner()).chain([last]).collect();
        (Thunk::done(Value::Array(Array::from(all))), weak)
    }

    #[test]
    fn what_is_large_is_taken_apart_in_slices() {
        refill_credit();
        let (value, last) = wide(1_000_000);
        drop(value);
        assert!(is_pending() && last.strong_count() == 1);
        let mut slices = 1;
        while drop_some() {
            slices += 1;
        }
        assert!(slices > 60, "{slices}");
        assert_eq!((is_pending(), last.strong_count()), (false, 0));
    }

    #[test]
    fn what_is_small_goes_at_once() {
        refill_credit();
        let (value, last) = wide(100);
        drop(value);
        assert_eq!((is_pending(), last.strong_count()), (false, 0));
    }

    /// Returns an array that is nested `depth` deep, and a weak reference to its innermost element.
    fn deep(depth: usize) -> (Thunk, Weak<crate::value::thunk::Inner>) {
        let last = Thunk::done(Value::array([Thunk::done(Value::Null)]));
        let weak = Rc::downgrade(&last.0);
        ((0..depth).fold(last, |inner, _| Thunk::done(Value::array([inner]))), weak)
    }

    #[test]
    fn what_is_deep_goes_at_once_too() {
        refill_credit();
        let (value, last) = deep(10 * MAX_DEPTH as usize);
        drop(value);
        assert_eq!((is_pending(), last.strong_count()), (false, 0));
    }

    #[test]
    fn an_evaluation_works_off_more_than_it_leaves() {
        refill_credit();
        let (old, last) = wide(2_000_000);
        drop(old);
        let mut turns = 0;
        while is_pending() && turns < 10_000 {
            drop(wide(3_000));
            drop_during_evaluation(&|| false);
            turns += 1;
        }
        assert!(turns < 2_000 && last.strong_count() == 0, "{turns}");
        let (value, last) = wide(1_000_000);
        drop(value);
        drop_during_evaluation(&|| true);
        assert_eq!(last.strong_count(), 1, "whoever wants an end does not wait for this");
        drop_all(&|| false);
        assert_eq!(last.strong_count(), 0);
    }

    #[test]
    fn a_thread_that_ends_takes_apart_what_is_left() {
        let deep = || {
            let mut deep = Thunk::done(Value::Null);
            for _ in 0..1_000_000 {
                deep = Thunk::done(Value::array([deep]));
            }
            drop(deep);
            assert!(is_pending());
        };
        let thread = std::thread::Builder::new().stack_size(1 << 18).spawn(deep);
        assert!(thread.is_ok_and(|thread| thread.join().is_ok()));
    }

    /// `(({} & {}) & {}) & …`
    #[test]
    fn records_of_records_need_no_deep_stack() {
        let deep = || {
            let merged = |inner, _| Record::merge(vec![inner, Record::empty()], None, None);
            drop((0..1_000_000).fold(Record::empty(), merged));
        };
        let thread = std::thread::Builder::new().stack_size(1 << 18).spawn(deep);
        assert!(thread.is_ok_and(|thread| thread.join().is_ok()));
    }
}
