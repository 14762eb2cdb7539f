//! Suggestions for unbound names, from the lines around them.

mod document;

use crate::text::near;
use std::ops::Range;

/// Maximum number of lines that are read, before and after the name.
const LINES: usize = 2_000;

/// Returns a suggestion about an unbound name. O(text).
pub fn hint(text: &str, at: Range<usize>) -> Option<String> {
    let name = text.get(at.clone())?;
    let start = text.get(..at.start)?.rfind('\n').map_or(0, |end| end + 1);
    let before = text.get(start..at.start)?;
    let directive = before.trim_start().trim_start_matches('%').trim();
    match directive {
        "call" => return Some(template("macro", name, text)),
        "new" => return Some(template("prototype", name, text)),
        _ => {}
    }
    let after = text.get(at.end..)?.lines().next().unwrap_or_default();
    if is_key_in_braces(before, after) {
        return Some(format!("did you mean `'{name}'`?"));
    }
    if let Some(help) = of_other_languages(text, name, before, after) {
        return Some(help);
    }
    if let Some(of) = indexed(before).filter(|_| text.get(at.end..).is_some_and(|rest| rest.starts_with(']'))) {
        return Some(format!("did you mean `{of}[\"{name}\"]`?"));
    }
    if is_key_here(text, start, name) {
        return Some(format!("did you mean `here.{name}`?"));
    }
    let document = document::Lines::of(text);
    if let Some(help) = document.elsewhere(start, name) {
        return Some(help);
    }
    if let Some(of) = macro_around(text, start) {
        return Some(format!("define it where the macro is called: `{name}: VALUE` below `call {of}:`"));
    }
    if let Some(longer) = document.longer(name) {
        return Some(format!("did you mean `{longer}`?"));
    }
    let rest = text.get(at.end..)?;
    // a function has no quotes, and a name that a hint of its own explains neither
    if rest.starts_with(['(', '[']) || super::notation::unbound_word(name).is_some() {
        return None;
    }
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
    let word = text.get(at.start..at.end + length)?.trim_end_matches('.');
    Some(format!("define it: `{name}: VALUE`; a text in an expression is in quotes: `\"{word}\"`"))
}

/// Returns a suggestion for what other languages have at such a place: filters, tests, and `or` for a value that is missing.
fn of_other_languages(text: &str, name: &str, before: &str, after: &str) -> Option<String> {
    let (before, after) = (before.trim_end(), after.trim_start());
    let is_in_template = before.rfind("{{").is_some_and(|open| !before.get(open..).unwrap_or("").contains("}}"));
    if is_in_template && before.ends_with('|') && !super::meant::is_function(super::meant::own_name(name)) {
        return Some(format!("there are no filters, and no function `{name}`: remove `| {name}`"));
    }
    let is_test = before.ends_with(" is") || before.ends_with(" is not");
    if is_test && matches!(name, "defined" | "undefined" | "none") {
        return Some(String::from(
            "for a name that may have no value, `name else VALUE` is the value or else the other one",
        ));
    }
    if ["is defined", "is not defined", "is undefined"].iter().any(|test| after.starts_with(test)) {
        return Some(format!("for a name that may have no value, write `{name} else VALUE`"));
    }
    if after.starts_with("or ") || before.ends_with("default(") && is_in_template {
        return Some(format!("for a name that may have no value, write `{name} else VALUE`"));
    }
    let is_loop = |part: &str| part.contains(&format!("for {name} in "));
    if before.split_once(": ").is_some_and(|(_, value)| is_loop(value) && !value.contains('[')) {
        return Some(String::from("a `for` has a line of its own, below the key"));
    }
    // `null` in a document is a text
    if matches!(name, "None" | "nil" | "none" | "undefined") {
        let compared = before.trim_end_matches(['=', '!']).trim_end().rsplit(|c: char| !is_of_name(c)).next()?;
        let is_null = |line: &str| {
            let value = line.trim().strip_prefix(compared).and_then(|rest| rest.strip_prefix(':'));
            value.is_some_and(|value| value.trim() == "null")
        };
        if !compared.is_empty() && text.lines().take(LINES).any(is_null) {
            return Some(String::from("`null` in a document is a text: compare with `\"null\"`"));
        }
    }
    None
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the path before `[` at the end of a line.
fn indexed(before: &str) -> Option<&str> {
    let before = before.strip_suffix('[')?;
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let path = before.rsplit(|c| !is_path(c)).next()?;
    path.starts_with(|c: char| c.is_alphabetic() || c == '_').then_some(path)
}

/// Returns the name of the macro around the line that begins at `start`.
fn macro_around(text: &str, start: usize) -> Option<&str> {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let mut own = indent(text.get(start..)?);
    for line in text.get(..start)?.lines().rev().take(LINES).filter(|line| !line.trim().is_empty()) {
        if indent(line) >= own {
            continue;
        }
        own = indent(line);
        if let Some(rest) = line.trim_start().trim_start_matches('%').trim_start().strip_prefix("macro ") {
            return rest.trim().strip_suffix(':');
        }
    }
    None
}

/// Suggests a macro or a prototype.
fn template(word: &str, name: &str, text: &str) -> String {
    let defined = text.lines().filter_map(|line| line.trim_start().trim_start_matches('%').trim().strip_prefix(word));
    let names = defined.filter_map(|rest| rest.strip_prefix(' ')?.trim().strip_suffix(':'));
    match near(name, names).first() {
        Some(other) => format!("did you mean `{other}`?"),
        None => format!("define it: `{word} {name}:`, with its lines indented below it"),
    }
}

/// Whether a name between two texts is a key without quotes in `{…}`.
fn is_key_in_braces(before: &str, after: &str) -> bool {
    let is_directive =
        ["set ", "let ", "if ", "elif ", "for "].iter().any(|word| before.trim_start().starts_with(word));
    let inside = before.rfind("{{").and_then(|open| before.get(open + 2..));
    let inside = inside.or(is_directive.then_some(before)).unwrap_or("");
    inside.contains('{') && inside.trim_end().ends_with(['{', ',']) && after.trim_start().starts_with(':')
}

/// Whether the dictionary of the line that begins at `start` has a key of this name, and is not the document.
fn is_key_here(text: &str, start: usize, name: &str) -> bool {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let (Some(before), Some(after)) = (text.get(..start), text.get(start..)) else { return false };
    let own = indent(after);
    // the lines of the dictionary are those of its indentation up to one that is indented less
    let is_inside = |line: &&str| line.trim().is_empty() || indent(line) >= own;
    let instance = format!(" as {name}:");
    let is_key = |line: &str| {
        let is_entry = line.trim_start().strip_prefix(name).is_some_and(|rest| rest.starts_with(':'));
        let is_instance = line.trim_start().starts_with("new ") && line.trim_end().ends_with(&instance);
        indent(line) == own && (is_entry || is_instance)
    };
    own > 0
        && (before.lines().rev().take(LINES).take_while(is_inside).any(is_key)
            || after.lines().skip(1).take(LINES).take_while(is_inside).any(is_key))
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn what_an_unbound_name_was_meant_to_be() {
        let about = |text: &str| {
            let start = text.find('«').unwrap();
            let end = text.find('»').unwrap() - '«'.len_utf8();
            hint(&text.replace(['«', '»'], ""), start..end)
        };
        let is = |text: &str, expected: &str| assert_eq!(about(text).as_deref(), Some(expected), "{text}");
        is("macro host:\n  a: 1\nx:\n  call «hots»:", "did you mean `host`?");
        is("call «m»:\n  a: 1", "define it: `macro m:`, with its lines indented below it");
        is("new «P» as x:\n  a: 1", "define it: `prototype P:`, with its lines indented below it");
        is("x: {{ {«a»: 1} }}", "did you mean `'a'`?");
        is("a:\n  x: 1\n  y: {{ «x» }}\n", "did you mean `here.x`?");
        is("a:\n  y: {{ «x» }}\n  b:\n    c: 1\n\n  x: 1\n", "did you mean `here.x`?");
        is("a:\n  new P as x:\n    b: 1\n  y: {{ «x» }}\n", "did you mean `here.x`?");
        is("y: {{ [u[«x»] for u in users] }}", "did you mean `u[\"x\"]`?");
        is("x: {{ {a: «b»} }}", "define it: `b: VALUE`; a text in an expression is in quotes: `\"b\"`");
        is("set l = {«cpu»: 2, mem: 4}", "did you mean `'cpu'`?");
        is("x: {{ image | «quote» }}", "there are no filters, and no function `quote`: remove `| quote`");
        is("if «b» is defined:\n  c: 1", "for a name that may have no value, write `b else VALUE`");
        is("x: {{ «b» or \"y\" }}", "for a name that may have no value, write `b else VALUE`");
        is("x: {{ default(«b», 3) }}", "for a name that may have no value, write `b else VALUE`");
        is("p: null\nif p == «None»:\n  a: 1", "`null` in a document is a text: compare with `\"null\"`");
        is("l: 1\nx: for h in l: {{ «h» }}", "a `for` has a line of its own, below the key");
        // names that have a value elsewhere
        is("s:\n  port: 80\n\nurl: http://x:{{ «port» }}", "did you mean `s.port`?");
        is("a:\n  y: {{ «x» }}\nb:\n  c:\n    x: 1\n", "did you mean `b.c.x`?");
        is("for h in l:\n  - {{ h }}\nlast: {{ «h» }}", "`h` has a value only inside of the `for` on line 1");
        is(
            "a:\n  set v = 1\n  b: {{ v }}\nc: {{ «v» }}",
            "`v` is bound inside of `a` on line 2, and has a value only there",
        );
        is("environ: prod\nselect «env»:\n  prod:\n    a: 1", "did you mean `environ`?");
        // the document's own keys, several keys of other dictionaries, and a value
        let define = "define it: `x: VALUE`; a text in an expression is in quotes: `\"x\"`";
        is("y: {{ «x» }}", define);
        is("a:\n  y: {{ «x» }}\nb:\n  x: 1\nc:\n  x: 1\n", define);
        is("b:\n  - x: 1\na: {{ «x» }}", define);
        is(
            "let d = «example».org\n",
            "define it: `example: VALUE`; a text in an expression is in quotes: `\"example.org\"`",
        );
        is(
            "macro v:\n  a:\n    b: {{ «port» }}\n",
            "define it where the macro is called: `port: VALUE` below `call v:`",
        );
        assert_eq!(about("y: {{ «f»(1) }}"), None);
        assert_eq!(about("y: {{ «None» }}"), None);
    }
}
