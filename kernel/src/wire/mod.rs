//! Messages of the Jupyter protocol: identities, a delimiter, a signature; then header, parent header, metadata and
//! content as JSON; then buffers.
//!
//! The header is kept as a map, so that members added by newer clients are returned in `parent_header`.

mod sign;
mod time;

pub use sign::Signer;

use crate::zmtp::Frames;
use serde_json::{Map, Value, json};
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// The supported version of the protocol.
pub const PROTOCOL: &str = "5.5";
const DELIMITER: &[u8] = b"<IDS|MSG>";

/// A JSON object.
pub type Object = Map<String, Value>;

/// A received message.
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    /// The frames before the delimiter: the routing identities.
    pub identities: Frames,
    /// `header`
    pub header: Object,
    /// `metadata`
    pub metadata: Object,
    /// `content`, or the reason why it is not valid.
    pub content: Result<Object, String>,
}

/// The reason why a message is dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dropped {
    /// No delimiter, or too few frames after it.
    Incomplete,
    /// Signed with another key, or altered.
    Signature,
    /// The header is not a map with a `msg_type`.
    Header,
}

impl Dropped {
    /// Returns the reason as text.
    pub fn why(self) -> &'static str {
        match self {
            Dropped::Incomplete => "too few frames",
            Dropped::Signature => "wrong signature",
            Dropped::Header => "invalid header",
        }
    }
}

impl Message {
    /// Returns the `msg_type`.
    pub fn kind(&self) -> &str {
        self.header.get("msg_type").and_then(Value::as_str).unwrap_or("")
    }

    /// Returns the client's session.
    pub fn session(&self) -> Option<&Value> {
        self.header.get("session")
    }
}

/// Builds messages: signs, numbers and dates them.
pub struct Wire {
    signer: Signer,
    session: String,
    count: AtomicU64,
}

impl Wire {
    /// Creates a builder with a signer.
    pub fn new(signer: Signer) -> Wire {
        // the keys of hash maps are random; ids must be distinct, but not secret
        let [a, b] = [0, 1].map(|n| RandomState::new().hash_one(n));
        Wire { signer, session: format!("{a:016x}{b:016x}"), count: AtomicU64::new(0) }
    }

    /// Returns the id of this kernel's session.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Parses a message. A signed message with a header is accepted even if its content is invalid.
    ///
    /// # Errors
    /// Returns the reason why the message must be dropped.
    pub fn read(&self, mut frames: Frames) -> Result<Message, Dropped> {
        let at = frames.iter().position(|f| f == DELIMITER).ok_or(Dropped::Incomplete)?;
        let rest = frames.split_off(at);
        let [_, signature, parts @ ..] = rest.as_slice() else { return Err(Dropped::Incomplete) };
        let [header, parent, metadata, content, ..] = parts else { return Err(Dropped::Incomplete) };
        if !self.signer.verify(signature, [header, parent, metadata, content]) {
            return Err(Dropped::Signature);
        }
        let header: Object = serde_json::from_slice(header).map_err(|_| Dropped::Header)?;
        if !header.get("msg_type").is_some_and(Value::is_string) {
            return Err(Dropped::Header);
        }
        let metadata = serde_json::from_slice(metadata).unwrap_or_default();
        let content =
            serde_json::from_slice(content).map_err(|error| format!("the content is not a JSON object: {error}"));
        Ok(Message { identities: frames, header, metadata, content })
    }

    /// Builds a message after its identities or its topic.
    pub fn message(
        &self,
        identities: &[Vec<u8>],
        kind: &str,
        parent: &Object,
        metadata: &Value,
        content: &Value,
    ) -> Frames {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let header = json!({
            "msg_id": format!("{}_{number}", self.session),
            "msg_type": kind,
            "username": "cfg",
            "session": self.session,
            "date": time::now(),
            "version": PROTOCOL,
        });
        let parts = [
            header.to_string().into_bytes(),
            serde_json::to_vec(parent).unwrap_or_else(|_| b"{}".to_vec()),
            metadata.to_string().into_bytes(),
            content.to_string().into_bytes(),
        ];
        let mut frames = identities.to_vec();
        frames.push(DELIMITER.to_vec());
        frames.push(self.signer.sign(parts.each_ref()));
        frames.extend(parts);
        frames
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wire(key: &str) -> Wire {
        Wire::new(Signer::new(key))
    }

    fn said(wire: &Wire) -> Frames {
        let parent = json!({"msg_id": "1", "new": {"in": 6}}).as_object().unwrap().clone();
        wire.message(&[b"you".to_vec()], "a_reply", &parent, &json!({}), &json!({"status": "ok"}))
    }

    #[test]
    fn messages_are_read_back() {
        for key in ["", "secret"] {
            let wire = wire(key);
            let message = wire.read(said(&wire)).unwrap();
            assert_eq!((message.kind(), &*message.identities), ("a_reply", &[b"you".to_vec()][..]));
            assert_eq!(message.content.unwrap().get("status"), Some(&json!("ok")));
            assert_eq!(message.header.get("version"), Some(&json!(PROTOCOL)));
        }
    }

    #[test]
    fn altered_messages_are_dropped() {
        let wire = wire("secret");
        for part in 2..7 {
            let mut frames = said(&wire);
            frames[part].push(b' ');
            assert_eq!(wire.read(frames), Err(Dropped::Signature), "frame {part}");
        }
        for length in 0..7 {
            assert_eq!(wire.read(said(&wire)[..length].to_vec()), Err(Dropped::Incomplete), "{length} frames");
        }
        assert_eq!(wire.read(said(&super::tests::wire("other"))), Err(Dropped::Signature));
        assert_eq!(wire.read(said(&super::tests::wire(""))), Err(Dropped::Signature));
    }

    #[test]
    fn a_message_with_invalid_content_is_still_a_request() {
        let wire = wire("");
        let mut frames = said(&wire);
        frames[6] = b"[".repeat(100_000);
        let message = wire.read(frames).unwrap();
        assert_eq!(message.kind(), "a_reply");
        assert!(message.content.is_err());
        let mut frames = said(&wire);
        frames[3] = b"{\"msg_type\": 1}".to_vec();
        assert_eq!(wire.read(frames), Err(Dropped::Header));
    }
}
