//! The command line, as clap parses it. The doc comments of commands and options are their help texts.

pub mod codes;
pub mod faults;
mod files;
mod kernel;
mod layers;
mod learn;
mod names;
mod shells;

pub use files::{Diff, Fmt};
pub use kernel::{InstallOptions, Kernel};
pub use layers::LayerOptions;
pub use learn::Learn;
use names::{dialect, drawing, format, medium, session_language, text_or_json};
pub use shells::{Candidates, Completions, Man};

use crate::advice::Call;
use crate::call;
use crate::fault::Fault;
use cfg_core::{Dialect, Drawing, Format, Languages, Medium};
use clap::{Args, FromArgMatches, Parser, Subcommand, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

/// Shows the types of configuration, where each value comes from, and what a merge did
#[derive(Debug, Parser)]
#[command(name = "cfg", version, max_term_width = 100)]
#[command(after_help = "Without a command, cfg starts the prompt. `cfg COMMAND --help` describes a command.")]
pub struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub start: Start,
    /// Read and write nothing outside of this folder, and no environment variables
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, global = true)]
    pub root: Option<PathBuf>,
}

/// Options of the prompt.
#[derive(Clone, Debug, Default, Args)]
pub struct Start {
    /// The configuration file, instead of cfg.toml in your configuration folder
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Do not read cfg.toml
    #[arg(long)]
    pub no_config: bool,
    /// Print no greeting, and nothing about files that load without problems
    #[arg(long, short)]
    pub quiet: bool,
    /// The language to start with
    #[arg(id = "session-language", long = "dialect", value_name = "NAME", value_parser = session_language(Languages::default()), ignore_case = true)]
    pub dialect: Option<Dialect>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start the prompt, with FILEs loaded first
    Repl(Repl),
    /// Evaluate a program and print its value
    Eval(Eval),
    /// Print the inferred type of a program, on one line
    Type(Type),
    /// Print all type errors and warnings of programs
    Check(Check),
    /// Print a field's metadata and value
    Query(Query),
    /// Explain where a field's value comes from
    Explain(Explain),
    /// Show the merges of a program, step by step
    Steps(Steps),
    /// Explain why a field has its type
    Why(Why),
    /// List what a field's value depends on, or what depends on it
    Deps(Deps),
    /// Draw which fields depend on which
    Graph(Graph),
    /// Print what changes in a program's result whenever an input changes
    Watch(Watch),
    /// Merge files of any kind: YAML, JSON, TOML, programs
    Merge(Merge),
    /// Compare two files, layer sets or git revisions of files
    Diff(Diff),
    /// Format programs: indentation and blanks; line breaks and comments stay
    Fmt(Fmt),
    /// Play a lesson at the prompt; without LESSON, continue the last one
    Learn(Learn),
    /// Run the examples in Markdown files, and compare their output
    Transcript(Transcript),
    /// Install or run the Jupyter kernel
    #[command(subcommand)]
    Kernel(Kernel),
    /// Start a prompt on a running kernel: the session of a notebook, seen from a terminal
    #[cfg(feature = "attach")]
    Attach(Attach),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print what can follow in a shell. The scripts of `cfg completions` call it; it is not for people, so no help page,
    /// manual page or completion lists it.
    #[command(skip)]
    Candidates(Candidates),
    /// Print the manual page
    Man(Man),
}

/// Options for reading programs.
#[derive(Debug, Default, Args)]
pub struct Reading {
    /// The language of the program, regardless of its file extension
    #[arg(long, value_name = "NAME", value_parser = dialect(Languages::default()), ignore_case = true)]
    pub dialect: Option<Dialect>,
    /// Search this folder for imports, after the folder of the importing file
    #[arg(short = 'I', long = "import-path", visible_alias = "module-path", value_name = "DIR")]
    pub import_paths: Vec<PathBuf>,
    /// Check the value against the contract in this file
    #[arg(long = "apply-contract", value_name = "FILE")]
    pub contracts: Vec<PathBuf>,
    /// Fields of the program to override: `-- a.b=1 c=2`
    #[arg(last = true, value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
    #[command(flatten)]
    pub inputs: ProgramInputs,
    #[command(flatten)]
    pub layering: LayerOptions,
}

/// Options for the inputs of programs.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "External variables and arguments")]
pub struct ProgramInputs {
    /// Show the values of secret fields, which are masked otherwise
    #[arg(long, help_heading = "Options")]
    pub reveal: bool,
    /// The year of the syntax, for languages whose syntax changed
    #[arg(long, value_name = "YEAR", help_heading = "Options", value_parser = ["2024", "2026"])]
    pub syntax: Option<String>,
    /// Read additional kinds of resources from this file
    #[arg(long, value_name = "FILE", help_heading = "Options", value_hint = ValueHint::FilePath)]
    pub kinds: Option<PathBuf>,
    /// Search this folder for imports, before the folders of -I; the last -J is searched first
    #[arg(short = 'J', long = "jpath", value_name = "DIR")]
    pub libraries: Vec<PathBuf>,
    /// Set an external variable to a string; without VALUE, take it from the environment
    #[arg(short = 'V', long, value_name = "NAME[=VALUE]", allow_hyphen_values = true)]
    pub ext_str: Vec<String>,
    /// Set an external variable to the value of an expression
    #[arg(long, value_name = "NAME[=CODE]")]
    pub ext_code: Vec<String>,
    /// Set an external variable to the text of a file
    #[arg(long, value_name = "NAME=FILE")]
    pub ext_str_file: Vec<String>,
    /// Set an external variable to the value of a program in a file
    #[arg(long, value_name = "NAME=FILE")]
    pub ext_code_file: Vec<String>,
    /// Pass a string to a program that is a function, as the argument NAME
    #[arg(short = 'A', long, value_name = "NAME[=VALUE]")]
    pub tla_str: Vec<String>,
    /// Pass the value of an expression as an argument
    #[arg(long, value_name = "NAME[=CODE]")]
    pub tla_code: Vec<String>,
    /// Pass the text of a file as an argument
    #[arg(long, value_name = "NAME=FILE")]
    pub tla_str_file: Vec<String>,
    /// Pass the value of a program in a file as an argument
    #[arg(long, value_name = "NAME=FILE")]
    pub tla_code_file: Vec<String>,
    /// Maximum depth of nested evaluation
    #[arg(short = 's', long, value_name = "N", allow_negative_numbers = true)]
    pub max_stack: Option<u32>,
}

/// Options for printing a value.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Printing")]
pub struct Printing {
    /// Print the value, a string, as raw text
    #[arg(short = 'S', long)]
    pub string: bool,
    /// Print the value, an array, as a stream of YAML documents
    #[arg(short = 'y', long, conflicts_with = "multi")]
    pub yaml_stream: bool,
    /// Write each field of the value, an object, to a file in DIR, and list the files
    #[arg(short = 'm', long, value_name = "DIR")]
    pub multi: Option<String>,
    /// Create the folders of the files that are written
    #[arg(short = 'c', long = "create-output-dirs")]
    pub create: bool,
    /// Write the output to FILE
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output_file: Option<PathBuf>,
    /// Print fields in the order of their definitions instead of sorted by name (not for JSON of Jsonnet)
    #[arg(long)]
    pub keep_order: bool,
    /// Print no line end after a document
    #[arg(long, conflicts_with = "yaml_stream")]
    pub no_trailing_newline: bool,
}

/// One program.
#[derive(Debug, Args)]
pub struct Program {
    /// The program; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "text")]
    pub file: Option<PathBuf>,
    /// The program's text, instead of a file
    #[arg(short = 'e', value_name = "TEXT", conflicts_with = "file", allow_hyphen_values = true)]
    pub text: Option<String>,
    #[command(flatten)]
    pub reading: Reading,
}

/// A field of a program.
#[derive(Debug, Args)]
pub struct Field {
    /// The program (not with `-e`; `-` is standard input), or several files with --layers, then the field: `a.b[0]."c d"`
    #[arg(value_name = "FILE PATH", num_args = 0.., value_hint = ValueHint::FilePath)]
    pub words: Vec<String>,
    /// The program's text, instead of a file
    #[arg(short = 'e', value_name = "TEXT", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// The field, if it is not given as PATH
    #[arg(long, visible_alias = "field", value_name = "PATH")]
    pub at: Option<String>,
    /// Merge all files, later ones over earlier ones, as `cfg merge --layers` does
    #[arg(long, conflicts_with = "text")]
    pub layers: bool,
    #[command(flatten)]
    pub reading: Reading,
}

/// `cfg repl`
#[derive(Debug, Default, Args)]
pub struct Repl {
    /// Files to load first
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub start: Start,
    /// Search this folder for imports, after the folder of the importing file
    #[arg(short = 'I', long = "import-path", visible_alias = "module-path", value_name = "DIR")]
    pub import_paths: Vec<PathBuf>,
    #[command(flatten)]
    pub inputs: ProgramInputs,
}

/// `cfg attach`
#[cfg(feature = "attach")]
#[derive(Debug, Default, Args)]
pub struct Attach {
    /// The connection file of the kernel, or its name in Jupyter's runtime folder; the newest kernel by default
    #[arg(value_name = "CONNECTION_FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<String>,
    /// List the running kernels, newest first, instead
    #[arg(long)]
    pub list: bool,
    /// The configuration file, instead of cfg.toml in your configuration folder
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Do not read cfg.toml
    #[arg(long)]
    pub no_config: bool,
    /// Print no greeting
    #[arg(long, short)]
    pub quiet: bool,
}

/// `cfg eval`
#[derive(Debug, Args)]
pub struct Eval {
    /// Evaluate only this part and what it needs: `a.b[0]."c d"`
    #[arg(long, visible_alias = "field", value_name = "PATH")]
    pub at: Option<String>,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "json", value_parser = format())]
    pub format: Format,
    /// The program, or several files with --layers; `-` is standard input, `@stack.toml` a file that names layers
    #[arg(value_name = "FILE", required_unless_present = "text")]
    pub files: Vec<PathBuf>,
    /// The program's text, instead of a file
    #[arg(short = 'e', value_name = "TEXT", conflicts_with = "files", allow_hyphen_values = true)]
    pub text: Option<String>,
    #[command(flatten)]
    pub reading: Reading,
    /// Merge all files, later ones over earlier ones, as `cfg merge --layers` does
    #[arg(long)]
    pub layers: bool,
    #[command(flatten)]
    pub printing: Printing,
}

/// `cfg type`
#[derive(Debug, Args)]
pub struct Type {
    /// Print the type of this part: `a.b[0]."c d"`
    #[arg(long, visible_alias = "field", value_name = "PATH")]
    pub at: Option<String>,
    /// Print the type on several lines
    #[arg(long)]
    pub pretty: bool,
    #[command(flatten)]
    pub program: Program,
}

/// `cfg deps`
#[derive(Debug, Args)]
pub struct Deps {
    /// List the fields that depend on it, instead of those it depends on
    #[arg(long)]
    pub used_by: bool,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    pub format: String,
    #[command(flatten)]
    pub field: Field,
}

/// `cfg graph`
#[derive(Debug, Args)]
pub struct Graph {
    /// Draw only this part and what it depends on: `a.b[0]."c d"`
    #[arg(long, visible_alias = "field", value_name = "PATH")]
    pub at: Option<String>,
    /// Draw the function graph: which value goes into which argument of which function
    #[arg(long, conflicts_with = "at")]
    pub functions: bool,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = drawing())]
    pub format: Drawing,
    #[command(flatten)]
    pub program: Program,
}

/// `cfg watch`
#[derive(Debug, Args)]
pub struct Watch {
    /// Replay the events of FILE, one `NAME VALUE` a line, and end: each gives an input of the program its next value
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub events: Option<PathBuf>,
    /// Give the input NAME the current time, in seconds since 1970, every SECONDS: `datetime.now=1`
    #[arg(long, value_name = "NAME=SECONDS")]
    pub tick: Vec<String>,
    /// Time between two looks at the files, in milliseconds
    #[arg(long, value_name = "MS", allow_negative_numbers = true, default_value_t = 200)]
    pub interval: u64,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = text_or_json())]
    pub format: Medium,
    #[command(flatten)]
    pub program: Program,
}

/// `cfg check`
#[derive(Debug, Args)]
pub struct Check {
    /// The programs; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "text")]
    pub files: Vec<PathBuf>,
    /// The program's text, instead of a file
    #[arg(short = 'e', value_name = "TEXT", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
    /// Do not report warnings with this code, such as types/mixed
    #[arg(long, value_name = "CODE")]
    pub silence: Vec<String>,
    /// Report the warnings of libraries, in folders of -J and in `vendor`, which are only counted otherwise
    #[arg(long)]
    pub all: bool,
    /// Report only problems that are not in this file; the first run writes it
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Check the files merged as layers, later files over earlier ones; report fields whose type changes
    #[arg(long)]
    pub layers: bool,
    /// Check this many files at a time; by default many files are checked on all cores
    #[arg(short = 'j', long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub reading: Reading,
}

/// `cfg query`
#[derive(Debug, Args)]
pub struct Query {
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    pub format: String,
    #[command(flatten)]
    pub field: Field,
}

/// `cfg explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = medium())]
    pub format: Medium,
    #[command(flatten)]
    pub field: Field,
}

/// `cfg why`
#[derive(Debug, Args)]
pub struct Why {
    /// Show step N of the chain in full detail
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub step: Option<usize>,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = medium())]
    pub format: Medium,
    #[command(flatten)]
    pub field: Field,
}

/// `cfg steps`
#[derive(Debug, Args)]
pub struct Steps {
    /// The program, or several files to merge in order; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "text")]
    pub files: Vec<PathBuf>,
    /// The program's text, instead of a file
    #[arg(short = 'e', value_name = "TEXT", conflicts_with = "files", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// Show only the fields below this one: `a.b[0]."c d"`
    #[arg(long, visible_alias = "field", value_name = "PATH")]
    pub at: Option<String>,
    /// Show the fields that did not change, too
    #[arg(long)]
    pub all: bool,
    /// Maximum number of steps
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub most: Option<usize>,
    /// Let later files override earlier ones, field by field
    #[arg(long)]
    pub layers: bool,
    /// Show how the constraints of the program's type are solved, one at a time, instead of the merges
    #[arg(long, conflicts_with_all = ["at", "all", "most", "layers"])]
    pub types: bool,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = medium())]
    pub format: Medium,
    #[command(flatten)]
    pub reading: Reading,
}

/// `cfg merge`
#[derive(Debug, Args)]
pub struct Merge {
    /// The files, in order; `-` is standard input, `@stack.toml` a file that names layers (`layers = ["base.yaml", ...]`),
    /// and may have `list`, `env`, `schema` and a table `set`, with paths relative to it
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Evaluate only this part and what it needs: `a.b[0]."c d"`
    #[arg(long, visible_alias = "field", value_name = "PATH")]
    pub at: Option<String>,
    /// Let later files override earlier ones, field by field; otherwise conflicting values are an error
    #[arg(long)]
    pub layers: bool,
    /// Change the file that the value of each --set comes from, keeping comments and order
    #[arg(long, conflicts_with_all = ["at", "explain", "format", "keep_order", "overrides", "contracts"])]
    pub in_place: bool,
    /// Write the changes of --in-place to FILE as a unified diff, and change nothing; `-` is standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["in_place", "at", "explain", "format", "keep_order", "overrides", "contracts"])]
    pub patch: Option<PathBuf>,
    /// Explain where the value at PATH, or the whole value, comes from, instead of printing it: `--explain --at PATH`, or PATH
    /// among the files
    #[arg(long)]
    pub explain: bool,
    /// Print fields in the order of their definitions instead of sorted by name
    #[arg(long)]
    pub keep_order: bool,
    /// The output format; with `--explain`, text, json or html
    #[arg(long, value_name = "FORMAT", value_parser = ["json", "yaml", "toml", "text", "properties", "dotenv", "html"])]
    pub format: Option<String>,
    #[command(flatten)]
    pub reading: Reading,
}

/// `cfg transcript`
#[derive(Debug, Args)]
pub struct Transcript {
    /// The Markdown files
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Rewrite the output that differs
    #[arg(long)]
    pub update: bool,
}

impl Cli {
    /// Parses the words of a command line, of which the first is the program's name. Prints an error or a help page, and
    /// ends the process, where there is one to print.
    pub fn from_command_line(languages: Languages, words: Vec<OsString>) -> Cli {
        let command = words.get(1).and_then(|name| Command::alone(languages, name.to_str()?, &words[1..]));
        command.map(|command| Cli { command: Some(command), start: Start::default(), root: None }).unwrap_or_else(
            || {
                let parsed = Cli::definition(languages).try_get_matches_from(&words);
                match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
                    Ok(cli) if cli.command.is_some() && cli.start.is_given() => {
                        refuse(Call::new(languages, &words).map(|call| faults::before_command(&call)));
                        cli
                    }
                    Ok(cli) => cli,
                    Err(error) => {
                        refuse(Call::new(languages, &words).and_then(|call| faults::of(&error, languages, &call)));
                        error.exit()
                    }
                }
            },
        )
    }

    /// Returns the definition of the command line for a table of languages.
    pub fn definition(languages: Languages) -> clap::Command {
        with_languages(<Cli as clap::CommandFactory>::command(), languages)
    }
}

/// Reports a fault and ends the process, if there is one.
fn refuse(fault: Option<Fault>) {
    if let Some(fault) = fault {
        std::process::exit(call::fault(fault).unwrap_or(call::CALL_AT_FAULT).into());
    }
}

impl Start {
    /// Returns `true` if there is any option of the prompt.
    fn is_given(&self) -> bool {
        self.config.is_some() || self.no_config || self.quiet || self.dialect.is_some()
    }
}

impl Command {
    /// Parses one command without the definitions of the others, which cost more than `cfg eval -e 1` needs otherwise.
    /// `None` for other commands, and where an error or a help page is to be printed: it names the whole command line.
    fn alone(languages: Languages, name: &str, words: &[OsString]) -> Option<Command> {
        fn parsed<T: Args>(languages: Languages, words: &[OsString]) -> Option<T> {
            let definition = with_languages(T::augment_args(clap::Command::new("cfg")), languages);
            T::from_arg_matches(&definition.try_get_matches_from(words).ok()?).ok()
        }
        match name {
            "candidates" => parsed(languages, words).map(Command::Candidates),
            "eval" => parsed(languages, words).map(Command::Eval),
            "check" => parsed(languages, words).map(Command::Check),
            "type" => parsed(languages, words).map(Command::Type),
            "merge" => parsed(languages, words).map(Command::Merge),
            "diff" => parsed(languages, words).map(Command::Diff),
            "repl" => parsed(languages, words).map(Command::Repl),
            _ => None,
        }
    }
}

/// Sets the language names that the options take.
fn with_languages(command: clap::Command, languages: Languages) -> clap::Command {
    let named = move |arg: clap::Arg| match arg.get_id().as_str() {
        "dialect" => arg.value_parser(dialect(languages)),
        "session-language" => arg.value_parser(session_language(languages)),
        _ => arg,
    };
    command.mut_args(named).mut_subcommands(|inner| with_languages(inner, languages))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    /// Every command that reads programs, and the prompt, has each of these options exactly once.
    #[test]
    fn every_command_that_reads_programs_takes_the_same_options() {
        let given = "jpath ext-str ext-code ext-str-file tla-str tla-code tla-str-file max-stack dialect import-path";
        let mut cli = Cli::command();
        cli.build();
        for name in
            ["eval", "type", "check", "query", "explain", "steps", "why", "deps", "graph", "watch", "merge", "repl"]
        {
            let command = cli.find_subcommand_mut(name).unwrap();
            let reads = name != "repl";
            for option in given.split(' ').chain(reads.then_some("apply-contract")) {
                let found = command.get_arguments().filter(|arg| arg.get_long() == Some(option)).count();
                assert_eq!(found, 1, "cfg {name} --{option}");
                let help = command.render_long_help().to_string();
                assert_eq!(help.matches(&format!("--{option} <")).count(), 1, "cfg {name} --help: --{option}");
            }
            assert_eq!(command.get_arguments().any(|arg| arg.is_last_set()), reads, "cfg {name} -- a.b=1");
        }
    }
}
