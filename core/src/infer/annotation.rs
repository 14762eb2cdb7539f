//! Annotations: reads type expressions as types and contracts as the types they accept, applies contracts to types, and
//! checks `: T`.

use super::Infer;
use super::unify::ClashKind;
use super::why::{UnifyReason, Why};
use crate::problem::types::TypesKind;
use crate::term::{Annot, AnnotKind, FieldMark, Node, NodeId, RowTail, TyVarId, TypeForm};
use crate::text::{Name, Span};
use crate::ty::{
    Demand, DynReason, Field, Forced, Live, Need, Param, Presence, RefusedHeads, Row, Scheme, Tag, Tail, Ty, TyRef,
    VariableKind,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The contracts and type variables of one inference.
#[derive(Default)]
pub(super) struct Contracts {
    /// The live variable of each `forall`-bound one.
    ty_vars: FxHashMap<TyVarId, Live>,
    /// The places of contracts that are fields of records, which merges may still extend.
    pub(super) late: FxHashSet<Span>,
    /// The places of contracts `{ _ | C }`, under which the contracts of the fields stay.
    pub(super) lasting: FxHashSet<Span>,
    /// The place of the last contract of each function, by the place of the function.
    pub(super) of_functions: FxHashMap<Span, Span>,
    /// The names of the rigid variables of the annotations that are being checked.
    pub(super) rigid: Vec<Name>,
    /// The annotation of the function that is inferred next, if a parameter of it is polymorphic.
    pub(super) annotated: Option<TyRef>,
    /// Whether an expression with an annotation `: T` is inferred.
    pub(super) checked: bool,
}

impl Infer<'_> {
    /// Returns the type that a type or contract expression accepts; `Dyn` if that is not known.
    pub(super) fn contract(&mut self, id: NodeId) -> TyRef {
        let term = self.term.clone();
        super::deep(|| match term.node(id) {
            Node::Type(form) => {
                let ty = self.form(form, id);
                self.keep_type(id, &Ty::Contract(ty.clone()).into());
                ty
            }
            Node::Apply(apply) if matches!(self.term.node(apply.func), Node::Global(n) if n == "Contract") => {
                let inner = apply.args.first().map(|(_, a)| self.contract(*a));
                inner.map_or_else(|| self.fresh(), |t| Ty::Contract(t).into())
            }
            _ => {
                let ty = self.lazily(id);
                let late = matches!(&*ty, Ty::Sibling(..)) || self.is_field_read(id);
                let ty = self.instantiate(&ty);
                let span = self.term.span(id);
                let accepted = self.accepted(&ty, span);
                if late { self.late_bound(accepted, span) } else { accepted }
            }
        })
    }

    /// Whether an expression is a field of an enclosing record, or a part of one.
    fn is_field_read(&self, mut id: NodeId) -> bool {
        loop {
            match self.term.node(id) {
                Node::Member { .. } => return true,
                Node::Project(target, _) => id = *target,
                _ => return false,
            }
        }
    }

    /// Opens a record contract that is itself a field. Merges may add to that field, so that only the final record decides which
    /// fields are extra; an extra field is a warning here.
    fn late_bound(&mut self, contract: TyRef, span: Span) -> TyRef {
        let Ty::Record(row) = &*contract else { return contract };
        let mut row = self.open_row(row);
        if !row.open && matches!(row.tail(), Tail::Closed) {
            self.contracts.late.insert(span);
            row.open = true;
        }
        Ty::Record(row).into()
    }

    /// Returns the type that a value of type `ty` accepts when it is used as a contract.
    fn accepted(&mut self, ty: &TyRef, span: Span) -> TyRef {
        let head = self.open_head(ty);
        match &*head {
            Ty::Contract(inner) => inner.clone(),
            Ty::Record(row) => {
                let row = self.open_row(row);
                let mut out = row.clone();
                for (name, f) in row.fields() {
                    // a stack marks the field of a record used as a contract; the field of a type has none
                    if f.stack.is_none() {
                        out.insert(name.clone(), Field { stack: Some(Arc::new(f.layers())), ..f.clone() });
                    }
                }
                match out.tail() {
                    Tail::Live(_) => out.set_tail(Tail::Dyn(DynReason::Contract(span))),
                    // the contract of a field with a computed name applies to that field only
                    Tail::Dict(_) => out.set_tail(Tail::Dyn(DynReason::Computed(span))),
                    _ => {}
                }
                Ty::Record(out).into()
            }
            Ty::Null | Ty::Number | Ty::String | Ty::Bool | Ty::Array(_) => {
                let found = self.mono(&head);
                let fault = self.report(span, TypesKind::NotContract { found }, false);
                if let (true, Some(fault)) = (self.literals_by_place().is_value(span), fault) {
                    self.always_error(fault);
                }
                Ty::Dyn(DynReason::Contract(span)).into()
            }
            _ => Ty::Dyn(DynReason::Contract(span)).into(),
        }
    }

    /// Returns the type of a type expression.
    pub(super) fn form(&mut self, form: &TypeForm, id: NodeId) -> TyRef {
        let span = self.term.span(id);
        match form {
            TypeForm::Dyn => Ty::Dyn(DynReason::Annotated(span)).into(),
            TypeForm::Wildcard => self.fresh(),
            TypeForm::Number => Ty::Number.into(),
            TypeForm::String => Ty::String.into(),
            TypeForm::Bool => Ty::Bool.into(),
            TypeForm::Int => Ty::Int.into(),
            TypeForm::Float => Ty::Float.into(),
            TypeForm::Map(key, value) => {
                let (key, value) = (self.contract(*key), self.contract(*value));
                Ty::Map(key, value).into()
            }
            TypeForm::Struct(fields) => {
                let mut row = Row::new(Tail::Closed);
                for (name, at, t) in fields {
                    let ty = self.contract(*t);
                    row.insert(name.clone(), Field::given(ty, Some(*at)));
                }
                row.order = Some(fields.iter().map(|(name, ..)| name.clone()).collect());
                Ty::Record(row).into()
            }
            TypeForm::Func(params, result) => {
                let params = params.iter().map(|t| Param::of(self.contract(*t))).collect();
                Ty::Fun(params, self.contract(*result)).into()
            }
            TypeForm::Array(t) => Ty::Array(self.contract(*t)).into(),
            TypeForm::Fun(a, b) => {
                let (a, b) = (self.contract(*a), self.contract(*b));
                Ty::Fun(vec![Param::of(a)], b).into()
            }
            TypeForm::Dict { item, contract } => {
                if *contract {
                    self.contracts.lasting.insert(span);
                }
                let item = self.contract(*item);
                Ty::Record(Row::new(Tail::Dict(item))).into()
            }
            TypeForm::Record { fields, marks, tail } => {
                let tail = self.row_tail(*tail, VariableKind::Row, span);
                let mut row = Row::new(tail);
                for (name, at, t) in fields {
                    let ty = self.contract(*t);
                    let mut field = Field::given(ty, Some(*at));
                    match marks.iter().find(|(n, _)| n == name) {
                        Some((_, FieldMark::Optional)) => field.presence = Presence::Maybe,
                        Some((_, FieldMark::Declared)) => (field.presence, field.need) = (Presence::No, Need::Own),
                        None => {}
                    }
                    row.insert(name.clone(), field);
                }
                Ty::Record(row).into()
            }
            TypeForm::Enum { tags, tail } => {
                let tail = self.row_tail(*tail, VariableKind::Tags, span);
                let tags: BTreeMap<_, _> = tags
                    .iter()
                    .map(|(name, _, t)| (Tag::of(name.clone(), t.as_ref()), t.map(|t| self.contract(t))))
                    .collect();
                Ty::Enum(tags, tail).into()
            }
            TypeForm::Forall(vars, body) => {
                self.level += 1;
                for v in vars {
                    let live = self.table.fresh(VariableKind::Type, self.level);
                    self.contracts.ty_vars.insert(*v, live);
                }
                let body = self.contract(*body);
                self.level -= 1;
                self.generalise(&body)
            }
            TypeForm::Var(v) => Ty::Live(self.ty_var(*v)).into(),
        }
    }

    fn ty_var(&mut self, v: TyVarId) -> Live {
        let level = self.level;
        match self.contracts.ty_vars.get(&v) {
            Some(live) => *live,
            None => {
                let live = self.table.fresh(VariableKind::Type, level);
                self.contracts.ty_vars.insert(v, live);
                live
            }
        }
    }

    fn row_tail(&mut self, tail: RowTail, kind: VariableKind, span: Span) -> Tail {
        match tail {
            RowTail::Closed => Tail::Closed,
            RowTail::Dyn => Tail::Dyn(DynReason::Annotated(span)),
            RowTail::Var(v) => {
                let live = self.ty_var(v);
                self.table.set_kind(live, kind);
                Tail::Live(live)
            }
        }
    }

    /// Checks `e : T`: the type that was found must be as general as the annotation; otherwise it is an error even if nothing
    /// forces the value. The found type must be of the current level, and nothing outside of it may be of that level.
    pub(super) fn check(&mut self, found: &TyRef, wanted: &TyRef, span: Span, wanted_at: Span) -> TyRef {
        let because = UnifyReason::new(span, Why::Annotation).wanted(wanted_at);
        let wanted = &self.stated(wanted, wanted_at);
        let mut rigid = Vec::new();
        let named = self.contracts.rigid.len();
        let target = match &**wanted {
            Ty::Forall(scheme) => {
                let names = self.var_names(scheme);
                for (kind, name) in scheme.vars.iter().zip(names) {
                    self.contracts.rigid.push(name.clone());
                    rigid.push(self.table.rigid(*kind, self.level, name));
                }
                self.substitute(scheme, &rigid, None)
            }
            _ => wanted.clone(),
        };
        let found_here = self.instantiate(found);
        let because = because.whole(&target).general();
        let unified = self.unify(&found_here, &target, &because);
        self.contracts.rigid.truncate(named);
        if let Err(clash) = unified {
            if let Some(fault) = self.report_clash(*clash, &because) {
                self.always_error(fault);
            }
        } else {
            for v in rigid {
                let root = self.table.root(v);
                if self.level_is_at_most(root, self.level.saturating_sub(1)) {
                    let name = self.rigid_name(v);
                    let ty = found.clone();
                    let clash = self.clash(ClashKind::Rigid { var: name, ty, other: None }, &because);
                    if let Some(fault) = self.report_clash(*clash, &because) {
                        self.always_error(fault);
                    }
                    break;
                }
            }
        }
        let annotated = self.with_demands(wanted, &found_here);
        match &**found {
            Ty::Fails(fault, _) => Ty::Fails(*fault, annotated).into(),
            _ => annotated,
        }
    }

    /// Returns the annotated type with the demands of the function that was found. Under the annotation, a forced argument must
    /// be of the annotated type.
    fn with_demands(&mut self, wanted: &TyRef, found: &TyRef) -> TyRef {
        let found = self.table.head(found);
        match (&**wanted, &*found) {
            (Ty::Forall(scheme), _) => {
                let ty = self.with_demands(&scheme.ty, &found);
                Ty::Forall(Arc::new(Scheme { ty, ..Scheme::clone(scheme) })).into()
            }
            (Ty::Fun(ps, r), Ty::Fun(qs, s)) if ps.len() == qs.len() => {
                let mut params = Vec::with_capacity(ps.len());
                for (p, q) in ps.iter().zip(qs) {
                    params.push(Param { demand: self.checked_demand(&q.demand, &p.ty), ..p.clone() });
                }
                Ty::Fun(params, super::deep(|| self.with_demands(r, s))).into()
            }
            _ => wanted.clone(),
        }
    }

    /// Returns a demand on an argument that a contract checks when the argument is forced.
    pub(super) fn checked_demand(&mut self, demand: &Demand, contract: &TyRef) -> Demand {
        let known =
            matches!(&*self.table.head(contract), Ty::Number | Ty::String | Ty::Bool | Ty::Array(_) | Ty::Record(_));
        match demand {
            Demand::Forced(forced) if known && forced.refused == RefusedHeads::Nothing => {
                Demand::Forced(Arc::new(Forced { refused: RefusedHeads::Head, ..Forced::clone(forced) }))
            }
            _ => demand.clone(),
        }
    }

    /// Names the variables of a scheme, apart from the rigid variables that are checked now.
    pub(super) fn var_names(&self, scheme: &Scheme) -> Vec<Name> {
        let rows = self.contracts.rigid.iter().filter(|name| name.len() > 1 && name.starts_with('r')).count();
        let mut types = self.contracts.rigid.len() - rows;
        let mut rows = rows;
        scheme
            .vars
            .iter()
            .map(|k| match k {
                VariableKind::Type => {
                    types += 1;
                    let letter = char::from(b'a' + ((types - 1) % 26) as u8);
                    match (types - 1) / 26 {
                        0 => Name::from(letter.to_string()),
                        round => Name::from(format!("{letter}{round}")),
                    }
                }
                _ => {
                    rows += 1;
                    Name::from(format!("r{rows}"))
                }
            })
            .collect()
    }

    /// Whether a type has a function with a polymorphic parameter, not counting those inside of parameters.
    pub(super) fn takes_polymorphic(&self, ty: &TyRef) -> bool {
        let mut at = ty;
        loop {
            at = match &**at {
                Ty::Forall(scheme) => &scheme.ty,
                Ty::Fun(params, _) if params.iter().any(|p| matches!(*p.ty, Ty::Forall(_))) => return true,
                Ty::Fun(_, result) => result,
                _ => return false,
            };
        }
    }

    /// Calls `f`, which infers an expression with these annotations.
    pub(super) fn annotated_by<T>(&mut self, annots: &[Annot], f: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.contracts.checked;
        self.contracts.checked |= annots.iter().any(|annot| annot.kind == AnnotKind::Type);
        let out = f(self);
        self.contracts.checked = before;
        out
    }

    /// Gives the parameters of a function literal the polymorphic types of its annotation, when it is inferred next.
    pub(super) fn expect_function(&mut self, body: NodeId, annots: &[Annot]) {
        let Some(annot) = annots.first().filter(|annot| annot.kind == AnnotKind::Type) else { return };
        let Node::Type(form) = self.term.node(annot.ty) else { return };
        let is_function = matches!(**form, TypeForm::Fun(..) | TypeForm::Forall(..));
        if matches!(self.term.node(body), Node::Lambda(_)) && is_function {
            let wanted = self.contract(annot.ty);
            self.contracts.annotated = self.takes_polymorphic(&wanted).then_some(wanted);
        }
    }

    /// Takes the polymorphic types of the first parameters of the function that is inferred now.
    pub(super) fn polymorphic_parameters(&mut self, count: usize) -> Vec<Option<TyRef>> {
        let Some(annotated) = self.contracts.annotated.take() else { return Vec::new() };
        let mut params = Vec::with_capacity(count);
        let mut at = self.instantiate(&annotated);
        while params.len() < count
            && let Ty::Fun(own, result) = &*at.clone()
        {
            params.extend(own.iter().map(|p| matches!(*p.ty, Ty::Forall(_)).then(|| p.ty.clone())));
            at = self.instantiate(result);
        }
        params
    }
}
