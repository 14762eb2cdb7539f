//! Lines for other programs that are entered at the prompt: the shell, IPython's magics, psql and SQL.

use super::{Session, commands};
use crate::text::{SourceId, Span};
use std::path::Path;

/// Words with which lines for a shell begin, and nearly no expression.
const SHELL: [&str; 50] = [
    "ls",
    "pwd",
    "cd",
    "cat",
    "git",
    "cfg",
    "mkdir",
    "rm",
    "cp",
    "mv",
    "make",
    "docker",
    "kubectl",
    "vim",
    "vi",
    "grep",
    "jq",
    "yq",
    "curl",
    "wget",
    "which",
    "sudo",
    "ssh",
    "scp",
    "python",
    "python3",
    "pip",
    "npm",
    "npx",
    "cargo",
    "terraform",
    "cue",
    "helm",
    "nix",
    "dhall",
    "whoami",
    "printenv",
    "uname",
    "chmod",
    "chown",
    "touch",
    "tar",
    "sed",
    "awk",
    "xargs",
    "emacs",
    "nano",
    "nvim",
    "bash",
    "zsh",
];
/// Such words that are also common names: only with an option or a path.
const ALSO_NAMES: [&str; 16] = [
    "head", "tail", "find", "date", "node", "less", "more", "sort", "go", "code", "sh", "kill", "test", "diff",
    "sleep", "ps",
];
/// Words with which statements of SQL begin.
const SQL: [&str; 10] = ["select", "insert", "update", "delete", "drop", "create", "alter", "describe", "desc", "show"];

/// The word of a magic of IPython, and the command here.
const MAGICS: [(&str, &str); 8] = [
    ("timeit", "time"),
    ("run", "load"),
    ("who", "env"),
    ("whos", "env"),
    ("pinfo", "info"),
    ("pdoc", "doc"),
    ("recall", "history"),
    ("rerun", "history"),
];

impl Session {
    /// Returns the advice about an input that is a line for another program.
    pub(super) fn advice_about_line(&self, text: &str) -> Option<Vec<String>> {
        let line = text.trim();
        if line.contains('\n') || line.is_empty() {
            return None;
        }
        let one = |advice: String| Some(vec![advice]);
        if let Some(magic) = line.strip_prefix('%').filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic())) {
            return one(magic_here(magic));
        }
        if let Some(command) = line.strip_prefix('!') {
            let (word, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
            let is_word = word.starts_with(|c: char| c.is_ascii_alphabetic()) && !word.contains(['.', '(']);
            let is_shell = SHELL.contains(&word) || ALSO_NAMES.contains(&word) && !self.is_bound(word);
            return if is_word && (is_shell || !rest.is_empty() && !self.is_bound(word)) {
                one(shell(command))
            } else {
                None
            };
        }
        if let Some(rest) = line.strip_prefix('\\') {
            let (word, about) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let is_command =
                word.len() < 4 && !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '?');
            return match (is_command && !rest.contains("->") && !rest.contains("=>"), word) {
                (true, "q") => one(String::from("`:quit` or Ctrl-D ends the session")),
                (true, "i") => one(format!("`:load {}` reads a file", if about.is_empty() { "FILE" } else { about })),
                (true, "h" | "?") => one(String::from("`:help` lists the commands")),
                (true, _) => one(String::from("`:env` lists the names, and `:info NAME` describes one")),
                _ => None,
            };
        }
        if let Some(command) = line.strip_prefix("$ ").map(str::trim)
            && (SHELL.contains(&first(command)) || ALSO_NAMES.contains(&first(command)))
        {
            return one(shell(command));
        }
        if let Some(file) = line.strip_prefix(". ").map(str::trim)
            && self.is_file(file)
        {
            return one(format!("`:load {file}` reads the file"));
        }
        let is_script = line.starts_with("./") || line.starts_with("~/") || line.starts_with("../");
        if is_script && !self.is_file(first(line).trim_start_matches(['.', '~', '/'])) {
            return one(shell(line));
        }
        if let Some((_, file)) = line.rsplit_once(" > ")
            && self.is_file(file.trim())
        {
            return one(String::from(
                "`:show json EXPRESSION` shows a value as JSON, and `:save FILE` writes the inputs",
            ));
        }
        if line.split(" | ").skip(1).any(|part| SHELL.contains(&first(part)) && !self.is_bound(first(part)))
            && self.is_bound(first(line).split(['.', '[']).next().unwrap_or_default())
        {
            return one(String::from(
                "a value cannot be piped to a command of the shell: `:show json EXPRESSION` shows it",
            ));
        }
        let (rest, last) = line.rsplit_once(char::is_whitespace).unwrap_or(("", line));
        let format = |word: &str| {
            let word = word.trim_start_matches("to_").trim_start_matches("to").to_ascii_lowercase();
            ["json", "yaml"].into_iter().find(|format| *format == word)
        };
        let asked = if rest.ends_with(" as") || rest.ends_with(" to") || rest.ends_with(" in") {
            format(last)
        } else {
            format(first(line)).filter(|_| !rest.is_empty() && !line.contains('=') && !self.is_bound(first(line)))
        };
        if let Some(format) = asked {
            return one(format!("`:show {format} EXPRESSION` shows a value as {}", format.to_ascii_uppercase()));
        }
        if let Some(name) = variable(line) {
            return one(format!("an expression does not read the environment: `:!echo ${name}` shows a variable"));
        }
        self.advice_about_first_word(line)
    }

    fn advice_about_first_word(&self, line: &str) -> Option<Vec<String>> {
        let end = line.find(|c: char| c.is_whitespace() || "([{;:=.".contains(c)).unwrap_or(line.len());
        let (word, rest) = line.split_at_checked(end)?;
        let after = rest.trim_start();
        let defines =
            after.starts_with('=') && !after.starts_with("==") || after.starts_with(':') || rest.starts_with('.');
        if word.is_empty() || self.is_bound(word) || defines {
            return None;
        }
        let is_for_shell =
            |word: &str| word.starts_with('-') && word.len() > 1 || word.contains('/') || word.starts_with('$');
        let has_path = || rest.split_whitespace().any(|word| is_for_shell(word) || self.is_file(word));
        let is_pipe = line.contains(" | ") && line.split(" | ").skip(1).any(|part| SHELL.contains(&first(part)));
        if rest.starts_with('(') {
            return None;
        }
        if SHELL.contains(&word)
            || (ALSO_NAMES.contains(&word) || word == "echo" || word == "env") && has_path()
            || is_pipe && word == "env"
            || word == "echo" && rest.contains('$')
        {
            let file =
                rest.split_whitespace().map(|word| word.trim_matches(['"', '\''])).find(|word| self.is_file(word));
            let filters = matches!(word, "jq" | "yq" | "cat");
            return Some(match file.filter(|_| filters) {
                Some(file) => {
                    vec![format!("`:load {file}` reads the file, and its fields are names here"), shell(line)]
                }
                None => vec![shell(line)],
            });
        }
        if matches!(word, "describe" | "desc") && !after.is_empty() {
            return Some(vec![String::from(
                "`:info NAME` describes a name, and `:doc PATH` a function of the library",
            )]);
        }
        let lower = word.to_ascii_lowercase();
        let is_statement = SQL.contains(&lower.as_str()) && !after.is_empty() && !commands::is_name(word);
        is_statement.then(|| {
            vec![String::from("there are no tables here: `:env` lists the names, and a name alone shows its value")]
        })
    }

    /// Returns `true` if a word is the name of a file that can be read.
    fn is_file(&self, word: &str) -> bool {
        let word = word.trim_matches(['"', '\'']);
        word.contains('.') && self.languages().of_path(Path::new(word)).is_some() && !word.starts_with(['-', '.'])
    }
}

fn first(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

fn shell(line: &str) -> String {
    format!("a command of the shell begins with `:!`: `:!{}`", line.trim())
}

/// Returns the command for a magic of IPython.
fn magic_here(magic: &str) -> String {
    let (word, rest) = magic.split_once(char::is_whitespace).unwrap_or((magic, ""));
    let rest = rest.trim();
    if SHELL.contains(&word) || ALSO_NAMES.contains(&word) {
        return shell(magic);
    }
    if word == "env" {
        return String::from("an expression does not read the environment: `:!env` shows it");
    }
    if matches!(word, "edit" | "ed") {
        return String::from("Ctrl-O opens the input in your editor");
    }
    let own = MAGICS.iter().find(|(other, _)| *other == word).map(|(_, own)| *own);
    let own = own.or_else(|| commands::is_name(word).then_some(word));
    match own {
        Some(own) if commands::takes_nothing(own) => format!("a command begins with a colon: `:{own}`"),
        Some(own) => format!("a command begins with a colon: `:{}`", format!("{own} {rest}").trim()),
        None => String::from("magics of IPython are commands here: `:help` lists them"),
    }
}

/// Returns the name of a variable of the environment that is a whole line: `$HOME`, `${HOME}`, `$ENV.HOME`.
fn variable(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('$')?;
    let rest = rest.strip_prefix("ENV.").or_else(|| rest.strip_prefix("env.")).unwrap_or(rest);
    let name = rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(rest);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then_some(name)
}

/// Returns the place of the first line with a text.
pub(super) fn first_line(source: SourceId, text: &str) -> Option<Span> {
    let line = text.lines().find(|line| !line.trim().is_empty())?.trim();
    let start = text.find(line)?;
    Some(Span::new(source, start, start + line.len()))
}
