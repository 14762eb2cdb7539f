//! What a shell and its user know of the command line: completions and manual pages, made of the words of [`crate::cli`].

use crate::call;
use crate::cli::Cli;
use clap::{Command, CommandFactory};
use clap_complete::{Generator, Shell};
use clap_mangen::Man;
use std::io::{self, Write};
use std::path::Path;

/// What is true of every command.
const EXIT: &str = "\
.SH \"EXIT STATUS\"
.TP
0
Done.
.TP
1
The program that was read is at fault: it does not parse, a type or contract is broken, something is not defined.
.TP
2
The call is at fault: an unknown option, no such file.
";

/// The files and variables that are looked at.
const SURROUNDINGS: &str = "\
.SH FILES
.TP
~/.config/cfg/cfg.toml
What holds for every session at the prompt; in $XDG_CONFIG_HOME, on macOS in ~/Library/Application Support, on Windows \
in %APPDATA%. \\(lq:help config\\(rq at the prompt says what can stand in it.
.TP
~/.local/share/cfg/history
What was typed at the prompt; in $XDG_DATA_HOME, on macOS in ~/Library/Application Support, on Windows in %APPDATA%.
.SH ENVIRONMENT
.TP
NO_COLOR
If it is set, nothing is coloured.
.TP
JSONNET_PATH, NICKEL_IMPORT_PATH
Folders where imports are looked for, with colons between them.
.TP
CFG_HISTORY
The file of what was typed; empty: none.
.SH EXAMPLES
.TP
cfg
The prompt.
.TP
cfg type server.ncl
The inferred type of a program.
.TP
cfg explain server.ncl tls.port
Where a field\\(cqs value comes from.
.TP
cfg merge \\-\\-layers base.yaml prod.yaml \\-\\-explain
What each of several files has to say about the result.
";

/// `cfg completions SHELL`
pub fn completions(shell: Shell) -> io::Result<u8> {
    let mut out = Vec::new();
    let mut command = Cli::command();
    command.set_bin_name("cfg");
    command.build();
    shell.generate(&command, &mut out);
    io::stdout().write_all(&out)?;
    Ok(0)
}

/// `cfg man [--dir DIR]`
pub fn man(folder: Option<&Path>) -> io::Result<u8> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = folder else {
        io::stdout().write_all(&page(&command, true)?)?;
        return Ok(0);
    };
    let mut pages = vec![(String::from("cfg.1"), page(&command, true)?)];
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        pages.push((format!("cfg-{}.1", inner.get_name()), page(inner, false)?));
    }
    for (name, text) in pages {
        let path = folder.join(name);
        if let Err(error) = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text)) {
            return call::fault(&format!("cannot write `{}`: {error}", path.display()));
        }
    }
    Ok(0)
}

/// The page of a command.
fn page(command: &Command, whole: bool) -> io::Result<Vec<u8>> {
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
        out.write_all(SURROUNDINGS.as_bytes())?;
    }
    Ok(out)
}
