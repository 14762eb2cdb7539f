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
    pub constants: BTreeMap<Name, Name>,
}

/// The built-in kinds.
pub static BUILT_IN: LazyLock<Kinds> = LazyLock::new(|| Kinds::read(include_str!("kinds.toml")));

impl Kinds {
    /// Reads a table of kinds. Entries that are not as described are left out.
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
                "const" => kinds.constants = strings(term, node),
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

/// Returns the fields of a record that are strings.
fn strings(term: &Term, node: NodeId) -> BTreeMap<Name, Name> {
    let text = |(name, node): (Name, NodeId)| match term.node(node) {
        Node::Str(text) => Some((name, text.clone())),
        _ => None,
    };
    fields(term, node).into_iter().filter_map(text).collect()
}
