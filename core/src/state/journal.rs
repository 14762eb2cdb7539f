//! The inputs that produced a state, and the files loaded in between.

use super::files::FileKey;
use crate::dialect::Dialect;
use crate::text::Name;
use rpds::Vector;
use std::rc::Rc;
use std::sync::Arc;

/// The inputs that produced a state, oldest first. A clone costs O(1).
pub(crate) type Journal = Vector<Rc<JournalEntry>>;

/// An input that changed the session.
pub struct JournalEntry {
    /// The cell's number. `None` for a command.
    pub number: Option<u32>,
    /// Its text.
    pub text: Arc<str>,
    /// The session's language when it was entered.
    pub dialect: Dialect,
    /// The names that it bound, as far as known.
    pub(crate) names: Vec<Name>,
    /// For a repeated run of a notebook's cell: the run, and whether this input is its last.
    pub(crate) part: Option<(Rerun, bool)>,
}

impl JournalEntry {
    /// Returns the names that a cell bound. Empty for a command.
    pub(crate) fn bound_names(&self) -> Vec<Name> {
        self.number.map(|_| self.names.clone()).unwrap_or_default()
    }
}

/// A run of a notebook's cell, possibly a repeated one.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Rerun {
    /// The numbers of the earlier runs.
    pub(crate) earlier: Vec<u32>,
    /// The id of the newest definition at the start of the run.
    pub(crate) from: u32,
    /// Whether the session itself runs the cell again. `it` then keeps its value.
    pub(crate) refresh: bool,
}

/// A file that `:load` read.
#[derive(Clone)]
pub(crate) struct Loaded {
    /// The file.
    pub key: FileKey,
    /// The names that it defined.
    pub names: Vec<Name>,
    /// The number of the first cell after it.
    pub next: u32,
}
