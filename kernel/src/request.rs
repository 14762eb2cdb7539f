//! A request on its way back to who asked, and what all are told meanwhile.

use crate::wire::{Message, Object, Wire};
use crate::zmtp::{Publisher, Router};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

/// A message that came on a ROUTER.
pub struct Request {
    /// Where it came.
    pub router: Arc<Router>,
    /// Who sent it.
    pub peer: Vec<u8>,
    /// What.
    pub message: Message,
    /// When.
    pub received: Instant,
}

impl Request {
    /// Its answer's kind: none for what is no request.
    pub fn answer_kind(&self) -> Option<String> {
        self.message.kind().strip_suffix("_request").map(|kind| format!("{kind}_reply"))
    }

    /// A content's member.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.message.content.as_ref().ok()?.get(name).filter(|v| !v.is_null())
    }

    /// A text of the content.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    /// A truth of the content.
    pub fn flag(&self, name: &str, default: bool) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or(default)
    }

    /// A whole number of the content.
    pub fn number(&self, name: &str) -> Option<i64> {
        let value = self.get(name)?;
        // a client may send 3.0
        #[allow(clippy::cast_possible_truncation)]
        value.as_i64().or_else(|| value.as_f64().map(|f| f as i64))
    }
}

/// What is said: answers to one, news to all.
pub struct Voice {
    /// Names, dates, signs.
    pub wire: Arc<Wire>,
    /// Who listens.
    pub publisher: Arc<Publisher>,
}

impl Voice {
    /// Answers a request.
    pub fn reply(&self, request: &Request, kind: &str, content: &Value) {
        let message = &request.message;
        let frames = self.wire.message(&message.identities, kind, &message.header, &json!({}), content);
        request.router.send(&request.peer, &frames);
    }

    /// Tells all.
    pub fn publish(&self, parent: &Object, kind: &str, content: &Value) {
        let topic = format!("kernel.{}.{kind}", self.wire.session()).into_bytes();
        self.publisher.send(&self.wire.message(&[topic], kind, parent, &json!({}), content));
    }

    /// Tells all that the kernel is `busy`, `idle` or `starting`.
    pub fn status(&self, parent: &Object, state: &str) {
        self.publish(parent, "status", &json!({ "execution_state": state }));
    }
}

/// The content of an error that the kernel itself has to tell.
pub fn failure(name: &str, says: &str) -> Value {
    json!({ "status": "error", "ename": name, "evalue": says, "traceback": [format!("error: {says} [{name}]")] })
}
