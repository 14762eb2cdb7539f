//! Requests, replies to them, and messages published to all clients.

use crate::wire::{Message, Object, Wire};
use crate::zmtp::{Publisher, Router};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

/// A message that arrived on a ROUTER socket.
pub struct Request {
    /// The socket it arrived on.
    pub router: Arc<Router>,
    /// The identity of its sender.
    pub peer: Vec<u8>,
    /// The message.
    pub message: Message,
    /// The time of its arrival.
    pub received: Instant,
}

impl Request {
    /// Returns the message type of the reply; `None` if the message is not a request.
    pub fn answer_kind(&self) -> Option<String> {
        self.message.kind().strip_suffix("_request").map(|kind| format!("{kind}_reply"))
    }

    /// Returns a member of the content.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.message.content.as_ref().ok()?.get(name).filter(|v| !v.is_null())
    }

    /// Returns a string of the content.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    /// Returns a Boolean of the content.
    pub fn flag(&self, name: &str, default: bool) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or(default)
    }

    /// Returns an integer of the content.
    pub fn number(&self, name: &str) -> Option<i64> {
        let value = self.get(name)?;
        // a client may send 3.0
        #[allow(clippy::cast_possible_truncation)]
        value.as_i64().or_else(|| value.as_f64().map(|f| f as i64))
    }

    /// Returns `true` if the request changes the session: it runs a cell, or announces that a notebook deleted or restored
    /// cells ([`crate::shell::panel`]). A replica of the session cannot answer it.
    pub fn changes_session(&self) -> bool {
        match self.message.kind() {
            "execute_request" => true,
            "comm_msg" => {
                self.get("data").is_some_and(|data| ["deleted", "restored"].iter().any(|of| data.get(of).is_some()))
            }
            _ => false,
        }
    }

    /// Returns the width of the client's page, in columns: in the metadata of a request, or in the data of a comm message. `None` if
    /// the page has no columns, as in a notebook.
    pub fn columns(&self) -> Option<usize> {
        let page = self.message.metadata.get("cfg").or_else(|| self.get("data"));
        usize::try_from(page?.get("columns")?.as_u64()?).ok()
    }
}

/// Sends messages: replies to one client, and publications to all.
pub struct Messenger {
    /// Builds and signs messages.
    pub wire: Arc<Wire>,
    /// The iopub socket.
    pub publisher: Arc<Publisher>,
}

impl Messenger {
    /// Replies to a request.
    pub fn reply(&self, request: &Request, kind: &str, content: &Value) {
        let message = &request.message;
        let frames = self.wire.message(&message.identities, kind, &message.header, &json!({}), content);
        request.router.send(&request.peer, &frames);
    }

    /// Publishes a message to all clients.
    pub fn publish(&self, parent: &Object, kind: &str, content: &Value) {
        let topic = format!("kernel.{}.{kind}", self.wire.session()).into_bytes();
        self.publisher.send(&self.wire.message(&[topic], kind, parent, &json!({}), content));
    }

    /// Publishes the kernel's status: `busy`, `idle` or `starting`.
    pub fn status(&self, parent: &Object, state: &str) {
        self.publish(parent, "status", &json!({ "execution_state": state }));
    }
}

/// Returns the content of an error of the kernel itself.
pub fn failure(name: &str, says: &str) -> Value {
    json!({ "status": "error", "ename": name, "evalue": says, "traceback": [format!("error: {says} [{name}]")] })
}
