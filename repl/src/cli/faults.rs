//! The reports of wrong command lines. clap finds the fault; its kind and its context say what is wrong.

use crate::advice::{Call, looks_like_program, names};
use crate::fault::{Fault, command, listed};
use cfg_core::text::{near, shell_argument};
use cfg_core::{Format, Languages};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::path::Path;

/// Names of commands in other programs, and the ones here.
const COMMANDS: [(&str, &str); 24] = [
    ("run", "eval"),
    ("show", "eval"),
    ("print", "eval"),
    ("export", "eval"),
    ("render", "eval"),
    ("get", "eval"),
    ("cat", "eval"),
    ("convert", "eval"),
    ("lint", "check"),
    ("validate", "check"),
    ("test", "check"),
    ("typecheck", "check"),
    ("vet", "check"),
    ("format", "fmt"),
    ("shell", "repl"),
    ("console", "repl"),
    ("combine", "merge"),
    ("apply", "merge"),
    ("compare", "diff"),
    ("blame", "explain"),
    ("trace", "explain"),
    ("where", "explain"),
    ("infer", "type"),
    ("lesson", "learn"),
];
/// Names of options in other programs, and the ones here.
const OPTIONS: [(&str, &str); 12] = [
    ("output", "--format"),
    ("lang", "--dialect"),
    ("language", "--dialect"),
    ("expr", "-e"),
    ("expression", "-e"),
    ("eval", "-e"),
    ("key", "--at"),
    ("include", "--import-path"),
    ("select", "--at"),
    ("raw", "-S"),
    ("raw-output", "-S"),
    ("r", "-S"),
];

/// Names of options that take a file in other programs. Here files have no option.
const FILES: [&str; 5] = ["f", "file", "filename", "values", "input"];

/// Options with which other formatters write the file, as `cfg fmt` does without one.
const WRITES: [&str; 5] = ["w", "write", "i", "in-place", "inplace"];

/// Returns the report of a wrong command line. `None` for what clap prints: help pages, the version, rare faults.
pub fn of(error: &clap::Error, languages: Languages, call: &Call) -> Option<Fault> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => texts.first().cloned(),
        _ => None,
    };
    if let Some(fault) = call.typographic_dash() {
        return Some(fault);
    }
    match error.kind() {
        ErrorKind::InvalidSubcommand => Some(unknown_command(languages, call, &text(ContextKind::InvalidSubcommand)?)),
        ErrorKind::UnknownArgument => {
            let word = text(ContextKind::InvalidArg)?;
            Some(if word.starts_with('-') { unknown_option(call, &word) } else { surplus(call, &word) })
        }
        ErrorKind::TooManyValues => {
            let (value, argument) =
                (text(ContextKind::InvalidValue)?, text(ContextKind::InvalidArg).unwrap_or_default());
            Some(if argument.starts_with('-') {
                switch_with_value(call, &bare(&argument), &value)
            } else {
                surplus(call, &value)
            })
        }
        ErrorKind::InvalidValue => {
            let option = text(ContextKind::InvalidArg)?;
            let known = match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(known)) => known.as_slice(),
                _ => &[],
            };
            // `cfg --dialect yaml eval x`: the option of the prompt knows fewer values
            if call.words().get(1).is_some_and(|first| first.starts_with('-')) && call.options_moved().is_some() {
                return Some(before_command(call));
            }
            Some(wrong_value(languages, &option, &text(ContextKind::InvalidValue)?, known))
        }
        ErrorKind::ValueValidation => {
            let reason = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
            Some(refused_value(&text(ContextKind::InvalidArg)?, &text(ContextKind::InvalidValue)?, &reason))
        }
        ErrorKind::ArgumentConflict => {
            Some(conflict(call, &text(ContextKind::InvalidArg)?, &text(ContextKind::PriorArg)?))
        }
        ErrorKind::MissingRequiredArgument => Some(missing(call, &text(ContextKind::InvalidArg)?)),
        _ => None,
    }
}

/// Reports options of the prompt before a command: `cfg --dialect jsonnet eval x`.
pub fn before_command(call: &Call) -> Fault {
    let name = call.name();
    let fault = Fault::new("options of a command come after its name");
    match call.options_moved() {
        Some(moved) => fault.help(moved),
        None => {
            let before = call.words().iter().skip(1).take_while(|word| word.starts_with('-'));
            let before: Vec<String> = before.map(|word| format!("`{word}`")).collect();
            Fault::new(format!("`{name}` does not take the options of the prompt: {}", listed(&before, "and")))
                .help(format!("`{name} --help` lists its options"))
        }
    }
}

/// Reports a value of an option that takes none: `--layers=a.yaml,b.yaml`.
fn switch_with_value(call: &Call, option: &str, value: &str) -> Fault {
    let fault = Fault::new(format!("`{option}` takes no value: `{value}` is too much"));
    let mut words = vec![option];
    words.extend(value.split(',').map(str::trim));
    let files = words.iter().skip(1).all(|word| Path::new(word).is_file());
    words.truncate(if files { words.len() } else { 1 });
    let corrected = call.replaced(&format!("{option}={value}"), &words);
    match corrected {
        Some(corrected) => fault.help(format!("did you mean {corrected}?")),
        None => fault,
    }
}

fn unknown_command(languages: Languages, call: &Call, word: &str) -> Fault {
    if word.starts_with('-') {
        return Fault::new(format!("`cfg help` takes the names of commands: `{word}` is an option"))
            .help(format!("to read about the options: {}", call.replaced_by_help()));
    }
    let rest = |name: &str| {
        let corrected = call.replaced(word, &[name]);
        corrected.unwrap_or_else(|| format!("`{} {name}`", call.name()))
    };
    // `cfg help evl` takes the names of commands, not those of files
    let name = call.name().replacen("cfg help", "cfg", 1);
    let is_first = call.name() == "cfg";
    let path = Path::new(word);
    if is_first && (path.is_file() || languages.of_path(path).is_some()) {
        let mut words = call.words().to_vec();
        words.insert(1, String::from("eval"));
        let prompt = command(&["cfg".into(), "repl".into(), word.into()]);
        if path.is_file() {
            return Fault::new(format!("`{word}` is a file, and a command is expected before it"))
                .help(format!("to print its value: {}", command(&words)))
                .help(format!("to load it at the prompt: {prompt}"));
        }
        let fault = Fault::new(format!("`{word}` is not a command, and there is no such file"));
        return match call.similar_file(word) {
            Some(found) => {
                let meant = words.iter().map(|given| if given == word { found.clone() } else { given.clone() });
                fault.help(format!("did you mean {}?", command(&meant.collect::<Vec<_>>())))
            }
            None => fault.help("a command comes before the file, as in `cfg eval FILE`"),
        };
    }
    if is_first && path.is_dir() {
        return Fault::new(format!("`{word}` is a folder, and a command is expected"))
            .help("`cfg --help` lists the commands");
    }
    let fault = Fault::new(format!("`{name}` has no command `{word}`"));
    if is_first && looks_like_program(word) {
        let mut words = call.words().to_vec();
        words.splice(1..2, ["eval".into(), "-e".into(), word.to_string()]);
        return fault.help(format!("to evaluate it as the text of a program: {}", command(&words)));
    }
    let own = call.command().get_subcommands().filter(|command| !command.is_hide_set());
    let known: Vec<String> = own.map(|command| command.get_name().to_string()).collect();
    let synonym = COMMANDS.iter().find(|(other, own)| *other == word && known.iter().any(|name| name == own));
    // `cfg get a.yaml server.port`
    if let Some(corrected) = synonym.filter(|_| is_first).and_then(|(_, own)| call.with_command_and_field(word, own)) {
        return fault.help(format!("did you mean {corrected}?"));
    }
    // `kubectl get deployment` asks another program
    let has_files = call.operands().filter(|other| *other != word).all(|other| Path::new(other).exists());
    let synonym = synonym.filter(|_| has_files);
    // `cfg convert base.yaml json`
    let to_format = COMMANDS.iter().find(|(other, own)| *other == word && *own == "eval");
    if let (true, Some(corrected)) = (is_first && to_format.is_some(), call.with_named_format(word)) {
        return fault.help(format!("did you mean {corrected}?"));
    }
    let fault = match (synonym, nearest(word, known.iter().map(String::as_str))) {
        (Some((_, own)), _) => fault.help(format!("did you mean {}?", rest(own))),
        (None, Some(found)) => fault.help(format!("did you mean {}?", rest(&found))),
        (None, None) => fault,
    };
    if matches!(word, "theme" | "themes" | "config" | "settings" | "set" | "options") {
        return fault
            .help("`:set` at the prompt lists the options, such as `theme`; those for every session are in cfg.toml");
    }
    if word == "version" {
        return fault.help("did you mean `cfg --version`?");
    }
    if let (true, Some(topic)) = (call.name() == "cfg help", cfg_core::lessons::help_topic(word)) {
        return fault.help(format!("it is a topic of the prompt: `:help {topic}`"));
    }
    match fault.help.is_empty() {
        true => fault.help(format!("`{name} --help` lists the commands")),
        false => fault,
    }
}

fn unknown_option(call: &Call, option: &str) -> Fault {
    let name = call.name();
    let visible = |command: &clap::Command| {
        let all = command.get_arguments().filter(|arg| !arg.is_positional() && !arg.is_hide_set());
        all.cloned().collect::<Vec<_>>()
    };
    let options = visible(call.command());
    // the whole word: clap reports the first letter of `-format`
    let word = call.words().iter().find(|word| word.starts_with(option) && !option.starts_with("--"));
    let word = word.map_or(option, String::as_str);
    let bare = word.trim_start_matches('-').split('=').next().unwrap_or_default();
    let fault = Fault::new(format!("`{name}` has no option `{option}`"));
    if word.len() > 2 && !word.starts_with("--") && options.iter().any(|arg| names(arg).any(|name| name == bare)) {
        return Fault::new(format!("`{name}` has no option `-{bare}`")).help(format!("did you mean `--{bare}`?"));
    }
    // `'--set port=3'`
    let whole = call.words().iter().find(|word| word.starts_with(option)).map_or(word, String::as_str);
    if let Some((first, rest)) = whole.split_once(char::is_whitespace)
        && let Some(corrected) = call.replaced(whole, &[first, rest.trim()])
    {
        return Fault::new(format!("`{name}` has no option `{whole}`: the option and its value are two words"))
            .help(format!("did you mean {corrected}?"));
    }
    if name == "cfg" {
        let known = [("v", "-V"), ("verbose", "--help"), ("?", "--help")];
        let own = nearest(bare, ["version", "help"]).filter(|_| bare.len() > 3).map(|own| format!("--{own}"));
        let own = own.or(known.iter().find(|(other, _)| *other == bare).map(|(_, own)| own.to_string()));
        if let Some(own) = own {
            return fault.help(format!("did you mean `cfg {own}`?"));
        }
        return before_any_command(call, option, bare).unwrap_or(fault.help("`cfg --help` lists the options"));
    }
    if let (true, Some(corrected)) = (name == "cfg fmt" && WRITES.contains(&bare), call.without_option(option)) {
        return fault
            .help(format!("`cfg fmt` changes the files without an option: {corrected}"))
            .help("`--check` only reports the files that would change");
    }
    if let (true, Some(corrected)) =
        (WRITES.contains(&bare) && call.has_option("in-place"), call.replaced(option, &["--in-place"]))
    {
        return fault.help(format!("did you mean {corrected}?"));
    }
    if name == "cfg diff" {
        let help = match bare {
            "layers" => {
                call.without_option(option).map(|call| format!("several files of a side are layers without it: {call}"))
            }
            "set" | "set-string" | "set-json" | "env" => Some(String::from(
                "write the value to a file, and name it after the file of its side: `cfg diff A -- B VALUE`",
            )),
            _ => None,
        };
        if let Some(help) = help {
            return fault.help(help);
        }
    }
    if let Some(help) = about_output(call, bare, option) {
        return fault.help(help);
    }
    // `-f yaml`: a value of an option, and not a file
    let value = call.after(option).filter(|value| !Path::new(value).exists());
    let of_value = value.and_then(|value| {
        let takes = |arg: &&clap::Arg| arg.get_possible_values().iter().any(|known| known.matches(value, true));
        let long = options.iter().find(takes)?.get_long()?;
        call.replaced(option, &[&format!("--{long}")])
    });
    let is_format = bare == "format";
    if is_format && !options.iter().any(|arg| names(arg).any(|name| name == bare)) {
        return fault.help(format!("`{name}` prints text only"));
    }
    if let Some(corrected) = of_value.filter(|_| !OPTIONS.iter().any(|(other, _)| *other == bare)) {
        return fault.help(format!("did you mean {corrected}?"));
    }
    // `cfg check --watch`
    if let Some(corrected) = call.with_option_as_command(option, bare) {
        return fault.help(format!("did you mean {corrected}?"));
    }
    let takes_files = call.command().get_positionals().any(|arg| arg.get_value_names().is_some());
    if let (true, Some(call)) = (FILES.contains(&bare) && takes_files, call.without_option(option)) {
        return fault.help(format!("files are named without an option: {call}"));
    }
    let longs: Vec<&str> = options.iter().flat_map(names).collect();
    let has = |long: &str| match long.strip_prefix("--") {
        Some(long) => longs.contains(&long),
        None => options.iter().any(|arg| arg.get_short() == long.chars().nth(1)),
    };
    // `--json` is a value of `--format`, `--path` the value of `--at`
    let valued = |arg: &&clap::Arg| arg.get_possible_values().iter().any(|value| value.matches(bare, true));
    let upper = bare.to_ascii_uppercase();
    let named = |arg: &&clap::Arg| arg.get_value_names().is_some_and(|names| names.iter().any(|name| *name == *upper));
    let named: Vec<&str> = options.iter().filter(named).filter_map(clap::Arg::get_long).collect();
    let short = bare.chars().next().filter(|_| option.len() == 2);
    let is_meant = |arg: &clap::Arg| names(arg).any(|name| name == bare) || short.is_some() && arg.get_short() == short;
    let others = call.definition().get_subcommands().filter(|command| visible(command).iter().any(is_meant));
    let others: Vec<String> = others.take(4).map(|command| format!("`cfg {}`", command.get_name())).collect();
    let synonym = OPTIONS.iter().find(|(other, own)| *other == bare && has(own));
    let meant = match (synonym, options.iter().find(valued).and_then(clap::Arg::get_long), named.as_slice()) {
        (Some((_, meant)), _, _) => Some(meant.to_string()),
        (None, Some(long), _) => Some(format!("--{long} {bare}")),
        (None, None, [long]) if bare.len() > 1 => Some(format!("--{long} {upper}")),
        _ if others.is_empty() && bare.len() > 1 => {
            nearest(bare, longs.iter().copied()).map(|long| format!("--{long}"))
        }
        _ => None,
    };
    match (meant, others.as_slice()) {
        (Some(meant), _) => fault.help(format!("did you mean `{meant}`?")),
        (None, []) => fault.help(format!("`{name} --help` lists the options")),
        (None, [only]) => fault.help(format!("{only} has it")).help(format!("`{name} --help` lists the options")),
        (None, some) => {
            fault.help(format!("{} have it", listed(some, "and"))).help(format!("`{name} --help` lists the options"))
        }
    }
}

/// Says where the result is written, for an option that names the output in other programs: `--output out.json`.
fn about_output(call: &Call, bare: &str, option: &str) -> Option<String> {
    if !matches!(bare, "o" | "out" | "output" | "output-file" | "outfile") {
        return None;
    }
    let given = call.words().iter().find_map(|word| word.strip_prefix(option)?.strip_prefix('='));
    let value = given.or_else(|| call.after(option)).filter(|value| Format::from_name(value).is_none())?;
    if call.has_option("output-file") {
        let meant = match given {
            Some(_) => call.replaced(&format!("{option}={value}"), &["-o", value]),
            None => call.replaced(option, &["-o"]),
        };
        return meant.map(|meant| format!("did you mean {meant}?"));
    }
    (call.name() == "cfg merge")
        .then(|| format!("the result is printed: the shell writes it to a file with `> {}`", shell_argument(value)))
}

/// Reports an option of commands that no command comes before: `cfg -e 1`.
fn before_any_command(call: &Call, option: &str, bare: &str) -> Option<Fault> {
    let known = || call.definition().get_subcommands().filter(|command| !command.is_hide_set());
    let commands = || known().map(clap::Command::get_name).filter(|name| *name != "repl");
    let fault = Fault::new(format!("a command is expected before `{option}`"));
    let files = call.operands().filter(|word| Path::new(word).is_file()).count();
    if bare == "layers"
        && files > 1
        && let Some(corrected) = call.with_command("merge")
    {
        return Some(fault.help(format!("did you mean {corrected}?")));
    }
    let has_program =
        call.operands().any(|word| Path::new(word).is_file()) || call.words().iter().any(|word| word == "-e");
    if let Some(corrected) = commands().find_map(|name| call.with_command(name)).filter(|_| has_program) {
        return Some(fault.help(format!("did you mean {corrected}?")));
    }
    let eval = known().find(|command| command.get_name() == "eval")?;
    let long = nearest(bare, eval.get_arguments().flat_map(names));
    let has = eval.get_arguments().any(|arg| names(arg).any(|name| name == bare));
    let long = if has { bare.to_string() } else { long.filter(|_| bare.len() > 1)? };
    let value = eval.get_arguments().find(|arg| arg.get_long() == Some(&long)).and_then(|arg| arg.get_value_names());
    let value: String = value.into_iter().flatten().map(|name| format!(" {name}")).collect();
    Some(match has {
        true => fault.help(format!("as in `cfg eval FILE --{long}{value}`")),
        false => Fault::new(format!("`cfg` has no option `{option}`"))
            .help(format!("did you mean `--{long}`, after a command? `cfg eval FILE --{long}{value}`")),
    })
}

/// Reports an unknown output format of `cfg merge`.
pub fn unknown_format(name: &str) -> Fault {
    let fault = Fault::new("the formats are json, yaml, toml, text, properties and dotenv");
    if name == "html" { fault.help("`html` is a format of `--explain`") } else { fault }
}

/// Reports a word that is neither an option nor has a place.
pub fn surplus(call: &Call, word: &str) -> Fault {
    let name = call.name();
    let operands: Vec<&str> = call.operands().collect();
    let files: Vec<&str> = operands.iter().copied().filter(|word| Path::new(word).is_file()).collect();
    let fields: Vec<&str> = operands.iter().copied().filter(|word| !files.contains(word)).collect();
    if let [field] = fields.as_slice()
        && let Some(corrected) = call.with_field(field)
    {
        return Fault::new(format!("`{name}` takes one file; `{field}` is not a file"))
            .help(format!("for a field of the result: {corrected}"));
    }
    if let Some(fault) = call.program_in_words() {
        return fault;
    }
    let takes = call.command().get_positionals().filter(|arg| !arg.is_last_set() && !arg.is_hide_set());
    let takes: Vec<String> =
        takes.flat_map(|arg| arg.get_value_names().unwrap_or_default()).map(ToString::to_string).collect();
    let fault = match takes.as_slice() {
        [] => Fault::new(format!("`{name}` takes no argument: `{word}` is too much")),
        some if some.concat() == "FILE PATH" => {
            Fault::new(format!("`{name}` takes one file and one field: `{word}` is too much"))
        }
        some => {
            let takes = if some.concat() == "FILE" { "one file".into() } else { format!("only {}", some.join(" ")) };
            Fault::new(format!("`{name}` takes {takes}: `{word}` is too much"))
        }
    };
    // `cfg type a.cfg port url`
    if let ([_], Some(corrected)) = (files.as_slice(), call.with_first_field(&fields)) {
        return fault.help(format!("for one field of the result: {corrected}"));
    }
    match (name.as_str(), fields.as_slice()) {
        ("cfg explain" | "cfg why" | "cfg query" | "cfg deps", [] | [_]) if files.len() > 1 => {
            let words = name.split(' ').chain(["--layers"]).chain(files).chain(fields).map(String::from);
            fault.help(format!("to merge the files first: {}", command(&words.collect::<Vec<_>>())))
        }
        ("cfg type" | "cfg graph" | "cfg watch", []) if files.len() > 1 => {
            let mut words: Vec<String> = ["cfg", "merge", "--layers"].map(String::from).into();
            words.extend(files.iter().map(|word| word.to_string()));
            fault.help(format!("to merge the files: {}", command(&words)))
        }
        _ => match call.replaced(word, &[]) {
            Some(corrected) => fault.help(format!("without it: {corrected}")),
            None => fault.help(format!("`{name} --help` shows what it takes")),
        },
    }
}

/// Returns the nearest name; of several near ones, one that begins with the same letter, if there is one.
fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let near = near(word, names);
    let alike = near.iter().find(|name| name.chars().next() == word.chars().next());
    alike.or(near.first()).map(ToString::to_string)
}

/// Removes from an argument's name what clap adds: `--format <FORMAT>` → `--format`, `[FILE]...` → `FILE`.
fn bare(argument: &str) -> String {
    match argument.starts_with('-') {
        true => argument.split([' ', '=', '[']).next().unwrap_or_default().to_string(),
        false => argument.trim_end_matches('.').trim_matches(['<', '>', '[', ']']).to_string(),
    }
}

/// Returns the name of the value in an argument: `--at <PATH>` → `PATH`.
fn value_name(argument: &str) -> Option<&str> {
    Some(argument.split_once('<')?.1.rsplit_once('>')?.0)
}

fn wrong_value(languages: Languages, argument: &str, value: &str, known: &[String]) -> Fault {
    let option = bare(argument);
    let choices = listed(known, "or");
    if value.is_empty() && !option.starts_with('-') {
        return Fault::new(format!("{option} is an empty word"));
    }
    if value.is_empty() {
        let name = value_name(argument).unwrap_or("VALUE");
        let fault = Fault::new(format!("`{option}` needs a value: `{option} {name}`"));
        return if known.is_empty() { fault } else { fault.help(format!("{name} is {choices}")) };
    }
    let fault = Fault::new(format!("unknown value `{value}` for `{option}`: expected {choices}"));
    // `ncl` and `libsonnet` end the names of files
    let ending = languages.of_path(Path::new(&format!("x.{value}"))).map(|dialect| dialect.name().to_string());
    // `ncl` is short for `nickel`
    let long = || languages.all().find(|language| language.0.endings.iter().any(|ending| is_short_for(ending, value)));
    let ending = ending.or_else(|| long().map(|language| language.name().to_string()));
    let near = || nearest(value, known.iter().map(String::as_str)).is_some();
    let meant = match ending.filter(|name| known.contains(name) && !near()) {
        Some(name) => Some(name),
        None => nearest(value, known.iter().map(String::as_str)),
    };
    match meant {
        Some(meant) => fault.help(format!("did you mean `{meant}`?")),
        None => fault,
    }
}

/// Returns `true` if a word has the letters of a shorter one in order, and begins and ends with the same letters.
fn is_short_for(short: &str, word: &str) -> bool {
    let mut letters = word.chars();
    let in_order = short.chars().all(|letter| letters.any(|other| other == letter));
    let ends = |text: &str| (text.chars().next(), text.chars().next_back());
    short.len() > 2 && short.len() < word.len() && in_order && ends(short) == ends(word)
}

/// Reports a value that an option cannot have.
fn refused_value(argument: &str, value: &str, reason: &str) -> Fault {
    let option = bare(argument);
    let range = reason.split_once("is not in ").and_then(|(_, range)| range.split_once("..="));
    let number = ["invalid digit", "number too", "cannot parse integer"].iter().any(|words| reason.contains(words));
    match range {
        Some((least, most)) => {
            Fault::new(format!("`{option}` takes a whole number from {least} to {most}, not `{value}`"))
        }
        None if number => Fault::new(format!("`{option}` takes a whole number, not `{value}`")),
        None => Fault::new(format!("`{option}` cannot be `{value}`: {reason}")),
    }
}

fn conflict(call: &Call, later: &str, prior: &str) -> Fault {
    let (later, prior) = (bare(later), bare(prior));
    if later == prior {
        return Fault::new(format!("`{later}` is given twice")).help("give it once");
    }
    if [&later, &prior].into_iter().any(|name| name == "-e") && [&later, &prior].into_iter().any(|name| name == "FILE")
    {
        return Fault::new("two programs: FILE and the text of `-e`").help("give only one of them");
    }
    if [&later, &prior].into_iter().all(|name| matches!(name.as_str(), "--in-place" | "--patch")) {
        return Fault::new("`--in-place` and `--patch` cannot be used together")
            .help("`--in-place` changes the files, and `--patch FILE` alone writes these changes to FILE instead");
    }
    let fault = Fault::new(format!("`{prior}` and `{later}` cannot be used together"));
    let is_edit = |name: &str| matches!(name, "--in-place" | "--patch");
    if is_edit(&later) || is_edit(&prior) {
        if call.after("--at").is_some_and(|path| path.contains('='))
            && let Some(corrected) = call.replaced("--at", &["--set"])
        {
            return fault.help(format!("did you mean {corrected}?"));
        }
        if let Some(corrected) = call.replaced("--", &["--set"]) {
            return fault.help(format!("the value for a file is that of `--set`: {corrected}"));
        }
    }
    fault.help("give only one of them")
}

fn missing(call: &Call, argument: &str) -> Fault {
    let name = bare(argument);
    if name == "FILE" {
        return call.needs_file();
    }
    let shown =
        value_name(argument).filter(|_| name.starts_with('-')).map_or(name.clone(), |value| format!("{name} {value}"));
    let fault = Fault::new(format!(
        "`{}` needs {}",
        call.name(),
        if name.starts_with('-') { format!("`{name}`") } else { name.clone() }
    ));
    let values: Vec<String> = call
        .command()
        .get_positionals()
        .filter(|arg| arg.get_value_names().is_some_and(|names| names.iter().any(|found| found.as_str() == name)))
        .flat_map(|arg| arg.get_possible_values())
        .map(|value| value.get_name().to_string())
        .collect();
    let fault = fault.help(format!("`{} {shown}`", call.name()));
    if values.is_empty() { fault } else { fault.help(format!("{name} is {}", listed(&values, "or"))) }
}
