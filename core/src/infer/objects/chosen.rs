//! Objects that a caller chooses: they may have the fields of the objects that they are combined with, and others.

use crate::infer::Infer;
use crate::infer::why::{UnifyReason, Why};
use crate::text::Span;
use crate::ty::{DynReason, Field, Inheritance, Need, Presence, Row, Tail, Ty, TyRef, VariableKind};
use std::sync::Arc;

impl Infer<'_> {
    /// Returns the type that a caller may choose for a value: for a scalar its type, for an object any of its fields and others.
    pub(in crate::infer) fn chosen(&mut self, ty: &TyRef, depth: u32) -> TyRef {
        let head = self.open_head(ty);
        match &*head {
            Ty::Number | Ty::String | Ty::Bool | Ty::Live(_) => head,
            Ty::Record(row) if depth > 0 && row.len() <= 64 => {
                let row = self.open_row(row);
                let mut out = Row::new(Tail::Live(self.fresh_tail(VariableKind::Row)));
                for (name, f) in row.fields().filter(|(_, f)| f.presence != Presence::No) {
                    let part = self.instantiate(&f.ty);
                    let ty = self.chosen(&part, depth - 1);
                    out.insert(name.clone(), Field { presence: Presence::Maybe, ..Field::given(ty, None) });
                }
                Ty::Record(out).into()
            }
            _ => self.fresh(),
        }
    }

    /// Returns the type of a value which a caller may have overridden by a chosen one.
    pub(super) fn perhaps(&mut self, below: &TyRef, chosen: &TyRef, because: &UnifyReason) -> TyRef {
        let (b, c) = (self.open_head(below), self.open_head(chosen));
        match (&*b, &*c) {
            (Ty::Record(b), Ty::Record(c)) => {
                let (b, c) = (self.open_row(b), self.open_row(c));
                let mut out = b.clone();
                for (name, f) in b.fields() {
                    if let Some(g) = c.get(name) {
                        let ty = self.perhaps(&f.ty, &g.ty.clone(), because);
                        out.insert(name.clone(), Field { ty, ..f.clone() });
                    }
                }
                for (name, g) in c.fields().filter(|(name, g)| g.presence != Presence::No && b.get(name).is_none()) {
                    out.insert(name.clone(), Field { presence: Presence::Maybe, ..Field::given(g.ty.clone(), g.at) });
                }
                out.set_tail(c.tail().clone());
                Ty::Record(out).into()
            }
            (Ty::Record(_) | Ty::Fun(..) | Ty::Union(_), _) => Ty::Dyn(DynReason::Computed(because.span)).into(),
            _ => self.join_quietly(below, chosen, because),
        }
    }

    /// Extends a row that a caller chooses by the fields of another one, as optional fields. `above`: it overrides the other one.
    pub(super) fn may_have(&mut self, open: &Row, other: &Row, above: bool, span: Span) -> Row {
        let Tail::Live(tail) = *open.tail() else { return open.clone() };
        let rest = Tail::Live(self.fresh_tail(VariableKind::Row));
        let mut more = Row::new(rest);
        for (name, f) in other.fields() {
            if open.get(name).is_some() {
                continue;
            }
            let clean = self.without_failures(&f.ty);
            let ty = self.instantiate(&clean);
            let ty = self.no_error(&ty);
            // a needed field is not optional
            let ty = self.chosen(&ty, 4);
            let presence = if f.presence == Presence::No { Presence::Yes } else { Presence::Maybe };
            let raises = self.raised_by(f).filter(|_| above && f.presence == Presence::Yes);
            let whole = f.need == Need::None && f.inheritance.as_ref().is_none_or(|l| !l.plus && l.below.is_none());
            let replaced = !above && presence == Presence::Maybe && whole && !self.rules().converts();
            let inheritance = (raises.is_some() || replaced)
                .then(|| Arc::new(Inheritance { raises, replaced, ..Inheritance::default() }));
            more.insert(name.clone(), Field { presence, inheritance, ..Field::given(ty, None) });
        }
        if more.is_empty() {
            return open.clone();
        }
        let because = UnifyReason::new(span, Why::Merge).unsure();
        let _ = self.bind_tail(tail, Ty::Record(more), &because);
        self.open_row(open)
    }
}
