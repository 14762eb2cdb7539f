//! The whole kernel: five sockets, a thread for the session, one for control, and shutdown.

use crate::common::{Common, End};
use crate::connection::{Connection, Socket};
use crate::control::Control;
use crate::history::History;
use crate::interrupt::{self, Running};
use crate::parent;
use crate::request::{Messenger, Request};
use crate::shells::Shells;
use crate::wire::{Object, Signer, Wire};
use crate::zmtp::{self, Echo, Kind, Listener, Publisher, Publishing, Router, Routing};
use cfg_core::{Languages, Loader};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum number of requests waiting on the control socket; a client that sends more is blocked.
const MAX_WAITING: usize = 1024;
/// Maximum time for sending the last messages before the kernel ends.
const MAX_DRAIN_TIME: Duration = Duration::from_millis(500);

/// A running kernel.
pub struct Kernel {
    /// The connection, with the ports that were chosen.
    pub connection: Connection,
    common: Arc<Common>,
    routers: [Arc<Router>; 2],
    interrupt: Sender<()>,
    ended: Receiver<End>,
}

impl Kernel {
    /// Starts a kernel. Sessions access files through loaders; inputs are stored in the history folder, if there is
    /// one.
    ///
    /// # Errors
    /// Returns a message that explains the problem, such as a port in use.
    pub fn start(
        connection: Connection,
        loader: impl Fn() -> Box<dyn Loader> + Send + Sync + 'static,
        history: Option<PathBuf>,
    ) -> Result<Kernel, String> {
        Kernel::with_languages(Languages::default(), connection, loader, history)
    }

    /// Starts a kernel whose sessions support these languages.
    ///
    /// # Errors
    /// Fails like [`Kernel::start`].
    pub fn with_languages(
        languages: Languages,
        mut connection: Connection,
        loader: impl Fn() -> Box<dyn Loader> + Send + Sync + 'static,
        history: Option<PathBuf>,
    ) -> Result<Kernel, String> {
        crate::space::check()?;
        let wire = Arc::new(Wire::new(Signer::new(&connection.key)));
        let listeners = listeners(&mut connection)?;
        let welcome = wire.clone();
        let publisher = Publisher::new(move |topic| {
            let content = json!({ "subscription": String::from_utf8_lossy(topic) });
            welcome.message(&[topic.to_vec()], "iopub_welcome", &Object::new(), &json!({}), &content)
        });
        let messenger = Arc::new(Messenger { wire: wire.clone(), publisher: publisher.clone() });
        let running = Arc::new(Running::default());
        let thread_error = |error: std::io::Error| format!("cannot start a thread: {error}");
        let interrupt = interrupt::start(running.clone()).map_err(thread_error)?;
        let (end, ended) = mpsc::channel();
        let history = History::new(history);
        let common = Arc::new(Common::new(
            messenger.clone(),
            connection.clone(),
            running,
            end,
            Box::new(loader),
            languages,
            history,
        ));
        messenger.status(&Object::new(), "starting");
        let shells = Arc::new(Shells::start(common.clone()).map_err(thread_error)?);
        let (to_control, control_inbox) = mpsc::sync_channel(MAX_WAITING);
        let routed = shells.clone();
        let routers = [
            receiver(&wire, move |request| routed.route(request)),
            receiver(&wire, move |request| drop(to_control.send(request))),
        ];
        let control = Control { common: common.clone(), shells, interrupt: interrupt.clone() };
        thread::Builder::new()
            .name("control".into())
            .spawn(move || control.serve(&control_inbox))
            .map_err(thread_error)?;
        // this kernel never sends an `input_request`, so it ignores all messages on stdin
        let stdin = Router::new(|_, _, _| {});
        let [shell_router, control_router] = &routers;
        for (socket, listener) in listeners {
            let (kind, handler): (_, Arc<dyn zmtp::Handler>) = match socket {
                Socket::Shell => (Kind::Router, Arc::new(Routing(shell_router.clone()))),
                Socket::Control => (Kind::Router, Arc::new(Routing(control_router.clone()))),
                Socket::Stdin => (Kind::Router, Arc::new(Routing(stdin.clone()))),
                Socket::Iopub => (Kind::Publisher, Arc::new(Publishing(publisher.clone()))),
                Socket::Heartbeat => (Kind::Echo, Arc::new(Echo)),
            };
            zmtp::serve(listener, kind, handler).map_err(thread_error)?;
        }
        Ok(Kernel { connection, common, routers, interrupt, ended })
    }

    /// Interrupts on SIGINT, and ends the kernel with the parent process.
    pub fn handle_signals(&self) {
        let interrupt = self.interrupt.clone();
        let _ = ctrlc::set_handler(move || {
            let _ = interrupt.send(());
        });
        let end = self.common.end.clone();
        parent::watch(move || {
            let _ = end.send(End::Orphaned);
        });
    }

    /// Waits for the end of the kernel and sends the last messages.
    pub fn wait(&self) -> End {
        let end = self.ended.recv().unwrap_or(End::Orphaned);
        let until = Instant::now() + MAX_DRAIN_TIME;
        self.routers.iter().for_each(|router| router.drain(until));
        self.common.messenger.publisher.drain(until);
        self.common.history().write();
        // give the system time to transmit what was written
        thread::sleep(Duration::from_millis(20));
        end
    }
}

/// Binds the five sockets. Ports that are 0 are replaced by those that the system chose.
fn listeners(connection: &mut Connection) -> Result<Vec<(Socket, Listener)>, String> {
    let mut out = Vec::new();
    for socket in Socket::ALL {
        let endpoint = connection.endpoint(socket);
        let listener = Listener::bind(&endpoint).map_err(|error| format!("cannot listen at {endpoint:?}: {error}"))?;
        if connection.port(socket) == 0 {
            connection.set_port(socket, listener.port());
        }
        out.push((socket, listener));
    }
    Ok(out)
}

/// Creates a ROUTER socket that verifies messages before queueing them.
fn receiver(wire: &Arc<Wire>, to: impl Fn(Request) + Send + Sync + 'static) -> Arc<Router> {
    let wire = wire.clone();
    Router::new(move |router, peer, frames| match wire.read(frames) {
        Ok(message) => {
            to(Request { router: router.clone(), peer: peer.to_vec(), message, received: Instant::now() });
        }
        Err(dropped) => crate::log(&format!("dropped a message: {}", dropped.why())),
    })
}
