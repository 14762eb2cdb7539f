//! Completion in a program: names, fields by inferred type, enum tags, keywords.

use super::documented;
use super::wanted::Place;
use super::{Candidate, MAX_CANDIDATES, MAX_TYPE_WIDTH, MAX_TYPED, first_sentence, paths};
use crate::dialect::library::LibraryEntry;
use crate::dialect::{Cursor, CursorContext, Dialect, Word};
use crate::state::typing::{masked_type, type_brief};
use crate::state::{Workspace, is_written, record_fields};
use crate::term::build::Builder;
use crate::term::{Node, NodeId, Term};
use crate::text::{Name, Span, on_one_line};
use crate::ty::{Scheme, Ty};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// The keywords of metadata annotations: `| default`.
const METADATA: [&str; 10] =
    ["default", "doc", "force", "merge", "not_exported", "optional", "priority", "rec", "secret", "when"];

/// Returns the candidates at the byte offset `at` of a program.
pub fn expression(session: &mut Workspace, dialect: Dialect, text: &str, at: usize) -> Vec<Candidate> {
    let source = session.add_input("<input>", text, dialect);
    let Cursor { replace, partial, at } = dialect.cursor(source, text, at, session.names());
    match at {
        CursorContext::Field { term, of } => fields(session, dialect, &term, of, &partial, replace),
        CursorContext::Name { bound } => {
            // if an enum is expected here, its tags come first
            let mut all = match partial.is_empty() {
                true => wanted_tags(session, dialect, text, &partial, &replace),
                false => Vec::new(),
            };
            all.extend(names(session, dialect, &bound, &partial, replace));
            all
        }
        CursorContext::Annotation { bound } => {
            let mut all = metadata_keywords(&partial, &replace);
            all.extend(names(session, dialect, &bound, &partial, replace));
            all
        }
        CursorContext::Tag => tags(session, dialect, text, &partial, replace),
        CursorContext::Path => {
            let begin = replace.start;
            paths(session, &partial, begin..begin + partial.len())
        }
        CursorContext::Words(words) => {
            words.into_iter().take(MAX_CANDIDATES).map(|word| of_word(word, &replace)).collect()
        }
        CursorContext::FieldName { base: Some((term, of)) } => fields(session, dialect, &term, of, &partial, replace),
        CursorContext::FieldName { base: None } => wanted_fields(session, dialect, text, &partial, replace),
        CursorContext::Nothing => Vec::new(),
    }
}

/// Returns a word that a language offers as a candidate.
fn of_word(word: Word, range: &Range<usize>) -> Candidate {
    let Word { text, kind, ty, doc } = word;
    let (ty, doc) = (ty.map(|ty| on_one_line(&ty)), doc.map(|doc| first_sentence(&doc)));
    Candidate { range: range.clone(), text, kind, ty, doc }
}

/// Returns the metadata keywords that begin with `partial`.
fn metadata_keywords(partial: &str, range: &Range<usize>) -> Vec<Candidate> {
    let of = |word: &&str| Candidate {
        range: range.clone(),
        text: String::from(*word),
        kind: "keyword",
        ty: None,
        doc: None,
    };
    METADATA.iter().filter(|word| word.starts_with(partial)).map(of).collect()
}

/// Returns the fields of the expression `of` whose names begin with `partial`: from the library, or from its inferred type.
fn fields(
    session: &mut Workspace,
    dialect: Dialect,
    term: &Arc<Term>,
    of: NodeId,
    partial: &str,
    range: Range<usize>,
) -> Vec<Candidate> {
    let partial = partial.trim_start_matches('"');
    let begins = |name: &Name| name.starts_with(partial);
    let path = path_to(term, of);
    let entry = |path: &Vec<Name>| session.languages().entry(path);
    if let Some((path, LibraryEntry::Module(module))) = path.as_ref().and_then(|path| Some((path, entry(path)?))) {
        let candidate = |name: Name| {
            let entry = entry(&[path.as_slice(), std::slice::from_ref(&name)].concat())?;
            let ty = match &entry {
                LibraryEntry::Module(_) => None,
                LibraryEntry::Item(item) => Some(on_one_line(&item.shown())),
            };
            let (range, doc) = (range.clone(), Some(first_sentence(entry.doc())));
            Some(Candidate { range, text: name.to_string(), kind: "field", ty, doc })
        };
        return module.listed().into_iter().filter(begins).filter_map(candidate).collect();
    }
    let docs = path.as_ref().map(|path| documented::fields(session, path)).unwrap_or_default();
    let found = match path {
        // the type of a path from a global name does not depend on the program around it, so only the path is inferred
        Some(path) => {
            let path = path_term(&path, term.span(of));
            session.fields_of(&path, path.root)
        }
        None => session.fields_of(term, of),
    };
    let found = found.into_iter().filter(|(name, _)| begins(name)).collect();
    candidates(session, dialect, found, &docs, &range)
}

/// Returns the beginning of a type, next to a candidate.
pub(super) fn brief(session: &Workspace, dialect: Dialect, scheme: &Scheme) -> String {
    type_brief(dialect, &masked_type(scheme, &session.world.sources.borrow()), MAX_TYPE_WIDTH).text()
}

/// Returns fields as candidates. If there are more than `MAX_TYPED`, the types are left out.
fn candidates(
    session: &Workspace,
    dialect: Dialect,
    fields: Vec<(Name, Scheme)>,
    docs: &FxHashMap<Name, Name>,
    range: &Range<usize>,
) -> Vec<Candidate> {
    let many = fields.len() > MAX_TYPED;
    let candidate = |(name, scheme): (Name, Scheme)| Candidate {
        range: range.clone(),
        text: (dialect.spelling().field)(&name).into_owned(),
        kind: "field",
        ty: if many { None } else { Some(brief(session, dialect, &scheme)) },
        doc: docs.get(&name).map(|doc| first_sentence(doc)),
    };
    fields.into_iter().take(MAX_CANDIDATES).map(candidate).collect()
}

/// Returns candidates for a field name in a record: the fields of the expected type that the record does not define.
fn wanted_fields(
    session: &Workspace,
    dialect: Dialect,
    text: &str,
    partial: &str,
    range: Range<usize>,
) -> Vec<Candidate> {
    let Some(place) = Place::of(session, dialect, text, range.clone()) else { return Vec::new() };
    let partial = partial.trim_start_matches('"');
    let mut seen: BTreeSet<Name> = place.defined().into_iter().collect();
    let mut found: Vec<(Name, Scheme)> = Vec::new();
    for scheme in place.types() {
        let fields = record_fields(&scheme).into_iter();
        found.extend(fields.filter(|(name, _)| name.starts_with(partial) && seen.insert(name.clone())));
    }
    candidates(session, dialect, found, &FxHashMap::default(), &range)
}

/// Returns the tags of the enum that is expected at `range`.
fn wanted_tags(
    session: &Workspace,
    dialect: Dialect,
    text: &str,
    partial: &str,
    range: &Range<usize>,
) -> Vec<Candidate> {
    let Some(place) = Place::of(session, dialect, text, range.clone()) else { return Vec::new() };
    let partial = partial.trim_start_matches(['\'', '`']);
    let mut out: Vec<Candidate> = Vec::new();
    for scheme in place.types() {
        let Ty::Enum(tags, _) = &*scheme.ty else { continue };
        for (tag, of) in tags.iter().filter(|(tag, _)| tag.name.starts_with(partial)) {
            let ty = of.as_ref().map(|ty| Scheme { ty: ty.clone(), ..scheme.clone() });
            let candidate = Candidate {
                range: range.clone(),
                text: (dialect.spelling().tag)(&tag.name),
                kind: "tag",
                ty: ty.map(|ty| brief(session, dialect, &ty)),
                doc: None,
            };
            if !out.iter().any(|c| c.text == candidate.text) {
                out.push(candidate);
            }
        }
    }
    out
}

/// Returns the names of a path: `std.array` → `["std", "array"]`. `None` if the node is not such a path.
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

/// Returns a term that consists only of this path.
fn path_term(path: &[Name], span: Span) -> Arc<Term> {
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

/// Returns the names that begin with `partial`: the local names `bound`, those of the session, `it` and `std`, and the
/// keywords.
fn names(
    session: &mut Workspace,
    dialect: Dialect,
    bound: &[Name],
    partial: &str,
    range: Range<usize>,
) -> Vec<Candidate> {
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
    let defined = session.definitions_from(partial, MAX_CANDIDATES);
    let many = defined.len() > MAX_TYPED;
    for (name, scheme) in defined.iter().filter(|(n, _)| begins(n) && is_written(n) && !local.contains(n)) {
        let doc = session.definition(name).and_then(|d| d.doc.clone()).map(|doc| first_sentence(&doc));
        let ty = if many { None } else { Some(brief(session, dialect, scheme)) };
        out.push(Candidate { doc, ..candidate(name, "name", ty) });
    }
    for (name, ty) in
        [("it", session.definition("it").map(|d| brief(session, dialect, &d.typed.scheme))), ("std", None)]
    {
        let is_bound = name == "std" || ty.is_some();
        if begins(name) && is_bound && !out.iter().any(|c| c.text == name) {
            let doc = (name == "std").then(|| String::from("The standard library."));
            out.push(Candidate { doc, ..candidate(name, "name", ty) });
        }
    }
    if !partial.is_empty() {
        for word in dialect.keywords().iter().filter(|k| begins(k)) {
            out.push(candidate(word, "keyword", None));
        }
    }
    out.truncate(MAX_CANDIDATES);
    out
}

/// Returns the tags that begin with `partial`: those of the enum that is expected there or, if none is expected, those that
/// occur in the text and in the types of the session.
fn tags(session: &mut Workspace, dialect: Dialect, text: &str, partial: &str, range: Range<usize>) -> Vec<Candidate> {
    let wanted = wanted_tags(session, dialect, text, partial, &range);
    if !wanted.is_empty() {
        return wanted;
    }
    let mut found = BTreeSet::new();
    let without = String::from(text.get(..range.start).unwrap_or("")) + " " + text.get(range.end..).unwrap_or("");
    collect_tags(&without, &mut found);
    for (_, scheme) in session.definitions_from("", MAX_TYPED) {
        collect_tags(&brief(session, dialect, &scheme), &mut found);
    }
    let begin = partial.trim_start_matches(['\'', '`']);
    found
        .into_iter()
        .filter(|tag| tag.starts_with(begin))
        .map(|tag| Candidate { range: range.clone(), text: format!("'{tag}"), kind: "tag", ty: None, doc: None })
        .collect()
}

/// Collects the enum tags, such as `'Debug`, that occur in a text.
fn collect_tags(text: &str, found: &mut BTreeSet<String>) {
    for (at, _) in text.match_indices('\'') {
        let before = text[..at].chars().next_back();
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(rest.len());
        let tag = &rest[..end];
        if !before.is_some_and(|c| c.is_alphanumeric()) && (Dialect::default().spelling().is_identifier)(tag) {
            found.insert(String::from(tag));
        }
    }
}
