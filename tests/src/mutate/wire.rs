//! Bytes of a connection to the kernel: messages of the Jupyter protocol in frames, some of them damaged.

use crate::generate::Rng;
use serde_json::{Value, json};

const KINDS: &[&str] = &[
    "execute_request",
    "complete_request",
    "inspect_request",
    "is_complete_request",
    "history_request",
    "comm_info_request",
    "comm_open",
    "comm_msg",
    "comm_close",
    "kernel_info_request",
    "shutdown_request",
    "interrupt_request",
    "debug_request",
    "usage_request",
    "create_subshell_request",
    "",
];

/// Bytes that are inserted into frames and between them.
const PIECES: &[&[u8]] = &[
    b"<IDS|MSG>",
    b"{}",
    b"[",
    b"{",
    b"\"",
    b"null",
    b"1e999",
    b"\\ud800",
    b"\xff\xfe",
    b"\0",
    &[0, 0],
    &[1, 0],
    &[2, 0, 0, 0, 0, 0, 0, 0, 1],
    &[2, 255, 255, 255, 255, 255, 255, 255, 255],
    &[4, 5, 4, b'P', b'I', b'N', b'G'],
    &[6, 0, 0, 0, 0, 0, 1, 0, 0],
];

/// Returns a message of the protocol, in frames.
fn message(rng: &mut Rng) -> Vec<Vec<u8>> {
    let kind = *rng.pick(KINDS);
    let value = |rng: &mut Rng| -> Value {
        match rng.below(8) {
            0 => json!(null),
            1 => json!(-1),
            2 => json!(1.5e300),
            3 => json!([{}, [], "x"]),
            4 => json!("é\u{0}𝄞"),
            5 => json!({"a": {"b": [true]}}),
            6 => json!(u64::MAX),
            _ => json!("1 + 1"),
        }
    };
    let mut content = serde_json::Map::new();
    for name in
        ["code", "cursor_pos", "silent", "store_history", "detail_level", "session", "data", "comm_id", "target_name"]
    {
        if rng.below(2) == 0 {
            content.insert(name.to_owned(), value(rng));
        }
    }
    let mut header =
        json!({"msg_id": "m", "session": "s", "username": "u", "date": "", "msg_type": kind, "version": "5.4"});
    if rng.below(4) == 0
        && let Some(header) = header.as_object_mut()
    {
        let name = *rng.pick(&["msg_id", "session", "msg_type", "subshell_id"]);
        header.insert(name.to_owned(), value(rng));
    }
    let json = |value: &Value| value.to_string().into_bytes();
    let parts = [json(&header), b"{}".to_vec(), b"{}".to_vec(), json(&Value::Object(content))];
    let mut frames = vec![b"peer".to_vec(), b"<IDS|MSG>".to_vec(), Vec::new()];
    frames.extend(parts);
    frames
}

/// Encodes frames as ZMTP does, with some lengths in eight bytes.
fn encode(rng: &mut Rng, frames: &[Vec<u8>], out: &mut Vec<u8>) {
    for (index, frame) in frames.iter().enumerate() {
        let more = u8::from(index + 1 < frames.len());
        match u8::try_from(frame.len()) {
            Ok(length) if rng.below(4) > 0 => out.extend([more, length]),
            _ => {
                out.push(more | 2);
                out.extend((frame.len() as u64).to_be_bytes());
            }
        }
        out.extend(frame);
    }
}

/// Returns the bytes of up to three messages. The same seed always gives the same bytes.
pub fn bad_messages(seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed ^ 0x2e6d);
    let mut out = Vec::new();
    for _ in 0..1 + rng.below(3) {
        let mut frames = message(&mut rng);
        for _ in 0..rng.below(3) {
            let at = rng.below(frames.len());
            let frame = &mut frames[at];
            let place = rng.below(frame.len() + 1);
            match rng.below(5) {
                0 => frame.truncate(place),
                1 => drop(frame.splice(place..place, rng.pick(PIECES).iter().copied())),
                2 => drop(frame.splice(place..place, b"[".repeat(*rng.pick(&[3, 300, 30_000])))),
                3 => drop(frames.remove(at)),
                _ => frames.insert(at, rng.pick(PIECES).to_vec()),
            }
            if frames.is_empty() {
                break;
            }
        }
        encode(&mut rng, &frames, &mut out);
    }
    for _ in 0..rng.below(3) {
        let at = rng.below(out.len() + 1);
        match rng.below(4) {
            0 => out.truncate(at),
            1 => drop(out.splice(at..at, rng.pick(PIECES).iter().copied())),
            2 if at < out.len() => out[at] = rng.below(256) as u8,
            _ => drop(out.drain(at..(at + rng.below(9)).min(out.len()))),
        }
    }
    out
}
