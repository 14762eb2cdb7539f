//! The types of the library tables.

use crate::infer::PartialCall;
use crate::value::native::Run;

/// A module of the library.
pub struct Module {
    /// Its path, as in an `import`: `golang/strings`. The empty path is the top level.
    pub path: &'static str,
    /// A description in one or two sentences.
    pub doc: &'static str,
    /// Its functions.
    pub functions: &'static [Function],
}

impl Module {
    /// Returns `true` if the module has a function.
    pub fn has(&self, function: &str) -> bool {
        self.functions.iter().any(|own| own.name == function)
    }
}

/// A function of the library.
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Its signature in the notation of the language, with variables `?1`.
    pub signature: &'static str,
    /// A description in a few sentences.
    pub doc: &'static str,
    /// The way in which its type is found.
    pub form: Form,
    /// The implementation. It gets as many arguments as the call has, unforced.
    pub run: Run,
}

/// The way in which the type of a function is found.
#[derive(Clone, Copy)]
pub enum Form {
    /// The signature is the type.
    Simple,
    /// After inference, each variable of the signature must be one of these types.
    Build(&'static [&'static str]),
    /// The signature depends on the call.
    Infer(fn(&PartialCall) -> Result<String, Refused>),
    /// An input of the program: an event, or a fact of the machine. Its value comes from outside, under `module.name`.
    Input,
}

/// The refusal of a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Refused {
    /// The reason.
    Message(String),
}
