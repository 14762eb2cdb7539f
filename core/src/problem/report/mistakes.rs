//! The messages of frequent mistakes in JSON and TOML.

use crate::problem::data::DataMistake;

/// Returns a message and a label, for a mistake that has its own, and what to do.
pub(super) fn mistake(mistake: DataMistake) -> (Option<(String, String)>, String) {
    let own = |message: &str, label: &str| Some((String::from(message), String::from(label)));
    let (message, help): (Option<(String, String)>, &str) = match mistake {
        DataMistake::Template => (
            own("a template that was not rendered", "this is filled in by a template engine"),
            "render the file first, and pass the result: `… | cfg eval -`",
        ),
        DataMistake::ConflictMarker => (
            own("a conflict that was not resolved", "a version control system left this line"),
            "keep one of the two versions, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`",
        ),
        DataMistake::Comment(None) => (
            own("JSON has no comments", "expected a key or a value"),
            "remove the comment, or make it a field: `\"//\": \"…\"`",
        ),
        DataMistake::Comment(Some(sign)) => {
            let help = format!("a comment begins with `{sign}`");
            return (own("not a comment", &format!("expected `{sign}`, a key or a header")), help);
        }
        DataMistake::Empty => (None, "the file is empty: an object without fields is `{}`"),
        DataMistake::MissingComma => (None, "a `,` is missing before this"),
        DataMistake::TrailingComma => (
            own("a comma after the last element", "nothing follows this comma"),
            "remove the comma: JSON has commas only between elements, and between fields",
        ),
        DataMistake::ExtraComma => (
            own("a comma without an element before it", "expected a key or a value before this"),
            "remove the comma, or write what is missing",
        ),
        DataMistake::Sign(sign) => {
            return (None, format!("between a key and its value is `{sign}`: `{}`", pair(sign)));
        }
        DataMistake::Variable => {
            return (None, String::from("a variable is written without spaces around the `=`: `NAME=value`"));
        }
        DataMistake::MissingSign(sign) => {
            return (None, format!("a `{sign}` is missing before this: `{}`", pair(sign)));
        }
        DataMistake::NoValue(sign) => {
            let help = match sign {
                ':' => "write the value, `null` if there is none",
                _ => "write the value, or remove the key: an empty text is `\"\"`",
            };
            (own("a key without a value", "expected a value here"), help)
        }
        DataMistake::NoKey(sign) => {
            let label = format!("expected a key before `{sign}`");
            return (own("a value without a key", &label), format!("write the key: `{}`", pair(sign)));
        }
        DataMistake::ExtraSign => (None, "remove it"),
        DataMistake::SingleQuotes => (None, "write double quotes: `\"…\"`; JSON has no single quotes"),
        DataMistake::OtherQuotes => (None, "write straight double quotes: `\"…\"`"),
        DataMistake::Blank => {
            (own("a no-break space", "this looks like a space and is another character"), "write an ordinary space")
        }
        DataMistake::Unquoted => {
            (own("text without quotes", "expected a value"), "put the text in double quotes: `\"…\"`")
        }
        DataMistake::UnquotedKey => {
            (own("a key that needs quotes", "expected a key in double quotes"), "put the key in double quotes: `\"…\"`")
        }
        DataMistake::LowerCase => (None, "write it in lower case: `true`, `false`"),
        DataMistake::Boolean => (None, "write `true` or `false`; a text is in double quotes: `\"…\"`"),
        DataMistake::Null => (None, "write `null`"),
        DataMistake::NoNull => {
            (own("TOML has no `null`", "expected a value"), "remove the key, or write an empty text: `\"\"`")
        }
        DataMistake::NotFinite => (None, "JSON has only finite numbers: write `null`, or a string in double quotes"),
        DataMistake::Point => (None, "a number has digits on both sides of the point: `0.5`, `1.0`"),
        DataMistake::DecimalComma => (None, "the decimal sign is a point: `1.5`"),
        DataMistake::PlusSign => (None, "write the number without `+`"),
        DataMistake::Notation => (None, "write decimal digits only: `255`, `1000`; other forms go in double quotes"),
        DataMistake::LeadingZero => (
            own("a number that begins with 0", "expected a number without a leading 0"),
            "remove the 0; a code such as a file mode or a postcode is a text: `\"0755\"`",
        ),
        DataMistake::Underscore => (None, "`_` is written between two digits: `1_000`"),
        DataMistake::NumberText => (
            own("neither a number nor a text in quotes", "begins like a number"),
            "put it in double quotes: `\"…\"`, or write the digits alone",
        ),
        DataMistake::Date => (
            own("not a date or a time", "there is no such date or time"),
            "write `2024-01-31`, `07:32:00` or `2024-01-31T07:32:00Z`, or put it in double quotes",
        ),
        DataMistake::Expression => (
            own("an expression cannot be computed here", "expected plain data"),
            "write its result, or put the text in double quotes",
        ),
        DataMistake::AfterString => (
            own("text after the end of a string", "the string ends before this"),
            "in double quotes, a quote in the text is written `\\\"`; a text with `'` in it is put in double quotes",
        ),
        DataMistake::QuotedLine => (None, "a value in quotes ends at its second quote: write `\\\"` for a quote in it"),
        DataMistake::LineEnd => (
            own("a string that goes on in the next line", "the line ends inside of the string"),
            "write `\\n` for a line end; if the string was to end here, its closing `\"` is missing",
        ),
        DataMistake::WrongClosing(close) => {
            let help = format!("close it with `{close}`, here or before this");
            return (own("a bracket is still open", &format!("expected `{close}` or a comma")), help);
        }
        DataMistake::Unopened => (
            own("a closing bracket without an opening one", "no bracket of this kind is open"),
            "remove it, or add the opening bracket",
        ),
        DataMistake::SeveralValues => (
            own("more than one value in the file", "the first value ends before this"),
            "put them in a list, `[…, …]`, or in files of their own",
        ),
        DataMistake::NoBraces => {
            (own("an object without braces", "a key and a value outside of an object"), "write `{ \"key\": value }`")
        }
        DataMistake::TwoOnLine => {
            (own("two keys on one line", "the value ends before this"), "write each `key = value` on its own line")
        }
        DataMistake::HeaderName => (
            own("the name of a table that needs quotes", "expected letters, digits, `-` or `_`, or a name in quotes"),
            "put the name in double quotes: `[\"…\"]`; names with points between them are tables in tables",
        ),
        DataMistake::EmptyName => (
            own("an empty name in a header", "expected a name here"),
            "write the name of the table: `[name]`, or `[outer.inner]`",
        ),
        DataMistake::AfterHeader => (
            own("text after a header", "expected the end of the line"),
            "the keys of a table are on the lines after `[name]`",
        ),
        DataMistake::Header(missing) => {
            let label = format!("expected `{missing}`");
            return (own("an unclosed header", &label), format!("close it with `{missing}`"));
        }
        DataMistake::Yaml => (
            own("this is YAML, not TOML", "expected `key = value`"),
            "write a table as `[name]` with `key = value` below it, and a list as `name = [1, 2]`",
        ),
    };
    (message, String::from(help))
}

fn pair(sign: char) -> &'static str {
    if sign == ':' { "\"key\": value" } else { "key = value" }
}
