//! The standard library of Jsonnet 0.22. `text/` has a file for each group with the types and documentation of its entries;
//! `native/` has the functions, and `entries.rs` joins both at compile time.
//!
//! [`item`] is used by inference, documentation and completion; [`value`] is `std` in evaluation. The library costs nothing
//! until it is used: tables are constants, and types are parsed when needed.
//!
//! The functions agree with the reference, the C++ implementation of Jsonnet, in values, laziness and error messages. Where the
//! reference defines a function in terms of others (`std.sum` folds `+`), unusual arguments have the same results or errors as
//! in those.

mod demand;
mod entries;
mod kinds;
pub mod meant;
mod native;
mod table;
#[cfg(test)]
mod tests;

use entries::{ARRAYS, ENCODE, MANIFEST, MATH, OBJECTS, STRINGS, TYPES};
pub use table::{Body, Item};

use crate::dialect::library;
use crate::text::Name;
use crate::ty::{Param, Scheme, Ty};
use crate::value::native::Signatures;
use crate::value::{DataField, Native, Record, Revision, Thunk, Value};

/// The groups of items.
static FAMILIES: [&&[Item]; 7] = [&TYPES, &MATH, &STRINGS, &ARRAYS, &OBJECTS, &ENCODE, &MANIFEST];

/// The parameters that go-jsonnet calls by another name: the function, that name, and the name in C++ Jsonnet.
const RENAMED: &[(&str, &str, &str)] = &[
    ("equals", "x", "a"),
    ("equals", "y", "b"),
    ("exp", "x", "n"),
    ("exponent", "x", "n"),
    ("hypot", "x", "a"),
    ("hypot", "y", "b"),
    ("isNull", "x", "v"),
    ("log", "x", "n"),
    ("mantissa", "x", "n"),
    ("md5", "s", "str"),
    ("modulo", "x", "a"),
    ("modulo", "y", "b"),
    ("native", "x", "name"),
    ("objectFieldsEx", "hidden", "inc_hidden"),
    ("objectHasEx", "fname", "f"),
    ("objectHasEx", "hidden", "inc_hidden"),
    ("primitiveEquals", "x", "a"),
    ("primitiveEquals", "y", "b"),
    ("removeAt", "i", "at"),
    ("sha1", "s", "str"),
    ("sha256", "s", "str"),
    ("sha3", "s", "str"),
    ("sha512", "s", "str"),
];

/// Returns the name of a parameter of a function of the library, given its name in go-jsonnet.
pub fn renamed(function: &str, parameter: &str) -> Option<Name> {
    let found = RENAMED.iter().find(|(of, other, _)| *of == function && *other == parameter)?;
    Some(Name::new_static(found.2))
}

/// The library in messages.
static SIGNATURES: Signatures = Signatures { library: super::STD, kinds: kinds::taken };

/// Returns all items, group by group.
pub fn items() -> impl Iterator<Item = &'static Item> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// Returns the item with a name. O(items): used for messages, types and documentation only.
pub fn item(name: &str) -> Option<&'static Item> {
    items().find(|item| item.name == name)
}

/// Returns the value of `std` in a file: an object with hidden fields. External variables have their values of revision
/// `born`.
pub fn value(this_file: &str, born: Revision) -> Value {
    let fields = items().map(|item| {
        let value = match item.body {
            Body::Function(run) => Native::named(item.name, item.params, run).of(&SIGNATURES).value_of(born),
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
    fn entry(&self, path: &[&str]) -> Option<library::LibraryEntry> {
        Some(match path {
            [] => library::LibraryEntry::Module(library::Module {
                doc: "The standard library of jsonnet.",
                names: items().map(|item| item.name).collect(),
            }),
            [name] => {
                let item = item(name)?;
                let usage = Some(item.usage());
                library::LibraryEntry::Item(library::Item { doc: item.doc, ty: item.ty, usage, examples: &[] })
            }
            _ => return None,
        })
    }

    fn value(&self, file: &str, born: Revision) -> library::LibraryValue {
        library::LibraryValue(value(file, born))
    }

    fn scheme(&self, path: &[&str], signature: Scheme) -> Scheme {
        match path.last().and_then(|name| item(name)) {
            Some(item) => item.saturated(signature),
            None => signature,
        }
    }
}

impl Item {
    /// Converts the curried scheme of [`library::Item::signature`] to that of a function that takes all arguments at once, by
    /// position or by name.
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
                raises: None,
            });
            result = rest.clone();
        }
        Scheme { ty: Ty::Fun(params, result).into(), ..scheme }
    }
}
