//! `std.record.get`, `get_or`, `insert`, `update` and `remove` with a constant name, and `freeze`. The record keeps the types of
//! its fields, where the signature has a dictionary.

use crate::infer::Infer;
use crate::infer::why::{UnifyReason, Why};
use crate::term::{Apply, Node, NodeId};
use crate::text::{Name, Span};
use crate::ty::{Field, Presence, Row, Stack, Tail, Ty, TyRef, VariableKind};
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
            ("get", [_, record]) => {
                let ty = self.expr(*record);
                let ty = self.field_type(&ty, name, *record, span);
                let ty = self.instantiate(&ty);
                Some(self.force(&ty))
            }
            ("get_or", [_, default, record]) => {
                let default_ty = self.lazily(*default);
                let row = match self.known_row(*record, &default_ty, 3, "get_or", span) {
                    Ok(row) => row,
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
                Some(match self.known_row(*record, &value_ty, 3, &function, span) {
                    Ok(row) => {
                        let mut out = frozen(&row, Some(name));
                        out.insert(name.clone(), Field::given(value_ty, Some(term.span(*value))));
                        Ty::Record(out).into()
                    }
                    Err(other) => other,
                })
            }
            ("remove" | "remove_with_opts", [_, record]) => {
                let item = self.fresh();
                Some(match self.known_row(*record, &item, 2, &function, span) {
                    Ok(row) => Ty::Record(frozen(&row, Some(name))).into(),
                    Err(other) => other,
                })
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
        let Node::Project(root, module) = term.node(*module) else { return None };
        let Node::Global(std) = term.node(*root) else { return None };
        if std != "std" || self.host.global(std).is_some() {
            return None;
        }
        self.library_type(&[std.clone(), module.clone(), function.clone()])?;
        let args = groups.iter().rev().flat_map(|apply| apply.args.iter());
        let args = args.map(|(name, arg)| name.is_none().then_some(*arg)).collect::<Option<Vec<_>>>()?;
        Some((module.clone(), function.clone(), args))
    }

    /// Returns the row of an argument that is a record with known fields. Otherwise unifies it with a dictionary of `item`s, and
    /// returns that as the error.
    fn known_row(&mut self, record: NodeId, item: &TyRef, nth: u32, function: &str, span: Span) -> Result<Row, TyRef> {
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
        let dictionary: TyRef = Ty::Record(Row::new(Tail::Dict(item.clone()))).into();
        let why = Why::Argument(nth, Some(Name::new(function)));
        let because = UnifyReason::new(self.term.span(record), why).wanted(span);
        let unified = self.unify(&ty, &dictionary, &because);
        self.settle_clash(unified, &because);
        Err(dictionary)
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
