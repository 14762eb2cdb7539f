//! Function application: function literals, library functions, and functions with contracts.

use super::Next;
use super::bind::filled;
use super::objects::call::Arguments;
use crate::problem::value::{ExtraArguments, ValueKind};
use crate::term::{Apply, Lambda, Node, NodeId, PatKind};
use crate::text::{Name, Span};
use crate::value::env::{Closure, Env, Unit};
use crate::value::native::{Partial, VARIADIC};
use crate::value::{Call, Fault, Machine, Thunk, Value};
use std::rc::Rc;

impl Machine {
    #[inline(never)]
    pub(super) fn apply(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        apply: &Apply,
        env: &Env,
        call: &mut Option<Span>,
    ) -> Result<Next, Fault> {
        let function = self.eval(unit, apply.func, env)?;
        let span = unit.span(node);
        let plain = !apply.tailstrict && apply.args.iter().all(|(name, _)| name.is_none());
        // The usual call: a function literal with as many arguments as it has parameters.
        if let Value::Function(closure) = &function
            && let Node::Lambda(lambda) = closure.unit.node(closure.node)
            && closure.args.is_empty()
            && lambda.params.len() == apply.args.len()
            && plain
        {
            call.get_or_insert(span);
            self.push_call()?;
            let args = apply.args.iter().map(|(_, a)| Thunk::of_node(unit, *a, env));
            let inner = self.enter(closure, lambda, args)?;
            return Ok(Next::Tail(closure.unit.clone(), lambda.body, inner));
        }
        if unit.rules.calls_whole() || !plain {
            let mut arguments = Arguments { placed: Vec::with_capacity(apply.args.len()), named: Vec::new() };
            for (name, arg) in &apply.args {
                let thunk = Thunk::of_node(unit, *arg, env);
                match name {
                    None => arguments.placed.push(thunk),
                    Some(name) => arguments.named.push((name.clone(), thunk)),
                }
            }
            let strict: Vec<Thunk> = if apply.tailstrict {
                arguments.placed.iter().chain(arguments.named.iter().map(|(_, thunk)| thunk)).cloned().collect()
            } else {
                Vec::new()
            };
            let next = self.call_whole(&function, arguments, span, call).map_err(|fault| match &function {
                Value::Native(partial) => super::objects::arguments::placed(fault, &partial.native, unit, apply),
                _ => fault,
            })?;
            let frames = self.frames.count;
            for thunk in &strict {
                self.force(thunk)?;
            }
            if apply.tailstrict
                && let Next::Tail(_, _, inner) = &next
            {
                // `tailstrict` also forces the defaults.
                for slot in 0.. {
                    let Some(thunk) = inner.slot(0, slot).cloned() else { break };
                    self.force(&thunk)?;
                }
                self.mark_tail(frames);
            }
            return Ok(next);
        }
        let args: Vec<Thunk> = apply.args.iter().map(|(_, a)| Thunk::of_node(unit, *a, env)).collect();
        let places = |i: usize| apply.args.get(i).map(|(_, a)| unit.span(*a));
        self.apply_to(function, &args, span, Some(unit.span(apply.func)), &places, call)
    }

    /// Binds the parameters of a function literal in a new frame.
    pub(super) fn enter(
        &mut self,
        closure: &Closure,
        lambda: &Lambda,
        args: impl Iterator<Item = Thunk>,
    ) -> Result<Env, Fault> {
        let pats = &closure.unit.term;
        let simple = lambda.slots.len() == lambda.params.len()
            && lambda
                .params
                .iter()
                .enumerate()
                .all(|(i, p)| matches!(pats.pat(p.pat).kind, PatKind::Bind(s) if s as usize == i));
        if simple {
            let mut args = args;
            return Ok(match (lambda.params.len(), args.next(), args.next()) {
                (1, Some(only), _) => closure.env.with_one(only),
                (2, Some(first), Some(second)) => closure.env.with_two([first, second]),
                (_, first, second) => closure.env.with(first.into_iter().chain(second).chain(args).collect()),
            });
        }
        let env = closure.env.open();
        let mut slots = vec![None; lambda.slots.len()];
        for (param, arg) in lambda.params.iter().zip(args) {
            self.must_match(&closure.unit, param.pat, &arg, &env, &mut slots)?;
        }
        env.fill(filled(slots));
        Ok(env)
    }

    /// Applies a value to arguments. If there are more arguments than parameters, the result is applied to the rest.
    pub(super) fn apply_to(
        &mut self,
        function: Value,
        args: &[Thunk],
        span: Span,
        place: Option<Span>,
        places: &dyn Fn(usize) -> Option<Span>,
        call: &mut Option<Span>,
    ) -> Result<Next, Fault> {
        let mut function = function;
        let count = args.len();
        let mut args = args;
        let mut given = false;
        let mut literal: Option<Span> = None;
        loop {
            match &function {
                Value::Function(closure) => {
                    let Node::Lambda(lambda) = closure.unit.node(closure.node) else {
                        return Err(Fault::undefined("not a function literal", Some(span)));
                    };
                    let wanted = lambda.params.len().saturating_sub(closure.args.len());
                    if args.len() < wanted && !lambda.curried && required(lambda, closure.args.len() + args.len()) == 0
                    {
                        // The remaining parameters have defaults.
                        call.get_or_insert(span);
                        self.push_call()?;
                        let arguments = Arguments { placed: args.to_vec(), named: Vec::new() };
                        let env = self.enter_whole(closure, lambda, arguments, span)?;
                        return Ok(Next::Tail(closure.unit.clone(), lambda.body, env));
                    }
                    if args.len() < wanted {
                        let args = closure.args.iter().chain(args).cloned().collect();
                        let (unit, env) = (closure.unit.clone(), closure.env.clone());
                        let partial = Closure { unit, node: closure.node, env, args };
                        return Ok(Next::Value(Value::Function(Rc::new(partial))));
                    }
                    let (now, later) = args.split_at(wanted);
                    if !later.is_empty() && literal.is_none() {
                        literal = parameters_of(closure, lambda);
                    }
                    call.get_or_insert(span);
                    self.push_call()?;
                    let env = self.enter(closure, lambda, closure.args.iter().chain(now).cloned())?;
                    if later.is_empty() {
                        return Ok(Next::Tail(closure.unit.clone(), lambda.body, env));
                    }
                    function = self.eval(&closure.unit, lambda.body, &env)?;
                    args = later;
                }
                Value::Native(partial) if partial.native.params.is_some() => {
                    let arguments = Arguments { placed: args.to_vec(), named: Vec::new() };
                    return self.call_whole(&function, arguments, span, call);
                }
                Value::Native(partial) if partial.native.arity == VARIADIC => {
                    let (native, revision) = (partial.native, partial.revision);
                    let places = [places(0), places(1), places(2)];
                    let at = Call { span: Some(span), name: native.name, places, revision };
                    call.get_or_insert(span);
                    return (native.run)(self, args, &at).map(Next::Value).map_err(|f| f.called_at(span));
                }
                Value::Native(partial) => {
                    let (native, revision) = (partial.native, partial.revision);
                    let wanted = usize::from(native.arity).saturating_sub(partial.args.len());
                    if args.len() < wanted {
                        let args = partial.args.iter().chain(args).cloned().collect();
                        return Ok(Next::Value(Value::Native(Rc::new(Partial { native, args, revision }))));
                    }
                    let (now, later) = args.split_at(wanted);
                    let from = count - args.len();
                    let given = partial.args.len();
                    let place = |i: usize| i.checked_sub(given).and_then(|i| places(from + i));
                    let places = [place(0), place(1), place(2)];
                    let at = Call { span: Some(span), name: native.name, places, revision };
                    let result = if partial.args.is_empty() {
                        (native.run)(self, now, &at)
                    } else {
                        let all: Vec<Thunk> = partial.args.iter().chain(now).cloned().collect();
                        (native.run)(self, &all, &at)
                    };
                    function = result.map_err(|f| f.called_at(span))?;
                    args = later;
                }
                Value::Guarded(guarded) => {
                    let Some((first, later)) = args.split_first() else { return Ok(Next::Value(function)) };
                    let guarded = guarded.clone();
                    function = self.call_guarded(&guarded, first, span, places(count - args.len()))?;
                    args = later;
                }
                Value::Sealed(sealed) => {
                    let sealed = sealed.clone();
                    return Err(self.inspected_sealed(&sealed));
                }
                other => {
                    let found = Name::new(other.type_name());
                    let taken = count - args.len();
                    return Err(Fault::new(ValueKind::NotAFunction {
                        found,
                        span: places(taken).filter(|_| given).or(place).or(Some(span)),
                        extra: given.then_some(ExtraArguments { takes: taken, given: count, function: literal }),
                    }));
                }
            }
            given = true;
            if args.is_empty() {
                return Ok(Next::Value(function));
            }
        }
    }

    /// Applies a function to arguments.
    pub fn call(&mut self, function: &Value, args: &[Thunk], call: &Call) -> Result<Value, Fault> {
        let nowhere = Span::new(crate::text::SourceId(u32::MAX), 0, 0);
        let span = call.span.unwrap_or(nowhere);
        let mut first = None;
        let frames = self.frames.count;
        let next = match function {
            Value::Function(closure) if !closure.is_curried() => {
                // The usual call: as many arguments as there are parameters.
                if let Node::Lambda(lambda) = closure.unit.node(closure.node)
                    && closure.args.is_empty()
                    && lambda.params.len() == args.len()
                {
                    let env = self.enter(closure, lambda, args.iter().cloned())?;
                    let (unit, body) = (closure.unit.clone(), lambda.body);
                    self.push_frame().map_err(|f| f.called_at(span))?;
                    let result = self.deeper(|m| m.eval_here(unit, body, env)).map_err(|f| f.called_at(span));
                    self.frames.count = frames;
                    return result;
                }
                let arguments = Arguments { placed: args.to_vec(), named: Vec::new() };
                self.call_whole(function, arguments, span, &mut first).map_err(|fault| fault.called_with(args.len()))?
            }
            _ => self.apply_to(function.clone(), args, span, None, &|_| None, &mut first)?,
        };
        let result = match next {
            Next::Value(value) => Ok(value),
            Next::Tail(unit, node, env) => self.deeper(|m| m.eval_here(unit, node, env)).map_err(|f| f.called_at(span)),
        };
        self.frames.count = frames;
        result
    }
}

/// Returns the span of the parameters of a function literal.
pub(super) fn parameters_of(closure: &Closure, lambda: &Lambda) -> Option<Span> {
    let span = |param: &crate::term::Param| closure.unit.term.pat(param.pat).span;
    let (first, last) = (lambda.params.first()?, lambda.params.last()?);
    Some(span(first).to(span(last)))
}

/// Returns the number of parameters from an index on that have no default.
fn required(lambda: &Lambda, from: usize) -> usize {
    lambda.params.iter().skip(from).filter(|p| p.default.is_none()).count()
}
