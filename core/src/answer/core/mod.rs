//! `:core`: a program of the core language.

pub mod text;
