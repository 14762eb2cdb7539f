//! The inputs that led to a state, and the files that were loaded on the way.

use super::files::FileKey;
use crate::dialect::Dialect;
use crate::text::Name;
use rpds::Vector;
use std::rc::Rc;
use std::sync::Arc;

/// The inputs that led to a state, the oldest first. A clone is O(1).
pub(crate) type Journal = Vector<Rc<Entry>>;

/// An input that changed something.
pub struct Entry {
    /// Its number. `None`: a command.
    pub number: Option<u32>,
    /// Its text.
    pub text: Arc<str>,
    /// The session's language when it was entered.
    pub dialect: Dialect,
    /// The names that it bound, as far as they are known.
    pub(crate) names: Vec<Name>,
    /// For a later run of a notebook's cell: the run, and whether this input ends it.
    pub(crate) part: Option<(Rerun, bool)>,
}

impl Entry {
    /// The names that a cell bound; none for a command.
    pub(crate) fn bound(&self) -> Vec<Name> {
        self.number.map(|_| self.names.clone()).unwrap_or_default()
    }
}

/// A run of a notebook's cell, perhaps not its first.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Rerun {
    /// The numbers of the earlier runs.
    pub(crate) earlier: Vec<u32>,
    /// The id of the newest definition when the run began.
    pub(crate) from: u32,
    /// Whether the session refreshes the cell unasked: `it` keeps its value.
    pub(crate) refresh: bool,
}

/// A file that `:load` read.
#[derive(Clone)]
pub(crate) struct Loaded {
    /// The file.
    pub key: FileKey,
    /// The names that it bound.
    pub names: Vec<Name>,
    /// The number of the first cell that was entered after it.
    pub next: u32,
}
