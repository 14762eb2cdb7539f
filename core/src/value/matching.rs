//! Patterns: matching a value and binding slots.

use super::contract::Applied;
use super::env::{Env, Unit};
use super::{Fault, Machine, Record, Thunk, Value};
use crate::problem::value::{PatternFields, ValueKind};
use crate::term::{FieldPat, Node, PatId, PatKind, Rest, Term};
use crate::text::{Name, Span};
use std::rc::Rc;

/// Returns the slots that a pattern binds.
pub(super) fn binders(term: &Term, pat: PatId) -> Vec<u32> {
    let mut slots = Vec::new();
    let mut work = vec![pat];
    while let Some(id) = work.pop() {
        match &term.pat(id).kind {
            PatKind::Any | PatKind::Const(_) | PatKind::Tag(_) => {}
            PatKind::Bind(slot) => slots.push(*slot),
            PatKind::As(slot, inner) => {
                slots.push(*slot);
                work.push(*inner);
            }
            PatKind::Variant(_, inner) => work.push(*inner),
            PatKind::Record(fields, rest) => {
                work.extend(fields.iter().map(|f| f.pat));
                slots.extend(rest.slot());
            }
            PatKind::Array(items, rest) => {
                work.extend(items);
                slots.extend(rest.slot());
            }
            PatKind::Or(items) => work.extend(items),
        }
    }
    slots
}

impl Rest {
    fn slot(&self) -> Option<u32> {
        match self {
            Rest::Bind(slot) => Some(*slot),
            _ => None,
        }
    }
}

fn set(slots: &mut [Option<Thunk>], slot: u32, value: Thunk) {
    if let Some(place) = slots.get_mut(slot as usize) {
        *place = Some(value);
    }
}

impl Machine {
    /// Matches a pattern that must match, and fails otherwise.
    pub(super) fn must_match(
        &mut self,
        unit: &Rc<Unit>,
        pat: PatId,
        value: &Thunk,
        env: &Env,
        slots: &mut [Option<Thunk>],
    ) -> Result<(), Fault> {
        let is_record = matches!(unit.term.pat(pat).kind, PatKind::Record(..));
        let mut place = if is_record { self.place(value) } else { None };
        if self.matches(unit, pat, value, env, slots)? {
            return Ok(());
        }
        if let Some(Value::Sealed(sealed)) = value.computed() {
            return Err(self.inspected_sealed(&sealed));
        }
        let fields = Box::new(self.other_fields(unit, pat, value).unwrap_or_default());
        if let (Some(first), Ok(Value::Record(record))) = (fields.further.first(), self.force(value)) {
            place = self.name_span_of(&record, first).or(place);
        }
        let value = Box::new(self.preview(value));
        Err(Fault::new(ValueKind::NoMatch { span: unit.term.pat(pat).span, value, fields: Some(fields), place }))
    }

    /// Returns the place of the name of a field, in its first definition that is active.
    pub(super) fn name_span_of(&mut self, record: &Record, name: &Name) -> Option<Span> {
        let index = record.index_of(name)?;
        let live = self.active_definitions(record, index).ok()?;
        live.iter().find_map(|(_, definition)| definition.name_span())
    }

    /// Returns the fields in which a record differs from a pattern for records.
    fn other_fields(&mut self, unit: &Rc<Unit>, pat: PatId, value: &Thunk) -> Option<PatternFields> {
        let PatKind::Record(fields, rest) = &unit.term.pat(pat).kind else { return None };
        let Value::Record(record) = self.force(value).ok()? else { return None };
        let own = self.fields(&record).ok()?;
        let wanted: Vec<Name> = fields.iter().map(|field| field.name.clone()).collect();
        let lacks = |field: &&FieldPat| field.default.is_none() && !own.iter().any(|f| f.name == field.name);
        let missing = fields.iter().filter(lacks).map(|field| field.name.clone()).collect();
        let further =
            own.iter().map(|field| &field.name).filter(|name| *rest == Rest::Closed && !wanted.contains(name));
        Some(PatternFields { further: further.cloned().collect(), missing, wanted })
    }

    /// Matches a value against a pattern, and fills the slots of the frame `env` until the first mismatch. Forces the
    /// parts of the value that the pattern inspects.
    pub(super) fn matches(
        &mut self,
        unit: &Rc<Unit>,
        pat: PatId,
        value: &Thunk,
        env: &Env,
        slots: &mut [Option<Thunk>],
    ) -> Result<bool, Fault> {
        match &unit.term.pat(pat).kind {
            PatKind::Any => Ok(true),
            PatKind::Bind(slot) => {
                set(slots, *slot, value.clone());
                Ok(true)
            }
            PatKind::As(slot, inner) => {
                set(slots, *slot, value.clone());
                self.deeper(|m| m.matches(unit, *inner, value, env, slots))
            }
            PatKind::Const(node) => {
                let forced = self.force(value)?;
                Ok(match (unit.node(*node), &forced) {
                    (Node::Null, Value::Null) => true,
                    (Node::Bool(a), Value::Bool(b)) => a == b,
                    (Node::Number(a), Value::Number(b)) => a == b,
                    (Node::Str(a), Value::String(b)) => a.as_str() == b.as_str(),
                    _ => false,
                })
            }
            PatKind::Tag(tag) => Ok(matches!(self.force(value)?, Value::Tag(t) if t == *tag)),
            PatKind::Variant(tag, inner) => match self.force(value)? {
                Value::Variant(t, argument) if t == *tag => {
                    self.deeper(|m| m.matches(unit, *inner, &argument, env, slots))
                }
                _ => Ok(false),
            },
            PatKind::Or(alternatives) => {
                for alternative in alternatives {
                    if self.deeper(|m| m.matches(unit, *alternative, value, env, slots))? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            PatKind::Array(items, rest) => match self.force(value)? {
                Value::Array(array) => {
                    let enough = match rest {
                        Rest::Closed => array.len() == items.len(),
                        Rest::Open | Rest::Bind(_) => array.len() >= items.len(),
                    };
                    if !enough {
                        return Ok(false);
                    }
                    for (item, element) in items.iter().zip(self.items(&array)?.iter()) {
                        if !self.deeper(|m| m.matches(unit, *item, element, env, slots))? {
                            return Ok(false);
                        }
                    }
                    if let Rest::Bind(slot) = rest {
                        let tail = array.slice(items.len()..array.len());
                        set(slots, *slot, Thunk::done(Value::Array(tail)));
                    }
                    Ok(true)
                }
                _ => Ok(false),
            },
            PatKind::Record(fields, rest) => match self.force(value)? {
                Value::Record(record) => self.match_record(unit, fields, *rest, &record, env, slots),
                _ => Ok(false),
            },
        }
    }

    fn match_record(
        &mut self,
        unit: &Rc<Unit>,
        fields: &[FieldPat],
        rest: Rest,
        record: &Record,
        env: &Env,
        slots: &mut [Option<Thunk>],
    ) -> Result<bool, Fault> {
        let mut known = Vec::with_capacity(fields.len());
        for field in fields {
            // A declared field without a value takes the default.
            let info = match record.index_of(&field.name) {
                Some(index) => self.field_info(record, index)?,
                None => None,
            };
            let found = info.and_then(|i| i.value);
            let value = match (found, field.default) {
                (Some(value), _) => value,
                (None, Some(default)) => Thunk::of_node(unit, default, env),
                (None, None) => return Ok(false),
            };
            // a type in a pattern is a contract, since nothing checks the value that it takes apart
            let value = field.annots.iter().fold(value, |value, annot| {
                let place = Some(field.span);
                let applied = Rc::new(Applied::new(unit.clone(), annot.ty, env.clone(), None));
                Thunk::holding((applied, value), move |m, (applied, value)| {
                    m.apply_all(std::slice::from_ref(applied), value, place, None, None)
                })
            });
            known.push(&field.name);
            if !self.deeper(|m| m.matches(unit, field.pat, &value, env, slots))? {
                return Ok(false);
            }
        }
        match rest {
            Rest::Open => Ok(true),
            Rest::Closed => {
                let all = self.fields(record)?;
                Ok(all.iter().all(|f| known.contains(&&f.name)))
            }
            Rest::Bind(slot) => {
                let others = self.all_fields(record)?.into_iter().filter(|f| !known.contains(&&f.name));
                let others = Record::from_data(others.map(Into::into));
                set(slots, slot, Thunk::done(Value::Record(others)));
                Ok(true)
            }
        }
    }
}
