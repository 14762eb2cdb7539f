//! The types of the library tables.

use crate::value::native::Call;
use crate::value::{Fault, Machine, Native, Thunk, Value};

/// A module of the library: items and further modules.
pub struct Module {
    /// The full path: `std.array`.
    pub path: &'static str,
    /// A description in one or two sentences.
    pub doc: &'static str,
    /// The items, sorted by name.
    pub items: &'static [Item],
    /// The submodules, sorted by name.
    pub modules: &'static [&'static Module],
}

/// One value of the library, as text. It is parsed and built only when needed.
pub struct Item {
    /// The last part of its path: `map`.
    pub name: &'static str,
    /// The type, in the notation of cfg.
    pub ty: &'static str,
    /// A description in a few sentences.
    pub doc: &'static str,
    /// Expressions and their values, both in cfg. Tests evaluate them.
    pub examples: &'static [(&'static str, &'static str)],
    /// The implementation.
    pub body: Body,
}

/// The implementation of an item.
pub enum Body {
    /// A function in Rust.
    Native(Native),
    /// An expression in cfg, with `std` in scope.
    Cfg(&'static str),
    /// An expression in cfg, with `std` and the given Rust function, as `native`, in scope.
    With(&'static str, Native),
}

/// Creates a body from a function in Rust, with its full name and number of arguments.
pub(super) const fn native(
    name: &'static str,
    arity: u8,
    run: fn(&mut Machine, &[Thunk], &Call) -> Result<Value, Fault>,
) -> Body {
    Body::Native(Native::curried(name, arity, run))
}

/// Creates a body from an expression in cfg.
pub(super) const fn cfg(text: &'static str) -> Body {
    Body::Cfg(text)
}

/// Creates a body from an expression in cfg that calls a Rust function of one argument by the name `native`.
pub(super) const fn cfg_with(
    text: &'static str,
    name: &'static str,
    run: fn(&mut Machine, &[Thunk], &Call) -> Result<Value, Fault>,
) -> Body {
    Body::With(text, Native::curried(name, 1, run))
}

impl Module {
    /// The last part of the path.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or(self.path)
    }

    /// Returns the item with a name. O(log items).
    pub fn item(&self, name: &str) -> Option<&'static Item> {
        let at = self.items.binary_search_by(|item| item.name.cmp(name)).ok()?;
        self.items.get(at)
    }

    /// Returns the submodule with a name.
    pub fn module(&self, name: &str) -> Option<&'static Module> {
        self.modules.iter().copied().find(|module| module.name() == name)
    }
}
