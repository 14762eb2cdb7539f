//! The kinds that a field has in its layers. A key keeps its kind in all layers (number, string, list, dictionary); a change
//! is reported if a combination of guards that can be reached leads to it.

use super::Cases;
use crate::infer::Infer;
use crate::term::{Binding, Node, NodeId, PatKind, Prim};
use crate::text::{Name, Span};
use crate::ty::{Condition, ConditionOp, Constant, DynReason, Field, LayerKind, Relation, Row, Tail, Test, Ty, TyRef};
use crate::ty::{ValueKind, combination};
use std::sync::Arc;

/// Maximum number of operations of a condition. A larger one counts as one unknown value.
const MAX_OPERATIONS: usize = 256;

/// Maximum number of nodes of an expression that a guard tests. A larger one equals no other.
const MAX_NODES: usize = 64;

/// Maximum number of layers of one field that are compared with the layers above.
const MAX_LAYERS: usize = 64;

/// A condition that is being made.
struct Reader<'r> {
    locals: &'r [Binding],
    ops: Vec<ConditionOp>,
    /// The number of conditions that are being read, one inside another.
    depth: usize,
}

impl Infer<'_> {
    /// Returns the condition under which a definition counts: that of the guards around it, and its own.
    pub(super) fn condition_of(
        &mut self,
        guard: Option<NodeId>,
        decided: Option<bool>,
        locals: &[Binding],
    ) -> Condition {
        let around = self.objects.around.last();
        let Some(guard) = guard else { return around.cloned().unwrap_or_else(|| Arc::new([])) };
        let mut ops: Vec<ConditionOp> = around.map(|around| around.to_vec()).unwrap_or_default();
        let mut own = match decided {
            Some(decided) => vec![ConditionOp::Known(decided)],
            None => {
                let mut reader = Reader { locals, ops: Vec::new(), depth: 0 };
                self.read_condition(guard, &mut reader, &mut Vec::new());
                reader.ops
            }
        };
        if own.len() > MAX_OPERATIONS {
            let (subject, span) = (self.alone(guard), self.term.span(guard));
            own = vec![ConditionOp::Test(Arc::new(Test { subject, relation: Relation::IsTrue, negated: false, span }))];
        }
        if ops.len() + own.len() > MAX_OPERATIONS {
            ops.clear();
        }
        let guarded = !ops.is_empty();
        ops.extend(own);
        if guarded {
            ops.push(ConditionOp::And);
        }
        ops.into()
    }

    /// Adds the operations of a condition. `assumed`: the locals that hold wherever this part of the condition decides the whole.
    fn read_condition(&mut self, id: NodeId, reader: &mut Reader<'_>, assumed: &mut Vec<u32>) {
        if reader.ops.len() > MAX_OPERATIONS {
            return;
        }
        // each condition has an operation, so the whole has too many: `elif` depends on all branches before it
        if reader.depth > 2 * MAX_OPERATIONS {
            let test = self.test(id);
            return reader.ops.resize(MAX_OPERATIONS + 1, test);
        }
        reader.depth += 1;
        crate::infer::deep(|| self.read_condition_here(id, reader, assumed));
        reader.depth -= 1;
    }

    fn read_condition_here(&mut self, id: NodeId, reader: &mut Reader<'_>, assumed: &mut Vec<u32>) {
        let term = self.term.clone();
        match term.node(id) {
            Node::Bool(value) => reader.ops.push(ConditionOp::Known(*value)),
            Node::Local { up: 0, slot } if assumed.contains(slot) => reader.ops.push(ConditionOp::Known(true)),
            Node::Local { up: 0, slot } => match self.local_body(reader.locals, *slot) {
                Some(body) if self.is_condition(body) => {
                    self.read_condition(body, reader, assumed);
                    assumed.push(*slot);
                }
                _ => reader.ops.push(self.test(id)),
            },
            Node::Prim(Prim::Not, operands) => {
                let known = assumed.len();
                if let [operand] = &**operands {
                    self.read_condition(*operand, reader, assumed);
                }
                assumed.truncate(known);
                reader.ops.push(ConditionOp::Not);
            }
            Node::Prim(op @ (Prim::And | Prim::Or), operands) => {
                let [left, right] = &**operands else { return };
                let known = assumed.len();
                self.read_condition(*left, reader, assumed);
                if *op == Prim::Or {
                    assumed.truncate(known);
                }
                self.read_condition(*right, reader, assumed);
                if *op == Prim::Or {
                    assumed.truncate(known);
                }
                reader.ops.push(if *op == Prim::And { ConditionOp::And } else { ConditionOp::Or });
            }
            Node::Prim(op, operands) if operands.len() == 2 => {
                let compared = match (self.compared_constant(operands[0]), self.compared_constant(operands[1])) {
                    (None, Some(constant)) => self.relation(*op, constant).map(|found| (operands[0], found)),
                    (Some(constant), None) => self.relation(reversed(*op), constant).map(|found| (operands[1], found)),
                    _ => None,
                };
                match compared {
                    Some((subject, (relation, negated))) => {
                        let place = self.term.span(id);
                        let subject = self.subject(subject);
                        let test = Test { subject, relation, negated, span: place };
                        reader.ops.push(ConditionOp::Test(Arc::new(test)));
                    }
                    None => reader.ops.push(self.test(id)),
                }
            }
            Node::Apply(apply) if self.is_native(apply.func, "_chosen") => {
                let [(_, of), (_, key)] = apply.args.as_slice() else { return };
                let (Node::Local { up: 0, slot }, Node::Str(key)) = (term.node(*of), term.node(*key)) else {
                    return;
                };
                let body = self.local_body(reader.locals, *slot);
                let Some(Cases { subject, keys }) = body.and_then(|body| self.cases_of(body)) else { return };
                let relation = Relation::Case(key.clone(), keys);
                let span = self.term.span(id);
                reader.ops.push(ConditionOp::Test(Arc::new(Test { subject, relation, negated: false, span })));
            }
            _ => reader.ops.push(self.test(id)),
        }
    }

    /// Returns the subject and the keys of a `select`, by the expression of its chosen case. `O(1)` after the first time.
    fn cases_of(&mut self, chosen: NodeId) -> Option<Cases> {
        let key = (chosen, self.term.span(chosen));
        if let Some(known) = self.objects.cases.get(&key) {
            return Some(known.clone());
        }
        let Node::Apply(apply) = self.term.node(chosen) else { return None };
        let [(_, of), (_, keys)] = apply.args.as_slice() else { return None };
        let Node::Array(keys) = self.term.node(*keys) else { return None };
        let keys = keys.iter().filter_map(|key| match self.term.node(*key) {
            Node::Str(key) => Some(key.clone()),
            _ => None,
        });
        let subject = Name::from(format!("case of {}", self.subject(*of)));
        let found = Cases { subject, keys: keys.collect() };
        self.objects.cases.insert(key, found.clone());
        Some(found)
    }

    /// Returns the test whether a value is true.
    fn test(&self, id: NodeId) -> ConditionOp {
        let (subject, span) = (self.subject(id), self.term.span(id));
        ConditionOp::Test(Arc::new(Test { subject, relation: Relation::IsTrue, negated: false, span }))
    }

    /// Returns a subject that no other test has.
    fn alone(&self, id: NodeId) -> Name {
        let span = self.term.span(id);
        Name::from(format!("at {}:{}:{}", span.source.0, span.start, span.end))
    }

    fn local_body(&self, locals: &[Binding], slot: u32) -> Option<NodeId> {
        let bound = |binding: &&Binding| matches!(self.term.pat(binding.pat).kind, PatKind::Bind(s) if s == slot);
        // slot 0 is the record, and each local has its own slot
        let near = (slot as usize).checked_sub(1).and_then(|at| locals.get(at)).filter(bound);
        near.or_else(|| locals.iter().find(bound)).map(|binding| binding.body)
    }

    /// Whether the body of a local is a condition that is read operation by operation.
    fn is_condition(&self, body: NodeId) -> bool {
        !matches!(self.term.node(body), Node::Record(_) | Node::Inherit(_) | Node::Array(_))
    }

    pub(super) fn is_native(&self, func: NodeId, name: &str) -> bool {
        match self.term.node(func) {
            Node::Project(of, found) => {
                found == name
                    && matches!(self.term.node(*of), Node::Global(library) if crate::term::rules::is_library(library))
            }
            _ => false,
        }
    }

    fn compared_constant(&self, id: NodeId) -> Option<Constant> {
        match self.term.node(id) {
            Node::Str(text) => Some(Constant::Text(text.clone())),
            Node::Number(number) => Some(Constant::Number(number.to_f64())),
            _ => None,
        }
    }

    /// Returns the relation that `x op constant` states, and whether it is negated.
    fn relation(&self, op: Prim, constant: Constant) -> Option<(Relation, bool)> {
        Some(match (op, constant) {
            (Prim::Eq, constant) => (Relation::Equals(constant), false),
            (Prim::Ne, constant) => (Relation::Equals(constant), true),
            (Prim::Lt, Constant::Number(number)) => (Relation::Less(number), false),
            (Prim::Le, Constant::Number(number)) => (Relation::AtMost(number), false),
            (Prim::Gt, Constant::Number(number)) => (Relation::AtMost(number), true),
            (Prim::Ge, Constant::Number(number)) => (Relation::Less(number), true),
            _ => return None,
        })
    }

    /// Returns a text that is the same for expressions with the same value.
    fn subject(&self, id: NodeId) -> Name {
        let mut out = String::new();
        let mut nodes = 0;
        match self.write_subject(id, &mut out, &mut nodes) {
            Some(()) => Name::from(out),
            None => self.alone(id),
        }
    }

    fn write_subject(&self, id: NodeId, out: &mut String, nodes: &mut usize) -> Option<()> {
        use std::fmt::Write;
        *nodes += 1;
        if *nodes > MAX_NODES {
            return None;
        }
        let part = |id: NodeId, out: &mut String, nodes: &mut usize| self.write_subject(id, out, nodes);
        match self.term.node(id) {
            Node::This { up } => write!(out, "record {}", self.scopes.at(*up)?).ok()?,
            Node::Local { up, slot } => write!(out, "slot {} {slot}", self.scopes.at(*up)?).ok()?,
            Node::Global(name) => write!(out, "global {name}").ok()?,
            Node::Str(text) => write!(out, "{text:?}").ok()?,
            Node::Number(number) => write!(out, "{number}").ok()?,
            Node::Bool(value) => write!(out, "{value}").ok()?,
            Node::Null => out.push_str("null"),
            Node::Project(of, name) => {
                part(*of, out, nodes)?;
                write!(out, ".{name}").ok()?;
            }
            Node::Index(parts) => {
                part(parts[0], out, nodes)?;
                out.push('[');
                part(parts[1], out, nodes)?;
                out.push(']');
            }
            Node::Prim(op, operands) => {
                write!(out, "({op:?}").ok()?;
                for operand in operands {
                    out.push(' ');
                    part(*operand, out, nodes)?;
                }
                out.push(')');
            }
            Node::Apply(apply) => {
                part(apply.func, out, nodes)?;
                out.push('(');
                for (name, arg) in &apply.args {
                    write!(out, "{}=", name.as_deref().unwrap_or_default()).ok()?;
                    part(*arg, out, nodes)?;
                    out.push(',');
                }
                out.push(')');
            }
            Node::Array(elements) => {
                out.push('[');
                for element in elements {
                    part(*element, out, nodes)?;
                    out.push(',');
                }
                out.push(']');
            }
            _ => return None,
        }
        Some(())
    }

    /// Returns the kind of a type; `None` if it is not known.
    pub(super) fn value_kind(&mut self, ty: &TyRef) -> Option<ValueKind> {
        let clean = self.without_failures(ty);
        let ty = self.instantiate(&clean);
        match &*self.open_head(&ty) {
            Ty::Number => Some(ValueKind::Number),
            Ty::String => Some(ValueKind::String),
            Ty::Array(_) => Some(ValueKind::Array),
            Ty::Record(_) => Some(ValueKind::Record),
            _ => None,
        }
    }

    /// Returns the type of a definition that is added to the layers below. A dictionary above a value of another kind is a
    /// conflict, which [`Self::compare_kinds`] reports, and is not combined with it.
    pub(super) fn layered(&mut self, under: &TyRef, own: &TyRef, below: Option<Span>, at: Span) -> TyRef {
        if self.rules().extends_layers()
            && let (Some(a), Some(b)) = (self.value_kind(under), self.value_kind(own))
            && a != b
        {
            return own.clone();
        }
        self.plus_at(under, own, below.unwrap_or(at), at)
    }

    /// Compares the kinds of the layers of a field with those of the layers above. Of the fields and of the types, the lower one
    /// is first. Returns the layers that may count below further ones.
    pub(super) fn compare_kinds(
        &mut self,
        name: &Name,
        [f, g]: [&Field; 2],
        [was, now]: [&TyRef; 2],
        span: Span,
    ) -> Arc<[LayerKind]> {
        let (below, above) = (self.layers_of(f, was), self.layers_of(g, now));
        for upper in &*above {
            let clash = below.iter().rev().filter(|lower| lower.kind != upper.kind && lower.at != upper.at);
            let found = clash.take(MAX_LAYERS).find_map(|lower| {
                let when = combination(&[&lower.when, &upper.when])?;
                Some((lower.clone(), when))
            });
            if let Some((lower, when)) = found {
                let at = upper.at.or(g.at).unwrap_or(span);
                let (now, was) = (kind_type(upper.kind, at), kind_type(lower.kind, at));
                self.merges.change_type();
                let fault = self.report_change_when(std::slice::from_ref(name), [&now, &was], at, lower.at, when);
                self.wrong_input(lower.at, fault);
            }
        }
        // a layer without a condition hides all layers below it
        if above.iter().any(|upper| upper.when.is_empty()) {
            return above;
        }
        let mut all: Vec<LayerKind> = below.to_vec();
        for upper in &*above {
            let always = |lower: &LayerKind| lower.when.is_empty() && lower.kind == upper.kind;
            if all.len() < MAX_LAYERS && !all.iter().any(always) {
                all.push(upper.clone());
            }
        }
        all.into()
    }

    fn layers_of(&mut self, field: &Field, ty: &TyRef) -> Arc<[LayerKind]> {
        let inheritance = field.inheritance.as_deref();
        if let Some(layers) = inheritance.and_then(|inheritance| inheritance.layers.clone()) {
            return layers;
        }
        let when = inheritance.and_then(|inheritance| inheritance.when.clone()).unwrap_or_else(|| Arc::new([]));
        self.value_kind(ty).map(|kind| LayerKind { kind, at: field.at, when }).into_iter().collect()
    }
}

/// Returns a type of a kind, for messages.
fn kind_type(kind: ValueKind, at: Span) -> TyRef {
    let unknown = || Ty::Dyn(DynReason::Computed(at)).into();
    match kind {
        ValueKind::Number => Ty::Number.into(),
        ValueKind::String => Ty::String.into(),
        ValueKind::Array => Ty::Array(unknown()).into(),
        ValueKind::Record => Ty::Record(Row::new(Tail::Dyn(DynReason::Computed(at)))).into(),
    }
}

/// Returns the operator with exchanged operands.
fn reversed(op: Prim) -> Prim {
    match op {
        Prim::Lt => Prim::Gt,
        Prim::Le => Prim::Ge,
        Prim::Gt => Prim::Lt,
        Prim::Ge => Prim::Le,
        op => op,
    }
}
