//! Questions that are answered while a cell runs, by a replica of the session: it knows what the session knew when the cell
//! began, and what the cell has bound since.
//!
//! A session lives on one thread, and the machine on it borrows it while it runs; so either the machine looks into a mailbox
//! in the middle of an evaluation and lets strangers borrow what it uses, or somebody else answers. The language is pure: a
//! replica that is told the definitions gives the same answers, needs no lock, and cannot disturb what runs.

use super::ask;
use super::deadline::Deadline;
use crate::common::{Common, End};
use crate::queue::Queue;
use crate::request::failure;
use cfg_core::session::Session;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Answers what waited too long, until no more can come.
pub fn serve(common: &Arc<Common>, queue: &Queue) {
    let mut replica: Option<(Session, Deadline)> = None;
    while let Some(request) = queue.overdue() {
        let doing = common.busy.begin(&request.message.header);
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
            Some(failure("kernel/defect", "cfg itself failed, which is a defect of cfg; sorry"))
        });
        if let (Some(kind), Some(content)) = (request.answer_kind(), content) {
            common.voice.reply(&request, &kind, &content);
        }
        drop(doing);
        if request.message.kind() == "shutdown_request" {
            let _ = common.end.send(End::Shutdown);
        }
    }
}
