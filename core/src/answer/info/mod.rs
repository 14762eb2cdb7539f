//! `:info`: the facts about a name or a field that no evaluation is needed for.

pub mod known;
pub mod written;
