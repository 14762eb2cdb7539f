//! The scopes of a program, and the order in which their names are computed.

use crate::answer::{Answer, Renderer};
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::term::{FieldName, Node, NodeId, PatId, PatKind, Term};
use crate::text::{Name, Span};
use crate::view::html::{Cell, Html};
use crate::view::json::source;
use serde_json::{Value, json};

/// Maximum width of the names of a scope, in columns.
const MAX_WIDTH: usize = 100;

/// The scopes of a program, the outer ones first.
pub struct Scopes {
    scopes: Vec<Scope>,
    /// The names that the program reads from outside.
    outside: Vec<Name>,
}

struct Scope {
    what: &'static str,
    place: Span,
    /// The names in groups. If `is_ordered`, each group is computed after the groups before it, and the names of one group
    /// depend on each other.
    groups: Vec<Vec<Name>>,
    is_ordered: bool,
}

impl Scopes {
    /// Returns the scopes of a program. O(nodes).
    pub fn of(term: &Term) -> Scopes {
        let scope = |index: usize| {
            let id = NodeId(index as u32);
            let (what, groups, is_ordered) = match term.node(id) {
                Node::Let(l) => {
                    let group = |group: crate::term::Group<'_>| {
                        let bindings = group.iter().filter_map(|index| l.bindings.get(*index as usize));
                        bindings.flat_map(|binding| names_of(term, binding.pat, &l.slots)).collect()
                    };
                    ("definitions", l.groups.iter().map(group).collect(), l.recursive)
                }
                Node::Lambda(lambda) => {
                    ("parameters", lambda.slots.iter().map(|name| vec![name.clone()]).collect(), false)
                }
                // in an exact language, the fields of a record are not in scope in each other
                Node::Record(lit) if !term.rules.is_exact() => {
                    let name = |field: &crate::term::FieldDef| match &field.name {
                        FieldName::Static(name) => Some(vec![name.clone()]),
                        _ => None,
                    };
                    ("fields", lit.fields.iter().filter_map(name).collect(), false)
                }
                _ => return None,
            };
            let mut groups: Vec<Vec<Name>> = groups;
            // names that the lowering adds begin with `%`, which no name in a program does
            groups.iter_mut().for_each(|group| group.retain(|name| !name.starts_with('%')));
            groups.retain(|group| !group.is_empty());
            (!groups.is_empty()).then(|| Scope { what, place: term.span(id), groups, is_ordered })
        };
        let mut scopes: Vec<Scope> = (0..term.nodes.len()).filter_map(scope).collect();
        scopes.sort_by_key(|scope| (scope.place.start, std::cmp::Reverse(scope.place.end)));
        let outside = term.globals.iter().map(|(name, _)| name).filter(|name| !name.starts_with('%'));
        Scopes { scopes, outside: outside.cloned().collect() }
    }

    fn rows(&self, to: &Renderer<'_>) -> Vec<[Styled; 3]> {
        let mut rows: Vec<[Styled; 3]> = Vec::new();
        for scope in &self.scopes {
            let mut names = Styled::new();
            for (at, group) in scope.groups.iter().enumerate() {
                if at > 0 {
                    names.push(Role::Operator, if scope.is_ordered { " → " } else { ", " });
                }
                let texts: Vec<&str> = group.iter().map(Name::as_str).collect();
                match texts.as_slice() {
                    [one] => names.push(Role::Name, *one),
                    several => names.push(Role::Name, format!("({})", several.join(", "))),
                }
            }
            let place = Styled::of(Role::Dim, to.place(scope.place));
            rows.push([Styled::of(Role::Keyword, scope.what), names.cut(MAX_WIDTH), place]);
        }
        if !self.outside.is_empty() {
            let names: Vec<&str> = self.outside.iter().map(Name::as_str).collect();
            let names = Styled::of(Role::Name, names.join(", ")).cut(MAX_WIDTH);
            rows.push([Styled::of(Role::Keyword, "from outside"), names, Styled::new()]);
        }
        rows
    }
}

/// Returns the names that a pattern binds, in no particular order.
fn names_of(term: &Term, pat: PatId, slots: &[Name]) -> Vec<Name> {
    let mut names = Vec::new();
    let mut work = vec![pat];
    while let Some(pat) = work.pop() {
        let slot = match &term.pat(pat).kind {
            PatKind::Bind(slot) => *slot,
            PatKind::As(slot, inner) => {
                work.push(*inner);
                *slot
            }
            PatKind::Variant(_, inner) => {
                work.push(*inner);
                continue;
            }
            _ => continue,
        };
        names.extend(slots.get(slot as usize).cloned());
    }
    names
}

impl Answer for Scopes {
    fn name(&self) -> &'static str {
        "scopes"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        let rows = self.rows(to);
        if rows.is_empty() {
            return Styled::of(Role::Dim, "no names");
        }
        let mut table = Table::new();
        rows.into_iter().for_each(|row| table.row(row));
        table.fit()
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        let rows = self.rows(to).into_iter().map(|row| row.into_iter().map(Cell::Text).collect());
        html.table(&["scope", "names", "place"], rows);
    }

    fn json(&self, to: &Renderer<'_>) -> Value {
        let names = |names: &[Name]| names.iter().map(|name| Value::from(name.as_str())).collect::<Vec<_>>();
        let scope = |scope: &Scope| {
            json!({
                "scope": scope.what,
                "groups": scope.groups.iter().map(|group| names(group)).collect::<Vec<_>>(),
                "ordered": scope.is_ordered,
                "place": source(Some(scope.place), to.sources),
            })
        };
        json!({ "scopes": self.scopes.iter().map(scope).collect::<Vec<_>>(), "outside": names(&self.outside) })
    }
}
