//! What a library table is made of.

use crate::value::native::Call;
use crate::value::{Fault, Machine, Native, Thunk, Value};

/// A part of the library: a name for items and further modules.
pub struct Module {
    /// The path from the root: `std.array`.
    pub path: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// The items, by name.
    pub items: &'static [Item],
    /// The modules inside, by name.
    pub modules: &'static [&'static Module],
}

/// One value of the library. Plain text until somebody asks: nothing of it is parsed or built before.
pub struct Item {
    /// The last part of the path: `map`.
    pub name: &'static str,
    /// The type, in the notation of cfg.
    pub ty: &'static str,
    /// What it does, in a few sentences.
    pub doc: &'static str,
    /// Expressions and what they equal, both in cfg. The tests evaluate them.
    pub examples: &'static [(&'static str, &'static str)],
    /// What it is.
    pub body: Body,
}

/// What an item is.
pub enum Body {
    /// A function in Rust.
    Native(Native),
    /// An expression in cfg, with `std` in scope.
    Cfg(&'static str),
    /// An expression in cfg, with `std` and a function in Rust named `native` in scope.
    With(&'static str, Native),
}

/// A function in Rust, by its whole name, with the number of its arguments.
pub(super) const fn native(
    name: &'static str,
    arity: u8,
    run: fn(&mut Machine, &[Thunk], &Call) -> Result<Value, Fault>,
) -> Body {
    Body::Native(Native::curried(name, arity, run))
}

/// An expression in cfg.
pub(super) const fn cfg(text: &'static str) -> Body {
    Body::Cfg(text)
}

/// An expression in cfg that calls a function in Rust of one argument, by the name `native`.
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

    /// The item of a name. O(log items).
    pub fn item(&self, name: &str) -> Option<&'static Item> {
        let at = self.items.binary_search_by(|item| item.name.cmp(name)).ok()?;
        self.items.get(at)
    }

    /// The module inside of a name.
    pub fn module(&self, name: &str) -> Option<&'static Module> {
        self.modules.iter().copied().find(|module| module.name() == name)
    }

    /// The names of everything inside, modules too, in alphabetical order.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> =
            self.items.iter().map(|item| item.name).chain(self.modules.iter().map(|module| module.name())).collect();
        names.sort_unstable();
        names
    }
}

impl Item {
    /// The documentation as Markdown: what it does, then the examples in a block.
    pub fn documentation(&self) -> String {
        let mut text = String::from(self.doc);
        if !self.examples.is_empty() {
            text.push_str("\n\n```cfg\n");
            for (expression, value) in self.examples {
                text.push_str(&format!("{expression}\n# => {value}\n"));
            }
            text.push_str("```");
        }
        text
    }
}
