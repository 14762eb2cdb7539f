//! Calls in languages with exact types: all arguments at once, by position.

use crate::infer::Infer;
use crate::infer::why::{UnifyReason, Why};
use crate::problem::types::TypesKind;
use crate::term::rules::{FOR_ELEMENTS, FOR_ENTRIES};
use crate::term::{Apply, Node, NodeId, Number};
use crate::text::{Name, Span};
use crate::ty::{Param, Ty, TyRef};

/// A constant argument.
#[derive(Clone, PartialEq, Debug)]
pub enum Constant {
    /// A string.
    Str(Name),
    /// A number.
    Number(Number),
    /// A boolean.
    Bool(bool),
}

/// The arguments of a call of a library function, as far as they are known before the call's type is inferred.
#[derive(Clone, Debug)]
pub struct PartialCall {
    /// The arguments that are constants.
    pub constants: Vec<Option<Constant>>,
    /// The types of the arguments, as far as they are known.
    pub types: Vec<TyRef>,
}

impl Infer<'_> {
    /// Infers a loop over the elements of a list or the entries of a map. `body` is a function of the index or key and the value, which
    /// returns a graph.
    fn loop_over(&mut self, all: NodeId, body: NodeId, entries: bool) -> TyRef {
        let name = Some(Name::new_static(if entries { "forkv" } else { "for" }));
        let value = self.fresh();
        let (key, wanted): (TyRef, TyRef) = match entries {
            true => {
                let key = self.fresh();
                (key.clone(), Ty::Map(key, value.clone()).into())
            }
            false => (Ty::Int.into(), Ty::Array(value.clone()).into()),
        };
        let ty = self.expr(all);
        let because = self.reason_for(all, Why::Argument(1, name.clone()));
        self.must(&ty, &wanted, because);
        let func = self.expr(body);
        let graph = self.graph();
        let wanted = Ty::Fun([key, value].into_iter().map(Param::of).collect(), graph.clone()).into();
        let because = self.reason_for(body, Why::Argument(2, name));
        self.must(&func, &wanted, because);
        graph
    }

    pub(super) fn exact_apply(&mut self, apply: &Apply, span: Span, id: NodeId) -> TyRef {
        let path = self.library_path(apply.func);
        if let Some(path) = &path
            && path.last().is_some_and(|name| name.starts_with('%'))
        {
            if let (Some(name), [(_, all), (_, body)]) = (path.last(), apply.args.as_slice())
                && (name == FOR_ELEMENTS || name == FOR_ENTRIES)
            {
                return self.loop_over(*all, *body, name == FOR_ENTRIES);
            }
            // the functions that make the graph of resources
            for (_, arg) in &apply.args {
                self.expr(*arg);
            }
            return self.graph();
        }
        let mut types = Vec::with_capacity(apply.args.len());
        for (_, arg) in &apply.args {
            types.push(self.expr(*arg));
        }
        let dependent = match &path {
            Some(path) => {
                let constants = apply.args.iter().map(|(_, arg)| self.constant_of(*arg)).collect();
                let heads = types.iter().map(|ty| self.table.head(ty)).collect();
                self.host.call(path, &PartialCall { constants, types: heads })
            }
            None => None,
        };
        let name = self.called_name(apply.func);
        let func = match dependent {
            Some(Ok(scheme)) => {
                let ty = self.instantiate_scheme(&scheme);
                self.keep_type(apply.func, &ty);
                ty
            }
            Some(Err(why)) => {
                self.report(span, TypesKind::RejectedCall { name: name.unwrap_or_default(), why }, true);
                self.taint(types.iter());
                return self.fresh();
            }
            None => {
                let outer = self.exact.call.replace(span);
                let func = self.expr(apply.func);
                self.exact.call = outer;
                func
            }
        };
        let head = self.table.head(&func);
        match &*head {
            Ty::Fun(params, result) => {
                let (params, result) = (params.clone(), result.clone());
                if params.len() != types.len() {
                    let function = self.mono(&head);
                    let (takes, given) = (params.len(), types.len());
                    self.report(span, TypesKind::Arguments { function, name, takes, given }, true);
                    self.taint(types.iter().chain([&result]));
                    return result;
                }
                for (i, (((_, arg), ty), param)) in apply.args.iter().zip(&types).zip(&params).enumerate() {
                    let because = self.reason_for(*arg, Why::Argument(i as u32 + 1, name.clone()));
                    self.must(ty, &param.ty, because);
                }
                if !super::is_namespace(&result) {
                    self.origin(id, &result);
                }
                result
            }
            Ty::Live(_) => {
                let result = self.fresh();
                let params = types.iter().map(|ty| Param::of(ty.clone())).collect();
                let fun: TyRef = Ty::Fun(params, result.clone()).into();
                let because = UnifyReason::new(self.term.span(apply.func), Why::Called);
                self.must(&func, &fun, because);
                result
            }
            Ty::Bottom => head,
            _ => {
                self.not_a_function(&head, 0, self.term.span(apply.func), true);
                self.taint(types.iter());
                Ty::Bottom.into()
            }
        }
    }

    /// Returns the name of a function as the program spells it.
    fn called_name(&self, func: NodeId) -> Option<Name> {
        let name = self.name_of(func)?;
        Some(Name::new(name.strip_prefix("func ").unwrap_or(&name)))
    }

    /// Returns the path of a library function; `None` for other expressions.
    fn library_path(&self, mut id: NodeId) -> Option<Vec<Name>> {
        let mut path = Vec::new();
        loop {
            match self.term.node(id) {
                Node::Project(of, name) => {
                    path.push(name.clone());
                    id = *of;
                }
                Node::Global(name) if crate::term::rules::is_file_library(name) => {
                    path.push(name.clone());
                    path.reverse();
                    return Some(path);
                }
                _ => return None,
            }
        }
    }

    /// Returns the value of an expression that is a constant.
    fn constant_of(&self, id: NodeId) -> Option<Constant> {
        match self.term.node(self.constant_node(id)?) {
            Node::Str(text) => Some(Constant::Str(text.clone())),
            Node::Number(n) => Some(Constant::Number(n.clone())),
            Node::Bool(b) => Some(Constant::Bool(*b)),
            _ => None,
        }
    }

    /// Returns the node of the constant that an expression is, or that its variable is bound to.
    pub(super) fn constant_node(&self, id: NodeId) -> Option<NodeId> {
        match self.term.node(id) {
            Node::Str(_) | Node::Number(_) | Node::Bool(_) => Some(id),
            Node::Annot(inner, _) => self.constant_node(*inner),
            Node::Local { up, slot } => self.scopes.plain_variable(self.scopes.at(*up)?, *slot)?.constant,
            _ => None,
        }
    }
}
