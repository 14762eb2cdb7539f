//! The advice of reports at a prompt, where there is no file to rename, a name is bound without `let`, and other languages and
//! commands can be entered.

use super::{Session, commands};
use crate::dialect::pasted::{self, PastedFormat};
use crate::dialect::{CellItem, Dialect, Names};
use crate::problem::report::{Label, Report};
use crate::problem::{Problem, Severity};
use crate::state::environment::is_written;
use crate::term::Node;
use crate::text::SourceId;
use crate::ty::{Presence, Ty, TyRef};
use std::collections::VecDeque;
use std::path::Path;

/// Maximum number of fields that are read to find one by its name.
const MOST_FIELDS: usize = 1000;
/// Maximum length of an input that is read in other languages, in bytes.
pub(super) const MOST: usize = 16_000;

/// The beginnings of the advice about an unbound word that may be a text, and about a file that is not one expression.
const TEXT: &str = "a text is in quotes";
const ONE_EXPRESSION: &str = "a file is one expression";

/// The commands with which programs show their help, and what shows it here.
const ASKS: [&str; 12] = ["?", "??", "/?", "-?", "/help", "/h", "--help", "-h", "help!", "help?", "--version", "\\h"];
/// The beginning of the advice about a name that was undone.
const REDO: &str = "`:redo`";
/// The advice about a template.
const TEMPLATE: &str =
    "this is a template: make a file of it first, as `helm template` does; `:load FILE` then reads that";
const HELP: &str = "`:help` lists the commands, and `:examples` what can be entered";

/// Commands of the shell's `cfg`, and words with which other prompts read a file.
const SHELL_COMMANDS: [&str; 10] =
    ["eval", "merge", "check", "diff", "explain", "type", "deps", "query", "steps", "watch"];
const READERS: [&str; 8] = ["source", "read", "open", "view", "include", "use", "run", "load"];

/// Words of other prompts and languages with which a line begins, and what to enter here.
const WORDS: [(&[&str], &str); 13] = [
    (&["from"], "`:load FILE` reads a file"),
    (&["select", "insert"], "`:env` lists the names that are bound"),
    (&["man", "commands", "usage", "manual", "tutorial", "h"], HELP),
    (&["clear", "cls"], "Ctrl-L clears the screen, and `:reset` forgets all definitions"),
    (&["q", "bye", "logout", "end"], "`:quit` or Ctrl-D ends the session"),
    (&["it"], "`it` is the last result, and there is none yet"),
    (&["console", "printf", "println", "fmt", "log", "display"], "the value of an expression is shown without a call"),
    (&["whos", "who", "vars", "locals", "globals", "dir"], "`:env` lists the names, and `:info NAME` describes one"),
    (&["typeof"], "`:type EXPRESSION` shows the type of an expression"),
    (&["assert", "expect"], "`:check EXPRESSION` says whether an expression is true"),
    (
        &["export", "dump", "toJSON"],
        "`:show json EXPRESSION` shows a value as JSON, and `:save FILE` writes the inputs",
    ),
    (&["edit"], "Ctrl-O opens the input in your editor"),
    (&["del", "unset"], "`:undo` takes back an input, and `:reset` all of them"),
];

impl Session {
    /// Replaces the advice about files in the report of a problem in an input, and adds advice that applies only there.
    pub(super) fn advise_at_prompt(&self, problem: &Problem, report: &mut Report) {
        let Some(span) = problem.span().filter(|span| self.is_input(span.source)) else { return };
        let Some(text) = self.world.text_of(span.source) else { return };
        let (place, code) = (span.start as usize..span.end as usize, problem.code());
        let (Some(before), Some(word)) = (text.get(..place.start), text.get(place.clone())) else { return };
        let mut of_file = None;
        report.suggestions.retain(|advice| {
            of_file = of_file
                .or(ending(advice).and_then(|ending| self.languages().of_path(Path::new(&format!("x{ending}")))));
            ending(advice).is_none()
        });
        for advice in &mut report.suggestions {
            if let Some(bound) = advice.strip_prefix("write `let ").and_then(|rest| rest.strip_suffix(" in …`")) {
                *advice = format!("write `{bound}`");
            }
            *advice = advice.replace("a name is bound first: `let ", "a name is bound first: `");
            if advice.starts_with("a name is bound with `let x = e in …`") {
                *advice = String::from("a name is bound with `x = e`");
            }
        }
        let is_syntax = code.starts_with("syntax/");
        let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
        let may_be_other = code == "types/not-a-contract" || is_syntax && lines > 1;
        let other = if may_be_other { self.reader(span.source, &text) } else { None };
        if other.is_some() {
            let general = ["a file is one expression", "write `level |"];
            report.suggestions.retain(|advice| !general.iter().any(|start| advice.starts_with(start)));
        }
        match (other, of_file) {
            (Some(other), _) => report.suggestions.push(format!("`:dialect {}` reads this input", other.name())),
            (None, Some(other)) if other.is_interactive() => {
                report.suggestions.push(format!("`:dialect {}` changes the language of the input", other.name()));
            }
            _ => {}
        }
        if code == "value/merge-conflict"
            && report.notes.iter().any(|note| note.contains("merges records field by field"))
        {
            let is_record = |label: &Label| label.text.starts_with('{');
            if report.suggestions.is_empty() && report.labels.iter().any(is_record) {
                report.suggestions.push(String::from("a value is merged as a field of a record: `{ field = … }`"));
            }
        }
        let line = text.trim();
        if code == "scope/unbound" && self.note_failed(word, report) {
            report.suggestions.retain(|advice| !advice.starts_with(TEXT));
        }
        if code == "scope/unbound" {
            let parts: Vec<&str> = word.split('-').collect();
            if parts.len() > 1 && parts.iter().all(|part| self.world.is_bound(part)) {
                report.suggestions.retain(|advice| !advice.contains("a name is bound first"));
                report.suggestions.push(format!("names may contain `-`; a difference is `{}`", parts.join(" - ")));
            }
        }
        let is_first = before.trim().is_empty() && lines == 1;
        let is_path = self.languages().of_path(Path::new(line)).is_some() && !line.contains(char::is_whitespace);
        if is_first && is_path && self.world.loader.canonical(Path::new(line)).is_ok() {
            report.suggestions = vec![format!("`:load {line}` reads the file")];
        }
        // the command is suggested after the report
        if is_syntax && before.trim().strip_suffix('(').is_some_and(commands::is_name) {
            report.suggestions.clear();
        }
        let question = line.trim_matches('?');
        if ASKS.contains(&line) {
            report.suggestions = vec![String::from(HELP)];
        } else if is_syntax && question != line && question.chars().all(|c| c.is_alphanumeric() || "._-".contains(c)) {
            // what shows it is suggested after the report
            report.suggestions.clear();
        } else if is_syntax
            && (pasted::is_template(&text)
                || line.starts_with("{{") && line.contains("}}") && report.suggestions.is_empty())
        {
            report.suggestions = vec![String::from(TEMPLATE)];
        } else if (is_syntax || code == "scope/unbound")
            && let Some(advice) = self.advice_about_line(&text)
        {
            report.suggestions = advice;
        } else if is_first && let Some(advice) = self.advice_about_file(code, word, line) {
            report.suggestions = vec![advice];
        } else if is_first && code == "scope/unbound" {
            self.advise_about_first_word(word, text.get(place.end..).unwrap_or_default(), report);
        }
        let called = line.strip_suffix("()").unwrap_or_default();
        if let Some((_, advice)) =
            WORDS.iter().find(|(words, _)| words.contains(&called) && !self.world.is_bound(called))
        {
            report.suggestions = vec![String::from(*advice)];
        }
        if code == "syntax/path-binding" && lines == 1 {
            self.advise_about_target(word, text.get(place.end..).unwrap_or_default(), report);
        }
        if is_syntax
            && report.suggestions.is_empty()
            && !line.contains(|c: char| c.is_alphanumeric() || "\"'_?".contains(c))
        {
            report.suggestions.push(String::from(HELP));
        }
        if report.suggestions.iter().any(|advice| advice.starts_with("with `=`, ")) {
            report.suggestions.retain(|advice| !advice.starts_with("a field gets its value"));
        }
        if let Some(format) = self.pasted_data(code, &text, lines) {
            report.suggestions.insert(0, format!("save it in a file: `:load data.{}` binds its fields", format.ending));
        }
        if lines == 1 && is_syntax {
            self.advise_about_second_definition(before, word, text.get(place.end..).unwrap_or_default(), report);
            self.advise_about_assignment(before, word, text.get(place.end..).unwrap_or_default(), report);
        }
        if let Some(name) =
            report.suggestions.iter().any(|advice| advice.ends_with("read the environment")).then(|| {
                let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                line.trim_end_matches(|c| !is_of_name(c)).rsplit(|c| !is_of_name(c)).next().unwrap_or_default()
            })
            && name.chars().all(|c| !c.is_ascii_lowercase())
            && !name.is_empty()
        {
            report.suggestions.push(format!("`:!echo ${name}` shows a variable of the shell"));
        }
        if code == "scope/unbound" && !report.suggestions.iter().any(|advice| advice.starts_with("did you mean")) {
            let paths = self.paths_to(word);
            if !paths.is_empty() {
                report.suggestions.retain(|advice| !advice.starts_with(TEXT));
                report.suggestions.push(format!("did you mean {}?", paths.join(" or ")));
            }
        }
        if line.starts_with(':') {
            self.advise_about_argument(code, line, report);
            let command = commands::word(line).and_then(|at| line.get(at)).and_then(|name| commands::find(name).ok());
            if word == ","
                && report.suggestions.is_empty()
                && let Some(command) = command.filter(|command| command.argument == commands::Argument::Path)
            {
                report.suggestions.push(match command.name {
                    "whatif" => String::from("a value is the rest of the line: it is the last change"),
                    name => format!("`:{name}` takes one path"),
                });
            }
            if word == ";" && report.suggestions.is_empty() {
                report
                    .suggestions
                    .push(String::from("a command is a line by itself: enter what follows as the next input"));
            }
            let general = report.suggestions.iter().any(|advice| advice.starts_with(ONE_EXPRESSION));
            report.suggestions.retain(|advice| !advice.starts_with(ONE_EXPRESSION));
            if let (true, Some(command)) = (general && word == "=", commands::word(line).and_then(|at| line.get(at))) {
                report.suggestions.push(format!(
                    "`:{command}` takes a path or an expression; a definition is entered without a command"
                ));
            }
        }
        if code == "types/missing-field"
            && report.suggestions.is_empty()
            && let Some((library, _)) = word.rsplit_once('.').filter(|(library, _)| library.starts_with("std."))
        {
            report.suggestions.push(format!("`:env {library}.` lists the names of `{library}`"));
        }
        if code == "syntax/package" {
            let mut endings = self.languages().all().flat_map(|language| language.0.endings.iter());
            let file = endings.find_map(|ending| {
                let file = format!("{word}.{}", ending.trim_start_matches('.'));
                self.world.loader.canonical(Path::new(&file)).is_ok().then_some(file)
            });
            if let Some(file) = file {
                report.suggestions = vec![format!("write `import \"{file}\"`")];
            }
        }
        let own_line = before.rsplit('\n').next().unwrap_or_default();
        let is_command = || {
            commands::word(text.get(place.start..)?.lines().next()?).and_then(|word| text.get(place.start..)?.get(word))
        };
        if is_syntax
            && word.starts_with(':')
            && own_line.trim().is_empty()
            && before.contains('\n')
            && is_command().is_some_and(|name| commands::find(name).is_ok())
        {
            report.suggestions.push(String::from(
                "this line was read as the continuation of the line before it; Ctrl-C leaves an unfinished input",
            ));
        }
    }

    /// Returns the quoted paths of the fields with a name, in bound records and in their records: two at most. Reads [`MOST_FIELDS`]
    /// fields at most.
    fn paths_to(&self, name: &str) -> Vec<String> {
        let environment = self.world.state.environment.borrow();
        let mut waiting: VecDeque<(String, TyRef)> = VecDeque::new();
        let written = environment.iter().filter(|(key, _)| is_written(key));
        waiting.extend(written.take(MOST_FIELDS).map(|(key, d)| (key.to_string(), d.typed.scheme.ty.clone())));
        let (mut found, mut read) = (Vec::new(), 0);
        while let Some((path, ty)) = waiting.pop_front() {
            let Ty::Record(row) = &*ty else { continue };
            if row.get(name).is_some_and(|field| field.presence == Presence::Yes) {
                found.push(format!("`{path}.{name}`"));
            }
            if found.len() == 2 {
                break;
            }
            for (inner, field) in row.fields().take(MOST_FIELDS - read) {
                read += 1;
                if matches!(&*field.ty, Ty::Record(_)) && is_plain_name(inner) {
                    waiting.push_back((format!("{path}.{inner}"), field.ty.clone()));
                }
            }
        }
        found
    }

    /// Returns advice about a line for the shell that reads a file, `eval base.yaml`, and about the name of a file that was loaded. It
    /// repeats no other words of the line, which may be secret.
    fn advice_about_file(&self, code: &str, word: &str, line: &str) -> Option<String> {
        if code != "scope/unbound" {
            return None;
        }
        let is_file = |word: &&str| self.languages().of_path(Path::new(word)).is_some() && !word.starts_with('-');
        let rest = line.strip_prefix(word)?;
        if let Some(file) = rest.split_whitespace().find(is_file) {
            if SHELL_COMMANDS.contains(&word) {
                return Some(format!("`:load {file}` reads the file; `cfg {word} …` is a command of the shell"));
            }
            return READERS.contains(&word).then(|| format!("`:load {file}` reads the file"));
        }
        let sources = self.world.sources.borrow();
        let is_loaded = sources.iter().any(|source| {
            let path = Path::new(&*source.name);
            path.extension().is_some() && path.file_stem().is_some_and(|stem| stem == word)
        });
        let field = rest.strip_prefix('.').filter(|field| field.starts_with(|c: char| c.is_alphabetic()));
        is_loaded.then(|| match field.filter(|field| field.chars().all(|c| c.is_alphanumeric() || ".-_".contains(c))) {
            Some(field) => format!("write `{field}`: `:load` binds the fields of a file by their own names"),
            None => String::from("`:load` binds the fields of a file by their own names: `:env` lists them"),
        })
    }

    /// Replaces the advice about a text by advice about the argument of a command, which is the path of a bound name.
    fn advise_about_argument(&self, code: &str, line: &str, report: &mut Report) {
        if code != "scope/unbound" {
            return;
        }
        let is_similar = report.suggestions.iter().any(|advice| advice.starts_with("did you mean"));
        // advice about what was undone depends on the past, and other advice does not
        let is_past = |advice: &String| advice.starts_with(REDO);
        let is_empty =
            report.suggestions.iter().any(|advice| advice.starts_with(TEXT)) || report.suggestions.iter().all(is_past);
        report.suggestions.retain(|advice| !advice.starts_with(TEXT));
        let argument = commands::word(line).and_then(|at| line.get(at.end..)).unwrap_or_default();
        let is_file = |word: &&str| {
            word.contains('.')
                && self.languages().of_path(Path::new(word)).is_some()
                && (self.world.loader.canonical(Path::new(word)).is_ok()
                    || [".yaml", ".yml", ".json", ".toml"].iter().any(|ending| word.ends_with(ending)))
        };
        let argument = argument.trim();
        if argument == "it" {
            report.suggestions = vec![String::from("`it` is the last result, and there is none yet")];
        } else if let Some((root, field)) = argument.split_once('/')
            && self.world.is_bound(root)
            && field.chars().all(|c| c.is_alphanumeric() || "_-/".contains(c))
            && !self.world.is_secret_name(field)
        {
            report.suggestions =
                vec![format!("the names of a path have dots between them: `{root}.{}`", field.replace('/', "."))];
        } else if let Some(file) = argument.split_whitespace().find(is_file) {
            report.suggestions = vec![format!("`:load {file}` reads the file, and its fields are names here")];
        } else if is_empty && !is_similar {
            report.suggestions.push(String::from("`:env` lists the names that are bound, and `:doc std` the library"));
        }
    }

    /// Returns the format of an input of several lines that is data and was read as a program with types for values.
    fn pasted_data(&self, code: &str, text: &str, lines: usize) -> Option<PastedFormat> {
        let is_read = code == "types/not-a-contract" && lines > 1;
        is_read.then(|| self.pasted_format(self.dialect(), text)).flatten()
    }

    /// Adds advice about the target of a definition that is not a name: `r.a = 2`.
    fn advise_about_target(&self, target: &str, after: &str, report: &mut Report) {
        let is_name = is_plain_name;
        let value = after.trim_start().trim_start_matches('=').trim();
        let value = match value.split_once(',') {
            // `r.a = 1, r.b`
            Some((first, _)) if !value.contains(['{', '[', '(', '"']) => first.trim_end(),
            _ => value,
        };
        let is_shown =
            value.len() <= 40 && !value.is_empty() && !value.starts_with('=') && !self.world.is_secret_name(target);
        let value = if is_shown { value } else { "…" };
        if let Some((root, path)) = target.trim().split_once('.')
            && is_name(root)
            && path.split('.').all(is_name)
        {
            report.suggestions = vec![match self.world.is_bound(root) {
                true => format!("write `{root} = {root} & {{ {path} | force = {value} }}`"),
                false => format!("write `{root} = {{ {path} = {value} }}`"),
            }];
        } else if let Some(name) = target.trim().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))
            && is_name(name)
        {
            report.suggestions = vec![format!("write `{name} = {value}`: a name that is bound has no quotes")];
        } else if target.trim_start().starts_with('{') && target.len() <= 60 && !target.contains(['=', '"']) {
            report.suggestions = vec![format!("write `let {} = …`: a pattern is bound with `let`", target.trim())];
        } else if target.trim_start().starts_with("if ") {
            report.suggestions = vec![String::from("`=` binds a name; two values are compared with `==`")];
        } else if target.trim().starts_with(|c: char| c.is_ascii_digit()) {
            report.suggestions = vec![String::from("a name begins with a letter or `_`: `x = 5`")];
        }
    }

    /// Adds advice about a second definition on the line of the first: `a = 1 b = 2`.
    fn advise_about_second_definition(&self, before: &str, sign: &str, after: &str, report: &mut Report) {
        let after = after.trim_start();
        let is_name = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_') && !text.contains(' ');
        // `a = b = 1`
        if sign == "="
            && let Some((first, second)) = before.split_once('=').map(|(first, second)| (first.trim(), second.trim()))
            && is_name(first)
            && is_name(second)
            && second.chars().all(|c| c.is_alphanumeric() || c == '_')
        {
            report.suggestions = vec![format!("write `{second} = {}; {first} = {second}`", after.trim())];
            return;
        }
        let is_second = after.starts_with('=')
            && !after.starts_with("==")
            && before.contains('=')
            && !before.trim_end().ends_with(" where");
        if is_second && !before.contains(['{', '(', '[', '"']) {
            report.suggestions = vec![String::from("definitions on one line are separated by `;`: `a = 1; b = 2`")];
        }
    }

    /// Adds advice about an unbound word at the beginning of an input: words of other prompts, and calls of unknown functions.
    fn advise_about_first_word(&self, word: &str, after: &str, report: &mut Report) {
        if report
            .suggestions
            .iter()
            .any(|advice| advice.starts_with("write `") && !advice.contains(&format!("`{word} = …`")))
        {
            return;
        }
        // `x, y = 1, 2`
        if after.trim_start().starts_with(',') && after.contains(" = ") && !after.contains(['{', '[', '(']) {
            report.suggestions = vec![String::from("definitions on one line are separated by `;`: `a = 1; b = 2`")];
            return;
        }
        let is_defined = after.trim_start().starts_with([':', '=']);
        if word == "from" && after.trim_start().starts_with("std") {
            report.suggestions = vec![String::from("the library needs no import: `:env std.` lists its parts")];
            return;
        }
        if let Some((_, advice)) = WORDS.iter().find(|(words, _)| words.contains(&word) && !is_defined) {
            report.suggestions = vec![String::from(*advice)];
            return;
        }
        let is_call = after.starts_with('(') || after.starts_with(' ') && after.trim_start().starts_with(is_operand);
        if commands::is_name(word) {
            report.suggestions.retain(|advice| !advice.starts_with(TEXT));
        } else if (is_call || after.starts_with('.'))
            && report.suggestions.iter().all(|advice| advice.starts_with(TEXT) || advice.starts_with(REDO))
        {
            report.suggestions.retain(|advice| advice.starts_with(REDO));
            report.suggestions.push(String::from("`:env` lists the names that are bound, and `:doc std` the library"));
        }
    }

    /// Adds advice about a definition that is written as in another language: `x += 1`.
    fn advise_about_assignment(&self, before: &str, sign: &str, after: &str, report: &mut Report) {
        let Some((name, operator)) = before.trim().split_at_checked(before.trim().len().saturating_sub(1)) else {
            return;
        };
        let name = name.trim();
        let is_operator = matches!(operator, "+" | "-" | "*" | "/" | "&");
        if sign == "=" && is_operator && self.world.is_bound(name) && !after.trim().is_empty() {
            report.suggestions = vec![format!("a name is bound again: `{name} = {name} {operator} {}`", after.trim())];
        }
    }

    /// Returns the format of an input that is data, and not a program: its lines look so, and a reader of this format accepts them.
    pub(super) fn pasted_format(&self, dialect: Dialect, text: &str) -> Option<PastedFormat> {
        if dialect != self.languages().standard() || text.len() > MOST {
            return None;
        }
        let format = pasted::format_of(text)?;
        let reader = self.languages().of_path(Path::new(&format!("x.{}", format.ending)))?;
        let source = self.world.add_input("<input>", text, reader);
        let program = reader.program(source, text, &*self.world);
        (!program.problems.iter().any(|problem| problem.severity == Severity::Error)).then_some(format)
    }

    /// Returns `true` if a source is an input and not a file.
    fn is_input(&self, source: SourceId) -> bool {
        let sources = self.world.sources.borrow();
        sources.get(source).is_some_and(|source| self.languages().of_path(Path::new(&*source.name)).is_none())
    }

    /// Returns another language that reads an input as records or definitions.
    pub(super) fn reader(&self, source: SourceId, text: &str) -> Option<Dialect> {
        let own = self.workspace.dialect_of(source)?;
        if text.len() > MOST {
            return None;
        }
        self.languages().interactive().filter(|other| *other != own).find(|other| {
            let cell = other.cell(source, text, &*self.world);
            let is_record = |item: &CellItem| match item {
                CellItem::Bind { .. } => true,
                CellItem::Expr(term) => matches!(term.node(term.root), Node::Record(_)),
            };
            let is_read = !cell.problems.iter().any(|problem| problem.severity == Severity::Error);
            is_read && !cell.items.is_empty() && cell.items.iter().all(is_record)
        })
    }
}

/// Returns whether a field of this name is written without quotes.
fn is_plain_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// Returns `true` for a sign with which an argument begins.
fn is_operand(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '"' | '{' | '[' | '(')
}

/// Returns the ending that a piece of advice wants the name of a file to have: `.json`.
fn ending(advice: &str) -> Option<&str> {
    let (_, rest) = advice.split_once("ends in `").or_else(|| advice.split_once("end in `"))?;
    rest.split('`').next().filter(|ending| ending.starts_with('.'))
}

/// Says that records have no elements, if a missing field is a number, and names the last element of an array for a path to none.
pub(super) fn about_elements(problem: &Problem, report: &mut Report) {
    if let Some((_, there)) = report.message.strip_prefix("no element `[").and_then(|rest| rest.split_once("`: it "))
        && problem.code() == "value/undefined"
    {
        let array =
            report.message.split_once(" in `").and_then(|(_, rest)| rest.split_once("`: it ")).map(|(path, _)| path);
        let last = there.rsplit('`').nth(1).filter(|last| last.starts_with('['));
        let which = if there.starts_with("has 1 element") { "only" } else { "last" };
        // the advice about calls of the library does not fit a path
        let advice = last.map(|last| match array {
            Some(array) => format!("the {which} element is `{array}{last}`"),
            None => format!("the {which} element has the index `{last}`"),
        });
        report.suggestions = advice.into_iter().collect();
        return;
    }
    if !matches!(problem.code(), "value/missing-field" | "types/missing-field") {
        return;
    }
    let name = report.message.split('`').nth(1).unwrap_or_default();
    if !name.is_empty() && name.chars().all(|c| c.is_ascii_digit()) && report.suggestions.is_empty() {
        report.suggestions.push(String::from("a record has fields and no elements: `a.name` instead of `a[0]`"));
    }
}
