//! A client of a running kernel: finds kernels, sends requests, and hears what they publish.
//!
//! Messages are those of the crate `jupyter-protocol`, and the sockets those of `zeromq`, on a thread with a runtime of
//! its own. What the crates do not do is done here: signatures, the version of the protocol in headers (the crate says
//! 5.3), the welcome message (without waiting for it, a client can miss the first messages), and the end of a
//! connection, which a socket of `zeromq` reports only to its monitor. A message that the crate cannot read is passed on
//! with its content as it is.

mod find;

pub use find::{Found, find, named};
pub use jupyter_protocol as protocol;
pub use jupyter_protocol::{ConnectionInfo, JupyterMessageContent as Content};

use crate::wire::{PROTOCOL, Signer};
use jupyter_protocol::{JupyterMessage, UnknownMessage};
use serde_json::Value;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use zeromq::{DealerRecvHalf, DealerSendHalf, DealerSocket, Socket as _, SocketOptions, SocketRecv, SocketSend};
use zeromq::{SocketEvent, SubSocket, ZmqMessage};

/// Maximum time for connecting to a socket.
const CONNECT: Duration = Duration::from_secs(3);
/// Maximum time to wait for the welcome message. Kernels before protocol 5.5 send none.
const WELCOME: Duration = Duration::from_secs(1);
/// Interval at which the connection is checked.
const CHECK: Duration = Duration::from_millis(200);
/// Time for sending the last messages.
const LAST_WORDS: Duration = Duration::from_millis(50);

/// The socket that a request is sent over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Channel {
    /// Requests in order.
    Shell,
    /// Requests that must not wait.
    Control,
}

/// Something that a client hears.
#[derive(Clone, Debug)]
pub enum ClientEvent {
    /// The reply to a request of this client.
    Reply(Message),
    /// A message to all clients.
    Published(Message),
    /// The connection has ended, and with it the client.
    Gone,
}

/// A message of a kernel.
#[derive(Clone, Debug)]
pub struct Message {
    /// The type.
    pub kind: String,
    /// The id of the request that it belongs to; empty for none.
    pub parent: String,
    /// The session of the client that sent the request; empty for none.
    pub session: String,
    /// The content.
    pub content: Content,
}

/// A client. It ends when it is dropped.
pub struct Client {
    requests: UnboundedSender<(Channel, ZmqMessage)>,
    session: String,
    signer: Signer,
}

impl Client {
    /// Connects to a kernel and waits for its welcome message. `on_event` is called on the thread of the client.
    ///
    /// # Errors
    /// Returns a message that explains the problem.
    pub fn connect(to: &ConnectionInfo, on_event: impl FnMut(ClientEvent) + Send + 'static) -> Result<Client, String> {
        if !matches!(to.signature_scheme.as_str(), "" | "hmac-sha256") {
            return Err(format!("`signature_scheme` is `{}`: only `hmac-sha256` is known", to.signature_scheme));
        }
        let (requests, inbox) = unbounded_channel();
        let (ready, wait) = mpsc::sync_channel(1);
        let copy = to.clone();
        let run = move || {
            let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => return drop(ready.send(Err(error.to_string()))),
            };
            runtime.block_on(async {
                match Sockets::open(&copy).await {
                    Ok(sockets) => {
                        let signer = Signer::new(&copy.key);
                        Listener { signer, on_event, ready: Some(ready) }.serve(sockets, inbox).await;
                        tokio::time::sleep(LAST_WORDS).await;
                    }
                    Err(why) => drop(ready.send(Err(why))),
                }
            });
        };
        let started = thread::Builder::new().name("client".into()).spawn(run);
        started.map_err(|error| format!("cannot start a thread: {error}"))?;
        wait.recv().unwrap_or_else(|_| Err(String::from("the connection failed")))?;
        // the crate makes a random session for each message; here one client has one
        let session = JupyterMessage::new(jupyter_protocol::InterruptRequest {}, None).header.session;
        Ok(Client { requests, session, signer: Signer::new(&to.key) })
    }

    /// Returns the id of this client's session.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Sends a request and returns its id. After the end of the connection, it is dropped.
    pub fn send(&self, channel: Channel, content: impl Into<Content>, metadata: &Value) -> String {
        let mut message = JupyterMessage::new(content, None).with_session(&self.session);
        message.header.version = String::from(PROTOCOL);
        message.header.username = String::from("cfg");
        let json = |value: serde_json::Result<Vec<u8>>| value.unwrap_or_else(|_| b"{}".to_vec());
        let parts = [
            json(serde_json::to_vec(&message.header)),
            b"{}".to_vec(),
            json(serde_json::to_vec(metadata)),
            json(serde_json::to_vec(&message.content)),
        ];
        let mut frames = ZmqMessage::from(b"<IDS|MSG>".to_vec());
        frames.push_back(self.signer.sign(parts.each_ref()).into());
        parts.into_iter().for_each(|part| frames.push_back(part.into()));
        let _ = self.requests.send((channel, frames));
        message.header.msg_id
    }
}

/// The sockets of a client.
struct Sockets {
    shell: (DealerSendHalf, DealerRecvHalf),
    control: (DealerSendHalf, DealerRecvHalf),
    iopub: SubSocket,
    /// Reports the end of the connection to the shell.
    monitor: Monitor,
}

type Monitor = Box<dyn FnMut() -> bool + Send>;

impl Sockets {
    async fn open(to: &ConnectionInfo) -> Result<Sockets, String> {
        fn options() -> SocketOptions {
            let mut options = SocketOptions::default();
            options.connect_timeout(CONNECT);
            options
        }
        let failed = |error: zeromq::ZmqError| error.to_string();
        let mut shell = DealerSocket::with_options(options());
        let mut events = shell.monitor();
        let monitor = Box::new(move || {
            std::iter::from_fn(|| events.try_recv().ok()).any(|event| matches!(event, SocketEvent::Disconnected(_)))
        });
        shell.connect(&to.shell_url()).await.map_err(failed)?;
        let mut control = DealerSocket::with_options(options());
        control.connect(&to.control_url()).await.map_err(failed)?;
        let mut iopub = SubSocket::with_options(options());
        iopub.connect(&to.iopub_url()).await.map_err(failed)?;
        iopub.subscribe("").await.map_err(failed)?;
        Ok(Sockets { shell: shell.split(), control: control.split(), iopub, monitor })
    }
}

/// Passes on what arrives.
struct Listener<F> {
    signer: Signer,
    on_event: F,
    /// Reports that the kernel's messages arrive; `None` afterwards.
    ready: Option<mpsc::SyncSender<Result<(), String>>>,
}

impl<F: FnMut(ClientEvent)> Listener<F> {
    /// Sends requests and passes on messages until the client is dropped or the connection ends.
    async fn serve(&mut self, sockets: Sockets, mut inbox: UnboundedReceiver<(Channel, ZmqMessage)>) {
        let Sockets { shell: (mut shell, mut replies), control: (mut control, mut urgent), mut iopub, mut monitor } =
            sockets;
        let mut check = tokio::time::interval(CHECK);
        let welcome = tokio::time::sleep(WELCOME);
        tokio::pin!(welcome);
        loop {
            let went_well = tokio::select! {
                request = inbox.recv() => match request {
                    Some((Channel::Shell, frames)) => shell.send(frames).await.is_ok(),
                    Some((Channel::Control, frames)) => control.send(frames).await.is_ok(),
                    None => return,
                },
                reply = replies.recv() => reply.map(|frames| self.reply(frames)).is_ok(),
                reply = urgent.recv() => reply.map(|frames| self.reply(frames)).is_ok(),
                said = iopub.recv() => {
                    // the socket connects again by itself
                    if let Some(message) = said.ok().and_then(|frames| self.read(frames)) {
                        self.begin();
                        (self.on_event)(ClientEvent::Published(message));
                    }
                    true
                }
                () = &mut welcome, if self.ready.is_some() => {
                    self.begin();
                    true
                }
                _ = check.tick() => !monitor(),
            };
            if !went_well {
                return (self.on_event)(ClientEvent::Gone);
            }
        }
    }

    fn begin(&mut self) {
        if let Some(ready) = self.ready.take() {
            let _ = ready.send(Ok(()));
        }
    }

    fn reply(&mut self, frames: ZmqMessage) {
        if let Some(message) = self.read(frames) {
            (self.on_event)(ClientEvent::Reply(message));
        }
    }

    /// Reads a message. `None` if it is not signed with the key or is not a message.
    fn read(&self, frames: ZmqMessage) -> Option<Message> {
        let frames: Vec<Vec<u8>> = frames.into_vec().into_iter().map(Vec::from).collect();
        let at = frames.iter().position(|frame| frame == b"<IDS|MSG>")?;
        let [signature, header, parent, metadata, content, ..] = frames.get(at + 1..)? else { return None };
        if !self.signer.verify(signature, [header, parent, metadata, content]) {
            return None;
        }
        let json = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).ok();
        let (header, parent, content) = (json(header)?, json(parent)?, json(content)?);
        let kind = String::from(header.get("msg_type")?.as_str()?);
        let text = |name: &str| parent.get(name).and_then(Value::as_str).map(String::from).unwrap_or_default();
        let (of, session) = (text("msg_id"), text("session"));
        let content = Content::from_type_and_content(&kind, content.clone())
            .unwrap_or_else(|_| UnknownMessage { msg_type: kind.clone(), content }.into());
        Some(Message { kind, parent: of, session, content })
    }
}
