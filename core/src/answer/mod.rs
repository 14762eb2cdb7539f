//! The answers to questions about programs, one folder a question.
//!
//! Each holds the question as data, the answer as data (`mod.rs`), and the answer as text, as HTML and as JSON beside each
//! other (`text.rs`, `html.rs`, `json.rs`). What several of them need is in `shared/`.

pub mod ast;
pub mod complete;
pub mod conflicts;
pub mod constraints;
pub mod core;
pub mod deps;
pub mod diff;
pub mod doc;
pub mod env;
pub mod explain;
pub mod fixes;
pub mod graph;
pub mod holes;
pub mod info;
pub mod origins;
pub mod query;
mod renderer;
pub mod shared;
pub mod steps;
pub mod types;
pub mod value;
pub mod why;

pub use renderer::{Answer, Hints, Renderer};
