//! A shell: answers requests in order, on the thread of its session.

mod ask;
mod comm;
mod deadline;
mod edited;
mod execute;
mod live;
mod notebook;
pub mod panel;
pub mod replica;
mod run;
mod sheet;

use crate::common::{Common, End};
use crate::queue::{Queue, Work};
use crate::request::{Request, failure};
use cfg_core::Session;
use cfg_core::notebook::{Publisher, UNKEPT};
use deadline::Deadline;
use live::LiveOutput;
use notebook::Notebook;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Clients subscribe and send requests over two connections. If the subscription of a new client has not arrived, its
/// first cell waits this long for it.
const SUBSCRIPTION_WAIT: Duration = Duration::from_millis(100);
/// Time after its first request during which a client is new.
const NEW_CLIENT_TIME: Duration = Duration::from_secs(1);
/// Maximum number of clients that are remembered.
const MAX_CLIENTS: usize = 10_000;

/// The role of a shell.
#[derive(Clone)]
pub enum ShellKind {
    /// The main shell, which contains all definitions.
    Main,
    /// A subshell. Before each of its requests it adopts the definitions of the main shell, and its own definitions
    /// are copied there when the main shell is idle. Results (`$n`, `it`) are separate.
    Sub(Arc<Queue>),
}

/// Answers requests with a session.
pub struct Shell {
    common: Arc<Common>,
    kind: ShellKind,
    session: Session,
    publisher: Rc<RefCell<Publisher>>,
    /// The number of the next cell that is not stored.
    next_unkept: u32,
    /// The client whose cell failed, and when. Requests it had sent by then are not executed.
    failed: Option<(Option<Value>, Instant)>,
    live: LiveOutput,
    notebook: Notebook,
    deadline: Option<Deadline>,
    clients: HashMap<Vec<u8>, Instant>,
}

impl Shell {
    /// Creates a shell with a new session.
    pub fn new(common: Arc<Common>, kind: ShellKind) -> Shell {
        let mut session = match kind {
            ShellKind::Main => Session::with_languages(common.languages, (common.loader)()),
            ShellKind::Sub(_) => Session::replica(common.languages, (common.loader)()),
        };
        let live = LiveOutput::new(common.messenger.clone());
        let output = live.clone();
        session.set_output(Rc::new(move |line| output.print("stdout", line)));
        let publisher: Rc<RefCell<Publisher>> = Rc::default();
        if matches!(kind, ShellKind::Main) {
            let (publisher, common) = (publisher.clone(), common.clone());
            session.set_before_evaluation(Rc::new(move |session| {
                if let Ok(mut publisher) = publisher.try_borrow_mut() {
                    common.set_published(publisher.publish(session));
                }
            }));
        }
        session.set_rich(true);
        Shell {
            common,
            kind,
            session,
            publisher,
            next_unkept: UNKEPT,
            failed: None,
            live,
            notebook: Notebook::default(),
            deadline: None,
            clients: HashMap::new(),
        }
    }

    /// Handles requests until the queue closes.
    pub fn serve(&mut self, queue: &Queue) {
        while let Some(work) = queue.next(|stop| {
            self.session.free_deferred(stop);
        }) {
            match work {
                Work::Request(request) => match &self.kind {
                    // JupyterLab sends the messages of comms to subshells, but the main shell has the cells
                    ShellKind::Sub(main) if self.is_edit(&request) => main.push(Work::Request(request)),
                    ShellKind::Sub(_) | ShellKind::Main => self.request(&request),
                },
                Work::Define(inputs) => self.define(&inputs),
            }
        }
    }

    /// Answers a request and publishes the state that other shells read. A panic becomes a failed reply.
    fn request(&mut self, request: &Request) {
        self.await_subscription(request);
        let common = self.common.clone();
        let request_in_progress = common.busy.begin(&request.message.header);
        let running = common.running.begin(self.session.interrupt_handle());
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(request)));
        let content = answer.unwrap_or_else(|_| {
            Some(failure("kernel/defect", "cfg failed with an internal error; this is a bug in cfg"))
        });
        // the batch in progress belongs to this request
        self.live.flush();
        drop(running);
        if matches!(self.kind, ShellKind::Main) && request.message.kind() == "execute_request" {
            self.publish();
        }
        if let (Some(kind), Some(content)) = (request.answer_kind(), content) {
            common.messenger.reply(request, &kind, &content);
        }
        drop(request_in_progress);
        if request.message.kind() == "shutdown_request" {
            let _ = common.end.send(End::Shutdown);
        }
        common.history().write();
    }

    /// Publishes this shell's state to the others.
    fn publish(&mut self) {
        let known = self.publisher.borrow_mut().publish(&self.session);
        self.common.set_published(known);
        self.common.set_cells(self.notebook.state());
    }

    /// Waits for the subscription of a new client.
    fn await_subscription(&mut self, request: &Request) {
        if self.clients.len() >= MAX_CLIENTS {
            self.clients.clear();
        }
        let seen = *self.clients.entry(request.peer.clone()).or_insert(request.received);
        if request.message.kind() == "execute_request" && seen.elapsed() < NEW_CLIENT_TIME {
            self.common
                .messenger
                .publisher
                .await_subscriber(seen.checked_sub(NEW_CLIENT_TIME).unwrap_or(seen), SUBSCRIPTION_WAIT);
        }
    }

    /// Returns the content of a reply. `None` if there is none.
    fn answer(&mut self, request: &Request) -> Option<Value> {
        if let ShellKind::Sub(_) = self.kind {
            self.session.adopt(&self.common.known());
        }
        self.session.set_width(request.columns());
        match request.message.kind() {
            "execute_request" if request.message.content.is_ok() => Some(self.execute(request)),
            "comm_msg" if let Some(data) = self.edited(request) => {
                comm::send(&self.common, request, request.text("comm_id").unwrap_or_default(), data);
                None
            }
            _ => {
                let Shell { session, deadline, common, .. } = self;
                let deadline = deadline.get_or_insert_with(|| Deadline::new(session.interrupt_handle()));
                ask::answer(session, deadline, common, request)
            }
        }
    }
}
