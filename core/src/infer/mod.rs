//! Type inference: takes a term, and returns a scheme and problems. Pure, total, and near-linear in the term.
//!
//! **Live types.** Inference works on [`crate::ty`] itself. While it runs, a [`TyRef`] may hold live variables, which are
//! entries of a union-find with levels (`table`, on ena). Each node caches the highest level below it. Most types of a
//! configuration are closed, and a closed type passes through `let`, use, field access and merge without being walked or copied.
//! Rows are persistent maps: merging two known records is O(fields of the smaller one).
//!
//! **Fields** keep their layers ([`crate::ty::Stack`]): contracts, definitions by priority, and merge function. Each merge
//! computes the field's type from them again, so merging is associative. If a field is
//! polymorphic by itself, its type is a [`Ty::Forall`].
//!
//! **Merges** whose operands are not known yet are deferred constraints, which wait on variables (`deferred`, `merge`). Fields
//! that one closed side makes certain are published at once. A constraint on a generalised variable becomes part of the scheme.
//!
//! **Failures** are part of types too. The program is divided into *units* (`units`): parts that are evaluated as a whole or
//! not at all, such as the body of a field, an array element, an argument, a branch, or the body of a function. If evaluating
//! a unit is certain to run into a clash, the type of the unit is a [`Ty::Fails`]. That type follows the value: it is dropped
//! with an overridden layer, stays in an unused `let`, and reaches the root if and only if the result cannot be computed.
//! Only then is the problem an *error*; any other problem is a *warning*. A problem that rests on the definition of a sibling
//! which some merge overrode (`merge::definitions`) is a warning too.
//!
//! `objects` has everything that only object languages need, `narrow` the tests of types, and `library` the calls of library functions
//! whose types are more precise than their signatures.

mod access;
mod annotation;
mod apply;
mod caches;
mod conform;
mod coverage;
mod deferred;
mod elements;
mod exact;
mod exchanged;
mod expression;
mod findings;
mod finish;
mod generalise;
mod join;
mod lets;
mod library;
mod links;
mod literals;
mod log;
mod merge;
mod narrow;
mod objects;
mod operators;
mod pattern;
mod places;
mod record;
mod report;
mod rows;
mod scopes;
mod siblings;
mod stated;
mod table;
mod unify;
mod units;
mod walk;
mod why;

pub use exact::call::{Constant, PartialCall};
pub use log::{Collected, LoggedConstraint, Solved, SolvingStep};
pub(crate) use walk::with_tags;

#[cfg(test)]
mod tests;

use crate::problem::Problem;
use crate::term::{Import, Node, NodeId, Rules, Term};
use crate::text::{Name, Span};
use crate::ty::{Failure, Scheme, Ty, TyRef, VariableKind};
use annotation::Contracts;
use caches::Caches;
use deferred::Deferred;
use findings::Findings;
use literals::Literals;
use merge::Merges;
use narrow::Narrowing;
use objects::Objects;
use places::LiteralPlaces;
use rustc_hash::{FxHashMap, FxHashSet};
use scopes::Scopes;
use std::cell::OnceCell;
use std::sync::Arc;
use table::Table;
use units::{Role, Units};

/// An item of a library.
#[derive(Clone, Debug)]
pub enum LibraryItem {
    /// A module, by the names in it.
    Module(Vec<Name>),
    /// A value, by its type.
    Value(Arc<Scheme>),
}

/// The definitions, libraries and files that a term can refer to.
pub trait InferHost {
    /// Returns the type of a definition of the session.
    fn global(&mut self, name: &Name) -> Option<Arc<Scheme>>;
    /// Returns the item of a library under a path (`["std", "array", "map"]`). Called only for paths that the program uses.
    fn library(&mut self, path: &[Name]) -> Option<LibraryItem>;
    /// Returns the type of an imported file.
    fn import(&mut self, import: &Import, span: Span) -> Result<Arc<Scheme>, Problem>;
    /// Returns the type of an external variable (`std.extVar`); `None` if it is not known.
    fn external(&mut self, name: &Name) -> Option<Arc<Scheme>> {
        let _ = name;
        None
    }
    /// Returns the signature that a library function has in one call, if it depends on the call. The error is the reason why
    /// the function refuses the call.
    fn call(&mut self, path: &[Name], call: &PartialCall) -> Option<Result<Arc<Scheme>, Name>> {
        let _ = (path, call);
        None
    }
    /// Whether inference is to stop. `steps`: the number of steps since it last asked.
    fn interrupted(&self, steps: usize) -> bool;
    /// Interrupts inference if too little memory is left for these bytes.
    fn expect(&self, bytes: u64) {
        let _ = bytes;
    }
}

/// The nodes whose types are kept. The type of an inner node is a copy of a part of the outer one's, so all nodes of a deeply nested
/// term together have types of quadratic size.
#[derive(Clone, Copy, Default, Debug)]
pub enum TypedNodes<'n> {
    /// None.
    #[default]
    None,
    /// All nodes.
    All,
    /// These nodes.
    Of(&'n [NodeId]),
}

/// The optional parts of the result.
#[derive(Clone, Copy, Default, Debug)]
pub struct Options<'n> {
    /// The nodes whose types are kept, for [`Inferred::type_of`].
    pub nodes: TypedNodes<'n>,
    /// Whether the constraints are kept, for [`Inferred::collected`].
    pub log: bool,
    /// Whether each use of an unbound name has a single type. Otherwise it may have a different one each time it is inferred.
    pub holes: bool,
}

/// The result of inferring one term.
pub struct Inferred {
    /// The type of the whole.
    pub scheme: Arc<Scheme>,
    /// The problems, in source order.
    pub problems: Vec<Problem>,
    /// Further places at which the program may fail. They are no problem unless evaluation runs into one of them.
    pub suspected: Vec<Problem>,
    /// The constraints, if [`Options::log`] was set.
    pub collected: Option<Collected>,
    nodes: Option<FxHashMap<NodeId, Arc<Scheme>>>,
}

impl Inferred {
    /// Returns the type of one node, if [`Options::nodes`] was set.
    pub fn type_of(&self, node: NodeId) -> Option<&Arc<Scheme>> {
        self.nodes.as_ref()?.get(&node)
    }
}

/// Infers a term. Total: a mistake in the term is a problem in the result. Near-linear in the term.
pub fn infer(term: &Arc<Term>, host: &mut dyn InferHost, options: Options<'_>) -> Inferred {
    let mut infer = Infer::new(term, host, options);
    infer.level = 1;
    let ty = infer.member_of(term.root);
    infer.level = 0;
    infer.done(ty)
}

/// Reads a type expression as a scheme.
pub fn scheme_of_type(term: &Arc<Term>, host: &mut dyn InferHost) -> (Scheme, Vec<Problem>) {
    let mut infer = Infer::new(term, host, Options::default());
    infer.level = 1;
    let ty = infer.contract(term.root);
    infer.level = 0;
    let done = infer.done(ty);
    (Scheme::clone(&done.scheme), done.problems)
}

/// Calls `f` on a stack that is large enough for a level of recursion.
fn deep<T>(f: impl FnOnce() -> T) -> T {
    crate::deep::deeper(f)
}

/// Number of steps between two checks of the interrupt flag.
const STEPS_BETWEEN: u32 = 256;

/// The optional parts of the result, as selected by [`Options`].
struct Kept {
    /// The types of nodes so far. `None` if none are kept.
    nodes: Option<FxHashMap<NodeId, TyRef>>,
    /// The nodes whose types are kept. `None`: all of them.
    kept_nodes: Option<FxHashSet<NodeId>>,
    /// The types of names that nothing binds, if each has one.
    holes: Option<FxHashMap<NodeId, TyRef>>,
    /// The constraints, if the caller wants to see them.
    log: Option<Box<log::Log>>,
}

/// The reasons to stop: the interrupt flag, and types that are too large.
#[derive(Default)]
struct Interrupts {
    /// The number of steps since the start, which decides when to check the interrupt flag.
    steps: u32,
    /// Whether the interrupt flag was set.
    stopped: bool,
    /// Whether a type was too large to instantiate.
    too_large: bool,
}

/// The state of one inference, in groups. A function that needs a single group is a method of that group.
struct Infer<'a> {
    term: Arc<Term>,
    host: &'a mut dyn InferHost,
    table: Table,
    scopes: Scopes,
    level: u32,
    units: Units,
    deferred: Deferred,
    findings: Findings,
    merges: Merges,
    narrowing: Narrowing,
    literals: Literals,
    contracts: Contracts,
    objects: Objects,
    exact: exact::Exact,
    caches: Caches,
    kept: Kept,
    interrupts: Interrupts,
    /// Made for the first report that needs it.
    places: OnceCell<LiteralPlaces>,
}

impl<'a> Infer<'a> {
    fn new(term: &Arc<Term>, host: &'a mut dyn InferHost, options: Options<'_>) -> Infer<'a> {
        Infer {
            term: term.clone(),
            host,
            table: Table::default(),
            scopes: Scopes::default(),
            level: 0,
            units: Units::default(),
            deferred: Deferred::default(),
            findings: Findings::default(),
            merges: Merges::default(),
            narrowing: Narrowing::default(),
            literals: Literals::default(),
            contracts: Contracts::default(),
            objects: Objects::default(),
            exact: exact::Exact::default(),
            caches: Caches::default(),
            kept: Kept {
                nodes: (!matches!(options.nodes, TypedNodes::None)).then(FxHashMap::default),
                kept_nodes: match options.nodes {
                    TypedNodes::Of(nodes) => Some(nodes.iter().copied().collect()),
                    TypedNodes::None | TypedNodes::All => None,
                },
                holes: options.holes.then(FxHashMap::default),
                log: options.log.then(Box::default),
            },
            interrupts: Interrupts::default(),
            places: OnceCell::new(),
        }
    }

    /// The rules of the term's language.
    fn rules(&self) -> &'static Rules {
        self.term.rules
    }

    /// The span of the whole term.
    fn root_span(&self) -> Span {
        self.term.span(self.term.root)
    }

    /// A new type variable of the current level.
    fn fresh(&mut self) -> TyRef {
        Ty::Live(self.table.fresh(VariableKind::Type, self.level)).into()
    }

    /// Whether inference must stop. Checks the interrupt flag at every 256th call.
    fn interrupted(&mut self) -> bool {
        self.interrupts.steps = self.interrupts.steps.wrapping_add(1);
        if self.interrupts.steps.is_multiple_of(STEPS_BETWEEN) && self.host.interrupted(STEPS_BETWEEN as usize) {
            self.interrupts.stopped = true;
        }
        self.interrupts.stopped
    }

    /// Runs `work` one level deeper. Measures the memory before the stack takes a segment of it.
    #[inline]
    fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(bytes) = crate::deep::next_segment() {
            self.host.expect(bytes);
            self.interrupts.stopped |= self.host.interrupted(0);
        }
        crate::deep::deeper(|| work(self))
    }

    /// Records that the current unit read the definition of a sibling, assuming that no merge overrides it.
    fn assume_sibling(&mut self, at: Span) {
        if self.rules().extends() {
            self.objects.reads.push(at);
        }
        self.units.assume(at);
    }

    /// Records that the current unit read a sibling whose type is `ty`, and the siblings that this type was itself read from.
    /// Returns the type inside.
    fn assume_siblings_in<'t>(&mut self, ty: &'t TyRef) -> &'t TyRef {
        let mut inner = ty;
        while let Ty::Sibling(sibling, next) = &**inner {
            self.assume_sibling(sibling.at);
            inner = next;
        }
        inner
    }

    /// Returns the type of a field that the definition `at` in the record literal of `frame` gives, without the marks
    /// of siblings at its head: the field is an alias of these siblings. A chain of aliases therefore has types of
    /// constant size.
    fn without_own_siblings(&mut self, ty: &TyRef, at: Span, frame: usize) -> TyRef {
        let mut inner = ty;
        while let Ty::Sibling(sibling, next) = &**inner
            && self.scopes.defined_by(frame, sibling.at).is_some()
        {
            self.merges.alias(at, sibling.at);
            inner = next;
        }
        inner.clone()
    }

    /// Keeps the type of a node if [`Options::nodes`] selects it.
    fn keep_type(&mut self, id: NodeId, ty: &TyRef) {
        if let Some(nodes) = &mut self.kept.nodes
            && self.kept.kept_nodes.as_ref().is_none_or(|kept| kept.contains(&id))
        {
            nodes.insert(id, ty.clone());
        }
    }

    /// Infers a part as a separate unit, which may never be evaluated. The type says whether evaluating it is certain
    /// to fail.
    fn in_own_unit(&mut self, id: NodeId) -> TyRef {
        self.in_unit(Role::Perhaps, |infer| infer.expr(id))
    }

    /// Infers a part that is evaluated whenever the value around it is shown, such as an array element.
    fn member_of(&mut self, id: NodeId) -> TyRef {
        self.in_role(id, units::Role::Part)
    }

    /// Returns the type of a constant; `None` for any other node. Data consists of constants, which cannot fail: they need no
    /// unit, and all constants of one type share its node.
    fn constant(&mut self, id: NodeId) -> Option<TyRef> {
        let ty = match self.term.node(id) {
            _ if self.rules().is_exact() => return None,
            Node::Null if self.rules().null_is_any() => return None,
            Node::Null => &self.caches.constants.null,
            Node::Bool(_) => &self.caches.constants.bool,
            Node::Number(_) => &self.caches.constants.number,
            Node::Str(_) => &self.caches.constants.string,
            _ => return None,
        };
        let ty = ty.clone();
        self.interrupted();
        self.keep_type(id, &ty);
        Some(ty)
    }

    /// Infers a part as a separate unit. `role`: why that unit is evaluated.
    fn in_role(&mut self, id: NodeId, role: units::Role) -> TyRef {
        if let Some(ty) = self.constant(id) {
            return ty;
        }
        self.in_unit(role, |infer| infer.expr(id))
    }

    /// Calls `f` inside a new unit. Returns the type, with the faults of the unit. `role`: why the unit is evaluated.
    fn in_unit(&mut self, role: Role, f: impl FnOnce(&mut Self) -> TyRef) -> TyRef {
        let parent = self.units.enter(role);
        let ty = f(self);
        let mut done = self.units.leave(parent);
        // without assumptions, nothing changes for the findings, so those of inner units are not visited again
        if !done.assumes.is_empty() && !done.findings.is_empty() {
            self.merges.follow_aliases(&mut done.assumes);
            for position in done.findings {
                let Some(finding) = self.units.finding(position).and_then(|index| self.findings.get_mut(index)) else {
                    continue;
                };
                finding.assumes.extend(&done.assumes);
                for at in &done.assumes {
                    self.merges.rest_on(*at, finding.missing_label());
                }
            }
        }
        if self.rules().extends() {
            failing(ty, done.fault.into_iter().chain(done.further_faults))
        } else {
            fail_with(ty, done.fault)
        }
    }

    /// Infers a part that may never be evaluated. The type is without its failures, which do not affect the current unit.
    fn lazily(&mut self, id: NodeId) -> TyRef {
        let ty = self.in_own_unit(id);
        self.without_outer_failures(&ty)
    }

    /// Returns the type without the failures at its head.
    fn without_outer_failures(&self, ty: &TyRef) -> TyRef {
        let mut at = ty;
        while let Ty::Fails(_, inner) = &**at {
            at = inner;
        }
        at.clone()
    }

    /// Records that evaluating the current unit runs into a fault.
    fn fails(&mut self, fault: Failure) {
        let several = self.rules().extends();
        self.units.fail(fault, several);
    }

    /// Records that the current unit evaluates all of a value of this type.
    fn force_whole(&mut self, ty: &TyRef) {
        for fault in self.failures_in(ty) {
            self.fails(Failure { deep: false, ..fault });
        }
    }

    /// Records that the current unit evaluates a value of this type to its head: if that fails, so does the unit. Returns the
    /// type of the value without that failure.
    fn force(&mut self, ty: &TyRef) -> TyRef {
        let mut at = ty.clone();
        while let Ty::Fails(fault, inner) = &*at.clone()
            && !fault.deep
        {
            self.fails(*fault);
            at = inner.clone();
        }
        at
    }
}

/// Returns the type of a value with several faults. The value fails with the first one that no other object fixes.
fn failing(ty: TyRef, faults: impl DoubleEndedIterator<Item = Failure>) -> TyRef {
    faults.rev().fold(ty, |ty, fault| Ty::Fails(fault, ty).into())
}

/// Returns the type of a value with a fault, if there is one.
fn fail_with(ty: TyRef, fault: Option<Failure>) -> TyRef {
    match (fault, &*ty) {
        (Some(fault), Ty::Fails(old, inner)) if old.deep => Ty::Fails(fault, inner.clone()).into(),
        (Some(fault), t) if !matches!(t, Ty::Fails(..)) => Ty::Fails(fault, ty).into(),
        _ => ty,
    }
}
