//! `+` of two numbers, of a string and anything, of two arrays or of two objects. It is deferred while a caller may choose an
//! operand. An operand that no caller can choose, such as an open `null`, gets the type of the other one.

use crate::infer::Infer;
use crate::infer::table::Slot;
use crate::infer::why::{UnifyReason, Why};
use crate::term::{Node, NodeId, Prim};
use crate::text::Span;
use crate::ty::{Constraint, DynReason, Failure, Live, Row, Tail, Ty, TyRef};
use rustc_hash::FxHashSet;

impl Infer<'_> {
    /// Infers `a + b` or `a { … }`.
    pub(in crate::infer) fn sum(&mut self, left: NodeId, right: NodeId, span: Span) -> TyRef {
        let a = self.operand(left);
        let term = self.term.clone();
        let b = match term.node(right) {
            Node::Record(lit) => {
                let ty = self.object(lit, Some(&a), term.span(right));
                self.keep_type(right, &ty);
                ty
            }
            _ => self.strict(right),
        };
        let faults = self.faults_of_elements(&[&a, &b]);
        let (a, b) = (self.no_error(&a), self.no_error(&b));
        let operands = (term.span(left), term.span(right));
        let (x, y) = (self.head_certain(&a), self.head_certain(&b));
        match self.plus_known(&a, &b, span, Some((operands, x && y))) {
            Some(ty) if matches!(&*ty, Ty::Array(_)) => crate::infer::failing(ty, faults.into_iter()),
            Some(ty) => ty,
            None => self.defer_plus(&a, &b, span),
        }
    }

    /// Returns the faults of the elements of array operands: the sum has these elements too.
    fn faults_of_elements(&mut self, operands: &[&TyRef]) -> Vec<Failure> {
        let mut faults = Vec::new();
        for ty in operands.iter().filter(|ty| ty.marks().fails) {
            if matches!(&*self.open_head(&self.without_outer_failures(ty)), Ty::Array(_)) {
                faults.extend(self.failures_in(ty).into_iter().filter(|fault| fault.deep));
            }
        }
        faults
    }

    /// Whether the head of a type is certain in the current unit.
    pub(super) fn head_certain(&mut self, ty: &TyRef) -> bool {
        let (_, by) = self.table.head_with(ty);
        self.is_certain(by)
    }

    /// Returns the type of a sum.
    pub(in crate::infer) fn plus(&mut self, a: &TyRef, b: &TyRef, span: Span) -> TyRef {
        match self.plus_known(a, b, span, None) {
            Some(ty) => ty,
            None => self.defer_plus(a, b, span),
        }
    }

    /// Returns the type of a field that extends another one, and their places.
    pub(super) fn plus_at(&mut self, a: &TyRef, b: &TyRef, at_left: Span, at: Span) -> TyRef {
        match self.plus_known(a, b, at, Some(((at_left, at), false))) {
            Some(ty) => ty,
            None => self.defer_plus(a, b, at),
        }
    }

    fn defer_plus(&mut self, left: &TyRef, right: &TyRef, span: Span) -> TyRef {
        let (base, more) = (self.table.head(left), self.table.head(right));
        if self.is_derived(&base) || self.is_derived(&more) {
            return self.defer_sum(left, right, span);
        }
        let result = self.fresh();
        let (left, right) = (left.clone(), right.clone());
        self.constrain(Constraint::Plus { left, right, result: result.clone(), span });
        result
    }

    /// Returns the type of a sum; `None` if an operand is not known. `operands`: their places, and whether both heads are
    /// certain.
    pub(super) fn plus_known(
        &mut self,
        a: &TyRef,
        b: &TyRef,
        span: Span,
        operands: Option<((Span, Span), bool)>,
    ) -> Option<TyRef> {
        if matches!(&*self.table.head(a), Ty::Live(_)) || matches!(&*self.table.head(b), Ty::Live(_)) {
            self.try_uses();
        }
        let (x, y) = (self.open_head(a), self.open_head(b));
        let (x, y) = (self.no_error(&x), self.no_error(&y));
        let (x, y) = (self.open_head(&x), self.open_head(&y));
        let (at_left, at) = operands.map_or((span, span), |(places, _)| places);
        let counts = |ty: &Ty| matches!(ty, Ty::Number | Ty::Bool);
        if self.rules().converts() && counts(&x) && counts(&y) {
            return Some(Ty::Number.into());
        }
        Some(match (&*x, &*y) {
            // the text of a value is its JSON, which a function does not have
            (Ty::String, Ty::Fun(..)) | (Ty::Fun(..), Ty::String) if !self.rules().converts() => {
                let (found, expected, at) = if matches!(&*x, Ty::String) { (&y, &x, at) } else { (&x, &y, at_left) };
                let because = UnifyReason::new(at, Why::Operand(Prim::Plus));
                let because = because.sure_if(operands.is_some_and(|(_, certain)| certain));
                let clash = self.clash_of_heads(found, expected, None, None, &because);
                self.demand(Err(clash), &because);
                Ty::String.into()
            }
            (Ty::String, _) | (_, Ty::String) => Ty::String.into(),
            (Ty::Number, Ty::Number) => x,
            (Ty::Array(s), Ty::Array(t)) => {
                let because = UnifyReason::new(at, Why::Operand(Prim::Plus)).wanted(span).unsure();
                match self.rules().converts() {
                    true => Ty::Array(self.join(s, t, &because)).into(),
                    false => Ty::Array(self.join_quietly(s, t, &because)).into(),
                }
            }
            (Ty::Record(below), Ty::Record(above)) => crate::infer::deep(|| self.inherit(below, above, span)),
            (Ty::Live(_), Ty::Record(_) | Ty::Live(_)) if self.is_derived(&x) => return None,
            (Ty::Record(_), Ty::Live(_)) if self.is_derived(&y) => return None,
            (Ty::Live(_), Ty::Record(above)) => {
                let below = self.as_object(&x, span)?;
                self.inherit(&below, above, span)
            }
            (Ty::Record(below), Ty::Live(_)) => {
                let above = self.as_object(&y, span)?;
                self.inherit(below, &above, span)
            }
            (Ty::Dyn(reason), Ty::Record(above)) => {
                let below = Row::new(Tail::Dyn(*reason));
                self.inherit(&below, above, span)
            }
            (Ty::Record(below), Ty::Dyn(reason)) => {
                let above = Row::new(Tail::Dyn(*reason));
                self.inherit(below, &above, span)
            }
            (Ty::Dyn(_) | Ty::Bottom, _) => x,
            (_, Ty::Dyn(_) | Ty::Bottom) => y,
            (Ty::Union(_), _) | (_, Ty::Union(_)) => Ty::Dyn(DynReason::Tested(span)).into(),
            (Ty::Live(_), _) | (_, Ty::Live(_)) => return None,
            _ => {
                // blame the operand that cannot be added to anything, or else the right one
                let addable = |t: &Ty| matches!(t, Ty::Number | Ty::Array(_) | Ty::Record(_));
                let number: TyRef = Ty::Number.into();
                let (found, expected, at, other) = match (addable(&x), addable(&y)) {
                    (true, _) => (&y, &x, at, Some(at_left)),
                    (false, true) => (&x, &y, at_left, Some(at)),
                    (false, false) => (&x, &number, at_left, None),
                };
                let because = UnifyReason::new(at, Why::Operand(Prim::Plus));
                let because = match other.filter(|other| *other != at) {
                    Some(other) => because.wanted(other),
                    None => because,
                };
                let because = because.sure_if(operands.is_some_and(|(_, certain)| certain));
                let clash = self.clash_of_heads(found, expected, None, None, &because);
                self.demand(Err(clash), &because);
                Ty::Bottom.into()
            }
        })
    }

    /// Binds a variable to an open object, and returns its row.
    fn as_object(&mut self, ty: &TyRef, span: Span) -> Option<Row> {
        let Ty::Live(v) = &**ty else { return None };
        if self.is_rigid(*v) {
            return None;
        }
        let row = Row::new(Tail::Live(self.fresh_tail(crate::ty::VariableKind::Row)));
        let because = UnifyReason::new(span, Why::Operand(Prim::Plus)).unsure();
        let unified = self.bind(*v, &Ty::Record(row.clone()).into(), &because);
        unified.is_ok().then_some(row)
    }

    /// Tries to solve a sum.
    pub(in crate::infer) fn try_plus(&mut self, index: usize, left: &TyRef, right: &TyRef, result: &TyRef, span: Span) {
        if let Some(ty) = self.plus_known(left, right, span, None) {
            self.deferred.finish(index);
            return self.settle_sum(&ty, result, span, false);
        }
        for t in [left, right] {
            if let Ty::Live(v) = &*self.table.head(t) {
                self.table.watch(*v, index as u32);
            }
        }
    }

    /// Gives the variables that `null` and `error` made since `open_variables` the type of the other operand of their sums, since their
    /// literal is complete. Looks at the constraints from `waiting` on.
    pub(super) fn settle_open_variables(&mut self, open_variables: usize, waiting: usize) {
        if open_variables >= self.objects.open_variables.len() || waiting >= self.deferred.len() {
            return;
        }
        self.solve();
        loop {
            let mut open = FxHashSet::default();
            for v in self.objects.open_variables.get(open_variables..).unwrap_or_default().to_vec() {
                if let Slot::Free { .. } = self.table.probe(v) {
                    open.insert(self.table.root(v));
                }
            }
            let mut progress = false;
            for i in waiting..self.deferred.len() {
                let Some(Constraint::Plus { left, right, result, span }) = self.deferred.open(i).cloned() else {
                    continue;
                };
                let (l, r) = (self.table.head(&left), self.table.head(&right));
                let mut is_open = |t: &Ty| matches!(t, Ty::Live(v) if open.contains(&self.table.root(*v)));
                let (a, b) = (is_open(&l), is_open(&r));
                let because = UnifyReason::new(span, Why::Operand(Prim::Plus)).unsure();
                let known = |t: &Ty| matches!(t, Ty::Number | Ty::Array(_));
                let unified = match (a, b) {
                    (true, true) => self.unify(&r, &l, &because).and(self.unify(&l, &result, &because)),
                    (true, false) if known(&r) => self.unify(&r, &l, &because),
                    (false, true) if known(&l) => self.unify(&l, &r, &because),
                    _ => continue,
                };
                self.settle_clash(unified, &because);
                if a && b {
                    self.deferred.finish(i);
                }
                progress = true;
                self.solve();
            }
            if !progress {
                break;
            }
        }
    }

    /// Whether a type is that of `null` or `error`, which no caller chooses.
    pub(in crate::infer) fn is_open(&mut self, ty: &Ty) -> bool {
        let Ty::Live(v) = ty else { return false };
        let root = self.table.root(*v);
        let open = self.objects.open_variables.clone();
        open.into_iter().any(|v| self.table.root(v) == root)
    }

    /// Returns the type of `null`, a variable that an override or a sum decides.
    pub(in crate::infer) fn open(&mut self) -> TyRef {
        let v: Live = self.table.fresh(crate::ty::VariableKind::Type, self.objects.open_level.min(self.level));
        self.objects.open_variables.push(v);
        Ty::Live(v).into()
    }
}
