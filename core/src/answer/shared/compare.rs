//! Two values walked together by path: what differs, with both sides, and how much does not.
//!
//! Parts that both share are skipped by their identity. Values are compared as deep as they are records (and arrays, where
//! asked for); everything else is one leaf.

use super::path::{Path, Step};
use crate::meta::Priority;
use crate::problem::value::ValueKind;
use crate::problem::{Kind as ProblemKind, Problem};
use crate::text::{Name, Span};
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::record::Field;
use crate::value::{Call, Fault, Machine, Record, Thunk, Value};
use rustc_hash::FxHashMap;

/// How much of a value an answer holds.
pub const SHOWN: Budget = Budget { elements: 60, depth: 4, text: 2000 };
/// How many fields are looked at in all.
const FIELDS: usize = 200_000;
/// How deep values are looked into.
const DEPTH: usize = 64;

/// One side of a difference.
#[derive(Clone, PartialEq, Debug)]
pub struct Side {
    /// The value, as far as it is shown; a fault in its place.
    pub value: Datum,
    /// The priority it has.
    pub priority: Priority,
    /// Where it is defined.
    pub span: Option<Span>,
}

/// A part that differs.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// Where: of an element that only the left side has, its index there.
    pub path: Path,
    /// What the left side has.
    pub left: Option<Side>,
    /// What the right side has.
    pub right: Option<Side>,
    /// Whether the definition is the same on both sides, and only what it reads has changed.
    pub recomputed: bool,
    /// Which of the parts that differ it reads then.
    pub reads: Vec<Path>,
    /// Whether the field is hidden from exports.
    pub hidden: bool,
}

/// What a comparison found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Comparison {
    /// The parts that differ, in the order of their paths.
    pub changes: Vec<Change>,
    /// How many leaves are the same.
    pub same: usize,
    /// How many are functions, of which nobody can say.
    pub unknown: usize,
    /// Whether all was looked at: there is a budget.
    pub whole: bool,
}

/// Whether two values are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Same {
    /// They are.
    Yes,
    /// They differ.
    No,
    /// Functions of the same text that may read something else.
    Unknown,
}

/// How many leaves a value has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Leaves {
    /// All of them.
    pub count: usize,
    /// Those without a value, hidden ones left out.
    pub faults: usize,
}

/// Walks values, within a budget.
pub struct Comparer<'m> {
    /// The machine.
    pub machine: &'m mut Machine,
    /// How many fields may still be looked at.
    left: usize,
    /// The leaves of what was counted, by the address of its thunk, which is kept for that.
    counted: FxHashMap<usize, (Thunk, Leaves)>,
    /// The result so far.
    pub found: Comparison,
    /// Whether arrays are looked into.
    pub arrays: bool,
    /// Whether the paths of unchanged leaves are kept, and those.
    pub unchanged: Option<Vec<(Path, Thunk, bool)>>,
}

/// Compares two values whose path is `at`, arrays too.
pub fn compare(machine: &mut Machine, at: &Path, left: &Thunk, right: &Thunk) -> Comparison {
    let mut comparer = Comparer::new(machine);
    comparer.arrays = true;
    comparer.values(&mut at.clone(), &Spot::of(left), &Spot::of(right), 0);
    comparer.take()
}

/// A value at a place, with what its field says.
#[derive(Clone)]
pub struct Spot {
    /// The value, unforced.
    pub thunk: Thunk,
    /// The record and the field it stands in.
    pub field: Option<(Record, Field)>,
}

impl Spot {
    /// A value that stands in no field.
    pub fn of(thunk: &Thunk) -> Spot {
        Spot { thunk: thunk.clone(), field: None }
    }

    /// The value of a field, if it has one.
    pub fn in_field(record: &Record, field: &Field) -> Option<Spot> {
        Some(Spot { thunk: field.value.clone()?, field: Some((record.clone(), field.clone())) })
    }

    /// Whether it is masked.
    pub fn is_secret(&self) -> bool {
        self.field.as_ref().is_some_and(|(_, field)| field.secret)
    }

    /// Whether exports leave it out.
    pub fn is_hidden(&self) -> bool {
        self.field.as_ref().is_some_and(|(_, field)| field.not_exported)
    }
}

impl<'m> Comparer<'m> {
    /// Nothing compared yet.
    pub fn new(machine: &'m mut Machine) -> Comparer<'m> {
        let found = Comparison { whole: true, ..Comparison::default() };
        Comparer { machine, left: FIELDS, counted: FxHashMap::default(), found, arrays: false, unchanged: None }
    }

    /// What was found, from here on nothing.
    pub fn take(&mut self) -> Comparison {
        std::mem::replace(&mut self.found, Comparison { whole: true, ..Comparison::default() })
    }

    /// Number of fields that were compared.
    pub fn spent(&self) -> usize {
        FIELDS - self.left
    }

    /// Takes one from the budget; whether there was one left.
    pub fn spend(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.found.whole &= self.left > 0;
        self.left > 0
    }

    /// Notes that a leaf, or a whole subtree that both share, is the same.
    pub fn same(&mut self, path: &Path, spot: &Spot) {
        let leaves = self.leaves(&spot.thunk, 0).count;
        self.found.same += leaves;
        if let Some(unchanged) = &mut self.unchanged {
            unchanged.push((path.clone(), spot.thunk.clone(), spot.is_secret()));
        }
    }

    /// Compares the values of two places; what differs is in [`Self::found`].
    pub fn values(&mut self, path: &mut Path, left: &Spot, right: &Spot, depth: usize) {
        if left.thunk.same(&right.thunk) {
            return self.same(path, right);
        }
        if !self.spend() {
            return;
        }
        let sides = (self.machine.force(&left.thunk), self.machine.force(&right.thunk));
        if !left.is_secret() && !right.is_secret() {
            match &sides {
                (Ok(Value::Record(a)), Ok(Value::Record(b))) if self.is_empty(a) && self.is_empty(b) => {
                    return self.same(path, right);
                }
                (Ok(Value::Record(a)), Ok(Value::Record(b))) if !a.same(b) => {
                    match depth < DEPTH {
                        true => self.fields(path, a, b, depth),
                        false => self.found.whole = false,
                    }
                    return;
                }
                (Ok(Value::Array(a)), Ok(Value::Array(b))) if self.arrays && depth < DEPTH => {
                    return self.elements(path, (a, left), (b, right), depth);
                }
                _ => {}
            }
        }
        match self.same_values(&left.thunk, &right.thunk) {
            Same::Yes => self.same(path, right),
            Same::Unknown => self.found.unknown += 1,
            Same::No => self.differ(path, Some(left), Some(right)),
        }
    }

    fn differ(&mut self, path: &Path, left: Option<&Spot>, right: Option<&Spot>) {
        // what one side calls a secret is none on the other either
        let secret = left.is_some_and(Spot::is_secret) || right.is_some_and(Spot::is_secret);
        let mut side = |spot: Option<&Spot>| {
            let side = self.side(spot?);
            Some(if secret { side.masked() } else { side })
        };
        let (left_side, right_side) = (side(left), side(right));
        let recomputed = match (&left_side, &right_side) {
            (Some(a), Some(b)) => a.span.is_some() && a.span == b.span,
            _ => false,
        };
        let hidden = right.or(left).is_some_and(Spot::is_hidden);
        self.found.changes.push(Change {
            path: path.clone(),
            left: left_side,
            right: right_side,
            recomputed,
            reads: Vec::new(),
            hidden,
        });
    }

    /// Whether no field of a record has a value: then it is a leaf itself.
    pub fn is_empty(&mut self, record: &Record) -> bool {
        self.machine.all_fields(record).is_ok_and(|fields| fields.iter().all(|field| field.value.is_none()))
    }

    fn fields(&mut self, path: &mut Path, a: &Record, b: &Record, depth: usize) {
        let (Ok(left), Ok(right)) = (self.machine.all_fields(a), self.machine.all_fields(b)) else { return };
        for name in names([&left, &right, &[]]) {
            let spot = |record, fields: &[Field]| find(fields, &name).and_then(|field| Spot::in_field(record, field));
            path.steps.push(Step::Field(name.clone()));
            match (spot(a, &left), spot(b, &right)) {
                (Some(left), Some(right)) => self.values(path, &left, &right, depth + 1),
                (None, None) => {}
                (left, right) => self.differ(path, left.as_ref(), right.as_ref()),
            }
            path.steps.pop();
        }
    }

    /// Elements that stand on both sides at the beginning and at the end belong together, and between them those in the
    /// same order.
    fn elements(
        &mut self,
        path: &mut Path,
        (a, left): (&crate::value::Array, &Spot),
        (b, right): (&crate::value::Array, &Spot),
        depth: usize,
    ) {
        let at = |array: &crate::value::Array, spot: &Spot, i: usize| {
            array.get(i).map(|thunk| Spot { thunk: thunk.clone(), field: spot.field.clone() })
        };
        let (mut head, shorter) = (0, a.len().min(b.len()));
        let alike = |comparer: &mut Self, i: usize, j: usize| match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) => comparer.spend() && comparer.same_values(x, y) == Same::Yes,
            _ => false,
        };
        while head < shorter && alike(self, head, head) {
            head += 1;
        }
        let mut tail = 0;
        while head + tail < shorter && alike(self, a.len() - 1 - tail, b.len() - 1 - tail) {
            tail += 1;
        }
        self.found.same += head + tail;
        for i in head..a.len().max(b.len()) - tail {
            let (x, y) =
                (at(a, left, i).filter(|_| i < a.len() - tail), at(b, right, i).filter(|_| i < b.len() - tail));
            path.steps.push(Step::Index(i));
            match (x, y) {
                (Some(x), Some(y)) => self.values(path, &x, &y, depth + 1),
                (x, y) => self.differ(path, x.as_ref(), y.as_ref()),
            }
            path.steps.pop();
        }
    }

    /// Whether two values are the same, deep.
    pub fn same_values(&mut self, a: &Thunk, b: &Thunk) -> Same {
        if a.same(b) {
            return Same::Yes;
        }
        let yes = |same: bool| if same { Same::Yes } else { Same::No };
        match (self.machine.force(a), self.machine.force(b)) {
            (Ok(x), Ok(y)) => match (&x, &y) {
                (Value::Function(f), Value::Function(g)) if std::rc::Rc::ptr_eq(f, g) => Same::Yes,
                (Value::Function(f), Value::Function(g)) if f.node == g.node && same_text(f, g) => Same::Unknown,
                (Value::Record(x), Value::Record(y)) if x.same(y) => Same::Yes,
                _ => match self.machine.equal(a, b, &Call::default()) {
                    Ok(same) => yes(same),
                    // what cannot be compared, functions inside of an array say, is the same if it reads the same
                    Err(_) => yes(self.machine.datum(a, SHOWN) == self.machine.datum(b, SHOWN)),
                },
            },
            (Err(x), Err(y)) => yes(same_fault(&x, &y)),
            _ => Same::No,
        }
    }

    /// One side of a change.
    pub fn side(&mut self, spot: &Spot) -> Side {
        let value = if spot.is_secret() { Datum::Secret } else { self.machine.datum(&spot.thunk, SHOWN) };
        let mut side = Side { value, priority: Priority::Normal, span: self.machine.place(&spot.thunk) };
        if let Some((record, field)) = &spot.field {
            side.priority = field.priority.clone();
            // asked again: a priority that is pushed to the leaves is known when the value is
            if let Ok(Some(outline)) = self.machine.outline(record, &field.name) {
                side.span = outline.span.or(side.span);
                side.priority = outline.field.priority;
            }
        }
        side
    }

    /// The conflict that a part came to, if it did. It is none of the values that are in it, so a secret's may be told.
    pub fn conflict(&mut self, spot: &Spot) -> Option<Datum> {
        let datum = self.machine.datum(&spot.thunk, SHOWN);
        let met = match &datum {
            Datum::Fault(problem) => match &problem.kind {
                ProblemKind::Value(met) => matches!(met.what, ValueKind::Conflict { .. }),
                _ => false,
            },
            _ => false,
        };
        met.then_some(datum)
    }

    /// How many leaves a value has; one that has no fields is one. What was counted once is known.
    pub fn leaves(&mut self, thunk: &Thunk, depth: usize) -> Leaves {
        if let Some((_, known)) = self.counted.get(&thunk.address()) {
            return *known;
        }
        if depth >= DEPTH || !self.spend() {
            self.found.whole = false;
            return Leaves { count: 1, faults: 0 };
        }
        // a value that stands in itself counts once
        self.counted.insert(thunk.address(), (thunk.clone(), Leaves::default()));
        let leaves = match self.machine.force(thunk) {
            Ok(Value::Record(record)) => {
                let mut leaves = Leaves::default();
                for field in self.machine.all_fields(&record).unwrap_or_default() {
                    let inner = match &field.value {
                        Some(value) => self.leaves(value, depth + 1),
                        None if field.optional => continue,
                        None => Leaves { count: 0, faults: 1 },
                    };
                    leaves.count += inner.count;
                    leaves.faults += if field.not_exported { 0 } else { inner.faults };
                }
                Leaves { count: leaves.count.max(1), ..leaves }
            }
            Ok(_) => Leaves { count: 1, faults: 0 },
            Err(_) => Leaves { count: 1, faults: 1 },
        };
        self.counted.insert(thunk.address(), (thunk.clone(), leaves));
        leaves
    }
}

fn same_text(f: &crate::value::env::Closure, g: &crate::value::env::Closure) -> bool {
    std::rc::Rc::ptr_eq(&f.unit, &g.unit) || f.unit.span(f.node) == g.unit.span(g.node)
}

fn same_fault(a: &Fault, b: &Fault) -> bool {
    match (a.what(), b.what()) {
        (Some(ValueKind::Interrupted), _) => false,
        (Some(x), Some(y)) => x == y,
        _ => a.problem() == b.problem(),
    }
}

/// All names of sorted fields, in order, each once.
pub(in crate::answer) fn names(fields: [&[Field]; 3]) -> Vec<Name> {
    let mut names: Vec<Name> = fields.iter().flat_map(|fields| fields.iter().map(|f| f.name.clone())).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A field of sorted fields.
pub(in crate::answer) fn find<'f>(fields: &'f [Field], name: &str) -> Option<&'f Field> {
    fields.binary_search_by(|field| field.name.as_str().cmp(name)).ok().and_then(|at| fields.get(at))
}

/// The problem of a side that failed.
impl Side {
    /// The same without its value.
    pub fn masked(self) -> Side {
        Side { value: Datum::Secret, ..self }
    }

    /// Whether its value is masked.
    pub fn is_secret(&self) -> bool {
        matches!(self.value, Datum::Secret)
    }

    /// The reason why there is no value.
    pub fn fault(&self) -> Option<&Problem> {
        match &self.value {
            Datum::Fault(problem) => Some(problem),
            _ => None,
        }
    }
}
