//! The messages of problems in data files.

use super::mistakes::mistake;
use super::{Label, Report};
use crate::problem::data::{DataMistake, DataProblem, Redefinition, YamlFault};
use crate::text::{Span, counted};

pub(super) fn write(problem: &DataProblem, span: Span, report: &mut Report) {
    let mut label = String::new();
    let mut second = None;
    report.message = match problem {
        DataProblem::Mistake(what) => {
            let (own, help) = mistake(*what);
            report.suggestions.push(help);
            let (message, place) = own.unwrap_or_default();
            label = place;
            message
        }
        DataProblem::Unexpected { found, expected, mistake: what } => {
            label = format!("expected {expected}");
            if let Some(what) = what {
                report.suggestions.push(mistake(*what).1);
            }
            match found {
                Some(found) if found.is_empty() => String::from("unexpected end of the line"),
                Some(found) => format!("unexpected `{found}`"),
                None => String::from("unexpected end of the file"),
            }
        }
        DataProblem::Unclosed(what) => {
            label = String::from("opened here, never closed");
            report.suggestions.push(String::from(match *what {
                "array" => "close it with `]`",
                "object" | "inline table" => "close it with `}`",
                "multi-line string" => "end it with the three quotes that it begins with",
                _ => "end it with the quote that it begins with, on the same line",
            }));
            format!("unclosed {what}")
        }
        DataProblem::Escape(text) => {
            label = String::from("a backslash begins an escape");
            report.suggestions.push(String::from(match text.starts_with("\\u") || text.starts_with("\\U") {
                true => {
                    "write `\\\\` for a backslash; an escape is `\\u` and the four hexadecimal digits of a character: `\\u00e9`"
                }
                false => "write `\\\\` for a backslash; known escapes: \\\" \\\\ \\b \\f \\n \\r \\t \\u00e9",
            }));
            format!("invalid escape `{text}` in a string")
        }
        DataProblem::Control(c) => {
            label = String::from("expected an escape");
            report.suggestions.push(match c {
                '\t' => String::from("write a tab as `\\t`"),
                _ => format!("write it as `\\u{:04x}`", u32::from(*c)),
            });
            format!("unescaped control character U+{:04X} in a string", u32::from(*c))
        }
        DataProblem::Malformed(why) => {
            label = String::from(*why);
            report
                .suggestions
                .push(String::from("write a number such as `12`, `-1.5` or `1e9`, or a string in double quotes"));
            String::from("malformed number")
        }
        DataProblem::TooLarge => String::from("the number is too large"),
        DataProblem::NotFinite => {
            label = String::from("expected a finite number");
            report.suggestions.push(String::from("write a finite number, or the word as a string in double quotes"));
            String::from("numbers cannot be infinite or NaN")
        }
        DataProblem::Duplicate { name, first, merged } => {
            label = String::from("again here");
            report.suggestions.push(String::from(match name.as_str() == "<<" && *merged {
                true => "write one with a list, `<<: [*a, *b]`, where the first one that has a key wins",
                false => "remove one of them, or give it another name",
            }));
            if *merged {
                report.notes.push(String::from(
                    "both values are merged here; other programs refuse the file or take the last one",
                ));
            }
            second = Some(Label { span: *first, text: String::from("first here") });
            format!("duplicate key `{name}`")
        }
        DataProblem::LeadingZero { written, value, octal } => {
            label = match octal {
                Some(octal) => format!("{value} here, {octal} for readers of YAML 1.1, where it is octal"),
                None => format!("{value} here, a text for readers of YAML 1.1"),
            };
            report.suggestions.push(match octal {
                Some(octal) => {
                    format!("write `{octal}` or `{value}`, which all programs read alike, or put a text in quotes")
                }
                None => format!("write `{value}`, which all programs read alike, or put a text in quotes"),
            });
            format!("`{written}` has another value in YAML 1.1 than in YAML 1.2")
        }
        DataProblem::OtherValue { written, value } => {
            label = format!("a text here, `{value}` for readers of YAML 1.1");
            report.suggestions.push(match value.starts_with(|c: char| c.is_alphabetic()) {
                true => format!("write `\"{written}\"` for the text, `{value}` for the boolean"),
                false => format!("write `\"{written}\"` for the text"),
            });
            format!("`{written}` has another value in YAML 1.1 than in YAML 1.2")
        }
        DataProblem::Redefined { name, first, what } => {
            let (own, other, help) = match what {
                Redefinition::Tables => (
                    String::from("again here"),
                    String::from("first here"),
                    String::from(
                        "a table is written once: move these keys to where it is first, or give this one another name",
                    ),
                ),
                Redefinition::TableAfterList => (
                    format!("`[{name}]` is one table"),
                    format!("`[[{name}]]` is a list of tables"),
                    format!("write `[[{name}]]` for another element of the list, or give one of them another name"),
                ),
                Redefinition::ListAfterTable => (
                    format!("`[[{name}]]` is a list of tables"),
                    format!("`{name}` is one table"),
                    format!("write `[[{name}]]` at both for a list of two tables, or give one of them another name"),
                ),
                Redefinition::Other => (
                    String::from("again here"),
                    String::from("first here"),
                    String::from(
                        "the first definition is not a table that can be extended: add the keys there, or use another name",
                    ),
                ),
            };
            label = own;
            second = Some(Label { span: *first, text: other });
            report.suggestions.push(help);
            match what {
                Redefinition::Tables | Redefinition::Other => format!("`{name}` is defined twice"),
                Redefinition::TableAfterList | Redefinition::ListAfterTable => {
                    format!("`{name}` is both a table and a list of tables")
                }
            }
        }
        DataProblem::KeyNotText => {
            label = String::from("a key must be a scalar");
            report.suggestions.push(String::from("put the key in quotes: `\"[a, b]\": value`"));
            String::from("keys must be text")
        }
        DataProblem::Tag(tag) => {
            label = String::from("expected a tag of the core schema, or a local tag such as `!Ref`");
            report.suggestions.push(String::from(
                "the tags of the core schema are `!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, `!!seq` and `!!map`",
            ));
            format!("unknown tag `{tag}`")
        }
        DataProblem::TagMismatch(tag) => {
            label = String::from("the text after the tag is of another type");
            report.suggestions.push(String::from("remove the tag, or write `!!str`, which takes any text"));
            format!("the value does not match its tag `{tag}`")
        }
        DataProblem::TagOnKey(tag) => {
            label = String::from("a key is text without a tag");
            format!("the tag `{tag}` of a key would be lost")
        }
        DataProblem::Anchor { name, near } => {
            label = format!("no `&{name}` before it");
            report.suggestions.push(match near.first() {
                Some(near) => format!("the anchor `&{near}` has a similar name"),
                None if !name.starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
                    String::from("`*` begins an alias: put a string that begins with it in quotes")
                }
                None => format!("an anchor is written before the value that it names: `key: &{name} value`"),
            });
            format!("unknown anchor `{name}`")
        }
        DataProblem::SelfAlias => {
            label = String::from("inside of its own anchor");
            report.suggestions.push(String::from("write the elements that are meant in place of the alias"));
            String::from("the list contains itself, so it has no end")
        }
        DataProblem::Yaml(fault) => yaml(fault, &mut label, report),
        DataProblem::Aliases => {
            report
                .notes
                .push(String::from("each alias repeats all values of its anchor, also those of aliases within it"));
            String::from("the aliases expand to too many values")
        }
        DataProblem::MergeKey => {
            label = String::from("expected an alias of a mapping, or a sequence of such aliases");
            report.suggestions.push(String::from(
                "`<<: *name` adds the keys of a mapping; under another key any value can be repeated: `key: *name`",
            ));
            String::from("`<<` is an ordinary key here: its value is not a mapping")
        }
        DataProblem::Reader { message, .. } if message.contains("must be followed by a valid YAML whitespace") => {
            report.suggestions.push(String::from("write a space after the colon"));
            String::from("a tab after a colon")
        }
        DataProblem::Reader { format, message } => format!("{format}: {message}"),
        DataProblem::Assignment(why) => {
            report.suggestions.push(String::from(match why.contains("found `]`") {
                true => "an element is appended by the index after the last one: `a[1]` for a list of one element",
                false => "an assignment is `path=value`: `a.b=1`, `a[0].\"b c\"=text`",
            }));
            format!("not an assignment: {why}")
        }
        DataProblem::MisspeltKey { name, meant } => {
            report.suggestions.push(format!("did you mean `{meant}`?"));
            format!("this object of Kubernetes has `{name}`, and no `{meant}`")
        }
        DataProblem::NoSpaceAfterColon => {
            label = String::from("no space follows the colon");
            report.suggestions.push(String::from("a key is followed by a colon and a space: `key: value`"));
            String::from("this is one text, not a mapping")
        }
        DataProblem::NoSpaceAfterDash => {
            label = String::from("no space follows the dash");
            report.suggestions.push(String::from(
                "an item of a list begins with a dash and a space, `- \"a\"`; if one text is meant, put it in quotes",
            ));
            String::from("this is one text, not a list")
        }
        DataProblem::ContinuedByDash => {
            label = String::from("part of the text that begins on the line above");
            report.suggestions.push(String::from("an item of a list begins with `- `, below the `-` of the others"));
            String::from("this line is not an item of the list: it continues the text above")
        }
        DataProblem::ReadAsText => {
            label = String::from("not JSON");
            report
                .suggestions
                .push(String::from("`--set-json` reads only JSON, `--set-string` takes any text as it is"));
            String::from("the value is read as a string")
        }
        DataProblem::SchemaReference(reference) => {
            label = String::from("this reference is ignored");
            report.suggestions.push(String::from("only references within the file are followed: `#/$defs/…`"));
            format!("no schema `{reference}` in this file")
        }
        DataProblem::NotSchema { why, help } => {
            report.suggestions.extend(help.iter().map(ToString::to_string));
            format!("not a JSON Schema: {why}")
        }
        DataProblem::SchemaPart { message, label: own, help } => {
            label = String::from(*own);
            report.suggestions.extend(help.iter().map(ToString::to_string));
            message.to_string()
        }
        DataProblem::UnknownKeyword { name, meant } => {
            label = String::from("no keyword of JSON Schema: it checks nothing");
            report.suggestions.push(format!("did you mean `{meant}`?"));
            format!("the schema has an unknown keyword `{name}`")
        }
        DataProblem::TooMany => String::from("too many errors; the rest of the file was not read"),
    };
    report.labels.push(Label { span, text: label });
    report.labels.extend(second);
}

/// Returns the message of a mistake in YAML. Sets the label of its place, and adds suggestions to the report.
fn yaml(fault: &YamlFault, label: &mut String, report: &mut Report) -> String {
    let (message, at, help): (String, String, Option<&str>) = match fault {
        YamlFault::Template => (
            "a template is not YAML".into(),
            "this is filled in by a template engine".into(),
            Some("render the file first, for example: `helm template CHART | cfg eval --dialect yaml -`"),
        ),
        YamlFault::ConflictMarker => {
            let (own, help) = mistake(DataMistake::ConflictMarker);
            report.suggestions.push(help);
            let (message, at) = own.unwrap_or_default();
            (message, at, None)
        }
        YamlFault::NoColon { after_item } => (
            "missing `:` between a key and its value".into(),
            "no `: ` on this line".into(),
            Some(match after_item {
                true => "write `- item` for another item of the list, or `key: value`",
                false => "write `key: value`, and `key:` before indented lines",
            }),
        ),
        YamlFault::Equals => {
            ("`=` between a key and its value".into(), "expected `: `".into(), Some("write `key: value`"))
        }
        YamlFault::AfterValue(sign) => (
            format!("`{sign}` after a value"),
            "expected the end of the line".into(),
            Some("remove it: each `key: value` ends with its line"),
        ),
        YamlFault::NoComma => (
            "missing `,` in brackets".into(),
            "expected `,` before this".into(),
            Some("in braces and brackets, pairs and items are separated by `,`"),
        ),
        YamlFault::ListOnKeyLine => (
            "a list on the line of its key".into(),
            "`- ` begins an item on a line of its own".into(),
            Some("write each item on a line below the key, `- a`, or the list in brackets: `[a, b]`"),
        ),
        YamlFault::ItemInBraces => (
            "a list item in braces or brackets".into(),
            "`- ` begins a list item only outside of them".into(),
            Some("write the list in brackets, `[a, b]`, or remove the brackets around it"),
        ),
        YamlFault::AfterBracket => (
            "text after a closing bracket".into(),
            "the value ends before this".into(),
            Some("put the whole value in quotes if it is a string, or remove the text after the bracket"),
        ),
        YamlFault::CommaBetweenKeys => (
            "a comma between two keys".into(),
            "expected the end of the line".into(),
            Some(
                "write each `key: value` on a line of its own, or all of them in braces: `{a: 1, b: 2}`; a text with a comma goes in quotes",
            ),
        ),
        YamlFault::AfterIndicator => (
            "text on the line of `|` or `>`".into(),
            "expected the end of the line".into(),
            Some("write the text on the next lines, indented; a value that begins with `|` or `>` goes in quotes"),
        ),
        YamlFault::AfterMarker => (
            "a key on the line of `---`".into(),
            "expected the end of the line".into(),
            Some("write `---` on a line of its own, and the document after it"),
        ),
        YamlFault::Directive => (
            "a directive without `---` after it".into(),
            "expected `---` before the document".into(),
            Some("write `---` between this directive and the document, or remove the directive"),
        ),
        YamlFault::Table => (
            "this is TOML, not YAML".into(),
            "a header of a table".into(),
            Some("write `name:`, and its keys as `key: value`, indented, on the lines below it"),
        ),
        YamlFault::ColonInside => (
            "the `:` after a key is inside of its quotes".into(),
            "expected `: ` after the closing quote".into(),
            Some("write `\"key\": value`, or `key: value`"),
        ),
        YamlFault::StringIndent => (
            "a quoted string is not indented".into(),
            "a line of the text that begins on a line above".into(),
            Some("indent the lines of the text more than its key; or the first line lacks its closing quote"),
        ),
        YamlFault::BlockIndent => (
            "a line of this text is indented less than the first line".into(),
            "expected the indentation of the first line of the text".into(),
            Some(
                "indent all lines after `|` or `>` alike, or more; a line that is a key is indented like the key above",
            ),
        ),
        YamlFault::NoName(sign) => (
            format!("`{sign}` without a name"),
            format!("expected a name directly after `{sign}`"),
            Some(
                "an anchor is written `&name`, an alias `*name`; a string that begins with this character needs quotes",
            ),
        ),
        YamlFault::NoBlank(sign) => {
            report.suggestions.push(match sign {
                '-' => String::from("write `- item`"),
                _ => String::from("write `key: value`"),
            });
            (format!("missing space after `{sign}`"), format!("`{sign}` needs a space after it"), None)
        }
        YamlFault::SecondColon { has_quotes } => (
            "a value cannot contain `: `".into(),
            "the second `:` of this line".into(),
            Some(match has_quotes {
                true => "put the whole value in single quotes, since it has double quotes: `'echo \"a: b\"'`",
                false => "put the value in quotes, or the second key on an indented line of its own",
            }),
        ),
        YamlFault::Unclosed(what) => {
            let help = match *what {
                "string" => "a quoted string ends with the quote that it begins with",
                "bracket `[`" => "close it with `]`",
                _ => "close it with `}`",
            };
            (format!("unclosed {what}"), "opened here, never closed".into(), Some(help))
        }
        YamlFault::Escape(text) => (
            format!("unknown escape `{text}` in a string"),
            "a backslash in `\"…\"` begins an escape".into(),
            Some("write `\\\\` for a backslash, or use single quotes, in which it is an ordinary character"),
        ),
        YamlFault::UnopenedBracket => (
            "a closing bracket without an opening one".into(),
            "no bracket is open here".into(),
            Some("remove it, or put the text in quotes"),
        ),
        YamlFault::WrongClosing { open, found } => {
            let (own, close) = if *open == '[' { ("bracket `[`", ']') } else { ("brace `{`", '}') };
            report.suggestions.push(format!("the {own} is still open: close it with `{close}`"));
            (format!("`{found}` does not close the {own}"), format!("expected `{close}` or a comma"), None)
        }
        YamlFault::NoColonAfterKey => (
            "missing `:` between a key and its value".into(),
            "expected `:` before this".into(),
            Some("in braces, write `\"key\": value`, with commas between the pairs"),
        ),
        YamlFault::EmptyItem => (
            "a comma without a value before it".into(),
            "expected a value".into(),
            Some("remove the comma, or write the value before it; an empty text is `\"\"`"),
        ),
        YamlFault::BlockText => (
            "the text after `|` or `>` is not indented".into(),
            "expected an indented line".into(),
            Some("indent every line of the text more than its key"),
        ),
        YamlFault::AfterString => (
            "text after the end of a quoted string".into(),
            "the string ends before this".into(),
            Some("inside `'…'` write a quote as `''`, inside `\"…\"` as `\\\"`; or a `:` or `,` is missing"),
        ),
        YamlFault::Reserved(c) => {
            let what = if *c == '`' { String::from("a backquote") } else { format!("`{c}`") };
            let help = "put the value in quotes; YAML reserves this character at the beginning of a value";
            (format!("a value cannot begin with {what}"), "expected text, a quote or a bracket".into(), Some(help))
        }
        YamlFault::Tab => (
            "a tab in the indentation".into(),
            "this is a tab".into(),
            Some("indent with spaces: tabs have no fixed width"),
        ),
        YamlFault::KeysAndItems { is_item: true } => (
            "a list item among keys".into(),
            "`- ` begins a list item".into(),
            Some("indent the items under the key that the list belongs to"),
        ),
        YamlFault::KeysAndItems { is_item: false } => (
            "a key among list items".into(),
            "expected `- `".into(),
            Some("a key that belongs to the item is indented like the item's text"),
        ),
        YamlFault::Indent { wider, own, above, level } => {
            let columns = |count: u32| counted(count as usize, "column");
            let below = |name: &str| if name == "-" { "the `-` above".into() } else { format!("`{name}`") };
            let moved = level.as_ref().map(|(level, name)| match level > own {
                true => format!("move it {} to the right, below {}", columns(level - own), below(name)),
                false => format!("move it {} to the left, below {}", columns(own - level), below(name)),
            });
            let (why, otherwise) = match wider {
                true => ("the line above already has a value: ", "it cannot contain this line"),
                false => ("", "indent the keys of a mapping, and the items of a list, alike"),
            };
            let help = moved.unwrap_or_else(|| String::from(otherwise));
            report.suggestions.push(format!("{why}{help}"));
            (
                "the indentation of this line matches no line above it".into(),
                format!("{}, and {above} on the line above", columns(*own)),
                None,
            )
        }
    };
    *label = at;
    report.suggestions.extend(help.map(String::from));
    message
}
