//! Values, thunks, evaluation with fuel, merging, contracts.

pub mod datum;
