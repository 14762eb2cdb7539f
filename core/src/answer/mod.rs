//! The answers to questions about programs, one folder for each question.
//!
//! A folder holds the question and the answer as data (`mod.rs`), and renders the answer as text, HTML and JSON
//! (`text.rs`, `html.rs`, `json.rs`). Code that several answers need is in `shared/`.

pub mod ast;
pub mod check;
pub mod complete;
pub mod conflicts;
pub mod constraints;
pub mod core;
pub mod deps;
pub mod diff;
pub mod doc;
pub mod env;
pub mod explain;
pub mod fed;
pub mod fixes;
pub mod functions;
pub mod graph;
pub mod holes;
pub mod info;
pub mod origins;
pub mod query;
mod renderer;
pub mod resolver;
pub mod resources;
pub mod shared;
pub mod show;
pub mod stages;
pub mod steps;
pub mod types;
pub mod value;
pub mod whatif;
pub mod why;

use renderer::forms;
pub use renderer::{Answer, Hints, Renderer};
