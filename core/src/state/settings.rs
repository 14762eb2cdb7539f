//! The options of `:set`.

use super::external::{ExternalOption, OPTIONS};
use crate::problem::{Problem, Severity};
use crate::text::Name;
use crate::value::Limits;
use crate::value::machine::Budget;
use std::collections::BTreeMap;

/// The values of all options.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `colour`: when output is coloured.
    pub colour: Colour,
    /// `theme`: `auto`, `dark` or `light`.
    pub theme: &'static str,
    /// `editing`: `emacs` or `vi`.
    pub editing: &'static str,
    /// `fold`: whether long answers are cut to the screen.
    pub fold: bool,
    /// `width`, in columns. `None`: the terminal's width.
    pub width: Option<usize>,
    /// `type`: whether a value's type is shown after it.
    pub show_type: bool,
    /// `reactive`: how a notebook treats outputs that became stale because another cell was run again.
    pub reactive: Reactive,
    /// The options that are inputs of programs. `:undo` reverts these and no other option.
    pub inputs: ExternalInputs,
    /// `syntax`: whether mcl has its syntax of 2026 instead of that of 2024.
    pub newest_syntax: bool,
    /// `kinds`: a data file that extends the kinds of resources. Empty for none.
    pub kinds: String,
    /// The codes of warnings that are not reported.
    pub silent: Vec<String>,
    /// `history`: the number of results, and of replaced definitions per name, that are kept.
    pub history: usize,
    /// `show-elements`, `show-depth`, `show-text`: how much of a value is printed.
    pub budget: Budget,
    /// `max-depth`, `max-stack`, `max-steps`, `max-memory`: the limits of one evaluation.
    pub limits: Limits,
    /// The place where each option was set, by name.
    pub origins: BTreeMap<&'static str, Origin>,
}

/// The options that are inputs of programs.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct ExternalInputs {
    /// `import-path`: the folders added so far, like `-I`.
    pub import_paths: Vec<String>,
    /// `jpath`: the folders added so far, like `-J`.
    pub libraries: Vec<String>,
    /// `ext-str`, `tla-code` and the like.
    pub externals: Vec<ExternalOption>,
}

/// The place where an option was set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// In a file, at this line.
    File(Name, usize),
    /// On the command line.
    CommandLine,
    /// In the session, by `:set`.
    Session,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::File(path, line) => {
                let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
                write!(f, "{name}:{line}")
            }
            Origin::CommandLine => f.write_str("command line"),
            Origin::Session => f.write_str(":set"),
        }
    }
}

/// When output is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

/// A notebook's treatment of the outputs of cells that depend on a cell that was run again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reactive {
    /// Lists the stale cells.
    #[default]
    Off,
    /// Lists the stale cells and marks their outputs.
    Lazy,
    /// Runs the stale cells again and replaces their outputs.
    On,
}

/// An option.
pub struct Setting {
    /// The option's name.
    pub name: &'static str,
    /// The accepted values.
    pub values: &'static str,
    /// A short description.
    pub doc: &'static str,
}

/// Every option, in the order in which `:set` lists them.
pub const ALL: &[Setting] = &[
    Setting { name: "colour", values: "auto, on, off", doc: "colour the output" },
    Setting { name: "theme", values: "auto, dark, light", doc: "the background of the terminal" },
    Setting { name: "editing", values: "emacs, vi", doc: "the keys of the prompt" },
    Setting { name: "fold", values: "on, off", doc: "cut long answers to the screen" },
    Setting { name: "width", values: "auto, or columns", doc: "the width of answers" },
    Setting { name: "type", values: "on, off", doc: "show the type after a value" },
    Setting {
        name: "reactive",
        values: "off, lazy, on",
        doc: "what happens to stale cells of a notebook: they are listed, marked in their outputs, or run again",
    },
    Setting {
        name: "import-path",
        values: "a folder, searched after the others",
        doc: "an additional folder to search for imports",
    },
    Setting {
        name: "jpath",
        values: "a folder, searched before the others",
        doc: "an additional folder to search for imports",
    },
    Setting { name: "syntax", values: "2024, 2026", doc: "the year of the syntax, for languages whose syntax changed" },
    Setting { name: "kinds", values: "a file in TOML, or none", doc: "additional kinds of resources" },
    Setting { name: "silence", values: "a code (types/mixed), or none", doc: "warnings that are not reported" },
    Setting { name: "ext-str", values: "NAME=TEXT", doc: "an external variable: a string" },
    Setting { name: "ext-code", values: "NAME=EXPRESSION", doc: "an external variable: the value of an expression" },
    Setting { name: "ext-str-file", values: "NAME=FILE", doc: "an external variable: a file's text" },
    Setting {
        name: "ext-code-file",
        values: "NAME=FILE",
        doc: "an external variable: the value of a program in a file",
    },
    Setting { name: "tla-str", values: "NAME=TEXT", doc: "an argument of a program that is a function: a string" },
    Setting { name: "tla-code", values: "NAME=EXPRESSION", doc: "such an argument: the value of an expression" },
    Setting { name: "tla-str-file", values: "NAME=FILE", doc: "such an argument: a file's text" },
    Setting { name: "tla-code-file", values: "NAME=FILE", doc: "such an argument: the value of a program in a file" },
    Setting {
        name: "history",
        values: "a number",
        doc: "the number of results, of older definitions of a name, and of steps to undo that are kept",
    },
    Setting {
        name: "show-elements",
        values: "a number",
        doc: "the number of elements and fields of a value that are shown",
    },
    Setting { name: "show-depth", values: "a number", doc: "the depth to which a value is shown" },
    Setting { name: "show-text", values: "a number", doc: "the number of bytes of a string that are shown" },
    Setting { name: "max-depth", values: "a number", doc: "the maximum depth of evaluation" },
    Setting {
        name: "max-stack",
        values: "off, or a number",
        doc: "the maximum number of stack frames, in languages whose reference implementation has this limit",
    },
    Setting { name: "max-steps", values: "off, or a number", doc: "the maximum number of steps of an evaluation" },
    Setting {
        name: "max-memory",
        values: "off, or a number",
        doc: "the maximum number of elements and characters that an evaluation creates",
    },
];

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            colour: Colour::Auto,
            theme: "auto",
            editing: "emacs",
            fold: true,
            width: None,
            show_type: true,
            reactive: Reactive::Off,
            inputs: ExternalInputs::default(),
            newest_syntax: false,
            kinds: String::new(),
            silent: Vec::new(),
            history: 1000,
            budget: Budget { elements: 10_000, depth: 40, text: 1 << 20 },
            limits: Limits::default(),
            origins: BTreeMap::new(),
        }
    }
}

/// The reason why an option could not be set.
pub enum BadSetting {
    /// No option has that name.
    Unknown,
    /// The option does not accept the value.
    Value(&'static Setting),
}

impl Settings {
    /// Returns `true` if the problem is a warning whose code was switched off.
    pub fn is_silent(&self, problem: &Problem) -> bool {
        problem.severity == Severity::Warning && self.silent.iter().any(|code| code == problem.code())
    }

    /// Returns an option's value as text.
    pub fn get(&self, name: &str) -> Option<String> {
        let switch = |on: bool| String::from(if on { "on" } else { "off" });
        let limit = |n: Option<u64>| n.map_or_else(|| String::from("off"), |n| n.to_string());
        Some(match find(name)?.name {
            "colour" => String::from(match self.colour {
                Colour::Auto => "auto",
                Colour::On => "on",
                Colour::Off => "off",
            }),
            "theme" => String::from(self.theme),
            "editing" => String::from(self.editing),
            "fold" => switch(self.fold),
            "width" => self.width.map_or_else(|| String::from("auto"), |n| n.to_string()),
            "type" => switch(self.show_type),
            "reactive" => String::from(match self.reactive {
                Reactive::Off => "off",
                Reactive::Lazy => "lazy",
                Reactive::On => "on",
            }),
            "import-path" if self.inputs.import_paths.is_empty() => String::from("none"),
            "import-path" => self.inputs.import_paths.join(":"),
            "jpath" if self.inputs.libraries.is_empty() => String::from("none"),
            "jpath" => self.inputs.libraries.join(":"),
            "syntax" => String::from(if self.newest_syntax { "2026" } else { "2024" }),
            "kinds" if self.kinds.is_empty() => String::from("none"),
            "kinds" => self.kinds.clone(),
            "silence" if self.silent.is_empty() => String::from("none"),
            "silence" => self.silent.join(", "),
            "history" => self.history.to_string(),
            "show-elements" => self.budget.elements.to_string(),
            "show-depth" => self.budget.depth.to_string(),
            "show-text" => self.budget.text.to_string(),
            "max-depth" => self.limits.depth.to_string(),
            "max-stack" => limit(self.limits.frames.map(u64::from)),
            "max-steps" => limit(self.limits.steps),
            "max-memory" => limit(self.limits.memory),
            name => {
                let (_, target, content) = OPTIONS.into_iter().find(|option| option.0 == name)?;
                let all = self.inputs.externals.iter();
                let set = all.filter(|option| option.target == target && option.content == content);
                let texts: Vec<&str> = set.map(|option| option.text.as_str()).collect();
                if texts.is_empty() { String::from("none") } else { texts.join(", ") }
            }
        })
    }

    /// Returns the `:set` commands that set again what was set in the session, in the order of [`ALL`]. Options that are inputs of
    /// programs are left out: a session records them with its inputs.
    pub fn commands(&self) -> Vec<String> {
        let mut out = Vec::new();
        let is_input =
            |name: &str| matches!(name, "import-path" | "jpath") || OPTIONS.iter().any(|option| option.0 == name);
        for Setting { name, .. } in ALL.iter().filter(|setting| !is_input(setting.name)) {
            if self.origins.get(name) != Some(&Origin::Session) {
                continue;
            }
            match *name {
                "silence" if !self.silent.is_empty() => {
                    out.push(String::from(":set silence none"));
                    out.extend(self.silent.iter().map(|code| format!(":set silence {code}")));
                }
                name => out.extend(self.get(name).map(|value| format!(":set {name} {value}"))),
            }
        }
        out
    }

    /// Returns the place where an option was set. `None` if it has its default value.
    pub fn origin(&self, name: &str) -> Option<&Origin> {
        let setting = find(name)?;
        let origin = self.origins.get(setting.name)?;
        (self.get(name) != Settings::default().get(name) || !matches!(origin, Origin::Session)).then_some(origin)
    }

    /// Restores the options that `:undo` affects, with their origins, from older settings.
    pub fn restore_inputs(&mut self, then: &Settings) {
        self.inputs = then.inputs.clone();
        self.origins.retain(|name, _| !is_undoable(name));
        let origins = then.origins.iter().filter(|(name, _)| is_undoable(name));
        self.origins.extend(origins.map(|(name, origin)| (*name, origin.clone())));
    }

    /// Sets an option from text.
    pub fn set(&mut self, name: &str, value: &str, origin: Origin) -> Result<(), BadSetting> {
        let Some(setting) = find(name) else {
            return Err(BadSetting::Unknown);
        };
        self.assign(setting.name, value.trim()).ok_or(BadSetting::Value(setting))?;
        self.origins.insert(setting.name, origin);
        Ok(())
    }

    fn assign(&mut self, name: &str, value: &str) -> Option<()> {
        let switch = || match value {
            "on" | "true" | "yes" => Some(true),
            "off" | "false" | "no" => Some(false),
            _ => None,
        };
        let count = || value.parse::<usize>().ok().filter(|n| *n > 0);
        let limit = || match value {
            "off" | "none" => Some(None),
            _ => value.parse::<u64>().ok().map(Some),
        };
        match name {
            "colour" => {
                self.colour = match value {
                    "auto" => Colour::Auto,
                    _ if switch()? => Colour::On,
                    _ => Colour::Off,
                }
            }
            "theme" => self.theme = ["auto", "dark", "light"].into_iter().find(|t| *t == value)?,
            "editing" => self.editing = ["emacs", "vi"].into_iter().find(|e| *e == value)?,
            "fold" => self.fold = switch()?,
            "width" if value == "auto" => self.width = None,
            "width" => self.width = Some(count().filter(|n| (20..=10_000).contains(n))?),
            "type" => self.show_type = switch()?,
            "reactive" if value == "lazy" => self.reactive = Reactive::Lazy,
            "reactive" => self.reactive = if switch()? { Reactive::On } else { Reactive::Off },
            "import-path" if value.is_empty() => return None,
            "import-path" => self.inputs.import_paths.push(String::from(value)),
            "jpath" if value.is_empty() => return None,
            "jpath" => self.inputs.libraries.push(String::from(value)),
            "syntax" => self.newest_syntax = ["2024", "2026"].iter().position(|year| *year == value)? == 1,
            "kinds" if value == "none" => self.kinds.clear(),
            "kinds" if value.is_empty() => return None,
            "kinds" => self.kinds = String::from(value),
            "silence" if value == "none" => self.silent.clear(),
            "silence" if value.is_empty() || value.contains(char::is_whitespace) => return None,
            "silence" => self.silent.push(String::from(value)),
            "history" => self.history = count()?,
            "show-elements" => self.budget.elements = count()?,
            "show-depth" => self.budget.depth = count()?,
            "show-text" => self.budget.text = count()?,
            "max-depth" => self.limits.depth = value.parse().ok().filter(|n| *n > 0)?,
            "max-stack" => self.limits.frames = limit()?.map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
            "max-steps" => self.limits.steps = limit()?,
            "max-memory" => self.limits.memory = limit()?,
            name => {
                let (_, target, content) = OPTIONS.into_iter().find(|option| option.0 == name)?;
                self.inputs.externals.push(ExternalOption { target, content, text: String::from(value) });
            }
        }
        Some(())
    }
}

/// Returns `true` if `:undo` reverts an option: the folders for imports, external variables and arguments.
fn is_undoable(name: &str) -> bool {
    matches!(name, "import-path" | "jpath") || OPTIONS.iter().any(|option| option.0 == name)
}

/// Finds an option by its whole name. `color` is accepted for `colour`.
pub fn find(name: &str) -> Option<&'static Setting> {
    let name = if name == "color" { "colour" } else { name };
    ALL.iter().find(|s| s.name == name)
}

/// Returns the options that a wrong name may mean: those that begin with it, or else those with similar names.
pub fn similar(name: &str) -> Vec<Name> {
    let begin = ALL.iter().filter(|s| !name.is_empty() && s.name.starts_with(name));
    let begin: Vec<Name> = begin.map(|s| Name::new_static(s.name)).collect();
    if !begin.is_empty() {
        return begin;
    }
    let near = crate::text::near(name, ALL.iter().map(|s| s.name).chain(std::iter::once("color")));
    near.into_iter().map(|name| find(&name).map_or(name, |setting| Name::new_static(setting.name))).collect()
}
