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
mod certain;
mod expression;
mod finish;
mod generalise;
mod join;
mod lets;
mod library;
mod log;
mod merge;
mod narrow;
mod near;
mod objects;
mod operators;
mod pattern;
mod record;
mod report;
mod rows;
mod stated;
mod table;
mod unify;
mod walk;
mod why;

pub use log::{Asked, Collected};

#[cfg(test)]
mod tests;

use crate::problem::Problem;
use crate::term::{Import, Node, NodeId, Semantics, Term, TyVarId};
use crate::text::{Name, Span};
use crate::ty::{Fault, Field, Kind, Live, Scheme, Ty, TyRef};
use finish::Finding;
use generalise::Pending;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::sync::Arc;
use table::Table;

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

/// What is evaluated together or not at all.
#[derive(Default)]
struct Unit {
    parent: u32,
    role: certain::Role,
    /// The failure that its evaluation runs into for certain.
    fault: Option<Fault>,
    /// What it runs into where that one is met by what its object is combined with (jsonnet).
    more: Vec<Fault>,
    /// Definitions of siblings that it reads, as they are in their literal.
    assumes: Vec<Span>,
    /// Problems found in it.
    findings: Vec<u32>,
    /// Parameters that it forces, with the path of fields.
    demands: Vec<(usize, u32, Vec<Name>)>,
}

/// A slot of a frame.
#[derive(Clone)]
struct SlotTy {
    ty: TyRef,
    /// The unit that a parameter belongs to.
    unit: Option<u32>,
    /// What else the slot stands for, of a `let`.
    means: Option<Arc<narrow::Meaning>>,
    /// Its name in the program.
    name: Option<Name>,
    /// What a `let` defines it as.
    at: Option<Span>,
    /// Whether somebody read it.
    read: Cell<bool>,
    /// The frame of the object that it is another name of: `local me = self`.
    object: Option<usize>,
}

impl SlotTy {
    /// The slots of a frame, of which nothing is known yet.
    fn all(names: &[Name]) -> Vec<SlotTy> {
        let nothing = SlotTy::of(Ty::Bottom.into());
        names.iter().map(|name| SlotTy { name: Some(name.clone()), ..nothing.clone() }).collect()
    }

    /// The type, for somebody who reads the slot.
    fn read(&self) -> TyRef {
        self.read.set(true);
        self.ty.clone()
    }

    fn of(ty: TyRef) -> SlotTy {
        SlotTy { ty, unit: None, means: None, name: None, at: None, read: Cell::new(false), object: None }
    }
}

/// What is known of a field inside its literal.
#[derive(Clone)]
enum Member {
    /// Not inferred yet; the variable was made at its first use.
    Pending(Option<TyRef>),
    /// Its contracts say so.
    Declared(TyRef),
    /// As far as this literal says.
    Done(Field),
}

/// The types of constants.
struct Constants {
    null: TyRef,
    bool: TyRef,
    number: TyRef,
    string: TyRef,
}

impl Default for Constants {
    fn default() -> Constants {
        let [null, bool, number, string] = [Ty::Null, Ty::Bool, Ty::Number, Ty::String].map(TyRef::from);
        Constants { null, bool, number, string }
    }
}

enum Frame {
    Slots(Vec<SlotTy>),
    Record { members: FxHashMap<Name, Member>, level: u32, object: Option<Box<objects::Object>> },
}

struct Infer<'a> {
    term: Arc<Term>,
    outside: &'a mut dyn Outside,
    table: Table,
    frames: Vec<Frame>,
    level: u32,
    units: Vec<Unit>,
    unit: u32,
    pending: Vec<Pending>,
    solving: bool,
    findings: Vec<Finding>,
    /// Definitions that some merge replaced by another type.
    changed: FxHashSet<Span>,
    /// Definitions that problems rest on, with the labels that were missed in them.
    missed: FxHashMap<Span, Vec<Name>>,
    /// Such definitions that were merged into another one of their priority, by that one.
    absorbed: FxHashMap<Span, Vec<Span>>,
    /// Missed labels that some merge brought.
    brought: FxHashSet<(Span, Name)>,
    /// Places where a record contract is named that is a field, which merges may still extend.
    late: FxHashSet<Span>,
    unified: FxHashMap<(usize, usize), (TyRef, TyRef)>,
    /// Closed types that were joined without a word, with what came of it.
    joined: FxHashMap<(usize, usize), (TyRef, TyRef, TyRef)>,
    /// Closed types between which there is no difference.
    alike: FxHashMap<(usize, usize), (TyRef, TyRef)>,
    /// As `joined`, of merges.
    merged: FxHashMap<(usize, usize), (TyRef, TyRef, TyRef)>,
    /// What closed types state in annotations.
    stated: FxHashMap<usize, (TyRef, TyRef)>,
    ty_vars: FxHashMap<TyVarId, Live>,
    library: FxHashMap<Vec<Name>, Option<TyRef>>,
    /// How often a merge gave a field another type.
    type_changes: u32,
    /// Definitions that a merge combined with another one: that one.
    combined: FxHashMap<Span, Span>,
    merging_at: (Option<Span>, Option<Span>),
    here: Span,
    nodes: Option<FxHashMap<NodeId, TyRef>>,
    /// The types of names that nothing binds, where each has one.
    holes: Option<FxHashMap<NodeId, TyRef>>,
    /// What is asked for, where somebody wants to see it.
    log: Option<Box<log::Log>>,
    ticks: u32,
    stopped: bool,
    constants: Constants,
    /// Joins say nothing of distinct heads.
    quiet: bool,
    /// Places as the branch at hand sees them, the innermost last.
    views: Vec<narrow::View>,
    /// Places of array literals that are not empty, and of tags.
    literals: FxHashSet<Span>,
    /// A part of an array is at hand.
    inside: bool,
    /// Scrutinees of matches that are called at once, with the argument.
    applied: FxHashMap<NodeId, NodeId>,
    /// Conflicts between readers of declared siblings and what the siblings are defined as.
    rests: Vec<certain::Rest>,
    /// Scrutinees of those that are places.
    subjects: FxHashMap<NodeId, narrow::Place>,
    /// Variables born of `null` and `error` (jsonnet).
    opens: Vec<Live>,
    /// The level that such variables are of: of the object literal or local around.
    open_level: u32,
    /// The level that was entered last and is left, and how many constraints waited by then.
    since: (u32, usize),
    /// The argument at hand is one of jsonnet's library.
    lenient: bool,
    /// Definitions of siblings that were read, in order.
    reads: Vec<Span>,
    /// Variables that stand for objects which are not known yet, by way of `self`.
    derived: FxHashMap<table::Vid, objects::derive::Derived>,
    later: objects::derive::Later,
    /// Parts that nothing has, in objects that nothing is combined with any more: the problem of each place.
    unmet: FxHashMap<Span, u32>,
    /// Places where a part of something is missed, with the place of that: where it is missed itself, that is all there is to say.
    follows: FxHashMap<Span, Span>,
    /// Objects that were looked through for such parts.
    final_rows: FxHashMap<usize, TyRef>,
    /// Scrutinees that are answers to what type a place has.
    asked: FxHashMap<NodeId, narrow::Place>,
}

impl<'a> Infer<'a> {
    fn new(term: &Arc<Term>, outside: &'a mut dyn Outside, options: Options) -> Infer<'a> {
        Infer {
            term: term.clone(),
            outside,
            table: Table::default(),
            frames: Vec::new(),
            level: 0,
            units: vec![Unit::default()],
            unit: 0,
            pending: Vec::new(),
            solving: false,
            findings: Vec::new(),
            changed: FxHashSet::default(),
            missed: FxHashMap::default(),
            absorbed: FxHashMap::default(),
            brought: FxHashSet::default(),
            late: FxHashSet::default(),
            unified: FxHashMap::default(),
            joined: FxHashMap::default(),
            alike: FxHashMap::default(),
            merged: FxHashMap::default(),
            stated: FxHashMap::default(),
            ty_vars: FxHashMap::default(),
            library: FxHashMap::default(),
            type_changes: 0,
            combined: FxHashMap::default(),
            merging_at: (None, None),
            here: term.span(term.root),
            nodes: options.nodes.then(FxHashMap::default),
            holes: options.holes.then(FxHashMap::default),
            log: options.log.then(Box::default),
            ticks: 0,
            stopped: false,
            constants: Constants::default(),
            quiet: false,
            views: Vec::new(),
            literals: FxHashSet::default(),
            inside: false,
            applied: FxHashMap::default(),
            rests: Vec::new(),
            subjects: FxHashMap::default(),
            asked: FxHashMap::default(),
            opens: Vec::new(),
            open_level: 1,
            since: (0, 0),
            lenient: false,
            reads: Vec::new(),
            derived: FxHashMap::default(),
            later: objects::derive::Later::default(),
            unmet: FxHashMap::default(),
            follows: FxHashMap::default(),
            final_rows: FxHashMap::default(),
        }
    }

    /// Whether the term follows jsonnet's rules.
    fn is_jsonnet(&self) -> bool {
        self.term.semantics == Semantics::Jsonnet
    }

    /// A new type variable of the level at hand.
    fn fresh(&mut self) -> TyRef {
        Ty::Live(self.table.fresh(Kind::Type, self.level)).into()
    }

    /// Looks at the interrupt flag now and then.
    fn interrupted(&mut self) -> bool {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks & 0xff == 0 && self.outside.interrupted() {
            self.stopped = true;
        }
        self.stopped
    }

    /// Whether a unit is the one at hand or around it.
    fn encloses(&self, unit: u32) -> bool {
        let mut at = self.unit;
        loop {
            if at == unit {
                return true;
            }
            match self.units.get(at as usize) {
                Some(u) if at != 0 => at = u.parent,
                _ => return false,
            }
        }
    }

    /// The unit at hand rests on the definition of a sibling as it is in its literal.
    fn assume_sibling(&mut self, at: Span) {
        if self.is_jsonnet() {
            self.reads.push(at);
        }
        if let Some(unit) = self.units.get_mut(self.unit as usize)
            && unit.assumes.last() != Some(&at)
        {
            unit.assumes.push(at);
        }
    }

    fn note(&mut self, id: NodeId, ty: &TyRef) {
        if let Some(nodes) = &mut self.nodes {
            nodes.insert(id, ty.clone());
        }
    }

    /// Infers a part as a unit of its own: its type says whether evaluating it must fail.
    fn thunk(&mut self, id: NodeId) -> TyRef {
        self.unit_of(|infer| infer.expr(id)).0
    }

    /// Infers a part that is evaluated where what is around it is shown.
    fn member_of(&mut self, id: NodeId) -> TyRef {
        self.in_role(id, certain::Role::Part)
    }

    /// The type of a constant, of which a text of data is full: evaluating it asks nothing and cannot fail, so that it needs
    /// no unit of its own, and all constants of one type share its node.
    fn constant(&mut self, id: NodeId) -> Option<TyRef> {
        let ty = match self.term.node(id) {
            Node::Null if self.is_jsonnet() => return None,
            Node::Null => &self.constants.null,
            Node::Bool(_) => &self.constants.bool,
            Node::Number(_) => &self.constants.number,
            Node::Str(_) => &self.constants.string,
            _ => return None,
        };
        let ty = ty.clone();
        self.interrupted();
        self.note(id, &ty);
        Some(ty)
    }

    /// Infers a part of which is known when it is evaluated.
    fn in_role(&mut self, id: NodeId, role: certain::Role) -> TyRef {
        if let Some(ty) = self.constant(id) {
            return ty;
        }
        self.in_unit(role, |infer| infer.expr(id))
    }

    /// Infers something as a unit of its own, of which is known when it is evaluated.
    fn in_unit(&mut self, role: certain::Role, f: impl FnOnce(&mut Self) -> TyRef) -> TyRef {
        let inside = |infer: &mut Self| {
            let here = infer.unit as usize;
            if let Some(unit) = infer.units.get_mut(here) {
                unit.role = role;
            }
            f(infer)
        };
        self.unit_of(inside).0
    }

    /// Infers something as a unit of its own; also gives the unit.
    fn unit_of(&mut self, f: impl FnOnce(&mut Self) -> TyRef) -> (TyRef, u32) {
        let parent = self.unit;
        self.units.push(Unit { parent, ..Unit::default() });
        self.unit = self.units.len() as u32 - 1;
        let here = self.unit;
        let ty = f(self);
        self.unit = parent;
        let Some(unit) = self.units.get_mut(here as usize) else { return (ty, here) };
        let assumes = std::mem::take(&mut unit.assumes);
        let findings = std::mem::take(&mut unit.findings);
        for finding in &findings {
            if let Some(f) = self.findings.get_mut(*finding as usize) {
                f.assumes.extend(&assumes);
                for at in &f.assumes {
                    let names = self.missed.entry(*at).or_default();
                    if let Some(name) = f.missing_label().filter(|n| !names.contains(n)) {
                        names.push(name.clone());
                    }
                }
            }
        }
        // what is around it may have read the sibling that it uses
        if let Some(around) = self.units.get_mut(parent as usize) {
            around.findings.extend(findings);
        }
        let Some(unit) = self.units.get_mut(here as usize) else { return (ty, here) };
        let (fault, more) = (unit.fault, std::mem::take(&mut unit.more));
        if self.is_jsonnet() {
            (failing(ty, fault.into_iter().chain(more)), here)
        } else {
            (fail_with(ty, fault), here)
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
        let several = self.is_jsonnet();
        let Some(unit) = self.units.get_mut(self.unit as usize) else { return };
        match unit.fault {
            None => unit.fault = Some(fault),
            Some(first) => {
                let known = first.span == fault.span || unit.more.iter().any(|f| f.span == fault.span);
                if several && !known && unit.more.len() < FAULTS {
                    unit.more.push(fault);
                }
            }
        }
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

/// How many faults of one unit are known beside the first.
const FAULTS: usize = 7;

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
