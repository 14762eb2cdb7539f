//! `:schema file`

use super::unknown::repeated;
use super::{Argument, Command, Effect, Line};
use crate::dialect::{Dialect, data};
use crate::problem::Severity;
use crate::session::load::unquote;
use crate::session::{Event, Session};
use crate::state::files::Form;
use std::path::Path;

pub const COMMAND: Command = Command {
    name: "schema",
    aliases: &[],
    usage: ":schema FILE",
    summary: "binds a JSON Schema, or the schema of a Kubernetes resource, as a contract",
    argument: Argument::File,
    effect: Effect::Define,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let path = unquote(line.argument());
    if path.is_empty() {
        return session.misused(line.dialect, "`:schema` needs a file", &COMMAND);
    }
    if path.contains("://") {
        return session.misused(line.dialect, "`:schema` takes a file: save the schema in one first", &COMMAND);
    }
    if path.starts_with(['{', '[']) {
        return session.misused(line.dialect, "`:schema` takes a file: save this text in one first", &COMMAND);
    }
    let words: Vec<&str> = path.split_whitespace().collect();
    let is_file = |word: &str| session.languages().of_path(Path::new(word)).is_some();
    if words.len() > 1
        && session.world.loader.canonical(Path::new(path)).is_err()
        && !words.iter().any(|word| is_file(word))
    {
        return session.misused(line.dialect, "`:schema` takes one file", &COMMAND);
    }
    if let [first, second, ..] = words.as_slice()
        && session.world.loader.canonical(Path::new(path)).is_err()
        && repeated(first).is_some()
        && repeated(second).is_some()
    {
        let (schema, document) = if second.contains("schema") { (second, first) } else { (first, second) };
        let name = name_of(Path::new(schema));
        let why = format!(
            "`:schema` takes one file, and binds it as the contract `{name}`; `:load` reads the document `{}`",
            repeated(document).unwrap_or("…")
        );
        return session.misused_for(line.dialect, &why, &COMMAND, Some(format!(":schema {schema}")));
    }
    // read first, so that words that are no file, and may hold a secret, are not shown as a program
    let mut events = session.look_for_missing(line.dialect, &[]);
    session.world.before_inputs_change();
    let schema = Dialect(&data::SCHEMA);
    let found = session.world.find(Path::new(path), Form::Text, None);
    let read = found.and_then(|_| session.world.find(Path::new(path), Form::Program(schema), None));
    let problems = match read {
        Ok(file) => file.problems.clone(),
        Err(mut problem) => {
            session.find_similar(Path::new(path), &mut problem);
            vec![problem]
        }
    };
    let wrong = problems.iter().any(|problem| problem.severity == Severity::Error);
    match problems.as_slice() {
        [problem]
            if wrong
                && problem.code() == "data/schema"
                && session.described(line.dialect, problem).message.contains("none of its keys") =>
        {
            let advice = format!("`:load {path}` binds the fields of a file that is not a schema");
            let report = session.report_advised(line.dialect, problem, advice);
            events.push(Event::Diagnostic { severity: problem.severity, report, rich: None });
        }
        problems => events.extend(session.diagnostics(line.dialect, problems)),
    }
    if wrong {
        return events;
    }
    let quoted = path.replace('\\', "\\\\").replace('"', "\\\"").replace("%{", "\\%{");
    let input = format!("{} = import \"{quoted}\" as 'Schema", name_of(Path::new(path)));
    events.extend(session.cell(session.languages().standard(), &input));
    events
}

/// Returns the name of the contract: that of the file, with a capital letter, without what a name cannot have.
fn name_of(path: &Path) -> String {
    let stem = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let stem = stem.split('.').find(|part| !part.is_empty()).unwrap_or_default();
    let mut name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert_str(0, "Schema");
    }
    name.get(..1).map(str::to_ascii_uppercase).unwrap_or_default() + name.get(1..).unwrap_or_default()
}
