//! Words after a colon that are no commands: commands of other programs, of the shell, and expressions.

use super::{Session, find};
use crate::dialect::Dialect;
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::session::Event;
use crate::session::settings;
use crate::text::Name;
use std::path::Path;

/// Names of commands in other programs, and the ones here.
const SYNONYMS: [(&str, &str); 72] = [
    ("unset", "undo"),
    ("delete", "undo"),
    ("del", "undo"),
    ("rm", "undo"),
    ("back", "undo"),
    ("rollback", "undo"),
    ("revert", "undo"),
    ("m", "load"),
    ("module", "load"),
    ("use", "load"),
    ("source", "load"),
    ("cat", "load"),
    ("include", "load"),
    ("require", "load"),
    ("add", "load"),
    ("import", "load"),
    ("open", "load"),
    ("keys", "env"),
    ("ls", "env"),
    ("list", "env"),
    ("symbols", "env"),
    ("bindings", "env"),
    ("vars", "env"),
    ("names", "env"),
    ("who", "env"),
    ("whos", "env"),
    ("scope", "env"),
    ("at", "query"),
    ("find", "query"),
    ("search", "query"),
    ("grep", "query"),
    ("print", "force"),
    ("p", "force"),
    ("eval", "force"),
    ("run", "force"),
    ("value", "force"),
    ("dump", "force"),
    ("pp", "force"),
    ("clear", "reset"),
    ("restart", "reset"),
    ("options", "set"),
    ("option", "set"),
    ("config", "set"),
    ("write", "save"),
    ("lang", "dialect"),
    ("language", "dialect"),
    ("mode", "dialect"),
    ("switch", "dialect"),
    ("kind", "type"),
    ("k", "type"),
    ("ty", "type"),
    ("typeof", "type"),
    ("describe", "info"),
    ("desc", "info"),
    ("inspect", "info"),
    ("trace", "explain"),
    ("where", "explain"),
    ("blame", "explain"),
    ("origin", "explain"),
    ("merge", "steps"),
    ("debug", "steps"),
    ("compare", "diff"),
    ("bench", "time"),
    ("timeit", "time"),
    ("profile", "time"),
    ("parse", "ast"),
    ("validate", "check"),
    ("assert", "check"),
    ("expect", "check"),
    ("alias", "def"),
    ("macro", "def"),
    ("man", "help"),
];

/// The forms of `:show`.
const FORMS: [&str; 4] = ["json", "yaml", "table", "tree"];

/// Other words for the end of a session.
const ENDS: [&str; 9] = ["wq", "qa", "qa!", "x", "bye", "logout", "end", "close", "qall"];

/// Words that are commands in other programs, and what to do here instead.
const ELSEWHERE: [(&[&str], &str); 8] = [
    (&["let", "var", "define", "val", "const"], "a definition is entered without a command: `x = 3`"),
    (&["edit", "vi", "vim", "ed", "nano"], "Ctrl-O opens the input in your editor"),
    (&["hint", "next", "solution"], "it belongs to a lesson: `cfg learn` starts one"),
    (&["cd", "chdir", "pwd"], "`:set import-path DIR` adds a folder in which files are looked for"),
    (&["cls"], "Ctrl-L clears the screen, and `:reset` forgets all definitions"),
    (&["version", "about", "ver"], "`:!cfg --version` prints the version"),
    (
        &["color", "colour", "colorscheme", "theme", "background", "dark", "light"],
        "`:set theme dark` or `:set theme light` chooses the colours, and `:set colour off` none",
    ),
    (&["width", "depth", "number", "wrap"], "`:set` lists the options with their values, such as `:set width 100`"),
];

/// Commands of `cfg` in the shell that have no command here.
const OF_SHELL: [&str; 9] = ["merge", "watch", "fmt", "format", "lint", "eval", "learn", "convert", "completions"];

/// Returns the name of the command that a word of another program means.
pub(super) fn synonym(word: &str) -> Option<&'static str> {
    if ENDS.contains(&word) {
        return Some("quit");
    }
    SYNONYMS.iter().find(|(other, _)| *other == word).map(|(_, own)| *own)
}

impl Session {
    /// Reports a word that is no command. `rest` is the text after it.
    pub(super) fn unknown_command(
        &self,
        dialect: Dialect,
        name: &str,
        rest: &str,
        (mut near, ambiguous): (Vec<Name>, bool),
    ) -> Vec<Event> {
        let argument = rest.trim();
        // `::type 1`
        let after = name.trim_start_matches(':').split_whitespace().next().unwrap_or_default();
        if rest.is_empty()
            && name.starts_with(':')
            && let Ok(command) = find(after)
        {
            near = vec![Name::new_static(command.name)];
        }
        let advice = self.advice_about_command(name, rest);
        let what = match advice {
            Some(_) => SessionKind::UnknownCommand { name: Name::new(name), near: Vec::new(), ambiguous: false },
            None => {
                if FORMS.contains(&name) {
                    near = vec![Name::from(format!("show {name} {}", repeated(argument).unwrap_or("EXPRESSION")))];
                } else if let ([only], Some(argument)) = (near.as_slice(), repeated(argument)) {
                    let is_file = self.languages().of_path(Path::new(argument)).is_some();
                    let command =
                        if is_file && matches!(only.as_str(), "force" | "env") { "load" } else { only.as_str() };
                    let takes = find(command).is_ok_and(|own| match own.argument {
                        super::Argument::File => is_file,
                        super::Argument::Expression | super::Argument::Path => true,
                        _ => false,
                    });
                    let takes = takes && self.would_work(dialect, &format!(":{command} {argument}"));
                    near = vec![if takes { Name::from(format!("{command} {argument}")) } else { Name::new(command) }];
                }
                SessionKind::UnknownCommand { name: Name::new(name), near, ambiguous }
            }
        };
        let problem = Problem::error(SessionProblem { span: None, what });
        let Some(advice) = advice else { return vec![self.diagnostic(dialect, &problem)] };
        let report = self.report_advised(dialect, &problem, advice);
        vec![Event::Diagnostic { severity: problem.severity, report, rich: None }]
    }

    /// Returns what to enter in the place of a word that is no command. It repeats nothing that can be a secret.
    fn advice_about_command(&self, name: &str, rest: &str) -> Option<String> {
        if name.starts_with('!') {
            return Some(String::from("a command of the shell runs only from a prompt in a terminal"));
        }
        if name.starts_with(['{', '}']) {
            return Some(String::from(
                "an input goes on in the next line while a bracket is open: this needs no command",
            ));
        }
        if name.starts_with('%') {
            return Some(String::from("Ctrl-O opens the input in your editor"));
        }
        if let Some((_, advice)) = ELSEWHERE.iter().find(|(words, _)| words.contains(&name)) {
            return Some(String::from(*advice));
        }
        if !name.is_empty() && name.chars().all(|c| c.is_ascii_digit()) {
            return Some(format!("`${name}` is the result of input {name}, and `:history` lists the inputs"));
        }
        let argument = rest.trim();
        if matches!(name, "use" | "load" | "m" | "module" | "import" | "open")
            && self.languages().interactive().any(|language| language.name() == argument)
        {
            return Some(format!("`:dialect {argument}` changes the language"));
        }
        if rest.is_empty() && self.languages().interactive().any(|language| language.name() == name) {
            return Some(format!("`:dialect {name}` changes the language"));
        }
        if name == "unset" && settings::find(argument).is_some() {
            return Some(format!(
                "`:set {argument}` shows what the option may be, and `:set {argument} VALUE` sets it"
            ));
        }
        let mut words = argument.split_whitespace();
        if OF_SHELL.contains(&name)
            && words.next().is_some_and(|word| self.languages().of_path(Path::new(word)).is_some())
            && let Some(words) = repeated_words(argument)
        {
            return Some(format!("`cfg {name}` is a command of the shell: `:!cfg {name} {words}`"));
        }
        let defines = argument.starts_with('=') && !argument.starts_with("==");
        let is_reading =
            rest.is_empty() || rest.starts_with('.') || argument.starts_with(|c: char| !c.is_alphanumeric());
        let root = name.split('.').next().unwrap_or(name);
        if defines || self.is_bound(root) && is_reading {
            let whole = repeated(&format!("{name}{rest}")).map(String::from);
            let whole = whole.unwrap_or_else(|| if defines { format!("{name} = …") } else { String::from(name) });
            let what = if defines { "a definition" } else { "an expression" };
            return Some(format!("{what} is entered without a colon: `{whole}`"));
        }
        None
    }
}

/// Returns an argument that advice may repeat: a path or the name of a file, and no value.
pub(super) fn repeated(argument: &str) -> Option<&str> {
    let argument = argument.trim().trim_matches('"');
    let is_plain = argument.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
    (is_plain && !argument.is_empty() && argument.len() <= 60).then_some(argument)
}

/// Returns names of files that advice may repeat.
pub(super) fn repeated_words(argument: &str) -> Option<&str> {
    argument.split_whitespace().all(|word| repeated(word) == Some(word)).then_some(argument)
}
