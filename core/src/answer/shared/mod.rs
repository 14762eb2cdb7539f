//! The parts of answers that several questions share: the network of reads, comparison of values.

pub mod compare;
pub mod network;
pub mod projection;

/// Maximum number of rows of a table in HTML.
pub(super) const ROWS: usize = 400;
/// Maximum width of a value in such a table, in columns.
pub(super) const VALUE: usize = 200;
