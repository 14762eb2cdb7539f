//! Arrays: lazy elements, O(1) slices, and appends that a fold can afford.

use super::Thunk;
use super::collect::{Graph, Trace};
use super::trash::discard;
use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::rc::Rc;

/// Joined arrays up to this length are copied at once.
const FLAT: usize = 32;

/// An array of lazy elements. Slices share; concatenation is O(1) for long ones and joined when an element is first read.
#[derive(Clone)]
pub struct Array {
    node: Rc<Node>,
    start: u32,
    len: u32,
}

#[derive(Default)]
pub(super) struct Node {
    flat: OnceCell<Vec<Thunk>>,
    parts: RefCell<Option<(Array, Array)>>,
}

impl Drop for Node {
    fn drop(&mut self) {
        if let Some(parts) = self.parts.get_mut().take() {
            discard(parts);
        }
    }
}

impl Node {
    /// Tells of what it refers to.
    pub(super) fn follow(&self, to: &mut Graph) {
        if let Some(flat) = self.flat.get() {
            flat.trace(to);
        }
        if let Ok(parts) = self.parts.try_borrow() {
            parts.trace(to);
        }
    }

    fn flat(&self, len: usize) -> &Vec<Thunk> {
        self.flat.get_or_init(|| {
            let mut out = Vec::with_capacity(len);
            let mut work = Vec::new();
            if let Some((a, b)) = self.parts.borrow_mut().take() {
                work.push(b);
                work.push(a);
            }
            while let Some(next) = work.pop() {
                // A slice of a rope that nobody has read yet is read as a whole: nested slices of ropes are rare.
                let whole = next.start == 0;
                match (next.node.flat.get(), next.node.parts.borrow().clone()) {
                    (None, Some((a, b))) if whole && a.len + b.len == next.len => {
                        work.push(b);
                        work.push(a);
                    }
                    _ => out.extend_from_slice(next.as_slice()),
                }
            }
            out
        })
    }
}

impl Array {
    /// `[]`
    pub fn empty() -> Array {
        Array::from(Vec::new())
    }

    /// The number of elements. O(1).
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are none. O(1).
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements. O(length) the first time after a concatenation, O(1) otherwise.
    pub fn as_slice(&self) -> &[Thunk] {
        let end = self.start as usize + self.len as usize;
        let hint = match &*self.node.parts.borrow() {
            Some((a, b)) => a.len() + b.len(),
            None => 0,
        };
        self.node.flat(hint).get(self.start as usize..end).unwrap_or(&[])
    }

    /// The element at an index. O(1) as [`Array::as_slice`].
    pub fn get(&self, index: usize) -> Option<&Thunk> {
        self.as_slice().get(index)
    }

    /// The elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Thunk> {
        self.as_slice().iter()
    }

    /// The elements of a range, which is cut to what is there. O(1), shares.
    pub fn slice(&self, range: Range<usize>) -> Array {
        let end = range.end.min(self.len());
        let start = range.start.min(end);
        Array { node: self.node.clone(), start: self.start + start as u32, len: (end - start) as u32 }
    }

    /// Both arrays in a row. O(1) beyond a small length. [`super::Machine::charge`] bounds the length before.
    pub fn concat(&self, other: &Array) -> Array {
        if self.is_empty() {
            return other.clone();
        }
        if other.is_empty() {
            return self.clone();
        }
        if self.len() + other.len() <= FLAT {
            return self.iter().chain(other.iter()).cloned().collect();
        }
        let parts = RefCell::new(Some((self.clone(), other.clone())));
        Array {
            node: Rc::new(Node { flat: OnceCell::new(), parts }),
            start: 0,
            len: self.len.saturating_add(other.len),
        }
    }

    /// Whether both are the same elements in memory. O(1).
    pub fn same(&self, other: &Array) -> bool {
        Rc::ptr_eq(&self.node, &other.node) && self.start == other.start && self.len == other.len
    }
}

impl Trace for Array {
    fn trace(&self, to: &mut Graph) {
        self.node.trace(to);
    }
}

impl From<Vec<Thunk>> for Array {
    fn from(elements: Vec<Thunk>) -> Array {
        let len = elements.len() as u32;
        let node = Node::default();
        let _ = node.flat.set(elements);
        Array { node: Rc::new(node), start: 0, len }
    }
}

impl FromIterator<Thunk> for Array {
    fn from_iter<I: IntoIterator<Item = Thunk>>(iter: I) -> Array {
        Array::from(iter.into_iter().collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::Array;
    use crate::value::{Thunk, Value};

    fn one() -> Array {
        Array::from(vec![Thunk::done(Value::Null)])
    }

    #[test]
    fn a_fold_of_appends_is_one_array_and_drops() {
        let mut a = Array::empty();
        for _ in 0..200_000 {
            a = a.concat(&one());
        }
        let unread = a.concat(&one());
        assert_eq!((a.as_slice().len(), unread.len()), (200_000, 200_001));
        assert_eq!(unread.slice(100..200).as_slice().len(), 100);
    }

    #[test]
    fn a_slice_is_cut_to_what_is_there() {
        assert_eq!(one().slice(0..9).len(), 1);
        assert_eq!(one().slice(5..9).len(), 0);
    }
}
