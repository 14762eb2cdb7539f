//! The calls that work instead of a wrong one. A call is offered only if the command line accepts it.

mod words;

use crate::cli::Cli;
use crate::fault::{Fault, command};
use cfg_core::text::path::FieldPath;
use cfg_core::text::{near, near_files};
use cfg_core::{Format, Languages};
use clap::Command;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Maximum number of entries of a folder that are compared with the name of a missing file.
const ENTRIES: usize = 2000;

/// The words of a call.
pub struct Call {
    languages: Languages,
    definition: Command,
    /// The words, of which the first is `cfg`.
    words: Vec<String>,
    /// The indexes of the names of commands: `kernel`, `install`.
    names: Vec<usize>,
    /// The indexes of the words that are neither options nor their values, as far as a `--`.
    operands: Vec<usize>,
}

impl Call {
    /// Reads the words of a call. `None` if one of them is not UTF-8.
    pub fn new(languages: Languages, words: &[OsString]) -> Option<Call> {
        let mut definition = Cli::definition(languages);
        definition.build();
        let mut all: Vec<String> = words.iter().map(|word| word.to_str().map(String::from)).collect::<Option<_>>()?;
        *all.first_mut()? = String::from("cfg");
        let mut call = Call { languages, definition, words: all, names: Vec::new(), operands: Vec::new() };
        call.scan();
        Some(call)
    }

    /// Reads the words with which the process was called.
    pub fn of_process() -> Option<Call> {
        Call::new(Languages::default(), &std::env::args_os().collect::<Vec<_>>())
    }

    fn scan(&mut self) {
        let mut command = &self.definition;
        let mut words = self.words.iter().enumerate().skip(1);
        while let Some((at, word)) = words.next() {
            let takes_next = match word.strip_prefix("--") {
                Some("") => break,
                Some(long) => {
                    !long.contains('=') && self::takes_value(command, |arg| names(arg).any(|name| name == long))
                }
                None => match word.strip_prefix('-').filter(|letters| !letters.is_empty()) {
                    // `-ScV x`: the first letter with a value takes the rest of the word, or the next one
                    Some(letters) => letters
                        .find(|letter| self::takes_value(command, |arg| arg.get_short() == Some(letter)))
                        .is_some_and(|place| letters.get(place..).is_some_and(|rest| rest.chars().count() == 1)),
                    None => {
                        match command.find_subcommand(word).filter(|_| self.operands.is_empty()) {
                            Some(inner) => {
                                command = inner;
                                self.names.push(at);
                            }
                            None => self.operands.push(at),
                        }
                        false
                    }
                },
            };
            if takes_next {
                words.next();
            }
        }
    }

    /// Returns the definition of the command that is called.
    pub fn command(&self) -> &Command {
        let names = self.names.iter().filter_map(|at| self.words.get(*at));
        names.fold(&self.definition, |command, name| command.find_subcommand(name).unwrap_or(command))
    }

    /// Returns the definition of the whole command line.
    pub fn definition(&self) -> &Command {
        &self.definition
    }

    /// Returns the command with the name of the program: `cfg eval`.
    pub fn name(&self) -> String {
        let names = self.names.iter().filter_map(|at| self.words.get(*at));
        names.fold(String::from("cfg"), |all, name| all + " " + name)
    }

    /// Returns the words.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns the words that are neither options nor their values.
    pub fn operands(&self) -> impl Iterator<Item = &str> {
        self.operands.iter().filter_map(|at| self.words.get(*at)).map(String::as_str)
    }

    /// Returns `true` if the command has an option.
    pub fn has_option(&self, long: &str) -> bool {
        self.command().get_arguments().any(|arg| arg.get_long() == Some(long))
    }

    /// Returns `true` if the command line accepts the words.
    pub fn accepts(&self, words: &[String]) -> bool {
        use clap::error::ErrorKind::{DisplayHelp, DisplayVersion};
        let parsed = self.definition.clone().try_get_matches_from(words);
        parsed.map_or_else(|error| matches!(error.kind(), DisplayHelp | DisplayVersion), |_| true)
    }

    /// Writes a call if the command line accepts it.
    fn accepted(&self, words: &[String]) -> Option<String> {
        self.accepts(words).then(|| command(words))
    }

    /// Writes the call with words in the place of one.
    pub fn replaced(&self, word: &str, by: &[&str]) -> Option<String> {
        let mut words = self.words.clone();
        let at = words.iter().skip(1).position(|found| found == word)? + 1;
        words.splice(at..=at, by.iter().map(|word| word.to_string()));
        self.accepted(&words)
    }

    /// Returns the word after another one.
    pub fn after(&self, word: &str) -> Option<&str> {
        let at = self.words.iter().skip(1).position(|found| found == word)?;
        self.words.get(at + 2).map(String::as_str)
    }

    /// Reports a word that begins with a dash of a text processor, which stands for a hyphen: `—-at`, `–e`.
    pub fn typographic_dash(&self) -> Option<Fault> {
        let is_dash = |c: char| matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}');
        let (at, word) = self
            .words
            .iter()
            .enumerate()
            .skip(1)
            .find(|(_, word)| word.trim_start_matches('-').starts_with(is_dash) && !Path::new(word).exists())?;
        let rest = word.trim_start_matches(|c| c == '-' || is_dash(c));
        let mut words = self.words.clone();
        let plain = format!("{}{rest}", if rest.chars().count() == 1 { "-" } else { "--" });
        *words.get_mut(at)? = plain.clone();
        let fault = Fault::new(format!("`{word}` begins with a typographic dash, and an option with a hyphen"));
        Some(match self.scanned(words.clone()).accepted(&words) {
            Some(corrected) => fault.help(format!("did you mean {corrected}?")),
            None => fault.help(format!("did you mean `{plain}`?")),
        })
    }

    /// Reads other words.
    fn scanned(&self, words: Vec<String>) -> Call {
        let definition = self.definition.clone();
        let mut call = Call { languages: self.languages, definition, words, names: Vec::new(), operands: Vec::new() };
        call.scan();
        call
    }

    /// Writes `cfg help eval --at` as `cfg eval --help`.
    pub fn replaced_by_help(&self) -> String {
        let names = self.words.iter().skip(1).filter(|word| *word != "help" && !word.starts_with('-'));
        let words: Vec<String> =
            std::iter::once("cfg").chain(names.map(String::as_str)).chain(["--help"]).map(String::from).collect();
        command(&words)
    }

    /// Writes `cfg convert a.yaml json` as `cfg eval a.yaml --format json`.
    pub fn with_named_format(&self, name: &str) -> Option<String> {
        let mut words = self.words.clone();
        let at = words.iter().skip(1).position(|word| word == name)? + 1;
        *words.get_mut(at)? = String::from("eval");
        let call = self.scanned(words);
        let mut formats = call.operands().filter(|word| is_format(word));
        let format = formats.next()?;
        call.with_format(format)
    }

    /// Writes `cfg get a.yaml server.port` as `cfg eval a.yaml --at server.port`, and `cfg convert a.yaml --to json` as
    /// `cfg eval a.yaml --format json`.
    pub fn with_command_and_field(&self, word: &str, name: &str) -> Option<String> {
        let mut words = self.words.clone();
        let at = words.iter().skip(1).position(|found| found == word)? + 1;
        *words.get_mut(at)? = String::from(name);
        if let Some(at) =
            words.iter().position(|word| matches!(word.as_str(), "--to" | "-t" | "-o" | "--output-format"))
            && words.get(at + 1).is_some_and(|format| is_format(format))
        {
            *words.get_mut(at)? = String::from("--format");
            return self.accepted(&words);
        }
        let call = self.scanned(words);
        let fields: Vec<&str> = call.operands().filter(|word| !Path::new(word).is_file()).collect();
        let [field] = fields.as_slice() else { return None };
        if is_format(field) { None } else { call.with_field(field) }
    }

    /// Writes the call with the name of a format given as `--format`.
    fn with_format(&self, format: &str) -> Option<String> {
        let others: Vec<&str> = self.operands().filter(|word| *word != format).collect();
        let named = self.has_option("format") && !self.words.iter().any(|word| word.starts_with("--format"));
        if !named || !is_format(format) || others.is_empty() || !others.iter().all(|word| Path::new(word).is_file()) {
            return None;
        }
        self.replaced(format, &["--format", format])
    }

    /// Writes the call of a command that was given as an option: `cfg check --watch a.cfg` → `cfg watch a.cfg`.
    pub fn with_option_as_command(&self, option: &str, name: &str) -> Option<String> {
        let [at] = *self.names.as_slice() else { return None };
        self.definition.find_subcommand(name).filter(|command| !command.is_hide_set())?;
        let mut words = self.words.clone();
        *words.get_mut(at)? = String::from(name);
        words.retain(|word| word != option);
        (words.len() > 2).then(|| self.accepted(&words)).flatten()
    }

    /// Writes the call with words added, before a `--`.
    pub fn extended(&self, by: &[&str]) -> String {
        command(&self.with(by))
    }

    fn with(&self, more: &[&str]) -> Vec<String> {
        let mut words = self.words.clone();
        let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
        words.splice(end..end, more.iter().map(|word| word.to_string()));
        words
    }

    /// Writes the call with a command inserted: `cfg -e 1` → `cfg eval -e 1`.
    pub fn with_command(&self, name: &str) -> Option<String> {
        let mut words = self.words.clone();
        words.insert(1, String::from(name));
        self.accepted(&words)
    }

    /// Writes the call with the options that come before the command after it.
    pub fn options_moved(&self) -> Option<String> {
        let at = *self.names.first()?;
        let mut words = self.words.clone();
        let name = words.remove(at);
        words.insert(1, name);
        self.accepted(&words)
    }

    /// Writes the call with a field given as `--at`.
    pub fn with_field(&self, field: &str) -> Option<String> {
        let others: Vec<&str> = self.operands().filter(|word| *word != field).collect();
        let named = self.has_option("at") && self.is_field(field) && !self.words.iter().any(|word| word == "--at");
        if !named || others.is_empty() || !others.iter().all(|word| Path::new(word).is_file()) {
            return None;
        }
        let name = self.command().get_name();
        if others.len() > 1 && self.takes_field() {
            return None;
        }
        let mut words = self.with(&["--at", field]);
        if others.len() > 1 && name == "eval" && !self.words.iter().any(|word| word == "--layers") {
            words.push(String::from("--layers"));
        }
        let at = words.iter().skip(1).position(|word| word == field)? + 1;
        words.remove(at);
        self.accepted(&words)
    }

    /// Returns `true` for a word that may be the path of a field, and is not named like a file.
    pub fn is_field(&self, word: &str) -> bool {
        let path = Path::new(word);
        FieldPath::parse(word).is_ok() && !word.contains('/') && self.languages.of_path(path).is_none()
    }

    /// Returns `true` if the command takes a file and a field: `cfg explain FILE PATH`.
    fn takes_field(&self) -> bool {
        let names = self.command().get_positionals().flat_map(|arg| arg.get_value_names().unwrap_or_default());
        names.into_iter().any(|name| name.as_str() == "FILE PATH")
    }

    /// Returns the advice about a word that is read as the name of a file, and is not one.
    pub fn about_missing(&self, name: &str) -> Vec<String> {
        if self.is_value_after_blank(name) {
            return Vec::new();
        }
        if let Some(call) = self.with_assignment(name) {
            return vec![format!("to set a field: {call}")];
        }
        if let Some((revision, path)) = name.split_once(':')
            && !path.is_empty()
            && !revision.contains(['/', '.', '\\'])
            && crate::git::is_revision(revision)
        {
            let shown = cfg_core::text::shell_argument(name);
            return vec![format!(
                "only `cfg diff` reads files at a revision: write it to a file first, with `git show {shown}`"
            )];
        }
        if is_pattern(name) {
            return vec![String::from("a shell passes a pattern that matches nothing as it is written")];
        }
        // `a.yaml,b.yaml`
        let parts: Vec<&str> = name.split(',').map(str::trim).collect();
        if parts.len() > 1 && parts.iter().all(|part| Path::new(part).is_file()) {
            let call = self.replaced(name, &parts);
            return call.map(|call| format!("did you mean {call}?")).into_iter().collect();
        }
        if let Some(call) = self.with_path_split(name).or_else(|| self.with_format(name)) {
            return vec![format!("did you mean {call}?")];
        }
        if let Some(call) = self.with_blanks_quoted(name) {
            return vec![format!("a name with a blank is quoted in a path: {call}")];
        }
        let reads_text = self.command().get_arguments().any(|arg| arg.get_short() == Some('e'));
        if reads_text && looks_like_program(name) && self.languages.of_path(Path::new(name)).is_none() {
            let call = self.replaced(name, &["-e", name]);
            return call.map(|call| format!("to read it as the text of a program: {call}")).into_iter().collect();
        }
        if let Some(found) = self.similar_file(name) {
            let known = |word: &str| word == name || Path::new(word).exists();
            return match self.replaced(name, &[&found]).filter(|_| self.operands().all(known)) {
                Some(call) => vec![format!("did you mean {call}?")],
                None => vec![format!("did you mean `{found}`?")],
            };
        }
        if self.takes_field() && self.is_field(name) {
            let order = "the file comes first, then the field";
            return match self.operands().collect::<Vec<_>>().as_slice() {
                [field] if *field == name => vec![format!("{order}: {}", self.with_file_before(field))],
                [field, file] if *field == name && Path::new(file).is_file() => {
                    let call = self.swapped();
                    call.map(|call| format!("{order}: {call}")).into_iter().collect()
                }
                _ => Vec::new(),
            };
        }
        if let Some(call) = self.with_field(name) {
            return vec![format!("for a field of the result: {call}")];
        }
        let fields: Vec<&str> = self.operands().filter(|word| !Path::new(word).is_file()).collect();
        let call = self.with_first_field(&fields).filter(|_| self.operands().count() == fields.len() + 1);
        call.map(|call| format!("for one field of the result: {call}")).into_iter().collect()
    }

    /// Writes the call with a field that is written behind the name of its file: `a.cfg.port`, `a.cfg:port`, `a.cfg#port`.
    fn with_path_split(&self, word: &str) -> Option<String> {
        let cuts = word.char_indices().filter(|(_, c)| matches!(c, '.' | ':' | '#'));
        let mut found = cuts.filter_map(|(at, _)| Some((word.get(..at)?, word.get(at + 1..)?)));
        let is_field = |path: &str| {
            let begins = path.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '"'));
            begins && FieldPath::parse(path).is_ok()
        };
        let (file, field) = found.find(|(file, field)| Path::new(file).is_file() && is_field(field))?;
        if self.words.iter().any(|word| word == "--at") {
            return None;
        }
        match self.takes_field() {
            true => self.replaced(word, &[file, field]),
            false if self.has_option("at") => self.replaced(word, &[file, "--at", field]),
            false => None,
        }
    }

    /// Writes the call with the blank in the path of `--at a b` quoted.
    fn with_blanks_quoted(&self, word: &str) -> Option<String> {
        let at = self.words.iter().skip(1).position(|found| found == word)? + 1;
        let option = self.words.get(at.checked_sub(2)?)?;
        let path = self.words.get(at - 1)?;
        let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        let (parent, name) =
            path.rsplit_once('.').map_or((String::new(), path.as_str()), |(parent, name)| (format!("{parent}."), name));
        if !matches!(option.as_str(), "--at" | "--field") || !is_word(name) || !is_word(word) {
            return None;
        }
        let mut words = self.words.clone();
        words.splice(at - 1..=at, [format!("{parent}\"{name} {word}\"")]);
        self.accepted(&words)
    }

    /// Returns the fault of the words after `--` that assign nothing: `-- port`.
    pub fn about_overrides(&self, words: &[String]) -> Option<Fault> {
        let word = words
            .iter()
            .find(|word| !word.contains('=') && !word.starts_with('-') && FieldPath::parse(word).is_ok())?;
        let end = self.words.iter().position(|word| word == "--")?;
        let at = end + 1 + self.words.get(end + 1..)?.iter().position(|found| found == word)?;
        let mut printed = self.words.clone();
        let fault = Fault::new(format!("`{word}` is not an assignment `PATH=VALUE`, which `--` is followed by"))
            .help(format!("a field without a value gets one by `-- {word}=VALUE`"));
        printed.remove(at);
        if printed.last().is_some_and(|last| last == "--") {
            printed.pop();
        }
        let is_given = printed.iter().any(|word| word == "--at");
        let end = printed.iter().position(|word| word == "--").unwrap_or(printed.len());
        printed.splice(end..end, ["--at".to_string(), word.clone()]);
        Some(match self.accepted(&printed).filter(|_| self.has_option("at") && !is_given) {
            Some(call) => fault.help(format!("to read it: {call}")),
            None => fault,
        })
    }

    /// Writes the call with a word as the value of `--set`: `--set a.b 3` and `a.b=3` become `--set a.b=3`.
    fn with_assignment(&self, word: &str) -> Option<String> {
        let at = self.words.iter().skip(1).position(|found| found == word)? + 1;
        let mut words = self.words.clone();
        let is_path = |text: &str| FieldPath::parse(text).is_ok();
        let before = at.checked_sub(1).and_then(|field| Some((field, words.get(field)?.clone())));
        // `--set a = 1`: three words
        if word == "="
            && let Some((field, path)) = before.clone()
            && let Some(value) = words.get(at + 1).cloned()
            && field > 0
            && words.get(field - 1).is_some_and(|option| option.starts_with("--set"))
            && is_path(&path)
        {
            words.splice(field..=at + 1, [format!("{path}={value}")]);
            return self.accepted(&words);
        }
        match (before, word.split_once('=')) {
            (Some((field, path)), _)
                if field > 0
                    && words.get(field - 1).is_some_and(|option| option.starts_with("--set"))
                    && !path.contains('=')
                    && is_path(&path) =>
            {
                words.splice(field..=at, [format!("{path}={word}")]);
            }
            (_, Some((path, _))) if self.has_option("set") && is_path(path) => {
                words.splice(at..=at, [String::from("--set"), word.to_string()]);
            }
            _ => return None,
        }
        self.accepted(&words)
    }

    /// Returns whether a word is the value of `--set a = 1`, about which the word `=` is reported.
    fn is_value_after_blank(&self, word: &str) -> bool {
        let Some(at) = self.words.iter().skip(1).position(|found| found == word) else { return false };
        let before = |back: usize| (at + 1).checked_sub(back).and_then(|at| self.words.get(at));
        before(1).is_some_and(|word| word == "=") && before(3).is_some_and(|word| word.starts_with("--set"))
    }

    /// Writes the call without each of the options with a name: `-f a.yaml -f b.yaml` → `a.yaml b.yaml`.
    pub fn without_option(&self, option: &str) -> Option<String> {
        let mut words: Vec<String> = self.words.iter().filter(|word| *word != option).cloned().collect();
        // `helm -f a -f b`: the later file is over the earlier one
        let is_stacked = self.name() == "cfg merge" && self.words.len() - words.len() > 1;
        if is_stacked && !words.iter().any(|word| word == "--layers") {
            words.insert(2, String::from("--layers"));
        }
        self.accepted(&words)
    }

    /// Writes the call with `FILE` before a word.
    fn with_file_before(&self, word: &str) -> String {
        let mut words = self.words.clone();
        let at = words.iter().skip(1).position(|found| found == word).map_or(words.len(), |at| at + 1);
        words.insert(at, String::from("FILE"));
        command(&words)
    }

    /// Writes the call with its two operands exchanged.
    fn swapped(&self) -> Option<String> {
        let [first, second] = *self.operands.as_slice() else { return None };
        let mut words = self.words.clone();
        words.swap(first, second);
        self.accepted(&words)
    }

    /// Finds an existing file with a similar name in the same folder: `bse.yaml` → `base.yaml`, `base` → `base.yaml`.
    pub fn similar_file(&self, name: &str) -> Option<String> {
        // nothing is said about what is outside of a root
        if self.words.iter().any(|word| word == "--root" || word.starts_with("--root="))
            || std::env::var_os(crate::loader::ROOT_VARIABLE).is_some()
        {
            return None;
        }
        let path = Path::new(name);
        let wanted = path.file_name()?.to_str()?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.exists()) {
            let meant = similar_folder(folder)?.join(wanted);
            return meant.is_file().then(|| meant.to_string_lossy().into_owned());
        }
        let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?.take(ENTRIES).flatten();
        let files = entries.filter(|entry| entry.path().is_file());
        let mut found: Vec<String> = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        found.sort();
        let ended = |file: &&String| {
            file.strip_prefix(wanted).is_some_and(|ending| ending.starts_with('.'))
                && self.languages.of_path(Path::new(file)).is_some()
        };
        let meant = match found.iter().find(ended) {
            Some(file) => file.clone(),
            None => near_files(wanted, found.iter().map(String::as_str)).first()?.to_string(),
        };
        Some(folder.map_or(meant.clone(), |folder| folder.join(&meant).to_string_lossy().into_owned()))
    }

    /// Returns the advice about a folder in the place of a file: its files.
    pub fn about_folder(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let known = |path: &Path| self.languages.of_path(path).is_some() && path.is_file();
        let mut files: Vec<_> =
            entries.take(ENTRIES).flatten().map(|entry| entry.path()).filter(|path| known(path)).collect();
        files.sort();
        let Some(first) = files.first().and_then(|path| path.file_name()) else { return Vec::new() };
        let file = Path::new(folder).join(first);
        let call = self.replaced(folder, &[&file.to_string_lossy()]);
        call.map(|call| format!("name a file in it: {call}")).into_iter().collect()
    }

    /// Returns the fault of a call that has no program.
    pub fn needs_file(&self) -> Fault {
        let fault = Fault::new(format!("`{}` needs a file", self.name()));
        let command = self.command();
        let positional = command.get_positionals().next();
        let about = positional.and_then(|arg| arg.get_help()).map(ToString::to_string).unwrap_or_default();
        if command.get_name() == "diff" {
            let fault = Fault::new(format!("`{}` needs two files", self.name()));
            return fault.help("`cfg diff OLD NEW`, or `cfg diff A B -- C D` to compare layers");
        }
        let words = if self.takes_field() { vec!["FILE", "PATH"] } else { vec!["FILE"] };
        let fault = fault.help(self.extended(&words));
        let text = command.get_arguments().any(|arg| arg.get_short() == Some('e'));
        match (text, about.contains("`-`")) {
            (true, true) => {
                fault.help("instead of FILE: `-e 'PROGRAM'` for a program's text, or `-` for standard input")
            }
            (true, false) => fault.help("instead of FILE: `-e 'PROGRAM'` for a program's text"),
            (false, true) => fault.help("FILE may be `-`, for standard input"),
            (false, false) => fault,
        }
    }
}

/// Returns whether the call has a root, outside of which nothing is said about files.
pub fn has_root() -> bool {
    let mut words = std::env::args_os();
    words.any(|word| word.to_str().is_some_and(|word| word == "--root" || word.starts_with("--root=")))
        || std::env::var_os(crate::loader::ROOT_VARIABLE).is_some()
}

/// Finds an existing folder with a similar name beside a missing one.
pub fn similar_folder(folder: &Path) -> Option<PathBuf> {
    if has_root() {
        return None;
    }
    let name = folder.file_name()?.to_str()?;
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    let entries = std::fs::read_dir(parent.unwrap_or(Path::new("."))).ok()?.take(ENTRIES).flatten();
    let folders = entries.filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let meant = near(name, names.iter().map(String::as_str)).into_iter().next()?;
    Some(parent.map_or_else(|| PathBuf::from(meant.as_str()), |parent| parent.join(meant.as_str())))
}

/// Returns the names of an option, without hyphens.
pub fn names(arg: &clap::Arg) -> impl Iterator<Item = &str> {
    arg.get_long().into_iter().chain(arg.get_all_aliases().unwrap_or_default())
}

fn takes_value(command: &Command, is_meant: impl Fn(&clap::Arg) -> bool) -> bool {
    command.get_arguments().any(|arg| !arg.is_positional() && is_meant(arg) && arg.get_action().takes_values())
}

/// Returns `true` for the name of an output format.
fn is_format(word: &str) -> bool {
    Format::from_name(word).is_some() && !Path::new(word).exists()
}

/// Returns `true` for a pattern of the shell that matched no file: `*.yaml`, `conf/*`.
pub fn is_pattern(word: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '*' | '?' | '.' | '/' | '_' | '-' | '[' | ']');
    let ends = word.split("*.").skip(1).any(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '*'));
    word.chars().all(is_plain) && word.contains('*') && (ends || word.contains("/*") || word.contains("*/"))
}

/// Returns `true` for a word with signs that names of files rarely have: `{ a = 1 }`, `1+1`, `std.array.map f`.
pub fn looks_like_program(word: &str) -> bool {
    let sign =
        |c: char| matches!(c, '{' | '}' | '[' | ']' | '(' | ')' | '"' | '\'' | '=' | '+' | '*' | ';' | '<' | '>' | '|');
    word.contains(sign) && !Path::new(word).exists() || (!word.is_empty() && word.chars().all(|c| c.is_ascii_digit()))
}
