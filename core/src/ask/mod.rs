//! Questions answered as data: what stands at a path, what it is worth, where it comes from.

pub mod assign;
pub mod compare;
pub mod complete;
pub mod conflicts;
pub mod deps;
pub mod diff;
pub mod doc;
pub mod env;
pub mod explain;
pub mod fixes;
pub mod graph;
pub mod holes;
pub mod known;
pub mod network;
pub mod operator;
pub mod origins;
pub mod path;
pub mod projection;
pub mod query;
pub mod recomputed;
pub mod steps;
#[cfg(test)]
mod tests;
pub mod why;
pub mod written;
