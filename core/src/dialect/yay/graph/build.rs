//! The nodes of blocks and directives.

use super::{Ask, Base, ELSE, Edge, GUARD, INNER, Node, NodeIndex, OF, PREDECESSOR, Place, Probe, Role, What, lookup};
use crate::dialect::yay::lower::names_in_block;
use crate::dialect::yay::tree::{BlockId, Blocks, Entry, Expr, Id, Spanned, Stanza, Tree, Value};
use crate::text::path::Step;
use crate::text::{Name, Span};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The nodes of a document.
pub(super) struct Built {
    pub(super) nodes: Vec<Node>,
    pub(super) root: NodeIndex,
    pub(super) probes: Vec<Probe>,
    pub(super) keys: FxHashSet<Name>,
}

/// The meaning of a name around a place.
#[derive(Clone)]
pub(super) enum Binding {
    /// A variable that has several values.
    Local,
    /// A `set`.
    Set(NodeIndex),
    /// A macro or a prototype.
    Template(NodeIndex),
}

pub(super) struct Builder<'t> {
    pub(super) tree: &'t Tree,
    pub(super) nodes: Vec<Node>,
    probes: Vec<Probe>,
    pub(super) scope: Vec<(Name, Binding)>,
    /// The keys of the document.
    keys: FxHashSet<Name>,
}

/// Maximum number of directives that are followed to see whether a block is a dictionary.
const MAX_HOPS: u32 = 64;

/// Makes the nodes of a document.
pub(super) fn build(tree: &Tree, block: BlockId) -> Built {
    let key = |stanza: &Stanza| match stanza {
        Stanza::Key(entry) => Some(entry.name.name.clone()),
        _ => None,
    };
    let keys = tree.block(block).stanzas.iter().filter_map(key).collect();
    let mut builder = Builder { tree, nodes: Vec::new(), probes: Vec::new(), scope: Vec::new(), keys };
    let place = Place { block, path: Vec::new(), sets: Vec::new(), variables: Vec::new(), lets: Vec::new() };
    // a document that is not a dictionary has no keys, and no place for probes
    let at = builder.is_dict(block, MAX_HOPS).then(|| Rc::new(place));
    let root = builder.block(block, None, false, &at);
    Built { nodes: builder.nodes, root, probes: builder.probes, keys: builder.keys }
}

impl<'t> Builder<'t> {
    pub(super) fn add(&mut self, node: Node) -> NodeIndex {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn edge(&mut self, from: NodeIndex, role: Role, to: NodeIndex) {
        if let Some(node) = self.nodes.get_mut(from) {
            node.edge(role, to);
        }
    }

    pub(super) fn probe(&mut self, at: &Option<Rc<Place>>, ask: Ask) -> Option<usize> {
        let at = at.clone()?;
        // a stanza cannot be the body of a function
        if !at.variables.is_empty() && matches!(ask, Ask::Stanza(_)) {
            return None;
        }
        self.probes.push(Probe { at, ask });
        Some(self.probes.len() - 1)
    }

    pub(super) fn binding(&self, name: &str) -> Option<&Binding> {
        self.scope.iter().rev().find(|(known, _)| known == name).map(|(_, binding)| binding)
    }

    /// Returns `true` if a block has keys.
    fn is_dict(&self, block: BlockId, hops: u32) -> bool {
        let Some(hops) = hops.checked_sub(1) else { return false };
        let last = self.tree.block(block).stanzas.iter().rev().find(|stanza| !is_declaration(stanza));
        match last {
            Some(Stanza::Key(_) | Stanza::Include(..) | Stanza::New(_)) => true,
            Some(Stanza::If(stanza)) => {
                stanza.branches.iter().map(|(_, block)| *block).chain(stanza.otherwise).all(|b| self.is_dict(b, hops))
            }
            Some(Stanza::Select(select)) => {
                select.cases.iter().all(|(_, value)| matches!(value, Value::Block(block) if self.is_dict(*block, hops)))
            }
            _ => false,
        }
    }

    /// Adds the nodes of a block. `below` is its predecessor if `link` is set; otherwise only its keys have predecessors there.
    pub(super) fn block(
        &mut self,
        id: BlockId,
        below: Option<NodeIndex>,
        link: bool,
        at: &Option<Rc<Place>>,
    ) -> NodeIndex {
        crate::deep::deeper(|| self.block_here(id, below, link, at))
    }

    fn block_here(&mut self, id: BlockId, below: Option<NodeIndex>, link: bool, at: &Option<Rc<Place>>) -> NodeIndex {
        let block = self.tree.block(id);
        let scope = self.scope.len();
        let names = self.declarations(&block.stanzas, block.span, at);
        let is_list = block.stanzas.iter().any(|s| matches!(s, Stanza::Item(..) | Stanza::For(_)));
        let body = match is_list {
            true => self.list(&block.stanzas, block.span, below.filter(|_| link), at),
            false => self.stanzas(&block.stanzas, block.span, below, link, at),
        };
        self.scope.truncate(scope);
        match names {
            Some(context) => {
                self.edge(context, INNER, body);
                context
            }
            None => body,
        }
    }

    /// Adds the `set`s, macros and prototypes of a block as a context.
    fn declarations(&mut self, stanzas: &'t [Stanza], place: Span, at: &Option<Rc<Place>>) -> Option<NodeIndex> {
        let declared = stanzas.iter().any(|s| is_declaration(s) && !matches!(s, Stanza::Search(..)));
        if !declared {
            return None;
        }
        let context = self.add(Node::new(What::Context, "Context", place));
        for stanza in stanzas {
            let (name, node, binding) = match stanza {
                Stanza::Set(name, value, _) => {
                    let node = self.expr(*value, at);
                    (name, node, Binding::Set(node))
                }
                Stanza::Macro(name, body, span) | Stanza::Prototype(name, body, span) => {
                    let word = if matches!(stanza, Stanza::Macro(..)) { "Macro" } else { "Prototype" };
                    let node = self.add(Node::new(What::Other, word, *span));
                    let inside = self.inside_template(at, *body, matches!(stanza, Stanza::Prototype(..)));
                    let body = self.block(*body, None, false, &inside);
                    self.edge(node, INNER, body);
                    (name, node, Binding::Template(node))
                }
                _ => continue,
            };
            self.edge(context, Role::Key(name.name.clone()), node);
            self.scope.push((name.name.clone(), binding));
        }
        Some(context)
    }

    /// Adds a list: its elements, and the directives between them.
    fn list(
        &mut self,
        stanzas: &'t [Stanza],
        place: Span,
        below: Option<NodeIndex>,
        at: &Option<Rc<Place>>,
    ) -> NodeIndex {
        let parts: Vec<&Stanza> = stanzas.iter().filter(|stanza| !is_declaration(stanza)).collect();
        let list = match parts.as_slice() {
            [only] if !matches!(only, Stanza::Item(..)) => self.directive(only, None, None, at),
            _ => {
                let list = self.add(Node::new(What::Sequence, "Sequence", place));
                for part in parts {
                    let node = match part {
                        Stanza::Item(value, _) => self.value(*value, None, &self.of_element(at)),
                        directive => self.directive(directive, None, None, at),
                    };
                    self.edge(list, Role::Element, node);
                }
                list
            }
        };
        if let Some(below) = below {
            self.edge(list, PREDECESSOR, below);
        }
        list
    }

    /// Adds stanzas of which each is the predecessor of the next.
    fn stanzas(
        &mut self,
        stanzas: &'t [Stanza],
        place: Span,
        below: Option<NodeIndex>,
        mut link: bool,
        at: &Option<Rc<Place>>,
    ) -> NodeIndex {
        let mut current = below;
        let mut made = None;
        let mut mapping: Option<NodeIndex> = None;
        for stanza in stanzas.iter().filter(|stanza| !is_declaration(stanza)) {
            let linked = current.filter(|_| link);
            let node = match stanza {
                Stanza::Key(Entry { name, .. }) => {
                    let mapping = self.mapping(&mut mapping, linked, place);
                    self.key(mapping, name, current, at, stanza);
                    mapping
                }
                Stanza::New(new) if new.name.is_some() => {
                    let mapping = self.mapping(&mut mapping, linked, place);
                    if let Some(name) = &new.name {
                        self.key(mapping, name, current, at, stanza);
                    }
                    mapping
                }
                Stanza::Scalar(id) => self.expr(*id, at),
                directive => {
                    mapping = None;
                    self.directive(directive, linked, current, at)
                }
            };
            link = true;
            current = Some(node);
            made = Some(node);
        }
        made.unwrap_or_else(|| {
            let empty = self.add(Node::new(What::Mapping, "Mapping", place));
            if let Some(below) = below.filter(|_| link) {
                self.edge(empty, PREDECESSOR, below);
            }
            empty
        })
    }

    /// Returns the mapping that the next key belongs to.
    fn mapping(&mut self, open: &mut Option<NodeIndex>, below: Option<NodeIndex>, place: Span) -> NodeIndex {
        if let Some(open) = *open {
            return open;
        }
        let mapping = self.add(Node::new(What::Mapping, "Mapping", place));
        if let Some(below) = below {
            self.edge(mapping, PREDECESSOR, below);
        }
        *open = Some(mapping);
        mapping
    }

    /// Adds a key to a mapping. `below` is what the mapping is on top of.
    fn key(
        &mut self,
        mapping: NodeIndex,
        name: &'t Spanned,
        below: Option<NodeIndex>,
        at: &Option<Rc<Place>>,
        stanza: &'t Stanza,
    ) {
        let own = self.nodes.get(mapping).and_then(|node| node.key(&name.name));
        let before = own.or_else(|| lookup(&self.nodes, below.filter(|b| *b != mapping)?, &name.name));
        let in_body = at.as_ref().is_some_and(|at| !at.variables.is_empty());
        let inside = |block: BlockId, builder: &Self| match builder.is_dict(block, MAX_HOPS) && !in_body {
            true => at.as_ref().map(|at| {
                let path = at.path.iter().cloned().chain([Step::Field(name.name.clone())]).collect();
                Rc::new(Place { block, path, sets: Vec::new(), variables: Vec::new(), lets: Vec::new() })
            }),
            false => builder.with_sets(at, block),
        };
        let node = match stanza {
            Stanza::Key(entry) => {
                let at = match entry.value {
                    Value::Block(block) => inside(block, self),
                    _ => at.clone(),
                };
                match entry.extend {
                    true => {
                        let node = self.add(Node::new(What::Extend, "Extend", entry.span));
                        if let Some(before) = before {
                            self.edge(node, PREDECESSOR, before);
                        }
                        let inner = self.value(entry.value, None, &at);
                        self.edge(node, INNER, inner);
                        node
                    }
                    false => self.value(entry.value, before, &at),
                }
            }
            stanza => self.directive(stanza, before, before, at),
        };
        if let Some(mapping) = self.nodes.get_mut(mapping) {
            mapping.edges.retain(|edge| !matches!(&edge.role, Role::Key(key) if *key == name.name));
            mapping.edge(Role::Key(name.name.clone()), node);
        }
    }

    /// Returns the place of an element. Elements are evaluated again only in the body of a loop or a macro.
    fn of_element(&self, at: &Option<Rc<Place>>) -> Option<Rc<Place>> {
        at.clone().filter(|at| !at.variables.is_empty())
    }

    /// Returns the place of the body of a loop, where its variables have values.
    fn inside(&self, at: &Option<Rc<Place>>, names: &[Spanned], body: BlockId) -> Option<Rc<Place>> {
        let at = at.as_ref()?;
        let lets = self.with_lets(at, body)?;
        let mut variables = at.variables.clone();
        variables.retain(|known| names.iter().all(|name| name.name != known.name));
        variables.extend(names.iter().cloned());
        Some(Rc::new(Place { block: at.block, path: at.path.clone(), sets: at.sets.clone(), variables, lets }))
    }

    /// Returns the `set`s around the expressions in a block, which are evaluated again with the values of variables. `None` if it has
    /// other declarations.
    fn with_lets(&self, at: &Place, block: BlockId) -> Option<Vec<(Spanned, Id)>> {
        let mut lets = at.lets.clone();
        for stanza in &self.tree.block(block).stanzas {
            match stanza {
                Stanza::Set(name, value, _) => lets.push((name.clone(), *value)),
                stanza if is_declaration(stanza) => return None,
                _ => {}
            }
        }
        Some(lets)
    }

    /// Returns the place of the body of a macro, a prototype or an instance. All names in it that the document does not define are
    /// arguments. `has_self`: `self` is the instance.
    fn inside_template(&self, at: &Option<Rc<Place>>, body: BlockId, has_self: bool) -> Option<Rc<Place>> {
        let mut seen: FxHashSet<Name> = self.keys.clone();
        let mut names = Vec::new();
        let span = self.tree.block(body).span;
        let read = names_in_block(self.tree, body);
        if read.iter().any(|name| name == "here") {
            return None;
        }
        if has_self {
            names.push(Spanned { name: Name::new_static("self"), span });
        }
        for name in read {
            if self.binding(&name).is_none() && !is_of_language(&name) && seen.insert(name.clone()) {
                names.push(Spanned { name, span });
            }
        }
        self.inside(at, &names, body)
    }

    /// Returns a place with the `set`s of a block that is not a dictionary.
    fn with_sets(&self, at: &Option<Rc<Place>>, block: BlockId) -> Option<Rc<Place>> {
        let at = at.as_ref()?;
        let variables = at.variables.clone();
        if !variables.is_empty() {
            let lets = self.with_lets(at, block)?;
            return Some(Rc::new(Place {
                block: at.block,
                path: at.path.clone(),
                sets: at.sets.clone(),
                variables,
                lets,
            }));
        }
        let sets = self.tree.block(block).stanzas.iter().filter_map(|stanza| match stanza {
            Stanza::Set(name, value, span) => Some((name.clone(), *value, *span)),
            _ => None,
        });
        let sets: Vec<_> = at.sets.iter().cloned().chain(sets).collect();
        Some(Rc::new(Place { block: at.block, path: at.path.clone(), sets, variables, lets: Vec::new() }))
    }

    /// Adds the value of a key or an element.
    fn value(&mut self, value: Value, before: Option<NodeIndex>, at: &Option<Rc<Place>>) -> NodeIndex {
        let node = match value {
            Value::Block(block) => return self.block(block, before, before.is_some(), at),
            Value::Nothing(span) => self.add(Node::new(What::Boxed, "Boxed(\"\")", span)),
            Value::Scalar(id) => self.expr(id, at),
        };
        if let Some(before) = before {
            self.edge(node, PREDECESSOR, before);
        }
        node
    }

    /// Adds a directive. `below` is what its keys are on top of.
    fn directive(
        &mut self,
        stanza: &'t Stanza,
        before: Option<NodeIndex>,
        below: Option<NodeIndex>,
        at: &Option<Rc<Place>>,
    ) -> NodeIndex {
        let place = stanza.span(self.tree);
        let node = match stanza {
            Stanza::If(branches) => {
                let mut last = branches.otherwise.map(|block| self.block(block, below, false, at));
                for (condition, block) in branches.branches.iter().rev() {
                    let guard = self.expr(*condition, &None);
                    let inner = self.block(*block, below, false, at);
                    let probe = self.probe(at, Ask::Expr(*condition));
                    let mut node = Node { probe, ..Node::new(What::If, "If", place) };
                    node.edge(GUARD, guard);
                    node.edge(INNER, inner);
                    node.edges.extend(last.map(|to| Edge { role: ELSE, to }));
                    last = Some(self.add(node));
                }
                last.unwrap_or_else(|| self.add(Node::new(What::Other, "If", place)))
            }
            Stanza::For(stanza) => {
                let names: Rc<[Name]> = stanza.names.iter().map(|name| name.name.clone()).collect();
                let ask = Ask::Items(stanza.names.clone(), stanza.items, stanza.condition);
                let probe = self.probe(at, ask);
                let sequence = self.expr(stanza.items, &None);
                let scope = self.scope.len();
                self.scope.extend(names.iter().map(|name| (name.clone(), Binding::Local)));
                let condition = stanza.condition.map(|condition| self.expr(condition, &None));
                let inside = self.inside(at, &stanza.names, stanza.body);
                let inner = self.block(stanza.body, None, false, &inside);
                self.scope.truncate(scope);
                let mut node = Node { probe, ..Node::new(What::For(names), "For", place) };
                node.edge(Role::Part("sequence"), sequence);
                node.edges.extend(condition.map(|to| Edge { role: Role::Part("condition"), to }));
                node.edge(INNER, inner);
                self.add(node)
            }
            Stanza::Select(select) => {
                let of = self.expr(select.of, &None);
                let probe = self.probe(at, Ask::Expr(select.of));
                let mut node = Node { probe, ..Node::new(What::Select, "Select", place) };
                node.edge(OF, of);
                for (name, value) in &select.cases {
                    let case = match value {
                        Value::Block(block) => self.block(*block, below, false, at),
                        value => self.value(*value, None, at),
                    };
                    node.edge(Role::Key(name.name.clone()), case);
                }
                self.add(node)
            }
            Stanza::Include(path, _) => {
                let path = self.expr(*path, &None);
                let probe = self.probe(at, Ask::Stanza(stanza.clone()));
                let mut node = Node { probe, ..Node::new(What::Other, "Include", place) };
                node.edge(Role::Part("path"), path);
                self.add(node)
            }
            Stanza::Call(name, args, _) => {
                let probe = self.probe(at, Ask::Stanza(stanza.clone()));
                let label = format!("Call({})", name.name);
                let mut node = Node { probe, ..Node::new(What::Call, label, place) };
                let given = args.map(|args| &self.tree.block(args).stanzas).into_iter().flatten();
                for entry in given {
                    if let Stanza::Key(entry) = entry {
                        let value = self.value(entry.value, None, &None);
                        if let (Value::Scalar(id), Some(node)) = (entry.value, self.nodes.get(value))
                            && node.probe.is_none()
                        {
                            let probe = self.probe(at, Ask::Expr(id));
                            self.nodes.iter_mut().skip(value).take(1).for_each(|node| node.probe = probe);
                        }
                        node.edge(Role::Key(entry.name.name.clone()), value);
                    }
                }
                if let Some(Binding::Template(template)) = self.binding(&name.name) {
                    node.edge(Role::Part("macro"), *template);
                }
                self.add(node)
            }
            Stanza::New(new) => {
                let probe = self.probe(at, Ask::Stanza(stanza.clone()));
                let of = match self.tree.expr(new.of) {
                    Expr::Name(name) => match self.binding(name) {
                        Some(Binding::Template(template)) => Some(*template),
                        _ => None,
                    },
                    _ => None,
                };
                let of = of.unwrap_or_else(|| self.expr(new.of, &None));
                let inner = new.body.map(|body| {
                    let inside = self.inside_template(at, body, true);
                    self.block(body, None, false, &inside)
                });
                let mut node = Node { probe, ..Node::new(What::New, "New", place) };
                node.edge(Role::Part("prototype"), of);
                node.edges.extend(inner.map(|to| Edge { role: INNER, to }));
                self.add(node)
            }
            Stanza::Key(entry) => self.value(entry.value, None, at),
            Stanza::Item(value, _) => self.value(*value, None, at),
            Stanza::Scalar(id) => self.expr(*id, at),
            Stanza::Search(_, span) | Stanza::Set(_, _, span) => self.add(Node::new(What::Other, "Context", *span)),
            Stanza::Macro(_, _, span) | Stanza::Prototype(_, _, span) => {
                self.add(Node::new(What::Other, "Context", *span))
            }
        };
        if let Some(before) = before {
            self.edge(node, PREDECESSOR, before);
        }
        node
    }

    /// Adds an expression that can be evaluated again at a place.
    pub(super) fn expr(&mut self, id: Id, at: &Option<Rc<Place>>) -> NodeIndex {
        let node = self.expression(id, at);
        let is_known = |node: &Node| matches!(node.what, What::Boxed | What::Sequence | What::Mapping);
        // in a body, only guards and the lists of loops are evaluated again
        if at.as_ref().is_none_or(|at| !at.variables.is_empty()) {
            return node;
        }
        if self.nodes.get(node).is_some_and(|node| !is_known(node) && node.probe.is_none()) {
            let probe = self.probe(at, Ask::Expr(id));
            if let Some(node) = self.nodes.get_mut(node) {
                node.probe = probe;
            }
        }
        node
    }

    /// Returns what a name at the beginning of an access refers to.
    pub(super) fn base(&self, name: &str) -> Base {
        match self.binding(name) {
            Some(Binding::Set(node) | Binding::Template(node)) => Base::Node(*node),
            Some(Binding::Local) => Base::Local,
            None if matches!(name, "here" | "self") => Base::Local,
            None => Base::Document,
        }
    }
}

/// Returns `true` if a name has a meaning of its own.
fn is_of_language(name: &str) -> bool {
    matches!(name, "here" | "self" | "true" | "false" | "null" | "std")
        || crate::dialect::yay::library::item(name).is_some()
}

/// Returns `true` if a stanza only gives names.
fn is_declaration(stanza: &Stanza) -> bool {
    matches!(stanza, Stanza::Set(..) | Stanza::Macro(..) | Stanza::Prototype(..) | Stanza::Search(..))
}
