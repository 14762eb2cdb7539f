//! The contract of a schema for a part of a value.

use super::CHECK;
use crate::term::{Node, NodeId, Term, TypeForm};

/// Returns the contract of a schema without its last part, which checks the whole value. What is left checks the parts of a
/// value, each when it is used.
pub fn of_parts(contract: &Term) -> Option<Term> {
    let Node::Apply(call) = contract.node(contract.root) else { return None };
    let (_, array) = call.args.first()?;
    let Node::Array(all) = contract.node(*array) else { return None };
    let (_, parts) = all.split_last()?;
    // nor does a part need the keys beside it
    let parts = parts.split_first().filter(|(first, _)| is_check(contract, **first)).map_or(parts, |(_, rest)| rest);
    let mut term = contract.clone();
    if parts.is_empty() {
        *term.nodes.get_mut(contract.root.0 as usize)? = Node::Type(Box::new(TypeForm::Dyn));
    } else {
        *term.nodes.get_mut(array.0 as usize)? = Node::Array(parts.into());
    }
    Some(term)
}

/// Whether a contract checks keywords of a schema.
fn is_check(contract: &Term, part: NodeId) -> bool {
    let Node::Apply(call) = contract.node(part) else { return false };
    matches!(contract.node(call.func), Node::Project(_, name) if name == CHECK)
}
