//! The data language of a text without a name, such as standard input, by its content.

use super::{JSON, TOML, YAML};
use crate::dialect::{Dialect, Language, Names, Stop};
use crate::problem::Severity;
use crate::term::Node;
use crate::text::{Name, SourceId};

/// The names in scope of data: none. Carries the flag that stops the reader.
struct NoNames<'a>(Stop<'a>);

impl Names for NoNames<'_> {
    fn is_bound(&self, _name: &str) -> bool {
        false
    }
    fn all(&self) -> Vec<Name> {
        Vec::new()
    }
    fn stop(&self) -> Stop<'_> {
        self.0
    }
}

/// Returns whether a text is a mapping or a list in a data language. O(text).
pub fn holds(language: &'static Language, text: &str, stop: Stop<'_>) -> bool {
    if language.program.is_none() {
        return false;
    }
    let program = Dialect(language).program(SourceId(0), text, &NoNames(stop));
    let term = &program.term;
    let root = match term.node(term.root) {
        Node::Let(anchors) => anchors.body,
        _ => term.root,
    };
    let is_whole = match term.node(root) {
        Node::Record(record) => !record.fields.is_empty(),
        Node::Array(items) => !items.is_empty(),
        _ => false,
    };
    is_whole && !program.problems.iter().any(|problem| problem.severity == Severity::Error)
}

/// Returns the data language of a text: JSON, YAML in block style or TOML. `None` if it is none of these. YAML in flow style
/// is not recognised, because `{ a = 1 }` is a mapping in YAML and a program too. O(text).
pub fn of_content(text: &str, stop: Stop<'_>) -> Option<&'static Language> {
    let first = text.trim_start_matches('\u{feff}').lines().map(str::trim_end).find(|line| {
        let line = line.trim_start();
        !line.is_empty() && !line.starts_with('#')
    })?;
    if first.trim_start().starts_with(['{', '[']) && holds(&JSON, text, stop) {
        return Some(&JSON);
    }
    if begins_block(first) && holds(&YAML, text, stop) {
        return Some(&YAML);
    }
    (first.contains('=') || first.starts_with('[')).then_some(&TOML).filter(|toml| holds(toml, text, stop))
}

/// Returns whether a line of YAML begins a block mapping, a block sequence or a document: `a: 1`, `- a`, `---`.
fn begins_block(line: &str) -> bool {
    if line.starts_with("---") || line.starts_with("%YAML") || line == "-" || line.starts_with("- ") {
        return true;
    }
    let is_key = |key: &str| {
        let quoted = |quote| key.len() > 1 && key.starts_with(quote) && key.ends_with(quote);
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '$');
        quoted('"') || quoted('\'') || (!key.is_empty() && key.chars().all(plain))
    };
    line.split_once(": ").map(|(key, _)| key).or_else(|| line.strip_suffix(':')).is_some_and(is_key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_language_of_its_content() {
        for (text, expected) in [
            ("{\"a\": 1}", Some("json")),
            ("# from a chart\nkind: Service\nmetadata: {name: web}\n", Some("yaml")),
            ("---\na: 1\n---\nb: 2\n", Some("yaml")),
            ("- a\n- b\n", Some("yaml")),
            ("\"odd key\":\n  a: 1\n", Some("yaml")),
            ("a = 3\n", Some("toml")),
            ("[server]\nport = 80\n", Some("toml")),
            ("{ a = 1, b | default = 2 }", None),
            ("let x = 1 in { a = x }", None),
            ("a : Number", None),
            ("a: [1\n", None),
            ("1", None),
            ("", None),
        ] {
            assert_eq!(of_content(text, Stop::NEVER).map(|language| language.name), expected, "{text}");
        }
    }
}
