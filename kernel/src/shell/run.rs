//! A cell's inputs, run one after the other, and what they show.

use super::ask::{about, page};
use super::live::Live;
use crate::cell;
use crate::display;
use crate::queue::Input;
use cfg_core::problem::Severity;
use cfg_core::session::{Event, Reads, Rerun, Session};
use cfg_core::view::{Role, Styled};
use serde_json::{Value, json};

/// Something that a cell shows.
#[derive(Clone, PartialEq, Debug)]
pub enum Out {
    /// Definitions and what is said of them, one under the other.
    Lines(Value),
    /// A value or an answer.
    Value(Value),
    /// The last value or answer.
    Result(Value),
    /// A problem's page, shown behind its text.
    Problem(Value),
    /// Text on a stream.
    Stream(&'static str, String),
}

impl Out {
    /// What can be put in the place of an older one.
    pub fn data(&self) -> Option<&Value> {
        match self {
            Out::Lines(data) | Out::Value(data) | Out::Result(data) => Some(data),
            _ => None,
        }
    }

    /// A problem's page.
    pub fn problem(&self) -> Option<&Value> {
        match self {
            Out::Problem(data) => Some(data),
            _ => None,
        }
    }
}

/// What came of a cell.
#[derive(Default)]
pub struct Ran {
    /// What it shows, in order.
    pub outs: Vec<Out>,
    /// The reports of its errors.
    pub errors: Vec<Styled>,
    /// What goes beside the notebook.
    pub payload: Vec<Value>,
    /// What it read.
    pub reads: Reads,
    /// Its inputs with their numbers.
    pub inputs: Vec<Input>,
    /// Whether it only binds and shows, so that it may be run again without being asked to.
    pub is_pure: bool,
}

impl Ran {
    /// The text of its result.
    pub fn result(&self) -> Option<&str> {
        let result = self.outs.iter().rev().find_map(|out| match out {
            Out::Result(data) => Some(data),
            _ => None,
        });
        result?.get("text/plain")?.as_str()
    }
}

/// Runs a cell. What it prints goes where the session prints; nothing else is said but what clears the output.
pub fn run(session: &mut Session, live: &Live, code: &str, again: &Rerun) -> Ran {
    let mut ran = Ran { is_pure: true, ..Ran::default() };
    if let Some(question) = cell::question(code) {
        let language = session.dialect();
        match about(session, question.path, question.detail, language) {
            Some(text) => ran.payload.push(page(&text)),
            None => {
                let says = format!("error: nothing is known of `{}` [session/nothing-there]", question.path);
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
    ran
}

/// Submits the inputs of a cell up to the first that fails. With each event: whether it is a command's.
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

/// Turns events into what is shown: the last value or answer of a command is the result.
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

/// What events show that are no cell's.
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
