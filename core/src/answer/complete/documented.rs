//! Documentation of fields, read from the program's text. Nothing is evaluated, so fields that only evaluation finds
//! have none.

use crate::state::{Definition, Workspace};
use crate::term::{FieldName, Node, NodeId};
use crate::text::Name;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Maximum number of places to look at.
const MOST: usize = 1000;

/// A place in a definition.
type DefinitionPlace = (Rc<Definition>, NodeId);

/// Returns the documentation of the fields of the value at a path. O(record literals that define it), at most `MOST`.
pub fn fields(session: &Workspace, path: &[Name]) -> FxHashMap<Name, Name> {
    let mut left = MOST;
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

/// Returns the record literals that define the values at these places.
fn records(session: &Workspace, mut work: Vec<DefinitionPlace>, left: &mut usize) -> Vec<DefinitionPlace> {
    let mut found = Vec::new();
    while let Some((definition, node)) = work.pop() {
        if *left == 0 {
            break;
        }
        *left -= 1;
        let mut then = |node: &NodeId| work.push((definition.clone(), *node));
        match definition.term.node(node) {
            Node::Record(_) => found.push((definition, node)),
            Node::Merge(ids) => ids.iter().for_each(then),
            Node::Inherit(ids) => ids.iter().for_each(then),
            Node::Let(block) => then(&block.body),
            Node::Annot(inner, annots) => {
                then(inner);
                annots.iter().for_each(|annot| then(&annot.ty));
            }
            Node::If(ids) => ids.iter().skip(1).for_each(then),
            Node::Global(name) => {
                work.extend(session.definition(name).map(|d| (d.clone(), d.term.root)));
            }
            _ => {}
        }
    }
    found
}
