//! Merging of types (`&`), as far as both sides are known. The rest is deferred.
//!
//! A merge of known records works on persistent maps and is O(fields of the smaller side), or O(fields of both) if
//! the smaller side is a dictionary. A field keeps its layers by
//! priority, so that the next merge can decide again. Merging is therefore associative.

mod declared;
mod definitions;
mod layers;
mod meet;
mod publish;
mod retype;

pub(super) use definitions::Merges;
pub(super) use retype::{rank, union};

use crate::infer::Infer;
use crate::infer::caches::ByType;
use crate::infer::unify::ClashPath;
use crate::infer::why::{UnifyReason, Why};
use crate::text::{Name, Span};
use crate::ty::{Constraint, DynReason, Field, Need, Presence, Row, Stack, Tail, Ty, TyRef};
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
        let (left, right) = (self.instantiate_if_polymorphic(left), self.instantiate_if_polymorphic(right));
        let sides = [&left, &right].map(|side| self.table.head(side));
        if let Ty::Live(v) = &*result
            && sides.iter().any(|side| self.is_chosen(side))
        {
            self.deferred.add_merged(self.table.root(*v));
        }
        self.constrain(Constraint::Merge { left, right, result: result.clone(), span });
        result
    }

    /// Returns an instance of a polymorphic type; other types as they are.
    fn instantiate_if_polymorphic(&mut self, ty: &TyRef) -> TyRef {
        let head = self.table.head(ty);
        match &*head {
            Ty::Forall(_) => self.instantiate(&head),
            _ => ty.clone(),
        }
    }

    /// Tries to solve a merge. If a side is not known, adds the fields that are certain to the result, and watches
    /// the variables of both sides and of the result.
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

    /// Returns the type of a merge; `None` if a side is not known.
    fn merge_known(&mut self, left: &TyRef, right: &TyRef, span: Span, path: &mut Vec<Name>) -> Option<TyRef> {
        let (l, r) = (self.open_head(left), self.open_head(right));
        match (&*l, &*r) {
            (Ty::Record(a), Ty::Record(b)) => {
                let (a, b) = (self.open_row(a), self.open_row(b));
                if matches!(a.tail(), Tail::Live(_)) || matches!(b.tail(), Tail::Live(_)) {
                    return None;
                }
                // A type that nothing shares is held by `l` or `r` and by its owner; inside a field, by the field's
                // layer too.
                let unshared_holders = 2 + usize::from(!path.is_empty());
                let is_cacheable = l.is_closed()
                    && r.is_closed()
                    && (l.holders() > unshared_holders || r.holders() > unshared_holders);
                let cached = self.caches.merged.get(&l, &r).filter(|_| is_cacheable).cloned();
                let merged = cached.unwrap_or_else(|| {
                    let before = (self.findings.len(), self.merges.type_changes());
                    let row = crate::infer::deep(|| self.merge_rows(&a, &b, span, path));
                    let merged: TyRef = Ty::Record(row).into();
                    if is_cacheable && (self.findings.len(), self.merges.type_changes()) == before {
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
                let unsure = unsure || self.comes_from_default(left) || self.comes_from_default(right);
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
                let kinds_differ = std::mem::discriminant(&*l) != std::mem::discriminant(&*r);
                let both = if fault.is_some() && !unsure && kinds_differ { union(vec![l, r]) } else { l };
                let out = self.keep_failures(&[left, right], both);
                Some(match fault {
                    Some(fault) if !unsure => Ty::Fails(fault, out).into(),
                    _ => out,
                })
            }
        }
    }

    /// Returns whether a type comes only from the default of a pattern.
    fn comes_from_default(&mut self, ty: &TyRef) -> bool {
        let (_, by) = self.table.head_with(ty);
        by.is_some_and(|id| self.table.reason(id).why == Why::Default)
    }

    /// Returns the merge of two sides of which at least one is unknown (`Dyn` or `Bottom`). `other` is the other one.
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
                    self.record_possible_override(field);
                    let field = match reason {
                        Some(reason) => self.merge_with_unknown(field, reason),
                        None => Field { ty: self.without_failures(&field.ty), ..field.clone() },
                    };
                    out.insert(name.clone(), field);
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

    /// Returns a field after a merge with a record that may define it too: the records in its value may get any further fields.
    fn merge_with_unknown(&mut self, field: &Field, reason: DynReason) -> Field {
        self.opened_field(field, reason, &mut ByType::default())
    }

    /// Opens the type of a field, and those of its layers. They have parts in common, at each level, so that each part is opened once.
    fn opened_field(&mut self, field: &Field, reason: DynReason, done: &mut ByType<TyRef>) -> Field {
        let ty = self.without_failures(&field.ty);
        let ty = self.opened(&ty, reason, done);
        let stack = field.stack.as_ref().map(|stack| {
            let mut stack = Stack::clone(stack);
            for layer in &mut stack.layers {
                layer.ty = self.opened(&layer.ty, reason, done);
            }
            Arc::new(stack)
        });
        Field { ty, stack, ..field.clone() }
    }

    /// Opens a record type, and the record types of its fields. O(size) of what is closed.
    fn opened(&mut self, ty: &TyRef, reason: DynReason, done: &mut ByType<TyRef>) -> TyRef {
        let head = self.table.head(ty);
        let Ty::Record(row) = &*head else { return ty.clone() };
        if !matches!(row.tail(), Tail::Closed) {
            return ty.clone();
        }
        if let Some(opened) = done.get(&head) {
            return opened.clone();
        }
        let mut out = row.clone();
        for (name, field) in row.fields() {
            let opened = crate::deep::deeper(|| self.opened_field(field, reason, done));
            out.insert(name.clone(), opened);
        }
        out.set_tail(Tail::Dyn(reason));
        let opened: TyRef = Ty::Record(out).into();
        done.insert(&head, opened.clone());
        opened
    }

    /// Wraps `out` in the failure of the first side that fails at its outermost node.
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
                (None, Tail::Dict(item)) => self.merge_with_dict_item(field, item, span, path),
                (None, Tail::Dyn(reason)) => self.merge_with_unknown(field, *reason),
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
                let merged = self.merge_with_dict_item(field, item, span, path);
                out.insert(name.clone(), merged);
            }
        }
        // the fields of a record that is open already were opened when it became so
        if let (Tail::Dyn(reason), Tail::Closed) = (small.tail(), big.tail()) {
            for (name, field) in big.fields().filter(|(name, _)| small.get(name).is_none()) {
                let merged = self.merge_with_unknown(field, *reason);
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

    /// Merges the definitions of one field in two records.
    pub(super) fn merge_fields(&mut self, a: &Field, b: &Field, span: Span, path: &mut Vec<Name>) -> Field {
        if self.merges.has_problems() {
            self.supply_labels(a, b);
        }
        let (left, right) = (a.layers(), b.layers());
        let mut stack = Stack {
            contracts: left.contracts.iter().chain(&right.contracts).cloned().collect(),
            layers: Vec::with_capacity(left.layers.len() + right.layers.len()),
            merger: left.merger.clone().or_else(|| right.merger.clone()),
            definitions: left.definitions + right.definitions,
            optional: left.optional && right.optional
                || (left.optional && right.layers.is_empty() && right.contracts.is_empty() && right.bare.is_none()),
            conditional: left.conditional || right.conditional,
            bare: None,
        };
        let heads: Vec<TyRef> = stack.contracts.iter().map(|c| self.table.head(&c.ty)).collect();
        let mut by_rank: Vec<usize> = (0..heads.len()).collect();
        by_rank.sort_by_key(|index| heads.get(*index).map(|t| rank(t)));
        stack.contracts = by_rank.into_iter().filter_map(|index| stack.contracts.get(index).cloned()).collect();
        stack.contracts.dedup();
        let (mut left_layers, mut right_layers) =
            (left.layers.into_iter().peekable(), right.layers.into_iter().peekable());
        loop {
            let order = match (left_layers.peek(), right_layers.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Greater,
                (None, Some(_)) => Ordering::Less,
                (Some(left_layer), Some(right_layer)) if left_layer.is_unnamed() != right_layer.is_unnamed() => {
                    left_layer.is_unnamed().cmp(&right_layer.is_unnamed())
                }
                (Some(left_layer), Some(right_layer))
                    if stack.layers.is_empty() && self.are_layers(left_layer, right_layer) =>
                {
                    Ordering::Equal
                }
                (Some(left_layer), Some(right_layer)) => {
                    left_layer.priority.rank(&right_layer.priority).then(right_layer.certain.cmp(&left_layer.certain))
                }
            };
            match order {
                Ordering::Greater => stack.layers.extend(left_layers.next()),
                Ordering::Less => stack.layers.extend(right_layers.next()),
                Ordering::Equal => {
                    if let (Some(mut left_layer), Some(right_layer)) = (left_layers.next(), right_layers.next()) {
                        if left_layer.is_unnamed() {
                            left_layer.ty = self.join_unnamed(&left_layer.ty, &right_layer.ty, span);
                            stack.layers.push(left_layer);
                            continue;
                        }
                        if let (Ty::Record(a), Ty::Record(b)) =
                            (&*self.table.head(&left_layer.ty), &*self.table.head(&right_layer.ty))
                        {
                            // a reader of either record as a whole now reads the merged one
                            self.merges.combine(right_layer.at, left_layer.at);
                            let same_names = a.len() == b.len() && a.fields().all(|(name, _)| b.get(name).is_some());
                            if !same_names {
                                self.merges.change_type();
                            }
                        }
                        left_layer.ty = if stack.merger.is_some() {
                            self.custom_layer_type(&left_layer.ty, &right_layer.ty)
                        } else {
                            self.merge_layer(
                                &left_layer.ty,
                                &right_layer.ty,
                                (left_layer.at, right_layer.at),
                                span,
                                path,
                            )
                        };
                        self.merges.absorb(left_layer.at, right_layer.at);
                        left_layer.priority = left_layer.priority.or_higher(right_layer.priority);
                        stack.layers.push(left_layer);
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
        self.declared_is_read([(left.bare.is_some(), a.at), (right.bare.is_some(), b.at)], &stack);
        stack.bare = self.settle_bare(left.bare, right.bare, &stack, path, span);
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
        let outer_operands = self.merges.set_operands(at);
        let known = self.merge_known(a, b, span, path);
        self.merges.set_operands(outer_operands);
        known.unwrap_or_else(|| {
            let result = self.fresh();
            let (left, right) = (self.instantiate_if_polymorphic(a), self.instantiate_if_polymorphic(b));
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
        let first_certain = stack.layers.iter().position(|l| l.certain);
        let candidates = match first_certain {
            Some(top) => stack.layers.get(..=top),
            None => Some(stack.layers.as_slice()),
        }
        .unwrap_or_default();
        let presence = match (first_certain, candidates) {
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
            self.report_type_changes(&stack, path, span);
            self.report_tag_overrides(&stack, path);
        }
        let value = match (&stack.merger, value) {
            (Some(merger), Some(ty)) if stack.definitions > 1 => Some(self.custom_merge_type(merger, &stack, ty)),
            (_, value) => value,
        };
        // a type that combines several definitions is not attributed to the literal of one of them
        let combined = candidates.len() > 1 || (stack.merger.is_some() && stack.definitions > 1);
        let place = if combined { declared_at } else { at };
        let ty = self.final_type(&stack, value, place.unwrap_or(span), path);
        let needs_no_stack = stack.contracts.is_empty()
            && stack.merger.is_none()
            && stack.bare.is_none()
            && !stack.optional
            && matches!(stack.layers.as_slice(), [l] if l.certain && l.priority == Default::default());
        let need = if presence == Presence::No { Need::Own } else { Need::None };
        Field { presence, need, ty, at, hidden, stack: (!needs_no_stack).then(|| Arc::new(stack)), inheritance: None }
    }

    /// Returns the type of the final value: that of the definitions, under the contracts.
    fn final_type(&mut self, stack: &Stack, value: Option<TyRef>, at: Span, path: &[Name]) -> TyRef {
        let ty = match (value, &stack.bare) {
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
        self.under_contracts(&ty, &contracts, at, path)
    }

    /// Records which definitions are overridden with another type. Reports those of a field without contracts, or
    /// with a contract that refuses the overridden type.
    fn report_type_changes(&mut self, stack: &Stack, path: &[Name], span: Span) {
        for pair in stack.layers.windows(2) {
            let [stronger, weaker] = pair else { continue };
            let mut differences = Vec::new();
            self.differences(&stronger.ty, &weaker.ty, &mut path.to_vec(), &mut differences);
            // overriding a literal discards the facts about its value, but not its type
            let literal = weaker.at.is_some_and(|at| self.literals.contains(at));
            if differences.is_empty() && !literal {
                continue;
            }
            let origins = weaker.at.map(|at| self.merges.origins(at)).unwrap_or_default();
            self.merges.override_by_another_type(origins);
            if differences.is_empty() {
                continue;
            }
            self.merges.change_type();
            for d in differences {
                let Some((stronger_type, weaker_type)) = d.types.filter(|_| !stronger.is_unnamed()) else { continue };
                // `a | default = null` declares a value that may be missing
                if matches!(&*self.table.head(&weaker_type), Ty::Null) {
                    continue;
                }
                // contracts may accept both types
                if stack.contracts.is_empty()
                    || d.path.len() == path.len() && self.refused_by_contract(stack, &weaker_type)
                {
                    self.report_change(&d.path, &stronger_type, &weaker_type, stronger.at.unwrap_or(span), weaker.at);
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

    /// Reports readers of a tag that do not accept the tag that overrides it.
    fn report_tag_overrides(&mut self, stack: &Stack, path: &[Name]) {
        let Some(top) = stack.layers.iter().position(|l| l.certain) else { return };
        let (Some(strongest), Some(weaker)) = (stack.layers.get(top), stack.layers.get(top + 1..)) else { return };
        for overridden in weaker.iter().filter_map(|l| l.at) {
            for (wanted, reader) in self.merges.tag_reads(overridden) {
                let tag = self.without_failures(&strongest.ty);
                let tag = self.instantiate(&tag);
                if matches!(&*self.table.head(&tag), Ty::Enum(..)) {
                    let wanted = self.finish(&wanted);
                    let wanted = self.instantiate_scheme(&wanted);
                    let why = path.last().map_or(Why::Merge, |name| Why::Sibling(name.clone()));
                    let because = UnifyReason::new(strongest.at.unwrap_or(reader), why).wanted(reader).unsure();
                    let unified = self.unify(&tag, &wanted, &because);
                    self.settle_clash(unified, &because);
                }
            }
        }
    }

    /// Records that a field may be overridden with another type.
    fn record_possible_override(&mut self, field: &Field) {
        match &field.stack {
            Some(stack) => self.merges.override_by_another_type(stack.layers.iter().filter_map(|l| l.at)),
            None => self.merges.override_by_another_type(field.at),
        }
    }

    /// Returns the type of two layers that a custom merge function combines: the left one if both are of one kind,
    /// otherwise the right one. The function decides the value.
    fn custom_layer_type(&mut self, a: &TyRef, b: &TyRef) -> TyRef {
        let (x, y) = (self.table.head(a), self.table.head(b));
        if std::mem::discriminant(&*x) == std::mem::discriminant(&*y) { x } else { y }
    }
}
