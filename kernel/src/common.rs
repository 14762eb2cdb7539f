//! What the shells of a kernel share.

use crate::busy::Busy;
use crate::connection::Connection;
use crate::history::History;
use crate::interrupt::Running;
use crate::request::Voice;
use cfg_core::dialect::Languages;
use cfg_core::loader::Loader;
use cfg_core::session::Published;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How the kernel is told to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By a `shutdown_request`.
    Shutdown,
    /// The parent is gone.
    Orphaned,
}

/// What the shells share.
pub struct Common {
    /// Says it.
    pub voice: Arc<Voice>,
    /// Told what is done.
    pub busy: Busy,
    /// Where the sockets are.
    pub connection: Connection,
    /// Told what can be interrupted.
    pub running: Arc<Running>,
    /// Ends the kernel.
    pub end: Sender<End>,
    /// The door to the outside, for each session.
    pub loader: Box<dyn Fn() -> Box<dyn Loader> + Send + Sync>,
    /// The languages that its sessions read.
    pub languages: Languages,
    /// What was executed.
    history: Mutex<History>,
    /// The number of the last cell that was kept.
    count: AtomicU32,
    /// What the main shell knows.
    known: Mutex<Published>,
}

impl Common {
    /// Of a kernel in which nothing happened yet.
    pub fn new(
        voice: Arc<Voice>,
        connection: Connection,
        running: Arc<Running>,
        end: Sender<End>,
        loader: Box<dyn Fn() -> Box<dyn Loader> + Send + Sync>,
        languages: Languages,
        history: History,
    ) -> Common {
        Common {
            busy: Busy::new(voice.clone()),
            voice,
            connection,
            running,
            end,
            loader,
            languages,
            history: Mutex::new(history),
            count: AtomicU32::new(0),
            known: Mutex::default(),
        }
    }

    /// The history.
    pub fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the last cell that was kept.
    pub fn count(&self) -> u32 {
        self.count.load(Ordering::SeqCst)
    }

    /// The number of a cell that begins.
    pub fn next_number(&self) -> u32 {
        self.count.fetch_add(1, Ordering::SeqCst).wrapping_add(1)
    }

    /// A cell took numbers up to this one.
    pub fn took(&self, number: u32) {
        self.count.fetch_max(number, Ordering::SeqCst);
    }

    /// What the main shell knows.
    pub fn known(&self) -> Published {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the main shell knows from here on.
    pub fn learn(&self, known: Published) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = known;
    }
}
