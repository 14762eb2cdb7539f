//! Reads `self` and `super` in an object literal.

use crate::infer::Infer;
use crate::infer::findings::Reported;
use crate::infer::objects::NeededField;
use crate::infer::scopes::Member;
use crate::infer::walk;
use crate::problem::types::TypesKind;
use crate::term::{FieldDef, FieldName, Node, NodeId};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Field, MissingPart, Need, Presence, Row, Sibling, Tail, Ty, TyRef, VariableKind};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Maximum number of fields of the object below that are compared with a missing one.
const BELOW: usize = 300;

impl Infer<'_> {
    /// Returns the type of `self` as a value: the fields known so far, and an open rest for those of the final object.
    pub(in crate::infer) fn this(&mut self, up: u32, span: Span) -> TyRef {
        let Some(at) = self.scopes.at(up) else { return self.fresh() };
        let Some(level) = self.scopes.level(at) else { return self.fresh() };
        let fresh = self.table.fresh(VariableKind::Row, level);
        self.first_read_of_all(at);
        let Some(object) = self.scopes.object_mut(at) else { return self.fresh() };
        let tail = *object.rest.get_or_insert(fresh);
        let mut row = object.whole.clone();
        if row.marks().fails
            && let Ty::Record(clean) = &*self.without_failures(&Ty::Record(row.clone()).into())
        {
            row = clean.clone();
        }
        let Some(object) = self.scopes.object_mut(at) else { return self.fresh() };
        object.whole = row.clone();
        row.set_tail(match object.below.as_deref() {
            None => Tail::Live(tail),
            Some(Ty::Record(_)) if matches!(object.whole.tail(), Tail::Closed) => Tail::Live(tail),
            _ => Tail::Dyn(DynReason::Computed(span)),
        });
        Ty::Record(row).into()
    }

    /// Returns the type of `self.name`, where `self` is the object of a frame.
    pub(super) fn self_field(&mut self, at: usize, name: &Name, id: NodeId) -> TyRef {
        if self.scopes.level(at).is_none() {
            return self.fresh();
        }
        self.first_read(at, name);
        match self.scopes.member(at, name).cloned() {
            Some(Member::Done(field)) => {
                self.is_read(at, name);
                let me = self.me_for(&field, at);
                let field = match field.at {
                    Some(definition) => Field { ty: self.without_own_siblings(&field.ty, definition, at), ..field },
                    None => field,
                };
                self.read(&field, &me)
            }
            Some(Member::Declared(ty)) => self.instantiate(&ty),
            Some(Member::Pending(Some(ty))) => ty,
            Some(Member::Pending(None)) => self.await_member(at, name),
            None => self.absent(at, name, (Need::Own, false), id),
        }
    }

    /// Returns the type of a method that no definition of an object has, for one call.
    pub(super) fn needed_method(&mut self, at: usize, name: &Name, id: NodeId) -> TyRef {
        self.absent(at, name, (Need::Own, true), id)
    }

    /// Returns the type of `super.name`.
    pub(super) fn super_field(&mut self, up: u32, name: &Name, id: NodeId) -> TyRef {
        match self.scopes.at(up) {
            Some(at) => self.absent(at, name, (Need::Super, false), id),
            None => self.fresh(),
        }
    }

    /// Returns the type of a field that the literal lacks: that of the object below, or a new need of the literal. `called`: the
    /// field is a method that is called here, with types that other calls need not have.
    fn absent(&mut self, frame: usize, name: &Name, (need, called): (Need, bool), id: NodeId) -> TyRef {
        let span = self.term.span(id);
        let Some(object) = self.scopes.object(frame) else { return self.fresh() };
        let (below, computed) = (object.below.clone(), object.computed);
        let conditional = need == Need::Own && object.conditional.contains(name);
        if let (Need::Super, Some(object)) = (need, self.scopes.object_mut(frame)) {
            object.super_reads.push(name.clone());
        }
        let unknown: TyRef = Ty::Dyn(DynReason::Computed(span)).into();
        if conditional {
            return unknown;
        }
        let open = match &below {
            None => Row::new(Tail::Closed),
            Some(below) => match &*self.open_head(below) {
                Ty::Record(row) => self.open_row(row),
                Ty::Live(_) => {
                    let ty = self.field_type(below, name, id, span);
                    return self.instantiate(&ty);
                }
                _ => return unknown,
            },
        };
        let below_names = (need == Need::Super && matches!(open.tail(), Tail::Closed))
            .then(|| open.fields().map(|(name, _)| name.clone()).take(BELOW).collect::<Vec<_>>());
        match (open.get(name), open.tail()) {
            (Some(field), _) if field.presence != Presence::No => {
                let field = field.clone();
                if let (Some(at), Need::Own, Some(object)) = (field.at, need, self.scopes.object_mut(frame)) {
                    object.below_reads.insert(at, name.clone());
                }
                let me = self.me_for(&field, frame);
                let from = self.objects.reads.len();
                let ty = self.read(&field, &me);
                if need == Need::Super {
                    // an object above cannot change the fields below
                    self.objects.reads.truncate(from);
                }
                return match field.inheritance.as_ref().is_some_and(|l| l.plus) && !self.rules().extends_layers() {
                    true => self.with_more_below(&ty, span),
                    false => ty,
                };
            }
            (_, Tail::Closed) => {}
            (None, Tail::Dict(item)) => return self.instantiate(&item.clone()),
            (None, Tail::Live(_)) => {
                let ty: TyRef = Ty::Record(open).into();
                let ty = self.field_type(&ty, name, id, span);
                return self.instantiate(&ty);
            }
            (None, Tail::Dyn(_) | Tail::Var(_)) => {
                self.suspect_absent(&open, name, span);
                return unknown;
            }
            (Some(_), _) => {}
        }
        if computed && need == Need::Own {
            return unknown;
        }
        if self.objects.tolerant > 0 {
            return unknown;
        }
        let level = self.scopes.level(frame).unwrap_or(self.level);
        let fresh: TyRef = Ty::Live(self.table.fresh(VariableKind::Type, level)).into();
        let near = match need {
            // the object itself has the field: `self` was meant
            Need::Super if self.scopes.names(frame).any(|own| own == name) && !self.is_in_field(name, span) => {
                vec![name.clone()]
            }
            Need::Super => {
                below_names.iter().flat_map(|all| crate::text::near(name, all.iter().map(Name::as_str))).collect()
            }
            _ => crate::text::near(name, self.scopes.names(frame).map(Name::as_str)),
        };
        let what = TypesKind::Undefined { name: name.clone(), below: need == Need::Super, near };
        self.report_only(span, what.clone(), Reported::IfForced, true);
        if need == Need::Own {
            self.suspect_misspelt_own(frame, name, what, span);
        }
        let Some(object) = self.scopes.object_mut(frame) else { return fresh };
        let wanted =
            object.needs.entry(name.clone()).or_insert_with(|| NeededField { need, ty: fresh, readers: Vec::new() });
        if need == Need::Super {
            wanted.need = Need::Super;
        }
        wanted.readers.push(span);
        let ty = wanted.ty.clone();
        let at = wanted.readers.first().copied().unwrap_or(span);
        let ty = match called {
            true => {
                let one: TyRef = Ty::Live(self.table.fresh(VariableKind::Type, level)).into();
                let part = MissingPart { path: Vec::new(), ty: one.clone(), at: vec![span] };
                if let Some(object) = self.scopes.object_mut(frame) {
                    object.missing_parts.push((name.clone(), part));
                }
                one
            }
            false => ty,
        };
        self.needed(&ty);
        match need {
            // a field below is not a sibling
            Need::Super => ty,
            _ => Ty::Sibling(Arc::new(Sibling::whole(at)), ty).into(),
        }
    }

    /// Whether a place is in a definition of a field of this name. O(term)
    fn is_in_field(&self, name: &Name, at: Span) -> bool {
        let contains = |span: Span| span.source == at.source && span.start <= at.start && at.end <= span.end;
        self.term.nodes.iter().any(|node| match node {
            Node::Record(literal) => {
                let named = |field: &FieldDef| matches!(&field.name, FieldName::Static(own) if own == name);
                literal.fields.iter().any(|field| named(field) && contains(field.span))
            }
            _ => false,
        })
    }

    /// Returns the type of a definition by `+:` that extends what a further object below may define.
    fn with_more_below(&mut self, ty: &TyRef, span: Span) -> TyRef {
        match &**ty {
            Ty::Fails(fault, inner) => Ty::Fails(*fault, self.with_more_below(inner, span)).into(),
            Ty::Sibling(sibling, inner) => Ty::Sibling(sibling.clone(), self.with_more_below(inner, span)).into(),
            Ty::Record(row) if matches!(row.tail(), Tail::Closed) => {
                let mut open = row.clone();
                let extends = |field: &Field| field.inheritance.as_ref().is_some_and(|l| l.plus);
                for (name, field) in row.fields().filter(|(_, field)| extends(field)) {
                    let ty = crate::infer::deep(|| self.with_more_below(&field.ty, span));
                    open.insert(name.clone(), Field { ty, ..field.clone() });
                }
                open.set_tail(Tail::Dyn(DynReason::Computed(span)));
                Ty::Record(open).into()
            }
            _ => ty.clone(),
        }
    }

    /// Finds a field of an enclosing object, by its definition or, for a need, by its first reader. Returns the frame, the name, and
    /// whether the field can have parts that its definition lacks.
    pub(super) fn field_at(&self, at: Span) -> Option<(usize, Name, bool)> {
        self.scopes.objects().find_map(|(i, object)| {
            let member = self.scopes.defined_by(i, at).map(|name| {
                let plus = object.row.get(name).and_then(|f| f.inheritance.as_ref()).is_some_and(|l| l.plus);
                (name.clone(), plus)
            });
            let need =
                || object.needs.iter().find(|(_, w)| w.readers.first() == Some(&at)).map(|(n, _)| (n.clone(), true));
            member.or_else(need).map(|(name, open)| (i, name, open))
        })
    }

    /// Records that another definition reads a field of a literal.
    pub(super) fn is_read(&mut self, frame: usize, name: &Name) {
        if let Some(object) = self.scopes.object_mut(frame) {
            object.read.insert(name.clone());
        }
    }

    /// Returns the object from which a field is read, if the type of the field depends on it; otherwise any type.
    fn me_for(&mut self, field: &Field, frame: usize) -> TyRef {
        if field.ty.marks().forall { self.me(frame) } else { field.ty.clone() }
    }

    /// Returns the type of a field for a definition that reads it, which fails if the field does. The faults in its parts stay.
    fn read_failing(&mut self, field: &Field) -> TyRef {
        if self.rules().converts() || !field.ty.marks().fails {
            return self.without_failures(&field.ty);
        }
        let mut at = field.ty.clone();
        while let Ty::Fails(fault, inner) = &*at.clone() {
            if !fault.deep {
                if let (Some(finding), Some(definition)) = (fault.id.and_then(|id| self.findings.get_mut(id)), field.at)
                {
                    finding.assumes.push(definition);
                    self.merges.rest_on(definition, finding.missing_label());
                }
                self.fails(*fault);
            }
            at = inner.clone();
        }
        match &*at {
            Ty::Record(_) => at,
            Ty::Forall(scheme) if matches!(&*scheme.ty, Ty::Record(_)) => at,
            ty if is_function(ty) => {
                self.faults_rest_on(&at, field.at);
                at
            }
            _ => self.without_failures(&at),
        }
    }

    /// Records that the faults in a method matter only as long as no merge overrides its definition. O(the method's type).
    fn faults_rest_on(&mut self, method: &TyRef, definition: Option<Span>) {
        let Some(definition) = definition else { return };
        let mut seen = FxHashSet::default();
        let mut work = vec![method.clone()];
        while let Some(ty) = work.pop() {
            if !ty.marks().fails || !seen.insert(ty.address()) {
                continue;
            }
            if let Ty::Fails(fault, _) = &*ty
                && let Some(finding) = fault.id.and_then(|id| self.findings.get_mut(id))
                && !finding.assumes.contains(&definition)
            {
                finding.assumes.push(definition);
                self.merges.rest_on(definition, finding.missing_label());
            }
            walk::children(&ty, &mut |part| work.push(part.clone()), &mut |_| {});
        }
    }

    /// Returns the type of a field read from the object `whole`. The current unit then depends on the definition of that field.
    pub(in crate::infer) fn read(&mut self, field: &Field, whole: &TyRef) -> TyRef {
        let ty = self.read_failing(field);
        let ty = match &*self.without_outer_failures(&ty) {
            Ty::Error(inner) => inner.clone(),
            _ => ty,
        };
        let Some(at) = field.at else { return self.instantiate(&ty) };
        self.assume_sibling(at);
        let inner = self.assume_siblings_in(&ty);
        match &**inner {
            Ty::Forall(_) => {
                let ty = self.of(inner, whole);
                let ty = self.instantiate(&ty);
                self.no_error(&ty)
            }
            Ty::Number | Ty::String | Ty::Bool | Ty::Record(_) | Ty::Array(_) | Ty::Live(_) => {
                Ty::Sibling(Arc::new(Sibling::whole(at)), ty).into()
            }
            _ => ty,
        }
    }
}

/// Whether a type is that of a function, or of a polymorphic one.
fn is_function(ty: &Ty) -> bool {
    match ty {
        Ty::Fun(..) => true,
        Ty::Forall(scheme) => matches!(&*scheme.ty, Ty::Fun(..)),
        _ => false,
    }
}
