//! Answers drawn as text, HTML, JSON. Data first: a face never formats a type or a value.

pub mod layout;
pub mod report;
mod styled;

pub use styled::{Role, Styled};
