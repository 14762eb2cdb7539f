//! The merges of a value, one operand at a time, with the effect of each operand on the result before it.
//!
//! A value may be merged as `a & b & c`, by a fold, from a list of files, or by a chain of `+`. In each case its
//! operands are joined one after another, and each result is compared with the one before. The answer lists the fields
//! that an operand defines or changes, and counts the rest.

pub mod demand;
pub mod html;
pub mod json;
pub mod text;
mod walk;

use super::explain::subject::of_term as of_expression;
use super::shared::compare::{Comparer, Leaves, SHOWN, Side};
use super::shared::network::network;
use crate::answer::{Answer, Renderer, forms};
use crate::meta::Priority;
use crate::problem::Problem;
use crate::problem::value::ValueKind;
use crate::state::Workspace;
use crate::state::snapshots::Snapshot;
use crate::styled::Styled;
use crate::term::{Node, Term};
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use crate::value::datum::Datum;
use crate::value::{JoinKind, JoinedOperands, Machine, Operand, Thunk, Value};
use std::rc::Rc;
use std::sync::Arc;

/// Number of steps in an answer by default.
const MOST: usize = 100;
/// Maximum number of fields to compare in all steps, if the question sets no number of steps.
const WORK: usize = 1_000_000;
/// Maximum number of merges inside a value.
const CHAINS: usize = 20;
/// Maximum number of fields to search for merges, and the maximum depth of the search.
const SEARCHED: usize = 2000;
const SEARCH_DEPTH: usize = 6;
/// Maximum number of parts of a field that are evaluated to find its reads.
const TRACED: usize = 1000;

/// The question.
#[derive(Clone, Debug, Default)]
pub struct Ask {
    /// Only fields below this path.
    pub below: FieldPath,
    /// Maximum number of steps; 100 by default.
    pub most: Option<usize>,
    /// Whether unchanged fields are listed too.
    pub all: bool,
}

/// The merges of a value.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    /// The demands of the value, in a language that shows them.
    pub demands: demand::Demands,
    /// One chain if the value itself is a merge; otherwise the merges inside it, if there are any.
    pub chains: Vec<Chain>,
    /// The value.
    pub result: Option<Datum>,
    /// Number of its leaves, and number of its leaves without a value.
    pub leaves: Leaves,
    /// The text of the expression, if the question was about one.
    pub written: String,
    /// Whether the expression is a part of the merged value.
    pub is_part: bool,
}

/// One merge: its operands joined one after another.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The path to the merge in the value.
    pub at: FieldPath,
    /// The first operand.
    pub first: Label,
    /// The steps that are listed.
    pub steps: Vec<MergeStep>,
    /// Number of steps in all.
    pub total: usize,
}

/// The text that names an operand.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its place.
    pub span: Option<Span>,
    /// Whether the place is a whole file.
    pub file: bool,
    /// Whether the text at the place contains a secret.
    pub secret: bool,
}

/// The operator that joins an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `&`
    Merge,
    /// `+`
    Plus,
    /// `|`
    Contract,
}

/// One operand joined to the result before it.
#[derive(Clone, Debug)]
pub struct MergeStep {
    /// Its number, from 1.
    pub n: usize,
    /// The operand.
    pub operand: Label,
    /// The operator.
    pub operator: Operator,
    /// The place of the operator with its operands.
    pub merged: Option<Span>,
    /// Its effect on each field.
    pub entries: Vec<Entry>,
    /// Number of leaves that did not change.
    pub same: usize,
    /// Number of functions that were not compared.
    pub unknown: usize,
    /// Whether everything was compared.
    pub whole: bool,
    /// The unchanged fields, if the question includes them.
    pub unchanged: Vec<(FieldPath, Datum)>,
}

/// The effect of a step on a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepEffect {
    /// Only the operand defines it.
    Take,
    /// Both define it, and one overrides the other.
    Override,
    /// Both define the same value.
    Equal,
    /// Both are combined.
    Merge,
    /// A merge function combines them.
    Custom,
    /// Both define different values, and neither overrides the other.
    Conflict,
    /// The operand adds a check, or a check fails.
    Contract,
    /// The operand does not define it, but defines a field that it reads.
    Recompute,
}

impl StepEffect {
    /// Returns the word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            StepEffect::Take => "take",
            StepEffect::Override => "override",
            StepEffect::Equal => "equal",
            StepEffect::Merge => "merge",
            StepEffect::Custom => "custom",
            StepEffect::Conflict => "conflict",
            StepEffect::Contract => "contract",
            StepEffect::Recompute => "recompute",
        }
    }
}

/// The reason for an effect.
#[derive(Clone, PartialEq, Debug)]
pub enum EffectReason {
    /// The left side does not define the field.
    Only,
    /// The field is new and has no value.
    Declared,
    /// The left side declares the field, and the right side gives it its value.
    Defines,
    /// One priority is higher than the other.
    Beats {
        /// The higher priority.
        winner: Priority,
        /// The lower priority.
        loser: Priority,
        /// Whether the left side has the higher one.
        left: bool,
    },
    /// With `+`, the right side overrides the left.
    Right {
        /// Whether the right side reads the left by `super`.
        on_super: bool,
    },
    /// Both are equal.
    Equal,
    /// `+:` adds to the left.
    Adds,
    /// Both have the same priority and combine.
    Combines,
    /// A merge function combines both.
    Function(Span),
    /// Both have this priority, and differ.
    Differ(Priority),
    /// One of its checks was applied.
    Checked,
    /// It reads these fields, which changed.
    Reads(Vec<FieldPath>),
    /// The field was removed.
    Removed,
}

/// A check on a field.
#[derive(Clone, PartialEq, Debug)]
pub struct Check {
    /// Its place.
    pub span: Span,
    /// Whether it holds. `None` if that is unknown because the value is missing.
    pub holds: Option<bool>,
}

/// The effect of a step on one field.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The effect.
    pub kind: StepEffect,
    /// The path of the field.
    pub path: FieldPath,
    /// The value before.
    pub left: Option<Side>,
    /// The value in the operand.
    pub right: Option<Side>,
    /// The value after.
    pub result: Option<Side>,
    /// The reason.
    pub because: EffectReason,
    /// The checks that it must meet: all checks if a merge function made the value, otherwise those that are new or
    /// fail.
    pub checks: Vec<Check>,
    /// Whether it is hidden from exports.
    pub hidden: bool,
}

impl Entry {
    /// Returns `true` if the value changed.
    pub fn changed(&self) -> bool {
        self.kind != StepEffect::Equal && self.left.as_ref().map(|s| &s.value) != self.result.as_ref().map(|s| &s.value)
    }
}

/// Returns the merges of an expression. A name of the session is followed to its definition. If the expression is a path into a
/// merged value, and nothing is merged in the field itself, returns the effects of this merge on the field.
pub fn of_term(session: &mut Workspace, term: Arc<Term>, ask: &Ask) -> Result<Steps, Problem> {
    let mut whole = Arc::new(Term::clone(&term));
    let path = of_expression(session, &mut whole).path;
    let own = of_value(session, term, ask)?;
    if !own.chains.is_empty() || path.steps.is_empty() || session.is_stopped() {
        return Ok(own);
    }
    let below = FieldPath { steps: path.steps.into_iter().chain(ask.below.steps.iter().cloned()).collect() };
    let around = of_value(session, whole, &Ask { below, ..ask.clone() })?;
    Ok(Steps { chains: around.chains, is_part: true, ..own })
}

/// Returns the merges of the value of an expression.
fn of_value(session: &mut Workspace, mut term: Arc<Term>, ask: &Ask) -> Result<Steps, Problem> {
    // a result uses the definitions that it was computed with
    let (mut then, mut born): (Option<Rc<Snapshot>>, _) = (None, None);
    while let Node::Global(name) = term.node(term.root) {
        let definition = match &then {
            Some(then) => then.definition(name).map(|(_, definition)| definition),
            None => session.definition(name),
        };
        let Some(definition) = definition else { break };
        if let Some(kept) = &definition.kept {
            (then, born) = (session.world.snapshot_at(kept.revision), Some(kept.revision));
        }
        term = definition.term.clone();
    }
    let thunk = match born {
        Some(born) => session.machine().thunk_of(&term, born),
        None => session.machine().thunk(&term),
    };
    steps(session, &thunk, ask)
}

/// Returns the merges of a value. Fails if the value itself has an error; an error inside the value is shown at its
/// field.
pub fn steps(session: &mut Workspace, root: &Thunk, ask: &Ask) -> Result<Steps, Problem> {
    let mut operands = session.machine().operands(root).map_err(|fault| fault.problem().clone())?;
    // a part that does not exist is no part without merges
    if let Err(fault) = session.machine().at(root, &ask.below.steps)
        && matches!(fault.what(), Some(ValueKind::MissingField { .. } | ValueKind::NoElement { .. }))
    {
        return Err(fault.problem().clone());
    }
    expand_parts(session, &mut operands);
    let files = files(session, operands.len());
    let mut out = Steps::default();
    let mut left =
        RemainingBudget { steps: ask.most.unwrap_or(MOST), fields: if ask.most.is_some() { usize::MAX } else { WORK } };
    if operands.len() > 1 {
        let (chain, value) = chain(session, FieldPath::root(), &operands, &ask.below, ask.all, &mut left, &files);
        out.chains.push(chain);
        out.finish(session.machine(), &value);
        return Ok(out);
    }
    for (at, operands) in inside(session.machine(), root) {
        let (asked, own) = (&ask.below.steps, &at.steps);
        let below = match (asked.strip_prefix(own.as_slice()), own.starts_with(asked)) {
            (Some(rest), _) => FieldPath { steps: rest.to_vec() },
            (None, true) => FieldPath::root(),
            (None, false) => continue,
        };
        out.chains.push(chain(session, at, &operands, &below, ask.all, &mut left, &files).0);
        if out.chains.len() == CHAINS {
            break;
        }
    }
    out.finish(session.machine(), root);
    Ok(out)
}

/// Returns the files that a program was merged from, in the order of the names that they are bound to.
fn files(session: &Workspace, merged: usize) -> Vec<Span> {
    let file = |number: usize| session.definition(&format!("%file{number}"));
    (0..merged * 2 + 16).filter_map(file).map(|file| file.term.span(file.term.root)).collect()
}

/// Returns the place of the rules for the lists of merged files.
fn rules(session: &Workspace) -> Option<Span> {
    session.definition("%lists0").map(|rules| rules.term.span(rules.term.root))
}

/// Expands operands if assignments of the command line were merged over a program: the operands of the program's own
/// merge, and the assignments at their places in the arguments.
fn expand_parts(session: &mut Workspace, operands: &mut Vec<Operand>) {
    const PROGRAM: &str = "%main";
    let Some(definition) = session.definition(PROGRAM) else { return };
    let whole = Some(definition.term.span(definition.term.root));
    if operands.len() < 2 || operands.first().is_none_or(|first| first.span != whole) {
        return;
    }
    for (number, operand) in operands.iter_mut().skip(1).enumerate() {
        if let Some(layer) = session.definition(&format!("%override{number}")) {
            operand.span = Some(layer.term.span(layer.term.root));
        }
    }
    let program = session.machine().thunk(&definition.term);
    if let Ok(program) = session.machine().operands(&program)
        && program.len() > 1
        && program.iter().all(|operand| matches!(operand.join_kind, JoinKind::Merge(..)))
    {
        operands.splice(0..1, program);
    }
}

impl Steps {
    fn finish(&mut self, machine: &mut Machine, value: &Thunk) {
        self.leaves = Comparer::new(machine).leaves(value, 0);
        self.result = Some(machine.datum(value, SHOWN));
    }
}

/// Finds the merges inside a record, each with the path of its field.
fn inside(machine: &mut Machine, root: &Thunk) -> Vec<(FieldPath, Vec<Operand>)> {
    let mut found = Vec::new();
    let mut searched = 0;
    let mut work = vec![(FieldPath::root(), root.clone())];
    while let Some((path, thunk)) = work.pop() {
        let Ok(Value::Record(record)) = machine.force(&thunk) else { continue };
        if path.steps.len() >= SEARCH_DEPTH {
            continue;
        }
        let mut deeper = Vec::new();
        for field in machine.all_fields(&record).unwrap_or_default() {
            searched += 1;
            if searched > SEARCHED {
                return found;
            }
            let Some(value) = field.value else { continue };
            let path = path.then(Step::Field(field.name));
            match machine.operands(&value) {
                Ok(operands) if operands.len() > 1 => found.push((path, operands)),
                Ok(_) => deeper.push((path, value)),
                Err(_) => {}
            }
        }
        deeper.reverse();
        work.extend(deeper);
    }
    found
}

fn label(operand: &Operand, files: &[Span]) -> Label {
    let file = operand.span.is_some_and(|span| files.contains(&span));
    Label { span: operand.span, file, secret: false }
}

/// The remaining budget of the answer.
struct RemainingBudget {
    steps: usize,
    fields: usize,
}

/// Computes one merge step by step, and its value.
fn chain(
    session: &mut Workspace,
    at: FieldPath,
    operands: &[Operand],
    below: &FieldPath,
    all: bool,
    left: &mut RemainingBudget,
    files: &[Span],
) -> (Chain, Thunk) {
    let mut out = Chain { at, first: Label { span: None, file: false, secret: false }, steps: Vec::new(), total: 0 };
    let mut operands = operands.iter();
    let Some(first) = operands.next() else { return (out, Thunk::done(Value::Null)) };
    out.first = label(first, files);
    out.total = operands.len();
    let mut joined = JoinedOperands::first(first);
    if first.span.is_some()
        && first.span == rules(session)
        && let Some(lowest) = operands.next()
    {
        // the rules for lists are no layer: each step applies them
        joined.join(session.machine(), lowest);
        out.first = label(lowest, files);
        out.total = operands.len();
    }
    // a field is compared in its record, which knows the priorities
    let (around, field) = match below.steps.split_last() {
        Some((Step::Field(name), around)) => (around, Some(name)),
        _ => (below.steps.as_slice(), None),
    };
    let part = |value: &Thunk, machine: &mut Machine| match around.is_empty() {
        true => Some(value.clone()),
        false => machine.at(value, around).ok(),
    };
    let mut n = 0;
    while let Some(operand) = operands.next() {
        n += 1;
        if left.steps == 0 || left.fields == 0 || session.is_stopped() {
            // joined at once: the steps in between are not shown
            joined.join_all(session.machine(), std::iter::once(operand).chain(operands));
            break;
        }
        left.steps -= 1;
        let before = joined.clone();
        let machine = session.machine();
        joined.join(machine, operand);
        let operator = match operand.join_kind {
            JoinKind::Merge(..) => Operator::Merge,
            JoinKind::Plus(_) => Operator::Plus,
            JoinKind::Contract => Operator::Contract,
        };
        let (was, says, now) =
            (part(&before.value, machine), part(&operand.thunk, machine), part(&joined.value, machine));
        // a record contract contributes definitions; any other contract only checks
        let mut is_record = |thunk: &Thunk| matches!(machine.force(thunk), Ok(Value::Record(_)));
        let says = says.filter(|says| operator != Operator::Contract || is_record(says));
        let path = FieldPath { steps: out.at.steps.iter().chain(around).cloned().collect() };
        let mut walked = walk::walk(machine, &path, operator, ([was, says, now], field), all);
        left.fields = left.fields.saturating_sub(walked.spent);
        reads(session, &out.at, &before, operand, &mut walked.entries);
        // one layer may not know that another one marks the field as a secret
        for entry in &mut walked.entries {
            for side in [&mut entry.left, &mut entry.right, &mut entry.result].into_iter().flatten() {
                session.hide_at(&entry.path, &mut side.value);
            }
        }
        walked.unchanged.iter_mut().for_each(|(path, datum)| session.hide_at(path, datum));
        let secret = |side: fn(&Entry) -> &Option<Side>| {
            walked.entries.iter().any(|entry| side(entry).as_ref().is_some_and(Side::is_secret))
        };
        let masked = walked.unchanged.iter().any(|(_, datum)| matches!(datum, Datum::Secret));
        out.first.secret |= n == 1 && (masked || secret(|entry| &entry.left));
        let operand_label = Label { secret: secret(|entry| &entry.right), ..label(operand, files) };
        out.steps.push(MergeStep {
            n,
            operand: operand_label,
            operator,
            merged: operand.join_kind.span(),
            entries: walked.entries,
            same: walked.same,
            unknown: walked.unknown,
            whole: walked.whole,
            unchanged: walked.unchanged,
        });
    }
    (out, joined.value)
}

/// Sets, for each recomputed field, which changed fields it reads. Evaluates the recomputed fields again with tracing.
fn reads(session: &mut Workspace, at: &FieldPath, before: &JoinedOperands, operand: &Operand, entries: &mut [Entry]) {
    let again: Vec<FieldPath> =
        entries.iter().filter(|e| matches!(e.because, EffectReason::Reads(_))).map(|e| e.path.clone()).collect();
    let changed: Vec<FieldPath> =
        entries.iter().filter(|entry| entry.changed()).map(|entry| entry.path.clone()).collect();
    let make = |session: &mut Workspace| {
        let mut joined = before.clone();
        joined.join(session.machine(), operand);
        joined.value
    };
    let found = readers(session, at, make, &again, &changed);
    let again = entries.iter_mut().filter(|entry| matches!(entry.because, EffectReason::Reads(_)));
    for (entry, found) in again.zip(found) {
        if !found.is_empty() {
            entry.because = EffectReason::Reads(found);
        }
    }
}

/// Finds, for each of some fields, which changed fields it reads. `make` creates the value again without caches; `at`
/// is the value's path.
pub(super) fn readers(
    session: &mut Workspace,
    at: &FieldPath,
    make: impl FnOnce(&mut Workspace) -> Thunk,
    fields: &[FieldPath],
    changed: &[FieldPath],
) -> Vec<Vec<FieldPath>> {
    if fields.is_empty() {
        return Vec::new();
    }
    let (value, reads) = session.trace_reads(|session| {
        let value = make(session);
        for path in fields {
            let inner = FieldPath { steps: path.steps.iter().skip(at.steps.len()).cloned().collect() };
            if let Ok(thunk) = session.machine().at(&value, &inner.steps) {
                session.machine().force_all(&thunk, TRACED);
            }
        }
        value
    });
    let network = network(session, &reads, Some(&value), at);
    let of = |field: &FieldPath| {
        let numbers = network.find(field).map(|number| network.reads(number)).unwrap_or_default();
        let read: Vec<&FieldPath> = numbers.into_iter().filter_map(|n| network.item(n)?.path()).collect();
        let meets = |path: &&FieldPath| {
            let related =
                |other: &&FieldPath| path.steps.starts_with(&other.steps) || other.steps.starts_with(&path.steps);
            *path != field && read.iter().any(related)
        };
        changed.iter().filter(meets).cloned().collect()
    };
    fields.iter().map(of).collect()
}

/// Returns the last name of a path.
fn last_name(path: &FieldPath) -> Option<&Name> {
    match path.steps.last()? {
        Step::Field(name) => Some(name),
        Step::Index(_) => None,
    }
}

impl Answer for Steps {
    forms!("steps");

    fn pages(&self, to: &Renderer<'_>) -> Option<(Vec<text::Page>, Styled)> {
        Some((text::pages(self, to), text::footer(self, to)))
    }

    fn title(&self, to: &Renderer<'_>) -> String {
        format!("cfg steps — {}", to.dialect.name())
    }

    fn page_end(&self) -> &'static str {
        ""
    }

    fn has_faults(&self) -> bool {
        self.leaves.faults > 0
    }
}
