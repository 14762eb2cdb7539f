//! Deep access: paths into a value, the places of its parts, and forcing a value with all its parts.

use super::Step;
use super::record::Path;
use super::stack::{Def, LayerDefinition, combine};
use super::{Fault, Machine, Record, Thunk, Value};
use crate::meta::Priority;
use crate::problem::value::ValueKind;
use crate::term::{Node, NodeId, SelfAlias};
use crate::text::path::FieldPath;
use crate::text::{Name, Span};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The place of a value: a field of a record, or an element of an array with a path.
#[derive(Clone)]
pub(super) enum FieldRef {
    Field(Record, Name),
    Element(Rc<Path>, usize),
}

impl FieldRef {
    /// Sets the path of the value, if it is a record without a path.
    pub(super) fn set_path(&self, value: &Value) {
        let Value::Record(inner) = value else { return };
        match self {
            FieldRef::Field(record, name) => inner.set_path(record, name),
            FieldRef::Element(array, index) => inner.set_path_in_array(array, *index),
        }
    }

    /// Returns the path of the value. O(path).
    pub(super) fn names(&self) -> Vec<Name> {
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
                let defined = self.strongest(&live, &priority);
                found = defined.and_then(|d| d.body_span().or(d.name_span())).or(found);
            }
            here = self.at(&here, std::slice::from_ref(step)).ok()?;
        }
        match self.force(&here) {
            Ok(Value::Function(closure)) => Some(closure.unit.span(closure.node)),
            _ => found,
        }
    }

    /// Returns the first of some definitions that has a priority, with what the records around give it, or else the first one.
    fn strongest<'d, 'r>(
        &mut self,
        live: &'d [(Def, LayerDefinition<'r>)],
        priority: &Priority,
    ) -> Option<&'d LayerDefinition<'r>> {
        let has_it = |(def, definition): &&'d (Def, LayerDefinition<'r>)| {
            let (own, push) = match definition {
                LayerDefinition::Written { field, .. } => {
                    let push = field.meta.push.map(|push| combine(def.push, push)).or(def.push);
                    (&field.meta.priority.priority, push)
                }
                LayerDefinition::Made(field) => (&field.priority, def.push),
                LayerDefinition::Nothing => return false,
            };
            definition.body_span().is_some() && self.known_priority(definition, own, push) == *priority
        };
        live.iter().find(has_it).or(live.first()).map(|(_, definition)| definition)
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
                    let Some(defined) = self.strongest(&live, &info.priority) else { break };
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
    pub(super) fn ends(&mut self, place: &FieldRef) -> Result<(), Fault> {
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
