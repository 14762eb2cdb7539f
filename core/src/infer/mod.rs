//! Type inference: a term goes in, a scheme and problems come out. Pure, total, and near-linear.
//!
//! **Types while they are live.** Inference works on [`crate::ty`] itself. A [`TyRef`] is a shared node that may hold
//! live variables, entries of a union-find (ena) with levels (`table`). Each node caches the highest level below it,
//! so a closed type (most of a configuration is closed) passes through `let`, use, field access and merge without
//! being walked or copied; rows are persistent maps, and merging two known records costs O(fields of the smaller).
//!
//! **Fields** keep their layers ([`crate::ty::Stack`]): contracts, definitions by priority, merge function. What a field
//! is in the record at hand ([`crate::ty::Field`]'s `give` and `ty`) is computed from them at each merge, so that any
//! association of merges comes to the same type. A field's own polymorphism is a [`Ty::Forall`] in the field.
//!
//! **Merges** whose operands are not known yet are constraints that wait on variables (`merge`); what one closed side
//! says alone is published at once. A constraint that waits for a generalised variable is part of the scheme.
//!
//! **Failures** are part of types as well. The program is divided into *units*: what is evaluated together or not at all
//! (a field's body, an array element, an argument, a branch, a function's body). A clash that evaluation of its unit
//! cannot avoid makes the unit's type a [`Ty::Fails`]. That type goes wherever the value goes: it is lost with a lost
//! layer, stays in an unused `let`, and reaches the root exactly if the root's data cannot come about. Only then is the
//! problem an *error*; every other one is a *warning*. What a reader of an overridable sibling assumed is noted, and a
//! failure that rests on an assumption which some merge broke is a warning too.

mod annotation;
mod apply;
mod caches;
mod deferred;
mod expression;
mod findings;
mod finish;
mod generalise;
mod join;
mod lets;
mod library;
mod literals;
mod log;
mod merge;
mod narrow;
mod objects;
mod operators;
mod pattern;
mod record;
mod report;
mod rows;
mod scopes;
mod stated;
mod table;
mod unify;
mod units;
mod walk;
mod why;

pub use log::{Asked, Collected};

#[cfg(test)]
mod tests;

use crate::problem::Problem;
use crate::term::{Import, Node, NodeId, Rules, Term};
use crate::text::{Name, Span};
use crate::ty::{Fault, Kind, Scheme, Ty, TyRef};
use annotation::Contracts;
use caches::Caches;
use deferred::Deferred;
use findings::Findings;
use literals::Literals;
use merge::Merges;
use narrow::Narrowing;
use objects::Objects;
use rustc_hash::FxHashMap;
use scopes::Scopes;
use std::sync::Arc;
use table::Table;
use units::{Role, Units};

/// What a library has under a path.
#[derive(Clone, Debug)]
pub enum LibraryItem {
    /// A module, with the names in it.
    Module(Vec<Name>),
    /// A value of a type.
    Value(Arc<Scheme>),
}

/// What a term can name that is not in it.
pub trait Outside {
    /// The type of a session definition.
    fn global(&mut self, name: &Name) -> Option<Arc<Scheme>>;
    /// What a library has under a path (`["std", "array", "map"]`), asked for only where the program does.
    fn library(&mut self, path: &[Name]) -> Option<LibraryItem>;
    /// The type of an imported file.
    fn import(&mut self, import: &Import, span: Span) -> Result<Arc<Scheme>, Problem>;
    /// The type of an external variable (`std.extVar`). `None`: not known here.
    fn external(&mut self, name: &Name) -> Option<Arc<Scheme>> {
        let _ = name;
        None
    }
    /// Whether inference is to stop.
    fn interrupted(&self) -> bool;
}

/// What to keep.
#[derive(Clone, Copy, Default, Debug)]
pub struct Options {
    /// Keep the type of every node, for [`Inferred::type_of`].
    pub nodes: bool,
    /// Keep what was asked for, for [`Inferred::collected`].
    pub log: bool,
    /// A name that nothing binds has one type, however often the part that it stands in is looked at; else it has any.
    pub holes: bool,
}

/// What was inferred of one term.
pub struct Inferred {
    /// The type of the whole.
    pub scheme: Arc<Scheme>,
    /// What was found, in source order.
    pub problems: Vec<Problem>,
    /// What was asked for, if [`Options::log`] was set.
    pub collected: Option<Collected>,
    nodes: Option<FxHashMap<NodeId, Arc<Scheme>>>,
}

impl Inferred {
    /// The type of one node, if [`Options::nodes`] was set.
    pub fn type_of(&self, node: NodeId) -> Option<&Arc<Scheme>> {
        self.nodes.as_ref()?.get(&node)
    }
}

/// Infers a term. Total: a fault is a problem, never a failure of inference. Near-linear in the term.
pub fn infer(term: &Arc<Term>, outside: &mut dyn Outside, options: Options) -> Inferred {
    let mut infer = Infer::new(term, outside, options);
    infer.level = 1;
    let ty = infer.member_of(term.root);
    infer.level = 0;
    infer.done(ty)
}

/// Reads a type expression as a scheme.
pub fn scheme_of_type(term: &Arc<Term>, outside: &mut dyn Outside) -> (Scheme, Vec<Problem>) {
    let mut infer = Infer::new(term, outside, Options::default());
    infer.level = 1;
    let ty = infer.contract(term.root);
    infer.level = 0;
    let done = infer.done(ty);
    (Scheme::clone(&done.scheme), done.problems)
}

/// Runs on a stack that is large enough.
fn deep<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, f)
}

/// What inference keeps for the caller, as [`Options`] says.
struct Kept {
    /// The types of nodes.
    nodes: Option<FxHashMap<NodeId, TyRef>>,
    /// The types of names that nothing binds, if each has one.
    holes: Option<FxHashMap<NodeId, TyRef>>,
    /// The constraints, if the caller wants to see them.
    log: Option<Box<log::Log>>,
}

/// When to look at the interrupt flag, and whether it was set.
#[derive(Default)]
struct Interrupts {
    steps: u32,
    stopped: bool,
}

/// One inference. Its state is in groups; a method that needs one group only is a method of that group.
struct Infer<'a> {
    term: Arc<Term>,
    outside: &'a mut dyn Outside,
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
    caches: Caches,
    kept: Kept,
    interrupts: Interrupts,
}

impl<'a> Infer<'a> {
    fn new(term: &Arc<Term>, outside: &'a mut dyn Outside, options: Options) -> Infer<'a> {
        Infer {
            term: term.clone(),
            outside,
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
            caches: Caches::default(),
            kept: Kept {
                nodes: options.nodes.then(FxHashMap::default),
                holes: options.holes.then(FxHashMap::default),
                log: options.log.then(Box::default),
            },
            interrupts: Interrupts::default(),
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
        Ty::Live(self.table.fresh(Kind::Type, self.level)).into()
    }

    /// Whether inference is to stop. Looks at the interrupt flag at every 256th call.
    fn interrupted(&mut self) -> bool {
        self.interrupts.steps = self.interrupts.steps.wrapping_add(1);
        if self.interrupts.steps & 0xff == 0 && self.outside.interrupted() {
            self.interrupts.stopped = true;
        }
        self.interrupts.stopped
    }

    /// Notes that the current unit read the definition of a sibling, assuming that no merge overrides it.
    fn assume_sibling(&mut self, at: Span) {
        if self.rules().extends() {
            self.objects.reads.push(at);
        }
        self.units.assume(at);
    }

    /// Notes that the current unit read a sibling whose type is `ty`, and the siblings that this type was itself read from.
    /// Returns the type inside.
    fn assume_siblings_in<'t>(&mut self, ty: &'t TyRef) -> &'t TyRef {
        let mut inner = ty;
        while let Ty::Sibling(sibling, next) = &**inner {
            self.assume_sibling(sibling.at);
            inner = next;
        }
        inner
    }

    fn note(&mut self, id: NodeId, ty: &TyRef) {
        if let Some(nodes) = &mut self.kept.nodes {
            nodes.insert(id, ty.clone());
        }
    }

    /// Infers a part as a unit of its own: its type says whether evaluating it must fail.
    fn thunk(&mut self, id: NodeId) -> TyRef {
        self.in_unit(Role::Perhaps, |infer| infer.expr(id))
    }

    /// Infers a part that is evaluated where what is around it is shown.
    fn member_of(&mut self, id: NodeId) -> TyRef {
        self.in_role(id, units::Role::Part)
    }

    /// The type of a constant, of which a text of data is full: evaluating it asks nothing and cannot fail, so that it needs
    /// no unit of its own, and all constants of one type share its node.
    fn constant(&mut self, id: NodeId) -> Option<TyRef> {
        let ty = match self.term.node(id) {
            Node::Null if self.rules().null_is_any() => return None,
            Node::Null => &self.caches.constants.null,
            Node::Bool(_) => &self.caches.constants.bool,
            Node::Number(_) => &self.caches.constants.number,
            Node::Str(_) => &self.caches.constants.string,
            _ => return None,
        };
        let ty = ty.clone();
        self.interrupted();
        self.note(id, &ty);
        Some(ty)
    }

    /// Infers a part of which is known when it is evaluated.
    fn in_role(&mut self, id: NodeId, role: units::Role) -> TyRef {
        if let Some(ty) = self.constant(id) {
            return ty;
        }
        self.in_unit(role, |infer| infer.expr(id))
    }

    /// Infers something as a unit of its own. `role`: why that unit is evaluated.
    fn in_unit(&mut self, role: Role, f: impl FnOnce(&mut Self) -> TyRef) -> TyRef {
        let parent = self.units.enter(role);
        let ty = f(self);
        let done = self.units.leave(parent);
        for index in &done.findings {
            let Some(finding) = self.findings.get_mut(*index) else { continue };
            finding.assumes.extend(&done.assumes);
            for at in &finding.assumes {
                self.merges.rest_on(*at, finding.missing_label());
            }
        }
        if self.rules().extends() {
            failing(ty, done.fault.into_iter().chain(done.further_faults))
        } else {
            fail_with(ty, done.fault)
        }
    }

    /// A part that may never be evaluated: what goes wrong in it says nothing about what is around it.
    fn lazily(&mut self, id: NodeId) -> TyRef {
        let ty = self.thunk(id);
        self.sound(&ty)
    }

    /// The type of a value once it is there.
    fn sound(&self, ty: &TyRef) -> TyRef {
        let mut at = ty;
        while let Ty::Fails(_, inner) = &**at {
            at = inner;
        }
        at.clone()
    }

    /// The unit at hand runs into a fault.
    fn fails(&mut self, fault: Fault) {
        let several = self.rules().extends();
        self.units.fail(fault, several);
    }

    /// The unit at hand evaluates all of a value of this type.
    fn force_whole(&mut self, ty: &TyRef) {
        for fault in self.failures_in(ty) {
            self.fails(Fault { deep: false, ..fault });
        }
    }

    /// The unit at hand evaluates a value of this type: if that fails, so does the unit.
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

/// The type of a value that fails of the first of several faults that is not met.
fn failing(ty: TyRef, faults: impl DoubleEndedIterator<Item = Fault>) -> TyRef {
    faults.rev().fold(ty, |ty, fault| Ty::Fails(fault, ty).into())
}

/// The type of a value that fails, if there is a fault.
fn fail_with(ty: TyRef, fault: Option<Fault>) -> TyRef {
    match (fault, &*ty) {
        (Some(fault), Ty::Fails(old, inner)) if old.deep => Ty::Fails(fault, inner.clone()).into(),
        (Some(fault), t) if !matches!(t, Ty::Fails(..)) => Ty::Fails(fault, ty).into(),
        _ => ty,
    }
}
