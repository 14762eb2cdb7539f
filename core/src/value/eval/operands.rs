//! The operands of a merge: the values that `&` or `+` combined, in order. The merge may come from an operator, a fold,
//! or a list of files.

use super::Next;
use crate::term::{Annot, Node, NodeId, Prim};
use crate::text::Span;
use crate::value::env::{Env, Unit};
use crate::value::record::{Layers, Record};
use crate::value::thunk::State;
use crate::value::{Fault, Machine, Thunk, Value};
use std::rc::Rc;

/// Maximum number of names, calls and branches that are followed from an expression to its merge.
const HOPS: usize = 10_000;

/// An operand of a merge.
#[derive(Clone)]
pub struct Operand {
    /// The value, unforced.
    pub thunk: Thunk,
    /// The place where it is written.
    pub span: Option<Span>,
    /// The operator that joins it to the operands before it.
    pub join_kind: JoinKind,
    /// The value including this operand, if only the evaluator can compute it.
    whole: Option<Thunk>,
}

/// The way in which an operand is joined to those before it.
#[derive(Clone)]
pub enum JoinKind {
    /// `&` in a unit. Merge functions do not apply to the operands of an import's own merges.
    Merge(Option<Rc<Unit>>, Option<Span>),
    /// `+`
    Plus(Option<Span>),
    /// The operand is a contract, which is applied to the operands before it.
    Contract,
}

impl JoinKind {
    /// Returns the span of the operator and its operands.
    pub fn span(&self) -> Option<Span> {
        match self {
            JoinKind::Merge(_, span) | JoinKind::Plus(span) => *span,
            JoinKind::Contract => None,
        }
    }

    /// Returns whether both merge in the same unit, so that their operands form one set.
    fn extends(&self, before: &JoinKind) -> bool {
        match (self, before) {
            (JoinKind::Merge(a, _), JoinKind::Merge(b, _)) => same_unit(a.as_ref(), b.as_ref()),
            _ => false,
        }
    }
}

fn same_unit(a: Option<&Rc<Unit>>, b: Option<&Rc<Unit>>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        _ => false,
    }
}

/// The result of joining operands in order.
#[derive(Clone)]
pub struct JoinedOperands {
    /// Operands of consecutive `&`, in source order.
    run: Vec<(Thunk, Option<Span>)>,
    join_kind: Option<JoinKind>,
    /// The joined value.
    pub value: Thunk,
}

impl JoinedOperands {
    /// Starts with the first operand.
    pub fn first(operand: &Operand) -> JoinedOperands {
        let run = vec![(operand.thunk.clone(), operand.span)];
        JoinedOperands { run, join_kind: None, value: operand.thunk.clone() }
    }

    /// Joins several operands as [`Self::join`] does one by one, but merges consecutive `&` operands at once.
    /// O(operands).
    pub fn join_all<'o>(&mut self, machine: &mut Machine, operands: impl Iterator<Item = &'o Operand>) {
        let mut operands = operands.peekable();
        while let Some(operand) = operands.next() {
            let within = |before: Option<&JoinKind>| before.is_none_or(|before| operand.join_kind.extends(before));
            let goes_on = operands.peek().is_some_and(|next| next.join_kind.extends(&operand.join_kind));
            match &operand.join_kind {
                JoinKind::Merge(..) if goes_on && within(self.join_kind.as_ref()) => {
                    self.run.push((operand.thunk.clone(), operand.span));
                    self.join_kind = Some(operand.join_kind.clone());
                }
                _ => self.join(machine, operand),
            }
        }
    }

    /// Joins one more operand, as the evaluator does. Consecutive operands of `&` in a unit are merged as one set. O(operands so
    /// far); fields of the result are not forced.
    pub fn join(&mut self, machine: &mut Machine, operand: &Operand) {
        let secrets = machine.secrets.count;
        let result = match &operand.join_kind {
            JoinKind::Merge(unit, span) => {
                let extends = self.join_kind.as_ref().is_none_or(|before| operand.join_kind.extends(before));
                if !extends {
                    self.run = vec![(self.value.clone(), None)];
                }
                self.run.push((operand.thunk.clone(), operand.span));
                machine.merge_operands(&self.run, unit.clone(), *span)
            }
            JoinKind::Plus(span) => machine.plus(&self.value, &operand.thunk, *span),
            JoinKind::Contract => {
                let whole = operand.whole.clone().unwrap_or_else(|| self.value.clone());
                machine.force(&whole)
            }
        };
        self.join_kind = Some(operand.join_kind.clone());
        let secret = machine.secrets.count != secrets;
        self.value = match result {
            Ok(value) if secret => machine.part_of_secret(Thunk::done(value)),
            Ok(value) => Thunk::done(value),
            Err(fault) => Thunk::failed(machine.without_secret(fault, secret)),
        };
    }
}

/// An expression with its environment.
type Code = (Rc<Unit>, NodeId, Env);

impl Machine {
    /// Returns the operands that a value is merged from, in source order; a single operand if it is not a merge.
    /// Follows names, `let`, `if`, calls and imports to the merge. A value that is already forced is split into its
    /// layers. Fails if evaluating what leads to the merge fails.
    pub fn operands(&mut self, thunk: &Thunk) -> Result<Vec<Operand>, Fault> {
        let secrets = self.secrets.count;
        let operands = self.operands_of(thunk);
        let reads = self.secrets.count != secrets;
        operands.map_err(|fault| self.without_secret(fault, reads))
    }

    fn operands_of(&mut self, thunk: &Thunk) -> Result<Vec<Operand>, Fault> {
        let mut contracts: Vec<(Span, Thunk, Thunk)> = Vec::new();
        let mut thunk = thunk.clone();
        let mut operands = None;
        'thunks: for _ in 0..HOPS {
            let Some(mut code) = self.code_of(&thunk) else { break };
            for _ in 0..HOPS {
                self.tick()?;
                let (unit, node, env) = &code;
                thunk = Thunk::new(State::Code(unit.clone(), *node, env.clone()));
                let next = match unit.node(*node) {
                    Node::Merge(_) => {
                        operands = Some(written(unit, *node, env));
                        break 'thunks;
                    }
                    Node::Inherit(_) | Node::Prim(Prim::Plus, _) => {
                        if let Value::Record(_) = self.force(&thunk)? {
                            operands = Some(written(unit, *node, env));
                        }
                        break 'thunks;
                    }
                    Node::Annot(e, annots) => {
                        let contract = match annots.as_ref() {
                            [only] => Thunk::of_node(unit, only.ty, env),
                            _ => Thunk::done(Value::Null),
                        };
                        contracts.push((of_annots(unit, annots, *node), contract, thunk.clone()));
                        Some((unit.clone(), *e, env.clone()))
                    }
                    Node::Let(_) | Node::If(_) | Node::Apply(_) | Node::Match(_) => {
                        match self.step(unit, *node, env, &mut None)? {
                            Next::Tail(unit, node, env) => Some((unit, node, env)),
                            Next::Value(value) => {
                                thunk = Thunk::done(value);
                                None
                            }
                        }
                    }
                    _ => match self.referenced_thunk(unit, *node, env)? {
                        Some(named) => {
                            thunk = named;
                            continue 'thunks;
                        }
                        None => None,
                    },
                };
                match next {
                    Some(next) => code = next,
                    None => break 'thunks,
                }
            }
        }
        let mut operands = match operands {
            Some(operands) => operands,
            None => match self.force(&thunk)? {
                Value::Record(record) => layers(&record),
                _ => vec![Operand { span: self.place(&thunk), thunk, join_kind: JoinKind::Contract, whole: None }],
            },
        };
        operands.extend(contracts.into_iter().rev().map(|(span, contract, whole)| Operand {
            thunk: contract,
            span: Some(span),
            join_kind: JoinKind::Contract,
            whole: Some(whole),
        }));
        Ok(operands)
    }

    /// Returns the unevaluated expression of a thunk, or that of a field's only definition.
    fn code_of(&mut self, thunk: &Thunk) -> Option<Code> {
        match thunk.state() {
            State::Code(unit, node, env) => Some((unit, node, env)),
            State::Field(record, index) => {
                let (_, slot) = record.table().shape.fields.get_index(index as usize)?;
                let definition = record.definition(slot.only()?);
                let body = definition.is_plain().then(|| definition.body()).flatten()?;
                match body.state() {
                    State::Code(unit, node, env) => Some((unit, node, env)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns the thunk that a name, a path or an import refers to.
    fn referenced_thunk(&mut self, unit: &Rc<Unit>, node: NodeId, env: &Env) -> Result<Option<Thunk>, Fault> {
        let host = self.host.clone();
        Ok(match unit.node(node) {
            Node::Local { up, slot } => env.slot(*up, *slot).cloned(),
            Node::Global(name) => host.global(self, unit.revision, name),
            Node::Import(import) => Some(host.import(self, unit.revision, import, unit.span(node))?),
            Node::Member { up, name } => match env.record(*up) {
                Some(record) => record.index_of(name).and_then(|index| self.field_as_is(&record, index)),
                None => None,
            },
            Node::Project(of, name) => match self.eval(unit, *of, env)? {
                Value::Record(record) => record.index_of(name).and_then(|index| self.field_as_is(&record, index)),
                _ => None,
            },
            _ => None,
        })
    }

    fn plus(&mut self, below: &Thunk, above: &Thunk, span: Option<Span>) -> Result<Value, Fault> {
        let (below, above) = (self.force(below)?, self.force(above)?);
        match span.or_else(|| match &above {
            Value::Record(record) => record.span(),
            _ => None,
        }) {
            Some(span) => self.binary(Prim::Plus, below, above, span),
            None => match (below, above) {
                (Value::Record(below), Value::Record(above)) => Ok(Value::Record(Record::inherit(below, above, None))),
                _ => Err(Fault::undefined("`+` of what is no object", None)),
            },
        }
    }
}

/// Returns the span of the contracts of an annotation.
fn of_annots(unit: &Unit, annots: &[Annot], node: NodeId) -> Span {
    let spans = || annots.iter().map(|annot| unit.span(annot.ty));
    let whole = unit.span(node);
    match (spans().next(), spans().map(|span| span.end).max()) {
        (Some(first), Some(end)) => Span { end, ..first },
        _ => whole,
    }
}

/// Returns the operands of a merge as it is written, including nested merges in parentheses.
fn written(unit: &Rc<Unit>, node: NodeId, env: &Env) -> Vec<Operand> {
    let merge = matches!(unit.node(node), Node::Merge(_));
    let mut out: Vec<Operand> = Vec::new();
    // Each node with the operator that joins it to the operands before it.
    let mut work = vec![(node, node)];
    while let Some((node, operator)) = work.pop() {
        match unit.node(node) {
            Node::Merge(parts) if merge => {
                work.extend(
                    parts.iter().enumerate().rev().map(|(at, part)| (*part, if at == 0 { operator } else { node })),
                );
            }
            Node::Inherit(parts) if !merge => work.extend([(parts[1], node), (parts[0], operator)]),
            Node::Prim(Prim::Plus, parts) if !merge => {
                work.extend(
                    parts.iter().enumerate().rev().map(|(at, part)| (*part, if at == 0 { operator } else { node })),
                );
            }
            _ => {
                let span = Some(unit.span(operator));
                let join_kind = if merge { JoinKind::Merge(Some(unit.clone()), span) } else { JoinKind::Plus(span) };
                let thunk = Thunk::of_node(unit, node, env);
                out.push(Operand { thunk, span: Some(unit.span(node)), join_kind, whole: None });
            }
        }
    }
    out
}

/// Returns the operands of an evaluated record, from its layers.
fn layers(record: &Record) -> Vec<Operand> {
    enum Item {
        Visit(Record, JoinKind),
        Done(Operand),
    }
    let mut out: Vec<Operand> = Vec::new();
    let mut work = vec![Item::Visit(record.clone(), JoinKind::Contract)];
    while let Some(item) = work.pop() {
        let (record, join_kind) = match item {
            Item::Visit(record, join_kind) => (record, join_kind),
            Item::Done(operand) => {
                out.push(operand);
                continue;
            }
        };
        let outermost = matches!(join_kind, JoinKind::Contract);
        match &record.0.layers {
            Layers::Merge { parts, unit, written }
                if outermost || join_kind.extends(&JoinKind::Merge(unit.clone(), *written)) =>
            {
                let join_kind = JoinKind::Merge(unit.clone(), *written);
                work.extend(parts.iter().rev().map(|part| Item::Visit(part.clone(), join_kind.clone())));
            }
            Layers::Inherit { below, above, written } if outermost || matches!(join_kind, JoinKind::Plus(_)) => {
                work.push(Item::Visit(above.clone(), JoinKind::Plus(*written)));
                work.push(Item::Visit(below.clone(), JoinKind::Plus(*written)));
            }
            Layers::Contract { value, contract, .. } if outermost => {
                let whole = Some(Thunk::done(Value::Record(record.clone())));
                let thunk = Thunk::done(Value::Record(contract.clone()));
                work.push(Item::Done(Operand { thunk, span: contract.span(), join_kind: JoinKind::Contract, whole }));
                work.push(Item::Visit(value.clone(), JoinKind::Contract));
            }
            Layers::Each(inner, applied) if outermost => {
                let whole = Thunk::done(Value::Record(record.clone()));
                let span = Some(applied.unit.span(applied.node));
                work.push(Item::Done(Operand {
                    thunk: whole.clone(),
                    span,
                    join_kind: JoinKind::Contract,
                    whole: Some(whole),
                }));
                work.push(Item::Visit(inner.clone(), JoinKind::Contract));
            }
            _ => {
                let span = record.span();
                out.push(Operand { thunk: Thunk::done(Value::Record(record)), span, join_kind, whole: None });
            }
        }
    }
    out
}
