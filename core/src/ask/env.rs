//! What is bound, with types.

use super::query::module_names;
use crate::dialect::cfg::library::{Entry, library};
use crate::dialect::cfg::notation;
use crate::problem::Severity;
use crate::session::{Session, is_written, record_fields, type_text};
use crate::text::Name;
use crate::ty::Scheme;
use crate::view::Styled;

/// A name and its type.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The name, or the path to it.
    pub name: String,
    /// Its type.
    pub ty: Styled,
}

/// The names that begin with a prefix, in order; all that the session defined if it is empty. With a dot in it, the fields
/// of what stands before the last dot: `std.array.m`.
pub fn env(session: &mut Session, prefix: &str) -> Vec<Bound> {
    // a module's whole name lists it: `std.array` is `std.array.`
    let whole = matches!(library(&prefix.split('.').collect::<Vec<_>>()), Some(Entry::Module(_)));
    match prefix.rsplit_once('.') {
        _ if whole => fields(session, prefix, ""),
        Some((of, begin)) => fields(session, of, begin),
        None => {
            let types: Vec<_> = session
                .definitions()
                .into_iter()
                .filter(|(name, _)| name.starts_with(prefix) && is_written(name))
                .collect();
            types
                .into_iter()
                .map(|(name, scheme)| Bound { name: name.to_string(), ty: type_text(session.dialect(), &scheme) })
                .collect()
        }
    }
}

fn fields(session: &mut Session, of: &str, begin: &str) -> Vec<Bound> {
    let path: Vec<&str> = of.split('.').map(str::trim).collect();
    if let Some(Entry::Module(module)) = library(&path) {
        let begins = |name: &Name| name.starts_with(begin);
        return module_names(module)
            .into_iter()
            .filter(begins)
            .map(|name| {
                let full = format!("{of}.{name}");
                let ty = match module.item(&name) {
                    Some(_) => of_text(session, &full).map(|s| type_text(session.dialect(), &s)).unwrap_or_default(),
                    None => Styled::from("…"),
                };
                Bound { name: full, ty }
            })
            .collect();
    }
    let Some(scheme) = of_text(session, of) else { return Vec::new() };
    record_fields(&scheme)
        .into_iter()
        .filter(|(name, _)| name.starts_with(begin))
        .map(|(name, one)| Bound {
            name: format!("{of}.{}", notation::name::field(&name)),
            ty: type_text(session.dialect(), &one),
        })
        .collect()
}

fn of_text(session: &mut Session, text: &str) -> Option<std::sync::Arc<Scheme>> {
    let source = session.add_source("<input>", text);
    let program = session.dialect().program(source, text, session.names());
    if program.problems.iter().any(|p| p.severity == Severity::Error) {
        return None;
    }
    Some(session.scheme_of(&program.term))
}
