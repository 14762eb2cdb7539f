//! Questions answered as data: what stands at a path, what it is worth, where it comes from.

pub mod doc;
pub mod env;
pub mod path;
pub mod query;
