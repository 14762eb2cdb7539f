//! Shell completions and manual pages, generated from [`crate::cli`].

use crate::call;
use crate::candidates::OPTIONS;
use crate::cli::Cli;
use cfg_core::Languages;
use clap::{Command, ValueEnum};
use clap_complete::{Generator, Shell};
use clap_mangen::Man;
use std::io::{self, Write};
use std::path::Path;

/// Exit codes, the same for every command.
const EXIT: &str = "\
.SH \"EXIT STATUS\"
.TP
0
Success.
.TP
1
Error in the program: a syntax error, a type error, a broken contract, an undefined name, and so on.
.TP
2
Error in the command line, such as an unknown option or a missing file.
";

/// The files and environment variables that cfg reads.
const SURROUNDINGS: &str = "\
.SH FILES
.TP
~/.config/cfg/cfg.toml
The configuration of the prompt; in $XDG_CONFIG_HOME, on macOS in ~/Library/Application Support, on Windows \
in %APPDATA%. \\(lq:help config\\(rq at the prompt describes its contents.
.TP
~/.local/share/cfg/history
The input history of the prompt; in $XDG_DATA_HOME, on macOS in ~/Library/Application Support, on Windows in %APPDATA%.
.TP
~/.local/share/cfg/history\\-lessons
How far you are in each lesson of \\fBcfg learn\\fR; next to the input history.
.SH ENVIRONMENT
.TP
NO_COLOR
Disables colours if it is set.
.TP
PATH_VARIABLES
Folders to search for imports, separated by colons.
.TP
CFG_HISTORY
The file of the input history; if empty, there is none.
.SH EXAMPLES
.TP
cfg
Start the prompt.
.TP
cfg type server.cfg
Print the inferred type of a program.
.TP
cfg explain server.cfg tls.port
Explain where a field\\(cqs value comes from.
.TP
cfg merge \\-\\-layers base.yaml prod.yaml \\-\\-explain
Explain what each of several files contributes to the result.
";

/// Runs `cfg completions SHELL`.
pub fn completions(languages: Languages, shell: Shell) -> io::Result<u8> {
    let mut out = Vec::new();
    let mut command = Cli::definition(languages);
    command.set_bin_name("cfg");
    command.build();
    shell.generate(&command, &mut out);
    let script = with_values(shell, String::from_utf8_lossy(&out).into_owned(), &with_fields(&command));
    io::stdout().write_all(script.as_bytes())?;
    Ok(0)
}

/// Returns the names of the commands whose arguments are a file and a field in it.
fn with_fields(command: &Command) -> Vec<&str> {
    let takes_field = |inner: &&Command| inner.get_positionals().any(|argument| argument.get_id() == FILE_AND_FIELD);
    command.get_subcommands().filter(takes_field).map(Command::get_name).collect()
}

/// Adds to a completion script what `cfg candidates` prints: the values of the options that are paths, and the fields of
/// a file, in the commands `with_fields`.
fn with_values(shell: Shell, script: String, with_fields: &[&str]) -> String {
    match shell {
        Shell::Bash => {
            let script = OPTIONS.iter().fold(script, |script, option| {
                let files =
                    format!("                {option})\n                    COMPREPLY=($(compgen -f \"${{cur}}\"))\n");
                let values = format!("                {option})\n                    _cfg_values {option}\n");
                script.replace(&files, &values)
            });
            with_fields.iter().fold(script, |script, name| {
                let Some((before, arms)) = script.split_once(&format!("\n        cfg__subcmd__{name})\n")) else {
                    return script;
                };
                let last = "                *)\n                    COMPREPLY=()\n";
                let fields = "                *)\n                    _cfg_fields && return 0\n";
                format!("{before}\n        cfg__subcmd__{name})\n{}", arms.replacen(last, fields, 1))
            }) + BASH
        }
        Shell::Zsh => {
            let line = |line: &str| {
                let option = OPTIONS.iter().find(|option| {
                    line.strip_prefix('\'')
                        .is_some_and(|line| line.trim_start_matches('*').starts_with(&format!("{option}=[")))
                });
                match (option, line.strip_suffix("_default' \\")) {
                    // without the space, zsh inserts options of its own after the first word
                    (Some(option), Some(line)) => format!("{line} _cfg_values {option}' \\\n"),
                    // after `*::` zsh completes no more options, but they may follow files
                    _ => match line.strip_prefix("'*::").or(line.strip_prefix("'*:")) {
                        Some(rest) if rest.starts_with(FILE_AND_FIELD) => {
                            format!("'*:{}\n", rest.replace(":_files'", ":_cfg_fields'"))
                        }
                        Some(rest) => format!("'*:{rest}\n"),
                        None => format!("{line}\n"),
                    },
                }
            };
            // the function precedes the call at the end
            let script: String = script.lines().map(line).collect();
            script.replacen("\nif [ \"$funcstack[1]\"", &format!("\n{ZSH}\nif [ \"$funcstack[1]\""), 1)
        }
        Shell::Fish => {
            let option = |line: &str| {
                let named = |option: &&&str| line.contains(&format!(" -l {} ", option.trim_start_matches('-')));
                OPTIONS.iter().find(named).filter(|_| line.ends_with(" -r"))
            };
            let line = |line: &str| match option(line) {
                Some(option) => format!("{line} -f -a '(__cfg_values {option})'\n"),
                None => format!("{line}\n"),
            };
            let shells: Vec<String> = Shell::value_variants().iter().map(Shell::to_string).collect();
            let shells = shells.join(" ");
            let arguments =
                format!("complete -c cfg -n \"__fish_cfg_using_subcommand completions\" -f -a \"{shells}\"\n");
            let fields = format!(
                "complete -c cfg -n \"__fish_cfg_using_subcommand {}; and __cfg_has_file\" -f -a '(__cfg_values PATH)'\n",
                with_fields.join(" ")
            );
            script.lines().map(line).collect::<String>() + &arguments + &fields + FISH
        }
        _ => script,
    }
}

/// The name of the arguments that are a file and a field in it; see [`crate::cli::Field`].
const FILE_AND_FIELD: &str = "words";

/// Completes the value of an option, and a field after a file, in bash. There, `=` separates words.
const BASH: &str = r#"
_cfg_values() {
    local IFS=$'\n'
    COMPREPLY=($(cfg candidates "$1" "${cur}" "${COMP_WORDS[@]:1}" 2>/dev/null))
    compopt -o nospace 2>/dev/null
}

_cfg_fields() {
    local word
    for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
        [[ -f ${word} ]] && { _cfg_values PATH; return 0; }
    done
    return 1
}
"#;

/// Completes the value of an option, and a field after a file, in zsh.
const ZSH: &str = r#"_cfg_values() {
    local -a values
    values=("${(@f)$(cfg candidates "$1" "${(Q)PREFIX}" "${(@)words[2,-1]}" 2>/dev/null)}")
    (( ${#values[1]} )) && compadd -S '' -- "${values[@]}"
}

_cfg_fields() {
    local word
    for word in "${(@)words[2,CURRENT-1]}"; do
        [[ -f "${(Q)word}" ]] && { _cfg_values PATH; return }
    done
    _files
}
"#;

/// Completes the value of an option, and a field after a file, in fish: `--set a.b` or `--set=a.b`, in quotes or not. Without the tab, fish shows the help
/// of the option next to each candidate.
const FISH: &str = r#"
function __cfg_values
    set -l written (commandline -ct | string replace -r '^--[a-z-]+=' '' | string replace -r '^["\']' '')
    cfg candidates $argv[1] "$written" (commandline -opc)[2..] 2>/dev/null | string replace -r '$' \t
end

function __cfg_has_file
    for word in (commandline -opc)[3..]
        test -f $word; and return 0
    end
    return 1
end
"#;

/// Runs `cfg man [--dir DIR]`.
pub fn man(languages: Languages, folder: Option<&Path>) -> io::Result<u8> {
    let mut command = Cli::definition(languages);
    command.build();
    let Some(folder) = folder else {
        io::stdout().write_all(&page(languages, &command, true)?)?;
        return Ok(0);
    };
    let mut pages = vec![(String::from("cfg.1"), page(languages, &command, true)?)];
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        pages.push((format!("cfg-{}.1", inner.get_name()), page(languages, inner, false)?));
    }
    for (name, text) in pages {
        let path = folder.join(name);
        if let Err(error) = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text)) {
            return call::fault(format!("cannot write `{}`: {}", path.display(), call::reason(&error)));
        }
    }
    Ok(0)
}

/// Returns the manual page of a command.
fn page(languages: Languages, command: &Command, whole: bool) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let man = Man::new(command.clone());
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut out)?;
    }
    out.write_all(EXIT.as_bytes())?;
    if whole {
        let variables: Vec<&str> = languages.path_variables().collect();
        out.write_all(SURROUNDINGS.replace("PATH_VARIABLES", &variables.join(", ")).as_bytes())?;
    }
    Ok(out)
}
