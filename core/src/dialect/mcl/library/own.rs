//! Functions that a program adds to the library: plain data in, plain data out.

use super::plain::Plain;
use crate::dialect::Dialect;
use crate::dialect::notation::ty::styled;
use crate::infer::PartialCall;
use crate::term::Number;
use crate::text::Name;
use crate::ty::Scheme;
use crate::value::map::Map;
use crate::value::{Call, DataField, Fault, Machine, Record, Thunk, Value};

/// The implementation of a function. It must be pure: equal arguments give equal results.
pub trait Body {
    /// Computes the result. It must have the type of the signature. The error is the reason why there is none.
    fn run(args: &[Data]) -> Result<Data, String>;
}

/// A value of mcl as plain data.
#[derive(Clone, PartialEq, Debug)]
pub enum Data {
    /// A `bool`.
    Bool(bool),
    /// An `int`.
    Int(i64),
    /// A `float`. It must be finite.
    Float(f64),
    /// A `str`.
    Str(String),
    /// A list.
    List(Vec<Data>),
    /// A map.
    Map(Vec<(Data, Data)>),
    /// A struct.
    Struct(Vec<(String, Data)>),
}

/// Runs a function.
pub(super) fn run<B: Body>(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Value, Fault> {
    let mut data = Vec::with_capacity(args.len());
    for arg in args {
        match data_of(Plain::of(machine, arg, call)?) {
            Some(argument) => data.push(argument),
            None => return Err(call.fault("an argument is a function, which is not plain data")),
        }
    }
    let result = B::run(&data).map_err(|why| call.fault(why))?;
    value_of(result).ok_or_else(|| call.fault("the result is a float that is not finite"))
}

/// Converts plain data, whose depth is limited. `None` if it contains a function.
fn data_of(plain: Plain) -> Option<Data> {
    Some(match plain {
        Plain::Bool(b) => Data::Bool(b),
        Plain::Int(i) => Data::Int(i),
        Plain::Float(f) => Data::Float(f),
        Plain::Text(text) => Data::Str(String::from(text.as_str())),
        Plain::List(items) => Data::List(items.into_iter().map(data_of).collect::<Option<_>>()?),
        Plain::Map(entries) => {
            let entry = |(key, value)| Some((data_of(key)?, data_of(value)?));
            Data::Map(entries.into_iter().map(entry).collect::<Option<_>>()?)
        }
        Plain::Struct(fields) => {
            let field = |(name, value): (Name, Plain)| Some((name.to_string(), data_of(value)?));
            Data::Struct(fields.into_iter().map(field).collect::<Option<_>>()?)
        }
        Plain::Missing | Plain::Function => return None,
    })
}

/// Converts a result. `None` if it contains a float that is not finite.
fn value_of(data: Data) -> Option<Value> {
    crate::deep::deeper(|| {
        Some(match data {
            Data::Bool(b) => Value::Bool(b),
            Data::Int(i) => Value::Number(Number::Int(i)),
            Data::Float(f) if f.is_finite() => Value::Number(Number::Double(f)),
            Data::Float(_) => return None,
            Data::Str(text) => Value::string(text),
            Data::List(items) => {
                let items: Vec<Value> = items.into_iter().map(value_of).collect::<Option<_>>()?;
                Value::array(items.into_iter().map(Thunk::done))
            }
            Data::Map(entries) => {
                let entry = |(key, value)| Some((value_of(key)?, Thunk::done(value_of(value)?)));
                Value::Map(Map::new(entries.into_iter().map(entry).collect::<Option<_>>()?))
            }
            Data::Struct(fields) => {
                let field = |(name, value)| Some(DataField::new(Name::from(name), Thunk::done(value_of(value)?)));
                Value::Record(Record::from_data(fields.into_iter().map(field).collect::<Option<Vec<_>>>()?))
            }
        })
    })
}

/// Returns the type of an argument of a call in the notation of mcl. `None` if it is not known before unification.
pub fn printed(call: &PartialCall, index: usize) -> Option<String> {
    let ty = call.types.get(index).filter(|ty| ty.marks().live == 0)?;
    Some(styled(Dialect::MCL.spelling(), &Scheme::mono(ty.clone()), None).text())
}
