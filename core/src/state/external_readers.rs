//! The definitions that read an external variable.

use super::World;
use crate::term::rules::is_file_library;
use crate::term::{Node, NodeId, Term};
use crate::text::Name;
use rustc_hash::{FxHashMap, FxHashSet};

impl World {
    /// Returns the keys of the definitions that read an external variable, or may read it: those that import files, and
    /// those that use the library in a way that does not say which variable is read. O(nodes of all definitions).
    pub(crate) fn readers_of_external(&self, name: &str) -> Vec<Name> {
        let environment = self.state.environment.borrow();
        let readers = environment.iter().filter(|(key, definition)| {
            !key.starts_with('$') && (definition.imports() || may_read(&definition.term, name))
        });
        readers.map(|(key, _)| key.clone()).collect()
    }

    /// Returns these keys and those of all definitions that read them, directly or through others. O(reads of the result).
    pub(crate) fn with_users(&self, keys: &[Name]) -> FxHashSet<Name> {
        let environment = self.state.environment.borrow();
        let mut found: FxHashSet<Name> = keys.iter().cloned().collect();
        let mut work: Vec<Name> = keys.to_vec();
        while let Some(key) = work.pop() {
            for user in environment.users(&key) {
                if found.insert(user.clone()) {
                    work.push(user.clone());
                }
            }
        }
        found
    }
}

/// Whether a term may read an external variable. In a language whose library functions are inputs, the path of the function
/// is the name: `datetime.now`, `os.readfile("/etc/hosts")`. In another one, any use of the library may.
pub(crate) fn may_read(term: &Term, name: &str) -> bool {
    let mut paths: FxHashMap<NodeId, String> = FxHashMap::default();
    // a term is in post-order: an operand is before the node that reads it
    for (index, node) in term.nodes.iter().enumerate() {
        let id = NodeId(index as u32);
        match node {
            Node::Global(library) if is_file_library(library) => {
                if !term.rules.functions_are_inputs {
                    return true;
                }
                paths.insert(id, String::new());
            }
            Node::Project(of, field) => {
                if let Some(path) = paths.remove(of) {
                    let path = if path.is_empty() { field.to_string() } else { format!("{path}.{field}") };
                    paths.insert(id, path);
                }
            }
            _ => {}
        }
    }
    paths.values().any(|path| {
        let rest = name.strip_prefix(path.as_str());
        rest.is_some_and(|rest| path.is_empty() || rest.is_empty() || rest.starts_with(['.', '(']))
    })
}
