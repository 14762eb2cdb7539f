//! Values: thunks, evaluation with limits, merging, contracts.
//!
//! [`Machine`] evaluates terms lazily. A [`Record`] keeps the layers that it was composed from ([`record`]), and
//! computes the value of a field from the stack of the *final* record. Library functions are [`Native`]s and use
//! [`Machine`]'s methods.

pub mod array;
mod collect;
pub mod contract;
mod deep;
mod deferred_drop;
pub mod env;
mod equality;
pub(crate) mod eval;
pub mod fault;
mod field;
mod guards;
mod host;
pub mod label;
pub mod lists;
mod live;
pub mod machine;
pub mod manifest;
pub mod map;
mod matching;
mod memory;
mod merge;
mod merger;
pub mod metadata;
pub mod native;
mod object;
pub mod outline;
mod pattern;
mod places;
mod preview;
pub mod provenance;
mod pushed;
mod reach;
pub mod record;
mod revision;
pub(crate) mod secret;
mod stack;
pub mod string;
#[cfg(test)]
mod tests;
pub mod thunk;
mod to_data;
pub mod trace;

pub use crate::problem::datum;
pub use crate::text::path::Step;
pub use array::Array;
pub use contract::Contract;
pub use eval::operands::{JoinKind, JoinedOperands, Operand};
pub use fault::Fault;
pub use host::Host;
#[cfg(test)]
pub use host::NoHost;
pub use label::{Label, Polarity};
pub use machine::{Budget, Limits, Machine};
pub use map::Map;
pub use native::{Call, Native, Parameter, Partial};
pub use object::read::lacks_super;
pub use record::{DataField, Record};
pub use revision::Revision;
pub use string::Text;
pub use thunk::Thunk;

use crate::term::Number;
use crate::text::Name;
use env::Closure;
use std::rc::Rc;

/// A value in weak head normal form. Cheap to clone.
#[derive(Clone)]
pub enum Value {
    /// `null`
    Null,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(Text),
    /// `'Tag`
    Tag(Name),
    /// `'Tag e`
    Variant(Name, Thunk),
    /// An array; its elements are lazy.
    Array(Array),
    /// A record, with its layers.
    Record(Record),
    /// A map (mcl).
    Map(Map),
    /// A function literal with its environment.
    Function(Rc<Closure>),
    /// A library function, possibly applied to some of its arguments.
    Native(Rc<Partial>),
    /// A function with a function contract.
    Guarded(Rc<contract::Guarded>),
    /// A type or a contract as a value.
    Contract(Rc<Contract>),
    /// The blame information of a contract.
    Label(Rc<Label>),
    /// A value sealed by a polymorphic contract. It must not be inspected.
    Sealed(Rc<contract::Sealed>),
}

impl Value {
    /// Returns the name of the value's type for messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Null => "Null",
            Value::Bool(_) => "Bool",
            Value::Number(_) => "Number",
            Value::String(_) => "String",
            Value::Tag(_) | Value::Variant(..) => "Enum",
            Value::Array(_) => "Array",
            Value::Record(_) => "Record",
            Value::Map(_) => "Map",
            Value::Function(_) | Value::Native(_) | Value::Guarded(_) => "Function",
            Value::Contract(_) => "Contract",
            Value::Label(_) => "Label",
            Value::Sealed(_) => "Sealed",
        }
    }

    /// Returns whether the value can be applied to an argument.
    pub fn is_function(&self) -> bool {
        matches!(self, Value::Function(_) | Value::Native(_) | Value::Guarded(_))
    }

    /// Returns the number of parameters of a function; `None` for other values.
    pub fn parameters(&self) -> Option<usize> {
        Some(match self {
            Value::Function(closure) => match closure.unit.node(closure.node) {
                crate::term::Node::Lambda(lambda) => lambda.params.len().saturating_sub(closure.args.len()),
                _ => 0,
            },
            Value::Native(partial) => usize::from(partial.native.arity).saturating_sub(partial.args.len()),
            Value::Guarded(_) | Value::Contract(_) => 1,
            _ => return None,
        })
    }

    /// Returns the number of arguments that a function needs, without those that have a default; `None` for other values.
    pub fn required_arguments(&self) -> Option<usize> {
        match self {
            Value::Function(closure) => match closure.unit.node(closure.node) {
                crate::term::Node::Lambda(lambda) => {
                    let needed = lambda.params.iter().skip(closure.args.len());
                    Some(needed.filter(|param| param.default.is_none()).count())
                }
                _ => Some(1),
            },
            Value::Guarded(guarded) => guarded.function.required_arguments(),
            _ => self.parameters(),
        }
    }

    /// Makes a string.
    pub fn string(text: impl Into<Text>) -> Value {
        Value::String(text.into())
    }

    /// Makes an enum tag.
    pub fn tag(name: &str) -> Value {
        Value::Tag(Name::new(name))
    }

    /// Makes an enum variant.
    pub fn variant(name: &str, argument: Thunk) -> Value {
        Value::Variant(Name::new(name), argument)
    }

    /// Makes a record of plain fields.
    pub fn record(fields: impl IntoIterator<Item = (Name, Thunk)>) -> Value {
        Value::Record(Record::from_fields(fields))
    }

    /// Makes an array.
    pub fn array(elements: impl IntoIterator<Item = Thunk>) -> Value {
        Value::Array(elements.into_iter().collect())
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}

impl From<Number> for Value {
    fn from(n: Number) -> Value {
        Value::Number(n)
    }
}

impl From<usize> for Value {
    fn from(n: usize) -> Value {
        Value::Number(Number::Int(n as i64))
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Number(n) => write!(f, "{n:?}"),
            Value::String(s) => write!(f, "{:?}", s.as_str()),
            Value::Tag(t) => write!(f, "'{t}"),
            Value::Variant(t, _) => write!(f, "'{t} _"),
            other => f.write_str(other.type_name()),
        }
    }
}
