//! Calls of the functions of a language that converts its operands, where a signature cannot express their types: a result that is one of
//! several types, and arguments of which each may have another type.

use crate::infer::Infer;
use crate::infer::why::{UnifyReason, Why};
use crate::term::{Node, NodeId, rules};
use crate::text::{Name, Span};
use crate::ty::{Presence, Ty, TyRef};

/// The functions whose first argument may be a text, a list or a dictionary.
const COUNTED: &str = "len";

impl Infer<'_> {
    /// Returns the name of the function of a converting language's library that a call names.
    pub(super) fn host_function(&self, func: NodeId) -> Option<Name> {
        if !self.rules().converts() {
            return None;
        }
        match self.term.node(func) {
            Node::Project(of, name) => match self.term.node(*of) {
                Node::Global(library) if rules::is_library(library) => Some(name.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the type of the result of a call, given the result type in the signature. `args` are the arguments that were passed by
    /// position, with their types.
    pub(super) fn host_result(&mut self, name: &str, args: &[(NodeId, TyRef)], result: TyRef, span: Span) -> TyRef {
        let because = UnifyReason::new(span, Why::Merge).unsure();
        match (name, args) {
            ("default", [(_, value), (_, fallback)]) => {
                let [value, fallback] = [value, fallback].map(|ty| self.without_failures(ty));
                self.join_quietly(&value, &fallback, &because)
            }
            ("items", [(_, dict)]) => {
                let Some(values) = self.values_of(dict, &because) else { return result };
                let pair = self.join_quietly(&Ty::String.into(), &values, &because);
                Ty::Array(Ty::Array(pair).into()).into()
            }
            ("zip", [(_, first), (_, second)]) => {
                let (Some(first), Some(second)) = (self.item_of(first), self.item_of(second)) else {
                    return result;
                };
                Ty::Array(Ty::Array(self.join_quietly(&first, &second, &because)).into()).into()
            }
            (COUNTED, [(arg, ty)]) => {
                self.counted(*arg, ty);
                result
            }
            _ => result,
        }
    }

    /// Returns the type of the values of a dictionary whose keys are known.
    fn values_of(&mut self, dict: &TyRef, because: &UnifyReason) -> Option<TyRef> {
        let dict = self.without_failures(dict);
        let dict = self.instantiate(&dict);
        let head = self.open_head(&dict);
        let Ty::Record(row) = &*head else { return None };
        let row = self.open_row(row);
        if !matches!(row.tail(), crate::ty::Tail::Closed) {
            return None;
        }
        let mut all: Option<TyRef> = None;
        for (_, field) in row.fields().filter(|(_, field)| field.presence != Presence::No && !field.hidden) {
            let ty = self.without_failures(&field.ty);
            all = Some(match all {
                Some(all) => self.join_quietly(&all, &ty, because),
                None => ty,
            });
        }
        all
    }

    /// Returns the type of the elements of a list.
    fn item_of(&mut self, list: &TyRef) -> Option<TyRef> {
        let list = self.without_failures(list);
        match &*self.open_head(&list) {
            Ty::Array(element) => Some(element.clone()),
            _ => None,
        }
    }

    /// Checks that a value has a length: a text, a number, a list or a dictionary.
    fn counted(&mut self, arg: NodeId, ty: &TyRef) {
        let (head, by) = self.table.head_with(ty);
        if !matches!(*head, Ty::Fun(..)) {
            return;
        }
        let span = self.term.span(arg);
        let why = Why::Argument(1, Some(Name::new_static(COUNTED)));
        let because = UnifyReason::new(span, why).sure_if(self.is_certain(by));
        let wanted: TyRef = Ty::Union(vec![Ty::String.into(), Ty::Array(self.fresh()).into()]).into();
        let clash = self.clash_of_heads(&head, &wanted, None, None, &because);
        self.demand(Err(clash), &because);
    }
}
