//! `:constraints`: the constraints that inference collected, and their solution.

pub mod text;
