//! Cells, definitions, the persistent environment: what both faces hold.

mod event;

pub use event::{Candidate, Completeness, Event};
