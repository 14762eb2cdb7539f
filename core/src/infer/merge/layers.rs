//! The layers of a field: adds those that a dictionary may have, removes those that no later merge needs, and joins those that a
//! function combines.

use crate::infer::Infer;
use crate::infer::why::{UnifyReason, Why};
use crate::meta::Priority;
use crate::text::{Name, Span};
use crate::ty::{DynReason, Field, Layer, Param, Row, Stack, Tail, Ty, TyRef, VariableKind};

impl Infer<'_> {
    /// Returns a field merged with a dictionary, `{ _ : item } & { x = … }`. The dictionary may define the field too, at any
    /// priority.
    pub(super) fn merge_with_dict_item(&mut self, field: &Field, item: &TyRef, span: Span, path: &[Name]) -> Field {
        let mut stack = field.layers();
        if stack.bare.is_some() {
            // siblings may constrain it, but not the dictionary
            return field.clone();
        }
        for layer in &mut stack.layers {
            layer.ty = self.without_failures(&layer.ty);
        }
        match stack.layers.first_mut().filter(|layer| layer.is_unnamed()) {
            Some(layer) => layer.ty = self.join_unnamed(&layer.ty.clone(), item, span),
            None => {
                // the highest priority, but not certain: weaker definitions may decide the field as well
                let unnamed = Layer { priority: Priority::Force, ty: item.clone(), certain: false, at: None };
                stack.layers.insert(0, unnamed);
                stack.definitions += 1;
            }
        }
        self.field_of_stack(stack, field.hidden, field.at, path, span)
    }

    /// Whether each use of a value gets a new instance of its type: it is a tag, or a function whose type is not closed.
    pub(super) fn has_instances(&mut self, ty: &TyRef) -> bool {
        let head = self.table.head(ty);
        matches!(&*head, Ty::Enum(..) | Ty::Fun(..)) && head.marks().live > 0
    }

    /// Joins two types of which one is a dictionary's. Adds no constraints to types that are not known yet: their join is
    /// `Dyn`.
    pub(super) fn join_unnamed(&mut self, a: &TyRef, b: &TyRef, span: Span) -> TyRef {
        let (x, y) = (self.table.head(a), self.table.head(b));
        if x == y {
            return x;
        }
        if x.marks().live > 0 || y.marks().live > 0 {
            return Ty::Dyn(DynReason::Computed(span)).into();
        }
        self.join_quietly(&x, &y, &UnifyReason::new(span, Why::Merge).unsure())
    }

    /// Removes repeated layers of one scalar type below a certain definition, which have no effect. Without this, merging n
    /// operands of rising priorities would carry n layers through every merge.
    pub(super) fn without_repeats(&mut self, layers: &mut Vec<Layer>) {
        let Some(top) = layers.iter().position(|l| l.certain) else { return };
        if layers.len() < top + 3 {
            return;
        }
        let mut index = 0;
        let mut above: Option<TyRef> = None;
        layers.retain(|layer| {
            let here = self.table.head(&layer.ty);
            let repeated = matches!(
                (above.as_deref(), &*here),
                (Some(Ty::Number), Ty::Number)
                    | (Some(Ty::String), Ty::String)
                    | (Some(Ty::Bool), Ty::Bool)
                    | (Some(Ty::Null), Ty::Null)
            ) && index > top + 1;
            index += 1;
            above = Some(here);
            !repeated
        });
    }

    /// Whether a merge function takes definitions of any type and returns that type, as those for lists do:
    /// `forall a. { lower : Array a, higher : Array a } -> Array a`.
    pub(super) fn combines(&mut self, params: &[Param], result: &TyRef) -> bool {
        let [param] = params else { return false };
        let definitions = self.table.head(&param.ty);
        let Ty::Record(row) = &*definitions else { return false };
        let result = self.table.head(result);
        for side in ["lower", "higher"] {
            let Some(field) = row.get(side) else { return false };
            if self.table.head(&field.ty) != result {
                return false;
            }
        }
        match &*result {
            Ty::Array(item) => matches!(&*self.table.head(item), Ty::Live(_)),
            Ty::Live(_) => true,
            _ => false,
        }
    }

    /// Returns the type of a value that is made of all definitions of a field.
    pub(super) fn any_layer(&mut self, stack: &Stack, ty: TyRef) -> TyRef {
        let mut all = stack.layers.iter().rev();
        let Some(lowest) = all.next() else { return ty };
        let mut joined = lowest.ty.clone();
        for layer in all {
            let span = layer.at.unwrap_or(self.root_span());
            joined = self.join_quietly(&joined, &layer.ty, &UnifyReason::new(span, Why::Merge).unsure());
        }
        joined
    }

    /// Returns the type of a field that a custom merge function computes: the result type of the function.
    pub(super) fn custom_merge_type(&mut self, merger: &TyRef, stack: &Stack, ty: TyRef) -> TyRef {
        let f = self.instantiate(merger);
        match &*self.open_head(&f) {
            // the evaluation reports a function of several arguments
            Ty::Fun(_, result) if matches!(&*self.open_head(result), Ty::Fun(..)) => ty,
            Ty::Fun(params, result) if self.combines(params, result) => self.any_layer(stack, ty),
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
