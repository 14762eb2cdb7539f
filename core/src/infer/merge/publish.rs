//! Infers from the known side of a merge what the unknown side and the result must have.

use crate::infer::Infer;
use crate::infer::why::{UnifyReason, Why};
use crate::text::{Name, Span};
use crate::ty::{Field, Presence, Row, Tail, Ty, TyRef, VariableKind};

impl Infer<'_> {
    /// If `known` is a closed record, adds its certain fields to the result, and requires the other fields of the
    /// result of the open side. If it is a scalar, see [`Infer::publish_scalar`].
    pub(super) fn publish(&mut self, open: &TyRef, known: &TyRef, result: &TyRef, span: Span) {
        let (open, known) = (self.table.head(open), self.table.head(known));
        // new variables get the deepest level of the sides' variables: when that level is left, variables of outer
        // levels are skipped
        let level = open.marks().live.max(known.marks().live).saturating_sub(1).clamp(1, self.level.max(1));
        let Ty::Record(known_row) = &*known else {
            return self.publish_scalar(&open, &known, result, span);
        };
        let known_row = self.open_row(known_row);
        if !matches!(known_row.tail(), Tail::Closed) {
            return;
        }
        let because = UnifyReason::new(span, Why::Merge).unsure();
        let result_head = self.table.head(result);
        let is_merged = self.end(&result_head).is_some_and(|v| self.is_merged(v));
        let result_row = match &*self.table.head(result) {
            Ty::Record(row) => Some(self.open_row(row)),
            Ty::Live(_) => None,
            _ => return,
        };
        let open_side_row = match &*open {
            Ty::Record(row) => Some(self.open_row(row)),
            _ => None,
        };
        let shared = open_side_row
            .as_ref()
            .filter(|_| result_row.is_none())
            .map(|open_side_row| open_side_row.without(&known_row));
        let mut published = shared.unwrap_or_else(|| Row::new(Tail::Closed));
        published.set_tail(Tail::Live(self.table.fresh(VariableKind::Row, level)));
        // the fields that both rows share have one type already
        if let (Some(open_side_row), Some(result_row)) = (&open_side_row, &result_row) {
            for (name, field, _) in open_side_row.unshared_pairs(result_row, |_| true) {
                if let Some(field) = field.filter(|_| known_row.get(name).is_none()) {
                    self.publish_field(&mut published, Some(result_row), name, field.clone(), &because);
                }
            }
        }
        for (name, field) in known_row.fields() {
            if field.presence == Presence::Yes
                && open_side_row.as_ref().is_none_or(|row| row.get(name).is_none())
                && !self.may_be_record(&field.ty)
            {
                // The open side may override the field, so its type is only a guess. There is no guess for a field with layers, for
                // one that depends on these, and for a polymorphic type, whose instances would not be marked as guesses.
                let guess: TyRef = Ty::Live(self.table.fresh(VariableKind::Type, level)).into();
                if !field.ty.marks().sibling && field.stack.is_none() && !self.has_instances(&field.ty) {
                    let ty = self.without_failures(&field.ty);
                    let ty = self.instantiate(&ty);
                    let _ = self.unify(&ty, &guess, &because);
                }
                let field = Field::given(guess, field.at);
                self.publish_field(&mut published, result_row.as_ref(), name, field, &because);
            }
        }
        let others =
            result_row.as_ref().map_or_else(|| Row::new(Tail::Closed), |result_row| result_row.without(&known_row));
        let mut required =
            open_side_row.as_ref().map_or_else(|| others.clone(), |open_side_row| others.without(open_side_row));
        required.set_tail(Tail::Live(self.table.fresh(VariableKind::Row, level)));
        if !published.is_empty() || result_row.is_none() {
            let unified = self.unify(&Ty::Record(published).into(), result, &because);
            self.settle_clash(unified, &because);
            let result_head = self.table.head(result);
            if let Some(rest) = self.end(&result_head).filter(|_| is_merged) {
                self.deferred.add_merged(self.table.root(rest));
            }
        }
        if !required.is_empty() || open_side_row.is_none() {
            let unified = self.unify(&open, &Ty::Record(required).into(), &because);
            self.settle_clash(unified, &because);
        }
    }

    /// Adds a field to the fields that `published` adds to the result. If the result already has it, unifies the
    /// types instead.
    fn publish_field(
        &mut self,
        published: &mut Row,
        result_row: Option<&Row>,
        name: &Name,
        field: Field,
        because: &UnifyReason,
    ) {
        match result_row.and_then(|row| row.get(name)) {
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

    /// Returns whether a type is a record, an array of records, or a variable or polymorphic type that may be one.
    fn may_be_record(&mut self, ty: &TyRef) -> bool {
        let mut head = self.table.head(ty);
        while let Ty::Array(item) = &*head.clone() {
            head = self.table.head(item);
        }
        matches!(&*head, Ty::Record(_) | Ty::Live(_) | Ty::Forall(_))
    }

    /// If `known` is a scalar, unifies the open side and the result with it: a scalar merges only with its own type.
    fn publish_scalar(&mut self, open: &TyRef, known: &TyRef, result: &TyRef, span: Span) {
        let because = UnifyReason::new(span, Why::Merge).unsure();
        if matches!(&**known, Ty::Number | Ty::String | Ty::Bool | Ty::Null | Ty::Int | Ty::Float) {
            let unified = self.unify(open, known, &because);
            self.settle_clash(unified, &because);
            let unified = self.unify(result, known, &because);
            self.settle_clash(unified, &because);
        }
    }
}
