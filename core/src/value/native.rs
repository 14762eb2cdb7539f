//! Library functions: Rust functions as values.

use super::{Array, Fault, Machine, Record, Revision, Text, Thunk, Value};
use crate::problem::parameter_list;
use crate::problem::value::ValueKind;
use crate::term::Number;
use crate::text::{Name, Span};

/// A library function. `run` gets exactly `arity` arguments, unforced.
#[derive(Clone, Copy)]
pub struct Native {
    /// The name in messages: `std.array.map`.
    pub name: &'static str,
    /// The number of arguments; at least 1 for a curried function. [`VARIADIC`] for any number, all at once.
    pub arity: u8,
    /// The parameters, for a function that takes all arguments at once, by position or by name (object languages). Their number
    /// is `arity`. `None` for a curried function with positional arguments (cfg).
    pub params: Option<&'static [Parameter]>,
    /// The library that it belongs to, if messages name its parameters.
    pub signatures: Option<&'static Signatures>,
    /// The implementation.
    pub run: Run,
}

/// A library whose functions take all arguments at once, for messages about arguments that do not fit.
pub struct Signatures {
    /// The name of the library in programs: `std`.
    pub library: &'static str,
    /// Returns the kinds of values that a function accepts at a position, which counts from 0. Empty if it accepts any value.
    pub kinds: fn(function: &str, place: usize) -> &'static [&'static str],
}

/// The arity of a function that takes any number of arguments, all at once.
pub const VARIADIC: u8 = u8::MAX;

/// The implementation of a library function. It gets one argument for each parameter.
pub type Run = fn(&mut Machine, &[Thunk], &Call) -> Result<Value, Fault>;

/// A parameter of a library function that takes all arguments at once.
#[derive(Clone, Copy)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// Makes the default value; `None` if the argument is required.
    pub default: Option<fn() -> Thunk>,
}

impl Parameter {
    /// Makes a required parameter.
    pub const fn required(name: &'static str) -> Parameter {
        Parameter { name, default: None }
    }

    /// Makes a parameter with a default.
    pub const fn optional(name: &'static str, default: fn() -> Thunk) -> Parameter {
        Parameter { name, default: Some(default) }
    }
}

/// A library function with the arguments that were applied so far.
pub struct Partial {
    /// The function.
    pub native: Native,
    /// The arguments, fewer than the arity.
    pub args: Vec<Thunk>,
    /// The revision of the program that read the function from its library.
    pub revision: Revision,
}

/// A call of a library function, for messages and for reads from the session.
#[derive(Clone, Copy, Default)]
pub struct Call {
    /// The span of the application, if it is written in a program.
    pub span: Option<Span>,
    /// The name of the called library function.
    pub name: &'static str,
    /// The spans of the first arguments, if they are written in this application.
    pub places: [Option<Span>; 3],
    /// The revision of the program that read the function from its library.
    pub revision: Revision,
}

impl Call {
    /// Makes a call at a span.
    pub fn at(span: Span) -> Call {
        Call { span: Some(span), ..Call::default() }
    }

    /// Makes a fault of this call. `message` is a sentence without a full stop ("index 3 is out of bounds").
    pub fn fault(&self, message: impl Into<Name>) -> Fault {
        let message: Name = message.into();
        let message = if self.name.is_empty() { message } else { Name::from(format!("{}: {message}", self.name)) };
        Fault::undefined(message, self.span)
    }

    /// Makes the fault of an argument of the wrong type. `index` counts from 0.
    pub fn mismatch(
        &self,
        machine: &mut Machine,
        args: &[Thunk],
        index: usize,
        expected: &str,
        found: &Value,
    ) -> Fault {
        if let Value::Sealed(sealed) = found {
            return machine.inspected_sealed(sealed);
        }
        // a function of an operator or a directive has a name that no program can write
        let needed_by = match (self.name.starts_with('_'), args.len()) {
            (false, _) => format!("argument {} of `{}`", index + 1, self.name),
            (true, 1) => String::from("the operand"),
            (true, _) => format!("operand {}", index + 1),
        };
        Fault::new(ValueKind::Type {
            expected: Name::new(expected),
            found: Name::new(found.type_name()),
            needed_by: Name::from(needed_by),
            span: args.get(index).and_then(|a| machine.place(a)).or(self.places.get(index).copied().flatten()),
            operation: self.span,
        })
    }
}

impl Native {
    /// Makes a function that takes one argument after the other (cfg).
    pub const fn curried(name: &'static str, arity: u8, run: Run) -> Native {
        Native { name, arity, params: None, signatures: None, run }
    }

    /// Makes a function that takes any number of arguments, all at once (mcl).
    pub const fn variadic(name: &'static str, run: Run) -> Native {
        Native { name, arity: VARIADIC, params: None, signatures: None, run }
    }

    /// Makes a function that takes all arguments at once (object languages). At most 255 parameters.
    pub const fn named(name: &'static str, params: &'static [Parameter], run: Run) -> Native {
        Native { name, arity: params.len() as u8, params: Some(params), signatures: None, run }
    }

    /// Adds the library that the function belongs to.
    pub const fn of(self, signatures: &'static Signatures) -> Native {
        Native { signatures: Some(signatures), ..self }
    }

    /// Returns the call of the function as it is written, with the names of its parameters: `std.get(o, f, default=…)`.
    pub fn usage(&self) -> String {
        let name = match self.signatures {
            Some(signatures) => format!("{}.{}", signatures.library, self.name),
            None => String::from(self.name),
        };
        let params = self.params.unwrap_or(&[]).iter();
        format!("{name}{}", parameter_list(params.map(|param| (param.name, param.default.is_some()))))
    }

    /// Returns the function as a value.
    pub fn value(self) -> Value {
        self.value_of(Revision::default())
    }

    /// Returns the function as a value that reads the session's state of a revision.
    pub fn value_of(self, revision: Revision) -> Value {
        Value::Native(std::rc::Rc::new(Partial { native: self, args: Vec::new(), revision }))
    }
}

/// Arguments by type. Each method forces argument `index` (from 0), and fails with the names of function and argument
/// if it has another type.
impl Machine {
    /// Forces an argument.
    pub fn arg(&mut self, args: &[Thunk], index: usize, call: &Call) -> Result<Value, Fault> {
        match args.get(index) {
            Some(thunk) => self.force(thunk),
            None => Err(call.fault("an argument is missing")),
        }
    }

    /// Forces an argument that must be a number.
    pub fn number(&mut self, args: &[Thunk], index: usize, call: &Call) -> Result<Number, Fault> {
        match self.arg(args, index, call)? {
            Value::Number(n) => Ok(n),
            other => Err(call.mismatch(self, args, index, "Number", &other)),
        }
    }

    /// Forces an argument that must be a string.
    pub fn string(&mut self, args: &[Thunk], index: usize, call: &Call) -> Result<Text, Fault> {
        match self.arg(args, index, call)? {
            Value::String(s) => self.read(s),
            other => Err(call.mismatch(self, args, index, "String", &other)),
        }
    }

    /// Forces an argument that must be a boolean.
    pub fn bool(&mut self, args: &[Thunk], index: usize, call: &Call) -> Result<bool, Fault> {
        match self.arg(args, index, call)? {
            Value::Bool(b) => Ok(b),
            other => Err(call.mismatch(self, args, index, "Bool", &other)),
        }
    }

    /// Forces an argument that must be an array.
    pub fn array(&mut self, args: &[Thunk], index: usize, call: &Call) -> Result<Array, Fault> {
        match self.arg(args, index, call)? {
            Value::Array(a) => Ok(a),
            other => Err(call.mismatch(self, args, index, "Array", &other)),
        }
    }

    /// Forces an argument that must be a record.
    pub fn record(&mut self, args: &[Thunk], index: usize, call: &Call) -> Result<Record, Fault> {
        match self.arg(args, index, call)? {
            Value::Record(r) => Ok(r),
            other => Err(call.mismatch(self, args, index, "Record", &other)),
        }
    }

    /// Forces an argument that must be a function.
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
