//! Builds a [`Term`]: adds nodes in post-order, resolves names to frames, and records the dependencies of recursive definitions.
//!
//! A dialect opens a frame ([`Builder::open`]), lowers what is inside it, and closes it. Resolving a name is one hash
//! lookup. The use of a sibling definition is recorded at the frame that the name resolves to, so that dependency groups
//! need no pass of their own.

use super::{Groups, Node, NodeId, Pat, PatId, PatKind, Rules, Term, TyVarId, groups};
use crate::text::{Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// The meaning of a name in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    /// A slot. The second number is the definition that it belongs to, in a recursive `let` or among object locals.
    Slot(u32, Option<u32>),
    /// A field of a record literal, by its index in `groups`.
    Field(u32),
}

/// The meanings of a name in the open frames. Most names have one, which needs no allocation.
#[derive(Debug, Default)]
struct Meanings {
    /// The innermost frame that binds the name, and the meaning there.
    innermost: Option<(u32, Bound)>,
    /// The others, the outermost first.
    outer: Vec<(u32, Bound)>,
}

impl Meanings {
    fn push(&mut self, frame: u32, bound: Bound) {
        self.outer.extend(self.innermost.replace((frame, bound)));
    }

    fn pop(&mut self) {
        self.innermost = self.outer.pop();
    }

    /// Returns the innermost meaning in the first `frames` frames.
    fn below(&self, frames: usize) -> Option<(u32, Bound)> {
        let is_below = |(at, _): &&(u32, Bound)| (*at as usize) < frames;
        self.innermost.as_ref().filter(is_below).or_else(|| self.outer.iter().rev().find(is_below)).copied()
    }
}

/// An open frame.
#[derive(Debug, Default)]
struct Frame {
    /// The names that the frame added to the builder's scope.
    names: Vec<Name>,
    slots: Vec<Name>,
    /// The definition that is being lowered, if the frame is recursive.
    current: Option<u32>,
    /// Pairs of definitions: the first one uses the second one.
    uses: Vec<(u32, u32)>,
    /// The number of definitions.
    definitions: u32,
    /// The definitions of fields whose names are not in scope (object languages).
    fields: FxHashMap<Name, u32>,
}

/// Builds one [`Term`].
#[derive(Debug, Default)]
pub struct Builder {
    rules: &'static Rules,
    nodes: Vec<Node>,
    spans: Vec<Span>,
    pats: Vec<Pat>,
    ty_vars: Vec<(Name, Span)>,
    ty_scope: Vec<TyVarId>,
    /// The free names, in order of first use, each with that use.
    globals: Vec<(Name, Span)>,
    /// The names in `globals`.
    seen_globals: FxHashSet<Name>,
    /// The names of local variables, in the order of their nodes.
    locals: Vec<(NodeId, Name)>,
    frames: Vec<Frame>,
    /// The definitions that nothing uses.
    pub unused: Vec<super::Unused>,
    /// The aliases that are inside of their own anchors, in order.
    pub self_aliases: Vec<super::SelfAlias>,
    /// The meanings of each name.
    scope: FxHashMap<Name, Meanings>,
}

impl Builder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty builder for a term whose operators follow these rules.
    pub fn with_rules(rules: &'static Rules) -> Self {
        Self { rules, ..Self::default() }
    }

    /// Makes room for a number of nodes, such as those of a large data file: a list that grows is copied. Makes none if the system
    /// refuses it.
    pub fn make_room(&mut self, nodes: usize) {
        let _ = self.nodes.try_reserve_exact(nodes).and_then(|()| self.spans.try_reserve_exact(nodes));
    }

    /// Adds a node after its children.
    pub fn push(&mut self, node: Node, span: Span) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.spans.push(span);
        id
    }

    /// Returns a node that was pushed.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Changes the span of a node that was pushed.
    pub fn set_span(&mut self, id: NodeId, span: Span) {
        if let Some(place) = self.spans.get_mut(id.0 as usize) {
            *place = span;
        }
    }

    /// Returns the span of a node that was pushed.
    pub fn span(&self, id: NodeId) -> Span {
        self.spans[id.0 as usize]
    }

    /// Adds a pattern after its children.
    pub fn pat(&mut self, kind: PatKind, span: Span) -> PatId {
        let id = PatId(self.pats.len() as u32);
        self.pats.push(Pat { kind, span });
        id
    }

    /// Opens the frame of a lambda, a `let`, a match arm, a record literal or a comprehension's `for`.
    pub fn open(&mut self) {
        self.frames.push(Frame::default());
    }

    /// Brings a name into the scope of the innermost frame.
    fn bring_into_scope(&mut self, name: Name, bound: Bound) {
        let Some(at) = (self.frames.len() as u32).checked_sub(1) else { return };
        let meanings = self.scope.entry(name.clone()).or_default();
        match &mut meanings.innermost {
            Some((frame, here)) if *frame == at => *here = bound,
            _ => {
                meanings.push(at, bound);
                self.frames[at as usize].names.push(name);
            }
        }
    }

    /// Returns the meaning that the innermost frame gives a name.
    fn in_innermost_frame(&self, name: &str) -> Option<Bound> {
        let (frame, bound) = self.scope.get(name)?.innermost?;
        (frame as usize + 1 == self.frames.len()).then_some(bound)
    }

    /// Binds a name to a new slot of the innermost frame. Shadows an earlier binding of that name in the frame.
    pub fn bind(&mut self, name: Name) -> u32 {
        let Some(frame) = self.frames.last_mut() else { return 0 };
        let slot = frame.slots.len() as u32;
        frame.slots.push(name.clone());
        self.bring_into_scope(name, Bound::Slot(slot, None));
        slot
    }

    /// The slot that the innermost frame already binds a name to (for `or` patterns).
    pub fn bound_here(&self, name: &str) -> Option<u32> {
        match self.in_innermost_frame(name)? {
            Bound::Slot(slot, _) => Some(slot),
            Bound::Field(_) => None,
        }
    }

    /// Assigns slot `slot` of the innermost frame to recursive definition `definition`.
    pub fn define_slot(&mut self, slot: u32, definition: u32) {
        self.reserve(definition);
        let Some(name) = self.frames.last().and_then(|f| f.slots.get(slot as usize)).cloned() else { return };
        self.bring_into_scope(name, Bound::Slot(slot, Some(definition)));
    }

    /// Adds a slot without a name, such as slot 0 of a record's frame, which is the record itself.
    pub fn anonymous_slot(&mut self) -> u32 {
        let Some(frame) = self.frames.last_mut() else { return 0 };
        frame.slots.push(Name::new_inline(""));
        frame.slots.len() as u32 - 1
    }

    /// The number of slots of the innermost frame.
    pub fn slot_count(&self) -> u32 {
        self.frames.last().map_or(0, |f| f.slots.len() as u32)
    }

    /// Brings a field of the innermost frame's record literal into scope, as definition `definition`.
    /// Several definitions of one field depend on each other, so that they are one group.
    pub fn bind_field(&mut self, name: Name, definition: u32) {
        self.reserve(definition);
        if let Some(Bound::Field(first)) = self.in_innermost_frame(&name) {
            if let Some(frame) = self.frames.last_mut() {
                frame.uses.push((first, definition));
                frame.uses.push((definition, first));
            }
            return;
        }
        self.bring_into_scope(name, Bound::Field(definition));
    }

    /// Assigns definition `definition` of the innermost record literal to field `name`, whose name is not in scope.
    /// Several definitions of one field depend on each other, so that they are one group.
    pub fn declare_field(&mut self, name: Name, definition: u32) {
        self.reserve(definition);
        let Some(frame) = self.frames.last_mut() else { return };
        let first = *frame.fields.entry(name).or_insert(definition);
        if first != definition {
            frame.uses.push((first, definition));
            frame.uses.push((definition, first));
        }
    }

    /// Makes room for a definition that has no name in scope, such as a computed field.
    pub fn reserve(&mut self, definition: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.definitions = frame.definitions.max(definition + 1);
        }
    }

    /// Sets the definition of the innermost frame that is lowered next; `None` if it is none of them.
    pub fn enter(&mut self, definition: Option<u32>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.current = definition;
        }
    }

    /// Records a use of field `name` of the record `up` frames outwards by the definition that is being lowered there
    /// (`self.name`). One hash lookup.
    pub fn use_field(&mut self, up: u32, name: &str) {
        let Some(at) = self.frames.len().checked_sub(1 + up as usize) else { return };
        let Some(frame) = self.frames.get_mut(at) else { return };
        if let (Some(used), Some(user)) = (frame.fields.get(name), frame.current) {
            frame.uses.push((user, *used));
        }
    }

    /// Returns the pairs of definitions of the innermost frame of which the first uses the second.
    pub fn uses(&self) -> &[(u32, u32)] {
        self.frames.last().map_or(&[], |frame| &frame.uses)
    }

    /// Closes the innermost frame. Returns the names of its slots and its definitions in dependency order.
    pub fn close(&mut self) -> (Vec<Name>, Groups) {
        let Some(frame) = self.frames.pop() else { return Default::default() };
        for name in frame.names {
            if let Some(meanings) = self.scope.get_mut(&name) {
                meanings.pop();
            }
        }
        (frame.slots, groups(frame.definitions as usize, &frame.uses))
    }

    /// The number of open frames.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Whether an open frame binds the name.
    pub fn is_bound(&self, name: &str) -> bool {
        self.scope.get(name).is_some_and(|meanings| meanings.innermost.is_some())
    }

    /// Every name in scope, unordered, for suggestions.
    pub fn names_in_scope(&self) -> impl Iterator<Item = &Name> {
        self.scope.iter().filter(|(_, meanings)| meanings.innermost.is_some()).map(|(name, _)| name)
    }

    /// Adds the node of a variable. One hash lookup.
    pub fn variable(&mut self, name: &Name, span: Span) -> NodeId {
        self.look_up(name, span, 0)
    }

    /// Adds the node of a variable that the innermost frame does not bind (`include x` in a record).
    pub fn variable_outside(&mut self, name: &Name, span: Span) -> NodeId {
        self.look_up(name, span, 1)
    }

    /// Adds the node of a variable that none of the `skip` innermost frames binds.
    fn look_up(&mut self, name: &Name, span: Span, skip: usize) -> NodeId {
        let frames = self.frames.len().saturating_sub(skip);
        let found = self.scope.get(name).and_then(|meanings| meanings.below(frames));
        if let Some((at, bound)) = found {
            let up = self.frames.len() as u32 - 1 - at;
            let frame = &mut self.frames[at as usize];
            let (used, node) = match bound {
                Bound::Slot(slot, definition) => {
                    self.locals.push((NodeId(self.nodes.len() as u32), name.clone()));
                    (definition, Node::Local { up, slot })
                }
                Bound::Field(used) => (Some(used), Node::Member { up, name: name.clone() }),
            };
            if let (Some(used), Some(user)) = (used, frame.current) {
                frame.uses.push((user, used));
            }
            return self.push(node, span);
        }
        if self.seen_globals.insert(name.clone()) {
            self.globals.push((name.clone(), span));
        }
        self.push(Node::Global(name.clone()), span)
    }

    /// Opens the scope of the variables of a `forall`.
    pub fn open_forall(&mut self, vars: impl IntoIterator<Item = (Name, Span)>) -> Vec<TyVarId> {
        vars.into_iter()
            .map(|(name, span)| {
                let id = TyVarId(self.ty_vars.len() as u32);
                self.ty_vars.push((name, span));
                self.ty_scope.push(id);
                id
            })
            .collect()
    }

    /// Closes the scope of `count` `forall`-bound variables.
    pub fn close_forall(&mut self, count: usize) {
        self.ty_scope.truncate(self.ty_scope.len().saturating_sub(count));
    }

    /// The innermost `forall`-bound variable of a name.
    pub fn ty_var(&self, name: &str) -> Option<TyVarId> {
        self.ty_scope.iter().rev().copied().find(|id| self.ty_vars[id.0 as usize].0 == name)
    }

    /// Finishes the term.
    pub fn finish(mut self, root: NodeId) -> Term {
        // a growing vector may have up to twice the capacity that it needs
        self.nodes.shrink_to_fit();
        self.spans.shrink_to_fit();
        let has_locals = !self.locals.is_empty();
        let mut term = Term {
            contract_names: super::naming::contracts(&self.nodes, &self.pats, &self.locals),
            nodes: self.nodes,
            spans: self.spans,
            pats: self.pats,
            ty_vars: self.ty_vars,
            globals: self.globals,
            root,
            unused: self.unused,
            self_aliases: self.self_aliases,
            rules: self.rules,
        };
        if has_locals {
            let origins = term.origins(&|_| false);
            term.mark_origins(&origins);
        }
        term
    }
}
