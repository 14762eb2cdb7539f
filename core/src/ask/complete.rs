//! The ways to go on at the cursor: names, fields through the inferred type, tags, commands, options, paths.

mod documented;
mod elements;
mod expression;
mod wanted;

use crate::dialect::Dialect;
use crate::session::commands::{self, Argument};
use crate::session::{Candidate, Session, settings};
use expression::expression;
use std::ops::Range;

/// More candidates than these are of no use.
const MANY: usize = 1000;
/// Types are shown of so many.
const TYPED: usize = 300;
/// So many columns of a type are shown: a menu has no more room, and a key must not wait for the rest.
const SHOWN: usize = 400;
/// The ways to go on at a byte of a text that is not a whole input yet. Nothing is evaluated.
pub fn complete(session: &mut Session, text: &str, at: usize) -> Vec<Candidate> {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let blank = text.len() - text.trim_start().len();
    if !text[blank..].starts_with(':') {
        return expression(session, text, at);
    }
    let word = blank + 1..text[blank + 1..].find(char::is_whitespace).map_or(text.len(), |n| blank + 1 + n);
    if at <= word.end {
        let begin = text.get(word.start..at).unwrap_or("");
        let own = session.own_commands().filter(|(name, _)| name.starts_with(begin)).map(|(name, meaning)| Candidate {
            range: word.clone(),
            text: String::from(name),
            kind: "command",
            ty: None,
            doc: Some(String::from(meaning)),
        });
        let mut all: Vec<Candidate> = own.collect();
        all.extend(commands(begin, word));
        return all;
    }
    let own = session.own_commands().any(|(name, _)| name == &text[word.clone()]);
    let argument = match commands::find(&text[word.clone()]) {
        _ if own => Argument::Expression,
        Ok(command) => command.argument,
        Err(_) => return Vec::new(),
    };
    let start = word.end + (text[word.end..at].len() - text[word.end..at].trim_start().len());
    match argument {
        Argument::Nothing => Vec::new(),
        Argument::Expression => {
            // a path through an array is no expression of every language
            if let Some(found) = elements::fields(session, &text[start..at], start..at) {
                return found;
            }
            let blanked = " ".repeat(word.end) + &text[word.end..];
            expression(session, &blanked, at)
        }
        Argument::File => {
            let start = start + usize::from(text[start..at].starts_with('"'));
            paths(session, &text[start..at], start..at)
        }
        Argument::Dialect => dialects(&text[start..at], start..at),
        Argument::Command => commands(text[start..at].trim_start_matches(':'), start..at),
        Argument::Option => options(session, &text[start..at], start..at),
    }
}

fn commands(begin: &str, range: Range<usize>) -> Vec<Candidate> {
    let of = |c: &commands::Command| Candidate {
        range: range.clone(),
        text: String::from(c.name),
        kind: "command",
        ty: None,
        doc: Some(String::from(c.summary)),
    };
    commands::ALL.iter().filter(|c| c.name.starts_with(begin)).map(of).collect()
}

/// The languages that a name begins.
pub fn dialects(begin: &str, range: Range<usize>) -> Vec<Candidate> {
    let all = Dialect::ALL.into_iter().filter(|d| d.has_cells() && d.is_built() && d.name().starts_with(begin));
    let of = |d: Dialect| Candidate {
        range: range.clone(),
        text: String::from(d.name()),
        kind: "option",
        ty: None,
        doc: None,
    };
    all.map(of).collect()
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
                ("NAME=FILE", Some((_, file))) => return paths(session, file, range.end - file.len()..range.end),
                (values, _) if values.starts_with("a folder") => {
                    let mut all = paths(session, value, range);
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

/// Files and folders that continue a path. Files that nothing can be made of are left out, hidden ones unless asked for.
fn paths(session: &Session, written: &str, range: Range<usize>) -> Vec<Candidate> {
    let (folder, begin) =
        written.rsplit_once('/').map_or(("", written), |(f, b)| (if f.is_empty() { "/" } else { f }, b));
    let range = range.end - begin.len()..range.end;
    let mut all = session.list(folder);
    all.sort();
    all.into_iter()
        .filter(|name| name.starts_with(begin) && (!name.starts_with('.') || begin.starts_with('.')))
        .filter(|name| name.ends_with('/') || crate::dialect::Dialect::of_path(std::path::Path::new(name)).is_some())
        .take(MANY)
        .map(|text| Candidate { range: range.clone(), text, kind: "path", ty: None, doc: None })
        .collect()
}

fn one_line(text: &str) -> String {
    super::query::on_one_line(text)
}

/// The first sentence of a documentation.
fn first_sentence(doc: &str) -> String {
    let line = doc.lines().next().unwrap_or("");
    match line.find(". ") {
        Some(at) => String::from(&line[..=at]),
        None => String::from(line),
    }
}
