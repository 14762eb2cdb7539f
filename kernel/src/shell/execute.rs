//! `execute_request`

use super::ask::{about, page};
use super::{Place, Shell};
use crate::cell::{self, Part};
use crate::display;
use crate::queue::Work;
use crate::request::{Request, failure};
use crate::wire::Object;
use cfg_core::problem::Severity;
use cfg_core::session::Event;
use cfg_core::view::Styled;
use serde_json::{Map, Value, json};
use std::time::Instant;

/// The first number of the cells that are not kept: they are cells of the session all the same, and no number names two.
pub const HIDDEN: u32 = 1 << 30;
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
            return with(content, [("status", json!("aborted")), ("execution_count", json!(self.common.count()))]);
        }
        let Some(code) = request.text("code").map(String::from) else {
            let content = failure("kernel/malformed", "`code` is no string");
            return with(content, [("execution_count", json!(self.common.count()))]);
        };
        let silent = request.flag("silent", false);
        let kept = !silent && request.flag("store_history", true);
        // a cell that holds nothing takes no number, as in IPython
        let number = match kept && !code.trim().is_empty() {
            true => self.common.next_number(),
            false => self.common.count(),
        };
        self.live.follow((!silent).then(|| request.message.header.clone()));
        if !silent {
            self.live.publish("execute_input", &json!({ "code": code, "execution_count": number }));
        }
        self.session.set_next_number(if kept { number.max(1) } else { self.hidden });
        let ran = self.run(&code, number);
        if kept {
            // several inputs of one cell are several of the session
            self.common.took(self.session.next_number().saturating_sub(1));
            if number > 0 && !code.trim().is_empty() {
                self.common.history().push(number, &code, ran.result.clone());
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
                    self.live.publish("error", &Value::Object(parts));
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

    fn run(&mut self, code: &str, number: u32) -> Ran {
        let mut ran = Ran::default();
        if let Some(question) = cell::question(code) {
            let language = self.session.language_of("");
            match about(&mut self.session, question.path, question.detail, language) {
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
            let first = self.session.next_number();
            let events = self.session.submit(&part.text);
            if let Place::Sub(main) = &self.place {
                main.push(Work::Define(first, vec![part.text.clone()]));
            }
            let failed = events.iter().any(|e| matches!(e, Event::Diagnostic { severity: Severity::Error, .. }));
            shown.extend(events.into_iter().map(|event| (part.command, event)));
            if failed {
                break;
            }
        }
        // the last value or answer of a command is the result; what is said before it is shown as it comes
        let is_result = |(command, event): &(bool, Event)| match event {
            Event::Value { .. } | Event::Steps { .. } | Event::View { .. } => true,
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
                Event::Diagnostic { severity: Severity::Error, report, .. } => {
                    if let Some(data) = display::problem(event) {
                        self.live.publish("display_data", &json!({ "data": data, "metadata": {}, "transient": {} }));
                    }
                    ran.errors.push(report.clone());
                }
                Event::Diagnostic { report, .. } => {
                    let text = display::coloured(report);
                    self.live.print("stderr", &format!("{}\n", text.trim_end_matches('\n')));
                }
                Event::Output(text) => self.live.print("stdout", text),
                Event::Quit => ran.payload.push(json!({ "source": "ask_exit", "keepkernel": false })),
                _ if quiet => {}
                event => {
                    let Some(data) = display::shown(event) else { continue };
                    if Some(at) == last {
                        ran.result = data.get("text/plain").and_then(Value::as_str).map(String::from);
                        let content = json!({ "data": data, "metadata": {}, "execution_count": number });
                        self.live.publish("execute_result", &content);
                    } else {
                        self.live.publish("display_data", &json!({ "data": data, "metadata": {}, "transient": {} }));
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
            self.live.publish("display_data", &json!({ "data": data, "metadata": {}, "transient": {} }));
        }
    }

    /// Runs a command that is the notebook's own, if it is one.
    fn own(&self, part: &Part) -> bool {
        let mut words = part.text.split_whitespace();
        let own = matches!(words.next(), Some(":clear"));
        if own {
            self.live.publish("clear_output", &json!({ "wait": words.next() == Some("wait") }));
        }
        own
    }

    fn user_expressions(&mut self, request: &Request) -> Value {
        let mut out = Map::new();
        let Some(all) = request.get("user_expressions").and_then(Value::as_object) else { return Value::Object(out) };
        let parent = self.live.follow(None);
        for (name, text) in all {
            let events = self.session.evaluate(text.as_str().unwrap_or(""));
            let errors: Vec<Styled> = events.iter().filter_map(error_of).collect();
            let value = events.iter().rev().find_map(display::shown);
            out.insert(
                name.clone(),
                match value {
                    Some(data) if errors.is_empty() => json!({ "status": "ok", "data": data, "metadata": {} }),
                    _ => display::error(&errors),
                },
            );
        }
        self.live.follow(parent);
        Value::Object(out)
    }
}

impl Shell {
    /// Binds here what another shell has bound.
    pub(super) fn define(&mut self, number: u32, texts: &[String]) {
        let next = self.session.next_number();
        for text in texts {
            self.session.set_next_number(number);
            self.session.define(text);
        }
        self.session.set_next_number(next);
        self.tell();
    }
}

fn error_of(event: &Event) -> Option<Styled> {
    match event {
        Event::Diagnostic { severity: Severity::Error, report, .. } => Some(report.clone()),
        _ => None,
    }
}

fn with<const N: usize>(mut content: Value, parts: [(&str, Value); N]) -> Value {
    if let Some(content) = content.as_object_mut() {
        content.extend(parts.map(|(name, value)| (String::from(name), value)));
    }
    content
}
