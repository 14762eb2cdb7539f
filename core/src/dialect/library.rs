//! The interface of a library: entries by path, with their types and documentation, and a value.

use super::{Dialect, Names};
use crate::infer::PartialCall;
use crate::term::{Number, Term};
use crate::text::{Name, SourceId};
use crate::ty::Scheme;
use crate::value::{Revision, Thunk, Value};
use std::sync::Arc;

/// The source of spans in the text of the library itself. It is not part of any collection of sources.
pub const SOURCE: SourceId = SourceId(u32::MAX);

/// The library of a language. It is parsed and built lazily.
pub trait Library: Sync {
    /// Returns the entry at a path below the library, `["array", "map"]`. The empty path is the library itself.
    fn entry(&self, path: &[&str]) -> Option<LibraryEntry>;

    /// Returns the value of the library for a file in a revision.
    fn value(&self, file: &str, born: Revision) -> LibraryValue;

    /// Returns the type of an item as a term that can be converted to a scheme.
    fn signature(&self, path: &[&str], item: &Item) -> Arc<Term> {
        let _ = path;
        item.signature()
    }

    /// Returns the text of the signature that an item has in one call, if it depends on the call. [`Self::parse`] reads
    /// the text. The error is the reason why the item refuses the call.
    fn call(&self, path: &[&str], call: &PartialCall) -> Option<Result<String, Name>> {
        let _ = (path, call);
        None
    }

    /// Returns the library as its own type, for the reader of its language.
    fn own(&self) -> Option<&dyn std::any::Any> {
        None
    }

    /// Reads a signature that [`Self::call`] returned.
    fn parse(&self, signature: &str) -> Option<Arc<Term>> {
        let _ = signature;
        None
    }

    /// Returns the type of an item, given its scheme from [`Item::signature`].
    fn scheme(&self, path: &[&str], signature: Scheme) -> Scheme {
        let _ = path;
        signature
    }
}

/// The value of a library. A language outside this crate makes it of plain data.
pub struct LibraryValue(pub(crate) Value);

impl LibraryValue {
    /// Makes a number.
    pub fn number(number: Number) -> LibraryValue {
        LibraryValue(Value::Number(number))
    }

    /// Makes a string.
    pub fn string(text: &str) -> LibraryValue {
        LibraryValue(Value::string(text))
    }

    /// Makes a record.
    pub fn record(fields: impl IntoIterator<Item = (Name, LibraryValue)>) -> LibraryValue {
        LibraryValue(Value::record(fields.into_iter().map(|(name, value)| (name, Thunk::done(value.0)))))
    }
}

/// The entry at a path of a library.
pub enum LibraryEntry {
    /// A module.
    Module(Module),
    /// A value.
    Item(Item),
}

/// A module of a library: it contains items and further modules.
pub struct Module {
    /// The purpose of the module.
    pub doc: &'static str,
    /// The names in the module, in the order of its table.
    pub names: Vec<&'static str>,
}

/// A value of a library.
pub struct Item {
    /// A description in a few sentences.
    pub doc: &'static str,
    /// The type, in the notation of cfg.
    pub ty: &'static str,
    /// The call syntax, `foldl(func, arr, init)`, if the type does not show it.
    pub usage: Option<String>,
    /// Expressions with their expected values.
    pub examples: &'static [(&'static str, &'static str)],
}

impl LibraryEntry {
    /// Returns the documentation.
    pub fn doc(&self) -> &'static str {
        match self {
            LibraryEntry::Module(module) => module.doc,
            LibraryEntry::Item(item) => item.doc,
        }
    }
}

impl Module {
    /// Returns the public names, in alphabetical order. Names that begin with `_` are private to the library.
    pub fn listed(&self) -> Vec<Name> {
        self.sorted().into_iter().filter(|name| !name.starts_with('_')).collect()
    }

    /// Returns all names, in alphabetical order.
    pub fn sorted(&self) -> Vec<Name> {
        let mut names: Vec<Name> = self.names.iter().copied().map(Name::new_static).collect();
        names.sort();
        names
    }
}

impl Item {
    /// Returns the usage or, without one, the type, for one line.
    pub fn shown(&self) -> String {
        self.usage.clone().unwrap_or_else(|| String::from(self.ty))
    }

    /// Returns the type as a term that can be converted to a scheme. `Contract a`, the type of contracts that accept an
    /// `a`, is an application of the free name `Contract`.
    pub fn signature(&self) -> Arc<Term> {
        signature(self.ty)
    }
}

/// Parses a type in the notation of cfg.
pub(super) fn signature(ty: &str) -> Arc<Term> {
    Dialect::CFG.program(SOURCE, ty, &ContractScope).term
}

/// A scope in which only the type constructor `Contract` is bound.
pub(super) struct ContractScope;

impl Names for ContractScope {
    fn is_bound(&self, name: &str) -> bool {
        name == "Contract"
    }
    fn all(&self) -> Vec<Name> {
        Vec::new()
    }
}
