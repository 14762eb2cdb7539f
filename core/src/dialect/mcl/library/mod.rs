//! The library of mcl.
//!
//! A function is a line in the table of its module ([`Module`]): its name, its signature, a description, its form
//! ([`Form`]: how its type is found), and its implementation. `modules.rs` lists the modules. The forms are those of mgmt's
//! function API. This is how to add a function of each form.
//!
//! **The signature is the type.** It may have variables, which each use of the function instantiates. In the table of
//! `strings.rs`:
//!
//! ```text
//! pure("to_lower", "func(s str) str", "Converts all letters to lower case.", to_lower),
//!
//! fn to_lower(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
//!     let lower = text(machine, args, 0, call)?.as_str().to_lowercase();
//!     of_text(machine, lower)
//! }
//! ```
//!
//! **The variables are restricted.** After unification, `Form::Build` requires that each variable of the signature is one of the
//! listed types. This is mgmt's `Build`, which filters the solutions. A variable that has no solution by then is ambiguous.
//! In the table of `math.rs`:
//!
//! ```text
//! Function { name: "mod", signature: "func(x ?1, y ?1) ?1", form: Form::Build(&["int", "float"]), .. }
//! ```
//!
//! **The signature depends on the call.** `Form::Infer` gets the facts about a call that are known before unification: the
//! number and types of the arguments, and the values of constant arguments ([`PartialCall`]). It returns the signature of this call, or
//! refuses the call with a reason. In `fmt.rs`, the codes of the format decide:
//!
//! ```text
//! Function { name: "printf", form: Form::Infer(signature), .. }
//!
//! signature(printf("%s is %d", …)) == Ok("func(str, str, int) str")
//! ```
//!
//! A function that reads the machine, or an event, is `Form::Input`: [`input!`](args::input) in the tables. Its value is
//! declared outside the program.

mod args;
mod convert;
mod datetime;
mod fmt;
mod go_math;
mod go_path;
mod go_strconv;
mod go_strings;
mod graph;
mod list;
mod machine;
mod math;
mod modules;
mod net;
mod own;
mod plain;
mod regexp;
mod strings;
mod table;
mod template;
#[cfg(test)]
mod tests;
mod top;

pub use own::{Body, Data, printed};
pub use table::{Form, Function, Module, Refused};

use super::lower::signature;
use crate::dialect::library;
use crate::infer::PartialCall;
use crate::term::rules::{FOR_ELEMENTS, FOR_ENTRIES};
use crate::term::{Number, Term};
use crate::text::{Name, Span};
use crate::ty::{Constraint, Instances, Scheme, Ty, VariableKind};
use crate::value::{Call, DataField, Fault, Machine, Native, Record, Revision, Thunk, Value};
use std::sync::Arc;

/// The library of mcl: the built-in modules, and those of a program that embeds the language.
pub struct Functions {
    own: &'static [&'static Module],
}

/// The built-in library.
pub static STD: Functions = Functions { own: &[] };

impl Functions {
    /// Makes a library with further modules. A module with the path of a built-in one replaces it.
    pub const fn with(own: &'static [&'static Module]) -> Functions {
        Functions { own }
    }

    /// Returns all modules; the top level is the one with the empty path.
    pub fn modules(&self) -> impl Iterator<Item = &'static Module> {
        let own = self.own;
        let is_own = move |path: &str| own.iter().any(|module| module.path == path);
        own.iter().chain(modules::MODULES.iter().filter(move |module| !is_own(module.path))).copied()
    }

    /// Returns the module with a path.
    pub fn module(&self, path: &str) -> Option<&'static Module> {
        self.modules().find(|module| module.path == path)
    }

    /// Returns a function of a module.
    pub fn function(&self, path: &str, name: &str) -> Option<&'static Function> {
        self.module(path)?.functions.iter().find(|function| function.name == name)
    }

    /// Returns the function at a path below the library.
    fn at(&self, path: &[&str]) -> Option<&'static Function> {
        match path {
            [name] => self.function("", name),
            [module, name] => self.function(module, name),
            _ => None,
        }
    }
}

impl library::Library for Functions {
    fn own(&self) -> Option<&dyn std::any::Any> {
        Some(self)
    }

    fn entry(&self, path: &[&str]) -> Option<library::LibraryEntry> {
        let of = |module: &'static Module| module.functions.iter().map(|f| f.name);
        Some(match path {
            [] => {
                let top = self.module("")?;
                let names = of(top).chain(self.modules().map(|m| m.path).filter(|path| !path.is_empty())).collect();
                library::LibraryEntry::Module(library::Module { doc: top.doc, names })
            }
            [name] if self.function("", name).is_none() => {
                let module = self.module(name).filter(|module| !module.path.is_empty())?;
                library::LibraryEntry::Module(library::Module { doc: module.doc, names: of(module).collect() })
            }
            path => {
                let function = self.at(path)?;
                let usage = Some(String::from(function.signature));
                library::LibraryEntry::Item(library::Item {
                    doc: function.doc,
                    ty: function.signature,
                    usage,
                    examples: &[],
                })
            }
        })
    }

    fn value(&self, _: &str, revision: Revision) -> library::LibraryValue {
        let field = |name: &'static str, value: Value| DataField::new(Name::new_static(name), Thunk::done(value));
        let of = |function: &'static Function| {
            field(function.name, Native::variadic(function.name, function.run).value_of(revision))
        };
        let mut fields = vec![
            field("%resources", Native::variadic("resources", graph::resources).value_of(revision)),
            field("%edges", Native::variadic("edges", graph::edges).value_of(revision)),
            field(FOR_ELEMENTS, Native::variadic("for", graph::of_elements).value_of(revision)),
            field(FOR_ENTRIES, Native::variadic("forkv", graph::of_entries).value_of(revision)),
        ];
        for module in self.modules() {
            let functions = module.functions.iter().map(of);
            if module.path.is_empty() {
                fields.extend(functions);
            } else {
                fields.push(field(module.path, Value::Record(Record::from_data(functions.collect::<Vec<_>>()))));
            }
        }
        library::LibraryValue(Value::Record(Record::from_data(fields)))
    }

    fn signature(&self, _: &[&str], item: &library::Item) -> Arc<Term> {
        Arc::new(signature::signature(item.ty))
    }

    fn scheme(&self, path: &[&str], scheme: Scheme) -> Scheme {
        // a signature with variables becomes a scheme
        let scheme = match &*scheme.ty {
            Ty::Forall(inner) if scheme.vars.is_empty() => Scheme::clone(inner),
            _ => scheme,
        };
        let Some(Function { form: Form::Build(types), name, .. }) = self.at(path) else { return scheme };
        let allowed = types.iter().fold(Instances::default(), |all, ty| all.or(instance(ty)));
        let nowhere = Span::new(library::SOURCE, 0, 0);
        let constraints =
            scheme.vars.iter().enumerate().filter(|(_, kind)| **kind == VariableKind::Type).map(|(index, _)| {
                let ty = Ty::Var(crate::ty::Generic { up: 0, index: index as u32 }).into();
                Constraint::Instance { ty, allowed, operator: Name::new_static(name), span: nowhere }
            });
        Scheme { constraints: constraints.collect(), ..scheme }
    }

    fn call(&self, path: &[&str], call: &PartialCall) -> Option<Result<String, Name>> {
        let Some(Function { form: Form::Infer(infer), .. }) = self.at(path) else { return None };
        Some(infer(call).map_err(|Refused::Message(why)| Name::from(why)))
    }

    fn parse(&self, signature: &str) -> Option<Arc<Term>> {
        Some(Arc::new(signature::signature(signature)))
    }
}

/// Returns the value of an input of the program, which comes from outside: `datetime.now`. If the function has
/// arguments, it looks for `os.readfile("/etc/hosts")` first, then for `os.readfile`.
fn input(machine: &mut Machine, name: &'static str, args: &[Thunk], call: &Call) -> Result<Value, Fault> {
    let mut names = vec![Name::new_static(name)];
    if !args.is_empty() {
        let mut written = Vec::with_capacity(args.len());
        for arg in args {
            written.push(match plain::Plain::of(machine, arg, call)? {
                plain::Plain::Text(text) => format!("{:?}", text.as_str()),
                other => other.printed(),
            });
        }
        names.insert(0, Name::from(format!("{name}({})", written.join(", "))));
    }
    match names.iter().find_map(|name| machine.external(call.revision, name)) {
        Some(thunk) => {
            let value = machine.force(&thunk)?;
            of_declared(name, value).map_err(|wanted| call.fault(format!("the input `{}` must be {wanted}", names[0])))
        }
        None => Err(call.fault(format!("the input `{}` has no value: it is not declared", names[0]))),
    }
}

/// Converts the value of an input (named `module.function`) to the declared type: values from outside do not distinguish
/// ints from floats. The error is the expected type.
fn of_declared(name: &str, value: Value) -> Result<Value, &'static str> {
    let (module, function_name) = name.rsplit_once('.').unwrap_or(("", name));
    let signature = STD.function(module, function_name).map_or("", |function| function.signature);
    let wanted = signature.rsplit_once(')').map_or("", |(_, result)| result.trim());
    match (wanted, &value) {
        ("int", Value::Number(n)) => n.to_i64().map(|n| Value::Number(Number::Int(n))).ok_or(wanted),
        ("float", Value::Number(n)) => Ok(Value::Number(Number::Double(n.to_f64()))),
        ("str", Value::String(_)) | ("bool", Value::Bool(_)) => Ok(value),
        ("int" | "float" | "str" | "bool", _) => Err(wanted),
        _ => Ok(value),
    }
}

/// Returns the set with a type.
fn instance(ty: &str) -> Instances {
    match ty {
        "bool" => Instances::BOOL,
        "str" => Instances::STR,
        "int" => Instances::INT,
        "float" => Instances::FLOAT,
        "list" => Instances::LIST,
        "map" => Instances::MAP,
        "struct" => Instances::STRUCT,
        _ => Instances::default(),
    }
}
