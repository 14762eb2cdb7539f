//! The shell socket: requests in their order, on the thread that the session lives on.

mod ask;
mod execute;
mod history;

use crate::connection::Connection;
use crate::control::End;
use crate::info;
use crate::interrupt::Running;
use crate::request::{Request, Voice, failure};
use cfg_core::session::Session;
use execute::Live;
use history::History;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

/// A client subscribes and asks at once, on two connections: its first cell waits so long for its subscription, if that
/// was not seen.
const JOIN: Duration = Duration::from_millis(100);
/// For so long a client is a new one.
const NEW: Duration = Duration::from_secs(1);
/// More clients than these are not told apart.
const CLIENTS: usize = 10_000;

/// What the shell needs.
pub struct Parts {
    /// Says it.
    pub voice: Arc<Voice>,
    /// Where the sockets are.
    pub connection: Connection,
    /// Told what runs.
    pub running: Arc<Running>,
    /// Ends the kernel.
    pub end: Sender<End>,
}

/// Answers requests with a session.
pub struct Shell {
    parts: Parts,
    session: Session,
    history: History,
    /// The number of the last cell that was kept.
    count: u32,
    /// The number of the next one that is not.
    hidden: u32,
    /// A cell of this client failed then: what it had sent by then is not executed.
    failed: Option<(Option<Value>, Instant)>,
    live: Rc<RefCell<Live>>,
    clients: HashMap<Vec<u8>, Instant>,
}

impl Shell {
    /// Over a session.
    pub fn new(parts: Parts, mut session: Session) -> Shell {
        parts.running.set_flag(session.interrupt_handle());
        let live = Rc::new(RefCell::new(Live::new(parts.voice.clone())));
        let output = live.clone();
        session.set_output(Rc::new(move |line| output.borrow_mut().print("stdout", line)));
        Shell {
            parts,
            session,
            history: History::default(),
            count: 0,
            hidden: execute::HIDDEN,
            failed: None,
            live,
            clients: HashMap::new(),
        }
    }

    /// Answers until no more can come.
    pub fn serve(&mut self, inbox: &Receiver<Request>) {
        for request in inbox {
            self.join(&request);
            let voice = self.parts.voice.clone();
            let running = self.parts.running.begin();
            voice.status(&request.message.header, "busy");
            let answer = catch_unwind(AssertUnwindSafe(|| self.answer(&request)));
            let content = answer.unwrap_or_else(|_| {
                Some(failure("kernel/defect", "cfg itself failed, which is a defect of cfg; sorry"))
            });
            // what was begun to be printed belongs to this request
            if let Ok(mut live) = self.live.try_borrow_mut() {
                live.flush();
            }
            drop(running);
            if let (Some(kind), Some(content)) = (request.answer_kind(), content) {
                voice.reply(&request, &kind, &content);
            }
            voice.status(&request.message.header, "idle");
            if request.message.kind() == "shutdown_request" {
                let _ = self.parts.end.send(End::Shutdown);
            }
        }
    }

    /// Waits for the subscription of a client that is new.
    fn join(&mut self, request: &Request) {
        if self.clients.len() >= CLIENTS {
            self.clients.clear();
        }
        let seen = *self.clients.entry(request.peer.clone()).or_insert(request.received);
        if request.message.kind() == "execute_request" && seen.elapsed() < NEW {
            self.parts.voice.publisher.await_subscriber(seen.checked_sub(NEW).unwrap_or(seen), JOIN);
        }
    }

    /// The content of an answer. `None`: there is none.
    fn answer(&mut self, request: &Request) -> Option<Value> {
        let kind = request.message.kind();
        match kind {
            "kernel_info_request" => return Some(info::kernel_info()),
            "connect_request" => return Some(info::connect(&self.parts.connection)),
            "shutdown_request" => {
                let content = json!({ "status": "ok", "restart": request.flag("restart", false) });
                self.parts.voice.publish(&request.message.header, "shutdown_reply", &content);
                return Some(content);
            }
            _ => {}
        }
        if let Err(why) = &request.message.content {
            return Some(failure("kernel/malformed", why));
        }
        Some(match kind {
            "execute_request" => self.execute(request),
            "complete_request" => self.complete(request),
            "inspect_request" => self.inspect(request),
            "is_complete_request" => self.is_complete(request),
            "history_request" => self.history.answer(request),
            // no comm is ever open: nobody here has a target
            "comm_info_request" => json!({ "status": "ok", "comms": {} }),
            "comm_open" => {
                let id = request.get("comm_id").cloned().unwrap_or(Value::Null);
                let content = json!({ "comm_id": id, "data": {} });
                self.parts.voice.publish(&request.message.header, "comm_close", &content);
                return None;
            }
            "debug_request" => info::debug(request),
            "interrupt_request" => json!({ "status": "ok" }),
            _ => info::unknown(kind),
        })
    }
}
