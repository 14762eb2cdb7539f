//! `:save file`

use super::{Argument, Command, Effect, Line};
use crate::problem::session::SessionKind;
use crate::session::load::unquote;
use crate::session::saved::{self, Saved};
use crate::session::{Event, Session};
use crate::styled::{Role, Styled};
use crate::text::{MASK, Name, counted};
use std::path::Path;

pub const COMMAND: Command = Command {
    name: "save",
    aliases: &[],
    usage: ":save FILE",
    summary: "saves the inputs in effect as a file for `:load`; a file that is not a saved session is not overwritten",
    argument: Argument::File,
    effect: Effect::Report,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let path = unquote(line.argument());
    if path.is_empty() {
        return session.misused(line.dialect, "`:save` needs a file", &COMMAND);
    }
    let file = Path::new(path);
    let loader = &session.world.loader;
    if loader.read(file).is_ok_and(|bytes| !bytes.is_empty() && !saved::is_session(&String::from_utf8_lossy(&bytes))) {
        return session.misused(
            line.dialect,
            "the file exists and is not a saved session: choose another name",
            &COMMAND,
        );
    }
    let Saved { text, settings, inputs, masked } = session.saved();
    match loader.write(file, text.as_bytes()) {
        Ok(()) => {
            let options = match settings {
                0 => String::new(),
                settings => format!(" and {}", counted(settings, "option")),
            };
            let inputs = counted(inputs, "input");
            let secrets = match masked {
                0 => String::new(),
                1 => format!("; one of them has a secret, and the file has the text {MASK} in its place"),
                _ => format!("; {masked} of them have secrets, and the file has the text {MASK} in their places"),
            };
            vec![Event::Answer(Styled::of(Role::Dim, format!("saved {inputs}{options} in {path}{secrets}")))]
        }
        Err(error) => {
            let what = SessionKind::Unwritable { path: Name::new(path), reason: reason(&error) };
            vec![session.met(line.dialect, what)]
        }
    }
}

/// Returns the reason why a file cannot be written, in words.
fn reason(error: &std::io::Error) -> Name {
    match error.kind() {
        std::io::ErrorKind::NotFound => Name::new_static("there is no such folder"),
        std::io::ErrorKind::PermissionDenied => Name::new_static("permission denied"),
        std::io::ErrorKind::IsADirectory => Name::new_static("it is a folder"),
        _ => Name::from(error.to_string()),
    }
}
