//! Problems of Yay documents that are found while they are read.

use crate::problem::report::{Label, Report, expected_here, similar, unexpected};
use crate::problem::syntax::LanguageProblem;
use crate::text::{Name, Span};

/// The kind of problem in a Yay document.
#[derive(Clone, PartialEq, Debug)]
pub enum YayProblem {
    /// A line with a first word, which may be a key, and more words, but no colon.
    NoColon(Name),
    /// A key whose colon has no space after it.
    NoBlank {
        /// The key.
        key: Name,
        /// The text after the colon.
        value: Name,
    },
    /// A line of text among other lines.
    NotAKey(Name),
    /// A line that other programs read, and what to do about it.
    Foreign {
        /// Its message.
        message: &'static str,
        /// The correction.
        help: Name,
    },
    /// `'text'`, whose quotes are part of it. A warning.
    SingleQuotes(Name),
    /// `{{ a }}: b`, which is text. A warning.
    ComputedKey,
    /// A text such as `false` in a condition. Holds the key and the text. A warning.
    TruthOfText(Name, Name),
    /// A word in place of a directive, and similar directives.
    NotADirective {
        /// The word.
        word: Name,
        /// Similar directives, nearest first.
        near: Vec<Name>,
    },
    /// Keys and elements of a list in one block. The span is the place of the later ones.
    Mixed {
        /// Whether the later ones are elements.
        elements: bool,
        /// The place of the first ones.
        first: Span,
    },
    /// A key that is indented less than the keys of the element above it.
    OutOfElement {
        /// The key.
        key: Name,
        /// The first key of the element.
        first: Name,
        /// Its place.
        first_span: Span,
        /// The number of columns that are missing.
        by: usize,
    },
    /// An element of a list without a space after its hyphen. Holds the text after it.
    NoBlankInElement(Name),
    /// A value that begins with a double quote and has no closing one. A warning: it is text.
    OpenQuote,
    /// `${name}`, which is plain text. Holds the path. A warning.
    Dollar(Name),
    /// A path without quotes, which reads the key `yay` of `other`. A warning.
    BarePath(Name),
    /// A line whose indentation matches no block around it, and the block that it belongs to: the indentation in blanks, and a key.
    Misplaced(Option<(usize, Option<Name>)>),
    /// A tab in the indentation of a line, and the number of other such lines. A warning.
    Tab(usize),
    /// A value that begins with a bracket that it does not close. A warning: it is text.
    OpenText(Name),
    /// A token in place of another one, and the form of what it is in.
    Unexpected {
        /// The token as written. `None` at the end of the input.
        found: Option<Name>,
        /// The expected thing, in the user's terms.
        expected: Vec<Name>,
        /// The correction, as a sentence.
        help: Name,
    },
    /// A template, a bracket in one or a string that is not closed. The span is its opening.
    Open {
        /// The open construct, with its opening.
        what: &'static str,
        /// The closing.
        close: &'static str,
        /// The place where it must have been closed.
        end: Span,
    },
}

/// Returns what a directive of another language is here.
pub fn foreign_directive(word: &str) -> Option<&'static str> {
    Some(match word {
        "import" | "require" | "load" | "from" | "use" => "a file is included with `include \"file.yay\"`",
        "def" | "function" | "func" | "fn" | "define" => {
            "a function is written `set f = lambda x: VALUE`, and a macro `macro m:` with its lines indented below it"
        }
        "var" | "const" | "local" => "a variable is written `set x = VALUE`",
        "foreach" | "while" | "range" => "a loop is written `for x in LIST:`",
        "case" => "a case of a `select` is a key, without a word before it: `NAME: VALUE`",
        "switch" => "write `select VALUE:`, with a key for each case indented below it",
        "unless" => "write `if not CONDITION:`",
        "elseif" | "elsif" => "write `elif CONDITION:`",
        "class" => "a prototype is written `prototype P:`, and an instance of it `new P as name:`",
        _ => return None,
    })
}

/// The constant that a text stands for.
fn constant(text: &str) -> &'static str {
    if matches!(text, "true" | "yes" | "on") { "true" } else { "false" }
}

impl LanguageProblem for YayProblem {
    fn code(&self) -> &'static str {
        match self {
            YayProblem::Tab(_) => "syntax/tab",
            YayProblem::OpenText(_)
            | YayProblem::OpenQuote
            | YayProblem::BarePath(_)
            | YayProblem::Dollar(_)
            | YayProblem::SingleQuotes(_)
            | YayProblem::ComputedKey
            | YayProblem::TruthOfText(..) => "syntax/open-text",
            YayProblem::Open { .. } => "syntax/unclosed",
            _ => "syntax/unexpected",
        }
    }

    fn write(&self, span: Span, report: &mut Report) {
        let (label, help);
        report.message = match self {
            YayProblem::Foreign { message, help: what } => {
                label = String::new();
                help = Some(what.to_string());
                String::from(*message)
            }
            YayProblem::SingleQuotes(text) => {
                label = String::from("the quotes are part of the text");
                help = Some(format!("write `{text}`, or `\"{text}\"`"));
                String::from("a text in single quotes")
            }
            YayProblem::ComputedKey => {
                label = String::from("this line is text");
                help = Some(String::from("a key is written out: a loop or a `select` has a line for each key"));
                String::from("a key cannot be computed")
            }
            YayProblem::TruthOfText(key, text) => {
                label = format!("the text `{text}`, and every text that is not empty counts as true");
                help = Some(format!(
                    "write `{key}: {{{{ {} }}}}` where it is defined, or compare texts: `{key} == \"{text}\"`",
                    constant(text)
                ));
                format!("`{key}` is a text in this condition")
            }
            YayProblem::NoColon(line) if line.starts_with("extend ") => {
                label = String::from("no `:` at the end of this line");
                help = Some(format!("write `{line}:`"));
                String::from("missing `:` after the key that is extended")
            }
            YayProblem::NoColon(key) => {
                label = String::from("no `: ` on this line");
                help = Some(format!("write `{key}: value`, and `{key}:` before indented lines"));
                String::from("missing `:` between a key and its value")
            }
            YayProblem::NoBlank { key, value } => {
                label = String::from("`:` needs a space after it");
                help = Some(format!("write `{key}: {value}`"));
                String::from("missing space after `:`")
            }
            YayProblem::NoBlankInElement(value) => {
                label = String::from("`-` needs a space after it");
                help = Some(format!("write `- {value}`"));
                String::from("missing space after `-`")
            }
            YayProblem::BarePath(path) => {
                label = String::from("this reads a key, whose value is the path");
                help = Some(format!("a path is in quotes: `include \"{path}\"`"));
                String::from("a path without quotes")
            }
            YayProblem::OpenQuote => {
                label = String::from("no `\"` closes this one: the value is text up to the end of the line");
                help = Some(String::from("add `\"` at the end of the value, or remove this one"));
                String::from("unclosed string in a value")
            }
            YayProblem::NotAKey(text) if text.contains(" = ") => {
                label = String::from("expected a key, an element of a list or a directive");
                help = text.split_once(" = ").map(|(name, value)| {
                    format!("a key is written `{name}: {value}`, and a variable `set {name} = {value}`")
                });
                String::from("a line of text among other lines")
            }
            YayProblem::NotAKey(text) => {
                label = String::from("expected a key, an element of a list or a directive");
                help = Some(match text.contains(' ') {
                    true => String::from("write `key: value` or `- value`; text of several lines follows `key: |`"),
                    false => format!("write `{text}: value` or `- {text}`; text of several lines follows `key: |`"),
                });
                String::from("a line of text among other lines")
            }
            YayProblem::NotADirective { word, near } => {
                label = String::from("no directive has this name");
                help = foreign_directive(word).map(String::from).or_else(|| similar(near)).or_else(|| {
                    Some(String::from(match word.starts_with("end") {
                        true => "a block ends where its indentation ends: remove this line",
                        false => "the directives are `set`, `if`, `elif`, `else`, `for`, `select`, `include`, `macro` and others",
                    }))
                });
                format!("unknown directive `{word}`")
            }
            YayProblem::Mixed { elements, .. } => {
                let (later, first) = match elements {
                    true => ("elements of a list", "a key of a dictionary"),
                    false => ("a key of a dictionary", "elements of a list"),
                };
                label = format!("{later} after {first}");
                help =
                    Some(String::from("give the list a key of its own: `key:`, with the elements indented below it"));
                String::from("a block has keys or elements of a list, not both")
            }
            YayProblem::OutOfElement { key, first, by, .. } => {
                let blanks = if *by == 1 { "one more blank" } else { &format!("{by} more blanks") };
                label = String::from("this key is not a part of the element above it");
                help = Some(format!("indent `{key}` by {blanks}, like `{first}`"));
                String::from("a key that is indented less than its element")
            }
            YayProblem::Misplaced(like) => {
                label = String::from("its indentation matches no line above it");
                help = Some(match like {
                    Some((1, Some(key))) => format!("indent it by one blank, like `{key}`"),
                    Some((0, Some(key))) => format!("begin it at the start of the line, like `{key}`"),
                    Some((blanks, Some(key))) => format!("indent it by {blanks} blanks, like `{key}`"),
                    Some((blanks, None)) if *blanks > 1 => {
                        format!("indent it by {blanks} blanks, like the element above it")
                    }
                    _ => String::from("indent it like the other lines of its block"),
                });
                String::from("misplaced line")
            }
            YayProblem::Tab(more) => {
                label = match more {
                    0 => String::from("a tab counts as one column"),
                    1 => String::from("a tab counts as one column; another line has one too"),
                    _ => format!("a tab counts as one column; {more} more lines have one"),
                };
                help = Some(String::from("indent with blanks"));
                String::from("a tab in the indentation of a line")
            }
            YayProblem::Dollar(path) => {
                label = String::from("nothing is inserted here");
                help = Some(format!("to insert the value, write `{{{{ {path} }}}}`"));
                format!("`{path}` after a `$` is plain text")
            }
            YayProblem::OpenText(bracket) => {
                let closing = if *bracket == "[" { "]" } else { "}" };
                label = format!("this value is text; no `{closing}` closes the `{bracket}`");
                help = Some(String::from(match bracket.as_str() {
                    "[" => "write `{{ [1, 2] }}` for a list, or put text in double quotes",
                    _ => "write `{{ {'key': 1} }}` for a dictionary, or put text in double quotes",
                }));
                format!("unclosed bracket `{bracket}` in a value")
            }
            YayProblem::Unexpected { found, expected, help: form } => {
                label = expected_here(expected);
                help = Some(form.to_string());
                unexpected(found)
            }
            YayProblem::Open { what, close, .. } => {
                label = String::from("opened here, never closed");
                help = Some(format!("add `{close}`"));
                format!("unclosed {what}")
            }
        };
        report.labels.push(Label { span, text: label });
        if let YayProblem::Open { close, end, .. } = self {
            report.labels.push(Label { span: *end, text: format!("expected `{close}` before this") });
        }
        if let YayProblem::Mixed { elements, first } = self {
            let text = if *elements { "the first key" } else { "the first element" };
            report.labels.push(Label { span: *first, text: String::from(text) });
        }
        if let YayProblem::OutOfElement { first_span, .. } = self {
            report.labels.push(Label { span: *first_span, text: String::from("the first key of the element") });
        }
        report.suggestions.extend(help);
    }
}

/// Lists names: `a`, `b` and `c`. Longer lists end with the number of the others.
pub fn listed(names: &[Name], most: usize) -> String {
    let quoted: Vec<String> = names.iter().take(most).map(|name| format!("`{name}`")).collect();
    let rest = names.len().saturating_sub(most);
    match quoted.split_last() {
        Some(_) if rest > 0 => format!("{} and {rest} more", quoted.join(", ")),
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
        None => String::new(),
    }
}
