//! Where the value at a path comes from: every definition that had a say, which of them counts, and why.
//!
//! Nothing is recorded while a program runs: a record keeps its layers ([`super::record`]), so the definitions of a field are
//! there to be looked at afterwards. [`Machine::provenance`] walks the path; at each step it looks at the stack of the field
//! in its *final* record (`stack`, `chain`), and where a definition of an outer field lost as a whole it looks into that
//! too (`lost`), because what stood in it lost with it.

mod chain;
mod checks;
mod elements;
mod fold;
mod joins;
mod lost;
mod stack;

use super::contract::Applied;
use super::machine::Step;
use super::{Fault, Label, Machine, Record, Thunk, Value};
use crate::meta::{Priority, Push, Visibility};
use crate::text::{Name, Span};
use std::rc::Rc;

pub use elements::Element;
pub(in crate::value) use fold::steps;
pub use fold::{Fold, FoldKind, FoldStep};
pub use joins::{Join, Joint};
use lost::Holder;

/// Where the value at a path comes from.
#[derive(Clone)]
pub struct Provenance {
    /// How many steps of the path this is about: all of them, unless an outer field has no value to look into.
    pub depth: usize,
    /// The final value.
    pub value: Thunk,
    /// Why there is none.
    pub fault: Option<Fault>,
    /// Why the path leads no further, where it does not, although there is a value.
    pub beyond: Option<Fault>,
    /// What came of the definitions.
    pub verdict: Verdict,
    /// Every definition, in the order of the merge; those that lost with an outer field stand behind.
    pub definitions: Vec<Definition>,
    /// The contracts on the field, in the order they are applied, then those on the records around it.
    pub checks: Vec<Check>,
    /// The function, or jsonnet's `+:`, that combined the definitions.
    pub fold: Option<Fold>,
    /// Of an array that several definitions combined: where each element came from.
    pub elements: Vec<Element>,
    /// The record that the field is a field of, in its final form, and its name; `None` of the root and of elements.
    pub field: Option<(Record, Name)>,
    /// Whether the definitions are layers of jsonnet's `+`, from the lowest up.
    pub chain: bool,
    /// What the metadata of all definitions makes of the field.
    pub flags: Flags,
    /// Whether a definition that is merged over it counts by its own priority: the definitions of outer fields have none.
    pub open: bool,
}

/// What the metadata of all definitions makes of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// Left out of exports: `not_exported`, `::`.
    pub hidden: bool,
    /// Every definition says `optional`.
    pub optional: bool,
    /// `secret`
    pub secret: bool,
}

/// What came of the definitions of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// One counts.
    Wins,
    /// Several are combined: records merge, a function or `+:` folds.
    Combined,
    /// Several of the highest priority differ.
    Conflict,
    /// None has a value.
    Missing,
    /// A fault in the definitions themselves: two merge functions, a guard that fails.
    Faulty,
}

/// One definition of the field.
#[derive(Clone)]
pub struct Definition {
    /// How many steps of the path it defines: fewer than all where a definition of an outer field stands against it.
    pub depth: usize,
    /// Where its value is written.
    pub span: Option<Span>,
    /// Where its name is.
    pub name_span: Option<Span>,
    /// The whole definition.
    pub whole: Option<Span>,
    /// Its priority as it counts: with the `rec` that reached it.
    pub priority: Priority,
    /// Where the priority is written, if it is.
    pub priority_span: Option<Span>,
    /// The `default rec` or `force rec` it came through.
    pub push: Option<Push>,
    /// Its own value, before merging and contracts; `None` where it only declares.
    pub value: Option<Thunk>,
    /// What became of it.
    pub outcome: Outcome,
    /// Why.
    pub because: Because,
    /// The operator that brought it together with what stands before it.
    pub join: Option<Join>,
    /// The label of the record contract that brought it.
    pub brought: Option<Rc<Label>>,
    /// Its condition (`when`).
    pub guard: Option<Span>,
    /// Jsonnet's `:`, `::`, `:::`.
    pub visibility: Visibility,
    /// `+:`
    pub plus: bool,
    /// Its layer of a `+` chain, from 1.
    pub layer: Option<u32>,
    /// Whether its value is written out, and reads nothing.
    pub literal: bool,
    /// Its expression.
    pub(super) body: Option<elements::Body>,
}

/// What became of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The value is its value.
    Wins,
    /// Another one counts.
    Lost,
    /// It is a part of the value.
    Part,
    /// It conflicts with another.
    Tie,
    /// It equals one that counts.
    Same,
    /// It says nothing: its condition is false, or it has no value.
    Off,
    /// A newer one was built on it (`super`).
    Prev,
}

impl Outcome {
    /// The word for it: in capitals what counts.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Wins => "WINS",
            Outcome::Lost => "lost",
            Outcome::Part => "PART",
            Outcome::Tie => "TIE",
            Outcome::Same => "same",
            Outcome::Off => "off",
            Outcome::Prev => "prev",
        }
    }
}

/// Why a definition came out as it did.
#[derive(Clone, PartialEq, Debug)]
pub enum Because {
    /// There is no other.
    Only,
    /// It is the strongest.
    Strongest,
    /// A stronger one counts; the next stronger there is has this priority.
    Weaker(Priority),
    /// An object above it in the `+` chain defines the field.
    Above,
    /// It is the uppermost one of the chain.
    Uppermost,
    /// Its outer field lost as a whole.
    WithParent {
        /// How many steps of the path the outer field is.
        depth: usize,
        /// Where that definition stands.
        span: Option<Span>,
        /// Its priority.
        priority: Priority,
        /// Why it lost.
        because: Box<Because>,
    },
    /// The outer field's definitions were combined by a function, which saw it.
    ThroughFunction {
        /// How many steps of the path the outer field is.
        depth: usize,
    },
    /// It equals the one that counts.
    Equal,
    /// It is the same definition, met twice.
    Again,
    /// Records are merged field by field.
    Merged,
    /// A merge function, or `+:`, combined it with others.
    Folded,
    /// Others of its priority differ.
    Differs,
    /// Its condition is false.
    Condition,
    /// It is optional and has no value.
    Unset,
    /// It has no value of its own.
    Declares,
    /// The object above it reads it as `super`.
    Read,
    /// A layer above removed the field.
    Removed,
}

/// A contract on the field, or on a record around it.
#[derive(Clone)]
pub struct Check {
    /// How many steps of the path it stands on.
    pub depth: usize,
    /// Where it is written.
    pub span: Span,
    /// Its name in messages.
    pub name: Name,
    /// The record contract or dictionary contract that brought it.
    pub via: Option<Rc<Label>>,
    /// The definition it was written on, by its number in [`Provenance::definitions`].
    pub definition: Option<usize>,
    /// Whether the value meets it; `None` where that is not known.
    pub holds: Option<bool>,
    /// Why not.
    pub fault: Option<Fault>,
    /// `: T`: it is of its own definition alone.
    pub own: bool,
    /// Jsonnet's `assert`.
    pub assert: bool,
}

/// What is known of one step of the path.
pub(super) struct Found {
    pub(super) value: Thunk,
    pub(super) fault: Option<Fault>,
    pub(super) verdict: Verdict,
    pub(super) definitions: Vec<Definition>,
    pub(super) contracts: Vec<Waiting>,
    pub(super) fold: Option<Fold>,
    /// The value before contracts.
    pub(super) bare: Option<Thunk>,
    pub(super) chain: bool,
    pub(super) flags: Flags,
}

/// A contract in a stack.
pub(super) struct Waiting {
    pub(super) applied: Rc<Applied>,
    pub(super) definition: Option<usize>,
    pub(super) own: bool,
}

impl Machine {
    /// Where the value at a path comes from. Forces what the path needs, every definition of its last field, and the
    /// contracts on it. Fails where the path leads nowhere. O(definitions of the fields on the path), after the records'
    /// tables are there.
    pub fn provenance(&mut self, root: &Thunk, path: &[Step]) -> Result<Provenance, Fault> {
        let mut walk = Walk { path, holders: Vec::new(), around: Vec::new(), joints: Joint::default(), open: true };
        let mut here = root.clone();
        let mut before: Option<(Record, Name, Found)> = None;
        for (at, step) in path.iter().enumerate() {
            self.tick()?;
            let depth = at + 1;
            let value = self.force(&here)?;
            let (Value::Record(record), Some(name)) = (&value, field_name(step)) else {
                let element = match (self.at(&here, std::slice::from_ref(step)), before.take()) {
                    (Ok(element), _) if depth < path.len() => element,
                    (Ok(element), Some((_, _, stack))) => {
                        let index = index_of(step).unwrap_or(usize::MAX);
                        return self.provenance_of_element(&here, index, element, stack, walk);
                    }
                    (Ok(element), None) => element,
                    (Err(fault), _) if fault.is_transient() => return Err(fault),
                    // The way ends in something that has no such part: that is explained.
                    (Err(fault), Some((record, name, stack))) => {
                        walk.holders.retain(|holder| holder.depth < at);
                        let mut out = self.provenance_of(&record, &name, at, stack, walk)?;
                        out.beyond = Some(fault);
                        return Ok(out);
                    }
                    (Err(fault), None) => return Err(fault),
                };
                here = element;
                continue;
            };
            let asserted = match self.check_asserts(record) {
                Err(fault) if fault.is_transient() => return Err(fault),
                asserted => asserted.err(),
            };
            let Some(mut stack) = self.stack_of(record, &name, depth, &walk.joints)? else {
                return self.provenance_of_nothing(record, &name, depth, walk);
            };
            stack.fault = asserted.or(stack.fault);
            let last = depth == path.len();
            if last || stack.fault.is_some() {
                return self.provenance_of(record, &name, depth, stack, walk);
            }
            here = stack.value.clone();
            self.pass(&stack, depth, &mut walk)?;
            before = Some((record.clone(), name, stack));
        }
        self.provenance_at(here, walk)
    }

    /// A field that the record has not: what lost with an outer field may have had it.
    fn provenance_of_nothing(
        &mut self,
        record: &Record,
        name: &Name,
        depth: usize,
        walk: Walk,
    ) -> Result<Provenance, Fault> {
        let fault = self.missing_field(record, name, None);
        let definitions = self.lost(&walk.holders, walk.path.get(..depth).unwrap_or(walk.path))?;
        if definitions.iter().all(|definition| definition.depth < depth) {
            return Err(fault);
        }
        Ok(Provenance {
            depth,
            value: Thunk::failed(fault.clone()),
            fault: Some(fault),
            verdict: Verdict::Faulty,
            definitions,
            checks: walk.around,
            fold: None,
            elements: Vec::new(),
            field: Some((record.clone(), name.clone())),
            chain: false,
            flags: Flags::default(),
            open: walk.open,
            beyond: None,
        })
    }

    /// Whether something in the records on a path may be computed from their fields by late binding: where nothing refers
    /// to its own record, nothing is recomputed when a field has another value. O(fields of those records).
    pub fn is_late_bound(&mut self, root: &Thunk, path: &[Step]) -> Result<bool, Fault> {
        let mut here = root.clone();
        for step in path {
            self.tick()?;
            if let Value::Record(record) = self.force(&here)?
                && record.refers_to_itself()
            {
                return Ok(true);
            }
            here = self.at(&here, std::slice::from_ref(step))?;
        }
        Ok(false)
    }

    /// A field in the middle of the path: what lost with it, what checks it, and where its records came together.
    fn pass(&mut self, stack: &Found, depth: usize, walk: &mut Walk) -> Result<(), Fault> {
        for definition in &stack.definitions {
            if let Some(value) = &definition.value {
                walk.joints.remember(value, definition.join.as_ref());
            }
        }
        // A definition beside one of another priority wins or loses with its outer field.
        let counts = |d: &&Definition| matches!(d.outcome, Outcome::Wins | Outcome::Part | Outcome::Same);
        let plain = |d: &Definition| matches!(d.priority, Priority::Normal | Priority::Layer(_)) && d.push.is_none();
        walk.open &= stack.definitions.iter().filter(counts).all(plain);
        walk.holders.extend(stack.definitions.iter().filter_map(|definition| Holder::of(definition, depth, stack)));
        let checks = self.around(stack, depth)?;
        walk.around.extend(checks);
        Ok(())
    }

    /// The field that the path ends at.
    fn provenance_of(
        &mut self,
        record: &Record,
        name: &Name,
        depth: usize,
        stack: Found,
        walk: Walk,
    ) -> Result<Provenance, Fault> {
        let Found { value, fault, verdict, definitions, contracts, fold, bare, chain, flags } = stack;
        let mut checks = self.checked(&contracts, bare.as_ref(), record, name, depth)?;
        let elements = self.elements(&definitions, fold.as_ref(), bare.as_ref())?;
        checks.extend(self.asserts(record, name, depth)?);
        checks.extend(walk.around);
        let mut definitions = definitions;
        let listed = |d: &Definition| definitions.iter().any(|l| l.span == d.span && l.name_span == d.name_span);
        let lost = self.lost(&walk.holders, walk.path.get(..depth).unwrap_or(walk.path))?;
        let lost: Vec<Definition> = lost.into_iter().filter(|d| !listed(d)).collect();
        definitions.extend(lost);
        let (field, open) = (Some((record.clone(), name.clone())), walk.open);
        Ok(Provenance {
            depth,
            value,
            fault,
            beyond: None,
            verdict,
            definitions,
            checks,
            fold,
            elements,
            field,
            chain,
            flags,
            open,
        })
    }

    /// An element of the array that a field is: the definition that gave it.
    fn provenance_of_element(
        &mut self,
        whole: &Thunk,
        index: usize,
        value: Thunk,
        stack: Found,
        walk: Walk,
    ) -> Result<Provenance, Fault> {
        let depth = walk.path.len();
        let elements = self.elements(&stack.definitions, stack.fold.as_ref(), stack.bare.as_ref().or(Some(whole)))?;
        let from = elements.get(index).and_then(|e| Some((stack.definitions.get(e.definition?)?.clone(), e.span)));
        let mut out = self.provenance_at(value.clone(), walk)?;
        // Of a record the literals that it is composed of are told.
        if let Some((mut definition, span)) = from.filter(|_| out.definitions.is_empty()) {
            (definition.span, definition.whole) = (span.or(definition.span), span.or(definition.whole));
            (definition.depth, definition.value) = (depth, Some(value));
            (definition.outcome, definition.because) = (Outcome::Wins, Because::Only);
            out.definitions.insert(0, definition);
        }
        out.flags = stack.flags;
        out.chain = stack.chain;
        Ok(out)
    }

    /// The root, or what stands in an element of an array: of a record the literals that it is composed of.
    fn provenance_at(&mut self, value: Thunk, walk: Walk) -> Result<Provenance, Fault> {
        let depth = walk.path.len();
        let (forced, fault) = match self.force(&value) {
            Ok(value) => (Some(value), None),
            Err(fault) if fault.is_transient() => return Err(fault),
            Err(fault) => (None, Some(fault)),
        };
        let mut definitions = match &forced {
            Some(Value::Record(record)) => record.composed(&walk.joints, depth),
            _ => Vec::new(),
        };
        let verdict = match definitions.len() {
            _ if fault.is_some() => Verdict::Faulty,
            0 | 1 => Verdict::Wins,
            _ => Verdict::Combined,
        };
        definitions.extend(self.lost(&walk.holders, walk.path)?);
        Ok(Provenance {
            depth,
            value,
            fault,
            verdict,
            definitions,
            checks: walk.around,
            fold: None,
            elements: Vec::new(),
            field: None,
            chain: matches!(&forced, Some(Value::Record(record)) if record.is_chain()),
            flags: Flags::default(),
            open: walk.open,
            beyond: None,
        })
    }
}

/// What is gathered on the way.
pub(super) struct Walk<'p> {
    path: &'p [Step],
    holders: Vec<Holder>,
    around: Vec<Check>,
    joints: Joint,
    open: bool,
}

/// The field of a record that a step means.
pub(super) fn field_name(step: &Step) -> Option<Name> {
    Some(match step {
        Step::Field(name) => name.clone(),
        Step::Index(index) => Name::from(index.to_string()),
    })
}

/// The element that a step means.
fn index_of(step: &Step) -> Option<usize> {
    match step {
        Step::Index(index) => Some(*index),
        Step::Field(name) => name.parse().ok(),
    }
}
