//! Functions and their calls.

use super::Infer;
use super::findings::Reported;
use super::scopes::Variable;
use super::unify::ClashKind;
use super::units::Role;
use super::why::{UnifyReason, Why};
use crate::term::{Apply, Lambda, Node, NodeId, PatKind};
use crate::text::{Name, Span};
use crate::ty::{Demand, DynReason, Field, Param, RefusedHeads, Sibling, Tail, Ty, TyRef};
use std::sync::Arc;

/// Depth of the parts that [`Infer::doubtful`] keeps.
const DOUBTFUL: usize = 3;
/// Maximum number of fields of a record that [`Infer::doubtful`] keeps.
const DOUBTFUL_FIELDS: usize = 32;

impl Infer<'_> {
    pub(super) fn lambda(&mut self, lambda: &Lambda) -> TyRef {
        let mut polymorphic = self.polymorphic_parameters(lambda.params.len()).into_iter();
        let mut params = Vec::with_capacity(lambda.params.len());
        for param in &lambda.params {
            let span = self.term.pat(param.pat).span;
            let chosen = |infer: &mut Self| {
                let ty = infer.fresh_of(span);
                infer.choose(&ty);
                ty
            };
            params.push(polymorphic.next().flatten().unwrap_or_else(|| chosen(self)));
        }
        let frame = self.scopes.open(Variable::unknown(&lambda.slots));
        let mut demands = Vec::with_capacity(params.len());
        let mut raises: Vec<Option<Span>> = vec![None; params.len()];
        let result = self.in_unit(Role::Perhaps, |infer| {
            let here = infer.units.current();
            let mut forced: Vec<Option<u32>> = Vec::with_capacity(params.len());
            for ((param, ty), raises) in lambda.params.iter().zip(&params).zip(&mut raises) {
                let mut bound = Vec::new();
                infer.bind_parameter(param.pat, ty, &mut bound);
                forced.push(match infer.term.pat(param.pat).kind {
                    PatKind::Bind(slot) => Some(slot),
                    _ => None,
                });
                for (slot, ty) in bound {
                    if let Some(v) = infer.scopes.variable_mut(slot) {
                        *v = Variable { unit: Some(here), name: v.name.take(), ..Variable::of(ty) };
                    }
                }
                if let Some(default) = param.default {
                    let given = infer.lazily(default);
                    *raises = matches!(&*infer.without_outer_failures(&given), Ty::Error(_))
                        .then(|| infer.term.span(default));
                    let because = UnifyReason::new(infer.term.span(default), Why::Default).unsure();
                    // a caller may pass an object or array of another type than the default, and anything in place of `null`
                    let any = infer.rules().extends()
                        && (matches!(&*infer.open_head(&given), Ty::Record(_) | Ty::Array(_))
                            || !infer.rules().converts() && matches!(infer.term.node(default), Node::Null));
                    if !any {
                        let unified = infer.unify(&given, ty, &because);
                        infer.settle_clash(unified, &because);
                    }
                }
            }
            let result = infer.expr(lambda.body);
            let seen = infer.units.take_forced();
            for ((slot, param), ty) in forced.into_iter().zip(&lambda.params).zip(&params) {
                let mut demand = Demand::Lazy;
                match slot {
                    Some(slot) => {
                        for part in seen.iter().filter(|part| part.frame == frame && part.slot == slot) {
                            demand.force(&part.path);
                        }
                    }
                    // a pattern forces its argument before the body is evaluated
                    None => {
                        demand.force(&[]);
                        let fields = infer.fields_asked_by(param.pat);
                        for (name, _) in fields.iter().filter(|(_, inspected)| *inspected) {
                            demand.force(std::slice::from_ref(name));
                        }
                        for (slot, mut path) in infer.parts_bound_by(param.pat) {
                            let length = path.len();
                            for part in seen.iter().filter(|part| part.frame == frame && part.slot == slot) {
                                path.truncate(length);
                                path.extend_from_slice(&part.path);
                                demand.force(&path);
                            }
                        }
                        infer.asked(&mut demand, ty);
                        // the field must be present, whatever its value is
                        for (name, _) in fields {
                            demand.force(&[name]);
                        }
                        demands.push(demand);
                        continue;
                    }
                }
                infer.asked(&mut demand, ty);
                demands.push(demand);
            }
            result
        });
        self.scopes.close();
        let params: Vec<Param> = params
            .into_iter()
            .zip(lambda.params.iter().zip(demands))
            .zip(raises)
            .map(|((ty, (p, demand)), raises)| Param {
                name: p.name.clone(),
                ty,
                optional: p.default.is_some(),
                demand,
                raises,
            })
            .collect();
        if !lambda.curried || params.is_empty() {
            return Ty::Fun(params, result).into();
        }
        params.into_iter().rev().fold(result, |result, p| Ty::Fun(vec![p], result).into())
    }

    /// Sets which heads of the forced parts make the current unit fail: all but that of the part's type, if that head is certain.
    fn asked(&mut self, demand: &mut Demand, ty: &TyRef) {
        let Demand::Forced(forced) = demand else { return };
        let (head, by) = self.table.head_with(ty);
        let forced = Arc::make_mut(forced);
        let known = !matches!(&*head, Ty::Live(_)) && self.is_certain(by);
        forced.refused = if known { RefusedHeads::Head } else { RefusedHeads::Nothing };
        if let Ty::Record(row) = &*head {
            let row = self.open_row(row);
            for (name, inner) in &mut forced.fields {
                if let Some(f) = row.get(name) {
                    self.asked(inner, &f.ty);
                }
            }
        }
    }

    pub(super) fn apply(&mut self, apply: &Apply, span: Span) -> TyRef {
        if let Some(ty) = self.library_form(apply, span) {
            return ty;
        }
        if let Some(ty) = self.match_of(apply) {
            return ty;
        }
        if let Some(ty) = self.call_of_to_string(apply) {
            return ty;
        }
        let mut at = self.expr(apply.func);
        let read = match &*at {
            Ty::Sibling(sibling, _) if !self.rules().extends() => Some(sibling.clone()),
            _ => None,
        };
        if let Some(ty) = self.exchanged_in_turn(apply, &at, span) {
            return ty;
        }
        let func_span = self.term.span(apply.func);
        let name = self.name_of(apply.func);
        let term = self.term.clone();
        let mut fits = true;
        // the result of the last argument, the type after its parameters, and their number
        let mut counted_parameters: Option<(TyRef, TyRef, usize)> = None;
        for (i, (_, arg)) in apply.args.iter().enumerate() {
            let (head, by) = self.table.head_with(&at);
            let why = Why::Argument(i as u32 + 1, name.clone());
            let found = self.findings.len();
            at = match &*head {
                Ty::Fun(params, result) if params.len() == 1 => {
                    let Some(param) = params.first().cloned() else { continue };
                    let result = result.clone();
                    // counted on from where the count for the last argument ended
                    let counted = counted_parameters.take().filter(|(from, _, count)| from.same(&at) && *count > 0);
                    let (end, count) = match counted {
                        Some((_, end, count)) => self.parameters_from(end, count - 1),
                        None => self.parameters_from(result.clone(), 0),
                    };
                    let enough = count < apply.args.len() - i;
                    counted_parameters = Some((result.clone(), end, count));
                    let because = self.reason_for(*arg, why).wanted(func_span).whole(&param.ty);
                    let known = self.is_certain(by);
                    fits &= self.argument(*arg, &param, enough, known, &because).1;
                    if let Node::Lambda(lambda) = term.node(apply.func)
                        && let Some(own) = lambda.params.get(i)
                        && self.misses(own.pat, *arg)
                    {
                        self.does_not_match(found, *arg, term.pat(own.pat).span);
                    }
                    result
                }
                Ty::Fun(params, result) => {
                    // a function of a language that passes all arguments at once
                    let (params, result) = (params.clone(), result.clone());
                    for (k, (_, arg)) in apply.args.iter().enumerate() {
                        let ty = self.lazily(*arg);
                        if let Some(p) = params.get(k) {
                            let because =
                                UnifyReason::new(self.term.span(*arg), why.clone()).wanted(func_span).unsure();
                            let unified = self.unify(&ty, &p.ty, &because);
                            self.settle_clash(unified, &because);
                        }
                    }
                    return self.force(&result);
                }
                Ty::Live(_) => {
                    let ty = self.lazily(*arg);
                    let result = self.fresh();
                    let fun: TyRef = Ty::Fun(vec![Param::of(ty)], result.clone()).into();
                    let because = UnifyReason::new(func_span, Why::Called);
                    let unified = self.unify(&head, &fun, &because);
                    self.demand(unified, &because);
                    self.solve();
                    result
                }
                Ty::Forall(_) => {
                    let ty = self.instantiate(&head);
                    self.apply_rest(ty, apply, i, span)
                }
                Ty::Dyn(_) | Ty::Bottom | Ty::Contract(_) => {
                    self.lazily(*arg);
                    head.clone()
                }
                Ty::Union(members) => {
                    let ty = self.lazily(*arg);
                    if !self.rules().extends() && members.iter().any(|member| !may_be_called(member)) {
                        let function: TyRef = Ty::Fun(vec![Param::of(ty)], self.fresh()).into();
                        let because = UnifyReason::new(func_span, Why::Called).unsure();
                        self.used_as_one(&head, &function, by, &because);
                    }
                    Ty::Dyn(DynReason::Computed(span)).into()
                }
                _ => {
                    let certain = self.is_certain(by);
                    for (_, rest) in apply.args.iter().skip(i) {
                        // `servers[0].name` is meant to read an element: it is one fault
                        let is_index = matches!(&*head, Ty::Array(_)) && self.begins_with_array(*rest);
                        if !is_index {
                            self.lazily(*rest);
                        }
                    }
                    let place = if i == 0 { func_span } else { term.span(*arg) };
                    self.not_a_function(&head, i as u32, place, certain);
                    return self.fresh();
                }
            };
            if matches!(&*head, Ty::Forall(_)) {
                return at;
            }
            let forced = self.force(&at);
            at = self.instantiate(&forced);
        }
        let mut ty = self.force(&at);
        if !fits {
            ty = self.result_of_unfit(ty, apply, span);
        }
        match read {
            // a merge may replace the function, and with it the type of the result
            Some(sibling) if !matches!(&*ty, Ty::Sibling(..)) => {
                let mut path = sibling.path.clone();
                path.extend(apply.args.iter().map(|_| Sibling::CALL));
                Ty::Sibling(Arc::new(Sibling { at: sibling.at, path, joined: sibling.joined }), ty).into()
            }
            _ => ty,
        }
    }

    /// Returns `true` if an expression is an array literal, or reads fields of one.
    fn begins_with_array(&self, mut node: NodeId) -> bool {
        loop {
            match self.term.node(node) {
                Node::Project(of, _) => node = *of,
                other => return matches!(other, Node::Array(_)),
            }
        }
    }

    /// Returns the type of a call of the library that is more precise than the signature; `None` for other calls.
    fn library_form(&mut self, apply: &Apply, span: Span) -> Option<TyRef> {
        let named = self.named_field(apply, span);
        named
            .or_else(|| self.gathering_fold(apply, span))
            .or_else(|| self.mapped_elements(apply, span))
            .or_else(|| self.sequence(apply))
            .or_else(|| self.any_of(apply, span))
    }

    /// Infers an argument and unifies it with its parameter. `saturated`: the call evaluates the function's body. `known`: the
    /// function that is called is certain to have this parameter. Returns the type of the argument, and whether it fits.
    pub(super) fn argument(
        &mut self,
        arg: NodeId,
        param: &Param,
        saturated: bool,
        known: bool,
        because: &UnifyReason,
    ) -> (TyRef, bool) {
        if matches!(*param.ty, Ty::Forall(_)) {
            return (self.polymorphic_argument(arg, param, because), true);
        }
        let lenient = self.objects.take_library_argument();
        let forced = param.demand.is_forced() && saturated && (known || !self.rules().extends());
        let null = lenient && forced && matches!(self.term.node(arg), Node::Null) && param.demand.refuses(&Ty::Null);
        let ty = match forced {
            true if null => self.strict(arg),
            true => self.expr(arg),
            false => self.lazily(arg),
        };
        if forced && param.demand.whole() {
            self.force_whole(&ty);
        }
        let wanted = self.table.head(&param.ty);
        let takes_text = lenient && !(forced && param.demand.refuses(&Ty::String));
        if let (true, Ty::Array(item), Ty::String) = (takes_text, &*wanted, &*self.table.head(&ty)) {
            // most library functions of object languages accept a string as the array of its characters
            let _ = self.unify(&Ty::String.into(), item, &because.clone().unsure());
            self.solve();
            return (ty, true);
        }
        let unified = self.unify(&ty, &param.ty, because);
        let fits = unified.is_ok();
        if let Err(clash) = unified {
            let mut demand = param.demand.clone();
            for step in clash.path.iter().rev() {
                demand = demand.field(step);
            }
            let met = match &clash.what {
                ClashKind::Missing { name, .. } => demand.field(name).is_forced(),
                ClashKind::Heads { found, .. } => demand.refuses(found),
                _ => demand.refuses_other_heads(),
            };
            // a literal tag is certain to be the value, so that the clash is certain too
            let tag = matches!(clash.what, ClashKind::Tag { .. }) && self.literals.contains(self.term.span(arg));
            let tag = tag && clash.path.is_empty() && !clash.deep && because.certain;
            let certain = (clash.found_certain && !clash.deep || tag) && met && saturated && known;
            // in the type of another file, the type of a parameter may be only that of its default
            let is_default = param.optional
                && !lenient
                && !certain
                && self.rules().extends()
                && !self.rules().converts()
                && clash.path.is_empty()
                && matches!(clash.what, ClashKind::Heads { expected_by: None, .. });
            let reported = self.findings.len();
            let fault = self.report_clash_in_unit(*clash, because, certain);
            if is_default
                && let Some(id) = fault.and_then(|fault| fault.id).filter(|id| *id as usize >= reported)
                && let Some(finding) = self.findings.get_mut(id)
            {
                finding.reported = Reported::IfReached;
            }
            self.doubt(&param.ty);
        }
        self.solve();
        (ty, fits)
    }

    /// Returns the type of the result of a call with an argument that does not fit its parameter. If the call succeeds nevertheless,
    /// a part of the argument may be the result, which the type of the function does not describe.
    fn result_of_unfit(&mut self, ty: TyRef, apply: &Apply, span: Span) -> TyRef {
        let scalar = matches!(&*self.table.head(&ty), Ty::Null | Ty::Bool | Ty::Number | Ty::String);
        match scalar && self.is_library(apply.func) {
            true => ty,
            false => self.doubtful(&ty, span, DOUBTFUL),
        }
    }

    /// Returns a type of which no part is certain down to `depth`; the parts below are unknown.
    fn doubtful(&mut self, ty: &TyRef, span: Span, depth: usize) -> TyRef {
        let head = self.table.head(ty);
        let unknown: TyRef = Ty::Dyn(DynReason::Computed(span)).into();
        let inner = match &*head {
            Ty::Null | Ty::Bool | Ty::Number | Ty::String | Ty::Enum(..) => head.clone(),
            Ty::Fun(..) => return unknown,
            Ty::Record(_) | Ty::Array(_) if depth == 0 => return unknown,
            Ty::Array(item) => Ty::Array(self.doubtful(item, span, depth - 1)).into(),
            Ty::Record(row) => {
                let row = self.open_row(row);
                if row.len() > DOUBTFUL_FIELDS {
                    return unknown;
                }
                let mut out = row.clone();
                for (name, f) in row.fields() {
                    let ty = self.doubtful(&f.ty, span, depth - 1);
                    out.insert(name.clone(), Field { ty, ..f.clone() });
                }
                if let Tail::Dict(item) = row.tail() {
                    out.set_tail(Tail::Dict(self.doubtful(item, span, depth - 1)));
                }
                Ty::Record(out).into()
            }
            _ => return ty.clone(),
        };
        let doubtful = self.fresh();
        let _ = self.unify(&inner, &doubtful, &UnifyReason::new(span, Why::Called).unsure());
        doubtful
    }

    /// Whether an expression is a part of the library.
    fn is_library(&self, mut id: NodeId) -> bool {
        while let Node::Project(target, _) = self.term.node(id) {
            id = *target;
        }
        matches!(self.term.node(id), Node::Global(name) if name == "std")
    }

    /// Infers the argument of a polymorphic parameter. The argument must be as general as the parameter.
    fn polymorphic_argument(&mut self, arg: NodeId, param: &Param, because: &UnifyReason) -> TyRef {
        let from = self.enter();
        let ty = self.lazily(arg);
        let unified = self.unify(&ty, &param.ty, &because.clone().unsure().general());
        self.settle_clash(unified, because);
        self.leave_level(from);
        self.end_generalisation(from);
        ty
    }

    /// Infers `std.to_string x` and `std.string.from x`, which fail for values without a text, as an interpolation does. `None` for
    /// other calls.
    fn call_of_to_string(&mut self, apply: &Apply) -> Option<TyRef> {
        let [(None, arg)] = apply.args.as_slice() else { return None };
        let Node::Project(module, function) = self.term.node(apply.func) else { return None };
        let path: Vec<Name> = match self.term.node(*module) {
            Node::Global(std) if function == "to_string" => vec![std.clone(), function.clone()],
            Node::Project(root, module) if function == "from" && module == "string" => match self.term.node(*root) {
                Node::Global(std) => vec![std.clone(), module.clone(), function.clone()],
                _ => return None,
            },
            _ => return None,
        };
        let std = path.first().filter(|std| *std == "std")?;
        if self.rules().extends() || self.host.global(std).is_some() {
            return None;
        }
        self.library_type(&path)?;
        self.interpolated(*arg);
        Some(Ty::String.into())
    }

    /// Infers `x |> match { … }`, the call of a function that matches its parameter, as a match of the argument. `None` for
    /// other calls.
    fn match_of(&mut self, apply: &Apply) -> Option<TyRef> {
        let term = self.term.clone();
        let [(None, arg)] = apply.args.as_slice() else { return None };
        let Node::Lambda(lambda) = term.node(apply.func) else { return None };
        let ([param], Node::Match(m)) = (lambda.params.as_slice(), term.node(lambda.body)) else { return None };
        let (PatKind::Bind(own), Node::Local { up: 0, slot }) = (&term.pat(param.pat).kind, term.node(m.scrutinee))
        else {
            return None;
        };
        if own != slot || param.default.is_some() {
            return None;
        }
        self.apply_match(m, *arg);
        // the match evaluates the argument only if a pattern inspects it
        let ty = self.in_own_unit(*arg);
        let mut slots = Variable::unknown(&lambda.slots);
        if let Some(s) = slots.get_mut(*slot as usize) {
            s.ty = ty;
        }
        self.scopes.open(slots);
        let ty = self.expr(lambda.body);
        self.scopes.close();
        Some(ty)
    }

    /// Applies a polymorphic function to the arguments from `from` on.
    fn apply_rest(&mut self, func: TyRef, apply: &Apply, from: usize, span: Span) -> TyRef {
        let mut at = func;
        for (i, (_, arg)) in apply.args.iter().enumerate().skip(from) {
            let ty = self.lazily(*arg);
            let result = self.fresh();
            let head = self.open_head(&at);
            let because =
                UnifyReason::new(self.term.span(*arg), Why::Argument(i as u32 + 1, None)).wanted(span).unsure();
            at = match &*head {
                Ty::Fun(params, result) => {
                    if let Some(p) = params.first() {
                        let unified = self.unify(&ty, &p.ty, &because);
                        self.settle_clash(unified, &because);
                    }
                    result.clone()
                }
                _ => {
                    let fun: TyRef = Ty::Fun(vec![Param::of(ty)], result.clone()).into();
                    let unified = self.unify(&head, &fun, &because);
                    self.settle_clash(unified, &because);
                    result
                }
            };
            self.solve();
            at = self.instantiate(&at);
        }
        at
    }

    /// Counts the parameters of a function that takes one argument at a time, on from `count`. Returns the type after the last one too.
    fn parameters_from(&mut self, function: TyRef, mut count: usize) -> (TyRef, usize) {
        let mut at = function;
        while let Ty::Fun(_, next) = &*self.table.head(&at) {
            count += 1;
            at = next.clone();
        }
        (at, count)
    }

    /// The name by which the program calls a function.
    pub(super) fn name_of(&self, func: NodeId) -> Option<Name> {
        match self.term.node(func) {
            Node::Local { up, slot } => {
                let variable = self.scopes.plain_variable(self.scopes.at(*up)?, *slot)?;
                variable.name.clone().filter(|name| !name.is_empty())
            }
            Node::Member { name, .. } | Node::Project(_, name) | Node::Global(name) => Some(name.clone()),
            _ => None,
        }
    }
}

/// Whether a member of a union may be a function.
fn may_be_called(ty: &Ty) -> bool {
    let scalar = matches!(ty, Ty::Null | Ty::Bool | Ty::Number | Ty::String | Ty::Enum(..));
    !scalar && !matches!(ty, Ty::Array(_) | Ty::Record(_))
}
