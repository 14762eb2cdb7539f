//! The types of the library tables.

use crate::dialect::description::{Description, same};
use crate::value::Native;
use crate::value::native::Run;

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
#[derive(Clone, Copy)]
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
#[derive(Clone, Copy)]
pub enum Body {
    /// A function in Rust.
    Native(Native),
    /// An expression in cfg, with `std` in scope.
    Cfg(&'static str),
    /// An expression in cfg, with `std` and the given Rust function, as `native`, in scope.
    With(&'static str, Native),
}

/// Returns the items of a module: each with the body from its description, the function in Rust with its name and number of
/// arguments, or both. The functions are in the order of the descriptions.
pub(super) const fn items<const N: usize, const M: usize>(
    described: [Description; N],
    functions: [(&str, u8, Run); M],
) -> [Item; N] {
    let mut all = [Item { name: "", ty: "", doc: "", examples: &[], body: Body::Cfg("") }; N];
    let (mut at, mut used) = (0, 0);
    while at < N {
        let Description { path, name, ty, doc, examples, body } = described[at];
        let body = if used < M && same(functions[used].0, name) {
            let native = Native::curried(path, functions[used].1, functions[used].2);
            used += 1;
            if body.is_empty() { Body::Native(native) } else { Body::With(body, native) }
        } else {
            assert!(!body.is_empty(), "an entry without a body");
            Body::Cfg(body)
        };
        all[at] = Item { name, ty, doc, examples, body };
        at += 1;
    }
    assert!(used == M, "a function without an entry, or in another order");
    all
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
