//! The standard library of Jsonnet 0.22, as Rust tables: names, parameters, types, documentation, bodies. One file a family.
//!
//! [`item`] is what inference, documentation and completion ask; [`value`] is what evaluation sees as `std`. A program that
//! does not use `std` costs nothing: tables are constants, and types stay text until somebody asks for them.
//!
//! The functions do what the reference's do, in value, in laziness and in the words of their failures. Where the reference
//! defines one by others (`std.sum` folds `+`), what its parts do with odd arguments holds here too.

mod arrays;
mod demand;
mod encode;
mod manifest;
mod math;
mod native;
mod objects;
mod strings;
mod table;
#[cfg(test)]
mod tests;
mod types;

pub use table::{Body, Item};

use super::LIBRARY;
use crate::dialect::library;
use crate::term::Term;
use crate::text::Name;
use crate::ty::{Param, Scheme, Ty};
use crate::value::{DataField, Native, Record, Revision, Thunk, Value};
use std::sync::Arc;

/// The families.
static FAMILIES: &[&[Item]] =
    &[types::ITEMS, math::ITEMS, strings::ITEMS, arrays::ITEMS, objects::ITEMS, encode::ITEMS, manifest::ITEMS];

/// Everything there is, family by family.
pub fn items() -> impl Iterator<Item = &'static Item> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// The item of a name. O(items): for messages, types and documentation.
pub fn item(name: &str) -> Option<&'static Item> {
    items().find(|item| item.name == name)
}

/// What stands under a path of the library: the library itself, or an item.
#[derive(Clone, Copy)]
pub enum Entry {
    /// The library.
    Library,
    /// An item.
    Item(&'static Item),
}

/// What stands at a path: `["%std.jsonnet"]`, `["%std.jsonnet", "map"]`. Nothing is parsed or built.
pub fn library<N: AsRef<str>>(path: &[N]) -> Option<Entry> {
    match path {
        [root] if root.as_ref() == LIBRARY => Some(Entry::Library),
        [root, name] if root.as_ref() == LIBRARY => item(name.as_ref()).map(Entry::Item),
        _ => None,
    }
}

/// The value of `std` in a file: an object whose fields are all hidden. What it asks the outside for is what it was at a
/// moment.
pub fn value(this_file: &str, born: Revision) -> Value {
    let fields = items().map(|item| {
        let value = match item.body {
            Body::Function(run) => Native::named(item.name, item.params, run).value_of(born),
            Body::Value(make) => make(),
            Body::ThisFile => Value::string(this_file),
        };
        DataField { not_exported: true, ..DataField::new(Name::new_static(item.name), Thunk::done(value)) }
    });
    Value::Record(Record::from_data(fields))
}

/// The library of Jsonnet.
pub struct Std;

impl library::Library for Std {
    fn entry(&self, path: &[&str]) -> Option<library::Entry> {
        Some(match path {
            [] => library::Entry::Module(library::Module {
                doc: "The standard library of jsonnet.",
                names: items().map(|item| item.name).collect(),
            }),
            [name] => {
                let item = item(name)?;
                let usage = Some(item.usage());
                library::Entry::Item(library::Item { doc: item.doc, ty: item.ty, usage, examples: &[] })
            }
            _ => return None,
        })
    }

    fn value(&self, file: &str, born: Revision) -> Value {
        value(file, born)
    }

    fn scheme(&self, path: &[&str], signature: Scheme) -> Scheme {
        match path.last().and_then(|name| item(name)) {
            Some(item) => item.saturated(signature),
            None => signature,
        }
    }
}

impl Item {
    /// The type as a term, to be read as a scheme, curried; [`Item::saturated`] makes one function of that.
    pub fn signature(&self) -> Arc<Term> {
        library::signature(self.ty)
    }

    /// The scheme of the curried type as that of the function, which takes all arguments at once, by place or by name.
    pub fn saturated(&self, scheme: Scheme) -> Scheme {
        if self.params.is_empty() {
            return match self.body {
                Body::Function(_) => Scheme { ty: Ty::Fun(Vec::new(), scheme.ty.clone()).into(), ..scheme },
                _ => scheme,
            };
        }
        let mut params = Vec::with_capacity(self.params.len());
        let mut result = scheme.ty.clone();
        for (place, parameter) in self.params.iter().enumerate() {
            let Ty::Fun(first, rest) = &*result.clone() else { break };
            let Some(first) = first.first() else { break };
            params.push(Param {
                name: Some(Name::new_static(parameter.name)),
                ty: first.ty.clone(),
                optional: parameter.default.is_some(),
                demand: demand::of(self, place, &first.ty),
            });
            result = rest.clone();
        }
        Scheme { ty: Ty::Fun(params, result).into(), ..scheme }
    }
}
