//! The types of the library tables.

use super::own::{self, Body};
use crate::infer::PartialCall;
use crate::value::native::Run;

/// A module of the library.
pub struct Module {
    /// Its path, as in an `import`: `golang/strings`. The empty path is the top level.
    pub(crate) path: &'static str,
    /// A description in one or two sentences.
    pub(crate) doc: &'static str,
    /// Its functions.
    pub(crate) functions: &'static [Function],
}

impl Module {
    /// Makes a module. The path is that of an `import`: `golang/strings`.
    pub const fn new(path: &'static str, doc: &'static str, functions: &'static [Function]) -> Module {
        Module { path, doc, functions }
    }

    /// Returns `true` if the module has a function.
    pub fn has(&self, function: &str) -> bool {
        self.functions.iter().any(|own| own.name == function)
    }
}

/// A function of the library.
pub struct Function {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its signature in the notation of the language, with variables `?1`.
    pub(crate) signature: &'static str,
    /// A description in a few sentences.
    pub(crate) doc: &'static str,
    /// The way in which its type is found.
    pub(crate) form: Form,
    /// The implementation. It gets as many arguments as the call has, unforced.
    pub(crate) run: Run,
}

impl Function {
    /// Makes a function whose signature is its type: `func(str, int) []str`. It may have variables: `func([]?1) ?1`.
    pub const fn simple<B: Body>(name: &'static str, signature: &'static str, doc: &'static str) -> Function {
        Function::of::<B>(name, signature, doc, Form::Simple)
    }

    /// Makes a function whose type has one of the given types in place of each variable: `func(?1, ?1) ?1`, with `int` or `float`. The
    /// types are `bool`, `str`, `int`, `float`, `list`, `map` and `struct`.
    pub const fn built<B: Body>(
        name: &'static str,
        signature: &'static str,
        types: &'static [&'static str],
        doc: &'static str,
    ) -> Function {
        Function::of::<B>(name, signature, doc, Form::Build(types))
    }

    /// Makes a function whose signature depends on the call. `infer` gets what is known about the arguments before unification, and returns
    /// the signature of this call. `signature` is for documentation.
    pub const fn inferred<B: Body>(
        name: &'static str,
        signature: &'static str,
        infer: fn(&PartialCall) -> Result<String, Refused>,
        doc: &'static str,
    ) -> Function {
        Function::of::<B>(name, signature, doc, Form::Infer(infer))
    }

    const fn of<B: Body>(name: &'static str, signature: &'static str, doc: &'static str, form: Form) -> Function {
        Function { name, signature, doc, form, run: own::run::<B> }
    }
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
