//! Conversion between expressions and paths: `e.a[0]."b c"` is the path `a[0]."b c"` into the value of `e`.

use crate::term::build::Builder;
use crate::term::{Node, NodeId, Term, rules};
use crate::text::Span;
use crate::text::path::{FieldPath, Step};
use std::sync::Arc;

/// Returns the node before the last fields and elements that an expression reads, and these as steps, the outermost
/// first. An index that is not a literal ends the path. O(steps).
pub fn of_term(term: &Term) -> (NodeId, Vec<Step>) {
    of_node(term, term.root, |_| {})
}

/// Does the same for a node of a term. Calls `passed` with each node on the path.
pub fn of_node(term: &Term, node: NodeId, mut passed: impl FnMut(NodeId)) -> (NodeId, Vec<Step>) {
    let mut steps = Vec::new();
    let mut here = node;
    loop {
        let (of, step) = match term.node(here) {
            Node::Project(of, name) => (*of, Step::Field(name.clone())),
            Node::Index(pair) => match term.node(pair[1]) {
                Node::Str(name) => (pair[0], Step::Field(name.clone())),
                Node::Number(number) => match number.to_u64().and_then(|index| usize::try_from(index).ok()) {
                    Some(index) => (pair[0], Step::Index(index)),
                    None => break,
                },
                _ => break,
            },
            _ => break,
        };
        steps.push(step);
        here = of;
        passed(here);
    }
    steps.reverse();
    (here, steps)
}

/// Cuts the last fields and elements off an expression and returns them. Does nothing if the term is shared.
pub fn cut(term: &mut Arc<Term>) -> Vec<Step> {
    let (root, steps) = of_term(term);
    // children precede their parents: the part before the dots is a complete term
    match Arc::get_mut(term) {
        Some(term) => {
            term.root = root;
            steps
        }
        None => Vec::new(),
    }
}

/// Returns a path that begins with a name of the session as an expression. `None` if it begins with an element.
pub fn term(path: &FieldPath, span: Span) -> Option<Term> {
    let (Step::Field(name), rest) = path.steps.split_first()? else { return None };
    // an element is read by its index; only some languages have an expression for that
    let has_index = rest.iter().any(|step| matches!(step, Step::Index(_)));
    let mut builder = match has_index {
        true => Builder::with_rules(&rules::OBJECTS),
        false => Builder::new(),
    };
    let mut node = builder.variable(name, span);
    for step in rest {
        node = match step {
            Step::Field(name) => builder.push(Node::Project(node, name.clone()), span),
            Step::Index(index) => {
                let index = builder.push(Node::Number((*index).into()), span);
                builder.push(Node::Index(Box::new([node, index])), span)
            }
        };
    }
    Some(builder.finish(node))
}
