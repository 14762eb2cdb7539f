//! Documentation of fields, read from the program's text. Nothing is evaluated, so fields that only evaluation finds
//! have none.

use crate::state::{Definition, Workspace};
use crate::term::{FieldName, Node, NodeId};
use crate::text::Name;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Maximum number of expressions to visit.
const MAX_VISITED: usize = 1000;

/// An expression in a definition.
type ExpressionIn = (Rc<Definition>, NodeId);

/// Returns the documentation of the fields of the value at a path. If several definitions of a
/// field document it, the first one counts, as in an evaluation. Visits at most `MAX_VISITED` expressions.
pub fn fields(session: &Workspace, path: &[Name]) -> FxHashMap<Name, Name> {
    let mut left = MAX_VISITED;
    let mut found = FxHashMap::default();
    let mut names = path.iter();
    let Some(first) = names.next().and_then(|name| session.definition(name)) else { return found };
    let root = first.term.root;
    let mut here = vec![(first, root)];
    for name in names {
        let records = records(session, here, &mut left);
        here = Vec::new();
        for (definition, record) in records {
            let Node::Record(record) = definition.term.node(record) else { continue };
            let fields = record.fields.iter().filter(|f| matches!(&f.name, FieldName::Static(field) if field == name));
            here.extend(fields.filter_map(|f| f.body).map(|body| (definition.clone(), body)));
        }
    }
    for (definition, record) in records(session, here, &mut left) {
        let Node::Record(record) = definition.term.node(record) else { continue };
        for field in &record.fields {
            if let (FieldName::Static(name), Some((doc, _))) = (&field.name, &field.meta.doc) {
                found.entry(name.clone()).or_insert_with(|| doc.clone());
            }
        }
    }
    found
}

/// Returns the record literals that define the values of these expressions, in the order of the text. `left` is the
/// number of expressions that may still be visited.
fn records(session: &Workspace, mut work: Vec<ExpressionIn>, left: &mut usize) -> Vec<ExpressionIn> {
    // a stack: the first expression is on top
    work.reverse();
    let mut found = Vec::new();
    while let Some((definition, node)) = work.pop() {
        if *left == 0 {
            break;
        }
        *left -= 1;
        let mut visit = |node: &NodeId| work.push((definition.clone(), *node));
        match definition.term.node(node) {
            Node::Record(_) => found.push((definition, node)),
            Node::Merge(ids) => ids.iter().rev().for_each(visit),
            Node::Inherit(ids) => ids.iter().rev().for_each(visit),
            Node::Let(block) => visit(&block.body),
            Node::Annot(inner, annots) => {
                annots.iter().rev().for_each(|annot| visit(&annot.ty));
                visit(inner);
            }
            Node::If(ids) => ids.iter().skip(1).rev().for_each(visit),
            Node::Global(name) => {
                work.extend(session.definition(name).map(|d| (d.clone(), d.term.root)));
            }
            _ => {}
        }
    }
    found
}
