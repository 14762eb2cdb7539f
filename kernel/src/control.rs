//! The control socket: requests that must not wait for a cell.

use crate::common::{Common, End};
use crate::info;
use crate::request::{Request, failure};
use crate::shells::Shells;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

/// Answers requests on the control socket.
pub struct Control {
    /// State shared with the shells.
    pub common: Arc<Common>,
    /// The shells.
    pub shells: Arc<Shells>,
    /// Interrupts the running request.
    pub interrupt: Sender<()>,
}

impl Control {
    /// Answers requests until the channel closes.
    pub fn serve(&self, inbox: &Receiver<Request>) {
        for request in inbox {
            let request_in_progress = self.common.busy.begin(&request.message.header);
            let last = request.message.kind() == "shutdown_request";
            if let Some(kind) = request.answer_kind() {
                let content = self.answer(&request);
                self.common.messenger.reply(&request, &kind, &content);
                if last {
                    self.common.messenger.publish(&request.message.header, "shutdown_reply", &content);
                }
            }
            drop(request_in_progress);
            if last {
                let _ = self.interrupt.send(());
                let _ = self.common.end.send(End::Shutdown);
            }
        }
    }

    fn answer(&self, request: &Request) -> Value {
        match request.message.kind() {
            // carried out regardless of the content
            "shutdown_request" => json!({ "status": "ok", "restart": request.flag("restart", false) }),
            "interrupt_request" => {
                let _ = self.interrupt.send(());
                json!({ "status": "ok" })
            }
            "kernel_info_request" => info::kernel_info(self.common.languages),
            "connect_request" => info::connect(&self.common.connection),
            kind => match &request.message.content {
                Err(why) => failure("kernel/malformed", why),
                Ok(_) => match kind {
                    "debug_request" => info::debug(request),
                    "usage_request" => info::usage(),
                    "create_subshell_request" => self.shells.create(),
                    "delete_subshell_request" => self.shells.delete(request.text("subshell_id")),
                    "list_subshell_request" => self.shells.list(),
                    _ => info::unknown(kind),
                },
            },
        }
    }
}
