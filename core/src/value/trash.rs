//! Dropping chains of any length without recursing on their length.
//!
//! A value can own another through a thunk, a frame, a rope or a layer, millions deep. Each of these hands what it owns to
//! [`discard`], which drops directly while the nesting is shallow and queues beyond that. The queue is a thread's own
//! and is empty whenever no drop is under way: it carries nothing from one evaluation to another.

use std::any::Any;
use std::cell::{Cell, RefCell};

/// How deep drops may nest before they are queued.
const NESTED: u32 = 64;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static QUEUE: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// Drops a value now, or after the drops under way where they nest too deeply. O(1) stack.
pub(super) fn discard<T: 'static>(item: T) {
    // While the thread itself ends there is no queue any more: drop directly.
    let Ok(depth) = DEPTH.try_with(Cell::get) else { return drop(item) };
    if depth >= NESTED {
        let mut kept = Some(item);
        let _ = QUEUE.try_with(|queue| {
            if let (Ok(mut queue), Some(item)) = (queue.try_borrow_mut(), kept.take()) {
                queue.push(Box::new(item));
            }
        });
        return;
    }
    let _ = DEPTH.try_with(|d| d.set(depth + 1));
    drop(item);
    if depth == 0 {
        while let Some(next) = QUEUE.try_with(|queue| queue.try_borrow_mut().ok()?.pop()).ok().flatten() {
            drop(next);
        }
    }
    let _ = DEPTH.try_with(|d| d.set(depth));
}
