//! The beginning of a connection: greetings, then READY from both sides, with the NULL mechanism. There is no
//! transport security, because messages are signed.

use super::frame::{self, Incoming, invalid, named};
use std::io::{self, Read, Write};

/// The type of a socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// ROUTER: receives requests from many peers and replies to each.
    Router,
    /// XPUB: publishes to all subscribers.
    Publisher,
    /// REP: returns what it receives.
    Echo,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Router => "ROUTER",
            Kind::Publisher => "XPUB",
            Kind::Echo => "REP",
        }
    }

    fn takes(self, other: &[u8]) -> bool {
        match self {
            Kind::Router => matches!(other, b"DEALER" | b"REQ" | b"ROUTER"),
            Kind::Publisher => matches!(other, b"SUB" | b"XSUB"),
            Kind::Echo => matches!(other, b"REQ" | b"DEALER"),
        }
    }
}

/// Returns the greeting: the signature, version 3.1, the mechanism, as-server off, and a filler; 64 bytes.
fn greeting() -> [u8; 64] {
    let mut out = [0; 64];
    let begin = b"\xff\0\0\0\0\0\0\0\x01\x7f\x03\x01NULL";
    if let Some(front) = out.get_mut(..begin.len()) {
        front.copy_from_slice(begin);
    }
    out
}

/// Greets a peer and returns its identity, which is empty if it has none.
///
/// # Errors
/// Returns the connection's error, or `InvalidData` if the peer speaks another protocol, wants another mechanism, or
/// has an incompatible socket.
pub fn shake(kind: Kind, from: &mut impl Read, to: &mut impl Write) -> io::Result<Vec<u8>> {
    to.write_all(&greeting())?;
    let mut theirs = [0; 64];
    from.read_exact(&mut theirs)?;
    let version = theirs.get(10).copied().unwrap_or(0);
    let mechanism = theirs.get(12..32).unwrap_or(&[]);
    if theirs.first() != Some(&0xff) || theirs.get(9).is_none_or(|b| b & 1 == 0) || version < 3 {
        return Err(invalid("not a ZMTP 3 greeting"));
    }
    if mechanism.split(|b| *b == 0).next() != Some(b"NULL") {
        return Err(invalid("unsupported mechanism: only NULL is supported"));
    }
    let mut data = Vec::new();
    property("Socket-Type", kind.name().as_bytes(), &mut data);
    property("Identity", b"", &mut data);
    to.write_all(&frame::command_bytes("READY", &data))?;
    match frame::read(from)? {
        Incoming::Command(name, data) if name == b"READY" => {
            let other = properties(&data).ok_or_else(|| invalid("invalid properties"))?;
            match other.socket {
                Some(socket) if !kind.takes(socket) => Err(invalid("incompatible socket type")),
                Some(_) => Ok(other.identity.to_vec()),
                None => Err(invalid("no Socket-Type")),
            }
        }
        _ => Err(invalid("no READY")),
    }
}

fn property(name: &str, value: &[u8], out: &mut Vec<u8>) {
    out.push(u8::try_from(name.len()).unwrap_or(0));
    out.extend(name.bytes());
    out.extend(u32::try_from(value.len()).unwrap_or(0).to_be_bytes());
    out.extend(value);
}

/// The properties of a peer.
#[derive(Default)]
struct PeerProperties<'a> {
    socket: Option<&'a [u8]>,
    identity: &'a [u8],
}

fn properties(mut data: &[u8]) -> Option<PeerProperties<'_>> {
    let mut other = PeerProperties::default();
    while !data.is_empty() {
        let (name, rest) = named(data)?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let (value, rest) = rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
        // property names are case-insensitive
        if name.eq_ignore_ascii_case(b"Socket-Type") {
            other.socket = Some(value);
        } else if name.eq_ignore_ascii_case(b"Identity") {
            other.identity = value;
        }
        data = rest;
    }
    Some(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meets(theirs: &[u8]) -> Result<Vec<u8>, io::ErrorKind> {
        shake(Kind::Router, &mut &*theirs, &mut Vec::new()).map_err(|e| e.kind())
    }

    fn ready(data: &[u8]) -> Vec<u8> {
        [&greeting()[..], &frame::command_bytes("READY", data)].concat()
    }

    #[test]
    fn two_sides_meet() {
        let mut data = Vec::new();
        property("socket-type", b"DEALER", &mut data);
        property("Identity", b"me", &mut data);
        property("X-Other", b"", &mut data);
        assert_eq!(meets(&ready(&data)), Ok(b"me".to_vec()));
    }

    #[test]
    fn incompatible_peers_are_refused() {
        let mut sub = Vec::new();
        property("Socket-Type", b"SUB", &mut sub);
        let mut curve = greeting();
        curve[12..17].copy_from_slice(b"CURVE");
        let mut old = greeting();
        old[10] = 1;
        for theirs in
            [ready(&sub), ready(b"\x0bSocket-Type\0\0\xff\xffDEALER"), ready(b""), curve.to_vec(), old.to_vec()]
        {
            assert_eq!(meets(&theirs), Err(io::ErrorKind::InvalidData));
        }
        assert_eq!(meets(b"GET / HTTP/1.1\r\n\r\n"), Err(io::ErrorKind::UnexpectedEof));
        assert_eq!(meets(&[b'x'; 200]), Err(io::ErrorKind::InvalidData));
    }
}
