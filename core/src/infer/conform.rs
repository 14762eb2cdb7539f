//! Infers the types of values under contracts, and reports the contracts that a value cannot meet.

use super::Infer;
use super::findings::Reported;
use super::siblings::JoinedSiblings;
use super::unify::ClashKind;
use super::why::{UnifyReason, Why};
use crate::meta::Priority;
use crate::text::Name;
use crate::text::Span;
use crate::ty::{DynReason, Field, Layer, Need, Param, Presence, Row, Stack, Tail, Ty, TyRef, VariableKind};
use std::sync::Arc;

/// Depth of the parts of a contract that [`Infer::taken`] keeps.
const TAKEN: usize = 12;

impl Infer<'_> {
    /// Returns the type of a value under a contract. It is [`Ty::Fails`] if the value certainly breaks the contract.
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
        self.deeper(|infer| {
            let out = infer.conform(value, contract, at, contract_at, path);
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
        let mut siblings = JoinedSiblings::default();
        let mut ty = match contracts.iter().any(|(contract, _)| self.lets_pass(contract)) {
            true => self.take_siblings(value, &mut siblings),
            false => value.clone(),
        };
        for (contract, contract_at) in contracts {
            if let Some(unknown) = self.converted(&ty, contract, *contract_at) {
                ty = unknown;
            }
        }
        for (contract, contract_at) in contracts {
            ty = self.under_contract(&ty, contract, at, *contract_at, path);
        }
        // the value still depends on them: an override may add fields that the contracts let pass
        siblings.around(ty)
    }

    /// Whether a contract is a record contract for values with further fields.
    fn lets_pass(&mut self, contract: &TyRef) -> bool {
        let is_open = |ty: &Ty| matches!(ty, Ty::Record(row) if row.open || !matches!(row.tail(), Tail::Closed));
        match &*self.table.head(contract) {
            Ty::Forall(scheme) => is_open(&scheme.ty),
            head => is_open(head),
        }
    }

    /// Returns an unknown type if the value is, or may be, a scalar and the contract may convert it.
    fn converted(&mut self, value: &TyRef, contract: &TyRef, contract_at: Span) -> Option<TyRef> {
        if !self.may_convert(contract, contract_at) {
            return None;
        }
        let head = self.table.head(value);
        let may_be_scalar =
            matches!(&*head, Ty::Null | Ty::Bool | Ty::Number | Ty::String | Ty::Enum(..) | Ty::Union(_) | Ty::Live(_));
        may_be_scalar.then(|| Ty::Dyn(DynReason::Contract(contract_at)).into())
    }

    /// Whether a contract is not a type, so that it may convert values. An explicit `Dyn` converts nothing.
    fn may_convert(&mut self, contract: &TyRef, contract_at: Span) -> bool {
        match &*self.table.head(contract) {
            Ty::Dyn(DynReason::Annotated(written)) => written.source != contract_at.source,
            Ty::Dyn(_) => true,
            _ => false,
        }
    }

    /// Returns the type of a record under a contract that is not a type, which may add fields. A contract that is made of a predicate adds none: its
    /// type is that of its argument.
    fn with_unknown_fields(&mut self, value: &TyRef, row: &Row, contract_at: Span) -> TyRef {
        let mut row = self.open_row(row);
        match row.tail() {
            Tail::Closed => {
                row.set_tail(Tail::Dyn(DynReason::Contract(contract_at)));
                Ty::Record(row).into()
            }
            _ => value.clone(),
        }
    }

    fn conform(&mut self, value: &TyRef, contract: &TyRef, at: Span, contract_at: Span, path: &[Name]) -> TyRef {
        let (v, found_by) = self.table.head_with(value);
        let c = self.table.head(contract);
        let because = UnifyReason::new(at, Why::Contract).wanted(contract_at);
        match (&*v, &*c) {
            (Ty::Record(row), Ty::Dyn(_)) if self.may_convert(contract, contract_at) => {
                self.with_unknown_fields(value, row, contract_at)
            }
            (_, Ty::Dyn(_) | Ty::Bottom | Ty::Live(_)) => value.clone(),
            // `forall a. a` accepts any value
            (_, Ty::Forall(scheme)) if matches!(*scheme.ty, Ty::Var(_)) => value.clone(),
            (Ty::Library(_), _) => value.clone(),
            // a record contract with a field of any type
            (_, Ty::Forall(scheme)) if matches!(*scheme.ty, Ty::Record(_)) => {
                let c = self.instantiate(&c);
                self.conform(value, &c, at, contract_at, path)
            }
            (Ty::Forall(_), Ty::Forall(_)) => c,
            (Ty::Forall(_), _) => {
                let v = self.instantiate(&v);
                self.conform(&v, &c, at, contract_at, path)
            }
            // the contract seals the arguments, so that a function which is less general fails when it is called
            (Ty::Fun(..), Ty::Forall(_)) => {
                let unified = self.unify(&v, &c, &because.clone().unsure().general());
                self.settle_clash(unified, &because);
                c
            }
            (_, Ty::Forall(_)) => {
                let inner = self.instantiate(&c);
                let unified = self.unify(&v, &inner, &because.clone().unsure());
                self.settle_clash(unified, &because);
                c
            }
            // an unknown value may be a record with any fields
            (Ty::Dyn(reason), Ty::Record(s)) => {
                self.conform_rows(&Row::new(Tail::Dyn(*reason)), s, at, contract_at, path)
            }
            (Ty::Dyn(_) | Ty::Bottom, _) => c.clone(),
            // the contract accepts any of several types: `any_of [Number, String]`
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
                // the elements still depend on the siblings that they were read from
                let mut siblings = JoinedSiblings::default();
                let t = match self.lets_pass(u) {
                    true => self.take_siblings(t, &mut siblings),
                    false => t.clone(),
                };
                // if the array is a literal, it has an element of each type in the union
                let literal = self.literals.is(at);
                let types = match &*self.table.head(&t) {
                    Ty::Union(members) if literal => members.clone(),
                    _ => vec![t],
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
                let inner = siblings.around(inner.unwrap_or_else(|| u.clone()));
                let array: TyRef = Ty::Array(self.without_failures(&inner)).into();
                match fault {
                    Some(fault) if literal => Ty::Fails(crate::ty::Failure { deep: true, ..fault }, array).into(),
                    _ => array,
                }
            }
            (Ty::Fun(ps, r), Ty::Fun(qs, s)) if ps.len() == qs.len() => {
                let mut params = Vec::new();
                // what the contract gives to the function, not a value of the program
                let earlier = self.contracts.of_functions.get(&at).copied().filter(|earlier| *earlier != contract_at);
                let given = UnifyReason { wanted: earlier, ..UnifyReason::new(contract_at, Why::Given).unsure() };
                for (p, q) in ps.iter().zip(qs) {
                    if self.may_convert(&q.ty, contract_at) {
                        // the contract may make the argument that the function needs from any other one
                        let ty = Ty::Dyn(DynReason::Contract(contract_at)).into();
                        params.push(Param { ty, demand: Default::default(), ..p.clone() });
                    } else if matches!(&*self.table.head(&q.ty), Ty::Dyn(_)) {
                        params.push(p.clone());
                    } else {
                        let checked = self.taken(&q.ty, false, contract_at, TAKEN);
                        let unified = self.unify(&checked, &p.ty, &given);
                        self.settle_clash(unified, &given);
                        let ty = self.taken(&q.ty, true, contract_at, TAKEN);
                        let demand = self.checked_demand(&p.demand, &q.ty);
                        params.push(Param { ty, demand, ..p.clone() });
                    }
                }
                let result = self.conform(r, s, at, contract_at, path);
                self.contracts.of_functions.insert(at, contract_at);
                // the function fails when it is called, not here
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
                // the enum type of a literal tag has only that tag, unless another contract has added more
                let own = matches!(&*v, Ty::Enum(tags, tail) if self.open_tags(tags, tail).0.len() == 1);
                match self.unify(&v, &c, &because) {
                    Ok(()) => match &*c {
                        Ty::Enum(..) => c,
                        _ => v,
                    },
                    Err(mut clash) => {
                        clash.path.extend(path.iter().rev().cloned());
                        let tag = own && matches!(clash.what, ClashKind::Tag { .. }) && self.literals.is(at);
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

    /// Returns the type of a parameter under a contract, for the caller (`given`) or for the function. A record contract with `..`
    /// lets other fields through, and the caller may leave out or replace a field to which the contract gives a value.
    fn taken(&mut self, contract: &TyRef, given: bool, at: Span, depth: usize) -> TyRef {
        let unknown: TyRef = Ty::Dyn(DynReason::Contract(at)).into();
        let head = self.table.head(contract);
        let Some(below) = depth.checked_sub(1) else {
            return if matches!(&*head, Ty::Record(_) | Ty::Array(_) | Ty::Fun(..)) {
                unknown
            } else {
                contract.clone()
            };
        };
        match &*head {
            Ty::Array(item) => Ty::Array(self.taken(item, given, at, below)).into(),
            Ty::Fun(params, result) => {
                let params = params.iter().map(|p| Param { ty: self.taken(&p.ty, !given, at, below), ..p.clone() });
                Ty::Fun(params.collect(), self.taken(result, given, at, below)).into()
            }
            Ty::Record(row) => {
                let mut out = self.open_row(row);
                for (name, f) in out.clone().fields() {
                    let own = f.stack.as_ref().filter(|_| f.presence != Presence::No);
                    let ty = match own.is_some_and(|stack| stack.contracts.is_empty()) {
                        true => unknown.clone(),
                        false => self.taken(&f.ty, given, at, below),
                    };
                    let field = match f.presence {
                        Presence::No => {
                            Field { presence: Presence::Yes, need: Need::None, stack: None, ty, ..f.clone() }
                        }
                        _ if own.is_some() && given => {
                            Field { presence: Presence::Maybe, stack: None, ty, ..f.clone() }
                        }
                        _ => Field { ty, ..f.clone() },
                    };
                    out.insert(name.clone(), field);
                }
                match out.tail() {
                    Tail::Closed if out.open => out.set_tail(Tail::Dyn(DynReason::Contract(at))),
                    Tail::Dict(item) => {
                        let item = self.taken(&item.clone(), given, at, below);
                        out.set_tail(Tail::Dict(item));
                    }
                    _ => {}
                }
                Ty::Record(out).into()
            }
            _ => contract.clone(),
        }
    }

    /// Returns the type of the records that a record contract accepts. A record may lack the fields to which the
    /// contract gives a value.
    fn accepts(&mut self, row: &Row) -> TyRef {
        let row = self.open_row(row);
        let tail = match row.tail() {
            Tail::Closed if row.open => Tail::Live(self.fresh_tail(VariableKind::Row)),
            tail => tail.clone(),
        };
        let mut out = Row::new(tail);
        for (name, f) in row.fields() {
            let presence = match (&f.stack, f.presence) {
                (Some(_), Presence::Yes | Presence::Maybe) | (None, Presence::Maybe) => Presence::Maybe,
                _ => Presence::Yes,
            };
            out.insert(
                name.clone(),
                Field {
                    presence,
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
        // a field of the contract, a record type, that the value does not have
        let mut lacking = None;
        let mut path = path.to_vec();
        for (name, f) in v.fields() {
            path.push(name.clone());
            let field = match c.get(name) {
                Some(cf) if cf.stack.is_some() => self.merge_fields(f, cf, contract_at, &mut path),
                Some(cf) => {
                    if cf.presence == Presence::Yes && is_absent(f) {
                        lacking.get_or_insert_with(|| name.clone());
                    }
                    self.conform_field(f, &cf.ty, at, contract_at, &path)
                }
                None => match c.tail() {
                    Tail::Dict(t) => self.conform_field(f, &t.clone(), at, contract_at, &path),
                    _ => {
                        if closed && f.presence == Presence::Yes {
                            extra.get_or_insert_with(|| (name.clone(), f.at));
                        }
                        path.pop();
                        continue;
                    }
                },
            };
            // a record type applies its contracts immediately, so the field does not keep them for later merges
            let field = if is_type { without_contracts(field) } else { field };
            out.insert(name.clone(), field);
            path.pop();
        }
        for (name, cf) in c.fields() {
            if v.get(name).is_some() {
                continue;
            }
            if cf.stack.is_none() && cf.presence == Presence::Yes && matches!(v.tail(), Tail::Closed) {
                lacking.get_or_insert_with(|| name.clone());
            }
            let field = match (&cf.stack, v.tail()) {
                (_, Tail::Dict(t)) => Field {
                    presence: Presence::Maybe,
                    ..Field::given(self.conform(t, &cf.ty, at, contract_at, &path), cf.at)
                },
                (_, Tail::Dyn(reason)) => {
                    // the value has it, or fails
                    let presence = if cf.presence == Presence::Maybe { Presence::Maybe } else { Presence::Yes };
                    let ty = self.conform(&Ty::Dyn(*reason).into(), &cf.ty, at, contract_at, &path);
                    Field { presence, need: Need::None, ty, ..cf.clone() }
                }
                (Some(_), _) => cf.clone(),
                (None, Tail::Live(_)) => cf.clone(),
                (None, _) if cf.presence == Presence::Yes => {
                    Field { presence: Presence::No, need: Need::Own, ..cf.clone() }
                }
                (None, _) => cf.clone(),
            };
            out.insert(name.clone(), field);
        }
        let tail = match (v.tail(), c.tail()) {
            (Tail::Dyn(_), Tail::Closed) if closed => Tail::Closed,
            (Tail::Dict(_), Tail::Closed) if closed => Tail::Closed,
            (Tail::Dyn(_), Tail::Dict(t)) => Tail::Dict(t.clone()),
            (Tail::Dict(t), Tail::Dict(u)) => Tail::Dict(self.conform(t, u, at, contract_at, &path)),
            // the contract adds fields with computed names
            (Tail::Closed, tail @ Tail::Dyn(DynReason::Computed(_))) => tail.clone(),
            (tail, _) => tail.clone(),
        };
        out.set_tail(tail);
        out.open = v.open;
        let out: TyRef = Ty::Record(out).into();
        let Some((name, extra_at)) = extra else {
            return match lacking {
                Some(name) => self.lacks_field(name, (&v, &c), out, at, contract_at, &path),
                None => out,
            };
        };
        // A field that both the contract and the record have is not misspelt, unless the record leaves it to others to define,
        // or has it from another file.
        let is_elsewhere = |field: &Field| {
            let is_default = |layer: &Layer| matches!(layer.priority, Priority::Default);
            let in_other_file = field.at.zip(extra_at).is_some_and(|(own, extra)| own.source != extra.source);
            in_other_file || field.stack.as_ref().is_some_and(|stack| stack.layers.iter().all(is_default))
        };
        let may_be_meant = |n: &&Name| v.get(n).is_none_or(is_elsewhere);
        let near = super::report::near(&name, c.fields().map(|(n, _)| n).filter(may_be_meant));
        let because = UnifyReason::new(extra_at.unwrap_or(at), Why::Contract).wanted(contract_at);
        let mut clash = self.clash(ClashKind::Extra { name, near }, &because);
        clash.path.extend(path.iter().rev().cloned());
        match self.report_clash(*clash, &because) {
            Some(fault) if !late => Ty::Fails(fault, out).into(),
            // the final contract often has the field
            Some(fault) => {
                if let Some(finding) = fault.id.and_then(|id| self.findings.get_mut(id)) {
                    finding.reported = Reported::IfReached;
                }
                out
            }
            None => out,
        }
    }

    /// Returns the type of a record that lacks a field of its record type. The problem is reported if evaluation is certain to run into
    /// it: the value of a field may still get the field by a merge.
    fn lacks_field(
        &mut self,
        name: Name,
        (value, contract): (&Row, &Row),
        out: TyRef,
        at: Span,
        contract_at: Span,
        path: &[Name],
    ) -> TyRef {
        let record: TyRef = Ty::Record(value.clone()).into();
        let near = super::report::near(&name, value.fields().map(|(n, _)| n).filter(|n| contract.get(n).is_none()));
        let because = UnifyReason::new(at, Why::Contract).wanted(contract_at);
        let mut clash = self.clash(ClashKind::Missing { name, record, near, asked: None }, &because);
        clash.path.extend(path.iter().rev().cloned());
        let known = self.findings.len();
        let fault = self.report_clash(*clash, &because);
        if let Some(finding) = fault.and_then(|fault| fault.id).filter(|id| *id as usize >= known)
            && let Some(finding) = self.findings.get_mut(finding)
        {
            finding.reported = Reported::IfForced;
        }
        match fault {
            Some(fault) => Ty::Fails(fault, out).into(),
            None => out,
        }
    }

    /// Returns a field after applying a contract that is not on the field's own stack.
    fn conform_field(&mut self, f: &Field, contract: &TyRef, at: Span, contract_at: Span, path: &[Name]) -> Field {
        if f.presence == Presence::No && matches!(&*self.table.head(&f.ty), Ty::Live(_)) {
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

/// Whether a field is optional and has no definition.
fn is_absent(field: &Field) -> bool {
    field.presence == Presence::Maybe && field.stack.as_ref().is_some_and(|s| s.layers.is_empty() && !s.conditional)
}

/// Returns a field without its contracts. They have already been applied to its value.
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

/// Returns `true` if two types have the same outermost constructor.
fn is_of_head(a: &TyRef, b: &TyRef) -> bool {
    std::mem::discriminant(&**a) == std::mem::discriminant(&**b)
}
