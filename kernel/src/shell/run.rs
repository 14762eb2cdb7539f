//! Runs the inputs of a cell, one after the other, and collects their output.

use super::ask::{self, description};
use super::live::LiveOutput;
use crate::cell;
use crate::display;
use crate::queue::Input;
use cfg_core::notebook::{CellReads, PageWidths, Rerun};
use cfg_core::{Event, Role, Session, Severity, Styled};
use serde_json::{Value, json};
use std::ops::Range;

/// An output of a cell.
#[derive(Clone, PartialEq, Debug)]
pub enum CellOutput {
    /// Lines about definitions.
    Lines(Value),
    /// A value or an answer.
    Value(Value),
    /// The last value or answer.
    Result(Value),
    /// A problem as HTML, shown after its text.
    Problem(Value),
    /// A warning.
    Warning(Styled),
    /// Text on a stream.
    Stream(&'static str, String),
}

impl CellOutput {
    /// Returns the data of an output that can be updated.
    pub fn data(&self) -> Option<&Value> {
        match self {
            CellOutput::Lines(data) | CellOutput::Value(data) | CellOutput::Result(data) => Some(data),
            _ => None,
        }
    }

    /// Returns the data of a problem.
    pub fn problem(&self) -> Option<&Value> {
        match self {
            CellOutput::Problem(data) => Some(data),
            _ => None,
        }
    }
}

/// The result of running a cell.
#[derive(Default)]
pub struct CellRun {
    /// Its outputs, in order.
    pub outputs: Vec<CellOutput>,
    /// The reports of its errors.
    pub errors: Vec<Styled>,
    /// Texts for the front end's pager.
    pub payload: Vec<Value>,
    /// The definitions it read.
    pub reads: CellReads,
    /// Its inputs with their numbers.
    pub inputs: Vec<Input>,
    /// The results of its inputs, in order.
    pub events: Vec<Event>,
    /// Whether the user interrupted what its changes caused.
    pub interrupted: bool,
    /// The width of its errors and warnings, in columns.
    pub columns: Option<usize>,
    /// Whether it only defines and shows things, so that it may be run again without a request.
    pub is_pure: bool,
}

impl CellRun {
    /// Returns the text of its result.
    pub fn result(&self) -> Option<&str> {
        let result = self.outputs.iter().rev().find_map(|out| match out {
            CellOutput::Result(data) => Some(data),
            _ => None,
        });
        result?.get("text/plain")?.as_str()
    }
}

/// Runs a cell, for a page. What it prints goes to the session's output; apart from that, only `clear_output` is published.
pub fn run(session: &mut Session, live: &LiveOutput, code: &str, again: &Rerun, page: PageWidths) -> CellRun {
    let mut ran = CellRun { is_pure: true, columns: page.reports, ..CellRun::default() };
    if let Some(question) = cell::question(code) {
        let language = session.dialect();
        match description(session, question.path, question.detail, language) {
            Some(text) => ran.payload.push(ask::page(&text)),
            None => {
                let says = format!("error: unknown name `{}` [session/nothing-there]", question.path);
                ran.errors.push(Styled::of(Role::Error, says));
            }
        }
        return ran;
    }
    let mut run = |session: &mut Session, code: &str| {
        let (code, quiet) = cell::quiet(session, code);
        (inputs(session, live, &code, (again, page), &mut ran), quiet)
    };
    let (events, quiet) = match session.language_line(code).filter(|(_, body)| !body.trim().is_empty()) {
        Some((language, body)) => session.in_language(language, |session| run(session, &body)),
        None => run(session, code),
    };
    show(&events, quiet, &mut ran);
    if !quiet {
        ran.events = events.into_iter().map(|(_, event)| event).collect();
    }
    ran
}

/// Submits the inputs of a cell up to the first that fails. Each event comes with whether a command caused it.
fn inputs(
    session: &mut Session,
    live: &LiveOutput,
    code: &str,
    (again, page): (&Rerun, PageWidths),
    ran: &mut CellRun,
) -> Vec<(bool, Event)> {
    let mut shown: Vec<(bool, Event)> = Vec::new();
    let parts = cell::parts(session, code);
    for (at, part) in parts.iter().enumerate() {
        if part.command {
            let mut words = part.text.split_whitespace();
            if words.next() == Some(":clear") {
                live.publish("clear_output", &json!({ "wait": words.next() == Some("wait") }));
                continue;
            }
            ran.is_pure &= session.is_question(&part.text);
        }
        let (number, language) = (session.next_number(), session.dialect());
        let (events, reads) = session.submit_again(&part.text, again, page, at + 1 == parts.len());
        // a command takes no number: the next cell gets it
        let is_numbered = session.next_number() > number;
        ran.inputs.push(Input { number, is_numbered, language, text: part.text.clone() });
        ran.reads.join(reads);
        let failed = events.iter().any(|e| matches!(e, Event::Diagnostic { severity: Severity::Error, .. }));
        shown.extend(events.into_iter().map(|event| (part.command, event)));
        if failed {
            break;
        }
    }
    shown
}

/// Returns the events of the result: the last value, or the last answer of a command with all lines of text next to it that
/// commands printed. A front end that folds a result to its first output then folds all of it.
fn result(events: &[(bool, Event)]) -> Range<usize> {
    let is_line = |(command, event): &&(bool, Event)| *command && matches!(event, Event::Answer(_) | Event::Bound(_));
    let last = events.iter().rposition(|(command, event)| match event {
        Event::Value { .. } | Event::Steps { .. } | Event::View { .. } => true,
        Event::Answer(_) => *command,
        _ => false,
    });
    let Some((last, event)) = last.and_then(|last| Some((last, events.get(last)?))) else { return 0..0 };
    if !is_line(&event) {
        return last..last + 1;
    }
    let before = events.iter().take(last).rev().take_while(is_line).count();
    let after = events.iter().skip(last).take_while(is_line).count();
    last - before..last + after
}

/// Converts events to outputs.
fn show(events: &[(bool, Event)], quiet: bool, ran: &mut CellRun) {
    let result = result(events);
    let mut lines = Styled::new();
    for (at, (_, event)) in events.iter().enumerate() {
        if at == result.start {
            flush(&mut lines, &mut ran.outputs);
        }
        if let Event::Bound(line) | Event::Answer(line) = event {
            if !quiet {
                if !lines.is_empty() {
                    lines.plain("\n");
                }
                lines.append(line);
            }
            if at + 1 == result.end && !lines.is_empty() {
                ran.outputs.push(CellOutput::Result(display::bundle(&std::mem::take(&mut lines))));
            }
            continue;
        }
        flush(&mut lines, &mut ran.outputs);
        match event {
            Event::Diagnostic { severity: Severity::Error, report, .. } => {
                ran.outputs.extend(display::problem(event).map(CellOutput::Problem));
                ran.errors.push(report.clone());
            }
            Event::Diagnostic { report, .. } => ran.outputs.push(CellOutput::Warning(report.clone())),
            Event::Output(text) => ran.outputs.push(CellOutput::Stream("stdout", text.clone())),
            Event::Quit => ran.payload.push(json!({ "source": "ask_exit", "keepkernel": false })),
            _ if quiet => {}
            event => ran.outputs.extend(display::shown(event).map(|data| match result.contains(&at) {
                true => CellOutput::Result(data),
                false => CellOutput::Value(data),
            })),
        }
    }
    flush(&mut lines, &mut ran.outputs);
}

/// Converts events that belong to no cell to outputs.
pub fn shown(events: &[Event]) -> Vec<CellOutput> {
    let mut ran = CellRun::default();
    show(&events.iter().map(|event| (false, event.clone())).collect::<Vec<_>>(), false, &mut ran);
    ran.outputs
}

fn flush(lines: &mut Styled, outputs: &mut Vec<CellOutput>) {
    if !lines.is_empty() {
        outputs.push(CellOutput::Lines(display::bundle(&std::mem::take(lines))));
    }
}
