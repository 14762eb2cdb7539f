//! The names that a cell would have bound if it had no errors, for the reports about these names.

use super::Session;
use crate::dialect::CellItem;
use crate::problem::report::Report;
use crate::state::environment::is_written;
use crate::text::{Name, SourceId};
use std::collections::BTreeMap;

/// Maximum number of names that are remembered.
const MOST: usize = 1000;

/// The names that cells with errors did not bind, each with the name of its newest cell. Nothing that is undone changes them.
#[derive(Default)]
pub(super) struct FailedNames(BTreeMap<Name, Name>);

impl Session {
    /// Remembers the names of the definitions in a cell that is not kept, because it has errors.
    pub(super) fn remember_failed(&mut self, items: &[CellItem], source: SourceId) {
        let Some(cell) = self.world.sources.borrow().get(source).map(|source| Name::from(&*source.name)) else {
            return;
        };
        for name in items.iter().filter_map(CellItem::name).filter(|name| is_written(name)) {
            if self.failed.0.len() < MOST || self.failed.0.contains_key(name) {
                self.failed.0.insert(name.clone(), cell.clone());
            }
        }
    }

    /// Adds a note about an unbound name that a cell with an error would have bound. Returns whether there is such a cell.
    pub(super) fn note_failed(&self, name: &str, report: &mut Report) -> bool {
        let Some(cell) = self.failed.0.get(name) else { return false };
        report.notes.push(format!("`{cell}` defines `{name}`, but has an error, so it bound nothing: enter it again"));
        true
    }
}
