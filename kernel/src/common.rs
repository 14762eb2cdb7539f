//! State that the shells of a kernel share.

use crate::busy::Busy;
use crate::comms::Comms;
use crate::connection::Connection;
use crate::history::History;
use crate::interrupt::Running;
use crate::request::Messenger;
use crate::shell::panel::CellsState;
use cfg_core::notebook::PublishedState;
use cfg_core::{Languages, Loader};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The reason why the kernel ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// A `shutdown_request`.
    Shutdown,
    /// The parent process ended.
    Orphaned,
}

/// State that the shells share.
pub struct Common {
    /// Sends messages.
    pub messenger: Arc<Messenger>,
    /// Tracks the requests in progress.
    pub busy: Busy,
    /// The addresses of the sockets.
    pub connection: Connection,
    /// Tracks what can be interrupted.
    pub running: Arc<Running>,
    /// Ends the kernel.
    pub end: Sender<End>,
    /// Creates a loader for each session.
    pub loader: Box<dyn Fn() -> Box<dyn Loader> + Send + Sync>,
    /// The languages that sessions support.
    pub languages: Languages,
    /// The open comms.
    pub comms: Comms,
    /// The inputs that were executed.
    history: Mutex<History>,
    /// Number of the last stored cell.
    count: AtomicU32,
    /// The state of the main shell.
    known: Mutex<PublishedState>,
    /// The cells of the main shell.
    cells: Mutex<CellsState>,
}

impl Common {
    /// Creates the state of a new kernel.
    pub fn new(
        messenger: Arc<Messenger>,
        connection: Connection,
        running: Arc<Running>,
        end: Sender<End>,
        loader: Box<dyn Fn() -> Box<dyn Loader> + Send + Sync>,
        languages: Languages,
        history: History,
    ) -> Common {
        Common {
            busy: Busy::new(messenger.clone()),
            messenger,
            connection,
            running,
            end,
            loader,
            languages,
            comms: Comms::default(),
            history: Mutex::new(history),
            count: AtomicU32::new(0),
            known: Mutex::default(),
            cells: Mutex::default(),
        }
    }

    /// Returns the history.
    pub fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of the last stored cell.
    pub fn count(&self) -> u32 {
        self.count.load(Ordering::SeqCst)
    }

    /// Returns the number of the next cell and counts it.
    pub fn next_number(&self) -> u32 {
        self.count.fetch_add(1, Ordering::SeqCst).wrapping_add(1)
    }

    /// Records that a cell used numbers up to this one.
    pub fn record_number(&self, number: u32) {
        self.count.fetch_max(number, Ordering::SeqCst);
    }

    /// Returns the state of the main shell.
    pub fn known(&self) -> PublishedState {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the cells of the main shell.
    pub fn set_cells(&self, cells: CellsState) {
        *self.cells.lock().unwrap_or_else(PoisonError::into_inner) = cells;
    }

    /// Returns the cells of the main shell.
    pub fn cells(&self) -> CellsState {
        self.cells.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the state of the main shell.
    pub fn set_published(&self, known: PublishedState) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = known;
    }
}
