//! Infers record literals: fields in dependency order, each a stack of layers. Siblings see the field's type in this literal.

use super::Infer;
use super::scopes::Member;
use super::units::Role;
use super::why::{UnifyReason, Why};
use crate::meta::{Priority, Push};
use crate::problem::types::TypesKind;
use crate::term::{AnnotKind, FieldDef, FieldName, Node, NodeId, RecordLit};
use crate::text::{Name, Span};
use crate::ty::{Contract, Field, Layer, Presence, Row, Stack, Tail, Ty, TyRef};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Infer<'_> {
    pub(super) fn record(&mut self, lit: &RecordLit, span: Span) -> TyRef {
        // computed names are evaluated outside of the record's frame
        let names: Vec<Option<Name>> = lit.fields.iter().map(|f| self.field_name(f)).collect();
        self.scopes.open_record(FxHashMap::default(), self.level, None);
        let mut row = Row::new(Tail::Closed);
        row.open = lit.open;
        for group in lit.groups.iter() {
            if self.interrupts.stopped {
                break;
            }
            self.field_group(lit, &group, &names, &mut row, span);
        }
        self.scopes.close();
        Ty::Record(row).into()
    }

    /// The name of a field, if it is known.
    fn field_name(&mut self, field: &FieldDef) -> Option<Name> {
        match &field.name {
            FieldName::Static(name) => Some(name.clone()),
            FieldName::Computed(node) => {
                self.expect(*node, &Ty::String.into(), Why::Computed);
                match self.term.node(*node) {
                    Node::Str(name) => Some(name.clone()),
                    _ => None,
                }
            }
        }
    }

    fn field_group(&mut self, lit: &RecordLit, group: &[u32], names: &[Option<Name>], row: &mut Row, span: Span) {
        let from = self.enter();
        let mut contracts = Vec::with_capacity(group.len());
        for i in group {
            let Some(def) = lit.fields.get(*i as usize) else { continue };
            let read = self.contracts_of(def);
            if let (FieldName::Static(name), Some((_, first))) = (&def.name, read.first()) {
                let declared = first.ty.clone();
                self.member_is(name, Member::Declared(declared));
            }
            contracts.push((def, names.get(*i as usize).cloned().flatten(), read));
        }
        let mut fields: Vec<(Name, Field)> = Vec::new();
        let mut computed: Vec<Field> = Vec::new();
        for (def, name, read) in contracts {
            let field = self.definition(def, name.as_ref(), read);
            match name {
                Some(name) => match fields.iter().position(|(n, _)| *n == name) {
                    Some(i) => {
                        let mut path = vec![name.clone()];
                        let merged = self.merge_fields(&fields[i].1.clone(), &field, def.span, &mut path);
                        fields[i].1 = merged;
                    }
                    None => fields.push((name, field)),
                },
                None => computed.push(field),
            }
        }
        for (name, field) in &fields {
            self.tie_member(name, field);
        }
        self.leave_level(from);
        for (name, field) in fields {
            let field = self.generalise_field(&field);
            let field = match row.get(&name).cloned() {
                Some(before) => self.merge_fields(&before, &field, span, &mut vec![name.clone()]),
                None => field,
            };
            self.member_is(&name, Member::Done(field.clone()));
            row.insert(name, field);
        }
        for field in computed {
            let item = self.generalise(&field.ty);
            let item = self.without_failures(&item);
            let because = UnifyReason::new(span, Why::Computed).unsure();
            let tail = match row.tail() {
                Tail::Dict(before) => Tail::Dict(self.join(&before.clone(), &item, &because)),
                Tail::Closed => Tail::Dict(item),
                other => other.clone(),
            };
            row.set_tail(tail);
        }
        self.end_generalisation(from);
    }

    fn member_is(&mut self, name: &Name, member: Member) {
        let Some(frame) = self.scopes.at(0) else { return };
        let awaited = matches!(self.scopes.member(frame, name), Some(Member::Pending(Some(_))));
        if !(awaited && matches!(member, Member::Declared(_))) {
            self.scopes.set_member(frame, name.clone(), member);
        }
    }

    /// Unifies a field with the type that siblings assumed when they read it before it was inferred.
    pub(super) fn tie_member(&mut self, name: &Name, field: &Field) {
        let Some(assumed) = self.scopes.awaited(name) else { return };
        let span = field.at.unwrap_or(self.root_span());
        // the definition may be overridden in an object
        let because = UnifyReason::new(span, Why::Sibling(name.clone())).sure_if(!self.rules().extends());
        let ty = self.without_failures(&field.ty);
        let ty = self.instantiate(&ty);
        let ty = self.no_error(&ty);
        let unified = self.unify(&ty, &assumed, &because);
        self.break_infinite_type(unified, &assumed, &because);
        self.solve();
    }

    fn contracts_of(&mut self, def: &FieldDef) -> Vec<(AnnotKind, Contract)> {
        def.meta
            .annots
            .iter()
            .map(|a| {
                let ty = self.contract(a.ty);
                (a.kind, Contract { ty, span: self.term.span(a.ty) })
            })
            .collect()
    }

    /// Reports a merge function that is not a function, or a literal that takes several arguments.
    fn expect_merge_function(&mut self, merger: NodeId, ty: &TyRef) {
        let head = self.table.head(ty);
        let arguments = match (&*head, self.term.node(merger)) {
            (Ty::Null | Ty::Bool | Ty::Number | Ty::String | Ty::Array(_) | Ty::Record(_) | Ty::Enum(..), _) => None,
            (_, Node::Lambda(lambda)) => match lambda.params.iter().filter(|param| param.default.is_none()).count() {
                0 | 1 => return,
                count => Some(count),
            },
            _ => return,
        };
        let found = self.mono(&head);
        let what = TypesKind::NotMergeFunction { found, arguments };
        if let Some(fault) = self.report(self.term.span(merger), what, false) {
            self.always_error(fault);
        }
    }

    /// Infers one definition of a field.
    fn definition(&mut self, def: &FieldDef, name: Option<&Name>, read: Vec<(AnnotKind, Contract)>) -> Field {
        let meta = &def.meta;
        let mut stack = Stack { optional: meta.optional, conditional: meta.guard.is_some(), ..Stack::default() };
        if let Some(guard) = meta.guard {
            self.expect_lazily(guard, &Ty::Bool.into(), Why::Condition);
        }
        if let Some(merger) = meta.merge {
            let ty = self.lazily(merger);
            self.expect_merge_function(merger, &ty);
            stack.merger = Some(ty);
        }
        match def.body {
            Some(body) => {
                let at = self.term.span(body);
                self.check_for_itself(def, body, name);
                self.expect_function(body, &meta.annots);
                let mut ty = self.annotated_by(&meta.annots, |infer| infer.in_role(body, Role::Field(at)));
                for (kind, c) in &read {
                    if *kind == AnnotKind::Type {
                        ty = self.check(&ty, &c.ty, at, c.span);
                    }
                }
                if let Some(push) = meta.push {
                    ty = self.push_down(&ty, push);
                }
                let priority = match meta.push {
                    Some(push) if self.table.head(&ty).row().is_none() => pushed(push, &meta.priority.priority),
                    _ => meta.priority.priority.clone(),
                };
                let certain = meta.guard.is_none();
                stack.layers.push(Layer { priority, ty, certain, at: Some(at) });
                stack.definitions = 1;
                stack.contracts = read.into_iter().filter(|(k, _)| *k == AnnotKind::Contract).map(|(_, c)| c).collect();
            }
            None => {
                stack.contracts = read.into_iter().map(|(_, c)| c).collect();
                if stack.contracts.is_empty() {
                    // at the level of the record, so that all siblings that read it share the type
                    let level = self.level.saturating_sub(1);
                    let live = self.table.fresh(crate::ty::VariableKind::Type, level);
                    stack.bare = Some(Ty::Live(live).into());
                }
            }
        }
        let path: Vec<Name> = name.cloned().into_iter().collect();
        self.field_of_stack(stack, meta.not_exported, Some(def.name_span), &path, def.span)
    }

    /// Reports a definition that is the field itself: `fun name => { name = name }`. A default of this kind may have another value.
    fn check_for_itself(&mut self, def: &FieldDef, body: NodeId, name: Option<&Name>) {
        let Node::Member { up: 0, name: read } = self.term.node(body) else { return };
        // where the value is shown, evaluation reports it
        let is_shown = self.units.is_shown_with(0);
        let is_other = def.included || def.plus || def.meta.priority.priority != Priority::Normal;
        if name == Some(read) && !is_other && !is_shown {
            let (at, names) = (self.term.span(body), vec![read.clone()]);
            // whether it is needed is found by evaluation
            let _: TyRef = self.in_unit(Role::Perhaps, |infer| {
                infer.report(at, TypesKind::NamesItself { names }, true);
                infer.fresh()
            });
        }
    }

    /// Moves the priority of `default rec` or `force rec` to the leaves of a record.
    pub(super) fn push_down(&mut self, ty: &TyRef, push: Push) -> TyRef {
        let head = self.open_head(ty);
        let Ty::Record(row) = &*head else { return ty.clone() };
        super::deep(|| {
            let row = self.open_row(row);
            let mut out = row.clone();
            for (name, f) in row.fields() {
                out.insert(name.clone(), self.push_field(f, push));
            }
            let out: TyRef = Ty::Record(out).into();
            match &**ty {
                Ty::Fails(fault, _) => Ty::Fails(*fault, out).into(),
                _ => out,
            }
        })
    }

    fn push_field(&mut self, f: &Field, push: Push) -> Field {
        let mut stack = f.layers();
        for layer in &mut stack.layers {
            if self.open_head(&layer.ty).row().is_some() {
                layer.ty = self.push_down(&layer.ty, push);
                layer.priority = match push {
                    Push::Layer(_) => pushed(push, &layer.priority),
                    Push::Default | Push::Force => Priority::Normal,
                };
            } else {
                layer.priority = pushed(push, &layer.priority);
            }
        }
        let ty = match stack.layers.first() {
            Some(top) if f.presence == Presence::Yes && stack.contracts.is_empty() && stack.layers.len() == 1 => {
                top.ty.clone()
            }
            _ => self.push_down(&f.ty, push),
        };
        Field { ty, stack: Some(Arc::new(stack)), ..f.clone() }
    }

    /// Whether two definitions are records from layers of a merge, which are merged regardless of their layers.
    pub(super) fn are_layers(&mut self, a: &Layer, b: &Layer) -> bool {
        let layered = |p: &Priority| matches!(p, Priority::Layer(_));
        let ranks = |p: &Priority| layered(p) || *p == Priority::Normal;
        (layered(&a.priority) || layered(&b.priority))
            && ranks(&a.priority)
            && ranks(&b.priority)
            && [a, b].into_iter().all(|layer| matches!(&*self.table.head(&layer.ty), Ty::Record(_)))
    }
}

/// Returns the priority of a leaf that another one is pushed to.
fn pushed(push: Push, own: &Priority) -> Priority {
    match (push, own) {
        (Push::Default, Priority::Force) => Priority::Force,
        (Push::Default, _) => Priority::Default,
        (Push::Force, _) => Priority::Force,
        (Push::Layer(layer), Priority::Normal) => Priority::Layer(layer),
        (Push::Layer(_), own) => own.clone(),
    }
}
