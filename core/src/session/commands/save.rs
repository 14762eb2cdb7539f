//! `:save file`

use super::unknown::repeated_words;
use super::{Argument, Command, Effect, Line};
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::{Problem, Severity};
use crate::session::load::unquote;
use crate::session::saved::{self, Saved};
use crate::session::{Event, Session};
use crate::styled::{Role, Styled};
use crate::text::path::FieldPath;
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

/// Forms of `:show` that are formats of files.
const FORMS: [&str; 2] = ["json", "yaml"];

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let path = unquote(line.argument());
    if path.is_empty() {
        return session.misused(line.dialect, "`:save` needs a file", &COMMAND);
    }
    if let Some(refused) = value_in_file(session, line, path) {
        return refused;
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

/// Reports the path of a bound name before or after a file: `:save prod out.json`. The name of a file with a blank in it,
/// `my session.cfg`, does not begin with one, or is in quotes.
fn value_in_file(session: &Session, line: &Line, path: &str) -> Option<Vec<Event>> {
    let words: Vec<&str> = path.split_whitespace().collect();
    let is_quoted = path.len() < line.argument().len();
    let is_bound = |word: &str| {
        let root = word.split(['.', '[']).next().unwrap_or(word);
        session.is_bound(root) && FieldPath::parse(word).is_ok()
    };
    let is_file = |word: &str| session.languages().of_path(Path::new(word)).is_some() && !is_bound(word);
    let (value, file) = match words.as_slice() {
        _ if is_quoted => return None,
        [value, .., file] if is_bound(value) => (*value, *file),
        [file, .., value] if is_bound(value) && is_file(file) => (*value, *file),
        _ => return None,
    };
    let why = format!("`:save` takes a file alone: it saves the inputs of the session, and not the value of `{value}`");
    let what = SessionKind::BadCommand { why: why.into(), usage: Name::default(), meant: None, example: None };
    let problem = Problem::error(SessionProblem { span: None, what });
    let quoted = repeated_words(path).map(|path| format!("; for a file with a blank in its name: `:save \"{path}\"`"));
    // the forms are named like the endings of files
    let form = Path::new(file).extension().and_then(|ending| ending.to_str()).filter(|ending| FORMS.contains(ending));
    let shown = format!("`:show {} {value}` shows the value, to copy it into a file", form.unwrap_or("json"));
    let report = session.report_advised(line.dialect, &problem, shown + &quoted.unwrap_or_default());
    Some(vec![Event::Diagnostic { severity: Severity::Error, report, rich: None }])
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
