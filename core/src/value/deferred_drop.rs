//! Taking values apart: without recursing on their length, and in slices.
//!
//! A value can own another through a thunk, a frame, a rope or a layer, millions deep, and an array or a record can own
//! millions of others side by side. Each of these hands what it owns to [`discard`], or to [`discard_each`] where that may be
//! wide. Both drop directly while the nesting is shallow and the thread has *credit*: so many parts it may take apart at a
//! time. Beyond that they queue, and what is queued waits for new credit.
//!
//! Credit is given where somebody looks at the interrupt anyway: by the machine every thousand steps, where an input begins,
//! and by a face that waits for the next one ([`tidy`]). An evaluation thus works off more than it leaves, which bounds the
//! memory, and who interrupts it does not wait until everything is taken apart that it had made.
//!
//! The queue is a thread's own: values are not `Send`. What it holds nobody else does, so that nothing can be seen of it
//! but its memory and its references, which a collection of cycles takes for some from outside.

use std::cell::{Cell, RefCell};

/// How deep drops may nest before they are queued.
const NESTED: u32 = 64;
/// How many parts are taken apart at a time: one to three milliseconds.
const CREDIT: u32 = 1 << 14;
/// How many parts side by side are taken apart at a time.
const SLICE: usize = 64;
/// What a part costs that is none of those which count themselves: a number in an array.
const CHEAP: u32 = 4;
/// How many parts an evaluation works off between two looks at the interrupt, beside what it leaves itself.
const PACE: u64 = 1 << 13;

/// How a thread stands.
#[derive(Clone, Copy)]
struct State {
    /// How deep drops nest at the moment.
    depth: u32,
    /// How many parts may still be taken apart.
    credit: u32,
    /// How many parts were queued since [`pace`] was last called.
    queued: u64,
}

thread_local! {
    static STATE: Cell<State> = const { Cell::new(State { depth: 0, credit: CREDIT, queued: 0 }) };
    static QUEUE: RefCell<Queue> = const { RefCell::new(Queue(Vec::new())) };
    /// For what is queued while the thread ends and its queue is taken apart.
    static LAST: RefCell<Vec<Box<dyn Piece>>> = const { RefCell::new(Vec::new()) };
}

/// What waits.
struct Queue(Vec<Box<dyn Piece>>);

impl Drop for Queue {
    fn drop(&mut self) {
        let mut work = std::mem::take(&mut self.0);
        while let Some(mut piece) = work.pop() {
            STATE.set(State { depth: 1, credit: CREDIT, queued: 0 });
            if piece.drop_some() {
                work.push(piece);
            }
            let _ = LAST.try_with(|last| work.append(&mut last.borrow_mut()));
        }
    }
}

/// Something that is taken apart by and by.
trait Piece {
    /// Takes a slice of it apart; whether there is more.
    fn drop_some(&mut self) -> bool;
}

/// One value.
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
        spend(SLICE as u32 / CHEAP);
        (0..SLICE).all(|_| self.0.next().is_some())
    }
}

fn credit(parts: u32) {
    STATE.set(State { credit: parts, ..STATE.get() });
}

fn spend(parts: u32) {
    let state = STATE.get();
    STATE.set(State { credit: state.credit.saturating_sub(parts), ..state });
}

#[cold]
fn queue(piece: Box<dyn Piece>, parts: usize) {
    let state = STATE.get();
    STATE.set(State { queued: state.queued + parts as u64, ..state });
    put(piece, None);
}

/// Puts a piece on the queue, or into its place.
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
        // the thread ends
        let _ = LAST.try_with(|last| last.borrow_mut().push(piece));
    }
}

/// Goes on with what is queued while there is credit; whether there is more.
fn go_on() -> bool {
    let depth = STATE.get().depth;
    STATE.set(State { depth: depth.max(1), ..STATE.get() });
    while STATE.get().credit > 0 {
        let next = QUEUE.try_with(|queue| {
            let mut queue = queue.try_borrow_mut().ok()?;
            let piece = queue.0.pop()?;
            Some((piece, queue.0.len()))
        });
        let Ok(Some((mut piece, place))) = next else { break };
        if piece.drop_some() {
            // below what it left itself: depth first, or the queue would become as long as the value is wide
            put(piece, Some(place));
        }
    }
    STATE.set(State { depth, ..STATE.get() });
    is_behind()
}

/// Whether something waits to be taken apart.
pub(super) fn is_behind() -> bool {
    QUEUE.try_with(|queue| queue.try_borrow().is_ok_and(|queue| !queue.0.is_empty())).unwrap_or(false)
}

/// Drops a value now, or later where drops nest too deeply or have used up what they may. O(1) stack.
#[inline]
pub(super) fn discard<T: 'static>(item: T) {
    let state = STATE.get();
    if state.depth >= NESTED || state.credit == 0 {
        return queue(Box::new(One(Some(item))), 1);
    }
    STATE.set(State { depth: state.depth + 1, credit: state.credit - 1, ..state });
    drop(item);
    leave(state.depth);
}

/// As [`discard`] for values side by side, of which there may be any number.
pub(super) fn discard_each<I>(items: I)
where
    I: IntoIterator<IntoIter: ExactSizeIterator + 'static>,
{
    let mut items = Many(items.into_iter());
    if items.0.len() <= SLICE {
        // those that own anything count themselves
        return items.0.for_each(drop);
    }
    let state = STATE.get();
    if state.depth < NESTED {
        STATE.set(State { depth: state.depth + 1, ..state });
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

/// Drops what an iterator gives, from the next turn on.
pub(super) fn discard_later(items: impl Iterator + 'static) {
    queue(Box::new(Many(items)), 1);
}

/// Comes back to a depth; from the outermost drop once what is queued is through.
#[inline]
fn leave(depth: u32) {
    if depth == 0 {
        go_on();
    }
    STATE.set(State { depth, ..STATE.get() });
}

/// Gives credit for what an input drops.
pub(super) fn refill() {
    credit(CREDIT);
}

/// Gives credit, and works off some of what is left over. A face calls it while it waits. Whether there is more.
pub(super) fn tidy() -> bool {
    credit(CREDIT);
    go_on()
}

/// As [`tidy`], in the middle of an evaluation: works off more than has come to it since the last time, unless somebody
/// wants an end.
pub(super) fn pace(stop: &dyn Fn() -> bool) {
    let state = STATE.get();
    STATE.set(State { credit: CREDIT, queued: 0, ..state });
    let mut left = state.queued.saturating_mul(4) + PACE;
    while is_behind() && !stop() {
        let part = left.min(u64::from(CREDIT)) as u32;
        if part == 0 {
            break;
        }
        left -= u64::from(part);
        credit(part);
        go_on();
    }
    credit(CREDIT);
}

/// Takes everything apart that waits, unless somebody wants an end.
pub(super) fn empty(stop: &dyn Fn() -> bool) {
    while tidy() && !stop() {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Array, Thunk, Value};
    use std::rc::{Rc, Weak};

    /// So many arrays of three in an array, and what tells whether the last element lives.
    fn wide(count: usize) -> (Thunk, Weak<crate::value::thunk::Inner>) {
        let last = Thunk::done(Value::array([Thunk::done(Value::Null)]));
        let weak = Rc::downgrade(&last.0);
        let inner = || Thunk::done(Value::Array(Array::from(vec![Thunk::done(Value::Null); 3])));
        let all: Vec<Thunk> = (0..count).map(|_| inner()).chain([last]).collect();
        (Thunk::done(Value::Array(Array::from(all))), weak)
    }

    #[test]
    fn what_is_large_is_taken_apart_in_slices() {
        refill();
        let (value, last) = wide(1_000_000);
        drop(value);
        assert!(is_behind() && last.strong_count() == 1);
        let mut slices = 1;
        while tidy() {
            slices += 1;
        }
        assert!(slices > 60, "{slices}");
        assert_eq!((is_behind(), last.strong_count()), (false, 0));
    }

    #[test]
    fn what_is_small_goes_at_once() {
        refill();
        let (value, last) = wide(100);
        drop(value);
        assert_eq!((is_behind(), last.strong_count()), (false, 0));
    }

    #[test]
    fn an_evaluation_works_off_more_than_it_leaves() {
        refill();
        let (old, last) = wide(2_000_000);
        drop(old);
        let mut turns = 0;
        while is_behind() && turns < 10_000 {
            drop(wide(3_000));
            pace(&|| false);
            turns += 1;
        }
        assert!(turns < 2_000 && last.strong_count() == 0, "{turns}");
        let (value, last) = wide(1_000_000);
        drop(value);
        pace(&|| true);
        assert_eq!(last.strong_count(), 1, "whoever wants an end does not wait for this");
        empty(&|| false);
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
            assert!(is_behind());
        };
        let thread = std::thread::Builder::new().stack_size(1 << 18).spawn(deep);
        assert!(thread.is_ok_and(|thread| thread.join().is_ok()));
    }
}
