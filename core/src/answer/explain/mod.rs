//! The origin of a field's value: [`crate::value::provenance`] as plain data, with places and texts.

mod anchor;
mod answer;
mod earlier;
mod html;
pub(in crate::answer) mod json;
mod operator;
mod plain;
mod reads;
pub mod recomputed;
pub(in crate::answer) mod subject;
#[cfg(test)]
mod tests;
pub mod text;
mod through;
pub(in crate::answer) mod words;

use crate::answer::whatif::listed::{ListedDefinition, listed};
use crate::answer::{Answer, Renderer, forms};
pub use answer::{
    ContractCheck, DefinitionRow, Element, Explanation, FoldStep, Folded, JoinOperator, Part, Place, Read, Recomputed,
    Settled, Via,
};

use super::deps;
use super::fixes::{EditTarget, Reevaluate, fixes};
use crate::dialect::Dialect;
use crate::meta::{Priority, Push, Visibility};
use crate::problem::Problem;
use crate::state::typing::is_graph;
use crate::state::{Workspace, type_text};
use crate::term::Term;
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use crate::ty::Scheme;
use crate::value::datum::{Datum, MASK};
use crate::value::lacks_super;
use crate::value::machine::Budget;
use crate::value::provenance::{self, Definition, DefinitionOutcome, Join, MergeOutcome, OutcomeReason, Provenance};
use crate::value::secret::without_values;
use crate::value::{Fault, Label, Thunk, Value};
use operator::Operators;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
pub(in crate::answer) use subject::Subject;

/// Maximum size of the value in an answer.
const VALUE_BUDGET: Budget = Budget { elements: 100, depth: 6, text: 2000 };
/// Maximum size of the value of one definition.
const DEFINITION_BUDGET: Budget = Budget { elements: 24, depth: 3, text: 400 };
/// Maximum size of the value of a field of a record.
const FIELD_BUDGET: Budget = Budget { elements: 8, depth: 2, text: 100 };
/// Maximum number of fields of a record in an answer.
const MAX_FIELDS: usize = 24;
/// Maximum length of a quoted source text, in bytes. Longer texts are cut.
const MAX_TEXT_LENGTH: usize = 2000;
/// Maximum number of steps of a combination in an answer. Each has two values, which may be large.
const MAX_STEPS: usize = 50;
/// Maximum depth of the reads that are followed.
const MAX_READ_DEPTH: usize = 4;
/// Maximum number of definitions, of elements of an array and of reads in an answer.
pub const MAX_ITEMS: usize = 200;

/// The value to explain: the one at `path` inside `root`.
#[derive(Clone, Copy)]
pub struct ExplainQuestion<'a> {
    /// The language of the answer.
    pub dialect: Dialect,
    /// The origin of the value, needed to evaluate it again after an edit.
    pub target: EditTarget<'a>,
    /// The value that contains it.
    pub root: &'a Thunk,
    /// The path.
    pub path: &'a FieldPath,
    /// The name of the value in the session. It precedes the path.
    pub name: Option<&'a Name>,
    /// The query for what the value reads.
    pub deps_question: &'a deps::DepsQuestion,
    /// The span of the expression, which is listed as the definition of a whole value that has no others.
    pub whole: Option<Span>,
}

/// Explains the value at a path inside a value.
///
/// # Errors
///
/// Fails if the path does not exist.
pub fn explain(
    workspace: &mut Workspace,
    reevaluate: &dyn Reevaluate,
    question: ExplainQuestion<'_>,
) -> Result<Explanation, Problem> {
    let ExplainQuestion { dialect, target, root, path, name, deps_question, whole } = question;
    let steps = path.steps.as_slice();
    let found = workspace.machine().provenance(root, steps).map_err(|fault| fault.problem().clone())?;
    // computed first, since `explanation` consumes `found`
    let fields = field_summaries(workspace, &found);
    let mut explanation = Explainer { session: workspace, dialect, path, operators: FxHashMap::default(), whole: None }
        .explanation(found);
    (explanation.fields, explanation.more_fields) = fields?;
    explanation.anchor = explanation.winners().first().and_then(|winner| anchor::around(workspace, *winner));
    if let Some(span) = whole.filter(|_| path.steps.is_empty() && explanation.definitions.is_empty()) {
        explanation.definitions.push(DefinitionRow::whole(place(workspace, span), explanation.value.clone()));
    }
    if let Some(fault) = &explanation.fault
        && !explanation.flags.secret
    {
        let steps = steps.get(..explanation.path.steps.len()).unwrap_or(steps);
        let fixes = fixes(workspace, reevaluate, target, steps, fault);
        explanation.fixes = fixes
            .into_iter()
            .map(|fix| Settled {
                place: fix.place.map(|span| place(workspace, span)),
                edit: fix.edit,
                result: fix.result,
            })
            .collect();
    }
    if dialect.rules().makes_resources() {
        through::add(workspace, reevaluate, target, (root, whole), steps, &mut explanation);
    }
    if let Some(name) = name {
        explanation.prefix(&Step::Field(name.clone()));
    }
    if explanation.requested_path.is_none() {
        let is_late_bound = workspace.machine().is_late_bound(root, steps).unwrap_or(false);
        explanation.add_dependencies(workspace, deps_question, is_late_bound);
    }
    Ok(explanation)
}

/// Returns the indices of the definitions to list, in order. If there are too many, keeps the winning ones, then the
/// strongest.
fn chosen(definitions: &[Definition]) -> Vec<usize> {
    let mut all: Vec<usize> = (0..definitions.len()).collect();
    if all.len() <= MAX_ITEMS {
        return all;
    }
    let class = |d: &Definition| match d.outcome {
        DefinitionOutcome::Wins | DefinitionOutcome::Part | DefinitionOutcome::Tie | DefinitionOutcome::Same => 0,
        DefinitionOutcome::Prev | DefinitionOutcome::Off => 1,
        DefinitionOutcome::Lost => 2,
    };
    all.sort_by(|a, b| match (definitions.get(*a), definitions.get(*b)) {
        (Some(a), Some(b)) => {
            class(a).cmp(&class(b)).then_with(|| b.priority.rank(&a.priority)).then(b.layer.cmp(&a.layer))
        }
        _ => std::cmp::Ordering::Equal,
    });
    all.truncate(MAX_ITEMS);
    all.sort_unstable();
    all
}

/// Returns whether a definition takes part in the value.
fn decides(definition: &&Definition) -> bool {
    matches!(definition.outcome, DefinitionOutcome::Wins | DefinitionOutcome::Part | DefinitionOutcome::Tie)
}

/// Returns the origins of a record's fields, and the number of fields left out.
fn field_summaries(session: &mut Workspace, found: &Provenance) -> Result<(Vec<Part>, usize), Problem> {
    let fail = |fault: Fault| fault.problem().clone();
    if found.fault.is_some() || found.flags.secret || session.machine().is_secret(&found.value) {
        return Ok((Vec::new(), 0));
    }
    let Ok(Value::Record(record)) = session.machine().force(&found.value) else { return Ok((Vec::new(), 0)) };
    let fields = session.machine().fields(&record).map_err(fail)?;
    let more = fields.len().saturating_sub(MAX_FIELDS);
    let mut parts = Vec::new();
    for field in fields.into_iter().take(MAX_FIELDS) {
        let origin = session.machine().provenance(&found.value, &[Step::Field(field.name.clone())]).map_err(fail)?;
        let winner = origin.definitions.iter().find(decides);
        let lost = origin.definitions.iter().filter(|d| d.outcome == DefinitionOutcome::Lost).count();
        let value = match (field.value.is_some(), field.secret) {
            (true, true) => Some(Datum::Secret),
            (true, false) => Some(session.machine().datum(&origin.value, FIELD_BUDGET)),
            (false, _) => None,
        };
        parts.push(Part {
            name: field.name,
            value,
            place: winner.and_then(|d| d.span).map(|span| Place { text: String::new(), ..place(session, span) }),
            outcome: winner.map(|d| d.outcome),
            lost,
        });
    }
    Ok((parts, more))
}

/// Explains an expression: `e.a.b` is the field `a.b` of the value of `e`. A result is explained with the definitions
/// it was computed from.
pub fn explain_term(
    workspace: &mut Workspace,
    reevaluate: &dyn Reevaluate,
    dialect: Dialect,
    mut term: Arc<Term>,
) -> Result<Explanation, Problem> {
    let scheme = workspace.scheme_of(&term);
    let Subject { path, name, in_session, below, written } = subject::of_term(workspace, &mut term);
    let root = workspace.machine().thunk(&term);
    let target = EditTarget::Term(&term);
    let deps_question = deps::DepsQuestion::of_program(&term, path.steps.clone());
    let question = ExplainQuestion {
        dialect,
        target,
        root: &root,
        path: &path,
        name: name.as_ref(),
        deps_question: &deps_question,
        whole: written,
    };
    let mut explanation = explain(workspace, reevaluate, question)?;
    explanation.in_session = in_session;
    if let Some(below) = below.filter(|_| explanation.path.steps.len() == 1) {
        earlier::splice(workspace, reevaluate, dialect, &mut explanation, below);
    }
    let has_index = path.steps.iter().any(|step| matches!(step, Step::Index(_)));
    explanation.set_type(workspace, dialect, if has_index { None } else { Some(&scheme) });
    Ok(explanation)
}

/// Converts values and places to plain data.
struct Explainer<'s, 'p> {
    session: &'s mut Workspace,
    /// The language of the answer.
    dialect: Dialect,
    path: &'p FieldPath,
    /// The operators of the chains that are already parsed.
    operators: FxHashMap<(Span, bool), Rc<Operators>>,
    /// The value that the definitions make, if it has no fault.
    whole: Option<Thunk>,
}

impl Explainer<'_, '_> {
    fn explanation(&mut self, found: Provenance) -> Explanation {
        let secret = found.flags.secret || (found.fault.is_none() && self.session.machine().is_secret(&found.value));
        self.whole = found.fault.is_none().then(|| found.value.clone());
        let path = self.upto(found.depth);
        let requested_path = (found.depth < self.path.steps.len()).then(|| self.path.clone());
        let value = match &found.fault {
            Some(_) => None,
            None if secret => Some(Datum::Secret),
            None => Some(self.session.machine().datum(&found.value, VALUE_BUDGET)),
        };
        let chosen = chosen(&found.definitions);
        let more = found.definitions.len() - chosen.len();
        let new_index = |old_index: usize| chosen.binary_search(&old_index).ok();
        let listed = chosen.iter().filter_map(|index| found.definitions.get(*index));
        let definitions: Vec<DefinitionRow> = listed.map(|d| self.definition_row(d, found.depth, secret)).collect();
        let strongest = found.definitions.iter().filter(decides).map(|d| &d.priority).max_by(|a, b| a.rank(b));
        let priority = strongest.cloned().unwrap_or_default();
        let checks = found.checks.iter().map(|check| ContractCheck {
            definition: check.definition.and_then(new_index),
            ..self.check_row(check, found.depth, secret)
        });
        let checks = checks.collect();
        // a rule for lists, which is listed as a definition
        let rule = definitions.iter().find(|d| d.place.as_ref().is_some_and(Place::is_rule));
        // the empty list to which elements are added is not of the user
        let made = usize::from(rule.is_some_and(|rule| rule.value.is_some()));
        let fold = found.fold.as_ref().map(|fold| {
            let steps = fold.steps.get(made..).filter(|steps| !steps.is_empty()).unwrap_or(&fold.steps);
            let earlier = steps.len().saturating_sub(MAX_STEPS);
            let shown = steps.iter().skip(earlier).map(|step| FoldStep {
                lower: self.datum(&step.lower, secret),
                higher: self.added_value(&step.higher, secret),
                same: step.same,
                result: self.datum(&step.result, secret),
            });
            Folded {
                kind: fold.kind,
                steps: shown.collect(),
                earlier,
                place: self.place(fold.function.unwrap_or(fold.span)),
                call_place: self.place(fold.span),
                sets_elements: rule.is_some() && !self.place(fold.span).is_rule(),
            }
        });
        let elements = found
            .elements
            .iter()
            .take(MAX_ITEMS)
            .map(|element| Element {
                index: element.index,
                definition: element.definition.and_then(new_index),
                place: element.span.map(|span| if secret { self.place_without_text(span) } else { self.place(span) }),
                also: element.also.iter().map(|span| self.place_without_text(*span)).collect(),
            })
            .collect();
        Explanation {
            path,
            name_steps: 0,
            in_session: false,
            requested_path,
            value,
            fault: found.fault.as_ref().map(|fault| fault.problem().clone()),
            path_error: found.path_error.as_ref().map(|fault| fault.problem().clone()),
            ty: None,
            priority,
            verdict: found.verdict,
            chain: found.chain,
            flags: found.flags,
            open: found.open,
            language: self.language(&found),
            literal: found.definitions.iter().filter(decides).all(|d| d.literal) && found.fold.is_none(),
            definitions,
            more,
            checks,
            fold,
            elements,
            anchor: None,
            recomputed: Vec::new(),
            depends_on: Vec::new(),
            title: None,
            through: Vec::new(),
            fixes: Vec::new(),
            fields: Vec::new(),
            more_fields: 0,
        }
    }

    /// Returns the language of the winning definition.
    fn language(&self, found: &Provenance) -> Dialect {
        let winner = found.definitions.iter().find(|d| d.outcome == DefinitionOutcome::Wins).and_then(|d| d.span);
        winner.and_then(|span| self.session.dialect_of(span.source)).unwrap_or(self.dialect)
    }

    /// Returns the first `depth` steps of the path.
    fn upto(&self, depth: usize) -> FieldPath {
        FieldPath { steps: self.path.steps.iter().take(depth).cloned().collect() }
    }

    fn datum(&mut self, thunk: &Thunk, secret: bool) -> Datum {
        if secret {
            return Datum::Secret;
        }
        // One definition may not know that another one marks the field as a secret.
        let mut datum = self.session.machine().datum(thunk, DEFINITION_BUDGET);
        self.session.hide_fields(&mut datum);
        if let Some(whole) = &self.whole {
            self.session.machine().hide_as(&mut datum, whole);
        }
        datum
    }

    /// Returns the value of a definition that extends weaker ones. Parts of it that need `super` are shown as not
    /// evaluated.
    fn added_value(&mut self, thunk: &Thunk, secret: bool) -> Datum {
        let mut datum = self.datum(thunk, secret);
        let mut work = vec![&mut datum];
        while let Some(part) = work.pop() {
            match part {
                Datum::Fault(problem) if lacks_super(problem) => *part = Datum::Unforced,
                Datum::Array(items) => work.extend(items),
                Datum::Record(entries) => work.extend(entries.iter_mut().filter_map(|entry| entry.value.as_mut())),
                _ => {}
            }
        }
        datum
    }

    fn place(&self, span: Span) -> Place {
        place(self.session, span)
    }

    /// Returns a place without its text.
    fn place_without_text(&self, span: Span) -> Place {
        Place { text: String::new(), ..place(self.session, span) }
    }

    fn definition_row(&mut self, definition: &Definition, depth: usize, secret: bool) -> DefinitionRow {
        let value = match &definition.value {
            // A definition whose condition is false is not evaluated.
            Some(_) if definition.because == OutcomeReason::Condition => Some(Datum::Unforced),
            Some(value) if definition.outcome == DefinitionOutcome::Part => Some(self.added_value(value, secret)),
            Some(value) => Some(self.datum(value, secret)),
            None => None,
        };
        let span = definition.span.or(definition.name_span);
        let mut text = definition.whole.map(|span| written(self.session, span)).unwrap_or_default();
        let mut place = span.map(|span| self.place(span));
        // The source text of a secret, or of a record that may contain one, is not shown.
        let hidden = match &value {
            Some(Datum::Secret) => Some(MASK),
            Some(Datum::Record(_)) => Some("{ … }"),
            _ => None,
        };
        if let Some(hidden) = hidden
            && let (Some(body), Some(whole)) = (definition.span, definition.whole)
        {
            let before = written(self.session, Span { end: body.start.max(whole.start), ..whole });
            text = format!("{}{}{hidden}", before.trim_end(), if before.is_empty() { "" } else { " " });
            if let Some(place) = &mut place {
                place.text = String::from(hidden);
            }
        }
        let parent = match &definition.because {
            OutcomeReason::WithParent { depth, span, .. } => {
                Some((self.upto(*depth), span.map(|span| self.place(span))))
            }
            OutcomeReason::ThroughFunction { depth } => Some((self.upto(*depth), None)),
            _ => None,
        };
        DefinitionRow {
            place,
            text,
            ancestor: (definition.depth != depth).then(|| self.upto(definition.depth)),
            priority: definition.priority.clone(),
            pushed: matches!(definition.push, Some(Push::Default | Push::Force)),
            value,
            outcome: definition.outcome,
            because: definition.because.clone(),
            parent,
            join: definition.join.map(|join| self.join_operator(join)),
            guard: definition.guard.map(|span| self.place(span)),
            visibility: definition.visibility,
            layer: definition.layer,
        }
    }

    fn via(&self, label: &Label) -> Via {
        Via {
            field: label.field.clone(),
            contract: label.contract.clone(),
            place: label.contract_span.map(|span| self.place(span)),
        }
    }

    /// Returns the operator between an operand and the ones before it.
    fn join_operator(&mut self, join: Join) -> JoinOperator {
        let session = &*self.session;
        let chain = self.operators.entry((join.span, join.plus));
        let chain = chain.or_insert_with(|| Operators::of(session, join.span, join.plus)).clone();
        let (span, text) = chain.operand(join.operand as usize);
        JoinOperator { place: self.place(span), text }
    }

    fn check_row(&self, check: &provenance::Check, depth: usize, secret: bool) -> ContractCheck {
        let fault = check.fault.as_ref().map(|fault| fault.problem().clone());
        ContractCheck {
            text: crate::text::on_one_line(&written(self.session, check.span)),
            place: self.place(check.span),
            ancestor: (check.depth != depth).then(|| self.upto(check.depth)),
            via: check.via.as_ref().map(|label| self.via(label)),
            definition: check.definition,
            holds: check.holds,
            fault: if secret { fault.map(without_values) } else { fault },
            own: check.own,
            assert: check.assert,
        }
    }
}

impl DefinitionRow {
    /// Returns the only definition of a whole value.
    fn whole(place: Place, value: Option<Datum>) -> DefinitionRow {
        DefinitionRow {
            text: place.text.clone(),
            place: Some(place),
            ancestor: None,
            priority: Priority::Normal,
            pushed: false,
            value,
            outcome: DefinitionOutcome::Wins,
            because: OutcomeReason::Only,
            parent: None,
            join: None,
            guard: None,
            visibility: Visibility::Inherit,
            layer: None,
        }
    }
}

impl Explanation {
    /// Sets the inferred type of the expression. If that type is polymorphic or has unknown parts, sets the type of
    /// the value instead.
    pub fn set_type(&mut self, session: &Workspace, dialect: Dialect, inferred: Option<&Scheme>) {
        let Some(value) = self.value.as_ref().filter(|_| self.requested_path.is_none() && self.ty.is_none()) else {
            return;
        };
        if inferred.is_some_and(|inferred| is_graph(dialect, inferred)) {
            return;
        }
        // an inferred type has the fields that set elements
        let sets_elements = self.fold.as_ref().is_some_and(|fold| fold.sets_elements);
        let inferred = inferred.filter(|_| !sets_elements);
        let text = inferred.map(|inferred| type_text(dialect, inferred).text());
        let unknown = dialect.spelling().unknown;
        let clear = |text: &&String| inferred.is_some_and(|t| t.vars.is_empty()) && !text.contains(unknown);
        let ty = match text.as_ref().filter(clear) {
            Some(_) => text,
            None => plain::type_text(session, dialect, value).or(text),
        };
        self.ty = ty.map(|ty| session.without_secrets(ty));
    }

    /// Sets the type of a number, string or boolean from the value alone. Returns `true` if the type is then known.
    pub fn set_scalar_type(&mut self, session: &Workspace, dialect: Dialect) -> bool {
        if let Some(value @ (Datum::Bool(_) | Datum::Number(_) | Datum::String(_))) = &self.value {
            self.ty = plain::type_text(session, dialect, value);
        }
        self.ty.is_some()
    }

    /// Returns `true` if the definitions and checks already show why the value is missing.
    pub fn shows_cause(&self) -> bool {
        matches!(self.verdict, MergeOutcome::Conflict | MergeOutcome::Missing)
            || self.checks.iter().any(|c| c.fault.is_some())
    }

    /// Prefixes every path with the name of the explained value.
    fn prefix(&mut self, step: &Step) {
        let all = [Some(&mut self.path), self.requested_path.as_mut()].into_iter().flatten();
        let definition_paths = self
            .definitions
            .iter_mut()
            .flat_map(|d| d.ancestor.as_mut().into_iter().chain(d.parent.as_mut().map(|(path, _)| path)));
        let checks = self.checks.iter_mut().filter_map(|check| check.ancestor.as_mut());
        for path in all.chain(definition_paths).chain(checks) {
            path.steps.insert(0, step.clone());
        }
        self.name_steps = 1;
    }
}

/// Returns a place with its file, line, column and text.
pub fn place(session: &Workspace, span: Span) -> Place {
    let (file, position) = session.position(span);
    Place { file, line: position.line, column: position.column, text: written(session, span), span }
}

/// Returns the text of a span on one line. A long text is cut and marked as cut.
fn written(session: &Workspace, span: Span) -> String {
    if span.len() <= MAX_TEXT_LENGTH {
        return session.written(span);
    }
    let text = session.written(Span { end: span.start + MAX_TEXT_LENGTH as u32, ..span });
    format!("{text}… (cut)")
}

impl Answer for Explanation {
    forms!("explain");

    fn title(&self, _: &Renderer<'_>) -> String {
        format!("explain {}", words::path(self))
    }

    fn definitions(&self, to: &Renderer<'_>) -> Vec<ListedDefinition> {
        // other definitions can be tried only of what a name of the session has
        if self.in_session { listed(self, to) } else { Vec::new() }
    }

    fn fault(&self) -> Option<&Problem> {
        self.fault.as_ref().filter(|_| !self.shows_cause())
    }

    fn has_faults(&self) -> bool {
        self.fault.is_some() || self.path_error.is_some()
    }
}
