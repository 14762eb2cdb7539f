//! The options for the layers of a merge.

use cfg_core::{SetKind, SetOption};
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, ValueHint};
use std::path::PathBuf;

/// The layers that are merged over the programs, and the rules for lists.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Layers")]
pub struct LayerOptions {
    #[command(flatten)]
    pub sets: Sets,
    /// Merge the environment variables that begin with PREFIX over the files: APP_SERVER__PORT=80 is server.port, because
    /// names are written in small letters and `__` separates them; a field that is there keeps its spelling. Names in .env
    /// files are read in the same way, without PREFIX if no name in the file begins with it
    #[arg(long, value_name = "PREFIX")]
    pub env: Vec<String>,
    /// Combine the lists of several layers: append, unique, replace or key:NAME, for the list at PATH or for all. Without a
    /// rule the higher list replaces the lower, except in objects of Kubernetes, whose API has keys for lists
    #[arg(long = "list", value_name = "[PATH=]RULE")]
    pub lists: Vec<String>,
    /// Check the value against a JSON Schema (drafts 4 to 2020-12) or a CustomResourceDefinition of Kubernetes
    #[arg(long = "schema", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub schemas: Vec<PathBuf>,
}

/// The assignments of the command line, in their order.
#[derive(Clone, Debug, Default)]
pub struct Sets(pub Vec<SetOption>);

/// The options that assign, with their help.
const SETS: [(&str, SetKind, &str, &str); 4] = [
    (
        "set",
        SetKind::Literal,
        "PATH=VALUE",
        "Set a field over all files; new fields are allowed. VALUE is a number, true, false, null, or an array, object or \
         string in JSON; anything else is a string",
    ),
    ("set-string", SetKind::Text, "PATH=TEXT", "Set a field to a string"),
    ("set-json", SetKind::Json, "PATH=JSON", "Set a field to a value in JSON"),
    ("set-file", SetKind::File, "PATH=FILE", "Set a field to the text of a file"),
];

impl Args for Sets {
    fn augment_args(command: clap::Command) -> clap::Command {
        SETS.into_iter().fold(command, |command, (name, _, value, help)| {
            command.arg(Arg::new(name).long(name).value_name(value).help(help).action(ArgAction::Append))
        })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Sets::augment_args(command)
    }
}

impl FromArgMatches for Sets {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Sets, clap::Error> {
        let mut all: Vec<(usize, SetOption)> = Vec::new();
        for (name, kind, ..) in SETS {
            let texts = matches.get_many::<String>(name).into_iter().flatten();
            let places = matches.indices_of(name).into_iter().flatten();
            all.extend(places.zip(texts).map(|(at, text)| (at, SetOption { kind, text: text.clone() })));
        }
        all.sort_by_key(|(at, _)| *at);
        Ok(Sets(all.into_iter().map(|(_, set)| set).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Sets::from_arg_matches(matches)?;
        Ok(())
    }
}
