//! The kinds of resources, their fields, the meta parameters and the constants, read from `kinds.toml`.

use crate::dialect::{Dialect, OnlyStd};
use crate::term::{FieldName, Node, NodeId, Term};
use crate::text::{Name, SourceId};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The kinds of resources.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    /// The fields of each kind, with their types.
    pub kinds: BTreeMap<Name, BTreeMap<Name, Name>>,
    /// The meta parameters, with their types.
    pub meta: BTreeMap<Name, Name>,
    /// The values of constants, by their path after `$const.`.
    pub constants: BTreeMap<Name, Constant>,
}

/// The value of a constant.
#[derive(Clone, PartialEq, Debug)]
pub enum Constant {
    /// A `str`.
    Str(Name),
    /// An `int`.
    Int(i64),
}

/// The built-in kinds.
pub static BUILT_IN: LazyLock<Kinds> = LazyLock::new(|| Kinds::read(include_str!("kinds.toml")));

impl Kinds {
    /// Reads a table of kinds. Skips malformed entries.
    pub fn read(text: &str) -> Kinds {
        let program = Dialect::TOML.program(SourceId(u32::MAX), text, &OnlyStd);
        let term = &program.term;
        let mut kinds = Kinds::default();
        for (section, node) in fields(term, term.root) {
            match section.as_str() {
                "kinds" => {
                    for (kind, node) in fields(term, node) {
                        kinds.kinds.insert(kind, strings(term, node));
                    }
                }
                "meta" => kinds.meta = strings(term, node),
                "const" => kinds.constants = constants(term, node),
                _ => {}
            }
        }
        kinds
    }
}

/// Returns the fields of a record.
fn fields(term: &Term, node: NodeId) -> Vec<(Name, NodeId)> {
    let Node::Record(lit) = term.node(node) else { return Vec::new() };
    let field = |f: &crate::term::FieldDef| match (&f.name, f.body) {
        (FieldName::Static(name), Some(body)) => Some((name.clone(), body)),
        _ => None,
    };
    lit.fields.iter().filter_map(field).collect()
}

/// Returns the fields of a record that are strings or ints.
fn constants(term: &Term, node: NodeId) -> BTreeMap<Name, Constant> {
    let constant = |(name, node): (Name, NodeId)| match term.node(node) {
        Node::Str(text) => Some((name, Constant::Str(text.clone()))),
        Node::Number(number) => number.to_i64().map(|i| (name, Constant::Int(i))),
        _ => None,
    };
    fields(term, node).into_iter().filter_map(constant).collect()
}

/// Returns the fields of a record that are strings.
fn strings(term: &Term, node: NodeId) -> BTreeMap<Name, Name> {
    let text = |(name, node): (Name, NodeId)| match term.node(node) {
        Node::Str(text) => Some((name, text.clone())),
        _ => None,
    };
    fields(term, node).into_iter().filter_map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_table_is_read_whole() {
        let text = include_str!("kinds.toml");
        let of = |prefix: &str| text.lines().filter(|line| line.starts_with(prefix)).count();
        assert_eq!(BUILT_IN.kinds.len(), of("[kinds."));
        let lines = text.lines().filter(|line| line.contains(" = ") && !line.starts_with('#')).count();
        let fields: usize = BUILT_IN.kinds.values().map(BTreeMap::len).sum();
        assert_eq!(fields + BUILT_IN.meta.len() + BUILT_IN.constants.len(), lines);
        assert_eq!(BUILT_IN.constants.get("res.tar.format.gnu"), Some(&Constant::Int(8)));
        assert_eq!(BUILT_IN.constants.get("res.gzip.level.huffman_only"), Some(&Constant::Int(-2)));
        assert_eq!(BUILT_IN.kinds.get("http:file").and_then(|kind| kind.get("data")), Some(&Name::new("str")));
    }
}
