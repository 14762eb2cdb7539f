//! Words for priorities and other metadata in other languages: `| override`, `{ force port = 443 }`, `a:: 1`, `{ a ?= 5 }`.

use super::super::hint::path_at_end;
use super::{Place, first_word, is_word};

/// Words that are written like metadata, and what says the same here.
const METADATA: [(&[&str], &str); 6] = [
    (
        &["override", "overrides", "overwrite", "overridden", "final", "important", "always", "mkForce", "replace"],
        "write `| force`: the value with it overrides the others",
    ),
    (&["fallback", "weak", "initial", "preset", "mkDefault"], "write `| default`: another value overrides it"),
    (&["required", "mandatory", "must"], "leave out this word: a field without `| optional` has to have a value"),
    (&["hidden", "private", "internal", "noexport"], "write `| not_exported`: the field is not part of the output"),
    (&["sensitive", "password", "confidential"], "write `| secret`: the value is never shown"),
    (&["description", "comment", "desc", "docs"], "write `| doc \"…\"`"),
];

/// The words of metadata that take no operand.
const WORDS: [&str; 5] = ["default", "force", "optional", "not_exported", "secret"];

/// Returns advice about metadata.
pub(super) fn advice(place: &Place<'_>) -> Option<String> {
    let line = place.line_before();
    let before = line.trim_end();
    let after = place.line_after().trim_start();
    let defines = after.starts_with('=') && !after.starts_with("==");
    if place.is_unbound {
        let is_metadata = before.ends_with('|') && !before.ends_with("||") && before.contains('{');
        let ends = after.is_empty() || after.starts_with(['=', '|', ',', '}']);
        let word = |(words, _): &&(&[&str], &str)| words.contains(&place.sign);
        return METADATA.iter().find(word).filter(|_| is_metadata && ends).map(|(_, advice)| String::from(*advice));
    }
    // `{ force port = 443 }`
    let first = before.rsplit(['{', ',']).next().unwrap_or(before).trim();
    let is_in_record = before.contains(['{', ',']);
    if WORDS.contains(&first) && is_word(place.sign) && defines && is_in_record {
        return Some(format!("write `{} | {first} = …`: metadata comes after the name", place.sign));
    }
    // `{ host = default "localhost" }`
    if WORDS.contains(&place.sign)
        && let Some(name) = before.strip_suffix('=').map(str::trim_end).and_then(path_at_end)
    {
        return Some(format!("write `{name} | {} = …`: metadata comes before the `=`", place.sign));
    }
    // `{ a | force 5 = 1 }`
    if place.sign.starts_with(|c: char| c.is_ascii_digit())
        && let Some((_, word)) = before.rsplit_once('|')
        && matches!(word.trim(), "force" | "default")
        && defines
    {
        return Some(format!("write `| priority {} = …`: `{}` has no number", place.sign, word.trim()));
    }
    // `{ name | doc "the name" String = "web" }`
    let metadata = before.rsplit_once('|').map(|(_, metadata)| metadata.trim()).unwrap_or_default();
    let is_described =
        metadata.strip_prefix("doc").is_some_and(|text| text.trim().starts_with('"') && text.ends_with('"'));
    let is_marked = WORDS.contains(&metadata);
    let is_type = place.sign.starts_with(|c: char| c.is_ascii_uppercase());
    if is_type && (is_described || is_marked) {
        return Some(format!("write `| {}`: each part of the metadata begins with `|`", place.sign));
    }
    let is_value = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '\'' | '[' | '{' | '-'))
            || matches!(first_word(text), "true" | "false" | "null")
    };
    let name = before.trim_end_matches(':').rsplit(['{', ',']).next().unwrap_or_default().trim();
    match place.sign {
        // `{ a:: 1 }`
        ":" if before.ends_with(':') && is_in_record && is_word(name) && is_value(after) => {
            Some(format!("write `{name} | not_exported = …` for a field that is not part of the output"))
        }
        // `{ a ?= 5 }`
        "?" if place.after.starts_with('=') && is_word(name) => {
            Some(format!("write `{name} | default = …`: another value overrides it"))
        }
        _ => None,
    }
}
