//! What `cfg` is held to: the binary found once, programs generated, answers of Nickel kept.

pub mod binary;
pub mod generate;
pub mod jsonnet;
pub mod mutate;
pub mod nickel;
pub mod ours;
pub mod programs;
pub mod python;
pub mod schema;
pub mod terminal;
pub mod types;
