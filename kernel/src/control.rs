//! The control socket: what must not wait for a cell.

use crate::connection::Connection;
use crate::info;
use crate::request::{Request, Voice, failure};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

/// How the kernel is told to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By a `shutdown_request`.
    Shutdown,
    /// The parent is gone.
    Orphaned,
}

/// Answers requests on the control socket.
pub struct Control {
    /// Says it.
    pub voice: Arc<Voice>,
    /// Where the sockets are.
    pub connection: Connection,
    /// Interrupts.
    pub interrupt: Sender<()>,
    /// Ends the kernel.
    pub end: Sender<End>,
}

impl Control {
    /// Answers until no more can come.
    pub fn serve(&self, inbox: &Receiver<Request>) {
        for request in inbox {
            self.voice.status(&request.message.header, "busy");
            let last = request.message.kind() == "shutdown_request";
            if let Some(kind) = request.answer_kind() {
                let content = self.answer(&request);
                self.voice.reply(&request, &kind, &content);
                if last {
                    self.voice.publish(&request.message.header, "shutdown_reply", &content);
                }
            }
            self.voice.status(&request.message.header, "idle");
            if last {
                let _ = self.interrupt.send(());
                let _ = self.end.send(End::Shutdown);
            }
        }
    }

    fn answer(&self, request: &Request) -> Value {
        match request.message.kind() {
            // these are done whatever the content holds
            "shutdown_request" => json!({ "status": "ok", "restart": request.flag("restart", false) }),
            "interrupt_request" => {
                let _ = self.interrupt.send(());
                json!({ "status": "ok" })
            }
            "kernel_info_request" => info::kernel_info(),
            "connect_request" => info::connect(&self.connection),
            kind => match &request.message.content {
                Err(why) => failure("kernel/malformed", why),
                Ok(_) if kind == "debug_request" => info::debug(request),
                Ok(_) => info::unknown(kind),
            },
        }
    }
}
