//! Combines two contracts of one value.

use crate::infer::Infer;
use crate::infer::why::{UnifyReason, Why};
use crate::text::Span;
use crate::ty::{Field, Presence, Row, Tail, Ty, TyRef};

impl Infer<'_> {
    /// Returns the type that meets two contracts of a field without a definition.
    pub(super) fn meet(&mut self, a: &TyRef, b: &TyRef, at: Span) -> TyRef {
        let (x, y) = (self.table.head(a), self.table.head(b));
        match (&*x, &*y) {
            (Ty::Dyn(_), _) => y,
            (_, Ty::Dyn(_)) => x,
            (Ty::Record(r), Ty::Record(s)) => {
                let (r, s) = (self.open_row(r), self.open_row(s));
                Ty::Record(self.meet_rows(&r, &s, at)).into()
            }
            _ => {
                let because = UnifyReason::new(at, Why::Contract).unsure();
                let unified = self.unify(&x, &y, &because);
                self.settle_clash(unified, &because);
                x
            }
        }
    }

    fn meet_rows(&mut self, r: &Row, s: &Row, at: Span) -> Row {
        let mut out = r.clone();
        for (name, f) in r.fields().filter(|(name, _)| s.get(name).is_none()) {
            let field = self.meet_unnamed(f, s.tail(), at);
            out.insert(name.clone(), field);
        }
        for (name, f) in s.fields() {
            let field = match r.get(name) {
                // optional only where both contracts leave it out
                Some(g) => {
                    let presence = if g.presence == Presence::Maybe { f.presence } else { g.presence };
                    Field { ty: self.meet(&g.ty, &f.ty, at), presence, ..g.clone() }
                }
                None => self.meet_unnamed(f, r.tail(), at),
            };
            out.insert(name.clone(), field);
        }
        // a closed contract (without `..`) allows no further fields
        let closes = |row: &Row| matches!(row.tail(), Tail::Closed) && !row.open;
        let tail = match (r.tail(), s.tail()) {
            (Tail::Dict(t), Tail::Dict(u)) => Tail::Dict(self.meet(t, u, at)),
            _ if closes(r) || closes(s) => Tail::Closed,
            (Tail::Dict(t), _) | (_, Tail::Dict(t)) => Tail::Dict(t.clone()),
            (Tail::Closed, tail) | (tail, Tail::Closed) | (Tail::Dyn(_), tail) | (tail, _) => tail.clone(),
        };
        out.open = r.open && s.open;
        out.set_tail(tail);
        out
    }

    /// Returns a field that only one of two contracts names. `other` is the tail of the other one.
    fn meet_unnamed(&mut self, field: &Field, other: &Tail, at: Span) -> Field {
        match other {
            Tail::Dict(item) if field.presence != Presence::Maybe => {
                Field { ty: self.meet(&field.ty, item, at), ..field.clone() }
            }
            _ => field.clone(),
        }
    }
}
