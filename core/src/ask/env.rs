//! What is bound, with types.

use super::query::{jsonnet_names, module_names};
use crate::dialect::Dialect;
use crate::dialect::cfg::library::{Entry, library};
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
    let whole = names_of(session, prefix).is_some();
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
    if let Some(names) = names_of(session, of) {
        return names
            .into_iter()
            .filter(|(name, _)| name.starts_with(begin))
            .map(|(name, module)| {
                let full = format!("{of}.{name}");
                let ty = match module {
                    false => of_text(session, &full).map(|s| type_text(session.dialect(), &s)).unwrap_or_default(),
                    true => Styled::from("…"),
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
            name: format!("{of}.{}", (session.dialect().spelling().field)(&name)),
            ty: type_text(session.dialect(), &one),
        })
        .collect()
}

/// What is in the library, or a module of it, in order; whether each is a module.
fn names_of(session: &Session, of: &str) -> Option<Vec<(Name, bool)>> {
    let path: Vec<&str> = of.split('.').map(str::trim).collect();
    match (session.dialect(), library(&path)) {
        (Dialect::Jsonnet, _) if path == ["std"] => {
            Some(jsonnet_names().into_iter().map(|name| (name, false)).collect())
        }
        (Dialect::Cfg, Some(Entry::Module(module))) => {
            let names = module_names(module).into_iter();
            Some(names.map(|name| (name.clone(), module.item(&name).is_none())).collect())
        }
        _ => None,
    }
}

fn of_text(session: &mut Session, text: &str) -> Option<std::sync::Arc<Scheme>> {
    let source = session.add_source("<input>", text);
    let program = session.dialect().program(source, text, session.names());
    if program.problems.iter().any(|p| p.severity == Severity::Error) {
        return None;
    }
    Some(session.scheme_of(&program.term))
}
