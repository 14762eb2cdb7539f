//! Function contracts check arguments and results at each call.

use super::form::{Site, flipped};
use crate::term::{Node, NodeId, TypeForm};
use crate::text::{Name, Span};
use crate::value::collect::{Graph, Trace};
use crate::value::env::{Env, Unit};
use crate::value::{Call, Fault, Label, Machine, Thunk, Value};
use std::rc::Rc;

/// A function with a function contract, which checks arguments and results at each call.
pub struct Guarded {
    /// The function.
    pub function: Value,
    pub(super) site: Site,
    pub(super) domain: NodeId,
    pub(super) codomain: NodeId,
    pub(super) label: Rc<Label>,
    /// Whether the contract comes from `: T`. Inference then guarantees the result.
    pub(super) typed: bool,
}

impl Guarded {
    /// Reports the references of the guard.
    pub(in crate::value) fn follow(&self, to: &mut Graph) {
        self.function.trace(to);
        self.site.trace(to);
        self.label.trace(to);
    }
}

/// Returns the expression that gives the result of a function literal whose last argument is missing.
fn result_place(function: &Value) -> Option<Span> {
    let Value::Function(closure) = function else { return None };
    let Node::Lambda(lambda) = closure.unit.node(closure.node) else { return None };
    if lambda.params.len() != closure.args.len() + 1 {
        return None;
    }
    let mut body = lambda.body;
    while let Node::Let(inner) = closure.unit.node(body) {
        body = inner.body;
    }
    Some(closure.unit.span(body))
}

impl Machine {
    /// Calls a guarded function with its next argument. `span` is the place of the call, `place` that of the argument.
    pub(in crate::value) fn call_guarded(
        &mut self,
        guarded: &Rc<Guarded>,
        argument: &Thunk,
        span: Span,
        place: Option<Span>,
    ) -> Result<Value, Fault> {
        let site = &guarded.site;
        let mut flipped_label = (*flipped(&guarded.label, "argument")).clone();
        flipped_label.call_span = Some(span);
        flipped_label.function = guarded.label.function.clone().or(guarded.label.field.clone());
        flipped_label.contract_span = Some(site.unit.span(guarded.domain));
        flipped_label.contract = super::describe::describe(&site.unit.term, guarded.domain);
        flipped_label.literal = argument.origin();
        flipped_label.value_span = self.place(argument).or(place).or(Some(span));
        let checked = if is_trivial(&site.unit, guarded.domain) {
            argument.clone()
        } else {
            site.later(guarded.domain, Rc::new(flipped_label), argument.clone())
        };
        let result = Thunk::apply(guarded.function.clone(), vec![checked], Call::at(span));
        if guarded.typed {
            let result = self.typed(&site.unit, guarded.codomain, &site.env, &guarded.label, result);
            return self.force(&result);
        }
        if is_trivial(&site.unit, guarded.codomain) {
            return self.force(&result);
        }
        let mut label = (*guarded.label.label_of_part("->")).clone();
        label.call_span = Some(span);
        label.function = guarded.label.function.clone().or(guarded.label.field.clone());
        // a function in the result has the contract of the result
        label.contract_span = Some(site.unit.span(guarded.codomain));
        label.contract = super::describe::describe(&site.unit.term, guarded.codomain);
        label.value = Some(result.clone());
        label.value_span = result_place(&guarded.function).or(label.value_span);
        self.apply_form(&site.unit, guarded.codomain, &site.env, &site.seals, &Rc::new(label), &result)
    }

    /// Guards a value that has a `: T` annotation. Inference checked the value itself; the arguments of its callers are
    /// checked at run time.
    pub(in crate::value) fn guard_typed(
        &mut self,
        unit: &Rc<Unit>,
        ty: NodeId,
        env: &Env,
        value: Thunk,
        name: Option<Name>,
    ) -> Thunk {
        if !is_guarded(unit, ty) {
            return value;
        }
        let label = Rc::new(Label {
            contract: super::describe::describe(&unit.term, ty),
            contract_span: Some(unit.span(ty)),
            value_span: self.place(&value),
            value: Some(value.clone()),
            field: name,
            ..Label::default()
        });
        self.typed(unit, ty, env, &label, value)
    }

    fn typed(&mut self, unit: &Rc<Unit>, ty: NodeId, env: &Env, label: &Rc<Label>, value: Thunk) -> Thunk {
        if !is_guarded(unit, ty) {
            return value;
        }
        let mut ty = ty;
        while let Node::Type(form) = unit.node(ty)
            && let TypeForm::Forall(_, body) = **form
        {
            ty = body;
        }
        let Node::Type(form) = unit.node(ty) else { return value };
        let TypeForm::Fun(domain, codomain) = **form else { return value };
        let site = Site { unit: unit.clone(), env: env.clone(), seals: Default::default() };
        let label = label.clone();
        Thunk::holding((value, site, label), move |machine, (value, site, label)| match machine.force(value)? {
            function if function.is_function() => Ok(Value::Guarded(Rc::new(Guarded {
                function,
                site: site.clone(),
                domain,
                codomain,
                label: label.clone(),
                typed: true,
            }))),
            // Inference has reported the error.
            other => Ok(other),
        })
    }
}

/// Returns whether every value satisfies the contract.
fn is_trivial(unit: &Unit, node: NodeId) -> bool {
    matches!(unit.node(node), Node::Type(form) if matches!(**form, TypeForm::Dyn | TypeForm::Wildcard))
}

/// Returns whether the type is a function type with an argument to check.
fn is_guarded(unit: &Unit, ty: NodeId) -> bool {
    let mut ty = ty;
    loop {
        let Node::Type(form) = unit.node(ty) else { return false };
        ty = match **form {
            TypeForm::Forall(_, body) => body,
            TypeForm::Fun(domain, codomain) => {
                let free = matches!(unit.node(domain), Node::Type(f) if matches!(**f, TypeForm::Var(_)));
                if !free && !is_trivial(unit, domain) {
                    return true;
                }
                codomain
            }
            _ => return false,
        };
    }
}
