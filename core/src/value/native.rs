//! The seam for library functions: Rust functions as values.

use super::{Array, Fault, Machine, Record, Revision, Text, Thunk, Value};
use crate::problem::value::ValueKind;
use crate::term::Number;
use crate::text::{Name, Span};

/// A library function. `run` gets exactly `arity` arguments, unforced.
#[derive(Clone, Copy)]
pub struct Native {
    /// Its name in messages: `std.array.map`.
    pub name: &'static str,
    /// How many arguments it takes; at least 1 where it is curried.
    pub arity: u8,
    /// The parameters where it is called with all arguments at once, by place or by name (jsonnet): as many as `arity`.
    /// `None`: curried, by place alone (cfg).
    pub params: Option<&'static [Parameter]>,
    /// What it does.
    pub run: Run,
}

/// What a library function does with its arguments, of which there are as many as it has parameters.
pub type Run = fn(&mut Machine, &[Thunk], &Call) -> Result<Value, Fault>;

/// A parameter of a library function that is called with all arguments at once.
#[derive(Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// The value where it is left out; `None`: it must be given.
    pub default: Option<fn() -> Thunk>,
}

impl Parameter {
    /// A parameter that must be given.
    pub const fn required(name: &'static str) -> Parameter {
        Parameter { name, default: None }
    }

    /// A parameter that may be left out.
    pub const fn optional(name: &'static str, default: fn() -> Thunk) -> Parameter {
        Parameter { name, default: Some(default) }
    }
}

/// A library function with the arguments it was given so far.
pub struct Partial {
    /// The function.
    pub native: Native,
    /// Fewer than its arity.
    pub args: Vec<Thunk>,
    /// When the program was made that reads it from its library.
    pub born: Revision,
}

/// A call: for messages, and for what the outside gives.
#[derive(Clone, Copy, Default)]
pub struct Call {
    /// The application, where it has a place in a program.
    pub span: Option<Span>,
    /// The name of the library function that is called.
    pub name: &'static str,
    /// Where its first arguments stand, as far as they were written at this application.
    pub places: [Option<Span>; 3],
    /// When the function was read from its library.
    pub born: Revision,
}

impl Call {
    /// A call at a place.
    pub fn at(span: Span) -> Call {
        Call { span: Some(span), ..Call::default() }
    }

    /// A fault of this call: `message` is a sentence without a full stop ("index 3 is out of bounds").
    pub fn fault(&self, message: impl Into<Name>) -> Fault {
        let message: Name = message.into();
        let message = if self.name.is_empty() { message } else { Name::from(format!("{}: {message}", self.name)) };
        Fault::undefined(message, self.span)
    }

    /// A fault of this call: argument `index` (from 0) is of another type.
    pub fn mismatch(
        &self,
        machine: &mut Machine,
        args: &[Thunk],
        index: usize,
        expected: &str,
        found: &Value,
    ) -> Fault {
        if let Value::Sealed(sealed) = found {
            return machine.unsealed(sealed);
        }
        Fault::new(ValueKind::Type {
            expected: Name::new(expected),
            found: Name::new(found.type_name()),
            needed_by: Name::from(format!("argument {} of `{}`", index + 1, self.name)),
            span: args.get(index).and_then(|a| machine.place(a)).or(self.places.get(index).copied().flatten()),
            operation: self.span,
        })
    }
}

impl Native {
    /// A function that is applied to one argument after the other (cfg).
    pub const fn curried(name: &'static str, arity: u8, run: Run) -> Native {
        Native { name, arity, params: None, run }
    }

    /// A function that is called with all arguments at once (jsonnet). At most 255 parameters.
    pub const fn named(name: &'static str, params: &'static [Parameter], run: Run) -> Native {
        Native { name, arity: params.len() as u8, params: Some(params), run }
    }

    /// The function as a value.
    pub fn value(self) -> Value {
        self.value_of(Revision::default())
    }

    /// The function as a value: what it asks the outside for is what it was at a moment.
    pub fn value_of(self, born: Revision) -> Value {
        Value::Native(std::rc::Rc::new(Partial { native: self, args: Vec::new(), born }))
    }
}

/// Arguments by type. Each forces argument `index` (from 0) and fails, naming function and argument, if it is something else.
impl Machine {
    /// Forces an argument.
    pub fn arg(&mut self, args: &[Thunk], index: usize, call: &Call) -> Result<Value, Fault> {
        match args.get(index) {
            Some(thunk) => self.force(thunk),
            None => Err(call.fault("an argument is missing")),
        }
    }

    /// An argument that must be a number.
    pub fn number(&mut self, args: &[Thunk], index: usize, call: &Call) -> Result<Number, Fault> {
        match self.arg(args, index, call)? {
            Value::Number(n) => Ok(n),
            other => Err(call.mismatch(self, args, index, "Number", &other)),
        }
    }

    /// An argument that must be a string.
    pub fn string(&mut self, args: &[Thunk], index: usize, call: &Call) -> Result<Text, Fault> {
        match self.arg(args, index, call)? {
            Value::String(s) => Ok(s),
            other => Err(call.mismatch(self, args, index, "String", &other)),
        }
    }

    /// An argument that must be a boolean.
    pub fn bool(&mut self, args: &[Thunk], index: usize, call: &Call) -> Result<bool, Fault> {
        match self.arg(args, index, call)? {
            Value::Bool(b) => Ok(b),
            other => Err(call.mismatch(self, args, index, "Bool", &other)),
        }
    }

    /// An argument that must be an array.
    pub fn array(&mut self, args: &[Thunk], index: usize, call: &Call) -> Result<Array, Fault> {
        match self.arg(args, index, call)? {
            Value::Array(a) => Ok(a),
            other => Err(call.mismatch(self, args, index, "Array", &other)),
        }
    }

    /// An argument that must be a record.
    pub fn record(&mut self, args: &[Thunk], index: usize, call: &Call) -> Result<Record, Fault> {
        match self.arg(args, index, call)? {
            Value::Record(r) => Ok(r),
            other => Err(call.mismatch(self, args, index, "Record", &other)),
        }
    }

    /// An argument that must be a function.
    pub fn function(&mut self, args: &[Thunk], index: usize, call: &Call) -> Result<Value, Fault> {
        match self.arg(args, index, call)? {
            f if f.is_function() => Ok(f),
            other => Err(call.mismatch(self, args, index, "Function", &other)),
        }
    }

    /// Calls a function whose result must be a boolean.
    pub fn call_bool(&mut self, f: &Value, args: &[Thunk], call: &Call) -> Result<bool, Fault> {
        match self.call(f, args, call)? {
            Value::Bool(b) => Ok(b),
            other => Err(Fault::new(ValueKind::Type {
                expected: Name::new("Bool"),
                found: Name::new(other.type_name()),
                needed_by: Name::from(format!("the result of a function given to `{}`", call.name)),
                span: call.span,
                operation: None,
            })),
        }
    }
}
