//! Folds that build a record: `std.record.merge_all`, and `std.array.fold_left` and `fold_right` from a known record or from `null`.
//! The signatures have one type for all steps, but the record grows with each step, and the first step replaces `null`.

use crate::infer::Infer;
use crate::infer::why::{UnifyReason, Why};
use crate::term::{Apply, Node, NodeId};
use crate::text::{Name, Span};
use crate::ty::{Constraint, DynReason, Param, Row, Tail, Ty, TyRef};

/// Maximum number of steps that are inferred. If the record still grows after that, its type is unknown.
const STEPS: usize = 4;
/// Maximum depth at which the record is checked for growth.
const DEPTH: usize = 16;

impl Infer<'_> {
    /// Returns the type of such a call; `None` for other calls, of which no part is inferred here.
    pub(in crate::infer) fn gathering_fold(&mut self, apply: &Apply, span: Span) -> Option<TyRef> {
        let term = self.term.clone();
        let (module, function, args) = self.library_call(apply)?;
        match (module.as_str(), function.as_str(), args.as_slice()) {
            ("record", "merge_all", [array]) => match term.node(*array) {
                Node::Array(items) if !items.is_empty() => Some(self.merge_all(items, span)),
                _ => None,
            },
            ("array", "fold_left" | "fold_right", [f, start, array]) => {
                let steps = match term.node(*f) {
                    Node::Lambda(lambda) => lambda.curried && lambda.params.len() == 2,
                    Node::Local { .. } | Node::Member { .. } | Node::Global(_) | Node::Project(..) => true,
                    _ => false,
                };
                let known = steps && self.is_known_start(*start);
                known.then(|| self.fold_from_record(*f, *start, *array, &function, span))
            }
            _ => None,
        }
    }

    /// Whether an expression is `null`, a record literal, or a name of a record with known fields.
    fn is_known_start(&mut self, id: NodeId) -> bool {
        match self.term.node(id) {
            Node::Record(_) | Node::Null => true,
            Node::Local { .. } => {
                let ty = self.lazily(id);
                let head = self.open_head(&ty);
                head.row().is_some_and(|row| !matches!(self.open_row(row).tail(), Tail::Live(_) | Tail::Var(_)))
            }
            _ => false,
        }
    }

    fn fold_from_record(&mut self, f: NodeId, start: NodeId, array: NodeId, function: &Name, span: Span) -> TyRef {
        let from = self.enter();
        let step = self.expr(f);
        self.leave_level(from);
        let step = self.generalise_value(&step);
        self.end_generalisation(from);

        let from = self.enter();
        let elements = self.expr(array);
        self.leave_level(from);
        let elements = self.generalise_value(&elements);
        self.end_generalisation(from);
        let item = self.fresh();
        let instance = self.instantiate(&elements);
        let why = |n| Why::Argument(n, Some(function.clone()));
        let because = UnifyReason::new(self.term.span(array), why(3)).wanted(span);
        let unified = self.unify(&instance, &Ty::Array(item.clone()).into(), &because);
        self.settle_clash(unified, &because);
        // each step may use a function of the array for another type
        let are_functions = matches!(&*self.table.head(&item), Ty::Fun(..));

        let because = UnifyReason::new(self.term.span(f), why(1)).wanted(span).unsure();
        let mut gathered = self.lazily(start);
        if matches!(*gathered, Ty::Null) && !self.takes_null(&step, start, function, span) {
            return Ty::Dyn(DynReason::Computed(span)).into();
        }
        let waits = |infer: &Self, i| matches!(infer.deferred.open(i), Some(Constraint::Merge { .. }));
        for _ in 0..STEPS {
            let before = self.without_failures(&gathered);
            let result = self.fresh();
            let item = if are_functions { self.instance_of_item(&elements, &because) } else { item.clone() };
            // `fold_right` passes the element first
            let [first, second] = if function == "fold_right" { [&item, &before] } else { [&before, &item] };
            let one: TyRef = Ty::Fun(vec![parameter(second)], result.clone()).into();
            let wanted: TyRef = Ty::Fun(vec![parameter(first)], one).into();
            let constraints = self.deferred.len();
            let instance = self.instantiate(&step);
            let merges = (constraints..self.deferred.len()).any(|i| waits(self, i));
            if merges && self.returns_the_gathered(&instance, function) {
                return Ty::Record(Row::new(Tail::Dyn(DynReason::Computed(span)))).into();
            }
            let unified = self.unify(&instance, &wanted, &because);
            self.settle_clash(unified, &because);
            self.solve();
            // if an operand of a merge is not known, neither is the result
            if (constraints..self.deferred.len()).any(|i| waits(self, i)) {
                return Ty::Record(Row::new(Tail::Dyn(DynReason::Computed(span)))).into();
            }
            match &*self.open_head(&result) {
                Ty::Live(_) => return Ty::Dyn(DynReason::Computed(span)).into(),
                Ty::Record(row) if matches!(self.open_row(row).tail(), Tail::Live(_)) => {
                    return Ty::Record(Row::new(Tail::Dyn(DynReason::Computed(span)))).into();
                }
                _ => {}
            }
            let result = self.without_failures(&result);
            let after = self.join_quietly(&before, &result, &because);
            let grown = self.grown(&before, &after, DEPTH);
            gathered = after;
            if !grown {
                return gathered;
            }
        }
        Ty::Dyn(DynReason::Computed(span)).into()
    }

    /// Returns the type of an element in a new instance of the type of an array.
    fn instance_of_item(&mut self, elements: &TyRef, because: &UnifyReason) -> TyRef {
        let item = self.fresh();
        let instance = self.instantiate(elements);
        let unified = self.unify(&instance, &Ty::Array(item.clone()).into(), because);
        self.settle_clash(unified, because);
        item
    }

    /// Reports a step that needs a value of another type than `null` at the start. Returns whether it takes `null`.
    fn takes_null(&mut self, step: &TyRef, start: NodeId, function: &Name, span: Span) -> bool {
        let instance = self.instantiate(step);
        let Some((gathered, _)) = self.gathered_of(&instance, function) else { return true };
        let because = UnifyReason::new(self.term.span(start), Why::Argument(2, Some(function.clone())));
        let because = because.wanted(span).unsure();
        let unified = self.unify(&Ty::Null.into(), &gathered, &because);
        let takes = unified.is_ok();
        self.settle_clash(unified, &because);
        takes
    }

    /// Returns the types of the gathered value and of the result of a step, if it is a function of two parameters.
    fn gathered_of(&mut self, step: &TyRef, function: &Name) -> Option<(TyRef, TyRef)> {
        let head = self.open_head(step);
        let Ty::Fun(first, rest) = &*head else { return None };
        let rest = self.open_head(rest);
        let Ty::Fun(second, result) = &*rest else { return None };
        let gathered = if function == "fold_right" { second } else { first };
        Some((gathered.first()?.ty.clone(), result.clone()))
    }

    /// Whether the type of a step's result is that of the gathered record, before anything is known of either. Some branch of the
    /// step returns the record as it is, and the others may extend it.
    fn returns_the_gathered(&mut self, step: &TyRef, function: &Name) -> bool {
        let Some((gathered, result)) = self.gathered_of(step, function) else { return false };
        match (&*self.table.head(&gathered), &*self.table.head(&result)) {
            (Ty::Live(a), Ty::Live(b)) => self.table.root(*a) == self.table.root(*b),
            (Ty::Record(a), Ty::Record(b)) => match (self.open_row(a).tail(), self.open_row(b).tail()) {
                (Tail::Live(a), Tail::Live(b)) => self.table.root(*a) == self.table.root(*b),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a record, or a record in its parts, has labels or a tail that the earlier one lacks, or a part has further types. Below
    /// `depth` levels it counts as grown.
    pub(in crate::infer) fn grown(&mut self, old: &TyRef, new: &TyRef, depth: usize) -> bool {
        let (old, new) = (self.open_head(old), self.open_head(new));
        if old.same(&new) {
            return false;
        }
        let (old, new) = match (&*old, &*new) {
            (Ty::Record(old), Ty::Record(new)) => (old, new),
            (Ty::Array(old), Ty::Array(new)) => return depth == 0 || self.grown(old, new, depth - 1),
            (_, Ty::Union(members)) => {
                let before = match &*old {
                    Ty::Union(before) => before.clone(),
                    _ => vec![old.clone()],
                };
                return depth == 0
                    || members.iter().any(|member| {
                        let head = self.table.head(member);
                        let same = |infer: &mut Self, ty: &TyRef| {
                            std::mem::discriminant(&*infer.table.head(ty)) == std::mem::discriminant(&*head)
                        };
                        match before.iter().find(|ty| same(self, ty)) {
                            Some(before) => self.grown(before, member, depth - 1),
                            None => true,
                        }
                    });
            }
            _ => return false,
        };
        let (old, new) = (self.open_row(old), self.open_row(new));
        if depth == 0 || std::mem::discriminant(old.tail()) != std::mem::discriminant(new.tail()) {
            return true;
        }
        new.fields().any(|(name, field)| match old.get(name) {
            Some(before) => self.grown(&before.ty.clone(), &field.ty, depth - 1),
            None => true,
        })
    }
}

fn parameter(ty: &TyRef) -> Param {
    Param::of(ty.clone())
}
