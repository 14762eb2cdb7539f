//! What a library table is made of.

use crate::value::native::{Parameter, Run};
use crate::value::{Thunk, Value};

/// One value of the library. Plain text until somebody asks: nothing of it is parsed or built before.
pub struct Item {
    /// Its name.
    pub name: &'static str,
    /// Its parameters, where it is a function.
    pub params: &'static [Parameter],
    /// The type, in the notation of cfg, curried: as many arrows from the left are its parameters as there are.
    pub ty: &'static str,
    /// What it does, in a few sentences.
    pub doc: &'static str,
    /// What it is.
    pub body: Body,
}

/// What an item is.
#[derive(Clone, Copy)]
pub enum Body {
    /// A function in Rust.
    Function(Run),
    /// A value.
    Value(fn() -> Value),
    /// The path of the file that asks.
    ThisFile,
}

/// A function.
pub(super) const fn function(
    name: &'static str,
    params: &'static [Parameter],
    ty: &'static str,
    doc: &'static str,
    run: Run,
) -> Item {
    Item { name, params, ty, doc, body: Body::Function(run) }
}

/// A parameter that must be given.
pub(super) const fn p(name: &'static str) -> Parameter {
    Parameter::required(name)
}

/// A parameter that may be left out.
pub(super) const fn opt(name: &'static str, default: fn() -> Thunk) -> Parameter {
    Parameter::optional(name, default)
}

impl Item {
    /// How the function is called: `foldl(func, arr, init)`, parameters that may be left out with a question mark.
    pub fn usage(&self) -> String {
        if !matches!(self.body, Body::Function(_)) {
            return String::from(self.name);
        }
        let params: Vec<String> =
            self.params.iter().map(|p| format!("{}{}", p.name, if p.default.is_some() { "?" } else { "" })).collect();
        format!("{}({})", self.name, params.join(", "))
    }
}
