//! Record literals.

use crate::term::{FieldDef, FieldName, Node, NodeId, RecordLit};
use crate::text::Name;
use crate::value::env::{Env, Unit};
use crate::value::stack::Shape;
use crate::value::{Fault, Machine, Record, Value};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

impl Machine {
    #[inline(never)]
    pub(super) fn record_literal(&mut self, unit: &Rc<Unit>, node: NodeId, env: &Env) -> Result<Value, Fault> {
        let known = unit.shapes.borrow().get(&node).cloned();
        if let Some(shape) = known.filter(|_| self.omitted.is_empty()) {
            return Ok(Value::Record(Record::literal(unit.clone(), node, env.clone(), shape)));
        }
        let Node::Record(lit) = unit.node(node) else { return Ok(Value::Null) };
        let computed = self.computed_names(unit, lit, env)?;
        let omitted = |(_, field): &(usize, &FieldDef)| {
            field.body.is_some_and(|body| self.omitted.iter().any(|span| *span == unit.span(body)))
        };
        let omitted: Vec<usize> = match self.omitted.is_empty() {
            true => Vec::new(),
            false => lit.fields.iter().enumerate().filter(omitted).map(|(number, _)| number).collect(),
        };
        if !omitted.is_empty() {
            let shape = Rc::new(Shape::without(lit, &computed, &omitted));
            return Ok(Value::Record(Record::literal(unit.clone(), node, env.clone(), shape)));
        }
        let shape = Machine::shape(unit, lit, &computed);
        if unit.rules.unique_fields
            && let Some(name) = shape.repeated()
        {
            return Err(self.fails(format!("duplicate field name: \"{name}\""), unit.span(node)));
        }
        if computed.is_empty() {
            unit.shapes.borrow_mut().insert(node, shape.clone());
        }
        Ok(Value::Record(Record::literal(unit.clone(), node, env.clone(), shape)))
    }

    /// Returns the shape of a literal. Data often has thousands of literals with the same names, so plain literals with
    /// the same names share a shape.
    fn shape(unit: &Unit, lit: &RecordLit, computed: &[Option<Name>]) -> Rc<Shape> {
        if !computed.is_empty() || lit.fields.is_empty() || !lit.asserts.is_empty() {
            return Rc::new(Shape::of_literal(lit, computed));
        }
        let mut hasher = FxHasher::default();
        for field in &lit.fields {
            if let FieldName::Static(name) = &field.name {
                name.hash(&mut hasher);
            }
        }
        let key = hasher.finish();
        if let Some(known) = unit.plain_shapes.borrow().get(&key).filter(|known| known.is_shape_of(lit)) {
            return known.clone();
        }
        let shape = Rc::new(Shape::of_literal(lit, computed));
        if shape.plain && !shape.merges {
            unit.plain_shapes.borrow_mut().insert(key, shape.clone());
        }
        shape
    }

    /// Evaluates the names of computed fields, in order. If the language allows it, a `null` name omits the field.
    fn computed_names(&mut self, unit: &Rc<Unit>, lit: &RecordLit, env: &Env) -> Result<Vec<Option<Name>>, Fault> {
        let mut computed = Vec::new();
        for field in &lit.fields {
            let FieldName::Computed(name) = field.name else { continue };
            match self.eval(unit, name, env)? {
                Value::String(s) => computed.push(Some(s.name())),
                Value::Null if unit.rules.null_omits_field => computed.push(None),
                other => {
                    let span = unit.span(name);
                    let fault = self.mismatch("String", &other, "a field's name", Some(span), None);
                    return Err(if unit.rules.uses_reference_wording() {
                        fault.worded("field name was not a string.")
                    } else {
                        fault
                    });
                }
            }
        }
        Ok(computed)
    }
}
