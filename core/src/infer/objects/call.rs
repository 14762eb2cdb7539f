//! Calls with all arguments at once, by position or by name.

use crate::infer::Infer;
use crate::infer::exchanged::exchanged;
use crate::infer::narrow::Head;
use crate::infer::why::{UnifyReason, Why};
use crate::problem::parameter_list;
use crate::problem::types::{CallFault, TypesKind};
use crate::term::rules::library_in_programs;
use crate::term::{Apply, Node, NodeId};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Param, Ty, TyRef};
use rustc_hash::FxHashMap;

impl Infer<'_> {
    /// Infers a call.
    pub(in crate::infer) fn call_all(&mut self, apply: &Apply, span: Span) -> TyRef {
        if let Some(ty) = self.external(apply) {
            return self.force(&ty);
        }
        if let Some(ty) = self.node_of_schema(apply, span) {
            return ty;
        }
        if let Some(ty) = self.exchanged_arguments(apply, span) {
            return ty;
        }
        if let Some(name) = self.library_function(apply.func)
            && let Some(ty) = self.library_result(&name, apply, span)
        {
            return self.force(&ty);
        }
        let floor = self.hold();
        let func = match self.method_of_another(apply.func) {
            Some(ty) => ty,
            None => self.strict(apply.func),
        };
        self.held();
        let ty = self.call_of(&func, apply, span);
        self.release(floor);
        ty
    }

    /// Infers the call of a function whose type is known.
    fn call_of(&mut self, func: &TyRef, apply: &Apply, span: Span) -> TyRef {
        let func_span = self.term.span(apply.func);
        let (head, by) = self.table.head_with(func);
        let known = self.is_certain(by);
        let head = match &*head {
            Ty::Forall(_) => {
                let ty = self.instantiate(&head);
                self.open_head(&ty)
            }
            _ => head,
        };
        let name = match self.term.node(apply.func) {
            Node::Project(_, name) | Node::Global(name) => Some(name.clone()),
            _ => None,
        };
        let lenient = matches!(self.term.node(apply.func), Node::Project(of, _)
            if matches!(self.term.node(*of), Node::Global(_)));
        let library = self.library_function(apply.func);
        let host = self.host_function(apply.func);
        let mut types = Vec::new();
        let mut lacks = Vec::new();
        match &*head {
            Ty::Fun(params, result) => {
                let (params, result) = (params.clone(), result.clone());
                // a function known only from its uses may have further parameters
                let known_by_use = !params.is_empty() && params.iter().all(|p| p.name.is_none());
                let mut given = vec![false; params.len()];
                let by_names = apply.args.iter().any(|(name, _)| name.is_some());
                let mut misnamed = false;
                let all_named = params.iter().all(|p| p.name.is_some());
                // the first parameter of each name
                let places: FxHashMap<Name, usize> = match by_names {
                    true => params.iter().enumerate().rev().filter_map(|(i, p)| Some((p.name.clone()?, i))).collect(),
                    false => FxHashMap::default(),
                };
                // a call with too many arguments fails before it looks at them
                let extra = match known_by_use {
                    true => &[],
                    false => apply.args.get(params.len()..).unwrap_or_default(),
                };
                let extra: Vec<Span> =
                    extra.iter().filter(|(name, _)| name.is_none()).map(|(_, arg)| self.term.span(*arg)).collect();
                for (i, (by_name, arg)) in apply.args.iter().enumerate() {
                    if !extra.is_empty() {
                        self.lazily(*arg);
                        continue;
                    }
                    let at = match by_name {
                        None => (i < params.len()).then_some(i),
                        Some(n) => places.get(n).copied(),
                    };
                    let arg_span = self.term.span(*arg);
                    let fault = match (at, by_name) {
                        // the parameters are the names that the body reads
                        (None, Some(_)) if self.rules().converts() => None,
                        (None, Some(n)) if all_named => {
                            let free = params.iter().zip(&given).filter(|(_, given)| !**given);
                            let names = free.filter_map(|(p, _)| p.name.as_deref());
                            let near = crate::text::near(n, names).into_iter().next();
                            let meant = near.as_ref().and_then(|near| params.get(*places.get(near)?));
                            misnamed |= meant.is_none_or(|param| !param.optional);
                            Some(CallFault::NoParameter { name: n.clone(), near })
                        }
                        (Some(k), Some(n)) if given.get(k) == Some(&true) => {
                            Some(CallFault::RepeatedArgument { name: n.clone() })
                        }
                        _ => None,
                    };
                    if let Some(fault) = fault {
                        self.lazily(*arg);
                        let what = self.call_fault(fault, apply.func, &head, &params);
                        self.report(arg_span, what, known);
                        continue;
                    }
                    let Some(k) = at else {
                        self.lazily(*arg);
                        continue;
                    };
                    if let Some(g) = given.get_mut(k) {
                        *g = true;
                    }
                    if let Some(param) = params.get(k) {
                        self.objects.library_argument = lenient;
                        let why = Why::Argument(k as u32 + 1, name.clone());
                        let because = UnifyReason::new(arg_span, why).wanted(func_span);
                        let (ty, _) = self.argument(*arg, param, true, known, &because);
                        if library.is_some() || host.is_some() {
                            types.extend(by_name.is_none().then_some((*arg, ty)));
                        } else {
                            self.unprovided(param, &ty, arg_span, &mut lacks);
                        }
                    }
                }
                if let [first, .., last] | [first @ last] = extra.as_slice() {
                    let fault = CallFault::TooMany { takes: params.len() as u32, extra: extra.len() as u32 };
                    let what = self.call_fault(fault, apply.func, &head, &params);
                    self.report(first.to(*last), what, known);
                    given.fill(true);
                }
                let missing = params.iter().zip(&given).position(|(p, given)| !p.optional && !given);
                // an argument with an unknown name was reported, and is probably the one that is missing
                if let (Some(k), false, false) = (missing, known_by_use, misnamed) {
                    let name = params.get(k).and_then(|p| p.name.clone());
                    let fault = CallFault::Missing { name, place: k as u32 + 1 };
                    let what = self.call_fault(fault, apply.func, &head, &params);
                    self.report(span, what, known);
                }
                self.not_passed(&params, &given, span, known);
                let result = self.force(&result);
                let result = self.instantiate(&result);
                let result = match &library {
                    Some(name) => {
                        self.library_arguments(name, &types, func_span);
                        self.library_refined(name, &types, result, span)
                    }
                    None => self.without_provided(result, &lacks),
                };
                let result = match &host {
                    Some(name) => self.host_result(name, &types, result, span),
                    None => result,
                };
                self.force(&result)
            }
            Ty::Live(v) => {
                let params = apply
                    .args
                    .iter()
                    .map(|(name, arg)| Param { name: name.clone(), ..Param::of(self.lazily(*arg)) })
                    .collect();
                let result = self.fresh();
                self.needed_as(*v, &result, None);
                let fun: TyRef = Ty::Fun(params, result.clone()).into();
                let because = UnifyReason::new(func_span, Why::Called);
                let unified = self.unify(&head, &fun, &because);
                self.demand(unified, &because);
                self.solve();
                result
            }
            Ty::Dyn(_) | Ty::Bottom | Ty::Contract(_) | Ty::Union(_) | Ty::Error(_) => {
                for (_, arg) in &apply.args {
                    self.lazily(*arg);
                }
                match &*head {
                    Ty::Dyn(_) | Ty::Bottom => head,
                    _ => Ty::Dyn(DynReason::Tested(span)).into(),
                }
            }
            _ => {
                for (_, arg) in &apply.args {
                    self.lazily(*arg);
                }
                self.not_a_function(&head, 0, func_span, known);
                self.fresh()
            }
        }
    }

    /// Describes a call whose arguments do not fit the parameters of its function.
    fn call_fault(&mut self, fault: CallFault, func: NodeId, head: &TyRef, params: &[Param]) -> TypesKind {
        let library = self.library_function(func).is_some();
        let usage = self.usage(func, params);
        let defined = if library { None } else { self.parameters_of(func, params) };
        TypesKind::Call { fault, function: self.mono(head), usage: usage.map(Name::from), defined }
    }

    /// Returns the call of a function as it is written, with the names of its parameters: `f(a, b=…)`. `None` if they have no names.
    fn usage(&mut self, func: NodeId, params: &[Param]) -> Option<String> {
        let names = params.iter().map(|p| Some((p.name.as_deref()?, p.optional))).collect::<Option<Vec<_>>>()?;
        let name = match self.library_function(func) {
            Some(name) => format!("{}.{name}", library_in_programs(self.rules().library)),
            // other names are those of the session, or have words that languages add
            None => {
                let is_plain = |name: &Name| name.chars().all(|c| c.is_alphanumeric() || c == '_');
                self.name_of(func).filter(is_plain).map_or_else(String::new, |name| name.to_string())
            }
        };
        Some(format!("{name}{}", parameter_list(names.into_iter())))
    }

    /// Returns the span of the parameters of a function that this file defines: of the only local, or of the only method, of that name
    /// with these parameters. O(the file) for the first report, then O(parameters).
    fn parameters_of(&self, func: NodeId, params: &[Param]) -> Option<Span> {
        let term = &self.term;
        let lambda = match term.node(func) {
            Node::Local { .. } => self.literals_by_place().local(term, &self.name_of(func)?)?,
            Node::Project(_, name) => self.literals_by_place().method(term, name)?,
            _ => return None,
        };
        let same = lambda.params.iter().map(|p| &p.name).eq(params.iter().map(|p| &p.name));
        let place = |param: &crate::term::Param| term.pat(param.pat).span;
        match (lambda.params.first(), lambda.params.last()) {
            (Some(first), Some(last)) if same => Some(place(first).to(place(last))),
            _ => None,
        }
    }

    /// Reports the arguments of a call of the library that fit only if two of them are exchanged, as far as literals and variables
    /// show. Returns the type of the call; `None` for other calls, of which nothing was inferred.
    fn exchanged_arguments(&mut self, apply: &Apply, span: Span) -> Option<TyRef> {
        if apply.args.len() < 2 || apply.args.iter().any(|(name, _)| name.is_some()) {
            return None;
        }
        let function = self.library_function(apply.func)?;
        let heads: Vec<Option<Head>> = apply.args.iter().map(|(_, arg)| self.apparent_head(*arg)).collect();
        if heads.iter().flatten().count() < 2 {
            return None;
        }
        let func = self.strict(apply.func);
        let func = self.instantiate(&func);
        let Ty::Fun(params, _) = &*self.open_head(&func) else { return None };
        let takes =
            |place: usize, head| params.get(place).is_none_or(|param| self.takes(&function, place, param, head));
        let found = exchanged(&heads, takes)?;
        let name = |place: usize| params.get(place).and_then(|param| param.name.clone()).unwrap_or_default();
        let [first, other] =
            found.places.map(|place| apply.args.get(place).map_or(span, |(_, arg)| self.term.span(*arg)));
        let fault = found.fault(Some(found.places.map(name)), other);
        let what = self.call_fault(fault, apply.func, &func, params);
        for (_, arg) in &apply.args {
            self.lazily(*arg);
        }
        self.report(first, what, true);
        Some(Ty::Dyn(DynReason::Computed(span)).into())
    }

    /// Whether a function of the library takes a value of a kind at a position.
    fn takes(&self, function: &str, place: usize, param: &Param, head: Head) -> bool {
        if let Some(heads) = super::library::several(function, place) {
            return heads.contains(&head);
        }
        let value = crate::infer::narrow::shape(head, self.root_span());
        match crate::infer::narrow::is_of(&param.ty, head) {
            Some(false) => matches!(&*param.ty, Ty::Array(_)) && head == Head::String && !param.demand.refuses(&value),
            _ => true,
        }
    }

    /// Returns the type of a method that the enclosing object lacks, for one call; another object may supply it. Each call may use
    /// the method with other types. `None` for other expressions.
    fn method_of_another(&mut self, func: NodeId) -> Option<TyRef> {
        let term = self.term.clone();
        let Node::Project(target, name) = term.node(func) else { return None };
        let at = self.object_of(*target)?;
        if self.rules().converts() || self.scopes.member(at, name).is_some() || self.viewed(func).is_some() {
            return None;
        }
        let ty = self.needed_method(at, name, func);
        self.keep_type(func, &ty);
        Some(ty)
    }

    /// Returns the type of `std.extVar('x')` if the external variable is known.
    fn external(&mut self, apply: &Apply) -> Option<TyRef> {
        let term = self.term.clone();
        let Node::Project(of, name) = term.node(apply.func) else { return None };
        let (Node::Global(_), "extVar", [(_, arg)]) = (term.node(*of), name.as_str(), apply.args.as_slice()) else {
            return None;
        };
        let Node::Str(variable) = term.node(*arg) else { return None };
        let scheme = self.host.external(variable)?;
        let ty = crate::infer::library::closed(&scheme);
        Some(self.instantiate(&ty))
    }

    /// Pairs the parameters of a function with those that a caller expects, by position in each list. `None` if the function cannot
    /// be called that way. Parameters with the same name are paired; parameters that the caller does not pass must be optional.
    pub(in crate::infer) fn pairs(&self, found: &[Param], expected: &[Param]) -> Option<Vec<(usize, usize)>> {
        let mut pairs = Vec::with_capacity(expected.len());
        for (j, q) in expected.iter().enumerate() {
            let by_name = q.name.as_ref().and_then(|n| found.iter().position(|p| p.name.as_ref() == Some(n)));
            let i = by_name.or((j < found.len() && !pairs.iter().any(|(i, _)| *i == j)).then_some(j));
            match i {
                Some(i) => pairs.push((i, j)),
                None if q.optional => {}
                None => return None,
            }
        }
        let given = |i: usize| pairs.iter().any(|(k, _)| *k == i);
        found.iter().enumerate().all(|(i, p)| p.optional || given(i)).then_some(pairs)
    }
}
