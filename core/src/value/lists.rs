//! The lists of several definitions combined by a rule: `--list`, `std.merge.list`.

use super::record::{DataField, Layers, Record};
use super::stack::LayerDefinition;
use super::{Array, Call, Fault, Machine, Thunk, Value};
use crate::meta::Push;
use crate::problem::value::ValueKind;
use crate::term::Number;
use crate::text::path::{KeyField, ListRule};
use crate::text::{Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// A change of an element: its index, its value, the place where it is written.
type Change = (usize, Thunk, Option<Span>);

/// Elements of which no two are equal.
#[derive(Default)]
struct Distinct {
    /// All of them, in order.
    all: Vec<Thunk>,
    scalars: FxHashSet<Scalar>,
    /// Those that are not scalars.
    others: Vec<Thunk>,
}

/// A value that is equal only to the same scalar.
#[derive(PartialEq, Eq, Hash)]
enum Scalar {
    Null,
    Bool(bool),
    Number(Number),
    Text(Name),
}

/// Returns the scalar that a value is. `None` for lists, records, tags and functions.
fn scalar_of(value: &Value) -> Option<Scalar> {
    Some(match value {
        Value::Null => Scalar::Null,
        Value::Bool(b) => Scalar::Bool(*b),
        Value::Number(number) => Scalar::Number(number.clone()),
        Value::String(text) => Scalar::Text(text.name()),
        _ => return None,
    })
}

/// A rule, with what its application needs.
pub struct ListMerge<'a> {
    /// The rule.
    pub rule: &'a ListRule,
    /// The merge functions of the fields of elements.
    pub elements: Option<&'a Record>,
    /// Whether both definitions have the same priority.
    pub same: bool,
    /// The call of the merge function.
    pub call: &'a Call,
}

impl ListMerge<'_> {
    /// Combines two definitions. A record whose names are all indices (`[0]`) changes single elements.
    pub fn combine(&self, machine: &mut Machine, lower: &Thunk, higher: &Thunk) -> Result<Value, Fault> {
        let (low, high) = (machine.force(lower)?, machine.force(higher)?);
        if let Value::Record(record) = &high
            && let Some(changes) = changes(machine, record)?
        {
            return match &low {
                Value::Array(array) => self.changed(machine, (array, machine.place(lower)), changes),
                Value::Record(low) => Ok(Value::Record(low.with_fields(record, changes))),
                _ => self.changed(machine, (&Array::from(Vec::new()), None), changes),
            };
        }
        let (Value::Array(a), Value::Array(b)) = (&low, &high) else {
            let records = matches!((&low, &high), (Value::Record(_), Value::Record(_)));
            return if self.same || records { machine.merge(lower, higher, self.call) } else { Ok(high) };
        };
        match self.rule {
            ListRule::Replace if self.same => machine.merge(lower, higher, self.call),
            ListRule::Replace => Ok(high),
            ListRule::Append => Ok(Value::Array(a.concat(b))),
            ListRule::Unique => {
                let mut distinct = Distinct::default();
                for array in [a, b] {
                    for element in machine.items(array)? {
                        self.add(machine, &mut distinct, element)?;
                    }
                }
                Ok(Value::array(distinct.all))
            }
            ListRule::Key(keys) => self.by_key(machine, a, b, keys),
        }
    }

    /// Adds an element unless an earlier one is equal. O(1) for a scalar; others are compared with each other.
    fn add(&self, machine: &mut Machine, distinct: &mut Distinct, element: &Thunk) -> Result<(), Fault> {
        machine.tick()?;
        let is_new = match scalar_of(&machine.force(element)?) {
            Some(scalar) => distinct.scalars.insert(scalar),
            None if self.contains(machine, &distinct.others, element)? => false,
            None => {
                distinct.others.push(element.clone());
                true
            }
        };
        if is_new {
            distinct.all.push(element.clone());
        }
        Ok(())
    }

    fn contains(&self, machine: &mut Machine, all: &[Thunk], element: &Thunk) -> Result<bool, Fault> {
        for other in all {
            machine.tick()?;
            if other.same(element) || machine.equal(other, element, self.call)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Merges elements with equal keys; the others keep their order, those of `b` after those of `a`. O(elements).
    fn by_key(&self, machine: &mut Machine, a: &Array, b: &Array, keys: &[KeyField]) -> Result<Value, Fault> {
        let mut out: Vec<Thunk> = machine.items(a)?.to_vec();
        let mut known: FxHashMap<String, usize> = FxHashMap::default();
        for (at, element) in machine.items(a)?.iter().enumerate() {
            machine.tick()?;
            if let Some(key) = key_of(machine, element, keys)? {
                known.entry(key).or_insert(at);
            }
        }
        for element in machine.items(b)? {
            machine.tick()?;
            let key = key_of(machine, element, keys)?;
            match key.as_ref().and_then(|key| known.get(key)).and_then(|at| out.get_mut(*at)) {
                Some(lower) => *lower = self.merged(machine, lower, element)?,
                None => {
                    if let Some(key) = key {
                        known.insert(key, out.len());
                    } else if self.contains(machine, &out, element)? {
                        continue;
                    }
                    out.push(element.clone());
                }
            }
        }
        Ok(Value::array(out))
    }

    /// Merges a change into an element.
    fn element(&self, machine: &mut Machine, lower: &Thunk, change: &Thunk) -> Result<Thunk, Fault> {
        let change = self.with_lists(machine, change, Some(lower))?;
        self.merged(machine, lower, &change)
    }

    /// Merges two elements: records field by field, as definitions of the same field.
    fn merged(&self, machine: &mut Machine, lower: &Thunk, higher: &Thunk) -> Result<Thunk, Fault> {
        let value = match (machine.force(lower)?, machine.force(higher)?) {
            (Value::Record(low), Value::Record(high)) => {
                // the elements of layers know their layers
                let ranked = self.same || matches!(high.0.layers, Layers::Push(_, Push::Layer(_)));
                let low = if ranked { low } else { low.push(Push::Default) };
                let parts = [low, high].into_iter().chain(self.elements.cloned()).collect();
                Value::Record(Record::merge(parts, None, None))
            }
            (Value::Array(_), Value::Record(high)) if changes(machine, &high)?.is_some() => {
                let inner = ListMerge { rule: &ListRule::Replace, elements: None, ..*self };
                machine.deeper(|machine| inner.combine(machine, lower, higher))?
            }
            _ => return Ok(higher.clone()),
        };
        Ok(Thunk::done(value))
    }

    /// Returns a change in which the records whose names are all indices are lists, where there is no list below that they
    /// change: `{ b = { "[0]" = 1 } }` over an element without `b` is `{ b = [1] }`.
    fn with_lists(&self, machine: &mut Machine, value: &Thunk, below: Option<&Thunk>) -> Result<Thunk, Fault> {
        let Value::Record(record) = machine.force(value)? else { return Ok(value.clone()) };
        let below = match below {
            Some(below) => Some(machine.force(below)?),
            None => None,
        };
        if let Some(changes) = changes(machine, &record)? {
            if let Some(Value::Array(_) | Value::Record(_)) = below {
                return Ok(value.clone());
            }
            let list = machine.deeper(|machine| self.changed(machine, (&Array::from(Vec::new()), None), changes))?;
            return Ok(Thunk::done(list));
        }
        let mut changed = false;
        let mut fields = Vec::new();
        for mut field in machine.all_fields(&record)? {
            machine.tick()?;
            if let Some(value) = &mut field.value {
                let lower = match &below {
                    Some(Value::Record(below)) => machine.field(below, &field.name)?,
                    _ => None,
                };
                let inner = machine.deeper(|machine| self.with_lists(machine, value, lower.as_ref()))?;
                changed |= !inner.same(value);
                *value = inner;
            }
            fields.push(DataField { span: record.defined_at(&field.name), ..DataField::of(field, &record) });
        }
        if !changed {
            return Ok(value.clone());
        }
        let rebuilt = Record::data(fields, true);
        Ok(Thunk::done(Value::Record(match &record.0.layers {
            Layers::Push(_, push) => rebuilt.push(*push),
            _ => rebuilt,
        })))
    }

    /// Changes single elements. The index after the last one appends an element.
    fn changed(
        &self,
        machine: &mut Machine,
        (array, list): (&Array, Option<Span>),
        changes: Vec<Change>,
    ) -> Result<Value, Fault> {
        let mut out: Vec<Thunk> = machine.items(array)?.to_vec();
        for (index, value, span) in changes {
            let count = out.len();
            match out.get_mut(index) {
                Some(lower) => *lower = self.element(machine, lower, &value)?,
                None if index == count => out.push(self.with_lists(machine, &value, None)?),
                None => {
                    let span = span.or(machine.place(&value)).or(self.call.span);
                    return Err(Fault::new(ValueKind::NoElement { index, count, list, span }));
                }
            }
        }
        Ok(Value::array(out))
    }
}

impl Record {
    /// Returns `true` if all names are indices (`[0]`), so that the record changes single elements of a list.
    pub fn changes_elements(&self) -> bool {
        let fields = &self.table().shape.fields;
        !fields.is_empty() && fields.keys().all(|name| index(name).is_some())
    }

    /// Returns the names of the fields in the order of the definitions.
    pub fn names_as_defined(&self) -> Vec<Name> {
        self.table().shape.fields.keys().cloned().collect()
    }

    /// Returns the span of the last definition of a field that has a value.
    pub fn defined_at(&self, name: &str) -> Option<Span> {
        let slot = self.table().shape.fields.get(name)?;
        slot.defs().filter_map(|def| self.definition(def).body_span()).last()
    }

    /// Returns the place of the name in the last definition of a field that has a value.
    pub fn named_at(&self, name: &str) -> Option<Span> {
        let slot = self.table().shape.fields.get(name)?;
        let place = |def| match self.definition(def) {
            LayerDefinition::Written { field, .. } => field.body.map(|_| field.name_span),
            LayerDefinition::Made(_) | LayerDefinition::Nothing => None,
        };
        slot.defs().filter_map(place).last()
    }

    /// Returns the place of the name in the last definition of a field that has a value, or in the first one without a value.
    pub fn declared_at(&self, name: &str) -> Option<Span> {
        let slot = self.table().shape.fields.get(name)?;
        let place = |def| match self.definition(def) {
            LayerDefinition::Written { field, .. } => Some(field.name_span),
            LayerDefinition::Made(_) | LayerDefinition::Nothing => None,
        };
        self.named_at(name).or_else(|| slot.defs().find_map(place))
    }

    /// Returns `true` if a definition of the field has a merge function.
    pub fn has_merge_function(&self, name: &str) -> bool {
        let shape = &self.table().shape;
        let has = |def| match self.definition(def) {
            LayerDefinition::Written { field, .. } => field.meta.merge.is_some(),
            LayerDefinition::Made(_) | LayerDefinition::Nothing => false,
        };
        shape.merges && shape.fields.get(name).is_some_and(|slot| slot.defs().any(has))
    }

    /// Merges a record of changes whose names are indices, as fields of this record.
    fn with_fields(&self, changes: &Record, fields: Vec<Change>) -> Record {
        let named = Record::from_fields(fields.into_iter().map(|(i, value, _)| (Name::from(i.to_string()), value)));
        let named = match &changes.0.layers {
            Layers::Push(_, push) => named.push(*push),
            _ => named,
        };
        Record::merge(vec![self.clone(), named], None, None)
    }
}

/// Parses the name of a field that stands for an element: `[0]`.
fn index(name: &str) -> Option<usize> {
    name.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// Returns the changes that a record makes to a list, by index, if all its names are indices: `[0]`.
fn changes(machine: &mut Machine, record: &Record) -> Result<Option<Vec<Change>>, Fault> {
    if !record.changes_elements() {
        return Ok(None);
    }
    let fields = machine.fields(record)?;
    let mut out = Vec::with_capacity(fields.len());
    for field in fields {
        match (index(&field.name), field.value) {
            (Some(index), Some(value)) => out.push((index, value, record.defined_at(&field.name))),
            _ => return Ok(None),
        }
    }
    out.sort_by_key(|(index, ..)| *index);
    Ok((!out.is_empty()).then_some(out))
}

/// Returns the key of an element, as a text that is equal for equal keys. `None` if it is not a record or has no first
/// key field.
pub fn key_of(machine: &mut Machine, element: &Thunk, keys: &[KeyField]) -> Result<Option<String>, Fault> {
    let Value::Record(record) = machine.force(element)? else { return Ok(None) };
    let mut out = String::new();
    for (at, key) in keys.iter().enumerate() {
        let value = match machine.field(&record, &key.name)? {
            Some(value) => Some(machine.force(&value)?),
            None => key.default.clone().map(Value::string),
        };
        let text = match value {
            Some(Value::String(text)) => format!("s{}", text.as_str()),
            Some(Value::Number(number)) => format!("n{number}"),
            Some(Value::Bool(b)) => format!("b{b}"),
            Some(Value::Tag(tag)) => format!("t{tag}"),
            Some(_) | None if at == 0 => return Ok(None),
            _ => String::from("-"),
        };
        out.push_str(&format!("{}:{text}", text.len()));
    }
    Ok(Some(out))
}

/// Returns a list of a layer whose records belong to that layer.
pub(super) fn raised(machine: &mut Machine, array: &Array, push: Push) -> Result<Array, Fault> {
    let raise = |element: &Thunk| {
        Thunk::holding(element.clone(), move |machine, element| {
            Ok(match machine.force(element)? {
                Value::Record(record) => Value::Record(record.push(push)),
                other => other,
            })
        })
    };
    Ok(Array::from(machine.items(array)?.iter().map(raise).collect::<Vec<_>>()))
}
