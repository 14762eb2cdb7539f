//! Secrets: fields marked `| secret`, and every value that is computed from one.
//!
//! The reads of secret fields are counted ([`Secrets`]). A thunk during whose evaluation the count grew holds a secret too
//! ([`State::Secret`]). This covers every operator, interpolation and library function of all languages. It is a
//! conservative rule: a secret that only chooses between values (`if key == "x" then 1 else 2`) makes the result a secret too.
//! A lazy part keeps its own state: in `{ key | secret = "x", both = [key, 1] }` the array is not a secret, but its first
//! element is. A program without secrets pays one comparison for each thunk.

use super::datum::{Datum, MASK};
use super::thunk::{SecretField, State, Tainted};
use super::{Fault, Machine, Thunk, Value};
use crate::problem::value::{ValueKind, ValueProblem};
use crate::problem::{Problem, ProblemKind};
use crate::text::{Name, Span};
use std::rc::Rc;

/// The message of a fault whose own message was computed from a secret.
pub(crate) const HIDDEN: &str = "this failed on a secret; the message is not shown, because it may contain the secret";

/// The reads of secrets by a machine.
#[derive(Clone, Default)]
pub(super) struct Secrets {
    /// The number of reads. A thunk that is forced while it grows was computed from a secret.
    pub(super) count: u64,
    /// The field that was read last.
    from: Option<Rc<SecretField>>,
    /// Whether secrets are shown, so that nothing is noted.
    revealed: bool,
}

impl Machine {
    /// Sets whether secrets are shown. It must be set before the first evaluation.
    pub fn reveal(&mut self, revealed: bool) {
        self.secrets.revealed = revealed;
    }

    /// Returns whether secrets are shown.
    pub fn reveals(&self) -> bool {
        self.secrets.revealed
    }

    /// Runs a check that reads secrets and does not pass them on.
    pub fn apart_from_secrets<T>(&mut self, check: impl FnOnce(&mut Machine) -> Result<T, Fault>) -> Result<T, Fault> {
        let before = (self.secrets.count, self.secrets.from.clone());
        let result = check(self);
        (self.secrets.count, self.secrets.from) = before;
        result
    }

    /// Records that a secret field is read.
    #[cold]
    pub(super) fn note_secret(&mut self, field: impl FnOnce() -> (Vec<Name>, Option<Span>)) {
        if !self.secrets.revealed {
            let (path, span) = field();
            self.secrets.count += 1;
            self.secrets.from = Some(Rc::new(SecretField { path, span }));
        }
    }

    /// Returns the value of a forced thunk that was computed from a secret.
    #[cold]
    pub(super) fn read_secret(&mut self, secret: &Tainted) -> Value {
        self.secrets.count += 1;
        self.secrets.from = secret.from.clone();
        secret.value.clone()
    }

    /// Returns the state of a thunk that read a secret.
    #[cold]
    pub(super) fn tainted(&self, value: &Value) -> State {
        State::Secret(Rc::new(Tainted { value: value.clone(), from: self.secrets.from.clone() }))
    }

    /// Returns a thunk that has the value of `part`, which was reached through a secret.
    #[cold]
    pub(super) fn part_of_secret(&self, part: Thunk) -> Thunk {
        let from = self.secrets.from.clone();
        Thunk::holding(part, move |machine, part| {
            machine.secrets.count += 1;
            machine.secrets.from = from.clone();
            machine.force(part)
        })
    }

    /// Masks the parts of a value that are secrets in another value: in `{ k | secret } & { k = 1, n = k }` the second record
    /// alone does not know that its `n` is one. Does nothing before a secret was read. Does not recurse.
    pub fn hide_as(&mut self, datum: &mut Datum, whole: &Thunk) {
        let hide = |part: &mut Datum| *part = secret(std::mem::replace(part, Datum::Secret));
        if self.secrets.count == 0 {
            return;
        }
        let mut work = vec![(datum, whole.clone())];
        while let Some((part, whole)) = work.pop() {
            let value = self.force(&whole);
            if whole.secret().is_some() {
                hide(part);
                continue;
            }
            match (part, value) {
                // what fails on a secret was computed from it
                (part, Err(fault)) if fault.what().is_some_and(is_masked) => hide(part),
                (Datum::Record(entries), Ok(Value::Record(record))) => {
                    let fields = self.all_fields(&record).unwrap_or_default();
                    for entry in entries {
                        let field = fields.iter().find(|field| field.name == entry.name);
                        match (&mut entry.value, field) {
                            (Some(value), Some(field)) if field.secret => hide(value),
                            (Some(value), Some(field)) => work.extend(field.value.clone().map(|thunk| (value, thunk))),
                            _ => {}
                        }
                    }
                }
                (Datum::Array(items), Ok(Value::Array(array))) => {
                    let own = self.items(&array).map(<[Thunk]>::to_vec).unwrap_or_default();
                    if own.len() == items.len() {
                        work.extend(items.iter_mut().zip(own));
                    } else if own.iter().any(|element| self.is_secret(element)) {
                        // which of the elements come from this list is not known
                        items.iter_mut().for_each(hide);
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns whether a value was computed from a secret. Forces it.
    pub fn is_secret(&mut self, thunk: &Thunk) -> bool {
        let _ = self.force(thunk);
        thunk.secret().is_some()
    }

    /// Forces a value that is shown. Returns the mask if it was computed from a secret.
    pub(super) fn force_shown(&mut self, thunk: &Thunk) -> Result<Value, Fault> {
        let value = self.force(thunk)?;
        Ok(if thunk.secret().is_some() { Value::String(MASK.into()) } else { value })
    }

    /// Removes the values from a fault that occurred in a thunk, if the thunk has read a secret: the number of reads was
    /// `before` when it started. A fault of an inner thunk was handled there.
    #[cold]
    pub(super) fn without_secrets(&self, result: Result<Value, Fault>, before: u64) -> Result<Value, Fault> {
        let reads = self.secrets.count != before;
        result.map_err(|fault| self.without_secret(fault, reads))
    }

    /// Removes the values from a fault if the evaluation in which it occurred `reads` a secret.
    #[cold]
    pub(super) fn without_secret(&self, fault: Fault, reads: bool) -> Fault {
        match &fault.problem().kind {
            ProblemKind::Value(problem) if !problem.checked => fault.change(|problem| {
                problem.checked = true;
                if reads {
                    mask_values(problem);
                }
            }),
            _ => fault,
        }
    }

    /// Removes the values from the fault of a part of a secret, which was not evaluated through the secret.
    #[cold]
    pub(super) fn part_of_secret_failed(&self, fault: Fault) -> Fault {
        match &fault.problem().kind {
            ProblemKind::Value(_) => fault.change(|problem| {
                problem.checked = true;
                mask_values(problem);
            }),
            _ => fault,
        }
    }

    /// Makes the definitions of a secret field secrets themselves, for the functions that are applied to them.
    #[cold]
    pub(super) fn hide_parts<'t>(&self, parts: impl Iterator<Item = &'t mut Thunk>) {
        let mut known: Vec<(Thunk, Thunk)> = Vec::new();
        for part in parts {
            let hidden = match known.iter().find(|(own, _)| own.same(part)) {
                Some((_, hidden)) => hidden.clone(),
                None => self.part_of_secret(part.clone()),
            };
            known.push((std::mem::replace(part, hidden.clone()), hidden));
        }
    }
}

/// Returns a thunk for a value from which a secret field takes its own, so that whatever else reads it is a secret too.
#[cold]
pub(super) fn shared_with_secret(value: Thunk) -> Thunk {
    Thunk::holding(value, |machine, value| {
        if !machine.secrets.revealed {
            machine.secrets.count += 1;
            machine.secrets.from = None;
        }
        machine.force(value)
    })
}

/// Returns whether a problem has a masked value, so that the place of that value must not be shown with its text.
pub(crate) fn has_masked_value(problem: &Problem) -> bool {
    matches!(&problem.kind, ProblemKind::Value(problem) if is_masked(&problem.what))
}

/// Returns whether a fault contains a masked value or message.
fn is_masked(what: &ValueKind) -> bool {
    match what {
        ValueKind::Conflict { definitions, .. } => {
            definitions.iter().any(|definition| definition.value == Datum::Secret)
        }
        ValueKind::Contract(broken) => broken.value == Some(Datum::Secret),
        ValueKind::NoMatch { value, .. } => **value == Datum::Secret,
        ValueKind::Failed { message, .. } | ValueKind::Undefined { message, .. } => message == HIDDEN,
        _ => false,
    }
}

/// Masks the values in a fault, and the messages that may contain them.
fn mask_values(problem: &mut ValueProblem) {
    problem.words = None;
    problem.origins.clear();
    if let ValueKind::NoElement { span, .. } = problem.what {
        // the number of elements is a part of the value
        problem.what = ValueKind::Undefined { message: Name::new_static(HIDDEN), span, notes: Vec::new() };
    }
    match &mut problem.what {
        ValueKind::Conflict { definitions, .. } => {
            definitions.iter_mut().for_each(|definition| definition.value = Datum::Secret);
        }
        ValueKind::Contract(broken) => {
            if broken.value.is_some() {
                broken.value = Some(Datum::Secret);
            }
            if !broken.is_without_values {
                if let Some(message) = &mut broken.message {
                    *message = Name::new_static(HIDDEN);
                }
                broken.notes.clear();
                broken.others.clear();
            }
        }
        ValueKind::NoMatch { value, fields, .. } => {
            **value = Datum::Secret;
            *fields = None;
        }
        ValueKind::Paradox { changed, fails, .. } => {
            *fails = None;
            for change in changed {
                (change.was.0, change.now.0) = (Datum::Secret, Datum::Secret);
            }
        }
        ValueKind::MissingField { name, near, known, .. } => {
            *name = Name::new_static(MASK);
            near.clear();
            known.clear();
        }
        ValueKind::Failed { message, .. } => *message = Name::new_static(HIDDEN),
        ValueKind::Undefined { message, notes, .. } => {
            *message = Name::new_static(HIDDEN);
            notes.clear();
        }
        ValueKind::NoExternal { name, .. } => *name = Name::new_static(MASK),
        ValueKind::NoElement { .. } => {}
        ValueKind::Graph { message, places, help } => {
            *message = Name::new_static(HIDDEN);
            places.iter_mut().for_each(|(_, text)| *text = Name::default());
            help.clear();
        }
        ValueKind::Type { .. }
        | ValueKind::OnTop { .. }
        | ValueKind::NotAFunction { .. }
        | ValueKind::MissingDefinition { .. }
        | ValueKind::MergeFunctions { .. }
        | ValueKind::NotAMergeFunction { .. }
        | ValueKind::Recursion { .. }
        | ValueKind::ContainsItself { .. }
        | ValueKind::Limit { .. }
        | ValueKind::Interrupted
        | ValueKind::Incomparable { .. }
        | ValueKind::Hole { .. }
        | ValueKind::Unbound { .. } => {}
    }
}

/// Masks the values in a problem.
pub(crate) fn without_values(mut problem: Problem) -> Problem {
    if let ProblemKind::Value(problem) = &mut problem.kind {
        mask_values(problem);
    }
    problem
}

/// Masks a secret value. A fault keeps its reason, without values. Does not recurse.
pub(crate) fn secret(datum: Datum) -> Datum {
    let mut work = vec![&datum];
    while let Some(part) = work.pop() {
        match part {
            Datum::Unforced => return Datum::Unforced,
            Datum::Fault(problem) => return Datum::Fault(Box::new(without_values((**problem).clone()))),
            Datum::Array(items) => work.extend(items),
            Datum::Record(entries) => work.extend(entries.iter().filter_map(|entry| entry.value.as_ref())),
            Datum::Variant(_, argument) => work.push(argument),
            _ => {}
        }
    }
    Datum::Secret
}
