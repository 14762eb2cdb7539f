//! The messages between a kernel and a notebook with the extension for JupyterLab: comms with the target `cfg.notebook`.
//!
//! A client with such a comm can update an `execute_result`: its results have a `display_id` and the id of their cell in
//! `transient`, and are replaced by `update_display_data`. The kernel answers a `comm_open` with `{ "ready": true }`. The
//! data of `comm_open`, or a `comm_msg`, may be `{ "columns": 70 }`, the width of the page: errors and warnings are laid
//! out for it. A notebook may ask with a `comm_msg`, and the answer has the same `id`:
//!
//! ```json
//! { "id": 1, "ask": "names" }
//! { "id": 1, "names": [{ "name": "x", "type": "Number", "annotations": [], "doc": null, "cell": "c1", "place": "cfg[1]:1:1",
//!   "stale": false }], "cells": { "1": "c1" } }
//! { "id": 2, "ask": "command", "code": ":whatif x.port off 1" }
//! { "id": 2, "data": { "text/plain": "…", "text/html": "…", "application/vnd.cfg.whatif+json": {} }, "error": null }
//! ```
//!
//! A command that changes anything is not run.
//!
//! A notebook announces the cells that it deletes, and those that it restores when a deletion is undone. Definitions of a
//! deleted cell are forgotten; a restored cell that only defines and shows things runs again. The answer says what changed,
//! and cells that become stale are treated as `:set reactive` says:
//!
//! ```json
//! { "id": 3, "deleted": ["c1"], "restored": [] }
//! { "id": 3, "says": "x is no longer bound\nstale: [4]  (something it read has changed)" }
//! ```

use crate::common::Common;
use crate::display;
use cfg_core::{Event, Session, Severity, Styled};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The name of the target.
pub const TARGET: &str = "cfg.notebook";

/// The cells of a notebook, which all shells of a kernel know.
#[derive(Clone, Default)]
pub struct CellsState {
    /// The ids of the cells by the numbers of their inputs.
    pub numbers: BTreeMap<u32, String>,
    /// The inputs of the cells that are known to be stale.
    pub stale: BTreeSet<u32>,
}

/// Answers a question of a notebook.
pub fn answer(session: &mut Session, common: &Common, asked: &Map<String, Value>) -> Value {
    let mut answer = match asked.get("ask").and_then(Value::as_str) {
        Some("names") => names(session, common),
        Some("command") => command(session, asked.get("code").and_then(Value::as_str).unwrap_or_default()),
        _ => json!({ "error": "unknown question" }),
    };
    answer["id"] = asked.get("id").cloned().unwrap_or_default();
    answer
}

/// Returns the names of the session, and the cells of its inputs.
fn names(session: &Session, common: &Common) -> Value {
    let CellsState { numbers, stale } = common.cells();
    let cells: Map<String, Value> =
        numbers.into_iter().map(|(number, cell)| (number.to_string(), json!(cell))).collect();
    let names: Vec<Value> = session
        .overview()
        .into_iter()
        .map(|name| {
            json!({
                "name": name.name,
                "type": name.ty,
                "annotations": name.annotations,
                "doc": name.doc,
                "cell": cells.get(&name.cell.to_string()),
                "place": name.place,
                "stale": stale.contains(&name.cell),
            })
        })
        .collect();
    json!({ "names": names, "cells": cells })
}

/// Runs a command that changes nothing.
fn command(session: &mut Session, code: &str) -> Value {
    let events = session.ask(code);
    let error = events.iter().find_map(|event| match event {
        Event::Diagnostic { severity: Severity::Error, report, .. } => Some(Styled::text(report)),
        _ => None,
    });
    json!({ "data": events.iter().rev().find_map(display::shown), "error": error })
}
