//! Infers each construct of the core language.

use super::generalise::LIBRARY;
use super::narrow::{Facts, Views};
use super::scopes::{Member, Variable};
use super::siblings::JoinedSiblings;
use super::units::{FURTHER_FAULTS, Role};
use super::why::{UnifyReason, Why};
use super::{Infer, library};
use crate::problem::types::TypesKind;
use crate::term::{Chunk, ImportKind, Match, Node, NodeId, Term};
use crate::text::{Name, Span};
use crate::ty::{Constraint, DynReason, Field, Sibling, Tag, Tail, Ty, TyRef, VariableKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Minimum number of tags in an array literal for which one type of all tags is made.
const TAGS_AT_ONCE: usize = 32;

impl Infer<'_> {
    /// Infers an expression that the current unit evaluates.
    pub(super) fn expr(&mut self, id: NodeId) -> TyRef {
        if self.interrupted() {
            return self.fresh();
        }
        let around = self.enter_logged(id);
        let ty = self.deeper(|infer| infer.expr_here(id));
        self.leave_logged(around);
        if std::mem::take(&mut self.interrupts.too_large) {
            let name = self.name_of(id);
            self.report(self.term.span(id), TypesKind::TooLarge { name }, false);
        }
        self.keep_type(id, &ty);
        ty
    }

    fn expr_here(&mut self, id: NodeId) -> TyRef {
        if self.rules().is_exact() {
            return self.exact(id);
        }
        let term: Arc<Term> = self.term.clone();
        let span = term.span(id);
        match term.node(id) {
            Node::Hole => self.fresh(),
            Node::Null if self.rules().null_is_any() => self.open(),
            Node::Null => Ty::Null.into(),
            Node::Bool(_) => Ty::Bool.into(),
            Node::Number(_) => Ty::Number.into(),
            Node::Str(_) => Ty::String.into(),
            Node::Interp(chunks) => self.interpolation(chunks),
            Node::Tag(name) => self.tag(name, None, span),
            Node::Variant(name, arg) => {
                let arg = self.in_own_unit(*arg);
                self.tag(name, Some(arg), span)
            }
            Node::Array(items) => self.array(items, span),
            Node::Record(lit) if self.rules().extends() => self.object(lit, None, span),
            Node::Record(lit) => self.record(lit, span),
            Node::Local { up, slot } => self.local(*up, *slot, id),
            Node::Member { up, name } => self.member(*up, name, id),
            Node::Global(name) => self.global(name, id),
            Node::This { up } => self.this(*up, span),
            Node::Lambda(lambda) if self.rules().calls_whole() => {
                let ty = self.lambda(lambda);
                self.without_json(ty, span)
            }
            Node::Lambda(lambda) => self.lambda(lambda),
            Node::Apply(apply) if self.rules().calls_whole() => self.call_all(apply, span),
            Node::Apply(apply) => self.apply(apply, span),
            Node::Let(l) => self.let_in(l),
            Node::If(parts) => {
                let [condition, then, otherwise] = **parts;
                self.conditional(condition, then, otherwise)
            }
            Node::Match(m) => self.match_on(m),
            Node::Merge(operands) => self.merge_all(operands, span),
            Node::Inherit(pair) => {
                let ty = self.sum(pair[0], pair[1], span);
                self.force(&ty)
            }
            Node::Super { up, read } => self.super_read(*up, read, id),
            Node::Comprehension(c) => self.comprehension(c, span),
            Node::Project(target, name) if self.rules().extends() => self.project_in(*target, name, id),
            Node::Project(target, name) => self.project(*target, name, id),
            Node::Index(pair) if self.rules().overloads() => self.element(pair[0], pair[1], id),
            Node::Index(pair) => self.index(pair[0], pair[1], span),
            Node::Annot(inner, annots) => {
                let from = self.enter();
                self.expect_function(*inner, annots);
                let mut ty = self.annotated_by(annots, |infer| infer.expr(*inner));
                let at = term.span(*inner);
                ty = self.under_annotations(ty, annots, at);
                self.leave_level(from);
                let ty = self.generalise_value(&ty);
                self.end_generalisation(from);
                let ty = self.instantiate(&ty);
                self.force(&ty)
            }
            Node::Prim(prim, operands) => self.prim(*prim, operands, span),
            Node::Import(import) => match import.kind {
                ImportKind::Text => Ty::String.into(),
                ImportKind::Bytes => Ty::Array(Ty::Number.into()).into(),
                ImportKind::Code(_) => match self.host.import(import, span) {
                    Ok(scheme) => {
                        let ty = library::closed(&scheme);
                        let ty = self.instantiate(&ty);
                        self.force(&ty)
                    }
                    Err(problem) => {
                        self.report_import(problem);
                        // the type of the file is not known
                        Ty::Bottom.into()
                    }
                },
            },
            Node::Type(form) => {
                let ty = self.form(form, id);
                Ty::Contract(ty).into()
            }
        }
    }

    /// Returns the reason for an expectation of an expression. If the expression is a name, the reason has its definition.
    pub(super) fn reason_for(&self, id: NodeId, why: Why) -> UnifyReason {
        let origin = match self.term.node(id) {
            Node::Local { up, slot } => {
                let variable = self.scopes.at(*up).and_then(|frame| self.scopes.plain_variable(frame, *slot));
                variable.and_then(|v| v.at.zip(v.name.clone()))
            }
            Node::Member { up, name } => match self.scopes.at(*up).and_then(|frame| self.scopes.member(frame, name)) {
                Some(Member::Done(field)) => field.at.map(|at| (at, name.clone())),
                _ => None,
            },
            _ => None,
        };
        UnifyReason { origin, ..UnifyReason::new(self.term.span(id), why) }
    }

    /// Infers an operand that must be of a type.
    pub(super) fn expect(&mut self, id: NodeId, wanted: &TyRef, why: Why) {
        let ty = self.strict(id);
        let because = self.reason_for(id, why);
        let unified = self.unify(&ty, wanted, &because);
        self.demand(unified, &because);
        self.solve();
    }

    /// Like [`Infer::expect`], for an operand that may never be evaluated.
    pub(super) fn expect_lazily(&mut self, id: NodeId, wanted: &TyRef, why: Why) {
        self.in_unit(Role::Perhaps, |infer| {
            infer.expect(id, wanted, why);
            wanted.clone()
        });
    }

    fn interpolation(&mut self, chunks: &[Chunk]) -> TyRef {
        for chunk in chunks {
            let (Chunk::Expr(id) | Chunk::Indented(id, _)) = chunk else { continue };
            self.interpolated(*id);
        }
        Ty::String.into()
    }

    /// Infers a value that becomes text.
    pub(super) fn interpolated(&mut self, id: NodeId) {
        let ty = self.expr(id);
        let span = self.term.span(id);
        let (head, by) = self.table.head_with(&ty);
        if let Ty::Live(_) = &*head {
            return self.constrain(Constraint::Text { value: ty, span });
        }
        if let Some(all) = self.lacks_text(&head) {
            let because = UnifyReason::new(span, Why::Interpolated).sure_if(all && self.is_certain(by));
            let clash = self.clash_of_heads(&head, &Ty::String.into(), by, None, &because);
            self.demand(Err(clash), &because);
        }
    }

    /// Whether no value of a type has a text (`true`), or not each one (`false`). `None` if each has one, or may have one.
    fn lacks_text(&mut self, head: &TyRef) -> Option<bool> {
        let lacks =
            |ty: &Ty| matches!(ty, Ty::Record(_) | Ty::Array(_) | Ty::Fun(..) | Ty::Contract(_) | Ty::Library(_));
        let Ty::Union(members) = &**head else { return lacks(head).then_some(true) };
        let heads: Vec<TyRef> = members.iter().map(|member| self.table.head(member)).collect();
        heads.iter().any(|ty| lacks(ty)).then(|| heads.iter().all(|ty| lacks(ty)))
    }

    /// Checks that a value has a text, which was not known before.
    pub(super) fn try_text(&mut self, index: usize, value: &TyRef, span: Span) {
        let (head, by) = self.table.head_with(value);
        if let Ty::Live(v) = &*head {
            return self.table.watch(*v, index as u32);
        }
        self.deferred.finish(index);
        if self.lacks_text(&head).is_none() {
            return;
        }
        let (span, by) = match (span.source == LIBRARY, by) {
            (false, by) => (span, by),
            // what the function of the library was given
            (true, Some(by)) => (self.table.reason(by).found, None),
            (true, None) => return,
        };
        let because = UnifyReason::new(span, Why::Interpolated).unsure();
        let clash = self.clash_of_heads(&head, &Ty::String.into(), by, None, &because);
        self.settle_clash(Err(clash), &because);
    }

    fn tag(&mut self, name: &Name, arg: Option<TyRef>, span: Span) -> TyRef {
        let tail = Tail::Live(self.fresh_tail(VariableKind::Tags));
        self.literals.insert(span);
        Ty::Enum(BTreeMap::from([(Tag::of(name.clone(), arg.as_ref()), arg)]), tail).into()
    }

    fn array(&mut self, items: &[NodeId], span: Span) -> TyRef {
        let mut joined: Option<(TyRef, Span)> = None;
        let mut first_type: Option<TyRef> = None;
        let mut siblings = JoinedSiblings::default();
        let mut faults: Vec<crate::ty::Failure> = Vec::new();
        let tags = self.tags_of(items);
        let term = self.term.clone();
        for (i, item) in items.iter().enumerate() {
            if tags.is_some() && matches!(term.node(*item), Node::Tag(_)) {
                continue;
            }
            if self.interrupts.stopped {
                break;
            }
            let mut ty = self.member_of(*item);
            if faults.is_empty() || (self.rules().extends() && faults.len() < FURTHER_FAULTS) {
                faults.extend(self.failures_in(&ty));
            }
            ty = self.without_failures(&ty);
            let at = self.term.span(*item);
            if items.len() > 1 {
                ty = self.take_siblings(&ty, &mut siblings);
                self.is_final_within(&ty);
            }
            joined = Some(match joined {
                None => {
                    first_type = Some(ty.clone());
                    (ty, at)
                }
                Some((before, first)) => {
                    let mut because = UnifyReason::new(at, Why::Element(i as u32)).wanted(first).unsure();
                    // a label on the first element names its type, not another type of the union
                    because.first = first_type.clone().filter(|_| matches!(&*before, Ty::Union(_)));
                    (self.join(&before, &ty, &because), first)
                }
            });
        }
        if let Some(tags) = tags {
            joined = Some(match joined {
                None => (tags, span),
                Some((before, first)) => {
                    let because = UnifyReason::new(span, Why::Element(0)).wanted(first).unsure();
                    (self.join(&before, &tags, &because), first)
                }
            });
        }
        self.solve();
        let item = joined.map_or_else(|| self.fresh(), |(ty, _)| siblings.around(ty));
        let array: TyRef = Ty::Array(item).into();
        if !items.is_empty() {
            self.literals.insert(span);
        }
        super::failing(array, faults.into_iter().map(|fault| crate::ty::Failure { deep: true, ..fault }))
    }

    /// Returns the type of the tags among the elements of an array; `None` if they are few. One type of all tags avoids a type of i
    /// tags for each element i.
    fn tags_of(&mut self, items: &[NodeId]) -> Option<TyRef> {
        if items.len() < TAGS_AT_ONCE || self.rules().extends() || self.kept.log.is_some() {
            return None;
        }
        let term = self.term.clone();
        let mut tags = BTreeMap::new();
        for item in items {
            if let Node::Tag(name) = term.node(*item) {
                let ty = self.expr(*item);
                self.keep_type(*item, &ty);
                tags.insert(Tag::plain(name.clone()), None);
            }
        }
        let tail = Tail::Live(self.fresh_tail(VariableKind::Tags));
        (tags.len() >= TAGS_AT_ONCE).then(|| Ty::Enum(tags, tail).into())
    }

    fn local(&mut self, up: u32, slot: u32, id: NodeId) -> TyRef {
        let Some(at) = self.scopes.at(up) else { return self.fresh() };
        let found = self.scopes.variable(at, slot).inspect(|variable| variable.read.set(true)).cloned();
        let Some(found) = found else { return self.fresh() };
        if found.unit == Some(self.units.current()) {
            self.units.force(at, slot, Vec::new());
        }
        if let Some(view) = self.viewed(id) {
            return view;
        }
        if found.alias.as_ref().is_some_and(|alias| alias.literal) {
            self.literals.insert(self.term.span(id));
        }
        let ty = if found.ty.marks().forall && self.scopes.object(at).is_some() {
            let me = self.me(at);
            self.of(&found.ty, &me)
        } else {
            found.ty
        };
        let ty = self.instantiate(&ty);
        self.force(&ty)
    }

    fn member(&mut self, up: u32, name: &Name, id: NodeId) -> TyRef {
        if let Some(view) = self.viewed(id) {
            return view;
        }
        let Some(frame) = self.scopes.at(up) else { return self.fresh() };
        self.first_read(frame, name);
        match self.scopes.member(frame, name).cloned() {
            Some(Member::Done(field)) => {
                let ty = self.without_failures(&field.ty);
                let Some(at) = field.at else { return self.instantiate(&ty) };
                let ty = self.without_own_siblings(&ty, at, frame);
                let ty = type_for_reader(&field, ty, at);
                if field.stack.is_none() && self.literals.contains(at) {
                    self.literals.insert(self.term.span(id));
                }
                self.assume_sibling(at);
                self.assume_siblings_in(&ty);
                let ty = match &*ty {
                    Ty::Forall(_) if self.rules().extends() => return self.instantiate(&ty),
                    Ty::Forall(_) => {
                        let ty = self.instantiate(&ty);
                        if matches!(*ty, Ty::Enum(..)) {
                            self.merges.read_tag(at, ty.clone(), self.term.span(id));
                        }
                        ty
                    }
                    _ => ty,
                };
                Ty::Sibling(Arc::new(Sibling::whole(at)), ty).into()
            }
            Some(Member::Declared(ty)) => self.instantiate(&ty),
            Some(Member::Pending(Some(ty))) => ty,
            Some(Member::Pending(None)) | None => self.await_member(frame, name),
        }
    }

    /// Returns the type of a field that is read before it has been inferred: a new variable of the level inside the literal.
    pub(super) fn await_member(&mut self, frame: usize, name: &Name) -> TyRef {
        let level = self.scopes.level(frame).unwrap_or(self.level) + 1;
        let ty: TyRef = Ty::Live(self.table.fresh(VariableKind::Type, level)).into();
        self.scopes.set_member(frame, name.clone(), Member::Pending(Some(ty.clone())));
        ty
    }

    fn global(&mut self, name: &Name, id: NodeId) -> TyRef {
        if let Some(scheme) = self.host.global(name) {
            let ty = library::closed(&scheme);
            let ty = self.instantiate(&ty);
            return self.force(&ty);
        }
        match self.library_type(std::slice::from_ref(name)) {
            Some(ty) => self.instantiate(&ty),
            // name resolution has reported it
            None => self.hole(id),
        }
    }

    /// Returns the type of an unbound name. If [`Options::holes`](super::Options) is set, the type is a single variable of the outermost
    /// level, which is never generalised.
    fn hole(&mut self, id: NodeId) -> TyRef {
        let Some(known) = self.kept.holes.as_ref().map(|holes| holes.get(&id).cloned()) else { return self.fresh() };
        if let Some(known) = known {
            return known;
        }
        let ty: TyRef = Ty::Live(self.table.fresh(VariableKind::Type, 1)).into();
        if let Some(holes) = &mut self.kept.holes {
            holes.insert(id, ty.clone());
        }
        ty
    }

    /// Infers a condition. In some languages any value is a condition. `lazily`: it may never be evaluated.
    pub(super) fn condition(&mut self, id: NodeId, lazily: bool) {
        match (self.rules().converts(), lazily) {
            (true, true) => drop(self.lazily(id)),
            (true, false) => drop(self.expr(id)),
            (false, true) => self.expect_lazily(id, &Ty::Bool.into(), Why::Condition),
            (false, false) => self.expect(id, &Ty::Bool.into(), Why::Condition),
        }
    }

    fn conditional(&mut self, condition: NodeId, then: NodeId, otherwise: NodeId) -> TyRef {
        self.condition(condition, false);
        let facts = self.facts(condition);
        let span = self.term.span(condition);
        let mut joined: Option<(TyRef, Span)> = None;
        let mut faults = Vec::new();
        // branches on the type of a value often have different types on purpose
        let quiet = self.findings.quiet;
        let tests_type = quiet || self.tests_type(&facts);
        for (branch, views) in [(then, Views::holds(&facts, span)), (otherwise, Views::fails(&facts, span))] {
            let ty = self.under(&views, |infer| infer.in_own_unit(branch));
            let at = self.term.span(branch);
            self.findings.quiet = tests_type;
            joined = Some(self.join_branch(joined, &ty, at, &Why::Branch, &mut faults));
            self.findings.quiet = quiet;
        }
        self.end_branches(joined, faults, 2)
    }

    /// Joins the type of a branch with the types of those before it, and adds the failure of the branch to `faults`.
    fn join_branch(
        &mut self,
        joined: Option<(TyRef, Span)>,
        ty: &TyRef,
        at: Span,
        why: &Why,
        faults: &mut Vec<crate::ty::Failure>,
    ) -> (TyRef, Span) {
        // a failure inside the result of a branch does not make the branch itself fail
        let fails_inside = !matches!(&**ty, Ty::Fails(fault, _) if !fault.deep);
        faults.extend(self.failure_in(ty).map(|f| crate::ty::Failure { deep: f.deep || fails_inside, ..f }));
        let is_first = joined.is_none();
        let ty = if is_first { self.without_outer_failures(ty) } else { self.without_failures(ty) };
        match joined {
            None => (ty, at),
            Some((before, first)) => {
                let before = self.without_failures(&before);
                let because = UnifyReason::new(at, why.clone()).wanted(first).unsure();
                (self.join(&before, &ty, &because), first)
            }
        }
    }

    /// Returns the type of an expression with `count` branches. It fails if all branches fail.
    fn end_branches(&mut self, joined: Option<(TyRef, Span)>, faults: Vec<crate::ty::Failure>, count: usize) -> TyRef {
        self.solve();
        let ty = joined.map_or_else(|| self.fresh(), |(ty, _)| ty);
        let fault = match self.rules().extends() {
            true => self.fault_of_all(&faults),
            false => faults.iter().find(|f| f.deep).or(faults.first()).copied(),
        };
        match fault {
            // every branch fails
            Some(fault) if faults.len() == count => {
                if fault.deep {
                    Ty::Fails(fault, self.without_failures(&ty)).into()
                } else {
                    let failing: TyRef = Ty::Fails(fault, ty).into();
                    self.force(&failing)
                }
            }
            _ => ty,
        }
    }

    fn match_on(&mut self, m: &Match) -> TyRef {
        // if the first pattern is a name, the match does not force the value
        let is_forced = m.arms.first().is_none_or(|arm| {
            !matches!(self.term.pat(arm.pat).kind, crate::term::PatKind::Any | crate::term::PatKind::Bind(_))
        });
        let mut scrutinee = if is_forced { self.expr(m.scrutinee) } else { self.in_own_unit(m.scrutinee) };
        let span = self.term.span(self.narrowing.argument(m.scrutinee));
        // patterns of several types test the type of the scrutinee
        let tests_type = self.patterns_differ(m);
        let unmatchable = if tests_type && matches!(&*self.table.head(&scrutinee), Ty::Live(_)) {
            scrutinee = Ty::Dyn(DynReason::Tested(span)).into();
            Vec::new()
        } else {
            self.match_patterns(m, &scrutinee, span)
        };
        let nothing: TyRef = Ty::Bottom.into();
        let facts = self.arm_facts(m);
        let mut joined: Option<(TyRef, Span)> = None;
        let mut faults = Vec::new();
        let quiet = self.findings.quiet;
        for (i, arm) in m.arms.iter().enumerate() {
            self.scopes.open(Variable::unknown(&arm.slots));
            let mut bound = Vec::new();
            let matched = if unmatchable.contains(&arm.pat) { &nothing } else { &scrutinee };
            self.bind_pattern(arm.pat, matched, &mut bound);
            for (slot, ty) in bound {
                self.scopes.set_type(slot, ty);
            }
            let known = facts.as_ref().and_then(|facts| facts.get(i)).cloned().unwrap_or_default();
            let views = Views::holds(&known, span);
            let ty = self.under(&views, |infer| {
                let Some(guard) = arm.guard else { return infer.in_own_unit(arm.body) };
                infer.expect_lazily(guard, &Ty::Bool.into(), Why::Condition);
                let guarded: Facts = infer.facts(guard);
                let views = Views::holds(&guarded, infer.term.span(guard));
                infer.under(&views, |infer| infer.in_own_unit(arm.body))
            });
            self.scopes.close();
            let at = self.term.span(arm.body);
            self.findings.quiet = quiet || tests_type || facts.is_some();
            joined = Some(self.join_branch(joined, &ty, at, &Why::Arm, &mut faults));
            self.findings.quiet = quiet;
        }
        self.end_branches(joined, faults, m.arms.len())
    }

    pub(super) fn merge_all(&mut self, operands: &[NodeId], span: Span) -> TyRef {
        let mut merged: Option<TyRef> = None;
        let places: Vec<Span> = operands.iter().map(|operand| self.term.span(*operand)).collect();
        // known operands after an unknown one: merging them first defers one merge instead of one for each operand
        let mut known: Option<TyRef> = None;
        for operand in operands {
            let ty = self.expr(*operand);
            if let Some(before) = &merged
                && !self.rules().extends()
                && self.is_closed_record(&ty)
                && (known.is_some() || matches!(&*self.table.head(before), Ty::Live(_)))
            {
                known = Some(match known {
                    None => ty,
                    Some(before) => self.merge(&before, &ty, span),
                });
                continue;
            }
            for ty in known.take().into_iter().chain([ty]) {
                merged = Some(match merged {
                    None => ty,
                    Some(before) => match places.as_slice() {
                        [left, right] => {
                            let outer = self.merges.set_operands((Some(*left), Some(*right)));
                            let ty = self.merge(&before, &ty, span);
                            self.merges.set_operands(outer);
                            ty
                        }
                        _ => self.merge(&before, &ty, span),
                    },
                });
            }
        }
        if let (Some(before), Some(ty)) = (&merged, &known) {
            merged = Some(self.merge(before, ty, span));
        }
        let ty = merged.unwrap_or_else(|| self.fresh());
        self.force(&ty)
    }

    fn is_closed_record(&mut self, ty: &TyRef) -> bool {
        match &*self.table.head(ty) {
            Ty::Record(row) => matches!(self.open_row(row).tail(), Tail::Closed),
            _ => false,
        }
    }

    pub(super) fn not_a_function(&mut self, found: &TyRef, takes: u32, span: Span, certain: bool) {
        let found = self.mono(found);
        self.report(span, TypesKind::NotFunction { found, takes }, certain);
    }
}

/// Returns the type that a field has for a reader: if the field has no definition yet, and its contract allows
/// further fields, an open record, since the definition may add some.
fn type_for_reader(field: &Field, ty: TyRef, at: Span) -> TyRef {
    let Ty::Record(row) = &*ty else { return ty };
    let undefined = field.stack.as_ref().is_some_and(|stack| stack.layers.is_empty());
    if !undefined || !row.open || !matches!(row.tail(), Tail::Closed) {
        return ty;
    }
    let mut row = row.clone();
    row.set_tail(Tail::Dyn(DynReason::Computed(at)));
    Ty::Record(row).into()
}
