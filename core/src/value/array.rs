//! Arrays: lazy elements, O(1) slices, O(1) appends, and arrays whose elements are computed one by one.

use super::collect::{Graph, Trace};
use super::deferred_drop::{discard, discard_each};
use super::{Call, Thunk, Value};
use crate::term::Number;
use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::rc::Rc;

/// Maximum length of a concatenation that is copied at once.
const MAX_COPIED: usize = 32;
/// Number of elements that are made room for together, when one of them is first read.
const GROUP: usize = 1024;
/// Memory in bytes of an element with a forced thunk of its own: the reference and the thunk.
pub(super) const NEW_BYTES: usize = 80;
/// Memory in bytes of an element that is computed when it is needed: the reference, the thunk, its work and an argument.
pub(super) const COMPUTED_BYTES: usize = 320;
/// Length from which [`Array::missing_bytes`] counts exactly.
const COUNTED: usize = 1 << 14;

/// An array of lazy elements. Slices share the elements. A long concatenation is O(1); its elements are copied into one
/// vector when one of them is first read.
#[derive(Clone)]
pub struct Array {
    node: Rc<ArrayNode>,
    start: u32,
    len: u32,
}

#[derive(Default)]
pub(super) struct ArrayNode {
    flat: OnceCell<Vec<Thunk>>,
    parts: RefCell<Option<LazyElements>>,
}

/// The source of an array's elements. It is dropped when all elements are requested together.
#[derive(Clone)]
enum LazyElements {
    /// The concatenation of two arrays.
    Joined(Array, Array),
    /// The numbers from the first one up: `(first, length)`.
    Range(f64, usize),
    /// Bytes, as numbers from 0 to 255.
    Bytes(Rc<[u8]>),
    /// The results of a function.
    Mapped(Rc<Mapped>),
}

/// A function that is applied to the index of an element, to the element of another array, or to both.
struct Mapped {
    function: Value,
    call: Call,
    number: bool,
    to: Option<Array>,
    /// The elements that were requested so far.
    made: Cells,
}

/// Elements that are made room for together.
type Group = Box<[OnceCell<Thunk>]>;

/// Elements that are filled in one by one. Their memory is allocated in groups, so that an array of 1,000,000,000
/// elements of which one is read takes 16 MB.
struct Cells {
    len: usize,
    groups: Box<[OnceCell<Group>]>,
}

impl Cells {
    fn new(len: usize) -> Cells {
        Cells { len, groups: (0..len.div_ceil(GROUP)).map(|_| OnceCell::new()).collect() }
    }

    fn get(&self, at: usize) -> Option<&OnceCell<Thunk>> {
        let group = self.groups.get(at / GROUP)?;
        let size = GROUP.min(self.len - at / GROUP * GROUP);
        group.get_or_init(|| (0..size).map(|_| OnceCell::new()).collect()).get(at % GROUP)
    }
}

fn double(n: f64) -> Thunk {
    Thunk::done(Value::Number(Number::Double(n)))
}

impl Mapped {
    fn make(&self, at: usize, once: bool) -> Option<Thunk> {
        let number = self.number.then(|| double(at as f64));
        let element = match &self.to {
            Some(to) => Some(to.element(at, once && Rc::strong_count(&to.node) == 1)?),
            None => None,
        };
        if let (None, Some(number)) = (&self.to, &number) {
            let (held, call) = ((self.function.clone(), number.clone()), self.call);
            return Some(Thunk::holding(held, move |machine, (function, number)| {
                machine.out_of_frame(|machine| machine.call(function, std::slice::from_ref(number), &call))
            }));
        }
        Some(Thunk::apply(self.function.clone(), number.into_iter().chain(element).collect(), self.call))
    }
}

impl LazyElements {
    fn len(&self) -> usize {
        match self {
            LazyElements::Joined(a, b) => a.len() + b.len(),
            LazyElements::Range(_, len) => *len,
            LazyElements::Bytes(bytes) => bytes.len(),
            LazyElements::Mapped(applied) => applied.made.len,
        }
    }

    /// Returns one element; `None` if the elements can only be computed together. With `once`, the element is not
    /// requested again, so it is not cached.
    fn get(&self, at: usize, once: bool) -> Option<Thunk> {
        match self {
            LazyElements::Joined(..) => None,
            LazyElements::Range(from, len) => (at < *len).then(|| double(from + at as f64)),
            LazyElements::Bytes(bytes) => bytes.get(at).map(|byte| double(f64::from(*byte))),
            LazyElements::Mapped(applied) => {
                let cell = applied.made.get(at)?;
                match cell.get() {
                    Some(thunk) => Some(thunk.clone()),
                    None if once => applied.make(at, true),
                    None => {
                        let made = applied.make(at, false)?;
                        Some(cell.get_or_init(|| made).clone())
                    }
                }
            }
        }
    }
}

impl Drop for ArrayNode {
    fn drop(&mut self) {
        if let Some(parts) = self.parts.get_mut().take() {
            discard(parts);
        }
        if let Some(flat) = self.flat.take() {
            discard_each(flat);
        }
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        discard_each(std::mem::take(&mut self.made.groups));
    }
}

impl ArrayNode {
    /// Reports the references of the node.
    pub(super) fn follow(&self, to: &mut Graph) {
        if let Some(flat) = self.flat.get() {
            flat.trace(to);
        }
        let Ok(parts) = self.parts.try_borrow() else { return };
        match &*parts {
            Some(LazyElements::Joined(a, b)) => {
                a.trace(to);
                b.trace(to);
            }
            // If the parts are shared, their references are not reported, so what they hold counts as referenced from
            // outside.
            Some(LazyElements::Mapped(applied)) if Rc::strong_count(applied) == 1 => {
                applied.function.trace(to);
                applied.to.trace(to);
                applied.made.groups.iter().filter_map(OnceCell::get).for_each(|group| group.trace(to));
            }
            Some(LazyElements::Mapped(_) | LazyElements::Range(..) | LazyElements::Bytes(_)) | None => {}
        }
    }

    fn flat(&self) -> &Vec<Thunk> {
        self.flat.get_or_init(|| {
            let parts = self.parts.borrow_mut().take();
            let mut out = Vec::with_capacity(parts.as_ref().map_or(0, LazyElements::len));
            let mut work = Vec::new();
            match parts {
                Some(LazyElements::Joined(a, b)) => work.extend([b, a]),
                Some(parts) => out.extend((0..parts.len()).filter_map(|at| parts.get(at, false))),
                None => {}
            }
            while let Some(next) = work.pop() {
                // A slice of an unread rope is read as a whole: nested slices of ropes are rare.
                let whole = next.start == 0;
                // The borrow must end before the part is read, because reading may take it.
                let parts = next.node.parts.borrow().clone();
                match (next.node.flat.get(), parts) {
                    (None, Some(LazyElements::Joined(a, b))) if whole && a.len + b.len == next.len => {
                        work.extend([b, a])
                    }
                    _ => out.extend_from_slice(next.as_slice()),
                }
            }
            out
        })
    }

    fn get(&self, at: usize, once: bool) -> Option<Thunk> {
        if self.flat.get().is_none()
            && let Some(parts) = &*self.parts.borrow()
            && !matches!(parts, LazyElements::Joined(..))
        {
            return parts.get(at, once);
        }
        self.flat().get(at).cloned()
    }
}

impl Array {
    /// Returns the number of elements. O(1).
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns whether the array is empty. O(1).
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns whether reading an element copies all elements of a concatenation.
    pub(super) fn is_unread_join(&self) -> bool {
        self.node.flat.get().is_none() && matches!(&*self.node.parts.borrow(), Some(LazyElements::Joined(..)))
    }

    /// Returns the memory in bytes that [`Array::as_slice`] takes: 0 if the elements are in one vector already.
    pub(super) fn missing_bytes(&self) -> usize {
        if self.node.flat.get().is_some() {
            return 0;
        }
        let whole = |array: &Array| array.len().saturating_mul(size_of::<Thunk>());
        let mut bytes = 0usize;
        let mut work = vec![(self.clone(), false)];
        while let Some((array, inside)) = work.pop() {
            let made = array.node.flat.get().is_some();
            match &*array.node.parts.borrow() {
                _ if made => bytes += if inside { 0 } else { whole(&array) },
                Some(LazyElements::Joined(a, b)) if array.len() >= COUNTED => {
                    bytes += if inside { 0 } else { whole(&array) };
                    work.extend([(a.clone(), true), (b.clone(), true)]);
                }
                Some(LazyElements::Mapped(_)) => {
                    bytes = bytes.saturating_add(array.len().saturating_mul(COMPUTED_BYTES))
                }
                _ => bytes = bytes.saturating_add(array.len().saturating_mul(NEW_BYTES)),
            }
        }
        bytes
    }

    /// Returns the elements. O(length) the first time after a concatenation, O(1) later.
    pub(super) fn as_slice(&self) -> &[Thunk] {
        let end = self.start as usize + self.len as usize;
        self.node.flat().get(self.start as usize..end).unwrap_or(&[])
    }

    /// Returns the elements if they are in one vector already. O(1).
    pub fn if_read(&self) -> Option<&[Thunk]> {
        let start = self.start as usize;
        self.node.flat.get()?.get(start..start + self.len as usize)
    }

    /// Makes an array of `len` numbers: `from`, `from + 1`, …. O(1).
    pub fn range(from: f64, len: usize) -> Array {
        Array::of(LazyElements::Range(from, len))
    }

    /// Makes an array of bytes as numbers. O(1).
    pub fn bytes(bytes: impl Into<Rc<[u8]>>) -> Array {
        Array::of(LazyElements::Bytes(bytes.into()))
    }

    /// Makes an array of `len` results of a function, applied to the index (if `number`), to the elements of `to`, or
    /// to both. The function is called when an element is forced.
    pub fn applied(function: Value, len: usize, number: bool, to: Option<Array>, call: Call) -> Array {
        let made = Cells::new(len);
        Array::of(LazyElements::Mapped(Rc::new(Mapped { function, call, number, to, made })))
    }

    fn of(parts: LazyElements) -> Array {
        let len = parts.len() as u32;
        let node = Rc::new(ArrayNode { flat: OnceCell::new(), parts: RefCell::new(Some(parts)) });
        Array { node, start: 0, len }
    }

    /// Returns the bytes of an array made by [`Array::bytes`]; `None` once its elements were requested all together.
    pub fn as_bytes(&self) -> Option<Rc<[u8]>> {
        match &*self.node.parts.borrow() {
            Some(LazyElements::Bytes(bytes)) if bytes.len() == self.len() => Some(bytes.clone()),
            _ => None,
        }
    }

    /// Returns an element; computes only this one if possible. O(1); for concatenations like [`Array::as_slice`].
    pub fn at(&self, index: usize) -> Option<Thunk> {
        self.element(index, false)
    }

    /// Like [`Array::at`]. With `once`, the element is not requested again, so it is not cached.
    fn element(&self, index: usize, once: bool) -> Option<Thunk> {
        if index >= self.len() {
            return None;
        }
        self.node.get(self.start as usize + index, once)
    }

    /// Like [`Array::at`], for callers that read each element once. `holders` is the number of references to the array
    /// that do not read it.
    pub(crate) fn once(&self, index: usize, holders: usize) -> Option<Thunk> {
        self.element(index, Rc::strong_count(&self.node) == holders)
    }

    /// Returns a slice that shares the elements. The range is clamped to the array. O(1).
    pub fn slice(&self, range: Range<usize>) -> Array {
        let end = range.end.min(self.len());
        let start = range.start.min(end);
        Array { node: self.node.clone(), start: self.start + start as u32, len: (end - start) as u32 }
    }

    /// Concatenates two arrays. O(1) beyond a small length. The caller bounds the length with
    /// [`super::Machine::charge`].
    pub fn concat(&self, other: &Array) -> Array {
        if self.is_empty() {
            return other.clone();
        }
        if other.is_empty() {
            return self.clone();
        }
        if self.len() + other.len() <= MAX_COPIED {
            return self.as_slice().iter().chain(other.as_slice()).cloned().collect();
        }
        Array::of(LazyElements::Joined(self.clone(), other.clone()))
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
        let node = ArrayNode::default();
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
        let mut a = Array::from(Vec::new());
        for _ in 0..200_000 {
            a = a.concat(&one());
        }
        let unread = a.concat(&one());
        assert_eq!((a.as_slice().len(), unread.len()), (200_000, 200_001));
        assert_eq!(unread.slice(100..200).as_slice().len(), 100);
    }

    #[test]
    fn elements_are_made_one_by_one_or_all_together() {
        let range = Array::range(3.0, 1000);
        let number = |thunk: Option<Thunk>| thunk.and_then(|t| t.double());
        assert_eq!((number(range.at(999)), range.at(1000).is_none()), (Some(1002.0), true));
        let part = range.slice(10..20);
        assert_eq!((number(part.at(9)), part.at(10).is_none(), part.as_slice().len()), (Some(22.0), true, 10));
        assert_eq!(number(range.at(999)), Some(1002.0));
        let mapped = Array::applied(Value::Null, 5, true, None, Default::default());
        let (first, again) = (mapped.at(4), mapped.at(4));
        assert!(first.is_some_and(|a| again.is_some_and(|b| a.same(&b) && mapped.as_slice()[4].same(&a))));
        assert_eq!(Array::bytes(vec![7; 40]).concat(&one()).concat(&Array::range(0.0, 50)).as_slice().len(), 91);
    }

    #[test]
    fn a_slice_is_cut_to_what_is_there() {
        assert_eq!(one().slice(0..9).len(), 1);
        assert_eq!(one().slice(5..9).len(), 0);
    }
}
