//! The words of the command line.

use cfg_core::dialect::{Dialect, Languages};
use cfg_core::session::{Drawing, Format, Medium};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use std::path::PathBuf;

/// What type a piece of configuration has, where each value comes from, what a merge did
#[derive(Debug, Parser)]
#[command(name = "cfg", version, disable_help_subcommand = true, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Without a command: the prompt. `cfg COMMAND --help` says more.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub start: Start,
}

/// How the prompt starts.
#[derive(Clone, Debug, Default, Args)]
pub struct Start {
    /// What is to be so in this session, in place of cfg.toml in the folder for your configuration
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Without cfg.toml
    #[arg(long)]
    pub no_config: bool,
    /// Without the first line, and with no word about files that load well
    #[arg(long, short)]
    pub quiet: bool,
    /// The language to begin with
    #[arg(long, value_name = "NAME", value_parser = spoken(), ignore_case = true)]
    pub dialect: Option<Dialect>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The prompt, with FILEs loaded first
    Repl(Repl),
    /// The value of a program
    Eval(Eval),
    /// The inferred type of a program, on one line
    Type(Type),
    /// Every type diagnostic of programs
    Check(Check),
    /// A field's metadata and value
    Query(Query),
    /// Where a field's value comes from
    Explain(Explain),
    /// The merges of a program, step by step
    Steps(Steps),
    /// Why a field has the type it has
    Why(Why),
    /// What a field's value is made from, or who reads it
    Deps(Deps),
    /// Who depends on whom
    Graph(Graph),
    /// Merge files of any kind: YAML, JSON, TOML, programs
    Merge(Merge),
    /// Run the `repl` blocks of Markdown files
    Transcript(Transcript),
    /// The Jupyter kernel
    #[command(subcommand)]
    Kernel(Kernel),
    /// A script by which a shell completes this command line
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// The manual page
    Man {
        /// Writes a page for each command into this folder, and not to standard output
        #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        dir: Option<PathBuf>,
    },
}

/// How programs are read.
#[derive(Debug, Default, Args)]
pub struct Reading {
    /// The language, whatever the file's ending says
    #[arg(long, value_name = "NAME", value_parser = dialect(), ignore_case = true)]
    pub dialect: Option<Dialect>,
    /// Where imports are looked for, after the importing file's folder
    #[arg(short = 'I', long = "import-path", value_name = "DIR")]
    pub import_paths: Vec<PathBuf>,
    /// A contract that the value must meet
    #[arg(long = "apply-contract", value_name = "FILE")]
    pub contracts: Vec<PathBuf>,
    /// Definitions that go over the program's own: `-- a.b=1 c=2`
    #[arg(last = true, value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
    #[command(flatten)]
    pub given: Given,
}

/// What programs are given, spelled as jsonnet's own command line has it.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Options of jsonnet")]
pub struct Given {
    /// Where imports are looked for; the last one first, then those of JSONNET_PATH
    #[arg(short = 'J', long = "jpath", value_name = "DIR")]
    pub libraries: Vec<PathBuf>,
    /// An external variable; without VALUE the environment's
    #[arg(short = 'V', long, value_name = "NAME[=VALUE]", allow_hyphen_values = true)]
    pub ext_str: Vec<String>,
    /// An external variable, as an expression
    #[arg(long, value_name = "NAME[=CODE]")]
    pub ext_code: Vec<String>,
    /// An external variable: a file's text
    #[arg(long, value_name = "NAME=FILE")]
    pub ext_str_file: Vec<String>,
    /// An external variable: a file of jsonnet
    #[arg(long, value_name = "NAME=FILE")]
    pub ext_code_file: Vec<String>,
    /// An argument of a program that is a function
    #[arg(short = 'A', long, value_name = "NAME[=VALUE]")]
    pub tla_str: Vec<String>,
    /// Such an argument, as an expression
    #[arg(long, value_name = "NAME[=CODE]")]
    pub tla_code: Vec<String>,
    /// Such an argument: a file's text
    #[arg(long, value_name = "NAME=FILE")]
    pub tla_str_file: Vec<String>,
    /// Such an argument: a file of jsonnet
    #[arg(long, value_name = "NAME=FILE")]
    pub tla_code_file: Vec<String>,
    /// How deep evaluation may nest
    #[arg(short = 's', long, value_name = "N")]
    pub max_stack: Option<u32>,
}

/// How jsonnet's own command line prints a value.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Options of jsonnet")]
pub struct Printing {
    /// The value is a string, printed as it is
    #[arg(short = 'S', long)]
    pub string: bool,
    /// The value is an array of documents, printed as a stream of YAML
    #[arg(short = 'y', long, conflicts_with = "multi")]
    pub yaml_stream: bool,
    /// The value is an object of files, written into DIR and listed
    #[arg(short = 'm', long, value_name = "DIR")]
    pub multi: Option<String>,
    /// Makes folders of files that are written
    #[arg(short = 'c', long = "create-output-dirs")]
    pub create: bool,
    /// Prints into FILE
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output_file: Option<PathBuf>,
    /// No line end after a document
    #[arg(long, conflicts_with = "yaml_stream")]
    pub no_trailing_newline: bool,
}

/// One program.
#[derive(Debug, Args)]
pub struct Program {
    /// The program; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "text")]
    pub file: Option<PathBuf>,
    /// The program itself, in place of a file
    #[arg(short = 'e', value_name = "TEXT", conflicts_with = "file", allow_hyphen_values = true)]
    pub text: Option<String>,
    #[command(flatten)]
    pub reading: Reading,
}

/// A field of a program.
#[derive(Debug, Args)]
pub struct Field {
    /// The program (not with `-e`; `-` is standard input), then the field: `a.b[0]."c d"`
    #[arg(value_name = "FILE PATH", num_args = 0..=2, value_hint = ValueHint::FilePath)]
    pub words: Vec<String>,
    /// The program itself, in place of a file
    #[arg(short = 'e', value_name = "TEXT", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// The field, as a word of its own or with this option
    #[arg(long, visible_alias = "field", value_name = "PATH")]
    pub at: Option<String>,
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
    /// Where imports are looked for, after the importing file's folder
    #[arg(short = 'I', long = "import-path", value_name = "DIR")]
    pub import_paths: Vec<PathBuf>,
    #[command(flatten)]
    pub given: Given,
}

/// `cfg eval`
#[derive(Debug, Args)]
pub struct Eval {
    /// Only this part, and only what it needs: `a.b[0]."c d"`
    #[arg(long, visible_alias = "field", value_name = "PATH")]
    pub at: Option<String>,
    /// How the value is written
    #[arg(long, value_name = "FORMAT", default_value = "json", value_parser = format())]
    pub format: Format,
    #[command(flatten)]
    pub program: Program,
    #[command(flatten)]
    pub printing: Printing,
}

/// `cfg type`
#[derive(Debug, Args)]
pub struct Type {
    /// The type of this part: `a.b[0]."c d"`
    #[arg(long, visible_alias = "field", value_name = "PATH")]
    pub at: Option<String>,
    /// Laid out over several lines
    #[arg(long)]
    pub pretty: bool,
    #[command(flatten)]
    pub program: Program,
}

/// `cfg deps`
#[derive(Debug, Args)]
pub struct Deps {
    /// Who reads it, instead of what it reads
    #[arg(long)]
    pub used_by: bool,
    /// How the answer is written
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    pub format: String,
    #[command(flatten)]
    pub field: Field,
}

/// `cfg graph`
#[derive(Debug, Args)]
pub struct Graph {
    /// Only this part, and what it reads: `a.b[0]."c d"`
    #[arg(long, visible_alias = "field", value_name = "PATH")]
    pub at: Option<String>,
    /// How it is drawn
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = drawing())]
    pub format: Drawing,
    #[command(flatten)]
    pub program: Program,
}

/// `cfg check`
#[derive(Debug, Args)]
pub struct Check {
    /// The programs; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "text")]
    pub files: Vec<PathBuf>,
    /// A program itself, in place of a file
    #[arg(short = 'e', value_name = "TEXT", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// Warnings count as errors
    #[arg(long)]
    pub strict: bool,
    /// Warnings of this code are not told: types/mixed
    #[arg(long, value_name = "CODE")]
    pub silence: Vec<String>,
    #[command(flatten)]
    pub reading: Reading,
}

/// `cfg query`
#[derive(Debug, Args)]
pub struct Query {
    /// How the answer is written
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    pub format: String,
    #[command(flatten)]
    pub field: Field,
}

/// `cfg explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// How the answer is written
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = medium())]
    pub format: Medium,
    #[command(flatten)]
    pub field: Field,
}

/// `cfg why`
#[derive(Debug, Args)]
pub struct Why {
    /// One step of the chain, with everything on its way
    #[arg(long, value_name = "N")]
    pub step: Option<usize>,
    /// How the answer is written
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = medium())]
    pub format: Medium,
    #[command(flatten)]
    pub field: Field,
}

/// `cfg steps`
#[derive(Debug, Args)]
pub struct Steps {
    /// The program, or files to be merged in order; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "text")]
    pub files: Vec<PathBuf>,
    /// The program itself, in place of a file
    #[arg(short = 'e', value_name = "TEXT", conflicts_with = "files", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// Only the fields below this one: `a.b[0]."c d"`
    #[arg(long, visible_alias = "field", value_name = "PATH")]
    pub at: Option<String>,
    /// Also the fields that did not change
    #[arg(long)]
    pub all: bool,
    /// How many steps at most
    #[arg(long, value_name = "N")]
    pub most: Option<usize>,
    /// A later file wins over an earlier one, field by field
    #[arg(long)]
    pub layers: bool,
    /// How the answer is written
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = medium())]
    pub format: Medium,
    #[command(flatten)]
    pub reading: Reading,
}

/// `cfg merge`
#[derive(Debug, Args)]
pub struct Merge {
    /// The files, in order; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Only this part, and only what it needs: `a.b[0]."c d"`
    #[arg(long, visible_alias = "field", value_name = "PATH")]
    pub at: Option<String>,
    /// A later file wins over an earlier one, field by field; without it a disagreement is an error
    #[arg(long)]
    pub layers: bool,
    /// Where the value comes from, in place of the value: that at PATH, or the whole
    #[arg(long)]
    pub explain: bool,
    /// json, yaml, toml or text; with `--explain` text, json or html
    #[arg(long, value_name = "FORMAT")]
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
    /// Rewrites what does not agree
    #[arg(long)]
    pub update: bool,
}

/// `cfg kernel`
#[derive(Debug, Subcommand)]
pub enum Kernel {
    /// Make the kernel known to Jupyter, for the user unless told otherwise
    Install(Place),
    /// Remove it
    Uninstall(Place),
    /// Serve, as Jupyter starts it
    Run {
        /// Where to listen, and the key
        #[arg(short = 'f', long = "connection-file", value_name = "CONNECTION_FILE")]
        file: PathBuf,
        /// `jupyter run` gives the kernel the names of the files whose text it sends later: nothing is done with them
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        rest: Vec<std::ffi::OsString>,
    },
}

/// Where a kernel is installed.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct Place {
    /// For the user
    #[arg(long)]
    pub user: bool,
    /// Under DIR/share/jupyter
    #[arg(long, value_name = "DIR")]
    pub prefix: Option<PathBuf>,
    /// In the Python environment that is switched on
    #[arg(long)]
    pub sys_prefix: bool,
}

/// One of some names, as what it stands for; help and completions list them.
fn one_of<T: Clone + Send + Sync + 'static>(
    names: &'static [&'static str],
    of: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names).try_map(move |name| of(&name).ok_or("there is no such thing"))
}

fn dialect() -> impl TypedValueParser<Value = Dialect> {
    // those that cannot be read yet are refused by name, and not offered
    let known = Languages::default().all().map(|known| PossibleValue::new(known.name()).hide(!known.is_built()));
    PossibleValuesParser::new(known).try_map(|name| Languages::default().named(&name).ok_or("there is no such thing"))
}

/// Those that a session speaks.
fn spoken() -> impl TypedValueParser<Value = Dialect> {
    let known = Languages::default().all().filter(|known| known.has_cells());
    let known = known.map(|known| PossibleValue::new(known.name()).hide(!known.is_built()));
    PossibleValuesParser::new(known).try_map(|name| Languages::default().named(&name).ok_or("there is no such thing"))
}

fn drawing() -> impl TypedValueParser<Value = Drawing> {
    one_of(&["text", "dot", "mermaid", "svg", "json"], Drawing::from_name)
}

fn medium() -> impl TypedValueParser<Value = Medium> {
    one_of(&["text", "json", "html"], Medium::from_name)
}

fn format() -> impl TypedValueParser<Value = Format> {
    one_of(&["json", "yaml", "toml", "text"], Format::from_name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_words_fit_together() {
        Cli::command().debug_assert();
    }

    /// What is said of how programs are read is said of every command that reads one, once, and the prompt begins so too.
    #[test]
    fn every_command_that_reads_programs_takes_the_same_options() {
        let given = "jpath ext-str ext-code ext-str-file tla-str tla-code tla-str-file max-stack dialect import-path";
        let mut cli = Cli::command();
        cli.build();
        for name in ["eval", "type", "check", "query", "explain", "steps", "why", "deps", "graph", "merge", "repl"] {
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
