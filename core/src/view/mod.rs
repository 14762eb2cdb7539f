//! Answers drawn as text, HTML, JSON. Data first: a face never formats a type or a value.

pub mod doc;
pub mod layout;
pub mod query;
pub mod report;
mod styled;
pub mod table;
pub mod wrap;

pub use styled::{Role, Styled};
