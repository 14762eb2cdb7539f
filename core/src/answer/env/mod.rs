//! The names that are bound, with their types.

mod html;
mod json;
pub mod text;

use crate::answer::{Answer, forms};
use crate::dialect::Dialect;
use crate::dialect::library::LibraryEntry;
use crate::problem::Severity;
use crate::state::{Workspace, record_fields};
use crate::text::Name;
use crate::ty::Scheme;
use std::sync::Arc;

/// A name and its type.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The name, or the path to it.
    pub name: String,
    /// Its type. `None` for a module.
    pub ty: Option<Arc<Scheme>>,
}

/// The names that are bound. A long list is cut.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The prefix that the question asks for.
    pub prefix: String,
    /// The names, in order.
    pub shown: Vec<Bound>,
    /// Number of names that are not listed.
    pub more: usize,
}

impl Listing {
    /// Returns the first `most` names, in order, each with its type.
    fn of<T>(all: Vec<T>, most: usize, bound: impl FnMut(T) -> Bound) -> Listing {
        let more = all.len().saturating_sub(most);
        Listing { shown: all.into_iter().take(most).map(bound).collect(), more, ..Listing::default() }
    }
}

/// Maximum number of names in the answer.
const NAMES: usize = 1000;

/// Returns the names that begin with a prefix, in order. An empty prefix lists all names that the
/// session defined. A prefix with a dot lists the fields of the part before the last dot: `std.array.m`.
pub fn env(session: &mut Workspace, dialect: Dialect, prefix: &str) -> Listing {
    // the whole name of a module lists the module: `std.array` is `std.array.`
    let whole = names_of(dialect, prefix).is_some();
    let listing = match prefix.rsplit_once('.') {
        _ if whole => fields(session, dialect, prefix, ""),
        Some((of, begin)) => fields(session, dialect, of, begin),
        None => {
            let shown = session.definitions_from(prefix, NAMES);
            let more = session.count_from(prefix).saturating_sub(shown.len());
            let bound = |(name, scheme): (Name, Arc<Scheme>)| Bound { name: name.to_string(), ty: Some(scheme) };
            Listing { shown: shown.into_iter().map(bound).collect(), more, ..Listing::default() }
        }
    };
    Listing { prefix: String::from(prefix), ..listing }
}

fn fields(session: &mut Workspace, dialect: Dialect, path: &str, begin: &str) -> Listing {
    if let Some(mut names) = names_of(dialect, path) {
        names.retain(|(name, _)| name.starts_with(begin));
        return Listing::of(names, NAMES, |(name, module)| {
            let full = format!("{path}.{name}");
            let ty = if module { None } else { of_text(session, dialect, &full) };
            Bound { name: full, ty }
        });
    }
    let Some(scheme) = of_text(session, dialect, path) else { return Listing::default() };
    let mut fields = record_fields(&scheme);
    fields.retain(|(name, _)| name.starts_with(begin));
    let written = dialect.spelling().field;
    Listing::of(fields, NAMES, |(name, one)| Bound {
        name: format!("{path}.{}", written(&name)),
        ty: Some(Arc::new(one)),
    })
}

/// Returns the names in the library or in one of its modules, in order, each with `true` if it is a module.
fn names_of(dialect: Dialect, path: &str) -> Option<Vec<(Name, bool)>> {
    let path: Vec<&str> = path.split('.').map(str::trim).collect();
    let LibraryEntry::Module(module) = dialect.library_entry(&path)? else { return None };
    let is_module = |name: &Name| {
        let path = [path.as_slice(), &[name.as_str()]].concat();
        matches!(dialect.library_entry(&path), Some(LibraryEntry::Module(_)))
    };
    Some(module.sorted().into_iter().map(|name| (name.clone(), is_module(&name))).collect())
}

fn of_text(session: &mut Workspace, dialect: Dialect, text: &str) -> Option<Arc<Scheme>> {
    let source = session.add_input("<input>", text, dialect);
    let program = dialect.program(source, text, session.names());
    if program.problems.iter().any(|p| p.severity == Severity::Error) {
        return None;
    }
    Some(session.scheme_of(&program.term))
}

impl Answer for Listing {
    forms!("env");
}
