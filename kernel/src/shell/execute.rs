//! Handles `execute_request`.

use super::comm;
use super::notebook;
use super::run::{self, CellOutput, CellRun};
use super::{Deadline, Shell, ShellKind};
use crate::cell::{self, FileCell};
use crate::comms::Target;
use crate::display;
use crate::queue::{Input, Work};
use crate::request::{Request, failure};
use crate::wire::Object;
use cfg_core::notebook::PageWidths;
use cfg_core::{Event, Role, Severity, Styled};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Instant;

/// The cell of a notebook that outputs are shown in.
#[derive(Clone, Copy)]
struct CellTarget<'a> {
    id: &'a str,
    /// Whether the client can update an `execute_result`. Protocol 5.5 lets a kernel update only `display_data`.
    updates_results: bool,
}

impl Shell {
    /// Runs a cell and returns the content of the reply. Aborts it if it was received before an earlier cell of the same
    /// client failed, as Jupyter demands: "run all cells" stops at the first error.
    pub(super) fn execute(&mut self, request: &Request) -> Value {
        let from = request.message.session();
        if self.failed.as_ref().is_some_and(|(who, when)| who.as_ref() == from && request.received <= *when) {
            let content = failure("kernel/aborted", "not run: an earlier cell failed");
            return with_fields(content, [("status", json!("aborted"))]);
        }
        let Some(code) = request.text("code").map(String::from) else {
            return failure("kernel/malformed", "`code` is not a string");
        };
        let silent = request.flag("silent", false);
        let kept = !silent && request.flag("store_history", true);
        // an empty cell takes no number, as in IPython
        let number = match kept && !code.trim().is_empty() {
            true => self.common.next_number(),
            false => self.common.count(),
        };
        self.live.follow((!silent).then(|| request.message.header.clone()));
        self.live.begin_cell(notebook::cell_id(&request.message.metadata));
        self.live.publish("execute_input", &json!({ "code": code, "execution_count": number }));
        self.session.set_next_number(if kept { number.max(1) } else { self.next_unkept });
        let ran = self.run(request, &code, number, kept);
        if kept {
            // one cell may contain several of the session's inputs
            self.common.record_number(self.session.next_number().saturating_sub(1));
            if number > 0 && !code.trim().is_empty() {
                let input = self.session.masked_input(&code);
                self.common.history().push(number, &input, ran.result().map(String::from));
            }
        } else {
            self.next_unkept = self.session.next_number();
        }
        if ran.interrupted {
            self.failed = Some((from.cloned(), Instant::now()));
        }
        let content = match ran.errors.is_empty() {
            true => json!({ "status": "ok", "user_expressions": self.user_expressions(request) }),
            false => {
                let error = self.publish_error(request, &ran);
                if request.flag("stop_on_error", true) || ran.errors.iter().any(is_interrupt) {
                    self.failed = Some((from.cloned(), Instant::now()));
                }
                with_fields(error, [("user_expressions", json!({}))])
            }
        };
        self.send_to_prompts(&ran.events);
        with_fields(content, [("execution_count", json!(number)), ("payload", Value::Array(ran.payload))])
    }

    /// Publishes the errors of a cell as one error. Returns its content, for the reply.
    fn publish_error(&self, request: &Request, ran: &CellRun) -> Value {
        let error = display::error(&ran.errors);
        if let Some(error) = error.as_object() {
            let parts = ["ename", "evalue", "traceback"].map(|k| (String::from(k), error.get(k).cloned()));
            let parts: Object = parts.into_iter().filter_map(|(k, v)| Some((k, v?))).collect();
            self.live.publish("error", &Value::Object(parts));
        }
        // the error already contains all the text; the HTML version is for notebooks, which send cell ids
        if notebook::cell_id(&request.message.metadata).is_some() {
            for data in ran.outputs.iter().filter_map(CellOutput::problem) {
                let content = json!({ "data": data, "metadata": {}, "transient": {} });
                self.live.publish("display_data", &content);
            }
        }
        error
    }

    /// Runs a cell and shows its results, except errors. Then updates the other cells of the notebook that read what it
    /// changed, as `:set reactive` says. `kept` says whether the cell is stored in the history.
    fn run(&mut self, request: &Request, code: &str, number: u32, kept: bool) -> CellRun {
        let metadata = &request.message.metadata;
        let tracked = kept && matches!(self.kind, ShellKind::Main);
        let id = notebook::cell_id(metadata).filter(|_| tracked).map(String::from);
        let deleted = notebook::deleted(metadata);
        let reports = self.common.comms.columns(request.message.session());
        let page = PageWidths { answers: request.columns(), reports };
        let target = notebook::cell_id(metadata).map(|id| CellTarget {
            id,
            updates_results: self.common.comms.has(Target::Notebook, request.message.session()),
        });
        if tracked && !deleted.is_empty() {
            self.live.deleted_cells(&deleted);
            let numbers = self.notebook.delete(&self.session, &deleted);
            let events = self.session.forget_cells(&numbers, page);
            self.show(&run::shown(&events), number, &[], target);
        }
        let earlier = id.as_deref().map_or(&[][..], |id| self.notebook.input_numbers(id));
        let again = self.session.rerun(earlier);
        let mut ran = match cell::file(code) {
            Some(file) => self.write_file(file),
            None => run::run(&mut self.session, &self.live, code, &again, page),
        };
        if let ShellKind::Sub(main) = &self.kind {
            main.push(Work::Define(ran.inputs.clone()));
        }
        // outputs need ids to be updated, and the user may switch to reactive mode after this run
        let displays: Vec<String> = match id.is_some() {
            true => ran
                .outputs
                .iter()
                .filter_map(CellOutput::data)
                .map(|_| self.notebook.display_id(&self.common.messenger))
                .collect(),
            false => Vec::new(),
        };
        self.show(&ran.outputs, number, &displays, target);
        if ran.inputs.iter().any(|input| self.session.is_reset(&input.text)) {
            self.notebook.clear();
        }
        if tracked {
            // an attached prompt has no cells, but what it runs can change what the cells of a notebook read
            let Shell { session, notebook, live, deadline, .. } = self;
            if let Some(id) = &id {
                notebook.record_run(session, id, code, number, &ran, &displays);
            }
            let deadline = deadline.get_or_insert_with(|| Deadline::new(session.interrupt_handle()));
            let updated = notebook.update_others(session, live, deadline, id.as_deref().unwrap_or_default());
            ran.interrupted = updated.interrupted;
            if let Some(text) = updated.text {
                self.show(&[CellOutput::Lines(display::bundle(&text))], number, &[], target);
                ran.events.push(Event::Answer(text));
            }
        }
        ran
    }

    /// Runs a cell that writes a file. The session then reads its files again, because it may have read this one.
    fn write_file(&mut self, FileCell { name, text }: FileCell<'_>) -> CellRun {
        let written = (self.common.loader)().write(Path::new(name), text.as_bytes());
        if let Err(error) = written {
            let mut report = Styled::of(Role::Error, "error");
            report.plain(format!(": cannot write `{name}`: {} [kernel/cannot-write]", cell::reason(&error)));
            return CellRun { errors: vec![report], ..CellRun::default() };
        }
        let mut events = vec![Event::Answer(Styled::from(format!("wrote {name}")))];
        events.extend(self.session.submit(":reload").into_iter().filter(|event| !matches!(event, Event::Answer(_))));
        CellRun { outputs: run::shown(&events), events, ..CellRun::default() }
    }

    /// Sends the events of a cell to the attached prompts.
    pub(super) fn send_to_prompts(&self, events: &[Event]) {
        let prompts = self.common.comms.of(Target::Prompt);
        if prompts.is_empty() {
            return;
        }
        let data = comm::results(&self.session, &self.common, events);
        for id in prompts {
            self.live.publish("comm_msg", &json!({ "comm_id": id, "data": data }));
        }
    }

    /// Publishes the outputs of a cell. `displays` are the display ids of its updatable outputs, in order; without ids,
    /// they cannot be updated later. `target` is the cell, if the client has cells.
    fn show(&self, outputs: &[CellOutput], number: u32, displays: &[String], target: Option<CellTarget<'_>>) {
        let mut displays = displays.iter();
        let mut after_warning = false;
        for out in outputs {
            let warned = std::mem::replace(&mut after_warning, matches!(out, CellOutput::Warning(_)));
            let (data, id) = match out {
                CellOutput::Stream(stream, text) => {
                    self.live.print(stream, text);
                    continue;
                }
                CellOutput::Warning(report) if target.is_none() => {
                    let text = display::coloured(report);
                    let gap = if warned { "\n" } else { "" };
                    self.live.print("stderr", &format!("{gap}{}\n", text.trim_end_matches('\n')));
                    continue;
                }
                CellOutput::Warning(report) => {
                    let content = json!({ "data": display::warning(report), "metadata": {}, "transient": {} });
                    self.live.publish("display_data", &content);
                    continue;
                }
                // shown after the error
                CellOutput::Problem(_) => continue,
                CellOutput::Lines(data) | CellOutput::Value(data) | CellOutput::Result(data) => (data, displays.next()),
            };
            let mut transient = id.map_or(json!({}), |id| json!({ "display_id": id }));
            match (out, id, target) {
                (CellOutput::Result(_), None, _) => {
                    let content = json!({ "data": data, "metadata": {}, "execution_count": number });
                    self.live.publish("execute_result", &content);
                }
                // the extension for JupyterLab updates a result that has a number
                (CellOutput::Result(_), Some(_), Some(CellTarget { id, updates_results: true })) => {
                    transient["cell"] = json!(id);
                    let content = json!({
                        "data": data, "metadata": {}, "execution_count": number, "transient": transient,
                    });
                    self.live.publish("execute_result", &content);
                }
                _ => {
                    let content = json!({ "data": data, "metadata": {}, "transient": transient });
                    self.live.publish("display_data", &content);
                }
            }
        }
    }

    /// Evaluates the `user_expressions` of a request: a result or an error for each name.
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

    /// Repeats the definitions of a subshell in this session, under the numbers that they have there.
    pub(super) fn define(&mut self, inputs: &[Input]) {
        let next = self.session.next_number();
        for Input { number, language, text, .. } in inputs {
            self.session.set_next_number(*number);
            self.session.in_language(*language, |session| session.define(text));
        }
        self.session.set_next_number(next);
        self.publish();
    }
}

/// Returns `true` if an error is an interrupt.
pub fn is_interrupt(report: &Styled) -> bool {
    report.text().contains("[value/interrupted]")
}

/// Returns the report of an event that is an error.
fn error_of(event: &Event) -> Option<Styled> {
    match event {
        Event::Diagnostic { severity: Severity::Error, report, .. } => Some(report.clone()),
        _ => None,
    }
}

/// Adds fields to a JSON object.
fn with_fields<const N: usize>(mut content: Value, parts: [(&str, Value); N]) -> Value {
    if let Some(content) = content.as_object_mut() {
        content.extend(parts.map(|(name, value)| (String::from(name), value)));
    }
    content
}
