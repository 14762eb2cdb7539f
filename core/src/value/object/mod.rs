//! Objects whose layers are ordered: what `+` makes of records.
//!
//! `a + b` is one node that holds both, in O(1). Where all layers are plain (no metadata that decides between
//! definitions: all of jsonnet's are) the record is a **chain**: a field is the definition in the uppermost layer that has
//! one, and `super` the uppermost one below. The first few fields that are asked for are found by walking down; after that a
//! table of all of them is made, once. Each definition of each layer is computed at most once for a final record, so
//! chains of any length are linear. Any other composition of `+` and `&` is **mixed** and resolved from the table.

mod asserts;
mod chain;
mod mixed;
mod read;
mod small;

pub(super) use asserts::Asserts;
pub(super) use chain::{Chain, hidden};

use super::env::Env;
use super::record::{Literal, Record};
use super::thunk::Thunk;
use crate::term::PatKind;

/// Whether and how the layers of a record are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// Not at all: one layer that is not plain, or a set of layers.
    None,
    /// One layer, every definition no more than a body.
    Plain,
    /// `+` of plain layers.
    Chain,
    /// `+` somewhere among other compositions.
    Mixed,
}

impl Order {
    /// The order of a composition of more than `+` around this.
    pub(super) fn inside(self) -> Order {
        match self {
            Order::None | Order::Plain => Order::None,
            Order::Chain | Order::Mixed => Order::Mixed,
        }
    }

    /// The order of `self + above`.
    pub(super) fn beside(self, above: Order) -> Order {
        let chains = |order| matches!(order, Order::Plain | Order::Chain);
        if chains(self) && chains(above) { Order::Chain } else { Order::Mixed }
    }
}

impl Record {
    /// A new frame of a leaf of this final record: the record bound, the leaf's locals in their slots.
    pub(super) fn open_frame(&self, literal: &Literal, leaf: u32, field: u32) -> Env {
        let env = literal.env_of(field).open();
        env.bind_record(self.clone(), leaf);
        let Some(lit) = literal.lit().filter(|lit| !lit.locals.is_empty()) else { return env };
        let mut slots: Vec<Thunk> = Vec::with_capacity(lit.locals.len() + 1);
        for binding in &lit.locals {
            let PatKind::Bind(slot) = literal.unit.term.pat(binding.pat).kind else { continue };
            let thunk = Thunk::of_node(&literal.unit, binding.body, &env);
            // Slot 0 is the record's, which is read otherwise.
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
