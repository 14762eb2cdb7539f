//! Syntax of other languages that the parser recognizes as a whole, and its messages.

use crate::text::Name;

/// A construct of another language.
#[derive(Clone, PartialEq, Debug)]
pub enum Habit {
    /// `local x = 1; …`, `var x = 1`
    Local {
        /// The keyword.
        word: Name,
        /// The name that it binds.
        name: Name,
        /// Whether it is between the fields of a record.
        in_record: bool,
    },
    /// `def f(x): …`
    Function {
        /// The keyword.
        word: Name,
        /// The name of the function.
        name: Name,
        /// Its parameters.
        parameters: Vec<Name>,
    },
    /// `[x * 2 for x in xs]`
    Comprehension {
        /// Whether it is written in the braces of a record.
        in_record: bool,
    },
    /// `'two words'`. Holds the text if it consists of names.
    SingleQuotes(Option<Name>),
    /// `1.2.3`, `80px`
    Number(Name),
    /// A line that a version control system left: `<<<<<<< HEAD`
    ConflictMarker,
}

impl Habit {
    /// Returns the stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Habit::Local { .. } | Habit::Function { .. } | Habit::Comprehension { .. } | Habit::ConflictMarker => {
                "syntax/unexpected"
            }
            Habit::SingleQuotes(_) => "syntax/quotes",
            Habit::Number(_) => "syntax/number",
        }
    }

    /// Returns the message, and the label of its place.
    pub fn words(&self) -> (String, String) {
        match self {
            Habit::Local { word, .. } if word == "local" => {
                (String::from("`local` is a keyword of Jsonnet"), String::from("not a keyword here"))
            }
            Habit::Local { word, .. } => {
                (format!("`{word}` is not a keyword here"), String::from("expected `let`, or an expression"))
            }
            Habit::Function { word, .. } => {
                (format!("`{word}` does not define a function here"), String::from("a definition of another language"))
            }
            Habit::Comprehension { .. } => {
                (String::from("there are no comprehensions here"), String::from("expected `,` or a closing bracket"))
            }
            Habit::ConflictMarker => (
                String::from("a conflict that was not resolved"),
                String::from("a version control system left this line"),
            ),
            Habit::SingleQuotes(_) => {
                (String::from("a string in single quotes"), String::from("a single quote begins an enum tag"))
            }
            Habit::Number(text) => (format!("`{text}` is not a number"), String::from("expected a number")),
        }
    }

    /// Returns what to write instead.
    pub fn hints(&self) -> Vec<String> {
        match self {
            Habit::Local { word, name, in_record } => {
                let bound = match in_record {
                    true => format!("write `let {name} = … in` before the record"),
                    false => format!("write `let {name} = … in …`"),
                };
                let file = (word == "local").then(|| String::from("the name of a Jsonnet file ends in `.jsonnet`"));
                std::iter::once(bound).chain(file).collect()
            }
            Habit::Function { name, parameters, .. } => {
                let parameters = if parameters.is_empty() { String::from("_") } else { parameters.join(" ") };
                vec![format!("write `let {name} = fun {parameters} => … in …`")]
            }
            Habit::Comprehension { in_record: true } => vec![String::from(
                "to map a record, write `std.record.map (fun name value => e) r`; `std.record.from_array` makes one of an array",
            )],
            Habit::Comprehension { in_record: false } => vec![String::from(
                "to map an array, write `std.array.map (fun x => e) xs`; `std.array.filter` keeps some of its elements",
            )],
            Habit::SingleQuotes(text) => {
                vec![format!("a string is in double quotes: `\"{}\"`", text.as_deref().unwrap_or("two words"))]
            }
            Habit::Number(text) => vec![number(text)],
            Habit::ConflictMarker => vec![String::from(
                "keep one of the two versions, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`",
            )],
        }
    }
}

/// Suggests what to write instead of a text that begins like a number.
fn number(text: &str) -> String {
    if text.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return format!("a number has one decimal point; another text is in quotes: `\"{text}\"`");
    }
    format!("a text is in quotes: `\"{text}\"`; a number consists of digits: `80`, `1.5`, `1e3`, `0xff`")
}
