//! Function calls in object languages, with positional and named arguments and with defaults.

use super::kind;
use crate::problem::value::ValueKind;
use crate::term::{Lambda, Node, PatKind};
use crate::text::{Name, Span};
use crate::value::env::{Closure, Env};
use crate::value::eval::Next;
use crate::value::eval::bind::filled;
use crate::value::{Call, Fault, Machine, Partial, Thunk, Value};

/// The positional and named arguments of a call.
pub(in crate::value::eval) struct Arguments {
    pub(in crate::value::eval) placed: Vec<Thunk>,
    pub(in crate::value::eval) named: Vec<(Name, Thunk)>,
}

impl Machine {
    /// Calls a function with all its arguments at once.
    #[inline(never)]
    pub(in crate::value::eval) fn call_whole(
        &mut self,
        function: &Value,
        arguments: Arguments,
        span: Span,
        call: &mut Option<Span>,
    ) -> Result<Next, Fault> {
        match function {
            Value::Function(closure) => {
                let Node::Lambda(lambda) = closure.unit.node(closure.node) else {
                    return Err(self.unbound_slot(&closure.unit, closure.node));
                };
                if lambda.curried && arguments.named.is_empty() {
                    return self.apply_to(function.clone(), &arguments.placed, span, None, &|_| None, call);
                }
                call.get_or_insert(span);
                self.push_call()?;
                let env = self.enter_whole(closure, lambda, arguments, span)?;
                Ok(Next::Tail(closure.unit.clone(), lambda.body, env))
            }
            Value::Native(partial) if partial.native.params.is_some() => {
                self.call_native(partial, arguments, span).map(Next::Value)
            }
            Value::Native(_) | Value::Guarded(_) | Value::Contract(_) => match arguments.named.first() {
                Some((name, _)) => Err(self.fails(format!("function has no parameter {name}"), span)),
                None => self.apply_to(function.clone(), &arguments.placed, span, None, &|_| None, call),
            },
            Value::Sealed(sealed) => Err(self.inspected_sealed(sealed)),
            other => {
                let words = format!("only functions can be called, got {}", kind(other));
                let found = Name::new_static(kind(other));
                let what = ValueKind::NotAFunction { found, span: Some(span), extra: None };
                Err(Fault::new(what).worded(words))
            }
        }
    }

    fn call_native(&mut self, partial: &Partial, arguments: Arguments, span: Span) -> Result<Value, Fault> {
        let native = partial.native;
        let params = native.params.unwrap_or(&[]);
        let placed = self.bound(arguments, params.len(), &|i| params.get(i).map(|p| p.name), span)?;
        let mut args = Vec::with_capacity(params.len());
        for (param, given) in params.iter().zip(placed) {
            args.push(match (given, param.default) {
                (Some(thunk), _) => thunk,
                (None, Some(default)) => default(),
                (None, None) => return Err(self.unbound_parameter(param.name, span)),
            });
        }
        let call = Call { span: Some(span), name: native.name, places: [None; 3], revision: partial.revision };
        let frames = super::frames::library_frames(native.name);
        self.in_frames(frames, |machine| (native.run)(machine, &args, &call)).map_err(|fault| fault.called_at(span))
    }

    /// Returns the argument of each parameter; `None` if the call has none for it. Fails if an argument has no parameter, or if a
    /// parameter has two arguments.
    fn bound<'n>(
        &self,
        arguments: Arguments,
        count: usize,
        name: &dyn Fn(usize) -> Option<&'n str>,
        span: Span,
    ) -> Result<Vec<Option<Thunk>>, Fault> {
        if arguments.placed.len() > count {
            return Err(self.fails(format!("too many args, function has {count} parameter(s)"), span));
        }
        let mut placed: Vec<Option<Thunk>> = arguments.placed.into_iter().map(Some).collect();
        placed.resize(count, None);
        for (wanted, thunk) in arguments.named {
            let at = (0..count).find(|i| name(*i) == Some(wanted.as_str()));
            match at.and_then(|at| placed.get_mut(at)) {
                Some(Some(_)) => {
                    return Err(self.fails(format!("binding parameter a second time: {wanted}"), span));
                }
                Some(free) => *free = Some(thunk),
                None => {
                    let fault = self.fails(format!("function has no parameter {wanted}"), span);
                    let near = crate::text::near(&wanted, (0..count).filter_map(name));
                    return Err(fault.change(|problem| {
                        if let ValueKind::Undefined { notes, .. } = &mut problem.what {
                            notes.extend(
                                near.first().map(|near| Name::from(format!("a parameter has the name `{near}`"))),
                            );
                        }
                    }));
                }
            }
        }
        Ok(placed)
    }

    #[cold]
    fn unbound_parameter(&self, name: &str, span: Span) -> Fault {
        self.fails(format!("function parameter {name} not bound in call."), span)
    }

    /// Binds the parameters of a function literal in a new frame. Defaults can refer to all parameters.
    pub(in crate::value::eval) fn enter_whole(
        &mut self,
        closure: &Closure,
        lambda: &Lambda,
        mut arguments: Arguments,
        span: Span,
    ) -> Result<Env, Fault> {
        if !closure.args.is_empty() {
            arguments.placed.splice(0..0, closure.args.iter().cloned());
        }
        let name = |i: usize| lambda.params.get(i).and_then(|p| p.name.as_deref());
        if closure.unit.rules.converts() {
            // Only names that the body reads are parameters. Arguments with other names have no effect.
            let known = |wanted: &Name| lambda.params.iter().any(|p| p.name.as_ref() == Some(wanted));
            arguments.named.retain(|(wanted, _)| known(wanted));
        }
        let placed = self.bound(arguments, lambda.params.len(), &name, span)?;
        let env = closure.env.open();
        let mut slots = vec![None; lambda.slots.len()];
        let mut has_defaults = false;
        for (i, (param, given)) in lambda.params.iter().zip(placed).enumerate() {
            let value = match (given, param.default) {
                (Some(thunk), _) => thunk,
                (None, Some(default)) => {
                    has_defaults = true;
                    Thunk::of_node(&closure.unit, default, &env)
                }
                (None, None) => return Err(self.unbound_parameter(name(i).unwrap_or("_"), span)),
            };
            match closure.unit.term.pat(param.pat).kind {
                PatKind::Bind(slot) => {
                    if let Some(place) = slots.get_mut(slot as usize) {
                        *place = Some(value);
                    }
                }
                _ => self.must_match(&closure.unit, param.pat, &value, &env, &mut slots)?,
            }
        }
        env.fill(filled(slots));
        if has_defaults {
            self.register_frame(&env);
        }
        Ok(env)
    }
}
