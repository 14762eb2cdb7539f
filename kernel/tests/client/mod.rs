//! A client of a kernel with its own implementation of ZMTP and signatures, independent of the kernel's.

#![allow(dead_code)] // no test uses all of it

use cfg_kernel::{Connection, Socket};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// A connection over any transport.
trait Stream: Read + Write + Send {
    fn again(&self) -> Box<dyn Stream>;
    fn patience(&self, time: Duration);
}

impl Stream for TcpStream {
    fn again(&self) -> Box<dyn Stream> {
        Box::new(self.try_clone().unwrap())
    }
    fn patience(&self, time: Duration) {
        self.set_read_timeout(Some(time)).unwrap();
        self.set_nodelay(true).unwrap();
    }
}

#[cfg(unix)]
impl Stream for UnixStream {
    fn again(&self) -> Box<dyn Stream> {
        Box::new(self.try_clone().unwrap())
    }
    fn patience(&self, time: Duration) {
        self.set_read_timeout(Some(time)).unwrap();
    }
}

/// The addresses of a kernel.
pub trait Address {
    fn port(&self, socket: Socket) -> u16;
    fn path(&self, _: Socket) -> Option<String> {
        None
    }
}

impl Address for Connection {
    fn port(&self, socket: Socket) -> u16 {
        Connection::port(self, socket)
    }
}

/// `ipc`, as Jupyter defines it: the "port" is the suffix of the path.
pub struct Ipc(pub String);

impl Address for Ipc {
    fn port(&self, socket: Socket) -> u16 {
        Socket::ALL.iter().position(|s| *s == socket).unwrap() as u16 + 1
    }
    fn path(&self, socket: Socket) -> Option<String> {
        Some(format!("{}-{}", self.0, self.port(socket)))
    }
}

/// A reply, and the iopub messages for its request, in order.
pub struct Reply {
    pub kind: String,
    pub content: Value,
    pub said: Vec<(String, Value)>,
}

struct Wire {
    stream: Box<dyn Stream>,
    from: BufReader<Box<dyn Stream>>,
}

impl Wire {
    fn open(address: &dyn Address, socket: Socket, kind: &str) -> Wire {
        let stream: Box<dyn Stream> = match address.path(socket) {
            #[cfg(unix)]
            Some(path) => Box::new(UnixStream::connect(path).unwrap()),
            _ => Box::new(TcpStream::connect(("127.0.0.1", address.port(socket))).unwrap()),
        };
        stream.patience(Duration::from_secs(20));
        let mut wire = Wire { from: BufReader::new(stream.again()), stream };
        let mut greeting = b"\xff\0\0\0\0\0\0\0\x01\x7f\x03\x01NULL".to_vec();
        greeting.resize(64, 0);
        let mut ready = b"\x05READY\x0bSocket-Type\0\0\0".to_vec();
        ready.push(kind.len() as u8);
        ready.extend(kind.bytes());
        wire.stream.write_all(&greeting).unwrap();
        wire.frame(4, &ready);
        wire.from.read_exact(&mut [0; 64]).unwrap();
        assert_eq!(wire.read_frame().0, 4);
        wire
    }

    fn frame(&mut self, flags: u8, body: &[u8]) {
        let mut bytes = vec![flags | 2];
        bytes.extend((body.len() as u64).to_be_bytes());
        bytes.extend(body);
        self.stream.write_all(&bytes).unwrap();
    }

    fn send(&mut self, frames: &[Vec<u8>]) {
        for (n, frame) in frames.iter().enumerate() {
            self.frame(u8::from(n + 1 < frames.len()), frame);
        }
    }

    fn read_frame(&mut self) -> (u8, Vec<u8>) {
        let mut flags = [0];
        self.from.read_exact(&mut flags).unwrap();
        let length = if flags[0] & 2 == 0 {
            let mut length = [0];
            self.from.read_exact(&mut length).unwrap();
            u64::from(length[0])
        } else {
            let mut length = [0; 8];
            self.from.read_exact(&mut length).unwrap();
            u64::from_be_bytes(length)
        };
        let mut body = vec![0; length as usize];
        self.from.read_exact(&mut body).unwrap();
        (flags[0] & !2, body)
    }

    fn read(&mut self) -> Vec<Vec<u8>> {
        let mut frames = Vec::new();
        loop {
            let (flags, body) = self.read_frame();
            frames.push(body);
            if flags & 1 == 0 {
                return frames;
            }
        }
    }

    /// Returns the parts of a signed message: header, parent header, content.
    fn message(&mut self, key: &str) -> [Value; 3] {
        let frames = self.read();
        let at = frames.iter().position(|f| f == b"<IDS|MSG>").unwrap();
        let parts = &frames[at + 2..at + 6];
        assert_eq!(frames[at + 1], sign(key, parts), "the kernel signs what it says");
        [0, 1, 3].map(|n| serde_json::from_slice(&parts[n]).unwrap())
    }
}

fn sign(key: &str, parts: &[Vec<u8>]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).unwrap();
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().iter().flat_map(|b| format!("{b:02x}").into_bytes()).collect()
}

pub struct Client {
    shell: Wire,
    control: Wire,
    heartbeat: Wire,
    iopub: Option<Wire>,
    key: String,
    name: String,
    count: u32,
    /// The shell that requests are sent to.
    pub subshell: Option<String>,
    /// The metadata of requests.
    pub metadata: Value,
}

impl Client {
    /// Connects, and waits for the welcome message.
    pub fn connect(connection: &dyn Address, key: &str, name: &str) -> Client {
        let mut client = Client::without_iopub(connection, key, name);
        client.iopub = Some(subscribed(connection));
        // a client with a wrong key cannot verify it
        client.iopub.as_mut().unwrap().read();
        client
    }

    pub fn without_iopub(connection: &dyn Address, key: &str, name: &str) -> Client {
        let open = |socket, kind| Wire::open(connection, socket, kind);
        Client {
            shell: open(Socket::Shell, "DEALER"),
            control: open(Socket::Control, "DEALER"),
            heartbeat: open(Socket::Heartbeat, "REQ"),
            iopub: None,
            key: key.into(),
            name: name.into(),
            count: 0,
            subshell: None,
            metadata: json!({}),
        }
    }

    /// Returns the first messages that a new subscriber receives.
    pub fn everything_said(connection: &dyn Address, key: &str, count: usize) -> Vec<(String, Value)> {
        let mut iopub = subscribed(connection);
        let mut next = || {
            let [header, _, content] = iopub.message(key);
            (header["msg_type"].as_str().unwrap().to_string(), content)
        };
        (0..count).map(|_| next()).collect()
    }

    fn id(&self) -> String {
        format!("{}-{}", self.name, self.count)
    }

    /// Connects to the stdin socket.
    pub fn stdin(connection: &dyn Address) -> Listener {
        Listener(Wire::open(connection, Socket::Stdin, "DEALER"))
    }

    /// Connects and subscribes to a topic.
    pub fn subscriber(connection: &dyn Address, topic: &[u8]) -> Listener {
        let mut iopub = Wire::open(connection, Socket::Iopub, "SUB");
        iopub.frame(4, &[b"\x09SUBSCRIBE", topic].concat());
        Listener(iopub)
    }

    pub fn send(&mut self, socket: Socket, kind: &str, content: &Value) {
        self.send_signed(socket, kind, content, None);
    }

    /// Sends over another connection.
    pub fn send_by(&mut self, by: &mut Listener, kind: &str, content: &Value) {
        let frames = self.frames(kind, content, None);
        by.0.send(&frames);
    }

    /// Sends with a signature that may be wrong.
    pub fn send_signed(&mut self, socket: Socket, kind: &str, content: &Value, signature: Option<&str>) {
        let frames = self.frames(kind, content, signature);
        self.wire(socket).send(&frames);
    }

    /// Returns the signature of a message.
    pub fn signature(&mut self, kind: &str, content: &Value) -> String {
        String::from_utf8(self.frames(kind, content, None)[1].clone()).unwrap()
    }

    fn frames(&mut self, kind: &str, content: &Value, signature: Option<&str>) -> Vec<Vec<u8>> {
        self.count += 1;
        let mut header =
            json!({ "msg_id": self.id(), "msg_type": kind, "session": self.name, "version": "5.5", "new": 1 });
        if let Some(subshell) = &self.subshell {
            header["subshell_id"] = json!(subshell);
        }
        let parts =
            [header, json!({}), self.metadata.clone(), content.clone()].map(|part| part.to_string().into_bytes());
        let signature = signature.map_or_else(|| sign(&self.key, &parts), |given| given.as_bytes().to_vec());
        let mut frames = vec![b"<IDS|MSG>".to_vec(), signature];
        frames.extend(parts);
        frames
    }

    fn wire(&mut self, socket: Socket) -> &mut Wire {
        match socket {
            Socket::Shell => &mut self.shell,
            _ => &mut self.control,
        }
    }

    /// Returns the next reply.
    pub fn answer(&mut self, socket: Socket) -> Reply {
        let key = self.key.clone();
        let [header, parent, content] = self.wire(socket).message(&key);
        assert_eq!((&parent["session"], &parent["new"]), (&json!(self.name), &json!(1)));
        Reply { kind: header["msg_type"].as_str().unwrap().into(), content, said: Vec::new() }
    }

    pub fn ask(&mut self, kind: &str, content: Value) -> Reply {
        self.ask_on(Socket::Shell, kind, content)
    }

    /// Sends a request; waits for the reply and for `idle`.
    pub fn ask_on(&mut self, socket: Socket, kind: &str, content: Value) -> Reply {
        self.send(socket, kind, &content);
        let reply = self.answer(socket);
        Reply { said: self.said(), ..reply }
    }

    /// Sends a message that has no reply; waits for `idle`.
    pub fn tell(&mut self, kind: &str, content: Value) -> Vec<(String, Value)> {
        self.send(Socket::Shell, kind, &content);
        self.said()
    }

    /// Returns the messages about the last request, from `busy` to `idle`.
    fn said(&mut self) -> Vec<(String, Value)> {
        let mut said = Vec::new();
        loop {
            let (kind, content) = self.next_said();
            let idle = content["execution_state"] == "idle";
            said.push((kind, content));
            if idle {
                assert_eq!(said[0], (String::from("status"), json!({ "execution_state": "busy" })));
                return said;
            }
        }
    }

    fn next_said(&mut self) -> (String, Value) {
        let id = self.id();
        loop {
            let [header, parent, content] = self.iopub.as_mut().unwrap().message(&self.key);
            if parent["msg_id"] == json!(id) {
                return (header["msg_type"].as_str().unwrap().into(), content);
            }
        }
    }

    /// Returns the next published message: the number of its request, its type and its content.
    pub fn anything_said(&mut self) -> (u32, String, Value) {
        let [header, parent, content] = self.iopub.as_mut().unwrap().message(&self.key);
        let number = parent["msg_id"].as_str().and_then(|id| id.rsplit('-').next()).and_then(|n| n.parse().ok());
        (number.unwrap_or(0), header["msg_type"].as_str().unwrap().into(), content)
    }

    /// Waits until this message about the last request is published.
    pub fn await_said(&mut self, kind: &str) {
        while self.next_said().0 != kind {}
    }

    /// Reports whether no reply arrives.
    pub fn silent(&mut self, time: Duration) -> bool {
        self.shell.stream.patience(time);
        self.shell.from.read_exact(&mut [0]).is_err()
    }

    /// Reports whether the heartbeat answers.
    pub fn beats(&mut self) -> bool {
        let beat = [Vec::new(), b"ping".to_vec()];
        self.heartbeat.send(&beat);
        self.heartbeat.read() == beat
    }
}

/// One connection.
pub struct Listener(Wire);

impl Listener {
    /// Returns the next message: its type and content.
    pub fn next(&mut self, key: &str) -> (String, Value) {
        let [header, _, content] = self.0.message(key);
        (header["msg_type"].as_str().unwrap().into(), content)
    }

    /// Reports whether no message arrives.
    pub fn is_silent(&mut self, time: Duration) -> bool {
        self.0.stream.patience(time);
        let silent = self.0.from.read_exact(&mut [0]).is_err();
        self.0.stream.patience(Duration::from_secs(20));
        silent
    }
}

/// Subscribes to everything. The first message is the welcome.
fn subscribed(connection: &dyn Address) -> Wire {
    let mut iopub = Wire::open(connection, Socket::Iopub, "SUB");
    iopub.frame(4, b"\x09SUBSCRIBE");
    iopub
}

/// A subscriber that does not read.
pub struct Stalled(Wire);

impl Stalled {
    pub fn new(address: &dyn Address) -> Stalled {
        Stalled(subscribed(address))
    }

    /// Returns the number of bytes that can be read until the kernel disconnects.
    pub fn rest(mut self) -> usize {
        let (mut bytes, mut total) = (vec![0; 1 << 16], 0);
        loop {
            match self.0.from.read(&mut bytes) {
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
        let mut wire = Wire::open(address, socket, kind);
        for frames in
            [&[&b""[..]][..], &[b"<IDS|MSG>"], &[b"<IDS|MSG>", b"", b"{", b"{", b"{", b"{"], &[&b"\x01"[..]; 50]]
        {
            wire.send(&frames.iter().map(|f| f.to_vec()).collect::<Vec<_>>());
        }
        wire.frame(4, b"\x04PING\0\x01ab");
        let _ = wire.stream.write_all(&[0xff; 100]);
    }
}
