//! The library of a language as others see it: entries by path, with their types and documentation, and a value.

use super::{Dialect, Names};
use crate::term::Term;
use crate::text::{Name, SourceId};
use crate::ty::Scheme;
use crate::value::{Revision, Value};
use std::sync::Arc;

/// The source of spans in the library's own text; no collection of sources has it.
pub const SOURCE: SourceId = SourceId(u32::MAX);

/// The library of a language. Nothing of it is parsed or built before it is asked for.
pub trait Library: Sync {
    /// The entry at a path below the library, `["array", "map"]`; the library itself at the empty one.
    fn entry(&self, path: &[&str]) -> Option<Entry>;

    /// The value of the library, as a file sees it in a revision.
    fn value(&self, file: &str, born: Revision) -> Value;

    /// The type of an item, given its scheme as [`Item::signature`] reads it.
    fn scheme(&self, path: &[&str], signature: Scheme) -> Scheme {
        let _ = path;
        signature
    }
}

/// What is at a path of a library.
pub enum Entry {
    /// A part of the library.
    Module(Module),
    /// A value.
    Item(Item),
}

/// A part of a library: a name for items and further modules.
pub struct Module {
    /// What it is for.
    pub doc: &'static str,
    /// The names in it, in the order of its table.
    pub names: Vec<&'static str>,
}

/// A value of a library.
pub struct Item {
    /// What it does, in a few sentences.
    pub doc: &'static str,
    /// The type, in the notation of cfg.
    pub ty: &'static str,
    /// How it is called, `foldl(func, arr, init)`, where the type does not say it.
    pub usage: Option<String>,
    /// Expressions and what they equal.
    pub examples: &'static [(&'static str, &'static str)],
}

impl Entry {
    /// What it does or is for.
    pub fn doc(&self) -> &'static str {
        match self {
            Entry::Module(module) => module.doc,
            Entry::Item(item) => item.doc,
        }
    }
}

impl Module {
    /// The names that users see, in alphabetical order: those that begin with `_` are for the library itself.
    pub fn listed(&self) -> Vec<Name> {
        self.sorted().into_iter().filter(|name| !name.starts_with('_')).collect()
    }

    /// All names, in alphabetical order.
    pub fn sorted(&self) -> Vec<Name> {
        let mut names: Vec<Name> = self.names.iter().copied().map(Name::new_static).collect();
        names.sort();
        names
    }
}

impl Item {
    /// How it is shown on one line: its usage, or its type.
    pub fn shown(&self) -> String {
        self.usage.clone().unwrap_or_else(|| String::from(self.ty))
    }

    /// The type as a term, to be read as a scheme. `Contract a`, the type of contracts that accept an `a`, is an application
    /// of the free name `Contract` in it.
    pub fn signature(&self) -> Arc<Term> {
        signature(self.ty)
    }
}

/// A type in the notation of cfg as a term.
pub(super) fn signature(ty: &str) -> Arc<Term> {
    Dialect::CFG.program(SOURCE, ty, &Former).term
}

/// Only the type former `Contract` is bound.
pub(super) struct Former;

impl Names for Former {
    fn is_bound(&self, name: &str) -> bool {
        name == "Contract"
    }
    fn all(&self) -> Vec<Name> {
        Vec::new()
    }
}
