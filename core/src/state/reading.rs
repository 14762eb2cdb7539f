//! Reading texts: the large ones on a thread of their own.

use super::interrupt::Interrupt;
use super::{InFile, World};
use crate::dialect::beside::{LARGE, beside};
use crate::dialect::{Cell, Dialect, Names, Program, Stop};
use crate::text::{Name, SourceId};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Reads a program that sees `std`.
pub(crate) fn program(interrupt: &Interrupt, dialect: Dialect, source: SourceId, text: &Arc<str>) -> Program {
    let here = InFile(interrupt.stop());
    if text.len() < LARGE {
        return dialect.program(source, text, &here);
    }
    let given = text.clone();
    let read = beside(interrupt.stop(), move |stop| dialect.program(source, &given, &InFile(stop)));
    // what was interrupted is read to nothing at once
    read.unwrap_or_else(|| dialect.program(source, "", &here))
}

/// Reads an input of the session.
pub(crate) fn cell(world: &World, dialect: Dialect, source: SourceId, text: &str) -> Cell {
    if text.len() < LARGE {
        return dialect.cell(source, text, world);
    }
    let (given, all, any) = (String::from(text), world.all(), world.entering.get());
    let bound: FxHashSet<Name> = world.state.environment.borrow().keys().cloned().collect();
    let read = beside(world.stop(), move |stop| {
        let known = Known { bound: &bound, all: &all, any, stop };
        dialect.cell(source, &given, &known)
    });
    read.unwrap_or_else(|| dialect.cell(source, "", world))
}

/// The names of a session at one moment.
struct Known<'a> {
    bound: &'a FxHashSet<Name>,
    all: &'a [Name],
    /// Whether every name is bound.
    any: bool,
    stop: Stop<'a>,
}

impl Names for Known<'_> {
    fn is_bound(&self, name: &str) -> bool {
        // `it` is none of the keys
        name == "std" || self.any || self.bound.contains(name) || (name == "it" && self.all.iter().any(|n| n == "it"))
    }

    fn all(&self) -> Vec<Name> {
        self.all.to_vec()
    }

    fn stop(&self) -> Stop<'_> {
        self.stop
    }
}
