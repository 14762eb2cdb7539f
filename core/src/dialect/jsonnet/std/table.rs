//! The types of the library tables.

use crate::dialect::description::{Description, same};
use crate::value::native::{Parameter, Run};
use crate::value::{Thunk, Value};

/// One item of the library: its type and description as text, and its implementation. The type is parsed and the value built
/// only when needed.
#[derive(Clone, Copy)]
pub struct Item {
    /// Its name.
    pub name: &'static str,
    /// Its parameters, if it is a function.
    pub params: &'static [Parameter],
    /// The curried type, in the notation of cfg: the first arrows are the parameters.
    pub ty: &'static str,
    /// A description in a few sentences.
    pub doc: &'static str,
    /// The implementation.
    pub body: Body,
}

/// The implementation of an item.
#[derive(Clone, Copy)]
pub enum Body {
    /// A function in Rust.
    Function(Run),
    /// A value.
    Value(fn() -> Value),
    /// The path of the file that reads the item (`std.thisFile`).
    ThisFile,
}

/// Returns the items of a group: each with its description, its parameters and its value. Both lists have the same order.
pub(super) const fn items<const N: usize>(
    described: [Description; N],
    entries: [(&str, &'static [Parameter], Body); N],
) -> [Item; N] {
    let mut all = [Item { name: "", params: &[], ty: "", doc: "", body: Body::ThisFile }; N];
    let mut at = 0;
    while at < N {
        let Description { name, ty, doc, .. } = described[at];
        assert!(same(entries[at].0, name), "an entry that is not described, or in another order");
        all[at] = Item { name, params: entries[at].1, ty, doc, body: entries[at].2 };
        at += 1;
    }
    all
}

/// Creates a required parameter.
pub(super) const fn p(name: &'static str) -> Parameter {
    Parameter::required(name)
}

/// Creates an optional parameter.
pub(super) const fn opt(name: &'static str, default: fn() -> Thunk) -> Parameter {
    Parameter::optional(name, default)
}

impl Item {
    /// Returns the call syntax: `foldl(func, arr, init)`. Optional parameters have a question mark.
    pub fn usage(&self) -> String {
        if !matches!(self.body, Body::Function(_)) {
            return String::from(self.name);
        }
        let params: Vec<String> =
            self.params.iter().map(|p| format!("{}{}", p.name, if p.default.is_some() { "?" } else { "" })).collect();
        format!("{}({})", self.name, params.join(", "))
    }
}
