//! The sum of two known objects. The right one overrides the left one, and each may supply fields that the other one needs. A
//! change of a field's type is a warning, and the types that depend on the field become unknown.

use crate::infer::Infer;
use crate::infer::objects::missing::{DroppedPart, is_missing_part, used_by_both, with_used_parts};
use crate::infer::walk::{self, Memo, Rewrite};
use crate::infer::why::{UnifyReason, Why};
use crate::meta::Priority;
use crate::text::{Name, Span};
use crate::ty::{DynReason, Field, Inheritance, Need, Presence, Row, Tail, Ty, TyRef, VariableKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::sync::Arc;

/// The effects of combining two objects.
#[derive(Default)]
struct Effects {
    /// The places that read a field which was missing and is supplied now.
    supplied: Vec<Span>,
    /// The definitions that were overridden with another type.
    overridden: Vec<Span>,
    /// The parts that definitions read and that an override dropped.
    dropped: Vec<DroppedPart>,
}

impl Infer<'_> {
    /// Returns the type of `below + above`. O(fields of the smaller object), plus the fields that a change of type affects.
    pub(super) fn inherit(&mut self, below: &Row, above: &Row, span: Span) -> TyRef {
        let (a, b) = (self.open_row(below), self.open_row(above));
        // a side that a caller chooses may have the fields of the other one, with the same types
        let a = if let Tail::Live(_) = a.tail() { self.may_have(&a, &b, false, span) } else { a };
        let b = if let Tail::Live(_) = b.tail() { self.may_have(&b, &a, true, span) } else { b };
        let mut effects = Effects::default();
        self.objects.summing += 1;
        let saved = self.objects.saved.len();
        let changes = self.merges.type_changes();
        let big_below = a.len() >= b.len();
        let (mut out, small) = if big_below { (a.clone(), &b) } else { (b.clone(), &a) };
        for (name, field) in small.fields() {
            let (f, g) = if big_below { (a.get(name), Some(field)) } else { (Some(field), b.get(name)) };
            match self.combined(name, f, g, (&a, &b), span, &mut effects) {
                Some(field) => out.insert(name.clone(), field),
                None => out.remove(name),
            }
        }
        self.other_fields(&mut out, (&a, &b), big_below, span, &mut effects);
        self.extend_nothing(&a, &b);
        if self.rules().extends_layers() {
            self.misspelt_inputs((&a, &b));
        }
        let unknown = |t: &Tail| match t {
            Tail::Dyn(reason) => Some(*reason),
            _ => None,
        };
        let tail = match (a.tail(), b.tail()) {
            (x, y) if unknown(x).or(unknown(y)).is_some() => {
                Tail::Dyn(unknown(x).or(unknown(y)).unwrap_or(DynReason::Library))
            }
            (Tail::Dict(x), Tail::Dict(y)) => {
                let because = UnifyReason::new(span, Why::Operand(crate::term::Prim::Plus)).unsure();
                Tail::Dict(self.join_quietly(x, y, &because))
            }
            (Tail::Dict(x), _) | (_, Tail::Dict(x)) => Tail::Dict(x.clone()),
            (Tail::Live(v), Tail::Closed) | (Tail::Closed, Tail::Live(v)) => Tail::Live(*v),
            (Tail::Live(_), Tail::Live(_)) => Tail::Dyn(DynReason::Computed(span)),
            _ => Tail::Closed,
        };
        out.set_tail(tail);
        // removes the faults that nested sums removed from the other fields too
        self.objects.saved.append(&mut effects.supplied);
        let supplied = self.objects.saved.get(saved..).unwrap_or_default().to_vec();
        self.objects.summing -= 1;
        if self.objects.summing == 0 {
            self.objects.saved.clear();
        }
        let out = self.strip(out, &supplied);
        let out = if self.merges.type_changes() > changes { self.retype(&out) } else { out };
        let out = if effects.overridden.is_empty() { out } else { self.forget(out, &effects.overridden, span) };
        Ty::Record(self.with_dropped(out, effects.dropped)).into()
    }

    /// Updates the fields of the larger side if not all names of the other one are known. `rows`: the lower row, then the upper one.
    fn other_fields(&mut self, out: &mut Row, rows: (&Row, &Row), big_below: bool, span: Span, effects: &mut Effects) {
        let (a, b) = rows;
        let (big, small) = if big_below { (a, b) } else { (b, a) };
        let unknown = matches!(small.tail(), Tail::Dyn(_));
        let dict = match small.tail() {
            Tail::Dict(item) => Some(item.clone()),
            _ => None,
        };
        // fields with unknown names may supply a needed field, be extended by a field above, and override a definition below
        if !unknown && dict.is_none() {
            return;
        }
        let names: Vec<Name> = big.fields().map(|(n, _)| n.clone()).collect();
        for name in names {
            if small.get(&name).is_some() {
                continue;
            }
            let Some(field) = big.get(&name).cloned() else { continue };
            if field.presence == Presence::No || !big_below {
                let sides = if big_below { (Some(&field), None) } else { (None, Some(&field)) };
                match self.combined(&name, sides.0, sides.1, rows, span, effects) {
                    Some(field) => out.insert(name, field),
                    None => out.remove(&name),
                }
                continue;
            }
            self.faults_within(&field.ty, &mut effects.supplied);
            // data does not override a method
            let inner = if let Ty::Fails(_, inner) = &*field.ty { inner } else { &field.ty };
            let method = match &**inner {
                Ty::Forall(scheme) => matches!(&*scheme.ty, Ty::Fun(..)),
                ty => matches!(ty, Ty::Fun(..)),
            };
            if method && dict.as_ref().is_some_and(|item| !matches!(&*self.table.head(item), Ty::Fun(..))) {
                continue;
            }
            let because = UnifyReason::new(span, Why::Computed).unsure();
            let ty = match &dict {
                // an unknown type, which a caller chooses, does not change the field
                Some(item) if matches!(&*self.table.head(item), Ty::Live(_)) => continue,
                Some(item) => {
                    let ty = self.without_failures(&field.ty);
                    self.join_quietly(&ty, item, &because)
                }
                None => Ty::Dyn(DynReason::Computed(span)).into(),
            };
            out.insert(name, Field { ty, ..field });
        }
    }

    /// Combines the fields of two objects for one label. `None` if the sum does not have or need the field.
    fn combined(
        &mut self,
        name: &Name,
        below: Option<&Field>,
        above: Option<&Field>,
        rows: (&Row, &Row),
        span: Span,
        effects: &mut Effects,
    ) -> Option<Field> {
        let (Some(f), Some(g)) = (below, above) else {
            let (field, other) = match (below, above) {
                (Some(f), _) => (f, rows.1),
                (_, Some(g)) => (g, rows.0),
                _ => return None,
            };
            let open = matches!(other.tail(), Tail::Dyn(_) | Tail::Dict(_));
            if open && (field.presence == Presence::No || field.need == Need::Super) {
                effects.supplied.extend(field.inheritance.iter().flat_map(|l| l.readers.iter().copied()));
                return (field.presence != Presence::No).then(|| Field { need: Need::None, ..field.clone() });
            }
            if open && below.is_none() && field.inheritance.as_ref().is_some_and(|l| l.plus) {
                // the object below may have the field
                let unknown: TyRef = Ty::Dyn(DynReason::Computed(span)).into();
                let own = self.without_failures(&field.ty);
                let own = self.instantiate(&own);
                let own = self.no_error(&own);
                let mut inheritance = field.inheritance.as_deref().cloned().unwrap_or_default();
                effects.supplied.extend(inheritance.missing_parts.drain(..).flat_map(|part| part.at));
                let ty = self.plus(&unknown, &own, field.at.unwrap_or(span));
                return Some(Field { ty, inheritance: Some(Arc::new(inheritance)), ..field.clone() });
            }
            // a field with an unknown name may override it
            if open && above.is_none() {
                self.faults_within(&field.ty, &mut effects.supplied);
            }
            if open && above.is_none() && matches!(other.tail(), Tail::Dyn(_)) {
                return Some(Field { ty: Ty::Dyn(DynReason::Computed(span)).into(), ..field.clone() });
            }
            return Some(field.clone());
        };
        let asked = |f: &Field| f.inheritance.iter().flat_map(|l| l.readers.iter().copied()).collect::<Vec<_>>();
        let (f_there, g_there) = (f.presence != Presence::No, g.presence != Presence::No);
        match (f_there, g_there) {
            (true, false) => {
                // the object below supplies what is needed of `self` and of `super`
                effects.supplied.extend(asked(g));
                let f = &with_used_parts(f, g);
                let mut need = g.clone();
                if g.inheritance.as_ref().is_none_or(|l| l.used_parts.is_empty() || !l.readers.is_empty()) {
                    need = self.unify_with_need(f, g, name, span);
                }
                Some(self.settle_missing_parts(f, &[f, &need], name, span, &mut effects.supplied))
            }
            (false, true) => {
                let f = &self.unify_with_need(g, f, name, span);
                let g = &self.settle_missing_parts(g, &[f, g], name, span, &mut effects.supplied);
                if f.need == Need::Super {
                    let mut inheritance = g.inheritance.as_deref().cloned().unwrap_or_default();
                    inheritance.readers.extend(asked(f));
                    inheritance.below.get_or_insert_with(|| f.ty.clone());
                    return Some(Field { need: Need::Super, inheritance: Some(Arc::new(inheritance)), ..g.clone() });
                }
                effects.supplied.extend(asked(f));
                Some(with_used_parts(g, f))
            }
            (false, false) => {
                self.same_type(&g.ty, f, name, span);
                let need = if f.need == Need::Super || g.need == Need::Super { Need::Super } else { Need::Own };
                let mut inheritance = f.inheritance.as_deref().cloned().unwrap_or_default();
                inheritance.readers.extend(asked(g));
                inheritance.used_parts = used_by_both(f, g);
                inheritance.missing_parts.extend(g.inheritance.iter().flat_map(|l| l.missing_parts.iter().cloned()));
                Some(Field { need, inheritance: Some(Arc::new(inheritance)), ..f.clone() })
            }
            (true, true) => {
                let field = self.replaced(name, [f, g], rows, span, effects);
                Some(self.settle_missing_parts(&field, &[f, g], name, span, &mut effects.supplied))
            }
        }
    }

    /// Combines two definitions in one literal, the first one before the other.
    pub(super) fn alternative(&mut self, name: &Name, [f, g]: [&Field; 2], span: Span) -> Field {
        let nothing = Row::new(Tail::Closed);
        let mut effects = Effects::default();
        let field = self.replaced(name, [f, g], (&nothing, &nothing), span, &mut effects);
        self.objects.saved.append(&mut effects.supplied);
        if self.objects.summing == 0 {
            self.objects.saved.clear();
        }
        field
    }

    /// Combines two definitions, the first one below.
    fn replaced(
        &mut self,
        name: &Name,
        [f, g]: [&Field; 2],
        rows: (&Row, &Row),
        span: Span,
        effects: &mut Effects,
    ) -> Field {
        let strongest = |f: &Field| {
            let layer = f.stack.as_ref().and_then(|s| s.layers.first());
            layer.map_or(Priority::Normal, |l| l.priority.clone())
        };
        let under_used = f.inheritance.as_ref().map(|l| l.used_parts.clone()).unwrap_or_default();
        let (low, high) = (strongest(f), strongest(g));
        if low.rank(&high) == Ordering::Greater {
            self.note_priorities(name, f.at, g.at.unwrap_or(span));
        }
        let mine = g.inheritance.as_deref().cloned().unwrap_or_default();
        let under = f.inheritance.as_deref().cloned().unwrap_or_default();
        if let (true, Some(at)) = (mine.plus, g.at) {
            self.extends_something(at);
        }
        let mut inheritance =
            Inheritance { shown: under.shown || mine.shown, reads: mine.reads.clone(), ..Inheritance::default() };
        let below_ty = self.without_failures(&f.ty);
        let below_ty = self.no_error(&below_ty);
        if self.rules().extends_layers() && !self.is_right_input([f, g], [&below_ty, &g.ty], span) {
            effects.overridden.extend(f.at);
            self.merges.override_by_another_type(f.at);
            self.merges.change_type();
            return Field { at: g.at.or(f.at), stack: None, inheritance: None, ..g.clone() };
        }
        let mut ty = g.ty.clone();
        if let Some(wanted) = &mine.below {
            // the type that readers of `super` assumed; another type is reported for the field itself
            let found = match &*below_ty {
                Ty::Forall(scheme) if scheme.vars.contains(&VariableKind::This) => {
                    let whole = settled(rows, span);
                    self.of(&below_ty, &whole)
                }
                _ => below_ty.clone(),
            };
            let found = self.instantiate(&found);
            let because = UnifyReason::new(span, Why::Merge).unsure();
            let _ = self.unify(&found, wanted, &because);
        }
        if f.need == Need::None {
            effects.supplied.extend(under.readers.iter().copied());
        }
        if g.need == Need::Super {
            effects.supplied.extend(mine.readers.iter().copied());
        }
        if mine.plus {
            inheritance.reads.extend(under.reads.iter().copied());
            // the parts below keep their failures, so that a later definition of such a part removes them
            let mut parts = &f.ty;
            while let Ty::Fails(_, inner) = &**parts {
                parts = inner;
            }
            let parts = self.no_error(parts);
            let (a, b) = (self.instantiate(&parts), self.instantiate(&g.ty));
            let own = self.no_error(&b);
            // the lower object may lack the field; then the upper definition is the whole value
            let a = match f.presence == Presence::Maybe && !self.rules().extends_layers() && !self.same_heads(&a, &own)
            {
                true => Ty::Dyn(DynReason::Computed(span)).into(),
                false => a,
            };
            ty = self.layered(&a, &own, f.at, g.at.unwrap_or(span));
            if matches!(&*self.table.head(&own), Ty::Live(_) | Ty::Dyn(_) | Ty::Union(_)) {
                // the value may override the part that failed
                self.faults_within(&f.ty, &mut effects.supplied);
            }
        }
        let uses_below = mine.plus || mine.below.is_some();
        if !uses_below || g.presence == Presence::Maybe {
            // failures of the definition below no longer matter
            self.faults_within(&f.ty, &mut effects.supplied);
        }
        if g.presence == Presence::Yes {
            effects.dropped.extend(self.dropped_parts(&under_used, &below_ty, &ty));
        }
        inheritance.used_parts = used_by_both(f, g);
        let mut need = Need::None;
        if uses_below {
            inheritance.plus = under.plus;
            inheritance.below = under.below.clone();
            if f.need == Need::Super {
                need = Need::Super;
                inheritance.readers = under.readers.clone();
            }
        }
        let presence = if g.presence == Presence::Maybe && f.presence == Presence::Maybe {
            Presence::Maybe
        } else {
            Presence::Yes
        };
        if g.presence == Presence::Maybe {
            let because = UnifyReason::new(span, Why::Merge).unsure();
            let under = self.instantiate(&below_ty);
            ty = self.perhaps(&under, &ty, &because);
        }
        // `::` and `:::` set the visibility, `:` keeps it
        let hidden = if mine.shown { false } else { g.hidden || f.hidden };
        if g.presence == Presence::Yes {
            let own = mine.plus.then_some(&g.ty);
            self.compare(name, [f, g], [&below_ty, &ty], own, span, effects);
        } else if mine.when.is_none() && !self.same_heads(&below_ty, &ty) {
            effects.overridden.extend(f.at);
            self.merges.override_by_another_type(f.at);
        }
        if self.rules().extends_layers() {
            let layers = self.compare_kinds(name, [f, g], [&below_ty, &g.ty], span);
            // a layer that hides all others is known from the type, unless the type is not
            let known = self.value_kind(&ty);
            let plain = matches!(&*layers, [only] if only.when.is_empty() && only.at == g.at.or(f.at) && known == Some(only.kind));
            inheritance.layers = (!plain).then_some(layers);
        }
        inheritance.raises = if g.presence == Presence::Maybe { self.raised_by(f) } else { None };
        let plain = !inheritance.plus
            && inheritance.raises.is_none()
            && !inheritance.shown
            && inheritance.below.is_none()
            && inheritance.readers.is_empty()
            && inheritance.used_parts.is_empty()
            && inheritance.reads.is_empty()
            && inheritance.layers.is_none();
        let at = g.at.or(f.at);
        Field { presence, need, ty, at, hidden, stack: None, inheritance: (!plain).then(|| Arc::new(inheritance)) }
    }

    /// Whether two types have the same known head.
    fn same_heads(&mut self, a: &TyRef, b: &TyRef) -> bool {
        let (a, b) = (self.open_head(a), self.open_head(b));
        !matches!(&*a, Ty::Live(_)) && std::mem::discriminant(&*a) == std::mem::discriminant(&*b)
    }

    /// Checks whether a field keeps its type when it is overridden; an open type becomes the other one. Of the fields and of the
    /// types, the lower one is first. `own`: the type of the upper definition alone, if it is added to the lower one.
    fn compare(
        &mut self,
        name: &Name,
        [f, g]: [&Field; 2],
        [was, now]: [&TyRef; 2],
        own: Option<&TyRef>,
        span: Span,
        effects: &mut Effects,
    ) {
        self.merges.combine(f.at, g.at);
        let clean = self.without_failures(now);
        let (old, new) = (self.instantiate(was), self.instantiate(&clean));
        let (old, new) = (self.open_head(&old), self.open_head(&new));
        if old.same(&new) {
            return;
        }
        let new = self.no_error(&new);
        let new = self.table.head(&new);
        let because = UnifyReason::new(span, Why::Merge).unsure();
        let scalar = |t: &Ty| matches!(t, Ty::Number | Ty::String | Ty::Bool);
        match (&*old, &*new) {
            (Ty::Live(_), Ty::Live(_)) => drop(self.unify(&new, &old, &because)),
            (Ty::Live(_), _) => {
                if self.unify(&new, &old, &because).is_err() {
                    effects.overridden.extend(f.at);
                }
            }
            (a, Ty::Live(_)) if scalar(a) => drop(self.unify(&new, &old, &because)),
            (Ty::Dyn(_) | Ty::Bottom | Ty::Union(_), _) | (_, Ty::Dyn(_) | Ty::Bottom | Ty::Union(_) | Ty::Live(_)) => {
                effects.overridden.extend(f.at);
                self.merges.override_by_another_type(f.at);
            }
            (a, b) if std::mem::discriminant(a) != std::mem::discriminant(b) => {
                effects.overridden.extend(f.at);
                self.merges.override_by_another_type(f.at);
                self.merges.change_type();
                // the same definition with another type: a method that was called twice
                // or a definition that is made from the one that it replaces: `x: std.join(',', super.x)`
                let converts = g.inheritance.as_ref().is_some_and(|above| above.converts);
                if f.at != g.at && !converts && !self.rules().extends_layers() {
                    self.report_change(std::slice::from_ref(name), &new, &old, g.at.unwrap_or(span), f.at);
                }
            }
            (a, b) if scalar(a) && scalar(b) => {}
            (Ty::Record(o), Ty::Record(n)) if own.is_some() && self.own_names(own).is_some() => {
                // all fields outside `own` come from the lower type
                let mut names = self.own_names(own).unwrap_or_default();
                let ty = |row: &Row, name: &Name| row.get(name).map(|field| field.ty.clone());
                names.retain(|name| ty(o, name) != ty(n, name));
                if names.is_empty() {
                    return;
                }
                self.merges.change_type();
                self.merges.override_by_another_type(f.at);
                let (o, n) = (self.open_row(o), self.open_row(n));
                let keeps = names.iter().all(|name| match (o.get(name), n.get(name)) {
                    (Some(old), Some(new)) if old.presence != Presence::No => {
                        new.presence != Presence::No && self.extends(&new.ty.clone(), &old.ty.clone(), 7)
                    }
                    _ => true,
                });
                if !keeps {
                    effects.overridden.extend(f.at);
                }
            }
            _ => {
                if old != new {
                    self.merges.change_type();
                    self.merges.override_by_another_type(f.at);
                    if !self.extends(&new, &old, 8) {
                        effects.overridden.extend(f.at);
                    }
                }
            }
        }
    }

    /// Returns the names of the fields of a record whose fields are all known.
    fn own_names(&mut self, own: Option<&TyRef>) -> Option<Vec<Name>> {
        let ty = self.without_failures(own?);
        let head = self.open_head(&ty);
        let Ty::Record(row) = &*head else { return None };
        let row = self.open_row(row);
        matches!(row.tail(), Tail::Closed).then(|| row.fields().map(|(name, _)| name.clone()).collect())
    }

    /// Whether a value of the new type can replace one of the old type: it has all fields of the old one, with types that can
    /// replace theirs.
    fn extends(&mut self, new: &TyRef, old: &TyRef, depth: u32) -> bool {
        let (new, old) = (self.open_head(new), self.open_head(old));
        if new.same(&old) || new == old {
            return true;
        }
        match (&*new, &*old) {
            (_, Ty::Live(_)) => true,
            (Ty::Record(n), Ty::Record(o)) if depth > 0 => {
                let (n, o) = (self.open_row(n), self.open_row(o));
                let fields: Vec<(Name, Field)> = o.fields().map(|(name, f)| (name.clone(), f.clone())).collect();
                fields.iter().all(|(name, f)| match n.get(name) {
                    _ if f.presence == Presence::No => true,
                    Some(g) => g.presence != Presence::No && self.extends(&g.ty.clone(), &f.ty, depth - 1),
                    None => false,
                })
            }
            (Ty::Array(a), Ty::Array(b)) if depth > 0 => self.extends(&a.clone(), &b.clone(), depth - 1),
            (Ty::Fun(..), Ty::Fun(..)) => false,
            _ => false,
        }
    }

    /// Unifies the type of a definition with the one that readers assumed.
    pub(super) fn same_type(&mut self, found: &TyRef, need: &Field, name: &Name, span: Span) {
        let wanted = &need.ty;
        let found = self.without_failures(found);
        let found = self.instantiate(&found);
        let found = self.no_error(&found);
        let because = UnifyReason::new(span, Why::Sibling(name.clone())).unsure();
        let unified = self.unify(&found, wanted, &because);
        // a missing part is reported where it is read
        let unified = unified.or_else(|clash| match is_missing_part(need, &clash) || self.may_fit(&clash) {
            true => Ok(()),
            false => Err(clash),
        });
        self.settle_clash(unified, &because);
        self.solve();
    }

    /// Adds the places of all faults in a type. O(parts that have faults).
    fn faults_within(&mut self, ty: &TyRef, out: &mut Vec<Span>) {
        let mut seen = FxHashSet::default();
        let mut work = vec![ty.clone()];
        while let Some(t) = work.pop() {
            if !t.marks().fails || !seen.insert(t.address()) {
                continue;
            }
            if let Ty::Fails(fault, _) = &*t {
                out.push(fault.span);
            }
            walk::children(&t, &mut |c| work.push(c.clone()), &mut |_| {});
        }
    }

    /// Removes the failures of reading fields that were missing and are supplied now. O(fields) if any of them fails.
    fn strip(&mut self, row: Row, supplied: &[Span]) -> Row {
        if supplied.is_empty() || !row.marks().fails {
            return row;
        }
        struct Strip {
            supplied: FxHashSet<Span>,
            memo: Memo,
        }
        impl Rewrite for Strip {
            fn skip(&self, ty: &TyRef) -> bool {
                !ty.marks().fails
            }
            fn ty(&mut self, ty: &TyRef) -> TyRef {
                match &**ty {
                    _ if self.skip(ty) => ty.clone(),
                    Ty::Fails(fault, inner) if self.supplied.contains(&fault.span) => self.ty(inner),
                    _ => walk::rebuild_once(ty, self, |strip| &mut strip.memo),
                }
            }
            fn tail(&mut self, tail: &Tail) -> (Option<TyRef>, Tail) {
                (None, tail.clone())
            }
        }
        let mut strip = Strip { supplied: supplied.iter().copied().collect(), memo: Memo::default() };
        let mut out = row.clone();
        for (name, field) in row.fields().filter(|(_, f)| f.ty.marks().fails) {
            out.insert(name.clone(), Field { ty: strip.ty(&field.ty), ..field.clone() });
        }
        out
    }

    /// Makes the types of fields unknown if they depend on definitions that were overridden with another type.
    fn forget(&mut self, row: Row, replaced: &[Span], span: Span) -> Row {
        let mut readers: FxHashMap<Span, Vec<&Name>> = FxHashMap::default();
        for (name, field) in row.fields() {
            for at in field.inheritance.iter().flat_map(|inheritance| &inheritance.reads) {
                readers.entry(*at).or_default().push(name);
            }
        }
        let mut out = row.clone();
        let replaced: FxHashSet<Span> = replaced.iter().copied().collect();
        let mut done: FxHashSet<&Name> = FxHashSet::default();
        let mut work: Vec<Span> = replaced.iter().copied().collect();
        while let Some(at) = work.pop() {
            for name in readers.get(&at).into_iter().flatten().copied() {
                let Some(field) = row.get(name).filter(|f| !f.at.is_some_and(|at| replaced.contains(&at))) else {
                    continue;
                };
                if !done.insert(name) {
                    continue;
                }
                work.extend(field.at);
                self.merges.override_by_another_type(field.at);
                // a plain copy of the overridden field has its new type already
                if matches!(&*field.ty, Ty::Sibling(..)) {
                    continue;
                }
                let ty = Ty::Dyn(DynReason::Computed(span)).into();
                out.insert(name.clone(), Field { ty, ..field.clone() });
            }
        }
        out
    }
}

/// Returns the known fields of two combined objects, without the fields of the upper one that use those below.
fn settled(rows: (&Row, &Row), span: Span) -> TyRef {
    let mut whole = rows.0.clone();
    for (name, field) in rows.1.fields() {
        if field.inheritance.as_ref().is_some_and(|l| l.plus || l.below.is_some()) {
            whole.remove(name);
        } else if field.presence != Presence::No {
            whole.insert(name.clone(), field.clone());
        }
    }
    whole.set_tail(Tail::Dyn(DynReason::Computed(span)));
    Ty::Record(whole).into()
}
