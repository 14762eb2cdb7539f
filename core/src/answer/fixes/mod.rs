//! Edits that fix a conflict or a missing definition. Each edit is applied to a copy of the program, and the copy is
//! evaluated. Only edits that work are returned.

pub(super) mod changes;
pub mod text;

use crate::dialect::{CellItem, Edits, LineEdits, StdNames};
use crate::meta::Priority;
use crate::problem::value::{ConflictingDefinition, ValueKind};
use crate::problem::{Problem, ProblemKind};
use crate::state::Workspace;
use crate::state::input::without_command;
use crate::term::{FieldDef, Node, Term};
use crate::text::path::Step;
use crate::text::{SourceId, Span, on_one_line};
use crate::value::Thunk;
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::manifest::{ManifestFormat, manifest};
use std::sync::Arc;

/// Maximum number of edits to try.
const TRIED: usize = 8;
/// Maximum number of edits in an answer.
const GIVEN: usize = 4;
/// Maximum total size of the texts of the session, in bytes. If they are larger, no edit is tried.
const LONGEST: usize = 4 << 20;

/// A text that replaces another.
#[derive(Clone, PartialEq, Debug)]
pub struct Edit {
    /// The range to replace.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// The program or expression that is evaluated again with an edit.
#[derive(Clone, Copy, Debug)]
pub enum EditTarget<'a> {
    /// The program of the current request.
    Request,
    /// An expression of the session.
    Term(&'a Arc<Term>),
}

/// Evaluates the same program or expression again after an edit.
pub trait Reevaluate {
    /// Returns a copy of the workspace with the edits, and a thunk for the value of `target` in it. If `layers` is set,
    /// files are merged as with `--layers`. `None` if the edited text is not a program, or if `target` cannot be
    /// evaluated again.
    fn with_edits(&self, target: EditTarget<'_>, edits: &[Edit], layers: bool) -> Option<(Workspace, Thunk)>;

    /// Returns a copy of the workspace with the edits, and an expression as it is there. Its places are those of the copy.
    /// `None` as for [`Reevaluate::with_edits`].
    fn expression_with_edits(&self, term: &Arc<Term>, edits: &[Edit]) -> Option<(Workspace, Arc<Term>)>;

    /// Returns `true` if `target` is a merge of files without `--layers`.
    fn merges_without_order(&self, target: EditTarget<'_>) -> bool;
}

/// An edit that fixes the problem.
#[derive(Clone, Debug)]
pub struct Fix {
    /// The place of the edit. `None` if the fix is a command-line option.
    pub place: Option<Span>,
    /// The edit as shown to the user: the new text of the definition, the line to remove, or the command-line option.
    pub edit: String,
    /// The value of the field after the edit.
    pub result: Datum,
}

/// An edit to try.
struct Try {
    place: Option<Span>,
    edits: Vec<Edit>,
    shown: String,
    /// This edit is not tried if an edit at an overlapping place already works.
    whole: bool,
}

/// Returns the edits that fix a conflict or a missing definition at a path. Each edit is applied to a copy of the text
/// and checked by evaluation. Returns at most `GIVEN` edits, the likeliest first. Returns none for other problems.
pub fn fixes(
    session: &mut Workspace,
    again: &dyn Reevaluate,
    target: EditTarget<'_>,
    path: &[Step],
    problem: &Problem,
) -> Vec<Fix> {
    let ProblemKind::Value(value) = &problem.kind else { return Vec::new() };
    let tries = match &value.what {
        ValueKind::Conflict { definitions, merged: None } => {
            of_conflict(session, again.merges_without_order(target), definitions)
        }
        ValueKind::MissingDefinition { declared, .. } => of_missing(session, declared),
        _ => return Vec::new(),
    };
    if session.length_of_texts() > LONGEST {
        return Vec::new();
    }
    let mut found: Vec<Fix> = Vec::new();
    for attempt in tries.into_iter().take(TRIED) {
        if found.len() >= GIVEN {
            break;
        }
        let whole = attempt.whole;
        let near = |fix: &Fix| whole && fix.place.zip(attempt.place).is_some_and(|(a, b)| overlap(a, b));
        if found.iter().any(near) {
            continue;
        }
        if let Some(result) = outcome(again, target, &attempt, path) {
            found.push(Fix { place: attempt.place, edit: attempt.shown, result });
        }
    }
    found
}

fn overlap(a: Span, b: Span) -> bool {
    a.source == b.source && a.start < b.end && b.start < a.end
}

/// Returns the value at the path after an edit. `None` if the edit does not work or the value still has a fault.
fn outcome(again: &dyn Reevaluate, target: EditTarget<'_>, attempt: &Try, path: &[Step]) -> Option<Datum> {
    let (mut edited, root) = again.with_edits(target, &attempt.edits, attempt.edits.is_empty())?;
    let machine = edited.machine();
    let thunk = machine.at(&root, path).ok()?;
    machine.force_deep(&thunk).ok()?;
    let value = machine.datum(&thunk, Budget { elements: 40, depth: 6, text: 400 });
    super::conflicts::faults(&value, &[]).is_empty().then_some(value)
}

fn of_conflict(session: &Workspace, plain: bool, definitions: &[ConflictingDefinition]) -> Vec<Try> {
    let ties: Vec<&ConflictingDefinition> = definitions.iter().filter(|d| d.ties && d.span.is_some()).collect();
    let mut tries = Vec::new();
    if plain {
        tries.push(Try { place: None, edits: Vec::new(), shown: String::from("--layers"), whole: false });
    }
    let mut data = Vec::new();
    for (index, tie) in ties.iter().enumerate().rev() {
        let Some(span) = tie.span else { continue };
        match session.edits_of(span.source) {
            Some(Edits::Annotations) => {
                if let Some(definition) = session.definition_of(span, |field, term| field.body.map(|b| term.span(b))) {
                    for priority in [Priority::Force, Priority::Default] {
                        tries.extend(ranked(session, &definition, priority));
                    }
                }
            }
            Some(Edits::Lines(lines)) => {
                let others = ties.iter().enumerate().filter(|(other, _)| *other != index);
                data.extend(removed(session, lines, span));
                data.extend(others.take(1).filter_map(|(_, other)| equal(session, lines, span, &other.value)));
            }
            Some(Edits::Never) | None => {}
        }
    }
    if ties.len() > 2 {
        tries.extend(kept(session, &ties));
    }
    tries.extend(data);
    tries
}

/// Returns edits of data files: one keeps only the last of several definitions, the other keeps only the first.
fn kept(session: &Workspace, ties: &[&ConflictingDefinition]) -> Vec<Try> {
    let away = |tie: &&ConflictingDefinition| {
        let span = tie.span?;
        match session.edits_of(span.source)? {
            Edits::Lines(lines) => removed(session, lines, span),
            Edits::Annotations | Edits::Never => None,
        }
    };
    let mut tries = Vec::new();
    for keeper in [ties.len() - 1, 0] {
        let others: Option<Vec<Try>> =
            ties.iter().enumerate().filter(|(index, _)| *index != keeper).map(|(_, tie)| away(tie)).collect();
        let (Some(others), Some(tie)) = (others, ties.get(keeper)) else { continue };
        let shown = match others.as_slice() {
            [] => continue,
            all => format!("keep it, remove the other {}", all.len()),
        };
        let edits = others.into_iter().flat_map(|other| other.edits).collect();
        tries.push(Try { place: tie.span, edits, shown, whole: false });
    }
    tries
}

/// Returns the edit that gives a definition a priority: `port | force = 8443`.
fn ranked(session: &Workspace, definition: &FieldInText, priority: Priority) -> Option<Try> {
    let word = if priority == Priority::Force { "| force" } else { "| default" };
    let (name, body) = (definition.name, definition.body?);
    let text = session.written_span(name.to(body))?;
    let edit = match definition.priority {
        // the span of a priority is its keyword, with or without the `|` before it
        Some(span) => {
            let bar = session.written_span(span)?.starts_with('|');
            Edit { span, text: String::from(if bar { word } else { &word[2..] }) }
        }
        None => {
            let before = text.get(..(body.start - name.start) as usize)?;
            let at = name.start + before.rfind('=')? as u32;
            Edit { span: Span { start: at, end: at, ..name }, text: format!("{word} ") }
        }
    };
    let (before, after) = (Span { end: edit.span.start, ..name }, Span { start: edit.span.end, ..body });
    let shown = on_one_line(&[session.written(before), edit.text.clone(), session.written(after)].concat());
    Some(Try { place: Some(name), edits: vec![edit], shown, whole: false })
}

/// Returns the edit that removes the line of a definition, if no other code is on that line.
fn removed(session: &Workspace, lines: &LineEdits, body: Span) -> Option<Try> {
    let whole = session.text_of(body.source)?;
    let start = whole.get(..body.start as usize)?.rfind('\n').map_or(0, |at| at + 1);
    let end = whole.get(body.end as usize..)?.find('\n').map_or(whole.len(), |at| body.end as usize + at + 1);
    let line = whole.get(start..end)?;
    let key = whole.get(start..body.start as usize)?.trim();
    let rest = whole.get(body.end as usize..end)?.trim();
    let own = key.ends_with(lines.separator) && !key.starts_with(['-', '{', '[', '?']) && (lines.may_follow)(rest);
    if !own || line.matches('\n').count() > 1 {
        return None;
    }
    let at = start + (line.len() - line.trim_start().len());
    let place = Span { start: at as u32, end: body.end, ..body };
    let shown = format!("remove `{}`", on_one_line(&session.written(place)));
    let span = Span { start: start as u32, end: end as u32, ..body };
    Some(Try { place: Some(place), edits: vec![Edit { span, text: String::new() }], shown, whole: true })
}

/// Returns the edit that replaces the value of a definition with the value of another definition.
fn equal(session: &Workspace, lines: &LineEdits, body: Span, other: &Datum) -> Option<Try> {
    if !(lines.can_write)(other) {
        return None;
    }
    // JSON scalars and arrays are also valid YAML and, except for null, valid TOML
    let json = manifest(other, ManifestFormat::Json).ok()?;
    let mut text = String::new();
    for line in json.lines().map(str::trim) {
        text.push_str(line);
        if line.ends_with(',') {
            text.push(' ');
        }
    }
    let whole = session.text_of(body.source)?;
    let start = whole.get(..body.start as usize)?.rfind('\n').map_or(0, |at| at + 1);
    let line = session.written(Span { start: start as u32, end: body.start, ..body });
    let before = line.trim_start().trim_start_matches("- ");
    let before = before.rfind(['{', '[', ',']).map_or(before, |at| before[at + 1..].trim_start());
    let shown = match before.starts_with('"') {
        // the place is that of the value: `{"a": 1}`
        true => on_one_line(&format!("write `{text}`")),
        false => on_one_line(&format!("{before}{text}")),
    };
    Some(Try { place: Some(body), edits: vec![Edit { span: body, text }], shown, whole: true })
}

/// Sample values of simple types. Evaluation shows which of them meet the contract.
const SAMPLES: [&str; 7] = ["0", "\"\"", "true", "[]", "{}", "1", "\"x\""];

fn of_missing(session: &Workspace, declared: &[Span]) -> Vec<Try> {
    let mut tries = Vec::new();
    for name in declared.iter().rev().take(1) {
        let found = session.definition_of(*name, |field, _| Some(field.name_span));
        let Some(found) = found.filter(|found| found.body.is_none()) else { continue };
        let text = session.written(found.name.to(found.whole));
        for sample in SAMPLES {
            let at = Span { start: found.whole.end, ..found.whole };
            let edit = Edit { span: at, text: format!(" = {sample}") };
            let shown = on_one_line(&format!("{text} = {sample}"));
            tries.push(Try { place: Some(found.name), edits: vec![edit], shown, whole: true });
        }
    }
    tries
}

/// The spans of a field definition in a text.
struct FieldInText {
    name: Span,
    body: Option<Span>,
    whole: Span,
    priority: Option<Span>,
}

impl Workspace {
    /// Returns how fixes change a text in the language of this source.
    fn edits_of(&self, source: SourceId) -> Option<&'static Edits> {
        self.dialect_of(source).map(|dialect| &dialect.0.edits)
    }

    /// Returns the field definition whose `part` has this span, if the language has annotations. Parses the text again.
    /// O(length).
    fn definition_of(&self, span: Span, part: impl Fn(&FieldDef, &Term) -> Option<Span>) -> Option<FieldInText> {
        self.edits_of(span.source).filter(|edits| matches!(edits, Edits::Annotations))?;
        self.field_at(span, part)
    }

    /// Returns the field definition whose `part` has this span. Parses the text again. O(length).
    fn field_at(&self, span: Span, part: impl Fn(&FieldDef, &Term) -> Option<Span>) -> Option<FieldInText> {
        let dialect = self.dialect_of(span.source)?;
        let text = without_command(&self.text_of(span.source)?);
        let found = |term: &Term| {
            let fields = term.nodes.iter().filter_map(|node| match node {
                Node::Record(record) => Some(record.fields.iter()),
                _ => None,
            });
            let field = fields.flatten().find(|field| part(field, term) == Some(span))?;
            Some(FieldInText {
                name: field.name_span,
                body: field.body.map(|body| term.span(body)),
                whole: field.span,
                priority: field.meta.priority.span,
            })
        };
        // a file or an expression is a program; an input of the session is a cell
        found(&dialect.program(span.source, &text, &StdNames).term).or_else(|| {
            let cell = dialect.cell(span.source, &text, &StdNames);
            cell.items.iter().find_map(|item| match item {
                CellItem::Bind { term, .. } | CellItem::Expr(term) => found(term),
            })
        })
    }

    /// Returns the text of a span.
    fn written_span(&self, span: Span) -> Option<String> {
        Some(self.text_of(span.source)?.get(span.start as usize..span.end as usize)?.to_string())
    }
}
