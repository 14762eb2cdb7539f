//! The Jupyter kernel: **not built yet**. This crate holds its place, so that the map of `ARCHITECTURE.md` is whole.
