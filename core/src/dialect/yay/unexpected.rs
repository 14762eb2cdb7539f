//! Suggestions for what a line was meant to be where the parser stops, and for a key that reads itself.

use crate::text::near;
use std::ops::Range;

/// The words that begin a directive with something after them.
const DIRECTIVES: [&str; 12] =
    ["include", "search", "if", "elif", "for", "set", "select", "call", "macro", "prototype", "new", "extend"];

/// Returns a suggestion about an unexpected part. `O(line)`.
pub fn hint(text: &str, at: Range<usize>) -> Option<String> {
    let start = text.get(..at.start)?.rfind('\n').map_or(0, |end| end + 1);
    let before = text.get(start..at.start)?;
    let rest = text.get(at.start..)?.lines().next().unwrap_or_default();
    let inside = before.rfind("{{").and_then(|open| before.get(open + 2..)).filter(|inside| !inside.contains("}}"));
    if let Some(inside) = inside {
        return in_template(inside, rest);
    }
    let (word, _) = before.trim_start().split_once(' ')?;
    let is_first = !word.is_empty() && !word.contains([':', '"']) && !DIRECTIVES.contains(&word);
    let close = near(word, DIRECTIVES).into_iter().next().filter(|close| close.len().abs_diff(word.len()) < 2);
    close.filter(|_| is_first && !rest.starts_with(':')).map(|close| format!("did you mean `{close}`?"))
}

/// Returns a suggestion about an unexpected part in a template, whose text before and after that is given.
fn in_template(inside: &str, rest: &str) -> Option<String> {
    let blank = inside.trim_start_matches('-').trim();
    if blank.is_empty()
        && let Some(path) = rest.strip_prefix('.')
    {
        let path = path.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).next()?;
        let path = path.strip_prefix("Values.").unwrap_or(path);
        let is_name = path.starts_with(|c: char| c.is_alphabetic() || c == '_');
        return is_name.then(|| format!("a key is read by its name, without a dot before it: write `{path}`"));
    }
    let (_, filter) = inside.rsplit_once('|').filter(|_| !inside.contains("||") && !rest.starts_with('|'))?;
    let name = filter.trim();
    let is_name =
        name.starts_with(|c: char| c.is_alphabetic()) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| format!("there are no filters: remove `| {name}` and what follows it"))
}

/// Returns a suggestion about a key that reads itself on its own line. `O(line)`.
pub fn of_recursion(text: &str, at: Range<usize>) -> Option<String> {
    let start = text.get(..at.start)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..)?.lines().next()?;
    let (key, value) = line.trim_start().trim_start_matches("- ").split_once(':')?;
    let (_, read) = value.split_once("{{")?;
    let is_part = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'));
    let reads_itself = read.split("}}").next()?.split(is_part).any(|word| word == key);
    reads_itself.then(|| String::from("a key cannot read itself: give one of the two another name"))
}

#[cfg(test)]
mod tests {
    use super::{hint, of_recursion};

    #[test]
    fn what_a_line_was_meant_to_be() {
        let is = |text: &str, expected: Option<&str>| {
            let at = text.find('«').unwrap();
            assert_eq!(hint(&text.replace('«', ""), at..at + 1).as_deref(), expected, "{text}");
        };
        let dot = "a key is read by its name, without a dot before it: write `image.tag`";
        is("y: {{ «.Values.image.tag }}", Some(dot));
        is("y: {{ «.image.tag }}", Some(dot));
        is("y: {{ image | indent «4 }}", Some("there are no filters: remove `| indent` and what follows it"));
        is("sett «version = 1", Some("did you mean `set`?"));
        is("marco «m:", Some("did you mean `macro`?"));
        is("macroo «m x", Some("did you mean `macro`?"));
        is("y: {{ a «4 }}", None);
        is("set «4", None);
    }

    #[test]
    fn a_key_that_reads_itself() {
        assert!(of_recursion("path: {{ path }}:/opt", 0..4).is_some());
        assert!(of_recursion("path: {{ other.path }}", 0..4).is_none());
        assert!(of_recursion("a: {{ b }}", 0..1).is_none());
    }
}
