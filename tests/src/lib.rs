//! Support for the tests: the binary, generated programs, stored answers of Nickel, Jsonnet and Yay, terminals.

pub mod binary;
pub mod debian;
pub mod differences;
pub mod generate;
pub mod highlighters;
pub mod idioms;
pub mod jsonnet;
pub mod kept;
pub mod mcl;
pub mod mixins;
pub mod mutate;
pub mod needs;
pub mod nickel;
pub mod node;
pub mod ours;
pub mod pins;
pub mod programs;
pub mod python;
pub mod scaling;
pub mod schema;
pub mod terminal;
pub mod types;
pub mod yay;
