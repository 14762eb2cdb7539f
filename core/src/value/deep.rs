//! Deep access: paths into a value, and forcing a value with all its parts.

use super::Step;
use super::datum::{Datum, Entry, Written};
use super::machine::Budget;
use super::record::Path;
use super::secret::secret;
use super::{Fault, Machine, Record, Thunk, Value};
use crate::problem::value::ValueKind;
use crate::term::{Node, NodeId, SelfAlias};
use crate::text::path::FieldPath;
use crate::text::{Name, Span};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The parts of a value that a conversion to data forces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All.
    All,
    /// All except hidden fields, in the order of their definitions.
    AsDefined,
    /// All except hidden fields.
    Exported,
    /// None.
    Known,
}

/// The rest of a [`Budget`].
struct Left {
    /// Number of elements and fields; 0 if nothing more is forced.
    elements: usize,
    /// Number of bytes of text.
    text: usize,
    /// Number of faults after which nothing more is forced.
    faults: usize,
    /// For an export: the nearest record around the place whose depth is a power of two. A value that contains itself reaches it again
    /// (Brent's algorithm).
    around: Option<Record>,
}

impl Left {
    fn of(budget: Budget) -> Left {
        Left { elements: budget.elements, text: budget.text, faults: usize::MAX, around: None }
    }

    /// Counts a fault. Nothing is forced after an interrupt or a limit.
    fn count(&mut self, fault: &Fault) {
        match fault.is_transient() {
            true => self.elements = 0,
            false => self.count_other(),
        }
    }

    /// Counts a reason why an export fails.
    fn count_other(&mut self) {
        self.faults = self.faults.saturating_sub(1);
        if self.faults == 0 {
            self.elements = 0;
        }
    }
}

/// Returns the message about a value that is a part of itself. `path`: its second occurrence; an index is a name in brackets.
pub(super) fn contains_itself(path: &[Name]) -> String {
    // the way from the value to itself may be written twice
    let half = path.len() / 2;
    let path = if path.len().is_multiple_of(2) && path[..half] == path[half..] { &path[..half] } else { path };
    let path = path.join(".").replace(".[", "[");
    format!("`{path}` contains itself, so it has no end")
}

/// The place of a value: a field of a record, or an element of an array with a path.
#[derive(Clone)]
pub(super) enum FieldRef {
    Field(Record, Name),
    Element(Rc<Path>, usize),
}

impl FieldRef {
    /// Sets the path of the value, if it is a record without a path.
    fn set_path(&self, value: &Value) {
        let Value::Record(inner) = value else { return };
        match self {
            FieldRef::Field(record, name) => inner.set_path(record, name),
            FieldRef::Element(array, index) => inner.set_path_in_array(array, *index),
        }
    }

    /// Returns the path of the value. O(path).
    fn names(&self) -> Vec<Name> {
        match self {
            FieldRef::Field(record, name) => record.path_to(name),
            FieldRef::Element(array, index) => array.names_with(Path::index(*index)),
        }
    }

    /// Returns the path of the value, for its elements. O(1).
    pub(super) fn path(&self) -> Rc<Path> {
        match self {
            FieldRef::Field(record, name) => Path::of_field(record, name),
            FieldRef::Element(array, index) => Path::of_element(array, *index),
        }
    }
}

impl Machine {
    /// Returns the value at a path, unforced. Forces only what the path needs.
    pub fn at(&mut self, root: &Thunk, path: &[Step]) -> Result<Thunk, Fault> {
        let mut here = root.clone();
        let secrets = self.secrets.count;
        for (depth, step) in path.iter().enumerate() {
            let value = self.force(&here)?;
            here = match (&value, step) {
                (Value::Record(record), Step::Field(name)) => self.step_into(record, name)?,
                (Value::Record(record), Step::Index(i)) => self.step_into(record, &Name::from(i.to_string()))?,
                (Value::Map(map), step) => {
                    let asked = match step {
                        Step::Index(i) => i.to_string(),
                        Step::Field(name) => name.to_string(),
                    };
                    match map.iter().find(|(key, _)| super::map::key_text(key) == asked) {
                        Some((_, value)) => value.clone(),
                        None => {
                            let message = format!("no key `{asked}` in a map of {}", map.len());
                            return Err(Fault::undefined(message, self.place(&here)));
                        }
                    }
                }
                (Value::Array(array), step) => {
                    let index = match step {
                        Step::Index(i) => Some(*i),
                        Step::Field(name) => name.parse().ok(),
                    };
                    let found = match index {
                        Some(i) => self.item(array, i)?,
                        None => None,
                    };
                    match found {
                        Some(element) => element,
                        None => {
                            let above = path.get(..depth).unwrap_or(path);
                            let message = no_element(above, step, array.len());
                            let span = self.place_of_array(root, above, array.len()).or_else(|| self.place(&here));
                            return Err(Fault::undefined(message, span));
                        }
                    }
                }
                (other, step) => {
                    let above = path.get(..depth).unwrap_or(path);
                    let place = self.definition_at(root, above).or_else(|| self.place(&here));
                    let (expected, mut part) = match step {
                        Step::Field(name) => ("Record", format!("`.{name}`")),
                        Step::Index(i) => ("Array", format!("`[{i}]`")),
                    };
                    if !above.is_empty() {
                        part.push_str(&format!(" of `{}`", FieldPath { steps: above.to_vec() }));
                    }
                    return Err(self.mismatch(expected, other, &part, place, None));
                }
            };
        }
        Ok(if self.secrets.count == secrets { here } else { self.part_of_secret(here) })
    }

    fn step_into(&mut self, record: &super::Record, name: &Name) -> Result<Thunk, Fault> {
        let Some(thunk) = record.index_of(name).and_then(|index| self.field_thunk(record, index)) else {
            return Err(self.missing_field(record, name, None));
        };
        // Faults inside the record then report their path from here.
        if let Some(Value::Record(inner)) = thunk.computed() {
            inner.set_path(record, name);
        }
        let (parent, name) = (record.clone(), name.clone());
        // A field that failed elsewhere does not have its path from here.
        Ok(if thunk.computed().is_some() {
            thunk
        } else {
            Thunk::lazy(move |machine| match machine.force(&thunk) {
                Ok(value) => {
                    if let Value::Record(inner) = &value {
                        inner.set_path(&parent, &name);
                    }
                    Ok(value)
                }
                Err(fault) => Err(fault.in_field(|| parent.path_to(&name))),
            })
        })
    }

    /// Returns the place where the value at a path is defined: the strongest definition of the last field of the path,
    /// or the function literal itself.
    pub fn definition_at(&mut self, root: &Thunk, path: &[Step]) -> Option<Span> {
        let mut here = root.clone();
        let mut found = None;
        for step in path {
            if let (Value::Record(record), Step::Field(name)) = (self.force(&here).ok()?, step) {
                let index = record.index_of(name)?;
                let priority = self.field_info(&record, index).ok()??.priority;
                let live = self.active_definitions(&record, index).ok()?;
                let strongest = live.iter().find(|(_, d)| d.body_span().is_some() && d.priority() == priority);
                let defined = strongest.or(live.first());
                found = defined.and_then(|(_, d)| d.body_span().or(d.name_span())).or(found);
            }
            here = self.at(&here, std::slice::from_ref(step)).ok()?;
        }
        match self.force(&here) {
            Ok(Value::Function(closure)) => Some(closure.unit.span(closure.node)),
            _ => found,
        }
    }

    /// Returns where the array of `count` elements at a path is written. `None` if it is computed.
    fn place_of_array(&mut self, root: &Thunk, path: &[Step], count: usize) -> Option<Span> {
        let (Step::Field(name), above) = path.split_last()? else { return None };
        let thunk = self.at(root, above).ok()?;
        let Value::Record(record) = self.force(&thunk).ok()? else { return None };
        let live = self.active_definitions(&record, record.index_of(name)?).ok()?;
        live.iter().rev().find_map(|(_, definition)| {
            let (unit, node) = definition.literal_body()?;
            matches!(unit.node(node), Node::Array(items) if items.len() == count).then(|| unit.span(node))
        })
    }

    /// Returns where the value at a path is written: the names of its field and its text. A step into an array is the name of an
    /// index. For a part that is computed it is the nearest field around it.
    pub fn written_at(&mut self, root: &Thunk, path: &[Step]) -> Option<(Option<Span>, Span)> {
        let mut here = root.clone();
        let mut found: Option<(Option<Span>, Span)> = None;
        let mut literal: Option<(Rc<super::env::Unit>, NodeId)> = None;
        for step in path {
            let Ok(value) = self.force(&here) else { break };
            match (&value, step) {
                (Value::Record(record), Step::Field(name)) => {
                    let Some(index) = record.index_of(name) else { break };
                    let Ok(Some(info)) = self.field_info(record, index) else { break };
                    let Ok(live) = self.active_definitions(record, index) else { break };
                    let strongest = live.iter().find(|(_, d)| d.body_span().is_some() && d.priority() == info.priority);
                    let Some((_, defined)) = strongest.or(live.first()) else { break };
                    literal = defined.literal_body();
                    found =
                        defined.body_span().or(defined.name_span()).map(|body| (defined.name_span(), body)).or(found);
                }
                (Value::Array(_), Step::Field(index)) => {
                    let inner = literal.take().and_then(|(unit, node)| match unit.node(node) {
                        Node::Array(items) => Some((unit.clone(), *items.get(index.parse::<usize>().ok()?)?)),
                        _ => None,
                    });
                    found = inner.as_ref().map(|(unit, node)| (None, unit.span(*node))).or(found);
                    literal = inner;
                }
                _ => break,
            }
            let Ok(next) = self.at(&here, std::slice::from_ref(step)) else { break };
            here = next;
        }
        found
    }

    /// Forces a value with all its parts: `std.deep_seq`. A field that is declared but not defined is an error, as in
    /// an export.
    pub fn force_deep(&mut self, thunk: &Thunk) -> Result<(), Fault> {
        // Data may be infinite (`{x = {y = x}}`), so the depth is limited as for evaluation.
        let mut work: Vec<(Thunk, Option<FieldRef>, u32)> = vec![(thunk.clone(), None, 0)];
        while let Some((next, place, depth)) = work.pop() {
            self.tick()?;
            if depth > self.limits.depth {
                return Err(self.too_deep(self.limits.depth));
            }
            let inside = depth + 1;
            match self.force_in(&next, place.as_ref())? {
                Value::Variant(_, argument) => work.push((argument, None, inside)),
                Value::Map(map) => work.extend(map.iter().map(|(_, value)| (value.clone(), None, inside))),
                Value::Array(array) => {
                    let path = place.map(|place| place.path());
                    let at = |index| path.clone().map(|path| FieldRef::Element(path, index));
                    let elements = self.items(&array)?.iter().enumerate().rev();
                    work.extend(elements.map(|(index, element)| (element.clone(), at(index), inside)))
                }
                Value::Record(record) => {
                    for field in self.fields(&record)?.into_iter().rev() {
                        match record.index_of(&field.name).and_then(|i| self.field_thunk(&record, i)) {
                            Some(value) => {
                                work.push((value, Some(FieldRef::Field(record.clone(), field.name)), inside))
                            }
                            None => return Err(self.missing_field(&record, &field.name, None)),
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Fails for a field whose value contains itself, because its only definition is an alias inside of its own anchor, or an array
    /// with one. O(1) if there are no such aliases.
    fn ends(&mut self, place: &FieldRef) -> Result<(), Fault> {
        let FieldRef::Field(record, name) = place else { return Ok(()) };
        if !self.self_aliases {
            return Ok(());
        }
        let Some(index) = record.index_of(name) else { return Ok(()) };
        let live = self.active_definitions(record, index)?;
        let mut defined = live.iter().filter(|(_, definition)| definition.is_defined());
        let (Some((_, only)), None) = (defined.next(), defined.next()) else { return Ok(()) };
        let Some((unit, node)) = only.literal_body() else { return Ok(()) };
        let (mut work, mut seen) = (vec![node], FxHashSet::default());
        while let Some(node) = work.pop() {
            match unit.node(node) {
                Node::Array(items) => work.extend(items.iter().copied()),
                Node::Variant(_, inner) => work.push(*inner),
                Node::Local { slot, .. } => {
                    let (aliases, span) = (&unit.term.self_aliases, unit.span(node));
                    if let Ok(at) = aliases.binary_search_by_key(&span.start, |own| own.alias.start)
                        && let Some(SelfAlias { alias, anchor, name }) = aliases.get(at)
                    {
                        let (alias, anchor, name) = (*alias, *anchor, name.clone());
                        return Err(Fault::new(ValueKind::ContainsItself { alias, anchor, name }));
                    }
                    // an anchored array
                    if let Node::Let(anchors) = unit.node(unit.term.root)
                        && seen.insert(*slot)
                        && let Some(binding) = anchors.bindings.get(*slot as usize)
                        && matches!(unit.node(binding.body), Node::Array(_))
                    {
                        work.push(binding.body);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Forces a thunk that may be the value of a field. Faults report the path of the field from the outermost record,
    /// whoever forced it first.
    pub(super) fn force_in(&mut self, thunk: &Thunk, place: Option<&FieldRef>) -> Result<Value, Fault> {
        let Some(place) = place else { return self.force(thunk) };
        self.ends(place).map_err(|fault| fault.in_field(|| place.names()))?;
        let value = self.force(thunk).map_err(|fault| fault.in_field(|| place.names()))?;
        place.set_path(&value);
        Ok(value)
    }

    /// Forces a value deeply and converts it to plain data, within a budget. Faults appear in their place; after an
    /// interrupt or a limit nothing more is forced.
    pub fn datum(&mut self, thunk: &Thunk, budget: Budget) -> Datum {
        let mut left = Left::of(budget);
        let depth = budget.depth;
        self.datum_in(thunk, None, &mut left, depth, Extent::All)
    }

    /// Converts a value to plain data for an export: hidden fields are not forced, and become [`Datum::Unforced`].
    pub fn exported(&mut self, thunk: &Thunk) -> Datum {
        let mut left = Left::of(Budget::ALL);
        let depth = Budget::ALL.depth;
        self.datum_in(thunk, None, &mut left, depth, Extent::Exported)
    }

    /// Converts a value to plain data like [`Self::exported`] if it has at most `most` elements and fields and no limit is reached;
    /// `None` otherwise. As an error: the data up to the first fault. Nothing is forced after it, because the next part may not end.
    pub fn exported_within(&mut self, thunk: &Thunk, as_defined: bool, most: usize) -> Option<Result<Datum, Datum>> {
        let mut left = Left { elements: most, faults: 1, ..Left::of(Budget::ALL) };
        let extent = if as_defined { Extent::AsDefined } else { Extent::Exported };
        let datum = self.datum_in(thunk, None, &mut left, Budget::ALL.depth, extent);
        match (left.elements, left.faults) {
            (_, 0) => Some(Err(datum)),
            (0, _) => None,
            _ => Some(Ok(datum)),
        }
    }

    /// Converts a value to plain data like [`Self::exported`], with fields in the order in which they were first defined.
    pub fn exported_as_defined(&mut self, thunk: &Thunk) -> Datum {
        let mut left = Left::of(Budget::ALL);
        let depth = Budget::ALL.depth;
        self.datum_in(thunk, None, &mut left, depth, Extent::AsDefined)
    }

    /// Converts a value to plain data without forcing anything; unforced parts become [`Datum::Unforced`].
    pub fn datum_without_forcing(&mut self, thunk: &Thunk, budget: Budget) -> Datum {
        let mut left = Left::of(budget);
        let depth = budget.depth;
        self.datum_in(thunk, None, &mut left, depth, Extent::Known)
    }

    /// `place` is the field or the element whose value this is.
    fn datum_in(
        &mut self,
        thunk: &Thunk,
        place: Option<FieldRef>,
        left: &mut Left,
        depth: usize,
        extent: Extent,
    ) -> Datum {
        if extent == Extent::Known && !thunk.is_forced() {
            return Datum::Unforced;
        }
        if left.elements == 0 {
            return Datum::Elided(None);
        }
        left.elements = left.elements.saturating_sub(1);
        // One level of data costs one level of depth, so deep data reaches the same limit.
        match self.deeper(|machine| {
            machine.tick()?;
            machine.expect(size_of::<Entry>())?;
            // a preview ends by itself
            if let Some(place) = place.as_ref().filter(|_| depth > usize::MAX / 2) {
                machine.ends(place)?;
            }
            let value = machine.force(thunk)?;
            // Must come before any part is forced, because a fault keeps the first path it gets.
            if let Some(place) = &place {
                place.set_path(&value);
            }
            let datum = machine.datum_of(&value, place.as_ref(), left, depth, extent);
            Ok(if thunk.secret().is_some() { secret(datum) } else { datum })
        }) {
            Ok(datum) => datum,
            Err(fault) => {
                left.count(&fault);
                match self.preview.is_cut_off() {
                    true => Datum::Unforced,
                    false => {
                        let datum = Datum::Fault(Box::new(fault.problem().clone()));
                        place.map_or(datum.clone(), |place| in_field(datum, || place.names()))
                    }
                }
            }
        }
    }

    fn datum_of(
        &mut self,
        value: &Value,
        place: Option<&FieldRef>,
        left: &mut Left,
        depth: usize,
        extent: Extent,
    ) -> Datum {
        let (Value::Record(record), Extent::Exported | Extent::AsDefined) = (value, extent) else {
            return self.datum_inside(value, place, left, depth, extent);
        };
        if left.around.as_ref().is_some_and(|around| around.same(record)) {
            let path = place.map(FieldRef::names).unwrap_or_default();
            let fault = Fault::undefined(contains_itself(&path), None);
            left.count(&fault);
            return Datum::Fault(Box::new(fault.problem().clone()));
        }
        let level = Budget::ALL.depth - depth;
        if level != 0 && !level.is_power_of_two() {
            return self.datum_inside(value, place, left, depth, extent);
        }
        let around = left.around.replace(record.clone());
        let datum = self.datum_inside(value, place, left, depth, extent);
        left.around = around;
        datum
    }

    fn datum_inside(
        &mut self,
        value: &Value,
        place: Option<&FieldRef>,
        left: &mut Left,
        depth: usize,
        extent: Extent,
    ) -> Datum {
        match value {
            Value::Null => Datum::Null,
            Value::Map(map) if depth == 0 && !map.is_empty() => Datum::Elided(Some(map.len())),
            Value::Map(map) => {
                let mut out = Vec::with_capacity(map.len().min(left.elements));
                for (key, value) in map.iter() {
                    if left.elements == 0 {
                        break;
                    }
                    let key = self.datum_of(key, None, left, depth - 1, extent);
                    out.push((key, self.datum_in(value, None, left, depth - 1, extent)));
                }
                Datum::Map(out)
            }
            Value::Bool(b) => Datum::Bool(*b),
            Value::Number(n) => Datum::Number(n.clone()),
            Value::String(s) if s.len() <= left.text => {
                left.text -= s.len();
                Datum::String(s.name())
            }
            Value::String(s) => {
                let cut: String = s.chars().take(left.text / 4).chain(['…']).collect();
                left.text = 0;
                Datum::String(Name::from(cut))
            }
            Value::Tag(tag) => Datum::Tag(tag.clone()),
            Value::Variant(tag, _) if depth == 0 => Datum::Variant(tag.clone(), Box::new(Datum::Elided(None))),
            Value::Variant(tag, argument) => {
                Datum::Variant(tag.clone(), Box::new(self.datum_in(argument, None, left, depth - 1, extent)))
            }
            Value::Array(array) if depth == 0 && !array.is_empty() => Datum::Elided(Some(array.len())),
            Value::Array(array) => {
                let mut out = Vec::with_capacity(array.len().min(left.elements));
                let path = place.map(FieldRef::path);
                // Element by element, because making a million elements at once would delay an interrupt too long.
                for (i, element) in (0..array.len()).filter_map(|i| Some((i, array.at(i)?))) {
                    if left.elements == 0 {
                        out.push(Datum::Elided(Some(array.len() - i)));
                        break;
                    }
                    let place = path.clone().map(|path| FieldRef::Element(path, i));
                    out.push(self.datum_in(&element, place, left, depth - 1, extent));
                }
                Datum::Array(out)
            }
            Value::Record(record) => {
                let found = match extent {
                    Extent::AsDefined => self.fields_as_defined(record).map(|mut fields| {
                        fields.retain(|f| f.value.is_some() || !f.optional);
                        fields
                    }),
                    _ => self.fields(record),
                };
                let fields = match found {
                    Ok(fields) => fields,
                    Err(fault) => {
                        left.count(&fault);
                        return Datum::Fault(Box::new(fault.problem().clone()));
                    }
                };
                if depth == 0 && !fields.is_empty() {
                    return Datum::Elided(Some(fields.len()));
                }
                let mut out = Vec::with_capacity(fields.len().min(left.elements));
                let count = fields.len();
                for (i, field) in fields.into_iter().enumerate() {
                    if left.elements == 0 {
                        out.push(Entry {
                            name: Name::new_static("…"),
                            value: Some(Datum::Elided(Some(count - i))),
                            priority: Default::default(),
                            not_exported: false,
                            optional: false,
                            contracts: Vec::new(),
                            doc: None,
                        });
                        break;
                    }
                    let is_export = matches!(extent, Extent::Exported | Extent::AsDefined);
                    let is_left_out = is_export && field.not_exported;
                    let mut contracts = Vec::new();
                    if field.value.is_none()
                        && !is_left_out
                        && let Ok(Some(found)) = self.metadata(record, &field.name)
                    {
                        contracts = found.contracts;
                        contracts.extend(found.types);
                    }
                    if is_export && !is_left_out && field.value.is_none() && !field.optional {
                        left.count_other();
                    }
                    let value = field.value.map(|thunk| {
                        if is_left_out {
                            return Datum::Unforced;
                        }
                        let place = Some(FieldRef::Field(record.clone(), field.name.clone()));
                        let datum = self.datum_in(&thunk, place, left, depth - 1, extent);
                        let datum = if field.secret { secret(datum) } else { datum };
                        in_field(datum, || record.path_to(&field.name))
                    });
                    let mut priority = field.priority;
                    if field.pushed
                        && let Some(index) = record.index_of(&field.name)
                        && let Ok(Some(now)) = self.field_info(record, index)
                    {
                        priority = now.priority;
                    }
                    out.push(Entry {
                        name: field.name,
                        value,
                        priority,
                        not_exported: field.not_exported,
                        optional: field.optional,
                        contracts,
                        doc: field.doc,
                    });
                }
                Datum::Record(out)
            }
            Value::Function(closure) if closure.args.is_empty() => {
                Datum::Function(Some(Written::Source(closure.unit.span(closure.node))))
            }
            Value::Native(partial) if partial.args.is_empty() => {
                Datum::Function(Some(Written::Name(partial.native.name)))
            }
            Value::Guarded(guarded) => self.datum_of(&guarded.function, place, left, depth, extent),
            Value::Function(_) | Value::Native(_) => Datum::Function(None),
            Value::Contract(contract) => Datum::Contract(match &**contract {
                super::Contract::Form(unit, node, _, _) => {
                    Some(super::contract::describe::describe(&unit.term, *node)).filter(|name| !name.is_empty())
                }
                _ => None,
            }),
            Value::Label(_) => Datum::Contract(Some(Name::new_static("<label>"))),
            Value::Sealed(sealed) => {
                let fault = self.inspected_sealed(sealed);
                Datum::Fault(Box::new(fault.problem().clone()))
            }
        }
    }
}

/// Returns the message about a step from a path to no element of the array there, which has `count` elements.
fn no_element(path: &[Step], step: &Step, count: usize) -> String {
    let asked = FieldPath { steps: vec![step.clone()] };
    let array = match path {
        [] => String::new(),
        _ => format!(" in `{}`", FieldPath { steps: path.to_vec() }),
    };
    let there = match count {
        0 => String::from("it is empty"),
        1 => String::from("it has 1 element, `[0]`"),
        _ => format!("it has {count} elements, `[0]` to `[{}]`", count - 1),
    };
    format!("no element `{asked}`{array}: {there}")
}

/// Sets the path of a fault in a datum, unless it has one.
fn in_field(mut datum: Datum, path: impl FnOnce() -> Vec<Name>) -> Datum {
    if let Datum::Fault(problem) = &mut datum
        && let crate::problem::ProblemKind::Value(inner) = &mut problem.kind
        && inner.path.is_empty()
        && !matches!(inner.what, ValueKind::Interrupted)
    {
        inner.path = path();
    }
    datum
}
