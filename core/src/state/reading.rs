//! Parses texts. Large ones are parsed on another thread.

use super::{InFile, World};
use crate::dialect::background::{LARGE, in_background};
use crate::dialect::{Cell, Dialect, Languages, Names, Program, Stop};
use crate::problem::syntax::PastInput;
use crate::term::Import;
use crate::text::{Name, SourceId, Span};
use rustc_hash::FxHashSet;
use std::path::Path;
use std::sync::Arc;

/// Parses a program in which only `std` is bound.
pub(crate) fn program(world: &World, dialect: Dialect, source: SourceId, text: &Arc<str>) -> Program {
    let languages = world.languages.get();
    let tables = world.tables_of(dialect, source);
    let here = InFile(languages, world.stop(), &tables);
    let program = if text.len() < LARGE {
        dialect.program(source, text, &here)
    } else {
        let (copy, beside_it) = (text.clone(), tables.clone());
        let read = in_background(world.stop(), move |stop| {
            dialect.program(source, &copy, &InFile(languages, stop, &beside_it))
        });
        // after an interrupt, an empty text gives an empty program
        read.unwrap_or_else(|| dialect.program(source, "", &here))
    };
    world.read_program(dialect, source, &program);
    program
}

/// Parses an input of the session. `any`: it was accepted before, so names that no longer exist are not errors. The names
/// in `hidden` count as unbound.
pub(crate) fn cell(world: &World, dialect: Dialect, source: SourceId, text: &str, any: bool, hidden: &[Name]) -> Cell {
    if text.len() < LARGE {
        return dialect.cell(source, text, &InCell { world, dialect, any, hidden });
    }
    let (copy, all, languages) = (String::from(text), world.all(), world.languages.get());
    let bound: FxHashSet<Name> =
        world.state.environment.borrow().keys().filter(|name| !hidden.contains(name)).cloned().collect();
    let tables = world.tables_for(dialect, Path::new(""));
    let read = in_background(world.stop(), move |stop| {
        let known = KnownNames { bound: &bound, all: &all, any, languages, stop, tables: &tables };
        dialect.cell(source, &copy, &known)
    });
    let cell = read.unwrap_or_else(|| dialect.cell(source, "", world));
    world.read_cell(dialect, source, &cell);
    cell
}

/// The names of a session as a text in a language sees them.
struct InCell<'a> {
    world: &'a World,
    dialect: Dialect,
    /// Whether every name is bound.
    any: bool,
    /// Names that count as unbound.
    hidden: &'a [Name],
}

impl InCell<'_> {
    fn is_hidden(&self, name: &str) -> bool {
        self.hidden.iter().any(|hidden| hidden == name)
    }
}

impl Names for InCell<'_> {
    fn is_bound(&self, name: &str) -> bool {
        !self.is_hidden(name) && (self.any || self.world.is_bound(name))
    }

    fn is_defined(&self, name: &str) -> bool {
        !self.is_hidden(name) && self.world.is_defined(name)
    }

    fn all(&self) -> Vec<Name> {
        self.world.all()
    }

    fn is_session(&self) -> bool {
        true
    }

    fn past_input(&self, name: &str) -> Option<PastInput> {
        self.world.past_input(name)
    }

    fn fields_of_file(&self, file: &Import, span: Span) -> Vec<Name> {
        self.world.fields_of_file(file, span)
    }

    fn languages(&self) -> Languages {
        self.world.languages.get()
    }

    fn tables(&self) -> Vec<Program> {
        self.world.tables_for(self.dialect, Path::new(""))
    }

    fn stop(&self) -> Stop<'_> {
        self.world.stop()
    }

    fn read_program(&self, dialect: Dialect, source: SourceId, program: &Program) {
        self.world.read_program(dialect, source, program);
    }

    fn read_cell(&self, dialect: Dialect, source: SourceId, cell: &Cell) {
        self.world.read_cell(dialect, source, cell);
    }
}

/// The names that are bound while a cell is parsed.
struct KnownNames<'a> {
    bound: &'a FxHashSet<Name>,
    all: &'a [Name],
    /// Whether every name is bound.
    any: bool,
    languages: Languages,
    stop: Stop<'a>,
    tables: &'a [Program],
}

impl Names for KnownNames<'_> {
    fn is_bound(&self, name: &str) -> bool {
        // `it` is not one of the keys
        name == "std" || self.any || self.bound.contains(name) || (name == "it" && self.all.iter().any(|n| n == "it"))
    }

    fn is_defined(&self, name: &str) -> bool {
        self.bound.contains(name)
    }

    fn all(&self) -> Vec<Name> {
        self.all.to_vec()
    }

    fn is_session(&self) -> bool {
        true
    }

    fn languages(&self) -> Languages {
        self.languages
    }

    fn stop(&self) -> Stop<'_> {
        self.stop
    }

    fn tables(&self) -> Vec<Program> {
        self.tables.to_vec()
    }
}
