//! Suggestions for unbound names, from the lines around them.

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
    if is_key_in_braces(before, text.get(at.end..)?) {
        return Some(format!("did you mean `'{name}'`?"));
    }
    if let Some(of) = indexed(before).filter(|_| text.get(at.end..).is_some_and(|rest| rest.starts_with(']'))) {
        return Some(format!("did you mean `{of}[\"{name}\"]`?"));
    }
    if is_key_here(text, start, name) {
        return Some(format!("did you mean `here.{name}`?"));
    }
    if let Some(of) = macro_around(text, start) {
        return Some(format!("define it where the macro is called: `{name}: VALUE` below `call {of}:`"));
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
    let inside = before.rfind("{{").and_then(|open| before.get(open + 2..)).unwrap_or("");
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
        // the document's own keys, another dictionary's, and a value
        let define = "define it: `x: VALUE`; a text in an expression is in quotes: `\"x\"`";
        is("y: {{ «x» }}", define);
        is("a:\n  y: {{ «x» }}\nb:\n  x: 1\n", define);
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
