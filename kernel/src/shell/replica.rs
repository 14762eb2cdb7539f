//! Answers questions while a cell is running, with a replica of the session. The replica has the session's state at
//! the start of the cell and the definitions that the cell has made since.
//!
//! A session belongs to one thread, and evaluation borrows it. To answer from the same session, evaluation would have
//! to poll a queue and share the state it is using. The language is pure, so a replica with the same definitions gives
//! the same answers, needs no lock, and cannot disturb the evaluation.

use super::ask;
use super::deadline::Deadline;
use crate::common::{Common, End};
use crate::queue::Queue;
use crate::request::failure;
use cfg_core::Session;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Answers overdue questions until the queue closes.
pub fn serve(common: &Arc<Common>, queue: &Queue) {
    let mut replica: Option<(Session, Deadline)> = None;
    while let Some(request) = queue.next_overdue() {
        let request_in_progress = common.busy.begin(&request.message.header);
        let content = catch_unwind(AssertUnwindSafe(|| {
            let (session, deadline) = replica.get_or_insert_with(|| {
                let session = Session::replica(common.languages, (common.loader)());
                let deadline = Deadline::new(session.interrupt_handle());
                (session, deadline)
            });
            session.adopt(&common.known());
            ask::answer(session, deadline, common, &request)
        }));
        let content = content.unwrap_or_else(|_| {
            replica = None;
            Some(failure("kernel/defect", "cfg failed with an internal error; this is a bug in cfg"))
        });
        if let (Some(kind), Some(content)) = (request.answer_kind(), content) {
            common.messenger.reply(&request, &kind, &content);
        }
        drop(request_in_progress);
        if request.message.kind() == "shutdown_request" {
            let _ = common.end.send(End::Shutdown);
        }
    }
}
