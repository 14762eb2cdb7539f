//! The module `golang` and its `template`: Go's `text/template`, as far as it is pure.
//!
//! All actions and all predefined functions are implemented, except `call`. The functions of the library whose types have
//! no variables can be called too, as `golang_strings_to_upper`.

mod builtin;
mod format;
mod parse;
mod run;

use super::args::{Answer, of_text, text};
use super::plain::Plain;
use super::table::{Form, Function, Module, Refused};
use crate::infer::PartialCall;
use crate::value::{Call, Machine, Thunk};

/// The module `golang`.
pub static MODULE: Module = Module {
    path: "golang",
    doc: "Text templates as in Go.",
    functions: &[Function {
        name: "template",
        signature: "func(template str, data ?1) str",
        doc: "Fills a template of Go's `text/template` with data: `{{ .name }}`, `{{ range . }}`, `{{ if . }}`, `{{ with . }}`, \
              pipelines and `printf`. Fields of structs and keys of maps are read with a dot.",
        form: Form::Infer(signature),
        run: template,
    }],
};

fn signature(call: &PartialCall) -> Result<String, Refused> {
    match call.types.len() {
        1 => Ok(String::from("func(template str) str")),
        2 => Ok(String::from("func(template str, data ?1) str")),
        count => Err(Refused::Message(format!("`template` has 1 or 2 arguments, found {count}"))),
    }
}

fn template(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let source = text(machine, args, 0, call)?;
    let parsed = parse::parse(source.as_str()).map_err(|error| {
        call.fault(format!("the template cannot be parsed, line {}: {}", error.line, error.message))
    })?;
    let data = match args.get(1) {
        Some(data) => Plain::of(machine, data, call)?,
        None => Plain::Missing,
    };
    let out = run::run(machine, call, &parsed, data)?;
    of_text(machine, out)
}
