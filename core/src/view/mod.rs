//! Answers drawn as text, HTML, JSON. Data first: a face never formats a type or a value.

mod styled;

pub use styled::{Role, Styled};
