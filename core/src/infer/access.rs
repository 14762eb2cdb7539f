//! Reads of fields: `r.a`, `r."%{name}"`.

use super::Infer;
use super::unify::ClashKind;
use super::why::{ReasonId, UnifyReason, Why};
use crate::problem::types::TypesKind;
use crate::term::{Node, NodeId};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Field, Presence, Row, Sibling, Tail, Ty, TyRef, VariableKind};
use std::sync::Arc;

impl Infer<'_> {
    pub(super) fn project(&mut self, target: NodeId, name: &Name, id: NodeId) -> TyRef {
        self.note_path(target, name);
        if let Some(view) = self.viewed(id) {
            return view;
        }
        if self.rules().extends() {
            self.lacking_element(target, name, self.term.span(id));
        }
        if self.rules().extends()
            && self.kept.nodes.is_none()
            && self.may_be_in_scheme(id, target)
            && let Some(ty) = self.part_of_scheme(id)
        {
            let ty = self.instantiate(&ty);
            let ty = self.instantiate(&ty);
            return self.force(&ty);
        }
        let ty = self.strict(target);
        self.is_final(&ty, target);
        self.is_defined(&ty, name, self.term.span(id));
        let ty = self.field_type(&ty, name, target, self.term.span(id));
        let ty = self.instantiate(&ty);
        self.force(&ty)
    }

    /// Records that the current unit forces a field of a parameter.
    fn note_path(&mut self, target: NodeId, name: &Name) {
        let mut path = vec![name.clone()];
        let mut at = target;
        while let Node::Project(inner, name) = self.term.node(at) {
            path.push(name.clone());
            at = *inner;
            if path.len() > 8 {
                return;
            }
        }
        let Node::Local { up, slot } = *self.term.node(at) else { return };
        let Some(frame) = self.scopes.at(up) else { return };
        let variable = self.scopes.plain_variable(frame, slot);
        if variable.is_some_and(|v| v.unit == Some(self.units.current())) {
            path.reverse();
            self.units.force(frame, slot, path);
        }
    }

    /// Returns the type of a field of a value of type `ty`.
    pub(super) fn field_type(&mut self, ty: &TyRef, name: &Name, target: NodeId, at: Span) -> TyRef {
        if let Ty::Sibling(sibling, inner) = &**ty {
            // a part of a sibling
            self.assume_sibling(sibling.at);
            if let Some(part) = self.missing_part(sibling, inner, name, target, at) {
                return part;
            }
            let part = self.field_type(inner, name, target, at);
            if matches!(&*part, Ty::Forall(_) | Ty::Fails(..)) {
                return part;
            }
            let part = match self.scopes.frame_of(sibling.at) {
                Some(frame) => self.without_own_siblings(&part, sibling.at, frame),
                None => part,
            };
            let mut path = sibling.path.clone();
            path.push(name.clone());
            self.uses_part(sibling.at, &path, at);
            return Ty::Sibling(Arc::new(Sibling { at: sibling.at, path, joined: sibling.joined }), part).into();
        }
        let (head, by) = self.table.head_with(ty);
        let because = UnifyReason { span: at, ..self.reason_for(target, Why::Access(name.clone())) };
        match &*head {
            Ty::Library(path) => {
                let mut path = path.to_vec();
                path.push(name.clone());
                match self.library_type(&path) {
                    Some(ty) => ty,
                    None => {
                        let open = self.open_library(&head).unwrap_or_else(|| head.clone());
                        let near = near_in(&open, name);
                        let clash = self.clash(
                            ClashKind::Missing { name: name.clone(), record: open, near, asked: None },
                            &because,
                        );
                        self.demand(Err(clash), &because);
                        self.fresh()
                    }
                }
            }
            Ty::Record(row) => match self.field_of(row, name, &because) {
                Ok(found) => {
                    self.log_access(ty, name, &found, &because);
                    self.of(&found, &head)
                }
                Err(row) => {
                    let certain = self.is_certain(by);
                    let record: TyRef = Ty::Record(row).into();
                    let near = near_in(&record, name);
                    let missing = ClashKind::Missing { name: name.clone(), near, record, asked: None };
                    let clash = self.clash(missing, &because.clone().sure_if(certain));
                    self.demand(Err(clash), &because);
                    self.fresh()
                }
            },
            Ty::Forall(_) => {
                let ty = self.instantiate(&head);
                self.field_type(&ty, name, target, at)
            }
            Ty::Live(_) if self.learn() => self.field_type(ty, name, target, at),
            Ty::Live(v) => {
                if let Some(ty) = self.derived_field(*v, name, target) {
                    return ty;
                }
                let ty = self.fresh();
                let mut row = Row::new(Tail::Live(self.fresh_tail(VariableKind::Row)));
                row.insert(name.clone(), crate::ty::Field::given(ty.clone(), Some(at)));
                self.needed_as(*v, &ty, Some(row.tail()));
                let unified = self.unify(&head, &Ty::Record(row).into(), &because);
                self.demand(unified, &because);
                self.solve();
                ty
            }
            Ty::Dyn(_) | Ty::Bottom => head,
            Ty::Union(members) => {
                let has_fields = |ty: &TyRef| {
                    let scalar = matches!(**ty, Ty::Null | Ty::Bool | Ty::Number | Ty::String | Ty::Enum(..));
                    !scalar && !matches!(**ty, Ty::Array(_) | Ty::Fun(..))
                };
                if !self.rules().extends() && !members.iter().all(has_fields) {
                    let mut row = Row::new(Tail::Live(self.fresh_tail(VariableKind::Row)));
                    row.insert(name.clone(), crate::ty::Field::given(self.fresh(), None));
                    let because = self.reason_for(target, Why::Access(name.clone())).unsure();
                    self.used_as_one(&head, &Ty::Record(row).into(), by, &because);
                }
                Ty::Dyn(DynReason::Computed(at)).into()
            }
            _ => {
                let result = self.fresh();
                let mut row = Row::new(Tail::Live(self.fresh_tail(VariableKind::Row)));
                row.insert(name.clone(), crate::ty::Field::given(result.clone(), None));
                let because = self.reason_for(target, Why::Access(name.clone()));
                let unified = self.unify(ty, &Ty::Record(row).into(), &because);
                self.demand(unified, &because);
                result
            }
        }
    }

    /// Records that a value of several types is used as one type. The problem is reported where the types meet.
    pub(super) fn used_as_one(&mut self, union: &TyRef, one: &TyRef, by: Option<ReasonId>, because: &UnifyReason) {
        let clash = self.clash_of_heads(union, one, by, None, because);
        let found = self.report_clash_in_unit(*clash, because, false).and_then(|fault| fault.id);
        if let Some(finding) = found.and_then(|id| self.findings.get_mut(id)) {
            finding.reported = super::findings::Reported::IfReached;
        }
    }

    /// Reports a field that a record declares without a definition, if no merge can extend the record.
    fn is_defined(&mut self, ty: &TyRef, name: &Name, at: Span) {
        let mut own = ty;
        while let Ty::Fails(_, inner) = &**own {
            own = inner;
        }
        if self.rules().extends() || matches!(**own, Ty::Sibling(..)) {
            return;
        }
        let (head, by) = self.table.head_with(own);
        let Ty::Record(row) = &*head else { return };
        let row = self.open_row(row);
        let declared = |f: &Field| {
            f.presence != Presence::Yes
                && f.stack.as_ref().is_some_and(|s| s.layers.is_empty() && s.merger.is_none() && !s.conditional)
        };
        if !matches!(row.tail(), Tail::Closed) {
            return;
        }
        if let Some(field) = row.get(name).filter(|field| declared(field)) {
            let (certain, declared) = (self.is_certain(by), field.at);
            self.report(at, TypesKind::NoDefinition { name: name.clone(), declared }, certain);
        }
    }

    pub(super) fn index(&mut self, target: NodeId, by: NodeId, span: Span) -> TyRef {
        let target_ty = self.expr(target);
        self.expect(by, &Ty::String.into(), Why::Computed);
        let head = self.open_head(&target_ty);
        match &*head {
            Ty::Record(row) => {
                let row = self.open_row(row);
                if let Node::Str(name) = self.term.clone().node(by) {
                    let ty = self.field_type(&target_ty, name, target, span);
                    return self.instantiate(&ty);
                }
                match row.tail() {
                    Tail::Dict(t) if row.is_empty() => self.instantiate(&t.clone()),
                    Tail::Closed if !row.is_empty() => {
                        // the key is not known: the type is known only if all fields have the same one
                        let mut all = row.fields().map(|(_, f)| f.ty.clone());
                        let Some(first) = all.next() else { return self.fresh() };
                        let first = self.without_outer_failures(&first);
                        if all.all(|t| self.without_outer_failures(&t) == first) {
                            self.instantiate(&first)
                        } else {
                            Ty::Dyn(DynReason::Computed(span)).into()
                        }
                    }
                    _ => Ty::Dyn(DynReason::Computed(span)).into(),
                }
            }
            Ty::Live(_) => {
                let item = self.fresh();
                let dict: TyRef = Ty::Record(Row::new(Tail::Dict(item.clone()))).into();
                let because = UnifyReason::new(self.term.span(target), Why::Computed).unsure();
                let unified = self.unify(&head, &dict, &because);
                self.settle_clash(unified, &because);
                item
            }
            Ty::Dyn(_) | Ty::Bottom | Ty::Union(_) => Ty::Dyn(DynReason::Computed(span)).into(),
            _ => {
                let row: TyRef = Ty::Record(Row::new(Tail::Dyn(DynReason::Computed(span)))).into();
                let because = UnifyReason::new(self.term.span(target), Why::Computed);
                let unified = self.unify(&target_ty, &row, &because);
                self.demand(unified, &because);
                Ty::Dyn(DynReason::Computed(span)).into()
            }
        }
    }
}

/// Returns the names of a record's fields that are close to one that it lacks.
pub(super) fn near_in(record: &TyRef, name: &Name) -> Vec<Name> {
    match &**record {
        Ty::Record(row) => super::report::near(name, row.fields().map(|(n, _)| n)),
        _ => Vec::new(),
    }
}
