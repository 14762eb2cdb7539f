//! Reads of fields of final records, and of `super`.

use crate::problem::value::{ValueKind, ValueOrigin};
use crate::problem::{Problem, ProblemKind};
use crate::term::{NodeId, SuperRead};
use crate::text::{Name, Span};
use crate::value::env::{Env, Unit};
use crate::value::eval::objects::kind;
use crate::value::record::Record;
use crate::value::{Fault, Machine, Thunk, Value};
use std::rc::Rc;

/// The message of a read of `super` where nothing is below.
const NO_SUPER: &str = "attempt to use super when there is no super class.";

/// Returns `true` if a problem is a read of `super` where nothing is below. A definition that is evaluated without those below
/// it has such problems, which its object does not have.
pub fn lacks_super(problem: &Problem) -> bool {
    matches!(&problem.kind, ProblemKind::Value(met) if matches!(&met.what, ValueKind::Undefined { message, .. } if message == NO_SUPER))
}

impl Machine {
    /// Returns the value of a field by name, unforced. The caller has checked the asserts.
    pub(in crate::value) fn field_named(&mut self, record: &Record, name: &str) -> Option<Thunk> {
        if record.is_chain() {
            let found = record.find(name, u32::MAX)?;
            return Some(self.layer_value(record, name, &found));
        }
        let index = record.index_of(name)?;
        if !record.table().removed().is_empty() && !matches!(self.field_info(record, index), Ok(Some(_))) {
            return None;
        }
        self.field_as_is(record, index)
    }

    /// Returns the value of a field from the layers below `leaf`, unforced; `None` if they do not define it.
    pub(in crate::value) fn below(&mut self, record: &Record, leaf: u32, name: &str) -> Option<Thunk> {
        if record.is_chain() {
            let found = record.find(name, leaf)?;
            return Some(self.layer_value(record, name, &found));
        }
        self.mixed_below(record, leaf, name)
    }

    /// Evaluates `super.x`, `super[e]` and `e in super`.
    #[inline(never)]
    pub(in crate::value) fn read_super(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        up: u32,
        read: &SuperRead,
        env: &Env,
    ) -> Result<Value, Fault> {
        let Some((record, leaf)) = env.layer(up) else { return Err(self.unbound_slot(unit, node)) };
        let span = unit.span(node);
        let name = match read {
            SuperRead::Field(name) => name.clone(),
            SuperRead::Index(e) | SuperRead::Has(e) => match self.eval(unit, *e, env)? {
                Value::String(name) => name.name(),
                other => {
                    let found = kind(&other);
                    let words = match read {
                        SuperRead::Has(_) => format!("left hand side of e in super must be string, got {found}."),
                        _ if !record.has_below(leaf) => return Err(self.no_super(&record, leaf, None, span)),
                        _ => format!("super index must be string, got {found}."),
                    };
                    return Err(self.operand_type_fault(&other, "string", words, span, Some(unit.span(*e))));
                }
            },
        };
        let below = self.below(&record, leaf, &name);
        if matches!(read, SuperRead::Has(_)) {
            return Ok(Value::Bool(below.is_some()));
        }
        match below {
            Some(thunk) => self.force_field(&thunk),
            None if record.has_below(leaf) => Err(self.nothing_below(&record, leaf, &name, span)),
            None => Err(self.no_super(&record, leaf, Some(&name), span)),
        }
    }

    #[cold]
    fn no_super(&self, record: &Record, leaf: u32, name: Option<&Name>, span: Span) -> Fault {
        let message = Name::new_static(NO_SUPER);
        let note = match record.is_merged() {
            true => Name::new_static("an operand of `&` has nothing below it: `+` puts one object above another"),
            false => Name::new_static("there is no object to the left of this one: `+` puts one object above another"),
        };
        let own = name.and_then(|name| own_field(record, leaf, name, span));
        Fault::new(ValueKind::Undefined { message, span: Some(span), notes: vec![note] })
            .change(|problem| problem.origins.extend(own))
    }

    /// Returns the fault of reading a field with `super` that no layer below defines, with similar names.
    #[cold]
    fn nothing_below(&mut self, record: &Record, leaf: u32, name: &Name, span: Span) -> Fault {
        let table = record.table();
        let below = |fields: &crate::value::stack::Shape| {
            let names: Vec<Name> = fields
                .fields
                .iter()
                .filter(|(_, slot)| slot.last_below(leaf).is_some())
                .map(|(name, _)| name.clone())
                .collect();
            names
        };
        let names = below(&table.shape);
        let near = crate::text::near(name, names.iter().map(Name::as_str));
        let next = leaf.checked_sub(1).and_then(|below| record.leaf_record(below).span());
        let below = || near.is_empty().then(|| ValueOrigin::Below(name.clone()));
        let origin = own_field(record, leaf, name, span).or_else(below);
        Fault::new(ValueKind::MissingField {
            name: name.clone(),
            span: Some(span),
            record: next,
            near,
            known: Vec::new(),
        })
        .worded(format!("field does not exist: {name}"))
        .change(|problem| problem.origins.extend(origin))
    }
}

/// Returns the field of a name in the object that reads `super` at a place, if it has one.
#[cold]
fn own_field(record: &Record, leaf: u32, name: &Name, at: Span) -> Option<ValueOrigin> {
    let limit = if record.is_chain() { leaf.saturating_add(1) } else { u32::MAX };
    let found = record.layer_defined_at(name, limit).filter(|(own, ..)| *own == leaf || !record.is_chain());
    let (_, span, body) = found?;
    // the definition that reads `super` cannot read itself
    if body.is_none_or(|body| body.source == at.source && body.start <= at.start && at.end <= body.end) {
        return None;
    }
    Some(ValueOrigin::Own { name: name.clone(), span: Some(span) })
}
