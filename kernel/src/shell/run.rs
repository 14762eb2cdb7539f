//! Runs the inputs of a cell, one after the other, and collects their output.

use super::ask::{about, page};
use super::live::Live;
use crate::cell;
use crate::display;
use crate::queue::Input;
use cfg_core::notebook::{CellReads, Rerun};
use cfg_core::{Event, Role, Session, Severity, Styled};
use serde_json::{Value, json};

/// An output of a cell.
#[derive(Clone, PartialEq, Debug)]
pub enum Out {
    /// Lines about definitions.
    Lines(Value),
    /// A value or an answer.
    Value(Value),
    /// The last value or answer.
    Result(Value),
    /// A problem as HTML, shown after its text.
    Problem(Value),
    /// Text on a stream.
    Stream(&'static str, String),
}

impl Out {
    /// Returns the data of an output that can be updated.
    pub fn data(&self) -> Option<&Value> {
        match self {
            Out::Lines(data) | Out::Value(data) | Out::Result(data) => Some(data),
            _ => None,
        }
    }

    /// Returns the data of a problem.
    pub fn problem(&self) -> Option<&Value> {
        match self {
            Out::Problem(data) => Some(data),
            _ => None,
        }
    }
}

/// The result of running a cell.
#[derive(Default)]
pub struct Ran {
    /// Its outputs, in order.
    pub outs: Vec<Out>,
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
    /// Whether it only defines and shows things, so that it may be run again without a request.
    pub is_pure: bool,
}

impl Ran {
    /// Returns the text of its result.
    pub fn result(&self) -> Option<&str> {
        let result = self.outs.iter().rev().find_map(|out| match out {
            Out::Result(data) => Some(data),
            _ => None,
        });
        result?.get("text/plain")?.as_str()
    }
}

/// Runs a cell. What it prints goes to the session's output; apart from that, only `clear_output` is published.
pub fn run(session: &mut Session, live: &Live, code: &str, again: &Rerun) -> Ran {
    let mut ran = Ran { is_pure: true, ..Ran::default() };
    if let Some(question) = cell::question(code) {
        let language = session.dialect();
        match about(session, question.path, question.detail, language) {
            Some(text) => ran.payload.push(page(&text)),
            None => {
                let says = format!("error: unknown name `{}` [session/nothing-there]", question.path);
                ran.errors.push(Styled::of(Role::Error, says));
            }
        }
        return ran;
    }
    let spoken = session.dialect();
    let mut code = std::borrow::Cow::Borrowed(code);
    let line = session.language_line(&code);
    if let Some((language, body)) = &line
        && !body.trim().is_empty()
    {
        let _ = session.set_dialect(*language);
        code = body.clone().into();
    }
    let (code, quiet) = cell::quiet(session, &code);
    let events = inputs(session, live, &code, again, &mut ran);
    if line.is_some_and(|(language, _)| session.dialect() == language) {
        let _ = session.set_dialect(spoken);
    }
    show(&events, quiet, &mut ran);
    if !quiet {
        ran.events = events.into_iter().map(|(_, event)| event).collect();
    }
    ran
}

/// Submits the inputs of a cell up to the first that fails. Each event comes with whether a command caused it.
fn inputs(session: &mut Session, live: &Live, code: &str, again: &Rerun, ran: &mut Ran) -> Vec<(bool, Event)> {
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
        ran.inputs.push(Input { number, language, text: part.text.clone() });
        let (events, reads) = session.submit_again(&part.text, again, at + 1 == parts.len());
        ran.reads.join(reads);
        let failed = events.iter().any(|e| matches!(e, Event::Diagnostic { severity: Severity::Error, .. }));
        shown.extend(events.into_iter().map(|event| (part.command, event)));
        if failed {
            break;
        }
    }
    shown
}

/// Converts events to outputs. The last value, or answer of a command, is the result.
fn show(events: &[(bool, Event)], quiet: bool, ran: &mut Ran) {
    let is_result = |(command, event): &(bool, Event)| match event {
        Event::Value { .. } | Event::Steps { .. } | Event::View { .. } => true,
        Event::Answer(_) => *command,
        _ => false,
    };
    let last = events.iter().rposition(is_result);
    let mut lines = Styled::new();
    for (at, (_, event)) in events.iter().enumerate() {
        if let (Event::Bound(line) | Event::Answer(line), true) = (event, Some(at) != last) {
            if !quiet {
                if !lines.is_empty() {
                    lines.plain("\n");
                }
                lines.append(line);
            }
            continue;
        }
        flush(&mut lines, &mut ran.outs);
        match event {
            Event::Diagnostic { severity: Severity::Error, report, .. } => {
                ran.outs.extend(display::problem(event).map(Out::Problem));
                ran.errors.push(report.clone());
            }
            Event::Diagnostic { report, .. } => {
                let text = display::coloured(report);
                ran.outs.push(Out::Stream("stderr", format!("{}\n", text.trim_end_matches('\n'))));
            }
            Event::Output(text) => ran.outs.push(Out::Stream("stdout", text.clone())),
            Event::Quit => ran.payload.push(json!({ "source": "ask_exit", "keepkernel": false })),
            _ if quiet => {}
            event => ran.outs.extend(display::shown(event).map(|data| match Some(at) == last {
                true => Out::Result(data),
                false => Out::Value(data),
            })),
        }
    }
    flush(&mut lines, &mut ran.outs);
}

/// Converts events that belong to no cell to outputs.
pub fn shown(events: &[Event]) -> Vec<Out> {
    let mut ran = Ran::default();
    show(&events.iter().map(|event| (false, event.clone())).collect::<Vec<_>>(), false, &mut ran);
    ran.outs
}

fn flush(lines: &mut Styled, outs: &mut Vec<Out>) {
    if !lines.is_empty() {
        outs.push(Out::Lines(display::bundle(&std::mem::take(lines))));
    }
}
