//! The graph of a document, as the document on the resolver draws it: mappings, sequences, boxed values, accesses,
//! and the directives with their predecessors.
//!
//! [`build`] makes the nodes of a text. `expand` expands one of them: it evaluates guards, the lists of loops and
//! expressions, each as a hidden key of the document (a *probe*), and nothing else.

mod build;
mod expand;
mod expression;
mod through;

use super::grammar::YayGrammar;
use super::lower::Lower;
use super::tree::{Block, BlockId, Blocks, Clause, Entry, Expr, Id, Spanned, Stanza, Tree, Value};
use crate::dialect::node_graph::{GraphEdge, GraphNode, GraphSource, NodeGraph};
use crate::dialect::{Names, parser};
use crate::problem::Problem;
use crate::term::Term;
use crate::text::path::Step;
use crate::text::{Name, SourceId, Span};
use crate::value::{Machine, Thunk};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// The index of a node.
type NodeIndex = usize;

/// A node, with what its expansion needs.
#[derive(Clone, Debug)]
struct Node {
    what: What,
    label: String,
    place: Span,
    edges: Vec<Edge>,
    /// The probe that evaluates the node, a guard, or the list of a loop.
    probe: Option<usize>,
    /// The values of the variables around a copy of a body.
    values: Option<Rc<Values>>,
}

/// The values of variables, by name.
type Values = FxHashMap<Name, Thunk>;

/// An edge.
#[derive(Clone, Debug)]
struct Edge {
    role: Role,
    to: NodeIndex,
}

/// The label of an edge.
#[derive(Clone, PartialEq, Debug)]
enum Role {
    /// A key.
    Key(Name),
    /// A part: `predecessor`, `inner`.
    Part(&'static str),
    /// An element as it is written.
    Element,
    /// An element that an expansion made.
    Index(usize),
}

const PREDECESSOR: Role = Role::Part("predecessor");
const INNER: Role = Role::Part("inner");
const GUARD: Role = Role::Part("guard");
const ELSE: Role = Role::Part("else");
const OF: Role = Role::Part("of");
const KEY: Role = Role::Part("key");

/// The kind of a node.
#[derive(Clone, PartialEq, Debug)]
enum What {
    Mapping,
    Sequence,
    Boxed,
    Extend,
    If,
    Select,
    For(Rc<[Name]>),
    /// Names for the node at `inner`: `set`, `macro`, `prototype`, a loop's variable.
    Context,
    Call,
    New,
    Access(Base, Option<Step>),
    /// Elements of a loop that are not drawn, and their number.
    More(usize),
    /// Any other node.
    Other,
}

/// The value that an access begins with.
#[derive(Clone, PartialEq, Debug)]
enum Base {
    /// The document.
    Document,
    /// A node: that of a `set`.
    Node(NodeIndex),
    /// A variable that has several values, one per expansion.
    Local,
    /// The node at the edge `of`.
    Of,
}

/// The dictionary in which an expression can be evaluated again.
#[derive(Debug)]
struct Place {
    block: BlockId,
    path: Vec<Step>,
    /// The `set`s of the blocks around the expression that are not dictionaries.
    sets: Vec<(Spanned, Id, Span)>,
    /// The variables around it: those of loops and the names in the body of a macro.
    variables: Vec<Spanned>,
    /// The `set`s that may read these variables, the outermost first.
    lets: Vec<(Spanned, Id)>,
}

/// A probe of a document.
struct Query {
    path: Vec<Step>,
    /// The parameters of its value, if its value is a function of the variables around it.
    variables: Vec<Name>,
}

/// An expression or a stanza that is evaluated again as a hidden key.
#[derive(Debug)]
struct Probe {
    at: Rc<Place>,
    ask: Ask,
}

/// The value of a probe.
#[derive(Debug)]
enum Ask {
    Expr(Id),
    /// The elements of a loop for which its condition holds.
    Items(Vec<Spanned>, Id, Option<Id>),
    Stanza(Stanza),
}

/// A document as a graph.
struct Document {
    nodes: Vec<Node>,
    root: NodeIndex,
    probes: Vec<Query>,
    term: Arc<Term>,
    places: FxHashMap<Span, NodeIndex>,
    guards: FxHashSet<NodeIndex>,
    /// The keys of the document.
    keys: FxHashSet<Name>,
}

/// Reads the graph of a document. `None` if the text is an expression or does not parse. Near-linear in the length of the text.
pub fn read(source: SourceId, text: &str, names: &dyn Names) -> Option<Box<dyn GraphSource>> {
    let mut parsed = parser::program::<YayGrammar>(source, text, names.stop());
    if !parsed.problems.is_empty() {
        return None;
    }
    let Expr::Block(block) = *parsed.tree.expr(parsed.parts) else { return None };
    let built = build::build(&parsed.tree, block);
    let probes = add_probes(&mut parsed.tree, built.probes);
    let earlier = FxHashSet::default();
    let (term, _, _) = Lower::new(&parsed.tree, names, &earlier).whole(parsed.parts);
    let mut places = FxHashMap::default();
    for (index, node) in built.nodes.iter().enumerate() {
        places.entry(node.place).or_insert(index);
    }
    let edges = built.nodes.iter().flat_map(|node| &node.edges);
    let guards = edges.filter(|edge| edge.role == GUARD).map(|edge| edge.to).collect();
    let (nodes, root, keys) = (built.nodes, built.root, built.keys);
    Some(Box::new(Document { nodes, root, probes, term: Arc::new(term), places, guards, keys }))
}

/// Adds the probes to a tree as keys. A probe with variables is a function of them.
fn add_probes(tree: &mut Tree, probes: Vec<Probe>) -> Vec<Query> {
    let mut all = Vec::with_capacity(probes.len());
    for (number, Probe { at, ask }) in probes.into_iter().enumerate() {
        let (asked, span) = match ask {
            Ask::Expr(id) => (Stanza::Scalar(id), tree.span(id)),
            Ask::Items(names, items, condition) => {
                let span = tree.span(items);
                let element = match names.as_slice() {
                    [one] => tree.add(Expr::Name(one.name.clone()), one.span),
                    several => {
                        let parts: Vec<Id> =
                            several.iter().map(|n| tree.add(Expr::Name(n.name.clone()), n.span)).collect();
                        tree.add(Expr::List(parts.into()), span)
                    }
                };
                let mut clauses = vec![Clause::For(names, items)];
                clauses.extend(condition.map(Clause::If));
                (Stanza::Scalar(tree.add(Expr::ListComp(element, clauses.into()), span)), span)
            }
            Ask::Stanza(stanza) => {
                let span = stanza.span(tree);
                (stanza, span)
            }
        };
        let asked = match asked {
            Stanza::Scalar(mut id) if !at.variables.is_empty() => {
                for (name, value) in at.lets.iter().rev() {
                    let function = tree.add(Expr::Lambda(Box::new([(name.clone(), None)]), id), span);
                    id = tree.add(Expr::Call(function, Box::new([(None, *value)])), span);
                }
                let parameters: Vec<_> = at.variables.iter().map(|name| (name.clone(), None)).collect();
                Stanza::Scalar(tree.add(Expr::Lambda(parameters.into(), id), span))
            }
            asked => asked,
        };
        let value = match asked {
            Stanza::Scalar(id) if at.sets.is_empty() => Value::Scalar(id),
            asked => {
                let sets = at.sets.iter().map(|(name, value, span)| Stanza::Set(name.clone(), *value, *span));
                let stanzas = sets.chain([asked]).collect();
                Value::Block(tree.add_block(Block { stanzas, span }))
            }
        };
        let name = Name::from(format!("{PROBE}{number}"));
        let spanned = Spanned { name: name.clone(), span };
        let entry = Entry { name: spanned, extend: false, value, doc: None, span };
        tree.block_mut(at.block).stanzas.push(Stanza::Key(entry));
        let path = at.path.iter().cloned().chain([Step::Field(name)]).collect();
        all.push(Query { path, variables: at.variables.iter().map(|name| name.name.clone()).collect() });
    }
    all
}

/// The beginning of the names of probes. No key of a document begins so.
const PROBE: &str = "%probe.";

impl Node {
    fn new(what: What, label: impl Into<String>, place: Span) -> Node {
        Node { what, label: label.into(), place, edges: Vec::new(), probe: None, values: None }
    }

    fn part(&self, role: &Role) -> Option<NodeIndex> {
        self.edges.iter().find(|edge| edge.role == *role).map(|edge| edge.to)
    }

    fn key(&self, name: &str) -> Option<NodeIndex> {
        self.edges.iter().find(|edge| matches!(&edge.role, Role::Key(key) if key == name)).map(|edge| edge.to)
    }

    fn edge(&mut self, role: Role, to: NodeIndex) {
        self.edges.push(Edge { role, to });
    }
}

/// Returns the nodes that are reachable from a root, the root first, in the order in which they are drawn.
fn drawn(nodes: &[Node], root: NodeIndex) -> NodeGraph {
    let mut numbers: FxHashMap<NodeIndex, usize> = FxHashMap::default();
    let mut order = Vec::new();
    let mut work = vec![root];
    while let Some(next) = work.pop() {
        if numbers.contains_key(&next) {
            continue;
        }
        numbers.insert(next, order.len());
        order.push(next);
        work.extend(nodes.get(next).into_iter().flat_map(|node| node.edges.iter().rev().map(|edge| edge.to)));
    }
    let edge = |of: &Node, edge: &Edge| {
        let (label, is_key) = match &edge.role {
            // the context of a loop has only one edge
            Role::Part(_) if of.what == What::Context && of.edges.len() == 1 => (Name::default(), false),
            Role::Key(name) => (name.clone(), true),
            Role::Part(word) => (Name::new_static(word), false),
            Role::Element => (Name::default(), false),
            Role::Index(index) => (Name::from(index.to_string()), false),
        };
        Some(GraphEdge { label, is_key, target: *numbers.get(&edge.to)? })
    };
    let node = |node: &Node| GraphNode {
        label: node.label.clone(),
        span: Some(node.place),
        edges: node.edges.iter().filter_map(|own| edge(node, own)).collect(),
    };
    NodeGraph { nodes: order.iter().filter_map(|index| nodes.get(*index)).map(node).collect() }
}

/// Returns the value of a key as far as the text shows it: the nearest definition among the predecessors, or the directive
/// that may define it.
fn lookup(nodes: &[Node], from: NodeIndex, key: &str) -> Option<NodeIndex> {
    let mut here = from;
    // predecessors have smaller indices, except in graphs of expansions, so the number of steps is bounded
    for _ in 0..=nodes.len() {
        let node = nodes.get(here)?;
        match &node.what {
            What::Mapping => match node.key(key) {
                Some(found) => return Some(found),
                None => here = node.part(&PREDECESSOR)?,
            },
            What::Context => here = node.part(&INNER)?,
            What::If if !defines(nodes, here, key) => here = node.part(&PREDECESSOR)?,
            What::Boxed | What::Sequence => return None,
            _ => return Some(here),
        }
    }
    None
}

/// Returns `true` if a branch of a guarded stanza may define a key.
fn defines(nodes: &[Node], guarded: NodeIndex, key: &str) -> bool {
    let Some(node) = nodes.get(guarded) else { return false };
    let branches = [node.part(&INNER), node.part(&ELSE)];
    branches.into_iter().flatten().any(|branch| match nodes.get(branch).map(|node| &node.what) {
        Some(What::If) => defines(nodes, branch, key),
        _ => lookup(nodes, branch, key).is_some(),
    })
}

impl Document {
    /// Returns the node of the value at a path, with guarded definitions reduced to the last key. May add nodes.
    fn narrowed(nodes: &mut Vec<Node>, root: NodeIndex, path: &[Step]) -> Option<NodeIndex> {
        path.iter().try_fold(root, |here, step| match step {
            Step::Field(key) => narrow(nodes, here, key),
            Step::Index(index) => nodes.get(here).filter(|node| node.what == What::Sequence).and_then(|node| {
                let mut elements = node.edges.iter().filter(|edge| edge.role == Role::Element);
                elements.nth(*index).map(|edge| edge.to)
            }),
        })
    }
}

/// Returns the node of a key's value. Of guarded stanzas, only what they define for the key is kept.
fn narrow(nodes: &mut Vec<Node>, from: NodeIndex, key: &Name) -> Option<NodeIndex> {
    crate::deep::deeper(|| {
        let node = nodes.get(from)?.clone();
        match node.what {
            What::Mapping => match node.key(key) {
                Some(found) => Some(found),
                None => narrow(nodes, node.part(&PREDECESSOR)?, key),
            },
            What::Context => narrow(nodes, node.part(&INNER)?, key),
            What::Boxed | What::Sequence => None,
            What::If if !defines(nodes, from, key) => narrow(nodes, node.part(&PREDECESSOR)?, key),
            What::If => {
                let mut own = Node { edges: Vec::new(), ..node.clone() };
                for edge in node.edges {
                    let to = match edge.role {
                        GUARD => Some(edge.to),
                        _ => narrow(nodes, edge.to, key),
                    };
                    own.edges.extend(to.map(|to| Edge { role: edge.role, to }));
                }
                nodes.push(own);
                Some(nodes.len() - 1)
            }
            _ => {
                let what = What::Access(Base::Of, Some(Step::Field(key.clone())));
                let mut access = Node::new(what, format!("Access(key={key})"), node.place);
                access.edge(OF, from);
                nodes.push(access);
                Some(nodes.len() - 1)
            }
        }
    })
}

impl GraphSource for Document {
    fn term(&self) -> &Arc<Term> {
        &self.term
    }

    fn parsed(&self, path: &[Step]) -> Option<NodeGraph> {
        let mut nodes = self.nodes.clone();
        let root = Document::narrowed(&mut nodes, self.root, path)?;
        Some(drawn(&nodes, root))
    }

    fn label_of(&self, path: &[Step]) -> Option<(String, Span)> {
        let mut here = self.root;
        for step in path {
            here = match (step, &self.nodes.get(here)?.what) {
                (Step::Field(key), _) => lookup(&self.nodes, here, key)?,
                (Step::Index(index), What::Sequence) => {
                    let mut elements = self.nodes.get(here)?.edges.iter().filter(|edge| edge.role == Role::Element);
                    elements.nth(*index)?.to
                }
                (Step::Index(_), _) => return None,
            };
        }
        self.nodes.get(here).map(|node| (node.label.clone(), node.place))
    }

    fn expanded(&self, path: &[Step], machine: &mut Machine, root: &Thunk) -> Result<NodeGraph, Problem> {
        expand::expanded(self, path, machine, root)
    }

    fn node_at(&self, place: Span) -> Option<(&str, bool)> {
        let index = self.places.get(&place)?;
        Some((self.nodes.get(*index)?.label.as_str(), self.guards.contains(index)))
    }
}
