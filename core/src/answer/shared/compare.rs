//! A comparison of two values by path: the parts that differ, with both sides, and the number of parts that are the
//! same.
//!
//! Parts that both values share are detected by identity and skipped. Records (and, if requested, arrays) are compared
//! part by part; every other value is a leaf.

mod side;

use super::excerpts::excerpts;
use crate::meta::Priority;
use crate::problem::ProblemKind;
use crate::problem::value::ValueKind;
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::record::Field;
use crate::value::{Call, Fault, Machine, Record, Thunk, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum size of a value in an answer.
pub const SHOWN: Budget = Budget { elements: 60, depth: 4, text: 2000 };
/// Maximum number of fields to compare.
const FIELDS: usize = 200_000;
/// Maximum number of elements that are matched by name.
const NAMED: usize = 10_000;
/// Maximum depth of the comparison.
const DEPTH: usize = 64;

/// One side of a difference.
#[derive(Clone, PartialEq, Debug)]
pub struct Side {
    /// The value, cut to the size limits, or its fault.
    pub value: Datum,
    /// Its priority.
    pub priority: Priority,
    /// The place of its definition.
    pub span: Option<Span>,
}

/// A part that differs.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// The path. For an element that only the left side has, it contains the index on the left.
    pub path: FieldPath,
    /// The left side.
    pub left: Option<Side>,
    /// The right side.
    pub right: Option<Side>,
    /// Whether both sides have the same definition, and only the values that it reads changed.
    pub recomputed: bool,
    /// The changed parts that it reads, if it was recomputed.
    pub reads: Vec<FieldPath>,
    /// Whether the field is hidden from exports.
    pub hidden: bool,
    /// The elements of arrays on the path that were matched by name, in order. An `order` after the path is the order of the
    /// elements.
    pub elements: Vec<MatchedElement>,
}

/// An element that was matched by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchedElement {
    /// The position of its index in the path. The index is that of the right side, or that of the left one if only the left
    /// one has the element.
    pub at: usize,
    /// Its name: `name=web`.
    pub name: Name,
    /// Its index on the left side, if it is there.
    pub left: Option<usize>,
}

impl Change {
    /// Returns the path with the names of elements: `containers[name=web].image`.
    pub fn label(&self) -> String {
        let mut out = String::new();
        let mut from = 0;
        let append = |steps: &[Step], out: &mut String| {
            if let [Step::Field(_), ..] = steps
                && !out.is_empty()
            {
                out.push('.');
            }
            out.push_str(&FieldPath { steps: steps.to_vec() }.to_string());
        };
        for MatchedElement { at, name, .. } in &self.elements {
            append(self.path.steps.get(from..*at).unwrap_or_default(), &mut out);
            out.push_str(&format!("[{name}]"));
            from = at + 1;
        }
        append(self.path.steps.get(from..).unwrap_or_default(), &mut out);
        out
    }

    /// Returns the path on the left side, where elements that were matched by name may have other indices.
    pub fn left_path(&self) -> FieldPath {
        let mut path = self.path.clone();
        for MatchedElement { at, left, .. } in &self.elements {
            if let (Some(Step::Index(index)), Some(left)) = (path.steps.get_mut(*at), left) {
                *index = *left;
            }
        }
        path
    }
}

/// The result of a comparison.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Comparison {
    /// The parts that differ, in the order of their paths.
    pub changes: Vec<Change>,
    /// Number of leaves that are the same.
    pub same: usize,
    /// Number of functions that cannot be compared.
    pub not_compared: usize,
    /// Whether everything was compared within the budget.
    pub complete: bool,
}

/// The outcome of comparing two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sameness {
    /// The values are the same.
    Yes,
    /// The values differ.
    No,
    /// Functions with the same text that may read different values.
    Unknown,
}

/// The number of leaves of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Leaves {
    /// Number of all leaves.
    pub count: usize,
    /// Number of leaves without a value, except hidden ones.
    pub faults: usize,
}

/// Compares values, within a budget.
pub struct Comparer<'m> {
    /// The machine.
    pub machine: &'m mut Machine,
    /// Number of fields that may still be compared.
    left: usize,
    /// The counted leaves, by the address of the thunk. The thunk is kept so that its address stays valid.
    counted: FxHashMap<usize, (Thunk, Leaves)>,
    /// The result so far.
    pub found: Comparison,
    /// Whether arrays are compared element by element.
    pub arrays: bool,
    /// The elements on the current path that were matched by name.
    named: Vec<MatchedElement>,
    /// The unchanged leaves, if they are kept.
    pub unchanged: Option<Vec<(FieldPath, Thunk, bool)>>,
}

/// Compares two values at the path `at`, including the elements of arrays.
pub fn compare(machine: &mut Machine, at: &FieldPath, left: &Thunk, right: &Thunk) -> Comparison {
    let mut comparer = Comparer::new(machine);
    comparer.arrays = true;
    comparer.values(&mut at.clone(), &ComparedValue::of(left), &ComparedValue::of(right), 0);
    comparer.take()
}

/// A value, with the field that holds it.
#[derive(Clone)]
pub struct ComparedValue {
    /// The value, unforced.
    pub thunk: Thunk,
    /// The record and the field that hold it.
    pub field: Option<(Record, Field)>,
}

impl ComparedValue {
    /// Creates a spot for a value that is not in a field.
    pub fn of(thunk: &Thunk) -> ComparedValue {
        ComparedValue { thunk: thunk.clone(), field: None }
    }

    /// Returns the value of a field, if it has one.
    pub fn in_field(record: &Record, field: &Field) -> Option<ComparedValue> {
        Some(ComparedValue { thunk: field.value.clone()?, field: Some((record.clone(), field.clone())) })
    }

    /// Returns `true` if it is masked.
    pub fn is_secret(&self) -> bool {
        self.thunk.secret().is_some() || self.field.as_ref().is_some_and(|(_, field)| field.secret)
    }

    /// Returns `true` if exports leave it out.
    pub fn is_hidden(&self) -> bool {
        self.field.as_ref().is_some_and(|(_, field)| field.not_exported)
    }
}

impl<'m> Comparer<'m> {
    /// Creates a comparer with an empty result.
    pub fn new(machine: &'m mut Machine) -> Comparer<'m> {
        let found = Comparison { complete: true, ..Comparison::default() };
        Comparer {
            machine,
            left: FIELDS,
            counted: FxHashMap::default(),
            found,
            arrays: false,
            named: Vec::new(),
            unchanged: None,
        }
    }

    /// Takes the result and leaves an empty one.
    pub fn take(&mut self) -> Comparison {
        std::mem::replace(&mut self.found, Comparison { complete: true, ..Comparison::default() })
    }

    /// Number of fields that were compared.
    pub fn spent(&self) -> usize {
        FIELDS - self.left
    }

    /// Takes one field from the budget. Returns `true` if there was one left.
    pub fn spend(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.found.complete &= self.left > 0;
        self.left > 0
    }

    /// Records that a leaf, or a subtree that both values share, is the same.
    pub fn same(&mut self, path: &FieldPath, compared: &ComparedValue) {
        let leaves = self.leaves(&compared.thunk, 0).count;
        self.found.same += leaves;
        if let Some(unchanged) = &mut self.unchanged {
            unchanged.push((path.clone(), compared.thunk.clone(), compared.is_secret()));
        }
    }

    /// Compares the values of two spots. Adds the differences to [`Self::found`].
    pub fn values(&mut self, path: &mut FieldPath, left: &ComparedValue, right: &ComparedValue, depth: usize) {
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
                        false => self.found.complete = false,
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
            Sameness::Yes => self.same(path, right),
            Sameness::Unknown => self.found.not_compared += 1,
            Sameness::No => self.differ(path, Some(left), Some(right)),
        }
    }

    fn differ(&mut self, path: &FieldPath, left: Option<&ComparedValue>, right: Option<&ComparedValue>) {
        // if one side is secret, both are masked
        let secret = left.is_some_and(ComparedValue::is_secret) || right.is_some_and(ComparedValue::is_secret);
        let mut side = |compared: Option<&ComparedValue>| {
            let side = self.side(compared?);
            Some(if secret { side.masked() } else { side })
        };
        let (mut left_side, mut right_side) = (side(left), side(right));
        if let (Some(a), Some(b), Some(left), Some(right)) = (&mut left_side, &mut right_side, left, right)
            && !secret
            && let (Ok(Value::String(x)), Ok(Value::String(y))) =
                (self.machine.force(&left.thunk), self.machine.force(&right.thunk))
            && let Some([x, y]) = excerpts(&x.name(), &y.name())
        {
            (a.value, b.value) = (Datum::String(x), Datum::String(y));
        }
        if let (Some(a), Some(b)) = (&mut left_side, &mut right_side)
            && a.span == b.span
        {
            // a conflict has several definitions: the other side may have one of them
            let own = |side: &Side| side.ties().into_iter().find(|tie| side.span != Some(*tie));
            match (own(a), own(b)) {
                (None, Some(tie)) => b.span = Some(tie),
                (Some(tie), None) => a.span = Some(tie),
                _ => {}
            }
        }
        let recomputed = match (&left_side, &right_side) {
            (Some(a), Some(b)) => a.span.is_some() && a.span == b.span,
            _ => false,
        };
        let hidden = right.or(left).is_some_and(ComparedValue::is_hidden);
        self.found.changes.push(Change {
            path: path.clone(),
            left: left_side,
            right: right_side,
            recomputed,
            reads: Vec::new(),
            hidden,
            elements: self.named.clone(),
        });
    }

    /// Returns `true` if no field of a record has a value. Such a record is a leaf.
    pub fn is_empty(&mut self, record: &Record) -> bool {
        self.machine.all_fields(record).is_ok_and(|fields| fields.iter().all(|field| field.value.is_none()))
    }

    fn fields(&mut self, path: &mut FieldPath, a: &Record, b: &Record, depth: usize) {
        let (Ok(left), Ok(right)) = (self.machine.all_fields(a), self.machine.all_fields(b)) else { return };
        for name in names([&left, &right, &[]]) {
            let compared =
                |record, fields: &[Field]| find(fields, &name).and_then(|field| ComparedValue::in_field(record, field));
            path.steps.push(Step::Field(name.clone()));
            match (compared(a, &left), compared(b, &right)) {
                (Some(left), Some(right)) => self.values(path, &left, &right, depth + 1),
                (None, None) => {}
                (left, right) => self.differ(path, left.as_ref(), right.as_ref()),
            }
            path.steps.pop();
        }
    }

    /// Compares arrays. Equal elements at the beginning and at the end are matched; elements in between are matched in
    /// order.
    fn elements(
        &mut self,
        path: &mut FieldPath,
        (a, left): (&crate::value::Array, &ComparedValue),
        (b, right): (&crate::value::Array, &ComparedValue),
        depth: usize,
    ) {
        if let (Some(left_names), Some(right_names)) = (self.names(a), self.names(b)) {
            return self.named_elements(path, (a, left, &left_names), (b, right, &right_names), depth);
        }
        let at = element_at;
        let (mut head, shorter) = (0, a.len().min(b.len()));
        let alike = |comparer: &mut Self, i: usize, j: usize| match (a.at(i), b.at(j)) {
            (Some(x), Some(y)) => comparer.spend() && comparer.same_values(&x, &y) == Sameness::Yes,
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

    /// Returns the names of an array's elements, if each element is a record with a name of its own: its field `name`, or
    /// the kind, namespace and name of a Kubernetes object.
    fn names(&mut self, array: &crate::value::Array) -> Option<Vec<Name>> {
        let mut names = Vec::with_capacity(array.len());
        let mut seen = FxHashSet::default();
        if array.len() > NAMED {
            return None;
        }
        for thunk in (0..array.len()).map_while(|i| array.at(i)) {
            let name = self.name_of(&thunk)?;
            if !seen.insert(name.clone()) {
                return None;
            }
            names.push(name);
        }
        (!names.is_empty()).then_some(names)
    }

    fn name_of(&mut self, element: &Thunk) -> Option<Name> {
        let Ok(Value::Record(record)) = self.machine.force(element) else { return None };
        if let Some(name) = self.text_in(&record, "name") {
            return Some(Name::from(format!("name={name}")));
        }
        let kind = self.text_in(&record, "kind")?;
        let metadata = self.machine.field(&record, "metadata").ok()??;
        let Ok(Value::Record(metadata)) = self.machine.force(&metadata) else { return None };
        let name = self.text_in(&metadata, "name")?;
        Some(Name::from(match self.text_in(&metadata, "namespace") {
            Some(namespace) => format!("{kind}/{namespace}/{name}"),
            None => format!("{kind}/{name}"),
        }))
    }

    /// Returns the text of a field that is a string and not secret.
    fn text_in(&mut self, record: &Record, name: &str) -> Option<Name> {
        let thunk = self.machine.field(record, name).ok()??;
        match self.machine.force(&thunk).ok()? {
            Value::String(text) if thunk.secret().is_none() && text.len() <= 200 => Some(text.name()),
            _ => None,
        }
    }

    /// Compares arrays whose elements have names: elements of the same name with each other, and the order of the names.
    fn named_elements(
        &mut self,
        path: &mut FieldPath,
        (a, left, left_names): (&crate::value::Array, &ComparedValue, &[Name]),
        (b, right, right_names): (&crate::value::Array, &ComparedValue, &[Name]),
        depth: usize,
    ) {
        let index = |names: &[Name]| -> FxHashMap<Name, usize> {
            names.iter().enumerate().map(|(i, name)| (name.clone(), i)).collect()
        };
        let (left_index, right_index) = (index(left_names), index(right_names));
        let kept: Vec<&Name> = left_names.iter().filter(|name| right_index.contains_key(*name)).collect();
        let kept_right: Vec<&Name> = right_names.iter().filter(|name| left_index.contains_key(*name)).collect();
        if kept != kept_right {
            let order = |names: Vec<&Name>, machine: &Machine, compared: &ComparedValue| Side {
                value: Datum::Array(names.into_iter().map(|name| Datum::String(name.clone())).collect()),
                priority: Priority::Normal,
                span: machine.place(&compared.thunk),
            };
            let sides = (order(kept, self.machine, left), order(kept_right, self.machine, right));
            let mut elements = self.named.clone();
            elements.push(MatchedElement { at: path.steps.len(), name: Name::new_static("order"), left: None });
            self.found.changes.push(Change {
                path: path.clone(),
                left: Some(sides.0),
                right: Some(sides.1),
                recomputed: false,
                reads: Vec::new(),
                hidden: false,
                elements,
            });
        }
        let removed = left_names.iter().enumerate().filter(|(_, name)| !right_index.contains_key(*name));
        let removed: Vec<(Name, usize, bool)> = removed.map(|(i, name)| (name.clone(), i, false)).collect();
        let others = right_names.iter().enumerate().map(|(i, name)| (name.clone(), i, true));
        for (name, i, is_right) in others.chain(removed) {
            path.steps.push(Step::Index(i));
            let own = left_index.get(&name).copied();
            let theirs = if is_right { element_at(b, right, i) } else { None };
            let ours = own.and_then(|i| element_at(a, left, i));
            self.named.push(MatchedElement { at: path.steps.len() - 1, name, left: own });
            match (ours, theirs) {
                (Some(x), Some(y)) => self.values(path, &x, &y, depth + 1),
                (x, y) => self.differ(path, x.as_ref(), y.as_ref()),
            }
            self.named.pop();
            path.steps.pop();
        }
    }

    /// Compares two values deeply.
    pub fn same_values(&mut self, a: &Thunk, b: &Thunk) -> Sameness {
        if a.same(b) {
            return Sameness::Yes;
        }
        let yes = |same: bool| if same { Sameness::Yes } else { Sameness::No };
        match (self.machine.force(a), self.machine.force(b)) {
            (Ok(x), Ok(y)) => match (&x, &y) {
                (Value::Function(f), Value::Function(g)) if std::rc::Rc::ptr_eq(f, g) => Sameness::Yes,
                (Value::Function(f), Value::Function(g)) if f.node == g.node && same_text(f, g) => Sameness::Unknown,
                (Value::Record(x), Value::Record(y)) if x.same(y) => Sameness::Yes,
                _ => match self.machine.equal(a, b, &Call::default()) {
                    Ok(same) => yes(same),
                    // values that cannot be compared, such as arrays with functions, are the same if they are
                    // displayed alike
                    Err(_) => yes(self.machine.datum(a, SHOWN) == self.machine.datum(b, SHOWN)),
                },
            },
            (Err(x), Err(y)) => yes(same_fault(&x, &y)),
            _ => Sameness::No,
        }
    }

    /// Returns one side of a change.
    pub fn side(&mut self, compared: &ComparedValue) -> Side {
        let value = if compared.is_secret() { Datum::Secret } else { self.machine.datum(&compared.thunk, SHOWN) };
        let mut side = Side { value, priority: Priority::Normal, span: self.machine.place(&compared.thunk) };
        if let Some((record, field)) = &compared.field {
            side.priority = field.priority.clone();
            // looked up again: a priority that is pushed to the leaves is known only after the value
            if let Ok(Some(outline)) = self.machine.outline(record, &field.name) {
                side.span = outline.span.or(side.span);
                side.priority = outline.field.priority;
            }
        }
        side
    }

    /// Returns the conflict at a spot, if there is one. A conflict is not one of the secret values in it, so it may be
    /// shown.
    pub fn conflict(&mut self, compared: &ComparedValue) -> Option<Datum> {
        let datum = self.machine.datum(&compared.thunk, SHOWN);
        let met = match &datum {
            Datum::Fault(problem) => match &problem.kind {
                ProblemKind::Value(met) => matches!(met.what, ValueKind::Conflict { .. }),
                _ => false,
            },
            _ => false,
        };
        met.then_some(datum)
    }

    /// Returns the number of leaves of a value. A value without fields is one leaf. Results are cached.
    pub fn leaves(&mut self, thunk: &Thunk, depth: usize) -> Leaves {
        if let Some((_, known)) = self.counted.get(&thunk.address()) {
            return *known;
        }
        if depth >= DEPTH || !self.spend() {
            self.found.complete = false;
            return Leaves { count: 1, faults: 0 };
        }
        // a value that contains itself is counted once
        self.counted.insert(thunk.address(), (thunk.clone(), Leaves::default()));
        let leaves = match self.machine.force(thunk) {
            Ok(Value::Record(record)) => {
                let mut leaves = Leaves::default();
                for field in self.machine.all_fields(&record).unwrap_or_default() {
                    let inner = match &field.value {
                        Some(value) => self.leaves(value, depth + 1),
                        None if field.optional => continue,
                        None => Leaves { count: 1, faults: 1 },
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

/// Returns the spot of an element of an array.
fn element_at(array: &crate::value::Array, compared: &ComparedValue, i: usize) -> Option<ComparedValue> {
    array.at(i).map(|thunk| ComparedValue { thunk, field: compared.field.clone() })
}

fn same_text(f: &crate::value::env::Closure, g: &crate::value::env::Closure) -> bool {
    std::rc::Rc::ptr_eq(&f.unit, &g.unit) || f.unit.span(f.node) == g.unit.span(g.node)
}

fn same_fault(a: &Fault, b: &Fault) -> bool {
    match (a.what(), b.what()) {
        (Some(ValueKind::Interrupted), _) => false,
        // the similar names are those of the record, which may differ
        (
            Some(ValueKind::MissingField { name: x, span: a, .. }),
            Some(ValueKind::MissingField { name: y, span: b, .. }),
        ) => x == y && a == b,
        (Some(x), Some(y)) => x == y,
        _ => a.problem() == b.problem(),
    }
}

/// Returns all names of sorted fields, in order, each once.
pub(in crate::answer) fn names(fields: [&[Field]; 3]) -> Vec<Name> {
    let mut names: Vec<Name> = fields.iter().flat_map(|fields| fields.iter().map(|f| f.name.clone())).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Finds a field by name in sorted fields.
pub(in crate::answer) fn find<'f>(fields: &'f [Field], name: &str) -> Option<&'f Field> {
    fields.binary_search_by(|field| field.name.as_str().cmp(name)).ok().and_then(|at| fields.get(at))
}
