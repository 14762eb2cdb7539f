//! Comparison for one step: the value before, the operand and the value after are traversed together.

use super::{Check, EffectReason, Entry, Operator, StepEffect, last_name};
use crate::answer::shared::compare::{ComparedValue, Comparer, Sameness, Side, find, names};
use crate::meta::Priority;
use crate::problem::value::{ValueKind, ValueProblem};
use crate::problem::{Problem, ProblemKind};
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use crate::value::datum::Datum;
use crate::value::outline::Outline;
use crate::value::record::Field;
use crate::value::{Machine, Record, Thunk, Value};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

/// Maximum depth of the comparison.
const DEPTH: usize = 64;
/// Maximum number of unchanged fields in the list.
const LISTED: usize = 2000;

/// The effect of a step.
pub(super) struct Walked {
    pub entries: Vec<Entry>,
    pub same: usize,
    pub unknown: usize,
    pub whole: bool,
    pub unchanged: Vec<(FieldPath, Datum)>,
    /// Number of fields that were compared.
    pub spent: usize,
}

/// Compares the value before a step (`was`) with the value after it (`now`), and finds the reason in the operand
/// (`operand`). A missing value is `None`. If `field` is given, only this field of the three is compared.
pub(super) fn walk(
    machine: &mut Machine,
    path: &FieldPath,
    operator: Operator,
    ([was, operand, now], field): ([Option<Thunk>; 3], Option<&Name>),
    all: bool,
) -> Walked {
    let mut comparer = Comparer::new(machine);
    comparer.unchanged = all.then(Vec::new);
    let mut walker = Walker { comparer, operator, path: path.clone(), entries: Vec::new(), changed: Vec::new() };
    match field {
        Some(name) => walker.only([was, operand, now], name),
        None => {
            let [was, operand, now] = [was, operand, now].map(|thunk| thunk.as_ref().map(ComparedValue::of));
            if let Some(now) = &now {
                walker.spots(was, operand, now, None, 0);
            }
        }
    }
    walker.finish()
}

/// The outline of a field in one of the three values.
type FieldOutline = Option<Outline>;

struct Walker<'m> {
    comparer: Comparer<'m>,
    operator: Operator,
    path: FieldPath,
    entries: Vec<Entry>,
    /// The entries for recomputed fields, each with the record and the field name that are needed to find its reads.
    changed: Vec<(usize, Record, Name)>,
}

impl Walker<'_> {
    /// Compares one field of three values.
    fn only(&mut self, values: [Option<Thunk>; 3], name: &Name) {
        let machine = &mut self.comparer.machine;
        let [was, operand, now] = values.map(|value| match machine.force(&value?) {
            Ok(Value::Record(record)) => Some(record),
            _ => None,
        });
        let Some(now) = now else { return };
        let mut of = |record: Option<&Record>| machine.all_fields(record?).ok()?.into_iter().find(|f| f.name == *name);
        let (l, r, s) = (of(was.as_ref()), of(operand.as_ref()), of(Some(&now)));
        self.path.steps.push(Step::Field(name.clone()));
        self.field((was.as_ref(), l.as_ref()), (operand.as_ref(), r.as_ref()), (&now, s.as_ref()), name, 0);
        self.path.steps.pop();
    }

    /// Compares a spot that has a value now. `field` is the field's outline in the final record and in the operand.
    fn spots(
        &mut self,
        was: Option<ComparedValue>,
        operand: Option<ComparedValue>,
        now: &ComparedValue,
        field: Option<(&Outline, &FieldOutline)>,
        depth: usize,
    ) {
        match (was, operand) {
            (Some(was), None) => self.undefined_by_operand(&was, now, field, depth),
            (None, Some(operand)) => {
                let kind = if self.broken(now) { StepEffect::Contract } else { StepEffect::Take };
                self.note(kind, [None, Some(&operand)], Some(now), EffectReason::Only, field);
            }
            (None, None) => self.note(StepEffect::Take, [None, None], Some(now), EffectReason::Only, field),
            (Some(was), Some(operand)) => self.defined_by_both(&was, &operand, now, field, depth),
        }
    }

    /// Compares a field that the operand does not define.
    fn undefined_by_operand(
        &mut self,
        was: &ComparedValue,
        now: &ComparedValue,
        field: Option<(&Outline, &FieldOutline)>,
        depth: usize,
    ) {
        let brings = matches!(field, Some((_, Some(operand))) if !operand.checks.is_empty());
        if !brings && self.operator != Operator::Contract {
            return self.recomputed(was, now, depth);
        }
        match self.comparer.same_values(&was.thunk, &now.thunk) {
            _ if self.records(was, now) => self.recomputed(was, now, depth),
            Sameness::Yes if brings => {
                self.note(StepEffect::Contract, [Some(was), None], Some(now), EffectReason::Checked, field)
            }
            Sameness::Yes | Sameness::Unknown => self.recomputed(was, now, depth),
            Sameness::No if self.broken(now) || brings => {
                self.note(StepEffect::Contract, [Some(was), None], Some(now), EffectReason::Checked, field);
            }
            Sameness::No => self.recomputed(was, now, depth),
        }
    }

    fn records(&mut self, a: &ComparedValue, b: &ComparedValue) -> bool {
        let machine = &mut self.comparer.machine;
        matches!((machine.force(&a.thunk), machine.force(&b.thunk)), (Ok(Value::Record(_)), Ok(Value::Record(_))))
    }

    /// Compares both values; a difference is a recomputation.
    fn recomputed(&mut self, was: &ComparedValue, now: &ComparedValue, depth: usize) {
        if let (Ok(Value::Record(a)), Ok(Value::Record(b))) =
            (self.comparer.machine.force(&was.thunk), self.comparer.machine.force(&now.thunk))
            && !was.thunk.same(&now.thunk)
            && !a.same(&b)
        {
            return self.within([Some(&a), None], &b, now, depth);
        }
        let before = self.comparer.found.changes.len();
        let mut path = self.path.clone();
        self.comparer.values(&mut path, was, now, depth);
        for change in self.comparer.found.changes.split_off(before) {
            let kind = match change.right.as_ref().and_then(Side::fault) {
                Some(problem) if is_contract(&problem.kind) && !self.is_of_another(problem, now) => {
                    StepEffect::Contract
                }
                _ => StepEffect::Recompute,
            };
            if let Some((record, field)) = &now.field {
                self.changed.push((self.entries.len(), record.clone(), field.name.clone()));
            }
            self.entries.push(Entry {
                kind,
                path: change.path,
                left: change.left,
                right: None,
                result: change.right,
                because: if kind == StepEffect::Contract {
                    EffectReason::Checked
                } else {
                    EffectReason::Reads(Vec::new())
                },
                checks: Vec::new(),
                hidden: change.hidden,
            });
        }
    }

    /// Compares a field that both sides define.
    fn defined_by_both(
        &mut self,
        was: &ComparedValue,
        operand: &ComparedValue,
        now: &ComparedValue,
        field: Option<(&Outline, &FieldOutline)>,
        depth: usize,
    ) {
        if let Some((outline, _)) = field
            && let [function] = outline.merge.as_slice()
        {
            return self.note(
                StepEffect::Custom,
                [Some(was), Some(operand)],
                Some(now),
                EffectReason::Function(*function),
                field,
            );
        }
        let machine = &mut self.comparer.machine;
        let forced = [was, operand, now].map(|compared| machine.force(&compared.thunk));
        let records = match &forced {
            [Ok(Value::Record(a)), Ok(Value::Record(b)), Ok(Value::Record(c))] => Some([a, b, c]),
            _ => None,
        };
        let secret = field.is_some_and(|(outline, _)| outline.field.secret);
        if self.operator == Operator::Plus {
            let own = field.and_then(|(_, operand)| operand.as_ref());
            let (adds, on_super) = own.map_or((true, false), |own| (own.plus, own.on_super));
            return match records {
                Some([a, b, c]) if adds && !secret => self.within([Some(a), Some(b)], c, now, depth),
                _ if adds && field.is_some() => {
                    self.note(StepEffect::Merge, [Some(was), Some(operand)], Some(now), EffectReason::Adds, field);
                }
                _ => {
                    let because = EffectReason::Right { on_super };
                    self.note(StepEffect::Override, [Some(was), Some(operand)], Some(now), because, field);
                }
            };
        }
        let [lower, own] = [was, operand].map(|compared| self.comparer.side(compared).priority);
        let layers = |p: &Priority| matches!(p, Priority::Normal | Priority::Layer(_));
        if let Some([a, b, c]) = records
            && (layers(&lower) && layers(&own) && !secret)
        {
            return self.within([Some(a), Some(b)], c, now, depth);
        }
        if let Some(because) = stronger(&lower, &own) {
            let kind = if self.broken(now) { StepEffect::Contract } else { StepEffect::Override };
            return self.note(kind, [Some(was), Some(operand)], Some(now), because, field);
        }
        match (records, &forced[2]) {
            (Some([a, b, c]), _) if !secret => self.within([Some(a), Some(b)], c, now, depth),
            (_, Err(fault)) => {
                let (kind, because) = match fault.what() {
                    Some(ValueKind::Conflict { .. }) => (StepEffect::Conflict, EffectReason::Differ(own)),
                    Some(ValueKind::Contract(_)) => (StepEffect::Contract, EffectReason::Checked),
                    _ => (StepEffect::Merge, EffectReason::Combines),
                };
                self.note(kind, [Some(was), Some(operand)], Some(now), because, field);
            }
            _ => {
                let same = self.comparer.same_values(&was.thunk, &now.thunk) == Sameness::Yes;
                let (kind, because) = if same {
                    (StepEffect::Equal, EffectReason::Equal)
                } else {
                    (StepEffect::Merge, EffectReason::Combines)
                };
                self.note(kind, [Some(was), Some(operand)], Some(now), because, field);
            }
        }
    }

    /// Compares the fields of records. Old and new records without values are also counted as one unchanged leaf.
    fn within(&mut self, [was, operand]: [Option<&Record>; 2], now: &Record, compared: &ComparedValue, depth: usize) {
        if self.comparer.is_empty(now) && was.is_none_or(|was| self.comparer.is_empty(was)) {
            self.comparer.same(&self.path, compared);
        }
        self.fields(was, operand, now, depth);
    }

    fn fields(&mut self, was: Option<&Record>, operand: Option<&Record>, now: &Record, depth: usize) {
        if depth >= DEPTH || !self.comparer.spend() {
            self.comparer.found.complete = false;
            return;
        }
        let mut all = |record: Option<&Record>| match record {
            Some(record) => self.comparer.machine.all_fields(record).unwrap_or_default(),
            None => Vec::new(),
        };
        let (left, right, result) = (all(was), all(operand), all(Some(now)));
        for name in names([&left, &right, &result]) {
            let (l, r) = (find(&left, &name), find(&right, &name));
            self.path.steps.push(Step::Field(name.clone()));
            self.field((was, l), (operand, r), (now, find(&result, &name)), &name, depth);
            self.path.steps.pop();
        }
    }

    fn field(
        &mut self,
        (was, l): (Option<&Record>, Option<&Field>),
        (operand, r): (Option<&Record>, Option<&Field>),
        (now, s): (&Record, Option<&Field>),
        name: &Name,
        depth: usize,
    ) {
        let compared = |record: Option<&Record>, field: Option<&Field>| ComparedValue::in_field(record?, field?);
        let (before, own, after) = (compared(was, l), compared(operand, r), compared(Some(now), s));
        // most fields are shared and need no outline
        if let (Some(before), None, Some(after)) = (&before, r, &after)
            && before.thunk.same(&after.thunk)
        {
            return self.comparer.same(&self.path, after);
        }
        let Some(after) = after else {
            if before.is_some() {
                // a field whose condition is false now: the condition reads what changed
                let is_off = now.is_conditional(name);
                let because = if is_off { EffectReason::Reads(Vec::new()) } else { EffectReason::Removed };
                if is_off {
                    self.changed.push((self.entries.len(), now.clone(), name.clone()));
                }
                self.note(StepEffect::Recompute, [before.as_ref(), None], None, because, None);
            } else if l.is_none() && s.is_some() {
                self.declared(now, name);
            }
            return;
        };
        if before.is_some() && r.is_none() {
            return self.spots(before, None, &after, None, depth + 1);
        }
        if before.is_none() && r.is_none() && was.is_some_and(|was| was.is_conditional(name)) {
            // it was off, and its condition reads what changed
            self.changed.push((self.entries.len(), now.clone(), name.clone()));
            return self.note(StepEffect::Recompute, [None, None], Some(&after), EffectReason::Reads(Vec::new()), None);
        }
        let machine = &mut self.comparer.machine;
        let outline = machine.outline(now, name).ok().flatten();
        let operand_outline = operand.and_then(|record| machine.outline(record, name).ok().flatten());
        let field = outline.as_ref().map(|outline| (outline, &operand_outline));
        if let (None, Some(_), Some(own)) = (&before, l, &own) {
            let kind = if self.broken(&after) { StepEffect::Contract } else { StepEffect::Take };
            return self.note(kind, [None, Some(own)], Some(&after), EffectReason::Defines, field);
        }
        self.spots(before, own, &after, field, depth + 1);
    }

    /// Adds a field that is new and has no value.
    fn declared(&mut self, now: &Record, name: &Name) {
        let Ok(Some(outline)) = self.comparer.machine.outline(now, name) else { return };
        if outline.field.optional {
            return;
        }
        let checks = outline.checks.iter().map(|span| Check { span: *span, holds: None }).collect();
        self.entries.push(Entry {
            kind: StepEffect::Take,
            path: self.path.clone(),
            left: None,
            right: None,
            result: None,
            because: EffectReason::Declared,
            checks,
            hidden: outline.field.not_exported,
        });
    }

    /// Returns `true` if a value violates a contract of its own, not one of a field that it reads.
    fn broken(&mut self, now: &ComparedValue) -> bool {
        let Err(fault) = self.comparer.machine.force(&now.thunk) else { return false };
        matches!(fault.what(), Some(ValueKind::Contract(_))) && !self.is_of_another(fault.problem(), now)
    }

    /// Returns `true` if a contract that fails is one of another field, which the text of this one mentions. O(text of the field).
    fn is_of_another(&mut self, problem: &Problem, now: &ComparedValue) -> bool {
        let ProblemKind::Value(met) = &problem.kind else { return false };
        let (ValueKind::Contract(broken), Some((record, field))) = (&met.what, &now.field) else { return false };
        let Some(span) = broken.contract_span else { return false };
        let machine = &mut self.comparer.machine;
        let mentions = machine.mentions(record, &field.name).unwrap_or_default();
        let mut has =
            |name: &Name| matches!(machine.outline(record, name), Ok(Some(outline)) if outline.checks.contains(&span));
        !has(&field.name) && mentions.iter().any(has)
    }

    fn note(
        &mut self,
        kind: StepEffect,
        [was, operand]: [Option<&ComparedValue>; 2],
        now: Option<&ComparedValue>,
        because: EffectReason,
        field: Option<(&Outline, &FieldOutline)>,
    ) {
        if !self.comparer.spend() {
            return;
        }
        // a field is secret if one of the three values marks it as secret
        let secret = field.is_some_and(|(outline, _)| outline.field.secret)
            || [was, operand, now].into_iter().flatten().any(ComparedValue::is_secret);
        let mut side = |compared: Option<&ComparedValue>| {
            let side = self.comparer.side(compared?);
            Some(if secret { side.masked() } else { side })
        };
        let (mut left, mut right, mut result) = (side(was), side(operand), side(now));
        if let Some(now) = now {
            for side in [&mut left, &mut right].into_iter().flatten() {
                self.comparer.machine.hide_as(&mut side.value, &now.thunk);
            }
        }
        // a conflict is not a value, so it is not secret
        if let (true, EffectReason::Differ(_), Some(result), Some(now)) = (secret, &because, &mut result, now)
            && let Some(conflict) = self.comparer.conflict(now)
        {
            result.value = conflict;
        }
        // the operand alone may lack fields that it reads; if it wins, its value is the result
        let wins = match &because {
            EffectReason::Only | EffectReason::Defines | EffectReason::Right { .. } => true,
            EffectReason::Beats { left, .. } => !left,
            _ => false,
        };
        if let (true, Some(right), Some(result)) = (wins, &mut right, &result)
            && right.fault().is_some()
            && result.fault().is_none()
        {
            right.value = result.value.clone();
        }
        let checks = match field {
            Some((outline, operand_outline)) => {
                self.checks((kind, &because), outline, operand_outline.as_ref(), result.as_ref())
            }
            None => Vec::new(),
        };
        let hidden = now.or(was).is_some_and(ComparedValue::is_hidden);
        if kind == StepEffect::Equal
            && let Some(now) = now
        {
            self.comparer.same(&self.path, now);
        }
        self.entries.push(Entry { kind, path: self.path.clone(), left, right, result, because, checks, hidden });
    }

    /// Returns the checks to list: all checks if a merge function made the value, otherwise those that the operand adds
    /// or that fail. If the left side only declares the field, also those that it declares.
    fn checks(
        &self,
        (kind, because): (StepEffect, &EffectReason),
        outline: &Outline,
        operand_outline: Option<&Outline>,
        result: Option<&Side>,
    ) -> Vec<Check> {
        let fault = result.and_then(Side::fault);
        let broken: Option<Option<Span>> = fault.and_then(|problem| match &problem.kind {
            ProblemKind::Value(met) => match &met.what {
                ValueKind::Contract(broken) => Some(broken.contract_span),
                _ => None,
            },
            _ => None,
        });
        let mut checks = Vec::new();
        for span in &outline.checks {
            let brought = operand_outline.is_some_and(|operand_outline| operand_outline.checks.contains(span))
                && kind != StepEffect::Take;
            let fails = broken == Some(Some(*span)) || (outline.checks.len() == 1 && broken.is_some());
            let holds = match (fails, fault) {
                (true, _) => Some(false),
                (false, None) => Some(true),
                (false, Some(_)) => None,
            };
            let declared = *because == EffectReason::Defines
                && operand_outline.is_none_or(|operand_outline| !operand_outline.checks.contains(span));
            if fails || brought || declared || kind == StepEffect::Custom {
                checks.push(Check { span: *span, holds });
            }
        }
        checks
    }

    fn finish(mut self) -> Walked {
        let paths: Vec<FieldPath> =
            self.entries.iter().filter(|entry| entry.changed()).map(|e| e.path.clone()).collect();
        for (at, record, name) in std::mem::take(&mut self.changed) {
            let mentions = self.comparer.machine.mentions(&record, &name).unwrap_or_default();
            let Some(entry) = self.entries.get_mut(at) else { continue };
            let EffectReason::Reads(reads) = &mut entry.because else { continue };
            let read =
                |path: &&FieldPath| **path != entry.path && last_name(path).is_some_and(|n| mentions.contains(n));
            reads.extend(paths.iter().filter(read).cloned());
        }
        let (found, spent) = (self.comparer.take(), self.comparer.spent());
        let mut listed = self.comparer.unchanged.take().unwrap_or_default();
        // a field with equal values is listed only as equal
        let equal: FxHashSet<&FieldPath> =
            self.entries.iter().filter(|e| e.kind == StepEffect::Equal).map(|e| &e.path).collect();
        listed.retain(|(path, ..)| !equal.contains(path));
        let machine = &mut self.comparer.machine;
        let unchanged = listed.into_iter().take(LISTED).map(|(path, thunk, secret)| {
            let shown = crate::value::Budget { elements: 8, depth: 2, text: 200 };
            (path, if secret { Datum::Secret } else { machine.datum(&thunk, shown) })
        });
        let unchanged = unchanged.collect();
        Walked {
            entries: self.entries,
            same: found.same,
            unknown: found.not_compared,
            whole: found.complete,
            unchanged,
            spent,
        }
    }
}

fn is_contract(kind: &ProblemKind) -> bool {
    matches!(kind, ProblemKind::Value(met) if matches!(**met, ValueProblem { what: ValueKind::Contract(_), .. }))
}

/// Returns which of two priorities is higher; `None` if they are equal.
fn stronger(left: &Priority, right: &Priority) -> Option<EffectReason> {
    let left_wins = match left.rank(right) {
        Ordering::Equal => return None,
        Ordering::Greater => true,
        Ordering::Less => false,
    };
    let (winner, loser) = if left_wins { (left, right) } else { (right, left) };
    Some(EffectReason::Beats { winner: winner.clone(), loser: loser.clone(), left: left_wins })
}
