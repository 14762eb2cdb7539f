//! The functions directly in `std`, in Rust.

use super::{Answer, choice};
use crate::dialect::background::{LARGE, discard, in_background};
use crate::dialect::{Dialect, Stop, data};
use crate::problem::report::Report;
use crate::problem::value::ValueKind;
use crate::problem::{ProblemKind, Severity};
use crate::text::{SourceId, Sources, Span};
use crate::value::manifest::{ManifestFormat, manifest};
use crate::value::{Budget, Call, Contract, Fault, Machine, Thunk, Value};

pub use super::string::from as to_string;

/// Returns the tag of a value's kind for `std.typeof`.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Number(_) => "Number",
        Value::Bool(_) => "Bool",
        Value::String(_) => "String",
        Value::Tag(_) | Value::Variant(..) => "Enum",
        Value::Array(_) => "Array",
        Value::Record(_) => "Record",
        Value::Label(_) => "Label",
        Value::Contract(contract) => match &**contract {
            Contract::Form(..) => "Type",
            _ => "CustomContract",
        },
        Value::Null | Value::Sealed(_) => "Other",
        _ => "Function",
    }
}

/// Returns the first argument for inspection. A sealed value cannot be inspected.
fn inspected_argument(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    match machine.arg(args, 0, call)? {
        Value::Sealed(sealed) => Err(machine.inspected_sealed(&sealed)),
        value => Ok(value),
    }
}

pub fn typeof_(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    inspected_argument(machine, args, call).map(|value| Value::tag(kind(&value)))
}

pub fn cast(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    inspected_argument(machine, args, call).map(|value| Value::variant(kind(&value), Thunk::done(value)))
}

fn is(machine: &mut Machine, args: &[Thunk], wanted: &str, call: &Call) -> Answer {
    inspected_argument(machine, args, call).map(|value| Value::Bool(kind(&value) == wanted))
}

pub fn is_array(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    is(machine, args, "Array", call)
}

pub fn is_bool(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    is(machine, args, "Bool", call)
}

pub fn is_enum(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    is(machine, args, "Enum", call)
}

pub fn is_function(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    is(machine, args, "Function", call)
}

pub fn is_number(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    is(machine, args, "Number", call)
}

pub fn is_record(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    is(machine, args, "Record", call)
}

pub fn is_string(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    is(machine, args, "String", call)
}

pub fn seq(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.arg(args, 0, call)?;
    machine.arg(args, 1, call)
}

pub fn deep_seq(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    if let Some(first) = args.first() {
        machine.force_deep(first)?;
    }
    machine.arg(args, 1, call)
}

pub fn trace(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let message = machine.string(args, 0, call)?;
    let secret = args.first().is_some_and(|thunk| thunk.secret().is_some());
    machine.trace(if secret { crate::text::MASK } else { &message });
    machine.arg(args, 1, call)
}

pub fn fail_with(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let message = machine.string(args, 0, call)?.name();
    Err(Fault::new(ValueKind::Failed { message, span: call.span }))
}

pub fn hash(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    use sha2::Digest;
    let algorithm = choice(machine, args, 0, &["Md5", "Sha1", "Sha256", "Sha512"], call)?;
    let text = machine.string(args, 1, call)?;
    let bytes = text.as_bytes();
    Ok(Value::string(match algorithm {
        0 => hexadecimal(&md5::Md5::digest(bytes)),
        1 => hexadecimal(&sha1::Sha1::digest(bytes)),
        2 => hexadecimal(&sha2::Sha256::digest(bytes)),
        _ => hexadecimal(&sha2::Sha512::digest(bytes)),
    }))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

const FORMATS: [&str; 4] = ["Json", "Toml", "Yaml", "YamlDocuments"];

pub fn serialize(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let format = match choice(machine, args, 0, &FORMATS, call)? {
        0 => ManifestFormat::Json,
        1 => ManifestFormat::Toml,
        2 => ManifestFormat::Yaml,
        _ => ManifestFormat::YamlDocuments,
    };
    let Some(value) = args.get(1) else { return Err(call.fault("an argument is missing")) };
    // force first: errors inside the value keep their trace, and deep values do not recurse
    machine.force_deep(value)?;
    let datum = machine.datum(value, Budget::ALL);
    let interrupt = machine.interrupt();
    let stop = Stop::on(&interrupt);
    if stop.is_asked() {
        discard(datum);
        return Err(machine.stopped());
    }
    let text = if datum.is_small() {
        manifest(&datum, format)
    } else {
        let Some(text) = in_background(stop, move |_| manifest(&datum, format)) else {
            return Err(machine.stopped());
        };
        text
    };
    text.map(Value::string).map_err(|problem| match problem.kind {
        ProblemKind::Value(_) => Fault::of(problem),
        _ => {
            let report = Report::of(&problem, Dialect::CFG.notation());
            let place = report.notes.last().map(|note| format!(", {note}")).unwrap_or_default();
            call.fault(format!("{}{place}", report.message))
        }
    })
}

pub fn deserialize(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let format = choice(machine, args, 0, &FORMATS, call)?;
    let text = machine.string(args, 1, call)?;
    // a value has a thunk, and a node of the tree that is read
    machine.charge_new_elements(text.matches([',', '\n', '[', '{']).count().saturating_mul(4))?;
    let name = match format {
        0 => "JSON",
        1 => "TOML",
        _ => "YAML",
    };
    // the text is not in any file
    let source = SourceId(u32::MAX - 1);
    let interrupt = machine.interrupt();
    let stop = Stop::on(&interrupt);
    let read = move |text: &str, stop: Stop<'_>| match format {
        0 => data::json(source, text, stop),
        1 => data::toml(source, text, stop),
        2 => data::yaml(source, text, stop),
        _ => data::yaml_documents(source, text, stop),
    };
    let program = if text.len() < LARGE {
        Some(read(&text, stop))
    } else {
        let given = text.name();
        in_background(stop, move |stop| read(&given, stop))
    };
    let Some(program) = program.filter(|_| !stop.is_asked()) else {
        return Err(machine.stopped());
    };
    if let Some(problem) = program.problems.iter().find(|p| p.severity == Severity::Error) {
        let report = Report::of(problem, Dialect::CFG.notation());
        let mut message = format!("invalid {name}: {}", report.message);
        if let Some(span) = problem.span() {
            let mut sources = Sources::default();
            let source = sources.add("line", &*text);
            message.push_str(&format!(" at {}", sources.locate(Span { source, ..span })));
        }
        return Err(call.fault(message));
    }
    let thunk = machine.thunk(&program.term);
    machine.force(&thunk)
}
