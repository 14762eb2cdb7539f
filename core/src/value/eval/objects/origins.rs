//! The origins of the values that an operation does not work on, for messages.

use crate::problem::value::{ValueKind, ValueOrigin};
use crate::term::{FieldName, Node, NodeId, Prim, RecordLit};
use crate::text::path::FieldPath;
use crate::text::{Name, Span};
use crate::value::env::{Env, Unit};
use crate::value::{Fault, Machine, Record, Value};
use std::rc::Rc;

/// Maximum number of objects around a missing field whose definitions below are searched for it.
const HOLDERS: usize = 8;
/// Maximum length of a string in a message, in bytes.
const SHOWN: usize = 40;

impl Machine {
    /// Adds the operands to the fault of a binary operator, with the kinds of their values and the definitions of the fields
    /// that they read.
    #[cold]
    pub(super) fn with_operands(
        &mut self,
        fault: Fault,
        unit: &Rc<Unit>,
        (node, op): (NodeId, Prim),
        operands: [(NodeId, &'static str); 2],
        env: &Env,
    ) -> Fault {
        let own = match fault.what() {
            Some(ValueKind::Undefined { span, .. }) => *span == Some(unit.span(node)),
            Some(ValueKind::Type { operation, .. }) => *operation == Some(unit.span(node)),
            _ => false,
        };
        // `text % values` fails in the library, because of the text or of one of the values
        let formats = matches!(op, Prim::Rem | Prim::Mod) && operands[0].1 == "string";
        if !own || formats || operands[0].1 == "number" && operands[1].1 == "number" {
            return fault;
        }
        let mut origins = Vec::new();
        for (operand, kind) in operands {
            let (span, kind, operator) = (unit.span(operand), Name::new_static(kind), op.symbol());
            origins.push(ValueOrigin::Operand { span, kind, operator });
        }
        for (operand, _) in operands {
            origins.extend(self.field_origin(unit, operand, env));
        }
        fault.change(|problem| problem.origins = origins)
    }

    /// Adds the definition of the value to the fault of reading a field `name` of the expression `of`. If the value is an object
    /// that hides another one with the field, or an object around it has the field, adds that.
    #[cold]
    pub(in crate::value::eval) fn with_object(
        &mut self,
        fault: Fault,
        unit: &Rc<Unit>,
        (node, of): (NodeId, NodeId),
        name: &Name,
        env: &Env,
    ) -> Fault {
        let span = Some(unit.span(node));
        let own = match fault.what() {
            Some(ValueKind::MissingField { span: at, name: missing, .. }) => *at == span && missing == name,
            Some(ValueKind::Undefined { span: at, .. }) => *at == span,
            Some(ValueKind::Type { operation, .. }) => *operation == span,
            _ => false,
        };
        let discarded = self.discards_missing == Some(self.running.len());
        if !own || discarded || !unit.rules.uses_reference_wording() {
            return fault;
        }
        let mut origins = Vec::new();
        if matches!(fault.what(), Some(ValueKind::MissingField { .. })) {
            origins.extend(self.hidden_object(unit, of, name, env));
            if origins.is_empty() && matches!(unit.node(of), Node::This { .. }) {
                origins.extend(outer_field(unit, node, name));
            }
        } else {
            origins.extend(self.field_origin(unit, of, env));
        }
        match origins.is_empty() {
            true => fault,
            false => fault.change(|problem| problem.origins = origins),
        }
    }

    /// Adds the part of a false condition that decides, and the values in it, to the fault of an assertion.
    #[cold]
    pub(in crate::value) fn with_condition(
        &mut self,
        fault: Fault,
        unit: &Rc<Unit>,
        condition: NodeId,
        env: &Env,
    ) -> Fault {
        let mut at = condition;
        while let Node::Prim(Prim::And, operands) = unit.node(at) {
            let [left, right] = &operands[..] else { break };
            at = match self.eval(unit, *left, env) {
                Ok(Value::Bool(false)) => *left,
                Ok(_) => *right,
                Err(_) => break,
            };
        }
        let parts: Vec<NodeId> = match unit.node(at) {
            Node::Prim(_, operands) => operands.to_vec(),
            Node::Apply(apply) => apply.args.iter().map(|(_, arg)| *arg).collect(),
            _ => vec![at],
        };
        let mut origins = vec![ValueOrigin::False(unit.span(at))];
        for part in parts {
            origins.extend(self.shown(unit, part, env).filter(|_| part != at));
            origins.extend(self.field_origin(unit, part, env));
        }
        fault.change(|problem| problem.origins = origins)
    }

    /// Adds the condition of an `assert` to the fault of its `error`. An `assert` in an expression is an `if` whose `error` has the
    /// place of the condition. O(term)
    #[cold]
    pub(super) fn with_failed_assert(&mut self, fault: Fault, unit: &Rc<Unit>, error: NodeId, env: &Env) -> Fault {
        let condition = unit.term.nodes.iter().find_map(|node| match node {
            Node::If(parts) if parts[2] == error && unit.span(parts[0]) == unit.span(error) => Some(parts[0]),
            _ => None,
        });
        match condition {
            Some(condition) if matches!(fault.what(), Some(ValueKind::Failed { .. })) => {
                self.with_condition(fault, unit, condition, env)
            }
            _ => fault,
        }
    }

    /// Adds the value of an operand to the fault of an operator.
    #[cold]
    pub(super) fn with_value(&mut self, fault: Fault, unit: &Rc<Unit>, operand: NodeId, env: &Env) -> Fault {
        let mut origins = Vec::new();
        origins.extend(self.shown(unit, operand, env));
        origins.extend(self.field_origin(unit, operand, env));
        fault.change(|problem| problem.origins = origins)
    }

    /// Returns the value of an expression that is no literal, if it is a number, a short string, a boolean or `null` and no secret.
    fn shown(&mut self, unit: &Rc<Unit>, node: NodeId, env: &Env) -> Option<ValueOrigin> {
        let evaluates_again = match unit.node(node) {
            Node::Local { .. } | Node::Project(..) | Node::Index(_) | Node::Prim(..) => true,
            // a function of a program may write to the output again
            Node::Apply(apply) => matches!(unit.node(apply.func), Node::Project(of, name)
                if name != "trace" && matches!(unit.node(*of), Node::Global(_))),
            _ => false,
        };
        if !evaluates_again {
            return None;
        }
        let secrets = self.secrets.count;
        let value = self.eval(unit, node, env).ok().filter(|_| self.secrets.count == secrets)?;
        let text = match &value {
            Value::Null | Value::Bool(_) | Value::Number(_) => self.text_of(&value).ok()?.as_str().to_string(),
            Value::String(text) if text.len() <= SHOWN => format!("{:?}", text.as_str()),
            _ => return None,
        };
        Some(ValueOrigin::Shown { span: unit.span(node), value: Name::from(text) })
    }

    /// Returns the object and the name of a field that an expression reads.
    fn field_read(&mut self, unit: &Rc<Unit>, node: NodeId, env: &Env) -> Option<(Record, Name)> {
        let Node::Project(of, name) = unit.node(node) else { return None };
        match self.eval(unit, *of, env).ok()? {
            Value::Record(record) => Some((record, name.clone())),
            _ => None,
        }
    }

    /// Returns the definition of the field that an expression reads.
    fn field_origin(&mut self, unit: &Rc<Unit>, node: NodeId, env: &Env) -> Option<ValueOrigin> {
        let (record, name) = self.field_read(unit, node, env)?;
        let (leaf, span, _) = record.layer_defined_at(&name, u32::MAX)?;
        let layer = record.is_chain().then(|| (leaf + 1, record.leaves()));
        Some(ValueOrigin::Field { name, span, layer })
    }

    /// Returns the definition below the one of a field that an expression reads, if it has what the upper one lacks: in `x.a.b.c` without `c`,
    /// of `b`, or else of `a`.
    fn hidden_object(&mut self, unit: &Rc<Unit>, node: NodeId, missing: &Name, env: &Env) -> Option<ValueOrigin> {
        let mut node = node;
        let mut path = vec![missing.clone()];
        for _ in 0..HOLDERS {
            let (record, name) = self.field_read(unit, node, env)?;
            if record.is_chain()
                && let Some(span) = self.hidden_below(&record, &name, &path)
            {
                return Some(ValueOrigin::Hidden {
                    name,
                    span,
                    missing: Name::from(FieldPath::from(path.as_slice()).to_string()),
                });
            }
            let Node::Project(of, _) = unit.node(node) else { return None };
            node = *of;
            path.insert(0, name);
        }
        None
    }

    /// Returns the name of the uppermost definition of a field, below the one that counts, in which a path exists.
    fn hidden_below(&mut self, record: &Record, name: &Name, path: &[Name]) -> Option<Span> {
        let mut limit = record.find(name, u32::MAX)?.leaf;
        loop {
            let below = record.find(name, limit)?;
            let mut value = Some(self.layer_value(record, name, &below));
            for step in path {
                value = match value.map(|thunk| self.force(&thunk)) {
                    Some(Ok(Value::Record(inner))) => self.field_named(&inner, step),
                    _ => None,
                };
            }
            if value.is_some() {
                let definition = record.layer_definition(&below);
                return definition.name_span().or(definition.body_span());
            }
            limit = below.leaf;
        }
    }
}

/// Returns a field of this name in an object literal around the innermost one that contains a node. `O(term)`
fn outer_field(unit: &Unit, node: NodeId, name: &Name) -> Option<ValueOrigin> {
    let at = unit.span(node);
    let term = &unit.term;
    let around = term.nodes.iter().zip(&term.spans).filter_map(|(node, span)| match node {
        Node::Record(literal) if span.source == at.source && span.start <= at.start && at.end <= span.end => {
            Some((literal, *span))
        }
        _ => None,
    });
    // children precede their parents: the innermost one is first
    let mut objects = around.skip(1);
    let defined = |literal: &RecordLit| {
        let field = literal.fields.iter().find(|field| matches!(&field.name, FieldName::Static(own) if own == name));
        field.map(|field| field.name_span)
    };
    let span = objects.find_map(|(literal, _)| defined(literal))?;
    Some(ValueOrigin::Outer { name: name.clone(), span: Some(span), outermost: objects.next().is_none() })
}
