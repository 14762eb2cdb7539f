//! `:ast`: the syntax tree of an expression.

pub mod text;
