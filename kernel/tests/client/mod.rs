//! A client of a kernel. Sockets are those of the crate `zeromq`, messages are read by `jupyter-protocol`, and signatures
//! are computed here, so nothing of the kernel's own code takes part.
//!
//! Every message of the kernel must be one that `jupyter-protocol` reads. Two things cannot be said with the crate: its
//! header has no member for subshells and none that it does not know, and its requests cannot be invalid. So headers get
//! further members here, and the content of a request is any JSON. What no library does is in `raw`.

#![allow(dead_code, unused_imports)] // no test uses all of it

mod raw;

pub use raw::{Raw, Stalled};

use cfg_kernel::{Connection, Socket};
use hmac::{Hmac, KeyInit, Mac};
use jupyter_protocol::JupyterMessage;
use serde_json::{Value, json};
use sha2::Sha256;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;
use zeromq::{DealerSocket, ReqSocket, Socket as _, SocketRecv, SocketSend, SubSocket, ZmqMessage};

/// Maximum time that a test waits for a message.
const PATIENCE: Duration = Duration::from_secs(20);

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

/// A socket, with the threads that move its messages.
struct Wire {
    socket: Kind,
    runtime: Arc<Runtime>,
}

enum Kind {
    Dealer(DealerSocket),
    Req(ReqSocket),
    Sub(SubSocket),
}

fn runtime() -> Arc<Runtime> {
    Arc::new(tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap())
}

impl Wire {
    fn open(runtime: &Arc<Runtime>, address: &dyn Address, socket: Socket) -> Wire {
        let url = match address.path(socket) {
            Some(path) => format!("ipc://{path}"),
            None => format!("tcp://127.0.0.1:{}", address.port(socket)),
        };
        let socket = runtime.block_on(async {
            match socket {
                Socket::Iopub => {
                    let mut socket = SubSocket::new();
                    socket.connect(&url).await.unwrap();
                    Kind::Sub(socket)
                }
                Socket::Heartbeat => {
                    let mut socket = ReqSocket::new();
                    socket.connect(&url).await.unwrap();
                    Kind::Req(socket)
                }
                _ => {
                    let mut socket = DealerSocket::new();
                    socket.connect(&url).await.unwrap();
                    Kind::Dealer(socket)
                }
            }
        });
        Wire { socket, runtime: runtime.clone() }
    }

    /// Subscribes to a topic. The first message is the welcome.
    fn subscribed(runtime: &Arc<Runtime>, address: &dyn Address, topic: &str) -> Wire {
        let mut wire = Wire::open(runtime, address, Socket::Iopub);
        if let Kind::Sub(socket) = &mut wire.socket {
            runtime.block_on(socket.subscribe(topic)).unwrap();
        }
        wire
    }

    fn send(&mut self, frames: Vec<Vec<u8>>) {
        let mut all = frames.into_iter();
        let mut frames = ZmqMessage::from(all.next().unwrap());
        all.for_each(|frame| frames.push_back(frame.into()));
        let sent = self.runtime.clone().block_on(async {
            match &mut self.socket {
                Kind::Dealer(socket) => socket.send(frames).await,
                Kind::Req(socket) => socket.send(frames).await,
                Kind::Sub(_) => panic!("a subscriber only listens"),
            }
        });
        sent.unwrap();
    }

    /// Returns the frames of the next message; `None` if none arrives in time.
    fn read(&mut self, patience: Duration) -> Option<Vec<Vec<u8>>> {
        let read = self.runtime.clone().block_on(async {
            let next = async {
                match &mut self.socket {
                    Kind::Dealer(socket) => socket.recv().await,
                    Kind::Req(socket) => socket.recv().await,
                    Kind::Sub(socket) => socket.recv().await,
                }
            };
            tokio::time::timeout(patience, next).await
        });
        Some(read.ok()?.unwrap().into_vec().iter().map(|frame| frame.to_vec()).collect())
    }

    /// Returns the parts of a signed message: header, parent header, content.
    fn message(&mut self, key: &str) -> [Value; 3] {
        let frames = self.read(PATIENCE).expect("a message in time");
        let at = frames.iter().position(|f| f == b"<IDS|MSG>").unwrap();
        let parts = &frames[at + 2..at + 6];
        assert_eq!(frames[at + 1], sign(key, parts), "the kernel signs what it says");
        let [header, parent, metadata, content] = [0, 1, 2, 3].map(|n| serde_json::from_slice(&parts[n]).unwrap());
        is_read(&header, &metadata, &content);
        [header, parent, content]
    }
}

/// Checks that `jupyter-protocol` reads a message. It knows no replies that report an error in place of their content, and
/// no entries of the history without an output where outputs are asked for. The parent header is left out, because tests
/// send headers that the crate does not allow.
fn is_read(header: &Value, metadata: &Value, content: &Value) {
    let history = content["history"].as_array().into_iter().flatten();
    if content["status"] == "error" || history.into_iter().any(|entry| entry[2][1].is_null() && entry[2].is_array()) {
        return;
    }
    let message = json!({ "header": header, "parent_header": {}, "metadata": metadata, "content": content });
    if let Err(error) = JupyterMessage::from_value(message) {
        panic!("{error}: {header} {content}");
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
    runtime: Arc<Runtime>,
    /// The shell that requests are sent to.
    pub subshell: Option<String>,
    /// The metadata of requests.
    pub metadata: Value,
}

impl Client {
    /// Connects, and waits for the welcome message.
    pub fn connect(connection: &dyn Address, key: &str, name: &str) -> Client {
        let mut client = Client::without_iopub(connection, key, name);
        let mut iopub = Wire::subscribed(&client.runtime, connection, "");
        // a client with a wrong key cannot verify it
        iopub.read(PATIENCE).expect("a welcome");
        client.iopub = Some(iopub);
        client
    }

    pub fn without_iopub(connection: &dyn Address, key: &str, name: &str) -> Client {
        let runtime = runtime();
        let open = |socket| Wire::open(&runtime, connection, socket);
        Client {
            shell: open(Socket::Shell),
            control: open(Socket::Control),
            heartbeat: open(Socket::Heartbeat),
            iopub: None,
            key: key.into(),
            name: name.into(),
            count: 0,
            runtime,
            subshell: None,
            metadata: json!({}),
        }
    }

    /// Returns the first messages that a new subscriber receives.
    pub fn everything_said(connection: &dyn Address, key: &str, count: usize) -> Vec<(String, Value)> {
        let mut iopub = Wire::subscribed(&runtime(), connection, "");
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
        Listener(Wire::open(&runtime(), connection, Socket::Stdin))
    }

    /// Connects and subscribes to a topic.
    pub fn subscriber(connection: &dyn Address, topic: &[u8]) -> Listener {
        Listener(Wire::subscribed(&runtime(), connection, std::str::from_utf8(topic).unwrap()))
    }

    pub fn send(&mut self, socket: Socket, kind: &str, content: &Value) {
        self.send_signed(socket, kind, content, None);
    }

    /// Sends over another connection.
    pub fn send_by(&mut self, by: &mut Listener, kind: &str, content: &Value) {
        let frames = self.frames(kind, content, None);
        by.0.send(frames);
    }

    /// Sends with a signature that may be wrong.
    pub fn send_signed(&mut self, socket: Socket, kind: &str, content: &Value, signature: Option<&str>) {
        let frames = self.frames(kind, content, signature);
        self.wire(socket).send(frames);
    }

    /// Returns the signature of a message.
    pub fn signature(&mut self, kind: &str, content: &Value) -> String {
        String::from_utf8(self.frames(kind, content, None)[1].clone()).unwrap()
    }

    fn frames(&mut self, kind: &str, content: &Value, signature: Option<&str>) -> Vec<Vec<u8>> {
        self.count += 1;
        let mut message = JupyterMessage::new(jupyter_protocol::InterruptRequest {}, None).with_session(&self.name);
        (message.header.msg_id, message.header.msg_type) = (self.id(), kind.into());
        message.header.version = "5.5".into();
        let mut header = serde_json::to_value(&message.header).unwrap();
        header["new"] = json!(1);
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
        self.shell.read(time).is_none()
    }

    /// Reports whether the heartbeat answers.
    pub fn beats(&mut self) -> bool {
        let beat = vec![b"ping".to_vec()];
        self.heartbeat.send(beat.clone());
        self.heartbeat.read(PATIENCE) == Some(beat)
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
        self.0.read(time).is_none()
    }
}
