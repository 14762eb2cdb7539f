//! The ways to go on at the cursor: names, fields through the inferred type, tags, commands, options, paths.

use super::query::module_names;
use crate::dialect::cfg::library::{Entry, library};
use crate::dialect::cfg::notation;
use crate::dialect::jsonnet::library as jsonnet;
use crate::dialect::{At, Cursor, Dialect};
use crate::session::commands::{self, Argument};
use crate::session::{Candidate, Session, is_written, settings, type_text};
use crate::term::build::Builder;
use crate::term::{Node, NodeId, Term};
use crate::text::{Name, Span};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// More candidates than these are of no use.
const MANY: usize = 1000;
/// Types are shown of so many.
const TYPED: usize = 300;
/// The words of metadata.
const METADATA: [&str; 10] =
    ["default", "doc", "force", "merge", "not_exported", "optional", "priority", "rec", "secret", "when"];

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
    let Ok(command) = commands::find(&text[word.clone()]) else { return Vec::new() };
    let start = word.end + (text[word.end..at].len() - text[word.end..at].trim_start().len());
    match command.argument {
        Argument::Nothing => Vec::new(),
        Argument::Expression => {
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

fn dialects(begin: &str, range: Range<usize>) -> Vec<Candidate> {
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
            let words = setting.values.split(", ").filter(|w| !w.contains(' '));
            let doc = || String::from(setting.doc);
            words.filter(|w| w.starts_with(value)).map(|w| candidate(w, doc(), range.clone())).collect()
        }
    }
}

fn expression(session: &mut Session, text: &str, at: usize) -> Vec<Candidate> {
    let source = session.add_source("<input>", text);
    let Cursor { replace, partial, at } = session.dialect().cursor(source, text, at, session.names());
    match at {
        At::Field { term, of } => fields(session, &term, of, &partial, replace),
        At::Name { bound } => names(session, &bound, &partial, replace),
        At::Annotation { bound } => {
            let mut all = words(&partial, &replace);
            all.extend(names(session, &bound, &partial, replace));
            all
        }
        At::Tag => tags(session, text, &partial, replace),
        At::Path => {
            let begin = replace.start;
            paths(session, &partial, begin..begin + partial.len())
        }
        At::FieldName { base: Some((term, of)) } => fields(session, &term, of, &partial, replace),
        At::FieldName { base: None } | At::Nothing => Vec::new(),
    }
}

/// The words of metadata.
fn words(partial: &str, range: &Range<usize>) -> Vec<Candidate> {
    let of = |word: &&str| Candidate {
        range: range.clone(),
        text: String::from(*word),
        kind: "keyword",
        ty: None,
        doc: None,
    };
    METADATA.iter().filter(|word| word.starts_with(partial)).map(of).collect()
}

fn fields(session: &mut Session, term: &Arc<Term>, of: NodeId, partial: &str, range: Range<usize>) -> Vec<Candidate> {
    let partial = partial.trim_start_matches('"');
    let begins = |name: &Name| name.starts_with(partial);
    let path = path_to(term, of);
    if let Some(Entry::Module(module)) = path.as_ref().and_then(|p| library(p)) {
        let all = module_names(module).into_iter().filter(begins);
        return all
            .map(|name| {
                let item = module.item(&name);
                let inner = module.module(&name);
                Candidate {
                    range: range.clone(),
                    text: name.to_string(),
                    kind: "field",
                    ty: item.map(|i| one_line(i.ty)),
                    doc: item.map(|i| i.doc).or(inner.map(|m| m.doc)).map(first_sentence),
                }
            })
            .collect();
    }
    if let Some(jsonnet::Entry::Library) = path.as_ref().and_then(|p| jsonnet::library(p)) {
        let of = |item: &'static jsonnet::Item| Candidate {
            range: range.clone(),
            text: String::from(item.name),
            kind: "field",
            ty: Some(item.usage()),
            doc: Some(first_sentence(item.doc)),
        };
        let mut all: Vec<Candidate> =
            jsonnet::items().filter(|i| i.name.starts_with(partial) && !i.name.starts_with('_')).map(of).collect();
        all.sort_by(|a, b| a.text.cmp(&b.text));
        return all;
    }
    let found = match path {
        // a path into a definition means the same by itself: what it stands in need not be inferred
        Some(path) => {
            let path = alone(&path, term.span(of));
            session.fields_of(&path, path.root)
        }
        None => session.fields_of(term, of),
    };
    let many = found.len() > TYPED;
    found
        .into_iter()
        .filter(|(name, _)| begins(name))
        .take(MANY)
        .map(|(name, scheme)| Candidate {
            range: range.clone(),
            text: (session.dialect().spelling().field)(&name).into_owned(),
            kind: "field",
            ty: if many { None } else { Some(type_text(session.dialect(), &scheme).text()) },
            doc: None,
        })
        .collect()
}

/// `["std", "array"]` for a node that is that path.
fn path_to(term: &Term, node: NodeId) -> Option<Vec<Name>> {
    let mut path = Vec::new();
    let mut here = node;
    loop {
        match term.node(here) {
            Node::Project(of, name) => {
                path.push(name.clone());
                here = *of;
            }
            Node::Global(name) => {
                path.push(name.clone());
                path.reverse();
                return Some(path);
            }
            _ => return None,
        }
    }
}

/// A path as a term.
fn alone(path: &[Name], span: Span) -> Arc<Term> {
    let mut builder = Builder::new();
    let mut names = path.iter();
    let mut root = match names.next() {
        Some(first) => builder.variable(first, span),
        None => builder.push(Node::Hole, span),
    };
    for name in names {
        root = builder.push(Node::Project(root, name.clone()), span);
    }
    Arc::new(builder.finish(root))
}

fn names(session: &mut Session, bound: &[Name], partial: &str, range: Range<usize>) -> Vec<Candidate> {
    let begins = |name: &str| name.starts_with(partial);
    let mut out = Vec::new();
    let candidate = |text: &str, kind: &'static str, ty: Option<String>| Candidate {
        range: range.clone(),
        text: String::from(text),
        kind,
        ty,
        doc: None,
    };
    for name in bound.iter().filter(|n| begins(n)) {
        out.push(candidate(name, "name", None));
    }
    let local: BTreeSet<&Name> = bound.iter().collect();
    let mine = session.definitions_from(partial, MANY);
    let many = mine.len() > TYPED;
    for (name, scheme) in mine.iter().filter(|(n, _)| begins(n) && is_written(n) && !local.contains(n)) {
        out.push(candidate(name, "name", if many { None } else { Some(type_text(session.dialect(), scheme).text()) }));
    }
    for (name, ty) in
        [("it", session.definition("it").map(|d| type_text(session.dialect(), &d.typed.scheme).text())), ("std", None)]
    {
        let there = name == "std" || ty.is_some();
        if begins(name) && there && !out.iter().any(|c| c.text == name) {
            let doc = (name == "std").then(|| String::from("The standard library."));
            out.push(Candidate { doc, ..candidate(name, "name", ty) });
        }
    }
    if !partial.is_empty() {
        for word in session.dialect().keywords().iter().filter(|k| begins(k)) {
            out.push(candidate(word, "keyword", None));
        }
    }
    out.truncate(MANY);
    out
}

fn tags(session: &mut Session, text: &str, partial: &str, range: Range<usize>) -> Vec<Candidate> {
    let mut found = BTreeSet::new();
    let without = String::from(text.get(..range.start).unwrap_or("")) + " " + text.get(range.end..).unwrap_or("");
    collect_tags(&without, &mut found);
    for (_, scheme) in session.definitions_from("", TYPED) {
        collect_tags(&type_text(session.dialect(), &scheme).text(), &mut found);
    }
    let wanted = partial.trim_start_matches(['\'', '`']);
    found
        .into_iter()
        .filter(|tag| tag.starts_with(wanted))
        .map(|tag| Candidate { range: range.clone(), text: format!("'{tag}"), kind: "tag", ty: None, doc: None })
        .collect()
}

/// The enum tags that stand in a text.
fn collect_tags(text: &str, found: &mut BTreeSet<String>) {
    for (at, _) in text.match_indices('\'') {
        let before = text[..at].chars().next_back();
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(rest.len());
        let tag = &rest[..end];
        if !before.is_some_and(|c| c.is_alphanumeric()) && notation::name::is_identifier(tag) {
            found.insert(String::from(tag));
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
