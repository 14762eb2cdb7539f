//! `:load file`

use super::unknown::repeated;
use super::{Argument, Command, Effect, Line};
use crate::session::load::unquote;
use crate::session::{Event, Session};
use std::path::Path;

pub const COMMAND: Command = Command {
    name: "load",
    aliases: &[],
    usage: ":load FILE",
    summary: "binds the top-level fields of a file; if the file is not a record, its value becomes `it`",
    argument: Argument::File,
    effect: Effect::Define,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let path = unquote(line.argument());
    if path.is_empty() {
        return session.misused(line.dialect, "`:load` needs a file", &COMMAND);
    }
    let words: Vec<&str> = path.split_whitespace().collect();
    let is_file = |word: &&str| session.languages().of_path(Path::new(word)).is_some();
    if session.world.loader.canonical(Path::new(path)).is_err() {
        let file = path.split_once('=').map(|(_, file)| file.trim()).and_then(repeated);
        let fault = if path.contains("://") {
            Some((String::from("`:load` reads files, and this is an address"), None))
        } else if path.contains(['*', '?']) {
            Some((String::from("`:load` takes one file: it does not expand patterns"), None))
        } else {
            file.map(|file| {
                let why = "`:load` takes a file alone: it binds the fields of the file by their own names";
                (String::from(why), Some(format!(":load {file}")))
            })
        };
        if let Some((why, meant)) = fault {
            return session.misused_for(line.dialect, &why, &COMMAND, meant);
        }
    }
    if let [first, .., last] = words.as_slice()
        && words.iter().all(is_file)
        && session.world.loader.canonical(Path::new(path)).is_err()
    {
        let why = format!("`:load` takes one file: its fields are bound, so those of `{last}` would replace others");
        return session.misused_for(line.dialect, &why, &COMMAND, Some(format!(":load {first}")));
    }
    if let [first, _, ..] = words.as_slice()
        && session.world.loader.canonical(Path::new(path)).is_err()
        && session.world.loader.canonical(Path::new(first)).is_ok()
    {
        let why = format!("`:load` takes one file: `{}` is too much", path.trim_start_matches(first).trim());
        return session.misused_for(line.dialect, &why, &COMMAND, Some(format!(":load {first}")));
    }
    session.load(line.dialect, Path::new(path))
}
