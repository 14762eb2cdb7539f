//! Annotations: reads type expressions as types and contracts as the types they accept, applies contracts to types, and
//! checks `: T`.

use super::Infer;
use super::unify::ClashKind;
use super::why::{UnifyReason, Why};
use crate::problem::types::TypesKind;
use crate::term::{Annot, AnnotKind, FieldMark, Node, NodeId, RowTail, TyVarId, TypeForm};
use crate::text::{Name, Span};
use crate::ty::{
    Demand, DynReason, Field, Forced, Give, Live, Need, Param, RefusedHeads, Row, Scheme, Stack, Tag, Tail, Ty, TyRef,
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
    late: FxHashSet<Span>,
    /// The places of contracts `{ _ | C }`, under which the contracts of the fields stay.
    lasting: FxHashSet<Span>,
    /// The names of the rigid variables of the annotations that are being checked.
    pub(super) rigid: Vec<Name>,
    /// The annotation of the function that is inferred next, if a parameter of it is polymorphic.
    pub(super) annotated: Option<TyRef>,
}

impl Infer<'_> {
    /// Returns the type that a type or contract expression accepts; `Dyn` if that is not known.
    pub(super) fn contract(&mut self, id: NodeId) -> TyRef {
        let term = self.term.clone();
        super::deep(|| match term.node(id) {
            Node::Type(form) => {
                let ty = self.form(form, id);
                self.note(id, &Ty::Contract(ty.clone()).into());
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
                self.report(span, TypesKind::NotContract { found }, false);
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
                        Some((_, FieldMark::Optional)) => field.give = Give::Maybe,
                        Some((_, FieldMark::Declared)) => (field.give, field.need) = (Give::No, Need::Own),
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
    fn checked_demand(&mut self, demand: &Demand, contract: &TyRef) -> Demand {
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

    /// Has the parameters of a function literal get the polymorphic types of its annotation, when it is inferred next.
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

    /// Returns the type of a value under a contract. It fails if the value cannot meet the contract.
    pub(super) fn under_contract(
        &mut self,
        value: &TyRef,
        contract: &TyRef,
        at: Span,
        contract_at: Span,
        path: &[Name],
    ) -> TyRef {
        if self.interrupted() {
            return value.clone();
        }
        super::deep(|| {
            let out = self.conform(value, contract, at, contract_at, path);
            match &**value {
                Ty::Fails(fault, _) if !matches!(&*out, Ty::Fails(..)) => Ty::Fails(*fault, out).into(),
                _ => out,
            }
        })
    }

    /// Returns the type of a value under several contracts. A contract of unknown type may convert a scalar
    /// (`std.enum.TagOrString`); then only the other contracts decide the type.
    pub(super) fn under_contracts(
        &mut self,
        value: &TyRef,
        contracts: &[(TyRef, Span)],
        at: Span,
        path: &[Name],
    ) -> TyRef {
        let mut ty = value.clone();
        for (contract, contract_at) in contracts {
            if let Some(unknown) = self.converted(&ty, contract, *contract_at) {
                ty = unknown;
            }
        }
        for (contract, contract_at) in contracts {
            ty = self.under_contract(&ty, contract, at, *contract_at, path);
        }
        ty
    }

    /// Returns an unknown type if the value is a scalar and the contract may convert it.
    fn converted(&mut self, value: &TyRef, contract: &TyRef, contract_at: Span) -> Option<TyRef> {
        let contract = self.table.head(contract);
        match &*contract {
            // an explicit `Dyn` converts nothing
            Ty::Dyn(DynReason::Annotated(written)) if written.source == contract_at.source => return None,
            Ty::Dyn(_) => {}
            _ => return None,
        }
        let head = self.table.head(value);
        matches!(&*head, Ty::Null | Ty::Bool | Ty::Number | Ty::String | Ty::Enum(..))
            .then(|| Ty::Dyn(DynReason::Contract(contract_at)).into())
    }

    fn conform(&mut self, value: &TyRef, contract: &TyRef, at: Span, contract_at: Span, path: &[Name]) -> TyRef {
        let (v, found_by) = self.table.head_with(value);
        let c = self.table.head(contract);
        let because = UnifyReason::new(at, Why::Contract).wanted(contract_at);
        match (&*v, &*c) {
            (_, Ty::Dyn(_) | Ty::Bottom | Ty::Live(_)) => value.clone(),
            // `forall a. a` accepts any value
            (_, Ty::Forall(scheme)) if matches!(*scheme.ty, Ty::Var(_)) => value.clone(),
            (Ty::Library(_), _) => value.clone(),
            (Ty::Forall(_), Ty::Forall(_)) => c,
            (Ty::Forall(_), _) => {
                let v = self.instantiate(&v);
                self.conform(&v, &c, at, contract_at, path)
            }
            (_, Ty::Forall(_)) => {
                let inner = self.instantiate(&c);
                let unified = self.unify(&v, &inner, &because.clone().unsure());
                self.settle_clash(unified, &because);
                c
            }
            (Ty::Dyn(_) | Ty::Bottom, _) => c.clone(),
            // any of several contracts: `any_of [Number, String]`
            (_, Ty::Union(members)) if members.iter().any(|m| is_of_head(&v, &self.table.head(m))) => value.clone(),
            (Ty::Live(_), Ty::Union(_)) => value.clone(),
            (Ty::Live(_), Ty::Record(row)) => {
                let accepts = self.accepts(row);
                let unified = self.unify(&v, &accepts, &because);
                self.settle_clash(unified, &because);
                match &*self.table.head(&v) {
                    Ty::Live(_) => v,
                    _ => self.conform(&v, &c, at, contract_at, path),
                }
            }
            (Ty::Live(_), _) => {
                let unified = self.unify(&v, &c, &because);
                self.settle_clash(unified, &because);
                c
            }
            (Ty::Record(r), Ty::Record(s)) => self.conform_rows(r, s, at, contract_at, path),
            (Ty::Array(t), Ty::Array(u)) => {
                // a literal has an element of each of the types
                let literal = self.literals.is(at);
                let types = match &*self.table.head(t) {
                    Ty::Union(members) if literal => members.clone(),
                    _ => vec![t.clone()],
                };
                let mut inner = None;
                let mut fault = None;
                for ty in types {
                    let before = self.literals.set_in_elements(true);
                    let out = self.conform(&ty, u, at, contract_at, path);
                    self.literals.set_in_elements(before);
                    fault = fault.or_else(|| self.failure_in(&out));
                    inner.get_or_insert(out);
                }
                let inner = inner.unwrap_or_else(|| u.clone());
                let array: TyRef = Ty::Array(self.without_failures(&inner)).into();
                match fault {
                    Some(fault) if literal => Ty::Fails(crate::ty::Fault { deep: true, ..fault }, array).into(),
                    _ => array,
                }
            }
            (Ty::Fun(ps, r), Ty::Fun(qs, s)) if ps.len() == qs.len() => {
                let mut params = Vec::new();
                for (p, q) in ps.iter().zip(qs) {
                    if matches!(&*self.table.head(&q.ty), Ty::Dyn(_)) {
                        params.push(p.clone());
                    } else {
                        let unified = self.unify(&q.ty, &p.ty, &because.clone().unsure());
                        self.settle_clash(unified, &because);
                        let demand = self.checked_demand(&p.demand, &q.ty);
                        params.push(Param { ty: q.ty.clone(), demand, ..p.clone() });
                    }
                }
                let result = self.conform(r, s, at, contract_at, path);
                // a failure occurs when it is called, not here
                Ty::Fun(params, result).into()
            }
            (Ty::Contract(_), Ty::Record(_) | Ty::Fun(..)) | (Ty::Record(_) | Ty::Fun(..), Ty::Contract(_)) => v,
            (Ty::Union(_), _) if matches!(&**value, Ty::Fails(..)) => c,
            (Ty::Union(_), _) => {
                let unified = self.unify(&v, &c, &because.clone().unsure());
                self.settle_clash(unified, &because);
                c
            }
            _ => {
                let because = because.sure_if(self.is_certain(found_by));
                match self.unify(&v, &c, &because) {
                    Ok(()) => match &*c {
                        Ty::Enum(..) => c,
                        _ => v,
                    },
                    Err(mut clash) => {
                        clash.path.extend(path.iter().rev().cloned());
                        let tag = matches!(clash.what, ClashKind::Tag { .. }) && self.literals.is(at);
                        let certain = (clash.certain && !clash.deep) || tag;
                        match self.report_clash(*clash, &because) {
                            Some(fault) if certain => Ty::Fails(fault, c).into(),
                            _ => c,
                        }
                    }
                }
            }
        }
    }

    /// Returns the type of the records that a record contract accepts. They may lack the fields that the contract defines.
    fn accepts(&mut self, row: &Row) -> TyRef {
        let row = self.open_row(row);
        let tail = match row.tail() {
            Tail::Closed if row.open => Tail::Live(self.fresh_tail(VariableKind::Row)),
            tail => tail.clone(),
        };
        let mut out = Row::new(tail);
        for (name, f) in row.fields() {
            let give = match (&f.stack, f.give) {
                (Some(_), Give::Yes | Give::Maybe) | (None, Give::Maybe) => Give::Maybe,
                _ => Give::Yes,
            };
            out.insert(
                name.clone(),
                Field {
                    give,
                    need: Need::None,
                    ty: f.ty.clone(),
                    at: f.at,
                    hidden: false,
                    stack: None,
                    inheritance: None,
                },
            );
        }
        Ty::Record(out).into()
    }

    fn conform_rows(&mut self, value: &Row, contract: &Row, at: Span, contract_at: Span, path: &[Name]) -> TyRef {
        let (v, c) = (self.open_row(value), self.open_row(contract));
        let late = self.contracts.late.contains(&contract_at);
        let is_type = c.fields().all(|(_, f)| f.stack.is_none())
            && (!c.is_empty() || matches!(c.tail(), Tail::Dict(_)) && !self.contracts.lasting.contains(&contract_at));
        let closed = matches!(c.tail(), Tail::Closed) && (!c.open || late);
        let mut out = v.clone();
        let mut extra = None;
        let mut path = path.to_vec();
        for (name, f) in v.fields() {
            path.push(name.clone());
            let field = match c.get(name) {
                Some(cf) if cf.stack.is_some() => self.merge_fields(f, cf, contract_at, &mut path),
                Some(cf) => self.conform_field(f, &cf.ty, at, contract_at, &path),
                None => match c.tail() {
                    Tail::Dict(t) => self.conform_field(f, &t.clone(), at, contract_at, &path),
                    _ => {
                        if closed && f.give == Give::Yes {
                            extra.get_or_insert_with(|| (name.clone(), f.at));
                        }
                        path.pop();
                        continue;
                    }
                },
            };
            // a record type applies the contracts that the field has, which then are done
            let field = if is_type { without_contracts(field) } else { field };
            out.insert(name.clone(), field);
            path.pop();
        }
        for (name, cf) in c.fields() {
            if v.get(name).is_some() {
                continue;
            }
            let field = match (&cf.stack, v.tail()) {
                (_, Tail::Dict(t)) => {
                    Field { give: Give::Maybe, ..Field::given(self.conform(t, &cf.ty, at, contract_at, &path), cf.at) }
                }
                (_, Tail::Dyn(_)) => Field { give: Give::Yes, need: Need::None, ..cf.clone() },
                (Some(_), _) => cf.clone(),
                (None, Tail::Live(_)) => cf.clone(),
                (None, _) if cf.give == Give::Yes => Field { give: Give::No, need: Need::Own, ..cf.clone() },
                (None, _) => cf.clone(),
            };
            out.insert(name.clone(), field);
        }
        let tail = match (v.tail(), c.tail()) {
            (Tail::Dyn(_), Tail::Closed) if closed => Tail::Closed,
            (Tail::Dict(_), Tail::Closed) if closed => Tail::Closed,
            (Tail::Dyn(_), Tail::Dict(t)) => Tail::Dict(t.clone()),
            (Tail::Dict(t), Tail::Dict(u)) => Tail::Dict(self.conform(t, u, at, contract_at, &path)),
            // the contract adds fields with unknown names
            (Tail::Closed, tail @ Tail::Dyn(DynReason::Computed(_))) => tail.clone(),
            (tail, _) => tail.clone(),
        };
        out.set_tail(tail);
        out.open = v.open;
        let out: TyRef = Ty::Record(out).into();
        let Some((name, extra_at)) = extra else { return out };
        let mut near = super::report::near(&name, c.fields().map(|(n, _)| n).filter(|n| v.get(n).is_none()));
        if near.is_empty() {
            // perhaps a field that the record already has was meant
            near = super::report::near(&name, c.fields().map(|(n, _)| n));
        }
        let because = UnifyReason::new(extra_at.unwrap_or(at), Why::Contract).wanted(contract_at);
        let mut clash = self.clash(ClashKind::Extra { name, near }, &because);
        clash.path.extend(path.iter().rev().cloned());
        match self.report_clash(*clash, &because) {
            Some(fault) if !late => Ty::Fails(fault, out).into(),
            _ => out,
        }
    }

    /// Returns a field under a contract that is not part of its stack.
    fn conform_field(&mut self, f: &Field, contract: &TyRef, at: Span, contract_at: Span, path: &[Name]) -> Field {
        if f.give == Give::No && matches!(&*self.table.head(&f.ty), Ty::Live(_)) {
            let ty = contract.clone();
            let because = UnifyReason::new(at, Why::Contract).unsure();
            let accepts = match &*self.table.head(&ty) {
                Ty::Record(row) => self.accepts(&row.clone()),
                _ => ty.clone(),
            };
            let unified = self.unify(&f.ty, &accepts, &because);
            self.settle_clash(unified, &because);
            return Field { ty, ..f.clone() };
        }
        let ty = self.under_contract(&f.ty, contract, f.at.unwrap_or(at), contract_at, path);
        if ty.same(&f.ty) {
            return f.clone();
        }
        let stack = f.stack.as_ref().map(|s| {
            let mut s = crate::ty::Stack::clone(s);
            if let [only] = s.layers.as_mut_slice() {
                only.ty = ty.clone();
            }
            Arc::new(s)
        });
        Field { ty, stack, ..f.clone() }
    }
}

/// Returns a field whose contracts have been applied to its value.
fn without_contracts(field: Field) -> Field {
    match &field.stack {
        Some(stack) if !stack.contracts.is_empty() && !stack.layers.is_empty() => {
            let mut stack = Stack { contracts: Vec::new(), ..Stack::clone(stack) };
            if let Some(top) = stack.layers.first_mut().filter(|top| top.certain) {
                top.ty = field.ty.clone();
            }
            Field { stack: Some(Arc::new(stack)), ..field }
        }
        _ => field,
    }
}

/// Whether two types have the same head.
fn is_of_head(a: &TyRef, b: &TyRef) -> bool {
    std::mem::discriminant(&**a) == std::mem::discriminant(&**b)
}
