//! `:schema file`

use super::{Argument, Command, Effect, Line};
use crate::session::load::unquote;
use crate::session::{Event, Session};
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
    let quoted = path.replace('\\', "\\\\").replace('"', "\\\"").replace("%{", "\\%{");
    let input = format!("{} = import \"{quoted}\" as 'Schema", name_of(Path::new(path)));
    session.cell(session.languages().standard(), &input)
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
