//! The messages of problems in programs of this language.

use super::problem::CfgProblem;
use super::words::foreign_word;
use crate::problem::report::{Label, Report, expected_here, formats, lookalike, similar, unexpected, was};
use crate::text::{Name, Span};

/// Suggests a fix for an unexpected token, from common habits and slips.
fn habit(found: &str, expected: &[Name], before: &str) -> Option<&'static str> {
    const FUNCTION: &str = "a function is written `fun x => e`: `let f = fun x => e in …`, or `{ f = fun x => e }`";
    let words = |word: &str| before.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word);
    if words("function") || words("def") || words("func") || words("lambda") {
        return Some(FUNCTION);
    }
    if words("return") {
        return Some("a function has the value of its body, without `return`: `fun x => x + 1`");
    }
    if (words("switch") || words("case")) && before.ends_with('{') {
        return Some("a value is matched with `e |> match { pattern => e, … }`");
    }
    if words("where") && wants_end(expected) {
        return Some("a name is bound before it is used: `let a = 1 in a + 1`");
    }
    if words("if") && before.ends_with('{') && !words("then") {
        return Some("an `if` has no braces: `if c then a else b`");
    }
    if matches!(found, "in" | "for") && (words("for") || found == "for") {
        return Some("to map an array, write `std.array.map (fun x => e) xs`");
    }
    if found == "=>" && wants_end(expected) && !before.contains('\\') {
        return Some(FUNCTION);
    }
    let wants = |what: &str| expected.iter().any(|e| e == what);
    let begins_item =
        found.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | '\'' | '{' | '[' | '('));
    Some(match found {
        "," | "}" if before.trim_end().ends_with('=') && wants("an expression") => {
            "a value comes after `=`; a field without a value is declared without `=`: `{ a, b = 1 }`"
        }
        "=>" if expected == ["`in`"] => FUNCTION,
        "'" if before.contains('\'') => "a string is in double quotes: `\"…\"`; a single quote begins an enum tag",
        _ if begins_item && wants("`,` between arms") => "arms are separated by commas: `match { 'A => 1, 'B => 2 }`",
        "?" if wants("`,`") && wants("`}`") && !before.contains('=') => {
            "a field that may be missing is `| optional`: `{ port | Number | optional }`"
        }
        "/" if wants("`,`") && wants("`}`") && !before.contains('=') => {
            "a field's name with such a sign is in quotes: `\"a/b\" = e`"
        }
        "," if wants("`=>`") => "parameters are separated by spaces: `fun a b => e`",
        ";" if wants("`in`") => {
            "a `let` ends with `in`, and several bindings are separated by commas: `let a = 1, b = 2 in a + b`"
        }
        "=" if wants("a number") => "a priority is a number after the word: `{ a | priority 1 = e }`",
        _ if wants("the type of the elements") => {
            "the type of an array is `Array Number`; with any elements, `Array Dyn`"
        }
        "(" if wants("the path of a file, in quotes") => "`import` is not a function: `import \"path/to/file.ncl\"`",
        "[" if wants("a field name") => "a computed field name is a string with an expression: `{ \"%{name}\" = 1 }`",
        "$" | "${" | "%" | "%{" if wants("a field name") => {
            "a computed field name is a string with an expression: `{ \"%{name}\" = 1 }`"
        }
        "," if wants("a field name") => "remove this comma, or write a field before it",
        "*" if wants("an expression") && before.ends_with('/') => "a comment begins with `#`, and ends with its line",
        "*" if wants("an expression") && before.ends_with('*') => "a power is `std.number.pow 2 3`",
        "." | ".." if before.ends_with("..") => "records are merged with `&`: `base & { b = 2 }`",
        "with" if wants("`,`") || wants("the end") => "records are merged with `&`: `base & { b = 2 }`",
        _ if wants("a field name") && found.starts_with(|c: char| c.is_ascii_digit()) => {
            "a field's name begins with a letter, or is in quotes: `\"1a\" = e`"
        }
        _ if found != "in" && expected == ["`in`"] => "a `let` ends with `in` and its body: `let x = e in …`",
        "=" if wants("`then`") => "`=` binds a name; two values are compared with `==`",
        "=" if wants("an expression") && before.ends_with('/') => "inequality is written `!=`",
        "%" | "%{" if wants("an expression") => "`%{…}` is written in a string: `\"%{x}\"`",
        "=" if wants("an expression") => "a name is bound with `=` alone, and values are compared with `==`",
        "$" | ">" if wants("an expression") && before.trim_matches(['>', ' ']).is_empty() => {
            "leave out the sign of the prompt"
        }
        "^" => "a power is `std.number.pow 2 3`",
        ">" if wants("an expression") => "`!=` asks whether two values differ",
        "?" => "a choice between two values is written `if c then a else b`",
        "\\" if wants("an expression") => "a function is written `fun x => e`",
        _ if expected == ["`=`"] && words("rec") && found.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
            "a function that calls itself is bound with `let rec f = fun x y => e`"
        }
        _ if expected == ["`=`"] && words("let") && found.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
            "a function is bound with `let f = fun x y => e`"
        }
        ";" if before.trim_start().starts_with("with ") => {
            "the fields of a record are read through it: `std.array.length xs`"
        }
        "(" if wants("`=`") => "a function is bound with `let f = fun x y => e`",
        ":" if wants("the end") || wants("`then`") => "a record is written `{ name = e }`",
        "else" if wants("`then`") => "an `if` is written `if c then a else b`",
        "elif" | "elsif" => "write `else if c then a else b`",
        ";" if wants("`,`") => "fields and elements are separated by commas",
        "}" | ")" | "]" | "%}" if wants("`]`") => "a `[` before this is still open: close it with `]`",
        "}" | "]" if wants("`)`") => "a `(` before this is still open: close it with `)`",
        ")" | "]" if wants("`}`") => "a `{` before this is still open: close it with `}`",
        "}" | "]" | ")" if wants("the end") => "there is no open bracket for this: remove it",
        "/" if wants("a field name") => "a comment begins with `#`",
        _ if wants("`,`") && wants("`in`") => "several bindings are separated by commas: `let x = 1, y = 2 in …`",
        "}" | ")" | "]" | "," if wants("`else`") => "an `if` always has both branches: `if c then a else b`",
        "import" if wants("a field name") => "the fields of a file are merged: `{ a = 1 } & import \"file.ncl\"`",
        "let" if wants("a field name") => "a `let` comes before the record: `let x = 1 in { a = x }`",
        _ if begins_item && wants("`}`") && ends_in_metadata(before) => {
            "a value comes after `=`: `{ a | default = 1 }`"
        }
        _ if begins_item && wants("`,`") && before.ends_with("inherit") => {
            "a name from around the record becomes a field with `include`: `{ include x }`"
        }
        _ if begins_item && wants("`,`") && wants("`}`") => "fields are separated by commas: `{ a = 1, b = 2 }`",
        _ if begins_item && wants("`,`") && wants("`]`") => "elements are separated by commas: `[1, 2]`",
        "->" if expected == ["`=>`"] => "an arm of `match` is written `pattern => e`",
        "->" if wants("`=>`") => "a function is written `fun x => e`",
        "==" if wants("`=`") || wants("`,`") => "a field is defined with one `=`",
        "," if wants("`)`") => "the arguments of a function are separated by spaces, without brackets: `f a b`",
        "--" if wants("an expression") => "a comment begins with `#`",
        "/" if wants("an expression") && before.trim_end_matches('/').trim_end().ends_with('}') => {
            "`&` merges records, and a field with `| force` overrides another: `{ a = 1 } & { a | force = 2 }`; a comment begins with `#`"
        }
        "/" if wants("an expression") => "a comment begins with `#`",
        "=" if wants("the end") => {
            "a file is one expression: bind names with `let x = e in …`, or as fields of a record"
        }
        "$" if wants_end(expected) && before.ends_with(|c: char| c.is_alphanumeric()) => {
            "an argument that is a call is in parentheses: `f (g x)`; an expression in a string is written `%{e}`"
        }
        "`" => "a string is in double quotes: `\"text\"`",
        _ if expected.iter().any(|e| e == "`else`") => "an `if` always has both branches: `if c then a else b`",
        "$" | "${" => "an expression in a string is written `%{e}`",
        _ if wants("the end") && begins_item && before.trim().is_empty() => {
            "a file is one expression: a record is written `{ name = e, … }`, and two are merged with `&`"
        }
        _ if found != "{" && expected == ["`{`"] => "a value is matched with `e |> match { pattern => e, … }`",
        _ => return None,
    })
}

/// Returns `true` if a text ends in a word of metadata that has no operand: `{ a | default`.
fn ends_in_metadata(before: &str) -> bool {
    let word = |text: &str| matches!(text.trim(), "default" | "force" | "optional" | "not_exported" | "secret");
    before.rsplit_once('|').is_some_and(|(_, last)| word(last))
}

fn wants_end(expected: &[Name]) -> bool {
    expected.iter().any(|e| matches!(e.as_str(), "the end" | "an operator" | "`)`" | "`,`"))
}

/// Suggests a fix for an input that ends too early.
fn unfinished(expected: &[Name], before: &str) -> Option<&'static str> {
    Some(match expected {
        [one] if one == "an expression" && before.ends_with("++") => {
            "`++` joins two strings; a number is increased with `x + 1`"
        }
        [one] if one == "an expression" && before.trim().is_empty() => return None,
        [one] if one == "an expression" && before.ends_with(['=', ':', '>']) => "write the value that is missing",
        [one] if one == "an expression" && last_word(before) == "in" => {
            "the body comes after `in`: `let x = 1 in x + 1`"
        }
        [one] if one == "an expression" && matches!(last_word(before), "then" | "else" | "if") => {
            "an `if` always has a condition and both branches: `if c then a else b`"
        }
        [one] if one == "an expression" => "an operator has a value on both sides: `1 + 2`",
        [one] if one == "a field name" && before.ends_with('.') => {
            "the name of a field comes after the dot: `record.name`"
        }
        [one] if one == "`else`" => "an `if` always has both branches: `if c then a else b`",
        [one] if one == "`then`" => "an `if` is written `if c then a else b`",
        [one] if one == "`in`" => "a `let` ends with its body: `let x = e in …`",
        _ => return None,
    })
}

/// Returns the last word of a text.
fn last_word(text: &str) -> &str {
    text.rsplit(|c: char| c.is_whitespace()).next().unwrap_or(text)
}

/// Suggests how to close something that was opened.
fn closing(what: &str) -> &'static str {
    match what {
        "string" => "end it with `\"`; a string of several lines is written `m%\"…\"%`",
        "multi-line string" => "end it with `\"` and as many `%` as are at its beginning",
        "parenthesis `(`" => "close it with `)`",
        "bracket `[`" => "close it with `]`",
        "bracket `[|`" => "close it with `|]`",
        "brace `{`" => "close it with `}`",
        "interpolation `%{`" => "close it with `}`",
        _ => "close it with `\"`",
    }
}

pub(super) fn write(problem: &CfgProblem, span: Span, report: &mut Report) {
    let mut label = String::new();
    let mut further = Vec::new();
    let mut help = |text: String| report.suggestions.push(text);
    report.message = match problem {
        CfgProblem::Unexpected { found, expected, before, comma_after } => {
            let text = || String::from("a `,` is missing after this");
            further.extend(comma_after.map(|span| Label { span, text: text() }));
            label = expected_here(expected);
            let lookalike = found.as_deref().and_then(lookalike);
            let meant = match found {
                Some(_) if lookalike.is_some() => lookalike.map(|(_, instead)| instead),
                Some(found) => habit(found, expected, before),
                None => unfinished(expected, before),
            };
            if let Some(text) = meant {
                help(text.to_string());
            } else if found
                .as_ref()
                .and_then(|token| token.chars().next())
                .is_some_and(|c| !c.is_ascii() && c.is_alphabetic())
            {
                help(String::from(
                    "names consist of the letters a to z, digits, `_`, `-` and `'`; any text in quotes names a field",
                ));
            }
            unexpected(found)
        }
        CfgProblem::Unclosed(what) => {
            label = String::from("opened here, never closed");
            help(closing(what).to_string());
            format!("unclosed {what}")
        }
        CfgProblem::Reserved(word) => {
            label = String::from("expected a name");
            help(format!("as a field's name it can be quoted: `\"{word}\"`"));
            format!("`{word}` is a reserved word")
        }
        CfgProblem::NeedsParentheses(word) => {
            help(format!("write `({word} …)`"));
            format!("`{word}` needs parentheses around it here")
        }
        CfgProblem::OperandNeedsParentheses(word) => {
            help(format!("write `| {word} (…)`"));
            format!("put the expression after `{word}` in parentheses")
        }
        CfgProblem::NoEquals(field) => {
            label = String::from("expected `=` before this");
            help(format!("write `{field} | secret = …`"));
            format!("the value of `{field}` comes after one `=`")
        }
        CfgProblem::Escape(text) => {
            help(String::from("write `\\\\` for a backslash"));
            help(String::from("known escapes: \\\\ \\\" \\' \\% \\n \\r \\t \\x41 \\u{e9}"));
            format!("unknown escape sequence `{text}`")
        }
        CfgProblem::Priorities { field, first } => {
            label = String::from("a second priority");
            further.push(Label { span: *first, text: String::from("the first one") });
            help(format!("keep one of them: a definition of `{field}` has one priority"));
            format!("more than one priority on the field `{field}`")
        }
        CfgProblem::Metadata { word, on } => {
            label = format!("`{word}` on {on}");
            report
                .notes
                .push(String::from("metadata belongs on fields, not on values: `{ field | doc \"…\" | default = e }`"));
            if *on == "a let binding" {
                report.notes.push(String::from("a `let` takes types, contracts, `doc`, `rec default` and `rec force`"));
            }
            if *on == "a let binding" || *on == "an expression" && word == "optional" {
                help(match word.as_str() {
                    "default" | "force" => format!("a field of a record can have it: `{{ field | {word} = e }}`"),
                    "optional" | "not_exported" => format!("a field of a record can have it: `{{ field | {word} }}`"),
                    _ => String::from("a field of a record can have it"),
                });
            }
            if matches!(word.as_str(), "default" | "force") && *on == "an expression" {
                help(format!(
                    "write it before the `=`: `{{ field | {word} = e }}`; for all fields of a record: `let x | rec {word} = e`"
                ));
            }
            format!("`{word}` is metadata of a field and cannot be attached to {on}")
        }
        CfgProblem::OrPattern(name) => {
            label = format!("`{name}` is not bound here");
            format!("alternatives of an `or` pattern must bind the same names: `{name}` is not bound by all")
        }
        CfgProblem::RecordTail => {
            help(String::from("in a record type every field is written `name : Type`, without a value"));
            String::from("a tail `; r` can only end a record type")
        }
        CfgProblem::UnboundTail(name) => {
            label = String::from("no `forall` binds this");
            help(format!("write `forall {name}. …` around the type"));
            format!("unbound row variable `{name}`")
        }
        CfgProblem::Package(name) => {
            label = String::from("expected the path of a file, in quotes");
            match name.contains(['.', '/']) {
                true => {
                    help(format!("write `import \"{name}\"`"));
                    format!("the path `{name}` is not in quotes")
                }
                false if name == "std" => {
                    help(String::from("leave out the import: `std` is always there, as in `std.array.length [1]`"));
                    String::from("the library is not imported")
                }
                false => {
                    help(String::from("import a file: `import \"path/to/file.ncl\"`"));
                    format!("packages cannot be imported: `{name}`")
                }
            }
        }
        CfgProblem::ImportFormat { name, known } => {
            help(format!("formats: {}", formats(known)));
            format!("unknown import format `{name}`")
        }
        CfgProblem::Internal(name) => {
            help(String::from("the library, `std`, has a function for it"));
            format!("`{name}` is internal to Nickel's library")
        }
        CfgProblem::SingleQuotes(tag) => {
            label = String::from("this is not a string");
            help(format!("a string is in double quotes: `\"{}\"`", tag.trim_end_matches('\'')));
            format!("`'{tag}` is an enum tag whose name ends in a quote")
        }
        CfgProblem::Dollar(path) => {
            label = String::from("nothing is inserted here");
            help(format!("to insert the value, write `%{{{path}}}`"));
            format!("`${{{path}}}` is plain text")
        }
        CfgProblem::Habit(habit) => {
            let (message, place) = habit.words();
            label = place;
            habit.hints().into_iter().for_each(help);
            message
        }
        CfgProblem::PathBinding => {
            help(String::from("to change a field of a definition: `x = x & { field = … }`"));
            String::from("only a name can be bound here")
        }
        CfgProblem::Unbound { name, near, field, itself, is_type, past } => {
            label = String::from("nothing of this name is in scope");
            if let Some(own) = itself {
                further.push(Label {
                    span: own.place,
                    text: String::from("it is bound here, but not inside of its own value"),
                });
                help(match own.is_function {
                    true => format!("a function that calls itself has the keyword `rec`: `let rec {name} = …`"),
                    false => {
                        format!("a value can extend an earlier one of the same name, and there is no earlier `{name}`")
                    }
                });
            } else if let Some(span) = field {
                further.push(Label { span: *span, text: String::from("a field of this name, out of scope above") });
                help(format!(
                    "scoping is lexical: declare the field in the same record, `{{ {name}, … }}`, to refer to it"
                ));
            }
            if let Some(past) = past {
                help(was(past));
            } else if let Some(text) = foreign_word(name) {
                help(text.to_string());
            } else if let Some(text) = similar(near) {
                help(text);
            } else if *is_type && name.chars().count() == 1 {
                help(format!("a variable of a type is bound first: `forall {name}. …`"));
            } else if *is_type && name.starts_with(|c: char| c.is_lowercase()) {
                help(format!(
                    "`:` is followed by a type; a field gets its value with `=`, and a text is in quotes: `= \"{name}\"`"
                ));
            } else if itself.is_none()
                && !*is_type
                && name.chars().count() > 1
                && !name.starts_with('_')
                && !name.contains('\'')
            {
                help(format!("a text is in quotes, `\"{name}\"`; a name is bound first: `let {name} = …`"));
            } else if itself.is_none() && field.is_none() && !*is_type && !name.starts_with('_') {
                help(format!("a name is bound first: `let {name} = …`"));
            }
            format!("unbound name `{name}`")
        }
    };
    report.labels.push(Label { span, text: label });
    report.labels.extend(further);
}
