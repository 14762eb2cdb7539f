//! Merging of types (`&`), as far as both sides are known. The rest is deferred.
//!
//! A merge of known records works on persistent maps and is O(fields of the smaller side). A field keeps its layers by
//! priority, so that the next merge can decide again. Merging is therefore associative.

mod declared;
mod definitions;
mod layers;
mod meet;
mod retype;

pub(super) use definitions::Merges;
pub(super) use retype::{rank, union};

use crate::infer::Infer;
use crate::infer::unify::ClashPath;
use crate::infer::why::{UnifyReason, Why};
use crate::text::{Name, Span};
use crate::ty::{Constraint, Field, Need, Presence, Row, Stack, Tail, Ty, TyRef, VariableKind};
use std::cmp::Ordering;
use std::sync::Arc;

impl Infer<'_> {
    /// Returns the type of `left & right`.
    pub(super) fn merge(&mut self, left: &TyRef, right: &TyRef, span: Span) -> TyRef {
        if let Some(ty) = self.merge_known(left, right, span, &mut Vec::new()) {
            self.log_merged(left, right, &ty, span);
            return ty;
        }
        let result = self.fresh();
        let (left, right) = (self.unforall(left), self.unforall(right));
        self.constrain(Constraint::Merge { left, right, result: result.clone(), span });
        result
    }

    fn unforall(&mut self, ty: &TyRef) -> TyRef {
        let head = self.table.head(ty);
        match &*head {
            Ty::Forall(_) => self.instantiate(&head),
            _ => ty.clone(),
        }
    }

    /// Tries to solve a merge. If a side is not known, publishes the fields that the other one makes certain, and waits.
    pub(super) fn try_merge(&mut self, index: usize, left: &TyRef, right: &TyRef, result: &TyRef, span: Span) {
        if let Some(ty) = self.merge_known(left, right, span, &mut Vec::new()) {
            self.deferred.finish(index);
            return self.settle(&ty, result, span);
        }
        if !self.deferred.may_try(index) {
            return;
        }
        self.publish(left, right, result, span);
        self.publish(right, left, result, span);
        for t in [left, right, result] {
            let head = self.table.head(t);
            match &*head {
                Ty::Live(v) => self.table.watch(*v, index as u32),
                Ty::Record(row) => {
                    if let Tail::Live(v) = self.open_row(row).tail() {
                        self.table.watch(*v, index as u32);
                    }
                }
                _ => {}
            }
        }
    }

    /// Unifies the type of a deferred merge with the type that its uses assumed. A mismatch is a warning at most, since a stronger
    /// definition may decide the field. Failures inside `ty` have been reported and do not become part of the result.
    fn settle(&mut self, ty: &TyRef, result: &TyRef, span: Span) {
        let because = UnifyReason::new(span, Why::Merge).unsure();
        let clean = self.without_failures(ty);
        let unified = self.unify(&clean, result, &because);
        self.settle_clash(unified, &because);
    }

    /// Adds to the result the fields that are certain because one side is closed, regardless of the open side.
    fn publish(&mut self, open: &TyRef, known: &TyRef, result: &TyRef, span: Span) {
        let (o, k) = (self.table.head(open), self.table.head(known));
        // variables of an outer level are not looked at when the merge's own level is left
        let level = o.marks().live.max(k.marks().live).saturating_sub(1).clamp(1, self.level.max(1));
        let Ty::Record(k) = &*k else {
            return self.publish_scalar(&o, &k, result, span);
        };
        let k = self.open_row(k);
        if !matches!(k.tail(), Tail::Closed) {
            return;
        }
        let because = UnifyReason::new(span, Why::Merge).unsure();
        let asked = match &*self.table.head(result) {
            Ty::Record(row) => Some(self.open_row(row)),
            Ty::Live(_) => None,
            _ => return,
        };
        let given = match &*o {
            Ty::Record(row) => Some(self.open_row(row)),
            _ => None,
        };
        let shared = given.as_ref().filter(|_| asked.is_none()).map(|given| given.without(&k));
        let mut published = shared.unwrap_or_else(|| Row::new(Tail::Closed));
        published.set_tail(Tail::Live(self.table.fresh(VariableKind::Row, level)));
        // the fields that both rows share have one type already
        if let (Some(given), Some(asked)) = (&given, &asked) {
            for (name, field, _) in given.differences(asked, |_| true) {
                if let Some(field) = field.filter(|_| k.get(name).is_none()) {
                    self.publish_field(&mut published, Some(asked), name, field.clone(), &because);
                }
            }
        }
        for (name, field) in k.fields() {
            if field.presence == Presence::Yes
                && given.as_ref().is_none_or(|g| g.get(name).is_none())
                && !self.is_record(&field.ty)
            {
                // the other side may override the field: its type is a guess, and that of a field with layers is unknown.
                // Instances of a type would not remember that it was a guess
                let guess: TyRef = Ty::Live(self.table.fresh(VariableKind::Type, level)).into();
                if field.stack.is_none() && !self.has_instances(&field.ty) {
                    let ty = self.without_failures(&field.ty);
                    let ty = self.instantiate(&ty);
                    let _ = self.unify(&ty, &guess, &because);
                }
                let field = Field::given(guess, field.at);
                self.publish_field(&mut published, asked.as_ref(), name, field, &because);
            }
        }
        let others = asked.as_ref().map_or_else(|| Row::new(Tail::Closed), |asked| asked.without(&k));
        let mut required = given.as_ref().map_or_else(|| others.clone(), |given| others.without(given));
        required.set_tail(Tail::Live(self.table.fresh(VariableKind::Row, level)));
        if !published.is_empty() || asked.is_none() {
            let unified = self.unify(&Ty::Record(published).into(), result, &because);
            self.settle_clash(unified, &because);
        }
        if !required.is_empty() || given.is_none() {
            let unified = self.unify(&o, &Ty::Record(required).into(), &because);
            self.settle_clash(unified, &because);
        }
    }

    /// Adds a field to the known fields of the result. If the result already has it, unifies the types instead.
    fn publish_field(
        &mut self,
        published: &mut Row,
        asked: Option<&Row>,
        name: &Name,
        field: Field,
        because: &UnifyReason,
    ) {
        match asked.and_then(|a| a.get(name)) {
            // both types are still open: a clash with the guess is not reported
            Some(known) if field.ty.marks().live > 0 && known.ty.marks().live > 0 && field.stack.is_none() => {
                let _ = self.unify(&field.ty, &known.ty.clone(), because);
            }
            Some(known) => {
                let unified = self.unify(&field.ty, &known.ty.clone(), because);
                self.settle_clash(unified, because);
            }
            None => published.insert(name.clone(), field),
        }
    }

    fn is_record(&mut self, ty: &TyRef) -> bool {
        matches!(&*self.table.head(ty), Ty::Record(_) | Ty::Live(_) | Ty::Forall(_))
    }

    /// Unifies all three types of a merge with a scalar, which merges only with its own type.
    fn publish_scalar(&mut self, open: &TyRef, known: &TyRef, result: &TyRef, span: Span) {
        let because = UnifyReason::new(span, Why::Merge).unsure();
        if matches!(&**known, Ty::Number | Ty::String | Ty::Bool | Ty::Null | Ty::Int | Ty::Float) {
            let a = self.unify(open, known, &because);
            self.settle_clash(a, &because);
            let b = self.unify(result, known, &because);
            self.settle_clash(b, &because);
        }
    }

    /// Returns the type of a merge; `None` if a side is not known.
    fn merge_known(&mut self, left: &TyRef, right: &TyRef, span: Span, path: &mut Vec<Name>) -> Option<TyRef> {
        let (l, r) = (self.open_head(left), self.open_head(right));
        match (&*l, &*r) {
            (Ty::Record(a), Ty::Record(b)) => {
                let (a, b) = (self.open_row(a), self.open_row(b));
                if matches!(a.tail(), Tail::Live(_)) || matches!(b.tail(), Tail::Live(_)) {
                    return None;
                }
                // a part is shared if it has more holders than these: its field, that field's layer, and `l` or `r`
                let once = 2 + usize::from(!path.is_empty());
                let plain = l.is_closed() && r.is_closed() && (l.holders() > once || r.holders() > once);
                let known = self.caches.merged.get(&l, &r).filter(|_| plain).cloned();
                let merged = known.unwrap_or_else(|| {
                    let before = (self.findings.len(), self.merges.type_changes());
                    let row = crate::infer::deep(|| self.merge_rows(&a, &b, span, path));
                    let merged: TyRef = Ty::Record(row).into();
                    if plain && (self.findings.len(), self.merges.type_changes()) == before {
                        self.caches.merged.insert(&l, &r, merged.clone());
                    }
                    merged
                });
                Some(self.keep_failures(&[left, right], merged))
            }
            (Ty::Dyn(_) | Ty::Bottom, other) | (other, Ty::Dyn(_) | Ty::Bottom) => {
                Some(self.merge_unknown(other, &l, &r))
            }
            (Ty::Live(a), Ty::Live(b)) if self.table.root(*a) == self.table.root(*b) => Some(l),
            (Ty::Live(_), _) | (_, Ty::Live(_)) => None,
            _ => {
                let because = UnifyReason::new(span, Why::Merge);
                let unsure = match (&*l, &*r) {
                    // functions merge if they are identical, arrays if they are equal
                    (Ty::Fun(..), Ty::Fun(..))
                    | (Ty::Array(_), Ty::Array(_))
                    | (Ty::Contract(_), _)
                    | (_, Ty::Contract(_)) => true,
                    (Ty::Union(_), _) | (_, Ty::Union(_)) => true,
                    _ => false,
                };
                // the default of a pattern is not the type of an argument
                let unsure = unsure || self.is_default(left) || self.is_default(right);
                let because = if unsure { because.unsure() } else { because };
                // the type of an overridable sibling may still change: do not unify the other side with it
                let (left_open, right_open) = (l.marks().live > 0, r.marks().live > 0);
                if unsure && left_open != right_open && (l.marks().sibling || r.marks().sibling) {
                    let closed = if left_open { r.clone() } else { l.clone() };
                    if matches!(&*closed, Ty::Array(_)) {
                        return Some(self.keep_failures(&[left, right], closed));
                    }
                }
                let mut unified = self.unify(&r, &l, &because);
                for name in path.iter().rev() {
                    unified = unified.in_field(name);
                }
                let fault = unified.err().and_then(|clash| self.report_clash(*clash, &because));
                let differ = std::mem::discriminant(&*l) != std::mem::discriminant(&*r);
                let both = if fault.is_some() && !unsure && differ { union(vec![l, r]) } else { l };
                let out = self.keep_failures(&[left, right], both);
                Some(match fault {
                    Some(fault) if !unsure => Ty::Fails(fault, out).into(),
                    _ => out,
                })
            }
        }
    }

    /// Whether only the default of a pattern gives a type.
    fn is_default(&mut self, ty: &TyRef) -> bool {
        let (_, by) = self.table.head_with(ty);
        by.is_some_and(|id| self.table.reason(id).why == Why::Default)
    }

    /// Returns the merge of a known side with an unknown one.
    fn merge_unknown(&mut self, other: &Ty, l: &TyRef, r: &TyRef) -> TyRef {
        let reason = match (&**l, &**r) {
            (Ty::Dyn(reason), _) | (_, Ty::Dyn(reason)) => Some(*reason),
            _ => None,
        };
        match other {
            Ty::Record(row) => {
                let row = self.open_row(row);
                let mut out = Row::new(match reason {
                    Some(reason) => Tail::Dyn(reason),
                    None => row.tail().clone(),
                });
                for (name, field) in row.fields() {
                    self.may_be_overridden(field);
                    let ty = self.without_failures(&field.ty);
                    out.insert(name.clone(), Field { ty, ..field.clone() });
                }
                out.open = row.open;
                Ty::Record(out).into()
            }
            Ty::Live(_) | Ty::Dyn(_) | Ty::Bottom => {
                if matches!(&**l, Ty::Dyn(_)) {
                    l.clone()
                } else {
                    r.clone()
                }
            }
            other => other.clone().into(),
        }
    }

    /// Adds the failure of a side to the type of the merge.
    fn keep_failures(&mut self, sides: &[&TyRef], out: TyRef) -> TyRef {
        for side in sides {
            if let Ty::Fails(fault, _) = &***side
                && !fault.deep
            {
                return Ty::Fails(*fault, out).into();
            }
        }
        out
    }

    fn merge_rows(&mut self, a: &Row, b: &Row, span: Span, path: &mut Vec<Name>) -> Row {
        let (big, small, swapped) = if a.len() >= b.len() { (a, b, false) } else { (b, a, true) };
        let mut out = big.clone();
        out.open = a.open || b.open;
        let changes = self.merges.type_changes();
        for (name, field) in small.fields() {
            let merged = match (big.get(name), big.tail()) {
                (None, Tail::Dict(item)) => self.beside_dictionary(field, item, span, path),
                (None, Tail::Dyn(_)) => Field { ty: self.without_failures(&field.ty), ..field.clone() },
                (None, _) => field.clone(),
                (Some(other), _) => {
                    path.push(name.clone());
                    let merged = if swapped {
                        self.merge_fields(field, other, span, path)
                    } else {
                        self.merge_fields(other, field, span, path)
                    };
                    path.pop();
                    merged
                }
            };
            out.insert(name.clone(), merged);
        }
        if let Tail::Dict(item) = small.tail() {
            for (name, field) in big.fields().filter(|(name, _)| small.get(name).is_none()) {
                let merged = self.beside_dictionary(field, item, span, path);
                out.insert(name.clone(), merged);
            }
        }
        let tail = match (a.tail(), b.tail()) {
            (Tail::Dyn(reason), _) | (_, Tail::Dyn(reason)) => Tail::Dyn(*reason),
            (Tail::Dict(x), Tail::Dict(y)) => Tail::Dict(self.join(x, y, &UnifyReason::new(span, Why::Merge))),
            (Tail::Dict(x), _) | (_, Tail::Dict(x)) => Tail::Dict(x.clone()),
            _ => Tail::Closed,
        };
        out.set_tail(tail);
        if self.merges.type_changes() > changes { self.retype(&out) } else { out }
    }

    /// Merges the fields of two records for one label.
    pub(super) fn merge_fields(&mut self, a: &Field, b: &Field, span: Span, path: &mut Vec<Name>) -> Field {
        if self.merges.has_problems() {
            self.supply_labels(a, b);
        }
        let (x, y) = (a.layers(), b.layers());
        let mut stack = Stack {
            contracts: x.contracts.iter().chain(&y.contracts).cloned().collect(),
            layers: Vec::with_capacity(x.layers.len() + y.layers.len()),
            merger: x.merger.clone().or_else(|| y.merger.clone()),
            definitions: x.definitions + y.definitions,
            optional: x.optional && y.optional
                || (x.optional && y.layers.is_empty() && y.contracts.is_empty() && y.bare.is_none()),
            conditional: x.conditional || y.conditional,
            bare: None,
        };
        let heads: Vec<TyRef> = stack.contracts.iter().map(|c| self.table.head(&c.ty)).collect();
        let mut order: Vec<usize> = (0..heads.len()).collect();
        order.sort_by_key(|i| heads.get(*i).map(|t| rank(t)));
        stack.contracts = order.into_iter().filter_map(|i| stack.contracts.get(i).cloned()).collect();
        stack.contracts.dedup();
        let (mut i, mut j) = (x.layers.into_iter().peekable(), y.layers.into_iter().peekable());
        loop {
            let order = match (i.peek(), j.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Greater,
                (None, Some(_)) => Ordering::Less,
                (Some(p), Some(q)) if p.is_unnamed() != q.is_unnamed() => p.is_unnamed().cmp(&q.is_unnamed()),
                (Some(p), Some(q)) if stack.layers.is_empty() && self.are_layers(p, q) => Ordering::Equal,
                (Some(p), Some(q)) => p.priority.rank(&q.priority).then(q.certain.cmp(&p.certain)),
            };
            match order {
                Ordering::Greater => stack.layers.extend(i.next()),
                Ordering::Less => stack.layers.extend(j.next()),
                Ordering::Equal => {
                    if let (Some(mut p), Some(q)) = (i.next(), j.next()) {
                        if p.is_unnamed() {
                            p.ty = self.join_unnamed(&p.ty, &q.ty, span);
                            stack.layers.push(p);
                            continue;
                        }
                        if let (Ty::Record(a), Ty::Record(b)) = (&*self.table.head(&p.ty), &*self.table.head(&q.ty)) {
                            // a reader of either record as a whole now reads the merged one
                            self.merges.combine(q.at, p.at);
                            let alike = a.len() == b.len() && a.fields().all(|(name, _)| b.get(name).is_some());
                            if !alike {
                                self.merges.change_type();
                            }
                        }
                        p.ty = if stack.merger.is_some() {
                            self.merge_custom(&p.ty, &q.ty)
                        } else {
                            self.merge_layer(&p.ty, &q.ty, (p.at, q.at), span, path)
                        };
                        self.merges.absorb(p.at, q.at);
                        p.priority = p.priority.or_higher(q.priority);
                        stack.layers.push(p);
                    }
                }
            }
        }
        if stack.merger.is_some() {
            for layer in &mut stack.layers {
                layer.ty = self.without_failures(&layer.ty);
            }
        }
        self.without_repeats(&mut stack.layers);
        self.declared_is_read([(x.bare.is_some(), a.at), (y.bare.is_some(), b.at)], &stack);
        stack.bare = self.settle_bare(x.bare, y.bare, &stack, path, span);
        self.field_of_stack(stack, a.hidden || b.hidden, a.at.or(b.at), path, span)
    }

    /// Merges two definitions of the same priority, or defers the merge.
    fn merge_layer(
        &mut self,
        a: &TyRef,
        b: &TyRef,
        at: (Option<Span>, Option<Span>),
        span: Span,
        path: &mut Vec<Name>,
    ) -> TyRef {
        if a.same(b) && a.marks() == Default::default() && a.row().is_none() {
            return a.clone();
        }
        let before = self.merges.set_operands(at);
        let known = self.merge_known(a, b, span, path);
        self.merges.set_operands(before);
        known.unwrap_or_else(|| {
            let result = self.fresh();
            let (left, right) = (self.unforall(a), self.unforall(b));
            self.constrain(Constraint::Merge { left, right, result: result.clone(), span });
            result
        })
    }

    /// Computes a field from its stack.
    pub(super) fn field_of_stack(
        &mut self,
        stack: Stack,
        hidden: bool,
        declared_at: Option<Span>,
        path: &[Name],
        span: Span,
    ) -> Field {
        let certain = stack.layers.iter().position(|l| l.certain);
        let candidates = match certain {
            Some(top) => stack.layers.get(..=top),
            None => Some(stack.layers.as_slice()),
        }
        .unwrap_or_default();
        let presence = match (certain, candidates) {
            (Some(_), _) => Presence::Yes,
            (None, []) if stack.optional => Presence::Maybe,
            (None, []) => Presence::No,
            (None, _) => Presence::Maybe,
        };
        let at = candidates.last().and_then(|l| l.at).or(declared_at);
        let value = match candidates {
            [] => None,
            [one] => Some(one.ty.clone()),
            several => {
                let mut joined: Option<TyRef> = None;
                for layer in several.iter().rev() {
                    joined = Some(match joined {
                        None => layer.ty.clone(),
                        Some(ty) if layer.is_unnamed() => self.join_unnamed(&ty, &layer.ty, span),
                        Some(ty) => self.join(&ty, &layer.ty, &UnifyReason::new(at.unwrap_or(span), Why::Merge)),
                    });
                }
                joined
            }
        };
        if stack.merger.is_none() {
            self.changes_of_type(&stack, path, span);
            self.other_tags(&stack, path);
        }
        let value = match (&stack.merger, value) {
            (Some(merger), Some(ty)) if stack.definitions > 1 => Some(self.merged_by(merger, &stack, ty)),
            (_, value) => value,
        };
        // the type of several definitions is not that of the literal at one of them
        let combined = candidates.len() > 1 || (stack.merger.is_some() && stack.definitions > 1);
        let place = if combined { declared_at } else { at };
        let ty = self.final_type(&stack, value, place.unwrap_or(span), path);
        let plain = stack.contracts.is_empty()
            && stack.merger.is_none()
            && stack.bare.is_none()
            && !stack.optional
            && matches!(stack.layers.as_slice(), [l] if l.certain && l.priority == Default::default());
        let need = if presence == Presence::No { Need::Own } else { Need::None };
        Field { presence, need, ty, at, hidden, stack: (!plain).then(|| Arc::new(stack)), inheritance: None }
    }

    /// Returns the type of the final value: that of the definitions, under the contracts.
    fn final_type(&mut self, stack: &Stack, value: Option<TyRef>, at: Span, path: &[Name]) -> TyRef {
        let mut ty = match (value, &stack.bare) {
            (Some(ty), _) => ty,
            (None, Some(bare)) if stack.contracts.is_empty() => return bare.clone(),
            (None, bare) => {
                let mut all = stack.contracts.iter();
                let Some(first) = all.next() else { return self.fresh() };
                let mut ty = first.ty.clone();
                for c in all {
                    ty = self.meet(&ty, &c.ty, c.span);
                }
                if let Some(bare) = bare {
                    let because = UnifyReason::new(at, Why::Contract).unsure();
                    let unified = self.unify(&ty, bare, &because);
                    self.settle_clash(unified, &because);
                }
                return ty;
            }
        };
        let contracts: Vec<_> = stack.contracts.iter().map(|c| (c.ty.clone(), c.span)).collect();
        ty = self.under_contracts(&ty, &contracts, at, path);
        ty
    }

    /// Reports scalars that a stronger definition overrides with another type.
    fn changes_of_type(&mut self, stack: &Stack, path: &[Name], span: Span) {
        for pair in stack.layers.windows(2) {
            let [now, was] = pair else { continue };
            let mut differences = Vec::new();
            self.differences(&now.ty, &was.ty, &mut path.to_vec(), &mut differences);
            // overriding a literal discards the facts about its value, but not its type
            let literal = was.at.is_some_and(|at| self.literals.contains(at));
            if differences.is_empty() && !literal {
                continue;
            }
            let origins = was.at.map(|at| self.merges.origins(at)).unwrap_or_default();
            self.merges.override_by_another_type(origins);
            if differences.is_empty() {
                continue;
            }
            self.merges.change_type();
            for d in differences {
                let Some((n, w)) = d.types.filter(|_| !now.is_unnamed()) else { continue };
                // contracts may accept both types
                if stack.contracts.is_empty() || d.path.len() == path.len() && self.refused_by_contract(stack, &w) {
                    self.report_change(&d.path, &n, &w, now.at.unwrap_or(span), was.at);
                }
            }
        }
    }

    /// Whether one of the contracts of a field is a type with another head than a scalar.
    fn refused_by_contract(&mut self, stack: &Stack, scalar: &TyRef) -> bool {
        let plain =
            |ty: &Ty| matches!(ty, Ty::Number | Ty::String | Ty::Bool | Ty::Array(_) | Ty::Enum(..) | Ty::Record(_));
        matches!(**scalar, Ty::Number | Ty::String | Ty::Bool)
            && stack.contracts.iter().any(|c| {
                let contract = self.table.head(&c.ty);
                plain(&contract) && std::mem::discriminant(&*contract) != std::mem::discriminant(&**scalar)
            })
    }

    /// Reports readers of a tag that do not take the tag that overrides it.
    fn other_tags(&mut self, stack: &Stack, path: &[Name]) {
        let Some(top) = stack.layers.iter().position(|l| l.certain) else { return };
        let (Some(now), Some(below)) = (stack.layers.get(top), stack.layers.get(top + 1..)) else { return };
        for was in below.iter().filter_map(|l| l.at) {
            for (wanted, reader) in self.merges.tag_reads(was) {
                let given = self.without_failures(&now.ty);
                let given = self.instantiate(&given);
                if matches!(&*self.table.head(&given), Ty::Enum(..)) {
                    let wanted = self.finish(&wanted);
                    let wanted = self.instantiate_scheme(&wanted);
                    let why = path.last().map_or(Why::Merge, |name| Why::Sibling(name.clone()));
                    let because = UnifyReason::new(now.at.unwrap_or(reader), why).wanted(reader).unsure();
                    let unified = self.unify(&given, &wanted, &because);
                    self.settle_clash(unified, &because);
                }
            }
        }
    }

    /// Notes that a field may have been overridden since siblings read it.
    fn may_be_overridden(&mut self, field: &Field) {
        match &field.stack {
            Some(stack) => self.merges.override_by_another_type(stack.layers.iter().filter_map(|l| l.at)),
            None => self.merges.override_by_another_type(field.at),
        }
    }

    fn merge_custom(&mut self, a: &TyRef, b: &TyRef) -> TyRef {
        let (x, y) = (self.table.head(a), self.table.head(b));
        if std::mem::discriminant(&*x) == std::mem::discriminant(&*y) { x } else { y }
    }

    /// Returns the type that a custom merge function gives a field.
    fn merged_by(&mut self, merger: &TyRef, stack: &Stack, ty: TyRef) -> TyRef {
        let f = self.instantiate(merger);
        match &*self.open_head(&f) {
            // the evaluation reports a function of several arguments
            Ty::Fun(_, result) if matches!(&*self.open_head(result), Ty::Fun(..)) => ty,
            Ty::Fun(params, result) => {
                let mut row = Row::new(Tail::Live(self.fresh_tail(VariableKind::Row)));
                let (lower, higher) = match stack.layers.as_slice() {
                    [high, .., low] => (low.ty.clone(), high.ty.clone()),
                    _ => (ty.clone(), ty),
                };
                for (name, t) in [("lower", lower), ("higher", higher)] {
                    let t = self.instantiate(&t);
                    row.insert(name.into(), Field::given(t, None));
                }
                if let Some(p) = params.first() {
                    let span = self.root_span();
                    let because = UnifyReason::new(span, Why::Merge).unsure();
                    let unified = self.unify(&Ty::Record(row).into(), &p.ty, &because);
                    self.settle_clash(unified, &because);
                }
                result.clone()
            }
            _ => ty,
        }
    }
}
