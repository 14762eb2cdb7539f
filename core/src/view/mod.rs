//! The toolkit that answers are drawn with: HTML, JSON, reports, and the forms that a notebook shows.

pub mod html;
pub mod json;
mod medium;
pub mod report;
pub mod rich;

pub use crate::styled::{Role, Styled, layout, table, wrap};
pub use medium::{Drawing, Medium};
