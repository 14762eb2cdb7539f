//! The kinds of resources, their fields, the meta parameters and the constants, read from `kinds.toml`.

use super::lower::signature;
use super::problem::MclProblem;
use crate::dialect::{Dialect, Program, StdNames};
use crate::problem::Problem;
use crate::problem::syntax::SyntaxProblem;
use crate::term::{FieldName, Node, NodeId, Term};
use crate::text::{Name, SourceId, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

/// The kinds of resources.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    /// The fields of each kind, with their types.
    pub kinds: BTreeMap<Name, BTreeMap<Name, Name>>,
    /// The meta parameters, with their types.
    pub meta: BTreeMap<Name, Name>,
    /// The values of constants, by their path after `$const.`.
    pub constants: BTreeMap<Name, Constant>,
    /// The values that a field of a kind can have, by kind and field. Fields that are not listed can have every value of their type.
    pub values: BTreeMap<Name, BTreeMap<Name, Box<[Name]>>>,
    /// The kinds that a user's table adds or extends.
    extended: BTreeSet<Name>,
}

/// The value of a constant.
#[derive(Clone, PartialEq, Debug)]
pub enum Constant {
    /// A `str`.
    Str(Name),
    /// An `int`.
    Int(i64),
}

/// The hidden field of a resource that holds the types of its fields, if a user's table extends its kind.
pub const SIZES: &str = "%types";

/// Returns the smallest and the largest value of a sized integer type. `None` for other types.
pub fn range(ty: &str) -> Option<(i64, i64)> {
    Some(match ty {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "uint8" => (0, u8::MAX.into()),
        "uint16" => (0, u16::MAX.into()),
        "uint32" => (0, u32::MAX.into()),
        "uint64" => (0, i64::MAX),
        _ => return None,
    })
}

/// The built-in kinds.
pub static BUILT_IN: LazyLock<Arc<Kinds>> = LazyLock::new(|| {
    let table = Dialect::TOML.program(SourceId(u32::MAX), include_str!("kinds.toml"), &StdNames);
    let mut kinds = Kinds::default();
    kinds.extend(&table.term);
    Arc::new(kinds)
});

impl Kinds {
    /// Returns the built-in kinds with those of a user's tables, the nearest table first, and the mistakes in the tables.
    pub fn of(tables: &[Program]) -> (Arc<Kinds>, Vec<Problem>) {
        if tables.is_empty() {
            return (BUILT_IN.clone(), Vec::new());
        }
        let mut kinds = Kinds::clone(&BUILT_IN);
        let mut problems = Vec::new();
        for table in tables.iter().rev() {
            problems.extend(table.problems.iter().cloned());
            let added = fields(&table.term, table.term.root).into_iter().filter(|(section, ..)| section == "kinds");
            let added = added.flat_map(|(_, node, _)| fields(&table.term, node)).map(|(kind, ..)| kind);
            kinds.extended.extend(added);
            for (span, why) in kinds.extend(&table.term) {
                problems
                    .push(Problem::warning(SyntaxProblem { span, what: MclProblem::Table(Name::from(why)).into() }));
            }
        }
        (Arc::new(kinds), problems)
    }

    /// Returns `true` if a user's table adds or extends a kind.
    pub fn is_extended(&self, kind: &str) -> bool {
        self.extended.contains(kind)
    }

    /// Adds the kinds, fields, meta parameters and constants of a table, or replaces the ones that exist. Returns the mistakes in
    /// the table with their places. The entries with mistakes are left out.
    fn extend(&mut self, term: &Term) -> Vec<(Span, String)> {
        let mut mistakes = Vec::new();
        for (section, node, span) in fields(term, term.root) {
            match section.as_str() {
                "kinds" => {
                    for (kind, node, span) in fields(term, node) {
                        if !is_kind(&kind) {
                            mistakes.push((span, format!("`{kind}` is not the name of a kind")));
                            continue;
                        }
                        let added = types_of(term, node, &mut mistakes);
                        if let Some(values) = self.values.get_mut(&kind) {
                            // a field with another type has other values
                            added.iter().for_each(|(field, _)| drop(values.remove(field)));
                        }
                        self.kinds.entry(kind).or_default().extend(added);
                    }
                }
                "values" => {
                    for (kind, node, _) in fields(term, node) {
                        let values = self.values.entry(kind).or_default();
                        for (field, node, span) in fields(term, node) {
                            match strings(term, node) {
                                Some(all) => drop(values.insert(field, all)),
                                None => {
                                    mistakes.push((span, format!("the values of `{field}` must be a list of strings")))
                                }
                            }
                        }
                    }
                }
                "meta" => self.meta.extend(types_of(term, node, &mut mistakes)),
                "const" => {
                    for (name, node, span) in fields(term, node) {
                        let constant = match term.node(node) {
                            Node::Str(text) => Some(Constant::Str(text.clone())),
                            Node::Number(number) => number.to_i64().map(Constant::Int),
                            _ => None,
                        };
                        match constant {
                            Some(constant) => drop(self.constants.insert(name, constant)),
                            None => {
                                mistakes.push((span, format!("the constant `{name}` must be a string or an integer")))
                            }
                        }
                    }
                }
                _ => mistakes
                    .push((span, format!("no section `{section}`: the sections are kinds, values, meta and const"))),
            }
        }
        mistakes
    }
}

/// Returns `true` for the name of a kind: `file`, `http:server`.
fn is_kind(name: &str) -> bool {
    name.split(':').all(|part| {
        part.starts_with(|c: char| c.is_ascii_lowercase())
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    })
}

/// Returns the fields of a record with their places.
fn fields(term: &Term, node: NodeId) -> Vec<(Name, NodeId, Span)> {
    let Node::Record(lit) = term.node(node) else { return Vec::new() };
    let field = |f: &crate::term::FieldDef| match (&f.name, f.body) {
        (FieldName::Static(name), Some(body)) => Some((name.clone(), body, f.name_span)),
        _ => None,
    };
    lit.fields.iter().filter_map(field).collect()
}

/// Returns the elements of a list of strings.
fn strings(term: &Term, node: NodeId) -> Option<Box<[Name]>> {
    let Node::Array(items) = term.node(node) else { return None };
    let text = |item: &NodeId| match term.node(*item) {
        Node::Str(text) => Some(text.clone()),
        _ => None,
    };
    items.iter().map(text).collect()
}

/// Returns the fields of a record that are types.
fn types_of(term: &Term, node: NodeId, mistakes: &mut Vec<(Span, String)>) -> Vec<(Name, Name)> {
    let mut out = Vec::new();
    for (name, node, span) in fields(term, node) {
        match term.node(node) {
            Node::Str(ty) if signature::is_type(ty) => out.push((name, ty.clone())),
            Node::Str(ty) => mistakes.push((span, format!("`{ty}` is not a type"))),
            _ => mistakes.push((span, format!("the type of `{name}` must be a string"))),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_table_is_read_whole() {
        let text = include_str!("kinds.toml");
        let of = |prefix: &str| text.lines().filter(|line| line.starts_with(prefix)).count();
        assert_eq!(BUILT_IN.kinds.len(), of("[kinds."));
        let table = Dialect::TOML.program(SourceId(u32::MAX), text, &StdNames);
        assert_eq!(Kinds::default().extend(&table.term), []);
        let lines = text.lines().filter(|line| line.contains(" = ") && !line.starts_with('#')).count();
        let fields: usize = BUILT_IN.kinds.values().map(BTreeMap::len).sum();
        let values: usize = BUILT_IN.values.values().map(BTreeMap::len).sum();
        assert_eq!(fields + values + BUILT_IN.meta.len() + BUILT_IN.constants.len(), lines);
        for (kind, values) in &BUILT_IN.values {
            let known = BUILT_IN.kinds.get(kind);
            assert!(values.keys().all(|field| known.is_some_and(|known| known.contains_key(field))), "{kind}");
        }
        assert_eq!(BUILT_IN.constants.get("res.tar.format.gnu"), Some(&Constant::Int(8)));
        assert_eq!(BUILT_IN.constants.get("res.gzip.level.huffman_only"), Some(&Constant::Int(-2)));
        assert_eq!(BUILT_IN.kinds.get("http:file").and_then(|kind| kind.get("data")), Some(&Name::new("str")));
    }
}

#[cfg(test)]
#[path = "tests/kinds.rs"]
mod of_users;
