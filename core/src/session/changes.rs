//! The differences between two versions of a type, by field, for types that are too long to compare by eye.

use crate::dialect::Dialect;
use crate::state::typing::{type_beside, type_brief};
use crate::styled::{Role, Styled};
use crate::text::Name;
use crate::text::path::FieldPath;
use crate::ty::{Field, Row, Scheme, Tail, Ty, TyRef};

/// Types whose total length is less than this, in bytes, are shown completely.
const SHORT: usize = 120;
/// Maximum number of differences that are listed.
const MOST: usize = 8;
/// Maximum depth to which records are compared.
const DEEP: usize = 16;

/// A field before and after: name, presence and type as text. `None` if the field did not exist.
struct Change {
    was: Option<String>,
    is: Option<String>,
}

/// Lists the differences between two types, one per line. `None` if showing both types says more. O(size of both types).
pub fn changes(dialect: Dialect, was: &Scheme, is: &Scheme) -> Option<Styled> {
    if !is.constraints.is_empty() || !was.constraints.is_empty() {
        return None;
    }
    let length = |scheme| type_brief(dialect, scheme, SHORT + 1).text().len();
    if length(was) + length(is) <= SHORT {
        return None;
    }
    let mut found = Vec::new();
    let compare = Compare { dialect, schemes: (was, is) };
    compare.types(&was.ty, &is.ty, &mut Vec::new(), &mut found)?;
    if found.is_empty() || found.len() > MOST {
        return None;
    }
    let mut out = Styled::new();
    for Change { was, is } in found {
        let (sign, role) = match (&was, &is) {
            (_, None) => ("- ", Role::Lost),
            (None, _) => ("+ ", Role::Wins),
            _ => ("~ ", Role::Note),
        };
        out.plain("\n  ");
        out.push(role, sign);
        match (is, was) {
            (Some(is), None) => out.plain(is),
            (None, Some(was)) => out.push(Role::Lost, was),
            (Some(is), Some(was)) => {
                out.plain(is);
                out.push(Role::Dim, format!("  (was {was})"));
            }
            (None, None) => {}
        }
    }
    Some(out)
}

struct Compare<'a> {
    dialect: Dialect,
    schemes: (&'a Scheme, &'a Scheme),
}

impl Compare<'_> {
    /// Compares two types. `None` if they differ in more than the fields of records.
    fn types(&self, was: &TyRef, is: &TyRef, path: &mut Vec<Name>, found: &mut Vec<Change>) -> Option<()> {
        let (Ty::Record(was), Ty::Record(is)) = (bare(was), bare(is)) else { return None };
        if path.len() >= DEEP || !matches!((was.tail(), is.tail()), (Tail::Closed, Tail::Closed)) {
            return None;
        }
        let mut names: Vec<&Name> = was.fields().chain(is.fields()).map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        for name in names {
            let (before, after) = (was.get(name), is.get(name));
            if before == after {
                continue;
            }
            let texts = (
                before.map(|f| self.field(self.schemes.0, name, f, path)),
                after.map(|f| self.field(self.schemes.1, name, f, path)),
            );
            if texts.0 == texts.1 {
                continue;
            }
            if let (Some(before), Some(after)) = (before, after)
                && (before.presence, before.need) == (after.presence, after.need)
            {
                path.push(name.clone());
                let inside = found.len();
                let compared = self.types(&before.ty, &after.ty, path, found);
                path.pop();
                if compared.is_some() {
                    continue;
                }
                found.truncate(inside);
            }
            found.push(Change { was: texts.0, is: texts.1 });
            if found.len() > MOST {
                break;
            }
        }
        Some(())
    }

    /// Prints a field: `server.port : Number`.
    fn field(&self, scheme: &Scheme, name: &Name, field: &Field, path: &[Name]) -> String {
        let mut row = Row::new(Tail::Closed);
        row.insert(name.clone(), field.clone());
        let ty = Ty::Record(row).into();
        let text = type_beside(self.dialect, &Scheme { ty, shown: None, ..scheme.clone() }).text();
        let inner = text.rsplit_once("}").map_or(text.as_str(), |(before, _)| before);
        let inner = inner.split_once('{').map_or(inner, |(_, after)| after).trim();
        match path {
            [] => String::from(inner),
            path => format!("{}.{inner}", FieldPath::from(path)),
        }
    }
}

/// Strips wrappers that only carry notes.
fn bare(mut ty: &Ty) -> &Ty {
    while let Ty::Fails(_, inner) | Ty::Sibling(_, inner) = ty {
        ty = inner;
    }
    ty
}

#[cfg(test)]
mod tests {
    use crate::loader::NoLoader;
    use crate::session::{Event, Session};

    fn changed(redefined: &str) -> String {
        let mut session = Session::new(Box::new(NoLoader));
        session.submit(
            "a = { server = { port = 80, host = \"localhost\", timeout | Number }, name = \"web\", tags = [1] }",
        );
        session.submit("b = a & { labels = { team = \"orders\", org = \"example\" }, replicas = 3 }");
        let events = session.submit(redefined);
        let answer = |event: &Event| match event {
            Event::Answer(text) => Some(text.text()),
            _ => None,
        };
        events.iter().filter_map(answer).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn of_a_long_type_what_differs_is_told() {
        for (redefined, line) in [
            (
                "a = a & { server.timeout = 3, tls = true }",
                "changed: b\n  ~ server.timeout : Number  (was server.timeout! : Number)\n  + tls : Bool",
            ),
            (
                "a = { server = { port = \"80\", host = \"localhost\" }, name = \"web\", tags = [1] }",
                "changed: b\n  ~ server.port : String  (was server.port : Number)\n  - server.timeout! : Number",
            ),
        ] {
            assert_eq!(changed(redefined), line);
        }
    }
}
