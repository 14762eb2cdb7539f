//! Function calls in object languages, with positional and named arguments and with defaults.

use super::kind;
use crate::problem::parameter_list;
use crate::problem::value::{ValueKind, ValueOrigin};
use crate::term::{Lambda, Node, PatKind};
use crate::text::{Name, Span};
use crate::value::env::{Closure, Env};
use crate::value::eval::Next;
use crate::value::eval::apply::parameters_of;
use crate::value::eval::bind::filled;
use crate::value::{Call, Fault, Machine, Partial, Thunk, Value};
use rustc_hash::FxHashMap;

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
        let described = |mistake| {
            Fault::undefined(words(&mistake), Some(span))
                .change(|p| p.origins.push(library_function(partial, &mistake)))
        };
        let placed = bound(arguments, params.len(), &|i| params.get(i).map(|p| p.name)).map_err(described)?;
        let mut args = Vec::with_capacity(params.len());
        for (param, given) in params.iter().zip(placed) {
            args.push(match (given, param.default) {
                (Some(thunk), _) => thunk,
                (None, Some(default)) => default(),
                (None, None) => return Err(described(Mistake::Missing(Name::new_static(param.name)))),
            });
        }
        let call = Call { span: Some(span), name: native.name, places: [None; 3], revision: partial.revision };
        let frames = super::frames::library_frames(native.name);
        self.in_frames(frames, |machine| (native.run)(machine, &args, &call)).map_err(|fault| {
            let own = matches!(fault.what(), Some(ValueKind::Undefined { span: at, .. }) if *at == Some(span));
            match native.signatures.filter(|_| own && !fault.is_described()) {
                Some(signatures) => super::arguments::described(fault, &native, signatures, &args),
                None => fault,
            }
            .called_at(span)
        })
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
        let described = |mistake| {
            let origin = literal(closure, lambda, &mistake);
            Fault::undefined(words(&mistake), Some(span)).change(|problem| problem.origins.push(origin))
        };
        let placed = bound(arguments, lambda.params.len(), &name).map_err(described)?;
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
                (None, None) => return Err(described(Mistake::Missing(Name::new(name(i).unwrap_or("_"))))),
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

/// The way in which the arguments of a call do not fit the parameters of its function.
enum Mistake {
    /// More arguments than parameters: the number of both.
    TooMany { takes: usize, given: usize },
    /// An argument for a parameter that there is not, and a similar parameter.
    NoParameter(Name, Option<Name>),
    /// Two arguments for one parameter.
    Twice(Name),
    /// A parameter without an argument and without a default.
    Missing(Name),
}

/// Maximum number of named arguments whose parameters are looked for one by one.
const FEW: usize = 16;

/// Returns the argument of each parameter; `None` if the call has none for it. Fails if an argument has no parameter, or if a
/// parameter has two arguments.
fn bound<'n>(
    arguments: Arguments,
    count: usize,
    name: &dyn Fn(usize) -> Option<&'n str>,
) -> Result<Vec<Option<Thunk>>, Mistake> {
    if arguments.placed.len() > count {
        return Err(Mistake::TooMany { takes: count, given: arguments.placed.len() });
    }
    let mut placed: Vec<Option<Thunk>> = arguments.placed.into_iter().map(Some).collect();
    placed.resize(count, None);
    let by_name: Option<FxHashMap<&str, usize>> =
        (arguments.named.len() > FEW).then(|| (0..count).rev().filter_map(|i| Some((name(i)?, i))).collect());
    for (wanted, thunk) in arguments.named {
        let at = match &by_name {
            Some(by_name) => by_name.get(wanted.as_str()).copied(),
            None => (0..count).find(|i| name(*i) == Some(wanted.as_str())),
        };
        match at.and_then(|at| placed.get_mut(at)) {
            Some(Some(_)) => return Err(Mistake::Twice(wanted)),
            Some(free) => *free = Some(thunk),
            None => {
                let near = crate::text::near(&wanted, (0..count).filter_map(name)).into_iter().next();
                return Err(Mistake::NoParameter(wanted, near));
            }
        }
    }
    Ok(placed)
}

/// Returns the message of the reference.
#[cold]
fn words(mistake: &Mistake) -> String {
    match mistake {
        Mistake::TooMany { takes, .. } => format!("too many args, function has {takes} parameter(s)"),
        Mistake::NoParameter(name, _) => format!("function has no parameter {name}"),
        Mistake::Twice(name) => format!("binding parameter a second time: {name}"),
        Mistake::Missing(name) => format!("function parameter {name} not bound in call."),
    }
}

/// Suggests what to do. `or`: what can be done to the function instead of the call.
fn help(mistake: &Mistake, [or_add, or_default]: [&str; 2]) -> String {
    match mistake {
        Mistake::TooMany { takes, given } => match given - takes {
            1 => format!("remove the last argument{or_add}"),
            count => format!("remove the last {count} arguments{or_add}"),
        },
        Mistake::NoParameter(_, Some(near)) => format!("did you mean `{near}=…`?"),
        Mistake::NoParameter(..) => String::from("an argument has the name of one of these parameters, or no name"),
        Mistake::Twice(name) => format!("`{name}` is passed twice, by its place or its name: remove one of both"),
        Mistake::Missing(name) => format!("pass `{name}`, by its place or as `{name}=…`{or_default}"),
    }
}

/// Describes a function of a library that is called with arguments that do not fit.
#[cold]
fn library_function(partial: &Partial, mistake: &Mistake) -> ValueOrigin {
    let help = partial.native.signatures.map(|_| Name::from(help(mistake, [""; 2])));
    ValueOrigin::Function { usage: Name::from(partial.native.usage()), span: None, help }
}

/// Describes a function of a program that is called with arguments that do not fit.
#[cold]
fn literal(closure: &Closure, lambda: &Lambda, mistake: &Mistake) -> ValueOrigin {
    let params = lambda.params.iter().map(|param| (param.name.as_deref().unwrap_or("_"), param.default.is_some()));
    let usage = Name::from(parameter_list(params));
    let span = parameters_of(closure, lambda).unwrap_or_else(|| closure.unit.span(closure.node));
    let or = [", or add a parameter to the function", ", or give the parameter a default"];
    // a language that converts operands has its own suggestions
    let help = (!closure.unit.rules.converts()).then(|| Name::from(help(mistake, or)));
    ValueOrigin::Function { usage, span: Some(span), help }
}
