//! Edits that change one definition: remove it, change its priority, or replace its value.

use super::{Edit, FieldInText, removed};
use crate::dialect::{Edits, StdNames};
use crate::meta::Priority;
use crate::problem::Severity;
use crate::state::Workspace;
use crate::state::input::without_command;
use crate::text::{Name, SourceId, Span};

/// A change of a definition, as `:whatif` tries it.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// Removes it: `:whatif` says `off`.
    Off,
    /// Gives it this priority.
    Priority(Priority),
    /// Replaces its value by this expression.
    Value(String),
}

/// Returns edits of the text that each make the change, the likeliest first. `at` is the span of the definition's value. The
/// text parses after each of them. Empty if the language of the text has no such edit.
pub fn edits(session: &Workspace, at: Span, change: &Change) -> Vec<Edit> {
    let found = match (session.edits_of(at.source), change) {
        (Some(Edits::Lines(lines)), Change::Off) => {
            removed(session, lines, at).map(|found| found.edits).unwrap_or_default()
        }
        (_, Change::Value(text)) => vec![Edit { span: at, text: text.clone() }],
        (Some(Edits::Annotations), _) => {
            let definition = session.definition_of(at, |field, term| field.body.map(|body| term.span(body)));
            match (definition, change) {
                (Some(definition), Change::Priority(priority)) => {
                    with_priority(session, &definition, priority).into_iter().collect()
                }
                (Some(definition), _) => without_definition(session, &definition),
                (None, _) => Vec::new(),
            }
        }
        // a language without annotations may still have fields that can be removed
        (Some(Edits::Never), Change::Off) => {
            let definition = session.field_at(at, |field, term| field.body.map(|body| term.span(body)));
            definition.map(|definition| without_definition(session, &definition)).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    found.into_iter().filter(|edit| parses(session, edit)).collect()
}

/// Returns a message for a change that has no edit: why not, and what to do instead. `number` is the number of the
/// definition in the answer.
pub fn refusal(session: &Workspace, at: Span, number: usize, change: &Change) -> String {
    let annotated = matches!(session.edits_of(at.source), Some(Edits::Annotations));
    match change {
        Change::Value(text) => {
            let edit = Edit { span: at, text: text.clone() };
            match unknown_name(session, &edit) {
                _ if !parses(session, &edit) => {
                    format!("the new value of definition {number} is not one expression of its language")
                }
                Some(name) => {
                    let place = crate::answer::explain::place(session, at);
                    format!(
                        "the new value of definition {number} reads `{name}`, and there is nothing of this name at {place}"
                    )
                }
                None => format!("definition {number} cannot have this value: the evaluation fails or does not end"),
            }
        }
        Change::Priority(_) if !annotated => {
            format!("definition {number} is in a text without priorities: switch it off, or give it another value")
        }
        _ if annotated => format!("definition {number} cannot be changed in this way"),
        _ => {
            let place = crate::answer::explain::place(session, at);
            format!("definition {number} cannot be changed in this way: change its text at {place}")
        }
    }
}

/// Returns the annotation of a priority, `| default `. Empty for a normal priority.
fn annotation(priority: &Priority) -> String {
    match priority {
        Priority::Default => String::from("| default "),
        Priority::Force => String::from("| force "),
        Priority::Number(number) => format!("| priority {number} "),
        Priority::Normal | Priority::Layer(_) => String::new(),
    }
}

/// Returns the edit that gives a definition a priority, `port | force = 8443`, in place of the one it has.
fn with_priority(session: &Workspace, definition: &FieldInText, priority: &Priority) -> Option<Edit> {
    let (name, body) = (definition.name, definition.body?);
    let Some(span) = definition.priority else {
        let text = session.written_span(name.to(body))?;
        let before = text.get(..(body.start - name.start) as usize)?;
        let at = name.start + u32::try_from(before.rfind('=')?).ok()?;
        return Some(Edit { span: Span { start: at, end: at, ..name }, text: annotation(priority) });
    };
    // the place of an annotation is its keyword, with or without the bar; a number may follow it
    let bar = session.written_span(span)?.starts_with('|');
    let before = session.written_span(Span { start: name.start, end: span.start, ..span })?;
    let start = match (bar, before.rfind('|')) {
        (false, Some(at)) => name.start + u32::try_from(at).ok()?,
        _ => span.start,
    };
    let after = session.written_span(Span { start: span.end, end: body.start, ..span })?;
    let next = after.find(['|', '=']).unwrap_or(0);
    let end = span.end + u32::try_from(next).ok()?;
    Some(Edit { span: Span { start, end, ..span }, text: annotation(priority) })
}

/// Returns the edits that may remove a definition: from its start, from its name, or from the delimiter before it if the
/// name is a part of a path. The caller keeps those after which the text parses.
fn without_definition(session: &Workspace, definition: &FieldInText) -> Vec<Edit> {
    let Some(text) = session.text_of(definition.whole.source) else { return Vec::new() };
    let Some(body) = definition.body else { return Vec::new() };
    let (name, end) = (definition.name.start as usize, body.end.max(definition.whole.end) as usize);
    let (Some(before), Some(rest)) = (text.get(..name), text.get(end..)) else { return Vec::new() };
    let blank = rest.len() - rest.trim_start().len();
    let comma = rest.trim_start().starts_with([',', ';']);
    let after = if comma { end + blank + 1 } else { end };
    let delimited = before.rfind(['{', ',', ';', '\n']).map_or(0, |at| at + 1);
    let delimited = delimited + before.get(delimited..).map_or(0, |b| b.len() - b.trim_start().len());
    let starts = [definition.whole.start as usize, name, delimited];
    let mut spans: Vec<(usize, usize)> = starts.into_iter().map(|start| (start, after)).collect();
    // the last of several fields takes the comma before it along
    if !comma && let Some(at) = text.get(..delimited).and_then(|before| before.trim_end().strip_suffix(',')) {
        spans.push((at.len(), end));
    }
    spans.dedup();
    // leaves only one space where the definition was
    let is_blank = |c: char| matches!(c, ' ' | '\t');
    let edit = |(start, end): (usize, usize)| {
        let is_after_blank = text.get(..start)?.ends_with(is_blank);
        let rest = text.get(end..)?;
        let gap = if is_after_blank { rest.len() - rest.trim_start_matches(is_blank).len() } else { 0 };
        let end = end + gap;
        let span = Span { start: u32::try_from(start).ok()?, end: u32::try_from(end).ok()?, ..body };
        Some(Edit { span, text: String::new() })
    };
    spans.into_iter().filter_map(edit).collect()
}

/// Returns a name in the new text that has no meaning there.
fn unknown_name(session: &Workspace, edit: &Edit) -> Option<Name> {
    let text = session.text_of(edit.span.source)?;
    let (before, rest) = (text.get(..edit.span.start as usize)?, text.get(edit.span.end as usize..)?);
    let text = without_command(&[before, &edit.text, rest].concat());
    let dialect = session.dialect_of(edit.span.source)?;
    let inside = edit.span.start as usize..edit.span.start as usize + edit.text.len();
    let program = dialect.program(edit.span.source, &text, &StdNames).problems;
    let cell = dialect.cell(edit.span.source, &text, &StdNames).problems;
    program.iter().chain(&cell).filter(|problem| problem.code() == "scope/unbound").find_map(|problem| {
        let span = problem.span()?;
        let range = span.start as usize..span.end as usize;
        let name = Name::new(text.get(range.clone())?);
        (inside.start <= range.start && range.end <= inside.end && session.definition(&name).is_none()).then_some(name)
    })
}

/// Returns `true` if the text parses after an edit, as a program or as an input of the session.
fn parses(session: &Workspace, edit: &Edit) -> bool {
    let after = |source: SourceId| {
        let text = session.text_of(source)?;
        let (before, rest) = (text.get(..edit.span.start as usize)?, text.get(edit.span.end as usize..)?);
        Some([before, &edit.text, rest].concat())
    };
    let (Some(dialect), Some(text)) = (session.dialect_of(edit.span.source), after(edit.span.source)) else {
        return false;
    };
    let text = without_command(&text);
    let has_syntax_error = |problems: &[crate::problem::Problem]| {
        problems.iter().any(|p| p.severity == Severity::Error && p.code().starts_with("syntax/"))
    };
    !has_syntax_error(&dialect.program(edit.span.source, &text, &StdNames).problems)
        || !has_syntax_error(&dialect.cell(edit.span.source, &text, &StdNames).problems)
}
