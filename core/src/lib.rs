//! The core of `cfg`: what type a piece of configuration has, where each value comes from, what a merge did.
//!
//! Data goes one way: text → syntax → term → types and values → answers → views. See `ARCHITECTURE.md`.

pub mod answer;
mod chunks;
pub mod dialect;
pub mod infer;
pub mod loader;
pub mod meta;
pub mod number;
pub mod problem;
pub mod session;
pub mod state;
pub mod styled;
pub mod term;
pub mod text;
pub mod ty;
pub mod value;
pub mod view;

/// The examples of `core/README.md`, run as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
