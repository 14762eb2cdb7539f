//! The standard library. `text/` has a file for each module with the types, documentation, examples and bodies of its entries;
//! `native/` has the functions in Rust, and `modules.rs` joins both at compile time.
//!
//! [`library()`] is used by inference, documentation and completion; [`value()`] is `std` in evaluation. The library costs
//! nothing until it is used: tables are constants, types are parsed when needed, the values of a module are created when it
//! is first read, and a body in cfg is parsed when its item is first evaluated.
//!
//! A body in cfg is lowered as a function of `std` and applied to the library, so that a program that redefines `std` does
//! not change it.

mod modules;
mod native;
mod table;
#[cfg(test)]
mod tests;

pub use modules::STD;
pub use table::{Body, Item, Module};

use crate::dialect::library::{self, SOURCE};
use crate::dialect::{Dialect, Names};
use crate::text::Name;
use crate::value::{Call, Fault, Machine, Native, Revision, Thunk, Value};

/// A module or item of the library.
#[derive(Clone, Copy)]
pub enum Entry {
    /// A module.
    Module(&'static Module),
    /// An item.
    Item(&'static Item),
}

/// Returns the entry at a path: `["std"]`, `["std", "array"]`, `["std", "array", "map"]`. Parses and builds nothing.
pub fn library<N: AsRef<str>>(path: &[N]) -> Option<Entry> {
    let mut rest = path.iter();
    if rest.next()?.as_ref() != STD.path {
        return None;
    }
    let mut here = &STD;
    while let Some(name) = rest.next() {
        match here.module(name.as_ref()) {
            Some(module) => here = module,
            None => return here.item(name.as_ref()).filter(|_| rest.next().is_none()).map(Entry::Item),
        }
    }
    Some(Entry::Module(here))
}

/// Returns the value of `std`: a record whose modules and items are created when they are first read.
pub fn value() -> Value {
    module_value(&STD)
}

fn module_value(module: &'static Module) -> Value {
    let mut fields: Vec<(Name, Thunk)> = Vec::with_capacity(module.items.len() + module.modules.len());
    fields.extend(module.items.iter().map(|item| (Name::new_static(item.name), item_thunk(item))));
    fields.extend(module.modules.iter().map(|inner| {
        let inner: &'static Module = inner;
        (Name::new_static(inner.name()), Thunk::lazy(move |_| Ok(module_value(inner))))
    }));
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Value::record(fields)
}

fn item_thunk(item: &'static Item) -> Thunk {
    match &item.body {
        Body::Native(native) => Thunk::done(native.value()),
        Body::Cfg(text) => Thunk::lazy(move |machine| evaluate(machine, text, None)),
        Body::With(text, native) => Thunk::lazy(move |machine| evaluate(machine, text, Some(*native))),
    }
}

/// The library of cfg.
pub struct Std;

impl library::Library for Std {
    fn entry(&self, path: &[&str]) -> Option<library::LibraryEntry> {
        let whole: Vec<&str> = std::iter::once(STD.path).chain(path.iter().copied()).collect();
        Some(match library(&whole)? {
            Entry::Module(module) => {
                let items = module.items.iter().map(|item| item.name);
                let names = items.chain(module.modules.iter().map(|module| module.name())).collect();
                library::LibraryEntry::Module(library::Module { doc: module.doc, names })
            }
            Entry::Item(item) => library::LibraryEntry::Item(library::Item {
                doc: item.doc,
                ty: item.ty,
                usage: None,
                examples: item.examples,
            }),
        })
    }

    fn value(&self, _: &str, _: Revision) -> library::LibraryValue {
        library::LibraryValue(value())
    }
}

/// Evaluates a body: `fun std => text` or `fun std native => text`, applied to the library and the native function.
fn evaluate(machine: &mut Machine, text: &str, native: Option<Native>) -> Result<Value, Fault> {
    let parameters = if native.is_some() { "std native" } else { "std" };
    let program = Dialect::CFG.program(SOURCE, &format!("fun {parameters} => {text}"), &NoNames);
    let function = machine.thunk(&program.term);
    let function = machine.force(&function)?;
    let mut arguments = vec![Thunk::lazy(|_| Ok(value()))];
    arguments.extend(native.map(|native| Thunk::done(native.value())));
    machine.call(&function, &arguments, &Call::default())
}

/// The names in a body: none.
struct NoNames;

impl Names for NoNames {
    fn is_bound(&self, _: &str) -> bool {
        false
    }
    fn all(&self) -> Vec<Name> {
        Vec::new()
    }
}
