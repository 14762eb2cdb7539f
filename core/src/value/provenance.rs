//! Provenance: the definitions that the value at a path comes from, which of them counts, and why.
//!
//! Nothing is recorded while a program runs. A record keeps its layers ([`super::record`]), so the definitions of a
//! field can be inspected afterwards. [`Machine::provenance`] follows the path and inspects, at each step, the stack of
//! the field in its *final* record (`stack`, `chain`). If a definition of an outer field lost as a whole, it inspects
//! that too (`lost`), because the definitions inside it lost with it.

mod chain;
mod checks;
mod elements;
mod fold;
mod joins;
mod ordered;
mod outer;
mod stack;

use super::Step;
use super::contract::Applied;
use super::{Fault, Label, Machine, Record, Thunk, Value};
use crate::meta::{Priority, Push, Visibility};
use crate::text::{Name, Span};
use std::rc::Rc;

pub use elements::Element;
pub(in crate::value) use fold::steps;
pub use fold::{Fold, FoldKind};
pub use joins::{Join, KnownJoins};
use outer::OuterDefinition;

/// The provenance of the value at a path.
#[derive(Clone)]
pub struct Provenance {
    /// Number of steps of the path that this describes: all of them, unless an outer field has no value.
    pub depth: usize,
    /// The final value.
    pub value: Thunk,
    /// The fault, if the evaluation failed.
    pub fault: Option<Fault>,
    /// The reason why the rest of the path does not exist, although there is a value.
    pub path_error: Option<Fault>,
    /// The result of the merge.
    pub verdict: MergeOutcome,
    /// All definitions, in merge order, followed by those that lost with an outer field.
    pub definitions: Vec<Definition>,
    /// The contracts on the field in the order in which they apply, followed by those on the enclosing records.
    pub checks: Vec<Check>,
    /// The application of the merge function, or of `+:`, to the definitions.
    pub fold: Option<Fold>,
    /// The origin of each element, for an array that several definitions contributed to.
    pub elements: Vec<Element>,
    /// Whether the definitions are objects combined by `+`, from the lowest.
    pub chain: bool,
    /// The combined flags of the field.
    pub flags: Flags,
    /// Whether a new definition would count by its own priority: true if the definitions of outer fields have no
    /// priority.
    pub open: bool,
}

/// The flags of a field, combined from all its definitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// Omitted from exports: `not_exported`, `::`.
    pub hidden: bool,
    /// Every definition is `optional`.
    pub optional: bool,
    /// `secret`
    pub secret: bool,
}

/// The result of merging the definitions of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MergeOutcome {
    /// One definition wins.
    Wins,
    /// Several definitions are combined: records merge, a function or `+:` folds.
    Combined,
    /// Several definitions of the highest priority differ.
    Conflict,
    /// No definition has a value.
    Missing,
    /// The definitions themselves are faulty: two merge functions, a guard that fails.
    Faulty,
}

/// A definition of the field.
#[derive(Clone)]
pub struct Definition {
    /// Number of steps of the path that it defines. It is less than the whole path if a definition of an outer field
    /// competes with the field.
    pub depth: usize,
    /// The span of its value.
    pub span: Option<Span>,
    /// The span of its name.
    pub name_span: Option<Span>,
    /// The span of the whole definition.
    pub whole: Option<Span>,
    /// The effective priority, including `rec` annotations.
    pub priority: Priority,
    /// The span of the priority annotation.
    pub priority_span: Option<Span>,
    /// The `default rec` or `force rec` that applies to it.
    pub push: Option<Push>,
    /// Its own value, before merging and contracts; `None` for a declaration.
    pub value: Option<Thunk>,
    /// Its part in the result.
    pub outcome: DefinitionOutcome,
    /// The reason for the outcome.
    pub because: OutcomeReason,
    /// The operator that merged it with the definitions before it.
    pub join: Option<Join>,
    /// The label of the record contract that contributed it.
    pub brought: Option<Rc<Label>>,
    /// Its guard (`when`).
    pub guard: Option<Span>,
    /// The visibility: `:`, `::`, `:::`.
    pub visibility: Visibility,
    /// `+:`
    pub plus: bool,
    /// Its layer in a `+` chain, from 1.
    pub layer: Option<u32>,
    /// Whether its value is a literal that reads nothing.
    pub literal: bool,
    /// Its expression.
    pub(super) body: Option<elements::Body>,
}

/// The part of a definition in the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DefinitionOutcome {
    /// The result is its value.
    Wins,
    /// Another definition wins.
    Lost,
    /// The result contains its value.
    Part,
    /// It conflicts with another definition.
    Tie,
    /// It equals a definition that counts.
    Same,
    /// It has no effect: its guard is false, or it has no value.
    Off,
    /// A higher layer reads it (`super`).
    Prev,
}

impl DefinitionOutcome {
    /// Returns the word for it, in capitals if the definition counts.
    pub fn word(self) -> &'static str {
        match self {
            DefinitionOutcome::Wins => "WINS",
            DefinitionOutcome::Lost => "lost",
            DefinitionOutcome::Part => "PART",
            DefinitionOutcome::Tie => "TIE",
            DefinitionOutcome::Same => "same",
            DefinitionOutcome::Off => "off",
            DefinitionOutcome::Prev => "prev",
        }
    }
}

/// The reason for a definition's outcome.
#[derive(Clone, PartialEq, Debug)]
pub enum OutcomeReason {
    /// There is no other definition.
    Only,
    /// It has the highest priority.
    Strongest,
    /// A stronger definition wins. Holds the next higher priority.
    Weaker(Priority),
    /// A higher layer of the `+` chain defines the field.
    Above,
    /// It is the uppermost definition of the chain.
    Uppermost,
    /// The enclosing definition of an outer field lost as a whole.
    WithParent {
        /// Number of steps of the path to the outer field.
        depth: usize,
        /// The span of that definition.
        span: Option<Span>,
        /// Its priority.
        priority: Priority,
        /// The reason why it lost.
        because: Box<OutcomeReason>,
    },
    /// A function combined the definitions of an outer field, and received this one.
    ThroughFunction {
        /// Number of steps of the path to the outer field.
        depth: usize,
    },
    /// It equals the definition that counts.
    Equal,
    /// It is a duplicate of the same definition.
    Again,
    /// Records are merged field by field.
    Merged,
    /// A merge function, or `+:`, combined it with others.
    Folded,
    /// Other definitions of its priority differ.
    Differs,
    /// Its guard is false.
    Condition,
    /// It is optional and has no value.
    Unset,
    /// It has no value of its own.
    Declares,
    /// The layer above reads it as `super`.
    Read,
    /// A layer above removed the field.
    Removed,
}

/// A contract on the field, or on an enclosing record.
#[derive(Clone)]
pub struct Check {
    /// Number of steps of the path to the field that has the contract.
    pub depth: usize,
    /// The span of the contract.
    pub span: Span,
    /// The label of the record contract or dictionary contract that contributed it.
    pub via: Option<Rc<Label>>,
    /// The index in [`Provenance::definitions`] of the definition that has the contract.
    pub definition: Option<usize>,
    /// Whether the value satisfies it; `None` if unknown.
    pub holds: Option<bool>,
    /// The fault, if the value breaks it.
    pub fault: Option<Fault>,
    /// Whether it is a `: T`, which applies only to its own definition.
    pub own: bool,
    /// Whether it is an `assert` of an object.
    pub assert: bool,
}

/// The resolved stack of a field on the path.
pub(super) struct ResolvedField {
    pub(super) value: Thunk,
    pub(super) fault: Option<Fault>,
    pub(super) verdict: MergeOutcome,
    pub(super) definitions: Vec<Definition>,
    pub(super) contracts: Vec<PendingContract>,
    pub(super) fold: Option<Fold>,
    /// The value before contracts.
    pub(super) bare: Option<Thunk>,
    pub(super) chain: bool,
    pub(super) flags: Flags,
}

/// A contract that remains to be checked.
pub(super) struct PendingContract {
    pub(super) applied: Rc<Applied>,
    pub(super) definition: Option<usize>,
    pub(super) own: bool,
}

impl Machine {
    /// Returns the provenance of the value at a path. Forces what the path needs, every definition of its last field,
    /// and the contracts on it. Fails if the path does not exist. O(definitions of the fields on the path), once the
    /// records' tables exist.
    pub fn provenance(&mut self, root: &Thunk, path: &[Step]) -> Result<Provenance, Fault> {
        let mut secret = false;
        let found = self.provenance_through(root, path, &mut secret);
        if !secret {
            return found;
        }
        // a part of a secret is one too
        let mut found = found.map_err(|fault| self.part_of_secret_failed(fault))?;
        found.flags.secret = true;
        found.fault = found.fault.map(|fault| self.part_of_secret_failed(fault));
        Ok(found)
    }

    /// Returns the provenance of a field. Sets `secret` if the path leads through a secret.
    fn provenance_through(&mut self, root: &Thunk, path: &[Step], secret: &mut bool) -> Result<Provenance, Fault> {
        let mut walk = Walk {
            path,
            holders: Vec::new(),
            outer_checks: Vec::new(),
            known_joins: KnownJoins::default(),
            open: true,
        };
        let mut here = root.clone();
        let mut before: Option<(Record, Name, ResolvedField)> = None;
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
                    // The path ends at a value without such a part. Returns the provenance of that value.
                    (Err(fault), Some((record, name, stack))) => {
                        walk.holders.retain(|holder| holder.depth < at);
                        let mut out = self.provenance_of(&record, &name, at, stack, walk)?;
                        out.path_error = Some(fault);
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
            let Some(mut stack) = self.stack_of(record, &name, depth, &walk.known_joins)? else {
                return self.provenance_of_nothing(record, &name, depth, walk);
            };
            stack.fault = asserted.or(stack.fault);
            *secret |= stack.flags.secret || stack.value.secret().is_some();
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

    /// Returns the provenance of a field that the record does not have. A definition that lost with an outer field may
    /// have had it.
    fn provenance_of_nothing(
        &mut self,
        record: &Record,
        name: &Name,
        depth: usize,
        walk: Walk,
    ) -> Result<Provenance, Fault> {
        let fault = self.missing_field(record, name, None);
        let definitions = self.inner_definitions(&walk.holders, walk.path.get(..depth).unwrap_or(walk.path))?;
        if definitions.iter().all(|definition| definition.depth < depth) {
            return Err(fault);
        }
        Ok(Provenance {
            depth,
            value: Thunk::failed(fault.clone()),
            fault: Some(fault),
            verdict: MergeOutcome::Faulty,
            definitions,
            checks: walk.outer_checks,
            fold: None,
            elements: Vec::new(),
            chain: false,
            flags: Flags::default(),
            open: walk.open,
            path_error: None,
        })
    }

    /// Returns whether a field in the records on a path may be late-bound to other fields. If no field refers to its
    /// own record, nothing is recomputed when a field changes. O(fields of those records).
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

    /// Collects what an outer field of the path contributes: definitions that lost with it, contracts on it, and joins
    /// of its records.
    fn pass(&mut self, stack: &ResolvedField, depth: usize, walk: &mut Walk) -> Result<(), Fault> {
        for definition in &stack.definitions {
            if let Some(value) = &definition.value {
                walk.known_joins.remember(value, definition.join.as_ref());
            }
        }
        // A definition with a priority wins or loses together with its outer field.
        let counts = |d: &&Definition| {
            matches!(d.outcome, DefinitionOutcome::Wins | DefinitionOutcome::Part | DefinitionOutcome::Same)
        };
        let plain = |d: &Definition| matches!(d.priority, Priority::Normal | Priority::Layer(_)) && d.push.is_none();
        walk.open &= stack.definitions.iter().filter(counts).all(plain);
        walk.holders
            .extend(stack.definitions.iter().filter_map(|definition| OuterDefinition::of(definition, depth, stack)));
        let checks = self.outer_checks(stack, depth)?;
        walk.outer_checks.extend(checks);
        Ok(())
    }

    /// Returns the provenance of the field at the end of the path.
    fn provenance_of(
        &mut self,
        record: &Record,
        name: &Name,
        depth: usize,
        stack: ResolvedField,
        walk: Walk,
    ) -> Result<Provenance, Fault> {
        let ResolvedField { value, fault, verdict, definitions, contracts, fold, bare, chain, flags } = stack;
        let mut checks = self.checked(&contracts, bare.as_ref(), name, depth)?;
        let elements = self.elements(&definitions, fold.as_ref(), bare.as_ref())?;
        checks.extend(self.asserts(record, name, depth)?);
        checks.extend(walk.outer_checks);
        let mut definitions = definitions;
        let listed = |d: &Definition| definitions.iter().any(|l| l.span == d.span && l.name_span == d.name_span);
        let lost = self.inner_definitions(&walk.holders, walk.path.get(..depth).unwrap_or(walk.path))?;
        let lost: Vec<Definition> = lost.into_iter().filter(|d| !listed(d)).collect();
        definitions.extend(lost);
        let open = walk.open;
        Ok(Provenance {
            depth,
            value,
            fault,
            path_error: None,
            verdict,
            definitions,
            checks,
            fold,
            elements,
            chain,
            flags,
            open,
        })
    }

    /// Returns the provenance of an array element: the definition that contributed it.
    fn provenance_of_element(
        &mut self,
        whole: &Thunk,
        index: usize,
        value: Thunk,
        stack: ResolvedField,
        walk: Walk,
    ) -> Result<Provenance, Fault> {
        let depth = walk.path.len();
        let elements = self.elements(&stack.definitions, stack.fold.as_ref(), stack.bare.as_ref().or(Some(whole)))?;
        let from = elements.get(index).and_then(|e| Some((stack.definitions.get(e.definition?)?.clone(), e.span)));
        let mut out = self.provenance_at(value.clone(), walk)?;
        // A record element already lists the literals that it is composed of.
        if let Some((mut definition, span)) = from.filter(|_| out.definitions.is_empty()) {
            (definition.span, definition.whole) = (span.or(definition.span), span.or(definition.whole));
            (definition.depth, definition.value) = (depth, Some(value));
            (definition.outcome, definition.because) = (DefinitionOutcome::Wins, OutcomeReason::Only);
            out.definitions.insert(0, definition);
        }
        out.flags = stack.flags;
        out.chain = stack.chain;
        Ok(out)
    }

    /// Returns the provenance of the root, or of a value inside an array element. A record lists the literals that it
    /// is composed of.
    fn provenance_at(&mut self, value: Thunk, walk: Walk) -> Result<Provenance, Fault> {
        let depth = walk.path.len();
        let (forced, fault) = match self.force(&value) {
            Ok(value) => (Some(value), None),
            Err(fault) if fault.is_transient() => return Err(fault),
            Err(fault) => (None, Some(fault)),
        };
        let mut definitions = match &forced {
            Some(Value::Record(record)) => record.composed(&walk.known_joins, depth),
            _ => Vec::new(),
        };
        let verdict = match definitions.len() {
            _ if fault.is_some() => MergeOutcome::Faulty,
            0 | 1 => MergeOutcome::Wins,
            _ => MergeOutcome::Combined,
        };
        definitions.extend(self.inner_definitions(&walk.holders, walk.path)?);
        Ok(Provenance {
            depth,
            value,
            fault,
            verdict,
            definitions,
            checks: walk.outer_checks,
            fold: None,
            elements: Vec::new(),
            chain: matches!(&forced, Some(Value::Record(record)) if record.is_chain()),
            flags: Flags::default(),
            open: walk.open,
            path_error: None,
        })
    }
}

/// The state that is collected along the path.
pub(super) struct Walk<'p> {
    path: &'p [Step],
    holders: Vec<OuterDefinition>,
    outer_checks: Vec<Check>,
    known_joins: KnownJoins,
    open: bool,
}

/// Returns the name of the field that a step refers to.
pub(super) fn field_name(step: &Step) -> Option<Name> {
    Some(match step {
        Step::Field(name) => name.clone(),
        Step::Index(index) => Name::from(index.to_string()),
    })
}

/// Returns the index of the element that a step refers to.
fn index_of(step: &Step) -> Option<usize> {
    match step {
        Step::Index(index) => Some(*index),
        Step::Field(name) => name.parse().ok(),
    }
}
