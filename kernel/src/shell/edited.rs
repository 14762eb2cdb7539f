//! Cells that a notebook deletes and restores, which its comm announces at once ([`super::panel`]).

use super::deadline::Deadline;
use super::{Shell, notebook};
use crate::comms::Target;
use crate::request::Request;
use cfg_core::Event;
use cfg_core::notebook::PageWidths;
use serde_json::{Map, Value, json};

impl Shell {
    /// Returns `true` if a message announces deleted or restored cells.
    pub(super) fn is_edit(&self, request: &Request) -> bool {
        request.message.kind() == "comm_msg"
            && request.changes_session()
            && request.text("comm_id").and_then(|comm| self.common.comms.target(comm)) == Some(Target::Notebook)
    }

    /// Handles a message that announces deleted or restored cells. Returns the data of the answer; `None` for other
    /// messages.
    pub(super) fn edited(&mut self, request: &Request) -> Option<Value> {
        if !self.is_edit(request) {
            return None;
        }
        let data = request.get("data").and_then(Value::as_object)?;
        self.live.follow(Some(request.message.header.clone()));
        let (mut lines, mut events) = (Vec::new(), Vec::new());
        let page = PageWidths { answers: None, reports: self.common.comms.columns(request.message.session()) };
        let deleted = ids(data, "deleted");
        if !deleted.is_empty() {
            self.live.deleted_cells(&deleted);
            let numbers = self.notebook.delete(&self.session, &deleted);
            events = self.session.forget_cells(&numbers, page);
        }
        for id in ids(data, "restored") {
            let Shell { session, notebook, live, .. } = self;
            match notebook.restore(session, live, id) {
                Some(notebook::Restored::Ran(ran)) => events.extend(ran.events),
                Some(notebook::Restored::NotRun(number)) => {
                    lines.push(format!("[{number}] is restored, but did not run again: run it to get its effect back"));
                }
                None => {}
            }
        }
        let line = |event: &Event| match event {
            Event::Answer(line) | Event::Bound(line) => Some(line.text()),
            _ => None,
        };
        lines.splice(0..0, events.iter().filter_map(line));
        let Shell { session, notebook, live, deadline, .. } = self;
        let deadline = deadline.get_or_insert_with(|| Deadline::new(session.interrupt_handle()));
        let updated = notebook.update_others(session, live, deadline, "");
        if let Some(text) = updated.text {
            lines.push(text.text());
            events.push(Event::Answer(text));
        }
        self.send_to_prompts(&events);
        self.live.follow(None);
        self.publish();
        Some(json!({ "id": data.get("id"), "says": lines.join("\n") }))
    }
}

/// Returns the ids in a member of a message.
fn ids<'a>(data: &'a Map<String, Value>, name: &str) -> Vec<&'a str> {
    data.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}
