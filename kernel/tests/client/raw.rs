//! Bytes that no library sends, and a subscriber that does not read. Frames are written by hand here.

use super::Address;
use cfg_kernel::Socket;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A connection after a correct handshake.
fn open(address: &dyn Address, socket: Socket, kind: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", address.port(socket))).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut greeting = b"\xff\0\0\0\0\0\0\0\x01\x7f\x03\x01NULL".to_vec();
    greeting.resize(64, 0);
    let mut ready = b"\x05READY\x0bSocket-Type\0\0\0".to_vec();
    ready.push(kind.len() as u8);
    ready.extend(kind.bytes());
    stream.write_all(&greeting).unwrap();
    frame(&mut stream, 4, &ready);
    stream.read_exact(&mut [0; 64]).unwrap();
    let mut head = [0; 2];
    stream.read_exact(&mut head).unwrap();
    assert_eq!(head[0], 4);
    stream.read_exact(&mut vec![0; head[1].into()]).unwrap();
    stream
}

fn frame(stream: &mut TcpStream, flags: u8, body: &[u8]) {
    let mut bytes = vec![flags | 2];
    bytes.extend((body.len() as u64).to_be_bytes());
    bytes.extend(body);
    // the kernel may disconnect during the write
    let _ = stream.write_all(&bytes);
}

/// A subscriber that does not read.
pub struct Stalled(TcpStream);

impl Stalled {
    pub fn new(address: &dyn Address) -> Stalled {
        let mut stream = open(address, Socket::Iopub, "SUB");
        frame(&mut stream, 4, b"\x09SUBSCRIBE");
        Stalled(stream)
    }

    /// Returns the number of bytes that can be read until the kernel disconnects.
    pub fn rest(mut self) -> usize {
        let (mut bytes, mut total) = (vec![0; 1 << 16], 0);
        loop {
            match self.0.read(&mut bytes) {
                Ok(0) => return total,
                Ok(n) => total += n,
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => return total,
                Err(error) => panic!("it still listens after {total} bytes: {error}"),
            }
        }
    }
}

/// Sends invalid bytes.
pub struct Raw;

impl Raw {
    /// Sends bytes, and waits until the kernel disconnects or sends no more.
    pub fn send(port: u16, bytes: &[u8]) {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(30))).unwrap();
        // the kernel may disconnect during the write
        let _ = stream.write_all(bytes);
        let _ = stream.read_to_end(&mut Vec::new());
    }

    /// Sends invalid messages and then invalid frames, after a correct greeting.
    pub fn garbage_after_handshake(address: &dyn Address, socket: Socket) {
        let kind = match socket {
            Socket::Iopub => "SUB",
            Socket::Heartbeat => "REQ",
            _ => "DEALER",
        };
        let mut stream = open(address, socket, kind);
        for frames in
            [&[&b""[..]][..], &[b"<IDS|MSG>"], &[b"<IDS|MSG>", b"", b"{", b"{", b"{", b"{"], &[&b"\x01"[..]; 50]]
        {
            for (n, body) in frames.iter().enumerate() {
                frame(&mut stream, u8::from(n + 1 < frames.len()), body);
            }
        }
        frame(&mut stream, 4, b"\x04PING\0\x01ab");
        let _ = stream.write_all(&[0xff; 100]);
    }
}
