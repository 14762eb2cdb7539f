//! `execute_request`

use super::Shell;
use super::ask::page;
use crate::cell::{self, Part};
use crate::display;
use crate::request::{Request, Voice, failure};
use crate::wire::Object;
use cfg_core::problem::Severity;
use cfg_core::session::Event;
use cfg_core::view::Styled;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The first number of the cells that are not kept: they are cells of the session all the same, and no number names two.
pub const HIDDEN: u32 = 1 << 30;
/// What is printed fast is sent in pieces, so often.
const OFTEN: Duration = Duration::from_millis(20);
/// And when it is so long.
const LONG: usize = 1 << 16;

/// Sends what programs print while they run.
pub struct Live {
    voice: Arc<Voice>,
    /// The request that runs; `None`: nothing is to be heard of it.
    parent: Option<Object>,
    waiting: String,
    sent: Option<Instant>,
}

impl Live {
    /// Nothing runs.
    pub fn new(voice: Arc<Voice>) -> Live {
        Live { voice, parent: None, waiting: String::new(), sent: None }
    }

    /// Prints. Only `stdout` waits for more.
    pub fn print(&mut self, stream: &str, text: &str) {
        let Some(parent) = &self.parent else { return };
        if stream != "stdout" {
            let parent = parent.clone();
            self.flush();
            return self.voice.publish(&parent, "stream", &json!({ "name": stream, "text": text }));
        }
        self.waiting.push_str(text);
        if self.waiting.len() > LONG || self.sent.is_none_or(|at| at.elapsed() > OFTEN) {
            self.flush();
        }
    }

    /// Sends what waits.
    pub fn flush(&mut self) {
        let text = std::mem::take(&mut self.waiting);
        if let (Some(parent), false) = (&self.parent, text.is_empty()) {
            self.voice.publish(parent, "stream", &json!({ "name": "stdout", "text": text }));
            self.sent = Some(Instant::now());
        }
    }

    fn publish(&mut self, kind: &str, content: &Value) {
        self.flush();
        if let Some(parent) = &self.parent {
            self.voice.publish(parent, kind, content);
        }
    }
}

/// What came of a cell.
#[derive(Default)]
struct Ran {
    errors: Vec<Styled>,
    /// The text of its result.
    result: Option<String>,
    payload: Vec<Value>,
}

impl Shell {
    /// Runs a cell.
    pub(super) fn execute(&mut self, request: &Request) -> Value {
        let from = request.message.session();
        if self.failed.as_ref().is_some_and(|(who, when)| who.as_ref() == from && request.received <= *when) {
            let content = failure("kernel/aborted", "a cell before this one failed");
            return with(content, [("status", json!("aborted")), ("execution_count", json!(self.count))]);
        }
        let Some(code) = request.text("code").map(String::from) else {
            let content = failure("kernel/malformed", "`code` is no string");
            return with(content, [("execution_count", json!(self.count))]);
        };
        let silent = request.flag("silent", false);
        let kept = !silent && request.flag("store_history", true);
        // a cell that holds nothing takes no number, as in IPython
        let number = if kept && !code.trim().is_empty() { self.count + 1 } else { self.count };
        *self.live.borrow_mut() = Live::new(self.parts.voice.clone());
        if !silent {
            self.live.borrow_mut().parent = Some(request.message.header.clone());
            self.publish("execute_input", &json!({ "code": code, "execution_count": number }));
        }
        self.session.set_next_number(if kept { number.max(1) } else { self.hidden });
        let ran = self.run(&code, number);
        if kept {
            // several inputs of one cell are several of the session
            self.count = number.max(self.session.next_number().saturating_sub(1));
            if number > 0 && !code.trim().is_empty() {
                self.history.push(number, &code, ran.result.clone());
            }
        } else {
            self.hidden = self.session.next_number();
        }
        let mut content = match ran.errors.is_empty() {
            true => json!({ "status": "ok", "user_expressions": self.user_expressions(request) }),
            false => {
                let mut error = display::error(&ran.errors);
                if let Some(error) = error.as_object() {
                    let parts = ["ename", "evalue", "traceback"].map(|k| (String::from(k), error.get(k).cloned()));
                    let parts: Object = parts.into_iter().filter_map(|(k, v)| Some((k, v?))).collect();
                    self.publish("error", &Value::Object(parts));
                }
                if request.flag("stop_on_error", true) {
                    self.failed = Some((from.cloned(), Instant::now()));
                }
                error = with(error, [("user_expressions", json!({}))]);
                error
            }
        };
        content = with(content, [("execution_count", json!(number)), ("payload", Value::Array(ran.payload))]);
        content
    }

    fn publish(&self, kind: &str, content: &Value) {
        self.live.borrow_mut().publish(kind, content);
    }

    fn run(&mut self, code: &str, number: u32) -> Ran {
        let mut ran = Ran::default();
        if let Some(question) = cell::question(code) {
            match self.about(question.path, question.detail, self.session.language_of("")) {
                Some(text) => ran.payload.push(page(&text)),
                None => {
                    let says = format!("error: nothing is known of `{}` [session/nothing-there]", question.path);
                    ran.errors.push(Styled::of(cfg_core::view::Role::Error, says));
                }
            }
            return ran;
        }
        let (code, quiet) = cell::quiet(&self.session, code);
        let mut shown: Vec<(bool, Event)> = Vec::new();
        for part in cell::parts(&self.session, &code) {
            if part.command && self.own(&part) {
                continue;
            }
            let events = self.session.submit(&part.text);
            let failed = events.iter().any(|e| matches!(e, Event::Diagnostic { severity: Severity::Error, .. }));
            shown.extend(events.into_iter().map(|event| (part.command, event)));
            if failed {
                break;
            }
        }
        // the last value or answer of a command is the result; what is said before it is shown as it comes
        let is_result = |(command, event): &(bool, Event)| match event {
            Event::Value { .. } | Event::Steps { .. } => true,
            Event::Answer(_) => *command,
            _ => false,
        };
        let last = shown.iter().rposition(is_result);
        let mut lines: Option<Styled> = None;
        for (at, (_, event)) in shown.iter().enumerate() {
            let line = matches!(event, Event::Bound(_) | Event::Answer(_)) && Some(at) != last;
            if line && !quiet {
                let lines = lines.get_or_insert_default();
                if !lines.is_empty() {
                    lines.plain("\n");
                }
                lines.append(&display::answer(event).unwrap_or_default());
                continue;
            }
            self.lines(lines.take());
            match event {
                Event::Diagnostic { severity: Severity::Error, report } => ran.errors.push(report.clone()),
                Event::Diagnostic { report, .. } => {
                    let text = display::coloured(report);
                    self.live.borrow_mut().print("stderr", &format!("{}\n", text.trim_end_matches('\n')));
                }
                Event::Output(text) => self.live.borrow_mut().print("stdout", text),
                Event::Quit => ran.payload.push(json!({ "source": "ask_exit", "keepkernel": false })),
                _ if quiet => {}
                event => {
                    let Some(text) = display::answer(event) else { continue };
                    let data = display::bundle(&text);
                    if Some(at) == last {
                        ran.result = data.get("text/plain").and_then(Value::as_str).map(String::from);
                        let content = json!({ "data": data, "metadata": {}, "execution_count": number });
                        self.publish("execute_result", &content);
                    } else {
                        self.publish("display_data", &json!({ "data": data, "metadata": {}, "transient": {} }));
                    }
                }
            }
        }
        self.lines(lines.take());
        ran
    }

    fn lines(&self, lines: Option<Styled>) {
        if let Some(lines) = lines {
            let data = display::bundle(&lines);
            self.publish("display_data", &json!({ "data": data, "metadata": {}, "transient": {} }));
        }
    }

    /// Runs a command that is the notebook's own, if it is one.
    fn own(&self, part: &Part) -> bool {
        let mut words = part.text.split_whitespace();
        let own = matches!(words.next(), Some(":clear"));
        if own {
            self.publish("clear_output", &json!({ "wait": words.next() == Some("wait") }));
        }
        own
    }

    fn user_expressions(&mut self, request: &Request) -> Value {
        let mut out = Map::new();
        let Some(all) = request.get("user_expressions").and_then(Value::as_object) else { return Value::Object(out) };
        let parent = self.live.borrow_mut().parent.take();
        for (name, text) in all {
            let events = self.session.evaluate(text.as_str().unwrap_or(""));
            let errors: Vec<Styled> = events.iter().filter_map(error_of).collect();
            let value = events.iter().rev().find_map(display::answer);
            out.insert(
                name.clone(),
                match value {
                    Some(text) if errors.is_empty() => {
                        json!({ "status": "ok", "data": display::bundle(&text), "metadata": {} })
                    }
                    _ => display::error(&errors),
                },
            );
        }
        self.live.borrow_mut().parent = parent;
        Value::Object(out)
    }
}

fn error_of(event: &Event) -> Option<Styled> {
    match event {
        Event::Diagnostic { severity: Severity::Error, report } => Some(report.clone()),
        _ => None,
    }
}

fn with<const N: usize>(mut content: Value, parts: [(&str, Value); N]) -> Value {
    if let Some(content) = content.as_object_mut() {
        content.extend(parts.map(|(name, value)| (String::from(name), value)));
    }
    content
}
