//! Layers whose keys are known when they are evaluated: an `include`, and an `if` or a `select` around one.
//!
//! ```text
//! a: 1
//! if a == 1:            the condition reads the document without the keys of the file
//!   include "x.yay"     if the file defines `a`, the condition is evaluated again in the final document
//! ```
//!
//! Which keys there are depends on the condition, so it cannot read the final document. It reads the layers below, and those above whose
//! keys are known. An assert of the final document evaluates it again; a different result is a paradox.

use super::plan::{Layer, Plan};
use super::{Lower, Root};
use crate::dialect::yay::tree::{BlockId, Expr, Id, If, Select, Stanza};
use crate::term::{Binding, Let, Node, NodeId, PatKind, RecordLit, SuperRead};
use crate::text::{Name, Span};
use rustc_hash::FxHashMap;

/// Maximum number of definitions that are lowered again for the conditions of computed layers. Beyond it, a condition reads only
/// the layers below its own.
const MAX_REPEATED: usize = 4_096;

/// The layers above a computed one.
pub(super) struct Above<'a, 'p> {
    pub(super) plan: &'p Plan<'a>,
    /// The index of the first of them.
    pub(super) from: usize,
    /// The names that the layers below them define.
    pub(super) defined: &'p FxHashMap<Name, ()>,
}

/// The guards of a stanza, in order, and its blocks.
enum Guards<'a> {
    If(&'a If),
    Select(&'a Select),
}

impl<'a> Lower<'a> {
    /// Lowers a stanza whose keys are not known, as a layer above `below`.
    pub(super) fn computed(
        &mut self,
        stanza: &'a Stanza,
        below: Option<NodeId>,
        above: &Above<'a, '_>,
        document: bool,
        span: Span,
    ) -> NodeId {
        let at = stanza.span(self.tree);
        let below = below.unwrap_or_else(|| self.empty(at.at_start()));
        if self.reads_nothing(stanza) && document {
            let above = self.stanza(stanza, document);
            return self.push(Node::Inherit(Box::new([below, above])), span);
        }
        self.computed += 1;
        let under = Name::from(format!("%under.{}", self.computed));
        let guards = match stanza {
            Stanza::If(stanza) if !self.is_of_lists(stanza) => Some(Guards::If(stanza)),
            Stanza::Select(select) if select.cases.iter().all(|(_, value)| value.block().is_some()) => {
                Some(Guards::Select(select))
            }
            _ => None,
        };
        self.let_in(vec![(under.clone(), below)], at, |lower| {
            let repeated = guards.is_some().then(|| lower.known_above(above, &under, document, span)).flatten();
            let repeated = match (&guards, document) {
                (Some(_), false) => lower.on_predecessor(&under, repeated, at),
                _ => repeated,
            };
            let outer = (document && lower.root == Root::Below).then(|| lower.builder.variable(&lower.below, at));
            let peeked = match (outer, repeated) {
                (None, None) => None,
                (None, Some(known)) => Some(known),
                (Some(outer), known) => {
                    let own = known.unwrap_or_else(|| lower.builder.variable(&under, at));
                    Some(lower.push(Node::Inherit(Box::new([outer, own])), at))
                }
            };
            let Some(peeked) = peeked else { return lower.layer(stanza, guards, (&under, &under), document, span) };
            let name = Name::from(format!("%peeked.{}", lower.computed));
            lower.let_in(vec![(name.clone(), peeked)], at, |lower| {
                lower.layer(stanza, guards, (&under, &name), document, span)
            })
        })
    }

    /// Lowers the value of the key whose dictionary is being lowered in the layers below, with `own` on top of it. `own` is the
    /// variable `under` if it is not given.
    fn on_predecessor(&mut self, under: &Name, own: Option<NodeId>, at: Span) -> Option<NodeId> {
        let Some((key, frame)) = self.entry.clone() else { return own };
        let up = (self.builder.depth() - frame) as u32;
        let name = self.text(key.clone(), at);
        let has = self.push(Node::Super { up, read: SuperRead::Has(name) }, at);
        let below = self.push(Node::Super { up, read: SuperRead::Field(key) }, at);
        let own = own.unwrap_or_else(|| self.builder.variable(under, at));
        let none = self.empty(at);
        let predecessor = self.push(Node::If(Box::new([has, below, none])), at);
        Some(self.push(Node::Inherit(Box::new([predecessor, own])), at))
    }

    /// Lowers the layers above a computed one whose keys are known, on top of those below it. `None` if there are none.
    fn known_above(&mut self, above: &Above<'a, '_>, under: &Name, document: bool, span: Span) -> Option<NodeId> {
        let layers = above.plan.layers.get(above.from..).unwrap_or_default();
        let known = |layer: &&Layer<'a>| matches!(layer, Layer::Literal { .. });
        let count: usize = (layers.iter().filter(known))
            .map(|layer| match layer {
                Layer::Literal { definitions, .. } => definitions.len(),
                Layer::Computed(_) => 0,
            })
            .sum();
        if count == 0 || self.repeated + count > MAX_REPEATED {
            return None;
        }
        self.repeated += count;
        // the problems of these layers are found again in the document
        let (problems, unbound) = (self.problems.len(), self.unbound.clone());
        let (root, again) = (self.root, self.again.take());
        let mut defined = above.defined.clone();
        let mut whole = Some(self.builder.variable(under, span));
        for layer in layers.iter().filter(known) {
            whole = self.literal_layer(above.plan, layer, whole, document, &mut defined, span);
        }
        (self.root, self.again) = (root, again);
        self.problems.truncate(problems);
        self.unbound = unbound;
        whole
    }

    /// Lowers a computed layer on top of the layers in the variable `under`. Its conditions read the variable `peeked`.
    fn layer(
        &mut self,
        stanza: &'a Stanza,
        guards: Option<Guards<'a>>,
        (under, peeked): (&Name, &Name),
        document: bool,
        span: Span,
    ) -> NodeId {
        let at = stanza.span(self.tree);
        let frames = if under == peeked { 0 } else { 1 };
        let depth = self.builder.depth() - frames;
        let root = self.root;
        let below = std::mem::replace(&mut self.below, peeked.clone());
        self.below_at.push(depth);
        if document {
            self.root = Root::Below;
        }
        let in_rest =
            std::mem::replace(&mut self.in_rest, self.has_rest && document && matches!(stanza, Stanza::Include(..)));
        let whole = match guards {
            None => {
                let above = self.stanza(stanza, document);
                let under = self.builder.variable(under, at);
                self.push(Node::Inherit(Box::new([under, above])), span)
            }
            Some(guards) => self.guarded(&guards, under, document, span),
        };
        self.in_rest = in_rest;
        self.root = root;
        self.below_at.pop();
        self.below = below;
        whole
    }

    /// Lowers an `if` or a `select` with its guards in variables, and an assert that evaluates them again.
    fn guarded(&mut self, guards: &Guards<'a>, under: &Name, document: bool, span: Span) -> NodeId {
        let number = self.computed;
        let peeks_here = std::mem::replace(&mut self.peeks_here, !document);
        let conditions = self.conditions(guards);
        self.peeks_here = peeks_here;
        let names: Vec<Name> = (0..conditions.len()).map(|at| Name::from(format!("%held.{number}.{at}"))).collect();
        let spans: Vec<Span> = conditions.iter().map(|condition| self.builder.span(*condition)).collect();
        let bindings = names.iter().cloned().zip(conditions).collect();
        self.let_in(bindings, span, |lower| {
            let below = lower.builder.variable(under, span);
            let peeked = lower.below.clone();
            let blocks: Vec<BlockId> = match guards {
                Guards::If(stanza) => stanza.branches.iter().map(|(_, block)| *block).collect(),
                Guards::Select(select) => select.cases.iter().filter_map(|(_, value)| value.block()).collect(),
            };
            let blocks: Vec<NodeId> = blocks.into_iter().map(|block| lower.dict(block, document)).collect();
            let last = match guards {
                Guards::If(stanza) => match stanza.otherwise {
                    Some(block) => lower.dict(block, document),
                    None => lower.empty(span),
                },
                // `_case` fails for other keys
                Guards::Select(_) => lower.empty(span),
            };
            let chosen = names.iter().zip(&spans).zip(blocks).rev().fold(last, |no, ((name, at), yes)| {
                let held = lower.builder.variable(name, *at);
                lower.push(Node::If(Box::new([held, yes, no])), span)
            });
            let whole = lower.push(Node::Inherit(Box::new([below, chosen])), span);
            let check = lower.check(guards, &names, &peeked, document, span);
            lower.push(Node::Inherit(Box::new([whole, check])), span)
        })
    }

    /// Lowers the conditions of an `if` or a `select`.
    fn conditions(&mut self, guards: &Guards<'a>) -> Vec<NodeId> {
        match guards {
            Guards::If(stanza) => stanza.branches.iter().map(|(condition, _)| self.expr(*condition)).collect(),
            Guards::Select(select) => {
                let all: Vec<Name> = select.cases.iter().map(|(key, _)| key.name.clone()).collect();
                let at = self.tree.span(select.of);
                let mut conditions = Vec::with_capacity(all.len());
                for key in &all {
                    let of = self.expr(select.of);
                    let key = self.text(key.clone(), at);
                    let keys: Vec<NodeId> = all.iter().map(|key| self.text(key.clone(), at)).collect();
                    let keys = self.push(Node::Array(keys.into()), at);
                    conditions.push(self.native("_case", vec![of, key, keys], at));
                }
                conditions
            }
        }
    }

    /// Lowers a layer without keys whose assert evaluates guards again in the final record.
    fn check(&mut self, guards: &Guards<'a>, names: &[Name], peeked: &Name, document: bool, span: Span) -> NodeId {
        self.builder.open();
        self.builder.anonymous_slot();
        let depth = self.builder.depth();
        let root = self.root;
        if document {
            self.root = Root::Frame(depth);
        }
        let peeks_here = std::mem::replace(&mut self.peeks_here, !document);
        let again = self.again.replace(depth);
        let (problems, unbound) = (self.problems.len(), self.unbound.clone());
        let conditions = self.conditions(guards);
        self.peeks_here = peeks_here;
        self.problems.truncate(problems);
        self.unbound = unbound;
        let ids: Vec<Id> = match guards {
            Guards::If(stanza) => stanza.branches.iter().map(|(condition, _)| *condition).collect(),
            Guards::Select(select) => vec![select.of; names.len()],
        };
        let none = self.push(Node::Bool(true), span);
        let all = names.iter().zip(conditions).zip(ids).rev().fold(none, |next, ((name, again), id)| {
            let at = self.builder.span(again);
            let held = self.builder.variable(name, at);
            let below = self.builder.variable(peeked, at);
            let last = self.this(depth, at);
            let reads = self.paths_of(id, document, at);
            let holds = self.native("_unchanged", vec![held, again, below, last, reads], at);
            let yes = self.push(Node::Bool(true), at);
            self.push(Node::If(Box::new([holds, yes, next])), at)
        });
        self.again = again;
        self.root = root;
        let (_, groups) = self.builder.close();
        let asserts = vec![(all, None)];
        let literal = RecordLit { extra: None, fields: Vec::new(), open: false, locals: Vec::new(), asserts, groups };
        self.push(Node::Record(Box::new(literal)), span)
    }

    /// Lowers the keys of the document, or of the dictionary around, that an expression reads, to an array of paths.
    fn paths_of(&mut self, id: Id, document: bool, at: Span) -> NodeId {
        let mut paths: Vec<Vec<Name>> = Vec::new();
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            let (mut inner, mut path) = (id, Vec::new());
            let whole = loop {
                match self.tree.expr(inner) {
                    Expr::Name(name) => {
                        path.push(name.clone());
                        break true;
                    }
                    Expr::Dot(of, name) => {
                        path.push(name.name.clone());
                        inner = *of;
                    }
                    _ => break false,
                }
            };
            if whole {
                path.reverse();
                let own = self.path.as_deref().unwrap_or_default();
                match (document, path.first().is_some_and(|first| first == "here")) {
                    (true, _) => paths.push(path),
                    (false, true) => paths.push(path.split_off(1)),
                    (false, false) if path.starts_with(own) => paths.push(path.split_off(own.len())),
                    _ => {}
                }
                continue;
            }
            work.extend(super::kind::parts_of(self.tree.expr(id)));
        }
        paths.sort();
        paths.dedup();
        let mut rows = Vec::with_capacity(paths.len());
        for path in paths {
            let names: Vec<NodeId> = path.into_iter().map(|name| self.text(name, at)).collect();
            rows.push(self.push(Node::Array(names.into()), at));
        }
        self.push(Node::Array(rows.into()), at)
    }

    /// Lowers `let name = value in body`.
    fn let_in(&mut self, values: Vec<(Name, NodeId)>, at: Span, body: impl FnOnce(&mut Self) -> NodeId) -> NodeId {
        self.builder.open();
        let mut bindings = Vec::with_capacity(values.len());
        for (name, value) in values {
            let slot = self.builder.bind(name);
            let pat = self.builder.pat(PatKind::Bind(slot), at);
            bindings.push(Binding::plain(pat, value, at));
        }
        let body = body(self);
        let (slots, groups) = self.builder.close();
        self.push(Node::Let(Box::new(Let { recursive: false, bindings, body, groups, slots })), at)
    }
}
