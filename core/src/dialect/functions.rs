//! Functions that a program adds to mcl.
//!
//! The type of a function is found in one of three ways. Its signature is the type; or the variables of its signature are restricted to some
//! types, which is checked after unification; or its signature depends on the call.
//!
//! ```
//! use cfg_core::language::Language;
//! use cfg_core::functions::{Body, Constant, Data, Function, Functions, Module, PartialCall, Refused, language, printed};
//! use cfg_core::{Dialect, Event, Languages, NoLoader, Session};
//!
//! // The signature is the type. `?1` is any type, the same one at both places.
//! struct Last;
//! impl Body for Last {
//!     fn run(args: &[Data]) -> Result<Data, String> {
//!         match args {
//!             [Data::List(items)] => items.last().cloned().ok_or_else(|| "the list is empty".into()),
//!             _ => Err("expected a list".into()),
//!         }
//!     }
//! }
//!
//! // After unification, `?1` must be `int` or `float`.
//! struct Double;
//! impl Body for Double {
//!     fn run(args: &[Data]) -> Result<Data, String> {
//!         Ok(match args {
//!             [Data::Int(i)] => Data::Int(i.checked_mul(2).ok_or("integer overflow")?),
//!             [Data::Float(f)] => Data::Float(f * 2.0),
//!             _ => return Err("expected a number".into()),
//!         })
//!     }
//! }
//!
//! // The signature depends on the call: `pick("first", 1, "a")` is an int.
//! struct Pick;
//! impl Body for Pick {
//!     fn run(args: &[Data]) -> Result<Data, String> {
//!         let [Data::Str(which), first, second] = args else { return Err("expected three arguments".into()) };
//!         Ok(if which == "first" { first.clone() } else { second.clone() })
//!     }
//! }
//! fn pick(call: &PartialCall) -> Result<String, Refused> {
//!     let refused = |why: &str| Err(Refused::Message(why.into()));
//!     if call.types.len() != 3 {
//!         return refused("`pick` takes three arguments");
//!     }
//!     // the types of the arguments that are known already
//!     let ty = |index: usize| printed(call, index).unwrap_or(format!("?{index}"));
//!     match &call.constants[0] {
//!         Some(Constant::Str(which)) if which == "first" => Ok(format!("func(str, {0}, {1}) {0}", ty(1), ty(2))),
//!         Some(Constant::Str(which)) if which == "second" => Ok(format!("func(str, {0}, {1}) {1}", ty(1), ty(2))),
//!         _ => refused("the first argument must be the constant \"first\" or \"second\""),
//!     }
//! }
//!
//! static MINE: Module = Module::new(
//!     "my/own",
//!     "Functions of this program.",
//!     &[
//!         Function::simple::<Last>("last", "func(list []?1) ?1", "Returns the last element."),
//!         Function::built::<Double>("double", "func(n ?1) ?1", &["int", "float"], "Returns twice the number."),
//!         Function::inferred::<Pick>("pick", "func(which str, first ?1, second ?2) ?3", pick, "Returns a value."),
//!     ],
//! );
//! static LIBRARY: Functions = Functions::with(&[&MINE]);
//! static MCL: Language = language(&LIBRARY);
//! static LANGUAGES: [Dialect; 2] = [Dialect(&MCL), Dialect::YAML];
//!
//! let mut session = Session::with_languages(Languages::of(&LANGUAGES).expect("two languages"), Box::new(NoLoader));
//! session.submit("import \"my/own\"");
//! let mut answer = |text: &str| match session.submit(text).as_slice() {
//!     [Event::Value { value, ty, .. }] => format!("{} : {}", value.text(), ty.text()),
//!     [Event::Diagnostic { report, .. }, ..] => report.text().lines().next().unwrap_or_default().to_string(),
//!     other => format!("{other:?}"),
//! };
//! assert_eq!(answer("own.last([1, 2,])"), "2 : int");
//! assert_eq!(answer("own.last([[true,],])"), "[true,] : []bool");
//! assert_eq!(answer("own.double(2.5)"), "5.0 : float");
//! assert_eq!(answer("own.double(\"a\")"), "error: `double` does not work on str [types/no-instance]");
//! assert_eq!(answer("own.pick(\"second\", 1, \"b\") + \"!\""), "\"b!\" : str");
//! assert!(answer("own.pick(\"third\", 1, 2)").starts_with("error: "));
//! ```

pub use super::mcl::language;
pub use super::mcl::library::{Body, Data, Form, Function, Functions, Module, Refused, printed};
pub use crate::infer::{Constant, PartialCall};
