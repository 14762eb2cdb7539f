//! The value that a field would have if its definitions were others: without one of them, or with another priority or value.
//! Nothing changes. The edits are made in a copy, which is evaluated.

mod html;
mod json;
pub mod listed;
#[cfg(test)]
mod tests;
mod text;

use super::deps::{self, DepsQuestion, Direction};
use super::explain::subject::of_term;
use super::explain::{self, Explanation, Place, Recomputed};
pub use super::fixes::changes::Change;
use super::fixes::changes::{edits, refusal};
use super::fixes::{Edit, EditTarget, Reevaluate};
use crate::answer::{Answer, forms};
use crate::dialect::Dialect;
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::state::Workspace;
use crate::term::build::Builder;
use crate::term::{Node, Term};
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use crate::value::Thunk;
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use std::sync::Arc;

/// Maximum size of a value in an answer.
const SHOWN: Budget = Budget { elements: 20, depth: 3, text: 500 };
/// Maximum number of other fields in an answer.
const FIELDS: usize = 24;
/// The command that asks.
pub const USAGE: &str = ":whatif PATH (off N | priority N default|normal|force|NUMBER | value N EXPRESSION), …";
/// Maximum number of changes in a question.
const CHANGES: usize = 16;

/// A change of one of the definitions that an explanation lists.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// The number of the definition in the explanation, from 1.
    pub number: usize,
    /// The change.
    pub change: Change,
}

/// A field before and after changes of its definitions.
#[derive(Clone, Debug)]
pub struct WhatIf {
    /// The explanation now.
    pub was: Explanation,
    /// The explanation after the changes, or the reason why there is none.
    pub now: Result<Explanation, Problem>,
    /// The changes, each with the place of its definition.
    pub changes: Vec<(Layer, Place)>,
    /// The edits that make the changes.
    pub edits: Vec<Written>,
    /// The other fields whose values differ.
    pub recomputed: Vec<Recomputed>,
}

/// An edit with the lines around it.
#[derive(Clone, Debug)]
pub struct Written {
    /// The beginning of the replaced text.
    pub place: Place,
    /// The line and the column of its end.
    pub end: (u32, u32),
    /// The new text.
    pub text: String,
    /// The range of the lines around it, and around the other edits on these lines.
    pub lines: Span,
    /// The lines before all edits on them. Secrets are masked.
    pub before: String,
    /// The lines after all edits on them. Secrets are masked.
    pub after: String,
}

/// Asks nothing again.
struct Never;

impl Reevaluate for Never {
    fn with_edits(&self, _: EditTarget<'_>, _: &[Edit], _: bool) -> Option<(Workspace, Thunk)> {
        None
    }

    fn expression_with_edits(&self, _: &Arc<Term>, _: &[Edit]) -> Option<(Workspace, Arc<Term>)> {
        None
    }

    fn merges_without_order(&self, _: EditTarget<'_>) -> bool {
        false
    }
}

/// Answers for a field: `e.a.b` is the field `a.b` of the value of `e`.
///
/// # Errors
///
/// Fails if the field does not exist, if it is a secret, or if its text cannot be changed in this way.
pub fn what_if(
    session: &mut Workspace,
    again: &dyn Reevaluate,
    dialect: Dialect,
    term: Arc<Term>,
    changes: &[Layer],
) -> Result<WhatIf, Problem> {
    let was = explain::explain_term(session, &Never, dialect, unshared(&term))?;
    if was.flags.secret {
        return Err(refused("the field is a secret"));
    }
    if let (Some(_), Some(fault)) = (&was.requested_path, &was.path_error) {
        return Err(fault.clone());
    }
    let mut all = Vec::new();
    let mut chosen: Vec<Edit> = Vec::new();
    for layer in changes.iter().take(CHANGES) {
        let rows = was.rows();
        let row = layer.number.checked_sub(1).and_then(|index| rows.get(index));
        let place = row.and_then(|row| row.place.clone());
        let Some(place) = place else {
            return Err(refused(&format!("`:explain` lists no definition {} with a place", layer.number)));
        };
        let tried = edits(session, place.span, &layer.change);
        // an edit that changes nothing else than the definition: the other definitions are those of before
        let fits = |edit: &Edit| match again.expression_with_edits(&term, std::slice::from_ref(edit)) {
            Some((mut edited, term)) => {
                let after = explain::explain_term(&mut edited, &Never, dialect, term);
                let removed = usize::from(layer.change == Change::Off);
                after.map_or(removed == 1, |after| after.definitions.len() + removed == was.definitions.len())
            }
            None => false,
        };
        let Some(edit) = tried.into_iter().find(fits) else {
            return Err(refused(&refusal(session, place.span, layer.number, &layer.change)));
        };
        let clashes = |other: &Edit| {
            other.span.source == edit.span.source
                && other.span.start < edit.span.end
                && edit.span.start < other.span.end
        };
        if chosen.iter().any(clashes) {
            return Err(refused("two of the changes are about the same text"));
        }
        chosen.push(edit);
        all.push((layer.clone(), place));
    }
    let Some((mut edited, after)) = again.expression_with_edits(&term, &chosen) else {
        return Err(refused("the program does not parse with these changes"));
    };
    let now = explain::explain_term(&mut edited, &Never, dialect, unshared(&after));
    let recomputed = differing(session, again, &chosen, [&term, &after], &mut edited);
    let edits = written_edits(session, &chosen);
    Ok(WhatIf { was, now, changes: all, edits, recomputed })
}

/// Returns a copy that nothing else refers to, so that its path can be cut off.
fn unshared(term: &Arc<Term>) -> Arc<Term> {
    Arc::new(Term::clone(term))
}

/// Returns the fields that read a field, directly or not, and whose values differ between two evaluations: those of the same
/// value or document, and those of other names of the session.
fn differing(
    session: &mut Workspace,
    again: &dyn Reevaluate,
    edits: &[Edit],
    [before, after]: [&Arc<Term>; 2],
    edited: &mut Workspace,
) -> Vec<Recomputed> {
    let (mut inner, mut inner_after) = (unshared(before), unshared(after));
    let path = of_term(session, &mut inner).path;
    of_term(edited, &mut inner_after);
    let question = DepsQuestion::of_program(&inner, path.steps);
    let root = question.root();
    let thunks = [session.machine().thunk(&inner), edited.machine().thunk(&inner_after)];
    let mut out = Vec::new();
    for path in readers(session, &question) {
        if out.len() >= FIELDS {
            break;
        }
        if let Some(steps) = path.steps.strip_prefix(root.steps.as_slice()) {
            out.extend(compared(session, edited, [&thunks[0], &thunks[1]], steps, &path));
        }
    }
    let known = |path: &FieldPath, out: &[Recomputed]| out.iter().any(|other| other.path == *path);
    let question = DepsQuestion::of_expression(unshared(before));
    let root = question.root();
    let name = |path: FieldPath| match path.steps.first() {
        Some(Step::Field(name)) => Some((name.clone(), path)),
        _ => None,
    };
    let others: Vec<(Name, FieldPath)> = readers(session, &question)
        .into_iter()
        .filter(|path| !path.steps.starts_with(&root.steps) && !known(path, &out))
        .filter_map(name)
        .filter(|(name, _)| session.definition(name).is_some())
        .take(FIELDS - out.len())
        .collect();
    // one term that reads all of them, so that all of their inputs are in the copy
    let mut builder = Builder::new();
    let span = before.span(before.root);
    let nodes: Vec<_> = others.iter().map(|(name, _)| builder.push(Node::Global(name.clone()), span)).collect();
    let all = builder.push(Node::Array(nodes.into()), span);
    let Some((mut edited, _)) = again.expression_with_edits(&Arc::new(builder.finish(all)), edits) else { return out };
    for (name, path) in others {
        let mut builder = Builder::new();
        let root = builder.push(Node::Global(name), span);
        let term = Arc::new(builder.finish(root));
        let thunks = [session.machine().thunk(&term), edited.machine().thunk(&term)];
        out.extend(compared(
            session,
            &mut edited,
            [&thunks[0], &thunks[1]],
            path.steps.get(1..).unwrap_or_default(),
            &path,
        ));
    }
    out
}

/// Returns the paths of the values that read a value, directly or not.
fn readers(session: &mut Workspace, question: &DepsQuestion) -> Vec<FieldPath> {
    let Ok(deps) = deps::deps(session, question, Direction::UsedBy) else { return Vec::new() };
    deps.listed().into_iter().filter_map(|number| deps.network.item(number)?.path().cloned()).collect()
}

/// Compares the values at a path in two evaluations. `None` if they are the same, or records.
fn compared(
    session: &mut Workspace,
    edited: &mut Workspace,
    [before, after]: [&Thunk; 2],
    steps: &[Step],
    path: &FieldPath,
) -> Option<Recomputed> {
    let (was, now) = (value(session, before, steps), value(edited, after, steps));
    let is_record = |value: &Option<Datum>| matches!(value, Some(Datum::Record(_)));
    (was != now && !is_record(&was) && !is_record(&now)).then(|| Recomputed { path: path.clone(), was, now })
}

/// Returns a value at a path. `None` if it has none.
fn value(session: &mut Workspace, root: &Thunk, steps: &[Step]) -> Option<Datum> {
    let thunk = session.machine().at(root, steps).ok()?;
    session.machine().force(&thunk).ok()?;
    if session.machine().is_secret(&thunk) {
        return Some(Datum::Secret);
    }
    Some(session.machine().datum(&thunk, SHOWN))
}

/// Returns edits, each with the lines around it. Edits on the same lines have the same lines after them.
fn written_edits(session: &Workspace, edits: &[Edit]) -> Vec<Written> {
    let lines: Vec<Span> = edits.iter().map(|edit| lines_of(session, edit)).collect();
    let written = |edit: &Edit, own: Span| {
        let around = connected(&lines, own);
        let mut inside: Vec<&Edit> =
            edits.iter().zip(&lines).filter(|(_, l)| overlap(**l, around)).map(|e| e.0).collect();
        inside.sort_by_key(|edit| edit.span.start);
        let (mut before, mut after, mut at) = (String::new(), String::new(), around.start);
        for edit in inside {
            let same = session.written(Span { start: at, end: edit.span.start, ..around });
            before += &same;
            before += &session.written(edit.span);
            after += &same;
            after += &edit.text;
            at = edit.span.end;
        }
        let same = session.written(Span { start: at, ..around });
        let (_, last) = session.position(Span { start: edit.span.end, ..edit.span });
        Written {
            place: explain::place(session, edit.span),
            end: (last.line, last.column),
            text: edit.text.clone(),
            lines: around,
            before: (before + &same).trim_end().to_string(),
            after: (after + &same).trim_end().to_string(),
        }
    };
    edits.iter().zip(&lines).map(|(edit, own)| written(edit, *own)).collect()
}

/// Returns the smallest range of lines that contains a range and all those that overlap with it. O(ranges²).
fn connected(lines: &[Span], own: Span) -> Span {
    let mut around = own;
    // each range can reach further ones
    for _ in lines {
        for other in lines {
            if overlap(*other, around) {
                around = Span { start: around.start.min(other.start), end: around.end.max(other.end), ..around };
            }
        }
    }
    around
}

/// Returns whether two ranges of lines have a line in common.
fn overlap(a: Span, b: Span) -> bool {
    a == b || a.source == b.source && a.start < b.end && b.start < a.end
}

/// Returns the range of the lines of an edit, without the last line end.
fn lines_of(session: &Workspace, edit: &Edit) -> Span {
    let Span { start, end, .. } = edit.span;
    let text = session.text_of(edit.span.source).unwrap_or_else(|| Arc::from(""));
    let begin = text.get(..start as usize).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    // of lines that are removed with their ends, the next line is no part
    let ends_line = text.get(..end as usize).is_some_and(|before| before.ends_with('\n'));
    let removes_lines = edit.text.is_empty() && begin == start as usize && ends_line;
    let rest = text.get(end as usize..).filter(|_| !removes_lines).unwrap_or_default();
    let stop = end as usize + rest.find('\n').unwrap_or(rest.len());
    Span { start: begin as u32, end: stop as u32, ..edit.span }
}

fn refused(why: &str) -> Problem {
    // the form of the command is right
    let what = SessionKind::BadCommand { why: Name::new(why), usage: Name::default(), meant: None, example: None };
    Problem::error(SessionProblem { span: None, what })
}

impl WhatIf {
    /// Returns the path of the field.
    pub(super) fn path(&self) -> String {
        self.was.title_path()
    }

    /// Iterates over the changed lines, each with the first edit on them.
    pub(super) fn changed_lines(&self) -> impl Iterator<Item = &Written> {
        let is_first =
            |(at, edit): &(usize, &Written)| self.edits.iter().take(*at).all(|other| other.lines != edit.lines);
        self.edits.iter().enumerate().filter(is_first).map(|(_, edit)| edit)
    }

    /// Returns the place of the winning definition.
    pub(super) fn winner(explanation: &Explanation) -> Option<&Place> {
        explanation.rows().into_iter().find_map(|row| match row.outcome {
            crate::value::provenance::DefinitionOutcome::Wins => row.place.as_ref(),
            _ => None,
        })
    }
}

impl Change {
    /// Returns the words for the change: `off`, `priority force`, `value 443`.
    pub fn words(&self) -> String {
        match self {
            Change::Off => String::from("off"),
            Change::Priority(crate::meta::Priority::Number(number)) => format!("priority {number}"),
            Change::Priority(crate::meta::Priority::Default) => String::from("priority default"),
            Change::Priority(crate::meta::Priority::Force) => String::from("priority force"),
            Change::Priority(_) => String::from("priority normal"),
            Change::Value(text) => format!("value {text}"),
        }
    }
}

impl Answer for WhatIf {
    forms!("whatif");

    fn edits(&self) -> Vec<Edit> {
        self.edits.iter().map(|edit| Edit { span: edit.place.span, text: edit.text.clone() }).collect()
    }

    fn title(&self, _: &crate::answer::Renderer<'_>) -> String {
        format!("what if {}", self.path())
    }
}
