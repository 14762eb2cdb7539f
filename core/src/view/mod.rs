//! Answers drawn as text, HTML, JSON. Data first: a face never formats a type or a value.

pub mod ast;
pub mod conflicts;
pub mod constraints;
pub mod core;
pub mod deps;
pub mod diff;
pub mod doc;
pub mod explain;
pub mod fixes;
pub mod graph;
pub mod html;
pub mod json;
mod medium;
pub mod origins;
pub mod query;
pub mod report;
pub mod rich;
pub mod steps;
pub mod why;

pub use crate::styled::{Role, Styled, layout, table, wrap};
pub use medium::{Drawing, Medium};
