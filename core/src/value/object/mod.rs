//! Objects whose layers are ordered by `+`.
//!
//! `a + b` is one node that holds both, made in O(1). If all layers are plain (without metadata that decides between
//! definitions, as in object languages), the record is a **chain**. A field has the value of the uppermost layer that defines
//! it, and `super` refers to the layers below. The first few lookups search the layers from the top; then a table of
//! all fields is made, once. Each definition of each layer is computed at most once per final record, so chains of any
//! length take linear time. Any other composition of `+` and `&` is **mixed** and resolved from the table.

mod asserts;
mod chain;
mod mixed;
mod ordered;
pub mod read;
mod small;

pub(super) use asserts::Asserts;
pub(super) use chain::{Chain, hidden};

use super::env::Env;
use super::record::{Literal, Record};
use super::secret::shared_with_secret;
use super::thunk::Thunk;
use crate::term::PatKind;

/// The order of a record's layers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// The record is one layer that is not plain, or a composition without `+`.
    None,
    /// The record is one plain layer: every definition is only a body.
    Plain,
    /// The record is composed of plain layers with `+`.
    Chain,
    /// The record mixes `+` with layers that are not plain or with other compositions.
    Mixed,
}

impl Order {
    /// Returns the order of a composition other than `+` that contains a record of this order.
    pub(super) fn inside(self) -> Order {
        match self {
            Order::None | Order::Plain => Order::None,
            Order::Chain | Order::Mixed => Order::Mixed,
        }
    }

    /// Returns the order of `below + above`, where `self` is the order of `below`.
    pub(super) fn merged_with(self, above: Order) -> Order {
        let chains = |order| matches!(order, Order::Plain | Order::Chain);
        if chains(self) && chains(above) { Order::Chain } else { Order::Mixed }
    }
}

impl Record {
    /// Makes a frame for a leaf of this final record. It binds the record and the locals of the leaf, unforced.
    pub(super) fn open_frame(&self, literal: &Literal, leaf: u32, field: u32) -> Env {
        let env = literal.env_of(field).open();
        env.bind_record(self.clone(), leaf);
        let Some(lit) = literal.lit().filter(|lit| !lit.locals.is_empty()) else { return env };
        let mut slots: Vec<Thunk> = Vec::with_capacity(lit.locals.len() + 1);
        for binding in &lit.locals {
            let PatKind::Bind(slot) = literal.unit.term.pat(binding.pat).kind else { continue };
            let mut thunk = Thunk::of_node(&literal.unit, binding.body, &env);
            if binding.secret {
                thunk = shared_with_secret(thunk);
            }
            // Slot 0 belongs to the record and is never read through the slots.
            while slots.len() <= slot as usize {
                slots.push(thunk.clone());
            }
            if let Some(place) = slots.get_mut(slot as usize) {
                *place = thunk;
            }
        }
        env.fill(slots.into_boxed_slice());
        env
    }
}
