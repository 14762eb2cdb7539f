//! Inference for languages with exact types: Hindley–Milner, in which every expression has one type that is known before
//! evaluation. Only functions that are marked as general are polymorphic. An operator works on certain types, which a deferred
//! constraint checks. A type variable without a solution is an ambiguity.

pub mod call;
mod operator;
mod resource;
mod unused;

use super::Infer;
use super::findings::{Finding, Found};
use super::library;
use super::scopes::Variable;
use super::table::{Slot, Vid};
use super::unify::ClashKind;
use super::why::{UnifyReason, Why};
use crate::problem::Severity;
use crate::problem::types::{TypeProblem, TypesKind};
use crate::term::{Chunk, FieldName, ImportKind, Lambda, Let, Node, NodeId, Number, PatKind, Prim, RecordLit};
use crate::text::{Name, Span};
use crate::ty::{Constraint, Field, Live, Param, Row, Tail, Ty, TyRef};
use rustc_hash::{FxHashMap, FxHashSet};

/// The state of an exact inference.
#[derive(Default)]
pub(super) struct Exact {
    /// The expressions that introduce type variables, in order. A parameter has its name with it.
    origins: Vec<(Span, TyRef, Option<Name>)>,
    /// The variables that the type of a polymorphic function quantifies.
    quantified: FxHashSet<Vid>,
    /// The variables of types that are in conflict. They are not reported as ambiguous again.
    tainted: FxHashSet<Vid>,
    /// The names of resources whose types are not known yet.
    names: Vec<(NodeId, TyRef)>,
    /// The uses of failing names of other files in unused definitions, each with the place of the mistake.
    failing: Vec<(Span, Span)>,
    /// The call whose function is being inferred. Constraints of a library function are reported at this place.
    pub(super) call: Option<Span>,
}

impl Infer<'_> {
    /// The type of a graph of resources, which is not a value of the language.
    pub(super) fn graph(&self) -> TyRef {
        Ty::Null.into()
    }

    /// Unifies two types that must be equal. Reports it if they are not.
    pub(super) fn must(&mut self, found: &TyRef, expected: &TyRef, because: UnifyReason) -> bool {
        let because = because.whole(expected);
        let unified = self.unify(found, expected, &because);
        let holds = unified.is_ok();
        if let Err(clash) = unified {
            self.taint([found, expected].into_iter());
            self.report_clash(*clash, &because);
        }
        self.solve();
        holds
    }

    /// Marks the unsolved variables of types as reported.
    pub(super) fn taint<'t>(&mut self, types: impl Iterator<Item = &'t TyRef>) {
        let mut free = Vec::new();
        for ty in types {
            self.free_vars(ty, &mut free);
        }
        self.exact.tainted.extend(free);
    }

    /// Records an expression whose type may be ambiguous.
    pub(super) fn origin(&mut self, id: NodeId, ty: &TyRef) {
        self.origin_at(self.term.span(id), ty, None);
    }

    fn origin_at(&mut self, span: Span, ty: &TyRef, name: Option<Name>) {
        if ty.marks().live > 0 {
            self.exact.origins.push((span, ty.clone(), name));
        }
    }

    /// Infers an expression.
    pub(super) fn exact(&mut self, id: NodeId) -> TyRef {
        let term = self.term.clone();
        let span = term.span(id);
        match term.node(id) {
            Node::Bool(_) => self.caches.constants.bool.clone(),
            Node::Str(_) => self.caches.constants.string.clone(),
            Node::Number(Number::Double(_)) => Ty::Float.into(),
            Node::Number(_) => Ty::Int.into(),
            Node::Interp(chunks) => {
                for chunk in chunks {
                    let (Chunk::Expr(part) | Chunk::Indented(part, _)) = chunk else { continue };
                    // a label such as `file[/tmp/x]`, whose parts are at the place of the whole: the clause over the names
                    // has checked them
                    if term.span(*part) != span {
                        self.expect_exactly(*part, Ty::String, Why::InString);
                    }
                }
                self.caches.constants.string.clone()
            }
            Node::Array(items) => {
                let mut item: Option<TyRef> = None;
                for (i, element) in items.iter().enumerate() {
                    if self.interrupts.stopped {
                        break;
                    }
                    let ty = self.expr(*element);
                    match (&item, items.first()) {
                        (Some(item), Some(first)) => {
                            let because = self.reason_for(*element, Why::Element(i as u32)).wanted(term.span(*first));
                            self.must(&ty, item, because);
                        }
                        // a variable for all elements would have to be unified with this type, which walks it at each level
                        _ => item = Some(ty),
                    }
                }
                let item = item.unwrap_or_else(|| self.fresh());
                let array: TyRef = Ty::Array(item).into();
                self.origin(id, &array);
                array
            }
            Node::Record(lit) if lit.open => self.exports(lit),
            Node::Record(lit) => self.exact_struct(lit),
            Node::Comprehension(c) => self.resources(c),
            Node::Merge(parts) => {
                for part in parts {
                    self.expr(*part);
                }
                self.graph()
            }
            Node::Local { .. } | Node::Project(..) | Node::Global(_) => {
                let ty = self.unspecialised(id);
                match &*ty {
                    Ty::Forall(scheme) => {
                        let class = is_class(&scheme.ty);
                        let ty = self.instantiate(&ty);
                        // the arguments of a class and the names that are read from it are checked themselves
                        // a function that is the whole expression stays polymorphic
                        if !class && id != term.root {
                            self.origin(id, &ty);
                        }
                        ty
                    }
                    _ => {
                        if matches!(term.node(id), Node::Project(_, name) if name.starts_with('$')) {
                            self.origin(id, &ty);
                        }
                        ty
                    }
                }
            }
            Node::Lambda(lambda) => self.exact_lambda(lambda),
            Node::Apply(apply) => self.exact_apply(apply, span, id),
            Node::Let(l) => self.exact_let(l),
            Node::If(parts) => {
                let [condition, then, otherwise] = **parts;
                self.expect_exactly(condition, Ty::Bool, Why::Condition);
                let ty = self.expr(then);
                let other = self.expr(otherwise);
                let because = self.reason_for(otherwise, Why::Branch).wanted(term.span(then));
                self.must(&other, &ty, because);
                ty
            }
            Node::Index(pair) => self.element_of(pair[0], pair[1], span, id),
            Node::Annot(inner, annots) => {
                let mut ty = self.expr(*inner);
                for annot in annots {
                    let wanted = self.contract(annot.ty);
                    let because = self.reason_for(*inner, Why::Annotation).wanted(term.span(annot.ty));
                    self.must(&ty, &wanted, because);
                    ty = wanted;
                }
                ty
            }
            Node::Prim(prim, operands) => self.exact_prim(*prim, operands, span, id),
            Node::Import(import) => match import.kind {
                ImportKind::Code(_) => match self.host.import(import, span) {
                    Ok(scheme) => library::closed(&scheme),
                    Err(problem) => {
                        self.report_import(problem);
                        Ty::Bottom.into()
                    }
                },
                ImportKind::Text | ImportKind::Bytes => self.caches.constants.string.clone(),
            },
            Node::Null => self.graph(),
            Node::Hole => Ty::Bottom.into(),
            _ => Ty::Bottom.into(),
        }
    }

    /// Infers an expression that must have a type without parts, such as `int`.
    pub(super) fn expect_exactly(&mut self, id: NodeId, wanted: Ty, why: Why) {
        let ty = self.expr(id);
        let because = self.reason_for(id, why);
        self.must(&ty, &wanted.into(), because);
    }

    /// Infers a name or a name in a namespace. A polymorphic type is not instantiated.
    fn unspecialised(&mut self, id: NodeId) -> TyRef {
        let term = self.term.clone();
        match term.node(id) {
            Node::Local { up, slot } => {
                let Some(at) = self.scopes.at(*up) else { return self.fresh() };
                let found = self.scopes.variable(at, *slot).inspect(|variable| variable.read.set(true)).cloned();
                found.map_or_else(|| self.fresh(), |variable| variable.ty)
            }
            Node::Global(name) => match self.host.global(name) {
                Some(scheme) => library::closed(&scheme),
                // name resolution has reported it
                None => self.library_type(std::slice::from_ref(name)).unwrap_or_else(|| Ty::Bottom.into()),
            },
            Node::Project(of, name) => {
                let of_ty = match term.node(*of) {
                    Node::Local { .. } | Node::Project(..) | Node::Global(_) => {
                        let ty = self.deeper(|infer| infer.unspecialised(*of));
                        self.instantiate(&ty)
                    }
                    _ => self.expr(*of),
                };
                self.keep_type(*of, &of_ty);
                self.exact_field(&of_ty, name, *of, id)
            }
            _ => self.expr(id),
        }
    }

    /// Returns the type of a field of a struct, or of a name of a namespace.
    pub(super) fn exact_field(&mut self, ty: &TyRef, name: &Name, base: NodeId, id: NodeId) -> TyRef {
        let head = self.table.head(ty);
        let because = UnifyReason { span: self.term.span(id), ..self.reason_for(base, Why::Access(name.clone())) };
        match &*head {
            Ty::Library(path) => {
                let mut path = path.to_vec();
                path.push(name.clone());
                self.library_type(&path).unwrap_or_else(|| Ty::Bottom.into())
            }
            Ty::Null | Ty::Bottom => head,
            Ty::Record(row) => match self.field_of(row, name, &because) {
                Ok(found) => {
                    self.log_access(ty, name, &found, &because);
                    self.read_of_file(found, id)
                }
                Err(_) if name.starts_with('$') || name.contains(' ') => {
                    // a name that the file or the class does not bind
                    let record: TyRef = Ty::Record(row.clone()).into();
                    // the names of other kinds of things have other prefixes
                    let prefix = name.split_inclusive(['$', ' ']).next().unwrap_or_default();
                    let near = super::access::near_in(&record, name);
                    let near = near.iter().filter_map(|near| near.strip_prefix(prefix)).map(Name::new).collect();
                    let name = name.clone();
                    self.report(self.term.span(id), TypesKind::Unbound { name, near }, true);
                    Ty::Bottom.into()
                }
                Err(row) => {
                    let record: TyRef = Ty::Record(row).into();
                    let near = super::access::near_in(&record, name);
                    let clash =
                        self.clash(ClashKind::Missing { name: name.clone(), near, record, asked: None }, &because);
                    self.report_clash(*clash, &because);
                    Ty::Bottom.into()
                }
            },
            _ => {
                let result = self.fresh();
                let mut row = Row::new(Tail::Live(self.fresh_tail(crate::ty::VariableKind::Row)));
                row.insert(name.clone(), Field::given(result.clone(), None));
                self.must(ty, &Ty::Record(row).into(), because);
                result
            }
        }
    }

    fn exact_lambda(&mut self, lambda: &Lambda) -> TyRef {
        let mut params = Vec::with_capacity(lambda.params.len());
        for param in &lambda.params {
            params.push(match param.ty {
                Some(ty) => self.contract(ty),
                None => self.fresh_of(self.term.pat(param.pat).span),
            });
        }
        self.scopes.open(Variable::unknown(&lambda.slots));
        for (param, ty) in lambda.params.iter().zip(&params) {
            if let PatKind::Bind(slot) = self.term.pat(param.pat).kind {
                self.scopes.set_type(slot, ty.clone());
                let name = lambda.slots.get(slot as usize).cloned();
                self.origin_at(self.term.pat(param.pat).span, ty, name);
            }
        }
        let result = self.expr(lambda.body);
        self.scopes.close();
        Ty::Fun(params.into_iter().map(Param::of).collect(), result).into()
    }

    fn exact_let(&mut self, l: &Let) -> TyRef {
        let term = self.term.clone();
        if !l.recursive {
            // the bound expressions are outside the frame
            let types: Vec<TyRef> = l.bindings.iter().map(|binding| self.expr(binding.body)).collect();
            self.scopes.open(Variable::unknown(&l.slots));
            for (binding, ty) in l.bindings.iter().zip(types) {
                if let PatKind::Bind(slot) = term.pat(binding.pat).kind {
                    self.scopes.set_type(slot, ty);
                }
            }
            let ty = self.expr(l.body);
            self.scopes.close();
            return ty;
        }
        self.scopes.open(Variable::unknown(&l.slots));
        for group in l.groups.iter() {
            for index in group.iter() {
                let Some(binding) = l.bindings.get(*index as usize) else { continue };
                let general = matches!(term.node(binding.body), Node::Lambda(lambda) if lambda.general);
                let PatKind::Bind(slot) = term.pat(binding.pat).kind else {
                    self.expr(binding.body);
                    continue;
                };
                let from = general.then(|| self.enter());
                // a definition that uses itself has been reported
                let own = self.fresh();
                self.scopes.set_type(slot, own);
                let constant = self.constant_node(binding.body);
                let mut ty = match term.node(binding.body) {
                    // another name of a namespace, or of a polymorphic function
                    Node::Local { .. } | Node::Project(..) if binding.annots.is_empty() && l.recursive => {
                        let ty = self.expr(binding.body);
                        self.keep_type(binding.body, &ty);
                        ty
                    }
                    _ => self.expr(binding.body),
                };
                if let Some(from) = from {
                    self.leave_level(from);
                    self.quantify(&ty);
                    ty = self.generalise(&ty);
                    self.end_generalisation(from);
                }
                if let Some(variable) = self.scopes.variable_mut(slot) {
                    variable.ty = ty;
                    variable.at = Some(term.span(binding.body));
                    variable.constant = constant;
                }
            }
        }
        let ty = self.expr(l.body);
        self.scopes.close();
        ty
    }

    /// Records the variables of a type that are about to be quantified.
    fn quantify(&mut self, ty: &TyRef) {
        let mut free = Vec::new();
        self.free_vars(ty, &mut free);
        for var in free {
            if self.table.level(var) > self.level {
                self.exact.quantified.insert(var);
            }
        }
    }

    /// Infers the names that a class or a file binds. Polymorphic functions stay polymorphic.
    fn exports(&mut self, lit: &RecordLit) -> TyRef {
        self.scopes.open_record(Default::default(), self.level, None);
        let mut row = Row::new(Tail::Closed);
        for field in &lit.fields {
            let (FieldName::Static(name), Some(body)) = (&field.name, field.body) else { continue };
            let ty = match self.term.node(body) {
                Node::Local { .. } => self.unspecialised(body),
                _ => self.expr(body),
            };
            row.insert(
                name.clone(),
                Field { hidden: field.meta.not_exported, ..Field::given(ty, Some(field.name_span)) },
            );
        }
        self.scopes.close();
        Ty::Record(row).into()
    }

    fn exact_struct(&mut self, lit: &RecordLit) -> TyRef {
        self.scopes.open_record(Default::default(), self.level, None);
        let mut row = Row::new(Tail::Closed);
        let mut order = Vec::with_capacity(lit.fields.len());
        for field in &lit.fields {
            let (FieldName::Static(name), Some(body)) = (&field.name, field.body) else { continue };
            let ty = self.expr(body);
            row.insert(name.clone(), Field::given(ty, Some(field.name_span)));
            order.push(name.clone());
        }
        self.scopes.close();
        row.order = Some(order.into());
        Ty::Record(row).into()
    }

    /// Reports the expressions whose types are ambiguous, each variable once.
    pub(super) fn ambiguities(&mut self, root: &TyRef) {
        let term = self.term.clone();
        if matches!(term.node(term.root), Node::Lambda(lambda) if lambda.general) {
            let mut free = Vec::new();
            self.free_vars(root, &mut free);
            self.exact.quantified.extend(free);
        }
        let mut general: FxHashSet<Vid> = FxHashSet::default();
        for var in self.exact.quantified.clone() {
            general.insert(self.table.root(Live { id: var.0, level: 0 }));
        }
        for (name, ty) in std::mem::take(&mut self.exact.names) {
            // an ambiguous name is a list, unless each use of the class decides its type
            let mut free = Vec::new();
            self.free_vars(&ty, &mut free);
            let is_general = free.iter().any(|var| general.contains(var));
            if let (Ty::Live(_), false) = (&*self.table.head(&ty), is_general) {
                let list: TyRef = Ty::Array(Ty::String.into()).into();
                let because = self.reason_for(name, Why::ResourceName);
                self.must(&ty, &list, because);
            }
        }
        let tainted = std::mem::take(&mut self.exact.tainted);
        let mut settled: FxHashSet<Vid> = FxHashSet::default();
        for var in tainted.into_iter().chain(std::mem::take(&mut self.exact.quantified)) {
            settled.insert(self.table.root(Live { id: var.0, level: 0 }));
        }
        let containers = self.containers();
        // an inner expression comes before the outer one
        for (span, ty, name) in std::mem::take(&mut self.exact.origins) {
            if let Ty::Live(v) = &*self.table.head(&ty)
                && let Some(container) = containers.get(&self.table.root(*v))
                && settled.contains(container)
            {
                // it is known as soon as the type of its list or map is, which is reported
                settled.insert(self.table.root(*v));
                continue;
            }
            let mut free = Vec::new();
            self.free_vars(&ty, &mut free);
            let open: Vec<Vid> = free
                .into_iter()
                .filter(|var| matches!(self.table.probe(Live { id: var.0, level: 0 }), Slot::Free { .. }))
                .filter(|var| !settled.contains(var))
                .collect();
            if open.is_empty() {
                continue;
            }
            settled.extend(open);
            // a call with a wrong number of arguments decides nothing
            let is_refused = |finding: &Finding| {
                matches!(&finding.problem, Found::Here(TypeProblem { what: TypesKind::Arguments { .. }, span: call })
                    if call.source == span.source && call.start <= span.start && span.end <= call.end)
            };
            if self.findings.iter().any(is_refused) {
                continue;
            }
            let ty = self.mono(&ty);
            self.report(span, TypesKind::Ambiguous { ty, name }, true);
        }
    }

    /// Returns the lists and maps of unknown type from which the elements of unknown type are read.
    fn containers(&mut self) -> FxHashMap<Vid, Vid> {
        let mut containers = FxHashMap::default();
        for index in 0..self.deferred.len() {
            let Some(Constraint::Element { target, result, .. }) = self.deferred.open(index).cloned() else { continue };
            if let (Ty::Live(container), Ty::Live(element)) = (&*self.table.head(&target), &*self.table.head(&result)) {
                containers.insert(self.table.root(*element), self.table.root(*container));
            }
        }
        containers
    }

    /// The severity of a problem: a mistake in a definition that nothing uses is a warning.
    pub(super) fn exact_severity(&self, problem: &Found) -> Severity {
        let Found::Here(problem) = problem else { return Severity::Error };
        let at = problem.span;
        if self.is_unused(at) { Severity::Warning } else { Severity::Error }
    }

    /// Infers an operation with operands of one type.
    pub(super) fn alike(&mut self, prim: Prim, operands: &[NodeId]) -> TyRef {
        let mut first: Option<(TyRef, Span)> = None;
        for operand in operands {
            let ty = self.expr(*operand);
            match &first {
                None => first = Some((ty, self.term.span(*operand))),
                Some((wanted, at)) => {
                    let (wanted, at) = (wanted.clone(), *at);
                    let because = self.reason_for(*operand, Why::Operand(prim)).wanted(at);
                    self.must(&ty, &wanted, because);
                }
            }
        }
        first.map_or_else(|| self.fresh(), |(ty, _)| ty)
    }
}

/// Returns `true` for the type of a class: a function that returns a record of names.
fn is_class(ty: &TyRef) -> bool {
    matches!(&**ty, Ty::Fun(_, result) if is_namespace(result))
}

/// Returns `true` for a record of the names that a file or a class binds.
pub(super) fn is_namespace(ty: &TyRef) -> bool {
    matches!(&**ty, Ty::Record(row) if row.get("%out").is_some())
}
