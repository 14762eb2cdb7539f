//! Completion at the cursor of an input: commands and their arguments, or an expression.

use super::{ALL, Argument, Command};
use crate::answer::complete::{Candidate, dialects, elements, expression, paths};
use crate::answer::stages::Stage;
use crate::dialect::Dialect;
use crate::session::{Session, settings};
use std::ops::Range;

/// Returns the candidates at a byte offset of an incomplete input. Nothing is evaluated.
pub fn complete(session: &mut Session, dialect: Dialect, text: &str, at: usize) -> Vec<Candidate> {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let blank = text.len() - text.trim_start().len();
    if !text[blank..].starts_with(':') {
        return expression(&mut session.workspace, dialect, text, at);
    }
    let begin = blank + 1 + text[blank + 1..].len() - text[blank + 1..].trim_start_matches([' ', '\t']).len();
    let word = begin..text[begin..].find(char::is_whitespace).map_or(text.len(), |n| begin + n);
    if at <= word.end {
        let begin = text.get(word.start..at).unwrap_or("");
        let aliases = session.aliases();
        let own = aliases.iter().filter(|(name, _)| name.starts_with(begin)).map(|(name, meaning)| Candidate {
            range: word.clone(),
            text: name.clone(),
            kind: "command",
            ty: None,
            doc: Some(meaning.clone()),
        });
        let mut all: Vec<Candidate> = own.collect();
        all.extend(commands(begin, word));
        return all;
    }
    let own = session.aliases().contains_key(&text[word.clone()]);
    let command = match super::find(&text[word.clone()]) {
        _ if own => None,
        Ok(command) => Some(command),
        Err(_) => return Vec::new(),
    };
    let argument = command.map_or(Argument::Expression, |command| command.argument);
    let start = word.end + (text[word.end..at].len() - text[word.end..at].trim_start().len());
    let written = &text[start..at];
    // the words and options that the first argument may be
    let mut first: Vec<Candidate> = Vec::new();
    if let Some(command) = command.filter(|_| !written.contains(char::is_whitespace)) {
        let words = match command.name {
            "stages" => Stage::ALL.into_iter().map(Stage::name).collect(),
            _ => first_words(command),
        };
        let candidate =
            |word: &str| Candidate { range: start..at, text: String::from(word), kind: "option", ty: None, doc: None };
        first.extend(words.into_iter().filter(|word| word.starts_with(written)).map(candidate));
    }
    if command.is_some_and(|command| command.name == "show") || written.starts_with('-') {
        return first;
    }
    match argument {
        Argument::Nothing | Argument::Number => first,
        Argument::Expression | Argument::Path => {
            // in some languages, a path through an array is not an expression
            if let Some(found) = elements(&session.workspace, dialect, &text[start..at], start..at) {
                return found;
            }
            let blanked = " ".repeat(word.end) + &text[word.end..];
            first.extend(expression(&mut session.workspace, dialect, &blanked, at));
            first
        }
        Argument::File => {
            let start = start + usize::from(text[start..at].starts_with('"'));
            paths(&session.workspace, &text[start..at], start..at)
        }
        Argument::Dialect => dialects(session.languages(), &text[start..at], start..at),
        Argument::Command => {
            let begin = text[start..at].trim_start_matches(':');
            let mut all = commands(begin, start..at);
            let of = |(name, about): &(&str, &str)| Candidate {
                range: start..at,
                text: String::from(*name),
                kind: "topic",
                ty: None,
                doc: Some(String::from(*about)),
            };
            all.extend(super::help::TOPICS.iter().filter(|(name, _)| name.starts_with(begin)).map(of));
            all
        }
        Argument::Option => options(session, &text[start..at], start..at),
    }
}

/// Returns the words and options that the usage of a command has before its operands: `--used-by` in `:deps [--used-by] PATH`.
fn first_words(command: &Command) -> Vec<&'static str> {
    let is_word = |word: &&str| word.starts_with("--") || word.starts_with(|c: char| c.is_ascii_lowercase());
    let parts = command.usage.split_whitespace().skip(1).map(|part| part.trim_matches(['[', ']']));
    parts.take_while(is_word).flat_map(|part| part.split('|')).collect()
}

fn commands(begin: &str, range: Range<usize>) -> Vec<Candidate> {
    let of = |c: &Command| Candidate {
        range: range.clone(),
        text: String::from(c.name),
        kind: "command",
        ty: None,
        doc: Some(String::from(c.summary)),
    };
    ALL.iter().filter(|c| c.name.starts_with(begin)).map(of).collect()
}

fn options(session: &Session, written: &str, range: Range<usize>) -> Vec<Candidate> {
    let candidate = |text: &str, doc: String, range: Range<usize>| Candidate {
        range,
        text: String::from(text),
        kind: "option",
        ty: None,
        doc: Some(doc),
    };
    match written.split_once(char::is_whitespace) {
        None => {
            let shown = |s: &settings::Setting| {
                let now = session.option(s.name).unwrap_or_default();
                candidate(s.name, format!("{} (now {now})", s.doc), range.clone())
            };
            settings::ALL.iter().filter(|s| s.name.starts_with(written)).map(shown).collect()
        }
        Some((name, value)) => {
            let Some(setting) = settings::find(name) else { return Vec::new() };
            let value = value.trim_start();
            let range = range.end - value.len()..range.end;
            match (setting.values, value.split_once('=')) {
                ("NAME=FILE", Some((_, file))) => {
                    return paths(&session.workspace, file, range.end - file.len()..range.end);
                }
                (values, _) if values.starts_with("a folder") => {
                    let mut all = paths(&session.workspace, value, range);
                    all.retain(|candidate| candidate.text.ends_with('/'));
                    return all;
                }
                _ => {}
            }
            let words = setting.values.split(", ").map(|w| w.trim_start_matches("or "));
            let words = words.filter(|w| !w.contains([' ', '=']) && *w != "columns");
            let doc = || String::from(setting.doc);
            words.filter(|w| w.starts_with(value)).map(|w| candidate(w, doc(), range.clone())).collect()
        }
    }
}

/// Returns the rest of the only candidate at the end of a text.
pub fn hint(session: &mut Session, dialect: Dialect, text: &str, cursor: usize) -> Option<String> {
    if cursor != text.len() || text.trim().is_empty() {
        return None;
    }
    // only while a name is being typed
    if !text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '/')) {
        return None;
    }
    let mut all = complete(session, dialect, text, cursor);
    if all.len() != 1 {
        return None;
    }
    let only = all.pop()?;
    let written = text.get(only.range.clone())?;
    only.text.strip_prefix(written).filter(|rest| !rest.is_empty()).map(String::from)
}
