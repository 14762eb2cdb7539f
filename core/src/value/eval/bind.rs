//! `let`, `match` and annotations.

use super::Next;
use crate::meta::Push;
use crate::problem::value::ValueKind;
use crate::term::{Annot, Let, Match, NodeId, PatKind};
use crate::text::Name;
use crate::value::contract::Applied;
use crate::value::env::{Env, Unit};
use crate::value::secret::shared_with_secret;
use crate::value::{Fault, Machine, Thunk, Value};
use std::rc::Rc;

impl Machine {
    #[inline(never)]
    pub(super) fn bind(&mut self, unit: &Rc<Unit>, l: &Let, env: &Env) -> Result<Next, Fault> {
        self.self_aliases |= !unit.term.self_aliases.is_empty();
        let inner = env.open();
        let outer = if l.recursive { &inner } else { env };
        let mut slots = vec![None; l.slots.len()];
        let mut patterns = Vec::new();
        for binding in &l.bindings {
            let mut value = Thunk::of_node(unit, binding.body, outer);
            if !binding.annots.is_empty() {
                let name = match unit.term.pat(binding.pat).kind {
                    PatKind::Bind(slot) => l.slots.get(slot as usize).cloned(),
                    _ => None,
                };
                value = self.annotate_lazily(unit, &binding.annots, outer, (value, name, binding.body));
            }
            if let Some(push) = binding.push {
                value = pushed(value, push);
            }
            if binding.secret {
                value = shared_with_secret(value);
            }
            match unit.term.pat(binding.pat).kind {
                PatKind::Bind(slot) => {
                    if let Some(place) = slots.get_mut(slot as usize) {
                        *place = Some(value);
                    }
                }
                _ if l.recursive => {
                    patterns.push((binding.pat, self.bind_later(unit, binding.pat, value, &inner, &mut slots)))
                }
                _ => self.must_match(unit, binding.pat, &value, &inner, &mut slots)?,
            }
        }
        inner.fill(filled(slots));
        if l.recursive {
            self.cycle_candidates.frame(&inner);
        }
        for (_, matched) in &patterns {
            self.force(matched)?;
        }
        Ok(Next::Tail(unit.clone(), l.body, inner))
    }

    /// Binds a pattern of a recursive `let`, which is matched when one of its slots is needed. Returns the thunk of the
    /// match.
    fn bind_later(
        &mut self,
        unit: &Rc<Unit>,
        pat: crate::term::PatId,
        value: Thunk,
        inner: &Env,
        slots: &mut [Option<Thunk>],
    ) -> Thunk {
        let count = slots.len();
        let (unit_, inner_) = (unit.clone(), inner.clone());
        let matched = Thunk::holding((value, inner_), move |machine, (value, inner)| {
            let mut found = vec![None; count];
            machine.must_match(&unit_, pat, value, inner, &mut found)?;
            Ok(Value::Array(filled(found).into_vec().into()))
        });
        for slot in crate::value::matching::binders(&unit.term, pat) {
            let from = matched.clone();
            let projected = Thunk::holding(from, move |machine, from| match machine.force(from)? {
                Value::Array(found) => match found.at(slot as usize) {
                    Some(thunk) => machine.force(&thunk),
                    None => Err(Fault::undefined("a name that its pattern does not bind", None)),
                },
                other => Ok(other),
            });
            if let Some(place) = slots.get_mut(slot as usize) {
                *place = Some(projected);
            }
        }
        matched
    }

    #[inline(never)]
    pub(super) fn match_on(&mut self, unit: &Rc<Unit>, node: NodeId, m: &Match, env: &Env) -> Result<Next, Fault> {
        // The first pattern that inspects the scrutinee forces it.
        let scrutinee = Thunk::of_node(unit, m.scrutinee, env);
        for arm in &m.arms {
            // a match may have many arms
            self.tick()?;
            let inner = env.open();
            let mut slots = vec![None; arm.slots.len()];
            if !self.matches(unit, arm.pat, &scrutinee, &inner, &mut slots)? {
                continue;
            }
            inner.fill(filled(slots));
            if let Some(guard) = arm.guard {
                match self.eval(unit, guard, &inner)? {
                    Value::Bool(true) => {}
                    Value::Bool(false) => continue,
                    other => {
                        let span = Some(unit.span(guard));
                        return Err(self.mismatch("Bool", &other, "the guard of an arm", span, None));
                    }
                }
            }
            return Ok(Next::Tail(unit.clone(), arm.body, inner));
        }
        if let Some(Value::Sealed(sealed)) = scrutinee.computed() {
            return Err(self.inspected_sealed(&sealed));
        }
        let value = Box::new(self.preview(&scrutinee));
        Err(Fault::new(ValueKind::NoMatch { span: unit.span(node), value, fields: None, place: None }))
    }

    /// Evaluates `e : T` and `e | C`.
    #[inline(never)]
    pub(super) fn annotated(
        &mut self,
        unit: &Rc<Unit>,
        e: NodeId,
        annots: &[Annot],
        env: &Env,
    ) -> Result<Value, Fault> {
        let value = Thunk::of_node(unit, e, env);
        let thunk = self.annotate_lazily(unit, annots, env, (value, None, e));
        self.force(&thunk)
    }

    /// Returns a thunk that applies annotations to a value when it is forced.
    fn annotate_lazily(
        &mut self,
        unit: &Rc<Unit>,
        annots: &[Annot],
        env: &Env,
        (value, name, node): (Thunk, Option<Name>, NodeId),
    ) -> Thunk {
        let place = self.place(&value);
        let mut value = value;
        for annot in annots {
            // In a language with exact types, annotations were checked before evaluation.
            if unit.rules.is_exact() {
                continue;
            }
            value = match annot.kind {
                crate::term::AnnotKind::Type => self.guard_typed(unit, annot.ty, env, value, name.clone()),
                crate::term::AnnotKind::Contract => {
                    let applied = Rc::new(Applied::new(unit.clone(), annot.ty, env.clone(), None));
                    let (name, literal) = (name.clone(), (unit.clone(), node));
                    Thunk::holding((applied, value), move |machine, (applied, value)| {
                        let contracts = std::slice::from_ref(applied);
                        machine.apply_all(
                            contracts,
                            value,
                            place,
                            name.as_ref().map(|name| (None, name)),
                            Some(literal.clone()),
                        )
                    })
                }
            };
        }
        value
    }
}

/// Returns a thunk that pushes a priority down to the leaves of a record. Other values are unchanged.
fn pushed(value: Thunk, push: Push) -> Thunk {
    Thunk::holding(value, move |machine, value| match machine.force(value)? {
        Value::Record(record) => Ok(Value::Record(record.push(push))),
        other => Ok(other),
    })
}

/// Returns the slots of a frame. A slot that no pattern bound fails when it is used.
pub(super) fn filled(slots: Vec<Option<Thunk>>) -> Box<[Thunk]> {
    let unbound = || Thunk::failed(Fault::undefined("a name that its pattern does not bind", None));
    slots.into_iter().map(|s| s.unwrap_or_else(unbound)).collect()
}
