//! `cfg merge --set a.b=1 --in-place`: changes the file that a value comes from.
//!
//! An edit replaces the text of the winning definition, or adds a field to a record in a file. It counts only if it was
//! tried: the files are merged again with it, the field then has the value, and every other value is as before, or as
//! it is if the value is merged over all files. So comments, order and layout stay as they are.

mod candidates;
mod place;
mod reasons;
mod text;

use super::{FAULT, Run};
use crate::answer::fixes::{Edit, EditTarget, Reevaluate};
use crate::dialect::command_line;
use crate::meta::Push;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::{Problem, Severity};
use crate::session::request::{FileEdit, Input, Request};
use crate::styled::Styled;
use crate::term::build::Builder;
use crate::term::{Node, Term};
use crate::text::path::{FieldPath, Step, assignment};
use crate::text::{Name, Span};
use crate::value::datum::{Datum, Entry};
use crate::value::machine::Budget;
use crate::value::manifest::{ManifestFormat, Style, export};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Maximum number of edits to try for one field.
const TRIED: usize = 12;

/// A value for a field.
#[derive(Clone)]
struct WantedValue {
    path: FieldPath,
    value: Datum,
    /// The text of a number: `1.10` stays so in a file.
    number: Option<String>,
    /// The assignment, as written. `None` for a part of one.
    set: Option<String>,
    /// Whether the merge with the value has an error.
    is_refused: bool,
}

/// The result of an attempt to make one assignment.
enum Outcome {
    /// The changed files, and a line for each edit.
    Changed(Vec<FileEdit>, Vec<String>),
    /// The assignments of the single fields: a record is merged with the record that is there, as `--set` does it.
    Split(Vec<WantedValue>),
}

impl Run<'_> {
    /// Changes files so that fields have values. Each assignment is made in the files as the ones before it left them.
    pub(super) fn edit(&mut self, request: &Request, sets: &[String]) {
        let mut wanted = Vec::with_capacity(sets.len());
        for set in sets {
            match parsed(set) {
                Ok(one) => wanted.push(one),
                Err(why) => {
                    let _: Option<()> = self.misassigned(SessionKind::BadAssignment { why: Name::from(why) });
                    return;
                }
            }
        }
        let mut edited: Vec<FileEdit> = Vec::new();
        let mut lines: Vec<String> = Vec::new();
        wanted.reverse();
        while let Some(mut one) = wanted.pop() {
            let texts: Vec<_> = edited.iter().map(|edit| (edit.canonical.clone(), edit.after.clone())).collect();
            let mut with_value = match one.set.take() {
                Some(set) => self.reports_with(request, &set, texts.clone()),
                None => Vec::new(),
            };
            one.is_refused = with_value.iter().any(|(severity, _)| *severity == Severity::Error);
            let mut session = self.session.replay(self.dialect).overlaid(texts);
            session.request = self.session.request.clone();
            let mut run = Run::new(&mut session, request);
            let found = if run.prepare(request) { run.edits(request, &one) } else { None };
            with_value.retain(|report| !run.outcome.reports.contains(report));
            let (changes, mut said) = match found {
                Some(Outcome::Changed(changes, said)) => (changes, said),
                Some(Outcome::Split(parts)) => {
                    with_value.retain(|(severity, _)| *severity > Severity::Error);
                    self.outcome.reports.append(&mut with_value);
                    wanted.extend(parts.into_iter().rev());
                    continue;
                }
                None => {
                    with_value.retain(|(severity, _)| *severity == Severity::Error);
                    self.outcome.reports.append(&mut with_value);
                    self.outcome.reports.append(&mut run.outcome.reports);
                    self.outcome.exit = self.outcome.exit.max(run.outcome.exit).max(FAULT);
                    return;
                }
            };
            self.outcome.reports.append(&mut run.outcome.reports);
            with_value.retain(|(severity, _)| *severity > Severity::Error);
            self.outcome.reports.append(&mut with_value);
            lines.append(&mut said);
            for change in changes {
                match edited.iter_mut().find(|edit| edit.canonical == change.canonical) {
                    Some(known) => known.after = change.after,
                    None => edited.push(change),
                }
            }
        }
        self.outcome.output = Styled::from(lines.concat());
        self.outcome.edits = edited;
    }

    /// Returns the changed files for a value. `None` if no edit is right, which is reported.
    fn edits(&mut self, request: &Request, wanted: &WantedValue) -> Option<Outcome> {
        let merged = self.merged(request, request.layers())?;
        let mut path = wanted.path.clone();
        self.respell(&mut path);
        let wanted = &WantedValue { path, ..wanted.clone() };
        let root = self.session.root(&merged.term, self.dialect, &mut Vec::new());
        let before = self.session.workspace.machine.datum(&root, Budget::ALL);
        let path = &wanted.path.steps;
        if part(&before, path).is_some_and(|now| same(now, &wanted.value)) {
            return Some(Outcome::Changed(Vec::new(), vec![format!("{} has this value already\n", wanted.path)]));
        }
        if let (Some(Datum::Record(_)), Datum::Record(fields)) = (part(&before, path), &wanted.value) {
            let field = |entry: &Entry| {
                let steps = path.iter().cloned().chain([Step::Field(entry.name.clone())]).collect();
                let value = entry.value.clone()?;
                Some(WantedValue { path: FieldPath { steps }, value, number: None, set: None, is_refused: false })
            };
            return Some(Outcome::Split(fields.iter().filter_map(field).collect()));
        }
        let strict = replaced(&before, path, &wanted.value);
        let over = self.over(&merged.term, wanted);
        let targets = self.targets(request, path)?;
        let again = self.session.replay(self.dialect);
        let mut other: Option<(Span, FieldPath)> = None;
        for candidate in self.candidates(&root, &before, &targets, wanted).into_iter().take(TRIED) {
            let Some((mut edited, after_root)) = again.with_edits(EditTarget::Request, &candidate.edits, false) else {
                continue;
            };
            let after = edited.machine().datum(&after_root, Budget::ALL);
            if !part(&after, path).is_some_and(|now| same(now, &wanted.value)) {
                continue;
            }
            if !same(&after, &strict) && !over.as_ref().is_some_and(|over| same(&after, over)) {
                let mut also = Vec::new();
                if other.is_none() && differs(&before, &after, path, &mut also) {
                    other = Some((candidate.place, FieldPath { steps: also }));
                }
                continue;
            }
            let word = if candidate.adds { "added" } else { "changed" };
            let edits = if candidate.adds { &[] } else { candidate.edits.as_slice() };
            let line = self.lines(&wanted.path.to_string(), word, candidate.place, edits);
            return Some(Outcome::Changed(self.changed(request, &candidate.edits)?, vec![line]));
        }
        let elements = self.written_elements(&root, path);
        let winner = self.winner(&root, path, &elements);
        let place = winner.map(|span| self.session.world.sources.borrow().locate(span));
        // no file is above the variables of the environment
        let of_environment = |span: Span| {
            self.session.world.sources.borrow().get(span.source).is_some_and(|source| &*source.name == "--env")
        };
        let variable = place.clone().filter(|_| winner.is_some_and(of_environment)).map(Name::from);
        let (reason, mut help) = self.reason(request, &targets, winner);
        if let Some(variable) = &variable {
            help = Name::from(format!("change the variable, which wins over all files: `{variable}`"));
        }
        let why = match other {
            _ if wanted.is_refused => String::from("the merge has an error with this value"),
            _ if variable.is_some() => String::from("a variable of the environment sets the value"),
            Some((place, also)) => {
                let place = self.session.world.sources.borrow().locate(place);
                format!("a change at {place} would change `{also}` too")
            }
            None if matches!(part(&before, path), Some(Datum::Secret)) => {
                let edit = place.map(|place| format!("; edit {place}")).unwrap_or_default();
                format!("the value is secret, so that a change of it cannot be verified{edit}")
            }
            None => reason,
        };
        let help = (!wanted.is_refused).then_some(help);
        let what = SessionKind::NoEdit { path: Name::from(wanted.path.to_string()), why: Name::from(why), help };
        self.fail(&Problem::error(SessionProblem { span: None, what }));
        None
    }

    /// Returns the merge with the value over it, as data. `None` for a record, which would be merged with what is there,
    /// and for an element of an array.
    fn over(&mut self, term: &Arc<Term>, wanted: &WantedValue) -> Option<Datum> {
        let mut json = export(&wanted.value, ManifestFormat::Json, Style::data(false)).ok()?;
        if matches!(wanted.value, Datum::Record(_)) {
            return None;
        }
        for step in wanted.path.steps.iter().rev() {
            let Step::Field(name) = step else { return None };
            let key = export(&Datum::String(name.clone()), ManifestFormat::Json, Style::data(false)).ok()?;
            json = format!("{{{key}: {json}}}");
        }
        let source = self.session.world.add_input("<set>", &json, self.session.languages().standard());
        let layer = command_line::json(source, &json, self.session.world.interrupt.stop()).term;
        let span = term.span(term.root);
        let mut builder = Builder::new();
        let below = self.session.named_part(&mut builder, "%edited", term.clone(), span);
        let above = self.session.named_part(&mut builder, "%set", layer, span);
        let above = super::merge::pushed(&mut builder, above, Push::Force, span);
        let root = builder.push(Node::Merge(vec![below, above].into()), span);
        let thunk = self.session.root(&Arc::new(builder.finish(root)), self.dialect, &mut Vec::new());
        Some(self.session.workspace.machine.datum(&thunk, Budget::ALL))
    }

    /// Returns the texts of the files after the edits.
    fn changed(&mut self, request: &Request, edits: &[Edit]) -> Option<Vec<FileEdit>> {
        let mut out: Vec<FileEdit> = Vec::new();
        let mut edits: Vec<&Edit> = edits.iter().collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
        for edit in edits {
            let canonical = self.session.world.path_of(edit.span.source)?;
            let at = match out.iter().position(|known| known.canonical == canonical) {
                Some(at) => at,
                None => {
                    let path = request.inputs.iter().find_map(|input| match input {
                        Input::File(path) => {
                            let same = self.session.world.loader.canonical(path).is_ok_and(|own| own == canonical);
                            same.then(|| path.clone())
                        }
                        Input::Text { .. } | Input::Stack(_) => None,
                    });
                    // a stack names its files itself
                    let path = path.unwrap_or_else(|| canonical.clone());
                    let before = self.session.workspace.text_of(edit.span.source)?.to_string();
                    out.push(FileEdit { path, canonical: canonical.clone(), after: before.clone(), before });
                    out.len() - 1
                }
            };
            let change = out.get_mut(at)?;
            let (start, end) = (edit.span.start as usize, edit.span.end as usize);
            let (head, tail) = (change.after.get(..start)?, change.after.get(end..)?);
            change.after = [head, &edit.text, tail].concat();
        }
        Some(out)
    }
}

/// Reads `path=value`. The value is JSON, or else a string.
fn parsed(text: &str) -> Result<WantedValue, String> {
    let assigned = assignment(text).map_err(|error| format!("`{text}` assigns to no field: {error}"))?;
    let (path, written) = (assigned.path, text.get(assigned.value).unwrap_or_default());
    // as `--set` reads it without `--in-place`
    let program = command_line::literal(crate::text::SourceId(u32::MAX - 1), written, 0, crate::dialect::Stop::NEVER);
    let value = literal(&program.term, program.term.root);
    let number = matches!(value, Some(Datum::Number(_))).then(|| String::from(written.trim()));
    let set = Some(String::from(text));
    value
        .map(|value| WantedValue { path, value, number, set, is_refused: false })
        .ok_or_else(|| format!("`{text}`: the value cannot be read"))
}

/// Returns the data of a literal.
fn literal(term: &Term, node: crate::term::NodeId) -> Option<Datum> {
    crate::deep::deeper(|| {
        Some(match term.node(node) {
            Node::Null => Datum::Null,
            Node::Bool(b) => Datum::Bool(*b),
            Node::Number(n) => Datum::Number(n.clone()),
            Node::Str(text) => Datum::String(text.clone()),
            Node::Array(items) => {
                Datum::Array(items.iter().map(|item| literal(term, *item)).collect::<Option<Vec<_>>>()?)
            }
            Node::Record(record) => {
                let entry = |field: &crate::term::FieldDef| match &field.name {
                    crate::term::FieldName::Static(name) => {
                        Some(Entry::plain(name.clone(), literal(term, field.body?)?))
                    }
                    _ => None,
                };
                Datum::Record(record.fields.iter().map(entry).collect::<Option<Vec<_>>>()?)
            }
            _ => return None,
        })
    })
}

/// Returns the part of a value at a path.
fn part<'d>(mut value: &'d Datum, path: &[Step]) -> Option<&'d Datum> {
    for step in path {
        value = match (step, value) {
            (Step::Field(name), Datum::Record(entries)) => {
                entries.iter().find(|entry| entry.name == *name)?.value.as_ref()?
            }
            (Step::Index(i), Datum::Array(items)) => items.get(*i)?,
            _ => return None,
        };
    }
    Some(value)
}

/// Returns a value with another one at a path. Records on the way are made.
fn replaced(value: &Datum, path: &[Step], wanted: &Datum) -> Datum {
    let Some((step, rest)) = path.split_first() else { return wanted.clone() };
    crate::deep::deeper(|| match (step, value) {
        (Step::Index(i), Datum::Array(items)) => Datum::Array(
            items
                .iter()
                .enumerate()
                .map(|(at, item)| if at == *i { replaced(item, rest, wanted) } else { item.clone() })
                // the index after the last one appends
                .chain((*i == items.len()).then(|| replaced(&Datum::Null, rest, wanted)))
                .collect(),
        ),
        (Step::Field(name), value) => {
            let mut entries = match value {
                Datum::Record(entries) => entries.clone(),
                _ => Vec::new(),
            };
            match entries.iter_mut().find(|entry| entry.name == *name) {
                Some(entry) => {
                    let old = entry.value.take().unwrap_or(Datum::Null);
                    entry.value = Some(replaced(&old, rest, wanted));
                }
                None => {
                    entries.push(Entry::plain(name.clone(), replaced(&Datum::Null, rest, wanted)));
                    entries.sort_by(|a, b| a.name.cmp(&b.name));
                }
            }
            Datum::Record(entries)
        }
        // the first element of a list that is not there
        (Step::Index(0), Datum::Null) => Datum::Array(vec![replaced(&Datum::Null, rest, wanted)]),
        (_, value) => value.clone(),
    })
}

/// Returns whether two values are equal as data.
fn same(a: &Datum, b: &Datum) -> bool {
    !differs(a, b, &[], &mut Vec::new())
}

/// Returns whether two values differ anywhere but at a path, and appends the path of the first difference.
fn differs(a: &Datum, b: &Datum, except: &[Step], at: &mut Vec<Step>) -> bool {
    if !except.is_empty() && at.as_slice() == except {
        return false;
    }
    let mut inner = |x: Option<&Datum>, y: Option<&Datum>, step: Step| {
        at.push(step);
        let found = match (x, y) {
            (Some(x), Some(y)) => crate::deep::deeper(|| differs(x, y, except, at)),
            (None, None) => false,
            _ => !(at.len() <= except.len() && except.starts_with(at)),
        };
        if !found {
            at.pop();
        }
        found
    };
    match (a, b) {
        (Datum::Record(a), Datum::Record(b)) => {
            let all = |entries: &'_ [Entry]| -> FxHashMap<Name, usize> {
                entries.iter().enumerate().map(|(i, entry)| (entry.name.clone(), i)).collect()
            };
            let (left, right) = (all(a), all(b));
            a.iter().any(|entry| {
                let other = right.get(&entry.name).and_then(|i| b.get(*i)?.value.as_ref());
                inner(entry.value.as_ref(), other, Step::Field(entry.name.clone()))
            }) || b.iter().any(|entry| {
                !left.contains_key(&entry.name) && inner(None, entry.value.as_ref(), Step::Field(entry.name.clone()))
            })
        }
        (Datum::Array(a), Datum::Array(b)) => {
            (0..a.len().max(b.len())).any(|i| inner(a.get(i), b.get(i), Step::Index(i)))
        }
        (Datum::Variant(x, a), Datum::Variant(y, b)) => x != y || differs(a, b, except, at),
        (Datum::Number(a), Datum::Number(b)) => a != b,
        // the places of faults and functions move with the text
        (Datum::Fault(_), Datum::Fault(_)) | (Datum::Function(_), Datum::Function(_)) => false,
        (Datum::Contract(_), Datum::Contract(_)) => false,
        (a, b) => a != b,
    }
}
