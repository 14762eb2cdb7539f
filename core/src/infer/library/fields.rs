//! `std.record.get`, `get_or`, `insert`, `update` and `remove` with a constant name, and `freeze`. The record keeps the types of
//! its fields, where the signature has a dictionary.

use crate::infer::Infer;
use crate::infer::why::{UnifyReason, Why};
use crate::term::{Apply, Node, NodeId};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Field, Param, Presence, Row, Stack, Tail, Ty, TyRef, VariableKind};
use std::sync::Arc;

/// Maximum number of nested calls that are followed: `x |> f a b` is a call of a partial call.
const NESTED: usize = 4;

impl Infer<'_> {
    /// Returns the type of such a call; `None` for other calls, of which no part is inferred here.
    pub(in crate::infer) fn named_field(&mut self, apply: &Apply, span: Span) -> Option<TyRef> {
        let (module, function, args) = self.library_call(apply)?;
        if module != "record" {
            return None;
        }
        let term = self.term.clone();
        if let ("freeze", [record]) = (function.as_str(), args.as_slice()) {
            return Some(self.frozen_record(*record, span));
        }
        let Node::Str(name) = term.node(*args.first()?) else { return None };
        match (function.as_str(), args.as_slice()) {
            ("get", [_]) => {
                let ty = self.fresh();
                let mut row = Row::new(Tail::Live(self.fresh_tail(VariableKind::Row)));
                row.insert(name.clone(), Field::given(ty.clone(), Some(span)));
                Some(Ty::Fun(vec![Param::of(Ty::Record(row).into())], ty).into())
            }
            ("get", [_, record]) => {
                let ty = self.expr(*record);
                let ty = self.field_type(&ty, name, *record, span);
                let ty = self.instantiate(&ty);
                Some(self.force(&ty))
            }
            ("get_or", [_, default, record]) => {
                let default_ty = self.lazily(*default);
                let optional = Field { presence: Presence::Maybe, ..Field::given(default_ty.clone(), None) };
                let row = match self.known_row(*record, Some((name, optional)), 3, "get_or", span) {
                    Ok(row) => row,
                    Err(unknown) if matches!(*unknown, Ty::Dyn(_)) => return Some(unknown),
                    Err(_) => return Some(default_ty),
                };
                let because = UnifyReason::new(span, Why::Default).unsure();
                let ty = match (row.get(name), row.tail()) {
                    (Some(field), _) if field.presence == Presence::Yes => field.ty.clone(),
                    (Some(field), _) => self.join_quietly(&field.ty.clone(), &default_ty, &because),
                    (None, Tail::Dict(item)) => self.join_quietly(&item.clone(), &default_ty, &because),
                    (None, Tail::Dyn(reason)) => Ty::Dyn(*reason).into(),
                    (None, _) => default_ty,
                };
                let ty = self.instantiate(&ty);
                Some(self.force(&ty))
            }
            ("insert" | "insert_with_opts" | "update", [_, value, record]) => {
                let value_ty = self.lazily(*value);
                let mut out = match self.known_row(*record, None, 3, &function, span) {
                    Ok(row) => frozen(&row, Some(name)),
                    Err(_) => Row::new(Tail::Dyn(DynReason::Computed(span))),
                };
                out.insert(name.clone(), Field::given(value_ty, Some(term.span(*value))));
                Some(Ty::Record(out).into())
            }
            ("remove" | "remove_with_opts", [_, record]) => {
                let optional = Field { presence: Presence::Maybe, ..Field::given(self.fresh(), None) };
                let out = match self.known_row(*record, Some((name, optional)), 2, &function, span) {
                    Ok(row) => frozen(&row, Some(name)),
                    Err(_) => Row::new(Tail::Dyn(DynReason::Computed(span))),
                };
                Some(Ty::Record(out).into())
            }
            _ => None,
        }
    }

    fn frozen_record(&mut self, record: NodeId, span: Span) -> TyRef {
        let ty = self.expr(record);
        let ty = self.instantiate(&ty);
        let head = self.open_head(&ty);
        match &*head {
            Ty::Record(row) => {
                let row = self.open_row(row);
                Ty::Record(frozen(&row, None)).into()
            }
            Ty::Dyn(_) | Ty::Bottom => head,
            _ => {
                let any: TyRef = Ty::Record(Row::new(Tail::Live(self.fresh_tail(VariableKind::Row)))).into();
                let why = Why::Argument(1, Some(Name::new_static("freeze")));
                let because = UnifyReason::new(self.term.span(record), why).wanted(span);
                let unified = self.unify(&ty, &any, &because);
                self.settle_clash(unified, &because);
                any
            }
        }
    }

    /// Returns the module, the name and the arguments of a call of the library: `record` and `get` for `std.record.get`. `None` for
    /// other calls.
    pub(super) fn library_call(&mut self, apply: &Apply) -> Option<(Name, Name, Vec<NodeId>)> {
        let term = self.term.clone();
        let mut groups = vec![apply];
        let mut at = apply.func;
        while let Node::Apply(inner) = term.node(at) {
            if groups.len() == NESTED {
                return None;
            }
            groups.push(inner);
            at = inner.func;
        }
        let Node::Project(module, function) = term.node(at) else { return None };
        let module = self.library_module(*module)?;
        self.library_type(&[Name::new_static("std"), module.clone(), function.clone()])?;
        let args = groups.iter().rev().flat_map(|apply| apply.args.iter());
        let args = args.map(|(name, arg)| name.is_none().then_some(*arg)).collect::<Option<Vec<_>>>()?;
        Some((module.clone(), function.clone(), args))
    }

    /// Returns the name of a module of the library: `std.record`, or a variable that was bound to it.
    fn library_module(&mut self, id: NodeId) -> Option<Name> {
        let std = match self.term.node(id) {
            Node::Local { up, slot } => {
                let variable = self.scopes.variable(self.scopes.at(*up)?, *slot)?.ty.clone();
                return match &*self.table.head(&variable) {
                    Ty::Library(path) => match &**path {
                        [std, module] if std == "std" => Some(module.clone()),
                        _ => None,
                    },
                    _ => None,
                };
            }
            Node::Project(std, module) => (self.term.node(*std), module),
            _ => return None,
        };
        match std {
            (Node::Global(std), module) if std == "std" && self.host.global(std).is_none() => Some(module.clone()),
            _ => None,
        }
    }

    /// Returns the row of an argument that is a record with known fields. Otherwise the argument may be any record, with `field` as it
    /// is given here if it has that field, and the error is its type.
    fn known_row(
        &mut self,
        record: NodeId,
        field: Option<(&Name, Field)>,
        nth: u32,
        function: &str,
        span: Span,
    ) -> Result<Row, TyRef> {
        let ty = self.expr(record);
        let ty = self.instantiate(&ty);
        let head = self.open_head(&ty);
        match &*head {
            Ty::Record(row) => {
                let row = self.open_row(row);
                if !matches!(row.tail(), Tail::Live(_) | Tail::Var(_)) {
                    return Ok(row);
                }
            }
            Ty::Dyn(_) | Ty::Bottom => return Err(head),
            _ => {}
        }
        let mut any = Row::new(Tail::Live(self.fresh_tail(VariableKind::Row)));
        if let Some((name, field)) = field {
            any.insert(name.clone(), field);
        }
        let any: TyRef = Ty::Record(any).into();
        let why = Why::Argument(nth, Some(Name::new(function)));
        let because = UnifyReason::new(self.term.span(record), why).wanted(span);
        let unified = self.unify(&ty, &any, &because);
        self.settle_clash(unified, &because);
        Err(any)
    }
}

/// Returns a record with its fields as they are now, without one of them if it is named. Priorities stay; contracts and merge
/// functions are dropped.
fn frozen(row: &Row, without: Option<&Name>) -> Row {
    let mut out = Row::new(row.tail().clone());
    for (name, field) in row.fields().filter(|(name, _)| Some(*name) != without) {
        let stack = field
            .stack
            .as_ref()
            .map(|stack| Arc::new(Stack { contracts: Vec::new(), merger: None, ..(**stack).clone() }));
        out.insert(name.clone(), Field { stack, ..field.clone() });
    }
    out
}
