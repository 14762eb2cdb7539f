//! `cfg.toml`: the settings of every interactive session. An invalid entry is reported with its place and ignored; the
//! others apply.
//!
//! ```toml
//! theme = "light"                     # every option of `:set`
//! dialect = "cfg"                     # the language to begin with
//! banner = false
//! history-file = "~/.cfg-history"     # "" is none
//! root = "/srv/config"                # like --root
//!
//! [ext-str]                           # external variables; also ext-code, tla-str and so on
//! env = "prod"
//!
//! [commands]                          # what `:def` would define
//! keys = "std.record.fields"
//!
//! [colours]                           # also [colours.dark] and [colours.light]
//! keyword = "magenta bold"
//! ```

pub mod colours;

use super::Session;
use super::commands::def::{NameFault, name_fault};
use super::event::Event;
use super::settings::{self, BadSetting, Origin};
use crate::dialect::Dialect;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::{Problem, Severity};
use crate::state::external::OPTIONS;
use crate::styled::Role;
use crate::term::{FieldDef, FieldName, Node, NodeId, Term};
use crate::text::{Name, Span, near};
use colours::{Background, TextStyle};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The settings that concern the face and not the session.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Configuration {
    /// Whether the banner is shown.
    pub banner: Option<bool>,
    /// The history file. An empty path means none.
    pub history: Option<PathBuf>,
    /// The folder to which the session is confined.
    pub root: Option<PathBuf>,
    /// The looks of roles. Later entries override earlier ones.
    pub colours: Vec<(Background, Role, TextStyle)>,
}

/// The keys that are not options of `:set`.
const OWN: [&str; 6] = ["dialect", "banner", "history-file", "root", "commands", "colours"];

impl Session {
    pub(super) fn configure_here(&mut self, file: &Path, text: &str) -> (Configuration, Vec<Event>) {
        let source = self.world.add_source(&file.to_string_lossy(), text.into(), Path::new(""));
        let program = Dialect::OF_CONFIGURATION.program(source, text, self.workspace.names());
        let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
        let mut reader = Reader {
            session: self,
            term: program.term.clone(),
            folder,
            out: Configuration::default(),
            problems: program.problems,
        };
        if let Node::Record(lit) = program.term.node(program.term.root) {
            lit.fields.iter().for_each(|field| reader.field(field));
        }
        let Reader { out, mut problems, .. } = reader;
        problems.sort_by_key(|problem| problem.span().map_or(0, |span| span.start));
        let events = problems.iter().map(|problem| self.diagnostic(self.dialect(), problem)).collect();
        (out, events)
    }
}

struct Reader<'a> {
    session: &'a mut Session,
    term: Arc<Term>,
    folder: PathBuf,
    out: Configuration,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn field(&mut self, field: &FieldDef) {
        let (FieldName::Static(name), Some(body)) = (&field.name, field.body) else { return };
        match name.as_str() {
            "dialect" => self.dialect(body),
            "banner" => match *self.term.node(body) {
                Node::Bool(banner) => self.out.banner = Some(banner),
                _ => self.not(body, "banner", "true, false"),
            },
            "history-file" => match self.string(body) {
                Some(file) if file.is_empty() => self.out.history = Some(PathBuf::new()),
                Some(file) => self.out.history = Some(self.path(&file)),
                None => self.not(body, "history-file", "a path, or \"\""),
            },
            "root" => match self.string(body).filter(|folder| !folder.is_empty()) {
                Some(folder) => self.out.root = Some(self.path(&folder)),
                None => {
                    // no such folder: a session that should be confined does not start without its root
                    self.out.root = Some(PathBuf::new());
                    self.not(body, "root", "a folder");
                }
            },
            "commands" => self.each(body, "commands", Reader::command),
            "colours" | "colors" => self.each(body, "colours", |reader, field, body| {
                reader.colour(Background::Any, field, body);
            }),
            name if OPTIONS.iter().any(|(option, ..)| *option == name) => {
                let Some(option) = settings::find(name).map(|setting| setting.name) else { return };
                self.each(body, option, |reader, field, body| reader.external(option, field, body));
            }
            name => match settings::ALL.iter().find(|s| s.name == name || (name == "color" && s.name == "colour")) {
                Some(setting) => self.option(setting, body, field.name_span),
                None => {
                    let known = settings::ALL.iter().map(|s| s.name).chain(OWN);
                    self.unknown(field.name_span, "option", name, near(name, known));
                }
            },
        }
    }

    /// Visits the entries of a table.
    fn each(&mut self, body: NodeId, name: &str, mut read: impl FnMut(&mut Self, &FieldDef, NodeId)) {
        let term = self.term.clone();
        let Node::Record(lit) = term.node(body) else {
            return self.not(body, name, "a table: `[name]`, followed by one entry per line");
        };
        for field in &lit.fields {
            if let Some(body) = field.body {
                read(self, field, body);
            }
        }
    }

    fn dialect(&mut self, body: NodeId) {
        let cells = || self.session.languages().interactive();
        let found = self.string(body).and_then(|name| cells().find(|d| d.name() == name.as_str()));
        match found {
            Some(dialect) => drop(self.session.set_dialect(dialect)),
            None => {
                let names: Vec<&str> = cells().map(Dialect::name).collect();
                self.not(body, "dialect", &names.join(", "));
            }
        }
    }

    /// Sets an option of `:set`.
    fn option(&mut self, setting: &'static settings::Setting, body: NodeId, at: Span) {
        let term = self.term.clone();
        let parts: Vec<NodeId> = match term.node(body) {
            Node::Array(items) if is_list(setting.name) => items.to_vec(),
            _ => vec![body],
        };
        // `:set jpath` puts a folder before the earlier ones
        let parts = if setting.name == "jpath" { parts.into_iter().rev().collect() } else { parts };
        for part in parts {
            let value = match term.node(part) {
                Node::Str(text) if is_path(setting.name) => self.path(text).to_string_lossy().into_owned(),
                Node::Str(text) => text.to_string(),
                Node::Bool(on) => String::from(if *on { "on" } else { "off" }),
                Node::Number(number) if number.is_integer() => {
                    number.to_u64().map(|n| n.to_string()).unwrap_or_default()
                }
                _ => String::new(),
            };
            self.assign(setting, &value, part, at);
        }
    }

    fn external(&mut self, option: &'static str, field: &FieldDef, body: NodeId) {
        let (FieldName::Static(name), Some(setting)) = (&field.name, settings::find(option)) else { return };
        let text = match self.term.node(body) {
            Node::Str(text) => text.to_string(),
            // an expression may be written as a TOML number or boolean
            Node::Number(_) | Node::Bool(_) if option.ends_with("code") => {
                self.session.workspace.text(self.term.span(body))
            }
            _ => return self.not(body, name, "a string"),
        };
        let text = match option.ends_with("-file") {
            true => self.path(&text).to_string_lossy().into_owned(),
            false => text,
        };
        self.assign(setting, &format!("{name}={text}"), body, field.name_span);
    }

    fn assign(&mut self, setting: &'static settings::Setting, value: &str, body: NodeId, at: Span) {
        let (file, place) = self.session.workspace.position(at);
        let origin = Origin::File(Name::from(file), place.line as usize);
        match self.session.assign(self.session.dialect(), setting.name, value, origin) {
            Ok(_) => {}
            Err(BadSetting::Unknown | BadSetting::Value(_)) => self.not(body, setting.name, setting.values),
        }
    }

    fn command(&mut self, field: &FieldDef, body: NodeId) {
        let FieldName::Static(name) = &field.name else { return };
        let Some(meaning) = self.string(body).filter(|meaning| !meaning.trim().is_empty()) else {
            return self.not(body, name, "what `:def` would define: a function, or the beginning of another command");
        };
        match name_fault(name) {
            None => {
                let mut aliases = self.session.world.state.aliases.borrow_mut();
                Arc::make_mut(&mut aliases).insert(name.to_string(), String::from(meaning.trim()));
            }
            Some(NameFault::Odd) => {
                self.report(field.name_span, "a command's name consists of letters, digits, `_` and `-`", None);
            }
            Some(NameFault::Taken) => {
                self.report(field.name_span, &format!("`:{name}` is already a command"), None);
            }
        }
    }

    fn colour(&mut self, background: Background, field: &FieldDef, body: NodeId) {
        let FieldName::Static(name) = &field.name else { return };
        if background == Background::Any
            && let Some(inner) = Background::of_name(name)
        {
            return self.each(body, name, |reader, field, body| reader.colour(inner, field, body));
        }
        let Some((_, role)) = colours::ROLES.iter().find(|(role, _)| role == name) else {
            let known = colours::ROLES.iter().map(|(role, _)| *role).chain(["dark", "light"]);
            return self.unknown(field.name_span, "role", name, near(name, known));
        };
        match self.string(body).map(|text| TextStyle::read(&text)) {
            Some(Ok(look)) => self.out.colours.push((background, *role, look)),
            Some(Err(word)) => {
                let near = near(&word, colours::words());
                self.unknown(self.term.span(body), "colour or style", &word, near);
            }
            None => self.not(body, name, "a string: \"magenta bold\""),
        }
    }

    fn string(&self, body: NodeId) -> Option<Name> {
        match self.term.node(body) {
            Node::Str(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// Resolves a path relative to the file's folder; `~/` is the user's.
    fn path(&self, written: &str) -> PathBuf {
        match (written.strip_prefix("~/"), self.session.world.loader.env("HOME")) {
            (Some(rest), Some(home)) => Path::new(&home).join(rest),
            _ => self.folder.join(written),
        }
    }

    /// Reports an invalid value.
    fn not(&mut self, body: NodeId, name: &str, values: &str) {
        // the parser has reported it
        if matches!(self.term.node(body), Node::Hole) {
            return;
        }
        let span = self.term.span(body);
        let text = self.session.workspace.text(span);
        let why = match text.lines().count() {
            1 => format!("{} is not a value of `{name}`", text.trim()),
            _ => format!("this is not a value of `{name}`"),
        };
        self.report(span, &why, Some(format!("accepted values: {values}")));
    }

    fn unknown(&mut self, span: Span, what: &str, name: &str, near: Vec<Name>) {
        let help = near.first().map(|near| format!("did you mean `{near}`?"));
        self.report(span, &format!("no {what} `{name}`"), help);
    }

    fn report(&mut self, span: Span, why: &str, help: Option<String>) {
        let what = SessionKind::Configuration { why: Name::new(why), help: help.map(Name::from) };
        let met = SessionProblem { span: Some(span), what };
        self.problems.push(Problem { severity: Severity::Warning, ..Problem::error(met) });
    }
}

/// Returns `true` if an option takes several values.
fn is_list(name: &str) -> bool {
    matches!(name, "import-path" | "jpath" | "silence")
}

/// Returns `true` if an option's values are paths.
fn is_path(name: &str) -> bool {
    matches!(name, "import-path" | "jpath" | "kinds")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::NoLoader;
    use expect_test::{Expect, expect};

    fn configured(text: &str) -> (Session, Configuration, String) {
        let mut session = Session::new(Box::new(NoLoader));
        let (configuration, events) = session.configure(Path::new("/etc/cfg.toml"), text);
        let text = |event: &Event| match event {
            Event::Diagnostic { report, .. } => report.text(),
            _ => String::new(),
        };
        let reports: Vec<String> = events.iter().map(text).collect();
        (session, configuration, reports.join("\n"))
    }

    #[test]
    fn options_variables_commands_and_how_things_look() {
        let text = r#"
            theme = "light"
            max-steps = 1000
            fold = false
            import-path = ["lib", "/usr/lib"]
            jpath = ["first", "second"]
            dialect = "jsonnet"
            banner = false
            history-file = "typed"
            ext-str.env = "prod"
            [ext-code]
            n = 3
            [commands]
            keys = "std.objectFields"
            [colours]
            keyword = "bright-magenta bold"
            dark.dim = "8"
        "#;
        let (mut session, configuration, reports) = configured(text);
        assert_eq!(reports, "");
        for (option, value) in [
            ("theme", "light"),
            ("max-steps", "1000"),
            ("fold", "off"),
            ("import-path", "/etc/lib:/usr/lib"),
            ("ext-str", "env=prod"),
            ("ext-code", "n=3"),
        ] {
            assert_eq!(session.option(option).as_deref(), Some(value), "{option}");
        }
        let value = |session: &mut Session, input: &str| match session.submit(input).as_slice() {
            [Event::Value { value, .. }] => value.text(),
            other => format!("{other:?}"),
        };
        assert_eq!(value(&mut session, "std.extVar('env') + std.extVar('n')"), "\"prod3\"");
        assert_eq!(value(&mut session, ":keys { a: 1 }"), "[\"a\"]");
        assert_eq!((configuration.banner, configuration.history), (Some(false), Some(PathBuf::from("/etc/typed"))));
        let (bold, dim) = (TextStyle::read("bright-magenta bold").unwrap(), TextStyle::read("8").unwrap());
        let colours = [(Background::Any, Role::Keyword, bold), (Background::Dark, Role::Dim, dim)];
        assert_eq!(configuration.colours, colours);
    }

    #[track_caller]
    fn tells(text: &str, expected: Expect) {
        expected.assert_eq(&configured(text).2);
    }

    #[test]
    fn a_mistake_is_told_with_its_place_and_the_rest_holds() {
        tells(
            "thmee = \"dark\"\ntheme = \"blue\"\nmax-steps = [1]\nbanner = 1\ndialect = \"nix\"\n",
            expect![[r#"
                warning: no option `thmee` [config/mistake]
                 --> /etc/cfg.toml:1:1
                  |
                1 | thmee = "dark"
                  | ^^^^^ left out
                  |
                  = help: did you mean `theme`?
                warning: "blue" is not a value of `theme` [config/mistake]
                 --> /etc/cfg.toml:2:9
                  |
                2 | theme = "blue"
                  |         ^^^^^^ left out
                  |
                  = help: accepted values: auto, dark, light
                warning: [1] is not a value of `max-steps` [config/mistake]
                 --> /etc/cfg.toml:3:13
                  |
                3 | max-steps = [1]
                  |             ^^^ left out
                  |
                  = help: accepted values: off, or a number
                warning: 1 is not a value of `banner` [config/mistake]
                 --> /etc/cfg.toml:4:10
                  |
                4 | banner = 1
                  |          ^ left out
                  |
                  = help: accepted values: true, false
                warning: "nix" is not a value of `dialect` [config/mistake]
                 --> /etc/cfg.toml:5:11
                  |
                5 | dialect = "nix"
                  |           ^^^^^ left out
                  |
                  = help: accepted values: cfg, jsonnet, yay, mcl"#]],
        );
        tells(
            "[commands]\ntype = \"std.typeof\"\n[colours]\nkeyword = \"magneta\"\nkeywrod = \"red\"\n[ext-str]\nx = 1\n",
            expect![[r#"
                warning: `:type` is already a command [config/mistake]
                 --> /etc/cfg.toml:2:1
                  |
                2 | type = "std.typeof"
                  | ^^^^ left out
                warning: no colour or style `magneta` [config/mistake]
                 --> /etc/cfg.toml:4:11
                  |
                4 | keyword = "magneta"
                  |           ^^^^^^^^^ left out
                  |
                  = help: did you mean `magenta`?
                warning: no role `keywrod` [config/mistake]
                 --> /etc/cfg.toml:5:1
                  |
                5 | keywrod = "red"
                  | ^^^^^^^ left out
                  |
                  = help: did you mean `keyword`?
                warning: 1 is not a value of `x` [config/mistake]
                 --> /etc/cfg.toml:7:5
                  |
                7 | x = 1
                  |     ^ left out
                  |
                  = help: accepted values: a string"#]],
        );
        tells(
            "theme = \n[colours",
            expect![[r#"
                error: a key without a value [data/syntax]
                 --> /etc/cfg.toml:1:7
                  |
                1 | theme =
                  |       ^ expected a value here
                  |
                  = help: write the value, or remove the key: an empty text is `""`
                error: an unclosed header [data/syntax]
                 --> /etc/cfg.toml:2:8
                  |
                2 | [colours
                  |        ^ expected `]`
                  |
                  = help: close it with `]`"#]],
        );
        let (session, _, reports) = configured("theme = blue\nediting = \"vi\"\n");
        assert!(!reports.is_empty());
        assert_eq!(session.option("editing").as_deref(), Some("vi"));
    }
}
