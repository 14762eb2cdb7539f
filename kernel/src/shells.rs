//! The shells of a kernel: the main one, and subshells (JEP 91), each with its own queue and thread.

use crate::common::Common;
use crate::queue::{Queue, Work};
use crate::request::{Request, failure};
use crate::shell::{Shell, ShellKind, replica};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Stack size of a session's thread if the system refuses the larger one, in bytes.
const SMALL_STACK: usize = 4 << 20;
/// Maximum number of subshells.
const MOST: usize = 64;

/// The shells.
pub struct Shells {
    common: Arc<Common>,
    main: Arc<Queue>,
    subshells: Mutex<Subshells>,
}

#[derive(Default)]
struct Subshells {
    next: u64,
    /// By number, so that they are listed in the order of creation.
    all: BTreeMap<u64, Arc<Queue>>,
}

impl Shells {
    /// Starts the main shell.
    ///
    /// # Errors
    /// Fails if no thread can be started.
    pub fn start(common: Arc<Common>) -> io::Result<Shells> {
        let main: Arc<Queue> = Arc::default();
        shell(&common, &main, ShellKind::Main)?;
        let (common_of_replica, queue) = (common.clone(), main.clone());
        session_thread("replica", move || replica::serve(&common_of_replica, &queue))?;
        Ok(Shells { common, main, subshells: Mutex::default() })
    }

    /// Passes a request to its shell.
    pub fn route(&self, request: Request) {
        let queue = match request.message.header.get("subshell_id").filter(|id| !id.is_null()) {
            None => Some(self.main.clone()),
            Some(id) => id.as_str().and_then(|id| self.subshell(id)),
        };
        match queue {
            Some(queue) => queue.push(Work::Request(Box::new(request))),
            None => self.refuse(&request),
        }
    }

    fn refuse(&self, request: &Request) {
        let _doing = self.common.busy.begin(&request.message.header);
        if let Some(kind) = request.answer_kind() {
            let content = failure("kernel/no-such-subshell", "unknown subshell");
            self.common.messenger.reply(request, &kind, &content);
        }
    }

    fn subshell(&self, id: &str) -> Option<Arc<Queue>> {
        let subshells = self.subshells();
        subshells.all.iter().find(|(number, _)| name(**number) == id).map(|(_, queue)| queue.clone())
    }

    /// Returns the content of `create_subshell_reply`.
    pub fn create(&self) -> Value {
        let mut subshells = self.subshells();
        if subshells.all.len() >= MOST {
            return failure("kernel/subshells", &format!("there can be at most {MOST} subshells"));
        }
        let queue: Arc<Queue> = Arc::default();
        if let Err(error) = shell(&self.common, &queue, ShellKind::Sub(self.main.clone())) {
            return failure("kernel/subshells", &format!("cannot start a thread: {error}"));
        }
        subshells.next += 1;
        let number = subshells.next;
        subshells.all.insert(number, queue);
        json!({ "status": "ok", "subshell_id": name(number) })
    }

    /// Returns the content of `delete_subshell_reply`. Waiting requests are refused; a running one is completed.
    pub fn delete(&self, id: Option<&str>) -> Value {
        let removed = {
            let mut subshells = self.subshells();
            let number = subshells.all.keys().copied().find(|number| id == Some(&name(*number)));
            number.and_then(|number| subshells.all.remove(&number))
        };
        let Some(queue) = removed else {
            return failure("kernel/no-such-subshell", "unknown subshell");
        };
        for work in queue.close() {
            if let Work::Request(request) = work {
                self.refuse(&request);
            }
        }
        json!({ "status": "ok" })
    }

    /// Returns the content of `list_subshell_reply`.
    pub fn list(&self) -> Value {
        let all: Vec<String> = self.subshells().all.keys().map(|number| name(*number)).collect();
        json!({ "status": "ok", "subshell_id": all })
    }

    fn subshells(&self) -> MutexGuard<'_, Subshells> {
        self.subshells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name(number: u64) -> String {
    format!("subshell-{number}")
}

/// Starts a shell for a queue.
fn shell(common: &Arc<Common>, queue: &Arc<Queue>, kind: ShellKind) -> io::Result<()> {
    let (common, queue) = (common.clone(), queue.clone());
    session_thread("session", move || Shell::new(common.clone(), kind.clone()).serve(&queue))
}

/// Starts a thread with a stack large enough for a session.
fn session_thread(name: &str, run: impl Fn() + Send + Sync + 'static) -> io::Result<()> {
    let run = Arc::new(run);
    let start = |stack: usize| {
        let run = run.clone();
        thread::Builder::new().name(name.into()).stack_size(stack).spawn(move || run())
    };
    start(crate::space::session_stack()).or_else(|_| start(SMALL_STACK)).map(drop)
}
