//! Expansion: guards are resolved, references are followed, loops become contexts. What a node holds is not expanded.

use super::{
    Base, Document, ELSE, Edge, INNER, KEY, Node, NodeIndex, OF, PREDECESSOR, PROBE, Role, Values, What, drawn,
};
use crate::dialect::node_graph::NodeGraph;
use crate::dialect::notation::value::one_line;
use crate::dialect::yay::notation::SPELLING;
use crate::problem::Problem;
use crate::text::path::Step;
use crate::text::{MASK, Name, Span};
use crate::value::datum::Datum;
use crate::value::machine::Budget;
use crate::value::{Call, Fault, Machine, Thunk, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Maximum number of nodes that expansions add.
const MAX_NODES: usize = 20_000;
/// Maximum number of elements of a loop that are drawn; the others are counted.
const MANY: usize = 12;
/// Maximum size of a value that is drawn.
const SHOWN: Budget = Budget { elements: 200, depth: 2, text: 2_000 };
/// Maximum width of a value in a label, in columns.
const MAX_WIDTH: usize = 40;

/// Expands the node at a path of a document; without a path, the node of each key.
pub(super) fn expanded(
    document: &Document,
    path: &[Step],
    machine: &mut Machine,
    root: &Thunk,
) -> Result<NodeGraph, Problem> {
    let nodes = document.nodes.clone();
    let mut expander = Expander { document, nodes, machine, root, most: MANY, through: FxHashMap::default() };
    let mut found = Some(document.root);
    for step in path {
        found = match found {
            Some(here) => expander.get(here, step)?,
            None => None,
        };
    }
    let node = match found {
        Some(node) if path.is_empty() => {
            let node = expander.expand(node, None)?;
            expander.keys(node)
        }
        Some(node) => expander.expand(node, None)?,
        None => {
            let thunk = expander.machine.at(expander.root, path).map_err(|fault| fault.problem().clone())?;
            let root = || document.nodes.get(document.root).map(|node| node.place);
            let place = expander.place_at(path).or_else(root);
            expander.of_value(&thunk, place.unwrap_or(document.term.span(document.term.root)))?
        }
    };
    let node = expander.through(node);
    Ok(drawn(&expander.nodes, node))
}

pub(super) struct Expander<'a> {
    document: &'a Document,
    /// The nodes of the document, and those that expansions made.
    nodes: Vec<Node>,
    machine: &'a mut Machine,
    /// The value of the document, with its probes.
    root: &'a Thunk,
    /// Maximum number of elements of a loop that are drawn.
    most: usize,
    /// The nodes in whose bodies the directives are expanded, by the nodes that they were made from.
    pub(super) through: FxHashMap<NodeIndex, NodeIndex>,
}

impl Expander<'_> {
    pub(super) fn add(&mut self, node: Node) -> NodeIndex {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    pub(super) fn node(&self, index: NodeIndex) -> Node {
        let none = || Node::new(What::Other, "", self.document.term.span(self.document.term.root));
        self.nodes.get(index).cloned().unwrap_or_else(none)
    }

    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() > self.document.nodes.len() + MAX_NODES
    }

    /// Evaluates the probe of a node. `None` if it has none.
    pub(super) fn value(&mut self, node: &Node) -> Result<Option<(Thunk, Value)>, Problem> {
        let Some(asked) = node.probe.and_then(|probe| self.document.probes.get(probe)) else { return Ok(None) };
        let problem = |fault: crate::value::Fault| fault.problem().clone();
        let mut args = Vec::with_capacity(asked.variables.len());
        if !asked.variables.is_empty() {
            let Some(values) = &node.values else { return Ok(None) };
            for name in &asked.variables {
                // the name of an inner variable, or of an argument that the call does not give
                let unknown = || Thunk::failed(Fault::undefined(format!("`{name}` has no value here"), None));
                args.push(values.get(name).cloned().unwrap_or_else(unknown));
            }
        }
        let thunk = self.machine.at(self.root, &asked.path).map_err(problem)?;
        let value = self.machine.force(&thunk).map_err(problem)?;
        if asked.variables.is_empty() {
            return Ok(Some((thunk, value)));
        }
        let value = self.machine.call(&value, &args, &Call::default()).map_err(problem)?;
        Ok(Some((Thunk::done(value.clone()), value)))
    }

    /// Resolves the guard of a node. `None` if it cannot be evaluated outside its loop or macro.
    fn holds(&mut self, node: &Node) -> Result<Option<bool>, Problem> {
        match self.value(node)? {
            Some((_, value)) => self.machine.truth(&value).map(Some).map_err(|fault| fault.problem().clone()),
            None => Ok(None),
        }
    }

    /// Returns the case that a `select` chooses.
    fn case(&mut self, node: &Node) -> Result<Option<NodeIndex>, Problem> {
        let Some((_, value)) = self.value(node)? else { return Ok(None) };
        let key = self.machine.as_text(&value);
        Ok(key.and_then(|key| node.key(key.as_str())))
    }

    /// Goes to a key or an element: resolves the guards on the way, and nothing else. `None` if the nodes do not show it.
    fn get(&mut self, from: NodeIndex, step: &Step) -> Result<Option<NodeIndex>, Problem> {
        crate::deep::deeper(|| self.get_here(from, step))
    }

    fn get_here(&mut self, from: NodeIndex, step: &Step) -> Result<Option<NodeIndex>, Problem> {
        let node = self.node(from);
        let below = |expander: &mut Self| match node.part(&PREDECESSOR) {
            Some(before) => expander.get(before, step),
            None => Ok(None),
        };
        match (&node.what, step) {
            (What::Mapping, Step::Field(key)) => match node.key(key) {
                Some(found) => Ok(Some(found)),
                None => below(self),
            },
            (What::Sequence, Step::Index(index)) => {
                let plain = node.edges.iter().all(|edge| edge.role != Role::Element || self.is_element(edge.to));
                let mut elements = node.edges.iter().filter(|e| matches!(e.role, Role::Element | Role::Index(_)));
                Ok(elements.nth(*index).map(|edge| edge.to).filter(|_| plain))
            }
            (What::Boxed, _) => Ok(None),
            (What::Context, _) => match node.part(&INNER) {
                Some(inner) => self.get(inner, step),
                None => Ok(None),
            },
            (What::If | What::Select, Step::Field(_)) => {
                let own = match self.chosen(&node)? {
                    Some(chosen) => self.get(chosen, step)?,
                    None => None,
                };
                let before = below(self)?;
                Ok(match (own, before) {
                    (Some(own), Some(before)) => Some(self.on_top(own, before)),
                    (own, before) => own.or(before),
                })
            }
            (What::Extend | What::For(_) | What::Call | What::New | What::Access(..), _) if !self.is_full() => {
                let most = self.most;
                if let Step::Index(index) = step {
                    self.most = most.max(index.saturating_add(1));
                }
                let expanded = self.expand(from, None);
                self.most = most;
                let expanded = expanded?;
                let changed = expanded != from && self.node(expanded).label != node.label;
                if changed { self.get(expanded, step) } else { Ok(None) }
            }
            _ => Ok(None),
        }
    }

    /// Returns `true` if a part of a list is one element, not a directive with several.
    fn is_element(&self, part: NodeIndex) -> bool {
        !matches!(
            self.nodes.get(part).map(|node| &node.what),
            Some(What::If | What::For(_) | What::Select | What::Call)
        )
    }

    /// Returns the branch of a guarded node that holds. `None` if it is the predecessor.
    pub(super) fn chosen(&mut self, node: &Node) -> Result<Option<NodeIndex>, Problem> {
        if node.what == What::Select {
            return self.case(node);
        }
        let mut node = node.clone();
        loop {
            match self.holds(&node)? {
                Some(true) => return Ok(node.part(&INNER)),
                Some(false) => match node.part(&ELSE) {
                    Some(other) if self.node(other).what == What::If => node = self.node(other),
                    other => return Ok(other),
                },
                None => return Ok(None),
            }
        }
    }

    /// Returns a mapping with a predecessor. Any other node replaces the one below.
    fn on_top(&mut self, own: NodeIndex, before: NodeIndex) -> NodeIndex {
        let mut node = self.node(own);
        if node.what != What::Mapping || node.part(&PREDECESSOR).is_some() {
            return own;
        }
        node.edge(PREDECESSOR, before);
        self.add(node)
    }

    /// Expands a node. `below` is the predecessor of the node around it.
    pub(super) fn expand(&mut self, index: NodeIndex, below: Option<NodeIndex>) -> Result<NodeIndex, Problem> {
        crate::deep::deeper(|| self.expand_here(index, below))
    }

    fn expand_here(&mut self, index: NodeIndex, below: Option<NodeIndex>) -> Result<NodeIndex, Problem> {
        let node = self.node(index);
        let before = node.part(&PREDECESSOR).or(below);
        if self.is_full() {
            return Ok(index);
        }
        match &node.what {
            What::Mapping | What::Boxed | What::Sequence | What::More(_) => Ok(index),
            What::Context => match node.part(&INNER) {
                Some(inner) => {
                    let expanded = self.expand(inner, before)?;
                    let mut own = node.clone();
                    own.edges.iter_mut().filter(|edge| edge.role == INNER).for_each(|edge| edge.to = expanded);
                    Ok(self.add(own))
                }
                None => Ok(index),
            },
            What::Extend => self.extended(&node, index),
            What::If | What::Select => {
                if node.probe.is_none() {
                    return Ok(index);
                }
                match self.chosen(&node)? {
                    Some(chosen) => {
                        let expanded = self.expand(chosen, before)?;
                        match before {
                            Some(before) if self.node(expanded).what == What::Mapping => {
                                let before = self.expand(before, None)?;
                                Ok(self.on_top(expanded, before))
                            }
                            _ => Ok(expanded),
                        }
                    }
                    None => match before {
                        Some(before) => self.expand(before, None),
                        None => Ok(self.add(Node::new(What::Mapping, "Mapping", node.place))),
                    },
                }
            }
            What::For(names) => self.looped(&node, names, index),
            What::Call => {
                let Some(body) = node.part(&Role::Part("macro")).and_then(|of| self.node(of).part(&INNER)) else {
                    return self.by_value(&node, index);
                };
                let mut context = Node::new(What::Context, "Context", node.place);
                context.edges = node.edges.iter().filter(|edge| matches!(edge.role, Role::Key(_))).cloned().collect();
                context.values = node.values.clone();
                let values = self.arguments(&context);
                let body = self.copy(body, values);
                context.edge(INNER, body);
                Ok(self.add(context))
            }
            What::New => {
                let prototype = node.part(&Role::Part("prototype")).and_then(|of| self.node(of).part(&INNER));
                let Some(prototype) = prototype else { return self.by_value(&node, index) };
                // without the instance, the bodies cannot be evaluated again
                let values = self.value(&node).ok().flatten().map(|(instance, _)| {
                    let mut values = node.values.as_deref().cloned().unwrap_or_default();
                    values.insert(Name::new_static("self"), instance);
                    Rc::new(values)
                });
                let prototype = self.copy(prototype, values.clone());
                let own = match node.part(&INNER) {
                    Some(own) => self.copy(own, values.or(node.values.clone())),
                    None => self.add(Node::new(What::Mapping, "Mapping", node.place)),
                };
                let body = self.on_top(own, prototype);
                let mut context = Node::new(What::Context, "Context(self)", node.place);
                context.edge(INNER, body);
                Ok(self.add(context))
            }
            What::Access(..) => {
                // the value shows whether following the reference ends
                self.value(&node)?;
                match self.target(&node)? {
                    Some(target) => self.expand(target, None),
                    None => self.by_value(&node, index),
                }
            }
            What::Other => self.by_value(&node, index),
        }
    }

    /// Returns the node that an access refers to, if the nodes show it.
    fn target(&mut self, node: &Node) -> Result<Option<NodeIndex>, Problem> {
        crate::deep::deeper(|| {
            let What::Access(base, step) = &node.what else { return Ok(None) };
            let step = match (step, node.part(&KEY)) {
                (Some(step), _) => step.clone(),
                (None, Some(key)) => match self.value(&self.node(key))? {
                    Some((_, Value::Number(number))) => match number.to_string().parse() {
                        Ok(index) => Step::Index(index),
                        Err(_) => return Ok(None),
                    },
                    Some((_, Value::String(text))) => Step::Field(Name::new(text.as_str())),
                    _ => return Ok(None),
                },
                (None, None) => return Ok(None),
            };
            let from = match base {
                Base::Local => return Ok(None),
                Base::Node(node) => return Ok(Some(*node)),
                Base::Document => self.document.root,
                Base::Of => {
                    let Some(of) = node.part(&OF) else { return Ok(None) };
                    let of = self.node(of);
                    match &of.what {
                        What::Access(..) => match self.target(&of)? {
                            Some(target) => target,
                            None => return Ok(None),
                        },
                        _ => return Ok(None),
                    }
                }
            };
            self.get(from, &step)
        })
    }

    /// Expands `extend`: the stream of the predecessor, and its own after it.
    fn extended(&mut self, node: &Node, index: NodeIndex) -> Result<NodeIndex, Problem> {
        let Some(inner) = node.part(&INNER) else { return Ok(index) };
        let inner = self.expand(inner, None)?;
        let Some(before) = node.part(&PREDECESSOR) else { return Ok(inner) };
        let before = self.expand(before, None)?;
        let (below, own) = (self.node(before), self.node(inner));
        match (&below.what, &own.what) {
            (What::Sequence, What::Sequence) => {
                let mut joined = Node::new(What::Sequence, "Sequence", node.place);
                let elements = below.edges.iter().chain(&own.edges).filter(|edge| edge.role != PREDECESSOR);
                let mut number = 0;
                for Edge { to, .. } in elements {
                    number = self.element(&mut joined, number, *to);
                }
                Ok(self.add(joined))
            }
            (_, What::Mapping) => Ok(self.on_top(inner, before)),
            _ => Ok(index),
        }
    }

    /// Expands a loop: a context and a copy of the body for each element.
    fn looped(&mut self, node: &Node, names: &[Name], index: NodeIndex) -> Result<NodeIndex, Problem> {
        let Some((list, Value::Array(items))) = self.value(node)? else { return Ok(index) };
        let secret = self.machine.is_secret(&list);
        let Some(inner) = node.part(&INNER) else { return Ok(index) };
        let mut sequence = Node::new(What::Sequence, "Sequence", node.place);
        let drawn = if items.len() > self.most + 1 { self.most } else { items.len() };
        for (number, item) in (0..items.len()).filter_map(|number| Some((number, items.at(number)?))) {
            if self.is_full() || number >= drawn {
                let more = items.len() - number;
                let more = self.add(Node::new(What::More(more), format!("… {more} more"), node.place));
                sequence.edge(Role::Element, more);
                break;
            }
            let mut values: Values = node.values.as_deref().cloned().unwrap_or_default();
            match names {
                [name] => drop(values.insert(name.clone(), item.clone())),
                names => {
                    if let Ok(Value::Array(parts)) = self.machine.force(&item) {
                        values.extend(names.iter().cloned().zip((0..parts.len()).filter_map(|at| parts.at(at))));
                    }
                }
            }
            let mut shown = Vec::new();
            match (names, self.machine.force(&item)) {
                (names, _) if secret => shown.extend(names.iter().map(|name| format!("{name}={MASK}"))),
                ([name], Ok(_)) => shown.push(format!("{name}={}", self.label(&item))),
                (names, Ok(Value::Array(parts))) => {
                    for (name, part) in names.iter().zip((0..parts.len()).filter_map(|at| parts.at(at))) {
                        let forced = self.machine.force(&part).is_ok();
                        shown.push(if forced { format!("{name}={}", self.label(&part)) } else { name.to_string() });
                    }
                }
                (names, _) => shown.extend(names.iter().map(Name::to_string)),
            }
            let body = self.copy(inner, Some(Rc::new(values)));
            let mut context = Node::new(What::Context, format!("Context({})", shown.join(", ")), node.place);
            context.edge(INNER, body);
            let context = self.add(context);
            sequence.edge(Role::Index(number), context);
        }
        Ok(self.add(sequence))
    }

    /// Returns the values of the arguments of a call. `None` if one of them has the name of a key, which the body may read too.
    fn arguments(&mut self, context: &Node) -> Option<Rc<Values>> {
        let mut values = context.values.as_deref().cloned().unwrap_or_default();
        for edge in &context.edges {
            let Role::Key(name) = &edge.role else { continue };
            if self.document.keys.contains(name) {
                return None;
            }
            let mut value = self.node(edge.to);
            value.values = context.values.clone();
            if let Ok(Some((thunk, _))) = self.value(&value) {
                values.insert(name.clone(), thunk);
            }
        }
        Some(Rc::new(values))
    }

    /// Copies a node and what it holds, with the values of the variables around it.
    fn copy(&mut self, from: NodeIndex, values: Option<Rc<Values>>) -> NodeIndex {
        let mut copies: FxHashMap<NodeIndex, NodeIndex> = FxHashMap::default();
        let mut work = vec![from];
        while let Some(next) = work.pop() {
            if copies.contains_key(&next) {
                continue;
            }
            let mut node = self.node(next);
            // without the values of its variables, a copy cannot be evaluated again
            let asked = node.probe.and_then(|probe| self.document.probes.get(probe));
            if values.is_none() || asked.is_none_or(|asked| asked.variables.is_empty()) {
                node.probe = None;
            }
            node.values = values.clone();
            work.extend(node.edges.iter().map(|edge| edge.to));
            let copy = self.add(node);
            copies.insert(next, copy);
        }
        for copy in copies.values() {
            for edge in self.nodes.get_mut(*copy).into_iter().flat_map(|node| &mut node.edges) {
                edge.to = copies.get(&edge.to).copied().unwrap_or(edge.to);
            }
        }
        copies.get(&from).copied().unwrap_or(from)
    }

    /// Replaces a node by its value, as far as an expansion computes it.
    fn by_value(&mut self, node: &Node, index: NodeIndex) -> Result<NodeIndex, Problem> {
        match self.value(node)? {
            Some((thunk, _)) => {
                let place = self.definition_of(node).unwrap_or(node.place);
                self.of_value(&thunk, place)
            }
            None => Ok(index),
        }
    }

    /// Adds the nodes of a value, without forcing its parts.
    /// Returns the place of the definition that an access to a key of the document or of an included file reads.
    fn definition_of(&mut self, node: &Node) -> Option<Span> {
        let What::Access(base, Some(Step::Field(name))) = &node.what else { return None };
        let is_include = |part: NodeIndex| self.nodes.get(part).is_some_and(|part| part.label == "Include");
        if *base != Base::Document && !node.part(&OF).is_some_and(is_include) {
            return None;
        }
        self.place_at(&[Step::Field(name.clone())])
    }

    /// Returns the place of the definition of the field at a path of the document.
    fn place_at(&mut self, path: &[Step]) -> Option<Span> {
        let (Step::Field(name), above) = path.split_last()? else { return None };
        let above = self.machine.at(self.root, above).ok()?;
        let Ok(Value::Record(record)) = self.machine.force(&above) else { return None };
        self.machine.outline(&record, name).ok()??.span
    }

    fn of_value(&mut self, thunk: &Thunk, place: Span) -> Result<NodeIndex, Problem> {
        self.machine.force(thunk).map_err(|fault| fault.problem().clone())?;
        let datum = self.machine.datum_without_forcing(thunk, SHOWN);
        Ok(self.of_datum(&datum, place))
    }

    fn of_datum(&mut self, datum: &Datum, place: Span) -> NodeIndex {
        let mut node = match datum {
            Datum::Array(_) => Node::new(What::Sequence, "Sequence", place),
            Datum::Record(_) | Datum::Map(_) => Node::new(What::Mapping, "Mapping", place),
            Datum::Unforced => Node::new(What::Other, "…", place),
            datum => {
                Node::new(What::Boxed, format!("Boxed({})", one_line(&SPELLING, datum).cut(MAX_WIDTH).text()), place)
            }
        };
        match datum {
            Datum::Array(items) => {
                for (number, item) in items.iter().enumerate() {
                    let item = self.of_datum(item, place);
                    node.edge(Role::Index(number), item);
                }
            }
            Datum::Record(entries) => {
                for entry in entries.iter().filter(|e| !e.name.starts_with(PROBE) && !e.not_exported) {
                    let value = self.of_datum(entry.value.as_ref().unwrap_or(&Datum::Unforced), place);
                    node.edge(Role::Key(entry.name.clone()), value);
                }
            }
            _ => {}
        }
        self.add(node)
    }

    /// Returns a short text of a forced value.
    fn label(&mut self, thunk: &Thunk) -> String {
        match self.machine.datum_without_forcing(thunk, SHOWN) {
            Datum::Record(_) | Datum::Map(_) => String::from("Mapping"),
            Datum::Array(_) => String::from("Sequence"),
            datum => one_line(&SPELLING, &datum).cut(MAX_WIDTH).text(),
        }
    }

    /// Expands the node of each key of a mapping, and of those below it. A key that fails is left as it is.
    fn keys(&mut self, root: NodeIndex) -> NodeIndex {
        let mut next = Some(root);
        let mut layers = Vec::new();
        while let Some(index) = next {
            let mut node = self.node(index);
            if matches!(node.what, What::If | What::Select)
                && let Ok(expanded) = self.expand(index, None)
            {
                node = self.node(expanded);
            }
            next = match node.what {
                What::Mapping => node.part(&PREDECESSOR),
                What::Context => node.part(&INNER),
                _ => None,
            };
            layers.push(node);
            if layers.len() > self.document.nodes.len() {
                break;
            }
        }
        let mut below: Option<NodeIndex> = None;
        for mut node in layers.into_iter().rev() {
            let is_mapping = node.what == What::Mapping;
            for edge in &mut node.edges {
                match (&edge.role, below) {
                    (Role::Part(_), Some(below)) if edge.role == PREDECESSOR || edge.role == INNER => edge.to = below,
                    (Role::Key(_), _) if is_mapping => edge.to = self.expand(edge.to, None).unwrap_or(edge.to),
                    _ => {}
                }
            }
            below = Some(self.add(node));
        }
        below.unwrap_or(root)
    }
}
