//! Translates what people type at other prompts where it has no meaning here: IPython's `x?` and `%time`, GHCi's `:!`,
//! psql's `\d`, node's `.exit`, `help` and `exit`. Also strips prompts from text that was copied from a terminal.

use cfg_core::Languages;
use cfg_core::commands::is_command_name;
use std::borrow::Cow;
use std::path::Path;

/// The translation of an input from another prompt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Translation {
    /// Run these commands.
    Commands(Vec<String>),
    /// Clear the screen.
    Clear,
    /// Run this in the shell.
    Shell(String),
}

/// Translates an input that is not valid in any language, or that refers to an unbound name. `None` if the input is to
/// run as it is.
pub fn translate(input: &str, is_bound: impl Fn(&str) -> bool) -> Option<Translation> {
    let input = input.trim();
    if input.contains('\n') {
        return None;
    }
    let command = |text: &str| Some(Translation::Commands(vec![String::from(text)]));
    let (word, rest) = input.split_once(char::is_whitespace).map_or((input, ""), |(word, rest)| (word, rest.trim()));
    if let Some(shell) = input.strip_prefix(":!").or_else(|| input.strip_prefix("\\!")) {
        return Some(Translation::Shell(String::from(shell.trim())));
    }
    if let Some((path, all)) = question_marks(input) {
        return match (path, all) {
            ("", _) => command(":help"),
            (path, false) => command(&format!(":info {path}")),
            (path, true) => Some(Translation::Commands(vec![format!(":info {path}"), format!(":explain {path}")])),
        };
    }
    match word {
        ":clear" | ".clear" | ":cls" if rest.is_empty() => return Some(Translation::Clear),
        "\\q" | ".exit" | ".quit" | "/exit" | "/quit" | "/q" if rest.is_empty() => return command(":quit"),
        "--help" | "-h" | "/?" if rest.is_empty() => return command(":help"),
        "\\?" | "\\h" | ".help" | "/help" => return command(&spaced(":help", rest)),
        "\\i" | ".load" => return command(&spaced(":load", rest)),
        ".save" => return command(&spaced(":save", rest)),
        "\\d" | "\\dt" | "\\l" if rest.is_empty() => return command(":env"),
        "\\d" => return command(&spaced(":info", rest)),
        _ => {}
    }
    if let Some(magic) = input.strip_prefix('%').filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic())) {
        let known = [("timeit", "time"), ("run ", "load ")];
        return match known.iter().find_map(|(name, ours)| Some((ours, magic.strip_prefix(name)?))) {
            Some((ours, rest)) => command(&format!(":{ours}{rest}")),
            None if is_command_name(magic.split_whitespace().next().unwrap_or_default()) => {
                command(&format!(":{magic}"))
            }
            None => None,
        };
    }
    // names that the program may have bound
    let (name, argument) = match input.strip_suffix(')').and_then(|call| call.split_once('(')) {
        Some((name, argument)) => (name.trim(), argument.trim()),
        None => (word, rest),
    };
    match (name, argument) {
        ("help" | "exit" | "quit" | "clear" | "load" | "man", _) if is_bound(name) => None,
        ("exit" | "quit", "") => command(":quit"),
        ("exit" | "quit", "0" | "1") => command(":quit"),
        ("man", "") => command(":help"),
        ("clear", "") => Some(Translation::Clear),
        ("help", "") => command(":help"),
        ("load", file) if Languages::default().of_path(Path::new(file.trim_matches('"'))).is_some() => {
            command(&spaced(":load", file))
        }
        ("help", about) if is_path(about) => {
            let first = about.split(['.', '[']).next().unwrap_or(about);
            command(&spaced(if is_bound(first) { ":info" } else { ":help" }, about))
        }
        _ => None,
    }
}

fn spaced(command: &str, argument: &str) -> String {
    String::from(format!("{command} {argument}").trim_end())
}

/// Parses `x?`, `?x` and `x??`; returns the path, and whether there are two question marks.
fn question_marks(input: &str) -> Option<(&str, bool)> {
    let path = input.trim_matches('?');
    let marks = input.len() - path.len();
    let one_side = input.ends_with(path) || input.starts_with(path);
    let path = path.trim();
    ((1..=2).contains(&marks) && one_side && (path.is_empty() || is_path(path))).then_some((path, marks == 2))
}

fn is_path(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '.' | '[' | ']' | '$' | '"'))
}

/// Returns the inputs of a text that was copied from a prompt, without prompts and answers. Any other text is returned
/// unchanged.
pub fn without_prompts(text: &str) -> Cow<'_, str> {
    let Some(first) = text.lines().find(|line| !line.trim().is_empty()) else { return Cow::Borrowed(text) };
    if after_prompt(first).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    // whether the previous line was an input
    let mut typed = false;
    for line in text.lines() {
        let further = line.trim_start().strip_prefix('…').filter(|_| typed);
        match after_prompt(line).or(further.map(|rest| rest.strip_prefix(' ').unwrap_or(rest))) {
            Some(rest) => {
                out.push_str(rest);
                out.push('\n');
                typed = true;
            }
            None => typed = false,
        }
    }
    out.truncate(out.trim_end().len());
    Cow::Owned(out)
}

/// Splits a line at the prompt of a cell: `cfg[1]> x` is `cfg` and ` x`. The name of a language has small letters only.
pub fn prompt_of_cell(line: &str) -> Option<(&str, &str)> {
    let (language, rest) = line.split_once('[')?;
    let (number, text) = rest.split_once("]>")?;
    let is_language = !language.is_empty() && language.bytes().all(|b| b.is_ascii_lowercase());
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    (is_language && is_number).then_some((language, text))
}

/// Returns the text after a prompt: `x` for `cfg[1]> x`.
fn after_prompt(line: &str) -> Option<&str> {
    let (language, text) = prompt_of_cell(line.trim_start())?;
    // `xs[0]> 1` is an expression
    Languages::default().named(language).filter(|language| language.has_cells())?;
    Some(text.strip_prefix(' ').unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_of_other_prompts_are_translated() {
        for (typed, here) in [
            ("x?", ":info x"),
            ("?x.y", ":info x.y"),
            ("std.array.map ?", ":info std.array.map"),
            ("x.b??", ":info x.b; :explain x.b"),
            ("?", ":help"),
            ("help", ":help"),
            ("help()", ":help"),
            ("load m.ncl", ":load m.ncl"),
            ("help(known.x)", ":info known.x"),
            ("help explain", ":help explain"),
            ("exit", ":quit"),
            ("exit 0", ":quit"),
            ("/help", ":help"),
            ("--help", ":help"),
            ("man", ":help"),
            ("quit()", ":quit"),
            ("\\q", ":quit"),
            (".exit", ":quit"),
            ("\\d", ":env"),
            ("\\d x", ":info x"),
            (".load a.cfg", ":load a.cfg"),
            ("%time x", ":time x"),
            ("%timeit x", ":time x"),
            ("%type x", ":type x"),
            (":clear", "clear"),
            ("clear", "clear"),
            (":!ls -l", "$ ls -l"),
            (":! make", "$ make"),
        ] {
            let shown = match translate(typed, |name| name == "known") {
                Some(Translation::Commands(all)) => all.join("; "),
                Some(Translation::Clear) => String::from("clear"),
                Some(Translation::Shell(text)) => format!("$ {text}"),
                None => String::new(),
            };
            assert_eq!(shown, here, "{typed}");
        }
    }

    #[test]
    fn valid_inputs_are_not_translated() {
        for input in
            ["x", "1 + 1", ":type x", "%%jsonnet\nx", "exits", "help = 1", "a ? b", "x = 1 # really?", "f(help)"]
        {
            assert_eq!(translate(input, |_| false), None, "{input}");
        }
        for input in ["help", "exit", "clear", "help x", "quit()", "man"] {
            assert_eq!(translate(input, |_| true), None, "{input}");
        }
    }

    #[test]
    fn a_copied_session_yields_its_inputs() {
        let copied = "cfg[1]> x = 1\nx : Number\ncfg[2]> y = {\n       …   a = x,\n       … }\ny : { a : Number }\ncfg[3]> :type y\n";
        assert_eq!(without_prompts(copied), "x = 1\ny = {\n  a = x,\n}\n:type y");
        for text in ["x = 1", "cfg[1]", "xs[0]> 1", "", "a\ncfg[1]> x"] {
            assert_eq!(without_prompts(text), text);
        }
        assert_eq!(without_prompts("jsonnet[12]> {a: 1}"), "{a: 1}");
    }
}
