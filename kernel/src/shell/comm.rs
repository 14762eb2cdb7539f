//! Handles messages about comms.

use super::panel;
use crate::common::Common;
use crate::comms::Target;
use crate::prompt::{self, OPTIONS, State};
use crate::request::Request;
use cfg_core::{Event, Session};
use serde_json::{Map, Value, json};

/// Opens a comm and answers with what its target says first; closes it again if the target is unknown.
pub fn open(session: &Session, common: &Common, request: &Request) {
    let Some(id) = request.text("comm_id") else { return };
    let header = &request.message.header;
    match request.text("target_name").and_then(Target::named) {
        Some(target) if common.comms.open(id, target, request.message.session()) => match target {
            Target::Prompt => send(common, request, id, json!({ "state": state(session, common).to_json() })),
            Target::Notebook => {
                set_columns(common, id, request.get("data").and_then(Value::as_object));
                send(common, request, id, json!({ "ready": true }));
            }
        },
        _ => common.messenger.publish(header, "comm_close", &json!({ "comm_id": id, "data": {} })),
    }
}

/// Handles a message on an open comm.
pub fn message(session: &mut Session, common: &Common, request: &Request) {
    let Some(id) = request.text("comm_id") else { return };
    let Some(data) = request.get("data").and_then(Value::as_object) else { return };
    match common.comms.target(id) {
        Some(Target::Prompt) => send(common, request, id, asked(session, common, data)),
        Some(Target::Notebook) if set_columns(common, id, Some(data)) => {}
        Some(Target::Notebook) => send(common, request, id, panel::answer(session, common, data)),
        None => {}
    }
}

/// Records the width of a notebook's page that a message announces; reports whether it does.
fn set_columns(common: &Common, id: &str, data: Option<&Map<String, Value>>) -> bool {
    let columns = data.and_then(|data| data.get("columns")?.as_u64()).and_then(|columns| usize::try_from(columns).ok());
    if let Some(columns) = columns {
        common.comms.set_columns(id, columns);
    }
    columns.is_some()
}

/// Closes a comm.
pub fn close(common: &Common, request: &Request) {
    if let Some(id) = request.text("comm_id") {
        common.comms.close(id);
    }
}

/// Returns the state of the session for its prompts.
pub fn state(session: &Session, common: &Common) -> State {
    let option = |name: &&str| Some((String::from(*name), session.option(name)?));
    State {
        language: session.dialect(),
        next: common.count().saturating_add(1),
        options: OPTIONS.iter().filter_map(option).collect(),
    }
}

/// Returns the data of a message to the prompts: the results of a cell, and the state after it.
pub fn results(session: &Session, common: &Common, events: &[Event]) -> Value {
    let events: Vec<Value> = events.iter().filter_map(prompt::event_to_json).collect();
    let explained = session.explained_definitions();
    json!({ "events": events, "state": state(session, common).to_json(), "explained": explained })
}

/// Answers a question of a prompt.
fn asked(session: &mut Session, common: &Common, data: &Map<String, Value>) -> Value {
    let number = |name: &str| data.get(name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    match data.get("ask").and_then(Value::as_str) {
        Some("hint") => {
            let code = data.get("code").and_then(Value::as_str).unwrap_or_default();
            let cursor = number("cursor").unwrap_or(code.len());
            let hint = code.is_char_boundary(cursor).then(|| session.hint(code, cursor)).flatten();
            json!({ "hint": hint })
        }
        Some(question @ ("steps" | "explained" | "whatif")) => {
            let text = |name: &str| data.get(name).and_then(Value::as_str).unwrap_or_default();
            match question {
                "steps" => {
                    let steps = session.steps_again();
                    json!({ "steps": steps.map(|(pages, footer)| prompt::steps_to_json(&pages, &footer)) })
                }
                "explained" => {
                    let field = session.explain_again(text("path"));
                    json!({ "explained": field.as_ref().map(prompt::explained_to_json) })
                }
                _ => json!({ "tried": prompt::tried_to_json(&session.try_changes(text("path"), text("changes"))) }),
            }
        }
        _ => json!({ "state": state(session, common).to_json() }),
    }
}

/// Sends data on a comm.
pub fn send(common: &Common, request: &Request, id: &str, data: Value) {
    common.messenger.publish(&request.message.header, "comm_msg", &json!({ "comm_id": id, "data": data }));
}
