//! Constant folding: parts of an expression that follow from constants alone are replaced by their values.

use crate::state::Workspace;
use crate::term::{Apply, Chunk, FieldName, Node, NodeId, RecordLit, Term};
use crate::text::Name;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Maximum number of nodes of a term that is folded. A larger one stays as it is.
const MAX_NODES: usize = 20_000;
/// Maximum depth of definitions that are followed from one to the next.
const MAX_DEPTH: usize = 100;

/// Folds the constants of an expression. A name of the session is replaced if its definition folds to a constant. Reads no
/// files, and calls only functions of the library.
pub fn fold(session: &mut Workspace, term: &Arc<Term>) -> Arc<Term> {
    let mut folder = Folder { session, known: FxHashMap::default(), depth: 0 };
    let mut folded = folder.term(term);
    // a name that is not a constant is shown as its definition
    if let Node::Global(name) = folded.node(folded.root)
        && let Some(definition) = folder.session.definition(name)
        && !folder.is_secret(&definition.term)
    {
        folded = folder.term(&definition.term);
    }
    Arc::new(folded)
}

/// The state of folding one expression.
struct Folder<'s> {
    session: &'s mut Workspace,
    /// The constants that names are defined as. `None` while a definition is folded, and for names that are not constants.
    known: FxHashMap<Name, Option<Node>>,
    /// Number of definitions that are being folded, each because the one before it needs it.
    depth: usize,
}

impl Folder<'_> {
    /// Returns a term in which the nodes that are constant are replaced by their values. The parts of a node have lower
    /// indices, so they are folded before it.
    fn term(&mut self, term: &Term) -> Term {
        let mut out = term.clone();
        if out.nodes.len() > MAX_NODES || self.depth >= MAX_DEPTH || self.session.is_stopped() {
            return out;
        }
        let count = out.nodes.len();
        let mut constant = vec![false; count];
        for index in 0..count {
            let id = NodeId(index as u32);
            let Some(node) = out.nodes.get(index).cloned() else { continue };
            let is_constant = |id: &NodeId| constant.get(id.0 as usize).copied().unwrap_or(false);
            let is_constant_node = match &node {
                node if is_literal(node) => true,
                Node::Global(name) => match self.definition(name) {
                    Some(value) => {
                        out.nodes[index] = value;
                        true
                    }
                    None => false,
                },
                Node::Project(of, name) => match field_body(&out, *of, name).filter(is_constant) {
                    Some(body) => {
                        out.nodes[index] = out.node(body).clone();
                        true
                    }
                    None => false,
                },
                Node::If(parts) => {
                    let [condition, yes, no] = **parts;
                    if let Node::Bool(holds) = out.node(condition) {
                        let chosen = if *holds { yes } else { no };
                        out.nodes[index] = out.node(chosen).clone();
                        is_constant(&chosen)
                    } else {
                        parts.iter().all(is_constant)
                    }
                }
                Node::Array(_) | Node::Index(_) | Node::Prim(..) => out.children(id).iter().all(is_constant),
                Node::Interp(chunks) => chunks.iter().all(|chunk| match chunk {
                    Chunk::Text(_) => true,
                    Chunk::Expr(id) | Chunk::Indented(id, _) => is_constant(id),
                }),
                Node::Apply(apply) => is_library(&out, apply) && apply.args.iter().all(|(_, arg)| is_constant(arg)),
                _ => false,
            };
            if let Some(constant) = constant.get_mut(index) {
                *constant = is_constant_node;
            }
            // evaluated at once, because a condition chooses which of the nodes after it are folded
            if is_constant_node && !is_literal(&out.nodes[index]) && !matches!(out.nodes[index], Node::Array(_)) {
                match self.value(&out, id) {
                    Some(value) => out.nodes[index] = value,
                    None => {
                        if let Some(constant) = constant.get_mut(index) {
                            *constant = false;
                        }
                    }
                }
            }
        }
        out
    }

    /// Returns `true` if the text that contains a definition has secrets. Such a definition is not shown in place of its name.
    fn is_secret(&self, definition: &Term) -> bool {
        let source = definition.span(definition.root).source;
        self.session.world.sources.borrow().get(source).is_some_and(|source| source.has_secrets())
    }

    /// Returns the constant that a name of the session is defined as. `None` if its definition does not fold to a constant.
    fn definition(&mut self, name: &Name) -> Option<Node> {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        self.known.insert(name.clone(), None);
        let definition = self.session.definition(name).filter(|definition| !self.is_secret(&definition.term))?;
        self.depth += 1;
        let folded = crate::deep::deeper(|| self.term(&definition.term));
        self.depth -= 1;
        let root = folded.node(folded.root).clone();
        let value = is_literal(&root).then_some(root);
        self.known.insert(name.clone(), value.clone());
        value
    }

    /// Evaluates a node whose parts are constants. `None` if it fails, or if its value is not a constant.
    fn value(&mut self, term: &Term, root: NodeId) -> Option<Node> {
        let part = Arc::new(Term { root, ..term.clone() });
        let thunk = self.session.machine().thunk(&part);
        Some(match self.session.machine().force(&thunk).ok()? {
            Value::Null => Node::Null,
            Value::Bool(value) => Node::Bool(value),
            Value::Number(number) => Node::Number(number),
            Value::String(text) => Node::Str(Name::new(text.as_str())),
            _ => return None,
        })
    }
}

fn is_literal(node: &Node) -> bool {
    matches!(node, Node::Null | Node::Bool(_) | Node::Number(_) | Node::Str(_))
}

/// Returns `true` if a call names a function of the library directly, except an internal one, whose name begins with `_`.
fn is_library(term: &Term, apply: &Apply) -> bool {
    match term.node(apply.func) {
        Node::Project(of, name) => {
            !name.starts_with('_') && matches!(term.node(*of), Node::Global(root) if root == term.rules.library)
        }
        _ => false,
    }
}

/// Returns the body of a field of a record if its value is known to be that body: the topmost literal defines the field once,
/// without a condition and without `+:`, and has no asserts.
fn field_body(term: &Term, record: NodeId, name: &str) -> Option<NodeId> {
    let literal: &RecordLit = match term.node(record) {
        Node::Record(literal) => literal,
        Node::Inherit(parts) => match term.node(parts[1]) {
            Node::Record(literal) => literal,
            _ => return None,
        },
        _ => return None,
    };
    let mut fields =
        literal.fields.iter().filter(|field| !matches!(&field.name, FieldName::Static(own) if own != name));
    let only = fields.next().filter(|_| literal.asserts.is_empty())?;
    let is_plain = matches!(only.name, FieldName::Static(_)) && !only.plus && only.meta.guard.is_none();
    (is_plain && fields.next().is_none()).then_some(only.body)?
}
