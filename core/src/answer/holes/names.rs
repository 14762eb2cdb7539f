//! The names that are tried in a hole.

use crate::dialect::library::{Item, LibraryEntry};
use crate::dialect::{CursorContext, Dialect};
use crate::state::{Workspace, record_fields};
use crate::term::rules::STD;
use crate::text::{Name, SourceId};
use rustc_hash::FxHashSet;

use super::is_hole;

/// Returns the names bound around a place of a text, and `true` if the place is that of a contract.
pub fn around(session: &Workspace, dialect: Dialect, source: SourceId, text: &str, at: usize) -> (Vec<Name>, bool) {
    let (mut names, contract) = match dialect.cursor(source, text, at, session.names()).at {
        CursorContext::Name { bound } => (bound, false),
        CursorContext::Annotation { bound } => (bound, true),
        _ => (Vec::new(), false),
    };
    names.retain(|name| !is_hole(name) && is_plain(name));
    (names, contract)
}

/// Returns the names of the session, followed by the fields of its records.
pub fn of_session(session: &Workspace, most: usize) -> Vec<Name> {
    let all = session.definitions_from("", most);
    let mut names: Vec<Name> = all.iter().map(|(name, _)| name.clone()).collect();
    for (name, scheme) in &all {
        let fields = record_fields(scheme).into_iter().filter(|(field, _)| is_plain(field));
        names.extend(fields.map(|(field, _)| Name::from(format!("{name}.{field}"))));
        if names.len() > most * 2 {
            break;
        }
    }
    names.retain(|name| !is_hole(name) && is_plain(root(name)));
    names
}

/// Returns the library names of a language, the least general first. With `contracts`, returns only contracts;
/// otherwise everything else.
pub fn of_library(dialect: Dialect, contracts: bool) -> Vec<Name> {
    let mut all: Vec<(usize, Name)> = Vec::new();
    let mut modules = vec![String::from(STD)];
    while let Some(path) = modules.pop() {
        let steps: Vec<&str> = path.split('.').collect();
        let Some(LibraryEntry::Module(module)) = dialect.library_entry(&steps) else { continue };
        for name in module.listed() {
            match dialect.library_entry(&[steps.as_slice(), &[name.as_str()]].concat()) {
                Some(LibraryEntry::Item(item)) if item.usage.is_some() => {
                    all.push((0, Name::from(format!("{path}.{name}"))))
                }
                Some(LibraryEntry::Item(item)) if item.ty.starts_with("Contract") != contracts => {}
                Some(LibraryEntry::Item(item)) => all.push((generality(&item), Name::from(format!("{path}.{name}")))),
                Some(LibraryEntry::Module(_)) => modules.push(format!("{path}.{name}")),
                None => {}
            }
        }
    }
    all.sort();
    all.into_iter().map(|(_, name)| name).collect()
}

/// Returns how general a type is: a name whose type fits everywhere is a weak suggestion. A usage text does not count.
fn generality(item: &Item) -> usize {
    let variables = match item.ty.strip_prefix("forall ").and_then(|rest| rest.split_once('.')) {
        Some((variables, _)) => variables.split_whitespace().count(),
        None => 0,
    };
    variables + 2 * item.ty.matches("Dyn").count()
}

/// Returns the keys of the session that read one of these names, directly or not. O(readers).
pub fn readers(session: &Workspace, names: &[Name]) -> FxHashSet<Name> {
    names.iter().flat_map(|name| session.users_of(name)).collect()
}

/// Returns the name that a path begins with.
pub fn root(path: &str) -> &str {
    path.split('.').next().unwrap_or(path)
}

/// Removes repeated names. The first occurrence stays.
pub fn once(names: &mut Vec<Name>) {
    let mut seen: FxHashSet<Name> = FxHashSet::default();
    names.retain(|name| seen.insert(name.clone()));
}

/// Returns `true` if a name needs no quotes.
fn is_plain(name: &str) -> bool {
    let first = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    first && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '\''))
}
