//! Counts stack frames as the C++ Jsonnet reference implementation does, if a limit is set (`--max-stack`).
//!
//! The reference counts a frame for each function call, for each thunk that is forced and for each field that is read.
//! An operation that it implements in its own library (`==`, `%`, comprehensions, most of `std`) costs the frames of
//! that implementation. The reference evaluates a field at each read; here a field keeps its value together with the number
//! of frames that it needed. If the topmost frame belongs to a `tailstrict` call, the next call replaces it.

use crate::problem::value::{Limit, ValueKind};
use crate::term::{NodeId, Prim};
use crate::text::Span;
use crate::value::env::{Env, Unit};
use crate::value::{Fault, Machine, Thunk, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Counters of the current stack.
#[derive(Default)]
pub struct Frames {
    /// Current number of frames.
    pub(in crate::value) count: u32,
    /// Maximum number of frames since the counter was last reset.
    peak: u32,
    /// Set if the topmost frame belongs to a `tailstrict` call: the number of frames and the depth of the machine at that time.
    tail: Option<(u32, u32)>,
    /// Number of frames that the evaluation of a field needed, keyed by the address of its thunk. The thunk is kept so that the
    /// address stays valid.
    heights: FxHashMap<usize, (Thunk, u32)>,
}

/// Returns the number of frames that a library function adds to those of its arguments. It is 0 if the reference
/// implements the function natively.
pub(super) fn library_frames(name: &str) -> u32 {
    match name.trim_start_matches("std.") {
        "objectValues" | "get" => 1,
        "objectHas" | "objectHasAll" | "objectFields" | "objectFieldsAll" | "sort" => 2,
        "toString" | "foldl" | "foldr" | "reverse" => 4,
        "isString" | "isNumber" | "isBoolean" | "isArray" | "isObject" | "isFunction" => 4,
        "map" | "mapWithIndex" | "max" | "min" | "abs" | "split" | "splitLimit" | "uniq" | "member" => 6,
        "manifestJsonEx" | "manifestJson" | "manifestJsonMinified" => 7,
        "set" => 11,
        "flatMap" => 15,
        "format" => FORMAT,
        _ => 0,
    }
}

/// Number of frames between `a == b` and its operands.
const EQUALITY: u32 = 2;
/// Number of frames of the comparison itself, after both operands are evaluated.
const COMPARING: u32 = 4;
/// Number of frames between `a % b` and its operands.
const REMAINDER: u32 = 7;
/// Number of frames that `std.format` needs to build its output.
const FORMAT: u32 = 14;
/// Number of frames between `a[b:c]` and its operands.
pub(super) const SLICE: u32 = 7;
/// Number of frames between a comprehension and the array that it iterates over.
pub(super) const ITERATED: u32 = 4;
/// Number of frames between a comprehension and its conditions.
pub(super) const CONDITION: u32 = 1;
/// Number of additional frames that are allowed while the value of a program is manifested (converted to output).
const WRITING: u32 = 2;

impl Machine {
    /// Returns whether frames are counted.
    #[inline]
    pub(in crate::value) fn is_framed(&self) -> bool {
        self.limits.frames.is_some()
    }

    /// Counts one frame. The caller resets the count when the frame ends.
    #[inline]
    pub(in crate::value) fn push_frame(&mut self) -> Result<(), Fault> {
        match self.limits.frames {
            None => Ok(()),
            Some(allowed) => self.count_frames(1, allowed),
        }
    }

    /// Counts the frame of a call. If the topmost frame belongs to a `tailstrict` call, replaces that frame.
    #[inline]
    pub(in crate::value) fn push_call(&mut self) -> Result<(), Fault> {
        let Some(allowed) = self.limits.frames else { return Ok(()) };
        if self.frames.tail == Some((self.frames.count, self.depth)) {
            self.frames.count -= 1;
        }
        self.frames.tail = None;
        self.count_frames(1, allowed)
    }

    /// Records that the topmost frame belongs to a `tailstrict` call, and that there were `count` frames.
    pub(in crate::value) fn mark_tail(&mut self, count: u32) {
        if self.is_framed() {
            self.frames.tail = Some((count, self.depth));
        }
    }

    fn count_frames(&mut self, more: u32, allowed: u32) -> Result<(), Fault> {
        let count = self.frames.count.saturating_add(more);
        if count > allowed {
            return Err(self.too_many_frames(allowed));
        }
        self.frames.count = count;
        self.frames.peak = self.frames.peak.max(count);
        Ok(())
    }

    #[cold]
    fn too_many_frames(&self, allowed: u32) -> Fault {
        let what = ValueKind::Limit { limit: Limit::Depth, allowed: u64::from(allowed), span: self.here() };
        Fault::new(what).worded("max stack frames exceeded.")
    }

    /// Runs `work` with `more` additional frames.
    #[inline]
    pub(in crate::value) fn in_frames<T>(
        &mut self,
        more: u32,
        work: impl FnOnce(&mut Machine) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let Some(allowed) = self.limits.frames else { return work(self) };
        let before = self.frames.count;
        let result = self.count_frames(more, allowed).and_then(|()| work(self));
        self.frames.count = before;
        result
    }

    /// Forces a field. If it is already forced, checks the limit as if the field were evaluated again.
    #[inline]
    pub(in crate::value) fn force_field(&mut self, field: &Thunk) -> Result<Value, Fault> {
        match self.limits.frames {
            None => self.force(field),
            Some(allowed) => self.force_counted(field, allowed),
        }
    }

    /// Forces an element of an array that is being manifested. It takes one frame even if it is already forced.
    #[inline]
    pub(in crate::value) fn force_element(&mut self, element: &Thunk) -> Result<Value, Fault> {
        if self.is_framed() && element.is_forced() {
            return self.in_frames(1, |machine| machine.force(element));
        }
        self.force(element)
    }

    #[cold]
    fn force_counted(&mut self, field: &Thunk, allowed: u32) -> Result<Value, Fault> {
        let before = self.frames.count;
        if field.is_forced() {
            let height = self.frames.heights.get(&field.address()).map_or(1, |(_, height)| *height);
            self.count_frames(height, allowed)?;
            self.frames.count = before;
            return self.force(field);
        }
        let peak = std::mem::replace(&mut self.frames.peak, before);
        let result = self.force(field);
        let height = self.frames.peak.saturating_sub(before).max(1);
        self.frames.peak = self.frames.peak.max(peak);
        if result.is_ok() {
            self.frames.heights.insert(field.address(), (field.clone(), height));
        }
        result
    }

    /// Evaluates an operator that the reference implements in its library: `==`, `!=` or `%`.
    pub(super) fn operator_in_frames(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        op: Prim,
        operands: [NodeId; 2],
        env: &Env,
    ) -> Result<Value, Fault> {
        let equality = matches!(op, Prim::Eq | Prim::Ne);
        let frames = if equality { EQUALITY } else { REMAINDER };
        let [left, right] = operands;
        let (left, right) =
            self.in_frames(frames, |machine| Ok((machine.eval(unit, left, env)?, machine.eval(unit, right, env)?)))?;
        let span = unit.span(node);
        if !equality {
            return self.in_frames(REMAINDER, |machine| machine.binary(op, left, right, span));
        }
        // Only checks the limit and records the peak.
        self.in_frames(COMPARING, |_| Ok(()))?;
        Ok(Value::Bool(self.equals_in_frames(left, right, span)? == (op == Prim::Eq)))
    }

    /// Compares two values with the nesting of frames that the reference's library has.
    pub(super) fn equals_in_frames(&mut self, a: Value, b: Value, span: Span) -> Result<bool, Fault> {
        let pairs: Vec<(Thunk, Thunk)> = match (&a, &b) {
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                self.items(a)?.iter().cloned().zip(self.items(b)?.iter().cloned()).collect()
            }
            (Value::Record(x), Value::Record(y)) => {
                let (left, right) = (self.visible(x)?, self.visible(y)?);
                if left.len() != right.len() || left.iter().zip(&right).any(|(a, b)| a.0 != b.0) {
                    return Ok(false);
                }
                if !left.is_empty() {
                    self.check_asserts(x)?;
                    self.check_asserts(y)?;
                }
                left.into_iter().zip(right).map(|((_, a), (_, b))| (a, b)).collect()
            }
            _ => return self.equals(a, b, span),
        };
        for (a, b) in pairs {
            self.tick()?;
            let same = self.in_frames(1, |machine| {
                let of = |machine: &mut Machine, thunk: &Thunk| machine.in_frames(EQUALITY, |m| m.force_field(thunk));
                let (a, b) = (of(machine, &a)?, of(machine, &b)?);
                machine.deeper(|machine| machine.equals_in_frames(a, b, span))
            })?;
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs `work`, which manifests the value of a program, with [`WRITING`] additional frames allowed.
    pub(in crate::value) fn in_manifest<T>(
        &mut self,
        work: impl FnOnce(&mut Machine) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let allowed = self.limits.frames;
        self.limits.frames = allowed.map(|n| n.saturating_add(WRITING));
        let result = work(self);
        self.limits.frames = allowed;
        result
    }

    /// Runs `work` with one frame fewer, for a thunk that only makes a call: the thunk and the call take one frame together.
    pub(in crate::value) fn out_of_frame<T>(
        &mut self,
        work: impl FnOnce(&mut Machine) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let before = self.frames.count;
        self.frames.count = before.saturating_sub(1);
        let result = work(self);
        self.frames.count = before;
        result
    }

    /// Resets all counters.
    pub(in crate::value) fn forget_frames(&mut self) {
        self.frames = Frames::default();
    }
}
