//! Frames of ZMTP 3.1 (RFC 37): a byte of flags, a length in one or eight bytes, a body.
//!
//! A peer's length is not trusted: no memory is reserved for it. The body is read in pieces, and a message over the
//! limit ends the connection.

use std::io::{self, Read};

/// The parts of a message.
pub type Frames = Vec<Vec<u8>>;

/// Maximum size of a message, over all its frames, in bytes.
pub const LONGEST_MESSAGE: u64 = 64 << 20;
/// Maximum size of a command, in bytes.
const LONGEST_COMMAND: u64 = 64 << 10;
/// Maximum number of frames in a message.
const MOST_FRAMES: usize = 4096;

const MORE: u8 = 1;
const LONG: u8 = 2;
const COMMAND: u8 = 4;

/// An item that a peer sends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Incoming {
    /// A complete message.
    Message(Frames),
    /// A command: its name and data.
    Command(Vec<u8>, Vec<u8>),
}

/// Reads the next message or command.
///
/// # Errors
/// Returns the connection's error, or `InvalidData` for bytes that are not frames or exceed a limit.
pub fn read(from: &mut impl Read) -> io::Result<Incoming> {
    let mut frames = Frames::new();
    let mut size = 0;
    loop {
        let [flags] = bytes(from)?;
        if flags & !(MORE | LONG | COMMAND) != 0 {
            return Err(invalid("reserved flags"));
        }
        let length = match flags & LONG {
            0 => u64::from(u8::from_be_bytes(bytes(from)?)),
            _ => u64::from_be_bytes(bytes(from)?),
        };
        if flags & COMMAND != 0 {
            if flags & MORE != 0 || !frames.is_empty() || length > LONGEST_COMMAND {
                return Err(invalid("invalid command"));
            }
            return command(&body(from, length)?);
        }
        size += length.min(LONGEST_MESSAGE + 1);
        if size > LONGEST_MESSAGE || frames.len() >= MOST_FRAMES {
            return Err(invalid("message too long"));
        }
        frames.push(body(from, length)?);
        if flags & MORE == 0 {
            return Ok(Incoming::Message(frames));
        }
    }
}

fn command(body: &[u8]) -> io::Result<Incoming> {
    let (name, data) = named(body).ok_or_else(|| invalid("command without a name"))?;
    Ok(Incoming::Command(name.to_vec(), data.to_vec()))
}

/// Splits off a name that is preceded by its length.
pub fn named(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first()?;
    rest.split_at_checked(usize::from(*length))
}

fn bytes<const N: usize>(from: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn body(from: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    from.take(length).read_to_end(&mut body)?;
    match body.len() as u64 == length {
        true => Ok(body),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Encodes a message.
pub fn message(frames: &[impl AsRef<[u8]>]) -> Vec<u8> {
    let mut out = Vec::with_capacity(frames.iter().map(|f| f.as_ref().len() + 9).sum());
    for (n, frame) in frames.iter().enumerate() {
        put(if n + 1 < frames.len() { MORE } else { 0 }, frame.as_ref(), &mut out);
    }
    out
}

/// Encodes a command.
pub fn command_bytes(name: &str, data: &[u8]) -> Vec<u8> {
    let mut body = vec![u8::try_from(name.len()).unwrap_or(0)];
    body.extend(name.bytes());
    body.extend(data);
    let mut out = Vec::new();
    put(COMMAND, &body, &mut out);
    out
}

fn put(flags: u8, body: &[u8], out: &mut Vec<u8>) {
    match u8::try_from(body.len()) {
        Ok(length) => out.extend([flags, length]),
        Err(_) => {
            out.push(flags | LONG);
            out.extend((body.len() as u64).to_be_bytes());
        }
    }
    out.extend(body);
}

pub fn invalid(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(bytes: &[u8]) -> Result<Incoming, io::ErrorKind> {
        read(&mut &*bytes).map_err(|e| e.kind())
    }

    #[test]
    fn what_is_written_is_read() {
        let frames = vec![vec![], b"a".to_vec(), vec![7; 255], vec![8; 256], vec![9; 70_000]];
        assert_eq!(reads(&message(&frames)), Ok(Incoming::Message(frames)));
        let ready = command_bytes("READY", b"data");
        assert_eq!(ready, b"\x04\x0a\x05READYdata");
        assert_eq!(reads(&ready), Ok(Incoming::Command(b"READY".to_vec(), b"data".to_vec())));
    }

    #[test]
    fn a_length_is_only_a_claim() {
        let huge = b"\x02\xff\xff\xff\xff\xff\xff\xff\xff";
        assert_eq!(reads(huge), Err(io::ErrorKind::InvalidData));
        let large = [&[2][..], &LONGEST_MESSAGE.to_be_bytes(), b"short"].concat();
        assert_eq!(reads(&large), Err(io::ErrorKind::UnexpectedEof));
        let command = [&[6][..], &(LONGEST_COMMAND + 1).to_be_bytes()].concat();
        assert_eq!(reads(&command), Err(io::ErrorKind::InvalidData));
        assert_eq!(reads(&[1, 0].repeat(MOST_FRAMES + 1)), Err(io::ErrorKind::InvalidData));
    }

    #[test]
    fn invalid_frames_are_an_error() {
        for bytes in [&b"\x08\0"[..], b"\x05\x01\0", b"\x04\0", b"\x04\x02\x05R", b"\x01\0\x04\x02\x01R"] {
            assert_eq!(reads(bytes), Err(io::ErrorKind::InvalidData), "{bytes:?}");
        }
        for end in 0..12 {
            assert_eq!(reads(&message(&["abc", "defghi"])[..end]), Err(io::ErrorKind::UnexpectedEof));
        }
    }
}
