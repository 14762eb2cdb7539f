//! `:info`: facts about a name or a field that need no evaluation.

pub mod known;
pub mod written;
