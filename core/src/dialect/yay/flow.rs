//! Texts that are written as lists and dicts of YAML: `[80, 443]`, `{a: 1}`. They are plain text here.

use super::grammar::is_number;
use crate::text::Name;

/// Parts of the names of keys whose values may be character classes.
const CLASSES: [&str; 9] = ["char", "cls", "class", "letter", "digit", "vowel", "pattern", "regex", "match"];

/// Returns the text between the brackets of a list.
pub fn inside(text: &str) -> Option<&str> {
    text.strip_prefix('[')?.strip_suffix(']')
}

/// Replaces each template in a text by a word. `None` if a template is open.
pub fn without_templates(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        out.push_str("name");
        rest = after.split_once("}}")?.1;
    }
    out.push_str(rest);
    Some(out)
}

/// Whether a text is `a: b, c: d`, of plain words.
pub fn is_dict(inside: &str) -> bool {
    let is_pair = |pair: &str| {
        let words = pair.trim().split_once(": ");
        words.is_some_and(|(key, value)| is_word(key) && !is_number(key) && is_element(value.trim()))
    };
    elements(inside).all(is_pair)
}

/// Whether a text is `a, b`, and not a character class with a range: `a-z`. It may still be a name in brackets.
pub fn is_list(inside: &str) -> bool {
    elements(inside).all(is_element)
}

/// Whether all elements are numbers.
pub fn is_numbers(inside: &str) -> bool {
    elements(inside).all(|word| is_number(word.trim()))
}

/// Whether a list in brackets is surely meant as one. Two rising numbers may be an interval, one word a section of a file or a
/// character class, and words without a space after the comma a pattern, unless the key is a plural.
pub fn is_surely_list(key: Option<&Name>, inside: &str) -> bool {
    let is_class = |key: &Name| CLASSES.iter().any(|part| key.to_lowercase().contains(part));
    let is_plural = key.is_some_and(|key| {
        key.ends_with('s') && !["ss", "us", "is", "as"].iter().any(|end| key.ends_with(end)) && !is_class(key)
    });
    let words: Vec<&str> = elements(inside).map(str::trim).collect();
    let numbers: Vec<f64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let is_interval = matches!(numbers.as_slice(), [low, high] if low < high) && words.len() == 2;
    let is_spaced = inside.split(',').skip(1).all(|word| word.starts_with(' '));
    match words.as_slice() {
        [_] => is_plural,
        _ if numbers.len() == words.len() => is_plural || !is_interval || key.is_none(),
        _ => is_spaced || is_plural && words.iter().all(|word| word.len() > 1),
    }
}

/// Returns the elements between brackets. The last one may have a comma after it.
fn elements(inside: &str) -> impl Iterator<Item = &str> {
    let inside = inside.trim_end();
    inside.strip_suffix(',').unwrap_or(inside).split(',')
}

fn is_element(word: &str) -> bool {
    let word = word.trim();
    let is_range = word.len() == 3 && word.as_bytes().get(1) == Some(&b'-');
    let is_class = !is_number(word) && word.contains('-') && word.split('-').any(|part| part.is_empty());
    is_word(word) && !is_range && !is_class || is_number(word) || is_quoted(word)
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '/'))
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@'))
}

fn is_quoted(text: &str) -> bool {
    ['"', '\''].into_iter().any(|quote| {
        text.strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote))
            .is_some_and(|inside| !inside.contains(['"', '\'', '\\']))
    })
}
