//! Infers object literals: fields and locals in dependency order. `self` is the final object, so a field that is read but
//! not defined is a *need*: another object, combined with this one, may supply it.

use super::{NeededField, Object};
use crate::infer::Infer;
use crate::infer::findings::Reported;
use crate::infer::scopes::{Member, Variable};
use crate::infer::units::Role;
use crate::infer::why::{UnifyReason, Why};
use crate::meta::Visibility;
use crate::problem::types::TypesKind;
use crate::term::{Binding, FieldDef, FieldName, Node, PatKind, RecordLit};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Failure, Field, Inheritance, Need, Presence, Row, Tail, Ty, TyRef, VariableKind};
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

impl Infer<'_> {
    /// Infers an object literal. `below`: the object that it extends, if the program says so.
    pub(in crate::infer) fn object(&mut self, lit: &RecordLit, below: Option<&TyRef>, span: Span) -> TyRef {
        // computed names are evaluated outside of the object
        let names: Vec<FieldLabel> = lit.fields.iter().map(|f| self.object_name(f)).collect();
        let certain = |name: &FieldLabel| match name {
            FieldLabel::Certain(name) => Some((name.clone(), Member::Pending(None))),
            FieldLabel::Conditional(_) | FieldLabel::Present | FieldLabel::Computed => None,
        };
        let mut members = FxHashMap::with_capacity_and_hasher(names.len(), Default::default());
        members.extend(names.iter().filter_map(certain));
        let conditional = |name: &FieldLabel| match name {
            FieldLabel::Conditional(name) => Some(name.clone()),
            FieldLabel::Certain(_) | FieldLabel::Present | FieldLabel::Computed => None,
        };
        let below = below.map(|ty| self.open_head(ty));
        let whole = match below.as_deref() {
            Some(Ty::Record(row)) => self.open_row(row),
            _ => Row::new(Tail::Closed),
        };
        let nothing = Variable::of(Ty::Bottom.into());
        let object = Object {
            below,
            locals: vec![nothing; 1 + lit.locals.len()],
            row: Row::new(Tail::Closed),
            whole,
            rest: None,
            needs: FxHashMap::default(),
            missing_parts: Vec::new(),
            read: FxHashSet::default(),
            unread: FxHashMap::default(),
            me: None,
            computed: names.iter().any(|name| matches!(name, FieldLabel::Present | FieldLabel::Computed)),
            below_reads: FxHashMap::default(),
            super_reads: Vec::new(),
            conditional: names.iter().filter_map(conditional).collect(),
            faults: Vec::new(),
        };
        let (open_level, open_variables, waiting, reads) =
            (self.objects.open_level, self.objects.open_variables.len(), self.deferred.len(), self.objects.reads.len());
        self.objects.open_level = self.level;
        self.scopes.open_record(members, self.level, Some(Box::new(object)));
        for group in lit.groups.iter() {
            self.object_group(lit, &group, &names, span);
        }
        let mut asserted: Vec<Failure> = Vec::new();
        for (condition, message) in &lit.asserts {
            let checked = self.in_unit(Role::Part, |infer| {
                infer.expect(*condition, &Ty::Bool.into(), Why::Condition);
                Ty::Bool.into()
            });
            asserted.extend(self.failures_in(&checked));
            if let Some(message) = message {
                self.lazily(*message);
            }
        }
        self.objects.open_level = open_level;
        if let Some(frame) = self.scopes.at(0)
            && self.scopes.object(frame).is_some_and(|object| object.rest.is_some())
        {
            self.first_read_of_all(frame);
        }
        let Some(mut object) = self.scopes.close_object() else { return self.fresh() };
        asserted.append(&mut object.faults);
        let row = self.end_object(object, span);
        self.settle_open_variables(open_variables, waiting);
        // reads among the fields of this object do not matter to enclosing objects
        let own: FxHashSet<Span> = row.fields().filter_map(|(_, f)| f.at).collect();
        let mut outer = self.objects.reads.split_off(reads.min(self.objects.reads.len()));
        outer.retain(|at| !own.contains(at));
        self.objects.reads.extend(distinct(outer));
        let object: TyRef = Ty::Record(row).into();
        if self.rules().converts() || asserted.is_empty() {
            return object;
        }
        // a failing assertion makes the object fail where all of it is shown
        crate::infer::failing(object, asserted.into_iter().map(|fault| Failure { deep: true, ..fault }))
    }

    /// The name of a field, if it is known.
    fn object_name(&mut self, field: &FieldDef) -> FieldLabel {
        let node = match &field.name {
            FieldName::Static(name) => return FieldLabel::Certain(name.clone()),
            FieldName::Computed(node) => *node,
        };
        let term = self.term.clone();
        if let Node::Str(name) = term.node(node) {
            return FieldLabel::Certain(name.clone());
        }
        if matches!(term.node(node), Node::Null) {
            // a field with the name `null` is left out
            return FieldLabel::Computed;
        }
        let ty = self.strict(node);
        let is_string = matches!(&*self.table.head(&ty), Ty::String);
        let because = self.reason_for(node, Why::Computed);
        let unified = self.unify(&ty, &Ty::String.into(), &because);
        self.demand(unified, &because);
        self.solve();
        if let Some(name) = self.constant_name(node) {
            return FieldLabel::Certain(name);
        }
        let Node::If(parts) = term.node(node) else {
            return if is_string { FieldLabel::Present } else { FieldLabel::Computed };
        };
        // `[if c then 'a']` is a field `a` that the object may lack
        match (term.node(parts[1]), term.node(parts[2])) {
            (Node::Str(name), Node::Null) | (Node::Null, Node::Str(name)) => FieldLabel::Conditional(name.clone()),
            _ => FieldLabel::Computed,
        }
    }

    fn object_group(&mut self, lit: &RecordLit, group: &[u32], names: &[FieldLabel], span: Span) {
        let term = self.term.clone();
        let from = self.enter();
        let count = lit.fields.len();
        let alias_cycles = self.field_alias_cycles(lit, group);
        let mut waiting = Vec::new();
        let local = |i: u32| (i as usize).checked_sub(count).and_then(|i| lit.locals.get(i));
        for binding in group.iter().filter_map(|i| local(*i)) {
            if let PatKind::Bind(slot) = term.pat(binding.pat).kind {
                let ty = self.fresh();
                self.scopes.set_type(slot, ty.clone());
                self.name_object(slot, binding.body);
                waiting.push((slot, ty));
            }
        }
        let mut fields: Vec<(Name, Field)> = Vec::new();
        let mut computed: Vec<Field> = Vec::new();
        let mut locals: Vec<(u32, TyRef)> = Vec::new();
        for i in group {
            if let Some(binding) = local(*i) {
                let PatKind::Bind(slot) = term.pat(binding.pat).kind else { continue };
                let before = self.objects.set_open_level(self.level);
                let ty = match alias_cycles.iter().find(|(at, _)| at == i) {
                    Some((_, names)) => self.names_itself(names, binding.span),
                    None => self.in_own_unit(binding.body),
                };
                self.objects.set_open_level(before);
                if (self.scopes.was_read(slot) || group.len() > 1)
                    && let Some((_, before)) = waiting.iter().find(|(s, _)| *s == slot).cloned()
                {
                    let because = UnifyReason::new(binding.span, Why::Recursive).unsure();
                    let value = self.without_outer_failures(&ty);
                    let value = self.instantiate(&value);
                    let unified = self.unify(&value, &before, &because);
                    self.break_infinite_type(unified, &before, &because);
                }
                locals.push((slot, ty));
                continue;
            }
            let Some(def) = lit.fields.get(*i as usize) else { continue };
            let (name, conditional) = match names.get(*i as usize) {
                Some(FieldLabel::Certain(name)) => (Some(name.clone()), false),
                Some(FieldLabel::Conditional(name)) => (Some(name.clone()), true),
                Some(FieldLabel::Present | FieldLabel::Computed) | None => (None, false),
            };
            // overriding one definition of a cycle of aliases gives all of them a value
            let bodies = || alias_cycles.iter().filter_map(|(at, _)| lit.fields.get(*at as usize)?.body);
            let ring = alias_cycles.iter().find(|(at, _)| at == i).map(|(_, names)| {
                let spans = bodies().map(|body| term.span(body)).collect();
                (spans, names.clone())
            });
            let Some(field) = self.object_field(def, &lit.locals, name.as_ref(), ring) else { continue };
            match name {
                Some(name) if conditional => fields.push((name, Field { presence: Presence::Maybe, ..field })),
                Some(name) => fields.push((name, field)),
                None => {
                    if matches!(names.get(*i as usize), Some(FieldLabel::Present)) && !field.hidden {
                        let faults = self.failures_in(&field.ty);
                        if let Some(object) = self.scopes.innermost_object() {
                            object.faults.extend(faults);
                        }
                    }
                    computed.push(field);
                }
            }
        }
        if group.len() > 1 && self.rules().extends_layers() {
            fields = self.with_alternatives(fields, span);
        }
        for (name, field) in &fields {
            let field = self.with_layers_below(name, field);
            self.tie_member(name, &field);
        }
        self.leave_level(from);
        for (slot, ty) in locals {
            let ty = self.generalise_value(&ty);
            self.scopes.set_type(slot, ty);
        }
        for binding in group.iter().filter_map(|i| local(*i)) {
            self.note_constant(binding);
        }
        for (name, field) in fields {
            let field = self.generalise_field(&field);
            self.object_has(name, field);
        }
        for field in computed {
            let item = self.generalise(&field.ty);
            let item = self.without_failures(&item);
            let because = UnifyReason::new(span, Why::Computed).unsure();
            let before = self.scopes.innermost_object().map(|o| o.row.tail().clone());
            let tail = match before {
                Some(Tail::Dict(before)) => Tail::Dict(self.join_quietly(&before, &item, &because)),
                _ => Tail::Dict(item),
            };
            if let Some(object) = self.scopes.innermost_object() {
                object.row.set_tail(tail);
            }
        }
        self.end_generalisation(from);
        self.forget_me();
    }

    /// Combines the definitions of one name in a literal. They are alternatives, of whose guards at most one holds.
    fn with_alternatives(&mut self, fields: Vec<(Name, Field)>, span: Span) -> Vec<(Name, Field)> {
        let mut all: IndexMap<Name, Field> = IndexMap::with_capacity(fields.len());
        for (name, field) in fields {
            match all.get(&name).cloned() {
                Some(before) => {
                    let both = self.alternative(&name, [&before, &field], span);
                    all.insert(name, both);
                }
                None => {
                    all.insert(name, field);
                }
            }
        }
        all.into_iter().collect()
    }

    /// Returns a definition combined with those below it, if readers in the same literal see both.
    fn with_layers_below(&mut self, name: &Name, field: &Field) -> Field {
        let plus = field.inheritance.as_ref().is_some_and(|inheritance| inheritance.plus);
        if !plus || !(self.rules().extends_layers() || self.scopes.awaited(name).is_some()) {
            return field.clone();
        }
        let below = || field.inheritance.as_ref().and_then(|inheritance| inheritance.below.clone());
        let (under, below_at) = match self.below_field(name) {
            Some(under) if !self.is_right_part(&under, field) => return field.clone(),
            Some(under) => (under.ty, under.at),
            None if self.rules().extends_layers() => return field.clone(),
            None => match below() {
                Some(under) => (under, None),
                None => return field.clone(),
            },
        };
        let (under, own) = (self.without_failures(&under), self.without_failures(&field.ty));
        let (under, own) = (self.instantiate(&under), self.instantiate(&own));
        let at = field.at.unwrap_or(self.root_span());
        Field { ty: self.layered(&under, &own, below_at, at), ..field.clone() }
    }

    /// Adds a field to the literal, with the type that its other definitions see.
    pub(super) fn reader_sees(&mut self, frame: usize, name: Name, field: Field) {
        let seen = match field.inheritance.as_deref() {
            Some(Inheritance { plus: true, below, .. }) => {
                let under = self.below_field_of(frame, &name);
                let right = under.as_ref().is_none_or(|under| self.is_right_part(under, &field));
                let below_at = under.as_ref().and_then(|under| under.at);
                match under.map(|f| f.ty).or_else(|| below.clone()).filter(|_| right) {
                    Some(under) => {
                        let under = self.without_failures(&under);
                        let under = self.instantiate(&under);
                        let own = self.without_failures(&field.ty);
                        let own = self.instantiate(&own);
                        let at = field.at.unwrap_or(self.root_span());
                        let ty = self.layered(&under, &own, below_at, at);
                        Field { ty, inheritance: None, ..field.clone() }
                    }
                    None => field.clone(),
                }
            }
            _ => field.clone(),
        };
        let part = self.without_failures(&seen.ty);
        let function = |t: &Ty| match t {
            Ty::Fun(..) => true,
            Ty::Forall(scheme) => matches!(*scheme.ty, Ty::Fun(..)),
            _ => false,
        };
        let part = (!function(&part)).then(|| Field { ty: part, ..seen.clone() });
        if let Some(object) = self.scopes.object_mut(frame) {
            if object.conditional.contains(&name) {
                return self.object_may_have(frame, name, field);
            }
            // `self` as a value has no functions, whose types would contain themselves; they are found by name
            match part {
                Some(part) => object.whole.insert(name.clone(), part),
                None => object.whole.remove(&name),
            }
            object.row.insert(name.clone(), field);
            self.scopes.set_member(frame, name, Member::Done(seen));
        }
    }

    /// Returns `false` if a definition is a wrong input of the node that it is a part of. The input is then reported.
    fn is_right_part(&mut self, under: &Field, field: &Field) -> bool {
        if !self.rules().extends_layers() {
            return true;
        }
        let was = self.without_failures(&under.ty);
        self.is_right_input([under, field], [&was, &field.ty], field.at.unwrap_or(self.root_span()))
    }

    /// Adds a field that the object may lack. Nothing is known of it inside the object: the object below may have it too.
    fn object_may_have(&mut self, frame: usize, name: Name, field: Field) {
        let before = self.scopes.object(frame).and_then(|object| object.row.get(&name).cloned());
        let field = match before {
            Some(before) => {
                let because = UnifyReason::new(field.at.unwrap_or(self.root_span()), Why::Computed).unsure();
                let (a, b) = (self.without_failures(&before.ty), self.without_failures(&field.ty));
                let ty = self.join_quietly(&a, &b, &because);
                let presence = if before.presence == Presence::Yes { Presence::Yes } else { field.presence };
                Field { ty, presence, hidden: before.hidden && field.hidden, ..before }
            }
            None => field,
        };
        if let Some(object) = self.scopes.object_mut(frame) {
            object.whole.remove(&name);
            object.row.insert(name, field);
        }
    }

    /// Returns the field of the object below.
    pub(super) fn below_field(&mut self, name: &Name) -> Option<Field> {
        self.below_field_of(self.scopes.at(0)?, name)
    }

    /// Like [`Self::below_field`], of the object of a frame.
    fn below_field_of(&mut self, frame: usize, name: &Name) -> Option<Field> {
        let below = self.scopes.object(frame)?.below.clone()?;
        let head = self.open_head(&below);
        let Ty::Record(row) = &*head else { return None };
        self.open_row(row).get(name).filter(|f| f.presence != Presence::No).cloned()
    }

    /// Infers one definition. `ring`: the bodies and names of the cycle of names that it is in.
    fn object_field(
        &mut self,
        def: &FieldDef,
        locals: &[Binding],
        name: Option<&Name>,
        ring: Option<(Vec<Span>, Vec<Name>)>,
    ) -> Option<Field> {
        let body = def.body?;
        if let Some(guard) = def.meta.guard {
            self.condition(guard, true);
        }
        let at = self.term.span(body);
        let when = match self.rules().extends_layers() {
            true => self.condition_of(def.meta.guard, def.meta.decided, locals),
            false => Arc::new([]),
        };
        let guarded = def.meta.guard.is_some() && !when.is_empty();
        if guarded {
            self.objects.around.push(when.clone());
        }
        let from = self.objects.reads.len();
        let from_super = self.scopes.innermost_object().map_or(0, |object| object.super_reads.len());
        let mut ty = match ring.clone() {
            Some((_, names)) => self.field_names_itself(names, at),
            None => match self.imported(body) {
                Some(ty) => ty,
                None => self.in_role(body, Role::Field(at)),
            },
        };
        if guarded {
            self.objects.around.pop();
        }
        if !def.plus {
            self.suspect_super(&ty);
        }
        let mut reads = distinct(self.objects.reads.get(from..).unwrap_or_default().to_vec());
        reads.retain(|read| *read != at);
        let visibility = def.meta.visibility;
        let hidden = visibility == Visibility::Hidden;
        if let Ty::Fails(Failure { deep: true, .. }, inner) = &*ty.clone()
            && matches!(&*self.table.head(inner), Ty::Fun(..) | Ty::Forall(_))
        {
            ty = match name {
                Some(name) if !hidden => {
                    let what = TypesKind::NoJson { name: Some(name.clone()) };
                    let fault = self.report_only(def.name_span, what, Reported::IfForced, false);
                    Ty::Fails(Failure { deep: true, ..fault }, inner.clone()).into()
                }
                _ => inner.clone(),
            };
        }
        let shown = visibility == Visibility::Forced;
        let asked = ring.map(|(spans, _)| spans).unwrap_or_default();
        let when = (!when.is_empty()).then_some(when);
        let super_reads = self.scopes.innermost_object().map_or(&[][..], |object| &object.super_reads);
        let converts = !def.plus && super_reads.iter().skip(from_super).any(|read| Some(read) == name);
        let mut inheritance =
            Inheritance { plus: def.plus, shown, converts, readers: asked, reads, when, ..Inheritance::default() };
        if def.plus
            && !self.rules().extends_layers()
            && let Ty::Record(row) = &*self.table.head(&ty)
        {
            // the object below may have the fields that are defined here
            let row = self.open_row(row);
            let level = self.level.saturating_sub(1);
            let mut under = Row::new(Tail::Live(self.table.fresh(VariableKind::Row, level)));
            for (name, f) in row.fields().filter(|(_, f)| f.presence == Presence::Yes) {
                let ty: TyRef = Ty::Live(self.table.fresh(VariableKind::Type, level)).into();
                under.insert(name.clone(), Field { presence: Presence::Maybe, ..Field::given(ty, f.at) });
            }
            inheritance.below = Some(Ty::Record(under).into());
        }
        let plain = !inheritance.plus
            && !inheritance.shown
            && !inheritance.converts
            && inheritance.when.is_none()
            && inheritance.reads.is_empty()
            && inheritance.readers.is_empty();
        let presence = if def.meta.guard.is_some() { Presence::Maybe } else { Presence::Yes };
        Some(Field {
            presence,
            hidden,
            inheritance: (!plain).then(|| Arc::new(inheritance)),
            ..Field::given(ty, Some(at))
        })
    }

    /// Adds the failure of showing a function, which has no JSON form, to its type.
    pub(in crate::infer) fn without_json(&mut self, ty: TyRef, span: Span) -> TyRef {
        let fault = self.report_only(span, TypesKind::NoJson { name: None }, Reported::IfForced, false);
        Ty::Fails(Failure { deep: true, ..fault }, ty).into()
    }

    /// Returns the type inside an `error`.
    pub(in crate::infer) fn no_error(&mut self, ty: &TyRef) -> TyRef {
        match &*self.table.head(ty) {
            Ty::Error(inner) => inner.clone(),
            _ => ty.clone(),
        }
    }

    /// Returns the row of a literal. Needs become fields; the fields that readers of `self` assumed are unified with the real
    /// ones.
    fn end_object(&mut self, object: Object, span: Span) -> Row {
        let Object { below, mut row, whole, rest: this, mut needs, read, computed, missing_parts, below_reads, .. } =
            object;
        if this.is_none() {
            // the type below a `+:` does not matter if nothing reads the field
            let adds = |f: &Field| f.inheritance.as_ref().is_some_and(|l| l.plus && l.below.is_some());
            let unread = row.fields().filter(|(name, f)| adds(f) && !read.contains(*name));
            for (name, field) in unread.map(|(n, f)| (n.clone(), f.clone())).collect::<Vec<_>>() {
                let inheritance =
                    field.inheritance.as_deref().map(|l| Arc::new(Inheritance { below: None, ..l.clone() }));
                row.insert(name, Field { inheritance, ..field });
            }
        }
        if let Some(this) = this {
            let because = UnifyReason::new(span, Why::Recursive).unsure();
            let asked = self.open_row(&Row::new(Tail::Live(this)));
            for (name, f) in asked.fields().filter(|(_, f)| f.presence == Presence::Yes) {
                match row.get(name).or_else(|| whole.get(name)).filter(|found| found.presence != Presence::No) {
                    Some(found) => {
                        let found = self.without_failures(&found.ty);
                        let found = self.instantiate(&found);
                        // the type that readers assumed
                        let _ = self.unify(&found, &f.ty, &because);
                    }
                    None if computed || !self.is_known(below.as_ref()) => {}
                    None => {
                        let wanted = || NeededField { need: Need::Own, ty: f.ty.clone(), readers: Vec::new() };
                        needs.entry(name.clone()).or_insert_with(wanted);
                    }
                }
            }
            if let Tail::Live(rest) = *asked.tail() {
                let _ = self.bind(rest, &Ty::Dyn(DynReason::Computed(span)).into(), &because);
            }
        }
        for (name, wanted) in needs {
            match row.get(&name).cloned() {
                Some(field) => {
                    // `super.x` in an object that defines `x`
                    let mut inheritance = field.inheritance.as_deref().cloned().unwrap_or_default();
                    inheritance.below.get_or_insert(wanted.ty);
                    inheritance.readers.extend(wanted.readers);
                    row.insert(name, Field { need: wanted.need, inheritance: Some(Arc::new(inheritance)), ..field });
                }
                None => {
                    let at = wanted.readers.first().copied();
                    let inheritance = Inheritance { readers: wanted.readers, ..Inheritance::default() };
                    let field = Field {
                        presence: Presence::No,
                        need: wanted.need,
                        inheritance: Some(Arc::new(inheritance)),
                        ..Field::given(wanted.ty, at)
                    };
                    row.insert(name, field);
                }
            }
        }
        self.settle_used_parts(&mut row);
        self.settle_below_parts(&mut row, below_reads);
        for (name, part) in missing_parts {
            if let Some(field) = row.get(&name).cloned() {
                let mut inheritance = field.inheritance.as_deref().cloned().unwrap_or_default();
                inheritance.missing_parts.push(part);
                row.insert(name, Field { inheritance: Some(Arc::new(inheritance)), ..field });
            }
        }
        row
    }

    /// Whether all fields of the object below are known.
    fn is_known(&mut self, below: Option<&TyRef>) -> bool {
        let Some(below) = below else { return true };
        match &*self.open_head(below) {
            Ty::Record(row) => matches!(self.open_row(row).tail(), Tail::Closed),
            _ => false,
        }
    }
}

/// The name of a field of a literal.
enum FieldLabel {
    /// The object has a field of this name.
    Certain(Name),
    /// It has one under a condition.
    Conditional(Name),
    /// The object has a field whose name is not known.
    Present,
    /// Neither the name is known, nor whether the object has the field.
    Computed,
}

/// Removes duplicates.
fn distinct(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|s| (s.source, s.start, s.end));
    spans.dedup();
    spans
}
