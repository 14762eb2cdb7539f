//! `std.array.map` over an array literal. Each element is inferred as a separate argument, so that a problem names the element
//! and each result keeps its type. The signature has one type for all elements.

use crate::infer::Infer;
use crate::infer::units::Role;
use crate::infer::why::{UnifyReason, Why};
use crate::term::{Apply, Node, NodeId};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Failure, Param, Ty, TyRef};

impl Infer<'_> {
    /// Infers `std.contract.Sequence [A, B]`: a contract whose values have the first known type. `None` for other calls.
    pub(in crate::infer) fn sequence(&mut self, apply: &Apply) -> Option<TyRef> {
        let term = self.term.clone();
        let (module, function, args) = self.library_call(apply)?;
        let ("contract", "Sequence" | "all_of", [array]) = (module.as_str(), function.as_str(), args.as_slice()) else {
            return None;
        };
        let Node::Array(items) = term.node(*array) else { return None };
        let mut known: Option<TyRef> = None;
        // an unknown contract may change the value, unless it only checks it
        let mut changed = false;
        for item in items {
            let checks = match term.node(*item) {
                Node::Apply(call) => self
                    .library_call(call)
                    .is_some_and(|(module, function, _)| module == "contract" && function == "from_json_schema"),
                _ => false,
            };
            let accepted = self.contract(*item);
            let is_unknown = matches!(*accepted, Ty::Dyn(_));
            if !changed && known.as_ref().is_none_or(|ty| matches!(**ty, Ty::Dyn(_))) {
                known = Some(accepted);
            }
            changed |= is_unknown && !checks;
        }
        known.map(|ty| Ty::Contract(ty).into())
    }

    /// Infers `std.contract.any_of [A, B]`: a contract whose values have one of the types. If one of the contracts is not a type, the
    /// values can be anything. `None` for other calls.
    pub(in crate::infer) fn any_of(&mut self, apply: &Apply, span: Span) -> Option<TyRef> {
        let term = self.term.clone();
        let (module, function, args) = self.library_call(apply)?;
        let ("contract", "any_of", [array]) = (module.as_str(), function.as_str(), args.as_slice()) else {
            return None;
        };
        let Node::Array(items) = term.node(*array) else { return None };
        let because = UnifyReason::new(span, Why::Contract).unsure();
        let unknown: TyRef = Ty::Dyn(DynReason::Contract(span)).into();
        let mut joined: Option<TyRef> = None;
        for item in items {
            let accepted = self.contract(*item);
            let accepted = match &*self.table.head(&accepted) {
                Ty::Live(_) | Ty::Dyn(_) => unknown.clone(),
                _ => accepted,
            };
            joined = Some(match joined {
                None => accepted,
                Some(before) => self.join_quietly(&before, &accepted, &because),
            });
        }
        joined.map(|ty| Ty::Contract(ty).into())
    }

    /// Returns the type of such a call; `None` for other calls, and then no part of the call has been inferred.
    pub(in crate::infer) fn mapped_elements(&mut self, apply: &Apply, span: Span) -> Option<TyRef> {
        let term = self.term.clone();
        let (module, function, args) = self.library_call(apply)?;
        let ("array", "map", [f, array]) = (module.as_str(), function.as_str(), args.as_slice()) else { return None };
        let Node::Array(items) = term.node(*array) else { return None };
        if items.is_empty() {
            return None;
        }
        let from = self.enter();
        let step = self.expr(*f);
        self.leave_level(from);
        let step = self.generalise_value(&step);
        self.end_generalisation(from);

        let name = self.name_of(*f);
        let mut joined: Option<TyRef> = None;
        let mut fault = None;
        for item in items {
            let ty = self.in_unit(Role::Part, |infer| infer.element_result(&step, *item, *f, name.clone()));
            fault = fault.or_else(|| self.failure_in(&ty));
            let ty = self.without_failures(&ty);
            let because = UnifyReason::new(term.span(*item), Why::Argument(1, name.clone())).wanted(span).unsure();
            joined = Some(match joined {
                None => ty,
                Some(before) => self.join_quietly(&before, &ty, &because),
            });
        }
        self.solve();
        let item = joined.unwrap_or_else(|| self.fresh());
        let result: TyRef = Ty::Array(item).into();
        Some(match fault {
            Some(fault) => Ty::Fails(Failure { deep: true, ..fault }, result).into(),
            None => result,
        })
    }

    /// Returns the type of the result for one element.
    fn element_result(&mut self, step: &TyRef, item: NodeId, f: NodeId, name: Option<Name>) -> TyRef {
        let step = self.instantiate(step);
        let (head, by) = self.table.head_with(&step);
        let because = UnifyReason::new(self.term.span(item), Why::Argument(1, name)).wanted(self.term.span(f));
        match &*head {
            Ty::Fun(params, result) if params.len() == 1 => {
                let (Some(param), result) = (params.first().cloned(), result.clone()) else { return self.fresh() };
                let known = self.is_certain(by);
                self.argument(item, &param, true, known, &because);
                let result = self.force(&result);
                self.instantiate(&result)
            }
            _ => {
                let ty = self.lazily(item);
                let result = self.fresh();
                let wanted: TyRef = Ty::Fun(vec![Param::of(ty)], result.clone()).into();
                let unified = self.unify(&step, &wanted, &because.unsure());
                self.settle_clash(unified, &UnifyReason::new(self.term.span(f), Why::Called));
                self.solve();
                result
            }
        }
    }
}
