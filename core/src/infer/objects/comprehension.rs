//! Comprehensions, slices and indexing of object languages.

use super::concrete::Loops;
use crate::infer::Infer;
use crate::infer::scopes::Variable;
use crate::infer::units::Role;
use crate::infer::why::{UnifyReason, Why};
use crate::problem::types::TypesKind;
use crate::term::{Clause, Comprehension, FieldDef, FieldName, Node, NodeId, Prim, RecordLit, SuperRead};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Failure, Field, Row, Tail, Ty, TyRef, VariableKind};

impl Infer<'_> {
    /// Infers `[e for x in xs if c]` or `{ [k]: e for x in xs }`.
    pub(in crate::infer) fn comprehension(&mut self, c: &Comprehension, span: Span) -> TyRef {
        let mut frames = 0;
        let mut first = true;
        let mut loops = Loops::default();
        for clause in &c.clauses {
            match clause {
                Clause::For { items, .. } => {
                    self.note_loop(*items, &mut loops);
                    let item = self.items(*items, first);
                    self.scopes.open(vec![Variable::of(item)]);
                    frames += 1;
                }
                Clause::If(condition) => {
                    self.note_condition(&mut loops);
                    self.condition(*condition, true);
                }
            }
            first = false;
        }
        // without conditions, each element of a literal has a result
        let some = |clause: &Clause| match clause {
            Clause::For { items, .. } => matches!(self.term.node(*items), Node::Array(items) if !items.is_empty()),
            Clause::If(_) => false,
        };
        let certain = c.clauses.iter().all(some);
        let role = if certain { Role::Part } else { Role::Perhaps };
        let clauses: Vec<NodeId> = c
            .clauses
            .iter()
            .filter_map(|clause| if let Clause::For { items, .. } = clause { Some(*items) } else { None })
            .collect();
        let body = self.in_unit(role, |infer| {
            if certain {
                infer.note_elements(&clauses);
            }
            infer.expr(c.body)
        });
        let value = self.value_of(c, &body);
        let unrolled = value.and_then(|value| self.unrolled(c, &loops, &value, span));
        for _ in 0..frames {
            self.scopes.close();
        }
        if let Some(ty) = unrolled {
            return ty;
        }
        let faults = if certain { self.failures_in(&body) } else { Vec::new() };
        let body = self.without_failures(&body);
        if !c.object {
            let body = self.no_error(&body);
            let array: TyRef = Ty::Array(body).into();
            return crate::infer::failing(array, faults.into_iter().map(|fault| Failure { deep: true, ..fault }));
        }
        let head = self.open_head(&body);
        let Ty::Record(row) = &*head else { return Ty::Dyn(DynReason::Computed(span)).into() };
        let because = UnifyReason::new(span, Why::Computed).unsure();
        let mut item = match row.tail() {
            Tail::Dict(item) => Some(item.clone()),
            _ => None,
        };
        for (_, field) in row.fields().filter(|(_, f)| f.presence != crate::ty::Presence::No) {
            item = Some(match item {
                Some(item) => self.join_quietly(&item, &field.ty.clone(), &because),
                None => field.ty.clone(),
            });
        }
        let item = item.unwrap_or_else(|| self.fresh());
        let object: TyRef = Ty::Record(Row::new(Tail::Dict(item))).into();
        crate::infer::failing(object, faults.into_iter().map(|fault| Failure { deep: true, ..fault }))
    }

    /// Records the array literals of the innermost frames, which the current unit is evaluated for.
    fn note_elements(&mut self, arrays: &[NodeId]) {
        let unit = self.units.current();
        for (up, array) in arrays.iter().rev().enumerate() {
            if let Some(frame) = self.scopes.at(up as u32)
                && let Some(variable) = self.scopes.plain_variable_mut(frame, 0)
            {
                variable.each = Some((*array, unit));
            }
        }
    }

    /// Reports a field that is read from each element of an array literal, if one of them is an object literal without it.
    pub(in crate::infer) fn lacking_element(&mut self, target: NodeId, name: &Name, at: Span) {
        let term = self.term.clone();
        let Node::Local { up, slot } = *term.node(target) else { return };
        let variable = self.scopes.at(up).and_then(|frame| self.scopes.plain_variable(frame, slot));
        let Some((array, unit)) = variable.and_then(|variable| variable.each) else { return };
        let Node::Array(items) = term.node(array) else { return };
        if !self.units.is_shown_with(unit) || self.objects.tolerant > 0 {
            return;
        }
        let has = |def: &FieldDef| match &def.name {
            FieldName::Static(other) => other == name,
            FieldName::Computed(_) => true,
        };
        let some = |lit: &RecordLit| lit.fields.iter().any(has);
        let lacks = |id: &&NodeId| matches!(term.node(**id), Node::Record(lit) if !some(lit));
        // if all lack it, the read itself is reported
        let Some(item) = items.iter().find(lacks).filter(|_| !items.iter().all(|id| lacks(&id))) else { return };
        let Node::Record(lit) = term.node(*item) else { return };
        let mut row = Row::new(Tail::Closed);
        for def in &lit.fields {
            if let FieldName::Static(label) = &def.name {
                let unknown: TyRef = Ty::Dyn(DynReason::Computed(def.span)).into();
                row.insert(label.clone(), Field::given(unknown, Some(def.span)));
            }
        }
        let record: TyRef = Ty::Record(row).into();
        let near = crate::infer::access::near_in(&record, name);
        let what = TypesKind::NotInEach { name: name.clone(), near, element: term.span(*item) };
        self.report(at, what, true);
    }

    /// Returns the type of an element, or of the value of a field, of a comprehension whose body has a type.
    fn value_of(&mut self, c: &Comprehension, body: &TyRef) -> Option<TyRef> {
        let body = self.without_failures(body);
        if !c.object {
            return Some(self.no_error(&body));
        }
        let head = self.open_head(&body);
        let Ty::Record(row) = &*head else { return None };
        match row.tail() {
            Tail::Dict(item) if row.is_empty() => Some(item.clone()),
            _ => row.fields().next().map(|(_, field)| self.without_failures(&field.ty.clone())),
        }
    }

    /// Infers the array of a `for`. Returns the type of its elements. `certain`: the array is certain to be evaluated.
    fn items(&mut self, id: NodeId, certain: bool) -> TyRef {
        let ty = if certain { self.strict(id) } else { self.lazily(id) };
        let (head, by) = self.table.head_with(&ty);
        let head = self.open_head(&head);
        match &*head {
            Ty::Array(item) => {
                let item = self.without_failures(item);
                self.no_error(&item)
            }
            Ty::Dyn(_) | Ty::Bottom => head,
            // the keys of a dictionary
            Ty::Record(_) if self.rules().converts() => Ty::String.into(),
            Ty::Union(_) | Ty::Error(_) => Ty::Dyn(DynReason::Computed(self.term.span(id))).into(),
            _ => {
                let item = self.fresh();
                let sure = certain && self.is_certain(by);
                let because = UnifyReason::new(self.term.span(id), Why::Iterated).sure_if(sure);
                let unified = self.unify(&head, &Ty::Array(item.clone()).into(), &because);
                self.demand(unified, &because);
                item
            }
        }
    }

    /// Infers `a[i:j:k]`.
    pub(in crate::infer) fn slice(&mut self, operands: &[NodeId]) -> TyRef {
        let Some((target, parts)) = operands.split_first() else { return self.fresh() };
        let ty = self.strict(*target);
        for part in parts {
            if !matches!(self.term.node(*part), Node::Null) {
                self.expect(*part, &Ty::Number.into(), Why::Operand(Prim::Slice));
            }
        }
        let (head, by) = self.table.head_with(&ty);
        match &*head {
            Ty::String | Ty::Dyn(_) | Ty::Bottom | Ty::Live(_) => head,
            Ty::Array(item) => Ty::Array(self.without_failures(item)).into(),
            Ty::Union(_) | Ty::Error(_) => Ty::Dyn(DynReason::Computed(self.term.span(*target))).into(),
            _ => {
                let because = UnifyReason::new(self.term.span(*target), Why::Operand(Prim::Slice));
                let because = because.sure_if(self.is_certain(by));
                let item = self.fresh();
                let array: TyRef = Ty::Array(item).into();
                let clash = self.clash_of_heads(&head, &array, None, None, &because);
                self.demand(Err(clash), &because);
                array
            }
        }
    }

    /// Infers `a[i]`: a field by name, or an element or a character by number.
    pub(in crate::infer) fn element(&mut self, target: NodeId, by: NodeId, id: NodeId) -> TyRef {
        let span = self.term.span(id);
        let term = self.term.clone();
        if let Node::Str(name) = term.node(by) {
            return self.project_in(target, name, id);
        }
        let ty = self.strict(target);
        let index = self.strict(by);
        let (head, why) = self.table.head_with(&ty);
        let certain = self.is_certain(why);
        let head = self.open_head(&head);
        let (wanted, out): (Ty, TyRef) = match &*head {
            Ty::Array(item) => {
                let item = self.without_failures(item);
                let item = self.no_error(&item);
                match &*self.open_head(&item) {
                    // the elements of a tuple have types by position, which are not known here
                    Ty::Union(_) if matches!(term.node(by), Node::Number(_)) => {
                        (Ty::Number, Ty::Dyn(DynReason::Computed(span)).into())
                    }
                    _ => (Ty::Number, self.instantiate(&item)),
                }
            }
            Ty::String => (Ty::Number, head.clone()),
            Ty::Record(row) => {
                let row = self.open_row(row);
                let out = match row.tail() {
                    Tail::Dict(item) if row.is_empty() => {
                        let item = self.no_error(&item.clone());
                        self.instantiate(&item)
                    }
                    _ => Ty::Dyn(DynReason::Computed(span)).into(),
                };
                (Ty::String, out)
            }
            Ty::Live(_) => {
                // an array, a string or an object, depending on the index
                return Ty::Dyn(DynReason::Computed(span)).into();
            }
            Ty::Dyn(_) | Ty::Bottom => return head,
            Ty::Union(_) | Ty::Error(_) => return Ty::Dyn(DynReason::Computed(span)).into(),
            _ => {
                let because = UnifyReason::new(term.span(target), Why::Computed).sure_if(certain);
                let row: TyRef = Ty::Record(Row::new(Tail::Live(self.fresh_tail(VariableKind::Row)))).into();
                let clash = self.clash_of_heads(&head, &row, None, None, &because);
                self.demand(Err(clash), &because);
                return Ty::Dyn(DynReason::Computed(span)).into();
            }
        };
        let because = UnifyReason::new(term.span(by), Why::Index).sure_if(certain);
        let unified = self.unify(&index, &wanted.into(), &because);
        self.demand(unified, &because);
        self.solve();
        self.force(&out)
    }

    /// Infers `super.x`, `super[e]` or `e in super`.
    pub(in crate::infer) fn super_read(&mut self, up: u32, read: &SuperRead, id: NodeId) -> TyRef {
        let span = self.term.span(id);
        match read {
            SuperRead::Field(name) => {
                let ty = self.super_field(up, name, id);
                self.no_error(&ty)
            }
            SuperRead::Index(index) => match self.term.clone().node(*index) {
                Node::Str(name) => {
                    let ty = self.super_field(up, name, id);
                    self.no_error(&ty)
                }
                _ => {
                    self.expr(*index);
                    Ty::Dyn(DynReason::Computed(span)).into()
                }
            },
            SuperRead::Has(name) => {
                self.expect(*name, &Ty::String.into(), Why::Operand(Prim::In));
                Ty::Bool.into()
            }
        }
    }
}
