//! The Jupyter kernel: not built yet.
