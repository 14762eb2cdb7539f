//! A fault in a call of `cfg`.

use cfg_core::text::shell_argument;
use cfg_core::{Role, Styled};

/// A fault in a call of `cfg`: what is wrong, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The message, without a full stop.
    pub why: String,
    /// The advice, one piece a line.
    pub help: Vec<String>,
}

impl Fault {
    pub fn new(why: impl Into<String>) -> Fault {
        Fault { why: why.into(), help: Vec::new() }
    }

    /// Adds a piece of advice.
    pub fn help(mut self, advice: impl Into<String>) -> Fault {
        self.help.push(advice.into());
        self
    }

    /// Joins faults of which each concerns another word of a call. `None` if there are none.
    pub fn join(faults: Vec<Fault>) -> Option<Fault> {
        faults.into_iter().reduce(|mut all, fault| {
            all.why = format!("{}, and {}", all.why, fault.why);
            let more: Vec<String> = fault.help.into_iter().filter(|advice| !all.help.contains(advice)).collect();
            all.help.extend(more);
            all
        })
    }

    /// Writes the report, as the prompt writes those of its commands.
    pub fn report(&self) -> Styled {
        let mut text = Styled::of(Role::Error, "error");
        text.plain(format!(": {}\n", self.why));
        for advice in &self.help {
            text.push(Role::Note, " = help");
            text.plain(format!(": {advice}\n"));
        }
        text
    }
}

impl From<String> for Fault {
    fn from(why: String) -> Fault {
        Fault::new(why)
    }
}

impl From<&String> for Fault {
    fn from(why: &String) -> Fault {
        Fault::new(why)
    }
}

impl From<&str> for Fault {
    fn from(why: &str) -> Fault {
        Fault::new(why)
    }
}

/// Joins words with a word between the last two: `a, b or c`.
pub fn listed(words: &[String], between: &str) -> String {
    match words {
        [all @ .., before, last] => {
            let all: String = all.iter().map(|word| format!("{word}, ")).collect();
            format!("{all}{before} {between} {last}")
        }
        [only] => only.clone(),
        [] => String::new(),
    }
}

/// Writes a call as a shell reads it.
pub fn command(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| shell_argument(word)).collect();
    format!("`{}`", words.join(" "))
}
