//! Unifies rows in the manner of Rémy: fields that only one side has are added to the tail of the other side.

use super::Infer;
use super::report::near;
use super::unify::{ClashKind, ClashPath, Unified, first};
use super::why::{UnifyReason, Why};
use crate::text::Name;
use crate::ty::{Field, Live, Presence, Row, Tag, Tail, Ty, TyRef, VariableKind};
use std::collections::BTreeMap;

type Tags = BTreeMap<Tag, Option<TyRef>>;

/// Maximum number of tags that a message lists.
const LISTED_TAGS: usize = 8;

impl Infer<'_> {
    /// Returns the head of a type, with a library module opened and the quantifiers of a record instantiated.
    pub(super) fn open_head(&mut self, ty: &TyRef) -> TyRef {
        let head = self.table.head(ty);
        match &*head {
            Ty::Library(_) => self.open_library(&head).unwrap_or(head),
            Ty::Forall(s) if matches!(*s.ty, Ty::Record(_) | Ty::Var(_)) || !s.constraints.is_empty() => {
                let t = self.instantiate(&head);
                self.open_head(&t)
            }
            _ => head,
        }
    }

    /// Returns the row with the fields that its tail is bound to.
    pub(super) fn open_row(&mut self, row: &Row) -> Row {
        let mut row = row.clone();
        loop {
            let Tail::Live(v) = row.tail().clone() else { return row };
            let super::table::Slot::Bound(t, _) = self.table.probe(v) else { return row };
            let t = self.table.head(&t);
            match &*t {
                Ty::Record(more) => {
                    // the fields of the shorter map are added to the longer one; the row's own fields have precedence
                    let is_longer = more.len() > row.len();
                    let (mut out, shorter) = if is_longer { (more.clone(), &row) } else { (row.clone(), more) };
                    for (name, field) in shorter.fields() {
                        if is_longer || out.get(name).is_none() {
                            out.insert(name.clone(), field.clone());
                        }
                    }
                    out.open = row.open || more.open;
                    out.order = more.order.clone().or_else(|| row.order.clone());
                    out.set_tail(more.tail().clone());
                    row = out;
                }
                Ty::Dyn(reason) => row.set_tail(Tail::Dyn(*reason)),
                _ => row.set_tail(Tail::Closed),
            }
        }
    }

    pub(super) fn fresh_tail(&mut self, kind: VariableKind) -> Live {
        self.table.fresh(kind, self.level)
    }

    /// Unifies two rows. O(fields of the shorter row), plus the fields that differ.
    pub(super) fn unify_rows(&mut self, found: &Row, expected: &Row, because: &UnifyReason) -> Unified {
        let f = self.open_row(found);
        let e = self.open_row(expected);
        let whole: TyRef = Ty::Record(f.clone()).into();
        let mut out: Unified = Ok(());
        if let (Some(one), Some(other)) = (&f.order, &e.order)
            && one != other
        {
            let (found, expected) = (Ty::Record(f).into(), Ty::Record(e).into());
            return Err(self.clash_of_heads(&found, &expected, None, None, because));
        }
        let mut items_joined = false;
        if let Tail::Dict(item) = e.tail().clone() {
            (out, items_joined) = self.unify_items(&f, &e, &item, because);
        }
        // an open row gets the fields that it lacks, so only the fields of both rows are left to compare
        let is_open = |row: &Row| matches!(row.tail(), Tail::Live(_));
        let by_expected = e.len() < f.len() / 8 && is_open(&e);
        let by_found = f.len() < e.len() / 8 && is_open(&f);
        let of_expected =
            by_expected.then(|| e.fields().filter_map(|(name, ef)| Some((name, Some(f.get(name)?), Some(ef)))));
        let of_found = by_found.then(|| f.fields().map(|(name, ff)| (name, Some(ff), e.get(name))));
        // shared fields are equal; a method is compared for the object that it is read from
        let share = self.kept.log.is_none();
        let all = !by_expected && !by_found;
        let unshared = all.then(|| f.unshared_pairs(&e, move |marks| share && !marks.forall));
        let mut missing = Vec::new();
        for (name, ff, ef) in of_expected
            .into_iter()
            .flatten()
            .chain(of_found.into_iter().flatten())
            .chain(unshared.into_iter().flatten())
        {
            let Some(ff) = ff else {
                missing.extend(ef.map(|ef| (name, ef)));
                continue;
            };
            match ef {
                // a `+:` field may have any other fields once it is added
                Some(_) if ff.inheritance.as_ref().is_some_and(|l| l.plus) => {}
                Some(ef) if [ff, ef].iter().any(|f| f.inheritance.as_ref().is_some_and(|l| l.replaced)) => {}
                Some(ef) => {
                    if ff.presence == Presence::Maybe && ef.presence == Presence::Yes {
                        self.suspect_absent(&f, name, because.span);
                    }
                    let ty = self.of(&ff.ty, &whole);
                    out = first(out, self.unify(&ty, &ef.ty, because).in_field(name));
                }
                None => match e.tail() {
                    Tail::Live(_) => {}
                    Tail::Dict(_) if items_joined => {}
                    Tail::Dict(t) if self.is_member(&ff.ty, t) => {}
                    Tail::Dict(t) => out = first(out, self.unify(&ff.ty, t, because).in_field(name)),
                    Tail::Dyn(_) | Tail::Var(_) => {}
                    // in an object language, an extra field does no harm
                    Tail::Closed if ff.presence == Presence::No || self.rules().extends() => {}
                    Tail::Closed if ff.presence == Presence::Maybe && !matches!(because.why, Why::Argument(..)) => {}
                    Tail::Closed => {
                        let near = near(name, e.fields().map(|(n, _)| n).filter(|n| f.get(n).is_none()));
                        // a field that the record may lack is certain to clash only if it has it
                        let unsure = (ff.presence == Presence::Maybe).then(|| because.clone().unsure());
                        let because = unsure.as_ref().unwrap_or(because);
                        let clash = self.clash(ClashKind::Extra { name: name.clone(), near }, because);
                        out = first(out, Err(clash));
                    }
                },
            }
        }
        if by_expected {
            missing = e.fields().filter(|(name, _)| f.get(name).is_none()).collect();
        }
        for (name, ef) in missing {
            match f.tail() {
                Tail::Dict(t) => out = first(out, self.unify(t, &ef.ty, because).in_field(name)),
                Tail::Dyn(_) | Tail::Var(_) | Tail::Live(_) => {}
                Tail::Closed if ef.presence != Presence::Yes => {}
                Tail::Closed => {
                    let near = near(name, f.fields().map(|(n, _)| n).filter(|n| e.get(n).is_none()));
                    let record = Ty::Record(f.clone()).into();
                    let clash =
                        self.clash(ClashKind::Missing { name: name.clone(), record, near, asked: ef.at }, because);
                    out = first(out, Err(clash));
                }
            }
        }
        let more = |open: &Row, other: &Row| match open.tail() {
            Tail::Live(_) => other.without(open),
            _ => Row::new(Tail::Closed),
        };
        let (mut for_found, mut for_expected) = (more(&f, &e), more(&e, &f));
        (for_expected.order, for_found.order) = (f.order.clone(), e.order.clone());
        first(out, self.unify_tails((f.tail(), for_found), (e.tail(), for_expected), because))
    }

    /// Whether `union` is a union with a member that has the same head as `ty`.
    fn is_member(&mut self, ty: &TyRef, union: &TyRef) -> bool {
        let union = self.table.head(union);
        let Ty::Union(members) = &*union else { return false };
        let ty = self.without_failures(ty);
        let head = self.table.head(&ty);
        self.has_head(members, &head)
    }

    /// Unifies a record with an expected dictionary whose item type is not known. That type becomes the join of the types of all
    /// fields if the join has a union, or more tags than the first field. Returns whether it has.
    fn unify_items(&mut self, found: &Row, expected: &Row, item: &TyRef, because: &UnifyReason) -> (Unified, bool) {
        let head = self.table.head(item);
        // the fields of one record may lack fields of another one
        let may_lack = !self.rules().extends() && !self.rules().is_exact();
        let variable = match &*head {
            Ty::Live(v) => *v,
            Ty::Record(row) if may_lack => match self.open_row(row).tail() {
                Tail::Live(v) => *v,
                _ => return (Ok(()), false),
            },
            _ => return (Ok(()), false),
        };
        let mut types =
            found.fields().filter(|(name, _)| expected.get(name).is_none()).map(|(_, field)| field.ty.clone());
        let (Some(first), Some(second)) = (types.next(), types.next()) else { return (Ok(()), false) };
        let rest: Vec<TyRef> = types.collect();
        if self.is_rigid(variable) {
            return (Ok(()), false);
        }
        // the fields of an object may have different types
        let differ = self.rules().extends() && !self.rules().converts();
        let reason = match differ {
            true => UnifyReason::new(because.span, Why::Branch).unsure(),
            false => because.clone(),
        };
        let mut all = self.without_failures(&first);
        for ty in std::iter::once(&second).chain(&rest) {
            let ty = self.without_failures(ty);
            all = self.join_quietly(&all, &ty, &reason);
        }
        let tags = |ty: &Ty| match ty {
            Ty::Enum(tags, Tail::Closed) => tags.len(),
            _ => 0,
        };
        let more = tags(&self.table.head(&all)) > tags(&self.table.head(&first));
        let unknown = match &*self.table.head(&all) {
            Ty::Dyn(_) => true,
            Ty::Live(_) => differ,
            Ty::Record(_) | Ty::Array(_) => may_lack,
            _ => false,
        };
        match more || has_union(&all) || unknown {
            true => (self.unify(&all, item, because), true),
            false => (Ok(()), false),
        }
    }

    /// Unifies the tails of two rows, each with the fields that the other row lacks and that its tail gets.
    fn unify_tails(&mut self, found: (&Tail, Row), expected: (&Tail, Row), because: &UnifyReason) -> Unified {
        let (ft, mut for_found) = found;
        let (et, mut for_expected) = expected;
        match (ft, et) {
            (Tail::Live(a), Tail::Live(b)) => {
                if self.table.root(*a) == self.table.root(*b) {
                    return match for_found.is_empty() && for_expected.is_empty() {
                        true => Ok(()),
                        false => {
                            let part: TyRef = Ty::Live(*a).into();
                            let whole = Ty::Record(for_found).into();
                            Err(self.clash(ClashKind::Infinite { part, whole }, &because.clone().unsure()))
                        }
                    };
                }
                if for_found.is_empty() && for_expected.is_empty() && !self.is_rigid(*a) && !self.is_rigid(*b) {
                    self.link(*a, *b);
                    return Ok(());
                }
                // a rigid tail unifies with another tail if there are no fields to add to it
                if self.is_rigid(*a) && for_found.is_empty() {
                    for_expected.set_tail(Tail::Live(*a));
                    return self.bind_tail(*b, Ty::Record(for_expected), because);
                }
                if self.is_rigid(*b) && for_expected.is_empty() {
                    for_found.set_tail(Tail::Live(*b));
                    return self.bind_tail(*a, Ty::Record(for_found), because);
                }
                let rest = Tail::Live(self.fresh_tail(VariableKind::Row));
                for_found.set_tail(rest.clone());
                for_expected.set_tail(rest);
                let x = self.bind_tail(*a, Ty::Record(for_found), because);
                first(x, self.bind_tail(*b, Ty::Record(for_expected), because))
            }
            (Tail::Live(a), rest) => {
                for_found.set_tail(rest.clone());
                self.bind_tail(*a, Ty::Record(for_found), because)
            }
            (rest, Tail::Live(b)) => {
                for_expected.set_tail(rest.clone());
                self.bind_tail(*b, Ty::Record(for_expected), because)
            }
            (Tail::Dict(a), Tail::Dict(b)) => self.unify(a, b, because).in_part(),
            _ => Ok(()),
        }
    }

    /// Whether a variable is rigid: it stands for a `forall`-bound one and cannot be bound.
    pub(super) fn is_rigid(&mut self, v: Live) -> bool {
        matches!(self.table.probe(v), super::table::Slot::Free { rigid: Some(_), .. })
    }

    /// Returns the tags of an enum with those that its tail is bound to.
    pub(super) fn open_tags(&mut self, tags: &Tags, tail: &Tail) -> (Tags, Tail) {
        let (mut tags, mut tail) = (tags.clone(), tail.clone());
        loop {
            let Tail::Live(v) = tail else { return (tags, tail) };
            let super::table::Slot::Bound(t, _) = self.table.probe(v) else { return (tags, tail) };
            match &*self.table.head(&t) {
                Ty::Enum(more, rest) => {
                    for (n, t) in more {
                        tags.entry(n.clone()).or_insert_with(|| t.clone());
                    }
                    tail = rest.clone();
                }
                Ty::Dyn(reason) => tail = Tail::Dyn(*reason),
                _ => tail = Tail::Closed,
            }
        }
    }

    /// Unifies the tags of two enums. O(tags log tags).
    pub(super) fn unify_tags(
        &mut self,
        found: (&Tags, &Tail),
        expected: (&Tags, &Tail),
        because: &UnifyReason,
    ) -> Unified {
        let (f, ft) = self.open_tags(found.0, found.1);
        let (e, et) = self.open_tags(expected.0, expected.1);
        let mut out: Unified = Ok(());
        let mut for_expected = Tags::new();
        let mut for_found = Tags::new();
        for (tag, arg) in &f {
            match e.get(tag) {
                Some(other) => {
                    if let (Some(a), Some(b)) = (arg, other) {
                        out = first(out, self.unify(a, b, &because.clone().unsure()).in_part());
                    }
                }
                None => match &et {
                    Tail::Live(_) => {
                        for_expected.insert(tag.clone(), arg.clone());
                    }
                    Tail::Closed => {
                        let near = near(&tag.name, e.keys().map(|t| &t.name).filter(|name| **name != tag.name));
                        let name = tag.name.clone();
                        let allowed = e.keys().map(|tag| tag.name.clone()).take(LISTED_TAGS).collect();
                        let clash = self.clash(ClashKind::Tag { name, near, allowed }, &because.clone().unsure());
                        out = first(out, Err(clash));
                    }
                    _ => {}
                },
            }
        }
        for (name, arg) in &e {
            // an enum with fewer tags fits one with more, so that a closed enum that was found needs no more tags
            if !f.contains_key(name) && matches!(ft, Tail::Live(_)) {
                for_found.insert(name.clone(), arg.clone());
            }
        }
        let tails = match (&ft, &et) {
            (Tail::Live(a), Tail::Live(b)) => {
                if self.table.root(*a) == self.table.root(*b) {
                    return out;
                }
                if for_found.is_empty() && for_expected.is_empty() && !(self.is_rigid(*a) && self.is_rigid(*b)) {
                    self.link(*a, *b);
                    return out;
                }
                if self.is_rigid(*a) && for_found.is_empty() {
                    self.bind_tail(*b, Ty::Enum(for_expected, Tail::Live(*a)), because)
                } else if self.is_rigid(*b) && for_expected.is_empty() {
                    self.bind_tail(*a, Ty::Enum(for_found, Tail::Live(*b)), because)
                } else {
                    let rest = Tail::Live(self.fresh_tail(VariableKind::Tags));
                    let x = self.bind_tail(*a, Ty::Enum(for_found, rest.clone()), because);
                    first(x, self.bind_tail(*b, Ty::Enum(for_expected, rest), because))
                }
            }
            (Tail::Live(a), rest) => self.bind_tail(*a, Ty::Enum(for_found, rest.clone()), because),
            (rest, Tail::Live(b)) => self.bind_tail(*b, Ty::Enum(for_expected, rest.clone()), because),
            _ => Ok(()),
        };
        first(out, tails)
    }

    /// Returns the type of a field of a row, or the opened row if it lacks the field. An open row gets the field if it does not
    /// have it.
    pub(super) fn field_of(&mut self, row: &Row, name: &Name, because: &UnifyReason) -> Result<TyRef, Row> {
        let row = self.open_row(row);
        if let Some(field) = row.get(name) {
            if field.presence == Presence::Maybe {
                self.suspect_absent(&row, name, because.span);
            }
            return Ok(field.ty.clone());
        }
        match row.tail().clone() {
            Tail::Closed | Tail::Var(_) => Err(row),
            Tail::Dict(t) => Ok(t),
            Tail::Dyn(reason) => {
                if !row.is_empty() {
                    self.suspect_absent(&row, name, because.span);
                }
                Ok(Ty::Dyn(reason).into())
            }
            Tail::Live(v) if self.is_rigid(v) => Err(row),
            Tail::Live(v) => {
                let ty = self.fresh();
                let mut rest = Row::new(Tail::Live(self.fresh_tail(VariableKind::Row)));
                rest.insert(name.clone(), Field::given(ty.clone(), Some(because.span)));
                self.needed_as(v, &ty, Some(rest.tail()));
                let _ = self.bind_tail(v, Ty::Record(rest), because);
                Ok(ty)
            }
        }
    }
}

/// Whether a closed type has a union in it.
fn has_union(ty: &TyRef) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work = vec![ty.clone()];
    while let Some(t) = work.pop() {
        if matches!(*t, Ty::Union(_)) {
            return true;
        }
        if t.is_closed() && seen.insert(t.address()) {
            super::walk::children(&t, &mut |c| work.push(c.clone()), &mut |_| {});
        }
    }
    false
}
