//! The toolkit that draws answers: HTML, JSON, reports, and the formats of notebooks.

pub mod html;
pub mod json;
mod medium;
pub mod report;
pub mod rich;

pub use crate::styled::{Role, Styled, table};
pub use medium::{Drawing, Medium};
