//! `:set`

use super::unknown::repeated;
use super::{Argument, Command, Effect, Line, is_name};
use crate::dialect::Dialect;
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::session::settings::{self, BadSetting, Origin};
use crate::session::{Event, Session};
use crate::styled::wrap::wrap;
use crate::styled::{Role, Styled};
use crate::text::{MASK, Name, near};
use crate::view::table::Table;

pub const COMMAND: Command = Command {
    name: "set",
    aliases: &[],
    usage: ":set [OPTION [VALUE]]",
    summary: "all options and where each was set; or shows or sets one",
    argument: Argument::Option,
    effect: Effect::Configure,
    run,
};

fn run(session: &mut Session, line: &Line) -> Vec<Event> {
    let argument = line.argument();
    let mut words = argument.splitn(2, |c: char| c.is_whitespace() || c == '=');
    let name = words.next().unwrap_or("");
    let value = words.next().map(|v| v.trim().trim_start_matches('=').trim()).unwrap_or("");
    if name.is_empty() {
        return vec![Event::Answer(table(session))];
    }
    if value.is_empty() {
        return match settings::find(name) {
            Some(setting) => vec![Event::Answer(one(session, setting))],
            None => vec![unknown(session, line.dialect, name, "")],
        };
    }
    match session.assign(line.dialect, name, value, Origin::Session) {
        Ok(events) => events,
        Err(BadSetting::Unknown) => vec![unknown(session, line.dialect, name, value)],
        Err(BadSetting::Value(setting)) => {
            let why = format!("`{value}` is not a value of `{}`: expected {}", setting.name, setting.values);
            // only options with a few words have commas
            let words = setting.values.split(", ").filter(|word| !word.contains(' '));
            let meant = near(value, words).first().map(|meant| format!(":set {} {meant}", setting.name));
            let usage = Name::from(format!(":set {} VALUE", setting.name));
            let what =
                SessionKind::BadCommand { why: Name::from(why), usage, meant: meant.map(Name::from), example: None };
            vec![session.met(line.dialect, what)]
        }
    }
}

/// Options of the command line that are not options of a session, each with a call that has it, or a command for the same.
const OF_COMMAND_LINE: [(&[&str], &str); 9] = [
    (&["strict"], "`cfg check --strict FILE` counts warnings as errors"),
    (&["all", "baseline", "jobs"], "it is an option of the shell's `cfg check`"),
    (&["layers"], "`cfg merge --layers FILE FILE` merges files as layers"),
    (&["list", "schema", "env", "patch", "in-place"], "it is an option of the shell's `cfg merge`"),
    (&["format", "output", "output-format"], "`:show yaml EXPRESSION` shows a value in a format"),
    (&["root"], "`cfg repl --root DIR` reads nothing outside of a folder"),
    (&["reveal", "secrets", "show-secrets"], "`cfg repl --reveal` shows the values of secret fields"),
    (&["apply-contract", "contract"], "`cfg check --apply-contract FILE FILE` checks a value against a contract"),
    (&["dialect", "language", "lang"], "`:dialect NAME` changes the language of the inputs"),
];

fn unknown(session: &Session, dialect: Dialect, name: &str, value: &str) -> Event {
    let mut near = settings::similar(name);
    let bare = name.trim_start_matches('-');
    if let Some((_, advice)) = OF_COMMAND_LINE.iter().find(|(names, _)| near.is_empty() && names.contains(&bare)) {
        let what = SessionKind::UnknownOption { name: Name::new(name), near };
        let problem = Problem::error(SessionProblem { span: None, what });
        let report = session.report_advised(dialect, &problem, String::from(*advice));
        return Event::Diagnostic { severity: problem.severity, report, rich: None };
    }
    if near.is_empty() && is_name(name) {
        let value = repeated(value).unwrap_or_default();
        near.push(Name::from(format!(":{name} {value}").trim_end()));
    }
    session.met(dialect, SessionKind::UnknownOption { name: Name::new(name), near })
}

/// Returns a table of all options, each with its value, the origin of the value, and its purpose.
fn table(session: &Session) -> Styled {
    let mut table = Table::new();
    let mut files: Vec<&Name> = Vec::new();
    let settings = session.settings();
    for setting in settings::ALL {
        let origin = settings.origin(setting.name);
        if let Some(Origin::File(file, _)) = origin
            && !files.contains(&file)
        {
            files.push(file);
        }
        table.row(row(session, setting, setting.doc));
    }
    let mut out = table.within(session.text_width()).fit();
    for file in files {
        out.push(Role::Dim, format!("\nread: {file}"));
    }
    let more = "`:set NAME VALUE` sets one, `:set NAME` says what it may be; for every session: `:help config`";
    out.push(Role::Dim, format!("\n{}", wrap(more, session.text_width().unwrap_or(usize::MAX), 0)));
    out
}

fn row(session: &Session, setting: &settings::Setting, about: &str) -> [Styled; 4] {
    let settings = session.settings();
    let mut value = settings.get(setting.name).unwrap_or_default();
    let is_variable = setting.name.starts_with("ext-") || setting.name.starts_with("tla-");
    if is_variable && session.world.names_secret(&value) {
        value = String::from(MASK);
    }
    let origin = settings.origin(setting.name);
    // values that were set are highlighted
    let role = if origin.is_some() { Role::Literal } else { Role::Dim };
    [
        Styled::of(Role::Name, setting.name),
        Styled::of(role, value),
        Styled::of(Role::Note, origin.map(ToString::to_string).unwrap_or_default()),
        Styled::of(Role::Plain, about),
    ]
}

/// Shows one option and its possible values.
fn one(session: &Session, setting: &settings::Setting) -> Styled {
    let mut table = Table::new();
    table.row(row(session, setting, &format!("{} ({})", setting.doc, setting.values)));
    table.within(session.text_width()).fit()
}
