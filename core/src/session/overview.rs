//! The names of a session for a panel, and questions that leave no trace in it.

use super::Session;
use super::commands::{self, Effect};
use super::event::Event;
use crate::answer::query::written_metadata;
use crate::state::environment::is_written;
use crate::text::Name;

/// Maximum number of names.
const MOST: usize = 1000;

/// A name of the session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameOverview {
    /// The name.
    pub name: String,
    /// Its type, in the language of the session.
    pub ty: String,
    /// Its annotations, as written.
    pub annotations: Vec<String>,
    /// Its documentation.
    pub doc: Option<String>,
    /// The input that defined it. 0 if a file defined it.
    pub cell: u32,
    /// The place of its definition, as `file:line:column`.
    pub place: String,
}

impl Session {
    pub(super) fn overview_here(&self) -> Vec<NameOverview> {
        let dialect = self.dialect();
        let names: Vec<Name> = {
            let environment = self.world.state.environment.borrow();
            environment.from("").map(|(key, _)| key).filter(|key| is_written(key)).take(MOST).cloned().collect()
        };
        let overview = |name: Name| {
            let definition = self.world.definition(&name)?;
            let metadata = written_metadata(&self.workspace, &definition);
            let span = definition.span.unwrap_or_else(|| definition.term.span(definition.term.root));
            Some(NameOverview {
                name: name.to_string(),
                ty: crate::state::type_text(dialect, &definition.typed.scheme).text(),
                annotations: metadata.types.into_iter().chain(metadata.contracts).collect(),
                doc: metadata.doc.map(|doc| doc.to_string()),
                cell: definition.cell,
                place: self.world.sources.borrow().locate(span),
            })
        };
        names.into_iter().filter_map(overview).collect()
    }

    pub(super) fn ask_here(&mut self, command: &str) -> Vec<Event> {
        if commands::effect(command) != Some(Effect::Query) {
            return Vec::new();
        }
        self.begin();
        let events = self.command(self.dialect(), command);
        self.clean_up();
        events
    }
}
