//! Builds the function graph of a term.

use super::{Edge, Functions, Node, NodeKind};
use crate::dialect::Languages;
use crate::dialect::library::LibraryEntry;
use crate::term::{
    Apply, Chunk, Clause, Comprehension, FieldName, Lambda, Let, Node as TermNode, NodeId, PatKind, Prim, RecordLit,
    Term,
};
use crate::text::{Name, Sources, Span};
use rustc_hash::FxHashMap;

/// Maximum width of a constant, in characters.
const MAX_WIDTH: usize = 24;
/// Maximum number of nodes.
const MOST: usize = 20_000;

/// A frame: the node of each of its slots.
type Frame = Vec<Option<usize>>;

struct Builder<'a> {
    term: &'a Term,
    languages: Languages,
    sources: &'a Sources,
    out: Functions,
    frames: Vec<Frame>,
    /// The nodes of names of the session.
    globals: FxHashMap<Name, usize>,
}

/// Returns the function graph of a term.
pub fn graph(term: &Term, languages: Languages, sources: &Sources) -> Functions {
    let (out, globals) = (Functions::default(), FxHashMap::default());
    let mut builder = Builder { term, languages, sources, out, frames: Vec::new(), globals };
    builder.value(term.root);
    builder.out.edges.sort_by_key(|edge| edge.to);
    without_idle(builder.out)
}

/// Removes nodes without edges, such as variables that nothing reads. A graph of a single node keeps it.
fn without_idle(graph: Functions) -> Functions {
    let mut used = vec![graph.nodes.len() == 1; graph.nodes.len()];
    for edge in &graph.edges {
        for end in [edge.from, edge.to] {
            if let Some(used) = used.get_mut(end) {
                *used = true;
            }
        }
    }
    let mut numbers = Vec::with_capacity(used.len());
    let mut next = 0;
    for used in &used {
        numbers.push(next);
        next += usize::from(*used);
    }
    let number = |old: usize| numbers.get(old).copied().unwrap_or_default();
    let kept = graph.nodes.into_iter().zip(&used).filter(|(_, used)| **used).map(|(node, _)| node);
    let edges = graph.edges.into_iter().map(|e| Edge { from: number(e.from), to: number(e.to), ..e });
    Functions { nodes: kept.collect(), edges: edges.collect(), drawing: graph.drawing }
}

impl Builder<'_> {
    fn node(&mut self, kind: NodeKind, label: impl Into<String>, place: Option<Span>) -> usize {
        self.out.nodes.push(Node { kind, label: label.into(), place });
        self.out.nodes.len() - 1
    }

    fn edge(&mut self, from: Option<usize>, to: usize, argument: impl Into<String>) {
        if let Some(from) = from {
            self.out.edges.push(Edge { from, to, argument: argument.into() });
        }
    }

    /// Returns the text of a place on one line, cut.
    fn written(&self, span: Span) -> String {
        let text = crate::text::on_one_line(&self.sources.slice(span));
        match text.chars().count() > MAX_WIDTH {
            true => text.chars().take(MAX_WIDTH - 1).chain(['…']).collect(),
            false => text,
        }
    }

    /// Adds the nodes of an expression. Returns the node of its value.
    fn value(&mut self, id: NodeId) -> Option<usize> {
        if self.out.nodes.len() >= MOST {
            return None;
        }
        crate::deep::deeper(|| self.value_here(id))
    }

    fn value_here(&mut self, id: NodeId) -> Option<usize> {
        let term = self.term;
        let span = term.span(id);
        match term.node(id) {
            TermNode::Hole => None,
            TermNode::Null if term.rules.makes_resources() => None,
            TermNode::Null | TermNode::Bool(_) | TermNode::Number(_) | TermNode::Str(_) | TermNode::Tag(_) => {
                let label = self.written(span);
                Some(self.node(NodeKind::Constant, label, Some(span)))
            }
            TermNode::Interp(chunks) => {
                let parts = chunks.iter().filter_map(|chunk| match chunk {
                    Chunk::Expr(part) | Chunk::Indented(part, _) => Some(*part),
                    Chunk::Text(_) => None,
                });
                let label = self.written(span);
                self.function(&label, span, parts.enumerate().map(|(n, part)| (n.to_string(), part)).collect())
            }
            TermNode::Array(items) => {
                let items = items.iter().enumerate().map(|(n, item)| (n.to_string(), *item)).collect();
                self.function("list", span, items)
            }
            TermNode::Record(lit) => self.record(lit, span),
            TermNode::Local { up, slot } => {
                let frame = self.frames.len().checked_sub(1 + *up as usize).and_then(|at| self.frames.get(at));
                frame.and_then(|frame| frame.get(*slot as usize)).copied().flatten()
            }
            TermNode::Global(name) if crate::term::rules::is_file_library(name) || name == "std" => None,
            TermNode::Global(name) => {
                if let Some(known) = self.globals.get(name) {
                    return Some(*known);
                }
                let label = self.variable(Some(name), span);
                let node = self.node(NodeKind::Variable, label, Some(span));
                self.globals.insert(name.clone(), node);
                Some(node)
            }
            TermNode::Lambda(lambda) => self.lambda(lambda, span),
            TermNode::Apply(apply) => self.apply(apply, span),
            TermNode::Let(l) => self.bindings(l),
            TermNode::If(parts) => {
                let [condition, then, otherwise] = **parts;
                let parts = [("c", condition), ("a", then), ("b", otherwise)];
                self.function("if", span, parts.map(|(name, part)| (String::from(name), part)).into())
            }
            TermNode::Merge(parts) if term.rules.makes_resources() => {
                for part in parts {
                    self.value(*part);
                }
                None
            }
            TermNode::Project(of, field) => match self.path(id) {
                Some(path) => Some(self.node(NodeKind::Function, path.join("."), Some(span))),
                None => {
                    let of = self.value(*of)?;
                    if field.starts_with('%') {
                        // the resources of an include
                        return None;
                    }
                    let label = match field.strip_prefix('$') {
                        Some(_) => field.to_string(),
                        None => format!("->{field}"),
                    };
                    let node = self.node(NodeKind::Function, label, Some(span));
                    self.edge(Some(of), node, "struct");
                    Some(node)
                }
            },
            TermNode::Index(pair) => {
                self.function("[]", span, vec![("list".into(), pair[0]), ("index".into(), pair[1])])
            }
            TermNode::Comprehension(c) => {
                self.comprehension(c, span);
                None
            }
            TermNode::Annot(inner, _) => self.value(*inner),
            TermNode::Prim(Prim::Map, operands) => {
                let pairs = operands.chunks(2).enumerate().flat_map(|(n, pair)| {
                    let names = [format!("key {n}"), format!("value {n}")];
                    names.into_iter().zip(pair.iter().copied()).collect::<Vec<_>>()
                });
                self.function("map", span, pairs.collect())
            }
            TermNode::Prim(Prim::Names, operands) => operands.first().and_then(|name| self.value(*name)),
            TermNode::Prim(prim, operands) => {
                let names = ["a", "b", "c"];
                let named = operands.iter().zip(names).map(|(operand, name)| (String::from(name), *operand));
                self.function(prim.symbol(), span, named.collect())
            }
            TermNode::Import(import) => {
                Some(self.node(NodeKind::Constant, format!("import {}", import.path), Some(span)))
            }
            TermNode::Type(_) => None,
            _ => {
                let mut children = Vec::new();
                term.children_in_frames(id, &mut |child, frames| children.push((child, frames)));
                let label = self.written(span);
                let node = self.node(NodeKind::Function, label, Some(span));
                for (at, (child, frames)) in children.into_iter().enumerate() {
                    (0..frames).for_each(|_| self.frames.push(Vec::new()));
                    let from = self.value(child);
                    self.frames.truncate(self.frames.len().saturating_sub(frames as usize));
                    self.edge(from, node, at.to_string());
                }
                Some(node)
            }
        }
    }

    /// Adds a function and its arguments.
    fn function(&mut self, label: &str, span: Span, arguments: Vec<(String, NodeId)>) -> Option<usize> {
        let arguments: Vec<_> = arguments.into_iter().map(|(name, id)| (name, self.value(id))).collect();
        let node = self.node(NodeKind::Function, label, Some(span));
        for (name, from) in arguments {
            self.edge(from, node, name);
        }
        Some(node)
    }

    /// Returns the path of an expression into the library, without the library's name. `None` for any other expression.
    fn path(&self, mut id: NodeId) -> Option<Vec<String>> {
        let mut path = Vec::new();
        loop {
            match self.term.node(id) {
                TermNode::Project(of, name) => {
                    path.push(name.to_string());
                    id = *of;
                }
                TermNode::Global(name) if crate::term::rules::is_file_library(name) || name == "std" => {
                    path.reverse();
                    return (!path.is_empty()).then_some(path);
                }
                _ => return None,
            }
        }
    }

    /// Returns the names of the parameters of a library function, as its usage states them.
    fn parameters(&self, path: &[String]) -> Vec<String> {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let library = self.languages.library(&Name::from(self.term.rules.library));
        let Some(LibraryEntry::Item(item)) = library.and_then(|library| library.entry(&path)) else {
            return Vec::new();
        };
        let usage = item.usage.unwrap_or_default();
        let Some((_, inside)) = usage.split_once('(') else { return Vec::new() };
        let mut depth = 0;
        let mut names = vec![String::new()];
        for c in inside.chars() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' if depth == 0 => break,
                ')' | ']' | '}' => depth -= 1,
                ',' if depth == 0 => names.push(String::new()),
                _ => {
                    if let (0, Some(name)) = (depth, names.last_mut()) {
                        name.push(c);
                    }
                }
            }
        }
        names.iter().map(|name| String::from(name.split_whitespace().next().unwrap_or_default())).collect()
    }

    fn apply(&mut self, apply: &Apply, span: Span) -> Option<usize> {
        let path = self.path(apply.func);
        if path.as_ref().is_some_and(|path| path.last().is_some_and(|name| name.starts_with('%'))) {
            // the functions that make the graph of resources
            for (_, arg) in &apply.args {
                self.value(*arg);
            }
            return None;
        }
        let (label, names) = match &path {
            Some(path) => (path.join("."), self.parameters(path)),
            None => (String::from("call"), Vec::new()),
        };
        let function = if path.is_none() { self.value(apply.func) } else { None };
        let name = |at: usize| {
            let variadic = names.last().is_some_and(|last| last.starts_with("..."));
            match names.get(at).filter(|name| !name.is_empty() && !name.starts_with("...")) {
                Some(name) if !variadic || at + 1 < names.len() => name.clone(),
                _ => (at + 1).to_string(),
            }
        };
        let arguments: Vec<_> =
            apply.args.iter().enumerate().map(|(at, (_, arg))| (name(at), self.value(*arg))).collect();
        let node = self.node(NodeKind::Function, label, Some(span));
        self.edge(function, node, "fn");
        for (name, from) in arguments {
            self.edge(from, node, name);
        }
        Some(node)
    }

    fn lambda(&mut self, lambda: &Lambda, span: Span) -> Option<usize> {
        let mut frame: Frame = vec![None; lambda.slots.len()];
        for param in &lambda.params {
            let pat = self.term.pat(param.pat);
            if let PatKind::Bind(slot) = pat.kind {
                let label = self.variable(lambda.slots.get(slot as usize), pat.span);
                let node = self.node(NodeKind::Variable, label, Some(pat.span));
                if let Some(place) = frame.get_mut(slot as usize) {
                    *place = Some(node);
                }
            }
        }
        self.frames.push(frame);
        let body = self.value(lambda.body);
        self.frames.pop();
        let body = body?;
        let node = self.node(NodeKind::Function, "func", Some(span));
        self.edge(Some(body), node, "body");
        Some(node)
    }

    /// Returns the label of a variable: its name as it is written.
    fn variable(&self, name: Option<&Name>, span: Span) -> String {
        let name = name.map(Name::as_str).unwrap_or_default();
        match name.split_once(' ') {
            // names of functions and classes have the word before them; what the lowering adds cannot be written
            Some((word, _)) if word.starts_with('%') => String::from(word.trim_start_matches('%')),
            Some(_) => String::from(name),
            None if name.starts_with('%') => self.written(span),
            None if self.term.rules.makes_resources() && !name.starts_with('$') => format!("${name}"),
            None => String::from(name),
        }
    }

    fn bindings(&mut self, l: &Let) -> Option<usize> {
        let mut frame: Frame = vec![None; l.slots.len()];
        let mut nodes = Vec::with_capacity(l.bindings.len());
        for binding in &l.bindings {
            let pat = self.term.pat(binding.pat);
            nodes.push(None);
            if let PatKind::Bind(slot) = pat.kind {
                let label = self.variable(l.slots.get(slot as usize), pat.span);
                let node = self.node(NodeKind::Variable, label, Some(pat.span));
                if let (Some(place), Some(last)) = (frame.get_mut(slot as usize), nodes.last_mut()) {
                    *place = Some(node);
                    *last = Some(node);
                }
            }
        }
        if l.recursive {
            self.frames.push(frame.clone());
        }
        for (binding, node) in l.bindings.iter().zip(nodes) {
            let from = self.value(binding.body);
            if let Some(node) = node {
                self.edge(from, node, "value");
            }
        }
        if !l.recursive {
            self.frames.push(frame);
        }
        let body = self.value(l.body);
        self.frames.pop();
        body
    }

    /// Adds a struct, a record, or the parts of a program.
    fn record(&mut self, lit: &RecordLit, span: Span) -> Option<usize> {
        self.frames.push(Vec::new());
        let mut parts = Vec::new();
        for field in &lit.fields {
            let Some(body) = field.body else { continue };
            let from = self.value(body);
            if let FieldName::Static(name) = &field.name {
                parts.push((name.to_string(), from));
            }
        }
        self.frames.pop();
        let makes = |(name, _): &(String, Option<usize>)| name == "resources" || name == "edges";
        if self.term.rules.makes_resources() && (lit.open || parts.iter().any(makes)) {
            // the program itself
            return None;
        }
        let node = self.node(NodeKind::Function, "struct", Some(span));
        for (name, from) in parts {
            self.edge(from, node, name);
        }
        Some(node)
    }

    /// Adds a statement that makes resources or edges, or another comprehension.
    fn comprehension(&mut self, c: &Comprehension, span: Span) {
        let mut frames = 0u32;
        let mut names = Vec::new();
        for clause in &c.clauses {
            match clause {
                Clause::For { items, .. } => {
                    let items = self.value(*items);
                    names.push(items);
                    self.frames.push(vec![items]);
                    frames += 1;
                }
                Clause::If(condition) => {
                    self.value(*condition);
                }
            }
        }
        match self.term.node(c.body) {
            TermNode::Record(lit) => self.resources(lit, &names, span),
            _ => {
                self.value(c.body);
            }
        }
        self.frames.truncate(self.frames.len().saturating_sub(frames as usize));
    }

    /// Adds what the body of such a statement makes: records with a `kind`.
    fn resources(&mut self, lit: &RecordLit, names: &[Option<usize>], span: Span) {
        self.frames.push(Vec::new());
        let field = |name: &str| {
            lit.fields.iter().find(|f| matches!(&f.name, FieldName::Static(own) if own == name)).and_then(|f| f.body)
        };
        let text = |id: Option<NodeId>| match id.map(|id| self.term.node(id)) {
            Some(TermNode::Str(text)) => Some(text.to_string()),
            _ => None,
        };
        if let Some(kind) = text(field("kind")) {
            let named = names.first().copied().flatten();
            let name = named.and_then(|node| self.out.nodes.get(node)).map(|node| node.label.clone());
            let name = name.unwrap_or_default();
            let label = format!("{kind}[{}]", name.trim_matches('"'));
            let resource = self.node(NodeKind::Resource, label.clone(), Some(span));
            self.edge(named, resource, "name");
            for (section, before) in [("fields", "."), ("meta", ".Meta:")] {
                let Some(TermNode::Record(inner)) = field(section).map(|id| self.term.node(id)) else { continue };
                self.frames.push(Vec::new());
                for field in &inner.fields {
                    let (FieldName::Static(name), Some(body)) = (&field.name, field.body) else { continue };
                    let node = self.node(NodeKind::Field, format!("{label}{before}{name}"), Some(field.name_span));
                    let from = self.value(body);
                    self.edge(from, node, name.as_str());
                    if let Some(guard) = field.meta.guard {
                        let guard = self.value(guard);
                        self.edge(guard, node, "?:");
                    }
                    self.edge(Some(node), resource, format!("{}{name}", &before[1..]));
                }
                self.frames.pop();
            }
        } else {
            for field in &lit.fields {
                match field.body.map(|body| (body, self.term.node(body))) {
                    Some((_, TermNode::Record(inner))) => self.resources(inner, names, span),
                    Some((body, _)) => {
                        self.value(body);
                    }
                    None => {}
                }
            }
        }
        self.frames.pop();
    }
}
