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
use super::explain::{self, ExplainQuestion, Explanation, Place, Recomputed, Subject};
pub use super::fixes::changes::Change;
use super::fixes::changes::{edits, refusal};
use super::fixes::{Edit, EditTarget, Reevaluate};
use crate::answer::{Answer, forms};
use crate::dialect::Dialect;
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::state::Workspace;
use crate::term::Term;
use crate::text::path::Step;
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
    /// The lines before the edit. Secrets are masked.
    pub before: String,
    /// The lines after the edit. Secrets are masked.
    pub after: String,
}

/// Asks nothing again.
struct Never;

impl Reevaluate for Never {
    fn with_edits(&self, _: EditTarget<'_>, _: &[Edit], _: bool) -> Option<(Workspace, Thunk)> {
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
    mut term: Arc<Term>,
    changes: &[Layer],
) -> Result<WhatIf, Problem> {
    let Subject { path, name, written, .. } = of_term(session, &mut term);
    let root = session.machine().thunk(&term);
    let target = EditTarget::Term(&term);
    let reads = DepsQuestion::of_program(&term, path.steps.clone());
    let question = ExplainQuestion {
        dialect,
        target,
        root: &root,
        path: &path,
        name: name.as_ref(),
        reads: &reads,
        whole: written,
    };
    let was = explain::explain(session, &Never, question)?;
    if was.flags.secret {
        return Err(refused("the field is a secret"));
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
        let fits = |edit: &Edit| match again.with_edits(target, std::slice::from_ref(edit), false) {
            Some((mut edited, root)) => {
                let after = explain::explain(&mut edited, &Never, ExplainQuestion { root: &root, ..question });
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
    let Some((mut edited, after)) = again.with_edits(target, &chosen, false) else {
        return Err(refused("the program does not parse with these changes"));
    };
    let mut now = explain::explain(&mut edited, &Never, ExplainQuestion { root: &after, ..question });
    if let Ok(now) = &mut now {
        now.of_type(&edited, dialect, None);
    }
    let recomputed = differing(session, &mut edited, [&root, &after], &reads);
    let edits = chosen.iter().map(|edit| written_edit(session, edit)).collect();
    Ok(WhatIf { was, now, changes: all, edits, recomputed })
}

/// Returns the fields that read a field, directly or not, and whose values differ between two evaluations.
fn differing(
    session: &mut Workspace,
    edited: &mut Workspace,
    [before, after]: [&Thunk; 2],
    question: &DepsQuestion,
) -> Vec<Recomputed> {
    let Ok(deps) = deps::deps(session, question, Direction::UsedBy) else { return Vec::new() };
    let root = question.root();
    let mut out = Vec::new();
    for number in deps.listed() {
        let Some(path) = deps.network.item(number).and_then(|item| item.path()).cloned() else { continue };
        let Some(inside) = path.steps.strip_prefix(root.steps.as_slice()) else { continue };
        let (was, now) = (value(session, before, inside), value(edited, after, inside));
        let is_record = |value: &Option<Datum>| matches!(value, Some(Datum::Record(_)));
        if was != now && !is_record(&was) && !is_record(&now) && out.len() < FIELDS {
            out.push(Recomputed { path, was, now });
        }
    }
    out
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

/// Returns an edit with the lines around it.
fn written_edit(session: &Workspace, edit: &Edit) -> Written {
    let Span { start, end, .. } = edit.span;
    let text = session.text_of(edit.span.source).unwrap_or_else(|| Arc::from(""));
    let begin = text.get(..start as usize).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    // of lines that are removed with their ends, the next line is no part
    let ends_line = text.get(..end as usize).is_some_and(|before| before.ends_with('\n'));
    let removes_lines = edit.text.is_empty() && begin == start as usize && ends_line;
    let rest = text.get(end as usize..).filter(|_| !removes_lines).unwrap_or_default();
    let stop = end as usize + rest.find('\n').unwrap_or(rest.len());
    let line = Span { start: begin as u32, end: stop as u32, ..edit.span };
    let before = [
        session.written(Span { end: start, ..line }),
        session.written(edit.span),
        session.written(Span { start: end, ..line }),
    ];
    let after =
        [session.written(Span { end: start, ..line }), edit.text.clone(), session.written(Span { start: end, ..line })];
    let (_, last) = session.position(Span { start: end, ..edit.span });
    Written {
        place: explain::place(session, edit.span),
        end: (last.line, last.column),
        text: edit.text.clone(),
        before: before.concat().trim_end().to_string(),
        after: after.concat().trim_end().to_string(),
    }
}

fn refused(why: &str) -> Problem {
    let what = SessionKind::BadCommand { why: Name::new(why), usage: Name::new_static(USAGE) };
    Problem::error(SessionProblem { span: None, what })
}

impl WhatIf {
    /// Returns the path of the field.
    pub(super) fn path(&self) -> String {
        self.was.title_path()
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
