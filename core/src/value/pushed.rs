//! The priorities of definitions under a push: `default rec`, `force rec`, a layer.

use crate::meta::{Priority, Push};

/// Returns the priority of a leaf under `default rec` or `force rec`.
pub(super) fn written_priority(own: &Priority, push: Option<Push>) -> Priority {
    match (push, own) {
        (None, own) => own.clone(),
        (Some(Push::Default), Priority::Force) | (Some(Push::Force), _) => Priority::Force,
        (Some(Push::Default), _) => Priority::Default,
        (Some(Push::Layer(layer)), own) => layered(own, layer),
    }
}

/// Returns the priority of a record under a push; its leaves get the pushed one. `force rec` overrides other priorities.
pub(super) fn node_priority(own: &Priority, push: Push) -> Priority {
    match (push, own) {
        (Push::Force, Priority::Default | Priority::Number(_)) => Priority::Normal,
        (Push::Layer(layer), own) => layered(own, layer),
        _ => own.clone(),
    }
}

/// Returns the priority of a definition in a layer. An annotation is kept.
fn layered(own: &Priority, layer: u32) -> Priority {
    match own {
        Priority::Normal => Priority::Layer(layer),
        own => own.clone(),
    }
}
