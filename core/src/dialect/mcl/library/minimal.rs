//! The functions that the language itself needs.

use super::table::{Form, Function, Module, Refused};
use crate::infer::{Constant, PartialCall};
use crate::term::Number;
use crate::value::{Call, Fault, Machine, Thunk, Value};
use std::fmt::Write;

/// The modules.
pub static MODULES: &[&Module] = &[&TOP, &FMT, &MATH, &DATETIME];

static DATETIME: Module = Module {
    path: "datetime",
    doc: "The clock, as an input.",
    functions: &[Function {
        name: "now",
        signature: "func() int",
        doc: "The seconds since 1970: the input `datetime.now`.",
        form: Form::Input,
        run: |machine, _, call| super::input(machine, "datetime.now", call),
    }],
};

static TOP: Module = Module {
    path: "",
    doc: "The functions that need no import.",
    functions: &[
        Function {
            name: "len",
            signature: "func(?1) int",
            doc: "The number of bytes of a string, of elements of a list, or of entries of a map.",
            form: Form::Build(&["str", "list", "map"]),
            run: len,
        },
        Function {
            name: "concat",
            signature: "func(str, str) str",
            doc: "Both strings, one after the other.",
            form: Form::Simple,
            run: concat,
        },
    ],
};

static FMT: Module = Module {
    path: "fmt",
    doc: "Formatting.",
    functions: &[Function {
        name: "printf",
        signature: "func(str) str",
        doc: "Formats values. The format decides the number of further arguments and their types.",
        form: Form::Infer(printf_signature),
        run: printf,
    }],
};

static MATH: Module = Module {
    path: "math",
    doc: "Numbers.",
    functions: &[Function {
        name: "mod",
        signature: "func(?1, ?1) ?1",
        doc: "The remainder of a division.",
        form: Form::Build(&["int", "float"]),
        run: modulo,
    }],
};

fn len(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Value, Fault> {
    let count = match machine.arg(args, 0, call)? {
        Value::String(text) => text.len(),
        Value::Array(items) => items.len(),
        Value::Map(map) => map.len(),
        _ => 0,
    };
    Ok(Value::from(count))
}

fn concat(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Value, Fault> {
    let (a, b) = (machine.string(args, 0, call)?, machine.string(args, 1, call)?);
    machine.charge(a.len().saturating_add(b.len()))?;
    Ok(Value::String(a.concat(&b)))
}

fn modulo(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Value, Fault> {
    match (machine.number(args, 0, call)?, machine.number(args, 1, call)?) {
        (Number::Int(_), Number::Int(0)) => Err(call.fault("division by zero")),
        (Number::Int(a), Number::Int(b)) => Ok(Value::Number(Number::Int(a.wrapping_rem(b)))),
        (a, b) => Ok(Value::Number(Number::Double(a.to_f64() % b.to_f64()))),
    }
}

/// Returns the verbs of a format, in order.
fn verbs(format: &str) -> Result<Vec<char>, String> {
    let mut out = Vec::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            continue;
        }
        match chars.next() {
            Some('%') => {}
            Some(verb @ ('s' | 'd' | 'f' | 't' | 'v' | 'c')) => out.push(verb),
            Some(other) => return Err(format!("`%{other}` is not a verb of a format")),
            None => return Err(String::from("the format ends with `%`")),
        }
    }
    Ok(out)
}

fn printf_signature(call: &PartialCall) -> Result<String, Refused> {
    let Some(Some(Constant::Str(format))) = call.constants.first() else {
        return Err(Refused::Message(String::from("the format must be a constant")));
    };
    let mut signature = String::from("func(str");
    for (i, verb) in verbs(format).map_err(Refused::Message)?.into_iter().enumerate() {
        signature.push_str(match verb {
            's' => ", str",
            'd' => ", int",
            'f' => ", float",
            't' => ", bool",
            'c' => ", int",
            _ => ", ",
        });
        if verb == 'v' {
            let _ = write!(signature, "?{}", i + 1);
        }
    }
    signature.push_str(") str");
    Ok(signature)
}

fn printf(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Value, Fault> {
    let format = machine.string(args, 0, call)?;
    let mut out = String::with_capacity(format.len());
    let mut chars = format.as_str().chars();
    let mut next = 1;
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('%') => out.push('%'),
            Some(_) => {
                let value = machine.arg(args, next, call)?;
                if let Some(thunk) = args.get(next) {
                    machine.force_deep(thunk)?;
                }
                write_value(&value, &mut out);
                next += 1;
            }
            None => out.push('%'),
        }
    }
    machine.charge(out.len())?;
    Ok(Value::string(out))
}

/// Writes a forced value as `%v` does.
fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => out.push_str(text.as_str()),
        Value::Number(Number::Double(n)) => {
            let _ = write!(out, "{n}");
        }
        other => out.push_str(&crate::value::map::key_text(other)),
    }
}
